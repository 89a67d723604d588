"""The draft of a program during compilation: the tables of a game and its functions so far."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from types import FunctionType
from typing import Any
from weakref import ref

from tilewright.language.builtins import RELAYING
from tilewright.language.source.identity import kept_by_identities
from tilewright.language.source.text import words_of
from tilewright.language.types import NUMBER, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.board.build_tile_tables import build_shapes
from tilewright.play.board.tile_tables import Shapes
from tilewright.play.compiling.form import Function
from tilewright.play.compiling.passes.per_kind import occupying_kinds
from tilewright.play.encoding import ORIGIN, is_mask
from tilewright.play.library import board_changes, functions, kept, preview, sets
from tilewright.play.library.sets import MISSING
from tilewright.play.limits import bounded
from tilewright.play.program import ANNOUNCE
from tilewright.play.sites import Condition, Held, Site, Unit
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.walk import carries_out, effects_of
from tilewright.rules.model.ruleset import Combine, PieceKind

_Attributes = tuple[tuple[str, str, Combine], ...]


@kept_by_identities
def _tables_of(*pieces: PieceKind) -> list[tuple[tuple[object, ...], ref[Shapes]]]:
    """All else that decided the tables of these pieces the last time, and the tables.

    Pieces are large and seldom made twice, so they are compared by identity.
    """
    return []


def _shapes_of(game: Game, attributes: _Attributes) -> Shapes:
    """The tables of a game's pieces: games that differ in rules alone share them."""
    symbols = tuple(symbol.id for symbol in game.symbols)
    relays = carries_out(game, *RELAYING)
    decisive = (game.features, game.live, attributes, symbols, relays)
    kept = _tables_of(*game.pieces) if game.pieces else []
    for known, tables in kept:
        found = tables()
        if found is not None and known == decisive:
            return found
    made = build_shapes(game.pieces, game.features, game.live, attributes, symbols, relays)
    kept[:] = [(decisive, ref(made))]
    return made


def _drawn_types(game: Game) -> tuple[Type, ...]:
    """The types of the sets that rules draw members of, each once."""
    effects = (effect for rule in game.rules() for effect in effects_of(rule))
    bases = {each.source.type.base for each in effects if isinstance(each, t.DrawMembers)}
    return tuple(map(Type, sorted(bases)))


class Draft:
    """The tables that the compiler fills; attributes named as in `Program` mean the same."""

    def __init__(
        self,
        game: Game,
        *,
        probes: bool,
        measures: bool,
        shapes: Shapes | None = None,
    ) -> None:
        self.game = game
        #: the functions in the intermediate form; None for those of an earlier process
        self.forms: dict[str, Function] | None = {}
        self.probes = probes
        #: the events that listeners are notified of, because a measure uses them
        self.measured = frozenset(x.declaration.on for x in game.measures if measures)
        attributes = [(k.id, a.id, a.combine) for k in game.features for a in k.attributes]
        self.attributes = tuple((kind, id_) for kind, id_, _ in attributes)
        self.shapes: Shapes = shapes or _shapes_of(game, tuple(attributes))
        self.piece_number = {each.id: i for i, each in enumerate(game.stacked)}
        self.stack_number = {s.id: i for i, s in enumerate(game.stacks)}
        #: the first of the stacks that players have under one name, by that name
        self.owned_stacks: dict[str, int] = {}
        for i, stack in enumerate(game.stacks):
            if stack.owned:
                self.owned_stacks.setdefault(words_of(stack.id)[-1], i)
        self.in_order = tuple(stack.in_order for stack in game.stacks)
        self.drawn_types = _drawn_types(game)
        names = [*(s.id for s in game.stacks), *(f"a random {each}" for each in self.drawn_types)]
        self.stream_names = tuple(
            int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")
            for name in names
        )
        self.memory_number = {x.declaration.id: i for i, x in enumerate(game.memory)}
        self.figure_number = {f.id: i for i, f in enumerate(game.figures)}
        self.occupying = () if probes else occupying_kinds(game)
        self.neutral = [f for f in game.figures if not f.owned]
        self.memory_start = tuple(() if x.of else _begin(x.type) for x in game.memory)
        self.kept_start = tuple(_begin(x.type) if x.of else None for x in game.memory)
        self.roles, self.role_of = self._role_tables()
        self.units: list[Unit] = []
        self.sites: list[Site] = []
        #: by site: the names whose values the frame holds from index 2 on
        self.names_at: dict[int, tuple[str, ...]] = {}
        #: by unit and block where it continues: the content of its frame from index 2 on
        self.kept: dict[tuple[int, int], tuple[Held | None, ...]] = {}
        self.conditions: list[Condition] = []
        self.condition_hits: list[int] = []  # by condition: 1 held, 2 failed
        self.reached: dict[str, int] = {}  # rules, how often
        self.files: list[str] = []  # files whose rule text is inlined in functions of other files
        self.steps_at: dict[tuple[int, int], str] = {}
        self.definitions: dict[str, Callable[..., Any]] = {}
        self.amendments: dict[str, Callable[..., Any]] = {}
        self.option_listers: dict[str, Callable[..., None]] = {}
        self.scope = self._new_scope()

    def _role_tables(
        self,
    ) -> tuple[tuple[tuple[bool, ...], ...], tuple[tuple[frozenset[int], int], ...]]:
        game = self.game
        kinds = {k.id: i for i, k in enumerate(game.features)}
        role_of = tuple(
            (frozenset(self.figure_number[f] for f in r.figures), kinds[r.on]) for r in game.roles
        )
        table = tuple(
            tuple(
                any(f in figures and kind == k for figures, kind in role_of)
                for k in range(len(kinds))
            )
            for f in range(len(game.figures))
        )
        return table, role_of

    def _new_scope(self) -> dict[str, Any]:
        shapes = self.shapes
        piece_symbols: dict[int | None, int] = {None: 0}  # no piece has no symbol
        for piece, layouts in enumerate(shapes.footprints):
            for footprint in layouts:
                for _, shape in footprint:
                    piece_symbols[piece] = piece_symbols.get(piece, 0) | shapes.symbols[shape]
        scope = {
            name: value
            for module in (functions, board_changes, kept, preview, sets)
            for name, value in vars(module).items()
            if isinstance(value, FunctionType) and value.__module__ == module.__name__
        }
        return scope | {
            "bounded": bounded,
            "DIRECTIONS": (0, 1, 2, 3),
            "HEADINGS": tuple(range(8)),
            "ORIGIN_PLACEMENT": (ORIGIN, 0),
            "SYMBOLS": shapes.symbols,
            "TURNS": shapes.turn_of,
            "PIECE_SYMBOLS": piece_symbols,
            "ROLES": self.roles,
            "SEGMENT_KIND": shapes.segment_kind,
            "SEGMENT_SYMBOLS": shapes.segment_symbols,
            "SEGMENT_SIDES": shapes.segment_sides,
            "SEGMENT_CORNERS": shapes.segment_corners,
            "PIECE_KINDS": self._piece_kinds(),
            "TOKENS": tuple(range(len(self.game.tokens))),
            "TOKENS_OF": tuple(
                frozenset(i for i, t in enumerate(self.game.tokens) if trait in t.traits)
                for trait in self.game.traits
            ),
            "MISSING": MISSING,
            "probe": self._probe,
            "reach": self._reach,
            **{f"measure_{event}": _notifier(event) for event in self.measured},
        }

    def _piece_kinds(self) -> tuple[list[int], ...]:
        shapes = self.shapes
        return tuple(
            sorted({k for face in faces for _, shape in face for k in shapes.segment_kind[shape]})
            for faces in shapes.footprints
        )

    def _probe(self, index: int, value: Any) -> Any:
        self.condition_hits[index] |= 1 if value else 2
        return value

    def _reach(self, rule: str) -> None:
        self.reached[rule] = self.reached.get(rule, 0) + 1

    def file_number(self, file: str) -> int:
        """The number of a file in the lines of functions that belong to another one, from 1."""
        if file not in self.files:
            self.files.append(file)
        return self.files.index(file) + 1

    def kind_number(self, id_: str) -> int:
        """The number of a kind of feature."""
        return self.shapes.kind_ids.index(id_)


def _notifier(event: str) -> Callable[..., None]:
    """The function that notifies listeners of an event of the rules."""

    name = ANNOUNCE + event

    def notify(m: Any, *facts: Any) -> None:
        if m.listeners:
            m.notify(name, *facts)

    return notify


def _begin(type_: Type) -> object:
    if type_.many:
        return 0 if is_mask(type_) else []
    return 0 if type_ == NUMBER else False if type_ == TRUTH else None
