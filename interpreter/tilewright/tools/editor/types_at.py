"""Types and scope at one place of a file, from the checker.

The rule around the place is checked as in the linker, in the game of its ruleset together with the
rulesets under `with` of the rule and its file. Diagnostics are dropped here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, Code, Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import UNKNOWN, Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Environment
from tilewright.language.typing.scope import Scope
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.gather import gather
from tilewright.rules.linking.compose.namespaces import company_of
from tilewright.rules.linking.compose.select import Selection, select
from tilewright.rules.linking.elaborate.bodies import Bodies
from tilewright.rules.linking.elaborate.environment import environment_of
from tilewright.rules.linking.elaborate.rules import check_alone
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.files.rules import RulesFile, read_rules
from tilewright.tools.workspace.overlay import Overlay, span_holds

#: the kinds of files with rules
HOLD_RULES = ("rules", "ruleset")


@dataclass(frozen=True, slots=True)
class TypedPlace:
    """An expression at a place: its typed term, and the names in scope."""

    term: t.Expression
    scope: Scope


class PlaceChecker(ExpressionChecker):
    """Checks as usual, and records the type at a place, or the scope at a marked name.

    The marked name or attribute stands for the term `given`; `owner` is the type before the dot or
    `is` that the mark follows.
    """

    def __init__(
        self,
        environment: Environment,
        line: int,
        column: int,
        mark: str = "",
        given: t.Expression | None = None,
    ) -> None:
        super().__init__(environment, Reporter.discarding())
        self.line, self.column, self.mark = line, column, mark
        self.given = given or t.Literal(0, UNKNOWN, NOWHERE)
        self.found: TypedPlace | None = None
        self.bound: dict[str, Type] = {}
        self.marked: Scope | None = None
        self.owner: Type | None = None

    def seeing(self, env: Environment) -> Self:
        """The checker itself, from now on with other names."""
        self.env = env
        return self

    def _expression(self, node: n.Expression, scope: Scope) -> t.Expression:
        term = super()._expression(node, scope)
        if span_holds(node.span, self.line, self.column) and (
            self.found is None or _size(node.span) < _size(self.found.term.span)
        ):
            self.found = TypedPlace(replace(term, span=node.span), scope)
        return term

    def _name(self, node: n.Name, scope: Scope, unless_near: str = "") -> t.Expression:
        if node.name != self.mark:
            return super()._name(node, scope, unless_near)
        self.marked = self.marked or scope
        return self.given

    def _beside(self, type_: Type, node: n.Expression, scope: Scope) -> t.Expression:
        if isinstance(node, n.Name) and node.name == self.mark:
            self.owner = self.owner or type_
        return super()._beside(type_, node, scope)

    def _attribute_of(self, base: t.Expression, node: n.Attribute, scope: Scope) -> t.Expression:
        if node.name == self.mark:
            known = base.type.one if base.type.optional else base.type
            self.owner = self.owner or known
            return self.given
        return super()._attribute_of(base, node, scope)

    def bind(self, name: str, type_: Type, span: Span, scope: Scope) -> Scope:
        """Bind a local name, and remember its type if the place is inside its scope."""
        if span_holds(span, self.line, self.column):
            self.bound[name] = type_
        return super().bind(name, type_, span, scope)


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column


@dataclass(frozen=True, slots=True)
class Setting:
    """The game in which a place of a file is checked."""

    selection: Selection
    gathered: Gathered
    environment: Environment


def settings(overlay: Overlay, id_: str, company: tuple[m.Reference, ...] = ()) -> Setting | None:
    """The game of a ruleset with its company, or without it if they cannot be combined."""
    wanted: list[str] = []
    for mention in company:
        is_id = "/" in mention.id
        wanted += [mention.id] if is_id else overlay.workspace.providing(mention.id)[:1]
    for ids in ((id_, *wanted), (id_,)) if wanted else ((id_,),):
        selection = select(ids, {}, overlay.workspace.rules, Reporter.discarding())
        if selection is not None:
            gathered = gather(selection, Reporter.discarding())
            return Setting(
                selection, gathered, environment_of(selection, gathered, Reporter.discarding())
            )
    return None


def codes_of(thing: m.Rule | m.DefinitionDecl) -> list[Code]:
    """The effect texts of a rule or a definition."""
    if isinstance(thing, m.DefinitionDecl):
        return [] if thing.default is None else [thing.default]
    return m.codes_of(thing)


def things_of(page: RulesFile) -> Iterator[m.Rule | m.DefinitionDecl]:
    """The entries of a file of rules that have effect text."""
    yield from page.rules
    yield from (patch.rule for patch in page.patches if patch.rule is not None)
    yield from page.definitions


def typecheck_place(
    overlay: Overlay,
    path: Path,
    line: int,
    column: int,
) -> PlaceChecker | None:
    """The checker's result at a place."""
    id_, kind = overlay.ruleset_at(path), overlay.kind_of(path)
    node = overlay.tree(path)
    if id_ is None or node is None or kind not in HOLD_RULES:
        return None
    for thing in things_of(read_rules(node, Reporter.discarding())):
        for code in codes_of(thing):
            if span_holds(code.whole, line, column):
                return typecheck_at(overlay, id_, thing, line, column)
    return None


def typecheck_at(
    overlay: Overlay, id_: str, thing: m.Rule | m.DefinitionDecl, line: int, column: int
) -> PlaceChecker | None:
    """Check one rule or definition and keep the result at a place."""
    setting = settings(overlay, id_, company_of(thing))
    if setting is None:
        return None
    return _typechecked(setting, id_, thing, PlaceChecker(setting.environment, line, column))


def typechecks_at_mark(
    overlay: Overlay, id_: str, where: m.Rule | m.DefinitionDecl | Code, mark: str
) -> Callable[[t.Expression | None], PlaceChecker] | None:
    """Check one rule or definition, or an expression without a rule, with a term for the marked
    name, as often as there are terms."""
    setting = settings(overlay, id_, company_of(where))
    if setting is None:
        return None

    def check(given: t.Expression | None) -> PlaceChecker:
        checker = PlaceChecker(setting.environment, 0, 0, mark, given)
        if not isinstance(where, Code):
            return _typechecked(setting, id_, where, checker)
        node = parse_expression(where, Reporter.discarding())
        if node is not None:
            checker.expression(node, Scope())
        return checker

    return check


def _typechecked(
    setting: Setting, id_: str, thing: m.Rule | m.DefinitionDecl, checker: PlaceChecker
) -> PlaceChecker:
    declared = setting.environment.procedures
    if not isinstance(thing, m.Procedure) or thing.declaration.id in declared:
        quiet = checker.reporter
        bodies = Bodies(setting.selection, setting.gathered, setting.environment, quiet, checker)
        check_alone(bodies, thing, id_)
    return checker
