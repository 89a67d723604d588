"""Mutation tests: the rules are changed one place at a time, and the scenarios must notice.

A mutant is killed when a valid scenario fails under it, or cannot be played. A mutant that does not
link is stillborn, and a mutant with the same content hash changes nothing; neither counts. The
choice and order of scenarios depend on the rulesets only: first those that cover the changed rule,
then the others of the ruleset, then those of other rulesets that play with it and cover it, or that
cover a dependent rule: one that reacts to its event, amends its definition, names its figure.

Mutants that may survive are in a list kept by hand, each with the reason why no scenario can fail;
a run checks whether the list is still true.

```yaml
survivors:
  - mutant: "turn.order: order: ..."
    why: both orders give the same result
```
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, at_least
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import read_yaml_file
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.compiling.reuse import Memo
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.program import Program
from tilewright.rules.reading.duplicates import UniqueNames
from tilewright.rules.reading.files.shapes import IGNORE, ListOf, Map, Text, read_file
from tilewright.rules.reading.library import Library
from tilewright.tools.mutation.operators import Mutant, mutants_of, names_in
from tilewright.tools.scenarios.collect import Case, no_scenario
from tilewright.tools.scenarios.runner import MadeGame, Programs, run_scenario
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.processes import held, in_order, worker_pool
from tilewright.tools.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Explained:
    """A mutant that lives, by its id, and why."""

    mutant: str
    why: str
    span: Span


_MUTANT = Map(
    "A mutant that may survive.",
    {
        "mutant": Text("Its id, as `mutate` prints it.", required=True),
        "why": Text("The reason why no scenario can fail.", required=True),
    },
    Explained,
    "survivor",
    place="mutant",
)
_MUTANTS = ListOf("Mutants that may survive.", _MUTANT, required=True)


def read_survivors(path: Path, reporter: Reporter) -> tuple[Explained, ...]:
    """The explanations in a file, in its order; the reporter receives the diagnostics."""
    node = read_yaml_file(path, str(path), reporter)
    if node is None:
        return ()
    kind = Map("", {"ignore": IGNORE, "survivors": _MUTANTS}, what=path.name)
    read = read_file(kind, node, reporter) or {}
    found = tuple(each for each in read.get("survivors", ()) if each.mutant)
    seen = UniqueNames("survivors", reporter)
    for each in found:
        seen.add(each.mutant, each.span)
    return found


# ------------------------------------------------------------------ runs


#: the share of mutants that must be killed, in hundredths
ENOUGH = 95
#: turns that may begin in a scenario beyond one for each of its lines; a mutant may never end
MORE_TURNS = 40
#: the mutants that a process tries one after another
AT_A_TIME = 4

Options = tuple[tuple[str, str], ...]


class MutantOutcome(StrEnum):
    """The result of a mutant."""

    KILLED = "killed"
    LIVING = "living"
    STILLBORN = "stillborn"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A mutant, its fate, and the first scenario that failed."""

    mutant: Mutant
    fate: MutantOutcome
    by: str


@dataclass(frozen=True, slots=True)
class Report:
    """The results for a ruleset. `stale` are explanations without a surviving mutant, `least` is
    the required percentage of killed mutants.
    """

    ruleset: str
    outcomes: tuple[Outcome, ...]
    explained: tuple[Explained, ...]
    stale: tuple[tuple[Span, str], ...]
    least: int = ENOUGH

    def of(self, fate: MutantOutcome) -> tuple[Outcome, ...]:
        """The outcomes with a fate."""
        return tuple(outcome for outcome in self.outcomes if outcome.fate is fate)

    @property
    def counted(self) -> int:
        """The number of mutants killed or alive."""
        return len(self.of(MutantOutcome.KILLED)) + len(self.of(MutantOutcome.LIVING))

    @property
    def score(self) -> Fraction:
        """The share of killed mutants; 1 without mutants."""
        return (
            Fraction(len(self.of(MutantOutcome.KILLED)), self.counted)
            if self.counted
            else Fraction(1)
        )

    @property
    def survivors(self) -> tuple[Outcome, ...]:
        """Those that live and are not explained."""
        known = {each.mutant for each in self.explained}
        return tuple(o for o in self.of(MutantOutcome.LIVING) if o.mutant.id not in known)

    @property
    def by_rule(self) -> tuple[tuple[str, int, int], ...]:
        """The killed and the counted mutants of each rule."""
        counts: dict[str, list[int]] = {}
        for outcome in self.outcomes:
            if outcome.fate in (MutantOutcome.KILLED, MutantOutcome.LIVING):
                count = counts.setdefault(outcome.mutant.rule, [0, 0])
                count[0] += outcome.fate is MutantOutcome.KILLED
                count[1] += 1
        return tuple((rule, killed, all_) for rule, (killed, all_) in counts.items())

    @property
    def is_good(self) -> bool:
        """Whether there are mutants, enough are killed and every survivor is explained."""
        is_enough = self.counted > 0 and self.score >= Fraction(self.least, 100)
        return is_enough and not self.survivors and not self.stale


class CannotMutateError(Exception):
    """The game cannot be linked, or a file or scenario is missing; the diagnostics have the
    reason.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = tuple(diagnostics)


def mutate(
    library: Library,
    ruleset: str,
    *,
    rule: str = "",
    sample: int = 0,
    seed: str = "",
    jobs: int = 1,
    explained: Sequence[Explained] = (),
    least: int = ENOUGH,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Test the mutants of a ruleset: all, those of one rule, or a sample.

    Raises CannotMutateError when the game cannot be linked.
    """
    trial = Trial(library, ruleset)
    numbers = [i for i, mutant in enumerate(trial.mutants) if rule in ("", mutant.rule)]
    if 0 < sample < len(numbers):
        numbers = sorted(random.Random(seed).sample(numbers, sample))
    fates: list[tuple[MutantOutcome, str]] = []
    progress(0, len(numbers))
    with closing(_fates(trial, numbers, jobs)) as coming:
        for fate in coming:
            fates.append(fate)
            progress(len(fates), len(numbers))
    outcomes = tuple(
        Outcome(trial.mutants[i], fate, by) for i, (fate, by) in zip(numbers, fates, strict=True)
    )
    return Report(ruleset, outcomes, tuple(explained), _stale(trial, outcomes, explained), least)


def rules_with_mutants(library: Library, ruleset: str) -> tuple[str, ...]:
    """The ids under which mutants of a ruleset are counted: rules, values, definitions ..."""
    return tuple(dict.fromkeys(mutant.rule for mutant in Trial(library, ruleset).mutants))


def _stale(
    trial: Trial, outcomes: Sequence[Outcome], explained: Sequence[Explained]
) -> tuple[tuple[Span, str], ...]:
    known = {mutant.id for mutant in trial.mutants}
    fates = {outcome.mutant.id: outcome for outcome in outcomes}
    found = []
    for each in explained:
        outcome = fates.get(each.mutant)
        if each.mutant not in known:
            found.append((each.span, f"unknown mutant `{each.mutant}`"))
        elif outcome is not None and outcome.fate is MutantOutcome.KILLED:
            found.append((each.span, f"`{each.mutant}` is killed by `{outcome.by}`"))
        elif outcome is not None and outcome.fate is not MutantOutcome.LIVING:
            found.append((each.span, f"`{each.mutant}` does not count: it is {outcome.fate}"))
    return tuple(found)


# ------------------------------------------------------------------ several at once


def _fates(
    trial: Trial, numbers: Sequence[int], jobs: int
) -> Generator[tuple[MutantOutcome, str], None, None]:
    # a process reads and links as much again as this one has, so each has some mutants to try
    jobs = min(jobs, len(numbers) // AT_A_TIME)
    if jobs <= 1:
        yield from map(trial.fate, numbers)
        return
    with worker_pool(jobs, trial.library, trial.ruleset, make=Trial) as pool:
        yield from in_order(pool, _fate, numbers, AT_A_TIME)


def _fate(number: int) -> tuple[MutantOutcome, str]:
    trial: Trial = held()
    return trial.fate(number)


# ------------------------------------------------------------------ one mutant


class Trial:
    """A ruleset, its mutants, and the scenarios that may notice one."""

    def __init__(self, library: Library, ruleset: str) -> None:
        self.library = library
        self.ruleset = ruleset
        self.programs = Programs(library, memo=Memo())
        workspace = Workspace(library)
        reporter = Reporter()
        own = library.load(ruleset, reporter)
        game, linking = load_game(ruleset, {}, library)
        if own is None or game is None or reporter.has_errors:
            both = (*reporter.diagnostics, *linking.diagnostics)
            raise CannotMutateError(tuple(dict.fromkeys(both)))
        for id_ in library.ids():  # a mutant may survive only because a scenario is unreadable
            library.load(id_, reporter)
        if reporter.has_errors:
            raise CannotMutateError(reporter.diagnostics)
        self.mutants = mutants_of(replace(own, scenarios=()), game)
        self._held: dict[str, bool] = {}
        own_cases = list(cases_of(workspace, ruleset))
        self._others = [
            case
            for id_ in library.ids()
            if id_ != ruleset
            for case in cases_of(workspace, id_)
            if any(
                ruleset in workspace.lineage(r.id) for r in workspace.together(case.game.split("+"))
            )
        ]
        if not own_cases and not self._others:
            raise CannotMutateError((no_scenario((ruleset,), library),))
        self.own = [case for case in own_cases if self._holds(case)]

        self._hanging: dict[str, set[str]] = {}
        for each in filter(None, map(workspace.own, library.ids())):
            patched = (
                replace(p.rule, head=replace(p.rule.head, id=p.id)) for p in each.patches if p.rule
            )
            for rule in (*each.rules, *patched) if each.id != ruleset else ():
                for name in names_in(rule):
                    self._hanging.setdefault(name, set()).add(rule.head.id)

    def fate(self, number: int) -> tuple[MutantOutcome, str]:
        """The result of a mutant, and the first scenario that fails."""
        mutant = self.mutants[number]
        altered = Altered(self.library.instead(mutant.ruleset), self.programs)
        altered.is_same(self.ruleset, ())
        if altered.is_stillborn:
            return MutantOutcome.STILLBORN, ""
        for case in self._cases_for(mutant):
            is_same = altered.is_same(case.game, case.scenario.options)
            if altered.is_stillborn:
                return MutantOutcome.STILLBORN, ""
            if not is_same and not passes(case, altered):
                return MutantOutcome.KILLED, case.name
        return (MutantOutcome.LIVING if altered.is_changed else MutantOutcome.SAME), ""

    def _cases_for(self, mutant: Mutant) -> Iterator[Case]:
        near = [case for case in self.own if mutant.near.intersection(case.scenario.covers)]
        yield from near
        yield from (case for case in self.own if case not in near)
        hanging = set(mutant.near)
        for name in mutant.hooks:
            hanging |= self._hanging.get(name, set())
        for case in self._others:
            if hanging.intersection(case.scenario.covers) and self._holds(case):
                yield case

    def _holds(self, case: Case) -> bool:
        """Whether a scenario holds for the rules as they are."""
        if case.name not in self._held:
            self._held[case.name] = passes(case, self.programs)
        return self._held[case.name]


def cases_of(workspace: Workspace, id_: str) -> Iterator[Case]:
    """The scenarios of a ruleset's own files, each with its game."""
    ruleset = workspace.own(id_)
    for scenario in ruleset.scenarios if ruleset is not None else ():
        yield Case(scenario, id_, "+".join(scenario.rulesets) or id_)


def passes(case: Case, programs: Programs) -> bool:
    """Whether a scenario passes; an exception of any kind, or a match without end, is a failure."""
    limit = len(case.scenario.lines) + MORE_TURNS

    def bounded(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "turn" and match.turn > limit:
            raise RuleError(f"no end after {limit} turns")

    try:
        run = run_scenario(case.scenario, case.ruleset, case.game, programs, listeners=(bounded,))
    except Exception:  # whatever a mutant breaks, somebody noticed
        return False
    return not at_least(run.problems, Severity.ERROR)


class Altered(Programs):
    """Games in which one ruleset is changed. The first game that differs decides whether the mutant
    is valid; a later game that cannot be linked counts as a failure. A mutant with additional
    warnings is invalid, unless they are `allowed`.
    """

    def __init__(self, library: Library, before: Programs, *, allowed: bool = False) -> None:
        super().__init__(library)
        self.before = before
        self.allowed = allowed
        self.is_changed = False
        self.is_stillborn = False
        self._same: dict[tuple[str, Options], bool] = {}

    def is_same(self, text: str, options: Options) -> bool:
        """Whether a game is what it was before; linked and compiled when it is not."""
        key = (text, tuple(sorted(options)))
        if key not in self._same:
            self._same[key] = self._look(key)
        return self._same[key]

    def _look(self, key: tuple[str, Options]) -> bool:
        text, options = key
        was, before = self.before.linked(text, options)
        game, reporter = load_game(text, dict(options), self.library)
        if game is not None and was is not None and game.hash == was.hash:
            return True
        made: Program | None = None
        is_quiet = len(reporter.diagnostics) <= len(before.diagnostics)
        if game is not None and (is_quiet or self.allowed):
            # a game that cannot be compiled is not valid
            with suppress(Exception):
                made = compile_game(game, memo=self.before.memo)
        self._made[key] = MadeGame(game if made is not None else None, reporter, None, made)
        if made is not None:
            self.is_changed = True
        elif was is not None and not self.is_changed:
            self.is_stillborn = True
        return False
