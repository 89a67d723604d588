"""Computes the parts of a match that a body may read and write, directly or through other rules.

It follows procedures, announced events, events that verbs announce, actions that a step offers, and
definitions, including those that primitives evaluate by themselves. It ends only
without call cycles; `termination` checks this first. Figures, tokens and stacks are distinguished
by kind, as far as `rules/analysis/members.py` can; owners and numbers are ignored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tilewright.language import builtins as p
from tilewright.language.types import IN_STACK
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.members import NOBODY, Box, Ids, Members, Scope, scope_of
from tilewright.rules.linking.game import (
    LinkedAction,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
)

#: a part of a match: (`figures`, kind), (`tokens`, token), (`stacks`, stack), (`memory`, id), or
#: one without members, such as (`points`, "")
Part = tuple[str, str]

POINTS: Part = ("points", "")
BOARD: Part = ("board", "")
POSITIONS: Part = ("positions", "")
#: a choice; a random draw, which later choices may depend on; the end of the game
CHOICE: Part = ("choice", "")
CHANCE: Part = ("chance", "")
END: Part = ("end", "")
END_AT_ONCE: Part = ("end", "at once")

#: memory that a rule only adds a number to: two additions commute
ADDED = "added"

#: placeholder for the companions that leaving figures release, until all of these are known
_COMPANY = "company"
#: quantifiers that ignore the members excluded by their body
_PICKING = ("those", "any", "count")


@dataclass(frozen=True, slots=True)
class AccessSets:
    """The parts of a match that something may read, and the parts that it may write."""

    reads: frozenset[Part]
    writes: frozenset[Part]


#: expressions without parts that read nothing
_SILENT = frozenset((t.Local, t.Literal, t.Constant))
_NOTHING = AccessSets(frozenset(), frozenset())


class _Found:
    def __init__(self) -> None:
        self.reads: set[Part] = set()
        self.writes: set[Part] = set()

    def add(self, access_sets: AccessSets) -> None:
        """Add the reads and writes of another body."""
        self.reads |= access_sets.reads
        self.writes |= access_sets.writes

    def access_sets(self) -> AccessSets:
        """The reads and writes so far."""
        return AccessSets(frozenset(self.reads), frozenset(self.writes))


class SideEffects:
    """Computes the side effects of the rules of one game; each body is analysed once."""

    def __init__(
        self,
        steps: Sequence[LinkedStep],
        definitions: Mapping[str, LinkedDefinition],
        events: Mapping[str, LinkedEvent],
        procedures: Mapping[str, LinkedRule],
        box: Box,
    ) -> None:
        self._definitions = definitions
        self._events = events
        self._procedures = procedures
        self._actions = {r.id: step.actions for step in steps for r in step.rules}
        self._members = Members(box, definitions)
        self._all_figures = self._members.all_of("figure")
        self._bodies: dict[tuple[str, tuple[Ids, ...]], AccessSets] = {}
        self._amendments: dict[tuple[str, tuple[Ids, ...], Ids], frozenset[Part]] = {}
        #: by kind of figure: the kinds that some rule attaches to it
        self._attached: dict[str, Ids] = {}
        #: the kinds that some rule puts on a segment
        self._standing: set[str] = set()
        self._whole: dict[str, AccessSets] = {}
        self._steps = steps
        self._has_learned = False
        self._is_learning = False  # only verbs matter, and nothing that is read

    def _learn(self) -> None:
        """Find the figures that rules attach and put on segments; most games never need it."""
        self._has_learned = self._is_learning = True
        for step in self._steps:
            for rule in step.rules:
                self._in(rule)  # this visits every body, so afterwards every `attach` is known
        self._is_learning = False
        self._bodies.clear()
        self._amendments.clear()
        if self._attached or self._standing != self._all_figures:
            self._members.learn(frozenset(self._standing), self._attached)

    def of(self, rule: LinkedRule) -> AccessSets:
        """The side effects of a rule."""
        if not self._has_learned:
            self._learn()
        if rule.id not in self._whole:
            found = self._in(rule)
            left = {part for part in found.writes if part[0] == _COMPANY}
            parted = {c for _, figure in left for c in self._attached.get(figure, ())}
            freed = {("companions", companion) for companion in parted}
            self._whole[rule.id] = AccessSets(found.reads, (found.writes - left) | freed)
        return self._whole[rule.id]

    def _in(self, rule: LinkedRule | LinkedAction, given: tuple[Ids, ...] = ()) -> AccessSets:
        """Like `of`, with `_COMPANY`; `given` holds the known members of the parameters."""
        key = (rule.id, given)
        if key not in self._bodies:
            self._bodies[key] = self._of(rule, given)
        return self._bodies[key]

    def reads_of(self, term: t.Expression | None) -> frozenset[Part]:
        """The parts that a condition reads."""
        if not self._has_learned:
            self._learn()
        return frozenset() if term is None else frozenset(self._reads(term, {}))

    def _of(self, rule: LinkedRule | LinkedAction, given: tuple[Ids, ...]) -> AccessSets:
        found = _Found()
        scope: Scope = {}
        if isinstance(rule, LinkedRule):
            scope = scope_of((name for name, _ in rule.parameters), given)
        if rule.when is not None:
            found.reads |= self._reads(rule.when, scope)
            if self._members.never(rule.when, scope):
                return _NOTHING
            scope = self._members.where(rule.when, scope)
        if isinstance(rule, LinkedAction):
            for name, source in rule.offer:
                found.reads |= self._reads(source, scope)
                scope = {**scope, name: self._members.of(source, scope)}
            if rule.where is not None:
                found.reads |= self._reads(rule.where, scope)
                scope = self._members.where(rule.where, scope)
        changing = _set_again(rule.effects)
        scope = {name: ids for name, ids in scope.items() if name not in changing}
        self._body(rule.effects, scope, changing, rule.id, found)
        return found.access_sets()

    # -------------------------------------------------------------- effects

    def _body(
        self, body: t.Body, scope: Scope, changing: frozenset[str], rule: str, found: _Found
    ) -> None:
        """Add the side effects of a block. A name that is set again may have any member."""
        here = dict(scope)
        members = self._members

        def block(inside: t.Body, inner: Scope) -> None:
            self._body(inside, inner, changing, rule, found)

        for effect in body:
            only = self._matter(effect, here)
            for number, part in enumerate(() if self._is_learning else t.children(effect)):
                found.reads |= self._reads(part, here, None if number else only)
            self._effect(effect, here, rule, found)
            match effect:
                case t.Let(name, value) if name not in changing:
                    here[name] = members.of(value, here)
                case t.For(name, source, inside):
                    block(
                        inside, {**here, name: members.of(source, here) if only is None else only}
                    )
                case t.Choose(_, name, source, _, _, inside, otherwise):
                    block(inside, {**here, name: members.of(source, here)})
                    block(otherwise, here)
                case t.If(test, then, otherwise):
                    for inside, holds in ((then, True), (otherwise, False)):
                        if not members.never(test, here, holds):
                            block(inside, members.where(test, here, holds))
                case t.Repeat(_, inside):
                    block(inside, here)

    def _matter(self, effect: t.Effect, scope: Scope) -> Ids | None:
        """For a loop over figures that contains one `if`: the figures for which it may hold."""
        match effect:
            case t.For(name, source, (t.If(test, _, ()),)) if source.type.base == "figure":
                here = {**scope, name: self._members.of(source, scope)}
                if self._members.never(test, here):
                    return NOBODY
                return self._members.where(test, here)[name]
        return None

    def _effect(self, effect: t.Effect, scope: Scope, rule: str, found: _Found) -> None:
        """Add the side effects of one effect and what it sets off, without parts and blocks."""
        members = self._members
        match effect:
            case t.Add(t.Target("memory", name)) | t.Drop(t.Target("memory", name)):
                found.reads.add(("memory", name))
                found.writes.add(("memory", name))
            case t.Choose():
                found.writes.add(CHOICE)
            case t.Draw(_, stack):
                stacks = {("stacks", id_) for id_ in members.of(stack, scope)}
                found.reads |= stacks
                found.writes |= stacks | {CHANCE}
            case t.DrawMembers():
                found.writes.add(CHANCE)
            case t.Offer():
                found.writes.add(CHOICE)
                for definition in p.OFFER_EVALUATES:
                    found.reads |= self._amendment(definition, (), self._all_figures)
                for action in self._actions.get(rule, ()):
                    found.add(self._in(action))
            case t.ProcedureCall(procedure, arguments):
                given = tuple(members.of(part, scope) for part in arguments)
                if procedure in self._procedures:
                    found.add(self._in(self._procedures[procedure], given))
            case t.EndGame(at_once):
                found.writes.add(END_AT_ONCE if at_once else END)
            case t.Verb():
                self._verb(effect, scope, found)
        event, arguments = t.announcement(effect)
        if event:
            self._announce(event, arguments, scope, found)
        target = t.target_of(effect)
        if target is not None and target.place == "memory":
            adds = isinstance(effect, t.Assign) and effect.adds
            found.writes.add((ADDED if adds else "memory", target.name))

    def _announce(
        self, event: str, arguments: Iterable[t.Expression], scope: Scope, found: _Found
    ) -> None:
        given = tuple(self._members.of(each, scope) for each in arguments)
        if event in self._events:
            for reaction in self._events[event].reactions:
                found.add(self._in(reaction, given))

    def _verb(self, effect: t.Verb, scope: Scope, found: _Found) -> None:
        verb, members, operand = effect.verb, self._members, effect.operand
        moved = members.of(operand, scope)
        for changed in verb.changes:
            if changed == "figures":
                found.writes |= {("figures", id_) for id_ in moved}
            elif changed == "stacks":
                # a stack gains or loses pieces, and their order matters
                stacks = (part for part in t.children(effect) if part.type.one in IN_STACK)
                named = {("stacks", id_) for part in stacks for id_ in members.of(part, scope)}
                found.reads |= named
                found.writes |= named
            elif changed == "tokens":
                tokens = {("tokens", id_) for id_ in moved}
                found.reads |= tokens  # a token is given only if there is one
                found.writes |= tokens
            else:
                found.writes.add((changed, ""))
        if "figures" in verb.changes and verb != p.FACE:
            # a leaving figure is detached, and its own companions are too
            found.writes |= {("companions", id_) for id_ in moved & members.companions}
            found.writes |= {(_COMPANY, id_) for id_ in moved}
        if verb == p.MOVE and effect.arguments[0].type.base == "segment":
            self._standing |= moved
        if verb == p.ATTACH:
            for host in members.of(effect.arguments[0], scope):
                self._attached[host] = self._attached.get(host, frozenset()) | moved

    # -------------------------------------------------------------- expressions

    def _reads(self, node: t.Expression, scope: Scope, only: Ids | None = None) -> set[Part]:
        """The parts that an expression reads; of a set of figures at most those in `only`."""
        if self._is_learning or type(node) in _SILENT:
            return set()
        members = self._members
        wanted = self._all_figures if only is None else only
        inner: dict[int, Ids | None] = {}  # by index of a part: the figures that matter in it
        match node:
            case t.Restriction(whole, owner):
                found = self._reads(owner, scope)
                if _reads_of_test("of", whole, owner):
                    found.add(("kinds", ""))
                return found | self._reads(whole, scope, wanted & members.named(owner, scope))
            case t.Quantifier():
                return self._quantifier_reads(node, scope, wanted)
            case t.And(parts) | t.Or(parts):
                found, known = set[Part](), dict(scope)
                for part in parts:
                    found |= self._reads(part, known)
                    known = members.where(part, known, isinstance(node, t.And))
                return found
            case t.DefinitionCall(id_, arguments):
                given = tuple(members.of(argument, scope) for argument in arguments)
                found = set(self._amendment(id_, given, wanted))
            case _:
                found = self._read_by(node, scope, wanted)
        match node:
            case t.Conditional() | t.SetOf():
                inner = dict.fromkeys(range(len(t.children(node))), only)
            case t.Membership(member, whole) if whole.type.base == "figure":
                inner = {1: members.of(member, scope)}
        for number, part in enumerate(t.children(node)):
            found |= self._reads(part, scope, inner.get(number))
        return found

    def _quantifier_reads(self, node: t.Quantifier, scope: Scope, wanted: Ids) -> set[Part]:
        members, source, body, variable = self._members, node.source, node.body, node.variable
        inner = {**scope, variable: members.of(source, scope)}
        left = self._all_figures
        if source.type.base == "figure" and node.kind in _PICKING:
            inner[variable] &= wanted if node.kind == "those" else left
            left = NOBODY
            if not members.never(body, inner):
                left = inner[variable] = members.where(body, inner)[variable]
        return self._reads(source, scope, left) | self._reads(body, inner)

    def _read_by(self, node: t.Expression, scope: Scope, wanted: Ids) -> set[Part]:
        """The parts of a match that an expression reads by itself, without its operands."""
        states: p.Reads = ()
        figures = wanted
        tokens: Ids = NOBODY
        found: set[Part] = set()
        match node:
            case t.Memory(id_):
                return {("memory", id_)}
            case t.Printed(owner):
                read = {"feature": BOARD, "tile": POSITIONS}.get(owner.type.base)
                return set() if read is None else {read}
            case t.Global(builtin):
                states = builtin.reads
            case t.Attribute(owner, attribute):
                states = attribute.reads
                if attribute.owner == "figure":
                    figures = self._members.of(owner, scope)
                elif attribute.owner == "player":
                    figures = wanted & self._members.owned
                elif attribute.owner in ("feature", "segment"):
                    figures = wanted & self._members.standing
            case t.IsKind(thing, kind):
                states = _reads_of_test("is", thing, kind)
            case t.BuiltinCall(function, arguments):
                states = function.reads
                if function == p.HOLDS:
                    tokens = self._members.of(arguments[1], scope)
                elif function == p.COUNT:
                    found = self._contents(arguments[0], scope)
            case t.PiecesIn(looked_into) | t.IsEmpty(looked_into):
                found = self._contents(looked_into, scope)
        for state in states:
            if state in ("figures", "companions"):
                found |= {(state, id_) for id_ in figures}
            elif state == "tokens":
                found |= {(state, id_) for id_ in tokens}
            else:
                found.add(("memory", state) if state == "active" else (state, ""))
        implied = t.implied_by(node)
        if implied:
            found |= self._amendment(implied, (), self._all_figures)
        return found

    def _contents(self, stack: t.Expression, scope: Scope) -> set[Part]:
        """The stacks whose content is read, if the node is a stack and not a set."""
        if stack.type not in IN_STACK:
            return set()
        return {("stacks", id_) for id_ in self._members.of(stack, scope)}

    def _amendment(self, id_: str, given: tuple[Ids, ...], wanted: Ids) -> frozenset[Part]:
        """The parts that the value of a definition reads."""
        key = (id_, given, wanted)
        if key not in self._amendments:
            definition = self._definitions[id_]
            found = set[Part]()
            if definition.default is not None:
                scope = scope_of((name for name, _ in definition.parameters), given)
                found |= self._reads(definition.default, scope, wanted)
            for amendment in definition.amendments:
                scope = scope_of(amendment.parameters, given)
                if amendment.when is not None:
                    found |= self._reads(amendment.when, scope)
                    if self._members.never(amendment.when, scope):
                        continue
                    scope = self._members.where(amendment.when, scope)
                found |= self._reads(amendment.value, scope, wanted)
            self._amendments[key] = frozenset(found)
        return self._amendments[key]


def _set_again(body: t.Body) -> frozenset[str]:
    """The local names that a body assigns again after their `let`."""
    targets = (t.target_of(effect) for effect in t.walk_effects(body))
    return frozenset(each.name for each in targets if each is not None and each.place == "local")


def kinds_moved(
    body: t.Body, verbs: Collection[p.VerbDecl], kinds: Mapping[str, str] | None = None
) -> set[str]:
    """The figure kinds to which a body applies one of these verbs; "" when a kind is unknown.

    `kinds` has the kinds of local names.
    """
    found: set[str] = set()
    kinds = kinds or {}
    for effect in body:
        inner = kinds
        match effect:
            case t.Verb(verb, t.Constant(_, kind)) if verb in verbs:
                found.add(kind)
            case t.Verb(verb, operand) if verb in verbs:
                found.add(kinds.get(operand.name, "") if isinstance(operand, t.Local) else "")
            case t.For(name, source) | t.Choose(_, name, source):
                inner = {**kinds, name: _kind_of_each(source)}
        for block in t.blocks(effect):
            found |= kinds_moved(block, verbs, inner)
    return found


def _kind_of_each(source: t.Expression) -> str:
    """The only figure kind in a set, if the expression names it; else ""."""
    match source:
        case t.Quantifier("those" | "most" | "least", _, inner):
            return _kind_of_each(inner)
        case t.Restriction(_, t.Constant("figure kind", kind)):
            return kind
        case t.Restriction(whole):
            return _kind_of_each(whole)
    return ""


def _reads_of_test(word: Literal["is", "of"], thing: t.Expression, mark: t.Expression) -> p.Reads:
    """The parts of a match that a test of a kind reads: roles depend on the kinds of features."""
    row = p.RELATION.get((word, thing.type.base, mark.type.base))
    return row.reads if row is not None else ()
