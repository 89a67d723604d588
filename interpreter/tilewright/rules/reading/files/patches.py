"""The keys of `patches:` in a file of rules: the target and the change of each patch.

A target has one form only: a value or a rule by its name, anything else by category and name, like
`step draw`, `tile corner.count`. `linking` checks whether the target exists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.source.text import words_of
from tilewright.language.source.yaml.tree import YNode, YText
from tilewright.rules.model.ruleset import (
    Completion,
    Patch,
    PieceKind,
    Procedure,
    ProcedureDecl,
    Reaction,
    Rule,
    StepDecl,
    StepRule,
    TileFace,
)
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.one_rule import (
    BODY_WAYS,
    OPTION,
    RULE_KEYS,
    STEPS,
    head_of,
    neighbours,
    rule_of,
)
from tilewright.rules.reading.files.patterns import (
    ADJUST,
    DOTTED,
    INSERT,
    NEIGHBOUR_STEP,
    REPLACE,
    SET,
)
from tilewright.rules.reading.files.tiles import CELL, FACES, faces_of

VERBS = ("set", "adjust", "replace", "remove", "insert")
#: keys of patches alone, and the verb of each
_GOES_WITH = {"to": "set", "by": "adjust", "times": "adjust"}


@dataclass(frozen=True, slots=True)
class _Target:
    """The target of a patch: `tile corner.count` is the part `count` of the tile `corner`."""

    kind: str
    name: str
    part: str
    how: str  # before or after, where something is inserted


# ------------------------------------------------------------------ checks and conversions


def _patches(at: MapReader, key: str, node: YNode) -> tuple[Patch, ...]:
    found = []
    for each in PATCHES.nodes(at, key, node):
        inner = at.enter(each, f"a {PATCH.what}")
        patch = None if inner is None else _patch(inner)
        if patch is not None:
            found.append(patch)
    return tuple(found)


def _patch(at: MapReader) -> Patch | None:
    """The patch of a map, or None after reporting an error."""
    verbs = [key for key in VERBS if at.has(key)]
    if len(verbs) != 1:
        PATCH.values(at)
        found = " and ".join(f"`{key}`" for key in verbs) or "none"
        at.error(
            "TW210",
            f"{at.what} needs exactly one of `set`, `adjust`, `replace`, `remove` and `insert`,"
            f" found {found}",
            at.last_of(verbs) if verbs else at.where,
        )
        at.close(PATCH.keys)
        return None
    verb, node = verbs[0], at.nodes[verbs[0]]
    target = _target(verb, node.value if isinstance(node, YText) else "")
    ways = _WAYS.get((verb, target.kind)) or _WAYS[verb, ""]
    own = {*_COMMON, *VERBS, *_GOES_WITH, *(key for way in ways for key in way.keys)}
    known = [key for key in PATCH.keys if key in own]
    apart = _APART.get((verb, target.kind), ())
    values = PATCH.values(at, [key for key in known if key not in apart])
    _check_keys(at, verb, target)
    made: dict[str, Any] = {"to": "", "how": target.how, "rule": None, "step": None, "piece": None}
    match verb:
        case "set":
            made["to"] = _new_value(at, values, target.kind)
        case "adjust":
            made |= _adjusting(at, values)
        case "replace" if target.kind == "step":
            made["step"] = _step(at, values, target.name)
        case "replace" if target.kind == "tile":
            made["piece"] = _piece(at, values, target.name)
        case "replace":
            made["rule"] = rule_of(at, values, target.name, at.span(verb))
        case "insert":
            made["rule"] = _inserted(at, values, target)
    is_bad = at.bad
    at.close(known)
    if is_bad:
        return None
    return Patch(
        **made,
        **{key: values[key] for key in ("id", "why", "expect", "statements", "option")},
        verb=verb,
        kind=target.kind,
        target=target.name,
        part=target.part,
        span=at.span("id"),
        with_=(*at.also, *values["with_"]),
        entry=at.node,
    )


def _target(verb: str, text: str) -> _Target:
    words = words_of(text)
    how = words.pop(0) if verb == "insert" and words else ""
    if len(words) < 2:
        kind = "value" if verb in ("set", "adjust") else "rule"
        return _Target(kind, "".join(words), "", how)
    name, of, owner = words[1].partition(" of ")
    name, _, part = name.partition(".")
    return _Target(words[0], name + of + owner, part, how)


def _check_keys(at: MapReader, verb: str, target: _Target) -> None:
    """Report keys that a patch of this verb cannot have together."""
    for key, home in _GOES_WITH.items():
        if at.has(key) and home != verb:
            message = f"`{key}` does not go with `{verb}`; it goes with `{home}`"
            at.error("TW210", message, at.key_span(key))
    if at.has("expect") and verb == "insert" and target.kind != "rule":
        message = f"`expect` cannot be used with a {target.kind}; it goes with a rule"
        at.error("TW210", message, at.key_span("expect"))
    if at.has("option") and target.kind == "option":
        message = "a default cannot depend on an option, because options come later"
        at.error("TW210", message, at.key_span("option"))


def _new_value(at: MapReader, values: dict[str, Any], kind: str) -> str:
    if not at.has("to"):
        at.missing("to")
    elif kind == "feature":
        return str(_COMPLETES.read(at, "to", at.nodes["to"]))
    return str(values["to"])


def _adjusting(at: MapReader, values: dict[str, Any]) -> dict[str, Any]:
    given = [key for key in ("by", "times") if at.has(key)]
    if len(given) != 1:
        found = "both" if given else "none"
        message = f"{at.what} needs exactly one of `by` and `times`, found {found}"
        at.error("TW210", message, at.key_span("times" if given else "adjust"))
        return {}
    return {"how": given[0], "to": str(values[given[0]])}


def _step(at: MapReader, values: dict[str, Any], name: str) -> StepDecl:
    """The new place of a step; its label stays, unless the patch has a new one."""
    if not any(at.has(key) for key in ("after", "before", "moment")):
        at.missing("after")
    steps = {k: each.read(at, k, at.nodes[k]) for k, each in STEPS.items() if at.has(k)}
    return StepDecl(
        **neighbours({"after": (), "before": (), **steps}, "after", "before"),
        id=name,
        phase="",
        label=values["label"],
        moment=values["moment"],
        aliases=(),
        statements=(),
        span=at.span("replace"),
        entry=at.node,
    )


def _piece(at: MapReader, values: dict[str, Any], name: str) -> PieceKind:
    """Another drawing of a tile, or, without `edges` and `faces`, just other symbols on it."""
    span = at.span("replace")
    if at.has("edges") or at.has("faces"):
        faces = faces_of(at, values)
    else:
        needed = "edges" if at.has("segments") else "symbols"
        if not at.has(needed):
            at.missing(needed)
        symbols, crosses = values["symbols"], values["crosses"]
        faces = ((TileFace(0, 0, ("", "", "", ""), (), symbols, crosses, span),),)
    return PieceKind(name, 0, faces, "", "", (), "", span)


def _inserted(at: MapReader, values: dict[str, Any], target: _Target) -> Rule | None:
    """The inserted rule, with the id of the patch."""
    if not at.has("do"):
        at.missing("do")
    do = values["do"]
    if do is None:
        return None
    head = head_of(at, values, values["id"], at.span("id"), at.span("insert"))
    match target.kind:
        case "step":
            return StepRule(head, target.name, do)
        case "event":
            return Reaction(head, target.name, (), do)
    beside = f"{target.how} {target.name}"
    # no author can write this name, so no other rule calls it
    name = f"{beside}: {values['id']}"
    return Procedure(head, ProcedureDecl(name, (), head.place), do, beside)


# ------------------------------------------------------------------ the keys

_COMPLETES = s.Word("The new value.", Completion)
_HEAD = ("says", "label", "topic", "moment", "when", "after", "before")
_PLAIN = "rule"  # the target is its name alone


def _target_of(kind: str) -> dict[str, Any]:
    """The words of a schema for the target of a replacement."""
    form = {"not": {"pattern": r"\s"}} if kind == _PLAIN else {"pattern": rf"^{kind}\s"}
    return {"replace": form}


def _replaced(kind: str) -> dict[str, Any]:
    return {"properties": _target_of(kind)}


_STEPS_BESIDE = {key: {"items": {"pattern": NEIGHBOUR_STEP.written}} for key in STEPS}


_WAYS: dict[tuple[str, str], tuple[s.Way, ...]] = {
    ("set", ""): (s.Way(("set", "to")),),
    ("adjust", ""): (s.Way(("adjust", "by")), s.Way(("adjust", "times"))),
    ("remove", ""): (s.Way(("remove",)),),
    ("insert", ""): (s.Way(("insert", "do"), _HEAD),),
    ("replace", ""): tuple(
        s.Way(("replace", *way.needs), (*_HEAD, *way.also), _replaced(_PLAIN)) for way in BODY_WAYS
    ),
    ("replace", "step"): (
        s.Way(
            ("replace",),
            ("label", "after", "before", "moment"),
            {
                "properties": {**_target_of("step"), **_STEPS_BESIDE},
                "anyOf": [{"required": [key]} for key in ("after", "before", "moment")],
            },
        ),
    ),
    ("replace", "tile"): (
        s.Way(
            ("replace", "edges"), ("segments", "symbols", "crosses", "arrows"), _replaced("tile")
        ),
        s.Way(("replace", "faces"), (), _replaced("tile")),
        s.Way(("replace", "symbols"), ("crosses",), _replaced("tile")),
    ),
}
#: the values that the completion of features may be set to
_TO_COMPLETE = {
    "if": {"required": ["set"], "properties": {"set": {"pattern": r"^feature\s"}}},
    "then": {"properties": {"to": {"enum": [*_COMPLETES.words]}}},
}
#: keys that have another shape for one kind of target
_APART = {("replace", "step"): tuple(STEPS), ("set", "feature"): ("to",)}
#: keys that every patch may have
_COMMON = ("id", "with", "option", "expect", "from", "ignore", "why")


def _ordered(says: str) -> s.ListOf:
    each = replace(RULE_KEYS["after"].inside(), names="ordered")
    return s.ListOf(says, each, most=s.MAX_WORDS)


_CHANGED = s.Text(
    "The rule, step or tile that is removed.",
    REPLACE,
    names="<rule>",
    like=("turn.draw", "step draw_tile", "tile corner"),
)
PATCH = s.Map(
    "A change of a value, a count, a rule, a step or a tile, with exactly one of `set`, `adjust`, "
    "`replace`, `remove` and `insert`.",
    {
        "id": s.Text("Its id.", DOTTED, required=True, names="=rule"),
        "with": s.WITH,
        "option": OPTION,
        "set": s.Text(
            "The value that is set, or a part of something else.",
            SET,
            names="<value>",
            like=("town.points", "tile corner.count", "option weather.default"),
        ),
        "to": s.Scalar("The new value.", names="<words>"),
        "adjust": s.Text(
            "The value or count that is changed by a number, relative to its present value.",
            ADJUST,
            names="<value>",
            like=("town.points", "figure peg.count"),
        ),
        "by": s.Number("The number that is added; it may be negative.", default=0),
        "times": s.Number("The factor.", default=0),
        "remove": _CHANGED,
        "replace": replace(
            _CHANGED,
            says="The rule that is replaced and keeps its id, the step that is moved, or the tile "
            "with a new print.",
        ),
        "insert": s.Text(
            "The place of the inserted effects: before or after a rule, everything at a step, or "
            "all reactions to an event.",
            INSERT,
            names="<insert>",
            like=("before turn.draw", "after step draw_tile", "before event closed"),
        ),
        "expect": s.Scalar(
            "The expected present value; a different value is an error.", default=None
        ),
        "from": s.STATEMENTS,
        "ignore": s.IGNORE,
        "why": s.Text("The reason for the patch.", required=True),
        **{key: RULE_KEYS[key] for key in ("says", "topic", "label")},
        **{key: RULE_KEYS[key] for key in ("amend", "on", "action", "procedure")},
        "moment": replace(RULE_KEYS["moment"], says="The moment of a rule or of a step."),
        **CELL,
        "symbols": replace(
            CELL["symbols"], says="Symbols on the tile; alone, they change while the drawing stays."
        ),
        "faces": FACES,
        "after": _ordered(
            "Rules on the same step or event that go first; of a step: steps that come earlier."
        ),
        "before": _ordered(
            "Rules on the same step or event that go later; of a step: steps that come later."
        ),
        **{k: RULE_KEYS[k] for k in ("when", "over", "item", "offer", "where", "value", "do")},
    },
    what="patch",
    has_name=True,
    ways=tuple(way for ways in _WAYS.values() for way in ways),
    rules=_TO_COMPLETE,
)
PATCHES = s.ListOf("Named changes of other rulesets.", PATCH, reader=_patches)
