"""`show ruleset` and `show turn`: the content of a folder, and the order of a turn.

Data first, so that JSON and text agree; nothing is judged here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tilewright.faces.cli.output import bold, dim, heading, place, rows, say
from tilewright.language.locale.words import Words
from tilewright.rules.linking.game import (
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedRule,
    LinkedStep,
)
from tilewright.rules.linking.rule_text import rule_hook
from tilewright.rules.model import ruleset as m

# ------------------------------------------------------------------ a ruleset


def body_of(rule: m.Rule, language: str = "en") -> str:
    """The hook of a rule in the reader's language and without types."""
    match rule:
        case m.Amendment():
            parameters = ", ".join(rule.parameters)
            item = f" ({rule.item_label.get(language) or rule.item})" if rule.item else ""
            return f"amend {rule.definition}({parameters}){item}"
        case m.Procedure(beside=beside) if beside:
            return f"inserted {beside}"
        case m.Procedure():
            return f"procedure {rule.declaration.id}"
        case _:
            return rule_hook(rule)


def _change(patch: m.Patch) -> tuple[str, ...]:
    """The target of a patch, and its new content."""
    match patch.verb:
        case "set":
            return (patch.changes, "to", patch.to)
        case "adjust":
            return (patch.changes, patch.how, patch.to)
        case "insert":
            return (patch.how, patch.changes)
    return (patch.changes,)


def conditions_of(head: m.RuleHead) -> str:
    """The conditions under which a rule is in the game."""
    parts = [f"{name}={value}" for name, value in head.option]
    parts += [f"with {other.id}" for other in head.with_]
    return f"  [{', '.join(parts)}]" if parts else ""


Declared = (
    m.FeatureKind
    | m.AttributeDecl
    | m.SymbolDecl
    | m.FigureKind
    | m.TokenDecl
    | m.ItemDecl
    | m.Role
    | m.StackDecl
    | m.Seat
)


def _named(declared: Declared, language: str) -> str:
    """`id (label)`, or the id alone where both are the same word."""
    label = declared.label.get(language)
    is_same = label in ("", declared.id, declared.id.replace("_", " "))
    return declared.id if is_same else f"{declared.id} ({label})"


def _counted(declared: Declared, language: str) -> str:
    """The name of a component, and how many tokens or items of this kind there are."""
    name = _named(declared, language)
    return f"{declared.count} {name}" if isinstance(declared, m.TokenDecl | m.ItemDecl) else name


def _attributes(ruleset: m.Ruleset) -> list[m.AttributeDecl]:
    """The attributes of its kinds of features, and those that it adds to others."""
    own = [attribute for kind in ruleset.features for attribute in kind.attributes]
    return own + [printed.attribute for printed in ruleset.attributes]


def _label_of(rule: m.Rule, language: str) -> str:
    """The label of a rule, and its conditions."""
    label = rule.head.label.get(language)
    return (f" «{label}»" if label else "") + conditions_of(rule.head)


def print_ruleset(ruleset: m.Ruleset, language: str, *, with_tiles: bool) -> None:
    """Print a ruleset on one page."""
    _print_module(ruleset.module, ruleset.folder, language)
    _print_components(ruleset, language, with_tiles=with_tiles)
    words = Words(language)
    if ruleset.values:
        heading(words("show.values"))
        say(rows((v.id, v.value, v.says) for v in ruleset.values))
    if ruleset.definitions:
        heading(words("show.definitions"))
        say(rows((d.id, d.combine.value, d.says.get(language)) for d in ruleset.definitions))
    _print_rules(ruleset, language)
    authorities = Counter(s.authority.value for s in ruleset.statements)
    heading(words("show.counts"))
    counts = ", ".join(f"{count} {name}" for name, count in sorted(authorities.items()))
    statements = words.plural("show.count.statements", len(ruleset.statements))
    say(f"  {statements}{f' ({counts})' if counts else ''}")
    rules = words.plural("show.count.rules", len(ruleset.rules))
    say(f"  {rules}, {words.plural('show.count.patches', len(ruleset.patches))}")
    say(f"  {words.plural('show.count.scenarios', len(ruleset.scenarios))}")


def _print_module(module: m.Module, folder: str, language: str) -> None:
    words = Words(language)
    say(f"{bold(module.id)}  {module.title.get(language)}")
    known = module.known_edition
    edition = words("comparison.edition", editions=known) if known else ""
    head = (words(f"show.kind.{module.kind}"), edition, str(module.year or ""))
    say(f"  {', '.join(filter(None, head))}   {dim(place(folder))}")
    facts = []
    if module.takes_over:
        facts.append((words("show.takes_over"), module.takes_over))
    if module.provides:
        facts.append((words("show.provides"), ", ".join(module.provides)))
    if module.requires:
        needs = (words("show.need", role=n.role, default=n.default) for n in module.requires)
        facts.append((words("show.needs"), ", ".join(needs)))
    if module.conflicts:
        facts.append((words("show.not_with"), ", ".join(module.conflicts)))
    for of, copies in module.copies:
        sets = words.plural("show.sets", copies, ruleset=of)
        facts.append((words("show.copies"), sets))
    for source in module.sources:
        printed = ", ".join(str(part) for part in (source.publisher, source.year) if part)
        text = f"{source.title} ({printed})" if printed else source.title
        facts.append((words("show.source"), text))
    say(rows(facts))
    if module.options:
        heading(words("show.options"))
        say(
            rows(
                (
                    o.id,
                    " | ".join(f"{c}*" if c == o.default else c for c in o.choices),
                    o.says.get(language),
                )
                for o in module.options
            )
        )


def _print_components(ruleset: m.Ruleset, language: str, *, with_tiles: bool) -> None:
    words = Words(language)
    total = sum(p.count for p in ruleset.pieces)
    lines = []
    if ruleset.pieces:
        count = words.plural("show.tile_kinds", len(ruleset.pieces), total=total)
        lines.append((words("show.tiles"), count))
    for figure in ruleset.figures:
        owner = words("match.each_player" if figure.owned else "match.nobodys", count=figure.count)
        lines.append((_named(figure, language), owner))
    kinds: dict[str, Sequence[Declared]] = {
        "features": ruleset.features,
        "attributes": _attributes(ruleset),
        "symbols": ruleset.symbols,
        "tokens": ruleset.tokens,
        "items": ruleset.items,
        "roles": ruleset.roles,
        "stacks": ruleset.stacks,
        "seats": ruleset.module.seats,
    }
    for kind, declared in kinds.items():
        if declared:
            lines.append(
                (
                    words(f"show.things.{kind}"),
                    ", ".join(_counted(each, language) for each in declared),
                )
            )
    if lines:
        heading(words("show.components"))
        say(rows(lines))
    if with_tiles and ruleset.pieces:
        heading(words("show.tiles"))
        say(rows((p.letter, p.id, str(p.count), p.note) for p in ruleset.pieces))


def _short_path(file: str, files: Iterable[str]) -> str:
    """`rules/turn.yaml`, with its parent folder where several files have this name."""
    short = Path(file).parts[-2:]
    is_shared = sum(Path(each).parts[-2:] == short for each in files) > 1
    return "/".join(Path(file).parts[-3:] if is_shared else short)


def _print_rules(ruleset: m.Ruleset, language: str) -> None:
    """Print the rules by file, then the patches."""
    files = dict.fromkeys(rule.head.span.file for rule in ruleset.rules)
    for file in files:
        heading(_short_path(file, files))
        say(
            rows(
                (rule.head.id, body_of(rule, language) + _label_of(rule, language))
                for rule in ruleset.rules
                if rule.head.span.file == file
            )
        )
    if ruleset.patches:
        heading(Words(language)("show.patches"))
        say(
            rows(
                (p.id, " ".join(filter(None, (p.verb, *_change(p)))), p.why)
                for p in ruleset.patches
            )
        )


# ------------------------------------------------------------------ the turn


def _when(rule: LinkedRule | LinkedAction | LinkedAmendment) -> str:
    """A rule's own condition, as its author wrote it."""
    code = rule.rule.head.when
    return "" if code is None else " ".join(code.text.split())


def _entry(rule: LinkedRule | LinkedAction | LinkedAmendment, language: str) -> dict[str, Any]:
    head = rule.rule.head
    found: dict[str, Any] = {"id": rule.rule.head.id, "ruleset": rule.ruleset}
    if isinstance(rule.rule, m.Action):
        found["action"] = rule.rule.name
    if head.moment:
        found["moment"] = head.moment
    label = head.label.get(language) or head.says
    if label:
        found["says"] = label
    if _when(rule):
        found["when"] = _when(rule)
    return found


def turn_data(game: Game, language: str) -> dict[str, Any]:
    """The data of `show turn`."""

    def step(linked: LinkedStep) -> dict[str, Any]:
        return {
            "id": linked.id,
            "label": linked.declaration.label.get(language),
            "moment": linked.declaration.moment or None,
            "aliases": list(linked.declaration.aliases),
            "ruleset": linked.ruleset,
            "rules": [_entry(rule, language) for rule in linked.rules],
            "actions": [_entry(action, language) for action in linked.actions],
        }

    return {
        "game": game.id,
        "hash": game.hash,
        "phases": {
            phase: [step(s) for s in game.phase(phase)] for phase in ("setup", "turn", "final")
        },
        "events": {
            event.id: [_entry(rule, language) for rule in event.reactions]
            for event in game.events.values()
            if event.reactions
        },
        "moments": {
            place: [
                {"id": each.id, "label": each.label.get(language)}
                if isinstance(each, m.Moment)
                else each.id
                for each in moments.order
            ]
            for place, moments in game.moments.items()
        },
        "chains": _chains(game, language),
        "inserted": _inserted(game, language),
    }


def _chains(game: Game, language: str) -> dict[str, list[dict[str, Any]]]:
    """The amendments of each chain with moments, in the order in which they apply."""
    return {
        f"{each.id}{each.parameters_text()}": [_entry(a, language) for a in each.amendments]
        for each in game.definitions.values()
        if f"definition {each.id}" in game.moments and each.amendments
    }


def _inserted(game: Game, language: str) -> dict[str, list[dict[str, Any]]]:
    """The effects inserted before and after other rules, by place."""
    found: dict[str, list[dict[str, Any]]] = {}
    for rule in game.procedures.values():
        if isinstance(rule.rule, m.Procedure) and rule.rule.beside:
            found.setdefault(rule.rule.beside, []).append(_entry(rule, language))
    return found


def print_turn(game: Game, language: str) -> None:
    """Print the steps in their order, with their rules and actions."""
    words = Words(language)
    least, most = game.players_least, max(game.players, default=game.players_most)
    players = words.plural("match.for_so_many_players", most)
    if least < most:
        players = words("match.for_players", least=least, most=most)
    say(f"{bold(game.id)}  {players}")
    several = len(game.rulesets) > 1
    data = turn_data(game, language)
    for phase, steps in data["phases"].items():
        heading(words(f"match.phase.{phase}"))
        moments = _Moments(data["moments"].get(phase, []))
        for number, step in enumerate(steps, 1):
            moments.print_to(step["moment"] or step["id"], "  ")
            ruleset = f"  {dim(step['ruleset'])}" if several else ""
            called = f" ({', '.join(step['aliases'])})" if step["aliases"] else ""
            name = f"{step['label'] or step['id']}{called}"
            say(f"  {number}. {name}  {dim(step['id'])}{ruleset}")
            _print_at_moments(step["rules"], data["moments"].get(f"step {step['id']}", []))
            lines = [
                _line(f"{words('match.may', action=a['action'])}: ", a) for a in step["actions"]
            ]
            say(rows(lines, 5)) if lines else None
        moments.print_to(None, "  ")
    others = (("whenever", "events", "event"), ("chains", "chains", "definition"))
    for word, key, kind in (*others, ("beside_rules", "inserted", "")):
        if data[key]:
            heading(words(f"match.heading.{word}"))
        for where, rules in data[key].items():
            say(f"  {where}")
            place = f"{kind} {where.partition('(')[0]}"
            _print_at_moments(rules, data["moments"].get(place, []))


class _Moments:
    """Prints the moments of a place in their order, those without a rule too."""

    def __init__(self, order: Sequence[dict[str, Any] | str]) -> None:
        self._waiting = list(order)

    def print_to(self, name: str | None, indent: str) -> None:
        """Print the moments up to one of them or up to a step; all that are left for None."""
        ids = [each if isinstance(each, str) else each["id"] for each in self._waiting]
        if name is not None and name not in ids:
            return
        count = len(ids) if name is None else ids.index(name) + 1
        for each in self._waiting[:count]:
            if not isinstance(each, str):
                say(f"{indent}· {each['label']}  {dim(each['id'])}")
        del self._waiting[:count]


def _print_at_moments(rules: Sequence[dict[str, Any]], order: Sequence[dict[str, Any]]) -> None:
    """Print the rules of a place below their moments; those at none come first."""
    moments = _Moments(order)
    free = [_line("", rule) for rule in rules if "moment" not in rule]
    say(rows(free, 5)) if free else None
    for moment in order:
        moments.print_to(moment["id"], "     ")
        there = [_line("", rule) for rule in rules if rule.get("moment") == moment["id"]]
        say(rows(there, 7)) if there else None


def _line(before: str, entry: dict[str, Any]) -> tuple[str, str]:
    text = entry.get("says", "")
    if "when" in entry:
        text = f"{text}  when {entry['when']}".strip()
    return (before + entry["id"], text)
