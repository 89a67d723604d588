"""`fmt --upgrade` lets rules and steps name their neighbours instead of lines of `order`."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from support.paths import TABLE
from support.ruleset_cases import files_of
from tilewright.faces.cli.app import run
from tilewright.rules.reading.library import Library
from tilewright.tools.formatting import upgrade
from tilewright.tools.workspace.loading import load_game

HEAD = "# yaml-language-server: $schema=../../../../schemas/rules.schema.json\n"
FIRST = """\
# trial/first/rules/own.yaml
steps:
  gift: {phase: turn, after: [put_figure], before: [tally], label: a gift}
  thanks: {phase: turn, after: [put_figure], before: [tally], label: thanks}
memory:
  seen: {type: number, per: game}
definitions:
  luck: {parameters: {p: player}, type: number, combine: one, default: 0, says: the luck}
rules:
  - {id: first.rule, on: step gift, do: award seen to active}
  - id: first.more
    on: step gift
    # a word about effects
    do: award 1 to active
  - {id: first.luck, amend: luck(p), value: 1}
"""
OTHERS = "".join(
    f"""\
# trial/{name}/module.yaml
id: trial/{name}
kind: expansion
title: {name}
requires: {{base: trial/table, first: trial/first}}
provides: [{name}]
# trial/{name}/rules/own.yaml
steps:
  {name}_step: {{phase: turn, after: [put_figure], before: [tally], label: a step}}
rules:
  - {{id: {name}.rule, on: step gift, do: set seen = {value}}}
  - {{id: {name}.luck, amend: luck(p), value: {value}}}
"""
    for name, value in (("second", 2), ("third", 3))
)
MODULE = """\
# trial/first/module.yaml
id: trial/first
kind: expansion
title: first
requires: {base: trial/table}
provides: [first]
"""
GAMES = ("first", "second", "third", "second+trial/third")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    copytree(TABLE, tmp_path / "trial" / "table")
    write(tmp_path, MODULE + FIRST + OTHERS)
    return tmp_path


def write(root: Path, text: str) -> None:
    for name, content in files_of(text).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content.split("\n", 1)[1])


def with_order(root: Path, with_: str, *lines: str, name: str = "with-second") -> Path:
    """A file that holds nothing but an order, as rulesets had many."""
    path = root / "trial" / "first" / "rules" / f"{name}.yaml"
    rows = "".join(f"  - [{line}{'' if ']' in line else ']'}\n" for line in lines)
    path.write_text(f"{HEAD}# What the order is for.\nwith: [{with_}]\n\norder:\n{rows}")
    return path


def hashes(root: Path) -> dict[str, str]:
    found = {}
    for game in GAMES:
        linked, reporter = load_game(f"trial/{game}", {}, Library([root]))
        wrong = sorted(d.code for d in reporter.diagnostics if d.severity == "error")
        found[game] = linked.make_content().hash if linked and not wrong else str(wrong)
    return found


def upgraded(root: Path, capsys, *options: str) -> str:
    run(["fmt", "--upgrade", *options, str(root)])
    return capsys.readouterr().err


def own(root: Path) -> str:
    return (root / "trial" / "first" / "rules" / "own.yaml").read_text()


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("second.rule, first.rule", 'on: step gift, after: ["second.rule?"]'),
        ("first.rule, second.rule", 'on: step gift, before: ["second.rule?"]'),
        ("second_step, thanks", 'after: [put_figure, "second_step?"], before: [tally]'),
        ("thanks, second_step", 'after: [put_figure], before: [tally, "second_step?"]'),
        ("first.luck, second.luck", 'amend: luck(p), over: ["second.luck?"]'),
        ("first.more, first.rule", "on: step gift, after: [first.more]"),
    ],
)
def test_a_line_becomes_a_neighbour_of_its_own_rule(
    line: str, written: str, root: Path, capsys
) -> None:
    file = with_order(root, "second", line)
    if line == "first.more, first.rule":
        file.write_text(file.read_text().replace("with: [second]\n", ""))
    before = hashes(root)
    assert "TW943" not in upgraded(root, capsys)
    lines = [row.strip() for row in own(root).splitlines()]
    assert "# What the order is for." in lines
    together = " ".join(own(root).split())
    for word in written.replace("[", " ").replace("]", " ").replace(",", " ").split():
        assert word.strip('"') in together
    assert not file.exists() and hashes(root) == before
    assert run(["fmt", "--check", str(root / "trial" / "first" / "rules" / "own.yaml")]) == 0
    assert "0 changed" in upgraded(root, capsys)


def test_a_line_that_stays_is_shown_as_it_was_before_the_others_went(root: Path, capsys) -> None:
    with_order(root, "second", "first.rule, second.rule", "second.rule, third.rule")
    errors = upgraded(root, capsys)
    assert "rewrote" in errors and "  - [second.rule, third.rule]" in errors


def test_comments_of_a_line_go_with_it(root: Path, capsys) -> None:
    with_order(root, "second", "second.rule, first.rule]  # beside", "first.more, second.rule")
    upgraded(root, capsys)
    text = own(root)
    assert text.index("# What the order is for.") < text.index("# a word about effects")
    assert all(text.count(each) == 1 for each in ("# beside", "# a word about effects"))
    assert 'before: ["second.rule?"]' in text and HEAD not in text


@pytest.mark.parametrize(
    ("with_", "line", "reason"),
    [
        ("second, third", "second.rule, third.rule", "both are of others"),
        ("second, third", "second.rule, first.rule", "may be together without `third`"),
        ("second", "second.luck, first.luck", "no rule of this ruleset alone has a key"),
        ("second", "unknown.rule, first.rule", "no ruleset here declares `unknown.rule`"),
    ],
)
def test_a_line_that_would_mean_something_else_stays_with_its_reason(
    with_: str, line: str, reason: str, root: Path, capsys
) -> None:
    file = with_order(root, with_, line)
    before = file.read_text(), own(root), hashes(root)
    errors = upgraded(root, capsys)
    assert "TW943" in errors and reason in errors
    assert ("name the folder of its ruleset" in errors) is ("no ruleset here" in reason)
    assert (file.read_text(), own(root), hashes(root)) == before


def test_lines_for_alternatives_move_together(root: Path, capsys) -> None:
    for name in ("second", "third"):
        path = root / "trial" / name / "rules" / "own.yaml"
        path.write_text(
            path.read_text() + "  - {id: other.rule, on: step gift, do: set seen = 7}\n"
        )
        with_order(root, name, "other.rule, first.rule", name=f"with-{name}")
    before = hashes(root)
    assert "TW943" not in upgraded(root, capsys)
    assert own(root).count("other.rule?") == 1 and hashes(root) == before


def test_a_neighbour_that_may_be_left_out_hands_on_no_order(root: Path, capsys) -> None:
    """A rule that an option leaves out is replaced by those that it names."""
    path = root / "trial" / "second" / "rules" / "own.yaml"
    path.write_text(
        path.read_text()
        + "  - {id: maybe.rule, on: step gift, with: [third], after: [second.rule],"
        + " do: set seen = 7}\n"
    )
    with_order(root, "second", "maybe.rule, first.rule")
    assert "`maybe.rule` may be left out, and names others" in upgraded(root, capsys)


def test_a_file_with_an_error_keeps_its_order(root: Path, capsys) -> None:
    file = with_order(root, "second", "second.rule, first.rule")
    path = root / "trial" / "first" / "rules" / "own.yaml"
    path.write_text(own(root).replace("do: award 1 to active", "do: award 1 to }"))
    before = own(root)
    errors = upgraded(root, capsys)
    assert "TW945" in errors and file.exists() and own(root) == before


def test_check_and_diff_show_removed_files(root: Path, capsys) -> None:
    file = with_order(root, "second", "second.rule, first.rule")
    errors = upgraded(root, capsys, "--check")
    assert f"would remove {file}" in errors and "would rewrite" in errors
    run(["fmt", "--upgrade", "--diff", str(root)])
    assert f"remove {file}\n--- a/" in capsys.readouterr().out
    assert file.exists()


def test_a_failing_removal_undoes_all(root: Path, monkeypatch) -> None:
    file = with_order(root, "second", "second.rule, first.rule")
    write(root, "# trial/first/module.yaml\n" + MODULE.split("\n", 1)[1].replace(
        "title: first", "title: {en: first, uk: перше}"))  # fmt: skip
    before = {p: p.read_text() for p in root.rglob("*") if p.is_file()}
    remove = Path.unlink

    def failing(path: Path, missing_ok: bool = False) -> None:
        if path == file:
            raise OSError(13, "Permission denied")
        remove(path, missing_ok=missing_ok)

    monkeypatch.setattr(upgrade.Path, "unlink", failing)
    assert run(["fmt", "--upgrade", str(root)]) != 0
    assert {p: p.read_text() for p in root.rglob("*") if p.is_file()} == before
    assert not (root / "trial" / "first" / "locale").exists()
