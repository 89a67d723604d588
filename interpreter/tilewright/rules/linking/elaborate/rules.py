"""Links step rules, reactions, actions and procedures, with what is inserted beside them.

Effect text is parsed and type-checked here against the names of the game. `compose` selects the
rules, and `turn` orders the steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.language.builtins import PASS
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.source.identity import kept_by_identities
from tilewright.language.source.text import Code, Span
from tilewright.language.syntax.local_names import Names, Printed, bound, effects_printed
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Signature
from tilewright.language.typing.scope import Scope, facts
from tilewright.language.typing.typecheck_effects import EffectChecker
from tilewright.rules.linking.elaborate.bodies import Bodies
from tilewright.rules.linking.elaborate.definitions import DefinitionLinker
from tilewright.rules.linking.game import LinkedAction, LinkedEvent, LinkedRule
from tilewright.rules.linking.rule_text import head_printed
from tilewright.rules.model import ruleset as m


class RuleLinker:
    """Links the rules of a game that have effects."""

    def __init__(self, bodies: Bodies) -> None:
        self.bodies = bodies
        self.insertions: dict[str, LinkedRule] = {}
        self.beside: dict[str, list[m.Procedure]] = {}
        for rule in bodies.g.rules.values():
            if isinstance(rule, m.Procedure) and rule.beside:
                self.beside.setdefault(rule.beside, []).append(rule)

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
        for rule in self.bodies.g.rules.values():
            for key, named in (("after", rule.head.after), ("before", rule.head.before)):
                for other in named:
                    if other not in self.bodies.g.rules:
                        self.bodies.unknown_rule(other, rule.head, key)
            match rule:
                case m.Procedure(beside=beside) if beside:
                    pass  # linked together with the rule beside which it is inserted
                case m.Procedure():
                    signature = self.bodies.environment.procedures[rule.declaration.id]
                    if rule.declaration.id in procedures:
                        message = f"procedure `{rule.declaration.id}` is declared twice"
                        self.bodies.reporter.error("TW722", message, rule.head.span)
                    linked = self.rule(rule, signature.parameters, at_step=False)
                    if linked is not None:
                        procedures[rule.declaration.id] = linked
                case m.StepRule():
                    if self._known_step(rule):
                        linked = self.rule(rule, (), at_step=True)
                        if linked is not None:
                            steps.setdefault(rule.step, []).append(linked)
                case m.Reaction():
                    linked = self.reaction(rule)
                    if linked is not None:
                        reactions.setdefault(rule.event, []).append(linked)
                case m.Action():
                    if self._known_step(rule):
                        action = self.action(rule)
                        if action is not None:
                            actions.setdefault(rule.step, []).append(action)
                case m.Amendment():
                    pass
        events = {
            id_: _event(id_, signature, self.bodies.in_order(reactions.get(id_, [])))
            for id_, signature in sorted(self.bodies.environment.events.items())
        }
        procedures |= self.insertions
        return dict(sorted(procedures.items())), events, steps, actions

    def reaction(self, rule: m.Reaction) -> LinkedRule | None:
        """A rule on an event; None if it has errors."""
        known = self.bodies.environment.events
        signature = known.get(rule.event)
        if signature is None:
            near = did_you_mean(rule.event, known)
            hint = "" if near else f"events here: {', '.join(sorted(known))}"
            if rule.event in self.bodies.g.steps:
                near, hint = "", f"it is a step: write `on: step {rule.event}`"
            place = m.place_in(rule.head, "on", rule.event)
            self.bodies.reporter.error(
                "TW304", f"unknown event `{rule.event}`{near}", place, hint=hint
            )
            return None
        named = self.bodies.named(rule.event, rule.parameters, signature, rule.head.place)
        return None if named is None else self.rule(rule, named, at_step=False)

    def rule(
        self,
        rule: m.StepRule | m.Reaction | m.Procedure,
        parameters: tuple[tuple[str, Type], ...],
        at_step: bool,
    ) -> LinkedRule | None:
        """A rule on a step or event, or a procedure; None if it has errors."""
        ruleset = self.bodies.g.origin["rules", rule.head.id]
        bodies = self.bodies.of(rule, ruleset)

        def typed() -> LinkedRule | None:
            scope = bodies.scope(parameters, rule.head.span)
            when, inner = bodies.condition(rule.head.when, scope)
            names = bound({}, *(name for name, _ in parameters))
            effects, done = _effects(bodies, rule.do, inner, names, at_step)
            effects, done = self._with_insertions(rule, effects, done, parameters)
            if effects is None:
                return None
            whole = head_printed(rule, names) + done
            return LinkedRule(rule, ruleset, parameters, when, effects, whole)

        if self._has_insertions(rule) or (isinstance(rule, m.Procedure) and rule.beside):
            return typed()
        return bodies.typed(rule, (ruleset, parameters), typed)

    def action(self, rule: m.Action) -> LinkedAction | None:
        """An action; None if it has errors."""
        ruleset = self.bodies.g.origin["rules", rule.head.id]
        bodies = self.bodies.of(rule, ruleset)
        if self._has_insertions(rule):
            return self._typed_action(rule, bodies)
        return bodies.typed(rule, ruleset, lambda: self._typed_action(rule, bodies))

    def _typed_action(self, rule: m.Action, bodies: Bodies) -> LinkedAction | None:
        scope = Scope()
        if rule.name == PASS and not rule.offer:
            message = f"an action `{PASS}` reads like no choice: a player passes with `{PASS}`"
            hint = "write the name of what the player may do"
            bodies.reporter.error("TW617", message, rule.head.place, hint=hint)
        when, scope = bodies.condition(rule.head.when, scope)
        offer: list[tuple[str, t.Expression]] = []
        for name, code in rule.offer:
            node = parse_expression(code, bodies.reporter)
            if node is None:
                return None
            source = bodies.ask.iterable(node, scope)
            scope = bodies.ask.bind(name, source.type.one, code.whole, scope)
            offer.append((name, source))
        where = None
        if rule.where is not None:
            node = parse_expression(rule.where, bodies.reporter)
            if node is None:
                return None
            where = bodies.ask.condition(node, scope)
            scope = scope.knowing(facts(node, True))
        names = bound({}, *(name for name, _ in offer))
        effects, done = _effects(bodies, rule.do, scope, names, at_step=False)
        variables = tuple((name, source.type.one) for name, source in offer)
        effects, done = self._with_insertions(rule, effects, done, variables)
        if effects is None:
            return None
        ruleset = self.bodies.g.origin["rules", rule.head.id]
        head = head_printed(rule, {})
        return LinkedAction(rule, ruleset, when, tuple(offer), where, effects, head + done, head)

    # -------------------------------------------------------------- insertions

    def _has_insertions(self, rule: m.Rule) -> bool:
        return any(f"{side} {rule.head.id}" in self.beside for side in ("before", "after"))

    def _with_insertions(
        self,
        rule: m.Rule,
        effects: t.Body | None,
        printed: Printed,
        parameters: tuple[tuple[str, Type], ...],
    ) -> tuple[t.Body | None, Printed]:
        """The body with calls of the insertions before and after it, in their order.

        Each insertion is a procedure that can use the names of the rule's head.
        """
        for side in ("before", "after"):
            inserted = self.beside.get(f"{side} {rule.head.id}", ())
            linked = [self.rule(each, parameters, at_step=False) for each in inserted]
            found = self.bodies.in_order([each for each in linked if each is not None])
            for each in found:
                assert isinstance(each.rule, m.Procedure)
                self.insertions[each.rule.declaration.id] = each
            if effects is None or not found:
                continue
            done = tuple(_procedure_call(each, rule.head.place) for each in found)
            names = " ".join(f"do {each.id};" for each in found)
            effects, printed = (
                ((*done, *effects), printed.within(f"{names} "))
                if side == "before"
                else ((*effects, *done), printed.within("", f" {names}"))
            )
        return effects, printed

    def _known_step(self, rule: m.StepRule | m.Action) -> bool:
        step = rule.step
        if step in self.bodies.g.steps:
            return True
        near = did_you_mean(step, self.bodies.g.steps)
        hint = "" if near else f"steps here: {', '.join(self.bodies.g.steps)}"
        signature = self.bodies.environment.events.get(step)
        if signature is not None and isinstance(rule, m.StepRule):
            names = ", ".join(name for name, _ in signature.parameters)
            near, hint = "", f"it is an event: write `on: {step}({names})`"
        place = m.place_in(rule.head, "on" if isinstance(rule, m.StepRule) else "action", step)
        self.bodies.reporter.error("TW712", f"unknown step `{step}`{near}", place, hint=hint)
        return False


def _effects(
    bodies: Bodies, code: Code, scope: Scope, names: Names, at_step: bool
) -> tuple[t.Body | None, Printed]:
    effects = parse_effects(code, bodies.reporter)
    if effects is None:
        return None, Printed()
    printed = effects_printed(effects, names, bodies.ask.env.memory)
    return EffectChecker(bodies.ask, at_step).body(effects, scope), printed


def check_alone(bodies: Bodies, thing: m.Rule | m.DefinitionDecl, ruleset: str) -> None:
    """Check one rule or one definition, even when it is not in the game of the bodies."""
    definitions, rules = DefinitionLinker(bodies), RuleLinker(bodies)
    if isinstance(thing, m.DefinitionDecl):
        if thing.id in bodies.environment.definitions:
            definitions.default(thing, bodies.environment.definitions[thing.id])
        return
    bodies.g.origin.setdefault(("rules", thing.head.id), ruleset)
    match thing:
        case m.Amendment():
            declaration = definitions.declared().get(thing.definition)
            if declaration is None:
                definitions.check_alone(thing)
            else:
                definitions.amendment(thing, declaration)
        case m.Action():
            rules.action(thing)
        case m.Reaction():
            rules.reaction(thing)
        case m.StepRule():
            rules.rule(thing, (), at_step=True)
        case m.Procedure():
            signature = bodies.environment.procedures.get(thing.declaration.id)
            rules.rule(thing, signature.parameters if signature else (), at_step=False)


def _event(id_: str, signature: Signature, reactions: Sequence[LinkedRule]) -> LinkedEvent:
    if not reactions:
        return LinkedEvent(id_, signature.parameters, ())
    return _reacted(reactions[0], id_, signature, *reactions[1:])


@kept_by_identities
def _reacted(first: LinkedRule, id_: str, signature: Signature, *others: LinkedRule) -> LinkedEvent:
    """An event; the same object for the same parts, so that analyses of it can be kept.

    Its first reaction keeps it.
    """
    return LinkedEvent(id_, signature.parameters, (first, *others))


def _procedure_call(rule: LinkedRule, span: Span) -> t.Effect:
    """The effect that calls a rule with the names that it can use."""
    assert isinstance(rule.rule, m.Procedure)
    arguments = tuple(t.Local(name, type_, span) for name, type_ in rule.parameters)
    return t.ProcedureCall(rule.rule.declaration.id, arguments, span)
