"""The memory of a match in the notation of scenarios: `total`, `2,-1 depth`, `red total`.

A memory that keeps a value for each thing is named after the thing: a tile by its cell, a segment
or feature by a segment, a figure and a player by name.
"""

from __future__ import annotations

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.text import words_of
from tilewright.play.board.board import cell_of
from tilewright.play.library.kept import keep, kept, law_of
from tilewright.play.match import Match
from tilewright.play.notation import read_segment, seat_number, value_text
from tilewright.rules.model.geometry import read_cell
from tilewright.tools.scenarios.expressions import evaluate
from tilewright.tools.scenarios.setup import figures_named


def remember(match: Match, name: str, text: str) -> tuple[str, str]:
    """Set a memory to the value of an expression; the problem and its reason, or empty texts."""
    place = _place(match, name)
    if isinstance(place, str):
        return place, ""
    slot, thing = place
    memory = match.program.game.memory[slot]
    mine = Reporter()
    found = evaluate(match, text, mine, memory.type)
    if found is None:
        why = "; ".join(each.message for each in mine.diagnostics)
        return f"`{text}` is not a {memory.type} for `{name}`", why
    if thing is None:
        match.memory[slot] = found[1]
    else:
        keep(match, thing, found[1], law_of(memory), slot)
    return "", ""


def remembered(match: Match, name: str) -> str:
    """The value of a memory as text, or why there is none."""
    place = _place(match, name)
    if isinstance(place, str):
        return place
    slot, thing = place
    memory = match.program.game.memory[slot]
    value = match.memory[slot] if thing is None else kept(match, thing, law_of(memory), slot)
    return value_text(match, memory.type, value)


def _place(match: Match, name: str) -> tuple[int, int | None] | str:
    """The slot of a memory, and the thing that it is kept for; a message for an unknown name."""
    words = words_of(name)
    slot = match.program.memory_number.get(words[-1]) if words else None
    if slot is None:
        known = did_you_mean(words[-1] if words else "", match.program.memory_number)
        return f"unknown memory `{name}`{known}"
    base, thing = match.program.game.memory[slot].of, " ".join(words[:-1])
    if not base:
        return (slot, None) if not thing else f"`{words[-1]}` is kept once, not for `{thing}`"
    if not thing:
        return f"`{name}` is kept for each {base}: write which one before it"
    number = _thing(match, base, thing)
    return f"`{thing}` is not a {base} here" if number is None else (slot, number)


def _thing(match: Match, base: str, text: str) -> int | None:
    """The number of a thing that a text names."""
    match base:
        case "player":
            return seat_number(match, text)
        case "figure":
            return next(iter(figures_named(match, text)), None)
        case "tile":
            place = read_cell(text)
            return None if place is None else match.board.tile_at.get(cell_of(*place))
    segment = read_segment(match, text)
    if segment is None or base == "segment":
        return segment
    return match.board.find(match.board.tile_features[segment >> 5][segment & 31])
