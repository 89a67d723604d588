"""The turn of base and farmers written in Python on the same match, to see what data costs.

It does what the compiled steps do, with the same primitives, the same choices in the same order
and the same questions compiled from data for scoring; only the steps and the action are written by
hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.language.typing import typed_ast as t
from tilewright.play.match import Match
from tilewright.play.program import Program


def turn_in_python(program: Program) -> Callable[[Match, list[Any]], bool]:
    """A unit that can replace the compiled turn."""
    drawn_at, laid_at = program.memory_number["drawn"], program.memory_number["laid"]
    land, discarded = program.stack_number["land"], program.stack_number["discarded"]
    kinds = program.shapes.segment_kind
    roles = program.roles
    effects = [site.effect for site in program.sites]
    lay_site = next(i for i, e in enumerate(effects) if isinstance(e, t.Choose))
    offer_site = next(i for i, e in enumerate(effects) if isinstance(e, t.Offer))
    score_site = next(i for i, s in enumerate(program.sites) if s.rule == "scoring.feature")
    scorers, points = program.definitions["scorers"], program.definitions["points"]

    def turn(m: Match, frame: list[Any]) -> bool:
        board, memory = m.board, m.memory
        at = frame[1]
        if at == 0:
            memory[drawn_at], memory[laid_at] = None, 0
            for _ in range(len(m.stacks[land])):
                piece = m.draw(land)
                if board.count(piece):
                    memory[drawn_at] = piece
                    break
                m.put(piece, discarded)
            else:
                m.end_game()
                return True
            m.ask_placement(m.active, piece, lay_site, False)
            frame[1] = 1
            return True
        if at == 1:
            memory[laid_at] = m.lay(memory[drawn_at], m.chosen)
            tile = len(board.tile_cell) - 1
            supply = m.in_supply & m.of_player[m.active]
            if supply:
                figure = (supply & -supply).bit_length() - 1
                row = roles[m.figure_kind[figure]]
                options = []
                for index, kind in enumerate(kinds[board.tile_shape[tile]]):
                    feature = board.find(board.tile_features[tile][index])
                    if row[kind] and not board.figures[feature]:
                        options.append((0, figure, (tile << 5) + index))
                if options:
                    m.ask(m.active, options, offer_site, True)
                    frame[1] = 2
                    return True
        elif not m.passed:
            m.move_to_segment(m.chosen[1], m.chosen[2])
        for feature in board.completed:
            if board.figures[feature]:
                for player in scorers(m, feature):
                    m.award(points(m, feature), player, feature, score_site, (feature,))
                mask = board.figures[feature]
                while mask:
                    low = mask & -mask
                    mask ^= low
                    m.send_home(low.bit_length() - 1)
        if not m.stacks[land]:
            m.end_game()
            return True
        m.active = m.next_player[m.active]
        m.frames.pop()
        return False

    return turn
