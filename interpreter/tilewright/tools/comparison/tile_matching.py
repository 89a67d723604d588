"""Matching of tiles of two games by print, independent of ids, letters and rotation.

Identical tiles come first. The remaining tiles with equal edges, segments and links are paired so
that few kinds of change explain many tiles. Last come tiles of one name with equal edges and other
drawings. Tags are not compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tilewright.rules.linking.game import Game
from tilewright.rules.model.geometry import turned
from tilewright.rules.model.ruleset import Labels, PieceKind, Segment, TileFace
from tilewright.tools.comparison.alignment import OWN, NameMap
from tilewright.view.board.glyphs import HIDDEN
from tilewright.view.results.comparison import (
    Mark,
    Reason,
    State,
    TilePair,
    TileRow,
    Verdict,
)
from tilewright.view.results.impact import Impact

#: a mark as (symbol or attribute id, kind of its segment or "")
Marks = tuple[tuple[tuple[str, str], int], ...]
#: marks that went and marks that came
Change = tuple[Marks, Marks]


@dataclass(frozen=True, slots=True)
class Matched:
    """The rows of two sides, the number of identical tiles, and the replacements of symbols."""

    rows: tuple[TileRow, ...]
    alike: int
    replaced: Mapping[str, str]


# ---------------------------------------------------------------------------- print


def _segment_key(segment: Segment, quarters: int, with_marks: bool) -> tuple[object, ...]:
    ports = tuple(sorted(turned(port, quarters) for port in segment.ports))
    marks = (segment.attributes, tuple(sorted(segment.symbols))) if with_marks else ()
    return (segment.kind, ports, *marks)


def _cell_print(cell: TileFace, quarters: int, with_marks: bool) -> tuple[object, ...]:
    keys = {s.id: _segment_key(s, quarters, with_marks) for s in cell.segments}
    links = {
        tuple(sorted((repr(keys[s.id]), repr(keys[other]))))
        for s in cell.segments
        for other in s.borders
        if other in keys
    }
    inside = [(keys[s.id], keys[s.inside]) for s in cell.segments if s.inside in keys]
    edges = tuple(cell.edges[(side - quarters) % 4] for side in range(4))
    marks: tuple[object, ...] = tuple(sorted(cell.symbols)) if with_marks else ()
    if with_marks:
        marks += cell.turned_arrows(quarters)
    return (
        edges,
        sorted(map(repr, keys.values())),
        sorted(links),
        sorted(map(repr, inside)),
        marks,
    )


def _face_print(face: Sequence[TileFace], with_marks: bool) -> str:
    """The smallest of the four views of a face, so that rotation does not matter."""
    views = []
    for quarters in range(4):
        cells = []
        for cell in face:
            x, y = cell.x, cell.y
            for _ in range(quarters):
                x, y = y, -x
            cells.append((x, y, _cell_print(cell, quarters, with_marks)))
        left, low = min(c[0] for c in cells), min(c[1] for c in cells)
        placed = sorted(((x - left, y - low), repr(mark)) for x, y, mark in cells)
        views.append(repr(placed))
    return min(views)


def piece_print(piece: PieceKind, with_marks: bool) -> str:
    """The print of a piece, independent of direction: equal texts mean equal tiles."""
    return repr(sorted(_face_print(face, with_marks) for face in piece.faces))


def _without_segments(piece: PieceKind) -> PieceKind:
    faces = tuple(tuple(replace(c, segments=()) for c in face) for face in piece.faces)
    return replace(piece, faces=faces)


def as_seen(pieces: Iterable[PieceKind], game: Game) -> list[PieceKind]:
    """The pieces as they are printed: without marks that have no picture, and without features
    that a game makes of a mark."""
    unseen = {symbol.id for symbol in game.symbols if symbol.glyph == HIDDEN}
    made = {kind.id for kind in game.features if kind.from_symbol}

    def cell_seen(cell: TileFace) -> TileFace:
        symbols = tuple(symbol for symbol in cell.symbols if symbol not in unseen)
        segments = tuple(segment for segment in cell.segments if segment.kind not in made)
        return replace(cell, symbols=symbols, segments=segments)

    return [
        replace(piece, faces=tuple(tuple(map(cell_seen, face)) for face in piece.faces))
        for piece in pieces
    ]


def marks_of(piece: PieceKind) -> Marks:
    """The symbols and attributes printed on a piece."""
    found: Counter[tuple[str, str]] = Counter()
    for face in piece.faces:
        for cell in face:
            found.update((symbol, "") for symbol in cell.symbols)
            for segment in cell.segments:
                found.update((symbol, segment.kind) for symbol in segment.symbols)
                for attribute, count in segment.attributes:
                    found[attribute, segment.kind] += count
    return tuple(sorted(found.items()))


def _change(left: Marks, right: Marks) -> Change:
    before, after = Counter(dict(left)), Counter(dict(right))
    return tuple(sorted((before - after).items())), tuple(sorted((after - before).items()))


# ------------------------------------------------------------------ matching


class _Pile:
    """The tiles of one side that are not matched yet: by topology, then by what is printed."""

    def __init__(self, pieces: Iterable[PieceKind]) -> None:
        self.left: Counter[str] = Counter()
        self.marks: dict[str, Marks] = {}
        self.edges: dict[str, str] = {}
        self.exact: dict[str, list[str]] = defaultdict(list)
        self.shape: dict[str, list[str]] = defaultdict(list)
        for piece in pieces:
            self.left[piece.id] += piece.count
            self.marks[piece.id] = marks_of(piece)
            self.edges[piece.id] = piece_print(_without_segments(piece), False)
            self.exact[piece_print(piece, True)].append(piece.id)
            self.shape[piece_print(piece, False)].append(piece.id)

    def take(self, id_: str, count: int) -> None:
        self.left[id_] -= count


def match_tiles(
    first: Sequence[PieceKind],
    second: Sequence[PieceKind],
    places: tuple[int, int],
    labels: Mapping[str, Labels],
    names: NameMap = OWN,
) -> Matched:
    """Compare the tiles of two sides; `places` are the numbers of the sides.

    The pieces of the second side use the words of the first; `names` translates them.
    """
    here, there = _Pile(first), _Pile(second)
    rows, alike = [], 0
    renamed: dict[Change, list[TilePair]] = defaultdict(list)
    for key, ids in here.exact.items():
        for left, right, count in _pairs(here, there, ids, there.exact.get(key, ())):
            change = _change(here.marks[left], _own_marks(there.marks[right], names))
            if any(change):
                renamed[change].append(TilePair(left, right, count))
            else:
                alike += count
    changed = _changed(here, there)
    for found, verdict in (
        (renamed, Verdict(State.REWORDED, Impact.TEXT, (Reason("renamed"),))),
        (changed, Verdict(State.DIFFERS, Impact.DATA, (Reason("marks"),))),
    ):
        for change, pairs in found.items():
            lost, gained = (_marks(part, labels) for part in change)
            rows.append(TileRow(*places, lost, gained, tuple(sorted(pairs, key=_by_id)), verdict))
    rows.sort(
        key=lambda row: (
            row.verdict.state is State.REWORDED,
            -row.count,
            repr(row.lost),
            repr(row.gained),
        )
    )
    redrawn = [
        TilePair(id_, id_, count)
        for id_ in sorted(here.left)
        if here.edges[id_] == there.edges.get(id_)
        for _, _, count in _pairs(here, there, [id_], [id_])
    ]
    if redrawn:
        verdict = Verdict(State.DIFFERS, Impact.DATA, (Reason("drawn"),))
        rows.append(TileRow(*places, (), (), tuple(redrawn), verdict))
    gone = Verdict(State.ONLY, Impact.DATA, (Reason("tiles"),))
    for pile, is_left in ((here, True), (there, False)):
        alone = [
            TilePair(id_, "", count) if is_left else TilePair("", id_, count)
            for id_, count in sorted(pile.left.items())
            if count
        ]
        if alone:
            rows.append(TileRow(*places, (), (), tuple(alone), gone))
    return Matched(tuple(rows), alike, _replaced(changed))


def _own_marks(marks: Marks, names: NameMap) -> Marks:
    """Marks by what their own side calls them."""
    found = (((names.back("symbol", names.back("attribute", id_)), on), n)
             for (id_, on), n in marks)  # fmt: skip
    return tuple(sorted(found))


def _by_id(pair: TilePair) -> tuple[str, str]:
    return (pair.left, pair.right)


def _pairs(
    here: _Pile, there: _Pile, ids: Iterable[str], others: Iterable[str]
) -> list[tuple[str, str, int]]:
    """Pair off as many as there are on both sides, and take them from the piles."""
    found = []
    for id_ in sorted(ids):
        for other in sorted(others):
            count = min(here.left[id_], there.left[other])
            if count:
                here.take(id_, count)
                there.take(other, count)
                found.append((id_, other, count))
    return found


def _changed(here: _Pile, there: _Pile) -> dict[Change, list[TilePair]]:
    """Pairs that differ only in marks, grouped by change; the change that explains most tiles comes
    first.
    """
    found: dict[Change, list[TilePair]] = defaultdict(list)
    while True:
        possible: Counter[Change] = Counter()
        for key, ids in here.shape.items():
            in_shape: Counter[tuple[Change, int]] = Counter()
            for id_ in ids:
                for other in there.shape.get(key, ()):
                    change = _change(here.marks[id_], there.marks[other])
                    in_shape[change, 0] += here.left[id_] if there.left[other] else 0
                    in_shape[change, 1] += there.left[other] if here.left[id_] else 0
            for change in {change for change, _ in in_shape}:
                possible[change] += min(in_shape[change, 0], in_shape[change, 1])
        likely = [change for change, count in possible.items() if count]
        if not likely:
            return found
        best = min(likely, key=lambda c: (-possible[c], len(c[0]) + len(c[1]), c))
        for key, ids in here.shape.items():
            for id_ in sorted(ids):
                others = [
                    other
                    for other in there.shape.get(key, ())
                    if _change(here.marks[id_], there.marks[other]) == best
                ]
                for left, right, count in _pairs(here, there, [id_], others):
                    found[best].append(TilePair(left, right, count))


def _marks(marks: Marks, labels: Mapping[str, Labels]) -> tuple[Mark, ...]:
    return tuple(Mark(id_, labels.get(id_, Labels()), on, n) for (id_, on), n in marks)


def _replaced(changed: Mapping[Change, Sequence[TilePair]]) -> dict[str, str]:
    """The replaced marks: pairs where exactly one mark was removed and one was added."""
    votes: Counter[tuple[str, str]] = Counter()
    for (lost, gained), pairs in changed.items():
        if len(lost) == len(gained) == 1 and lost[0][0][1] == gained[0][0][1]:
            votes[lost[0][0][0], gained[0][0][0]] += sum(pair.count for pair in pairs)
    found: dict[str, str] = {}
    for (old, new), _ in sorted(votes.items(), key=lambda v: (-v[1], v[0])):
        if old not in found and new not in found.values():
            found[old] = new
    return found


def quarters_between(piece: PieceKind, other: PieceKind) -> int:
    """How many quarter turns clockwise make a piece of one cell lie like another one: first what
    is printed counts, then edges and segments alone; 0 when nothing does."""
    cells = [(face[0], like[0]) for face, like in zip(other.faces[:1], piece.faces, strict=False)
             if len(face) == len(like) == 1]  # fmt: skip
    for with_marks in (True, False):
        for cell, like in cells:
            wanted = repr(_cell_print(like, 0, with_marks))
            for quarters in range(4):
                if repr(_cell_print(cell, quarters, with_marks)) == wanted:
                    return quarters
    return 0
