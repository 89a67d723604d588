"""Syntax trees back to text, without the author's layout and comments: `parse(print(x)) == x`.

Hashes, comparisons and messages use this text; `formatter` lays out the author's own text.
"""

from __future__ import annotations

from typing import assert_never

from tilewright.language.syntax import ast as n

_INDENT = "  "
#: binding powers of nodes; a part that binds less than its place requires gets brackets
_LOOSE, _OR, _AND, _NOT, _RELATION, _SUM, _PRODUCT, _UNARY, _OF, _POSTFIX = range(10)


def print_expression(node: n.Expression) -> str:
    """An expression as text."""
    return _show(node, _LOOSE)


def print_effects(effects: tuple[n.Effect, ...], depth: int = 0) -> str:
    """Effects as text, one per line, blocks indented by two spaces."""
    return "".join(_effect(effect, depth) for effect in effects)


def _show(node: n.Expression, place: int) -> str:
    text, binding = _text(node)
    return f"({text})" if binding < place else text


def _list(items: tuple[n.Expression, ...]) -> str:
    return ", ".join(_show(item, _LOOSE) for item in items)


def _text(node: n.Expression) -> tuple[str, int]:
    match node:
        case n.Number(value):
            return str(value), _POSTFIX
        case n.Truth(value):
            return ("true" if value else "false"), _POSTFIX
        case n.Nothing():
            return "nothing", _POSTFIX
        case n.Name(name):
            return name, _POSTFIX
        case n.Attribute(base, name):
            return f"{_show(base, _POSTFIX)}.{name}", _POSTFIX
        case n.Call(name, arguments):
            return f"{name}({_list(arguments)})", _POSTFIX
        case n.SetOf(items):
            return f"{{{_list(items)}}}", _POSTFIX
        case n.Restriction(whole, owner):
            return f"{_show(whole, _OF)} of {_show(owner, _POSTFIX)}", _OF
        case n.Negative(value):
            return f"-{_show(value, _UNARY)}", _UNARY
        case n.Arithmetic(operator, left, right):
            here = _SUM if operator in "+-" else _PRODUCT
            return f"{_show(left, here)} {operator} {_show(right, here + 1)}", here
        case n.Comparison("in" | "not in" as operator, left, n.Range() as ends):
            return f"{_show(left, _SUM)} {operator} {_show(ends, _RELATION)}", _RELATION
        case n.Comparison(operator, left, right):
            return f"{_show(left, _SUM)} {operator} {_show(right, _SUM)}", _RELATION
        case n.Test(value, word, negated):
            return f"{_show(value, _SUM)} is {'not ' if negated else ''}{word}", _RELATION
        case n.Not(value):
            return f"not {_show(value, _NOT)}", _NOT
        case n.And(parts):
            return " and ".join(_show(part, _NOT) for part in parts), _AND
        case n.Or(parts):
            return " or ".join(_show(part, _AND) for part in parts), _OR
        case n.Quantifier(kind, variable, source, body):
            return f"{kind} {variable} in {_show(source, _OR)}: {_show(body, _LOOSE)}", _LOOSE
        case n.FirstOf(count, source):
            return f"first {_show(count, _POSTFIX)} of {_show(source, _OF)}", _UNARY
        case n.Range(first, last):
            return f"{_show(first, _SUM)}..{_show(last, _SUM)}", _RELATION
        case n.Conditional(test, then, otherwise):
            return (
                f"if {_show(test, _OR)} then {_show(then, _OR)} else {_show(otherwise, _LOOSE)}",
                _LOOSE,
            )
    assert_never(node)


def _block(effects: tuple[n.Effect, ...], depth: int) -> str:
    if not effects:
        return "{}"
    return "{\n" + print_effects(effects, depth + 1) + _INDENT * depth + "}"


def _effect(effect: n.Effect, depth: int) -> str:
    return _INDENT * depth + _effect_text(effect, depth) + "\n"


def _effect_text(effect: n.Effect, depth: int) -> str:
    match effect:
        case n.Let(name, value):
            return f"let {name} = {_show(value, _LOOSE)}"
        case n.Assign(target, value):
            return f"set {target} = {_show(value, _LOOSE)}"
        case n.Add(value, target):
            return f"add {_show(value, _LOOSE)} to {target}"
        case n.Drop(value, target):
            return f"drop {_show(value, _LOOSE)} from {target}"
        case n.If(test, then, otherwise):
            text = f"if {_show(test, _LOOSE)} {_block(then, depth)}"
            return text + (f" else {_block(otherwise, depth)}" if otherwise else "")
        case n.For(variable, source, body):
            return f"for {variable} in {_show(source, _LOOSE)} {_block(body, depth)}"
        case n.ForWith(variable, source, attribute, value, body):
            head = f"for {variable} in {_show(source, _LOOSE)} with {attribute} {value}"
            return f"{head} {_block(body, depth)}"
        case n.Repeat(count, body):
            return f"repeat {_show(count, _LOOSE)} {_block(body, depth)}"
        case n.Stop(test):
            return "stop" if test is None else f"stop if {_show(test, _LOOSE)}"
        case n.Choose(optional, variable, source, by, label, body, otherwise):
            text = f"{'may ' if optional else ''}choose {variable} in {_show(source, _LOOSE)}"
            text += f" by {_show(by, _LOOSE)}"
            text += f' as "{label}"' if label else ""
            text += " " + _block(body, depth)
            return text + (f" else {_block(otherwise, depth)}" if otherwise else "")
        case n.Decide(label, by, body, otherwise):
            text = f'may "{label}" by {_show(by, _LOOSE)} {_block(body, depth)}'
            return text + (f" else {_block(otherwise, depth)}" if otherwise else "")
        case n.DrawInto(target, stack, into, times, where):
            text = f"draw {target} from " if target else "draw from "
            text += f"{_show(stack, _LOOSE)} into {_show(into, _LOOSE)}"
            text += f" times {_show(times, _LOOSE)}" if times is not None else ""
            return text + (f" where {_show(where, _LOOSE)}" if where is not None else "")
        case n.Draw(target, stack, where, times=times):
            text = f"draw {target} from {_show(stack, _LOOSE)}"
            text += f" times {_show(times, _LOOSE)}" if times is not None else ""
            return text + (f" where {_show(where, _LOOSE)}" if where is not None else "")
        case n.Offer(by):
            return f"offer actions by {_show(by, _LOOSE)}"
        case n.ProcedureCall(procedure, arguments):
            return f"{procedure}({_list(arguments)})"
        case n.Announce(event, arguments):
            return f"announce {event}({_list(arguments)})"
        case n.EndGame(_, at_once):
            return "end game at once" if at_once else "end game"
        case n.Verb(verb, operand, parts):
            ending = "".join(f" {word} {_show(part, _LOOSE)}" for word, part in parts)
            quietly = " quietly" if verb.endswith(" quietly") else ""
            return f"{verb.removesuffix(quietly)} {_show(operand, _LOOSE)}{ending}{quietly}"
    assert_never(effect)
