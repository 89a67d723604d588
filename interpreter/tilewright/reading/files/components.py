"""Reads components.yaml: kinds of features, symbols, figures, tokens and items, roles, stacks."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.model.ruleset import (
    NO_COVER,
    AttributeDecl,
    Combine,
    Completion,
    FeatureKind,
    FigureKind,
    ItemDecl,
    PrintedNumber,
    Reach,
    Role,
    StackDecl,
    SymbolDecl,
    TokenDecl,
)
from tilewright.reading.files.map_reader import MapReader, open_file
from tilewright.reading.files.patterns import COLOUR, DOTTED, NAME, ROLE, SLUG
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Reporter
from tilewright.source.yaml.tree import YNode, YText

#: the values of `combine` for attributes
NUMBER_COMBINES = ("sum", "any", "all", "max", "one")
POSTURES = ("standing", "lying")
#: the things that a figure may carry, and those that a stack may hold
CARRIED = ("facing", "companion")
HELD = ("tiles", "items")
MAX_FIGURES = 100
MAX_TOKENS = 10_000
MAX_ITEMS = 100


@dataclass(frozen=True, slots=True)
class ComponentsFile:
    """The declarations of one components.yaml."""

    features: tuple[FeatureKind, ...] = ()
    symbols: tuple[SymbolDecl, ...] = ()
    figures: tuple[FigureKind, ...] = ()
    attributes: tuple[PrintedNumber, ...] = ()
    tokens: tuple[TokenDecl, ...] = ()
    items: tuple[ItemDecl, ...] = ()
    roles: tuple[Role, ...] = ()
    stacks: tuple[StackDecl, ...] = ()


def read_components(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> ComponentsFile:
    """The declarations of the file, as far as their shape is right."""
    entry = open_file(node, "components.yaml", reporter, translator)
    if entry is None:
        return ComponentsFile()
    found = ComponentsFile(
        features=tuple(_feature(*pair) for pair in entry.named("features", "feature kind", NAME)),
        symbols=tuple(_symbol(*pair) for pair in entry.named("symbols", "symbol", NAME)),
        figures=tuple(_figure(*pair) for pair in entry.named("figures", "figure", NAME)),
        attributes=tuple(_printed(*p) for p in entry.named("attributes", "attribute", NAME)),
        tokens=tuple(_token(*pair) for pair in entry.named("tokens", "token", NAME)),
        items=tuple(_item(*pair) for pair in entry.named("items", "item", NAME)),
        roles=tuple(_role(*pair) for pair in entry.named("roles", "role", NAME)),
        stacks=tuple(_stack(*pair) for pair in entry.named("stacks", "stack", NAME)),
    )
    entry.close()
    return found


def _feature(name: YText, entry: MapReader) -> FeatureKind:
    reaches = tuple(reach.value for reach in Reach)
    completions = tuple(completion.value for completion in Completion)
    return FeatureKind(
        id=name.value,
        label=entry.labels("label", required=True),
        reach=Reach(entry.choice("reach", reaches, required=True, default=reaches[0])),
        completes=Completion(
            entry.choice("completes", completions, required=True, default=completions[0])
        ),
        attributes=tuple(
            _attribute(*pair) for pair in entry.named("attributes", "attribute", NAME)
        ),
        colour=entry.text("colour", COLOUR),
        outline=entry.text("outline", COLOUR),
        glyph=entry.text("glyph", ROLE),
        from_symbol=entry.text("from_symbol", NAME),
        span=name.span,
        entry=entry.node,
    )


def _attribute(name: YText, entry: MapReader) -> AttributeDecl:
    return AttributeDecl(
        id=name.value,
        combine=Combine(entry.choice("combine", NUMBER_COMBINES, required=True, default="sum")),
        label=entry.labels("label", required=True),
        symbol=entry.text("glyph", ROLE),
        span=name.span,
        is_landmark=entry.truth("landmark", False) is True,
    )


def _symbol(name: YText, entry: MapReader) -> SymbolDecl:
    return SymbolDecl(
        id=name.value,
        label=entry.labels("label", required=True),
        glyph=entry.text("glyph", ROLE),
        colour=entry.text("colour", COLOUR),
        span=name.span,
        with_=entry.companions(),
        is_landmark=entry.truth("landmark", False) is True,
        covers=_covers(entry),
        entry=entry.node,
    )


def _covers(symbol: MapReader) -> tuple[str, str]:
    node = symbol.get("covers")
    entry = None if node is None else symbol.enter(node, "`covers`", symbol.span("covers"))
    if entry is None:
        return NO_COVER
    found = entry.text("over", NAME, required=True), entry.text("edges", NAME, required=True)
    entry.close()
    return found


def _figure(name: YText, entry: MapReader) -> FigureKind:
    return FigureKind(
        id=name.value,
        label=entry.labels("label", required=True),
        owned=entry.truth("owned", True) is not False,
        count=entry.number("count", least=0, most=MAX_FIGURES, required=True) or 0,
        in_all=entry.text("in_all", DOTTED),
        like=entry.text("like", NAME),
        traits=entry.words("traits", NAME),
        carries=entry.choices("carries", CARRIED),
        glyph=entry.text("glyph", ROLE),
        colour=entry.text("colour", COLOUR),
        span=name.span,
        with_=entry.companions(),
        roles=entry.words("roles", NAME),
        entry=entry.node,
    )


def _printed(name: YText, entry: MapReader) -> PrintedNumber:
    on = entry.text("on", NAME, required=True)
    return PrintedNumber(on, _attribute(name, entry), entry.node)


def _token(name: YText, entry: MapReader) -> TokenDecl:
    return TokenDecl(
        id=name.value,
        label=entry.labels("label", required=True),
        count=entry.number("count", least=0, most=MAX_TOKENS, required=True) or 0,
        traits=entry.words("traits", NAME),
        glyph=entry.text("glyph", ROLE),
        colour=entry.text("colour", COLOUR),
        span=name.span,
    )


def _item(name: YText, entry: MapReader) -> ItemDecl:
    return ItemDecl(
        id=name.value,
        label=entry.labels("label", required=True),
        count=entry.number("count", least=0, most=MAX_ITEMS, required=True) or 0,
        stack=entry.text("stack", NAME, required=True),
        numbers=entry.numbers("numbers", NAME),
        glyph=entry.text("glyph", ROLE),
        colour=entry.text("colour", COLOUR),
        span=name.span,
        with_=entry.companions(),
        entry=entry.node,
    )


def _role(name: YText, entry: MapReader) -> Role:
    return Role(
        id=name.value,
        label=entry.labels("label", required=True),
        figures=entry.words("figures", NAME, required=True, least=1),
        on=entry.text("on", NAME, required=True),
        posture=entry.choice("posture", POSTURES, default="standing"),
        statements=entry.words("from", SLUG),
        span=name.span,
        with_=entry.companions(),
        entry=entry.node,
    )


def _stack(name: YText, entry: MapReader) -> StackDecl:
    return StackDecl(
        id=name.value,
        label=entry.labels("label", required=True),
        holds=entry.choice("holds", HELD),
        hidden=entry.truth("hidden", False) is True,
        owned=entry.truth("owned", False) is True,
        in_order=entry.truth("in_order", False) is True,
        span=name.span,
        with_=entry.companions(),
        entry=entry.node,
    )
