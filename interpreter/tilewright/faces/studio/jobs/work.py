"""The work of jobs: simulations, and the search for boards on which two games differ.

A job runs in another process or worker. It gets a request and a library, reports its progress as
parts of a `JobState`, and looks between two steps whether it should stop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tilewright.faces.studio.protocol import desk
from tilewright.faces.studio.shelf.evidence import BoardsSoFar, boards
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Amendment
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import CannotCompareError
from tilewright.tools.explanation.rule_parts import rule_of
from tilewright.tools.reports.simulation_page import as_page
from tilewright.tools.simulation.results import (
    REPORTED,
    Findings,
    conclusion,
    findings,
    telling,
    words_of,
)
from tilewright.tools.simulation.run import Plan, PlanPrograms, Simulation, make_plan, simulate
from tilewright.tools.simulation.sentences import difference_text, sentence
from tilewright.tools.simulation.statistics import Difference, Line, Value
from tilewright.tools.witness.find import DECISIONS
from tilewright.view.rule_sentences import id_words

#: reports parts of the state of a job
Tell = Callable[[Mapping[str, Any]], None]
#: seconds between two reports of progress
PAUSE = 0.25


class StopJob(KeyboardInterrupt):
    """The job was asked to stop."""


class FailedJobError(Exception):
    """The reason why a job has no result, with diagnostics, if any."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


def work(
    request: Mapping[str, Any],
    library: Library,
    tell: Tell,
    is_stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Carry out a job. Raises FailedJobError."""
    try:
        if request["kind"] == "simulate":
            _simulate(request["params"], request["language"], library, tell, is_stopped)
        else:
            _witness(request["params"], request["language"], library, tell, is_stopped)
    except StopJob:
        tell({"status": "stopped"})


# ------------------------------------------------------------------ boards


def _witness(
    params: desk.WitnessStart,
    language: str,
    library: Library,
    tell: Tell,
    is_stopped: Callable[[], bool],
) -> None:
    last = latest = 0.0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal last
        if is_stopped():
            raise StopJob
        if time.monotonic() - last >= PAUSE:
            last = time.monotonic()
            tell({"what": what, "done": done, "total": total})

    def show(so_far: BoardsSoFar) -> None:
        nonlocal latest
        if time.monotonic() - latest >= PAUSE:
            tell({"boards": so_far.listed()})
            latest = time.monotonic()

    games = params["games"]
    if len(games) != 2:
        raise FailedJobError("expected two games")
    try:
        decisions = max(1, params.get("decisions", DECISIONS))
        pair = (games[0], games[1])
        found = boards(library, pair, language, progress, decisions=decisions, found=show)
    except CannotCompareError as error:
        raise FailedJobError(str(error), error.diagnostics) from None
    tell({"boards": found, "status": "done"})


# ------------------------------------------------------------------ simulations


def _simulate(
    params: desk.SimulateStart,
    language: str,
    library: Library,
    tell: Tell,
    is_stopped: Callable[[], bool],
) -> None:
    try:
        plan = make_plan(
            library,
            tuple(params["games"]),
            players=params["players"],
            bots=tuple(params["bots"]),
            seeds=(params.get("seed") or "1",),
            count=params["count"],
        )
    except ValueError as error:
        raise FailedJobError(str(error)) from None
    if not isinstance(plan, Plan):
        first = next((d for d in plan if d.severity.value == "error"), None)
        raise FailedJobError("" if first is None else first.message, plan)
    bench = PlanPrograms(plan, library)
    problems = bench.prepare()
    if problems:
        raise FailedJobError(problems[0].message, problems)
    games = [program.game for program in bench.programs]
    labels = words_of(games, language)
    last = 0.0

    def on_chunk(found: Simulation) -> None:
        nonlocal last
        if time.monotonic() - last >= PAUSE:
            last = time.monotonic()
            tell(_progress(found, findings(found, labels, language), games))
        if is_stopped():
            raise StopJob

    found = simulate(bench, on_chunk=on_chunk)
    result = findings(found, labels, language)
    fault = next((each for each in found.tally.faults if each is not None), None)
    tell(
        {
            **_progress(found, result, games),
            "status": "stopped" if found.is_cut_short else "done",
            "html": as_page(result) if found.tally.count else "",
            **({} if fault is None else {"problem": fault[1]}),
        }
    )


def _progress(found: Simulation, result: Findings, games: Sequence[Game]) -> dict[str, Any]:
    plan = found.plan
    return {
        "what": "games",
        "done": min(found.chunks * plan.chunk, plan.count),
        "total": plan.count,
        "simulation": measured(result, games),
    }


def measured(result: Findings, games: Sequence[Game]) -> desk.Measured:
    """The results of a simulation so far, in groups; in each, sure differences come first."""
    names = _titles(result.simulation.plan.games, games, result.language)
    result = telling(result if names is None else replace(result, names=names))
    rows = [_row(line, result) for line in result.lines if line.measure.group in REPORTED]
    order = list(dict.fromkeys(row["group"] for row in rows))
    rows.sort(
        key=lambda row: (
            order.index(row["group"]),
            not any(d is not None and d["sure"] for d in row["differences"]),
        )
    )
    found: desk.Measured = {
        "games": result.simulation.tally.count,
        "names": list(result.names),
        "rows": rows,
        "conclusion": conclusion(result),
    }
    look = _explanation(result, games)
    if look is not None:
        found["look"] = look
    return found


def _titles(texts: Sequence[str], games: Sequence[Game], language: str) -> tuple[str, ...] | None:
    """The titles of the rulesets that were asked for in each game, with their options where two are
    equal; None where they are equal with these.
    """
    titles, options = [], [text.partition("?")[2] for text in texts]
    for text, game in zip(texts, games, strict=True):
        asked = text.partition("?")[0].split("+")
        own = [r for r in game.rulesets if r.id in asked] or game.rulesets
        titles.append(" + ".join(r.module.title.get(language) or r.id for r in own))
    if len(set(titles)) < len(titles):
        pairs = zip(titles, options, strict=True)
        titles = [f"{title} ({chosen})" if chosen else title for title, chosen in pairs]
    return tuple(titles) if len(set(titles)) == len(titles) else None


def _explanation(result: Findings, games: Sequence[Game]) -> desk.Explanation | None:
    """The topic of the rule whose points differ most, where that is sure."""
    sure = (x for x in result.differences if x.is_found and x.measure.group == "rule")
    for found in sorted(sure, key=lambda x: -abs(x.summary.mean)):
        id_ = found.measure.id.partition(".")[2]
        for game in (games[found.game], games[0]):
            rule = rule_of(game, id_)
            said = () if rule is None else rule.rule.head.statements
            book = game.statements()
            topic = next((book[s].topic for s in said if s in book), "")
            if rule is not None and topic:
                own = rule.rule
                label = own.item_label if isinstance(own, Amendment) else own.head.label
                return {"topic": topic, "label": label.get(result.language) or id_words(id_)}
    return None


def _row(line: Line, result: Findings) -> desk.MeasuredRow:
    measure = line.measure
    differences = {d.game: d for d in result.differences if d.measure.id == measure.id}
    return {
        "id": measure.id,
        "label": measure.label,
        "group": measure.group,
        "heading": Words(result.language)(f"simulation.group.{measure.group}"),
        "unit": measure.unit,
        "share": measure.is_share,
        "values": [_value(value) for value in line.values],
        "differences": [
            _difference(differences.get(game), result) for game in range(1, len(result.names))
        ],
    }


def _value(value: Value | None) -> desk.MeasuredValue | None:
    if value is None:
        return None
    mean, interval = value.summary.mean, value.interval
    return {"mean": _finite(mean), "low": _finite(interval.low), "high": _finite(interval.high)}


def _difference(found: Difference | None, result: Findings) -> desk.MeasuredDifference | None:
    if found is None:
        return None
    words = Words(result.language)
    return {
        "mean": _finite(found.summary.mean),
        "low": _finite(found.interval.low),
        "high": _finite(found.interval.high),
        "sure": found.is_found,
        "text": difference_text(found, words),
        "says": sentence(found, result.names, words),
    }


def _finite(number: float) -> float:
    """A number that JSON can hold."""
    return round(min(max(number, -1e9), 1e9), 4) if number == number else 0.0
