"""For each row in which two games differ, one board on which they play differently.

Scenarios come first: those of both sides are run under both, and each tells what it proves. What
they do not show is looked for in games played in step (`witness_search`). Whatever is found is
shrunk (`witness_shrink`) and told (`witness_told`) as a scenario that passes on one side and fails
on the other. The same question has the same answer; time can only cut the search short.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter

from tilewright.model.comparison import Comparison
from tilewright.model.ruleset import Scenario
from tilewright.model.witness import Origin, Sort, Sought, Witness, Witnesses
from tilewright.reading.library import Library
from tilewright.tools.scenarios import scenarios_of
from tilewright.tools.witness_duet import Duet, Evidence, Parting, play
from tilewright.tools.witness_evidence import (
    Marks,
    Wanted,
    differing_marks,
    wanted_rows,
)
from tilewright.tools.witness_search import Budget, search
from tilewright.tools.witness_shrink import Shows, shrunk
from tilewright.tools.witness_sides import Options, Sides, Table
from tilewright.tools.witness_told import tell as tell_story


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


#: told now and then how far it is: what is being done, how much is done, of how much
Tell = Callable[[str, int, int], None]


def _silent(what: str, done: int, total: int) -> None:
    """Nobody listens."""


#: how well a candidate shows a row, the best first; all numbers are small and compared in turn
Rank = tuple[int, ...]
#: decisions that are compared in games in step, unless somebody says how many
DECISIONS = 1500
#: and no more than so many in which nothing new is found
_PATIENCE = 250
#: the last grade that leaves no doubt
_GOOD = 1
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
    if found.parting.is_apart:
        # the whole turn is shown, so much has a hand in it; the scenario must be about the row
        if not (is_meant and touched):
            return None
        is_good = found.parting.sort in _SEEN and is_proof and row.acts
        grade, before, beside = (1 if is_good else 3), 0, hands
    elif named:
        grade, beside = (0 if is_meant else 2 if others else 1), others
        grade = max(grade, int(found.parting.sort is Sort.DECISION))
    elif row.marks & said.near and is_meant:
        grade, beside = (2 if found.parting.sort is Sort.DECISION else 1), others
    elif touched and is_meant and (grade := _meant(found.parting.sort, hands, others)):
        beside = hands
    elif touched and not hands:
        grade, beside = 2, 0
    elif touched and not others and hands <= _MOST_OTHERS:
        grade, beside = 3, hands
    elif is_meant and not before and not hands:
        grade, beside = 4, 0
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


#: so many games with other company or options are made, those first that serve most rows
_MOST_COMPANIES = 6


#: what a scenario says that playing has found
_HERE = "here the two games part"
#: a scenario that is larger than it must be by so little stays as it is
_NEARLY = 1
#: so many candidates are kept for a row, since one may turn out not to be tellable
_KEPT = 5


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
            if how is not None and (len(known) < _KEPT or how < known[-1][0]):
                is_new |= not known or (known[0][0][0] > _GOOD and how < known[0][0])
                known = sorted([*known, (how, found)], key=itemgetter(0))
                self.best[row.key] = known[:_KEPT]
        return is_new

    def wants(self, scenario: Scenario) -> bool:
        """Whether a scenario is about a row that has nothing, or only something doubtful."""
        covers = {f"rule {rule}" for rule in scenario.covers}
        proves = frozenset(scenario.statements)
        return any(
            (row.key not in self.best or self.best[row.key][0][0][0] > _GOOD)
            and (row.marks & covers or row.statements & proves)
            for row in self.rows
        )

    def is_certain(self) -> bool:
        """Whether every row has a candidate of which there is no doubt."""
        return all(
            row.key in self.best and self.best[row.key][0][0][:2] <= (_GOOD, 0) for row in self.rows
        )

    def without(self) -> list[Wanted]:
        return [row for row in self.rows if row.key not in self.best]


# ------------------------------------------------------------------ scenarios under both


def from_scenarios(sides: Sides, table: Table, pool: Pool, tell: Tell) -> int:
    """Offer what the scenarios of both sides show; how many could be run under both.

    Those that ask for no more company and no options than what is compared come first. The others
    need games of their own, so they are run only where they are about a row that still wants one.
    """
    waiting = []
    run = 0
    told = list(_scenarios(sides, table))
    for number, (lead, ruleset, scenario, game) in enumerate(told):
        tell("scenarios", number, len(told))
        if scenario.fails:
            continue
        if scenario.options or not sides.is_plain(game, lead):
            waiting.append((lead, ruleset, scenario, game))
        else:
            run += _run(table, lead, ruleset, scenario, pool)
    by_game: dict[tuple[int, str, Options], list[tuple[str, Scenario]]] = {}
    for lead, ruleset, scenario, game in waiting:
        by_game.setdefault((lead, game, scenario.options), []).append((ruleset, scenario))
    for _ in range(_MOST_COMPANIES):
        useful = {
            key: sum(pool.wants(scenario) for _, scenario in cases)
            for key, cases in by_game.items()
        }
        best = max(useful, key=lambda key: useful[key], default=None)
        if best is None or not useful[best]:
            break
        lead, game, _ = best
        cases = by_game.pop(best)
        found = sides.under(cases[0][1], game, lead)
        for ruleset, scenario in cases if found is not None else ():
            assert found is not None
            run += _run(found, lead, ruleset, scenario, pool)
    return run


def _run(table: Table, lead: int, ruleset: str, scenario: Scenario, pool: Pool) -> int:
    both = play(table.pairing, lead, scenario, table.judge(lead), may_part=True)
    if both is None:
        return 0
    for candidate in candidates(both, table, lead, scenario, f"{ruleset}: {scenario.id}"):
        pool.offer(candidate)
    return 1


def _scenarios(sides: Sides, table: Table) -> Iterator[tuple[int, str, Scenario, str]]:
    """The scenarios of both sides, each once, those of what is compared first."""
    seen: set[tuple[str, str]] = set()
    for lead in (0, 1):
        game = table.pairing.game(lead)
        ids = [*sides.ids[lead], *(r.id for r in game.rulesets)]
        for ruleset in dict.fromkeys(ids):
            for scenario, text in scenarios_of(ruleset, sides.libraries[lead]):
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


# ------------------------------------------------------------------ games in step


def from_search(
    table: Table, pool: Pool, budget: Budget, seed: str, players: int, tell: Tell
) -> None:
    """Offer what games in step show, until every row has something certain."""

    latest = 0  # when something new was found

    def found(lead: int, story: Scenario, parting: Parting, said: Evidence, name: str) -> None:
        nonlocal latest
        source = f"game {name}"
        if pool.offer(Candidate(table, lead, story, parting, said, Origin.SEARCH, source)):
            latest = budget.used

    def enough() -> bool:
        return pool.is_certain() or budget.used - latest > _PATIENCE

    def told(done: int, total: int) -> None:
        tell("games", done, total)

    search(table, found, budget, seed=seed, players=players, enough=enough, tell=told)


# ------------------------------------------------------------------ the whole


def find_witnesses(
    texts: tuple[str, str],
    comparison: Comparison,
    library: Library,
    other: Library | None = None,
    *,
    left: int = 0,
    right: int = 1,
    seed: str = "",
    players: int = 2,
    decisions: int = DECISIONS,
    seconds: float | None = None,
    tell: Tell = _silent,
) -> Witnesses:
    """A witness for each row in which two sides of a comparison differ so that the game goes
    otherwise, as far as one is found.

    `texts` name the games of the sides `left` and `right`; `other` is where the rulesets of the
    second are, if not in the library. Without `seconds` the search ends by
    itself; with them it may be cut.
    """
    sides = Sides(texts, library, *_matched(comparison, left, right), other)
    table = sides.plain()
    rows = wanted_rows(comparison, left, right, () if table is None else table.uses)
    if table is None or not rows:
        return Witnesses(left, right, (), {}, tuple(r.key for r in rows), Sought(0, 0, 0, False))
    pool = Pool(rows, differing_marks(comparison, left, right))
    run = from_scenarios(sides, table, pool, tell)
    budget = Budget.of(decisions, seconds)
    from_search(table, pool, budget, seed, players, tell)
    found = _finished(pool, tell)
    by_row = {key: number for number, each in enumerate(found) for key in each.rows}
    without = tuple(row.key for row in rows if row.key not in by_row)
    sought = Sought(run, budget.games, budget.used, budget.was_cut)
    return Witnesses(left, right, tuple(found), by_row, without, sought)


Pairs = list[tuple[str, str]]


def _matched(comparison: Comparison, left: int, right: int) -> tuple[Pairs, Pairs]:
    """The tiles and the tokens of two sides that a comparison holds against one another."""
    tiles = [
        (pair.left, pair.right)
        for row in comparison.tiles
        if (row.left, row.right) == (left, right)
        for pair in row.tiles
        if pair.left and pair.right
    ]
    tokens = []
    for part in comparison.components:
        one, two = part.cells[left], part.cells[right]
        if part.what == "token" and one is not None and two is not None:
            tokens.append((one.id, two.id))
    return tiles, tokens


def find_all(comparison: Comparison, library: Library, tell: Tell = _silent) -> list[Witnesses]:
    """The witnesses of the first side against each of the others. Sides are known by their names,
    which must be those of games."""
    first, *others = (side.name for side in comparison.sides)
    return [
        find_witnesses((first, other), comparison, library, left=0, right=number, tell=tell)
        for number, other in enumerate(others, 1)
    ]


def _finished(pool: Pool, tell: Tell) -> list[Witness]:
    """The candidates of a pool, each shrunk and told; one for all rows that it shows best."""
    found: list[Witness] = []
    waiting = [row for row in pool.rows if row.key in pool.best]
    total, done = len(waiting), 0
    for turn in range(_KEPT):
        groups: dict[int, list[Wanted]] = {}
        for row in waiting:
            if turn < len(pool.best[row.key]):
                groups.setdefault(id(pool.best[row.key][turn][1]), []).append(row)
        waiting = []
        for rows in groups.values():
            tell("boards", done, total)
            witness = _witness(rows, pool, turn)
            if witness is None:
                waiting += rows
            else:
                found.append(witness)
                done += len(rows)
    return found


def _witness(rows: list[Wanted], pool: Pool, turn: int) -> Witness | None:
    """The candidate that these rows have in common shrunk and told."""
    wanted = [(row, pool.best[row.key][turn][0]) for row in rows]
    candidate = pool.best[rows[0].key][turn][1]

    def shows(parting: Parting, said: Evidence) -> bool:
        now = replace(candidate, parting=parting, evidence=said)
        for row, how in wanted:
            found = rank(row, now, pool.differing)
            if found is None or found[:5] > how[:5]:
                return False
        return True

    keys = tuple(row.key for row in rows)
    return witness_of(candidate, shows, f"witness-{keys[0].partition(':')[2]}", keys)


def witness_of(
    candidate: Candidate, shows: Shows, id_: str, rows: tuple[str, ...] = ()
) -> Witness | None:
    """A candidate as small as it shows what it is to show, told; None where it cannot be told."""
    table, lead = candidate.table, candidate.lead
    is_apart = candidate.parting.is_apart

    def still_shows(parting: Parting, said: Evidence) -> bool:
        return parting.is_apart == is_apart and shows(parting, said)

    whole = candidate.scenario
    story = shrunk(table, lead, whole, still_shows, may_part=is_apart)
    if _size(whole) - _size(story) <= _NEARLY:
        story = whole  # as its author has told it
    says = whole.says if _is_same_board(story, whole) else ""
    told = tell_story(table, lead, story, _slug(id_), says or _HERE, may_part=is_apart)
    if told is None:
        return None
    first = told.scenarios[0]
    return Witness(
        rows=rows,
        beside=(),
        sort=told.parting.sort,
        origin=candidate.origin,
        source=candidate.source,
        says=says,
        games=table.texts,
        players=first.players,
        board=first.board,
        figures=first.figures,
        lines=tuple(
            f"draw {line.text}" if line.verb == "draw" else line.text
            for line in first.lines
            if line.expect is None
        ),
        sides=told.endings,
    )


def _size(scenario: Scenario) -> int:
    return len(scenario.board) + len(scenario.figures)


def _is_same_board(one: Scenario, other: Scenario) -> bool:
    return (one.board, one.figures) == (other.board, other.figures)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
