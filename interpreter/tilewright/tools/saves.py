"""A match as text that another process can go on from, without playing it again.

The text is JSON, one line for each part, in board words where that is exact. It holds the primary
facts only (what was laid, who stands where, what is remembered, what waits to go on) and the log;
features and the frontier follow from laying the same pieces in the same order. A save never runs
anything: what it says is checked part by part, and in the end its digest must come out the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright import __version__
from tilewright.model.geometry import SIDES, read_cell
from tilewright.runtime.board import cell_of, laid_pieces
from tilewright.runtime.kernel import FRONT, HOME
from tilewright.runtime.match import FINAL, OVER, SETUP, TURN, Match
from tilewright.runtime.notation import (
    OTHER_FACE,
    figure_name,
    placement_text,
    read_segment,
    seat_number,
    spot_text,
)
from tilewright.runtime.program import Program
from tilewright.source.diagnostics import Reporter, quoted
from tilewright.source.text import Span
from tilewright.tools.load import split_options

FORMAT = 1
PHASES = {SETUP: "setup", TURN: "turn", FINAL: "final", OVER: "over"}
_EXACT = 1 << 53  # numbers beyond it lose digits in other readers of JSON
MOST_BYTES = 16 << 20  # no match comes near it

#: makes a game by its text and options, as `load.load_program` does
Load = Callable[[str, Mapping[str, str]], tuple[Program | None, Reporter]]


@dataclass(frozen=True, slots=True)
class Save:
    """What a save says of a match as a whole; `parts` is all of it, not yet looked at."""

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


class _Wrong(Exception):
    """A part of a save is not what it should be."""


# ------------------------------------------------------------------ writing


def save_text(match: Match) -> str:
    """A match as the text of a save."""
    lines = []
    for name, value in _parts(match).items():
        many = isinstance(value, list) and name in ("board", "figures", "frames")
        if many and value:
            rows = ",\n".join(f"    {_json(row)}" for row in value)
            lines.append(f'  "{name}": [\n{rows}\n  ]')
        else:
            lines.append(f'  "{name}": {_json(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_save(match: Match, path: Path, reporter: Reporter) -> bool:
    """Write a match to a file as a whole or not at all."""
    try:
        handle, written = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(save_text(match))
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(written, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(written)
            raise
    except OSError as error:
        message = f"the match can not be saved: {(error.strerror or 'unknown').lower()}"
        reporter.error("TW907", message, _at(str(path)))
        return False
    return True


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _parts(match: Match) -> dict[str, Any]:
    game = match.program.game
    pieces = [p.id for p in game.pieces]
    text, _ = split_options(game.id)
    return {
        "tilewright": "save",
        "format": FORMAT,
        "version": __version__,
        "game": text,
        "options": dict(game.options),
        "hash": game.hash,
        "players": len(match.players),
        "first": match.first,
        "seed": match.seed,
        "turn": match.turn,
        "phase": PHASES[match.phase],
        "active": match.active,
        "points": match.points,
        "board": [
            [pieces[piece], placement_text(match, piece, (cell, layout))]
            for piece, layout, cell in laid_pieces(match.board)
        ],
        "figures": [_figure(match, figure) for figure in _moved(match)],
        "stacks": {
            stack.id: [pieces[piece] for piece in held]
            for stack, held in zip(game.stacks, match.stacks, strict=True)
        },
        "streams": [f"{state:016x}" for state in match.streams],
        "memory": {
            slot.declaration.id: _plain(value)
            for slot, value in zip(game.memory, match.memory, strict=True)
        },
        "completed": list(match.board.completed),
        "frames": [_plain(frame) for frame in match.frames],
        "decision": _decision(match),
        "chance": match.chance,
        "log": match.log,
        "digest": match.digest(),
    }


def _moved(match: Match) -> list[int]:
    """Figures that are not as they were in the beginning."""
    known = zip(match.spot, match.facing, match.beside, strict=True)
    return [f for f, state in enumerate(known) if state != (HOME, None, None)]


def _figure(match: Match, figure: int) -> dict[str, Any]:
    said: dict[str, Any] = {"figure": figure, "is": figure_name(match, figure)}
    said["at"] = spot_text(match, figure)
    facing, beside = match.facing[figure], match.beside[figure]
    if facing is not None:
        said["facing"] = SIDES[facing]
    if beside is not None:
        said["beside"] = beside
    return said


def _decision(match: Match) -> dict[str, Any] | None:
    if match.asked < 0:
        return None
    return {
        "asked": match.asked,
        "site": match.site,
        "count": match.count,
        "optional": match.optional,
        "piece": match.piece,
        "options": None if match.options_now is None else _plain([*match.options_now]),
    }


def _plain(value: Any) -> Any:
    """A value of the rules as JSON that can be told back exactly."""
    if isinstance(value, (list, range)):
        return [_plain(member) for member in value]
    if isinstance(value, tuple):
        return {"tuple": [_plain(member) for member in value]}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
        return {"number": hex(value)}
    assert value is None or isinstance(value, (bool, int)), value
    return value


# ------------------------------------------------------------------ reading


def read_save(path: Path, reporter: Reporter) -> Save | None:
    """The save in a file, or None after complaining."""
    try:
        if path.stat().st_size > MOST_BYTES:
            reporter.error("TW901", "the file is too long for a save", _at(str(path)))
            return None
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        message = f"the save can not be read: {(error.strerror or 'unknown').lower()}"
        reporter.error("TW901", message, _at(str(path)))
        return None
    except UnicodeDecodeError:
        reporter.error("TW901", "the save is no UTF-8 text", _at(str(path)))
        return None
    return parse_save(text, reporter, str(path))


def parse_save(text: str, reporter: Reporter, name: str = "<save>") -> Save | None:
    """What a save says of its match, or None after complaining; its position is not made yet."""
    try:
        parts = json.loads(text, parse_float=_no_number, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        span = Span(name, error.lineno, error.colno, error.lineno, error.colno + 1)
        reporter.error("TW901", f"the save is no JSON: {error.msg.lower()}", span)
        return None
    except (ValueError, RecursionError):
        reporter.error("TW901", "the save is no JSON that a match could be in", _at(name))
        return None
    try:
        return _header(parts, name, reporter)
    except _Wrong as wrong:
        reporter.error("TW902", str(wrong), _at(name))
        return None


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _at(name: str) -> Span:
    return Span(name, 1, 1, 1, 2)


def _header(parts: Any, name: str, reporter: Reporter) -> Save | None:
    if not isinstance(parts, dict) or parts.get("tilewright") != "save":
        raise _Wrong('expected a save, which has the part `"tilewright": "save"`')
    if parts.get("format") != FORMAT:
        found = quoted(str(parts.get("format")))
        message = f"expected a save of format {FORMAT}, found {found}"
        reporter.error("TW903", message, _at(name))
        return None
    options = _part(parts, "options", dict)
    for option, choice in options.items():
        _kind(choice, str, f"the option {quoted(option)}")
    seed = parts.get("seed")
    if type(seed) is not int and type(seed) is not str:
        raise _Wrong("expected `seed` to be a number or a text")
    players = _part(parts, "players", int)
    first = _part(parts, "first", int)
    if not 0 <= first < players:
        raise _Wrong("expected `first` to be one of the players")
    return Save(
        name,
        _part(parts, "version", str),
        _part(parts, "game", str),
        tuple(sorted(options.items())),
        _part(parts, "hash", str),
        players,
        first,
        seed,
        tuple(_numbers(parts, "log")),
        _part(parts, "digest", str),
        parts,
    )


_SAID = {int: "a number", str: "a text", list: "a list", dict: "a table", bool: "true or false"}


def _kind(value: Any, kind: type, what: str) -> Any:
    if type(value) is not kind:
        raise _Wrong(f"expected {what} to be {_SAID[kind]}")
    return value


def _part(parts: Mapping[str, Any], name: str, kind: type) -> Any:
    if name not in parts:
        raise _Wrong(f"expected a part `{name}`, found none")
    return _kind(parts[name], kind, f"`{name}`")


def _numbers(parts: Mapping[str, Any], name: str) -> list[int]:
    return [_kind(n, int, f"each of `{name}`") for n in _part(parts, name, list)]


# ------------------------------------------------------------------ going on


def load_match(text: str, load: Load, reporter: Reporter, name: str = "<save>") -> Match | None:
    """The match of a save's text, ready to go on, or None after complaining."""
    save = parse_save(text, reporter, name)
    if save is None:
        return None
    program = program_of(save, load, reporter)
    return None if program is None else resumed(save, program, reporter)


def program_of(save: Save, load: Load, reporter: Reporter) -> Program | None:
    """The game that a save was played by, if it still says the same."""
    program, linking = load(save.game, dict(save.options))
    if program is None:
        first = next(iter(linking.diagnostics), None)
        why = "" if first is None else f": {first.message}"
        message = f"the game {quoted(save.game)} of the save can not be made{why}"
        reporter.error("TW904", message, _at(save.name))
        return None
    found = program.game.hash
    if found != save.hash:
        message = f"expected the rules with the hash {quoted(save.hash)}, found `{found}`"
        hint = "the rulesets were changed after the match was saved"
        reporter.error("TW905", message, _at(save.name), hint=hint)
        return None
    return program


def resumed(save: Save, program: Program, reporter: Reporter) -> Match | None:
    """The match at the position of a save, or None after complaining."""
    if save.version != __version__:
        message = f"expected a save of version {__version__}, found {quoted(save.version)}"
        hint = "the choices of the save can be played again from the start"
        reporter.error("TW903", message, _at(save.name), hint=hint)
        return None
    try:
        match = _Resumer(save, program).match()
        is_same = match is not None and match.digest() == save.digest
    except _Wrong as wrong:
        reporter.error("TW902", str(wrong), _at(save.name))
        return None
    except (ValueError, OverflowError):
        # numbers of thousands of digits
        reporter.error("TW902", "the save holds a number that no match has", _at(save.name))
        return None
    if not is_same:
        message = "the position is not the one that was saved"
        reporter.error("TW906", message, _at(save.name))
        return None
    return match


class _Resumer:
    def __init__(self, save: Save, program: Program) -> None:
        game = program.game
        self.save = save
        self.parts = save.parts
        self.program = program
        if not game.players_least <= save.players <= game.players_most:
            least, most = game.players_least, game.players_most
            raise _Wrong(f"expected {least} to {most} players, found {save.players}")
        self.made = Match(program, save.players, save.seed)

    def match(self) -> Match | None:
        """The match, or None where it can not be put together."""
        match, parts, game = self.made, self.parts, self.program.game
        match.first = self.save.first
        match.turn = _part(parts, "turn", int)
        phase = _part(parts, "phase", str)
        if phase not in PHASES.values():
            raise _Wrong(f"{quoted(phase)} is no phase")
        match.phase = next(number for number, name in PHASES.items() if name == phase)
        match.active = self._player("active", _part(parts, "active", int))
        match.points = _numbers(parts, "points")
        if len(match.points) != len(match.players):
            raise _Wrong("expected `points` for each player")
        if not self._lay():
            return None
        for said in _part(parts, "figures", list):
            self._stand(_kind(said, dict, "each of `figures`"))
        stacks = self._by_id("stacks", [s.id for s in game.stacks])
        match.stacks = [[self._piece(p) for p in _kind(held, list, "a stack")] for held in stacks]
        match.streams = [self._stream(s) for s in _part(parts, "streams", list)]
        if len(match.streams) != len(game.stacks):
            raise _Wrong("expected `streams` for each stack")
        memory = self._by_id("memory", [x.declaration.id for x in game.memory])
        match.memory = [
            _told(value, f"`{x.declaration.id}`")
            for value, x in zip(memory, game.memory, strict=True)
        ]
        completed = _numbers(parts, "completed")
        if not all(0 <= x < len(match.board.parent) for x in completed):
            raise _Wrong("`completed` names a feature that is not there")
        match.board.completed = completed
        match.frames = [self._frame(said) for said in _part(parts, "frames", list)]
        chance = parts.get("chance")
        match.chance = None if chance is None else _numbers(parts, "chance")
        match.log = list(self.save.log)
        if parts.get("decision") is not None:
            self._decide(_part(parts, "decision", dict))
        elif match.frames:
            raise _Wrong("expected a part `decision`, found none")
        return match

    def _by_id(self, name: str, ids: list[str]) -> list[Any]:
        said = _part(self.parts, name, dict)
        if sorted(said) != sorted(ids):
            raise _Wrong(f"expected `{name}` to name {len(ids)} things of the game")
        return [said[id_] for id_ in ids]

    def _player(self, name: str, player: int) -> int:
        if not 0 <= player < len(self.made.players):
            raise _Wrong(f"expected `{name}` to be one of the players")
        return player

    def _piece(self, id_: Any) -> int:
        number = self.program.piece_number.get(_kind(id_, str, "a piece"))
        if number is None:
            raise _Wrong(f"the game has no piece {quoted(id_)}")
        return number

    def _stream(self, text: Any) -> int:
        try:
            state = int(_kind(text, str, "each of `streams`"), 16)
        except ValueError:
            raise _Wrong(f"{quoted(text)} is no state of chance") from None
        if not 0 <= state < 1 << 64:
            raise _Wrong(f"{quoted(text)} is no state of chance")
        return state

    # -------------------------------------------------------------- the table

    def _lay(self) -> bool:
        """Lay the pieces in their order; False when one does not fit."""
        board = self.made.board
        for said in _part(self.parts, "board", list):
            row = _kind(said, list, "each of `board`")
            if len(row) != 2:
                raise _Wrong("expected each of `board` to be a piece and its place")
            piece, words = self._piece(row[0]), _kind(row[1], str, "a place").split(" ", 2)
            place = read_cell(words[0])
            face = int(words[2:] == [OTHER_FACE])
            spelled = None
            if place is not None and len(words) in (2, 2 + face):
                spelled = board.shapes.layout_of(piece, face, words[1])
            if spelled is None or place is None or max(map(abs, place)) >= 500:
                raise _Wrong(f"{quoted(row[1])} is no place of a piece")
            layout, right, up = spelled
            try:
                board.lay(piece, layout, cell_of(place[0] + right, place[1] + up))
            except (ValueError, IndexError):
                return False
        return True

    def _stand(self, said: dict[str, Any]) -> None:
        match = self.made
        figure = _part(said, "figure", int)
        if not 0 <= figure < len(match.spot) or figure_name(match, figure) != said.get("is"):
            raise _Wrong(f"the game has no figure {figure} that is {quoted(str(said.get('is')))}")
        spot = self._spot(_part(said, "at", str))
        match.spot[figure] = spot
        if spot != HOME:
            match.home &= ~(1 << figure)
        if spot >= 0:
            match.placed |= 1 << figure
        if spot >= 0 and spot & 31:
            row = match.board.tile_features[spot >> 5]
            match.board.figures[match.board.find(row[(spot & 31) - 1])] |= 1 << figure
        if "facing" in said:
            facing = _part(said, "facing", str)
            if facing not in SIDES:
                raise _Wrong(f"{quoted(facing)} is no direction")
            match.facing[figure] = SIDES.index(facing)
        if "beside" in said:
            other = _part(said, "beside", int)
            if not 0 <= other < len(match.spot):
                raise _Wrong(f"a figure stands beside the figure {other}, which is not there")
            match.beside[figure] = other

    def _spot(self, text: str) -> int:
        match = self.made
        if text == "home":
            return HOME
        if text.startswith("front of "):
            player = seat_number(match, text.removeprefix("front of "))
            if player is not None:
                return FRONT - player
        elif "/" in text:
            segment = read_segment(match, text)
            if segment is not None:
                return segment + 1
        else:
            place = read_cell(text)
            tile = None if place is None else match.board.tile_at.get(cell_of(*place))
            if tile is not None:
                return tile << 5
        raise _Wrong(f"{quoted(text)} is no place of a figure")

    # -------------------------------------------------------------- what waits to go on

    def _frame(self, said: Any) -> list[Any]:
        frame = _told(said, "a frame")
        if not isinstance(frame, list) or len(frame) < 2:
            raise _Wrong("expected each of `frames` to be a list of two or more")
        if type(frame[0]) is not int or not 0 <= frame[0] < len(self.program.units):
            raise _Wrong("a frame belongs to no rule of the game")
        _kind(frame[1], int, "the second of each frame")
        return frame

    def _decide(self, said: dict[str, Any]) -> None:
        match = self.made
        match.asked = self._player("asked", _part(said, "asked", int))
        match.site = _part(said, "site", int)
        match.count = _part(said, "count", int)
        match.optional = _part(said, "optional", bool)
        match.piece = _part(said, "piece", int)
        if not 0 <= match.site < len(self.program.sites):
            raise _Wrong("the decision belongs to no rule of the game")
        if not -1 <= match.piece < len(self.program.game.pieces):
            raise _Wrong("the decision is about a piece that the game does not have")
        if said.get("options") is None:
            found = match.board.count(match.piece) if match.piece >= 0 else 0
        else:
            match.options_now = _told(_part(said, "options", list), "`options`")
            found = len(match.options_now or ())
        if match.count != found + match.optional:
            raise _Wrong(f"expected {found + match.optional} options, found {match.count}")


def _told(value: Any, what: str, depth: int = 0) -> Any:
    """The value that `_plain` has told."""
    if value is None or type(value) is bool or type(value) is int:
        return value
    if depth < 8 and isinstance(value, list):
        return [_told(member, what, depth + 1) for member in value]
    if depth < 8 and isinstance(value, dict) and len(value) == 1:
        ((tag, held),) = value.items()
        if tag == "tuple" and isinstance(held, list):
            return tuple(_told(member, what, depth + 1) for member in held)
        if tag == "number" and isinstance(held, str):
            with contextlib.suppress(ValueError):
                return int(held, 16)
    raise _Wrong(f"{what} holds what no rule could have remembered")
