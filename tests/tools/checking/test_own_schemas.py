"""Schemas of authors: failures are diagnostics with their places, and a hostile one is stopped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from support.paths import ROOT
from tilewright.faces.cli.app import run
from tilewright.rules.reading.as_data import files_as_data, ruleset_as_data
from tilewright.rules.reading.file_kinds import FILES
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.schemas import data_schema, id_of, schemas
from tilewright.tools.checking import own_schemas
from tilewright.tools.editor.live_diagnostics import Inspection

EXAMPLE = ROOT / "examples" / "house-rules"
Check = Callable[..., tuple[int, list[dict[str, object]], str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example repository, in which the program runs under its own settings."""
    shutil.copytree(EXAMPLE, tmp_path / "repository")
    monkeypatch.chdir(tmp_path / "repository")
    monkeypatch.delenv("TILEWRIGHT_CONFIG", raising=False)
    return tmp_path / "repository"


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """Check the rulesets of the repository: exit code, diagnostics, messages beside them."""

    def found(*words: str) -> tuple[int, list[dict[str, object]], str]:
        capsys.readouterr()
        code = run(["check", "--format", "json", *words])
        out, err = capsys.readouterr()
        return code, json.loads(out or "[]"), err

    return found


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_the_example_meets_its_own_conventions(folder: Path, check: Check) -> None:
    assert check()[:2] == (0, [])


def test_a_rule_that_cites_nothing_is_an_error_at_its_place(folder: Path, check: Check) -> None:
    file = folder / "rulesets/ours/long-roads/rules/roads.yaml"
    change(
        file, "  - id: long_road.bonus\n    from: [ours-long-road]\n", "  - id: long_road.bonus\n"
    )
    code, found, _ = check()
    (own,) = (each for each in found if each["code"] == "OURS2")
    assert code == 1 and own["severity"] == "error" and "without `from`" in str(own["message"])
    assert str(own["file"]).endswith("roads.yaml") and own["line"] == 7


def test_a_label_needs_all_languages_also_those_of_catalogues(folder: Path, check: Check) -> None:
    file = folder / "rulesets/ours/long-roads/rules/roads.yaml"
    change(file, "    amend: points(x)\n", "    label: long way\n    amend: points(x)\n")
    (found,) = (each for each in check()[1] if each["code"] == "OURS1")
    assert found["line"] == 9 and found["severity"] == "warning"
    for language, text in (("uk", "довга дорога"), ("pl", "długa droga")):
        with (folder / f"rulesets/ours/long-roads/locale/{language}.po").open("a") as catalogue:
            catalogue.write(f'\nmsgid "long way"\nmsgstr "{text}"\n')
    assert "OURS1" not in {each["code"] for each in check()[1]}


def test_ids_follow_a_prefix_in_the_whole_ruleset(folder: Path, check: Check) -> None:
    for file in (folder / "rulesets/ours/long-roads").rglob("*.yaml"):
        file.write_text(file.read_text().replace("ours-long-road", "my-long-road"))
    found = [each for each in check()[1] if each["code"] == "OURS3"]
    assert [(each["message"], each["severity"]) for each in found] == [
        ("the id `my-long-road` does not begin with `ours-`", "note")
    ]
    assert str(found[0]["file"]).endswith("statements.yaml")


def test_own_codes_are_selected_silenced_and_kept_like_all(folder: Path, check: Check) -> None:
    file = folder / "rulesets/ours/long-roads/rules/roads.yaml"
    change(file, "    amend: points(x)\n", "    label: long way\n    amend: points(x)\n")
    assert check("--severity", "OURS1=note")[0] == 0
    assert check("--ignore", "rules/*:OURS1")[1] == []
    change(file, "label: long way\n", "label: long way  # tilewright: ignore OURS1 (a draft)\n")
    assert check()[1] == []


@pytest.mark.parametrize("form", ["text", "sarif", "github", "junit"])
def test_own_codes_are_in_every_form(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    file = folder / "rulesets/ours/long-roads/rules/roads.yaml"
    change(file, "    amend: points(x)\n", "    label: long way\n    amend: points(x)\n")
    capsys.readouterr()
    assert run(["check", "--format", form]) == 1
    out, err = capsys.readouterr()
    assert "OURS1" in out and "explains a code" not in err


PLAIN = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"$ref": "https://example.org/a.json"}, "nothing else is read"),
        ({"properties": {"a": {"$ref": "other.json"}}}, "nothing else is read"),
        ({"$ref": "#/$defs/absent"}, "which it does not have"),
        ({"$ref": id_of("absent")}, "nothing else is read"),
        ({"$ref": id_of("rules", 9)}, "nothing else is read"),
        ({"$ref": "#"}, "refers to itself without end"),
        ({"type": "objekt"}, "is not a schema"), ({"pattern": "("}, "is not a schema"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "another dialect"),
        ({"x-code": "TW604"}, "`x-code`"), ({"x-code": 3}, "`x-code`"),
        ({"x-severity": "bad"}, "`x-severity`"), ({"x-message": 3}, "`x-message`"),
        ([], "is not a map"),
    ],
)  # fmt: skip
def test_a_schema_that_cannot_be_used_is_a_message(
    folder: Path, check: Check, schema: object, says: str
) -> None:
    text = {**PLAIN, **schema} if isinstance(schema, dict) else schema
    Path("own.json").write_text(json.dumps(text))
    code, _, err = check("--schema", "rules=own.json")
    assert code == 3 and says in err, err


def test_a_hostile_schema_is_stopped(
    folder: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_schemas, "_SECONDS", 1.0)
    pattern = {"$defs": {"a": {"pattern": "^(([a-z. ])+.)+[A-Z]([a-z])+$"}}}
    everywhere = {
        "$ref": "#/$defs/b",
        "$defs": {
            "b": {
                "$ref": "#/$defs/a",
                "additionalProperties": {"$ref": "#/$defs/b"},
                "items": {"$ref": "#/$defs/b"},
            },
            **pattern["$defs"],
        },
    }
    Path("own.json").write_text(json.dumps(PLAIN | everywhere))
    file = folder / "rulesets/ours/proud-cities/rules/cities.yaml"
    change(file, "two points are hardly worth the wait", "a" * 60)
    code, _, err = check("--schema", "rules=own.json")
    assert code == 3 and "was stopped" in err
    Path("own.json").write_text(json.dumps({"a": "x" * (10 << 20)}))
    assert check("--schema", "rules=own.json")[0] == 3
    Path("own.json").write_text("[" * 100_000)
    assert check("--schema", "rules=own.json")[0] == 3


@pytest.mark.parametrize(
    ("entry", "says"),
    [("rules", "like `rules=FILE`"), ("rulez=a.json", "did you mean `rules`?"),
     ("rules=absent.json", "cannot be read")],
)  # fmt: skip
def test_an_entry_that_names_no_schema_is_a_message(
    folder: Path, check: Check, entry: str, says: str
) -> None:
    code, _, err = check("--schema", entry)
    assert code == 3 and says in err
    assert err.count("`ruleset`") <= 1


def test_a_failure_of_the_whole_ruleset_does_not_repeat_it(folder: Path, check: Check) -> None:
    Path("own.json").write_text('{"minProperties": 900}')
    _, found, _ = check("--schema", "ruleset=own.json")
    messages = {str(each["message"]) for each in found}
    assert messages == {"its first line: the map does not have enough properties"}


def test_the_settings_of_a_folder_name_only_schemas_in_it(folder: Path, check: Check) -> None:
    (folder.parent / "outside.json").write_text("{}")
    Path("tilewright.toml").write_text('[check]\nschema = ["rules=../outside.json"]\n')
    code, _, err = check()
    assert code == 3 and "outside of the folder" in err
    assert check("--schema", "rules=../outside.json")[0] == 0


@pytest.mark.parametrize("id_", ["c2/base", "c2/princess-and-dragon", "c3/river", "shared/dragon"])
def test_a_shipped_ruleset_as_data_meets_its_schema(id_: str) -> None:
    folder = Library().folder(id_)
    assert folder is not None
    data = json.loads(json.dumps(ruleset_as_data(id_, files_as_data(folder))))
    resources = [(each["$id"], Resource.from_contents(each)) for each in schemas().values()]
    registry: Registry = Registry().with_resources(resources)
    Draft202012Validator(data_schema(), registry=registry).validate(data)
    title = data["module"][0]["content"]["title"]
    assert set(title) == {"en", "uk", "pl"}


def test_show_ruleset_prints_the_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "ruleset", "c2/river", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["tilewright"] == "ruleset 1" and data["id"] == "c2/river"
    assert {"module", "tiles", "rules", "scenarios", "statements"} <= set(data)


def test_the_editor_shows_own_findings_while_the_author_types(folder: Path) -> None:
    file = folder / "rulesets/ours/long-roads/rules/roads.yaml"
    text = file.read_text()
    inspection = Inspection([folder / "rulesets"])
    inspection.write(file, text)
    inspection.next()
    assert inspection.diagnostics()[file] == ()
    inspection.write(file, text.replace("    amend:", "    label: long way\n    amend:"))
    inspection.next()
    assert [each.code for each in inspection.diagnostics()[file]] == ["OURS1"]


def test_a_ruleset_in_one_file_is_the_same_data(folder: Path, check: Check) -> None:
    place = folder / "rulesets/ours/long-roads"
    shutil.rmtree(place / "locale")
    before = ruleset_as_data("ours/long-roads", files_as_data(place))
    assert run(["fmt", "--join", str(place)]) == 0
    file = place.with_suffix(".yaml")
    after = ruleset_as_data("ours/long-roads", files_as_data(file))
    assert {each["file"] for part in before if part in FILES for each in after[part]} == {
        "ruleset.yaml"
    }
    for part in set(before) & set(FILES):
        assert [each["content"] for each in after[part]] == [
            each["content"] for each in before[part]
        ]
    change(file, "    from: [ours-long-road]\n    amend", "    amend")
    assert "OURS2" in {each["code"] for each in check()[1]}
    change(file, "  - id: ours-long-road", "  - id: my-long-road")
    (found,) = (each for each in check()[1] if each["code"] == "OURS3")
    line = file.read_text().split("\n").index("  - id: my-long-road") + 1
    assert (Path(str(found["file"])).name, found["line"]) == ("long-roads.yaml", line)


def test_the_editor_reports_a_schema_that_cannot_be_used(folder: Path) -> None:
    (folder / "conventions" / "labels.schema.json").write_text("{")
    file = folder / "rulesets/ours/long-roads/rules/roads.yaml"
    inspection = Inspection([folder / "rulesets"])
    inspection.write(file, file.read_text())
    inspection.next()
    found = [each for row in inspection.diagnostics().values() for each in row]
    assert ["labels.schema.json" in each.message for each in found] == [True]


def test_a_kind_that_is_unknown_is_answered_with_each_kind_once(folder: Path, check: Check) -> None:
    code, _, message = check("--schema", "rule=conventions/names.schema.json")
    assert code == 3 and message.count("`ruleset`") == 1 and "did you mean `rules`" in message
