"""Renaming changes what a name means and nothing else.

A small game has a name of every kind. Each name is changed and changed back: the changed game is
checked without a diagnostic, its scenarios pass, and the way back ends with the same bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.paths import TRIALS
from support.ruleset_cases import files_of
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.editor.rename import Change, Refusal, rename
from tilewright.tools.editor.symbol_index import Index, Place
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario
from tilewright.tools.workspace import overlay

FAIR = """
# module.yaml
id: trial/fair
kind: expansion
title: the fair
provides: [fair]
requires: {base: trial/table}
sources:
  flyer: {title: a flyer}
options:
  stalls: {choices: [few, many], default: few, says: how many stalls there are, from: [fair-stalls]}
# statements.yaml
statements:
  - id: fair-stalls
    topic: fair.stalls
    says: There are stalls.
    authority: official
    cite: [{source: flyer}]
    questions: [{asks: How many are there?, option: stalls}]
  - id: fair-theft
    topic: fair.theft
    says: A bandit takes a coin.
    authority: official
    replaces: [fair-peace]
  - id: fair-peace
    topic: fair.theft
    says: Nobody steals.
    authority: official
    carried_by: tiles
# components.yaml
ignore: {TW636: the number of a card is only printed}
features:
  booth:
    label: booth
    reach: inside
    completes: surrounded
    attributes: {lamps: {combine: sum, label: lamps}}
symbols:
  sign: {label: sign}
figures:
  bandit: {label: bandit, count: 1, traits: [sly]}
roles:
  robber: {label: robber, figures: [bandit], on: booth}
tokens:
  coin: {label: coin, count: 9, traits: [round]}
items:
  card: {label: card, count: 2, stack: chest, numbers: {rank: 1}}
stacks:
  chest: {label: chest, holds: items}
  mine: {label: mine, owned: true}
# tiles.yaml
tiles:
  - id: lane
    count: 1
    edges: [meadow, meadow, meadow, meadow]
    symbols: [sign]
    segments:
      m1: {kind: meadow, at: [NNW, NNE, ENE, ESE, SSE, SSW, WSW, WNW]}
      b1: {kind: booth, inside: m1, lamps: 2}
# rules/fair.yaml
values:
  stall.price: {type: number, is: 1, from: [fair-stalls]}
memory:
  loot: {type: number, of: player, per: game}
  thief: {type: "player?", per: game}
  dug.piece: {type: "piece?", per: game}
steps:
  fair: {phase: turn, after: [tally], label: the fair}
definitions:
  toll:
    parameters: {who: player}
    type: number
    combine: sum
    says: what a player pays
events:
  robbed: {parameters: {victim: player}, says: somebody was robbed}
rules:
  - id: fair.toll
    from: [fair-stalls]
    amend: toll(who)
    value: "stall.price + count(those t in tiles: t has sign)"
  - id: fair.toll_for_many
    option: {stalls: many}
    from: [fair-stalls]
    amend: toll(who)
    value: "count(figures of sly)"
  - id: fair.opened
    from: [fair-theft]
    on: step fair
    do: |
      if mine of active is empty and pile is not empty {
        draw dug.piece from pile
        put dug.piece into mine of active
      }
      choose one in all_figures of bandit by active as "bandit to" {
        give 1 of coin to active
        set active.loot = active.loot + toll(active)
        theft(active)
        for t in tiles { if one is not placed { move one to t } }
      }
      may choose goods in tokens of round by active { spend 1 of goods by active }
      offer actions by active
      if chest is not empty { draw found from chest  put found into chest }
  - id: fair.theft
    from: [fair-theft]
    procedure: "theft(victim: player)"
    do: |
      set thief = victim
      announce robbed(victim)
  - id: fair.robbed
    from: [fair-theft]
    on: robbed(victim)
    when: thief is victim
    do: award 1 to victim
  - id: fair.robs
    from: [fair-theft]
    action: rob at step fair
    offer: {f: figures of bandit}
    do: return f
  - id: fair.booth
    from: [fair-stalls]
    amend: favour(x)
    when: x is booth
    value: x.lamps
# scenarios/fair.yaml
scenarios:
  - id: bandits-steal
    says: A bandit takes a coin and is robbed.
    proves: [fair-stalls, fair-theft]
    covers: [fair.toll, fair.toll_for_many, fair.opened, fair.theft, fair.robbed, fair.robs]
    options: {stalls: many}
    players: [red, blue]
    tokens: {red coin: 2}
    stacks: {red mine: [lane]}
    memory: {red loot: 3}
    play:
      - draw cap
      - lay 0,1 S
      - pass
      - expect: {step: fair, decides: blue, tokens: {red coin: 2, coin: 7}, stacks: {red mine: 1}}
      - bandit to blue bandit
      - expect:
          memory: {red loot: 3, blue loot: 1}
          figures: {blue bandit: "0,0"}
          supply: {red bandit: 1}
          offered: [goods coin]
      - goods coin
      - expect: {options: ["rob bandit 0,0", pass]}
      - rob bandit 0,0
  - id: a-booth-is-paid
    says: A booth is paid for.
    covers: [fair.booth]
    players: [red, blue]
    board: ["lane 0,0 N"]
    play:
      - expect:
          step: lay_tile
          points: {red: 0}
          values: {"sum x in features of booth: favour(x)": 2}
"""


def written(folder: Path) -> Path:
    shutil.copytree(TRIALS, folder, dirs_exist_ok=True)
    for name, text in files_of(FAIR).items():
        path = folder / "trial" / "fair" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*.yaml"))}


def problems(folder: Path) -> list[str]:
    library = Library([folder], shipped=False)
    programs = Programs(library)
    found = [str(diagnostic) for diagnostic in check(library)]
    for id_ in library.ids():
        for scenario, game in scenarios_of(id_, library):
            found += map(str, run_scenario(scenario, id_, game, programs).problems)
    return found


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The editor knows no shipped ruleset, so every name is the author's own."""
    monkeypatch.setattr(overlay.Library, "add_shipped", lambda self: None)


def index_of(folder: Path) -> Index:
    return Index(overlay.Overlay([folder]))


def declared(index: Index) -> Iterator[Place]:
    """Every declaration that has a name of its author's choice, the parameters included."""
    seen = set()
    for id_ in ("trial/table", "trial/fair"):
        for path in index.overlay.files_of(id_):
            for place in index.resolved(path):
                if place.here.declares and place.here.kind != "ruleset" and place.span not in seen:
                    seen.add(place.span)
                    yield place


def carried_out(index: Index, changes: tuple[Change, ...]) -> None:
    """Change the files, and the texts that the editor knows of them."""
    for change in sorted(changes, key=lambda change: change.span, reverse=True):
        lines = change.path.read_text(encoding="utf-8").split("\n")
        row, span = change.span.line - 1, change.span
        lines[row] = lines[row][: span.column - 1] + change.text + lines[row][span.end_column - 1 :]
        change.path.write_text("\n".join(lines), encoding="utf-8")
        index.overlay.write(change.path, "\n".join(lines))


def new_name(kind: str, old: str) -> str:
    head, mark, last = old.rpartition(".")
    joint = "-" if kind in ("statement", "source", "scenario") else "_"
    return f"{head}{mark}zz{joint}{last}"


def test_the_game_is_sound_and_has_a_name_of_every_kind(tmp_path: Path) -> None:
    folder = written(tmp_path)
    assert problems(folder) == []
    kinds = {place.here.kind for place in declared(index_of(folder))}
    assert kinds == {
        "action", "attribute", "definition", "event", "feature", "figure", "item", "local",
        "memory", "option", "procedure", "provided", "role", "rule", "scenario", "seat", "source",
        "stack", "statement", "step", "symbol", "tile", "token", "trait", "value",
    }  # fmt: skip


#: values that Python reads, and the variable of a choice without a label, which begins its options
REFUSED = {"value players.least", "value players.most", "local goods"}


def test_every_name_is_changed_and_changed_back(tmp_path: Path) -> None:
    folder = written(tmp_path)
    before, index = contents(folder), index_of(folder)
    first = {(place.here.kind, place.here.id): place for place in reversed([*declared(index)])}
    bad: dict[str, object] = {}
    for (kind, id_), place in sorted(first.items()):
        line, column, path = place.span.line, place.span.column, Path(place.span.file)
        there = rename(index, path, line, column, new_name(kind, id_))
        if isinstance(there, Refusal):
            bad[f"{kind} {id_}"] = there.message
            continue
        carried_out(index, there)
        if found := problems(folder):
            bad[f"{kind} {id_}"] = found
        back = rename(index, path, line, column + 3, id_)
        if not isinstance(back, Refusal):
            carried_out(index, back)
        if contents(folder) != before:
            bad[f"{kind} {id_} back"] = back
            for file, text in before.items():
                file.write_bytes(text)
                index.overlay.write(file, text.decode("utf-8"))
    assert {name: why for name, why in bad.items() if name not in REFUSED} == {}
    assert set(bad) == REFUSED
