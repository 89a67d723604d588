"""Random material for the language: syntax nodes of every kind, and texts not quite effects.

The results are well formed, not well typed; `typed_programs` writes programs with a meaning.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from random import Random

from hypothesis import strategies as st

from tilewright.language.builtins import FUNCTION, GLOBAL, RESERVED, VERB
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE
from tilewright.language.syntax import ast as n
from tilewright.rules.model.ruleset import codes_of
from tilewright.rules.reading.library import Library

Expressions = st.SearchStrategy[n.Expression]
Effects = st.SearchStrategy[n.Effect]

RELATIONS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "has", "is", "is not")
QUANTIFIERS = ("any", "all", "sum", "count", "those", "most", "least", "collect")
PREPOSITIONS = ("into", "on", "at", "to", "from", "by", "as")

names = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True).filter(lambda x: x not in RESERVED)
dotted = st.lists(names, min_size=1, max_size=3).map(".".join)
labels = st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]), max_size=8)


# ------------------------------------------------------------------ syntax nodes


def _leaves() -> Expressions:
    return st.one_of(
        st.integers(0, 10**12 - 1).map(lambda value: n.Number(value, NOWHERE)),
        st.booleans().map(lambda value: n.Truth(value, NOWHERE)),
        st.just(n.Nothing(NOWHERE)),
        names.map(lambda name: n.Name(name, NOWHERE)),
    )


def _larger(inner: Expressions) -> Expressions:
    few = st.lists(inner, max_size=3).map(tuple)
    some = st.lists(inner, min_size=2, max_size=3).map(tuple)
    here = st.just(NOWHERE)
    return st.one_of(
        st.builds(n.Attribute, inner, names, here),
        st.builds(n.Call, names, few, here),
        st.builds(n.SetOf, few, here),
        st.builds(n.Negative, inner, here),
        st.builds(n.Arithmetic, st.sampled_from(("+", "-", "*", "div", "mod")), inner, inner, here),
        st.builds(n.Restriction, inner, inner, here),
        st.builds(n.Comparison, st.sampled_from(RELATIONS), inner, inner, here),
        st.builds(n.Test, inner, st.sampled_from(("empty", "something")), st.booleans(), here),
        st.builds(n.denied, inner, here),
        st.builds(n.And, some, here),
        st.builds(n.Or, some, here),
        st.builds(n.Quantifier, st.sampled_from(QUANTIFIERS), names, inner, inner, here),
        st.builds(n.FirstOf, inner, inner, here),
        st.builds(n.Range, inner, inner, here),
        st.builds(n.Conditional, inner, inner, inner, here),
    )


expressions: Expressions = st.recursive(_leaves(), _larger, max_leaves=12)
small: Expressions = st.recursive(_leaves(), _larger, max_leaves=3)


def _plain_effects() -> Effects:
    here = st.just(NOWHERE)
    part = st.tuples(st.sampled_from(PREPOSITIONS), small)
    few = st.lists(small, max_size=3).map(tuple)
    return st.one_of(
        st.builds(n.Let, names, small, here),
        st.builds(n.Assign, dotted, small, here),
        st.builds(n.Add, small, dotted, here),
        st.builds(n.Drop, small, dotted, here),
        st.builds(n.Stop, st.none() | small, here),
        st.builds(n.Draw, dotted, small, st.none() | small, here, st.none() | small),
        st.builds(n.DrawInto, names, small, small, st.none() | small, st.none() | small, here),
        st.builds(n.DrawInto, st.just(""), small, small, st.none() | small, st.none(), here),
        st.builds(n.Offer, small, here),
        st.builds(n.ProcedureCall, names, few, here),
        st.builds(n.Announce, names, few, here),
        st.builds(n.EndGame, here, st.booleans()),
        st.builds(n.Verb, names, small, st.lists(part, max_size=2).map(tuple), here),
    )


def _can_be_said(effects: list[n.Effect]) -> bool:
    # `stop` with an `if` behind it would be read as one sentence; that `if` is never reached
    pairs = itertools.pairwise(effects)
    return not any(
        isinstance(a, n.Stop) and a.test is None and isinstance(b, n.If) for a, b in pairs
    )


def _blocks(inner: Effects) -> st.SearchStrategy[tuple[n.Effect, ...]]:
    return st.lists(inner, max_size=3).filter(_can_be_said).map(tuple)


def _larger_effects(inner: Effects) -> Effects:
    here, block = st.just(NOWHERE), _blocks(inner)
    return st.one_of(
        st.builds(n.If, small, block, block, here),
        st.builds(n.For, names, small, block, here),
        st.builds(n.ForWith, names, small, names, names, block, here),
        st.builds(n.Repeat, small, block, here),
        st.builds(n.Decide, labels, small, block, block, here),
        st.builds(n.Choose, st.booleans(), names, small, small, labels, block, block, here),
    )


effects: Effects = st.recursive(_plain_effects(), _larger_effects, max_leaves=6)
bodies = _blocks(effects)


# ------------------------------------------------------------------ texts

SOUP = (
    *sorted(RESERVED), *GLOBAL, *FUNCTION, *VERB, "x", "f", "one_cell", "many.tile", "count(", "=",
    "!=", "<=", ">", "(", ")", "{", "}", ",", ":", ".", "+", "-", "*", "0", "7", '"so"', '"', "#",
    "\n", "'", "&", "é", "\t", "worth(", "pay(", "ping(",
)  # fmt: skip

soup = st.lists(st.sampled_from(SOUP), max_size=40).map(" ".join)
glued = st.lists(st.sampled_from(SOUP), max_size=40).map("".join)
noise = st.text(max_size=200)


@cache
def shipped_texts() -> tuple[str, ...]:
    """Every effect and expression of the rulesets that travel with the software."""
    library, found = Library(), dict[str, None]()
    for id_ in library.ids():
        ruleset = library.load(id_, Reporter())
        for rule in ruleset.rules if ruleset else ():
            found |= {code.text: None for code in codes_of(rule)}
    return tuple(found)


def mutated(seed: int) -> str:
    """A shipped text with a few slips."""
    rng = Random(seed)
    text = rng.choice(shipped_texts())
    slips: tuple[Callable[[str, int, int], str], ...] = (
        lambda t, a, b: t[:a] + t[b:],
        lambda t, a, b: t[:a] + t[a:b] * 2 + t[b:],
        lambda t, a, b: t[:a] + f" {rng.choice(SOUP)} " + t[b:],
        lambda t, a, b: t[:a] + rng.choice(shipped_texts())[: b - a] + t[b:],
    )
    for _ in range(rng.randint(1, 3)):
        start = rng.randint(0, len(text))
        text = rng.choice(slips)(text, start, min(len(text), start + rng.randint(0, 12)))
    return text
