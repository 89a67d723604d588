"""Rulesets that meet: company, chains of steps, patches and order that outlive what is left out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.linking.compose import select as select_module
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.checking.inspect_ruleset import check_game
from tilewright.tools.scenarios.runner import run_all
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.workspace import Workspace

SECOND = (
    "# trial/second/module.yaml\nid: trial/second\nkind: expansion\ntitle: more\n"
    "requires: {base: trial/table}\nprovides: [second]\n"
)
LATER = (
    "# trial/later/module.yaml\nid: trial/later\nkind: edition\ntitle: later\n"
    "takes_over: trial/second\n"
)


def game_of(text: str, name: str, root: Path, **options: str) -> Game:
    library, _ = library_of(text, root)
    game, reporter = load_game(name, options, library)
    assert game is not None, [str(found) for found in reporter.diagnostics]
    return game


def steps_of(game: Game) -> list[str]:
    return [step.id for step in game.phase("turn")]


def rules_on(game: Game, event: str) -> list[str]:
    return [rule.id for rule in game.events[event].reactions]


def test_every_unknown_option_of_one_command_is_told(tmp_path: Path) -> None:
    library, _ = library_of(SECOND, tmp_path)
    game, reporter = load_game("trial/second", {"foo": "1", "bar": "2"}, library)
    assert game is None
    assert [d.message for d in reporter.diagnostics] == [
        "no ruleset of this game has an option `bar`",
        "no ruleset of this game has an option `foo`",
    ]


def test_a_patch_of_an_unknown_value_lists_values_that_begin_alike(tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\npatches:\n"
        "  - {id: trial.one, why: to try it, set: town.nothing_like_it, to: 3}\n"
    )
    library, ids = library_of(text, tmp_path)
    (found,) = [d for d in check(library, ids) if d.code == "TW707"]
    assert found.hint.startswith("there is `town.") and "`town.points`" in found.hint


def test_a_reaction_that_sets_itself_off_is_told_the_quiet_verb(tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\nrules:\n  - id: trial.home\n    on: left(f)\n"
        "    do: for g in figures { return g }\n"
    )
    library, ids = library_of(text, tmp_path)
    (found,) = [d for d in check(library, ids) if d.code == "TW720"]
    assert found.message == "`announce left` calls itself"
    assert found.hint.endswith("`return f quietly` does not: nothing follows from it")


def test_a_scenario_tells_every_value_that_differs(tmp_path: Path) -> None:
    text = (
        "# scenarios/trial.yaml\nscenarios:\n  - id: values\n    says: Two values differ.\n"
        "    players: [red, blue]\n    covers: []\n    proves: []\n"
        '    play:\n      - expect: {values: {"1 + 1": "3", "2 + 2": "5", "2": "2"}}\n'
    )
    library, _ = library_of(text, tmp_path)
    runs, _ = run_all(("trial/first",), library)
    found = [d.message for run in runs for d in run.problems]
    assert len(found) == 2 and "`1 + 1`" in found[0] and "`2 + 2`" in found[1], found


# ------------------------------------------------------------------ with

COMPANY = (
    "# rules/with-second.yaml\nwith: [trial/second]\n"
    "values:\n  meeting.points: {type: number, is: 3}\n"
    "memory:\n  met: {type: truth, per: game}\n"
    "steps:\n  meet: {phase: turn, after: [tally], label: {en: meet}}\n"
    "definitions:\n  glad: {parameters: {}, type: truth, combine: all, says: whether glad}\n"
    "events:\n  greeted: {says: they have met}\n"
    "rules:\n  - {id: trial.meet, option: {mood: wild}, on: step meet, do: set met = true}\n"
    "patches:\n  - {id: trial.dear, why: it is so, set: town.points, to: 6}\n"
    "# components.yaml\n"
    "figures:\n  guest: {label: {en: guest}, owned: true, count: 1, with: [second]}\n"
    "symbols:\n  moon: {label: {en: moon}, with: [second]}\n"
    "roles:\n  visitor: {label: {en: visitor}, figures: [guest], on: town, with: [second]}\n"
    "stacks:\n  heap: {label: {en: heap}, with: [second]}\n"
    "# tiles.yaml\ntiles:\n  - id: strange\n    count: 1\n    with: [second]\n"
    "    when: {mood: wild}\n    edges: [bog, bog, bog, bog]\n"
    "    segments: {b1: {kind: bog, at: [N, E, S, W]}}\n    symbols: [moon]\n"
    + SECOND
    + "options: {mood: {choices: [calm, wild], default: wild, says: how it goes}}\n"
    + "# trial/second/components.yaml\n"
    + "features:\n  bog: {label: {en: bog}, reach: side, completes: never}\n"
    + "# trial/second/rules/second.yaml\n"
    + "rules:\n  - {id: second.mood, option: {mood: wild}, on: paid(x), do: award 1 to active}\n"
    + LATER
)


def test_what_needs_company_is_left_out_alone(tmp_path: Path) -> None:
    game = game_of(COMPANY, "trial/first", tmp_path)
    assert "meeting.points" not in game.values and "glad" not in game.definitions
    assert "greeted" not in game.events and "meet" not in steps_of(game)
    assert [memory.declaration.id for memory in game.memory] == ["drawn", "laid"]
    assert [figure.id for figure in game.figures] == ["peg", "stone"]
    assert [symbol.id for symbol in game.symbols] == ["star"]
    assert [role.id for role in game.roles] == ["guard"]
    assert [stack.id for stack in game.stacks] == ["away", "pile"]
    assert "strange" not in [piece.id for piece in game.pieces]
    assert game.values["town.points"].declaration.value == "2"


@pytest.mark.parametrize("other", ["second", "later"])
def test_company_is_a_ruleset_a_role_or_what_took_it_over(other: str, tmp_path: Path) -> None:
    game = game_of(COMPANY, f"trial/first+trial/{other}", tmp_path)
    assert "meeting.points" in game.values and "glad" in game.definitions
    assert "greeted" in game.events and "meet" in steps_of(game)
    assert "met" in [memory.declaration.id for memory in game.memory]
    assert "guest" in [figure.id for figure in game.figures]
    assert "heap" in [stack.id for stack in game.stacks]
    assert "strange" in [piece.id for piece in game.pieces]
    assert game.values["town.points"].declaration.value == "6"
    assert [rule.id for step in game.steps if step.id == "meet" for rule in step.rules]


def test_what_needs_company_is_checked_in_it(tmp_path: Path) -> None:
    library, ids = library_of(COMPANY, tmp_path)
    assert [str(found) for found in check(library, ids) if found.code[:3] != "TW6"] == []


def test_a_diagnostic_says_in_which_company_and_under_which_option_it_is_so(tmp_path: Path) -> None:
    rules = "rules:\n  - {id: trial.wrong, on: paid(x), do: award nobody to active}\n"
    text = f"# rules/with-second.yaml\nwith: [trial/second]\n{rules}{SECOND}"
    text += "# rules/trial.yaml\nrules:\n"
    text += (
        "  - {id: trial.fat, option: {purse: fat}, on: paid(x), do: award nothing_at_all to x}\n"
    )
    library, ids = library_of(text, tmp_path)
    hints = {d.message.split("`")[1]: d.hint for d in check(library, ids) if d.code == "TW301"}
    assert hints["nobody"].endswith("this occurs with `trial/second`")
    assert hints["nothing_at_all"].endswith("this occurs under option `purse: fat`")


def test_a_conflict_names_the_two_rulesets_and_no_others(tmp_path: Path) -> None:
    text = "".join(
        f"# trial/{name}/module.yaml\nid: trial/{name}\nkind: house\ntitle: {name}\n"
        "requires: {base: trial/table}\n"
        f"# trial/{name}/rules/trial.yaml\nrules:\n  - {{id: {name}.rule, on: paid(x), do: {do}}}\n"
        for name, do in (("one", "end game"), ("two", "award 1 to active"), ("three", "return"))
    ).replace("do: return", "do: 'for f in figures { return f }', when: false")
    library, _ = library_of(text, tmp_path)
    reporter = Reporter()
    check_game("trial/three+trial/one+trial/two", Workspace(library), reporter)
    hints = [each.hint for each in reporter.diagnostics if each.code == "TW721"]
    assert hints and not any("this occurs" in hint for hint in hints)


def test_a_component_list_counts_what_needs_company(tmp_path: Path) -> None:
    box = (
        "# module.yaml\nid: trial/first\nkind: expansion\ntitle: a trial\n"
        "requires: {base: trial/table}\ncomponents:\n  - {of: tiles, count: 1}\n"
        "  - {of: segment, name: bog, count: 1}\n"
    )
    library, ids = library_of(box + COMPANY, tmp_path)
    assert [str(found) for found in check(library, ids) if found.code[:3] != "TW6"] == []


def test_a_replacement_may_need_company(tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\npatches:\n  - id: trial.town\n    why: it is so\n    with: [second]\n"
        '    replace: table.town\n    amend: worth(x)\n    item: tiles\n    value: "7"\n' + SECOND
    )
    assert game_of(text, "trial/first", tmp_path / "a").patches == ()
    assert len(game_of(text, "trial/first+trial/second", tmp_path / "b").patches) == 1


# ------------------------------------------------------------------ steps


def test_a_chain_puts_steps_of_others_in_order(tmp_path: Path) -> None:
    steps = "steps:\n  {}: {{phase: turn, after: [lay_tile], label: {{en: a step}}}}\n"
    text = "# rules/a.yaml\n" + steps.format("alpha") + SECOND
    text += "# trial/second/rules/b.yaml\n" + steps.format("beta")
    name = "trial/first+trial/second"
    before = steps_of(game_of(text, name, tmp_path / "a"))
    assert before == ["draw_tile", "lay_tile", "alpha", "beta", "put_figure", "tally"]
    text += "# rules/with-second.yaml\nwith: [second]\norder:\n  - [beta, alpha]\n"
    after = steps_of(game_of(text, name, tmp_path / "b"))
    assert after == ["draw_tile", "lay_tile", "beta", "alpha", "put_figure", "tally"]
    alone = steps_of(game_of(text, "trial/first", tmp_path / "c"))
    assert alone == ["draw_tile", "lay_tile", "alpha", "put_figure", "tally"]


def test_a_chain_does_not_pull_steps_together(tmp_path: Path) -> None:
    text = (
        "# rules/a.yaml\nsteps:\n  late: {phase: turn, before: [tally], label: {en: late}}\n"
        "order:\n  - [draw_tile, late]\n"
    )
    found = steps_of(game_of(text, "trial/first", tmp_path))
    assert found == ["draw_tile", "lay_tile", "put_figure", "late", "tally"]


# ------------------------------------------------------------------ order of rules

LINE = (
    "# rules/trial.yaml\nrules:\n"
    "  - {{id: trial.zero, on: paid(x), do: award 1 to active}}\n"
    "  - {{id: trial.one, {middle}, after: [trial.zero], on: paid(x), do: award 2 to active}}\n"
    "  - {{id: trial.a_last, after: [trial.one], on: paid(x), do: award 3 to active}}\n"
)


@pytest.mark.parametrize("middle", ["with: [trial/second]", "option: {purse: fat}", "says: it"])
def test_order_goes_on_through_a_rule_that_is_left_out(middle: str, tmp_path: Path) -> None:
    game = game_of(LINE.format(middle=middle) + SECOND, "trial/first", tmp_path)
    assert rules_on(game, "paid")[0] == "trial.zero"
    assert rules_on(game, "paid")[-1] == "trial.a_last"
    assert len(rules_on(game, "paid")) == (3 if middle == "says: it" else 2)


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ("remove: trial.one", 2),
        ('replace: trial.one\n    on: paid(x)\n    do: "award 7 to active"', 3),
    ],
)
def test_order_outlives_a_patch(change: str, count: int, tmp_path: Path) -> None:
    text = LINE.format(middle="says: it")
    text += f"# rules/patch.yaml\npatches:\n  - id: trial.change\n    why: so\n    {change}\n"
    found = rules_on(game_of(text, "trial/first", tmp_path), "paid")
    assert (found[0], found[-1], len(found)) == ("trial.zero", "trial.a_last", count)


def test_over_goes_on_from_rule_to_rule(tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\nrules:\n"
        "  - {id: trial.a, amend: favour(x), when: x.size > 1, value: 1}\n"
        "  - {id: trial.b, amend: favour(x), when: x.size > 2, value: 2, over: [trial.a]}\n"
        "  - {id: trial.c, amend: favour(x), when: x.size > 3, value: 3, over: [trial.b]}\n"
    )
    game = game_of(text, "trial/first", tmp_path)
    found = [amendment.rule.head.id for amendment in game.definitions["favour"].amendments]
    assert found == ["trial.c", "trial.b", "trial.a"]


# ------------------------------------------------------------------ patches and defaults


@pytest.mark.parametrize("more", ["after: [trial.zero]", "label: {en: other}"])
def test_a_patch_may_change_no_more_than_order_or_label(more: str, tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\nrules:\n"
        "  - {id: trial.zero, on: paid(x), do: award 1 to active}\n"
        "  - {id: trial.one, on: paid(x), do: award 2 to active}\n"
        "patches:\n  - id: trial.change\n    why: so\n    replace: trial.one\n"
        f"    {more}\n    on: paid(x)\n    do: award 2 to active\n"
    )
    assert len(game_of(text, "trial/first", tmp_path).patches) == 1


PATCHING = (
    "# trial/{0}/module.yaml\nid: trial/{0}\nkind: expansion\ntitle: more\n"
    "requires: {{{1}}}\nprovides: [{0}]\n"
    "# trial/{0}/rules/trial.yaml\n"
    "patches:\n  - {{id: {0}.points, why: so, set: town.points, to: {2}}}\n"
)


def test_the_patch_that_builds_on_others_has_the_last_word(tmp_path: Path) -> None:
    text = PATCHING.format("one", "base: trial/table", 4)
    text += PATCHING.format("two", "base: trial/table", 5)
    text += PATCHING.format("all", "one: trial/one, two: trial/two", 6)
    game = game_of(text, "trial/all", tmp_path)
    assert game.values["town.points"].declaration.value == "6"


def test_two_patches_that_come_to_the_same_are_no_conflict(tmp_path: Path) -> None:
    text = PATCHING.format("one", "base: trial/table", 4)
    text += PATCHING.format("two", "base: trial/table", 4)
    game = game_of(text, "trial/one+trial/two", tmp_path)
    assert game.values["town.points"].declaration.value == "4"


def test_of_defaults_that_differ_the_latest_edition_is_taken(tmp_path: Path) -> None:
    text = SECOND + LATER
    for name, default in (("a", "second"), ("b", "later"), ("c", "second")):
        text += (
            f"# trial/{name}/module.yaml\nid: trial/{name}\nkind: expansion\ntitle: more\n"
            f"requires: {{second: trial/{default}}}\n"
        )
    for name in ("trial/a+trial/b", "trial/b+trial/c", "trial/c+trial/b+trial/a"):
        game = game_of(text, name, tmp_path / name.replace("/", ""))
        assert "trial/later" in [ruleset.id for ruleset in game.rulesets]
        assert "trial/second" not in [ruleset.id for ruleset in game.rulesets]


def test_a_default_that_fills_two_needs_is_taken_before_one_that_fills_one(tmp_path: Path) -> None:
    text = ""
    for name, more in (
        ("narrow", "provides: [thing]"),
        ("wide", "provides: [thing, wide]"),
        ("a", "requires: {thing: trial/narrow}"),
        ("b", "requires: {wide: trial/wide}"),
    ):
        text += (
            f"# trial/{name}/module.yaml\nid: trial/{name}\nkind: expansion\ntitle: more\n{more}\n"
        )
    chosen = [ruleset.id for ruleset in game_of(text, "trial/a+trial/b", tmp_path).rulesets]
    assert "trial/wide" in chosen and "trial/narrow" not in chosen
    alone = game_of(text, "trial/a", tmp_path / "alone").rulesets
    assert "trial/narrow" in [ruleset.id for ruleset in alone]


def test_a_default_that_somebody_refuses_is_no_candidate(tmp_path: Path) -> None:
    text = ""
    for name, more in (
        ("red", "provides: [thing]"),
        ("blue", "provides: [thing]"),
        ("a", "requires: {thing: trial/red}"),
        ("b", "requires: {thing: trial/blue}\nconflicts: [trial/red]"),
        ("c", "requires: {thing: trial/red}\nconflicts: [trial/blue]"),
    ):
        text += (
            f"# trial/{name}/module.yaml\nid: trial/{name}\nkind: expansion\ntitle: more\n{more}\n"
        )
    for name in ("trial/a+trial/b", "trial/b+trial/a"):
        chosen = [ruleset.id for ruleset in game_of(text, name, tmp_path / name[6]).rulesets]
        assert "trial/blue" in chosen and "trial/red" not in chosen
    library, _ = library_of(text, tmp_path / "none")
    game, reporter = load_game("trial/b+trial/c", {}, library)
    assert game is None
    assert [found.code for found in reporter.diagnostics] == ["TW702"]


def test_a_ruleset_may_be_required_by_its_own_id(tmp_path: Path) -> None:
    text = PATCHING.format("one", "base: trial/table", 4)
    text += PATCHING.format("two", "trial/one: trial/one", 5)
    text += (
        "# trial/later/module.yaml\nid: trial/later\nkind: edition\ntitle: later\n"
        "takes_over: trial/one\n"
    )
    for name, other in (("trial/two", "trial/one"), ("trial/two+trial/later", "trial/later")):
        game = game_of(text, name, tmp_path / name.replace("/", ""))
        assert other in [ruleset.id for ruleset in game.rulesets]
        assert game.values["town.points"].declaration.value == "5"
    _, reporter = load_game(
        "trial/three",
        {},
        library_of(PATCHING.format("three", "trial/x: trial/table", 4), tmp_path)[0],
    )
    assert [d.message for d in reporter.diagnostics] == ["`trial/table` does not provide `trial/x`"]


def test_two_rulesets_that_require_each_other_carry_a_third(tmp_path: Path) -> None:
    text = "".join(
        f"# trial/{name}/module.yaml\nid: trial/{name}\nkind: expansion\ntitle: more\n"
        f"provides: [{name}]\nrequires: {{base: trial/table, {other}: trial/{other}}}\n"
        for name, other in (("one", "two"), ("two", "one"))
    )
    for name in ("above", "z-above"):
        game = game_of(
            text + PATCHING.format(name, "one: trial/one", 6).replace("z-above.", "z."),
            f"trial/{name}",
            tmp_path / name,
        )
        assert {"trial/one", "trial/two"} <= {ruleset.id for ruleset in game.rulesets}
        assert game.values["town.points"].declaration.value == "6"


def test_earlier_scenarios_are_played_here_or_there(tmp_path: Path) -> None:
    scenarios = (
        "# trial/second/scenarios/trial.yaml\nscenarios:\n"
        "  - {id: plain, says: so, players: [red, blue], play: [pass]}\n"
        "  - {id: named, says: so, game: [trial/table], players: [red, blue], play: [pass]}\n"
    )
    for key, game in (("here", ()), ("there", ("trial/second",))):
        text = f"{SECOND}{scenarios}{LATER}earlier_scenarios: {key}\n"
        library, _ = library_of(text, tmp_path / key)
        load = partial(library.load, reporter=Reporter())
        later = select_module.whole("trial/later", load)
        assert later is not None
        found = {scenario.id: scenario.rulesets for scenario in later.scenarios}
        assert found == {"plain": game, "named": ("trial/table",)}


def _chain(count: int, needs: Callable[[int], Iterable[int]]) -> str:
    """Rulesets in a row; each requires some of those before it."""
    return "".join(
        f"# trial/n{n}/module.yaml\nid: trial/n{n}\nkind: expansion\ntitle: a link\n"
        f"provides: [n{n}]\nrequires: {{base: trial/table"
        + "".join(f", n{below}: trial/n{below}" for below in needs(n))
        + "}\n"
        for n in range(count)
    )


@pytest.mark.parametrize(
    "needs",
    [
        lambda n: range(n),
        pytest.param(lambda n: range(max(0, n - 1), n), marks=pytest.mark.slow),
    ],
    ids=["all", "the last"],
)
def test_a_chain_of_two_hundred_rulesets_is_selected_in_few_steps(
    needs: Callable[[int], Iterable[int]], tmp_path: Path
) -> None:
    library, _ = library_of(_chain(200, needs), tmp_path)
    reporter = Reporter()
    loads: list[str] = []

    def load(id_: str) -> Ruleset | None:
        loads.append(id_)
        return library.load(id_, reporter)

    load("trial/table")
    steps = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal steps
        is_call = event == "call" and frame.f_code.co_filename == select_module.__file__
        steps += is_call
        assert steps < 500_000, "selecting takes more and more steps"

    sys.setprofile(count)
    try:
        selection = select_module.select(("trial/n199",), {}, load, reporter)
    finally:
        sys.setprofile(None)
    assert selection is not None, reporter.diagnostics
    chosen = [ruleset.id for ruleset in selection.rulesets]
    assert chosen == ["trial/table", *(f"trial/n{n}" for n in range(200))]
    assert selection.depth["trial/n199"] == 200
    assert len(loads) < 3 * 200


def test_a_kind_of_feature_that_a_value_names_takes_part(tmp_path: Path) -> None:
    text = (
        "# components.yaml\nfeatures:\n"
        "  bog: {label: {en: bog}, reach: side, completes: never}\n"
        "  fen: {label: {en: fen}, reach: side, completes: never}\n"
        "  nest: {label: {en: nest}, reach: inside, completes: never, from_symbol: star}\n"
        "# rules/trial.yaml\nvalues:\n  trial.kind: {type: feature kind, is: bog}\n"
    )
    live = game_of(text, "trial/first", tmp_path).live
    assert {"bog", "nest"} <= live and "fen" not in live


# ------------------------------------------------------------------ unreadable files


def spoilt(name: str, root: Path) -> Path:
    """A valid ruleset with one part that cannot be read."""
    library_of("# rules/trial.yaml\nvalues: {}\n", root)
    own = root / "trial" / "first"
    (own / "components.yaml").write_text("features: {}\n")
    if name == "link":
        (own / "rules" / "more.yaml").symlink_to(own / "nowhere.yaml")
    elif name == "link for a part":
        (own / "tiles.yaml").symlink_to(own / "nowhere.yaml")
    elif name == "link for a folder":
        (own / "scenarios").symlink_to(own / "nowhere")
    elif name == "pipe":
        os.mkfifo(own / "rules" / "more.yaml")
    elif name == "file":
        (own / "components.yaml").chmod(0)
    elif name == "rules":
        (own / "rules").chmod(0)
    elif name == "entrance":
        own.chmod(0o600)
    elif name == "ruleset":
        own.chmod(0)
    else:
        own.parent.chmod(0)
    return own


@pytest.mark.parametrize(
    "name",
    [
        "link",
        "link for a part",
        "link for a folder",
        "pipe",
        "file",
        "rules",
        "ruleset",
        "entrance",
        "edition",
    ],
)
def test_what_cannot_be_read_ends_with_3(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = spoilt(name, tmp_path / "here")
    barred = {"file": own / "components.yaml", "rules": own / "rules", "edition": own.parent}
    bars = (*barred, "ruleset", "entrance")
    if name in bars and os.access(barred.get(name, own), os.R_OK if name == "file" else os.X_OK):
        pytest.skip("nothing is barred to the superuser")
    (tmp_path / "here" / "other" / "one").mkdir(parents=True)
    (tmp_path / "here" / "other" / "one" / "module.yaml").write_text(
        "id: other/one\nkind: expansion\ntitle: one\n"
    )
    for text in (tmp_path / "here", own):
        try:
            assert run(["check", str(text)]) == 3
        finally:
            captured = capsys.readouterr()
        assert "fault" not in captured.err
    for path in (own.parent, own, own / "rules", own / "components.yaml"):
        path.chmod(0o755)


def test_a_folder_that_the_system_refuses_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library_of("# rules/trial.yaml\nvalues: {}\n", tmp_path)
    listed = os.listdir

    def refuse(folder: Path) -> list[str]:
        if Path(folder).name == "rules":
            raise PermissionError(13, "Permission denied", str(folder))
        return listed(folder)

    monkeypatch.setattr(os, "listdir", refuse)
    library, ids = library_of("# rules/trial.yaml\nvalues: {}\n", tmp_path)
    found = [diagnostic.message for diagnostic in check(library, ids) if diagnostic.code == "TW114"]
    assert found and all(message.endswith("cannot be read: permission denied") for message in found)


def test_the_phrases_of_a_ruleset_come_before_those_that_it_takes_over() -> None:
    load = partial(Library().load_rules, reporter=Reporter())
    earlier, own, later = load("c2/base"), load("c1/base"), select_module.whole("c1/base", load)
    assert earlier is not None and own is not None and later is not None
    new = {phrase.topic for phrase in own.phrases}
    assert new and later.phrases == (
        *own.phrases, *(phrase for phrase in earlier.phrases if phrase.topic not in new)
    )  # fmt: skip
