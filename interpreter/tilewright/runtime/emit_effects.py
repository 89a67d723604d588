"""Deeds to Python functions, of two sorts.

A *plain* function runs through; it returns True when it has ended the game. A *unit* may have to wait for somebody: it keeps its place and its
local names in a frame, which is a list of plain data, and is called again to go on. Only what stands
around a choice is cut into blocks; everything between is ordinary Python.

    def unit(m, frame):          # frame = [number of the unit, block, saved locals ...]
        at = frame[1]
        while True:
            if at == 0: ...      # ends by setting `at`, or by returning

A block that is entered after a wait takes back the names that were saved before it; names that no
wait has to outlive are never saved.
A unit returns True when it waits or the game has ended, and False when it is done; then it has taken
its own frame from the stack.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.language.primitives import VERB
from tilewright.language.terms import Deed, Term, deeds_within
from tilewright.language.types import Type
from tilewright.runtime.emit import (
    assign,
    constant,
    do,
    fill,
    function_of,
    give,
    load,
    number,
    place,
    put,
    store,
)
from tilewright.runtime.emit_terms import TermEmitter, is_mask
from tilewright.source.text import Span

Deeds = tuple[Deed, ...]

#: terms that a reaction can not give another value
_FIXED_OPS = ("local", "constant", "literal", "value")

VERB_CODE: dict[str, str] = {
    "lay": "m.lay(A, B)",
    "take": "m.take(A, B)",
    "put": "m.put(A, B)",
    "shuffle": "m.pour(A, B)",
    "move segment": "m.move_to_segment(A, B)",
    "move tile": "m.move_to_tile(A, B)",
    "move cell": "m.move_to_tile(A, m.board.tile_at[B])",
    "return": "m.send_home(A)",
    "remove": "m.send_home(A)",
    "hand": "m.hand(A, B)",
    "attach": "m.attach(A, B)",
    "face": "m.turn_to(A, B)",
    "award": "m.award(A, B, C, D, E)",
}


@dataclass(frozen=True, slots=True)
class Reaction:
    """Another body as the emitter sees it: its Python name, its number and the length of its frame
    when it may wait, and whether it may end the game."""

    name: str
    unit: int | None
    ends: bool = False


@dataclass(slots=True)
class Calls:
    """What the emitter asks the compiler about the rest of the game."""

    terms: TermEmitter
    memory: Callable[[str], int]
    procedure: Callable[[str], Reaction]
    reactions: Callable[[str], Sequence[Reaction]]
    offers: Callable[[], Sequence[tuple[str, Reaction]]]  # of the step at hand: lister, deeds
    site: Callable[[Deed], int]
    saved: Callable[[int, Sequence[str]], None]  # the names in the frame while a site waits
    companions: bool  # whether any rule attaches a figure to another
    is_lazy: Callable[[Term], bool]  # placements that need not be listed


def waits(deeds: Deeds, unit_of: Callable[[Deed], bool]) -> bool:
    """Whether a body must be a unit: it asks somebody, or performs what does."""
    return any(deed.op in ("choose", "offer") or unit_of(deed) for deed in deeds_within(deeds))


class BodyEmitter:
    """The body of one rule as one Python function."""

    def __init__(self, calls: Calls, unit: bool, parameters: Sequence[str]) -> None:
        self.calls = calls
        self.terms = calls.terms
        self.unit = unit
        self.names: list[str] = [f"v_{name}" for name in parameters]
        self.blocks: list[list[ast.stmt]] = [_loads(self.names) if unit else []]
        self.here = 0
        self.resumed = {0}  # blocks at which the function may be entered
        self.exits: list[tuple[str, int]] = []  # the loops we are in: ("native", 0) or ("block", n)
        self.fresh = 0
        self.reach = ""  # the rule to be told of when coverage listens

    # -------------------------------------------------------------- the whole function

    def function(self, name: str, deeds: Deeds, when: Term | None, span: Span) -> ast.FunctionDef:
        """The function for these deeds under a condition."""
        if not self.unit:
            body: list[ast.stmt] = []
            if when is not None:
                test = self.terms.context.probe(self.terms.expr(when), when)
                body.append(ast.If(fill("not A", A=test), [give(None)], []))
            body += self.native(deeds) or [ast.Pass()]
            return place(function_of(name, ["m", *self.names], body), span)
        if when is not None:
            test = self.terms.context.probe(self.terms.expr(when), when)
            self.add(ast.If(fill("not A", A=test), self.finish(), []))
        if self.reach:
            self.add(do("reach(A)", A=constant(self.reach)))
        self.emit(deeds)
        self.extend(self.finish())
        return place(function_of(name, ["m", "frame"], self.dispatch()), span)

    def dispatch(self) -> list[ast.stmt]:
        """The body of the function: from block to block until it waits or is done."""
        blocks = _spliced(self.blocks, self.resumed)
        if len(blocks) == 1:
            return blocks[0][1]
        begin = assign("at", fill("frame[1]"))
        return [begin, ast.While(constant(True), _branch(blocks), [])]

    # -------------------------------------------------------------- blocks

    def add(self, statement: ast.stmt) -> None:
        self.blocks[self.here].append(statement)

    def extend(self, statements: Sequence[ast.stmt]) -> None:
        self.blocks[self.here].extend(statements)

    def new_block(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def go(self, block: int) -> list[ast.stmt]:
        return [_Go(block)]

    def fork_to(self, test: ast.expr, yes: int, no: int) -> None:
        """Go on at one of two blocks."""
        self.add(ast.If(test, self.go(yes), self.go(no)))

    def save(self, block: int) -> list[ast.stmt]:
        """Remember that we go on at a block, with the local names there are by now."""
        self.resumed.add(block)
        kept: list[ast.stmt] = [put("frame[1]", number(block))]
        if self.names:
            names = ast.List([load(name) for name in self.names], ast.Load())
            kept.append(put("frame[2:]", names))
            self.blocks[block][:0] = _loads(self.names)
        return kept

    def inline(self, deeds: Deeds) -> None:
        """The body of a rule in the middle of another unit; its `stop` leads to what follows."""
        outer, self.names = self.names, []
        after = self.new_block()
        self.exits.append(("block", after))
        self.emit(deeds)
        self.exits.pop()
        self.extend(self.go(after))
        self.here = after
        self.names = outer

    def finish(self) -> list[ast.stmt]:
        if not self.unit:
            return [give(None)]
        return [do("m.frames.pop()"), give(constant(False))]

    def local(self, name: str) -> str:
        """The Python name of a local name, with a place in the frame."""
        python = f"v_{name}"
        if self.unit and python not in self.names:
            self.names.append(python)
        return python

    def hidden(self, what: str) -> str:
        """A name of our own."""
        self.fresh += 1
        python = f"h_{what}{self.fresh}"
        if self.unit:
            self.names.append(python)
        return python

    # -------------------------------------------------------------- deeds in blocks

    def emit(self, deeds: Deeds) -> None:
        for deed in deeds:
            if self._is_native(deed):
                self.extend(self.native((deed,)))
            else:
                self._in_blocks(deed)

    def _is_native(self, deed: Deed) -> bool:
        return not any(self._pauses(inner) for inner in deeds_within((deed,)))

    def _pauses(self, deed: Deed) -> bool:
        if deed.op in ("choose", "offer"):
            return True
        if deed.op == "perform":
            return self.calls.procedure(str(deed.data)).unit is not None
        return any(r.unit is not None for r in self._reactions(deed))

    def _reactions(self, deed: Deed) -> Sequence[Reaction]:
        event = announced(deed)
        return self.calls.reactions(event) if event else ()

    def _in_blocks(self, deed: Deed) -> None:
        start = len(self.blocks[self.here])
        match deed.op:
            case "if":
                self._if(deed)
            case "for" | "repeat":
                self._loop(deed)
            case "choose":
                self._choose(deed)
            case "offer":
                self._offer(deed)
            case "perform":
                callee = self.calls.procedure(str(deed.data))
                self._call(callee, [self.terms.expr(t) for t in deed.terms], deed.span)
            case "announce":
                reactions = self.calls.reactions(str(deed.data))
                told = self._told(deed.terms, len(reactions))
                self.extend(told.before)
                for reaction in reactions:
                    self._call(reaction, told.again(), deed.span)
            case "verb":
                self._verb_in_blocks(deed)
            case _:
                raise AssertionError(deed.op)
        for statement in self.blocks[self.here][start:]:
            place(statement, deed.span)

    def _told(self, terms: Sequence[Term], times: int) -> _Told:
        """What several reactions are told: asked once, before any of them changes the answer."""
        before: list[ast.stmt] = []
        values: list[ast.expr] = []
        for term in terms:
            value = self.terms.expr(term)
            if times > 1 and term.op not in _FIXED_OPS:
                name = self.hidden("told")
                before.append(assign(name, value))
                value = load(name)
            values.append(value)
        return _Told(before, values)

    def _if(self, deed: Deed) -> None:
        then, otherwise = deed.blocks
        test = self.terms.context.probe(self.terms.expr(deed.terms[0]), deed.terms[0])
        if isinstance(test, ast.Constant):
            self.emit(then if test.value else otherwise)
            return
        yes, no, after = self.new_block(), self.new_block(), self.new_block()
        self.fork_to(test, yes, no)
        for block, deeds in ((yes, then), (no, otherwise)):
            outer = self.names[:]
            self.here = block
            self.emit(deeds)
            self.extend(self.go(after))
            self.names = outer
        self.here = after

    def _loop(self, deed: Deed) -> None:
        outer = self.names[:]
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        index = self.hidden("index")
        if deed.op == "for":
            members = self.hidden("members")
            self.add(assign(members, self.terms.members(deed.terms[0])))
            end = fill("A < len(B)", A=load(index), B=load(members))
        else:
            times = self.hidden("times")
            self.add(assign(times, self.terms.expr(deed.terms[0])))
            end = fill("A < B", A=load(index), B=load(times))
        self.add(assign(index, number(0)))
        self.extend(self.go(head))
        self.here = head
        self.fork_to(end, body, after)
        self.here = body
        if deed.op == "for":
            variable = self.local(str(deed.data))
            self.add(assign(variable, fill("A[B]", A=load(members), B=load(index))))
        self.add(assign(index, fill("A + 1", A=load(index))))
        self.exits.append(("block", after))
        self.emit(deed.blocks[0])
        self.exits.pop()
        self.extend(self.go(head))
        self.here = after
        self.names = outer

    def _choose(self, deed: Deed) -> None:
        source, by = deed.terms
        optional, variable, _ = deed.choice
        chosen, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        place_in_rules = self.calls.site(deed)
        site = number(place_in_rules)
        who = self.terms.expr(by)
        if self.calls.is_lazy(source):
            asked = fill(
                "m.ask_placement(A, B, C, D)",
                A=who,
                B=self.terms.expr(source.args[0]),
                C=site,
                D=constant(optional),
            )
        else:
            piece = _piece_of(source)
            if piece is not None:
                # a placement reads as text only together with its piece
                self.add(put("m.piece", self.terms.expr(piece)))
            options = self.terms.members(source)
            code = "m.ask(A, B, C, D)"
            asked = fill(code, A=who, B=options, C=site, D=constant(optional))
        self.add(ast.If(asked, [*self.save(chosen), give(constant(True))], []))
        self.calls.saved(place_in_rules, self.names)
        self.extend(self.go(otherwise))
        self.here = chosen
        if optional:
            self.add(ast.If(fill("m.passed"), self.go(otherwise), []))
        outer = self.names[:]
        self.add(assign(self.local(variable), fill("m.answer")))
        body, other = deed.blocks
        self.emit(body)
        self.extend(self.go(after))
        self.names = outer[:]
        self.here = otherwise
        self.emit(other)
        self.extend(self.go(after))
        self.names = outer
        self.here = after

    def _offer(self, deed: Deed) -> None:
        chosen, after = self.new_block(), self.new_block()
        offered = self.calls.offers()
        options = self.hidden("options")
        self.add(assign(options, ast.List([], ast.Load())))
        for lister, _ in offered:
            self.add(ast.Expr(ast.Call(load(lister), [load("m"), load(options)], [])))
        asked = fill(
            "m.ask(A, B, C, True)",
            A=self.terms.expr(deed.terms[0]),
            B=load(options),
            C=number(self.calls.site(deed)),
        )
        self.names.remove(options)
        self.add(ast.If(asked, [*self.save(chosen), give(constant(True))], []))
        self.extend(self.go(after))
        self.here = chosen
        self.add(ast.If(fill("m.passed"), self.go(after), []))
        outer = self.names[:]
        answer = self.hidden("answer")
        self.add(assign(answer, fill("m.answer")))
        for i, (_, action) in enumerate(offered):
            take, skip = self.new_block(), self.new_block()
            test = fill("A[0] == B", A=load(answer), B=number(i))
            self.fork_to(test, take, skip)
            self.here = take
            self._call(action, [ast.Starred(fill("A[1:]", A=load(answer)), ast.Load())], deed.span)
            self.extend(self.go(after))
            self.here = skip
        self.extend(self.go(after))
        self.here = after
        self.names = outer

    def _call(self, callee: Reaction, arguments: list[ast.expr], span: Span) -> None:
        if callee.unit is None:
            self.add(place(plain_call(callee, arguments), span))
            return
        after = self.new_block()
        listed = ast.List(arguments, ast.Load())
        started = fill("m.start(A, B)", A=number(callee.unit), B=listed)
        self.extend(self.save(after))
        run = ast.Call(load(callee.name), [load("m"), started], [])
        self.add(ast.If(run, [give(constant(True))], []))
        self.extend(self.go(after))
        self.here = after

    # -------------------------------------------------------------- deeds as ordinary Python

    def native(self, deeds: Deeds) -> list[ast.stmt]:
        """Statements for deeds that ask nobody."""
        found: list[ast.stmt] = []
        for deed in deeds:
            statements = self._native(deed)
            for statement in statements:
                place(statement, deed.span)
            found += statements
        return found

    def _inner(self, deeds: Deeds) -> list[ast.stmt]:
        """The same for a block: names it gives are not there behind it, and not to be saved."""
        outer = self.names[:]
        found = self.native(deeds)
        self.names = outer
        return found

    def _native(self, deed: Deed) -> list[ast.stmt]:
        terms = self.terms
        match deed.op:
            case "let":
                return [assign(self.local(str(deed.data)), terms.expr(deed.terms[0]))]
            case "set_local":
                return [assign(self.local(str(deed.data)), terms.expr(deed.terms[0]))]
            case "set_memory":
                return [self._set_memory(str(deed.data), deed.terms[0])]
            case "add" | "drop":
                return [self._change_set(deed)]
            case "if":
                test = terms.context.probe(terms.expr(deed.terms[0]), deed.terms[0])
                then, otherwise = map(self._inner, deed.blocks)
                if isinstance(test, ast.Constant):
                    return (then if test.value else otherwise) or [ast.Pass()]
                return [ast.If(test, then or [ast.Pass()], otherwise)]
            case "for":
                return self._native_for(deed)
            case "repeat":
                self.exits.append(("native", 0))
                body = self._inner(deed.blocks[0]) or [ast.Pass()]
                self.exits.pop()
                span = fill("range(A)", A=terms.expr(deed.terms[0]))
                return [ast.For(store("_"), span, body, [])]
            case "stop":
                return self._stop(deed)
            case "draw":
                return self._draw(deed)
            case "perform":
                callee = self.calls.procedure(str(deed.data))
                return [self._call_plain(callee, deed)]
            case "announce":
                reactions = self.calls.reactions(str(deed.data))
                told = self._told(deed.terms, len(reactions))
                return [*told.before, *(plain_call(r, told.again()) for r in reactions)]
            case "end_game":
                return [do("m.end_game()"), give(constant(True))]
            case "verb":
                return self._verb(deed)
        raise AssertionError(deed.op)

    def _call_plain(self, callee: Reaction, deed: Deed) -> ast.stmt:
        return plain_call(callee, [self.terms.expr(t) for t in deed.terms])

    def _native_for(self, deed: Deed) -> list[ast.stmt]:
        self.exits.append(("native", 0))
        outer = self.names[:]
        variable = self.local(str(deed.data))
        members = self.terms.members(deed.terms[0])
        body = self.native(deed.blocks[0]) or [ast.Pass()]
        self.names = outer
        self.exits.pop()
        return [ast.For(store(variable), members, body, [])]

    def _stop(self, deed: Deed) -> list[ast.stmt]:
        if not self.exits:
            leave = self.finish()
        elif self.exits[-1][0] == "native":
            leave = [ast.Break()]
        else:
            leave = self.go(self.exits[-1][1])
        if not deed.terms:
            return leave
        test = self.terms.context.probe(self.terms.expr(deed.terms[0]), deed.terms[0])
        return [ast.If(test, leave, [])]

    def _set_memory(self, name: str, term: Term) -> ast.stmt:
        if name == "active":
            return put("m.active", self.terms.expr(term))
        return put("m.memory[A]", self.terms.expr(term), A=number(self.calls.memory(name)))

    def _change_set(self, deed: Deed) -> ast.stmt:
        (term,) = deed.terms
        category, name = deed.pair
        masked = is_mask(Type(term.type.base, many=True))
        if category == "local":
            held: ast.expr = load(self.local(name))
        else:
            held = fill("m.memory[A]", A=number(self.calls.memory(name)))
        code = {
            ("add", True): "A | 1 << B",
            ("drop", True): "A & ~(1 << B)",
            ("add", False): "A if B in A else [*A, B]",
            ("drop", False): "[x for x in A if x != B]",
        }[deed.op, masked]
        value = fill(code, A=held, B=self.terms.expr(term))
        if category == "local":
            return assign(self.local(name), value)
        return put("m.memory[A]", value, A=number(self.calls.memory(name)))

    def _store(self, target: tuple[str, str], value: ast.expr) -> ast.stmt:
        category, name = target
        if category == "local":
            return assign(self.local(name), value)
        return put("m.memory[A]", value, A=number(self.calls.memory(name)))

    def _draw(self, deed: Deed) -> list[ast.stmt]:
        category, name = deed.pair
        stack = self.terms.expr(deed.terms[0])
        if len(deed.terms) == 1:
            drawn = fill("m.draw(A)", A=stack)
        else:
            # in the condition the name means each piece in turn, whatever it is outside
            test = self.terms.expr(deed.terms[1])
            each = ast.comprehension(
                store(f"v_{name}"), fill("sorted(m.stacks[A])", A=stack), [test], 0
            )
            listed = ast.ListComp(load(f"v_{name}"), [each])
            drawn = fill("m.draw_among(A, B)", A=stack, B=listed)
        return [self._store((category, name), drawn)]

    def _verb(self, deed: Deed) -> list[ast.stmt]:
        """A verb and what follows from it, where nobody is asked meanwhile."""
        verb = deed.verb[0]
        if not may_leave(verb):
            return self._verb_alone(deed, deed.terms)[0]
        done, figure = self._moved(deed)
        calls: list[ast.stmt] = [
            plain_call(r, [copy.deepcopy(figure)]) for r in self._reactions(deed)
        ]
        # most figures stand alone: ask before calling
        alone = ast.If(fill("A in m.beside", A=figure), [do("m.let_go(A)", A=figure)], [])
        if not calls:
            return [*done, alone] if self.calls.companions else done
        follows = [*calls, alone] if self.calls.companions else calls
        return [*done, ast.If(fill("m.has_left"), follows, [])]

    def _verb_in_blocks(self, deed: Deed) -> None:
        """The same where a reaction may have to wait for somebody."""
        done, figure = self._moved(deed)
        self.extend(done)
        follows, after = self.new_block(), self.new_block()
        self.add(ast.If(fill("not m.has_left"), self.go(after), []))
        self.extend(self.go(follows))
        self.here = follows
        for reaction in self._reactions(deed):
            self._call(reaction, [copy.deepcopy(figure)], deed.span)
        self.add(ast.If(fill("A in m.beside", A=figure), [do("m.let_go(A)", A=figure)], []))
        self.extend(self.go(after))
        self.here = after

    def _moved(self, deed: Deed) -> tuple[list[ast.stmt], ast.expr]:
        """The statements for a verb that lifts a figure, and that figure, which is asked for once."""
        told = self._told(deed.terms[:1], 2)
        done, figure = self._verb_alone(deed, deed.terms, told.values[0])
        return [*told.before, *done], figure

    def _verb_alone(
        self, deed: Deed, terms: Sequence[Term], operand: ast.expr | None = None
    ) -> tuple[list[ast.stmt], ast.expr]:
        verb, _, target = deed.verb
        holes = dict(zip("ABC", map(self.terms.expr, terms), strict=False))
        if operand is not None:
            holes["A"] = operand
        name = verb
        if verb == "move":
            name = f"move {terms[1].type.base}"
        if verb == "award":
            holes.setdefault("C", constant(None))
            holes["D"] = number(self.calls.site(deed))
            asked = terms[0].args if terms[0].op == "answer" else ()
            holes["E"] = ast.Tuple(list(map(self.terms.expr, asked)), ast.Load())
        call = fill(VERB_CODE[name], **holes)
        if target is not None:
            return [self._store(target, call)], holes["A"]
        return [ast.Expr(call)], holes["A"]


@dataclass(slots=True)
class _Told:
    """Statements that ask for some values, and the trees that give these values as often as needed."""

    before: list[ast.stmt]
    values: list[ast.expr]

    def again(self) -> list[ast.expr]:
        return [copy.deepcopy(value) for value in self.values]


def _piece_of(source: Term) -> Term | None:
    """The piece whose placements these are, when they are nothing else."""
    while source.op == "quantifier" and source.pair[0] in ("those", "most", "least"):
        source = source.args[0]
    is_plain = source.op == "function" and source.data == "placements"
    return source.args[0] if is_plain else None


def announced(deed: Deed) -> str:
    """The event that a deed announces, of itself or because it says so; or nothing."""
    if deed.op == "announce":
        return str(deed.data)
    return VERB[deed.verb[0]].announces if deed.op == "verb" else ""


def may_leave(verb: str) -> bool:
    """Whether a figure may leave its tile by this verb, so that its companions let go."""
    return verb == "remove" or VERB[verb].announces == "left"


def plain_call(callee: Reaction, arguments: list[ast.expr]) -> ast.stmt:
    """A call of a body that asks nobody; when it ends the game, so does its caller."""
    call = ast.Call(load(callee.name), [load("m"), *arguments], [])
    return ast.If(call, [give(constant(True))], []) if callee.ends else ast.Expr(call)


class _Go(ast.stmt):
    """Stands for a jump to a block until it is known how each block is reached."""

    _fields = ()

    def __init__(self, block: int) -> None:
        super().__init__()
        self.block = block


def _spliced(blocks: list[list[ast.stmt]], resumed: set[int]) -> list[tuple[int, list[ast.stmt]]]:
    """The blocks that must stay blocks; one that is reached from a single place is put there."""
    reached: dict[int, int] = dict.fromkeys(resumed, 2)
    for block in blocks:
        for statement in block:
            for node in ast.walk(statement):
                if isinstance(node, _Go):
                    reached[node.block] = reached.get(node.block, 0) + 1

    def settle(statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            if isinstance(statement, _Go):
                if reached[statement.block] == 1:
                    return found + settle(blocks[statement.block])
                jump = [assign("at", number(statement.block)), ast.Continue()]
                return found + [ast.copy_location(node, statement) for node in jump]
            if isinstance(statement, ast.If):
                statement.body = settle(statement.body)
                statement.orelse = settle(statement.orelse)
            found.append(statement)
        return found

    kept = [n for n in range(len(blocks)) if reached.get(n, 0) > 1]
    return [(n, settle(blocks[n]) or [ast.Pass()]) for n in kept]


def _branch(blocks: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """Find the block by halving, so that late blocks are found as fast as early ones."""
    if len(blocks) == 1:
        return blocks[0][1]
    middle = len(blocks) // 2
    test = fill("at < A", A=number(blocks[middle][0]))
    return [ast.If(test, _branch(blocks[:middle]), _branch(blocks[middle:]))]


def _loads(names: Sequence[str]) -> list[ast.stmt]:
    """Take saved names back from the frame."""
    if not names:
        return []
    target = ast.Tuple([store("_"), store("_"), *map(store, names)], ast.Store())
    return [ast.Assign([target], load("frame"))]
