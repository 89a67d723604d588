"""The basis of linking bodies: scopes, conditions, order, and errors about other rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from tilewright.language.source.diagnostics import Reporter, all_of, did_you_mean
from tilewright.language.source.identity import KeepsResults
from tilewright.language.source.text import Code, Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Environment, Signature
from tilewright.language.typing.scope import Scope, facts
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.namespaces import Company, company_of
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.compose.visibility import Explaining, seen_of
from tilewright.rules.linking.elaborate.typed_rules import TypedRules
from tilewright.rules.linking.game import LinkedAmendment, LinkedRule
from tilewright.rules.linking.toposort import sorted_after
from tilewright.rules.model import ruleset as m

T = TypeVar("T")
Ordered = TypeVar("Ordered", LinkedRule, LinkedAmendment)


class Bodies:
    """The names of a game, and its rules as they are typed; diagnostics go to the reporter."""

    def __init__(
        self,
        selection: Selection,
        gathered: Gathered,
        environment: Environment,
        reporter: Reporter,
        ask: ExpressionChecker | None = None,
        company: Company | None = None,
        seen: frozenset[str] | None = None,
    ) -> None:
        self.selection = selection
        self.g = gathered
        self.environment = environment
        self.reporter = reporter
        self.known: TypedRules | None = None
        if ask is None:
            self.known = TypedRules(environment, reporter, company, seen)
            ask = ExpressionChecker(self.known.watched, reporter)
        self.ask = ask
        self._company = company or Company(selection.rulesets, selection.below)
        self._seeing: dict[tuple[str, frozenset[str]], Bodies] = {}

    def of(self, thing: object, ruleset: str) -> Bodies:
        """The same with the names that a rule or declaration of a ruleset sees."""
        key = ruleset, self._company.seen(ruleset, company_of(thing))
        if key not in self._seeing:
            ask, reporter = None, self.reporter
            if self.known is None:
                ask = self.ask.seeing(seen_of(self.environment, self._company, key[1]))
            else:
                reporter = Explaining(self.reporter, *key, self._company)
            given = self.selection, self.g, self.environment, reporter, ask
            self._seeing[key] = Bodies(*given, self._company, key[1])
        return self._seeing[key]

    def typed(self, thing: KeepsResults, given: Hashable, make: Callable[[], T]) -> T:
        """The typed form of a rule or declaration, as it was made for another game or now."""
        return make() if self.known is None else self.known.of(thing, given, make)

    def in_order(self, rules: list[Ordered]) -> tuple[Ordered, ...]:
        """The rules of one place in their order."""
        ordered, looped = sorted_after(
            rules, lambda r: r.rule.head.id, lambda r: r.rule.head.behind
        )
        if looped:
            self.looped(looped, "after")
        return tuple(ordered)

    def named(
        self, event: str, given: tuple[str, ...], signature: Signature, span: Span
    ) -> tuple[tuple[str, Type], ...] | None:
        """The parameters of an event under the names that a rule gives them."""
        own = tuple(name for name, _ in signature.parameters)
        names = given or own
        if len(names) != len(own):
            message = f"`{event}` has the parameters ({', '.join(own)}), not ({', '.join(names)})"
            self.reporter.error("TW717", message, span)
            return None
        return tuple(zip(names, (type_ for _, type_ in signature.parameters), strict=True))

    def scope(self, parameters: tuple[tuple[str, Type], ...], span: Span) -> Scope:
        """The local names of a rule with these parameters."""
        scope = Scope()
        for name, type_ in parameters:
            scope = self.ask.bind(name, type_, span, scope)
        return scope

    def condition(self, code: Code | None, scope: Scope) -> tuple[t.Expression | None, Scope]:
        """The typed condition of a rule, and what is known where it holds."""
        if code is None:
            return None, scope
        return self.condition_of(parse_expression(code, self.reporter), scope)

    def condition_of(
        self, node: n.Expression | None, scope: Scope
    ) -> tuple[t.Expression | None, Scope]:
        """Like `condition`, for a text that was parsed already."""
        if node is None:
            return None, scope
        return self.ask.condition(node, scope), scope.knowing(facts(node, True))

    def unknown_rule(self, id_: str, head: m.RuleHead, word: str) -> None:
        """Report a rule that another one names under a key, and that no ruleset of the game has."""
        everywhere = {r.head.id for s in self.selection.rulesets for r in (s.entire or s).rules}
        if id_ in everywhere:
            return  # it exists under another option or with another ruleset
        message = f"unknown rule `{id_}`{did_you_mean(id_, self.g.rules)}"
        self.reporter.error("TW714", message, m.place_in(head, word, id_))

    def looped(self, ids: Sequence[str], word: str) -> None:
        """Report rules that wait for each other."""
        names = " -> ".join(f"`{id_}`" for id_ in (*ids, *ids[:1]))
        message = f"these rules wait for each other with `{word}:`: {names}"
        heads = [self.g.rules[id_].head for id_ in ids]
        by_moment = [
            f"`{one.id}` at `{one.moment}` comes after `{other.id}` at `{other.moment}`"
            for one, other in zip(heads, [*heads[1:], heads[0]], strict=True)
            if word == "after" and one.moment and other.moment and other.id not in one.after
        ]
        hint = f"by their moments, {all_of(by_moment)}: another moment, or no neighbour"
        place = m.place_in(next((h for h in heads if getattr(h, word, ())), heads[0]), word)
        self.reporter.error("TW715", message, place, hint=hint if by_moment else "")
