"""A door of the studio on a thread of its own, requests to it, and sockets."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tilewright.faces.studio.client import Studio
from tilewright.faces.studio.doors.server import HOST, Door, bound_socket, new_token, open_door


@contextmanager
def opened_door(studio: Studio | None = None) -> Iterator[Door]:
    """A door that is served in the block."""
    listening = bound_socket()
    found = Door(studio or Studio(), new_token(), listening.getsockname()[1])
    loop, ready, end = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def run() -> None:
        async with open_door(found, listening):
            ready.set()
            await end.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    assert ready.wait(10)
    yield found
    loop.call_soon_threadsafe(end.set)
    thread.join(10)
    found.thread.end()


def got(door: Door, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """The response to a request; headers may replace `Host`."""
    connection = http.client.HTTPConnection(HOST, door.port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {"Host": f"{HOST}:{door.port}", **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    response.body = response.read()  # type: ignore[attr-defined]
    return response


def opened(door: Door, origin: str | None = "", host: str = "") -> ClientConnection:
    """A socket to the door."""
    name = host or f"{HOST}:{door.port}"
    given = f"http://{HOST}:{door.port}" if origin == "" else origin
    there = socket.create_connection((HOST, door.port))
    return connect(f"ws://{name}/channel", sock=there, origin=given, max_size=None)  # type: ignore[arg-type]


def asked(channel: ClientConnection, method: str, **params: Any) -> Any:
    """The answer to a message; notifications are skipped."""
    channel.send(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}))
    while True:
        found = json.loads(channel.recv(30))
        if found.get("id") == method:
            return found


def welcome(door: Door, channel: ClientConnection) -> bool:
    """Show the token; whether the page is welcome."""
    return "result" in asked(channel, "hello", token=door.token)
