"""The door for a worker inside a browser: one thread, no server, files in memory."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.hungry import HUNGRY, hungry_files
from support.paths import ROOT
from support.studio_client import PEOPLE
from tilewright.faces.studio.doors.worker import Worker, prepared


class Conversation:
    """A worker, a second one for its jobs, and what the first has posted."""

    def __init__(self, folder: Path) -> None:
        self.posted: list[Any] = []
        self.orders: list[str] = []
        self.ended = 0
        (folder / "first").mkdir()
        self.worker = Worker(lambda text: None, folder / "first")
        self.worker.resume(lambda text: self.posted.append(json.loads(text)), self)
        self.second = Worker(self.worker.hear, folder / "second")
        self.call("hello", token="")

    def begin(self, text: str) -> None:
        """Give the second worker a job; it begins with `work`."""
        self.orders.append(text)

    def end(self) -> None:
        """End the second worker."""
        self.ended += 1

    def work(self) -> None:
        """Let the second worker carry out the jobs that it was given."""
        while self.orders:
            self.second.work(self.orders.pop(0))

    def call(self, method: str, **params: Any) -> Any:
        """The result of a method."""
        message = {"jsonrpc": "2.0", "id": len(self.posted), "method": method, "params": params}
        before = len(self.posted)
        self.worker.receive(json.dumps(message))
        (found,) = [m for m in self.posted[before:] if m.get("id") == message["id"]]
        assert "result" in found, found
        return found["result"]

    async def heard(self, wanted: Callable[[Any], bool]) -> Any:
        """The first notification that is wanted."""
        for _ in range(600):
            for message in self.posted:
                if "method" in message and wanted(message):
                    return message["params"]
            await asyncio.sleep(0.05)
        raise AssertionError(self.posted[-3:])


@pytest.mark.slow
def test_an_image_has_read_the_rulesets_and_no_page(tmp_path: Path) -> None:
    async def run() -> None:
        worker = prepared(tmp_path / "made")
        assert not worker.client.is_welcome
        assert not worker.client.studio.trees
        posted: list[str] = []
        worker.resume(posted.append)
        before = worker.client.studio.library
        for message in ({"method": "hello", "params": {"token": ""}}, {"method": "library.list"}):
            worker.receive(json.dumps({"jsonrpc": "2.0", "id": 1, **message}))
        assert len(posted) == 2
        assert len(json.loads(posted[1])["result"]["cards"]) > 50
        assert worker.client.studio.library is before

    asyncio.run(run())


def in_a_loop(talk: Callable[[Conversation], Any], folder: Path) -> None:
    """Talk with a worker inside an event loop, as in a browser; no thread may begin."""
    before = threading.active_count()

    async def run() -> None:
        await talk(Conversation(folder))
        assert threading.active_count() <= before

    asyncio.run(run())


def test_a_match_is_played_in_a_worker(tmp_path: Path) -> None:
    async def talk(here: Conversation) -> None:
        state = here.call("match.new", game="c2/base", seats=PEOPLE, seed="a")
        assert here.call("match.choose", match=state["match"], n=0)["at"] == 1

    in_a_loop(talk, tmp_path)


def test_a_rule_is_written_and_diagnosed_in_a_worker(tmp_path: Path) -> None:
    pytest.importorskip("pygls")

    async def talk(here: Conversation) -> None:
        made = here.call(
            "file.new", name="hungry-dragon", template="empty", game="c2/princess-and-dragon"
        )
        assert made["ruleset"] == HUNGRY
        uri = here.call("file.read", path=made["files"][1])["uri"]
        text = hungry_files()["rules/dragon.yaml"].replace("monk\n", "mnk\n")
        opened = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        for message in (
            {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
            {"method": "initialized", "params": {}},
            {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
        ):
            here.call("lsp", message={"jsonrpc": "2.0", **message})
        found = await here.heard(lambda m: "mnk" in json.dumps(m))
        assert found["message"]["method"] == "textDocument/publishDiagnostics"

    in_a_loop(talk, tmp_path)


def test_a_job_runs_in_a_worker(tmp_path: Path) -> None:
    async def talk(here: Conversation) -> None:
        state = here.call("simulate.start", games=["c2/base"], bots=["random"], players=2, count=20)
        assert state["status"] == "running"
        here.work()
        found = await here.heard(lambda m: m["params"].get("status") == "done")
        assert found["simulation"]["games"] == 20

    in_a_loop(talk, tmp_path)


WISH = {"bots": ["random"], "players": 2, "count": 10}


def test_a_job_in_a_worker_has_the_files_and_drafts_of_the_page(tmp_path: Path) -> None:
    async def talk(here: Conversation) -> None:
        here.call("file.new", name="hungry-dragon", template="empty", game="c2/princess-and-dragon")
        path = "0/hungry-dragon/rules/rules.yaml"
        stamp = ""
        for text, status in (("rules: [{id: slip}]\n", "failed"), ("rules: []\n", "done")):
            stamp = here.call("file.draft", path=path, text=text, stamp=stamp)["stamp"]
            job = here.call("simulate.start", games=[HUNGRY], **WISH)["job"]
            here.work()
            state = here.call("job.state", job=job)
            assert state["status"] == status
            assert ("diagnostics" in state) == (status == "failed")

    in_a_loop(talk, tmp_path)


def test_a_job_in_a_worker_is_stopped_by_ending_the_worker(tmp_path: Path) -> None:
    async def talk(here: Conversation) -> None:
        jobs = [here.call("simulate.start", games=["c2/base"], **WISH)["job"] for _ in range(3)]
        assert [here.call("job.state", job=job)["status"] for job in jobs] == [
            "running", "waiting", "waiting",
        ]  # fmt: skip
        here.call("job.cancel", job=jobs[1])
        assert here.ended == 0
        here.orders.clear()  # the work on the first ends with its worker
        here.call("job.cancel", job=jobs[0])
        assert here.ended == 1
        here.work()
        statuses = [here.call("job.state", job=job)["status"] for job in jobs]
        assert statuses == ["stopped", "stopped", "done"]

    in_a_loop(talk, tmp_path)


def test_a_second_worker_that_cannot_begin_is_a_failed_job(tmp_path: Path) -> None:
    async def talk(here: Conversation) -> None:
        job = here.call("simulate.start", games=["c2/base"], **WISH)["job"]
        here.worker.hear("")
        state = here.call("job.state", job=job)
        assert (state["status"], state["problem"]) == (
            "failed", "the worker of this job has ended early",
        )  # fmt: skip

    in_a_loop(talk, tmp_path)


def test_a_text_that_is_no_message_is_answered(tmp_path: Path) -> None:
    async def talk(here: Conversation) -> None:
        here.worker.receive("{")
        assert here.posted[-1]["error"]["code"] == -32700

    in_a_loop(talk, tmp_path)


def test_a_worker_needs_neither_server_nor_processes() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('websockets', '_multiprocessing')));"
        "import tilewright.faces.studio.doors.worker as w;"
        "assert 'multiprocessing' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(ROOT / "interpreter")}
    )


def test_jobs_need_nothing_that_python_in_a_page_does_not_have() -> None:
    code = "import sys; sys.modules['multiprocessing.resource_tracker'] = None\n"
    code += "import tilewright.faces.studio.jobs.work"
    subprocess.run([sys.executable, "-c", code], check=True)
