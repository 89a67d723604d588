"""Old spellings of verbs and options: they work for one more release, with a note.

The words of a run are rewritten before they are parsed, so a verb knows its present options only.
"""

from __future__ import annotations

from collections.abc import Sequence

#: by old verb: the verb today, and an option for which its argument at this place becomes the value
_VERBS: dict[str, tuple[tuple[str, ...], str, int]] = {
    "why-not": (("why",), "--not", 1),
    "stats": (("simulate",), "--from", 0),
    "gallery": (("compare", "--all"), "--out", 0),
    "divergence": (("compare", "--play"), "", 0),
    "history": (("show", "topic"), "", 0),
    "perft": (("show", "perft"), "", 0),
}
#: by verb: the options that were renamed
_OPTIONS: dict[str, dict[str, str]] = {
    "compare": {"--save": "--out"},
    "resolve": {"--to": "--out"},
    "replay": {"--turn": "--from-turn"},
    "simulate": {"--html": "--out"},
    "new scenario": {"--to": "--out", "--at": "--turn"},
    "new house-rule": {"--in": "--out"},
    "new expansion": {"--in": "--out"},
    "show tile": {"--turn": "--rotate"},
}
#: options of old verbs that have no value
_FLAGS = frozenset(("--witness", "--no-cache", "--printed"))
_IMPACTS = frozenset(("breaking", "behaviour", "data", "text"))


def renewed(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of a run in their present spelling, and a note for each that has changed."""
    found, notes = [str(word) for word in words], []
    if found and found[0] in _VERBS:
        old = found[0]
        verb, option, place = _VERBS[old]
        rest = found[1:]
        arguments = list(_arguments(rest))
        if option and len(arguments) > place:
            rest.insert(arguments[place], option)
        found = [*verb, *rest]
        shown = " ".join([*verb, option]).strip()
        notes.append(_note(f"tilewright {old}", f"tilewright {shown}"))
    options = _OPTIONS.get(" ".join(found[:1]), {}) | _OPTIONS.get(" ".join(found[:2]), {})
    for at, word in enumerate(found):
        name, _, value = word.partition("=")
        new = options.get(name)
        if name == "--only" and found[0] == "compare" and "--all" not in found:
            value = value or "".join(found[at + 1 : at + 2])
            new = "--impact" if _IMPACTS.intersection(value.split(",")) else None
        if new is not None:
            notes.append(_note(name, new))
            found[at] = word.replace(name, new, 1)
        is_form = word in ("--format=table", "-ftable") or (
            word == "table" and found[at - 1] in ("--format", "-f")
        )
        if is_form and (found[0] == "compare" or found[:2] == ["show", "topic"]):
            notes.append(_note("--format table", "--format text"))
            found[at] = word.replace("table", "text")
    return found, notes


def _arguments(words: Sequence[str]) -> list[int]:
    """The places of the words that are neither options nor their values."""
    found, is_value = [], False
    for at, word in enumerate(words):
        if not is_value and not word.startswith("-"):
            found.append(at)
        is_value = not is_value and word.startswith("-") and "=" not in word and word not in _FLAGS
    return found


def _note(old: str, new: str) -> str:
    return f"tilewright: `{old}` is now `{new}`; the old spelling ends with the next release"
