"""Texts of rulesets in other languages: catalogues beside their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library

RULES = """
# components.yaml
figures:
  goat: {label: goat, owned: true, count: 1}
  ram: {label: goat, owned: true, count: 1}
# statements.yaml
statements:
  - id: goats
    topic: setup.goats
    says: >-
      Goats are placed
      on meadows.
    authority: official
    carried_by: figures
"""
GOAT = 'msgid "goat"\nmsgstr "коза"\n'


def read(text: str, root: Path) -> tuple[Ruleset, list[tuple[str, str, str]]]:
    """A ruleset, and its diagnostics: code, place from its folder on, message."""
    reporter = Reporter()
    library, _ = library_of(RULES + text, root)
    ruleset = library.load("trial/first", reporter)
    assert ruleset is not None
    place = f"{(root / 'trial' / 'first').resolve().as_posix()}/"
    found = reporter.diagnostics
    return ruleset, [(d.code, f"{d.span}".removeprefix(place), d.message) for d in found]


def labels(ruleset: Ruleset, language: str) -> list[str]:
    return [figure.label.get(language) for figure in ruleset.figures]


def test_a_catalogue_translates_every_label_of_a_text(tmp_path: Path) -> None:
    says = 'msgid "Goats are placed on meadows."\nmsgstr "Кози стоять на луках."\n'
    title = '#, fuzzy\nmsgid "a trial"\nmsgstr "спроба"\n'
    ruleset, found = read(f"# locale/uk.po\n{GOAT}\n{says}\n{title}", tmp_path)
    assert found == []
    assert labels(ruleset, "uk") == ["коза", "коза"]
    assert labels(ruleset, "en") == labels(ruleset, "pl") == ["goat", "goat"]
    assert ruleset.statements[0].translations == (("uk", "Кози стоять на луках."),)
    assert ruleset.module.title.get("uk") == "a trial"  # nobody has confirmed the fuzzy one


def test_a_context_is_the_id_of_the_thing_that_needs_another_translation(tmp_path: Path) -> None:
    ram = 'msgctxt "ram"\nmsgid "goat"\nmsgstr "цап"\n'
    ruleset, found = read(f"# locale/uk.po\n{GOAT}\n{ram}", tmp_path)
    assert found == []
    assert labels(ruleset, "uk") == ["коза", "цап"]


@pytest.mark.parametrize("comment", ["", "# of a translator\n"])
@pytest.mark.parametrize(("flag", "unreviewed"), [("", ()), ("#, unreviewed\n", ("uk",))])
def test_a_translation_that_nobody_has_reviewed_is_used_and_known(
    comment: str, flag: str, unreviewed: tuple[str, ...], tmp_path: Path
) -> None:
    says = 'msgid "Goats are placed on meadows."\nmsgstr "Кози стоять на луках."\n'
    ruleset, found = read(f"# locale/uk.po\n{comment}{flag}{says}{GOAT}", tmp_path)
    assert found == []
    assert ruleset.statements[0].translations == (("uk", "Кози стоять на луках."),)
    assert ruleset.statements[0].unreviewed == unreviewed


OPTIONS = """# module.yaml
id: trial/first
kind: house
title: a trial
options:
  grazing:
    choices: [on_meadows, none, at_night]
    default: none
    says: whether goats graze
    labels: {none: nowhere}
"""


def test_a_catalogue_translates_options_and_their_choices(tmp_path: Path) -> None:
    text = """# locale/uk.po
msgid "whether goats graze"
msgstr "чи пасуться кози"

msgctxt "grazing"
msgid "nowhere"
msgstr "ніде"

msgid "on meadows"
msgstr "на луках"
"""
    ruleset, found = read(f"{OPTIONS}{text}", tmp_path)
    assert found == []
    (option,) = ruleset.module.options
    assert (option.says.get("uk"), option.says.get()) == ("чи пасуться кози", "whether goats graze")
    named = [option.named(choice) for choice in option.choices]
    assert [each.get("uk") for each in named] == ["на луках", "ніде", "at night"]
    assert [each.get() for each in named] == ["on meadows", "nowhere", "at night"]


def test_a_catalogue_translates_definitions_and_events(tmp_path: Path) -> None:
    text = """# rules/own.yaml
definitions:
  grazes:
    parameters: {f: figure}
    type: truth
    combine: any
    says: whether a goat grazes
events:
  milked: {parameters: {f: figure}, says: a goat has been milked}
# locale/uk.po
msgid "whether a goat grazes"
msgstr "чи коза пасеться"

msgctxt "milked"
msgid "a goat has been milked"
msgstr "козу подоїли"
"""
    ruleset, found = read(text, tmp_path)
    assert found == []
    (grazes,), (milked,) = ruleset.definitions, ruleset.events
    assert (grazes.says.get("uk"), grazes.says.get("pl")) == (
        "чи коза пасеться", "whether a goat grazes",
    )  # fmt: skip
    assert (milked.says.get("uk"), milked.says.get()) == ("козу подоїли", "a goat has been milked")


def test_what_a_yaml_file_says_comes_first(tmp_path: Path) -> None:
    text = "# tiles.yaml\npieces: []\n# rules/own.yaml\nsteps:\n"
    text += "  milk: {phase: turn, label: {en: goat, uk: доїти}, after: [put_figure]}\n"
    ruleset, found = read(f"{text}# locale/uk.po\n{GOAT}", tmp_path)
    assert ruleset.steps[0].label.get("uk") == "доїти"
    assert labels(ruleset, "uk") == ["коза", "коза"]
    assert [code for code, _, _ in found if code.startswith("TW78")] == []


@pytest.mark.parametrize(
    ("catalogue", "code", "place", "message"),
    [
        ('msgid "goat"\nmsgstr "коза\n', "TW780", "3:1", "expected an entry of a catalogue"),
        (GOAT + GOAT, "TW780", "4:1", "`goat` is translated twice"),
        ('msgid "goat"\n\nmsgid "milk"\nmsgstr "x"\n', "TW780", "2:1", "expected `msgstr` after"),
        ('msgid "goat"\nmsgid_plural "goats"\nmsgstr[0] "коза"\n', "TW780", "2:1", "one form"),
        ('msgid "goat"\nmsgstr "ко\\rза"\n', "TW109", "2:1", "U+000D"),
        ('msgid "goat"\nmsgstr "ко\x1bза"\n', "TW109", "3:11", "U+001B"),
        (
            GOAT + '\nmsgid "gaot"\nmsgstr "коза"\n',
            "TW781",
            "5:1",
            "of `gaot`, which no text here needs; did you mean `goat`?",
        ),
        (GOAT + '\nmsgctxt "cow"\nmsgid "goat"\nmsgstr "x"\n', "TW781", "6:1", "`goat` for `cow`"),
    ],
)
def test_what_is_wrong_with_a_catalogue_is_reported_at_its_place(
    catalogue: str, code: str, place: str, message: str, tmp_path: Path
) -> None:
    _, ((found, where, said),) = read(f"# locale/uk.po\n{catalogue}", tmp_path)
    assert (found, where) == (code, f"locale/uk.po:{place}")
    assert message in said


def test_a_language_that_lacks_what_another_has_is_reported_once(tmp_path: Path) -> None:
    title = 'msgid "a trial"\nmsgstr "спроба"\n'
    text = f'# locale/uk.po\n{GOAT}\n{title}# locale/pl.po\nmsgid "goat"\nmsgstr ""\n'
    _, found = read(text, tmp_path)
    message = "no translation of `a trial` and 1 more, which others have"
    assert found == [("TW782", "locale/pl.po:1:1", message)]


def test_nothing_is_stale_while_a_file_cannot_be_read(tmp_path: Path) -> None:
    text = f'# rules/own.yaml\nsteps: [\n# locale/uk.po\nmsgid "milk"\nmsgstr "доїти"\n{GOAT}'
    _, found = read(text, tmp_path)
    assert [code for code, _, _ in found if code.startswith("TW78")] == []


@pytest.mark.parametrize("name", ["locale/ukr.po", "locale/uk.yaml", "locale/UK.po", "uk.po"])
def test_other_files_of_data_are_reported(name: str, tmp_path: Path) -> None:
    library_of("# module.yaml\nid: trial/first\nkind: expansion\ntitle: t\n", tmp_path)
    path = tmp_path / "trial" / "first" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(GOAT)
    reporter = Reporter()
    Library([tmp_path], shipped=False).load("trial/first", reporter)
    assert [each.code for each in reporter.diagnostics] == ["TW220"]


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside.po").write_text(GOAT)
    library_of(RULES, tmp_path)
    inner = tmp_path / "trial" / "first" / "locale"
    inner.mkdir()
    (inner / "uk.po").symlink_to(tmp_path / "outside.po")
    reporter = Reporter()
    ruleset = Library([tmp_path], shipped=False).load("trial/first", reporter)
    assert [each.code for each in reporter.diagnostics] == ["TW114"]
    assert ruleset is not None and labels(ruleset, "uk") == ["goat", "goat"]


def test_names_of_topics_are_translated_beside_their_file(tmp_path: Path) -> None:
    (tmp_path / "topics.yaml").write_text("topics: {goat: goat, goat.milk: milk}\n")
    (tmp_path / "locale").mkdir()
    catalogue = tmp_path / "locale" / "uk.po"
    catalogue.write_text(GOAT + 'msgctxt "goat"\nmsgid "milk"\nmsgstr "x"\n')
    library, reporter = Library([tmp_path], shipped=False), Reporter()
    topics = library.topics(reporter)
    assert (topics["goat"].get("uk"), topics["goat.milk"].get("uk")) == ("коза", "milk")
    assert [each.code for each in reporter.diagnostics] == ["TW781"]
    assert library.topics_files() == (tmp_path / "topics.yaml", catalogue)
