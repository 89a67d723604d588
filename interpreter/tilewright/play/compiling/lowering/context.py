"""The game as lowering sees it: numbers of names, costs, other functions, and the rule at hand."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tilewright.language import builtins as p
from tilewright.language.types import NUMBER, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.draft import Draft
from tilewright.play.compiling.facts.cost_bounds import Bounds, leaves_early
from tilewright.play.compiling.facts.needed_facts import with_needed
from tilewright.play.compiling.facts.needed_memory import NOTHING_NEEDED, Needed, needed, needed_by
from tilewright.play.compiling.facts.number_bounds import Magnitudes
from tilewright.play.compiling.facts.tiles_by_cells import by_cells
from tilewright.play.compiling.passes.inlining import (
    NOTHING_GIVEN,
    Given,
    Inliner,
    costs_of_definitions,
)
from tilewright.play.compiling.reuse import Memo, Reuse
from tilewright.play.library.kept import law_of
from tilewright.play.sites import Condition, Site
from tilewright.rules.linking.game import LinkedAction, LinkedStep
from tilewright.rules.linking.walk import carries_out, effects_of


@dataclass(frozen=True, slots=True)
class Callee:
    """Another body, as rules call it: the name of its function, its unit number when it may wait,
    and whether it may end the game."""

    name: str
    unit: int | None
    ends: bool = False


class Context:
    """The facts of one game that its code depends on; look-ups of them are recorded for reuse."""

    def __init__(self, program: Draft, memo: Memo | None = None) -> None:
        self.program = program
        #: the figures that may have a companion, () for all; None when no rule attaches figures
        self.companions = _companions(program)
        self.reuse = Reuse(program, memo, (*_tables_of(program), self.companions))
        watched, asked = self.reuse.watched, self.reuse.asked
        self.game = game = replace(
            program.game,
            values=watched("value", program.game.values),
            definitions=watched("definition", program.game.definitions),
            events=watched("event", program.game.events),
            procedures=watched("procedure", program.game.procedures),
        )
        self.magnitudes = Magnitudes(game)
        self.magnitudes.definitions = watched("magnitude", self.magnitudes.definitions)
        self.rule = ""
        self.ruleset = ""
        self.definition = ""  # the definition whose default is compiled
        self.step: LinkedStep | None = None
        self.records = program.probes  # whether conditions are recorded
        #: the cost of a call, for callees that count every call
        self.cost_of_call = asked("cost", lambda name: self.bounds.calls.get(name))
        self.bill = asked("bill", self._bill)
        #: whether sets of a type may grow beyond what the board gives them
        self.may_grow = asked("grows", lambda type_: self.bounds.may_grow(type_))
        #: whether an action has few options on any board
        self.lists_few = asked("few", lambda action: self.bounds.lists_few(action))
        self.cost_of_block = asked("block", lambda effects: self.bounds.block(effects))
        self.needed_where = asked("needed", self._needed_where)
        self.file_number = asked("file", program.file_number)
        self.actions = watched("actions", {step.id: step.actions for step in game.steps})
        self.callees: Mapping[str, Callee] = {}
        #: the functions of rules that may lay a piece, and so join features
        self.laying: Mapping[str, bool] = {}
        cost_of_definition = asked("cost of definition", costs_of_definitions(program.game))
        self.inliner = Inliner(game, self.magnitudes, self.cost_of_call, cost_of_definition)
        #: the number of the mask of all figures that occupy; -1 when all do, None when each is
        #: tested
        self.occupants = _occupants(program)
        self.edges_alone = not game.is_amended("may_lay")  # whether only edges decide placements
        #: whether a feature can become another kind, whether laid tiles can change, and whether
        #: they can lie face down
        self.recasts = carries_out(program.game, p.RECAST)
        self.relays = carries_out(program.game, *p.RELAYING)
        self.hides = carries_out(program.game, *p.HIDING)
        drawn = {type_: len(program.in_order) + i for i, type_ in enumerate(program.drawn_types)}
        self.stream_of = drawn  # the stream of the draws of members of a type
        self.in_order = any(program.in_order)  # whether some stack is drawn without chance

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds of the cost of all rules; a single expression is compiled without them."""
        return Bounds(self.program.game)

    def metered(
        self,
        members: f.Expr,
        source: t.Expression,
        inside: t.Expression | t.Body,
        times: int = 1,
    ) -> f.Expr:
        """The members of a loop that runs so many times, with its steps counted if it is long."""
        bill = self._counted(source, inside)
        if bill is None or (isinstance(inside, tuple) and leaves_early(inside)):
            return members
        steps = f.Const(bill * times)
        return f.prim(op.METERED, members, steps, f.Const(self.counted_by))

    def metered_long(self, members: f.Expr, type_: Type, each: int) -> f.Expr:
        """A set, with its members counted if it is long."""
        if not self.counted_by or not self.may_grow(type_):
            return members
        return f.prim(op.METERED_LONG, members, f.Const(each), f.Const(self.counted_by))

    @property
    def counted_by(self) -> str:
        """The rule or definition that counts the steps of the code at hand."""
        return self.rule or self.definition

    def block(self, effects: t.Body) -> list[f.Stmt]:
        """The statements that count a block that not every run comes to."""
        steps = self.cost_of_block(effects)
        return [] if steps is None else [_spent(steps, self.rule)]

    def each_round(self, source: t.Expression, inside: t.Body) -> list[f.Stmt]:
        """The statements that count one round of a loop that may be left before its end."""
        bill = self._counted(source, inside)
        if bill is None or not leaves_early(inside):
            return []
        return [_spent(bill, self.counted_by)]

    def _counted(self, source: t.Expression, inside: t.Expression | t.Body) -> int | None:
        # an expression outside all rules is not counted
        return self.bill((source, inside)) if self.counted_by else None

    def _bill(self, loop: tuple[t.Expression, t.Expression | t.Body]) -> int | None:
        """The steps counted for one iteration of a loop, if it is counted."""
        source, inside = loop
        return None if self.bounds.is_light(source, inside) else self.bounds.bill(inside)

    def needed(self, condition: t.Expression) -> Needed:
        """The memory with sets that must have members where a condition is true."""
        # a condition with a probe is evaluated also where it cannot be true
        return NOTHING_NEEDED if self.program.probes else needed(condition, self.needed_where)

    def _needed_where(self, definition: str) -> Needed:
        """The memory with sets that must have members where a definition holds."""
        return needed_by(self.program.game.definitions[definition], self._needed_where)

    def on_the_bill(self, name: str) -> list[f.Stmt]:
        """The statements that count a call of an expensive rule or definition."""
        steps = self.cost_of_call(name)
        if steps is None:
            return []
        return [_spent(steps, name.partition(" ")[2])]

    def number_of(self, category: str, id_: str) -> int:
        """The number of a declared thing in compiled code."""
        program = self.program
        match category:
            case "direction" | "heading":
                return int(id_)
            case "feature kind":
                return program.kind_number(id_)
            case "figure kind":
                return program.figure_number[id_]
            case "figure":
                return figure_number(program, id_)
            case "piece" | "item":
                return program.piece_number[id_]
            case "stack":
                found = program.owned_stacks.get(id_)
                return program.stack_number[id_] if found is None else found
            case "token":
                return [t.id for t in self.game.tokens].index(id_)
            case "symbol":
                return [s.id for s in self.game.symbols].index(id_)
            case "role":
                return [r.id for r in self.game.roles].index(id_)
            case "action":
                return self.game.actions.index(id_)
            case "trait":
                return self.game.traits.index(id_)
        raise AssertionError(f"{category} {id_}")

    def memory(self, id_: str) -> int:
        """The slot of a variable of the match."""
        return self.program.memory_number[id_]

    def law(self, id_: str) -> int:
        """The number of how a memory combines the values of features."""
        return law_of(self.game.memory[self.memory(id_)])

    def planned(self, node: t.Expression, given: Given = NOTHING_GIVEN) -> t.Expression:
        """The expression as it is evaluated.

        Parameters are replaced and definitions written out, the facts that tests need come before
        them, and things near others are found by their cells.
        """
        if self.program.probes:  # as it is written
            return self.inliner.inlined(node, given) if given else node
        return by_cells(self._needing(self.inliner.inlined(node, given)))

    def _needing(self, node: t.Expression) -> t.Expression:
        return with_needed(t.mapped(node, self._needing), self.game)

    def attributes(self, id_: str) -> tuple[int, ...]:
        """The numbers of the attributes with a name, of each kind of feature that has it."""
        return tuple(i for i, (_, name) in enumerate(self.program.attributes) if name == id_)

    def arrows(self, id_: str) -> tuple[int | None, ...]:
        """By shape of a tile: the heading of a symbol printed on it, or None."""
        shapes = self.program.shapes
        return tuple(
            dict(face.turned_arrows(turn)).get(id_)
            for face, turn in zip(shapes.face_of, shapes.turn_of, strict=True)
        )

    def item_numbers(self, id_: str) -> tuple[int, tuple[int, ...]]:
        """The number of the first item, and a number of each item, by its name."""
        numbers = tuple(dict(item.numbers).get(id_, 0) for item in self.game.items)
        return len(self.game.pieces), numbers

    def probe(self, value: f.Expr, term: t.Expression) -> f.Expr:
        """The value of a condition; with probes it is recorded each time."""
        if not self.records or isinstance(term, t.Literal):  # a literal is constant
            return value
        self.program.conditions.append(Condition(self.rule, term.span))
        self.program.condition_hits.append(0)
        return f.prim(op.PROBE, f.Const(len(self.program.conditions) - 1), value)

    # -------------------------------------------------------------- other functions, and sites

    def procedure(self, id_: str) -> Callee:
        """The body of a procedure."""
        return self.callees[f"procedure {id_}"]

    def reactions(self, event: str) -> list[Callee]:
        """The reactions on an event; listeners of measures are notified first."""
        if not event:
            return []
        measures = [Callee(f"measure_{event}", None)] if event in self.program.measured else []
        reactions = self.game.events[event].reactions
        return measures + [self.callees[f"on {event}: {r.id}"] for r in reactions]

    def site(self, effect: t.Choose | t.Offer | t.Verb) -> int:
        """The number of a new site: a decision, or an award of points."""
        label, variable, type_, actions = "", "", NUMBER, tuple[LinkedAction, ...]()
        match effect:
            case t.Choose():
                label, variable, type_ = effect.label, effect.variable, effect.source.type.one
            case t.Offer():
                actions = tuple(self.offered())
        step = self.step.id if self.step is not None else ""
        self.program.sites.append(
            Site(self.rule, self.ruleset, label, type_, variable, actions, effect, step)
        )
        return len(self.program.sites) - 1

    def saved(self, site: int, names: Sequence[str]) -> None:
        """Record the local names that the frame holds while a decision waits."""
        held = tuple(name.removeprefix("v_") for name in names)
        self.reuse.enter("names_at", site, held)

    def offered(self) -> Sequence[LinkedAction]:
        """The actions of the current step."""
        assert self.step is not None
        return self.actions[self.step.id]

    def may_decline(self, who: f.Expr) -> f.Expr:
        """Whether a player may take no action, as an expression."""
        if not self.game.is_amended("may_decline"):
            return f.Const(True)
        return f.Call("ask_may_decline", [f.bare(who)])


def _companions(program: Draft) -> tuple[int, ...] | None:
    attached = [
        effect.operand
        for rule in program.game.rules()
        for effect in effects_of(rule)
        if isinstance(effect, t.Verb) and effect.verb == p.ATTACH
    ]
    if not attached:
        return None
    named = [each for each in attached if isinstance(each, t.Constant)]
    if len(named) < len(attached):
        return ()
    return tuple(sorted({figure_number(program, each.id) for each in named}))


def figure_number(program: Draft, id_: str) -> int:
    """The number of a figure without an owner: these come first, in the order of their kinds."""
    kinds = [each.id for each in program.neutral]
    return sum(each.count for each in program.neutral[: kinds.index(id_)])


def _spent(steps: int, rule: str) -> f.Stmt:
    """Count steps of a rule."""
    return f.Do(f.prim(op.SPEND, f.Const(steps), f.Const(rule)))


def _tables_of(program: Draft) -> tuple[object, ...]:
    """The facts that decide the code of a game beside its rules, such as the numbers of names."""
    game = program.game
    return (
        game.features, game.symbols, game.figures, game.tokens, game.items, game.roles, game.traits,
        game.stacks, game.memory, game.actions, game.players_most, game.pieces, game.live,
        program.attributes, program.occupying, program.measured,
        *(carries_out(game, *verbs) for verbs in ((p.RECAST,), p.RELAYING, p.HIDING)),
        *map(game.is_amended, (p.MAY_OFFER, p.OCCUPIES, "may_lay")),
    )  # fmt: skip


def _occupants(program: Draft) -> int | None:
    """The number of the mask of the figures that occupy, behind those of the traits."""
    if not program.game.is_amended(p.OCCUPIES):
        return -1
    return len(program.game.traits) if program.occupying else None


def python_name(id_: str) -> str:
    """The name of the function of a rule, without its prefix; unique for each id."""
    plain = id_.replace(".", "__").replace("-", "_")
    if "__" in id_ or "_." in id_ or "._" in id_:  # two ids may give the same name
        plain += f"_{zlib.crc32(id_.encode()):08x}"
    return plain
