"""Work that takes long: done in processes beside the thread that answers, and stopped at will."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from support.hungry import HUNGRY, hungry_files, write_hungry
from support.paths import ROOT
from support.studio_client import Page, RefusedByStudio, result_check
from support.studio_work import devouring, ending, failing, sleeping
from tilewright.faces.studio.client import RefusedError, Work
from tilewright.faces.studio.jobs import workers
from tilewright.faces.studio.jobs.packing import Packing
from tilewright.faces.studio.service import MAX_RUNNING
from tilewright.faces.studio.table.match_tree import MatchTree

RULES = "0/hungry-dragon/rules/dragon.yaml"


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """A page with a folder, whose long work is done elsewhere."""
    write_hungry(tmp_path)
    found = Page(tmp_path, has_workers=True)
    yield found
    assert found.studio.workers is not None
    found.studio.workers.stop()


# ------------------------------------------------------------------ values on their way


@pytest.mark.parametrize("game", ["c2/base", "c2/base+c2/inns-and-cathedrals+c2/river"])
def test_a_match_is_packed_with_its_program_and_goes_on(game: str) -> None:
    page = Page()
    state = page.new(game)
    lot = random.Random(5)
    for _ in range(30):
        state = page.choose(state, lot.randrange(len(state["offers"])))
    tree = page.studio.trees[state["match"]]
    there: MatchTree = Packing().unpacked(Packing().packed(tree))
    assert there.match.program is not tree.match.program
    assert {id(node.position.program) for node in there.nodes} == {id(there.match.program)}
    for _ in range(30):
        for each in (tree, there):
            each.choose(each.match.count // 2)
        assert there.match.digest() == tree.match.digest()
    assert there.match.fork().winners() == tree.match.fork().winners()


def test_a_match_brings_the_rulesets_that_it_carries(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    mine, page = Page(tmp_path), Page()
    text = mine.call("share.pack", match=mine.new(HUNGRY)["match"])["text"]
    tree = page.studio.trees[page.call("share.play", text=text)["match"]]
    there: MatchTree = Packing().unpacked(Packing().packed(tree))
    page.studio.trees[there.name] = there
    again = page.call("share.pack", match=there.name)["text"]
    assert json.loads(again)["rulesets"] == json.loads(text)["rulesets"]


def test_plain_data_is_packed_as_it_is() -> None:
    value = {"a": [1, None, "x"], "b": (True, 2.5)}
    assert Packing().unpacked(Packing().packed(value)) == value


# ------------------------------------------------------------------ processes


def test_checks_tests_and_matches_are_those_of_this_process(page: Page, tmp_path: Path) -> None:
    here = Page(tmp_path)
    there = tw.match("c2/base", players=2, seed="x")
    there.play_out("random", seed=3)
    for text in (hungry_files()["rules/dragon.yaml"].replace("monk", "mnk"), "rules: []\n", None):
        for each in (here, page):
            found = each.call("file.read", path=RULES)
            stamp = found.get("draft_stamp", "")
            each.call("file.draft", path=RULES, text=text, stamp=stamp)
        for method, params in (
            ("check.run", {"rulesets": [HUNGRY]}),
            ("check.run", {"texts": {RULES: "rules: [\n"}}),
            ("test.run", {"ruleset": HUNGRY}),
        ):
            assert page.call(method, **params) == here.call(method, **params)
    assert page.call("check.run", rulesets=[HUNGRY])["diagnostics"] == []
    loaded = page.call("match.load", text=there.save())
    assert loaded["digest"] == here.call("match.load", text=there.save())["digest"]
    assert page.call("match.state", match=loaded["match"])["digest"] == loaded["digest"]


@pytest.mark.slow
def test_a_page_hears_of_the_steps_of_work_in_a_process(page: Page) -> None:
    assert page.begin("match.new", 7, game=HUNGRY, seats=[{"kind": "person"}] * 2) is None
    assert page.wait()["id"] == 7
    assert page.steps() == [(7, s) for s in ("reading", "joining", "compiling", "setting")]


@pytest.mark.slow
def test_a_kept_match_is_read_again_elsewhere(page: Page, tmp_path: Path) -> None:
    state = page.choose(page.new(HUNGRY))
    page.studio.trees.clear()
    assert page.begin("match.state", 2, match=state["match"]) is None
    assert page.begin("match.choose", 3, match=state["match"], n=0) is None
    replies = [page.wait() for _ in range(2)]
    assert {reply["id"]: reply["result"]["at"] for reply in replies}[3] == 2
    assert page.call("match.state", match=state["match"])["at"] == 2  # the choice is not lost
    with pytest.raises(RefusedByStudio, match="does not exist any more"):
        page.call("match.state", match="0")


@pytest.mark.slow
def test_changed_files_are_read_again(page: Page, tmp_path: Path) -> None:
    assert page.call("check.run", rulesets=[HUNGRY])["diagnostics"] == []
    stamp = page.call("file.read", path=RULES)["stamp"]
    page.call("file.write", path=RULES, text="rules: [{id: slip}]\n", stamp=stamp)
    assert page.call("check.run", rulesets=[HUNGRY])["diagnostics"] != []
    page.call("file.rename", path="0/hungry-dragon", to="0/other")
    found = page.call("check.run", rulesets=[HUNGRY])["diagnostics"]
    assert {row["file"].split("/")[1] for row in found} == {"other"}
    page.call("file.delete", path="0/other")
    with pytest.raises(RefusedByStudio, match="unknown ruleset"):
        page.call("test.run", ruleset=HUNGRY)


@pytest.mark.slow
def test_a_refusal_comes_with_its_reason(page: Page) -> None:
    with pytest.raises(RefusedByStudio, match="unknown ruleset `no/such`"):
        page.call("check.run", rulesets=["no/such"])
    with pytest.raises(RefusedByStudio):
        page.call("match.load", text="{}")


def begun(page: Page, work: Work[Any], id_: int) -> list[Any]:
    """The list that gets the value of some work, or its refusal."""
    found: list[Any] = []

    def done(value: Any) -> None:
        try:
            found.append(value())
        except RefusedError as refusal:
            found.append(str(refusal))
        except RuntimeError as fault:
            found.append(fault)

    assert page.studio.workers is not None
    stop = page.studio.workers.start(work, page.client, done, page.client.report)
    page.client.running[id_] = stop
    return found


def waited(found: list[Any], seconds: float = 20) -> Any:
    """The value of some work."""
    end = time.monotonic() + seconds
    while not found:
        assert time.monotonic() < end
        time.sleep(0.01)
    return found[0]


@pytest.mark.slow
def test_work_is_stopped_and_the_next_is_done(page: Page) -> None:
    first = begun(page, Work(sleeping, (0.0,)), 11)
    long = begun(page, Work(sleeping, (60.0,)), 12)
    process = waited(first)
    page.begin("work.stop", 9, id=12)
    assert waited(long, 5) == "this was stopped"
    again = waited(begun(page, Work(sleeping, (0.0,)), 13))
    assert isinstance(process, int)
    assert isinstance(again, int)
    page.begin("work.stop", 9, id="another")  # nothing has this name


@pytest.mark.slow
def test_short_work_does_not_wait_for_long_work(page: Page) -> None:
    long = begun(page, Work(sleeping, (60.0,)), 11)
    assert page.call("check.run", rulesets=[HUNGRY])["diagnostics"] == []
    assert long == []
    more = [begun(page, Work(sleeping, (60.0,)), 20 + n) for n in range(workers.MAX_PROCESSES)]
    page.client.running[20 + len(more) - 1]()  # it still waits for a process
    assert waited(more[-1], 5) == "this was stopped"


@pytest.mark.slow
def test_a_process_that_fails_or_ends_is_replaced(page: Page) -> None:
    assert isinstance(waited(begun(page, Work(failing, ()), 11)), RuntimeError)
    assert waited(begun(page, Work(ending, ()), 12)) == "the process of this work has ended early"
    assert waited(begun(page, Work(devouring, ()), 14)) == "this needs too much memory"
    assert isinstance(waited(begun(page, Work(sleeping, (0.0,)), 13)), int)


@pytest.mark.slow
def test_work_that_takes_too_long_is_ended(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MAX_SECONDS", 0.5)
    assert "takes longer than" in waited(begun(page, Work(sleeping, (60.0,)), 11), 5)


@pytest.mark.slow
def test_two_messages_of_one_id_are_not_worked_on_at_once(page: Page) -> None:
    assert page.begin("check.run", 1, rulesets=[HUNGRY]) is None
    again = page.begin("check.run", 1, rulesets=[HUNGRY])
    assert "id" in again["error"]["message"]
    for id_ in range(2, MAX_RUNNING + 1):
        assert page.begin("check.run", id_, rulesets=[HUNGRY]) is None
    refusal = page.begin("check.run", MAX_RUNNING + 1, rulesets=[HUNGRY])
    assert "too many" in refusal["error"]["message"]
    for _ in range(MAX_RUNNING):
        reply = page.wait()
        result_check("check.run")(reply["result"])
    assert page.client.running == {}


#: stops `tasks` while it starts a process, and ends
STOPPED = """
import threading, time
from multiprocessing import resource_tracker, util
from support.studio_work import sleeping
from tilewright.faces.studio.client import NoStore, Studio, Work
from tilewright.faces.studio.jobs.processes import ProcessRunner
from tilewright.faces.studio.jobs.workers import WorkerProcesses

spawn, is_begun = util.spawnv_passfds, threading.Event()

def slow_spawn(*words):
    found = spawn(*words)
    is_begun.set()
    time.sleep(1)
    return found

if __name__ == "__main__":
    resource_tracker.ensure_running()
    util.spawnv_passfds = slow_spawn
"""
BEGIN = {
    "workers": """
    tasks = WorkerProcesses(Studio((), NoStore()))
    tasks.start_early(Work(sleeping, ()))
""",
    "jobs": """
    tasks = ProcessRunner(())
    tasks.start("1", {"texts": {}}, print)
""",
}


@pytest.mark.skipif(sys.platform == "win32", reason="processes begin otherwise there")
@pytest.mark.parametrize("name", BEGIN)
def test_a_process_that_is_stopped_while_it_starts_prints_nothing(name: str) -> None:
    program = f"{STOPPED}{BEGIN[name]}    is_begun.wait()\n    tasks.stop()\n"
    path = os.pathsep.join((str(ROOT / "interpreter"), str(ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
