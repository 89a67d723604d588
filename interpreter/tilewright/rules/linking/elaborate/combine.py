"""Checks that `combine` of a definition fits its type."""

from __future__ import annotations

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.types import NUMBER, TRUTH, UNKNOWN, Type, in_words, parse_type
from tilewright.rules.model import ruleset as m


def check_combine(declaration: m.DefinitionDecl, type_: Type, reporter: Reporter) -> None:
    """Report a `combine` that does not fit the type of a definition."""
    combine = declaration.combine
    if not _suits(combine, type_) and type_ != UNKNOWN:
        message = f"`combine: {combine}` does not suit `{declaration.id}`: it is {in_words(type_)}"
        reporter.error("TW730", message, m.place_in(declaration, "combine"))
    if combine == m.Combine.CHAIN:
        _check_chain(declaration, reporter)


def _check_chain(declaration: m.DefinitionDecl, reporter: Reporter) -> None:
    """Report a chain without a number to change, or with a default that nothing could use."""
    id_, parameters = declaration.id, declaration.parameters
    if not parameters or parse_type(parameters[-1].type) != NUMBER:
        message = f"`combine: chain` changes the last parameter, which `{id_}` needs as a number"
        reporter.error("TW730", message, m.place_in(declaration, "combine"))
    elif declaration.default is not None:
        message = f"`{id_}` begins with the number it is given, and never has its `default`"
        reporter.error("TW730", message, m.place_in(declaration, "default"))


def _suits(combine: m.Combine, type_: Type) -> bool:
    match combine:
        case m.Combine.SUM | m.Combine.ITEMS | m.Combine.MAX | m.Combine.MIN | m.Combine.CHAIN:
            return type_ == NUMBER
        case m.Combine.ALL | m.Combine.ANY:
            return type_ == TRUTH
        case m.Combine.UNION:
            return type_.many
        case m.Combine.ONE:
            return True
