"""Tokens, figures beside stacks, their numbers; and the places for a piece that rules restrict."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from support.examples import scaled
from support.marks import slow_unless
from support.played import go_on
from support.probe_game import RULES, game, linked, position, program
from support.ruleset_cases import library_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF
from tilewright.play.library.functions import allowed
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts, spot_text
from tilewright.play.program import Program
from tilewright.rules.analysis.link import link_game
from tilewright.rules.linking.game import Game
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

#: red has two beads and blue a nail; red's first figure stands beside the urn
BEAD, CHIP, NAIL = 0, 1, 2
RED_FIGURE = 3


def beside_the_board() -> Match:
    match = position(1).fork()
    match.tokens = [n for t in game().tokens for n in (t.count, *[0] * len(match.players))]
    match.give(BEAD, 0)
    match.give(BEAD, 0)
    match.give(NAIL, 1)
    match.move_beside(RED_FIGURE, program().stack_number["urn"])
    return match


# ------------------------------------------------------------------ copies


@pytest.mark.parametrize("seed", range(0, 40, 5))
def test_what_is_beside_the_board_is_copied(seed: int) -> None:
    match, rng = position(seed).fork(), Random(seed)
    for figure in rng.sample(range(len(match.spot)), 4):
        match.move_beside(figure, rng.randrange(len(match.stacks)))
    for _ in range(9):
        match.give(rng.randrange(3), rng.choice(match.players))
    twin = match.fork()
    assert (twin.tokens, twin.spot, twin.in_supply) == (match.tokens, match.spot, match.in_supply)
    assert twin.digest() == match.digest()
    go_on(match, 40, seed)
    go_on(twin, 40, seed)
    assert twin.digest() == match.digest()


def test_a_figure_beside_a_stack_reads_so() -> None:
    match = beside_the_board()
    assert spot_text(match, RED_FIGURE) == "beside urn"


def test_the_digest_tells_who_has_which_tokens() -> None:
    match = beside_the_board()
    match.send_home(RED_FIGURE)
    digests = {match.digest()}
    for change in (
        lambda m: m.give(CHIP, 0),
        lambda m: m.give(CHIP, 1),
        lambda m: m.give(BEAD, 0),
        lambda m: m.move_beside(RED_FIGURE, 0),
        lambda m: m.move_beside(RED_FIGURE, 1),
        lambda m: m.hand(RED_FIGURE, 0),
    ):
        twin = match.fork()
        change(twin)
        digests.add(twin.digest())
    assert len(digests) == 7


def test_a_fork_has_tokens_of_its_own() -> None:
    match = beside_the_board()
    twin, before = match.fork(), match.tokens[:]
    twin.give(BEAD, 1)
    assert match.tokens == before != twin.tokens


def test_no_more_tokens_are_given_than_there_are() -> None:
    match = beside_the_board()
    heard: list[str] = []
    match.listeners = (lambda _, event, facts: heard.append(event),)
    for _ in range(5):
        match.give(BEAD, 1)
    assert match.tokens[:3] == [0, 2, 1]
    assert heard == ["give"]


def test_no_more_tokens_are_spent_than_a_player_has() -> None:
    match = beside_the_board()
    heard: list[str] = []
    match.give(BEAD, 1)
    match.listeners = (lambda _, event, facts: heard.append(event),)
    for _ in range(5):
        match.spend(BEAD, 1)
    assert heard == ["spend"]
    assert match.tokens[:3] == [1, 2, 0]


def test_stacks_and_players_are_told_apart() -> None:
    assert BESIDE_STACK < IN_FRONT_OF - 100


# ------------------------------------------------------------------ games and scenarios

FEW = """# components.yaml
tokens:
  bead: {label: {en: bead}, count: 3, traits: [round]}
figures:
  mast: {label: {en: mast}, count: 2, in_all: mast.in_box, like: peg, traits: [wide]}
# rules/trial.yaml
values:
  mast.in_box: {type: number, is: 3}
"""


def trial(text: str, folder: Path) -> tuple[Game, list[str]]:
    """The game of a small ruleset, and the codes of its scenarios' diagnostics."""
    library, ids = library_of(text, folder)
    reporter = Reporter()
    found = link_game(ids[0], {}, lambda id_: library.load(id_, reporter), reporter)
    assert found is not None and not reporter.has_errors, reporter.diagnostics
    programs = Programs(library)
    problems = [
        problem.code
        for scenario, name in scenarios_of(ids[0], library)
        for problem in run_scenario(scenario, ids[0], name, programs).problems
    ]
    return found, problems


def scenario(*lines: str) -> str:
    head = "# scenarios/trial.yaml\nscenarios:\n  - id: one\n    says: one\n"
    return head + "".join(f"    {line}\n" for line in ("players: [red, blue]", *lines))


def test_a_game_is_refused_to_more_players_than_there_are_figures_for(tmp_path: Path) -> None:
    found, problems = trial(FEW + scenario("play: [draw cap, expect: {tiles: 1}]"), tmp_path)
    expected = "2 players need 4 of `mast`, and there are 3"
    assert found.refusal(2) == expected
    assert problems == ["TW805"]
    with pytest.raises(ValueError, match=expected):
        start_match(compile_game(found), 2, 1)


def test_enough_figures_for_all_refuse_nobody(tmp_path: Path) -> None:
    text = FEW.replace("is: 3", "is: 4") + scenario("play: [draw cap, expect: {tiles: 1}]")
    found, problems = trial(text, tmp_path)
    assert found.refusal(2) == "" and problems == []
    assert found.refusal(3) == "this game is for 2 players, not for 3"


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ("{red bead: 2, blue bead: 1}", []),
        ("{red bead: 4}", ["TW801"]),
        ("{red bead: 2, blue bead: 2}", ["TW801"]),
        ("{red bead: -1}", ["TW801"]),
        ("{bead: 1}", ["TW801"]),
        ("{red beed: 1}", ["TW612"]),
        ("{green bead: 1}", ["TW612"]),
    ],
)
def test_a_scenario_hands_out_what_there_is(expected: str, code: list[str], tmp_path: Path) -> None:
    plenty = FEW.replace("is: 3", "is: 9")
    assert (
        trial(
            plenty + scenario(f"tokens: {expected}", "play: [draw cap, expect: {tiles: 1}]"),
            tmp_path,
        )[1]
        == code
    )


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ("{red bead: 2, blue bead: 0, bead: 1}", []),
        ("{red bead: 1}", ["TW802"]),
        ("{bead: 3}", ["TW802"]),
        ("{red beed: 0}", ["TW612"]),
    ],
)
def test_a_scenario_expects_tokens(expected: str, code: list[str], tmp_path: Path) -> None:
    lines = (
        "tokens: {red bead: 2}",
        "play:",
        "  - draw cap",
        f"  - expect: {{tokens: {expected}}}",
    )
    plenty = FEW.replace("is: 3", "is: 9")
    assert trial(plenty + scenario(*lines), tmp_path)[1] == code


def test_a_figure_stands_beside_a_stack_in_a_scenario(tmp_path: Path) -> None:
    lines = (
        "figures: {red mast: beside away}", "play:", "  - draw cap",
        "  - expect: {figures: {red mast: beside away}, supply: {red mast: 1}}",
    )  # fmt: skip
    plenty = FEW.replace("is: 3", "is: 9")
    assert trial(plenty + scenario(*lines), tmp_path)[1] == []


def test_what_decides_a_game_is_in_its_hash(tmp_path: Path) -> None:
    texts = (
        FEW,
        FEW.replace("count: 3", "count: 4"),
        FEW.replace("[round]", "[round, flat]"),
        FEW.replace("bead: {", "pearl: {"),
        FEW.replace("in_all: mast.in_box, ", ""),
        FEW.replace("like: peg, ", ""),
        FEW.replace("like: peg, ", "roles: [guard], ").replace("is: 3", "is: 6"),
        FEW.replace("is: 3", "is: 5"),
    )
    found = [trial(text, tmp_path / str(i))[0].hash for i, text in enumerate(texts)]
    assert len(set(found)) == len(texts)
    shown = FEW.replace("{en: bead}", "{en: pearl}")
    assert trial(shown, tmp_path / "shown")[0].hash == found[0]


def test_a_figure_like_another_takes_its_roles(tmp_path: Path) -> None:
    found, _ = trial(FEW, tmp_path)
    assert {r.id: r.figures for r in found.roles} == {"guard": ("peg", "mast")}


def test_a_figure_takes_roles_that_it_names_and_no_others(tmp_path: Path) -> None:
    more = "roles:\n  guest: {label: {en: guest}, figures: [peg], on: track}\n# rules/trial.yaml"
    text = FEW.replace("like: peg", "roles: [guard]").replace("# rules/trial.yaml", more)
    found, _ = trial(text, tmp_path)
    roles = {r.id: r.figures for r in found.roles}
    assert roles == {"guard": ("peg", "mast"), "guest": ("peg",)}


def test_a_figure_is_in_a_role_once_however_it_came_there(tmp_path: Path) -> None:
    found, _ = trial(FEW.replace("like: peg", "like: peg, roles: [guard]"), tmp_path)
    assert {r.id: r.figures for r in found.roles} == {"guard": ("peg", "mast")}


# ------------------------------------------------------------------ where a piece may be laid

#: answers about the place, each with a condition about something else; the names overlap
ANSWERS = """
  - id: may_lay.first
    amend: may_lay(p, spot)
    when: CONDITION
    value: "any q in prints(p, spot) of field: south in q.sides"
  - id: may_lay.second
    amend: may_lay(x, p)
    when: city in x.kinds and count(x.kinds) = 1
    value: not (p is origin)
"""
CONDITIONS = (
    "p has garden_symbol",
    "turn mod 2 = 0",
    "city in p.kinds or turn > 20",
    '"any x in players: x.points > 6"',
    '"count(p.kinds) > 1 and (all piece in land: not (piece is p))"',
    '"any f in active.owned: f.stack is urn"',
    '"any q in prints(p, spot): count(q.sides) = 1"',
    "holds(active, chip) = 0",
)

#: one that is answered without listing, one that asks for more
QUICK = ("p has garden_symbol", "turn mod 2 = 0")


def with_answers(condition: str) -> Program:
    start = RULES.index("  # where a piece may be laid")
    rules = RULES[:start] + ANSWERS.replace("CONDITION", condition)[1:]
    rules += RULES[RULES.index("\n  - id: pay.rule") :]
    reporter = Reporter()
    found = linked(rules, reporter)
    assert found is not None and not reporter.has_errors, reporter.diagnostics
    return compile_game(found)


@pytest.mark.parametrize("condition", slow_unless(lambda text: text in QUICK, CONDITIONS))
def test_placements_are_the_same_whether_they_are_listed_or_not(condition: str) -> None:
    lazy = with_answers(condition)
    assert any(lazy.constrained)
    listing = replace(lazy, constrained=(True,) * len(lazy.constrained), made={})
    spared = 0
    for seed in range(scaled(5)):
        match, other = (start_match(program_, 2, seed) for program_ in (lazy, listing))
        rng = Random(seed)
        while match.to_move >= 0:
            assert match.count == other.count
            assert option_texts(match) == option_texts(other)
            assert list(match.values()) == list(other.values())
            spared += match.options_now is None
            for piece in range(len(lazy.game.pieces)):
                assert allowed(match, piece) == allowed(other, piece)
            if rng.random() < 0.1:
                token, player = rng.randrange(3), rng.choice(match.players)
                match.give(token, player)
                other.give(token, player)
            k = rng.randrange(match.count)
            match.choose_number(k)
            other.choose_number(k)
            assert match.digest() == other.digest()
        assert other.is_over
    asks_more = ("points", "in land", "owned", "spot")  # sets, or the placement itself
    assert (spared == 0) == any(word in condition for word in asks_more)


def test_a_condition_that_is_passed_over_is_still_watched() -> None:
    watched = compile_game(with_answers("p has garden_symbol").game, probes=True)
    match = start_match(watched, 2, 1)
    go_on(match, 60, 1)
    found = zip(watched.conditions, watched.condition_hits, strict=True)
    sides = [seen for condition, seen in found if condition.rule == "may_lay.first"]
    assert sides[1] & 2  # the value is evaluated first; the probe has seen its condition fail


# ------------------------------------------------------------------ forced draws

SINGLE = """\
# tiles.yaml
tiles:
  - id: lone
    count: 1
    stack: nook
    edges: [meadow, meadow, meadow, meadow]
    segments:
      m1: {kind: meadow, at: [NNE, ENE, ESE, SSE, SSW, WSW, WNW, NNW]}
# components.yaml
stacks:
  nook: {label: nook}
# rules/trial.yaml
steps:
  nook_tile: {phase: turn, before: [draw_tile], label: nook}
rules:
  - id: trial.rule
    on: step nook_tile
    do: "if not (nook is empty) { draw other from nook }"
"""


@pytest.mark.parametrize(
    ("play", "codes"),
    [
        ("[draw path, {expect: {values: {drawn: path}}}]", []),
        ("[draw lone, draw path, {expect: {values: {drawn: path}}}]", []),
        ("[draw lone, {expect: {stacks: {nook: 0}}}]", []),
        ("[draw cap, {expect: {values: {drawn: cap}}}]", []),
        ("[draw cap, draw lone, {expect: {values: {drawn: cap}}}]", ["TW615"]),
    ],
)
def test_a_draw_from_a_stack_of_one_piece_takes_no_draw_meant_for_another(
    play: str, codes: list[str], tmp_path: Path
) -> None:
    _, problems = trial(SINGLE + scenario(f"play: {play}"), tmp_path)
    assert problems == codes


# ------------------------------------------------------------------ placements of other pieces

SPOTS = """# rules/trial.yaml
rules:
  - id: trial.spot
    on: step lay_tile
    after: [table.lay]
    do: |
      let spots = placements(cap)
      choose spot in SOURCE by active as "spot" { let seen = spot }
"""


@pytest.mark.parametrize(
    ("source", "spelled"),
    [("spots", r"spot -?\d+,-?\d+ layout \d"), ("placements(cap)", r"spot .* [NESW]")],
)
def test_a_placement_is_spelled_with_a_turn_only_where_its_piece_is_known(
    source: str, spelled: str, tmp_path: Path
) -> None:
    found, _ = trial(SPOTS.replace("SOURCE", source), tmp_path)
    program = compile_game(found)
    for seed in range(6):
        match = start_match(program, 2, seed)
        while match.to_move >= 0:
            texts = option_texts(match)
            assert len(set(texts)) == len(texts)
            if program.sites[match.decision_site].label == "spot":
                assert all(re.fullmatch(spelled, text) for text in texts), texts
            match.choose_number(0)
