"""A language server whose messages are carried by somebody else, for pages in a browser.

It works on a thread of its own. A page is less trusted than an editor: only known methods pass, and
only files of the given folders may be named.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from tilewright.faces.lsp.positions import path_at, uri_of
from tilewright.faces.lsp.server import make_server

#: sends a message to the page
Send = Callable[[Mapping[str, Any]], None]

#: the methods that a page may use
METHODS = frozenset(
    (
        "initialize", "initialized", "shutdown", "$/cancelRequest", "$/setTrace",
        "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
        "textDocument/didSave", "textDocument/completion", "textDocument/hover",
        "textDocument/definition", "textDocument/references", "textDocument/rename",
        "textDocument/prepareRename", "textDocument/codeAction", "textDocument/formatting",
        "textDocument/documentSymbol", "textDocument/documentHighlight",
        "textDocument/signatureHelp", "textDocument/semanticTokens/full",
        "textDocument/codeLens", "textDocument/foldingRange", "textDocument/inlayHint",
        "textDocument/selectionRange", "workspace/symbol", "completionItem/resolve",
        "workspace/didChangeWatchedFiles",
    )
)  # fmt: skip
#: levels of a message
_MAX_DEPTH = 24


class NotAllowedError(ValueError):
    """A message that a page may not send."""


class CarriedServer:
    """One page's language server."""

    def __init__(
        self,
        folders: tuple[Path, ...],
        send: Send,
        loop: asyncio.AbstractEventLoop | None = None,
        drafts: Mapping[Path, str] = MappingProxyType({}),
    ) -> None:
        """With a loop, it works there and starts no thread. `drafts` are the texts that count for
        files that the page has not opened; `touched` is called when one has changed.
        """
        self.folders = tuple(folder.resolve() for folder in folders)
        self._send = send
        self._is_guest = loop is not None
        self._loop = loop or asyncio.new_event_loop()
        self._server = make_server(drafts)
        self._server.protocol.set_writer(_Writer(send), include_headers=False)
        if self._is_guest:
            self._server.checker.work_in(self._loop)
        else:
            threading.Thread(target=self._run, name="language server", daemon=True).start()

    def receive(self, message: Mapping[str, Any]) -> None:
        """Handle a message of the page. Raises NotAllowedError for one that it may not send."""
        method = message.get("method")
        if method is None and ("result" in message or "error" in message):
            self._soon(message)
            return
        if not isinstance(method, str) or method not in METHODS:
            raise NotAllowedError("the language server does not have this method")
        self._check(message.get("params"), 0)
        if method == "initialize":
            message = {**message, "params": self._placed(message.get("params"))}
        self._soon(message)

    def touched(self, paths: Iterable[Path]) -> None:
        """Files or their drafts have changed."""
        changes = [{"uri": uri_of(path), "type": 2} for path in paths]
        method, params = "workspace/didChangeWatchedFiles", {"changes": changes}
        self._soon({"jsonrpc": "2.0", "method": method, "params": params})

    def stop(self) -> None:
        """End the server."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._server.checker.stop)
            if not self._is_guest:
                self._loop.call_soon_threadsafe(self._loop.stop)

    def _placed(self, params: Any) -> dict[str, Any]:
        """The parameters of `initialize`, with our folders."""
        given = params if isinstance(params, dict) else {}
        folders = [{"uri": uri_of(folder), "name": folder.name} for folder in self.folders]
        own = {"rootUri": None, "rootPath": None, "processId": None}
        return {"capabilities": {}, **given, **own, "workspaceFolders": folders}

    def _check(self, value: Any, depth: int) -> None:
        """Refuse files outside of the folders, wherever they are named."""
        if depth > _MAX_DEPTH:
            raise NotAllowedError("the message is too deep")
        if isinstance(value, dict):
            for key, inner in value.items():
                if isinstance(key, str):
                    self._check_text(key)
                is_text = key in ("text", "newText", "query")
                if not (is_text and isinstance(inner, str)):
                    self._check(inner, depth + 1)
        elif isinstance(value, list):
            for inner in value:
                self._check(inner, depth + 1)
        elif isinstance(value, str):
            self._check_text(value)

    def _check_text(self, text: str) -> None:
        if not unquote(text).strip().lower().startswith("file:"):
            return
        try:
            path = path_at(text)
        except (ValueError, OSError):
            path = None
        if path is None or not any(path.is_relative_to(folder) for folder in self.folders):
            raise NotAllowedError("this file is not in an opened folder")

    # ------------------------------------------------------------- its thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _soon(self, message: Mapping[str, Any]) -> None:
        with contextlib.suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(self._handle, message)

    def _handle(self, message: Mapping[str, Any]) -> None:
        protocol = self._server.protocol
        try:
            found = json.loads(json.dumps(message), object_hook=protocol.structure_message)
            protocol.handle_message(found)
        except Exception as error:  # a wrong message does not end the server
            self._server.fault(error)


class _Writer:
    """Gives what the library writes to the page."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        """Send one message."""
        self._send(json.loads(data))

    def close(self) -> None:
        """Nothing has to be closed."""
