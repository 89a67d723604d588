"""The compiler of one game: what turns its rules into functions.

The game becomes Python with one function for each rule, in the rule's own file and lines.
`compile_game` says in which order, `lowering` makes the intermediate form of expressions and
effects, and `python/` writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.language.source.text import Span
from tilewright.language.typing import typed_ast as t
from tilewright.play.code import compiled
from tilewright.play.compiling import form as f
from tilewright.play.compiling.draft import Draft
from tilewright.play.compiling.lowering.context import Context
from tilewright.play.compiling.lowering.expressions import TermLowering
from tilewright.play.compiling.options import Listing
from tilewright.play.compiling.passes.repeated_calls import with_names_of_calls
from tilewright.play.compiling.python.writer import python_of
from tilewright.play.compiling.reuse import Memo


class Compiler:
    """Fills a draft with the functions of its game."""

    def __init__(self, program: Draft, memo: Memo | None = None) -> None:
        self.program = program
        self.context = Context(program, memo)
        self.game, self.reuse = self.context.game, self.context.reuse
        self.terms = TermLowering(self.context)
        self.listing = Listing(self.terms)

    def evaluator(self, term: t.Expression, parameters: Sequence[str]) -> Callable[..., Any]:
        """Compile an expression to a function of a match and of these local names."""
        context = self.context
        context.rule = context.ruleset = context.definition = ""
        recorded, context.records = context.records, False
        body = [f.Return(self.terms.expr(term))]
        context.records = recorded
        name = f"evaluated_{len(self.program.scope)}"
        return self.define(f.Function(name, tuple(f"v_{p}" for p in parameters), body), term.span)

    def define(self, function: f.Function, span: Span) -> Callable[..., Any]:
        """Compile one function under the name of the rule's file."""
        called, self.terms.called = self.terms.called, []
        if not self.program.probes:  # a probe records each condition at its own place
            repeated = {name for name in called if called.count(name) > 1}
            function = with_names_of_calls(function, repeated)
        tree = python_of(f.place(function, span), span.file, self.context.file_number)
        made = compiled(tree, span.file or "<game>", self.program.scope)
        self.reuse.function(made, function)
        return made
