"""What a body may write and what it reads, through all that it sets off.

It follows procedures, announced events, the events that verbs announce by themselves, the actions
that a step offers, and the definitions that are evaluated, those that the language evaluates by
itself included (`dependencies.py`). All of this is in finitely many steps only where nothing goes
in a circle, which is made sure before. Figures, tokens and stacks are told apart by their kind as
far as `members.py` can see it; whose they are is not looked at, nor any number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.language.dependencies import (
    IMPLIED_BY_EFFECT,
    READ_BY_ATTRIBUTE,
    READ_BY_FUNCTION,
    READ_BY_GLOBAL,
    State,
    implied_by,
)
from tilewright.language.primitives import VERB
from tilewright.language.terms import Deed, Term, deeds_within
from tilewright.linking.game import (
    Deeds,
    LinkedAction,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
)
from tilewright.linking.members import NOBODY, Box, Ids, Members, Scope, scope_of

#: a part of a match: (`figures`, kind), (`tokens`, token), (`stacks`, stack), (`memory`, id), or
#: one that has no members, such as (`points`, "")
Part = tuple[str, str]

POINTS: Part = ("points", "")
BOARD: Part = ("board", "")
#: somebody chooses; a piece is drawn by chance, which who chooses later has seen; the game ends
CHOICE: Part = ("choice", "")
CHANCE: Part = ("chance", "")
END: Part = ("end", "")
END_AT_ONCE: Part = ("end", "at once")

#: in place of the companions that a figure of some kind lets go, until all of them are known
_COMPANY = "company"
#: quantifiers for which members do not matter that their body leaves out
_PICKING = ("those", "any", "count")


@dataclass(frozen=True, slots=True)
class Touch:
    """The parts of a match that something may read and those that it may write."""

    reads: frozenset[Part]
    writes: frozenset[Part]


_NOTHING = Touch(frozenset(), frozenset())


class _Found:
    def __init__(self) -> None:
        self.reads: set[Part] = set()
        self.writes: set[Part] = set()

    def add(self, touch: Touch) -> None:
        self.reads |= touch.reads
        self.writes |= touch.writes

    def touch(self) -> Touch:
        return Touch(frozenset(self.reads), frozenset(self.writes))


class Touches:
    """Answers about the rules of one game; each body is looked through once."""

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
        self._bodies: dict[tuple[str, tuple[Ids, ...]], Touch] = {}
        self._answers: dict[tuple[str, tuple[Ids, ...], Ids], frozenset[Part]] = {}
        #: by kind of figure: the kinds that some rule attaches to it
        self._attached: dict[str, Ids] = {}
        #: the kinds that some rule puts on a segment
        self._standing: set[str] = set()
        self._whole: dict[str, Touch] = {}
        rules = [rule for step in steps for rule in step.rules]
        for rule in rules:
            self._in(rule)  # from here everything is reached, so every `attach` is known then
        if self._attached or self._standing != self._all_figures:
            self._members.learn(frozenset(self._standing), self._attached)
            self._bodies.clear()
            self._answers.clear()
            for rule in rules:
                self._in(rule)

    def of(self, rule: LinkedRule) -> Touch:
        """What a rule touches."""
        if rule.id not in self._whole:
            found = self._in(rule)
            left = {part for part in found.writes if part[0] == _COMPANY}
            parted = {c for _, figure in left for c in self._attached.get(figure, ())}
            freed = {("companions", companion) for companion in parted}
            self._whole[rule.id] = Touch(found.reads, (found.writes - left) | freed)
        return self._whole[rule.id]

    def _in(self, rule: LinkedRule | LinkedAction, given: tuple[Ids, ...] = ()) -> Touch:
        """The same with `_COMPANY`; `given` is what its parameters stand for, where it is known."""
        key = (rule.id, given)
        if key not in self._bodies:
            self._bodies[key] = self._of(rule, given)
        return self._bodies[key]

    def reads_of(self, term: Term | None) -> frozenset[Part]:
        """What a condition reads."""
        return frozenset() if term is None else frozenset(self._reads(term, {}))

    def _of(self, rule: LinkedRule | LinkedAction, given: tuple[Ids, ...]) -> Touch:
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
        changing = _set_again(rule.deeds)
        scope = {name: ids for name, ids in scope.items() if name not in changing}
        self._body(rule.deeds, scope, changing, rule.id, found)
        return found.touch()

    # -------------------------------------------------------------- effects

    def _body(
        self, deeds: Deeds, scope: Scope, changing: frozenset[str], rule: str, found: _Found
    ) -> None:
        """Add what a block touches. Names that are set again may stand for anything."""
        here = dict(scope)
        members = self._members
        for deed in deeds:
            only = self._matter(deed, here)
            for number, term in enumerate(deed.terms):
                found.reads |= self._reads(term, here, None if number else only)
            self._deed(deed, here, rule, found)
            if deed.op == "let" and deed.data not in changing:
                here[str(deed.data)] = members.of(deed.terms[0], here)
            elif deed.op in ("for", "choose"):
                name = str(deed.data) if deed.op == "for" else deed.choice[1]
                inner = {**here, name: members.of(deed.terms[0], here) if only is None else only}
                self._body(deed.blocks[0], inner, changing, rule, found)
                for block in deed.blocks[1:]:
                    self._body(block, here, changing, rule, found)
            elif deed.op == "if":
                for block, holds in zip(deed.blocks, (True, False), strict=True):
                    if not members.never(deed.terms[0], here, holds):
                        inner = members.where(deed.terms[0], here, holds)
                        self._body(block, inner, changing, rule, found)
            else:
                for block in deed.blocks:
                    self._body(block, here, changing, rule, found)

    def _matter(self, deed: Deed, scope: Scope) -> Ids | None:
        """Of a loop over figures with one `if` in it: the figures for which that may hold."""
        if deed.op != "for" or len(deed.blocks[0]) != 1 or deed.terms[0].type.base != "figure":
            return None
        name, (inner,) = str(deed.data), deed.blocks[0]
        if inner.op != "if" or inner.blocks[1]:
            return None
        members = self._members
        here = {**scope, name: members.of(deed.terms[0], scope)}
        if members.never(inner.terms[0], here):
            return NOBODY
        return members.where(inner.terms[0], here)[name]

    def _deed(self, deed: Deed, scope: Scope, rule: str, found: _Found) -> None:
        """Add what one effect touches by itself and sets off; its terms and blocks are others'."""
        members = self._members
        match deed.op:
            case "set_memory":
                found.writes.add(("memory", str(deed.data)))
            case "add" | "drop" if deed.pair[0] == "memory":
                found.reads.add(("memory", deed.pair[1]))
                found.writes.add(("memory", deed.pair[1]))
            case "choose":
                found.writes.add(CHOICE)
            case "draw":
                stacks = {("stacks", id_) for id_ in members.of(deed.terms[0], scope)}
                found.reads |= stacks
                found.writes |= stacks | {CHANCE}
                if deed.pair[0] == "memory":
                    found.writes.add(("memory", deed.pair[1]))
            case "offer":
                found.writes.add(CHOICE)
                found.reads |= self._answer(IMPLIED_BY_EFFECT[deed.op], (), self._all_figures)
                for action in self._actions.get(rule, ()):
                    found.add(self._in(action))
            case "perform":
                given = tuple(members.of(term, scope) for term in deed.terms)
                if deed.data in self._procedures:
                    found.add(self._in(self._procedures[str(deed.data)], given))
            case "announce":
                self._announce(str(deed.data), deed.terms, scope, found)
            case "end_game":
                found.writes.add(END_AT_ONCE if deed.data else END)
            case "verb":
                self._verb(deed, scope, found)

    def _announce(self, event: str, terms: Iterable[Term], scope: Scope, found: _Found) -> None:
        given = tuple(self._members.of(term, scope) for term in terms)
        if event in self._events:
            for reaction in self._events[event].reactions:
                found.add(self._in(reaction, given))

    def _verb(self, deed: Deed, scope: Scope, found: _Found) -> None:
        name, _, target = deed.old_verb
        members, operand = self._members, deed.terms[0]
        if target is not None and target[0] == "memory":
            found.writes.add(("memory", target[1]))
        for changed in VERB[name].changes:
            if changed == "figures":
                found.writes |= {("figures", id_) for id_ in members.of(operand, scope)}
            elif changed == "stacks":
                # a stack is filled or emptied, and its pieces lie in an order
                stacks = (t for t in deed.terms if t.type.base == "stack")
                named = {("stacks", id_) for t in stacks for id_ in members.of(t, scope)}
                found.reads |= named
                found.writes |= named
            elif changed == "tokens":
                tokens = {("tokens", id_) for id_ in members.of(operand, scope)}
                found.reads |= tokens  # what is given is there, or is not
                found.writes |= tokens
            else:
                found.writes.add((changed, ""))
        if "figures" in VERB[name].changes and name != "face":
            # who leaves is nobody's companion any more, and lets go of its own
            moved = members.of(operand, scope)
            found.writes |= {("companions", id_) for id_ in moved & members.companions}
            found.writes |= {(_COMPANY, id_) for id_ in moved}
        if name == "move" and deed.terms[1].type.base == "segment":
            self._standing |= members.of(operand, scope)
        if name == "attach":
            for host in members.of(deed.terms[1], scope):
                here = self._attached.get(host, frozenset())
                self._attached[host] = here | members.of(operand, scope)
        if VERB[name].announces:
            self._announce(VERB[name].announces, (operand,), scope, found)

    # -------------------------------------------------------------- terms

    def _reads(self, term: Term, scope: Scope, only: Ids | None = None) -> set[Part]:
        """What a term reads. Of a set of figures it reads no more than those among `only`."""
        members = self._members
        wanted = self._all_figures if only is None else only
        if term.op == "of":
            whole, owner = term.args
            found = self._reads(owner, scope)
            return found | self._reads(whole, scope, wanted & members.named(owner, scope))
        if term.op == "quantifier":
            return self._quantifier_reads(term, scope, wanted)
        if term.op in ("and", "or"):
            found, known = set[Part](), dict(scope)
            for part in term.args:
                found |= self._reads(part, known)
                known = members.where(part, known, term.op == "and")
            return found
        if term.op == "answer":
            given = tuple(members.of(argument, scope) for argument in term.args)
            found = set(self._answer(str(term.data), given, wanted))
        else:
            found = self._read_by(term, scope, wanted)
        for number, part in enumerate(term.args):
            inner: Ids | None = None
            if term.op in ("conditional", "set"):
                inner = only
            elif term.op == "in" and number == 1 and part.type.base == "figure":
                inner = members.of(term.args[0], scope)
            found |= self._reads(part, scope, inner)
        return found

    def _quantifier_reads(self, term: Term, scope: Scope, wanted: Ids) -> set[Part]:
        members = self._members
        source, body = term.args
        word, variable = term.pair
        inner = {**scope, variable: members.of(source, scope)}
        left = self._all_figures
        if source.type.base == "figure" and word in _PICKING:
            inner[variable] &= wanted if word == "those" else left
            left = NOBODY
            if not members.never(body, inner):
                left = inner[variable] = members.where(body, inner)[variable]
        return self._reads(source, scope, left) | self._reads(body, inner)

    def _read_by(self, term: Term, scope: Scope, wanted: Ids) -> set[Part]:
        """What a term reads by itself, without its parts."""
        states: tuple[State, ...] = ()
        name = str(term.data)
        figures = wanted
        match term.op:
            case "memory":
                return {("memory", name)}
            case "global":
                states = READ_BY_GLOBAL.get(name, ())
            case "attribute":
                owner = term.args[0]
                states = READ_BY_ATTRIBUTE.get((owner.type.base, name), ())
                if owner.type.base == "figure":
                    figures = self._members.of(owner, scope)
                elif owner.type.base == "player":
                    figures = wanted & self._members.owned
                elif owner.type.base in ("feature", "segment"):
                    figures = wanted & self._members.standing
            case "declared":
                return {BOARD} if term.args[0].type.base == "feature" else set()
            case "function":
                states = READ_BY_FUNCTION.get(name, ())
        found = self._contents(term, scope)
        for state in states:
            if state in ("figures", "companions"):
                found |= {(state, id_) for id_ in figures}
            elif state == "tokens":
                found |= {(state, id_) for id_ in self._members.of(term.args[1], scope)}
            else:
                found.add(("memory", state) if state == "active" else (state, ""))
        implied = implied_by(term)
        if implied:
            found |= self._answer(implied, (), self._all_figures)
        return found

    def _contents(self, term: Term, scope: Scope) -> set[Part]:
        """The stacks into which a term looks."""
        if term.op not in ("pieces", "is_empty") and (term.op, term.data) != ("function", "count"):
            return set()
        stacks = (part for part in term.args if part.type.base == "stack" and not part.type.many)
        return {("stacks", id_) for part in stacks for id_ in self._members.of(part, scope)}

    def _answer(self, id_: str, given: tuple[Ids, ...], wanted: Ids) -> frozenset[Part]:
        """What the value of a definition reads."""
        key = (id_, given, wanted)
        if key not in self._answers:
            definition = self._definitions[id_]
            found = set[Part]()
            if definition.otherwise is not None:
                scope = scope_of((name for name, _ in definition.parameters), given)
                found |= self._reads(definition.otherwise, scope, wanted)
            for amendment in definition.amendments:
                scope = scope_of(amendment.parameters, given)
                if amendment.when is not None:
                    found |= self._reads(amendment.when, scope)
                    if self._members.never(amendment.when, scope):
                        continue
                    scope = self._members.where(amendment.when, scope)
                found |= self._reads(amendment.value, scope, wanted)
            self._answers[key] = frozenset(found)
        return self._answers[key]


def _set_again(deeds: Deeds) -> frozenset[str]:
    """The local names that a body sets again after naming them."""
    found = set[str]()
    for deed in deeds_within(deeds):
        if deed.op == "set_local":
            found.add(str(deed.data))
        elif deed.op in ("add", "drop", "draw") and deed.pair[0] == "local":
            found.add(deed.pair[1])
        elif deed.op == "verb" and deed.old_verb[2] is not None:
            found.add(deed.old_verb[2][1])
    return frozenset(found)


def kinds_moved(deeds: Deeds, verbs: tuple[str, ...], kinds: Mapping[str, str]) -> set[str]:
    """The kinds of figure of which a body says that one of some verbs happens to them.

    Where the kind is not said, "" is among them. `kinds` tells those of the local names.
    """
    found: set[str] = set()
    for deed in deeds:
        if deed.op == "verb" and deed.old_verb[0] in verbs:
            operand = deed.terms[0]
            kind = kinds.get(str(operand.data), "") if operand.op == "local" else ""
            found.add(operand.pair[1] if operand.op == "constant" else kind)
        inner = kinds
        if deed.op in ("for", "choose"):
            name = str(deed.data) if deed.op == "for" else deed.choice[1]
            inner = {**kinds, name: _kind_of_each(deed.terms[0])}
        for block in deed.blocks:
            found |= kinds_moved(block, verbs, inner)
    return found


def _kind_of_each(source: Term) -> str:
    """The one kind of figure that all of a set are of, as far as it is said; or nothing."""
    if source.op == "quantifier" and source.pair[0] in ("those", "most", "least"):
        return _kind_of_each(source.args[0])
    if source.op == "of":
        whole, owner = source.args
        if owner.op == "constant" and owner.pair[0] == "figure kind":
            return owner.pair[1]
        return _kind_of_each(whole)
    return ""
