"""The editor keeps things of one name apart where two rulesets do not know each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.overlays import here, where
from support.same_names import BETWEEN, ONE, OTHER, same_names
from tilewright.language.source.text import words_of
from tilewright.tools.editor.completion import complete
from tilewright.tools.editor.rename import Refusal, rename
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.overlay import Overlay

RULES = "rules/dig.yaml"


@pytest.fixture
def index(tmp_path: Path) -> Index:
    same_names(tmp_path)
    return Index(Overlay([tmp_path]))


def texts_after(
    index: Index, root: Path, id_: str, file: str, name: str, new: str
) -> dict[Path, str]:
    """The texts of the files that change where a name is given up for another one."""
    path = root / id_ / file
    changes = rename(index, path, *where(path.read_text("utf-8"), name), new)
    assert not isinstance(changes, Refusal), changes
    found = {change.path: change.path.read_text("utf-8").split("\n") for change in changes}
    for change in reversed(changes):
        line = found[change.path][change.span.line - 1]
        before, after = line[: change.span.column - 1], line[change.span.end_column - 1 :]
        found[change.path][change.span.line - 1] = before + change.text + after
    return {path.relative_to(root.resolve()): "\n".join(lines) for path, lines in found.items()}


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (RULES, "dig:"),
        (RULES, "yield_of"),
        (RULES, "dug"),
        (RULES, "saved"),
        (RULES, "last"),
        ("components.yaml", "digger"),
        ("components.yaml", "mine"),
        ("components.yaml", "heap"),
    ],
)
def test_a_thing_is_renamed_without_the_one_of_a_stranger(
    index: Index, tmp_path: Path, file: str, name: str
) -> None:
    plain = name.removesuffix(":")
    texts = texts_after(index, tmp_path, ONE, file, name, "renamed")
    assert not [path for path in texts if path.is_relative_to(OTHER)]
    for path, text in texts.items():
        if path.is_relative_to(BETWEEN):
            assert f"{plain} of {ONE}" not in words_of(text) and f"{plain} of {ONE}(" not in text
            assert f"renamed of {ONE}" in text


def test_a_name_with_its_ruleset_is_renamed_from_where_it_is_used(
    index: Index, tmp_path: Path
) -> None:
    texts = texts_after(index, tmp_path, BETWEEN, "rules/order.yaml", f"dug of {OTHER}", "digged")
    assert sorted(texts) == [Path(BETWEEN) / "rules/order.yaml", Path(OTHER) / RULES]
    assert f"on: digged of {OTHER}(p)" in texts[Path(BETWEEN) / "rules/order.yaml"]


def test_completion_offers_what_a_rule_sees(index: Index, tmp_path: Path) -> None:
    rule = "rules:\n  - id: a.b\n    on: step lay_tile\n    when: count(mi|>\n"

    def offered(id_: str, text: str) -> set[str]:
        path = tmp_path / id_ / "rules" / "more.yaml"
        plain, line, column = here(text)
        path.write_text(plain, encoding="utf-8")
        index.overlay.open()
        index.overlay.write(path, plain)
        found = complete(index, path, line, column)
        return set() if found is None else {item.name for item in found.items}

    assert "mine" in offered(ONE, rule)
    assert not {name for name in offered(BETWEEN, rule) if "mine" in name}
    both = offered(BETWEEN, f"with: [{ONE}, {OTHER}]\n{rule}")
    assert {f"mine of {ONE}", f"mine of {OTHER}"} <= both
    assert f"mine of {OTHER}" not in offered(BETWEEN, f"with: [{ONE}]\n{rule}")
    step = f"with: [{ONE}, {OTHER}]\nrules:\n  - id: a.b\n    on: step |>\n"
    steps = offered(BETWEEN, step)
    assert {f"dig of {ONE}", f"dig of {OTHER}"} <= steps and "dig" not in steps
    assert "dig" in offered(ONE, step.replace(f"with: [{ONE}, {OTHER}]\n", ""))
