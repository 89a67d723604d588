"""The verb `config`: the settings in force, and where each comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilewright.faces.cli.arguments import Form, argument, one_of
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import bold, colour_wanted, mention, rows, say, say_json
from tilewright.faces.cli.settings import (
    Access,
    configured_folders,
    defaults,
    in_force,
    options_under,
)
from tilewright.faces.cli.verbs import VERBS
from tilewright.language.locale.choice import LANGUAGE_VARIABLE, chosen_language
from tilewright.tools.workspace.configuration import shown

if TYPE_CHECKING:
    from tilewright.tools.workspace.configuration import Configuration, ConfigurationError


@dataclass(frozen=True)
class Setting:
    """One setting: its value as data, the place or reason it comes from, and who may set it."""

    name: str
    value: Any
    source: str
    access: str = ""


def config(
    context: typer.Context,
    verb: Annotated[str, argument("[VERB]", "also list every option of this verb")] = "",
    form: Form = "text",
) -> None:
    """Show the settings in force, and the file, variable or default that each comes from.

    Settings are kept in `tilewright.toml`, or in the table `[tool.tilewright]` of `pyproject.toml`,
    in the current folder or above it, and in your own configuration. The command line wins over
    environment variables, these over the file of the folder, this over your own, and that over the
    built-in defaults. Every option of a verb may be set in a table with the name of the verb; the
    file of a folder may only say how results look and which of its rulesets are meant.

    \b
    Examples:
      tilewright config
      tilewright config check
      tilewright config --format json
    """
    if verb:
        one_of("VERB", verb, tuple(VERBS))
    found = in_force()
    verbs = [name for name in VERBS if name == verb or any(name in each.options for each in found)]
    program: Any = context.find_root().command
    refused: list[ConfigurationError] = []
    options: dict[str, list[Setting]] = {}
    for name in verbs:
        values = defaults(program, name, refused)
        for path, key, param, access in options_under(program.commands[name], (name,)):
            is_shown = name == verb or any((*path, key) in each.lines for each in found)
            if is_shown:
                setting = _setting(found, key, param, values, path, access)
                options.setdefault(" ".join(path), []).append(setting)
    general = tuple(_general(found))
    if form == "json":
        groups = {name: [_data(each) for each in group] for name, group in options.items()}
        errors = [{"error": str(each), "hint": each.hint} for each in refused]
        settings = [_data(each) for each in general]
        say_json({"settings": settings, "options": groups, "refused": errors})
    else:
        say(_table(general))
        for name, group in options.items():
            say(f"\n{bold(name)}\n{_table(group)}")
    for error in refused:
        mention(f"tilewright: {error}\n  {error.hint}")
    if refused:
        raise Stop(USAGE)
    if not any(each.origin == "folder" for each in found) and form != "json":
        mention("no configuration file in this folder or above: `tilewright.toml` would be read")


def _data(setting: Setting) -> dict[str, Any]:
    """A setting for a program, with whole paths."""
    value = setting.value
    if isinstance(value, tuple):
        value = [str(each) for each in value]
    return {**asdict(setting), "value": str(value) if isinstance(value, Path) else value}


def _table(settings: Sequence[Setting]) -> str:
    alone = {"person": "yours alone"}
    return rows(
        [
            (each.name, _shown(each.value), each.source, alone.get(each.access, ""))
            for each in settings
        ]
    )


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value)) or "-"
    if isinstance(value, Path):
        return shown(value)
    return "-" if value in (None, "") else str(value)


def _general(found: tuple[Configuration, ...]) -> Iterator[Setting]:
    """The settings that do not belong to one verb."""
    from tilewright.play.native.engine import VARIABLE, engine
    from tilewright.rules.reading.library import shipped_rulesets
    from tilewright.tools.workspace.cache import user_cache
    from tilewright.tools.workspace.configuration import VARIABLE as NAMED
    from tilewright.tools.workspace.configuration import own_file

    files = {each.origin: each.file for each in found}
    if os.environ.get(NAMED) is not None:
        yield Setting("file", files.get("named"), NAMED)
    else:
        yield Setting("file", files.get("folder"), "the nearest in this folder or above")
        is_there = "" if "own" in files else ", not there"
        yield Setting("own file", own_file(), f"your own configuration{is_there}")
    places = [each.place("folders") for each in found if each.folders]
    yield Setting("folders", configured_folders(), ", ".join(places) or "not set")
    yield Setting("rulesets", shipped_rulesets(), "shipped")
    by = next((each for each in found if each.language), None)
    source = by.place("language") if by is not None else ""
    if os.environ.get(LANGUAGE_VARIABLE):
        source = f"{LANGUAGE_VARIABLE}, not {source}" if source else LANGUAGE_VARIABLE
    language = chosen_language(configured=by.language if by is not None else "")
    yield Setting("language", language, source or "default")
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


def _setting(
    found: Sequence[Configuration],
    key: str,
    param: Any,
    values: Mapping[str, Any],
    path: tuple[str, ...],
    access: Access,
) -> Setting:
    """The setting of an option of the command with these words."""
    name, own = f"--{key}", (*path, key)
    files = [each for each in found if own in each.lines]
    who = "folder" if access.is_open else "person"
    if isinstance(param.envvar, str) and os.environ.get(param.envvar):
        return Setting(name, os.environ[param.envvar], param.envvar, who)
    refused = [each for each in files if not (each.is_trusted or access.is_open)]
    note = "".join(f"; refused at {each.place(*own)}" for each in refused)
    for word in path:
        values = values.get(word, {})
    if param.name not in values:
        return Setting(name, param.default, f"default{note}", who)
    by = next((each for each in files if each not in refused), None)
    if by is not None:
        return Setting(name, values[param.name], by.place(*own) + note, who)
    by = next(each for each in found if each.language)
    return Setting(name, values[param.name], by.place("language"), who)
