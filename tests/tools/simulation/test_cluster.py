"""A cluster gives what one process gives: with real schedulers and workers, some of them killed."""

from __future__ import annotations

import io
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from support.dask_processes import Processes, processes
from support.paths import TABLE
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.language.source import about
from tilewright.rules.reading.library import Library
from tilewright.tools.simulation import cluster_worker
from tilewright.tools.simulation.cluster import Cluster, Line
from tilewright.tools.simulation.records import begin_records
from tilewright.tools.simulation.results import as_json, findings, words_of
from tilewright.tools.simulation.run import (
    Plan,
    PlanPrograms,
    PlayedChunk,
    Simulation,
    chunk_for,
    make_plan,
    simulate,
)
from tilewright.tools.simulation.tally import Tally

distributed = pytest.importorskip(
    "distributed", reason="distributed is not installed: pip install tilewright[cluster]"
)
pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install tilewright[records]")

dask = pytest.importorskip("dask")

#: a house rule that no worker has
OWN = """# rules/trial.yaml
patches:
  - {id: trial.rich, set: town.points, to: 5, why: towns are worth more}
measures:
  trial.paid: {label: paid for, says: how often something is paid for, on: paid(x), value: 1}
"""
#: another one, which some games do not survive
TORN = """# rules/trial.yaml
rules:
  - {id: trial.torn, on: paid(x), do: draw drawn from pile}
"""
GAMES = ("trial/table", "trial/table+trial/first")
OnChunk = Callable[[Simulation], None]


@dataclass(frozen=True)
class Case:
    """A plan, and what one process makes of it."""

    library: Library
    plan: Plan
    folder: Path
    wanted: str
    files: dict[str, bytes]

    def played(
        self, out: Path, cluster: Cluster | None, on_chunk: OnChunk = lambda found: None
    ) -> str:
        """The results of the plan on a cluster as JSON, with records in a folder."""
        found = self.simulated(out, cluster, on_chunk)
        assert found.lost is None, found.lost
        return self.result_text(found)

    def simulated(
        self, out: Path, cluster: Cluster | None, on_chunk: OnChunk = lambda found: None
    ) -> Simulation:
        bench = PlanPrograms(self.plan, self.library, keep=True)
        bench.prepare()
        words = words_of([program.game for program in bench.programs])
        records = begin_records(out, self.plan, words, is_resumed=True)
        crew = None if cluster is None else cluster.crew(bench)
        return simulate(bench, store=records, crew=crew, on_chunk=on_chunk)

    def result_text(self, found: Simulation) -> str:
        bench = PlanPrograms(self.plan, self.library)
        bench.prepare()
        return as_json(findings(found, words_of([program.game for program in bench.programs])))


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("case")
    library, _ = library_of(OWN, folder / "rules")
    plan = make_plan(library, GAMES, count=300, chunk=10)
    assert isinstance(plan, Plan), plan
    case = Case(library, plan, folder, "", {})
    wanted = case.played(folder / "alone", None)
    return Case(library, plan, folder, wanted, files_in(folder / "alone"))


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    with processes(tmp_path_factory.mktemp("grid")) as grid:
        grid.start()
        grid.worker()
        grid.wait_for_workers(1)
        yield grid


def when(chunk: int, act: Callable[[], object]) -> OnChunk:
    """Do something once, as soon as so many chunks are there."""
    done: list[int] = []

    def listen(found: Simulation) -> None:
        if found.chunks >= chunk and not done:
            done.append(chunk)
            act()

    return listen


# ------------------------------------------------------------------ the same answer


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(case: Case, grid: Processes, tmp_path: Path) -> None:
    second = grid.worker()
    grid.wait_for_workers(2)
    kill = when(10, lambda: grid.kill(second))
    cluster = Cluster(str(grid.file))
    assert case.played(tmp_path / "out", cluster, kill) == case.wanted
    assert files_in(tmp_path / "out") == case.files


@pytest.mark.slow
def test_a_killed_scheduler_changes_nothing_when_another_takes_its_place(
    case: Case, tmp_path: Path
) -> None:
    with processes(tmp_path) as grid:
        grid.start()
        grid.worker()

        def replace() -> None:
            grid.start(port=grid.kill_scheduler())
            grid.worker()

        cluster = Cluster(grid.address)
        assert case.played(tmp_path / "out", cluster, when(5, replace)) == case.wanted
        assert files_in(tmp_path / "out") == case.files


@pytest.mark.slow
def test_who_loses_the_scheduler_keeps_what_is_there_and_goes_on_elsewhere(
    case: Case, tmp_path: Path
) -> None:
    with processes(tmp_path) as grid:
        # the first chunk that a killed worker had is asked for by us, not by the scheduler
        grid.start(allowed_failures=0)
        first, _ = grid.worker(), grid.worker()
        grid.wait_for_workers(2)

        def listen(found: Simulation) -> None:
            when_killed(found)
            when_lost(found)

        when_killed = when(3, lambda: grid.kill(first))
        when_lost = when(12, grid.kill_scheduler)
        found = case.simulated(tmp_path / "out", Cluster(grid.address, patience=4), listen)
    assert found.is_cut_short
    assert f"no scheduler answers at {grid.address} within 4 s" in str(found.lost)
    assert 12 <= found.chunks < case.plan.chunks
    assert found.tally.count == found.chunks * case.plan.chunk
    assert case.played(tmp_path / "out", None) == case.wanted
    assert files_in(tmp_path / "out") == case.files


@pytest.mark.slow
def test_two_who_ask_for_the_same_get_the_same(case: Case, grid: Processes, tmp_path: Path) -> None:
    cluster = Cluster(grid.address)
    with ThreadPoolExecutor() as pool:
        both = [pool.submit(case.played, tmp_path / name, cluster) for name in ("a", "b")]
        assert [each.result() for each in both] == [case.wanted] * 2
    assert files_in(tmp_path / "a") == files_in(tmp_path / "b") == case.files


def test_what_comes_twice_or_unasked_counts_once() -> None:
    numbers = [2, 3, 5, 7]
    comes = [PlayedChunk(number, Tally(1), {}) for number in numbers * 3 + [4]]
    random.Random(1).shuffle(comes)
    line, found = Line(numbers), list[int]()
    for done in comes:
        line.take(done)
        found += [ready.number for ready in line.ready()]
    assert found == numbers
    assert not line.here


@pytest.mark.slow
def test_it_stops_at_the_same_place(case: Case, grid: Processes) -> None:
    plan = make_plan(case.library, GAMES, count=400, chunk=10, until=1.0)
    assert isinstance(plan, Plan)
    cluster = Cluster(grid.address)
    bench = PlanPrograms(plan, case.library)
    there, here = simulate(bench, crew=cluster.crew(bench)), simulate(bench)
    assert there.has_stopped
    assert case.result_text(there) == case.result_text(here)


@pytest.mark.slow
def test_games_that_cannot_go_on_are_told_as_at_home(grid: Processes, tmp_path: Path) -> None:
    library, _ = library_of(TORN, tmp_path)
    plan = make_plan(library, GAMES[1:], count=60, chunk=10)
    assert isinstance(plan, Plan), plan
    bench = PlanPrograms(plan, library)
    there = simulate(bench, crew=Cluster(grid.address).crew(bench)).tally
    here = simulate(bench).tally
    assert here.faults[0] is not None
    assert there.faults == here.faults
    assert there.values == here.values


@pytest.mark.slow
def test_whole_chunks_are_told_when_somebody_interrupts(
    case: Case, grid: Processes, tmp_path: Path
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    cluster = Cluster(grid.address)
    found = case.simulated(tmp_path / "out", cluster, when(4, interrupt))
    assert (found.is_cut_short, found.lost, found.chunks) == (True, None, 4)
    assert case.played(tmp_path / "out", cluster) == case.wanted
    assert files_in(tmp_path / "out") == case.files


@pytest.mark.slow
def test_few_chunks_are_asked_for_at_a_time(
    case: Case, grid: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []
    submit = distributed.Client.submit

    def counted(self: object, *given: object, key: str, **more: object) -> object:
        texts.append(key)
        return submit(self, *given, key=key, **more)

    monkeypatch.setattr(distributed.Client, "submit", counted)
    ahead: list[int] = []
    listen: OnChunk = lambda found: ahead.append(len(texts) - found.chunks)  # noqa: E731
    case.played(tmp_path / "out", Cluster(grid.address), listen)
    assert len(set(texts)) == case.plan.chunks + 1  # and the games
    assert max(ahead) <= 8


def test_a_plan_of_a_billion_games_has_no_more_than_a_hundred_thousand_chunks() -> None:
    assert [chunk_for(count) for count in (100, 50_000, 10**8, 10**9)] == [10, 1000, 1000, 10_000]


# ------------------------------------------------------------------ refused workers


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(
    case: Case, grid: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(about, "VERSION", "9.9")
    found = case.simulated(tmp_path / "out", Cluster(grid.address))
    assert (found.chunks, found.is_cut_short) == (0, True)
    assert "has tilewright 0.1.0, and this is 9.9" in str(found.lost)


@pytest.mark.slow
def test_a_worker_of_other_code_is_refused(
    case: Case, grid: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_worker, "program_text", lambda: "other")
    found = case.simulated(tmp_path / "out", Cluster(grid.address))
    assert "has tilewright 0.1.0 with other code than this one" in str(found.lost)


@pytest.mark.slow
def test_a_worker_whose_games_are_others_is_refused(case: Case, grid: Processes) -> None:
    plan = replace(case.plan, hashes=(case.plan.hashes[0], "0" * 32))
    bench = PlanPrograms(plan, case.library)
    found = simulate(bench, crew=Cluster(grid.address).crew(bench))
    assert f"links `{GAMES[1]}` to another game: {case.plan.hashes[1]}" in str(found.lost)


@pytest.mark.slow
def test_a_worker_without_the_package_says_so_and_a_scheduler_needs_none(
    case: Case, tmp_path: Path
) -> None:
    (tmp_path / "path" / "tilewright").mkdir(parents=True)
    (tmp_path / "path" / "tilewright" / "__init__.py").write_text("")
    with processes(tmp_path) as grid:
        grid.start(path=[tmp_path / "path"])
        bare = grid.worker(path=[tmp_path / "path"])
        found = case.simulated(tmp_path / "out", Cluster(grid.address))
        assert "no module named 'tilewright.tools'" in str(found.lost)
        grid.kill(bare)
        grid.worker()
        assert case.played(tmp_path / "out", Cluster(grid.address)) == case.wanted


# ------------------------------------------------------------------ on the command line


WORDS = ["simulate", str(TABLE), "--games", "40", "--chunk", "8", "--format", "json"]


@pytest.fixture(scope="module")
def alone() -> str:
    with redirect_stdout(io.StringIO()) as output:
        assert run([*WORDS, "--jobs", "1"]) == 0
    return output.getvalue()


@pytest.mark.slow
def test_a_cluster_is_made_here_on_request(alone: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*WORDS, "--scheduler", "local", "--jobs", "1"]) == 0
    assert capfd.readouterr() == (alone, "")


@pytest.mark.slow
def test_a_scheduler_is_found_by_its_file(
    alone: str, grid: Processes, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*WORDS, "--scheduler", str(grid.file)]) == 0
    assert capfd.readouterr() == (alone, "")


@pytest.mark.slow
def test_nobody_listens_in_where_there_are_certificates(
    alone: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is missing, which makes the certificates")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += ["-nodes", "-days", "2", "-subj", "/CN=grid", "-keyout", str(key)]
    subprocess.run([*made, "-out", str(certificate)], check=True, capture_output=True)
    names = {"ca-file": certificate, "cert": certificate, "key": key}
    words = [word for name, file in names.items() for word in (f"--tls-{name}", str(file))]
    settings = {"ca-file": certificate, "client.cert": certificate, "client.key": key}
    with processes(tmp_path) as grid:
        grid.start("--protocol", "tls", *words)
        grid.worker(*words)
        assert grid.address.startswith("tls://")
        assert run([*WORDS, "--scheduler", grid.address]) == 3
        assert "certificates for tls://" in capfd.readouterr().err
        with dask.config.set({f"distributed.comm.tls.{x}": str(y) for x, y in settings.items()}):
            assert run([*WORDS, "--scheduler", grid.address]) == 0
        assert capfd.readouterr().out == alone


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["nowhere"], 2, "`nowhere` is not an address of a scheduler"),
        (["ftp://host:1"], 2, "`ftp://host:1` is not an address of a scheduler"),
        (["tcp://host:1", "--jobs", "2"], 2, "`--jobs` sets the processes of this computer"),
        (["127.0.0.1:1"], 3, "no scheduler answers at 127.0.0.1:1 within 0 s"),
        (["none.json"], 3, "no scheduler answers at none.json within 0 s\n  no such file"),
    ],
)
def test_what_is_no_scheduler_is_told(
    words: list[str], code: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*WORDS, "--scheduler-timeout", "0", "--scheduler", *words]) == code
    out, err = capsys.readouterr()
    assert expected in err
    assert out == ""


@pytest.mark.slow
def test_a_file_that_is_not_written_yet_is_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text('{"address": "tcp://')
    assert run([*WORDS, "--scheduler-timeout", "0", "--scheduler", str(file)]) == 3
    assert "within 0 s\n  its file is not JSON, or not yet complete" in capsys.readouterr().err
    file.write_text("{}")
    assert run([*WORDS, "--scheduler-timeout", "0", "--scheduler", str(file)]) == 3
    assert "does not answer: its file names no `address`" in capsys.readouterr().err


def test_the_extra_is_named_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run([*WORDS, "--scheduler", "local"]) == 2
    assert "pip install 'tilewright[cluster]'" in capsys.readouterr().err
