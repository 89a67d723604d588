"""Compiles the board core while the package is built, where a C compiler is there.

The hottest modules are ordinary typed Python. Where it can, the build lets mypyc turn them into
extension modules, and the wheel holds both: with an extension the games are the same and a fifth to
a third faster, and without one nothing is missing. An editable install stays plain, so that a
change of the source is a change of what runs; `TILEWRIGHT_CORE=plain` keeps any build plain, and
`TILEWRIGHT_CORE=compiled` makes a failure to compile an error.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: what is compiled, together, so that they call each other without going through Python
CORE_NAMES = "board board_state library limits match match_state preview sets"
CORE = tuple(f"runtime/{name}.py" for name in CORE_NAMES.split())

#: types are checked where the project is; what the core imports may lack its libraries here
FLAGS = ("--ignore-missing-imports", "--follow-imports=silent")

SETUP = """
from mypyc.build import mypycify
from setuptools import setup
setup(ext_modules=mypycify({paths!r}, opt_level="3", debug_level="0", group_name="tilewright"))
"""


class CannotCompileError(Exception):
    """What the compiler had to say."""


def compile_core(package: Path, scratch: Path) -> dict[Path, str]:
    """Extension modules made of the core of a package: where each lies, and where it belongs.

    `package` is the folder `tilewright`; it is copied to `scratch` and left as it is. Raises
    CannotCompileError when there is no compiler, or no mypyc, or they do not like each other.
    """
    shutil.copytree(package, scratch / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    paths = [f"{package.name}/{name}" for name in CORE]
    script = scratch / "setup.py"
    script.write_text(SETUP.format(paths=[*FLAGS, *paths]), encoding="utf-8")
    command = [sys.executable, script.name, "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    found = {
        path: path.relative_to(scratch).as_posix()
        for pattern in ("*.so", "*.pyd")
        for path in sorted(scratch.rglob(pattern))
        if "build" not in path.relative_to(scratch).parts
    }
    if done.returncode or len(found) < len(CORE):
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise CannotCompileError("\n".join(lines[-12:]))
    return found


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled core to a wheel."""

    scratch: str | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the wheel is to stay plain; say why when it cannot be done."""
        wanted = os.environ.get("TILEWRIGHT_CORE", "")
        if wanted == "plain" or (version == "editable" and wanted != "compiled"):
            return
        self.scratch = tempfile.mkdtemp()
        package = Path(self.root) / "interpreter" / "tilewright"
        try:
            made = compile_core(package, Path(self.scratch))
        except (CannotCompileError, OSError) as error:
            if wanted == "compiled":
                raise
            self.app.display_warning(f"the core stays plain Python: {error}")
            return
        build_data["force_include"].update({str(path): place for path, place in made.items()})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        if self.scratch is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self.scratch)
