"""The keys of a rule: its head, which all rules have, and its body, one of four.

A patch that replaces or inserts a rule has them, too.
"""

from __future__ import annotations

import re
from typing import Any

from tilewright.language.source.diagnostics import one_of
from tilewright.language.source.text import Code, Span, code_without_file, words_of
from tilewright.language.source.yaml.tree import YText
from tilewright.rules.model.ruleset import (
    Action,
    Amendment,
    Parameter,
    Procedure,
    ProcedureDecl,
    Reaction,
    Rule,
    RuleHead,
    StepRule,
)
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.patterns import (
    ACTION,
    AMEND,
    BODIES,
    BODY_KEYS,
    DOTTED,
    NAME,
    NEIGHBOUR,
    NEIGHBOUR_STEP,
    ON,
    PROCEDURE,
    TOPIC,
)

# ------------------------------------------------------------------ checks and conversions


def neighbours(values: dict[str, Any], *keys: str) -> dict[str, Any]:
    """The names under keys such as `after`, and under `optional` those that may be absent."""
    names = {key: tuple(n.removesuffix("?") for n in values[key]) for key in keys}
    marked = [n.removesuffix("?") for key in keys for n in values[key] if n.endswith("?")]
    return names | {"optional": tuple(sorted(marked))}


def _rule(at: MapReader, values: dict[str, Any]) -> Rule | None:
    return rule_of(at, values, values["id"], at.span("id"))


def rule_of(at: MapReader, values: dict[str, Any], id_: str, place: Span) -> Rule | None:
    """The rule with the one body of a map, or None after reporting an error."""
    bodies = [key for key in BODIES if at.has(key)]
    if len(bodies) != 1:
        found = " and ".join(f"`{key}`" for key in bodies) or "none"
        at.error(
            "TW208",
            f"{at.what} needs exactly one of `amend`, `on`, `action` and `procedure`, "
            f"found {found}",
            at.last_of(bodies) if bodies else at.where,
        )
        return None
    body = bodies[0]
    for key in BODY_KEYS:
        if at.has(key) and key not in BODIES[body]:
            homes = one_of(name for name, keys in BODIES.items() if key in keys)
            at.error(
                "TW208",
                f"`{key}` does not go with `{body}` in {at.what}; it goes with {homes}",
                at.key_span(key),
            )
    main = _MAIN.get(body, "do")
    if not at.has(main):
        at.missing(main)
    if values[main] is None or at.bad:
        return None
    head = head_of(at, values, id_, place, at.span(body))
    match body:
        case "amend":
            name, parameters = call_of(values["amend"])
            item = values["item"]
            return Amendment(head, name, parameters, values["value"], item.get(), item)
        case "on":
            return _on(head, values["on"], values["do"])
        case "action":
            action, _, _, step = words_of(values["action"])
            return Action(head, action, step, values["offer"], values["where"], values["do"])
        case _:
            return Procedure(head, _procedure(at, values["procedure"], head.place), values["do"])


def head_of(at: MapReader, values: dict[str, Any], id_: str, span: Span, place: Span) -> RuleHead:
    """The head of a rule, without its body at `place`."""
    given = {key: values[key] for key in ("says", "statements", "label", "when", "topic", "option")}
    return RuleHead(
        **given,
        **neighbours(values, "after", "before", "over"),
        id=id_,
        with_=(*at.also, *values["with_"]),
        moment=values["moment"],
        span=span,
        place=place,
        entry=at.node,
    )


def _on(head: RuleHead, text: str, do: Code) -> Rule:
    words = words_of(text)
    if len(words) == 2 and words[0] == "step":
        return StepRule(head, words[1], do)
    name, parameters = call_of(text)
    return Reaction(head, name, parameters, do)


_TYPED = re.compile(r"([a-z][a-z0-9_]*)\s*:\s*([^,():]+)")


def _procedure(at: MapReader, text: str, place: Span) -> ProcedureDecl:
    node = at.nodes["procedure"]
    code: Code = node.code() if isinstance(node, YText) else code_without_file(text)
    parameters = tuple(
        Parameter(found[1], found[2].strip(), code.span(1, found.start() + 1, 1, found.end() + 1))
        for found in _TYPED.finditer(text)
    )
    return ProcedureDecl(text.split("(")[0].strip(), parameters, place)


def call_of(text: str) -> tuple[str, tuple[str, ...]]:
    """`worth(x, y)` as its name and its parameters."""
    name, _, rest = text.partition("(")
    names = tuple(part.strip() for part in rest.rstrip(") ").split(","))
    return name.strip(), tuple(part for part in names if part)


# ------------------------------------------------------------------ the keys


def _rules(says: str) -> s.ListOf:
    return s.texts(says, "A rule; `name?` where it may be absent.", NEIGHBOUR, names="rule")


def _steps(says: str) -> s.ListOf:
    return s.texts(says, "A step; `name?` where it may be absent.", NEIGHBOUR_STEP, names="step")


#: the neighbours of a step
STEPS = {"after": _steps("Steps that come earlier."), "before": _steps("Steps that come later.")}
OPTION = s.MapOf(
    "Option values under which this holds; all of them are required.",
    NAME,
    s.Scalar("The value of this option."),
    names="option",
    like={"open_end": "yes"},
)
RULE_KEYS = {
    "id": s.Text(
        "Its id, the same for the same topic in every edition.",
        DOTTED,
        required=True,
        names="=rule",
        like="turn.draw",
    ),
    "with": s.WITH,
    "option": OPTION,
    "says": s.Text("A description of the effect, in a sentence."),
    "topic": s.Text("Its topic, where that differs from its statements'.", TOPIC),
    "from": s.STATEMENTS,
    "ignore": s.IGNORE,
    "label": s.labels("Its name for people", like=s.LABEL.like),
    "amend": s.Text(
        "The definition that is amended, with names for its parameters.",
        AMEND,
        names="<amend>",
        like="points(x)",
    ),
    "on": s.Text(
        "The step or the event at which it happens.",
        ON,
        names="<on>",
        like=("step draw_tile", "closed(x)"),
    ),
    "action": s.Text(
        "An action and the step at which it is offered.",
        ACTION,
        names="<action>",
        like="place at step two",
    ),
    "procedure": s.Text(
        "A name for effects that other rules call, with typed parameters; it needs quotes, because "
        "of its colons.",
        PROCEDURE,
        names="<procedure>",
        like="score(x: feature)",
    ),
    "moment": s.Text(
        "The moment of its step, event or chain at which it applies.", NAME, names="<moment>"
    ),
    "after": _rules("Rules on the same step or event that go first."),
    "before": _rules("Rules on the same step or event that go later."),
    "when": s.EffectText("The condition under which it holds.", like="laid tile has star"),
    "over": _rules("Amendments that this one takes precedence over where both hold."),
    "item": s.labels(
        "The name of the item in a list of points, which scenarios call by its English name",
        like="tiles",
    ),
    "offer": s.MapOf(
        "The options: a name, and the set that it is taken from.",
        NAME,
        s.EffectText("A set."),
        names="=local",
        like={"s": "segments(laid)"},
    ),
    "where": s.EffectText("Which of the combinations may be chosen."),
    "value": s.EffectText("The value of the amendment.", like="2 * x.size"),
    "do": s.EffectText("The effects, in the effect language.", "effects"),
}
#: the key that each body needs besides its head
_MAIN = {"amend": "value"}
BODY_WAYS = tuple(s.Way((body, _MAIN.get(body, "do")), keys) for body, keys in BODIES.items())
RULE = s.Map(
    "A rule, with exactly one body: `amend`, `on`, `action` or `procedure`.",
    RULE_KEYS,
    _rule,
    "rule",
    has_name=True,
    ways=BODY_WAYS,
)
