"""Rulesets and options to one Game. Reads like a table of contents; each part lives one call away.

Every complaint is reported; nothing is run. The order in which rulesets are given never matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from tilewright.language.check import ExpressionChecker, Scope, facts
from tilewright.language.check_effects import EffectChecker
from tilewright.language.names import Constant, Names, Signature
from tilewright.language.parse import parse_effects, parse_expression
from tilewright.language.primitives import (
    BUILTIN_DEFINITIONS,
    BUILTIN_EVENTS,
    FUNCTION,
    GLOBAL,
    RESERVED,
)
from tilewright.language.printer import print_effects, print_expression
from tilewright.language.terms import Term
from tilewright.language.types import (
    BASES,
    NUMBER,
    TRUTH,
    UNKNOWN,
    Type,
    fits,
    in_words,
    parse_type,
)
from tilewright.linking import circles, conflicts
from tilewright.linking.digest import digest
from tilewright.linking.game import (
    Deeds,
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedMemory,
    LinkedRule,
    LinkedStep,
    LinkedValue,
)
from tilewright.linking.gather import Gathered, gather
from tilewright.linking.order import inserted, sorted_after
from tilewright.linking.select import Load, Selection, select, split_game
from tilewright.model import ruleset as m
from tilewright.reading.tile_checks import check_tiles, with_ports
from tilewright.source.diagnostics import Note, Reporter, did_you_mean
from tilewright.source.text import NOWHERE, Code, Span

_DIRECTIONS = ("north", "east", "south", "west")


def link_game(text: str, options: Mapping[str, str], load: Load, reporter: Reporter) -> Game | None:
    """The game that a text such as `first/base+first/more` names; None after reporting why not."""
    selection = select(split_game(text), options, load, reporter)
    return None if selection is None else link(selection, reporter)


def link(selection: Selection, reporter: Reporter) -> Game | None:
    """Join the selected rulesets; None when anything is wrong."""
    gathered = gather(selection, reporter)
    return _Linker(selection, gathered, reporter).game()


class _Linker:
    def __init__(self, selection: Selection, gathered: Gathered, reporter: Reporter) -> None:
        self.selection = selection
        self.g = gathered
        self.reporter = reporter
        self.names = self._names()
        self.ask = ExpressionChecker(self.names, reporter)

    def game(self) -> Game | None:
        pieces = self._pieces()
        self._check_pieces()
        values = self._values()
        definitions = self._definitions()
        procedures, events, step_rules, actions = self._rules()
        steps = self._steps(step_rules, actions)
        conflicts.check_amendments(definitions.values(), self.reporter)
        conflicts.check_order(steps, events.values(), procedures, self.reporter)
        circles.check(definitions, procedures, events, self.reporter)
        if self.reporter.has_errors:
            return None
        live = self._live(steps, definitions, events, procedures)
        conflicts.check_ways_home(
            steps, events.values(), procedures.values(), self.g.figures.values(), self.reporter
        )
        least = _number(values, "players.least", 2)
        most = _number(values, "players.most", 6)
        return Game(
            id=self.selection.id,
            rulesets=self.selection.rulesets,
            options=tuple(sorted(self.selection.options.items())),
            hash=digest(self.g, self.selection.options, steps, definitions, events, procedures),
            names=self.names,
            features=tuple(self.g.features[k] for k in sorted(self.g.features)),
            symbols=tuple(self.g.symbols[k] for k in sorted(self.g.symbols)),
            figures=tuple(self.g.figures[k] for k in sorted(self.g.figures)),
            roles=tuple(self.g.roles[k] for k in sorted(self.g.roles)),
            traits=self._traits(),
            stacks=tuple(self.g.stacks[k] for k in sorted(self.g.stacks)),
            pieces=pieces,
            seats=self.g.seats,
            values=MappingProxyType(values),
            memory=self._memory(),
            steps=steps,
            definitions=MappingProxyType(definitions),
            events=MappingProxyType(events),
            procedures=MappingProxyType(procedures),
            patches=tuple(self.g.patches),
            live=live,
            players_least=least,
            players_most=min(most, len(self.g.seats)) if self.g.seats else most,
        )

    # -------------------------------------------------------------- names

    def _names(self) -> Names:
        g, constants = self.g, dict[str, Constant]()
        declared_at: dict[str, tuple[int, Span]] = {}
        self._check_words()

        def declare(name: str, type_: str, category: str, span: Span, table: str) -> None:
            depth = self._depth(table, name)
            if _is_word(name):
                message = f"`{name}` is a word of the language and cannot name a {category}"
                self.reporter.error("TW413", message, span)
            elif name in constants and constants[name].category != category:
                # the complaint belongs to whoever builds on the other
                places = sorted((declared_at[name], (depth, span)), key=lambda place: place[0])
                message = f"`{name}` names a {constants[name].category} and a {category}"
                note = Note(places[0][1], "the other one is here")
                self.reporter.error("TW728", message, places[1][1], notes=(note,))
            constants[name] = Constant(Type(type_), category, name)
            declared_at[name] = (depth, span)

        for i, name in enumerate(_DIRECTIONS):
            constants[name] = Constant(Type("direction"), "direction", str(i))
        for kind in g.features.values():
            declare(kind.id, "feature kind", "feature kind", kind.span, "features")
        for symbol in g.symbols.values():
            declare(symbol.id, "symbol", "symbol", symbol.span, "symbols")
        for figure in g.figures.values():
            if figure.owned or figure.count != 1:
                declare(figure.id, "figure kind", "figure kind", figure.span, "figures")
            else:
                declare(figure.id, "figure", "figure", figure.span, "figures")
            for trait in figure.traits:
                if trait not in constants:
                    declare(trait, "trait", "trait", figure.span, "figures")
        for role in g.roles.values():
            declare(role.id, "role", "role", role.span, "roles")
        for stack in g.stacks.values():
            declare(stack.id, "stack", "stack", stack.span, "stacks")
        for piece in g.pieces.values():
            declare(piece.id, "piece", "piece", piece.span, "pieces")
        self._check_roles()
        declared = frozenset(a.id for k in g.features.values() for a in k.attributes)
        return Names(
            constants=constants,
            values={v.id: self._type(v.type, v.span) for v in g.values.values()},
            memory={x.id: self._type(x.type, x.span) for x in g.memory.values()},
            definitions={
                **{
                    name: Signature(self._typed(parameters), parse_type(result))
                    for name, parameters, result, _, _ in BUILTIN_DEFINITIONS
                },
                **{
                    d.id: Signature(self._parameters(d.parameters), self._type(d.type, d.span))
                    for d in g.definitions.values()
                },
            },
            events={
                **{name: Signature(self._typed(params)) for name, params, _ in BUILTIN_EVENTS},
                **{e.id: Signature(self._parameters(e.parameters)) for e in g.events.values()},
            },
            procedures={
                rule.declaration.id: Signature(self._parameters(rule.declaration.parameters))
                for rule in g.rules.values()
                if isinstance(rule, m.Procedure)
            },
            declared=declared,
        )

    def _type(self, text: str, span: Span) -> Type:
        found = parse_type(text)
        if found is None:
            known = [form for base in BASES for form in (base, f"set of {base}", f"{base}?")]
            message = f"`{text}` is no type{did_you_mean(text, known)}"
            self.reporter.error("TW726", message, span)
        return found or UNKNOWN

    def _depth(self, table: str, id_: str) -> int:
        """How many rulesets stand below the one that declares something."""
        return self.selection.depth.get(self.g.origin.get((table, id_), ""), 0)

    def _check_words(self) -> None:
        """Report what is declared under a name that the language has for itself."""
        g = self.g
        questions = {name for name, *_ in BUILTIN_DEFINITIONS}
        events = {name for name, *_ in BUILTIN_EVENTS}
        for category, things, taken in (
            ("value", g.values.values(), frozenset[str]()),
            ("memory", g.memory.values(), frozenset[str]()),
            ("definition", g.definitions.values(), questions),
            ("event", g.events.values(), events),
        ):
            for thing in things:
                if _is_word(thing.id) or thing.id in taken:
                    message = f"`{thing.id}` is a word of the language and cannot name "
                    message += "an event" if category == "event" else f"a {category}"
                    self.reporter.error("TW413", message, thing.span)

    def _typed(self, parameters: Sequence[tuple[str, str]]) -> tuple[tuple[str, Type], ...]:
        return tuple((name, parse_type(text) or UNKNOWN) for name, text in parameters)

    def _parameters(self, parameters: Sequence[m.Parameter]) -> tuple[tuple[str, Type], ...]:
        return tuple((p.name, self._type(p.type, p.span)) for p in parameters)

    def _traits(self) -> tuple[str, ...]:
        return tuple(sorted({t for f in self.g.figures.values() for t in f.traits}))

    def _check_roles(self) -> None:
        for role in self.g.roles.values():
            if role.on not in self.g.features:
                message = f"role `{role.id}` is on an unknown kind of feature `{role.on}`"
                self.reporter.error(
                    "TW727", message + did_you_mean(role.on, self.g.features), role.span
                )
            for figure in role.figures:
                if figure not in self.g.figures:
                    message = f"role `{role.id}` is for an unknown figure `{figure}`"
                    known = did_you_mean(figure, self.g.figures)
                    self.reporter.error("TW727", message + known, role.span)
        holders = [s for s in self.g.stacks.values() if s.holds == "tiles"]
        if self.g.pieces and len(holders) != 1:
            span = holders[1].span if holders else next(iter(self.g.pieces.values())).span
            found = f"{len(holders)} do" if holders else "none does"
            message = f"exactly one stack must say `holds: tiles`, but {found}"
            self.reporter.error("TW735", message, span)

    # -------------------------------------------------------------- tiles

    def _pieces(self) -> tuple[m.PieceKind, ...]:
        kinds = self.g.features
        return tuple(
            with_ports(self.g.pieces[id_], kinds, self.reporter) for id_ in sorted(self.g.pieces)
        )

    def _check_pieces(self) -> None:
        pieces = tuple(self.g.pieces.values())
        check_tiles(pieces, self.g.features, tuple(self.g.symbols.values()), self.reporter)
        for piece in pieces:
            if piece.stack and piece.stack not in self.g.stacks:
                message = f"unknown stack `{piece.stack}`{did_you_mean(piece.stack, self.g.stacks)}"
                self.reporter.error("TW305", message, piece.span)

    # -------------------------------------------------------------- values and memory

    def _values(self) -> dict[str, LinkedValue]:
        found: dict[str, LinkedValue] = {}
        # a value is a number, a truth or a name: it may use no other value
        plain = ExpressionChecker(
            Names(self.names.constants, {}, {}, {}, {}, {}, frozenset()), self.reporter
        )
        for id_, declaration in sorted(self.g.values.items()):
            type_ = self.names.values[id_]
            code = Code(declaration.value, declaration.span.file, declaration.span.line, 1, 0)
            quiet = Reporter()
            node = parse_expression(code, quiet)
            if node is None:
                message = f"`{declaration.value}` is no value for `{id_}`"
                self.reporter.error("TW725", message, declaration.span)
                continue
            checker = ExpressionChecker(plain.names, quiet)
            term = checker.expression(node, Scope())
            if quiet.has_errors or not fits(term.type, type_):
                known = [n for n, c in self.names.constants.items() if c.type == type_]
                message = f"`{id_}` must be {in_words(type_)}, and `{declaration.value}` is none"
                guess = did_you_mean(declaration.value, known)
                self.reporter.error("TW725", message + guess, declaration.span)
            history = tuple(self.g.value_history[id_])
            found[id_] = LinkedValue(declaration, type_, term, history)
        return found

    def _memory(self) -> tuple[LinkedMemory, ...]:
        return tuple(
            LinkedMemory(self.g.memory[id_], self.names.memory[id_])
            for id_ in sorted(self.g.memory)
        )

    # -------------------------------------------------------------- definitions

    def _definitions(self) -> dict[str, LinkedDefinition]:
        declared = dict(self.g.definitions)
        for name, params, result, law, doc in BUILTIN_DEFINITIONS:
            parameters = tuple(m.Parameter(n, t, NOWHERE) for n, t in params)
            declared.setdefault(
                name,
                m.DefinitionDecl(name, parameters, result, m.Law(law), doc, None, NOWHERE),
            )
        for memory in self.g.memory.values():
            type_ = self.names.memory[memory.id]
            if not (type_.optional or type_.many or type_.base in ("number", "truth", "unknown")):
                message = f"memory `{memory.id}` begins as nothing: its type must be `{type_}?`"
                self.reporter.error("TW734", message, memory.span)
        answers: dict[str, list[LinkedAmendment]] = {}
        for rule in self.g.rules.values():
            if isinstance(rule, m.Amendment):
                if rule.definition not in declared:
                    message = f"there is no definition `{rule.definition}` to amend"
                    message += did_you_mean(rule.definition, declared)
                    self.reporter.error("TW716", message, rule.head.place)
                    continue
                linked = self._amendment(rule, declared[rule.definition])
                if linked is not None:
                    answers.setdefault(rule.definition, []).append(linked)
        found: dict[str, LinkedDefinition] = {}
        for id_, declaration in sorted(declared.items()):
            signature = self.names.definitions[id_]
            assert signature.result is not None
            self._check_law(declaration, signature.result)
            ordered, looped = sorted_after(
                answers.get(id_, []),
                lambda a: a.rule.head.id,
                # what takes precedence is asked first
                lambda a: (
                    o.rule.head.id
                    for o in answers[a.rule.definition]
                    if a.rule.head.id in o.rule.head.over
                ),
            )
            if looped:
                self._looped(looped, "over", ordered[0].rule.head.span)
            found[id_] = LinkedDefinition(
                declaration,
                self.g.origin.get(("definitions", id_), ""),
                signature.parameters,
                signature.result,
                self._otherwise(declaration, signature),
                tuple(ordered),
            )
        return found

    def _check_law(self, declaration: m.DefinitionDecl, type_: Type) -> None:
        law = declaration.law
        wanted = {
            m.Law.SUM: type_ == NUMBER,
            m.Law.ITEMS: type_ == NUMBER,
            m.Law.MAX: type_ == NUMBER,
            m.Law.ALL: type_ == TRUTH,
            m.Law.ANY: type_ == TRUTH,
            m.Law.UNION: type_.many,
            m.Law.ONE: True,
        }
        if not wanted[law] and type_ != UNKNOWN:
            message = f"the law `{law}` does not suit such answers: each is {in_words(type_)}"
            self.reporter.error("TW730", message, declaration.span)
        needs = law == m.Law.ONE and not (type_.optional or type_.many)
        if needs and declaration.otherwise is None and declaration.span != NOWHERE:
            message = f"`{declaration.id}` needs `otherwise:`, for when no amendment holds"
            self.reporter.error("TW736", message, declaration.span)

    def _otherwise(self, declaration: m.DefinitionDecl, signature: Signature) -> Term | None:
        if declaration.otherwise is None:
            return None
        node = parse_expression(declaration.otherwise, self.reporter)
        if node is None:
            return None
        assert signature.result is not None
        scope = self._scope(signature.parameters, declaration.span)
        return self.ask.wanted(node, scope, signature.result, f"`{declaration.id}`")

    def _amendment(
        self, rule: m.Amendment, declaration: m.DefinitionDecl
    ) -> LinkedAmendment | None:
        signature = self.names.definitions[rule.definition]
        own = tuple(name for name, _ in signature.parameters)
        names = rule.parameters or own
        if len(names) != len(own):
            message = f"`{rule.definition}` is about ({', '.join(own)}), not ({', '.join(names)})"
            self.reporter.error("TW717", message, rule.head.place)
            return None
        if declaration.law == m.Law.ITEMS and not rule.item:
            message = f"an answer to `{rule.definition}` needs `item:`, the name its points go by"
            self.reporter.error("TW718", message, rule.head.span)
        if declaration.law != m.Law.ITEMS and rule.item:
            message = f"`{rule.definition}` is not itemised, so `item:` has no meaning here"
            self.reporter.error("TW718", message, rule.head.span)
        for other in rule.head.over:
            if other not in self.g.rules:
                self._unknown_rule(other, rule.head.span)
        types = tuple(type_ for _, type_ in signature.parameters)
        parameters = tuple(zip(names, types, strict=True))
        scope = self._scope(parameters, rule.head.span)
        when, inner = self._when(rule.head, scope)
        node = parse_expression(rule.value, self.reporter)
        if node is None:
            return None
        assert signature.result is not None
        value = self.ask.wanted(node, inner, signature.result, f"`{rule.definition}`")
        text = self._when_text(rule.head) + print_expression(node)
        ruleset = self.g.origin["rules", rule.head.id]
        return LinkedAmendment(rule, ruleset, names, when, value, text)

    # -------------------------------------------------------------- rules

    def _rules(
        self,
    ) -> tuple[
        dict[str, LinkedRule],
        dict[str, LinkedEvent],
        dict[str, list[LinkedRule]],
        dict[str, list[LinkedAction]],
    ]:
        procedures: dict[str, LinkedRule] = {}
        reactions: dict[str, list[LinkedRule]] = {}
        steps: dict[str, list[LinkedRule]] = {}
        actions: dict[str, list[LinkedAction]] = {}
        for rule in self.g.rules.values():
            for other in rule.head.after:
                if other not in self.g.rules:
                    self._unknown_rule(other, rule.head.span)
            match rule:
                case m.Procedure():
                    signature = self.names.procedures[rule.declaration.id]
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
            id_: LinkedEvent(id_, signature.parameters, self._in_order(reactions.get(id_, [])))
            for id_, signature in sorted(self.names.events.items())
        }
        return dict(sorted(procedures.items())), events, steps, actions

    def _in_order(self, rules: list[LinkedRule]) -> tuple[LinkedRule, ...]:
        ordered, looped = sorted_after(rules, lambda r: r.id, lambda r: r.rule.head.after)
        if looped:
            self._looped(looped, "after", ordered[0].rule.head.span)
        return tuple(ordered)

    def _reaction(self, rule: m.Reaction) -> LinkedRule | None:
        signature = self.names.events.get(rule.event)
        if signature is None:
            message = f"unknown event `{rule.event}`{did_you_mean(rule.event, self.names.events)}"
            self.reporter.error("TW304", message, rule.head.place)
            return None
        own = tuple(name for name, _ in signature.parameters)
        names = rule.parameters or own
        if len(names) != len(own):
            message = f"`{rule.event}` is about ({', '.join(own)}), not ({', '.join(names)})"
            self.reporter.error("TW717", message, rule.head.place)
            return None
        types = [type_ for _, type_ in signature.parameters]
        return self._rule(rule, tuple(zip(names, types, strict=True)), at_step=False)

    def _rule(
        self,
        rule: m.StepRule | m.Reaction | m.Procedure,
        parameters: tuple[tuple[str, Type], ...],
        at_step: bool,
    ) -> LinkedRule | None:
        scope = self._scope(parameters, rule.head.span)
        when, inner = self._when(rule.head, scope)
        deeds, text = self._deeds(rule.do, inner, at_step)
        ruleset = self.g.origin["rules", rule.head.id]
        whole = self._when_text(rule.head) + text
        return None if deeds is None else LinkedRule(rule, ruleset, parameters, when, deeds, whole)

    def _action(self, rule: m.Action) -> LinkedAction | None:
        scope = Scope()
        when, scope = self._when(rule.head, scope)
        offer: list[tuple[str, Term]] = []
        texts: list[str] = []
        for name, code in rule.offer:
            node = parse_expression(code, self.reporter)
            if node is None:
                return None
            source = self.ask.source(node, scope)
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
        deeds, text = self._deeds(rule.do, scope, at_step=False)
        if deeds is None:
            return None
        whole = self._when_text(rule.head) + "; ".join([*texts, text])
        ruleset = self.g.origin["rules", rule.head.id]
        return LinkedAction(rule, ruleset, when, tuple(offer), where, deeds, whole)

    def _scope(self, parameters: tuple[tuple[str, Type], ...], span: Span) -> Scope:
        scope = Scope()
        for name, type_ in parameters:
            scope = self.ask.bind(name, type_, span, scope)
        return scope

    def _when(self, head: m.RuleHead, scope: Scope) -> tuple[Term | None, Scope]:
        if head.when is None:
            return None, scope
        node = parse_expression(head.when, self.reporter)
        if node is None:
            return None, scope
        return self.ask.condition(node, scope), scope.knowing(facts(node, True))

    def _when_text(self, head: m.RuleHead) -> str:
        if head.when is None:
            return ""
        node = parse_expression(head.when, Reporter())
        return "" if node is None else f"when {print_expression(node)}: "

    def _deeds(self, code: Code, scope: Scope, at_step: bool) -> tuple[Deeds | None, str]:
        effects = parse_effects(code, self.reporter)
        if effects is None:
            return None, ""
        return EffectChecker(self.ask, at_step).body(effects, scope), print_effects(effects)

    # -------------------------------------------------------------- steps

    def _known_step(self, step: str, span: Span) -> bool:
        if step in self.g.steps:
            return True
        message = f"unknown step `{step}`{did_you_mean(step, self.g.steps)}"
        self.reporter.error("TW712", message, span)
        return False

    def _steps(
        self, rules: Mapping[str, list[LinkedRule]], actions: Mapping[str, list[LinkedAction]]
    ) -> tuple[LinkedStep, ...]:
        found: list[LinkedStep] = []
        for phase in ("setup", "turn", "final"):
            found += self._phase(phase, rules, actions)
        return tuple(found)

    def _phase(
        self,
        phase: str,
        rules: Mapping[str, list[LinkedRule]],
        actions: Mapping[str, list[LinkedAction]],
    ) -> list[LinkedStep]:
        steps = [s for s in self.g.steps.values() if s.phase == phase]
        for step in steps:
            for other in (*step.after, *step.before):
                if other not in self.g.steps:
                    message = f"unknown step `{other}`{did_you_mean(other, self.g.steps)}"
                    self.reporter.error("TW712", message, step.span)
                elif self.g.steps[other].phase != phase:
                    theirs = self.g.steps[other].phase
                    message = f"`{step.id}` is a step of the {phase} phase,"
                    message += f" `{other}` of the {theirs} phase"
                    self.reporter.error("TW713", message, step.span)
        depth = self.selection.depth
        wishes = [(s.id, depth[self.g.origin["steps", s.id]], s.after, s.before) for s in steps]
        order, wrong = inserted(wishes)
        if wrong:
            names = ", ".join(f"`{name}`" for name in wrong)
            message = f"these steps cannot be put in order: {names}"
            # the complaint belongs to whoever builds on the others
            newest = max(sorted(wrong), key=lambda name: self._depth("steps", name))
            self.reporter.error("TW713", message, self.g.steps[newest].span)
        linked = []
        for id_ in order:
            offered = sorted(actions.get(id_, []), key=lambda a: a.id)
            here = self._in_order(rules.get(id_, []))
            self._check_offers(id_, here, offered)
            origin = self.g.origin["steps", id_]
            linked.append(LinkedStep(self.g.steps[id_], origin, here, tuple(offered)))
        return linked

    def _check_offers(
        self, step: str, rules: tuple[LinkedRule, ...], actions: Sequence[LinkedAction]
    ) -> None:
        from tilewright.language.terms import deeds_within

        offers = [d for r in rules for d in deeds_within(r.deeds) if d.op == "offer"]
        if actions and not offers:
            name = actions[0].rule.name
            message = f"`{name}` is never offered: no rule at step `{step}` says `offer actions`"
            self.reporter.error("TW731", message, actions[0].rule.head.span)
        if offers and not actions:
            message = f"there is nothing to offer: no action stands at step `{step}`"
            self.reporter.error("TW732", message, offers[0].span)
        names: dict[str, LinkedAction] = {}
        for action in actions:
            if action.rule.name in names:
                message = f"two actions at step `{step}` are called `{action.rule.name}`"
                self.reporter.error("TW729", message, action.rule.head.span)
            names[action.rule.name] = action

    # -------------------------------------------------------------- the rest

    def _unknown_rule(self, id_: str, span: Span) -> None:
        everywhere = {r.head.id for s in self.selection.rulesets for r in s.rules}
        if id_ in everywhere:
            return  # it is there under another option or with another ruleset
        message = f"unknown rule `{id_}`{did_you_mean(id_, self.g.rules)}"
        self.reporter.error("TW714", message, span)

    def _looped(self, ids: Sequence[str], word: str, span: Span) -> None:
        names = " -> ".join(f"`{id_}`" for id_ in (*ids, *ids[:1]))
        message = f"these rules wait for each other by `{word}:`: {names}"
        self.reporter.error("TW715", message, span)

    def _live(
        self,
        steps: Sequence[LinkedStep],
        definitions: Mapping[str, LinkedDefinition],
        events: Mapping[str, LinkedEvent],
        procedures: Mapping[str, LinkedRule],
    ) -> frozenset[str]:
        """Kinds of feature that figures stand on or that a rule names: the rest is scenery."""
        live = {role.on for role in self.g.roles.values()}
        for term in circles.all_terms(steps, definitions, events, procedures):
            if term.op == "constant":
                category, name = cast(tuple[str, str], term.data)
                if category == "feature kind":
                    live.add(name)
                elif category == "role":
                    live.add(self.g.roles[name].on)
        return frozenset(live)


def _is_word(name: str) -> bool:
    """Whether the language has a meaning for a name that no ruleset may change."""
    return name in RESERVED or name in GLOBAL or name in FUNCTION or name in _DIRECTIONS


def _number(values: Mapping[str, LinkedValue], name: str, default: int) -> int:
    value = values.get(name)
    return value.term.data if value is not None and isinstance(value.term.data, int) else default
