"""All drawings of a game's boards in one SVG picture of symbols, for a page that composes boards.

A tile has one symbol for each of its turns; the parts that turn with it are drawn once. The colours
of the land are custom properties of the page, so that one sheet serves light and dark pages;
figures with an owner are drawn in `currentColor`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.rules.model.ruleset import (
    FeatureKind,
    FigureKind,
    ItemDecl,
    SymbolDecl,
    TileFace,
    TokenDecl,
)
from tilewright.view.board.dark import with_properties
from tilewright.view.board.svg import (
    CLIP,
    FIGURE,
    LYING,
    NOBODY,
    NOBODYS,
    SHADOWS,
    facing_mark,
    silhouette,
    token_drawing,
)
from tilewright.view.board.tile_svg import flat_group, upright_group

TURNS = range(4)


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """Drawings in one picture; `faces` has the names of the four turns of each face, `figures` the
    names of each kind, standing, lying and the mark of one that looks to the north, `tokens` the
    name of each kind of token or item, `colours` the properties, light and dark.
    """

    svg: str
    faces: tuple[tuple[str, ...], ...]
    figures: tuple[tuple[str, str, str], ...]
    tokens: tuple[str, ...]
    colours: Mapping[str, tuple[str, str]]


def board_sheet(
    faces: Sequence[TileFace],
    figures: Iterable[FigureKind],
    tokens: Sequence[TokenDecl | ItemDecl],
    kinds: Mapping[str, FeatureKind],
    symbols: Mapping[str, SymbolDecl],
    prefix: str,
) -> BoardSheet:
    """The drawings of some faces and kinds of figure, token and item; `prefix` begins all names."""
    body: list[str] = []
    names: list[tuple[str, ...]] = []
    drawn: dict[tuple[str, ...], str] = {}
    for face in faces:
        flat = flat_group(face, kinds, symbols)
        uprights = [upright_group(face, kinds, symbols, turn) for turn in TURNS]
        key = (flat, *uprights)
        if key not in drawn:
            drawn[key] = f"{prefix}-t{len(drawn)}"
            body.append(_tile(drawn[key], flat, uprights))
        names.append(tuple(f"{drawn[key]}-{turn}" for turn in TURNS))
    text = "".join(body)
    text, colours = with_properties(text)
    people, called = [], []
    for number, kind in enumerate(figures):
        name = f"{prefix}-f{number}"
        people += [
            _figure(kind, name, 0.0),
            _figure(kind, f"{name}-lying", LYING),
            _round_zero(f"{name}-facing", facing_mark(_size(kind), _colour(kind))),
        ]
        called.append((name, f"{name}-lying", f"{name}-facing"))
    people += [
        _round_zero(f"{prefix}-k{n}", token_drawing(token, (0.0, 0.0)))
        for n, token in enumerate(tokens)
    ]
    clip = CLIP.replace("tw-tile", f"{prefix}-tile")
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
        f"{clip}{text}{''.join(people)}</svg>"
    )
    return BoardSheet(
        svg,
        tuple(names),
        tuple(called),
        tuple(f"{prefix}-k{n}" for n in range(len(tokens))),
        colours,
    )


def _tile(name: str, flat: str, uprights: Sequence[str]) -> str:
    """A tile: what turns with it, and a symbol for each turn."""
    prefix = name.rpartition("-")[0]
    text = f'<defs><g id="{name}">{flat}</g></defs>'
    for turn, upright in enumerate(uprights):
        turned = f' transform="rotate({90 * turn} 50 50)"' if turn else ""
        text += (
            f'<symbol id="{name}-{turn}" viewBox="0 0 100 100">'
            f'<g clip-path="url(#{prefix}-tile)"><use href="#{name}"{turned}/>{upright}</g>'
            "</symbol>"
        )
    return text


def _figure(kind: FigureKind, name: str, turn: float) -> str:
    """A kind of figure round (0, 0), in the units of a tile."""
    wide, high, down = SHADOWS[turn > 0]
    shadow = f'<ellipse cy="{down}" rx="{wide}" ry="{high}" fill="#00000038"/>'
    drawing = silhouette(kind.glyph, (0.0, 0.0), _size(kind), _colour(kind), turn)
    return _round_zero(name, shadow + drawing)


def _size(kind: FigureKind) -> float:
    return FIGURE if kind.owned else FIGURE * NOBODYS


def _colour(kind: FigureKind) -> str:
    return "currentColor" if kind.owned else kind.colour or NOBODY


def _round_zero(name: str, drawing: str) -> str:
    return f'<symbol id="{name}" viewBox="-50 -50 100 100">{drawing}</symbol>'
