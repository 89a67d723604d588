"""Things of the model as the data of their files: the inverse of reading, by the same descriptions.

Keys come in the order of their description, which is that of a formatted file. A value that a
missing key has as well is left out. Comments are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.language.source.text import Code
from tilewright.rules.model.ruleset import Labels, Moment, Reference
from tilewright.rules.reading.files import shapes as s

#: values of a thing that are not its attributes, by their names in the model
Parts = Callable[[Any], Mapping[str, Any]]


def written(shape: s.Shape, value: Any, parts: Parts = lambda thing: {}) -> Any:
    """The data of a value that a description reads; of a thing, or of a map with its values.

    `parts` gives values that a thing has under other names or in another form, and under `other`
    those of keys that are not described.
    """
    match shape:
        case s.Map(keys=keys):
            values, found = parts(value), {}
            for key, each in keys.items():
                name = key if each.kept_as == "" else each.kept_as
                part = each.default if name is None else _value(name, value, values, each.default)
                if name is not None and (each.required or part != each.default):
                    found[key] = written(each, part, parts)
            return found | values.get("other", {})
        case s.MapOf(item=s.Map() as item):
            return {thing.id: written(item, thing, parts) for thing in value}
        case s.MapOf(item=item):
            return {name: written(item, each, parts) for name, each in map(_pair, value)}
        case s.ListOf(item=item):
            return [written(item, each, parts) for each in value]
    match value:
        case Reference():
            return value.id
        case Moment():
            return {value.id: written(s.LABEL, value.label)}
        case Labels(texts):
            return texts[0][1] if [language for language, _ in texts] == ["en"] else dict(texts)
        case Code():
            text = value.text.strip("\n").rstrip()
            return f"{text}\n" if "\n" in text else text
    return str(value) if isinstance(value, str) else value


def _value(name: str, thing: Any, values: Mapping[str, Any], default: Any) -> Any:
    if name in values:
        return values[name]
    return thing.get(name, default) if isinstance(thing, Mapping) else getattr(thing, name, default)


def _pair(thing: Any) -> tuple[str, Any]:
    """A pair, or the first two attributes of a thing that was made of one."""
    if isinstance(thing, tuple):
        return thing
    name, value = thing.__match_args__[:2]
    return getattr(thing, name), getattr(thing, value)
