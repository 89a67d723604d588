"""While a line is half written, its own error is shown alone and the rest stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.overlays import RULES, workspace
from tilewright.tools.editor.live_diagnostics import Inspection

#: a second file, whose names the first one declares
USE = """\
rules:
  - id: trial.use
    from: [trial-town]
    on: step score_features
    do: |
      set trial.visited = laid
      award trial.points to active
      for f in features { if is_small(f) { trial_pay(f) } }
"""
STEP = "set trial.visited = laid"


class Author:
    """An author who types into the file of rules, and what the editor shows."""

    def __init__(self, folder: Path) -> None:
        self.path = workspace(folder)
        self.other = self.path.with_name("use.yaml")
        self.other.write_text(USE, encoding="utf-8")
        self.inspection = Inspection([folder])
        self.inspection.write(self.other, USE)
        self.type(RULES)

    def type(self, text: str) -> None:
        self.inspection.write(self.path, text)
        self.look()

    def save(self) -> None:
        self.inspection.touch(self.path)
        self.look()

    def look(self) -> None:
        while self.inspection.is_due:
            self.inspection.look()
            self.inspection.next()

    def shown(self) -> list[tuple[str, str, int]]:
        found = self.inspection.diagnostics()
        each = [(path.name, d.code, d.span.line) for path, of in found.items() for d in of]
        return sorted(each)


@pytest.fixture
def author(tmp_path: Path) -> Author:
    return Author(tmp_path)


@pytest.mark.parametrize(
    ("right", "half"),
    [
        ("trial.points: {type: number", "trial.points: {type: number\n, is: [2"),
        ("memory:", "memor"),
        ("{x: feature}", "{x: feature"),
        ("announce shrunk(each_one)", "announce shrunk("),
        ("for each_one in completed_features {", "for each_one in completed_features "),
        ('procedure: "trial_pay(z: feature)"', "proc"),
        ('procedure: "trial_pay(z: feature)"', 'procedure: "trial_pay(z: fea'),
        ("  - id: trial.pay\n", "  - id: \n"),
        ("award trial.points to p", "award trial.points to pl"),
    ],
)
def test_a_half_written_line_has_its_own_error_and_none_follows(
    author: Author, right: str, half: str
) -> None:
    before = author.shown()
    assert before  # a warning that stays
    author.type(RULES.replace(right, half, 1))
    new = [each for each in author.shown() if each not in before]
    assert new and {name for name, *_ in new} == {"trial.yaml"}
    assert len({line for *_, line in new}) <= 2
    codes = [code for _, code, _ in before]
    assert [code for _, code, _ in author.shown() if code in codes] == codes
    author.type(RULES)
    assert author.shown() == before


@pytest.mark.parametrize("is_saved", [True, False])
def test_the_file_shows_what_check_reports_once_it_is_saved_or_another_line_changes(
    author: Author, is_saved: bool
) -> None:
    broken = RULES.replace("memory:", "memor", 1)
    before = author.shown()
    author.type(broken)
    assert author.shown() == sorted([*before, ("trial.yaml", "TW101", 4)])
    if is_saved:
        author.save()
    else:
        author.type(broken.replace("to: 3", "to: 4"))
    assert author.shown() == [("trial.yaml", "TW101", 4)]  # nothing else can be checked


def test_diagnostics_move_with_their_lines_while_they_wait(author: Author) -> None:
    line = next(line for name, _, line in author.shown() if name == "use.yaml")
    author.inspection.write(author.other, USE.replace("rules:\n", "rules:\n  - id: \n", 1))
    author.look()
    assert ("use.yaml", "TW604", line + 1) in author.shown()


def test_an_error_that_was_there_before_is_no_half_written_line(tmp_path: Path) -> None:
    path = workspace(tmp_path, RULES.replace("memory:", "memor"))
    inspection = Inspection([tmp_path])
    inspection.write(path, path.read_text(encoding="utf-8"))
    inspection.next()
    codes = {d.code for d in inspection.diagnostics()[path]}
    assert "TW101" in codes
