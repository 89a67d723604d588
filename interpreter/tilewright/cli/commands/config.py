"""The verb `config`: the settings in force, and where each comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilewright.cli.arguments import Form, one_of
from tilewright.cli.output import bold, colour_wanted, mention, rows, say, say_json
from tilewright.cli.settings import defaults, in_force, options_of
from tilewright.cli.verbs import VERBS
from tilewright.locale.choice import LANGUAGE_VARIABLE, chosen_language
from tilewright.tools.workspace.configuration import shown

if TYPE_CHECKING:
    from tilewright.tools.workspace.configuration import Configuration


@dataclass(frozen=True)
class Setting:
    """One setting: its value as data, and the place or reason it comes from."""

    name: str
    value: Any
    source: str


def config(
    context: typer.Context,
    verb: Annotated[
        str,
        typer.Argument(
            metavar="[VERB]", help="also list every option of this verb", show_default=False
        ),
    ] = "",
    form: Form = "text",
) -> None:
    """Show the settings in force, and the file, variable or default that each comes from.

    Settings are kept in `tilewright.toml`, or in the table `[tool.tilewright]` of `pyproject.toml`,
    in the current folder or above it. The command line wins over environment variables, these over
    the file, and the file over the built-in defaults. Every option of a verb may be set in a table
    with the name of the verb.

    \b
    Examples:
      tilewright config
      tilewright config check
      tilewright config --format json
    """
    if verb:
        one_of("VERB", verb, tuple(VERBS))
    found = in_force()
    verbs = [name for name in VERBS if name in found.options or name == verb]
    program: Any = context.find_root().command
    shows = _Shows(found, verb)
    options: dict[str, tuple[Setting, ...]] = {}
    for name in verbs:
        values = defaults(program, name).get(name, {})
        options.update(_options(program.commands[name], values, (name,), shows))
    general = tuple(_general(found))
    if form == "json":
        groups = {name: [_data(each) for each in group] for name, group in options.items() if group}
        say_json({"settings": [_data(each) for each in general], "options": groups})
        return
    say(_table(general))
    for name, group in options.items():
        if group:
            say(f"\n{bold(name)}\n{_table(group)}")
    if found.file is None:
        mention("no configuration file in this folder or above: `tilewright.toml` would be read")


def _data(setting: Setting) -> dict[str, Any]:
    """A setting for a program, with whole paths."""
    value = setting.value
    if isinstance(value, tuple):
        value = [str(each) for each in value]
    return {**asdict(setting), "value": str(value) if isinstance(value, Path) else value}


def _table(settings: tuple[Setting, ...]) -> str:
    return rows([(each.name, _shown(each.value), each.source) for each in settings])


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value)) or "-"
    if isinstance(value, Path):
        return shown(value)
    return "-" if value in (None, "") else str(value)


def _general(found: Configuration) -> Iterator[Setting]:
    """The settings that do not belong to one verb."""
    from tilewright.reading.library import shipped_rulesets
    from tilewright.runtime.native.engine import VARIABLE, engine
    from tilewright.tools.workspace.cache import user_cache
    from tilewright.tools.workspace.configuration import VARIABLE as NAMED

    by = "the nearest in this folder or above"
    yield Setting("file", found.file, NAMED if os.environ.get(NAMED) is not None else by)
    place = found.place("folders") if found.folders else "not set"
    yield Setting("folders", found.folders, place)
    yield Setting("rulesets", shipped_rulesets(), "shipped")
    source = found.place("language") if found.language else ""
    if os.environ.get(LANGUAGE_VARIABLE):
        source = f"{LANGUAGE_VARIABLE}, not {source}" if source else LANGUAGE_VARIABLE
    yield Setting("language", chosen_language(configured=found.language), source or "default")
    yield Setting("cache", *_cache(user_cache().folder))
    chosen = engine()
    is_set = os.environ.get(VARIABLE)
    yield Setting("engine", chosen.name, VARIABLE if is_set else chosen.reason)
    variable = next((name for name in ("NO_COLOR", "FORCE_COLOR") if os.environ.get(name)), "")
    terminal = "a terminal" if colour_wanted() else "not a terminal with colours"
    yield Setting("colours", colour_wanted(), variable or terminal)


def _cache(folder: Path | None) -> tuple[Path | None, str]:
    """The folder of the cache, and the variable that names it."""
    names = ("TILEWRIGHT_CACHE", "XDG_CACHE_HOME")
    variable = next((name for name in names if os.environ.get(name) is not None), "default")
    return folder, variable


def _options(
    command: Any, values: Mapping[str, Any], path: tuple[str, ...], shows: _Shows
) -> Iterator[tuple[str, tuple[Setting, ...]]]:
    """The options of a command and of those below it, by the words of each command."""
    found = [shows.setting(key, each, values, path) for key, each in options_of(command).items()]
    yield " ".join(path), tuple(setting for setting in found if setting is not None)
    for name, below in getattr(command, "commands", {}).items():
        yield from _options(below, values.get(name, {}), (*path, name), shows)


@dataclass(frozen=True)
class _Shows:
    """Which options are shown: those of the file, or all of one verb."""

    found: Configuration
    verb: str

    def setting(
        self, key: str, param: Any, values: Mapping[str, Any], path: tuple[str, ...]
    ) -> Setting | None:
        """The setting of an option; None for one that is not shown."""
        is_in_file, name, own = param.name in values, f"--{key}", (*path, key)
        if own not in self.found.lines and path[0] != self.verb:
            return None
        if isinstance(param.envvar, str) and os.environ.get(param.envvar):
            return Setting(name, os.environ[param.envvar], param.envvar)
        if not is_in_file:
            return Setting(name, param.default, "default")
        place = self.found.place(*(own if own in self.found.lines else ("language",)))
        return Setting(name, values[param.name], place)
