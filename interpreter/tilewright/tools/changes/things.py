"""The things of an inventory: data of a declaration, part by part, each part with its impact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilewright.language.source.text import Span
from tilewright.rules.model import ruleset as m
from tilewright.view.results.impact import Impact


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a thing; `weight` is its impact.

    `neutral` is the text without names of parameters and variables, where it may have some.
    """

    text: str
    weight: Impact
    neutral: str = ""

    @property
    def same(self) -> str:
        """The text by which two parts are compared."""
        return self.neutral or self.text


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is declared. `holds` are the options and companions that it asks for.

    `why` is what the patch says by which it is as it is, `order` the names in a sequence.
    """

    kind: str
    id: str
    ruleset: str
    span: Span
    parts: Mapping[str, Part]
    holds: tuple[str, ...] = ()
    in_force: bool = True
    why: str = ""
    statements: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None

    @property
    def binding(self) -> dict[str, str]:
        """The parts that decide a game."""
        return {k: p.text for k, p in self.parts.items() if p.weight is Impact.BREAKING}


#: all things of a game, by kind and id
Inventory = dict[tuple[str, str], Thing]


def texts_of(name: str, content: object) -> Iterator[tuple[str, str]]:
    """A part as texts; one for each language of a label, none for an empty part."""
    match content:
        case m.Labels(texts):
            yield from ((f"{name} {language}", text) for language, text in texts)
        case tuple():
            if content:
                yield name, ", ".join(str(word) for word in content)
        case bool():
            if content:
                yield name, "yes"
        case str():
            if content:
                yield name, " ".join(content.split())


def thing_text(thing: Thing) -> str:
    """The content of a thing as one text."""
    texts = {name: part.text for name, part in thing.parts.items()}
    if thing.kind in ("statement", "phrase", "scenario", "ruleset", "measure", "change"):
        return texts.get("says") or texts.get("says en") or texts.get("title en", "")
    if thing.kind == "option":
        return f"{texts['says']} (default {texts['default']})"
    binding = {k: v for k, v in thing.binding.items() if v and k not in ("after", "before", "over")}
    if thing.kind == "patch":
        return binding["does"]
    if set(binding) == {"hook", "text"}:
        gap = "\n" if "\n" in binding["text"] else ": "
        return f"{binding['hook']}{gap}{binding['text']}"
    if "value" in binding:
        return binding["value"]
    return ", ".join(f"{k} {v}" for k, v in (binding or texts).items())
