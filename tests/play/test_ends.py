"""The ends of features, and the order of stacks, in play and on both engines.

The reference is counted by hand from the printed sides of segments.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.played import program_of
from support.ruleset_cases import library_of, ruleset
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.play.encoding import OFFSETS
from tilewright.play.library.functions import in_stack, open_cells, segments_with, stack_top
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.tools.workspace.loading import load_program

GAMES = ("house/open-roads-pay", "c2/farmers+c2/inns-and-cathedrals+house/open-roads-pay")


def walked(game: str, choices: int, seed: int) -> Match:
    match, rng = start_match(program_of(game), 2, seed), random.Random(seed)
    for _ in range(choices):
        match.choose_number(rng.randrange(match.count))
    return match


@pytest.mark.parametrize("game", GAMES)
def test_a_feature_leads_to_the_empty_cells_beyond_its_segments(game: str) -> None:
    board_of = walked(game, 60, 3)
    board = board_of.board
    for root in board.feature_roots():
        expected = [
            board.tile_cell[segment >> 5] + OFFSETS[side]
            for segment in board.all_segments()
            if board.find(board.tile_features[segment >> 5][segment & 31]) == root
            for side in board.shapes.segment_sides[board.tile_shape[segment >> 5]][segment & 31]
        ]
        empty = [cell for cell in dict.fromkeys(expected) if cell not in board.tile_at]
        assert open_cells(board_of, root) == empty
        if expected:  # a feature without sides waits for the cells around it
            assert bool(empty) == (board.open_ends[root] > 0)


@pytest.mark.parametrize("game", GAMES)
def test_segments_that_touch_are_of_one_feature_and_touch_each_other(game: str) -> None:
    match = walked(game, 60, 4)
    board = match.board
    touched = 0
    for segment in board.all_segments():
        for other in segments_with(match, segment, 4):
            touched += 1
            assert segment in segments_with(match, other, 4)
            own, theirs = (board.tile_features[s >> 5][s & 31] for s in (segment, other))
            assert board.find(own) == board.find(theirs)
    assert touched > 20


PILES = """memory:
  seen: {type: "piece?", per: game}
  third: {type: "piece?", per: game}
rules:
  - id: tray.filled
    on: step draw_tile
    after: [table.draw]
    when: pile is not empty
    do: |
      draw from pile into tray
      set seen = tray.top
      set third = in_stack(tray, 3)
      if in_stack(tray, 3) is something and pile.top is nothing { draw from tray into pile }
# trial/tray/components.yaml
stacks:
  tray: {label: tray, in_order: true}
"""


@needs_core
def test_both_engines_read_the_order_of_a_stack(tmp_path: Path) -> None:
    library, (id_,) = library_of(ruleset("tray", PILES), tmp_path)
    program, reporter = load_program(id_, library=library)
    assert program is not None, reporter.diagnostics
    match, other = begun(program, 2, 1)
    assert match is not None
    play_both(match, other, Named(id_, 2, 1), rng=random.Random(1))
    tray, pile = (program.stack_number[name] for name in ("tray", "pile"))
    assert match.memory[program.memory_number["seen"]] is not None
    pieces = match.stacks[tray]
    assert stack_top(match, tray) == pieces[0] == in_stack(match, tray, 1)
    assert in_stack(match, tray, len(pieces)) == pieces[-1]
    assert in_stack(match, tray, 0) is None is in_stack(match, tray, len(pieces) + 1)
    assert stack_top(match, pile) is None


@needs_core
@pytest.mark.parametrize("game", GAMES)
def test_both_engines_play_the_same(game: str) -> None:
    for seed in range(2):
        match, other = begun(program_of(game), 2, seed)
        assert match is not None
        play_both(match, other, Named(game, 2, seed), rng=random.Random(seed))
