"""Hostile rulesets, saves and records end in diagnostics, in little memory, and change nothing."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.hostile import CORPUS, GROWING, MODULE, RUNAWAYS, chain_of_calls, write
from support.limited_runs import limited_run as tilewright
from support.marks import slow_unless
from support.paths import ROOT
from tilewright.play.faults import RuleError
from tilewright.play.new_match import start_match
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.checking.check import check
from tilewright.tools.simulation.records import RecordError, begin_records, open_records
from tilewright.tools.simulation.results import GameLabels
from tilewright.tools.simulation.run import Chunk, Plan
from tilewright.tools.simulation.tally import Tally, tally_of
from tilewright.tools.workspace.loading import load_program


def test_a_run_of_its_own_ends_as_a_forked_one_does(tmp_path: Path) -> None:
    write(CORPUS["a billion laughs"](), tmp_path / "hostile")
    words = ("check", "./hostile")
    alone = subprocess.run(
        [sys.executable, "-m", "tilewright", *words],
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    forked = tilewright(tmp_path, *words)
    assert (alone.returncode, alone.stdout) == (forked.returncode, forked.stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits need a Unix system")
def test_verbs_that_meet_something_hostile_end_with_a_code_and_leave_nothing_behind() -> None:
    script = str(ROOT / "benchmarks" / "hostile_verbs.py")
    done = subprocess.run(
        [sys.executable, script, "--few"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


#: one of each kind; `check` takes about a second over each
QUICK = (
    "a billion laughs",
    "a tag that makes objects",
    "escapes in every text",
    "pipes where files should be",
    "an id that climbs",
    "text that closes the function",
    "names of Python",
    "a definition that calls itself",
    "loops in loops in loops",
)


@pytest.mark.skipif(sys.platform == "win32", reason="limits need a Unix system")
@pytest.mark.parametrize("name", slow_unless(lambda name: name in QUICK, CORPUS))
def test_hostile_rulesets_end_in_diagnostics(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    write(CORPUS[name](), folder)
    done = tilewright(tmp_path, "check", "./hostile")
    assert done.returncode in (1, 3), done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    output = done.stdout + done.stderr
    assert "[TW" in output
    assert len(output) < 2_000_000
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hostile"], "something was run or written"


@pytest.mark.parametrize("name", RUNAWAYS)
def test_a_rule_that_runs_away_is_stopped_by_name(name: str, tmp_path: Path) -> None:
    write(CORPUS[name](), tmp_path / "house" / "hostile")
    program, reporter = load_program("house/hostile", None, Library([tmp_path]))
    assert program is not None, reporter.diagnostics
    lot = random.Random(1)
    with pytest.raises(RuleError, match=f"`{RUNAWAYS[name]}` takes too long"):
        match = start_match(program, 2, 1)
        while match.to_move >= 0:
            match.choose_number(int(lot.random() * match.count))


def test_a_choice_among_too_many_options_is_stopped_before_anybody_reads_them(
    tmp_path: Path,
) -> None:
    write(CORPUS["a choice among a million"](), tmp_path / "house" / "hostile")
    program, reporter = load_program("house/hostile", None, Library([tmp_path]))
    assert program is not None, reporter.diagnostics
    match = start_match(program, 2, 1)
    lot = random.Random(1)
    with pytest.raises(RuleError, match=r"from 100000\d options; at most 100000 are allowed"):
        while match.to_move >= 0:
            match.choose_number(int(lot.random() * match.count))


@pytest.mark.parametrize("name", GROWING)
def test_what_grows_is_stopped_in_its_rule(name: str, tmp_path: Path) -> None:
    write(CORPUS[name](), tmp_path / "house" / "hostile")
    program, reporter = load_program("house/hostile", None, Library([tmp_path]))
    assert program is not None, reporter.diagnostics
    with pytest.raises(RuleError, match=GROWING[name]) as caught:
        match = start_match(program, 2, 1)
        while match.to_move >= 0:
            match.choose_number(match.count - 1)
    assert caught.value.rule.startswith("hostile.")
    assert Path(caught.value.file).name == "all.yaml"


@pytest.mark.parametrize("count", [60, 190])
def test_calls_in_a_long_row_are_carried_out(count: int, tmp_path: Path) -> None:
    write(chain_of_calls(count), tmp_path / "house" / "hostile")
    program, reporter = load_program("house/hostile", None, Library([tmp_path]))
    assert program is not None, reporter.diagnostics
    match = start_match(program, 2, 1)
    while match.to_move >= 0:
        match.choose_number(match.count - 1)
    assert match.is_over and match.failed is None


def test_turns_without_a_choice_come_to_an_end(tmp_path: Path) -> None:
    lines = (
        "patches:",
        "  - {id: hostile.never, remove: tile.placement, why: nobody ever lays a tile}",
        "  - {id: hostile.rests, remove: turn.draw, why: none is drawn}",
        "  - {id: hostile.stays, remove: turn.nothing_to_play, why: and it goes on}",
    )
    text = "\n".join(lines)
    write({"module.yaml": MODULE, "rules/all.yaml": text}, tmp_path / "house" / "hostile")
    program, reporter = load_program("house/hostile", None, Library([tmp_path]))
    assert program is not None, reporter.diagnostics
    with pytest.raises(RuleError, match="nobody had a choice in 500 turns"):
        start_match(program, 2, 1)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("rules:\n  - {id: secret.word, hush: xyzzy}\n")
    folder = tmp_path / "hostile"
    write({"module.yaml": MODULE}, folder)
    (folder / "rules").mkdir()
    (folder / "rules" / "all.yaml").symlink_to(secret)
    done = tilewright(tmp_path, "check", "./hostile")
    assert done.returncode == 3
    assert "`rules/all.yaml` leads out of the ruleset's folder, and is not read" in done.stdout
    assert "xyzzy" not in done.stdout + done.stderr


def linked_out(root: Path) -> Path:
    """A ruleset with links that lead out of it: to a file, and to a folder."""
    folder = root / "hostile"
    write({"module.yaml": MODULE}, folder)
    other = root / "other"
    write({"xyzzy.yaml": "rules:\n    - {id: secret.word,   hush: xyzzy}\n"}, other)
    (folder / "rules").mkdir()
    (folder / "rules" / "all.yaml").symlink_to(other / "xyzzy.yaml")
    (folder / "scenarios").symlink_to(other)
    (folder / "statements.yaml").symlink_to(other / "xyzzy.yaml")
    return other / "xyzzy.yaml"


@pytest.mark.parametrize("verb", [("check",), ("fmt",), ("fmt", "--diff"), ("rulesets",)])
def test_what_lies_behind_a_link_is_not_read_listed_or_written(
    verb: tuple[str, ...], tmp_path: Path
) -> None:
    secret = linked_out(tmp_path)
    before = secret.read_text()
    words = ("--with", "./hostile") if verb == ("rulesets",) else ("./hostile",)
    done = tilewright(tmp_path, *verb, *words)
    assert "xyzzy" not in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr and done.returncode != 4
    assert secret.read_text() == before


def test_a_ruleset_whose_first_file_is_a_link_is_not_known_by_what_that_says(
    tmp_path: Path,
) -> None:
    (tmp_path / "hostile").mkdir()
    (tmp_path / "away.yaml").write_text(MODULE)
    (tmp_path / "hostile" / "module.yaml").symlink_to(tmp_path / "away.yaml")
    assert "house/hostile" not in Library([tmp_path / "hostile"]).ids()


@pytest.mark.parametrize(
    "kind", slow_unless(lambda kind: kind == "pipe", ["pipe", "circle", "huge"])
)
@pytest.mark.parametrize("place", ["module.yaml", "rules/all.yaml", "scenarios/all.yaml"])
@pytest.mark.parametrize("verb", ["check", "fmt"])
def test_what_is_no_ordinary_file_is_not_opened(
    kind: str, place: str, verb: str, tmp_path: Path
) -> None:
    folder = tmp_path / "hostile"
    write({"module.yaml": MODULE}, folder)
    file = folder / place
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "circle":
        file.symlink_to(file.name)
    else:
        with file.open("wb") as stream:
            stream.truncate(3 << 30)  # it takes no room
    done = tilewright(tmp_path, verb, "./hostile")
    assert done.returncode in (1, 3), done.stdout + done.stderr
    assert "error[TW" in done.stdout + done.stderr or "tilewright: " in done.stderr


@pytest.mark.parametrize("verb", ["replay", "why", "check --baseline"])
def test_a_pipe_in_the_place_of_a_save_or_a_baseline_is_not_opened(
    verb: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "given.json")
    words = verb.split()
    if words[0] == "check":
        words = ["check", "c2/base", "--baseline"]
    done = tilewright(tmp_path, *words, "given.json")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "not an ordinary file" in done.stdout + done.stderr


def test_a_folder_behind_a_link_is_read_when_it_is_the_one_asked_for(tmp_path: Path) -> None:
    write({"module.yaml": MODULE}, tmp_path / "there")
    (tmp_path / "here").symlink_to(tmp_path / "there")
    done = tilewright(tmp_path, "check", "./here")
    assert "leads out" not in done.stdout + done.stderr


PLAN = Plan(("c2/base",), ("x",), ("y",), ("1",), 2, ("random", "random"), 4, 2)
DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "parts",
    [
        {"chunk": 0}, {"chunk": "x"}, {"count": 10**18}, {"count": -1}, {"players": 10**9},
        {"games": 7}, {"games": ["c2/base"] * 9}, {"hashes": []}, {"bots": ["random"] * 99},
        {"seeds": ["\x1b[31m"]}, {"version": 9}, {"until": "x"}, {"more": 1},
    ],
)  # fmt: skip
def test_a_plan_of_records_that_nobody_wrote_is_refused(
    parts: dict[str, object], tmp_path: Path
) -> None:
    begin_records(tmp_path / "sound", PLAN, GameLabels(("red", "blue"), {}, ({},)))
    path = tmp_path / "sound" / "plan.json"
    data = json.loads(path.read_text())
    assert open_records(tmp_path / "sound").plan == PLAN
    for text in (json.dumps({**data, "plan": data["plan"] | parts}), DEEP, '{"plan": []}'):
        path.write_text(text)
        with pytest.raises(RecordError, match="cannot be read"):
            open_records(tmp_path / "sound")


def test_tables_with_other_columns_or_far_too_many_rows_are_refused(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    records = begin_records(tmp_path / "records", PLAN, GameLabels(("red", "blue"), {}, ({},)))
    records.put(records.pack(Chunk(0, ()), Tally(1)))
    assert records.read(0).rows == ()
    path = records.path("games", 0)
    columns = parquet.read_schema(path)
    names = (columns.names, columns.types)
    many = {name: arrow.nulls(2_000_000, kind) for name, kind in zip(*names, strict=True)}
    for table in (arrow.table({"x": [1]}), arrow.table(many, schema=columns)):
        parquet.write_table(table, path)
        with pytest.raises(RecordError, match="cannot be read"):
            records.read(0)


@pytest.mark.parametrize(
    "parts",
    [
        {"count": -1}, {"count": "2"}, {"count": 1.5}, {"count": 0}, {"count": 1},
        {"values": [{"points": {"3": 3}}]}, {"values": [{"points": {"9" * 40: 1}}]},
        {"values": [{"points": {"3": -1}}]}, {"differences": [{"points": {"1": 9}}]},
        {"faults": [[0, "x", 0]]}, {"faults": [[0, "x"]]}, {"values": []},
    ],
)  # fmt: skip
def test_a_tally_that_no_games_give_is_refused(parts: dict[str, object]) -> None:
    found = {"count": 2, "values": [{"points": {"3": 2}}], "differences": [{}], "faults": [None]}
    assert tally_of(json.dumps(found)).count == 2
    with pytest.raises(ValueError):
        tally_of(json.dumps(found | parts))


def test_a_tally_of_more_games_than_a_chunk_has_is_not_believed(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    records = begin_records(tmp_path / "records", PLAN, GameLabels(("red", "blue"), {}, ({},)))
    records.put(records.pack(Chunk(0, ()), Tally(1)))
    many = Tally(1)
    many.count = 1_000
    (tmp_path / "records" / "tally-000000.json").write_text(many.text())
    with pytest.raises(RecordError, match="cannot be read"):
        records.tally(0)


def test_a_damaged_table_of_records_is_read_or_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    records = begin_records(tmp_path / "records", PLAN, GameLabels(("red", "blue"), {}, ({},)))
    records.put(records.pack(Chunk(0, ()), Tally(1)))
    path = records.path("games", 0)
    sound, lot = path.read_bytes(), random.Random(1)
    refused = 0
    for _ in range(300):
        damaged = bytearray(sound)
        for _ in range(lot.choice((1, 4))):
            damaged[lot.randrange(len(damaged))] = lot.randrange(256)
        path.write_bytes(damaged)
        try:
            records.read(0)
        except RecordError:
            refused += 1
    assert refused > 20


ODD = (
    *("[", "]", "{", "}", ": ", "- ", "\n", "  ", "|\n", ">-\n", "*a", "&a ", "!!x ", "'", '"'),
    *("\t", "0x", "999999999999999", "\u202e", "\x00", "# ", "---\n", "? "),
)
FILES = sorted(shipped_rulesets().rglob("*.yaml"))
SLIPS = st.lists(
    st.tuples(
        st.integers(0, 4000),
        st.integers(0, 12),
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(ODD),
        ),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@examples(60)
@given(file=st.sampled_from(FILES), slips=SLIPS)
def test_shipped_files_with_slips_give_diagnostics_at_most(
    file: Path, slips: list[tuple[int, int, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = file.relative_to(shipped_rulesets())
    base = tmp_path_factory.mktemp("slips")
    folder = base / place.parts[0] / place.parts[1]
    source = shipped_rulesets() / place.parts[0] / place.parts[1]
    for other in sorted(source.rglob("*.yaml")):
        target = folder / other.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = other.read_text("utf-8")
        if other == file:
            for at, long, put in slips:
                at %= len(text)
                text = text[:at] + put + text[at + long :]
        target.write_bytes(text.encode("utf-8", "surrogatepass"))
    library = Library([base, shipped_rulesets()], shipped=False)
    check(library, ["/".join(place.parts[:2])])
