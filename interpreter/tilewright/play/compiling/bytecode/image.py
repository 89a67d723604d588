"""The image of a program: sections of integers that the native core loads and verifies.

All functions that can be reached are translated until nothing new is learnt about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.play.compiling.bytecode.facts import (
    ON_END,
    ON_TURN,
    Facts,
    Knowledge,
    NewFactsError,
    Tallying,
)
from tilewright.play.compiling.bytecode.instructions import (
    INT,
    NONE_NUMBER,
    Instruction,
    NotCarried,
)
from tilewright.play.compiling.bytecode.passes.inlining import Routine, inlined
from tilewright.play.compiling.bytecode.tables import tables_of
from tilewright.play.compiling.bytecode.translation import (
    calls,
    decisions,
    loops,
    sets,
    statements,
    values,
)
from tilewright.play.compiling.bytecode.translation.writer import Writer
from tilewright.play.program import FinalRule, Program

Sections = dict[str, list[int]]


@dataclass(slots=True)
class Image:
    """The sections for the core, the names of functions for readers, and the parts of an option by
    site, which Python needs to enter a match.
    """

    sections: Sections
    names: list[str]
    site_parts: list[int]


@dataclass(slots=True)
class _Linker:
    """Puts the functions one behind another and numbers their constants."""

    instructions: Mapping[str, int]
    order: dict[str, int]
    code: list[int] = field(default_factory=list)
    constants: dict[int, int] = field(default_factory=dict)
    lists: dict[tuple[int, ...], int] = field(default_factory=dict)

    def add(self, code: list[Instruction]) -> None:
        """Append the code of a function."""
        begin = len(self.code)
        for each in code:
            k = each.k
            if each.to >= 0:
                k = begin + each.to
                if each.name in ("FOREACH", "NEXT"):
                    k |= each.k << 24
            elif each.callee:
                k = self.order[each.callee]
            elif each.values is not None and each.name == "LDC":
                if not NONE_NUMBER <= each.values[0] < -NONE_NUMBER:
                    raise NotCarried(f"a constant of more than 64 bits, {each.values[0]}")
                k = self.constants.setdefault(each.values[0], len(self.constants))
            elif each.values is not None:
                k = self.lists.setdefault(each.values, len(self.lists))
            number = self.instructions[each.name]
            word = number | each.a << 8 | each.b << 16 | each.c << 24 | (k & 0xFFFFFFFF) << 32
            self.code.append(signed(word))


def signed(word: int) -> int:
    """A number of 64 bits as a signed one."""
    return word - (1 << 64) if word >= 1 << 63 else word


def image_of(
    program: Program, instructions: Sequence[tuple[str, str]], tallying: Tallying | None = None
) -> Image:
    """The image of a program with its forms; `instructions` are the names and roles.

    With `tallying` its games are counted while they are played.

    Raises NotCarried when bytecode cannot express a rule of the game.
    """
    knowledge = translated(program, tallying)
    functions = inlined(dict(instructions), _routines(knowledge), _roots(knowledge, tallying))
    order = {name: i for i, name in enumerate(functions)}
    numbers = {name: number for number, (name, _) in enumerate(instructions)}
    sections = _of_code(functions, order, numbers)
    sections |= _of_state(knowledge, order)
    sections |= _of_game(program)
    sections |= tables_of(program)
    if tallying is not None:
        sections |= tallying.sections(order)
    site_parts = [knowledge.site_parts.get(i, 0) for i in range(len(program.sites))]
    return Image(sections, list(functions), site_parts)


def _routines(knowledge: Knowledge) -> dict[str, Routine]:
    """The functions with code."""
    return {
        name: Routine(
            facts.code,
            facts.words,
            sum(len((type_ or INT).words) for type_ in facts.parameters),
            (facts.result or INT).words,
        )
        for name, facts in knowledge.functions.items()
        if facts.code
    }


def _roots(knowledge: Knowledge, tallying: Tallying | None) -> list[str]:
    """The functions that the core calls by itself."""
    names = [*knowledge.unit_names, "ask_winners", *(name for name, _ in knowledge.ending)]
    names += ["ask_may_lay"] if knowledge.restricted else []
    names += [ON_TURN, ON_END] if tallying is not None else []
    functions = knowledge.functions
    return [name for name in dict.fromkeys(names) if name in functions and functions[name].code]


def _of_code(
    functions: Mapping[str, Routine], order: dict[str, int], instructions: Mapping[str, int]
) -> Sections:
    linker = _Linker(instructions, order)
    found: Sections = {
        name: [] for name in ("functions", "register_types_at", "register_types", "returns_at",
                              "returns", "constant_lists_at", "constant_lists")
    }  # fmt: skip
    for routine in functions.values():
        begin = len(linker.code)
        linker.add(routine.code)
        found["functions"] += [
            begin, len(linker.code), len(routine.words), routine.parameters
        ]  # fmt: skip
        found["register_types_at"].append(len(found["register_types"]))
        found["register_types"] += routine.words
        found["returns_at"].append(len(found["returns"]))
        found["returns"] += routine.returns
    for constants in linker.lists:
        found["constant_lists_at"].append(len(found["constant_lists"]))
        found["constant_lists"] += constants
    for name, ends in (("register_types", 0), ("returns", 0), ("constant_lists", 0)):
        found[f"{name}_at"].append(ends + len(found[name]))
    return found | {"code": linker.code, "constants": list(linker.constants)}


#: the numbers of what `exchange` changes in memory
_EXCHANGED = {"": 0, "player": 1, "figure": 2, "stack": 3, "item stack": 3}


def _of_state(knowledge: Knowledge, order: dict[str, int]) -> Sections:
    """The data that a match keeps between decisions: memory, frames, options."""
    program = knowledge.program
    saved: list[int] = []
    for name, facts in knowledge.functions.items():
        if facts.unit >= 0 and name in order:
            for block, types in sorted(facts.saved.items()):
                saved += [facts.unit, block, len(types), *((t or INT).code for t in types)]
    start = [
        NONE_NUMBER if value is None else int(value) if isinstance(value, int) else 0
        for value in (
            kept if memory.of else value
            for memory, value, kept in zip(
                program.game.memory, program.memory_start, program.kept_start, strict=True
            )
        )
    ]
    return {
        "units": [order.get(name, -1) for name in knowledge.unit_names],
        "roots": [order.get("ask_may_lay", -1) if knowledge.restricted else -1,
                  order.get("ask_winners", -1)],
        "ending": [n for name, how in knowledge.ending for n in (order[name], how)],
        "memory_types": [type_.code for type_ in knowledge.memory],
        "memory_start": start,
        "memory_exchanged": [
            _EXCHANGED[owner] + 4 * _EXCHANGED[value]
            for owner, value in (memory.exchanged for memory in program.game.memory)
        ],
        "saved": saved,
    }  # fmt: skip


def _of_game(program: Program) -> Sections:
    """The declarations of the game: pieces, stacks, tokens, figures, roles."""
    game = program.game
    stacks = [game.stack_of(each) for each in game.stacked]
    roles = program.role_of
    traits = game.traits
    return {
        "restricted": [int(each) for each in program.constrained],
        "piece_counts": [each.count for each in game.stacked],
        "piece_stacks": [program.stack_number[stack] for stack in stacks],
        "stack_readers": list(game.stack_readers),
        "owned_stacks": list(program.owned_stacks.values()),
        "in_order": [int(each) for each in program.in_order],
        "stream_names": [signed(each) for each in program.stream_names],
        "tokens": [token.count for token in game.tokens],
        # to the core, what occupies is one trait more, which no token has
        "token_traits": [
            *(int(t in token.traits) for t in traits for token in game.tokens),
            *(0 for _ in game.tokens if program.occupying),
        ],
        "figure_kinds": [n for f in game.figures for n in (f.count, int(f.owned))],
        "figure_traits": [
            *(int(t in figure.traits) for t in traits for figure in game.figures),
            *map(int, program.occupying or ()),
        ],
        "roles": [int(each) for row in program.roles for each in row],
        "role_kinds": [int(f in kinds) for kinds, _ in roles for f in range(len(game.figures))],
        "role_on": [on for _, on in roles],
    }


#: rounds after which a function that is still changing is given up. Types only grow, so that few
#: rounds are needed: the turn of a game of thirteen boxes takes 5.
MAX_ROUNDS = 400

#: the modules that know the forms: they enter their functions into the tables of `writer`
FORMS = (calls, decisions, loops, sets, statements, values)


def translated(program: Program, tallying: Tallying | None = None) -> Knowledge:
    """The functions of a program, each with its code, and those that count games.

    Raises NotCarried for a form that bytecode cannot express.
    """
    try:
        return _translated(program, program.ending, tallying)
    except NotCarried:
        if not program.ending:
            raise
        # these functions save time, but the final scoring can also be played
        return _translated(program, (), tallying)


def _translated(
    program: Program, ending: Sequence[FinalRule], tallying: Tallying | None
) -> Knowledge:
    knowledge = Knowledge(program, tallying)

    def translate(name: str) -> Facts:
        facts = knowledge.function(name)
        if not facts.is_stale or facts.is_open:
            return facts
        facts.is_open = True
        for _ in range(MAX_ROUNDS):
            facts.is_stale = facts.changed = False
            writer = Writer(knowledge, facts, translate)
            try:
                facts.code = statements.written(writer)
            except NewFactsError:
                continue
            except NotCarried as refusal:
                # the facts may still grow; a refusal counts only when nothing is new
                if not facts.changed:
                    facts.is_open, facts.is_stale = False, True
                    raise NotCarried(refusal.reason, refusal.function or name) from refusal
                continue
            facts.words = writer.words
            break
        else:
            raise NotCarried("types that never settle", name)
        facts.is_open = False
        return facts

    roots = [*knowledge.require_roots(), *knowledge.require_ending(ending)]
    while stale := [*roots, *(n for n, f in knowledge.functions.items() if f.is_stale)]:
        for name in stale:
            try:
                translate(name)
            except RecursionError as error:
                raise NotCarried("too many calls inside each other", name) from error
        roots = []
    return knowledge
