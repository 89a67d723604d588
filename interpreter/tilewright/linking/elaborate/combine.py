"""Checks that `combine` of a definition fits its type."""

from __future__ import annotations

from tilewright.language.types import NUMBER, TRUTH, UNKNOWN, Type, in_words
from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import NOWHERE


def check_combine(declaration: m.DefinitionDecl, type_: Type, reporter: Reporter) -> None:
    """Report a `combine` that does not fit the type of a definition, and a missing default."""
    combine = declaration.combine
    wanted = {
        m.Combine.SUM: type_ == NUMBER,
        m.Combine.ITEMS: type_ == NUMBER,
        m.Combine.MAX: type_ == NUMBER,
        m.Combine.MIN: type_ == NUMBER,
        m.Combine.ALL: type_ == TRUTH,
        m.Combine.ANY: type_ == TRUTH,
        m.Combine.UNION: type_.many,
        m.Combine.ONE: True,
    }
    if not wanted[combine] and type_ != UNKNOWN:
        message = f"`combine: {combine}` does not suit `{declaration.id}`: it is {in_words(type_)}"
        reporter.error("TW730", message, declaration.span)
    needs = combine == m.Combine.ONE and not (type_.optional or type_.many)
    if needs and declaration.default is None and declaration.span != NOWHERE:
        message = f"`{declaration.id}` needs `default:`, for when no amendment holds"
        reporter.error("TW736", message, declaration.span)
