"""The sentences of rulesets with the numbers of a game: the only place where they are put in.

A sentence names values and counts. A count is that of a thing in the box, as in a component list:
`figure.peg`, `symbol.well`; `tiles` are those of the ruleset, and `tiles.coast` those of a stack. A
value that is not in the game, since another ruleset is missing, is what its own ruleset declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tilewright.language.source.identity import kept_by_identity, kept_by_identity_with
from tilewright.language.wording import filled
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import COUNTED

#: the tables of things with a number of their own, by the names that sentences have for them
TABLES = {
    "": "values",
    "figure": "figures",
    "token": "tokens",
    "item": "items",
    "pieces": "pieces",
}
_NUMBER = re.compile(r"-?\d+")
#: declarations by table and id
_Tables = Mapping[str, Mapping[str, Any]]
#: numbers by the names that sentences have for them
_Numbers = tuple[tuple[str, int], ...]


def with_numbers(
    rulesets: Sequence[m.Ruleset], declared: Gathered | None = None
) -> tuple[m.Ruleset, ...]:
    """The rulesets of a game, with its numbers in their statements and phrases.

    Without the declarations of a game they have those of the rulesets.
    """
    tables = {
        name: declared_in(rulesets, name) if declared is None else getattr(declared, name)
        for name in TABLES.values()
    }
    return tuple(_worded(each, _numbers(each, stated(each), tables)) for each in rulesets)


def as_declared(statement: m.Statement, rulesets: Sequence[m.Ruleset]) -> m.Statement:
    """A statement of a game with the numbers that its rulesets declare, before any change."""
    if statement.written is None:
        return statement
    tables = {name: declared_in(rulesets, name) for name in TABLES.values()}
    home = next(r for r in rulesets if statement in r.statements)
    return _filled(statement.written, _numbers(home, statement.states, tables))


def declared_in(rulesets: Iterable[m.Ruleset], table: str) -> dict[str, Any]:
    """The declarations of rulesets in one table, by id."""
    return {each.id: each for ruleset in rulesets for each in getattr(ruleset, table)}


def counts(
    ruleset: m.Ruleset, of: str, changed: Mapping[str, m.PieceKind] | None = None
) -> dict[str, int]:
    """The number of each named component of a kind in the box; that of tiles by stack, and "" for
    all. `changed` are tiles of a game.

    Pieces that need another option value than the default are left out, and a piece with several
    declared readings counts once.
    """
    options = {option.id: option.default for option in ruleset.module.options}
    possible = [
        piece
        for piece in ruleset.pieces
        if all(options.get(option, value) == value for option, value in piece.when)
    ]
    # the option may belong to another ruleset: then all readings are possible; take the first
    pieces = {
        piece.id: (changed or {}).get(piece.id, piece)
        for piece in reversed(possible)
        # pieces that wait for another ruleset are in the box all the same, unlike removed ones
        if changed is None or piece.id in changed or piece.with_
    }
    if of in TABLES:
        things = pieces if of == "pieces" else declared_in((ruleset,), TABLES[of])
        return {id_: thing.count for id_, thing in things.items()}
    found: dict[str, int] = {}
    match of:
        case "tiles":
            found = {"": 0, **{stack.id: 0 for stack in ruleset.stacks}}
        case "symbol":
            found = {symbol.id: 0 for symbol in ruleset.symbols}
        case "segment":
            found = {kind.id: 0 for kind in ruleset.features}
        case "attribute":
            numbers = [a for kind in ruleset.features for a in kind.attributes]
            found = {a.id: 0 for a in (*numbers, *(n.attribute for n in ruleset.attributes))}
    for piece in pieces.values():
        for name, number in _printed(piece, of):
            found[name] = found.get(name, 0) + number * piece.count
    return found


def _printed(piece: m.PieceKind, of: str) -> Iterator[tuple[str, int]]:
    if of == "tiles":
        yield from ((name, 1) for name in dict.fromkeys(("", piece.stack)))
        return
    for cell in piece.faces[0]:  # printed on both sides it is one thing in the box
        if of == "symbol":
            yield from ((symbol, 1) for symbol in cell.symbols)
        for segment in cell.segments:
            match of:
                case "symbol":
                    yield from ((symbol, 1) for symbol in segment.symbols)
                case "segment":
                    yield segment.kind, 1
                case _:
                    yield from segment.attributes


# ------------------------------------------------------------------ numbers and sentences


def _numbers(ruleset: m.Ruleset, names: Iterable[str], tables: _Tables) -> _Numbers:
    """The numbers that the sentences of a ruleset name; without those that are not there."""
    found = ((name, number_of(name, ruleset, tables)) for name in names)
    return tuple((name, number) for name, number in found if number is not None)


def number_of(name: str, ruleset: m.Ruleset, tables: _Tables) -> int | None:
    """The number that a sentence of a ruleset names; None for an unknown name, or no number."""
    value = tables["values"].get(name) or declared_in((ruleset,), "values").get(name)
    if value is not None:
        is_number = value.type == "number" and _NUMBER.fullmatch(value.value)
        return int(value.value) if is_number else None
    of, _, thing = name.partition(".")
    if of in TABLES and thing in tables[TABLES[of]]:
        count: int = tables[TABLES[of]][thing].count
        return count
    return counts(ruleset, of, tables["pieces"]).get(thing) if of in COUNTED else None


@kept_by_identity
def stated(ruleset: m.Ruleset) -> tuple[str, ...]:
    """The names of numbers in all sentences of a ruleset."""
    found = {name for each in ruleset.statements for name in each.states}
    return tuple(sorted(found.union(*(phrase.states for phrase in ruleset.phrases))))


@kept_by_identity_with
def _worded(ruleset: m.Ruleset, numbers: _Numbers) -> m.Ruleset:
    if not stated(ruleset):
        return ruleset
    return replace(
        ruleset,
        statements=tuple(_filled(each, numbers) for each in ruleset.statements),
        phrases=tuple(_filled_phrase(each, numbers) for each in ruleset.phrases),
    )


def _filled(statement: m.Statement, numbers: _Numbers) -> m.Statement:
    if not statement.states:
        return statement
    known, before = dict(numbers), statement.written or statement
    texts = before.translations
    return replace(
        before,
        says=filled(before.says, "en", known),
        translations=tuple((language, filled(text, language, known)) for language, text in texts),
        numbers=(
            *before.numbers,
            *((name, known[name]) for name in before.states if name in known),
        ),
        written=before,
    )


def _filled_phrase(phrase: m.Phrase, numbers: _Numbers) -> m.Phrase:
    if not phrase.states:
        return phrase
    known = dict(numbers)
    texts = ((language, filled(text, language, known)) for language, text in phrase.says.texts)
    return replace(phrase, says=m.Labels(tuple(texts)))
