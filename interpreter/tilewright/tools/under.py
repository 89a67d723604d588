"""A saved match played once more under other rules, in step, until the two go apart.

Both matches get the same draws, as pieces, and the same choices, as the texts of options. What is
looked at before every choice: what was drawn, who got points and why, where everything is, who must
choose, and whether the choice that was made is still offered. The first difference ends the search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.linking.game import Game
from tilewright.runtime.kernel import HOME, RuleFault
from tilewright.runtime.match import Listener, Match
from tilewright.runtime.notation import (
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
from tilewright.tools.replay import LogFault, decision_text, moments
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
    """Play a save under its own rules and under others, in step. Raises LogFault for a save that
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

    def taken(self) -> list[str]:
        """The names since this was asked last."""
        found, self.pieces = self.pieces, []
        return found


class _Pair:
    def __init__(self, save: Save, own: Program, other: Program) -> None:
        self.save, self.own, self.other = save, own, other
        self.drawn = (_Drawn(), _Drawn())
        self.ledgers = (Ledger(), Ledger())
        self.known = [0, 0]  # how many awards of each side have been looked at
        self.offers: Offers | None = None
        self.choices = 0

    def play(self) -> Twice:
        save = self.save
        listeners: tuple[Listener, ...] = (self.drawn[0], self.ledgers[0])
        going = moments(
            self.own, save.players, save.seed, save.first, save.log, listeners=listeners
        )
        refused = self.other.game.refusal(save.players)
        after = Match(self.other, save.players, save.seed)
        after.first = after.active = save.first
        after.listeners = (self.drawn[1], self.ledgers[1])
        chosen: int | None = None
        before, said, at = None, "the setup", 0
        for moment in going:
            before, at = moment.match, moment.at
            if refused:
                return self._apart(before, after, Split("fault", 0, 0, said, (), (refused,)))
            split = self._go_on(after, chosen, before, said, at)
            if split is not None:
                return self._apart(before, after, split)
            said = f"{moment.decision}: {moment.option}"
            split, chosen = self._choice(before, after, moment.option, at)
            if split is not None:
                return self._apart(before, after, split)
            self.choices += 1
        if before is None:
            raise LogFault("nothing has been chosen in this match yet")
        split = self._go_on(after, chosen, before, said, len(save.log))
        return self._apart(before, after, split)

    def _apart(self, before: Match, after: Match, split: Split | None) -> Twice:
        return Twice(before, after, self.choices, split, self.offers)

    def _go_on(
        self, after: Match, chosen: int | None, before: Match, said: str, at: int
    ) -> Split | None:
        """Let the other side catch up with the first, and look whether it stands as that does."""
        pieces = self.drawn[0].taken()
        numbers = self.other.piece_number

        def split(what: str, one: Sequence[str], other: Sequence[str]) -> Split:
            return Split(what, at, before.turn, said, tuple(one), tuple(other))

        unknown = [piece for piece in pieces if piece not in numbers]
        if unknown:
            return split("draws", unknown, [f"there is no piece {name}" for name in unknown])
        after.chance = [numbers[piece] for piece in pieces]
        try:
            if chosen is None:
                begin(after)
            else:
                after.choose_number(chosen)
        except RuleFault as fault:
            return split("fault", (), (str(fault),))
        drawn = self.drawn[1].taken()
        after.chance = None
        if drawn != pieces:
            return split("draws", pieces, drawn)
        awards = self._awards()
        if awards[0] or awards[1]:
            one, other = ([str(m.points[p]) for p in m.players] for m in (before, after))
            names = [seat_name(before, p) for p in before.players]
            told = [
                [f"{name} {points}" for name, points in zip(names, side, strict=True)]
                for side in (one, other)
            ]
            found = split("points", told[0], told[1])
            absent = (
                *_absent(awards[0], self.other.game),
                *_absent(awards[1], self.own.game),
            )
            return replace(found, awards=awards, absent=absent)
        for what, facts in _FACTS.items():
            left, right = Counter(facts(before)), Counter(facts(after))
            if left != right:
                return split(what, sorted((left - right).elements()),
                             sorted((right - left).elements()))  # fmt: skip
        if before.is_over != after.is_over:
            return split("end", [_end(before)], [_end(after)])
        if decision_text(before) != decision_text(after):
            return split("decision", [decision_text(before)], [decision_text(after)])
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

    def _choice(
        self, before: Match, after: Match, option: str, at: int
    ) -> tuple[Split | None, int | None]:
        """The number under which the other side offers a choice, or where the two go apart."""
        here, there = option_texts(before), option_texts(after)
        said = decision_text(before)
        if option not in there:
            reasons = tuple(why_not(after, option))
            split = Split("choice", at, before.turn, said, (option,), (), reasons=reasons)
            return split, None
        if self.offers is None and Counter(here) != Counter(there):
            less, more = Counter(here) - Counter(there), Counter(there) - Counter(here)
            self.offers = Offers(
                before.turn, said, tuple(sorted(less.elements())), tuple(sorted(more.elements()))
            )
        return None, there.index(option)


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
    if not match.is_over:
        return "the game goes on"
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
