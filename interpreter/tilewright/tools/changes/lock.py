"""The lock of games, `tilewright.lock`: where their rulesets come from, and what they hold.

A lock has, for each game, its content hash and a short hash of each thing that decides a match, and
for each ruleset its origin, its version and a hash of its files. So a change is found without the
old files, with its meaning for play.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tilewright.language.source.files import read_whole, write_whole
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.files.whole import without_scenarios
from tilewright.rules.reading.folder import files_read, head_of, name_within
from tilewright.rules.reading.library import Library
from tilewright.tools.changes.inventory import Thing, inventory
from tilewright.view.results.impact import Impact

FILE = "tilewright.lock"
_KEY, _FORM = "tilewright", "lock 1"
_MAX_BYTES = 8 * 1024 * 1024
#: hexadecimal digits of the hash of a thing
_DIGITS = 12


class LockError(Exception):
    """A lock that cannot be read, or does not hold what is asked for."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class LockedRuleset:
    """A ruleset or shared folder: from a package, with its version, or a folder, as seen from the
    lock. `version` is the ruleset's own, empty for none, and `files` a hash of its files.
    """

    package: str
    folder: str
    version: str
    files: str

    @property
    def origin(self) -> str:
        """Where it comes from."""
        return self.package or self.folder


@dataclass(frozen=True, slots=True)
class LockedGame:
    """A game; `rulesets` are the ids of all that it is made of, `things` hashes by sort and id."""

    hash: str
    rulesets: tuple[str, ...]
    things: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Lock:
    """The games by their texts, as `text_of` writes them, and all their rulesets by id."""

    games: Mapping[str, LockedGame]
    rulesets: Mapping[str, LockedRuleset]

    def with_game(self, text: str, game: Game, library: Library, place: Path) -> Lock:
        """The lock with one game as it is now; `place` is the folder of the lock."""
        ids = tuple(_ids_of(game, library))
        things = {name: _hashed(content) for name, content in _things(game)}
        games = {**self.games, text: LockedGame(game.hash, ids, things)}
        used = {id_ for each in games.values() for id_ in each.rulesets}
        now = {id_: locked_ruleset(id_, library, place) for id_ in ids}
        rulesets = {**self.rulesets, **{id_: each for id_, each in now.items() if each}}
        return Lock(_sorted(games), {id_: rulesets[id_] for id_ in sorted(used)})


def text_of(ids: str, options: Mapping[str, str]) -> str:
    """The text of a game in a lock: its ids and options, each in order."""
    rest = "&".join(f"{name}={options[name]}" for name in sorted(options))
    return "+".join(sorted(ids.split("+"))) + (rest and f"?{rest}")


def nearest_lock(start: Path) -> Path | None:
    """The lock of a folder or of the nearest one above it, within its repository."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return folder / FILE
        if (folder / ".git").exists():
            return None
    return None


# ------------------------------------------------------------------ files


def read_lock(path: Path) -> Lock:
    """Read a lock. Raises LockError for one that cannot be read."""
    hint = f"`tilewright resolve GAME --lock` writes it again after you delete `{path.name}`"
    try:
        data = json.loads(read_whole(path, _MAX_BYTES))
        if data.get(_KEY) != _FORM:
            raise LockError(f"`{path}` is not a lock of this version of the program", hint)
        games = {
            _text(text): LockedGame(
                _text(each["hash"]),
                tuple(map(_text, each["rulesets"])),
                {_text(name): _text(content) for name, content in each["things"].items()},
            )
            for text, each in data["games"].items()
        }
        rulesets = {
            _text(id_): LockedRuleset(
                *(_text(each[part]) for part in ("package", "folder", "version", "files"))
            )
            for id_, each in data["rulesets"].items()
        }
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise LockError(f"`{path}` cannot be read: {reason}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise LockError(f"`{path}` is damaged", hint) from None
    if not all(id_ in rulesets for each in games.values() for id_ in each.rulesets):
        raise LockError(f"`{path}` is damaged: a ruleset of a game is missing", hint)
    return Lock(games, rulesets)


def write_lock(path: Path, lock: Lock) -> None:
    """Write a lock, whole or not at all. Raises OSError."""
    data = {
        _KEY: _FORM,
        "rulesets": {id_: asdict(each) for id_, each in lock.rulesets.items()},
        "games": {text: asdict(each) for text, each in lock.games.items()},
    }
    write_whole(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _sorted(games: Mapping[str, LockedGame]) -> dict[str, LockedGame]:
    return {text: games[text] for text in sorted(games)}


# ------------------------------------------------------------------ now


def locked_ruleset(id_: str, library: Library, place: Path) -> LockedRuleset | None:
    """A ruleset or shared folder as it is now, seen from a folder; None when it is not there."""
    folder = library.folder(id_)
    if folder is None:
        return None
    origin, module = library.origin(id_), library.load_module(id_)
    where = "" if origin else Path(os.path.relpath(folder, place)).as_posix()
    total = hashlib.sha256()
    for file in files_read(folder):
        if file.parent.name != "scenarios":
            content = file.read_bytes().replace(b"\r\n", b"\n")
            if file == folder:
                text = content.decode("utf-8", "surrogateescape")
                content = without_scenarios(text).encode("utf-8", "surrogateescape")
            total.update(f"{name_within(file, folder)} {len(content)}\n".encode())
            total.update(content)
    version = (module.version if module else None) or ""
    return LockedRuleset(str(origin or ""), where, version, total.hexdigest())


def _ids_of(game: Game, library: Library) -> Iterator[str]:
    """All rulesets and shared folders whose files a game is made of, in order."""
    heads = {head_of(place).resolve(): id_ for id_, (place, _) in library.places().items()}
    files = {file for ruleset in game.rulesets for file in ruleset.files}
    found = {heads.get(Path(file).resolve()) for file in files}
    yield from sorted(id_ for id_ in found | {each.id for each in game.rulesets} if id_)


def _things(game: Game) -> Iterator[tuple[str, str]]:
    """The things that decide the matches of a game, by name, with their content."""
    for thing in inventory(game).values():
        content = thing.binding if thing.order is None else {"order": ", ".join(thing.order)}
        if content:
            yield _name(thing), json.dumps(sorted(content.items()), ensure_ascii=False)


def _name(thing: Thing) -> str:
    """`rule first.tiles`; with a mark for what an option or companion keeps out of the game."""
    kind = "order of" if thing.kind == "order" else thing.kind
    return f"{kind} {thing.id}" + ("" if thing.in_force else _NOT_IN_FORCE)


_NOT_IN_FORCE = ", not in this game"


def _hashed(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]


# ------------------------------------------------------------------ differences


def changed_rulesets(lock: Lock, library: Library, place: Path) -> dict[str, str]:
    """The rulesets that are not as the lock holds them: by id, the difference."""
    found = {}
    for id_, held in lock.rulesets.items():
        now = locked_ruleset(id_, library, place)
        if now is None:
            found[id_] = "is not found any more"
        elif now != held:
            moved = f"comes from {now.origin} instead of {held.origin}"
            version = f"version {now.version or 'none'} instead of {held.version or 'none'}"
            files = "other files" if now.files != held.files else ""
            parts = (
                moved if now.origin != held.origin else "",
                version if now.version != held.version else "",
                files,
            )
            found[id_] = ", ".join(filter(None, parts))
    return found


def changes(held: LockedGame, now: Game) -> list[tuple[Impact, str]]:
    """The changes of a game since it was locked, with their impact on play, the gravest first."""
    things = {name: _hashed(content) for name, content in _things(now)}
    found = []
    for name in sorted(held.things.keys() | things.keys()):
        old, new = held.things.get(name), things.get(name)
        if old != new:
            how = "is new" if old is None else "is gone" if new is None else "has changed"
            is_out = name.endswith(_NOT_IN_FORCE)
            found.append((Impact.BEHAVIOUR if is_out else Impact.BREAKING, f"{name} {how}"))
    return sorted(found, key=lambda each: each[0].rank)
