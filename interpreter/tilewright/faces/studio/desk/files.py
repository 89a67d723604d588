"""Messages about files: those of the opened folders, their drafts, and new rulesets.

Nothing outside of the opened folders is read or written.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from tilewright.faces.studio.client import CONFLICT, Client, RefusedError, Studio, Work
from tilewright.faces.studio.desk.drafts import (
    apply_drafts,
    begun_now,
    drafts_under,
    keep_draft,
    kept_drafts,
    stamp_of,
    stamp_on_disk,
)
from tilewright.faces.studio.desk.outside import (
    MAX_FILES,
    SUFFIXES,
    announce,
    notice,
    unlisted,
    walk,
)
from tilewright.faces.studio.places import opened_folder, real_path, shown_path
from tilewright.faces.studio.protocol import desk
from tilewright.faces.studio.protocol.common import Nothing
from tilewright.faces.studio.shelf.books import first_sentence
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.source.files import read_whole, write_whole
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES
from tilewright.rules.linking.rule_text import rule_text
from tilewright.rules.reading.folder import has_head, head_of
from tilewright.tools.authoring.expansion import new_expansion
from tilewright.tools.authoring.files import Files, checked_name, in_words, new_folder, write
from tilewright.tools.authoring.house_rule import new_house_rule
from tilewright.tools.authoring.targets import CannotMakeError, find_target
from tilewright.tools.workspace.workspace import Workspace


def list_files(client: Client, params: Nothing) -> desk.FileList:
    """The files of all opened folders, the drafts, and the files whose names have no path here."""
    studio = client.studio
    rows: list[desk.FileRow] = []
    left: list[str] = []
    for number, folder in enumerate(studio.folders):
        rows.append(_row(studio, folder, f"{number}", folder.name))
        for path in walk(folder):
            rows.append(_row(studio, path, shown_path(studio, path), path.name))
            if len(rows) >= MAX_FILES:
                break
        odd = (path.relative_to(folder).as_posix() for path in islice(unlisted(folder), MAX_FILES))
        left += ("".join(c if c.isprintable() else "\ufffd" for c in name) for name in odd)
    kept = sorted(kept_drafts(studio).items())
    drafts: list[desk.Draft] = [{"path": path, "changed": each.changed} for path, each in kept]
    return {"files": rows, "drafts": drafts, "unlisted": left}


def _row(studio: Studio, path: Path, shown: str, name: str) -> desk.FileRow:
    is_folder = path.is_dir()
    id_ = ""
    if has_head(path) or (is_folder and (path / "module.yaml").is_file()):
        id_ = studio.overlay.ruleset_at(head_of(path)) or ""
    size = 0
    with suppress(OSError):
        size = 0 if is_folder else path.stat().st_size
    return {"path": shown, "name": name, "folder": is_folder, "ruleset": id_, "size": size}


# ------------------------------------------------------------------ texts


def read_file(client: Client, params: desk.FileName) -> desk.FileContent:
    """A file, and its draft if it has one; of a file that is gone, its draft alone."""
    studio, shown = client.studio, params["path"]
    path = _file(studio, shown)
    if changed := apply_drafts(studio):  # another program may have written one
        announce(studio, changed, [shown_path(studio, each) for each in changed], None)
    draft, is_there = kept_drafts(studio).get(shown), path.exists()
    if draft is None and not is_there:
        name = shown.partition("/")[2]
        raise RefusedError(f"`{name}` does not exist: it was deleted, or has another name")
    text = _text(path) if is_there else ""
    found: desk.FileContent = {
        "path": shown,
        "text": text,
        "stamp": stamp_of(text) if is_there else "",
        "uri": path.resolve().as_uri(),
    }
    if draft is not None:
        found["draft"], found["draft_stamp"] = draft.text, stamp_of(draft.text)
        found["draft_base"] = draft.base
    return found


def _file(studio: Studio, shown: str) -> Path:
    path = real_path(studio, shown)
    if path.suffix not in SUFFIXES:
        raise RefusedError(f"expected a file that ends with {', '.join(SUFFIXES)}")
    return path


def _text(path: Path) -> str:
    try:
        with _refusing(path.name, "read"):
            return read_whole(path, MAX_FILE_BYTES)
    except ValueError:
        raise RefusedError(f"`{path.name}` is not UTF-8 text") from None


def write_file(client: Client, params: desk.FileWrite) -> desk.FileContent:
    """Save a text. A file or draft that has changed since it was read is not overwritten, and a
    file that was deleted is not made again.
    """
    studio, shown, text = client.studio, params["path"], params["text"]
    path = _file(studio, shown)
    saved = stamp_of(_text(path)) if path.exists() else ""
    if saved not in (params["stamp"], stamp_of(text)):
        if not params["stamp"]:
            raise RefusedError(f"`{path.name}` is there already", CONFLICT)
        what = "has changed" if saved else "was deleted"
        raise RefusedError(f"`{path.name}` {what} since it was read", CONFLICT)
    _expect_draft(studio, shown, params.get("draft_stamp", ""), text)
    _save(path, text)
    keep_draft(studio, shown, None)
    notice(studio, client, path.resolve())
    return read_file(client, {"path": shown})


def _save(path: Path, text: str) -> None:
    with _refusing(path.name, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)


def rename_file(client: Client, params: desk.FileRename) -> desk.FileList:
    """Give a file or folder a new path in its opened folder."""
    studio = client.studio
    old, new = real_path(studio, params["path"]), real_path(studio, params["to"])
    if old.is_file():
        _file(studio, params["to"])
    if not old.exists():
        raise RefusedError(f"`{old.name}` does not exist")
    if new.exists():
        raise RefusedError(f"`{new.name}` is there already")
    with _refusing(old.name, "renamed"):
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
    for shown, draft in drafts_under(studio, params["path"]):
        keep_draft(studio, shown, None)
        keep_draft(studio, params["to"] + shown.removeprefix(params["path"]), draft)
    notice(studio, client)
    return list_files(client, {})


def delete_file(client: Client, params: desk.FileName) -> desk.FileList:
    """Delete a file, or a folder of a ruleset with what is in it."""
    studio = client.studio
    path = real_path(studio, params["path"])
    with _refusing(path.name, "deleted"):
        if path.is_dir():
            if any(part.suffix not in SUFFIXES for part in path.rglob("*") if part.is_file()):
                message = f"`{path.name}` contains files that do not belong to a ruleset"
                raise RefusedError(message)
            shutil.rmtree(path)
        else:
            _file(studio, params["path"]).unlink()
    for shown, _ in drafts_under(studio, params["path"]):
        keep_draft(studio, shown, None)
    notice(studio, client)
    return list_files(client, {})


# ------------------------------------------------------------------ drafts


def write_draft(client: Client, params: desk.DraftWrite) -> desk.DraftStamp:
    """Keep a text that is being edited, or nothing any more. A draft that has changed since it was
    read is not overwritten.
    """
    studio, shown, text = client.studio, params["path"], params["text"]
    path = _file(studio, shown)
    _expect_draft(studio, shown, params["stamp"], text)
    base = params.get("base", stamp_on_disk(path.resolve()) or "")
    kept = kept_drafts(studio).get(shown)
    if (kept and (kept.text, kept.base)) != (text and (text, base)):
        keep_draft(studio, shown, None if text is None else begun_now(text, base))
        announce(studio, {path.resolve(), *apply_drafts(studio)}, [shown], client)
    return {"stamp": "" if text is None else stamp_of(text)}


def _expect_draft(studio: Studio, shown: str, stamp: str, text: str | None) -> None:
    """Refuse to replace a draft that is neither the one with a stamp nor a text already."""
    kept = kept_drafts(studio).get(shown)
    if kept is not None and kept.text != text and stamp_of(kept.text) != stamp:
        name = shown.rpartition("/")[2]
        raise RefusedError(f"the draft of `{name}` has changed since it was read", CONFLICT)


# ------------------------------------------------------------------ new rulesets


def new_ruleset(client: Client, params: desk.NewRuleset) -> Work[desk.NewFiles]:
    """Write a new folder from a template."""
    studio, name = client.studio, params["name"]
    inside = _folder(studio, params.get("folder", ""))
    with _refusing(name, "made"):
        folder = new_folder(name, inside)

    def written(made: tuple[str, Files]) -> desk.NewFiles:
        id_, files = made
        with _refusing(name, "written"):
            paths = write(files, folder)
        notice(studio, client)
        return {"ruleset": id_, "files": [shown_path(studio, path) for path in paths]}

    return Work(_new_files, (params,), written)


@contextmanager
def _refusing(name: str, done: str) -> Iterator[None]:
    """Refuse a file or folder with which something cannot be `done` in the block."""
    try:
        yield
    except CannotMakeError as error:
        raise RefusedError(str(error)) from None
    except UnicodeEncodeError:
        reason = "it contains characters that utf-8 cannot encode"
        raise RefusedError(f"`{name}` cannot be {done}: {reason}") from None
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise RefusedError(f"`{name}` cannot be {done}: {reason}") from None


def _new_files(client: Client, params: desk.NewRuleset) -> tuple[str, Files]:
    """The id of a new ruleset, and its files. Raises RefusedError."""
    library, name, game = client.studio.library, params["name"], params.get("game", "")
    wanted = next((id_ for id_ in _ids(game) if id_ not in library.ids()), None)
    if wanted is not None:
        near = did_you_mean(wanted, library.ids())
        raise RefusedError(f"unknown ruleset `{wanted}`{near}")
    workspace, first = Workspace(library), _ids(game)[0] if game else ""
    with _refusing(name, "made"):
        if params["template"] == "house-rule" and params.get("on"):
            made = new_house_rule(name, find_target(params["on"], workspace, first), workspace)
            return made.id, made.files
        if params["template"] == "expansion":
            return new_expansion(name, workspace, first)
        return _empty(client, params)


def _folder(studio: Studio, shown: str) -> Path:
    """An opened folder, or a folder in one."""
    return real_path(studio, shown) if "/" in shown else opened_folder(studio, shown or "0")


def _ids(game: str) -> list[str]:
    return [part.partition(":")[0].strip() for part in game.partition("?")[0].split("+") if part]


def _empty(client: Client, params: desk.NewRuleset) -> tuple[str, Files]:
    """A house rule on a game that changes nothing yet."""
    library, name = client.studio.library, checked_name(params["name"])
    id_ = f"house/{name}"
    if id_ in library.ids():
        raise CannotMakeError(f"there is a ruleset `{id_}` already")
    ids = (
        _ids(params.get("game", ""))
        or [
            i
            for i in library.ids()
            if (m := library.load_module(i)) is not None and m.kind == "base"
        ][:1]
    )
    requires = {}
    for each in ids:
        module = library.load_module(each)
        role = next(iter(module.provides), "") if module is not None else ""
        requires[role or each.rpartition("/")[2]] = each
    title = params.get("title") or in_words(name)
    module_data: dict[str, object] = {
        "id": id_, "kind": "house", "title": title, "requires": requires,
    }  # fmt: skip
    return id_, {"module.yaml": ("", module_data), "rules/rules.yaml": ("", {"rules": []})}


# ------------------------------------------------------------------ targets of house rules


def targets(client: Client, params: desk.TargetsRequest) -> desk.Targets:
    """Everything of a game that a house rule may change, with its sentence."""
    game = client.studio.program(params["game"], params.get("options")).game
    language = client.language
    statements = game.statements()
    found: list[desk.Target] = []
    for value in game.values.values():
        declared = value.declaration
        found.append(
            {
                "id": declared.id, "kind": "value", "label": declared.id,
                "says": declared.says
                or first_sentence(declared.statements, statements, language),
                "value": value.history[-1][1], "ruleset": value.history[0][0],
            }
        )  # fmt: skip
    for linked in game.rules():
        head = linked.rule.head
        found.append(
            {
                "id": head.id, "kind": "rule", "label": head.label.get(language) or head.id,
                "says": head.says or first_sentence(head.statements, statements, language),
                "value": rule_text(linked.rule), "ruleset": linked.ruleset,
            }
        )  # fmt: skip
    for step in game.steps:
        label = step.declaration.label.get(language)
        found.append(
            {
                "id": step.id, "kind": "step", "label": label or step.id, "says": label,
                "value": "", "ruleset": step.ruleset,
            }
        )  # fmt: skip
    return {"targets": found}
