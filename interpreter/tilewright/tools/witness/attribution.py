"""Attribution: which rows of a comparison a parting shows, judged from the rules.

A mark is a part of a game with its kind: `rule x`, `value x`, `step x`. A row has the marks of its
differences. A parting has the marks that it names (the rule that gave the points, the action that
is offered, the rule that bars it) and those that took part since both sides last agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.language.source.text import words_of
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.match import Match
from tilewright.play.notation import PASS, option_texts
from tilewright.tools.explanation.legality import Reason, why_not
from tilewright.tools.explanation.score_log import Award
from tilewright.tools.scenarios.capture import place_text
from tilewright.tools.witness.lockstep import Judge, Lockstep
from tilewright.tools.witness.parting import (
    MOVES,
    NONE,
    Evidence,
    Evidences,
    LockstepDifference,
    Marks,
    Side,
)
from tilewright.view.results.comparison import (
    Comparison,
    ComponentRow,
    RuleRow,
    State,
    StepRow,
    TileRow,
    TopicRow,
    ValueRow,
)
from tilewright.view.results.divergence import Kind, Row, keyed_rows
from tilewright.view.results.impact import Impact

#: under what names the things that reasons of a verdict name are marks
_NAMED_IN = {
    "rules": ("rule",), "values": ("value",), "steps": ("step",), "roles": ("role",),
    "patches": ("rule", "value", "step", "event", "kind", "figure", "token"),
}  # fmt: skip
_DECLARED = ("definition", "event", "memory")
_FACING = " facing "
#: the number of options, for each side, that are checked for why they are not offered
_FEW = 4


# ------------------------------------------------------------------ rows

#: the marks of a row, by side
Sided = tuple[Marks, Marks]


@dataclass(frozen=True, slots=True)
class WantedRow:
    """A row that needs a witness.

    `marks` has its differences and `statements` the statements that a scenario for it proves, both
    by side. A mark outside of `own` belongs to other rows of its kind too; its effects count for
    this row only where a scenario proves a statement of the row, or where they happen in `step`.
    """

    key: str
    marks: Sided
    statements: Sided
    own: Sided
    step: str
    acts: bool  # whether a rule of it does something, and not only answers a question
    all_marks: Marks = field(default=frozenset(), init=False)  # those of both sides
    counts: bool = field(default=False, init=False)  # whether a number is different in it

    def __post_init__(self) -> None:
        marks = self.marks[0] | self.marks[1]
        object.__setattr__(self, "all_marks", marks)
        object.__setattr__(self, "counts", any(mark.startswith("value ") for mark in marks))

    def proven(self, statements: Marks) -> list[int]:
        """The sides on which one of these statements belongs to the row."""
        return [side for side in (0, 1) if self.statements[side] & statements]


def wanted_rows(
    comparison: Comparison, left: int, right: int, uses: tuple[Mapping[str, Marks], ...] = ()
) -> tuple[WantedRow, ...]:
    """The rows in which the differences of two sides affect play.

    `uses` has the references of the rules of both sides: a difference in a value, a figure or a
    mark shows in the effects of the rules that use it.
    """
    differing = differing_marks(comparison, left, right)
    doing = {
        f"rule {cell.id}"
        for rule in comparison.rules
        for cell in rule.cells
        if cell is not None and cell.kind not in ("amendment", *_DECLARED)
    }
    alone = _alone(comparison, left, right)
    found = []
    for key, row in keyed_rows(comparison):
        affects_play = row.verdict.impact in (Impact.BREAKING, Impact.BEHAVIOUR)
        affects_play &= row.verdict.state is not State.BESIDE  # the other row has the board
        if isinstance(row, TileRow) or not affects_play or not _differs(row, left, right):
            continue
        marks = own = marks_of_row(row, left, right)
        if isinstance(row, TopicRow | StepRow):
            # only things that differ
            if (marks[0] | marks[1]) & differing:
                marks = (marks[0] & differing, marks[1] & differing)
            one, two = alone[type(row)]
            own = (marks[0] & one, marks[1] & two)
        elif uses and (
            isinstance(row, ValueRow) or (isinstance(row, ComponentRow) and None in row.cells)
        ):
            one, two = (_users(used, its, differing) for used, its in zip(uses, own, strict=True))
            own = marks = (marks[0] | one, marks[1] | two)
        step = f"step {key.rpartition('/')[2]}" if isinstance(row, StepRow) else ""
        statements = (_statements(row, left), _statements(row, right))
        acts = bool((marks[0] | marks[1]) & doing)
        found.append(WantedRow(key, marks, statements, own, step, acts))
    return tuple(found)


def _alone(comparison: Comparison, left: int, right: int) -> dict[type, Sided]:
    """The marks that belong to one topic only, and those of one step only, by side."""
    count = {kind: (Counter[str](), Counter[str]()) for kind in (TopicRow, StepRow)}
    for _, row in keyed_rows(comparison):
        if isinstance(row, TopicRow | StepRow):
            for times, marks in zip(count[type(row)], marks_of_row(row, left, right), strict=True):
                times.update(marks)
    return {
        kind: (
            frozenset(mark for mark, n in one.items() if n == 1),
            frozenset(mark for mark, n in two.items() if n == 1),
        )
        for kind, (one, two) in count.items()
    }


def _users(uses: Mapping[str, Marks], marks: Marks, differing: Marks) -> Marks:
    """The rules that use what is different, and differ."""
    rules = (f"rule {rule}" for rule, names in uses.items() if marks & names)
    return differing.intersection(rules)


def differing_marks(comparison: Comparison, left: int, right: int) -> Marks:
    """The marks of all rules, values and parts that are not the same on two sides."""
    found: set[str] = set()
    for _, row in keyed_rows(comparison):
        if isinstance(row, TopicRow | StepRow | TileRow):
            continue
        affects_play = row.verdict.state not in (State.SAME, State.REWORDED)
        if affects_play and _differs(row, left, right):
            found = found.union(*marks_of_row(row, left, right))
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


def marks_of_row(row: Row, left: int, right: int) -> Sided:
    """The marks of a row, by side."""
    if isinstance(row, TileRow):
        symbols = frozenset(f"symbol {mark.id}" for mark in (*row.lost, *row.gained))
        return symbols, symbols
    return _marks_of_cell(row, row.cells[left]), _marks_of_cell(row, row.cells[right])


def _marks_of_cell(row: TopicRow | StepRow | ComponentRow | ValueRow | RuleRow, cell: Any) -> Marks:
    if cell is None:
        return NONE
    match row:
        case RuleRow():
            return frozenset((f"{cell.kind if cell.kind in _DECLARED else 'rule'} {cell.id}",))
        case ValueRow():
            return frozenset((f"{row.kind} {row.id}",))
        case ComponentRow():
            return frozenset((f"{row.what} {cell.id}",))
        case StepRow():
            return frozenset((f"step {cell.id}", *(f"rule {rule}" for rule in cell.rules)))
    named = (
        f"{kind} {name}"
        for reason in row.verdict.reasons
        for kind in _NAMED_IN.get(reason.code, ())
        for name in reason.names
    )
    rules = (f"rule {rule}" for rule in cell.rules)
    return frozenset((*rules, *(f"value {value}" for value, _ in cell.values), *named))


def _statements(row: Row, side: int) -> Marks:
    """The statements of a side that a scenario would prove to be about this row."""
    if isinstance(row, TileRow | StepRow | ComponentRow) or row.cells[side] is None:
        return NONE
    cell: Any = row.cells[side]
    is_topic = isinstance(row, TopicRow)
    return frozenset((s.id for s in cell.statements) if is_topic else cell.statements)


# ------------------------------------------------------------------ partings


#: the references of the rules of the leader and of the replica
Uses = tuple[Mapping[str, Marks], Mapping[str, Marks]]


def judge_of(uses: Uses, lead: int) -> Judge:
    """The judge that attributes a parting to marks; `lead` is the number of the leading side, to
    which the first of `uses` belongs.
    """

    def judge(both: Lockstep, parting: LockstepDifference) -> Evidences:
        one, two = _evidences(both, parting, uses)
        return (one, two) if lead == 0 else (two, one)

    return judge


def _evidences(both: Lockstep, parting: LockstepDifference, uses: Uses) -> Evidences:
    """The marks that a parting is about, for the leader and for the replica."""
    sides = (both.leader, both.replica)
    things = _things(parting)
    figures = _of_figures(both, parting)
    acted = [_acted(parting, sides, i) for i in (0, 1)]
    alike = acted[0] & acted[1]
    found = []
    for i, side in enumerate(sides):
        used, match = uses[i], side.match
        named = things | figures[i] | _of_things(sides, parting, i)
        named |= _of_awards(parting.awards[i], parting.awards[1 - i])
        named |= _of_options(match, parting.options[i])
        for option in _spread(parting.own_options[1 - i]):
            named |= {f"rule {r.rule}" for r in _why_not(match, option) if r.rule}
        reached = set(parting.reached[i])
        if Kind.DECISION in parting.kinds and match.to_move >= 0:
            asking = match.program.sites[match.decision_site].rule
            named |= {f"step {match.step}", f"rule {asking}"}
            reached.add(asking)  # it goes on for longer here, by what it read when it began
        touched = named | {f"rule {rule}" for rule in reached}
        touched = touched.union(*(used.get(rule, NONE) for rule in reached))
        near = {
            (f"rule {rule}", mark)
            for rule in side.all_reached
            if f"rule {rule}" not in alike
            for mark in _near(rule, named, used)
        }
        marks = frozenset(named), frozenset(acted[i] - alike)
        found.append(Evidence(*marks, frozenset(near), frozenset(touched)))
    return found[0], found[1]


def _things(parting: LockstepDifference) -> set[str]:
    """The things that differ, on either side."""
    figures = {text.partition(" at ")[0] for places in parting.places for text in places}
    found = {f"figure {words_of(name)[-1]}" for name in figures}
    for tokens in parting.tokens:
        found |= {f"token {words_of(name)[-1]}" for name, _ in tokens}
    found |= {f"stack {stack}" for stacks in parting.stacks for stack, _ in stacks}
    awards = [award for awards in parting.awards for award in awards if award.feature]
    return found | {f"kind {words_of(award.feature)[0]}" for award in awards}


def _acted(parting: LockstepDifference, sides: tuple[Side, Side], i: int) -> set[str]:
    """The rules that moved, turned, gave or paid something on a side."""
    rules = [change.rule for change in sides[i].changes if change.rule and change.event != "draw"]
    return {f"rule {rule}" for rule in (*rules, *(a.rule for a in parting.awards[i]))}


def _of_figures(both: Lockstep, parting: LockstepDifference) -> tuple[set[str], set[str]]:
    """The rules that moved or turned figures to places where the other side has no equal figure;
    for the leader and for the replica.
    """
    one, two = both.leader.match, both.replica.match
    forth = [both.words.say(text, one, two) for text in parting.places[0]]
    back = [both.back.say(text, two, one) for text in parting.places[1]]
    found: list[set[str]] = []
    for side, mine, theirs in (
        (both.leader, parting.places[0], back),
        (both.replica, parting.places[1], forth),
    ):
        spots = {text.partition(_FACING)[0] for text in theirs}
        turned = {text for text in mine if text.partition(_FACING)[0] in spots}
        left = {text.partition(" at ")[0] for text in theirs}
        match = side.match
        rules = set()
        for figure in {
            change.number for change in side.changes if change.event in (*MOVES, "face")
        }:
            name = match.figure_name(figure)
            text = f"{name} at {place_text(match, figure)}"
            if text in mine or (name in left and match.spot[figure] == IN_SUPPLY):
                events = ("face",) if text in turned else MOVES
                moves = [d.rule for d in side.changes if d.number == figure and d.event in events]
                rules |= {f"rule {rule}" for rule in moves[-1:] if rule}
        found.append(rules)
    return found[0], found[1]


def _of_things(sides: tuple[Side, Side], parting: LockstepDifference, i: int) -> set[str]:
    """The rules that gave more tokens on a side than on the other one, or took more out of a stack
    or put more into it."""
    found: set[str] = set()
    if Kind.TOKENS in parting.kinds:
        gave = [_count(side, ("give", "spend")) for side in sides]
        found |= {f"rule {rule}" for rule in gave[i] - gave[1 - i] if rule}
    if Kind.STACKS in parting.kinds:
        took = [_count(side, ("draw", "put")) for side in sides]
        found |= {f"rule {rule}" for rule in took[i] - took[1 - i] if rule}
    return found


def _count(side: Side, events: Sequence[str]) -> Counter[str]:
    return Counter(change.rule for change in side.changes if change.event in events)


def _near(rule: str, named: set[str], used: Mapping[str, Marks]) -> Iterator[str]:
    """The named rules that are linked to a rule: it amends, performs or is performed by them, or it
    writes memory that they read.
    """
    own = used.get(rule, NONE)
    wanted = {f"performs {rule}"}
    for mark in own:
        kind, _, name = mark.partition(" ")
        if kind in _SERVED_BY:
            wanted.add(f"{_SERVED_BY[kind]} {name}")
    for mark in named:
        other = mark.removeprefix("rule ")
        if other not in (mark, rule):
            theirs = used.get(other, NONE)
            if f"performs {other}" in own or wanted & theirs:
                yield mark


#: by what mark of another rule it is known that a rule serves it
_SERVED_BY = {"sets": "memory", "amends": "definition"}


def _of_awards(mine: Iterable[Award], theirs: Iterable[Award]) -> set[str]:
    """The rules and steps of awards, and the rules of the items that the other side has not given
    equally.
    """
    known = {(a.player, i.name, i.points) for a in theirs for i in a.items}
    found = set()
    for award in mine:
        found |= {f"rule {award.rule}", f"step {award.step}"}
        for item in award.items:
            if (award.player, item.name, item.points) not in known:
                found.add(f"rule {item.rule}")
    return found


def _of_options(match: Match, options: Iterable[str]) -> set[str]:
    """The rules by which options are offered, and the step."""
    if match.to_move < 0 or not options:
        return set()
    site = match.program.sites[match.decision_site]
    step = f"step {match.step}"
    if not site.actions:
        return {f"rule {site.rule}", step}
    numbers = {text: number for number, text in enumerate(option_texts(match))}
    values = match.values()
    found = {step}
    for option in options:
        if option == PASS:
            found.add(f"rule {site.rule}")
        else:
            found.add(f"rule {site.actions[values[numbers[option]][0]].id}")
    return found


def _spread(options: tuple[str, ...]) -> tuple[str, ...]:
    """A few options, of different sorts first."""
    by_kind = {words_of(option)[0]: option for option in reversed(options)}
    return tuple(dict.fromkeys([*reversed(by_kind.values()), *options]))[:_FEW]


def _why_not(match: Match, option: str) -> list[Reason]:
    return why_not(match, option) if match.to_move >= 0 else []


def barred(match: Match, options: tuple[str, ...]) -> list[tuple[str, Reason]]:
    """A few options that are not offered, each with the first reason."""
    found = []
    for option in _spread(options):
        reasons = _why_not(match, option)
        if reasons:
            found.append((option, reasons[0]))
    return found
