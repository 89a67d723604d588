"""The content hash of a game covers all that determines it."""

from __future__ import annotations

import pytest

from tilewright.linking.content_hash import digest
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
