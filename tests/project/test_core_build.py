"""Packages with and without the native core: what they hold, and what the build reports."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from support.digests import digests
from support.paths import ROOT, TESTS
from support.project_files import project_files
from tilewright.language.source.about import VERSION

pytest.importorskip("hatchling", reason="hatchling builds the packages")

CORE = ROOT / "core"
GAMES = ("c2/base", "c3/farmers+c3.1/dragon-and-fairy")


def run(*words: str, folder: Path = ROOT, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these words and settings of the environment."""
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **settings},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def build(kind: str, place: Path, **settings: str) -> tuple[Path, str]:
    """A wheel or an sdist of this project, built in `place`, and what the build reported."""
    done = run("-m", "hatchling", "build", "-t", kind, "-d", str(place), **settings)
    assert done.returncode == 0, done.stderr
    (made,) = place.iterdir()
    return made, done.stdout + done.stderr


def names_of_core(wheel: Path) -> list[str]:
    """The names of the files of a wheel that belong to the core."""
    with ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if "/_core" in name]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A wheel without the native core, and what the build reported."""
    return build("wheel", tmp_path_factory.mktemp("plain"), TILEWRIGHT_CORE="plain")


def test_a_plain_wheel_is_for_every_platform_and_holds_no_library(plain: tuple[Path, str]) -> None:
    wheel, told = plain
    assert wheel.name.endswith("-py3-none-any.whl")
    assert names_of_core(wheel) == ["tilewright/_core.pyi"]
    assert "plain Python, without native core: TILEWRIGHT_CORE=plain" in told


def test_a_wheel_has_the_rulesets_schemas_and_boards(plain: tuple[Path, str]) -> None:
    with ZipFile(plain[0]) as archive:
        names = set(archive.namelist())
    for folder in ("rulesets", "schemas", "boards"):
        files = (path for path in (ROOT / folder).rglob("*") if path.is_file())
        wanted = {f"tilewright/_shipped/{path.relative_to(ROOT).as_posix()}" for path in files}
        assert wanted and wanted <= names


def test_without_cargo_the_wheel_is_plain_and_the_build_reports_why(tmp_path: Path) -> None:
    wheel, told = build("wheel", tmp_path, TILEWRIGHT_CORE="", PATH=str(tmp_path / "nowhere"))
    assert wheel.name.endswith("-py3-none-any.whl")
    lines = [line for line in told.splitlines() if "without native core" in line]
    assert len(lines) == 1
    assert lines[0].endswith("cargo is not installed")


def test_a_core_that_is_required_and_cannot_be_built_is_an_error(tmp_path: Path) -> None:
    words = ("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    done = run(*words, TILEWRIGHT_CORE="native", PATH=str(tmp_path / "nowhere"))
    assert done.returncode != 0
    assert "cargo is not installed" in done.stderr
    done = run(*words, TILEWRIGHT_CORE="fast")
    assert done.returncode != 0
    assert "expected `TILEWRIGHT_CORE` to be `plain` or `native`, found `fast`" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_failed_build_is_reported_in_one_line() -> None:
    sys.path.insert(0, str(ROOT))
    try:
        from hatch_build import reason_of
    finally:
        sys.path.remove(str(ROOT))
    output = "  Updating index\nerror: failed to get `x`\n\nCaused by:\n  no route\n"
    assert reason_of(output) == "failed to get `x` (no route)"
    assert reason_of("error: no such command\n\nhelp: read this\n") == "no such command"
    assert reason_of("") == "cargo failed"


def test_a_source_package_holds_the_project_and_nothing_that_cargo_made(tmp_path: Path) -> None:
    archive, _ = build("sdist", tmp_path)
    with tarfile.open(archive) as file:
        names = {m.name.partition("/")[2] for m in file.getmembers() if m.isfile()}
    assert set(project_files()) <= names | {"PKG-INFO"}
    core = {name for name in names if name.startswith("core/")}
    parts = ("Cargo.toml", "Cargo.lock", ".cargo/config.toml", "door/src/lib.rs")
    assert core >= {f"core/{part}" for part in (*parts, "engine/src/lib.rs")}
    assert not any(name.startswith("core/target/") for name in core)
    assert not any(name.endswith((".so", ".pyd")) for name in names)


def readme_of(wheel: Path) -> str:
    """The metadata of a wheel, with the README at its end."""
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return archive.read(name).decode()


def test_on_an_index_the_pictures_and_links_of_the_readme_are_absolute(tmp_path: Path) -> None:
    where = "https://example.org/tilewright"
    wheel, _ = build("wheel", tmp_path, TILEWRIGHT_CORE="plain", TILEWRIGHT_REPOSITORY=where + "/")
    text = readme_of(wheel)
    assert f"Project-URL: Repository, {where}\n" in text
    found = re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text)
    assert found
    for pair in found:
        address = pair[0] or pair[1]
        assert address.startswith(f"{where}/"), address
        kind, revision, path = address.removeprefix(f"{where}/").split("/", 2)
        assert (kind, revision) == ("blob" if pair[0] else "raw", f"v{VERSION}")
        assert (ROOT / path.partition("#")[0]).exists()


def test_without_a_repository_the_readme_is_taken_as_it_is(tmp_path: Path) -> None:
    wheel, _ = build("wheel", tmp_path, TILEWRIGHT_CORE="plain", TILEWRIGHT_REPOSITORY="")
    text = readme_of(wheel)
    assert "Project-URL" not in text
    assert text.endswith((ROOT / "README.md").read_text("utf-8"))


def test_the_engine_has_no_dependencies_and_no_unsafe_code() -> None:
    engine = tomllib.loads((CORE / "engine" / "Cargo.toml").read_text("utf-8"))
    assert engine.get("dependencies", {}) == {}
    assert "#![forbid(unsafe_code)]" in (CORE / "engine" / "src" / "lib.rs").read_text("utf-8")
    door = tomllib.loads((CORE / "door" / "Cargo.toml").read_text("utf-8"))
    assert sorted(door["dependencies"]) == ["pyo3", "tilewright-core"]
    assert "#![deny(unsafe_code)]" in (CORE / "door" / "src" / "lib.rs").read_text("utf-8")


def test_core_and_package_have_one_version() -> None:
    core = tomllib.loads((CORE / "Cargo.toml").read_text("utf-8"))
    assert core["workspace"]["package"]["version"] == VERSION


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel with the native core."""
    cargo = shutil.which("cargo")
    if cargo is None:
        pytest.skip("cargo is not installed, so the core is not built")
    fetched = subprocess.run([cargo, "fetch", "--locked", "--quiet"], cwd=CORE, check=False)
    if fetched.returncode:
        pytest.skip("the registry of crates cannot be reached, so the core is not built")
    made, told = build("wheel", tmp_path_factory.mktemp("wheel"), TILEWRIGHT_CORE="native")
    assert "with native core" in told
    return made


# in one test, so that the core is built once however the tests are spread
@pytest.mark.slow
def test_a_wheel_with_the_core_serves_every_python_and_plays_the_same_games(
    wheel: Path, tmp_path: Path
) -> None:
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]
    library = "tilewright/_core.pyd" if sys.platform == "win32" else "tilewright/_core.abi3.so"
    assert sorted(names_of_core(wheel)) == [library, "tilewright/_core.pyi"]
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    path = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{TESTS}"}
    done = run("-m", "tilewright", "--version", folder=tmp_path, **path)
    assert done.stdout.endswith(", native core\n"), done.stderr
    done = run(str(TESTS / "support" / "digests.py"), *GAMES, folder=tmp_path, **path)
    assert done.returncode == 0, done.stderr
    engine, *lines = done.stdout.splitlines()
    assert engine == "native core"
    assert [line.split() for line in lines] == [
        [game, str(seed), *digests(game, seed)] for game in GAMES for seed in (1, 2)
    ]
