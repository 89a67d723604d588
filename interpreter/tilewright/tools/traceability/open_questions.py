"""The open questions of rulebooks, and the statements that await missing content.

A question names its option only by id. Its ruleset is found here: the ruleset itself or one it
takes over, then one it is played with, then any other. Awaited content that exists by now is listed
with its ruleset: in the same edition `check` reports it, in another edition it is only information.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.rules.model.ruleset import OptionDecl, Question, Ruleset, Scenario
from tilewright.tools.workspace.workspace import WordIndex, Workspace


@dataclass(frozen=True, slots=True)
class Reading:
    """A choice of an option; the scenarios (`ruleset: id`) that play it and prove something."""

    choice: str
    is_default: bool
    scenarios: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question of some statement; `settled` or an option with its readings."""

    ruleset: str
    statement: str
    asks: str
    settled: str
    option: str
    declared_by: str  # a ruleset, or "" where no ruleset declares the option
    readings: tuple[Reading, ...]


class Questions:
    """The open questions of the rulesets of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._options = WordIndex(
            workspace, "options", lambda own: [o.id for o in own.module.options], "module"
        )
        self._played = WordIndex(
            workspace, "played", lambda own: [c[0] for c, _ in _chosen(own)], "scenarios"
        )

    def of(self, id_: str) -> tuple[OpenQuestion, ...]:
        """The questions in a ruleset's own statements, in order."""
        own = self._workspace.own(id_)
        if own is None:
            return ()
        return tuple(self.look_up(id_, s.id, q) for s in own.statements for q in s.questions)

    def look_up(self, id_: str, statement: str, question: Question) -> OpenQuestion:
        """One question with all that is known about it."""
        owner, option = self._declared(id_, question.option) if question.option else ("", None)
        readings: tuple[Reading, ...] = ()
        if option is not None:
            readings = tuple(
                Reading(choice, choice == option.default, self._scenarios(owner, option.id, choice))
                for choice in option.choices
            )
        return OpenQuestion(
            id_, statement, question.asks, question.settled, question.option, owner, readings
        )

    def options(self) -> frozenset[str]:
        """The ids of all options of the library."""
        return self._options.everything()

    def _declared(self, id_: str, option: str) -> tuple[str, OptionDecl | None]:
        found = {
            owner: declared
            for owner, own in self._options.by(option).items()
            for declared in own.module.options
            if declared.id == option
        }
        near = (*self._workspace.lineage(id_), *(r.id for r in self._workspace.together([id_])))
        for name in (*(n for n in near if n in found), *found):
            return name, found[name]
        return "", None

    def _scenarios(self, owner: str, option: str, choice: str) -> tuple[str, ...]:
        """The scenarios that choose so in a game with an option's ruleset, and prove something."""
        return tuple(
            dict.fromkeys(
                f"{id_}: {scenario.id}"
                for id_, own in self._played.by(option).items()
                for chosen, scenario in _chosen(own)
                if chosen == (option, choice)
                and owner in self._lineages(scenario.rulesets or (id_,))
            )
        )

    def _lineages(self, rulesets: Iterable[str]) -> frozenset[str]:
        played = self._workspace.together(rulesets)
        return frozenset(name for r in played for name in self._workspace.lineage(r.id))


def _chosen(own: Ruleset) -> Iterator[tuple[tuple[str, str], Scenario]]:
    """Every choice of an option in a scenario that proves something."""
    for scenario in own.scenarios:
        for chosen in scenario.options if scenario.statements else ():
            yield chosen, scenario


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting statement: its ruleset, its id, its text."""

    ruleset: str
    statement: str
    says: str
    provided_by: str  # a ruleset of the same edition that has what it waits for, or ""


@dataclass(frozen=True, slots=True)
class Awaited:
    """Something that statements wait for, and the rulesets that provide it in any edition."""

    name: str
    there: tuple[str, ...]
    statements: tuple[Waiting, ...]


def awaited(workspace: Workspace, ids: Iterable[str]) -> tuple[Awaited, ...]:
    """The awaited content of some rulesets' statements: the most frequent comes first."""
    provided: dict[str, list[tuple[str, str]]] = {}
    for id_ in workspace.ids():
        ruleset = workspace.whole(id_)
        for role in ruleset.module.provides if ruleset is not None else ():
            assert ruleset is not None
            provided.setdefault(role, []).append((id_, ruleset.module.edition))
    found: dict[str, list[Waiting]] = {}
    for id_ in ids:
        own = workspace.own(id_)
        for statement in own.statements if own is not None else ():
            assert own is not None
            for name in statement.awaits:
                now = [r for r, e in provided.get(name, ()) if e == own.module.edition and r != id_]
                found.setdefault(name, []).append(
                    Waiting(id_, statement.id, statement.says, now[0] if now else "")
                )
    return tuple(
        Awaited(name, tuple(id_ for id_, _ in provided.get(name, ())), tuple(rows))
        for name, rows in sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    )
