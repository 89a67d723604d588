"""The files of the project, in a clone and in an unpacked archive of its source."""

from __future__ import annotations

import subprocess
from functools import cache

from support.paths import ROOT

#: folders that tools write into
MADE = {"__pycache__", "target", "site", "dist", "build", ".venv", ".hypothesis"}
MADE |= {".pytest_cache", ".mypy_cache", ".ruff_cache"}
#: files that a build writes
BUILT = {".so", ".pyd"}


@cache
def project_files() -> tuple[str, ...]:
    """Their paths from the root, in order; in an archive without those that tools write there."""
    if (ROOT / ".git").exists():
        done = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return tuple(name for name in done.stdout.splitlines() if (ROOT / name).exists())
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    kept = (p for p in paths if not MADE & set(p.parts) and p.suffix not in BUILT)
    return tuple(sorted(path.as_posix() for path in kept))
