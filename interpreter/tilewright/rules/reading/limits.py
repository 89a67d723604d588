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

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Span
from tilewright.rules.model.collections import KINDS
from tilewright.rules.model.ruleset import (
    Action,
    Amendment,
    Procedure,
    Reaction,
    Rule,
    Ruleset,
    StepRule,
)

MAX_FILES = 300
MAX_RULES = 500
#: rules at one place: amendments of a definition, rules at a step or on an event
MAX_RULES_AT_PLACE = 50
MAX_PATCHES = 100
#: statements, and scenarios
MAX_STATEMENTS = 1000
#: declarations of any other category
MAX_DECLARATIONS = 300
MAX_OPTIONS = 50
#: KiB of all files of a ruleset together, of its rules, and of module.yaml
MAX_TEXT = 1024
MAX_RULES_TEXT = 128
MAX_MODULE_TEXT = 64

_PARTS = {
    "rules": ("the rules of a ruleset have", MAX_RULES_TEXT),
    "module": ("`module.yaml` has", MAX_MODULE_TEXT),
}
_LIMITS = dict.fromkeys(KINDS, MAX_DECLARATIONS) | {
    "statements": MAX_STATEMENTS,
    "scenarios": MAX_STATEMENTS,
    "rules": MAX_RULES,
    "patches": MAX_PATCHES,
}


class Quota:
    """The remaining size limits for the files of one ruleset; each excess is reported once."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._files = 0
        self._bytes = {"": 0, "rules": 0, "module": 0}
        self._reported: set[str] = set()

    def accept(self, file: Path) -> bool:
        """Whether one more file is within the limits; it is then counted."""
        if self._files == MAX_FILES:
            return self._refuse("files", f"a ruleset has at most {MAX_FILES} files", file)
        size = os.path.getsize(file) if os.path.isfile(file) else 0
        parts = {"": ("the files of a ruleset have", MAX_TEXT)}
        if file.parent.name == "rules":
            parts["rules"] = _PARTS["rules"]
        if file.name == "module.yaml":
            parts["module"] = _PARTS["module"]
        for part, (what, most) in parts.items():
            if self._bytes[part] + size > most * 1024:
                return self._refuse(part, f"{what} at most {most} KiB of text", file)
        for part in parts:
            self._bytes[part] += size
        self._files += 1
        return True

    def accept_part(self, part: str, size: int, file: Path) -> bool:
        """Whether a part of a ruleset in one file is within the limit of its text."""
        what, most = _PARTS.get(part, ("", MAX_TEXT))
        return size <= most * 1024 or self._refuse(part, f"{what} at most {most} KiB of text", file)

    def _refuse(self, part: str, message: str, file: Path) -> bool:
        if part not in self._reported:
            self._reporter.error("TW116", message, start_of(file))
        self._reported.add(part)
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
    rules = tuple(_within_limit_at_each_place(cut.get("rules", ruleset.rules), reporter))
    if len(rules) < len(ruleset.rules):
        cut["rules"] = rules
    options = ruleset.module.options
    if len(options) > MAX_OPTIONS:
        message = f"a ruleset has at most {MAX_OPTIONS} options, found {len(options)}"
        reporter.error("TW116", message, options[MAX_OPTIONS].span)
        cut["module"] = replace(ruleset.module, options=options[:MAX_OPTIONS])
    return replace(ruleset, **cut) if cut else ruleset


def _within_limit_at_each_place(rules: Iterable[Rule], reporter: Reporter) -> Iterator[Rule]:
    """The rules, without those beyond the limit for one definition, step or event."""
    found: dict[str, int] = {}
    for rule in rules:
        match rule:
            case Amendment():
                place = f"amend `{rule.definition}`"
            case StepRule() | Action():
                place = f"be at step `{rule.step}`"
            case Reaction():
                place = f"react to `{rule.event}`"
            case Procedure():
                place = ""
        found[place] = found.get(place, 0) + 1
        if place and found[place] > MAX_RULES_AT_PLACE:
            if found[place] == MAX_RULES_AT_PLACE + 1:
                message = f"at most {MAX_RULES_AT_PLACE} rules of a ruleset may {place}"
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
    """The place of the first character of a file."""
    return Span(shown(path), 1, 1, 1, 1)
