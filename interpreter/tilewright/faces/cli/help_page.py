"""Help pages as plain text in the width of the terminal.

A page has the usage, one sentence, paragraphs, examples as they are written, arguments, options by
group with their closed choices, and the exit codes. The source is the docstring of the command.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption

from tilewright.faces.cli.locked import is_locked
from tilewright.faces.cli.output import bold, filled, in_lines, width
from tilewright.faces.cli.settings import WRITES, access_of, setting_of
from tilewright.faces.cli.verbs import VERBS
from tilewright.faces.cli.written_files import is_forced

#: limits of the width of the page, and the most columns of names of options
_NARROWEST, _WIDEST, _MAX_NAMES = 40, 100, 28
_FORCE = "replace a file that holds something else"
_LOCKED = "refuse games and rulesets that are not as `tilewright.lock` holds them"
#: a paragraph that keeps its lines begins with this line
_AS_IS = "\b"


class CommandPage(TyperCommand):
    """A verb with a plain help page, whose switches can all be switched off again.

    The configuration file may set a switch; `--no-full` on the command line takes it back, and
    `--cache` takes back `--no-cache`. Help pages leave these names out. A verb that writes files
    has the switch `--force`, one that finds rulesets the switch `--locked`.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        if WRITES in access_of(self).values():
            self.params.append(_switch("--force", is_forced, _FORCE))
        if any(param.name == "with_" for param in self.params):
            self.params.append(_switch("--locked", is_locked, _LOCKED))
        params: list[Any] = self.params
        for param in params:
            name = setting_of(param)
            if name and param.is_flag and not param.secondary_opts:
                is_negative = name.startswith("no-")
                opposite = name.removeprefix("no-") if is_negative else f"no-{name}"
                param.secondary_opts = [f"--{opposite}"]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the page."""
        formatter.write(_page(self, ctx, ()))


def _switch(name: str, is_on: ContextVar[bool], help_: str) -> TyperOption:
    """A switch of many verbs, which is kept in a variable of the run."""
    return TyperOption(
        param_decls=[name],
        is_flag=True,
        default=False,
        expose_value=False,
        callback=lambda context, param, value: is_on.set(bool(value)),
        help=help_,
    )


class GroupPage(TyperGroup):
    """A group of verbs with a plain help page."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the page, with the verbs by purpose."""
        formatter.write(_page(self, ctx, self._verbs(ctx)))

    def list_commands(self, ctx: Any) -> list[str]:
        """The verbs in the order of their table, other commands as they were added."""
        order = {name: place for place, name in enumerate(VERBS)}
        return sorted(super().list_commands(ctx), key=lambda name: order.get(name, len(order)))

    def _verbs(self, ctx: Any) -> Iterator[tuple[str, str, str]]:
        """The purpose, the name and the first sentence of each verb."""
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                purpose = VERBS[name].purpose if ctx.parent is None else "Commands"
                yield purpose, name, " ".join((command.help or "").partition("\n\n")[0].split())


def _page(command: Any, ctx: Any, verbs: Iterable[tuple[str, str, str]]) -> str:
    pieces = [piece.strip("{}") for piece in command.collect_usage_pieces(ctx)]
    usage = " ".join([ctx.command_path, *pieces])
    blocks = [_filled(f"Usage: {usage}", len("Usage: ")), *_paragraphs(command.help or "")]
    panels: dict[str, list[tuple[str, str]]] = {}
    for purpose, name, sentence in verbs:
        panels.setdefault(purpose, []).append((name, sentence))
    for param in command.get_params(ctx):
        if not getattr(param, "hidden", False):
            panel, row = _row(param, ctx)
            panels.setdefault(panel, []).append(row)
    blocks += [f"{bold(f'{name}:')}\n{_table(rows)}" for name, rows in panels.items()]
    if ctx.parent is not None:
        blocks.append(_filled(_exit_codes(ctx.command_path.split()[1]), 2))
    return "\n\n".join(blocks) + "\n"


def _exit_codes(verb: str) -> str:
    problems = VERBS[verb].problems if verb in VERBS else ""
    one = f" 1 {problems};" if problems else ""
    cut = "; 5 the search ended early" if verb == "compare" else ""
    return f"Exit codes: 0 success;{one} 2 usage error; 3 unreadable input{cut}."


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.lstrip(" ").startswith(_AS_IS):
            yield "\n".join(line for line in paragraph.split("\n") if line.strip() != _AS_IS)
        elif paragraph.strip():
            yield _filled(paragraph, 0)


def _row(param: Any, ctx: Any) -> tuple[str, tuple[str, str]]:
    """The panel of an argument or option, its names and its help."""
    if param.param_type_name == "argument":
        return "Arguments", (param.make_metavar(ctx=ctx), param.help or "")
    # short names first, as in the manuals of most programs
    name = ", ".join(sorted(param.opts, key=len))
    if param.default is not False:  # the opposite of what is off by default needs no words
        name = "/".join([name, *param.secondary_opts])
    if not param.is_flag and not param.count:
        name += " " + (param.metavar or param.name.upper())
    help_ = (param.help or "").rstrip(".")
    if help_[1:2].islower():  # those of the library are sentences; `YAML` stays
        help_ = help_[:1].lower() + help_[1:]
    limits = [getattr(param.type, limit, None) for limit in ("min", "max")]
    if limits[0] is not None and limits[1] is not None:
        help_ += f", {limits[0]} to {limits[1]}"
    default = param.show_default if isinstance(param.show_default, str) else ""
    if not default and param.show_default and not param.is_flag and param.default is not None:
        default = str(param.default)
    notes = [f"environment: {param.envvar}"] if param.envvar else []
    notes += ["required"] if param.required else [f"default: {default}"] if default else []
    panel = getattr(param, "rich_help_panel", None) or "Options"
    return panel, (name, help_ + (f" ({'; '.join(notes)})" if notes else ""))


def _table(rows: Sequence[tuple[str, str]]) -> str:
    """Names beside their help; a name that is too long is above it."""
    wide = max((len(name) for name, _ in rows if len(name) <= _MAX_NAMES), default=0)
    lines: list[str] = []
    for name, help_ in rows:
        found = in_lines(help_, max(20, _room() - wide - 4))
        if len(name) > wide:
            lines.append(f"  {name}")
        else:
            lines.append(f"  {name.ljust(wide)}  {found[0] if found else ''}".rstrip())
            found = found[1:]
        lines += [" " * (wide + 4) + line for line in found]
    return "\n".join(lines)


def _filled(text: str, hanging: int) -> str:
    return filled(" ".join(text.split()), _room(), subsequent_indent=" " * hanging)


def _room() -> int:
    return min(max(width(80), _NARROWEST), _WIDEST)
