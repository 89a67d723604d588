"""Two rulesets that know nothing of each other and give all their things the same names."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from tilewright.rules.reading.library import Library, shipped_rulesets

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
  - {{id: dig.allowed, amend: "may_offer(p, a)", when: a is scoop, value: p.saved < 100}}
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
_SCENARIOS = """\
scenarios:
  - id: each-digs-for-its-own
    says: what one ruleset keeps is not what the other one keeps
    covers: [dig.paid of house/one, between.paid]
    game: [c2/base, house/one, house/other, house/between]
    options: {rich of house/one: "yes"}
    players: [red, blue]
    board: ["city1_road_straight 0,0 N"]
    figures: {red digger of house/one: "0,0/c1"}
    tokens: {red grain of house/other: 2}
    stacks: {red mine of house/one: [coin of house/one]}
    memory: {red saved of house/one: "4", last of house/other: blue}
    play:
      - draw monastery_field
      - draw coin of house/one
      - lay 0,-1 N
      - pass
      - expect:
          step: dig of house/one
          options: [scoop of house/one red, pass]
          stacks: {heap of house/one: 11, red mine of house/one: 1, red mine of house/other: 0}
          tokens: {grain of house/one: 9, grain of house/other: 7}
      - scoop of house/one red
      - expect:
          step: dig of house/other
          stacks: {heap of house/one: 10, heap of house/other: 12, red mine of house/one: 2}
          points: {red: 18}
          values:
            red.saved of house/one: "5"
            mine.worth of house/other: "4"
            last of house/one: red
            last of house/other: blue
            count((mine of house/one) of red): "2"
      - pass
"""
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
    between = {**_BETWEEN, "scenarios/both.yaml": _SCENARIOS}
    written = {f"{BETWEEN}/{name}": text for name, text in between.items()}
    for name, text in {**written, **more}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    library = Library()
    library.add(root)
    return library


def mirrored(ruleset: str, root: Path) -> str:
    """Write a stranger that declares all that a shipped ruleset does, and its id."""
    id_ = f"house/mirror-of-{ruleset.replace('/', '-')}"
    left_out = shutil.ignore_patterns("scenarios", "locale", "statements.yaml")
    shutil.copytree(shipped_rulesets() / ruleset, root / id_, ignore=left_out)
    module = root / id_ / "module.yaml"
    keys = r"(?ms)^(provides|takes_over|conflicts|copies):.*?(?=^\S|\Z)"
    text = re.sub(keys, "", module.read_text("utf-8"))
    text = re.sub(r"(?m)^id: .*$", f"id: {id_}", text)
    module.write_text(re.sub(r"(?m)^kind: .*$", "kind: house", text), encoding="utf-8")
    return id_


def full_of(names: Iterable[str], root: Path) -> str:
    """Write a ruleset of stacks, memory and steps with these names, and its id."""
    id_, names = "house/full-of-names", {"of_its_own", *names}
    stacks = "".join(f"  {name}: {{label: pile}}\n" for name in sorted(names))
    steps = "".join(
        f"  {name}: {{phase: final, after: [final_scoring], label: step}}\n"
        for name in sorted(names)
    )
    files = {
        "module.yaml": f"id: {id_}\nkind: house\ntitle: names\nrequires: {{base: c2/base}}\n",
        "components.yaml": f"stacks:\n{stacks}",
        "rules/names.yaml": f"steps:\n{steps}",
    }
    for name, text in files.items():
        (root / id_ / name).parent.mkdir(parents=True, exist_ok=True)
        (root / id_ / name).write_text(text, encoding="utf-8")
    return id_
