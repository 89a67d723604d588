"""Two games in lockstep: smallest boards on which they part, for the rows that they show."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from support.paths import TRIALS
from support.played import played
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.rules.model.geometry import read_cell
from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import CannotCompareError, compare, compare_texts
from tilewright.tools.mutation.operators import Mutant
from tilewright.tools.mutation.run import MutantOutcome, Trial
from tilewright.tools.persistence.match_file import match_text
from tilewright.tools.scenarios.runner import played_out
from tilewright.tools.witness import find
from tilewright.tools.witness.find import find_divergence, find_witnesses
from tilewright.tools.witness.storage import (
    Painter,
    read_witnesses,
    scenario_of,
    witness_files,
    witnesses_data,
)
from tilewright.tools.witness.story import Pairing, play
from tilewright.tools.witness.translation import Translation
from tilewright.tools.workspace.loading import load_game, load_program
from tilewright.view.board.text import scene_text
from tilewright.view.comparison.witness import ending_lines, none_line, source_line
from tilewright.view.results.divergence import Kind, Origin, Witness, Witnesses, keyed_rows

TRIAL = "trial/table"
BASE = "c2/base"
CAPPED = f"{BASE}+house/no-feature-pays-more"
APART = f"{BASE}+house/no-joining-of-rivals"
DRAGONS = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")


@cache
def witnesses(one: str, other: str) -> Witnesses:
    library = Library()
    return find_witnesses((one, other), compare_texts([one, other], library), library)


def ends(witness: Witness, side: int, under: str | None = None) -> tuple[str, ...]:
    """The failures of a side's scenario, under its own game or another one."""
    scenario: Scenario = scenario_of(witness.sides[side])
    game = under or "+".join(scenario.rulesets)
    program, linking = load_program(game, dict(scenario.options))
    assert program is not None, linking.diagnostics
    reporter = Reporter()
    played_out(scenario, program, reporter)
    return tuple(d.message for d in reporter.diagnostics)


# ------------------------------------------------------------------ found boards


def test_a_limit_on_points_shows_on_a_feature_that_is_worth_more() -> None:
    found = witnesses(BASE, CAPPED)
    assert found.without == ()
    (witness,) = found.witnesses
    assert witness.kind is Kind.POINTS
    assert witness.origin is Origin.SCENARIO
    assert witness.source.startswith("house/no-feature-pays-more: ")
    assert "value:feature.most_points" in witness.rows
    assert list(ending_lines(witness, 0)) == [
        "red gains 24 = tiles 18 + coats of arms 6 for city -1,-1/c1"
    ]
    assert list(ending_lines(witness, 1)) == [
        "red gains 20 = tiles 18 + coats of arms 6 + features.at_most -4 for city -1,-1/c1"
    ]


def test_an_option_that_is_barred_names_the_rule() -> None:
    found = witnesses(BASE, APART)
    assert found.without == ()
    witness = found.of("amendment:rivals.stay_apart")
    assert witness is not None
    assert witness.kind is Kind.OPTIONS
    assert len(witness.sides[0].offered) == 1
    assert [barred.rule for barred in witness.sides[1].barred] == ["rivals.stay_apart"]


@pytest.mark.parametrize("other", [CAPPED, APART])
def test_a_witness_passes_on_its_side_and_fails_on_the_other(other: str) -> None:
    for witness in witnesses(BASE, other).witnesses:
        assert ends(witness, 0) == ()
        assert ends(witness, 1) == ()
        assert ends(witness, 0, other) != ()
        assert ends(witness, 1, BASE) != ()


def test_every_wanted_row_has_a_witness_or_is_listed_without_one() -> None:
    found = witnesses(BASE, APART)
    keys = {key for key, _ in keyed_rows(compare_texts([BASE, APART]))}
    assert {*found.by_row, *found.without} <= keys
    assert not set(found.by_row) & set(found.without)
    assert none_line(found).startswith("no board was found for ")


def test_rows_have_keys_of_their_own() -> None:
    keys = [key for key, _ in keyed_rows(compare_texts(list(DRAGONS)))]
    assert len(keys) == len(set(keys))


def test_witnesses_are_plain_data_and_come_back() -> None:
    found = witnesses(BASE, APART)
    assert read_witnesses(json.loads(json.dumps(witnesses_data(found)))) == found


def test_the_boards_of_a_witness_are_drawn() -> None:
    (witness,) = witnesses(BASE, CAPPED).witnesses
    boards = Painter(Library(), "uk").boards(witness)
    assert boards.before is not None
    assert len(boards.before.tiles) == len(witness.board)
    for scene, ending in zip(boards.sides, witness.sides, strict=True):
        assert scene is not None
        assert len(scene.tiles) == len(witness.board) + 1
        assert str(dict(ending.points)["red"]) in scene_text(scene)
    ends = [list(ending_lines(witness, side, "uk", boards.spoken[side])) for side in (0, 1)]
    assert ends[0] == [
        "червоний отримує 24 очки: місто з 9 плиток, лицар (червоний) (плитки 18, герби 6)"
    ]
    assert not any(re.search(r"[A-Za-z]|\d,-?\d", line) for end in ends for line in end)


@pytest.mark.parametrize("language", ["en", "uk", "pl"])
def test_a_witness_is_described_in_every_language(language: str) -> None:
    (witness,) = witnesses(BASE, CAPPED).witnesses
    assert "24 = " in next(ending_lines(witness, 0, language))
    assert witness.source in source_line(witness, language)


# ------------------------------------------------------------------ mutants


@cache
def trial() -> Trial:
    return Trial(Library([TRIALS]), TRIAL)


@cache
def killed() -> tuple[Mutant, ...]:
    fates = [trial().fate(number)[0] for number in range(len(trial().mutants))]
    return tuple(
        m for m, f in zip(trial().mutants, fates, strict=True) if f is MutantOutcome.KILLED
    )


@pytest.mark.slow
def test_mutants_that_scenarios_kill_have_witnesses() -> None:
    library = trial().library
    game, _ = load_game(TRIAL, {}, library)
    assert game is not None
    shown, hidden = [], []
    for mutant in killed():
        other = library.instead(mutant.ruleset)
        changed, _ = load_game(TRIAL, {}, other)
        assert changed is not None
        comparison = compare([game, changed], None, [TRIAL, TRIAL])
        found = find_witnesses((TRIAL, TRIAL), comparison, library, other, decisions=100)
        if found.by_row:
            shown.append(mutant.id)
        elif found.without:
            hidden.append(mutant.id)
    assert len(shown) >= 20
    assert len(shown) * 10 >= 9 * (len(shown) + len(hidden)), hidden


def test_playing_alone_finds_a_changed_number() -> None:
    library = trial().library
    mutant = next(m for m in trial().mutants if m.id == "town.points: value: 2 -> 3")
    found = find_divergence((TRIAL, TRIAL), library, library.instead(mutant.ruleset))
    assert found.witness is not None
    assert found.witness.kind is Kind.POINTS
    gains = [side.gains[0].points for side in found.witness.sides]
    assert gains[0] < gains[1]
    assert len(found.witness.board) == 1


# ------------------------------------------------------------------ searching


def test_a_game_does_not_part_from_itself() -> None:
    found = find_divergence((BASE, BASE), Library(), decisions=60)
    assert found.witness is None
    assert found.sought.decisions >= 60


@pytest.mark.parametrize(
    ("declared", "rule", "differs"),
    [
        ("tokens:\n  fang: {label: fang, count: 40}\n", "give fang to active", Kind.TOKENS),
        (
            "figures:\n  wolf: {label: wolf, owned: false, count: 1}\n",
            "for t in cycle(x.tiles, 1) { move wolf to t }",
            Kind.PLACES,
        ),
    ],
)
def test_a_thing_of_only_one_game_is_a_difference(
    declared: str, rule: str, differs: Kind, tmp_path: Path
) -> None:
    folder = tmp_path / "house" / "mine"
    (folder / "rules").mkdir(parents=True)
    module = "id: house/mine\nkind: house\ntitle: Mine\nrequires: {base: c2/base}\n"
    (folder / "module.yaml").write_text(module)
    (folder / "components.yaml").write_text(declared)
    text = f'rules:\n  - {{id: my.rule, on: completed(x), when: x is road, do: "{rule}"}}\n'
    (folder / "rules" / "all.yaml").write_text(text)
    found = find_divergence((BASE, "house/mine"), Library([tmp_path]), decisions=2_000)
    assert found.is_found and found.witness is not None
    assert found.witness.kind is differs


def test_a_difference_that_no_scenario_shows_is_still_a_difference() -> None:
    found = find_divergence(("c2/river", "c3/river"), Library(), decisions=200)
    assert found.is_found
    assert found.witness is not None or found.unstated.startswith("tiles in game ")


def test_points_near_a_goal_are_looked_at() -> None:
    found = find_divergence((BASE, "house/first-to-fifty"), Library(), decisions=600)
    assert found.witness is not None
    assert Kind.END is found.witness.kind
    assert not found.witness.sides[0].is_over
    assert found.witness.sides[1].is_over


def test_too_many_players_are_refused() -> None:
    with pytest.raises(CannotCompareError, match="players"):
        find_divergence((BASE, BASE), Library(), players=40)


@pytest.mark.slow
def test_the_same_seed_finds_the_same_whatever_the_hash_seed() -> None:
    words = ["compare", "--play", BASE, APART, "--budget", "5m", "--format", "json"]
    outs = []
    for number in ("1", "2"):
        found = subprocess.run(
            [sys.executable, "-m", "tilewright", *words],
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            text=True,
            check=False,
        )
        assert found.returncode == 1, found.stderr
        outs.append(found.stdout)
    assert outs[0] == outs[1]


# ------------------------------------------------------------------ words


@cache
def dragons() -> Pairing:
    programs = [load_program(text)[0] for text in DRAGONS]
    one, two = programs
    assert one is not None
    assert two is not None
    return Pairing.of(one, two, [("volcano_city1", "hoard_city1")])


def test_a_tile_stands_for_one_that_looks_like_it() -> None:
    words: Translation = dragons().words[0]
    assert words.partners("volcano_city1")[0].id == "hoard_city1"
    assert words.partners("dragon_corner")[0].id == "dragon_corner"


def test_a_situation_is_translated_for_the_other_side() -> None:
    pairing = dragons()
    one, back = pairing.words
    text = ("volcano_city1 0,0 N", "dragon_corner 1,0 E")
    scenario = scenario_of(witnesses(BASE, CAPPED).witnesses[0].sides[0])
    there = one.scenario(_on(scenario, text))
    assert there is not None
    assert there.board[0] == "hoard_city1 0,0 N"
    again = back.scenario(there)
    assert again is not None
    assert again.board == text


def test_a_duet_of_one_game_never_parts() -> None:
    program, _ = load_program(BASE)
    assert program is not None
    scenario = scenario_of(witnesses(BASE, CAPPED).witnesses[0].sides[0])
    both = play(Pairing.of(program, program), 0, scenario)
    assert both is not None
    assert both.partings == []


def _on(scenario: Scenario, board: tuple[str, ...]) -> Scenario:
    return replace(scenario, board=board, figures=(), lines=())


# ------------------------------------------------------------------ on the command line


def test_divergence_shows_the_board_and_both_sides(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    path = tmp_path / "difference.yaml"
    assert run(["compare", "--play", BASE, APART, "--out", str(path)]) == 1
    page = capsys.readouterr()
    assert "only here: `lay " in page.out
    assert "(rivals.stay_apart)" in page.out
    assert f"wrote {path}" in page.err
    node = read_yaml(path.read_text(encoding="utf-8"), path.name, Reporter())
    assert node is not None
    saved = read_scenarios(node, Reporter())
    assert [scenario.id for scenario in saved] == ["first-difference-a", "first-difference-b"]


def test_each_witness_has_a_file() -> None:
    found = witnesses(BASE, APART)
    twice = replace(found, witnesses=found.witnesses * 2)  # two may show the same row first
    files = witness_files([twice])
    assert len(files) == len(twice.witnesses)
    ids = set()
    for name, text in files.items():
        node = read_yaml(text, name, Reporter())
        assert node is not None
        ids |= {scenario.id for scenario in read_scenarios(node, Reporter())}
    assert len(ids) == 2 * len(files)


def test_a_search_that_ends_says_how_far_it_went(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--play", BASE, BASE, "--decisions", "40", "--budget", "10m"]) == 0
    assert "no difference found in 1 game (40 decisions)\n" in capsys.readouterr().out


def test_a_search_that_is_cut_short_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--play", BASE, BASE, "--budget", "0.2s"]) == 5
    page = capsys.readouterr().out
    assert re.search(
        r"no difference found in \d+ games? \([\d,]+ decisions\); stopped at the", page
    )
    assert "alike" not in page
    assert run(["compare", "--play", BASE, BASE, "--budget", "0.2s", "--format", "json"]) == 5
    assert json.loads(capsys.readouterr().out)["sought"]["stopped"] == "time limit"


def test_a_search_that_is_interrupted_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(find, "search", interrupted)
    assert run(["compare", "--play", BASE, APART]) == 130
    assert "no difference found in 0 games (0 decisions); interrupted\n" in capsys.readouterr().out


# ------------------------------------------------------------------ differences late in a game

#: a rule of three lines that looks at the turn
LATE = """\
rules:
  - id: late.points
    amend: points(x)
    when: turn > 8 and x is city
    value: 5
"""


def late(folder: Path) -> Path:
    (folder / "late" / "rules").mkdir(parents=True)
    (folder / "late" / "module.yaml").write_text(
        "id: house/late\nkind: house\ntitle: Late\nrequires: {base: c2/base}\n", "utf-8"
    )
    text = LATE.replace("    value: 5", "    item: late\n    value: 5")
    (folder / "late" / "rules" / "late.yaml").write_text(text, "utf-8")
    return folder / "late"


@cache
def played_game(folder: Path) -> Path:
    path = folder / "game.json"
    path.write_text(match_text(played(BASE, seed=3)), encoding="utf-8")
    return path


@pytest.mark.parametrize("is_shipped", [pytest.param(True, marks=pytest.mark.slow), False])
def test_rules_that_read_the_turn_are_found_by_divergence_compare_and_replay(
    is_shipped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = "house/ten-turns" if is_shipped else str(late(tmp_path))
    kind = Kind.END if is_shipped else Kind.POINTS
    assert run(["compare", "--play", BASE, other, "--budget", "9m", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["witness"]
    assert found["kind"] == kind
    turns = {
        scenario.turn
        for side in found["sides"]
        for scenario in read_scenarios(
            read_yaml(side["scenario"], "w.yaml", Reporter()), Reporter()
        )
    }
    assert turns == {20 if is_shipped else 9}
    assert {found["turn"]} == turns
    assert run(["compare", BASE, other, "--witness", "--format", "json"]) == 0
    (group,) = json.loads(capsys.readouterr().out)["witnesses"]
    assert {witness["kind"] for witness in group["witnesses"]} == {kind}
    assert group["without"] == []
    path = played_game(tmp_path)
    assert run(["replay", str(path), "--under", other, "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["split"]["what"] == kind


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--budget", "soon"], "not `soon`"),
        (["--players", "40"], "players"),
        (["--format", "xml"], "xml"),
    ],
)
def test_a_wrong_argument_of_divergence_is_reported(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", "--play", BASE, APART, *words]) == 2
    assert expected in capsys.readouterr().err


# ------------------------------------------------------------------ items


@pytest.mark.parametrize("is_first", [True, False])
def test_a_board_shows_a_draw_of_items_that_only_one_game_has(is_first: bool) -> None:
    fortune = "house/fortune-for-each-city"
    texts = (fortune, BASE) if is_first else (BASE, fortune)
    found = find_witnesses(texts, compare_texts(texts), Library(), decisions=0)
    side = 0 if is_first else 1
    results = [
        [list(ending_lines(witness, each, "en")) for each in (side, 1 - side)]
        for witness in found.witnesses
        if fortune in witness.source
    ]
    assert results
    assert any("red gains 4 = fortune.drawn 4" in mine for mine, _ in results)
    assert all(theirs == ["nobody gains anything"] for _, theirs in results)


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_steps_of_a_board_are_told_in_words_and_pictures(language: str) -> None:
    painter = Painter(Library(), language)
    drawn = "drawn: " if language == "en" else "dobrano: "
    pieces = {
        piece.id
        for name in DRAGONS
        if (game := load_game(name, library=Library())[0]) is not None
        for piece in game.pieces
    }
    for witness in witnesses(*DRAGONS).witnesses:
        told = painter.boards(witness).play
        assert len(told) == len(witness.lines)
        for line, step in zip(witness.lines, told, strict=True):
            text, words = step.says, line.split()
            assert text != line
            # a tile that is drawn, or the land about the place that the choice names
            cell = next(filter(None, (read_cell(w.partition("/")[0]) for w in words)), None)
            if line.startswith("draw "):
                assert step.scene is not None
                assert {tile.piece for tile in step.scene.tiles} == {words[1]}
            elif cell is not None:
                assert step.scene is not None, line
                assert cell in {(tile.x, tile.y) for tile in step.scene.tiles}, line
                assert cell in {(each.x, each.y) for each in step.scene.recent}, line
            assert not pieces & set(re.findall(r"\w+", text)), text
            assert text.startswith(drawn) == line.startswith("draw "), text
