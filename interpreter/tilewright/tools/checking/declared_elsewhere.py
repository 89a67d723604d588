"""Explains names that a game lacks and a ruleset beside it declares: the line that joins the two.

Only rulesets that can be in one game with the checked one are named. Which of several things of one
name is meant is not decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tilewright.language.source.diagnostics import Diagnostic, Reporter, one_of
from tilewright.rules.linking.compose.select import select
from tilewright.rules.model import ruleset as m
from tilewright.tools.workspace.workspace import WordIndex, Workspace, rule_ids

#: the message about a name that nothing in a game has
UNKNOWN_NAME = re.compile(r"\bunknown [a-z ]+ `([\w.]+)`")
#: codes of names in scenarios, which name the rulesets of their game themselves
_IN_SCENARIOS = ("TW605", "TW612")
#: keys of rules and steps whose names only order
_NEIGHBOURS = ("after", "before", "over")
_MAX_SHOWN = 3
#: names of one ruleset that are explained, because rulesets that declare them have to be read
_MAX_NAMES = 10


class Elsewhere:
    """The names that the rulesets of a workspace declare."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._declared = WordIndex(workspace, "declared", _names, "rules", "components", "tiles")
        self._found: dict[str, list[m.Ruleset]] = {}

    def explained(self, diagnostic: Diagnostic, id_: str) -> Diagnostic:
        """A diagnostic of a ruleset, with the rulesets that have the name it is about."""
        name = UNKNOWN_NAME.search(diagnostic.message)
        if name is None or diagnostic.span.file not in self._files(id_):
            return diagnostic
        others = self._beside(id_, name[1])
        if not others:
            return diagnostic
        first = others[0]
        if diagnostic.code in _IN_SCENARIOS:
            how = f"write `game: [{id_}, {first.id}]` in the scenario"
        elif self._is_neighbour(diagnostic, id_, name[1]):
            how = f'write `"{name[1]}?"`, which orders where it is there'
        else:
            role = first.module.provides[0] if first.module.provides else first.id.split("/")[1]
            how = f"write `{role}: {first.id}` under `requires`,"
            where = "at the top of the file" if diagnostic.code == "TW714" else "in the rule"
            how += f" or `with: [{first.id}]` {where}"
        verb = "declares" if len(others) == 1 else "declare"
        ids = one_of(each.id for each in others[:_MAX_SHOWN])
        return replace(diagnostic, hint=f"{ids} {verb} it: {how}")

    def _is_neighbour(self, diagnostic: Diagnostic, id_: str, name: str) -> bool:
        """Whether the name only orders a rule or step: then it may be absent."""
        own = self._workspace.own(id_)
        if own is None:
            return False
        declared: list[m.RuleHead | m.StepDecl] = [rule.head for rule in own.rules]
        declared += own.steps
        return any(
            name in getattr(each, key, ()) and m.place_in(each, key, name) == diagnostic.span
            for each in declared
            for key in _NEIGHBOURS
        )

    def _files(self, id_: str) -> tuple[str, ...]:
        own = self._workspace.own(id_)
        return () if own is None else own.files

    def _beside(self, id_: str, name: str) -> list[m.Ruleset]:
        """The rulesets that declare a name and can join the game; none if the game declares it."""
        if name not in self._found and len(self._found) < _MAX_NAMES:
            ids = self._declared.ids(name)
            if not {each.id for each in self._workspace.together((id_,))}.isdisjoint(ids):
                return []
            own = self._workspace.own
            joined = (each for each in ids if select((id_, each), {}, own, Reporter.discarding()))
            found = [each for each in map(own, joined) if each is not None]
            found.sort(key=lambda each: (each.module.kind == "house", each.id))
            if found:
                self._found[name] = found
        return self._found.get(name, [])


def _names(own: m.Ruleset) -> Iterator[str]:
    """Everything that rules and scenarios can name."""
    for declared in (
        own.features, own.symbols, own.figures, own.tokens, own.items, own.roles, own.stacks,
        own.pieces, own.values, own.memory, own.steps, own.definitions, own.events,
    ):  # fmt: skip
        yield from (each.id for each in declared)
    yield from (trait for figure in own.figures for trait in figure.traits)
    yield from (trait for token in own.tokens for trait in token.traits)
    yield from (rule.declaration.id for rule in own.rules if isinstance(rule, m.Procedure))
    yield from rule_ids(own)
