"""Lists the options of an action with as few tests as possible.

An action loops over its sets, one inside another, and tests its condition for every combination.
Most of the condition is a definition with `combine: all`, and most amendments depend on one
variable only. They are tested once for each value, before the sets are combined, and tests of an
outer variable are not repeated in the inner loop. The options and their order stay the same. A test
that could fail, or that another part of the condition guards, is not moved.

The options of figures are computed once for each kind of figure: the condition is simplified in
advance, and what remains depends only on the other variable. Kinds with the same remaining
condition share the list of values that pass, and one that is never true is skipped. Nothing is
shared when the remaining condition still reads the figure itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.language import builtins as p
from tilewright.language.source.text import NOWHERE
from tilewright.language.types import TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.facts.cost_bounds import options_from
from tilewright.play.compiling.lowering.expressions import Lookup, TermLowering, local_name
from tilewright.play.compiling.passes.inlining import (
    Given,
    cost_of,
    goes_through_a_set,
    implied,
)
from tilewright.play.compiling.passes.per_kind import of_kind
from tilewright.rules.linking.game import LinkedAction, LinkedAmendment
from tilewright.rules.linking.walk import definition_expressions
from tilewright.rules.model.ruleset import Combine


@dataclass(frozen=True, slots=True)
class _Test:
    """A part of the condition: if `when` holds, `value` must hold. Each has the names it uses."""

    cost: int
    when: t.Expression | None
    when_names: frozenset[str]
    value: t.Expression
    value_names: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """The offered variables that the test uses."""
        return self.when_names | self.value_names

    def whole(self) -> t.Expression:
        """The test as one expression."""
        return self.value if self.when is None else implied(self.when, self.value)


class Listing:
    """Emits the loops of one game's actions."""

    def __init__(self, terms: TermLowering) -> None:
        self.terms = terms
        self.game, self.inliner = terms.context.game, terms.context.inliner
        self.failing: dict[str, bool] = {}  # by definition, whether its evaluation may fail
        self.may_fail = terms.context.reuse.asked("may fail", self._may_fail)

    def loops(self, action: LinkedAction, option: f.Expr) -> list[f.Stmt]:
        """The statements that loop over the sets of an action and list each option."""
        names = [name for name, _ in action.offer]
        offered = {name: t.Local(name, over.type.one, over.span) for name, over in action.offer}
        tests = self._tests(action.where, offered) if action.where is not None else []
        tested_before: list[_Test] = []  # tested before the loops
        before: list[f.Stmt] = []
        members: list[f.Expr] = []
        metered = self.terms.context.metered
        for index, (name, source) in enumerate(action.offer):
            listed = self.terms.choices(source)
            inside = options_from(action, index + 1)
            if _names(source, names[:index]):
                members.append(metered(listed, source, inside))
                continue
            if index:  # used repeatedly: first remove the members that fail by themselves
                own_tests = [test for test in tests if test.names == {name}]
                tested_before += own_tests
                if own_tests:
                    passes = self.terms.code(_all_of(own_tests))
                    loop = f.Members((f"v_{name}",), listed, [passes])
                    listed = f.Loop("list", f.Var(f"v_{name}"), [loop])
                # the figures of a kind share their tests: see `_listed_by_kind`
                tested = metered(listed, source, inside, len(self.game.figures))
                before.append(f.Set(f"listed_{name}", tested))
                listed = f.Var(f"listed_{name}")
            members.append(metered(listed, source, inside))
        tests = [test for test in tests if test not in tested_before]
        first = [test for test in tests if not test.names]
        tests = [test for test in tests if test.names]
        body: list[f.Stmt] = []
        if len(names) == 2 and before and self.terms.context.lists_few(action):
            pair = (names[0], names[1])
            body = _listed_by_kind(self.terms, pair, members[0], before, _all_of(tests), option)
        body = body or [*before, *self._one_by_one(names, members, tests, option)]
        if first:
            body = [f.If(self.terms.code(_all_of(first)), body)]
        return body

    def _one_by_one(
        self,
        names: Sequence[str],
        members: Sequence[f.Expr],
        tests: Sequence[_Test],
        option: f.Expr,
    ) -> list[f.Stmt]:
        """Nested loops, with each part of the condition as far outside as possible.

        The roles of a figure are looked up before its inner loop.
        """
        lookups: dict[Lookup, str] = {(p.HAS_ROLE, name): f"roles_{name}" for name in names}
        used = self.terms.named(lookups)
        body: list[f.Stmt] = [f.Append("options", option)]
        for index, name in reversed(list(enumerate(names))):
            here = [test for test in tests if max(map(names.index, test.names)) == index]
            if here:
                body = [f.If(self.terms.code(_all_of(here)), body)]
            roles = lookups[p.HAS_ROLE, name]
            if roles in used:
                roles_of = f.prim(p.HAS_ROLE.form(""), f.Var(f"v_{name}"))
                body = [f.Set(roles, roles_of), *body]
            body = [f.For((f"v_{name}",), members[index], body)]
        self.terms.named({})
        return body

    # -------------------------------------------------------------- the condition in parts

    def _tests(self, where: t.Expression, offered: Given) -> list[_Test]:
        found: list[_Test] = []
        rest: list[t.Expression] = []
        for part in where.parts if isinstance(where, t.And) else (where,):
            amendments = self._amendments(part, offered)
            if amendments is None:
                rest.append(self.terms.context.planned(part))
            else:
                found += amendments
        if rest:
            # in their order and in the innermost loop: one may guard the next, or fail
            value = t.And(tuple(rest), TRUTH, where.span)
            found.append(_Test(1_000, None, frozenset(), value, frozenset(offered)))
        return found

    def _amendments(self, part: t.Expression, offered: Given) -> list[_Test] | None:
        """The amendments of a `combine: all` definition of offered variables only."""
        if not isinstance(part, t.DefinitionCall):
            return None
        given = [arg.name for arg in part.arguments if isinstance(arg, t.Local)]
        if len(given) < len(part.arguments) or not offered.keys() >= {*given}:
            return None
        definition = self.game.definitions[part.definition]
        if definition.combine != Combine.ALL or self.may_fail(definition.id):
            return None
        arguments = [offered[name] for name in given]
        return [self._amendment(amendment, arguments) for amendment in definition.amendments]

    def _amendment(self, amendment: LinkedAmendment, arguments: Sequence[t.Expression]) -> _Test:
        given = dict(zip(amendment.parameters, arguments, strict=True))

        def inlined(part: t.Expression) -> tuple[t.Expression, frozenset[str]]:
            bindings = (given[name] for name in _names(part, amendment.parameters))
            names = frozenset(each.name for each in bindings if isinstance(each, t.Local))
            return self.terms.context.planned(part, given), names

        cost = cost_of(amendment, self.inliner.cost_of_definition)
        when, of_when = (
            (None, frozenset[str]()) if amendment.when is None else inlined(amendment.when)
        )
        value, of_value = inlined(amendment.value)
        if goes_through_a_set(amendment):  # long enough for a call, which may use its own names
            rule = amendment.rule
            call = t.DefinitionCall(
                rule.definition, tuple(arguments), TRUTH, amendment.value.span, rule.head.id
            )
            begins = [inlined(part)[0] for part in _short_beginning(amendment.value)]
            every = frozenset(each.name for each in arguments if isinstance(each, t.Local))
            return _Test(8 * cost, when, of_when, t.And((*begins, call), TRUTH, call.span), every)
        return _Test(cost, when, of_when, value, of_value)

    def _may_fail(self, id_: str) -> bool:
        """Whether the evaluation of a definition may fail: it stays where the author wrote it."""
        if id_ not in self.failing:
            parts = definition_expressions(self.game.definitions[id_])
            self.failing[id_] = any(map(self._part_may_fail, parts))
        return self.failing[id_]

    def _part_may_fail(self, part: t.Expression) -> bool:
        match part:
            case t.BuiltinCall(p.CYCLE):
                return True
            case t.DefinitionCall(id_) if self._may_fail(id_):
                return True
        return self.terms.context.magnitudes.passes(part)


def _short_beginning(value: t.Expression) -> list[t.Expression]:
    """The parts of a conjunction before the first that loops over a set."""
    found: list[t.Expression] = []
    for part in value.parts if isinstance(value, t.And) else ():
        if any(isinstance(each, t.Quantifier) for each in t.walk(part)):
            break
        found.append(part)
    return found


def _names(node: t.Expression, names: Sequence[str]) -> set[str]:
    """The names among these that an expression uses."""
    used = {each.name for each in t.walk(node) if isinstance(each, t.Local)}
    return used.intersection(names)


def _all_of(tests: Sequence[_Test]) -> t.Expression:
    parts = tuple(test.whole() for test in sorted(tests, key=lambda test: test.cost))
    return t.And(parts, TRUTH, parts[0].span if parts else NOWHERE)


# ------------------------------------------------------------------ by kind of figure


def _listed_by_kind(
    terms: TermLowering,
    names: tuple[str, str],
    outside: f.Expr,
    inside: list[f.Stmt],
    test: t.Expression,
    option: f.Expr,
) -> list[f.Stmt]:
    """Statements that add an option for every pair that passes a test; none if kinds do not help.

    `names` are those of the outer and the inner thing; `outside` lists the outer ones, and the
    statements `inside` make the list `listed_` of the inner ones, which does not depend on them.
    """
    outer, inner = names
    rests: dict[t.Key, t.Expression] = {}  # the remaining condition, by class
    class_of: list[int] = []  # by kind of figure
    for figure in terms.context.game.figures:
        rest = of_kind(test, outer, figure, terms.context.game)
        if any(isinstance(each, t.Local) and each.name == outer for each in t.walk(rest)):
            return []
        key = t.canonical_key(rest)
        rests.setdefault(key, rest)
        class_of.append(list(rests).index(key))
    if not rests:  # a game without figures
        return []
    listed = f.Var(f"listed_{inner}")
    loops, before = _described_together(terms, inner, listed, list(rests.values()))
    body: list[f.Stmt]
    fits = f.Var("fits")
    add = f.AppendAll("options", f.Loop("list", option, [f.Members((f"v_{inner}",), fits)]))
    if len(rests) == 1:
        once = loops[0]
        body = [f.If(fits, [add])]
    else:
        once = [f.Places("shared", len(rests))]
        kind_of = f.prim(op.KIND_OF_FIGURE, f.Var(f"v_{outer}"))
        classify: list[f.Stmt] = []
        for index in range(len(rests) - 1, -1, -1):
            is_it = f.Compare("=", f.Var("kind_class"), f.Const(index))
            classify = [f.If(is_it, loops[index], classify)] if classify else loops[index]
        body = [
            f.Set("kind_class", f.looked_up(class_of, kind_of)),
            f.Set("fits", f.prim(op.PLACED, f.Var("shared"), f.Var("kind_class"))),
            f.If(f.IsNothing(fits), [*classify, f.Stow("shared", "kind_class", fits)]),
            f.If(fits, [add]),
        ]
    outer_members = f.Var(f"listed_{outer}")
    whole_loop = [*before, *once, f.For((f"v_{outer}",), outer_members, body)]
    return [
        f.Set(outer_members.name, outside),
        f.If(outer_members, [*inside, f.If(listed, whole_loop)]),
    ]


def _described_together(
    terms: TermLowering, name: str, members: f.Expr, tests: list[t.Expression]
) -> tuple[list[list[f.Stmt]], list[f.Stmt]]:
    """For each test, the list of the segments that pass, and the statements before all of them."""
    kept = f.Var(local_name(name))
    lookups: dict[Lookup, str] = {
        (p.SEGMENT_FEATURE, name): f"feature_{name}",
        (p.SEGMENT_KIND, name): f"kind_{name}",
    }
    is_used = terms.named(lookups)
    codes = [terms.code(test) for test in tests]
    terms.named({})
    before: list[f.Stmt] = []
    names: tuple[str, ...] = (kept.name,)
    rows = members
    if is_used:
        names = (kept.name, *lookups.values())
        rows = f.Var(f"rows_{name}")
        before = [f.Set(rows.name, f.prim(op.WITH_FEATURES, members))]
    found: list[list[f.Stmt]] = []
    for test in codes:
        if isinstance(test, f.Const):
            found.append([f.Set("fits", members if test.value else f.ListOf())])
        else:
            add = f.If(test, [f.Append("fits", kept)])
            found.append([f.Set("fits", f.ListOf()), f.For(names, rows, [add])])
    return found, before
