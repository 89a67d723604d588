"""The names of topics: each shipped topic has one in three languages, and pages call it so."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from support.pages import as_markdown, page_of, print_comparison
from tilewright.faces.cli.views.page import print_history
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.comparison.timeline import histories, topics_of
from tilewright.view.comparison.export import as_json
from tilewright.view.comparison.history import history_markdown
from tilewright.view.page.blocks import Length
from tilewright.view.results.comparison import Comparison

LIBRARY = Library()
NAMES = LIBRARY.topics(Reporter())
GAMES = ("c2/farmers", "c2/farmers+house/no-farmers")
#: heading, name under it, by language
TOLD = {
    "en": ("farmer", "placement"),
    "uk": ("селянин", "розміщення"),
    "pl": ("chłop", "umieszczenie"),
}

NEW = {
    "module.yaml": """
id: mine/alone
title: Alone
kind: house
requires: {base: c2/base}
sources: {table: {title: Our table}}
""",
    "statements.yaml": """
statements:
  - id: alone
    topic: meeple.alone.at-night
    says: At night a meeple is alone.
    authority: house-rule
    no_rule: it is only said
    cite: [{source: table}]
""",
}


def added(folder: Path, names: str = "") -> Library:
    """A library with a ruleset whose topic nobody has named, unless `names` does."""
    for name, text in NEW.items():
        path = folder / "mine" / "alone" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if names:
        (folder / "topics.yaml").write_text(names, encoding="utf-8")
    library = Library(shipped=False)
    library.add(folder)
    library.add(Path(str(LIBRARY.folder("c2/base"))).parents[1])
    return library


def found() -> Comparison:
    return compare_texts(GAMES, LIBRARY)


def page(comparison: Comparison, language: str, length: Length = Length.USUAL) -> str:
    out = io.StringIO()
    print_comparison(comparison, Console(file=out, width=120), language=language, length=length)
    return out.getvalue()


def test_the_names_can_be_read() -> None:
    reporter = Reporter()
    LIBRARY.topics(reporter)
    assert reporter.diagnostics == ()


def test_every_topic_and_every_heading_has_a_name_in_three_languages() -> None:
    topics = set(topics_of(LIBRARY))
    topics |= {topic.split(".")[0] for topic in topics}
    assert sorted(topics - NAMES.keys()) == []
    short = [topic for topic in topics if not {"en", "uk", "pl"} <= dict(NAMES[topic].texts).keys()]
    assert short == []


def test_no_name_is_for_a_topic_that_nobody_has() -> None:
    topics = set(topics_of(LIBRARY))
    topics |= {topic.split(".")[0] for topic in topics}
    assert sorted(NAMES.keys() - topics) == []


def test_no_two_topics_of_a_group_have_one_name() -> None:
    for language in TOLD:
        texts: dict[tuple[str, str], str] = {}
        for topic, labels in NAMES.items():
            if "." in topic:
                key = (topic.split(".")[0], labels.get(language))
                assert texts.setdefault(key, topic) == topic


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@pytest.mark.parametrize("language", TOLD)
def test_the_terminal_calls_topics_by_their_names(language: str) -> None:
    heading, name = TOLD[language]
    text = page(found(), language)
    assert f"\n{heading.upper()}\n" in text
    assert f"≠  {name}  " in text
    assert f"  {capital(heading)}\n     {capital(name)} " in text
    assert "farmer.placement" not in text


def test_a_full_page_has_the_ids_too() -> None:
    assert "≠  umieszczenie  farmer.placement  " in page(found(), "pl", Length.FULL)


@pytest.mark.parametrize("language", TOLD)
def test_markdown_calls_topics_by_their_names(language: str) -> None:
    heading, name = TOLD[language]
    text = as_markdown(found(), language=language)
    assert f"### {heading}\n" in text
    assert f"**{name}**" in text
    assert f"| **{capital(heading)}** |" in text
    assert f"| {capital(name)} |" in text


@pytest.mark.parametrize("language", TOLD)
def test_the_web_page_calls_topics_by_their_names(language: str) -> None:
    heading, name = TOLD[language]
    text = page_of(found(), LIBRARY, language=language)
    assert f">{capital(heading)}</th>" in text
    assert f">{capital(name)}</a>" in text
    assert 'title="farmer.placement"' in text


@pytest.mark.parametrize("language", TOLD)
def test_a_history_calls_topics_by_their_names(language: str) -> None:
    text = histories("farmer.placement.hoard", LIBRARY)
    heading, name = NAMES["farmer"].get(language), NAMES["farmer.placement.hoard"].get(language)
    title = f"## {heading}: {name} (`farmer.placement.hoard`)"
    assert title in history_markdown(text, language).splitlines()
    out = io.StringIO()
    print_history(text, Console(file=out, width=100), language=language)
    assert out.getvalue().startswith(f"{heading}: {name}  farmer.placement.hoard\n")


def test_json_keeps_the_ids() -> None:
    data = json.loads(as_json(found()))
    topics = [row["topic"] for group in data["topics"] for row in group["rows"]]
    assert "farmer.placement" in topics
    assert "topic_names" not in data


def test_a_topic_without_a_name_is_shown_by_its_id(tmp_path: Path) -> None:
    compared = compare_texts(["c2/base", "c2/base+mine/alone"], added(tmp_path))
    text = page(compared, "uk")
    assert "alone.at-night" in text or "meeple.alone.at-night" in text


def test_a_house_rule_can_name_topics(tmp_path: Path) -> None:
    names = "topics: {meeple.alone.at-night: {en: alone at night, uk: самотність уночі}}"
    compared = compare_texts(["c2/base", "c2/base+mine/alone"], added(tmp_path, names))
    assert "самотність уночі" in as_markdown(compared, language="uk")
    assert "alone at night" in as_markdown(compared, language="pl")


def test_ones_own_name_goes_before_the_shipped_one(tmp_path: Path) -> None:
    library = added(tmp_path, "topics: {meeple: {en: pawn}}")
    assert library.topics(Reporter())["meeple"].get("uk") == "pawn"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("topics: [a, b]", "TW203"),
        ("topics: {Big: {en: big}}", "TW205"),
        ("topics: {a.b: {uk: так}}", "TW201"),
        ("names: {}", "TW201"),
    ],
)
def test_wrong_names_of_topics_are_reported(text: str, code: str, tmp_path: Path) -> None:
    reporter = Reporter()
    added(tmp_path, text).topics(reporter)
    assert code in {found.code for found in reporter.diagnostics}


def test_a_side_does_not_lack_what_only_a_third_one_adds(tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "again"
    (folder / "rules").mkdir(parents=True)
    (folder / "module.yaml").write_text(
        "id: mine/again\ntitle: Again\nkind: house\nrequires: {base: c2/base}\n"
    )
    rule = "rules:\n  - {id: again, amend: plays_on(), value: active.points > 3}\n"
    (folder / "rules" / "again.yaml").write_text(rule)
    found = compare_texts(("c2/base", "c2/farmers", "mine/again"), Library([tmp_path]))
    written = as_markdown(found)
    assert "Whether the next turn is the active player's as well: is also true when" in written
    assert "without: Whether the next turn" not in written
