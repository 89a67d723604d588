"""Results of a simulation: each measure with its interval, each difference in a sentence.

A difference is reported only when it stays significant after correction for all measures that were
tested together, so a game compared with itself gives a false alarm no more often than the level
allows.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.locale.words import ENGLISH, Words, capital
from tilewright.rules.linking.game import Game
from tilewright.tools.simulation.game import HUNDREDTHS
from tilewright.tools.simulation.run import Simulation
from tilewright.tools.simulation.sentences import nothing_found, number, sentence
from tilewright.tools.simulation.statistics import (
    CONFIDENCE,
    FEWEST,
    Difference,
    Interval,
    Line,
    Measure,
    Summary,
    Value,
    corrected,
    mcnemar,
    newcombe,
    newcombe_paired,
    recovered,
    wilson,
)
from tilewright.tools.simulation.tally import quantiles


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of a simulation, with labels in a language."""

    simulation: Simulation
    names: tuple[str, ...]
    lines: tuple[Line, ...]
    differences: tuple[Difference, ...]
    language: str = ENGLISH


@dataclass(frozen=True, slots=True)
class GameLabels:
    """Labels for people: seats in their order, kinds of feature and rules by id, and the measures
    of the rulesets of each game.
    """

    seats: tuple[str, ...]
    called: Mapping[str, str]
    declared: tuple[Mapping[str, str], ...]


def words_of(games: Sequence[Game], language: str = ENGLISH) -> GameLabels:
    """The labels of some games; the first that has a name for something gives it."""
    called: dict[str, str] = {}
    for game in games:
        named = [(kind.id, kind.label) for kind in game.features]
        named += [(rule.rule.head.id, rule.rule.head.label) for rule in game.rules()]
        for id_, label in named:
            if label.get(language):
                called.setdefault(id_, label.get(language))
    return GameLabels(
        tuple(
            seat.id if language == ENGLISH else seat.label.get(language) or seat.id
            for seat in games[0].seats
        ),
        called,
        tuple({x.id: x.declaration.label.get(language) for x in game.measures} for game in games),
    )


#: measures of every game, in the order in which they are shown
GENERAL = ("points", "margin", "shared", "turns", "choices", "length", "options", "idle")
_IN_HUNDREDTHS = ("length", "options", "idle")
GROUPS = ("general", "declared", "seat", "bot", "source", "rule", "fired")
#: groups whose differences are reported one by one
REPORTED = ("general", "declared", "seat", "bot", "source")


def findings(simulation: Simulation, labels: GameLabels, language: str = ENGLISH) -> Findings:
    """The results of a simulation; `labels` are those of the games of its plan."""
    plan, words = simulation.plan, Words(language)
    known = _distinct_measures(simulation, labels, words)
    order = {id_: number for number, id_ in enumerate(GENERAL)}
    known.sort(key=lambda x: (GROUPS.index(x.group), order.get(x.id, 0), x.id))
    lines = tuple(
        Line(
            measure,
            tuple(
                _value(simulation, number, measure)
                if _is_measured(measure, labels.declared[number])
                else None
                for number in range(len(plan.games))
            ),
        )
        for measure in known
    )
    differences = tuple(_differences(simulation, known, labels))
    return Findings(simulation, _names(plan.games, words), lines, differences, words.language)


def _distinct_measures(simulation: Simulation, labels: GameLabels, words: Words) -> list[Measure]:
    """All measures, with labels and names that are unique within their group.

    Where rulesets have equal labels, the id is added.
    """
    ids = simulation.tally.measures()
    known = [measure_of(id_, simulation, labels, words) for id_ in ids]
    alike = Counter(measure.label for measure in known)
    names = Counter((measure.group, measure.name) for measure in known)
    for k, measure in enumerate(known):
        if alike[measure.label] > 1 or names[measure.group, measure.name] > 1:
            known[k] = measure_of(measure.id, simulation, _with_id(labels, measure.id), words)
    return known


def _with_id(labels: GameLabels, measure: str) -> GameLabels:
    """The labels with the id added to the name of the measure."""
    id_ = measure.partition(".")[2]
    called = {k: f"{name} (`{k}`)" if k == id_ else name for k, name in labels.called.items()}
    declared = tuple(
        {k: f"{name} (`{k}`)" if k == id_ else name for k, name in game.items()}
        for game in labels.declared
    )
    return replace(labels, called=called, declared=declared)


def _value(simulation: Simulation, game: int, measure: Measure) -> Value:
    tally = simulation.tally
    found = tally.summary(game, measure.id, measure.over)
    interval = wilson(found.mean, found.count) if measure.is_share else found.interval
    return Value(found, interval, quantiles(tally.histogram(game, measure.id)))


def _names(games: Sequence[str], words: Words) -> tuple[str, ...]:
    """The names of the games, distinct even where one is compared with itself."""
    return tuple(
        words("simulation.again", game=text) if text in games[:number] else text
        for number, text in enumerate(games)
    )


def _is_measured(measure: Measure, declared: Mapping[str, str]) -> bool:
    """Whether a game has a measure; undeclared measures belong to every game."""
    return measure.group != "declared" or measure.id.partition(".")[2] in declared


def _differences(
    simulation: Simulation, known: Sequence[Measure], labels: GameLabels
) -> list[Difference]:
    plan = simulation.plan
    looked_at = [
        (game, measure, *_difference(simulation, game, measure))
        for game in range(1, len(plan.games))
        for measure in known
        if all(_is_measured(measure, labels.declared[k]) for k in (0, game))
    ]
    p_values = corrected([p_value for *_, p_value in looked_at])
    return [
        Difference(game, measure, found, interval, p_value, _deviation(simulation, game, measure))
        for (game, measure, found, interval, _), p_value in zip(looked_at, p_values, strict=True)
    ]


def _difference(
    simulation: Simulation, game: int, measure: Measure
) -> tuple[Summary, Interval, float]:
    """How a measure differs from the first game, its interval and its probability by accident.

    Shares of games with the same luck are paired; under two seeds they have nothing in common.
    """
    plan, tally = simulation.plan, simulation.tally
    found = tally.difference(game, measure.id, measure.over)
    if not measure.is_share:
        return found, found.interval, found.p_value
    first, second = (tally.summary(k, measure.id, measure.over) for k in (0, game))
    is_paired = plan.seeds[game] == plan.seeds[0]
    changes = tally.differences[game].get(measure.id, Counter())
    lost, won = changes[-1], changes[1]
    p_value = found.p_value
    if measure.over == 1:
        p_value = mcnemar(lost, won) if found.count >= FEWEST else 1.0
    if not is_paired:
        interval = newcombe(first.mean, first.count, second.mean, second.count)
    elif measure.over == 1:
        both = tally.values[0].get(measure.id, Counter())[1] - lost
        interval = newcombe_paired(both, lost, won, found.count - both - lost - won)
    else:
        interval = recovered(
            first.mean, second.mean, found.count, _correlation(first, second, found)
        )
    return found, interval, p_value


def _correlation(first: Summary, second: Summary, difference: Summary) -> float:
    """The correlation of two games, from their deviations and that of their difference."""
    under = 2 * first.deviation * second.deviation
    if not under:
        return 0.0
    over = first.deviation**2 + second.deviation**2 - difference.deviation**2
    return max(-1.0, min(1.0, over / under))


def _deviation(simulation: Simulation, game: int, measure: Measure) -> float:
    tally = simulation.tally
    both = [tally.summary(k, measure.id, measure.over).deviation for k in (0, game)]
    return math.sqrt(sum(x * x for x in both) / 2)


def measure_of(id_: str, simulation: Simulation, labels: GameLabels, words: Words) -> Measure:
    """The measure behind an id."""
    plan = simulation.plan
    group, _, rest = id_.partition(".")
    clause = f"simulation.clause.{group}"
    if group in ("source", "rule"):
        name = f"`{rest}`" if group == "rule" else labels.called.get(rest, f"`{rest}`")
        label = words("simulation.measure.source", name=name)
        return Measure(id_, label, group, name, clause, name, plan.players)
    if group == "declared":
        name = next(x[rest] for x in labels.declared if rest in x)
        label = words("simulation.measure.declared", name=name)
        return Measure(id_, label, group, name, clause, name)
    if group == "fired":
        label = words("simulation.measure.fired", rule=rest)
        return Measure(id_, label, group, rest, clause, rest)
    if group in ("seat", "bot"):
        name, _, what = rest.rpartition(".")
        held = 1
        if group == "seat":
            name = _seat(int(name), labels)
        else:
            held = plan.bots.count(name)
        clause = f"simulation.clause.player.{what}"
        label = words(f"simulation.measure.player.{what}", player=name)
        if what == "wins":
            short = words("simulation.wins", player=name)
            return Measure(id_, label, group, short, clause, name, held, True)
        return Measure(id_, label, group, label, clause, name, held)
    over = plan.players if id_ == "points" else HUNDREDTHS if id_ in _IN_HUNDREDTHS else 1
    label = words(f"simulation.measure.{id_}")
    return Measure(
        id_, label, "general", label, f"simulation.clause.{id_}", "", over, id_ == "shared"
    )


def _seat(number: int, labels: GameLabels) -> str:
    return labels.seats[number] if number < len(labels.seats) else f"player{number + 1}"


# ------------------------------------------------------------------ the conclusion


def telling(found: Findings) -> Findings:
    """The findings without the points of seats where each seat has those of every player."""
    usual = next((line for line in found.lines if line.measure.id == "points"), None)
    if usual is None:
        return found
    means = [value.summary.mean for value in usual.values if value is not None]
    repeated = {
        line.measure.id
        for line in found.lines
        if line.measure.group == "seat" and not line.measure.is_share
        if all(
            value is None or value.interval.low <= mean <= value.interval.high
            for value, mean in zip(line.values, means, strict=True)
        )
    }
    return replace(
        found,
        lines=tuple(line for line in found.lines if line.measure.id not in repeated),
        differences=tuple(x for x in found.differences if x.measure.id not in repeated),
    )


def conclusion(found: Findings) -> str:
    """The greatest difference between the games, or the points of one, with its uncertainty."""
    words, games = Words(found.language), found.simulation.tally.count
    if len(found.names) > 1:
        sure = [x for x in found.differences if x.is_found and x.measure.group in REPORTED]
        if not sure:
            return nothing_found(found.differences, games, words)
        first = max(sure, key=lambda x: (x.measure.id == "points", abs(x.effect)))
        return f"{capital(sentence(first, found.names, words))}."
    points = next((line.values[0] for line in found.lines if line.measure.id == "points"), None)
    if points is None:
        return ""
    return words(
        "simulation.conclusion",
        points=number(points.summary.mean, words),
        level=f"{CONFIDENCE:.0%}",
        low=number(points.interval.low, words),
        high=number(points.interval.high, words),
    )


# ------------------------------------------------------------------ data


def as_json(found: Findings) -> str:
    """All results as JSON; equal for equal plans, on any computer."""
    return json.dumps(as_data(found), indent=2, ensure_ascii=False)


def as_data(found: Findings) -> dict[str, Any]:
    """The whole answer as plain data."""
    simulation, words = found.simulation, Words(found.language)
    tally = simulation.tally
    return {
        "plan": {**_plain(simulation), "hash": simulation.plan.hash},
        "games": tally.count,
        "chunks": simulation.chunks,
        "ended": "enough known"
        if simulation.has_stopped
        else "cut short"
        if simulation.is_cut_short
        else "as planned",
        "faults": [
            {"game": found.names[k], "number": fault[0], "says": fault[1], "times": fault[2]}
            for k, fault in enumerate(tally.faults)
            if fault is not None
        ],
        "measures": [
            {
                "id": line.measure.id,
                "label": line.measure.label,
                "group": line.measure.group,
                "over": line.measure.over,
                "values": [
                    {
                        "game": name,
                        **_as_data(value.summary, value.interval),
                        "quantiles": list(value.quantiles),
                    }
                    for name, value in zip(found.names, line.values, strict=True)
                    if value is not None
                ],
            }
            for line in found.lines
        ],
        "differences": [
            {
                "game": found.names[each.game],
                "from": found.names[0],
                "measure": each.measure.id,
                **_as_data(each.summary, each.interval),
                "doubt": _rounded(each.p_value),
                "effect": _rounded(each.effect),
                "found": each.is_found,
                "says": sentence(each, found.names, words),
            }
            for each in found.differences
        ],
    }


def _plain(simulation: Simulation) -> dict[str, Any]:
    plan: dict[str, Any] = json.loads(simulation.plan.text())
    return plan


def _as_data(summary: Summary, interval: Interval) -> dict[str, Any]:
    return {
        "mean": _rounded(summary.mean),
        "low": _rounded(interval.low),
        "high": _rounded(interval.high),
        "deviation": _rounded(summary.deviation),
        "alike": summary.is_constant,
    }


def _rounded(x: float) -> float | None:
    """Six digits: further ones depend on the computer."""
    return None if math.isinf(x) else float(f"{x:.6g}")
