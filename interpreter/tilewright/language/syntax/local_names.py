"""Texts of the language in which parameters and variables have neutral names.

Two texts that differ in these names alone become equal. A name becomes `$0`, `$1` ... by the number
of names that are known where it begins. No author can write these names, so they never meet a name
of a game.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.syntax import ast as n
from tilewright.language.syntax.unparse import print_effects, print_expression

#: by local name at a place: its neutral name
Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Printed:
    """A text as it is printed with the author's names, and with neutral names."""

    text: str = ""
    neutral: str = ""

    def __add__(self, other: Printed) -> Printed:
        return Printed(self.text + other.text, self.neutral + other.neutral)

    def within(self, before: str, after: str = "") -> Printed:
        """This text between two others, which have no local names."""
        return Printed(f"{before}{self.text}{after}", f"{before}{self.neutral}{after}")


def bound(names: Names, *more: str) -> Names:
    """The names at a place, and further ones after them."""
    found = dict(names)
    for name in more:
        found[name] = f"${len(found)}"
    return found


def expression_printed(node: n.Expression, names: Names) -> Printed:
    """An expression, with the local names that are known to it."""
    return Printed(print_expression(node), print_expression(_part(node, names, ())))


def effects_printed(effects: tuple[n.Effect, ...], names: Names, memory: Container[str]) -> Printed:
    """Effects; `memory` has the names that `draw` changes instead of declaring them."""
    return Printed(print_effects(effects), print_effects(_block(effects, names, memory)))


def _block(effects: tuple[Any, ...], names: Names, memory: Container[str]) -> tuple[Any, ...]:
    """Effects one after another; a name that one declares is known to the next ones."""
    found: list[Any] = []
    for effect in effects:
        match effect:
            case n.Let(name, value, span):
                value = _part(value, names, memory)
                names = bound(names, name)
                found.append(n.Let(names[name], value, span))
            case n.Draw(target, stack, where, span, times):
                stack, times = _part(stack, names, memory), _part(times, names, memory)
                if target not in names and target not in memory and "." not in target:
                    names = bound(names, target)
                where = _part(where, names, memory)
                found.append(n.Draw(_target(target, names), stack, where, span, times))
            case _:
                found.append(_part(effect, names, memory))
    return tuple(found)


def _part(part: Any, names: Names, memory: Container[str]) -> Any:
    """A node, several nodes or a word with neutral names; words of the language stay."""
    match part:
        case tuple():
            return _block(part, names, memory)
        case n.Name(name, span):
            return n.Name(names.get(name, name), span)
        case n.Quantifier(_, variable, source, body):
            inner = bound(names, variable)
            source, body = _part(source, names, memory), _part(body, inner, memory)
            return replace(part, variable=inner[variable], source=source, body=body)
        case n.For(variable, source, body, span):
            inner = bound(names, variable)
            source = _part(source, names, memory)
            return n.For(inner[variable], source, _block(body, inner, memory), span)
        case n.ForWith(variable, source, attribute, value, body, span):
            inner = bound(names, variable, value)
            head = inner[variable], _part(source, names, memory), attribute, inner[value]
            return n.ForWith(*head, _block(body, inner, memory), span)
        case n.Choose(_, variable, source, by, _, body, otherwise):
            inner = bound(names, variable)
            return replace(
                part,
                variable=inner[variable],
                source=_part(source, names, memory),
                by=_part(by, names, memory),
                body=_block(body, inner, memory),
                otherwise=_block(otherwise, names, memory),
            )
        case n.DrawInto(target, stack, into, times, where, span):
            inner = bound(names, target) if target else names
            return n.DrawInto(
                inner[target] if target else "",
                _part(stack, names, memory),
                _part(into, names, memory),
                _part(times, names, memory),
                _part(where, inner, memory),
                span,
            )
        case n.Assign(target, value) | n.Add(value, target) | n.Drop(value, target):
            value = _part(value, names, memory)
            return replace(part, target=_target(target, names), value=value)
        case n.Node():
            inside = {name: getattr(part, name) for name in part.__match_args__ if name != "span"}
            done = {name: _part(each, names, memory) for name, each in inside.items()}
            return type(part)(**done, span=part.span)  # type: ignore[call-arg, attr-defined]
    return part


def _target(target: str, names: Names) -> str:
    """The name of what is changed: `t.depth` names the thing `t`."""
    head, dot, rest = target.partition(".")
    return names.get(head, head) + dot + rest
