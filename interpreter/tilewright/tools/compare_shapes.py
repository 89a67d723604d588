"""What a thing of a game is, whatever anything is called: nested plain data with names as leaves.

Two shapes are equal when they differ in nothing but the names of locals, the order of parts whose
order means nothing, and ways of writing that mean the same, such as `not (a < b)` and `a >= b`.
What the names of other things mean is left to whoever paints a shape. Labels and sentences are
words, not shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.language.terms import Deed, Term
from tilewright.linking.game import LinkedAction, LinkedAmendment, LinkedRule
from tilewright.model import ruleset as m

#: a tuple, a `Loose`, a `Ref`, or a word or number
Shape = object
#: what a local name is known as: how many locals stood before it
Levels = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ref:
    """The name of a thing that a game declares."""

    sort: str
    id: str


@dataclass(frozen=True, slots=True)
class Loose:
    """Parts in an order that means nothing."""

    parts: tuple[Shape, ...]


def painted(shape: Shape, paint: Callable[[Ref], str]) -> str:
    """A shape as text: equal texts, equal shapes, if `paint` gives equal things equal names."""
    match shape:
        case Ref():
            return paint(shape)
        case Loose(parts):
            return "{" + ",".join(sorted(painted(part, paint) for part in parts)) + "}"
        case tuple():
            return "(" + ",".join(painted(part, paint) for part in shape) + ")"
    return repr(shape)


def refs_in(shape: Shape, path: str = "") -> Iterator[tuple[Ref, str]]:
    """Every name in a shape, with the way to it; parts in any order have the same way."""
    match shape:
        case Ref():
            yield shape, path
        case Loose(parts):
            for part in parts:
                yield from refs_in(part, f"{path}/*")
        case tuple():
            word = shape[0] if shape and isinstance(shape[0], str) else ""
            for i, part in enumerate(shape):
                yield from refs_in(part, f"{path}/{word}{i}")


# ------------------------------------------------------------------ terms

_SORTS = {"feature kind": "kind", "figure kind": "figure"}
#: comparisons by the one that is their opposite; `a > b` is turned to `b < a` first
_TURNED = {">": "<", ">=": "<="}


def term_shape(term: Term, levels: Levels, negated: bool = False) -> Shape:
    """A term, or its opposite."""
    match term.op:
        case "not":
            return term_shape(term.args[0], levels, not negated)
        case "and" | "or":
            op = term.op if not negated else ("or" if term.op == "and" else "and")
            return (op, Loose(tuple(_chain(term, op, levels, negated))))
        case "compare" if term.data in ("<", "<=", ">", ">="):
            left, right = (term_shape(part, levels) for part in term.args)
            operator = str(term.data)
            if operator in _TURNED:
                operator, left, right = _TURNED[operator], right, left
            if negated:
                operator, left, right = ("<=" if operator == "<" else "<"), right, left
            return ("compare", operator, left, right)
        case "compare":
            sides = Loose(tuple(term_shape(part, levels) for part in term.args))
            return _opposite(("compare", sides), negated ^ (term.data == "!="))
        case "literal" if isinstance(term.data, bool):
            return ("literal", term.data ^ negated)
        case "quantifier":
            return _quantifier(term, levels, negated)
        case "conditional":
            test, then, otherwise = term.args
            if _is_turned(test):
                return ("conditional", term_shape(test, levels, True),
                        term_shape(otherwise, levels, negated),
                        term_shape(then, levels, negated))  # fmt: skip
            return ("conditional", term_shape(test, levels),
                    term_shape(then, levels, negated),
                    term_shape(otherwise, levels, negated))  # fmt: skip
    return _opposite(_plain(term, levels), negated)


def _opposite(shape: Shape, negated: bool) -> Shape:
    return ("not", shape) if negated else shape


def _plain(term: Term, levels: Levels) -> Shape:
    match term.op:
        case "local":
            name = str(term.data)
            return ("local", levels.get(name, name))
        case "constant":
            category, id_ = term.pair
            return ("direction", id_) if category == "direction" else _ref(category, id_)
        case "memory" | "value":
            return Ref(term.op, str(term.data))
        case "declared":
            return ("declared", Ref("attribute", str(term.data)), term_shape(term.args[0], levels))
        case "answer":
            asked = Ref("definition", str(term.data))
            return ("answer", asked, *(term_shape(part, levels) for part in term.args))
        case "set":
            return ("set", Loose(tuple(term_shape(part, levels) for part in term.args)))
        case "arithmetic" if term.data in ("+", "-"):
            return ("sum", Loose(tuple(_summands(term, levels, True))))
        case "arithmetic" if term.data == "*":
            return ("product", Loose(tuple(_factors(term, levels))))
    return (term.op, term.data, *(term_shape(part, levels) for part in term.args))


def _ref(category: str, id_: str) -> Ref:
    return Ref(_SORTS.get(category, category), id_)


def _chain(term: Term, op: str, levels: Levels, negated: bool) -> Iterator[Shape]:
    """The parts of `a and b and c`, however they are bracketed."""
    for part in term.args:
        shape = term_shape(part, levels, negated)
        match shape:
            case (str(word), Loose(parts)) if word == op:
                yield from parts
            case _:
                yield shape


def _summands(term: Term, levels: Levels, is_added: bool) -> Iterator[Shape]:
    match term.op:
        case "arithmetic" if term.data in ("+", "-"):
            yield from _summands(term.args[0], levels, is_added)
            yield from _summands(term.args[1], levels, is_added ^ (term.data == "-"))
        case "negative":
            yield from _summands(term.args[0], levels, not is_added)
        case _:
            yield ("+" if is_added else "-", term_shape(term, levels))


def _factors(term: Term, levels: Levels) -> Iterator[Shape]:
    if term.op == "arithmetic" and term.data == "*":
        for part in term.args:
            yield from _factors(part, levels)
    else:
        yield term_shape(term, levels)


def _quantifier(term: Term, levels: Levels, negated: bool) -> Shape:
    kind, variable = term.pair
    source, body = term.args
    inner = {**levels, variable: len(levels)}
    if kind in ("any", "all"):  # `not (all x: a)` is `any x: not a`
        kind = kind if not negated else ("all" if kind == "any" else "any")
        shape = term_shape(body, inner, negated)
        return ("quantifier", kind, term_shape(source, levels), shape)
    shape = ("quantifier", kind, term_shape(source, levels), term_shape(body, inner))
    return _opposite(shape, negated)


def _is_turned(test: Term) -> bool:
    """Whether a test is better asked the other way round, so that both ways come to one."""
    shape = term_shape(test, {})
    match shape:
        case ("not", _) | ("or", _) | ("compare", "<=", _, _) | ("quantifier", "all", _, _):
            return True
    return False


# ------------------------------------------------------------------ deeds


def deeds_shape(deeds: Sequence[Deed], levels: Levels) -> Shape:
    """A body, with locals by level."""
    here, found = dict(levels), []
    for deed in deeds:
        found.append(_deed_shape(deed, here))
        if deed.op == "let" or (deed.op == "draw" and deed.pair[0] == "local"):
            name = str(deed.data) if deed.op == "let" else deed.pair[1]
            here.setdefault(name, len(here))
    return tuple(found)


def _deed_shape(deed: Deed, levels: Levels) -> Shape:
    terms = tuple(term_shape(term, levels) for term in deed.terms)
    match deed.op:
        case "let":
            return ("let", terms)
        case "set_local":
            return ("set", levels.get(str(deed.data), deed.data), terms)
        case "set_memory":
            return ("remember", Ref("memory", str(deed.data)), terms)
        case "add" | "drop":
            return (deed.op, _target(deed.pair, levels), terms)
        case "draw":
            where, name = deed.pair
            inner = {**levels, name: levels.get(name, len(levels))}
            asked = tuple(term_shape(term, inner) for term in deed.terms[1:])
            return ("draw", _target((where, name), inner), terms[0], asked)
        case "for":
            inner = {**levels, str(deed.data): len(levels)}
            return ("for", terms, deeds_shape(deed.blocks[0], inner))
        case "choose":
            optional, variable, _ = deed.choice
            inner = {**levels, variable: len(levels)}
            body, otherwise = deed.blocks
            then = deeds_shape(body, inner)
            return ("choose", optional, terms, then, deeds_shape(otherwise, levels))
        case "if":
            yes, no = (deeds_shape(block, levels) for block in deed.blocks)
            if _is_turned(deed.terms[0]):
                return ("if", term_shape(deed.terms[0], levels, True), no, yes)
            return ("if", terms[0], yes, no)
        case "perform":
            return ("perform", Ref("procedure", str(deed.data)), terms)
        case "announce":
            return ("announce", Ref("event", str(deed.data)), terms)
        case "verb":
            verb, prepositions, target = deed.old_verb
            into = None if target is None else _target(target, levels)
            return (verb, prepositions, into, terms)
    return (deed.op, deed.data, terms, *(deeds_shape(block, levels) for block in deed.blocks))


def _target(target: tuple[str, str], levels: Levels) -> Shape:
    where, name = target
    return ("local", levels.get(name, name)) if where == "local" else Ref(where, name)


# ------------------------------------------------------------------ rules


def levels_of(names: Sequence[str]) -> dict[str, int]:
    """The levels of parameters."""
    return {name: i for i, name in enumerate(names)}


def rule_shape(rule: LinkedAmendment | LinkedRule | LinkedAction) -> Shape:
    """Where a rule hangs, under which condition, and what it does."""
    hook: Shape
    body: Shape
    match rule:
        case LinkedAmendment():
            levels = levels_of(rule.parameters)
            hook = ("amend", Ref("definition", rule.rule.definition))
            body = term_shape(rule.value, levels)
        case LinkedAction():
            levels, offered = {}, list[Shape]()
            for name, source in rule.offer:
                offered.append(term_shape(source, levels))
                levels[name] = len(levels)
            hook = ("action", Ref("step", rule.rule.step))
            where = None if rule.where is None else term_shape(rule.where, levels)
            body = (tuple(offered), where, deeds_shape(rule.deeds, levels))
            levels = {}
        case LinkedRule():
            levels = levels_of([name for name, _ in rule.parameters])
            hook = _hook(rule)
            body = deeds_shape(rule.deeds, levels)
    when = None if rule.when is None else term_shape(rule.when, levels)
    return (hook, when, body)


def _hook(rule: LinkedRule) -> Shape:
    match rule.rule:
        case m.StepRule():
            return ("step", Ref("step", rule.rule.step))
        case m.Reaction():
            return ("on", Ref("event", rule.rule.event))
        case m.Procedure():
            types = tuple(str(type_) for _, type_ in rule.parameters)
            return ("procedure", Ref("procedure", rule.rule.declaration.id), types)
