"""Lockstep: two matches under two games, with the same position, draws and choices.

The leader determines the words of the story and the draws. The replica follows in its own words.
Whenever both are at a decision, everything that a player can see is compared: points and reasons,
figures, tiles, tokens, the player who decides, the options. Any difference is a parting. This
module does not explain partings; `attribution` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tilewright.language.source.text import NOWHERE
from tilewright.play.match import Match
from tilewright.play.new_match import begin
from tilewright.play.notation import (
    PASS,
)
from tilewright.rules.model.ruleset import Line
from tilewright.tools.comparison.tile_matching import marks_of
from tilewright.tools.witness.parting import (
    LASTING,
    ON_THE_TABLE,
    Evidences,
    LockstepDifference,
    Pair,
    Side,
    SideBySide,
)
from tilewright.tools.witness.translation import Translation
from tilewright.view.results.divergence import Kind

#: choices that a side may make on its own until a turn must be over
_LONGEST_TURN = 40

#: called at each parting, while both matches are at it
Judge = Callable[["Lockstep", LockstepDifference], Evidences | None]


class Lockstep:
    """Two matches in lockstep. `partings` collects partings with the judge's verdict; `is_done`
    when no further parting could count.
    """

    def __init__(
        self,
        words: Translation,
        back: Translation,
        leader: Side,
        replica: Side,
        judge: Judge | None,
    ) -> None:
        self.words, self.back = words, back
        self.leader, self.replica = leader, replica
        self.view = SideBySide(leader, replica, words, back)
        self.judge = judge
        self.lines: list[Line] = []
        self.replica_lines: list[Line] = []
        self.partings: list[tuple[LockstepDifference, Evidences | None]] = []
        self.recorded = [0, 0]  # draws of the leader and the replica that the lines contain
        self.passed_on = 0  # number of the leader's draws passed to the replica
        self.supply = Counter(_stacked(leader.match))  # the remaining pieces of the leader, by id
        self.given: dict[str, str] = {}  # the replica's draw for each piece of the leader
        self.is_done = False
        self.lacking = ""  # a draw of the leader that the replica lacks, if that ended it

    def fork(self) -> Lockstep:
        """A copy of both matches for trials. Partings so far count as known."""
        sides = self.leader.fork(), self.replica.fork()
        other = Lockstep(self.words, self.back, *sides, self.judge)
        other.lines = self.lines[:]
        other.replica_lines = self.replica_lines[:]
        other.partings = self.partings[:]
        other.recorded, other.passed_on = self.recorded[:], self.passed_on
        other.supply, other.given = self.supply.copy(), self.given.copy()
        other.is_done, other.lacking = self.is_done, self.lacking
        return other

    # -------------------------------------------------------------- beginning

    def start(self, has_board: bool) -> None:
        """Both set out."""
        go = Match.run if has_board else begin
        self._both(lambda: go(self.leader.match), lambda: go(self.replica.match))
        if has_board or not self.partings or len(self.leader.drawn) != len(self.replica.drawn):
            return
        if {Kind.STACKS, Kind.OPTIONS}.issuperset(self.partings[-1][0].kinds):
            # two games need not begin with the same stacks: what counts is how they change
            self.leader.rebase()
            self.replica.rebase()
            self.is_done = not self.view.draws_agree

    @property
    def options(self) -> list[str]:
        """The common options, in the leader's words and order."""
        lead, replica = self.leader.match, self.replica.match
        if self.is_done or lead.to_move < 0 or not self.view.is_level:
            return []
        there = set(self.replica.options)
        return [t for t in self.leader.options if self.words.option(t, lead, replica) in there]

    def choose(self, text: str) -> bool:
        """Make a choice of the leader's on both sides; False when it cannot be made on both."""
        lead, replica = self.leader.match, self.replica.match
        here = self.leader.options
        if self.is_done or text not in here:
            return False
        if not self.view.is_level:
            # only the leader decides, and only a pass keeps the two in step
            if text != PASS:
                self.is_done = True
                return False
            self.lines.append(Line("choose", text, None, NOWHERE))
            self._both(lambda: lead.choose_number(len(here) - 1), None)
            return True
        there, wanted = self.replica.options, self.words.option(text, lead, replica)
        if wanted not in there:
            self.is_done = True
            return False
        self.lines.append(Line("choose", text, None, NOWHERE))
        self.replica_lines.append(Line("choose", wanted, None, NOWHERE))
        self._both(
            lambda: lead.choose_number(here.index(text)),
            lambda: replica.choose_number(there.index(wanted)),
        )
        return True

    # -------------------------------------------------------------- going apart

    def play_separately(self, choices: Sequence[str]) -> None:
        """Play both sides independently to the end of the turn and compare the results.

        The leader makes these choices and then as few as it can; the replica makes the same where
        it can. Later draws of both are tiles without marks, so that they have no effect.
        """
        self.is_done = True
        turn = self.leader.match.turn
        known = choices_in(self.lines)
        self._add_plain_draw()
        if not self._alone(self.leader, self.lines, choices, turn, is_strict=True):
            return
        made = choices_in(self.lines)[len(known) :]
        if not self.pass_draws(self.leader.drawn):
            return
        translated = [self.words.say(text, self.leader.match, self.replica.match) for text in made]
        if self._alone(self.replica, self.replica_lines, translated, turn):
            found = self.view.on_the_table()
            level = (
                {Kind.POINTS} if self.leader.match.points == self.replica.match.points else set()
            )
            kinds = () if found is None else found.kinds
            seen = tuple(kind for kind in kinds if kind in ON_THE_TABLE and kind not in level)
            if found is not None and seen:
                # the next events belong to another turn
                nothing: tuple[Pair, Pair] = ((), ())
                found = replace(found, options=nothing, own_options=nothing)
                self.part(replace(found, kinds=seen, is_split=True))

    def _alone(
        self,
        side: Side,
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
            self._note(0 if side is self.leader else 1)
            if match.to_move < 0 or (match.turn > turn and not (is_strict and left)):
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
            if side.advance(lambda number=number: match.choose_number(number)):  # type: ignore[misc]
                return False
        return False

    def _add_plain_draw(self) -> None:
        """Add the draw to use after the scripted draws are finished."""
        match = self.leader.match
        queue, game = _prescribed(match), match.program.game
        held = Counter(piece for stack in match.stacks for piece in stack)
        held.subtract(queue)
        theirs = {piece.id: piece for piece in self.replica.match.program.game.pieces}
        plain = [
            n
            for n, piece in enumerate(game.pieces)
            if held[n] > 0
            and not marks_of(piece)
            and any(not marks_of(theirs[p.id]) for p in self.words.partners(piece.id)[:1])
        ]
        match.forced_draws = [*queue, *plain[:1]]

    # -------------------------------------------------------------- going on

    def _both(self, leading: Callable[[], None], following: Callable[[], None] | None) -> None:
        lead, replica = self.leader, self.replica
        if self.view.is_level:
            lead.mark_level()
            replica.mark_level()
        fault = lead.advance(leading)
        self._note(0)
        other = ""
        if not self.pass_draws(lead.drawn):
            self.is_done = True
            self.lacking = f"this game has no piece `{lead.drawn[self.passed_on]}`"
            return
        waiting, drawn = len(replica.match.forced_draws or ()), len(replica.drawn)
        if following is not None:
            other = replica.advance(following)
            self._note(1)
        if fault or other:
            # the rules are not at fault when the replica lacks the leader's draw
            asked_for = waiting - len(replica.match.forced_draws or ())
            is_missing = asked_for > len(replica.drawn) - drawn
            if is_missing:
                self.lacking = other
            elif bool(fault) != bool(other):
                self.part(LockstepDifference((Kind.REFUSED,), (), (), 0, refusal=(fault, other)))
            self.is_done = True
            return
        self._compare()
        self._catch_up()

    def _note(self, side: int) -> None:
        """Record the new draws of a side."""
        recorder, lines = ((self.leader, self.lines), (self.replica, self.replica_lines))[side]
        fresh = recorder.drawn[self.recorded[side] :]
        self.recorded[side] = len(recorder.drawn)
        lines += [Line("draw", piece, None, NOWHERE) for piece in fresh]

    def pass_draws(self, drawn: Sequence[str]) -> bool:
        """Pass the leader's new draws to the replica; False where it has no equal tile."""
        match = self.replica.match
        queue = _prescribed(match)
        held = Counter(piece for stack in match.stacks for piece in stack)
        held.subtract(queue)
        for piece in drawn[self.passed_on :]:
            if self.words.is_strange(piece):  # the replica draws nothing for it
                self.passed_on += 1
                continue
            found = self.words.drawn(piece, lambda number: held[number] > 0)
            if not self.supply[piece]:  # it was drawn, put back and drawn again
                found = self.given.get(piece, found)
            if found is None:
                return False
            self.supply[piece] -= self.supply[piece] > 0
            self.given[piece] = found
            number = match.program.piece_number[found]
            held[number] -= 1
            queue.append(number)
            self.passed_on += 1
            match.forced_draws = [*queue]
        return True

    def _catch_up(self) -> None:
        """Pass the decisions that only the replica has, where passing is possible."""
        match = self.replica.match
        while not self.is_done and match.to_move >= 0 and match.optional and not self.view.is_level:
            if self.leader.match.to_move >= 0 and self.is_behind():
                return
            self.replica_lines.append(Line("choose", PASS, None, NOWHERE))
            fault = self.replica.advance(lambda: match.choose_number(match.count - 1))
            self._note(1)
            if fault:
                self.is_done = True
            elif self.view.is_level:
                self._compare()

    def is_behind(self) -> bool:
        """Whether it is the leader who has something more to decide, which may be passed."""
        lead, replica = self.leader.match, self.replica.match
        order = [step.id for step in lead.program.game.phase("turn")]
        if not lead.optional or lead.turn > replica.turn or lead.step not in order:
            return False
        if lead.turn < replica.turn or replica.step not in order:
            return True
        return order.index(lead.step) < order.index(replica.step)

    # -------------------------------------------------------------- comparing

    def part(self, parting: LockstepDifference) -> None:
        """Write down that the two have parted, with the lines that led here."""
        known = len(self.partings)
        reached = (self.leader.reached, self.replica.reached)
        found = replace(
            parting,
            lines=tuple(self.lines),
            replica_lines=tuple(self.replica_lines),
            before=known,
            reached=reached,
        )
        self.partings.append((found, None if self.judge is None else self.judge(self, found)))
        if LASTING & set(parting.kinds):
            # whether the replica may catch up is seen at the next choice
            hard = LASTING - {Kind.DECISION}
            self.is_done = self.is_done or bool(hard & set(parting.kinds))

    def _compare(self) -> None:
        found = self.view.differences()
        if found is not None:
            self.part(found)
        self.is_done = self.is_done or not self.view.draws_agree


def _stacked(match: Match) -> Iterable[str]:
    """The ids of all pieces and items in stacks."""
    stacked = match.program.game.stacked
    return (stacked[each].id for stack in match.stacks for each in stack)


def _likely(options: Sequence[str], wanted: Sequence[str]) -> str:
    """An option that was wanted, or one in the same place; else a pass, else the first."""
    for text in wanted:
        if text in options:
            return text
    for text in wanted:
        near = text.rpartition(" ")[0]
        for option in options:
            if " " in near and option.startswith(f"{near} "):
                return option
    return PASS if options[-1] == PASS else options[0]


def choices_in(lines: Sequence[Line]) -> list[str]:
    """The choices among the lines of a play."""
    return [line.text for line in lines if line.verb == "choose"]


def _prescribed(match: Match) -> list[int]:
    """The pieces that are prescribed and were not drawn yet."""
    return [piece for piece in match.forced_draws or () if isinstance(piece, int)]
