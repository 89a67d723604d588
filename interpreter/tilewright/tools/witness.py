"""For each row in which two games differ, one board on which they play differently.

Scenarios come first: those of both sides are run under both, and each tells what it proves. What
they do not show is looked for in games played in step (`witness_search`). Whatever is found is
shrunk (`witness_shrink`) and told (`witness_told`) as a scenario that passes on one side and fails
on the other. The same question has the same answer; time can only cut the search short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tilewright.model.ruleset import Scenario
from tilewright.model.witness import Origin, Sort
from tilewright.tools.scenarios import scenarios_of
from tilewright.tools.witness_duet import Duet, Evidence, Parting, play
from tilewright.tools.witness_evidence import (
    Marks,
    Wanted,
)
from tilewright.tools.witness_sides import Sides, Table


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
#: besides what a row is about so many other differences may have had a hand in it
_MOST_OTHERS = 2


def rank(row: Wanted, found: Candidate, differing: Marks) -> Rank | None:
    """How well a candidate shows a row; None when it does not."""
    said = found.evidence
    is_meant = bool(row.statements & found.proves) or bool(
        row.marks & {f"rule {rule}" for rule in found.covers}
    )
    named, touched = row.marks & said.named, row.marks & said.touched
    others = len((said.named & differing) - row.marks)
    hands = len((said.touched & differing) - row.marks)
    if named:
        grade, beside = 0, others
    elif touched and is_meant:
        grade, beside = 0, hands
    elif touched and not hands:
        grade, beside = 1, 0
    elif touched and not others and hands <= _MOST_OTHERS:
        grade, beside = 2, hands
    elif is_meant and not found.parting.before and not others:
        grade, beside = 3, hands
    else:
        return None
    return (
        grade,
        min(found.parting.before, 1),
        int(not is_meant),
        beside,
        int(found.origin is not Origin.SCENARIO),
        _GRAVITY[found.parting.sort],
        found.size,
    )


_GRAVITY = {
    Sort.POINTS: 0, Sort.PLACES: 0, Sort.TOKENS: 0, Sort.TILES: 1, Sort.OPTIONS: 1,
    Sort.DECISION: 1, Sort.END: 1, Sort.REFUSED: 2, Sort.STACKS: 2, Sort.VALUES: 3,
}  # fmt: skip


class Pool:
    """The best candidate for each row so far."""

    def __init__(self, rows: Iterable[Wanted], differing: Marks) -> None:
        self.rows = tuple(rows)
        self.differing = differing
        self.best: dict[str, tuple[Rank, Candidate]] = {}

    def offer(self, found: Candidate) -> None:
        """Take a candidate for the rows that it shows better than what is known."""
        for row in self.rows:
            how = rank(row, found, self.differing)
            if how is not None and (row.key not in self.best or how < self.best[row.key][0]):
                self.best[row.key] = (how, found)

    def without(self) -> list[Wanted]:
        return [row for row in self.rows if row.key not in self.best]


# ------------------------------------------------------------------ scenarios under both


def from_scenarios(sides: Sides, table: Table, pool: Pool) -> int:
    """Offer what the scenarios of both sides show; how many could be run under both."""
    run = 0
    for lead, ruleset, scenario, game in _scenarios(sides, table):
        if scenario.fails:
            continue
        found = sides.under(scenario, game, lead)
        if found is None:
            continue
        both = play(found.pairing, lead, scenario, found.judge(lead))
        if both is None:
            continue
        run += 1
        for candidate in candidates(both, found, lead, scenario, f"{ruleset}: {scenario.id}"):
            pool.offer(candidate)
    return run


def _scenarios(sides: Sides, table: Table) -> Iterator[tuple[int, str, Scenario, str]]:
    """The scenarios of both sides, each once, those of what is compared first."""
    seen: set[tuple[str, str]] = set()
    for lead in (0, 1):
        game = table.pairing.game(lead)
        ids = [*sides.ids[lead], *(r.id for r in game.rulesets)]
        for ruleset in dict.fromkeys(ids):
            for scenario, text in scenarios_of(ruleset, sides.library):
                if (ruleset, scenario.id) not in seen:
                    seen.add((ruleset, scenario.id))
                    yield lead, ruleset, scenario, text


def candidates(
    both: Duet, table: Table, lead: int, scenario: Scenario, source: str
) -> Iterator[Candidate]:
    """What a story has come to, parting by parting. Only the last one may stand on the table."""
    for parting, said in both.partings:
        if said is None:
            continue
        story = replace(scenario, lines=parting.lines)
        yield Candidate(
            table,
            lead,
            story,
            parting,
            said,
            Origin.SCENARIO,
            source,
            frozenset(scenario.covers),
            frozenset(scenario.statements),
        )
