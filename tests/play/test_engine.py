"""Which engine plays: the core where it is there, fits and is wanted, else Python with a reason."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

import tilewright as tw
from support.paths import ROOT
from tilewright.play.native import engine as engines
from tilewright.play.native.engine import INTERFACE, native_core


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test looks for the core again, and so does whoever comes after it."""
    monkeypatch.delenv("TILEWRIGHT_ENGINE", raising=False)
    engines._loaded.cache_clear()
    yield
    engines._loaded.cache_clear()


def pretend(monkeypatch: pytest.MonkeyPatch, number: int | None) -> ModuleType:
    """Put a core with this number of its interface in the place of the real one."""
    core = ModuleType("tilewright._core")
    if number is not None:
        core.interface = lambda: number  # type: ignore[attr-defined]
    core.describe = lambda: "core 0 for tests"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, core.__name__, core)
    monkeypatch.setattr(tw, "_core", core, raising=False)  # where it is once it was imported
    return core


def test_a_core_with_the_expected_interface_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    core = pretend(monkeypatch, INTERFACE)
    assert tw.engine() == tw.Engine("native", "core 0 for tests")
    assert str(tw.engine()) == "native core"
    assert native_core() is core


def test_without_a_core_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tilewright._core", None)
    assert tw.engine() == tw.Engine("python", "the core is not built")
    assert str(tw.engine()) == "plain Python: the core is not built"
    assert native_core() is None


@pytest.mark.parametrize("number", [INTERFACE + 1, INTERFACE - 1, None])
def test_a_core_of_another_version_is_not_used(
    monkeypatch: pytest.MonkeyPatch, number: int | None
) -> None:
    pretend(monkeypatch, number)
    assert tw.engine().name == "python"
    assert f"interface {number or 0}, expected {INTERFACE}" in tw.engine().reason
    assert native_core() is None


def test_a_damaged_core_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged:
        """A finder whose module cannot be loaded."""

        def find_spec(self, name: str, path: object, target: object = None) -> None:
            if name == "tilewright._core":
                raise ImportError("file too short\nand more")

    monkeypatch.delitem(sys.modules, "tilewright._core", raising=False)
    monkeypatch.delattr(sys.modules["tilewright"], "_core", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Damaged(), *sys.meta_path])
    assert tw.engine() == tw.Engine("python", "the core cannot be loaded: file too short")


def test_the_environment_switches_the_core_off(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, INTERFACE)
    monkeypatch.setenv("TILEWRIGHT_ENGINE", "python")
    assert tw.engine() == tw.Engine("python", "TILEWRIGHT_ENGINE=python")
    assert native_core() is None
    monkeypatch.setenv("TILEWRIGHT_ENGINE", "native")
    assert tw.engine().name == "native"


def test_a_misspelt_engine_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, INTERFACE)
    monkeypatch.setenv("TILEWRIGHT_ENGINE", "pyhton")
    assert tw.engine().name == "python"
    assert "`pyhton`, expected `python` or `native`" in tw.engine().reason


def test_core_and_package_agree_on_the_interface() -> None:
    text = (ROOT / "core" / "door" / "src" / "lib.rs").read_text("utf-8")
    found = re.search(r"^const INTERFACE: u32 = (\d+);", text, re.MULTILINE)
    assert found is not None
    assert int(found[1]) == INTERFACE
