"""Compiles generated syntax trees to Python functions; line numbers encode file and line."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

#: a line of a file other than the function's own is LINES_OF_A_FILE * number of that file + line
LINES_OF_A_FILE = 1 << 21


def compiled(function: ast.FunctionDef, file: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """The compiled function; it sees the names in `scope` and nothing else."""
    code = compile(ast.Module([function], []), file, "exec")
    exec(code, scope)  # the tree is built only from the package's own templates
    found: Callable[..., Any] = scope[function.name]
    return found
