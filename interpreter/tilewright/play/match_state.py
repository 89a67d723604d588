"""The data of one match: lists of numbers, masks and frames; copies and hashes of them.

`match` changes the data. Here a match begins, is copied, and is hashed.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tilewright.language.types import Type
from tilewright.play.board.board import Board
from tilewright.play.board.board_state import Placement
from tilewright.play.board.relaying import numbers, pieces_face_down
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.fact_rows import fact_row, row_bytes
from tilewright.play.faults import RuleError
from tilewright.play.program import Program
from tilewright.play.seating import Table, streams_from, table_for
from tilewright.rules.model.ruleset import Scenario

SETUP, TURN, FINAL, OVER = range(4)

#: called with the match, the name of an event and its facts
Listener = Callable[[Any, str, tuple[Any, ...]], None]


class PrescribedMember(Protocol):
    """A member of a set that a draw must give, by its text."""

    @property
    def text(self) -> str:
        """The text."""

    def index(self, match: Any, type_: Type, members: Sequence[Any]) -> int:
        """The place of the member; raises RuleError when it is not there."""


#: a piece, ~n for index n of a list, a member of a set, or None for what chance gives
PrescribedDraw = int | PrescribedMember | None


@dataclass(frozen=True, slots=True)
class SetUp:
    """The position with which a match began instead of the setup of its game.

    `situation` describes it, and `before` is the match before its first step.
    """

    situation: Scenario
    before: Any


class MatchState:
    """The position of a match, its log, and the current decision."""

    __slots__ = (
        "active",
        "attached_to",
        "board",
        "chosen",
        "count",
        "decision_site",
        "ending",
        "facing",
        "failed",
        "figure_kind",
        "final_score_cache",
        "first_player",
        "forced_draws",
        "frames",
        "has_chosen",
        "has_left",
        "in_supply",
        "kinds_owned",
        "listeners",
        "log",
        "loose",
        "memory",
        "next_player",
        "of_kind",
        "of_player",
        "of_trait",
        "on_board",
        "optional",
        "options_now",
        "owner",
        "passed",
        "phase",
        "piece",
        "players",
        "players_from",
        "points",
        "program",
        "ready_cache",
        "seed",
        "set_up",
        "spent",
        "spot",
        "stacks",
        "steered",
        "streams",
        "to_move",
        "tokens",
        "turn",
    )

    def __init__(
        self, program: Program, players: int, seed: int | str, like: MatchState | None = None
    ) -> None:
        self.program = program
        self.seed = seed
        if like is not None:
            self._copy_from(like)
            return
        self.first_player = 0
        table = table_for(program, players)
        self._take_seats(table)
        figures = len(table.owner)
        game = program.game
        self.board = Board(program.shapes)
        self.points = [0] * players
        # for each kind of token: the number in the common supply, then the number of each player
        self.tokens = [n for t in game.tokens for n in (t.count, *[0] * players)]
        self.memory: list[Any] = [x[:] if isinstance(x, list) else x for x in program.memory_start]
        self.spot = [IN_SUPPLY] * figures
        self.facing: list[int | None] = [None] * figures
        self.attached_to: list[int | None] = [None] * figures
        self.in_supply = (1 << figures) - 1
        self.on_board = 0
        self.has_left = False
        self.stacks: list[list[int]] = [[] for _ in game.stacks]
        self.loose: list[int] = []  # pieces that are in no stack and not on the board
        self.streams = streams_from(program, seed)
        self.active = 0
        self.turn = 0
        self.phase = SETUP
        self.frames: list[list[Any]] = []
        self.log: list[int] = []
        self.forced_draws: list[PrescribedDraw] | None = None
        self.steered: list[int] = []  # places in the log of draws that the seed does not give
        self.set_up: SetUp | None = None
        self.listeners: tuple[Listener, ...] = ()
        self.ending = False
        #: the error of the rule that failed; the match cannot continue after it
        self.failed: RuleError | None = None
        self.spent = 0  # the steps of rules that the turns have not paid for
        self.has_chosen = False  # since the turn began
        self._no_decision()
        for number, each in enumerate(game.stacked):
            self.stacks[program.stack_number[game.stack_of(each)]] += [number] * each.count

    def _take_seats(self, table: Table) -> None:
        """Take the facts that are fixed for a number of players."""
        self.players = table.players
        self.next_player = table.next_player
        self.players_from = table.players_from
        self.owner = table.owner
        self.figure_kind = table.figure_kind
        self.of_player = table.of_player
        self.of_kind = table.of_kind
        self.of_trait = table.of_trait
        self.kinds_owned = table.kinds_owned
        self.ready_cache = table.ready_cache
        self.final_score_cache = table.final_score_cache

    def _no_decision(self) -> None:
        self.to_move = -1
        self.decision_site = -1
        self.count = 0
        self.optional = False
        self.options_now: Sequence[Any] | None = None
        self.piece = -1
        self.chosen: Any = None
        self.passed = False

    # -------------------------------------------------------------- reading

    @property
    def is_over(self) -> bool:
        """Whether the match has ended or failed; after a failure `failed` holds the error."""
        return self.phase == OVER or self.failed is not None

    @property
    def step(self) -> str:
        """The id of the current step."""
        return self.program.step_of(self.frames)

    def token_count(self, token: int, holder: int) -> int:
        """How many tokens of a kind a player has, or with -1 the common supply."""
        return self.tokens[token * (len(self.points) + 1) + holder + 1]

    def values(self) -> list[Any]:
        """The options of the decision, as values of the rules; without the pass."""
        if self.to_move < 0:
            return []
        if self.options_now is None:
            return list(self.board.placements(self.piece))
        return list(self.options_now)

    # -------------------------------------------------------------- copying and hashing

    def _copy_from(self, like: MatchState) -> None:
        self.first_player = like.first_player
        self._take_seats(table_for(self.program, len(like.points)))
        self.board = like.board.copy()
        self.points = like.points[:]
        self.tokens = like.tokens[:]
        # values in memory and frames are replaced, never changed in place
        self.memory = like.memory[:]
        self.spot = like.spot[:]
        self.facing = like.facing[:]
        self.attached_to = like.attached_to[:]
        self.in_supply = like.in_supply
        self.on_board = like.on_board
        self.has_left = like.has_left
        self.stacks = [pieces[:] for pieces in like.stacks]
        self.loose = like.loose[:]
        self.streams = like.streams[:]
        self.active = like.active
        self.turn = like.turn
        self.phase = like.phase
        self.frames = [frame[:] for frame in like.frames]
        self.log = like.log[:]
        self.forced_draws = None if like.forced_draws is None else like.forced_draws[:]
        self.steered = like.steered[:]
        self.set_up = like.set_up
        self.listeners = ()
        self.ending = like.ending
        self.failed = like.failed
        self.spent = like.spent
        self.has_chosen = like.has_chosen
        self.to_move = like.to_move
        self.decision_site = like.decision_site
        self.count = like.count
        self.optional = like.optional
        self.options_now = like.options_now
        self.piece = like.piece
        self.chosen = like.chosen
        self.passed = like.passed

    def allowed(self, piece: int, fitting: list[Placement] | None = None) -> list[Placement]:
        """The placements where a piece fits, or those of `fitting`, that every rule allows."""
        found = self.board.placements(piece) if fitting is None else fitting
        may_lay = self.program.may_lay
        if may_lay is None or not self.is_restricted(piece):
            return found
        return [at for at in found if may_lay(self, piece, at)]

    def is_restricted(self, piece: int) -> bool:
        """Whether rules may restrict the placement of a piece at the moment."""
        test = self.program.may_restrict
        return self.program.constrained[piece] or (test is not None and test(self, piece))

    def facts(self) -> array[int]:
        """The primary facts of the position and of its waiting rules (see `fact_rows`)."""
        board = self.board
        stacks = (numbers for stack in self.stacks for numbers in ((len(stack),), stack))
        # both numbers of a join are positive or 0, one of a recast is, and none of a cover
        recasts = ((-1 - segment, kind) for segment, kind in board.recasts)
        covers = ((-1 - tile, -1 - many) for tile, many in board.covers)
        tiles = (board.tile_cell, board.tile_shape, *board.links, *recasts, *covers,
                 numbers(board), pieces_face_down(board))  # fmt: skip
        state = (self.active, self.turn, self.phase, self.to_move, self.count)
        return fact_row(
            (*tiles, self.spot, self.points, self.tokens, *stacks, state),
            (self.facing, self.attached_to, self.memory, self.streams, self.frames),
        )

    def digest(self) -> str:
        """The hash of the position, 32 hexadecimal digits, equal on all computers and engines."""
        hasher = hashlib.blake2b(row_bytes(self.facts()), digest_size=16)
        hasher.update(self.program.game.hash.encode())
        return hasher.hexdigest()

    def stack_id(self, stack: int) -> str:
        """The id of a stack."""
        return self.program.game.stacks[stack].id

    def figure_name(self, figure: int) -> str:
        """The name of a figure: its kind, and the seat of its owner if it has one."""
        game, owner = self.program.game, self.owner[figure]
        kind = game.figures[self.figure_kind[figure]].id
        return kind if owner is None else f"{game.seat_name(owner)} {kind}"
