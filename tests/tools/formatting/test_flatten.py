"""A flattened ruleset is the same game, and every part of a game has its history."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.marks import is_sampled, slow_unless
from support.paths import DATA
from support.played import MIXES, program_of
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code, Span
from tilewright.language.source.yaml.dump import document
from tilewright.language.source.yaml.tree import plain, read_yaml
from tilewright.play.compiling.compile_game import compile_game
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.folder import read_ruleset
from tilewright.rules.reading.library import Library
from tilewright.tools.changes.diff import diff, diff_texts
from tilewright.tools.changes.provenance import History, histories, history
from tilewright.tools.checking.check import check
from tilewright.tools.formatting.flatten import CannotResolveError, id_at, resolve
from tilewright.tools.formatting.ruleset_writer import files_of, write_files
from tilewright.tools.simulation.perft import perft
from tilewright.tools.workspace.loading import load_game
from tilewright.view.results.difference import ChangeKind

LIBRARY = Library()

#: games in which options, `with` conditions and patches all matter
MORE = (
    "c2/inns-and-cathedrals+c2/traders-and-builders+c2/princess-and-dragon+c2/river+c2/farmers"
    "+c2/abbot",
    "c3.1/dragon-and-fairy+c3.1/traders-and-builders+c3/river-two-lakes+c3/abbot+c3/farmers"
    "+c2/inns-and-cathedrals",
    "house/fairy-five+house/redraw-dragon-tile?fairy_three=kept&five_at_end=yes",
    "house/fairy-point-window+house/redraw-dragon-tile+c2/abbot+c2/traders-and-builders",
    "c3.1/dragon-and-fairy?removed_from=own_tiles&cohabitation=forbidden",
    "c2/princess-and-dragon?dragon=without&dragon_phase=before_figures&tunnel_fields=four",
)
SAMPLE = [id_ for id_ in LIBRARY.ids() if is_sampled(id_)]


def again(text: str, folder: Path, library: Library = LIBRARY) -> tuple[Game, Game]:
    """A game, and the one that its resolved ruleset makes with nothing else around."""
    found = resolve(text, {}, library)
    write_files(found.files, folder)
    alone = Library(shipped=False)
    alone.add(folder)
    game, reporter = load_game(found.ruleset.id, {}, alone)
    assert game is not None, reporter.diagnostics
    return found.game, game


# ------------------------------------------------------------------ the same game


@pytest.mark.parametrize(
    "text",
    [
        *slow_unless(is_sampled, LIBRARY.ids()),
        *slow_unless(lambda text: text == MORE[2], [*MIXES, *MORE]),
    ],
)
def test_a_resolved_game_loads_and_has_the_same_hash(text: str, tmp_path: Path) -> None:
    before, after = again(text, tmp_path / "one")
    assert after.hash == before.hash


@pytest.mark.parametrize("text", ["edges/trial/stoppers+trial/walls", "gains/trial/ledger"])
def test_gains_chains_and_enclosed_tiles_are_resolved(text: str, tmp_path: Path) -> None:
    folder, _, game = text.partition("/")
    library = Library()
    library.add(DATA / folder)
    before, after = again(game, tmp_path / "one", library)
    assert after.hash == before.hash
    assert after.facts == before.facts
    assert len(after.rulesets) == 1
    assert after.options == ()


@pytest.mark.parametrize("text", ["c2/river+c2/farmers", MORE[2]])
def test_a_resolved_game_plays_the_same(text: str, tmp_path: Path) -> None:
    _, after = again(text, tmp_path / "one")
    assert perft(compile_game(after), 2) == perft(program_of(text), 2)


def test_what_is_resolved_is_resolved_already(tmp_path: Path) -> None:
    first = resolve(MORE[3], {}, LIBRARY)
    write_files(first.files, tmp_path / "one")
    alone = Library(shipped=False)
    alone.add(tmp_path / "one")
    second = resolve(first.ruleset.id, {}, alone, first.ruleset.id)
    pages = {name: text for name, text in first.files.items() if not name.startswith("rules/")}
    assert {n: t for n, t in second.files.items() if not n.startswith("rules/")} == pages
    assert second.game.hash == first.game.hash


def test_words_and_statements_come_along(tmp_path: Path) -> None:
    before, after = again("house/fairy-five", tmp_path / "one")
    kinds = ("rule", "tile", "figure", "symbol", "kind", "role", "definition", "event", "value")
    found = [
        c for c in diff(before, after).changes if c.kind in kinds and c.how is ChangeKind.CHANGED
    ]
    assert {c.part for c in found} <= {"holds", "from"}
    assert {c.id for c in found if c.part == "from"} == {"fairy.feature_points"}
    assert after.values["fairy.feature_points"].declaration.statements[-1] == "house-fairy-five"


def test_the_files_are_the_documents_of_one_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resolve", "c2/farmers"]) == 0
    out = capsys.readouterr().out
    names = [line.removeprefix("--- # ") for line in out.splitlines() if line.startswith("--- ")]
    assert names[0] == "module.yaml"
    assert "rules/c2-farmers.yaml" in names
    assert run(["resolve", "c2/farmers", "--format", "json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert list(output["files"]) == names


def test_a_folder_is_written_as_a_whole_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine" / "game"
    assert run(["resolve", "house/fairy-five", "--out", str(folder)]) == 0
    assert (folder / "module.yaml").read_text(encoding="utf-8").startswith("id: mine/game\n")
    assert id_at(folder) == "mine/game"
    kept = sorted(path.name for path in folder.iterdir())
    assert run(["resolve", "c2/base", "--out", str(folder)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == kept
    assert [path.name for path in folder.parent.iterdir()] == ["game"]


def test_a_game_with_errors_is_not_resolved() -> None:
    with pytest.raises(CannotResolveError):
        resolve("house/fairy-five+house/fairy-point-window", {}, LIBRARY)
    assert run(["resolve"]) == 2


# ------------------------------------------------------------------ written text


#: characters that no ruleset may contain: they change the direction of a line, or have no width
SIGNS = ("Cf", "Zl", "Zp")
UNSEEN = [chr(n) for n in range(0x10000) if unicodedata.category(chr(n)) in SIGNS]
TEXTS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co"), exclude_characters=UNSEEN),
    min_size=1,
    max_size=9,
)
BLOCKS = st.lists(TEXTS, min_size=1, max_size=3).map("\n".join)
TREES = st.recursive(
    st.one_of(TEXTS, BLOCKS, st.integers(-999, 999), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=9,
)


@given(st.dictionaries(TEXTS, TREES, min_size=1, max_size=3))
def test_plain_data_comes_back_from_its_text(tree: dict[str, object]) -> None:
    reporter = Reporter()
    node = read_yaml(document(tree), "tree.yaml", reporter)  # type: ignore[arg-type]
    assert node is not None, (document(tree), reporter.diagnostics)  # type: ignore[arg-type]
    assert plain(node) == tree


# ------------------------------------------------------------------ histories


def of(name: str, text: str) -> History:
    game, _ = load_game(text)
    assert game is not None
    (found,) = history(name, game, LIBRARY)
    return found


def test_a_value_tells_who_set_it_and_why() -> None:
    found = of("fairy.feature_points", "house/fairy-five")
    assert (found.kind, found.now, found.in_force) == ("value", "5", True)
    texts = [(h.how, h.ruleset, h.old, h.new, h.in_force) for h in found.hands]
    assert texts == [
        ("declared", "c2/princess-and-dragon", "", "3", True),
        ("set", "house/fairy-five", "3", "5", True),
        ("set", "house/fairy-five", "", "8", False),
    ]
    assert found.hands[2].under == ("fairy_three=kept",)
    assert found.hands[1].why == "five points make up for the points of the turns"
    assert [s.id for s in found.hands[0].statements] == ["pd2-fairy-score"]
    assert found.hands[0].span.file.endswith("fairy.yaml")
    assert found.hands[0].span.line > 1


def test_a_rule_tells_what_was_put_in_its_place() -> None:
    found = of("dragon.set_aside", "house/redraw-dragon-tile")
    assert [h.how for h in found.hands] == ["declared", "replace"]
    assert found.now.endswith(": land")


def test_a_rule_that_is_left_out_has_a_history_too() -> None:
    found = of("fairy.turn_start", "house/fairy-five")
    assert [h.how for h in found.hands] == ["declared", "remove"]
    assert not found.in_force
    assert found.now == ""


def test_an_edition_says_a_thing_anew() -> None:
    found = of("tile spring", "c3/river")
    assert [(h.how, h.ruleset, h.in_force) for h in found.hands] == [
        ("declared", "c2/river", False),
        ("declared", "c2/river", False),
        ("edition", "c3/river", True),
    ]
    assert found.hands[2].old == found.hands[1].new


def test_a_definition_lists_its_amendments_and_a_step_its_rules() -> None:
    amendments = of("may_deploy", "c2/base").bearings
    assert {b.how for b in amendments} == {"amendment"}
    assert "figures.unoccupied" in {b.id for b in amendments}
    there = of("step deploy_figure", "c2/base").bearings
    assert {b.how for b in there} == {"rule", "action"}


def test_an_option_that_is_not_chosen_keeps_a_rule_out_of_force() -> None:
    found = of("tile.put_back", "c2/base")
    assert [h.in_force for h in found.hands] == [False]
    assert found.hands[0].under == ("unplaceable_tiles=back",)
    assert of("unplaceable_tiles", "c2/base").kind == "option"


def test_a_name_alone_is_looked_for_in_all_rulesets() -> None:
    found = histories("fairy.feature_points", LIBRARY)
    assert {game.rulesets[-1].id for game, _ in found} >= {
        "c2/princess-and-dragon",
        "c3.1/dragon-and-fairy",
    }
    elsewhere = [h for _, one in found for h in one.hands if "with house/fairy-five" in h.under]
    assert elsewhere
    assert not any(hand.in_force for hand in elsewhere)


@pytest.mark.parametrize(
    "text",
    slow_unless(
        lambda text: text == "c2/base",
        ["c2/base", "house/fairy-point-window+house/redraw-dragon-tile"],
    ),
)
def test_everything_that_decides_a_game_has_a_history(text: str) -> None:
    game, _ = load_game(text)
    assert game is not None
    own = {d.id for d in game.definitions.values() if d.ruleset} | {
        e.id for r in game.rulesets for e in r.events
    }
    for kind, id_ in game.facts:
        if kind == "order" or (kind in ("definition", "event") and id_ not in own):
            continue
        found = history(f"{kind} {id_}", game, LIBRARY)
        assert len(found) == 1, (kind, id_)
        assert found[0].in_force, (kind, id_)
        assert any(hand.in_force for hand in found[0].hands)


def test_the_page_of_a_history(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resolve", "house/fairy-five", "--why", "fairy.feature_points"]) == 0
    page = capsys.readouterr().out
    assert "3 → 5" in page
    assert "five.yaml:" in page
    assert run(["resolve", "--why", "fairy.feature_points", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["kind"] == "value"
    assert run(["resolve", "c2/base", "--why", "no.such"]) == 2
    assert run(["resolve", "c2/base", "--why", "no.such", "--out", "x"]) == 2


# ------------------------------------------------------------------ patches of every sort, parts

MODULE = """\
id: house/every
kind: house
title: {en: Every verb}
provides: [every]
requires: {base: c2/base}
sources: {book: {title: A book}}
"""
RULES = """\
values:
  every.more: {type: number, is: 1, from: [every-verb]}
patches:
  - {id: every.number, why: so, adjust: city.tile_points, by: 1}
  - {id: every.count, why: so, set: tile monastery_road.count, to: 5}
  - {id: every.supply, why: so, adjust: figure meeple.count, by: -2}
  - {id: every.default, why: so, set: option unplaceable_tiles.default, to: back}
  - {id: every.out, why: so, remove: tile city4_shield}
  - {id: every.marks, why: so, replace: tile monastery_field, symbols: [garden_symbol]}
  - id: every.before
    why: a point for scoring
    from: [every-verb]
    insert: before scoring.feature
    when: x is city
    do: for p in players { award every.more to p }
  - {id: every.after, why: so, insert: after every.step, do: award 1 to active}
  - {id: every.at_step, why: so, insert: before step pass_turn, do: award 1 to active}
  - {id: every.on_event, why: so, insert: after event completed, do: award 1 to active}
rules:
  - id: every.step
    from: [every-verb]
    on: step prepare_table
    after: [setup.start]
    do: award 2 to active
"""


def every(folder: Path) -> Library:
    """A library with a house rule that patches in every way."""
    book = (
        "statements:\n  - {id: every-verb, topic: every.verb, says: All., authority: house-rule}\n"
    )
    for name, text in (("module", MODULE), ("statements", book), ("rules/law", RULES)):
        path = folder / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    library = Library()
    library.add(folder)
    return library


def test_every_kind_of_patch_is_carried_out_in_the_resolved_game(tmp_path: Path) -> None:
    found = resolve("house/every", {}, every(tmp_path / "every"))
    write_files(found.files, tmp_path / "one")
    alone = Library(shipped=False)
    alone.add(tmp_path / "one")
    game, reporter = load_game(found.ruleset.id, {}, alone)
    assert game is not None, reporter.diagnostics
    assert game.facts == found.game.facts
    assert game.hash == found.game.hash
    assert [patch.id for patch in found.ruleset.patches] == ["every.after", "every.before"]


@pytest.mark.parametrize(
    ("name", "how", "old", "new"),
    [
        ("city.tile_points", "adjust", "2", "3"),
        ("tile monastery_road", "set", "count 2", "count 5"),
        ("figure meeple", "adjust", "count 7", "count 5"),
        ("option unplaceable_tiles", "set", "out", "back"),
        ("tile city4_shield", "remove", "city city city city", ""),
        ("rule scoring.feature", "insert before", "", "when x is city: for p in players"),
        ("rule every.before", "insert before", "", "when x is city: for p in players"),
        ("step pass_turn", "insert before", "", "award 1 to active"),
        ("event completed", "insert after", "", "award 1 to active"),
    ],
)
def test_every_kind_of_patch_stands_in_the_history(
    name: str, how: str, old: str, new: str, tmp_path: Path
) -> None:
    library = every(tmp_path)
    game, reporter = load_game("house/every", {}, library)
    assert game is not None, reporter.diagnostics
    (found,) = history(name, game, library)
    hand = found.hands[-1]
    assert (hand.how, hand.ruleset, hand.old) == (how, "house/every", old)
    assert hand.new.replace("\n", " ").startswith(new)
    assert hand.in_force


def test_every_kind_of_patch_is_told_with_its_reason(tmp_path: Path) -> None:
    library = every(tmp_path)
    found = diff_texts("c2/base", "house/every", library, library, ("", ""))
    whys = {c.name: c.why.partition(":")[0] for c in found.changes if c.why}
    assert whys == {
        "value city.tile_points": "every.number",
        "tile monastery_road: count": "every.count",
        "figure meeple: count": "every.supply",
        "option unplaceable_tiles: default": "every.default",
        "tile city4_shield": "every.out",
        "tile monastery_field: symbols": "every.marks",
        "rule every.before": "every.before",
        "rule every.after": "every.after",
        "rule every.at_step": "every.at_step",
        "rule every.on_event": "every.on_event",
    } | {name: why for name, why in whys.items() if name == "rule scoring.feature: text"}


@pytest.mark.parametrize(
    "text",
    [
        "c2/base+c2/princess-and-dragon:tiles",
        "c2/base+c2/traders-and-builders:components",
        "c2/base+c2/princess-and-dragon:minus=princess",
        "c2/base+c2/inns-and-cathedrals:tiles:components",
    ],
)
def test_a_part_is_resolved_to_a_whole(text: str, tmp_path: Path) -> None:
    before, after = again(text, tmp_path / "one")
    assert after.facts == before.facts


def test_what_a_part_leaves_out_says_so() -> None:
    game, _ = load_game("c2/base+c2/princess-and-dragon:minus=princess")
    assert game is not None
    (found,) = history("princess.forfeit", game, LIBRARY)
    assert not found.in_force
    assert [h.in_force for h in found.hands] == [False]
    assert "c2/princess-and-dragon:minus=princess" in found.hands[0].under[0]


# ------------------------------------------------------------------ files


def bare(thing: object) -> object:
    """A thing without its places, and without `with` conditions."""
    match thing:
        case Span():
            return None
        case Code():
            return thing.text.strip()
        case tuple():
            return tuple(map(bare, thing))
        case str() | int() | None | StrEnum():
            return thing
    names = type(thing).__match_args__  # type: ignore[attr-defined]
    return tuple(
        (name, bare(getattr(thing, name))) for name in names if name not in ("with_", "entry")
    )


def test_every_key_of_a_sample_comes_back_from_its_files(tmp_path: Path) -> None:
    """All but patches, company, parts, proof, ignored notes and shares."""
    for name in ("module", "statements", "components", "tiles", "rules"):
        page = (DATA / "samples" / f"{name}.yaml").read_text(encoding="utf-8")
        path = tmp_path / "one" / ("rules/rules.yaml" if name == "rules" else f"{name}.yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
    quiet = Reporter()
    one = read_ruleset(tmp_path / "one", quiet)
    assert one is not None
    one = replace(
        one, patches=(), order=(), scenarios=(), folder="", files=(), ignores=(),
        module=replace(one.module, parts=(), shares=()),
    )  # fmt: skip
    write_files(files_of(one), tmp_path / "two")
    two = read_ruleset(tmp_path / "two", quiet)
    assert two is not None
    two = replace(two, folder="", files=())
    for name in type(one).__match_args__:
        assert bare(getattr(two, name)) == bare(getattr(one, name)), name


@pytest.mark.slow
def test_a_resolved_ruleset_is_asked_for_no_proof_while_it_is_the_same_game(tmp_path: Path) -> None:
    folder = tmp_path / "one" / "game"
    write_files(resolve("c2/farmers", {"sixth_player": "yes"}, Library(), "one/game").files, folder)
    library = Library([folder])
    assert check(library, ["one/game"]) == ()
    rules = folder / "rules" / "c2-base.yaml"
    before = "road.tile_points: {type: number, is: 1"
    text = rules.read_text(encoding="utf-8")
    assert before in text
    rules.write_text(text.replace(before, before.replace("is: 1", "is: 2")), encoding="utf-8")
    assert "TW604" in {d.code for d in check(Library([folder]), ["one/game"])}
