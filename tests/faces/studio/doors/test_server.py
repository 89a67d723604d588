"""The local server: who is let in, what is served, and what a page may send."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from support.hungry import write_hungry
from support.studio_client import PEOPLE
from support.studio_door import asked, got, opened, opened_door, welcome
from tilewright.faces.studio.client import Studio
from tilewright.faces.studio.desk import outside
from tilewright.faces.studio.doors import connection, server
from tilewright.faces.studio.doors.server import STATIC, Door, bound_socket, new_token


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """A door on a thread of its own."""
    with opened_door() as found:
        yield found


def test_a_change_is_seen_soon_after_one_that_took_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]

    def announced(*told: Any) -> None:
        clock[0] += 1000  # the work after a change takes long
        announce(*told)

    announce = outside.announce
    monkeypatch.setattr(outside, "announce", announced)
    monkeypatch.setattr(server.time, "thread_time", lambda: clock[0])
    write_hungry(tmp_path)
    file = tmp_path / "hungry-dragon" / "rules" / "dragon.yaml"
    text = file.read_text("utf-8")
    with opened_door(Studio((tmp_path,))) as door, opened(door) as channel:
        welcome(door, channel)
        for change in (file.unlink, lambda: file.write_text(text, "utf-8")):
            change()
            while json.loads(channel.recv(30)).get("method") != "file.changed":
                pass


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
    monkeypatch.setattr(connection, "PATIENCE", 0.1)
    with opened(door) as channel, pytest.raises(ConnectionClosed) as closed:
        channel.recv(5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4408


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


@pytest.mark.parametrize("text", ["", "{", "[" * 10_000, "nul", '{"a": NaN}', "\x00", "1"])
def test_garbage_is_answered_and_forgotten(door: Door, text: str) -> None:
    with opened(door) as channel:
        channel.send(text)
        assert json.loads(channel.recv(10))["error"]["code"] in (-32700, -32600)
        assert welcome(door, channel)


@pytest.mark.parametrize("text", ["", "[" * 50_000, "[" * 5_000_000, '{"a": ' * 100_000])
def test_garbage_after_the_token_is_answered_and_forgotten(door: Door, text: str) -> None:
    with opened(door) as channel:
        assert welcome(door, channel)
        channel.send(text)
        assert json.loads(channel.recv(10))["error"]["code"] in (-32700, -32600)
        assert "result" in asked(channel, "match.kept")


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
        assert welcome(door, channel)
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
