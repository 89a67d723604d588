"""Rules do the same as planned and as they are written, on random boards.

With probes a game is compiled as it is written: every call is a call, every condition comes in the
order of the text, and every set is searched.
"""

from __future__ import annotations

from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from support.examples import examples
from support.probe_game import checked, game, position, program_with
from support.random_programs import remember_things, sound_text
from support.typed_programs import Writer
from tilewright.faces.cli.views.rule import node_lines
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling.compile_game import plan_of
from tilewright.play.faults import RuleError
from tilewright.play.match import Match

#: random sets of tiles, segments and features near others, with cheap and dear conditions
_NEAR = (
    "around(m.cell)",
    "neighbours(m.cell)",
    "line(m.cell, east)",
    "within(m.cell, north.heading, 2)",
)
_TESTS = (
    "count(t.segments) > 2",
    "t is not m",
    "(any s in t.segments: s.feature is complete)",
    "(any f in figures: f is placed and f.cell is t.cell)",
    "cosy(t.cell)",
    "liked(t.cell)",
)


def near(rng: Random) -> str:
    """A random text that looks for tiles near others."""
    first, second = rng.sample(_TESTS, 2)
    join = rng.choice(("and", "or"))
    inner = f"t.cell in {rng.choice(_NEAR)} and ({first} {join} {second})"
    kind = rng.choice(("any", "any", "all"))
    source = rng.choice(("tiles", "those u in tiles: count(u.segments) > 1"))
    test = f"{kind} m in ({source}): {inner}"
    return f"set many.tile = those t in tiles: {test}\nset one_number = count(many.tile)"


def both(text: str, seed: int) -> tuple[Match, Match]:
    """A position of the probe game under a program as planned, and as it is written."""
    found = []
    for probes in (False, True):
        match = position(seed, program_with(text, probes=probes))
        if match.to_move >= 0:
            remember_things(match, Random(seed))
        found.append(match)
    return found[0], found[1]


def same_to_the_end(text: str, seed: int, choices: int = 20) -> None:
    """Make the same choices under both programs."""
    planned, written = both(text, seed)
    rng = Random(seed)
    for _ in range(choices):
        assert state(planned) == state(written), text
        if planned.to_move < 0:
            return
        k = rng.randrange(planned.count)
        faults = [fault_of(match, k) for match in (planned, written)]
        assert faults[0] == faults[1], text
        if faults[0]:
            return


def state(match: Match) -> object:
    """All that rules and players know of a match."""
    return match.to_move, match.count, match.points, match.memory, match.spot, match.tokens


def fault_of(match: Match, k: int) -> bool:
    """Whether a choice is a fault of the rules."""
    try:
        match.choose_number(k)
    except RuleError:
        return True
    return False


@examples(40)
@given(st.randoms(use_true_random=False), st.integers(0, 39))
def test_a_random_program_does_the_same_as_it_is_written(rng: Random, seed: int) -> None:
    text = sound_text(Writer(rng))
    assume(text is not None)
    assert text is not None
    same_to_the_end(text, seed)


@examples(40)
@given(st.randoms(use_true_random=False), st.integers(0, 39))
def test_tiles_near_others_are_the_same_as_they_are_written(rng: Random, seed: int) -> None:
    same_to_the_end(near(rng), seed)


def test_the_plan_of_a_rule_has_a_cost_for_each_expression() -> None:
    text = "stop if a is nothing\nset many.tile = those t in tiles: t.cell in around(a.cell)"
    effects = checked(f"let a = first(tiles)\n{text}", Reporter.discarding())
    assert effects is not None
    [(_, plan)], cost_of = plan_of(game(), [("do", effects)])
    lines = node_lines(plan, note=cost_of)
    [found] = [line for line in lines if "tiles_at" in line]
    assert "Quantifier" not in "".join(lines)
    assert 0 < int(found.split()[-1]) < cost_of(_written(effects))


def _written(effects: t.Body) -> t.Expression:
    return next(each for each in t.walk_body(effects) if isinstance(each, t.Quantifier))
