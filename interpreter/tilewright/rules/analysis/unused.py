"""Notes on declarations without effect, because the game uses only a part of a ruleset.

Examples: a symbol that no rule reads, a figure that no rule brings into play, tiles in a stack that
no rule draws from, a definition that no rule calls. Rulesets used as a whole are not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, Span
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.walk import all_expressions, effects_of

#: definitions and events that the language uses without any rule
_CALLED = ("may_lay", "winners")


def note_idle(game: Game, entire: Game | None, selection: Selection, reporter: Reporter) -> None:
    """Report declarations without effect that would have one in a game of the entire rulesets."""
    before = dict(_idle(entire)) if entire is not None else {}
    spans: dict[Span, str] = {}
    for ruleset in selection.rulesets:
        if ruleset.entire is not None:
            spans |= dict.fromkeys(
                (
                    thing.span
                    for things in (
                        ruleset.symbols,
                        ruleset.figures,
                        ruleset.tokens,
                        ruleset.items,
                        ruleset.stacks,
                        ruleset.definitions,
                        ruleset.events,
                        ruleset.values,
                    )
                    for thing in things
                ),
                f"{ruleset.id}{ruleset.part}",
            )
    for span, message in _idle(game):
        if span in spans and span not in before:
            reporter.note("TW758", f"{message}, with `{spans[span]}`", span)


def _idle(game: Game) -> Iterator[tuple[Span, str]]:
    rules = game.rules()
    expressions = list(all_expressions(rules, game.definitions.values()))
    expressions += [value.term for value in game.values.values()]
    named = {each.id for each in expressions if isinstance(each, t.Constant | t.Printed)}
    called = {each.definition for each in expressions if isinstance(each, t.DefinitionCall)} | set(
        _CALLED
    )
    read = {each.id for each in expressions if isinstance(each, t.Value)}
    done = [effect for rule in rules for effect in effects_of(rule)]
    announced = {effect.event for effect in done if isinstance(effect, t.Announce)}
    printed = {
        symbol for p in game.pieces for face in p.faces for c in face for symbol in c.symbols
    }
    printed |= {
        symbol
        for p in game.pieces
        for f in p.faces
        for c in f
        for s in c.segments
        for symbol in s.symbols
    }
    for symbol in game.symbols:
        standing = any(kind.from_symbol == symbol.id for kind in game.features)
        if symbol.id in printed and symbol.id not in named and not standing:
            yield symbol.span, f"no rule tests for the symbol `{symbol.id}`: it is only a picture"
        elif symbol.id in named and symbol.id not in printed:
            yield symbol.span, f"the symbol `{symbol.id}` is on no tile"
    able = {figure for role in game.roles for figure in role.figures}
    traits = {trait for trait in game.traits if trait in named}
    for figure in game.figures:
        if figure.id not in named | able and not traits & set(figure.traits):
            yield figure.span, f"nothing brings `{figure.id}` into play"
    for token in game.tokens:
        if token.id not in named and not traits & set(token.traits):
            yield token.span, f"nobody ever gets a `{token.id}`"
    for stack in game.stacks:
        inside = sum(each.count for each in game.stacked if each.stack == stack.id)
        if inside and stack.id not in named:
            held = "items" if stack.holds == "items" else "tiles"
            yield stack.span, f"nothing is drawn from `{stack.id}`: its {held} stay there"
    for definition in game.definitions.values():
        if definition.id not in called:
            about = f"nothing uses `{definition.id}` any more"
            lost = [amendment.rule.head.id for amendment in definition.amendments]
            more = f": {_listed(lost, 'has', 'have')} no effect" if lost else ""
            yield definition.declaration.span, about + more
    for event in game.events.values():
        if event.reactions and event.id not in announced:
            waiting = _listed([rule.id for rule in event.reactions], "reacts", "react")
            yield _declared_at(game, event.id), f"`{event.id}` never happens: {waiting} to it"
    for value in game.values.values():
        if value.declaration.id not in read and not value.declaration.id.startswith("players."):
            counts = any(figure.in_all == value.declaration.id for figure in game.figures)
            if not counts:
                yield value.declaration.span, f"no rule uses `{value.declaration.id}`"


def _listed(ids: Sequence[str], one: str, several: str) -> str:
    """The ids before their verb, for one of them or for several."""
    return f"{', '.join(f'`{id_}`' for id_ in ids)} {one if len(ids) == 1 else several}"


def _declared_at(game: Game, event: str) -> Span:
    declared = (e for ruleset in game.rulesets for e in ruleset.events if e.id == event)
    return next((e.span for e in declared), NOWHERE)
