"""Checks the numbers in the sentences of a ruleset: statements and phrases.

Each name between braces is that of a number which the game of the ruleset has. And a number that a
value of the ruleset gives is named, and not written: else the sentence is false as soon as somebody
changes the value. Zero and one are not asked for, since their words mean other things too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.wording import numbers_written
from tilewright.rules.linking.wordings import TABLES, counts, declared_in, number_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import COUNTED
from tilewright.tools.workspace.workspace import Workspace

_WORDS = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*")
_Sentence = m.Statement | m.Phrase


def check_stated(own: m.Ruleset, workspace: Workspace, reporter: Reporter) -> None:
    """Report names without a number, and numbers that are written and not named."""
    entire = workspace.whole(own.id) or own
    near = (*workspace.together((own.id,)), entire)
    tables = {name: declared_in(near, name) for name in TABLES.values()}
    sentences: list[_Sentence] = [*own.statements, *own.phrases]
    for each in sentences:
        for name in each.states:
            if number_of(name, entire, tables) is None:
                code, message = _unknown(name, entire, near)
                reporter.error(code, message, m.place_in(each, "says", name))
    if own.module.resolved_from:
        return  # a flattened game is checked where its rulesets are
    values = [value for value in tables["values"].values() if value.type == "number"]
    for each, value, word in _written(own, values):
        message = f"`{word}` is the value `{value}`, and stays when somebody changes the value"
        hint = f"write `{{{value}}}` for it, or `{{{value} ONE | MORE}}` with the word behind it"
        reporter.note("TW794", message, m.place_in(each, "says", word), hint=hint)


def _unknown(name: str, own: m.Ruleset, near: Sequence[m.Ruleset]) -> tuple[str, str]:
    values = declared_in(near, "values")
    if name in values:
        type_ = values[name].type
        return "TW791", f"`{name}` is a {type_}, and only a number can be in a sentence"
    of, dot, thing = name.partition(".")
    if of in COUNTED:
        known = declared_in(near, TABLES[of]) if of in TABLES else counts(own, of)
        what = f"unknown {of} `{thing}`" if dot else f"`{of}` is counted by name, like `{of}.NAME`"
        return "TW790", what + did_you_mean(thing, known)
    numbers = [id_ for id_, value in values.items() if value.type == "number"]
    return "TW790", f"unknown value `{name}`{did_you_mean(name, numbers)}"


def _written(own: m.Ruleset, values: list[m.ValueDecl]) -> Iterator[tuple[_Sentence, str, str]]:
    """Sentences with the number of a value that they are about, and the word for it."""
    read: dict[str, set[str]] = {}  # by statement, what its rules read
    for rule in own.rules:
        found = {word for code in m.codes_of(rule) for word in _WORDS.findall(code.text)}
        for statement in rule.head.statements:
            read.setdefault(statement, set()).update(found)
    given = [(value.id, value.value, value.statements) for value in values]
    always = (patch for patch in own.patches if patch.kind == "value" and not patch.option)
    given += [(patch.target, patch.to, patch.statements) for patch in always]
    sentences: list[_Sentence] = [*own.statements, *own.phrases]
    for each in sentences:
        about = {each.id} if isinstance(each, m.Statement) else {*each.statements}
        text = each.says if isinstance(each, m.Statement) else each.says.get()
        used = set().union(*(read.get(statement, set()) for statement in about))
        written = dict(numbers_written(text))
        for id_, number, statements in given:
            is_about = about & {*statements} or (not statements and id_ in used)
            if is_about and id_ not in each.states and number in written:
                yield each, id_, written[number]
