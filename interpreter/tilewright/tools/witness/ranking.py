"""How well a board shows a row: what tells of a row, what weighs, and the best that is known.

A board counts for a row when a rule of the row is named by what differs. Where that names no rule,
as with figures that stand elsewhere, a rule of the row must have taken part, and either nothing
else that differs did, or a scenario says that it is about the row. A doubtful board is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter

from tilewright.model.ruleset import Scenario
from tilewright.results.divergence import Origin, Sort
from tilewright.tools.witness.attribution import Marks, Wanted
from tilewright.tools.witness.parting import Evidence, Parting
from tilewright.tools.witness.sides import Table


@dataclass(frozen=True, slots=True)
class Candidate:
    """A story that parts two sides, and what it is about."""

    table: Table
    lead: int
    scenario: Scenario  # its lines lead to the parting and no further
    parting: Parting
    evidence: Evidence
    origin: Origin
    source: str
    covers: frozenset[str] = frozenset()  # rules that the scenario says it is about
    proves: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        said = self.scenario
        choices = sum(line.verb == "choose" for line in self.parting.lines)
        return len(said.board) + len(said.figures) + len(said.memory) + 2 * choices


#: how well a candidate shows a row, the best first; all numbers are small and compared in turn
Rank = tuple[int, ...]
#: the last grade that leaves no doubt
GOOD = 1
#: besides what a row is about so many other differences may have had a hand in it
_MOST_OTHERS = 2
#: and so many where a scenario says that it is about the row
_MOST_HANDS = 4


def rank(row: Wanted, found: Candidate, differing: Marks) -> Rank | None:
    """How well a candidate shows a row; None when it does not."""
    said = found.evidence
    is_proof = bool(row.statements & found.proves)
    is_meant = is_proof or bool(row.marks & {f"rule {rule}" for rule in found.covers})
    named, touched = row.marks & said.named, row.marks & said.touched
    others = len((said.named & differing) - row.marks)
    rules = (said.touched & differing) - row.marks
    hands = sum(mark.startswith("rule ") for mark in rules)
    before = min(found.parting.before, 1)
    speaks = {mark for mark in said.named & differing if mark.startswith("rule ")}
    if speaks and not (named or row.marks & said.near):
        return None  # it is about another row
    if found.parting.is_apart:
        # the whole turn is shown, so much has a hand in it; the scenario must be about the row
        if not (is_proof and touched and row.acts and found.parting.sort in _SEEN):
            return None
        grade, before, beside = 1, 0, hands
    elif named:
        grade, beside = (0 if is_meant else 2 if others else 1), others
        grade = max(grade, int(found.parting.sort is Sort.DECISION))
    elif row.marks & said.near and is_meant:
        grade, beside = (2 if found.parting.sort is Sort.DECISION else 1), others
    elif touched and is_meant and (grade := _meant(found.parting.sort, hands, others)):
        beside = hands
    elif touched and not hands:
        grade, beside = 2, 0
    else:
        return None
    return (
        grade,
        before,
        int(found.table.is_larger),  # company is one thing more to know
        0 if is_proof else 1 if is_meant else 2,
        beside,
        int(found.origin is not Origin.SCENARIO),
        _GRAVITY[found.parting.sort],
        found.size,
    )


def _meant(sort: Sort, hands: int, others: int) -> int:
    """The grade of what a scenario of the row shows, by how much else had a hand in it; 0: none."""
    if sort in _SEEN and hands <= _MOST_HANDS:
        return 1
    if hands <= _MOST_OTHERS:
        return 2
    return 3 if sort is Sort.OPTIONS and others <= 1 else 0


#: what lies on the table in the end
_SEEN = (Sort.POINTS, Sort.PLACES, Sort.TOKENS, Sort.TILES)
_GRAVITY = {
    Sort.POINTS: 0, Sort.PLACES: 0, Sort.TOKENS: 0, Sort.TILES: 1, Sort.OPTIONS: 1,
    Sort.DECISION: 1, Sort.END: 1, Sort.REFUSED: 2, Sort.STACKS: 2, Sort.VALUES: 3,
}  # fmt: skip


#: so many candidates are kept for a row, since one may turn out not to be tellable
KEPT = 5


class Pool:
    """The best candidates for each row so far, the very best first."""

    def __init__(self, rows: Iterable[Wanted], differing: Marks) -> None:
        self.rows = tuple(rows)
        self.differing = differing
        self.best: dict[str, list[tuple[Rank, Candidate]]] = {}

    def offer(self, found: Candidate) -> bool:
        """Take a candidate for the rows that it shows better than what is known; whether there is a
        row that had nothing good before."""
        is_new = False
        for row in self.rows:
            how = rank(row, found, self.differing)
            known = self.best.get(row.key, [])
            if how is not None and (len(known) < KEPT or how < known[-1][0]):
                is_new |= not known or (known[0][0][0] > GOOD and how < known[0][0])
                known = sorted([*known, (how, found)], key=itemgetter(0))
                self.best[row.key] = known[:KEPT]
        return is_new

    def wants(self, scenario: Scenario) -> bool:
        """Whether a scenario is about a row that has nothing, or only something doubtful."""
        covers = {f"rule {rule}" for rule in scenario.covers}
        proves = frozenset(scenario.statements)
        return any(
            (row.key not in self.best or self.best[row.key][0][0][0] > GOOD)
            and (row.marks & covers or row.statements & proves)
            for row in self.rows
        )

    def is_certain(self) -> bool:
        """Whether every row has a candidate of which there is no doubt."""
        return all(
            row.key in self.best and self.best[row.key][0][0][:2] <= (GOOD, 0) for row in self.rows
        )

    def without(self) -> list[Wanted]:
        return [row for row in self.rows if row.key not in self.best]
