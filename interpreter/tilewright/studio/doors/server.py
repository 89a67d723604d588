"""The door for a browser on this computer: static files, and one WebSocket that carries messages.

It listens on the loopback address alone. Requests for another host, or from a page of another
origin, are refused; the socket answers nothing before it has received the token, which is in the
fragment of the printed address and so is never sent to any server by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tilewright.studio.client import INVALID_REQUEST, PARSE_ERROR, Client, Studio
from tilewright.studio.service import answer, error, settle
from tilewright.studio.shelf.cards import prepare

HOST = "127.0.0.1"
STATIC = Path(__file__).parent.parent / "static"
#: bytes of a message; messages of a page in a row, and those it may send in a second after them
MAX_BYTES, BURST, RATE = 12 << 20, 400, 200
#: pages at once, messages of one page that wait for their answers
MAX_PAGES, MAX_WAITING = 32, 64
#: seconds until a page must have shown the token
PATIENCE = 10.0
#: a page that does not have the token; a page that sends too much
_NO_TOKEN, _TOO_MUCH, _TOO_MANY_PAGES = 4401, 4429, 4503

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css",
    ".svg": "image/svg+xml", ".woff2": "font/woff2", ".json": "application/json",
    ".txt": "text/plain; charset=utf-8", ".png": "image/png", ".wasm": "application/wasm",
}  # fmt: skip

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(slots=True)
class Door:
    """The pages that are open, and the one thread on which their messages are answered."""

    studio: Studio
    token: str
    port: int
    pages: set[Page] = field(default_factory=set)
    #: one thread for all pages: the state behind the messages needs no locks
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    @property
    def hosts(self) -> frozenset[str]:
        """The values of the header `Host` that are served."""
        return frozenset(f"{name}:{self.port}" for name in (HOST, "localhost"))

    @property
    def address(self) -> str:
        """The address to open, with the token."""
        return f"http://{HOST}:{self.port}/#token={self.token}"


class Guard:
    """Refuses requests for other hosts and from pages of other origins, before anything else."""

    def __init__(self, app: App, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value for name, value in headers if name == b"host"]
        origins = [value for name, value in headers if name == b"origin"]
        allowed = {f"http://{host}" for host in self.door.hosts}
        is_good = len(hosts) == 1 and hosts[0] in self.door.hosts and allowed.issuperset(origins)
        if scope["type"] == "websocket":
            is_good = is_good and len(origins) == 1
        if is_good:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = PlainTextResponse("this host or origin is not served\n", 403, HEADERS)
            await refusal(scope, receive, send)


class Page:
    """One open page: its client, its messages in and out."""

    def __init__(self, door: Door, channel: WebSocket) -> None:
        self.door, self.channel = door, channel
        self.loop = asyncio.get_running_loop()
        self.client = Client(door.studio, self.tell, self.tell_others, token=door.token)
        self.waiting = asyncio.Semaphore(MAX_WAITING)
        self.pending = 0
        self.left, self.filled = float(BURST), time.monotonic()
        self.outgoing: asyncio.Queue[str] = asyncio.Queue()

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification, from any thread."""
        text = json.dumps(
            {"jsonrpc": "2.0", "method": method, "params": params}, ensure_ascii=False
        )
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self.outgoing.put_nowait, text)

    def tell_others(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification to all other pages that have shown the token."""
        for page in tuple(self.door.pages):
            if page is not self and page.client.is_welcome:
                page.tell(method, params)

    async def serve(self) -> None:
        """Answer the messages of the page until it leaves."""
        writer = asyncio.create_task(self._write())
        patience = asyncio.create_task(self._expect_token())
        try:
            while True:
                message = await self.channel.receive_text()
                if not self._is_within_rate():
                    await self.channel.close(_TOO_MUCH)
                    return
                await self.waiting.acquire()
                self.pending += 1
                self.loop.run_in_executor(self.door.thread, self._answer, message)
                if not self.client.is_welcome:  # nothing else is read before it was looked at
                    await self.loop.run_in_executor(self.door.thread, lambda: None)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            writer.cancel()
            patience.cancel()
            if self.client.lsp is not None:
                self.client.lsp.stop()

    def _answer(self, text: str) -> None:
        """Answer one message, on the thread of the studio."""
        reply: dict[str, Any] | None
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            reply = error(None, PARSE_ERROR, "the message is not JSON")
        else:
            reply = answer(self.client, message)
        packed = None
        if reply is not None:
            try:
                packed = json.dumps(reply, ensure_ascii=False, allow_nan=False)
                packed.encode()
            except (ValueError, TypeError, RecursionError):
                packed = json.dumps(error(None, INVALID_REQUEST, "the message cannot be answered"))
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._done, packed)
        settle(self.client)

    def _done(self, text: str | None) -> None:
        self.waiting.release()
        self.pending -= 1
        if text is not None:
            self.outgoing.put_nowait(text)

    def _is_within_rate(self) -> bool:
        """Take one message off what the page may send now."""
        now = time.monotonic()
        self.left = min(float(BURST), self.left + (now - self.filled) * RATE)
        self.filled = now
        self.left -= 1
        return self.left >= 0

    async def _write(self) -> None:
        while True:
            text = await self.outgoing.get()
            await self.channel.send_text(text)

    async def _expect_token(self) -> None:
        await asyncio.sleep(PATIENCE)
        while self.pending:  # the program has not come to its message yet
            await asyncio.sleep(PATIENCE)
        if not self.client.is_welcome:
            await self.channel.close(_NO_TOKEN)


async def _channel(door: Door, channel: WebSocket) -> None:
    await channel.accept()
    if len(door.pages) >= MAX_PAGES:
        await channel.close(_TOO_MANY_PAGES)
        return
    page = Page(door, channel)
    door.pages.add(page)
    try:
        await page.serve()
    finally:
        door.pages.discard(page)


def _file(request: Request) -> Response:
    """A file of the page. Only names that are there are looked up, and links are not followed."""
    name = request.path_params.get("path", "") or "index.html"
    path = served_files().get(name)
    if path is None:
        return PlainTextResponse("not found\n", 404, HEADERS)
    kept = "public, max-age=31536000, immutable" if name.startswith("assets/") else "no-store"
    headers = {**HEADERS, "Cache-Control": kept}
    return FileResponse(path, media_type=TYPES[path.suffix], headers=headers)


def served_files() -> dict[str, Path]:
    """The files of the page by their names."""
    return {
        path.relative_to(STATIC).as_posix(): path
        for path in STATIC.rglob("*")
        if path.suffix in TYPES and path.is_file() and not path.is_symlink()
    }


def application(door: Door) -> App:
    """The application of a door."""

    async def channel(websocket: WebSocket) -> None:
        await _channel(door, websocket)

    routes = [
        WebSocketRoute("/channel", channel),
        Route("/", _file, methods=["GET", "HEAD"]),
        Route("/{path:path}", _file, methods=["GET", "HEAD"]),
    ]
    return Guard(Starlette(routes=routes), door)


def new_token() -> str:
    """A token of 32 random bytes."""
    return secrets.token_urlsafe(32)


def bound_socket(port: int = 0) -> socket.socket:
    """A socket on the loopback address; port 0 takes a free one. Raises OSError."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
    except OSError:
        found.close()
        raise
    return found


def serve(door: Door, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve pages until it is interrupted; `ready` is called as soon as pages are served."""
    if not logging.getLogger().handlers:
        logging.getLogger("tilewright.studio").addHandler(logging.StreamHandler())
    config = uvicorn.Config(
        application(door),
        log_level="critical",
        access_log=False,
        server_header=False,
        ws_max_size=MAX_BYTES,
        ws_ping_interval=20,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)

    async def run() -> None:
        task = asyncio.create_task(server.serve([listening]))
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        if server.started:
            ready()
        await task

    # computed while the browser starts; messages come in between
    steps = prepare(door.studio)

    def step() -> None:
        if next(steps, True) is None:
            with contextlib.suppress(RuntimeError):  # the end has come
                door.thread.submit(step)

    door.thread.submit(step)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run())
    door.thread.shutdown(wait=False, cancel_futures=True)
