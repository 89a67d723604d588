"""Random programs that mean something, for the probe game: expressions of a wanted type, effects.

The writer keeps the names in scope and their types, so that what it writes passes the checker by
construction. Its ways to make a value of a type are read from the table of primitives; a new
attribute or question is exercised without a change here. Loops are few and short, so that every
program ends soon.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from support.probe_game import game
from tilewright.language.builtins import ATTRIBUTES as ALL_ATTRIBUTES
from tilewright.language.builtins import FUNCTIONS, GLOBALS
from tilewright.language.source.text import NOWHERE as AT
from tilewright.language.syntax import ast as n
from tilewright.language.types import BASES as ALL_BASES
from tilewright.language.types import NUMBER, TRUTH, Type, parse_type

Maker = Callable[[int], n.Expression]
#: an action has a name beside `is` alone, and these games have no items
BASES = tuple(base for base in ALL_BASES if base not in ("action", "item", "item stack"))
#: the attributes of things that these programs have
ATTRIBUTES = tuple(each for each in ALL_ATTRIBUTES if each.owner in BASES)
#: the start of every program: a tile, a segment and a print that surely exist
PRELUDE = """let t0 = first(tiles)
stop if t0 is nothing
let s0 = first(t0.segments)
stop if s0 is nothing
let r0 = first(prints(t0.piece, origin))
stop if r0 is nothing
"""
MARKS = {"tile": "symbol", "segment": "symbol", "piece": "symbol", "figure": "trait",
         "token": "trait"}  # fmt: skip
KINDS = (
    ("figure", "figure kind"), ("figure", "role"), ("feature", "feature kind"),
    ("segment", "feature kind"), ("print", "feature kind"),
)  # fmt: skip
OWNERS = (("figure", "player"), *KINDS, ("figure", "trait"), ("token", "trait"))
#: sets of these stay small
CHOOSABLE = ("player", "direction", "cell", "tile", "segment", "figure", "feature", "placement",
             "token", "print")  # fmt: skip


def name(text: str) -> n.Expression:
    """`a.b` as an expression."""
    first, *rest = text.split(".")
    found: n.Expression = n.Name(first, AT)
    for part in rest:
        found = n.Attribute(found, part, AT)
    return found


def number(value: int) -> n.Expression:
    return n.Number(value, AT)


def call(function: str, *arguments: n.Expression) -> n.Expression:
    return n.Call(function, arguments, AT)


def has_value(value: n.Expression) -> n.Expression:
    return n.Test(value, "something", False, AT)


class Writer:
    """Writes one program; all choices come from `rng`."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        there = (("t0", "tile"), ("s0", "segment"), ("r0", "print"))
        self.names: list[tuple[str, Type]] = [(text, Type(base)) for text, base in there]
        self.settable: list[str] = []
        self.fresh = 0
        self.loops = 0

    def program(self, most: int = 4) -> tuple[n.Effect, ...]:
        """A few effects; the prelude comes before them."""
        return self.block(self.rng.randint(1, most), 3)

    def new_name(self) -> str:
        self.fresh += 1
        return f"q{self.fresh}"

    def one_of(self, *options: n.Expression) -> n.Expression:
        return self.rng.choice(options)

    # -------------------------------------------------------------- expressions

    def expr(self, type_: Type, depth: int) -> n.Expression:
        """An expression whose type is just this."""
        makers = self.makers(type_) if depth > 0 else []
        if not makers or self.rng.random() < 0.15:
            return self.simple(type_, depth)
        return self.rng.choice(makers)(depth - 1)

    def loose(self, type_: Type, depth: int) -> n.Expression:
        """An expression that fits where this type is wanted."""
        if self.rng.random() < 0.15 and (type_.many or type_.optional):
            empty: n.Expression = n.SetOf((), AT) if type_.many else n.Nothing(AT)
            if self.rng.random() < 0.5:
                return empty
            sides = [empty, self.expr(type_ if type_.many else type_.one, depth)]
            self.rng.shuffle(sides)
            return n.Conditional(self.expr(TRUTH, depth - 1), sides[0], sides[1], AT)
        if type_.optional and self.rng.random() < 0.5:
            return self.expr(type_.one, depth)
        return self.expr(type_, depth)

    def simple(self, type_: Type, depth: int) -> n.Expression:
        """A short one: a local name, a constant, a memory."""
        rng, base = self.rng, type_.base
        local = [name(text) for text, known in self.names if known == type_]
        if local and rng.random() < 0.6:
            return rng.choice(local)
        memory = base.replace(" ", "_")
        if type_.many:
            options = [name(f"many.{memory}")]
            options += [name(g.name) for g in GLOBALS if g.type == type_]
            if depth > -3:
                options.append(n.SetOf((self.simple(type_.one, depth - 1),), AT))
            return rng.choice(options)
        if type_.optional:
            return name(f"one_{memory}")
        known = game().environment.constants
        options = [name(c) for c, constant in known.items() if constant.type == type_]
        options = rng.sample(options, min(4, len(options)))
        options += [name(v) for v, of in game().environment.values.items() if of == type_]
        options += [name(g.name) for g in GLOBALS if g.type == type_]
        options += {
            "number": [number(rng.randint(0, 12)), name("one_number"), name("twice")],
            "truth": [n.Truth(rng.random() < 0.5, AT), name("one_truth")],
            "cell": [name("t0.cell")],
            "heading": [name("east.heading")],
            "tile": [name("t0"), name("s0.tile")],
            "segment": [name("s0")],
            "feature": [name("s0.feature")],
            "print": [name("r0")],
        }.get(base, [])
        return rng.choice(options)

    def makers(self, type_: Type) -> list[Maker]:
        """The ways to make a value of a type from others."""
        found: list[Maker] = [
            lambda d, a=a: n.Attribute(self.expr(Type(a.owner), d), a.name, AT)  # type: ignore[misc]
            for a in ATTRIBUTES
            if a.type == type_
        ]
        found += [
            lambda d, of=kept.of, id_=id_: n.Attribute(self.expr(Type(of), d), id_, AT)  # type: ignore[misc]
            for id_, kept in game().environment.kept.items()
            if kept.type == type_
        ]
        found += self._calls(type_)
        found.append(
            lambda d: n.Conditional(
                self.expr(TRUTH, d), self.expr(type_, d), self.expr(type_, d), AT
            )
        )
        if type_ == NUMBER:
            found += self._number_makers()
        elif type_ == TRUTH:
            found += self._truth_makers()
        elif type_.many:
            found += self._set_makers(type_)
        elif not type_.optional:
            found.append(lambda d: self._tested(type_, d))
        if type_ == Type("stack"):
            whose = name("basket")
            found.append(lambda d: n.Restriction(whose, self.expr(Type("player"), d), AT))
        return found

    def _calls(self, type_: Type) -> list[Maker]:
        found: list[Maker] = []
        for function in FUNCTIONS:
            if function.name in ("count", "cycle"):
                continue
            generic = function.result in ("T?", "set of T")
            result = type_ if generic else parse_type(function.result)
            if result != type_ or (function.result == "T?") > type_.optional:
                continue
            if function.result == "set of T" and not type_.many:
                continue
            wanted = [
                Type(type_.base, many=True) if text == "set of T" else parse_type(text)
                for _, text in function.parameters
            ]
            found.append(
                lambda d, f=function.name, w=tuple(wanted): call(  # type: ignore[misc]
                    f, *(self.expr(t, d) for t in w)
                )
            )
        for id_, signature in game().environment.definitions.items():
            types = [t for _, t in signature.parameters]
            if signature.result == type_ and all(t.base in BASES for t in types):
                found.append(
                    lambda d, f=id_, w=tuple(types): call(f, *(self.loose(t, d) for t in w))  # type: ignore[misc]
                )
        return found

    def _tested(self, type_: Type, depth: int) -> n.Expression:
        """`if a is something then a else b`: a becomes usable by being tested."""
        options = list(self.makers(type_.maybe)[:-1])
        text = self.rng.choice(options)(depth) if options else self.simple(type_.maybe, 0)
        otherwise = self.simple(type_, depth)
        shape = self.rng.randrange(3)
        if shape == 0:
            return n.Conditional(has_value(text), text, otherwise, AT)
        if shape == 1:
            test = n.Comparison(self.one("is", "="), text, n.Nothing(AT), AT)
            return n.Conditional(test, otherwise, text, AT)
        same = n.Comparison(self.one("is", "="), text, self.expr(type_.maybe, depth), AT)
        return n.Conditional(same, text, otherwise, AT)

    def one(self, *words: str) -> str:
        return self.rng.choice(words)

    def _number_makers(self) -> list[Maker]:
        return [
            lambda d: n.Arithmetic(
                self.one("+", "-", "*", "div", "mod"),
                self.expr(NUMBER, d),
                self.expr(NUMBER, d),
                AT,
            ),
            lambda d: n.Negative(self.expr(NUMBER, d), AT),
            lambda d: call("count", self.any_set(d)),
            lambda d: call("count", self.expr(Type("stack"), d)),
            lambda d: self.quantifier("count", TRUTH, d),
            lambda d: self.quantifier("sum", NUMBER, d),
            lambda d: n.Attribute(
                self.expr(Type(self.one("feature", "segment")), d), "shields", AT
            ),
        ]

    def _truth_makers(self) -> list[Maker]:
        rng = self.rng

        def compared(d: int) -> n.Expression:
            sides = self.expr(NUMBER, d), self.expr(NUMBER, d)
            return n.Comparison(self.one("=", "!=", "<", "<=", ">", ">="), *sides, AT)

        def same(d: int) -> n.Expression:
            type_ = Type(rng.choice(BASES), optional=rng.random() < 0.5)
            if type_.base in ("number", "truth"):
                type_ = type_.one
            left, right = self.expr(type_, d), self.expr(type_, d)
            return n.Comparison(self.one("is", "is not", "=", "!="), left, right, AT)

        def member(d: int) -> n.Expression:
            base = rng.choice(BASES)
            left, right = self.expr(Type(base), d), self.loose(Type(base, many=True), d)
            return n.Comparison(self.one("in", "not in"), left, right, AT)

        def has(d: int) -> n.Expression:
            base, mark = rng.choice(tuple(MARKS.items()))
            owner = self.expr(Type(base, optional=rng.random() < 0.4), d)
            known = game().environment.constants.items()
            marks = [id_ for id_, constant in known if constant.type == Type(mark)]
            return n.Comparison("has", owner, name(rng.choice(marks)), AT)

        def kind(d: int) -> n.Expression:
            base, kind = rng.choice(KINDS)
            owner = self.expr(Type(base, optional=rng.random() < 0.4), d)
            right = self.expr(Type(kind), 0 if kind == "role" else d)
            return n.Comparison(self.one("is", "is not"), owner, right, AT)

        def claim(d: int) -> n.Expression:
            text = rng.choice([a for a in ATTRIBUTES if a.type == TRUTH])
            owner = self.expr(Type(text.owner), d)
            if rng.random() < 0.5:
                return n.Attribute(owner, text.name, AT)
            return n.Comparison(self.one("is", "is not"), owner, name(text.name), AT)

        def tested(d: int) -> n.Expression:
            if rng.random() < 0.5:
                return n.Test(self.any_set(d), "empty", rng.random() < 0.5, AT)
            base = rng.choice([b for b in BASES if b not in ("number", "truth")])
            text = self.rng.choice(self.makers(Type(base, optional=True)))(d)
            return n.Test(text, "something", rng.random() < 0.5, AT)

        return [
            compared, compared, same, member, has, kind, claim, tested,
            lambda d: n.Not(self.expr(TRUTH, d), AT),
            lambda d: n.And((self.expr(TRUTH, d), self.expr(TRUTH, d)), AT),
            lambda d: n.Or((self.expr(TRUTH, d), self.expr(TRUTH, d)), AT),
            lambda d: self.quantifier(self.one("any", "all"), TRUTH, d),
        ]  # fmt: skip

    def _set_makers(self, type_: Type) -> list[Maker]:
        def some(d: int) -> n.Expression:
            return n.SetOf(
                tuple(self.expr(type_.one, d) for _ in range(self.rng.randint(1, 3))), AT
            )

        def cycled(d: int) -> n.Expression:
            return call("cycle", self.expr(type_, d), call("min", self.expr(NUMBER, d), number(5)))

        def truncated(d: int) -> n.Expression:
            return n.FirstOf(self.expr(NUMBER, d), self.expr(type_, d), AT)

        def ranged(d: int) -> n.Expression:
            most = call("min", self.expr(NUMBER, d), number(4))
            return n.Range(number(self.rng.randint(0, 2)), most, AT)

        found: list[Maker] = [some, cycled, truncated, lambda d: self.collected(type_, d)]
        found += [ranged] if type_.base == "number" else []
        for kind, body in (("those", TRUTH), ("most", NUMBER), ("least", NUMBER)):
            found.append(
                lambda d, k=kind, b=body: self.quantifier(k, b, d, type_)  # type: ignore[misc]
            )
        for base, mark in OWNERS:
            if base == type_.base:
                found.append(
                    lambda d, w=mark: n.Restriction(  # type: ignore[misc]
                        self.expr(type_, d),
                        self.expr(Type(w), 0 if w in ("role", "trait") else d),
                        AT,
                    )
                )
        return found

    def any_set(self, depth: int) -> n.Expression:
        return self.expr(Type(self.rng.choice(BASES), many=True), depth)

    def source(self, depth: int, type_: Type | None = None) -> tuple[n.Expression, Type]:
        """The source of a loop, and the type of its members; sometimes a stack."""
        if type_ is None and self.rng.random() < 0.15:
            return self.expr(Type("stack"), depth), Type("piece")
        wanted = type_ or Type(self.rng.choice(BASES), many=True)
        return self.expr(wanted, depth), wanted.one

    def quantifier(
        self, kind: str, body: Type, depth: int, type_: Type | None = None
    ) -> n.Expression:
        if self.loops >= 2:
            return self.simple(type_ or (TRUTH if kind in ("any", "all") else NUMBER), depth)
        self.loops += 1
        source, member = self.source(depth, type_)
        variable = self.new_name()
        outer = self.names
        self.names = [*outer, (variable, member)]
        text = self.expr(body, depth)
        self.names = outer
        self.loops -= 1
        return n.Quantifier(kind, variable, source, text, AT)

    def collected(self, type_: Type, depth: int) -> n.Expression:
        if self.loops >= 2:
            return self.simple(type_, depth)
        self.loops += 1
        source, member = self.source(depth)
        variable = self.new_name()
        outer = self.names
        self.names = [*outer, (variable, member)]
        text = self.expr(type_.one, depth)
        self.names = outer
        self.loops -= 1
        return n.Quantifier("collect", variable, source, text, AT)

    # -------------------------------------------------------------- effects

    def block(self, count: int, depth: int) -> tuple[n.Effect, ...]:
        """Some effects; names that they bind are forgotten behind them."""
        outer, settable = self.names, self.settable[:]
        found: list[n.Effect] = []
        for _ in range(count):
            found += self.effect(depth)
        if self.rng.random() < 0.08:
            found.append(n.Stop(None, AT))
        elif self.rng.random() < 0.02:
            found.append(n.EndGame(AT, self.rng.random() < 0.5))
        self.names, self.settable = outer, settable
        return tuple(found)

    def inner(self, depth: int, *bound: tuple[str, Type]) -> tuple[n.Effect, ...]:
        outer = self.names
        self.names = [*outer, *bound]
        found = self.block(self.rng.randint(0, 2), depth - 1)
        self.names = outer
        return found

    def effect(self, depth: int) -> list[n.Effect]:
        plain = [self.let, self.assign, self.assign, self.change, self.verb, self.verb, self.stop]
        plain += [self.draw, self.perform, self.announce, self.offer]
        plain += [self.draw_into, self.draw_members]
        larger = [self.if_, self.if_, self.repeat, self.choose, self.choose, self.lay]
        larger += [self.decide]
        if self.loops < 2:
            larger += [self.for_, self.for_, self.for_with]
        makers = plain + larger if depth > 0 else plain
        return self.rng.choice(makers)(depth)

    def let(self, depth: int) -> list[n.Effect]:
        type_ = Type(self.rng.choice(BASES), many=self.rng.random() < 0.4)
        value, variable = self.expr(type_, depth), self.new_name()
        self.names = [*self.names, (variable, type_)]
        self.settable.append(variable)
        return [n.Let(variable, value, AT)]

    def target(self, many: bool) -> tuple[str, Type]:
        local = [pair for pair in self.names if pair[0] in self.settable and pair[1].many == many]
        if local and self.rng.random() < 0.5:
            return self.rng.choice(local)
        if not many and self.rng.random() < 0.4:
            return self.kept()
        base = self.rng.choice(BASES)
        where = "many." if many else "one_"
        memory = game().environment.memory
        id_ = where + base.replace(" ", "_")
        return id_, memory[id_]

    def kept(self) -> tuple[str, Type]:
        """A memory of a thing that has a path, and its type."""
        id_, kept = self.rng.choice(list(game().environment.kept.items()))
        paths = [text for text, type_ in self.names if type_ == Type(kept.of)]
        paths += {"player": ["active"], "tile": ["s0.tile"], "feature": ["s0.feature"]}.get(
            kept.of, []
        )
        if not paths:
            return "twice", NUMBER
        return f"{self.rng.choice(paths)}.{id_}", kept.type

    def assign(self, depth: int) -> list[n.Effect]:
        if self.rng.random() < 0.08:
            return [n.Assign("active", self.expr(Type("player"), depth), AT)]
        target, type_ = self.target(self.rng.random() < 0.5)
        return [n.Assign(target, self.loose(type_, depth), AT)]

    def change(self, depth: int) -> list[n.Effect]:
        if self.rng.random() < 0.4:
            target, type_ = self.target(False)
            if type_ == NUMBER:
                return [n.Add(self.expr(NUMBER, depth), target, AT)]
        target, type_ = self.target(True)
        value = self.expr(type_.one, depth)
        return [(n.Add if self.rng.random() < 0.6 else n.Drop)(value, target, AT)]

    def if_(self, depth: int) -> list[n.Effect]:
        if self.rng.random() < 0.4:
            base = self.rng.choice([b for b in BASES if b not in ("number", "truth")])
            text = self.rng.choice(self.makers(Type(base, optional=True)))(1)
            first = n.Assign(f"one_{base.replace(' ', '_')}", text, AT)
            return [n.If(has_value(text), (first, *self.inner(depth)), self.inner(depth), AT)]
        otherwise = self.inner(depth) if self.rng.random() < 0.5 else ()
        return [n.If(self.expr(TRUTH, depth), self.inner(depth), otherwise, AT)]

    def for_(self, depth: int) -> list[n.Effect]:
        self.loops += 1
        source, member = self.source(1)
        variable = self.new_name()
        remembering = member.base in BASES and self.rng.random() < 0.4
        write = self.remembering if remembering else self.inner
        body = write(depth, (variable, member))
        self.loops -= 1
        return [n.For(variable, source, body, AT)]

    def remembering(self, depth: int, bound: tuple[str, Type]) -> tuple[n.Effect, ...]:
        """The body of a loop whose test reads what an earlier member may have changed."""
        variable, member = bound
        places = [(name(variable), member)]
        places += [
            (n.Attribute(name(variable), a.name, AT), a.type)
            for a in ATTRIBUTES
            if Type(a.owner) == member and not a.type.many and a.type.base in BASES
        ]
        value, type_ = self.rng.choice(places)
        memory = f"one_{type_.base.replace(' ', '_')}"
        if type_.one == NUMBER:
            test: n.Expression = n.Comparison(self.one("<", ">", "="), value, name(memory), AT)
        elif type_.one == TRUTH:
            test = n.Not(name(memory), AT)
        else:
            test = n.Comparison(self.one("is", "is not"), value, name(memory), AT)
        change = n.Assign(memory, value, AT)
        return (n.If(test, (change, *self.inner(depth, bound)), (), AT),)

    def for_with(self, depth: int) -> list[n.Effect]:
        self.loops += 1
        attribute = self.rng.choice([a for a in ATTRIBUTES if a.type.optional])
        source = self.expr(Type(attribute.owner, many=True), 1)
        variable, found = self.new_name(), self.new_name()
        names = ((variable, Type(attribute.owner)), (found, attribute.type.one))
        body = self.inner(depth, *names)
        self.loops -= 1
        return [n.ForWith(variable, source, attribute.name, found, body, AT)]

    def decide(self, depth: int) -> list[n.Effect]:
        by, body = self.player(), self.inner(depth)
        otherwise = self.inner(depth) if self.rng.random() < 0.5 else ()
        return [n.Decide("do it", by, body, otherwise, AT)]

    def draw_members(self, depth: int) -> list[n.Effect]:
        """One or several random members of a set; one may be nothing."""
        type_ = Type(self.rng.choice(BASES), many=True)
        source, found = self.expr(type_, 1), self.new_name()
        if self.rng.random() < 0.5:
            drawn = n.Draw(found, source, None, AT, self.expr(NUMBER, 1))
            self.names = [*self.names, (found, type_)]
            return [drawn]
        outer = self.names
        self.names = [*outer, (found, type_.one)]
        wish = self.expr(TRUTH, 1) if self.rng.random() < 0.5 else None
        self.names = outer
        there = n.Test(name(found), "something", False, AT)
        then = self.inner(1, (found, type_.one))
        return [n.Draw(found, source, wish, AT), n.If(there, then, (), AT)]

    def draw_into(self, depth: int) -> list[n.Effect]:
        stacks = self.expr(Type("stack"), 0), self.expr(Type("stack"), 0)
        times = call("min", self.expr(NUMBER, 1), number(3))
        if self.rng.random() < 0.5:
            return [n.DrawInto("", *stacks, times, None, AT)]
        piece, outer = self.new_name(), self.names
        self.names = [*outer, (piece, Type("piece"))]
        wish = self.expr(TRUTH, 1)
        self.names = outer
        return [n.DrawInto(piece, *stacks, times, wish, AT)]

    def repeat(self, depth: int) -> list[n.Effect]:
        times = self.one_of(number(2), call("min", self.expr(NUMBER, 1), number(3)))
        return [n.Repeat(times, self.inner(depth), AT)]

    def stop(self, depth: int) -> list[n.Effect]:
        test = n.And((self.expr(TRUTH, depth), self.expr(TRUTH, depth)), AT)
        return [n.Stop(test, AT)]

    def player(self) -> n.Expression:
        return self.expr(Type("player"), 1)

    def choose(self, depth: int) -> list[n.Effect]:
        base = self.rng.choice(CHOOSABLE)
        source, variable = self.expr(Type(base, many=True), 2), self.new_name()
        by, label = self.player(), self.one("", "this")
        body = self.inner(depth, (variable, Type(base)))
        otherwise = self.inner(depth) if self.rng.random() < 0.5 else ()
        optional = self.rng.random() < 0.5
        return [n.Choose(optional, variable, source, by, label, body, otherwise, AT)]

    def lay(self, depth: int) -> list[n.Effect]:
        spot, piece = self.new_name(), self.new_name()
        into = (("into", name("many.tile")),) if self.rng.random() < 0.7 else ()
        lay = n.Verb("lay", name(piece), (("at", name(spot)), *into), AT)
        source = call("placements", name(piece))
        let = n.Let(piece, self.expr(Type("piece"), 1), AT)
        body = (lay, *self.inner(depth))
        choose = n.Choose(False, spot, source, self.player(), "lay", body, (), AT)
        return [let, self.taking(piece, choose)]

    def taking(self, piece: str, then: n.Effect) -> n.Effect:
        """Effects for a piece after it is taken out of a stack that has it."""
        stack, each = self.expr(Type("stack"), 0), self.new_name()
        there = n.Quantifier("any", each, stack, n.Comparison("=", name(each), name(piece), AT), AT)
        taken = n.Verb("take", name(piece), (("from", stack),), AT)
        return n.If(there, (taken, then), (), AT)

    def draw(self, depth: int) -> list[n.Effect]:
        stack, piece = self.expr(Type("stack"), 0), self.new_name()
        target = "one_piece" if self.rng.random() < 0.4 else piece
        into = n.Verb("put", name(target), (("into", self.expr(Type("stack"), 0)),), AT)
        if self.rng.random() < 0.5:
            test = n.Test(stack, "empty", True, AT)
            return [n.If(test, (n.Draw(target, stack, None, AT), into), (), AT)]
        outer = self.names
        self.names = [*outer, (piece, Type("piece"))]
        wish = self.expr(TRUTH, 1)
        self.names = outer
        there = n.Quantifier("any", piece, stack, wish, AT)
        return [n.If(there, (n.Draw(piece, stack, wish, AT),), (), AT)]

    def perform(self, depth: int) -> list[n.Effect]:
        if self.rng.random() < 0.5:
            return [n.ProcedureCall("pay", (self.expr(NUMBER, 1), self.player()), AT)]
        return [
            n.ProcedureCall("ask", (self.player(), self.loose(Type("figure", many=True), 1)), AT)
        ]

    def announce(self, depth: int) -> list[n.Effect]:
        if self.rng.random() < 0.5:
            return [n.Announce("ping", (self.expr(NUMBER, 1), self.player()), AT)]
        return [n.Announce("blink", (self.expr(Type("figure"), depth),), AT)]

    def offer(self, depth: int) -> list[n.Effect]:
        return [n.Offer(self.player(), AT)]

    def verb(self, depth: int) -> list[n.Effect]:
        figure = self.expr(Type("figure"), depth)
        verb = self.one(
            "move", "move", "return", "return quietly", "hand", "attach", "face", "award", "put",
            "move all of",
            "take", "give", "give", "spend",
        )  # fmt: skip
        parts: tuple[tuple[str, n.Expression], ...] = ()
        match verb:
            case "move":
                where = self.one("segment", "tile", "cell", "stack")
                to = self.expr(Type("tile" if where == "cell" else where), depth)
                # a figure needs a cell with a tile
                parts = (("to", n.Attribute(to, "cell", AT) if where == "cell" else to),)
            case "give":
                figure = self.counted(self.expr(Type("token"), depth))
                parts = (("to", self.player()),)
            case "spend":
                figure = self.counted(self.expr(Type("token"), depth))
                parts = (("by", self.player()),)
            case "hand":
                parts = (("to", self.player()),)
            case "face":
                parts = (("to", self.expr(Type("direction"), depth)),)
            case "award":
                on = (("on", self.expr(Type("feature"), depth)),) if depth > 1 else ()
                parts = (("to", self.player()), *on)
                figure = self.expr(NUMBER, depth)
            case "move all of":
                figure = self.expr(Type("stack"), depth)
                parts = (("into", self.expr(Type("stack"), depth)),)
            case "put":
                piece = self.new_name()
                put = n.Verb("put", name(piece), (("into", self.expr(Type("stack"), depth)),), AT)
                return [n.Let(piece, self.expr(Type("piece"), depth), AT), self.taking(piece, put)]
            case "take":
                stack, piece = self.expr(Type("stack"), 0), self.new_name()
                taken = n.Verb("take", name(piece), (("from", stack),), AT)
                return [n.For(piece, stack, (taken, n.Stop(None, AT)), AT)]
            case "attach":
                return self.attach(figure, depth)
        return [n.Verb(verb, figure, parts, AT)]

    def counted(self, token: n.Expression) -> n.Expression:
        """A token, or several of it."""
        few = call("min", self.expr(NUMBER, 1), number(3))
        return token if self.rng.random() < 0.5 else n.Restriction(few, token, AT)

    def attach(self, figure: n.Expression, depth: int) -> list[n.Effect]:
        other, mover = self.new_name(), self.new_name()
        lets = [
            n.Let(mover, figure, AT),
            n.Let(other, self.expr(Type("figure"), depth), AT),
        ]
        placed = n.Comparison("is", name(other), name("placed"), AT)
        apart = n.Comparison("!=", name(mover), name(other), AT)
        verb = n.Verb("attach", name(mover), (("to", name(other)),), AT)
        return [*lets, n.If(n.And((placed, apart), AT), (verb,), (), AT)]
