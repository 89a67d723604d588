"""The short answer of a comparison: at most ten lines, chosen by what changes play most.

A line is a phrase of a ruleset, as long as every statement that it summarises holds, or a row of
topics. Phrases are in the order of their author. Rows are ranked by how often they made two games
part, where this was measured, then as in the rulebook. Lines are taken from each group of topics in
turn, from those first whose rules reach furthest: by phase, and by the tiles that they are about.

Only rulesets that some side lacks, and those that these require, count: an addition to all sides
changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.compose.select import names_of as roles_of
from tilewright.rules.linking.walk import expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.components import merged
from tilewright.tools.comparison.reach import Reach
from tilewright.tools.comparison.sides import ComparedGame
from tilewright.view.results.comparison import (
    Candidate,
    ShortLine,
    ShownStatement,
    State,
    TopicCell,
    TopicGroup,
    TopicRow,
)
from tilewright.view.results.impact import Impact

#: the maximum number of lines
MAX = 10
#: how far a rule reaches by its phase, if it is about every tile
_OF_PHASE = {"turn": 300, "final": 200, "setup": 100}


def short_answer(
    candidates: Sequence[Candidate], most: int, parted: Mapping[str, int] | None = None
) -> tuple[ShortLine, ...]:
    """At most so many lines by heading; `parted` has how often a topic made two games part."""
    topics = {each.line.topic for each in candidates}
    often = parted or {}

    def rank(each: Candidate) -> tuple[bool | int, ...]:
        topic = each.line.topic
        is_detail = any(topic.startswith(f"{other}.") for other in topics)
        aside = () if each.is_phrase else (is_detail, -often.get(topic, 0))
        return (not each.is_play, not each.is_phrase, *aside)

    queues: dict[tuple[str, bool], list[Candidate]] = defaultdict(list)
    for each in candidates:
        queues[each.line.topic.split(".")[0], each.is_private].append(each)
    turns = [
        (not each.is_play, number, rank(each), -each.reach, place, each.line.topic)
        for place, queue in enumerate(queues.values())
        for number, each in enumerate(sorted(queue, key=rank))
    ]
    chosen = {topic for *_, topic in sorted(turns)[:most]}
    return _by_heading(each.line for each in candidates if each.line.topic in chosen)


def room(sides: Sequence[ComparedGame]) -> int:
    """The number of lines that there may be: beside one about the box where one side only adds to
    the others."""
    games = sorted(({r.id for r in side.game.rulesets} for side in sides), key=len)
    return MAX - all(game < games[-1] for game in games[:-1])


def _by_heading(lines: Iterable[ShortLine]) -> tuple[ShortLine, ...]:
    groups: dict[tuple[str, str], list[ShortLine]] = {}
    for line in lines:
        heading = line.heading.get()
        groups.setdefault((heading, "" if heading else line.topic.split(".")[0]), []).append(line)
    return tuple(line for group in groups.values() for line in group)


def candidates_of(
    sides: Sequence[ComparedGame], topics: Sequence[TopicGroup]
) -> tuple[Candidate, ...]:
    """Every line that the answer may have: those with phrases first, in the order of their
    authors, then the other rows that change play."""
    rows = [row for group in topics for row in group.rows]
    related = _related(sides)
    spoken = [_Spoken(side, rows, number, related) for number, side in enumerate(sides)]
    order: list[str] = []
    for each in spoken:
        order = merged(order, each.phrases)
    found: dict[str, Candidate] = {}
    said: set[str] = set()
    for topic in order:
        spoken_of = _line_of(topic, rows, spoken)
        if spoken_of is not None and spoken_of.line.topic not in found:
            found[spoken_of.line.topic] = spoken_of
            said |= {s for each in spoken if topic in each.phrases
                     for s in each.phrases[topic].statements}  # fmt: skip
    private, added = _speaking(sides)
    changed = [row for row in rows if _affects_play(row) and row.topic not in found]
    if found:
        changed = [row for row in changed if _statements(row) & (private | added)]
    if any(each.is_play for each in found.values()) or any(map(_is_play, changed)):
        changed = [row for row in changed if _is_play(row)]  # the box has a place of its own
    alike = (State.SAME, State.BESIDE)
    unlike = [row for row in rows if row.verdict.state not in alike and not row.is_void]
    reach = [_Reached(side) for side in sides]
    for row in changed or ([] if found else unlike):
        own = _own(row)
        if row in changed and any(own) and all(s.is_idle for there in own for s in there):
            continue  # an example, or a sentence about the rules
        if not any(own) or not set().union(*({s.id for s in there} for there in own)) <= said:
            line = _line_from(row, own, spoken)
            is_private = bool(_statements(row) & private)
            far = max(each.of(there) for each, there in zip(reach, own, strict=True))
            found[row.topic] = Candidate(line, False, _is_play(row), is_private, far)
    return tuple(found.values())


# ------------------------------------------------------------------ the rulesets that count


def _related(sides: Sequence[ComparedGame]) -> frozenset[str]:
    """The rulesets that some side lacks, with those that they require; all where none is."""
    books = [{r.id: r for r in side.game.rulesets} for side in sides]
    lacking = [
        r for book in books for id_, r in book.items() if not all(id_ in each for each in books)
    ]
    every = {id_: r for book in books for id_, r in book.items()}
    found = {r.id for r in lacking} or set(every)
    waiting = [every[id_] for id_ in found]
    while waiting:
        needed = {need.role for need in waiting.pop().module.requires}
        for id_, each in every.items():
            if id_ not in found and needed & {*roles_of(each)}:
                found.add(id_)
                waiting.append(each)
    return frozenset(found)


def _speaking(sides: Sequence[ComparedGame]) -> tuple[set[str], set[str]]:
    """The statements of rulesets that are not on every side: of those without a phrase, and of
    those that no other edition opposes, so that phrases do not say what they are about."""
    books = [{r.id: r for r in side.own} for side in sides]
    private: set[str] = set()
    added: set[str] = set()
    for book in books:
        for id_, ruleset in book.items():
            if all(id_ in other for other in books):
                continue
            others = (r for other in books if id_ not in other for r in other.values())
            if not ruleset.phrases:
                private |= {s.id for s in ruleset.statements}
            elif not any({*roles_of(ruleset)} & {*roles_of(other)} for other in others):
                added |= {s.id for s in ruleset.statements}
    return private, added


class _Spoken:
    """The phrases that hold on one side, by topic, and the statements that it keeps."""

    def __init__(
        self, side: ComparedGame, rows: Sequence[TopicRow], number: int, related: frozenset[str]
    ) -> None:
        cells = [row.cells[number] for row in rows]
        lapsed = {s.id for cell in cells if cell for s in cell.statements if s.lapse is not None}
        own = [ruleset for ruleset in side.own if ruleset.id in related]
        unsure = _unsure(side) | lapsed
        patched = {applied.patch.target for applied in side.game.patches}
        values = [v for r in own for v in (r.entire or r).values if v.id in patched]
        known = {statement.id for ruleset in own for statement in ruleset.statements}
        self.phrases: dict[str, m.Phrase] = {}
        self.headings = [phrase for ruleset in own for phrase in ruleset.phrases]
        for phrase in self.headings:  # a ruleset outranks its bases
            cited = set(phrase.statements)
            changed = {v.id for v in values if cited & set(v.statements)}
            if cited <= known and not unsure & cited and changed <= set(phrase.states):
                self.phrases[phrase.topic] = phrase
        self._related = {
            s.id for r in side.game.rulesets if r.id in related for s in r.statements
        }  # fmt: skip

    def kept(self, cell: TopicCell | None) -> m.Labels | None:
        """The first statement of a cell that the side shares with others and that holds."""
        there = cell.statements if cell is not None else ()
        held = [s for s in there if s.lapse is None and s.id in self._related]
        held.sort(key=lambda s: s.is_idle)
        texts = (m.Labels((("en", s.says), *s.translations)) for s in held)
        return next(texts, None)


def _unsure(side: ComparedGame) -> set[str]:
    """Statements that a game may not keep: what carries them out is patched, left out or overruled
    by another ruleset, or an option about them is chosen otherwise than by default."""
    game = side.game
    patched = {applied.patch.target for applied in game.patches}
    there = {rule.rule.head.id for rule in game.rules()}
    overruled = {(id_, rule.ruleset) for rule in game.rules() for id_ in rule.rule.head.over}
    usual = {o.id: o.default for ruleset in game.rulesets for o in ruleset.module.options}
    chosen = usual | dict(game.options)
    found: set[str] = set()
    for ruleset in side.own:
        entire = ruleset.entire or ruleset
        carried: dict[str, bool] = {}
        for rule in entire.rules:
            is_overruled = any(
                id_ == rule.head.id and other != ruleset.id for id_, other in overruled
            )
            if rule.head.id in patched or is_overruled:
                found |= set(rule.head.statements)
            is_there = rule.head.id in there
            if not is_there and any(chosen.get(o) == usual.get(o) for o, _ in rule.head.option):
                continue  # it belongs to another reading
            for statement in rule.head.statements:
                carried[statement] = carried.get(statement, False) or is_there
        found |= {statement for statement, is_there in carried.items() if not is_there}
        others: list[m.StepDecl | m.Role] = [*entire.steps, *entire.roles]
        for thing in others:
            if thing.id in patched:
                found |= set(thing.statements)
        for option in entire.module.options:
            if chosen.get(option.id, option.default) != option.default:
                found |= set(option.statements)
    return found


# ------------------------------------------------------------------ lines


def _line_of(topic: str, rows: Sequence[TopicRow], spoken: Sequence[_Spoken]) -> Candidate | None:
    """The line of a topic with phrases; None where they are one, or no row differs."""
    phrases = [each.phrases.get(topic) for each in spoken]
    if len({phrase and phrase.says for phrase in phrases}) == 1:
        return None
    silent = [number for number, phrase in enumerate(phrases) if phrase is None]
    named = {s for phrase in phrases if phrase is not None for s in phrase.statements}
    about = [row for row in rows if row.topic == topic]
    about += [row for row in rows if named & _statements(row) and row.topic != topic]
    # a statement that holds on all sides is not the other half of a phrase
    told = (State.DIFFERS, State.ONLY, *([] if silent else [State.REWORDED, State.BESIDE]))
    about = [row for row in about if row.verdict.state in told]
    if not about:
        return None
    # a side without a phrase needs a row with a statement of its own
    row = next((row for row in about if any(_own(row)[number] for number in silent)), about[0])
    last = next(phrase for phrase in reversed(phrases) if phrase is not None)
    own = _own(row)
    says = tuple(
        phrase.says if phrase is not None else None if mine else each.kept(cell)
        for each, phrase, mine, cell in zip(spoken, phrases, own, row.cells, strict=True)
    )
    line = ShortLine(row.topic, last.heading, last.aspect, says)
    return Candidate(line, True, any(map(_is_play, about)), False, 0)


def _line_from(
    row: TopicRow, own: Sequence[Sequence[ShownStatement]], spoken: Sequence[_Spoken]
) -> ShortLine:
    """The line of a row; a side without a statement of its own has its phrase, or what it keeps."""
    there = [each.phrases.get(row.topic) for each in spoken]
    says: list[m.Labels | None] = []
    for number, (each, phrase, mine) in enumerate(zip(spoken, there, own, strict=True)):
        if mine or not (any(own) or number < len(own) - 1):
            says.append(None)
        else:
            says.append(phrase.says if phrase is not None else each.kept(row.cells[number]))
    known = [phrase for each in spoken for phrase in each.headings]
    group = row.topic.split(".")[0]
    headings = {p.heading for p in known if p.topic.split(".")[0] == group}
    heading = headings.pop() if len(headings) == 1 else m.NO_LABEL
    # a phrase about a sentence that stays does not name what changes
    differing = {statement.id for mine in own for statement in mine}
    is_told = any(each is not None for each in says)
    aspects = (
        phrase.aspect for phrase in known
        if phrase.topic == row.topic and (is_told or not differing.isdisjoint(phrase.statements))
    )  # fmt: skip
    return ShortLine(row.topic, heading, next(aspects, m.NO_LABEL), tuple(says))


def _own(row: TopicRow) -> list[list[ShownStatement]]:
    """For each side, the statements that some other side lacks."""
    stated = [{(s.says, s.lapse) for s in cell.statements} if cell else set() for cell in row.cells]
    shared = set.intersection(*stated)
    return [
        [s for s in (cell.statements if cell else ()) if (s.says, s.lapse) not in shared]
        for cell in row.cells
    ]


def _statements(row: TopicRow) -> set[str]:
    return {statement.id for cell in row.cells if cell is not None for statement in cell.statements}


def _affects_play(row: TopicRow) -> bool:
    state, impact = row.verdict.state, row.verdict.impact
    if impact in (None, Impact.TEXT) or row.is_void:
        return False
    held = any(s.lapse is None for cell in row.cells if cell for s in cell.statements)
    return state is State.DIFFERS or (state is State.ONLY and row.has_effect and held)


def _is_play(row: TopicRow) -> bool:
    return _affects_play(row) and row.verdict.impact is not Impact.DATA


# ------------------------------------------------------------------ the reach of rules


@dataclass(frozen=True)
class _Reached:
    """How far the rules of a side reach."""

    side: ComparedGame

    def of(self, statements: Iterable[ShownStatement]) -> int:
        """The greatest reach of the rules that carry out statements which hold."""
        held = {s.id for s in statements if s.lapse is None}
        rules = (id_ for each in held for id_ in self._carried.get(each, ()))
        return max((self._rules.get(id_, 0) for id_ in rules), default=0)

    @cached_property
    def _carried(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for rule in self.side.game.rules():
            for statement in rule.rule.head.statements:
                found[statement].append(rule.rule.head.id)
        return found

    @cached_property
    def _rules(self) -> Mapping[str, int]:
        game, reach = self.side.game, Reach(self.side.game)
        marked = {s.id: 0 for s in game.symbols}
        every = sum(piece.count for piece in game.pieces) or 1
        for piece in game.pieces:
            cells = [cell for face in piece.faces for cell in face]
            marks = {*(mark for c in cells for mark in c.symbols),
                     *(mark for c in cells for s in c.segments for mark in s.symbols)}  # fmt: skip
            for mark in marks:
                marked[mark] += piece.count
        shares = {}
        for rule in game.rules():
            named = {e.id for e in expressions_of(rule) if isinstance(e, t.Constant)}
            if about := named & marked.keys():
                shares[rule.rule.head.id] = min(sum(marked[mark] for mark in about) / every, 1)
        roots = {
            id_: far
            for phase, far in _OF_PHASE.items()
            for step in game.phase(phase)
            for id_ in reach.at_step(step)
        }
        return reach.spread(roots, shares)
