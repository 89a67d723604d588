"""Rulesets in part: what each part takes, what refuses to be without the rest, what is noted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.marks import is_sampled, slow_unless
from support.paths import TRIALS
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.new_match import start_match
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.persistence.match_file import load_match, match_text
from tilewright.tools.workspace.loading import load_game

LIBRARY = Library()
EXPANSION = "c2/princess-and-dragon"
#: codes of diagnostics that explain why a part cannot be played
REFUSALS = {"TW754", "TW755", "TW756", "TW757"}


def loaded(game: str) -> tuple[Game | None, tuple[Diagnostic, ...]]:
    found, reporter = load_game(game, {}, LIBRARY)
    return found, reporter.diagnostics


def game_of(text: str) -> Game:
    game, result = loaded(text)
    assert game is not None, [str(diagnostic) for diagnostic in result]
    return game


def notes(text: str) -> str:
    _, result = loaded(text)
    assert {d.code for d in result} <= {"TW758"} and {d.severity for d in result} <= {Severity.NOTE}
    return "\n".join(d.message for d in result)


def ids(things) -> set[str]:
    return {thing.id for thing in things}


def rule_ids(game: Game) -> set[str]:
    return {rule.rule.head.id for rule in game.rules()}


def played(game: Game) -> None:
    match = start_match(compile_game(game), players=2, seed="parts")
    lot = random.Random("parts")
    while not match.is_over:
        match.choose_number(lot.randrange(match.count))
    assert match.winners()


# ------------------------------------------------------------------ the content of a part


def test_tiles_bring_what_is_printed_on_them_and_play_as_plain_tiles() -> None:
    game, base = game_of(f"{EXPANSION}:tiles"), game_of("c2/base")
    entire = game_of(EXPANSION)
    assert ids(game.pieces) == ids(entire.pieces) and ids(game.symbols) == ids(entire.symbols)
    assert ids(game.figures) == ids(base.figures)
    assert rule_ids(game) == rule_ids(base) and ids(game.steps) == ids(base.steps)
    played(game)


def test_tiles_without_rules_say_which_symbols_are_only_pictures() -> None:
    found = notes(f"{EXPANSION}:tiles")
    for symbol in ("volcano", "dragon_symbol", "princess", "portal"):
        assert f"no rule tests for the symbol `{symbol}`" in found


def test_pieces_bring_figures_and_roles_and_no_tile() -> None:
    game, base = game_of("c2/inns-and-cathedrals:components"), game_of("c2/base")
    assert "large_meeple" in ids(game.figures) or len(game.figures) > len(base.figures)
    assert ids(game.pieces) == ids(base.pieces) and rule_ids(game) == rule_ids(base)
    played(game)


def test_pieces_that_nothing_moves_are_noted() -> None:
    assert "nothing brings `dragon` into play" in notes(f"{EXPANSION}:components")


def test_rules_bring_their_pieces_and_no_tile() -> None:
    game, entire = game_of(f"{EXPANSION}:rules"), game_of(EXPANSION)
    assert rule_ids(game) == rule_ids(entire) and ids(game.figures) == ids(entire.figures)
    assert ids(game.pieces) == ids(game_of("c2/base").pieces)
    assert "the symbol `volcano` is on no tile" in notes(f"{EXPANSION}:rules")
    played(game)


@pytest.mark.parametrize(
    ("part", "gone", "left"),
    [
        ("minus=princess", {"princess.removal", "princess.forfeit"}, {"dragon.movement"}),
        ("minus princess", {"princess.removal"}, {"dragon.movement"}),
        (
            "minus=princess:minus=portal",
            {"princess.removal", "portal.redirect"},
            {"dragon.arrival"},
        ),
        ("minus=dragon", {"dragon.arrival", "dragon.movement"}, {"princess.removal"}),
        ("minus=princess.forfeit", {"princess.forfeit"}, {"princess.removal"}),
    ],
)
def test_a_topic_or_a_rule_is_left_out(part: str, gone: set[str], left: set[str]) -> None:
    game, entire = game_of(f"{EXPANSION}:{part}"), game_of(EXPANSION)
    known = rule_ids(entire)
    assert not gone & rule_ids(game)
    assert {name for name in left if name in known} <= rule_ids(game)
    assert ids(game.pieces) == ids(entire.pieces)
    played(game)


def test_only_what_has_lost_its_effect_is_noted() -> None:
    assert sorted(notes(f"{EXPANSION}:minus=princess").split("\n")) == [
        "no rule tests for the symbol `princess`: it is only a picture,"
        f" with `{EXPANSION}:minus=princess`",
        f"nothing uses `may_send_home` any more, with `{EXPANSION}:minus=princess`",
    ]


def test_the_order_of_rules_goes_on_through_a_rule_that_is_left_out(tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\nrules:\n"
        "  - {id: trial.zero, on: paid(x), do: award 1 to active}\n"
        "  - {id: trial.one, after: [trial.zero], on: paid(x), do: award 2 to active}\n"
        "  - {id: trial.a_last, after: [trial.one], on: paid(x), do: award 3 to active}\n"
    )
    library, _ = library_of(text, tmp_path)
    game, _ = load_game("trial/first:minus=trial.one", {}, library)
    assert game is not None
    assert [r.id for r in game.events["paid"].reactions] == ["trial.zero", "trial.a_last"]


# ------------------------------------------------------------------ names and hashes


def test_the_game_and_its_hash_say_the_part() -> None:
    texts = ["", ":tiles", ":components", ":rules", ":minus=princess", ":minus=portal"]
    games = [game_of(EXPANSION + text) for text in texts]
    assert [game.id for game in games] == [f"c2/base+{EXPANSION}{text}" for text in texts]
    assert len({game.hash for game in games}) == len(texts)


def test_the_order_of_parts_does_not_matter() -> None:
    one = game_of(f"{EXPANSION}:minus=princess:minus=portal")
    other = game_of(f"{EXPANSION}:minus portal:minus princess")
    assert (one.id, one.hash) == (other.id, other.hash)


def test_a_save_of_a_game_in_part_is_taken_up_again() -> None:
    match = start_match(compile_game(game_of(f"{EXPANSION}:minus=princess")), players=2, seed="a")
    for _ in range(9):
        match.choose_number(0)
    reporter = Reporter()
    again = load_match(match_text(match), Library(), reporter)
    assert again is not None, [str(found) for found in reporter.diagnostics]
    assert again.program.game.id == match.program.game.id


# ------------------------------------------------------------------ company


@pytest.mark.parametrize(
    ("tiles", "rules"),
    [(EXPANSION, "c3.1/dragon-and-fairy"), ("c3.1/dragon-and-fairy", EXPANSION)],
)
def test_tiles_of_one_edition_go_with_the_rules_of_another(tiles: str, rules: str) -> None:
    game = game_of(f"{tiles}:tiles+{rules}:rules")
    ruleset = LIBRARY.load_rules(rules, Reporter())
    assert ruleset is not None
    always = {r.head.id for r in ruleset.rules if not r.head.with_ and not r.head.option}
    assert rule_ids(game) >= always
    printed = LIBRARY.load_rules(tiles, Reporter())
    assert printed is not None
    assert ids(game.pieces) >= {p.id for p in printed.pieces if not p.with_ and not p.when}
    played(game)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("house/fairy-five:tiles", "`house/fairy-five` has no tiles"),
        ("house/fairy-five:components", "`house/fairy-five` has no figures, tokens and the like"),
        ("variants/double-base:rules", "`variants/double-base` has no rules"),
        (f"{EXPANSION}:tiles:minus=princess", "`minus=princess` leaves nothing out"),
    ],
)
def test_a_part_that_takes_nothing_is_told(text: str, expected: str) -> None:
    game, found = loaded(f"c2/base+{text}")
    assert game is not None
    assert any(d.code == "TW759" and expected in d.message for d in found), [str(d) for d in found]


def test_two_parts_that_take_nothing_are_both_told() -> None:
    _, found = loaded("c2/base+house/fairy-five:tiles+house/ten-turns:tiles")
    assert [d.code for d in found] == ["TW759", "TW759"]


def test_who_needs_rules_is_not_content_with_tiles() -> None:
    game, text = loaded(f"{EXPANSION}:tiles+house/fairy-five")
    assert game is None and [d.code for d in text] == ["TW755"]


def test_who_needs_what_is_left_out_is_told_by_name() -> None:
    _, text = loaded(f"{EXPANSION}:minus=fairy+house/fairy-five")
    assert {d.code for d in text} == {"TW757"}
    assert any(
        "`fairy.turn_start` is left out of `c2/princess-and-dragon`" in d.message for d in text
    )


PLAYED_WITH = (
    "# trial/house/module.yaml\nid: trial/house\nkind: house\ntitle: ours\n"
    "requires: {{base: trial/table}}\nparts: {0}\n"
)


@pytest.mark.parametrize(
    "parts",
    ["{base: minus table.town}", "{trial/table: [minus table.town]}", "{base: minus=table.town}"],
)
def test_a_house_rule_takes_a_part(parts: str, tmp_path: Path) -> None:
    library, _ = library_of(PLAYED_WITH.format(parts), tmp_path)
    game, reporter = load_game("trial/house", {}, library)
    assert game is not None, [str(found) for found in reporter.diagnostics]
    assert "table.town" not in rule_ids(game)
    assert game.id == "trial/house+trial/table:minus=table.town"


def test_a_part_that_is_named_by_id_is_in_the_game(tmp_path: Path) -> None:
    more = (
        "# trial/more/module.yaml\nid: trial/more\nkind: expansion\ntitle: more\n"
        "requires: {base: trial/table}\nprovides: [more]\n"
        "# trial/more/rules/more.yaml\n"
        "rules:\n  - {id: more.rule, on: paid(x), do: award 1 to active}\n"
        "# trial/more/tiles.yaml\ntiles:\n  - {id: wide, count: 2,"
        " edges: [track, track, track, track],"
        " segments: {r: {kind: track, at: [N, E, S, W]},"
        " a: {kind: meadow, at: [NNE, ENE]}, b: {kind: meadow, at: [ESE, SSE]},"
        " c: {kind: meadow, at: [SSW, WSW]}, d: {kind: meadow, at: [WNW, NNW]}}}\n"
    )
    library, _ = library_of(PLAYED_WITH.format("{trial/more: tiles}") + more, tmp_path)
    game, reporter = load_game("trial/house", {}, library)
    assert game is not None, [str(found) for found in reporter.diagnostics]
    assert "wide" in ids(game.pieces) and "more.rule" not in rule_ids(game)


# ------------------------------------------------------------------ every ruleset in every part


@pytest.mark.parametrize("name", slow_unless(is_sampled, LIBRARY.ids()))
def test_every_part_links_or_says_what_it_needs(name: str) -> None:
    ruleset = LIBRARY.load_rules(name, Reporter())
    assert ruleset is not None
    topics = sorted({s.topic.split(".")[0] for s in ruleset.statements})
    for part in ("tiles", "components", "rules", *(f"minus={topic}" for topic in topics)):
        game, text = loaded(f"{name}:{part}")
        errors = {d.code for d in text if d.severity is Severity.ERROR}
        assert (game is None) == bool(errors), (part, text)
        assert errors <= REFUSALS, (part, [str(d) for d in text])


# ------------------------------------------------------------------ at the command line


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        (["check", f"{EXPANSION}:tiles"], 0, "4 notes"),
        (["check", f"{EXPANSION}:minus=x"], 1, "TW754"),
        (["check", "c2/base+house/fairy-five:tiles"], 1, "takes nothing"),
        (["check", f"{EXPANSION}:tils"], 2, "did you mean `tiles`?"),
        (["check", "c2/base:tiles"], 1, "TW756"),
        (["test", f"{EXPANSION}:tiles"], 2, "expected a whole ruleset"),
        (["show", "turn", f"{EXPANSION}:minus=princess"], 0, f"{EXPANSION}:minus=princess"),
        (["show", "turn", "c2/base", "--with", f"{EXPANSION}:tiles"], 0, f"{EXPANSION}:tiles"),
        (["show", "turn", "c2/base", "--with", EXPANSION], 0, f"c2/base+{EXPANSION}"),
        (["show", "turn", "c2/base", "--with", "c2/princess:tiles"], 2, "unknown ruleset"),
        (["compare", EXPANSION, f"{EXPANSION}:minus=princess", "--full"], 0, "princess.removal"),
        (["matrix", "--mix", f"c2/farmers+{EXPANSION}:tiles", "--games", "1"], 0, "1 game"),
    ],
)
def test_a_part_may_stand_where_a_game_is_written(
    words: list[str], status: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == status
    out = capsys.readouterr()
    assert expected in out.out + out.err


def test_a_folder_may_be_taken_in_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library_of("# rules/trial.yaml\nvalues: {}\n", tmp_path)
    folder = tmp_path / "trial" / "first"
    table = TRIALS
    words = ["show", "turn", str(table / "trial" / "table"), "--with", f"{folder}:tiles"]
    assert run(words) == 0
    assert "trial/first:tiles+trial/table" in capsys.readouterr().out


def test_a_house_rule_with_parts_is_checked(tmp_path: Path) -> None:
    library, _ = library_of(PLAYED_WITH.format("{base: minus table.pay}"), tmp_path)
    found = [d for d in check(library, ["trial/house"]) if d.severity is Severity.ERROR]
    assert [d.code for d in found] == ["TW757"]
