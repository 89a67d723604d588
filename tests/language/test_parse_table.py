"""The tables that travel with the grammar: they are its own, and nobody depends on them."""

from __future__ import annotations

import json
from pathlib import Path

import lark
import pytest

from tilewright.language.syntax import parse_table
from tilewright.language.syntax.parse_table import (
    TABLES,
    built_parser,
    digest,
    grammar_text,
    precomputed_parser,
    tables_of,
)

CARRIED = Path(parse_table.__file__).with_name(TABLES).read_text("utf-8")
TEXT = "for p in players { if not p.has_x or 2 > 1 { award 2 * n to p } else { stop } }"


def test_the_tables_are_those_of_the_grammar() -> None:
    # `python -m tilewright.language.syntax.parse_table` writes them
    assert json.loads(CARRIED)["grammar"] == digest(grammar_text())


def test_the_tables_follow_from_the_grammar_to_the_byte() -> None:
    if json.loads(CARRIED)["lark"] != lark.__version__:
        pytest.skip("the tables that are carried are for another version of Lark")
    assert tables_of(grammar_text()) == CARRIED


def test_a_parser_of_carried_tables_reads_as_one_that_is_built() -> None:
    if json.loads(CARRIED)["lark"] != lark.__version__:
        pytest.skip("the tables that are carried are for another version of Lark")
    parser = precomputed_parser(grammar_text())
    built = built_parser(grammar_text())
    assert parser.parse(TEXT, start="effects") == built.parse(TEXT, start="effects")


def test_tables_serve_no_other_grammar() -> None:
    assert precomputed_parser(grammar_text() + "\n") is None


def test_tables_serve_no_other_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lark, "__version__", "1.0.0")
    assert precomputed_parser(grammar_text()) is None


@pytest.mark.parametrize("text", ["", "{}", "[]", CARRIED[:4000]])
def test_tables_that_are_spoiled_serve_nobody(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_table, "_beside", lambda name: text)
    assert precomputed_parser(grammar_text()) is None
