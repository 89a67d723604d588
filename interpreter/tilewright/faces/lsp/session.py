"""A session of the language server: passes requests to the tools, and their results back.

It uses standard input and output. After an internal error the editor gets no traceback and the
server continues; requests about files outside of rulesets have an empty result.
"""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types as t
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from tilewright.faces.lsp.diagnostics_worker import Checker
from tilewright.faces.lsp.positions import Ruler, uri_of
from tilewright.language.source.about import VERSION
from tilewright.language.source.diagnostics import Diagnostic, Severity
from tilewright.tools.editor.live_diagnostics import Diagnostics
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.overlay import Overlay, path_of

_SEVERITIES = {
    Severity.ERROR: t.DiagnosticSeverity.Error,
    Severity.WARNING: t.DiagnosticSeverity.Warning,
    Severity.NOTE: t.DiagnosticSeverity.Information,
}


#: errors of the library where a message cannot be read; handlers have errors of their own
_NO_JSON = (ValueError, RecursionError)
_NO_MESSAGE = (AttributeError, TypeError, JsonRpcException)


class Protocol(LanguageServerProtocol):
    """The protocol of the library, with responses to requests of a wrong shape."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as an object. Requests of a wrong shape get an error as their response."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "jsonrpc" in data and "method" in data and type(data.get("id")) in (int, str):
                self._send_response(data["id"], error=error.to_response_error())
            raise


class Server(LanguageServer):
    """One editor's session: an overlay for its requests, a checker for its diagnostics."""

    def __init__(self, drafts: Mapping[Path, str]) -> None:
        """`drafts` are the texts of files that the editor has not opened, where it keeps any."""
        super().__init__("tilewright", VERSION, protocol_cls=Protocol)
        self.drafts = drafts
        self.overlay = Overlay()
        self.index = Index(self.overlay, user_cache())
        self.loop: asyncio.AbstractEventLoop | None = None
        self.checker = Checker(
            lambda found: self._soon(self.publish, found),
            lambda error: self._soon(self.fault, error),
        )
        self.diagnostics: Diagnostics = {}
        self._marked: set[Path] = set()

    @property
    def ruler(self) -> Ruler:
        """Measures places of files as they are now."""
        return Ruler(self.overlay.text, self.workspace.position_codec)

    def move(self, folders: tuple[Path, ...]) -> None:
        """Set the folders of the workspace."""
        texts = self.overlay.texts
        self.overlay = Overlay(folders, user_cache())
        for path, text in texts.items():
            self.overlay.write(path, text)
        self.index = Index(self.overlay, user_cache())
        self.checker.move(folders)

    def write(self, path: Path, text: str | None) -> None:
        """Set the text of an open file, or close it (None)."""
        self.overlay.write(path, text)
        self.checker.write(path, text)

    def _soon(self, call: Callable[[Any], None], what: Any) -> None:
        """Run a function on the thread of the editor's connection."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(call, what)

    # ------------------------------------------------------------- diagnostics

    def publish(self, diagnostics: Diagnostics) -> None:
        """Send the diagnostics of each file to the editor, and an empty list for files
        without any.
        """
        self.diagnostics = diagnostics
        ruler = self.ruler
        for path in sorted({*diagnostics, *self._marked}):
            found = [self.diagnostic(ruler, path, each) for each in diagnostics.get(path, ())]
            self.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri_of(path), found))
        self._marked = {path for path, found in diagnostics.items() if found}

    def diagnostic(self, ruler: Ruler, path: Path, diagnostic: Diagnostic) -> t.Diagnostic:
        """A diagnostic in the protocol's form."""
        message = diagnostic.message + (f"\nhelp: {diagnostic.hint}" if diagnostic.hint else "")
        related = [
            t.DiagnosticRelatedInformation(
                ruler.location(path_of(note.span.file), note.span), note.message
            )
            for note in diagnostic.notes
            if note.span.file
        ]
        return t.Diagnostic(
            range=ruler.range(path, diagnostic.span),
            message=message,
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            source="tilewright",
            related_information=related or None,
        )

    # -------------------------------------------------------------- our own faults

    def fault(self, error: BaseException) -> None:
        """Report an internal error in one sentence."""
        if os.environ.get("TILEWRIGHT_DEBUG"):
            traceback.print_exception(error, file=sys.stderr)
        frames = traceback.extract_tb(error.__traceback__)
        place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        message = f"internal error{place}; this is a bug in the language server"
        self.window_log_message(t.LogMessageParams(t.MessageType.Error, message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Report a failure of the library; a refused request gets it as its response."""
        if source is JsonRpcException and isinstance(error, (*_NO_JSON, *_NO_MESSAGE)):
            what = "JSON" if isinstance(error, _NO_JSON) else "a message of the protocol"
            message = f"expected {what} from the editor, found something else; it is ignored"
            self.window_log_message(t.LogMessageParams(t.MessageType.Error, message))
        elif source is not FeatureRequestError:
            self.fault(error)
