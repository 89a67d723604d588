"""The language server: notifications, requests and responses, over standard input and output.

No exception ends it: an internal error is reported in a sentence, and the editor gets an empty
response.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from tilewright.faces.lsp import features
from tilewright.faces.lsp.positions import path_at
from tilewright.faces.lsp.session import Server
from tilewright.rules.reading.other_files import SUFFIXES
from tilewright.tools.workspace.configuration import FILE, ConfigurationError, configurations


def _guarded(result: Callable[[Server, Any], Any]) -> Callable[[Server, Any], Any]:
    """A handler that reports exceptions, except those that are responses."""

    def guarded(ls: Server, params: Any) -> Any:
        try:
            return result(ls, params)
        except JsonRpcException:
            raise
        except Exception as error:  # the last door: an editor gets an empty result
            ls.fault(error)
            return None

    return guarded


# ------------------------------------------------------------------------------- documents


def workspace_folders(ls: Server) -> tuple[Path, ...]:
    """The folders of the editor's workspace, and those of their configuration files."""
    found = [path_at(uri) for uri in ls.workspace.folders]
    if not found and ls.workspace.root_uri:
        found = [path_at(ls.workspace.root_uri)]
    roots = [path for path in found if path is not None]
    more = [folder for root in roots for folder in _configured(ls, root)]
    return (*roots, *(path for path in more if not any(map(path.is_relative_to, roots))))


def _configured(ls: Server, root: Path) -> tuple[Path, ...]:
    """The folders that configuration files name for a workspace; an error is shown."""
    try:
        files = configurations(root)
    except ConfigurationError as error:
        ls.window_show_message(t.ShowMessageParams(t.MessageType.Error, str(error)))
        return ()
    return tuple(folder.resolve() for each in files for folder in each.folders)


def _begin(ls: Server, params: t.InitializedParams) -> None:
    ls.loop = asyncio.get_running_loop()
    ls.checker.start()
    ls.move(workspace_folders(ls))
    for path, text in tuple(ls.drafts.items()):
        ls.write(path, text)
    workspace = ls.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace is not None else None
    if watched is not None and watched.dynamic_registration:
        patterns = (*(f"**/*{suffix}" for suffix in SUFFIXES), f"**/{FILE}")
        watchers = [t.FileSystemWatcher(glob_pattern=pattern) for pattern in patterns]
        registration = t.Registration(
            "rulesets",
            t.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            t.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
        )
        ls.client_register_capability(t.RegistrationParams([registration]))


def _opened(
    ls: Server, params: t.DidOpenTextDocumentParams | t.DidChangeTextDocumentParams
) -> None:
    path = path_at(params.text_document.uri)
    if path is not None and path.suffix in SUFFIXES:
        document = ls.workspace.get_text_document(params.text_document.uri)
        ls.write(path, document.source)


def _closed(ls: Server, params: t.DidCloseTextDocumentParams) -> None:
    path = path_at(params.text_document.uri)
    if path is not None and path.suffix in SUFFIXES:
        ls.write(path, ls.drafts.get(path))


def _touched(ls: Server, params: t.DidChangeWatchedFilesParams) -> None:
    opened = {path_at(uri) for uri in ls.workspace.text_documents}
    for event in params.changes:
        path = path_at(event.uri)
        if path is not None and path.name == FILE:
            ls.move(workspace_folders(ls))
        elif path is not None and path not in opened:
            ls.write(path, ls.drafts.get(path))
        elif path is not None and path not in ls.drafts:  # else its open text alone counts
            ls.overlay.touch(path)
            ls.checker.touch(path)


def _saved(ls: Server, params: t.DidSaveTextDocumentParams) -> None:
    path = path_at(params.text_document.uri)
    if path is not None:
        ls.overlay.touch(path)
        ls.checker.touch(path)


_EVENTS: tuple[tuple[str, Callable[[Server, Any], None]], ...] = (
    (t.INITIALIZED, _begin),
    (t.TEXT_DOCUMENT_DID_OPEN, _opened),
    (t.TEXT_DOCUMENT_DID_CHANGE, _opened),
    (t.TEXT_DOCUMENT_DID_CLOSE, _closed),
    (t.TEXT_DOCUMENT_DID_SAVE, _saved),
    (t.WORKSPACE_DID_CHANGE_WATCHED_FILES, _touched),
    (t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, lambda ls, _: ls.move(workspace_folders(ls))),
    (t.SHUTDOWN, lambda ls, _: ls.checker.stop()),
)


def make_server(drafts: Mapping[Path, str] = MappingProxyType({})) -> Server:
    """A server with handlers for all requests; it is not started."""
    server = Server(drafts)
    for name, event in _EVENTS:
        server.feature(name)(_guarded(event))
    for name, options, result in features.ANSWERS:
        server.feature(name, options)(_guarded(result))
    return server


def serve() -> None:
    """Serve an editor over standard input and output until it disconnects."""
    if not os.environ.get("TILEWRIGHT_DEBUG"):
        logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    output = sys.stdout.buffer
    sys.stdout = sys.stderr  # other output must not mix with the protocol
    make_server().start_io(sys.stdin.buffer, output)
