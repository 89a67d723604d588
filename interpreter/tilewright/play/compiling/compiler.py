"""The compiler of one game: its state, and its services for lowering.

The game becomes Python with one function for each rule, in the rule's own file and lines. First
`definitions` compiles the definitions, then `bodies` the rules that change the match. `lowering`
makes the intermediate form of expressions and effects, which `python/` writes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from tilewright.language import builtins as p
from tilewright.language.source.text import Span
from tilewright.language.types import NUMBER, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.code import compiled
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.draft import Draft
from tilewright.play.compiling.facts.cost_bounds import Bounds, leaves_early
from tilewright.play.compiling.facts.needed_memory import NOTHING_NEEDED, Needed, needed, needed_by
from tilewright.play.compiling.facts.number_bounds import Magnitudes
from tilewright.play.compiling.facts.tiles_by_cells import by_cells
from tilewright.play.compiling.lowering.callees import Callee, Calls, Offered
from tilewright.play.compiling.lowering.context import Context
from tilewright.play.compiling.lowering.expressions import TermLowering
from tilewright.play.compiling.options import Listing
from tilewright.play.compiling.passes.inlining import Inliner
from tilewright.play.compiling.passes.repeated_calls import with_names_of_calls
from tilewright.play.compiling.python.writer import python_of
from tilewright.play.compiling.reuse import Memo, Reuse
from tilewright.play.library.kept import law_of
from tilewright.play.sites import Condition, Site
from tilewright.rules.linking.game import LinkedAction, LinkedStep
from tilewright.rules.linking.walk import carries_out, effects_of


class Compiler:
    """Fills a draft with the functions of its game."""

    def __init__(self, program: Draft, memo: Memo | None = None) -> None:
        self.program = program
        self.game = program.game
        companions = self._companions()
        tables = (*_tables_of(program), companions)
        self.reuse = Reuse(program, memo, tables)
        watched = self.reuse.watched
        self.game = replace(
            program.game,
            values=watched("value", program.game.values),
            definitions=watched("definition", program.game.definitions),
            events=watched("event", program.game.events),
            procedures=watched("procedure", program.game.procedures),
        )
        self.magnitudes = Magnitudes(self.game)
        self.magnitudes.definitions = watched("magnitude", self.magnitudes.definitions)
        self.rule = ""
        self.ruleset = ""
        self.definition = ""  # the definition whose default is compiled
        self.step: LinkedStep | None = None
        # the cost of a call, for callees that count every call
        self.cost_of_call = self.reuse.asked("cost", lambda name: self.bounds.calls.get(name))
        self.bill = self.reuse.asked("bill", self._bill)
        self.may_grow = self.reuse.asked("grows", lambda type_: self.bounds.may_grow(type_))
        self.lists_few = self.reuse.asked("few", lambda action: self.bounds.lists_few(action))
        self.cost_of_block = self.reuse.asked("block", lambda effects: self.bounds.block(effects))
        self.needed = self.reuse.asked("needed", self._needed)
        self.file_number = self.reuse.asked("file", program.file_number)
        self.actions = watched("actions", {step.id: step.actions for step in self.game.steps})
        self.callees: Mapping[str, Callee] = {}
        self.laying: Mapping[str, bool] = {}
        self.terms = TermLowering(self._context())
        self.inliner = Inliner(self.game, self.magnitudes, self.cost_of_call)
        self.listing = Listing(self.game, self.terms, self.inliner, self.reuse)
        self.calls = Calls(
            terms=self.terms,
            memory=lambda id_: program.memory_number[id_],
            rule=lambda: self.rule,
            procedure=lambda id_: self.callees[f"procedure {id_}"],
            reactions=self.reactions,
            offers=self.offers,
            may_decline=self.may_decline,
            is_barred=self.game.is_amended(p.MAY_OFFER),
            site=self.site,
            saved=self.saved,
            companions=companions,
            in_order=any(program.in_order),
        )

    def _context(self) -> Context:
        """The services of the compiler for the lowering of expressions."""
        program = self.program
        return Context(
            number_of=self.number_of,
            value=lambda id_: self.game.values[id_].term,
            memory=lambda id_: program.memory_number[id_],
            law=lambda id_: law_of(self.game.memory[program.memory_number[id_]]),
            function=lambda id_, amendment: (
                f"r_{python_name(amendment)}" if amendment else f"ask_{id_}"
            ),
            inlined=lambda node: by_cells(node if program.probes else self.inliner.inlined(node)),
            attributes=lambda id_: tuple(
                i for i, (_, name) in enumerate(program.attributes) if name == id_
            ),
            arrows=lambda id_: tuple(
                dict(face.turned_arrows(turn)).get(id_)
                for face, turn in zip(program.shapes.face_of, program.shapes.turn_of, strict=True)
            ),
            item_numbers=lambda id_: (
                len(self.game.pieces),
                tuple(dict(item.numbers).get(id_, 0) for item in self.game.items),
            ),
            probe=self.probe,
            metered=self.metered,
            metered_long=self.metered_long,
            may_grow=lambda type_: self.may_grow(type_),
            lists_few=self.lists_few,
            each_round=self.each_round,
            block=self.block,
            magnitudes=self.magnitudes,
            occupants=_occupants(program),
            edges_alone=not self.game.is_amended("may_lay"),
            recasts=carries_out(program.game, p.RECAST),
            relays=carries_out(program.game, *p.RELAYING),
            # a condition with a probe is evaluated also where it cannot be true
            needed=lambda condition: (
                NOTHING_NEEDED if program.probes else needed(condition, self.needed)
            ),
        )

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds of the cost of all rules; a single expression is compiled without them."""
        return Bounds(self.program.game)

    # -------------------------------------------------------------- services for lowering

    def _companions(self) -> tuple[int, ...] | None:
        """The figures that may have a companion, () for all; None when no rule attaches figures."""
        attached = [
            effect.operand
            for rule in self.game.rules()
            for effect in effects_of(rule)
            if isinstance(effect, t.Verb) and effect.verb == p.ATTACH
        ]
        if not attached:
            return None
        named = [each for each in attached if isinstance(each, t.Constant)]
        if len(named) < len(attached):
            return ()
        return tuple(sorted({self.number_of(each.category, each.id) for each in named}))

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
        return f.Metered(f.bare(members), bill * times, self.counted_by)

    def metered_long(self, members: f.Expr, type_: Type, each: int) -> f.Expr:
        """A set, with its members counted if it is long."""
        if not self.counted_by or not self.may_grow(type_):
            return members
        return f.Metered(f.bare(members), each, self.counted_by, is_long=True)

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

    def _needed(self, definition: str) -> Needed:
        """The memory with sets that must have members where a definition holds."""
        return needed_by(self.program.game.definitions[definition], self._needed)

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
                # figures without an owner are numbered first, in the order of their kinds
                before = 0
                for figure in program.neutral:
                    if figure.id == id_:
                        return before
                    before += figure.count
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

    def probe(self, value: f.Expr, term: t.Expression) -> f.Expr:
        """The value of a condition; with probes it is recorded each time."""
        if not self.program.probes or isinstance(term, t.Literal):  # a literal is constant
            return value
        self.program.conditions.append(Condition(self.rule, term.span))
        self.program.condition_hits.append(0)
        return f.Probe(len(self.program.conditions) - 1, f.bare(value))

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
                assert self.step is not None
                actions = self.actions[self.step.id]
        step = self.step.id if self.step is not None else ""
        self.program.sites.append(
            Site(self.rule, self.ruleset, label, type_, variable, actions, effect, step)
        )
        return len(self.program.sites) - 1

    def saved(self, site: int, names: Sequence[str]) -> None:
        """Record the local names that the frame holds while a decision waits."""
        held = tuple(name.removeprefix("v_") for name in names)
        self.reuse.enter("names_at", site, held)

    def offers(self) -> list[Offered]:
        """The actions of the current step."""
        assert self.step is not None
        return [
            Offered(
                f"offer_{python_name(action.id)}",
                self.callees[f"act {action.id}"],
                action.rule.name,
            )
            for action in self.actions[self.step.id]
        ]

    def may_decline(self, who: f.Expr) -> f.Expr:
        """Whether a player may take no action, as an expression."""
        if not self.game.is_amended("may_decline"):
            return f.Const(True)
        return f.Call("ask_may_decline", [f.bare(who)])

    # -------------------------------------------------------------- functions

    def evaluator(self, term: t.Expression, parameters: Sequence[str]) -> Callable[..., Any]:
        """Compile an expression to a function of a match and of these local names."""
        self.rule = self.ruleset = self.definition = ""
        context = self.terms.context
        watched, context.probe = context.probe, _unwatched
        body = [f.Return(self.terms.expr(term))]
        context.probe = watched
        name = f"evaluated_{len(self.program.scope)}"
        return self.define(f.Function(name, tuple(f"v_{p}" for p in parameters), body), term.span)

    def define(self, function: f.Function, span: Span) -> Callable[..., Any]:
        """Compile one function under the name of the rule's file."""
        called, self.terms.called = self.terms.called, []
        if not self.program.probes:  # a probe records each condition at its own place
            repeated = {name for name in called if called.count(name) > 1}
            function = with_names_of_calls(function, repeated)
        tree = python_of(f.place(function, span), span.file, self.file_number)
        made = compiled(tree, span.file or "<game>", self.program.scope)
        self.reuse.function(made, function)
        return made


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
        *(carries_out(game, *verbs) for verbs in ((p.RECAST,), p.RELAYING)),
        *map(game.is_amended, (p.MAY_OFFER, p.OCCUPIES, "may_lay")),
    )  # fmt: skip


def _occupants(program: Draft) -> int | None:
    """The number of the mask of the figures that occupy, behind those of the traits."""
    if not program.game.is_amended(p.OCCUPIES):
        return -1
    return len(program.game.traits) if program.occupying else None


def _unwatched(value: f.Expr, term: t.Expression) -> f.Expr:
    return value


def python_name(id_: str) -> str:
    """The name of the function of a rule, without its prefix; unique for each id."""
    plain = id_.replace(".", "__").replace("-", "_")
    if "__" in id_ or "_." in id_ or "._" in id_:  # two ids may give the same name
        plain += f"_{zlib.crc32(id_.encode()):08x}"
    return plain
