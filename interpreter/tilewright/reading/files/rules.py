"""Reads rules/*.yaml: values, memory, steps, definitions, events, and the rules themselves.

The head of a rule (`amend: worth(x)`, `on: step draw`) is parsed here; effect text stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tilewright.language.types import parse_type
from tilewright.model.collections import PHASES
from tilewright.model.ruleset import (
    Action,
    Amendment,
    Combine,
    DefinitionDecl,
    EventDecl,
    MeasureDecl,
    MemoryDecl,
    Moment,
    Moments,
    Parameter,
    Patch,
    Procedure,
    ProcedureDecl,
    Reaction,
    Reference,
    Rule,
    RuleHead,
    SharedRule,
    StepChain,
    StepDecl,
    StepRule,
    ValueDecl,
)
from tilewright.reading.duplicates import UniqueNames
from tilewright.reading.files.map_reader import MapReader, open_file
from tilewright.reading.files.patches import read_patch
from tilewright.reading.files.patterns import (
    ACTION,
    AMEND,
    BODIES,
    BODY_KEYS,
    DOTTED,
    EVENT,
    MOMENTS,
    NAME,
    NEIGHBOUR,
    NEIGHBOUR_STEP,
    ON,
    PROCEDURE,
    SLUG,
    TOPIC,
)
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Reporter, one_of
from tilewright.source.text import Code, Span, code_without_file
from tilewright.source.yaml.tree import YNode, YText

PERIODS = ("turn", "game")
#: the types of things that memory is kept for, and how the values of joined features are combined
OWNERS = ("player", "figure", "tile", "segment", "feature")
JOINS = ("sum", "max", "min", "any", "all", "first")
COMBINES = tuple(combine.value for combine in Combine)
#: rulesets or roles that must be in the game for all declarations of a file
Also = tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class RulesFile:
    """The declarations of one file of rules."""

    values: tuple[ValueDecl, ...] = ()
    memory: tuple[MemoryDecl, ...] = ()
    moments: tuple[Moments, ...] = ()
    steps: tuple[StepDecl, ...] = ()
    definitions: tuple[DefinitionDecl, ...] = ()
    events: tuple[EventDecl, ...] = ()
    measures: tuple[MeasureDecl, ...] = ()
    rules: tuple[Rule, ...] = ()
    patches: tuple[Patch, ...] = ()
    order: tuple[StepChain, ...] = ()
    shared: tuple[SharedRule, ...] = ()


def read_rules(node: YNode, reporter: Reporter, translator: Translator | None = None) -> RulesFile:
    """The declarations of a file of rules, as far as their shape is right."""
    entry = open_file(node, "a file of rules", reporter, translator)
    if entry is None:
        return RulesFile()
    # `with` of the file applies to all its declarations
    also = entry.companions()
    measures = (_measure(*pair, also) for pair in entry.named("measures", "measure", DOTTED))
    rules = (_rule(inner, also) for inner in entry.each("rules", "a rule"))
    patches = (_patch(inner, also) for inner in entry.each("patches", "a patch"))
    found = RulesFile(
        values=tuple(_value(*pair, also) for pair in entry.named("values", "value", DOTTED)),
        memory=tuple(_memory(*pair, also) for pair in entry.named("memory", "memory", DOTTED)),
        moments=_moments(entry, also),
        steps=tuple(_step(*pair, also) for pair in entry.named("steps", "step", NAME)),
        definitions=tuple(
            _definition(*pair, also) for pair in entry.named("definitions", "definition", NAME)
        ),
        events=tuple(_event(*pair, also) for pair in entry.named("events", "event", NAME)),
        measures=tuple(measure for measure in measures if measure is not None),
        rules=tuple(rule for rule in rules if rule is not None),
        patches=tuple(patch for patch in patches if patch is not None),
        order=tuple(StepChain(steps, span, also) for span, steps in entry.chains("order", DOTTED)),
        shared=tuple(_shared(*pair) for pair in entry.named("shared", "shared rule", DOTTED)),
    )
    entry.close()
    return found


# ------------------------------------------------------------------ declarations


def _value(name: YText, entry: MapReader, also: Also) -> ValueDecl:
    return ValueDecl(
        id=name.value,
        type=entry.text("type", required=True),
        value=entry.scalar("is", required=True),
        says=entry.text("says"),
        statements=entry.words("from", SLUG),
        span=name.span,
        with_=also,
        entry=entry.node,
        place=entry.span("is"),
    )


def _memory(name: YText, entry: MapReader, also: Also) -> MemoryDecl:
    for key, owner in (("combine", "feature"), ("token", "tile")):
        if entry.has(key) and not entry.has("of"):
            message = f"`{key}` needs `of: {owner}`: `{name.value}` is kept once for the whole game"
            entry.error("TW201", message, entry.span(key))
    return MemoryDecl(
        id=name.value,
        type=entry.text("type", required=True),
        per=entry.choice("per", PERIODS, required=True, default="turn"),
        span=name.span,
        with_=also,
        of=entry.choice("of", OWNERS),
        combine=entry.choice("combine", JOINS),
        token=entry.text("token", NAME),
        entry=entry.node,
    )


def _moments(entry: MapReader, also: Also) -> tuple[Moments, ...]:
    """The moments of each place: texts are steps, a map of one key is a moment with its label."""
    node = entry.get("moments")
    places = None if node is None else entry.enter(node, "`moments`", entry.key_span("moments"))
    if places is None:
        return ()
    moments = []
    for place, _ in places.node.entries:
        places.formed(MOMENTS, place)
        nodes = places.items(place.value, least=1)
        order = tuple(found for each in nodes for found in _moment(each, places))
        moments.append(Moments(" ".join(place.value.split()), order, place.span, also))
        names = UniqueNames("moments", entry.reporter)
        for each in order:
            names.add(each.id, each.span)
    return tuple(moments)


def _moment(node: YNode, entry: MapReader) -> Iterator[Moment | Reference]:
    """One entry of an order; nothing after an error."""
    if isinstance(node, YText):
        entry.formed(NAME, node)
        yield Reference(node.value, node.span)
        return
    named = entry.enter(node, "a moment")
    if named is None:
        return
    if len(named.node.entries) != 1:
        message = "a moment has one key, its name: `- first_move: what comes first`"
        entry.error("TW206", message, node.span)
        return
    name = named.node.entries[0][0]
    entry.formed(NAME, name)
    yield Moment(name.value, named.labels(name.value), name.span)


def _step(name: YText, entry: MapReader, also: Also) -> StepDecl:
    return StepDecl(
        id=name.value,
        phase=entry.choice("phase", PHASES, required=True, default="turn"),
        label=entry.labels("label", required=True),
        moment=entry.text("moment", NAME),
        **entry.neighbours(NEIGHBOUR_STEP, "after", "before"),
        aliases=entry.words("aliases"),
        statements=entry.words("from", SLUG),
        span=name.span,
        with_=also,
        entry=entry.node,
    )


def _shared(name: YText, entry: MapReader) -> SharedRule:
    option, statements = entry.texts("option", NAME), entry.words("from", SLUG)
    return SharedRule(name.value, option, statements, name.span, entry.node)


def _parameters(entry: MapReader) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(name.value, type_.id, name.span.to(type_.span))
        for name, type_ in entry.typed("parameters", NAME)
    )


def _definition(name: YText, entry: MapReader, also: Also) -> DefinitionDecl:
    type_ = parse_type(entry.text("type"))
    is_one = entry.choice("combine", COMBINES) == Combine.ONE
    if is_one and not entry.has("default") and not (type_ and (type_.optional or type_.many)):
        message = f"`{name.value}` needs `default:`, for when no amendment holds"
        entry.error("TW736", message, entry.span("combine"))
    return DefinitionDecl(
        id=name.value,
        parameters=_parameters(entry),
        type=entry.text("type", required=True),
        combine=Combine(entry.choice("combine", COMBINES, required=True, default="one")),
        says=entry.text("says", required=True),
        default=entry.code("default"),
        span=name.span,
        with_=also,
        entry=entry.node,
    )


def _event(name: YText, entry: MapReader, also: Also) -> EventDecl:
    return EventDecl(
        id=name.value,
        parameters=_parameters(entry),
        says=entry.text("says", required=True),
        span=name.span,
        with_=also,
    )


def _measure(name: YText, entry: MapReader, also: Also) -> MeasureDecl | None:
    label, says = entry.labels("label", required=True), entry.text("says", required=True)
    on, parameters = _call(entry.text("on", EVENT))
    place = entry.span("on") if entry.has("on") else name.span
    when, value = entry.code("when"), entry.code("value", required=True)
    if value is None or entry.bad:
        return None
    span = name.span
    return MeasureDecl(name.value, label, says, on, parameters, when, value, span, also, place)


# ------------------------------------------------------------------ rules


def _head(entry: MapReader, rule_id: str, place: Span, also: Also) -> RuleHead:
    return RuleHead(
        id=rule_id,
        says=entry.text("says"),
        statements=entry.words("from", SLUG),
        label=entry.labels("label"),
        when=entry.code("when"),
        topic=entry.text("topic", TOPIC),
        option=entry.texts("option", NAME),
        with_=(*also, *entry.companions()),
        moment=entry.text("moment", NAME),
        **entry.neighbours(NEIGHBOUR, "after", "before", "over"),
        span=place,
        entry=entry.node,
    )


def _rule(entry: MapReader, also: Also) -> Rule | None:
    rule_id = entry.text("id", DOTTED, required=True)
    if rule_id:
        entry.what = f"rule `{rule_id}`"
    entry.ignores()
    return _body(entry, _head(entry, rule_id, entry.span("id"), also))


def _body(entry: MapReader, head: RuleHead) -> Rule | None:
    """The rule with the one body of the entry, or None after reporting an error."""
    entry.ask(*BODIES, *BODY_KEYS)
    bodies = [key for key in BODIES if entry.has(key)]
    if len(bodies) != 1:
        found = " and ".join(f"`{key}`" for key in bodies) or "none"
        entry.error(
            "TW208",
            f"{entry.what} needs exactly one of `amend`, `on`, `action` and `procedure`, "
            f"found {found}",
            entry.last_of(bodies) if bodies else entry.where,
        )
        return None
    body = bodies[0]
    for key in BODY_KEYS:
        if entry.has(key) and key not in BODIES[body]:
            homes = one_of(name for name, keys in BODIES.items() if key in keys)
            entry.error(
                "TW208",
                f"`{key}` does not go with `{body}` in {entry.what}; it goes with {homes}",
                entry.key_span(key),
            )
    head = replace(head, place=entry.span(body))
    match body:
        case "amend":
            return _amendment(entry, head)
        case "on":
            return _on(entry, head)
        case "action":
            return _action(entry, head)
        case _:
            return _procedure(entry, head)


def _amendment(entry: MapReader, head: RuleHead) -> Rule | None:
    name, parameters = _call(entry.text("amend", AMEND))
    value = entry.code("value", required=True)
    item = entry.labels("item")
    if value is None or entry.bad:
        return None
    return Amendment(head, name, parameters, value, item.get(), item)


def _on(entry: MapReader, head: RuleHead) -> Rule | None:
    text = entry.text("on", ON)
    do = entry.code("do", required=True)
    if do is None or entry.bad:
        return None
    words = text.split()
    if len(words) == 2 and words[0] == "step":
        return StepRule(head, words[1], do)
    name, parameters = _call(text)
    return Reaction(head, name, parameters, do)


def _action(entry: MapReader, head: RuleHead) -> Rule | None:
    words = entry.text("action", ACTION).split()
    offer = entry.codes("offer", NAME)
    where = entry.code("where")
    do = entry.code("do", required=True)
    if do is None or entry.bad:
        return None
    return Action(head, words[0], words[3], offer, where, do)


_TYPED = re.compile(r"([a-z][a-z0-9_]*)\s*:\s*([^,():]+)")


def _procedure(entry: MapReader, head: RuleHead) -> Rule | None:
    text = entry.text("procedure", PROCEDURE)
    do = entry.code("do", required=True)
    if do is None or entry.bad:
        return None
    node = entry.get("procedure")
    code: Code = node.code() if isinstance(node, YText) else code_without_file(text)
    parameters = tuple(
        Parameter(found[1], found[2].strip(), code.span(1, found.start() + 1, 1, found.end() + 1))
        for found in _TYPED.finditer(text)
    )
    name = text.split("(")[0].strip()
    return Procedure(head, ProcedureDecl(name, parameters, head.place), do)


def _call(text: str) -> tuple[str, tuple[str, ...]]:
    """`worth(x, y)` as its name and its parameters."""
    name, _, rest = text.partition("(")
    names = tuple(part.strip() for part in rest.rstrip(") ").split(","))
    return name.strip(), tuple(part for part in names if part)


# ------------------------------------------------------------------ patches


def _patch(entry: MapReader, also: Also) -> Patch | None:
    entry.ignores()

    def rule_of(id_: str, place: Span) -> Rule | None:
        return _body(entry, _head(entry, id_, place, also))

    return read_patch(entry, also, rule_of)
