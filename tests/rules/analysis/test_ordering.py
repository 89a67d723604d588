"""Nothing is ordered silently: rules and steps that do not commute have a declared order.

Each case is one pair of rules at one step, or of steps, of the small game `trial/table`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from tilewright.language.builtins import ATTRIBUTE, FUNCTION, GLOBAL
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.tools.workspace.loading import load_game

MEMORY = (
    "memory:\n  seen: {type: number, per: game}\n  fits: {type: truth, per: game}\n"
    "  closed: {type: truth, per: game}\n  held: {type: 'piece?', per: game}\n"
    "  leader: {type: 'player?', per: game}\n"
)
COMPONENTS = (
    "# components.yaml\n"
    "tokens:\n  crown: {label: {en: crown}, count: 1}\n  coin: {label: {en: coin}, count: 9}\n"
    "figures:\n  crow: {label: {en: crow}, owned: false, count: 1, carries: [companion]}\n"
    "  hen: {label: {en: hen}, owned: true, count: 2}\n"
    "stacks:\n  left_over: {label: {en: left over}}\n"
    "# rules/trial.yaml\n"
)
CLOSED = '  - {id: trial.shut, amend: "may_lay(p, spot)", value: not closed}\n'


def at_one_step(first: str, second: str, more: str = "", *, ordered: bool = False) -> str:
    """Two rules at one step, with and without an order."""
    after = "after: [trial.one], " if ordered else ""
    return (
        COMPONENTS
        + MEMORY
        + "steps:\n  trial: {phase: turn, after: [put_figure], before: [tally], label: {en: x}}\n"
        + f'rules:\n  - {{id: trial.one, on: step trial, do: "{first}"}}\n'
        + f'  - {{id: trial.two, {after}on: step trial, do: "{second}"}}\n'
        + more
    )


def at_two_steps(first: str, second: str, more: str = "", *, ordered: bool = False) -> str:
    """The same at two steps."""
    after = "put_figure, one_step" if ordered else "put_figure"
    return (
        COMPONENTS
        + MEMORY
        + "steps:\n"
        + "  one_step: {phase: turn, after: [put_figure], before: [tally], label: {en: x}}\n"
        + f"  two_step: {{phase: turn, after: [{after}], before: [tally], label: {{en: y}}}}\n"
        + f'rules:\n  - {{id: trial.one, on: step one_step, do: "{first}"}}\n'
        + f'  - {{id: trial.two, on: step two_step, do: "{second}"}}\n'
        + more
    )


def diagnostics(text: str, root: Path) -> list[Diagnostic]:
    library, ids = library_of(text, root)
    _, reporter = load_game(ids[0], {}, library)
    other = [d for d in reporter.diagnostics if d.severity == "error"]
    assert all(d.code in ("TW721", "TW765") for d in other), [str(d) for d in other]
    return other


MEET = {
    "the end and points": ("end game", "award 1 to active", ""),
    "the end and a memory": ("set seen = 1", "end game", ""),
    "the end and a choice": ("may choose p in players by active { stop }", "end game", ""),
    "both kinds of end": ("end game", "end game at once", ""),
    "points and an exchange": ("award 1 to active", "exchange active with next(active)", ""),
    "a memory of a player and an exchange": (
        "set leader = active",
        "exchange active with next(active)",
        "",
    ),
    "a piece laid on a stack and taken from it": (
        "if held is something { stack held on left_over }",
        "if any p in left_over: true { set fits = true }",
        "",
    ),
    "points that are read": ("set seen = active.points", "award 10 to active", ""),
    "points that a definition reads": (
        "set seen = wealth(active)",
        "award 10 to active",
        "definitions:\n  wealth: {parameters: {p: player}, type: number, combine: one, "
        "says: so, default: p.points}\n",
    ),
    "one token and two who want it": (
        "give crown to active",
        "give crown to next(active)",
        "",
    ),
    "a token given and counted": (
        "give coin to active",
        "set seen = holds(active, coin)",
        "",
    ),
    "a memory and what is playable": (
        "set closed = true",
        "if drawn is something { set fits = drawn is playable }",
        CLOSED,
    ),
    "a memory and where a piece may be laid": (
        "set closed = true",
        "if drawn is something { set seen = count s in placements(drawn): true }",
        CLOSED,
    ),
    "two draws from one stack": ("draw p from pile", "draw q from pile", ""),
    "a stack filled and counted": (
        "move all of away into left_over",
        "set seen = count(left_over)",
        "",
    ),
    "a stack that a set looks into": (
        "move all of away into left_over",
        "if any p in left_over: p is playable { set fits = true }",
        "",
    ),
    "two choices": (
        "may choose p in players by active { set seen = 1 }",
        "may choose p in players by active { set fits = true }",
        "",
    ),
    "a draw and a choice": (
        "draw p from pile",
        "may choose p in players by active { set fits = true }",
        "",
    ),
    "figures that return and are counted": (
        "for f in figures of peg { return f }",
        "set seen = count f in active.supply: true",
        "",
    ),
    "a figure that leaves, and a reaction to it": (
        "for f in figures of peg { return f }",
        "set seen = 2",
        "  - {id: trial.left, on: left(f), do: set seen = 1}\n",
    ),
    "the active player": ("set active = next(active)", "award 1 to active", ""),
    "companions that are let go": (
        "for f in figures of peg { return f }",
        "if crow.companion is something { set fits = true }",
        "  - {id: trial.beside, on: step tally, after: [table.tally],"
        " do: 'for f in figures of peg { attach crow to f }'}\n",
    ),
}
APART = {
    "points add up": ("award 1 to active", "award 2 to next(active)", ""),
    "tokens of two kinds": ("give crown to active", "give coin to active", ""),
    "draws from two stacks": ("draw p from pile", "draw q from away", ""),
    "two ends": ("end game", "end game", ""),
    "the end and what only reads": ("end game", "if active.points > 3 { stop }", ""),
    "figures of two kinds": (
        "for f in figures of peg { return f }",
        "for f in figures of hen { return f }",
        "",
    ),
    "figures of a kind that nobody counts": (
        "for f in figures of peg { return f }",
        "set seen = count f in figures of hen: true",
        "",
    ),
    "figures of a trait and of a kind without it": (
        "for f in figures of tall { return f }",
        "set seen = count f in figures of hen: true",
        "",
    ),
    "a procedure that is given a kind": (
        "for f in figures of peg { send(f) }",
        "for f in figures of hen { send(f) }",
        "  - {id: trial.send, procedure: 'send(f: figure)', do: return f}\n",
    ),
    "a reaction that does not hold for figures that nobody owns": (
        "for t in laid { move crow to t }",
        "for f in figures of hen { return f }",
        "  - id: trial.left\n    on: left(f)\n    when: f.owner is something\n"
        "    do: set seen = 1\n",
    ),
    "a playable tile, and a memory that no rule reads": (
        "set seen = 1",
        "if drawn is something { set fits = drawn is playable }",
        CLOSED,
    ),
    "two memories": ("set seen = 1", "set fits = true", ""),
    "companions of a kind that has none": (
        "for f in figures of hen { return f }",
        "if crow.companion is something { set fits = true }",
        "  - {id: trial.beside, on: step tally, after: [table.tally],"
        " do: 'for f in figures of peg { attach crow to f }'}\n",
    ),
}


@pytest.mark.parametrize("case", MEET.values(), ids=MEET.keys())
@pytest.mark.parametrize(("expected", "code"), [(at_one_step, "TW721"), (at_two_steps, "TW765")])
def test_what_does_not_commute_needs_an_order(expected, code, case, tmp_path: Path) -> None:
    found = diagnostics(expected(*case), tmp_path / "without")
    assert [d.code for d in found] == [code], [str(d) for d in found]
    assert len(found[0].notes) == 1 and found[0].conflict is not None
    assert not diagnostics(expected(*case, ordered=True), tmp_path / "with")


@pytest.mark.parametrize("case", APART.values(), ids=APART.keys())
@pytest.mark.parametrize("expected", [at_one_step, at_two_steps])
def test_what_commutes_needs_no_order(expected, case, tmp_path: Path) -> None:
    assert not diagnostics(expected(*case), tmp_path)


GIFT = (
    "# rules/trial.yaml\n"
    "steps:\n  gift: {{phase: turn, {0}label: {{en: a gift}}}}\n"
    "rules:\n  - {{id: trial.gift, on: step gift, do: award 1 to active}}\n"
)


def test_the_lines_that_settle_a_step_without_a_place_put_it_before_the_turn_passes(
    tmp_path: Path,
) -> None:
    (found,) = diagnostics(GIFT.format(""), tmp_path / "without")
    assert found.conflict is not None
    assert "after: [draw_tile]" in found.conflict.lines or "put_figure" in found.conflict.lines
    assert "before: [tally]" in found.conflict.lines
    words = ", ".join(line.strip() for line in found.conflict.lines.split("\n")[2:])
    assert not diagnostics(GIFT.format(f"{words}, "), tmp_path / "with")


def test_a_step_without_a_place_keeps_the_end_of_another_phase(tmp_path: Path) -> None:
    text = "# rules/trial.yaml\nmemory:\n  seen: {type: number, per: game}\nsteps:\n"
    text += "  last: {phase: final, label: last}\n  gift: {phase: final, PLACElabel: a gift}\n"
    text += "rules:\n  - {id: trial.last, on: step last, do: award 9 to active}\n"
    text += "  - {id: trial.gift, on: step gift, do: set seen = active.points}\n"
    (found,) = diagnostics(text.replace("PLACE", ""), tmp_path / "without")
    assert found.conflict is not None
    assert "after: [" in found.conflict.lines and "before" not in found.conflict.lines


STRANGERS = (
    "# trial/{0}/module.yaml\nid: trial/{0}\nkind: expansion\ntitle: more\n"
    "requires: {{base: trial/table}}\nprovides: [{0}]\n"
    "# trial/{0}/rules/trial.yaml\n"
    "steps:\n  {0}_step: {{phase: turn, after: [put_figure], before: [tally], label: {{en: x}}}}\n"
    "rules:\n  - {{id: {0}.rule, on: step {0}_step, do: {1}}}\n"
)


def test_the_lines_that_settle_two_steps_of_strangers_settle_them(tmp_path: Path) -> None:
    text = STRANGERS.format("one", "end game") + STRANGERS.format("two", "award 1 to active")
    library, _ = library_of(text, tmp_path / "without")
    _, reporter = load_game("trial/one+trial/two", {}, library)
    (found,) = reporter.diagnostics
    assert found.code == "TW765" and found.conflict is not None
    words = ", ".join(line.strip() for line in found.conflict.lines.split("\n")[2:])
    assert '"one_step?"' in words  # the other ruleset may be absent
    before, place = text.rsplit("after: [put_figure], before: [tally]", 1)
    text = f"{before}{words}{place}"
    library, _ = library_of(text, tmp_path / "with")
    for name in ("trial/one+trial/two", "trial/two"):
        game, reporter = load_game(name, {}, library)
        assert game is not None, [str(d) for d in reporter.diagnostics]


def test_the_line_that_settles_two_rules_of_strangers_is_a_key_of_the_rule(tmp_path: Path) -> None:
    text = "".join(
        f"# trial/{name}/module.yaml\nid: trial/{name}\nkind: house\ntitle: {name}\n"
        "requires: {base: trial/table}\n"
        f"# trial/{name}/rules/trial.yaml\nrules:\n"
        f"  - id: {name}.rule\n    on: paid(x)\n    do: {do}\n"
        for name, do in (("one", "end game"), ("two", "award 1 to active"))
    )
    library, _ = library_of(text, tmp_path / "without")
    _, reporter = load_game("trial/one+trial/two", {}, library)
    (found,) = reporter.diagnostics
    assert found.code == "TW721" and found.conflict is not None
    first, key = found.conflict.lines.split("\n")
    assert (first, key) == ("- id: two.rule", '  after: ["one.rule?"]')
    library, _ = library_of(text.replace(first, f"{first}\n  {key}"), tmp_path / "with")
    for name in ("trial/one+trial/two", "trial/two"):
        assert load_game(name, {}, library)[0] is not None


@pytest.mark.parametrize("order", ["", ", one_step"])
def test_conditions_that_exclude_each_other_need_no_order_unless_a_rule_changes_them(
    order: str, tmp_path: Path
) -> None:
    text = at_two_steps("award 1 to active", "end game", ordered=bool(order))
    apart = text.replace("step one_step, do", "step one_step, when: drawn is nothing, do")
    apart = apart.replace("step two_step, do", "step two_step, when: drawn is something, do")
    assert not diagnostics(apart, tmp_path / "apart")
    changed = apart.replace("award 1 to active", "draw drawn from pile")
    assert bool(diagnostics(changed, tmp_path / "changed")) is not bool(order)


def test_a_decision_that_nobody_may_decline_reads_what_says_so(tmp_path: Path) -> None:
    text = (
        MEMORY.split("\n")[0]
        + "\n  closed: {type: truth, per: game}\nrules:\n"
        + "  - {id: trial.must, amend: may_decline(who), value: not closed}\n"
        + "  - {id: trial.shut, on: step put_figure, do: set closed = true}\n"
    )
    (found,) = diagnostics("# rules/trial.yaml\n" + text, tmp_path)
    assert "`trial.shut` changes `closed`, which `table.offer` reads" in found.message


#: attributes that never change in a match
FIXED_ATTRIBUTES = {
    "figure": {"kind", "owner"},
    "tile": {"piece", "segments", "whole"},
    "cell": {"distance"},
    "segment": {"tile"},
    "player": {"owned"},
    "piece": {"kinds"},
    "placement": {"cell"},
    "print": {"cell", "sides"},
    "direction": {"opposite", "left", "right", "heading"},
    "heading": {"opposite", "left", "right", "straight"},
}
FIXED_GLOBALS = {"players", "all_figures", "directions", "headings", "tokens", "origin"}
FIXED_FUNCTIONS = {"count", "max", "min", "first", "next", "previous", "players_from", "cycle"}
FIXED_FUNCTIONS |= {"segments", "prints", "cells", "ahead", "beyond", "covered", "cell_away"}
FIXED_FUNCTIONS |= {"placement", "north_of"}


def test_every_primitive_says_what_it_reads_or_is_known_to_read_nothing() -> None:
    fixed = {(owner, name) for owner, names in FIXED_ATTRIBUTES.items() for name in names}
    assert {key for key, row in ATTRIBUTE.items() if not row.reads} == fixed
    assert {name for name, row in GLOBAL.items() if not row.reads} == FIXED_GLOBALS
    assert {name for name, row in FUNCTION.items() if not row.reads} == FIXED_FUNCTIONS
