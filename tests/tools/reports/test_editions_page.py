"""The table of boxes by edition has every printed ruleset, and each once."""

from __future__ import annotations

import re

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.tools.reports.editions_page import editions_page
from tilewright.view.results.comparison import PRINTED

PAGE = editions_page()


def test_each_printed_ruleset_is_in_one_cell_of_its_edition() -> None:
    library = Library()
    found = [library.load(id_, Reporter()) for id_ in library.ids()]
    printed = [r for r in found if r is not None and r.module.kind in PRINTED]
    listed = re.findall(r"`([^` ]+/[^` ]+)`", PAGE)
    assert sorted(listed) == sorted(ruleset.id for ruleset in printed)
    heads, _, *rows = (line for line in PAGE.splitlines() if line.startswith("|"))
    editions = [head.split(",")[0].strip() for head in heads.strip("|").split("|")]
    for row in rows:
        for edition, cell in zip(editions, row.strip("|").split("|"), strict=True):
            assert {id_.split("/")[0] for id_ in re.findall(r"`([^`]+)`", cell)} <= {edition}


def test_a_cell_says_what_is_not_shipped_and_what_waits() -> None:
    rows = {line.split("|")[1].strip(): line for line in PAGE.splitlines() if line[:1] == "|"}
    assert "| never published |" in rows["Under the Big Top"]
    assert "**not shipped** (2006); as in c2 but for two gardens" in rows["The Tower"]
    assert "*in part*; waits for a source: what its new tiles show" in rows["Inns & Cathedrals"]
