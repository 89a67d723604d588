"""Two rulesets that know nothing of each other and give all their things the same names."""

from __future__ import annotations

from pathlib import Path

from tilewright.rules.reading.library import Library

ONE, OTHER = "house/one", "house/other"
#: a ruleset that knows both: it puts their steps in an order and reads what both have
BETWEEN = "house/between"
BOTH = f"{ONE}+{OTHER}+{BETWEEN}"

_MODULE = """\
id: {id}
kind: house
title: {id}
requires: {{base: c2/base}}
options:
  rich: {{choices: ["yes", "no"], default: "no", says: a coin is worth more}}
"""
_COMPONENTS = """\
figures:
  digger: {{label: digger, owned: true, count: 1, traits: [dug_out]}}
  mole: {{label: mole, owned: false, count: 1}}
tokens:
  grain: {{label: grain, count: 9}}
stacks:
  heap: {{label: heap, holds: items}}
  mine: {{label: mine, holds: items, owned: true}}
items:
  coin: {{label: coin, count: 12, stack: heap, numbers: {{worth: {worth}}}}}
symbols:
  cross: {{label: cross}}
"""
_RULES = """\
values:
  mine.worth: {{type: number, is: {worth}}}
memory:
  saved: {{type: number, per: game, of: player}}
  last: {{type: "player?", per: game}}
steps:
  dig: {{phase: turn, moment: leftovers, after: [score_features], label: dig}}
definitions:
  yield_of: {{parameters: {{p: player}}, type: number, combine: sum, says: what digging yields}}
events:
  dug: {{parameters: {{p: player}}, says: somebody has dug}}
measures:
  digs: {{label: digs, says: how often someone digs, on: dug(p), value: 1}}
rules:
  - {{id: dig.yield, amend: yield_of(p), value: mine.worth + p.saved}}
  - {{id: dig.rich, amend: yield_of(p), option: {{rich: "yes"}}, value: "10"}}
  - id: dig.kept
    procedure: "keep(p: player)"
    do: |
      draw from heap into mine of p
      set p.saved = p.saved + 1
      set last = p
  - id: dig.offer
    on: step dig
    do: offer actions by active
  - id: dig.deep
    action: scoop at step dig
    label: scoop
    offer: {{p: "{{active}}"}}
    where: count(heap) > 0
    do: |
      keep(p)
      announce dug(p)
  - id: dig.paid
    on: dug(p)
    do: award yield_of(p) to p
  - id: dig.mole
    on: dug(p)
    after: [dig.paid]
    do: |
      for f in all_figures of digger with owner q {{ if q is p {{ award 0 to p }} }}
patches:
  - {{id: dig.heap, set: mine.worth, to: {set}, why: digging is hard}}
"""
_STATEMENTS = """\
statements:
  - {{id: dig-deep, topic: turn.dig, says: "A player may dig, in {id}.", authority: house-rule}}
"""
_BETWEEN = {
    "module.yaml": "id: house/between\nkind: house\ntitle: between\nrequires: {base: c2/base}\n",
    "rules/order.yaml": """\
with: [house/one, house/other]
order:
  - [dig of house/one, dig of house/other]
rules:
  - id: between.paid
    on: dug of house/other(p)
    after: [dig.paid of house/other, dig.mole of house/other]
    when: (mine of house/one) of p is not empty
    do: |
      let here = count((mine of house/other) of p)
      award here + mine.worth of house/one + yield_of of house/one(p) - p.saved of house/one to p
""",
}
_FILES = {
    "module.yaml": _MODULE,
    "components.yaml": _COMPONENTS,
    "rules/dig.yaml": _RULES,
}


def same_names(root: Path, **more: str) -> Library:
    """A library of the shipped rulesets and the two; `more` has further files by their path."""
    for number, id_ in enumerate((ONE, OTHER), 1):
        for name, text in _FILES.items():
            path = root / id_ / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.format(id=id_, worth=number, set=number + 2), encoding="utf-8")
    written = {f"{BETWEEN}/{name}": text for name, text in _BETWEEN.items()}
    for name, text in {**written, **more}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    library = Library()
    library.add(root)
    return library
