"""Links definitions: their defaults and the amendments of rules, in evaluation order."""

from __future__ import annotations

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.builtins import FUNCTION, SPOKEN_VERB
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.source.identity import kept_by_identities
from tilewright.language.source.text import NOWHERE
from tilewright.language.syntax.local_names import bound
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import NOTHING, UNKNOWN
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Signature
from tilewright.rules.linking.elaborate.bodies import Bodies
from tilewright.rules.linking.elaborate.combine import check_combine
from tilewright.rules.linking.elaborate.fallbacks import NEVER, own_case
from tilewright.rules.linking.game import LinkedAmendment, LinkedDefinition
from tilewright.rules.linking.rule_text import code_printed, head_printed
from tilewright.rules.linking.toposort import sorted_after
from tilewright.rules.model import ruleset as m

#: the definitions that the language evaluates by itself
_BUILTIN = {
    name: m.DefinitionDecl(
        name,
        tuple(m.Parameter(parameter, type_, NOWHERE) for parameter, type_ in parameters),
        result,
        m.Combine(combine),
        m.Labels((("en", doc),)),
        None,
        NOWHERE,
    )
    for name, parameters, result, combine, doc in BUILTIN_DEFINITIONS
}


class DefinitionLinker:
    """Links the definitions of a game and their amendments."""

    def __init__(self, bodies: Bodies) -> None:
        self.bodies = bodies

    def declared(self) -> dict[str, m.DefinitionDecl]:
        """The definitions of the game, including those of the language."""
        return _BUILTIN | self.bodies.g.definitions

    def definitions(self) -> dict[str, LinkedDefinition]:
        """Every definition of the game with its amendments."""
        declared = self.declared()
        for memory in self.bodies.g.memory.values():
            type_ = self.bodies.environment.remembered(memory.id)
            if not (type_.optional or type_.many or type_.base in ("number", "truth", "unknown")):
                message = f"memory `{memory.id}` has no initial value,"
                message += f" so its type must be optional: `{type_}?`"
                self.bodies.reporter.error("TW734", message, m.place_in(memory, "type"))
        amendments: dict[str, list[LinkedAmendment]] = {}
        for rule in self.bodies.g.rules.values():
            if isinstance(rule, m.Amendment):
                if rule.definition not in declared:
                    hint = self._instead(rule.definition)
                    message = f"unknown definition `{rule.definition}` to amend"
                    word = "function" if rule.definition in FUNCTION else "verb"
                    if rule.definition in FUNCTION or rule.definition in SPOKEN_VERB:
                        message = f"`{rule.definition}` is a {word} of the language"
                        message += ", which no rule can amend"
                    message += "" if hint else did_you_mean(rule.definition, declared)
                    self.bodies.reporter.error("TW716", message, rule.head.place, hint=hint)
                    self.check_alone(rule)
                    continue
                linked = self.amendment(rule, declared[rule.definition])
                if linked is not None:
                    amendments.setdefault(rule.definition, []).append(linked)
        found: dict[str, LinkedDefinition] = {}
        for id_, declaration in sorted(declared.items()):
            signature = self.bodies.environment.definitions[id_]
            assert signature.result is not None
            check_combine(declaration, signature.result, self.bodies.reporter)
            found[id_] = _definition(
                declaration,
                self.bodies.g.origin.get(("definitions", id_), ""),
                signature,
                self.default(declaration, signature),
                *self._joined(declaration.combine, amendments.get(id_, [])),
            )
        return found

    def _instead(self, name: str) -> str:
        """A hint for the name of something else that an amendment gives; empty for other names."""
        environment = self.bodies.environment
        if name in FUNCTION or name in SPOKEN_VERB:
            return "docs/reference/what-rules-cannot-do.md has what to do instead"
        if name in environment.events:
            return f"`{name}` is an event: `on: {name}(...)` reacts to it"
        if name in environment.procedures:
            return f"`{name}` is a procedure: a patch with `replace:` gives it other effects"
        if name in environment.values:
            return f"`{name}` is a value: a patch with `set:` changes it"
        return ""

    def _joined(
        self, combine: m.Combine, amendments: list[LinkedAmendment]
    ) -> tuple[LinkedAmendment, ...]:
        """The amendments of a definition in evaluation order."""
        if combine == m.Combine.UNION:
            # this is the order of the union's members: neither ids nor local names may decide it
            by_text = sorted(amendments, key=lambda a: (a.printed.neutral, a.rule.head.id))
            return tuple(sorted(by_text, key=lambda a: a.when is not None))
        if combine == m.Combine.CHAIN:
            return self.bodies.in_order(amendments)
        # evaluate amendments with precedence first
        above: dict[str, list[str]] = {}
        for amendment in amendments:
            for other in amendment.rule.head.over:
                above.setdefault(other, []).append(amendment.rule.head.id)
        ordered, looped = sorted_after(
            amendments, lambda a: a.rule.head.id, lambda a: above.get(a.rule.head.id, ())
        )
        if looped:
            self.bodies.looped(looped, "over")
        return tuple(ordered)

    def check_alone(self, rule: m.Amendment) -> None:
        """Check an amendment of an unknown definition for other errors."""
        bodies = self._seen_by(rule)
        scope = bodies.scope(tuple((name, UNKNOWN) for name in rule.parameters), rule.head.span)
        _, inner = bodies.condition(rule.head.when, scope)
        node = parse_expression(rule.value, bodies.reporter)
        if node is not None:
            bodies.ask.expression(node, inner)

    def _seen_by(self, rule: m.Rule) -> Bodies:
        return self.bodies.of(rule, self.bodies.g.origin["rules", rule.head.id])

    def default(self, declaration: m.DefinitionDecl, signature: Signature) -> t.Expression | None:
        """The default of a definition, if it has one without errors."""
        if declaration.default is None:
            return None
        code = declaration.default
        origin = self.bodies.g.origin["definitions", declaration.id]
        bodies = self.bodies.of(declaration, origin)

        def typed() -> t.Expression | None:
            node = parse_expression(code, bodies.reporter)
            if node is None:
                return None
            assert signature.result is not None
            scope = bodies.scope(signature.parameters, declaration.span)
            return bodies.ask.wanted(node, scope, signature.result, f"`{declaration.id}`")

        return bodies.typed(declaration, signature, typed)

    def amendment(self, rule: m.Amendment, declaration: m.DefinitionDecl) -> LinkedAmendment | None:
        """A rule that amends a definition; None if it has errors."""
        signature = self.bodies.environment.definitions[rule.definition]
        parameters = self.bodies.named(rule.definition, rule.parameters, signature, rule.head.place)
        if parameters is None:
            return None
        if declaration.combine == m.Combine.ITEMS and not rule.item:
            message = f"an amendment of `{rule.definition}` needs `item:`, the name of its points"
            self.bodies.reporter.error("TW718", message, rule.head.place)
        if declaration.combine not in (m.Combine.ITEMS, m.Combine.CHAIN) and rule.item:
            message = f"`{rule.definition}` does not list items, so `item:` has no effect here"
            self.bodies.reporter.error("TW718", message, m.place_in(rule.head, "item"))
        for other in rule.head.over:
            if other not in self.bodies.g.rules:
                self.bodies.unknown_rule(other, rule.head, "over")
        for other in rule.head.after if declaration.combine == m.Combine.CHAIN else ():
            if other not in self.bodies.g.rules:
                self.bodies.unknown_rule(other, rule.head, "after")
        key = "after" if rule.head.after else "before"
        if (rule.head.after or rule.head.before) and declaration.combine != m.Combine.CHAIN:
            message = (
                f"`{key}` has no effect on an amendment: `combine` of its definition joins them"
            )
            hint = "write `over` where one amendment takes precedence over another"
            self.bodies.reporter.error("TW737", message, m.place_in(rule.head, key), hint=hint)
        ruleset = self.bodies.g.origin["rules", rule.head.id]
        names = tuple(name for name, _ in parameters)
        bodies = self._seen_by(rule)

        def typed() -> LinkedAmendment | None:
            scope = bodies.scope(parameters, rule.head.span)
            case = own_case(rule, names, declaration.combine, bodies.reporter)
            if case is None:
                return None
            when, inner = bodies.condition_of(case.when, scope)
            assert signature.result is not None
            what = f"`{rule.definition}`"
            value = bodies.ask.wanted(case.value, inner, signature.result, what)
            local = bound({}, *names)
            text = head_printed(rule, local) + code_printed(rule.value, local)
            if case.is_never:
                own = tuple(name for name, _ in signature.parameters)
                return LinkedAmendment(rule, ruleset, own, NEVER, _any_value(signature), text)
            return LinkedAmendment(rule, ruleset, names, when, value, text)

        return bodies.typed(rule, (ruleset, signature), typed)


def _any_value(signature: Signature) -> t.Expression:
    """A value of the type of a definition, for an amendment that never gives one."""
    type_ = signature.result
    assert type_ is not None
    if type_.many:
        return t.SetOf((), type_, NOWHERE)
    value = {"number": 0, "truth": False}.get(type_.base)
    return t.Literal(value, type_ if value is not None else NOTHING, NOWHERE)


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
