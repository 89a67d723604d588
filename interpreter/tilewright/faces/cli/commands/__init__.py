"""One module for each verb; its `app` or the function with its name is the command.

A verb is imported only when it is used, which keeps the start-up time short.
"""

from __future__ import annotations

from collections.abc import Callable

import typer

Command = Callable[..., None] | typer.Typer


def command_of(verb: str) -> Command:
    """The function of a verb, or its group of verbs; imports no other verb."""
    found = _write(verb) or _compare_or_look_up(verb) or _play_or_measure(verb)
    assert found is not None, verb
    return found


def _write(verb: str) -> Command | None:
    """The verbs that write rules."""
    match verb:
        case "new":
            from tilewright.faces.cli.commands.new import app

            return app
        case "check":
            from tilewright.faces.cli.commands.check import check

            return check
        case "fmt":
            from tilewright.faces.cli.commands.fmt import fmt

            return fmt
        case "test":
            from tilewright.faces.cli.commands.test import test

            return test
        case "lsp":
            from tilewright.faces.cli.commands.lsp import lsp

            return lsp
    return None


def _compare_or_look_up(verb: str) -> Command | None:
    """The verbs that compare and look up."""
    match verb:
        case "compare":
            from tilewright.faces.cli.commands.compare import compare

            return compare
        case "diff":
            from tilewright.faces.cli.commands.diff import diff

            return diff
        case "rulesets":
            from tilewright.faces.cli.commands.rulesets import rulesets

            return rulesets
        case "show":
            from tilewright.faces.cli.commands.show import app

            return app
        case "explain":
            from tilewright.faces.cli.commands.explain import explain

            return explain
        case "trace":
            from tilewright.faces.cli.commands.trace import trace

            return trace
        case "config":
            from tilewright.faces.cli.commands.config import config

            return config
        case "resolve":
            from tilewright.faces.cli.commands.resolve import resolve

            return resolve
    return None


def _play_or_measure(verb: str) -> Command | None:
    """The verbs that play and measure."""
    match verb:
        case "studio":
            from tilewright.faces.cli.commands.studio import studio

            return studio
        case "play":
            from tilewright.faces.cli.commands.play import play

            return play
        case "replay":
            from tilewright.faces.cli.commands.replay import replay

            return replay
        case "why":
            from tilewright.faces.cli.commands.why import why

            return why
        case "simulate":
            from tilewright.faces.cli.commands.simulate import simulate

            return simulate
        case "matrix":
            from tilewright.faces.cli.commands.matrix import matrix

            return matrix
        case "mutate":
            from tilewright.faces.cli.commands.mutate import mutate

            return mutate
    return None
