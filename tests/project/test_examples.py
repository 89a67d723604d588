"""The example repository passes its own pipeline, run as it is written."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

from support.paths import ROOT
from tilewright.faces.cli.app import run

EXAMPLE = ROOT / "examples" / "house-rules"
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
CONFIG = yaml.safe_load((EXAMPLE / ".pre-commit-config.yaml").read_text())
USED = {hook["id"]: hook for repo in CONFIG["repos"] for hook in repo["hooks"]}
WORKFLOW = yaml.safe_load((EXAMPLE / ".github" / "workflows" / "rules.yaml").read_text())
STEPS = [
    step["run"]
    for job in WORKFLOW["jobs"].values()
    for step in job["steps"]
    if step.get("run", "").startswith("tilewright ")
]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(EXAMPLE, tmp_path / "repository")
    monkeypatch.chdir(tmp_path / "repository")
    monkeypatch.delenv("TILEWRIGHT_CONFIG")  # its own settings are in force
    return tmp_path / "repository"


def committed(folder: Path, pattern: str) -> list[str]:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in names if re.search(pattern, name))


def words(entry: str) -> list[str]:
    program, *rest = shlex.split(entry)
    assert program == "tilewright"
    return rest


@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_its_workflow_passes(step: str, repository: Path) -> None:
    command, _, _ = step.partition(" > ")
    assert run(words(command)) == 0


def test_the_workflow_runs_all_three_verbs() -> None:
    assert {words(step)[0] for step in STEPS} == {"fmt", "check", "test"}


@pytest.mark.parametrize("id_", HOOKS)
def test_a_hook_passes_and_changes_nothing(id_: str, repository: Path) -> None:
    hook = HOOKS[id_]
    files = committed(repository, hook["files"])
    before = {name: (repository / name).read_bytes() for name in files}
    assert len(files) == 8
    more = files if hook.get("pass_filenames", True) else []
    assert run([*words(hook["entry"]), *USED[id_].get("args", []), *more]) == 0
    assert before == {name: (repository / name).read_bytes() for name in files}


def test_the_example_uses_every_hook_there_is() -> None:
    assert set(USED) == set(HOOKS)


def test_the_hook_for_the_form_lays_a_file_out(repository: Path) -> None:
    file = repository / "rulesets" / "ours" / "proud-cities" / "rules" / "cities.yaml"
    good = file.read_text()
    file.write_text(good.replace("    ", "        ").replace("  - id", "  -     id"))
    assert run([*words(HOOKS["tilewright-fmt"]["entry"]), str(file)]) == 0
    assert file.read_text() == good


def test_the_hook_for_findings_tells_a_broken_rule(repository: Path, capsys) -> None:
    file = repository / "rulesets" / "ours" / "proud-cities" / "rules" / "cities.yaml"
    file.write_text(file.read_text().replace("expect: 2", "expect: 4"))
    assert run(words(HOOKS["tilewright-check"]["entry"])) == 1
    assert "error[TW" in capsys.readouterr().out


def test_hooks_look_at_files_of_rulesets_only() -> None:
    pattern = HOOKS["tilewright-fmt"]["files"]
    assert all(
        re.search(pattern, name)
        for name in (
            *("module.yaml", "topics.yaml", "a/tiles.yaml", "a/components.yaml"),
            *("a/b/rules/turn.yaml", "a/scenarios/x.yaml"),
        )
    )
    assert not any(
        re.search(pattern, name)
        for name in (".github/workflows/rules.yml", ".pre-commit-config.yaml", "a/turn.yaml")
    )
