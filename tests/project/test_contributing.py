"""The page for contributors lists every file with slow tests, and no other."""

from __future__ import annotations

import re

from support.paths import ROOT, TESTS


def test_every_file_with_slow_tests_is_listed_with_a_reason() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| `(tests/\S+\.py)` \|(.+)\|$", page, re.MULTILINE)
    assert all(all(cell.strip() for cell in row.split("|")) for _, row in rows)
    marked = {
        path.relative_to(ROOT).as_posix()
        for path in TESTS.rglob("test_*.py")
        if re.search(r"mark\.slow|slow_unless\(", path.read_text("utf-8"))
    }
    assert {name for name, _ in rows} == marked - {"tests/project/test_contributing.py"}
