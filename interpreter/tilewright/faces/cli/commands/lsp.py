"""The verb `lsp`: the language server for editors."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated

from tilewright.faces.cli.arguments import flag
from tilewright.faces.cli.exit_codes import USAGE, Stop


def lsp(
    stdio: Annotated[bool, flag("--stdio", "use standard input and output (default)")] = True,
) -> None:
    """Start the language server: live diagnostics, completion, hover, rename and more.

    Editors start it themselves; docs/how-to/editors.md describes their settings. The server uses
    the Language Server Protocol over standard input and output, and ends with the editor.

    \b
    Examples:
      pip install "tilewright[lsp]"
      tilewright lsp
    """
    if find_spec("pygls") is None:
        message = "the language server needs `pygls`, which is not installed"
        raise Stop(USAGE, message, 'install it with `pip install "tilewright[lsp]"`')
    if sys.stdin.isatty():
        message = "the language server is started by an editor, not in a terminal"
        raise Stop(USAGE, message, "docs/how-to/editors.md describes how to set up an editor")
    from tilewright.faces.lsp.server import serve

    serve()
