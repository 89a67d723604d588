"""Questions about a match: hints, worth, reasons for points and refusals."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import tilewright as tw
from support.studio_client import Page, RefusedByStudio
from tilewright.play.board.board import xy_of
from tilewright.play.bots.base import greedy_bot, points_if_over
from tilewright.tools.explanation.hints import best_options, reasons, worth_of_options

DRAGON = "c2/princess-and-dragon+c2/farmers"


def somewhere(page: Page, game: str, choices: int, seed: int) -> Any:
    state = page.new(game, seed=str(seed))
    lot = random.Random(seed)
    for _ in range(choices):
        if not state["over"]:
            state = page.choose(state, lot.randrange(len(state["offers"])))
    return state


@pytest.mark.parametrize("game", ["c2/base", DRAGON])
def test_the_first_hint_is_what_the_greedy_bot_chooses(game: str) -> None:
    page, greedy = Page(), greedy_bot()
    for choices in range(0, 60, 7):
        state = somewhere(page, game, choices, choices)
        match = page.studio.trees[state["match"]].match
        hints = page.call("match.hint", match=state["match"])["hints"]
        assert hints[0]["n"] == greedy(match.fork())
        assert [hint["less"] for hint in hints] == sorted(hint["less"] for hint in hints)
        assert 1 <= len(hints) <= min(3, match.count)
        said = [(hint["label"], *hint["reasons"]) for hint in hints]
        assert len(set(said)) == len(said), "hints that read alike are one"
        assert all(hint["reasons"] for hint in hints)
        assert page.call("match.state", match=state["match"])["digest"] == state["digest"]


def test_a_hint_does_not_know_the_next_draw() -> None:
    match = tw.match("c2/base", players=2, seed="a").inside
    (best, *_) = best_options(match)
    assert best.trial.streams != match.streams


def test_a_hint_that_changes_no_points_says_so() -> None:
    match = tw.match("c2/base", players=2, seed="n")
    lot, seen = random.Random(1), 0
    while not seen:
        for hint in best_options(match.inside):
            if not hint.changes:
                seen += 1
                (lead, *_) = reasons(match.inside, hint, "en")
                assert lead.startswith("nobody's points change; ")
                assert lead.endswith("if the game ended with this turn")
        match.choose(lot.randrange(match.count))


def test_the_worth_of_an_option_is_the_difference_in_points() -> None:
    match = tw.match(DRAGON, players=2, seed="w")
    lot = random.Random(3)
    seen = 0
    for _ in range(80):
        if match.is_over:
            break
        player = match.inside.to_move
        before = match.inside.points[player]
        worth = worth_of_options(match.inside)
        assert len(worth) == match.count
        if match.inside.optional:
            assert worth[-1].end == 0
        n = lot.randrange(match.count)
        after = match.fork()
        after.choose(n)
        if after.inside.turn == match.inside.turn:  # no draw has come between
            assert worth[n].now == after.inside.points[player] - before
            seen += 1
        match.choose(n)
    assert seen > 20


def test_many_options_have_no_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.faces.studio.table import insight

    page = Page()
    state = page.new()
    assert len(page.call("match.worth", match=state["match"])["worth"]) == len(state["offers"])
    monkeypatch.setattr(insight, "MAX_WORTH", 1)
    assert page.call("match.worth", match=state["match"])["worth"] == []


# ------------------------------------------------------------------ why


def test_every_point_has_a_reason() -> None:
    page = Page()
    state = somewhere(page, DRAGON, 160, 4)
    awards = page.call("match.why", match=state["match"])["awards"]
    totals = {player["seat"]: player["points"] for player in state["players"]}
    for seat, total in totals.items():
        own = page.call("match.why", match=state["match"], seat=seat)["awards"]
        assert sum(award["points"] for award in own) == total
    assert awards
    for award in awards:
        assert sum(item["points"] for item in award["items"]) == award["points"]
        assert all(item["basis"]["statements"] for item in award["items"])
        (alone,) = page.call("match.why", match=state["match"], award=award["award"])["awards"]
        assert alone == award


def test_reasons_are_in_the_language_of_the_reader() -> None:
    page = Page()
    page.client.language = "uk"
    state = somewhere(page, DRAGON, 160, 4)
    awards = page.call("match.why", match=state["match"])["awards"]
    cited = [each for a in awards for item in a["items"] for each in item["basis"]["statements"]]
    assert cited
    assert [each["says"] for each in cited if not re.search("[а-яіїєґ]", each["says"])] == []


def test_points_of_another_branch_are_refused() -> None:
    page = Page()
    state = page.new()
    with pytest.raises(RefusedByStudio, match="not on this line"):
        page.call("match.why", match=state["match"], award=99)
    with pytest.raises(RefusedByStudio, match="nobody plays"):
        page.call("match.why", match=state["match"], seat="pink")


def test_a_reason_names_no_path_of_this_machine() -> None:
    page = Page()
    state = somewhere(page, "c2/base", 120, 5)
    for award in page.call("match.why", match=state["match"])["awards"]:
        assert not award["basis"]["place"]["file"].startswith("/")


# ------------------------------------------------------------------ why not


def test_every_refused_placement_has_a_reason_and_every_offer_has_none() -> None:
    page = Page()
    state = somewhere(page, "c2/base", 20, 6)
    while state["decision"]["kind"] != "placement":
        state = page.choose(state, len(state["offers"]) - 1)
    offered = {(*o["cell"], o["turn"]) for o in state["offers"]}
    seen = 0
    for x in range(-3, 4):
        for y in range(-3, 4):
            for turn in range(4):
                found = page.call("match.whyNot", match=state["match"], cell=[x, y], turn=turn)
                if (x, y, turn) in offered:
                    assert found["reasons"] == []
                else:
                    assert found["reasons"]
                    assert found["reasons"][0]["text"]
                    seen += 1
    assert seen > 50


def test_a_refusal_cites_its_statements() -> None:
    page = Page()
    state = page.new()
    found = page.call("match.whyNot", match=state["match"], cell=[0, 0])
    assert found["reasons"][0]["statements"]
    other = page.call("match.whyNot", match=state["match"], text="nonsense")
    assert "nonsense" in other["reasons"][0]["text"]


@pytest.mark.parametrize("wrong", [{}, {"cell": [1]}, {"cell": []}])
def test_a_question_about_nothing_is_refused(wrong: dict[str, Any]) -> None:
    page = Page()
    state = page.new()
    with pytest.raises(RefusedByStudio, match="expected"):
        page.call("match.whyNot", match=state["match"], **wrong)


@pytest.mark.parametrize("cell", [[10**6, 0], [-(10**6), 10**6], [512, -512]])
def test_a_cell_far_away_is_no_place(cell: list[int]) -> None:
    page = Page()
    state = page.new()
    assert page.call("match.whyNot", match=state["match"], cell=cell)["reasons"]


# ------------------------------------------------------------------ the board


def test_a_feature_tells_its_tiles_and_figures() -> None:
    page = Page()
    state = somewhere(page, "c2/base", 60, 8)
    there = page.studio.trees[state["match"]].match
    figure = next(f for f in state["board"]["figures"] if f["cell"] is not None)
    found = page.call(
        "match.feature", match=state["match"], cell=figure["cell"], segment=figure["segment"]
    )
    assert figure["label"] in found["figures"]
    assert found["tiles"] == len(found["parts"])
    owned = {tuple(one["cell"]): one.get("owners", []) for one in state["board"]["tiles"]}
    for part in found["parts"]:
        assert set(part["segments"]) <= {one["segment"] for one in owned[tuple(part["cell"])]}
    assert not there.is_over


@pytest.mark.parametrize("cell", [[99, 99], [0], [10**6, 0]])
def test_a_feature_that_is_not_there_is_refused(cell: list[int]) -> None:
    page = Page()
    state = page.new()
    with pytest.raises(RefusedByStudio, match="not on the board"):
        page.call("match.feature", match=state["match"], cell=cell, segment="c1")


def test_the_tiles_left_are_those_that_nobody_has_seen() -> None:
    page = Page()
    state = somewhere(page, "c2/base", 31, 9)
    found = page.call("match.left", match=state["match"])
    laid = sum(row["laid"] for row in found["pieces"])
    assert laid == len(state["board"]["tiles"])
    assert found["unseen"] == sum(stack["count"] for stack in state["stacks"])


def test_the_point_of_a_figure_is_on_its_own_feature() -> None:
    page = Page()
    state = somewhere(page, "c2/base+c2/farmers", 60, 8)
    sheet = page.call("sheet.get", game=state["game"])
    tiles = {tuple(tile["cell"]): tile for tile in state["board"]["tiles"]}
    for figure in state["board"]["figures"]:
        tile = tiles[tuple(figure["cell"])]
        spots = sheet["pieces"][tile["piece"]]["faces"][tile["face"]][tile["part"]]["spots"]
        spot = next(one for one in spots if one["segment"] == figure["segment"])
        look = {"match": state["match"], "cell": figure["cell"]}
        by_name = page.call("match.feature", **look, segment=figure["segment"])
        assert page.call("match.feature", **look, at=spot["at"][tile["turn"]]) == by_name


def test_what_features_would_bring_adds_up_to_the_final_score() -> None:
    page = Page()
    state = somewhere(page, "c2/base+c2/farmers", 60, 8)
    match = page.studio.trees[state["match"]].match
    before, after = list(match.points), points_if_over(match.fork())
    found: dict[str, int] = {player["seat"]: 0 for player in state["players"]}
    features = {}
    for figure in state["board"]["figures"]:
        look = {"match": state["match"], "cell": figure["cell"], "segment": figure["segment"]}
        feature = page.call("match.feature", **look)
        features[feature["label"], str(feature["parts"]), str(feature["figures"])] = feature
    for feature in features.values():
        assert feature["open"] is None or (feature["open"] == 0) == feature["complete"]
        for row in feature["ending"]:
            found[row["seat"]] += row["points"]
            assert row["points"] == sum(item["points"] for item in row["items"])
    assert list(found.values()) == [b - a for a, b in zip(before, after, strict=True)]


def test_a_cell_is_dead_where_no_piece_that_may_come_fits() -> None:
    page = Page()
    state = somewhere(page, "c2/base", 110, 4)
    match = page.studio.trees[state["match"]].match
    found = page.call("match.dead", match=state["match"])
    assert found["at"] == state["at"]
    left = page.call("match.left", match=state["match"])["pieces"]
    coming = {row["piece"] for row in left if row["unseen"]}
    coming |= {piece["piece"] for piece in state["drawn"]}
    board = match.fork().board
    alive = {
        cell for piece in coming for cell, _ in board.placements(match.program.piece_number[piece])
    }
    open_cells = {tuple(xy_of(cell)) for cell in board.cells}
    dead = {tuple(cell) for cell in found["cells"]}
    assert dead, "no cell is dead: choose another position"
    assert open_cells - dead == {xy_of(cell) for cell in alive}


def test_a_new_match_has_no_dead_cells() -> None:
    page = Page()
    state = page.new()
    assert page.call("match.dead", match=state["match"])["cells"] == []
