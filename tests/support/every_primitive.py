"""A rule that repeats each primitive of the language without end, for the probe game.

The rules are made from the tables of primitives, so a new attribute, function, name or verb is
among them. A type that no value here has would be a KeyError.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.language.builtins import ATTRIBUTES, FUNCTIONS, GLOBALS, VERBS

#: things that every board of the probe game has
_THINGS = """let n = 0
let t = first(tiles)
stop if t is nothing
let s = first(t.segments)
stop if s is nothing
let g = first(all_figures)
stop if g is nothing
let r = first(prints(t.piece, origin))
stop if r is nothing
let h = north.heading
"""
#: by type: a value, and one for all types in sets of any type
_VALUES = {
    "cell": "t.cell", "direction": "north", "feature": "s.feature", "figure": "g",
    "heading": "h", "number": "n", "piece": "t.piece", "placement": "origin", "player": "active",
    "print": "r", "segment": "s",
    "stack": "land", "set of T": "s.feature.tiles", "set of tile": "tiles",
    "symbol": "garden_symbol", "tile": "t", "token": "chip",
}  # fmt: skip
#: of what cannot be made from the tables, or would stop at once: what is repeated
_EFFECTS = {
    "cycle": "let q = cycle(players, 10000)",
    "lay": "let q = count(placements(t.piece))",
    "take": "if land is not empty { draw q from land\nput q into land }",
    "put": "draw from land into spare times 2\nmove all of spare into land",
    "shuffle": "move all of land into land",
    "join": "join s to s",
    "part": "part s from s",
    "recast": "recast s.feature as s.kind",
    "cover": "let q = count(covers(t, garden_symbol))",
    "lift": "let q = t.whole",
    "rotate": "rotate t to north",
    "swap": "let q = swaps(t)",
    "replace": "let q = in_place(t.piece, t)",
    "move": "move g to s",
    "return": "return g",
    "remove": "return g quietly",
    "hand": "hand g to active",
    "attach": "move g to t\nattach walker to g",
    "face": "face walker to north",
    "give": "give chip to active",
    "spend": "give chip to active\nspend chip by active",
    "award": "award 1 to active on s.feature",
    "grant": "award 1 to active quietly",
}
#: forms of the syntax
_FORMS = {
    "a range": "let q = 1..1000",
    "a sum": "let q = sum u in segments(tiles): u.feature.size",
    "an empty block": "",
    "a draw of members": "draw q from segments(tiles) times 1000",
    "any": "let q = any u in tiles: u.cell != u.cell",
    "those": "let q = those u in segments(tiles): u.feature is complete",
    "collect": "let q = collect u in segments(tiles): u.feature",
    "most": "let q = most u in segments(tiles): u.feature.size",
    "the first of a set": "let q = first 5 of segments(tiles)",
    "a set of some": "let q = {t.cell, t.cell}",
    "arithmetic": "let q = (n * 3 + 1) mod 7",
    "a member of a set": "add n to many.number\nset n = n + 1",
    "a set of tiles": "add t to many.tile",
    "memory of features": "add 1 to s.feature.toll",
    "memory of tiles": "set t.dug = not t.dug",
    "an event": "announce ping(1, active)",
    "a procedure": "pay(1, active)",
    "a sum of amendments": "let q = worth(g)",
    "a set of amendments": "let q = nearby(t.cell)",
    "tiles near others": "let q = those u in tiles: any v in tiles: u.cell in around(v.cell)",
}


def every_primitive() -> Iterator[tuple[str, str]]:
    """The name of each primitive, and a rule that repeats it a hundred million times."""
    for attribute in ATTRIBUTES:
        if attribute.owner in _VALUES:
            value = _VALUES[attribute.owner]
            yield _repeated(
                f"{attribute.owner}.{attribute.name}", f"let q = {value}.{attribute.name}"
            )
    for function in FUNCTIONS:
        given = ", ".join(_VALUES[type_] for _, type_ in function.parameters)
        effect = f"let q = {function.name}({given})"
        yield _repeated(function.name, _EFFECTS.get(function.name, effect))
    for builtin in GLOBALS:
        yield _repeated(builtin.name, f"let q = {builtin.name}")
    for verb in VERBS:
        yield _repeated(verb.spoken, _EFFECTS[verb.name])
    for name, effect in _FORMS.items():
        yield _repeated(name, effect)


def _repeated(name: str, effect: str) -> tuple[str, str]:
    return name, f"{_THINGS}repeat 10000 {{ repeat 10000 {{ {effect} }} }}"
