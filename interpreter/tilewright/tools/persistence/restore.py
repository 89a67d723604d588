"""Restores a position from the parts of a save; each part is checked first.

Pieces are laid in the order in which they were laid, and so all numbers come out as they were.
Whatever is wrong with a part is raised as a `SaveError`, in a sentence, and as nothing else.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.language.builtins import MAX_RANGE
from tilewright.language.types import NUMBER, in_words
from tilewright.linking.game import LinkedMemory
from tilewright.model.geometry import SIDES, read_cell
from tilewright.runtime.board.board import cell_of
from tilewright.runtime.board.rebuild import lay_all
from tilewright.runtime.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY
from tilewright.runtime.faults import RuleError
from tilewright.runtime.library.functions import become, link
from tilewright.runtime.match import Match
from tilewright.runtime.match_state import FINAL, OVER, SETUP, TURN
from tilewright.runtime.notation import (
    OTHER_FACE,
    figure_name,
    read_recast,
    read_segment,
    seat_number,
)
from tilewright.runtime.off_board import missing
from tilewright.runtime.program import Program
from tilewright.runtime.values import is_held, is_kept, is_value
from tilewright.source.diagnostics import quoted

PHASES = {SETUP: "setup", TURN: "turn", FINAL: "final", OVER: "over"}


@dataclass(frozen=True, slots=True)
class Save:
    """The general facts of a save; `parts` is its whole content, not yet checked."""

    name: str
    version: str
    game: str
    options: tuple[tuple[str, str], ...]
    hash: str
    players: int
    first: int
    seed: int | str
    log: tuple[int, ...]
    digest: str
    parts: Mapping[str, Any]
    who: tuple[str, ...] = ()  # the names of the people in the seats, if given
    rulesets: tuple[tuple[str, str, str], ...] = ()  # id, hash of what it brought, version


class SaveError(Exception):
    """A part of a save is invalid."""


_SAID = {int: "a number", str: "a text", list: "a list", dict: "a table", bool: "true or false"}


def kind_of(value: Any, kind: type, what: str) -> Any:
    """The value, if it has the type; raises SaveError for another."""
    if type(value) is not kind:
        raise SaveError(f"expected {what} to be {_SAID[kind]}")
    return value


def part_of(parts: Mapping[str, Any], name: str, kind: type) -> Any:
    """A part by name; raises SaveError if it is missing or has another type."""
    if name not in parts:
        raise SaveError(f"expected a part `{name}`, found none")
    return kind_of(parts[name], kind, f"`{name}`")


def numbers_of(parts: Mapping[str, Any], name: str) -> list[int]:
    """A part that is a list of numbers."""
    return [kind_of(n, int, f"each of `{name}`") for n in part_of(parts, name, list)]


class Resumer:
    """Restores the match of one save. Raises SaveError for an invalid part."""

    def __init__(self, save: Save, program: Program) -> None:
        game = program.game
        self.save = save
        self.parts = save.parts
        self.program = program
        refused = game.refusal(save.players)
        if refused:
            raise SaveError(refused)
        self.made = Match(program, save.players, save.seed)

    def match(self) -> Match | None:
        """The match, or None if it cannot be restored."""
        match, parts, game = self.made, self.parts, self.program.game
        match.first_player = self.save.first
        match.turn = part_of(parts, "turn", int)
        phase = part_of(parts, "phase", str)
        if phase not in PHASES.values():
            raise SaveError(f"{quoted(phase)} is not a phase")
        match.phase = next(number for number, name in PHASES.items() if name == phase)
        match.active = self._player("active", part_of(parts, "active", int))
        match.points = numbers_of(parts, "points")
        if len(match.points) != len(match.players):
            raise SaveError("expected `points` for each player")
        tokens = numbers_of(parts, "tokens")
        if len(tokens) != len(match.tokens) or min(tokens, default=0) < 0:
            raise SaveError("expected `tokens` of each kind for the supply and for each player")
        row = len(match.players) + 1
        for number, kind in enumerate(game.tokens):
            found = sum(tokens[number * row : (number + 1) * row])
            if found != kind.count:
                raise SaveError(f"expected {kind.count} tokens `{kind.id}` in all, found {found}")
        match.tokens = tokens
        if not self._lay():
            return None
        for pair in kind_of(parts.get("joined", []), list, "`joined`"):
            self._join(kind_of(pair, str, "each of `joined`"))
        for entry in kind_of(parts.get("recast", []), list, "`recast`"):
            self._recast(kind_of(entry, str, "each of `recast`"))
        for entry in part_of(parts, "figures", list):
            self._stand(kind_of(entry, dict, "each of `figures`"))
        stacks = self._by_id("stacks", [s.id for s in game.stacks])
        match.stacks = [[self._piece(p) for p in kind_of(held, list, "a stack")] for held in stacks]
        loose = parts.get("loose")  # absent in earlier saves
        match.loose = (
            missing(match.program.game, match.board, match.stacks)
            if loose is None
            else [self._piece(piece) for piece in kind_of(loose, list, "`loose`")]
        )
        match.streams = [self._stream(s) for s in part_of(parts, "streams", list)]
        if len(match.streams) != len(game.stacks):
            raise SaveError("expected `streams` for each stack")
        memory = self._by_id("memory", [x.declaration.id for x in game.memory])
        match.memory = [
            self._remembered(x, value) for value, x in zip(memory, game.memory, strict=True)
        ]
        completed = numbers_of(parts, "completed")
        if not all(0 <= x < len(match.board.parent) for x in completed):
            raise SaveError("`completed` names a feature that is not there")
        match.board.completed = completed
        match.frames = [self._frame(entry) for entry in part_of(parts, "frames", list)]
        chance = parts.get("chance")
        match.forced_draws = None if chance is None else numbers_of(parts, "chance")
        match.log = list(self.save.log)
        if parts.get("decision") is not None:
            self._decide(part_of(parts, "decision", dict))
        elif match.frames:
            raise SaveError("expected a part `decision`, found none")
        return match

    def _by_id(self, name: str, ids: list[str]) -> list[Any]:
        entries = part_of(self.parts, name, dict)
        if sorted(entries) != sorted(ids):
            raise SaveError(f"expected `{name}` to name {len(ids)} things of the game")
        return [entries[id_] for id_ in ids]

    def _player(self, name: str, player: int) -> int:
        if not 0 <= player < len(self.made.players):
            raise SaveError(f"expected `{name}` to be one of the players")
        return player

    def _piece(self, id_: Any) -> int:
        number = self.program.piece_number.get(kind_of(id_, str, "a piece"))
        if number is None:
            raise SaveError(f"the game has no piece {quoted(id_)}")
        return number

    def _stream(self, text: Any) -> int:
        try:
            state = int(kind_of(text, str, "each of `streams`"), 16)
        except ValueError:
            raise SaveError(f"{quoted(text)} is not a state of a random stream") from None
        if not 0 <= state < 1 << 64:
            raise SaveError(f"{quoted(text)} is not a state of a random stream")
        return state

    # -------------------------------------------------------------- the table

    def _lay(self) -> bool:
        """Lay the pieces in their order; False when one does not fit."""
        board = self.made.board
        laid = []
        for entry in part_of(self.parts, "board", list):
            row = kind_of(entry, list, "each of `board`")
            if len(row) != 2:
                raise SaveError("expected each of `board` to be a piece and its place")
            piece, words = self._piece(row[0]), kind_of(row[1], str, "a place").split(" ", 2)
            place = read_cell(words[0])
            face = int(words[2:] == [OTHER_FACE])
            spelled = None
            if place is not None and len(words) in (2, 2 + face):
                spelled = board.shapes.layout_of(piece, face, words[1])
            if spelled is None or place is None or max(map(abs, place)) >= 500:
                raise SaveError(f"{quoted(row[1])} is not a place of a piece")
            layout, right, up = spelled
            laid.append((piece, layout, cell_of(place[0] + right, place[1] + up)))
        covers = kind_of(self.parts.get("covered", []), list, "`covered`")
        if not all(isinstance(row, list) and list(map(type, row)) == [int, int] for row in covers):
            raise SaveError("expected each of `covered` to be two numbers")
        try:
            lay_all(board, laid, [(tile, many) for tile, many in covers])
        except (ValueError, IndexError, KeyError):
            return False
        return True

    def _join(self, pair: str) -> None:
        segments = [read_segment(self.made, text) for text in pair.split()]
        if len(segments) != 2 or segments[0] is None or segments[1] is None:
            raise SaveError(f"{quoted(pair)} is not a pair of segments")
        try:
            link(self.made, segments[0], segments[1], joins=1)
        except RuleError as fault:
            raise SaveError(fault.message) from None

    def _recast(self, text: str) -> None:
        found = read_recast(self.made, text)
        if found is None:
            raise SaveError(f"{quoted(text)} is not a segment and a kind")
        try:
            become(self.made, *found)
        except RuleError as fault:
            raise SaveError(fault.message) from None

    def _stand(self, entry: dict[str, Any]) -> None:
        match = self.made
        figure = part_of(entry, "figure", int)
        if not 0 <= figure < len(match.spot) or figure_name(match, figure) != entry.get("is"):
            raise SaveError(
                f"the game has no figure {figure} that is {quoted(str(entry.get('is')))}"
            )
        spot = self._spot(part_of(entry, "at", str))
        match.spot[figure] = spot
        if spot != IN_SUPPLY:
            match.in_supply &= ~(1 << figure)
        if spot >= 0:
            match.on_board |= 1 << figure
        if spot >= 0 and spot & 31:
            row = match.board.tile_features[spot >> 5]
            match.board.figures[match.board.find(row[(spot & 31) - 1])] |= 1 << figure
        if "facing" in entry:
            facing = part_of(entry, "facing", str)
            if facing not in SIDES:
                raise SaveError(f"{quoted(facing)} is not a direction")
            match.facing[figure] = SIDES.index(facing)
        if "beside" in entry:
            other = part_of(entry, "beside", int)
            if not 0 <= other < len(match.spot):
                raise SaveError(f"a figure stands beside the figure {other}, which is not there")
            match.attached_to[figure] = other

    def _spot(self, text: str) -> int:
        match = self.made
        if text == "home":
            return IN_SUPPLY
        if text.startswith("front of "):
            player = seat_number(match, text.removeprefix("front of "))
            if player is not None:
                return IN_FRONT_OF - player
        elif text.startswith("beside "):
            stack = self.program.stack_number.get(text.removeprefix("beside "))
            if stack is not None:
                return BESIDE_STACK - stack
        elif "/" in text:
            segment = read_segment(match, text)
            if segment is not None:
                return segment + 1
        else:
            place = read_cell(text)
            tile = None if place is None else match.board.tile_at.get(cell_of(*place))
            if tile is not None:
                return tile << 5
        raise SaveError(f"{quoted(text)} is not a place of a figure")

    def _remembered(self, memory: LinkedMemory, entry: Any) -> Any:
        name = f"`{memory.declaration.id}`"
        value = decoded(entry, name)
        if memory.of:
            if not is_kept(self.made, memory, value):
                raise SaveError(f"expected {name} to keep {in_words(memory.type)} by {memory.of}")
            return value
        if not is_value(self.made, memory.type, value):
            raise SaveError(f"expected {name} to remember {in_words(memory.type)} of this match")
        return value

    # ------------------------------------------------------------------- suspended work

    def _frame(self, entry: Any) -> list[Any]:
        frame = decoded(entry, "a frame")
        if not isinstance(frame, list) or len(frame) < 2:
            raise SaveError("expected each of `frames` to be a list of two or more")
        unit, block = kind_of(frame[0], int, "a rule"), kind_of(frame[1], int, "a place in a rule")
        kept = self.program.kept.get((unit, block))
        if kept is None or len(kept) != len(frame) - 2:
            raise SaveError("a frame belongs to no place of the rules where somebody chooses")
        if not all(is_held(self.made, *pair) for pair in zip(kept, frame[2:], strict=True)):
            raise SaveError("a frame holds what its rule could not hold")
        return frame

    def _decide(self, entry: dict[str, Any]) -> None:
        match = self.made
        match.to_move = self._player("to_move", part_of(entry, "to_move", int))
        match.decision_site = part_of(entry, "site", int)
        match.count = part_of(entry, "count", int)
        match.optional = part_of(entry, "optional", bool)
        match.piece = part_of(entry, "piece", int)
        if not 0 <= match.decision_site < len(self.program.sites):
            raise SaveError("the decision belongs to no rule of the game")
        if not -1 <= match.piece < len(self.program.game.pieces):
            raise SaveError("the decision is about a piece that the game does not have")
        if entry.get("options") is None:
            found = match.board.count(match.piece) if match.piece >= 0 else 0
        elif isinstance(entry["options"], dict):
            found = self._offer_numbers(entry["options"])
        else:
            options = decoded(part_of(entry, "options", list), "`options`")
            if not all(self._is_option(option) for option in options):
                raise SaveError("the decision offers what this match does not have")
            match.options_now = options
            found = len(options)
        if match.count != found + match.optional:
            raise SaveError(f"expected {found + match.optional} options, found {match.count}")

    def _offer_numbers(self, numbers: dict[str, Any]) -> int:
        """Offer numbers in a row; how many there are."""
        site = self.program.sites[self.made.decision_site]
        first: int = part_of(numbers, "first", int)
        count: int = part_of(numbers, "count", int)
        ends_fit = all(is_value(self.made, NUMBER, end) for end in (first, first + count))
        if site.actions or site.type != NUMBER or not 0 < count <= MAX_RANGE or not ends_fit:
            raise SaveError("the decision offers what this match does not have")
        self.made.options_now = range(first, first + count)
        return count

    def _is_option(self, option: Any) -> bool:
        """Whether the rules could offer this where the match waits."""
        site = self.program.sites[self.made.decision_site]
        if not site.actions:
            return is_value(self.made, site.type, option)
        if not isinstance(option, tuple) or not option or type(option[0]) is not int:
            return False
        if not 0 <= option[0] < len(site.actions):
            return False
        offer = site.actions[option[0]].offer
        return len(option) == len(offer) + 1 and all(
            is_value(self.made, source.type.one, value)
            for (_, source), value in zip(offer, option[1:], strict=True)
        )


def decoded(value: Any, what: str, depth: int = 0) -> Any:
    """The inverse of `_plain`."""
    if value is None or type(value) is bool or type(value) is int:
        return value
    if depth < 8 and isinstance(value, list):
        return [decoded(member, what, depth + 1) for member in value]
    if depth < 8 and isinstance(value, dict) and len(value) == 1:
        ((tag, held),) = value.items()
        if tag == "tuple" and isinstance(held, list):
            return tuple(decoded(member, what, depth + 1) for member in held)
        if tag == "number" and isinstance(held, str):
            with contextlib.suppress(ValueError):
                return int(held, 16)
    raise SaveError(f"{what} holds what no rule could have remembered")
