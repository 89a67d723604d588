"""`fmt --upgrade`: old words become those of today; everything else stays as it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.paths import ROOT
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.old_words import old_words
from tilewright.rules.reading.library import Library
from tilewright.tools.formatting import upgrade
from tilewright.tools.formatting.upgrade import upgrade_file, upgraded
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
#: a whole folder has its texts in one language too, and the files with these in canonical form
NEW = {
    "module.yaml": MODULE.replace("{en: old}", "old"),
    "components.yaml": NEW_PIECES.replace("{en: bell}", "bell").replace(
        "attributes:   #", "attributes:  #"
    ),
    "rules/trial.yaml": NEW_RULES,
}


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
    assert "pieces.yaml as components.yaml" in output and "3 files, 3 changed" in output
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
    assert [Path(row["target"]).name for row in rows] == [
        "module.yaml", "components.yaml", "trial.yaml",
    ]  # fmt: skip
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


# ------------------------------------------------------------------ the list of old words

#: by old word: a file, a text with the word, and the text that the upgrade makes of it
WORDS = {
    "law": ("rules/x.yaml", "definitions: {d: {law: sum}}\n", "definitions: {d: {combine: sum}}\n"),
    "otherwise": (
        "rules/x.yaml", "definitions: {d: {otherwise: 1}}\n", "definitions: {d: {default: 1}}\n",
    ),
    "tags": ("tiles.yaml", "tiles: [{tags: [tunnel]}]\n", "tiles: [{crosses: under}]\n"),
    "pieces.yaml": ("pieces.yaml", "figures: {}\n", "figures: {}\n"),
    "pieces": ("module.yaml", "parts: {a/b: [pieces]}\n", "parts: {a/b: [components]}\n"),
    "do": ("rules/x.yaml", "rules: [{do: do f(x)}]\n", "rules: [{do: f(x)}]\n"),
    "remove": ("rules/x.yaml", "rules: [{do: remove f}]\n", "rules: [{do: return f quietly}]\n"),
    "shuffle": (
        "rules/x.yaml", "rules: [{do: shuffle a into b}]\n",
        "rules: [{do: move all of a into b}]\n",
    ),
    "house/mercy-for-the-hindmost": (
        "module.yaml", "requires: {mercy: house/mercy-for-the-hindmost}\n",
        "requires: {mercy: house/mercy-for-the-last}\n",
    ),
    "house/turns-to-the-hindmost": (
        "module.yaml", "requires: {house/turns-to-the-hindmost: house/turns-to-the-hindmost}\n",
        "requires: {house/turns-to-the-last: house/turns-to-the-last}\n",
    ),
}  # fmt: skip


def in_the_changelog() -> Iterator[str]:
    """The old words that the changelog names: `new` for `old`, and ids that are new."""
    text = " ".join((ROOT / "CHANGELOG.md").read_text("utf-8").split())
    (entry,) = re.findall(r"- Rules use the words of the documentation: (.*?) - ", text)
    yield from re.findall(r"for `([^`]+)`", entry)
    (ids,) = re.findall(r"\. ((?:`[^`]+`(?: and )?)+) have new names", entry)
    for new in re.findall(r"`([^`]+)`", ids):
        yield next(old for old, now in old_words().rulesets.items() if now == new)
    yield from re.findall(r"Ids of rules are `([^`]+)`", entry)
    yield from re.findall(r"instead of `([^`]+)`", text)


def named(word: str) -> str:
    """A word of the changelog as the list has it: without its mark, and the verb of an effect."""
    word = word.strip(":")
    return word.split()[0] if " " in word else word


def test_the_upgrade_rewrites_every_word_that_the_changelog_lists() -> None:
    words = old_words()
    rewritten_words = {
        *words.keys, *words.marks, *words.files, *words.parts, *words.verbs, *words.rulesets,
    }  # fmt: skip
    assert rewritten_words == WORDS.keys()
    listed = {named(word) for word in in_the_changelog()}
    # calls without `do` are an addition
    assert listed | {"do"} == rewritten_words | words.by_hand.keys()
    assert all(len(reason) > 20 for reason in words.by_hand.values())


@pytest.mark.parametrize("word", WORDS)
def test_each_old_word_of_the_list_is_rewritten(word: str, tmp_path: Path) -> None:
    file, before, after = WORDS[word]
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(before, "utf-8")
    reporter = Reporter()
    found = upgrade_file(path, reporter)
    assert found is not None and found.is_changed and not reporter.diagnostics
    assert (found.text.after, found.target.name) == (after, old_words().files.get(file, path.name))
    assert rewritten(after, file) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{id: a, tags: [bridge], count: 1}", "{id: a, crosses: over, count: 1}"),
        ("{id: a, tags: [wide, tunnel]}", "{id: a, crosses: under}"),
        ("{id: a, tags: [wide], count: 1}", "{id: a, count: 1}"),
        ("{id: a, count: 1, tags: [wide]}", "{id: a, count: 1}"),
        ("{id: a, faces: [[{at: [0, 0], tags: [bridge], edges: [a, a, a, a]}]]}",
         "{id: a, faces: [[{at: [0, 0], crosses: over, edges: [a, a, a, a]}]]}"),
        ("id: a\n    tags: [wide]  # wide\n    count: 1", "id: a\n    count: 1"),
        ("id: a\n    count: 1\n    tags: [wide]\n  - id: b", "id: a\n    count: 1\n  - id: b"),
        ("id: a\n    tags:\n      - wide\n      - bridge\n    count: 1",
         "id: a\n    crosses: over\n    count: 1"),
    ],
)  # fmt: skip
def test_marks_of_a_tile_become_a_key_or_nothing(before: str, after: str) -> None:
    assert rewritten(f"tiles:\n  - {before}\n", "tiles.yaml") == f"tiles:\n  - {after}\n"


def test_parts_and_rulesets_change_their_names_wherever_they_are_named() -> None:
    old, new = "house/turns-to-the-hindmost", "house/turns-to-the-last"
    text = "scenarios:\n  - {id: a, says: b, rulesets: ['OLD:pieces:minus=rain', a/b:tiles]}\n"
    wanted = text.replace("OLD:pieces", f"{new}:components")
    assert rewritten(text.replace("OLD", old), "scenarios/x.yaml") == wanted
    assert rewritten(f"id: {old}\n", "module.yaml") == f"id: {old}\n"


def test_each_verb_is_rewritten_in_a_text_that_a_patch_expects() -> None:
    text = (
        "patches:\n"
        '  - {id: a, remove: rule b, expect: "when x is fen: on paid(x): remove f"}\n'
        '  - {id: c, remove: rule d, expect: "on step x: shuffle a into b"}\n'
    )
    new = text.replace("remove f", "return f quietly").replace("shuffle a", "move all of a")
    assert rewritten(text, "rules/x.yaml") == new


def test_the_reader_names_the_key_that_took_the_place_of_marks(tmp_path: Path) -> None:
    text = "# tiles.yaml\ntiles:\n  - {id: cap, tags: [tunnel]}\n"
    library, ids = library_of(text, tmp_path)
    reporter = Reporter()
    library.load(ids[0], reporter)
    (found,) = [each for each in reporter.diagnostics if each.code == "TW202"]
    assert found.message == "`tags` is an old word: it is `crosses` now"
    assert found.fix is None and found.hint == "`tilewright fmt --upgrade` writes it everywhere"


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
