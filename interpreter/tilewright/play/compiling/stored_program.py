"""Turns the compiled part of a program into bytes, and these bytes back into a program.

Stored are the code objects of the rules, the numbered places in them, and the tables of tiles. All
the rest is computed from the linked game again. The bytes are made by `marshal` and hold code that
will run: they must come from a place where only the user can write (`SECURITY.md`). They are valid
for the same version of Python and of Tilewright, and for a game with the same `content_key`.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from tilewright.language.source.text import Span
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.board.build_tile_tables import BACK
from tilewright.play.board.tile_tables import Covers, Shapes, ShapeSegment
from tilewright.play.compiling.compile_game import finished
from tilewright.play.compiling.compiler import Compiler
from tilewright.play.compiling.draft import Draft
from tilewright.play.program import FinalRule, Program
from tilewright.play.sites import Condition, Held, Site
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.walk import effects_of
from tilewright.rules.model.ruleset import codes_of

#: tables that are filled while matches are played
_FILLED_LATER = ("plans", "written", "uses", "met")
#: tables whose rows name cells of pieces or are named tuples
_CONVERTED = ("face_of", "segments", "covers")


def content_key(game: Game) -> str:
    """A text with everything in a linked game that its program depends on.

    It contains more than the hash of the game: the places of the rules' texts, the order of
    declarations, which numbers them, and the measures.
    """
    rules = [(rule.rule.head.id, codes_of(rule.rule)) for rule in game.rules()]
    values = [(value.declaration, value.type, value.term) for value in game.values.values()]
    events = [(event.id, event.parameters) for event in game.events.values()]
    return repr((
        game.id, game.hash, game.options, game.features, game.symbols, game.figures, game.tokens,
        game.items,
        game.roles, game.traits, game.stacks, game.pieces, game.seats, game.memory, game.patches,
        [definition.declaration for definition in game.definitions.values()],
        [step.declaration for step in game.steps],
        [measure.declaration for measure in game.measures],
        rules, values, events, sorted(game.live),
    ))  # fmt: skip


def stored(program: Program) -> bytes:
    """The compiled part of a program that was just made, without the forms of its functions."""
    game = program.game
    number_of = {id(effect): number for number, effect in enumerate(_effects(game))}
    sites = [
        (s.rule, s.ruleset, s.label, _type(s.type), s.variable, number_of[id(s.effect)], s.step)
        for s in program.sites
    ]
    content: dict[str, Any] = {
        "code": {
            name: value.__code__
            for name, value in program.scope.items()
            if isinstance(value, FunctionType) and value.__globals__ is program.scope
        },
        "units": [unit.__name__ for unit in program.units],
        "definitions": _names(program.definitions),
        "amendments": _names(program.amendments),
        "option_listers": _names(program.option_listers),
        "ending": [
            (
                [
                    function and function.__name__
                    for function in (part.each, part.facts, part.whole)
                ],
                (part.figures_beside, part.reads_free),
            )
            for part in program.ending
        ],
        "sites": sites,
        "names_at": dict(program.names_at),
        "kept": {place: list(map(_held, held)) for place, held in program.kept.items()},
        "steps_at": dict(program.steps_at),
        "files": list(program.files),
        "conditions": [(c.rule, _span(c.span)) for c in program.conditions],
        "constrained": program.constrained,
        "shapes": _stored_shapes(program.shapes, game),
    }
    return marshal.dumps(content)


def restored(data: bytes, game: Game, *, probes: bool = False, measures: bool = False) -> Program:
    """The program of a game from the bytes that `stored` made of it.

    `game` must have the `content_key` of the stored one, and the flags must be the same.
    """
    content = marshal.loads(data)
    shapes = _restored_shapes(content["shapes"], game)
    draft = Draft(game, probes=probes, measures=measures, shapes=shapes)
    draft.forms = None
    functions: dict[str, Callable[..., Any]] = {
        name: FunctionType(code, draft.scope) for name, code in content["code"].items()
    }
    draft.scope.update(functions)
    draft.units = [functions[name] for name in content["units"]]
    draft.definitions = {id_: functions[name] for id_, name in content["definitions"].items()}
    draft.amendments = {id_: functions[name] for id_, name in content["amendments"].items()}
    draft.option_listers = {id_: functions[name] for id_, name in content["option_listers"].items()}
    draft.sites = _restored_sites(content["sites"], game)
    draft.names_at = content["names_at"]
    draft.kept = {
        place: tuple(map(_restored_held, held)) for place, held in content["kept"].items()
    }
    draft.steps_at = content["steps_at"]
    draft.files = content["files"]
    draft.conditions = [Condition(rule, Span(*span)) for rule, span in content["conditions"]]
    draft.condition_hits = [0 for _ in draft.conditions]
    ending = []
    for names, flags in content["ending"]:
        each, facts, whole = map(functions.get, names)
        ending.append(FinalRule(each, facts, whole, *flags))
    return finished(draft, content["constrained"], tuple(ending), _evaluator(draft))


def _evaluator(draft: Draft) -> Callable[[t.Expression, Sequence[str]], Callable[..., Any]]:
    """Compiles expressions; few programs need it, so its compiler is made at the first."""
    compilers: list[Compiler] = []

    def function_of(term: t.Expression, parameters: Sequence[str]) -> Callable[..., Any]:
        if not compilers:
            compilers.append(Compiler(draft))
        return compilers[0].evaluator(term, parameters)

    return function_of


def _effects(game: Game) -> list[t.Effect]:
    """All effects of the rules of a game, in a fixed order."""
    return [effect for rule in game.rules() for effect in effects_of(rule)]


def _names(functions: Mapping[str, Callable[..., Any]]) -> dict[str, str]:
    """By id, the names of compiled functions in the scope of their program."""
    return {id_: function.__name__ for id_, function in functions.items()}


def _type(type_: Type) -> tuple[str, bool, bool]:
    return type_.base, type_.many, type_.optional


def _held(held: Held | None) -> tuple[tuple[str, bool, bool], bool] | None:
    return None if held is None else (_type(held.type), held.is_listed)


def _restored_held(held: tuple[tuple[str, bool, bool], bool] | None) -> Held | None:
    return None if held is None else Held(Type(*held[0]), held[1])


def _span(span: Span) -> tuple[str, int, int, int, int]:
    return span.file, span.line, span.column, span.end_line, span.end_column


def _restored_sites(rows: Sequence[Sequence[Any]], game: Game) -> list[Site]:
    effects = _effects(game)
    actions = {step.id: step.actions for step in game.steps}
    found = []
    for rule, ruleset, label, type_, variable, number, step in rows:
        effect = effects[number]
        offered = actions[step] if isinstance(effect, t.Offer) else ()
        found.append(Site(rule, ruleset, label, Type(*type_), variable, offered, effect, step))
    return found


# ------------------------------------------------------------------ the tables of tiles


def _stored_shapes(shapes: Shapes, game: Game) -> dict[str, Any]:
    place_of = {
        id(cell): (number, up, index)
        for number, piece in enumerate(game.pieces)
        for up, face in enumerate(piece.faces)
        for index, cell in enumerate(face)
    }
    left_out = {*_FILLED_LATER, *_CONVERTED}
    rows = {name: value for name, value in vars(shapes).items() if name not in left_out}
    rows["face_of"] = [None if cell is BACK else place_of[id(cell)] for cell in shapes.face_of]
    rows["covers"] = tuple(shapes.covers)
    rows["segments"] = [[tuple(segment) for segment in row] for row in shapes.segments]
    return rows


def _restored_shapes(rows: dict[str, Any], game: Game) -> Shapes:
    shapes = Shapes(game.features, rows["edge_names"])
    for name, value in rows.items():
        setattr(shapes, name, value)
    shapes.face_of = tuple(
        BACK if place is None else game.pieces[place[0]].faces[place[1]][place[2]]
        for place in rows["face_of"]
    )
    shapes.segments = tuple(tuple(map(ShapeSegment._make, row)) for row in rows["segments"])
    shapes.covers = Covers(*rows["covers"])
    shapes.plans = tuple({} for _ in shapes.face_of)
    shapes.written = tuple({} for _ in shapes.face_of)
    return shapes
