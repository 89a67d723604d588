"""A scenario as the data of its file, for writing it out again.

Everything in a scenario is kept; comments and layout of its file are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilewright.language.source.yaml.dump import Commented
from tilewright.rules.model.ruleset import Expectation, Line, Scenario
from tilewright.rules.reading.files.scenarios import drawn_piece

#: comments for lines of the play, by their number from zero
Comments = Mapping[int, str]


def scenario_data(scenario: Scenario, comments: Comments | None = None) -> dict[str, Any]:
    """A scenario as one item of the list `scenarios`."""
    first = scenario.players[:1]
    entries: dict[str, Any] = {
        "id": scenario.id,
        "says": scenario.says,
        "proves": list(scenario.statements),
        "covers": list(scenario.covers),
        "game": list(scenario.rulesets),
        "options": dict(scenario.options),
        "players": list(scenario.players),
        "active": scenario.active if (scenario.active,) != first else "",
        "turn": scenario.turn if scenario.turn > 1 else 0,
        "board": list(scenario.board),
        "joined": list(scenario.joined),
        "recast": list(scenario.recast),
        "figures": dict(scenario.figures),
        "points": dict(scenario.points),
        "tokens": dict(scenario.tokens),
        "stacks": {stack: list(pieces) for stack, pieces in scenario.stacks},
        "memory": dict(scenario.memory),
        "fails": scenario.fails,
    }
    found = {key: value for key, value in entries.items() if value}
    comment_of = comments or {}
    play: list[Any] = []
    for number, line in enumerate(scenario.lines):
        play.append(_line(line, comment_of.get(number, "")))
    return {**found, "play": play} if play else found


def _line(line: Line, comment: str) -> Any:
    if line.expect is None:
        is_draw = line.verb == "draw"
        text = f"draw {line.text}" if is_draw else line.text
        is_keyed = is_draw != bool(
            drawn_piece(text)
        )  # a draw of several words, or a choice like one
        text = line.text if is_keyed else text
        shown = Commented(text, comment) if comment else text
        return {line.verb: shown} if is_keyed else shown
    data = expectation_data(line.expect)
    if comment:  # diagnostics point to the first key, so the comment is beside it
        key = next(iter(data))
        data[key] = Commented(data[key], comment)
    return {"expect": data}


def expectation_data(expect: Expectation) -> dict[str, Any]:
    """The expectation as a map."""
    entries: dict[str, Any] = {
        "points": dict(expect.points),
        "gained": dict(expect.gained),
        "figures": dict(expect.figures),
        "supply": dict(expect.supply),
        "tokens": dict(expect.tokens),
        "stacks": dict(expect.stacks),
        "tiles": expect.tiles,
        "memory": dict(expect.memory),
        "values": dict(expect.values),
        "decides": expect.decides,
        "step": expect.step,
        "options": None if expect.options is None else list(expect.options),
        "offered": list(expect.offered),
        "refused": dict(expect.refused),
        "over": expect.over,
        "winners": None if expect.winners is None else list(expect.winners),
    }
    # an empty list of options or winners is an expectation; other empty values are not
    asking = ("tiles", "options", "over", "winners")
    return {
        key: value
        for key, value in entries.items()
        if value or (key in asking and value is not None)
    }
