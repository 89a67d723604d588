"""Two matches in step, one under each of two games: the same position, draws and choices.

One side leads: its words are those of the story, and its chance is what happens. The other one
follows in its own words. Wherever both stand at a decision, all that a player can see is laid side
by side: points and reasons, figures, tiles, tokens, whose decision it is, what is offered. What
differs there is a parting. Nothing here knows why; `witness_evidence` asks the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.linking.game import Game
from tilewright.model.ruleset import Line, Scenario
from tilewright.model.witness import Sort
from tilewright.runtime.kernel import HOME, RuleFault
from tilewright.runtime.match import Match
from tilewright.runtime.notation import (
    PASS,
    figure_name,
    option_texts,
    placement_text,
    seat_name,
    seat_number,
)
from tilewright.runtime.program import Program
from tilewright.runtime.rebuilt import laid_pieces
from tilewright.runtime.start import begin
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import NOWHERE
from tilewright.tools.compare_tiles import marks_of
from tilewright.tools.evaluate import evaluate, evaluated_text
from tilewright.tools.layout import lay_out
from tilewright.tools.ledger import Award, Ledger
from tilewright.tools.positions import place_text
from tilewright.tools.witness_words import Words

#: after these the two positions are not the same any more, and what follows proves nothing
LASTING = frozenset(
    (Sort.REFUSED, Sort.PLACES, Sort.TILES, Sort.TOKENS, Sort.END, Sort.DECISION, Sort.STACKS)
)
#: what comes of a turn, whatever each side has drawn and laid in it
ON_THE_TABLE = (Sort.POINTS, Sort.PLACES, Sort.TOKENS, Sort.END)
#: choices that a side may make on its own until a turn must be over
_LONGEST_TURN = 40

Pair = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parting:
    """What differs at a station. All pairs are (leader, echo); texts in each side's own words.

    `sorts` has everything that differs, the gravest first; `common` are options in the echo's
    words, so that each can be asked for on either side.
    """

    sorts: tuple[Sort, ...]
    lines: tuple[Line, ...]  # what was played up to here, in the leader's words
    theirs: tuple[Line, ...]  # the same in the echo's
    before: int  # how many partings there were before this one
    awards: tuple[tuple[Award, ...], tuple[Award, ...]] = ((), ())
    places: tuple[Pair, Pair] = ((), ())  # `red peg at 0,0/r1`
    tiles: tuple[Pair, Pair] = ((), ())
    tokens: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())
    stacks: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())  # by size
    options: tuple[Pair, Pair] = ((), ())  # those that one side alone offers
    asked: tuple[Pair, Pair] = ((), ())  # the same in the words of the other side
    stands: tuple[str, str] = ("", "")
    refusal: tuple[str, str] = ("", "")
    values: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = ((), ())
    reached: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    is_apart: bool = False  # each side has gone its own way to the end of the turn

    @property
    def sort(self) -> Sort:
        return self.sorts[0]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The marks (`rule x`, `value x`, `step x`) that a parting names, those that took part, and the
    rules that answer, carry out or call what is named, or have kept in mind what it asks for."""

    named: frozenset[str]
    touched: frozenset[str]
    near: frozenset[str] = frozenset()


class _Side:
    """One of the two matches and what was heard of it."""

    __slots__ = (
        "_options",
        "_options_at",
        "drawn",
        "ever",
        "ledger",
        "match",
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
        self.tokens = _tokens(match)
        self.seen = 0
        self.reached: frozenset[str] = frozenset()  # since both stood alike
        self.ever: frozenset[str] = frozenset()
        self._options: list[str] = []
        self._options_at = -1  # how long the log was
        match.listeners = (self.ledger, self._hear)

    def _hear(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "draw":
            self.drawn.append(match.program.game.pieces[facts[1]].id)

    @property
    def options(self) -> list[str]:
        """The options that are open now, as texts."""
        at = len(self.match.log)
        if self._options_at != at:
            self._options, self._options_at = option_texts(self.match), at
        return self._options

    def going(self, go: Callable[[], None]) -> str:
        """Go on; the rules that are reached are noted. What cannot be done is told."""
        reached = self.match.program.reached
        reached.clear()
        try:
            go()
        except RuleFault as fault:
            return str(fault)
        finally:
            self.reached = self.reached.union(reached)
            self.ever = self.ever.union(reached)
        return ""

    def fork(self) -> _Side:
        other = _Side(self.match.fork(), self.drawn)
        other.reached, other.ever, other.seen = self.reached, self.ever, 0
        other.sizes, other.tokens = self.sizes, self.tokens
        other._options, other._options_at = self._options, self._options_at
        return other


#: asked at each parting, while both matches stand at it
Judge = Callable[["Duet", Parting], Evidence | None]


class Duet:
    """Two matches in step. `partings` grows, with what the judge says of each; `is_done` once
    nothing that follows would count."""

    def __init__(
        self, words: Words, back: Words, lead: _Side, echo: _Side, judge: Judge | None
    ) -> None:
        self.words, self.back = words, back
        self.lead, self.echo = lead, echo
        self.judge = judge
        self.lines: list[Line] = []
        self.theirs: list[Line] = []
        self.partings: list[tuple[Parting, Evidence | None]] = []
        self.told = [0, 0]  # draws of the leader and the echo that the lines tell
        self.known = 0  # how many draws of the leader the echo has been told of
        self.is_done = False

    def fork(self) -> Duet:
        """The same two, to try something out. What has parted them so far is known, no more."""
        sides = self.lead.fork(), self.echo.fork()
        other = Duet(self.words, self.back, *sides, self.judge)
        other.lines = self.lines[:]
        other.theirs = self.theirs[:]
        other.partings = self.partings[:]
        other.told, other.known = self.told[:], self.known
        other.is_done = self.is_done
        return other

    # -------------------------------------------------------------- beginning

    def start(self, has_board: bool) -> None:
        """Both set out."""
        go = Match.run if has_board else begin
        self._both(lambda: go(self.lead.match), lambda: go(self.echo.match))

    @property
    def options(self) -> list[str]:
        """What both may choose now, in the leader's words, in the leader's order."""
        lead, echo = self.lead.match, self.echo.match
        if self.is_done or lead.asked < 0 or not self._is_level():
            return []
        there = set(self.echo.options)
        return [t for t in self.lead.options if self.words.option(t, lead, echo) in there]

    def choose(self, text: str) -> bool:
        """Make a choice of the leader's on both sides; False when it cannot be made on both."""
        lead, echo = self.lead.match, self.echo.match
        here = self.lead.options
        if self.is_done or text not in here:
            return False
        if not self._is_level():
            # only the leader is asked, and only a pass leaves the two where they were
            if text != PASS:
                self.is_done = True
                return False
            self.lines.append(Line("choose", text, None, NOWHERE))
            self._both(lambda: lead.choose_number(len(here) - 1), None)
            return True
        there, wanted = self.echo.options, self.words.option(text, lead, echo)
        if wanted not in there:
            self.is_done = True
            return False
        self.lines.append(Line("choose", text, None, NOWHERE))
        self.theirs.append(Line("choose", wanted, None, NOWHERE))
        self._both(
            lambda: lead.choose_number(here.index(text)),
            lambda: echo.choose_number(there.index(wanted)),
        )
        return True

    # -------------------------------------------------------------- going apart

    def go_apart(self, choices: Sequence[str]) -> None:
        """Let each side go its own way to the end of the turn, and see what has come of it.

        The leader makes these choices and then as few as it can; the echo makes the same where it
        can. What both draw after that is a tile without marks, so that nothing comes of it.
        """
        self.is_done = True
        turn = self.lead.match.turn
        known = _choices(self.lines)
        self._add_plain_draw()
        self.lead.reached = self.echo.reached = frozenset()
        if not self._alone(self.lead, self.lines, choices, turn, is_strict=True):
            return
        made = _choices(self.lines)[len(known) :]
        if not self.tell(self.lead.drawn):
            return
        said = [self.words.say(text, self.lead.match, self.echo.match) for text in made]
        if self._alone(self.echo, self.theirs, said, turn):
            found = self._on_the_table()
            level = {Sort.POINTS} if self.lead.match.points == self.echo.match.points else set()
            sorts = () if found is None else found.sorts
            seen = tuple(sort for sort in sorts if sort in ON_THE_TABLE and sort not in level)
            if found is not None and seen:
                # what comes next is another turn
                nothing: tuple[Pair, Pair] = ((), ())
                found = replace(found, options=nothing, asked=nothing)
                self._part(replace(found, sorts=seen, is_apart=True))

    def _alone(
        self,
        side: _Side,
        lines: list[Line],
        choices: Sequence[str],
        turn: int,
        *,
        is_strict: bool = False,
    ) -> bool:
        """One side plays to the end of a turn. `is_strict`: it must make these choices, all of
        them; else it makes those that it is offered."""
        match, left = side.match, list(choices)
        for _ in range(_LONGEST_TURN):
            self._note(0 if side is self.lead else 1)
            if match.asked < 0 or (match.turn > turn and not (is_strict and left)):
                return not (is_strict and left)
            options = side.options
            if is_strict and left:
                if left[0] not in options:
                    return False
                text = left.pop(0)
            else:
                text = _likely(options, left)
                if text in left:
                    left.remove(text)
            lines.append(Line("choose", text, None, NOWHERE))
            number = options.index(text)
            if side.going(lambda number=number: match.choose_number(number)):  # type: ignore[misc]
                return False
        return False

    def _add_plain_draw(self) -> None:
        """What is drawn once all that is told has been drawn."""
        match = self.lead.match
        queue, game = list(match.chance or ()), match.program.game
        held = Counter(piece for stack in match.stacks for piece in stack)
        held.subtract(queue)
        theirs = {piece.id: piece for piece in self.echo.match.program.game.pieces}
        plain = [
            n
            for n, piece in enumerate(game.pieces)
            if held[n] > 0
            and not marks_of(piece)
            and any(not marks_of(theirs[p.id]) for p in self.words.partners(piece.id)[:1])
        ]
        match.chance = [*queue, *plain[:1]]

    # -------------------------------------------------------------- going on

    def _both(self, leading: Callable[[], None], following: Callable[[], None] | None) -> None:
        lead, echo = self.lead, self.echo
        lead.reached = echo.reached = frozenset()
        fault = lead.going(leading)
        self._note(0)
        other = ""
        if not self.tell(lead.drawn):
            self.is_done = True
            return
        waiting, drawn = len(echo.match.chance or ()), len(echo.drawn)
        if following is not None:
            other = echo.going(following)
            self._note(1)
        if fault or other:
            # it is no fault of the rules that what the leader draws is not to be had there
            asked_for = waiting - len(echo.match.chance or ())
            is_missing = asked_for > len(echo.drawn) - drawn
            if bool(fault) != bool(other) and not is_missing:
                self._part(Parting((Sort.REFUSED,), (), (), 0, refusal=(fault, other)))
            self.is_done = True
            return
        self._compare()
        self._catch_up()

    def _note(self, side: int) -> None:
        """Write down what a side has drawn since."""
        heard, lines = ((self.lead, self.lines), (self.echo, self.theirs))[side]
        fresh = heard.drawn[self.told[side] :]
        self.told[side] = len(heard.drawn)
        lines += [Line("draw", piece, None, NOWHERE) for piece in fresh]

    def tell(self, drawn: Sequence[str]) -> bool:
        """Tell the echo what the leader draws in all, beyond what it knows; False when it has no
        such tile."""
        match = self.echo.match
        queue = list(match.chance or ())
        held = Counter(piece for stack in match.stacks for piece in stack)
        held.subtract(queue)
        for piece in drawn[self.known :]:
            found = self.words.drawn(piece, lambda number: held[number] > 0)
            if found is None:
                return False
            number = match.program.piece_number[found]
            held[number] -= 1
            queue.append(number)
            self.known += 1
            match.chance = queue
        return True

    def _catch_up(self) -> None:
        """What only the echo asks for and may be passed is passed."""
        match = self.echo.match
        while not self.is_done and match.asked >= 0 and match.optional and not self._is_level():
            if self.lead.match.asked >= 0 and self._is_behind():
                return
            self.theirs.append(Line("choose", PASS, None, NOWHERE))
            fault = self.echo.going(lambda: match.choose_number(match.count - 1))
            self._note(1)
            if fault:
                self.is_done = True
            elif self._is_level():
                self._compare()

    def _is_behind(self) -> bool:
        """Whether it is the leader who has something more to decide, which may be passed."""
        lead, echo = self.lead.match, self.echo.match
        order = [step.id for step in lead.program.game.phase("turn")]
        if not lead.optional or lead.turn > echo.turn or lead.step not in order:
            return False
        if lead.turn < echo.turn or echo.step not in order:
            return True
        return order.index(lead.step) < order.index(echo.step)

    def _is_level(self) -> bool:
        return _place(self.lead.match) == _place(self.echo.match)

    # -------------------------------------------------------------- comparing

    def _part(self, parting: Parting) -> None:
        known = len(self.partings)
        reached = (self.lead.reached, self.echo.reached)
        found = replace(
            parting,
            lines=tuple(self.lines),
            theirs=tuple(self.theirs),
            before=known,
            reached=reached,
        )
        self.partings.append((found, None if self.judge is None else self.judge(self, found)))
        if LASTING & set(parting.sorts):
            # whether the echo may catch up is seen at the next choice
            hard = LASTING - {Sort.DECISION}
            self.is_done = self.is_done or bool(hard & set(parting.sorts))

    def _compare(self) -> None:
        found = self.differences()
        if found is not None:
            self._part(found)

    def differences(self) -> Parting | None:
        """What differs now. Where the two do not stand at the same decision that is all: what lies
        on the table and who has been paid may be a matter of what comes first.
        """
        one, two = self.lead.match, self.echo.match
        if self._is_level():
            return self._on_the_table()
        # one of them may have drawn already, the other one not yet
        sort = Sort.DECISION if one.is_over == two.is_over else Sort.END
        return Parting((sort,), (), (), 0, stands=(_stands(one), _stands(two)))

    def _on_the_table(self) -> Parting | None:
        """What differs of all that can be seen, and in what is offered."""
        one, two, words = self.lead.match, self.echo.match, self.words
        sorts: list[Sort] = []
        parts: dict[str, Any] = {}

        def differ(sort: Sort, **found: Any) -> None:
            sorts.append(sort)
            parts.update(found)

        if not self._drew_alike():
            self.is_done = True
            stacks = self._stacks()
            return None if stacks is None else Parting((Sort.STACKS,), (), (), 0, stacks=stacks)
        awards = self._awards()
        if awards[0] or awards[1]:
            differ(Sort.POINTS, awards=awards)
        here, there = _figures(one), _figures(two)
        said = here if words.is_plain else [words.say(text, one, two) for text in here]
        if said != there:
            differ(Sort.PLACES, places=_alone(here, said, there))
        if one.board.tile_cell != two.board.tile_cell or not self._same_tiles():
            differ(Sort.TILES, tiles=self._other_tiles())
        tokens = self._tokens()
        if tokens is not None:
            differ(Sort.TOKENS, tokens=tokens)
        if one.is_over and two.is_over and one.winners() != two.winners():
            differ(Sort.END)
        stacks = self._stacks()
        if stacks is not None:
            differ(Sort.STACKS, stacks=stacks)
        # with other pieces in hand other options say nothing
        options = self._options() if one.asked >= 0 and two.asked >= 0 and not stacks else None
        if options is not None:
            differ(Sort.OPTIONS, **options)
        if not sorts:
            return None
        return Parting(tuple(sorts), (), (), 0, stands=(_stands(one), _stands(two)), **parts)

    def _drew_alike(self) -> bool:
        """Whether what both have drawn is the same as far as it goes."""
        one, two = self.lead.match.program.piece_number, self.echo.match.program.piece_number
        drawn = zip(self.lead.drawn, self.echo.drawn, strict=False)
        return all(self.words.are_partners(one[here], two[there]) for here, there in drawn)

    def _awards(self) -> tuple[tuple[Award, ...], tuple[Award, ...]]:
        """The awards since the last look that the other side has not given alike."""
        new = []
        for heard in (self.lead, self.echo):
            new.append(heard.ledger.awards[heard.seen :])
            heard.seen = len(heard.ledger.awards)
        if not new[0] and not new[1]:
            return (), ()
        one, two = self.lead.match, self.echo.match
        said = [
            [(a.player, a.points, self.words.say(a.feature, one, two)) for a in new[0]],
            [(a.player, a.points, a.feature) for a in new[1]],
        ]
        # the same points for the same thing, whatever the first segment of the feature is called
        counted = [Counter(told) for told in said]
        found: list[tuple[Award, ...]] = []
        for side in (0, 1):
            left = counted[side] - counted[1 - side]
            found.append(
                tuple(a for a, told in zip(new[side], said[side], strict=True) if left[told] > 0)
            )
        totals = [Counter[int]() for _ in new]
        for total, awards in zip(totals, found, strict=True):
            for award in awards:
                total[award.player] += award.points
        return (found[0], found[1]) if totals[0] != totals[1] else ((), ())

    def _options(self) -> dict[str, Any] | None:
        one, two = self.lead.match, self.echo.match
        here, there = self.lead.options, self.echo.options
        if self.words.is_plain and here == there:
            return None
        said = [self.words.option(text, one, two) for text in here]
        if len(said) == len(there) and set(said) == set(there):
            return None
        back = [self.back.option(text, two, one) for text in there]
        less = [(h, s) for h, s in zip(here, said, strict=True) if s not in there]
        more = [(t, b) for t, b in zip(there, back, strict=True) if t not in said]
        if not less and not more:
            return None
        return {
            "options": (tuple(h for h, _ in less), tuple(t for t, _ in more)),
            "asked": (tuple(s for _, s in less), tuple(b for _, b in more)),
        }

    def _stacks(self) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] | None:
        """The stacks out of which not as much went, or into which not as much came."""
        sizes = [_sizes(side.match) for side in (self.lead, self.echo)]
        changes = [
            {name: size - side.sizes[name] for name, size in now.items()}
            for side, now in zip((self.lead, self.echo), sizes, strict=True)
        ]
        names = dict.fromkeys([*changes[0], *changes[1]])
        other = [name for name in names if changes[0].get(name, 0) != changes[1].get(name, 0)]
        if not other:
            return None
        one, two = (tuple((n, now[n]) for n in other if n in now) for now in sizes)
        return one, two

    def _tokens(self) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] | None:
        """The tokens of which somebody has not gained as many as on the other side."""
        held = [_tokens(side.match) for side in (self.lead, self.echo)]
        said = {self.words.token(name): n for name, n in held[0].items()}
        before = {self.words.token(name): n for name, n in self.lead.tokens.items()}
        there = Counter(held[1])
        there.subtract(self.echo.tokens)
        here = Counter(said)
        here.subtract(before)
        other = {name for name in {*here, *there} if here[name] != there[name]}
        if not other:
            return None
        one = tuple((n, count) for n, count in held[0].items() if self.words.token(n) in other)
        two = tuple((n, count) for n, count in held[1].items() if n in other)
        return one, two

    def _other_tiles(self) -> tuple[Pair, Pair]:
        """The pieces for which the other side has none that may stand for it in that place."""
        one, two = self.lead.match, self.echo.match
        there = {cell: piece for piece, _, cell in laid_pieces(two.board)}
        here = {cell: piece for piece, _, cell in laid_pieces(one.board)}
        alike = {
            cell
            for cell in here.keys() & there.keys()
            if self.words.are_partners(here[cell], there[cell])
        }
        return tuple(_tiles(one, alike)), tuple(_tiles(two, alike))

    def _same_tiles(self) -> bool:
        """Whether on each cell lies what may stand for one another."""
        one, two = self.lead.match.board, self.echo.match.board
        if self.words.is_plain:
            return one.tile_piece == two.tile_piece
        return all(map(self.words.are_partners, one.tile_piece, two.tile_piece))


def _place(match: Match) -> tuple[object, ...]:
    """Where in the game a match stands."""
    return (match.is_over, match.turn, match.asked, match.step if match.asked >= 0 else "")


def _sizes(match: Match) -> dict[str, int]:
    stacks = match.program.game.stacks
    return {stack.id: len(held) for stack, held in zip(stacks, match.stacks, strict=True)}


def _likely(options: Sequence[str], wanted: Sequence[str]) -> str:
    """An option that was wanted, or one in the same place; else a pass, else the first."""
    for text in wanted:
        if text in options:
            return text
    for text in wanted:
        near = text.rpartition(" ")[0]
        for option in options:
            if near.startswith("lay ") and option.startswith(f"{near} "):
                return option
    return PASS if options[-1] == PASS else options[0]


def _stands(match: Match) -> str:
    if match.asked < 0:
        return "over" if match.is_over else ""
    return f"turn {match.turn}, {seat_name(match, match.asked)} at {match.step}"


def _figures(match: Match) -> list[str]:
    return sorted(
        f"{figure_name(match, figure)} at {place_text(match, figure)}"
        for figure, spot in enumerate(match.spot)
        if spot != HOME
    )


def _alone(here: Sequence[str], said: Sequence[str], there: Sequence[str]) -> tuple[Pair, Pair]:
    """What one side alone has; `said` is `here` in the words of `there`."""
    more = Counter(said) - Counter(there)
    less = Counter(there) - Counter(said)
    return (
        tuple(own for own, text in zip(here, said, strict=True) if text in more),
        tuple(less.elements()),
    )


def _tiles(match: Match, known: set[int]) -> list[str]:
    """The pieces on the board, but for those on cells that are known."""
    pieces = match.program.game.pieces
    return [
        f"{pieces[piece].id} {placement_text(match, piece, (cell, layout))}"
        for piece, layout, cell in laid_pieces(match.board)
        if cell not in known
    ]


def _tokens(match: Match) -> dict[str, int]:
    """What players hold."""
    per_kind = len(match.players) + 1
    return {
        f"{seat_name(match, player)} {token.id}": match.tokens[k * per_kind + 1 + player]
        for k, token in enumerate(match.program.game.tokens)
        for player in match.players
        if match.tokens[k * per_kind + 1 + player]
    }


# ------------------------------------------------------------------ a story


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two programs and the ways between their words. `lead` is 0 or 1."""

    programs: tuple[Program, Program]
    words: tuple[Words, Words]  # from 0 to 1, and back

    @classmethod
    def of(
        cls,
        one: Program,
        two: Program,
        tiles: Sequence[tuple[str, str]] = (),
        tokens: Sequence[tuple[str, str]] = (),
    ) -> Pairing:
        """`tiles` and `tokens` are those that stand for one another."""
        known: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
        for here, there in tiles:
            known[0].setdefault(here, []).append(there)
            known[1].setdefault(there, []).append(here)
        forth = Words(one, two, known[0], dict(tokens))
        back = Words(two, one, known[1], {new: old for old, new in tokens})
        return cls((one, two), (forth, back))

    def game(self, side: int) -> Game:
        return self.programs[side].game


def duet(
    pairing: Pairing,
    lead: int,
    scenario: Scenario,
    judge: Judge | None = None,
    seed: int | str = "",
) -> Duet | None:
    """Both matches as a scenario lays them out, in words of the leader, before they set out.

    None where one of the two has no such position.
    """
    words, back = pairing.words[lead], pairing.words[1 - lead]
    same = words.is_plain and not (scenario.memory or scenario.tokens or scenario.stacks)
    other = words.scenario(scenario) if not same else replace(scenario, lines=())
    if other is None:
        return None
    one = laid(pairing.programs[lead], scenario, seed)
    two = laid(pairing.programs[1 - lead], other, seed) if one is not None else None
    if one is None or two is None:
        return None
    numbers = one.program.piece_number
    told = [line.text for line in scenario.lines if line.verb == "draw"]
    if any(piece not in numbers for piece in told):
        return None
    one.chance = [numbers[piece] for piece in told]
    two.chance = []
    both = Duet(words, back, _Side(one), _Side(two), judge)
    both.tell(told)
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
    reporter = Reporter()
    if not lay_out(match, scenario, reporter):
        return None
    for name, text in scenario.memory:
        slot = program.memory_number.get(name)
        found = None
        if slot is not None:
            found = evaluate(match, text, Reporter(), game.memory[slot].type)
        if slot is None or found is None:
            return None
        match.memory[slot] = found[1]
    return match


def play(
    pairing: Pairing,
    lead: int,
    scenario: Scenario,
    judge: Judge | None = None,
    watch: list[tuple[Match, int]] | None = None,
    *,
    may_part: bool = False,
) -> Duet | None:
    """A story played in step as far as it goes; None where it cannot begin. To `watch` is added
    the leader's match as each turn begins, with the number of lines before it. Where the two
    cannot go on in step they go on each on its own, if they may part.
    """
    both = duet(pairing, lead, scenario, judge)
    if both is None:
        return None
    if watch is not None:
        _watch(both, watch)
    both.start(bool(scenario.board))
    for line in scenario.lines:
        if both.is_done:
            break
        if line.verb == "choose":
            if not both.choose(_bare(both.lead.match, line.text)):
                break
        elif line.expect is not None and line.expect.values:
            _ask(both, line.expect.values)
    if may_part and both.partings and _may_part(both.partings[-1][0]):
        texts = _choices(scenario.lines)[len(_choices(both.lines)) :]
        both.go_apart([_bare(both.lead.match, text) for text in texts])
    return both


def _may_part(parting: Parting) -> bool:
    """Whether the two are not in step any more, though both can go on."""
    return bool(LASTING & set(parting.sorts)) and Sort.REFUSED not in parting.sorts


def _choices(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines if line.verb == "choose"]


def _watch(both: Duet, starts: list[tuple[Match, int]]) -> None:
    def hear(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "turn":
            fresh = len(both.lead.drawn) - both.told[0]  # drawn, and not yet a line
            starts.append((match.fork(), len(both.lines) + fresh))

    both.lead.match.listeners += (hear,)


def _bare(match: Match, text: str) -> str:
    """A choice without the name of who makes it."""
    before, colon, after = text.partition(": ")
    said = after if colon and seat_number(match, before) is not None else text
    return " ".join(said.split())


def _ask(both: Duet, values: Sequence[tuple[str, str]]) -> None:
    """Whether both sides answer alike what a scenario asks."""
    one, two = both.lead.match, both.echo.match
    found: list[list[tuple[str, str]]] = [[], []]
    for text, _ in values:
        here = evaluated_text(one, text, Reporter())
        there = evaluated_text(two, both.words.say(text, one, two), Reporter())
        if here is not None and there is not None and both.words.say(here, one, two) != there:
            found[0].append((text, here))
            found[1].append((text, there))
    if found[0]:
        told = (tuple(found[0]), tuple(found[1]))
        both._part(Parting((Sort.VALUES,), (), (), 0, values=told))
