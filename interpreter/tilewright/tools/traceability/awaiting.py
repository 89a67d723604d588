"""Statements that wait for what is not there yet, gathered by what they wait for.

What a library holds by now is named beside it: of the same edition it is a finding of `check`, of
another one it is only worth knowing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilewright.tools.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Waiting:
    """A statement that waits: its ruleset, its id, what it says."""

    ruleset: str
    statement: str
    says: str
    provided_by: str  # a ruleset of the same edition that has what it waits for, or ""


@dataclass(frozen=True, slots=True)
class Awaited:
    """Something that statements wait for, and the rulesets that provide it in any edition."""

    name: str
    there: tuple[str, ...]
    statements: tuple[Waiting, ...]


def awaited(workspace: Workspace, ids: Iterable[str]) -> tuple[Awaited, ...]:
    """What the statements of some rulesets wait for: what most wait for comes first."""
    provided: dict[str, list[tuple[str, str]]] = {}
    for id_ in workspace.ids():
        ruleset = workspace.whole(id_)
        for role in ruleset.module.provides if ruleset is not None else ():
            assert ruleset is not None
            provided.setdefault(role, []).append((id_, ruleset.module.edition))
    found: dict[str, list[Waiting]] = {}
    for id_ in ids:
        own = workspace.own(id_)
        for said in own.statements if own is not None else ():
            assert own is not None
            for name in said.awaits:
                now = [r for r, e in provided.get(name, ()) if e == own.module.edition and r != id_]
                found.setdefault(name, []).append(
                    Waiting(id_, said.id, said.says, now[0] if now else "")
                )
    return tuple(
        Awaited(name, tuple(id_ for id_, _ in provided.get(name, ())), tuple(rows))
        for name, rows in sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    )
