"""From names and folders to rulesets and games of a library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path

from tilewright.faces.api.errors import RulesetError
from tilewright.faces.api.matches import Game
from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity
from tilewright.language.source.files import expanded
from tilewright.language.source.text import NOWHERE
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game as LinkedGame
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence.carried import CarriedError, carried_by
from tilewright.tools.workspace.game_text import (
    address_error,
    cut_game,
    cut_name,
    looks_like_a_path,
)
from tilewright.tools.workspace.kept_games import KeptGames
from tilewright.tools.workspace.program_cache import user_programs
from tilewright.tools.workspace.stored_games import StoredGames

Folder = str | PathLike[str]

_KEPT = KeptGames()


class Workspace:
    """The rulesets that come with the package and those of some folders."""

    def __init__(self, folders: Iterable[Folder] = ()) -> None:
        self.library = Library([Path(folder) for folder in folders])

    def ids(self, name: Folder) -> tuple[str, ...]:
        """The rulesets that a name means: one by its id, or all in a folder.

        Raises RulesetError when it is neither.
        """
        if not isinstance(name, str | PathLike):
            raise TypeError(f"expected the name of a ruleset or a folder, found {name!r}")
        text = str(name)
        if not text.strip():
            raise RulesetError([_missing("expected the name of a ruleset, found nothing")])
        if text in self.library.ids():
            return (text,)
        path = expanded(text)
        if path.is_dir():
            inside = self.library.folders_under(path)
            found = tuple(id_ for folder in inside for id_ in self.library.add(folder))
            if found:
                return found
            raise RulesetError(
                self.library.unreadable() or [_missing(f"no ruleset is in `{text}`")]
            )
        message, hint = address_error(text)
        if message:
            raise RulesetError([_missing(f"{message}; {hint}")])
        if isinstance(name, PathLike) or looks_like_a_path(cut_name(text)[0]):
            raise RulesetError([_missing(f"the folder `{text}` does not exist")])
        return (text,)

    def game(self, text: str) -> str:
        """A game as it is written, with ids in place of folders."""
        if not isinstance(text, str):
            raise TypeError(f"expected a game such as `a/b+./c`, found {text!r}")
        names, options = cut_game(text)
        ids = [id_ for name in names for id_ in self.ids(name)]
        return "+".join(ids) + (options and f"?{options}")

    def games(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Several games in this way."""
        return tuple(self.game(text) for text in texts)


def game(
    text: str, options: Mapping[str, str] | None = None, folders: Iterable[Folder] = ()
) -> Game:
    """The game of a text such as `c2/base` or `c2/base+./my-rules?option=value`, ready to play.

    `folders` are looked through for rulesets besides those that come with the package. A game is
    made once, and again only where one of its files has changed. Raises RulesetError when it cannot
    be read or linked.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected a game such as `a/b+./c`, found {text!r}")
    folders, chosen = tuple(map(str, folders)), dict(options or {})

    def linked() -> tuple[LinkedGame, Library]:
        # slow to import, and a stored game needs neither
        from tilewright.rules.analysis.link import link
        from tilewright.tools.workspace.loading import load_selection

        workspace, reporter = Workspace(folders), Reporter()
        selection = load_selection(workspace.game(text), chosen, workspace.library, reporter)
        if selection is None or reporter.has_errors:
            raise RulesetError(reporter.diagnostics)
        if not selection.rulesets:
            raise RulesetError([_missing(f"expected a game such as `a/b`, found `{text}`")])
        found = link(selection, reporter)
        if found is None:
            raise RulesetError(reporter.diagnostics)
        return found, workspace.library

    programs = user_programs()

    def compiled(linked: LinkedGame) -> Program:
        program = programs.program(linked)
        with suppress(CarriedError):  # a save has the rules as they are now, and reports it
            carried_by(program)
        return program

    key = text, tuple(sorted(chosen.items())), folders
    return Game(_KEPT.program(key, linked, compiled, StoredGames(programs.cache)))


def _missing(message: str) -> Diagnostic:
    return Diagnostic("TW221", Severity.ERROR, message, NOWHERE)
