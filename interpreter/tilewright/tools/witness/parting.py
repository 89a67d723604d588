"""The state of two matches in lockstep: everything that a player can see, and the differences.

Texts are in each side's own words and compared in those of the second. Awards, tokens and stacks
are compared by their changes, since two games need not begin with the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.play.board.rebuild import laid_pieces
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.faults import RuleError, rule_at_work
from tilewright.play.match import Match
from tilewright.play.notation import option_texts, seat_name
from tilewright.rules.model.ruleset import Line
from tilewright.tools.explanation.score_log import Award, Ledger
from tilewright.tools.scenarios.capture import place_text, tiles_laid, tokens_held
from tilewright.tools.witness.translation import Translation
from tilewright.view.results.divergence import Kind

#: after these the two positions are not the same any more, and what follows proves nothing
LASTING = frozenset(
    (Kind.REFUSED, Kind.PLACES, Kind.TILES, Kind.TOKENS, Kind.END, Kind.DECISION, Kind.STACKS)
)
#: visible results of a turn, independent of the draws and placements of each side
ON_THE_TABLE = (Kind.POINTS, Kind.PLACES, Kind.TOKENS, Kind.END)

Pair = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LockstepDifference:
    """The differences at one moment. Pairs are (leader, replica); texts in each side's own words.

    `kinds` has all kinds of difference, the gravest first; `common` are options in the replica's
    words, so that each can be looked up on either side.
    """

    kinds: tuple[Kind, ...]
    lines: tuple[Line, ...]  # the play up to here, in the leader's words
    replica_lines: tuple[Line, ...]  # the same in the replica's
    before: int  # the number of earlier partings
    awards: tuple[tuple[Award, ...], tuple[Award, ...]] = ((), ())
    places: tuple[Pair, Pair] = ((), ())  # `red peg at 0,0/r1`
    tiles: tuple[Pair, Pair] = ((), ())
    tokens: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())
    stacks: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())  # by size
    options: tuple[Pair, Pair] = ((), ())  # those that one side alone offers
    own_options: tuple[Pair, Pair] = ((), ())  # the same in the words of the other side
    stands: tuple[str, str] = ("", "")
    refusal: tuple[str, str] = ("", "")
    values: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = ((), ())
    reached: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    is_split: bool = False  # each side has gone its own way to the end of the turn

    @property
    def kind(self) -> Kind:
        """The gravest kind of difference."""
        return self.kinds[0]


Marks = frozenset[str]
NONE: Marks = frozenset()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The marks of a parting on one side (`rule x`, `value x`, `step x`).

    `named`: marks that made the difference; `acted`: rules that moved, gave or paid something on
    this side alone; `near`: rules that amend, perform or call a named mark, or write memory that it
    reads, each with that mark; `touched`: all that took part.
    """

    named: Marks
    acted: Marks
    near: frozenset[tuple[str, str]]
    touched: Marks


#: the evidence of two sides, in the order of the table
Evidences = tuple[Evidence, Evidence]


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a rule has made to a figure, a token or a stack: its event, its number, the
    rule.
    """

    event: str
    number: int
    rule: str


#: the events whose target is recorded, with the position of its number among the facts
_CHANGES = {
    "move": 0, "home": 0, "hand": 0, "beside": 0, "attach": 0, "face": 0,
    "give": 0, "spend": 0, "draw": 0, "put": 1,
}  # fmt: skip
#: those after which a figure is somewhere else
MOVES = frozenset(("move", "home", "hand", "beside", "attach"))


class Side:
    """One of the two matches and what was heard of it."""

    __slots__ = (
        "_options",
        "_options_at",
        "all_reached",
        "changes",
        "drawn",
        "ledger",
        "match",
        "moved_figures",
        "reached",
        "seen",
        "sizes",
        "tokens",
    )

    def __init__(self, match: Match, drawn: Sequence[str] = ()) -> None:
        self.match = match
        self.ledger = Ledger()
        self.drawn = list(drawn)
        self.sizes = _sizes(match)  # of stacks, as both set out
        self.tokens = tokens_held(match)
        self.seen = 0
        self.reached: Marks = NONE  # the rules used since both sides last agreed
        self.changes: list[Change] = []  # and their changes
        self.all_reached: Marks = NONE
        self.moved_figures: set[str] = set()  # the names of figures to which something was done
        self._options: list[str] = []
        self._options_at = -1  # the length of the log
        match.listeners = (self.ledger, self._listen)

    def _listen(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "draw":
            self.drawn.append(match.program.game.stacked[facts[1]].id)
        if event in _CHANGES:
            self.changes.append(Change(event, facts[_CHANGES[event]], rule_at_work(match.program)))
            if event in MOVES or event == "face":
                self.moved_figures.add(match.figure_name(facts[0]))

    def mark_level(self) -> None:
        """Mark both sides as equal: changes count from here on."""
        self.reached, self.changes = NONE, []

    @property
    def options(self) -> list[str]:
        """The options that are open now, as texts."""
        at = len(self.match.log)
        if self._options_at != at:
            self._options, self._options_at = option_texts(self.match), at
        return self._options

    def rebase(self) -> None:
        """Compare stacks with their present content from here on."""
        self.sizes = _sizes(self.match)

    def advance(self, go: Callable[[], None]) -> str:
        """Continue and record the rules that run. A fault is returned as text."""
        reached = self.match.program.reached
        reached.clear()
        try:
            go()
        except RuleError as fault:
            return fault.message
        finally:
            self.reached = self.reached.union(reached)
            self.all_reached = self.all_reached.union(reached)
        return ""

    def fork(self) -> Side:
        """A copy of the match and of its records, without the awards so far."""
        other = Side(self.match.fork(), self.drawn)
        other.reached, other.all_reached, other.seen = self.reached, self.all_reached, 0
        other.changes, other.moved_figures = self.changes[:], self.moved_figures.copy()
        other.sizes, other.tokens = self.sizes, self.tokens
        other._options, other._options_at = self._options, self._options_at
        return other


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two matches in lockstep, and the translations between their words."""

    leader: Side
    replica: Side
    words: Translation
    back: Translation

    @property
    def is_level(self) -> bool:
        """Whether both sides are at the same decision."""
        return _place(self.leader.match) == _place(self.replica.match)

    def differences(self) -> LockstepDifference | None:
        """The current differences. At different decisions the decisions are the only difference:
        the table and the points may depend on the order of events.
        """
        one, two = self.leader.match, self.replica.match
        if self.is_level:
            return self.on_the_table()
        # one of them may have drawn already, the other one not yet
        kind = Kind.DECISION if one.is_over == two.is_over else Kind.END
        return LockstepDifference((kind,), (), (), 0, stands=(stands(one), stands(two)))

    def on_the_table(self) -> LockstepDifference | None:
        """The differences of everything visible, and of the options."""
        one, two, words = self.leader.match, self.replica.match, self.words
        kinds: list[Kind] = []
        parts: dict[str, Any] = {}

        def differ(kind: Kind, **found: Any) -> None:
            kinds.append(kind)
            parts.update(found)

        if not self.draws_agree:
            stacks = self._stacks()
            return (
                None
                if stacks is None
                else LockstepDifference((Kind.STACKS,), (), (), 0, stacks=stacks)
            )
        awards = self._awards()
        if awards[0] or awards[1]:
            differ(Kind.POINTS, awards=awards)
        # a difference that was there at the start, as each side knows it, is not a difference in
        # play
        moved_figures = self.leader.moved_figures | self.replica.moved_figures
        here, there = _figures(one, moved_figures), _figures(two, moved_figures)
        translated = here if words.is_plain else [words.say(text, one, two) for text in here]
        if translated != there:
            differ(Kind.PLACES, places=_alone(here, translated, there))
        if one.board.tile_cell != two.board.tile_cell or not self._same_tiles():
            differ(Kind.TILES, tiles=self._other_tiles())
        tokens = self._tokens()
        if tokens is not None:
            differ(Kind.TOKENS, tokens=tokens)
        if one.is_over and two.is_over and one.winners() != two.winners():
            differ(Kind.END)
        stacks = self._stacks()
        if stacks is not None:
            differ(Kind.STACKS, stacks=stacks)
        # options with different pieces in hand cannot be compared
        options = self._options() if one.to_move >= 0 and two.to_move >= 0 and not stacks else None
        if options is not None:
            differ(Kind.OPTIONS, **options)
        if not kinds:
            return None
        return LockstepDifference(
            tuple(kinds), (), (), 0, stands=(stands(one), stands(two)), **parts
        )

    @property
    def draws_agree(self) -> bool:
        """Whether what both have drawn is the same as far as it goes, but for items that only one
        of the games has.
        """
        one, two = self.leader.match.program.piece_number, self.replica.match.program.piece_number
        known = [
            [piece for piece in recorder.drawn if not self.words.is_strange(piece, side)]
            for side, recorder in enumerate((self.leader, self.replica))
        ]
        drawn = zip(*known, strict=False)
        return all(self.words.are_partners(one[here], two[there]) for here, there in drawn)

    def _awards(self) -> tuple[tuple[Award, ...], tuple[Award, ...]]:
        """The awards since the last check that the other side has not given equally."""
        new = []
        for recorder in (self.leader, self.replica):
            new.append(recorder.ledger.awards[recorder.seen :])
            recorder.seen = len(recorder.ledger.awards)
        if not new[0] and not new[1]:
            return (), ()
        one, two = self.leader.match, self.replica.match
        texts_of = [
            [(a.player, a.points, self.words.say(a.feature, one, two)) for a in new[0]],
            [(a.player, a.points, a.feature) for a in new[1]],
        ]
        # the same points for the same thing, whatever the first segment of the feature is called
        counted = [Counter(texts) for texts in texts_of]
        found: list[tuple[Award, ...]] = []
        for side in (0, 1):
            left = counted[side] - counted[1 - side]
            found.append(
                tuple(
                    a for a, texts in zip(new[side], texts_of[side], strict=True) if left[texts] > 0
                )
            )
        totals = [Counter[int]() for _ in new]
        for total, awards in zip(totals, found, strict=True):
            for award in awards:
                total[award.player] += award.points
        return (found[0], found[1]) if totals[0] != totals[1] else ((), ())

    def _options(self) -> dict[str, Any] | None:
        one, two = self.leader.match, self.replica.match
        here, there = self.leader.options, self.replica.options
        if self.words.is_plain and here == there:
            return None
        translated = [self.words.option(text, one, two) for text in here]
        if len(translated) == len(there) and set(translated) == set(there):
            return None
        back = [self.back.option(text, two, one) for text in there]
        less = [(h, s) for h, s in zip(here, translated, strict=True) if s not in there]
        more = [(t, b) for t, b in zip(there, back, strict=True) if t not in translated]
        if not less and not more:
            return None
        return {
            "options": (tuple(h for h, _ in less), tuple(t for t, _ in more)),
            "own_options": (tuple(s for _, s in less), tuple(b for _, b in more)),
        }

    def _stacks(self) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] | None:
        """The stacks whose inflow or outflow differs."""
        sizes = [_sizes(side.match) for side in (self.leader, self.replica)]
        changes = [
            {name: size - side.sizes[name] for name, size in now.items()}
            for side, now in zip((self.leader, self.replica), sizes, strict=True)
        ]
        names = dict.fromkeys([*changes[0], *changes[1]])
        other = [name for name in names if changes[0].get(name, 0) != changes[1].get(name, 0)]
        # only stacks with equal sizes at the start are compared by size
        initial = [
            [side.sizes.get(name, 0) for name in other] for side in (self.leader, self.replica)
        ]
        alike = [name for name, here, there in zip(other, *initial, strict=True) if here == there]
        one, two = (tuple((n, now[n]) for n in alike or other if n in now) for now in sizes)
        return (one, two) if other else None

    def _tokens(self) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] | None:
        """The tokens that a player gained in different numbers on the two sides."""
        held = [tokens_held(side.match) for side in (self.leader, self.replica)]
        translated = {self.words.token(name): n for name, n in held[0].items()}
        before = {self.words.token(name): n for name, n in self.leader.tokens.items()}
        there = Counter(held[1])
        there.subtract(self.replica.tokens)
        here = Counter(translated)
        here.subtract(before)
        other = {name for name in {*here, *there} if here[name] != there[name]}
        if not other:
            return None
        one = tuple((n, count) for n, count in held[0].items() if self.words.token(n) in other)
        two = tuple((n, count) for n, count in held[1].items() if n in other)
        return one, two

    def _other_tiles(self) -> tuple[Pair, Pair]:
        """The pieces for which the other side has none that may stand for it in that place."""
        one, two = self.leader.match, self.replica.match
        there = {cell: piece for piece, _, cell in laid_pieces(two.board)}
        here = {cell: piece for piece, _, cell in laid_pieces(one.board)}
        alike = {
            cell
            for cell in here.keys() & there.keys()
            if self.words.are_partners(here[cell], there[cell])
        }
        return tuple(tiles_laid(one, alike)), tuple(tiles_laid(two, alike))

    def _same_tiles(self) -> bool:
        """Whether on each cell lies what may stand for one another."""
        one, two = self.leader.match.board, self.replica.match.board
        if self.words.is_plain:
            return one.tile_piece == two.tile_piece
        return all(map(self.words.are_partners, one.tile_piece, two.tile_piece))


def _place(match: Match) -> tuple[object, ...]:
    """The position of a match in the course of the game."""
    if match.is_over:
        return ()
    return (match.turn, match.to_move, match.step if match.to_move >= 0 else "")


def _sizes(match: Match) -> dict[str, int]:
    stacks = match.program.game.stacks
    return {stack.id: len(held) for stack, held in zip(stacks, match.stacks, strict=True)}


def stands(match: Match) -> str:
    """The position of a match in the course of the game, in words."""
    if match.to_move < 0:
        return "over" if match.is_over else ""
    return f"turn {match.turn}, {seat_name(match, match.to_move)} at {match.step}"


def _figures(match: Match, names: set[str]) -> list[str]:
    """The places of the figures with these names."""
    return sorted(
        f"{name} at {place_text(match, figure)}"
        for figure, spot in enumerate(match.spot)
        if spot != IN_SUPPLY and (name := match.figure_name(figure)) in names
    )


def _alone(
    here: Sequence[str], translated: Sequence[str], there: Sequence[str]
) -> tuple[Pair, Pair]:
    """The elements of one side alone; `translated` is `here` in the words of `there`."""
    more = Counter(translated) - Counter(there)
    less = Counter(there) - Counter(translated)
    return (
        tuple(own for own, text in zip(here, translated, strict=True) if text in more),
        tuple(less.elements()),
    )
