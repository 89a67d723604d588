"""Comparisons as messages: the answer, its topics, its boards, histories."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hungry import HUNGRY, write_hungry
from tilewright.faces.studio.client import Client, RefusedError, Studio
from tilewright.faces.studio.shelf import comparing, evidence
from tilewright.rules.reading.library import Library

BASE = "c2/princess-and-dragon"


def test_a_house_rule_changes_two_things(client: Client) -> None:
    found = comparing.compare_answer(client, {"games": [BASE, HUNGRY]})
    lines = [line for group in found["lines"] for line in group["lines"]]
    assert found["count"] == len(lines) == 2
    assert {line["row"] for line in lines} == {
        "amendment:hungry.spares_monks",
        "topic:dragon.movement.distance",
    }
    assert found["rest"]["topics"] > 100
    values = {row["id"]: row["cells"] for row in found["authors"]}
    assert values["dragon.steps"] == ["6", "9"]


def test_a_later_run_has_the_comparisons_of_files_that_are_the_same(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(folder: Path) -> list[object]:
        asked = Client(Studio((folder,)))
        games = {"games": [BASE, HUNGRY]}
        return [
            comparing.compare_answer(asked, games),
            comparing.compare_topic(asked, {**games, "group": "dragon"}),
        ]

    folder = client.studio.folders[0]
    first = again(folder)
    monkeypatch.setattr(comparing, "composed", None)
    assert again(folder) == first
    path = folder / "hungry-dragon" / "rules" / "dragon.yaml"
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(TypeError):
        again(folder)


def test_a_step_that_differs_says_why(client: Client) -> None:
    turn = comparing.compare_answer(client, {"games": [BASE, "c3.1/dragon-and-fairy"]})["turn"]
    differing = [row["why"] for row in turn if row["state"] == "differs"]
    assert differing and all("differs in: " in why for why in differing)
    assert not any(row["why"] for row in turn if row["state"] == "same")
    folded = [row for row in turn if row["more"]]
    assert folded
    for row in folded:
        assert row["more"] == f"and {len(row['rest'].split(', '))} more"
        assert row["why"].count(", ") == 2


def test_a_changed_text_is_compared_again(client: Client) -> None:
    folder = client.studio.folders[0]
    path = folder / "hungry-dragon" / "rules" / "dragon.yaml"
    before = comparing.compare_answer(client, {"games": [BASE, HUNGRY]})["authors"]
    client.studio.overlay.write(path, path.read_text("utf-8").replace("to: 9", "to: 12"))
    client.studio.touched()
    try:
        after = comparing.compare_answer(client, {"games": [BASE, HUNGRY]})["authors"]
    finally:
        client.studio.overlay.write(path, None)
        client.studio.touched()
    assert ["6", "9"] in [row["cells"] for row in before]
    assert ["6", "12"] in [row["cells"] for row in after]


def test_a_sentence_has_the_number_of_its_side(client: Client) -> None:
    rows = comparing.compare_topic(client, {"games": [BASE, HUNGRY], "group": "dragon"})["rows"]
    row = next(row for row in rows if row["topic"] == "dragon.movement.distance")
    assert row["state"] == "differs"
    one, other = row["cells"]
    assert one is not None and other is not None
    says = [
        "".join(run["text"] for run in c["statements"][0]["sentence"]["runs"]) for c in (one, other)
    ]
    assert "after six tiles" in says[0] and "after nine tiles" in says[1]
    assert one["statements"][0]["lead"] == other["statements"][0]["lead"] == ""


def test_a_topic_tells_what_no_longer_holds(client: Client) -> None:
    games = [BASE, "house/fairy-five"]
    rows = comparing.compare_topic(client, {"games": games, "group": "fairy"})["rows"]
    row = next(row for row in rows if row["topic"] == "fairy.scoring.turn-start")
    one, other = row["cells"]
    assert one is not None and other is not None
    assert one["statements"][0]["lead"] == ""
    assert other["statements"][0]["lead"] == "Not here"
    assert "is given up" in other["statements"][0]["note"]


def test_editions_begin_with_ten_lines_and_show_their_tiles(client: Client) -> None:
    games = [BASE, "c3.1/dragon-and-fairy"]
    found = comparing.compare_answer(client, {"games": games})
    assert found["count"] == 10
    assert all(len(line["cells"]) == 2 for group in found["lines"] for line in group["lines"])
    pairs = found["tiles"][0]["pairs"]
    assert all(picture.startswith("<svg") for pair in pairs for picture in pair if picture)
    differing = sum(group["counts"]["differ"] for group in found["groups"])
    assert differing >= 20


def test_three_sides_have_three_cells(client: Client) -> None:
    games = [BASE, "c3.1/dragon-and-fairy", HUNGRY]
    found = comparing.compare_answer(client, {"games": games})
    assert len(found["sides"]) == 3
    assert all(len(row["cells"]) == 3 for row in found["turn"])


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ([BASE], "expected 2 to 6 games"),
        ([BASE] * 7, "found 7"),
        ([BASE, "c2/no-such-box"], "c2/no-such-box"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(
    client: Client, games: list[str], says: str
) -> None:
    with pytest.raises(RefusedError, match=says):
        comparing.compare_answer(client, {"games": games})


def test_a_board_shows_the_spared_monk(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    found = evidence.boards(Library([tmp_path / "hungry-dragon"]), (BASE, HUNGRY), seconds=None)
    board = found["boards"][found["rows"]["amendment:hungry.spares_monks"]]
    one, other = board["sides"]
    assert "supply" in one["results"][0] and "monastery" in other["results"][0]
    assert one["picture"].startswith("<svg") and one["picture"] != other["picture"]
    step = board["play"][-1]
    assert step["says"] == "red: the dragon goes to the tile with blue's monk"
    assert step["picture"].startswith("<svg")
    # the number that is changed beside it has a board of its own
    farther = found["boards"][found["rows"]["value:dragon.steps"]]
    assert "the dragon moves" in farther["sides"][1]["results"][0]
    assert found["rows"]["topic:dragon.movement.distance"] == found["rows"]["value:dragon.steps"]


def test_a_history_goes_from_edition_to_edition(client: Client) -> None:
    topic = "dragon.movement.distance"
    [found] = comparing.history_topic(client, {"topic": topic})["topics"]
    years = [chapter["year"] for chapter in found["printed"]]
    assert years == sorted(years) and len(years) >= 2
    assert found["printed"][-1]["differs"]
    assert topic in {row["id"] for row in comparing.history_topics(client, {})["topics"]}


def test_titles_and_words_follow_the_language(client: Client) -> None:
    client.language = "pl"
    try:
        found = comparing.compare_answer(client, {"games": [BASE, "c3.1/dragon-and-fairy"]})
    finally:
        client.language = "en"
    assert any(row["phase"] == "w każdej turze" or "tur" in row["phase"] for row in found["turn"])
    assert found["sides"][0]["title"] != "The Princess & the Dragon"
