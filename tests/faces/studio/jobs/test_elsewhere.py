"""The thread that answers does nothing that takes long: choices, bots, comparisons and books are
worked on beside it, with the same results, and can be stopped.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pickle import PicklingError
from typing import Any
from weakref import ref

import pytest

from support.hostile import rules, step_rule, write
from support.hungry import HUNGRY, write_hungry
from support.studio_client import PEOPLE, Page
from tilewright.faces.studio.client import CONFLICT
from tilewright.faces.studio.jobs import packing
from tilewright.faces.studio.jobs.packing import Packing
from tilewright.faces.studio.service import HANDLERS, leave
from tilewright.play.match import Match

GAME = "c2/base"
BOTS = [{"kind": "bot", "bot": "greedy"}] * 2
#: think for hours in a game whose every turn takes long
THINKERS = [{"kind": "bot", "bot": "mcts:20000"}] * 2
SLOW = "house/hostile"

#: methods that begin some work elsewhere, with parameters
ELSEWHERE: dict[str, dict[str, Any]] = {
    "library.list": {},
    "library.drawings": {"cards": [GAME]},
    "library.game": {"picks": [GAME], "options": {}},
    "file.targets": {"game": GAME},
    "check.run": {"rulesets": [HUNGRY]},
    "test.run": {"ruleset": HUNGRY},
    "share.pack": {"game": GAME},
    "share.open": {"text": "{}"},
    "share.play": {"text": "{}"},
    "book.read": {"id": GAME},
    "book.tiles": {"id": GAME},
    "book.questions": {"id": GAME},
    "book.sheet": {"game": GAME},
    "book.search": {"words": "dragon"},
    "scenario.play": {"ruleset": HUNGRY, "id": "none"},
    "house.values": {"game": GAME},
    "compare.answer": {"games": [GAME, "c3/base"]},
    "compare.topic": {"games": [GAME, "c3/base"], "group": "scoring"},
    "history.topic": {"topic": "scoring"},
    "history.topics": {},
    "sheet.get": {"game": GAME},
    "match.new": {"game": GAME, "seats": PEOPLE, "seed": "a"},
    "match.load": {"text": "{}"},
    "file.new": {"name": "mine", "template": "empty"},
}
#: the same about a match
OF_A_MATCH: dict[str, dict[str, Any]] = {
    "match.bot": {},
    "match.choose": {"n": 1},
    "match.hint": {},
    "match.sheet": {},
    "match.worth": {},
    "match.whyNot": {"cell": [0, 1]},
    "match.feature": {"cell": [0, 0], "at": [0.5, 0.5]},
    "match.dead": {},
    "match.left": {},
    "match.picture": {},
}
#: methods that compute nothing by rules: they read and write what is there
HERE = {
    "hello", "words", "work.stop", "file.list", "file.read", "file.write", "file.draft",
    "file.rename", "file.delete", "lsp", "share.keep", "simulate.start", "simulate.report",
    "witness.start", "job.state", "job.cancel", "match.goto", "match.seat", "match.note",
    "match.tree", "match.save", "match.kept", "match.forget", "match.state", "match.why",
}  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with a folder, whose long work is done elsewhere."""
    folder = tmp_path_factory.mktemp("rules")
    write_hungry(folder)
    turn = "let n = 1\nrepeat 290 { repeat 1000 { set n = (n * 7 + 3) mod 1001 } }"
    write(rules(step_rule("hostile.slow", f"{turn}\naward n mod 2 to active")), folder / "hostile")
    found = Page(folder, has_workers=True)
    yield found
    assert found.studio.workers is not None
    found.studio.workers.stop()


def test_every_method_is_short_or_is_worked_on_elsewhere() -> None:
    elsewhere = ELSEWHERE.keys() | OF_A_MATCH.keys()
    assert not HERE & elsewhere
    assert HERE | elsewhere == HANDLERS.keys()


@pytest.mark.slow
def test_the_thread_that_answers_is_free_at_once_and_the_answers_are_the_same(page: Page) -> None:
    here = Page(*page.studio.folders)
    for number, (method, params) in enumerate(ELSEWHERE.items(), 2):
        assert page.begin(method, number, **params) is None, method
        there = page.wait()
        if method not in ("file.new", "match.new"):
            assert there == here.begin(method, number, **params), method


@pytest.mark.slow
def test_a_match_is_played_as_on_the_thread_that_answers(page: Page) -> None:
    here = Page(*page.studio.folders)
    seats = [*BOTS, {"kind": "person"}]
    one, other = (each.new(HUNGRY, seats) for each in (here, page))
    for _ in range(12):
        for number, (method, params) in enumerate(OF_A_MATCH.items(), 2):
            params = {"match": other["match"], **params}
            is_bots = other["players"][2]["to_move"]
            if method not in ("match.bot", "match.choose"):
                assert page.begin(method, number, **params) is None, method
                found = page.wait()
                assert found == here.begin(method, number, **{**params, "match": one["match"]})
            elif is_bots == (method == "match.choose"):
                assert page.begin(method, number, **params) is None, method
                other = page.wait()["result"]
                one = here.call(method, **{**params, "match": one["match"]})
                assert {**other, "match": one["match"]} == one


@pytest.mark.slow
def test_a_message_is_answered_while_another_one_is_worked_on(page: Page) -> None:
    state = page.new(SLOW, THINKERS)
    assert page.begin("match.bot", 2, match=state["match"]) is None
    again = page.call("match.state", match=state["match"])
    assert again["at"] == 0
    assert page.call("house.values", game=GAME)["values"]
    page.begin("work.stop", 9, id=2)
    assert page.wait()["error"]["message"] == "this was stopped"
    assert page.call("match.state", match=state["match"]) == again


def test_work_ends_with_its_page(page: Page) -> None:
    state = page.new(SLOW, THINKERS)
    assert page.begin("match.bot", 2, match=state["match"]) is None
    leave(page.client)
    assert "stopped" in page.wait()["error"]["message"]


@pytest.mark.slow
def test_one_page_does_not_use_all_processes(page: Page) -> None:
    assert page.studio.workers is not None
    other = Page()
    other.studio.workers = page.studio.workers
    states = [page.new(SLOW, THINKERS) for _ in range(3)]
    for number, state in enumerate(states, 2):
        assert page.begin("match.bot", number, match=state["match"]) is None
    assert other.call("house.values", game=GAME)["values"]
    leave(page.client)
    for _ in states:
        assert "stopped" in page.wait()["error"]["message"]


def test_of_two_choices_at_one_decision_the_second_is_refused(page: Page) -> None:
    state = page.new()
    for number in (2, 3, 4):
        option = {"match": state["match"], "n": number % 2, "at": 0}
        assert page.begin("match.choose", number, **option) is None
    replies = {reply["id"]: reply for reply in (page.wait() for _ in range(3))}
    refused = [each["error"]["code"] for each in replies.values() if "error" in each]
    assert refused == [CONFLICT, CONFLICT]
    assert len(page.call("match.tree", match=state["match"])["nodes"]) == 2


def test_a_choice_in_a_match_that_was_forgotten_meanwhile_is_refused(page: Page) -> None:
    state = page.new()
    assert page.begin("match.choose", 2, match=state["match"], n=0) is None
    page.call("match.forget", match=state["match"])
    assert "does not exist" in page.wait()["error"]["message"]


# ------------------------------------------------------------------ programs on their way


def test_a_program_is_sent_once_in_either_direction() -> None:
    page = Page()
    match = page.studio.trees[page.new()["match"]].match
    one, other = Packing(), Packing()
    first = one.packed(match)
    there = other.unpacked(first)
    assert there.board.shapes is there.program.shapes
    assert len(one.packed(match)) < len(first) // 10
    again = one.unpacked(other.packed([there, there.fork()]))
    assert all(each.program is match.program for each in again)
    assert all(each.board.shapes is match.program.shapes for each in again)
    assert again[0].digest() == match.digest()


def started(*games: str) -> list[Match]:
    """A match of each game."""
    page = Page()
    return [page.studio.trees[page.new(game)["match"]].match for game in games]


def test_what_was_packed_and_not_sent_is_sent_again() -> None:
    matches = started(GAME, "c2/abbot")
    one, other = Packing(), Packing()
    other.unpacked(one.packed(matches[0]))
    one.packed(matches)  # and it is too large to be sent
    one.forget()
    with pytest.raises((AttributeError, PicklingError)):
        one.packed((matches, lambda: None))
    for match in (*matches, *matches[::-1]):
        there = other.unpacked(one.packed(match))
        assert there.digest() == match.digest()
        assert one.unpacked(other.packed(there)).program is match.program


@pytest.mark.slow
def test_programs_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MAX_KNOWN", 2)
    one, other = Packing(), Packing()
    seen = []
    for match in 2 * started(GAME, "c2/abbot", "c3/base"):
        there = other.unpacked(one.packed(match))
        assert there.digest() == match.digest()
        seen.append(ref(there.program))
        del there
    gc.collect()
    assert sum(each() is not None for each in seen) <= packing.MAX_KNOWN
