"""The workflow of the code host runs what the project has, on every supported Python."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from support.paths import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
#: YAML reads the key `on` as a truth value
TEXT = WORKFLOW.read_text("utf-8").replace("\non:", '\n"on":')
JOBS: dict[str, dict[str, Any]] = yaml.safe_load(TEXT)["jobs"]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def runs(job: str) -> str:
    return "\n".join(step["run"] for step in JOBS[job]["steps"] if "run" in step)


def test_it_starts_with_every_push_and_pull_request() -> None:
    assert set(yaml.safe_load(TEXT)["on"]) == {"push", "pull_request"}
    assert set(yaml.safe_load(TEXT)) == {"name", "on", "permissions", "env", "jobs"}


@pytest.mark.parametrize("job", JOBS)
def test_a_job_is_well_formed(job: str) -> None:
    known = {"name", "if", "runs-on", "timeout-minutes", "strategy", "permissions", "steps"}
    assert set(JOBS[job]) <= known
    for step in JOBS[job]["steps"]:
        assert set(step) <= {"name", "uses", "with", "run", "env"}
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
    assert JOBS[job]["steps"][0]["uses"].startswith("actions/checkout@")


def test_expressions_name_what_is_there() -> None:
    for job in JOBS.values():
        axes = set(job.get("strategy", {}).get("matrix", {}))
        used = set(re.findall(r"\$\{\{ matrix\.(\w+) \}\}", str(job)))
        assert used == axes


def test_everything_is_run_on_every_python_that_the_package_promises() -> None:
    promised = [
        line.rpartition(" ")[2]
        for line in PROJECT["project"]["classifiers"]
        if re.search(r"Python :: 3\.\d+$", line)
    ]
    assert JOBS["test"]["strategy"]["matrix"]["python"] == promised
    assert runs("test") == ".ci/run"
    assert PROJECT["project"]["requires-python"] == f">={promised[0]}"


def test_wheels_are_built_for_three_systems_and_tried() -> None:
    systems = JOBS["wheels"]["strategy"]["matrix"]["system"]
    assert [system.partition("-")[0] for system in systems] == ["ubuntu", "macos", "windows"]
    assert "python -m cibuildwheel" in runs("wheels")
    assert "tilewright test" in PROJECT["tool"]["cibuildwheel"]["test-command"]


def test_the_tests_of_the_source_package_are_run() -> None:
    assert "python -m build" in runs("sdist")
    assert 'pip install -e ".[test]"\npytest' in runs("sdist")


def test_the_site_is_built_and_extras_are_known() -> None:
    assert "python -m mkdocs build --strict" in runs("site")
    named = set(re.findall(r"\.\[([\w,]+)\]", TEXT + (ROOT / ".ci" / "run").read_text("utf-8")))
    assert named
    assert named <= set(PROJECT["project"]["optional-dependencies"])


def test_a_tag_publishes_its_manual_beside_the_earlier_ones() -> None:
    assert JOBS["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert "mike deploy" in runs("publish")
    assert any(
        each.startswith("mike") for each in PROJECT["project"]["optional-dependencies"]["docs"]
    )
    writing = [job for job in JOBS if "permissions" in JOBS[job]]
    assert writing == ["publish"]


def test_an_issue_template_has_a_name_and_a_purpose() -> None:
    templates = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
    assert templates
    for template in templates:
        head = yaml.safe_load(template.read_text("utf-8").split("---\n")[1])
        assert set(head) == {"name", "about", "labels"}
