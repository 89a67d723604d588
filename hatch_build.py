"""Builds the native core while the package is built, where cargo is there, and prepares the README.

The core is written in Rust (`core/`). Where cargo and its registry are there, the build adds it to
the wheel as `tilewright/_core.abi3.so`, one file for all supported versions of Python. Without it
the package is complete: the Python engine plays the same games. One line reports which of the two
was built and why. An editable install puts the library into the source tree, where git ignores it.

`TILEWRIGHT_CORE=plain` leaves the core out; `TILEWRIGHT_CORE=native` makes a failure an error.
After a change of the core, `python hatch_build.py` builds it again for an editable install.

`TILEWRIGHT_REPOSITORY`, the address of the repository on its host, becomes the link of the package
on an index, and the pictures and links of the README get absolute addresses there. Without it the
README is taken as it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: the file name of the library in the package: Python finds it under these names on every version
LIBRARY = "_core.pyd" if sys.platform == "win32" else "_core.abi3.so"
PACKAGE = "interpreter/tilewright"

CARGO = ("build", "--release", "--locked", "--package", "tilewright-door")
#: a machine without a network gets its answer soon; set variables have precedence
CARGO_SETTINGS = {"CARGO_NET_RETRY": "1", "CARGO_HTTP_TIMEOUT": "15", "CARGO_TERM_COLOR": "never"}


class CannotBuildError(Exception):
    """The reason in one line, and the last lines of cargo."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.output = output


def wish() -> str:
    """The value of `TILEWRIGHT_CORE`: `plain`, `native`, or empty for what is possible."""
    found = os.environ.get("TILEWRIGHT_CORE", "")
    if found not in ("", "plain", "native"):
        raise ValueError(f"expected `TILEWRIGHT_CORE` to be `plain` or `native`, found `{found}`")
    return found


def build_core(root: Path) -> Path:
    """Build the core with cargo and return its library, which lies in cargo's own folder.

    `root` is the folder of the project. Raises CannotBuildError when the core is not wanted, or
    cargo is missing or fails.
    """
    if wish() == "plain":
        raise CannotBuildError("TILEWRIGHT_CORE=plain")
    cargo = shutil.which("cargo")
    if cargo is None:
        raise CannotBuildError("cargo is not installed")
    # the Python behind a virtual environment: with another path cargo would build all of it again
    done = subprocess.run(
        [cargo, *CARGO, "--message-format=json-render-diagnostics"],
        # the settings of the compiler are in a file of this folder
        cwd=root / "core",
        env={**CARGO_SETTINGS, **os.environ, "PYO3_PYTHON": os.path.realpath(sys.executable)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise CannotBuildError(reason_of(done.stderr), done.stderr)
    for line in done.stdout.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("reason") == "compiler-artifact" and message["target"]["name"] == "_core":
            for name in message["filenames"]:
                if name.endswith((".so", ".dylib", ".dll")):
                    return Path(name)
    raise CannotBuildError("cargo cannot build a library on this system", done.stderr)


def reason_of(output: str) -> str:
    """The first error of cargo and its last cause, in one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("error")]
    if not errors:
        return lines[-1] if lines else "cargo failed"
    cause = f" ({lines[-1]})" if "Caused by:" in lines else ""
    return errors[0].removeprefix("error: ") + cause


def put(library: Path, place: Path) -> None:
    """Copy the library to its place. Other processes see the old file or the new one."""
    handle, name = tempfile.mkstemp(prefix=f"{place.name}.", dir=place.parent)
    os.close(handle)
    try:
        shutil.copy(library, name)
        os.replace(name, place)
    except BaseException:
        os.unlink(name)
        raise


def build_in_place(root: Path) -> None:
    """Build the core into the source tree; if that fails, remove what an earlier build left.

    Raises CannotBuildError or OSError.
    """
    place = root / PACKAGE / LIBRARY
    try:
        put(build_core(root), place)
    except BaseException:
        with contextlib.suppress(OSError):
            place.unlink()
        raise


def absolute(text: str, repository: str, revision: str) -> str:
    """The text of the README with absolute addresses for its pictures and links."""
    text = re.sub(r'src="(?!https?:)', f'src="{repository}/raw/{revision}/', text)
    return re.sub(r"\]\((?!https?:|#)", f"]({repository}/blob/{revision}/", text)


class CustomMetadataHook(MetadataHookInterface):
    """Sets the README and the links of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add `readme` and `urls`."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["urls"] = {}
        if repository := os.environ.get("TILEWRIGHT_REPOSITORY", "").rstrip("/"):
            version = metadata["version"]
            text = absolute(text, repository, f"v{version}")
            changes = f"{repository}/blob/v{version}/CHANGELOG.md"
            metadata["urls"] = {"Repository": repository, "Changelog": changes}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the native core to a wheel or, for an editable install, to the source tree."""

    scratch: str | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the core and report in one line whether the package has it."""
        root = Path(self.root)
        try:
            if version == "editable":
                build_in_place(root)
            else:
                self.add_to_wheel(build_core(root), build_data)
        except (CannotBuildError, OSError) as error:
            if wish() == "native":
                self.app.display_error(getattr(error, "output", ""))
                raise
            self.app.display_warning(f"tilewright: plain Python, without native core: {error}")
        else:
            self.app.display_info("tilewright: with native core, built by cargo")

    def add_to_wheel(self, library: Path, build_data: dict[str, Any]) -> None:
        """Put a copy of the library into the wheel, and the platform into the wheel's name."""
        self.scratch = tempfile.mkdtemp()
        copy = Path(self.scratch) / LIBRARY
        put(library, copy)
        build_data["force_include"][str(copy)] = f"tilewright/{LIBRARY}"
        build_data["pure_python"] = False
        platform = self.build_config.builder.get_best_matching_tag().split("-")[-1]
        build_data["tag"] = f"cp311-abi3-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy."""
        if self.scratch is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self.scratch)


def main() -> int:
    """Build the core into the source tree; the exit code."""
    try:
        build_in_place(Path(__file__).resolve().parent)
    except (CannotBuildError, OSError) as error:
        print(getattr(error, "output", "") or error, file=sys.stderr)
        return 1
    print(f"{PACKAGE}/{LIBRARY} is built")
    return 0


if __name__ == "__main__":
    sys.exit(main())
