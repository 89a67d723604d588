"""Descriptions of the values in files: their type, limits, default and help, and how each is read.

Every key of a file is described once, in the module of its file (`module.py`, `rules.py`, ...). Its
reader and its writer (`writing.py`), the JSON Schemas (`reading/schemas.py`), the order of keys in
a formatted file, completion, hover and the reference page come from this description. `reader`
reads the few values that no description covers; names are not resolved.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from tilewright.language.source.diagnostics import Fix, Reporter, did_you_mean, nearest
from tilewright.language.source.yaml.tree import (
    YList,
    YMap,
    YNode,
    YText,
    as_int,
    as_truth,
    is_null,
)
from tilewright.rules.model.ruleset import Labels, Reference
from tilewright.rules.reading.files.joined_lines import report_comment
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.node_kinds import is_cut_at_comma, is_text, kind_of, short
from tilewright.rules.reading.files.patterns import (
    CODE_OF_DIAGNOSTIC,
    LANGUAGE,
    RULESET_OR_ROLE,
    SLUG,
    Form,
)
from tilewright.rules.reading.files.translations import Translator

#: names in one list of a ruleset, and those under one `with`
MAX_WORDS = 100
MAX_COMPANIONS = 10

#: reads the value of a key
Reader = Callable[[MapReader, str, YNode], Any]
#: makes a thing of a key that the author chose and its value
Pair = Callable[[MapReader, YText, YNode], Any]


@dataclass(eq=False, repr=False, match_args=False)
class Shape:
    """A value of a file. `says` is its help, and `names` the kind of id in it, for editors.

    `like` is an example, or several. A missing value is `default`. It is called `kept_as` in the
    model, by its key without one; None for a value that is not kept.
    """

    says: str = ""
    _: dataclasses.KW_ONLY
    required: bool = False
    default: Any = None
    like: Any = ()
    names: str = ""
    kept_as: str | None = ""
    reader: Reader | None = None

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        """The value of a key as the model has it; its default after an error."""
        raise NotImplementedError

    def known(self) -> Mapping[str, Shape]:
        """The keys of a map, in their order."""
        return {}

    def under(self, key: str) -> Shape:
        """The description of the value of a key."""
        return NOTHING

    def inside(self) -> Shape:
        """The description of a list item."""
        return NOTHING

    @property
    def words(self) -> tuple[str, ...]:
        """The words that a text may be, if they are few."""
        return ()

    @property
    def examples(self) -> tuple[Any, ...]:
        """Examples of the value."""
        return self.like if isinstance(self.like, tuple) else (self.like,)

    @property
    def assumed(self) -> str | int | bool | None:
        """The value of a missing key, where there is one that an author could write."""
        is_written = isinstance(self, Truth) or self.default
        known = is_written and isinstance(self.default, str | int)
        return self.default if known and not self.required else None


#: about a value that no key of a file has
NOTHING = Shape()


@dataclass(eq=False, repr=False, match_args=False)
class Text(Shape):
    """A text, of a form if one is given."""

    form: Form | None = None
    default: Any = field(default="", kw_only=True)

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        if not is_text(node):
            at.wrong(key, self._expected(node), node)
            return self.default
        assert isinstance(node, YText)
        at.formed(self.form, node)
        return node.value

    def _expected(self, node: YNode) -> str:
        """The words for the missing text: its form, where quotes around the node do not help."""
        if self.form is None or not isinstance(node, YText) or is_null(node):
            return "text"
        return "text" if self.form.fits(node.value) else self.form.says


@dataclass(eq=False, repr=False, match_args=False)
class Scalar(Shape):
    """A text, a number or a truth value, all read as text."""

    default: Any = field(default="", kw_only=True)

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        if not isinstance(node, YText) or is_null(node):
            at.wrong(key, "a text or a number", node)
            return self.default
        at.formed(None, node)
        return node.value


@dataclass(eq=False, repr=False, match_args=False)
class EffectText(Shape):
    """A text of the effect language, with its place."""

    start: Literal["effects", "expr"] = "expr"  # a `Start` of the parser

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        if not isinstance(node, YText) or is_null(node):
            at.wrong(key, "text", node)
            return None
        if not node.value.strip():
            at.error("TW206", f"`{key}` must not be empty", node.span)
            return None
        report_comment(key, node, at.reporter)
        return node.code()


@dataclass(eq=False, repr=False, match_args=False)
class Number(Shape):
    """A whole number within limits."""

    least: int | None = None
    most: int | None = None

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        found = as_int(node) if isinstance(node, YText) else None
        if found is None:
            at.wrong(key, "a whole number", node)
            return self.default
        limit = ""
        if self.least is not None and found < self.least:
            limit = f"{self.least} or more"
        elif self.most is not None and found > self.most:
            limit = f"{self.most} or less"
        if limit:
            at.error("TW207", f"`{key}` must be {limit}, found `{found}`", node.span)
            return self.default
        return found


@dataclass(eq=False, repr=False, match_args=False)
class Truth(Shape):
    """`true` or `false`."""

    default: Any = field(default=False, kw_only=True)

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        found = as_truth(node) if isinstance(node, YText) else None
        if found is None:
            at.wrong(key, "`true` or `false`", node)
            return self.default
        return found


@dataclass(eq=False, repr=False, match_args=False)
class Word(Shape):
    """One of some words, which may be those of an enumeration."""

    among: type[StrEnum] | tuple[str, ...] = ()
    default: Any = field(default="", kw_only=True)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(str(word) for word in self.among)

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        if not is_text(node):
            at.wrong(key, "text", node)
            return self.default
        assert isinstance(node, YText)
        if node.value not in self.words:
            near = nearest(node.value, self.words)
            listed = ", ".join(f"`{word}`" for word in self.words)
            at.error(
                "TW204",
                f"`{key}` cannot be `{short(node.value)}`{did_you_mean(node.value, self.words)}",
                node.span,
                hint=f"it is one of {listed}",
                fix=Fix(node.span, near, f"write `{near}`") if near else None,
            )
            return self.default
        return node.value if isinstance(self.among, tuple) else self.among(node.value)


@dataclass(eq=False, repr=False, match_args=False)
class LabelText(Shape):
    """Names by language; a plain text is the English name, and a catalogue has the others."""

    default: Any = field(default=Labels(), kw_only=True)

    def under(self, key: str) -> Shape:
        return Text(_LABEL.says, names=self.names)

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        if is_text(node):
            return Labels(at.translated(key, (("en", _LABEL.read(at, key, node)),)))
        if not isinstance(node, YMap):
            at.wrong(key, "a name, or a map of names by language, like `{en: ...}`", node)
            return self.default
        inner = MapReader(node, f"`{key}`", at.reporter, at.key_span(key), at)
        if not inner.has("en"):
            inner.missing("en")
        return Labels(at.translated(key, BY_LANGUAGE.read_pairs(inner, node)))


@dataclass(eq=False, repr=False, match_args=False)
class ListOf(Shape):
    """A list of a length within limits."""

    item: Shape = NOTHING
    least: int = 0
    most: int | None = None
    with_places: bool = False
    is_unique: bool = False
    default: Any = field(default=(), kw_only=True)

    def inside(self) -> Shape:
        return self.item

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        nodes = self.nodes(at, key, node)
        match self.item:
            case Text(form=form):
                found = mentions(at, key, form, nodes)
                return found if self.with_places else tuple([each.id for each in found])
            case Map() as item:
                inner = (at.enter(each, f"a {item.what}") for each in nodes)
                made = [item.made(each) for each in inner if each is not None]
                return tuple([each for each in made if each is not None])
        read = self.item.reader or self.item.read
        return tuple([read(at, key, each) for each in nodes])

    def nodes(self, at: MapReader, key: str, node: YNode) -> tuple[YNode, ...]:
        """The items, as many as there may be."""
        if not isinstance(node, YList):
            at.wrong(key, "a list, like `[one, two]`", node)
            return ()
        found, least, most = len(node.items), self.least, self.most
        if found < least or (most is not None and found > most):
            wanted = f"{least}" if most == least else f"{least} or more"
            if most is not None and most != least:
                wanted = f"{least} to {most}"
            at.error("TW206", f"`{key}` needs {wanted} in its list, found {found}", node.span)
        return node.items[:most]


@dataclass(eq=False, repr=False, match_args=False)
class MapOf(Shape):
    """A map whose keys the author chooses; `names` is about these keys.

    It is read as pairs, as things if maps describe them, or as what `each` makes of a pair. `least`
    and `most` are checked elsewhere.
    """

    form: Form | None = None
    item: Shape = NOTHING
    most: int | None = None
    least: int = field(default=0, kw_only=True)
    each: Pair | None = field(default=None, kw_only=True)
    default: Any = field(default=(), kw_only=True)

    def under(self, key: str) -> Shape:
        return self.item

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        if not isinstance(node, YMap):
            at.wrong(key, "a map, like `{one: two}`", node)
            return ()
        return self.read_pairs(at, node)

    def read_pairs(self, at: MapReader, node: YMap) -> tuple[Any, ...]:
        """The things of a map, or its keys with their values, without those that are wrong."""
        for name, _ in node.entries:
            at.formed(self.form, name)
        item = self.item
        if self.each is not None:
            made = [self.each(at, name, value) for name, value in node.entries]
            return tuple([each for each in made if each is not None])
        if isinstance(item, LabelText):
            at = MapReader(node, at.what, at.reporter, at.where, at)
        if not isinstance(item, Map):
            read = item.reader or item.read
            pairs = [(name.value, read(at, name.value, value)) for name, value in node.entries]
            return tuple([pair for pair in pairs if pair[1] is not None])
        found = []
        for name, value in node.entries:
            inner = at.enter(value, f"{item.what} `{short(name.value)}`", name.span)
            if inner is not None:
                inner.name = name.value
                found.append(item.made(inner))
        return tuple([each for each in found if each is not None])


@dataclass(eq=False, repr=False, match_args=False)
class Either(Shape):
    """A value of one of several shapes, which `reader` distinguishes."""

    shapes: tuple[Shape, ...] = ()

    def known(self) -> Mapping[str, Shape]:
        return {key: inner for each in self.shapes for key, inner in each.known().items()}

    def under(self, key: str) -> Shape:
        return next((f for w in self.shapes if (f := w.under(key)) is not NOTHING), NOTHING)

    def inside(self) -> Shape:
        return next((f for w in self.shapes if (f := w.inside()) is not NOTHING), NOTHING)


@dataclass(frozen=True, slots=True)
class Way:
    """One of several ways to write a map: the keys that it needs, and others that go with it.

    `more` are further words of JSON Schema.
    """

    needs: tuple[str, ...]
    also: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys of this way."""
        return (*self.needs, *self.also)


#: the thing that a map describes, made from the map and its values by name
Make = Callable[[MapReader, dict[str, Any]], Any]
#: values of things that no key has: their id, their place, the map, what must be in the game too
_BESIDE = ("id", "span", "entry", "with_")


@dataclass(eq=False, repr=False, match_args=False)
class Map(Shape):
    """A map with known keys that describes a thing.

    `make` is the class of the thing, or a function that makes it. `what` names it in messages,
    together with its `id` if `has_name`; its place is that of the key `place`. `other` describes
    values of keys that are not listed, which `make` reads. It is written in exactly one of the
    `ways`. `rules` are words of JSON Schema about several keys. `make` checks both.
    """

    keys: Mapping[str, Shape] = field(default_factory=dict)
    make: type[Any] | Make = dict
    what: str = ""
    title: str = field(default="", kw_only=True)  # of a whole file
    has_name: bool = field(default=False, kw_only=True)
    place: str = field(default="", kw_only=True)
    other: Shape | None = field(default=None, kw_only=True)
    ways: tuple[Way, ...] = field(default=(), kw_only=True)
    rules: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        self._plan = [
            (
                key,
                each.kept_as if each.kept_as != "" else key,
                each.reader or each.read,
                each.required,
            )
            for key, each in self.keys.items()
        ]
        defaults = {key: each.default for key, each in self.keys.items()}
        self._blank = {name: defaults[key] for key, name, *_ in self._plan if name is not None}
        made = getattr(self.make, "__match_args__", ())
        self._beside = [name for name in _BESIDE if name in made and name not in self.keys]

    def known(self) -> Mapping[str, Shape]:
        return self.keys

    def under(self, key: str) -> Shape:
        return self.keys.get(key) or self.other or NOTHING

    def read(self, at: MapReader, key: str, node: YNode) -> Any:
        inner = at.enter(node, f"`{key}`")
        return self.default if inner is None else self.made(inner)

    def made(self, at: MapReader) -> Any:
        """The thing that a map describes; unknown keys are reported."""
        values = self.values(at)
        if isinstance(self.make, type):
            for name in self._beside:
                values[name] = self._of(name, at, values)
            made = self.make(**values)
        else:
            made = self.make(at, values)
        if self.other is None:
            at.close(self.keys)
        return made

    def _of(self, name: str, at: MapReader, values: Mapping[str, Any]) -> Any:
        match name:
            case "id":
                return at.name
            case "span":
                return at.span(self.place) if self.place else at.where
            case "entry":
                return at.node
            case _:
                return (*at.also, *values.get(name, ()))

    def values(self, at: MapReader, keys: Collection[str] | None = None) -> dict[str, Any]:
        """The values of the known keys, or of some of them; missing ones are reported."""
        nodes = at.nodes
        if self.has_name and is_text(own := nodes.get("id")):
            at.what = f"{self.what} `{own.value}`"
        values = self._blank.copy()
        for key, name, read, required in self._plan:
            if keys is not None and key not in keys:
                continue
            node = nodes.get(key)
            if node is None:
                if required:
                    at.missing(key)
                continue
            found = read(at, key, node)
            if name is not None:
                values[name] = found
        return values


def limits_of(shape: Shape) -> list[str]:
    """The limits of a value, and its default, in words."""
    found = []
    match shape:
        case Number(least=int() as least, most=int() as most):
            found.append(f"From {least:,} to {most:,}")
        case Number(least=int() as least):
            found.append(f"{least:,} or more")
        case ListOf(least=least, most=int() as most) if most == least:
            found.append(f"A list of {most:,}")
        case ListOf(least=0, most=int() as most) if most != MAX_WORDS:
            found.append(f"A list of at most {most:,}")
        case ListOf(least=least, most=int() as most) if most != MAX_WORDS:
            found.append(f"A list of {least:,} to {most:,}")
        case ListOf(least=least) if least:
            found.append(f"A list of {least:,} or more")
        case MapOf(most=int() as most):
            found.append(f"At most {most:,}")
    if shape.assumed is not None:
        found.append(f"By default `{str(shape.assumed).lower()}`")
    return found


# ------------------------------------------------------------------ shapes of several files


def mentions(
    at: MapReader, key: str, form: Form | None, nodes: tuple[YNode, ...]
) -> tuple[Reference, ...]:
    """The texts of a list, each with its place."""
    found = []
    for node in nodes:
        if not is_text(node):
            at.wrong(key, "text in each line of its list", node)
            continue
        if form is not None and is_cut_at_comma(form, node, nodes):
            hint = "inside brackets, put a text with a comma in quotes"
            message = f"`{short(node.value)}` does not look like {form.says}"
            at.error("TW205", message, node.span, hint)
            break  # the rest of the list is cut the same way
        at.formed(form, node)
        found.append(Reference(node.value, node.span))
    return tuple(found)


def labels(says: str, **more: Any) -> LabelText:
    """The names of a thing for people, with a sentence about their languages."""
    plain = "a plain text is English. Otherwise by language code; English is required."
    return LabelText(f"{says}; {plain}", **more)


def texts(says: str, each: str, form: Form | None = None, **more: Any) -> ListOf:
    """A list of names or other texts."""
    item = Text(each, form, names=more.pop("names", ""), like=more.pop("each_like", ()))
    return ListOf(says, item, **{"most": MAX_WORDS, **more})


_LABEL = Text("The name in this language.")
BY_LANGUAGE = MapOf("The names by language code; English is required.", LANGUAGE, _LABEL)
LABEL = labels("Its name for people", required=True, like={"en": "stone"})
IGNORE = MapOf(
    "Warnings and notes about this that are accepted: the reason, by the code.",
    CODE_OF_DIAGNOSTIC,
    Scalar("The reason why it is accepted."),
    kept_as=None,
    like={"TW633": "other editions differ"},
)
WITH = ListOf(
    "Rulesets or roles that must be in the game too.",
    Text("A ruleset or role.", RULESET_OR_ROLE, names="company"),
    most=MAX_COMPANIONS,
    with_places=True,
    kept_as="with_",
)
STATEMENTS = texts(
    "The ids of the statements that this implements.",
    "A statement.",
    SLUG,
    names="statement",
    kept_as="statements",
    like=["draw-one"],
)


def read_file(
    kind: Map, node: YNode, reporter: Reporter, translator: Translator | None = None
) -> Any:
    """The content of a whole file; without a map the default of its description, and an error."""
    if not isinstance(node, YMap):
        hint = "put a key before the list, like `rules:`" if isinstance(node, YList) else ""
        message = f"{kind.what} must be a map, found {kind_of(node)}"
        reporter.error("TW203", message, node.span, hint=hint)
        return kind.default
    at = MapReader(node, kind.what, reporter)
    at.translator = translator
    return kind.made(at)
