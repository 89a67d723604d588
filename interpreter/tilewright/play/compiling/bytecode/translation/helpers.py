"""Functions of the run-time library that call a rule: they are translated like rules."""

from __future__ import annotations

from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op

_PIECE, _AT = f.Var("piece"), f.Var("at")
_MAY_LAY = f.Call("ask_may_lay", [_PIECE, _AT])


def _allowed(name: str, parameters: tuple[str, ...], places: f.Prim) -> f.Function:
    """Those of some placements that the rules allow."""
    those = f.Loop("list", _AT, [f.Members(("at",), places, [_MAY_LAY])])
    restricted = f.prim(op.IS_RESTRICTED, _PIECE)
    return f.Function(name, parameters, [f.If(restricted, [f.Return(those)]), f.Return(places)])


_PLACES = f.prim(op.PLACES, _PIECE)
_BESIDE = f.prim(op.PLACES_BESIDE, _PIECE, f.Var("lying"))
_FREE = f.Not(f.prim(op.IS_RESTRICTED, _PIECE))
_COUNTED = f.Compare(">", f.prim(op.PLACES_OF_PIECE, _PIECE), f.Const(0))
_ANY = f.Loop("any", _MAY_LAY, [f.Members(("at",), f.prim(op.REVERSED, _PLACES))])

#: by name
HELPERS: dict[str, f.Function] = {
    "allowed": _allowed("allowed", ("piece",), _PLACES),
    "beside_cover": _allowed("beside_cover", ("piece", "lying"), _BESIDE),
    "is_playable": f.Function(
        "is_playable", ("piece",), [f.If(_FREE, [f.Return(_COUNTED)]), f.Return(_ANY)]
    ),
}
