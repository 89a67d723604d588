"""Comparisons for the page: the answer first, then groups of topics, boards and histories.

Every sentence is made by `render`; this module only chooses what a message holds. Comparisons are
kept, since a page asks for their parts one by one. A search for boards is a job.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from tilewright.linking.game import Game
from tilewright.locale.words import Words
from tilewright.model.ruleset import PieceKind
from tilewright.reading.library import Library
from tilewright.render.board.svg import tile_svg
from tilewright.render.board.view import spoken_kinds, spoken_symbols
from tilewright.render.comparison import phrases
from tilewright.render.comparison.edits import edit_of
from tilewright.render.comparison.first_lines import first_lines
from tilewright.render.comparison.history import (
    change_reasons,
    chapter_lines,
    sources,
    topic_name,
)
from tilewright.render.comparison.summary import carried_by, count_topics
from tilewright.render.page.blocks import Answer, Line
from tilewright.results.comparison import (
    Comparison,
    Side,
    State,
    StepCell,
    TileRow,
    TopicCell,
    TopicGroup,
    TopicRow,
)
from tilewright.results.divergence import keyed_rows
from tilewright.results.history import Chapter
from tilewright.source.diagnostics import Reporter
from tilewright.studio.client import Client, RefusedError
from tilewright.studio.protocol import compare as p
from tilewright.studio.protocol.common import Nothing
from tilewright.tools.comparison.compare import CannotCompareError, compare_texts
from tilewright.tools.comparison.tile_matching import quarters_between
from tilewright.tools.comparison.timeline import histories, topics_of
from tilewright.tools.workspace.loading import load_game

#: comparisons that are kept, and pairs of pictures of a change of tiles
_KEPT, _PAIRS = 8, 4
_KEY = "comparisons"
#: games in one comparison
_FEWEST, _MOST = 2, 6
_TILE = 96


class Comparisons:
    """The latest comparisons of a library, by their games."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._found: OrderedDict[tuple[str, ...], Comparison] = OrderedDict()

    def of(self, games: Sequence[str]) -> Comparison:
        """The comparison of these games. Raises RefusedError where one cannot be made."""
        key = tuple(games)
        if key not in self._found:
            try:
                self._found[key] = compare_texts(games, self.library)
            except CannotCompareError as error:
                raise RefusedError(str(error), diagnostics=error.diagnostics) from None
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)
        self._found.move_to_end(key)
        return self._found[key]


def _comparisons(client: Client) -> Comparisons:
    """Those of the texts as they are now."""
    kept = client.studio.kept
    if _KEY not in kept:
        kept[_KEY] = Comparisons(client.studio.library)
    found = kept[_KEY]
    assert isinstance(found, Comparisons)
    return found


# ------------------------------------------------------------------ the answer


def answer(comparisons: Comparisons, games: Sequence[str], language: str = "en") -> p.Answer:
    """A comparison without its topics and boards. Raises RefusedError."""
    found, words = comparisons.of(games), Words(language)
    lines = _answer_lines(found, comparisons.library, words)
    return {
        "sides": [_head(side, words) for side in found.sides],
        "lines": lines,
        "count": sum(len(group["lines"]) for group in lines),
        "tiles": _tile_changes(found, comparisons.library, words),
        "turn": _turn(found, words),
        "groups": [_group(group, words) for group in found.topics],
        "authors": [*_values(found), *_rules(found)],
        "rest": _rest(found),
    }


def _head(side: Side, words: Words) -> p.SideHead:
    years = " ".join(str(year) for year in side.years)
    editions = ", ".join(words("comparison.edition", editions=edition) for edition in side.editions)
    note = ", ".join(part for part in (editions, years) if part)
    return {"game": side.name, "title": side.title.get(words.language), "note": note}


def _answer_lines(found: Comparison, library: Library, words: Words) -> list[p.AnswerGroup]:
    keys, rows = _row_keys(found), dict(keyed_rows(found))
    last = found.sides[-1].name

    def says(definition: str) -> str:
        game, _ = load_game(last, library=library)
        known = None if game is None else game.definitions.get(definition)
        return "" if known is None else known.declaration.says

    def shown(line: Answer) -> p.AnswerLine:
        key = keys.get(line.topic, "")
        told: p.AnswerLine = {
            "row": key,
            "group": line.topic.split(".")[0],
            "aspect": line.aspect,
            "cells": [_sentence(cell, words) for cell in line.cells],
        }
        edit = edit_of(rows.get(key), says, words) if len(found.sides) == 2 else None
        if edit is not None:
            runs: list[p.EditRun] = [{"text": text, "change": change} for text, change in edit.runs]
            told["edit"] = {"printed": edit.printed, "runs": runs}
            if edit.language != words.language:
                told["edit"]["language"] = edit.language
        return told

    return [
        {"heading": heading, "lines": [shown(line) for line in lines]}
        for heading, lines in first_lines(found, words)
    ]


def _row_keys(found: Comparison) -> dict[str, str]:
    """By topic, value or rule: the key of its row; a topic comes before the others."""
    keys: dict[str, str] = {}
    for key, _ in keyed_rows(found):
        keys.setdefault(key.partition(":")[2], key)
    return keys


def _sentence(cell: Line | None, words: Words) -> p.Sentence | None:
    if cell is None:
        return None
    runs: list[p.Run] = [
        {"text": text, "key": True} if key else {"text": text} for text, key in cell.runs
    ]
    sentence: p.Sentence = {"runs": runs}
    if cell.language != words.language:
        sentence["language"] = cell.language
    return sentence


def _rest(found: Comparison) -> p.Rest:
    alike = (State.SAME, State.REWORDED)
    return {
        "topics": sum(row.verdict.state in alike for row in found.topic_rows()),
        "steps": sum(row.verdict.state in alike for row in found.turn),
        "tiles": sum(each.count for each in found.same_tiles),
    }


# ------------------------------------------------------------------ tiles


def _tile_changes(found: Comparison, library: Library, words: Words) -> list[p.TileChange]:
    if not found.tiles:
        return []
    games = [load_game(side.name, library=library)[0] for side in found.sides]
    labels = {named.id: named.label for named in found.labels}
    names = phrases.short_names(found)
    changes: list[p.TileChange] = []
    for row in found.tiles:
        one, other = games[row.left], games[row.right]
        if one is None or other is None:
            continue
        text = phrases.tile_change(row, names, words, labels)
        pairs = [_pair(row, k, one, other, words.language) for k in range(len(row.tiles))[:_PAIRS]]
        changes.append({"side": row.right, "text": text, "count": row.count, "pairs": pairs})
    return changes


def _pair(row: TileRow, number: int, one: Game, other: Game, language: str) -> list[str]:
    """The pictures of a tile before and after; "" where a side has no tile like it."""
    pair = row.tiles[number]
    left = next((piece for piece in one.pieces if piece.id == pair.left), None)
    right = next((piece for piece in other.pieces if piece.id == pair.right), None)
    turn = quarters_between(left, right) if left is not None and right is not None else 0
    return [_tile(left, one, 0, language), _tile(right, other, turn, language)]


def _tile(piece: PieceKind | None, game: Game, turn: int, language: str) -> str:
    if piece is None:
        return ""
    kinds, symbols = spoken_kinds(game, language), spoken_symbols(game, language)
    face = piece.faces[0][0]
    return tile_svg(face, kinds, symbols, _TILE, turn=turn, title=piece.id)


# ------------------------------------------------------------------ turn, groups, authors


def _turn(found: Comparison, words: Words) -> list[p.TurnRow]:
    return [
        {
            "phase": words(f"comparison.phase.{row.phase}"),
            "state": row.verdict.state.value,
            "cells": [_step(cell, words) for cell in row.cells],
        }
        for row in found.turn
    ]


def _step(cell: StepCell | None, words: Words) -> p.TurnCell | None:
    if cell is None:
        return None
    notes = [phrases.decision(made, words) for made in cell.decisions]
    return {"label": cell.label.get(words.language) or cell.id, "notes": notes}


def _group(group: TopicGroup, words: Words) -> p.GroupHead:
    count = count_topics(group.id, group.rows)
    sides = max((len(row.cells) for row in group.rows), default=0)
    only = [0] * sides
    for row in group.rows:
        if row.verdict.state is State.ONLY and row.has_effect:
            only[next(k for k, cell in enumerate(row.cells) if cell is not None)] += 1
    alike = count.total - count.differs - sum(only)
    return {
        "id": group.id,
        "label": phrases.group_name(group, words),
        "counts": {"differ": count.differs, "only": only, "alike": alike},
    }


def _values(found: Comparison) -> list[p.AuthorRow]:
    return [
        {
            "kind": row.kind,
            "id": row.id,
            "label": next(iter(phrases.value_texts(row)), ""),
            "cells": [cell.value if cell is not None else None for cell in row.cells],
        }
        for row in found.values
        if not row.verdict.is_same
    ]


def _rules(found: Comparison) -> list[p.AuthorRow]:
    return [
        {
            "kind": next(cell.kind for cell in row.cells if cell is not None),
            "id": phrases.rule_names(row),
            "label": "",
            "cells": [cell.text if cell is not None else None for cell in row.cells],
        }
        for row in found.rules
        if not row.verdict.is_same
    ]


# ------------------------------------------------------------------ topics


def group_rows(
    comparisons: Comparisons, games: Sequence[str], group: str, language: str = "en"
) -> p.GroupRows:
    """The rows of a group of topics, those that differ first; empty for an unknown group."""
    found, words = comparisons.of(games), Words(language)
    names = phrases.TopicNames(found, words)
    titles = {
        source.tag: phrases.source_line(source) for side in found.sides for source in side.sources
    }
    for each in found.topics:
        if each.id == group:
            rows = [row for part in phrases.parted(each) for row in part]
            return {
                "group": group,
                "label": phrases.group_name(each, words),
                "rows": [_topic(row, names, titles, words) for row in rows],
            }
    return {"group": group, "label": group, "rows": []}


def _topic(
    row: TopicRow, names: phrases.TopicNames, titles: dict[str, str], words: Words
) -> p.RowOfTopic:
    return {
        "row": f"topic:{row.topic}",
        "topic": row.topic,
        "label": names.here(row.topic),
        "state": row.verdict.state.value,
        "idle": not row.has_effect,
        "reasons": phrases.reasons(row.verdict, words),
        "differences": [phrases.says(each, words) for each in phrases.differences(row)],
        "cells": [_topic_cell(cell, titles, words) for cell in row.cells],
    }


def _topic_cell(
    cell: TopicCell | None, titles: dict[str, str], words: Words
) -> p.CellOfTopic | None:
    if cell is None:
        return None
    return {
        "statements": [
            {
                "id": statement.id,
                "sentence": {"runs": [{"text": phrases.says(statement, words)}]},
                "lead": phrases.lead(statement, words).rstrip(": "),
                "note": phrases.kept_from(statement, words),
                "sources": [titles[tag] for tag in statement.sources if tag in titles],
            }
            for statement in cell.statements
        ],
        "details": [detail.get(words.language) for detail in cell.details],
        "carried": carried_by(cell),
    }


# ------------------------------------------------------------------ histories


def history(library: Library, topic: str, language: str = "en") -> p.Histories:
    """Every topic that begins so, through all editions and house rules."""
    found, words = histories(topic, library), Words(language)
    return {
        "topics": [
            {
                "topic": each.topic,
                "label": topic_name(each, words) or each.topic,
                "printed": [_chapter(chapter, words) for chapter in each.printed],
                "house": [_chapter(chapter, words) for chapter in each.house],
            }
            for each in found
        ],
        "sources": [f"[{tag.tag}] {phrases.source_line(tag)}" for tag in sources(found)],
    }


def _chapter(chapter: Chapter, words: Words) -> p.HistoryChapter:
    return {
        "ruleset": chapter.ruleset,
        "title": chapter.title.get(words.language),
        "edition": words("comparison.edition", editions=chapter.edition) if chapter.edition else "",
        "year": chapter.year,
        "before": chapter.before,
        "differs": change_reasons(chapter, words),
        "lines": [{"kind": line.kind, "text": line.text} for line in chapter_lines(chapter, words)],
    }


# ------------------------------------------------------------------ messages


def compare_answer(client: Client, params: p.GamesRequest) -> p.Answer:
    """Two games or more side by side."""
    return answer(_comparisons(client), _games(params["games"]), client.language)


def compare_topic(client: Client, params: p.GroupRequest) -> p.GroupRows:
    """One group of topics of a comparison."""
    games = _games(params["games"])
    return group_rows(_comparisons(client), games, params["group"], client.language)


def history_topic(client: Client, params: p.HistoryRequest) -> p.Histories:
    """A topic through editions and house rules."""
    return history(client.studio.library, params["topic"], client.language)


def history_topics(client: Client, params: Nothing) -> p.TopicList:
    """All topics, with their labels."""
    library = client.studio.library
    names = library.topics(Reporter.discarding())
    ids = topics_of(library)
    return {
        "topics": [
            {"id": id_, "label": names[id_].get(client.language) if id_ in names else id_}
            for id_ in ids
        ]
    }


def _games(games: Sequence[str]) -> Sequence[str]:
    if not _FEWEST <= len(games) <= _MOST:
        raise RefusedError(f"expected {_FEWEST} to {_MOST} games to compare, found {len(games)}")
    return games
