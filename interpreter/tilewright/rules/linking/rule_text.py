"""One-line texts of rules, steps and tiles, for comparison and for `expect` in a patch."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from typing import NamedTuple

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, Code
from tilewright.language.syntax.local_names import (
    Names,
    Printed,
    bound,
    effects_printed,
    expression_printed,
)
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.syntax.unparse import print_effects
from tilewright.rules.model import ruleset as m


def plain(text: str) -> str:
    """The text with all white space reduced to single spaces."""
    return " ".join(text.split())


def rule_text(rule: m.Rule) -> str:
    """The text of a rule, without labels and citations."""
    when = f"when {rule.head.when.text.strip()}: " if rule.head.when is not None else ""
    match rule:
        case m.Amendment(_, definition, parameters, value, item):
            named = f" as {item}" if item else ""
            return f"{when}{definition}({', '.join(parameters)}){named} = {value.text.strip()}"
        case m.StepRule(_, step, do):
            return f"{when}on step {step}: {do.text.strip()}"
        case m.Reaction(_, event, parameters, do):
            return f"{when}on {event}({', '.join(parameters)}): {do.text.strip()}"
        case m.Action(_, name, step, offer, where, do):
            offered = ", ".join(f"{n} in {c.text.strip()}" for n, c in offer)
            limit = f" where {where.text.strip()}" if where is not None else ""
            return f"{when}{name} at step {step}: {offered}{limit}: {do.text.strip()}"
        case m.Procedure(_, declaration, do, beside):
            named = ", ".join(f"{p.name}: {p.type}" for p in declaration.parameters)
            called = beside or f"procedure {declaration.id}({named})"
            return f"{when}{called}: {do.text.strip()}"


def step_text(step: m.StepDecl) -> str:
    """The place of a step: `after draw before tally`."""
    places = (("after", step.after), ("before", step.before))
    return " ".join(f"{word} {', '.join(names)}" for word, names in places if names)


def piece_text(piece: m.PieceKind) -> str:
    """The edges of a piece and what is printed on it: `bog bog fen bog with star`."""
    faces = (" + ".join(map(_cell_text, face)) for face in piece.faces)
    return " / ".join(faces) + (", enclosed" if piece.enclosed else "")


def _cell_text(cell: m.TileFace) -> str:
    symbols = [*cell.symbols, *(symbol for s in cell.segments for symbol in s.symbols)]
    return " ".join(cell.edges) + (f" with {', '.join(symbols)}" if symbols else "")


def printed(piece: m.PieceKind) -> object:
    """The print of a piece, without source places."""
    return piece.enclosed, tuple(tuple(map(_bare, face)) for face in piece.faces)


def _bare(cell: m.TileFace) -> m.TileFace:
    segments = tuple(replace(segment, span=NOWHERE) for segment in cell.segments)
    return replace(cell, segments=segments, span=NOWHERE)


def rule_hook(rule: m.Rule, *, named: bool = True) -> str:
    """The place of a rule, as in its facts; on request without the names of parameters."""
    match rule:
        case m.Amendment():
            item = f" as {rule.item}" if rule.item else ""
            return f"amend {rule.definition}{_names(rule.parameters) if named else ''}{item}"
        case m.StepRule():
            return f"on step {rule.step}"
        case m.Reaction():
            return f"on {rule.event}{_names(rule.parameters) if named else ''}"
        case m.Action():
            return f"action {rule.name} at step {rule.step}"
        case m.Procedure():
            parameters = rule.declaration.parameters
            typed = (f"{p.name}: {p.type}" if named else p.type for p in parameters)
            return f"procedure {rule.declaration.id}{_names(typed)}"


def _names(names: Iterable[str]) -> str:
    return f"({', '.join(names)})"


def expression_text(code: Code) -> str:
    """An expression in canonical form; one that cannot be parsed as written, on one line."""
    return code_printed(code, {}).text


def code_printed(code: Code, names: Names) -> Printed:
    """An expression in canonical form, with the local names that are known to it."""
    node = parse_expression(code, Reporter.discarding())
    if node is None:
        return Printed(plain(code.text), plain(code.text))
    return expression_printed(node, names)


class RuleParts(NamedTuple):
    """A rule in canonical form; `when` and `where` are empty where it has none."""

    when: str
    offers: tuple[str, ...]
    where: str
    body: str  # the value of an amendment, else the effects


def rule_parts(rule: m.Rule) -> RuleParts:
    """The texts of a rule in canonical form."""
    when = "" if rule.head.when is None else f"when {expression_text(rule.head.when)}"
    if isinstance(rule, m.Amendment):
        return RuleParts(when, (), "", expression_text(rule.value))
    offers: tuple[str, ...] = ()
    where = ""
    if isinstance(rule, m.Action):
        offers = tuple(f"{name} in {expression_text(code)}" for name, code in rule.offer)
        where = "" if rule.where is None else f"where {expression_text(rule.where)}"
    effects = parse_effects(rule.do, Reporter.discarding())
    body = rule.do.text if effects is None else print_effects(effects)
    return RuleParts(when, offers, where, body.strip())


def head_printed(rule: m.Rule, names: Names) -> Printed:
    """The part of a rule before its value or effects: its condition, and what an action offers."""
    when = rule.head.when
    found = Printed() if when is None else code_printed(when, names).within("when ", ": ")
    if isinstance(rule, m.Action):
        for name, code in rule.offer:
            inner = bound(names, name)
            found += Printed(name, inner[name]) + code_printed(code, names).within(" in ", "; ")
            names = inner
        if rule.where is not None:
            found += code_printed(rule.where, names).within("where ", "; ")
    return found


def neutral_text(rule: m.Rule, memory: Container[str]) -> str:
    """The text of a rule that is in no game, as `printed` has it for one in a game: with neutral
    names. `memory` has the names that `draw` does not declare.
    """
    names: Names = {}
    match rule:
        case m.Amendment() | m.Reaction():
            names = bound(names, *rule.parameters)
        case m.Procedure():
            names = bound(names, *(parameter.name for parameter in rule.declaration.parameters))
    head = head_printed(rule, names).neutral
    if isinstance(rule, m.Amendment):
        return head + code_printed(rule.value, names).neutral
    if isinstance(rule, m.Action):
        names = bound(names, *(name for name, _ in rule.offer))
    effects = parse_effects(rule.do, Reporter.discarding())
    body = rule.do.text if effects is None else effects_printed(effects, names, memory).neutral
    return head + body.strip()
