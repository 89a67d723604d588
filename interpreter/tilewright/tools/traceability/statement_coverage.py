"""Traceability: whether every statement is carried out, every rule grounded, every rule proved.

Only references in files are checked; test runs find whether a scenario passes. A ruleset that takes
another one over inherits its statements, rules and scenarios.

A question of a rulebook names its option only by id. Its ruleset is found here: the ruleset itself
or one it takes over, then one it is played with, then any other. Awaited content that exists by now
is listed with its ruleset: in the same edition `check` reports it, in another edition it is only
information.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from tilewright.language.source.diagnostics import (
    Diagnostic,
    Note,
    Reporter,
    Severity,
    did_you_mean,
)
from tilewright.language.source.report import UNSTATED
from tilewright.language.source.text import Span
from tilewright.rules.analysis.link import link_game
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.model.ruleset import (
    Declared,
    OptionDecl,
    Question,
    Ruleset,
    Scenario,
    Statement,
    place_in,
)
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.scenarios.inspection import expects_something
from tilewright.tools.workspace.loading import split_options, worded
from tilewright.tools.workspace.workspace import WordIndex, Workspace, proved, rule_ids


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
        for statement in worded(own, workspace.library).statements if own is not None else ():
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


# ------------------------------------------------------------------ statements


#: a rule or a patch: the ruleset whose files hold it, and its id
Place = tuple[str, str]

#: the keys of statements that exclude a rule
NO_RULE_KEYS = ("no_rule", "follows_from", "compares")

#: names of a whole library that are compared with unknown ones: that takes its time
_MAX_ADVICE = 20


@dataclass(frozen=True, slots=True)
class CitingPart:
    """Something with `from`: what it is called in a message, and the statements it names."""

    what: str
    statements: tuple[str, ...]
    declared: Declared
    is_rule: bool = False


def grounded(ruleset: Ruleset) -> tuple[CitingPart, ...]:
    """Everything in a ruleset that can name statements."""
    return tuple(
        CitingPart(f"{kind} `{id_}`", statements, declared, kind == "rule")
        for kind, id_, statements, declared in stated_things(ruleset)
    )


class StatementChecker:
    """Checks the statements of the rulesets of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._covers = WordIndex(workspace, "covers", _covers, "scenarios")
        self._covered: set[Place] = set()
        self._seen: set[str] = set()  # the rulesets whose scenarios have been looked at
        self._statements = WordIndex(workspace, "statements", _statement_ids, "statements")
        self._rule_ids = WordIndex(workspace, "rules", _rule_ids, "rules", "components")
        self._proved = WordIndex(workspace, "proved", proved, "scenarios")
        self._advised = 0
        self._questions = Questions(workspace)

    def check(self, id_: str, requested: Container[str], reporter: Reporter) -> None:
        """Report the gaps of one ruleset; `requested` are all rulesets of the check."""
        own, entire = self.workspace.own(id_), self.workspace.whole(id_)
        if own is None or entire is None:
            return
        near = self.workspace.together([id_])
        self._statements_carried(own, entire, reporter)
        self._grounds(own, near, reporter)
        self._citations(own, near, reporter)
        if not self._is_proved_elsewhere(own):
            self._proof(own, reporter)
        for scenario in own.scenarios:
            self._scenario(own, scenario, reporter)
        self._ids_of_others(own, requested, reporter)
        self._waiting(own, reporter)
        self._references(own, reporter)
        self._open(own, reporter)

    # ------------------------------------------------------ statements and rules

    def _statements_carried(self, own: Ruleset, entire: Ruleset, reporter: Reporter) -> None:
        named: set[str] = set()
        rules: dict[str, CitingPart] = {}
        for item in grounded(entire):
            named |= set(item.statements)
            for statement in item.statements if item.is_rule else ():
                rules.setdefault(statement, item)
        for each in own.statements:
            rule = rules.get(each.id)
            why = _why_no_rule(each)
            if rule is not None and why:
                message = f"statement `{each.id}` {why}, but {rule.what} names it under `from`"
                note = Note(place_in(rule.declared, "from", each.id), f"{rule.what} is here")
                key = next(key for key in NO_RULE_KEYS if getattr(each, key))
                reporter.error("TW606", message, place_in(each, key), notes=(note,))
            elif each.id not in named and not (why or each.carried_by or each.awaits):
                message = f"nothing carries out statement `{each.id}`"
                hint = "name it under `from:` of a rule, or give it " + ", ".join(
                    f"`{way}:`" for way in ("carried_by", "no_rule", "awaits", "follows_from")
                )
                reporter.error("TW601", message, each.span, hint=f"{hint} or `compares:`")

    def _grounds(self, own: Ruleset, near: Iterable[Ruleset], reporter: Reporter) -> None:
        known = {statement.id for ruleset in near for statement in ruleset.statements}
        known |= {statement.id for statement in own.statements}
        for item in grounded(own):
            unknown = [name for name in dict.fromkeys(item.statements) if name not in known]
            if unknown:
                message = f"{item.what} names {_unknown('statement', unknown, known)}"
                hint = "" if own.statements else "write it under `statements`, or leave out `from`"
                place = place_in(item.declared, "from", unknown[0])
                reporter.error("TW602", message, place, hint=hint)
            if item.is_rule and not item.statements:
                message = f"{item.what} has no statement"
                hint = "name under `from:` the statements that it carries out"
                _gap(own, UNSTATED, message, item.declared.span, hint, reporter)

        for phrase in own.phrases:
            unknown = [name for name in phrase.statements if name not in known]
            if unknown:
                message = f"the phrase on `{phrase.topic}` names "
                message += _unknown("statement", unknown, known)
                reporter.error("TW602", message, place_in(phrase, "from", unknown[0]))

    def _citations(self, own: Ruleset, near: Iterable[Ruleset], reporter: Reporter) -> None:
        known = {source.id for ruleset in near for source in ruleset.module.sources}
        known |= {source.id for source in own.module.sources}
        for statement in own.statements:
            for cite in statement.cites:
                if cite.source not in known:
                    message = f"statement `{statement.id}` cites an unknown source `{cite.source}`"
                    message += did_you_mean(cite.source, known)
                    reporter.error("TW607", message, cite.span)

    # -------------------------------------------------------- rules and scenarios

    def _proof(self, own: Ruleset, reporter: Reporter) -> None:
        carriers = [(f"rule `{rule.head.id}`", rule.head.id, rule.head.span) for rule in own.rules]
        carriers += [(f"patch `{patch.id}`", patch.id, patch.span) for patch in own.patches]
        for what, rule_id, span in carriers:
            if not self._is_covered((own.id, rule_id)):
                hint = "name it under `covers:` of a scenario that shows it at work"
                _gap(own, "TW604", f"no scenario covers {what}", span, hint, reporter)

    def _is_proved_elsewhere(self, own: Ruleset) -> bool:
        """Whether a ruleset is a game that `resolve` has written down, and still the same game."""
        if not own.module.resolved_from:
            return False
        game, before = self._linked(own.id), self._linked(own.module.resolved_from)
        return game is not None and before is not None and game.hash == before.hash

    def _linked(self, text: str) -> Game | None:
        name, options = split_options(text)
        return link_game(name, options, self.workspace.own, Reporter.discarding())

    def _is_covered(self, place: Place) -> bool:
        """Whether a scenario of the workspace covers a rule or patch."""
        self._look_at(place[0])  # most are covered by the scenarios of their own ruleset
        if place not in self._covered:
            for id_ in self._covers.inherited_by(place[1]):
                self._look_at(id_)
        return place in self._covered

    def _look_at(self, id_: str) -> None:
        if id_ not in self._seen:
            self._seen.add(id_)
            self._covered.update(self._covered_by(id_))

    def _covered_by(self, id_: str) -> Iterator[Place]:
        entire = self.workspace.whole(id_)
        proving = filter(expects_something, entire.scenarios if entire is not None else ())
        for scenario in proving:
            for ruleset in self._game(id_, scenario):
                for rule_id in set(scenario.covers) & set(rule_ids(ruleset)):
                    yield self._home(ruleset.id, rule_id)

    def _game(self, id_: str, scenario: Scenario) -> tuple[Ruleset, ...]:
        return self.workspace.together(scenario.rulesets or (id_,))

    def _home(self, id_: str, rule_id: str) -> Place:
        """The ruleset whose own files hold a rule that another one may have inherited."""
        for ancestor in self.workspace.lineage(id_):
            own = self.workspace.own(ancestor)
            if own is not None and rule_id in rule_ids(own):
                return ancestor, rule_id
        return id_, rule_id

    def _scenario(self, own: Ruleset, scenario: Scenario, reporter: Reporter) -> None:
        game = (*self._game(own.id, scenario), *self.workspace.together([own.id]))
        statements = {statement.id for ruleset in game for statement in ruleset.statements}
        for name in dict.fromkeys(scenario.statements):
            if name not in statements:
                unknown = _unknown("statement", [name], statements)
                message = f"scenario `{scenario.id}` proves {unknown}"
                reporter.error("TW605", message, scenario.place("proves", name))
        for text in dict.fromkeys(scenario.rulesets):
            name = cut_part(text)[0]
            if self.workspace.own(name) is None:
                missing = _unknown("ruleset", [name], self.workspace.ids())
                message = f"scenario `{scenario.id}` is played with {missing}"
                reporter.error("TW605", message, scenario.place("game", text))

    # ---------------------------------------------------------- other rulebooks

    def _ids_of_others(self, own: Ruleset, requested: Container[str], reporter: Reporter) -> None:
        for statement in own.statements:
            for other in self._statements.ids(statement.id):
                if other == own.id or (other > own.id and other in requested):
                    continue
                ruleset = self.workspace.own(other)
                if ruleset is None:
                    continue
                if other in self.workspace.lineage(own.id) or own.id in self.workspace.lineage(
                    other
                ):
                    continue
                if own.module.resolved_from or ruleset.module.resolved_from:
                    continue  # a flattened game repeats the statements of its rulesets
                message = f"`{other}` has a statement `{statement.id}` already"
                first = next(each for each in ruleset.statements if each.id == statement.id)
                note = Note(first.span, f"`{other}` declares it here")
                reporter.error("TW609", message, statement.span, notes=(note,))
                break

    def _waiting(self, own: Ruleset, reporter: Reporter) -> None:
        for statement in own.statements:
            for role in statement.awaits:
                place = place_in(statement, "awaits", role)
                waits = f"statement `{statement.id}` awaits `{role}`"
                if provider := self._provider(role, own):
                    reporter.error("TW610", f"{waits}, which `{provider}` provides", place)
                    continue
                # the other number alone: looking for any similar role would read the whole library
                near = role.removesuffix("s") if role.endswith("s") else role + "s"
                if provider := self._provider(near, own):
                    message = f"{waits}, and `{provider}` provides `{near}`"
                    hint = f"write `{near}` if that is what it awaits"
                    reporter.warning("TW610", message, place, hint=hint)

    # -------------------------------------------------------------- consequences and questions

    def _references(self, own: Ruleset, reporter: Reporter) -> None:
        """Statements that follow from rules name them and are proved; statements that compare,
        agree or replace name statements.
        """
        for statement in own.statements:
            for code, key, verb, word, known in (
                ("TW620", "follows_from", "follows from", "rule", self._rule_ids),
                ("TW622", "compares", "compares", "statement", self._statements),
                ("TW622", "agrees", "agrees with", "statement", self._statements),
                ("TW622", "replaces", "replaces", "statement", self._statements),
            ):
                names: tuple[str, ...] = getattr(statement, key)
                unknown = [name for name in dict.fromkeys(names) if name not in known]
                if unknown:
                    message = f"statement `{statement.id}` {verb} "
                    self._advised += 1
                    all_ = known.everything() if self._advised <= _MAX_ADVICE else ()
                    message += _unknown(word, unknown, all_)
                    reporter.error(code, message, place_in(statement, key, unknown[0]))
            parts = {each.id for each in own.pieces} | {each.id for each in own.figures}
            parts |= {each.id for each in own.tokens} | {each.id for each in own.symbols}
            unknown = [name for name in statement.about if name not in parts]
            if unknown:
                message = f"statement `{statement.id}` is about {_unknown('part', unknown, parts)}"
                place = place_in(statement, "about", unknown[0])
                reporter.error("TW622", message, place)
            if statement.follows_from and statement.id not in self._proved:
                message = (
                    f"no scenario proves statement `{statement.id}`, which follows from other rules"
                )
                hint = "name it under `proves:` of a scenario that shows it"
                _gap(own, "TW621", message, statement.span, hint, reporter)

    def _open(self, own: Ruleset, reporter: Reporter) -> None:
        """The option of a question exists, and every other reading is played somewhere."""
        for statement in own.statements:
            for question in statement.questions:
                found = self._questions.look_up(own.id, statement.id, question)
                if question.option and not found.declared_by:
                    message = f"a question of statement `{statement.id}` names an unknown option"
                    message += f" `{question.option}`"
                    message += did_you_mean(question.option, self._questions.options())
                    reporter.error("TW623", message, place_in(question, "option"))
                for reading in found.readings:
                    if not reading.is_default and not reading.scenarios:
                        message = (
                            f"the other reading `{question.option}: {reading.choice}` of statement"
                        )
                        message += f" `{statement.id}` has no scenario"
                        hint = "choose it under `options:` of a scenario that proves something"
                        _gap(own, "TW624", message, place_in(question, "option"), hint, reporter)

    def _provider(self, role: str, own: Ruleset) -> str:
        """A ruleset of the same edition that provides a role, or the empty text."""
        for id_ in self.workspace.providing(role):
            other = self.workspace.own(id_)
            if id_ != own.id and other is not None and other.module.edition == own.module.edition:
                return id_
        return ""


def _statement_ids(own: Ruleset) -> Iterator[str]:
    """The statements of a ruleset."""
    return (statement.id for statement in own.statements)


def _covers(own: Ruleset) -> Iterator[str]:
    """The covered ids of a ruleset's scenarios."""
    return (name for scenario in own.scenarios for name in scenario.covers)


def _rule_ids(own: Ruleset) -> Iterator[str]:
    """Every id of a ruleset that can carry something out."""
    yield from rule_ids(own)
    for kind in (own.values, own.steps, own.definitions, own.roles):
        yield from (thing.id for thing in kind)


def _why_no_rule(statement: Statement) -> str:
    """The property of a statement that excludes a rule; empty when rules are welcome."""
    if statement.no_rule:
        return "has a reason why no rule carries it out"
    if statement.follows_from:
        return "only follows from other rules"
    return "only compares statements" if statement.compares else ""


def _gap(own: Ruleset, code: str, message: str, span: Span, hint: str, reporter: Reporter) -> None:
    """A gap that a house rule may have while it is being tried.

    A house rule without any statement is private: that its rules name none is only a note, which
    `check --publish` makes a warning.
    """
    severity = Severity.WARNING if own.module.kind == "house" else Severity.ERROR
    if severity is Severity.WARNING and code == UNSTATED and not own.statements:
        severity = Severity.NOTE
    reporter.add(Diagnostic(code, severity, message, span, hint=hint))


def _unknown(word: str, names: list[str], known: Iterable[str]) -> str:
    if len(names) == 1:
        return f"an unknown {word} `{names[0]}`{did_you_mean(names[0], known)}"
    return f"unknown {word}s: {', '.join(f'`{name}`' for name in names)}"
