"""A saved match under other rules: the same draws and choices, up to the first difference."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from support.played import played, program_of
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.match import Match
from tilewright.play.program import Program
from tilewright.play.replay import LogError
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence.match_file import (
    MatchFile,
    load_match,
    match_text,
    parse_match,
    start_of,
)
from tilewright.tools.witness.replay_under import ParallelReplay, play_under
from tilewright.tools.workspace.loading import load_game_under

BASE = "c2/base"
DRAGON = "c2/princess-and-dragon"


@cache
def saved(game: str, seed: int = 1, choices: int = 10_000) -> MatchFile:
    save = parse_match(match_text(played(game, choices, seed=seed)), Reporter())
    assert save is not None
    return save


def started(file: MatchFile, program: Program) -> Match:
    start = start_of(file, program, Reporter())
    assert start is not None
    return start


@cache
def under(game: str, other: str, seed: int = 1) -> ParallelReplay:
    save = saved(game, seed)
    linked, reporter = load_game_under(other, dict(save.options), Library())
    assert linked is not None, reporter.diagnostics
    return play_under(save, started(save, program_of(game)), compile_game(linked))


@pytest.mark.parametrize("game", [BASE, DRAGON, "c3.1/dragon-and-fairy+c3/farmers"])
def test_a_match_under_its_own_rules_ends_equally(game: str) -> None:
    found = under(game, game)
    assert found.split is None
    assert found.offers is None
    assert found.after.digest() == found.before.digest()


def test_further_options_do_not_end_a_replay() -> None:
    found = under(BASE, f"{BASE}+c2/farmers")
    assert found.split is None
    assert found.offers is not None
    assert found.offers.only_before == ()
    assert any("/f" in option for option in found.offers.only_after)
    assert found.after.points == found.before.points


def test_points_differ_with_both_reasons() -> None:
    found = next(
        each for seed in range(9) if (each := under(DRAGON, "house/fairy-five", seed)).split
    )
    split = found.split
    assert split is not None
    assert split.what == "points"
    assert split.before != split.after
    rules = {award.rule for side in split.awards for award in side}
    assert rules <= {"fairy.bonus", "fairy.turn_start", "fairy.bonus.final"}
    if not split.awards[1]:
        assert "`fairy.turn_start` is left out by house/fairy-five" in split.absent[0]


def test_a_choice_that_is_not_offered_names_the_rule(tmp_path: Path) -> None:
    text = """\
rules:
  - id: trial.nowhere
    from: [trial-nowhere]
    amend: may_deploy(f, s)
    value: not s is city
"""
    path = house(tmp_path, text)
    found = _under_folder(path)
    split = found.split
    assert split is not None
    assert split.what == "choice"
    assert split.before[0].startswith("deploy ")
    assert [reason.rule for reason in split.reasons] == ["trial.nowhere"]


def test_figures_that_stand_elsewhere_are_named(tmp_path: Path) -> None:
    text = """\
rules:
  - id: trial.home
    from: [trial-nowhere]
    on: step pass_turn
    after: [turn.pass]
    do: for f in figures { if f is placed { return f } }
"""
    library = Library()
    base = library.load_rules(BASE, Reporter())
    assert base is not None
    last = next(r.head.id for r in base.rules if getattr(r, "step", "") == "pass_turn")
    found = _under_folder(house(tmp_path, text.replace("turn.pass", last)))
    split = found.split
    assert split is not None
    assert split.what == "places"
    assert " meeple at " in split.before[0]
    assert split.after == ()


def house(folder: Path, rules: str) -> Path:
    """A house rule on the base game."""
    (folder / "rules").mkdir()
    (folder / "module.yaml").write_text(
        "id: house/trial\nkind: house\ntitle: {en: A trial}\nrequires: {base: c2/base}\n",
        encoding="utf-8",
    )
    (folder / "statements.yaml").write_text(
        "statements:\n  - {id: trial-nowhere, topic: figures.where, says: Not there.,"
        " authority: house-rule}\n",
        encoding="utf-8",
    )
    (folder / "rules" / "trial.yaml").write_text(rules, encoding="utf-8")
    return folder


def _under_folder(folder: Path) -> ParallelReplay:
    library = Library()
    library.add(folder)
    linked, reporter = load_game_under("house/trial", {}, library)
    assert linked is not None, reporter.diagnostics
    return play_under(saved(BASE), started(saved(BASE), program_of(BASE)), compile_game(linked))


def test_pieces_that_are_not_there_cannot_be_drawn() -> None:
    found = under(DRAGON, BASE)
    assert found.split is not None
    assert found.split.what == "draws"
    assert any("has no piece" in line for line in found.split.after)


def test_a_step_that_is_not_there_is_another_decision() -> None:
    found = next(
        each.split
        for seed in range(9)
        if (each := under(DRAGON, f"{DRAGON}?dragon_phase=before_figures", seed)).split
    )
    assert found.what in ("decision", "choice")
    assert found.before != found.after


def test_more_tiles_let_the_game_go_on() -> None:
    found = under(BASE, "c2/inns-and-cathedrals")
    split = found.split
    assert split is not None
    assert split.what in ("end", "choice", "decision", "points", "draws")


def test_a_log_that_does_not_fit_its_own_rules_is_refused() -> None:
    broken = replace(saved(BASE), log=("red: lay 0,9 N",))
    with pytest.raises(LogError):
        play_under(broken, started(broken, program_of(BASE)), program_of(BASE))


# ------------------------------------------------------------------ the door, and refusals


def test_the_page_and_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.json"
    path.write_text(match_text(played(BASE)), encoding="utf-8")
    assert run(["replay", str(path), "--under", BASE]) == 0
    assert "both end the same" in capsys.readouterr().out
    assert run(["replay", str(path), "--under", "c2/inns-and-cathedrals"]) == 1
    page = capsys.readouterr().out
    assert page.index("\n  as recorded  ") < page.index("\n  under the other rules  ")
    assert run(["replay", str(path), "--under", "c2/inns-and-cathedrals", "--format", "json"]) == 1
    output = json.loads(capsys.readouterr().out)
    assert output["is_same"] is False
    assert output["split"]["what"]
    assert run(["replay", str(path), "--format", "json"]) == 2
    assert run(["replay", str(path), "--under", "no/such"]) == 2


def test_a_save_names_its_rulesets_and_their_hashes() -> None:
    save = saved(DRAGON)
    assert [id_ for id_, _, _ in save.rulesets] == [BASE, DRAGON]
    assert dict(program_of(DRAGON).game.hashes) == {id_: hash_ for id_, hash_, _ in save.rulesets}


def test_a_refusal_says_which_ruleset_changed() -> None:
    parts = json.loads(match_text(played(DRAGON, 20)))
    parts["hash"] = parts["rulesets"][DRAGON]["hash"] = "0" * 32
    parts["rulesets"][BASE]["version"] = "v1"
    reporter = Reporter()
    assert load_match(json.dumps(parts), Library(), reporter) is None
    (refusal,) = reporter.diagnostics
    assert refusal.code == "TW905"
    assert f"`{DRAGON}` has other contents" in refusal.hint
    assert f"`{BASE}` is of version 2, not v1" in refusal.hint


def test_a_match_whose_own_rules_are_gone_is_played_under_those_of_today(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, parts = tmp_path / "match.json", json.loads(match_text(played(BASE)))
    path.write_text(json.dumps(parts | {"hash": "0" * 32}), encoding="utf-8")
    assert run(["replay", str(path)]) == 3
    assert "`tilewright replay FILE --under GAME`" in capsys.readouterr().err
    assert run(["replay", str(path), "--under", BASE]) == 0
    output = capsys.readouterr()
    assert "expected the rules with the hash" in output.err
    assert "every entry is allowed" in output.out
    assert run(["replay", str(path), "--under", DRAGON]) == 1
    assert "of the log, `" in capsys.readouterr().err


def test_an_edited_house_rule_is_compared_with_the_one_that_the_match_carries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = """\
rules:
  - id: trial.tip
    from: [trial-nowhere]
    on: completed(x)
    do: award 1 to active
"""
    folder = tmp_path / "trial"
    folder.mkdir()
    monkeypatch.chdir(house(folder, rules))
    words = ["play", f"{BASE}+.", "--players", "random,random", "--seed", "1"]
    assert run([*words, "--save", "../match.json"]) == 0
    (folder / "rules" / "trial.yaml").write_text(rules.replace("award 1", "award 2"))
    capsys.readouterr()
    assert run(["replay", "../match.json", "--check"]) == 0
    assert "every entry is allowed" in capsys.readouterr().out
    assert run(["replay", "../match.json", "--under", ".", "--with", "."]) == 1
    output = capsys.readouterr()
    assert "points differ" in output.out
    assert "`house/trial` in `.` is not as the match carries it" in output.err
