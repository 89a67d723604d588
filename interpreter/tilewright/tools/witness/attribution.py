"""Which rows of a comparison a parting shows: what the rules themselves say of it.

A mark is a part of a game with its sort: `rule x`, `value x`, `step x`. A row has the marks of what
is different in it. A parting has those that it names (the rule that gave the points, the action
that is offered, the rule that bars it) and those that took part since both sides stood alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tilewright.language import typed_ast as t
from tilewright.language.builtins import VerbDecl
from tilewright.linking.game import Game, LinkedAmendment
from tilewright.linking.walk import default_of, effects_of, expressions_of
from tilewright.results.comparison import (
    Comparison,
    ComponentRow,
    RuleRow,
    State,
    StepRow,
    TileRow,
    TopicRow,
    ValueRow,
)
from tilewright.results.divergence import Row, Sort, keyed_rows
from tilewright.results.impact import Severity
from tilewright.runtime.match import Match
from tilewright.runtime.notation import PASS, option_texts
from tilewright.tools.explanation.legality import Reason, why_not
from tilewright.tools.explanation.score_log import Award
from tilewright.tools.witness.lockstep import Duet, Judge
from tilewright.tools.witness.parting import Evidence, Parting

Marks = frozenset[str]
NONE: Marks = frozenset()

#: under what names the things that reasons of a verdict name are marks
_NAMED_IN = {
    "rules": ("rule",), "values": ("value",), "steps": ("step",), "roles": ("role",),
    "patches": ("rule", "value", "step", "event", "kind", "figure", "token"),
}  # fmt: skip
#: what things in a text are called in a table of parts
_PARTS = {
    "feature kind": "kind", "figure kind": "figure", "figure": "figure", "role": "role",
    "symbol": "symbol", "token": "token", "stack": "stack",
}  # fmt: skip
_DECLARED = ("definition", "event", "memory")
#: of each side so many options are asked why they are not offered
_FEW = 4


# ------------------------------------------------------------------ rows


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row that wants a witness, what is different in it, and what a scenario of it proves."""

    key: str
    marks: Marks
    statements: frozenset[str]
    acts: bool  # whether a rule of it does something, and not only answers a question


def wanted_rows(
    comparison: Comparison, left: int, right: int, uses: tuple[Mapping[str, Marks], ...] = ()
) -> tuple[Wanted, ...]:
    """The rows in which two sides differ so that the game goes otherwise.

    `uses` tells what the rules of both sides use: a question, a memory, a value, a figure or a mark
    that one side alone has shows in what is done by the rules that use it.
    """
    rows = [
        (key, row)
        for key, row in keyed_rows(comparison)
        if row.verdict.severity in (Severity.BREAKING, Severity.BEHAVIOUR)
    ]
    differing = differing_marks(comparison, left, right)
    doing = {
        f"rule {cell.id}"
        for rule in comparison.rules
        for cell in rule.cells
        if cell is not None and cell.kind not in ("amendment", *_DECLARED)
    }
    found = []
    for key, row in rows:
        if isinstance(row, TileRow):
            continue
        if not _differs(row, left, right):
            continue
        marks = marks_of_row(row, left, right)
        # of a topic and of a step only what is not the same
        if isinstance(row, TopicRow | StepRow):
            own = marks & differing
            marks = own or marks
        elif isinstance(row, RuleRow | ValueRow | ComponentRow):
            marks |= {
                f"rule {rule}"
                for used in uses
                for rule, names in used.items()
                if marks & names and f"rule {rule}" in differing
            }
        found.append(Wanted(key, marks, _statements(row, left, right), bool(marks & doing)))
    return tuple(found)


def differing_marks(comparison: Comparison, left: int, right: int) -> Marks:
    """The marks of all rules, values and parts that are not the same on two sides."""
    found: set[str] = set()
    for _, row in keyed_rows(comparison):
        if isinstance(row, TopicRow | StepRow | TileRow):
            continue
        is_law = row.verdict.state not in (State.SAME, State.REWORDED)
        if is_law and _differs(row, left, right):
            found |= marks_of_row(row, left, right)
    for step in comparison.turn:
        if None in (step.cells[left], step.cells[right]):
            found |= {f"step {c.id}" for c in step.cells if c is not None}
    return frozenset(found)


def _differs(row: Row, left: int, right: int) -> bool:
    """Whether these two sides differ, where there are more."""
    if isinstance(row, TileRow):
        return (row.left, row.right) == (left, right)
    one, two = row.cells[left], row.cells[right]
    if one is None or two is None:
        return one is not two
    if len(row.cells) == 2:
        return True
    match row:
        case ValueRow():
            return row.cells[left].value != row.cells[right].value  # type: ignore[union-attr]
        case RuleRow():
            return row.cells[left].text != row.cells[right].text  # type: ignore[union-attr]
    return one != two


def marks_of_row(row: Row, left: int, right: int) -> Marks:
    """What a row is about."""
    if isinstance(row, TileRow):
        return frozenset(f"symbol {mark.id}" for mark in (*row.lost, *row.gained))
    cells = [cell for cell in (row.cells[left], row.cells[right]) if cell is not None]
    match row:
        case RuleRow():
            return frozenset(
                f"{cell.kind if cell.kind in _DECLARED else 'rule'} {cell.id}"  # type: ignore[union-attr]
                for cell in cells
            )
        case ValueRow():
            return frozenset((f"{row.kind} {row.id}",))
        case ComponentRow():
            return frozenset(f"{row.what} {cell.id}" for cell in cells)  # type: ignore[union-attr]
        case StepRow():
            steps = {f"step {cell.id}" for cell in cells}  # type: ignore[union-attr]
            return frozenset(steps | {f"rule {r}" for cell in cells for r in cell.rules})  # type: ignore[union-attr]
        case TopicRow():
            rules = {f"rule {r}" for cell in cells for r in cell.rules}  # type: ignore[union-attr]
            values = {f"value {v}" for cell in cells for v, _ in cell.values}  # type: ignore[union-attr]
            named = {
                f"{sort} {name}"
                for reason in row.verdict.reasons
                for sort in _NAMED_IN.get(reason.code, ())
                for name in reason.names
            }
            return frozenset(rules | values | named)
    return NONE


def _statements(row: Row, left: int, right: int) -> frozenset[str]:
    """The statements that a scenario would prove to be about this row."""
    if isinstance(row, TileRow | StepRow | ComponentRow):
        return frozenset()
    if isinstance(row, TopicRow):
        books = (row.cells[left], row.cells[right])
        return frozenset(s.id for cell in books if cell is not None for s in cell.statements)
    laws = (row.cells[left], row.cells[right])
    return frozenset(s for law in laws if law is not None for s in law.statements)


# ------------------------------------------------------------------ partings


def judge_of(one: Mapping[str, Marks], two: Mapping[str, Marks]) -> Judge:
    """What tells of a parting what it is about; `one` and `two` are what the rules of the leader
    and of the echo use."""

    def judge(both: Duet, parting: Parting) -> Evidence:
        return _evidence(both, parting, (one, two))

    return judge


def _evidence(
    both: Duet, parting: Parting, uses: tuple[Mapping[str, Marks], Mapping[str, Marks]]
) -> Evidence:
    named: set[str] = set()
    sides = (both.lead.match, both.echo.match)
    touched: set[str] = set()
    for rules, used in zip(parting.reached, uses, strict=True):
        for rule in rules:
            touched.add(f"rule {rule}")
            touched |= used.get(rule, NONE)
    for mine, theirs in (parting.awards, parting.awards[::-1]):
        named |= _of_awards(mine, theirs)
    for match, alone, asked in zip(sides, parting.options, parting.asked[::-1], strict=True):
        named |= _of_options(match, alone)
        for option in _spread(asked):
            named |= {f"rule {r.rule}" for r in _why_not(match, option) if r.rule}
    if Sort.DECISION in parting.sorts:
        for match in sides:
            if match.asked >= 0:
                named |= {f"step {match.step}", f"rule {match.program.sites[match.site].rule}"}
    for places in parting.places:
        named |= {f"figure {place.partition(' at ')[0].split()[-1]}" for place in places}
    for tokens in parting.tokens:
        named |= {f"token {name.split()[-1]}" for name, _ in set(tokens)}
    named |= {f"stack {stack}" for stacks in parting.stacks for stack, _ in stacks}
    named |= {
        f"kind {award.feature.split()[0]}"
        for awards in parting.awards
        for award in awards
        if award.feature
    }
    near = {
        f"rule {rule}"
        for side, used in zip((both.lead, both.echo), uses, strict=True)
        for rule in side.ever
        if _is_near(rule, named, used)
    }
    return Evidence(frozenset(named), frozenset(touched | named), frozenset(near))


def _is_near(rule: str, named: set[str], used: Mapping[str, Marks]) -> bool:
    """Whether a rule answers a question of a named rule, performs one, is performed by one, or sets
    what one remembers."""
    own = used.get(rule, NONE)
    kept = {mark.partition(" ")[2] for mark in own if mark.startswith("sets ")}
    answered = {mark.partition(" ")[2] for mark in own if mark.startswith("answers ")}
    for mark in named:
        other = mark.removeprefix("rule ")
        if other in (mark, rule):
            continue
        theirs = used.get(other, NONE)
        if f"performs {other}" in own or f"performs {rule}" in theirs:
            return True
        if any(f"definition {question}" in theirs for question in answered):
            return True
        if any(f"memory {name}" in theirs for name in kept):
            return True
    return False


def _of_awards(mine: Iterable[Award], theirs: Iterable[Award]) -> set[str]:
    """The rules of awards, and of those items that the other side has not given alike."""
    known = {(a.player, i.name, i.points) for a in theirs for i in a.items}
    found = set()
    for award in mine:
        found.add(f"rule {award.rule}")
        for item in award.items:
            if (award.player, item.name, item.points) not in known:
                found.add(f"rule {item.rule}")
    return found


def _of_options(match: Match, options: Iterable[str]) -> set[str]:
    """The rules by which options are offered."""
    if match.asked < 0 or not options:
        return set()
    site = match.program.sites[match.site]
    if not site.actions:
        return {f"rule {site.rule}"}
    numbers = {text: number for number, text in enumerate(option_texts(match))}
    values = match.values()
    found = set()
    for option in options:
        if option == PASS:
            found.add(f"rule {site.rule}")
        else:
            found.add(f"rule {site.actions[values[numbers[option]][0]].id}")
    return found


def _spread(options: tuple[str, ...]) -> tuple[str, ...]:
    """A few options, of different sorts first."""
    by_sort = {option.split()[0]: option for option in reversed(options)}
    return tuple(dict.fromkeys([*reversed(by_sort.values()), *options]))[:_FEW]


def _why_not(match: Match, option: str) -> list[Reason]:
    return why_not(match, option) if match.asked >= 0 else []


def barred(match: Match, options: tuple[str, ...]) -> list[tuple[str, Reason]]:
    """A few options that are not offered, each with the first reason."""
    found = []
    for option in _spread(options):
        reasons = _why_not(match, option)
        if reasons:
            found.append((option, reasons[0]))
    return found


# ------------------------------------------------------------------ what rules use


def used_by_rules(game: Game) -> dict[str, Marks]:
    """For each rule what its text names: values, questions, memories, events, parts; the question
    that it answers, and the rules that it performs."""
    found: dict[str, Marks] = {}
    asked: dict[str, set[str]] = {}
    for definition in game.definitions.values():
        inner = default_of(definition)
        asked[definition.id] = {f"definition {definition.id}"} | {
            f"value {each.id}" for each in inner if isinstance(each, t.Value)
        }
    for rule in game.rules():
        marks = {f"option {name}" for name, _ in rule.rule.head.option}
        if isinstance(rule, LinkedAmendment):
            marks |= asked[rule.rule.definition] | {f"answers {rule.rule.definition}"}
        for effect in effects_of(rule):
            match effect:
                case t.Announce(event) | t.Verb(VerbDecl(announces=event)) if event:
                    marks.add(f"event {event}")
                case (
                    t.Assign(t.Target("memory", name))
                    | t.Add(t.Target("memory", name))
                    | t.Drop(t.Target("memory", name))
                ):
                    marks.add(f"sets {name}")
                case t.Perform(procedure):
                    marks.add(f"performs {game.procedures[procedure].id}")
        for each in expressions_of(rule):
            match each:
                case t.Value(id_):
                    marks.add(f"value {id_}")
                case t.Memory(id_):
                    marks.add(f"memory {id_}")
                case t.DefinitionCall(definition_id):
                    marks |= asked.get(definition_id, set())
                case t.Constant(category, id_) if category in _PARTS:
                    marks.add(f"{_PARTS[category]} {id_}")
        found[rule.rule.head.id] = frozenset(marks)
    return found
