"""The content hash of a game covers all that determines it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.marks import is_sampled, slow_unless
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code
from tilewright.language.syntax.local_names import (
    bound,
    effects_printed,
    expression_printed,
)
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.rules.linking.content_hash import digest
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_game

BASE = load_game("c2/base")[0]
OTHER = (("about", "something else"),)


@pytest.mark.parametrize("fact", [("definition", "occupies"), ("event", "acted")])
def test_a_part_of_the_language_counts_only_where_rules_use_it(fact) -> None:
    assert BASE is not None and BASE.facts[fact] != OTHER
    assert digest(BASE.facts) == digest({**BASE.facts, fact: OTHER}) == BASE.hash
    in_use = {("order", " ".join(fact)): (("order", "trial.rule"),)}
    assert digest({**BASE.facts, **in_use}) != BASE.hash


def test_a_definition_of_the_language_that_rules_amend_counts() -> None:
    assert BASE is not None and BASE.is_amended("winners")
    assert digest({**BASE.facts, ("definition", "winners"): OTHER}) != BASE.hash


def other_names(rule: m.Rule, memory: set[str]) -> m.Rule:
    """A rule in which every parameter and every variable has another name."""

    def named(names: dict[str, str], code: Code | None) -> Code | None:
        if code is None:
            return None
        is_body = code is getattr(rule, "do", None)
        read = parse_effects(code, Reporter()) if is_body else parse_expression(code, Reporter())
        assert read is not None
        printed = (
            effects_printed(read, names, memory)
            if isinstance(read, tuple)
            else expression_printed(read, names)
        )
        return replace(code, text=printed.neutral.replace("$", "local_"))

    def called(names: dict[str, str]) -> tuple[str, ...]:
        return tuple(name.replace("$", "local_") for name in names.values())

    names: dict[str, str] = {}
    match rule:
        case m.Amendment() | m.Reaction():
            names = dict(bound({}, *rule.parameters))
            rule = replace(rule, parameters=called(names))
        case m.Action():
            offer = []
            for name, code in rule.offer:
                offer.append((name, named(names, code)))
                names = dict(bound(names, name))
            offer = [(new, code) for new, (_, code) in zip(called(names), offer, strict=True)]
            rule = replace(rule, offer=tuple(offer), where=named(names, rule.where))
        case m.Procedure():
            given = rule.declaration.parameters
            names = dict(bound({}, *(p.name for p in given)))
            renamed = zip(given, called(names), strict=True)
            parameters = tuple(replace(p, name=name) for p, name in renamed)
            declaration = replace(rule.declaration, parameters=parameters)
            rule = replace(rule, declaration=declaration)
    text = "value" if isinstance(rule, m.Amendment) else "do"
    body = named(names, getattr(rule, text))
    head = replace(rule.head, when=named(names, rule.head.when))
    return replace(rule, head=head, **{text: body})


@pytest.mark.parametrize("id_", slow_unless(is_sampled, Library().ids()))
def test_names_of_parameters_and_variables_do_not_count(id_: str) -> None:
    library = Library()
    own = library.load_rules(id_, Reporter())
    game, _ = load_game(id_, {}, library)
    assert own is not None and game is not None
    memory = {each.declaration.id for each in game.memory}
    rules = tuple(other_names(rule, memory) for rule in own.rules)
    other, reporter = load_game(id_, {}, library.instead(replace(own, rules=rules)))
    assert other is not None, [str(each) for each in reporter.diagnostics]
    assert other.hash == game.hash
    assert [r.rule.head.id for r in other.rules()] == [r.rule.head.id for r in game.rules()]
