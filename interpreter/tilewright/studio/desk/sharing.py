"""Messages about sharing: a text that holds a game, a match and the author's own files.

The page compresses the text into the fragment of a link, so nothing is sent anywhere. Opening a
link keeps nothing: its rulesets are read from a folder that exists for a moment, checked, and used
beside the library for this match alone.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tilewright.compiling.compile_game import compile_game
from tilewright.linking.game import Game
from tilewright.reading.folder import FILES, FOLDERS
from tilewright.reading.library import Library
from tilewright.runtime.program import Program
from tilewright.source.diagnostics import Diagnostic, Reporter, Severity
from tilewright.source.files import read_whole, write_whole
from tilewright.source.yaml.tree import MAX_FILE_BYTES
from tilewright.studio.client import Client, RefusedError, Studio, Work
from tilewright.studio.desk.files import reopen
from tilewright.studio.places import diagnostics_data, is_plain_name, opened_folder, shown_path
from tilewright.studio.protocol import desk
from tilewright.studio.protocol.table import MatchState
from tilewright.studio.table.match_tree import MatchTree, Sitting
from tilewright.studio.table.matches import new_name, state_of, title_of, tree_of
from tilewright.tools.checking.check import check
from tilewright.tools.persistence.replay import LogError, replayed
from tilewright.tools.workspace.loading import load_game, split_options

FORMAT, WHAT = 1, "shared"
#: files of one link, bytes of all of them, entries of a log
MAX_FILES, MAX_BYTES, MAX_LOG = 60, 1 << 20, 50_000


# ------------------------------------------------------------------ packing


def pack(client: Client, params: desk.PackRequest) -> desk.Packed:
    """A match, a game or rulesets as a text."""
    studio = client.studio
    parts: dict[str, Any] = {"tilewright": WHAT, "format": FORMAT}
    game: Game | None = None
    if "match" in params:
        tree = tree_of(client, params["match"])
        game = tree.match.program.game
        parts["match"] = _match_parts(tree)
    elif "game" in params:
        game = studio.program(params["game"]).game
    ids = list(params.get("rulesets", []))
    if game is not None:
        text, _ = split_options(game.id)
        parts["game"], parts["options"] = text, _changed_options(game)
        ids += [ruleset.id for ruleset in game.rulesets]
    own = [id_ for id_ in dict.fromkeys(ids) if id_ in studio.overlay.own]
    files = {path: text for id_ in own for path, text in _files_of(studio, id_).items()}
    parts["files"] = files
    if game is None and not files:
        raise RefusedError("there is nothing to share: name a match, a game or own rulesets")
    title = title_of(game, client.language) if game is not None else ", ".join(own)
    summary = [title, *(path for path in files)]
    content = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return {"text": content, "name": f"{_file_name(title)}.tilewright.json", "summary": summary}


def _match_parts(tree: MatchTree) -> dict[str, Any]:
    match, start = tree.match, tree.nodes[0].position
    if any(entry >= 0 for entry in start.log):
        raise RefusedError("a match that began with a position of its own is shared as a file")
    return {
        "players": len(match.players),
        "seats": [[seat.kind, seat.name, seat.bot] for seat in tree.seats],
        "seed": match.seed,
        "first": match.first_player,
        "log": match.log,
        "digest": match.digest(),
    }


def _changed_options(game: Game) -> dict[str, str]:
    """The options of a game that are not the usual ones."""
    usual = {option.id: option.default for r in game.rulesets for option in r.module.options}
    return {name: value for name, value in game.options if usual.get(name) != value}


def _files_of(studio: Studio, id_: str) -> dict[str, str]:
    """The files of an own ruleset with their unsaved texts, by path."""
    folder = studio.library.folder(id_)
    found: dict[str, str] = {}
    if folder is None:
        return found
    wanted = [folder / name for name in FILES]
    for name in FOLDERS:
        inside = folder / name
        wanted += sorted(inside.glob("*.yaml")) if inside.is_dir() else []
    for path in wanted:
        if path.is_symlink() or (not path.is_file() and path.resolve() not in studio.overlay.texts):
            continue
        text = studio.overlay.texts.get(path.resolve())
        if text is None:
            try:
                text = read_whole(path, MAX_FILE_BYTES)
            except (OSError, ValueError):
                raise RefusedError(f"`{path.name}` cannot be read") from None
        found[f"{folder.name}/{path.relative_to(folder).as_posix()}"] = text
    return found


def _file_name(title: str) -> str:
    name = "".join(c if c.isalnum() else "-" for c in title.lower())[:60].strip("-")
    return name or "shared"


# ------------------------------------------------------------------ opening


def open_shared(client: Client, params: desk.OpenRequest) -> Work[desk.Opened]:
    """What a text holds. Its rulesets are checked, and nothing is kept or played."""
    return Work(_opened, (params["text"],))


def play_shared(client: Client, params: desk.OpenRequest) -> Work[MatchState]:
    """The match of a text, played again. Nothing of its rulesets is kept."""

    def seen(tree: MatchTree) -> MatchState:
        client.studio.trees[tree.name] = tree
        return state_of(tree, client.language, None)

    return Work(_played, (params["text"],), seen)


def _opened(client: Client, text: str) -> desk.Opened:
    parts = _read(text)
    files = _checked_files(parts)
    found: desk.Opened = {
        "title": "", "game": "", "rulesets": [], "options": [], "match": None,
        "files": [{"path": path, "text": content} for path, content in sorted(files.items())],
        "diagnostics": [], "problem": "",
    }  # fmt: skip
    if "match" in parts:
        found["match"] = _match_summary(parts["match"])
    try:
        with _library_with(client.studio, files) as (library, ids):
            found["rulesets"] = [{"id": id_, "title": id_, "carried": True} for id_ in ids]
            game = _checked_game(parts, ids, library)
    except _UnplayableError as error:
        found["problem"] = str(error)
        found["diagnostics"] = diagnostics_data(client.studio, error.diagnostics)
        return found
    if game is not None:
        found["title"], found["game"] = title_of(game, client.language), game.id
        found["options"] = [f"{name}: {value}" for name, value in _changed_options(game).items()]
        found["rulesets"] = [
            {
                "id": ruleset.id,
                "title": ruleset.module.title.get(client.language) or ruleset.id,
                "carried": ruleset.id in ids,
            }
            for ruleset in game.rulesets
        ]
        if found["match"] is not None:
            players = found["match"]["players"]
            found["problem"] = game.refusal(len(players))
            for number, seat in enumerate(game.seats[: len(players)]):
                players[number] = players[number] or seat.label.get(client.language) or seat.id
    return found


def _played(client: Client, text: str) -> MatchTree:
    parts = _read(text)
    files = _checked_files(parts)
    try:
        with _library_with(client.studio, files) as (library, ids):
            game = _checked_game(parts, ids, library)
    except _UnplayableError as error:
        raise RefusedError(str(error), diagnostics=error.diagnostics) from None
    if game is None or "match" not in parts:
        raise RefusedError("this link holds no match")
    tree = _tree(parts["match"], compile_game(game), client)
    tree.is_kept = not files
    return tree


class _UnplayableError(Exception):
    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


def _read(text: str) -> dict[str, Any]:
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        raise RefusedError("this link is damaged: its text cannot be read") from None
    if not isinstance(parts, dict) or parts.get("tilewright") != WHAT:
        raise RefusedError("this link holds nothing of Tilewright")
    if parts.get("format") != FORMAT:
        raise RefusedError("this link was made by another version of Tilewright")
    return parts


def _checked_files(parts: Mapping[str, Any]) -> dict[str, str]:
    """The files of a link. Raises RefusedError for paths and sizes that no ruleset has."""
    files = parts.get("files", {})
    if not isinstance(files, dict) or len(files) > MAX_FILES:
        raise RefusedError("the link holds too many files")
    found: dict[str, str] = {}
    for path, text in files.items():
        names = path.split("/")
        is_place = len(names) == 2 and names[1] in FILES
        is_place = is_place or (len(names) == 3 and names[1] in FOLDERS)
        if not is_place or not all(map(is_plain_name, names)) or not path.endswith(".yaml"):
            raise RefusedError("the link contains a file that does not belong to a ruleset")
        if not isinstance(text, str):
            raise RefusedError("the link holds a file that is not text")
        found[path] = text
    if sum(len(text) for text in found.values()) > MAX_BYTES:
        raise RefusedError("the files of the link are too large")
    return found


@contextmanager
def _library_with(
    studio: Studio, files: Mapping[str, str]
) -> Iterator[tuple[Library, tuple[str, ...]]]:
    """The library with the rulesets of a link; their ids. The files exist for this moment alone."""
    shipped = set(studio.library.ids()) - set(studio.overlay.own)
    with tempfile.TemporaryDirectory(prefix="tilewright-") as place:
        root = Path(place)
        try:
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8", newline="\n")
        except (OSError, UnicodeEncodeError):
            raise _UnplayableError("the files of the link cannot be read") from None
        library, ids = studio.library, []
        for folder in sorted({root / path.split("/")[0] for path in files}):
            own = Library((folder,), shipped=False)
            reporter = Reporter()
            for id_ in own.ids():
                if id_ in shipped:
                    raise _UnplayableError(f"the link has another `{id_}` than this program")
                ruleset = own.load(id_, reporter)
                if ruleset is None or reporter.has_errors:
                    message = "a ruleset of the link cannot be read"
                    raise _UnplayableError(message, reporter.diagnostics)
                library = library.instead(ruleset)
                ids.append(id_)
            if not own.ids():
                raise _UnplayableError(f"`{folder.name}` has no readable module.yaml")
        yield library, tuple(ids)


def _checked_game(parts: Mapping[str, Any], ids: tuple[str, ...], library: Library) -> Game | None:
    """A link's game, whose carried rulesets are checked; None where it names no game."""
    problems = [d for d in check(library, ids) if d.severity is Severity.ERROR] if ids else []
    if problems:
        raise _UnplayableError(problems[0].message, tuple(problems))
    text, options = parts.get("game") or "+".join(ids), parts.get("options", {})
    if not isinstance(text, str) or not isinstance(options, dict) or len(text) > 2000:
        raise RefusedError("this link is damaged: its game cannot be read")
    if not text:
        return None
    if not all(isinstance(v, str) for v in options.values()):
        raise RefusedError("this link is damaged: its game cannot be read")
    game, reporter = load_game(text, options, library)
    if game is None:
        errors = [d for d in reporter.diagnostics if d.severity is Severity.ERROR]
        raise _UnplayableError(
            errors[0].message if errors else "the game cannot be made", reporter.diagnostics
        )
    return game


def _match_parts_of(parts: Any) -> tuple[int, int, int | str, list[int], list[Sitting]]:
    """Players, first player, seed, log and seats of a link's match. Raises RefusedError."""
    try:
        players, first, seed, log = parts["players"], parts["first"], parts["seed"], parts["log"]
        seats = [_sitting(each) for each in parts["seats"]]
        is_good = (
            type(players) is int and type(first) is int and isinstance(seed, str | int)
            and isinstance(log, list) and len(log) <= MAX_LOG
            and all(type(entry) is int and abs(entry) < 1 << 31 for entry in log)
            and 0 < players <= 12 and len(seats) == players
        )  # fmt: skip
    except (KeyError, TypeError, ValueError):
        is_good = False
    if not is_good:
        raise RefusedError("this link is damaged: its match cannot be read")
    return players, first, seed, log, seats


def _match_summary(parts: Any) -> desk.OpenedMatch:
    """A link's match, before it is played."""
    _, _, _, log, seats = _match_parts_of(parts)
    names = [seat.name or ("" if seat.is_person else seat.bot) for seat in seats]
    return {"players": names, "choices": sum(entry >= 0 for entry in log)}


def _tree(parts: Any, program: Program, client: Client) -> MatchTree:
    """The match of a link, played again. Raises RefusedError."""
    players, first, seed, log, seats = _match_parts_of(parts)
    try:
        start = replayed(program, players, seed, first, log, 0)
        tree = MatchTree(new_name(), start, seats, client.language)
        for entry in log:
            if entry >= 0:
                if not 0 <= entry < tree.match.count or tree.match.to_move < 0:
                    raise LogError("it is not offered")
                tree.choose(entry)
    except (LogError, ValueError) as error:
        raise RefusedError(f"the match of this link cannot be played again: {error}") from None
    if tree.match.digest() != parts.get("digest"):
        raise RefusedError("the match of this link ends differently with the rules of this program")
    return tree


def _sitting(parts: Any) -> Sitting:
    kind, name, bot = parts
    if kind not in ("person", "bot") or not isinstance(name, str) or not isinstance(bot, str):
        raise ValueError(kind)
    return Sitting(kind, name[:60], bot if bot in ("random", "greedy", "mcts") else "greedy")


# ------------------------------------------------------------------ keeping


def keep_shared(client: Client, params: desk.KeepShared) -> desk.NewFiles:
    """Write the files of a link into an opened folder, all of them or none."""
    studio = client.studio
    files = _checked_files(_read(params["text"]))
    if not files:
        raise RefusedError("this link holds no files")
    inside = opened_folder(studio, params.get("folder", "") or "0")
    tops = sorted({path.split("/")[0] for path in files})
    for top in tops:
        if (inside / top).exists() or (inside / top).is_symlink():
            raise RefusedError(f"there is a folder `{top}` already")
    written: list[Path] = []
    try:
        for path, text in files.items():
            (inside / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(inside / path, text)
            written.append(inside / path)
    except (OSError, UnicodeEncodeError):
        for top in tops:
            shutil.rmtree(inside / top, ignore_errors=True)
        raise RefusedError("the files cannot be written") from None
    reopen(client)
    id_ = studio.overlay.ruleset_at(written[0]) or ""
    return {"ruleset": id_, "files": [shown_path(studio, path) for path in written]}
