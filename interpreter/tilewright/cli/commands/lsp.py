"""The verb about editors: `lsp`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from tilewright.cli.exit_codes import USAGE, Stop


def lsp(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="talk over standard input and output, as always")
    ] = True,
) -> None:
    """Serve an editor: complaints as you type, completion, hover, rename and more.

    Editors start this by themselves; docs/editors.md tells how to set them up. It speaks the
    Language Server Protocol over standard input and output and ends when the editor does.

    \b
    Examples:
      pip install "tilewright\\[lsp]"
      tilewright lsp
    """
    if find_spec("pygls") is None:
        message = "the language server needs `pygls`, which is not installed"
        raise Stop(USAGE, message, 'install it with `pip install "tilewright[lsp]"`')
    if sys.stdin.isatty():
        message = "this is for an editor to start: it would wait here for messages of one"
        raise Stop(USAGE, message, "docs/editors.md tells how to set up an editor")
    from tilewright.lsp.server import serve

    serve()
