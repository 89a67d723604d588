from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support.paths import TESTS
from support.played import MIXES, go_on, played, program_of
from tilewright.runtime.match import Match
from tilewright.runtime.notation import option_texts
from tilewright.runtime.program import Program
from tilewright.runtime.values import is_held
from tilewright.source.diagnostics import Reporter
from tilewright.tools.persistence import saves
from tilewright.tools.persistence.replay import (
    LogError,
    moments,
    proven,
    replayed,
    replayed_again,
    undone,
)

RESUME = """
import sys
from pathlib import Path
from support.played import go_on
from tilewright.source.diagnostics import Reporter
from tilewright.tools.workspace.loading import load_program
from tilewright.tools.persistence.saves import load_match
match = load_match(Path(sys.argv[1]).read_text(encoding="utf-8"), load_program, Reporter())
print(match.digest())
go_on(match, 1000, "on")
print(match.digest(), match.points)
"""


def load(game: str, options: Mapping[str, str]) -> tuple[Program | None, Reporter]:
    return program_of(game), Reporter()


def loaded(text: str, game: str) -> Match:
    reporter = Reporter()
    match = saves.load_match(text, lambda *_: (program_of(game), Reporter()), reporter)
    assert match is not None, reporter.diagnostics
    return match


def codes(text: str, game: str = "c2/base") -> list[str]:
    reporter = Reporter()
    found = saves.load_match(text, lambda *_: (program_of(game), Reporter()), reporter)
    assert (found is None) == reporter.has_errors
    return [d.code for d in reporter.diagnostics]


def changed(match: Match, **parts: Any) -> str:
    return json.dumps(json.loads(saves.save_text(match)) | parts)


@pytest.mark.parametrize("game", MIXES)
def test_a_loaded_match_is_the_match_that_was_saved(game: str) -> None:
    match = played(game, 0, players=3, seed="save", first=2)
    while match.to_move >= 0:
        twin = loaded(saves.save_text(match), game)
        assert twin.digest() == match.digest()
        assert option_texts(twin) == option_texts(match)
        assert saves.save_text(twin) == saves.save_text(match)
        go_on(match, 17, "save")
        go_on(twin, 17, "save")
        assert twin.digest() == match.digest()
    assert loaded(saves.save_text(match), game).is_over


@pytest.mark.parametrize("game", MIXES[2:4])
def test_another_process_goes_on_to_the_same_end(game: str, tmp_path: Path) -> None:
    match = played(game, 60, players=4, seed="far")
    path = tmp_path / "match.json"
    assert saves.write_save(match, path, Reporter())
    environment = os.environ | {
        "PYTHONHASHSEED": "4711",
        "PYTHONPATH": os.pathsep.join([*sys.path, str(TESTS)]),
    }
    done = subprocess.run(
        [sys.executable, "-c", RESUME, str(path)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = [match.digest()]
    go_on(match, 1000, "on")
    found.append(f"{match.digest()} {match.points}")
    assert done.stdout.splitlines() == found


def test_a_save_is_read_by_people() -> None:
    lines = saves.save_text(played("c2/base", 2)).splitlines()
    assert '  "game": "c2/base",' in lines
    assert any(line.startswith('    ["city1_road_straight", "0,0 N"]') for line in lines)
    assert max(len(line) for line in lines if "stacks" not in line) < 400


def test_a_save_is_proven_by_its_choices() -> None:
    match = played("c2/princess-and-dragon", 80)
    save = saves.parse_save(saves.save_text(match), Reporter())
    assert save is not None
    assert proven(save, match.program).digest() == match.digest()


@pytest.mark.parametrize(
    "damage", [{"points": [999, 0]}, {"turn": 3}, {"digest": "0" * 32}, {"seed": "another"}]
)
def test_a_save_whose_facts_are_not_those_of_its_choices_is_not_proven(
    damage: dict[str, Any],
) -> None:
    match = played("c2/base", 40)
    save = saves.parse_save(changed(match, **damage), Reporter())
    assert save is not None
    with pytest.raises(LogError):
        proven(save, match.program)


def test_a_save_with_half_of_its_choices_is_not_proven() -> None:
    match = played("c2/base", 40)
    save = saves.parse_save(changed(match, log=played("c2/base", 20).log), Reporter())
    assert save is not None
    with pytest.raises(LogError, match="do not lead to the saved state"):
        proven(save, match.program)


# ------------------------------------------------------------------ damaged saves


def test_a_text_that_is_no_json_is_refused_at_its_place() -> None:
    reporter = Reporter()
    assert saves.parse_save('{\n  "a": ]', reporter, "m.json") is None
    (diagnostic,) = reporter.diagnostics
    assert (diagnostic.code, str(diagnostic.span)) == ("TW901", "m.json:2:8")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "TW901"),
        ("[1.5]", "TW901"),
        ("[" * 100_000, "TW901"),
        ("9" * 10_000, "TW901"),
        ("[]", "TW902"),
        ("{}", "TW902"),
        ('{"tilewright": "save"}', "TW903"),
        ('{"tilewright": "save", "format": 2}', "TW902"),
    ],
)
def test_a_text_that_is_no_save_is_refused(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"format": 1}, "TW903"),
        ({"format": "2"}, "TW903"),
        ({"version": "0.0.0"}, "TW903"),
        ({"hash": "0" * 32}, "TW905"),
        ({"players": "two"}, "TW902"),
        ({"players": 9}, "TW902"),
        ({"first": 2}, "TW902"),
        ({"seed": None}, "TW902"),
        ({"points": [0]}, "TW902"),
        ({"points": [0, 10**30]}, "TW902"),
        ({"points": [0, 77]}, "TW906"),
        ({"turn": 1_000}, "TW906"),
        ({"board": [["city1", "0,0 N"], ["city1", "0,0 N"]]}, "TW906"),
        ({"board": [["city1", "0,0 X"]]}, "TW902"),
        ({"board": [["city1", "9" * 5_000 + ",0 N"]]}, "TW902"),
        ({"board": [["town", "0,0 N"]]}, "TW902"),
        ({"frames": []}, "TW906"),
        ({"frames": [[99, 0]]}, "TW902"),
        ({"frames": [[1, "0"]]}, "TW902"),
        ({"frames": [[1, 0, {"tuple": 7}]]}, "TW902"),
        ({"decision": None}, "TW902"),
        ({"memory": {"drawn": 9_999, "laid": None}}, "TW902"),
        ({"memory": {"drawn": True, "laid": None}}, "TW902"),
        ({"memory": {"drawn": None, "laid": 1 << 60}}, "TW902"),
        ({"memory": {"drawn": None, "laid": -1}}, "TW902"),
        ({"memory": {"drawn": None, "laid": {"tuple": [0, 0]}}}, "TW902"),
        ({"streams": ["0"]}, "TW902"),
        ({"figures": [{"figure": 0, "is": "blue meeple", "at": "home"}]}, "TW902"),
        ({"figures": [{"figure": 0, "is": "red meeple", "at": "5,5/c1"}]}, "TW902"),
        ({"digest": ""}, "TW906"),
    ],
)
def test_a_save_that_was_changed_is_refused(parts: dict[str, Any], code: str) -> None:
    assert codes(changed(played("c2/base", 5), **parts)) == [code]


@pytest.mark.parametrize(
    "option", [7, None, [0, 0, 160], [], [9, 0, 0], [0, 0], [0, 0, 10**9], [0, -1, 0], ["a", 0, 0]]
)
def test_a_save_that_offers_what_is_not_there_is_refused(option: Any) -> None:
    match = played("c2/base", 9)
    decision = json.loads(saves.save_text(match))["decision"]
    assert decision["options"] == [{"tuple": [0, 0, 160]}]
    forged = option if option == [0, 0, 160] or not isinstance(option, list) else {"tuple": option}
    assert codes(changed(match, decision=decision | {"options": [forged]})) == ["TW902"]


FRAME = [4, 4, 529_921, 529_921, [529_921], 1, [1, 0, 1, 0, 1, 0], 1, [528_897]]


@pytest.mark.parametrize(
    "frame",
    [
        FRAME[:-1], [*FRAME, 0], [4, 5, *FRAME[2:]], [4, 999, *FRAME[2:]], [0, 4, *FRAME[2:]],
        [*FRAME[:2], 10**9, *FRAME[3:]], [*FRAME[:2], None, *FRAME[3:]],
        [*FRAME[:5], None, *FRAME[6:]], [*FRAME[:6], [7], *FRAME[7:]],
        [*FRAME[:7], True, *FRAME[8:]], [*FRAME[:8], "x"],
    ],
)  # fmt: skip
def test_a_frame_that_its_rule_could_not_leave_is_refused(frame: list[Any]) -> None:
    match = played("c2/princess-and-dragon", 75)
    frames = json.loads(saves.save_text(match))["frames"]
    assert frames[1:] == [FRAME]
    text = changed(match, frames=[frames[0], frame])
    assert codes(text, "c2/princess-and-dragon") == ["TW902"]


@pytest.mark.parametrize("game", [*MIXES, "house/display-of-three", "house/reserve-tile"])
def test_rules_that_wait_hold_what_the_compiler_says(game: str) -> None:
    match, rng = played(game, 0), random.Random(game)
    while match.to_move >= 0:
        for unit, block, *values in match.frames:
            kept = match.program.kept[unit, block]
            assert all(is_held(match, *pair) for pair in zip(kept, values, strict=True))
        match.choose_number(int(rng.random() * match.count))


def test_a_save_of_rules_that_are_not_there_is_refused() -> None:
    from tilewright.tools.workspace.loading import load_program

    text = changed(played("c2/base", 5), game="c2/bass")
    reporter = Reporter()
    assert saves.load_match(text, load_program, reporter) is None
    (diagnostic,) = reporter.diagnostics
    assert diagnostic.code == "TW904"
    assert "`c2/bass`" in diagnostic.message


DAMAGE = ("0", "9", "-", '"', "[", "]", "{", "}", ",", "null", "x")


def test_no_damage_to_a_save_is_a_crash() -> None:
    match = played("c2/princess-and-dragon", 70, seed="damage")
    whole, rng = saves.save_text(match), random.Random(1)
    for _ in range(300):
        at = rng.randrange(len(whole))
        text = (
            whole[:at]
            + rng.choice(["0", "9", "-", '"', "[", "]", "{", "}", ",", "null", "x"])
            + whole[at + 1 :]
        )
        if saves.parse_save(text, Reporter()) is not None:
            codes(text, "c2/princess-and-dragon")


def test_a_save_that_can_not_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path, reporter = tmp_path / "match.json", Reporter()
    match = played("c2/base", 3)
    assert saves.write_save(match, path, reporter)
    kept = path.read_bytes()
    assert not saves.write_save(match, tmp_path / "none" / "match.json", reporter)
    assert [d.code for d in reporter.diagnostics] == ["TW907"]
    assert [p.name for p in tmp_path.iterdir()] == ["match.json"]
    assert path.read_bytes() == kept


def test_a_save_that_is_not_there_is_refused(tmp_path: Path) -> None:
    reporter = Reporter()
    assert saves.read_save(tmp_path / "none.json", reporter) is None
    assert [d.code for d in reporter.diagnostics] == ["TW901"]


# ------------------------------------------------------------------ replay


@pytest.mark.parametrize("upto", [0, 1, 40])
def test_a_replay_stops_at_any_decision(upto: int) -> None:
    match = played("c2/base", 60, first=1)
    again = replayed_again(match, upto)
    assert again.log == match.log[: len(again.log)]
    assert upto <= len(again.log) <= upto + 2
    assert again.to_move >= 0


def test_draws_that_were_told_come_again() -> None:
    program = program_of("c2/base")
    match = Match(program, 2, "told")
    match.forced_draws = [program.piece_number["city4_shield"]]
    match.start(0, [])
    match.run()
    go_on(match, 30, "told")
    again = replayed_again(match)
    assert again.board.tile_piece == match.board.tile_piece
    assert again.digest() == match.digest()


def test_a_replay_tells_every_decision() -> None:
    match = played("c2/base", 3, first=1)
    found = [
        (m.decision, m.option)
        for m in moments(match.program, 2, match.seed, match.first_player, match.log)
    ]
    assert found[0][0] == "blue at lay_tile"
    assert all(option for _, option in found)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda log: [*log[:-1], 999], "expected a choice below"),
        (lambda log: [~0, *log[1:]], "entry"),
        (lambda log: [~9999, *log[1:]], "the prescribed draw is not possible"),
        (lambda log: log[:-3], "the log ends where the rules go on"),
        (lambda log: [*log, 0, 0, 0], "log"),
    ],
)
def test_a_log_that_the_rules_do_not_lead_along_is_refused(damage: Any, expected: str) -> None:
    match = played("c2/base", 40)
    log = damage(match.log)
    while log[-1] >= 0 and expected.endswith("go on"):
        log = log[:-1]
    if expected.endswith("go on"):
        log = log[:-1]
    with pytest.raises(LogError, match=expected):
        replayed(match.program, 2, match.seed, match.first_player, log)


def test_a_save_with_another_log_is_not_proven() -> None:
    match = played("c2/base", 40)
    save = saves.parse_save(changed(match, log=[~0, 999]), Reporter())
    assert save is not None
    with pytest.raises(LogError):
        proven(save, match.program)


def test_undo_goes_back_to_a_players_latest_decision() -> None:
    match = played("c2/base", 41)
    before = undone(match)
    assert before is not None
    assert before.log == match.log[: len(before.log)]
    assert len(before.log) < len(match.log)
    other = undone(match, 1 - before.to_move)
    assert other is not None
    assert other.to_move == 1 - before.to_move
    assert len(other.log) < len(before.log)


def test_nothing_can_be_undone_before_the_first_choice() -> None:
    assert undone(played("c2/base", 0)) is None
