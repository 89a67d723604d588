"""Words of the command line taken as they are given: the same values as Typer's own, and sooner."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tilewright.cli.as_given import AsGiven
from tilewright.cli.main import whole_app

ROOT = Path(__file__).resolve().parents[1]
VALUES: tuple[Any, ...] = (
    None, "", "c2/base", "7", "-1", "0.5", "yes", 7, 0.5, True,
    (), ("a", "b"), ["a"], (Path("a"),), ("1", 2), Path("a"),
)  # fmt: skip


def parameters(command: Any) -> Iterator[Any]:
    yield from command.params
    for inner in getattr(command, "commands", {}).values():
        yield from parameters(inner)


def outcome(converter: Any, parameter: Any, value: Any) -> object:
    try:
        found = converter.coerce(value, param=parameter, ctx=None)
    except Exception as refused:
        return type(refused), str(refused)
    return type(found), found


def test_every_parameter_takes_what_it_would_have_taken() -> None:
    seen = set()
    for parameter in parameters(typer.main.get_command(whole_app())):
        if not hasattr(parameter, "get_runtime_param"):
            pytest.skip("this version of Typer keeps its converters elsewhere")
        told = parameter.type_descriptor
        sort = (str(told.annotation), parameter.multiple, parameter.nargs, told.is_ranged)
        if sort in seen:
            continue
        seen.add(sort)
        own = parameter.get_runtime_param()
        for value in VALUES:
            if isinstance(value, int | float) and told.is_ranged:
                continue  # such a one is a default, which is always within
            assert outcome(AsGiven(), parameter, value) == outcome(own, parameter, value), (
                parameter.name,
                value,
            )


def test_a_run_with_texts_alone_loads_no_validators() -> None:
    code = (
        "import sys; from tilewright.cli.main import run; "
        "run(['explain', 'TW401']); sys.exit('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "interpreter", check=False,
                          capture_output=True)  # fmt: skip
    assert done.returncode == 0
