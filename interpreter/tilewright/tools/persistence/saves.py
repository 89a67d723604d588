"""A match as text that another process can continue without a replay.

The text is JSON, one line for each part, in board notation where that is exact. It has the primary
facts only (placements, figures, memory, suspended work) and the log; features and the frontier
follow from laying the same pieces in the same order. A save never runs code: its content is checked
part by part, and in the end its digest must be equal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tilewright.linking.game import Game
from tilewright.model.geometry import SIDES
from tilewright.runtime.board.rebuild import laid_pieces
from tilewright.runtime.encoding import IN_SUPPLY
from tilewright.runtime.match import Match
from tilewright.runtime.notation import (
    figure_name,
    joins_text,
    placement_text,
    recasts_text,
    spot_text,
)
from tilewright.runtime.program import Program
from tilewright.source.about import VERSION
from tilewright.source.diagnostics import Reporter, quoted
from tilewright.source.files import read_whole, write_whole
from tilewright.source.text import Span
from tilewright.tools.persistence.restore import (
    PHASES,
    Resumer,
    Save,
    SaveError,
    kind_of,
    numbers_of,
    part_of,
)
from tilewright.tools.workspace.loading import split_options

__all__ = [
    "Save",
    "load_match",
    "parse_save",
    "program_of",
    "read_save",
    "resumed",
    "save_text",
    "write_save",
]

FORMAT = 2
_EXACT = 1 << 53  # numbers beyond it lose digits in other readers of JSON
MAX_BYTES = 1 << 20  # no match comes near it

#: makes a game by its text and options, as `loading.load_program` does
Load = Callable[[str, Mapping[str, str]], tuple[Program | None, Reporter]]


# ------------------------------------------------------------------ writing


def save_text(match: Match, who: Sequence[str] = ()) -> str:
    """A match as the text of a save; `who` are words for those who sit at its seats."""
    lines = []
    for name, value in _parts(match, who).items():
        many = isinstance(value, list) and name in ("board", "figures", "frames")
        if many and value:
            rows = ",\n".join(f"    {_json(row)}" for row in value)
            lines.append(f'  "{name}": [\n{rows}\n  ]')
        else:
            lines.append(f'  "{name}": {_json(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_save(match: Match, path: Path, reporter: Reporter, who: Sequence[str] = ()) -> bool:
    """Write a match to a file as a whole or not at all."""
    try:
        write_whole(path, save_text(match, who))
    except OSError as error:
        message = f"the match cannot be saved: {(error.strerror or 'unknown').lower()}"
        reporter.error("TW907", message, _at(str(path)))
        return False
    return True


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _parts(match: Match, who: Sequence[str]) -> dict[str, Any]:
    game = match.program.game
    pieces = [each.id for each in game.stacked]
    text, _ = split_options(game.id)
    return {
        "tilewright": "save",
        "format": FORMAT,
        "version": VERSION,
        "game": text,
        "options": dict(game.options),
        "hash": game.hash,
        "rulesets": rulesets_of(game),
        "players": len(match.players),
        "who": list(who),
        "first": match.first_player,
        "seed": match.seed,
        "turn": match.turn,
        "phase": PHASES[match.phase],
        "active": match.active,
        "points": match.points,
        "tokens": match.tokens,
        "board": [
            [pieces[piece], placement_text(match, piece, (cell, layout))]
            for piece, layout, cell in laid_pieces(match.board)
        ],
        **({"covered": match.board.covers} if match.board.covers else {}),
        **({"joined": joins_text(match)} if match.board.links else {}),
        **({"recast": recasts_text(match)} if match.board.recasts else {}),
        "figures": [_figure(match, figure) for figure in _moved(match)],
        "stacks": {
            stack.id: [pieces[piece] for piece in held]
            for stack, held in zip(game.stacks, match.stacks, strict=True)
        },
        "loose": [pieces[piece] for piece in match.loose],
        "streams": [f"{state:016x}" for state in match.streams],
        "memory": {
            slot.declaration.id: _plain(value)
            for slot, value in zip(game.memory, match.memory, strict=True)
        },
        "completed": list(match.board.completed),
        "frames": [_plain(frame) for frame in match.frames],
        "decision": _decision(match),
        "chance": match.forced_draws,
        "log": match.log,
        "digest": match.digest(),
    }


def rulesets_of(game: Game) -> dict[str, dict[str, str]]:
    """Each ruleset of a game: the hash of its content, and its version if it has one."""
    hashes = dict(game.hashes)
    return {
        ruleset.id: {"hash": hashes.get(ruleset.id, "")}
        | ({"version": ruleset.module.version} if ruleset.module.version else {})
        for ruleset in game.rulesets
    }


def _moved(match: Match) -> list[int]:
    """Figures that are not as they were in the beginning."""
    known = zip(match.spot, match.facing, match.attached_to, strict=True)
    return [f for f, state in enumerate(known) if state != (IN_SUPPLY, None, None)]


def _figure(match: Match, figure: int) -> dict[str, Any]:
    entry: dict[str, Any] = {"figure": figure, "is": figure_name(match, figure)}
    entry["at"] = spot_text(match, figure)
    facing, beside = match.facing[figure], match.attached_to[figure]
    if facing is not None:
        entry["facing"] = SIDES[facing]
    if beside is not None:
        entry["beside"] = beside
    return entry


def _decision(match: Match) -> dict[str, Any] | None:
    if match.to_move < 0:
        return None
    return {
        "to_move": match.to_move,
        "site": match.decision_site,
        "count": match.count,
        "optional": match.optional,
        "piece": match.piece,
        "options": None if match.options_now is None else _options(match.options_now),
    }


def _options(options: Sequence[Any]) -> Any:
    """The options of a decision; numbers in a row as the first one and how many they are."""
    if isinstance(options, range):
        return {"first": options.start, "count": len(options)}
    return _plain([*options])


def _plain(value: Any) -> Any:
    """A value of the rules as JSON that can be restored exactly."""
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if isinstance(value, tuple):
        return {"tuple": [_plain(member) for member in value]}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _EXACT:
        return {"number": hex(value)}
    assert value is None or isinstance(value, (bool, int)), value
    return value


# ------------------------------------------------------------------ reading


def read_save(path: Path, reporter: Reporter) -> Save | None:
    """The save in a file, or None after a diagnostic."""
    try:
        if path.stat().st_size > MAX_BYTES:
            reporter.error("TW901", "the file is too long for a save", _at(str(path)))
            return None
        text = read_whole(path, MAX_BYTES)
    except OSError as error:
        message = f"the save cannot be read: {(error.strerror or 'unknown').lower()}"
        reporter.error("TW901", message, _at(str(path)))
        return None
    except UnicodeDecodeError:
        reporter.error("TW901", "the save is not UTF-8 text", _at(str(path)))
        return None
    return parse_save(text, reporter, str(path))


def parse_save(text: str, reporter: Reporter, name: str = "<save>") -> Save | None:
    """The content of a save, or None after a diagnostic; its position is not built yet."""
    try:
        parts = json.loads(text, parse_float=_no_number, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        span = Span(name, error.lineno, error.colno, error.lineno, error.colno + 1)
        reporter.error("TW901", f"the save is not JSON: {error.msg.lower()}", span)
        return None
    except (ValueError, RecursionError):
        reporter.error("TW901", "the save is not JSON that contains a match", _at(name))
        return None
    try:
        return _header(parts, name, reporter)
    except SaveError as wrong:
        reporter.error("TW902", str(wrong), _at(name))
        return None


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _at(name: str) -> Span:
    return Span(name, 1, 1, 1, 2)


def _header(parts: Any, name: str, reporter: Reporter) -> Save | None:
    if not isinstance(parts, dict) or parts.get("tilewright") != "save":
        raise SaveError('expected a save, which has the part `"tilewright": "save"`')
    if parts.get("format") != FORMAT:
        found = quoted(json.dumps(parts["format"])) if "format" in parts else "none"
        message = f"expected a save of format {FORMAT}, found {found}"
        hint = "only the version of Tilewright that wrote the save can read it"
        reporter.error("TW903", message, _at(name), hint=hint)
        return None
    options = part_of(parts, "options", dict)
    for option, choice in options.items():
        kind_of(choice, str, f"the option {quoted(option)}")
    seed = parts.get("seed")
    if type(seed) is not int and type(seed) is not str:
        raise SaveError("expected `seed` to be a number or a text")
    players = part_of(parts, "players", int)
    first = part_of(parts, "first", int)
    if not 0 <= first < players:
        raise SaveError("expected `first` to be one of the players")
    rulesets = []
    for ruleset, entry in (part_of(parts, "rulesets", dict) if "rulesets" in parts else {}).items():
        kind_of(entry, dict, f"the entry of {quoted(ruleset)}")
        pair = [kind_of(entry.get(name, ""), str, f"`{name}`") for name in ("hash", "version")]
        rulesets.append((ruleset, pair[0], pair[1]))
    who = parts.get("who", [])
    kind_of(who, list, "`who`")
    if len(who) not in (0, players) or not all(type(word) is str for word in who):
        raise SaveError("expected `who` to be a text for each player")
    return Save(
        name,
        part_of(parts, "version", str),
        part_of(parts, "game", str),
        tuple(sorted(options.items())),
        part_of(parts, "hash", str),
        players,
        first,
        seed,
        tuple(numbers_of(parts, "log")),
        part_of(parts, "digest", str),
        parts,
        tuple(who),
        tuple(rulesets),
    )


# ------------------------------------------------------------------ going on


def load_match(text: str, load: Load, reporter: Reporter, name: str = "<save>") -> Match | None:
    """The match of a save's text, ready to continue, or None after a diagnostic."""
    save = parse_save(text, reporter, name)
    if save is None:
        return None
    program = program_of(save, load, reporter)
    return None if program is None else resumed(save, program, reporter)


def program_of(save: Save, load: Load, reporter: Reporter) -> Program | None:
    """The game of a save, if its content hash is still the same."""
    program, linking = load(save.game, dict(save.options))
    if program is None:
        first = next(iter(linking.diagnostics), None)
        why = "" if first is None else f": {first.message}"
        message = f"the game {quoted(save.game)} of the save cannot be made{why}"
        reporter.error("TW904", message, _at(save.name))
        return None
    found = program.game.hash
    if found != save.hash:
        message = f"expected the rules with the hash {quoted(save.hash)}, found `{found}`"
        reporter.error("TW905", message, _at(save.name), hint=_what_changed(save, program.game))
        return None
    return program


def _what_changed(save: Save, game: Game) -> str:
    """The rulesets that have changed since the match was saved."""
    now = rulesets_of(game)
    changes = []
    for id_, was, version in save.rulesets:
        found = now.get(id_, {}).get("version", "")
        if id_ not in now:
            changes.append(f"{quoted(id_)} is not part of the game any more")
        elif version != found:
            changes.append(
                f"{quoted(id_)} is of version {found or 'none'}, not {version or 'none'}"
            )
        elif was != now[id_]["hash"]:
            changes.append(f"{quoted(id_)} has other contents")
    known = {id_ for id_, _, _ in save.rulesets}
    changes += [f"{quoted(id_)} is new in it" for id_ in now if known and id_ not in known]
    if not changes:
        return "the rulesets were changed after the match was saved"
    return f"since the match was saved: {', '.join(changes)}; `tilewright diff` lists the changes"


def resumed(save: Save, program: Program, reporter: Reporter) -> Match | None:
    """The match at the position of a save, or None after a diagnostic."""
    if save.version != VERSION:
        message = f"expected a save of version {VERSION}, found {quoted(save.version)}"
        hint = "the choices of the save can be played again from the start"
        reporter.error("TW903", message, _at(save.name), hint=hint)
        return None
    try:
        match = Resumer(save, program).match()
        is_same = match is not None and match.digest() == save.digest
    except SaveError as wrong:
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
