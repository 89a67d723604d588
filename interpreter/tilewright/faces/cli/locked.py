"""The switch `--locked`: a run that refuses what `tilewright.lock` does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.faces.cli.exit_codes import PROBLEMS, UNREADABLE, Stop

if TYPE_CHECKING:
    from tilewright.rules.reading.library import Library
    from tilewright.tools.changes.lock import Lock

#: whether a run refuses what the lock does not hold
is_locked: ContextVar[bool] = ContextVar("is_locked", default=False)
#: changes that a message lists
_MOST = 12
_AGAIN = "`tilewright resolve GAME --lock` accepts what is there now"


def locked_folders() -> Iterable[Path]:
    """The folders of rulesets that the lock names and that are there, in a locked run."""
    if is_locked.get():
        from tilewright.rules.reading.folder import head_of

        path, lock = _lock()
        folders = (path.parent / each.folder for each in lock.rulesets.values() if each.folder)
        yield from (folder for folder in folders if head_of(folder).is_file())


def refuse_unlocked(library: Library) -> None:
    """Raise `Stop` where a run is locked and a ruleset is not as the lock holds it.

    The message lists what has changed in the games of the lock. Rulesets that the lock does not
    hold cannot be named from then on.
    """
    if not is_locked.get():
        return
    from tilewright.rules.reading.limits import shown
    from tilewright.tools.changes.lock import changed_rulesets

    path, lock = _lock()
    changed = changed_rulesets(lock, library, path.parent)
    if not changed:
        library.name_only(lock.rulesets)
        return
    lines = [f"the rulesets are not as `{shown(path)}` holds them", *map(" ".join, changed.items())]
    lines += _meaning(lock, changed, library)
    raise Stop(PROBLEMS, "\n  ".join(lines), _AGAIN)


def refuse_other_game(ids: str, options: Mapping[str, str]) -> None:
    """Raise `Stop` where a run is locked and the lock does not hold this game."""
    if not is_locked.get():
        return
    from tilewright.rules.reading.limits import shown
    from tilewright.tools.changes.lock import text_of

    path, lock = _lock()
    text = text_of(ids, options)
    if text not in lock.games:
        held = ", ".join(f"`{each}`" for each in lock.games) or "no game"
        message = f"`{shown(path)}` does not hold the game `{text}`; it holds {held}"
        raise Stop(PROBLEMS, message, _AGAIN)


def _lock() -> tuple[Path, Lock]:
    from tilewright.tools.changes.lock import FILE, nearest_lock

    path = nearest_lock(Path.cwd())
    if path is None:
        hint = "`tilewright resolve GAME --lock` writes it"
        raise Stop(UNREADABLE, f"`--locked` needs a file `{FILE}` in this folder or above it", hint)
    return path, lock_at(path)


def lock_at(path: Path) -> Lock:
    """The lock in a file; raises `Stop` for one that cannot be read."""
    from tilewright.tools.changes.lock import LockError, read_lock

    try:
        return read_lock(path)
    except LockError as error:
        raise Stop(UNREADABLE, str(error), error.hint) from None


def _meaning(lock: Lock, changed: Mapping[str, str], library: Library) -> Iterable[str]:
    """The meaning of changed rulesets for play, game by game."""
    from tilewright.tools.changes.lock import changes
    from tilewright.tools.workspace.loading import load_game

    for text, held in lock.games.items():
        if changed.keys().isdisjoint(held.rulesets):
            continue
        now, _ = load_game(text, {}, library)
        if now is None:
            yield f"`{text}` cannot be made any more; `tilewright check` lists the errors"
        elif now.hash == held.hash:
            yield f"`{text}` has the same hash: matches are played as before"
        else:
            found = changes(held, now)
            yield f"`{text}` has another hash, so kept matches do not go on:"
            yield from (f"  {impact}: {what}" for impact, what in found[:_MOST])
            if len(found) > _MOST:
                yield f"  and {len(found) - _MOST} more"
