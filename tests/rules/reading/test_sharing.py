"""Rules of a shared folder are in each ruleset that shares it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.overlay import Overlay

FOLDER = """\
# shared/luck/module.yaml
id: shared/luck
kind: shared
title: luck
# shared/luck/rules/luck.yaml
values:
  luck.points: {type: number, is: 3}
rules:
  - id: luck.paid
    amend: favour(x)
    value: luck.points
"""
STATEMENT = """\
# trial/{name}/statements.yaml
statements:
  - {{id: {name}-luck, topic: trial.luck, says: Luck pays., authority: house-rule}}
"""
MODULE = """\
# trial/{name}/module.yaml
id: trial/{name}
kind: expansion
title: {name}
requires: {{base: trial/table}}
shares: [shared/luck]
"""
SHARED = """\
# trial/{name}/rules/trial.yaml
shared:
  luck.paid: {{from: [{name}-luck]}}
"""


#: more declarations of the folder
TWICE = "values: {luck.points: {type: number, is: 4}}\n"


def trial(name: str, shared: str = SHARED) -> str:
    return (MODULE + STATEMENT + shared).format(name=name)


@pytest.fixture
def both(tmp_path: Path) -> Library:
    return library_of(FOLDER + trial("first") + trial("second"), tmp_path)[0]


def game_of(library: Library, id_: str) -> Game:
    game, reporter = load_game(id_, {}, library)
    assert game is not None, reporter.diagnostics
    return game


def test_a_shared_rule_carries_out_the_statements_of_each_ruleset(both: Library) -> None:
    for name in ("first", "second"):
        (rule,) = (
            r for r in game_of(both, f"trial/{name}").rules() if r.rule.head.id == "luck.paid"
        )
        assert rule.rule.head.statements == (f"{name}-luck",)
        assert rule.ruleset == f"trial/{name}"
        assert rule.rule.head.span.file.endswith("shared/luck/rules/luck.yaml")


def test_what_is_shared_is_no_ruleset_that_one_can_play(both: Library) -> None:
    assert "shared/luck" not in both.ids()
    game, reporter = load_game("shared/luck", {}, both)
    assert game is None
    assert [d.code for d in reporter.diagnostics] == ["TW221"]
    assert "shares" in reporter.diagnostics[0].hint


LAST = """\
# shared/luck/rules/last.yaml
steps:
  last_luck: {phase: turn, after: [draw_tile], before: [tally], label: last luck}
memory:
  lucky: {type: truth, per: game}
"""
AT_THE_STEP = """\
# trial/{name}/rules/trial.yaml
rules:
  - {{id: {name}.paid, from: [{name}-luck], on: step last_luck, do: award 1 to active}}
"""


def test_what_two_rulesets_of_a_game_share_is_there_once(tmp_path: Path) -> None:
    folder = FOLDER.split("# shared/luck/rules/luck.yaml\n")[0] + LAST
    text = folder + trial("first", AT_THE_STEP) + trial("second", AT_THE_STEP)
    game = game_of(library_of(text, tmp_path)[0], "trial/first+trial/second")
    (step,) = (step for step in game.phase("turn") if step.id == "last_luck")
    assert [rule.rule.head.id for rule in step.rules] == ["first.paid", "second.paid"]
    assert [
        memory.declaration.id for memory in game.memory if memory.declaration.id == "lucky"
    ] == ["lucky"]


def test_rulesets_that_share_have_the_hash_they_would_have_alone(tmp_path: Path) -> None:
    shares = library_of(FOLDER + trial("first"), tmp_path / "a")[0]
    own = FOLDER.split("# shared/luck/rules/luck.yaml\n")[1].replace(
        "    amend", "    from: [first-luck]\n    amend"
    )
    module = MODULE.format(name="first").replace("shares: [shared/luck]\n", "")
    alone = module + STATEMENT.format(name="first") + "# trial/first/rules/trial.yaml\n" + own
    repeats = library_of(alone, tmp_path / "b")[0]
    assert game_of(shares, "trial/first").hash == game_of(repeats, "trial/first").hash


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("luck.paid: {", "luck.piad: {", "TW714", "unknown rule `luck.piad`"),
        ("shares: [shared/luck]", "shares: [shared/lcuk]", "TW221", "`shared/lcuk`"),
        ("kind: shared", "kind: expansion", "TW222", "`kind: shared`"),
        ("shared:\n", TWICE + "shared:\n", "TW223", "luck.points"),
        ("from: [first-luck]", "from: [frist-luck]", "TW602", "`frist-luck`"),
    ],
)  # fmt: skip
def test_a_mistake_in_sharing_is_reported(
    tmp_path: Path, old: str, new: str, code: str, words: str
) -> None:
    text = FOLDER + trial("first")
    assert old in text
    library = library_of(text.replace(old, new, 1), tmp_path)[0]
    found = [d for d in check(library, ["trial/first"]) if d.code == code]
    assert found
    assert words in found[0].message


def test_a_shared_rule_stands_under_the_options_that_the_ruleset_says(tmp_path: Path) -> None:
    shared = SHARED.replace("{{from", "{{option: {{purse: fat}}, from")
    library = library_of(FOLDER + trial("first", shared), tmp_path)[0]
    ids = {r.rule.head.id for r in game_of(library, "trial/first").rules()}
    fat, _ = load_game("trial/first", {"purse": "fat"}, library)
    assert fat is not None
    assert "luck.paid" not in ids
    assert "luck.paid" in {r.rule.head.id for r in fat.rules()}


def test_a_change_of_a_shared_folder_reaches_all_who_share_it(both: Library) -> None:
    folder = both.folder("shared/luck")
    assert folder is not None
    assert both.sharing("shared/luck") == ("trial/first", "trial/second")
    before = {name: game_of(both, f"trial/{name}").hash for name in ("first", "second")}
    file = folder / "rules" / "luck.yaml"
    file.write_text(file.read_text("utf-8").replace("is: 3", "is: 5"), "utf-8")
    both.forget("shared/luck")
    assert all(game_of(both, f"trial/{name}").hash != before[name] for name in before)


def test_an_editor_finds_every_use_of_a_shared_name_once(tmp_path: Path) -> None:
    library_of(FOLDER + trial("first") + trial("second"), tmp_path)
    index = Index(Overlay([tmp_path]))
    file = tmp_path.resolve() / "shared" / "luck" / "rules" / "luck.yaml"
    line, text = next(
        (n, text)
        for n, text in enumerate(file.read_text("utf-8").split("\n"), 1)
        if "value: " in text
    )
    place = index.at(file, line, text.index("luck") + 1)
    assert place is not None
    spans = [(found.span.file, found.span.line) for found in index.references(place)]
    assert len(spans) == len(set(spans)) == 2


def test_the_shipped_folders_are_shared_by_two_rulesets_each() -> None:
    library, quiet = Library(), Reporter.discarding()
    for id_ in library.shared():
        sharing = [
            r for name in library.ids() if (r := library.load_rules(name, quiet)) is not None
        ]
        assert sum(any(m.id == id_ for m in r.module.shares) for r in sharing) > 1


@pytest.mark.parametrize(
    "key", ["requires: {base: trial/table}", "shares: [shared/other]", "says: Luck for all."]
)
def test_a_key_that_a_shared_folder_cannot_use_is_an_error(key: str, tmp_path: Path) -> None:
    folder = FOLDER.replace("title: luck\n", f"title: luck\n{key}\n")
    library, ids = library_of(folder + trial("one"), tmp_path)
    found = [d for d in check(library, ids) if d.code == "TW222"]
    assert [d.message for d in found] == [f"`{key.split(':')[0]}` has no effect in a shared folder"]
