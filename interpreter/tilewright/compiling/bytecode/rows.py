"""Names that stand for rows of the match in long loops are written out again.

Python gains by a local name for `m.board.figures`; an instruction reads the row by itself.
"""

from __future__ import annotations

import ast
import re

from tilewright.compiling.python.old_trees import cloned

#: rows that have a name of their own in lists of options, and are written out again
_ROWS = re.compile(
    r"m\.board(\.\w+)?|m\.(of_player|of_kind|of_trait|in_supply)(\[\d+\])?"
    r"|m\.(figure_kind|owner|spot|facing|attached_to|points|next_player|players_from|tokens|stacks"
    r"|memory|on_board)|m\.stacks\[\d+\]|m\.board\.attributes\[\d+\]"
)


class _Rows(ast.NodeTransformer):
    """Replaces names of rows of the match by the rows."""

    def __init__(self, rows: dict[str, ast.expr]) -> None:
        self.rows = rows

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The row itself, where it has a name."""
        return self.rows.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def with_rows(tree: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function, with the rows of the match written out."""
    rows: dict[str, ast.expr] = {}
    body: list[ast.stmt] = []
    for statement in tree.body:
        match statement:
            case ast.Assign([ast.Name(name)], value) if isinstance(
                value, ast.Attribute | ast.Subscript
            ) and _ROWS.fullmatch(ast.unparse(value)):
                rows[name] = value
            case _:
                body.append(statement)
    if not rows:
        return body
    return [_Rows(rows).visit(cloned(statement)) for statement in body]
