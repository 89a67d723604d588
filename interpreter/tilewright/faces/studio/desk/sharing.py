"""Messages about sharing: a match file with a match, or with a game and its rulesets alone.

The page compresses the text into the fragment of a link, so nothing is sent anywhere. Opening a
link keeps nothing: the rulesets that it carries are checked, and used for this match alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tilewright.faces.studio.client import Client, RefusedError, Studio, Work, refused
from tilewright.faces.studio.desk.outside import notice
from tilewright.faces.studio.jobs.job_queue import MAX_GAMES
from tilewright.faces.studio.places import (
    diagnostics_data,
    is_plain_name,
    opened_folder,
    shown_path,
)
from tilewright.faces.studio.protocol import desk
from tilewright.faces.studio.protocol.table import MatchState
from tilewright.faces.studio.table.keeping import (
    carried,
    damaged,
    file_text,
    loading,
    read_tree,
    seats_of,
)
from tilewright.faces.studio.table.match_tree import MatchTree
from tilewright.faces.studio.table.matches import new_name, state_of, title_of, tree_of
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter, Severity
from tilewright.language.source.files import read_whole, write_whole
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES
from tilewright.play.replay import grouped
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.folder import FILES, FOLDERS, ONE_FILE, is_one_file, name_within
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.other_files import is_read
from tilewright.tools.checking.check import check
from tilewright.tools.persistence.carried import Carried, library_with
from tilewright.tools.persistence.match_file import (
    FORMAT,
    KIND,
    MatchFile,
    game_parts,
    parse_match,
    parse_parts,
    parse_rulesets,
    program_of,
    text_of,
)

NAME = "link"
#: between the titles of games that are compared
_BESIDE = " – "


# ------------------------------------------------------------------ packing


def pack(client: Client, params: desk.PackRequest) -> desk.Packed | Work[desk.Packed]:
    """A match, a game or rulesets as a text."""
    if "match" not in params:
        return Work(_packed_game, (params,))
    studio, tree = client.studio, tree_of(client, params["match"])
    game = tree.match.program.game
    sources = carried(studio, tree.match.program)
    files = {id_: {**_scenarios(studio, id_), **texts} for id_, texts in sources.items()}
    return _packed(file_text(tree, studio, files), title_of(game, client.language), files)


def _packed_game(client: Client, params: desk.PackRequest) -> desk.Packed:
    studio, compared = client.studio, _compared(params)
    named = compared or ([params["game"]] if "game" in params else [])
    programs = [studio.program(text) for text in named]
    sources = {id_: f for each in programs for id_, f in carried(studio, each).items()}
    files: Carried = {id_: {**_scenarios(studio, id_), **f} for id_, f in sources.items()}
    more = (id_ for id_ in params.get("rulesets", []) if id_ in studio.overlay.own)
    files = {**files, **{id_: _files_of(studio, id_) for id_ in more}}
    if not programs and not files:
        raise RefusedError("there is nothing to share: name a match, games or own rulesets")
    parts: Mapping[str, Any] = {
        "tilewright": KIND, "format": FORMAT,
        "rulesets": {id_: {"files": texts} for id_, texts in files.items()},
    }  # fmt: skip
    if compared:
        parts = {**parts, "games": compared}
    elif programs:
        parts = game_parts(programs[0].game, files)
    titles = [title_of(each.game, client.language) for each in programs]
    return _packed(text_of(parts), _BESIDE.join(titles) or ", ".join(files), files)


def _packed(text: str, title: str, files: Carried) -> desk.Packed:
    name = f"{_file_name(title)}.tilewright.json"
    return {"text": text, "name": name, "summary": [title, *_paths(files)]}


def _files_of(studio: Studio, id_: str) -> dict[str, str]:
    """The files of an own ruleset with their unsaved texts, by path."""
    folder = studio.library.folder(id_)
    found: dict[str, str] = {}
    if folder is None:
        return found
    wanted = [folder] if is_one_file(folder) else [folder / name for name in FILES]
    for name in () if is_one_file(folder) else FOLDERS:
        inside = folder / name
        within = sorted(inside.iterdir()) if inside.is_dir() else ()
        wanted += (path for path in within if is_read(path.name, name))
    for path in wanted:
        if path.is_symlink() or (not path.is_file() and path.resolve() not in studio.overlay.texts):
            continue
        text = studio.overlay.texts.get(path.resolve())
        if text is None:
            try:
                text = read_whole(path, MAX_FILE_BYTES)
            except (OSError, ValueError):
                raise RefusedError(f"`{path.name}` cannot be read") from None
        found[name_within(path, folder)] = text
    return found


def _scenarios(studio: Studio, id_: str) -> dict[str, str]:
    """The scenarios of an own ruleset, which belong to what is kept of a link."""
    files = _files_of(studio, id_) if id_ in studio.overlay.own else {}
    return {path: text for path, text in files.items() if path.startswith("scenarios/")}


def _paths(files: Carried) -> dict[str, str]:
    """The files of carried rulesets by the paths at which they are kept."""
    return {
        f"{id_.rpartition('/')[2]}" + (".yaml" if path == ONE_FILE else f"/{path}"): text
        for id_, texts in files.items()
        for path, text in texts.items()
    }


def _file_name(title: str) -> str:
    name = "".join(c if c.isalnum() else "-" for c in title.lower())[:60].strip("-")
    return name or "shared"


# ------------------------------------------------------------------ opening


def play_shared(client: Client, params: desk.OpenRequest) -> Work[MatchState]:
    """The match of a text, played again. Nothing of its rulesets is kept."""

    def seen(tree: MatchTree) -> MatchState:
        client.studio.trees[tree.name] = tree
        return state_of(tree, client.language, None)

    return Work(_played, (params["text"],), seen)


def open_shared(client: Client, params: desk.OpenRequest) -> desk.Opened:
    """The content of a text. Its rulesets are checked, and nothing is kept or played."""
    parts, files = _read(params["text"], client)
    file = _match_of(params["text"], client) if "log" in parts else None
    found: desk.Opened = {
        "title": "", "game": "", "games": [], "options": [], "match": None, "diagnostics": [],
        "problem": "",
        "rulesets": [{"id": id_, "title": id_, "carried": True} for id_ in files],
        "files": [{"path": path, "text": each} for path, each in sorted(_paths(files).items())],
    }  # fmt: skip
    if file is not None:
        bot = Words(client.language)("studio.play_a_bot")
        names = [seat.name or ("" if seat.is_person else bot) for seat in seats_of(file)]
        found["match"] = {"players": names, "choices": len(grouped(file.log)) - 1}
    reporter, titles = Reporter(), list[str]()
    library = library_with(files, client.studio.library, reporter, NAME)
    game, games = None, _compared(parts)
    if not reporter.has_errors and games:
        linked = [loading(client)(text, {}, library) for text in games]
        for _, linking in linked:
            reporter.extend(each for each in linking.diagnostics if each.severity is Severity.ERROR)
        titles = [title_of(p.game, client.language) for p, _ in linked if p is not None]
        found["title"], found["games"] = _BESIDE.join(titles), games
    elif not reporter.has_errors:
        game = _game(parts, files, file, client, library, reporter)
        checked = check(library, tuple(files)) if files else ()
        errors = [each for each in checked if each.severity is Severity.ERROR]
        if errors:  # they are more than linking finds
            reporter = Reporter()
            reporter.extend(errors)
    problem = next((d for d in reporter.diagnostics if d.severity is Severity.ERROR), None)
    # findings of `check` in rules that can be played are shown, and do not prevent it
    is_known = game is not None or (bool(games) and len(titles) == len(games))
    found["problem"] = problem.message if problem is not None and not is_known else ""
    found["diagnostics"] = diagnostics_data(client.studio, reporter.diagnostics)
    if game is not None:
        _describe(game, found, client.language)
    return found


def _compared(parts: Mapping[str, Any]) -> list[str]:
    """The games of a comparison that is shared. Raises RefusedError."""
    games = parts.get("games", [])
    is_read = isinstance(games, list) and len(games) <= MAX_GAMES
    if not is_read or not all(isinstance(text, str) and 0 < len(text) <= 2000 for text in games):
        raise RefusedError(f"expected the names of at most {MAX_GAMES} games")
    return list(games)


def _describe(game: Game, found: desk.Opened, language: str) -> None:
    """Add what the game of a link is to what was found in it."""
    carried_ids = {ruleset["id"] for ruleset in found["rulesets"]}
    usual = {option.id: option.default for r in game.rulesets for option in r.module.options}
    found["title"], found["game"] = title_of(game, language), game.id
    found["options"] = [
        f"{name}: {value}" for name, value in game.options if usual.get(name) != value
    ]
    found["rulesets"] = [
        {
            "id": ruleset.id,
            "title": ruleset.module.title.get(language) or ruleset.id,
            "carried": ruleset.id in carried_ids,
        }
        for ruleset in game.rulesets
    ]
    if found["match"] is not None:
        players = found["match"]["players"]
        found["problem"] = found["problem"] or game.refusal(len(players))
        for number, seat in enumerate(game.seats[: len(players)]):
            players[number] = players[number] or seat.label.get(language) or seat.id


def _played(client: Client, text: str) -> MatchTree:
    parts, files = _read(text, client)
    if "log" not in parts:
        raise RefusedError("this link holds no match")
    file, reporter = _match_of(text, client), Reporter()
    library = library_with(files, client.studio.library, reporter, NAME)
    if reporter.has_errors:
        raise refused(reporter)
    tree = read_tree(new_name(), file, client, among=library)
    tree.is_kept = not file.carried
    return tree


def _read(text: str, client: Client) -> tuple[dict[str, Any], Carried]:
    """The parts of a link, and the rulesets that it carries. Raises RefusedError."""
    reporter = Reporter()
    parts = parse_parts(text, reporter, NAME)
    files = None if parts is None else parse_rulesets(parts, reporter, NAME)
    if parts is None or files is None:
        raise damaged(reporter, client)
    return parts, files


def _match_of(text: str, client: Client) -> MatchFile:
    """The match of a link. Raises RefusedError."""
    reporter = Reporter()
    file = parse_match(text, reporter, NAME)
    if file is None:
        raise damaged(reporter, client)
    return file


def _game(
    parts: Mapping[str, Any],
    files: Carried,
    file: MatchFile | None,
    client: Client,
    library: Library,
    reporter: Reporter,
) -> Game | None:
    """The game of a link, or of its match; None where it names none or cannot be linked."""
    text, options = parts.get("game") or "+".join(files), parts.get("options", {})
    is_read = isinstance(text, str) and isinstance(options, dict) and len(text) <= 2000
    if not is_read or not all(isinstance(v, str) for v in options.values()):
        why = "the game cannot be read"
        raise RefusedError(Words(client.language)("match_text.damaged", why=why))
    if not text:
        return None
    if file is not None:
        program = program_of(file, client.studio.library, reporter, loading(client), among=library)
    else:
        program, linking = loading(client)(text, options, library)
        reporter.extend(each for each in linking.diagnostics if each.severity is Severity.ERROR)
    return None if program is None else program.game


# ------------------------------------------------------------------ keeping


def keep_shared(client: Client, params: desk.KeepShared) -> desk.NewFiles:
    """Write the files of a link into an opened folder, all of them or none."""
    studio = client.studio
    files = _paths(_read(params["text"], client)[1])
    if not files:
        raise RefusedError("this link holds no files")
    if not all(is_plain_name(name) for path in files for name in path.split("/")):
        raise RefusedError("the link contains a file that does not belong to a ruleset")
    inside = opened_folder(studio, params.get("folder", "") or "0")
    tops = sorted({path.split("/")[0] for path in files})
    for top in tops:
        if (inside / top).exists() or (inside / top).is_symlink():
            raise RefusedError(f"there is `{top}` already")
    written: list[Path] = []
    try:
        for path, text in files.items():
            (inside / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(inside / path, text)
            written.append(inside / path)
    except (OSError, UnicodeEncodeError):
        for top in tops:
            shutil.rmtree(inside / top, ignore_errors=True)
            (inside / top).unlink(missing_ok=True)
        raise RefusedError("the files cannot be written") from None
    notice(studio, client)
    id_ = studio.overlay.ruleset_at(written[0]) or ""
    return {"ruleset": id_, "files": [shown_path(studio, path) for path in written]}
