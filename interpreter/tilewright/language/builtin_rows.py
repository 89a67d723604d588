"""The rows of the tables of primitives: what an attribute, a name, a function and a verb is."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.language.types import Type, parse_type


def type_of(text: str) -> Type:
    """The type that a text of these tables names."""
    found = parse_type(text)
    assert found is not None, text
    return found


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """`owner.name`. When it is true, the optional attributes in `implies` have a value."""

    owner: str
    name: str
    type: Type
    doc: str
    implies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GlobalName:
    """A name that every rule may use."""

    name: str
    type: Type
    doc: str


@dataclass(frozen=True, slots=True)
class Function:
    """`name(arguments)`: a pure function. `T` in a type means any base type."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    result: str
    doc: str


@dataclass(frozen=True, slots=True)
class VerbDecl:
    """`verb operand preposition part ...`: a change of the game.

    Each part is (preposition, allowed types, required); a type `target: X` is a name to be set.
    `changes` names the parts of a match that it changes; `announces` is the event that follows.
    `words` is the form that authors write, with `...` for the operand, if it is not `name ...`.
    """

    name: str
    operand: str
    parts: tuple[tuple[str, tuple[str, ...], bool], ...]
    changes: tuple[str, ...]
    doc: str
    announces: str = ""
    words: str = ""

    @property
    def spoken(self) -> str:
        """The words of the verb alone, such as `return quietly`: its name in syntax trees."""
        return " ".join(self.words.replace("...", " ").split()) or self.name

    def written(self, operand: str, *parts: str) -> str:
        """The verb with its operand and its parts: `return FIGURE quietly`."""
        before, _, after = (self.words or f"{self.name} ...").partition("...")
        return " ".join(filter(None, (before.strip(), operand, *parts, after.strip())))


def attributes(owner: str, *rows: tuple[str, ...]) -> tuple[AttributeOf, ...]:
    """Rows of name, type, documentation and implied attributes as attributes of one owner."""
    return tuple(AttributeOf(owner, r[0], type_of(r[1]), r[2], tuple(r[3:])) for r in rows)
