"""A story: a situation with draws and choices, in the words of one side, played by both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.play.match import Match
from tilewright.play.notation import prescribed_draw, seat_number, split_seat
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Scenario
from tilewright.tools.scenarios.expressions import evaluated_text
from tilewright.tools.scenarios.memory import remember
from tilewright.tools.scenarios.setup import lay_out
from tilewright.tools.witness.lockstep import Judge, Lockstep, choices_in
from tilewright.tools.witness.parting import LASTING, LockstepDifference, Side
from tilewright.tools.witness.translation import Translation
from tilewright.view.results.divergence import Kind


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two programs and the ways between their words. `lead` is 0 or 1."""

    programs: tuple[Program, Program]
    words: tuple[Translation, Translation]  # from 0 to 1, and back

    @classmethod
    def of(
        cls,
        one: Program,
        two: Program,
        tiles: Sequence[tuple[str, str]] = (),
        tokens: Sequence[tuple[str, str]] = (),
        *,
        is_exact: bool = False,
    ) -> Pairing:
        """Translate both ways; `tiles` and `tokens` are pairs that replace each other, and
        `is_exact` is that of `Translation`.
        """
        known: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
        for here, there in tiles:
            known[0].setdefault(here, []).append(there)
            known[1].setdefault(there, []).append(here)
        forth = Translation(one, two, known[0], dict(tokens), is_exact=is_exact)
        returned = {new: old for old, new in tokens}
        back = Translation(two, one, known[1], returned, is_exact=is_exact)
        return cls((one, two), (forth, back))

    def game(self, side: int) -> Game:
        """The game of a side, 0 or 1."""
        return self.programs[side].game


def begin_lockstep(
    pairing: Pairing,
    lead: int,
    scenario: Scenario,
    judge: Judge | None = None,
    seed: int | str = "",
) -> Lockstep | None:
    """Both matches set up from a scenario in the words of the leader, before the first choice.

    None where one of the two has no equal position.
    """
    words, back = pairing.words[lead], pairing.words[1 - lead]
    rest = scenario.memory or scenario.tokens or scenario.stacks
    same = words.is_plain and not rest and (words.figures_are_alike or not scenario.figures)
    other = words.scenario(scenario) if not same else replace(scenario, lines=())
    if other is None:
        return None
    one = laid(pairing.programs[lead], scenario, seed)
    two = laid(pairing.programs[1 - lead], other, seed) if one is not None else None
    if one is None or two is None:
        return None
    draws = [line.text for line in scenario.lines if line.verb == "draw"]
    one.forced_draws = [prescribed_draw(one.program, text) for text in draws]
    if None in one.forced_draws:
        return None
    two.forced_draws = []
    both = Lockstep(words, back, Side(one), Side(two), judge)
    both.pass_draws(draws)
    return both


def laid(program: Program, scenario: Scenario, seed: int | str = "") -> Match | None:
    """A match in the position of a scenario; None where it cannot be laid out."""
    game, players = program.game, len(scenario.players)
    seats = tuple(seat.id for seat in game.seats)[:players]
    if seats != scenario.players or game.refusal(players):
        return None
    match = Match(program, players, seed or scenario.id)
    if scenario.active:
        number = seat_number(match, scenario.active)
        if number is None:
            return None
        match.active = number
    reporter = Reporter.discarding()
    if not lay_out(match, scenario, reporter):
        return None
    if any(remember(match, name, text)[0] for name, text in scenario.memory):
        return None
    return match


def play(
    pairing: Pairing,
    lead: int,
    scenario: Scenario,
    judge: Judge | None = None,
    watch: list[tuple[Match, int]] | None = None,
    *,
    may_split: bool = False,
) -> Lockstep | None:
    """A story played in step as far as it goes; None where it cannot begin. To `watch` is added
    the leader's match as each turn begins, with the number of lines before it. Where the two
    cannot go on in step they go on each on its own, if they may part.
    """
    both = begin_lockstep(pairing, lead, scenario, judge)
    if both is None:
        return None
    if watch is not None:
        _watch(both, watch)
    both.start(bool(scenario.board))
    for line in scenario.lines:
        if both.is_done:
            break
        if line.verb == "choose":
            if not both.choose(_bare(both.leader.match, line.text)):
                break
        elif line.expect is not None and line.expect.values:
            _compare_values(both, line.expect.values)
    if may_split and both.partings and _may_split(both.partings[-1][0]):
        texts = choices_in(scenario.lines)[len(choices_in(both.lines)) :]
        both.play_separately([_bare(both.leader.match, text) for text in texts])
    return both


def _may_split(parting: LockstepDifference) -> bool:
    """Whether the two are not in step any more, though both can go on."""
    return bool(LASTING & set(parting.kinds)) and Kind.REFUSED not in parting.kinds


def _watch(both: Lockstep, starts: list[tuple[Match, int]]) -> None:
    def listen(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "turn":
            fresh = len(both.leader.drawn) - both.recorded[0]  # drawn, and not yet a line
            starts.append((match.fork(), len(both.lines) + fresh))

    both.leader.match.listeners += (listen,)


def _bare(match: Match, text: str) -> str:
    """A choice without the name of who makes it."""
    return " ".join(split_seat(match, text)[1].split())


def _compare_values(both: Lockstep, values: Sequence[tuple[str, str]]) -> None:
    """Whether both sides have equal values for the expressions of a scenario."""
    one, two = both.leader.match, both.replica.match
    found: list[list[tuple[str, str]]] = [[], []]
    for text, _ in values:
        here = evaluated_text(one, text, Reporter.discarding())
        there = evaluated_text(two, both.words.say(text, one, two), Reporter.discarding())
        if here is not None and there is not None and both.words.say(here, one, two) != there:
            found[0].append((text, here))
            found[1].append((text, there))
    if found[0]:
        pair = (tuple(found[0]), tuple(found[1]))
        both.part(LockstepDifference((Kind.VALUES,), (), (), 0, values=pair))
