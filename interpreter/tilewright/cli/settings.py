"""Settings of the configuration file as defaults of options.

The command line wins over environment variables, these win over the file, and the file over the
built-in default. A value of the file is converted and checked as if it were given on the command
line; a message about it names the file and the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from tilewright.cli.exit_codes import UNREADABLE, USAGE, Stop
from tilewright.cli.verbs import VERBS
from tilewright.source.files import expanded

if TYPE_CHECKING:
    from tilewright.tools.workspace.configuration import Configuration

#: the option that the setting `language` is the default of
_LANGUAGE = "--lang"


@cache
def in_force() -> Configuration:
    """The configuration of the current folder, read once in a run; raises `Stop` if it cannot be
    used.
    """
    from tilewright.tools.workspace.configuration import configuration

    with _as_stop():
        return configuration(verbs=tuple(VERBS))


def defaults(program: Any, verb: str) -> dict[str, Any]:
    """The values of the configuration file for a verb, in the form of the library for arguments:
    by verb and name of a parameter.
    """
    found = in_force()
    if found.file is None:
        return {}
    with _as_stop():
        return {verb: _values(program.commands[verb], found, (verb,))}


def setting_of(param: Any) -> str:
    """The key of an option in the configuration file; empty for one that has none."""
    names = [name for name in param.opts if name.startswith("--")]
    if not names or param.is_eager or param.hidden or names[0] == "--help":
        return ""
    longest: str = max(names, key=len)
    return longest.removeprefix("--")


def options_of(command: Any) -> dict[str, Any]:
    """The options of a command that the configuration file can set, by key."""
    return {key: each for each in command.params if (key := setting_of(each))}


def _values(command: Any, found: Configuration, path: tuple[str, ...]) -> dict[str, Any]:
    """The values of a table for a command and those below it."""
    table: Any = found.options
    for word in path:
        table = table.get(word, {})
        if not isinstance(table, dict):
            raise found.error(path, f"`{word}` is a command; its options go in a table")
    known, commands = options_of(command), getattr(command, "commands", {})
    values = {name: _values(below, found, (*path, name)) for name, below in commands.items()}
    for key, value in table.items():
        if key in known:
            values[known[key].name] = _value(command, known[key], value, found, (*path, key))
        elif key not in commands:
            raise _unknown(found, (*path, key), sorted((*known, *commands)))
    language = known.get(_LANGUAGE.removeprefix("--"))
    if language is not None and language.name not in values and found.language:
        values[language.name] = _value(command, language, found.language, found, ("language",))
    return values


def _unknown(found: Configuration, path: tuple[str, ...], known: Sequence[str]) -> Exception:
    from tilewright.source.diagnostics import did_you_mean

    near = did_you_mean(path[-1], known)
    verb = " ".join(path[:-1])
    hint = "" if near else f"`tilewright config {verb}` lists them"
    return found.error(path, f"`{verb}` has no option `{path[-1]}`{near}", hint)


def _value(
    command: Any, param: Any, value: Any, found: Configuration, path: tuple[str, ...]
) -> Any:
    """A value of the file as the option takes it; raises `Stop` for a wrong one."""
    expected = _expected(param)
    items = value if param.multiple and isinstance(value, list) else [value]
    fits = [isinstance(each, expected[0]) and _is_bool(each) == param.is_flag for each in items]
    if (param.multiple and not isinstance(value, list)) or not all(fits):
        kind = f"a list, each {expected[1]}" if param.multiple else expected[1]
        raise found.error(path, f"`{path[-1]}` is {kind}")
    if any("\0" in each for each in items if isinstance(each, str)):
        raise found.error(path, f"`{path[-1]}` contains the character with the number 0")
    if param.type.name in ("path", "file", "directory"):
        items = [_from_file(str(each), found) for each in items]
    made = items if param.multiple else items[0]
    from typer import Context

    try:
        param.process_value(Context(command), made)
    except Stop as stop:
        raise found.error(path, str(stop.message), stop.hint) from None
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        from tilewright.cli.usage_errors import usage_message

        raise found.error(path, usage_message(error, str(error.format_message()))) from None
    return made


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _expected(param: Any) -> tuple[type | tuple[type, ...], str]:
    """The type that an option has in the file, and its description."""
    if param.is_flag:
        return bool, "true or false"
    if param.type.name.startswith("int"):
        return int, "a whole number"
    if param.type.name.startswith("float"):
        return (int, float), "a number"
    return str, "a text"


def _from_file(text: str, found: Configuration) -> str:
    """A path of the file, from its folder on; an id of a ruleset stays as it is."""
    assert found.file is not None
    path = found.file.parent / expanded(text)
    is_id = "/" in text and not text.startswith((".", "/", "~")) and not path.exists()
    return text if is_id else str(path)


@contextmanager
def _as_stop() -> Iterator[None]:
    """Turn an error of the configuration into `Stop`."""
    from tilewright.tools.workspace.configuration import ConfigurationError

    try:
        yield
    except ConfigurationError as error:
        code = UNREADABLE if error.is_unreadable else USAGE
        raise Stop(code, str(error), error.hint) from None
