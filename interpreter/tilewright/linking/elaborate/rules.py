"""Links rule bodies: amendments, step rules, reactions, actions and procedures.

Effect text is parsed and type-checked here against the names of the game. `compose` selects the
rules, and `turn` orders the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from tilewright.language import typed_ast as t
from tilewright.language.builtins import BUILTIN_DEFINITIONS
from tilewright.language.environment import Environment, Signature
from tilewright.language.parser import parse_effects, parse_expression
from tilewright.language.scope import Scope, facts
from tilewright.language.typecheck import ExpressionChecker
from tilewright.language.typecheck_effects import EffectChecker
from tilewright.language.types import UNKNOWN, Type
from tilewright.language.unparse import print_effects, print_expression
from tilewright.linking.compose.declarations import Gathered
from tilewright.linking.compose.select import Selection
from tilewright.linking.elaborate.combine import check_combine
from tilewright.linking.elaborate.typed_rules import TypedRules
from tilewright.linking.game import (
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
)
from tilewright.linking.identity import kept_by_identities
from tilewright.linking.toposort import sorted_after
from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Reporter, did_you_mean
from tilewright.source.text import NOWHERE, Code, Span

T = TypeVar("T")
_Ordered = TypeVar("_Ordered", LinkedRule, LinkedAmendment)

#: the definitions that the language evaluates by itself
_BUILTIN = {
    name: m.DefinitionDecl(
        name,
        tuple(m.Parameter(parameter, type_, NOWHERE) for parameter, type_ in parameters),
        result,
        m.Combine(combine),
        doc,
        None,
        NOWHERE,
    )
    for name, parameters, result, combine, doc in BUILTIN_DEFINITIONS
}


class BodyLinker:
    """Links the bodies of all rules; diagnostics go to the reporter."""

    def __init__(
        self,
        selection: Selection,
        gathered: Gathered,
        environment: Environment,
        reporter: Reporter,
        ask: ExpressionChecker | None = None,
    ) -> None:
        self.selection = selection
        self.g = gathered
        self.environment = environment
        self.reporter = reporter
        self.known: TypedRules | None = None
        if ask is None:
            self.known = TypedRules(environment, reporter)
            ask = ExpressionChecker(self.known.watched, reporter)
        self.ask = ask
        self.insertions: dict[str, LinkedRule] = {}
        self.beside: dict[str, list[m.Procedure]] = {}
        for rule in gathered.rules.values():
            if isinstance(rule, m.Procedure) and rule.beside:
                self.beside.setdefault(rule.beside, []).append(rule)

    def typed(self, thing: object, given: Hashable, make: Callable[[], T]) -> T:
        """The typed form of a rule or declaration, as it was made for another game or now."""
        return make() if self.known is None else self.known.of(thing, given, make)

    def look_at(self, thing: m.Rule | m.DefinitionDecl, ruleset: str) -> None:
        """Check one rule or one definition alone, even when it is not in this game."""
        if isinstance(thing, m.DefinitionDecl):
            if thing.id in self.environment.definitions:
                self._default(thing, self.environment.definitions[thing.id])
            return
        self.g.origin.setdefault(("rules", thing.head.id), ruleset)
        match thing:
            case m.Amendment():
                declaration = self._declared().get(thing.definition)
                if declaration is None:
                    self._check_alone(thing)
                else:
                    self._amendment(thing, declaration)
            case m.Action():
                self._action(thing)
            case m.Reaction():
                self._reaction(thing)
            case m.StepRule():
                self._rule(thing, (), at_step=True)
            case m.Procedure():
                signature = self.environment.procedures.get(thing.declaration.id)
                self._rule(thing, signature.parameters if signature else (), at_step=False)

    def _declared(self) -> dict[str, m.DefinitionDecl]:
        """The definitions of the game, including those of the language."""
        return _BUILTIN | self.g.definitions

    def definitions(self) -> dict[str, LinkedDefinition]:
        """Every definition of the game with its amendments."""
        declared = self._declared()
        for memory in self.g.memory.values():
            type_ = self.environment.remembered(memory.id)
            if not (type_.optional or type_.many or type_.base in ("number", "truth", "unknown")):
                message = f"memory `{memory.id}` has no initial value,"
                message += f" so its type must be optional: `{type_}?`"
                self.reporter.error("TW734", message, memory.span)
        amendments: dict[str, list[LinkedAmendment]] = {}
        for rule in self.g.rules.values():
            if isinstance(rule, m.Amendment):
                if rule.definition not in declared:
                    message = f"unknown definition `{rule.definition}` to amend"
                    message += did_you_mean(rule.definition, declared)
                    self.reporter.error("TW716", message, rule.head.place)
                    self._check_alone(rule)
                    continue
                linked = self._amendment(rule, declared[rule.definition])
                if linked is not None:
                    amendments.setdefault(rule.definition, []).append(linked)
        found: dict[str, LinkedDefinition] = {}
        for id_, declaration in sorted(declared.items()):
            signature = self.environment.definitions[id_]
            assert signature.result is not None
            check_combine(declaration, signature.result, self.reporter)
            found[id_] = _definition(
                declaration,
                self.g.origin.get(("definitions", id_), ""),
                signature,
                self._default(declaration, signature),
                *self._joined(declaration.combine, amendments.get(id_, [])),
            )
        return found

    def _joined(
        self, combine: m.Combine, amendments: list[LinkedAmendment]
    ) -> tuple[LinkedAmendment, ...]:
        """The amendments of a definition in evaluation order."""
        if combine == m.Combine.UNION:
            # this is the order of the union's members: rule ids must not decide it
            by_text = sorted(amendments, key=lambda a: (a.text, a.rule.head.id))
            return tuple(sorted(by_text, key=lambda a: a.when is not None))
        if combine == m.Combine.CHAIN:
            return self.in_order(amendments)
        # evaluate amendments with precedence first
        above: dict[str, list[str]] = {}
        for amendment in amendments:
            for other in amendment.rule.head.over:
                above.setdefault(other, []).append(amendment.rule.head.id)
        ordered, looped = sorted_after(
            amendments, lambda a: a.rule.head.id, lambda a: above.get(a.rule.head.id, ())
        )
        if looped:
            self._looped(looped, "over", ordered[0].rule.head.span)
        return tuple(ordered)

    def _check_alone(self, rule: m.Amendment) -> None:
        """Check an amendment of an unknown definition for other errors."""
        scope = self.scope(tuple((name, UNKNOWN) for name in rule.parameters), rule.head.span)
        _, inner = self.condition(rule.head.when, scope)
        node = parse_expression(rule.value, self.reporter)
        if node is not None:
            self.ask.expression(node, inner)

    def _default(self, declaration: m.DefinitionDecl, signature: Signature) -> t.Expression | None:
        if declaration.default is None:
            return None
        code = declaration.default

        def typed() -> t.Expression | None:
            node = parse_expression(code, self.reporter)
            if node is None:
                return None
            assert signature.result is not None
            scope = self.scope(signature.parameters, declaration.span)
            return self.ask.wanted(node, scope, signature.result, f"`{declaration.id}`")

        return self.typed(declaration, signature, typed)

    def _amendment(
        self, rule: m.Amendment, declaration: m.DefinitionDecl
    ) -> LinkedAmendment | None:
        signature = self.environment.definitions[rule.definition]
        parameters = self.named(rule.definition, rule.parameters, signature, rule.head.place)
        if parameters is None:
            return None
        if declaration.combine == m.Combine.ITEMS and not rule.item:
            message = f"an amendment of `{rule.definition}` needs `item:`, the name of its points"
            self.reporter.error("TW718", message, rule.head.span)
        if declaration.combine not in (m.Combine.ITEMS, m.Combine.CHAIN) and rule.item:
            message = f"`{rule.definition}` is not itemised, so `item:` has no meaning here"
            self.reporter.error("TW718", message, rule.head.span)
        for other in rule.head.over:
            if other not in self.g.rules:
                self._unknown_rule(other, rule.head.span)
        for other in rule.head.after if declaration.combine == m.Combine.CHAIN else ():
            if other not in self.g.rules:
                self._unknown_rule(other, rule.head.span)
        if rule.head.after and declaration.combine != m.Combine.CHAIN:
            message = (
                "`after` has no effect on an amendment: `combine` of its definition joins them"
            )
            hint = "write `over` where one amendment takes precedence over another"
            self.reporter.error("TW737", message, rule.head.span, hint=hint)
        ruleset = self.g.origin["rules", rule.head.id]
        names = tuple(name for name, _ in parameters)

        def typed() -> LinkedAmendment | None:
            scope = self.scope(parameters, rule.head.span)
            when, inner = self.condition(rule.head.when, scope)
            node = parse_expression(rule.value, self.reporter)
            if node is None:
                return None
            assert signature.result is not None
            value = self.ask.wanted(node, inner, signature.result, f"`{rule.definition}`")
            text = self._when_text(rule.head) + print_expression(node)
            return LinkedAmendment(rule, ruleset, names, when, value, text)

        return self.typed(rule, (ruleset, signature), typed)

    def rules(
        self,
    ) -> tuple[
        dict[str, LinkedRule],
        dict[str, LinkedEvent],
        dict[str, list[LinkedRule]],
        dict[str, list[LinkedAction]],
    ]:
        """The procedures, and the rules on events and steps and the actions by their place."""
        procedures: dict[str, LinkedRule] = {}
        reactions: dict[str, list[LinkedRule]] = {}
        steps: dict[str, list[LinkedRule]] = {}
        actions: dict[str, list[LinkedAction]] = {}
        for rule in self.g.rules.values():
            for other in rule.head.after:
                if other not in self.g.rules:
                    self._unknown_rule(other, rule.head.span)
            match rule:
                case m.Procedure(beside=beside) if beside:
                    pass  # linked together with the rule beside which it is inserted
                case m.Procedure():
                    signature = self.environment.procedures[rule.declaration.id]
                    if rule.declaration.id in procedures:
                        message = f"procedure `{rule.declaration.id}` is declared twice"
                        self.reporter.error("TW722", message, rule.head.span)
                    linked = self._rule(rule, signature.parameters, at_step=False)
                    if linked is not None:
                        procedures[rule.declaration.id] = linked
                case m.StepRule():
                    if self._known_step(rule.step, rule.head.place):
                        linked = self._rule(rule, (), at_step=True)
                        if linked is not None:
                            steps.setdefault(rule.step, []).append(linked)
                case m.Reaction():
                    linked = self._reaction(rule)
                    if linked is not None:
                        reactions.setdefault(rule.event, []).append(linked)
                case m.Action():
                    if self._known_step(rule.step, rule.head.place):
                        action = self._action(rule)
                        if action is not None:
                            actions.setdefault(rule.step, []).append(action)
                case m.Amendment():
                    pass
        events = {
            id_: _event(id_, signature, *self.in_order(reactions.get(id_, [])))
            for id_, signature in sorted(self.environment.events.items())
        }
        procedures |= self.insertions
        return dict(sorted(procedures.items())), events, steps, actions

    def in_order(self, rules: list[_Ordered]) -> tuple[_Ordered, ...]:
        """The rules of one place, sorted by `after`."""
        ordered, looped = sorted_after(rules, lambda r: r.rule.head.id, lambda r: r.rule.head.after)
        if looped:
            self._looped(looped, "after", ordered[0].rule.head.span)
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

    def _reaction(self, rule: m.Reaction) -> LinkedRule | None:
        signature = self.environment.events.get(rule.event)
        if signature is None:
            message = (
                f"unknown event `{rule.event}`{did_you_mean(rule.event, self.environment.events)}"
            )
            self.reporter.error("TW304", message, rule.head.place)
            return None
        named = self.named(rule.event, rule.parameters, signature, rule.head.place)
        return None if named is None else self._rule(rule, named, at_step=False)

    def _rule(
        self,
        rule: m.StepRule | m.Reaction | m.Procedure,
        parameters: tuple[tuple[str, Type], ...],
        at_step: bool,
    ) -> LinkedRule | None:
        ruleset = self.g.origin["rules", rule.head.id]

        def typed() -> LinkedRule | None:
            scope = self.scope(parameters, rule.head.span)
            when, inner = self.condition(rule.head.when, scope)
            effects, text = self._effects(rule.do, inner, at_step)
            effects, text = self._with_insertions(rule, effects, text, parameters)
            if effects is None:
                return None
            whole = self._when_text(rule.head) + text
            return LinkedRule(rule, ruleset, parameters, when, effects, whole)

        if self._has_insertions(rule) or (isinstance(rule, m.Procedure) and rule.beside):
            return typed()
        return self.typed(rule, (ruleset, parameters), typed)

    def _action(self, rule: m.Action) -> LinkedAction | None:
        if self._has_insertions(rule):
            return self._typed_action(rule)
        ruleset = self.g.origin["rules", rule.head.id]
        return self.typed(rule, ruleset, lambda: self._typed_action(rule))

    def _typed_action(self, rule: m.Action) -> LinkedAction | None:
        scope = Scope()
        when, scope = self.condition(rule.head.when, scope)
        offer: list[tuple[str, t.Expression]] = []
        texts: list[str] = []
        for name, code in rule.offer:
            node = parse_expression(code, self.reporter)
            if node is None:
                return None
            source = self.ask.iterable(node, scope)
            scope = self.ask.bind(name, source.type.one, code.whole, scope)
            offer.append((name, source))
            texts.append(f"{name} in {print_expression(node)}")
        where = None
        if rule.where is not None:
            node = parse_expression(rule.where, self.reporter)
            if node is None:
                return None
            where = self.ask.condition(node, scope)
            scope = scope.knowing(facts(node, True))
            texts.append("where " + print_expression(node))
        effects, text = self._effects(rule.do, scope, at_step=False)
        offered = tuple((name, source.type.one) for name, source in offer)
        effects, text = self._with_insertions(rule, effects, text, offered)
        if effects is None:
            return None
        condition, ruleset = self._when_text(rule.head), self.g.origin["rules", rule.head.id]
        whole, part = condition + "; ".join([*texts, text]), condition + "; ".join(texts)
        return LinkedAction(rule, ruleset, when, tuple(offer), where, effects, whole, part)

    # -------------------------------------------------------------- insertions

    def _has_insertions(self, rule: m.Rule) -> bool:
        return any(f"{side} {rule.head.id}" in self.beside for side in ("before", "after"))

    def _with_insertions(
        self,
        rule: m.Rule,
        effects: t.Body | None,
        text: str,
        parameters: tuple[tuple[str, Type], ...],
    ) -> tuple[t.Body | None, str]:
        """The body with calls of the insertions before and after it, in their order.

        Each insertion is a procedure that can use the names of the rule's head.
        """
        for side in ("before", "after"):
            inserted = self.beside.get(f"{side} {rule.head.id}", ())
            linked = [self._rule(each, parameters, at_step=False) for each in inserted]
            found = self.in_order([each for each in linked if each is not None])
            for each in found:
                assert isinstance(each.rule, m.Procedure)
                self.insertions[each.rule.declaration.id] = each
            if effects is None or not found:
                continue
            done = tuple(_procedure_call(each, rule.head.place) for each in found)
            names = " ".join(f"do {each.id};" for each in found)
            effects, text = (
                ((*done, *effects), f"{names} {text}")
                if side == "before"
                else ((*effects, *done), f"{text} {names}")
            )
        return effects, text

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
        node = parse_expression(code, self.reporter)
        if node is None:
            return None, scope
        return self.ask.condition(node, scope), scope.knowing(facts(node, True))

    def _when_text(self, head: m.RuleHead) -> str:
        if head.when is None:
            return ""
        node = parse_expression(head.when, Reporter.discarding())
        return "" if node is None else f"when {print_expression(node)}: "

    def _effects(self, code: Code, scope: Scope, at_step: bool) -> tuple[t.Body | None, str]:
        effects = parse_effects(code, self.reporter)
        if effects is None:
            return None, ""
        return EffectChecker(self.ask, at_step).body(effects, scope), print_effects(effects)

    def _known_step(self, step: str, span: Span) -> bool:
        if step in self.g.steps:
            return True
        near = did_you_mean(step, self.g.steps)
        hint = "" if near else f"steps here: {', '.join(self.g.steps)}"
        self.reporter.error("TW712", f"unknown step `{step}`{near}", span, hint=hint)
        return False

    def _unknown_rule(self, id_: str, span: Span) -> None:
        everywhere = {r.head.id for s in self.selection.rulesets for r in (s.entire or s).rules}
        if id_ in everywhere:
            return  # it exists under another option or with another ruleset
        message = f"unknown rule `{id_}`{did_you_mean(id_, self.g.rules)}"
        self.reporter.error("TW714", message, span)

    def _looped(self, ids: Sequence[str], word: str, span: Span) -> None:
        names = " -> ".join(f"`{id_}`" for id_ in (*ids, *ids[:1]))
        message = f"these rules wait for each other with `{word}:`: {names}"
        self.reporter.error("TW715", message, span)


@kept_by_identities
def _definition(
    declaration: m.DefinitionDecl,
    ruleset: str,
    signature: Signature,
    default: t.Expression | None,
    *amendments: LinkedAmendment,
) -> LinkedDefinition:
    """A definition; the same object for the same parts, so that analyses of it can be kept."""
    parameters, result = signature.parameters, signature.result
    assert result is not None
    return LinkedDefinition(declaration, ruleset, parameters, result, default, amendments)


@kept_by_identities
def _event(id_: str, signature: Signature, *reactions: LinkedRule) -> LinkedEvent:
    """An event; the same object for the same parts, so that analyses of it can be kept."""
    return LinkedEvent(id_, signature.parameters, reactions)


def _procedure_call(rule: LinkedRule, span: Span) -> t.Effect:
    """The effect that calls a rule with the names that it can use."""
    assert isinstance(rule.rule, m.Procedure)
    arguments = tuple(t.Local(name, type_, span) for name, type_ in rule.parameters)
    return t.ProcedureCall(rule.rule.declaration.id, arguments, span)
