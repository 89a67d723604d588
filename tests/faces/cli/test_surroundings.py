"""The surroundings of a run: closed pipes, terminals of odd sizes, full disks, interrupts."""

from __future__ import annotations

import builtins
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tilewright.__main__ as entry
from support.marks import slow_unless
from support.paths import ROOT
from tilewright.faces.cli import interrupts
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.files import remove_unfinished, write_whole
from tilewright.rules.analysis.link import link_game
from tilewright.rules.reading.library import Library
from tilewright.tools.formatting import format_file
from tilewright.tools.mutation.run import Trial
from tilewright.tools.simulation import records
from tilewright.tools.workspace.processes import worker_pool

MODULE = "id: house/mine\nkind:   house\ntitle: Mine\nrequires: {base: c2/base}\n"


@pytest.fixture(autouse=True)
def plain_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TILEWRIGHT_CACHE", "")
    monkeypatch.delenv("TILEWRIGHT_DEBUG", raising=False)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
@pytest.mark.parametrize(
    "words",
    [
        ("rulesets",),
        ("simulate", "c2/base", "--games", "2"),
        pytest.param(("show", "turn", "c2/base"), marks=pytest.mark.slow),
        pytest.param(("trace", "base-city-score"), marks=pytest.mark.slow),
        pytest.param(("show", "perft", "c2/base", "--depth", "1"), marks=pytest.mark.slow),
        pytest.param(("compare", "c2/farmers", "c3/farmers"), marks=pytest.mark.slow),
    ],
)
def test_a_reader_that_goes_away_is_no_problem(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="streams close otherwise there")
def test_a_closed_input_is_an_empty_one() -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m tilewright play c2/base <&-'],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr.startswith("the match is not over") and done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="streams close otherwise there")
@pytest.mark.parametrize("words", ["--version", "show turn c2/base", "check c2/base --format json"])
def test_a_closed_output_is_no_success(words: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m tilewright {words} >&-'],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.startswith("tilewright: the system refuses access to the output")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "columns",
    slow_unless(lambda text: text in ("x", "1"), ["x", "", "0", "-5", "1", "99999999999999999999"]),
)
@pytest.mark.parametrize(
    "words",
    [
        ("show", "topic", "river"),
        pytest.param(("compare", "c2/farmers", "c3/farmers"), marks=pytest.mark.slow),
    ],
)
def test_any_number_of_columns_gives_a_page(
    columns: str,
    words: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as changed:  # whoever runs the tests asks for the columns too
        changed.setenv("COLUMNS", columns)
        assert run(words) == 0
    page = capsys.readouterr().out.splitlines()
    assert len(page) > 5
    assert max(map(len, page)) <= 1_000


def test_an_interrupt_while_the_program_loads_ends_it_with_its_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import_it = builtins.__import__

    def interrupted(name: str, *more: Any, **named: Any) -> Any:
        if name == "tilewright.faces.cli.app":
            raise KeyboardInterrupt
        return import_it(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    with pytest.raises(SystemExit) as end:
        entry.main()
    assert end.value.code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "kill"]
)
def test_a_signal_during_the_callback_of_a_weak_reference_is_not_lost(
    number: signal.Signals, code: int
) -> None:
    program = f"""
import signal, sys, time, weakref
from tilewright.faces.cli import interrupts
interrupts.handle_signals()
class Thing: pass
thing = Thing()
kept = weakref.ref(thing, lambda _: signal.raise_signal({int(number)}))
try:
    del thing
    time.sleep(50)
except KeyboardInterrupt:
    sys.exit(130)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=40
    )
    assert (done.returncode, done.stderr) == (code, "")


#: runs the program; as soon as it waits, another thread of it gets a signal
ELSEWHERE = """
import os, signal, sys, threading, time
from tilewright.__main__ import main
number = int(sys.argv.pop(1))
waiting = threading.main_thread().ident
def interrupt():
    now, before = None, ()
    while now != before:
        time.sleep(0.5)
        frame = sys._current_frames()[waiting]
        now, before = (frame.f_code, frame.f_lasti), now
    signal.pthread_kill(threading.get_ident(), number)
threading.Thread(target=interrupt, daemon=True).start()
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("words", ["play c2/base --plain --players human,greedy", "fmt -"])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "kill"]
)
def test_a_signal_that_does_not_reach_the_waiting_thread_ends_the_program_too(
    words: str, number: signal.Signals, code: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE, str(int(number)), *words.split()],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.wait(timeout=40) == code
        finally:
            process.kill()
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_signals_are_as_before_after_a_wait() -> None:
    before = signal.getsignal(signal.SIGINT), threading.active_count()
    with pytest.raises(KeyboardInterrupt), interrupts.signals_repeated():
        signal.raise_signal(signal.SIGINT)
        time.sleep(50)
    assert (signal.getsignal(signal.SIGINT), threading.active_count()) == before
    assert signal.set_wakeup_fd(-1) == -1


def test_little_is_imported_before_ctrl_c_has_its_meaning() -> None:
    program = (
        "import sys; before = {*sys.modules}; import tilewright.__main__;"
        "print(*sorted({*sys.modules} - before))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        capture_output=True,
        text=True,
        timeout=40,
    )
    found = set(done.stdout.split())
    assert "tilewright.__main__" in found and found.isdisjoint(("typing", "re", "pathlib"))
    assert not [name for name in found if name.startswith("tilewright.faces.cli")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_while_modules_are_imported_prints_nothing() -> None:
    program = """
import builtins, signal, sys
import tilewright.__main__ as entry
import_it = builtins.__import__
def slow(name, *more, **named):
    if name == "tilewright.faces.cli.app":
        signal.raise_signal(signal.SIGINT)
    return import_it(name, *more, **named)
builtins.__import__ = slow
entry.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=40
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def full(path: Path, content: str | bytes) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", str(path))


def test_a_file_that_cannot_be_written_is_not_called_laid_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "module.yaml").write_text(MODULE)
    monkeypatch.setattr(format_file, "write_whole", full)
    assert run(["fmt", str(tmp_path)]) == 3
    captured = capsys.readouterr()
    assert "laid out" not in captured.out + captured.err
    assert "no space left on device" in captured.err
    assert (tmp_path / "module.yaml").read_text() == MODULE


def test_records_that_cannot_be_written_are_unreadable_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(records, "write_whole", full)
    words = ("simulate", "c2/base", "--games", "1", "--jobs", "1", "--out", str(tmp_path / "r"))
    assert run(words) == 3
    assert "cannot be written: no space left on device" in capsys.readouterr().err


def test_records_that_are_there_already_are_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    folder = tmp_path / "r"
    words = ("simulate", "c2/base", "--games", "1", "--jobs", "1", "--out", str(folder))
    assert run(words) == 0
    assert run(words) == 2
    assert "holds records already" in capsys.readouterr().err


def test_what_a_killed_run_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    left = tmp_path / ".games-000001.parquet.0123456789ab"
    for name in (left.name, ".games-000001.parquet", ".hidden", "games.0123456789ab"):
        (tmp_path / name).write_text("x")
    remove_unfinished(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        ".games-000001.parquet",
        ".hidden",
        "games.0123456789ab",
    ]
    write_whole(tmp_path / "new", "whole")
    remove_unfinished(tmp_path)
    assert (tmp_path / "new").read_text() == "whole"


def test_a_save_removes_what_a_killed_run_left_of_it_long_ago(tmp_path: Path) -> None:
    old, new = ".s1.json.0123456789ab", ".s1.json.ba9876543210"
    others = (".s2.json.0123456789ab", ".s1.json.notours", ".s1.json")
    for name in (old, new, *others):
        (tmp_path / name).write_text("x")
        if name != new:
            os.utime(tmp_path / name, (0, 0))
    (tmp_path / ".s1.json.aaaaaaaaaaaa").mkdir()
    write_whole(tmp_path / "s1.json", "whole")
    kept = {new, *others, ".s1.json.aaaaaaaaaaaa", "s1.json"}
    assert {path.name for path in tmp_path.iterdir()} == kept


@pytest.mark.parametrize(
    ("game", "players"),
    [("c2/inns-and-cathedrals", range(2, 7)), ("c2/inns-and-cathedrals+c2/abbot", range(2, 6))],
)
def test_a_game_is_for_as_many_as_there_are_figures_for(game: str, players: range) -> None:
    found = link_game(game, {}, lambda id_: Library().load(id_, Reporter()), Reporter())
    assert found is not None and found.players == players
    assert [found.refusal(n) == "" for n in range(1, 8)] == [n in players for n in range(1, 8)]


# ------------------------------------------------------------------ folders

WRITING = [
    ("new", "house-rule", "a", "--on", "players.most", "--out", "{}"),
    ("new", "expansion", "b", "--out", "{}"),
    ("check", "c2/farmers", "--write-baseline", "{}/b.json"),
    ("show", "tile", "A", "--in", "c2/base", "--out", "{}/a.svg"),
    ("resolve", "c2/farmers", "--out", "{}/r"),
    ("compare", "c2/farmers", "c3/farmers", "--out", "{}/c.json"),
    ("compare", "--all", "--out", "{}/g", "--only", "c2-farmers", "--no-cache"),
    ("simulate", "c2/base", "--games", "1", "--jobs", "1", "--out", "{}/r.html"),
    ("simulate", "c2/base", "--games", "1", "--jobs", "1", "--plots", "{}/p"),
    ("play", "c2/base", "--players", "random,random", "--quiet", "--save", "{}/x.json"),
]


@pytest.mark.parametrize("words", WRITING, ids=[" ".join(words[:2]) for words in WRITING])
def test_a_folder_that_cannot_be_written_ends_with_a_sentence(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")  # no folder can be made in a file, not even by root
    code = run([word.format("file") for word in words])
    err = capsys.readouterr().err
    assert code in (2, 3) and err.startswith("tilewright: ")
    assert "file" in err and len(err.splitlines()) <= 2


TILE = ("show", "tile", "A", "--in", "c2/base", "--format", "svg", "--out")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no name there")
def test_a_result_is_written_into_a_pipe_and_does_not_replace_it(
    tmp_path: Path,
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        found = reader.submit(pipe.read_text)
        kept = os.open(pipe, os.O_WRONLY)  # the reader ends also when nothing is written
        code = run([*TILE, str(pipe)])
        os.close(kept)
        assert found.result(timeout=20).startswith("<svg")
    assert code == 0 and pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
@pytest.mark.parametrize(
    "words",
    [
        (*TILE, "{}"),
        ("check", "c2/farmers", "--write-baseline", "{}"),
        ("resolve", "c2/farmers", "--out", "{}/r"),
    ],
    ids=lambda words: words[0],
)
def test_a_loop_of_links_ends_with_a_sentence(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    assert run([word.format(loop) for word in words]) == 3
    err = capsys.readouterr().err
    assert err.startswith("tilewright: cannot write `") and len(err.splitlines()) == 1
    assert loop.is_symlink()


@pytest.mark.parametrize(
    "words",
    [("check", "~nobody-here/x"), ("check", "c2/farmers", "--with", "~nobody-here/x")],
)
def test_the_home_folder_of_an_unknown_user_does_not_exist(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 3
    assert "`~nobody-here/x" in (err := capsys.readouterr().err) or "~nobody-here/x`" in err
    assert "not exist" in err and "internal error" not in err


def test_a_cache_of_an_unknown_user_is_no_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILEWRIGHT_CACHE", "~nobody-here/x")
    assert run(["check", "c2/farmers"]) == 0
    assert not capsys.readouterr().err


def test_nothing_is_no_word_to_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", " "]) == 2
    assert "expected a word to explain" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="the current folder cannot be removed there")
@pytest.mark.parametrize("words", [("check",), ("new", "expansion", "b")])
def test_a_current_folder_that_is_gone_is_unreadable_input(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run(words) == 3
    assert capsys.readouterr().err == "tilewright: the current folder does not exist any more\n"


@pytest.mark.parametrize("home", [None, "", "/nonexistent"])
def test_no_home_folder_is_needed(
    home: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TILEWRIGHT_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)
    monkeypatch.setattr(Path, "home", no_home)
    assert run(["check", "c2/farmers"]) == 0
    assert capsys.readouterr().out == "no findings\n"


def no_home() -> Path:
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
def test_workers_leave_interrupts_to_the_process_that_began_them() -> None:
    with worker_pool(1, Library(), "c2/farmers", make=Trial) as pool:
        handler = pool.submit(signal.getsignal, signal.SIGINT).result()
        ending = pool.submit(signal.getsignal, signal.SIGTERM).result()
    assert (handler, ending) == (signal.SIG_IGN, signal.SIG_DFL)


@pytest.mark.parametrize("form", ["json", "github", "junit", "sarif"])
def test_results_for_programs_are_utf_8_whatever_the_terminal_has(
    tmp_path: Path, form: str
) -> None:
    folder = tmp_path / "правила🏰"
    (folder / "rules").mkdir(parents=True)
    (folder / "module.yaml").write_text("id: house/x\nkind: house\ntitle: [\n", encoding="utf-8")
    for encoding in ("cp1252", "ascii", "utf-8"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        done = subprocess.run(
            [sys.executable, "-m", "tilewright", "check", str(folder), "--format", form],
            env=environment,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 1
        name = "%D0%BF" if form == "sarif" else "правила🏰"
        assert name in done.stdout.decode("utf-8")


# ------------------------------------------------------------------ long texts on a terminal

LONG = ("compare", "c2/river", "c3/river")


def on_terminal(words: tuple[str, ...], lines: int, **more: str) -> str:
    """The output of a run on a terminal with so many lines."""
    pty = pytest.importorskip("pty")
    inner, outer = pty.openpty()
    size = {"COLUMNS": "100", "LINES": str(lines), "TERM": "xterm"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), **size, **more}
    run = [sys.executable, "-m", "tilewright", *words]
    quiet = subprocess.DEVNULL  # without progress
    process = subprocess.Popen(run, stdin=outer, stdout=outer, stderr=quiet, env=environment)
    os.close(outer)
    found = b""
    try:
        while part := os.read(inner, 65536):
            found += part
    except OSError:  # the other end is closed
        pass
    os.close(inner)
    assert process.wait(60) == 0
    return found.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("name", ["TILEWRIGHT_PAGER", "PAGER"])
def test_a_long_comparison_goes_through_the_pager(tmp_path: Path, name: str) -> None:
    file = tmp_path / "seen.txt"
    pager = f"{sys.executable} -c \"import sys; open('{file}', 'w').write(sys.stdin.read())\""
    assert on_terminal(LONG, 24, **{name: pager}) == ""
    assert "In short" in file.read_text("utf-8")
    file.unlink()
    for words, lines, times in (((*LONG, "--no-pager"), 24, 2), (LONG, 500, 1)):
        page = on_terminal(words, lines, **{name: pager})
        assert page.count("In short") == times
        assert not file.exists()


@pytest.mark.parametrize("pager", ["", "cat", "no-such-program"])
def test_without_a_pager_the_answer_is_there_again_at_the_end(pager: str) -> None:
    page = on_terminal(LONG, 24, TILEWRIGHT_PAGER=pager)
    assert page.count("In short") == 2
    assert "In short" in "".join(page.splitlines(keepends=True)[-30:])
