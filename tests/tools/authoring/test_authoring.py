"""`new` writes rulesets that can be checked and played at once, with TODO for missing details."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from support.marks import slow_unless
from support.paths import ROOT
from support.played import played
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.replay import fresh
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library, schemas_folder
from tilewright.rules.reading.schemas import id_of
from tilewright.tools.authoring import files as new_files
from tilewright.tools.authoring import house_rule
from tilewright.tools.authoring.expansion import new_expansion, new_scenario
from tilewright.tools.authoring.files import new_folder, texts, write, write_file
from tilewright.tools.authoring.house_rule import new_house_rule
from tilewright.tools.authoring.targets import CannotMakeError, find_target
from tilewright.tools.checking.check import check
from tilewright.tools.checking.suppressions import private
from tilewright.tools.formatting.format_file import lay_out_file
from tilewright.tools.persistence.match_file import match_text, parse_match
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, Run, run_scenario
from tilewright.tools.workspace.workspace import Workspace

WORKSPACE = Workspace(Library())


def names_of(own: m.Ruleset) -> set[str]:
    """All that a house rule can be about."""
    found = {rule.head.id for rule in own.rules}
    found |= {value.id for value in own.values} | {step.id for step in own.steps}
    found |= {event.id for event in own.events}
    return found | {definition.id for definition in own.definitions}


def every_target() -> list[str]:
    rulesets = (WORKSPACE.own(id_) for id_ in WORKSPACE.ids())
    return sorted({name for own in rulesets if own is not None for name in names_of(own)})


#: one of each sort and of each way to be in the game, and some of all others by lot
TARGETS = (
    "dragon.steps", "lay_tile", "may_deploy", "players.most", "put_away_to", "scoring.feature",
    "pig.scoring.one", "dragon.double_turn_memory.ends", "dragon.prey",
    "dragon.may_turn_back", "builder.never_alone", "targets", "scored", "left", "gained", "acted",
    *random.Random("new").sample(every_target(), 4),
)  # fmt: skip

#: a rule, an amendment, a value, events
QUICK = ("put_away_to", "may_deploy", "targets", "scored", "gained")


def checked(folder: Path) -> tuple[str, set[str], list[Run]]:
    """The id, the diagnostic codes and the scenario runs of the ruleset in a folder."""
    library = Library([folder])
    (id_,) = library.add(folder)
    codes = {d.code for d in private(check(library, [id_]))}
    programs = Programs(library)
    runs = [run_scenario(s, id_, game, programs) for s, game in scenarios_of(id_, library)]
    return id_, codes, runs


@pytest.mark.parametrize("name", slow_unless(lambda name: name in QUICK, TARGETS))
def test_a_new_house_rule_is_sound_and_its_scenario_asks_to_be_changed(
    name: str, tmp_path: Path
) -> None:
    made = new_house_rule("shy-one", find_target(name, WORKSPACE), WORKSPACE)
    write(made.files, tmp_path / "shy-one")
    id_, codes, runs = checked(tmp_path / "shy-one")
    assert id_ == made.id == "house/shy-one"
    assert codes == {"TW630"}
    assert [run.passed for run in runs] == [False]
    scenario = (tmp_path / "shy-one" / "scenarios" / "shy-one.yaml").read_text(encoding="utf-8")
    lines = scenario.split("\n")
    found = [entry_at(lines, problem.span.line - 1) for problem in runs[0].problems]
    assert all("change this" in entry for entry in found), found


def entry_at(lines: list[str], at: int) -> str:
    """The entry of a list that contains a line, such as a whole `expect:`."""
    first = max(n for n in range(at + 1) if lines[n].lstrip().startswith("- "))
    deep = len(lines[first]) - len(lines[first].lstrip())
    rest = (n for n in range(first + 1, len(lines)) if lines[n].strip())
    last = next((n for n in rest if len(lines[n]) - len(lines[n].lstrip()) <= deep), len(lines))
    return "\n".join(lines[first:last])


def test_a_house_rule_is_shown_in_random_play_where_no_scenario_shows_the_thing() -> None:
    target = find_target("dragon.eats", WORKSPACE)
    library = Library()
    for id_ in library.ids():  # the same rulesets without their proof
        own = library.load_rules(id_, Reporter())
        assert own is not None
        library = library.instead(own)
    made = new_house_rule("shy-one", target, Workspace(library))
    assert made.shown_by == "a position of random play"
    (scenario,) = made.files["scenarios/shy-one.yaml"][1]["scenarios"]
    assert scenario["board"]
    assert "change this" in repr(scenario["play"][-1])


@pytest.mark.slow
def test_a_value_that_an_option_changes_is_expected_by_nobody(tmp_path: Path) -> None:
    made = new_house_rule("many", find_target("players.most", WORKSPACE), WORKSPACE)
    (patch,) = made.files["rules/many.yaml"][1]["patches"]
    assert "expect" not in patch


def test_the_ruleset_of_a_rule_can_be_chosen() -> None:
    assert find_target("dragon.eats", WORKSPACE).ruleset == "c2/princess-and-dragon"
    chosen = find_target("dragon.eats", WORKSPACE, "c3.1/dragon-and-fairy")
    assert chosen.ruleset == "c3.1/dragon-and-fairy"
    with pytest.raises(CannotMakeError, match=r"did you mean `dragon\.eats`"):
        find_target("dragon.aets", WORKSPACE)


@pytest.mark.parametrize("base", ("", "c3/base"))
def test_a_new_expansion_is_sound_and_its_scenario_holds(base: str, tmp_path: Path) -> None:
    id_, files = new_expansion("windmills", WORKSPACE, base)
    write(files, tmp_path / "windmills")
    found, codes, runs = checked(tmp_path / "windmills")
    assert found == id_
    assert codes == {"TW630"}
    assert [run.passed for run in runs] == [True]


def test_what_is_written_is_in_canonical_form(tmp_path: Path) -> None:
    made = new_house_rule("shy-one", find_target("city.tiles", WORKSPACE), WORKSPACE)
    _, files = new_expansion("windmills", WORKSPACE, "c2/base")
    written = [*write(made.files, tmp_path / "shy-one"), *write(files, tmp_path / "windmills")]
    for path in written:
        found = lay_out_file(path, Reporter())
        assert found is not None and found.difference() == "", path


def test_nothing_is_written_over_and_nothing_is_left_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, files = new_expansion("windmills", WORKSPACE)
    with pytest.raises(CannotMakeError):
        new_folder("Wind Mills", tmp_path)
    folder = new_folder("windmills", tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(new_files.os, "rename", lambda *_: (_ for _ in ()).throw(OSError("full")))
        with pytest.raises(OSError, match="full"):
            write(files, folder)
    assert list(tmp_path.iterdir()) == []
    write(files, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
    with pytest.raises(CannotMakeError, match="there already"):
        new_folder("windmills", tmp_path)
    with pytest.raises(CannotMakeError, match="there already"):
        write(files, folder)
    with pytest.raises(CannotMakeError, match="there already"):
        write_file(folder / "module.yaml", "id: other/one\n")
    assert {path: path.read_bytes() for path in folder.rglob("*.yaml")} == before
    assert [path.name for path in tmp_path.iterdir()] == ["windmills"]


@pytest.mark.parametrize("turn", (None, 1, 3))
def test_a_scenario_of_a_save_passes_in_its_own_file(turn: int | None, tmp_path: Path) -> None:
    game = "c2/farmers+c2/princess-and-dragon"
    match = played(game, 30, players=3)
    file = parse_match(match_text(match), Reporter())
    assert file is not None
    _, files = new_expansion("windmills", WORKSPACE)
    folder = tmp_path / "windmills"
    write(files, folder)
    path = folder / "scenarios" / "saved.yaml"
    write_file(path, new_scenario(file, fresh(match), turn, "", path))
    _, codes, runs = checked(folder)
    assert codes == {"TW630"}
    assert [run.passed for run in runs] == [True, True]
    with pytest.raises(CannotMakeError, match="no turn 99"):
        new_scenario(file, fresh(match), 99, "", None)


# ------------------------------------------------------------------ the command line


def test_a_new_house_rule_says_what_to_do_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "house-rule", "long-walk", "--on", "dragon.steps"]) == 0
    output = capsys.readouterr().out
    assert "tilewright check long-walk" in output
    assert "sets `dragon.steps` from 6 to 7" in output
    assert "a match played with and without it" in " ".join(output.split())
    assert run(["test", "long-walk"]) == 1
    assert "change this" in capsys.readouterr().out
    assert run(["check", "long-walk"]) == 1
    found = capsys.readouterr()
    lines = (found.out + found.err).splitlines()
    assert len(lines) <= 3 and max(map(len, lines)) <= 80
    assert sum("unfinished" in line for line in lines) == 2
    assert run(["check", "long-walk", "--publish"]) == 1
    assert "house rule `house/long-walk` has no statements" in capsys.readouterr().out
    assert run(["new", "house-rule", "long-walk", "--on", "dragon.steps"]) == 2
    assert "is there already" in capsys.readouterr().err


def test_the_help_and_the_manual_name_the_mark_of_the_drafts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["new", "house-rule", "long-walk", "--on", "dragon.steps", "--out", str(tmp_path)]
    assert run(words) == 0
    draft = next((tmp_path / "long-walk" / "scenarios").iterdir()).read_text("utf-8")
    mark = "TODO: change this to the new result"
    assert f"# {mark}" in draft
    capsys.readouterr()
    assert run(["new", "house-rule", "--help"]) == 0
    pages = (capsys.readouterr().out, (ROOT / "docs/how-to/house-rules.md").read_text("utf-8"))
    for page in pages:
        plain = " ".join(page.split())
        assert f"marked `{mark}`" in plain and "change me" not in plain


def test_points_of_a_draft_are_named_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "house-rule", "rich-towns", "--on", "points"]) == 0
    assert "item: rich towns" in (tmp_path / "rich-towns/rules/rich-towns.yaml").read_text("utf-8")
    capsys.readouterr()
    assert run(["check", "rich-towns"]) == 1
    found = capsys.readouterr()
    assert len((found.out + found.err).splitlines()) <= 3


def test_a_rule_of_a_ruleset_of_ones_own_can_be_changed_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, files = new_expansion("windmills", WORKSPACE)
    write(files, tmp_path / "windmills")
    found = ["new", "house-rule", "calm", "--on", "windmills.first", "--format", "json"]
    found += ["--out", str(tmp_path), "--with", str(tmp_path / "windmills")]
    assert run(found) == 0
    output = json.loads(capsys.readouterr().out)
    assert (output["id"], output["ruleset"]) == ("house/calm", "c2/windmills")
    assert all(Path(file).is_file() for file in output["files"])
    folders = [str(tmp_path / "calm"), "--with", str(tmp_path / "windmills")]
    assert run(["test", *folders]) == 1
    assert "change this" in capsys.readouterr().out


def test_a_scenario_of_a_save_goes_to_standard_output_or_to_a_new_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save, to = tmp_path / "game.json", tmp_path / "late.yaml"
    save.write_text(match_text(played("c2/base", 20)), encoding="utf-8")
    assert run(["new", "scenario", "--from", str(save), "--turn", "4"]) == 0
    assert "  - id: turn-4\n" in capsys.readouterr().out
    found = ["new", "scenario", "--from", str(save), "--out", str(to), "--id", "late-move"]
    assert run(found) == 0
    assert "  - id: late-move\n" in to.read_text(encoding="utf-8")
    assert run(found) == 2
    assert run(["new", "scenario", "--from", str(tmp_path / "none.json")]) == 3


MODULE = {"module.yaml": ("", {"id": "house/one"})}
LINE = "# yaml-language-server: $schema="


def schema_named(folder: Path | None) -> str:
    """The schema that a new file in a folder names."""
    return texts(MODULE, folder)["module.yaml"].removeprefix(LINE).splitlines()[0]


def test_a_file_names_its_schema_by_a_path_that_travels_or_by_its_address(tmp_path: Path) -> None:
    inside = schemas_folder().parent / "rulesets" / "house" / "one"
    assert schema_named(inside) == "../../../schemas/module.schema.json"
    assert schema_named(tmp_path / "one") == schema_named(None) == id_of("module")
    shutil.copytree(schemas_folder(), tmp_path / "schemas")
    assert schema_named(tmp_path / "one") == "../schemas/module.schema.json"
    assert schema_named(tmp_path) == "schemas/module.schema.json"


def test_a_schema_of_another_program_with_the_same_name_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "module.schema.json").write_bytes(b'{"$id": "\xff"}')
    assert schema_named(tmp_path / "one") == id_of("module")


@pytest.mark.parametrize(
    "words",
    [["house-rule", "one", "--on", "city.tiles"],
     ["house-rule", "one", "--on", "city.tiles", "--one-file"],
     ["expansion", "one"], ["library", "one"]],
)  # fmt: skip
def test_every_file_that_new_writes_names_its_schema_and_keeps_it(
    tmp_path: Path, words: list[str]
) -> None:
    assert run(["new", *words, "--out", str(tmp_path)]) == 0
    heads = {}
    files = [file for file in tmp_path.rglob("*.yaml") if ".github" not in file.parts]
    for file in files:
        if file.name != ".pre-commit-config.yaml":
            heads[file] = file.read_text("utf-8").splitlines()[0]
    assert heads and all(head.startswith(f"{LINE}https://") for head in heads.values())
    folders = [file.parent for file in heads if file.name == "module.yaml"] or [*heads]
    assert run(["fmt", *map(str, folders)]) == 0
    assert {file: file.read_text("utf-8").splitlines()[0] for file in heads} == heads
    for file in tmp_path.rglob("tilewright.toml"):
        assert file.read_text("utf-8").startswith(f"#:schema {id_of('configuration')}\n")


def test_a_private_house_rule_is_checked_without_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = new_house_rule("dear", find_target("city.tiles", WORKSPACE), WORKSPACE)
    write(made.files, tmp_path / "dear")
    for path in (tmp_path / "dear").rglob("*.yaml"):
        text = path.read_text("utf-8").replace("TODO", "done")
        path.write_text(text, "utf-8")
    assert run(["check", str(tmp_path / "dear")]) == 0
    assert capsys.readouterr().out == "no findings\n"
    assert run(["check", str(tmp_path / "dear"), "--publish"]) == 1
    assert "[TW603]" in capsys.readouterr().out


def test_shipped_house_rules_have_statements() -> None:
    owns = [WORKSPACE.own(id_) for id_ in WORKSPACE.ids()]
    houses = [own for own in owns if own is not None and own.module.kind == "house"]
    assert houses and all(own.statements for own in houses)


@pytest.mark.slow
def test_a_change_that_no_scenario_shows_is_shown_on_a_board_of_its_own(tmp_path: Path) -> None:
    made = new_house_rule("long-walk", find_target("dragon.steps", WORKSPACE), WORKSPACE)
    assert made.is_shown
    write(made.files, tmp_path / "long-walk")
    _, _, runs = checked(tmp_path / "long-walk")
    (run,) = runs
    assert {problem.code for problem in run.problems} == {"TW802"}
    assert sum(line.text.startswith("dragon to ") for line in run.scenario.lines) == 6
    assert not any(line.expect and line.expect.values for line in run.scenario.lines)


@pytest.mark.slow
def test_new_says_when_no_scenario_shows_the_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_rule, "_MAX_DECISIONS", 1)
    assert run(["new", "house-rule", "unseen", "--on", "dragon.steps", "--out", str(tmp_path)]) == 0
    assert "no scenario was found that shows this change" in capsys.readouterr().out
