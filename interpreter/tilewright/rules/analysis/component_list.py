"""Checks the component list of a ruleset against the components that it declares.

The list describes the box: pieces that need another option value than the default are left out, and
a piece with several declared readings counts once.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.model.ruleset import ComponentCount, PieceKind, Ruleset, TileFace


def check_components(ruleset: Ruleset, reporter: Reporter) -> None:
    """Report each line of the component list whose number differs from the ruleset's own data."""
    options = {option.id: option.default for option in ruleset.module.options}
    possible = [
        piece
        for piece in ruleset.pieces
        if all(options.get(option, value) == value for option, value in piece.when)
    ]
    # the option may belong to another ruleset: then all readings are possible; take the first
    pieces = tuple({piece.id: piece for piece in reversed(possible)}.values())
    for component in ruleset.module.components:
        if component.of == "tiles":
            found = sum(piece.count for piece in pieces if _is_in(piece, component.name))
            _compare(component, found, "tiles", reporter)
            continue
        counts = _counts(ruleset, pieces, component.of)
        if component.name not in counts:
            known = did_you_mean(component.name, counts)
            message = f"the data have no {component.of} `{component.name}`{known}"
            reporter.error("TW522", message, component.span)
            continue
        _compare(component, counts[component.name], f"`{component.name}`", reporter)


def _compare(component: ComponentCount, found: int, what: str, reporter: Reporter) -> None:
    if found != component.count:
        reporter.error(
            "TW521",
            f"the component list has {component.count} of {what}, the data have {found}",
            component.span,
        )


def _is_in(piece: PieceKind, stack: str) -> bool:
    return not stack or piece.stack == stack


def _counts(ruleset: Ruleset, pieces: tuple[PieceKind, ...], of: str) -> dict[str, int]:
    """The number of each named component of one category in the data."""
    if of == "figure":
        return {figure.id: figure.count for figure in ruleset.figures}
    if of == "token":
        return {token.id: token.count for token in ruleset.tokens}
    if of == "item":
        return {item.id: item.count for item in ruleset.items}
    if of == "pieces":
        return {piece.id: piece.count for piece in pieces}
    counts: dict[str, int] = {}
    if of == "symbol":
        counts = {symbol.id: 0 for symbol in ruleset.symbols}
    elif of == "segment":
        counts = {kind.id: 0 for kind in ruleset.features}
    elif of == "attribute":
        counts = {attribute.id: 0 for kind in ruleset.features for attribute in kind.attributes}
        counts |= {attribute.id: 0 for attribute in ruleset.attributes}
    for piece, cell in _cells(pieces):
        for name, number in _printed(cell, of):
            counts[name] = counts.get(name, 0) + number * piece.count
    return counts


def _cells(pieces: tuple[PieceKind, ...]) -> Iterator[tuple[PieceKind, TileFace]]:
    # A piece printed on both sides is one thing in the box, so only its first side counts.
    return ((piece, cell) for piece in pieces for cell in piece.faces[0])


def _printed(cell: TileFace, of: str) -> Iterator[tuple[str, int]]:
    if of == "symbol":
        yield from ((symbol, 1) for symbol in cell.symbols)
    for segment in cell.segments:
        if of == "symbol":
            yield from ((symbol, 1) for symbol in segment.symbols)
        elif of == "segment":
            yield segment.kind, 1
        else:
            yield from segment.attributes
