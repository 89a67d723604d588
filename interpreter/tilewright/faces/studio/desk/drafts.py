"""Drafts: texts that are being edited, kept until they are saved or dropped.

A draft belongs to the text of the file it was begun on. While the file has that text, the draft
lies over it, and checks, comparisons and matches use it. Where the file has another text by now, or
is gone, the draft is only offered, and its author decides.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tilewright.faces.studio.client import RefusedError, Studio
from tilewright.faces.studio.places import real_path
from tilewright.language.source.files import read_whole
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES

DRAFTS = "drafts"
FORMAT = 1


class Draft(NamedTuple):
    """A kept draft: its text, when it was changed, and the stamp of the file it was begun on,
    which is empty where the file was not there.
    """

    text: str
    changed: str
    base: str


def begun_now(text: str, base: str) -> Draft:
    """A draft that was changed at this moment."""
    return Draft(text, datetime.now(UTC).isoformat(timespec="seconds"), base)


def stamp_of(text: str) -> str:
    """The stamp of a text: another text has another one."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def stamp_on_disk(path: Path) -> str | None:
    """The stamp of a file, which is empty where there is none; None for one that is not text."""
    try:
        return stamp_of(read_whole(path, MAX_FILE_BYTES))
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        return None


def kept_drafts(studio: Studio) -> dict[str, Draft]:
    """The kept drafts by path."""
    try:
        whole = json.loads(studio.store.kept(DRAFTS).get(_name(studio), "{}"))
        texts = whole.get("texts", {}).items()
        return {str(path): Draft(*map(str, (*draft, "")[:3])) for path, draft in texts}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def drafts_under(studio: Studio, shown: str) -> list[tuple[str, Draft]]:
    """The kept drafts of a file, or of the files of a folder."""
    return [each for each in kept_drafts(studio).items() if f"{each[0]}/".startswith(f"{shown}/")]


def _name(studio: Studio) -> str:
    """The name under which the drafts of these opened folders are kept."""
    return hashlib.blake2b("\n".join(map(str, studio.folders)).encode(), digest_size=8).hexdigest()


def keep_draft(studio: Studio, shown: str, draft: Draft | None) -> None:
    """Keep a draft of a file; None for none any more."""
    drafts = kept_drafts(studio)
    if draft is not None:
        drafts[shown] = draft
    elif drafts.pop(shown, None) is None:
        return
    if not drafts:
        studio.store.drop(DRAFTS, _name(studio))
        return
    whole = {"format": FORMAT, "texts": drafts}
    studio.store.keep(DRAFTS, _name(studio), json.dumps(whole, ensure_ascii=False))


def apply_drafts(studio: Studio) -> set[Path]:
    """Let each kept draft, and no other text, lie over its file, if the file is the one that it was
    begun on. A draft whose file has its text by now is kept no longer. The paths at which another
    text is read than before.
    """
    wanted: dict[Path, str] = {}
    for shown, draft in kept_drafts(studio).items():
        with suppress(RefusedError):
            path = real_path(studio, shown).resolve()
            stamp = stamp_on_disk(path)
            if stamp == stamp_of(draft.text):
                keep_draft(studio, shown, None)
            elif stamp == draft.base:
                wanted[path] = draft.text
    texts = studio.overlay.texts
    changed = {path for path in {*texts, *wanted} if texts.get(path) != wanted.get(path)}
    for path in changed:
        studio.overlay.write(path, wanted.get(path))
    return changed
