"""Statements that change nothing of the match find its facts once, before their loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op

#: operations that find one fact of the match, if their operands are constants
_FACTS = frozenset((
    *(each.form("") for each in (p.ACTIVE, p.TURN, p.PLAYERS)),
    *(p.ATTRIBUTE["figure", name].form("") for name in ("owner", "facing", "companion")),
    op.ATTACHED,
))  # fmt: skip


def with_facts_before_loops(body: Sequence[f.Stmt]) -> list[f.Stmt]:
    """The statements, with a name for each fact that they need in loops."""
    facts = _Facts()
    rest = [facts.named(statement) for statement in body]
    return [*facts.found.values(), *rest]


class _Facts:
    """Names facts in loops."""

    def __init__(self) -> None:
        self.found: dict[f.Key, f.Set] = {}
        self.depth = 0

    def named(self, node: Any) -> Any:
        """A node with names in place of facts in its loops."""
        if self.depth and _is_fact(node):
            key = f.key(node)
            if key not in self.found:
                self.found[key] = f.Set(f"h_fact{len(self.found)}", node)
            return f.Var(self.found[key].name)
        is_loop = isinstance(node, f.For | f.Loop)
        self.depth += is_loop
        found = f.mapped(node, self.named)
        self.depth -= is_loop
        return found


def _is_fact(node: f.Node) -> bool:
    if isinstance(node, f.Prim):
        given = node.arguments
        return node.operation in _FACTS and all(isinstance(each, f.Const) for each in given)
    return isinstance(node, f.Memory)
