"""The summary of a comparison: a few lines, each with a short text for every side.

Phrases are the rulesets' own; where a side has none, its cell of the row is used. The page, the
terminal and Markdown print these lines, each in its own layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from tilewright.language.locale.words import Words
from tilewright.view.comparison.lapsed import in_language, sentence_of, unstated
from tilewright.view.comparison.phrases import (
    READINGS,
    TopicNames,
    group_name,
    reasons,
    short_names,
    some,
    tile_change,
    value_text,
)
from tilewright.view.page.blocks import Answer, Line, Run
from tilewright.view.page.marks import marked
from tilewright.view.results.comparison import (
    Comparison,
    ShortLine,
    ShownStatement,
    State,
    TopicRow,
    ValueRow,
)
from tilewright.view.rule_sentences import id_words

#: surrounds the important words of a phrase
_MARK = "**"


#: the maximum of lines, and of lines about rules and values without a statement
MAX, _UNTOLD = 10, 5
#: parts of a box that a player counts
_COUNTED = ("symbol", "figure", "token", "item")
_ENDLESS = 1000
#: the number of them that are named
_PARTS = 10
#: the number of names shown of a reason
_FEW = 2
#: a text and its language
Text = tuple[str, str]


def first_lines(comparison: Comparison, words: Words) -> list[tuple[str, tuple[Answer, ...]]]:
    """The lines under their headings."""
    if comparison.is_part:
        return []
    heading = words.sentence("comparison.heading.rules")
    found = [
        Answer(id_, heading, _sentence(id_words(id_)), tuple(_cell(text, words) for text in texts))
        for id_, texts in unstated(comparison, words.language)[:_UNTOLD]
    ]
    topics = {line.topic for line in found}
    found += [line for line in _lines(comparison, words) if line.topic not in topics]
    box = list(_new_in_box(comparison, words)) or list(_number_of_tiles(comparison, found, words))
    found = [*found[: MAX - len(box)], *box] or list(_of_box(comparison, words))[:MAX]
    headings = [line.heading for line in found]
    found.sort(key=lambda line: headings.index(line.heading))  # each heading once
    return [(heading, tuple(lines)) for heading, lines in groupby(found, key=lambda x: x.heading)]


def _lines(comparison: Comparison, words: Words) -> Iterator[Answer]:
    topics = {row.topic: row for row in comparison.topic_rows()}
    groups = {group.id: group_name(group, words) for group in comparison.topics}
    names = TopicNames(comparison, words)
    told: set[str] = set()
    for line in comparison.short:
        row = topics.get(line.topic)
        if row is None:
            continue
        group = groups.get(line.topic.split(".")[0], "")
        cells = _cells(line, row, comparison, words)
        said = cells[-1].text if cells[-1] is not None else ""
        if said and said in told:
            continue  # the same rule about another topic
        told.add(said)
        yield Answer(
            line.topic,
            line.heading.get(words.language) or _sentence(group),
            line.aspect.get(words.language) or _sentence(names.here(line.topic)),
            cells,
        )


def _new_in_box(comparison: Comparison, words: Words) -> Iterator[Answer]:
    """The additions of one side to the boxes of the others, in one line."""
    games = [{*side.own, *side.beneath} for side in comparison.sides]
    most = max(range(len(games)), key=lambda k: len(games[k]))
    if not all(game < games[most] for k, game in enumerate(games) if k != most):
        return
    pair = (0, most) if most else (0, 1)
    count = sum(
        row.count
        for row in comparison.tiles
        if (row.left, row.right) == pair and row.verdict.state is State.ONLY
        and (row.tiles[0].right if most else row.tiles[0].left)
    )  # fmt: skip
    new: dict[str, list[str]] = {what: [] for what in _COUNTED}
    for row in comparison.components:
        cell = row.cells[most]
        is_new = not any(row.cells[:most] + row.cells[most + 1 :])
        # a symbol on one tile only marks that tile, and endless tokens are a number
        least = 1 if row.what == "symbol" else 0
        if cell and is_new and row.what in _COUNTED and least < (cell.count or 0) < _ENDLESS:
            name = cell.label.get(words.language) or cell.id
            new[row.what].append(f"{cell.count} × {name}")
    symbols = f" ({', '.join(new.pop('symbol'))})".replace(" ()", "")
    parts = [words.plural("comparison.total.tiles", count) + symbols] if count else []
    parts += [part for found in new.values() for part in found]
    if parts:
        cells: list[Line | None] = [None] * len(games)
        cells[most] = _cell(some(parts, words, _PARTS), words)
        yield Answer(
            "", words("comparison.heading.components"), words("comparison.new_in_box"), tuple(cells)
        )


def _number_of_tiles(
    comparison: Comparison, found: Sequence[Answer], words: Words
) -> Iterator[Answer]:
    """How many tiles each box has, where they differ, there is room, and no line has them."""
    for row in comparison.components if len(found) < MAX else ():
        counts = [str(cell.count or "") if cell is not None else "" for cell in row.cells]
        is_told = any(
            all(
                each and count in each.text.split()
                for each, count in zip(line.cells, counts, strict=True)
            )
            for line in found
        )
        is_other = row.what == "tiles" and row.verdict.state is State.DIFFERS
        if is_other and all(counts) and not is_told:
            heading = words("comparison.heading.components")
            aspect = words.sentence("comparison.what.tiles")
            yield Answer("", heading, aspect, tuple(_cell(each, words) for each in counts))


def _of_box(comparison: Comparison, words: Words) -> Iterator[Answer]:
    """The contents of the box, for games with no other difference."""
    heading = words("comparison.heading.components")
    for row in comparison.components:
        if row.verdict.is_same:
            continue
        name = next((c.label.get(words.language) or c.id for c in row.cells if c is not None), "")
        aspect = _sentence(
            words(f"comparison.what.{row.what}")
            + (f": {name}" if name and row.what != "tiles" else "")
        )
        counts = [
            None
            if cell is None
            else str(cell.count)
            if cell.count is not None
            else ", ".join(cell.facts)
            for cell in row.cells
        ]
        yield Answer("", heading, aspect, tuple(_cell(text, words) for text in counts))
    labels = {named.id: named.label for named in comparison.labels}
    for tiles in comparison.tiles:
        change = tile_change(tiles, short_names(comparison), words, labels)
        empty: list[Line | None] = [None] * (len(comparison.sides) - 1)
        yield Answer(
            "", heading, _sentence(words("comparison.what.tiles")), (*empty, _cell(change, words))
        )


def _cell(text: str | None, words: Words) -> Line | None:
    return _plain(text, words.language) if text else None


def _plain(text: str, language: str) -> Line:
    return Line("answer", (Run(text),), language=language)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")


def _cells(
    line: ShortLine, row: TopicRow, comparison: Comparison, words: Words
) -> tuple[Line | None, ...]:
    texts = _of_row(row, comparison, words)
    is_alone = all(says is None for says in line.says)
    runs = marked([each[0] if each else "" for each in texts]) if is_alone else []
    found: list[Line | None] = []
    for number, (says, text) in enumerate(zip(line.says, texts, strict=True)):
        if says is not None:
            known = dict(says.texts)
            code = words.language if words.language in known else "en"
            found.append(Line("answer", _runs(known.get(code, "")), language=code))
        elif text is None:
            found.append(None)
        elif is_alone:
            found.append(Line("answer", tuple(runs[number]), language=text[1]))
        else:
            found.append(_plain(*text))
    return tuple(found)


def _runs(phrase: str) -> tuple[Run, ...]:
    """A phrase in runs; the text between two marks is marked."""
    parts = phrase.split(_MARK)
    return tuple(Run(part, bool(number % 2)) for number, part in enumerate(parts) if part)


def _of_row(row: TopicRow, comparison: Comparison, words: Words) -> list[Text | None]:
    """The text of a row for each side that has one of its own."""
    own = _own_words(row, words)
    if any(own):
        return own
    chosen = _chosen(row, comparison, words)
    if chosen:
        return [(text, words.language) for text in chosen]
    # equal texts with different rules: the last side gets the reason
    why = _sentence(reasons(row.verdict, words, every=True, most=_FEW))
    return [*own[:-1], (why, words.language)]


def _own_words(row: TopicRow, words: Words) -> list[Text | None]:
    """For each side the first text that not every other side has too, with its language: of
    statements in their order of rank; else what makes the difference there."""
    sides_of = Counter(s.id for cell in row.cells for s in (cell.statements if cell else ()))
    stated = [{(s.says, s.lapse) for s in cell.statements} if cell else set() for cell in row.cells]
    shared = set.intersection(*stated)
    found: list[Text | None] = []
    for cell in row.cells:
        own = [s for s in (cell.statements if cell else ()) if (s.says, s.lapse) not in shared]
        holds = {s.id for s in own if s.lapse is None}
        # a statement of this side alone that reports a lapse is shown instead of it
        own = [s for s in own if s.lapse is None or holds.isdisjoint(s.lapse.told_by)]
        own.sort(key=lambda s: _rank(s, sides_of[s.id] > 1))
        texts = [sentence_of(statement, words) for statement in own]
        texts += [(d.get(words.language), words.language) for d in (cell.details if cell else ())]
        found.append(next(iter(texts), None))
    return found


def _rank(statement: ShownStatement, is_shared: bool) -> tuple[bool, bool, bool, bool, int]:
    """Statements that hold come first, then those that rules carry out, those of a rulebook, and
    those of one side; of the others, which may be examples, the shortest."""
    is_reading = statement.authority in READINGS
    length = len(statement.says) if statement.is_idle else 0
    return statement.lapse is not None, statement.is_idle, is_reading, is_shared, length


def _chosen(row: TopicRow, comparison: Comparison, words: Words) -> list[str]:
    """The choices of each side for the options behind a row."""
    names = {name for r in row.verdict.reasons if r.code == "options" for name in r.names}
    options = [value for value in comparison.values if value.id in names and _is_other(value)]
    return [
        ", ".join(
            f"{_sentence(in_language(cell, words.language))}: {value_text(cell, words)}"
            for value in options
            if (cell := value.cells[side])
        )
        for side in range(len(row.cells) if options else 0)
    ]


def _is_other(row: ValueRow) -> bool:
    return row.kind == "option" and row.verdict.state is State.DIFFERS
