"""Known findings on the command line: read, kept, and told when they are gone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.cli.exit_codes import UNREADABLE, Stop
from tilewright.cli.output import mention

if TYPE_CHECKING:
    from tilewright.reading.library import Library
    from tilewright.source.diagnostics import Diagnostic
    from tilewright.tools.checking.baseline import Known

#: known findings that are named when they are gone; of more only the number is told
_MAX_GONE = 10


def known_findings(path: Path) -> tuple[Known, ...]:
    """What a baseline holds, or the end of the run."""
    from tilewright.tools.checking.baseline import BaselineError, read_baseline

    try:
        return read_baseline(path)
    except BaselineError as error:
        hint = f"`tilewright check --write-baseline {path}` writes it"
        raise Stop(UNREADABLE, str(error), hint) from None


def keep_findings(path: Path, found: Sequence[Diagnostic]) -> None:
    """Write a baseline, and say so."""
    from tilewright.tools.checking.baseline import write_baseline

    write_baseline(path, found)
    mention(f"{_many(len(found))} kept in `{path}`")


def new_findings(
    found: Sequence[Diagnostic], known: Sequence[Known], library: Library, ids: Sequence[str]
) -> tuple[Diagnostic, ...]:
    """What is not known yet; beside the answer it is told what is known and what is gone."""
    from tilewright.source.diagnostics import Reporter
    from tilewright.tools.checking.baseline import compared

    loaded = [library.load(id_, Reporter.discarding()) for id_ in ids]
    files = {file for ruleset in loaded if ruleset is not None for file in ruleset.files}
    both = compared(found, known, files)
    if known:
        mention(f"{_many(len(found) - len(both.new))} of the baseline not told again")
    if both.gone:
        mention(f"{_many(len(both.gone))} of the baseline gone:")
        for each in both.gone[:_MAX_GONE]:
            mention(f"  {each}")
        if len(both.gone) > _MAX_GONE:
            mention(f"  and {len(both.gone) - _MAX_GONE} more")
        mention("`--write-baseline` writes it anew")
    return both.new


def _many(count: int) -> str:
    return "1 finding" if count == 1 else f"{count} findings"
