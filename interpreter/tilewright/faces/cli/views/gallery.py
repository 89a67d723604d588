"""`compare --all`: a folder of comparison pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tilewright.faces.cli.arguments import library_for, one_of
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import say, writing
from tilewright.faces.cli.progress import progress
from tilewright.language.locale.words import Words


def write_gallery(
    folder: Path,
    with_: Iterable[Path] | None,
    only: str,
    form: str,
    language: str,
    is_witnessed: bool,
    keep: Sequence[str] | None,
    *,
    is_fresh: bool,
) -> None:
    """Write a page for each pair of editions and each house rule, and an index without `only`.

    With `keep`, only these pages are written, and the index lists the others without a link.
    """
    from tilewright.faces.cli.written_files import write_result
    from tilewright.tools.reports.comparison_page import Request
    from tilewright.tools.reports.gallery import Gallery, pairs
    from tilewright.tools.workspace.cache import user_cache
    from tilewright.view.comparison.gallery import index_html, index_markdown

    library = library_for(with_)
    words = Words(language)
    with progress(words("progress.finding_pairs"), language=words.language):
        found = pairs(library)
    todo = [pair for pair in found if only in pair.name]
    if not todo:
        from tilewright.language.source.diagnostics import did_you_mean

        message = f"`--only`: no page of the gallery has a name that contains `{only}`"
        raise Stop(USAGE, message + did_you_mean(only, [pair.name for pair in found]))

    for name in keep or ():
        one_of("`--keep`", name, [pair.name for pair in todo])
    request = Request((), form, language, has_boards=is_witnessed)
    painter = Gallery(library, request, user_cache(is_wanted=not is_fresh))
    pages = []
    with (
        writing(folder),
        progress(words("progress.pages"), len(todo), language=words.language) as step,
    ):
        folder.mkdir(parents=True, exist_ok=True)
        for number, pair in enumerate(todo):
            step(number, len(todo), pair.name)
            page, each = painter.page(pair)
            if keep and pair.name not in keep:
                each = replace(each, file="", size=0)
            pages.append(each)
            if each.file:
                write_result(folder / each.file, page, form)
        if not only:
            write_result(folder / "index.md", index_markdown(pages, language), "markdown")
        if form == "html" and not only:
            write_result(folder / "index.html", index_html(pages, language), "html")
    size = sum(each.size for each in pages)
    say(f"{folder}: {len(pages)} page{'s' * (len(pages) != 1)}, {size // 1024} kB")
