"""The tally of simulated games as functions of bytecode, made of the functions of the rules.

An award calls a function that evaluates its items as `score_log` does, notes them, and gives the
points. An event of a measure, the beginning of a turn and the end of the game call functions that
add to measures. Forms that bytecode cannot express are refused; Python then counts these games.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.compiling.bytecode.tallying import ON_END, ON_TURN, Tallying
from tilewright.compiling.bytecode.types import NotCarried
from tilewright.compiling.lowering.expressions import local_name
from tilewright.compiling.python.old_trees import (
    assign,
    cloned,
    do,
    fill,
    function_of,
    load,
    number,
)
from tilewright.language.types import NUMBER
from tilewright.language.typing import typed_ast as t
from tilewright.linking.elaborate.measures import A_TURN
from tilewright.runtime.program import Program
from tilewright.runtime.sites import Site
from tilewright.tools.explanation.score_log import (
    added_call,
    chains_in,
    in_the_order_of_the_book,
    itemised_in,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of the awards at a site: its name and its rule."""

    site: Site
    item: str
    rule: str


@dataclass(frozen=True, slots=True)
class Counted:
    """The tally of a game: its functions, and the names of what they add up.

    `sums` has the measures of a simulation that the slots stand for, `measures` those of rulesets.
    """

    tallying: Tallying
    entries: Sequence[Entry]
    sums: Sequence[str]
    measures: Sequence[str]


def counted(program: Program) -> Counted:
    """The tally of a program that kept its trees.

    Raises NotCarried when an award has a form that bytecode cannot express.
    """
    return _Trees(program).made()


class _Trees:
    """Makes the functions of one program."""

    def __init__(self, program: Program) -> None:
        assert program.asts is not None
        self.program, self.asts = program, program.asts
        self.trees: dict[str, ast.FunctionDef] = {}
        self.entries: list[Entry] = []
        self.slots: dict[str, int] = {}
        self.numbers = {x.id: k for k, x in enumerate(program.game.measures)}

    def made(self) -> Counted:
        """All functions."""
        self._measured()
        for name, tree in list(self.asts.items()):
            if any(_award_of(node) or _is_turn(node) for node in ast.walk(tree)):
                self.trees[name] = _Rewritten(self).visit(cloned(tree))
        kinds = [self._slot(f"source.{kind}") for kind in self.program.shapes.kind_ids]
        entries = [
            (self._slot(f"rule.{entry.rule}"), self._slot(f"source.{entry.rule}"))
            for entry in self.entries
        ]
        size, many = len(self.slots), len(self.numbers)
        tallying = Tallying(self.trees, entries, kinds, size, many)
        return Counted(tallying, self.entries, tuple(self.slots), tuple(self.numbers))

    def _slot(self, name: str) -> int:
        return self.slots.setdefault(name, len(self.slots))

    # -------------------------------------------------------------- measures

    def _measured(self) -> None:
        bodies: dict[str, list[ast.stmt]] = {}
        parameters: dict[str, list[str]] = {}
        for measure in self.program.game.measures:
            event = measure.declaration.on
            names = parameters.setdefault(event, [f"v_{n}" for n in measure.parameters])
            value = self._evaluated(measure.value, measure.parameters, names)
            added = self._add(measure.id, value)
            if measure.when is not None:
                test = self._evaluated(measure.when, measure.parameters, names)
                added = ast.If(test, [added], [])
            bodies.setdefault(event, []).append(added)
        functions = {A_TURN: ON_TURN, "": ON_END}
        for event, body in bodies.items():
            name = functions.get(event, f"measure_{event}")
            self.trees[name] = function_of(name, ["m", *parameters[event]], body)

    def _add(self, measure: str, value: ast.expr) -> ast.stmt:
        return do("measured(m, A, B)", A=value, B=number(self.numbers[measure]))

    def _evaluated(
        self, term: t.Expression, parameters: Sequence[str], names: Sequence[str]
    ) -> ast.expr:
        """The call of a function that the compiler makes of a term."""
        name = self.program.evaluator(term, parameters).__name__
        self.trees[name] = self.asts[name]
        return _call(name, names)

    # -------------------------------------------------------------- awards

    def awarding(self, call: ast.Call) -> ast.stmt:
        """The call of the function that notes an award and makes it, in place of the award."""
        points, player, feature, site, held = call.args
        assert isinstance(site, ast.Constant) and isinstance(site.value, int)
        assert isinstance(held, ast.Tuple)
        name = f"tally_{site.value}"
        self.trees[name] = self._award(name, site.value)
        return ast.Expr(ast.Call(load(name), [load("m"), points, player, feature, *held.elts], []))

    def _award(self, name: str, index: int) -> ast.FunctionDef:
        site, game = self.program.sites[index], self.program.game
        term = t.children(site.effect)[0]
        names = t.free_locals(term)
        call = added_call(term)
        found = None if call is None else itemised_in(game, call)
        body = [assign("rest", load("points"))]
        if found is not None:
            arguments = self._arguments(found, names, "argument", body)
            for amendment in self.program.cached(in_the_order_of_the_book)[found.definition]:
                rule = amendment.rule.head.id
                body.append(assign("value", self._amendment(rule, arguments)))
                body.append(self._note(site, "value", rule, amendment.rule.item))
                body.append(assign("rest", fill("rest - value")))
        chains = () if call is None else tuple(chains_in(game, call))
        for chain in chains:
            body += self._changes(site, chain, names)
        if found is None:
            body.append(self._note(site, "rest", site.rule))
        elif call is not None:
            changed = [self._note(site, "rest", site.rule)]
            changed = changed if chains else self._changed(site, call, names)
            body.append(ast.If(fill("rest != 0"), changed, []))
        body.append(do("noted()"))
        place = number(index)
        body.append(do("m.award(points, player, feature, A, ())", A=place))
        return function_of(
            name, ["m", "points", "player", "feature", *map(local_name, names)], body
        )

    def _changes(self, site: Site, call: t.DefinitionCall, names: Sequence[str]) -> list[ast.stmt]:
        """Note by how much each amendment of a chain changes the number that it is given."""
        body: list[ast.stmt] = []
        given = self._arguments(call, names, "passed", body)
        for amendment in self.program.game.definitions[call.definition].amendments:
            rule = amendment.rule.head.id
            body.append(assign("changed", self._amendment(rule, given)))
            body.append(assign("value", fill("changed - A", A=load(given[-1]))))
            item = amendment.rule.item or None
            noted = [
                self._note(site, "value", rule, item),
                assign("rest", fill("rest - value")),
                assign(given[-1], load("changed")),
            ]
            body.append(ast.If(fill("value != 0"), noted, []))
        return body

    def _note(self, site: Site, value: str, rule: str, item: str | None = None) -> ast.stmt:
        entry = Entry(site, rule if item is None else item, rule)
        if entry not in self.entries:
            self.entries.append(entry)
        place = number(self.entries.index(entry))
        return do("note(m, A, player, feature, B)", A=load(value), B=place)

    def _amendment(self, rule: str, arguments: Sequence[str]) -> ast.expr:
        return _call(self.program.amendments[rule].__name__, arguments)

    def _changed(self, site: Site, call: t.DefinitionCall, names: Sequence[str]) -> list[ast.stmt]:
        """Note the rest under the first rule whose answer is the number, else under the site's."""
        definition = self.program.game.definitions[call.definition]
        if definition.type != NUMBER:
            raise NotCarried("items of a definition whose value is not a number")
        body: list[ast.stmt] = []
        given = self._arguments(call, names, "given", body)
        otherwise = [self._note(site, "rest", site.rule)]
        for amendment in reversed(definition.amendments):
            rule = amendment.rule.head.id
            found = assign("found", self._amendment(rule, given))
            same = ast.If(fill("found == points"), [self._note(site, "rest", rule)], otherwise)
            otherwise = [found, same]
        return body + otherwise

    def _arguments(
        self, call: t.DefinitionCall, names: Sequence[str], word: str, body: list[ast.stmt]
    ) -> list[str]:
        """Names for the arguments of a call, which the body is made to evaluate."""
        found = []
        held = [local_name(name) for name in names]
        for place, term in enumerate(call.arguments):
            found.append(f"{word}_{place}")
            if isinstance(term, t.Local):
                value: ast.expr = load(local_name(term.name))
            else:
                value = self._evaluated(term, names, held)
            body.append(assign(found[-1], value))
        return found


class _Rewritten(ast.NodeTransformer):
    """Puts the functions of awards, and of beginning turns, into a function of the rules."""

    def __init__(self, trees: _Trees) -> None:
        self.trees = trees

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """The statements in place of an award, or those at the beginning of a turn."""
        if (award := _award_of(node)) is not None:
            return self.trees.awarding(award)
        if _is_turn(node) and ON_TURN in self.trees.trees:
            return [node, ast.Expr(_call(ON_TURN, ()))]
        return node


def _award_of(node: ast.AST) -> ast.Call | None:
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("m"), "award")) as call):
            return call
    return None


def _is_turn(node: ast.AST) -> bool:
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("m"), "begin_turn"))):
            return True
    return False


def _call(name: str, arguments: Sequence[str]) -> ast.expr:
    return ast.Call(load(name), [load("m"), *map(load, arguments)], [])
