"""Proofs of statements: a mutant of the rules behind a statement must fail one of its scenarios.

The rules that name a statement (or that it follows from, or the components that carry it out) are
mutated one place at a time, until a scenario that proves the statement fails. The mutants are those
of `operators`, and mutants of the module: a role that is no longer required, provided or in
conflict. A mutant is linked once for all statements that need it. `run` counts survivors instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tilewright.language.source.text import Span
from tilewright.play.compiling.reuse import Memo
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.model.ruleset import NO_LABEL, Module, Role, Ruleset, Statement
from tilewright.rules.reading.library import Library
from tilewright.tools.mutation.operators import mutants_of
from tilewright.tools.mutation.run import Altered, CannotMutateError, cases_of, passes
from tilewright.tools.scenarios.collect import Case
from tilewright.tools.scenarios.runner import Programs
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.workspace import Workspace

#: a mutable thing: the ruleset that declares it, and the id under which its mutants are counted
Thing = tuple[str, str]

#: the prefixes of the ids under which mutants of components are counted
_KINDS = {"figures": "figure ", "roles": "role ", "features": "feature ", "module": "module "}
#: carriers that are not changed, and why
_UNCHANGED = {
    "tiles": "tiles carry it, and component lists count them",
    "components": "a component list carries it, and `check` counts it",
    "stacks": "stacks carry it, and they are not changed",
}


class Verdict(StrEnum):
    """The result of a statement's proof."""

    PROVED = "proved"
    WEAK = "weak"
    UNPROVED = "unproved"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class StatementProof:
    """A statement, and the change and scenario that prove it, or the reason why there are none."""

    ruleset: str
    statement: str
    verdict: Verdict
    mutant: str
    scenario: str
    reason: str
    span: Span

    @property
    def is_good(self) -> bool:
        """Whether the statement is proved, or needs no proof."""
        return self.verdict in (Verdict.PROVED, Verdict.NOT_APPLICABLE)


@dataclass(slots=True)
class _Wanted:
    """A statement without a proof so far: the things to mutate, and the scenarios to run."""

    ruleset: str
    statement: Statement
    things: tuple[Thing, ...]
    cases: tuple[Case, ...]
    found: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Change:
    """A ruleset changed in one place."""

    id: str
    under: str
    ruleset: Ruleset


def statement_proofs(
    library: Library,
    rulesets: Sequence[str],
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[StatementProof, ...]:
    """The proof of every statement of some rulesets, in their order.

    Raises CannotMutateError when one of them cannot be linked.
    """
    workspace = Workspace(library)
    search = _Search(workspace, rulesets)
    total = len(search.wanted)
    for done, _ in enumerate(search.run(), 1):
        progress(done, total)
    return tuple(search.proofs())


class _Search:
    """Looks for a killing mutant of each statement."""

    def __init__(self, workspace: Workspace, rulesets: Sequence[str]) -> None:
        self.workspace = workspace
        self.programs = Programs(workspace.library, memo=Memo())
        self.all = {id_: own for id_ in workspace.ids() if (own := workspace.own(id_)) is not None}
        self.chosen = [self.all[id_] for id_ in rulesets if id_ in self.all]
        self._cited = _cited(self.all.values())
        self._declared = _declared(self.all.values())
        self._cases: dict[str, list[Case]] = {}
        for id_ in self.all:
            for case in cases_of(workspace, id_):
                for name in case.scenario.statements:
                    self._cases.setdefault(name, []).append(case)
        self._held: dict[str, bool] = {}
        for cases in self._cases.values():
            cases.sort(key=_cost)
        self.wanted = {
            (own.id, s.id): _Wanted(own.id, s, things, tuple(self._cases[s.id]))
            for own in self.chosen
            for s in own.statements
            if (things := self._things(own, s)) and s.id in self._cases
        }

    def _things(self, own: Ruleset, statement: Statement) -> tuple[Thing, ...]:
        """The mutable things that carry a statement out."""
        found = list(self._cited.get(statement.id, ()))
        for name in statement.follows_from:
            found += self._declared.get(name, ())
        if statement.carried_by in _KINDS:
            kind = _KINDS[statement.carried_by]
            found += ((id_, kind) for id_ in self._homes(own, statement.carried_by))
        return tuple(dict.fromkeys(found))

    def _homes(self, own: Ruleset, kind: str) -> list[str]:
        """The rulesets whose pieces carry a statement: its own, else those it is played with."""
        if kind == "module" or getattr(own, kind):
            return [own.id]
        game = self.workspace.together([own.id])
        near = dict.fromkeys(id_ for each in game for id_ in self.workspace.lineage(each.id))
        return [*near, own.id]

    def run(self) -> Iterator[None]:
        """Try mutants, ruleset by ruleset, until each statement has one; a step for each found."""
        for id_, own in self.all.items():
            waiting = [w for w in self.wanted.values() if any(t[0] == id_ for t in w.things)]
            if any(not w.found for w in waiting):
                yield from self._in_ruleset(own, waiting)

    def _in_ruleset(self, own: Ruleset, waiting: list[_Wanted]) -> Iterator[None]:
        game, reporter = load_game(own.id, {}, self.workspace.library)
        if game is None:
            if own in self.chosen:
                raise CannotMutateError(reporter.diagnostics)
            return
        for change in _changes(own, game):
            near = [
                w for w in waiting if w.found is None and _concerns(own.id, change.under, w.things)
            ]
            if not near:
                continue
            altered = Altered(
                self.workspace.library.instead(change.ruleset), self.programs, allowed=True
            )
            for each in near:
                case = self._noticing(each.cases, altered)
                if altered.is_stillborn:
                    break
                if case is not None:
                    each.found = (change.id, case.name)
                    yield

    def _noticing(self, cases: Iterable[Case], altered: Altered) -> Case | None:
        """The first scenario that fails under a change."""
        for case in cases:
            is_same = altered.is_same(case.game, case.scenario.options)
            if altered.is_stillborn:
                return None
            if not is_same and not passes(case, altered) and self._holds(case):
                return case
        return None

    def _holds(self, case: Case) -> bool:
        if case.name not in self._held:
            self._held[case.name] = passes(case, self.programs)
        return self._held[case.name]

    def proofs(self) -> Iterator[StatementProof]:
        for own in self.chosen:
            for statement in own.statements:
                verdict, mutant, scenario, reason = self._judged(own, statement)
                yield StatementProof(
                    own.id, statement.id, verdict, mutant, scenario, reason, statement.span
                )

    def _judged(self, own: Ruleset, statement: Statement) -> tuple[Verdict, str, str, str]:
        wanted = self.wanted.get((own.id, statement.id))
        if wanted is not None and wanted.found is not None:
            return (Verdict.PROVED, *wanted.found, "")
        if wanted is not None:
            names = ", ".join(f"`{case.name}`" for case in wanted.cases)
            return Verdict.WEAK, "", "", f"no mutant of its rules fails {names}"
        if self._things(own, statement):
            return Verdict.UNPROVED, "", "", "no scenario proves it"
        return Verdict.NOT_APPLICABLE, "", "", _why_not(statement)


def _cost(case: Case) -> tuple[bool, int, bool]:
    """The order of scenarios: refusals first, since they concern one game only, then the simplest
    games.
    """
    return not case.scenario.fails, case.game.count("+"), bool(case.scenario.options)


def _why_not(statement: Statement) -> str:
    """The reason why no part behind a statement can be changed."""
    if statement.compares:
        return "it only compares other statements"
    if statement.awaits:
        return f"it waits for {', '.join(f'`{role}`' for role in statement.awaits)}"
    if statement.no_rule:
        return f"no rule carries it out: {statement.no_rule}"
    return _UNCHANGED.get(statement.carried_by, "no rule names it")


def _concerns(ruleset: str, under: str, things: Iterable[Thing]) -> bool:
    """Whether a mutant counted under this id changes one of some things, or one of their kind."""
    return any(
        owner == ruleset and (under == name or (name.endswith(" ") and under.startswith(name)))
        for owner, name in things
    )


# ------------------------------------------------------------------------ mutable parts


def _cited(rulesets: Iterable[Ruleset]) -> Mapping[str, list[Thing]]:
    """The things that name each statement."""
    found: dict[str, list[Thing]] = {}
    for own in rulesets:
        for under, statements in _grounds(own):
            for name in statements:
                found.setdefault(name, []).append((own.id, under))
    return found


def _grounds(own: Ruleset) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The ids under which mutants of things with statements are counted, with the statements."""
    for kind, id_, statements, _ in stated_things(own):
        if kind != "option":
            yield f"{kind} {id_}" if kind in ("step", "role") else id_, statements


def _declared(rulesets: Iterable[Ruleset]) -> Mapping[str, list[Thing]]:
    """The things that a statement can follow from, by name."""
    found: dict[str, list[Thing]] = {}
    for own in rulesets:
        names = [(under.split(" ")[-1], under) for under, _ in _grounds(own)]
        names += [(definition.id, definition.id) for definition in own.definitions]
        for name, under in names:
            found.setdefault(name, []).append((own.id, under))
    return found


def _changes(own: Ruleset, game: Game) -> Iterator[_Change]:
    for mutant in mutants_of(replace(own, scenarios=()), game):
        yield _Change(mutant.id, mutant.rule, mutant.ruleset)
    yield from _of_roles(own, game)
    yield from _of_module(own)


def _of_roles(own: Ruleset, game: Game) -> Iterator[_Change]:
    """A new role on feature kinds without one, for every figure that players own."""
    figures = tuple(figure.id for figure in game.figures if figure.owned)
    served = {role.on for role in game.roles}
    for kind in own.features:
        if kind.id not in served:
            role = Role("added", NO_LABEL, figures, kind.id, "standing", (), kind.span)
            changed = replace(own, roles=(*own.roles, role), scenarios=())
            yield _Change(f"role added: on {kind.id}", "role added", changed)


def _of_module(own: Ruleset) -> Iterator[_Change]:
    """A module that no longer requires, provides, or is in conflict with something."""
    module = own.module
    for part, names in (
        ("requires", [required.role for required in module.requires]),
        ("copies", [source for source, _ in module.copies]),
        ("provides", module.provides),
        ("conflicts", module.conflicts),
    ):
        items = getattr(module, part)
        for i, name in enumerate(names):
            rest: dict[str, Any] = {part: (*items[:i], *items[i + 1 :])}
            yield _module(own, f"{part}: {name}", replace(module, **rest))


def _module(own: Ruleset, gone: str, module: Module) -> _Change:
    changed = replace(own, module=module, scenarios=())
    return _Change(f"module {gone} -> nothing", f"module {gone.split(':')[0]}", changed)
