"""Builds the table of all names of a game and reports ambiguous names.

It is built once from the gathered declarations, for the type checker, without reading rule bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.builtins import FUNCTION, GLOBAL, RESERVED
from tilewright.language.source.diagnostics import Note, Reporter, did_you_mean, with_article
from tilewright.language.source.identity import KeepsResults, kept_by_identities, kept_by_identity
from tilewright.language.source.text import Span
from tilewright.language.types import BASES, NUMBER, UNKNOWN, Type, parse_type
from tilewright.language.typing.environment import Constant, Environment, Kept, Signature
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.elaborate.kept import check_kept
from tilewright.rules.model import ruleset as m

_DIRECTIONS = ("north", "east", "south", "west")
#: the headings over corners, which directions do not have
_DIAGONALS = {"northeast": 1, "southeast": 3, "southwest": 5, "northwest": 7}

_Declared = m.DefinitionDecl | m.EventDecl | m.Procedure


def _typed(parameters: Iterable[tuple[str, str]]) -> tuple[tuple[str, Type], ...]:
    return tuple((name, parse_type(text) or UNKNOWN) for name, text in parameters)


_BUILTIN_DEFINITIONS = {
    name: Signature(_typed(parameters), parse_type(result))
    for name, parameters, result, *_ in BUILTIN_DEFINITIONS
}
_BUILTIN_EVENTS = {name: Signature(_typed(params)) for name, params, _ in BUILTIN_EVENTS}


def environment_of(selection: Selection, gathered: Gathered, reporter: Reporter) -> Environment:
    """The names of a game, for the checker; the same object for the same declarations."""
    g = gathered
    tables: tuple[Mapping[str, Any], ...] = (
        g.features, g.symbols, g.figures, g.tokens, g.items, g.roles, g.stacks, g.pieces, g.values,
        g.memory, g.definitions, g.events,
    )  # fmt: skip
    declared = [each for table in tables for each in table.values()]
    named = (rule for rule in g.rules.values() if isinstance(rule, m.Procedure | m.Action))
    parts = (*declared, *named, *_with_arrows(selection, gathered))
    kept = _kept(*parts) if parts else list[Environment]()
    if not kept:
        before = reporter.calls
        found = _Naming(selection, gathered, reporter).environment()
        if reporter.calls > before:
            return found
        kept.append(found)
    return kept[0]


def _with_arrows(selection: Selection, gathered: Gathered) -> list[m.PieceKind]:
    """The pieces with arrows, also of rulesets whose tiles are left out: their rules read them."""
    printed = [
        piece for ruleset in selection.rulesets for piece in (ruleset.entire or ruleset).pieces
    ]
    return [piece for piece in (*gathered.pieces.values(), *printed) if _arrows_on(piece)]


def _arrows_on(piece: m.PieceKind) -> set[str]:
    return {name for face in piece.faces for cell in face for name, _ in cell.arrows}


@kept_by_identities
def _kept(*declared: KeepsResults) -> list[Environment]:
    """The environment of declarations, once there is one without diagnostics."""
    return []


class _Naming:
    def __init__(self, selection: Selection, gathered: Gathered, reporter: Reporter) -> None:
        self.selection = selection
        self.g = gathered
        self.reporter = reporter

    def environment(self) -> Environment:
        """Every declaration by name; duplicate and reserved names are reported."""
        g = self.g
        self._check_words()
        constants = self._constants()
        self._check_roles()
        self._check_items()
        called: tuple[_Declared, ...] = (*g.definitions.values(), *g.events.values())
        procedures = [
            rule for rule in g.rules.values() if isinstance(rule, m.Procedure) and not rule.beside
        ]
        for thing in (*called, *procedures):
            for text, span in _signature(thing)[1]:
                self._type(text, span)
        return Environment(
            constants=constants,
            values={v.id: self._type_of(v) for v in g.values.values()},
            memory={x.id: self._type_of(x) for x in g.memory.values() if not x.of},
            kept=self._kept(),
            definitions=_BUILTIN_DEFINITIONS
            | {d.id: _signature(d)[0] for d in g.definitions.values()},
            events=_BUILTIN_EVENTS | {e.id: _signature(e)[0] for e in g.events.values()},
            procedures={rule.declaration.id: _signature(rule)[0] for rule in procedures},
            attributes={a.id: NUMBER for k in g.features.values() for a in k.attributes},
            actions={
                rule.name: _constant("action", "action", rule.name)
                for rule in g.rules.values()
                if isinstance(rule, m.Action)
            },
            arrows={
                name: Type("heading", optional=True)
                for piece in _with_arrows(self.selection, g)
                for name in _arrows_on(piece)
            },
            item_numbers={name: NUMBER for x in g.items.values() for name, _ in x.numbers},
        )

    def _kept(self) -> dict[str, Kept]:
        """The memory that is kept for things; wrong names and types are reported."""
        declared = [x for x in self.g.memory.values() if x.of or x.combine or x.token]
        kept = {x.id: Kept(x.of, self._type_of(x)) for x in declared}
        printed = {a.id for kind in self.g.features.values() for a in kind.attributes}
        for memory in declared:
            check_kept(memory, kept[memory.id].type, printed, self.g.tokens, self.reporter)
        return {id_: each for id_, each in kept.items() if each.of}

    def _constants(self) -> dict[str, Constant]:
        """The names of declared things; a name for two kinds of things is reported."""
        g, constants = self.g, dict[str, Constant]()
        declared_at: dict[str, tuple[int, Span]] = {}

        def declare(name: str, type_: str, category: str, span: Span, table: str) -> None:
            depth = self._depth(table, name)
            if _is_word(name):
                self._refuse_word(name, category, span)
            elif name in constants and constants[name].category != category:
                # report it in the ruleset that builds on the other
                places = sorted((declared_at[name], (depth, span)), key=lambda place: place[0])
                message = f"`{name}` names a {constants[name].category} and a {category}"
                note = Note(places[0][1], "the other one is here")
                self.reporter.error("TW728", message, places[1][1], notes=(note,))
            constants[name] = _constant(type_, category, name)
            declared_at[name] = (depth, span)

        for i, name in enumerate(_DIRECTIONS):
            constants[name] = _constant("direction", "direction", str(i))
        for name, heading in _DIAGONALS.items():
            constants[name] = _constant("heading", "heading", str(heading))
        for kind in g.features.values():
            declare(kind.id, "feature kind", "feature kind", kind.span, "features")
        for symbol in g.symbols.values():
            declare(symbol.id, "symbol", "symbol", symbol.span, "symbols")
        for figure in g.figures.values():
            if figure.owned or figure.count != 1:
                declare(figure.id, "figure kind", "figure kind", figure.span, "figures")
            else:
                declare(figure.id, "figure", "figure", figure.span, "figures")
            for trait in figure.traits:
                if trait not in constants:
                    declare(trait, "trait", "trait", figure.span, "figures")
        for token in g.tokens.values():
            declare(token.id, "token", "token", token.span, "tokens")
            for trait in token.traits:
                if trait not in constants:
                    declare(trait, "trait", "trait", token.span, "tokens")
        for role in g.roles.values():
            declare(role.id, "role", "role", role.span, "roles")
        for stack in g.stacks.values():
            type_ = "item stack" if stack.holds == "items" else "stack"
            declare(stack.id, type_, "stack", stack.span, "stacks")
            if stack.owned and stack.id in constants:
                # the name alone means the stacks of all players
                constants[stack.id] = _constant(type_, "stack", stack.id, many=True)
        for piece in g.pieces.values():
            declare(piece.id, "piece", "piece", piece.span, "pieces")
        for item in g.items.values():
            declare(item.id, "item", "item", item.span, "items")
        return constants

    def _type_of(self, declared: m.ValueDecl | m.MemoryDecl) -> Type:
        return self._type(declared.type, m.place_in(declared, "type"))

    def _type(self, text: str, span: Span) -> Type:
        found = parse_type(text)
        if found is None:
            known = [form for base in BASES for form in (base, f"set of {base}", f"{base}?")]
            message = f"`{text}` is not a type{did_you_mean(text, known)}"
            self.reporter.error("TW726", message, span)
        return found or UNKNOWN

    def _depth(self, table: str, id_: str) -> int:
        """The depth of the ruleset that declares something (see `Selection`)."""
        return self.selection.depth.get(self.g.origin.get((table, id_), ""), 0)

    def _check_words(self) -> None:
        """Report declarations whose name is reserved by the language."""
        g = self.g
        definitions = {name for name, *_ in BUILTIN_DEFINITIONS}
        events = {name for name, *_ in BUILTIN_EVENTS}
        for category, things, taken in (
            ("value", g.values.values(), frozenset[str]()),
            ("memory", g.memory.values(), frozenset[str]()),
            ("definition", g.definitions.values(), definitions),
            ("event", g.events.values(), events),
        ):
            for thing in things:
                if _is_word(thing.id) or thing.id in taken:
                    self._refuse_word(thing.id, category, thing.span)

    def _refuse_word(self, name: str, category: str, span: Span) -> None:
        named = with_article(category)
        message = f"`{name}` is a word of the language and cannot name {named}"
        self.reporter.error("TW413", message, span)

    def _check_roles(self) -> None:
        for role in self.g.roles.values():
            if role.on not in self.g.features:
                message = f"role `{role.id}` is on an unknown kind of feature `{role.on}`"
                message += did_you_mean(role.on, self.g.features)
                self.reporter.error("TW727", message, m.place_in(role, "on"))
            for figure in role.figures:
                if figure not in self.g.figures:
                    message = f"role `{role.id}` is for an unknown figure `{figure}`"
                    known = did_you_mean(figure, self.g.figures)
                    place = m.place_in(role, "figures", figure)
                    self.reporter.error("TW727", message + known, place)
        for figure_kind in self.g.figures.values():
            name = figure_kind.in_all
            if name and (name not in self.g.values or self.g.values[name].type != "number"):
                message = f"`in_all` of `{figure_kind.id}` names no value of type number: `{name}`"
                known = did_you_mean(name, self.g.values)
                self.reporter.error("TW727", message + known, m.place_in(figure_kind, "in_all"))
        holders = [s for s in self.g.stacks.values() if s.holds == "tiles"]
        if self.g.pieces and len(holders) != 1:
            first_piece = next(iter(self.g.pieces.values()))
            span = m.place_in(holders[1], "holds") if holders else first_piece.span
            found = f"{len(holders)} have it" if holders else "none has it"
            message = f"exactly one stack must have `holds: tiles`, but {found}"
            self.reporter.error("TW735", message, span)

    def _check_items(self) -> None:
        """Report items that begin in no stack for items."""
        stacks = {s.id: s for s in self.g.stacks.values() if s.holds == "items" and not s.owned}
        for item in self.g.items.values():
            if item.stack not in stacks:
                message = f"items cannot begin in `{item.stack}`"
                hint = "declare it under `stacks:` with `holds: items`, without `owned`"
                known = did_you_mean(item.stack, stacks)
                place = m.place_in(item, "stack")
                self.reporter.error("TW746", message + known, place, hint=hint)
        for piece in self.g.pieces.values():
            if piece.stack in stacks:
                message = f"`{piece.id}` begins in `{piece.stack}`, which holds items"
                self.reporter.error("TW746", message, m.place_in(piece, "stack"))


@kept_by_identity
def _signature(thing: _Declared) -> tuple[Signature, tuple[tuple[str, Span], ...]]:
    """The signature of a declaration, and its texts that are not types, with their places."""
    declared = thing.declaration if isinstance(thing, m.Procedure) else thing
    texts = [(p.type, p.span) for p in declared.parameters]
    result = None
    if isinstance(declared, m.DefinitionDecl):
        texts.append((declared.type, m.place_in(declared, "type")))
        result = parse_type(declared.type) or UNKNOWN
    parameters = _typed((p.name, p.type) for p in declared.parameters)
    wrong = tuple((text, span) for text, span in texts if parse_type(text) is None)
    return Signature(parameters, result), wrong


@lru_cache(4096)
def _constant(type_: str, category: str, id_: str, *, many: bool = False) -> Constant:
    return Constant(Type(type_, many=many), category, id_)


def _is_word(name: str) -> bool:
    """Whether a name is reserved by the language."""
    return (
        name in RESERVED
        or name in GLOBAL
        or name in FUNCTION
        or name in (*_DIRECTIONS, *_DIAGONALS)
    )
