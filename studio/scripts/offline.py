"""Builds the studio as a folder that needs no server of its own: Python runs in the page.

    python studio/scripts/offline.py FOLDER

The folder has the built page, Pyodide from `studio/node_modules` (`npm ci` in studio/), and the
Python sources that it needs from this environment; node makes an image of Python's memory, with
which a page begins at once. Any server of static files can serve it; a
browser does not start workers from a folder on a disk. Nothing is fetched from elsewhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "interpreter" / "tilewright" / "faces" / "studio" / "static"
PYODIDE = ROOT / "studio" / "node_modules" / "pyodide"
#: what the interpreter is made of; all of it is plain Python, or has a plain form
PACKAGES = (
    "tilewright", "yaml", "lark", "jinja2", "markupsafe", "fastjsonschema", "pygls", "lsprotocol",
    "attr", "attrs", "cattrs", "cattr", "typing_extensions",
)  # fmt: skip
RUNTIME = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
)  # fmt: skip
#: what node reads and writes as it is, and the page unpacks: the program, an image of its memory
PACKED = ("pyodide.asm.wasm", "image.bin")
#: a higher level takes ten times as long and saves 2 MB of 20
LEVEL = 12
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
HEAD = (
    f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />\n'
    '    <meta name="tilewright" content="worker" />\n    '
)
KEPT = (".py", ".yaml", ".lark", ".json", ".typed", ".po", ".mo", ".css", ".js", ".html", ".txt",
        ".boards")  # fmt: skip


def build(folder: Path) -> None:
    """Write the folder. Raises FileNotFoundError where a part or node is missing, and
    CalledProcessError where Python cannot be prepared."""
    if importlib.util.find_spec("zstandard") is None:
        raise FileNotFoundError("the package `zstandard` is not installed")
    zstandard = importlib.import_module("zstandard")
    shutil.copytree(STATIC, folder, dirs_exist_ok=True)
    page = folder / "index.html"
    text = page.read_text("utf-8")
    page.write_text(text.replace("<title>", f"{HEAD}<title>", 1), "utf-8")
    runtime = folder / "pyodide"
    runtime.mkdir(exist_ok=True)
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, runtime / name)
    with zipfile.ZipFile(runtime / "packages.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for package in PACKAGES:
            add(archive, package)
        for data in ("rulesets", "schemas", "boards"):
            source = ROOT / data
            # an installed package has them already
            if source.is_dir() and not any(
                name.startswith(f"tilewright/_shipped/{data}/") for name in archive.namelist()
            ):
                add_folder(archive, source, f"tilewright/_shipped/{data}")
    script = ROOT / "studio" / "scripts" / "image.mjs"
    subprocess.run(["node", str(script), str(runtime)], check=True)
    for name in PACKED:
        plain = runtime / name
        packed = zstandard.compress(plain.read_bytes(), LEVEL)
        (runtime / f"{name}.zst").write_bytes(packed)
        plain.unlink()


def add(archive: zipfile.ZipFile, package: str) -> None:
    """Add a package of this environment, or a module of one file."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise FileNotFoundError(f"the package `{package}` is not installed")
    origin = Path(found.origin)
    if origin.name == "__init__.py":
        add_folder(archive, origin.parent, package)
    else:
        archive.write(origin, origin.name)


def add_folder(archive: zipfile.ZipFile, folder: Path, name: str) -> None:
    """Add the files of a folder that Python reads, in a stable order."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and path.suffix in KEPT and "static" not in inside.parts:
            archive.write(path, f"{name}/{inside.as_posix()}")


def main() -> int:
    """Build the folder that the command line names; the exit code."""
    if len(sys.argv) != 2:
        print("usage: python studio/scripts/offline.py FOLDER", file=sys.stderr)
        return 2
    try:
        build(Path(sys.argv[1]))
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        print(f"the folder cannot be built: {error}", file=sys.stderr)
        return 1
    print(f"{sys.argv[1]} is built: serve it with any server of static files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
