"""The tally of simulated games as functions of bytecode, made of the functions of the rules.

An award calls a function that evaluates its items as `score_log` does, notes them, and gives the
points. An event of a measure, the beginning of a turn and the end of the game call functions that
add to measures. Forms that bytecode cannot express are refused; Python then counts these games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.language.types import NUMBER
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.facts import ON_END, ON_TURN, Tallying
from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.play.compiling.lowering.expressions import local_name
from tilewright.play.program import Program
from tilewright.play.sites import Site
from tilewright.rules.linking.elaborate.measures import A_TURN
from tilewright.tools.explanation.score_log import (
    added_call,
    chains_in,
    in_the_order_of_the_book,
    itemised_in,
)

_REST, _VALUE, _POINTS = f.Var("rest"), f.Var("value"), f.Var("points")


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
    """The tally of a program that has the forms of its functions.

    Raises NotCarried when an award has a form that bytecode cannot express.
    """
    return _Forms(program).made()


class _Forms:
    """Makes the functions of one program."""

    def __init__(self, program: Program) -> None:
        assert program.forms is not None
        self.program, self.forms = program, program.forms
        self.made_of: dict[str, f.Function] = {}
        self.entries: list[Entry] = []
        self.slots: dict[str, int] = {}
        self.numbers = {x.id: k for k, x in enumerate(program.game.measures)}

    def made(self) -> Counted:
        """All functions."""
        self._measured()
        for name, function in list(self.forms.items()):
            statements = (each for s in f.statements_of(function) for each in f.walk(s))
            if any(isinstance(each, f.Do) and _is_counted(each) for each in statements):
                self.made_of[name] = f.with_statements(function, self._rewritten)
        kinds = [self._slot(f"source.{kind}") for kind in self.program.shapes.kind_ids]
        entries = [
            (self._slot(f"rule.{entry.rule}"), self._slot(f"source.{entry.rule}"))
            for entry in self.entries
        ]
        size, many = len(self.slots), len(self.numbers)
        tallying = Tallying(self.made_of, entries, kinds, size, many)
        return Counted(tallying, self.entries, tuple(self.slots), tuple(self.numbers))

    def _slot(self, name: str) -> int:
        return self.slots.setdefault(name, len(self.slots))

    def _rewritten(self, node: f.Node) -> f.Node | list[f.Stmt]:
        """A statement with the functions of awards, and of beginning turns."""
        match node:
            case f.Do(f.Prim(op.AWARD, [*given, f.Const(int(site)), f.Row(held)])):
                return self._awarding(site, [*given, *held])
            case f.Do(f.Prim(op.BEGIN_TURN)) if ON_TURN in self.made_of:
                return [node, f.Do(f.Call(ON_TURN))]
        return f.mapped(node, self._rewritten) if isinstance(node, f.Statement) else node

    # -------------------------------------------------------------- measures

    def _measured(self) -> None:
        bodies: dict[str, list[f.Stmt]] = {}
        parameters: dict[str, list[str]] = {}
        for measure in self.program.game.measures:
            event = measure.declaration.on
            names = parameters.setdefault(event, [f"v_{n}" for n in measure.parameters])
            value = self._evaluated(measure.value, measure.parameters, names)
            number = f.Const(self.numbers[measure.id])
            added: f.Stmt = f.Do(f.prim(op.MEASURED, value, number))
            if measure.when is not None:
                test = self._evaluated(measure.when, measure.parameters, names)
                added = f.If(test, [added])
            bodies.setdefault(event, []).append(added)
        functions = {A_TURN: ON_TURN, "": ON_END}
        for event, body in bodies.items():
            name = functions.get(event, f"measure_{event}")
            self.made_of[name] = f.Function(name, tuple(parameters[event]), body)

    def _evaluated(
        self, term: t.Expression, parameters: Sequence[str], names: Sequence[str]
    ) -> f.Expr:
        """The call of a function that the compiler makes of a term."""
        name = self.program.evaluator(term, parameters).__name__
        self.made_of[name] = self.forms[name]
        return _call(name, names)

    # -------------------------------------------------------------- awards

    def _awarding(self, site: int, given: Sequence[f.Expr]) -> f.Stmt:
        """The call of the function that notes an award and makes it, in place of the award."""
        name = f"tally_{site}"
        self.made_of[name] = self._award(name, site)
        return f.Do(f.Call(name, given))

    def _award(self, name: str, index: int) -> f.Function:
        site, game = self.program.sites[index], self.program.game
        term = t.children(site.effect)[0]
        names = t.free_locals(term)
        call = added_call(term)
        found = None if call is None else itemised_in(game, call)
        body: list[f.Stmt] = [f.Set("rest", _POINTS)]
        if found is not None:
            arguments = self._arguments(found, names, "argument", body)
            for amendment in self.program.cached(in_the_order_of_the_book)[found.definition]:
                rule = amendment.rule.head.id
                body.append(f.Set("value", self._amendment(rule, arguments)))
                body.append(self._note(site, _VALUE, rule, amendment.rule.item))
                body.append(_LESS)
        chains = () if call is None else tuple(chains_in(game, call))
        for chain in chains:
            body += self._changes(site, chain, names)
        if found is None:
            body.append(self._note(site, _REST, site.rule))
        elif call is not None:
            changed = [self._note(site, _REST, site.rule)]
            changed = changed if chains else self._changed(site, call, names)
            body.append(f.If(_is_some(_REST), changed))
        body.append(f.Do(f.prim(op.NOTED)))
        about = (f.Var("player"), f.Var("feature"), f.Const(index), f.Row())
        body.append(f.Do(f.prim(op.AWARD, _POINTS, *about)))
        parameters = ("points", "player", "feature", *map(local_name, names))
        return f.Function(name, parameters, body)

    def _changes(self, site: Site, call: t.DefinitionCall, names: Sequence[str]) -> list[f.Stmt]:
        """Note by how much each amendment of a chain changes the number that it is given."""
        body: list[f.Stmt] = []
        given = self._arguments(call, names, "passed", body)
        for amendment in self.program.game.definitions[call.definition].amendments:
            rule = amendment.rule.head.id
            body.append(f.Set("changed", self._amendment(rule, given)))
            more = f.prim(op.SUBTRACT, f.Var("changed"), f.Var(given[-1]))
            body.append(f.Set("value", more))
            item = amendment.rule.item or None
            noted = [
                self._note(site, _VALUE, rule, item),
                _LESS,
                f.Set(given[-1], f.Var("changed")),
            ]
            body.append(f.If(_is_some(_VALUE), noted))
        return body

    def _note(self, site: Site, value: f.Expr, rule: str, item: str | None = None) -> f.Stmt:
        entry = Entry(site, rule if item is None else item, rule)
        if entry not in self.entries:
            self.entries.append(entry)
        number = f.Const(self.entries.index(entry))
        return f.Do(f.prim(op.NOTE, value, f.Var("player"), f.Var("feature"), number))

    def _amendment(self, rule: str, arguments: Sequence[str]) -> f.Expr:
        return _call(self.program.amendments[rule].__name__, arguments)

    def _changed(self, site: Site, call: t.DefinitionCall, names: Sequence[str]) -> list[f.Stmt]:
        """Note the rest under the first rule whose answer is the number, else under the site's."""
        definition = self.program.game.definitions[call.definition]
        if definition.type != NUMBER:
            raise NotCarried("items of a definition whose value is not a number")
        body: list[f.Stmt] = []
        given = self._arguments(call, names, "given", body)
        otherwise = [self._note(site, _REST, site.rule)]
        for amendment in reversed(definition.amendments):
            rule = amendment.rule.head.id
            found = f.Set("found", self._amendment(rule, given))
            is_it = f.Compare("=", f.Var("found"), _POINTS)
            same = f.If(is_it, [self._note(site, _REST, rule)], otherwise)
            otherwise = [found, same]
        return body + otherwise

    def _arguments(
        self, call: t.DefinitionCall, names: Sequence[str], word: str, body: list[f.Stmt]
    ) -> list[str]:
        """Names for the arguments of a call, which the body is made to evaluate."""
        found = []
        held = [local_name(name) for name in names]
        for place, term in enumerate(call.arguments):
            found.append(f"{word}_{place}")
            if isinstance(term, t.Local):
                value: f.Expr = f.Var(local_name(term.name))
            else:
                value = self._evaluated(term, names, held)
            body.append(f.Set(found[-1], value))
        return found


_LESS = f.Set("rest", f.prim(op.SUBTRACT, _REST, _VALUE))


def _is_some(number: f.Expr) -> f.Expr:
    return f.Compare("!=", number, f.Const(0))


def _is_counted(statement: f.Do) -> bool:
    """Whether a statement gives points, or begins a turn."""
    value = statement.value
    return isinstance(value, f.Prim) and value.operation in (op.AWARD, op.BEGIN_TURN)


def _call(name: str, arguments: Sequence[str]) -> f.Expr:
    return f.Call(name, [f.Var(each) for each in arguments])
