"""The keys of module.yaml: the identity of a ruleset, requirements, options, seats, components."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter, did_you_mean, quoted
from tilewright.language.source.yaml.tree import YList, YNode, YText
from tilewright.rules.model.collections import COUNTED
from tilewright.rules.model.ruleset import (
    ComponentCount,
    Labels,
    Module,
    OptionDecl,
    PartTaken,
    PromiseChange,
    Requirement,
    Seat,
    Source,
    WrittenFor,
)
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.node_kinds import is_text, kind_of
from tilewright.rules.reading.files.patterns import (
    COLOUR,
    EDITION,
    NAME,
    PART,
    PICTURE,
    PROMISE,
    ROLE,
    RULESET,
    RULESET_OR_ROLE,
    SLUG,
)
from tilewright.rules.reading.files.translations import Translator
from tilewright.rules.reading.limits import MAX_OPTIONS
from tilewright.rules.reading.parts import SAYS, read_part

KINDS = ("base", "expansion", "edition", "house", "shared")
#: the largest number of sets of a ruleset's tiles
MAX_SETS = 10
MAX_VERSION = 10_000


# ------------------------------------------------------------------ checks and conversions


def _requirement(at: MapReader, role: YText, node: YNode) -> Requirement | None:
    if isinstance(node, YText) and RULESET.fits(node.value):
        return Requirement(role.value, node.value, role.span.to(node.span))
    if isinstance(node, YText) and node.value:
        at.error("TW205", f"`{node.value}` does not look like {RULESET.says}", node.span)
    else:
        message = f"`{role.value}` must be the id of a ruleset, like `a/base`"
        at.error("TW203", message, node.span)
    return None


def _part(at: MapReader, name: YText, node: YNode) -> PartTaken | None:
    items = node.items if isinstance(node, YList) else (node,)
    words: list[str] = []
    for item in items:
        if is_text(item):
            words.append(item.value)
        else:
            at.error("TW203", f"a part must be {SAYS}, found {kind_of(item)}", item.span)
    part = read_part(words)
    if isinstance(part, str):
        message = f"`{part}` does not look like a part: that is {SAYS}"
        at.error("TW205", message, node.span)
    elif not items:
        at.error("TW206", f"the part of `{name.value}` must not be empty", node.span)
    else:
        return PartTaken(name.value, part, name.span.to(node.span))
    return None


def _version(at: MapReader, name: YText, node: YNode) -> WrittenFor | None:
    version = _VERSION.read(at, name.value, node)
    return None if version is None else WrittenFor(name.value, version, name.span)


def _choice(at: MapReader, choice: YText, node: YNode) -> tuple[str, Labels]:
    return choice.value, _CHOICE.read(at, choice.value, node)


def _option(at: MapReader, values: dict[str, Any]) -> OptionDecl:
    default, choices = values["default"], values["choices"]
    if not at.bad and default not in choices:
        message = f"the default `{default}` is not among the choices of option `{at.name}`"
        message += did_you_mean(default, choices)
        at.error("TW224", message, at.span("default"))
    for choice in [] if at.bad else [each for each, _ in values["labels"] if each not in choices]:
        message = f"`{choice}` is not among the choices of option `{at.name}`"
        at.error("TW224", message + did_you_mean(choice, choices), at.span("labels"))
    values["labels"] = (*values["labels"], *_translated_choices(at, values))
    return OptionDecl(**values, id=at.name, span=at.where, entry=at.node)


def _translated_choices(at: MapReader, values: dict[str, Any]) -> Iterator[tuple[str, Labels]]:
    """The choices without words of their own for whose names a catalogue has some."""
    for choice in values["choices"]:
        own = (("en", choice.replace("_", " ")),)
        if choice not in dict(values["labels"]) and (texts := at.translated(choice, own)) != own:
            yield choice, Labels(texts)


def _component(at: MapReader, values: dict[str, Any]) -> ComponentCount:
    if values["of"] not in ("", "tiles") and not at.has("name"):
        at.missing("name")
    return ComponentCount(**values, span=at.span("count"))


def _change(at: MapReader, values: dict[str, Any]) -> PromiseChange:
    kind, _, name = values.pop("what").partition(" ")
    return PromiseChange(**values, ruleset="", kind=kind, name=name.strip(), span=at.span("what"))


def _module(at: MapReader, values: dict[str, Any]) -> Module | None:
    own = values["id"]
    values["edition"] = values["edition"] or own.split("/")[0]
    values["changes"] = tuple(replace(change, ruleset=own) for change in values["changes"])
    module = Module(**values, span=at.span("id"), entry=at.node)
    _check_version(module, at)
    return module if RULESET.fits(own) else None


def _check_version(module: Module, at: MapReader) -> None:
    """Report changes of versions that the ruleset has not reached."""
    if not module.changes or at.bad:
        return
    last = max(module.changes, key=lambda change: change.version)
    version = module.version_number
    if version is None:
        found = f"it is {quoted(module.version)}" if module.version else "it has none"
        message = f"a ruleset with `changes` needs a whole number as `version`, and {found}"
    elif version < last.version:
        message = f"`{last.kind} {last.name}` changes in version {last.version}, and this is"
        message += f" version {version}"
    else:
        return
    at.error("TW228", message, last.span, hint=f"write `version: {last.version}`")


# ------------------------------------------------------------------ the keys

_SOURCE = {
    "title": s.Text("Its title.", required=True),
    "publisher": s.Text("The publisher."),
    "year": s.Number("The year of its publication."),
    "language": s.Text("The language it was read in.", like="en"),
    "note": s.Text("A note for readers."),
}
_CHOICE = s.labels("The choice in words")
_OPTION = {
    "choices": s.ListOf(
        "The choices.", s.Scalar("A choice."), 2, required=True, like=["no", "yes"]
    ),
    "default": s.Scalar("The default value.", required=True),
    "says": s.labels("A description of the choice, in a sentence", required=True),
    "labels": s.MapOf(
        "The choices in words for players, where their names are not enough.",
        NAME,
        _CHOICE,
        each=_choice,
        like={"heavy": "it rains in every round"},
    ),
    "from": s.STATEMENTS,
}
_SEAT = {
    "id": s.Text("The colour's name in notation.", NAME, required=True, names="=seat", like="red"),
    "colour": s.Text("The colour on the screen.", COLOUR, required=True, like="#c8202f"),
    "label": s.LABEL,
}
_COMPONENT = {
    "of": s.Word(
        "The kind of thing that is counted: all tiles, a printed symbol, a number printed on "
        "segments, segments of a kind, a kind of figure or token, or one piece.",
        COUNTED,
        required=True,
    ),
    "name": s.Text(
        "Which of them; for tiles, the stack they belong to, or all.",
        NAME,
        names="<component>",
        like="well",
    ),
    "count": s.Number("How many there are.", 0, required=True, default=0, like=72),
}
#: all but tiles are counted by their name
_NAMED = {"if": {"properties": {"of": {"const": "tiles"}}}, "else": {"required": ["name"]}}
_VERSION = s.Number("The version.", 1, MAX_VERSION)
_CHANGE = {
    "version": s.Number(
        "The version of this ruleset from which it holds.",
        1,
        MAX_VERSION,
        required=True,
        default=1,
        like=2,
    ),
    "what": s.Text(
        "A procedure, event, definition, step or value of this ruleset.",
        PROMISE,
        required=True,
        names="<promise>",
        like="procedure pay",
    ),
    "says": s.Text(
        "Its meaning from then on, and the earlier one, in a sentence that follows its name.",
        required=True,
        like="gives points and does nothing else; it also sent figures home",
    ),
    "mend": s.Text(
        "The text to write where a rule relies on the earlier meaning.",
        like="call `send_home(x)` after it",
    ),
}
_PART = s.Text("A part of a ruleset.", PART, like=("tiles", "minus rain"))
_COMPANY = "company"
MODULE = s.Map(
    "The identity of a ruleset, its requirements and its options.",
    {
        "id": s.Text(
            "The ruleset's id: its edition and its name, which are the names of its two folders.",
            RULESET,
            required=True,
            names="=ruleset",
            like=("first/base", "house/short-game"),
        ),
        "kind": s.Word(
            "The kind of ruleset: a whole game, an expansion, the changes of an edition, a house "
            "rule, or a shared folder.",
            KINDS,
            required=True,
            default="expansion",
        ),
        "edition": s.Text(
            "The edition it belongs to; without it, the first part of the id.",
            EDITION,
            like=("first", "e3.1"),
        ),
        "version": s.Scalar(
            "The author's version number, which match files contain and `diff` shows. A ruleset "
            "with `changes` has a whole number.",
            like="v1.2",
        ),
        "year": s.Number("The year of its publication.", like=2014),
        "title": s.labels("The ruleset's name for people", required=True, like="My first change"),
        "says": s.labels(
            "The contents of the ruleset, in a sentence for players, which the studio shows",
            like="Walkers on hilltops see two tiles further.",
        ),
        "glyph": s.Text(
            "The name of the picture that represents it where it has no tiles, figures or tokens.",
            PICTURE,
            like="crest",
        ),
        "takes_over": s.Text(
            "An earlier ruleset whose content is taken over before this ruleset's own changes.",
            RULESET,
            default=None,
            names="ruleset",
            like="first/base",
        ),
        "earlier_scenarios": s.Word(
            "With which rulesets the scenarios of the one it takes over are played where they name "
            "no game: with this one, or with that one. `there` is for scenarios that also show "
            "what is other in the game that this one requires.",
            ("here", "there"),
            default="here",
        ),
        "shares": s.texts(
            "Folders of rules that this ruleset shares with others. Their files are read as if "
            "they belonged to this ruleset, and the sections `shared` add its options and "
            "statements to their rules. Shared folders are in a folder `shared` beside the "
            "editions; only `id`, `title` and sources of their module.yaml count, and no game "
            "consists of them.",
            "The folder, as the id of a ruleset.",
            RULESET,
            with_places=True,
            names="ruleset",
            like=["shared/weather"],
        ),
        "resolved_from": s.Text(
            "The game that `resolve` wrote as this ruleset. The scenarios of that game count for "
            "this ruleset as long as both are equal.",
            like="first/base+first/more?rain=heavy",
        ),
        "provides": s.texts(
            "The roles it fills for rulesets that require them.",
            "A role.",
            ROLE,
            names="=provided",
            like=["base"],
        ),
        "requires": s.MapOf(
            "Required roles, each with the ruleset that fills it if no other ruleset does. A "
            "ruleset also fills the role of its own id.",
            RULESET_OR_ROLE,
            s.Text("The ruleset that fills the role by default.", RULESET, names="ruleset"),
            each=_requirement,
            names=_COMPANY,
            like={"base": "first/base"},
        ),
        "parts": s.MapOf(
            "Rulesets or roles that are only partly in the game. A ruleset that is named here by "
            "its id is in the game.",
            RULESET_OR_ROLE,
            s.Either(
                "The part, or several that are joined: `minus` leaves out a topic or a rule.",
                (_PART, s.ListOf("Several parts.", _PART, 1)),
            ),
            each=_part,
            names=_COMPANY,
            like={"first/more": "tiles", "weather": "minus rain"},
        ),
        "written_for": s.MapOf(
            "The versions of other rulesets, by their ids or roles, that the rules of this one are "
            "written for. `check` names what has changed its meaning since.",
            RULESET_OR_ROLE,
            _VERSION,
            each=_version,
            names=_COMPANY,
            like={"base": 2},
        ),
        "conflicts": s.texts(
            "Rulesets or roles that it cannot be played with.",
            "A ruleset or role.",
            RULESET_OR_ROLE,
            names=_COMPANY,
        ),
        "copies": s.MapOf(
            "Rulesets or roles with more than one set of their tiles, and the number of sets. The "
            "largest number that any ruleset declares counts.",
            RULESET_OR_ROLE,
            s.Number("How many sets.", 1, MAX_SETS),
            names=_COMPANY,
            like={"base": 2},
        ),
        "sources": s.MapOf(
            "The publications that its statements cite.",
            SLUG,
            s.Map("A publication.", _SOURCE, Source, "source"),
            names="=source",
        ),
        "options": s.MapOf(
            "Typed choices for those who set up a game.",
            NAME,
            s.Map("A choice.", _OPTION, _option, "option"),
            MAX_OPTIONS,
            names="=option",
        ),
        "seats": s.ListOf(
            "The colours that players may take, in the order in which they are given out.",
            s.Map("A player's colour.", _SEAT, Seat, "seat", place="id"),
        ),
        "components": s.ListOf(
            "The component list of the box, checked against the data.",
            s.Map("One line of the list.", _COMPONENT, _component, "component", rules=_NAMED),
        ),
        "changes": s.ListOf(
            "Changes of what this ruleset promises to the rules of others, each with the version "
            "that brought it. `check` names them to authors whose rules are written for an earlier "
            "version.",
            s.Map("A change.", _CHANGE, _change, "change"),
        ),
        "ignore": s.IGNORE,
    },
    _module,
    "module.yaml",
    title="module.yaml: the ruleset's identity",
)


def read_module(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> Module | None:
    """The module that a file declares, or None when it has no usable id."""
    found: Module | None = s.read_file(MODULE, node, reporter, translator)
    return found
