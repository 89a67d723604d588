"""Collects all declarations of a game: rejects duplicates, and applies options, `with` and patches.

A declaration whose `with` names a ruleset outside the game is left out. The result is still as the
authors wrote it; `elaborate` resolves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from tilewright.language.source.diagnostics import Note, Reporter, did_you_mean
from tilewright.language.source.identity import (
    kept_by_identities,
    kept_by_identity,
    kept_by_identity_with,
)
from tilewright.language.source.text import Span
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.moments import settle_moments
from tilewright.rules.linking.compose.namespaces import Company
from tilewright.rules.linking.compose.patches import carry_out
from tilewright.rules.linking.compose.rule_order import settle_precedence
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.compose.visibility import check_seen
from tilewright.rules.model import ruleset as m

T = TypeVar("T")


class _Declared(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def span(self) -> Span: ...


D = TypeVar("D", bound=_Declared)


def gather(selection: Selection, reporter: Reporter) -> Gathered:
    """Collect the declarations of the selected rulesets and carry out their patches."""
    collector = _Collector(selection, reporter)
    check_seen(Company(selection.rulesets, selection.below), reporter)
    collect, origin = collector.collect, collector.origin
    rules = collector.rules()
    values: dict[str, m.ValueDecl] = collect("values")
    figures: dict[str, m.FigureKind] = collect("figures")
    gathered = Gathered(
        features=_with_numbers(collect("features"), collect("attributes"), reporter),
        symbols=collect("symbols"),
        figures=figures,
        tokens=collect("tokens"),
        items=collect("items"),
        roles=_with_further_figures(collect("roles"), figures, reporter),
        stacks=collect("stacks"),
        pieces=collect("pieces", lambda piece: collector.is_chosen(piece, "when", piece.when)),
        values=values,
        memory=collect("memory"),
        moments=collect("moments"),
        steps=collect("steps"),
        definitions=collect("definitions"),
        events=collect("events"),
        measures=collect("measures"),
        rules=rules,
        order=tuple(c for r in selection.rulesets for c in r.order if collector.is_present(c)),
        seats=next((r.module.seats for r in selection.rulesets if r.module.seats), ()),
        origin=origin,
        patches=list(selection.defaults),
        value_history={v.id: [(origin["values", v.id], v.value, None)] for v in values.values()},
    )
    copies = {ruleset.id: selection.copies(ruleset) for ruleset in selection.rulesets}
    for id_, piece in gathered.pieces.items():
        sets = copies[origin["pieces", id_]]
        if sets != 1:
            gathered.pieces[id_] = _in_copies(piece, sets)
    active = {
        ruleset.id: [
            patch
            for patch in ruleset.patches
            if collector.is_present(patch) and collector.is_chosen(patch, "option", patch.option)
        ]
        for ruleset in selection.rulesets
    }
    carry_out(gathered, selection, active, reporter)
    settle_precedence(gathered, selection, reporter)
    settle_moments(gathered, selection, reporter)
    _unread_options(selection, reporter)
    return gathered


class _Collector:
    """Collects declarations by id and rejects duplicates; `origin` has the ruleset of each."""

    def __init__(self, selection: Selection, reporter: Reporter) -> None:
        self.selection = selection
        self.reporter = reporter
        self.present = selection.present()
        self.with_rules_first = sorted(selection.rulesets, key=lambda r: not r.part.has_rules)
        self.origin: dict[tuple[str, str], str] = {}
        self.options = {o.id: o for r in selection.rulesets for o in r.module.options}

    def is_present(self, item: object) -> bool:
        """Whether all rulesets and roles under `with` of a declaration are in the game."""
        companions: tuple[m.Reference, ...] = getattr(item, "with_", ())
        return not companions or all(other.id in self.present for other in companions)

    def is_chosen(
        self, declared: m.Declared, key: str, wanted: tuple[tuple[str, str], ...]
    ) -> bool:
        """Whether the options of the game have the values that a declaration wants."""
        holds = True
        for name, value in wanted:
            if name not in self.options:
                message = f"no ruleset of this game has an option `{name}`"
                message += did_you_mean(name, self.options)
                self.reporter.error("TW704", message, m.place_in(declared, key, name))
            elif value not in self.options[name].choices:
                choices = self.options[name].choices
                message = f"`{value}` is not a choice of option `{name}`"
                place = m.place_in(declared, key, name, value)
                self.reporter.error("TW705", message + did_you_mean(value, choices), place)
            holds = holds and self.selection.options.get(name) == value
        return holds

    def _is_shared(self, origin: str, ruleset: m.Ruleset) -> bool:
        """Whether a ruleset shares a folder with the one that an equal declaration comes from.

        Equal declarations have the same place in the same file.
        """
        first = next(each for each in self.selection.rulesets if each.id == origin)
        folders = {folder.id for folder in first.module.shares}
        return any(folder.id in folders for folder in ruleset.module.shares)

    def collect(self, name: str, holds: Callable[[D], bool] | None = None) -> dict[str, D]:
        """The declarations of one category that are present and hold."""
        found: dict[str, D] = {}
        for ruleset in self.with_rules_first:
            items: Sequence[D] = getattr(ruleset, name)
            for item in items:
                # first test `with`: without its ruleset the option may not exist either
                if not self.is_present(item) or (holds is not None and not holds(item)):
                    continue
                if item.id in found:
                    origin = self.origin[name, item.id]
                    if item == found[item.id] and self._is_shared(origin, ruleset):
                        continue
                    if not ruleset.part.has_rules and name != "pieces":
                        continue  # another ruleset may declare what is printed on the tiles
                    is_own = origin == ruleset.id
                    _report_duplicate(name, item, found[item.id], is_own, self.reporter)
                    continue
                found[item.id] = item
                self.origin[name, item.id] = ruleset.id
        return found

    def rules(self) -> dict[str, m.Rule]:
        """The rules that are present and hold."""
        rules: dict[str, m.Rule] = {}
        for ruleset in self.selection.rulesets:
            for rule in ruleset.rules:
                head = rule.head
                if not self.is_present(head) or (
                    head.option and not self.is_chosen(head, "option", head.option)
                ):
                    continue
                if head.id in rules:
                    first = rules[head.id]
                    if rule == first and self._is_shared(self.origin["rules", head.id], ruleset):
                        continue
                    _report_duplicate("rules", head, first.head, False, self.reporter)
                    continue
                rules[head.id] = rule
                self.origin["rules", head.id] = ruleset.id
        return rules


def _with_numbers(
    kinds: dict[str, m.FeatureKind], numbers: Mapping[str, m.PrintedNumber], reporter: Reporter
) -> dict[str, m.FeatureKind]:
    """The feature kinds with the attributes that other rulesets print on them."""
    for number in numbers.values():
        kind = kinds.get(number.on)
        if kind is None:
            message = f"attribute `{number.id}` is on an unknown kind of feature `{number.on}`"
            place = m.place_in(number, "on")
            reporter.error("TW727", message + did_you_mean(number.on, kinds), place)
            continue
        first = next((a for a in kind.attributes if a.id == number.id), None)
        if first is not None:
            _report_duplicate("attributes", number, first, False, reporter)
            continue
        kinds[number.on] = _with_number(kind, number)
    return {kind.id: _with_sorted_attributes(kind) for kind in kinds.values()}


@kept_by_identity
def _with_sorted_attributes(kind: m.FeatureKind) -> m.FeatureKind:
    attributes = tuple(sorted(kind.attributes, key=lambda a: a.id))
    return kind if attributes == kind.attributes else replace(kind, attributes=attributes)


@kept_by_identities
def _with_number(kind: m.FeatureKind, number: m.PrintedNumber) -> m.FeatureKind:
    return replace(kind, attributes=(*kind.attributes, number.attribute))


@kept_by_identity_with
def _in_copies(piece: m.PieceKind, sets: int) -> m.PieceKind:
    return replace(piece, count=piece.count * sets)


def _with_further_figures(
    roles: dict[str, m.Role], figures: Mapping[str, m.FigureKind], reporter: Reporter
) -> dict[str, m.Role]:
    """The roles, extended by figures that name them, or that are `like` one of their figures."""
    for figure in figures.values():
        if figure.like and figure.like not in figures:
            message = f"`{figure.id}` is like an unknown figure `{figure.like}`"
            place = m.place_in(figure, "like")
            reporter.error("TW727", message + did_you_mean(figure.like, figures), place)
        for role in figure.roles:
            if role not in roles:
                message = f"`{figure.id}` is for an unknown role `{role}`"
                place = m.place_in(figure, "roles", role)
                reporter.error("TW727", message + did_you_mean(role, roles), place)
    more = {
        role.id: tuple(
            figure.id
            for _, figure in sorted(figures.items())
            if figure.id not in role.figures
            and (figure.like in role.figures or role.id in figure.roles)
        )
        for role in roles.values()
    }
    return {
        id_: _with_figures(role, more[id_]) if more[id_] else role for id_, role in roles.items()
    }


@kept_by_identity_with
def _with_figures(role: m.Role, more: tuple[str, ...]) -> m.Role:
    return replace(role, figures=(*role.figures, *more))


def _report_duplicate(
    what: str, item: _Declared, first: _Declared, is_own: bool, reporter: Reporter
) -> None:
    note = Note(first.span, "the first declaration is here")
    if what == "pieces" and is_own:
        message = f"there are two tiles called `{item.id}`"
        reporter.error("TW520", message, item.span, notes=(note,))
        return
    message = f"{_SINGULAR[what]} `{item.id}` is declared twice"
    hint = ""
    if not is_own and what in _PATCHED:
        hint = f"to change it, write a patch: {_PATCHED[what].format(item.id)}"
    reporter.error("TW722", message, item.span, notes=(note,), hint=hint)


_PATCHED = {
    "values": "`set: {}` with `to:`",
    "rules": "`replace: {}` with a body",
}


_SINGULAR = {
    "features": "kind of feature",
    "symbols": "symbol",
    "figures": "figure",
    "attributes": "attribute",
    "tokens": "token",
    "items": "item",
    "roles": "role",
    "stacks": "stack",
    "pieces": "piece",
    "values": "value",
    "memory": "memory",
    "moments": "order of moments of",
    "steps": "step",
    "definitions": "definition",
    "events": "event",
    "measures": "measure",
    "rules": "rule",
}


# ------------------------------------------------------------------ options


@kept_by_identity
def _read_options(ruleset: m.Ruleset) -> frozenset[str]:
    """The options that a rule, patch or tile of a ruleset reads."""
    conditions = (
        *(rule.head.option for rule in ruleset.rules),
        *(patch.option for patch in ruleset.patches),
        *(piece.when for piece in ruleset.pieces),
    )
    return frozenset(name for wanted in conditions for name, _ in wanted)


def _unread_options(selection: Selection, reporter: Reporter) -> None:
    names = frozenset().union(*map(_read_options, selection.rulesets))
    for ruleset in selection.rulesets:
        for option in ruleset.module.options:
            if option.id not in names and ruleset.entire is None:
                message = f"no rule, patch or tile reads option `{option.id}`"
                reporter.error("TW706", message, option.span)
