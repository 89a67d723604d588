"""The configuration file: where it is found, what it may hold, and what wins over it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tilewright.faces.cli.app import run
from tilewright.faces.cli.settings_schema import schema
from tilewright.language.source.files import read_whole
from tilewright.rules.reading.library import schemas_folder

MODULE = "id: {id}\nkind: house\ntitle: Short\nversion: 1.0.0\nrequires: {{base: c2/base}}\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the current folder."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("TILEWRIGHT_CONFIG", "TILEWRIGHT_LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def house_rule(folder: Path, id_: str) -> None:
    (folder / "rules").mkdir(parents=True)
    (folder / "module.yaml").write_text(MODULE.format(id=id_))


def settings(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, tuple[object, str]]:
    """The settings of `config`: value and source by name; options by verb and name."""
    assert run(["config", *words, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    found = {each["name"]: (each["value"], each["source"]) for each in data["settings"]}
    for verb, group in data["options"].items():
        found |= {f"{verb} {each['name']}": (each["value"], each["source"]) for each in group}
    return found


# ------------------------------------------------------------------ options


def test_a_table_sets_the_options_of_its_verb(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tilewright.toml").write_text('[rulesets]\nformat = "json"\n')
    assert run(["rulesets"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), list)


def test_the_command_line_wins_over_the_file(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tilewright.toml").write_text('[rulesets]\nformat = "json"\n')
    assert run(["rulesets", "--format", "text"]) == 0
    assert capsys.readouterr().out.startswith("edition")


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "tilewright.toml").write_text('language = "pl"\n')
    assert settings(capsys)["language"] == ("pl", "tilewright.toml:1")
    assert settings(capsys, "why")["why --lang"] == ("pl", "tilewright.toml:1")
    run(["show", "turn", "c2/base"])
    assert "przygotowanie" in capsys.readouterr().out
    monkeypatch.setenv("TILEWRIGHT_LANG", "uk")
    value, source = settings(capsys)["language"]
    assert (value, source) == ("uk", "TILEWRIGHT_LANG, not tilewright.toml:1")
    run(["show", "turn", "c2/base"])
    assert "приготування" in capsys.readouterr().out
    run(["show", "turn", "c2/base", "--lang", "en"])
    assert "setup" in capsys.readouterr().out


def test_a_command_below_a_verb_has_a_table_of_its_own(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tilewright.toml").write_text('[show.turn]\nlang = "uk"\n')
    run(["show", "turn", "c2/base"])
    assert "приготування" in capsys.readouterr().out
    assert settings(capsys)["show turn --lang"] == ("uk", "tilewright.toml:2")


def test_a_path_is_read_from_the_folder_of_the_file(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    house_rule(repository / "mine", "house/short")
    (repository / "tilewright.toml").write_text('[rulesets]\nwith = ["mine"]\nfull = true\n')
    (repository / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(repository / "deep" / "er")
    assert run(["rulesets"]) == 0
    assert "house/short" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[compare]\nbrief = true\n", ["--full"]),
        ("[compare]\nfull = true\n", ["--brief"]),
        ("[compare]\nbrief = true\n", ["--no-brief"]),
        ("[compare]\nfull = true\n", ["--no-full"]),
    ],
)
def test_a_switch_of_the_file_can_be_replaced_and_switched_off(
    repository: Path, capsys: pytest.CaptureFixture[str], text: str, words: list[str]
) -> None:
    games = ["compare", "c2/base", "c2/abbot"]
    assert run([*games, *words]) == 0
    wanted = capsys.readouterr().out
    (repository / "tilewright.toml").write_text(text)
    assert run([*games, *words]) == 0
    assert capsys.readouterr().out == wanted
    assert run(games) == 0
    assert capsys.readouterr().out != wanted


def test_switches_that_exclude_each_other_are_refused_from_one_source(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", "c2/base", "c2/abbot", "--brief", "--full"]) == 2
    assert "`--brief` and `--full` exclude each other" in capsys.readouterr().err
    (repository / "tilewright.toml").write_text("[compare]\nbrief = true\nfull = true\n")
    assert run(["compare", "c2/base", "c2/abbot"]) == 2
    assert "`--brief` and `--full` exclude each other" in capsys.readouterr().err


def test_the_file_is_read_once_in_a_run(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tilewright.toml").write_text('language = "uk"\n')
    read: list[Path] = []

    def noted(path: Path, limit: int) -> str:
        read.append(path)
        return read_whole(path, limit)

    monkeypatch.setattr("tilewright.tools.workspace.configuration.read_whole", noted)
    assert run(["show", "turn", "c2/base"]) == 0
    assert [path.name for path in read] == ["tilewright.toml"]
    (repository / "tilewright.toml").write_text('language = "en"\n')
    assert run(["show", "turn", "c2/base"]) == 0
    assert "setup" in capsys.readouterr().out.rpartition("приготування")[2]


# ------------------------------------------------------------------ folders


def test_rulesets_in_the_folders_are_found_by_every_verb_and_checked_by_default(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house_rule(repository / "ours" / "short", "house/short")
    house_rule(repository / "elsewhere", "house/other")
    (repository / "tilewright.toml").write_text('folders = ["ours"]\n')
    assert run(["show", "turn", "c2/base+house/short"]) == 0
    capsys.readouterr()
    run(["check", "--format", "junit"])
    said = capsys.readouterr().out
    assert "house/short" in said and "other" not in said and "c2/base" not in said


def test_a_named_folder_comes_before_a_configured_one_with_the_same_id(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house_rule(repository / "ours" / "short", "house/short")
    house_rule(repository / "copy", "house/short")
    (repository / "tilewright.toml").write_text('folders = ["ours"]\n')
    assert run(["check", "./copy", "--format", "junit"]) == 0
    said = capsys.readouterr()
    assert "copy/module.yaml" in said.out and "ours" not in said.out and "both" not in said.err


def test_a_configured_folder_may_be_empty(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "ours").mkdir()
    (repository / "tilewright.toml").write_text('folders = ["ours"]\n')
    assert run(["show", "turn", "c2/base"]) == 0


# ------------------------------------------------------------------ the file


def test_the_nearest_file_counts_and_a_project_file_may_hold_the_table(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = '[project]\nname = "x"\n\n[tool.tilewright]\nlanguage = "pl"\n'
    (repository / "pyproject.toml").write_text(project)
    inner = repository / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert settings(capsys)["language"] == ("pl", "../pyproject.toml:5")
    (inner / "pyproject.toml").write_text('[tool.other]\nlanguage = "tilewright"\n')
    assert settings(capsys)["language"] == ("pl", "../pyproject.toml:5")
    (inner / "tilewright.toml").write_text('\nlanguage = "uk"\n')
    assert settings(capsys)["language"] == ("uk", "tilewright.toml:2")


def test_the_search_ends_at_the_repository(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "tilewright.toml").write_text('language = "uk"\n')
    inner = repository / "inner"
    (inner / ".git").mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert settings(capsys)["language"] == ("en", "default")


def test_a_variable_names_another_file_or_none(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "tilewright.toml").write_text('language = "uk"\n')
    (repository / "other.toml").write_text('language = "pl"\n')
    monkeypatch.setenv("TILEWRIGHT_CONFIG", "other.toml")
    assert settings(capsys)["language"] == ("pl", "other.toml:1")
    monkeypatch.setenv("TILEWRIGHT_CONFIG", "")
    assert settings(capsys)["language"] == ("en", "default")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("folder = []", 2, "tilewright.toml:1: unknown key `folder`; did you mean `folders`?"),
        ("folders = 'x'", 2, 'tilewright.toml:1: `folders` is a list of texts, such as ["rul'),
        ("\nfolders = ['x']", 2, "tilewright.toml:2: the folder `x` does not exist"),
        ("language = 'xx'", 2, "tilewright.toml:1: `language` is `en`, `pl` or `uk`, not `xx`"),
        ("language = 3", 2, "tilewright.toml:1: `language` is a text"),
        ("[chek]", 2, "tilewright.toml:1: unknown key `chek`; did you mean `check`?"),
        ("check = 3", 2, "tilewright.toml:1: `check` is a verb, not a setting"),
        ("check = 3", 2, "settings are folders, language; options of a verb go in `[check]`"),
        ("rulset = []", 2, "unknown key `rulset`\n  known are folders, language"),
        ("[folder]", 2, "unknown key `folder`\n  known are folders, language"),
        ("[check]\nfail_on = 'error'", 2, "tilewright.toml:2: `check` has no option `fail_on`; "),
        ("[check]\nhelp = true", 2, "tilewright.toml:2: `check` has no option `help`"),
        ("[check]\nfail-on = 'eror'", 2, "tilewright.toml:2: `--fail-on` is `error`, `warning`"),
        ("[check]\nstrict = 'yes'", 2, "tilewright.toml:2: `strict` is true or false"),
        ("[check]\nformat = true", 2, "tilewright.toml:2: `format` is a text"),
        ("[check]\nwith = 'x'", 2, "tilewright.toml:2: `with` is a list, each a text"),
        ("[check\n", 3, "tilewright.toml:1: not valid TOML: expected ']'"),
        (f"\n{'a.' * 200_000}a = 1", 3, "tilewright.toml:2: a key has at most 100 parts"),
        (f"[{'a.' * 200_000}a]", 3, "tilewright.toml:1: a key has at most 100 parts"),
        (f"x = {{{'.'.join(['a'] * 200_000)} = 1}}", 3, "toml:1: a key has at most 100 parts"),
        ("[" + " " * 200_000 + "]x", 3, "tilewright.toml:1: not valid TOML"),
    ],
)
def test_an_error_names_the_file_the_line_and_the_nearest_right_key(
    repository: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, message: str
) -> None:
    (repository / "tilewright.toml").write_text(text)
    for words in (["check", "c2/base"], ["config"]):
        assert run(words) == code
        said = capsys.readouterr().err
        assert message in said and "Traceback" not in said


def test_a_number_outside_of_its_range_is_refused(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CONFIG", "mine.toml")
    (repository / "mine.toml").write_text("[simulate]\ngames = 0\n")
    assert run(["simulate", "c2/base"]) == 2
    said = capsys.readouterr().err
    assert "mine.toml:2: `--games` is a whole number from 1 to 1000000000, not `0`" in said
    assert "; the nearest is 1" in said


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["check", "--help"]])
def test_help_and_version_do_not_need_the_file(
    repository: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    (repository / "tilewright.toml").write_text("[[[")
    assert run(words) == 0


def test_a_file_that_is_not_text_is_unreadable(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tilewright.toml").write_bytes(b"\xff")
    assert run(["rulesets"]) == 3
    assert "cannot read `tilewright.toml`: it is not UTF-8 text" in capsys.readouterr().err


def test_a_byte_order_mark_is_no_part_of_the_file(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tilewright.toml").write_text('language = "uk"\n', "utf-8-sig")
    assert settings(capsys)["language"][0] == "uk"


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("[simulate]\ngames = " + "9" * 5000, 3, "tilewright.toml: not valid TOML"),
        ('[check]\nbaseline = "a\\u0000.json"', 2, "tilewright.toml:2: `baseline` contains"),
    ],
    ids=["number", "path"],
)
def test_values_that_nothing_can_hold_are_one_sentence(
    repository: Path, text: str, code: int, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "tilewright.toml").write_text(text)
    assert run(["config"]) == code
    err = capsys.readouterr().err
    assert err.startswith(f"tilewright: {place}") and len(err.splitlines()) == 1


# ------------------------------------------------------------------ the schema


@pytest.mark.parametrize(
    ("name", "is_own"), [("configuration", False), ("own-configuration", True)]
)
def test_the_schemas_are_made_from_the_options_of_the_verbs(name: str, is_own: bool) -> None:
    kept = json.loads((schemas_folder() / f"{name}.schema.json").read_text())
    assert kept == schema(is_own=is_own), "run `python -m tilewright.faces.cli.settings_schema .`"


@pytest.mark.parametrize(
    ("text", "in_a_folder", "own"),
    [
        ('folders = ["a"]\nlanguage = "uk"\n[check]\nfail-on = "error"\n', True, True),
        ('[compare]\nimpact = "breaking,behaviour"\n[show.turn]\nlang = "pl"\n', True, True),
        ('[simulate]\ngames = 10\nseed = ["1", "2"]\n', False, True),
        ("[check]\nout = 'a.json'\n", False, True),
        ("[simulate]\ngames = 0\n", False, False),
        ('[check]\nfail-on = "eror"\n', False, False),
        ("[chek]\n", False, False),
    ],
)
def test_the_schemas_accept_what_the_program_accepts(
    repository: Path, text: str, in_a_folder: bool, own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a").mkdir()
    (repository / "tilewright.toml").write_text(text)
    for is_own, is_valid in ((False, in_a_folder), (True, own)):
        validator = Draft202012Validator(schema(is_own=is_own))
        assert validator.is_valid(tomllib.loads(text)) == is_valid
        if is_own:
            monkeypatch.setenv("TILEWRIGHT_CONFIG", "tilewright.toml")
        assert (run(["config"]) == 0) == is_valid


def test_fmt_formats_the_configured_folders(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house_rule(repository / "ours" / "short", "house/short")
    house_rule(repository / "elsewhere", "house/other")
    (repository / "tilewright.toml").write_text('folders = ["ours"]\n')
    run(["fmt", "--check"])
    said = capsys.readouterr().err
    assert "ours/short" in said or "1 file" in said
    assert "elsewhere" not in said
