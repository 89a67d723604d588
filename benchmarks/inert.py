"""A ruleset that does nothing: rules of every kind, with conditions that never hold."""

INERT_MODULE = """
id: house/inert
kind: house
edition: c2
title: Nothing at all
provides: [inert]
requires: {base: c2/base}
"""

INERT_PIECES = """
symbols:
  never_printed: {label: {en: never printed}, glyph: disc}
stacks:
  nowhere: {label: {en: nowhere}}
figures:
  statue: {label: {en: statue}, owned: false, count: 1, glyph: disc}
"""

#: a tile with the symbol that is never drawn, so that the symbol cannot be left out of account
INERT_TILES = """
tiles:
  - id: never_drawn
    count: 1
    stack: nowhere
    edges: [field, field, field, field]
    segments:
      f1: {kind: field, at: [NNW, NNE, ENE, ESE, SSE, SSW, WSW, WNW]}
    symbols: [never_printed]
"""

INERT_RULES = """
memory:
  was_seen: {type: truth, per: turn}
steps:
  before_all: {phase: turn, before: [draw_tile], label: {en: first}}
  between: {phase: turn, after: [lay_tile], before: [deploy_figure], label: {en: between}}
  before_scoring: {phase: turn, after: [deploy_figure], before: [score_features], label: {en: then}}
  at_last: {phase: turn, after: [score_features], before: [pass_turn], label: {en: at last}}
rules:
  - id: inert.first
    on: step before_all
    when: statue.holder is active
    do: set was_seen = true
  - id: inert.between
    on: step between
    when: drawn has never_printed
    do: |
      for t in laid { move statue to t }
  - id: inert.tests
    on: step before_scoring
    when: drawn has never_printed and statue is placed
    do: |
      choose c in neighbours(statue.cell) by active as "statue to" { move statue to c }
  - id: inert.last
    on: step at_last
    when: was_seen
    do: award 1 to active
  - id: inert.deploy
    amend: may_deploy(f, s)
    value: not (statue.tile is s.tile)
  - id: inert.targets
    amend: targets(who)
    when: drawn has never_printed
    value: segments(tiles)
  - id: inert.scored
    on: scored(x)
    when: statue is placed
    do: award 1 to active
  - id: inert.strength
    amend: strength(f)
    when: f is statue
    value: 0
"""
