"""Settings of the configuration files as defaults of options.

The command line wins over environment variables, these win over the file of the folder, this over
the person's own file, and that over the built-in default. A value of a file is converted and
checked as if it were given on the command line; a message about it names the file and the line.
A file of a folder that sets what only the person may set is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from tilewright.faces.cli.exit_codes import UNREADABLE, USAGE, Stop
from tilewright.faces.cli.verbs import VERBS

if TYPE_CHECKING:
    from tilewright.tools.workspace.configuration import Configuration, ConfigurationError

#: the option that the setting `language` is the default of
_LANGUAGE = "--lang"


class Access(Enum):
    """The effect of an option; the value is the description for people.

    A file that is found in a folder may have been written by anybody, so it decides only how
    results look and which rulesets of its folder are meant. The declaration of an option has one of
    these marks in its `Annotated`; an option without a mark belongs to the person alone.
    """

    LOOKS = "the look of results"
    RULESETS = "the choice among rulesets of the folder"
    WRITES = "files that are written"
    PERSON = "files that are read, programs, connections, the amount of work"

    @property
    def is_open(self) -> bool:
        """Whether a file that is found in a folder may set the option."""
        return self in (Access.LOOKS, Access.RULESETS)


LOOKS, RULESETS, WRITES = Access.LOOKS, Access.RULESETS, Access.WRITES


def access_of(command: Any) -> dict[str, Access]:
    """The effect of each parameter of a command, by the name of the parameter."""
    function: Callable[..., Any] | None = command.callback
    if function is None:
        return {}
    hints = get_type_hints(inspect.unwrap(function), include_extras=True)
    marks = {
        name: next((each for each in hint.__metadata__ if isinstance(each, Access)), Access.PERSON)
        for name, hint in hints.items()
        if hasattr(hint, "__metadata__")
    }
    # an option without a parameter is one that the class of commands adds, such as `--force`
    return {str(param.name): marks.get(str(param.name), Access.PERSON) for param in command.params}


@cache
def in_force() -> tuple[Configuration, ...]:
    """The configuration files of the current folder and of the person, the stronger first.

    They are read once in a run. Raises `Stop` if one cannot be used.
    """
    from tilewright.tools.workspace.configuration import configurations

    with _as_stop():
        return tuple(configurations(verbs=tuple(VERBS)))


def configured_folders(*, by_default: bool = False) -> tuple[Path, ...]:
    """The folders whose rulesets every verb finds; those that it takes `by_default` are not the
    ones of the person's own file.
    """
    files = [each for each in in_force() if not (by_default and each.origin == "own")]
    return tuple(dict.fromkeys(folder for each in files for folder in each.folders))


def settings_folder() -> Path:
    """The folder of the configuration file of a folder; the current one if there is none."""
    files = [each.file for each in in_force() if each.origin != "own" and each.file is not None]
    return files[0].parent if files else Path.cwd()


def defaults(
    program: Any, verb: str, refused: list[ConfigurationError] | None = None
) -> dict[str, Any]:
    """The values of the configuration files for a verb, in the form of the library for arguments:
    by verb and name of a parameter.

    Keys that a file may not set are added to `refused`, or raise `Stop` without it.
    """
    found: dict[str, Any] = {}
    with _as_stop():
        for file in reversed(in_force()):
            _replace(found, _values(program.commands[verb], file, (verb,), refused))
    return {verb: found}


def _replace(values: dict[str, Any], stronger: Mapping[str, Any]) -> None:
    """Replace values by stronger ones, in tables within tables too."""
    for name, value in stronger.items():
        if isinstance(value, dict):
            _replace(values.setdefault(name, {}), value)
        else:
            values[name] = value


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


def options_under(
    command: Any, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str, Any, Access]]:
    """Every option that a file can set for a command and for those below it: the words of its
    command, its key, itself, its effect.
    """
    access = access_of(command)
    for key, each in options_of(command).items():
        yield words, key, each, access[each.name]
    for name, below in getattr(command, "commands", {}).items():
        yield from options_under(below, (*words, name))


def _values(
    command: Any,
    found: Configuration,
    path: tuple[str, ...],
    refused: list[ConfigurationError] | None,
) -> dict[str, Any]:
    """The values of a table for a command and those below it."""
    table: Any = found.options
    for word in path:
        table = table.get(word, {})
        if not isinstance(table, dict):
            raise found.error(path, f"`{word}` is a command; its options go in a table")
    known, commands = options_of(command), getattr(command, "commands", {})
    values = {
        name: _values(below, found, (*path, name), refused) for name, below in commands.items()
    }
    access = {} if found.is_trusted else access_of(command)
    for key, value in table.items():
        if key in known and access and not access[known[key].name].is_open:
            error = _refused(found, (*path, key))
            if refused is None:
                raise error
            refused.append(error)
        elif key in known:
            values[known[key].name] = _value(command, known[key], value, found, (*path, key))
        elif key not in commands:
            raise _unknown(found, (*path, key), sorted((*known, *commands)))
    language = known.get(_LANGUAGE.removeprefix("--"))
    if language is not None and language.name not in values and found.language:
        values[language.name] = _value(command, language, found.language, found, ("language",))
    return values


def _refused(found: Configuration, path: tuple[str, ...]) -> ConfigurationError:
    from tilewright.tools.workspace.configuration import own_file

    message = f"a file in a folder cannot set `{path[-1]}` of `{' '.join(path[:-1])}`"
    hint = f"give `--{path[-1]}` on the command line, or set it in your own `{own_file()}`"
    return found.error(path, message, hint)


def _unknown(found: Configuration, path: tuple[str, ...], known: Sequence[str]) -> Exception:
    from tilewright.language.source.diagnostics import did_you_mean

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
    fits = [
        isinstance(each, expected[0]) and isinstance(each, bool) == param.is_flag for each in items
    ]
    if (param.multiple and not isinstance(value, list)) or not all(fits):
        kind = f"a list, each {expected[1]}" if param.multiple else expected[1]
        raise found.error(path, f"`{path[-1]}` is {kind}")
    if any("\0" in each for each in items if isinstance(each, str)):
        raise found.error(path, f"`{path[-1]}` contains the character with the number 0")
    if param.type.name in ("path", "file", "directory"):
        items = [_from_file(str(each), found, path) for each in items]
    made = items if param.multiple else items[0]
    from typer import Context

    try:
        param.process_value(Context(command), made)
    except Stop as stop:
        raise found.error(path, str(stop.message), stop.hint) from None
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        from tilewright.faces.cli.usage_errors import usage_message

        raise found.error(path, usage_message(error, str(error.format_message()))) from None
    return made


def _expected(param: Any) -> tuple[type | tuple[type, ...], str]:
    """The type that an option has in the file, and its description."""
    if param.is_flag:
        return bool, "true or false"
    if param.type.name.startswith("int"):
        return int, "a whole number"
    if param.type.name.startswith("float"):
        return (int, float), "a number"
    return str, "a text"


def _from_file(text: str, found: Configuration, key: tuple[str, ...]) -> str:
    """A path of the file, from its folder on; an id of a ruleset stays as it is."""
    from tilewright.rules.reading.files.patterns import RULESET_PART

    assert found.file is not None
    name = text.partition(":")[0]
    is_a_path = (found.file.parent / name).exists() or Path(name).exists()
    if is_a_path:  # also where a part of it is meant
        found.path(name, key)
    return text if RULESET_PART.fits(text) and not is_a_path else str(found.path(text, key))


@contextmanager
def _as_stop() -> Iterator[None]:
    """Turn an error of the configuration into `Stop`."""
    from tilewright.tools.workspace.configuration import ConfigurationError

    try:
        yield
    except ConfigurationError as error:
        code = UNREADABLE if error.is_unreadable else USAGE
        raise Stop(code, str(error), error.hint) from None
