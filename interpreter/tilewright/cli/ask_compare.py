"""The verb `compare`: games side by side, on paper of several kinds.

A form is a function from what was found to a text; the terminal's page is printed instead, since it
knows how wide it is. Nothing is compared or drawn here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.asked import (
    LANGUAGES,
    Language,
    With,
    complete_ruleset,
    games_asked,
    one_of,
)
from tilewright.cli.endings import USAGE, Stop
from tilewright.cli.say import console, put, refuse

if TYPE_CHECKING:
    from tilewright.model.comparison import Comparison

#: the forms in which a comparison is told; one more is a row here and a branch in `_tell`
FORMS = ("table", "markdown", "json", "html")
WEIGHTS = ("breaking", "behaviour", "data", "text")


def register(app: typer.Typer) -> None:
    """Put this verb on the command line."""
    app.command("compare")(compare)


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
    is_brief: Annotated[bool, typer.Option("--brief", help="fold what has no effect")] = False,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="table, markdown, json or html")
    ] = "table",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="write to a file", show_default=False),
    ] = None,
    language: Language = "en",
) -> None:
    """Lay editions or games side by side: topics, turn, values, rules, tiles.

    \b
    Examples:
      tilewright compare c2/base c3/base
      tilewright compare c2/base ./my-rules --brief
      tilewright compare c2/base c3/base --format markdown > differences.md
      tilewright compare c2/base c3/base --format html --out page.html
    """
    one_of("the format", form, FORMS)
    one_of("the language", language, LANGUAGES)
    weights = {one_of("the weight", word.strip(), WEIGHTS) for word in only.split(",") if only}
    if out is not None and form == "table":
        raise Stop(USAGE, "a table is for the screen: add `--format html` or another form")
    if len(games) < 2:
        hint = "`tilewright show ruleset ID` shows one alone"
        raise Stop(USAGE, "a comparison needs two rulesets or more", hint)
    from tilewright.tools.compare import CannotCompareError, compare_texts, narrowed

    library, texts = games_asked(games, with_)
    try:
        found = compare_texts(texts, library)
    except CannotCompareError as refused:
        raise refuse(refused.diagnostics) from None

    if topic:
        _known_topic(topic, found)
    if topic or weights:
        found = narrowed(found, topic, weights)
    if form == "html":
        from tilewright.tools.page import page_of

        put(page_of(found, library, language=language), out, form)
        return
    _tell(found, form, language, is_brief, out)


def _known_topic(prefix: str, found: Comparison) -> None:
    """Nothing, or the end of the run when no topic begins so."""
    from tilewright.source.diagnostics import did_you_mean

    topics = [row.topic for row in found.topic_rows()]
    parts = [topic.split(".") for topic in topics]
    known = {".".join(words[:size]) for words in parts for size in range(1, len(words) + 1)}
    if prefix.rstrip(".") in known:
        return
    near = did_you_mean(prefix, sorted(known))
    hint = "" if near else f"there are {', '.join(sorted({words[0] for words in parts}))}"
    raise Stop(USAGE, f"no topic of these games begins with `{prefix}`{near}", hint)


def _tell(found: Comparison, form: str, language: str, is_brief: bool, out: Path | None) -> None:
    """Put a comparison where answers go, in one of the forms."""
    if form == "json":
        from tilewright.render.tables import as_json

        put(as_json(found), out, form)
    elif form == "markdown":
        from tilewright.render.tables import as_markdown

        put(as_markdown(found, language=language, brief=is_brief), out, form)
    else:
        from tilewright.cli.compared import print_comparison

        print_comparison(found, console(), language=language, brief=is_brief)
