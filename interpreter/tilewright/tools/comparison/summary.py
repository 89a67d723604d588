"""The first lines of a comparison: a short summary of each side in a player's words.

Rulesets have their own phrases, by topic. A phrase is used for a side only while every statement
that it summarises holds there; without a phrase, the rows with the greatest impact are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.sides import ComparedGame
from tilewright.view.results.comparison import ShortLine, State, TopicGroup, TopicRow
from tilewright.view.results.impact import Impact

#: maximum number of lines in a table
MAX = 10
#: and so many of these are left to rulesets without phrases, such as house rules
_ROOM = 3
#: of one group of topics so many rows speak before others have their turn
_OF_ONE_GROUP = 4
#: how rows without a phrase are ordered: what differs, then what one side alone has
_STATES = (State.DIFFERS, State.ONLY, State.REWORDED)


def short_lines(
    sides: Sequence[ComparedGame], topics: Sequence[TopicGroup]
) -> tuple[ShortLine, ...]:
    """At most `MAX` lines, those with phrases first, in the order that their authors gave them."""
    rows = [row for group in topics for row in group.rows]
    phrases = [_phrases_of(side, _lapsed(rows, number)) for number, side in enumerate(sides)]
    found: dict[str, ShortLine] = {}
    for topic in _merged([list(each) for each in phrases]):
        there = [each.get(topic) for each in phrases]
        line = _line_of(topic, there, rows)
        if line is not None:
            found.setdefault(line.topic, line)
    lines = _by_heading(found.values())
    others = list(_rows_without_phrase(sides, rows, set(found), has_phrases=bool(lines)))
    kept = max(MAX - len(others), min(len(lines), MAX - _ROOM)) if lines else 0
    more = [_line_from(row, sides, phrases) for row in others[: MAX - len(lines[:kept])]]
    lines = _by_heading([*lines[:kept], *more])
    return tuple(lines[:MAX])


def _line_of(
    topic: str, phrases: Sequence[m.Phrase | None], rows: Sequence[TopicRow]
) -> ShortLine | None:
    """The line of a topic with phrases; None where they are one, or no row differs."""
    if len({phrase and phrase.says for phrase in phrases}) == 1:
        return None
    silent = [number for number, phrase in enumerate(phrases) if phrase is None]
    named = {s for phrase in phrases if phrase is not None for s in phrase.statements}
    about = [row for row in rows if row.topic == topic]
    about += [row for row in rows if named & _statements(row) and row.topic != topic]
    about = [row for row in about if not row.verdict.is_same]
    if not about:
        return None
    # a side without a phrase needs a row with a statement of its own
    row = next((row for row in about if any(_own(row)[number] for number in silent)), about[0])
    last = next(phrase for phrase in reversed(phrases) if phrase is not None)
    says = tuple(None if phrase is None else phrase.says for phrase in phrases)
    return ShortLine(row.topic, last.heading, last.aspect, says)


def _line_from(
    row: TopicRow, sides: Sequence[ComparedGame], phrases: Sequence[Mapping[str, m.Phrase]]
) -> ShortLine:
    """The summary line of a row; a phrase is used where a side has no statement of its own."""
    own = _own(row)
    there = [each.get(row.topic) for each in phrases]
    if not any(own):
        there[-1] = None
    says = tuple(
        None if is_own or phrase is None else phrase.says
        for is_own, phrase in zip(own, there, strict=True)
    )
    known = [p for side in sides for r in side.own for p in r.phrases]
    group = row.topic.split(".")[0]
    heading = next((p.heading for p in known if p.topic.split(".")[0] == group), m.NO_LABEL)
    aspect = next((p.aspect for p in known if p.topic == row.topic), m.NO_LABEL)
    return ShortLine(row.topic, heading, aspect, says)


def _own(row: TopicRow) -> list[bool]:
    """For each side, whether it has a statement that some other side lacks."""
    stated = [{(s.says, s.lapse) for s in cell.statements} if cell else set() for cell in row.cells]
    shared = set.intersection(*stated)
    return [bool(sentences - shared) for sentences in stated]


def _merged(orders: Sequence[Sequence[str]]) -> list[str]:
    """Topics of several lists merged into one; each follows its predecessor in its list."""
    found: list[str] = []
    for order in orders:
        at = 0
        for topic in order:
            if topic in found:
                at = found.index(topic) + 1
            else:
                found.insert(at, topic)
                at += 1
    return found


def _by_heading(lines: Iterable[ShortLine]) -> list[ShortLine]:
    """Lines grouped by heading."""
    groups: dict[str, list[ShortLine]] = {}
    for line in lines:
        groups.setdefault(line.heading.get(), []).append(line)
    return [line for group in groups.values() for line in group]


def _statements(row: TopicRow) -> set[str]:
    return {statement.id for cell in row.cells if cell is not None for statement in cell.statements}


# ------------------------------------------------------------------ phrases that hold


def _lapsed(rows: Sequence[TopicRow], side: int) -> set[str]:
    """Statements that do not hold on a side any more."""
    cells = [row.cells[side] for row in rows]
    return {s.id for cell in cells if cell for s in cell.statements if s.lapse is not None}


def _phrases_of(side: ComparedGame, lapsed: set[str]) -> dict[str, m.Phrase]:
    """The phrases that hold on a side, by topic; a ruleset outranks its bases."""
    unsure = _unsure(side) | lapsed
    known = {statement.id for ruleset in side.own for statement in ruleset.statements}
    found: dict[str, m.Phrase] = {}
    for ruleset in side.own:
        for phrase in ruleset.phrases:
            if known.issuperset(phrase.statements) and not unsure & set(phrase.statements):
                found[phrase.topic] = phrase
    return found


def _unsure(side: ComparedGame) -> set[str]:
    """Statements that a game may not keep: what carries them out is patched, left out or overruled
    by another ruleset, or an option about them is chosen otherwise than by default."""
    game = side.game
    patched = {applied.patch.target for applied in game.patches}
    there = {rule.rule.head.id for rule in game.rules()}
    overruled = {(id_, rule.ruleset) for rule in game.rules() for id_ in rule.rule.head.over}
    chosen = dict(game.options)
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
            for statement in rule.head.statements:
                carried[statement] = carried.get(statement, False) or rule.head.id in there
        found |= {statement for statement, is_there in carried.items() if not is_there}
        others: list[m.ValueDecl | m.StepDecl | m.Role] = [
            *entire.values,
            *entire.steps,
            *entire.roles,
        ]
        for thing in others:
            if thing.id in patched:
                found |= set(thing.statements)
        for option in entire.module.options:
            if chosen.get(option.id, option.default) != option.default:
                found |= set(option.statements)
    return found


# ------------------------------------------------------------------ rows that speak for themselves


def _rows_without_phrase(
    sides: Sequence[ComparedGame], rows: Sequence[TopicRow], covered: set[str], *, has_phrases: bool
) -> Iterator[TopicRow]:
    """Rows that differ and have no line yet, the gravest first. Beside lines with phrases only what
    rulesets say that have none and are not on every side."""
    left = [row for row in rows if row.topic not in covered and _affects_play(row)]
    if has_phrases:
        silent = _silent(sides)
        left = [row for row in left if _statements(row) & silent]
    left = left or ([] if has_phrases else [r for r in rows if not r.verdict.is_same])
    of_group: dict[str, int] = {}
    for row in sorted(left, key=_rank):
        group = row.topic.split(".")[0]
        of_group[group] = of_group.get(group, 0) + 1
        if of_group[group] <= _OF_ONE_GROUP:
            yield row


def _silent(sides: Sequence[ComparedGame]) -> set[str]:
    """Statements of rulesets without a phrase that are not on every side."""
    books: list[Mapping[str, m.Ruleset]] = [{r.id: r for r in side.own} for side in sides]
    shared = set.intersection(*(set(book) for book in books))
    return {
        statement.id
        for book in books
        for id_, ruleset in book.items()
        if id_ not in shared and not ruleset.phrases
        for statement in ruleset.statements
    }


def _affects_play(row: TopicRow) -> bool:
    state, impact = row.verdict.state, row.verdict.impact
    if impact in (None, Impact.TEXT):
        return False
    return state is State.DIFFERS or (state is State.ONLY and row.has_effect)


def _rank(row: TopicRow) -> tuple[int, int]:
    impact, state = row.verdict.impact, row.verdict.state
    rank = impact.rank if impact is not None else len(Impact)
    return rank, _STATES.index(state) if state in _STATES else len(_STATES)
