"""Match files: a game with its rulesets, a start, and the log of choices and draws.

Everything else is computed: a match is read by playing its log again. Nothing in a file is believed
that the rules do not confirm, so a file can at most name a choice that is not allowed.
`docs/reference/match-file.md` describes the form, `schemas/match.schema.json` its types.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from tilewright.language.source.about import VERSION
from tilewright.language.source.diagnostics import Reporter, Severity, quoted
from tilewright.language.source.files import read_whole, write_whole
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.play.compiling.native import ready_game
from tilewright.play.match import Match
from tilewright.play.match_state import Listener
from tilewright.play.notation import prescribed_draw, prescribed_text
from tilewright.play.program import Program
from tilewright.play.replay import Log, LogError, LogTooLongError, replayed, script_of
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence.carried import (
    Carried,
    CarriedError,
    accepted,
    carried_by,
    library_with,
)
from tilewright.tools.workspace.loading import load_program, split_options

#: entries of a list, and characters of a text
MAX_LOG, MAX_TEXT = 50_000, 4_000


class PartError(Exception):
    """A part of a match file is invalid."""


_SAID = {int: "a number", str: "a text", list: "a list", dict: "a table"}


def of_kind(value: Any, kind: type, what: str) -> Any:
    if type(value) is not kind:
        raise PartError(f"expected {what} to be {_SAID[kind]}")
    return value


def part_of(parts: Mapping[str, Any], name: str, kind: type, usual: Any = None) -> Any:
    """A part by name; raises PartError if it is missing or has another type."""
    if name not in parts and usual is None:
        raise PartError(f"expected a part `{name}`, found none")
    return of_kind(parts.get(name, usual), kind, f"`{name}`")


def part_text(parts: Mapping[str, Any], name: str, usual: str | None = None) -> str:
    found: str = part_of(parts, name, str, usual)
    if len(found) > MAX_TEXT:
        raise PartError(f"expected `{name}` to have at most {MAX_TEXT} characters")
    return found


def texts_of(parts: Mapping[str, Any], name: str, most: int = MAX_TEXT) -> dict[str, str]:
    """A part that is a table of texts."""
    found: dict[str, str] = part_of(parts, name, dict)
    for key, text in found.items():
        if len(of_kind(text, str, f"{quoted(key)} of `{name}`")) > most:
            raise PartError(f"expected {quoted(key)} to have at most {most} characters")
    return found


def list_of(parts: Mapping[str, Any], name: str, kind: type, usual: Any = None) -> Any:
    """A part that is a list of numbers or of texts."""
    found = part_of(parts, name, list, None if usual is None else list(usual))
    if len(found) > MAX_LOG:
        raise PartError(f"expected `{name}` to have at most {MAX_LOG} entries")
    return tuple(of_kind(each, kind, f"each of `{name}`") for each in found)


# ------------------------------------------------------------------ match files


KIND, FORMAT = "match", 3
#: the form of earlier versions: its log is read, its position is not
_OLD_KIND, _OLD_FORMAT = "save", 2
MAX_BYTES = 4 << 20
MAX_SEATS = 100
#: the longest time of the processor in which a log is played again
MAX_SECONDS = 30.0
#: the keys of the position in which a scenario begins
_SITUATION = (
    "active", "turn", "board", "joined", "recast", "figures", "points", "tokens", "stacks",
    "memory",
)  # fmt: skip

_Made = TypeVar("_Made")
#: makes a game by its text and options in a library, as `loading.load_program` does
Load = Callable[[str, Mapping[str, str], Library], tuple[Program | None, Reporter]]


@dataclass(frozen=True, slots=True)
class MatchFile:
    """The content of a match file. `rulesets` are ids, hashes and versions; `extra` are parts that
    only some readers know.
    """

    name: str
    version: str
    game: str
    options: tuple[tuple[str, str], ...]
    hash: str
    rulesets: tuple[tuple[str, str, str], ...]
    carried: Carried
    players: int
    first: int
    seed: int | str
    set_up: Mapping[str, Any]
    log: Log
    next_draws: tuple[str, ...]
    who: tuple[str, ...]  # the kinds of the players in the seats, if given
    extra: Mapping[str, Any]
    old_digest: str = ""  # of the position in a file of the old form


# ------------------------------------------------------------------ writing


def match_text(
    match: Match,
    who: Sequence[str] = (),
    *,
    lines: Sequence[str] | None = None,
    carried: Carried | None = None,
    extra: Mapping[str, Any] | None = None,
) -> str:
    """A match as the text of a file; `who` are words for those who sit at its seats.

    Without the `lines` of its log the match is played again for them. Raises LogError for a match
    that cannot be played again, or whose rulesets cannot be carried.
    """
    game = match.program.game
    try:
        sources = carried_by(match.program) if carried is None else carried
    except CarriedError as error:
        raise LogError(str(error)) from error
    parts = {
        **game_parts(game, sources),
        "players": len(match.players),
        "who": list(who),
        "first": match.first_player,
        "seed": match.seed,
        "setup": _situation(match),
        "log": script_of(match) if lines is None else list(lines),
        "next_draws": list(
            filter(None, (prescribed_text(match.program, n) for n in match.forced_draws or ()))
        ),
        **(extra or {}),
    }
    optional = ("who", "setup", "next_draws")
    return text_of({key: part for key, part in parts.items() if part or key not in optional})


def game_parts(game: Game, carried: Carried) -> dict[str, Any]:
    """A game as parts of a match file; all rulesets but the carried ones must be shipped."""
    hashes = dict(game.hashes)
    ids = dict.fromkeys((*(ruleset.id for ruleset in game.rulesets), *carried))
    versions = {ruleset.id: ruleset.module.version for ruleset in game.rulesets}
    rulesets = {
        id_: {
            "hash": hashes.get(id_, ""),
            "version": versions.get(id_, ""),
            "files": carried.get(id_),
        }
        for id_ in ids
    }
    return {
        "tilewright": KIND,
        "format": FORMAT,
        "version": VERSION,
        "game": split_options(game.id)[0],
        "options": dict(game.options),
        "hash": game.hash,
        "rulesets": {id_: {k: v for k, v in each.items() if v} for id_, each in rulesets.items()},
    }


def text_of(parts: Mapping[str, Any]) -> str:
    """The text of a file: a line for each part, each ruleset and each entry of the log."""
    lines = []
    for name, value in parts.items():
        if value and isinstance(value, list) and name == "log":
            rows = [_json(row) for row in value]
            lines.append(f'  "{name}": [\n    {_ROW.join(rows)}\n  ]')
        elif value and name == "rulesets":
            rows = [f"{_json(key)}: {_json(row)}" for key, row in value.items()]
            lines.append(f'  "{name}": {{\n    {_ROW.join(rows)}\n  }}')
        else:
            lines.append(f'  "{name}": {_json(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


_ROW = ",\n    "


def write_match(text: str, path: Path, reporter: Reporter) -> bool:
    """Write the text of a match to a file as a whole or not at all."""
    try:
        write_whole(path, text)
    except OSError as error:
        message = f"the match cannot be saved: {(error.strerror or 'unknown').lower()}"
        reporter.error("TW907", message, _at(str(path)))
        return False
    return True


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _situation(match: Match) -> dict[str, Any]:
    """The position with which a match began, as a scenario describes it."""
    if match.set_up is None:
        return {}
    from tilewright.tools.scenarios.capture import scenario_data

    data = scenario_data(match.set_up.situation)
    return {key: data[key] for key in _SITUATION if key in data}


# ------------------------------------------------------------------ reading


def read_match_file(path: Path, reporter: Reporter) -> MatchFile | None:
    """The content of a file, or None after a diagnostic; nothing is played."""
    try:
        text = read_whole(path, MAX_BYTES)
    except OSError as error:
        message = f"the match file cannot be read: {(error.strerror or 'unknown').lower()}"
        reporter.error("TW901", message, _at(str(path)))
        return None
    except UnicodeDecodeError:
        reporter.error("TW901", "the match file is not UTF-8 text", _at(str(path)))
        return None
    return parse_match(text, reporter, str(path))


def parse_match(text: str, reporter: Reporter, name: str = "<match>") -> MatchFile | None:
    """The content of a text, or None after a diagnostic; nothing is played."""
    parts = parse_parts(text, reporter, name)
    return None if parts is None else _checked(lambda: _content(parts, name), reporter, name)


def parse_parts(text: str, reporter: Reporter, name: str) -> dict[str, Any] | None:
    """The parts of a match file of a known format, or None after a diagnostic."""
    try:
        parts = json.loads(
            text.removeprefix("\ufeff"), parse_float=_no_number, parse_constant=_no_number
        )
        # half a pair of surrogates is not text
        (json.dumps(parts, ensure_ascii=False) if "\\u" in text else text).encode()
    except json.JSONDecodeError as error:
        span = Span(name, error.lineno, error.colno, error.lineno, error.colno + 1)
        reporter.error(
            "TW901",
            f"the match file is not JSON: {error.msg.lower().removesuffix(' starting at')}",
            span,
        )
        return None
    except (ValueError, RecursionError):
        reporter.error("TW901", "the match file is not JSON that contains a match", _at(name))
        return None
    if not isinstance(parts, dict) or parts.get("tilewright") not in (KIND, _OLD_KIND):
        message = f'expected a match file, which has the part `"tilewright": "{KIND}"`'
        reporter.error("TW902", message, _at(name))
        return None
    if parts.get("format") != (FORMAT if parts["tilewright"] == KIND else _OLD_FORMAT):
        found = quoted(json.dumps(parts["format"])) if "format" in parts else "none"
        message = f"expected a match file of format {FORMAT}, found {found}"
        reporter.error("TW903", message, _at(name), hint="another version of Tilewright wrote it")
        return None
    return parts


def parse_rulesets(parts: Mapping[str, Any], reporter: Reporter, name: str) -> Carried | None:
    """The rulesets that a file carries, or None after a diagnostic."""
    return _checked(lambda: _rulesets(parts)[1], reporter, name)


def _checked(make: Callable[[], _Made], reporter: Reporter, name: str) -> _Made | None:
    """The result of `make`, or None after a diagnostic for a part that it refuses."""
    try:
        return make()
    except PartError as wrong:
        reporter.error("TW902", str(wrong), _at(name))
    except CarriedError as wrong:
        reporter.error("TW913", str(wrong), _at(name))
    return None


def _no_number(text: str) -> Any:
    raise ValueError(text)


def _at(name: str) -> Span:
    return Span(name, 1, 1, 1, 2)


def _rulesets(parts: Mapping[str, Any]) -> tuple[tuple[tuple[str, str, str], ...], Carried]:
    """The rulesets of a file: ids, hashes and versions, and those that it carries."""
    found, carried = [], dict[str, Mapping[str, str]]()
    for id_, entry in part_of(parts, "rulesets", dict, {}).items():
        each = of_kind(entry, dict, f"the entry of {quoted(id_)}")
        found.append((id_, part_text(each, "hash", ""), part_text(each, "version", "")))
        if "files" in each:
            carried[id_] = texts_of(each, "files", most=1 << 20)
    return tuple(found), accepted(carried)


def _content(parts: Mapping[str, Any], name: str) -> MatchFile:
    is_old = parts["tilewright"] == _OLD_KIND
    options = texts_of(parts, "options")
    rulesets, carried = _rulesets(parts)
    players, first = part_of(parts, "players", int), part_of(parts, "first", int, 0)
    if not 1 <= players <= MAX_SEATS or not 0 <= first < players:
        raise PartError("expected `first` to be one of the `players`")
    who = list_of(parts, "who", str, ())
    if len(who) not in (0, players):
        raise PartError("expected `who` to be a text for each player")
    set_up = {} if is_old else part_of(parts, "setup", dict, {})
    if strange := [key for key in set_up if key not in _SITUATION]:
        raise PartError(f"{quoted(strange[0])} does not belong to a position in `setup`")
    seed = parts.get("seed")
    if type(seed) is not int and type(seed) is not str:
        raise PartError("expected `seed` to be a number or a text")
    if len(str(seed)) > MAX_TEXT:
        raise PartError(f"expected `seed` to have at most {MAX_TEXT} characters")
    known = {*_KNOWN, *parts} if is_old else _KNOWN
    return MatchFile(
        name=name,
        version=part_text(parts, "version"),
        game=part_text(parts, "game"),
        options=tuple(sorted(options.items())),
        hash=part_text(parts, "hash"),
        rulesets=rulesets,
        carried=carried,
        players=players,
        first=first,
        seed=seed,
        set_up=set_up,
        log=list_of(parts, "log", int if is_old else str),
        next_draws=list_of(parts, "next_draws", str, ()),
        who=who,
        extra={key: part for key, part in parts.items() if key not in known},
        old_digest=part_text(parts, "digest") if is_old else "",
    )


_KNOWN = frozenset((
    "tilewright", "format", "version", "game", "options", "hash", "rulesets", "players", "who",
    "first", "seed", "setup", "log", "next_draws",
))  # fmt: skip


# ------------------------------------------------------------------ playing again


def load_match(
    text: str, library: Library, reporter: Reporter, name: str = "<match>"
) -> Match | None:
    """The match of a file's text, ready to continue, or None after a diagnostic."""
    file = parse_match(text, reporter, name)
    program = None if file is None else program_of(file, library, reporter)
    return None if file is None or program is None else resumed(file, program, reporter)


def program_of(
    file: MatchFile,
    library: Library,
    reporter: Reporter,
    load: Load = load_program,
    among: Library | None = None,
) -> Program | None:
    """The game of a match: of the rulesets that the file carries, and of those of the library if
    they have the content hash of the match. None after a diagnostic. `among` is the library with
    the carried ones, where it was made before.
    """
    own = Reporter()
    among = among or library_with(file.carried, library, own, file.name)
    program = None
    if not own.has_errors:
        program, linking = load(file.game, dict(file.options), among)
        own.extend(d for d in linking.diagnostics if d.severity is Severity.ERROR)
    if program is None:
        first = next((d for d in own.diagnostics if d.severity is Severity.ERROR), None)
        why = "" if first is None else f": {first.message}"
        message = f"the game {quoted(file.game)} of the match cannot be made{why}"
        reporter.error("TW904", message, _at(file.name))
        return None
    found = program.game.hash
    if found != file.hash:
        message = f"expected the rules with the hash {quoted(file.hash)}, found `{found}`"
        reporter.error("TW905", message, _at(file.name), hint=_what_changed(file, program.game))
        return None
    reporter.extend(own.diagnostics)
    if file.carried:
        carried_by(program, known=file.carried)
    return program


def _what_changed(file: MatchFile, game: Game) -> str:
    """The rulesets that have changed since the match was saved."""
    now = game_parts(game, {})["rulesets"]
    changes = []
    for id_, was, version in file.rulesets:
        found = now.get(id_, {}).get("version", "")
        if id_ not in now and id_ not in file.carried:
            changes.append(f"{quoted(id_)} is not part of the game any more")
        elif id_ in now and version != found:
            changes.append(
                f"{quoted(id_)} is of version {found or 'none'}, not {version or 'none'}"
            )
        elif id_ in now and was != now[id_].get("hash", ""):
            changes.append(f"{quoted(id_)} has other contents")
    known = {id_ for id_, _, _ in file.rulesets}
    changes += [f"{quoted(id_)} is new in it" for id_ in now if known and id_ not in known]
    what = ", ".join(changes) or "the rulesets were changed"
    under = "`tilewright replay FILE --under GAME` plays its choices under the rules of today"
    if file.old_digest:
        under = "its log has numbers of options, which only the same rules give a meaning"
    return f"since the match was saved: {what}; {under}"


def start_of(file: MatchFile, program: Program, reporter: Reporter) -> Match | None:
    """The match of a file before its first step, or None after a diagnostic."""
    refused = program.game.refusal(file.players)
    if refused:
        reporter.error("TW902", refused, _at(file.name))
        return None
    if file.set_up:
        return _set_up(file, program, reporter)
    match = Match(program, file.players, file.seed)
    match.first_player = match.active = file.first
    return match


def _set_up(file: MatchFile, program: Program, reporter: Reporter) -> Match | None:
    """The match in the position that a file describes, which is checked as a scenario's is."""
    from tilewright.tools.scenarios.runner import set_up

    seats = [seat.id for seat in program.game.seats][: file.players]
    entry = {
        "id": "setup", "says": "a match", "game": ["a/b"], "players": seats, "play": ["pass"],
        **file.set_up,
    }  # fmt: skip
    own = Reporter()
    node = read_yaml(_json({"scenarios": [entry]}), file.name, own)
    found = () if node is None else read_scenarios(node, own)
    match = None
    if found and not own.has_errors:
        match = set_up(replace(found[0], id=str(file.seed), lines=()), program, own)
    if match is None or own.has_errors:
        reporter.extend(own.diagnostics)
        return None
    match.first_player = file.first
    return match


def played(
    file: MatchFile, start: Match, upto: int | None = None, listeners: tuple[Listener, ...] = ()
) -> Match:
    """The match at the end of its log, ready to continue, or at the first decision after `upto`
    entries. Raises LogError.
    """
    native = None if listeners else ready_game(start.program)
    match = replayed(start, file.log, upto, listeners=listeners, seconds=MAX_SECONDS, native=native)
    if upto is not None:
        return match
    if file.old_digest and match.digest() != file.old_digest:
        raise LogError("the choices do not lead to the position that was saved")
    for text in file.next_draws:
        if (drawn := prescribed_draw(match.program, text)) is None:
            raise LogError(f"the game has no piece {quoted(text)}, which is to be drawn next")
        match.forced_draws = [*(match.forced_draws or ()), drawn]
    return match


def resumed(
    file: MatchFile, program: Program, reporter: Reporter, listeners: tuple[Listener, ...] = ()
) -> Match | None:
    """The same as `played`, from the program of a match; None after a diagnostic."""
    start = start_of(file, program, reporter)
    if start is None:
        return None
    try:
        return played(file, start, listeners=listeners)
    except LogError as fault:
        code = "TW912" if isinstance(fault, LogTooLongError) else "TW911"
        reporter.error(code, str(fault), _at(file.name))
        return None
