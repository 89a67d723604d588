"""Statements of several rulesets aligned by topic, and the effect of each topic in the rules.

Wording alone never makes a topic differ. A topic differs by its rules, its values and options, its
steps and roles, and, where no rule is concerned, by the numbers in its text. Things that all games
have are not a difference, even if only one rulebook mentions them there.

A difference that a ruleset documents brings the compared statements into the row of its topic; a
one-sided topic with no other statements then has no row. Statements that are declared to agree
share a row and make no difference, whatever their rules. Contradictions within one side, and
statements that await missing components, are not differences between the sides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from tilewright.rules.linking.inventory import labels_in
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.reach import Beside
from tilewright.tools.comparison.sides import ComparedGame
from tilewright.tools.comparison.statements import MEANS, Effect, SideStatements
from tilewright.view.results.comparison import (
    Documented,
    Reason,
    State,
    TopicCell,
    TopicGroup,
    TopicRow,
    Verdict,
)
from tilewright.view.results.impact import Impact
from tilewright.view.rule_sentences import phrase


def changed_roles(
    before: ComparedGame, after: ComparedGame, names: Sequence[str]
) -> Iterator[m.Labels]:
    """Changes of the roles with these names on the first side: the figures that may take them
    as well, with all roles of each in one phrase; else what a role is for now, and was before."""
    more: dict[str, list[m.Labels]] = defaultdict(list)
    others: list[m.Labels] = []
    for name in dict.fromkeys(names):
        old, new = _role(before, name), _role(after, name)
        known = {before.names.of("figure", id_) for id_ in old.figures}
        came = [id_ for id_ in new.figures if after.names.of("figure", id_) not in known]
        is_kept = len(new.figures) - len(came) == len(known) and before.names.of(
            "kind", old.on
        ) == after.names.of("kind", new.on)
        for id_ in came if is_kept else ():
            more[id_].append(new.label)
        if not is_kept:
            others.append(
                phrase(
                    "rule.instead",
                    what=phrase("rule.a_role", role=new.label),
                    after=_holders(after, new),
                    before=_holders(before, old),
                )
            )
    labels = labels_in(after.game, "figure")
    for id_, roles in more.items():
        yield phrase("rule.more_roles", figure=labels[id_], roles=m.joined_labels(roles, ", "))
    yield from others


def _role(side: ComparedGame, name: str) -> m.Role:
    return next(role for role in side.game.roles if side.names.of("role", role.id) == name)


def _holders(side: ComparedGame, role: m.Role) -> m.Labels:
    """The figures that may take a role, and where."""
    labels = labels_in(side.game, "figure", "kind")
    figures = m.joined_labels([labels[id_] for id_ in role.figures], ", ")
    return phrase("rule.role_of", figures=figures, place=labels[role.on])


# ------------------------------------------------------------------ topics


#: by means, what all games have
Shared = Mapping[str, frozenset[object]]


def compare_topics(
    sides: Sequence[ComparedGame],
    labels: Mapping[str, m.Labels],
    differing_data: frozenset[str] = frozenset(),
) -> tuple[TopicGroup, ...]:
    """All topics in groups: those in which most is different come first.

    `differing_data` are the parts of the data, such as tiles, that are not the same on all sides.
    """
    books = [SideStatements(side) for side in sides]
    beside = Beside(sides)
    documented = _documented(books)
    agreed = _agreed(books)
    shared = {
        means: frozenset.intersection(*(frozenset(book.all[means]) for book in books))
        for means in MEANS
    }
    order: dict[str, None] = {}
    for book in books:
        order.update(dict.fromkeys(book.topics))
    order.update(dict.fromkeys(documented))
    rows = [
        _row(topic, books, documented.get(topic, ()), agreed, shared, differing_data, beside)
        for topic in order
        if not _is_covered_elsewhere(topic, books, documented, agreed)
    ]
    groups: dict[str, list[TopicRow]] = defaultdict(list)
    for row in _said_once([row for row in rows if not _is_kept(row, books)]):
        groups[row.topic.split(".")[0]].append(row)
    found = [
        TopicGroup(id_, labels.get(id_, m.Labels((("en", id_),))), tuple(rows))
        for id_, rows in groups.items()
    ]
    found.sort(key=lambda group: -sum(_weight(row) for row in group.rows))
    return tuple(found)


def _said_once(rows: Sequence[TopicRow]) -> list[TopicRow]:
    """The rows without those whose statements are all in another row, which gets their documented
    differences."""
    told = [row for row in rows if row.verdict.state is State.DIFFERS]
    said = {
        row.topic: {s.id for cell in row.cells if cell for s in cell.statements} for row in rows
    }
    within: dict[str, str] = {}
    for place, row in enumerate(told):
        for other_place, other in enumerate(told):
            here, there = said[row.topic], said[other.topic]
            if here < there or (here == there and other_place < place):
                within.setdefault(row.topic, other.topic)
    moved: dict[str, list[Documented]] = defaultdict(list)
    for row in told:
        topic = row.topic
        while topic in within:
            topic = within[topic]
        moved[topic] += row.differences
    return [
        replace(row, differences=tuple(moved[row.topic])) if row.topic in moved else row
        for row in rows if row.topic not in within
    ]  # fmt: skip


def _is_kept(row: TopicRow, books: Sequence[SideStatements]) -> bool:
    """Whether a topic is only of rulesets beneath all sides, and all of them keep it: what may
    change it beside has rows of its own."""
    there = zip(row.cells, books, strict=True)
    if any(s.id in book.own for cell, book in there if cell for s in cell.statements):
        return False
    if row.verdict.state is State.BESIDE:
        names = {name for reason in row.verdict.reasons for name in reason.names}
        return all(any(name in book.topics for book in books) for name in names)
    return row.verdict.impact in (None, Impact.TEXT)


def _weight(row: TopicRow) -> int:
    if row.verdict.impact in (None, Impact.TEXT) or row.verdict.state is State.BESIDE:
        return 0
    return 3 if row.verdict.state is State.DIFFERS else 1


# -------------------------------------------------------------------- documented differences


@dataclass(frozen=True, slots=True)
class DocumentedBy:
    """A statement that compares others. `is_within`: these are all on one side."""

    statement: m.Statement
    tags: tuple[str, ...]
    is_within: bool


def _documented(books: Sequence[SideStatements]) -> dict[str, list[DocumentedBy]]:
    """The documented differences between these sides, or within one, by topic."""
    # statements with equal wording on two sides are one statement, whatever their ids
    worded = [
        {id_: (s.topic, book.side.names.wording(s.wording)) for id_, s in book.by_id.items()}
        for book in books
    ]
    words = {id_: each for there in worded for id_, each in there.items()}
    stated = [set(there.values()) for there in worded]
    waiting = {id_ for book in books for id_, s in book.by_id.items() if s.awaits}
    found: dict[str, DocumentedBy] = {}
    for book in books:
        for statement in (s for id_, s in book.by_id.items() if id_ in book.own):
            known = {words[id_] for id_ in statement.compares if id_ in words}
            compared = [frozenset(known & there) for there in stated]
            sides = [there for there in compared if there]
            # a ruleset may document a difference about a thing that only the other side has
            is_of_others = len(sides) == 1 and not any(
                there and words[statement.id] in documented
                for there, documented in zip(compared, stated, strict=True)
            )
            is_between = is_of_others or (len(sides) > 1 and len(set(compared)) > 1)
            is_within = len(sides) == 1 and len(known) == len(statement.compares)
            if waiting.issuperset(statement.compares):
                is_between, is_within = False, len(sides) == 1  # its box is on no side
            if is_between or is_within:
                found.setdefault(
                    statement.id, DocumentedBy(statement, book.cited(statement), not is_between)
                )
    by_topic: dict[str, list[DocumentedBy]] = defaultdict(list)
    for documented in found.values():
        by_topic[documented.statement.topic].append(documented)
    return by_topic


#: by side and id, the statements of other sides that mean the same
Agreed = Sequence[Mapping[str, frozenset[str]]]


def _agreed(books: Sequence[SideStatements]) -> Agreed:
    """Equivalent statements of other sides: those declared to agree, and those that a change has
    kept.
    """
    same: dict[str, set[str]] = defaultdict(set)
    for book in books:
        for id_ in book.kept:
            same[id_].add(id_)
        for statement in book.by_id.values():
            for other in statement.agrees:
                same[statement.id].add(other)
                same[other].add(statement.id)
    found = []
    for number, book in enumerate(books):
        others = [other for k, other in enumerate(books) if k != number]
        agreeing = {
            id_: [same[id_] & other.by_id.keys() - other.lapses.keys() for other in others]
            for id_ in book.by_id
            if id_ in same and id_ not in book.lapses
        }
        found.append({
            id_: frozenset().union(*there) for id_, there in agreeing.items() if all(there)
        })  # fmt: skip
    return found


def _is_covered_elsewhere(
    topic: str,
    books: Sequence[SideStatements],
    documented: Mapping[str, Sequence[DocumentedBy]],
    agreed: Agreed,
) -> bool:
    """Whether a one-sided topic is covered by other rows: by a documented difference there, or by
    an equivalent statement of another side.
    """
    if topic in documented:
        return False
    there = [(k, book.topics[topic]) for k, book in enumerate(books) if book.topics.get(topic)]
    if not len(there) == 1 < len(books):
        return False
    between = [
        one
        for every_documented in documented.values()
        for one in every_documented
        if not one.is_within
    ]
    named = {id_ for one in between for id_ in one.statement.compares}
    side, statements = there[0]
    return all(
        s.id in named or agreed[side].get(s.id, frozenset()) & set(s.agrees) for s in statements
    )


# ------------------------------------------------------------------ one row


def _row(
    topic: str,
    books: Sequence[SideStatements],
    documented: Sequence[DocumentedBy],
    agreed: Agreed,
    shared: Shared,
    differing_data: frozenset[str],
    beside: Beside,
) -> TopicRow:
    every_documented = [each.statement for each in documented]
    between = [each.statement for each in documented if not each.is_within]
    own = _spoken(books, [book.statements(topic, between) for book in books])
    # two texts of one side are shown together only if the other sides have none
    is_alone = len([statements for statements in own if statements]) < 2
    shown_on = _spoken(
        books,
        [book.statements(topic, every_documented if is_alone else between) for book in books],
    )
    named = {  # the equivalents of the statements here, from any topic
        id_ for k, statements in enumerate(own) for each in statements
        for id_ in agreed[k].get(each.id, ())
    }  # fmt: skip
    for book, shown, counted in zip(books, shown_on, own, strict=True):
        more = [
            each for each in book.by_id.values()
            if each.id in named and each not in shown and each.agrees
        ]  # fmt: skip
        shown += more
        counted += more
    cells = tuple(book.cell(s) for book, s in zip(books, shown_on, strict=True))
    # an agreed statement makes no difference, whatever rules carry it out
    here = {each.id for statements in own for each in statements}
    open_ = [
        [each for each in statements if not agreed[k].get(each.id, frozenset()) & here]
        for k, statements in enumerate(own)
    ]
    effects = [book.effect(statements) for book, statements in zip(books, open_, strict=True)]
    there = [effect for effect, cell in zip(effects, cells, strict=True) if cell is not None]
    verdict, has_effect = _verdict(cells, books, there, between, shared, differing_data)
    if verdict.state in (State.SAME, State.REWORDED) and not between:
        names = {
            name for k, book in enumerate(books)
            for name in book.beside(topic, open_[k], k, beside) if name != topic
        }  # fmt: skip
        if names:
            reason = Reason("beside", tuple(sorted(names)))
            verdict = Verdict(State.BESIDE, Impact.BEHAVIOUR, (reason,))
    if verdict.state is State.DIFFERS:
        cells = _detailed(cells, books, shown_on, effects, verdict)
    differences = tuple(
        Documented(
            d.statement.id,
            d.statement.says,
            d.statement.authority.value,
            d.tags,
            d.statement.compares,
            d.statement.translations,
            d.is_within,
        )
        for d in documented
    )
    return TopicRow(topic, cells, has_effect, verdict, differences)


def _spoken(
    books: Sequence[SideStatements], found: Sequence[Sequence[m.Statement]]
) -> list[list[m.Statement]]:
    """The statements of each side on a topic. Those that a side only keeps are there for a side
    that has none of its own, and where they hold on one side and on another one do not."""
    is_all_own = all(
        any(s.id in book.own for s in there) for book, there in zip(books, found, strict=True)
    )
    held = [
        {(s.says, s.id in book.lapses) for s in there}
        for book, there in zip(books, found, strict=True)
    ]
    parted = {
        says for says, ended in set().union(*held) if any((says, not ended) in x for x in held)
    }
    return [
        [s for s in there if not is_all_own or s.id in book.own or s.says in parted]
        for book, there in zip(books, found, strict=True)
    ]


def _verdict(
    cells: Sequence[TopicCell | None],
    books: Sequence[SideStatements],
    there: Sequence[Effect],
    documented: Sequence[m.Statement],
    shared: Shared,
    differing_data: frozenset[str],
) -> tuple[Verdict, bool]:
    """How the cells of a row compare, and whether the topic has any effect in the game."""
    is_full = None not in cells
    has_effect = any(effect.acts for effect in there)
    reasons, impact = _reasons(there, shared) if is_full or len(there) > 1 else ([], None)
    only = Reason("new" if cells[0] is None else "gone")
    void = _void(cells)
    if void and is_full:
        return Verdict(State.DIFFERS, Impact.BEHAVIOUR, (Reason("void", void),)), True
    if void:
        return Verdict(State.ONLY, Impact.TEXT, (only, Reason("void", void))), False
    if not is_full and all(map(_is_ended, filter(None, cells))):  # no side has it
        return Verdict(State.ONLY, Impact.TEXT, (only,)), False
    lapsed = _lapsed_on_some(cells, books)
    if lapsed and not reasons:
        reasons, impact = [Reason("patches", lapsed)], _impact_of_lapsed(cells)
    if reasons:
        return Verdict(State.DIFFERS, impact, tuple(reasons)), True
    if not is_full:
        means = {means for means in MEANS for e in there if e.items[means].keys() - shared[means]}
        impact = Impact.BEHAVIOUR if means - {"options"} else Impact.DATA
        is_data = any(effect.data & differing_data for effect in there)
        impact = impact if means else Impact.DATA if is_data else Impact.TEXT
        return Verdict(State.ONLY, impact, (only,)), is_data or bool(means - {"options"})
    if documented:
        if any(effect.data for effect in there):
            return Verdict(State.DIFFERS, Impact.DATA, (Reason("documented"),)), has_effect
        return Verdict(State.REWORDED, Impact.TEXT, (Reason("documented"),)), has_effect
    if any(_words(cell) != _words(cells[0]) for cell in cells):
        return Verdict(State.REWORDED, Impact.TEXT, (Reason("words"),)), has_effect
    return Verdict(State.SAME), has_effect


def _words(cell: TopicCell | None) -> list[str]:
    return sorted(statement.says for statement in cell.statements) if cell is not None else []


def _void(cells: Sequence[TopicCell | None]) -> tuple[str, ...]:
    """The causes where no statement of a topic can apply on some sides, and no other side has
    another statement."""
    there = [cell.statements for cell in cells if cell is not None]
    void = [s for s in there if all(x.lapse is not None and x.lapse.extent == "void" for x in s)]
    says = {s.says for statements in void for s in statements}
    if not void or any(s.says not in says for statements in there for s in statements):
        return ()
    if all(cells) and len(void) == len(there):
        return ()  # on no side
    return tuple(dict.fromkeys(
        id_ for statements in void for s in statements if s.lapse
        for id_ in (s.lapse.told_by or s.lapse.by)
    ))  # fmt: skip


def _is_ended(cell: TopicCell) -> bool:
    """Whether no statement of a cell holds, and none has taken its place there."""
    return all(s.lapse is not None and s.lapse.extent == "gone" for s in cell.statements)


def _lapsed_on_some(
    cells: Sequence[TopicCell | None], books: Sequence[SideStatements]
) -> tuple[str, ...]:
    """The causes that ended statements which still hold on another side, or in whose place another
    side has another statement."""
    lapsed = [
        {s.says: s.lapse for s in cell.statements if s.lapse is not None} if cell else {}
        for cell in cells
    ]
    parted = {
        s.says for cell in cells if cell for s in cell.statements if s.lapse is None
    }  # fmt: skip
    for says in {says for found in lapsed for says in found}:
        ends = [(found[says], book) for found, book in zip(lapsed, books, strict=True)
                if says in found]  # fmt: skip
        is_told = all(end.by == end.told_by for end, _ in ends)
        if is_told and len({book.wordings(end.by) for end, book in ends}) > 1:
            parted.add(says)
    return tuple(dict.fromkeys(
        id_ for found in lapsed for says, lapse in found.items() if says in parted
        for id_ in lapse.by
    ))  # fmt: skip


#: the data of a box that count its material
_MATERIAL = ("tiles", "components", "stacks", "module")


def _impact_of_lapsed(cells: Sequence[TopicCell | None]) -> Impact:
    """The impact of statements that hold on some sides alone, where no rule differs: that of the
    statements in their place, or of themselves."""
    there = {s.id: s for cell in cells if cell for s in cell.statements if s.lapse is None}
    ended = [s for cell in cells if cell for s in cell.statements if s.lapse is not None]
    instead = [there[id_] for s in ended if s.lapse for id_ in s.lapse.told_by if id_ in there]
    found = instead or ended
    if all(s.carried == "nothing" for s in found):
        return Impact.TEXT
    is_material = all(s.is_idle or (s.carried == "data" and s.note in _MATERIAL) for s in found)
    return Impact.DATA if is_material else Impact.BEHAVIOUR


def _reasons(there: Sequence[Effect], shared: Shared) -> tuple[list[Reason], Impact]:
    """The reasons why the sides of a topic differ, and their impact."""
    reasons = list[Reason]()
    impact = Impact.DATA
    for means in MEANS:
        items = [effect.items[means] for effect in there]
        common = frozenset.intersection(*map(frozenset, items)) | shared[means]
        names = {name for each in items for item, name in each.items() if item not in common}
        if means == "patches":  # the result of a patch is described with its target
            names -= {name for reason in reasons for name in reason.names}
        if means == "options" and not _is_chosen_otherwise(items):
            continue  # the effect of an option shows in the rules
        if names:
            reasons.append(Reason(means, tuple(sorted(names))))
            impact = Impact.BEHAVIOUR
    named = {name for reason in reasons for name in reason.names}
    counts = [
        name for name, count in there[0].stated.items()
        if name not in named and any(e.stated.get(name, count) != count for e in there)
    ]  # fmt: skip
    if counts:
        reasons.append(Reason("numbers", tuple(counts)))
    elif not any(e.acts for e in there):
        first = there[0].numbers
        other = [
            name for name in first
            if any(e.numbers.get(name, first[name]) != first[name] for e in there)
        ]  # fmt: skip
        if other:
            reasons.append(Reason("numbers", tuple(other)))
    return reasons, impact


def _is_chosen_otherwise(options: Sequence[Mapping[object, str]]) -> bool:
    """Whether one option is chosen in two ways; each is there once for each choice."""
    chosen = {item: name for each in options for item, name in each.items()}
    return len(set(chosen.values())) < len(chosen)


# ---------------------------------------------------------------- rules without a statement


def _detailed(
    cells: Sequence[TopicCell | None],
    books: Sequence[SideStatements],
    shown: Sequence[Sequence[m.Statement]],
    effects: Sequence[Effect],
    verdict: Verdict,
) -> tuple[TopicCell | None, ...]:
    """Cells with the difference in words, where their statements do not describe it."""
    reasons = {reason.code: set(reason.names) for reason in verdict.reasons}
    found: list[TopicCell | None] = []
    for number, (cell, book) in enumerate(zip(cells, books, strict=True)):
        if cell is None:
            found.append(None)
            continue
        details = book.replaced(shown[number])
        if not details and number and not _says_its_own(cell, cells[0]):
            details = list(_carriers(number, books, effects, reasons))
        found.append(replace(cell, details=tuple(dict.fromkeys(details))))
    return tuple(found)


def _says_its_own(cell: TopicCell, first: TopicCell | None) -> bool:
    """Whether a cell has a statement that the first has not, apart from partly lapsed ones."""
    documented = {(s.says, s.lapse is None) for s in (first.statements if first else ())}
    return any(
        (s.says, s.lapse is None) not in documented
        for s in cell.statements
        if s.lapse is None or s.lapse.extent == "gone" or s.lapse.told_by
    )


def _carriers(
    number: int,
    books: Sequence[SideStatements],
    effects: Sequence[Effect],
    reasons: Mapping[str, AbstractSet[str]],
) -> Iterator[m.Labels]:
    """The things behind a topic on one side but the first, and those of the first that it lacks."""
    for means in MEANS:
        here = effects[number].items[means]
        names = reasons.get(means, frozenset())
        if means == "roles":
            first = effects[0].items[means].values()
            both = [name for name in here.values() if name in names and name in first]
            yield from changed_roles(books[0].side, books[number].side, both)
            names -= set(both)
        for item, name in here.items():
            documented = books[number].details(means, item, name) if name in names else None
            if documented is not None:
                yield documented
        for item, name in effects[0].items[means].items():
            if name not in names:
                continue
            documented = books[0].details(means, item, name)
            if name not in here.values():
                yield phrase("rule.without", what=name if documented is None else documented)
            elif means == "values" and item not in here:
                yield phrase(
                    "rule.instead",
                    what=name,
                    after=books[number].value(name),
                    before=books[0].value(name),
                )
