"""Ranking: how well a board shows a row, and the best known board.

A board counts for a row when its difference is caused by a rule of the row, on the side that has
the rule. A rule that other rows of the kind share counts only where a scenario proves a statement
of the row on that side, or where the rule runs in the step that is the row. Where the difference
names no rule, a rule of the row must have taken part, and there must be no other difference, or
only a small one if a scenario is declared to be about the row. A doubtful board is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from tilewright.rules.model.ruleset import Scenario
from tilewright.tools.witness.attribution import WantedRow
from tilewright.tools.witness.parting import Evidence, Evidences, LockstepDifference, Marks
from tilewright.tools.witness.story import Table
from tilewright.view.results.divergence import Kind, Origin


@dataclass(frozen=True, slots=True)
class Candidate:
    """A story that parts two sides, with its marks."""

    table: Table
    lead: int
    scenario: Scenario  # its lines lead to the parting and no further
    parting: LockstepDifference
    evidence: Evidences  # in the order of the table
    origin: Origin
    source: str
    covers: frozenset[str] = frozenset()  # rules that the scenario declares to cover
    proves: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """The size of the setup and the play; a choice counts twice."""
        scenario = self.scenario
        choices = sum(line.verb == "choose" for line in self.parting.lines)
        return len(scenario.board) + len(scenario.figures) + len(scenario.memory) + 2 * choices


#: how well a candidate shows a row, the best first; all numbers are small and compared in turn
Rank = tuple[int, ...]
#: so many of them must stay as they are when a story is made smaller; the next one is the origin
SHOWN = 6
#: the last grade that leaves no doubt
GOOD = 1
#: above this size, a larger board is not worse than a second difference
_LARGE = 40
#: besides what a row is about so many other differences may have had a hand in it
_MAX_OTHERS = 2


def rank(row: WantedRow, found: Candidate, differing: Marks) -> Rank | None:
    """The rank of a candidate for a row; None when it does not show the row."""
    evidence, kind = found.evidence, found.parting.kind
    proven = row.proven(found.proves)
    known = differing | row.all_marks
    named, near, acted, touched = (
        _ours(row, proven, evidence, [marks(each) for each in evidence])
        for marks in (
            lambda each: each.named,
            lambda each: {mark for mark, other in each.near if other in known},
            lambda each: each.acted,
            lambda each: each.touched,
        )
    )
    is_meant = bool(proven or row.all_marks & {f"rule {rule}" for rule in found.covers})
    all_named = (evidence[0].named | evidence[1].named) & differing
    others = len(all_named - row.all_marks)
    hands = _rules(((evidence[0].touched | evidence[1].touched) & differing) - row.all_marks)
    is_seen = kind in _SEEN
    if found.parting.is_split and (
        not (proven and row.acts and is_seen) or any(found.parting.tiles)
    ):
        return None  # the whole turn is shown, and no more; the scenario must be about the row
    if named or _is_all(row, differing):
        grade, beside = (0 if is_meant else 2 if others else 1), others
        grade = max(grade, int(kind is Kind.DECISION or found.parting.is_split))
    elif near and is_meant:
        grade, beside = (2 if kind is Kind.DECISION else 1), others
    elif acted and proven and kind is Kind.POINTS:  # a player is not paid because of a rule
        grade, beside = 1, others
    elif _rules(all_named) or found.parting.is_split:
        return None  # it is about another row, or not specific
    elif touched and (not hands or (is_meant and not is_seen and hands <= _MAX_OTHERS)):
        grade, beside = 2, hands
    else:
        return None
    return (
        grade,
        int(not found.parting.is_split and (found.parting.before > 0 or found.size > _LARGE)),
        int(found.table.is_larger),  # company is one thing more to know
        0 if proven else 1 if is_meant else 2,
        int(row.counts and kind is not Kind.POINTS),
        beside,
        int(found.origin is not Origin.SCENARIO),
        _GRAVITY[kind],
        found.size,
    )


def _ours(
    row: WantedRow, proven: Sequence[int], evidence: Evidences, found: Sequence[Set[str]]
) -> bool:
    """Whether what is found on both sides has a mark that speaks for the row."""
    for side, marks in enumerate(found):
        mine = row.marks[side] & marks
        if mine & row.own[side] or (mine and (side in proven or row.step in evidence[side].named)):
            return True
    return False


def _is_all(row: WantedRow, differing: Marks) -> bool:
    """Whether nothing differs but a row with a value."""
    return row.counts and differing <= row.all_marks


def _marks(found: Evidence) -> Iterator[str]:
    """All marks of a parting on one side."""
    yield from chain(found.named, found.acted, found.touched)
    yield from (mark for mark, _ in found.near)


def _rules(marks: Iterable[str]) -> int:
    """The number of rules among marks."""
    return sum(mark.startswith("rule ") for mark in marks)


#: the visible table at the end
_SEEN = (Kind.POINTS, Kind.PLACES, Kind.TOKENS, Kind.TILES)
_GRAVITY = {
    Kind.POINTS: 0, Kind.PLACES: 0, Kind.TOKENS: 0, Kind.TILES: 1, Kind.OPTIONS: 1,
    Kind.DECISION: 1, Kind.END: 1, Kind.REFUSED: 2, Kind.STACKS: 2, Kind.VALUES: 3,
}  # fmt: skip


#: so many candidates are kept for a row, since one may turn out not to be tellable
KEPT = 5


class Pool:
    """The best candidates for each row so far, the very best first."""

    def __init__(self, rows: Iterable[WantedRow], differing: Marks) -> None:
        self.rows = tuple(rows)
        self.differing = differing
        self.best: dict[str, list[tuple[Rank, Candidate]]] = {}
        #: the keys of rows that may be shown without a mark of theirs
        self._counting = {row.key for row in self.rows if _is_all(row, differing)}

    def offer(self, found: Candidate) -> bool:
        """Take a candidate for the rows that it shows better than the known ones; returns whether a
        row got its first good candidate.
        """
        is_new = False
        seen = {mark for each in found.evidence for mark in _marks(each)}
        for row in self.rows:
            if row.key not in self._counting and row.all_marks.isdisjoint(seen):
                continue
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
            and (
                row.all_marks & covers
                or not proves.isdisjoint(row.statements[0] | row.statements[1])
            )
            for row in self.rows
        )

    def is_good(self, row: WantedRow) -> bool:
        """Whether a row has a candidate without doubt."""
        return row.key in self.best and self.best[row.key][0][0][:2] <= (GOOD, 0)

    def is_certain(self) -> bool:
        """Whether every row has a candidate without doubt."""
        return all(map(self.is_good, self.rows))

    def is_settled(self, row: WantedRow) -> bool:
        """Whether no scenario with other rulesets or options, and no game that is played, can show
        a row better than the best candidate so far.
        """
        return row.key in self.best and not any(self.best[row.key][0][0][: SHOWN + 1])

    def without(self) -> list[WantedRow]:
        """The rows without a candidate."""
        return [row for row in self.rows if row.key not in self.best]
