"""Rules that rely on something of another ruleset that has changed its meaning are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import TRIALS
from support.ruleset_cases import files_of, library_of
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.changed_promises import versions_named_in
from tilewright.tools.checking.check import check
from tilewright.tools.workspace.loading import load_game

LUCK = """\
# trial/luck/module.yaml
id: trial/luck
kind: expansion
title: luck
version: 3
requires: {base: trial/table}
provides: [luck]
changes:
  - {version: 2, what: WHAT, says: is something else, mend: write less}
# trial/luck/rules/luck.yaml
values:
  luck.points: {type: number, is: 1}
steps:
  fate: {phase: turn, label: fate, after: [tally]}
events:
  lucky: {parameters: {p: player}, says: a player was lucky}
definitions:
  fortune: {parameters: {p: player}, type: number, combine: sum, says: how lucky a player is}
rules:
  - {id: luck.luck, procedure: "luck(p: player)", do: award luck.points to p}
  - {id: luck.fate, on: step fate, do: announce lucky(active)}
  - {id: luck.some, amend: fortune(p), value: 1}
  - {id: luck.use, on: lucky(p), do: "if fortune(p) > 0 { luck(p) }"}
"""
MODULE = """\
# trial/own/module.yaml
id: trial/own
kind: house
title: own
requires: {luck: trial/luck}
STATED
# trial/own/rules/own.yaml
rules:
  - {id: own.rule, RULE}
"""
CALL = "on: lucky(p), do: luck(p)"
OWN = MODULE.replace("STATED", "").replace("RULE", CALL)


def found(
    tmp_path: Path,
    rule: str = CALL,
    what: str = "procedure luck",
    stated: str = "",
    more: str = "",
    codes: tuple[str, ...] = ("TW76",),
) -> list[Diagnostic]:
    """The diagnostics of a rule of another library."""
    mine = MODULE.replace("STATED", stated).replace("RULE", rule) + more
    library = with_luck(tmp_path, what, mine)
    return [each for each in check(library, library.ids()) if each.code.startswith(codes)]


def with_luck(tmp_path: Path, what: str, mine: str = OWN) -> Library:
    """The library of the trials with a ruleset in which something has changed, and others."""
    texts = ((tmp_path / "theirs", LUCK.replace("WHAT", what)), (tmp_path / "mine", mine))
    library = Library(shipped=False)
    for root, text in texts:
        for name, content in files_of(text).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        library.add(root)
    library.add(TRIALS)
    return library


@pytest.mark.parametrize(
    ("what", "rule", "words"),
    [
        ("procedure luck", "on: paid(x), do: luck(active)", "luck(active)"),
        ("event lucky", "on: lucky(p), do: award 1 to p", "lucky(p)"),
        ("event lucky", "on: paid(x), do: announce lucky(active)", "announce"),
        ("definition fortune", "amend: fortune(p), value: 2", "fortune(p)"),
        ("definition fortune", "on: paid(x), do: award fortune(active) to active", "fortune"),
        ("step fate", "on: step fate, after: [luck.fate], do: award 1 to active", "step fate"),
        ("value luck.points", "on: paid(x), do: award luck.points to active", "luck.points"),
    ],
)
def test_each_use_of_what_changed_is_found_at_its_words(
    tmp_path: Path, what: str, rule: str, words: str
) -> None:
    (diagnostic,) = found(tmp_path, rule, what, "written_for: {luck: 1}")
    kind, name = what.split()
    line = f"  - {{id: own.rule, {rule}}}"
    message = f"{kind} `{name}` is something else (since version 2 of `trial/luck`)"
    assert (diagnostic.code, diagnostic.severity, diagnostic.message) == (
        "TW767", "warning", message,
    )  # fmt: skip
    assert (diagnostic.span.line, diagnostic.span.column) == (3, line.index(words) + 1)
    assert diagnostic.hint.startswith("write less; write `written_for: {trial/luck: 2}`")
    assert [note.span.file.rsplit("/", 1)[-1] for note in diagnostic.notes] == ["module.yaml"]


@pytest.mark.parametrize("stated", ["{luck: 2}", "{trial/luck: 2}", "{trial/luck: 3}"])
def test_the_version_that_brought_a_change_settles_it(tmp_path: Path, stated: str) -> None:
    assert found(tmp_path, stated=f"written_for: {stated}") == []


@pytest.mark.parametrize("stated", ["{luck: 1, trial/luck: 2}", "{trial/luck: 2, luck: 1}"])
def test_the_version_by_the_id_counts_before_that_by_a_role(tmp_path: Path, stated: str) -> None:
    assert found(tmp_path, stated=f"written_for: {stated}") == []


APART = """\
# trial/apart/module.yaml
id: trial/apart
kind: expansion
title: apart
version: 2
requires: {base: trial/table}
provides: [apart]
"""


@pytest.mark.parametrize("name", ["apart", "trial/apart"])
def test_a_version_of_a_ruleset_that_no_rule_can_use_is_found(tmp_path: Path, name: str) -> None:
    (diagnostic,) = found(tmp_path, stated=f"written_for: {{{name}: 2, luck: 2}}", more=APART)
    message = f"`written_for` names `{name}`, which `trial/own` does not use"
    assert (diagnostic.code, diagnostic.message) == ("TW769", message)


@pytest.mark.parametrize("name", ["apart", "trial/apart"])
@pytest.mark.parametrize("company", ["apart", "trial/apart"])
def test_a_version_of_a_companion_is_in_use(tmp_path: Path, name: str, company: str) -> None:
    rule = f"on: lucky(p), with: [{company}], do: luck(p)"
    assert found(tmp_path, rule, stated=f"written_for: {{{name}: 2, luck: 2}}", more=APART) == []


def test_a_version_of_another_ruleset_for_the_role_is_in_use(tmp_path: Path) -> None:
    heir = "# trial/fate/module.yaml\nid: trial/fate\nkind: edition\ntitle: fate\n"
    heir += "takes_over: trial/luck\n"
    assert found(tmp_path, stated="written_for: {trial/fate: 2, luck: 2}", more=heir) == []


def test_a_ruleset_of_another_library_that_states_nothing_gets_a_note(tmp_path: Path) -> None:
    (diagnostic,) = found(tmp_path)
    assert (diagnostic.code, diagnostic.severity) == ("TW767", "note")
    assert diagnostic.hint.startswith("write `written_for: {trial/luck: 2}` beside `requires`")
    assert not diagnostic.notes and "version" not in diagnostic.message


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        ("procedure fate", "on: paid(x), do: fate(active)"),
        ("event happy", "on: happy(p), do: award 1 to p"),
        ("definition chance", "amend: chance(p), value: 2"),
        ("definition chance", "on: paid(x), do: award chance(active) to active"),
        ("step doom", "on: step doom, do: award 1 to active"),
        ("value fate.points", "on: paid(x), do: award fate.points to active"),
    ],
)
def test_an_unknown_name_is_explained_by_the_change_that_took_it_away(
    tmp_path: Path, what: str, rule: str
) -> None:
    kind, name = what.split()
    every = found(tmp_path, rule, what, codes=("TW3", "TW4", "TW7"))
    (diagnostic,) = [each for each in every if f"`{name}`" in each.message]
    assert diagnostic.severity == "error"
    change = f"{kind} `{name}` is something else (since version 2 of `trial/luck`); write less"
    assert diagnostic.hint == change
    assert diagnostic.notes[-1].message == "the change is recorded here"


def test_a_name_that_is_still_there_was_not_taken_away(tmp_path: Path) -> None:
    (wrong,) = found(
        tmp_path, "on: step lucky, do: award 1 to active", "event lucky", codes=("TW7",)
    )
    assert wrong.code == "TW712" and wrong.hint == "it is an event: write `on: lucky(p)`"
    assert not wrong.notes


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("event lucky", "measures:\n  m: {label: m, says: m, on: lucky(p), value: 1}\n"),
        ("definition fortune", "measures:\n  m: {label: m, says: m, value: fortune(active)}\n"),
        ("value luck.points", "patches:\n  - {id: own.more, set: luck.points, to: 2, why: more}\n"),
        ("definition fortune", "definitions:\n  own_luck: {parameters: {p: player}, type: number,"
         " combine: one, says: luck, default: fortune(p)}\n"),
    ],
)  # fmt: skip
def test_uses_outside_of_rules_are_found_too(tmp_path: Path, what: str, more: str) -> None:
    (diagnostic,) = found(
        tmp_path, "on: paid(x), do: stop", what, "written_for: {luck: 1}", more=more
    )
    assert (diagnostic.code, diagnostic.span.line > 3) == ("TW767", True)


@pytest.mark.parametrize("name", ["procedure luck", "value luck.points"])
def test_a_new_rule_is_written_for_the_version_that_changed_what_it_names(
    tmp_path: Path, name: str
) -> None:
    game, _ = load_game("trial/luck", {}, with_luck(tmp_path, name))
    assert game is not None
    assert versions_named_in("award luck.points to active; luck(active)", game) == {"trial/luck": 2}
    assert versions_named_in("award unlucky.points to active", game) == {}


def test_what_a_rule_does_not_use_may_change(tmp_path: Path) -> None:
    assert found(tmp_path, "on: paid(x), do: award 1 to active") == []


def test_the_rules_of_the_ruleset_itself_need_no_word(tmp_path: Path) -> None:
    for what in ("procedure luck", "event lucky", "definition fortune", "value luck.points"):
        assert found(tmp_path / what.split()[1], "on: paid(x), do: stop", what) == []


def test_a_ruleset_that_takes_over_another_one_keeps_its_changes(tmp_path: Path) -> None:
    more = """\
# trial/fate/module.yaml
id: trial/fate
kind: edition
title: fate
takes_over: trial/luck
# trial/more/module.yaml
id: trial/more
kind: house
title: more
requires: {luck: trial/fate}
written_for: {luck: 1}
# trial/more/rules/more.yaml
rules:
  - {id: more.rule, on: paid(x), do: luck(active)}
"""
    diagnostics = found(tmp_path, stated="written_for: {luck: 2}", more=more)
    assert [(d.code, Path(d.span.file).name) for d in diagnostics] == [("TW767", "more.yaml")]


@pytest.mark.parametrize(
    ("what", "near"),
    [
        ("procedure luk", "luck"),
        ("event luky", "lucky"),
        ("definition fortun", "fortune"),
        ("step fat", "fate"),
        ("value luck.point", "luck.points"),
        ("procedure gone_for_good", ""),
    ],
)
def test_a_misspelt_change_is_found_and_one_of_something_that_is_gone_is_not(
    tmp_path: Path, what: str, near: str
) -> None:
    messages = [each.message for each in found(tmp_path, what=what, codes=("TW766",))]
    kind, name = what.split()
    start = f"`changes` names {kind} `{name}`, which is not there; did you mean `{near}`?"
    assert messages == ([start] if near else [])


def test_rulesets_of_one_library_are_kept_together(tmp_path: Path) -> None:
    together = OWN.replace("trial/own", "trial/near")
    files = LUCK.replace("WHAT", "procedure luck") + together.replace("own.rule", "near.rule")
    library, _ = library_of(files, tmp_path)
    assert "TW767" not in {each.code for each in check(library, library.ids())}


@pytest.mark.parametrize("version", ["v2", "9" * 5_000])
def test_a_version_that_is_no_number_of_changes_is_shown_in_short(
    tmp_path: Path, version: str
) -> None:
    text = LUCK.replace("version: 3", f"version: {version}").replace("WHAT", "procedure luck")
    library, ids = library_of(text, tmp_path)
    (message,) = [each.message for each in check(library, ids) if each.code == "TW228"]
    assert message.startswith("a ruleset with `changes` needs a whole number as `version`")
    assert len(message) < 150
