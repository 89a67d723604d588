"""Alignment of the names of two games: which names mean the same thing.

A name that both games have means the same thing in both. Two other names are aligned when their
things have the same shape and the same uses, as far as names can be followed; otherwise
when their shapes are equal up to their neighbours and no third thing has that shape.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tilewright.language.types import Type
from tilewright.language.wording import renamed
from tilewright.rules.linking.game import (
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedMemory,
    LinkedRule,
    LinkedStep,
    LinkedValue,
)
from tilewright.rules.linking.inventory import things_in
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import COUNTED
from tilewright.tools.comparison.normal_form import (
    Ref,
    Shape,
    Unordered,
    levels_of,
    painted,
    refs_in,
    rule_shape,
    term_shape,
)

#: a kind and an id
Key = tuple[str, str]
#: far enough to have seen everything that can be reached
_FAR = 6
_NEAR = 2
#: the kind of the things that a sentence counts, where it has another name
_COUNTED_AS = {"tiles": "stack", "segment": "kind", "pieces": "tile"}


@dataclass(frozen=True, slots=True)
class Thing:
    """A named thing. `words` count only where nothing else is known of it."""

    shape: Shape
    words: str = ""


Things = Mapping[Key, Thing]


@dataclass(frozen=True, slots=True)
class NameMap:
    """The names of a game's things, translated to the first side of a comparison."""

    other: Mapping[Key, str]

    def of(self, kind: str, id_: str) -> str:
        """The name of a thing on the first side."""
        return self.other.get((kind, id_), id_)

    def back(self, kind: str, id_: str) -> str:
        """The game's own name for a thing of the first side."""
        return next((own for (s, own), n in self.other.items() if (s, n) == (kind, id_)), id_)

    def number(self, name: str) -> str:
        """The name of a value, or what is counted and its name, as sentences have it."""
        of, dot, thing = name.partition(".")
        if dot and of in COUNTED:
            return f"{of}.{self.of(_COUNTED_AS.get(of, of), thing)}"
        return self.of("value", name)

    def wording(self, text: str) -> str:
        """A sentence with the names in it called as on the first side."""
        return renamed(text, self.number)

    def paint(self, ref: Ref) -> str:
        """A reference as text, by its name on the first side."""
        return f"<{ref.kind} {self.of(ref.kind, ref.id)}>"

    def value(self, value: LinkedValue) -> str:
        """The text of a named value, for comparison."""
        return painted(term_shape(value.term, {}), self.paint)

    def piece(self, piece: m.PieceKind) -> m.PieceKind:
        """A piece with everything on it called as on the first side."""
        if not self.other:
            return piece
        return replace(piece, faces=tuple(tuple(map(self._cell, face)) for face in piece.faces))

    def _edge(self, edge: str) -> str:
        return m.HALF_MARK.join(
            self.of("kind", half) for half in dict.fromkeys(m.edge_halves(edge))
        )

    def _cell(self, cell: m.TileFace) -> m.TileFace:
        north, east, south, west = map(self._edge, cell.edges)
        return replace(
            cell,
            edges=(north, east, south, west),
            symbols=tuple(self.of("symbol", symbol) for symbol in cell.symbols),
            segments=tuple(
                replace(
                    segment,
                    kind=self.of("kind", segment.kind),
                    attributes=tuple(
                        sorted((self.of("attribute", a), n) for a, n in segment.attributes)
                    ),
                    symbols=tuple(self.of("symbol", symbol) for symbol in segment.symbols),
                )
                for segment in cell.segments
            ),
        )


#: the names of the first side
OWN = NameMap({})


# ---------------------------------------------------------------------- inventory


def things_of(game: Game) -> dict[Key, Thing]:
    """Everything in a game that has a name, with its shape."""
    found = {}
    for kind, id_, item in things_in(game):
        if kind == "procedure":
            assert isinstance(item, LinkedRule)
            found[kind, id_] = Thing(_types(item.parameters))
        else:
            found[kind, id_] = _thing(item)
    return found


def _thing(item: object) -> Thing:
    match item:
        case m.FeatureKind():
            combines = Unordered(tuple(Ref("attribute", a.id) for a in item.attributes))
            symbol = _named("symbol", item.from_symbol)
            return Thing((item.reach.value, item.completes.value, combines, symbol))
        case m.AttributeDecl():
            return Thing((item.combine.value,))
        case m.SymbolDecl():
            return Thing((item.covers,), _words(item.label))
        case m.FigureKind():
            traits, carries = _all("trait", item.traits), tuple(sorted(item.carries))
            like, roles = _named("figure", item.like), _all("role", item.roles)
            likes = (_named("value", item.in_all), like, roles)
            return Thing((item.owned, item.count, traits, carries, *likes), _words(item.label))
        case m.TokenDecl():
            return Thing((item.count, _all("trait", item.traits)))
        case m.Role():
            return Thing((_all("figure", item.figures), Ref("kind", item.on)))
        case m.StackDecl():
            return Thing((item.holds, item.owned, item.in_order))
        case m.PieceKind():
            return Thing(_piece_shape(item))
        case LinkedValue():
            return Thing((str(item.type), term_shape(item.term, {})), item.declaration.says)
        case LinkedMemory():
            return Thing((str(item.type), item.declaration.per))
        case LinkedDefinition():
            levels = levels_of([name for name, _ in item.parameters])
            default = None if item.default is None else term_shape(item.default, levels)
            types = _types(item.parameters)
            shape = (types, str(item.type), item.combine.value, default)
            return Thing(shape, item.declaration.says.get())
        case LinkedEvent():
            return Thing(_types(item.parameters))
        case LinkedStep():
            return Thing((item.declaration.phase,), _words(item.declaration.label))
        case LinkedAmendment() | LinkedRule() | LinkedAction():
            return Thing(rule_shape(item))
        case m.OptionDecl():
            return Thing((Unordered(item.choices), item.default), item.says.get())
    return Thing(())  # a trait is a name and nothing else


def _types(parameters: Sequence[tuple[str, Type]]) -> tuple[str, ...]:
    return tuple(str(type_) for _, type_ in parameters)


def _named(kind: str, id_: str) -> Shape:
    return Ref(kind, id_) if id_ else ""


def _all(kind: str, ids: Iterable[str]) -> Unordered:
    return Unordered(tuple(Ref(kind, id_) for id_ in ids))


def _words(label: m.Labels) -> str:
    return repr(sorted(label.texts))


def _piece_shape(piece: m.PieceKind) -> Shape:
    """The number of copies, their start, and the print, without its positions."""
    cells = tuple(cell for face in piece.faces for cell in face)
    return (
        "piece",
        piece.count,
        Ref("stack", piece.stack),
        piece.enclosed,
        Unordered(tuple(map(_cell_shape, cells))),
    )


def _cell_shape(cell: m.TileFace) -> Shape:
    segments = tuple(
        (
            Ref("kind", s.kind), len(s.ports), s.loose, len(s.borders), _all("symbol", s.symbols),
            Unordered(tuple((Ref("attribute", name), number) for name, number in s.attributes)),
        )
        for s in cell.segments
    )  # fmt: skip
    return ("cell", _all("symbol", cell.symbols), Unordered(segments))


# ------------------------------------------------------------------- alignment


def names_of(sides: Sequence[Things]) -> list[NameMap]:
    """For each side, what its things are called on the first side that has them."""
    known = dict(sides[0])
    found = [OWN]
    for things in sides[1:]:
        names = names_between(known, things)
        found.append(names)
        for (kind, id_), thing in things.items():
            key = (kind, names.of(kind, id_))
            if key not in known:
                known[key] = replace(thing, shape=_translated(thing.shape, names))
    return found


def _translated(shape: Shape, names: NameMap) -> Shape:
    match shape:
        case Ref(kind, id_):
            return Ref(kind, names.of(kind, id_))
        case Unordered(parts):
            return Unordered(tuple(_translated(part, names) for part in parts))
        case tuple():
            return tuple(_translated(part, names) for part in shape)
    return shape


def names_between(first: Things, second: Things) -> NameMap:
    """The names of a second game translated into those of a first one."""
    found: dict[Key, str] = {}
    mine, others = _Colours(first), _Colours(second)
    here, there = mine.known - others.known, others.known - mine.known
    kinds = {kind for kind, _ in here} & {kind for kind, _ in there}
    here = {key for key in here if key[0] in kinds}
    there = {key for key in there if key[0] in kinds}
    before = -1
    while here and there and before != len(found):
        before = len(found)
        for radius in (_FAR, _NEAR):
            left = _by_colour(mine.of(here, {}, radius))
            right = _by_colour(others.of(there, found, radius))
            for colour, keys in left.items():
                likely = right.get(colour, ())
                if len(likely) != len(keys) or (radius == _NEAR and len(keys) > 1):
                    continue
                for one, other in zip(sorted(keys), sorted(likely), strict=True):
                    found[other] = one[1]
                    here.remove(one)
                    there.remove(other)
    return NameMap(found)


def _by_colour(colours: Mapping[Key, str]) -> dict[tuple[str, str], list[Key]]:
    found: dict[tuple[str, str], list[Key]] = defaultdict(list)
    for key, colour in colours.items():
        found[key[0], colour].append(key)
    return found


class _Colours:
    """The things of a game by what they are and by who speaks of them in which place."""

    def __init__(self, things: Things) -> None:
        self.things = things
        self.references: dict[Key, list[tuple[Key, str]]] = defaultdict(list)
        for key, thing in things.items():
            for ref, path in refs_in(thing.shape):
                self.references[ref.kind, ref.id].append((key, path))
        #: tiles are matched by print; rules name only a few of them
        self.known = {key for key in things if key[0] != "tile" or key in self.references}
        self.looks = {
            key: painted(thing.shape, lambda ref: ref.kind)
            for key, thing in things.items()
            if key not in self.known
        }

    def of(self, unknown: Collection[Key], names: Mapping[Key, str], radius: int) -> dict[Key, str]:
        """The colour of each unknown thing; all others have their names for a colour."""
        colours = {key: key[0] for key in unknown}

        def named(key: Key) -> str:
            found = colours.get(key) or self.looks.get(key)
            return found or f"<{key[0]} {names.get(key, key[1])}>"

        for _ in range(radius):
            colours = {key: self._colour(key, named, radius == _FAR) for key in unknown}
        return {key: colours[key] for key in unknown if self._is_recognisable(key)}

    def _colour(self, key: Key, named: Callable[[Key], str], with_tiles: bool) -> str:
        thing = self.things[key]
        texts = [painted(thing.shape, lambda ref: named((ref.kind, ref.id)))]
        if key[0] != "rule":
            texts += sorted(
                f"{named(who)} {path}"
                for who, path in self.references.get(key, ())
                if with_tiles or who[0] != "tile"
            )
        if len(texts) == 1:
            texts.append(thing.words)
        return hashlib.blake2b("\n".join(texts).encode(), digest_size=12).hexdigest()

    def _is_recognisable(self, key: Key) -> bool:
        """Whether enough is known of a thing to know it again."""
        thing = self.things[key]
        return key in self.references or bool(thing.shape) or bool(thing.words)
