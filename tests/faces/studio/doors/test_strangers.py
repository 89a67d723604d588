"""Others on this computer, without the token, can do nothing to the studio for long."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from support.studio_client import PEOPLE
from support.studio_door import got, opened, opened_door, welcome
from support.studio_process import Channel, started
from tilewright.faces.studio.doors import connection as limits
from tilewright.faces.studio.doors import server
from tilewright.faces.studio.doors.connection import HEADERS
from tilewright.faces.studio.doors.server import HOST, Door

if sys.platform == "win32":
    pytest.skip("limits of processes are those of Unix", allow_module_level=True)


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """A door on a thread of its own."""
    with opened_door() as found:
        yield found


def sent(door: Door, text: bytes) -> socket.socket:
    """A connection on which some bytes were sent."""
    found = socket.create_connection((HOST, door.port), 10)
    found.sendall(text)
    return found


def is_closed(connection: socket.socket, seconds: float) -> bool:
    """Whether the other side ends a connection within some seconds, whatever it sends before."""
    connection.settimeout(seconds)
    try:
        while connection.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def request(door: Door, *lines: str, end: str = "\r\n\r\n") -> bytes:
    """A request for the page."""
    return "\r\n".join(("GET / HTTP/1.1", f"Host: {HOST}:{door.port}", *lines)).encode() + (
        end.encode()
    )


# ------------------------------------------------------------------ responses


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 200), ("HEAD", "/", 200), ("GET", "/nothing", 404), ("GET", "/channel", 404),
     ("POST", "/", 405), ("DELETE", "/assets", 405), ("GET", "/" + "x" * 9000, 414)],
)  # fmt: skip
def test_every_response_has_the_security_headers(
    door: Door, method: str, path: str, status: int
) -> None:
    response = got(door, path, method)
    assert response.status == status
    assert {name: response.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"X": "x" * 9000}, 431),
        ({f"X-{number}": "" for number in range(200)}, 431),
    ],
)
def test_a_refusal_has_the_security_headers(
    door: Door, headers: dict[str, str], status: int
) -> None:
    response = got(door, "/", **headers)
    assert response.status == status
    assert {name: response.headers[name] for name in HEADERS} == HEADERS


def test_a_socket_that_is_none_is_refused_with_the_security_headers(door: Door) -> None:
    origin = f"http://{HOST}:{door.port}"
    response = got(door, "/channel", Upgrade="websocket", Origin=origin)
    assert response.status == 400 or response.status == 426
    assert {name: response.headers[name] for name in HEADERS} == HEADERS


# ------------------------------------------------------------------ requests that never end


@pytest.mark.parametrize("text", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\x16\x03"])
def test_a_request_that_never_ends_is_left(
    door: Door, text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PATIENCE", 0.2)
    assert is_closed(sent(door, text), 5)


def test_a_body_is_not_waited_for(door: Door) -> None:
    assert is_closed(sent(door, request(door, "Content-Length: 1000000", "")), 5)
    assert is_closed(sent(door, request(door, "Transfer-Encoding: chunked", "")), 5)


def test_a_connection_is_closed_after_its_response(door: Door) -> None:
    assert is_closed(sent(door, request(door) * 3), 5)


def test_a_request_of_many_bytes_is_cut_off(door: Door) -> None:
    with suppress(OSError):
        connection = sent(door, b"GET / HTTP/1.1\r\n")
        for _ in range(100):
            connection.sendall(b"X: " + b"x" * 1000 + b"\r\n")
    assert is_closed(connection, 5)


# ------------------------------------------------------------------ sockets without the token


def test_a_long_message_before_the_token_is_cut_off(door: Door) -> None:
    with opened(door) as channel, pytest.raises(ConnectionClosed):
        channel.send("x" * (20 << 10))
        channel.recv(5)
    with opened(door) as channel:
        assert welcome(door, channel)
        channel.send("x" * (20 << 10))
        assert "not JSON" in str(channel.recv(5))


def test_small_messages_before_the_token_are_cut_off_too(door: Door) -> None:
    with opened(door) as channel, pytest.raises(ConnectionClosed):
        for _ in range(300):
            channel.send("x" * 100)
            channel.recv(5)


def test_idle_connections_do_not_take_the_places_of_pages(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_STRANGERS", 10)
    monkeypatch.setattr(limits, "PATIENCE", 60.0)
    with ExitStack() as held:
        idle = [held.enter_context(opened(door)) for _ in range(25)]
        channel = held.enter_context(opened(door))
        assert welcome(door, channel)
        assert len(door.strangers) <= 10
        assert sum(each.protocol.state.name == "OPEN" for each in idle) <= 10
        for _ in range(25):
            held.enter_context(opened(door))
        assert welcome(door, channel)  # the place of a page is its own


def test_the_token_counts_while_the_thread_is_busy(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PATIENCE", 0.2)
    free = threading.Event()
    door.thread.submit(lambda: free.wait(10))
    with opened(door) as channel, opened(door) as stranger:
        hello = {"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"token": door.token}}
        channel.send(json.dumps(hello))
        stranger.send('{"jsonrpc": "2.0", "id": 1, "method": "match.kept", "params": {}}')
        assert "-32001" in str(stranger.recv(5))
        with pytest.raises(ConnectionClosed):
            stranger.recv(5)
        free.set()
        assert "version" in str(channel.recv(5))


# ------------------------------------------------------------------ attacks on a process

#: opens many connections, sends each some bytes, and holds them until its input ends
ATTACK = """
import socket, sys, resource
_, port, count, text = sys.argv
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
held = []
for _ in range(int(count)):
    one = socket.create_connection(("127.0.0.1", int(port)), 20)
    try:
        one.sendall(text.encode())
    except OSError:
        pass
    held.append(one)
print("ready", flush=True)
sys.stdin.read()
"""


def attacked(port: int, count: int, text: str) -> subprocess.Popen[str]:
    """A process that holds so many connections."""
    command = [sys.executable, "-c", ATTACK, str(port), str(count), text]
    found = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert found.stdout is not None
    assert found.stdout.readline() == "ready\n"
    return found


def memory_of(process: int) -> int:
    """The resident memory of a process, in bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def plays(port: int, token: str) -> None:
    """Open a page and begin a match."""
    channel = Channel(port, token)
    assert channel.call("match.new", game="c2/base", seats=PEOPLE, seed="a")["at"] == 0


def limit_files() -> None:
    """Allow this process 1,024 open files."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))


@pytest.mark.slow
@pytest.mark.parametrize("count", [300, 2000])
def test_idle_sockets_do_not_lock_the_owner_out(tmp_path: Path, count: int) -> None:
    with started(tmp_path, before=limit_files) as (process, port, token):
        asked = (
            f"GET /channel HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        attack = attacked(port, count, asked)
        plays(port, token)
        time.sleep(limits.PATIENCE + server.TO_CLOSE + 1)
        assert len(os.listdir(f"/proc/{process.pid}/fd")) < 60
        attack.kill()
        plays(port, token)


@pytest.mark.slow
def test_slow_requests_do_not_lock_the_owner_out(tmp_path: Path) -> None:
    with started(tmp_path, before=limit_files) as (process, port, token):
        page = Channel(port, token)
        attack = attacked(port, 2000, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: ")
        assert page.call("match.kept") == {"matches": []}
        plays(port, token)
        time.sleep(limits.PATIENCE + server.TO_CLOSE + 1)
        assert len(os.listdir(f"/proc/{process.pid}/fd")) < 60
        assert process.poll() is None
        attack.kill()
        plays(port, token)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="memory is read from /proc")
def test_large_messages_before_the_token_take_no_memory(tmp_path: Path) -> None:
    with started(tmp_path) as (process, port, token):
        page = Channel(port, token)
        before = highest = memory_of(process.pid)
        origin, large = f"http://127.0.0.1:{port}", "x" * (12_000_000)
        for _ in range(200):
            with (
                suppress(ConnectionClosed, OSError),
                connect(f"ws://127.0.0.1:{port}/channel", origin=origin) as channel,  # type: ignore[arg-type]
            ):
                channel.send(large)
            highest = max(highest, memory_of(process.pid))
        assert highest - before < 40 << 20
        assert page.call("match.kept") == {"matches": []}
