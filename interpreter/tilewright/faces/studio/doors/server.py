"""The door for a browser on this computer: static files, and one WebSocket that carries messages.

It listens on the loopback address alone. Requests for another host, or from a page of another
origin, are refused; the socket answers nothing before it has received the token, which is in the
fragment of the printed address and so is never sent to any server by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hmac
import json
import logging
import secrets
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import unquote

from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tilewright.faces.studio.client import INVALID_REQUEST, PARSE_ERROR, Client, Studio, Work
from tilewright.faces.studio.desk.outside import notice, seen
from tilewright.faces.studio.doors.connection import Connection
from tilewright.faces.studio.service import answer, error, leave, settle
from tilewright.faces.studio.shelf.cards import make_cards

HOST = "127.0.0.1"
STATIC = Path(__file__).parent.parent / "static"
CHANNEL = "/channel"
#: bytes of a message; messages of a page in a row, and those it may send in a second after them
MAX_BYTES, BURST, RATE = 12 << 20, 400, 200
#: pages at once, messages of one page that wait for their answers
MAX_PAGES, MAX_WAITING = 32, 64
#: seconds to send a whole response, to close a connection, and to end
TO_ANSWER, TO_CLOSE, TO_END = 10.0, 2.0, 0.5
#: seconds between two looks at the opened folders, and at least so many times what a look takes
TO_LOOK, REST = 0.4, 10
#: why a socket is closed: it sends too much; there are too many pages
_TOO_MUCH, _TOO_MANY_PAGES = 4429, 4503

TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css",
    ".svg": "image/svg+xml", ".woff2": "font/woff2", ".json": "application/json",
    ".txt": "text/plain; charset=utf-8", ".png": "image/png", ".wasm": "application/wasm",
}  # fmt: skip


class AnsweringThread:
    """One thread for the messages of all pages: the state behind them needs no locks.

    The end of the program does not wait for it.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="answers", daemon=True)
        self._thread.start()

    def submit(self, task: Callable[[], object]) -> None:
        """Carry out a task after those before it."""
        self._tasks.put(task)

    def end(self) -> None:
        """End after the current task, and leave out all others."""
        with contextlib.suppress(Empty):
            while True:
                self._tasks.get_nowait()
        self._tasks.put(None)

    def join(self, patience: float) -> None:
        """Wait for the current task, but not longer than some seconds."""
        self._thread.join(max(0.0, patience))

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception:
                logging.getLogger("tilewright.faces.studio").exception("in a task")


@dataclass(slots=True)
class Door:
    """The pages that are open, the connections of strangers, and the thread that answers."""

    studio: Studio
    token: str
    port: int
    pages: set[Page] = field(default_factory=set)
    #: connections that have not shown the token, the oldest first
    strangers: dict[Connection, None] = field(default_factory=dict)
    thread: AnsweringThread = field(default_factory=AnsweringThread)

    @property
    def hosts(self) -> frozenset[str]:
        """The values of the header `Host` that are served."""
        return frozenset(f"{name}:{self.port}" for name in (HOST, "localhost"))

    @property
    def address(self) -> str:
        """The address to open, with the token."""
        return f"http://{HOST}:{self.port}/#token={self.token}"

    def is_token(self, text: str) -> bool:
        """Whether a message is `hello` with the token."""
        try:
            message = json.loads(text)
            given = message["params"]["token"] if message["method"] == "hello" else ""
            return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self.token.encode())
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return False


# ------------------------------------------------------------------ requests


def _response(door: Door, connection: ServerConnection, request: Request) -> Response | None:
    """The response to a request; None lets a socket in."""
    assert isinstance(connection, Connection)
    connection.wait()
    hosts, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
    allowed = {f"http://{host}" for host in door.hosts}
    is_good = len(hosts) == 1 and hosts[0] in door.hosts and allowed.issuperset(origins)
    path = unquote(request.path.partition("?")[0])
    is_socket = path == CHANNEL and "Upgrade" in request.headers
    if not is_good or (is_socket and len(origins) != 1):
        return connection.respond(HTTPStatus.FORBIDDEN, "this host or origin is not served\n")
    if request.method not in ("GET", "HEAD"):
        refusal = connection.respond(HTTPStatus.METHOD_NOT_ALLOWED, "method not allowed\n")
        refusal.headers["Allow"] = "GET, HEAD"
        return refusal
    return None if is_socket else _file(connection, request, path)


def _file(connection: Connection, request: Request, path: str) -> Response:
    """A file of the page. Only names that are there are looked up, and links are not followed."""
    name = path.removeprefix("/") or "index.html"
    file = served_files().get(name)
    if file is None:
        return connection.respond(HTTPStatus.NOT_FOUND, "not found\n")
    content = file.read_bytes()
    kept = "public, max-age=31536000, immutable" if name.startswith("assets/") else "no-store"
    headers = Headers(
        [
            ("Content-Type", TYPES[file.suffix]),
            ("Content-Length", str(len(content))),
            ("Cache-Control", kept),
            ("Connection", "close"),
        ]
    )
    return Response(200, "OK", headers, b"" if request.method == "HEAD" else content)


def served_files() -> dict[str, Path]:
    """The files of the page by their names."""
    return {
        path.relative_to(STATIC).as_posix(): path
        for path in STATIC.rglob("*")
        if path.suffix in TYPES and path.is_file() and not path.is_symlink()
    }


# ------------------------------------------------------------------ pages


class Page:
    """One open page: its client, its messages in and out."""

    def __init__(self, door: Door, connection: Connection) -> None:
        self.door, self.connection = door, connection
        self.loop = asyncio.get_running_loop()
        self.client = Client(door.studio, self.tell, token=door.token)
        self.client.send_later = self.answer_later
        self.waiting = asyncio.Semaphore(MAX_WAITING)
        self.left, self.filled = float(BURST), time.monotonic()
        self.outgoing: asyncio.Queue[str] = asyncio.Queue()

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification, from any thread."""
        text = json.dumps(
            {"jsonrpc": "2.0", "method": method, "params": params}, ensure_ascii=False
        )
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self.outgoing.put_nowait, text)

    async def serve(self) -> None:
        """Answer the messages of the page until it leaves."""
        writer = asyncio.create_task(self._write())
        try:
            while isinstance(message := await self.connection.recv(), str):
                if not self._is_within_rate():
                    return await self.connection.close(_TOO_MUCH)
                if self.connection.is_welcome or self.door.is_token(message):
                    if not self._is_let_in():
                        return await self.connection.close(_TOO_MANY_PAGES)
                    await self.waiting.acquire()
                    self.door.thread.submit(partial(self._answer, message))
                elif (refusal := _packed(self.client, message)) is not None:
                    self.outgoing.put_nowait(refusal)  # a stranger does not reach the thread
        except ConnectionClosed:
            pass
        finally:
            self.door.pages.discard(self)
            writer.cancel()
            leave(self.client)
            self.door.thread.submit(lambda: leave(self.client))  # after its last message

    def _is_let_in(self) -> bool:
        """Whether there is a place for the page, which has shown the token."""
        if self not in self.door.pages and len(self.door.pages) < MAX_PAGES:
            self.door.pages.add(self)
            self.connection.welcome()
        return self in self.door.pages

    def _answer(self, text: str) -> None:
        """Answer one message, on the thread of the studio."""
        packed = _packed(self.client, text)
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._done, packed)
        settle(self.client)

    def answer_later(self, make: Callable[[], dict[str, Any] | None]) -> None:
        """Send what a function returns, which is called on the thread of the studio."""

        def send() -> None:
            packed = _text_of(make())
            if packed is not None:
                with contextlib.suppress(RuntimeError):
                    self.loop.call_soon_threadsafe(self.outgoing.put_nowait, packed)
            settle(self.client)

        self.door.thread.submit(send)

    def _done(self, text: str | None) -> None:
        self.waiting.release()
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
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.connection.send(await self.outgoing.get())


def _packed(client: Client, text: str) -> str | None:
    """The answer to a text, as text."""
    reply: dict[str, Any] | None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        reply = error(None, PARSE_ERROR, "the message is not JSON")
    else:
        reply = answer(client, message)
    return _text_of(reply)


def _text_of(reply: dict[str, Any] | None) -> str | None:
    """A message as text."""
    if reply is None:
        return None
    try:
        packed = json.dumps(reply, ensure_ascii=False, allow_nan=False)
        packed.encode()
    except (ValueError, TypeError, RecursionError):
        return json.dumps(error(None, INVALID_REQUEST, "the message cannot be answered"))
    return packed


# ------------------------------------------------------------------ serving


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


@asynccontextmanager
async def open_door(door: Door, listening: socket.socket) -> AsyncIterator[None]:
    """Serve pages in the block; afterwards, connections have a moment to end, and are cut off."""

    async def page(connection: ServerConnection) -> None:
        assert isinstance(connection, Connection)
        await Page(door, connection).serve()

    silent = logging.getLogger("tilewright.faces.studio.connections")
    silent.setLevel(logging.CRITICAL)
    server = await listen(
        page,
        sock=listening,
        process_request=partial(_response, door),
        # a function serves as well as the class that the library declares
        create_connection=partial(Connection, door.strangers),  # type: ignore[arg-type]
        compression=None,
        server_header=None,
        open_timeout=TO_ANSWER,
        close_timeout=TO_CLOSE,
        max_size=MAX_BYTES,
        max_queue=4,
        logger=silent,
    )
    watching = asyncio.create_task(_watch(door))
    try:
        yield
    finally:
        watching.cancel()
        server.close()
        try:
            await asyncio.wait_for(server.wait_closed(), TO_END)
        except TimeoutError:
            for connection in (*door.strangers, *(page.connection for page in door.pages)):
                connection.transport.abort()  # the other side does not answer


async def _watch(door: Door) -> None:
    """Look for changes of the opened folders, on the thread of the studio, again and again."""
    loop, took = asyncio.get_running_loop(), 0.0
    while True:
        looked: asyncio.Future[float] = loop.create_future()

        def answered(took: float, looked: asyncio.Future[float] = looked) -> None:
            if not looked.cancelled():
                looked.set_result(took)

        def look(answered: Callable[[float], None] = answered) -> None:
            # the work after a change is not counted: changes often come one after the other
            began = time.thread_time()
            now = seen(door.studio)
            took = time.thread_time() - began
            try:
                notice(door.studio, now=now)
            finally:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(answered, took)

        door.thread.submit(look)
        took = await looked
        await asyncio.sleep(max(TO_LOOK, REST * took))


def serve(door: Door, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve pages until a signal ends it; `ready` is called as soon as pages are served.

    An interrupt ends it as usual, and other signals take effect as soon as it has ended.
    """
    if not logging.getLogger().handlers:
        logging.getLogger("tilewright.faces.studio").addHandler(logging.StreamHandler())

    async def run() -> None:
        ended, loop = asyncio.Event(), asyncio.get_running_loop()
        with _heard(lambda: loop.call_soon_threadsafe(ended.set)):
            async with open_door(door, listening):
                ready()
                await ended.wait()
                began = time.monotonic()
                door.thread.end()
            door.thread.join(TO_END - (time.monotonic() - began))

    if door.studio.workers is not None:
        door.studio.workers.start_early(Work(make_cards, ()))  # while the browser starts
    try:
        asyncio.run(run())
    finally:
        gc.freeze()  # a last search for garbage would take longer than all the rest of the end


@contextmanager
def _heard(end: Callable[[], object]) -> Iterator[None]:
    """Signals that end the program call a function in the block, and are raised again after it."""
    arrived: list[int] = []
    usual = {}

    def hear(number: int, _: object) -> None:
        arrived.append(number)
        end()

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                usual[number] = signal.signal(number, hear)
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for number in arrived:
            if number != signal.SIGINT:
                signal.raise_signal(number)
