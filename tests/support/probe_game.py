"""A small game for tests of the language: the base game, and a module with one thing of every sort.

Its step `probe` stands before each turn's draw: a decision `ready`, then the rule under test, then
a decision `done`. So a test sees a real match just before and just after what the rule did. The
rule replaces an empty one; nothing else of the game is compiled again.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from support.reading_cases import node_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import code_without_file
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.types import BASES
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.scope import Scope
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.language.typing.typecheck_effects import EffectChecker
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.match import Match
from tilewright.play.match_state import TURN
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.play.seating import streams_from
from tilewright.rules.analysis.link import link_game
from tilewright.rules.linking.game import Game, LinkedRule
from tilewright.rules.model.ruleset import Ruleset, StepRule
from tilewright.rules.reading.files.components import read_components
from tilewright.rules.reading.files.module import read_module
from tilewright.rules.reading.files.rules import read_rules
from tilewright.rules.reading.library import Library

#: figures that nobody owns come first, by kind: two ghosts, then the walker
WALKER = 2

MODULE = """
id: test/probe
kind: expansion
edition: test
title: {en: probe}
provides: [probe]
requires: {base: c2/base}
"""

PIECES = """
features:
  bower: {label: {en: bower}, reach: inside, completes: flanked, from_symbol: garden_symbol}
figures:
  scout: {label: {en: scout}, owned: true, count: 2, traits: [follower, quick], carries: [facing]}
  walker: {label: {en: walker}, owned: false, count: 1, traits: [quick],
           carries: [facing, companion]}
  ghost: {label: {en: ghost}, owned: false, count: 2, traits: [pale]}
tokens:
  bead: {label: {en: bead}, count: 3, traits: [shiny, quick]}
  chip: {label: {en: chip}, count: 40}
  nail: {label: {en: nail}, count: 1, traits: [shiny]}
roles:
  ranger: {label: {en: ranger}, figures: [scout, meeple], on: field}
  warden: {label: {en: warden}, figures: [scout], on: bower}
  guard: {label: {en: guard}, figures: [scout], on: city}
stacks:
  spare: {label: {en: spare}}
  urn: {label: {en: urn}}
  basket: {label: {en: basket}, owned: true, in_order: true}
"""

#: memory of every type: `one_player`, `many_players` ...
MEMORY = "".join(
    f"  one_{base.replace(' ', '_')}: "
    f'{{type: "{base + ("" if base in ("number", "truth") else "?")}", per: game}}\n'
    f"  many.{base.replace(' ', '_')}: {{type: set of {base}, per: game}}\n"
    for base in BASES
)

#: memory that is kept for things, with every way to combine that of features
KEPT = """
  coins: {type: number, of: player, per: game}
  seen_in: {type: "feature?", of: figure, per: game}
  tag: {type: "figure?", of: tile, per: game}
  dug: {type: truth, of: tile, per: turn}
  guest: {type: "player?", of: segment, per: game}
  toll: {type: number, of: feature, combine: sum, per: game}
  height: {type: number, of: feature, combine: max, per: game}
  depth: {type: number, of: feature, combine: min, per: game}
  blessed: {type: truth, of: feature, combine: any, per: game}
  sealed: {type: truth, of: feature, combine: all, per: game}
  founder: {type: "player?", of: feature, combine: first, per: game}
"""

RULES = f"""
memory:
{MEMORY}{KEPT}
  twice: {{type: number, per: turn}}
  held.piece: {{type: "piece?", per: game}}

values:
  probe.bonus: {{type: number, is: 3}}
  probe.pile: {{type: stack, is: spare}}
  probe.road: {{type: feature kind, is: road}}

steps:
  probe: {{phase: turn, before: [draw_tile], label: {{en: probe}}}}
  probe_over: {{phase: final, before: [final_scoring], label: {{en: over}}}}

definitions:
  worth: {{parameters: {{f: figure}}, type: number, combine: sum, says: a sum}}
  liked: {{parameters: {{c: cell}}, type: truth, combine: any, says: any}}
  cosy: {{parameters: {{c: cell}}, type: truth, combine: all, says: all}}
  helpers: {{parameters: {{who: player}}, type: set of figure, combine: union, says: a union}}
  nearby: {{parameters: {{c: cell}}, type: set of cell, combine: union, says: another union}}
  gardeners: {{parameters: {{t: tile}}, type: set of figure, combine: union, says: a third}}
  placed_kinds: {{parameters: {{who: player}}, type: set of feature kind, combine: union, says: k}}
  rank: {{parameters: {{who: player}}, type: number, combine: max, says: the greatest}}
  tally: {{parameters: {{x: feature}}, type: number, combine: items, says: items}}
  modest: {{parameters: {{who: player, n: number}}, type: number, combine: min, says: the least}}
  refuge:
    parameters: {{who: player}}
    type: stack
    combine: one
    says: one of several
    default: probe.pile
  favourite: {{parameters: {{who: player}}, type: "figure?", combine: one, says: one or nothing}}

events:
  ping: {{parameters: {{n: number, p: player}}, says: something}}
  blink: {{parameters: {{f: figure}}, says: something else}}

rules:
  - {{id: worth.scout, amend: worth(f), when: f is scout, value: 3}}
  - {{id: worth.standing, amend: worth(f), when: f is placed, value: count(around(f.cell))}}
  - {{id: liked.garden, amend: liked(c), value: c.tile is something and c.tile has garden_symbol}}
  - {{id: liked.crowd, amend: liked(c), when: turn > 3, value: not (c.figures is empty)}}
  - {{id: cosy.free, amend: cosy(c), value: has_free_side(c)}}
  - {{id: cosy.late, amend: cosy(c), when: turn mod 2 = 0, value: count(neighbours(c)) < 3}}
  - {{id: helpers.own, amend: helpers(who), value: who.figures}}
  - id: helpers.ghosts
    amend: helpers(who)
    when: who is active
    value: "those g in figures: g is ghost or g in many.figure"
  - {{id: nearby.side, amend: nearby(c), value: neighbours(c)}}
  - {{id: nearby.round, amend: nearby(c), when: liked(c), value: around(c)}}
  - {{id: gardeners.there, amend: gardeners(t), when: t has garden_symbol, value: t.figures}}
  - id: placed_kinds.own
    amend: placed_kinds(who)
    value: "collect s in segments(tiles): if first(s.figures) is nothing then field else s.kind"
  - {{id: rank.points, amend: rank(who), when: who.points > 5, value: who.points}}
  - {{id: rank.figures, amend: rank(who), when: who is active, value: count(who.figures) - 2}}
  - {{id: modest.whole, amend: "modest(who, n)", value: n}}
  - {{id: modest.active, amend: "modest(p, k)", when: p is active, value: k div 2 + 1}}
  - {{id: may_decline.late, amend: may_decline(who), value: turn mod 5 != 0 or who.points > 9}}
  - {{id: tally.size, amend: tally(x), item: size, value: x.size}}
  - {{id: tally.ends, amend: tally(x), when: x is probe.road, item: ends, value: -x.open_ends}}
  - {{id: refuge.rich, amend: refuge(who), when: who.points > 4, value: urn}}
  - {{id: favourite.own, amend: favourite(who), when: one_truth, value: first(who.figures)}}

  # where a piece may be laid: one answer for some pieces, one for some turns
  - id: may_lay.garden
    amend: may_lay(p, spot)
    when: p has garden_symbol and holds(active, chip) > 0
    value: "any q in prints(p, spot) of field: south in q.sides"
  - id: may_lay.late
    amend: may_lay(piece_asked, spot)
    when: "turn mod 3 = 0 and (any p in placed_kinds(active): p in piece_asked.kinds)"
    value: "any q in prints(piece_asked, spot): west in q.sides or count(neighbours(q.cell)) > 1"

  - id: pay.rule
    procedure: "pay(n: number, p: player)"
    do: |
      stop if n > 20
      award n to p
      set twice = twice + n

  - id: ask.rule
    procedure: "ask(p: player, s: set of figure)"
    do: |
      for f in s {{
        may choose d in directions by p as "turn" {{
          face f to d
          stop if d is south
        }} else {{ set twice = twice + 1 }}
      }}
      set one_number = count(s)

  - {{id: ping.count, on: "ping(n, p)", do: "set one_number = one_number + n"}}
  - id: ping.ask
    on: ping(n, p)
    after: [ping.count]
    when: n mod 2 = 0
    do: |
      choose q in players_from(p) by p {{ award 1 to q }}
      set one_player = p
  - {{id: blink.one, on: blink(f), do: add f to many.figure}}
  - {{id: blink.two, on: blink(f), after: [blink.one], do: set one_figure = f}}

  - id: left.note
    on: left(f)
    do: |
      for g in figures {{ if g.companion is f {{ award 1 to active }} }}
      if f is scout {{ return walker quietly }}
  - {{id: left.last, on: left(f), after: [left.note], do: set one_figure = f}}

  - id: wave
    action: wave at step probe
    offer: {{f: active.ready, d: directions}}
    where: d is not south
    do: |
      face f to d
      award 1 to active
  - id: perch
    action: perch at step probe
    offer: {{f: figures of follower}}
    where: walker.companion is not f
    do: attach walker to f
  - id: nap
    action: nap at step probe
    when: twice < 5
    do: choose p in players by active {{ set one_player = p }}

  - {{id: probe.ready, on: step probe, do: "choose p in {{active}} by active as \\"ready\\" {{}}"}}
  - {{id: probe.rule, on: step probe, after: [probe.ready],
     do: "if turn < 0 {{ offer actions by active }}"}}
  - {{id: probe.done, on: step probe, after: [probe.rule],
     do: "choose p in {{active}} by active as \\"done\\" {{}}"}}
  - {{id: probe.over, on: step probe_over,
     do: "choose p in {{active}} by active as \\"over\\" {{}}"}}
"""


def probe_ruleset(rules: str = RULES) -> Ruleset:
    """The module as read; it must be without diagnostics."""
    reporter = Reporter()
    module = read_module(node_of(MODULE), reporter)
    pieces = read_components(node_of(PIECES), reporter)
    combine = read_rules(node_of(rules), reporter)
    assert module is not None and not reporter.has_errors, reporter.diagnostics
    return Ruleset(
        module=module,
        features=pieces.features,
        figures=pieces.figures,
        tokens=pieces.tokens,
        roles=pieces.roles,
        stacks=pieces.stacks,
        values=combine.values,
        memory=combine.memory,
        steps=combine.steps,
        definitions=combine.definitions,
        events=combine.events,
        rules=combine.rules,
    )


def linked(rules: str, reporter: Reporter) -> Game | None:
    """The probe game with these rules, from its text."""
    library, own = Library(), probe_ruleset(rules)

    def load(id_: str) -> Ruleset | None:
        return own if id_ == own.id else library.load(id_, reporter)

    return link_game("test/probe", {}, load, reporter)


@cache
def game() -> Game:
    """The probe game."""
    reporter = Reporter()
    found = linked(RULES, reporter)
    assert found is not None, "\n".join(map(str, reporter.diagnostics))
    return found


@cache
def program() -> Program:
    return compile_game(game())


def checked(text: str, reporter: Reporter) -> t.Body | None:
    """The effects of a text as the body of a rule at a step; diagnostics go to the reporter."""
    effects = parse_effects(code_without_file(text), reporter)
    if effects is None:
        return None
    expressions = ExpressionChecker(game().environment, reporter)
    return EffectChecker(expressions, at_step=True).body(effects, Scope())


def checked_expression(text: str, reporter: Reporter) -> None:
    """Check an expression outside of a rule."""
    node = parse_expression(code_without_file(text), reporter)
    if node is not None:
        ExpressionChecker(game().environment, reporter).expression(node, Scope())


def program_with(text: str, *, probes: bool = False) -> Program:
    """The probe game with this text in the rule under test. The text must be sound."""
    reporter = Reporter()
    effects = checked(text, reporter)
    assert effects is not None and not reporter.has_errors, "\n".join(
        map(str, reporter.diagnostics)
    )

    def put(rule: LinkedRule) -> LinkedRule:
        if rule.id != "probe.rule":
            return rule
        assert isinstance(rule.rule, StepRule)
        return replace(rule, effects=effects, rule=replace(rule.rule, do=code_without_file(text)))

    steps = tuple(replace(s, rules=tuple(map(put, s.rules))) for s in game().steps)
    return compile_game(replace(game(), steps=steps), probes=probes)


# ------------------------------------------------------------------ positions


@cache
def _position(seed: int) -> Match:
    """A match in the middle of the game: some random choices, figures here and there."""
    rng = random.Random(seed)
    match = start_match(program(), rng.choice((2, 3)), seed)
    wanted = rng.randint(10, 60)
    for _ in range(wanted):
        match.choose_number(rng.randrange(match.count))
    # some figures that the base game leaves at home
    for figure in range(3):
        tile = rng.randrange(len(match.board.tile_cell))
        if rng.random() < 0.7:
            match.move_to_tile(figure, tile)
    for _ in range(rng.randint(0, 4)):
        match.give(rng.randrange(3), rng.choice(match.players))
    if rng.random() < 0.5:
        match.move_beside(rng.randrange(len(match.spot)), rng.randrange(len(match.stacks)))
    placed = [f for f in range(3, len(match.spot)) if match.spot[f] >= 0]
    if placed and rng.random() < 0.7:
        match.attach(WALKER, rng.choice(placed))
    return match


def position(seed: int, with_program: Program | None = None) -> Match:
    """The position of a seed under another program, at its next decision `ready`."""
    match = _position(seed).fork()
    match.program = with_program or program()
    match.streams += streams_from(match.program, match.seed)[len(match.streams) :]
    match.frames = []
    match._no_decision()
    match.phase = TURN
    match.run()
    return match


def label(match: Match) -> str:
    """The label of the current decision in the rules."""
    return match.program.sites[match.decision_site].label if match.to_move >= 0 else ""
