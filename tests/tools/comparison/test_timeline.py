"""The history of a topic: every edition in its place, what changed between them, who changes it."""

from __future__ import annotations

import io
import json
from functools import cache

import jsonschema
import pytest
from rich.console import Console

from tilewright.faces.cli.views.page import print_history
from tilewright.rules.reading.library import Library, schemas_folder
from tilewright.tools.comparison.timeline import histories, topics_of
from tilewright.view.comparison.history import history_json, history_markdown
from tilewright.view.results.comparison import State, TopicHistory

LIBRARY = Library()


@cache
def of(topic: str, **how: bool) -> dict[str, TopicHistory]:
    return {found.topic: found for found in histories(topic, LIBRARY, **how)}


def turn_start() -> dict[str, TopicHistory]:
    topic = "fairy.scoring.turn-start"
    return {topic: of("fairy.scoring")[topic]}


def page(found: dict[str, TopicHistory], width: int = 80) -> str:
    out = io.StringIO()
    print_history(list(found.values()), Console(file=out, width=width))
    return out.getvalue()


def test_editions_stand_in_the_order_of_their_years() -> None:
    chapters = turn_start()["fairy.scoring.turn-start"].printed
    assert [(c.year, c.ruleset) for c in chapters] == [
        (2005, "c1/princess-and-dragon"),
        (2016, "c2/princess-and-dragon"),
        (2025, "c3.1/dragon-and-fairy"),
    ]
    assert chapters[0].row is None
    assert chapters[1].before == "c1/princess-and-dragon"
    assert chapters[1].row is not None
    assert chapters[1].row.verdict.is_same
    assert chapters[2].before == "c2/princess-and-dragon"
    assert chapters[2].row is not None
    assert chapters[2].row.verdict.state is State.ONLY


def test_an_edition_that_takes_another_over_is_laid_beside_it() -> None:
    later = of("abbot.recall", is_printed_only=True)["abbot.recall"].printed[1]
    assert (later.ruleset, later.before) == ("c3/abbot", "c2/abbot")
    assert later.row is not None
    assert later.row.verdict.is_same
    assert "as in c2/abbot" in page(of("abbot.recall", is_printed_only=True))


def test_a_house_rule_that_changes_what_carries_a_topic_out_is_there() -> None:
    house = {c.ruleset: c for c in turn_start()["fairy.scoring.turn-start"].house}
    assert {"house/fairy-five", "house/fairy-point-window"} <= set(house)
    assert all(c.row is not None and not c.row.verdict.is_same for c in house.values())


def test_printed_editions_alone_may_be_asked_for() -> None:
    assert not any(found.house for found in of("fairy.scoring", is_printed_only=True).values())


def test_a_publication_has_one_number_on_the_whole_page() -> None:
    tags = {
        (source.id, source.title): source.tag
        for found in turn_start().values()
        for chapter in (*found.printed, *found.house)
        for source in chapter.sources
    }
    assert len(set(tags.values())) == len(tags)
    assert f"[{tags['princess-zman', 'Carcassonne 3, The Princess & the Dragon, rules']}]" in page(
        turn_start()
    )


def test_a_prefix_is_not_a_beginning_of_a_word() -> None:
    assert set(of("fairy.scoring.turn")) == set()
    assert {t for t in topics_of(LIBRARY) if t.startswith("fairy.scoring")} == set(
        of("fairy.scoring")
    )


@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    assert max(map(len, page(turn_start(), width).splitlines())) <= width


def test_markdown_has_a_row_for_each_edition() -> None:
    text = history_markdown(list(turn_start().values()))
    assert "| 2016 | The Princess & the Dragon (`c2/princess-and-dragon`) |" in text
    assert "| 2025 | The Dragon & the Fairy (`c3.1/dragon-and-fairy`) |" in text


def test_json_is_complete_and_matches_its_schema() -> None:
    schema = json.loads((schemas_folder() / "history.schema.json").read_text(encoding="utf-8"))
    for found in (of("fairy.scoring"), of("abbot.recall", is_printed_only=True)):
        jsonschema.validate(json.loads(history_json(list(found.values()))), schema)
    data = json.loads(history_json(list(turn_start().values())))
    assert [(c["ruleset"], c["before"]) for c in data["topics"][0]["printed"]] == [
        ("c1/princess-and-dragon", None),
        ("c2/princess-and-dragon", "c1/princess-and-dragon"),
        ("c3.1/dragon-and-fairy", "c2/princess-and-dragon"),
    ]


def test_schemas_of_history_and_comparison_describe_shared_parts_equally() -> None:
    folder = schemas_folder()
    history, comparison = (
        json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8"))["$defs"]
        for name in ("history", "comparison")
    )
    for name in ("names", "pair", "labels", "verdict", "lapse"):
        assert history[name] == comparison[name]
    chapter = history["chapter"]["properties"]
    for name, place in (("statements", "topic_cell"), ("differences", "topic_row")):
        assert chapter[name]["items"] == comparison[place]["properties"][name]["items"]
    assert chapter["sources"]["items"] == comparison["side"]["properties"]["sources"]["items"]
