"""A saved match played once more under other rules, in step, until the two go apart.

Both matches get the same draws, as pieces, and the same choices, as the texts of options. Where
only the other rules ask for something that one may pass, it is passed; where only the own rules
asked and the answer was to pass, nothing is missed. Before every choice it is looked at who must
choose, what was drawn, who got points and why, where everything is, and whether the choice that was
made is still offered. The first difference ends the search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from typing import Any

from tilewright.linking.game import Game
from tilewright.runtime.kernel import HOME, RuleError
from tilewright.runtime.match import Match
from tilewright.runtime.notation import (
    PASS,
    figure_name,
    option_texts,
    placement_text,
    seat_name,
    spot_text,
)
from tilewright.runtime.program import Program
from tilewright.runtime.rebuilt import laid_pieces
from tilewright.runtime.start import begin
from tilewright.tools.ledger import Award, Ledger
from tilewright.tools.replay import LogError, Moment, decision_text, moments, replayed
from tilewright.tools.saves import Save
from tilewright.tools.why_not import Reason, why_not


@dataclass(frozen=True, slots=True)
class Offers:
    """The first decision at which not the same is offered, though the choice made there is."""

    turn: int
    decision: str
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Where two matches go apart. `what` is one of draws, points, places, tiles, tokens, decision,
    choice, end, fault; `before` and `after` say what is so under the save's own rules and under the
    others; `awards` are those that only one side gave, `reasons` why a choice is not offered.
    """

    what: str
    at: int  # entries of the log that both have played
    turn: int
    decision: str  # what was decided last, or is to be decided
    before: tuple[str, ...]
    after: tuple[str, ...]
    awards: tuple[tuple[Award, ...], tuple[Award, ...]] = ((), ())
    absent: tuple[str, ...] = ()  # rules of these awards that the other side does not have
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Twice:
    """A match played twice. `split` is None when both end alike; then `offers` may still differ."""

    before: Match
    after: Match
    choices: int  # how many choices both have made
    split: Split | None
    offers: Offers | None


def play_under(save: Save, own: Program, other: Program) -> Twice:
    """Play a save under its own rules and under others, in step. Raises LogError for a save that
    cannot be played again under its own rules.
    """
    return _Pair(save, own, other).play()


class _Drawn:
    """A listener that keeps the names of drawn pieces."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def __call__(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "draw":
            self.pieces.append(match.program.game.pieces[facts[1]].id)


class _Pair:
    def __init__(self, save: Save, own: Program, other: Program) -> None:
        self.save, self.own, self.other = save, own, other
        self.drawn = (_Drawn(), _Drawn())
        self.ledgers = (Ledger(), Ledger())
        self.known = [0, 0]  # how many awards of each side have been looked at
        self.offers: Offers | None = None
        self.choices = 0
        self.said = "the setup"  # what was decided last
        self.due: list[str] = []  # what is drawn in all, in order

    def play(self) -> Twice:
        save, other = self.save, self.other
        refused = self.own.game.refusal(save.players)
        if refused:
            raise LogError(refused)
        after = Match(other, save.players, save.seed)
        after.first = after.active = save.first
        after.listeners = (self.drawn[1], self.ledgers[1])
        before: Match | None = None
        for moment in self._moments():
            if before is None:
                before = moment.match
                split = self._begin(before, after)
            else:
                split = None
            split = split or self._catch_up(before, after)
            is_level = _place(before) == _place(after)
            if split is None and is_level:
                split = self._compare(before, after, moment.at)
                split = split or self._choose(before, after, moment)
            elif split is None and moment.option != PASS:
                what = "end" if after.is_over else "decision"
                split = self._split(what, moment.at, before, [_stands(before)], [_stands(after)])
            if split is not None:
                return Twice(before, after, self.choices, split, self.offers)
            self.said = f"{moment.decision}: {moment.option}"
            self.choices += 1
        if before is None:
            raise LogError("nothing has been chosen in this match yet")
        split = self._catch_up(before, after)
        if split is None and _place(before) != _place(after):
            what = "end" if before.is_over or after.is_over else "decision"
            one, two = [_stands(before)], [_stands(after)]
            split = self._split(what, len(save.log), before, one, two)
        split = split or self._compare(before, after, len(save.log))
        return Twice(before, after, self.choices, split, self.offers)

    def _moments(self) -> Iterator[Moment]:
        save, listeners = self.save, (self.drawn[0], self.ledgers[0])
        return moments(self.own, save.players, save.seed, save.first, save.log, listeners=listeners)

    def _begin(self, before: Match, after: Match) -> Split | None:
        """Set the other match up, with all the draws of the first one to come."""
        save, drawn = self.save, _Drawn()
        replayed(self.own, save.players, save.seed, save.first, save.log, listeners=(drawn,))
        numbers = self.other.piece_number
        self.due = drawn.pieces
        refused = self.other.game.refusal(save.players)
        if refused:
            return self._split("fault", 0, before, (), [refused])
        known = list(takewhile(lambda piece: piece in numbers, self.due))
        after.chance = [numbers[piece] for piece in known]
        return self._guarded(before, after, lambda: begin(after))

    def _guarded(self, before: Match, after: Match, going: Callable[[], None]) -> Split | None:
        """Let the other match go on; what the rules cannot do there is where both part."""
        at = len(before.log)
        try:
            going()
        except RuleError as fault:
            return self._split("fault", at, before, (), [str(fault)])
        for piece, other in zip_longest(
            self.due[: len(self.drawn[1].pieces)], self.drawn[1].pieces
        ):
            if piece is None:
                nothing, more = "nothing more is drawn", f"{other} is drawn"
                return self._split("end", at, before, [nothing], [more])
            if piece != other:
                gone = [] if piece in self.other.piece_number else [f"there is no piece {piece}"]
                return self._split("draws", at, before, [piece], [f"{other}", *gone])
        return None

    def _catch_up(self, before: Match, after: Match) -> Split | None:
        """Pass what only the other rules ask for."""
        split = None
        while split is None and after.asked >= 0 and after.optional:
            if _place(after) == _place(before):
                break
            self._note(before, after, (), option_texts(after)[:-1])
            split = self._guarded(before, after, lambda: after.choose_number(after.count - 1))
        return split

    def _split(
        self, what: str, at: int, before: Match, one: Sequence[str], other: Sequence[str]
    ) -> Split:
        return Split(what, at, before.turn, self.said, tuple(one), tuple(other))

    def _compare(self, before: Match, after: Match, at: int) -> Split | None:
        """Whether both stand alike, who must choose apart."""
        drawn = [side.pieces for side in self.drawn]
        if drawn[0] != drawn[1]:
            least = min(map(len, drawn))
            return self._split("draws", at, before, drawn[0][least:], drawn[1][least:])
        awards = self._awards()
        if awards[0] or awards[1]:
            told = [
                [f"{seat_name(before, p)} {match.points[p]}" for p in before.players]
                for match in (before, after)
            ]
            absent = (
                *_absent(awards[0], self.other.game),
                *_absent(awards[1], self.own.game),
            )
            found = self._split("points", at, before, told[0], told[1])
            return replace(found, awards=awards, absent=absent)
        for what, facts in _FACTS.items():
            left, right = Counter(facts(before)), Counter(facts(after))
            if left != right:
                one, other = sorted((left - right).elements()), sorted((right - left).elements())
                return self._split(what, at, before, one, other)
        return None

    def _awards(self) -> tuple[tuple[Award, ...], tuple[Award, ...]]:
        """The awards since the last look that the other side has not given alike."""
        new = []
        for side, ledger in enumerate(self.ledgers):
            new.append(ledger.awards[self.known[side] :])
            self.known[side] = len(ledger.awards)
        counted = [Counter(map(_award, awards)) for awards in new]
        found: list[tuple[Award, ...]] = []
        for side in (0, 1):
            left = counted[side] - counted[1 - side]
            found.append(tuple(a for a in new[side] if left[_award(a)] > 0))
        return found[0], found[1]

    def _choose(self, before: Match, after: Match, moment: Moment) -> Split | None:
        """Make the same choice on the other side, if it is offered there."""
        here, there = option_texts(before), option_texts(after)
        if moment.option not in there:
            found = self._split("choice", moment.at, before, [moment.option], ())
            reasons = tuple(why_not(after, moment.option))
            return replace(found, decision=moment.decision, reasons=reasons)
        less, more = Counter(here) - Counter(there), Counter(there) - Counter(here)
        self._note(before, after, less.elements(), more.elements())
        number = there.index(moment.option)
        return self._guarded(before, after, lambda: after.choose_number(number))

    def _note(self, before: Match, after: Match, less: Iterable[str], more: Iterable[str]) -> None:
        """Keep the first decision at which not the same is offered."""
        only_before, only_after = tuple(sorted(less)), tuple(sorted(more))
        if self.offers is None and (only_before or only_after):
            decision = decision_text(after)
            self.offers = Offers(after.turn, decision, only_before, only_after)


def _place(match: Match) -> tuple[object, ...]:
    """Where in the game a match stands."""
    return (match.is_over, match.turn, match.asked, match.step if match.asked >= 0 else "")


def _stands(match: Match) -> str:
    """Where in the game a match stands, in words."""
    return _end(match) if match.is_over else f"turn {match.turn}, {decision_text(match)}"


def _award(award: Award) -> tuple[object, ...]:
    return (award.player, award.points, award.feature)


def _absent(awards: Sequence[Award], there: Game) -> tuple[str, ...]:
    """Of the rules by which awards were given, those that the other game lacks, and why."""
    known = {rule.rule.head.id for rule in there.rules()}
    used = dict.fromkeys(rule for a in awards for rule in (a.rule, *(i.rule for i in a.items)))
    removed = {a.patch.target: a for a in there.patches if a.patch.verb == "remove"}
    said = []
    for rule in used:
        if rule in known:
            continue
        if rule in removed:
            done = removed[rule]
            said.append(f"`{rule}` is left out by {done.ruleset}: {done.patch.why}")
        else:
            said.append(f"`{rule}` is not in {there.id}")
    return tuple(said)


def _end(match: Match) -> str:
    winners = ", ".join(seat_name(match, player) for player in match.winners())
    return f"the game is over; the winners: {winners or 'none'}"


def _figures(match: Match) -> list[str]:
    """Who stands where; how many are at home is a matter of the supply."""
    return [
        f"{figure_name(match, figure)} at {spot_text(match, figure)}"
        for figure, spot in enumerate(match.spot)
        if spot != HOME
    ]


def _tiles(match: Match) -> list[str]:
    pieces = match.program.game.pieces
    return [
        f"{pieces[piece].id} {placement_text(match, piece, (cell, layout))}"
        for piece, layout, cell in laid_pieces(match.board)
    ]


def _tokens(match: Match) -> list[str]:
    """What players hold; what is left is a matter of the supply."""
    per_kind = len(match.players) + 1
    return [
        f"{seat_name(match, player)} has {match.tokens[k * per_kind + 1 + player]} {token.id}"
        for k, token in enumerate(match.program.game.tokens)
        for player in match.players
        if match.tokens[k * per_kind + 1 + player]
    ]


#: what is looked at between choices, by name
_FACTS = {"places": _figures, "tiles": _tiles, "tokens": _tokens}
