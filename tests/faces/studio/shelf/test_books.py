"""Books as messages: statements with their rules and scenarios, and scenarios step by step."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hungry import HUNGRY, write_hungry
from support.marks import with_some_house_rules
from tilewright.faces.studio.client import Client, RefusedError, Studio
from tilewright.faces.studio.shelf import books
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, played_out

BASE = "c2/princess-and-dragon"


def test_a_book_has_every_statement_with_what_carries_it_out(client: Client) -> None:
    book = books.book_read(client, {"id": BASE})
    statements = [s for g in book["groups"] for t in g["topics"] for s in t["statements"]]
    ruleset = client.studio.library.load(BASE, Reporter())
    assert ruleset is not None
    assert sorted(s["id"] for s in statements) == sorted(s.id for s in ruleset.statements)
    rules = {rule["id"]: rule for rule in book["rules"]}
    walk = next(s for s in statements if s["id"] == "pd2-dragon-six")
    assert "dragon.movement" in walk["rules"] or "dragon.steps" in walk["rules"]
    assert "for mover in" in rules["dragon.movement"]["text"]
    known = {scenario["id"] for scenario in book["scenarios"]}
    assert all(set(s["scenarios"]) <= known for s in statements)
    assert sum(bool(s["scenarios"]) for s in statements) > len(statements) / 2


def test_a_book_has_its_tiles_questions_and_house_rules(client: Client) -> None:
    book = books.book_read(client, {"id": BASE})
    tiles = books.book_tiles(client, {"id": BASE})["tiles"]
    assert sum(tile["count"] for tile in tiles) == book["tiles"] == 30
    assert all(tile["picture"].startswith("<svg") for tile in tiles)
    questions = books.book_questions(client, {"id": BASE})["questions"]
    assert len(questions) == book["questions"]
    assert any(question["readings"] for question in questions)
    assert HUNGRY in {each["id"] for each in book["house"]}


@pytest.mark.parametrize("language", ["en", "uk", "pl"])
def test_tiles_are_called_by_what_is_printed_on_them(client: Client, language: str) -> None:
    client = Client(client.studio, language=language)
    labels = {t["id"]: t["label"] for t in books.book_tiles(client, {"id": BASE})["tiles"]}
    assert not any("_" in label or "1" in label for label in labels.values())
    if language == "en":
        assert labels["volcano_road_end"] == "road, south; volcano"
        assert labels["princess_corner_curve"] == "city, north, west, princess; road, east, south"


def test_a_book_of_an_earlier_run_is_that_of_the_files_as_they_are(tmp_path: Path) -> None:
    root = write_hungry(tmp_path)

    def title() -> str:
        return books.book_read(Client(Studio(folders=(tmp_path,))), {"id": HUNGRY})["title"]

    before = title()
    assert title() == before
    module = root / "module.yaml"
    module.write_text(module.read_text("utf-8").replace(before, "Starved dragon"), "utf-8")
    assert title() == "Starved dragon"


def test_a_book_is_opened_without_reading_the_rules_of_all_others(tmp_path: Path) -> None:
    client = Client(Studio(folders=(tmp_path,)))
    books.book_read(client, {"id": "c2/base"})
    library = client.studio.library
    assert not library.is_read("c3/base") and not library.is_read("house/ten-turns")


def test_one_book_is_searched_alone(client: Client) -> None:
    found = books.book_search(client, {"words": "dragon", "among": ["c2/base", BASE]})
    assert {hit["ruleset"] for hit in found["hits"]} == {BASE}
    everywhere = books.book_search(client, {"words": "dragon"})
    assert 0 < found["count"] < everywhere["count"]
    named = ["dragon" in f"{hit['title']} {hit['ruleset']}".lower() for hit in everywhere["hits"]]
    assert named[0] and named == sorted(named, reverse=True)
    assert books.book_search(client, {"words": "dragon", "among": ["no/book"]})["count"] == 0


def test_a_printed_sentence_has_no_mark_and_a_reading_has_one(client: Client) -> None:
    book = books.book_read(client, {"id": BASE})
    authorities = {
        s["authority"] for g in book["groups"] for t in g["topics"] for s in t["statements"]
    }
    assert "" in authorities and len(authorities) > 1


def test_every_word_must_occur_in_a_statement(client: Client) -> None:
    found = books.book_search(client, {"words": "DRAGON six"})
    assert found["count"] >= 1
    assert all("six" in hit["text"].lower() for hit in found["hits"])
    assert books.book_search(client, {"words": "zzz"}) == {"hits": [], "count": 0, "waiting": 0}


def test_a_scenario_is_shown_choice_by_choice(client: Client) -> None:
    found = books.scenario_play(client, {"ruleset": HUNGRY, "id": "monks-are-safe"})
    assert [step["notation"] for step in found["steps"]] == [
        "",
        "lay 2,0 N",
        "pass",
        "dragon to 1,0",
    ]
    last = found["steps"][-1]
    assert found["ok"] and last["ok"]
    assert [item["kind"] for item in last["expected"]] == ["figure", "value"]
    assert len(last["board"]["tiles"]) == 3 and last["digest"] == found["digest"]
    assert len(found["steps"][0]["board"]["tiles"]) == 2


def test_an_expectation_that_does_not_hold_shows_what_was_found(tmp_path: Path) -> None:
    root = write_hungry(tmp_path)
    path = root / "scenarios" / "dragon.yaml"
    path.write_text(path.read_text("utf-8").replace('dragon.steps: "9"', 'dragon.steps: "8"'))
    client = Client(Studio(folders=(tmp_path,)))
    found = books.scenario_play(client, {"ruleset": HUNGRY, "id": "monks-are-safe"})
    assert not found["ok"]
    assert found["steps"][-1]["found"] == ["expected `dragon.steps` to be 8, found 9"]
    assert [step["ok"] for step in found["steps"]] == [True, True, True, False]


def test_a_scenario_about_a_game_that_cannot_be_made_says_so(client: Client) -> None:
    library = client.studio.library
    refusing = [(id_, s.id) for id_ in (BASE,) for s, _ in scenarios_of(id_, library) if s.fails]
    ruleset, id_ = refusing[0]
    found = books.scenario_play(client, {"ruleset": ruleset, "id": id_})
    assert found["fails"] and found["ok"] and not found["steps"]


def test_an_unknown_ruleset_or_scenario_is_refused(client: Client) -> None:
    with pytest.raises(RefusedError, match="no-such-box"):
        books.book_read(client, {"id": "no-such-box"})
    with pytest.raises(RefusedError, match="no-such-scenario"):
        books.scenario_play(client, {"ruleset": BASE, "id": "no-such-scenario"})


def test_a_changed_number_comes_first(client: Client) -> None:
    values = books.house_values(client, {"game": HUNGRY})["values"]
    assert (values[0]["id"], values[0]["before"], values[0]["value"]) == ("dragon.steps", "6", "9")
    assert values[1]["value"] == values[1]["before"]
    assert "nine tiles" in values[0]["says"]


def _stepped(ruleset: str) -> None:
    """Every scenario of a ruleset, stepped, ends with the digest of the engine."""
    library = Library()
    programs = Programs(library)
    for scenario, game in scenarios_of(ruleset, library):
        found = books.play(library, programs, ruleset, scenario.id)
        assert found is not None and found["ok"], (ruleset, scenario.id)
        if scenario.fails:
            continue
        program, _ = programs.get(game, scenario.options)
        assert program is not None
        match = played_out(scenario, program, Reporter.discarding())
        assert match is not None and found["digest"] == match.digest(), (ruleset, scenario.id)


def test_scenarios_end_as_the_engine_ends_them() -> None:
    _stepped("c2/base")


@pytest.mark.slow
@pytest.mark.parametrize(
    "ruleset", [id_ for id_ in with_some_house_rules(Library().ids()) if id_ != "c2/base"]
)
def test_every_shipped_scenario_ends_as_the_engine_ends_it(ruleset: str) -> None:
    _stepped(ruleset)
