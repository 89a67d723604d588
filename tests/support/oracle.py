"""A second opinion: what effects do, read straight off their syntax.

The oracle walks the nodes, slowly, and changes its own state. Where somebody chooses, the walk
yields a `Question` and is sent the answer; draws are given from outside.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, assert_never

from support.oracle_answers import Answers, name_node, path_of
from support.oracle_values import Env, Thing, Value, as_set, distinct
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_effects


class EndedError(Exception):
    """The rules have ended the game."""


@dataclass(frozen=True, slots=True)
class Question:
    """Somebody must choose: who, among what, and whether to pass is allowed."""

    player: int
    options: list[Value]
    optional: bool


PASS = object()
Asking = Generator[Question, Value, str]


class Oracle(Answers):
    """A match as it should go on, beginning at a decision."""

    def rule(self, effects: tuple[n.Effect, ...], env: Env) -> Asking:
        """All of a rule; `stop` outside loops leaves it."""
        yield from self.block(effects, env)
        return ""

    def block(self, effects: tuple[n.Effect, ...], env: Env) -> Asking:
        """Effects one after another; "stop" when the loop around them is to be left."""
        for effect in effects:
            self.steps -= 1
            if (yield from self.effect(effect, env)) == "stop":
                return "stop"
        return ""

    def effect(self, effect: n.Effect, env: Env) -> Asking:
        match effect:
            case n.Let(name, value):
                env[name] = self.ask(value, env)
            case n.Assign("active", value):
                self.active = self.ask(value, env).key
            case n.Assign(target, value):
                self.set(target, self.ask(value, env), env)
            case n.Add(value, target) if isinstance(self.ask(name_node(target), env), int):
                self.set(target, self.ask(name_node(target), env) + self.ask(value, env), env)
            case n.Add(value, target):
                held = self.scope(target, env)
                held[target] = as_set(distinct([*self.current(held[target]), self.ask(value, env)]))
            case n.Drop(value, target):
                held, gone = self.scope(target, env), self.ask(value, env)
                held[target] = [x for x in self.current(held[target]) if x != gone]
            case n.If(test, then, otherwise):
                return (yield from self.block(then if self.ask(test, env) else otherwise, env))
            case n.For(variable, source, body):
                for member in self.many(self.ask(source, env)):
                    env[variable] = member
                    if (yield from self.block(body, env)) == "stop":
                        break
            case n.ForWith(variable, source, attribute, name, body):
                for member in self.many(self.ask(source, env)):
                    env[variable] = member
                    found = self.ask(
                        n.Attribute(n.Name(variable, effect.span), attribute, effect.span), env
                    )
                    if found is not None:
                        env[name] = found
                        if (yield from self.block(body, env)) == "stop":
                            break
            case n.Repeat(count, body):
                for _ in range(self.ask(count, env)):
                    if (yield from self.block(body, env)) == "stop":
                        break
            case n.Stop(test):
                return "stop" if test is None or self.ask(test, env) else ""
            case n.Choose():
                return (yield from self.choose(effect, env))
            case n.Decide(_, by, body, otherwise):
                amendment = yield Question(self.ask(by, env).key, [True], True)
                return (yield from self.block(otherwise if amendment is PASS else body, env))
            case n.Draw():
                self.draw(effect, env)
            case n.DrawInto():
                self.draw_into(effect, env)
            case n.Offer(by):
                yield from self.offer(self.ask(by, env))
            case n.ProcedureCall(procedure, arguments):
                values = [self.ask(a, env) for a in arguments]
                linked = self.game.procedures[procedure]
                names = [p for p, _ in linked.parameters]
                yield from self.called(linked.rule, dict(zip(names, values, strict=True)))
            case n.Announce(event, arguments):
                yield from self.announce(event, [self.ask(a, env) for a in arguments])
            case n.EndGame(_, at_once):
                raise EndedError(at_once)
            case n.Verb():
                yield from self.verb(effect, env)
            case _:
                assert_never(effect)
        return ""

    def set(self, target: str, value: Value, env: Env) -> None:
        """Give a local name, a memory, or what is kept for a thing another value."""
        head, _, last = target.rpartition(".")
        if head and target not in env and target not in self.memory:
            self.keep(self.ask(name_node(head), env), last, value)
        else:
            self.scope(target, env)[target] = value

    def scope(self, target: str, env: Env) -> Env:
        return env if target in env else self.memory

    def choose(self, effect: n.Choose, env: Env) -> Asking:
        options = self.many(self.ask(effect.source, env))
        amendment = PASS
        if options:
            amendment = yield Question(self.ask(effect.by, env).key, options, effect.optional)
        if amendment is PASS:
            return (yield from self.block(effect.otherwise, env))
        env[effect.variable] = amendment
        return (yield from self.block(effect.body, env))

    def draw(self, effect: n.Draw, env: Env) -> None:
        whole = self.ask(effect.stack, env)
        if not isinstance(whole, Thing):
            self.draw_members(effect, self.many(whole), env)
            return
        stack = self.stacks[whole.key]
        drawn = self.draws.popleft()
        if effect.where is not None:
            assert self.ask(effect.where, {**env, effect.target: Thing("piece", drawn)})
        stack.remove(drawn)
        held = self.memory if effect.target in self.memory else env
        held[effect.target] = Thing("piece", drawn)

    def draw_members(self, effect: n.Draw, members: list[Value], env: Env) -> None:
        """The members of a set that chance named, by the places that the log has."""
        if effect.where is not None:
            members = [x for x in members if self.ask(effect.where, {**env, effect.target: x})]
        left, found = [*members], list[Value]()
        times = 1 if effect.times is None else self.ask(effect.times, env)
        while left and len(found) < times:
            found.append(left.pop(self.draws.popleft()))
        one = found[0] if found else None
        held = self.memory if effect.target in self.memory else env
        held[effect.target] = one if effect.times is None else found

    def draw_into(self, effect: n.DrawInto, env: Env) -> None:
        target, times = effect.target or "_", 1
        if effect.times is not None:
            times = self.ask(effect.times, env)
        for _ in range(times):
            held = self.many(self.ask(effect.stack, env))
            if effect.where is not None:
                held = [p for p in held if self.ask(effect.where, {**env, target: p})]
            if not held and effect.times is not None:
                break
            self.draw(n.Draw(target, effect.stack, effect.where, effect.span), env)
            into = self.ask(effect.into, env).key
            self.stacks[into] = self.kept_in(into, [*self.stacks[into], env[target].key])

    def called(self, rule: Any, env: Env) -> Asking:
        """A procedure, a reaction or an action with its parameters."""
        if rule.head.when is not None and not self.ask(self.node(rule.head.when), env):
            return ""
        effects = parse_effects(rule.do, Reporter())
        assert effects is not None
        return (yield from self.rule(effects, env))

    def announce(self, event: str, values: list[Value]) -> Asking:
        for reaction in self.game.events[event].reactions:
            names = [p for p, _ in reaction.parameters]
            yield from self.called(reaction.rule, dict(zip(names, values, strict=True)))
        return ""

    def offer(self, player: Thing) -> Asking:
        step = next(s for s in self.game.steps if s.id == "probe")
        options: list[tuple[int, ...]] = []
        for number, action in enumerate(step.actions):
            rule = action.rule
            if not self.definition("may_offer", [player, Thing("action", rule.name)]):
                continue
            if rule.head.when is None or self.ask(self.node(rule.head.when), {}):
                for env in self.offered(list(rule.offer), {}):
                    if rule.where is None or self.ask(self.node(rule.where), env):
                        options.append((number, *env.values()))
        if options:
            may_decline = bool(self.definition("may_decline", [player]))
            amendment = yield Question(player.key, options, may_decline)
            if amendment is not PASS:
                chosen = step.actions[amendment[0]].rule
                names = [name for name, _ in chosen.offer]
                effects = parse_effects(chosen.do, Reporter())
                assert effects is not None
                yield from self.rule(effects, dict(zip(names, amendment[1:], strict=True)))
                yield from self.announce("acted", [player, Thing("action", chosen.name)])
        return ""

    def offered(self, names: list[tuple[str, Code]], env: Env) -> Iterator[Env]:
        if not names:
            yield env
            return
        name, code = names[0]
        for member in self.many(self.ask(self.node(code), env)):
            yield from self.offered(names[1:], {**env, name: member})

    # -------------------------------------------------------------- verbs

    def verb(self, effect: n.Verb, env: Env) -> Asking:
        if effect.verb in ("give", "spend") and isinstance(effect.operand, n.Restriction):
            one = replace(effect, operand=effect.operand.owner)
            for _ in range(self.ask(effect.operand.whole, env)):
                yield from self.verb(one, env)
            return ""
        operand = self.ask(effect.operand, env)
        parts = dict(effect.parts)
        given = {
            w: self.ask(p, env) for w, p in parts.items() if (effect.verb, w) != ("lay", "into")
        }
        match effect.verb:
            case "award":
                self.points[given["to"].key] += operand
            case "take":
                self.stacks[given["from"].key].remove(operand.key)
            case "put":
                into = given["into"].key
                self.stacks[into] = self.kept_in(into, [*self.stacks[into], operand.key])
            case "move all of":
                if operand != given["into"]:
                    gone, self.stacks[operand.key] = self.stacks[operand.key], []
                    target = given["into"].key
                    self.stacks[target] = self.kept_in(target, [*self.stacks[target], *gone])
            case "lay":
                cell, layout = given["at"].key
                done = self.table.lay(operand.key, cell, layout)
                self.completed = [Thing("feature", seg) for seg in done]
                if "into" in parts:
                    name = path_of(parts["into"])
                    self.scope(name, env)[name] = [Thing("tile", len(self.table.tiles) - 1)]
            case "face":
                self.facing[operand.key] = given["to"].key
            case "give":
                if self.tokens[operand.key, None] > 0:
                    self.tokens[operand.key, None] -= 1
                    self.tokens[operand.key, given["to"].key] += 1
            case "spend":
                if self.tokens[operand.key, given["by"].key] > 0:
                    self.tokens[operand.key, given["by"].key] -= 1
                    self.tokens[operand.key, None] += 1
            case _:
                yield from self.moved(effect.verb, operand.key, given.get("to"))
        return ""

    def moved(self, verb: str, figure: int, to: Thing | None) -> Asking:
        has_left = self.tile_of(figure) is not None
        self.attached_to[figure] = None
        match verb:
            case "move":
                assert to is not None
                if to.kind == "stack":
                    self.facing[figure] = None
                where = to.key if to.kind != "cell" else self.table.tile_at(to.key)
                self.place[figure] = ("tile" if to.kind == "cell" else to.kind, where)
            case "attach":
                assert to is not None
                self.place[figure] = ("tile", self.tile_of(to.key))
                self.attached_to[figure] = to.key
            case "hand":
                assert to is not None
                self.place[figure] = ("held", to.key)
                self.facing[figure] = None
            case _:
                self.place[figure] = ("home",)
                self.facing[figure] = None
        if has_left:
            if verb != "return quietly":
                yield from self.announce("left", [Thing("figure", figure)])
            self.attached_to = [None if other == figure else other for other in self.attached_to]
        return ""
