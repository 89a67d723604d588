"""Rulesets that do not know each other may use one name; a ruleset that knows both names each.

A rule sees the names of its own ruleset, of those that this one requires or takes parts of, and of
those under `with`. So no other ruleset can break it by a name.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.marks import is_sampled, slow_unless
from support.played import go_on, reloaded
from support.ruleset_cases import library_of
from support.same_names import BETWEEN, BOTH, ONE, OTHER, full_of, mirrored, same_names
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.program import Program
from tilewright.rules.analysis.link import link_game
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.explanation.score_log import why
from tilewright.tools.formatting.flatten import resolve
from tilewright.tools.formatting.ruleset_writer import write_files
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario
from tilewright.tools.workspace.loading import load_program

BOXES = [id_ for id_ in Library().ids() if id_.split("/")[0] in ("c2", "house", "variants")]
#: contradictions that no name causes: the order of rules, amendments and patches
CONTRADICTIONS = {"TW710", "TW711", "TW721", "TW745", "TW765"}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The game of two strangers and a ruleset that knows them."""
    library = same_names(tmp_path_factory.mktemp("both"))
    program, reporter = load_program(BOTH, library=library)
    assert program is not None, reporter.diagnostics
    return program


def after_some_digging(program: Program) -> Match:
    match = start_match(program, 2, 7)
    go_on(match, 40, 7)
    return match


@needs_core
def test_both_engines_play_them_alike(both: Program) -> None:
    for seed in range(2):
        match, other = begun(both, 3, seed)
        assert match is not None
        named = Named("both", 3, seed)
        assert play_both(match, other, named, rng=random.Random(seed), options=True) > 100


def test_the_things_of_both_are_in_the_game(both: Program) -> None:
    game = both.game
    names = {each.id for each in (*game.stacks, *game.figures, *game.tokens, *game.items)}
    names |= {*both.memory_number, *game.values, *game.definitions, *game.events}
    names |= {*game.procedures, *(step.id for step in game.steps), *dict(game.options)}
    for name in ("heap", "red mine", "digger", "grain", "coin", "saved", "mine.worth", "yield_of",
                 "dug", "keep", "dig", "rich"):  # fmt: skip
        assert {f"{name} of {ONE}", f"{name} of {OTHER}"} <= names
        assert name not in names
    values = [game.values[f"mine.worth of {id_}"].declaration.value for id_ in (ONE, OTHER)]
    assert values == ["3", "4"]


def test_a_name_that_no_stranger_has_stays_plain(tmp_path: Path) -> None:
    library = same_names(tmp_path)
    alone, _ = load_program(ONE, library=library)
    assert alone is not None
    assert {"heap", "red mine"} <= set(alone.stack_number)
    text = repr(alone.game.facts)
    assert f" of {ONE}" not in text


def test_scenarios_name_the_things_of_both(tmp_path: Path) -> None:
    library = same_names(tmp_path)
    assert not [found for found in check(library, [BETWEEN]) if found.severity is Severity.ERROR]
    programs = Programs(library)
    found = scenarios_of(BETWEEN, library)
    assert found
    for scenario, game in found:
        assert not run_scenario(scenario, BETWEEN, game, programs).problems


def test_an_option_of_several_rulesets_needs_its_ruleset(tmp_path: Path) -> None:
    library = same_names(tmp_path)
    (found,) = load_program(BOTH, {"rich": "yes"}, library)[1].diagnostics
    assert found.code == "TW704"
    assert found.hint.endswith(f"write `rich of {ONE}` or `rich of {OTHER}`")
    program, _ = load_program(BOTH, {f"rich of {ONE}": "yes"}, library)
    assert program is not None
    rules = [each.rule.head.id for each in program.game.rules()]
    assert f"dig.rich of {ONE}" in rules and f"dig.rich of {OTHER}" not in rules


def test_a_saved_match_goes_on(both: Program) -> None:
    match = after_some_digging(both)
    again = reloaded(match)
    assert again.facts() == match.facts()
    assert option_texts(again) == option_texts(match)


def test_points_and_options_say_whose_they_are(both: Program) -> None:
    match = start_match(both, 2, 7)
    offered = set()
    for _ in range(60):
        offered |= {text for text in option_texts(match) if text.startswith("scoop")}
        if f"scoop of {OTHER} red" in offered and option_texts(match)[0].startswith("scoop"):
            break
        match.choose_number(0)
    assert offered >= {f"scoop of {ONE} red", f"scoop of {OTHER} red"}
    rules = {item.item.rule for entry in why(match) for item in entry.items}
    assert f"dig.paid of {ONE}" in rules
    assert why_not(match, f"scoop of {OTHER} green")


def test_a_name_may_always_be_written_with_its_ruleset(tmp_path: Path) -> None:
    text = "rules:\n  - {id: a.b, on: dug(p), after: [dig.paid, dig.mole], do: set last = p}\n"
    full = text.replace("dug", f"dug of {ONE}").replace("dig.mole", f"dig.mole of {ONE}")
    hashes = set()
    for number, rule in enumerate((text, full.replace("set last", f"set last of {ONE}"))):
        more = {"house/more/rules/more.yaml": f"with: [{ONE}]\n{rule}"}
        more["house/more/module.yaml"] = "id: house/more\nkind: house\ntitle: more\n"
        library = same_names(tmp_path / str(number), **more)
        program, reporter = load_program(f"c2/base+{ONE}+house/more", library=library)
        assert program is not None, reporter.diagnostics
        hashes.add(program.game.hash)
    assert len(hashes) == 1


def test_the_things_of_both_are_those_of_one_ruleset(tmp_path: Path) -> None:
    library = same_names(tmp_path / "both")
    found = resolve(BOTH, {}, library)
    write_files(found.files, tmp_path / "one")
    alone = Library(shipped=False)
    alone.add(tmp_path / "one")
    assert not errors_of(found.ruleset.id, alone)
    assert {"heap_house_one", "heap_house_other"} <= {s.id for s in found.ruleset.stacks}


def test_a_local_name_does_not_meet_that_of_a_stranger_in_one_ruleset(tmp_path: Path) -> None:
    stranger, library = full_of({"mine"}, tmp_path / "full"), Library()
    library.add(tmp_path / "full")
    found = resolve(f"c2/tower+{stranger}", {}, library)
    write_files(found.files, tmp_path / "one")
    alone = Library(shipped=False)
    alone.add(tmp_path / "one")
    assert not errors_of(found.ruleset.id, alone)
    assert "mine_house_full_of_names" in {stack.id for stack in found.ruleset.stacks}


# ------------------------------------------------------------------ names of strangers


def errors_of(game: str, library: Library) -> list[Diagnostic]:
    reporter = Reporter()
    link_game(game, {}, lambda id_: library.load_rules(id_, reporter), reporter)
    return [found for found in reporter.diagnostics if found.severity is Severity.ERROR]


def is_whole(box: str) -> bool:
    """Whether the folder of a ruleset holds all of it, so that a stranger can copy it."""
    ruleset = Library().load_rules(box, Reporter())
    return ruleset is not None and ruleset.module.takes_over is None


@pytest.mark.parametrize(
    "box", slow_unless(is_sampled, [b for b in BOXES if b != "c2/base" and is_whole(b)])
)
def test_a_stranger_with_all_names_of_a_ruleset_breaks_none_of_it(box: str, tmp_path: Path) -> None:
    mirror, library = mirrored(box, tmp_path), Library()
    library.add(tmp_path)
    found = errors_of(f"{box}+{mirror}", library)
    assert not [each for each in found if each.code not in CONTRADICTIONS]


def local_names(ruleset: m.Ruleset) -> set[str]:
    """The parameters, and the names that texts give."""
    found = {name for rule in ruleset.rules for name in getattr(rule, "parameters", ())}
    codes = [code for rule in ruleset.rules for code in m.codes_of(rule)]
    waiting: list[object] = [parse_effects(code, Reporter()) for code in codes]
    waiting += [parse_expression(code, Reporter()) for code in codes]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting += node
        elif isinstance(node, n.Node):
            if isinstance(node, n.Let):
                found.add(node.name)
            found.add(getattr(node, "variable", "") or "")
            waiting += [getattr(node, part) for part in node.__match_args__]
    return {name for name in found if name}


def is_quick(box: str) -> bool:
    return is_sampled(box) or box == "c2/tower"  # its rules name a stack `mine`


@pytest.mark.parametrize("box", slow_unless(is_quick, [b for b in BOXES if b != "c2/base"]))
def test_local_names_of_a_ruleset_may_be_names_of_a_stranger(box: str, tmp_path: Path) -> None:
    library = Library()
    ruleset = library.load_rules(box, Reporter())
    assert ruleset is not None
    base = library.load_rules("c2/base", Reporter())
    assert base is not None
    known = local_names(ruleset) - {each.id for each in (*base.values, *base.memory)}
    stranger = full_of(known - local_names(base), tmp_path)
    library.add(tmp_path)
    assert not errors_of(f"{box}+{stranger}", library)


STRANGERS = """\
# module.yaml
id: trial/first
kind: house
title: a trial
requires: {base: trial/table}
# trial/second/module.yaml
id: trial/second
kind: expansion
title: more
requires: {base: trial/table}
# trial/second/rules/trial.yaml
memory:
  debt: {type: number, per: game}
steps:
  collect: {phase: turn, after: [draw_tile], label: collect}
definitions:
  owed: {parameters: {p: player}, type: number, combine: sum, says: what a player owes}
events:
  repaid: {parameters: {n: number}, says: a debt is paid}
rules:
  - {id: debt.repay, procedure: 'repay(n: number)', do: announce repaid(n)}
# rules/trial.yaml
"""
#: a rule that names a thing of a stranger between `<` and `>`
UNSEEN = (
    "rules:\n  - {id: a.b, on: step draw_tile, do: set <debt> = 1}\n",
    "rules:\n  - {id: a.b, on: step <collect>, do: award 1 to active}\n",
    "rules:\n  - {id: a.b, amend: <owed>(p), value: '1'}\n",
    "rules:\n  - {id: a.b, on: step draw_tile, do: award <owed>(active) to active}\n",
    "rules:\n  - {id: a.b, on: step draw_tile, do: award <debt> to active}\n",
    "rules:\n  - {id: a.b, on: step draw_tile, do: announce <repaid>(1)}\n",
    "rules:\n  - {id: a.b, on: step draw_tile, do: <repay>(1)}\n",
    "steps:\n  late: {phase: turn, after: [<collect>], label: late}\n",
)


@pytest.mark.parametrize("rule", UNSEEN)
def test_a_name_of_a_ruleset_that_is_not_known_is_an_error(rule: str, tmp_path: Path) -> None:
    name = rule.partition("<")[2].partition(">")[0]
    plain = rule.replace("<", "").replace(">", "")
    library, _ = library_of(STRANGERS + plain, tmp_path / "without")
    (found,) = errors_of("trial/first+trial/second", library)
    assert found.code == "TW749"
    assert f"`{name}` belongs to `trial/second`, which `trial/first` does not know" in found.message
    assert "`with: [trial/second]`" in found.hint
    column = rule.index("<") - rule.rfind("\n", 0, rule.index("<"))
    assert found.span.column <= column < found.span.end_column
    library, _ = library_of(f"{STRANGERS}with: [trial/second]\n{plain}", tmp_path / "with")
    rest = errors_of("trial/first+trial/second", library)
    assert {each.code for each in rest} <= CONTRADICTIONS


def test_a_name_of_several_known_rulesets_needs_its_ruleset(tmp_path: Path) -> None:
    text = "rules:\n  - {id: a.b, on: step dig of house/one, do: set last = active}\n"
    more = {f"{BETWEEN}/rules/more.yaml": f"with: [{ONE}, {OTHER}]\n{text}"}
    library = same_names(tmp_path, **more)
    (found,) = errors_of(BOTH, library)
    assert (found.code, found.hint) == (
        "TW749", "several rulesets have it: write `last of house/one` or `last of house/other`"
    )  # fmt: skip
