"""A rule reaches what it can change, also without a statement that connects them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from support.marks import slow_unless
from support.pages import compared
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.view.results.comparison import Comparison, State

LIBRARY = Library()
HOUSE = [id_ for id_ in LIBRARY.ids() if id_.startswith(("house/", "variants/"))]
#: rules that nothing but what they read and write connects with what they change
QUICK = ("house/great-cities-pay-double", "house/first-to-fifty", "house/dragon-pays-hunters")
T = TypeVar("T")


def ruleset_of(id_: str) -> Ruleset:
    ruleset = LIBRARY.load_rules(id_, Reporter())
    assert ruleset is not None
    return ruleset


def bare(things: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(replace(each, statements=()) for each in things)  # type: ignore[type-var]


def without_statements(ruleset: Ruleset) -> Ruleset:
    """A ruleset without its statements, and without every `from`."""
    rules = tuple(replace(rule, head=bare((rule.head,))[0]) for rule in ruleset.rules)
    inserted = (
        replace(p, rule=p.rule and replace(p.rule, head=bare((p.rule.head,))[0]))
        for p in bare(ruleset.patches)
    )
    return replace(
        ruleset,
        module=replace(ruleset.module, options=bare(ruleset.module.options)),
        statements=(),
        phrases=(),
        rules=rules,
        patches=tuple(inserted),
        values=bare(ruleset.values),
        steps=bare(ruleset.steps),
        roles=bare(ruleset.roles),
        scenarios=(),
    )


def states(found: Comparison) -> dict[str, State]:
    return {row.topic: row.verdict.state for row in found.topic_rows()}


@pytest.mark.parametrize("id_", slow_unless(lambda id_: id_ in QUICK, HOUSE))
def test_no_topic_is_the_same_only_because_nothing_is_stated(id_: str) -> None:
    base = "+".join(need.default for need in ruleset_of(id_).module.requires)
    games = [base, f"{base}+{id_}"]
    told = states(compare_texts(games, LIBRARY))
    silent = states(compare_texts(games, LIBRARY.instead(without_statements(ruleset_of(id_)))))
    differing = {topic for topic, state in told.items() if state is State.DIFFERS}
    same = {t for t, state in silent.items() if state in (State.SAME, State.REWORDED)}
    assert differing & same == set()


def draft(folder: Path, rules: str, base: str = "c2/base") -> dict[str, State]:
    """The states of a comparison of a game with a draft on top of it."""
    (folder / "mine" / "rules").mkdir(parents=True)
    role = base.partition("/")[2]
    (folder / "mine" / "module.yaml").write_text(
        f"id: house/mine\nkind: house\ntitle: Mine\nrequires: {{{role}: {base}}}\n",
        encoding="utf-8",
    )
    (folder / "mine" / "rules" / "all.yaml").write_text(f"rules:\n{rules}", encoding="utf-8")
    return states(compare_texts([base, "house/mine"], Library([folder / "mine"])))


def test_a_further_summand_reaches_the_others_of_its_kind_and_no_other_kind(
    tmp_path: Path,
) -> None:
    rule = "  - {id: m, amend: points(x), item: more, when: x is city, value: turn}\n"
    found = draft(tmp_path, rule)
    assert found["feature.city.score"] is State.BESIDE
    assert found["feature.road.score"] is State.SAME
    assert found["final.city"] is State.SAME


def test_another_end_of_the_game_reaches_the_row_about_its_end(tmp_path: Path) -> None:
    rule = "  - {id: m, on: step pass_turn, after: [turn.order], when: turn > 9, do: end game}\n"
    assert draft(tmp_path, rule)["end.trigger"] is State.BESIDE


def test_a_rule_about_one_figure_leaves_other_topics_alone(tmp_path: Path) -> None:
    rule = "  - {id: m, amend: may_eat(f), value: f is not monk}\n"
    found = draft(tmp_path, rule, "c2/princess-and-dragon")
    assert found["fairy.scoring.feature"] is State.SAME
    assert found["princess.target"] is State.SAME


def test_what_is_declared_to_agree_is_left_alone() -> None:
    found = states(compared("c2/princess-and-dragon", "c3.1/dragon-and-fairy"))
    assert found["portal.placement.rules"] is State.REWORDED
