"""Messages about jobs: they are run one after the other, and every page hears of their progress."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal

from tilewright.faces.studio.client import Client, RefusedError, Studio
from tilewright.faces.studio.places import diagnostics_data
from tilewright.faces.studio.protocol import desk

#: limits of a simulation, and of the jobs that are remembered
MAX_GAMES, MAX_COUNT, MAX_JOBS = 6, 2000, 50
#: games between bots that search take seconds each
MAX_SEARCHED = 200


def start_simulation(client: Client, params: desk.SimulateStart) -> desk.JobState:
    """Simulate games."""
    if not 1 <= len(params["games"]) <= MAX_GAMES:
        raise RefusedError(f"expected 1 to {MAX_GAMES} games")
    if not all(game.strip("+ ") for game in params["games"]):
        raise RefusedError("expected the name of a game")
    is_search = any(bot.startswith("mcts") for bot in params["bots"])
    most = MAX_SEARCHED if is_search else MAX_COUNT
    if not 1 <= params["count"] <= most:
        raise RefusedError(f"expected 1 to {most} games of each")
    if not params["bots"]:
        raise RefusedError("expected a bot")
    return _start(client, "simulate", params)


def start_search(client: Client, params: desk.WitnessStart) -> desk.JobState:
    """Look for boards on which two games differ."""
    if len(params["games"]) != 2 or not all(game.strip("+ ") for game in params["games"]):
        raise RefusedError("expected two games")
    # slow to import, and the first to look at boards waits for it anyway
    from tilewright.faces.studio.shelf.evidence import kept_boards
    from tilewright.tools.witness.find import DECISIONS

    one, other = params["games"]
    decisions = max(1, params.get("decisions", DECISIONS))
    kept = kept_boards(client.studio.library, (one, other), client.language, decisions)
    if kept is not None:
        job = _new_job(client.studio, "witness")
        job.state = {**job.state, "status": "done", "boards": kept}
        return job.state
    return _start(client, "witness", params)


def _new_job(studio: Studio, kind: Literal["witness", "simulate"]) -> Job:
    name = secrets.token_hex(6)
    state: desk.JobState = {
        "job": name, "kind": kind, "status": "waiting", "what": "", "done": 0, "total": 0,
        "report": False,
    }  # fmt: skip
    job = studio.jobs[name] = Job(state)
    for old in list(studio.jobs)[: max(0, len(studio.jobs) - MAX_JOBS)]:
        if studio.jobs[old].is_over:
            del studio.jobs[old]
    return job


def _start(
    client: Client, kind: Literal["witness", "simulate"], params: Mapping[str, Any]
) -> desk.JobState:
    studio = client.studio
    if studio.runner is None:
        raise RefusedError("jobs cannot be run here")
    job = _new_job(studio, kind)
    request = {
        "kind": kind,
        "params": params,
        "language": client.language,
        "texts": {str(path): text for path, text in studio.overlay.texts.items()},
    }
    studio.runner.start(
        job.state["job"], request, lambda job, parts: _told(client.studio, job, parts)
    )
    return job.state


class Job:
    """A job: its state, and the page that it has made, if any."""

    def __init__(self, state: desk.JobState) -> None:
        self.state = state
        self.html = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state["status"] in ("done", "stopped", "failed")


def _told(studio: Studio, name: str, parts: Mapping[str, Any]) -> None:
    """Take in the progress of a job."""
    job: Job | None = studio.jobs.get(name)
    if job is None or job.is_over:
        return
    state: dict[str, Any] = {**job.state, "status": "running", **parts}
    job.html = state.pop("html", job.html)
    state["report"] = bool(job.html)
    if "diagnostics" in state:
        state["diagnostics"] = diagnostics_data(studio, state["diagnostics"])
    # the parts are those of a state: they come from a process of our own
    job.state = state  # type: ignore[assignment]
    studio.tell("job", job.state)


def state_of_job(client: Client, params: desk.JobName) -> desk.JobState:
    """The state of a job."""
    return _job(client.studio, params["job"]).state


def cancel(client: Client, params: desk.JobName) -> desk.JobState:
    """Stop a job; its results so far stay."""
    job = _job(client.studio, params["job"])
    if not job.is_over and client.studio.runner is not None:
        client.studio.runner.cancel(params["job"])
    return job.state


def report(client: Client, params: desk.JobName) -> desk.Report:
    """The page of a simulation."""
    job = _job(client.studio, params["job"])
    if not job.html:
        raise RefusedError("the report does not exist yet")
    return {"name": "simulation.html", "html": job.html}


def _job(studio: Studio, name: str) -> Job:
    job: Job | None = studio.jobs.get(name)
    if job is None:
        raise RefusedError("this job does not exist any more")
    return job
