"""One module for each verb, or for two related ones; each has a function with the verb's name.

A verb is imported only when it is used, which keeps the start-up time short.
"""

from __future__ import annotations

from collections.abc import Callable

import typer

Command = Callable[..., None] | typer.Typer

#: the verbs, in the order of the help page
VERBS = (
    "rulesets",
    "check",
    "test",
    "trace",
    "explain",
    "compare",
    "history",
    "gallery",
    "divergence",
    "mutate",
    "play",
    "replay",
    "why",
    "why-not",
    "perft",
    "lsp",
    "matrix",
    "simulate",
    "stats",
    "diff",
    "resolve",
    "fmt",
    "show",
    "new",
)


def command_of(verb: str) -> Command:
    """The function of a verb, or its group of verbs; imports no other verb."""
    found = _of_rules(verb) or _of_games(verb) or _of_matches(verb)
    assert found is not None, verb
    return found


def _of_rules(verb: str) -> Command | None:
    """The verbs about rules and their scenarios."""
    match verb:
        case "rulesets":
            from tilewright.cli.commands.rulesets import rulesets

            return rulesets
        case "check":
            from tilewright.cli.commands.check import check

            return check
        case "test":
            from tilewright.cli.commands.test import test

            return test
        case "trace":
            from tilewright.cli.commands.trace import trace

            return trace
        case "explain":
            from tilewright.cli.commands.explain import explain

            return explain
        case "fmt":
            from tilewright.cli.commands.fmt import fmt

            return fmt
        case "new":
            from tilewright.cli.commands.new import app

            return app
        case "mutate":
            from tilewright.cli.commands.mutate import mutate

            return mutate
        case "lsp":
            from tilewright.cli.commands.lsp import lsp

            return lsp
    return None


def _of_games(verb: str) -> Command | None:
    """The verbs that compare, change and show games."""
    match verb:
        case "compare":
            from tilewright.cli.commands.compare import compare

            return compare
        case "history":
            from tilewright.cli.commands.history import history

            return history
        case "gallery":
            from tilewright.cli.commands.gallery import gallery

            return gallery
        case "divergence":
            from tilewright.cli.commands.divergence import divergence

            return divergence
        case "diff":
            from tilewright.cli.commands.diff import diff

            return diff
        case "resolve":
            from tilewright.cli.commands.resolve import resolve

            return resolve
        case "show":
            from tilewright.cli.commands.show import app

            return app
    return None


def _of_matches(verb: str) -> Command | None:
    """The verbs that play matches: one at a time, or many."""
    match verb:
        case "play":
            from tilewright.cli.commands.play import play

            return play
        case "replay":
            from tilewright.cli.commands.replay import replay

            return replay
        case "why":
            from tilewright.cli.commands.why import why

            return why
        case "why-not":
            from tilewright.cli.commands.why import why_not

            return why_not
        case "perft":
            from tilewright.cli.commands.perft import perft

            return perft
        case "matrix":
            from tilewright.cli.commands.matrix import matrix

            return matrix
        case "simulate":
            from tilewright.cli.commands.simulate import simulate

            return simulate
        case "stats":
            from tilewright.cli.commands.simulate import stats

            return stats
    return None
