"""Finds rules that rely on something of another ruleset that has changed its meaning since.

A ruleset records these changes under `changes:` in its module.yaml, and another one states with
`written_for:` which version its rules are written for. Rulesets of one library that state nothing
are kept together with what they use; elsewhere a rule that states nothing gets a note.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from tilewright.language.source.diagnostics import (
    Diagnostic,
    Note,
    Reporter,
    Severity,
    did_you_mean,
)
from tilewright.language.source.text import Span
from tilewright.rules.analysis.promises import Name, uses_in
from tilewright.rules.linking.compose.select import names_of
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Procedure, PromiseChange, Ruleset
from tilewright.tools.checking.declared_elsewhere import UNKNOWN_NAME
from tilewright.tools.workspace.companions import mentioned
from tilewright.tools.workspace.workspace import Workspace

CHANGED_MEANING = "TW767"


def report_changed_meanings(game: Game, files: Collection[str], reporter: Reporter) -> None:
    """Report, in some files, uses of what has changed since the version that these know."""
    rulesets = {ruleset.id: ruleset for ruleset in game.rulesets}
    changes: dict[Name, list[tuple[PromiseChange, Ruleset]]] = {}
    for owner in game.rulesets:
        for change in owner.module.changes:
            changes.setdefault((change.kind, change.name), []).append((change, owner))
    if not changes:
        return
    for ruleset, name, span in uses_in(game):
        own = rulesets.get(ruleset)
        if name not in changes or own is None or span.file not in files:
            continue
        for change, owner in changes[name]:
            if change.ruleset in names_of(own) or owner.id == own.id:
                continue
            stated = _stated(own, owner)
            if stated is None and _library(own) == _library(owner):
                continue
            if stated is None or stated < change.version:
                severity = Severity.NOTE if stated is None else Severity.WARNING
                reporter.add(_changed(change, owner, severity, span))


def _stated(own: Ruleset, other: Ruleset) -> int | None:
    """The version of another ruleset that the rules of one are written for, if it states one; that
    by its id counts before those by its roles.
    """
    stated = {each.name: each.version for each in own.module.written_for}
    return next((stated[name] for name in names_of(other) if name in stated), None)


def _latest(ruleset: Ruleset) -> int:
    """The last version of a ruleset that has changed the meaning of something."""
    return max(change.version for change in ruleset.module.changes)


def _library(ruleset: Ruleset) -> Path:
    """The folder with the editions, in which the folders of rulesets lie."""
    return Path(ruleset.folder).resolve().parent.parent


def _changed(change: PromiseChange, owner: Ruleset, severity: Severity, span: Span) -> Diagnostic:
    state = f"write `written_for: {{{owner.id}: {_latest(owner)}}}` beside `requires`"
    if severity is Severity.NOTE:  # the rule may be a new one, and its author know no history
        message = f"{change.kind} `{change.name}` {change.says}; is the rule written for that?"
        hint = f"{state}" + (f", and {change.mend} if not" if change.mend else "")
        return Diagnostic(CHANGED_MEANING, severity, message, span, (), hint)
    hint = f"{change.mend}; " if change.mend else ""
    hint += f"{state} once the rule is right with it"
    note = Note(change.span, "the change is recorded here")
    return Diagnostic(CHANGED_MEANING, severity, _since(change), span, (note,), hint)


def with_changes(diagnostic: Diagnostic, rulesets: Iterable[Ruleset]) -> Diagnostic:
    """A diagnostic about an unknown name, with the change that took the name away, if one did."""
    name = UNKNOWN_NAME.match(diagnostic.message)
    if name is None:
        return diagnostic
    changes = ((change, ruleset) for ruleset in rulesets for change in ruleset.module.changes)
    taken = (c for c, owner in changes if c.name not in _things_of(owner)[c.kind])
    change = next((change for change in taken if change.name == name[1]), None)
    if change is None:
        return diagnostic
    note = Note(change.span, "the change is recorded here")
    hint = f"{_since(change)}; {change.mend}" if change.mend else _since(change)
    return replace(diagnostic, hint=hint, notes=(*diagnostic.notes, note))


def _since(change: PromiseChange) -> str:
    since = f"since version {change.version} of `{change.ruleset}`"
    return f"{change.kind} `{change.name}` {change.says} ({since})"


def _things_of(ruleset: Ruleset) -> dict[str, list[str]]:
    """The names of what a ruleset may promise to the rules of others, by kind."""
    return {
        "procedure": [r.declaration.id for r in ruleset.rules if isinstance(r, Procedure)],
        "event": [event.id for event in ruleset.events],
        "definition": [definition.id for definition in ruleset.definitions],
        "step": [step.id for step in ruleset.steps],
        "value": [value.id for value in ruleset.values],
    }


def versions_named_in(text: str, game: Game) -> dict[str, int]:
    """The versions of the rulesets of a game that have changed something named in the text of a
    rule: if it is written today, it is written for these versions.
    """
    return {
        ruleset.id: _latest(ruleset)
        for ruleset in game.rulesets
        for change in ruleset.module.changes
        if re.search(rf"\b{re.escape(change.name)}\b", text)
    }


def report_misspelt_changes(own: Ruleset, reporter: Reporter) -> None:
    """Report changes of things that the ruleset does not have, and that it almost has."""
    things = _things_of(own)
    for change in own.module.changes:
        names = things[change.kind]
        near = did_you_mean(change.name, names)
        if change.name not in names and near:
            message = f"`changes` names {change.kind} `{change.name}`, which is not there{near}"
            reporter.warning("TW766", message, change.span)


def report_written_for(own: Ruleset, workspace: Workspace, reporter: Reporter) -> None:
    """Report versions under `written_for` that do not exist, and names that mean no ruleset or one
    that rules of this ruleset cannot use.
    """
    if not own.module.written_for:
        return
    together = {name: r for r in workspace.together((own.id,)) for name in names_of(r)}
    company = (_names_with(mention.id, workspace) for mention in mentioned(own))
    usable = set(together).union(*company)
    for each in own.module.written_for:
        other = together.get(each.name) or workspace.whole(each.name)
        if other is None and not workspace.providing(each.name):
            message = f"`written_for` names `{each.name}`, which no ruleset is called or provides"
            near = did_you_mean(each.name, (*together, *workspace.ids()))
            reporter.warning("TW769", message + near, each.span)
        elif usable.isdisjoint(_names_with(each.name, workspace)):
            message = f"`written_for` names `{each.name}`, which `{own.id}` does not use"
            hint = "name it under `requires` or under `with` of a rule, or remove it here"
            reporter.warning("TW769", message, each.span, hint=hint)
        elif other is None:
            continue
        elif (version := other.module.version_number) is not None and version < each.version:
            message = f"`{other.id}` is of version {version}, not {each.version}"
            reporter.warning("TW768", message, each.span)


def _names_with(name: str, workspace: Workspace) -> tuple[str, ...]:
    """The names of a ruleset, by its id, or a role alone."""
    ruleset = workspace.whole(name)
    return (name,) if ruleset is None else names_of(ruleset)
