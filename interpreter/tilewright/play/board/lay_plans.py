"""Precomputes the effect of laying a shape in a cell with a certain demand.

A plan lists all changes of the board. A pattern is the common part of several plans; a function
generated for the pattern (`lay_codegen`) carries out a plan with the plan's numbers.
"""

from __future__ import annotations

from typing import Any

from tilewright.play.board.lay_codegen import Growth, Pattern, Plan, lay_function
from tilewright.play.board.tile_tables import Shapes
from tilewright.play.encoding import OFFSETS

#: a count of uses that never comes to those for which a function is generated
NEVER = -(10**18)


def plan_of(shapes: Shapes, shape: int, demand: int) -> Plan:
    """The plan for laying a shape in a cell with this demand; computed once and cached."""
    plan = shapes.plans[shape].get(demand)
    if plan is None:
        plan = shapes.plans[shape][demand] = _made(shapes, shape, demand)
    return plan


def write(shapes: Shapes, shape: int, demand: int) -> None:
    """Generate the function that lays a shape in a cell with this demand from now on."""
    plan = plan_of(shapes, shape, demand)
    shapes.written[shape][demand] = (lay_function(pattern_of(plan)), numbers_of(shape, plan))


def _made(shapes: Shapes, shape: int, demand: int) -> Plan:
    """Compute the plan for a shape and a demand; raises when the shape does not fit."""
    if not shapes.meets(shape, demand):
        raise ValueError(f"piece `{shapes.piece_ids[shapes.piece_of[shape]]}` does not fit there")
    return made_anyway(shapes, shape, demand)


def made_anyway(shapes: Shapes, shape: int, demand: int) -> Plan:
    """The plan for a shape, also an enclosed one where a side is free."""
    digits = shapes.digits(demand)
    # edges that face each other join; others fit without joining
    own = shapes.digits(shapes.pattern[shape])
    is_joined = [a == shapes.facing[b - 1] + 1 for a, b in zip(digits, own, strict=True)]
    blind = [side for side in range(4) if digits[side] and not is_joined[side]]
    empty = tuple(
        (OFFSETS[side], shapes.demands[shape][side]) for side in range(4) if not digits[side]
    )
    growths: list[Growth] = []
    fresh: list[tuple[int, int, int]] = []
    new_values: list[tuple[int, int, int]] = []
    closing: list[int] = []
    segments = list(enumerate(shapes.segments[shape]))
    for index, segment in segments:
        touching = [(OFFSETS[side], port) for side, port in segment.joins if is_joined[side]]
        ends = segment.loose + len(segment.joins)
        if blind:
            ends -= sum(side in blind for side, _ in segment.joins)
        if touching:
            # each end that meets a tile closes itself and the end it meets: a + b - 2
            change = ends - 2 * len(touching)
            growths.append((index, change, *touching[0], tuple(touching[1:]), segment.values))
        else:
            fresh.append((index, segment.kind, ends))
            new_values += [(attribute, index, amount) for attribute, amount, _ in segment.values]
        # a feature that begins with open ends is not complete yet
        if shapes.closes[segment.kind] and (touching or not ends):
            closing.append(index)
    waits = tuple(index for index, segment in segments if segment.waits)
    cut = tuple(
        (OFFSETS[side], 3 * (side ^ 2) + port)
        for side in blind
        for port in shapes.edge_ends[digits[side] - 1]
    )
    plan: Plan = (
        empty,
        (0,) * len(segments),
        tuple(growths),
        tuple(fresh),
        tuple((index, other) for index, segment in segments for other in segment.borders),
        any(others for _, _, _, _, others, _ in growths),
        (tuple(new_values), waits, cut) if new_values or waits or cut else None,
        tuple(closing),
        [NEVER if cut else 0],
    )
    if cut:
        return plan  # no pattern has it, and few games have these plans
    uses = shapes.uses.setdefault(pattern_of(plan), [0])
    return (*plan[:-1], uses)


def pattern_of(plan: Plan) -> Pattern:
    """The pattern of a plan."""
    empty, blank, growths, fresh, bordering, _, more, closing, _ = plan
    return Pattern(
        empty=len(empty),
        segments=len(blank),
        growths=tuple((index, len(others), bool(brings)) for index, *_, others, brings in growths),
        fresh=tuple(index for index, _, _ in fresh),
        borders=bordering,
        brings=bool(more and more[0]),
        waits=more[1] if more else (),
        closing=closing,
    )


def numbers_of(shape: int, plan: Plan) -> tuple[Any, ...]:
    """The numbers of a plan, in the order in which the function of its pattern takes them."""
    empty, _, growths, fresh, _, _, more, _, _ = plan
    numbers: list[Any] = [shape]
    for opened in empty:
        numbers += opened
    for _, change, offset, port, others, values in growths:
        numbers += (offset, port)
        for other in others:
            numbers += other
        numbers.append(change)
        if values:
            numbers.append(values)
    for _, kind, ends in fresh:
        numbers += (kind, ends)
    if more and more[0]:
        numbers.append(more[0])
    return tuple(numbers)
