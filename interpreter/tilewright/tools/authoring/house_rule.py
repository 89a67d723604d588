"""A new house rule: a folder with a draft of the change, and a scenario that shows it.

The scenario is one that covers the thing that is changed, or a position of random play in which it
happens, with what was true there so far. So it fails, and the lines that fail say so: their author
changes them into what is to be true from now on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, Span
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.faults import RuleError
from tilewright.play.new_match import start_match
from tilewright.play.notation import seat_name
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Expectation, Line, Ruleset, Scenario
from tilewright.rules.reading.library import Library
from tilewright.tools.authoring.files import Files, as_id, checked_name, in_words, read_back
from tilewright.tools.authoring.first_drafts import TODO, Draft, drafts
from tilewright.tools.authoring.targets import CannotMakeError, Target
from tilewright.tools.checking.changed_promises import CHANGED_MEANING, versions_named_in
from tilewright.tools.checking.lints import Linter
from tilewright.tools.comparison.compare import CannotCompareError
from tilewright.tools.scenarios.capture import position_of, scenario_data
from tilewright.tools.scenarios.runner import Programs, Run, played_out, run_scenario
from tilewright.tools.witness.find import find_divergence
from tilewright.tools.witness.storage import scenario_of
from tilewright.tools.workspace.workspace import Workspace

#: the edition of a rule that belongs to no library
HOUSE = "house"
#: so many scenarios are tried with each draft, and so many matches are played at random
_MAX_TRIED = 12
_MAX_MATCHES = 12
#: the rank of a draft that a lint finds fault with: the last resort
_SLIP = 5
#: the rank of a draft that no scenario shows
_UNSHOWN = 3
#: decisions that are compared to find one by playing
_MAX_DECISIONS = 600
_LINES = "<lines>"
_CHANGE = f"{TODO}: change this to the new result"
_ASK = f"{TODO}: change this to the new result"


@dataclass(frozen=True, slots=True)
class NewRule:
    """The files of a house rule, and notes about them."""

    id: str
    files: Files
    does: str
    shown_by: str  # the source of its scenario
    is_shown: bool  # whether the change makes a difference in it


@dataclass(frozen=True, slots=True)
class _Tried:
    """A draft with a scenario: how well it shows (0 is best), and the lines that fail."""

    rank: int
    draft: Draft
    scenario: Scenario
    comments: dict[int, str]
    origin: str


def edition_in(folder: Path, library: Library) -> str:
    """The first part of the ids of new rules in a folder: its name if rulesets in it have that."""
    name = folder.resolve().name
    has_it = any(
        library.own_id(inner) == f"{name}/{inner.name}"
        for inner in library.folders_under(folder, deepest=1)
    )
    return name if has_it else HOUSE


def new_house_rule(
    name: str, target: Target, workspace: Workspace, edition: str = HOUSE
) -> NewRule:
    """The files of a house rule about a target; its id is `edition/name`. Raises
    CannotMakeError."""
    maker = _Maker(checked_name(name), target, workspace, edition)
    if maker.id in workspace.ids():
        raise CannotMakeError(f"there is a ruleset `{maker.id}` already")
    return maker.made()


class _Maker:
    def __init__(self, name: str, target: Target, workspace: Workspace, edition: str) -> None:
        self.name, self.target, self.workspace = name, target, workspace
        self.id = f"{edition}/{name}"
        self.rule = f"{as_id(name)}.change"
        self.requires = self._requires()
        self.printed = Programs(workspace.library)
        self.known = {ruleset.id for ruleset in target.game.rulesets}
        found = self._scenarios()
        self.scenarios = [(scenario, origin) for _, scenario, origin in found[:_MAX_TRIED]]
        if not any(covers for covers, _, _ in found):
            self.scenarios = [*self._by_play(), *self.scenarios]

    def made(self) -> NewRule:
        best: _Tried | None = None
        for draft in drafts(self.target, self.rule):
            if best is not None and best.rank < _SLIP and not draft.is_change:
                break
            found = self._tried(draft)
            if found is not None and (best is None or found.rank < best.rank):
                best = found
            if best is not None and best.rank == 0:
                break
        assert best is not None, "a draft that changes nothing can always be written"
        files = self._files(best.draft, best.scenario, best.comments)
        return NewRule(self.id, files, best.draft.does, best.origin, best.rank < _UNSHOWN)

    # -------------------------------------------------------------- trying

    def _tried(self, draft: Draft) -> _Tried | None:
        """How a draft shows in the best of the scenarios; None where it makes no game."""
        if not draft.is_change:
            scenario, origin = self._first()
            return _Tried(4, draft, *_asking(scenario), origin)
        ruleset = read_back(self._files(draft, self._first()[0], {}), self.id)
        programs = Programs(self.workspace.library.instead(ruleset))
        program, _ = programs.get(self.id, self.target.options)
        if program is None:
            return None
        if self._lints(program.game, ruleset):
            scenario, origin = self._first()
            return _Tried(_SLIP, draft, *_asking(scenario), origin)
        best: _Tried | None = None
        for scenario, origin in (*self.scenarios, *self._counted()):
            run = run_scenario(scenario, self.id, "+".join(scenario.rulesets) or self.id, programs)
            rank, comments = _shown(run)
            if rank < (best.rank if best is not None else _UNSHOWN):
                best = _Tried(rank, draft, scenario, comments, origin)
            if rank == 0:
                break
        if best is None:
            best = self._by_divergence(draft, ruleset, programs)
        if best is None:
            scenario, origin = self._first()
            best = _Tried(_UNSHOWN, draft, *_asking(scenario), origin)
        return best

    def _by_divergence(self, draft: Draft, ruleset: Ruleset, programs: Programs) -> _Tried | None:
        """The first position in which the game with a draft plays otherwise, as a scenario."""
        chosen = "&".join(f"{name}={value}" for name, value in self.target.options)
        texts = [f"{text}?{chosen}" if chosen else text for text in (self.target.text, self.id)]
        library = self.workspace.library
        try:
            found = find_divergence(
                (texts[0], texts[1]),
                library,
                library.instead(ruleset),
                players=max(2, self.target.game.players_least),
                decisions=_MAX_DECISIONS,
            )
        except CannotCompareError:
            return None
        if found.witness is None:
            return None
        printed = scenario_of(found.witness.sides[0])
        scenario = self._own(replace(printed, says=""), ())
        rank, comments = _shown(run_scenario(scenario, self.id, self.id, programs))
        if rank >= _UNSHOWN:
            return None
        return _Tried(rank, draft, scenario, comments, "a match played with and without it")

    def _lints(self, game: Game, ruleset: Ruleset) -> bool:
        """Whether a condition or an answer of a draft comes out the same in every match."""
        found = Reporter()
        Linter(self.workspace).game(game, ruleset.files, found)
        return any(each.code != CHANGED_MEANING for each in found.diagnostics)

    def _first(self) -> tuple[Scenario, str]:
        """A scenario that can be played, whatever it shows."""
        if self.scenarios:
            return self.scenarios[0]
        seats = tuple(seat.id for seat in self.target.game.seats)[: self.target.game.players_least]
        ask = Expectation(values=(("count(tiles)", "change me"),))
        lines = (Line("expect", "", ask, NOWHERE),)
        blank = Scenario("", "", players=seats, active=seats[0], lines=lines)
        return self._own(blank, ()), "the beginning of a game"

    # -------------------------------------------------------------- scenarios

    def _scenarios(self) -> list[tuple[bool, Scenario, str]]:
        """Scenarios that can be played with the rule, those that cover its target first."""
        found: list[tuple[tuple[bool, bool, int, int], Scenario, str]] = []
        wanted = set(self.target.rules)
        for id_ in self.workspace.ids():
            own = self.workspace.own(id_)
            for scenario in own.scenarios if own is not None else ():
                more = self._company(id_, scenario)
                if scenario.fails or more is None or not self._options_agree(scenario):
                    continue
                misses = not wanted & set(scenario.covers)
                key = (misses, id_ not in self.target.together, len(more), len(scenario.lines))
                rulesets = (self.id, *more) if more else ()
                found.append((key, self._own(scenario, rulesets), f"{id_}: {scenario.id}"))
        found.sort(key=lambda each: each[0])
        return [(not key[0], scenario, origin) for key, scenario, origin in found]

    def _counted(self) -> Iterator[tuple[Scenario, str]]:
        """The same scenarios, with all points at the end."""
        program, _ = self.printed.get(self.target.text, self.target.options)
        for scenario, origin in self.scenarios:
            if scenario.rulesets or program is None or scenario.options != self.target.options:
                continue
            ended = played_out(scenario, program, Reporter.discarding())
            if ended is not None:
                seats = [seat_name(ended, player) for player in ended.players]
                points = tuple(zip(seats, ended.points, strict=True))
                last = Line("expect", "", Expectation(points=points), NOWHERE)
                yield _numbered(replace(scenario, lines=(*scenario.lines, last))), origin

    def _company(self, id_: str, scenario: Scenario) -> tuple[str, ...] | None:
        """The rulesets of a scenario's game beyond those of the house rule; None for another."""
        game = {ruleset.id for ruleset in self.workspace.together(scenario.rulesets or (id_,))}
        if not self.known <= game:
            return None
        company = scenario.rulesets or (id_,)
        return tuple(each for each in company if each not in self.known)

    def _options_agree(self, scenario: Scenario) -> bool:
        chosen = dict(scenario.options)
        declared = {o.id: o.default for r in self.target.game.rulesets for o in r.module.options}
        return all(
            chosen.get(name, declared.get(name)) == value for name, value in self.target.options
        )

    def _own(self, scenario: Scenario, rulesets: tuple[str, ...]) -> Scenario:
        options = dict(scenario.options) | dict(self.target.options)
        return replace(
            _numbered(scenario),
            id=f"{self.name}-at-work",
            says=f"Without this rule: {scenario.says or 'a turn of the printed game'}",
            rulesets=rulesets,
            options=tuple(options.items()),
            statements=(),
            covers=(self.rule,),
        )

    def _by_play(self) -> list[tuple[Scenario, str]]:
        """A position of random play in which one of the rules happens, as a scenario."""
        program, plain = compile_game(self.target.game, probes=True), compile_game(self.target.game)
        players = self.target.game.players_least

        def times() -> int:
            return sum(program.reached.get(rule, 0) for rule in self.target.rules)

        for seed in range(_MAX_MATCHES):
            rng = random.Random(seed)
            match = start_match(program, players, seed)
            before = times()  # effects during setup are not shown by a choice
            try:
                while match.to_move >= 0:
                    match.choose_number(int(rng.random() * match.count))
                    if times() > before:
                        match.program = plain
                        shown = self._own(position_of(match), ())
                        return [(shown, "a position of random play")]
            except (RuleError, ValueError):
                continue
        return []

    # -------------------------------------------------------------- files

    def _requires(self) -> dict[str, str]:
        """Rulesets by their roles; by their ids where the target would have others play them."""
        known = ((id_, self.workspace.whole(id_)) for id_ in self.target.together)
        modules = {id_: entire.module for id_, entire in known if entire is not None}
        usual = {need.role: need.default for m in modules.values() for need in m.requires}
        found = {}
        for id_, module in modules.items():
            role = module.provides[0] if module.provides else id_
            found[role if usual.get(role, id_) == id_ else id_] = id_
        return found

    def _files(self, draft: Draft, scenario: Scenario, comments: dict[int, str]) -> Files:
        owner = self.workspace.whole(self.target.ruleset)
        assert owner is not None
        module: dict[str, Any] = {
            "id": self.id,
            "kind": "house",
            "edition": owner.module.edition,
            "title": in_words(self.name),
            "requires": self.requires,
            "written_for": versions_named_in(
                f"{self.target.id} {draft.sections}", self.target.game
            ),
        }
        shown = scenario_data(scenario, comments)
        return {
            "module.yaml": ("", {key: value for key, value in module.items() if value}),
            f"rules/{self.name}.yaml": ("", draft.sections),
            f"scenarios/{self.name}.yaml": ("", {"scenarios": [shown]}),
        }


def _numbered(scenario: Scenario) -> Scenario:
    """The scenario with its lines at places of their own, wherever they come from."""
    lines = []
    for number, line in enumerate(scenario.lines, 1):
        span = Span(_LINES, number, 1, number, 2)
        expect = replace(line.expect, span=span, places={}) if line.expect is not None else None
        lines.append(replace(line, expect=expect, span=span))
    return replace(scenario, lines=tuple(lines), span=Span(_LINES, 0, 0, 0, 0))


def _shown(run: Run) -> tuple[int, dict[int, str]]:
    """How well a scenario shows a change, and a comment for every line that no longer holds."""
    if run.passed:
        return _UNSHOWN, {}
    comments: dict[int, str] = {}
    for problem in run.problems:
        if problem.span.file == _LINES and problem.span.line:
            comments[problem.span.line - 1] = _CHANGE
    codes = {problem.code for problem in run.problems}
    if not comments:
        return _UNSHOWN, {}  # it cannot even be laid out
    return (0 if codes == {"TW802"} else 1 if "TW804" not in codes else 2), comments


def _asking(scenario: Scenario) -> tuple[Scenario, dict[int, str]]:
    """The scenario with a last line that fails as it is."""
    ask = Expectation(values=(("count(tiles)", "change me"),))
    lines = (*scenario.lines, Line("expect", "", ask, NOWHERE))
    return replace(scenario, lines=lines), {len(lines) - 1: _ASK}
