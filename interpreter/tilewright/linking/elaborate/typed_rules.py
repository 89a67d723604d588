"""Keeps rules that were typed, for the next game in the same environment.

Most games of one check differ in a few rules only. The typed form of a rule depends on the rule,
on its ruleset and on the environment of the game; so it is the same object in all games with
equal environments.
Rules with a diagnostic are not kept: it is reported in every game. Nor are rules with insertions,
which also depend on the inserted rules.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from tilewright.language import typed_ast as t
from tilewright.language.environment import Environment
from tilewright.linking.game import LinkedAction, LinkedAmendment, LinkedRule
from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Reporter

#: environments whose rules are kept
MAX_ENVIRONMENTS = 32

_Linked = TypeVar("_Linked", LinkedAmendment, LinkedRule, LinkedAction)
#: by the identity of a rule, which is kept so that no other object can have it, and its ruleset
_Known = dict[tuple[int, str], tuple[m.Rule, _Linked]]


class TypedRules:
    """The typed rules under one environment."""

    def __init__(self) -> None:
        self._amendments: _Known[LinkedAmendment] = {}
        self._rules: _Known[LinkedRule] = {}
        self._actions: _Known[LinkedAction] = {}
        self._defaults: dict[int, tuple[m.DefinitionDecl, t.Expression]] = {}

    def amendment(
        self,
        rule: m.Amendment,
        ruleset: str,
        reporter: Reporter,
        make: Callable[[], LinkedAmendment | None],
    ) -> LinkedAmendment | None:
        """The typed form of an amendment, made at the first request."""
        return _kept(self._amendments, rule, ruleset, reporter, make)

    def rule(
        self,
        rule: m.StepRule | m.Reaction | m.Procedure,
        ruleset: str,
        reporter: Reporter,
        make: Callable[[], LinkedRule | None],
    ) -> LinkedRule | None:
        """The typed form of a rule with effects, made at the first request."""
        return _kept(self._rules, rule, ruleset, reporter, make)

    def action(
        self,
        rule: m.Action,
        ruleset: str,
        reporter: Reporter,
        make: Callable[[], LinkedAction | None],
    ) -> LinkedAction | None:
        """The typed form of an action, made at the first request."""
        return _kept(self._actions, rule, ruleset, reporter, make)

    def default(
        self,
        declaration: m.DefinitionDecl,
        reporter: Reporter,
        make: Callable[[], t.Expression | None],
    ) -> t.Expression | None:
        """The typed default of a definition, made at the first request."""
        found = self._defaults.get(id(declaration))
        if found is not None:
            return found[1]
        before = reporter.calls
        made = make()
        if made is not None and reporter.calls == before:
            self._defaults[id(declaration)] = (declaration, made)
        return made


def _kept(
    known: _Known[_Linked],
    rule: m.Rule,
    ruleset: str,
    reporter: Reporter,
    make: Callable[[], _Linked | None],
) -> _Linked | None:
    found = known.get((id(rule), ruleset))
    if found is not None:
        return found[1]
    before = reporter.calls
    made = make()
    if made is not None and reporter.calls == before:
        known[id(rule), ruleset] = (rule, made)
    return made


#: the last environments, the latest first
_RECENT: list[tuple[Environment, TypedRules]] = []
_LOCK = Lock()


def typed_rules_under(environment: Environment) -> TypedRules:
    """The rules that were typed in an equal environment, if these are among the last; else none."""
    with _LOCK:
        found = next(
            (each for each in _RECENT if each[0] == environment), (environment, TypedRules())
        )
        _RECENT[:] = [found, *(each for each in _RECENT if each is not found)][:MAX_ENVIRONMENTS]
    return found[1]
