"""The verb `gallery`: a folder of comparison pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
    Language,
    With,
    format_option,
    library_for,
    one_of,
)
from tilewright.cli.exit_codes import USAGE, Stop
from tilewright.cli.output import progress, say, writing

if TYPE_CHECKING:
    from tilewright.results.comparison import Comparison


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="folder for the pages")],
    with_: With = None,
    only: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="only pages whose name contains TEXT, without an index",
            show_default=False,
        ),
    ] = "",
    form: Annotated[str, format_option("html", "markdown")] = "html",
    language: Language = "en",
    is_witnessed: Annotated[
        bool, typer.Option("--witness", help="find example boards; this takes long")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="write only this page; the index lists all others without a link; repeatable",
            show_default=False,
        ),
    ] = None,
    is_fresh: Annotated[
        bool, typer.Option("--no-cache", help="neither read nor write the cache")
    ] = False,
) -> None:
    """Write comparison pages: editions of each expansion, each house rule and its base.

    Pages are cached: an interrupted run continues where it stopped, and only changed pages are made
    again.

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

    library = library_for(with_)
    found = pairs(library)
    todo = [pair for pair in found if only in pair.name]
    if not todo:
        from tilewright.source.diagnostics import did_you_mean

        message = f"no page of the gallery has a name that contains `{only}`"
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
    pages = []
    with writing(folder), progress("pages", len(todo)) as step:
        folder.mkdir(parents=True, exist_ok=True)
        for number, pair in enumerate(todo, 1):
            page, each = painter.page(pair)
            if keep and pair.name not in keep:
                each = replace(each, file="", size=0)
            pages.append(each)
            if each.file:
                write_whole(folder / each.file, page)
            step(number)
        if not only:
            write_whole(folder / "index.md", index_markdown(pages, language))
        if form == "html" and not only:
            write_whole(folder / "index.html", index_html(pages, language))
    size = sum(each.size for each in pages)
    say(f"{folder}: {len(pages)} pages, {size // 1024} kB")
