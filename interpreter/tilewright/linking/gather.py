"""All declarations of a game in one place: doubles refused, options heeded, patches done.

What comes out is still as the authors wrote it; `link.py` resolves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from tilewright.linking.game import AppliedPatch
from tilewright.linking.select import Selection
from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Note, Reporter, did_you_mean
from tilewright.source.text import Span

T = TypeVar("T")


class _Declared(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def span(self) -> Span: ...


D = TypeVar("D", bound=_Declared)


@dataclass(slots=True)
class Gathered:
    """Every declaration by id, and which ruleset it came from (`origin`, by category and id)."""

    features: dict[str, m.FeatureKind]
    symbols: dict[str, m.SymbolDecl]
    figures: dict[str, m.FigureKind]
    tokens: dict[str, m.TokenDecl]
    roles: dict[str, m.Role]
    stacks: dict[str, m.StackDecl]
    pieces: dict[str, m.PieceKind]
    values: dict[str, m.ValueDecl]
    memory: dict[str, m.MemoryDecl]
    steps: dict[str, m.StepDecl]
    definitions: dict[str, m.DefinitionDecl]
    events: dict[str, m.EventDecl]
    rules: dict[str, m.Rule]
    seats: tuple[m.Seat, ...]
    origin: dict[tuple[str, str], str]
    patches: list[AppliedPatch]
    value_history: dict[str, list[tuple[str, str, m.Patch | None]]]


def gather(selection: Selection, reporter: Reporter) -> Gathered:
    """Collect the declarations of the selected rulesets and carry out their patches."""
    origin: dict[tuple[str, str], str] = {}

    def collect(name: str, holds: Callable[[D], bool] = lambda item: True) -> dict[str, D]:
        found: dict[str, D] = {}
        for ruleset in selection.rulesets:
            items: Sequence[D] = getattr(ruleset, name)
            for item in items:
                if not holds(item):
                    continue
                if item.id in found:
                    _double(
                        name, item, found[item.id], origin[name, item.id] == ruleset.id, reporter
                    )
                    continue
                found[item.id] = item
                origin[name, item.id] = ruleset.id
        return found

    def chosen(wanted: tuple[tuple[str, str], ...], span: Span) -> bool:
        return _holds(wanted, selection.options, selection, span, reporter)

    present = {r.id for r in selection.rulesets} | {
        role for r in selection.rulesets for role in r.module.provides
    }
    rules: dict[str, m.Rule] = {}
    for ruleset in selection.rulesets:
        for rule in ruleset.rules:
            head = rule.head
            if not chosen(head.option, head.span):
                continue
            if any(other not in present for other in head.with_):
                continue
            if head.id in rules:
                _double("rules", head, rules[head.id].head, False, reporter)
                continue
            rules[head.id] = rule
            origin["rules", head.id] = ruleset.id
    values: dict[str, m.ValueDecl] = collect("values")
    figures: dict[str, m.FigureKind] = collect("figures")
    gathered = Gathered(
        features=_with_numbers(collect("features"), collect("attributes"), reporter),
        symbols=collect("symbols"),
        figures=figures,
        tokens=collect("tokens"),
        roles=_with_likes(collect("roles"), figures, reporter),
        stacks=collect("stacks"),
        pieces=collect("pieces", lambda piece: chosen(piece.when, piece.span)),
        values=values,
        memory=collect("memory"),
        steps=collect("steps"),
        definitions=collect("definitions"),
        events=collect("events"),
        rules=rules,
        seats=next((r.module.seats for r in selection.rulesets if r.module.seats), ()),
        origin=origin,
        patches=[],
        value_history={v.id: [(origin["values", v.id], v.value, None)] for v in values.values()},
    )
    _patch(gathered, selection, chosen, reporter)
    _unread_options(selection, reporter)
    return gathered


def _with_numbers(
    kinds: dict[str, m.FeatureKind], numbers: Mapping[str, m.PrintedNumber], reporter: Reporter
) -> dict[str, m.FeatureKind]:
    """The kinds of feature with the attributes that other rulesets print on them."""
    for number in numbers.values():
        kind = kinds.get(number.on)
        if kind is None:
            message = f"attribute `{number.id}` is on an unknown kind of feature `{number.on}`"
            reporter.error("TW727", message + did_you_mean(number.on, kinds), number.span)
            continue
        first = next((a for a in kind.attributes if a.id == number.id), None)
        if first is not None:
            _double("attributes", number, first, False, reporter)
            continue
        kinds[number.on] = replace(kind, attributes=(*kind.attributes, number.attribute))
    return kinds


def _with_likes(
    roles: dict[str, m.Role], figures: Mapping[str, m.FigureKind], reporter: Reporter
) -> dict[str, m.Role]:
    """The roles with the figures that are like one of theirs."""
    for figure in figures.values():
        if figure.like and figure.like not in figures:
            message = f"`{figure.id}` is like an unknown figure `{figure.like}`"
            reporter.error("TW727", message + did_you_mean(figure.like, figures), figure.span)
    return {
        role.id: replace(
            role,
            figures=(
                *role.figures,
                *(f for f in sorted(figures) if figures[f].like in role.figures),
            ),
        )
        for role in roles.values()
    }


def _double(what: str, item: _Declared, first: _Declared, is_own: bool, reporter: Reporter) -> None:
    note = Note(first.span, "it is declared here first")
    if what == "pieces" and is_own:
        message = f"there are two tiles called `{item.id}`"
        reporter.error("TW520", message, item.span, notes=(note,))
        return
    message = f"{_SINGULAR[what]} `{item.id}` is declared twice"
    reporter.error("TW722", message, item.span, notes=(note,))


_SINGULAR = {
    "features": "kind of feature",
    "symbols": "symbol",
    "figures": "figure",
    "attributes": "attribute",
    "tokens": "token",
    "roles": "role",
    "stacks": "stack",
    "pieces": "piece",
    "values": "value",
    "memory": "memory",
    "steps": "step",
    "definitions": "definition",
    "events": "event",
    "rules": "rule",
}


# ------------------------------------------------------------------ options


def _holds(
    wanted: tuple[tuple[str, str], ...],
    options: Mapping[str, str],
    selection: Selection,
    span: Span,
    reporter: Reporter,
) -> bool:
    holds = True
    declared = {o.id: o for r in selection.rulesets for o in r.module.options}
    for name, value in wanted:
        if name not in declared:
            message = f"no ruleset of this game has an option `{name}`"
            reporter.error("TW704", message + did_you_mean(name, declared), span)
        elif value not in declared[name].choices:
            choices = declared[name].choices
            message = f"`{value}` is no choice of option `{name}`{did_you_mean(value, choices)}"
            reporter.error("TW705", message, span)
        holds = holds and options.get(name) == value
    return holds


def _unread_options(selection: Selection, reporter: Reporter) -> None:
    read: set[tuple[str, str]] = set()
    for ruleset in selection.rulesets:
        for wanted in (
            *(rule.head.option for rule in ruleset.rules),
            *(patch.option for patch in ruleset.patches),
            *(piece.when for piece in ruleset.pieces),
        ):
            read |= set(wanted)
    names = {name for name, _ in read}
    for ruleset in selection.rulesets:
        for option in ruleset.module.options:
            if option.id not in names:
                message = f"no rule, patch or tile asks for option `{option.id}`"
                reporter.error("TW706", message, option.span)


# ------------------------------------------------------------------ patches


def _patch(
    gathered: Gathered,
    selection: Selection,
    chosen: Callable[[tuple[tuple[str, str], ...], Span], bool],
    reporter: Reporter,
) -> None:
    # a ruleset's own patches (by option) come before those of rulesets built on it
    claimed: dict[str, tuple[m.Patch, int]] = {}
    for ruleset in selection.rulesets:
        depth = selection.depth[ruleset.id]
        for patch in sorted(ruleset.patches, key=lambda p: p.id):
            if not chosen(patch.option, patch.span):
                continue
            earlier = claimed.get(patch.target)
            if earlier is not None and earlier[1] == depth:
                note = Note(earlier[0].span, f"`{earlier[0].id}` changes it here")
                message = f"two patches change `{patch.target}`: `{earlier[0].id}` and `{patch.id}`"
                hint = "let one ruleset require the other, or leave one of the two patches out"
                reporter.error("TW710", message, patch.span, notes=(note,), hint=hint)
                continue
            claimed[patch.target] = (patch, depth)
            before = _carry_out(gathered, patch, ruleset.id, reporter)
            if before is not None:
                gathered.patches.append(AppliedPatch(patch, ruleset.id, before))


def _carry_out(gathered: Gathered, patch: m.Patch, ruleset: str, reporter: Reporter) -> str | None:
    if patch.verb == "set":
        return _set_value(gathered, patch, ruleset, reporter)
    rule = gathered.rules.get(patch.target)
    if rule is None:
        message = f"there is no rule `{patch.target}` to {patch.verb}"
        message += did_you_mean(patch.target, gathered.rules)
        reporter.error("TW707", message, patch.span)
        return None
    before = rule_text(rule)
    if not _expected(patch, before, reporter):
        return None
    if patch.verb == "remove":
        del gathered.rules[patch.target]
        return before
    assert patch.rule is not None
    if rule_text(patch.rule) == before and type(patch.rule) is type(rule):
        message = f"this patch changes nothing: `{patch.target}` already says so"
        reporter.error("TW708", message, patch.span)
        return None
    new = patch.rule
    head = replace(new.head, id=patch.target, statements=patch.statements or new.head.statements)
    gathered.rules[patch.target] = replace(new, head=head)
    gathered.origin["rules", patch.target] = ruleset
    return before


def _set_value(gathered: Gathered, patch: m.Patch, ruleset: str, reporter: Reporter) -> str | None:
    value = gathered.values.get(patch.target)
    if value is None:
        message = f"there is no value `{patch.target}` to set"
        reporter.error("TW707", message + did_you_mean(patch.target, gathered.values), patch.span)
        return None
    if not _expected(patch, value.value, reporter):
        return None
    if value.value == patch.to:
        message = f"this patch changes nothing: `{patch.target}` is {patch.to} already"
        reporter.error("TW708", message, patch.span)
        return None
    gathered.values[patch.target] = replace(value, value=patch.to, span=patch.span)
    gathered.value_history[patch.target].append((ruleset, patch.to, patch))
    return value.value


def _expected(patch: m.Patch, found: str, reporter: Reporter) -> bool:
    if patch.expect is None or " ".join(patch.expect.split()) == " ".join(found.split()):
        return True
    message = f"`{patch.target}` is not what this patch expects: it is `{found.strip()}`"
    reporter.error("TW709", message, patch.span)
    return False


def rule_text(rule: m.Rule) -> str:
    """What a rule says, in one text: for comparing, for `expect`, for the hash of a game."""
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
        case m.Procedure(_, declaration, do):
            named = ", ".join(f"{p.name}: {p.type}" for p in declaration.parameters)
            return f"{when}procedure {declaration.id}({named}): {do.text.strip()}"
