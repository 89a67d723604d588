"""The runner of scenarios: a situation is set up, lines are played, expectations are checked.

A failed scenario gives diagnostics at its own lines. Nothing is skipped: after a failed expectation
the play continues, after a line that cannot be played it stops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tilewright.compiling.reuse import Memo
from tilewright.linking.game import Game
from tilewright.model.ruleset import Expectation, Line, Scenario
from tilewright.reading.library import Library
from tilewright.runtime.faults import RuleError
from tilewright.runtime.match import Match
from tilewright.runtime.match_state import Listener, SetUp
from tilewright.runtime.new_match import begin
from tilewright.runtime.notation import find_option, option_texts, seat_name, seat_number
from tilewright.runtime.program import Program
from tilewright.source.diagnostics import (
    Diagnostic,
    Reporter,
    did_you_mean,
)
from tilewright.tools.explanation.faults import diagnostic_of
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.scenarios.collect import collect
from tilewright.tools.scenarios.coverage import Reached
from tilewright.tools.scenarios.expressions import evaluated_text
from tilewright.tools.scenarios.memory import remember, remembered
from tilewright.tools.scenarios.setup import lay_out, token_slot, where_is
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.program_cache import NO_CACHE, ProgramCache

#: reports a difference: the key of the expectation, in words what is expected, both values
Wrong = Callable[[str, str, object, object], None]


@dataclass(frozen=True, slots=True)
class Run:
    """One scenario under one game, with its failures, if any."""

    scenario: Scenario
    ruleset: str
    game: str
    options: tuple[tuple[str, str], ...]
    problems: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        """Whether every expectation was met."""
        return not self.problems

    @property
    def name(self) -> str:
        """The ruleset and the scenario."""
        return f"{self.ruleset}: {self.scenario.id}"


class Programs:
    """Compiled games by text and options, each made once; `cache` has those of earlier runs, and
    `memo` keeps functions for games that differ in a few rules.
    """

    def __init__(
        self,
        library: Library,
        *,
        probes: bool = False,
        cache: ProgramCache = NO_CACHE,
        memo: Memo | None = None,
    ) -> None:
        self.library = library
        self.probes = probes
        self.cache = cache
        self.memo = memo
        self._made: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[Program | None, Reporter]]
        self._made = {}
        self._linked: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[Game | None, Reporter]]
        self._linked = {}

    def linked(
        self, text: str, options: tuple[tuple[str, str], ...]
    ) -> tuple[Game | None, Reporter]:
        """A game that need not be compiled, and what was reported while linking it."""
        key = (text, tuple(sorted(options)))
        if key not in self._linked:
            self._linked[key] = load_game(text, dict(options), self.library)
        return self._linked[key]

    def get(
        self, text: str, options: tuple[tuple[str, str], ...]
    ) -> tuple[Program | None, Reporter]:
        """The program of a game, and what was reported while making it."""
        key = (text, tuple(sorted(options)))
        if key not in self._made:
            game, reporter = self.linked(*key)
            program = None
            if game is not None:
                program = self.cache.program(game, probes=self.probes, memo=self.memo)
            self._made[key] = (program, reporter)
        return self._made[key]

    def release(self) -> Reached:
        """Forget all games and programs; the result has what was reached, if they have probes."""
        reached = Reached()
        for program, _ in self._made.values():
            if program is not None and self.probes:
                reached.add(program)
        self._made.clear()
        self._linked.clear()
        return reached


class Watcher(Protocol):
    """Follows a scenario line by line."""

    def begins(self, match: Match) -> None:
        """The situation is set up, and the first decision waits."""
        ...

    def chooses(self, match: Match, line: Line, number: int) -> None:
        """A line is about to choose this option."""
        ...

    def ends(self, match: Match, line: Line, problems: tuple[Diagnostic, ...]) -> None:
        """A choice or an expectation is done, with what does not hold in it."""
        ...


def run_scenario(
    scenario: Scenario,
    ruleset: str,
    game: str,
    programs: Programs,
    *,
    listeners: Sequence[Listener] = (),
) -> Run:
    """Play a scenario and say what does not hold; `listeners` hear what happens in it."""
    program, linking = programs.get(game, scenario.options)
    reporter = Reporter()
    if scenario.fails:
        _must_fail(scenario, program, linking, reporter)
    elif program is None:
        first = next((d for d in linking.diagnostics), None)
        why = "" if first is None else f": {first.message}"
        reporter.error("TW801", f"the game of this scenario cannot be made{why}", scenario.span)
    else:
        _Player(scenario, program, reporter, listeners).play()
    return Run(scenario, ruleset, game, scenario.options, reporter.diagnostics)


def played_out(
    scenario: Scenario, program: Program, reporter: Reporter, watcher: Watcher | None = None
) -> Match | None:
    """The match in which a scenario ends; None after reporting where it stops."""
    return _Player(scenario, program, reporter, watcher=watcher).play()


def set_up(scenario: Scenario, program: Program, reporter: Reporter) -> Match | None:
    """The match of a scenario, seeded by its id, before its first step; None after reporting."""
    return _Player(scenario, program, reporter).set_up()


def _must_fail(
    scenario: Scenario, program: Program | None, linking: Reporter, reporter: Reporter
) -> None:
    found = {d.code for d in linking.diagnostics}
    if program is not None:
        seats = Reporter()
        _Player(scenario, program, seats).are_seated()
        found |= {d.code for d in seats.diagnostics}
    if scenario.fails not in found:
        shown = ", ".join(sorted(found)) or "nothing"
        message = f"expected the game to be refused with {scenario.fails}, found {shown}"
        reporter.error("TW802", message, scenario.span)


class _Player:
    def __init__(
        self,
        scenario: Scenario,
        program: Program,
        reporter: Reporter,
        listeners: Sequence[Listener] = (),
        watcher: Watcher | None = None,
    ) -> None:
        self.scenario = scenario
        self.listeners = tuple(listeners)
        self.watcher = watcher
        self.program = program
        self.reporter = reporter
        self.ledger = Ledger()
        self.seen = 0  # awards already looked at

    def play(self) -> Match | None:
        match = self._prepare()
        if match is None:
            return None
        if self.watcher is not None:
            self.watcher.begins(match)
        for line in self.scenario.lines:
            known = len(self.reporter.in_order_of_report())
            is_played = self._line(match, line)
            if self.watcher is not None and line.verb != "draw":
                self.watcher.ends(match, line, self.reporter.in_order_of_report()[known:])
            if not is_played:
                return None
        return match

    def _line(self, match: Match, line: Line) -> bool:
        """Play a line; False where the scenario cannot go on."""
        if line.verb == "expect":
            if line.expect is None:  # already reported by the reader
                self.reporter.error("TW801", "this expectation cannot be read", line.span)
                return False
            self._expect(match, line.expect)
        return line.verb != "choose" or self._choose(match, line)

    def are_seated(self) -> bool:
        """Whether the game allows these players; reports a diagnostic if it does not."""
        scenario, game = self.scenario, self.program.game
        seats = [seat.id for seat in game.seats][: len(scenario.players)]
        if tuple(seats) != scenario.players:
            message = f"the players sit in the order {', '.join(s.id for s in game.seats)}"
            self.reporter.error("TW801", message, scenario.place("players"))
            return False
        refused = game.refusal(len(scenario.players))
        if refused:
            self.reporter.error("TW805", refused, scenario.place("players"))
            return False
        return True

    def set_up(self) -> Match | None:
        """The match in the situation, before its first step; None after reporting a problem."""
        scenario = self.scenario
        if not self.are_seated():
            return None
        match = Match(self.program, len(scenario.players), scenario.id)
        if scenario.active:
            number = seat_number(match, scenario.active)
            if number is None:
                message = f"`{scenario.active}` is not a player here"
                self.reporter.error("TW801", message, scenario.place("active"))
                return None
            match.active = number
        match.listeners = (self.ledger, *self.listeners)
        if not lay_out(match, scenario, self.reporter) or not self._remember(match):
            return None
        before = match.fork()
        match.set_up = before.set_up = SetUp(scenario, before)
        return match

    def _prepare(self) -> Match | None:
        if (match := self.set_up()) is None:
            return None
        match.forced_draws = []
        for line in self.scenario.lines:
            if line.verb == "draw":
                piece = self.program.piece_number.get(line.text)
                if piece is None:
                    known = did_you_mean(line.text, self.program.piece_number)
                    self.reporter.error("TW803", f"unknown piece `{line.text}`{known}", line.span)
                    return None
                match.forced_draws.append(piece)
        return match if self._go(match, self.scenario) else None

    def _remember(self, match: Match) -> bool:
        """Set the memory of the situation; False after reporting an impossible value."""
        before = self.reporter.error_count
        for name, text in self.scenario.memory:
            problem, why = remember(match, name, text)
            if problem:
                place = self.scenario.place("memory", name)
                self.reporter.error("TW801", problem, place, hint=why)
        return self.reporter.error_count == before

    def _go(self, match: Match, where: Scenario | Line, choice: int = -1) -> bool:
        try:
            if choice >= 0:
                match.choose_number(choice)
            else:
                begin(match)
        except RuleError as fault:
            self.reporter.add(diagnostic_of(fault, where.span))
            return False
        return True

    # -------------------------------------------------------------- lines

    def _choose(self, match: Match, line: Line) -> bool:
        text = line.text
        before, colon, after = text.partition(": ")
        if colon and seat_number(match, before) is not None:
            text = after
            if match.to_move < 0 or seat_name(match, match.to_move) != before:
                decider = seat_name(match, match.to_move) if match.to_move >= 0 else "nobody"
                message = f"the line is a choice of `{before}`, but {decider} decides here"
                self.reporter.error("TW803", message, line.span)
                return False
        number = find_option(match, text)
        if number is None:
            offered = option_texts(match)
            if not offered:
                message = f"`{text}` cannot be chosen: the game is over"
            else:
                shown = ", ".join(f"`{o}`" for o in offered[:8])
                more = f" and {len(offered) - 8} more" if len(offered) > 8 else ""
                who = seat_name(match, match.to_move)
                message = f"`{text}` is not offered to {who}; offered are {shown}{more}"
            self.reporter.error("TW803", message, line.span)
            return False
        if self.watcher is not None:
            self.watcher.chooses(match, line, number)
        return self._go(match, line, number)

    # -------------------------------------------------------------- expectations

    def _expect(self, match: Match, expect: Expectation) -> None:
        def wrong(key: str, what: str, wanted: object, found: object) -> None:
            message = f"expected {what} {wanted}, found {found}"
            self.reporter.error("TW802", message, dict(expect.places).get(key, expect.span))

        for name, points in expect.points:
            number = seat_number(match, name)
            found = "unknown player" if number is None else match.points[number]
            if found != points:
                wrong(f"points {name}", f"{name}'s points to be", points, found)
        if expect.gained:
            self._expect_gained(match, expect, wrong)
        for name, place in expect.figures:
            spots = where_is(match, name)
            if not any(_same_place(spot, place) for spot in spots):
                shown = " or ".join(sorted(set(spots))) or "unknown figure"
                wrong(f"figures {name}", f"{name} at", place, shown)
        for name, count in expect.supply:
            spots = where_is(match, name)
            home = sum(spot == "home" for spot in spots)
            if home != count:  # a witness writes 0 for a figure that only the other game has
                shown = str(home) if spots else "unknown figure"
                wrong(f"supply {name}", f"{name} in the supply:", count, shown)
        for name, count in expect.tokens:
            slot = token_slot(match, name)
            held = "unknown token" if slot is None else match.tokens[slot[1]]
            if held != count:
                wrong(f"tokens {name}", f"tokens of {name}:", count, held)
        for name, count in expect.stacks:
            index = self.program.stack_number.get(name)
            size = "unknown stack" if index is None else len(match.stacks[index])
            if size != count:
                wrong(f"stacks {name}", f"pieces in {name}:", count, size)
        if expect.tiles is not None and len(match.board.tile_cell) != expect.tiles:
            wrong("tiles", "tiles on the board:", expect.tiles, len(match.board.tile_cell))
        for name, value in expect.memory:
            held = remembered(match, name)
            if held != value:
                wrong(f"memory {name}", f"`{name}` to be", value, held)
        for text, value in expect.values:
            mine = Reporter()
            text_found = evaluated_text(match, text, mine)
            if text_found is None:
                text_found = "; ".join(d.message for d in mine.diagnostics)
            if text_found != value:
                wrong(f"values {text}", f"`{text}` to be", value, text_found)
        self._expect_decision(match, expect, wrong)

    def _expect_decision(self, match: Match, expect: Expectation, differs: Wrong) -> None:
        who = seat_name(match, match.to_move) if match.to_move >= 0 else "nobody"
        if expect.decides is not None and expect.decides != who:
            differs("decides", "the decision to be for", expect.decides, who)
        if expect.step is not None and expect.step != match.step:
            differs("step", "the step", expect.step, match.step or "none")
        offered = option_texts(match)
        if expect.options is not None and sorted(expect.options) != sorted(offered):
            extra = sorted(set(offered) - set(expect.options))
            missing = sorted(set(expect.options) - set(offered))
            parts = [f"missing `{m}`" for m in missing] + [f"also `{e}`" for e in extra]
            differs(
                "options", "exactly these options:", ", ".join(expect.options), "; ".join(parts)
            )
        for option in expect.offered:
            if option not in offered:
                shown = ", ".join(offered[:12]) or "none"
                differs("offered", "among the options", f"`{option}`", shown)
        for option, rule in expect.refused:
            if option in offered:
                differs(f"refused {option}", "to be refused:", f"`{option}`", "that it is offered")
            elif rule:
                from tilewright.tools.explanation.legality import why_not

                reasons = [reason.rule for reason in why_not(match, option)]
                if rule not in reasons:
                    found = ", ".join(r for r in reasons if r) or "no rule"
                    differs(f"refused {option}", f"`{option}` to be refused by", rule, found)
        if expect.over is not None and expect.over != match.is_over:
            state = "over" if expect.over else "going on"
            differs("over", "the game to be", state, "the opposite")
        if expect.winners is not None:
            winners = tuple(seat_name(match, p) for p in match.winners())
            found = ", ".join(winners) if match.is_over else "a game that goes on"
            if not match.is_over or winners != expect.winners:
                differs("winners", "the winners", ", ".join(expect.winners), found)

    def _expect_gained(self, match: Match, expect: Expectation, wrong: Wrong) -> None:
        recent = self.ledger.awards[self.seen :]
        self.seen = len(self.ledger.awards)
        for name, wanted in expect.gained:
            number = seat_number(match, name)
            gained = "; ".join(a.text() for a in recent if a.player == number) or "nothing"
            gained = gained if number is not None else "unknown player"
            if " ".join(wanted.split()) != gained:
                wrong(f"gained {name}", f"{name} to gain", wanted, gained)


def _same_place(found: str, wanted: str) -> bool:
    """`0,0` also matches `0,0 facing N`: unspecified parts are not compared."""
    return found == wanted or found.startswith(wanted + " ")


class UnreadableError(Exception):
    """Unreadable scenarios or rulesets, or none at all; `diagnostics` has the reasons."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("; ".join(each.message for each in diagnostics))
        self.diagnostics = tuple(diagnostics)


def run_all(
    ids: tuple[str, ...], library: Library, *, probes: bool = False
) -> tuple[list[Run], Reached]:
    """All scenarios of some rulesets, and with `probes` what they reach.

    Raises UnreadableError where some cannot be read.
    """
    collected = collect(ids, library)
    if collected.errors:
        raise UnreadableError(collected.diagnostics)
    programs = Programs(library, probes=probes)
    runs = [
        run_scenario(case.scenario, case.ruleset, case.game, programs) for case in collected.cases
    ]
    return runs, programs.release()


def with_options(scenario: Scenario, options: Mapping[str, str]) -> Scenario:
    """The same scenario under other options."""
    return replace(scenario, options=tuple(sorted(options.items())))
