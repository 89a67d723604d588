"""Many games: one answer however they are played, honest intervals, measures declared in data."""

from __future__ import annotations

import io
import json
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from support.pages import read
from support.paths import TABLE
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.faces.cli.views.page import print_page
from tilewright.language.locale.words import Words
from tilewright.play.common_draws import deal
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.reading.library import Library
from tilewright.tools.reports.simulation_page import as_page, compose, letters, titled
from tilewright.tools.simulation.game import Played, play_game
from tilewright.tools.simulation.records import begin_records
from tilewright.tools.simulation.results import (
    REPORTED,
    Findings,
    as_json,
    conclusion,
    findings,
    telling,
    words_of,
)
from tilewright.tools.simulation.run import (
    LOOK,
    Chunk,
    Plan,
    PlanPrograms,
    Simulation,
    gathered,
    make_plan,
    simulate,
)
from tilewright.tools.simulation.sentences import clause, nothing_found, sentence
from tilewright.tools.simulation.statistics import (
    Summary,
    corrected,
    student_quantile,
    student_tail,
    summary,
)
from tilewright.tools.simulation.tally import Tally, quantiles, tally_of
from tilewright.tools.workspace.loading import load_game, load_program
from tilewright.view.plots import Whisker, difference_plot, spread_plot

RICH = """# rules/trial.yaml
patches:
  - {id: trial.rich, set: town.points, to: 5, why: towns are worth more}
measures:
  trial.paid: {label: paid for, says: how often something is paid for, on: paid(x), value: 1}
  trial.large: {label: large, says: large sizes, on: paid(x), when: x.size > 2, value: x.size}
  trial.turns: {label: turns, says: how many turns there are, on: turn, value: 1}
  trial.points: {label: all points, says: points at the end, value: "sum p in players: p.points"}
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return library_of(RICH, tmp_path)[0]


def planned(library: Library, *games: str, **more: Any) -> Plan:
    found = make_plan(library, games, **more)
    assert isinstance(found, Plan), found
    return found


def found_in(library: Library, plan: Plan, jobs: int = 1) -> Findings:
    bench = PlanPrograms(plan, library)
    simulation = simulate(bench, jobs=jobs)
    bench.prepare()
    return findings(simulation, words_of([program.game for program in bench.programs]))


# ------------------------------------------------------------------ the same answer


def test_the_answer_is_the_same_for_any_number_of_processes(library: Library) -> None:
    plan = planned(library, "trial/table", "trial/table+trial/first", count=65)
    found = {jobs: as_json(found_in(library, plan, jobs)) for jobs in (1, 2, 3)}
    assert found[1] == found[2] == found[3]


def test_a_bench_can_go_to_a_process_that_begins_anew(library: Library) -> None:
    bench = PlanPrograms(planned(library, "trial/table+trial/first", count=10), library)
    bench.prepare()
    assert pickle.loads(pickle.dumps(bench)).play(0) == bench.play(0)


def test_when_enough_is_known_is_the_same_for_any_number_of_processes(library: Library) -> None:
    plan = planned(library, "trial/table+trial/first", count=1000, until=1.0)
    found = [found_in(library, plan, jobs) for jobs in (1, 3)]
    assert found[0].simulation.has_stopped
    assert found[0].simulation.tally.count < plan.count
    assert as_json(found[0]) == as_json(found[1])
    points = found[0].lines[0]
    assert points.measure.id == "points"
    assert points.values[0].summary.half_width <= 1.0


def test_a_game_is_the_same_beside_others_as_alone(library: Library) -> None:
    alone = planned(library, "trial/table", count=30)
    beside = planned(library, "trial/table", "trial/table+trial/first", count=30)
    one, two = (found_in(library, plan).simulation.tally for plan in (alone, beside))
    assert one.values[0] == two.values[0]


def test_whole_chunks_are_told_when_somebody_interrupts(library: Library) -> None:
    plan = planned(library, "trial/table", count=100)

    def interrupt(found: Simulation) -> None:
        if found.chunks == 2:
            raise KeyboardInterrupt

    found = simulate(PlanPrograms(plan, library), jobs=2, on_chunk=interrupt)
    assert found.is_cut_short
    assert found.tally.count == 2 * plan.chunk


def test_tallies_are_merged_in_any_order() -> None:
    program, _ = load_program("c2/base")
    assert program is not None
    rows = [(play_game(program, 2, ("random", "random"), "1", n),) for n in range(4)]
    whole, first, last = Tally(1), Tally(1), Tally(1)
    for row in rows:
        whole.add(row)
    for tally, part in ((first, rows[:1]), (last, rows[1:])):
        for row in part:
            tally.add(row)
    last.merge(first)
    assert last.values == whole.values
    assert last.count == 4
    assert tally_of(last.text()).text() == whole.text()


# ------------------------------------------------------------------ the same luck


def drawn_in(program: Program, seed: str, only: frozenset[str]) -> list[str]:
    pieces: list[str] = []

    def hear(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "draw":
            pieces.append(match.program.game.pieces[facts[1]].id)

    def prepared(match: Match) -> None:
        deal(match, seed)
        match.listeners = (hear,)

    match = start_match(program, 2, seed, prepared=prepared)
    while match.to_move >= 0:
        match.choose_number(0)
    return [piece for piece in pieces if piece in only]


def test_pieces_that_two_games_share_come_in_the_same_order() -> None:
    small, _ = load_program("c2/base")
    large, _ = load_program("c2/base+c2/inns-and-cathedrals")
    assert small is not None
    assert large is not None
    shared = frozenset(small.piece_number)
    first = drawn_in(small, "x", shared)
    assert len(first) > 50
    assert first == drawn_in(large, "x", shared)[: len(first)]
    assert first != drawn_in(small, "y", shared)


def test_a_game_set_against_itself_differs_in_nothing(library: Library) -> None:
    plan = planned(library, "trial/table", "trial/table", count=40)
    differences = found_in(library, plan).differences
    for each in differences:
        assert each.summary == Summary(40, 0.0, 0.0)
        assert not each.is_found
    assert nothing_found(differences, 40, Words()) == "no difference: all 40 games went the same"


def test_bots_go_round_the_seats() -> None:
    program, _ = load_program("c2/base")
    assert program is not None
    for number, seat in ((0, 0), (1, 1)):
        played = play_game(program, 2, ("greedy", "random"), "1", number).measures
        assert played["bot.greedy.points"] == played[f"seat.{seat}.points"]


# ------------------------------------------------------------------ how sure


def test_a_game_against_itself_under_two_seeds_raises_few_false_alarms(library: Library) -> None:
    text, alarms = "trial/table+trial/first", 0
    plan = planned(library, text, text, count=20)
    bench = PlanPrograms(plan, library)
    bench.prepare()
    words = words_of([program.game for program in bench.programs])
    for number in range(120):
        bench.plan = replace(plan, seeds=(f"a{number}", f"b{number}"))
        found = findings(simulate(bench), words)
        alarms += any(each.is_found for each in found.differences)
    assert alarms <= 0.05 * 120


class Drawn:
    """Chunks of games that were never played: points by lot, the same for both games."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.rng = random.Random(seed)

    def has(self, chunk: int) -> bool:
        return True

    def tally(self, chunk: int) -> Tally:
        rows = [
            tuple(Played(number, {"points": self.rng.randint(0, 60)}) for _ in self.plan.games)
            for number in self.plan.numbers(chunk)
        ]
        return Chunk(chunk, tuple(rows)).tally()

    def pack(self, chunk: Chunk, tally: Tally) -> dict[str, bytes]:
        raise AssertionError

    def put(self, files: Mapping[str, bytes]) -> None:
        raise AssertionError


def test_who_stops_when_enough_is_known_is_as_sure_as_the_interval_says() -> None:
    games, seeds = ("one", "other"), ("1", "2")
    none = ("", "")
    plan = Plan(games, none, none, seeds, 2, ("random", "random"), 500, 10, until=2.0)
    points = differences = looks = 0
    for run_ in range(240):
        found = gathered(plan, Drawn(plan, run_))
        assert found.has_stopped
        looks += found.chunks // LOOK
        mean = found.tally.summary(0, "points", 2)
        points += abs(mean.mean - 15) <= mean.half_width
        differences += found.tally.difference(1, "points", 2).p_value >= 0.05
    assert looks > 2 * 240  # there was more than one look, or nothing is shown
    # 228 are to be expected, and fewer than this once in a thousand times
    assert min(points, differences) >= 217


def test_a_rule_that_makes_a_difference_is_found_and_told(library: Library) -> None:
    plan = planned(library, "trial/table", "trial/table+trial/first", count=100)
    found = found_in(library, plan)
    points = next(each for each in found.differences if each.measure.id == "points")
    assert points.is_found
    text = sentence(points, found.names, Words())
    assert text.startswith("with trial/first, a player ends with ")
    assert " more points than without it, 95% between" in text
    assert "  " not in text
    declared = next(line for line in found.lines if line.measure.id == "declared.trial.paid")
    assert declared.values[0] is None
    assert all(each.measure.group != "declared" for each in found.differences)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_quantiles_are_those_of_the_printed_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(freedom) == pytest.approx(quantile, abs=5e-4)
    assert student_tail(quantile, freedom) == pytest.approx(0.05, abs=1e-4)


def test_doubts_are_corrected_for_how_many_there_are() -> None:
    assert corrected([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert corrected([0.5, 0.9]) == [1.0, 1.0]


def test_a_spread_counts_what_is_not_there_as_nought() -> None:
    found = summary({2: 1, 4: 1}, 4, over=2)
    assert found.mean == 0.75
    assert found.deviation == pytest.approx(0.957427, abs=1e-6)
    assert summary({}, 0).mean == 0


def test_so_few_games_tell_nothing() -> None:
    assert summary({3: 5}, 5).p_value == 1.0
    assert summary({3: 10}, 10).p_value == 0.0


def test_quantiles_are_values_that_occurred() -> None:
    assert quantiles({1: 50, 7: 45, 9: 5}) == (1, 1, 1, 1, 7, 7, 9)


# ------------------------------------------------------------------ measures


def test_rulesets_declare_what_is_measured(library: Library) -> None:
    game, _ = load_game("trial/table+trial/first", {}, library)
    assert game is not None
    program = compile_game(game, measures=True)
    for number in range(20):
        found = play_game(program, 2, ("random", "random"), "m", number).measures
        assert found["declared.trial.turns"] == found["turns"]
        assert found["declared.trial.points"] == found["points"]
        assert found["declared.trial.large"] <= found["points"]
        assert (found["declared.trial.paid"] > 0) or not found["points"]
        assert found["points"] == sum(n for k, n in found.items() if k.startswith("rule."))


def test_measures_decide_nothing(tmp_path: Path) -> None:
    without = RICH[: RICH.index("measures:")]
    hashes = []
    for name, text in (("with", RICH), ("without", without)):
        library, _ = library_of(text, tmp_path / name)
        game, _ = load_game("trial/table+trial/first", {}, library)
        assert game is not None
        hashes.append(game.hash)
    assert hashes[0] == hashes[1]


def test_nothing_is_told_of_measures_in_ordinary_play(library: Library) -> None:
    game, _ = load_game("trial/table+trial/first", {}, library)
    assert game is not None
    assert not compile_game(game).measured
    assert compile_game(game, measures=True).measured == {"paid", "turn", ""}


def test_rules_are_counted_on_request(library: Library) -> None:
    plan = planned(library, "trial/table", count=10, counts_rules=True)
    tally = found_in(library, plan).simulation.tally
    turns, drawn = tally.summary(0, "turns").mean, tally.summary(0, "fired.table.draw").mean
    assert turns == drawn


@pytest.mark.parametrize("text", ["trial/table", "c2/base"])
def test_rules_of_the_setup_are_counted_in_every_game(library: Library, text: str) -> None:
    library = library if text.startswith("trial/") else Library()
    game, _ = load_game(text, {}, library)
    assert game is not None
    rules = [rule.id for step in game.phase("setup") for rule in step.rules if rule.when is None]
    tally = found_in(library, planned(library, text, count=5, counts_rules=True)).simulation.tally
    assert rules
    assert [tally.histogram(0, f"fired.{rule}") for rule in rules] == [{1: 5}] * len(rules)


# ------------------------------------------------------------------ on the command line


def test_simulate_tells_what_a_game_is_like(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del library
    table = str(TABLE)
    first = str(tmp_path / "trial" / "first")
    words = ["simulate", table, f"{table}+{first}", "--games", "100", "--jobs", "1"]
    assert run(words) == 0
    output = capsys.readouterr().out
    assert output.startswith("100 games each of 2 players (random), seed 1\n")
    assert "Significant differences" in output
    assert "with trial/first, compared with the game without it:\n    a player ends with" in output
    assert run([*words, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 100
    assert data["plan"]["games"] == ["trial/table", "trial/table+trial/first"]


def test_nine_games_are_told_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    table = str(TABLE)
    assert run(["simulate", *[table] * 9, "--games", "2", "--jobs", "1"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in output[1:10]] == list("ABCDEFGHI")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--bots", "random,random,random"], "this game is for 2 players, not for 3"),
        (["--players", "2", "--bots", "clever"], "or `mcts:2s`, not `clever`"),
        (["--seed", "1", "--seed", "2"], "expected one seed, or one for each of 1 games, found 2"),
        (["--bots", "mcts:1s"], "`mcts:1s` depends on the clock"),
        (["--games", "2000000", "--chunk", "1"], "there would be 2,000,000 chunks"),
        (["--until-ci", "0"], "`--until-ci` must be a number above 0"),
    ],
)
def test_wrong_use_is_told(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(TABLE)
    assert run(["simulate", table, *words]) == 2
    assert expected in capsys.readouterr().err


def on_a_terminal(found: Findings) -> str:
    out = io.StringIO()
    print_page(compose(found), Console(file=out, width=300), Words(), letters(found))
    return " ".join(out.getvalue().split())


def in_a_page(found: Findings) -> str:
    return " ".join(read(as_page(found)).full_text().split())


def test_a_page_and_a_terminal_have_the_same_differences_and_numbers(library: Library) -> None:
    found = found_in(library, planned(library, "trial/table", "trial/table+trial/first", count=100))
    found = telling(found)
    sure = [each for each in found.differences if each.is_found]
    assert sure
    for text in (on_a_terminal(found), in_a_page(found)):
        reported = [each for each in sure if each.measure.group in REPORTED]
        assert all(clause(each, Words()) in text for each in reported)
        assert f"in {len(found.differences) - len(sure)} other measures 100 games" in text.lower()
        assert all(line.measure.name in text for line in found.lines)
        assert conclusion(found) in " ".join(text.split())
        assert "By seat" in text and found.simulation.plan.hash in text


def test_points_of_seats_are_left_out_where_they_only_repeat_those_of_every_player(
    library: Library,
) -> None:
    found = found_in(library, planned(library, "trial/table", "trial/table+trial/first", count=100))
    shown = {line.measure.id for line in telling(found).lines}
    usual = next(line for line in found.lines if line.measure.id == "points")
    means = [value.summary.mean for value in usual.values if value is not None]
    for line in found.lines:
        is_of_seat = line.measure.group == "seat" and not line.measure.is_share
        holds_mean = [
            value is None or value.interval.low <= mean <= value.interval.high
            for value, mean in zip(line.values, means, strict=True)
        ]
        assert (line.measure.id not in shown) is (is_of_seat and all(holds_mean))


def test_one_game_has_a_conclusion_with_its_interval(library: Library) -> None:
    found = found_in(library, planned(library, "trial/table", count=40))
    said = conclusion(found)
    assert re.fullmatch(
        r"A player ends with \S+ points on average, 95% between \S+ and \S+\.", said
    )
    assert said in " ".join(on_a_terminal(found).split())


def test_games_with_two_seeds_are_not_said_to_have_the_same_luck(library: Library) -> None:
    game = "trial/table"
    for seeds, is_said in ((("1",), True), (("1", "2"), False)):
        found = found_in(library, planned(library, game, game, count=10, seeds=seeds))
        for text in (on_a_terminal(found), in_a_page(found)):
            assert ("with the same luck" in text) is is_said


def test_a_page_names_the_games_that_could_not_be_finished(library: Library) -> None:
    found = found_in(library, planned(library, "trial/table", count=10))
    found.simulation.tally.faults[0] = (7, "the rules go round in a circle", 2)
    assert "the first is number 7: the rules go round in a circle" in in_a_page(found)


# ------------------------------------------------------------------ records


def words_for(folder: Path, out: Path) -> list[str]:
    table = str(TABLE)
    both = [table, f"{table}+{folder / 'trial' / 'first'}"]
    more = ["--games", "40", "--jobs", "2", "--rules", "--format", "json"]
    return ["simulate", *both, *more, "--out", str(out)]


def test_a_run_that_was_killed_is_gone_on_with(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    del library
    out = tmp_path / "records"
    words = words_for(tmp_path, out)
    assert run(words) == 0
    whole = capsys.readouterr().out
    kept = (out / "games-000000.parquet").read_bytes()
    for lost in ("games-000001", "games-000003", "scorings-000003"):
        (out / f"{lost}.parquet").unlink()
    (out / "tally-000000.json").write_text("{}")  # the tally is counted again from the tables
    (out / "tally-000002.json").unlink()
    assert run(["simulate", "--from", str(out), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 10
    assert run([*words, "--resume"]) == 0
    assert capsys.readouterr().out == whole
    assert (out / "games-000000.parquet").read_bytes() == kept
    assert run(["simulate", "--from", str(out), "--format", "json"]) == 0
    assert capsys.readouterr().out == whole


@pytest.mark.skipif(sys.platform == "win32", reason="no process is killed like this there")
def test_who_kills_a_run_leaves_no_process_behind() -> None:
    code = (
        "import time\n"
        "from tilewright.rules.reading.library import Library\n"
        "from tilewright.tools.simulation.run import make_plan\n"
        "from tilewright.tools.simulation.run import PlanPrograms, simulate\n"
        "library = Library()\n"
        "plan = make_plan(library, ('c2/base',), count=40)\n"
        "told = lambda found: (print('a chunk', flush=True), time.sleep(60))\n"
        "simulate(PlanPrograms(plan, library), jobs=2, on_chunk=told)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"a chunk\n"
        process.kill()
        # the output ends only when nobody holds it any more
        process.communicate(timeout=20)


def test_records_of_another_plan_are_left_alone(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    del library
    words = words_for(tmp_path, tmp_path / "records")
    assert run(words) == 0
    assert run(words) == 2
    assert "holds records already" in capsys.readouterr().err
    assert run([*words, "--resume", "--seed", "2"]) == 2
    assert "the records of another plan: `seeds` differ" in capsys.readouterr().err


def test_a_row_says_what_came_of_a_game(library: Library, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    plan = planned(library, "trial/table+trial/first", count=10)
    bench = PlanPrograms(plan, library, keep=True)
    bench.prepare()
    words = words_of([program.game for program in bench.programs])
    records = begin_records(tmp_path / "records", plan, words)
    simulate(bench, store=records)
    assert records.read(0).rows == bench.play(0).rows
    assert records.tally(0).values == records.read(0).tally().values == bench.play(0).tally().values


def test_a_folder_without_records_is_no_folder_of_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    assert run(["simulate", "--from", str(tmp_path)]) == 3
    assert "cannot be read: no such file or directory" in capsys.readouterr().err


# ------------------------------------------------------------------ pictures


def test_a_page_has_all_it_needs_in_itself(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del library
    words = words_for(tmp_path, tmp_path)[:5]
    page, folder = tmp_path / "page.html", tmp_path / "plots"
    assert run([*words, "--out", str(page), "--plots", str(folder)]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said == [f"html written to {page}", f"4 charts written to {folder}"]
    output = page.read_text("utf-8")
    assert ">What differs</h2>" in output
    assert "http" not in output.replace("http://www.w3.org/2000/svg", "")
    pictures = sorted(path.stem for path in folder.iterdir())
    assert pictures == ["differences-1", "points", "sources", "turn"]
    for path in folder.iterdir():
        drawing = ElementTree.fromstring(path.read_text("utf-8"))
        assert drawing.find("{http://www.w3.org/2000/svg}title") is not None
        assert path.read_text("utf-8").rstrip() in output


def test_pictures_may_be_png(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resvg_py")
    table = str(TABLE)
    folder = tmp_path / "plots"
    words = ["simulate", table, "--games", "10", "--jobs", "1", "--plots", str(folder)]
    assert run([*words, "--plots-format", "png"]) == 0
    pictures = sorted(path.name for path in folder.iterdir())
    assert pictures == ["points.png", "sources.png", "turn.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.iterdir())
    capsys.readouterr()


def test_who_cannot_draw_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    table = str(TABLE)
    words = ["simulate", table, "--plots", str(tmp_path / "plots"), "--plots-format"]
    assert run([*words, "png"]) == 2
    captured = capsys.readouterr()
    assert "png pictures need the extra `png`" in captured.err
    assert not captured.out
    assert run([*words, "gif"]) == 2
    assert "`gif`" in capsys.readouterr().err


def test_a_curve_is_as_high_as_its_share() -> None:
    drawn = spread_plot([("one", {1: 3, 2: 1})], "x", Words())
    assert 'points="46.0,240.0 46.0,40.0 257.0,40.0 257.0,173.3 468.0,173.3 468.0,240.0"' in drawn


def test_a_difference_that_lies_far_out_pushes_no_other_together() -> None:
    rows = [Whisker("far", "+9", 9.0, 8.9, 9.1, True), Whisker("near", "+1", 1.0, 0.9, 1.1, False)]
    drawn = difference_plot(rows, "x", "less", "more")
    assert drawn.count("<circle") == 1
    assert drawn.count("<polygon") == 1


def test_the_heading_of_a_picture_is_whole_where_a_name_has_a_full_stop() -> None:
    title, note = titled("What changes with c3.1/more. The dot is the difference.")
    assert title == "What changes with c3.1/more"
    assert note == "The dot is the difference."
    assert titled("One sentence.") == ("One sentence", "")


def test_no_two_measures_of_a_simulation_have_one_label() -> None:
    games = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
    shipped = Library()
    found = found_in(shipped, planned(shipped, *games, count=12))
    labels = [line.measure.label for line in found.lines]
    assert len(set(labels)) == len(labels)
    texts = [(line.measure.clause, line.measure.called) for line in found.lines]
    assert len(set(texts)) == len(texts)
    names = [(line.measure.group, line.measure.name) for line in found.lines]
    assert len(set(names)) == len(names)
