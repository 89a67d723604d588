"""First drafts of a house rule: small changes of a target with a visible effect.

The author's intention is unknown, so each draft is the smallest change with a visible effect, with
a mark at the place of the real change; the caller takes the first draft that links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.language.builtins import GLOBAL
from tilewright.language.source.text import Code
from tilewright.language.source.yaml.dump import Commented
from tilewright.language.types import TRUTH, Type, fits
from tilewright.rules.linking.game import LinkedDefinition
from tilewright.rules.linking.rule_text import rule_text
from tilewright.rules.model import ruleset as m
from tilewright.tools.authoring.targets import Target, behind_all

TODO = "TODO"
WHY = "our table plays it this way"
#: an effect that shows in every scenario, whatever the game is about
SEEN = f"award 1 to active  # {TODO}: write what happens instead"
#: the same where points cause the rule itself: no event follows them
SEEN_QUIETLY = SEEN.replace(" to active ", " to active quietly ")
#: sets that no name of the language gives, by what is in them
_SETS = {"segment": ("segments(tiles)",), "cell": ("collect t in tiles: t.cell",)}
_INSTEAD = f"{TODO}: replace this first try"


@dataclass(frozen=True, slots=True)
class Draft:
    """One try: the entries of its file of rules, and what it does in a few words."""

    sections: dict[str, Any]
    does: str
    is_change: bool = True


def drafts(target: Target, id_: str) -> Iterator[Draft]:
    """Tries for a target, the likeliest first. `id_` is that of the rule or patch to be written."""
    head: dict[str, Any] = {"id": id_}
    if target.options:
        head["option"] = dict(target.options)
    match target.kind:
        case "value":
            yield from _values(target, head)
        case "rule":
            yield from _patches(target, head)
        case "definition":
            yield from _amendments(target, head)
        case "event":
            yield from _reactions(target, head)
        case _:
            yield _at_step(target, head)


# ------------------------------------------------------------------ values


def _values(target: Target, head: dict[str, Any]) -> Iterator[Draft]:
    linked = target.game.values[target.id]
    old = linked.declaration.value
    patches = _patches_of(target)
    for new in _other_values(target, linked.type, old):
        if any(_plain(patch.to) == new for patch in patches):
            continue
        patch = head | {
            "set": target.id,
            "to": Commented(new, f"{TODO}: choose the new value; it was {old}"),
            "expect": _plain(old),
            "why": WHY,
        }
        if patches:  # its content depends on options
            del patch["expect"]
        yield Draft({"patches": [patch]}, f"sets `{target.id}` from {old} to {new}")


def _patches_of(target: Target) -> list[m.Patch]:
    """The existing changes of the target, under any options."""
    return [p for r in target.game.rulesets for p in r.patches if p.target == target.id]


def _plain(text: str) -> str | int | bool:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdecimal() else text


def _other_values(target: Target, type_: Type, old: str) -> Iterator[str | int | bool]:
    if type_ == TRUTH:
        yield old != "true"
    elif type_.base == "number" and not type_.many:
        number = int(old) if old.lstrip("-").isdecimal() else 0
        yield from (n for n in (number + 1, number - 1, number + 2, 2 * number, 0) if n != number)
    else:
        names = target.game.environment.constants
        yield from sorted(n for n, c in names.items() if c.type == type_.one and n != old)


# ------------------------------------------------------------------ rules


def body(rule: m.Rule, change: Callable[[Code], Any] = lambda code: code.text) -> dict[str, Any]:
    """The effects of a rule, as the entries of a file; `change` rewrites its main text."""
    head = rule.head
    found: dict[str, Any] = {}
    if head.label.texts:
        found["label"] = head.label.get()
    match rule:
        case m.Amendment():
            found["amend"] = _call(rule.definition, rule.parameters)
        case m.StepRule():
            found["on"] = f"step {rule.step}"
        case m.Reaction():
            found["on"] = _call(rule.event, rule.parameters)
        case m.Action():
            found["action"] = f"{rule.name} at step {rule.step}"
            found["offer"] = {name: code.text for name, code in rule.offer}
        case m.Procedure():
            named = ", ".join(f"{p.name}: {p.type}" for p in rule.declaration.parameters)
            found["procedure"] = f"{rule.declaration.id}({named})"
    if head.when is not None:
        found["when"] = head.when.text
    if isinstance(rule, m.Amendment):
        if rule.item_label.texts:
            found["item"] = rule.item_label.get()
        return found | {"value": change(rule.value)}
    if isinstance(rule, m.Action) and rule.where is not None:
        found["where"] = rule.where.text
    found = {key: value for key, value in found.items() if value}
    return found | {"do": change(rule.do)}


def _call(name: str, parameters: tuple[str, ...]) -> str:
    return f"{name}({', '.join(parameters)})" if parameters else name


def _patches(target: Target, head: dict[str, Any]) -> Iterator[Draft]:
    rule = next(r.rule for r in target.game.rules() if r.rule.head.id == target.id)
    text = rule_text(rule)
    expect = text if len(text) < 70 and "\n" not in text.strip() else text.strip() + "\n"
    after = {"why": WHY} if _patches_of(target) else {"why": WHY, "expect": expect}
    found = head | {"replace": target.id} | after
    if isinstance(rule, m.Amendment):
        definition = target.game.definitions[rule.definition]
        for value in _other_amendments(target, definition.type, rule.value.text.strip()):
            changed = _marked(value)
            yield Draft(
                {"patches": [found | body(rule, lambda _, changed=changed: changed)]},  # type: ignore[misc]
                f"changes the value of `{target.id}` to `{' '.join(value.split())}`",
            )
    else:
        # at the end where what follows depends on what was known before anything was done
        for do in (f"{SEEN}\n{rule.do.text}", f"{rule.do.text.rstrip()}\n{SEEN}\n"):
            changed = body(rule, lambda _, do=do: do)  # type: ignore[misc]
            does = f"adds an award of a point to `{target.id}`"
            yield Draft({"patches": [found | changed]}, does)
    yield Draft({"patches": [head | {"remove": target.id} | after]}, f"removes `{target.id}`")
    unchanged = found | {"why": f"{WHY}; so far the rule is unchanged"}
    yield Draft({"patches": [unchanged | body(rule)]}, f"repeats `{target.id}`", is_change=False)


def _marked(value: str) -> Any:
    if "\n" in value:
        return f"# {_INSTEAD}\n{value}"
    return Commented(value, _INSTEAD)


def _other_amendments(target: Target, type_: Type, old: str = "") -> Iterator[str]:
    """Expressions of a type that are most likely no answer of the kind that is given now."""
    if type_ == TRUTH:
        if old in ("", "true"):
            yield "false"
        if old in ("", "false"):
            yield "true"
        if old not in ("", "true", "false"):
            yield f"not ({old})"
    elif type_.base == "number" and not type_.many:
        yield f"({old}) + 1" if old and not old.isdecimal() else str(int(old or 0) + 1)
    else:
        yield from (g.name for g in GLOBAL.values() if fits(g.type, type_) and g.name != old)
        constants = target.game.environment.constants
        yield from sorted(n for n, c in constants.items() if fits(c.type, type_) and n != old)
        if type_.optional and old != "nothing":
            yield "nothing"
        yield from (text for text in _SETS.get(type_.base, ()) if type_.many and text != old)
        if type_.many and old != "{}":
            yield "{}"


# ------------------------------------------------------------------ questions and steps


def _amendments(target: Target, head: dict[str, Any]) -> Iterator[Draft]:
    definition = target.game.definitions[target.id]
    named = ", ".join(name for name, _ in definition.parameters)
    # those of other options too
    outranked = [
        rule.head.id
        for ruleset in target.game.rulesets
        for rule in ruleset.rules
        if isinstance(rule, m.Amendment) and rule.definition == target.id
    ]
    for value in _new_amendments(target, definition):
        rule: dict[str, Any] = head | {"amend": f"{target.id}({named})" if named else target.id}
        if definition.combine == m.Combine.ITEMS:
            rule["item"] = head["id"].partition(".")[0].replace("_", " ")
        if definition.combine == m.Combine.ONE and outranked:
            rule["over"] = outranked
        rule["value"] = Commented(value, _INSTEAD)
        yield Draft({"rules": [rule]}, f"amends `{target.id}` with `{value}`")


def _new_amendments(target: Target, definition: LinkedDefinition) -> Iterator[str]:
    match definition.combine:
        case m.Combine.ALL:
            yield "false"
        case m.Combine.ANY:
            yield "true"
        case m.Combine.SUM | m.Combine.ITEMS:
            yield "1"
        case m.Combine.MAX:
            yield "9"
        case m.Combine.CHAIN:
            yield f"{definition.parameters[-1][0]} + 1"
        case _:
            yield from _other_amendments(target, definition.type)


def _reactions(target: Target, head: dict[str, Any]) -> Iterator[Draft]:
    event = target.game.events[target.id]
    named = ", ".join(name for name, _ in event.parameters)
    last = behind_all(target.game, f"event {target.id}", event.reactions)
    tries = [
        (place, do) for do in (SEEN, SEEN_QUIETLY) for place in ((last, {}) if last else ({},))
    ]
    for place, do in tries:
        hook = {"on": f"{target.id}({named})" if named else target.id}
        rule: dict[str, Any] = head | hook | place | {"do": do + "\n"}
        yield Draft({"rules": [rule]}, f"awards a point on the event `{target.id}`")


def _at_step(target: Target, head: dict[str, Any]) -> Draft:
    step = next(s for s in target.game.steps if s.id == target.id)
    place = behind_all(target.game, f"step {target.id}", step.rules)
    rule = head | {"on": f"step {target.id}"} | place | {"do": SEEN + "\n"}
    return Draft({"rules": [rule]}, f"awards a point at step `{target.id}`")
