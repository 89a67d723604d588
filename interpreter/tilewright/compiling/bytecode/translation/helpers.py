"""Functions of the run-time library that call a rule, as trees: they are translated like rules."""

from __future__ import annotations

import ast

_TEXT = """
def allowed(m, piece):
    if is_restricted(m, piece):
        return [at for at in places(m, piece) if ask_may_lay(m, piece, at)]
    return places(m, piece)

def beside_cover(m, piece, lying):
    if is_restricted(m, piece):
        return [at for at in places_beside(m, piece, lying) if ask_may_lay(m, piece, at)]
    return places_beside(m, piece, lying)

def is_playable(m, piece):
    if not is_restricted(m, piece):
        return m.board.count(piece) > 0
    return any(ask_may_lay(m, piece, at) for at in reversed(places(m, piece)))
"""

#: by name
HELPERS: dict[str, ast.FunctionDef] = {
    tree.name: tree for tree in ast.parse(_TEXT).body if isinstance(tree, ast.FunctionDef)
}
