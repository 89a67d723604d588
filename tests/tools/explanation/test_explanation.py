"""Why points were given, and why options are not: rules, their grounds, and what was counted."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.played import MIXES, go_on, played, program_of
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.match import Match
from tilewright.play.new_match import begin, start_match
from tilewright.play.notation import feature_text, find_option, option_texts, spot_text
from tilewright.play.replay import LogError
from tilewright.rules.reading.library import Library
from tilewright.tools.explanation.hints import _grown
from tilewright.tools.explanation.legality import Reason, why_not
from tilewright.tools.explanation.score_log import (
    Award,
    Explained,
    Item,
    gain_text,
    grounds,
    why,
)
from tilewright.tools.workspace.loading import load_game


def match_after(game: str, draws: str, *lines: str) -> Match:
    """A match of two in which these pieces are drawn and these lines are chosen."""
    program = program_of(game)
    match = Match(program, 2, "told")
    match.forced_draws = [program.piece_number[name] for name in draws.split()]
    begin(match)
    for line in lines:
        number = find_option(match, line)
        assert number is not None, (line, option_texts(match))
        match.choose_number(number)
    return match


def rules(match: Match, text: str) -> list[str]:
    return [reason.rule for reason in why_not(match, text)]


def sentences(match: Match, text: str) -> list[str]:
    return [reason.sentence for reason in why_not(match, text)]


# ------------------------------------------------------------------ why


@pytest.mark.parametrize("game", MIXES)
def test_the_awards_add_up_to_the_points(game: str) -> None:
    match = played(game, players=3)
    found = why(match)
    for player in match.players:
        mine = [entry.award for entry in found if entry.award.player == player]
        assert sum(award.points for award in mine) == match.points[player]
    for entry in found:
        assert sum(item.points for item in entry.award.items) == entry.award.points
        assert all(part.grounds.statements for part in entry.items)
        assert all(part.item.facts for part in entry.items if part.item.points)


def test_a_replaced_rule_names_the_patch_that_replaced_it(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "module.yaml").write_text(
        "id: trial/pays\nkind: house\ntitle: pays\nrequires: {base: c2/base}\n"
    )
    (tmp_path / "rules" / "pays.yaml").write_text(
        "patches:\n  - id: pays.draw\n    replace: turn.draw\n    why: a tile costs two points\n"
        "    on: step draw_tile\n    do: |\n      draw_piece()\n      award 0 - 2 to active\n"
    )
    game, reporter = load_game("trial/pays", {}, Library((tmp_path,)))
    assert game is not None, reporter.diagnostics
    match = start_match(compile_game(game), 2, "told")
    (entry, *_) = why(match)
    assert entry.award.text() == "-2 = turn.draw -2"  # scenarios know the rule by its name
    assert entry.award.text("en") == "2 = pays draw 2"  # the sentence calls it a loss
    assert entry.by.named() == "turn.draw, replaced by pays.draw of trial/pays"
    (change,) = entry.items[0].grounds.changes
    assert "`turn.draw` was replaced by patch `pays.draw` of `trial/pays`: a tile costs" in change


REWARD = """
memory:
  lonely: {type: "player?", per: game}
values:
  reward.each: {type: number, is: 3}
  reward.least: {type: number, is: 5}
definitions:
  worth:
    parameters: {n: number}
    type: number
    combine: one
    says: what a reward is worth
    default: "if n > 4 then reward.each else reward.each * n"
  raised:
    parameters: {n: number}
    type: number
    combine: chain
    says: a reward after it was raised
  prizes:
    type: number
    combine: items
    says: what everybody gets
rules:
  - id: reward.least_is_five
    amend: worth(n)
    when: n < 2
    value: reward.least
  - id: reward.raised
    amend: raised(n)
    value: n + 1
  - id: reward.prize
    amend: prizes
    item: {en: prize}
    value: reward.each
  - id: reward.given
    on: step draw_tile
    do: |
      let many = count(players)
      award NUMBER to active
"""


def rewarded(folder: Path, number: str, rules: str = REWARD) -> Explained:
    """The first award of a match in which a rule gives this number of points."""
    (folder / "rules").mkdir()
    (folder / "module.yaml").write_text(
        "id: trial/reward\nkind: house\ntitle: reward\nrequires: {base: c2/base}\n"
    )
    (folder / "rules" / "reward.yaml").write_text(rules.replace("NUMBER", number))
    game, reporter = load_game("trial/reward", {}, Library((folder,)))
    assert game is not None, reporter.diagnostics
    return why(start_match(compile_game(game), 2, "told"))[0]


@pytest.mark.parametrize(
    ("number", "facts"),
    [
        ("2", {}),
        ("many + 1", {"many": 2}),
        ("2 * count(players) -\n        reward.each", {"count(players)": 2, "reward.each": 3}),
        ("sum p in players: many", {"sum p in players: many": 4}),
        ("worth(many)", {"reward.each": 3, "n": 2}),
        ("worth(many + 7)", {"reward.each": 3}),
        ("worth(1)", {"reward.least": 5}),
        ("raised(worth(many))", {"reward.each": 3, "n": 2}),
        ("raised(worth(1))", {"reward.least": 5}),
        ("1 + (if lonely is something then lonely.points else many)", {"many": 2}),
        ("-prizes()", {"prizes()": 3}),
        ("many * prizes()", {"many": 2, "prizes()": 3}),
    ],
)
def test_an_award_without_items_says_what_it_read(
    tmp_path: Path, number: str, facts: dict[str, int]
) -> None:
    (first, *_) = rewarded(tmp_path, number).items
    assert first.item.name == "reward.given"
    assert dict(first.item.facts) == facts


ONE_LINE = """
definitions:
  worth: {parameters: {n: number}, type: number, combine: one, says: worth, default: n}
rules:
  - {id: reward.changed, amend: worth(n), when: n > 9 and n < 12, value: n * turn + count(players)}
  - {id: reward.given, on: step draw_tile, when: count(players) > 1 and turn > 0, do: NUMBER}
"""


@pytest.mark.parametrize(
    ("effect", "facts"),
    [
        ("award turn * 2 + count(laid) to active", {"turn": 1, "count(laid)": 0}),
        ("award worth(count(players) + 8) to active", {"n": 10, "turn": 1, "count(players)": 2}),
    ],
)
def test_a_rule_on_one_line_is_quoted_part_by_part(
    tmp_path: Path, effect: str, facts: dict[str, int]
) -> None:
    (item, *_) = rewarded(tmp_path, effect, ONE_LINE).items
    assert dict(item.item.facts) == facts


@pytest.mark.parametrize("less", [1, 2, 3])
def test_what_is_taken_from_items_is_of_the_rule_that_takes_it(tmp_path: Path, less: int) -> None:
    rules = REWARD.replace(
        "    value: reward.each\n  - id: reward.given",
        """    value: reward.each
  - id: reward.second
    amend: prizes
    item: {en: second}
    value: 2
  - id: reward.given""",
    )
    items = rewarded(tmp_path, f"prizes() - {less}", rules).items
    found = [(part.item.name, part.item.points) for part in items]
    assert found == [("prize", 3), ("second", 2), ("reward.given", -less)]


@pytest.mark.parametrize("number", ["prizes() + many", "many + prizes()", "prizes() - many"])
def test_items_that_are_added_to_a_number_are_kept_apart(tmp_path: Path, number: str) -> None:
    found = rewarded(tmp_path, number)
    rest = found.award.points - 3
    items = [(part.item.name, part.item.points) for part in found.items]
    assert items == [("prize", 3), ("reward.given", rest)]


def two_caps() -> tuple[Explained, ...]:
    match = match_after("c2/base", "city1 city1", "lay 0,1 S", "deploy meeple 0,1/c1")
    return why(match)


def test_an_award_has_its_items_facts_and_statements() -> None:
    (entry,) = two_caps()
    assert entry.award.text() == "4 = tiles 4"
    assert (entry.award.turn, entry.award.step) == (1, "score_features")
    assert entry.award.feature == "city 0,0/c1"
    assert entry.by.rule == "scoring.feature"
    (tiles, coats) = entry.items
    assert tiles.item.rule == "city.tiles"
    assert tiles.item.facts == (("city.tile_points", 2), ("x.size", 2))
    assert tiles.grounds.place.file.endswith("scoring.yaml")
    assert [cited.id for cited in tiles.grounds.statements][:1] == ["base-city-score"]
    assert tiles.grounds.statements[0].section == "Cities"
    assert (coats.item.name, coats.item.points) == ("coats of arms", 0)


def test_awards_are_asked_for_by_player_and_turn() -> None:
    match = played("c2/base", players=2)
    everything = why(match)
    assert {entry.award.player for entry in why(match, player=1)} == {1}
    last = everything[-1].award.turn
    assert {entry.award.turn for entry in why(match, turn=last)} == {last}
    assert len(why(match, player=0)) + len(why(match, player=1)) == len(everything)


def test_a_number_that_was_changed_says_by_whom() -> None:
    game = program_of("c2/princess-and-dragon+house/fairy-five").game
    found = grounds(game, "fairy.bonus", ["fairy.feature_points"])
    assert any("house/fairy-five" in change for change in found.changes)


def test_a_match_that_was_laid_out_does_not_pretend() -> None:
    match = played("c2/base", 20)
    match.points[0] += 1
    with pytest.raises(LogError, match="did not begin at the beginning"):
        why(match)


# ------------------------------------------------------------------ why not: placements


def test_an_option_that_is_offered_needs_no_reason() -> None:
    match = match_after("c2/base", "city1")
    assert all(why_not(match, text) == [] for text in option_texts(match))


def test_a_filled_cell_bars_a_placement() -> None:
    (reason,) = why_not(match_after("c2/base", "city1"), "lay 0,0 N")
    assert reason.rule == "tile.placement"
    assert reason.sentence == "a tile with a city and a road lies there already"
    assert "base-place-edge" in [cited.id for cited in reason.statements]


def test_a_cell_that_touches_nothing_bars_a_placement() -> None:
    assert sentences(match_after("c2/base", "city1"), "lay 3,0 N") == ["this place touches no tile"]


def test_an_edge_that_does_not_match_is_named() -> None:
    found = sentences(match_after("c2/base", "city1"), "lay 1,0 N")
    assert found == [
        "the west edge shows a field; its neighbour, the tile with a city and a road, shows a road"
    ]


def test_a_placement_that_looks_the_same_is_pointed_to() -> None:
    match = match_after("c2/base", "monastery_field")
    assert "lay 0,-1 N" in option_texts(match)
    assert sentences(match, "lay 0,-1 S") == [
        "the tile looks the same turned to the north; that is one of the options"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lay 0,1", "expected a cell and a direction such as `0,1 N`, found `0,1`"),
        ("lay 0,1 Q", "expected a cell and a direction such as `0,1 N`, found `0,1 Q`"),
        ("lay 0,1 N turned over", "this tile has no other face"),
        (
            "lya 0,1 S",
            "`lya 0,1 S` is not an option here; did you mean `lay 0,1 S`?",
        ),
        ("blue lay 0,1 S", "it is for red to choose, not for blue"),
        ("pass", "one of the options must be chosen"),
        (
            "deploy meeple 0,0/c1",
            "“place” belongs to the step “place a meeple”; now it is the step “place the tile”",
        ),
    ],
)
def test_a_text_without_a_meaning_here_is_explained(text: str, expected: str) -> None:
    assert sentences(match_after("c2/base", "city1"), text) == [expected]


def test_the_own_colour_may_be_said() -> None:
    match = match_after("c2/base", "city1")
    assert why_not(match, "red: lay 0,1 S") == []
    assert sentences(match, "red lay 3,0 N") == ["this place touches no tile"]


def test_nothing_is_offered_when_the_game_is_over() -> None:
    assert sentences(played("c2/base"), "lay 0,0 N") == ["the game is over"]


# ------------------------------------------------------------------ why not: actions


def test_a_segment_of_another_tile_is_no_target() -> None:
    match = match_after("c2/base", "city1", "lay 0,1 S")
    (reason,) = why_not(match, "deploy meeple 0,0/c1")
    assert reason.rule == "figures.targets"
    assert reason.sentence == "The meeple goes onto this turn's tile; older tiles are out of reach."
    assert reason.condition == "it is not among `segments(laid)`"
    assert [cited.says for cited in reason.cites if not cited.says] == [""]
    assert "base-meeple-just-placed" in [cited.id for cited in reason.statements]


def test_an_occupied_feature_bars_another_figure() -> None:
    match = match_after(
        "c2/base",
        "road_straight crossroads4",
        "lay 1,0 E",
        "deploy meeple 1,0/r1",
        "lay 2,0 N",
    )
    (reason,) = why_not(match, "deploy meeple 2,0/r4")
    assert reason.rule == "figures.unoccupied"
    assert reason.sentence == "the road of 3 tiles with red's highwayman is occupied"
    assert reason.condition == "`s.feature is not occupied` does not hold where `f has follower`"


def test_a_kind_without_a_role_can_not_stand_there() -> None:
    match = match_after("c2/farmers", "city1", "lay 0,1 S")
    assert "deploy meeple 0,1/f1" in option_texts(match)
    match = match_after("c3/base", "city1", "lay 0,1 S")
    (reason,) = why_not(match, "deploy meeple 0,1/f1")
    assert reason.sentence == "`0,1/f1` is printed there, but this game does not use it"


def test_every_rule_that_bars_is_named() -> None:
    game = "c2/princess-and-dragon"
    match = match_after(
        game,
        "road_straight city1 volcano_city1",
        "lay 1,0 E",
        "deploy meeple 1,0/r1",
        "lay 0,1 S",
        "pass",
        "lay 0,-1 S",
    )
    assert rules(match, "deploy meeple 0,-1/c1") == [
        "dragon.arrival.bars_figures",
        "dragon.shares_no_tile",
    ]
    assert rules(match, "deploy meeple 1,0/r1") == ["figures.targets", "figures.unoccupied"]


def test_the_figure_of_somebody_else_is_no_figure_of_mine() -> None:
    match = match_after("c2/base", "city1", "lay 0,1 S")
    assert rules(match, "deploy blue meeple 0,1/c1") == ["figures.deploy"]


def test_an_empty_supply_is_named_as_the_reason() -> None:
    match = match_after("c2/base", "city1", "lay 0,1 S")
    mine = match.of_player[0]
    for figure in range(len(match.spot)):
        if mine >> figure & 1:
            match.hand(figure, 0)
    assert sentences(match, "deploy meeple 0,1/c1") == ["red has no meeple left"]


@pytest.mark.parametrize(
    "text", ["deploy", "deploy meeple", "deploy x 0,1/c1", "deploy meeple 9,9/c1"]
)
def test_half_a_line_is_explained_by_the_action_alone(text: str) -> None:
    (reason,) = why_not(match_after("c2/base", "city1", "lay 0,1 S"), text)
    assert (reason.rule, reason.statements) == ("figures.deploy", ())


# ------------------------------------------------------------------ why not: choices


def walk() -> Match:
    """A match at a step of a walk over the board."""
    match = played("c2/princess-and-dragon", 0, seed="walk")
    while match.step != "dragon_moves":
        go_on(match, 1, "walk")
    return match


def test_a_condition_on_what_may_be_chosen_is_named() -> None:
    match = walk()
    walker = next(f for f in range(len(match.spot)) if match.figure_name(f) == "dragon")
    (reason,) = why_not(match, f"dragon to {spot_text(match, walker)}")
    assert reason.rule == "dragon.movement"
    assert reason.sentence == "the tile with the dragon cannot be chosen for “move the dragon”"
    assert reason.condition == "it is not among `neighbours(here)`"


def test_a_reason_names_its_rule_and_its_statements() -> None:
    reason, *_ = why_not(match_after("c2/base", "city1"), "lay 0,0 N")
    assert reason.text() == "a tile with a city and a road lies there already (tile.placement)"
    assert reason.statements[0].text().startswith("base-place-edge: ")


@pytest.mark.parametrize("game", MIXES)
def test_every_option_of_another_moment_has_a_reason(game: str) -> None:
    earlier: set[str] = set()
    for choices in (3, 40, 90, 130):
        match = played(game, choices, players=2)
        offered = set(option_texts(match))
        for text in sorted(earlier - offered)[:12]:
            reasons = why_not(match, text)
            assert reasons
            assert all(isinstance(reason, Reason) and reason.sentence for reason in reasons)
        earlier |= offered


def test_the_place_of_a_rule_is_a_file() -> None:
    (entry,) = two_caps()
    place = Path(entry.items[0].grounds.place.file)
    assert place.suffix == ".yaml"


@pytest.mark.parametrize(
    ("award", "says"),
    [
        ({"place": "road of 5 tiles", "items": {"tiles": 5}},
         "red gains 5 points for the road of 5 tiles"),
        (
            {"place": "city", "items": {"tiles": 4, "shields": -1}},
            "red gains 3 points for the city (tiles 4, shields −1)",
        ),
        ({"items": {"fairy.point": 1}}, "red gains 1 point (fairy point)"),
        ({"items": {"ransom": -3}}, "red loses 3 points (ransom)"),
        ({"place": "city", "items": {"bonus.paid": 2}, "rule": "bonus.paid"},
         "red gains 2 points for the city (bonus paid)"),
    ],
)  # fmt: skip
def test_a_gain_says_how_much_for_what_and_its_items_where_they_say_more(
    award: dict[str, Any], says: str
) -> None:
    match = match_after("c2/base", "city1 city1")
    items = tuple(Item(name, points, "", ()) for name, points in award["items"].items())
    points, rule = sum(award["items"].values()), award.get("rule", "scoring")
    found = Award(0, points, rule, "", items, 1, "", 0, place=award.get("place", ""))
    assert gain_text(match, found, "en") == says


def test_features_that_an_option_joins_are_one_in_its_hint() -> None:
    match, lot, joined = start_match(program_of("c2/farmers"), 2, "joined"), Random(4), 0
    while not match.is_over:
        earlier = match.fork()
        match.choose_number(lot.randrange(match.count))
        roots = set(map(earlier.board.find, chain(*earlier.board.tile_features)))
        before = {(0, feature_text(earlier, root), ""): (1, "") for root in roots}
        grown = _grown(before, match, "en")
        kinds = {match.board.find(root): feature_text(match, root) for root in roots}
        joined += len(grown) < len(before)
        assert set(grown) == {(0, text, "") for text in kinds.values()}
        assert sum(points for points, _ in grown.values()) == len(before)
    assert joined
