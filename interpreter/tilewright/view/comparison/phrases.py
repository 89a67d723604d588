"""The sentences of a comparison page, shared by the terminal and by Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from tilewright.language.locale.words import Words
from tilewright.rules.model.ruleset import Labels
from tilewright.view.comparison.lapsed import extent, in_language
from tilewright.view.results.comparison import (
    Comparison,
    Decision,
    Documented,
    Mark,
    RuleRow,
    ShownStatement,
    Side,
    SourceTag,
    State,
    TileRow,
    TopicGroup,
    TopicRow,
    ValueCell,
    ValueRow,
    Verdict,
)

#: the sign of a row, by the result of its comparison
MARKS = {
    State.SAME: "=",
    State.BESIDE: "≈",
    State.REWORDED: "~",
    State.DIFFERS: "≠",
    State.MOVED: "↕",
    State.ONLY: "+",
}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: parts that the cells of a topic show already
_IN_CELLS = ("rules", "values", "gone", "new", "words", "text")


def side_names(comparison: Comparison) -> tuple[str, ...]:
    """The name of each side, as requested."""
    return tuple(side.name for side in comparison.sides)


def short_names(comparison: Comparison) -> tuple[str, ...]:
    """The name of each side beside its cells: its name, or a letter where there are many."""
    names = side_names(comparison)
    return names if len(names) < 3 else letters(len(names))


def letters(count: int) -> tuple[str, ...]:
    """So many short names: A to Z, then numbers."""
    return tuple(_LETTERS[k] if k < len(_LETTERS) else str(k + 1) for k in range(count))


def editions(side: Side, shown: Iterable[str], words: Words) -> str:
    """The editions of a side in words, and whether house rules are added to them; empty where they
    are unknown."""
    listed = ", ".join(shown)
    if not listed or not side.house_rules:
        return listed and words("comparison.edition", editions=listed)
    id_ = "comparison.edition_with_house_rules"
    return words.plural(id_, side.house_rules, editions=listed)


def mark(verdict: Verdict, cells: Sequence[object | None] = ()) -> str:
    """The sign of a row; for a thing of only one of two sides, it points at that side."""
    if verdict.state is State.ONLY and len(cells) == 2:
        return "◂" if cells[0] is not None else "▸"
    return MARKS[verdict.state]


def is_lone_option(row: ValueRow) -> bool:
    """Whether only some sides have this option at all."""
    return row.kind == "option" and row.verdict.state is State.ONLY


def value_text(cell: ValueCell, words: Words) -> str:
    """The choice of an option in words, or a value."""
    return cell.label.get(words.language) or cell.value


def value_texts(row: ValueRow, words: Words) -> list[str]:
    """The sentences of a value or an option on the sides, each text once."""
    told = (in_language(cell, words.language) for cell in row.cells if cell is not None)
    return list(dict.fromkeys(filter(None, told)))


def reasons(
    verdict: Verdict,
    words: Words,
    *,
    every: bool = False,
    most: int = 0,
    shown: Collection[str] = (),
    is_named: bool = True,
) -> str:
    """The reasons why a row differs; those that its cells show are left out without `every`, those
    with names of rules and values without `is_named`.

    Of each reason at most `most` names are listed, or all, without those that are `shown`.
    """
    named = [(r, [name for name in r.names if name not in shown]) for r in verdict.reasons]
    found = [
        words(f"comparison.reason.{r.code}", names=some(names, words, most))
        for r, names in named
        if (every or r.code not in _IN_CELLS) and ((names and is_named) or not r.names)
    ]
    return "; ".join(found)


def some(names: Sequence[str], words: Words, most: int) -> str:
    """Names in a row; where there are more than so many, how many more."""
    if not most or len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} {words('comparison.and_more', n=len(names) - most)}"


def where_only(cells: Sequence[object | None], names: Sequence[str], words: Words) -> str:
    """`only in A`, for a row with empty cells."""
    there = [name for cell, name in zip(cells, names, strict=True) if cell is not None]
    return words("comparison.only_in", games=", ".join(there))


# ------------------------------------------------------------------ the summary


def headline(comparison: Comparison, words: Words) -> list[str]:
    """How much differs, one line a section, from the rows alone."""
    lines: list[str] = [words("comparison.nothing")] if comparison.is_same else []
    found = {
        "topics": Counter(row.verdict.state for row in comparison.topic_rows()),
        "steps": Counter(row.verdict.state for row in comparison.turn),
        "rules": Counter(row.verdict.state for row in comparison.rules),
        "tiles": Counter({State.SAME: sum(alike.count for alike in comparison.same_tiles)}),
    }
    for row in comparison.tiles:
        found["tiles"][row.verdict.state] += row.count
    for what, states in found.items():
        if states.total():
            counts = {state.value: states[state] for state in State}
            if what != "topics":  # other words make a difference to topics alone
                counts["same"] += counts["reworded"] + counts["beside"]
            total = words.plural(f"comparison.total.{what}", states.total())
            lines.append(words(f"comparison.headline.{what}", total=total, **counts))
    return lines


def beneath(comparison: Comparison, words: Words) -> str:
    """Whether the bases of the sides agree; empty when they have equal bases or none."""
    sets = {side.beneath for side in comparison.sides}
    if len(sets) < 2 or () in sets:
        return ""
    if not comparison.beneath:
        return words("comparison.beneath_same")
    titles = {named.id: named.label for named in comparison.labels}
    games = [", ".join(label_of(titles, id_, words) for id_ in each.beneath)
             for each in comparison.sides]  # fmt: skip
    return words("comparison.beneath_differs", games=" | ".join(dict.fromkeys(games)))


# ------------------------------------------------------------------ topics


class TopicNames:
    """The names of topics in the language of a page; a topic without a name is shown by its id."""

    def __init__(self, comparison: Comparison, words: Words) -> None:
        self._headings = {group.id: group_name(group, words) for group in comparison.topics}
        self._names = {
            named.id: named.label.get(words.language) for named in comparison.topic_names
        }

    def has(self, topic: str) -> bool:
        """Whether a topic has a name."""
        return topic in self._names

    def here(self, topic: str) -> str:
        """Under the heading of its group."""
        return self._names.get(topic) or topic.partition(".")[2] or topic

    def alone(self, topic: str) -> str:
        """The name with its heading, for use alone; ids keep their dots."""
        name = self._names.get(topic)
        return topic if name is None else alone(self._headings.get(topic.split(".")[0], ""), name)


def alone(heading: str, name: str) -> str:
    """The name of a topic behind its heading, for use alone."""
    return f"{heading}: {name}" if heading and heading != name else name


def parted(group: TopicGroup) -> tuple[list[TopicRow], list[TopicRow], list[TopicRow]]:
    """Rows that differ, rows on some sides only that have an effect, and the rest."""
    differ = [r for r in group.rows if r.verdict.state is State.DIFFERS and not r.is_void]
    alone = [r for r in group.rows if r.verdict.state is State.ONLY and r.has_effect]
    shown = {id(row) for row in (*differ, *alone)}
    return differ, alone, [row for row in group.rows if id(row) not in shown]


def folded(
    rows: Iterable[TopicRow], names: Sequence[str], words: Words, beside: Callable[[TopicRow], str]
) -> list[tuple[str, list[TopicRow]]]:
    """Rows without consequence, gathered under what they have in common; `beside` gives the
    reason why rows of equal words may have changed, or can no longer happen."""
    found: dict[str, list[TopicRow]] = {}
    for row in rows:
        state = row.verdict.state
        if state is State.BESIDE or row.is_void:
            title = beside(row)
        elif state is State.ONLY:
            title = f"{where_only(row.cells, names, words)}, {words('comparison.no_effect')}"
        else:
            title = words(f"comparison.state.{state.value}")
        found.setdefault(title, []).append(row)
    return list(found.items())


def group_name(group: TopicGroup, words: Words) -> str:
    """The heading of a group."""
    return group.label.get(words.language) or group.id


def says(statement: ShownStatement | Documented, words: Words) -> str:
    """A statement in the language of the page, or as it was written."""
    return in_language(statement, words.language)


def differences(row: TopicRow, *, every: bool = False) -> list[Documented]:
    """The documented differences between the sides; with `every` also those within one side."""
    return [each for each in row.differences if every or not each.is_within]


def tags(sources: Sequence[str]) -> str:
    """`[1][2]`"""
    return "".join(f"[{tag}]" for tag in sources)


def lead(statement: ShownStatement, words: Words) -> str:
    """The text before a lapsed statement: `Not here: `."""
    return f"{extent(statement, words)}: " if statement.lapse is not None else ""


#: authorities of readings that no rulebook prints
READINGS = ("common-knowledge", "community-interpretation")


def cited(statement: ShownStatement | Documented, words: Words) -> str:
    """`[1][2]`, and where no rulebook prints it, whose reading it is."""
    found = tags(statement.sources)
    if statement.authority not in READINGS:
        return found
    authority = words(f"authority.{statement.authority.replace('-', '_')}")
    return f"({authority}) {found}".strip()


# ------------------------------------------------------------------ the rest


def decision(made: Decision, words: Words) -> str:
    """`player in turn: lay`, or with `may` before what need not be done."""
    what = made.what.get(words.language)
    who = words(f"comparison.who.{made.who}")
    return f"{who}{' ' + words('comparison.may') if made.is_optional else ''}: {what}"


def rule_names(row: RuleRow) -> str:
    """The id of a rule, or its ids when the sides call it differently."""
    return " = ".join(dict.fromkeys(cell.id for cell in row.cells if cell is not None))


def sources(comparison: Comparison, *, every: bool = True) -> list[SourceTag]:
    """The cited publications, by number: of all rows, or of those shown at length."""
    cited: set[str] = set()
    for row in comparison.topic_rows():
        if not (every or row.verdict.state is State.DIFFERS or row.has_effect):
            continue
        if row.verdict.state in (State.SAME, State.BESIDE) and not every:
            continue
        for cell in row.cells:
            cited |= {tag for s in (cell.statements if cell else ()) for tag in s.sources}
        cited |= {tag for documented in row.differences for tag in documented.sources}
    known = {tag.tag: tag for side in comparison.sides for tag in side.sources}
    return [tag for key, tag in sorted(known.items(), key=lambda t: int(t[0])) if key in cited]


def source_line(source: SourceTag) -> str:
    """A publication with who published it, and when, as far as that is known."""
    year = str(source.year) if source.year else ""
    return ", ".join(part for part in (source.title, source.publisher, year) if part)


def label_of(names: Mapping[str, Labels], id_: str, words: Words) -> str:
    """The label of a thing of the compared games, or its id."""
    label = names.get(id_)
    return (label.get(words.language) if label is not None else "") or id_


def fact(text: str, names: Mapping[str, Labels], words: Words) -> str:
    """A fact about a component, word by word: `on ID`, `owned`."""
    return " ".join(
        words(f"comparison.fact.{word}")
        if f"comparison.fact.{word}" in words
        else label_of(names, word, words)
        for word in text.split()
    )


def marks(found: Sequence[Mark], names: Mapping[str, Labels], words: Words) -> str:
    """Marks with their number and the kind of segment that they are on."""
    if not found:
        return words("comparison.plain")
    return ", ".join(
        (f"{mark.count} × " if mark.count > 1 else "")
        + (mark.label.get(words.language) or mark.id)
        + (f" ({label_of(names, mark.on, words)})" if mark.on else "")
        for mark in found
    )


def tile_change(
    row: TileRow, names: Sequence[str], words: Words, labels: Mapping[str, Labels]
) -> str:
    """One line about tiles: `6 × this → that`, or where they are alone."""
    both = (names[row.left], names[row.right])
    if row.verdict.state is State.ONLY:
        here, there = both if row.tiles[0].left else both[::-1]
        if len(names) > 2:
            return f"{row.count} × {words('comparison.not_in', games=here, others=there)}"
        return f"{row.count} × {words('comparison.only_in', games=here)}"
    if not row.lost and not row.gained:
        is_drawn = any(reason.code == "drawn" for reason in row.verdict.reasons)
        change = words("comparison.reason.drawn" if is_drawn else "comparison.elsewhere")
    else:
        change = f"{marks(row.lost, labels, words)} → {marks(row.gained, labels, words)}"
    return f"{row.count} × {change}" + (f" ({', '.join(both)})" if len(names) > 2 else "")


def same_tiles(comparison: Comparison, words: Words) -> list[str]:
    """How many tiles are the same, for each pair of sides."""
    names = short_names(comparison)
    return [
        f"{a.count} × {words('comparison.tiles_alike')}"
        + (f" ({names[a.left]}, {names[a.right]})" if len(names) > 2 else "")
        for a in comparison.same_tiles
        if a.count
    ]


def tile_names(row: TileRow) -> str:
    """The ids of the tiles of a row, pair by pair."""
    names = []
    for pair in row.tiles:
        both = [pair.left, pair.right]
        name = " → ".join(dict.fromkeys(id_ for id_ in both if id_))
        names.append(name + (f" ×{pair.count}" if pair.count > 1 else ""))
    return ", ".join(names)
