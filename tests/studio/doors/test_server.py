"""The local server: who is let in, what is served, and what a page may send."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from support.studio_client import PEOPLE
from tilewright.studio.client import Studio
from tilewright.studio.doors import server
from tilewright.studio.doors.server import HOST, STATIC, Door, application, bound_socket, new_token


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """A door on a thread of its own."""
    import uvicorn

    listening = bound_socket()
    found = Door(Studio(), new_token(), listening.getsockname()[1])
    config = uvicorn.Config(application(found), log_level="critical", ws_max_size=server.MAX_BYTES)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(running.serve([listening])), daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    yield found
    running.should_exit = True
    thread.join(10)


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


# ------------------------------------------------------------------ files


def test_it_listens_on_the_loopback_address_alone() -> None:
    found = bound_socket()
    assert found.getsockname()[0] == "127.0.0.1"
    found.close()


def test_a_port_in_use_is_refused() -> None:
    found = bound_socket()
    found.listen()
    with pytest.raises(OSError):
        bound_socket(found.getsockname()[1])
    found.close()


def test_the_page_is_served_with_a_strict_policy(door: Door) -> None:
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page is not built")
    response = got(door, "/")
    assert response.status == 200
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert door.token.encode() not in response.body  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "path",
    ["/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "/assets/../../server.py",
     "//etc/passwd", "/assets", "/nothing", "/channel", "/%00", "/index.html/", "/server.py"],
)  # fmt: skip
def test_nothing_else_is_served(door: Door, path: str) -> None:
    assert got(door, path).status in (400, 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_other_methods_are_refused(door: Door, method: str) -> None:
    assert got(door, "/", method).status == 405


FOREIGN = ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1.evil.example:80", ""]


@pytest.mark.parametrize("host", FOREIGN)
def test_another_host_is_refused(door: Door, host: str) -> None:
    assert got(door, "/", Host=host).status in (400, 403)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "file://"])
def test_a_page_of_another_origin_gets_nothing(door: Door, origin: str) -> None:
    assert got(door, "/", Origin=origin).status == 403


# ------------------------------------------------------------------ the socket


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "https://127.0.0.1"])
def test_a_socket_from_another_origin_is_refused(door: Door, origin: str | None) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        opened(door, origin)


def test_a_socket_to_another_host_is_refused(door: Door) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        opened(door, host="evil.example")


def test_a_page_with_the_token_plays(door: Door) -> None:
    with opened(door) as channel:
        assert "result" in asked(channel, "hello", token=door.token)
        found = asked(channel, "match.new", game="c2/base", seats=PEOPLE, seed="a")["result"]
        again = asked(channel, "match.choose", match=found["match"], n=0)["result"]
        assert again["at"] == 1


@pytest.mark.parametrize("token", ["", "wrong", None])
def test_a_page_without_the_token_gets_nothing(door: Door, token: str | None) -> None:
    with opened(door) as channel:
        if token is not None:
            assert asked(channel, "hello", token=token)["error"]["code"] == -32001
        assert asked(channel, "match.kept")["error"]["code"] == -32001


def test_a_page_that_never_shows_the_token_is_left(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.1)
    with opened(door) as channel, pytest.raises(ConnectionClosed) as closed:
        channel.recv(5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401


def test_two_pages_see_the_same_match_and_hear_of_each_other(door: Door) -> None:
    with opened(door) as one, opened(door) as two:
        asked(one, "hello", token=door.token)
        asked(two, "hello", token=door.token)
        match = asked(one, "match.new", game="c2/base", seats=PEOPLE, seed="b")["result"]["match"]
        asked(one, "match.choose", match=match, n=0)
        told = json.loads(two.recv(10))
        assert told["method"] == "match.changed"
        assert told["params"] == {"match": match, "at": 1}
        assert asked(two, "match.state", match=match)["result"]["at"] == 1


def test_a_reloaded_page_goes_on(door: Door) -> None:
    with opened(door) as channel:
        asked(channel, "hello", token=door.token)
        found = asked(channel, "match.new", game="c2/base", seats=PEOPLE, seed="c")["result"]
    with opened(door) as channel:
        asked(channel, "hello", token=door.token)
        again = asked(channel, "match.state", match=found["match"])["result"]
        assert again["digest"] == found["digest"]


@pytest.mark.parametrize("text", ["", "{", "[" * 50_000, "nul", '{"a": NaN}', "\x00", "1"])
def test_garbage_is_answered_and_forgotten(door: Door, text: str) -> None:
    with opened(door) as channel:
        channel.send(text)
        assert json.loads(channel.recv(10))["error"]["code"] in (-32700, -32600)
        assert "result" in asked(channel, "hello", token=door.token)


def test_a_page_that_sends_too_much_is_left(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BURST", 20)
    monkeypatch.setattr(server, "RATE", 1)
    with opened(door) as channel, pytest.raises(ConnectionClosed) as closed:
        for _ in range(100):
            asked(channel, "hello", token="x")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4429


def test_a_message_that_is_too_long_ends_the_page_alone(door: Door) -> None:
    with opened(door) as channel, pytest.raises(ConnectionClosed):
        channel.send("x" * (server.MAX_BYTES + 1))
        channel.recv(10)
    with opened(door) as channel:
        assert "result" in asked(channel, "hello", token=door.token)


def test_a_token_has_32_random_bytes() -> None:
    assert len({new_token() for _ in range(50)}) == 50
    assert len(new_token()) == 43  # 32 bytes in base64


def test_the_address_keeps_the_token_in_its_fragment(door: Door) -> None:
    before, mark, fragment = door.address.partition("#")
    assert (mark, fragment) == ("#", f"token={door.token}")
    assert before == f"http://127.0.0.1:{door.port}/"
