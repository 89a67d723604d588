"""Nothing is ordered silently: rules and steps that do not commute have a declared order.

Each case is one pair of rules at one step, or of steps, of the small game under `tests/rulesets`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleset_cases import library_of
from tilewright.source.diagnostics import Diagnostic
from tilewright.tools.load import load_game

MEMORY = (
    "memory:\n  seen: {type: number, per: game}\n  fits: {type: truth, per: game}\n"
    "  closed: {type: truth, per: game}\n  held: {type: 'piece?', per: game}\n"
)
COMPONENTS = (
    "# pieces.yaml\n"
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


def complaints(text: str, root: Path) -> list[Diagnostic]:
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
    "points that are read": ("set seen = active.points", "award 10 to active", ""),
    "points that a definition reads": (
        "set seen = wealth(active)",
        "award 10 to active",
        "definitions:\n  wealth: {parameters: {p: player}, type: number, law: one, "
        "says: so, otherwise: p.points}\n",
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
        "shuffle away into left_over",
        "set seen = count(left_over)",
        "",
    ),
    "a stack that a set looks into": (
        "shuffle away into left_over",
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
    "whose turn it is": ("set active = next(active)", "award 1 to active", ""),
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
        "for f in figures of peg { do send(f) }",
        "for f in figures of hen { do send(f) }",
        "  - {id: trial.send, procedure: 'send(f: figure)', do: return f}\n",
    ),
    "a reaction that does not hold for figures that nobody owns": (
        "for t in laid { move crow to t }",
        "for f in figures of hen { return f }",
        "  - id: trial.left\n    on: left(f)\n    when: f.owner is something\n"
        "    do: set seen = 1\n",
    ),
    "what is playable, and a memory no rule looks at": (
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
@pytest.mark.parametrize(("told", "code"), [(at_one_step, "TW721"), (at_two_steps, "TW765")])
def test_what_does_not_commute_needs_an_order(told, code, case, tmp_path: Path) -> None:
    found = complaints(told(*case), tmp_path / "without")
    assert [d.code for d in found] == [code], [str(d) for d in found]
    assert len(found[0].notes) == 1 and found[0].quarrel is not None
    assert not complaints(told(*case, ordered=True), tmp_path / "with")


@pytest.mark.parametrize("case", APART.values(), ids=APART.keys())
@pytest.mark.parametrize("told", [at_one_step, at_two_steps])
def test_what_commutes_needs_no_order(told, case, tmp_path: Path) -> None:
    assert not complaints(told(*case), tmp_path)
