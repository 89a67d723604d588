"""Names for things that become those of one ruleset, which are of rulesets that are strangers.

A name that has its ruleset behind it becomes one word, `mine_house_a`. So does the name of a thing
that some rule gives to something of its own, since the rule does not see the thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import OWNER, Code
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.syntax.unparse import print_effects, print_expression
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.namespaces import (
    ACTION,
    LOCAL,
    NAMED,
    Company,
    Rewriting,
    Space,
    company_of,
    declared_names,
)
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import GAME

_OWNED = re.compile(rf"(.*){OWNER}$")
#: the beginnings of effects and expressions that give names, and the name
_GIVES = re.compile(
    r"\b(?:let|for|choose|draw|any|all|sum|count|those|most|least|collect)\s+([a-z][a-z0-9_]*)"
)
_Key = tuple[Space, str]


def in_one_namespace(ruleset: m.Ruleset, gathered: Gathered, selection: Selection) -> m.Ruleset:
    """A ruleset made of several, with other names for what would have the same one."""
    company = Company(selection.rulesets, selection.below)

    def hides(table: str, thing: Any, key: _Key) -> bool:
        id_ = getattr(thing, "head", thing).id
        origin = gathered.origin.get((table, id_), "")
        known = gathered.rules[id_] if table == "rules" else thing
        return bool(origin) and company.hides(company.seen(origin, company_of(known)), *key)

    names: dict[_Key, str] = {
        (space, name): _one_word(space, name)
        for other in selection.rulesets
        for space, name in declared_names(other)
        if _OWNED.match(name)
    }
    # texts name actions as they name other things
    names |= {(NAMED, name): new for (s, name), new in names.items() if s.startswith(ACTION)}
    for rule in ruleset.rules:
        for name in _given(rule):
            if hides("rules", rule, (NAMED, name)):
                owner = company.owners[NAMED][name][0]
                names[NAMED, name] = _one_word(NAMED, f"{name} of {owner}")
    if not names:
        return ruleset
    tables: dict[str, Any] = {}
    for table in ("statements", "phrases", *GAME):
        things = getattr(ruleset, table)
        tables[table] = tuple(
            _Renamed(
                {
                    key: new
                    for key, new in names.items()
                    if _OWNED.match(key[1]) or not hides(table, thing, key)
                }
            ).within(thing)
            for thing in things
        )
    return replace(ruleset, **tables)


def _one_word(space: Space, name: str) -> str:
    between = "-" if space == "statement" else "_"
    plain, _, owner = name.partition(" of ")
    return plain + between + re.sub(r"[/.-]", between, owner)


def _given(rule: m.Rule) -> set[str]:
    """The names that a rule may give to something of its own."""
    found = {name for code in m.codes_of(rule) for name in _GIVES.findall(code.text)}
    match rule:
        case m.Amendment() | m.Reaction():
            found.update(rule.parameters)
        case m.Action():
            found.update(name for name, _ in rule.offer)
        case m.Procedure():
            found.update(each.name for each in rule.declaration.parameters)
    return found


class _Renamed(Rewriting):
    """Gives the names of a declaration their new forms."""

    def __init__(self, names: Mapping[_Key, str]) -> None:
        self.names = names

    def of(self, space: Space, written: str) -> str:
        """A name in its new form."""
        return self.names.get((NAMED if space == LOCAL else space, written), written)

    def neighbours(self, thing: Any, space: Space, written: str) -> tuple[str, ...]:
        """A rule or a step in its new form."""
        return (self.of(space, written),)

    def code(self, code: Code) -> Code:
        """A text with the new names; with any of them it gets the canonical form."""
        names = {(space, name): self.of(space, now) for space, name, now in code.names}
        names |= {key: new for key, new in self.names.items() if key[1] in code.text}
        if not names:
            return code
        renamed = replace(code, names=tuple((*key, new) for key, new in sorted(names.items())))
        parts: tuple[tuple[Callable[..., Any], Callable[..., str]], ...] = (
            (parse_expression, print_expression),
            (parse_effects, print_effects),
        )
        for parse, text in parts:
            node = parse(renamed, Reporter.discarding())
            if node is not None:
                return replace(code, text=text(node), names=(), pieces=())
        return code
