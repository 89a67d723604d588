"""The kept pages and the kept board; `python tests/support/golden_pages.py` writes them again."""

from __future__ import annotations

import json
import re
from functools import cache

import jsonschema
import pytest

from support.golden_pages import BOARD, FOLDER, PAIRS, board_picture, compared, pages
from tilewright.rules.reading.library import schemas_folder
from tilewright.view.comparison.export import as_json
from tilewright.view.results.comparison import Comparison

COMPARED = cache(compared)


@cache
def schema() -> dict[str, object]:
    text = (schemas_folder() / "comparison.schema.json").read_text(encoding="utf-8")
    found: dict[str, object] = json.loads(text)
    return found


@pytest.mark.parametrize("name", PAIRS)
def test_pages_are_as_they_were_read(name: str) -> None:
    for file, text in pages(name, COMPARED(name)):
        assert text == (FOLDER / file).read_text(encoding="utf-8"), f"{file} is another page"


@pytest.mark.parametrize("name", PAIRS)
def test_json_keeps_to_its_schema(name: str) -> None:
    found: Comparison = COMPARED(name)
    jsonschema.validate(json.loads(as_json(found)), schema())
    for file in FOLDER.glob(f"{name}.json"):
        jsonschema.validate(json.loads(file.read_text(encoding="utf-8")), schema())


def test_no_page_is_kept_that_nothing_makes() -> None:
    made = {file for name in PAIRS for file, _ in pages(name, COMPARED(name))}
    assert {path.name for path in FOLDER.iterdir()} == {*made, BOARD}


def test_figures_are_recognised_at_the_end_of_a_match_of_seven_boxes() -> None:
    picture = board_picture()
    wide, high = map(int, re.findall(r' (?:width|height)="(\d+)"', picture[:400])[:2])
    assert wide <= 1440 - 68 and high <= 900 - 96
    assert picture == (FOLDER / BOARD).read_text(encoding="utf-8"), f"{BOARD} is another picture"
