"""Matches: choices, branches, bots, hidden hands, files, and what is kept."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from support.hungry import HUNGRY, write_hungry
from support.paths import DATA, TRIALS
from support.ruleset_cases import library_of
from support.studio_client import PEOPLE, Page, RefusedByStudio
from tilewright.faces.studio.client import Client, NoStore
from tilewright.faces.studio.doors.disk import DiskStore
from tilewright.faces.studio.service import answer, settle
from tilewright.language.locale.words import capital
from tilewright.view.board.view import scene_of

DRAINED = """# rules/trial.yaml
rules:
  - id: trial.drained
    on: step draw_tile
    after: [table.draw]
    do: |
      stop if turn < 3
      draw other from away
"""
ALL_C2 = (
    "c2/princess-and-dragon+c2/farmers+c2/abbot+c2/inns-and-cathedrals+c2/traders-and-builders"
    "+c2/river"
)
MINIS = "c2/gold-mines+c2/little-buildings+c2/crop-circles+c2/king-and-robber+c2/shrines"
ALL_C3 = "c3.1/dragon-and-fairy+c3.1/traders-and-builders+c3/farmers+c3/abbot+c3/river"


def played(page: Page, state: Any, choices: int, seed: int = 1) -> Any:
    """The state after random choices."""
    lot = random.Random(seed)
    for _ in range(choices):
        if state["over"]:
            break
        state = page.choose(state, lot.randrange(len(state["offers"])))
    return state


@pytest.mark.parametrize(
    "game",
    [
        "c2/base",
        *(pytest.param(game, marks=pytest.mark.slow) for game in (f"{ALL_C2}+{MINIS}", ALL_C3)),
    ],
)
def test_a_whole_match_is_the_one_of_the_library(game: str) -> None:
    page = Page()
    state = page.new(game, seed="kyiv")
    there = tw.match(game, players=2, seed="kyiv")
    lot = random.Random(2)
    while not state["over"]:
        n = lot.randrange(len(state["offers"]))
        assert [offer["text"] for offer in state["offers"]] == list(there.options.texts)
        there.choose(n)
        state = page.choose(state, n)
    assert state["digest"] == there.inside.digest()
    assert state["winners"] == list(there.state()["winners"])
    assert state["result"]
    saved = page.call("match.save", match=state["match"])
    assert tw.resume(saved["text"]).inside.digest() == state["digest"]


def test_a_page_hears_what_is_done_before_a_match_is_there(tmp_path: Path) -> None:
    making = ["reading", "joining", "compiling"]
    page = Page(store=DiskStore(tmp_path))
    state = page.new("c2/base+c2/river")
    page.call("sheet.get", game=state["game"], match=state["match"])
    assert [step for _, step in page.steps()] == [*making, "setting", "drawing"]
    page.told.clear()
    page.new("c2/base+c2/river")
    assert [step for _, step in page.steps()] == ["setting"]
    later = Page(store=DiskStore(tmp_path))
    later.call("match.state", match=state["match"])
    assert [step for _, step in later.steps()] == [*making, "setting"]


def test_the_board_is_the_one_of_the_library() -> None:
    page = Page()
    state = played(page, page.new(ALL_C2), 120)
    there = tw.resume(page.call("match.save", match=state["match"])["text"]).state()
    cells = {tuple(tile["cell"]) for tile in state["board"]["tiles"]}
    assert {tuple(laid["cell"]) for laid in there["board"]} <= cells
    on_board = {f["id"]: f for f in state["board"]["figures"] if f["cell"] is not None}
    for figure in there["figures"]:
        place = figure["place"].partition("/")[0]
        if figure["id"] in on_board:
            x, y = on_board[figure["id"]]["cell"]
            assert place == f"{x},{y}"
            assert all(-0.3 < u < 1.3 for u in on_board[figure["id"]]["at"])
        else:
            assert "," not in place
    points = {player["seat"]: player["points"] for player in state["players"]}
    assert points == {player["seat"]: player["points"] for player in there["players"]}


def test_every_tile_and_figure_has_its_drawing() -> None:
    page = Page()
    state = played(page, page.new(ALL_C2), 60)
    sheet = page.call("sheet.get", game=state["game"])
    for tile in state["board"]["tiles"]:
        cell = sheet["pieces"][tile["piece"]]["faces"][tile["face"]][tile["part"]]
        assert f'id="{cell["drawings"][tile["turn"]]}"' in sheet["svg"]
    for figure in state["board"]["figures"]:
        assert f'id="{sheet["figures"][figure["kind"]]["standing"]}"' in sheet["svg"]


@pytest.mark.parametrize("game", ["c2/gold-mines", "c2/little-buildings"])
def test_tokens_on_tiles_are_those_of_the_renderer(game: str) -> None:
    page = Page()
    state = page.new(game, seed="1")
    lot = random.Random(3)
    while not state["board"]["tokens"]:
        state = page.choose(state, lot.randrange(len(state["offers"])))
    scene = scene_of(page.studio.trees[state["match"]].match, with_options=False)
    places = [(token.kind.id, token.count, [token.x, token.y]) for token in scene.tokens]
    assert [(t["kind"], t["count"], t["cell"]) for t in state["board"]["tokens"]] == places
    sheet = page.call("sheet.get", game=game)
    assert all(
        sheet["tokens"][t["kind"]]["drawing"] in sheet["svg"] for t in state["board"]["tokens"]
    )


def test_a_sheet_is_plain_svg() -> None:
    from xml.etree import ElementTree

    sheet = Page().call("sheet.get", game="c2/base")
    tree = ElementTree.fromstring(sheet["svg"])
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert tags <= {"svg", "defs", "clipPath", "rect", "g", "path", "circle", "ellipse", "symbol",
                    "use", "text"}  # fmt: skip
    names = {name.rpartition("}")[2] for element in tree.iter() for name in element.attrib}
    assert not any(name.startswith("on") or name == "style" for name in names)
    used = {part.split(")")[0] for part in sheet["svg"].split("var(")[1:]}
    assert used == set(sheet["colours"])


def test_a_part_of_a_sheet_has_only_the_pieces_asked_for() -> None:
    page = Page()
    piece = next(iter(page.call("sheet.get", game="c2/base")["pieces"]))
    assert list(page.call("sheet.get", game="c2/base", pieces=[piece])["pieces"]) == [piece]


# ------------------------------------------------------------------ back and forth


def test_undo_goes_to_the_last_own_choice_and_redo_returns() -> None:
    page = Page()
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "random"}]
    state = page.new(seats=seats)
    first = state["digest"]
    state = page.choose(state)
    while state["decision"]["seat"] != "red" or state["decision"]["kind"] != "placement":
        person = state["decision"]["seat"] == "red"
        n = len(state["offers"]) - 1
        state = page.choose(state, n) if person else page.call("match.bot", match=state["match"])
    later = state["digest"]
    digests = [later]
    while state["can_undo"]:
        state = page.call("match.goto", match=state["match"], step="undo")
        assert state["decision"]["seat"] == "red"
        digests.append(state["digest"])
    assert digests[-1] == first
    while state["can_redo"]:
        state = page.call("match.goto", match=state["match"], step="redo")
    assert state["digest"] == later


def test_another_choice_begins_a_branch_and_keeps_the_other() -> None:
    page = Page()
    state = played(page, page.new(), 6)
    before = page.call("match.tree", match=state["match"])
    earlier = page.call("match.goto", match=state["match"], at=3)
    taken = next(n for n in before["nodes"] if n["parent"] == 3)["notation"]
    other = next(o["n"] for o in earlier["offers"] if o["text"] != taken)
    branch = page.choose(earlier, other)
    tree = page.call("match.tree", match=state["match"])
    assert len(tree["nodes"]) == len(before["nodes"]) + 1
    assert len(tree["nodes"][3]["children"]) == 2
    assert tree["line"][-1] == branch["at"]
    again = page.call("match.goto", match=state["match"], at=state["at"])
    assert again["digest"] == state["digest"]


def test_the_same_choice_is_the_same_node() -> None:
    page = Page()
    start = page.new()
    one = page.choose(start)
    page.call("match.goto", match=start["match"], at=0)
    two = page.call("match.choose", match=start["match"], n=0, at=0)
    assert (one["at"], one["digest"]) == (two["at"], two["digest"])


def test_a_choice_for_another_position_is_refused() -> None:
    page = Page()
    state = page.new()
    page.choose(state)
    with pytest.raises(RefusedByStudio) as refusal:
        page.choose(state)
    assert refusal.value.code == -32002


@pytest.mark.parametrize("wrong", [{"n": -1}, {"n": 10**6}, {"text": "fly to the moon"}, {}])
def test_a_choice_that_is_not_offered_is_refused(wrong: dict[str, Any]) -> None:
    page = Page()
    state = page.new()
    with pytest.raises(RefusedByStudio, match="not offered"):
        page.call("match.choose", match=state["match"], **wrong)
    assert page.call("match.state", match=state["match"])["digest"] == state["digest"]


def test_a_note_stays_at_its_node() -> None:
    page = Page()
    state = page.choose(page.new())
    tree = page.call("match.note", match=state["match"], at=1, mark="!?", note="bold")
    assert (tree["nodes"][1]["mark"], tree["nodes"][1]["note"]) == ("!?", "bold")


# ------------------------------------------------------------------ seats


def test_a_bot_plays_as_on_the_command_line() -> None:
    page = Page()
    seats = [{"kind": "bot", "bot": "greedy"}] * 2
    state = page.new(seats=seats, seed="7")
    there, greedy = tw.match("c2/base", players=2, seed="7"), tw.bot("greedy")
    for _ in range(12):
        there.choose(greedy(there))
        state = page.call("match.bot", match=state["match"])
    assert state["digest"] == there.inside.digest()


def test_a_bot_moves_once_though_two_pages_ask() -> None:
    page = Page()
    state = page.new(seats=[{"kind": "bot"}, {"kind": "bot"}])
    first = page.call("match.bot", match=state["match"], at=state["at"])
    second = page.call("match.bot", match=state["match"], at=state["at"])
    assert first["at"] == second["at"] != state["at"]


def test_a_state_has_its_node_and_events_name_theirs() -> None:
    page = Page()
    state = page.new(seats=[{"kind": "person"}, {"kind": "bot"}])
    while len({event["node"] for event in state["events"]}) < 3:
        person = state["decision"]["seat"] == "red"
        state = page.choose(state, 0) if person else page.call("match.bot", match=state["match"])
    tree = page.call("match.tree", match=state["match"])
    assert state["node"] == tree["nodes"][state["at"]]
    said = [text for node in tree["nodes"] for text in node["log"]]
    assert {event["text"] for event in state["events"]} <= set(said)
    for event in state["events"]:
        assert event["text"] in tree["nodes"][event["node"]]["log"]


@pytest.mark.parametrize("bot", ["chess", "mcts:0", "mcts:900s", "mcts:999999", "mcts:99999ms"])
def test_a_bot_that_does_not_exist_or_thinks_too_long_is_refused(bot: str) -> None:
    with pytest.raises(RefusedByStudio, match=r"bot|too long"):
        Page().new(seats=[{"kind": "bot", "bot": bot}, {"kind": "person"}])


def test_a_person_may_take_the_seat_of_a_bot() -> None:
    page = Page()
    state = page.new(seats=[{"kind": "bot"}, {"kind": "bot"}])
    found = page.call("match.seat", match=state["match"], seat="blue", kind="person", name="Anna")
    assert [player["kind"] for player in found["players"]] == ["bot", "person"]
    assert found["players"][1]["name"] == "Anna"


@pytest.mark.parametrize("game", ["", "+", "nothing", "\u202e", "no/such", "c2/base:x", "x" * 9999])
def test_a_game_that_is_none_is_refused(game: str) -> None:
    with pytest.raises(RefusedByStudio):
        Page().new(game)


def test_a_match_whose_rules_fail_at_once_is_refused(tmp_path: Path) -> None:
    library_of(DRAINED.replace("      stop if turn < 3\n", ""), tmp_path)
    with pytest.raises(RefusedByStudio, match="cannot begin: nothing can be drawn"):
        Page(tmp_path, TRIALS).new("trial/first")


@pytest.mark.parametrize("players", [1, 7])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(RefusedByStudio, match="players"):
        Page().new(seats=[{"kind": "person"}] * players)


def test_a_hidden_hand_is_seen_by_its_owner_alone() -> None:
    page = Page()
    state = page.new("house/hand-of-three")
    assert state["covered"]
    assert state["offers"] == []
    assert state["drawn"] == []
    seat = state["decision"]["seat"] if state["decision"] else ""
    assert seat == "red"
    own = page.call("match.state", match=state["match"], seat="red")
    assert not own["covered"]
    assert own["offers"]
    other = page.call("match.state", match=state["match"], seat="blue")
    assert other["covered"]
    hands = {s["id"]: s for s in other["stacks"] if s["owner"] == "red"}
    assert all("pieces" not in stack for stack in hands.values())


# ------------------------------------------------------------------ sentences


def test_a_decision_is_asked_for_in_the_words_of_its_step() -> None:
    page, lot = Page(), random.Random(1)
    state = page.new("c2/princess-and-dragon", seed="3")
    while not any(offer["text"].startswith("dragon to") for offer in state["offers"]):
        state = page.choose(state, lot.randrange(len(state["offers"])))
    assert state["decision"]["sentence"] == "Move the dragon"
    state = page.new("c2/base")
    assert state["decision"]["sentence"] == "Place the tile"


def test_points_tell_their_cells_and_items() -> None:
    page = Page()
    state = played(page, page.new(), 60, seed=5)
    gains = [g for n in page.call("match.tree", match=state["match"])["nodes"] for g in n["gains"]]
    assert gains
    for gain in gains:
        assert sum(item["points"] for item in gain["items"]) == gain["points"]
        assert gain["cells"]


def test_steps_of_the_turn_are_done_now_or_coming() -> None:
    state = Page().new()
    status = [step["status"] for step in state["steps"]]
    assert status.count("now") == 1
    assert status == sorted(status, key=["done", "skipped", "now", "coming"].index)


def test_a_fault_of_a_rule_can_be_taken_back(tmp_path: Path) -> None:
    library_of(DRAINED, tmp_path)
    page = Page(tmp_path, TRIALS)
    state = page.new("trial/first")
    while not state["over"]:
        state = page.choose(state)
    assert "it is empty" in state["fault"]["text"]
    assert state["fault"]["rule"] == "trial.drained"
    with pytest.raises(RefusedByStudio, match="over"):
        page.choose(state)
    with pytest.raises(RefusedByStudio, match="take the last choice back"):
        page.call("match.save", match=state["match"])
    back = page.call("match.goto", match=state["match"], step="undo")
    assert back["fault"] is None
    assert back["offers"]


# ------------------------------------------------------------------ kept matches and files


def test_a_match_is_kept_with_all_branches_and_offered_again(tmp_path: Path) -> None:
    store = DiskStore(tmp_path)
    page = Page(store=store)
    state = played(page, page.new(), 8)
    page.call("match.goto", match=state["match"], at=2)
    branch = page.choose(page.call("match.state", match=state["match"]), 1)
    page.call("match.note", match=state["match"], at=3, mark="!", note="hm")
    later = Page(store=DiskStore(tmp_path))
    kept = later.call("match.kept")["matches"]
    assert [match["match"] for match in kept] == [state["match"]]
    again = later.call("match.state", match=state["match"])
    assert (again["digest"], again["at"]) == (branch["digest"], branch["at"])
    here = page.call("match.tree", match=state["match"])
    there = later.call("match.tree", match=state["match"])
    assert here == there


def test_kept_matches_are_listed_in_the_language_of_the_reader(tmp_path: Path) -> None:
    store = DiskStore(tmp_path)
    Page(store=store).new()
    page = Page(store=DiskStore(tmp_path))
    (here,) = page.call("match.kept")["matches"]
    page.call("words", language="pl")
    (there,) = page.call("match.kept")["matches"]
    assert here["players"] == ["red", "blue"]
    assert there["players"] == ["czerwony", "niebieski"]
    assert "Place" in here["text"] or "place" in here["text"]
    assert not {here[name] for name in ("title", "text")} & {there[n] for n in ("title", "text")}


def test_a_forgotten_match_is_gone() -> None:
    page = Page()
    state = page.new()
    assert page.call("match.forget", match=state["match"])["matches"] == []
    with pytest.raises(RefusedByStudio, match="does not exist"):
        page.call("match.state", match=state["match"])


def test_a_damaged_kept_match_is_left_out() -> None:
    store = NoStore()
    store.keep("matches", "1", "{")
    store.keep("matches", "2", json.dumps({"summary": 3}))
    page = Page(store=store)
    assert page.call("match.kept")["matches"] == []
    with pytest.raises(RefusedByStudio, match="a part of it is missing"):
        page.call("match.state", match="1")


def test_a_save_of_the_command_line_goes_on_with_its_history() -> None:
    there = tw.match("c2/base", players=2, seed="x")
    there.play_out("random", seed=3)
    page = Page()
    state = page.call("match.load", text=there.save())
    assert state["digest"] == there.inside.digest()
    tree = page.call("match.tree", match=state["match"])
    assert len(tree["nodes"]) == 1 + sum(entry >= 0 for entry in there.inside.log)


def test_a_match_that_began_with_a_position_goes_on_with_its_history() -> None:
    layout = tw.Layout(board=["monastery_field 0,0 N"])
    there = tw.match("c2/base", players=2, seed="x", layout=layout, draws=["city4_shield"])
    there.play_out("random", seed=3)
    page = Page()
    state = page.call("match.load", text=there.save())
    assert state["digest"] == there.digest
    tree = page.call("match.tree", match=state["match"])
    assert len(tree["nodes"]) == 1 + len(there.history)
    saved = page.call("match.save", match=state["match"])["text"]
    assert tw.resume(saved).digest == there.digest


def test_a_match_with_own_rules_is_kept_and_saved_with_them(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    write_hungry(mine)
    store = NoStore()
    page = Page(mine, store=store)
    state = played(page, page.new(HUNGRY, seed="s"), 30)
    saved = page.call("match.save", match=state["match"])["text"]
    rules = mine / "hungry-dragon" / "rules" / "dragon.yaml"
    rules.write_text(rules.read_text("utf-8").replace("9", "8"), encoding="utf-8")
    later = Page(mine, store=store)
    again = later.call("match.state", match=state["match"])
    assert again["digest"] == state["digest"]
    tree = later.call("match.tree", match=state["match"])
    assert "is not as the match carries it" in tree["nodes"][0]["note"]
    elsewhere = Page()
    assert elsewhere.call("match.load", text=saved)["digest"] == state["digest"]
    assert tw.resume(saved).digest == state["digest"]


def test_a_kept_match_of_an_earlier_version_is_read() -> None:
    page, store = Page(), NoStore()
    state = played(page, page.new(seed="s"), 20)
    tree = page.studio.trees[state["match"]]
    start = json.loads(tw.match("c2/base", seed="s").save())
    first = tree.nodes[0].position
    start |= {"tilewright": "save", "format": 2, "log": first.log, "digest": first.digest()}
    nodes = [[node.parent, node.choice, "", ""] for node in tree.nodes[1:]]
    kept = {
        "tilewright": "match tree", "format": 1, "at": len(nodes), "nodes": nodes,
        "seats": [["person", "Ada", ""], ["bot", "", "random"]], "start": json.dumps(start),
    }  # fmt: skip
    store.keep("matches", "01d", json.dumps(kept))
    found = Page(store=store).call("match.state", match="01d")
    assert found["digest"] == state["digest"]
    assert found["players"][0]["name"] == "Ada"


def test_a_save_of_other_rules_is_played_again_as_far_as_it_goes() -> None:
    there = tw.match("c2/base", players=2, seed="x")
    there.play_out("random", seed=3)
    save = json.loads(there.save())
    save["hash"] = "of other rules"
    page = Page()
    with pytest.raises(RefusedByStudio, match="hash"):
        page.call("match.load", text=json.dumps(save))
    whole = page.call("match.load", text=json.dumps(save), replay=True)
    assert whole["digest"] == there.digest
    choices = [n for n, entry in enumerate(save["log"]) if not entry.startswith("draw ")]
    save["log"][choices[20]] = "red: lay 99,99 N"
    part = page.call("match.load", text=json.dumps(save), replay=True)
    assert len(page.call("match.tree", match=part["match"])["nodes"]) == 21
    assert not part["over"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tilewright": "save"}', '{"match tree": 1}'])
def test_what_is_no_save_is_refused(text: str) -> None:
    with pytest.raises(RefusedByStudio):
        Page().call("match.load", text=text)


def test_a_picture_is_the_one_of_the_renderer() -> None:
    page = Page()
    state = played(page, page.new(), 10)
    found = page.call("match.picture", match=state["match"])
    assert found["data"].startswith("<svg")
    png = page.call("match.picture", match=state["match"], form="png")
    assert png["data"].startswith("iVBOR")


def test_another_page_hears_of_a_change() -> None:
    page = Page()
    told: list[Any] = []
    other = Client(page.studio, lambda method, params: told.append((method, params)))
    page.studio.clients.append(other)
    state = page.choose(page.new())
    assert told == [("match.changed", {"match": state["match"], "at": 1})]


def test_a_long_name_is_cut_on_pages_and_whole_in_files() -> None:
    page, name = Page(), "Anna " * 20
    state = page.new(seats=[{"kind": "person", "name": name}, {"kind": "person", "name": "Bo"}])
    shown = [player["name"] for player in state["players"]]
    assert shown == [f"{name[:59].rstrip()}…", "Bo"]
    assert name in page.call("match.save", match=state["match"])["text"]


@pytest.mark.parametrize("seats", [PEOPLE])
def test_a_seed_by_lot_gives_other_draws(seats: Any) -> None:
    page = Page()
    made = [page.call("match.new", game="c2/base", seats=seats)["digest"] for _ in range(3)]
    assert len(set(made)) == 3


def test_a_match_is_kept_after_the_answer_and_before_the_next_one() -> None:
    store = NoStore()
    page = Page(store=store)

    def ask(method: str, **params: Any) -> Any:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        reply = answer(page.client, message)
        assert reply is not None
        return reply["result"]

    state = ask("match.new", game="c2/base", seats=PEOPLE)
    assert not store.kept("matches")
    assert len(ask("match.kept")["matches"]) == 1, "the next message finds it kept"
    ask("match.choose", match=state["match"], n=0)
    settle(page.client)
    assert len(json.loads(store.kept("matches")[state["match"]])["studio"]["nodes"]) == 1


def test_what_is_joined_is_a_line_on_the_board_and_a_sentence_of_the_log() -> None:
    page = Page()
    state = page.new("c2/tunnel", seed="arch")
    lot = random.Random(5)
    while not state["board"]["joins"]:
        texts = [offer["text"] for offer in state["offers"]]
        tokens = [n for n, text in enumerate(texts) if text.startswith("token")]
        state = page.choose(state, tokens[0] if tokens else lot.randrange(len(texts)))
    [join] = state["board"]["joins"]
    scene = scene_of(page.studio.trees[state["match"]].match, with_options=False)
    [pair] = scene.joins
    assert [tuple(cell) for cell in join["cells"]] == [(spot.x, spot.y) for spot in pair]
    assert join["words"].endswith("are joined")
    said = [each for each in state["node"]["effects"] if each["text"] == capital(join["words"])]
    assert [each["cells"][0] in join["cells"] for each in said] == [True]
    assert [e["text"] for e in state["events"] if e["kind"] == "joined"] == [join["words"]]


def test_a_flight_over_many_tiles_is_one_sentence_of_the_log() -> None:
    page = Page()
    state = page.new("c3.1/dragon-and-fairy", seed="2")
    lot = random.Random(1)
    flights = 0
    while not state["over"] and flights < 3:
        state = page.choose(state, lot.randrange(len(state["offers"])))
        said = [each["text"] for each in state["node"]["effects"]]
        moved = [event for event in state["events"] if event["kind"] == "moved"]
        flights += any(len(event.get("path", ())) > 3 for event in moved)
        assert all(text[0].isupper() for text in said)
        goes = [text.startswith("The dragon goes to") for text in said]
        assert not any(one and after for one, after in pairwise(goes))
        assert not any("looks to" in text for text in said), "the choice has said so"
    assert flights == 3


def test_where_a_figure_goes_is_told_as_what_it_does() -> None:
    page, told = Page(), set[str]()
    state = page.new("c3.1/dragon-and-fairy", seed="told")
    lot = random.Random(2)
    while not state["over"]:
        verbs = {offer["verb"] for offer in state["offers"]} & {
            "set the fairy beside",
            "turn the dragon",
        }
        wanted = [each["n"] for each in state["offers"] if each["verb"] in verbs]
        state = page.choose(state, lot.choice(wanted or range(len(state["offers"]))))
        told.add(state["node"]["text"])
    words = {text.rstrip(".").split("'")[0] for text in told}
    assert {"The fairy joins red", "The fairy joins blue"} <= words
    assert {
        f"The dragon looks to the {side}" for side in ("north", "east", "south", "west")
    } <= words
    assert not any(text.startswith(("Set the fairy", "Turn the dragon")) for text in told)


def test_several_tokens_at_once_are_one_sentence_of_the_log() -> None:
    page = Page()
    state = page.new("c2/messengers", seed="kyiv")
    lot = random.Random(1)
    given: list[str] = []
    while not given:
        assert not state["over"]
        texts = [offer["text"] for offer in state["offers"]]
        moves = [n for n, text in enumerate(texts) if text == "move the messenger"]
        state = page.choose(state, moves[0] if moves else lot.randrange(len(texts)))
        given = [each["text"] for each in state["events"] if each["kind"] == "given"]
    [said] = given
    assert " × mile of the messenger" in said


def test_items_are_drawn_in_the_stores_of_their_players() -> None:
    page = Page(DATA / "items")
    state = page.new("trial/fair", seed="a")
    sheet = page.call("sheet.get", game="trial/fair", match=state["match"])
    assert all(item["drawing"] in sheet["svg"] for item in sheet["items"].values())
    lot = random.Random(1)
    sold: list[Any] = []
    while not sold:
        assert not state["over"]
        if state["covered"]:  # a card in the hand, which the others do not see
            seat = state["decision"]["seat"]
            state = page.call("match.state", match=state["match"], seat=seat)
        state = page.choose(state, lot.randrange(len(state["offers"])))
        sold = [offer for offer in state["offers"] if offer["text"].startswith("sell ")]
    assert sold[0]["kind"] == "item" and sold[0]["item"] in sheet["items"]
    assert sold[0]["label"].startswith("Chip with")
    purses = [row for row in state["stacks"] if row["id"].endswith(" purse") and row["count"]]
    for purse in purses:
        assert purse["owner"] and "pieces" not in purse
        assert sum(item["count"] for item in purse["items"]) == purse["count"]
        assert {item["id"] for item in purse["items"]} <= set(sheet["items"])
    hidden = [row for row in state["stacks"] if row["id"].endswith(" cards")]
    assert hidden and not any("items" in row for row in hidden)
    match = page.studio.trees[state["match"]].match
    shown = [kind.id for line in scene_of(match).scores for kind, _ in line.store]
    assert sorted(shown) == sorted(item["id"] for purse in purses for item in purse["items"])


def test_finished_features_have_the_flags_of_those_who_scored_them() -> None:
    page = Page()
    state, lot = page.new(seed="flags"), random.Random(3)
    while not any("flags" in tile for tile in state["board"]["tiles"]):
        state = page.choose(state, lot.randrange(len(state["offers"])))
    (gain,) = [e["gain"] for e in state["events"] if "gain" in e and e["gain"]["cells"]][-1:]
    colours = {
        seat["id"]: seat["colour"] for seat in page.call("sheet.get", game="c2/base")["seats"]
    }
    for tile in state["board"]["tiles"]:
        for flag in tile.get("flags", []):
            assert flag["segment"] in tile["finished"]
            assert flag["colours"] == [colours[gain["seat"]]]
            assert list(tile["cell"]) in gain["cells"]
