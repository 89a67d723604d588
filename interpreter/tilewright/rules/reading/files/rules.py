"""The keys of rules/*.yaml: values, memory, steps, definitions, events, and the rules themselves.

The head of a rule (`amend: worth(x)`, `on: step draw`) is parsed here; effect text stays text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YList, YNode, YText
from tilewright.language.types import parse_type
from tilewright.rules.model.collections import PHASES
from tilewright.rules.model.ruleset import (
    Combine,
    DefinitionDecl,
    EventDecl,
    MeasureDecl,
    MemoryDecl,
    Moment,
    Moments,
    Parameter,
    Patch,
    Reference,
    Rule,
    SharedRule,
    StepChain,
    StepDecl,
    ValueDecl,
)
from tilewright.rules.reading.duplicates import UniqueNames
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.one_rule import OPTION, RULE, STEPS, call_of, neighbours
from tilewright.rules.reading.files.patches import PATCHES
from tilewright.rules.reading.files.patterns import (
    DOTTED,
    EVENT,
    KNOWN,
    KNOWN_DOTTED,
    MOMENTS,
    NAME,
)
from tilewright.rules.reading.files.translations import Translator

PERIODS = ("turn", "game")
#: the types of things that memory is kept for, and how the values of joined features are combined
OWNERS = ("player", "figure", "tile", "segment", "feature")
JOINS = ("sum", "max", "min", "any", "all", "first")


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


# ------------------------------------------------------------------ checks and conversions


def _with(at: MapReader, key: str, node: YNode) -> None:
    """`with` of the file applies to all its declarations."""
    at.also = s.WITH.read(at, key, node)


def _value(at: MapReader, values: dict[str, Any]) -> ValueDecl:
    place = at.span("is")
    return ValueDecl(**values, id=at.name, span=at.where, with_=at.also, entry=at.node, place=place)


def _memory(at: MapReader, values: dict[str, Any]) -> MemoryDecl:
    for key, (owner, *_) in _NEEDS_OWNER.items():
        if at.has(key) and not at.has("of"):
            message = f"`{key}` needs `of: {owner}`: `{at.name}` is kept once for the whole game"
            at.error("TW201", message, at.span(key))
    return MemoryDecl(**values, id=at.name, span=at.where, with_=at.also, entry=at.node)


def _moments(at: MapReader, place: YText, node: YNode) -> Moments:
    """The moments of a place: texts are steps, a map of one key is a moment with its label."""
    nodes = _ORDER_OF_MOMENTS.nodes(at, place.value, node)
    order = tuple(found for each in nodes for found in _moment(at, each))
    names = UniqueNames("moments", at.reporter)
    for each in order:
        names.add(each.id, each.span)
    return Moments(" ".join(place.value.split()), order, place.span, at.also)


def _moment(at: MapReader, node: YNode) -> Iterator[Moment | Reference]:
    """One entry of an order; nothing after an error."""
    if isinstance(node, YText):
        at.formed(KNOWN, node)
        yield Reference(node.value, node.span)
        return
    named = at.enter(node, "a moment")
    if named is None:
        return
    if len(named.node.entries) != 1:
        message = "a moment has one key, its name: `- first_move: what comes first`"
        at.error("TW206", message, node.span)
        return
    ((name, label),) = named.node.entries
    at.formed(NAME, name)
    yield Moment(name.value, s.LABEL.read(named, name.value, label), name.span)


def _step(at: MapReader, values: dict[str, Any]) -> StepDecl:
    return StepDecl(
        **values | neighbours(values, "after", "before"),
        id=at.name,
        span=at.where,
        with_=at.also,
        entry=at.node,
    )


def _parameter(at: MapReader, name: YText, node: YNode) -> Parameter | None:
    for type_ in s.mentions(at, name.value, None, (node,)):
        return Parameter(name.value, type_.id, name.span.to(type_.span))
    return None


def _definition(at: MapReader, values: dict[str, Any]) -> DefinitionDecl:
    type_ = parse_type(values["type"])
    combine = at.nodes.get("combine")
    is_one = isinstance(combine, YText) and combine.value == Combine.ONE
    if is_one and not at.has("default") and not (type_ and (type_.optional or type_.many)):
        message = f"`{at.name}` needs `default:`, for when no amendment holds"
        at.error("TW736", message, at.span("combine"))
    return DefinitionDecl(**values, id=at.name, span=at.where, with_=at.also, entry=at.node)


def _measure(at: MapReader, values: dict[str, Any]) -> MeasureDecl | None:
    if values["value"] is None or at.bad:
        return None
    on, parameters = call_of(values.pop("on"))
    return MeasureDecl(
        **values,
        id=at.name,
        on=on,
        parameters=parameters,
        span=at.where,
        with_=at.also,
        place=at.span("on"),
    )


def _order(at: MapReader, key: str, node: YNode) -> tuple[StepChain, ...]:
    found = []
    for each in s.ListOf.nodes(_ORDER, at, key, node):
        if not isinstance(each, YList):
            at.wrong(key, "a list of lists, like `[[one, two]]`", each)
        elif len(each.items) < 2:
            message = f"`{key}` needs 2 or more in each of its lists, found {len(each.items)}"
            at.error("TW206", message, each.span)
        else:
            found.append(
                StepChain(s.mentions(at, key, KNOWN_DOTTED, each.items), each.span, at.also)
            )
    return tuple(found)


# ------------------------------------------------------------------ the keys

_TYPE = s.Text(
    "Its type.", required=True, names="<type>", like=("number", "set of player", "piece?")
)
_VALUE = {
    "type": _TYPE,
    "is": s.Scalar("The value.", required=True, names="<expression>", kept_as="value"),
    "says": s.Text("A description, in a sentence."),
    "from": s.STATEMENTS,
}
#: keys of a memory that is kept for things, and the things
_NEEDS_OWNER = {"combine": ("feature",), "token": ("tile", "segment")}
_MEMORY = {
    "label": s.labels(
        "Its name for people; a truth is named by the claim", like="tiles of this turn"
    ),
    "type": _TYPE,
    "per": s.Word(
        "How long it is kept: for a turn, or for the whole game.",
        PERIODS,
        required=True,
        default="turn",
    ),
    "of": s.Word(
        "Each of these has a value of its own, read and set as its attribute. None: there is one "
        "for the match.",
        OWNERS,
    ),
    "combine": s.Word(
        "With `of: feature`: what the values of features become when they join. A feature that was "
        "given none does not count; `first` takes that of the oldest one.",
        JOINS,
    ),
    "token": s.Text(
        "With `of: tile` or `of: segment`: the token that the number counts. Pictures draw it "
        "there.",
        KNOWN,
        names="token",
    ),
}
_ORDER_OF_MOMENTS = s.ListOf(
    "Moments with their names for people, and for a phase also steps.",
    s.Either(
        "A step of the phase, or a moment.",
        (
            s.Text("A step of the phase.", KNOWN, names="step"),
            s.MapOf("A moment, and its name for people.", NAME, s.LABEL, 1, least=1),
        ),
    ),
    1,
)
_STEP = {
    "phase": s.Word("The part of the game it belongs to.", PHASES, required=True, default="turn"),
    "moment": s.Text("Its moment of the phase.", NAME, names="<moment>"),
    "after": STEPS["after"],
    "before": STEPS["before"],
    "label": s.LABEL,
    "aliases": s.texts("Other names, as in print.", "A name.", like=["1"]),
    "from": s.STATEMENTS,
}
_PARAMETERS = s.MapOf(
    "Its parameters: a name and a type for each.",
    NAME,
    s.Text("The type of the parameter.", names="<type>", like="player"),
    each=_parameter,
    names="=local",
    like={"x": "feature"},
)
_DEFINITION = {
    "parameters": _PARAMETERS,
    "type": _TYPE,
    "combine": s.Word(
        "How the values of amendments are combined: exactly one may hold, or the sum, whether all "
        "or any are true, the largest or the smallest, the union of sets, points listed item by "
        "item, or a number that each changes in turn.",
        Combine,
        required=True,
        default=Combine.ONE,
    ),
    "says": s.labels("A description of the definition, in a sentence", required=True),
    "default": s.EffectText("The value when no amendment holds."),
}
#: one value needs a default; a set and an optional value have one
_NEEDS_DEFAULT = {
    "if": {
        "properties": {"combine": {"const": "one"}, "type": {"not": {"pattern": r"^set of |\?$"}}}
    },
    "then": {"required": ["default"]},
}
_EVENT = {
    "parameters": _PARAMETERS,
    "says": s.labels("A description of the event, in a sentence", required=True),
}
_MEASURE = {
    "label": s.LABEL,
    "says": s.Text("A description of the measure, in a sentence.", required=True),
    "on": s.Text(
        "The event on which the value is added, or `turn` for the beginning of every turn; without "
        "it, once when the game is over.",
        EVENT,
        names="<when>",
        like=("closed(x)", "turn"),
    ),
    "when": s.EffectText("A condition; the value is added only when it holds.", like="x.size > 2"),
    "value": s.EffectText("The number that is added.", required=True, like=(1, "x.size")),
}
_ORDER = s.ListOf(
    "Steps, or rules at one place, of any rulesets of the game. Each comes before the next; an "
    "amendment takes precedence over the next.",
    s.ListOf(
        "Steps or rules in their order.",
        s.Text("A step or a rule.", KNOWN_DOTTED, names="ordered"),
        2,
    ),
    like=[["first_step", "second_step"]],
    reader=_order,
)
RULES = s.Map(
    "Rules, and the declarations that they use.",
    {
        "ignore": s.IGNORE,
        "with": replace(
            s.WITH,
            says="Rulesets or roles without which nothing in this file is in the game.",
            kept_as=None,
            reader=_with,
        ),
        "values": s.MapOf(
            "Named numbers and other values, for house rules to set.",
            DOTTED,
            s.Map("A named value.", _VALUE, _value, "value"),
            names="=value",
        ),
        "memory": s.MapOf(
            "Variables of the match.",
            DOTTED,
            s.Map(
                "A variable of the match.",
                _MEMORY,
                _memory,
                "memory",
                rules={"dependentRequired": {key: ["of"] for key in _NEEDS_OWNER}},
            ),
            names="=memory",
        ),
        "moments": s.MapOf(
            "The moments of a phase, a step, an event or a chain, in their order. Steps and rules "
            "at an earlier moment go first; those of a phase are between its steps.",
            MOMENTS,
            _ORDER_OF_MOMENTS,
            each=_moments,
            names="<promise>",
            like=({"turn": ["first_step", {"afterwards": "what follows"}, "second_step"]},),
        ),
        "steps": s.MapOf(
            "Named places in the setup, the turn and the end.",
            NAME,
            s.Map("A step.", _STEP, _step, "step"),
            names="=step",
        ),
        "patches": PATCHES,
        "definitions": s.MapOf(
            "Definitions: named pure functions that rulesets amend.",
            NAME,
            s.Map("A definition.", _DEFINITION, _definition, "definition", rules=_NEEDS_DEFAULT),
            names="=definition",
        ),
        "events": s.MapOf(
            "Events that rules can react to.",
            NAME,
            s.Map("An event.", _EVENT, EventDecl, "event"),
            names="=event",
        ),
        "measures": s.MapOf(
            "Measures that statistics add up over a game. Rules cannot read them.",
            DOTTED,
            s.Map("A measure.", _MEASURE, _measure, "measure"),
        ),
        "shared": s.MapOf(
            "Additions to rules of the folders that module.yaml names under `shares`.",
            DOTTED,
            s.Map(
                "A shared rule, by its id.",
                {"option": OPTION, "from": s.STATEMENTS},
                SharedRule,
                "shared rule",
            ),
            names="rule",
        ),
        "rules": s.ListOf("The rules.", RULE),
        "order": _ORDER,
    },
    RulesFile,
    "a file of rules",
    default=RulesFile(),
    title="rules/*.yaml: the rules",
)


def read_rules(node: YNode, reporter: Reporter, translator: Translator | None = None) -> RulesFile:
    """The declarations of a file of rules, as far as their shape is right."""
    found: RulesFile = s.read_file(RULES, node, reporter, translator)
    return found
