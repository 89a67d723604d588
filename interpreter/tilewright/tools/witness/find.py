"""Witness search: for each row with a difference, one board on which two games play differently.

Scenarios come first: those of both sides run under both games, and each names the statements that
it proves. For the remaining rows, games are played in lockstep (`search`). Each result is shrunk
(`shrinking`) and written (`scenario_writer`) as a scenario that passes on one side and fails on the
other. The first difference between two games is also found without scenarios or statements
(`first_divergence`). The result is deterministic; a time limit or an interrupt can only cut the
search short, and the result then records that.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from tilewright.language.source.text import NOWHERE
from tilewright.language.source.yaml.dump import document
from tilewright.play.new_match import start_match
from tilewright.play.notation import seat_name
from tilewright.rules.linking.compose.select import split_game
from tilewright.rules.linking.link import LEAST_PLAYERS, MOST_PLAYERS
from tilewright.rules.model.ruleset import Expectation, Line, Scenario
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import CannotCompareError
from tilewright.tools.scenarios.capture import scenario_data
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.witness.attribution import WantedRow, differing_marks, wanted_rows
from tilewright.tools.witness.lockstep import Lockstep, choices_in
from tilewright.tools.witness.parting import Evidences, LockstepDifference
from tilewright.tools.witness.ranking import KEPT, SHOWN, Candidate, Pool, rank
from tilewright.tools.witness.scenario_writer import write_story
from tilewright.tools.witness.search import Budget, blank_of, likeness, search
from tilewright.tools.witness.shrinking import Shows, shrunk
from tilewright.tools.witness.story import Options, Sides, Table, play
from tilewright.tools.workspace.loading import load_game
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import (
    Ending,
    Kind,
    Origin,
    SearchEffort,
    Stopped,
    Witness,
    Witnesses,
)

#: the values that limit the number of players
_ASKED = (LEAST_PLAYERS, MOST_PLAYERS)
#: the code of a scenario with an unsupported number of players
_REFUSED = "TW805"


def decides_who_plays(table: Table) -> frozenset[str]:
    """The marks of the values that say how many may play, and of how many figures there are."""
    figures = (f for side in (0, 1) for f in table.pairing.game(side).figures)
    return frozenset(f"value {name}" for name in (*_ASKED, *(f.in_all for f in figures)) if name)


def for_so_many(table: Table, rows: tuple[str, ...]) -> Witness | None:
    """A number of players for which one of two games is and the other is not."""
    games = [table.pairing.game(side) for side in (0, 1)]
    for players in range(1, min(len(game.seats) for game in games) + 1):
        refused = [game.refusal(players) for game in games]
        if bool(refused[0]) == bool(refused[1]):
            continue
        sides = [_ending(table, side, players, refused[side]) for side in (0, 1)]
        seats = tuple(seat.id for seat in games[0].seats)[:players]
        return Witness(
            rows=rows, kind=Kind.REFUSED, origin=Origin.SEARCH,
            source=f"{players} players", says="", games=table.texts, players=seats, board=(),
            figures=(), lines=(), sides=(sides[0], sides[1]),
        )  # fmt: skip
    return None


def _ending(table: Table, side: int, players: int, refused: str) -> Ending:
    blank = blank_of(table.pairing.programs[side], players, f"witness-players-{'ab'[side]}")
    if refused:
        return Ending(_text(blank, table, side, fails=_REFUSED), refusal=refused)
    match = start_match(table.pairing.programs[side], players)
    decides = seat_name(match, match.to_move) if match.to_move >= 0 else ""
    expect = Expectation(decides=decides or "nobody")
    lines = (Line("expect", "", expect, NOWHERE),)
    points = tuple((seat_name(match, p), match.points[p]) for p in match.players)
    text = _text(blank, table, side, lines=lines)
    return Ending(text, points=points, decides=decides, step=match.step if decides else "")


def _text(
    blank: Scenario, table: Table, side: int, fails: str = "", lines: tuple[Line, ...] = ()
) -> str:
    scenario = replace(
        blank, rulesets=split_game(table.texts[side]), options=table.options[side], fails=fails,
        lines=lines, says="so many players do, or do not",
    )  # fmt: skip
    return document({"scenarios": [scenario_data(scenario)]})


# ------------------------------------------------------------------ witnesses


#: the default number of decisions to compare in lockstep games
DECISIONS = 1500
#: and no more than so many in which nothing new is found
_PATIENCE = 250
#: so many games with other company or options are made, those first that serve most rows
_MAX_COMPANIES = 6
#: the text of a scenario that the search has found
_HERE = "here the two games part"
#: a scenario that is larger than it must be by so little stays as it is
_NEARLY = 1

#: progress callback: the current activity, the finished amount, the total
Progress = Callable[[str, int, int], None]


#: a scenario: the side that leads, the ruleset that has it, and its game
_Start = tuple[int, str, Scenario, str]
#: hears of a witness as soon as it is made
Heard = Callable[[Witness], None]


def silent(what: str, done: int, total: int) -> None:
    """No progress report."""


def unheard(witness: Witness) -> None:
    """Nobody waits for single witnesses."""


# ------------------------------------------------------------------ scenarios under both


def from_scenarios(sides: Sides, table: Table, boards: _Boards, progress: Progress) -> int:
    """Offer what the scenarios of both sides show; how many could be run under both.

    Those that ask for no more company and no options than what is compared come first. After each,
    the boards of the rows are made that none of the rest could show better. The others need games
    of their own, so they are run only where they are about a row that still wants one.
    """
    pool, run = boards.pool, 0
    plain: list[_Start] = []
    waiting: list[_Start] = []
    for start in _scenarios(sides, table):
        lead, _, scenario, game = start
        is_plain = not scenario.options and sides.is_plain(game, lead)
        if not scenario.fails:
            (plain if is_plain else waiting).append(start)
    # a row is shown best by a scenario that proves a statement of it
    left = Counter(row.key for row in pool.rows for start in plain if row.proven(_proves(start)))
    for number, start in enumerate(plain):
        progress("scenarios", number, len(plain))
        run += _run(table, start[0], start[1], start[2], pool)
        left.subtract(row.key for row in pool.rows if row.proven(_proves(start)))
        boards.settle({row.key for row in pool.rows if not left[row.key]})
    boards.show()
    return run + _with_other_rulesets(sides, waiting, pool)


def _proves(start: _Start) -> frozenset[str]:
    """The statements that a scenario is declared to prove."""
    return frozenset(start[2].statements)


def from_other_rulesets(sides: Sides, table: Table, pool: Pool) -> int:
    """Offer what scenarios of other rulesets show that cover a rule which still wants a board; how
    many could be run under both."""
    library = sides.libraries[0]
    known = {r.id for side in (0, 1) for r in table.pairing.game(side).rulesets}
    marks = {mark for row in pool.without() for mark in row.all_marks}
    rules = {mark.removeprefix("rule ") for mark in marks if mark.startswith("rule ")}
    naming = {id_ for rule in rules for id_ in library.may_mention(rule, ("scenarios",))}
    waiting = [
        (0, id_, scenario, game)
        for id_ in (library.ids() if naming else ())
        if id_ not in known and not naming.isdisjoint(library.lineage(id_))
        for scenario, game in scenarios_of(id_, library)
        if not scenario.fails and not rules.isdisjoint(scenario.covers)
    ]
    return _with_other_rulesets(sides, waiting, pool)


def _with_other_rulesets(sides: Sides, waiting: Sequence[_Start], pool: Pool) -> int:
    """Run scenarios in games of their own, those first that may serve most rows."""
    run = 0
    by_game: dict[tuple[int, str, Options], list[tuple[str, Scenario]]] = {}
    for lead, ruleset, scenario, game in waiting:
        by_game.setdefault((lead, game, scenario.options), []).append((ruleset, scenario))
    for _ in range(_MAX_COMPANIES):
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
    both = play(table.pairing, lead, scenario, table.judge(lead), may_split=True)
    if both is None:
        return 0
    for candidate in candidates(both, table, lead, scenario, f"{ruleset}: {scenario.id}"):
        pool.offer(candidate)
    return 1


def _scenarios(sides: Sides, table: Table) -> Iterator[_Start]:
    """The scenarios of both sides without duplicates, those of the compared rulesets first."""
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
    both: Lockstep, table: Table, lead: int, scenario: Scenario, source: str
) -> Iterator[Candidate]:
    """The candidates of a story by parting. Only the last may include the final table."""
    for parting, evidence in both.partings:
        if evidence is None:
            continue
        lines = parting.lines
        if Kind.VALUES in parting.kinds:  # which differ only where they are asked for
            expectation = Expectation(values=parting.values[0])
            lines = (*lines, Line("expect", "", expectation, NOWHERE))
        story = replace(scenario, lines=lines)
        yield Candidate(
            table,
            lead,
            story,
            parting,
            evidence,
            Origin.SCENARIO,
            source,
            frozenset(scenario.covers),
            frozenset(scenario.statements if _is_subject(scenario, parting) else ()),
        )


def _is_subject(scenario: Scenario, parting: LockstepDifference) -> bool:
    """Whether what differs is what the author looks at, there or by what is chosen next."""
    made = sum(line.verb == "choose" for line in parting.lines)
    for line in scenario.lines:
        if line.expect is not None and (parting.is_split or made == 0):
            if _looks_at(line.expect, parting):
                return True
        elif line.verb == "choose" and made == 0 and not parting.is_split:
            return parting.kind is Kind.DECISION or line.text.endswith(parting.options[0])
        made -= line.verb == "choose"
    return False


def _looks_at(expect: Expectation, parting: LockstepDifference) -> bool:
    match parting.kind:
        case Kind.POINTS:
            return bool(expect.points or expect.gained)
        case Kind.PLACES:
            return bool(expect.figures or expect.supply)
        case Kind.OPTIONS:
            offered = {*expect.offered, *(expect.options or ())}
            refused = {option for option, _ in expect.refused}
            is_whole = expect.options is not None
            return bool(
                offered.intersection(parting.options[0])
                or (is_whole or refused.intersection(parting.own_options[1]))
            )
    return True


# ----------------------------------------------------------------- lockstep games


def from_search(table: Table, pool: Pool, budget: Budget, progress: Progress) -> Mapping[str, int]:
    """Offer the differences of lockstep games, until every row has a certain candidate; how often
    each row made two games part."""

    latest = 0  # the time of the last new difference
    alike: dict[str, set[object]] = defaultdict(set)

    def found(
        lead: int, story: Scenario, parting: LockstepDifference, evidence: Evidences, name: str
    ) -> None:
        nonlocal latest
        candidate = Candidate(
            table, lead, story, parting, evidence, Origin.SEARCH, f"game {name}"
        )  # fmt: skip
        if pool.offer(candidate):
            latest = budget.tried
        named = (evidence[0].named | evidence[1].named) & pool.differing
        for row in pool.rows:
            if named & row.all_marks:
                alike[row.key].add(likeness(parting))

    def enough() -> bool:
        return pool.is_certain() or budget.tried - latest > _PATIENCE

    def progress_of(done: int, total: int) -> None:
        progress("decisions", done, total)

    seen = search(table, found, budget, seed="", enough=enough, progress=progress_of)
    return {key: sum(seen[each] for each in there) for key, there in alike.items()}


# ------------------------------------------------------------------ the whole


def find_witnesses(
    texts: tuple[str, str],
    comparison: Comparison,
    library: Library,
    other: Library | None = None,
    *,
    left: int = 0,
    right: int = 1,
    decisions: int = DECISIONS,
    seconds: float | None = None,
    progress: Progress = silent,
    heard: Heard = unheard,
) -> Witnesses:
    """A witness for each row in which two sides of a comparison differ so that the game goes
    otherwise, as far as one is found.

    `texts` name the games of the sides `left` and `right`; `other` is where the rulesets of the
    second are, if not in the library. Without `seconds` the search ends by
    itself; with them it may be cut. `heard` gets every witness as soon as it is made. While the
    search goes on it may get one for rows that are shown better later, which is not in the result.
    """
    sides = Sides(texts, library, *_matched(comparison, left, right), other)
    table = sides.plain()
    rows = wanted_rows(comparison, left, right, () if table is None else table.uses)
    if table is None or not rows:
        return Witnesses(left, right, (), {}, tuple(r.key for r in rows), SearchEffort(0, 0, 0))
    pool = Pool(rows, differing_marks(comparison, left, right))
    boards = _Boards(pool, heard)
    run = from_scenarios(sides, table, boards, progress)
    budget = Budget.of(decisions, seconds)
    parted = from_search(table, pool, budget, progress)
    run += from_other_rulesets(sides, table, pool)
    found = boards.finished(progress)
    keys = tuple(row.key for row in pool.without() if row.all_marks & decides_who_plays(table))
    refusal = for_so_many(table, keys) if keys else None
    if refusal is not None:
        found.append(refusal)
        heard(refusal)
    by_row = {key: number for number, each in enumerate(found) for key in each.rows}
    without = tuple(row.key for row in rows if row.key not in by_row)
    sought = SearchEffort(run, budget.games, budget.used, budget.stopped)
    return Witnesses(left, right, tuple(found), by_row, without, sought, parted)


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


class _Boards:
    """The candidates of a pool as witnesses, each shrunk and written; `heard` gets each one."""

    def __init__(self, pool: Pool, heard: Heard) -> None:
        self.pool = pool
        self._heard = heard
        #: by candidate, rows and place among the candidates of the rows
        self._made: dict[tuple[int, tuple[str, ...], int], Witness | None] = {}

    def settle(self, keys: Set[str]) -> None:
        """Make the witnesses of candidates that are the best of rows with these keys alone, where
        none to come can be better.
        """
        for rows in self._sharing(self.pool.rows, 0):
            if all(row.key in keys and self.pool.is_settled(row) for row in rows):
                self._witness(rows, 0)

    def show(self) -> None:
        """Make the witnesses of the best good candidates so far, if somebody waits for them."""
        if self._heard is unheard:
            return
        for rows in self._sharing(self.pool.rows, 0):
            if any(self.pool.is_good(row) for row in rows):
                self._witness(rows, 0)

    def finished(self, progress: Progress) -> list[Witness]:
        """One witness for all rows that it shows best; a row that its best candidate cannot show
        after all has the next one.
        """
        found: list[Witness] = []
        waiting: Sequence[WantedRow] = self.pool.rows
        total, done = len(self.pool.best), 0
        for turn in range(KEPT):
            missing: list[WantedRow] = []
            for rows in self._sharing(waiting, turn):
                progress("boards", done, total)
                witness = self._witness(rows, turn)
                if witness is None:
                    missing += rows
                else:
                    found.append(witness)
                    done += len(rows)
            waiting = missing
        return found

    def _sharing(self, rows: Iterable[WantedRow], turn: int) -> list[list[WantedRow]]:
        """The rows that share a candidate at a place among theirs."""
        groups: dict[int, list[WantedRow]] = {}
        for row in rows:
            best = self.pool.best.get(row.key, [])
            if turn < len(best):
                groups.setdefault(id(best[turn][1]), []).append(row)
        return list(groups.values())

    def _witness(self, rows: list[WantedRow], turn: int) -> Witness | None:
        candidate = self.pool.best[rows[0].key][turn][1]
        key = id(candidate), tuple(row.key for row in rows), turn
        if key not in self._made:
            made = self._made[key] = _witness(rows, self.pool, turn)
            if made is not None:
                self._heard(made)
        return self._made[key]


def _witness(rows: list[WantedRow], pool: Pool, turn: int) -> Witness | None:
    """The common candidate of these rows, shrunk and written."""
    wanted = [(row, pool.best[row.key][turn][0]) for row in rows]
    candidate = pool.best[rows[0].key][turn][1]

    def shows(parting: LockstepDifference, evidence: Evidences) -> bool:
        now = replace(candidate, parting=parting, evidence=evidence)
        for row, how in wanted:
            found = rank(row, now, pool.differing)
            if found is None or found[:SHOWN] > how[:SHOWN]:
                return False
        return True

    keys = tuple(row.key for row in rows)
    is_proof = any(row.proven(candidate.proves) for row in rows)
    found = witness_of(candidate, shows, f"witness-{keys[0].partition(':')[2]}", keys, is_proof)
    # the text of a scenario describes the row that it proves
    return found if found is None or is_proof else replace(found, says="")


def witness_of(
    candidate: Candidate,
    shows: Shows,
    id_: str,
    rows: tuple[str, ...] = (),
    is_proof: bool = False,
) -> Witness | None:
    """The smallest form of a candidate that still shows its difference, written as a scenario; None
    where that is impossible. In a proof of a row, the things that the row is about are kept.
    """
    table, lead = candidate.table, candidate.lead
    is_split = candidate.parting.is_split

    def still_shows(parting: LockstepDifference, evidence: Evidences) -> bool:
        return parting.is_split == is_split and shows(parting, evidence)

    whole = candidate.scenario
    story = shrunk(table, lead, whole, still_shows, may_split=is_split, is_proof=is_proof)
    if _size(whole) - _size(story) <= _NEARLY:
        story = whole  # as its author wrote it
    says = whole.says if (story.board, story.figures) == (whole.board, whole.figures) else ""
    written = write_story(table, lead, story, _slug(id_), says or _HERE, may_split=is_split)
    if written is None:
        return None
    first = written.scenarios[0]
    return Witness(
        rows=rows,
        kind=written.parting.kind,
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
        sides=written.endings,
        turn=first.turn,
    )


def _size(scenario: Scenario) -> int:
    return len(scenario.board) + len(scenario.figures) + len(scenario.lines)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


# ------------------------------------------------------------------ the first difference


#: decisions that are compared at most
MAX_DECISIONS = 100_000
#: where only the setup differs, so many decisions are compared before that will do
_MAX_AFTER_SETUP = 300
ID = "first-difference"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference, or None, and the extent of the search.

    `unstated` describes a difference that no scenario can show; then `witness` is None.
    """

    games: tuple[str, str]
    witness: Witness | None
    sought: SearchEffort
    unstated: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the two games differ."""
        return self.witness is not None or bool(self.unstated)


def find_divergence(
    texts: tuple[str, str],
    library: Library,
    other: Library | None = None,
    *,
    seed: str = "1",
    players: int = 2,
    seconds: float | None = None,
    decisions: int = MAX_DECISIONS,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Divergence:
    """Play two games in lockstep until they part. `other` has the rulesets of the second game if
    they are not in the library. An interrupt ends the search and keeps its result. Raises
    CannotCompareError.
    """
    table = _table(texts, (library, other or library), players)
    budget = Budget.of(decisions, seconds)
    found: list[Candidate] = []

    def keep(
        lead: int, story: Scenario, parting: LockstepDifference, evidence: Evidences, name: str
    ) -> None:
        found.append(
            Candidate(table, lead, story, parting, evidence, Origin.SEARCH, f"game {name}")
        )

    def enough() -> bool:
        return bool(found) and (_is_in_play(found[-1]) or budget.tried > _MAX_AFTER_SETUP)

    try:
        search(table, keep, budget, seed=seed, players=players, enough=enough, progress=progress)
    except KeyboardInterrupt:
        budget.stopped = Stopped.INTERRUPT
    witness = None
    for candidate in sorted(found, key=_is_in_play, reverse=True):
        witness = witness_of(candidate, _keeps_kind(candidate.parting), ID)
        if witness is not None:
            break
    sought = SearchEffort(0, budget.games, budget.used, budget.stopped)
    first = found[0] if witness is None and found else None
    unstated = "" if first is None else f"{first.parting.kind.value} in {first.source}"
    return Divergence(texts, witness, sought, unstated)


def _is_in_play(candidate: Candidate) -> bool:
    """Whether it differs in more than the setup, which shows little of how a game is played."""
    return bool(candidate.scenario.board or choices_in(candidate.parting.lines))


def _table(texts: tuple[str, str], libraries: tuple[Library, Library], players: int) -> Table:
    for text, library in zip(texts, libraries, strict=True):
        game, reporter = load_game(text, {}, library)
        if game is None:
            raise CannotCompareError(reporter.diagnostics)
        refused = game.refusal(players)
        if refused:
            raise CannotCompareError((), f"`{text}`: {refused}")
    table = Sides(texts, libraries[0], other=libraries[1]).plain()
    assert table is not None
    return table


def _keeps_kind(wanted: LockstepDifference) -> Callable[[LockstepDifference, Evidences], bool]:
    """A test that keeps the kind of difference during shrinking."""

    def shows(parting: LockstepDifference, evidence: Evidences) -> bool:
        return parting.kind is wanted.kind and parting.before == 0

    return shows
