"""Checks by schemas of others: JSON Schemas that files, or whole rulesets as data, must meet.

A failure is a diagnostic with its place. In a schema `x-code`, `x-severity` and `x-message` name
its code, its severity and its text, nearest first: in the part that failed, or in one around it. A
schema is data from anywhere, so it is validated in a process of its own, which is given some
seconds.
"""

from __future__ import annotations

import json
import multiprocessing
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Diagnostic, Severity, did_you_mean, one_of
from tilewright.language.source.files import read_whole
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YNode
from tilewright.rules.reading.as_data import FileData, files_as_data, place_in, ruleset_as_data
from tilewright.rules.reading.file_kinds import KINDS
from tilewright.rules.reading.folder import head_of
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.limits import shown
from tilewright.rules.reading.schemas import DIALECT, id_of
from tilewright.rules.reading.schemas import schemas as shipped_schemas
from tilewright.tools.checking.selection import OWN_CODE
from tilewright.tools.workspace.processes import forking_context, settle_in

#: the kind of a schema for whole rulesets
WHOLE = "ruleset"
#: the code of a failure whose schema names none
DEFAULT_CODE = "OWN1"
#: the most bytes of a schema, failures of one file, and seconds for all schemas of a run
_MAX_BYTES, _MAX_FAILURES, _SECONDS = 1 << 20, 50, 10.0
_MARKS = ("x-code", "x-severity", "x-message")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
#: the schemas that one may refer to: itself, and those of the program
_KNOWN = frozenset(("", *map(id_of, (*KINDS, "ruleset-data"))))


class SchemaError(Exception):
    """A schema that cannot be used, with a message for its author."""


@dataclass(frozen=True, slots=True)
class OwnSchema:
    """A schema, and the kind of file that it is about, or `ruleset`."""

    kind: str
    file: Path
    schema: Mapping[str, Any]


_JsonPath = tuple[str | int, ...]
#: a failure in the data: its path, the code, the severity and the message
_Failure = tuple[_JsonPath, str, str, str]


def read_schemas(entries: Iterable[str], folder: Path, *, inside: bool) -> tuple[OwnSchema, ...]:
    """The schemas of entries such as `rules=conventions/rules.json`, with paths from a folder on.

    If they must be `inside` it, others are refused. Raises SchemaError.
    """
    found = []
    for entry in entries:
        kind, equals, name = (part.strip() for part in entry.partition("="))
        if not equals or not name:
            raise SchemaError(f"expected a kind and a file, like `rules=FILE`, found `{entry}`")
        if kind not in KINDS:
            near = did_you_mean(kind, KINDS)
            raise SchemaError(f"a schema is for {one_of(KINDS)}, not for `{kind}`{near}")
        path = folder / name
        if inside and not path.resolve().is_relative_to(folder.resolve()):
            raise SchemaError(f"the schema `{name}` is outside of the folder of the settings")
        found.append(OwnSchema(kind, path, _read(path)))
    return tuple(found)


def _read(path: Path) -> Mapping[str, Any]:
    name = shown(path)
    try:
        schema = json.loads(read_whole(path, _MAX_BYTES))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SchemaError(f"the schema `{name}` cannot be read: {reason}") from None
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"the schema `{name}` is not JSON: {error}") from None
    if not isinstance(schema, dict):
        raise SchemaError(f"the schema `{name}` is not a map")
    if schema.get("$schema", DIALECT) != DIALECT:
        raise SchemaError(f"the schema `{name}` has another dialect than `{DIALECT}`")
    for part in _parts(schema):
        for word in _REFERENCES:
            target = part.get(word, "#")
            if not isinstance(target, str) or target.partition("#")[0] not in _KNOWN:
                message = f"`{target}` is not in the schema `{name}`, and nothing else is read"
                raise SchemaError(message)
        code, severity = part.get("x-code", DEFAULT_CODE), part.get("x-severity", "warning")
        if not isinstance(code, str) or not OWN_CODE.fullmatch(code):
            message = f"`x-code` in `{name}` is two capitals or more and a number, but not `TW`"
            raise SchemaError(f"{message}; found `{code}`")
        if severity not in [each.value for each in Severity]:
            raise SchemaError(f"`x-severity` in `{name}` is {one_of(Severity)}, not `{severity}`")
        if not isinstance(part.get("x-message", ""), str):
            raise SchemaError(f"`x-message` in `{name}` must be a text")
    return schema


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every map of a schema."""
    waiting = [schema]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            yield here
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


# ------------------------------------------------------------------ findings


def findings(
    schemas: Sequence[OwnSchema], library: Library, ids: Iterable[str]
) -> list[Diagnostic]:
    """The failures of the files of rulesets under schemas. Raises SchemaError."""
    cases: list[tuple[int, Any]] = []
    places: list[Callable[[_JsonPath], Span]] = []
    for id_ in ids if schemas else ():
        folder = library.folder(id_)
        if folder is None:
            continue
        files = files_as_data(folder, library.reader)
        for number, own in enumerate(schemas):
            if own.kind == WHOLE:
                cases.append((number, ruleset_as_data(id_, files)))
                places.append(partial(_span_in_whole, folder, files))
                continue
            for each in files:
                if each.kind == own.kind:
                    cases.append((number, each.data))
                    places.append(partial(_span_in, each.node))
    if not cases:
        return []
    return [
        Diagnostic(code, Severity(severity), message, span_of(path))
        for span_of, failures in zip(places, _validated(schemas, cases), strict=True)
        for path, code, severity, message in failures
    ]


def _span_in(node: YNode, path: _JsonPath) -> Span:
    """The place of a path in the data of a file."""
    return place_in(node, path).span


def _span_in_whole(folder: Path, files: Sequence[FileData], path: _JsonPath) -> Span:
    """The place of a path in the data of a whole ruleset: its head for what no file has."""
    match path:
        case str(kind), int(number), "content", *inner:
            rows = [each for each in files if each.kind == kind]
            return _span_in(rows[number].node, tuple(inner))
    return Span(shown(head_of(folder)), 1, 1, 1, 1)


def _validated(
    schemas: Sequence[OwnSchema], cases: Sequence[tuple[int, Any]]
) -> list[list[_Failure]]:
    """The failures of each case, a number of a schema and data. Raises SchemaError."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    named = [(shown(each.file), dict(each.schema)) for each in schemas]
    # a copy of a process with several threads may wait for a lock that nobody opens
    is_alone = threading.active_count() == 1
    context: Any = forking_context() if is_alone else multiprocessing.get_context("spawn")
    process = context.Process(target=_validate, args=(theirs, named, cases), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(_SECONDS):
            raise SchemaError(f"{_all(named)} took more than {_SECONDS:g} seconds, and was stopped")
        found = ours.recv()
    except EOFError:
        raise SchemaError(f"{_all(named)} could not be evaluated") from None
    finally:
        process.kill()
        process.join()
        ours.close()
    if isinstance(found, str):
        raise SchemaError(found)
    return list(found)


def _all(named: Sequence[tuple[str, Any]]) -> str:
    names = ", ".join(dict.fromkeys(f"`{name}`" for name, _ in named))
    return f"the schema {names}" if len(named) == 1 else f"one of the schemas {names}"


# ------------------------------------------------------------------ in the other process


def _validate(
    answer: Any, named: Sequence[tuple[str, dict[str, Any]]], cases: Sequence[tuple[int, Any]]
) -> None:
    settle_in()
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError as WrongSchema
    from referencing import Registry, Resource
    from referencing.exceptions import Unresolvable

    shipped = [(each["$id"], Resource.from_contents(each)) for each in shipped_schemas().values()]
    registry: Any = Registry().with_resources(shipped)
    validators = []
    try:
        for name, schema in named:
            Draft202012Validator.check_schema(schema)
            validators.append((name, schema, Draft202012Validator(schema, registry=registry)))
        found = []
        for number, data in cases:
            name, schema, validator = validators[number]
            failures = []
            for error in validator.iter_errors(data):
                failures.append(_failure(error, schema))
                if len(failures) == _MAX_FAILURES:
                    break
            found.append(failures)
        answer.send(found)
    except WrongSchema as error:
        answer.send(f"`{name}` is not a schema: {error.message} at `{_way(error.absolute_path)}`")
    except Unresolvable as error:
        answer.send(f"the schema `{name}` refers to `{error.ref}`, which it does not have")
    except RecursionError:
        answer.send(f"the schema `{name}` refers to itself without end")
    except re.error as error:
        answer.send(f"the schema `{name}` has a pattern that is none: {error}")


def _way(path: Iterable[str | int]) -> str:
    return ".".join(map(str, path)) or "its first line"


def _failure(error: Any, schema: dict[str, Any]) -> _Failure:
    """A failure with the marks of the part that failed, or of the nearest part around it."""
    around: list[Any] = [schema]
    here: Any = schema
    for step in error.absolute_schema_path:
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):  # behind a reference
            break
        around.append(here)
    around.append(error.schema)
    marks: dict[str, str] = {}
    for part in around:
        if isinstance(part, dict):
            marks |= {word: part[word] for word in _MARKS if word in part}
    code = marks.get("x-code", DEFAULT_CODE)
    message = marks.get("x-message") or f"{_way(error.absolute_path)}: {_shortened(error)}"
    if isinstance(error.instance, str | int):
        message = message.replace("{value}", str(error.instance))
    return tuple(error.absolute_path), code, marks.get("x-severity", "warning"), message


def _shortened(error: Any) -> str:
    """The message of a failure, without the whole map or list that fails."""
    whole, message = repr(error.instance), str(error.message)
    if isinstance(error.instance, dict | list) and message.startswith(whole):
        return ("the map" if isinstance(error.instance, dict) else "the list") + message[
            len(whole) :
        ]
    return message
