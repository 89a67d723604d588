"""The package as programs use it: matches, options, events and states as data, and questions."""

from __future__ import annotations

import copy
import json
import random
import runpy
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from support import state_schema
from support.examples import examples
from support.paths import ROOT
from tilewright.faces.api import events
from tilewright.play.observation import State

#: small and large, with figures that nobody owns, tokens, companions, hands and two-cell pieces
GAMES = (
    "c2/base",
    "c2/traders-and-builders+c2/princess-and-dragon",
    "c3.1/dragon-and-fairy+c3.1/traders-and-builders+c3/farmers",
    "c2/base+house/hand-of-three",
    "c2/abbot+c2/inns-and-cathedrals",
)
LINKED: dict[str, tw.Game] = {}
VALIDATOR = jsonschema.Draft202012Validator(state_schema.schema())


def linked(game: str) -> tw.Game:
    if game not in LINKED:
        LINKED[game] = tw.game(game)
    return LINKED[game]


def played(game: str, seed: int, choices: int, players: int = 2) -> tw.Match:
    match = tw.match(linked(game), players, seed)
    lot = random.Random(seed)
    for _ in range(choices):
        if match.is_over:
            break
        match.choose(lot.randrange(match.count))
    return match


# ------------------------------------------------------------------ options


@pytest.mark.parametrize("game", GAMES)
def test_an_option_is_its_text_and_what_it_is_about(game: str) -> None:
    match = tw.match(linked(game), 2, 4)
    lot = random.Random(4)
    for _ in range(120):
        if match.is_over:
            break
        options = match.options
        assert len(options) == match.count
        texts = options.texts
        assert tuple(option.text for option in options) == texts
        for option in (options[0], options[-1]):
            assert option in options
            assert option.text in options
            assert option.text.startswith(option.verb)
            if option.cell is not None:
                assert f"{option.cell[0]},{option.cell[1]}" in option.text
            if option.segment is not None:
                assert f"/{option.segment}" in option.text
        match.choose(lot.choice(options))


def test_a_choice_by_an_option_is_that_by_its_text_and_by_its_number() -> None:
    match = played("c2/base", 3, 8)
    digests = set()
    for choice in (match.options[1], match.options[1].text, 1):
        fork = match.fork()
        fork.choose(choice)
        digests.add(fork.digest)
    assert len(digests) == 1


def test_options_of_another_decision_are_refused() -> None:
    match = tw.match("c2/base", seed=1)
    options = match.options
    first = options[0]
    match.choose(first)
    with pytest.raises(tw.NotOfferedError, match="has been made"):
        len(options)
    with pytest.raises(tw.NotOfferedError, match="another decision"):
        match.choose(first)
    assert first not in match.options
    assert "nonsense" not in match.options


def test_to_count_options_makes_no_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise AssertionError("a text was made")

    monkeypatch.setattr("tilewright.faces.api.options.numbered_option_text", refuse)
    match = tw.match("c2/base", seed=1)
    assert len(match.options) == match.count > 0
    with pytest.raises(AssertionError, match="a text was made"):
        match.options[0]


# ------------------------------------------------------------------ events and history


def is_plain(value: Any) -> bool:
    if is_dataclass(value):
        return all(is_plain(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, (tuple, list)):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(isinstance(k, str) and is_plain(v) for k, v in value.items())
    return value is None or isinstance(value, (str, int, bool))


def test_every_event_is_a_name_of_the_package() -> None:
    found = vars(events).items()
    kinds = {n for n, kind in found if isinstance(kind, type) and issubclass(kind, tw.Event)}
    assert len(kinds) > 10 and kinds <= {*tw.__all__}
    assert all(getattr(tw, name) is getattr(events, name) for name in kinds)


@pytest.mark.parametrize("game", GAMES)
def test_events_are_data_and_tell_all_points(game: str) -> None:
    match = tw.match(linked(game), 2, 9)
    heard: list[tw.Event] = []
    match.listen(heard.append)
    match.play_out("random", seed=9)
    assert all(is_plain(event) and event.text for event in heard)
    for seat, points in match.points.items():
        gained = [e.points for e in heard if isinstance(e, tw.Awarded) and e.player == seat]
        assert sum(gained) == points
    laid = [(e.piece, list(e.cell)) for e in heard if isinstance(e, tw.Laid)]
    board = [(tile["piece"], tile["cell"]) for tile in match.state()["board"]]
    assert laid == board[len(board) - len(laid) :]
    assert isinstance(heard[-1], tw.MatchEnded)
    assert sum(isinstance(e, tw.Chosen) for e in heard) == sum(n >= 0 for n in match.log)


def test_where_figures_go_is_told_by_events() -> None:
    match = tw.match(linked(GAMES[1]), 3, 5)
    places = {f["id"]: f["place"] for f in match.state()["figures"]}

    def hear(event: tw.Event) -> None:
        if isinstance(event, tw.Moved):
            places[event.figure] = event.place
        elif isinstance(event, tw.Returned):
            places[event.figure] = "home"

    match.listen(hear)
    lot = random.Random(5)
    for _ in range(200):
        match.choose(lot.randrange(match.count))
        assert places == {f["id"]: f["place"] for f in match.state()["figures"]}


@pytest.mark.parametrize("game", GAMES)
def test_the_history_leads_to_the_same_position(game: str) -> None:
    match = played(game, 6, 60)
    history = match.history
    assert len(history) == sum(n >= 0 for n in match.log)
    again = tw.match(linked(game), 2, 6)
    for move in history:
        assert again.to_move == move.player
        again.choose(move.option)
    assert again.digest == match.digest
    assert tw.resume(match.save()).history == history
    assert match.fork().history == history


def test_the_history_of_a_laid_out_match_begins_with_its_layout() -> None:
    layout = tw.Layout(board=["city1_road_straight 0,0 N"])
    match = tw.match("c2/base", layout=layout, draws=["road_curve", "road_straight"])
    match.choose(0)
    match.choose(match.options[-1])
    assert [move.option.piece for move in match.history] == ["road_curve", None]
    drawn = [e for e in match.history[1].events if isinstance(e, tw.Drawn)]
    assert [event.piece for event in drawn] == ["road_straight"]


# ------------------------------------------------------------------ the state


def test_the_schema_of_the_state_is_that_of_its_types() -> None:
    assert state_schema.FILE.read_text("utf-8") == state_schema.text(), (
        "run `python tests/support/state_schema.py`"
    )


@examples(15)
@given(st.sampled_from(GAMES), st.integers(0, 50), st.integers(0, 100))
def test_a_state_keeps_to_its_schema(game: str, seed: int, choices: int) -> None:
    match = played(game, seed, choices, 3)
    for player in (None, *match.players):
        state = match.state(player)
        assert list(state) == list(get_type_hints(State))
        plain = json.loads(json.dumps(state))
        assert plain == state
        assert VALIDATOR.is_valid(plain)


@examples(25)
@given(st.sampled_from(GAMES), st.integers(0, 50), st.integers(0, 150))
def test_a_state_adds_up(game: str, seed: int, choices: int) -> None:
    match = played(game, seed, choices, 3)
    state = match.state()
    figures = state["figures"]
    assert len({figure["id"] for figure in figures}) == len(figures)
    for player in state["players"]:
        home = [f for f in figures if f["owner"] == player["seat"] and f["place"] == "home"]
        assert sum(player["supply"].values()) == len(home)
        assert player["points"] == match.points[player["seat"]]
    standing = [f["id"] for f in figures if "/" in f["place"]]
    assert sorted(i for x in state["features"] for i in x["figures"]) == sorted(standing)
    for piece in state["pieces"].values():
        assert piece["laid"] + piece["unseen"] <= piece["count"]
    shown = [p for s in state["stacks"].values() for p in s.get("pieces", ())]
    counted = sum(p["laid"] + p["unseen"] for p in state["pieces"].values()) + len(shown)
    # a piece that is drawn and not laid yet is in no stack
    assert sum(p["count"] for p in state["pieces"].values()) - counted <= 1
    if state["to_lay"] is not None:
        assert match.options[0].piece == state["to_lay"]


def test_a_player_sees_the_own_hand_and_nobody_elses() -> None:
    match = played("c2/base+house/hand-of-three", 1, 5)
    seen = {seat: match.state(seat)["stacks"] for seat in match.players}
    for seat, stacks in seen.items():
        for other in match.players:
            assert ("pieces" in stacks[f"{other} tiles_in_hand"]) == (seat == other)
    assert "pieces" not in match.state()["stacks"]["red tiles_in_hand"]
    with pytest.raises(ValueError, match="nobody plays at the seat `pink`"):
        match.state("pink")


def test_what_is_offered_from_a_hand_is_told_to_its_owner_only() -> None:
    match = tw.match(linked("c2/base+house/hand-of-three"), seed=1)
    assert match.to_move == "red"
    assert match.options.texts[0].startswith("play ")
    assert match.state("red")["options"] == list(match.options.texts)
    assert match.state()["options"] == match.state("blue")["options"] == []


# ------------------------------------------------------------------ the beginning, and copies


def test_a_match_begins_with_what_lies_on_the_table() -> None:
    layout = tw.Layout(
        board=["city1_road_straight 0,0 N", "road_curve 1,0 N"],
        figures={"red meeple": "0,0/c1"},
        points={"red": 5},
        stacks={"land": ["road_curve", "road_curve"]},
        active="blue",
        turn=7,
    )
    match = tw.match("c2/base", 2, layout=layout, draws=["road_curve"])
    state = match.state()
    assert match.turn == 7
    assert (match.to_move, match.points) == ("blue", {"red": 5, "blue": 0})
    assert (state["to_lay"], state["stacks"]["land"]) == ("road_curve", {"count": 1})
    assert state["players"][0]["supply"]["meeple"] == 6
    assert [f["place"] for f in state["figures"] if f["id"] == "red meeple 1"] == ["0,0/c1"]


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (tw.Layout(board=["city1_rod 0,0 N"]), "unknown piece `city1_rod`"),
        (tw.Layout(board=["road_curve 0,0 N"], figures={"red ghost": "0,0"}), "red ghost"),
        (tw.Layout(active="pink"), "`pink` is not a player here"),
        (tw.Layout(turn=2), "without a `board` the game is set up and begins with turn 1"),
    ],
)
def test_what_cannot_lie_on_the_table_is_refused(layout: tw.Layout, expected: str) -> None:
    with pytest.raises(tw.RulesetError, match=expected):
        tw.match("c2/base", layout=layout)


@pytest.mark.parametrize("turn", [0, -1, 10**9])
def test_a_turn_that_no_match_has_is_refused(turn: int) -> None:
    with pytest.raises(ValueError, match="expected a turn from 1 to"):
        tw.match("c2/base", layout=tw.Layout(board=["road_curve 0,0 N"], turn=turn))


def test_draws_are_forced_at_the_beginning_and_on_the_way() -> None:
    match = tw.match("c2/base", draws=["road_straight"])
    assert match.state()["to_lay"] == "road_straight"
    match.force_draws("road_curve")
    match.choose(0)
    match.choose(match.options[-1])
    assert match.state()["to_lay"] == "road_curve"
    with pytest.raises(tw.RulesetError, match="did you mean `road_curve`"):
        match.force_draws("road_curv")


def test_a_copy_is_a_match_of_its_own() -> None:
    match = tw.match("c2/base", seed=2)
    other = copy.copy(match)
    assert other.digest == match.digest
    other.choose(0)
    assert other.digest != match.digest


def test_a_game_of_another_program_is_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(ROOT / "examples" / "foreign-game" / "replay.py"))
    match = example["replayed"](example["RECORD"].read_text("utf-8"))
    assert match.points == {"red": 8, "blue": 3}
    with pytest.raises(ValueError, match="cannot be laid at"):
        example["replayed"]("J 7 7 0 -")


# ------------------------------------------------------------------ printed segments


@pytest.mark.parametrize("game", GAMES)
def test_pieces_turn_as_they_lie_on_the_board(game: str) -> None:
    pieces = linked(game).pieces
    for piece in pieces.values():
        for face in piece.faces:
            for tile in face:
                assert tile.turned(4) == tile
                assert tile.turned(1).turned(1).turned(1) == tile.turned(3)
    match = played(game, 2, 80)
    edges: dict[tuple[int, int], tuple[str, ...]] = {}
    for laid in match.state()["board"]:
        faces = pieces[laid["piece"]].faces[laid["face"]]
        if len(faces) == 1:
            x, y = laid["cell"]
            edges[x, y] = faces[0].turned("NESW".index(laid["north"])).edges
    joined = 0
    for (x, y), (north, east, _, _) in edges.items():
        for cell, mine, side in (((x, y + 1), north, 2), ((x + 1, y), east, 3)):
            if cell in edges:
                assert edges[cell][side] == mine
                joined += 1
    assert joined > 10


# ------------------------------------------------------------------ questions


RULE = "id: my/rule\nkind: house\ntitle: {en: Mine}\nrequires: {base: c2/base}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = tmp_path / "my" / "rule"
    (own / "rules").mkdir(parents=True)
    (own / "module.yaml").write_text(RULE)
    (own / "rules" / "mine.yaml").write_text(
        "patches:\n  - {id: mine.tile, set: city.tile_points, to: 3, why: cities are dear}\n"
    )
    return own


def test_rulesets_are_checked_by_id_and_by_folder(folder: Path) -> None:
    found = tw.check(folder)
    assert found == tw.check("my/rule", folders=[folder.parents[1]])
    assert all(isinstance(each, tw.Diagnostic) for each in found)
    (folder / "rules" / "mine.yaml").write_text(
        "patches:\n  - {id: mine.tile, set: city.tile_pnts}\n"
    )
    assert [str(d.severity) for d in tw.check(folder)].count("error") >= 1
    for name in ("c2/bas", "./nowhere", "c2/base+rivr"):
        with pytest.raises(tw.RulesetError):
            tw.check(name)
        with pytest.raises(tw.RulesetError):
            tw.game(name)
    assert {each.code for each in tw.check("c2/base?sixth_player=on")} == {"TW705"}


def test_games_are_compared_and_their_changes_listed(folder: Path) -> None:
    comparison = tw.compare("c2/base", f"c2/base+{folder}")
    assert isinstance(comparison, tw.Comparison)
    assert not comparison.is_same
    change = next(c for c in tw.diff("c2/base", f"c2/base+{folder}").changes if c.kind == "value")
    assert change.id == "city.tile_points"
    with pytest.raises(tw.RulesetError, match="unknown ruleset"):
        tw.compare("c2/base", "c2/nothing")
    with pytest.raises(tw.RulesetError, match="unknown ruleset"):
        tw.diff("c2/base", "c2/nothing")
    with pytest.raises(ValueError, match="two games or more"):
        tw.compare("c2/base")


def test_scenarios_are_played_and_what_cannot_be_read_is_no_success(folder: Path) -> None:
    assert tw.test("house/ten-turns").passed
    assert not tw.test(folder).passed  # there is none
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "bad.yaml").write_text("scenarios:\n\t- id: x\n")
    found = tw.test(folder)
    assert found.unreadable
    assert not found.passed


def test_points_are_explained_down_to_their_sources() -> None:
    match = played("c2/base", 3, 120)
    found = tw.why(match)
    assert sum(each.award.points for each in found) == sum(match.points.values())
    assert all(is_plain(each) for each in found)
    reds = tw.why(match, player="red")
    assert reds == tuple(each for each in found if each.award.player == "red")
    assert tw.why(match, turn=found[0].award.turn)[0] == found[0]
    assert any("base-" in statement for item in found[0].items for statement in item.statements)


def test_the_first_hint_is_the_choice_of_the_greedy_bot() -> None:
    match, greedy = played("c2/base", 2, 31), tw.bot("greedy")
    before = match.digest
    hints = match.hints(5)
    assert hints[0].option.index == greedy(match)
    assert [hint.lead for hint in hints] == sorted((hint.lead for hint in hints), reverse=True)
    assert match.digest == before
    assert is_plain(hints)


def test_an_option_that_is_not_offered_has_reasons() -> None:
    match = tw.match("c2/base", seed=1)
    assert match.why_not(match.options.texts[0]) == ()
    (refusal,) = match.why_not("lay 0,0 N")
    assert refusal.rule == "tile.placement"
    assert refusal.statements


def test_all_errors_end_in_error() -> None:
    raised = [n for n in tw.__all__ if isinstance(getattr(tw, n), type)]
    raised = [n for n in raised if issubclass(getattr(tw, n), Exception)]
    assert raised == ["NotOfferedError", "RuleError", "RulesetError"]


@pytest.mark.parametrize("name", ["zzz", ":tiles", "", " ", "+", "c2/base+", "+c2/base"])
def test_a_name_that_no_ruleset_has_is_refused(name: str) -> None:
    for ask in (tw.game, tw.match, tw.check):
        with pytest.raises(tw.RulesetError):
            ask(name)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: tw.game(None),
        lambda: tw.game([]),
        lambda: tw.match(0),
        lambda: tw.check(None),
        lambda: tw.match("c2/base", players="two"),
        lambda: tw.match("c2/base", layout=1),
        lambda: tw.match("c2/base").choose(None),
        lambda: tw.bot(None),
        lambda: tw.why("c2/base"),
    ],
)
def test_a_value_of_a_wrong_type_is_named(ask: Any) -> None:
    with pytest.raises(TypeError, match=r"expected .*, found "):
        ask()


def test_points_of_somebody_who_does_not_play_are_refused() -> None:
    with pytest.raises(ValueError, match="nobody plays at the seat `mauve`"):
        tw.why(tw.match("c2/base"), player="mauve")


def test_folders_are_looked_through_wherever_a_game_is_a_text(tmp_path: Path) -> None:
    folder = tmp_path / "house" / "mine"
    folder.mkdir(parents=True)
    module = "id: house/mine\nkind: house\ntitle: Mine\nrequires: {base: c2/base}\n"
    (folder / "module.yaml").write_text(module)
    for ask in (tw.game, tw.match):
        assert ask("house/mine", folders=[tmp_path]) is not None
