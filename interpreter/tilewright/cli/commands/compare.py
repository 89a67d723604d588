"""The verb `compare`: games side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
    IMPACTS,
    Language,
    With,
    complete_ruleset,
    format_option,
    games_from,
    known_topic,
    one_of,
)
from tilewright.cli.exit_codes import USAGE, Stop
from tilewright.cli.output import console, put, refuse

if TYPE_CHECKING:
    from tilewright.render.comparison.phrases import Length
    from tilewright.results.comparison import Comparison
    from tilewright.results.divergence import Witnesses


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
        str,
        typer.Option(
            metavar="PREFIX", help="only topics that start with PREFIX", show_default=False
        ),
    ] = "",
    only: Annotated[
        str,
        typer.Option(
            metavar="IMPACT",
            help="only rows with this impact: breaking, behaviour, data or text; several with "
            "commas",
            show_default=False,
        ),
    ] = "",
    is_brief: Annotated[bool, typer.Option("--brief", help="only the summary, one page")] = False,
    is_full: Annotated[
        bool,
        typer.Option("--full", help="everything: ids, rules in full, differences without effect"),
    ] = False,
    form: Annotated[str, format_option("table", "markdown", "json", "html")] = "table",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="write to a file", show_default=False),
    ] = None,
    language: Language = "en",
    is_witnessed: Annotated[
        bool | None,
        typer.Option(
            "--witness/--no-witness",
            help="find an example board for each row that affects play; always on for HTML",
            show_default=False,
        ),
    ] = None,
    save_witness: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="write the example boards as scenarios", show_default=False
        ),
    ] = None,
    is_fresh: Annotated[
        bool, typer.Option("--no-cache", help="neither read nor write the cache")
    ] = False,
) -> None:
    """Compare editions or games side by side: topics, turn, values, rules, tiles.

    [bold]--witness[/bold] runs the scenarios of each side under the rules of both, and plays games
    in lockstep, to find a board on which the two play differently for each row that changes play.

    \b
    Examples:
      tilewright compare c2/base house/no-joining-of-rivals
      tilewright compare c2/base ./my-rules --brief
      tilewright compare c2/base house/no-joining-of-rivals --format markdown > differences.md
      tilewright compare c2/base house/no-joining-of-rivals --format html --out differences.html
      tilewright compare c2/base c2/base+./my-rules --witness
    """
    impacts = {one_of("the impact", word.strip(), IMPACTS) for word in only.split(",") if only}
    if len(games) < 2:
        hint = "`tilewright show ruleset ID` shows a single ruleset"
        raise Stop(USAGE, "a comparison needs two rulesets or more", hint)
    if out is not None and form == "table":
        raise Stop(USAGE, "`--out` needs `--format html`, `markdown` or `json`")
    if is_brief and is_full:
        raise Stop(USAGE, "`--brief` and `--full` exclude each other")
    from tilewright.tools.comparison.compare import CannotCompareError, compare_texts, narrowed

    library, texts = games_from(games, with_)
    try:
        found = compare_texts(texts, library)
    except CannotCompareError as refused:
        raise refuse(refused.diagnostics) from None

    if topic:
        known_topic(topic, [row.topic for row in found.topic_rows()], "of these games")
    if topic or impacts:
        found = narrowed(found, topic, impacts)
    witnesses = None
    # an HTML page has boards unless `--no-witness` is given
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


def _text(
    found: Comparison,
    form: str,
    language: str,
    length: Length,
    witnesses: Sequence[Witnesses] | None = None,
) -> str:
    """A comparison as JSON or Markdown."""
    from tilewright.render.comparison.export import as_json, as_markdown

    if form == "json":
        return as_json(found, witnesses)
    return as_markdown(found, language=language, length=length, witnesses=witnesses or ())
