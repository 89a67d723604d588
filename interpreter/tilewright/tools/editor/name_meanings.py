"""Finds the meaning of a name as it is written: what kind of thing it is, and its parts."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from dataclasses import replace

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.builtins import ATTRIBUTES, FUNCTION, VERB
from tilewright.language.source.text import Span
from tilewright.rules.linking.elaborate.covers import forms_named
from tilewright.tools.editor.effect_symbols import Occurrence, is_builtin
from tilewright.tools.editor.symbols import BESIDE

#: the kinds of a name alone in effect text, in the order of look-up
NAMES = (
    "memory",
    "value",
    "feature",
    "symbol",
    "figure",
    "trait",
    "token",
    "item",
    "role",
    "stack",
    "tile",
    "action",
)
#: kinds of words in the notation of a match: `place peg 0,1/c1`, `draw corner`
WORDS = (
    "seat",
    "tile",
    "figure",
    "token",
    "item",
    "stack",
    "feature",
    "symbol",
    "role",
    "trait",
    "action",
)
#: kinds that may carry a statement out without being a rule
RULE_KINDS = ("rule", "value", "step", "definition", "role")
#: kinds of built-in names
BUILTIN = frozenset(("builtin", "function", "verb", "member"))

_BUILTIN_WORDS = frozenset(
    (
        *(("definition", name) for name, *_ in BUILTIN_DEFINITIONS),
        *(("event", name) for name, *_ in BUILTIN_EVENTS),
        *(("function", name) for name in FUNCTION),
        *(("verb", name) for name in VERB),
        *(("member", attribute.name) for attribute in ATTRIBUTES),
    )
)


#: local names, each with the declaration in whose head it is made, if that is another one
Locals = dict[str, Span | None]
#: everything declared, by kind and id
Known = Container[tuple[str, str]]


def meanings(
    here: Occurrence, known: Known, local: Locals, labels: Collection[str] = ()
) -> Iterator[Occurrence]:
    """The meanings of an occurrence: one of a known kind, or several where a path names several.

    The words of `labels`, with which a line may begin, have no meaning.
    """
    if here.kind == "law":
        kind = next((s for s in RULE_KINDS if (s, here.id) in known), "rule")
        yield replace(here, kind=kind)
    elif here.kind == "ordered":
        is_rule = ("rule", here.id) in known and ("step", here.id) not in known
        yield replace(here, kind="rule" if is_rule else "step")
    elif here.kind == "member":
        is_own = ("member", here.id) in _BUILTIN_WORDS
        kinds = ("attribute", "memory", "symbol")  # a symbol that points somewhere is an arrow
        kind = next((kind for kind in kinds if (kind, here.id) in known), "member")
        yield replace(here, kind="member" if is_own else kind)
    elif here.kind == "word":
        kind = next((s for s in WORDS if (s, here.id) in known), "")
        if kind and not _is_in_label(here, labels):
            yield replace(here, kind=kind)
    elif here.kind == "drawn":
        is_memory = ("memory", here.id) in known
        yield replace(here, kind="memory" if is_memory else "local", declares=not is_memory)
    elif here.kind.startswith(BESIDE):
        yield replace(here, kind=here.kind.removeprefix(BESIDE))
    elif here.kind == "tile" and ("tile", here.id) not in known:
        yield from _covered(here, known) or [here]
    elif here.kind == "name":
        yield from _path(here, known, local)
    else:
        yield here


def _is_in_label(here: Occurrence, labels: Collection[str]) -> bool:
    """Whether a word belongs to the label with which its line begins."""
    begins = (label for label in labels if f"{here.line} ".startswith(f"{label} "))
    return any(here.at < len(label) for label in begins)


def _covered(here: Occurrence, known: Known) -> list[Occurrence]:
    """The tile and the symbol in the id of a covered form; nothing for another id."""
    for tile, symbol in forms_named(here.id):
        if ("tile", tile) in known and ("symbol", symbol) in known:
            column = here.span.column
            middle = column + len(tile)
            over = replace(here.span, column=middle + 1, end_column=middle + 1 + len(symbol))
            return [
                replace(here, id=tile, span=replace(here.span, end_column=middle)),
                replace(here, kind="symbol", id=symbol, span=over),
            ]
    return []


def _path(here: Occurrence, known: Known, local: Locals) -> Iterator[Occurrence]:
    names = here.id.split(".")
    taken, kind = 1, ""
    if names[0] in local:
        kind = "local"
        here = replace(here, head=local[names[0]])
    else:
        for length in range(len(names), 0, -1):
            head = ".".join(names[:length])
            kind = next((s for s in ("memory", "value") if (s, head) in known), "")
            if kind:
                taken = length
                break
    if not kind:
        kind = "builtin" if is_builtin(names[0]) else ""
        kind = kind or next((s for s in NAMES if (s, names[0]) in known), "")
        # `x is complete`: an attribute may follow `is` like a kind
        is_adjective = len(names) == 1 and ("member", names[0]) in _BUILTIN_WORDS
        kind = kind or ("member" if is_adjective else "name")
        if kind == "name":
            yield here
            return
    column = here.span.column
    head = ".".join(names[:taken])
    yield replace(here, kind=kind, id=head, span=replace(here.span, end_column=column + len(head)))
    column += len(head) + 1
    for name in names[taken:]:
        span = replace(here.span, column=column, end_column=column + len(name))
        yield from meanings(replace(here, kind="member", id=name, span=span), known, local)
        column += len(name) + 1
