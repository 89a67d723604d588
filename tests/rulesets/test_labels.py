"""Everything in the shipped rulesets that people are shown has a name in every language."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import pytest

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Action, Amendment, Labels, Procedure, Rule, Ruleset
from tilewright.rules.reading.library import Library, shipped_rulesets

SHIPPED = Library().ids()
#: the languages of the shipped rulesets
LANGUAGES = ("en", "uk", "pl")
#: effects whose words people read: a choice, and points without a list of items
SPOKEN = re.compile(r"\bchoose [a-z]|\baward [a-z_.]+ to\b")

#: names by language, or translations of a statement, beside English texts
OTHER_LANGUAGES = re.compile(r"(?m)(?:[{,]|^) *(?:en|translations):(?: |$)")


def labels_in(thing: object, name: str = "") -> Iterator[tuple[str, Labels]]:
    """Every label that is given somewhere in a thing, with the id it belongs to."""
    if isinstance(thing, Labels):
        if thing.texts:
            yield name, thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from labels_in(part, name)
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        own = getattr(thing, "id", name)
        for slot in dataclasses.fields(thing):
            yield from labels_in(getattr(thing, slot.name), own)


def unnamed(ruleset: Ruleset) -> Iterator[str]:
    """Rules that people are shown, and memory, without a name."""
    yield from (memory.id for memory in ruleset.memory if not memory.label.texts)
    called = (rule for rule in ruleset.rules if isinstance(rule, Procedure) and not rule.beside)
    yield from (rule.head.id for rule in called if not rule.head.label.texts)
    patched = [patch.rule for patch in ruleset.patches if patch.rule is not None]
    for rule in (*ruleset.rules, *patched):
        if not (label_of(rule).texts or not is_spoken(rule)):
            yield rule.head.id


def is_spoken(rule: Rule) -> bool:
    if isinstance(rule, Amendment):
        return bool(rule.item)
    return isinstance(rule, Action) or SPOKEN.search(rule.do.text) is not None


def label_of(rule: Rule) -> Labels:
    return rule.item_label if isinstance(rule, Amendment) else rule.head.label


def loaded(id_: str) -> Ruleset:
    ruleset = Library().load(id_, Reporter())
    assert ruleset is not None
    return ruleset


@pytest.mark.parametrize("id_", SHIPPED)
def test_every_label_is_there_in_every_language(id_: str) -> None:
    gaps = [
        f"{name}: no {language}"
        for name, label in labels_in(dataclasses.replace(loaded(id_), scenarios=()))
        for language in LANGUAGES
        if not dict(label.texts).get(language)
    ]
    assert gaps == []


@pytest.mark.parametrize("id_", SHIPPED)
def test_what_players_are_offered_or_given_has_a_name(id_: str) -> None:
    assert list(unnamed(loaded(id_))) == []


@pytest.mark.parametrize("id_", SHIPPED)
def test_every_option_and_every_choice_is_there_in_every_language(id_: str) -> None:
    gaps = [
        f"{option.id} {choice}: no {language}"
        for option in loaded(id_).module.options
        for choice, text in (("", option.says), *((c, option.named(c)) for c in option.choices))
        for language in LANGUAGES
        if not dict(text.texts).get(language)
    ]
    assert gaps == []


@pytest.mark.parametrize("id_", SHIPPED)
def test_every_statement_is_there_in_every_language(id_: str) -> None:
    spoken = {language for language in LANGUAGES if language != "en"}
    gaps = [s.id for s in loaded(id_).statements if not spoken <= dict(s.translations).keys()]
    assert gaps == []


def test_files_of_rules_are_in_one_language() -> None:
    files = shipped_rulesets().rglob("*.yaml")
    assert [file for file in files if OTHER_LANGUAGES.search(file.read_text("utf-8"))] == []
