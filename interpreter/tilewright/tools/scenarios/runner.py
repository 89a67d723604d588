"""The runner of scenarios: a situation is set up, lines are played, expectations are checked.

A failed scenario gives diagnostics at its own lines, each difference at its own key. Nothing is
skipped: after a failed expectation the play continues, after a line that cannot be played it stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tilewright.language.source.diagnostics import Diagnostic, Reporter, all_of
from tilewright.play.compiling.reuse import Memo
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.match_state import Listener, SetUp
from tilewright.play.new_match import begin
from tilewright.play.notation import (
    find_option,
    option_texts,
    prescribed_draw,
    seat_name,
    seat_number,
    split_seat,
)
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Expectation, Line, Ruleset, Scenario
from tilewright.rules.reading.library import Library
from tilewright.tools.explanation.faults import diagnostic_of
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.scenarios.collect import collect
from tilewright.tools.scenarios.coverage import Reached, applied_patches
from tilewright.tools.scenarios.inspection import are_seated, check_covers, inspect_scenario
from tilewright.tools.scenarios.setup import (
    evaluated_text,
    lay_out,
    remember,
    remembered,
    token_slot,
    where_is,
)
from tilewright.tools.workspace.garbage import without_garbage_collection
from tilewright.tools.workspace.loading import Report, load_game, load_selection, unreported
from tilewright.tools.workspace.program_cache import NO_CACHE, ProgramCache

#: reports a difference: the key of the expectation, in words what is expected, both values
Wrong = Callable[[str, str, object, object], None]


class Expectations:
    """Checks the expectations of one scenario, one after the other."""

    def __init__(self, ledger: Ledger, reporter: Reporter) -> None:
        self.ledger = ledger
        self.reporter = reporter
        self.seen = 0  # awards already looked at
        self.refusing: set[str] = set()  # the rules that refused what was expected to be refused

    def check(self, match: Match, expect: Expectation) -> None:
        """Report each part of an expectation that does not hold now."""

        def wrong(key: str, what: str, wanted: object, found: object) -> None:
            message = f"expected {what} {wanted}, found {found}"
            self.reporter.error("TW802", message, expect.place(key))

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
            if home != count:
                shown = str(home) if spots else "unknown figure"
                wrong(f"supply {name}", f"{name} in the supply:", count, shown)
        for name, count in expect.tokens:
            slot = token_slot(match, name)
            held = "unknown token" if slot is None else match.tokens[slot[1]]
            if held != count:
                wrong(f"tokens {name}", f"tokens of {name}:", count, held)
        for name, count in expect.stacks:
            index = match.program.stack_number.get(name)
            size = "unknown stack" if index is None else len(match.stacks[index])
            if size != count:
                wrong(f"stacks {name}", f"pieces in {name}:", count, size)
        if expect.tiles is not None and len(match.board.tile_at) != expect.tiles:
            wrong("tiles", "tiles on the board:", expect.tiles, len(match.board.tile_at))
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
            parts = [f"no {all_of(missing)}"] if missing else []
            parts += [f"{all_of(extra)} too"] if extra else []
            wanted = ", ".join(f"`{each}`" for each in expect.options) or "none"
            differs("options", "just the options", wanted, " and ".join(parts))
        for option in expect.offered:
            if option not in offered:
                shown = ", ".join(offered[:12]) or "none"
                differs("offered", "among the options", f"`{option}`", shown)
        self._expect_refused(match, expect, offered, differs)
        if expect.over is not None and expect.over != match.is_over:
            state = "over" if expect.over else "going on"
            differs("over", "the game to be", state, "the opposite")
        if expect.winners is not None:
            winners = tuple(seat_name(match, p) for p in match.winners())
            found = ", ".join(winners) if match.is_over else "a game that goes on"
            if not match.is_over or winners != expect.winners:
                differs("winners", "the winners", ", ".join(expect.winners), found)

    def _expect_refused(
        self, match: Match, expect: Expectation, offered: Sequence[str], differs: Wrong
    ) -> None:
        for option, rule in expect.refused:
            key = f"refused {option}"
            if option in offered:
                differs(key, "to be refused:", f"`{option}`", "that it is offered")
                continue
            reasons = why_not(match, option)
            if all(reason.is_idle for reason in reasons):
                message = f"this decision could not offer `{option}`: "
                message += "; ".join(reason.for_authors for reason in reasons)
                hint = "expect it where it could be chosen, or expect exactly these `options`"
                self.reporter.warning("TW616", message, expect.place(key), hint=hint)
            elif rule and rule not in (reason.rule for reason in reasons):
                found = ", ".join(reason.rule for reason in reasons if reason.rule) or "no rule"
                differs(f"{key} {rule}", f"`{option}` to be refused by", rule, found)
            self.refusing |= {reason.rule for reason in reasons}

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


# ------------------------------------------------------------------ runs


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
    def problems_of_game(self) -> tuple[Diagnostic, ...]:
        """The errors of its game, which are in other files; it was not played then."""
        return tuple(each for each in self.problems if each.span.file != self.scenario.span.file)

    @property
    def name(self) -> str:
        """The ruleset and the scenario."""
        return f"{self.ruleset}: {self.scenario.id}"


#: a game, and the options that are chosen
_Key = tuple[str, tuple[tuple[str, str], ...]]
#: by id: a ruleset without its scenarios, and the diagnostics of reading it
_Read = Mapping[str, tuple[Ruleset | None, tuple[Diagnostic, ...]]]
#: games of earlier texts that are kept in case nothing that they are made of has changed
MAX_EARLIER = 16


@dataclass(slots=True)
class MadeGame:
    """A linked game, and its program once it is compiled."""

    game: Game | None
    reporter: Reporter
    read: _Read | None  # the rulesets that were read for it; None for all
    program: Program | None = None


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
        self._made: dict[_Key, MadeGame] = {}
        self._earlier: dict[_Key, MadeGame] = {}

    def renew(self, library: Library) -> None:
        """Follow the texts of a library as they are now. A game is made again, when it is asked
        for, if one of its rulesets is no longer what was read for it.
        """
        made = {**self._earlier, **self._made}
        kept = [(key, each) for key, each in made.items() if each.read is not None]
        self.library, self._made, self._earlier = library, {}, dict(kept[-MAX_EARLIER:])

    def linked(
        self, text: str, options: tuple[tuple[str, str], ...], report: Report = unreported
    ) -> tuple[Game | None, Reporter]:
        """A game that need not be compiled, and what was reported while linking it."""
        found = self._linked((text, tuple(sorted(options))), report)
        return found.game, found.reporter

    def _linked(self, key: _Key, report: Report) -> MadeGame:
        if key not in self._made:
            found = self._earlier.pop(key, None)
            if found is None or found.read is None or found.read != self._read_of(found.read):
                with self.library.recording() as requests:
                    found = MadeGame(*load_game(key[0], dict(key[1]), self.library, report), None)
                if not requests.everything:
                    found.read = self._read_of(requests.ids)
            self._made[key] = found
        return self._made[key]

    def _read_of(self, ids: Iterable[str]) -> _Read:
        """Some rulesets as the library has them; a file that is the same is not read again."""
        found = {}
        for id_ in ids:
            reporter = Reporter()
            found[id_] = self.library.load_rules(id_, reporter), reporter.diagnostics
        return found

    def refusal(self, scenario: Scenario, text: str) -> tuple[Diagnostic, ...]:
        """The errors in the game of a scenario; those of its own words are at their places."""
        mine = Reporter()
        load_selection(text, dict(scenario.options), self.library, mine, scenario.place)
        return (mine if mine.has_errors else self.get(text, scenario.options)[1]).diagnostics

    def get(
        self, text: str, options: tuple[tuple[str, str], ...], report: Report = unreported
    ) -> tuple[Program | None, Reporter]:
        """The program of a game, and what was reported while making it."""
        found = self._linked((text, tuple(sorted(options))), report)
        if found.program is None and found.game is not None:
            report("compiling")
            with without_garbage_collection():
                found.program = self.cache.program(found.game, probes=self.probes, memo=self.memo)
        return found.program, found.reporter

    def release(self) -> Reached:
        """Forget all games and programs; the result has what was reached, if they have probes."""
        reached = Reached()
        for made in self._made.values():
            if made.program is not None and self.probes:
                reached.add(made.program)
        self._made.clear()
        self._earlier.clear()
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
    """Play a scenario and say what does not hold; `listeners` hear what happens in it.

    Errors of its game come instead of a play, each at its own place. With probes it must also reach
    the rules that it covers.
    """
    program, linking = programs.get(game, scenario.options)
    reporter, made = Reporter(), None if program is None else program.game
    found = linking.diagnostics if made else programs.refusal(scenario, game)
    if inspect_scenario(scenario, made, found, reporter) and program is not None:
        if programs.probes:
            check_covers(scenario, program.game.rulesets, program.game, reporter)
        _Player(scenario, program, reporter, listeners).prove(reaching=programs.probes)
    return Run(scenario, ruleset, game, scenario.options, reporter.diagnostics)


def played_out(
    scenario: Scenario, program: Program, reporter: Reporter, watcher: Watcher | None = None
) -> Match | None:
    """The match in which a scenario ends; None after reporting where it stops.

    Names that the game does not have are not looked up first, as `inspect_scenario` does it.
    """
    if not are_seated(scenario, program.game, reporter):
        return None
    return _Player(scenario, program, reporter, watcher=watcher).play()


def set_up(scenario: Scenario, program: Program, reporter: Reporter) -> Match | None:
    """The match of a scenario, seeded by its id, before its first step; None after reporting."""
    if not are_seated(scenario, program.game, reporter):
        return None
    return _Player(scenario, program, reporter).set_up()


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
        self.expectations = Expectations(self.ledger, reporter)
        self.offered: set[str] = set()  # the rules of the actions that were options

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

    def prove(self, *, reaching: bool) -> None:
        """Play to the end; where all holds, report draws that nothing read and, in a program with
        probes, covered rules that were not reached.
        """
        before = dict(self.program.reached)
        match = self.play()
        if match is None or self.reporter.has_errors:
            return
        draws = [line for line in self.scenario.lines if line.verb == "draw"]
        for line in draws[len(draws) - len(match.forced_draws or ()) :]:
            message = f"nothing draws `{line.text}`: the scenario ends before"
            self.reporter.warning("TW615", message, line.span, hint="remove the line")
        if reaching:
            self._check_covers(before)

    def _check_covers(self, before: Mapping[str, int]) -> None:
        """Report covered rules that did nothing since, were not offered and refused nothing."""
        reached = {id_ for id_, times in self.program.reached.items() if times > before.get(id_, 0)}
        reached |= applied_patches(self.program.game) | self.offered | self.expectations.refusing
        for rule in self.scenario.covers:
            if rule not in reached:
                message = f"scenario `{self.scenario.id}` covers `{rule}`, which it never reaches"
                hint = "it covers the rules that do, offer or refuse something in it"
                place = self.scenario.place("covers", rule)
                self.reporter.warning("TW614", message, place, hint=hint)

    def _line(self, match: Match, line: Line) -> bool:
        """Play a line; False where the scenario cannot go on."""
        if line.verb == "expect":
            if line.expect is None:  # already reported by the reader
                self.reporter.error("TW801", "this expectation cannot be read", line.span)
                return False
            self.expectations.check(match, line.expect)
        return line.verb != "choose" or self._choose(match, line)

    def set_up(self) -> Match | None:
        """The match in the situation, before its first step; None after reporting a problem."""
        scenario = self.scenario
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
                piece = prescribed_draw(self.program, line.text)
                if piece is None:
                    self.reporter.error("TW803", f"unknown piece `{line.text}`", line.span)
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
            span = where.span
            if fault.draws_left:
                draws = [line.span for line in self.scenario.lines if line.verb == "draw"]
                span = draws[-fault.draws_left]
            self.reporter.add(diagnostic_of(fault, span))
            return False
        actions = self.program.sites[match.decision_site].actions if match.to_move >= 0 else ()
        if actions:
            self.offered |= {actions[value[0]].id for value in match.values()}
        return True

    # -------------------------------------------------------------- lines

    def _choose(self, match: Match, line: Line) -> bool:
        seat, text = split_seat(match, line.text)
        decider = seat_name(match, match.to_move) if match.to_move >= 0 else "nobody"
        if seat and seat != decider:
            message = f"the line is a choice of `{seat}`, but {decider} decides here"
            self.reporter.error("TW803", message, line.span)
            return False
        number = find_option(match, text)
        if number is None:
            offered = sorted(option_texts(match), key=lambda o: not o.startswith(f"{text} "))
            if not offered:
                message = f"`{text}` cannot be chosen: the game is over"
            else:
                shown = ", ".join(f"`{o}`" for o in offered[:8])
                more = f" and {len(offered) - 8} more" if len(offered) > 8 else ""
                who = seat_name(match, match.to_move)
                message = f"`{text}` is not offered to {who}"
                message += f" at step `{match.step}`" if match.step else ""
                message += f"; offered are {shown}{more}"
            self.reporter.error("TW803", message, line.span)
            return False
        if self.watcher is not None:
            self.watcher.chooses(match, line, number)
        return self._go(match, line, number)


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
