"""Rulesets of installed distributions: found as data, never imported; no id has two origins."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.installed import installed
from tilewright.rules.reading.library import Library, shipped_rulesets

MODULE = "id: {}\nkind: house\ntitle: Lucky\nrequires: {{base: c2/base}}\n"


def distribution(
    site: Path, name: str, *ids: str, value: str = "", version: str = "1.0", body: str = ""
) -> Path:
    """A distribution as pip leaves it in a folder of the path; the folder of its rulesets."""
    package = name.replace("-", "_")
    folder = site / package / "rulesets"
    for id_ in ids:
        (folder / id_).mkdir(parents=True)
        (folder / id_ / "module.yaml").write_text(MODULE.format(id_))
    folder.mkdir(parents=True, exist_ok=True)
    (site / package / "__init__.py").write_text(body or "raise RuntimeError('imported')\n")
    info = site / f"{package}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    points = f"[tilewright.rulesets]\nown = {value or f'{package}.rulesets'}\n"
    (info / "entry_points.txt").write_text(points)
    return folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the path in which distributions are installed."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    return tmp_path


def test_an_installed_ruleset_is_known_with_its_origin_and_is_not_imported(site: Path) -> None:
    folder = distribution(site, "lucky-rules", "house/lucky")
    library, reporter = Library(), Reporter()
    found = library.load("house/lucky", reporter)
    assert found is not None and not reporter.diagnostics
    assert library.folder("house/lucky") == folder / "house/lucky"
    assert str(library.origin("house/lucky")) == "lucky-rules 1.0"
    assert library.origin("c2/base") is not None and "lucky_rules" not in sys.modules


@pytest.mark.parametrize("ids", [("house/lucky", "house/lucky"), ("house/lucky", "c2/base")])
def test_two_origins_of_one_id_are_an_error_with_both_places(
    site: Path,
    ids: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    places = [distribution(site, f"{n}-rules", id_) for n, id_ in zip("ab", ids, strict=True)]
    library, reporter = Library(), Reporter()
    assert library.load(ids[1], reporter) is None
    (found,) = reporter.diagnostics
    assert found.code == "TW229" and f"both contain `{ids[1]}`" in found.message
    first = places[0] if ids[0] == ids[1] else shipped_rulesets()
    assert str(first) in found.message and str(places[1]) in found.message
    assert run(["rulesets"]) == 0
    listed = next(x for x in capsys.readouterr().out.splitlines() if x.startswith(f"{ids[1]} "))
    other = "a-rules 1.0" if ids[0] == ids[1] else "tilewright "
    assert f"in two packages: {other}" in listed and listed.endswith("and b-rules 1.0)")


def test_a_named_folder_replaces_what_is_installed(site: Path, tmp_path: Path) -> None:
    distribution(site, "a-rules", "house/lucky")
    distribution(site, "b-rules", "house/lucky")
    own = tmp_path / "mine" / "house" / "lucky"
    own.mkdir(parents=True)
    (own / "module.yaml").write_text(MODULE.format("house/lucky"))
    library, reporter = Library(shipped=False), Reporter()
    library.add(tmp_path / "mine")
    library.add_shipped()
    assert library.load("house/lucky", reporter) is not None and not reporter.diagnostics
    assert library.folder("house/lucky") == own and library.origin("house/lucky") is None


@pytest.mark.parametrize(
    "value",
    ["absent.rulesets", "lucky_rules.absent", "..", "lucky_rules./etc", "lucky_rules:x", "", "os"],
)
def test_a_value_that_is_no_folder_is_reported_and_harms_nothing(site: Path, value: str) -> None:
    distribution(site, "lucky-rules", value=value or ".")
    library = Library()
    assert library.load("c2/base", Reporter()) is not None
    if value != "lucky_rules:x":
        (found,) = library.unreadable()
        assert found.code == "TW114" and "lucky-rules 1.0" in found.message


@pytest.mark.parametrize(
    "points", [b"[[[", b"[a]\nb", b"\xff[tilewright.rulesets]\n", b"[a]\nb = "]
)
def test_a_damaged_distribution_is_left_out_and_harms_no_other(site: Path, points: bytes) -> None:
    distribution(site, "lucky-rules", "house/lucky")
    distribution(site, "a-damaged-one")
    (site / "a_damaged_one-1.0.dist-info" / "entry_points.txt").write_bytes(points)
    assert [str(each) for each in installed()] == ["lucky-rules 1.0"]


def test_the_path_is_looked_at_again_when_it_changes(site: Path) -> None:
    assert installed() == ()
    (site / "more").mkdir()
    distribution(site / "more", "lucky-rules", "house/lucky")
    sys.path.append(str(site / "more"))
    assert [str(each) for each in installed()] == ["lucky-rules 1.0"]


def test_what_a_distribution_says_reaches_no_terminal_as_control_characters(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    distribution(site, "lucky-rules", value="\x1b[31mred")
    assert run(["show", "ruleset", "c2/base"]) == 0
    err = capsys.readouterr().err
    assert "lucky-rules 1.0" in err and "\x1b" not in err
