"""Comparisons for the page: the answer first, then groups of topics, boards and histories.

`tools/reports/comparison_page.py` composes the blocks; this module writes them as messages. They
are kept, since a page asks for their parts one by one. A search for boards is a job.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from tilewright.faces.studio.client import Client, RefusedError
from tilewright.faces.studio.kept_answers import kept_answer
from tilewright.faces.studio.protocol import compare as p
from tilewright.faces.studio.protocol.common import Nothing
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import CannotCompareError
from tilewright.tools.comparison.timeline import histories, topics_of
from tilewright.tools.reports.comparison_page import Request, composed, pictures
from tilewright.view.board.page import named_colours
from tilewright.view.board.svg import tile_svg
from tilewright.view.comparison.compose import Composer
from tilewright.view.comparison.edits import edit_of
from tilewright.view.comparison.history import compose as compose_history
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where, content, shown, tables
from tilewright.view.results.comparison import Chapter, Comparison, State, TopicHistory
from tilewright.view.results.divergence import keyed_rows

HERE = Where.STUDIO
#: a history is as short here as on a terminal
_AS_TEXT = Where.TERMINAL_USUAL
#: comparisons that are kept, and pairs of pictures of a change of tiles
_KEPT, _PAIRS = 8, 4
_KEY = "comparisons"
#: games in one comparison
_FEWEST, _MOST = 2, 6
_TILE = 96


class Comparisons:
    """The latest comparisons of a library, by what was requested."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._made: OrderedDict[Request, Composer] = OrderedDict()

    def of(self, games: Sequence[str], language: str) -> Composer:
        """The blocks of a comparison. Raises RefusedError where it cannot be made."""
        request = Request(tuple(games), "studio", language)
        if request not in self._made:
            try:
                self._made[request] = composed(request, self.library)
            except CannotCompareError as error:
                raise RefusedError(str(error), diagnostics=error.diagnostics) from None
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(request)
        return self._made[request]


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
    made = comparisons.of(games, language)
    lines = _answer_lines(made, comparisons.library)
    return {
        "sides": [_head(side) for side in made.sides().sides],
        "lines": lines,
        "count": sum(len(group["lines"]) for group in lines),
        "tiles": _tile_changes(made, comparisons.library),
        "turn": [_step(row) for table in tables([made.turn()], HERE) for row in table.rows],
        "groups": [_group(group) for group in _groups(made)],
        "authors": [
            _for_authors(row)
            for table in tables([made.values(), made.rules()], HERE)
            for row in table.rows
        ],
        "rest": _rest(made.c),
    }


def _head(side: b.SideHead) -> p.SideHead:
    note = ", ".join(fact.text for fact in shown(side.facts, HERE))
    return {"game": side.name, "title": side.title, "note": note}


def _answer_lines(made: Composer, library: Library) -> list[p.AnswerGroup]:
    found, words = made.c, made.words
    keys, rows = _row_keys(found), dict(keyed_rows(found))

    def told(line: b.Answer) -> p.AnswerLine:
        key = keys.get(line.topic, "")
        told: p.AnswerLine = {
            "row": key,
            "group": line.topic.split(".")[0],
            "aspect": line.aspect,
            "cells": [_sentence(cell, words) for cell in line.cells],
        }
        edit = edit_of(rows.get(key), words) if len(found.sides) == 2 else None
        if edit is not None:
            runs: list[p.EditRun] = [{"text": text, "change": change} for text, change in edit.runs]
            told["edit"] = {"printed": edit.printed, "runs": runs}
            if edit.language != words.language:
                told["edit"]["language"] = edit.language
        return told

    return [
        {"heading": heading, "lines": [told(line) for line in lines]}
        for heading, lines in made.answers().groups
    ]


def _row_keys(found: Comparison) -> dict[str, str]:
    """By topic, value or rule: the key of its row; a topic comes before the others."""
    keys: dict[str, str] = {}
    for key, _ in keyed_rows(found):
        keys.setdefault(key.partition(":")[2], key)
    return keys


def _sentence(cell: b.Line | None, words: Words) -> p.Sentence | None:
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
    alike = (State.SAME, State.BESIDE, State.REWORDED)
    return {
        "topics": sum(row.verdict.state in alike for row in found.topic_rows()),
        "steps": sum(row.verdict.state in alike for row in found.turn),
        "tiles": sum(each.count for each in found.same_tiles),
    }


# ------------------------------------------------------------------ tiles


def _tile_changes(made: Composer, library: Library) -> list[p.TileChange]:
    if not made.c.tiles:
        return []
    looks, turns = pictures(made.c, library, made.words.language)

    def picture(side: int, id_: str, turn: int) -> str:
        """A tile; "" where a side has no tile like this."""
        look = looks[side]
        piece = look.pieces.get(id_)
        if piece is None:
            return ""
        return tile_svg(
            piece.faces[0][0],
            look.kinds,
            look.symbols,
            _TILE,
            turn=turn,
            title=id_,
            land=named_colours,
        )

    def change(row: b.Row, count: int) -> p.TileChange:
        one, other = row.sides
        pairs = [
            [picture(one, each.left, 0), picture(other, each.right, turns.get((other, each), 0))]
            for each in row.pairs[:_PAIRS]
        ]
        return {"side": other, "text": row.name, "count": count, "pairs": pairs}

    return [change(made.tile_row(row), row.count) for row in made.c.tiles]


# ------------------------------------------------------------------ turn, groups, authors


def _step(row: b.Row) -> p.TurnRow:
    cells = [None if cell is None else _turn_cell(cell) for cell in row.cells]
    why = {line.kind: line.text for line in row.why}
    return {
        "phase": row.under, "state": row.verdict.state.value, "cells": cells,
        "why": why.get("why", ""), "more": why.get("more", ""), "rest": why.get("rest", ""),
    }  # fmt: skip


def _turn_cell(cell: b.Cell) -> p.TurnCell:
    label = next(line.runs[1].text for line in _lines(cell, "step"))
    return {"label": label, "notes": [line.text for line in _lines(cell, "decision")]}


def _lines(cell: b.Cell, *kinds: str) -> list[b.Line]:
    found = shown(cell.lines, HERE)
    return [line for line in found if isinstance(line, b.Line) and line.kind in kinds]


def _groups(made: Composer) -> list[b.Section]:
    return [block for block in content(made.topics().blocks, HERE) if isinstance(block, b.Section)]


def _rows(group: b.Section) -> list[b.Row]:
    return [row for table in tables(group.blocks, HERE) for row in table.rows]


def _group(group: b.Section) -> p.GroupHead:
    rows = _rows(group)
    only = [0] * max((len(row.cells) for row in rows), default=0)
    for row in rows:
        if row.verdict.state is State.ONLY and not row.is_idle:
            only[next(k for k, cell in enumerate(row.cells) if cell is not None)] += 1
    differ = sum(row.verdict.state is State.DIFFERS for row in rows)
    alike = len(rows) - differ - sum(only)
    counts: p.TopicCounts = {"differ": differ, "only": only, "alike": alike}
    return {"id": group.key, "label": group.title, "counts": counts}


def _for_authors(row: b.Row) -> p.AuthorRow:
    return {
        "kind": row.key.partition(":")[0],
        "id": row.name,
        "label": next((note.text for note in row.notes), ""),
        "cells": [
            None if cell is None else _lines(cell, "value", "code")[0].text for cell in row.cells
        ],
    }


# ------------------------------------------------------------------ topics


def group_rows(
    comparisons: Comparisons, games: Sequence[str], group: str, language: str = "en"
) -> p.GroupRows:
    """The rows of a group of topics, those that differ first; empty for an unknown group."""
    made = comparisons.of(games, language)
    (cited,) = made.sources().blocks
    assert isinstance(cited, b.Notes)
    titles = {line.runs[0].text: line.runs[1].text for line in shown(cited.lines, HERE)}
    for each in _groups(made):
        if each.key == group:
            rows = [_topic(row, titles) for row in _rows(each)]
            return {"group": group, "label": each.title, "rows": rows}
    return {"group": group, "label": group, "rows": []}


def _topic(row: b.Row, titles: Mapping[str, str]) -> p.RowOfTopic:
    return {
        "row": row.key,
        "topic": row.id,
        "label": row.name,
        "state": row.verdict.state.value,
        "idle": row.is_idle,
        "reasons": "".join(why.text for why in shown(row.why, HERE)),
        "differences": [lead.text for lead in shown(row.leads, HERE)],
        "cells": [None if cell is None else _topic_cell(cell, titles) for cell in row.cells],
    }


def _topic_cell(cell: b.Cell, titles: Mapping[str, str]) -> p.CellOfTopic:
    return {
        "statements": [
            {
                "id": each.id,
                "sentence": {"runs": [{"text": each.text}]},
                "lead": each.lead.rstrip(": "),
                "note": "; ".join(note.text for note in shown(each.notes, HERE)),
                "sources": [titles[tag] for tag in each.sources if tag in titles],
            }
            for each in shown(cell.lines, HERE)
            if isinstance(each, b.Statement)
        ],
        "details": [line.text for line in _lines(cell, "detail")],
        "carried": "".join(line.text for line in _lines(cell, "carried")),
    }


# ------------------------------------------------------------------ histories


def history(library: Library, topic: str, language: str = "en") -> p.Histories:
    """Every topic that begins so, through all editions and house rules."""
    found, words = histories(topic, library), Words(language)
    *topics, cited = compose_history(found, words)
    assert isinstance(cited, b.Section)
    (notes,) = cited.blocks
    assert isinstance(notes, b.Notes)
    return {
        "topics": [_history(*each) for each in zip(found, topics, strict=True)],
        "sources": [f"[{line.runs[0].text}] {line.runs[1].text}" for line in notes.lines],
    }


def _history(found: TopicHistory, block: b.Block) -> p.HistoryOfTopic:
    assert isinstance(block, b.Section)
    rows = {row.id: row for table in tables([block], _AS_TEXT) for row in table.rows}
    return {
        "topic": found.topic,
        "label": block.title or found.topic,
        "printed": [_chapter(each, rows[each.ruleset]) for each in found.printed],
        "house": [_chapter(each, rows[each.ruleset]) for each in found.house],
    }


def _chapter(chapter: Chapter, row: b.Row) -> p.HistoryChapter:
    return {
        "ruleset": row.id,
        "title": row.name,
        "edition": row.says,
        "year": chapter.year,
        "before": chapter.before,
        "differs": "".join(why.text for why in row.why),
        "lines": list(map(_chapter_line, shown((*row.leads, *row.first.lines), _AS_TEXT))),
    }


def _chapter_line(line: b.Line | b.Statement) -> p.ChapterLine:
    if isinstance(line, b.Statement):
        kind = "change" if line.kind == "documented" else "lapsed" if line.lead else "says"
        return {"kind": kind, "text": line.plain(_AS_TEXT)}
    return {"kind": {"like": "again", "carried": "values"}.get(line.kind, line.kind),
            "text": line.text}  # fmt: skip


# ------------------------------------------------------------------ messages


def compare_answer(client: Client, params: p.GamesRequest) -> p.Answer:
    """Two games or more side by side."""
    games, language = _games(params["games"]), client.language

    def make() -> p.Answer:
        return answer(_comparisons(client), games, language)

    return kept_answer(client.studio, make, "comparison", language, *games)


def compare_topic(client: Client, params: p.GroupRequest) -> p.GroupRows:
    """One group of topics of a comparison."""
    games, group, language = _games(params["games"]), params["group"], client.language

    def make() -> p.GroupRows:
        return group_rows(_comparisons(client), games, group, language)

    return kept_answer(client.studio, make, "topics", language, group, *games)


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
