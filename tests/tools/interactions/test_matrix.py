"""The compatibility matrix: refusals, clashes, failures, and interactions without a resolution."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from support.played import played
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.rules.reading.library import Library
from tilewright.tools.interactions.matrix import Matrix, grown_mixes, make_matrix, try_mixes
from tilewright.tools.interactions.overlaps import Interaction
from tilewright.tools.interactions.trial import (
    Outcome,
    State,
    deep_fault,
    points_may_fall,
    quick_fault,
)
from tilewright.tools.reports.matrix_page import as_json, as_markdown, as_text
from tilewright.tools.workspace.loading import load_program

ONE, TWO = "trial/one", "trial/two"


def module(id_: str) -> str:
    name = id_.split("/")[1]
    return (
        f"# {id_}/module.yaml\nid: {id_}\nkind: expansion\ntitle: {name}\nprovides: [{name}]\n"
        "requires: {base: trial/table}\nsources:\n  s: {title: a leaflet, publisher: me}\n"
    )


def statements_of(id_: str, *statements: tuple[str, str]) -> str:
    lines = [
        f"  - {{id: {name}, topic: {topic}, says: So it is., authority: house-rule,"
        " cite: [{source: s}]}\n"
        for name, topic in statements
    ]
    return f"# {id_}/statements.yaml\nstatements:\n{''.join(lines)}"


def rules(id_: str, text: str) -> str:
    return f"# {id_}/rules/all.yaml\n{text}"


def of(tmp_path: Path, *parts: str, games: int = 2, jobs: int = 1) -> Matrix:
    library, ids = library_of("".join(parts), tmp_path)
    return make_matrix(library, ids, games=games, jobs=jobs)


def interactions_in(matrix: Matrix) -> list[tuple[bool, str, str, str]]:
    found = matrix.interactions.get((ONE, TWO), ())
    return [(x.strong, x.what, x.on, x.resolution) for x in found]


# ------------------------------------------------------------------ together or not

SENDS_STONE = """rules:
  - id: one.stone
    from: [one-stone]
    on: paid(x)
    do: |
      for t in x.tiles { move stone to t.cell }
"""
READS_STONE = """rules:
  - id: two.bonus
    from: [two-bonus]
    on: paid(x)
    when: stone is placed
    do: award 1 to active
"""
FAVOUR = """rules:
  - {id: NAME.favour, from: [NAME-favour], amend: favour(x), value: "WORTH"}
"""
FORGETS_EARLY = """rules:
  - id: one.stone
    from: [one-stone]
    on: step put_figure
    after: [table.offer]
    do: set laid = {}
"""
FORGETS_LATE = """rules:
  - id: two.bonus
    from: [two-bonus]
    on: paid(x)
    do: set laid = {}
"""
SENDS = module(ONE) + statements_of(ONE, ("one-stone", "stone")) + rules(ONE, SENDS_STONE)
READS = module(TWO) + statements_of(TWO, ("two-bonus", "bonus")) + rules(TWO, READS_STONE)
#: two rulesets that meet at a memory, one after the other
FIRST = module(ONE) + statements_of(ONE, ("one-stone", "stone")) + rules(ONE, FORGETS_EARLY)
SECOND = module(TWO) + statements_of(TWO, ("two-bonus", "bonus")) + rules(TWO, FORGETS_LATE)


def test_rulesets_that_go_together_are_played(tmp_path: Path) -> None:
    matrix = of(tmp_path, FIRST, SECOND, games=3)
    outcome = matrix.between(TWO, ONE)
    assert outcome.state is State.PLAYS
    assert (outcome.games, outcome.text) == (3, f"{ONE}+{TWO}")
    assert outcome.game == f"trial/one+trial/table+{TWO}"
    assert not matrix.has_failed


def test_a_declared_conflict_is_a_refusal(tmp_path: Path) -> None:
    matrix = of(tmp_path, FIRST, SECOND.replace("requires:", f"conflicts: [{ONE}]\nrequires:", 1))
    outcome = matrix.between(ONE, TWO)
    assert (outcome.state, outcome.code) == (State.REFUSED, "TW702")
    assert not matrix.interactions
    assert not matrix.has_failed and not matrix.has_gaps


def test_an_incompatibility_found_by_the_linker_is_a_clash(tmp_path: Path) -> None:
    parts = [
        module(id_)
        + statements_of(id_, (f"{name}-favour", "favour"))
        + rules(id_, FAVOUR.replace("NAME", name).replace("WORTH", worth))
        for id_, name, worth in ((ONE, "one", "1"), (TWO, "two", "2"))
    ]
    matrix = of(tmp_path, *parts)
    outcome = matrix.between(ONE, TWO)
    assert (outcome.state, outcome.code) == (State.CLASHES, "TW711")
    assert matrix.has_gaps and not matrix.has_failed
    assert "  x TW711 `one.favour` and `two.favour` both amend `favour`" in as_text(matrix)


def test_a_ruleset_that_does_not_link_alone_has_failed(tmp_path: Path) -> None:
    text = "rules:\n  - {id: one.x, from: [one-stone], amend: nothing_known(x), value: 1}\n"
    matrix = of(
        tmp_path, module(ONE) + statements_of(ONE, ("one-stone", "stone")) + rules(ONE, text)
    )
    assert matrix.alone[ONE].state is State.CLASHES
    assert matrix.has_failed


LOSES = """rules:
  - id: one.loses
    from: [one-stone]
    on: step draw_tile
    after: [table.draw]
    when: count(pile) > 0
    do: |
      draw drawn from pile
"""


def test_a_game_that_goes_wrong_can_be_seen_again(tmp_path: Path) -> None:
    parts = module(ONE) + statements_of(ONE, ("one-stone", "stone")) + rules(ONE, LOSES)
    library, ids = library_of(parts, tmp_path)
    matrix = make_matrix(library, ids, games=2, seed="7")
    assert matrix.has_failed
    failure = matrix.alone[ONE].failures[0]
    assert "neither on the board nor in a stack" in failure.what
    assert try_mixes(library, [ONE], games=1, seed="7")[0].failures[0] == failure
    assert f"tilewright matrix --mix {ONE} --seed 7 --games 1" in as_text(matrix)
    assert json.loads(as_json(matrix))["alone"][0]["failures"][0]["log"] == list(failure.log)


def test_a_rule_that_cannot_be_carried_out_is_a_failure(tmp_path: Path) -> None:
    text = LOSES.replace("    when: count(pile) > 0\n", "").replace("from pile", "from away")
    matrix = of(
        tmp_path, module(ONE) + statements_of(ONE, ("one-stone", "stone")) + rules(ONE, text)
    )
    reason = matrix.alone[ONE].reason
    assert reason.startswith("the rules cannot be carried out: nothing can be drawn from `away`")
    assert "rules/all.yaml:" in reason


# ------------------------------------------------------------------ interactions


def test_two_that_write_one_memory_meet_there(tmp_path: Path) -> None:
    matrix = of(tmp_path, FIRST, SECOND)
    assert (True, "memory", "laid", "") in interactions_in(matrix)
    assert matrix.has_gaps
    assert f"{ONE} with {TWO}\n      both" in as_text(matrix)


def test_one_that_changes_what_the_other_reads_on_one_event_clashes_with_it(
    tmp_path: Path,
) -> None:
    matrix = of(tmp_path, SENDS, READS)
    assert matrix.between(ONE, TWO).state is State.CLASHES
    assert matrix.between(ONE, TWO).code == "TW721" and matrix.has_gaps


def test_an_order_between_the_rules_settles_it(tmp_path: Path) -> None:
    pair = SENDS + READS.replace("on: paid(x)", 'on: paid(x)\n    after: ["one.stone?"]')
    assert interactions_in(of(tmp_path, pair)) == [(True, "event", "paid", "`after:`")]


SCENARIO = f"""# {TWO}/scenarios/all.yaml
scenarios:
  - id: both
    says: the stone has gone there before
    game: [{ONE}, {TWO}]
    proves: [two-bonus]
    covers: [two.bonus]
    players: [red, blue]
    board: ["cap 0,0 N"]
    play:
      - expect: {{tiles: 1}}
"""


def test_a_scenario_with_both_that_proves_something_settles_it(tmp_path: Path) -> None:
    assert interactions_in(of(tmp_path, FIRST, SECOND, SCENARIO)) == [
        (True, "memory", "laid", f"scenario `{TWO}: both`")
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"game: [{ONE}, {TWO}]", f"game: [{TWO}]"),
        ("    proves: [two-bonus]\n    covers: [two.bonus]", "    covers: [two.bonus]"),
        ("    proves: [two-bonus]\n    covers: [two.bonus]", "    proves: [table-turn]"),
    ],
    ids=["without the other", "proving nothing", "about something else"],
)
def test_another_scenario_settles_nothing(tmp_path: Path, old: str, new: str) -> None:
    assert interactions_in(of(tmp_path, FIRST, SECOND, SCENARIO.replace(old, new)))[0][3] == ""


def test_a_rule_for_both_settles_it(tmp_path: Path) -> None:
    more = f"""  - id: two.together
    from: [two-bonus]
    with: [{ONE}]
    on: paid(x)
    after: [two.bonus]
    do: set laid = {{}}
"""
    resolutions = {
        what[3] for what in interactions_in(of(tmp_path, FIRST, SECOND + more)) if what[0]
    }
    assert resolutions == {"rule `two.together`"}


def test_a_statement_that_both_rules_are_from_settles_it(tmp_path: Path) -> None:
    shared = FIRST.replace("[one-stone]", "[one-stone, table-turn]")
    matrix = of(tmp_path, shared, SECOND.replace("[two-bonus]", "[two-bonus, table-turn]"))
    assert interactions_in(matrix)[0][3] == "statement `table-turn`"


CONE = f"""# {ONE}/components.yaml
figures:
  cone: {{label: {{en: cone}}, owned: true, count: 1, traits: [tall]}}
roles:
  scout: {{label: {{en: scout}}, figures: [cone], on: town, from: [one-stone]}}
"""
SWEEP = """rules:
  - id: two.sweep
    from: [two-bonus]
    on: paid(x)
    do: |
      for f in figures { return f }
"""
BRINGS = module(ONE) + statements_of(ONE, ("one-stone", "stone")) + CONE


def sweeping(rule: str = SWEEP, topic: str = "bonus") -> str:
    return module(TWO) + statements_of(TWO, ("two-bonus", topic)) + rules(TWO, rule)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("figures", [(True, "figure", "cone", "")]),
        ("figures of tall", [(True, "figure", "cone", "")]),
        ("figures of peg", []),
        (
            "those f in figures of peg: any g in figures: g has tall",
            [(False, "figure", "cone", "")],
        ),
    ],
)
def test_a_figure_that_the_others_rules_do_not_expect(
    tmp_path: Path, source: str, found: list[tuple[bool, str, str, str]]
) -> None:
    matrix = of(tmp_path, BRINGS, sweeping(SWEEP.replace("in figures", f"in {source}")))
    assert interactions_in(matrix) == found


def test_a_statement_whose_topic_names_the_figure_settles_it(tmp_path: Path) -> None:
    matrix = of(tmp_path, BRINGS, sweeping(topic="sweep.cone"))
    assert interactions_in(matrix) == [(True, "figure", "cone", "statement `two-bonus`")]


@pytest.mark.parametrize(
    ("follows", "found"),
    [("two.sweep", "statement `two-meets`"), ("table.lay", "")],
    ids=["from the rule that meets it", "from another rule"],
)
def test_a_statement_that_follows_from_the_rule_is_a_resolution(
    tmp_path: Path, follows: str, found: str
) -> None:
    follower = f"""  - {{id: two-meets, topic: sweep.big-cone, says: So it is.,
     authority: house-rule, cite: [{{source: s}}], follows_from: [{follows}]}}
"""
    swept = sweeping().replace("\n# trial/two/rules", f"\n{follower}# trial/two/rules")
    matrix = of(tmp_path, BRINGS.replace("cone", "big_cone"), swept)
    assert interactions_in(matrix) == [(True, "figure", "big_cone", found)]


def test_amendments_without_order_meet_weakly(tmp_path: Path) -> None:
    parts = []
    for id_, name in ((ONE, "one"), (TWO, "two")):
        text = f"""rules:
  - {{id: {name}.r, from: [{name}-r], amend: "may_stand(f, s)", value: "true"}}
"""
        parts.append(module(id_) + statements_of(id_, (f"{name}-r", "standing")) + rules(id_, text))
    matrix = of(tmp_path, *parts)
    assert interactions_in(matrix) == [(False, "definition", "may_stand", "")]
    assert not matrix.has_gaps
    assert "both amend `may_stand`" not in as_text(matrix)
    assert "both amend `may_stand`, combined by `all`" in as_text(matrix, weak=True)


def test_steps_in_one_gap_that_change_one_thing_clash(tmp_path: Path) -> None:
    parts = []
    for id_, name in ((ONE, "one"), (TWO, "two")):
        text = f"""steps:
  {name}_step: {{phase: turn, after: [lay_tile], before: [put_figure], label: {{en: s}}}}
rules:
  - id: {name}.rule
    from: [{name}-r]
    on: step {name}_step
    do: |
      for t in laid {{ move stone to t.cell }}
"""
        parts.append(module(id_) + statements_of(id_, (f"{name}-r", "step")) + rules(id_, text))
    outcome = of(tmp_path, *parts).between(ONE, TWO)
    assert (outcome.state, outcome.code) == (State.CLASHES, "TW765")


# ------------------------------------------------------------------ invariants


def broken_points(match: Match) -> None:
    match.points[1] = -1


def broken_figure(match: Match) -> None:
    match.spot[0] = 0 if match.spot[0] < 0 else -1


def broken_count(match: Match) -> None:
    match.board.open_ends[0] += 1


def lost_piece(match: Match) -> None:
    for stack in match.stacks:
        del stack[:2]  # one more is in a hand


@pytest.mark.parametrize(
    ("breaks", "expected"),
    [
        (broken_points, "`blue` has -1 points"),
        (broken_figure, "is counted wrongly"),
        (broken_count, "the board is not what the pieces laid make of it: features"),
        (lost_piece, "3 pieces are neither on the board nor in a stack"),
    ],
)
def test_impossible_states_are_noticed(breaks, expected: str) -> None:
    match = played("c2/base", 60).fork()
    assert deep_fault(match, False) == ""
    breaks(match)
    assert expected in deep_fault(match, False)


def test_a_token_too_many_is_noticed(tmp_path: Path) -> None:
    tokens = f"# {ONE}/components.yaml\ntokens:\n  bead: {{label: {{en: bead}}, count: 3}}\n"
    give = READS_STONE.replace("two", "one").replace("stone is placed", "true")
    parts = module(ONE) + statements_of(ONE, ("one-bonus", "bonus")) + tokens
    parts += rules(ONE, give.replace("award 1", "give bead"))
    library, _ = library_of(parts, tmp_path)
    program, reporter = load_program(ONE, library=library)
    assert program is not None, reporter.diagnostics
    match = start_match(program)
    assert quick_fault(match, False) == ""
    match.tokens[1] += 1
    assert quick_fault(match, False) == "the tokens `bead` are 4 in all, not 3"


def test_points_may_fall_where_rules_say_so() -> None:
    match = played("c2/base", 10).fork()
    assert not points_may_fall(match.program)
    broken_points(match)
    assert quick_fault(match, True) == ""


def test_points_may_fall_where_something_is_taken_off(tmp_path: Path) -> None:
    text = rules(ONE, READS_STONE.replace("two", "one").replace("award 1", "award 0 - 1"))
    parts = module(ONE) + statements_of(ONE, ("one-bonus", "bonus")) + text
    library, _ = library_of(parts, tmp_path)
    program, reporter = load_program(ONE, library=library)
    assert program is not None, reporter.diagnostics
    assert points_may_fall(program)


# ------------------------------------------------------------------ mixes and pages


def test_mixes_grow_of_pairs_that_go_together() -> None:
    ids = tuple("abcdef")
    plays = set(combinations(ids, 2)) - {("a", "b")}
    mixes = grown_mixes(ids, plays, 10, "1")
    assert len(mixes) == len(set(mixes)) == 10
    assert all(len(mix) >= 3 and not {"a", "b"} <= set(mix) for mix in mixes)
    assert len(mixes[0]) == 5
    assert grown_mixes(ids, plays, 10, "1") == mixes
    assert grown_mixes(ids[:2], plays, 10, "1") == ()


def test_many_processes_find_the_same(tmp_path: Path) -> None:
    assert as_json(of(tmp_path, FIRST, SECOND, jobs=2)) == as_json(of(tmp_path, FIRST, SECOND))


def test_a_wide_table_is_cut_and_no_line_is_too_long() -> None:
    ids = tuple(f"edition/ruleset-number-{n:02}" for n in range(60))
    fine = Outcome("x", "x", State.PLAYS)
    interaction = Interaction(
        "event", "paid", True, "both touch figures on `paid`", ((ids[0], "a.rule"),)
    )
    matrix = Matrix(
        ids=ids,
        seed="1",
        games=0,
        alone=dict.fromkeys(ids, fine),
        pairs=dict.fromkeys(combinations(ids, 2), fine),
        interactions=dict.fromkeys(combinations(ids[:9], 2), (interaction,)),
        mixes=(),
    )
    lines = as_text(matrix, 100).splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(line.startswith(" 1 edition/ruleset-number-00") for line in lines) == 2
    assert " 1 edition/ruleset-number-00  + ? ? " in as_text(matrix, 100)
    assert "| 60 | edition/ruleset-number-59 |" in as_markdown(matrix)


SMOKE = ("c2/base", "c3/base", "c2/farmers", "c2/princess-and-dragon", "house/fairy-five")


@pytest.mark.slow
def test_some_rulesets_that_travel_with_the_program() -> None:
    matrix = make_matrix(Library(), SMOKE, games=2, sample=2)
    assert not matrix.has_failed
    assert matrix.between("c3/base", "c2/base").state is State.REFUSED
    assert matrix.between("c3/base", "c2/farmers").state is State.PLAYS
    assert len(matrix.mixes) == 2


def test_the_verb(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["matrix", "c2/base", "c2/farmers", "c3/base", "--games", "1"]) == 0
    page = capsys.readouterr().out
    assert "1 c2/base     + + -" in page
    assert "  - TW703 `c2/base` and `c3/base` both provide `base`" in page
    assert run(["matrix", "c2/base", "c2/farmers", "--games", "1", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [pair["state"] for pair in found["pairs"]] == ["plays"]
    assert run(["matrix", "c2/base", "c2/farmers", "--games", "1", "-f", "markdown"]) == 0
    assert "| 1 | c2/base | `+` | `+` |" in capsys.readouterr().out
    assert run(["matrix", "--mix", "c2/base+c2/farmers", "--games", "1"]) == 0
    assert "+ c2/base+c2/farmers\n    1 games" in capsys.readouterr().out
    assert run(["matrix", "--mix", "c2/base+c3/base", "--games", "1"]) == 1
    assert run(["matrix", "c2/base", "--mix", "c2/base"]) == 2
