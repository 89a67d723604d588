"""The verb `compare`: games side by side, all editions as pages, or two games in lockstep."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import console, mention, put, refusing, writing
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import LOOKS, WRITES
from tilewright.faces.cli.written_files import write_result
from tilewright.language.locale.words import Words

if TYPE_CHECKING:
    from tilewright.rules.reading.library import Library
    from tilewright.view.page.blocks import Length
    from tilewright.view.results.comparison import Comparison
    from tilewright.view.results.divergence import Witnesses

FORMS = ("text", "markdown", "json", "html")
_ALL, _PLAY = "With --all", "With --play"
#: the parameters that only one way to compare uses
_OF_PAGES = ("only", "keep")
_OF_PLAY = ("budget", "decisions", "seed", "players")
_OF_ROWS = ("topic", "impact", "is_brief", "is_full", "save_witness")


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
        a.option(f"[{'|'.join(a.IMPACTS)}]", "only rows with this impact; several with commas"),
        LOOKS,
    ] = "",
    is_brief: Annotated[bool, a.flag("--brief", "only the summary, one page"), LOOKS] = False,
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
        a.refuse_given(context, (*_OF_PLAY, *_OF_ROWS), "does not suit `--all`")
        pages = a.one_of("`--format` with `--all`", form or "html", ("html", "markdown"))
        write_gallery(
            out, with_, only, pages, language, bool(is_witnessed), keep, is_fresh=is_fresh
        )
        return
    a.refuse_given(context, _OF_PAGES, "needs `--all`")
    games = games or []
    if len(games) < 2:
        hint = "`tilewright show ruleset ID` shows a single ruleset"
        raise Stop(USAGE, "a comparison needs two rulesets or more", hint)
    if is_played:
        from tilewright.faces.cli.views.divergence import show_divergence

        if len(games) != 2:
            raise Stop(USAGE, f"`--play` compares two games, not {len(games)}")
        unused = (*_OF_ROWS, "is_witnessed", "is_fresh")
        a.refuse_given(context, unused, "does not suit `--play`")
        plays = a.one_of("`--format` with `--play`", form or "text", ("text", "json"))
        show_divergence(games, with_, budget, decisions, seed, players, out, plays, language)
        return
    a.refuse_given(context, _OF_PLAY, "needs `--play`")
    brief, full = a.at_most_one(context, is_brief=is_brief, is_full=is_full)
    _compare(
        games, with_, topic, impact, bool(brief), bool(full), form, out, language, is_witnessed,
        save_witness, is_fresh=is_fresh,
    )  # fmt: skip


def _compare(
    games: Sequence[str],
    with_: list[Path] | None,
    topic: str,
    impact: str,
    is_brief: bool,
    is_full: bool,
    form: str,
    out: Path | None,
    language: str,
    is_witnessed: bool | None,
    save_witness: Path | None,
    *,
    is_fresh: bool,
) -> None:
    """Print or write the comparison of two or more games."""
    impacts = {
        a.one_of("`--impact`", word.strip(), a.IMPACTS) for word in impact.split(",") if impact
    }
    form = a.written_form(form, out, FORMS if out is None else FORMS[1:])
    if out is not None and form == "text":
        raise Stop(USAGE, "`--out` needs `--format html`, `markdown` or `json`")
    from tilewright.tools.comparison.compare import CannotCompareError, compare_texts, narrowed

    library, texts = a.games_from(games, with_)
    words = Words(language)
    what, unit = words("progress.comparing"), words("progress.games")
    shown = progress(what, len(texts), unit=unit, language=words.language)
    with refusing(CannotCompareError), shown as step:
        found = compare_texts(texts, library, step)
    if topic:
        a.known_topic(topic, [row.topic for row in found.topic_rows()], "of these games")
    if topic or impacts:
        found = narrowed(found, topic, impacts)
    witnesses = None
    # an HTML page has boards unless `--no-witness` is given
    if (form == "html" if is_witnessed is None else is_witnessed) or save_witness is not None:
        witnesses = _witnesses(found, library, words, is_fresh=is_fresh)
        if save_witness is not None:
            _save(witnesses, save_witness)
    if form == "html":
        from tilewright.tools.reports.comparison_page import page_of

        put(page_of(found, library, witnesses=witnesses or (), language=language), out, form)
        return
    from tilewright.view.page.blocks import Length

    length = Length.BRIEF if is_brief else Length.FULL if is_full or topic else Length.USUAL
    if form == "text":
        from tilewright.faces.cli.views.page import print_comparison

        draw = None
        if witnesses is not None:
            from tilewright.tools.witness.storage import Painter

            draw = Painter(library, language, in_notation=True).boards
        print_comparison(
            found,
            console(),
            language=language,
            length=length,
            witnesses=witnesses or (),
            draw=draw,
        )
    else:
        put(_text(found, form, language, length, witnesses), out, form)


def _witnesses(
    comparison: Comparison, library: Library, words: Words, *, is_fresh: bool
) -> list[Witnesses]:
    """Find the witnesses of a comparison with a progress bar; fresh ones do not use the cache."""
    from tilewright.tools.witness.storage import kept_witnesses
    from tilewright.tools.workspace.cache import user_cache

    units = {what: words(f"progress.{what}") for what in ("scenarios", "decisions", "boards")}
    with progress(words("progress.searching_boards"), language=words.language) as step:
        return kept_witnesses(
            comparison,
            library,
            user_cache(is_wanted=not is_fresh),
            progress=lambda what, done, total: step(done, total, unit=units[what]),
        )


def _save(found: Sequence[Witnesses], folder: Path) -> None:
    """Write witnesses into a folder; raises `Stop` where that fails."""
    from tilewright.tools.witness.storage import witness_files

    with writing(folder):
        files = witness_files(found)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_result(folder / name, text, "scenarios")
    mention(f"wrote {len(files)} files to {folder}")


def _text(
    found: Comparison,
    form: str,
    language: str,
    length: Length,
    witnesses: Sequence[Witnesses] | None = None,
) -> str:
    """A comparison as JSON or Markdown."""
    from tilewright.view.comparison.export import as_json, as_markdown

    if form == "json":
        return as_json(found, witnesses)
    return as_markdown(found, language=language, length=length, witnesses=witnesses or ())
