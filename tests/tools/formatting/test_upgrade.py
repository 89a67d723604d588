"""`fmt --upgrade`: old words become those of today; everything else stays as it was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilewright.cli.app import run
from tilewright.reading.library import Library
from tilewright.source.diagnostics import Reporter
from tilewright.tools.formatting import upgrade
from tilewright.tools.formatting.upgrade import upgraded
from tilewright.tools.workspace.loading import load_game

MODULE = """id: trial/old
kind: house
edition: c2
title: {en: old}
requires: {base: c2/base}
"""
PIECES = """# yaml-language-server: $schema=../../schemas/pieces.schema.json
attributes:   # the comment stays
  bells: {on: city, law: sum, label: {en: bell}}
"""
RULES = """definitions:
    luck:   {parameters: {who: player}, type: number,
             law: one, otherwise: 0, says: otherwise it is the law}   # law: one
rules:
  - id: trial.luck
    amend: luck(who)
    value: who.points
    says: do run() or remove f
  - {id: trial.run, procedure: run(), do: 'award luck(active) to active'}
  - id: trial.go
    on: step score_features
    after: [scoring.completed]
    do: |
      do run()   # do run() again
      for f in active.figures
      { remove f }   # remove f
      if land is empty { shuffle box
                         into land }
  - id: trial.once
    on: completed(x)
    do: do run()
"""
NEW_PIECES = PIECES.replace("pieces.schema", "components.schema").replace(
    "law: sum", "combine: sum"
)
NEW_RULES = (
    RULES.replace("law: one, otherwise: 0", "combine: one, default: 0")
    .replace("      do run()   #", "      run()   #")
    .replace("{ remove f }", "{ return f quietly }")
    .replace("shuffle box", "move all of box")
    .replace("do: do run()", "do: run()")
)


def rewritten(text: str, file: str) -> str:
    reporter = Reporter()
    found = upgraded(text, file, reporter)
    assert found is not None and not reporter.diagnostics
    return found


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ruleset written with old words."""
    folder = tmp_path / "trial" / "old"
    (folder / "rules").mkdir(parents=True)
    (folder / "module.yaml").write_text(MODULE)
    (folder / "pieces.yaml").write_text(PIECES)
    (folder / "rules" / "trial.yaml").write_text(RULES)
    return folder


def linked(folder: Path) -> Reporter:
    return load_game("trial/old", {}, Library([folder.parents[1]]))[1]


def texts(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*.yaml")}


OLD = {"module.yaml": MODULE, "pieces.yaml": PIECES, "rules/trial.yaml": RULES}
NEW = {"module.yaml": MODULE, "components.yaml": NEW_PIECES, "rules/trial.yaml": NEW_RULES}


def test_words_change_and_comments_layout_and_sentences_stay() -> None:
    assert rewritten(RULES, "rules/trial.yaml") == NEW_RULES
    assert rewritten(PIECES, "components.yaml") == NEW_PIECES


@pytest.mark.parametrize("text", [NEW_RULES, NEW_PIECES, MODULE])
def test_a_text_with_the_words_of_today_stays(text: str) -> None:
    assert rewritten(text, "rules/trial.yaml" if text == NEW_RULES else "x.yaml") == text


def test_line_ends_and_quotes_stay() -> None:
    text = 'rules:\r\n  - {id: a.b, on: "left(f)", do: "do run()"}\r\n'
    assert rewritten(text, "rules/x.yaml") == text.replace("do run", "run")
    assert rewritten("rules: [{do: 'remove f'}]\n", "rules/x.yaml") == (
        "rules: [{do: 'return f quietly'}]\n"
    )


def test_a_text_that_a_patch_expects_is_rewritten_too() -> None:
    text = 'patches:\n  - {id: a, remove: rule b, expect: "on step x: do run()"}\n'
    assert rewritten(text, "rules/x.yaml") == text.replace("do run", "run")


def test_a_text_that_cannot_be_read_is_left_and_told() -> None:
    reporter = Reporter()
    text = "rules:\n  - {id: a.b, on: left(f), do: 'remove f }'}\n  - {do: 'do run()'}\n"
    assert upgraded(text, "rules/x.yaml", reporter) == text.replace("do run", "run")
    assert [(d.code, d.span.line) for d in reporter.diagnostics] == [("TW941", 2)]


def test_a_folder_is_rewritten_once_and_then_it_links(old: Path, capsys) -> None:
    assert run(["fmt", "--upgrade", str(old)]) == 0
    assert texts(old) == NEW
    output = capsys.readouterr().err
    assert "pieces.yaml as components.yaml" in output and "3 files, 2 with old words" in output
    assert run(["fmt", "--upgrade", "--check", str(old)]) == 0
    assert texts(old) == NEW
    reporter = linked(old)
    assert not reporter.has_errors, [str(d) for d in reporter.diagnostics]


def test_check_and_diff_write_nothing(old: Path, capsys) -> None:
    assert run(["fmt", "--upgrade", "--check", str(old)]) == 1
    assert "would rewrite" in capsys.readouterr().err
    assert run(["fmt", "--upgrade", "--diff", str(old)]) == 0
    output = capsys.readouterr().out
    assert "rename " in output and "+      run()   # do run() again" in output
    assert run(["fmt", "--upgrade", "--diff", "--format", "json", str(old)]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [Path(row["target"]).name for row in rows] == ["components.yaml", "trial.yaml"]
    assert texts(old) == OLD


def test_nothing_is_written_when_one_file_cannot_be_read(old: Path, capsys) -> None:
    (old / "rules" / "more.yaml").write_text("rules: [\n")
    before = texts(old)
    assert run(["fmt", "--upgrade", str(old)]) == 1
    assert "no file was written" in capsys.readouterr().err
    assert texts(old) == before


def test_nothing_is_written_when_both_names_of_a_file_are_there(old: Path) -> None:
    (old / "components.yaml").write_text("figures: {}\n")
    before = texts(old)
    assert run(["fmt", "--upgrade", str(old)]) == 1
    assert texts(old) == before


def test_what_was_written_is_put_back_when_a_write_fails(old: Path, monkeypatch) -> None:
    write, count = upgrade.write_whole, 0

    def failing(path: Path, content: str) -> None:
        nonlocal count
        count += 1
        if count == 2:
            raise OSError(28, "No space left on device")
        write(path, content)

    monkeypatch.setattr(upgrade, "write_whole", failing)
    assert run(["fmt", "--upgrade", str(old)]) != 0
    assert texts(old) == OLD


def test_the_reader_names_the_new_words(old: Path) -> None:
    reporter = linked(old)
    found = {str(d.message): d for d in reporter.diagnostics}
    assert "`pieces.yaml` is an old name: the file is `components.yaml` now" in found
    combine = found["`law` is an old word: it is `combine` now"]
    assert (
        combine.code == "TW202" and combine.fix is not None and combine.fix.replacement == "combine"
    )
    assert "`otherwise` is an old word: it is `default` now" in found
    assert not any("needs the key" in message for message in found)


def test_the_checker_names_the_new_words_of_effects(old: Path) -> None:
    (old / "pieces.yaml").unlink()
    text = RULES.replace("law: one, otherwise: 0", "combine: one, default: 0")
    (old / "rules" / "trial.yaml").write_text(text)
    reporter = linked(old)
    assert {(d.code, d.message, d.hint) for d in reporter.diagnostics if d.severity == "error"} == {
        ("TW420", "`do` is an old word", "write `run()`"),
        ("TW420", "`remove` is an old word", "write `return f quietly`"),
        ("TW420", "`shuffle` is an old word", "write `move all of box into land`"),
    }
