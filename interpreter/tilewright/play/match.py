"""One match: how it runs, and every change of its state. No other module writes the state.

A match runs until somebody must choose. Then it pauses as plain data: lists of numbers, masks and
frames. Options here are values and numbers; `notation` turns them into text. `choose_number`
avoids every list that is not needed. Only `fork` copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.language.builtins import MAX_RANGE
from tilewright.language.types import IN_STACK
from tilewright.play.board.board import Board, xy_of
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY
from tilewright.play.faults import RuleError
from tilewright.play.limits import (
    CHOICE_STEPS,
    IDLE_STEPS,
    MAX_OFFERED,
    MAX_STEPS,
    TURN_STEPS,
    bounded,
    too_many_options,
    turns_take_too_long,
)
from tilewright.play.match_state import FINAL, OVER, TURN, MatchState
from tilewright.play.off_board import empty_stack, not_in_stack, not_loose
from tilewright.play.seating import MASK64
from tilewright.rules.model.geometry import cell_name

#: number of turns after which a runaway rule is stopped
MAX_TURNS = 100_000


class Match(MatchState):
    """A match that waits for a decision or is over. `new_match.start_match` makes a new one."""

    __slots__ = ()

    # -------------------------------------------------------------- running

    def run(self) -> None:
        """Run until somebody must choose or the game is over.

        Raises RuleError when a rule cannot be carried out; then the match has failed.
        """
        try:
            self._run()
        except RuleError as fault:
            self._fail(fault)
            raise

    def _fail(self, fault: RuleError) -> None:
        """Mark the match as failed: a rule stopped half done, and the match cannot continue."""
        fault.locate(self.program, self.turn)
        self.failed = fault
        self._no_decision()

    def _run(self) -> None:
        units, frames = self.program.units, self.frames
        while True:
            while frames:
                frame = frames[-1]
                units[frame[0]](self, frame)
                if self.to_move >= 0:
                    return
            if self.phase == OVER:
                return
            if self.phase == FINAL:
                self.phase = OVER
                self.count = 0
                self.notify("over")
                return
            if self.ending:
                self.phase = FINAL
                self.ending = False
                frames.append([2, 0])
                self.notify("final")
                continue
            self.phase = TURN
            frames.append([1, 0])
            self.begin_turn()

    def begin_turn(self) -> None:
        """Count a turn. The compiled turn starts the next one by itself."""
        turn = self.turn = self.turn + 1
        spent = self.spent + (-TURN_STEPS if self.has_chosen else IDLE_STEPS)
        self.spent = spent if spent > 0 else 0
        if spent > MAX_STEPS:
            raise turns_take_too_long(self.has_chosen)
        self.has_chosen = False
        self.board.completed = []
        if turn > MAX_TURNS:
            raise RuleError(f"no end after {MAX_TURNS} turns")
        if self.listeners:
            self.notify("turn", self.active)

    def start(self, unit: int, arguments: list[Any]) -> list[Any]:
        """Push a frame for a unit with its parameters, and return it."""
        frame = [unit, 0, *arguments]
        self.frames.append(frame)
        return frame

    def end_game(self) -> None:
        """End the turns and start the final scoring. The rule that ends the game stops here."""
        if self.phase != FINAL:
            self.ending = True
        self.frames.clear()

    def end_at_once(self) -> None:
        """End the game at once, without final scoring."""
        self.end_game()
        self.ending = False
        self.phase = OVER
        self.count = 0
        self.notify("over")

    def choose_number(self, k: int) -> None:
        """Take the k-th option; a pass is the last one.

        Raises IndexError when there are not that many options, and RuleError when a rule cannot be
        carried out; then the match has failed.
        """
        count = self.count
        if not 0 <= k < count:
            raise IndexError(k)
        self.log.append(k)
        self.spent += CHOICE_STEPS
        self.has_chosen = True
        self.passed = False
        options = self.options_now
        if self.optional and k == count - 1:
            self.passed = True
            self.chosen = None
        elif options is None:
            self.chosen = self.board.locate(self.piece, k)
        else:
            self.chosen = options[k]
        if self.listeners:
            self.notify("choice", self.to_move, k, self.chosen)
        self.to_move = -1
        self.options_now = None
        frame = self.frames[-1]
        try:
            self.program.units[frame[0]](self, frame)
            if self.to_move < 0:
                self._run()
        except RuleError as fault:
            self._fail(fault)
            raise

    # -------------------------------------------------------------- decisions

    def ask(self, player: int, options: Sequence[Any], site: int, optional: bool) -> bool:
        """Let a player choose; False when there is nothing to choose from.

        Raises RuleError when there are more than `MAX_OFFERED`.
        """
        if not options:
            return False
        if len(options) > MAX_OFFERED:
            raise too_many_options(len(options), "options", MAX_OFFERED)
        self.to_move = player
        self.options_now = options
        self.decision_site = site
        self.optional = optional
        self.count = len(options) + optional
        return True

    def ask_placement(self, player: int, piece: int, site: int, optional: bool) -> bool:
        """Let a player choose the placement of a piece, without listing the placements.

        They are listed only when rules restrict them. False when there are none.
        """
        if self.is_restricted(piece):
            self.piece = piece
            return self.ask(player, self.allowed(piece), site, optional)
        board = self.board
        count = board.total if board.counted_piece == piece else board.count(piece)
        if not count:
            return False
        self.to_move = player
        self.options_now = None
        self.piece = piece
        self.decision_site = site
        self.optional = optional
        self.count = count + optional
        return True

    def ask_number(self, player: int, first: int, last: int, site: int, optional: bool) -> bool:
        """Let a player choose a number, without listing them; False when there are none.

        Raises RuleError when there are more than `MAX_RANGE`.
        """
        many = last - first + 1
        if many > MAX_RANGE:
            raise too_many_options(many, "numbers", MAX_RANGE)
        return self.ask(player, range(first, last + 1), site, optional)

    # -------------------------------------------------------------- pieces and chance

    def draw(self, stack: int) -> int:
        """Draw a piece from a stack; all its pieces are equally likely."""
        pieces = self.stacks[stack]
        if not pieces:
            raise empty_stack(self.program.game, stack)
        # the stream goes on even when the draw is forced: a replay ends where the play did
        state = (self.streams[stack] * 6364136223846793005 + 1442695040888963407) & MASK64
        self.streams[stack] = state
        index = (state >> 32) * len(pieces) >> 32
        if self.forced_draws:
            index = self._forced_index(stack, pieces, index)
        piece = pieces[index]
        last = pieces.pop()
        if index < len(pieces):
            pieces[index] = last
        self.loose.append(piece)
        self.log.append(~index)
        if self.listeners:
            self.notify("draw", stack, piece)
        return piece

    def draw_next(self, stack: int) -> int:
        """`draw` for games with ordered stacks: these give the piece that is in them longest."""
        if not self.program.in_order[stack]:
            return self.draw(stack)
        pieces = self.stacks[stack]
        if not pieces:
            raise empty_stack(self.program.game, stack)
        if self.forced_draws and self._forced_index(stack, pieces, 0) != 0:
            name, first = self.stack_id(stack), self.program.game.stacked[pieces[0]].id
            message = f"`{first}` is drawn next from `{name}`, not another piece"
            raise RuleError(message, name, len(self.forced_draws) + 1)
        return self._drawn(stack, pieces.pop(0), 0)

    def draw_among(self, stack: int, candidates: list[int]) -> int:
        """Draw one of the candidate pieces of a stack; all are equally likely."""
        if not candidates:
            name, many = self.stack_id(stack), len(self.stacks[stack])
            raise RuleError(f"none of the {many} pieces in `{name}` meets the condition", name)
        # the stream goes on even when the draw is forced: a replay ends where the play did
        state = (self.streams[stack] * 6364136223846793005 + 1442695040888963407) & MASK64
        self.streams[stack] = state
        if self.program.in_order[stack]:
            index = candidates.index(next(p for p in self.stacks[stack] if p in candidates))
        else:
            index = (state >> 32) * len(candidates) >> 32
        if self.forced_draws:
            index = self._forced_index(stack, candidates, index)
        self.stacks[stack].remove(candidates[index])
        return self._drawn(stack, candidates[index], index)

    def _drawn(self, stack: int, piece: int, index: int) -> int:
        """Log a piece that has left a stack, the one at `index` of those it was drawn among."""
        self.loose.append(piece)
        self.log.append(~index)
        if self.listeners:
            self.notify("draw", stack, piece)
        return piece

    def draw_members(self, stream: int, members: Sequence[Any], many: int) -> list[Any]:
        """Draw random members of a set, at most so many, and no member twice.

        Each is a draw of its own, among those that are left; the stream is that of their type.
        """
        left, found = [*members], list[Any]()
        while left and len(found) < many:
            state = (self.streams[stream] * 6364136223846793005 + 1442695040888963407) & MASK64
            self.streams[stream] = state
            index = (state >> 32) * len(left) >> 32
            if self.forced_draws:
                index = self._forced_member(stream, left, index)
            member = left.pop(index)
            found.append(member)
            self.log.append(~index)
            if self.listeners:
                self.notify("draw member", self.program.drawn_type(stream), member)
        return found

    def _forced_member(self, stream: int, left: list[Any], usual: int) -> int:
        """The index of the member that is prescribed, as `_forced_index` finds it.

        A prescribed piece belongs to a later draw, unless pieces are drawn here.
        """
        assert self.forced_draws is not None
        wanted, type_ = self.forced_draws[0], self.program.drawn_type(stream)
        if wanted is None:
            index = usual
        elif not isinstance(wanted, int):
            index = wanted.index(self, type_, left)
        elif wanted < 0:
            index = ~wanted
            if index >= len(left):
                message = f"the prescribed draw is not possible: {len(left)} members are left"
                raise RuleError(message, draws_left=len(self.forced_draws))
        elif type_ in IN_STACK.values() and wanted in left:
            index = left.index(wanted)
        else:
            return usual
        self.forced_draws.pop(0)
        if index != usual:
            self.steered.append(len(self.log))
        return index

    def _forced_index(self, stack: int, candidates: list[int], usual: int) -> int:
        """The draw that a scenario or a replay prescribes: a piece, ~n for index n of a list, or
        None for the one that chance gives. One that chance would not have given is `steered`.
        """
        assert self.forced_draws is not None
        wanted = self.forced_draws[0]
        if not isinstance(wanted, int | None):
            name = self.stack_id(stack)
            message = f"`{wanted.text}` is not a piece, and `{name}` gives pieces"
            raise RuleError(message, name, len(self.forced_draws))
        if wanted is not None and wanted >= 0 and len(candidates) == 1 and wanted != candidates[0]:
            return 0  # this draw is certain: the prescribed piece belongs to a later draw
        left = len(self.forced_draws)
        self.forced_draws.pop(0)
        if wanted is None:
            return usual
        if wanted < 0:
            if ~wanted >= len(candidates):
                name, many = self.stack_id(stack), len(candidates)
                message = f"the prescribed draw is not possible: `{name}` offers {many} pieces"
                raise RuleError(message, name, left)
            index = ~wanted
        elif wanted not in candidates:
            fault = not_in_stack(self.program.game, self.stacks, wanted, stack)
            fault.draws_left = left
            raise fault
        else:
            index = candidates.index(wanted)
        if index != usual:
            self.steered.append(len(self.log))
        return index

    def take(self, piece: int, stack: int) -> None:
        """Remove one copy of a piece from a stack."""
        if piece not in self.stacks[stack]:
            raise not_in_stack(self.program.game, self.stacks, piece, stack)
        self.stacks[stack].remove(piece)
        self.loose.append(piece)

    def put(self, piece: int, stack: int) -> None:
        """Put a loose piece into a stack, under all others."""
        self._put_at(piece, stack, len(self.stacks[stack]))

    def stack_on(self, piece: int, stack: int) -> None:
        """Put a loose piece on top of a stack: one in order gives it next."""
        in_order = self.program.in_order[stack]
        self._put_at(piece, stack, 0 if in_order else len(self.stacks[stack]))

    def _put_at(self, piece: int, stack: int, place: int) -> None:
        if piece not in self.loose:
            into = f"be put into `{self.stack_id(stack)}`"
            raise not_loose(self.program.game, self.board, self.stacks, piece, into)
        self.loose.remove(piece)
        self.stacks[stack].insert(place, piece)
        if self.listeners:
            self.notify("put", piece, stack)

    def move_all(self, source: int, target: int) -> None:
        """Move all pieces of a stack into another one."""
        if target != source:
            self.stacks[target] += self.stacks[source]
            self.stacks[source].clear()

    def lay(self, piece: int, at: tuple[int, int]) -> int:
        """Lay a loose piece on the board and return its tiles as a mask."""
        if (held := self.board.shapes.beneath[piece]) not in self.loose:
            raise not_loose(self.program.game, self.board, self.stacks, piece, "be laid")
        cell, layout = at
        try:
            laid = self.board.lay(piece, layout, cell)
        except (IndexError, ValueError) as error:
            name, place = self.program.game.pieces[piece].id, cell_name(*xy_of(cell))
            raise RuleError(f"`{name}` cannot be laid at {place}: it does not fit", name) from error
        self.loose.remove(held)
        if self.listeners:
            self.notify("lay", piece, cell, layout)
        return laid

    def take_board(self, board: Board, taken: int = -1, laid: int = -1) -> None:
        """Take a board that was laid again, the piece taken off it, and the one laid for it."""
        self.board = board
        if laid >= 0:
            self.loose.remove(laid)
        if taken >= 0:
            self.loose.append(taken)

    # -------------------------------------------------------------- figures

    def _leave(self, figure: int) -> None:
        spot = self.spot[figure]
        self.has_left = spot >= 0
        if spot >= 0:
            self.on_board &= ~(1 << figure)
            if spot & 31:
                board = self.board
                segment = spot - 1
                feature = board.find(board.tile_features[segment >> 5][segment & 31])
                board.figures[feature] &= ~(1 << figure)
        elif spot == IN_SUPPLY:
            self.in_supply &= ~(1 << figure)
        self.attached_to[figure] = None

    def move_to_segment(self, figure: int, segment: int) -> None:
        """Move a figure to a segment."""
        if self.board.relaid:
            self._must_lie(figure, segment >> 5, segment & 31)
        bit = 1 << figure
        if self.in_supply & bit and self.attached_to[figure] is None:
            self.in_supply ^= bit
            self.has_left = False
        else:
            self._leave(figure)
        board = self.board
        self.spot[figure] = segment + 1
        self.on_board |= bit
        feature = board.find(board.tile_features[segment >> 5][segment & 31])
        board.figures[feature] |= bit
        if self.listeners:
            self.notify("move", figure)

    def move_to_tile(self, figure: int, tile: int) -> None:
        """Move a figure to a tile, but not to a segment of it."""
        if self.board.relaid:
            self._must_lie(figure, tile)
        self._leave(figure)
        self.spot[figure] = tile << 5
        self.on_board |= 1 << figure
        if self.listeners:
            self.notify("move", figure)

    def _must_lie(self, figure: int, tile: int, segment: int = -1) -> None:
        name, board = self.figure_name(figure), self.board
        if board.gone >> tile & 1:
            raise RuleError(f"`{name}` cannot go to a tile that was lifted", name)
        if segment >= len(board.tile_features[tile]):
            raise RuleError(f"`{name}` cannot go to a segment that lies face down", name)

    def send_home(self, figure: int) -> None:
        """Return a figure to its owner's supply; one without an owner leaves the board."""
        self._leave(figure)
        self.spot[figure] = IN_SUPPLY
        self.facing[figure] = None
        self.in_supply |= 1 << figure
        if self.listeners:
            self.notify("home", figure)

    def hand(self, figure: int, player: int) -> None:
        """Put a figure in front of a player."""
        self._leave(figure)
        self.spot[figure] = IN_FRONT_OF - player
        self.facing[figure] = None
        if self.listeners:
            self.notify("hand", figure, player)

    def move_beside(self, figure: int, stack: int) -> None:
        """Put a figure beside a stack, off the board."""
        self._leave(figure)
        self.spot[figure] = BESIDE_STACK - stack
        self.facing[figure] = None
        if self.listeners:
            self.notify("beside", figure, stack)

    def give(self, token: int, player: int) -> None:
        """Move a token from the common supply to a player, unless none is left."""
        self._move_token("give", token, player, 0, player + 1)

    def spend(self, token: int, player: int) -> None:
        """Move a token from a player to the common supply, unless the player has none."""
        self._move_token("spend", token, player, player + 1, 0)

    def _move_token(self, event: str, token: int, player: int, source: int, target: int) -> None:
        """Move a token between holders, if the source has one; holder 0 is the common supply."""
        supply = token * (len(self.players) + 1)
        if self.tokens[supply + source]:
            self.tokens[supply + source] -= 1
            self.tokens[supply + target] += 1
            if self.listeners:
                self.notify(event, token, player)

    def attach(self, figure: int, other: int) -> None:
        """Attach a figure to another one, its companion."""
        if self.spot[other] < 0:
            name, kinds = self.figure_name(figure), "that is not on the board"
            raise RuleError(f"`{name}` cannot go to `{self.figure_name(other)}` {kinds}", name)
        self._leave(figure)
        self.spot[figure] = self.spot[other] >> 5 << 5
        self.on_board |= 1 << figure
        self.attached_to[figure] = other
        if self.listeners:
            self.notify("attach", figure, other)

    def release_attached(self, figure: int) -> None:
        """Detach the companions of a figure that has left."""
        self.attached_to = [None if other == figure else other for other in self.attached_to]

    def face(self, figure: int, side: int) -> None:
        """Turn a figure to a side."""
        self.facing[figure] = side
        if self.listeners:
            self.notify("face", figure, side)

    def award(
        self, points: int, player: int, feature: int | None, site: int, held: tuple[Any, ...]
    ) -> None:
        """Award points to a player and notify listeners of the rule and the feature.

        `held` has the values of the local names that the number of this site reads, in the order
        of the text.
        """
        if self.listeners:  # listeners see the position from which the number was computed
            self.notify("award", points, player, feature, site, held)
        self.points[player] = bounded(self.points[player] + points)

    def notify(self, event: str, *facts: Any) -> None:
        """Notify the listeners; the values that they compute cost the rules no steps."""
        spent = self.spent
        for listener in self.listeners:
            listener(self, event, facts)
        self.spent = spent

    # -------------------------------------------------------------- results

    def winners(self) -> list[int]:
        """The winners by the rules; empty when no rule names winners or the match has failed.

        Raises RuleError when a rule cannot be carried out; then the match has failed.
        """
        if self.failed is not None:
            return []
        try:
            return list(self.program.definitions["winners"](self))
        except RuleError as fault:
            self._fail(fault)
            raise

    def fork(self) -> Match:
        """An independent copy of the match, without its listeners."""
        return Match(self.program, len(self.points), self.seed, self)
