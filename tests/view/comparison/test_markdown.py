"""Markdown of a stranger's rulesets has no tags, links or lines that only look like ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.hostile import write
from support.pages import as_markdown
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.comparison.timeline import histories
from tilewright.view.comparison.history import history_markdown
from tilewright.view.page.blocks import Length
from tilewright.view.page.markdown import document, plain, table, verbatim

BAD = "<script>x</script> [a](javascript:b) | ![c](d)"
FILES = {
    "module.yaml": f"id: house/bad\nkind: house\ntitle: '{BAD}'\nrequires: {{base: c2/base}}\n",
    "statements.yaml": "statements:\n  - {id: bad-one, topic: scoring.return,"
    f" authority: house-rule, says: '{BAD}'}}\n",
    "rules/all.yaml": "rules:\n  - id: bad.one\n    from: [bad-one]\n    amend: points(x)\n"
    "    when: x is city\n    item: bad\n    value: 7 # ``` </pre>\n",
}


def test_a_text_of_an_author_is_no_tag_and_no_link() -> None:
    assert plain(BAD) == "&lt;script>x&lt;/script> [a]\\(javascript:b) | ![c]\\(d)"
    assert table(("a\nb",), (("c | d",),)) == ["| a b |", "| --- |", "| c \\| d |", ""]


def test_a_block_is_not_closed_by_what_stands_in_it() -> None:
    lines = verbatim("a\n```\n<b>")
    assert lines == ["````", "a", "```", "<b>", "````"]
    assert document([*lines, "<c>\n# d"]) == "````\na\n```\n<b>\n````\n&lt;c> # d\n"


@pytest.mark.parametrize("length", Length)
def test_no_page_in_markdown_has_a_tag_or_a_link_of_a_ruleset(
    length: Length, tmp_path: Path
) -> None:
    write(FILES, tmp_path / "house" / "bad")
    library = Library([tmp_path])
    found = compare_texts(("c2/base", "house/bad"), library)
    text = histories("scoring.return", library)
    for page in (as_markdown(found, length=length), history_markdown(text)):
        outside = re.sub(r"^(```+)\n.*?^\1$", "", page, flags=re.DOTALL | re.MULTILINE)
        assert "script" in outside
        assert "<" not in outside and "](" not in outside
