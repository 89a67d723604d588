"""Python functions made of syntax trees of ours, and the lines that their instructions tell of."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

#: a line of another file than the function's own is this times the number of the file, plus itself
LINES_OF_A_FILE = 1 << 21


def compiled(function: ast.FunctionDef, file: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """The function, made in a scope that it sees and nothing else."""
    code = compile(ast.Module([function], []), file, "exec")
    exec(code, scope)  # the tree holds nothing but templates of ours
    found: Callable[..., Any] = scope[function.name]
    return found
