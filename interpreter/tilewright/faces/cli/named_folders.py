"""Rulesets that a command names by id, by folder or by file, as one library.

A ruleset is named by its id, its folder, any file in it, or the one file that it is; a folder of
these names all rulesets inside. Named rulesets come before those that are shipped, and so replace
those with the same id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.faces.cli.exit_codes import UNREADABLE, USAGE, Stop
from tilewright.faces.cli.locked import is_locked, locked_folders, refuse_unlocked
from tilewright.faces.cli.output import mention
from tilewright.faces.cli.settings import configured_folders
from tilewright.language.source.files import expanded
from tilewright.tools.workspace.game_text import address_error, cut_name, looks_like_a_path

if TYPE_CHECKING:
    from tilewright.rules.reading.library import Library


def cut(text: str) -> tuple[str, str]:
    """A word as the name of a ruleset and `:part`, empty for the whole ruleset."""
    from tilewright.rules.reading.parts import no_part, part_of

    message, hint = address_error(text)
    if message:
        raise Stop(UNREADABLE, message, hint)
    name, words = cut_name(text)
    if not words and not text.rstrip().endswith(":"):
        return name, ""
    if looks_like_a_path(name) and not expanded(name).exists():
        raise Stop(UNREADABLE, f"`{name}` does not exist")
    part = part_of(words)
    if isinstance(part, str):
        raise Stop(USAGE, *no_part(part))
    return name, str(part)


def folders_at(path: Path, library: Library) -> list[Path]:
    """The places of rulesets at a path: itself, the folder around a file, or all inside."""
    if path.is_file():
        from tilewright.rules.reading.folder import has_head

        if has_head(path):
            return [path]
        for folder in path.resolve().parents[:3]:
            if (folder / "module.yaml").is_file():
                return [folder]
        message = f"`{path}` is not part of a ruleset: no folder above it has a `module.yaml`"
        is_yaml = path.suffix == ".yaml"
        hint = "a ruleset in one file begins with `id:` and `kind:`" if is_yaml else ""
        raise Stop(UNREADABLE, message, hint)
    inside = library.folders_under(path)
    if not inside:
        for diagnostic in library.unreadable():
            raise Stop(UNREADABLE, diagnostic.message)
        hint = ""
        with suppress(OSError):
            near = [each.name for each in path.iterdir() if _LIKE_MODULE.fullmatch(each.name)]
            hint = f"rename `{near[0]}` to `module.yaml`" if near else ""
        raise Stop(UNREADABLE, f"no ruleset in `{path}`: no `module.yaml` was found", hint)
    return inside


def mention_unread(library: Library) -> None:
    """Print the places in which rulesets could not be looked for, each once."""
    from tilewright.language.source.report import visible

    for message in dict.fromkeys(each.message for each in library.unreadable()):
        mention(f"warning: {visible(message)}")


#: names that are almost that of the file of a module
_LIKE_MODULE = re.compile(r"module\.ya?ml(\.\w+)?", re.IGNORECASE)
#: folders from which their ids are kept in the cache
_MANY_FOLDERS = 8
#: a name, its `:part` or nothing, and the ids of that name if it is a path
_Word = tuple[str, str, tuple[str, ...] | None]


class FolderCollector:
    """Collects the folders that a command names, and makes a library of them.

    Without `is_fresh` the ids of many folders are taken from the cache.
    """

    def __init__(self, with_: Iterable[Path] | None, *, is_fresh: bool = False) -> None:
        from tilewright.rules.reading.library import Library

        self.library: Library = Library(shipped=False)
        self.is_fresh = is_fresh
        self.named: tuple[str, ...] = ()
        #: rulesets and parts that `--with` adds to the game: id and part
        self.added: list[tuple[str, str]] = []
        for folder in locked_folders():
            self.add(folder, is_named=False)
        for text in with_ or ():
            name, part = cut(str(text))
            folder = expanded(name)
            if folder.exists():
                found = self.add(folder)
                self.named += () if part else found
                self.added += [(id_, part) for id_ in found if part]
            elif looks_like_a_path(name):
                raise Stop(UNREADABLE, f"`--with {text}`: the folder does not exist")
            else:
                self.added.append((name, part))

    def add(self, path: Path, *, is_named: bool = True) -> tuple[str, ...]:
        """The ids of the rulesets at a path, which join the library.

        Raises `Stop` where the path `is_named` in the command and another one has the same id.
        """
        found: list[str] = []
        folders = folders_at(path, self.library)
        for folder, own_id in zip(folders, self._ids_in(folders, path), strict=True):
            for id_ in self.library.add(folder, own_id):
                held = self.library.folder(id_)
                if is_named and held and held != folder and held.resolve() != folder.resolve():
                    message = f"`{held}` and `{folder}` both contain the ruleset `{id_}`"
                    hint = f"`tilewright diff {held} {folder}` lists what differs between them"
                    raise Stop(USAGE, message, hint)
                found.append(id_)
        if not found:
            raise Stop(USAGE, f"`{path}` holds rules that rulesets share; it is not a ruleset")
        return tuple(found)

    def _ids_in(self, folders: Sequence[Path], path: Path) -> list[str]:
        """The ids that folders below a path give themselves; empty for those not yet read."""
        if len(folders) < _MANY_FOLDERS or self.is_fresh:
            return [""] * len(folders)
        from tilewright.tools.workspace.cache import user_cache
        from tilewright.tools.workspace.folder_state import ids_in

        return ids_in(folders, path, user_cache(), self.library.own_id)

    def path(self, text: str) -> tuple[str, ...] | None:
        """The ids of the rulesets at a path; None for a text that is not a path."""
        path = expanded(text)
        try:
            if path.exists():
                return self.add(path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise Stop(UNREADABLE, f"`{text}` cannot be read: {reason}") from None
        if looks_like_a_path(text):
            raise Stop(UNREADABLE, f"`{text}` does not exist")
        return None

    def add_configured(self, *, by_default: bool = False) -> tuple[str, ...]:
        """The ids of the rulesets in the folders of the configuration files, which join the
        library; with `by_default` only of those that a verb takes when none is named.
        """
        found: tuple[str, ...] = ()
        for folder in configured_folders(by_default=by_default):
            if self.library.folders_under(folder):
                found += self.add(folder, is_named=False)
        return found

    def finish(self, *, reports_unread: bool = True) -> Library:
        """The library: named folders, those of the configuration file, shipped and installed ones.

        If it `reports_unread`, places that could not be searched are printed. Raises `Stop` where
        `--with` names a ruleset that is not there.
        """
        self.add_configured()
        self.library.add_shipped()
        if reports_unread:
            mention_unread(self.library)
        refuse_unlocked(self.library)
        for name, _ in self.added:
            self.known(name)
        return self.library

    def words(self, texts: Iterable[str]) -> list[_Word]:
        """Each word as a name, a part and the ids of the path, if it is one."""
        cuts = [cut(text) for text in texts]
        return [(name, part, self.path(name)) for name, part in cuts]

    def ids(self, words: Iterable[_Word]) -> tuple[str, ...]:
        """The rulesets of a game: those of the words, and those that `--with` adds."""
        found: list[str] = []
        for name, part, group in words:
            found += [id_ + part for id_ in (group if group is not None else (self.known(name),))]
        found += [name + part for name, part in self.added]
        return tuple(dict.fromkeys(found))

    def known(self, id_: str) -> str:
        """An id of the library; raises `Stop` for an unknown one."""
        from tilewright.language.source.diagnostics import did_you_mean

        ids = self.library.ids()
        if id_ in ids:
            return id_
        shared = id_ in self.library.shared()
        hint = (
            "rulesets share these rules; they are not a ruleset of their own"
            if shared
            else "`--locked` knows only the rulesets of `tilewright.lock`"
            if is_locked.get()
            else ""
            if did_you_mean(id_, ids)
            else "`tilewright rulesets` lists the rulesets; `--with FOLDER` adds others"
        )
        raise Stop(USAGE, f"unknown ruleset `{id_}`{did_you_mean(id_, ids)}", hint)
