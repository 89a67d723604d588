"""Every name in a scenario is looked up, by `check` and by `test`, and reported at its word."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from support.ruleset_cases import library_of
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.reading.library import Library
from tilewright.tools.checking import inspect_ruleset as inspecting
from tilewright.tools.checking.check import check
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

GAME = """\
# module.yaml
id: trial/first
kind: house
title: a trial
requires: {base: trial/table}
# components.yaml
tokens:
  bead: {label: bead, count: 5, traits: [round]}
stacks:
  hand: {label: hand, owned: true}
# rules/trial.yaml
memory:
  leader: {type: "player?", per: game}
  depth: {type: number, of: tile, per: game}
  debt: {type: number, of: player, per: game}
# scenarios/trial.yaml
"""

#: a part of a situation with an unknown name between `<` and `>`, and the message
SITUATION = {
    "players: [red, <bleu>]": "unknown colour `bleu`; did you mean `blue`?",
    "active: <bleu>": "`bleu` is not a player here; did you mean `blue`?",
    'board: ["<cop> 0,0 N"]': "unknown piece `cop`; did you mean `cap`?",
    'joined: ["0,0/<t9> 0,0/t1"]': "no tile has a segment `t9`; did you mean `t1`?",
    'recast: ["0,0/t1 <toun>"]': "unknown kind of feature `toun`; did you mean `town`?",
    "figures: {red <pig>: home}": "unknown figure `pig` in `red pig`; did you mean `peg`?",
    "figures: {<green> peg: home}": "`green` is not a player here; the players are",
    "figures: {<peg>: home}": "a `peg` belongs to a player: write `red peg`",
    "figures: {<red stone>: home}": "a `stone` has no owner: write `stone`",
    "figures: {red peg <3>: home}": "unknown figure `red peg 3`: 2 of each player",
    'figures: {red peg: "0,0/<x1>"}': "no tile has a segment `x1`; did you mean `m1`?",
    "figures: {red peg: <at home>}": "`at home` is not a place",
    'figures: {red peg: "<0,0 facing up>"}': "`0,0 facing up` is not a place",
    "figures: {red peg: front of <green>}": "`green` is not a player here",
    "figures: {red peg: beside <pyle>}": "unknown stack or figure `pyle`; did you mean `pile`?",
    "points: {<rad>: 1}": "`rad` is not a player here; did you mean `red`?",
    "tokens: {red <bed>: 1}": "unknown token `bed` in `red bed`; did you mean `bead`?",
    "stacks: {<pyle>: [cap]}": "unknown stack `pyle`; did you mean `pile`?",
    "stacks: {<hand>: []}": "each player has a `hand`: write `red hand`",
    "stacks: {pile: [<cop>]}": "unknown piece `cop`; did you mean `cap`?",
    "memory: {<leeder>: blue}": "unknown memory `leeder`; did you mean `leader`?",
    "memory: {leader: <bleu>}": "unknown name `bleu`; did you mean `blue`?",
    "memory: {<red> leader: blue}": "`leader` is kept once, not for `red`",
    "memory: {<depth>: 1}": "`depth` is kept for each tile: write which one before it",
    "memory: {<green> debt: 1}": "`green` is not a player here",
    "options: {<purs>: thin}": "has an option `purs`; did you mean `purse`?",
    "options: {purse: <thick>}": "option `purse` is one of `thin`, `fat`, not `thick`",
    "game: [<trial/fist>]": "unknown ruleset `trial/fist`; did you mean `trial/first`?",
    'play: ["draw <cop>", expect: {tiles: 2}]': "unknown piece `cop`; did you mean `cap`?",
    'play: ["<lya> 0,1 S", expect: {tiles: 2}]': "offers `lya 0,1 S`; did you mean `lay`?",
    'play: ["<lay 0,1>", expect: {tiles: 2}]': "`lay 0,1` has no direction",
    'play: ["<green>: lay 0,1 S", expect: {tiles: 2}]': "`green` is not a player here",
    'play: ["choose: <stend> peg", expect: {tiles: 2}]': "no decision of this game offers",
}  # fmt: skip

#: the same for a part of an expectation
EXPECTED = {
    "points: {<rad>: 1}": "`rad` is not a player here; did you mean `red`?",
    "gained: {<rad>: nothing}": "`rad` is not a player here; did you mean `red`?",
    "winners: [<rad>]": "`rad` is not a player here; did you mean `red`?",
    "decides: <rad>": "`rad` is not a player here; did you mean `red`?",
    "step: <lay_tail>": "unknown step `lay_tail`; did you mean `lay_tile`?",
    'figures: {red <pig>: "0,0/t1"}': "unknown figure `pig` in `red pig`; did you mean `peg`?",
    'figures: {red peg: "0,0/<x1>"}': "no tile has a segment `x1`; did you mean `m1`?",
    "supply: {red <pig>: 0}": "unknown figure `pig` in `red pig`; did you mean `peg`?",
    "tokens: {<bed>: 0}": "unknown token `bed`; did you mean `bead`?",
    "stacks: {<pyle>: 0}": "unknown stack `pyle`; did you mean `pile`?",
    'memory: {<leeder>: "nothing"}': "unknown memory `leeder`; did you mean `leader`?",
    'values: {"count(<tilse>)": 1}': "unknown name `tilse`; did you mean `tiles`?",
    "options: [<lya>]": "no decision of this game offers `lya`; did you mean `lay`?",
    'refused: {"<lay 9,9>": table.lay}': "`lay 9,9` has no direction",
    "offered: [<lay 2>,0 E]": "`lay 2,0 E` is cut at its comma",
    'refused: {"<blah> blah": }': "no decision of this game offers `blah blah`",
    'refused: {"lay 9,9 N": <table.lie>}': "unknown rule `table.lie`; did you mean `table.lay`?",
}  # fmt: skip

USUAL = {
    "players": "[red, blue]",
    "board": '["cap 0,0 N"]',
    "play": "[draw path, expect: {tiles: 1}]",
}


def written(part: str) -> str:
    """A scenario of one part among the usual ones."""
    key, _, value = part.replace("<", "").replace(">", "").partition(": ")
    parts = {key: value.replace("choose: ", "")} | {k: v for k, v in USUAL.items() if k != key}
    rows = "".join(f"    {name}: {text}\n" for name, text in parts.items())
    return f"scenarios:\n  - id: a\n    says: it is so\n{rows}"


def checked(text: str, folder: Path) -> tuple[Library, list[Diagnostic]]:
    library, ids = library_of(GAME + text, folder)
    found = check(library, ids)
    return library, [each for each in found if each.span.file.endswith("scenarios/trial.yaml")]


def problems_of_runs(library: Library) -> list[Diagnostic]:
    programs = Programs(library)
    found = scenarios_of("trial/first", library)
    return [
        problem
        for scenario, game in found
        for problem in run_scenario(scenario, "trial/first", game, programs).problems
    ]


@pytest.mark.parametrize(
    "part", [*SITUATION, *(f"play: [draw path, expect: {{{part}}}]" for part in EXPECTED)]
)
def test_an_unknown_name_is_reported_at_its_word(part: str, tmp_path: Path) -> None:
    inner = part.removeprefix("play: [draw path, expect: {").removesuffix("}]")
    message = SITUATION[part] if part in SITUATION else EXPECTED[inner]
    word = part[part.index("<") + 1 : part.index(">")]
    text = written(part)
    library, found = checked(text, tmp_path)
    assert [message in each.message for each in found] == [True], found
    (problem,) = found
    row = (GAME.rpartition("\n# ")[2] and text).split("\n")[problem.span.line - 2]
    assert row[problem.span.column - 1 : problem.span.end_column - 1] == word
    assert word in {
        row[each.span.column - 1 : each.span.end_column - 1] for each in problems_of_runs(library)
    }


def test_what_is_known_is_not_reported(tmp_path: Path) -> None:
    text = written(
        'play: [draw path, "red: lay 0,-1 E", stand peg 0\\,-1/r1, expect: {decides: blue}]'
    ).replace("stand peg 0\\,-1/r1", "pass")
    library, found = checked(text, tmp_path)
    assert found == []
    assert {each.code for each in problems_of_runs(library)} <= {"TW802", "TW803"}


def test_scenarios_of_one_game_are_checked_with_one_link(tmp_path: Path) -> None:
    def links(text: str) -> int:
        library, ids = library_of(GAME + text, tmp_path)
        with patch.object(inspecting, "link", wraps=inspecting.link) as linked:
            check(library, ids)
        return linked.call_count

    text = written("turn: 1")
    more = text.removeprefix("scenarios:\n").replace("id: a", "id: b")
    assert links(text + more) == links(text) == links("") + 1


@pytest.mark.parametrize(
    "part",
    [
        f"figures: {{red peg {'9' * 900}: home}}",
        "figures: {red peg ²: home}",
        f'figures: {{red peg: "{"9" * 5_000},0"}}',
        f'memory: {{"{"9" * 900},0 depth": 1}}',
    ],
)
def test_numbers_of_any_length_are_reported(part: str, tmp_path: Path) -> None:
    library, found = checked(written(part), tmp_path)
    assert {each.code for each in found} <= {"TW612"}
    assert problems_of_runs(library)
