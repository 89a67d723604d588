"""Lowers effects to functions of two kinds.

A *plain* function never waits; it returns True when it has ended the game. A *unit* may have to
wait for a choice: it keeps its block and local names in a frame, which is a list of plain data, and
is called again to continue. Only what is around a choice is split into blocks.

A block that is entered after a wait loads the names that were saved before it; names that are not
used after a wait are never saved. A unit returns True when it waits or the game has ended. It
returns False when it is done, after it has removed its frame from the stack.

Most blocks have only one predecessor and are inlined there; the others are selected by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from tilewright.language import builtins as p
from tilewright.language.source.text import Span
from tilewright.language.types import IN_STACK, NUMBER, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.facts.cost_bounds import READ
from tilewright.play.compiling.facts.needed_facts import having_marks
from tilewright.play.compiling.lowering.context import Callee, python_name
from tilewright.play.compiling.lowering.expressions import TermLowering, local_name
from tilewright.play.encoding import is_mask
from tilewright.play.sites import Held
from tilewright.rules.linking.game import LinkedAction

Block = list[f.Stmt]

#: expressions to which a reaction cannot give another value
_FIXED = (t.Local, t.Constant, t.Literal, t.Value)


class BodyLowering:
    """Lowers the body of one rule to one function: its basic blocks, with jumps between them.

    A function that is not resumable has one block and no frame.
    """

    def __init__(
        self, terms: TermLowering, resumable: bool, parameters: Sequence[tuple[str, Type]]
    ) -> None:
        self.terms = terms
        self.context = terms.context
        self.reach = ""  # the rule to record for coverage
        self.exits: list[int] = []  # the loops we are in: the block after each, -1 for a statement
        self.resumable = resumable
        #: the local names that the frame holds, and by name the type it holds now, if known
        self.names: list[str] = [f"v_{name}" for name, _ in parameters]
        self.held: dict[str, Held | None] = {f"v_{name}": Held(type_) for name, type_ in parameters}
        #: by block: the types of the names that are saved before it is entered
        self.kept: dict[int, tuple[Held | None, ...]] = {}
        self.blocks: list[Block] = [self._restored() if resumable else []]
        self.here = 0
        self.resumed = {0}  # blocks at which the function may be entered
        self.fresh = 0

    # -------------------------------------------------------------- the whole function

    def function(
        self, name: str, effects: t.Body, when: t.Expression | None, span: Span
    ) -> f.Function:
        """The function for these effects under a condition."""
        parameters = tuple(self.names)
        if when is not None:
            leave = self.finish() if self.resumable else [f.Return()]
            self.add(f.If(f.negated(self._test(when)), leave))
        if self.reach:
            self.add(reached(self.reach))
        self.lower(effects)
        if not self.resumable:
            return f.Function(name, parameters, self.blocks[0], span=span)
        self.extend(self.finish())
        return f.Function(name, (), (), self.dispatch(), span=span)

    def inline(self, effects: t.Body) -> None:
        """Inline the body of a rule in another unit; `stop` jumps to the code after it."""
        outer, self.names = self.names, []
        after = self.new_block()
        self.exits.append(after)
        self.lower(effects)
        self.exits.pop()
        self._go_on(after, after)
        self.names = outer

    def finish(self) -> list[f.Stmt]:
        """The statements that end the body."""
        if not self.resumable:
            return [f.Return()]
        return [f.Do(f.prim(op.END_UNIT)), f.Return(f.Const(False))]

    def dispatch(self) -> list[tuple[int, Block]]:
        """The blocks of the function: from one to another until it waits or is done."""
        return _spliced(self.blocks, self.resumed)

    # -------------------------------------------------------------- blocks and local names

    def add(self, statement: f.Stmt) -> None:
        """Append a statement to the current block."""
        self.blocks[self.here].append(statement)

    def extend(self, statements: Sequence[f.Stmt]) -> None:
        """Append statements to the current block."""
        self.blocks[self.here].extend(statements)

    def new_block(self) -> int:
        """The number of a new, empty block."""
        self.blocks.append([])
        return len(self.blocks) - 1

    def go(self, block: int) -> list[f.Stmt]:
        """The statements that continue at a block."""
        return [f.Goto(block)]

    def _go_on(self, at: int, here: int) -> None:
        """End the current block, which continues at another one, and begin to fill a block."""
        self.extend(self.go(at))
        self.here = here

    def fork_to(self, test: f.Expr, yes: int, no: int) -> None:
        """Continue at one of two blocks."""
        self.add(f.If(test, self.go(yes), self.go(no)))

    def save(self, block: int) -> list[f.Stmt]:
        """Save the block to continue at and the local names; long sets among them are counted."""
        counted: list[f.Stmt] = [
            f.Do(self.context.metered_long(f.Var(name), kept.type, READ))
            for name in self.names
            if (kept := self.held[name]) is not None and self.context.may_grow(kept.type)
        ]
        self.resumed.add(block)
        self.kept[block] = tuple(self.held[name] for name in self.names)
        self.blocks[block][:0] = self._restored()
        # also without names: the entry of an earlier wait is outdated
        return [*counted, f.Save(block, tuple(self.names))]

    def _restored(self) -> list[f.Stmt]:
        """Take the present names from the frame."""
        return [f.Restore(tuple(self.names))] if self.names else []

    def local(self, name: str, type_: Type | None = None) -> str:
        """The name in the form of a local name, with a place in the frame; `type_` is that of a new
        name, where it is known.
        """
        python = f"v_{name}"
        if type_ is not None or python not in self.names:
            self.held[python] = None if type_ is None else Held(type_)
        if self.resumable and python not in self.names:
            self.names.append(python)
        return python

    def hidden(self, what: str, held: Held | None = None) -> str:
        """A new name that no rule uses."""
        self.fresh += 1
        python = f"h_{what}{self.fresh}"
        self.held[python] = held
        if self.resumable:
            self.names.append(python)
        return python

    # -------------------------------------------------------------- effects

    def lower(self, effects: t.Body) -> None:
        """Lower effects to blocks; effects that never wait stay ordinary statements."""
        for effect in effects:
            if not self.resumable or not any(map(self._pauses, t.walk_effects((effect,)))):
                self.extend(self._native((effect,)))
                continue
            start = len(self.blocks[self.here])
            self._in_blocks(effect)
            for statement in self.blocks[self.here][start:]:
                f.place(statement, effect.span)

    def _pauses(self, effect: t.Effect) -> bool:
        match effect:
            case t.Choose() | t.Offer():
                return True
            case t.ProcedureCall(procedure):
                return self.context.procedure(procedure).unit is not None
        return any(r.unit is not None for r in self._reactions(effect))

    def _in_blocks(self, effect: t.Effect) -> None:
        match effect:
            case t.If():
                self._if(effect)
            case t.For() | t.Repeat():
                self._loop(effect)
            case t.Choose():
                self._choose(effect)
            case t.Offer():
                self._offer(effect)
            case t.ProcedureCall(procedure, arguments):
                callee = self.context.procedure(procedure)
                self._call(callee, list(map(self.terms.expr, arguments)), effect.span)
            case t.Announce(event, arguments):
                reactions = self.context.reactions(event)
                before, given = self._evaluated_once(arguments, len(reactions))
                self.extend(before)
                for reaction in reactions:
                    self._call(reaction, list(given), effect.span)
            case t.Verb():
                self._verb_in_blocks(effect)
            case _:
                raise AssertionError(effect)

    def _native(self, effects: t.Body) -> list[f.Stmt]:
        """Statements for effects that never wait."""
        found: list[f.Stmt] = []
        for effect in effects:
            statements = self._statements(effect)
            for statement in statements:
                f.place(statement, effect.span)
            found += statements
        return found

    def _statements(self, effect: t.Effect) -> list[f.Stmt]:
        match effect:
            case t.Let(name, value):
                return [f.Set(self.local(name, value.type), self.terms.kept(value))]
            case t.Assign():
                return [self._assign(effect)]
            case t.Add() | t.Drop():
                return [self._change_set(effect)]
            case t.If():
                test = self._if_test(effect)
                then, otherwise = self._inner(effect.then), self._inner(effect.otherwise)
                if isinstance(test, f.Const):
                    return then if test.value else otherwise
                return [f.If(test, then, otherwise)]
            case t.For() | t.Repeat():
                return self._native_loop(effect)
            case t.Stop():
                return self._stop(effect)
            case t.Draw():
                return [self._draw(effect)]
            case t.DrawMembers():
                return [self._draw_members(effect)]
            case t.ProcedureCall(procedure, arguments):
                callee = self.context.procedure(procedure)
                return [plain_call(callee, list(map(self.terms.expr, arguments)))]
            case t.Announce(event, arguments):
                reactions = self.context.reactions(event)
                before, given = self._evaluated_once(arguments, len(reactions))
                return [*before, *(plain_call(r, list(given)) for r in reactions)]
            case t.EndGame(at_once):
                ended = op.END_AT_ONCE if at_once else op.END_GAME
                return [f.Do(f.prim(ended)), f.Return(f.Const(True))]
            case t.Verb():
                return self._verb(effect)
            case t.Choose() | t.Offer():
                raise AssertionError("a decision waits, and these statements never wait")
            case _:
                assert_never(effect)

    # -------------------------------------------------------------- branches and loops

    def _inner(self, effects: t.Body) -> list[f.Stmt]:
        """The statements of a block: its own names end with it and are not saved."""
        outer = self.names[:]
        found = self.context.block(effects) + self._native(effects)
        self.names = outer
        return found

    def _block(self, here: int, effects: t.Body, after: int) -> None:
        """The same for effects that may wait, in a block of their own."""
        outer = self.names[:]
        self.here = here
        self.extend(self.context.block(effects))
        self.lower(effects)
        self.extend(self.go(after))
        self.names = outer

    def _if(self, effect: t.If) -> None:
        test = self._if_test(effect)
        if isinstance(test, f.Const):
            self.lower(effect.then if test.value else effect.otherwise)
            return
        then_block, else_block, after = self.new_block(), self.new_block(), self.new_block()
        self.fork_to(test, then_block, else_block)
        self._block(then_block, effect.then, after)
        self._block(else_block, effect.otherwise, after)
        self.here = after

    def _if_test(self, effect: t.If) -> f.Expr:
        """The condition; one that belongs to a short form (`for ... with`) is not probed."""
        if effect.test.span == effect.span:
            return self.terms.expr(effect.test)
        return self._test(effect.test)

    def _test(self, condition: t.Expression) -> f.Expr:
        return self.context.probe(self.terms.expr(condition), condition)

    def _members(self, loop: t.For) -> f.Expr:
        """The members of a `for` loop."""
        source = loop.source
        if not (self.terms.may_join or self.context.program.probes):  # marks of tiles stay
            source = having_marks(loop, self.context.planned)
        return self.context.metered(self.terms.members(source), loop.source, loop.body)

    def _rounds(self, loop: t.Repeat) -> f.Expr:
        """The iterable of a `repeat`."""
        indices = f.prim(op.ROUNDS, self.terms.expr(loop.count))
        return self.context.metered(indices, loop.count, loop.body)

    def _each_round(self, loop: t.For | t.Repeat) -> list[f.Stmt]:
        """The statements with which each round of a loop begins."""
        over = loop.source if isinstance(loop, t.For) else loop.count
        return self.context.each_round(over, loop.body)

    def _native_loop(self, effect: t.For | t.Repeat) -> list[f.Stmt]:
        self.exits.append(-1)
        outer = self.names[:]
        if isinstance(effect, t.For):
            variable = self.local(effect.variable, effect.source.type.one)
            members = self._members(effect)
        else:
            variable, members = "_", self._rounds(effect)
        body = self._each_round(effect) + self._native(effect.body)
        self.names = outer
        self.exits.pop()
        return [f.For((variable,), members, body)]

    def _loop(self, effect: t.For | t.Repeat) -> None:
        outer = self.names[:]
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        index = self.hidden("index", Held(NUMBER))
        if isinstance(effect, t.For):
            members = self.hidden("members", Held(effect.source.type.set, is_listed=True))
            self.add(f.Set(members, self._members(effect)))
            end = f.Compare("<", f.Var(index), f.prim(op.LENGTH, f.Var(members)))
        else:
            times = self.hidden("times", Held(NUMBER))
            self.add(f.Set(times, f.prim(op.LENGTH, self._rounds(effect))))
            end = f.Compare("<", f.Var(index), f.Var(times))
        self.add(f.Set(index, f.Const(0)))
        self._go_on(head, head)
        self.fork_to(end, body, after)
        self.here = body
        self.extend(self._each_round(effect))
        if isinstance(effect, t.For):
            variable = self.local(effect.variable, effect.source.type.one)
            self.add(f.Set(variable, f.prim(op.ELEMENT, f.Var(members), f.Var(index))))
        self.add(f.Set(index, f.prim(op.ADD, f.Var(index), f.Const(1))))
        self.exits.append(after)
        self.lower(effect.body)
        self.exits.pop()
        self._go_on(head, after)
        self.names = outer

    def _stop(self, effect: t.Stop) -> list[f.Stmt]:
        if not self.exits:
            leave = self.finish()
        else:
            leave = [f.Break()] if self.exits[-1] < 0 else self.go(self.exits[-1])
        return leave if effect.test is None else [f.If(self._test(effect.test), leave)]

    # -------------------------------------------------------------- decisions

    def _choose(self, effect: t.Choose) -> None:
        source, optional = effect.source, effect.optional
        chosen, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        place_in_rules = self.context.site(effect)
        site, may_pass = f.Const(place_in_rules), f.Const(optional)
        decider = self.terms.expr(effect.by)
        if isinstance(source, t.BuiltinCall) and source.function == p.PLACEMENTS:
            piece_now = self.terms.expr(source.arguments[0])
            is_asked = f.prim(op.ASK_PLACEMENT, decider, piece_now, site, may_pass)
        elif isinstance(source, t.BuiltinCall) and source.function == p.RANGE:
            first, last = map(self.terms.expr, source.arguments)
            is_asked = f.prim(op.ASK_NUMBER, decider, first, last, site, may_pass)
        else:
            if source.type.base == "placement":
                # the text of a placement needs its piece, if it is known
                piece = _piece_of(source)
                known = f.Const(-1) if piece is None else self.terms.expr(piece)
                self.add(f.Put(f.prim(op.SET_PIECE), known))
            options = self.terms.choices(source)
            is_asked = f.prim(op.ASK, decider, options, site, may_pass)
        f.place(is_asked, effect.span)
        self.add(f.If(is_asked, [*self.save(chosen), f.Return(f.Const(True))]))
        self.context.saved(place_in_rules, self.names)
        self._go_on(otherwise, chosen)
        if optional:
            self.add(f.If(f.prim(op.PASSED), self.go(otherwise)))
        outer = self.names[:]
        self.add(f.Set(self.local(effect.variable, source.type.one), f.prim(op.CHOSEN)))
        self._block(chosen, effect.body, after)
        self.names = outer
        self._block(otherwise, effect.otherwise, after)
        self.here = after

    def _offer(self, effect: t.Offer) -> None:
        chosen, after = self.new_block(), self.new_block()
        offered = self.context.offered()
        follows, who = self.context.reactions(p.ACTED), ""
        if follows:
            who = self.hidden("who", Held(Type("player")))
            self.add(f.Set(who, self.terms.expr(effect.by)))
        options = self.hidden("options")
        self.add(f.Set(options, f.prim(op.NO_OPTIONS)))
        for action in offered:
            self._list_options(effect, action, options)
        decider = self.terms.expr(effect.by)
        site, may_pass = f.Const(self.context.site(effect)), self.context.may_decline(decider)
        is_asked = f.prim(op.ASK_OFFERED, decider, f.Var(options), site, may_pass)
        self.names.remove(options)
        self.add(f.If(is_asked, [*self.save(chosen), f.Return(f.Const(True))]))
        self._go_on(after, chosen)
        self.add(f.If(f.prim(op.PASSED), self.go(after)))
        outer = self.names[:]
        action_taken = self.hidden("action")
        self.add(f.Set(action_taken, f.prim(op.CHOSEN)))
        self.names.remove(action_taken)  # no rule reads it after the action
        for i, action in enumerate(offered):
            take, skip = self.new_block(), self.new_block()
            self.fork_to(f.prim(op.IS_ACTION, f.Var(action_taken), f.Const(i)), take, skip)
            self.here = take
            effects = self.context.callees[f"act {action.id}"]
            self._call(effects, [f.Chosen(action_taken)], effect.span)
            for reaction in follows:
                name = self._action(action, effect.span)
                self._call(reaction, [f.Var(who), self.terms.code(name)], effect.span)
            self._go_on(after, skip)
        self._go_on(after, after)
        self.names = outer

    def _list_options(self, effect: t.Offer, action: LinkedAction, options: str) -> None:
        """Add the options of an action to a list, unless a rule bars it."""
        listed = f.Do(f.Call(f"offer_{python_name(action.id)}", [f.Var(options)]))
        if not self.context.game.is_amended(p.MAY_OFFER):
            self.add(listed)
            return
        named = self._action(action, effect.span)
        asked = t.DefinitionCall(p.MAY_OFFER, (effect.by, named), TRUTH, effect.span)
        self.add(f.If(self.terms.expr(asked), [listed]))

    def _action(self, action: LinkedAction, span: Span) -> t.Expression:
        return t.Constant("action", action.rule.name, Type("action"), span)

    # -------------------------------------------------------------- calls and reactions

    def _call(self, callee: Callee, arguments: list[f.Expr], span: Span) -> None:
        if callee.unit is None:
            self.add(f.place(plain_call(callee, arguments), span))
            return
        after = self.new_block()
        self.extend(self.save(after))
        frame = f.Prim(op.FRAME, [f.Const(callee.unit), f.ListOf(arguments)])
        self.add(f.If(f.Call(callee.name, [frame]), [f.Return(f.Const(True))]))
        self._go_on(after, after)

    def _evaluated_once(
        self, terms: Sequence[t.Expression], times: int
    ) -> tuple[list[f.Stmt], list[f.Expr]]:
        """Statements that evaluate the arguments of several reactions before the first of them,
        and the expressions that read them as often as needed."""
        before: list[f.Stmt] = []
        values: list[f.Expr] = []
        for term in terms:
            value = self.terms.expr(term)
            if times > 1 and not isinstance(term, _FIXED):
                name = self.hidden("argument", Held(term.type))
                before.append(f.Set(name, value))
                value = f.Var(name)
            values.append(value)
        return before, values

    def _reactions(self, effect: t.Effect) -> Sequence[Callee]:
        return self.context.reactions(t.announcement(effect)[0])

    def _verb(self, effect: t.Verb) -> list[f.Stmt]:
        """A verb and its reactions, when none of them waits."""
        if effect.verb == p.AWARD and self._reactions(effect):
            done, given = self._awarded(effect)
            calls = [plain_call(r, list(given)) for r in self._reactions(effect)]
            return [*done, f.If(_is_gain(given, "!="), calls)]
        if effect.verb != p.REMOVE and effect.verb.announces != "left":
            return [self._verb_alone(effect)]
        done, given = self._moved(effect)  # its figure may leave its tile
        calls = [plain_call(r, list(given)) for r in self._reactions(effect)]
        alone = self._alone(*given)
        if not calls:
            return [*done, *alone]
        return [*done, f.If(f.prim(op.HAS_LEFT), [*calls, *alone])]

    def _verb_in_blocks(self, effect: t.Verb) -> None:
        """A verb and its reactions, when a reaction may wait."""
        is_award = effect.verb == p.AWARD
        done, given = self._awarded(effect) if is_award else self._moved(effect)
        self.extend(done)
        follows, after = self.new_block(), self.new_block()
        nothing = _is_gain(given, "=") if is_award else f.negated(f.prim(op.HAS_LEFT))
        self.add(f.If(nothing, self.go(after)))
        self._go_on(follows, follows)
        for reaction in self._reactions(effect):
            self._call(reaction, list(given), effect.span)
        if not is_award:
            self.extend(self._alone(*given))
        self._go_on(after, after)

    def _alone(self, figure: f.Expr) -> list[f.Stmt]:
        """Detach the companions of a leaving figure; tests first, because most have none."""
        companions = self.context.companions
        if companions is None:
            return []
        if companions:
            attached = [f.prim(op.ATTACHED, f.Const(n)) for n in companions]
            test = f.prim(op.IN_LIST, figure, f.Row(attached))
        else:
            test = f.prim(op.HAS_COMPANION, figure)
        return [f.If(test, [f.Do(f.prim(op.RELEASE, figure))])]

    def _moved(self, effect: t.Verb) -> tuple[list[f.Stmt], list[f.Expr]]:
        """The statements for a verb that lifts a figure, and the figure, evaluated once."""
        before, given = self._evaluated_once((effect.operand,), 2)
        return [*before, self._verb_alone(effect, given)], given

    def _awarded(self, effect: t.Verb) -> tuple[list[f.Stmt], list[f.Expr]]:
        """The statements for an award, and the arguments of its reactions, evaluated once."""
        before, given = self._evaluated_once(t.announcement(effect)[1], 2)
        player, points, feature = given
        return [*before, self._verb_alone(effect, (points, player, feature))], given

    # -------------------------------------------------------------- single changes

    def _verb_alone(self, effect: t.Verb, evaluated: Sequence[f.Expr] = ()) -> f.Stmt:
        """A verb without its reactions; its first operands may have been evaluated before."""
        given = (effect.operand, *effect.arguments)[len(evaluated) :]
        operands = [*evaluated, *map(self.terms.expr, given)]
        if effect.verb in (p.AWARD, p.GRANT):
            points, player, feature = map(f.bare, (*operands, f.Const(None))[:3])
            site = f.Const(self.context.site(effect))
            held = f.Row(self._locals_of(effect.operand))
            return f.Do(f.Prim(op.AWARD, [points, player, feature, site, held]))
        where = effect.arguments[0].type.base if effect.arguments else ""
        call = f.prim(effect.verb.form(where), *operands)
        return f.Do(call) if effect.target is None else self._store(effect.target, call)

    def _locals_of(self, number: t.Expression) -> list[f.Expr]:
        """The values of the local names that the number of an award reads, in its order.

        Listeners can evaluate parts of the number again with them.
        """
        nodes = {part.name: part for part in t.walk(number) if isinstance(part, t.Local)}
        return [self.terms.expr(nodes[name]) for name in t.free_locals(number)]

    def _assign(self, effect: t.Assign) -> f.Stmt:
        """Assign a value to a local name or memory."""
        target, owner = effect.target, effect.owner
        if target == t.Target("memory", "active"):
            return f.Put(f.prim(op.SET_ACTIVE), self.terms.expr(effect.value))
        value = self.terms.kept(_sum(effect) if effect.adds else effect.value)
        if owner is None:
            return self._store(target, value)
        law = f.Const(self.context.law(target.name))
        slot = f.Const(self.context.memory(target.name))
        return f.Do(f.prim(op.KEEP, self.terms.expr(owner), value, law, slot))

    def _change_set(self, effect: t.Add | t.Drop) -> f.Stmt:
        """Add a member to a set or remove one."""
        member, target = effect.value, effect.target
        is_local = target.place == "local"
        held: f.Expr = f.Var(self.local(target.name)) if is_local else self._slot(target)
        change = {
            (t.Add, True): op.MASK_WITH,
            (t.Drop, True): op.MASK_WITHOUT,
            (t.Add, False): op.LIST_WITH,
            (t.Drop, False): op.LIST_WITHOUT,
        }[type(effect), is_mask(member.type.set)]
        if isinstance(effect, t.Drop):
            held = self.context.metered_long(held, member.type.set, READ)
        if member.type.base == "feature":  # a stored feature may have been merged since
            held = f.prim(op.ROOTS_FOUND, held)
        given = [held, self.terms.expr(member)]
        if change == op.LIST_WITH:
            given.append(f.Const(self.context.rule))
        return self._store(target, f.prim(change, *given))

    def _store(self, target: t.Target, value: f.Expr, type_: Type | None = None) -> f.Stmt:
        """Store a value in a local name or memory."""
        if target.place == "local":
            return f.Set(self.local(target.name, type_), value)
        return f.Put(self._slot(target), value)

    def _slot(self, target: t.Target) -> f.Prim:
        return f.prim(op.MEMORY, f.Const(self.context.memory(target.name)))

    def _draw(self, effect: t.Draw) -> f.Stmt:
        """Draw a piece from a stack."""
        name = effect.target.name
        stack = self.terms.expr(effect.stack)
        if effect.where is None:
            drawn = f.prim(op.DRAW_NEXT if self.context.in_order else op.DRAW, stack)
        else:
            # in the condition the name means each piece in turn, whatever it is outside
            test = self.terms.expr(effect.where)
            each = local_name(name)
            loop = f.Members((each,), f.prim(op.IN_STACK, stack), [test])
            drawn = f.prim(op.DRAW_AMONG, stack, f.Loop("list", f.Var(each), [loop]))
        return self._store(effect.target, drawn, IN_STACK[effect.stack.type])

    def _draw_members(self, effect: t.DrawMembers) -> f.Stmt:
        """Draw a random member of a set, or several of them."""
        source, many = effect.source, effect.times
        held = is_mask(source.type)
        members = self.terms.expr(source)
        if held:
            members = f.prim(op.BITS, members)
        number = f.Const(1) if many is None else self.terms.expr(many)
        stream = f.Const(self.context.stream_of[source.type.one])
        drawn = f.prim(op.DRAW_MEMBERS, stream, members, number)
        if many is None:
            found = f.prim(p.FIRST.form(""), drawn)
            return self._store(effect.target, found, source.type.one.maybe)
        return self._store(effect.target, f.prim(op.AS_MASK, drawn) if held else drawn, source.type)


def plain_call(callee: Callee, arguments: list[f.Expr]) -> f.Stmt:
    """A call of a body that never waits; when it ends the game, its caller returns too."""
    call = f.Call(callee.name, arguments)
    return f.If(call, [f.Return(f.Const(True))]) if callee.ends else f.Do(call)


def reached(rule: str) -> f.Stmt:
    """Record that a rule ran."""
    return f.Do(f.prim(op.REACH, f.Const(rule)))


def _is_gain(given: Sequence[f.Expr], sign: f.Comparing) -> f.Expr:
    """The comparison of the points of an award with 0."""
    return f.Compare(sign, f.bare(given[1]), f.Const(0))


def _piece_of(source: t.Expression) -> t.Expression | None:
    """The piece, if the options are just its placements."""
    match source:
        case t.Quantifier("those" | "most" | "least", _, inner):
            return _piece_of(inner)
        case t.BuiltinCall(p.PLACEMENTS, (piece,)):
            return piece
    return None


def _sum(effect: t.Assign) -> t.Expression:
    """The new value of a number to which another one is added."""
    name, span = effect.target.name, effect.span
    held: t.Expression = t.Local(name, NUMBER, span)
    if effect.target.place == "memory":
        held = t.Memory(name, NUMBER, span, effect.owner)
    return t.Arithmetic("+", held, effect.value, NUMBER, span)


def _spliced(blocks: list[Block], resumed: set[int]) -> list[tuple[int, Block]]:
    """Inline every block with a single predecessor, and return the remaining blocks."""
    reached: dict[int, int] = dict.fromkeys(resumed, 2)
    found = list(resumed)
    for number in found:
        for statement in blocks[number]:
            for node in f.walk(statement):
                if isinstance(node, f.Goto):
                    block = _led_to(blocks, node.block)
                    if block not in reached:
                        found.append(block)
                    reached[block] = reached.get(block, 0) + 1

    def settled(statements: Sequence[f.Stmt]) -> Block:
        found: Block = []
        for statement in statements:
            if isinstance(statement, f.Goto):
                block = _led_to(blocks, statement.block)
                if reached[block] == 1:
                    return found + settled(blocks[block])
                return [*found, replace(statement, block=block)]
            if isinstance(statement, f.If):
                then, otherwise = settled(statement.then), settled(statement.otherwise)
                statement = replace(statement, then=then, otherwise=otherwise)
            found.append(statement)
        return found

    kept = [n for n in range(len(blocks)) if reached.get(n, 0) > 1]
    return [(n, settled(blocks[n])) for n in kept]


def _led_to(blocks: list[Block], block: int) -> int:
    """The final target of a jump, after skipping blocks that only jump."""
    while len(blocks[block]) == 1 and isinstance(onward := blocks[block][0], f.Goto):
        block = onward.block
    return block
