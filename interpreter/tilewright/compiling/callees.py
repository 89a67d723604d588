"""What the body of one rule needs to know of the rest of the game: verbs, other bodies, places.

The compiler answers, the emitter asks. Python for the verbs stands here as well, in one table.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.compiling.emit import constant, give, load
from tilewright.compiling.emit_expressions import TermEmitter
from tilewright.language import builtins as p
from tilewright.language import typed_ast as t

VERB_CODE: dict[str, str] = {
    "lay": "m.lay(A, B)",
    "take": "m.take(A, B)",
    "put": "m.put(A, B)",
    "shuffle": "m.pour(A, B)",
    "move segment": "m.move_to_segment(A, B)",
    "move tile": "m.move_to_tile(A, B)",
    "move cell": "m.move_to_tile(A, tile_in(m, B))",
    "move stack": "m.move_beside(A, B)",
    "return": "m.send_home(A)",
    "remove": "m.send_home(A)",
    "hand": "m.hand(A, B)",
    "attach": "m.attach(A, B)",
    "face": "m.turn_to(A, B)",
    "give": "m.give(A, B)",
    "spend": "m.spend(A, B)",
    "award": "m.award(A, B, C, D, E)",
}


@dataclass(frozen=True, slots=True)
class Reaction:
    """Another body as the emitter sees it: its Python name, its number when it may wait, and
    whether it may end the game."""

    name: str
    unit: int | None
    ends: bool = False


@dataclass(slots=True)
class Calls:
    """What the emitter asks the compiler about the rest of the game."""

    terms: TermEmitter
    memory: Callable[[str], int]
    rule: Callable[[], str]  # the id of the rule at hand
    procedure: Callable[[str], Reaction]
    reactions: Callable[[str], Sequence[Reaction]]
    offers: Callable[[], Sequence[tuple[str, Reaction]]]  # of the step at hand: lister, effects
    may_decline: Callable[[ast.expr], ast.expr]  # whether a player may take no action at all
    site: Callable[[t.Choose | t.Offer | t.Verb], int]
    saved: Callable[[int, Sequence[str]], None]  # the names in the frame while a site waits
    companions: ast.expr | None  # those beside whom a rule may have put another figure
    in_order: bool  # whether what is drawn from some stack is no matter of chance


def announced(effect: t.Effect) -> str:
    """The event that an effect announces, of itself or because it says so; or nothing."""
    match effect:
        case t.Announce(event) | t.Verb(p.VerbDecl(announces=event)):
            return event
    return ""


def may_leave(verb: p.VerbDecl) -> bool:
    """Whether a figure may leave its tile by this verb, so that its companions let go."""
    return verb == p.REMOVE or verb.announces == "left"


def plain_call(callee: Reaction, arguments: list[ast.expr]) -> ast.stmt:
    """A call of a body that asks nobody; when it ends the game, so does its caller."""
    call = ast.Call(load(callee.name), [load("m"), *arguments], [])
    return ast.If(call, [give(constant(True))], []) if callee.ends else ast.Expr(call)
