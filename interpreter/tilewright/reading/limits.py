"""Limits on the size of a ruleset: anything beyond them is reported and left out.

No real ruleset comes near them. They keep the check of an untrusted ruleset within two seconds,
because some checks compare every pair of declarations of one category.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tilewright.model.collections import KINDS
from tilewright.model.ruleset import (
    Action,
    Amendment,
    Procedure,
    Reaction,
    Rule,
    Ruleset,
    StepRule,
)
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span

MAX_FILES = 300
MAX_RULES = 500
#: rules that answer one question, or stand at one step or on one event
MAX_RIVALS = 50
MAX_PATCHES = 100
#: of statements and scenarios
MAX_PROOF = 1000
#: of everything else that a ruleset declares, of one sort
MAX_THINGS = 300
MAX_OPTIONS = 50
#: KiB of all files of a ruleset together, of its rules, and of module.yaml
MAX_TEXT = 1024
MAX_LAW = 128
MAX_MODULE = 64

_LIMITS = dict.fromkeys(KINDS, MAX_THINGS) | {
    "statements": MAX_PROOF,
    "scenarios": MAX_PROOF,
    "rules": MAX_RULES,
    "patches": MAX_PATCHES,
}


class Room:
    """The remaining size limit for the files of one ruleset; each diagnostic is reported once."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._files = 0
        self._bytes = {"": 0, "rules": 0, "module": 0}
        self._told: set[str] = set()

    def takes(self, file: Path) -> bool:
        """Whether there is room for one more file, which then is taken."""
        if self._files == MAX_FILES:
            return self._refuse("files", f"a ruleset has at most {MAX_FILES} files", file)
        size = os.path.getsize(file) if os.path.isfile(file) else 0
        parts = {"": ("the files of a ruleset have", MAX_TEXT)}
        if file.parent.name == "rules":
            parts["rules"] = ("the rules of a ruleset have", MAX_LAW)
        if file.name == "module.yaml":
            parts["module"] = ("`module.yaml` has", MAX_MODULE)
        for part, (what, most) in parts.items():
            if self._bytes[part] + size > most * 1024:
                return self._refuse(part, f"{what} at most {most} KiB of text", file)
        for part in parts:
            self._bytes[part] += size
        self._files += 1
        return True

    def _refuse(self, part: str, message: str, file: Path) -> bool:
        if part not in self._told:
            self._reporter.error("TW116", message, start_of(file))
        self._told.add(part)
        return False


def truncated(ruleset: Ruleset, reporter: Reporter) -> Ruleset:
    """The ruleset, cut to the limit of each category."""
    cut: dict[str, Any] = {}
    for kind, most in _LIMITS.items():
        found = getattr(ruleset, kind)
        if len(found) > most:
            message = f"a ruleset has at most {most} {kind}, found {len(found)}"
            reporter.error("TW116", message, getattr(found[most], "head", found[most]).span)
            cut[kind] = found[:most]
    rules = tuple(_not_too_many_at_one_place(cut.get("rules", ruleset.rules), reporter))
    if len(rules) < len(ruleset.rules):
        cut["rules"] = rules
    options = ruleset.module.options
    if len(options) > MAX_OPTIONS:
        message = f"a ruleset has at most {MAX_OPTIONS} options, found {len(options)}"
        reporter.error("TW116", message, options[MAX_OPTIONS].span)
        cut["module"] = replace(ruleset.module, options=options[:MAX_OPTIONS])
    return replace(ruleset, **cut) if cut else ruleset


def _not_too_many_at_one_place(rules: Iterable[Rule], reporter: Reporter) -> Iterator[Rule]:
    """The rules, without those beyond the limit for one definition, step or event."""
    found: dict[str, int] = {}
    for rule in rules:
        match rule:
            case Amendment():
                place = f"answer `{rule.definition}`"
            case StepRule() | Action():
                place = f"stand at step `{rule.step}`"
            case Reaction():
                place = f"stand on `{rule.event}`"
            case Procedure():
                place = ""
        found[place] = found.get(place, 0) + 1
        if place and found[place] > MAX_RIVALS:
            if found[place] == MAX_RIVALS + 1:
                message = f"at most {MAX_RIVALS} rules of a ruleset {place}"
                reporter.error("TW116", message, rule.head.span)
            continue
        yield rule


def shown(path: Path) -> str:
    """A path as messages show it: from the current folder where it lies inside, else in full."""
    try:
        # unlike the method of a path this never fails, not even for a link to itself
        return Path(os.path.realpath(path)).relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def start_of(path: Path) -> Span:
    return Span(shown(path), 1, 1, 1, 1)
