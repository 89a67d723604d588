"""Files and functions of the package stay short enough to be read in one go."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "interpreter" / "tilewright"
FILES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES_OF_FILE = 700
MAX_LINES_OF_FUNCTION = 60
#: functions that are longer, with the reason
LONGER = {
    # split into parts it took 3 to 10 percent more time in every game of plain Python
    ("play/board/board.py", "lay_cell"),
}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions of a file with the lines of their bodies, without signature and docstring.

    Parameters and docstring of a command are its help page, so they are not counted.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            has_docstring = ast.get_docstring(node, clean=False) is not None
            body = node.body[1:] if has_docstring else node.body
            if body:
                yield node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_a_file_of_the_package_is_short() -> None:
    lines = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in FILES}
    assert {name: many for name, many in lines.items() if many > MAX_LINES_OF_FILE} == {}


def test_a_function_of_the_package_is_short() -> None:
    long = {
        (name_of(path), name)
        for path in FILES
        for name, lines in functions(path)
        if lines > MAX_LINES_OF_FUNCTION
    }
    assert long == LONGER
