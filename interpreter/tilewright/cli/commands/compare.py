"""Verbs about what differs between games: `compare` side by side, `history` one after another, and
`gallery`, a folder of comparisons.

Each form is made by a function from what was found to a text; the terminal's page is printed
instead, since it knows how wide it is. Nothing is compared or drawn here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
    LANGUAGES,
    Language,
    With,
    complete_ruleset,
    games_asked,
    library_for,
    one_of,
    rulesets_asked,
)
from tilewright.cli.exit_codes import USAGE, Stop
from tilewright.cli.output import console, progress, put, refuse, say, writing

if TYPE_CHECKING:
    from tilewright.render.comparison.phrases import Length
    from tilewright.results.comparison import Comparison
    from tilewright.results.divergence import Witnesses

#: the forms in which a comparison is told; one more is a word here and a branch in `compare`
FORMS = ("table", "markdown", "json", "html")
WEIGHTS = ("breaking", "behaviour", "data", "text")


def register(app: typer.Typer) -> None:
    """Put these verbs on the command line."""
    app.command("compare")(compare)
    app.command("history")(history)
    app.command("gallery")(gallery)


def compare(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="A B ...",
            help="two or more rulesets or games",
            autocompletion=complete_ruleset,
        ),
    ],
    with_: With = None,
    topic: Annotated[
        str, typer.Option(metavar="PREFIX", help="topics that begin so", show_default=False)
    ] = "",
    only: Annotated[
        str,
        typer.Option(
            metavar="WEIGHT",
            help="rows that weigh so: breaking, behaviour, data, text, or several with commas",
            show_default=False,
        ),
    ] = "",
    is_brief: Annotated[bool, typer.Option("--brief", help="one page")] = False,
    is_full: Annotated[
        bool, typer.Option("--full", help="all there is: ids, rules in full, what has no effect")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="table, markdown, json or html")
    ] = "table",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="write to a file", show_default=False),
    ] = None,
    language: Language = "en",
    is_witnessed: Annotated[
        bool | None,
        typer.Option(
            "--witness/--no-witness",
            help="for every row that matters a board on which it shows; a page has them anyway",
            show_default=False,
        ),
    ] = None,
    save_witness: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="write these boards as scenarios", show_default=False),
    ] = None,
    is_fresh: Annotated[
        bool, typer.Option("--no-cache", help="look for boards anew, and keep none")
    ] = False,
) -> None:
    """Lay editions or games side by side: topics, turn, values, rules, tiles.

    With [bold]--witness[/bold] the scenarios of both sides are run under both, and games are played
    in step, until each row that changes the game has a board on which the two play differently.

    \b
    Examples:
      tilewright compare c2/base house/no-joining-of-rivals
      tilewright compare c2/base ./my-rules --brief
      tilewright compare c2/base house/no-joining-of-rivals --format markdown > differences.md
      tilewright compare c2/base house/no-joining-of-rivals --format html --out differences.html
      tilewright compare c2/base c2/base+./my-rules --witness
    """
    one_of("the format", form, FORMS)
    one_of("the language", language, LANGUAGES)
    weights = {one_of("the weight", word.strip(), WEIGHTS) for word in only.split(",") if only}
    if len(games) < 2:
        hint = "`tilewright show ruleset ID` shows one alone"
        raise Stop(USAGE, "a comparison needs two rulesets or more", hint)
    if out is not None and form == "table":
        raise Stop(USAGE, "a table is for the screen", "`--out` goes with `--format html`")
    if is_brief and is_full:
        raise Stop(USAGE, "a page is `--brief` or `--full`, not both")
    from tilewright.tools.comparison.compare import CannotCompareError, compare_texts, narrowed

    library, texts = games_asked(games, with_)
    try:
        found = compare_texts(texts, library)
    except CannotCompareError as refused:
        raise refuse(refused.diagnostics) from None

    if topic:
        _known_topic(topic, [row.topic for row in found.topic_rows()], "of these games")
    if topic or weights:
        found = narrowed(found, topic, weights)
    witnesses = None
    # a page that is read at leisure has them unless nobody wants them
    if (form == "html" if is_witnessed is None else is_witnessed) or save_witness is not None:
        from tilewright.cli.views.witness import found_witnesses, saved_witnesses

        witnesses = found_witnesses(found, library, is_fresh=is_fresh)
        if save_witness is not None:
            saved_witnesses(witnesses, save_witness)
    if form == "html":
        from tilewright.tools.reports.comparison_page import page_of

        put(page_of(found, library, witnesses=witnesses or (), language=language), out, form)
        return
    from tilewright.render.comparison.phrases import Length

    length = Length.BRIEF if is_brief else Length.FULL if is_full or topic else Length.USUAL
    if form == "table":
        from tilewright.cli.views.comparison import print_comparison

        print_comparison(
            found, console(), language=language, length=length, witnesses=witnesses or ()
        )
        if witnesses is not None:
            from tilewright.cli.views.witness import print_witnesses

            print_witnesses(witnesses, found, library, language)
    else:
        put(_text(found, form, language, length, witnesses), out, form)


def _known_topic(prefix: str, topics: Iterable[str], whose: str) -> None:
    """Nothing, or the end of the run when no topic begins so."""
    from tilewright.source.diagnostics import did_you_mean

    parts = [topic.split(".") for topic in topics]
    known = {".".join(words[:size]) for words in parts for size in range(1, len(words) + 1)}
    if prefix.rstrip(".") in known:
        return
    near = did_you_mean(prefix, sorted(known))
    hint = "" if near else f"there are {', '.join(sorted({words[0] for words in parts}))}"
    raise Stop(USAGE, f"no topic {whose} begins with `{prefix}`{near}", hint)


def _text(
    found: Comparison,
    form: str,
    language: str,
    length: Length,
    witnesses: Sequence[Witnesses] | None = None,
) -> str:
    """A comparison in one of the forms that are made of its rows alone."""
    from tilewright.render.comparison.export import as_json, as_markdown

    if form == "json":
        return as_json(found, witnesses)
    return as_markdown(found, language=language, length=length, witnesses=witnesses or ())


def complete_topic(incomplete: str) -> list[str]:
    """Topics that begin so."""
    from tilewright.reading.library import Library
    from tilewright.tools.comparison.timeline import topics_of

    return [topic for topic in topics_of(Library()) if topic.startswith(incomplete)]


def history(
    topic: Annotated[
        str,
        typer.Argument(
            help="a topic, or how several begin: `scoring`", autocompletion=complete_topic
        ),
    ],
    rulesets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULESET]...",
            help="go through these rulesets only",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ] = None,
    with_: With = None,
    is_printed_only: Annotated[
        bool, typer.Option("--printed", help="without house rules and variants")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="table, markdown or json")
    ] = "table",
    language: Language = "en",
) -> None:
    """Tell what became of a topic through the editions there are, and which house rules touch it.

    \b
    Examples:
      tilewright history turn.draw
      tilewright history scoring --printed
      tilewright history scoring ./my-rules c2/base --format markdown
    """
    from tilewright.render.comparison.history import history_json, history_markdown
    from tilewright.tools.comparison.timeline import histories, topics_of

    one_of("the format", form, ("table", "markdown", "json"))
    one_of("the language", language, LANGUAGES)
    asked = rulesets_asked(rulesets, with_) if rulesets else None
    library = asked[0] if asked else library_for(with_)
    within = asked[1] if asked else library.ids()
    _known_topic(topic, topics_of(library), "of any ruleset")
    with progress("editions", None) as step:
        found = histories(topic, library, within, step, is_printed_only=is_printed_only)
    if form == "json":
        say(history_json(found))
    elif form == "markdown":
        say(history_markdown(found, language))
    else:
        from tilewright.cli.views.history import print_history

        print_history(found, console(), language=language)


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="where the pages go")],
    with_: With = None,
    only: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="pages whose name holds this, and no index", show_default=False
        ),
    ] = "",
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="html or markdown")
    ] = "html",
    language: Language = "en",
    is_witnessed: Annotated[
        bool, typer.Option("--witness", help="with boards on which it shows; that takes long")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="write this page, and name all others in the index without a link",
            show_default=False,
        ),
    ] = None,
    is_fresh: Annotated[
        bool, typer.Option("--no-cache", help="make every page anew, and keep none")
    ] = False,
) -> None:
    """Write comparisons into a folder: editions of each expansion, each house rule and its base.

    A gallery that was interrupted goes on where it was, and only what has changed is made anew.

    \b
    Examples:
      tilewright gallery ./gallery
      tilewright gallery ./gallery --only base --lang pl
      tilewright gallery ./gallery --with ./my-rules
    """
    from tilewright.render.comparison.export import as_markdown
    from tilewright.render.comparison.gallery import index_html, index_markdown
    from tilewright.source.files import write_whole
    from tilewright.tools.reports.comparison_page import page_of
    from tilewright.tools.reports.gallery import Gallery, pairs
    from tilewright.tools.witness.storage import kept_witnesses
    from tilewright.tools.workspace.cache import user_cache

    one_of("the format", form, ("html", "markdown"))
    one_of("the language", language, LANGUAGES)
    library = library_for(with_)
    found = pairs(library)
    todo = [pair for pair in found if only in pair.name]
    if not todo:
        from tilewright.source.diagnostics import did_you_mean

        message = f"no page of the gallery has a name that holds `{only}`"
        raise Stop(USAGE, message + did_you_mean(only, [pair.name for pair in found]))

    for name in keep or ():
        one_of("the page", name, [pair.name for pair in todo])
    kept = user_cache(is_wanted=not is_fresh)

    def draw(compared: Comparison) -> str:
        boards = kept_witnesses(compared, library, kept, lambda *_: None) if is_witnessed else ()
        if form == "html":
            return page_of(compared, library, witnesses=boards, language=language)
        return as_markdown(compared, language=language, witnesses=boards)

    ending = "html" if form == "html" else "md"
    painter = Gallery(library, draw, ending, f"{form} {language} {is_witnessed}", kept)
    hung = []
    with writing(folder), progress("pages", len(todo)) as step:
        folder.mkdir(parents=True, exist_ok=True)
        for number, pair in enumerate(todo, 1):
            page, each = painter.page(pair)
            if keep and pair.name not in keep:
                each = replace(each, file="", size=0)
            hung.append(each)
            if each.file:
                write_whole(folder / each.file, page)
            step(number)
        if not only:
            write_whole(folder / "index.md", index_markdown(hung, language))
        if form == "html" and not only:
            write_whole(folder / "index.html", index_html(hung, language))
    size = sum(each.size for each in hung)
    say(f"{folder}: {len(hung)} pages, {size // 1024} kB")
