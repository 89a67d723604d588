"""Checks the geometry of printed tiles: the ports of each segment, and whether they can be printed.

INVARIANT after a clean check: each half of an edge belongs to exactly one segment of reach side or
halves, and each centre to at most one. The caller passes the feature kinds, because an expansion's
tiles use the kinds of its base game.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.language.source.diagnostics import Note, Reporter, did_you_mean
from tilewright.language.source.identity import kept_by_identities, kept_by_identity
from tilewright.language.source.yaml.nodes import place_of_words
from tilewright.rules.linking.elaborate.ports import (
    Kinds,
    by_id,
    kinds_on,
    segments_of,
    symbols_on,
    with_ports,
)
from tilewright.rules.model.geometry import HALVES, MAX_SEGMENTS, SIDES, STEPS, facing_port
from tilewright.rules.model.ruleset import (
    ANY_EDGE,
    HALF_MARK,
    FeatureKind,
    PieceKind,
    Reach,
    Segment,
    SymbolDecl,
    TileFace,
    edge_halves,
    facing_edge,
)
from tilewright.rules.reading.duplicates import UniqueNames

_Printed = PieceKind | FeatureKind | SymbolDecl


def check_tiles(
    pieces: Iterable[PieceKind],
    kinds: Kinds,
    symbols: Iterable[SymbolDecl],
    reporter: Reporter,
) -> None:
    """Report every tile that cannot be printed, or that uses an undeclared name."""
    things: tuple[_Printed, ...] = (*pieces, *kinds.values(), *symbols)
    if things and not _are_sound(*things):
        _check_all(things, reporter)


@kept_by_identities
def _are_sound(*things: _Printed) -> bool:
    """Whether pieces have no error under these kinds and symbols."""
    quiet = Reporter()
    _check_all(things, quiet)
    return not quiet.diagnostics


def _check_all(things: Iterable[_Printed], reporter: Reporter) -> None:
    things = tuple(things)
    pieces = [each for each in things if isinstance(each, PieceKind)]
    kinds = by_id(each for each in things if isinstance(each, FeatureKind))
    symbols = [each for each in things if isinstance(each, SymbolDecl)]
    marks = frozenset(symbol.id for symbol in symbols)
    seen = UniqueNames("tiles", reporter)
    known: dict[frozenset[str], tuple[FeatureKind, ...]] = {}
    for piece in pieces:
        seen.add(piece.id, piece.span, "TW520")
        used = kinds_on(piece)
        if used not in known:
            known[used] = tuple(kind for id_, kind in kinds.items() if id_ in used)
        if not (marks >= _printed_on(piece) and _is_sound(piece, *known[used])):
            _check_piece(piece, kinds, marks, reporter)


@kept_by_identity
def _printed_on(piece: PieceKind) -> frozenset[str]:
    """All symbols that are printed on a piece."""
    return symbols_on(piece).union(*(segment.symbols for segment in segments_of(piece)))


@kept_by_identities
def _is_sound(piece: PieceKind, *kinds: FeatureKind) -> bool:
    """Whether a piece whose symbols are all declared has no error under these kinds."""
    quiet = Reporter()
    _check_piece(piece, by_id(kinds), _printed_on(piece), quiet)
    return not quiet.diagnostics


def _check_piece(piece: PieceKind, kinds: Kinds, marks: frozenset[str], reporter: Reporter) -> None:
    filled = with_ports(piece, kinds, reporter)
    for face in filled.faces:
        for cell in face:
            _Cell(filled, cell, kinds, marks, reporter).check()
            if len(cell.segments) > MAX_SEGMENTS:
                message = f"on tile `{piece.id}`: {len(cell.segments)} segments on one cell"
                message += f", and at most {MAX_SEGMENTS} are possible"
                reporter.error("TW523", message, cell.span)
        if len(face) > 1:
            _check_joints(filled, face, kinds, reporter)


# ------------------------------------------------------------------ one cell


class _Cell:
    """The check of one printed cell."""

    def __init__(
        self,
        piece: PieceKind,
        cell: TileFace,
        kinds: Kinds,
        symbols: frozenset[str],
        reporter: Reporter,
    ) -> None:
        self.cell = cell
        self.kinds = kinds
        self.symbols = symbols
        self.reporter = reporter
        self.on_tile = f"on tile `{piece.id}`: "
        self.by_id = {segment.id: segment for segment in cell.segments}
        self.is_crossing = bool(cell.crosses)

    def check(self) -> None:
        """Check all segments of the cell."""
        before = self.reporter.error_count
        known = [segment for segment in self.cell.segments if segment.kind in self.kinds]
        for segment in known:
            self._check_places(segment)
            self._check_names(segment)
        for symbol in self.cell.symbols:
            self._check_symbol(symbol, None)
        owner = self._owners(known)
        if len(known) < len(self.cell.segments) or self.reporter.error_count > before:
            return  # the following checks would only report it again
        self._check_edges(owner)
        for segment in known:
            self._check_extent(segment)
        self._check_crossings(known)
        self._check_borders(known)

    def _error(self, code: str, message: str, segment: Segment | None = None, hint: str = "",
               notes: tuple[Note, ...] = (), at: tuple[str, ...] = ()) -> None:  # fmt: skip
        """Report an error at a segment or at the cell; `at` is a key there, or a key and a word."""
        part = segment or self.cell
        found = None if part.entry is None or not at else place_of_words(part.entry, at)
        span = found or part.span
        self.reporter.error(code, self.on_tile + message, span, hint=hint, notes=notes)

    def _check_places(self, segment: Segment) -> None:
        reach = self.kinds[segment.kind].reach
        if reach is Reach.INSIDE:
            if segment.at:
                self._error(
                    "TW503",
                    f"segment `{segment.id}` is of kind `{segment.kind}`, which lies inside the "
                    "tile and has no `at`",
                    segment,
                    at=("at",),
                )
            return
        wanted, what = {
            Reach.SIDE: ((*SIDES, *HALVES), "sides, or the half of a side that two share"),
            Reach.CENTRE: (SIDES, "sides"),
            Reach.HALVES: (HALVES, "halves of sides"),
        }[reach]
        for name in segment.at:
            if name not in wanted:
                self._error(
                    "TW502",
                    f"`{name}` does not suit segment `{segment.id}`: kind `{segment.kind}` takes "
                    + what,
                    segment,
                    "use " + ", ".join(wanted),
                    at=("at", name),
                )

    def _check_names(self, segment: Segment) -> None:
        kind = self.kinds[segment.kind]
        attributes = [attribute.id for attribute in kind.attributes]
        for name, _ in segment.attributes:
            if name not in attributes:
                keys = [*attributes, "at", "borders", "ends", "inside", "kind", "symbols"]
                self._error(
                    "TW519",
                    f"unknown attribute `{name}` on segment `{segment.id}` of kind `{kind.id}`"
                    + did_you_mean(name, keys),
                    segment,
                    at=(name,),
                )
        for symbol in segment.symbols:
            self._check_symbol(symbol, segment)
        for name in segment.borders:
            if name == segment.id:
                message = f"segment `{name}` borders itself"
                self._error("TW509", message, segment, at=("borders", name))
            elif name not in self.by_id:
                self._error(
                    "TW508",
                    f"segment `{segment.id}` borders `{name}`, which is not there"
                    + did_you_mean(name, [other for other in self.by_id if other != segment.id]),
                    segment,
                    at=("borders", name),
                )
        if segment.inside and (segment.inside == segment.id or segment.inside not in self.by_id):
            self._error(
                "TW511",
                f"segment `{segment.id}` lies inside `{segment.inside}`, which is "
                + ("itself" if segment.inside == segment.id else "not there"),
                segment,
                at=("inside", segment.inside),
            )

    def _check_symbol(self, symbol: str, segment: Segment | None) -> None:
        if symbol not in self.symbols:
            self._error(
                "TW518",
                f"unknown symbol `{symbol}`{did_you_mean(symbol, self.symbols)}",
                segment,
                at=("symbols", symbol),
            )

    def _owners(self, segments: list[Segment]) -> list[Segment | None]:
        """The segment at each port; a port in two segments is reported."""
        owner: list[Segment | None] = [None] * 12
        for segment in segments:
            taken: dict[str, list[int]] = {}
            first: dict[str, Segment] = {}
            for port in segment.ports:
                other = owner[port]
                if other is not None:
                    taken.setdefault(other.id, []).append(port)
                    first[other.id] = other
                owner[port] = segment
            for id_, ports in taken.items():
                own = first[id_] is segment
                again = "twice" if own else f"as well as by `{id_}`"
                names = " and ".join(map(port_name, dict.fromkeys(ports)))
                verb = "is" if len(set(ports)) == 1 else "are"
                self._error(
                    "TW504",
                    f"{names} {verb} taken by segment `{segment.id}` {again}",
                    segment,
                    notes=() if own else (Note(first[id_].span, "taken here first"),),
                )
        return owner

    def _check_edges(self, owner: list[Segment | None]) -> None:
        for side, written in enumerate(self.cell.edges):
            here = owner[3 * side : 3 * side + 3]
            if written == ANY_EDGE:
                for segment in dict.fromkeys(filter(None, here)):
                    message = f"the edge {SIDES[side]} is called `{written}`, which shows nothing,"
                    self._error("TW506", f"{message} but segment `{segment.id}` reaches it")
                continue
            loose = [port for port in (3 * side, 3 * side + 2) if owner[port] is None]
            for port in loose:
                self._error("TW505", f"{port_name(port)} belongs to no segment")
            if loose:
                continue
            printed = _shown(here, self.kinds)
            if printed != written:
                self._error(
                    "TW506",
                    f"the edge {SIDES[side]} is called `{written}`, but the segments there make "
                    f"it `{printed}`",
                )

    def _check_extent(self, segment: Segment) -> None:
        reach = self.kinds[segment.kind].reach
        if reach is Reach.INSIDE:
            return
        if not segment.ports and not segment.borders:
            self._error(
                "TW514",
                f"segment `{segment.id}` is nowhere: it has no `at` and no `borders`",
                segment,
            )
        elif (
            reach is Reach.CENTRE
            and len(segment.ports) == 1
            and not (segment.ends or segment.loose)
        ):
            self._error(
                "TW513",
                f"segment `{segment.id}` leads nowhere: it has one end at the edge and no `ends`",
                segment,
                "name what stops it inside the tile, like `ends: [stop]`",
            )

    def _check_crossings(self, segments: list[Segment]) -> None:
        if self.is_crossing:
            return
        for i, one in enumerate(segments):
            for other in segments[i + 1 :]:
                if _interleave(one.ports, other.ports):
                    self._error(
                        "TW512",
                        f"segments `{one.id}` and `{other.id}` cross each other",
                        other,
                        "if one passes over the other, write `crosses: over` or `crosses: under`",
                        (Note(one.span, f"`{one.id}` is here"),),
                    )

    def _check_borders(self, segments: list[Segment]) -> None:
        """Check borders: a segment between two others keeps them from touching."""
        if self.is_crossing:
            return
        for segment in segments:
            for name in segment.borders:
                near = self.by_id[name]
                joined = (*segment.ports, *near.ports)
                for wall in segments:
                    if wall not in (segment, near) and _interleave(joined, wall.ports):
                        self._error(
                            "TW510",
                            f"segment `{segment.id}` cannot touch `{name}`: `{wall.id}` lies "
                            "between them",
                            segment,
                            at=("borders", name),
                            notes=(Note(wall.span, f"`{wall.id}` is here"),),
                        )
                        break


def _shown(here: list[Segment | None], kinds: Kinds) -> str:
    """The name of an edge, by the segments at its three ports, both halves among them."""
    first, centre, second = (part.kind if part is not None else "" for part in here)
    if centre and kinds[centre].reach is Reach.CENTRE:
        return centre
    return first if first == second else first + HALF_MARK + second


def port_name(port: int) -> str:
    """A port as text: `the half NNW` or `the centre of N`."""
    side, part = divmod(port, 3)
    return (
        f"the centre of {SIDES[side]}" if part == 1 else f"the half {HALVES[2 * side + part // 2]}"
    )


def _interleave(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two sets of ports alternate round the edge: lines between them must then cross."""
    ring = sorted([(port, 0) for port in set(one)] + [(port, 1) for port in set(other)])
    changes = sum(ring[i][1] != ring[i - 1][1] for i in range(len(ring)))
    return changes > 2


# ------------------------------------------------------------------ pieces of several cells


def _check_joints(
    piece: PieceKind, face: tuple[TileFace, ...], kinds: Kinds, reporter: Reporter
) -> None:
    """Check that the cells of a piece do not overlap, are connected, and match where they touch."""
    cells: dict[tuple[int, int], TileFace] = {}
    for cell in face:
        place = (cell.x, cell.y)
        if place in cells:
            reporter.error(
                "TW517",
                f"two cells of piece `{piece.id}` lie at {cell.x},{cell.y}",
                cell.span,
                notes=(Note(cells[place].span, "the first one is here"),),
            )
            return
        cells[place] = cell
    reached = {(face[0].x, face[0].y)}
    front = list(reached)
    while front:
        x, y = front.pop()
        for side, (dx, dy) in enumerate(STEPS):
            near = (x + dx, y + dy)
            if near not in cells:
                continue
            if side < 2:  # each pair once
                _check_joint(piece, cells[(x, y)], cells[near], side, kinds, reporter)
            if near not in reached:
                reached.add(near)
                front.append(near)
    for place, cell in cells.items():
        if place not in reached:
            reporter.error(
                "TW516",
                f"the cell {cell.x},{cell.y} of piece `{piece.id}` does not touch the others",
                cell.span,
            )


def _check_joint(
    piece: PieceKind, one: TileFace, other: TileFace, side: int, kinds: Kinds, reporter: Reporter
) -> None:
    mine = {port: s.kind for s in one.segments for port in s.ports}
    theirs = {port: s.kind for s in other.segments for port in s.ports}
    # the centre between two halves belongs to the first one, which is the second from beyond
    is_halved = len(set(edge_halves(one.edges[side]))) > 1
    ports = range(3 * side, 3 * side + 3, 2 if is_halved else 1)
    if one.edges[side] == facing_edge(other.edges[(side + 2) % 4]) and all(
        mine.get(port) == theirs.get(facing_port(port)) for port in ports
    ):
        return
    reporter.error(
        "TW515",
        f"the cells {one.x},{one.y} and {other.x},{other.y} of piece `{piece.id}` do not match "
        f"where they touch: `{one.edges[side]}` meets `{other.edges[(side + 2) % 4]}`",
        other.span,
        notes=(Note(one.span, "the other cell is here"),),
    )
