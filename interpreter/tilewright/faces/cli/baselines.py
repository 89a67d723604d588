"""Baselines on the command line: read, write and compare known findings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.faces.cli.exit_codes import UNREADABLE, Stop
from tilewright.faces.cli.output import mention, writing

if TYPE_CHECKING:
    from tilewright.language.source.diagnostics import Diagnostic
    from tilewright.rules.reading.library import Library
    from tilewright.tools.checking.suppressions import Known

#: known findings that are listed when they are gone; of more only the number is printed
_MAX_GONE = 10


def known_findings(path: Path) -> tuple[Known, ...]:
    """The findings in a baseline; raises `Stop` for an unreadable one."""
    from tilewright.tools.checking.suppressions import BaselineError, read_baseline

    try:
        return read_baseline(path)
    except BaselineError as error:
        hint = f"`tilewright check --write-baseline {path}` writes it"
        raise Stop(UNREADABLE, str(error), hint) from None


def keep_findings(path: Path, found: Sequence[Diagnostic]) -> None:
    """Write a baseline, and report it on standard error."""
    from tilewright.faces.cli.written_files import write_result
    from tilewright.tools.checking.suppressions import baseline_text

    with writing(path):
        write_result(path, baseline_text(found, path.parent), "baseline")
    mention(f"{_many(len(found))} written to `{path}`")


def new_findings(
    found: Sequence[Diagnostic],
    known: Sequence[Known],
    folder: Path,
    library: Library,
    ids: Sequence[str],
    since: str = "",
) -> tuple[Diagnostic, ...]:
    """The findings that are not in the baseline of a folder; the counts of others go to standard
    error. With `since` the known ones are those of a revision.
    """
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.tools.checking.suppressions import compared

    loaded = [library.load(id_, Reporter.discarding()) for id_ in ids]
    files = {file for ruleset in loaded if ruleset is not None for file in ruleset.files}
    both = compared(found, known, folder, files)
    where = f"at `{since}`" if since else "of the baseline"
    if known:
        mention(f"{_many(len(found) - len(both.new))} {where} left out")
    if both.gone:
        mention(f"{_many(len(both.gone))} {where} gone:")
        for each in both.gone[:_MAX_GONE]:
            mention(f"  {each}")
        if len(both.gone) > _MAX_GONE:
            mention(f"  and {len(both.gone) - _MAX_GONE} more")
        if not since:
            mention("`--write-baseline` updates it")
    return both.new


def _many(count: int) -> str:
    return "1 finding" if count == 1 else f"{count} findings"
