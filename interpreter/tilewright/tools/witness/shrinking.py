"""Shrinking: the smallest story that still shows its difference.

Tiles, figures, tokens, points, memories and stacks are removed, many at once and then one by one,
and a story of several turns begins at its last one. After each removal both sides play the story
again and must show the same difference. Tiles stay connected. In the setup of an author's proof the
figures stay, and the tiles with marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.source.text import words_of
from tilewright.play.match import Match
from tilewright.rules.model.geometry import STEPS, cell_name, read_cell
from tilewright.rules.model.ruleset import Scenario
from tilewright.tools.comparison.tile_matching import marks_of
from tilewright.tools.scenarios.capture import laid_out
from tilewright.tools.witness.lockstep import Lockstep
from tilewright.tools.witness.parting import Evidences, LockstepDifference
from tilewright.tools.witness.story import Table, play

#: whether a story's last parting still shows the difference
Shows = Callable[[LockstepDifference, Evidences], bool]
#: maximum number of replays of a story
MAX_TRIES = 160

_CELL = re.compile(r"(?<![\w-])-?\d+,-?\d+")


@dataclass(slots=True)
class _Shrinking:
    table: Table
    lead: int
    shows: Shows
    may_split: bool
    is_proof: bool
    tries: int = 0

    def holds(self, scenario: Scenario) -> bool:
        """Whether a story still ends where it is to end. Past the bound nothing does."""
        if self.tries >= MAX_TRIES:
            return False
        self.tries += 1
        judge = self.table.judge(self.lead)
        both = play(self.table.pairing, self.lead, scenario, judge, may_split=self.may_split)
        return both is not None and self._ends_well(both, scenario)

    def on(self, scenario: Scenario, cells: frozenset[tuple[int, int]]) -> Scenario | None:
        """A scenario with only these cells; None where something is lost that must stay."""
        found = _on(scenario, cells)
        if found is None or not self.is_proof:
            return found
        game = self.table.pairing.game(self.lead)
        marked = {piece.id for piece in game.pieces if marks_of(piece)}
        lost = {words_of(line)[0] for line in set(scenario.board).difference(found.board)}
        return found if found.figures == scenario.figures and not lost & marked else None

    def _ends_well(self, both: Lockstep, scenario: Scenario) -> bool:
        if not both.partings:
            return False
        parting, evidence = both.partings[-1]
        choices = [line.text for line in scenario.lines if line.verb == "choose"]
        made = [line.text for line in parting.lines if line.verb == "choose"]
        return len(made) == len(choices) and evidence is not None and self.shows(parting, evidence)


def shrunk(
    table: Table,
    lead: int,
    scenario: Scenario,
    shows: Shows,
    *,
    may_split: bool = False,
    is_proof: bool = False,
) -> Scenario:
    """The smallest story found; the same one where nothing can be removed."""
    work = _Shrinking(table, lead, shows, may_split, is_proof)
    later = next(filter(work.holds, _later(table, lead, scenario)), None)
    if later is None and not work.holds(scenario):
        return scenario
    scenario = later or scenario
    scenario = _without_far(work, scenario)
    before: Scenario | None = None
    while before != scenario:
        before = scenario
        scenario = _without_one(work, scenario)
    moved = _to_the_middle(scenario)
    return moved if moved != scenario and work.holds(moved) else scenario


# ------------------------------------------------------------------ later


def _later(table: Table, lead: int, scenario: Scenario) -> Iterator[Scenario]:
    """The same story from the start of a later turn, the latest first."""
    if not any(line.verb == "choose" for line in scenario.lines):
        return
    starts: list[tuple[Match, int]] = []
    both = play(table.pairing, lead, scenario, watch=starts)
    if both is None:
        return
    lines = tuple(both.lines)
    for match, at in reversed(starts[1:] if scenario.board else starts):
        if not match.board.tile_cell or at >= len(lines):
            continue
        blank = replace(
            scenario,
            board=(),
            joined=(),
            recast=(),
            figures=(),
            points=(),
            tokens=(),
            stacks=(),
            memory=(),
            lines=(),
        )
        laid = laid_out(blank, match)
        if laid is not None:
            yield replace(laid, lines=lines[at:])


# ------------------------------------------------------------------ less


def _without_far(work: _Shrinking, scenario: Scenario) -> Scenario:
    """Only the tiles near those that the play, the figures and the parting speak of."""
    if len(scenario.board) <= 6:
        return scenario
    named = {cell for line in scenario.lines for cell in _cells(line.text)}
    for reach in (1, 2, 3):
        for figures in (False, True):
            near = set(named)
            if figures:
                near |= {cell for _, place in scenario.figures for cell in _cells(place)}
            kept = frozenset(
                cell
                for cell in map(_cell, scenario.board)
                if any(abs(cell[0] - x) <= reach and abs(cell[1] - y) <= reach for x, y in near)
            )
            smaller = work.on(scenario, kept)
            if smaller is not None and smaller != scenario and work.holds(smaller):
                return smaller
    return scenario


def _without_one(work: _Shrinking, scenario: Scenario) -> Scenario:
    """Everything taken away that can be, one after the other."""
    for part in ("memory", "tokens", "points", "recast", "joined", "figures", "stacks"):
        if part == "figures" and work.is_proof:
            continue
        kept = list(getattr(scenario, part))
        nothing = _with(scenario, part, ())
        if len(kept) > 2 and work.holds(nothing):
            scenario = nothing
            continue
        for item in list(kept):
            fewer = tuple(other for other in kept if other is not item)
            smaller = _with(scenario, part, fewer)
            if work.holds(smaller):
                scenario, kept = smaller, list(fewer)
    for seat, _ in scenario.points:
        scenario = _poorer(work, scenario, seat)
    scenario = _earlier(work, scenario)
    for cell in [_cell(line) for line in reversed(scenario.board)]:
        rest = frozenset(map(_cell, scenario.board)) - {cell}
        alone = work.on(scenario, rest)
        if alone is not None and work.holds(alone):
            scenario = alone
    return scenario


def _poorer(work: _Shrinking, scenario: Scenario, seat: str) -> Scenario:
    """A player with as few points as will do, found by halves."""
    least, most = 0, dict(scenario.points)[seat]
    while most - least > 1:
        half = (least + most) // 2
        points = tuple((name, half if name == seat else n) for name, n in scenario.points)
        smaller = _with(scenario, "points", points)
        if work.holds(smaller):
            scenario, most = smaller, half
        else:
            least = half
    return scenario


def _earlier(work: _Shrinking, scenario: Scenario) -> Scenario:
    """The same in as early a turn as will do, found by halves."""
    least, most = 0, scenario.turn
    while most - least > 1:
        half = (least + most) // 2 if least else 1
        sooner = replace(scenario, turn=half)
        if work.holds(sooner):
            scenario, most = sooner, half
        else:
            least = half
    return scenario


def _with(scenario: Scenario, part: str, items: tuple[Any, ...]) -> Scenario:
    found: dict[str, Any] = {part: items}
    return replace(scenario, **found)


def _on(scenario: Scenario, cells: frozenset[tuple[int, int]]) -> Scenario | None:
    """A scenario with only these cells, and the figures there; None where they fall apart."""
    if not cells or not _hang_together(cells):
        return None
    lines = {_cell(line): line for line in scenario.board}
    board, waiting, laid = [], list(lines), set[tuple[int, int]]()
    while waiting:  # in the old order, as far as each lies beside one that lies already
        cell = next((c for c in waiting if c in cells and (not laid or laid & _around(c))), None)
        if cell is None:
            break
        waiting.remove(cell)
        laid.add(cell)
        board.append(lines[cell])
    figures = [
        (name, place)
        for name, place in scenario.figures
        if all(cell in cells for cell in _cells(place))
    ]
    joined = [pair for pair in scenario.joined if all(cell in cells for cell in _cells(pair))]
    recast = [each for each in scenario.recast if all(cell in cells for cell in _cells(each))]
    return replace(
        scenario,
        board=tuple(board),
        joined=tuple(joined),
        recast=tuple(recast),
        figures=tuple(figures),
    )


def _hang_together(cells: frozenset[tuple[int, int]]) -> bool:
    seen = {min(cells)}
    waiting = list(seen)
    while waiting:
        fresh = (_around(waiting.pop()) & cells) - seen
        seen |= fresh
        waiting += fresh
    return len(seen) == len(cells)


def _around(cell: tuple[int, int]) -> set[tuple[int, int]]:
    return {(cell[0] + x, cell[1] + y) for x, y in STEPS}


def _cell(line: str) -> tuple[int, int]:
    found = read_cell(words_of(line)[1])
    assert found is not None
    return found


def _cells(text: str) -> list[tuple[int, int]]:
    return [cell for found in _CELL.findall(text) if (cell := read_cell(found)) is not None]


# ------------------------------------------------------------------ to the middle


def _to_the_middle(scenario: Scenario) -> Scenario:
    """The same board moved so that its first tile lies at 0,0."""
    if not scenario.board:
        return scenario
    x0, y0 = _cell(scenario.board[0])

    def move(text: str) -> str:
        def moved(found: re.Match[str]) -> str:
            ((x, y),) = _cells(found[0])
            return cell_name(x - x0, y - y0)

        return _CELL.sub(moved, text)

    return replace(
        scenario,
        board=tuple(map(move, scenario.board)),
        joined=tuple(map(move, scenario.joined)),
        recast=tuple(map(move, scenario.recast)),
        figures=tuple((name, move(place)) for name, place in scenario.figures),
        memory=tuple((move(name), move(text)) for name, text in scenario.memory),
        lines=tuple(replace(line, text=move(line.text)) for line in scenario.lines),
    )
