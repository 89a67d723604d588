"""The language of the command line: `--lang`, the environment, a catalogue from elsewhere."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewright.faces.cli.app import run
from tilewright.language.locale.words import FOLDER_VARIABLE
from tilewright.tools.explanation.score_log import cited
from tilewright.tools.workspace.loading import load_game

Call = Callable[..., tuple[int, str, str]]

WRONG = """\
rules:
  - id: slip.one
    amend: may_lay(p, place)
    value: turn > tern
"""
MADE_UP = """\
msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=n != 1;\\n"

msgid "test.passed"
msgid_plural "test.passed"
msgstr[0] "{ruleset} ~ {passed}/{n} bim"
msgstr[1] "{ruleset} ~ {passed}/{n} bims"

msgid "diagnostic.TW301"
msgstr "bam"
"""


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Call:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TILEWRIGHT_CACHE", "")
    monkeypatch.chdir(tmp_path)

    def run_it(*words: str) -> tuple[int, str, str]:
        code = run(words)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_it


@pytest.fixture
def slip(tmp_path: Path) -> str:
    """A ruleset with an unknown name."""
    folder = tmp_path / "slip"
    (folder / "rules").mkdir(parents=True)
    head = "id: house/slip\nkind: house\ntitle: Slip\nrequires: {base: c2/base}\n"
    (folder / "module.yaml").write_text(head, "utf-8")
    (folder / "rules" / "slip.yaml").write_text(WRONG, "utf-8")
    return str(folder)


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "xx.po").write_text(MADE_UP, "utf-8")
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    return folder


@pytest.mark.parametrize(
    ("language", "head", "summary"),
    [
        ("en", "error[TW301]: unknown name `tern`", "1 error, 1 warning\n"),
        ("uk", "помилка[TW301]: невідома назва\n", "1 помилка, 1 попередження\n"),
        ("pl", "błąd[TW301]: nieznana nazwa\n", "1 błąd, 1 ostrzeżenie\n"),
    ],
)
def test_check_prints_titles_in_a_language(
    call: Call, slip: str, language: str, head: str, summary: str
) -> None:
    code, out, _ = call("check", slip, "--lang", language)
    assert code == 1
    assert out.startswith(head)
    assert out.endswith(summary)
    assert "unknown name `tern`" in out  # the message itself is there in every language


@pytest.mark.parametrize(
    ("language", "head"),
    [("uk", "попередження[TW645]: малюнок, якого немає"),
     ("pl", "ostrzeżenie[TW645]: rysunek, którego nie ma")],
)  # fmt: skip
def test_an_unknown_picture_has_its_title_in_a_language(
    call: Call, slip: str, language: str, head: str
) -> None:
    (Path(slip) / "rules" / "slip.yaml").unlink()
    figure = "figures:\n  giant: {label: giant, count: 1, glyph: crest-with-stra}\n"
    (Path(slip) / "components.yaml").write_text(figure, "utf-8")
    assert head in call("check", slip, "--lang", language)[1]


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "edition c2 with a house rule, 2014"),
     ("uk", "видання c2 з домашнім правилом, 2014"),
     ("pl", "edycja c2 z zasadą domową, 2014")],
)  # fmt: skip
def test_a_house_rule_without_an_edition_is_compared_as_one_of_its_game(
    call: Call, slip: str, language: str, expected: str
) -> None:
    file = Path(slip) / "rules" / "slip.yaml"
    file.write_text(WRONG.replace("turn > tern", "turn > 1"), "utf-8")
    _, out, _ = call("compare", "c2/base", slip, "--lang", language)
    assert expected in " ".join(out.split())
    assert "c2, house" not in out


def test_the_data_of_a_check_are_the_same_in_every_language(call: Call, slip: str) -> None:
    for form in ("json", "sarif", "github", "junit"):
        found = {call("check", slip, "-f", form, "--lang", name)[1] for name in ("en", "uk", "pl")}
        assert len(found) == 1


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "75 of 75 scenarios passed"), ("uk", "75 із 75 сценаріїв"), ("pl", "75 z 75 scen")],
)
def test_test_counts_in_a_language(call: Call, language: str, expected: str) -> None:
    code, out, _ = call("test", "c2/base", "--lang", language)
    assert (code, expected in out) == (0, True)


SIMULATE = ("simulate", "c2/base", "c2/base+c2/abbot", "-n", "40")


@pytest.mark.parametrize(
    ("language", "head", "expected"),
    [
        ("uk", "по 40 партій на 2 гравців (random), зерно 1\n", "гравець набирає на "),
        ("pl", "po 40 partii dla 2 graczy (random), ziarno 1\n", "gracz zdobywa o "),
    ],
)
def test_simulate_prints_and_writes_its_page_in_a_language(
    call: Call, tmp_path: Path, language: str, head: str, expected: str
) -> None:
    page = tmp_path / "page.html"
    code, out, _ = call(*SIMULATE, "--lang", language, "--out", str(page))
    assert code == 0
    assert out.startswith(head)
    assert expected in out
    english = {" ".join(line.split()) for line in call(*SIMULATE)[1].splitlines()}
    same = english & {" ".join(line.split()) for line in out.splitlines()}
    assert same <= {"", "A B", "A c2/base", "B c2/base+c2/abbot"}
    html = page.read_text("utf-8")
    assert f'<html lang="{language}">' in html
    assert expected in html
    assert "points of" not in html
    assert "on average" not in html


def test_records_are_the_same_in_every_language(call: Call, tmp_path: Path) -> None:
    kept = []
    for language in ("en", "uk"):
        folder = tmp_path / language
        call("simulate", "c2/base", "-n", "20", "--lang", language, "--out", str(folder))
        kept.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert kept[0] == kept[1]
    _, out, _ = call("simulate", "--from", str(tmp_path / "uk"), "--lang", "pl")
    assert out.startswith("20 partii dla 2 graczy")


def test_points_and_choices_are_explained_in_a_language(call: Call, tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    bots = ("--players", "greedy,greedy", "--seed", "7", "--save", str(save))
    assert call("play", "c2/base", *bots)[0] == 0
    out = call("why", str(save), "--lang", "pl")[1]
    assert "czerwony dostaje 4 punkty: " in out and " gains " not in out
    assert call("why", str(save), "--not", "lay 0,0 N", "--lang", "pl")[1] == "Gra jest skończona\n"
    assert call("why", str(save), "--turn", "900", "--lang", "pl")[1] == "tam nie było punktów\n"
    assert "wszystkie wpisy są dozwolone" in call("replay", str(save), "--lang", "pl")[1]


def test_statements_are_cited_in_their_translation() -> None:
    game, _ = load_game("c2/princess-and-dragon+c2/base")
    assert game is not None
    says = [cited(game, ("pd2-dragon-six",), name)[0].says for name in ("en", "uk", "tlh")]
    assert says[0] == says[2] == "A walk ends after six tiles, or sooner when the dragon is stuck."
    assert says[1].startswith("Подорож закінчується після шести плиток")


def test_the_environment_sets_the_language_and_the_option_goes_before_it(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_LANG", "uk")
    assert call("check", "c2/base")[1] == "зауважень немає\n"
    assert call("check", "c2/base", "--lang", "pl")[1] == "brak zastrzeżeń\n"
    monkeypatch.setenv("TILEWRIGHT_LANG", "tlh")
    code, _, err = call("check", "c2/base")
    assert (code, err) == (2, "tilewright: `--lang` is `en`, `pl` or `uk`, not `tlh`\n")


@pytest.mark.usefixtures("made_up")
def test_a_fourth_language_needs_a_catalogue_only(call: Call, slip: str) -> None:
    assert call("test", "c2/base", "--lang", "xx")[1] == "c2/base ~ 75/75 bims\n"
    code, out, _ = call("check", slip, "--lang", "xx")
    assert code == 1
    assert out.startswith("error[TW301]: bam\n")
    titles = json.loads(call("rulesets", "-f", "json", "--lang", "xx")[1])
    assert titles == json.loads(call("rulesets", "-f", "json", "--lang", "en")[1])


def test_a_broken_catalogue_is_one_sentence(call: Call, made_up: Path) -> None:
    broken = made_up / "yy.po"
    broken.write_text('msgid "a"\nmsgstr b\n', "utf-8")
    code, out, err = call("check", "c2/base", "--lang", "yy")
    assert (code, out) == (3, "")
    assert err == f"tilewright: {broken}:2: expected an entry of a catalogue: `msgstr b`\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=n/0;\\n"\n', "not a plural rule"),
        ('msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=n;\\n"\n', "is not from 0 to 1"),
        ('msgid "test.passed"\nmsgstr "{ruleset} {oops}"\n', "can contain {n}, "),
        ('msgid "test.passed"\nmsgstr "{ruleset"\n', "can contain {n}, "),
    ],
    ids=["division", "form", "name", "brace"],
)
def test_a_catalogue_that_cannot_be_used_is_one_sentence(
    call: Call, made_up: Path, text: str, reason: str
) -> None:
    (made_up / "yy.po").write_text(text, "utf-8")
    code, out, err = call("test", "c2/farmers", "--lang", "yy")
    assert (code, out) == (3, "")
    assert err.startswith("tilewright: ") and reason in err and len(err.splitlines()) == 1


def test_only_files_with_the_name_of_a_language_are_catalogues(call: Call, made_up: Path) -> None:
    for name in (".po", "..po", "a b;c.po", "pt-BR.po"):
        (made_up / name).write_text("", "utf-8")
    err = call("check", "c2/base", "--lang", "tlh")[2]
    assert "`pl`, `pt-BR`, `uk`" in err and "`.`" not in err and "a b" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no name there")
def test_a_pipe_is_no_catalogue(call: Call, made_up: Path) -> None:
    os.mkfifo(made_up / "yy.po")
    code, _, err = call("check", "c2/base", "--lang", "yy")
    assert (code, "not an ordinary file" in err) == (3, True)
