"""A match file replayed under other rules, in lockstep, until the two part.

Both matches get the same draws and the same choices (`lockstep`), and are compared as in `parting`.
A decision or an option of one side only does not end the comparison while the choices of the save
are possible; the first other difference is the split.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.play.match import Match
from tilewright.play.notation import PASS, seat_name
from tilewright.play.program import Program
from tilewright.play.replay import LogError, decision_text, moments
from tilewright.rules.linking.game import Game
from tilewright.tools.explanation.legality import Reason, why_not
from tilewright.tools.explanation.score_log import Award
from tilewright.tools.persistence.match_file import MatchFile, played, start_of
from tilewright.tools.witness.lockstep import Lockstep
from tilewright.tools.witness.parting import LockstepDifference, Side
from tilewright.tools.witness.story import Pairing
from tilewright.view.results.divergence import Kind


@dataclass(frozen=True, slots=True)
class Offers:
    """The first decision at which not the same is offered, though the choice made there is."""

    turn: int
    decision: str
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """The point at which two matches part. `what` is one of draws, points, places, tiles, tokens,
    stacks, decision, choice, end, fault; `before` and `after` are the facts under the match's own
    rules and under the others; `awards` are those of one side only, `reasons` explain why a
    choice is not offered.
    """

    what: str
    at: int  # entries of the log that the save has played
    turn: int
    decision: str  # the last or the current decision
    before: tuple[str, ...]
    after: tuple[str, ...]
    awards: tuple[tuple[Award, ...], tuple[Award, ...]] = ((), ())
    absent: tuple[str, ...] = ()  # rules of these awards that the other side does not have
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class ParallelReplay:
    """A match played under two games. `split` is None when both end equally; then `offers` may
    still differ.
    """

    before: Match
    after: Match
    choices: int  # the number of choices in both
    split: Split | None
    offers: Offers | None


def play_under(file: MatchFile, start: Match, other: Program) -> ParallelReplay:
    """Replay a match file under its own rules and under others, in lockstep. Raises LogError for a
    match that cannot be replayed under its own rules.
    """
    drawn: list[str] = []

    def listen(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "draw":
            drawn.append(match.program.game.stacked[facts[1]].id)

    log = played(file, start, listeners=(listen,)).log
    choices = [(each.decision, each.option) for each in moments(start, log)]
    if not choices:
        raise LogError("nothing has been chosen in this match yet")
    words, back = Pairing.of(start.program, other, is_exact=True).words
    reporter = Reporter()
    begun = start_of(file, other, reporter)
    before, after = start.fork(), begun or Match(other, file.players, file.seed)
    before.forced_draws, after.forced_draws = [entry for entry in log if entry < 0], []
    pair = _Pair(Lockstep(words, back, Side(before), Side(after), None))
    if begun is None:
        refused = [each.message for each in reporter.diagnostics]
        return ParallelReplay(before, after, 0, pair.split("fault", (), refused), None)
    pair.both.pass_draws(drawn)
    return pair.play(choices)


class _Pair:
    """Both matches in progress, and the first difference in offers. It has no judge."""

    def __init__(self, both: Lockstep) -> None:
        self.both = both
        self.before, self.after = both.leader.match, both.replica.match
        self.offers: Offers | None = None
        self.last_decision = "the setup"  # the last decision
        both.judge = self._note

    def play(self, choices: Sequence[tuple[str, str]]) -> ParallelReplay:
        """Make the choices of the save on both sides, as far as they go."""
        both, made = self.both, 0
        both.start(has_board=bool(self.before.board.tile_cell))
        found = self._parted(0)
        for decision, option in choices:
            if found is not None:
                break
            known = len(both.partings)
            is_level, wanted = both.view.is_level, both.words.option(option, *self._matches)
            if both.choose(option):
                self.last_decision, made = f"{decision}: {option}", made + 1
                found = self._parted(known)
            elif is_level:
                found = replace(
                    self.split("choice", [option], ()),
                    decision=decision,
                    reasons=tuple(why_not(self.after, wanted)),
                )
            else:
                found = self._elsewhere()
        if found is None and not both.view.is_level:
            found = self._elsewhere()
        return ParallelReplay(self.before, self.after, made, found, self.offers)

    @property
    def _matches(self) -> tuple[Match, Match]:
        return self.before, self.after

    def split(self, what: str, before: Iterable[str], after: Iterable[str]) -> Split:
        at, turn = len(self.before.log), self.before.turn
        return Split(what, at, turn, self.last_decision, tuple(before), tuple(after))

    def _elsewhere(self) -> Split:
        what = "end" if self.before.is_over or self.after.is_over else "decision"
        return self.split(what, [_stands(self.before)], [_stands(self.after)])

    def _parted(self, known: int) -> Split | None:
        """The first parting beyond those known that is more than another offer, as a split."""
        for parting, _ in self.both.partings[known:]:
            is_setup = parting.kind is Kind.STACKS and not self.both.is_done
            if not _is_soft(parting) and not is_setup:
                return self._split(parting)
        lacking = self.both.lacking
        return self.split("draws", (), [lacking]) if lacking else None

    def _split(self, parting: LockstepDifference) -> Split:
        match parting.kind:
            case Kind.REFUSED:
                return self.split("fault", *([text] if text else [] for text in parting.refusal))
            case Kind.POINTS:
                return self._points(parting)
            case Kind.PLACES | Kind.TILES:
                return self.split(parting.kind, *getattr(parting, parting.kind))
            case Kind.TOKENS | Kind.STACKS:
                pairs = getattr(parting, parting.kind)
                return self.split(
                    parting.kind,
                    *([f"{name}: {number}" for name, number in side] for side in pairs),
                )
            case _:
                return self._elsewhere()

    def _points(self, parting: LockstepDifference) -> Split:
        points = [
            [f"{seat_name(match, p)} {match.points[p]}" for p in match.players]
            for match in self._matches
        ]
        absent = (
            *_absent(parting.awards[0], self.after.program.game),
            *_absent(parting.awards[1], self.before.program.game),
        )
        return replace(self.split("points", *points), awards=parting.awards, absent=absent)

    def _note(self, both: Lockstep, parting: LockstepDifference) -> None:
        """Keep the first decision at which not the same is offered."""
        if self.offers is not None or not _is_soft(parting):
            return
        one, two = parting.options
        if Kind.DECISION in parting.kinds:  # a decision of one side only, as long as it is passed
            one, two = (
                tuple(text for text in side.options if text != PASS) if is_more else ()
                for side, is_more in (
                    (both.leader, both.is_behind()),
                    (both.replica, not both.is_behind()),
                )
            )
        if one or two:
            decision = decision_text(self.after)
            self.offers = Offers(self.after.turn, decision, tuple(sorted(one)), tuple(sorted(two)))


def _is_soft(parting: LockstepDifference) -> bool:
    """Whether both may still go on with the same choices."""
    return {Kind.OPTIONS, Kind.DECISION}.issuperset(parting.kinds)


def _stands(match: Match) -> str:
    """The position of a match in the course of the game, in words."""
    if not match.is_over:
        return f"turn {match.turn}, {decision_text(match)}"
    winners = ", ".join(seat_name(match, player) for player in match.winners())
    return f"the game is over; the winners: {winners or 'none'}"


def _absent(awards: Sequence[Award], there: Game) -> tuple[str, ...]:
    """Of the rules by which awards were given, those that the other game lacks, and why."""
    known = {rule.rule.head.id for rule in there.rules()}
    used = dict.fromkeys(rule for a in awards for rule in (a.rule, *(i.rule for i in a.items)))
    removed = {a.patch.target: a for a in there.patches if a.patch.verb == "remove"}
    reasons = []
    for rule in used:
        if rule in known:
            continue
        if rule in removed:
            done = removed[rule]
            reasons.append(f"`{rule}` is left out by {done.ruleset}: {done.patch.why}")
        else:
            reasons.append(f"`{rule}` is not in {there.id}")
    return tuple(reasons)
