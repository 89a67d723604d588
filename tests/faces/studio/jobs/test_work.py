"""Jobs: simulations and searches for boards, their progress and their end."""

from __future__ import annotations

import errno
import re
import time
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from support.hungry import HUNGRY, hungry_files, write_hungry
from support.studio_client import Page, RefusedByStudio
from tilewright.faces.studio.jobs import processes
from tilewright.faces.studio.jobs.processes import ProcessRunner
from tilewright.view.board.svg import PAPER

TWO = ["c2/princess-and-dragon", "house/fairy-five"]


def test_a_simulation_gives_the_numbers_of_the_command_line() -> None:
    page = Page(runs_jobs=True)
    started = page.call("simulate.start", games=TWO, bots=["random"], players=2, count=60)
    state = page.call("job.state", job=started["job"])
    assert (state["status"], state["done"], state["total"]) == ("done", 60, 60)
    there = tw.simulate(*TWO, count=60)
    points = next(m for m in there["measures"] if m["id"] == "points")
    row = next(r for r in state["simulation"]["rows"] if r["id"] == "points")
    assert [v["mean"] for v in row["values"]] == [
        pytest.approx(v["mean"], abs=1e-3) for v in points["values"]
    ]
    sure = {d["measure"] for d in there["differences"] if d["found"]}
    rows = state["simulation"]["rows"]
    assert {r["id"] for r in rows if any(d and d["sure"] for d in r["differences"])} <= sure
    assert page.call("simulate.report", job=started["job"])["html"].startswith("<!doctype html>")


def test_rows_are_in_groups_and_sure_differences_come_first_in_each() -> None:
    page = Page(runs_jobs=True)
    job = page.call("simulate.start", games=TWO, bots=["random"], players=2, count=100)["job"]
    found = page.call("job.state", job=job)["simulation"]
    groups = [[*rows] for _, rows in groupby(found["rows"], key=lambda row: row["heading"])]
    assert len({rows[0]["heading"] for rows in groups}) == len(groups) > 2
    sure = [[any(d and d["sure"] for d in row["differences"]) for row in rows] for rows in groups]
    assert sure == [sorted(each, reverse=True) for each in sure]
    assert any(map(any, sure))
    points = {row["id"] for row in found["rows"] if row["unit"] == "points"}
    assert {"points", "margin"} < points and "turns" not in points


def test_a_simulation_has_a_conclusion_and_the_topic_that_explains_it() -> None:
    page = Page(runs_jobs=True)
    page.call("words", language="pl")
    job = page.call("simulate.start", games=TWO, bots=["random"], players=2, count=100)["job"]
    found = page.call("job.state", job=job)["simulation"]
    assert "95% między" in found["conclusion"] and "/" not in found["conclusion"]
    assert found["look"]["topic"].startswith("fairy.")
    assert found["look"]["label"] not in ("", found["look"]["topic"])


def test_every_page_hears_of_a_job() -> None:
    page = Page(runs_jobs=True)
    page.call("simulate.start", games=["c2/base"], bots=["random"], players=2, count=10)
    assert [p["status"] for m, p in page.told if m == "job"][-1] == "done"


@pytest.mark.parametrize(
    "wrong",
    [{"games": []}, {"games": ["c2/base", ""]}, {"games": ["c2/base"] * 7}, {"count": 0},
     {"count": 10**6}, {"bots": []}, {"bots": ["mcts:10"], "count": 500}],
)  # fmt: skip
def test_a_simulation_that_is_too_large_is_refused(wrong: dict[str, Any]) -> None:
    usual = {"games": ["c2/base"], "bots": ["random"], "players": 2, "count": 10}
    with pytest.raises(RefusedByStudio, match="expected"):
        Page(runs_jobs=True).call("simulate.start", **{**usual, **wrong})


@pytest.mark.parametrize(
    "wrong",
    [{"games": ["no/such"]}, {"bots": ["chess"]}, {"players": 99}],
)
def test_a_simulation_that_cannot_be_played_fails_with_a_sentence(wrong: dict[str, Any]) -> None:
    usual = {"games": ["c2/base"], "bots": ["random"], "players": 2, "count": 10}
    page = Page(runs_jobs=True)
    job = page.call("simulate.start", **{**usual, **wrong})["job"]
    state = page.call("job.state", job=job)
    assert state["status"] == "failed"
    assert state["problem"]
    with pytest.raises(RefusedByStudio, match="report does not exist"):
        page.call("simulate.report", job=job)


def test_an_unknown_job_is_refused() -> None:
    for method in ("job.state", "job.cancel", "simulate.report"):
        with pytest.raises(RefusedByStudio, match="does not exist"):
            Page(runs_jobs=True).call(method, job="0")


def test_boards_show_what_a_house_rule_changes(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    page = Page(tmp_path, runs_jobs=True)
    games = ["c2/princess-and-dragon", HUNGRY]
    job = page.call("witness.start", games=games, decisions=1)["job"]
    state = page.call("job.state", job=job)
    assert state["status"] == "done"
    boards = state["boards"]
    assert boards["rows"]
    assert all(side["picture"].startswith("<svg") for b in boards["boards"] for side in b["sides"])


def test_boards_are_shown_as_soon_as_each_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr("tilewright.faces.studio.jobs.work.PAUSE", 0.0)
    page = Page(runs_jobs=True)
    page.call("witness.start", games=["c2/princess-and-dragon", "house/fairy-five"], decisions=1)
    told = [p for m, p in page.told if m == "job" and "boards" in p]
    assert [p["status"] for p in told[:-1]] == ["running"] * (len(told) - 1)
    numbers = [len(p["boards"]["boards"]) for p in told]
    assert numbers == sorted(numbers) and numbers[0] == 1
    assert told[-1]["status"] == "done"
    assert set(told[0]["boards"]["rows"]) <= set(told[-1]["boards"]["rows"])
    again = page.call(
        "witness.start", games=["c2/princess-and-dragon", "house/fairy-five"], decisions=1
    )
    assert (again["status"], again["boards"]) == ("done", told[-1]["boards"])


def test_boards_follow_light_and_dark(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    page = Page(tmp_path, runs_jobs=True)
    games = ["c2/princess-and-dragon", HUNGRY]
    job = page.call("witness.start", games=games, decisions=1)["job"]
    boards = page.call("job.state", job=job)["boards"]
    pictures = [side["picture"] for board in boards["boards"] for side in board["sides"]]
    used = {name for text in pictures for name in re.findall(r"var\((--[\w-]+)\)", text)}
    assert used and used <= set(boards["colours"])
    assert all(PAPER not in text for text in pictures)


# ------------------------------------------------------------------ processes


def ended(page: Page, job: str, seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = page.call("job.state", job=job)
        if state["status"] in ("done", "stopped", "failed"):
            return state
        time.sleep(0.05)
    raise AssertionError(state)


@pytest.mark.slow
def test_jobs_run_in_a_process_with_the_drafts_one_after_the_other(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    page = Page(tmp_path)
    page.studio.runner = runner = ProcessRunner((tmp_path,))
    try:
        text = hungry_files()["rules/dragon.yaml"].replace("monk", "mnk")
        page.call("file.draft", path="0/hungry-dragon/rules/dragon.yaml", text=text, stamp="")
        usual = {"bots": ["random"], "players": 2}
        broken = page.call("simulate.start", games=[HUNGRY], count=10, **usual)["job"]
        good = page.call("simulate.start", games=["c2/base"], count=30, **usual)["job"]
        long = page.call("simulate.start", games=TWO, bots=["greedy"], players=4, count=2000)["job"]
        never = page.call("simulate.start", games=TWO, count=10, **usual)["job"]
        page.call("job.cancel", job=never)
        assert "mnk" in ended(page, broken)["problem"]
        assert ended(page, good)["done"] == 30
        while page.call("job.state", job=long)["status"] == "waiting":
            time.sleep(0.05)
        page.call("job.cancel", job=long)
        assert ended(page, long)["status"] == "stopped"
        assert ended(page, never)["status"] == "stopped"
    finally:
        runner.stop()


def test_a_process_that_cannot_be_started_is_a_failed_job_and_the_next_one_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(process: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(processes, "start_uninterrupted", full)
    page = Page()
    page.studio.runner = ProcessRunner(())
    jobs = [
        page.call("simulate.start", games=TWO, bots=["random"], players=2, count=10)["job"]
        for _ in range(2)
    ]
    for job in jobs:
        state = ended(page, job)
        assert (state["status"], state["problem"]) == (
            "failed",
            "the process of this job cannot be started: resource temporarily unavailable",
        )


@pytest.mark.slow
def test_a_process_that_dies_is_a_failed_job() -> None:
    page = Page()
    page.studio.runner = runner = ProcessRunner(())
    try:
        job = page.call("simulate.start", games=TWO, bots=["greedy"], players=4, count=2000)["job"]
        while page.call("job.state", job=job)["status"] == "waiting":
            time.sleep(0.05)
        time.sleep(0.5)
        runner._kill(runner._process)
        state = ended(page, job)
        assert (state["status"], state["problem"]) == (
            "failed", "the process of this job has ended early",
        )  # fmt: skip
    finally:
        runner.stop()
