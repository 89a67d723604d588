"""The verb `studio`: it prints its address, serves, ends with Ctrl-C, and loses nothing."""

from __future__ import annotations

import json
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

import tilewright as tw
from support.hostile import rules as hostile_rules
from support.hostile import step_rule
from support.studio_client import PEOPLE, Page
from support.studio_process import Channel, started
from tilewright.faces.cli.app import run
from tilewright.faces.studio.doors.disk import DiskStore

if sys.platform == "win32":
    pytest.skip("there is no interrupt to send here", allow_module_level=True)


@pytest.mark.slow
def test_nothing_is_lost_when_it_is_interrupted(tmp_path: Path) -> None:
    with started(tmp_path) as (process, port, token):
        channel = Channel(port, token)
        made = channel.call(
            "file.new", name="mine", template="empty", game="c2/princess-and-dragon"
        )
        path = made["files"][1]
        channel.call("file.draft", path=path, text="rules: [  # unsaved\n", stamp="")
        match = channel.call("match.new", game="c2/base", seats=PEOPLE, seed="a")
        match = channel.call("match.choose", match=match["match"], n=0)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stdout is not None
        assert "Traceback" not in process.stdout.read()
    with started(tmp_path) as (process, port, token):
        channel = Channel(port, token)
        (kept,) = channel.call("match.kept")["matches"]
        assert channel.call("match.state", match=kept["match"])["digest"] == match["digest"]
        assert [d["path"] for d in channel.call("file.list")["drafts"]] == [path]
        process.send_signal(signal.SIGTERM)
        process.wait(20)


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "code"), [("SIGINT", 0), ("SIGTERM", 143)])
def test_it_ends_at_once_also_while_it_works(sent: str, code: int, tmp_path: Path) -> None:
    thinker = {"kind": "bot", "bot": "mcts:9s"}
    with started(tmp_path) as (process, port, token):
        channel = Channel(port, token)
        kept = channel.call("match.new", game="c2/base", seats=PEOPLE, seed="a")
        kept = channel.call("match.choose", match=kept["match"], n=0)
        games = ["c2/base", "c3/base"]
        channel.call("simulate.start", games=games, bots=["greedy"], players=2, count=2000)
        channel.send("test.run", ruleset="c2/base")
        long = channel.call("match.new", game="c2/base", seats=[thinker, thinker], seed="a")
        channel.send("match.bot", match=long["match"])
        channel.send("compare.answer", games=games)
        channel.send("sheet.get", game="c2/base")
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        time.sleep(1.5)
        process.send_signal(getattr(signal, sent))
        assert process.wait(2) == code
        for each in idle:
            each.close()
        assert process.stdout is not None
        assert "Traceback" not in process.stdout.read()
    found = DiskStore(tmp_path / "kept").kept("matches")
    assert len(json.loads(found[kept["match"]])["studio"]["nodes"]) == 1


def deaf_page(port: int, token: str) -> socket.socket:
    """A page that has shown the token and then answers nothing, not even that the socket closes."""
    found = socket.create_connection(("127.0.0.1", port))
    host = f"127.0.0.1:{port}"
    found.sendall(
        f"GET /channel HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    hello = {"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"token": token}}
    text = json.dumps(hello).encode()
    found.sendall(bytes((0x81, 0x80 | 126)) + len(text).to_bytes(2, "big") + bytes(4) + text)
    while b'"version"' not in found.recv(1 << 16):
        pass
    return found


@pytest.mark.slow
def test_a_page_that_does_not_answer_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with started(tmp_path) as (process, port, token), deaf_page(port, token):
        process.send_signal(signal.SIGTERM)
        assert process.wait(2) == 143


@pytest.fixture(scope="module")
def slow_link(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A link to a match in which every turn takes long."""
    folder = tmp_path_factory.mktemp("slow")
    long = (
        "let n = 1\nrepeat 300 { repeat 1000 { set n = (n * 7 + 3) mod 1001 } }\n"
        "award n mod 2 to active"
    )
    for name, text in hostile_rules(step_rule("hostile.slow", long)).items():
        path = folder / "hostile" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    page = Page(folder)
    state = page.new("house/hostile")
    for _ in range(50):
        state = page.choose(state)
    return str(page.call("share.pack", match=state["match"])["text"])


@pytest.mark.slow
def test_a_link_that_takes_long_stops_no_other_page(tmp_path: Path, slow_link: str) -> None:
    with started(tmp_path) as (process, port, token):
        channel, other = Channel(port, token), Channel(port, token)
        found = channel.call("share.open", text=slow_link)
        assert (found["problem"], found["match"]["choices"]) == ("", 50)
        channel.send("share.play", text=slow_link)
        done = 0
        state = other.call("match.new", game="c2/base", seats=PEOPLE, seed="a")
        while done < 20:
            state = other.call("match.choose", match=state["match"], n=0)
            done += 1
        channel.send("work.stop", id="share.play")
        with pytest.raises(AssertionError, match="this was stopped"):
            channel.result("share.play")
        channel.send("share.play", text=slow_link)
        assert channel.call("match.kept")["matches"] != []
        process.send_signal(signal.SIGTERM)
        assert process.wait(2) == 143


@pytest.mark.slow
def test_a_saved_match_is_opened(tmp_path: Path) -> None:
    there = tw.match("c2/base", players=2, seed="v")
    there.choose(0)
    (tmp_path / "game.json").write_text(there.save(), "utf-8")
    with started(tmp_path, "game.json") as (_, port, token):
        channel = Channel(port, token)
        begin = channel.welcome["begin"]
        found = channel.call("match.state", match=begin["match"])
        assert found["digest"] == there.inside.digest()


@pytest.mark.slow
def test_a_game_is_opened(tmp_path: Path) -> None:
    with started(tmp_path, "c2/base") as (_, port, token):
        assert Channel(port, token).welcome["begin"] == {"game": "c2/base"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["no/such"], 2, "no/such"),
        (["missing.json"], 3, "missing.json"),
        (["--folder", "nowhere"], 3, "does not exist"),
        (["--port", "99999999"], 2, "--port"),
    ],
)
def test_what_cannot_be_opened_is_refused(
    words: list[str],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TILEWRIGHT_STUDIO", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    assert run(["studio", "--no-browser", *words]) == code
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TILEWRIGHT_STUDIO", str(tmp_path / "kept"))
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    port = str(taken.getsockname()[1])
    assert run(["studio", "--no-browser", "--port", port]) == 3
    assert f"port {port} cannot be used" in capsys.readouterr().err
    taken.close()


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tilewright.faces.cli.commands import studio

    monkeypatch.setattr(studio, "find_spec", lambda name: None)
    assert run(["studio"]) == 2
    assert 'pip install "tilewright[studio]"' in capsys.readouterr().err
