"""The sheet of a game for the page: the blocks of `tools/rule_sheet` as messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.faces.studio.client import Client, RefusedError
from tilewright.faces.studio.kept_answers import kept_answer
from tilewright.faces.studio.protocol import book as p
from tilewright.language.locale.words import Words
from tilewright.tools.rule_sheet.compose import sheet_of
from tilewright.tools.workspace.loading import load_game
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where, shown

HERE = Where.STUDIO


def book_sheet(client: Client, params: p.RuleSheetRequest) -> p.RuleSheet:
    """The rules of a game in the order of a turn; its tiles are a chapter of the book."""
    key = "rules", params["game"], client.language
    return kept_answer(client.studio, lambda: _sheet(client, params), *key)


def _sheet(client: Client, params: p.RuleSheetRequest) -> p.RuleSheet:
    game, reporter = load_game(params["game"], None, client.studio.library, client.report)
    if game is None or reporter.has_errors:
        faults = "; ".join(each.message for each in reporter.in_order_of_report())
        raise RefusedError(faults or f"unknown game `{params['game']}`")
    blocks = sheet_of(game, client.studio.library, Words(client.language))
    (title,) = (block for block in blocks if isinstance(block, b.Title))
    parts = list(_parts(blocks, client.language))
    return {"title": "".join(run.text for run in title.runs), "parts": parts}


def _parts(blocks: Iterable[b.Block], language: str) -> Iterator[p.RuleSheetPart]:
    for block in b.content(blocks, HERE):
        if not isinstance(block, b.Section):
            continue
        part: p.RuleSheetPart = {
            "id": block.key, "label": block.title, "inner": block.is_group,
            "paragraphs": [], "rows": [], "notes": [],
        }  # fmt: skip
        for each in b.content(block.blocks, HERE):
            match each:
                case b.Paragraph(head, lines):
                    sentences = [_sentence(one, language) for one in shown(lines, HERE)]
                    part["paragraphs"].append({"head": head, "sentences": sentences})
                case b.Table(rows=rows):
                    part["rows"] += [
                        {"name": row.name, "text": "".join(one.text for one in row.first.lines)}
                        for row in rows
                    ]
                case b.Notes(lines=lines):
                    part["notes"] += [one.text for one in lines]
        yield part
        yield from _parts(block.blocks, language)


def _sentence(found: b.Line | b.Statement, language: str) -> p.RuleSheetSentence:
    if isinstance(found, b.Line):
        return {"text": found.text, "lead": "", "note": ""}
    note = "; ".join(each.text for each in shown(found.notes, HERE))
    made: p.RuleSheetSentence = {"text": found.text, "lead": found.lead, "note": note}
    if found.language != language:
        made["language"] = found.language
    return made
