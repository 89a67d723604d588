"""Shared folders: their files are read as if they belonged to each ruleset that shares them.

Nothing is overridden: a thing declared in both the ruleset and the folder is a duplicate. The
ruleset declares the statements that each shared rule carries out, and its options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.model.collections import KINDS
from tilewright.rules.model.references import NO_LABEL
from tilewright.rules.model.ruleset import Module, Rule, Ruleset, SharedRule

#: the folder of shared folders beside the editions, and their `kind`
SHARED = "shared"


def is_shared(id_: str) -> bool:
    """Whether an id is that of a shared folder and not of a ruleset."""
    return id_.startswith(f"{SHARED}/")


#: keys of module.yaml that belong to a ruleset, not to a folder that several share
_OF_RULESETS = (
    "takes_over", "requires", "conflicts", "copies", "options", "seats", "components", "shares",
    "says", "changes", "written_for",
)  # fmt: skip


def report_unused_keys(module: Module, reporter: Reporter) -> None:
    """Report the keys in the module.yaml of a shared folder that nothing would read."""
    for key in _OF_RULESETS:
        if (value := getattr(module, key)) and value != NO_LABEL:
            message = f"`{key}` has no effect in a shared folder"
            hint = "declare it in the rulesets that share the folder"
            reporter.error("TW222", message, module.span, hint=hint)


def with_shared(own: Ruleset, folders: Sequence[Ruleset], reporter: Reporter) -> Ruleset:
    """A ruleset with the declarations of the folders under `shares`, and its additions to them."""
    additions = {entry.id: entry for entry in own.shared}
    rules = tuple(_with_additions(rule, additions) for folder in folders for rule in folder.rules)
    known = {rule.head.id for rule in rules}
    for entry in own.shared:
        if entry.id not in known:
            message = f"unknown rule `{entry.id}`{did_you_mean(entry.id, known)}"
            hint = "" if folders else "`shares:` in module.yaml names the folders of shared rules"
            reporter.error("TW714", message, entry.span, hint=hint)
    joined: dict[str, Any] = {
        kind: (*getattr(own, kind), *(each for f in folders for each in getattr(f, kind)))
        for kind in (*KINDS, "ignores", "files")
    }
    return replace(own, **{**joined, "rules": (*own.rules, *rules), "shared": ()})


def _with_additions(rule: Rule, additions: Mapping[str, SharedRule]) -> Rule:
    """A shared rule with the statements and options that the ruleset gives it."""
    entry = additions.get(rule.head.id)
    if entry is None:
        return rule
    head = replace(
        rule.head,
        statements=(*rule.head.statements, *entry.statements),
        option=(*rule.head.option, *entry.option),
    )
    return replace(rule, head=head)
