"""Translates all functions of a program that can be reached, until nothing new is learnt."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.play.compiling.bytecode.facts import Facts, Knowledge, NewFactsError, Tallying
from tilewright.play.compiling.bytecode.instructions import NotCarried
from tilewright.play.compiling.bytecode.translation import (
    calls,
    decisions,
    loops,
    sets,
    statements,
    values,
)
from tilewright.play.compiling.bytecode.translation.writer import Writer
from tilewright.play.program import FinalRule, Program

#: rounds after which a function that is still changing is given up. Types only grow, so that few
#: rounds are needed: the turn of a game of thirteen boxes takes 5.
MAX_ROUNDS = 400

#: the modules that know the forms: they enter their functions into the tables of `writer`
FORMS = (calls, decisions, loops, sets, statements, values)


def translated(program: Program, tallying: Tallying | None = None) -> Knowledge:
    """The functions of a program, each with its code, and those that count games.

    Raises NotCarried for a form that bytecode cannot express.
    """
    try:
        return _translated(program, program.ending, tallying)
    except NotCarried:
        if not program.ending:
            raise
        # these functions save time, but the final scoring can also be played
        return _translated(program, (), tallying)


def _translated(
    program: Program, ending: Sequence[FinalRule], tallying: Tallying | None
) -> Knowledge:
    knowledge = Knowledge(program, tallying)

    def translate(name: str) -> Facts:
        facts = knowledge.function(name)
        if not facts.is_stale or facts.is_open:
            return facts
        facts.is_open = True
        for _ in range(MAX_ROUNDS):
            facts.is_stale = facts.changed = False
            writer = Writer(knowledge, facts, translate)
            try:
                facts.code = statements.written(writer)
            except NewFactsError:
                continue
            except NotCarried as refusal:
                # the facts may still grow; a refusal counts only when nothing is new
                if not facts.changed:
                    facts.is_open, facts.is_stale = False, True
                    raise NotCarried(refusal.reason, refusal.function or name) from refusal
                continue
            facts.words = writer.words
            break
        else:
            raise NotCarried("types that never settle", name)
        facts.is_open = False
        return facts

    roots = [*knowledge.require_roots(), *knowledge.require_ending(ending)]
    while stale := [*roots, *(n for n, f in knowledge.functions.items() if f.is_stale)]:
        for name in stale:
            try:
                translate(name)
            except RecursionError as error:
                raise NotCarried("too many calls inside each other", name) from error
        roots = []
    return knowledge
