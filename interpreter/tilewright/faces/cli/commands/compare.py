"""The verb `compare`: games side by side, all editions as pages, or two games in lockstep."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import CUT_SHORT, INTERRUPTED, PROBLEMS, SUCCESS, USAGE, Stop
from tilewright.faces.cli.output import console, mention, put, refusing, writing
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import LOOKS, WRITES
from tilewright.faces.cli.written_files import write_result
from tilewright.language.locale.words import Words

if TYPE_CHECKING:
    from tilewright.rules.reading.library import Library
    from tilewright.tools.reports.comparison_page import Request
    from tilewright.tools.witness.find import Divergence

FORMS = ("text", "markdown", "json", "html")
_COUNTED = ("games", "scenarios", "decisions", "boards")
#: the impacts that a word means: the two gravest change play, and have names in JSON
_IMPACTS = {"play": ("breaking", "behaviour"), **{word: (word,) for word in a.IMPACTS}}
_ALL, _PLAY = "With --all", "With --play"
#: the parameters that only one way to compare uses
_OF_PAGES = ("only", "keep")
_OF_PLAY = ("budget", "decisions", "seed", "players")
_OF_GAMES = ("editions_of", "against")
_OF_ROWS = ("topic", "impact", "is_brief", "is_full", "save_witness")
#: and those that a difference does not have
_NOT_OF_VERSIONS = ("editions_of", *_OF_PLAY, *_OF_ROWS, "is_witnessed", "is_fresh")


def compare(
    context: typer.Context,
    games: Annotated[
        list[str] | None,
        a.argument(
            "[GAME]...",
            "two games or more, each an id, a folder or `c2/base+./my-rules?option=value`",
            a.complete_ruleset,
        ),
    ] = None,
    with_: a.With = None,
    topic: Annotated[
        str,
        a.option("PREFIX", "only topics that start with PREFIX", autocompletion=a.complete_topic),
        LOOKS,
    ] = "",
    impact: Annotated[
        str,
        a.option("[play|data|text]", "only rows with this impact; several with commas"),
        LOOKS,
    ] = "",
    is_brief: Annotated[bool, a.flag("--brief", "only the summary, one page"), LOOKS] = False,
    is_unpaged: Annotated[
        bool, a.flag("--no-pager", "never show a long text in a pager (`$PAGER`)"), LOOKS
    ] = False,
    is_full: Annotated[
        bool, a.flag("--full", "everything: ids, rules in full, differences without effect"), LOOKS
    ] = False,
    form: Annotated[str, a.format_option(*FORMS, show_default="text"), LOOKS] = "",
    out: Annotated[
        Path | None,
        a.option(
            "FILE",
            "write the result to a file; its suffix chooses the form; a folder with `--all`",
            "--out",
        ),
        WRITES,
    ] = None,
    language: a.Language = "",
    against: Annotated[
        str, a.option("REV", "compare with this git revision, as `diff` does; for one ruleset")
    ] = "",
    is_witnessed: Annotated[
        bool | None,
        a.flag(
            "--witness/--no-witness",
            "find an example board for each row that affects play; always on for HTML",
        ),
    ] = None,
    save_witness: Annotated[
        Path | None, a.option("FOLDER", "write the example boards as scenarios"), WRITES
    ] = None,
    is_fresh: Annotated[bool, a.flag("--no-cache", "neither read nor write the cache")] = False,
    editions_of: Annotated[
        str | None,
        a.option(
            "BOX",
            "all editions of a printed box side by side: `base`, or the id of one of them",
            "--editions",
            autocompletion=a.complete_ruleset,
        ),
    ] = None,
    is_all: Annotated[
        bool,
        a.flag(
            "--all",
            "write a page for each pair of editions, and for each house rule and its base, "
            "into the folder of `--out`",
            rich_help_panel=_ALL,
        ),
    ] = False,
    only: Annotated[str, a.only_option(rich_help_panel=_ALL)] = "",
    keep: Annotated[
        list[str] | None,
        a.option(
            "NAME",
            "write only this page; the index lists all others without a link; repeatable",
            rich_help_panel=_ALL,
        ),
    ] = None,
    is_played: Annotated[
        bool,
        a.flag(
            "--play",
            "play two games in lockstep until they differ, and show the smallest board",
            rich_help_panel=_PLAY,
        ),
    ] = False,
    budget: Annotated[
        str, a.option("TIME", "time limit: `30s`, `2m`", rich_help_panel=_PLAY)
    ] = "30s",
    decisions: Annotated[
        int, a.option("N", "stop after comparing this many decisions", min=1, rich_help_panel=_PLAY)
    ] = 100_000,
    seed: Annotated[str, a.seed_option(rich_help_panel=_PLAY)] = "1",
    players: Annotated[
        int, a.option("N", "number of players", min=1, max=99, rich_help_panel=_PLAY)
    ] = 2,
) -> None:
    """Compare editions or games side by side: topics, turn, values, rules, tiles.

    `--witness` runs the scenarios of each side under the rules of both, and plays games in
    lockstep, to find a board on which the two play differently for each row that changes play.

    Two versions of one ruleset, in two folders or with `--against`, are compared as `diff` does.

    `--play` only plays: both games get the same draws and choices, and the first difference in
    options, points or positions is reduced to as few tiles, figures and moves as possible. The same
    seed finds the same difference.

    `--all` keeps its pages in the cache: an interrupted run continues where it stopped.

    \b
    Examples:
      tilewright compare c2/base house/no-joining-of-rivals
      tilewright compare c2/base ./my-rules --brief
      tilewright compare c2/base ./my-rules --out differences.html
      tilewright compare c2/base house/no-joining-of-rivals --format markdown
      tilewright compare c2/base c2/base+./my-rules --witness
      tilewright compare ./my-rules-1.0 ./my-rules
      tilewright compare --editions base --brief
      tilewright compare c2/base ./my-rules --play --decisions 2000
      tilewright compare c2/base ./my-rules --play --out difference.yaml
      tilewright compare --all --out ./gallery --only base --lang pl
    """
    if is_all:
        from tilewright.faces.cli.views.gallery import write_gallery

        if games or is_played:
            raise Stop(USAGE, "`--all` compares all editions: leave out games and `--play`")
        if out is None:
            raise Stop(USAGE, "`--all` needs the folder for its pages: `--out FOLDER`")
        a.refuse_given(context, (*_OF_GAMES, *_OF_PLAY, *_OF_ROWS), "does not suit `--all`")
        pages = a.one_of("`--format` with `--all`", form or "html", ("html", "markdown"))
        write_gallery(
            out, with_, only, pages, language, bool(is_witnessed), keep, is_fresh=is_fresh
        )
        return
    a.refuse_given(context, _OF_PAGES, "needs `--all`")
    games = games or []
    if not is_played and (against or a.are_versions(games, with_)):
        from tilewright.faces.cli.commands.diff import diff

        a.refuse_given(context, _NOT_OF_VERSIONS, "does not suit versions of one ruleset")
        if len(games) != 1 + (not against):
            raise Stop(USAGE, "`--against` needs one ruleset or game")
        if not against:
            mention(f"`{games[0]}` and `{games[1]}` are versions of one ruleset: as `diff`")
        new = "".join(games[1:])
        context.invoke(
            diff, old=games[0], new=new, against=against, with_=with_, form=form, out=out
        )
    games = _found(games, editions_of, with_)
    if is_played:
        if len(games) != 2:
            raise Stop(USAGE, f"`--play` compares two games, not {len(games)}")
        unused = (*_OF_ROWS, "is_witnessed", "is_fresh")
        a.refuse_given(context, unused, "does not suit `--play`")
        form = a.one_of("`--format` with `--play`", form or "text", ("text", "json"))
    else:
        a.refuse_given(context, _OF_PLAY, "needs `--play`")
        form = a.written_form(form, out, FORMS if out is None else FORMS[1:])
        if out is not None and form == "text":
            raise Stop(USAGE, "`--out` needs `--format html`, `markdown` or `json`")
    brief, full = a.at_most_one(context, is_brief=is_brief, is_full=is_full)
    impacts = [a.one_of("`--impact`", word.strip(), _IMPACTS) for word in impact.split(",") if word]
    from tilewright.tools.reports.comparison_page import Play, Request
    from tilewright.view.page.blocks import Length

    play = Play(seed, players, _seconds(budget), decisions) if is_played else None
    # an HTML page has boards unless `--no-witness` is given
    has_boards = form == "html" if is_witnessed is None else is_witnessed
    library, texts = a.games_from(games, with_)
    request = Request(
        texts,
        form,
        language,
        Length.BRIEF if brief else Length.FULL if full or topic else Length.USUAL,
        topic,
        frozenset(each for word in impacts for each in _IMPACTS[word]),
        has_boards or save_witness is not None,
        play,
    )
    _answer(request, library, out, save_witness, is_fresh=is_fresh, is_paged=not is_unpaged)


def _found(games: list[str], box: str | None, with_: list[Path] | None) -> list[str]:
    """The games to compare: those named, or the editions of a box; at least two."""
    if box is not None:
        from tilewright.tools.reports.gallery import NoEditionsError, editions

        if games:
            raise Stop(USAGE, "`--editions` finds the games itself: leave out the games")
        if not box:
            raise Stop(USAGE, "`--editions` needs the name of a box, such as `--editions base`")
        with refusing(NoEditionsError):
            return list(editions(a.library_for(with_), box))
    if len(games) < 2:
        hint = "`tilewright show ruleset ID` shows a single ruleset"
        raise Stop(USAGE, "a comparison needs two rulesets or more", hint)
    return games


def _answer(
    request: Request,
    library: Library,
    out: Path | None,
    save_witness: Path | None,
    *,
    is_fresh: bool,
    is_paged: bool,
) -> None:
    """Print or write the page of a request, and the scenarios of its boards.

    A run with play ends with 1 if a difference is found, with 0 if the limit of decisions is
    reached without one, with 5 if the time limit ends the search, and with 130 after Ctrl-C.
    """
    from tilewright.tools.comparison.compare import CannotCompareError, UnknownTopicError
    from tilewright.tools.reports.comparison_page import kept_page
    from tilewright.tools.workspace.cache import user_cache

    words = Words(request.language)
    units = {what: words(f"progress.{what}") for what in _COUNTED}
    shown = progress(words("progress.comparing"), language=words.language)
    with refusing(CannotCompareError, UnknownTopicError), shown as step:
        made = kept_page(
            request,
            library,
            user_cache(is_wanted=not is_fresh),
            lambda what, done, total: step(done, total, unit=units[what]),
        )
    if save_witness is not None:
        with writing(save_witness):
            for name, text in made.scenarios.items():
                (save_witness / name).parent.mkdir(parents=True, exist_ok=True)
                write_result(save_witness / name, text, "scenarios")
        mention(f"wrote {len(made.scenarios)} files to {save_witness}")
    if made.divergence is not None and out is not None:
        _save_difference(made.divergence, made.scenarios, out)
    if request.form == "text":
        from tilewright.faces.cli.views.page import print_page

        print_page(made.blocks, console(), words, made.names, request.here, is_paged=is_paged)
    else:
        put(made.text, None if request.play else out, request.form)
    if made.divergence is not None:
        raise typer.Exit(_code(made.divergence))


def _seconds(budget: str) -> float:
    """A time such as `30s` in seconds."""
    limit = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|)", budget.strip())
    if limit is None or not float(limit[1]):
        raise Stop(USAGE, f"`--budget` is a time such as `30s` or `2m`, not `{budget}`")
    return float(limit[1]) * (60 if limit[2] == "m" else 1)


def _save_difference(found: Divergence, files: Mapping[str, str], path: Path) -> None:
    """Write the scenarios of the first difference, if there are any."""
    if not files:
        why = "no scenario shows the difference" if found.unstated else "no difference was found"
        mention(f"nothing is saved: {why}")
        return
    with writing(path):
        write_result(path, "".join(files.values()), "scenarios")
    mention(f"wrote {path}")


def _code(found: Divergence) -> int:
    """The exit code of a search for a difference."""
    from tilewright.view.results.divergence import Stopped

    if found.is_found:
        return PROBLEMS
    if found.sought.stopped is Stopped.INTERRUPT:
        return INTERRUPTED
    return CUT_SHORT if found.sought.stopped else SUCCESS
