"""One module for each verb; its `app` or the function with its name is the command.

A verb is imported only when it is used, which keeps the start-up time short.
"""

from __future__ import annotations

from collections.abc import Callable

import typer

Command = Callable[..., None] | typer.Typer


def command_of(verb: str) -> Command:
    """The function of a verb, or its group of verbs; imports no other verb."""
    match verb:
        case "new":
            import tilewright.faces.cli.commands.new
        case "check":
            import tilewright.faces.cli.commands.check
        case "fmt":
            import tilewright.faces.cli.commands.fmt
        case "test":
            import tilewright.faces.cli.commands.test
        case "lsp":
            import tilewright.faces.cli.commands.lsp
        case "compare":
            import tilewright.faces.cli.commands.compare
        case "diff":
            import tilewright.faces.cli.commands.diff
        case "rulesets":
            import tilewright.faces.cli.commands.rulesets
        case "show":
            import tilewright.faces.cli.commands.show
        case "explain":
            import tilewright.faces.cli.commands.explain
        case "trace":
            import tilewright.faces.cli.commands.trace
        case "config":
            import tilewright.faces.cli.commands.config
        case "resolve":
            import tilewright.faces.cli.commands.resolve
        case "studio":
            import tilewright.faces.cli.commands.studio
        case "play":
            import tilewright.faces.cli.commands.play
        case "replay":
            import tilewright.faces.cli.commands.replay
        case "why":
            import tilewright.faces.cli.commands.why
        case "simulate":
            import tilewright.faces.cli.commands.simulate
        case "matrix":
            import tilewright.faces.cli.commands.matrix
        case "mutate":
            import tilewright.faces.cli.commands.mutate
    module = getattr(tilewright.faces.cli.commands, verb)
    found: Command = getattr(module, "app", None) or getattr(module, verb)
    return found
