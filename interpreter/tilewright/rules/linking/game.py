"""The data of a linked game: rulesets and options joined, with every name resolved.

Everything is frozen data with typed terms; nothing runs here. `compiling` turns a game into a
program, and the tools read it. Its hash does not depend on the layout and order of the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tilewright.language.source.identity import KeepsResults
from tilewright.language.source.text import words_of
from tilewright.language.syntax.local_names import Printed
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Environment
from tilewright.rules.model import ruleset as m

#: the facts that determine a game: by category and id of a declaration, the text of each part
Facts = Mapping[tuple[str, str], tuple[tuple[str, str], ...]]
#: by `combine`: the value of an amendment that leaves the combined value unchanged
NEUTRAL: dict[m.Combine, bool | int] = {
    m.Combine.ALL: True,
    m.Combine.ANY: False,
    m.Combine.SUM: 0,
    m.Combine.ITEMS: 0,
}
#: instead of a player: no player sees what lies in a stack, or every one
NOBODY, EVERYBODY = -1, -2


@dataclass(frozen=True, slots=True)
class LinkedAmendment(KeepsResults):
    """One amendment of a definition. `parameters` are the names that its terms use."""

    rule: m.Amendment
    ruleset: str
    parameters: tuple[str, ...]
    when: t.Expression | None
    value: t.Expression
    printed: Printed


@dataclass(frozen=True, slots=True)
class LinkedDefinition(KeepsResults):
    """A definition with all its amendments, in evaluation order."""

    declaration: m.DefinitionDecl
    ruleset: str
    parameters: tuple[tuple[str, Type], ...]
    type: Type
    default: t.Expression | None
    amendments: tuple[LinkedAmendment, ...]

    @property
    def id(self) -> str:
        """The declared id."""
        return self.declaration.id

    @property
    def combine(self) -> m.Combine:
        """How the values of the amendments are combined."""
        return self.declaration.combine

    def parameters_text(self) -> str:
        """The parameters and the type as text."""
        typed = ", ".join(f"{name}: {type_}" for name, type_ in self.parameters)
        return f"({typed}): {self.type}"


@dataclass(frozen=True, slots=True)
class LinkedRule(KeepsResults):
    """A step rule, a reaction or a procedure: effects under a condition."""

    rule: m.StepRule | m.Reaction | m.Procedure
    ruleset: str
    parameters: tuple[tuple[str, Type], ...]
    when: t.Expression | None
    effects: t.Body
    printed: Printed

    @property
    def id(self) -> str:
        """The id of the rule."""
        return self.rule.head.id


@dataclass(frozen=True, slots=True)
class LinkedAction(KeepsResults):
    """An action offered at a step. `offer` has its variables, each with the set of its values.

    `offered` is everything that decides whether it is an option, as it is printed.
    """

    rule: m.Action
    ruleset: str
    when: t.Expression | None
    offer: tuple[tuple[str, t.Expression], ...]
    where: t.Expression | None
    effects: t.Body
    printed: Printed
    offered: Printed

    @property
    def id(self) -> str:
        """The id of the rule."""
        return self.rule.head.id


@dataclass(frozen=True, slots=True)
class LinkedStep:
    """A step with its rules and actions in order."""

    declaration: m.StepDecl
    ruleset: str
    rules: tuple[LinkedRule, ...]
    actions: tuple[LinkedAction, ...]

    @property
    def id(self) -> str:
        """The declared id."""
        return self.declaration.id


@dataclass(frozen=True, slots=True)
class LinkedEvent(KeepsResults):
    """An event with its reactions in order."""

    id: str
    parameters: tuple[tuple[str, Type], ...]
    reactions: tuple[LinkedRule, ...]


def bodies_of(
    steps: Iterable[LinkedStep],
    events: Iterable[LinkedEvent] = (),
    procedures: Iterable[LinkedRule] = (),
) -> list[LinkedRule | LinkedAction]:
    """The rules with effects: by step, then by event, then procedures."""
    found: list[LinkedRule | LinkedAction] = []
    for step in steps:
        found += [*step.rules, *step.actions]
    for event in events:
        found += event.reactions
    return [*found, *procedures]


@dataclass(frozen=True, slots=True)
class LinkedMeasure:
    """A measure of statistics. `parameters` are those of its event, as its terms name them."""

    declaration: m.MeasureDecl
    ruleset: str
    parameters: tuple[str, ...]
    when: t.Expression | None
    value: t.Expression

    @property
    def id(self) -> str:
        """The declared id."""
        return self.declaration.id


@dataclass(frozen=True, slots=True)
class LinkedValue:
    """A named value: an int, a bool or a name. `history` has its settings, the first one first."""

    declaration: m.ValueDecl
    type: Type
    term: t.Expression
    history: tuple[tuple[str, str, m.Patch | None], ...]


#: by how long a memory is kept: the things in it that change when players exchange what they have
EXCHANGED = {"game": ("player", "figure", "stack", "item stack"), "turn": ("figure",)}


@dataclass(frozen=True, slots=True)
class LinkedMemory:
    """A variable of the match with its type.

    The value of a memory with `of` is a tuple of pairs in the order of the things: the number of a
    thing and what is kept for it, of `type`. Things with the start value are left out, except for
    features, where a value that was given counts when they join.
    """

    declaration: m.MemoryDecl
    type: Type

    @property
    def of(self) -> str:
        """The base type of the things that each have a value, or "" for one value."""
        return self.declaration.of

    @property
    def exchanged(self) -> tuple[str, str]:
        """The base types of its things and values that change when players exchange what they have.

        Each is "" where it stays. A figure's place is another's then, and the turn stays.
        """
        bases = EXCHANGED[self.declaration.per]
        owner, value = (base if base in bases else "" for base in (self.of, self.type.base))
        return owner, value


@dataclass(frozen=True, slots=True)
class AppliedPatch:
    """An applied patch, with the texts before and after it."""

    patch: m.Patch
    ruleset: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Content:
    """The facts that determine a game, their hash, and one hash for the facts of each ruleset."""

    facts: Facts
    hash: str
    hashes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Game(KeepsResults):
    """A linked game. `id` names the rulesets and the options that differ from their defaults.

    `make_content` computes the facts and hashes; most checks need none of them.
    """

    id: str
    rulesets: tuple[m.Ruleset, ...]
    options: tuple[tuple[str, str], ...]
    make_content: Callable[[], Content]
    environment: Environment
    features: tuple[m.FeatureKind, ...]
    symbols: tuple[m.SymbolDecl, ...]
    figures: tuple[m.FigureKind, ...]
    tokens: tuple[m.TokenDecl, ...]
    items: tuple[m.ItemDecl, ...]
    roles: tuple[m.Role, ...]
    traits: tuple[str, ...]
    stacks: tuple[m.StackDecl, ...]
    pieces: tuple[m.PieceKind, ...]
    seats: tuple[m.Seat, ...]
    values: Mapping[str, LinkedValue]
    memory: tuple[LinkedMemory, ...]
    moments: Mapping[str, m.Moments]  # by place; they decide no more than the orders do
    steps: tuple[LinkedStep, ...]
    earlier: Mapping[str, frozenset[str]]  # by step: those declared to come before it
    definitions: Mapping[str, LinkedDefinition]
    events: Mapping[str, LinkedEvent]
    procedures: Mapping[str, LinkedRule]
    measures: tuple[LinkedMeasure, ...]  # they do not affect play, and no hash covers them
    patches: tuple[AppliedPatch, ...]
    live: frozenset[str]  # feature kinds that can affect play
    players_least: int
    players_most: int

    @cached_property
    def stacked(self) -> tuple[m.PieceKind | m.ItemDecl, ...]:
        """The contents of stacks, by number: the pieces, and after them the items."""
        return (*self.pieces, *self.items)

    def stack_of(self, each: m.PieceKind | m.ItemDecl) -> str:
        """The stack in which a piece or an item begins."""
        return each.stack or next(s.id for s in self.stacks if s.holds == "tiles")

    @cached_property
    def stack_readers(self) -> tuple[int, ...]:
        """By stack: the player who alone sees what lies in it, or NOBODY, or EVERYBODY."""
        found: list[int] = []
        owners: Counter[str] = Counter()
        for stack in self.stacks:
            if stack.owned:
                name = words_of(stack.id)[-1]
                found.append(owners[name] if stack.hidden else EVERYBODY)
                owners[name] += 1
            else:
                is_unseen = stack.hidden or stack.holds == "tiles"
                found.append(NOBODY if is_unseen else EVERYBODY)
        return tuple(found)

    def seat_name(self, player: int) -> str:
        """The id of a player's seat: its colour."""
        return self.seats[player].id if player < len(self.seats) else f"player{player + 1}"

    def is_amended(self, definition: str) -> bool:
        """Whether rules amend a definition."""
        return bool(self.definitions[definition].amendments)

    @cached_property
    def _content(self) -> Content:
        return self.make_content()

    @property
    def facts(self) -> Facts:
        """All facts that determine the game."""
        return self._content.facts

    @property
    def hash(self) -> str:
        """The hash of all facts: 32 hexadecimal digits."""
        return self._content.hash

    @property
    def hashes(self) -> tuple[tuple[str, str], ...]:
        """For each ruleset, the hash of its facts in this game."""
        return self._content.hashes

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of all actions, each once."""
        return tuple(sorted({each.rule.name for step in self.steps for each in step.actions}))

    @property
    def players(self) -> range:
        """The numbers of players who can play this game."""
        least, most = self.players_least, self.players_most
        return range(
            least, 1 + max((n for n in range(least, most + 1) if not self.refusal(n)), default=0)
        )

    def refusal(self, players: int) -> str:
        """A sentence that explains why this number of players cannot play; empty when it can."""
        least, most = self.players_least, self.players_most
        if not least <= players <= most:
            span = f"{least} to {most}" if least < most else f"{least}"
            return f"this game is for {span} players, not for {players}"
        for figure in self.figures:
            total = self.values[figure.in_all].term if figure.in_all else None
            found = total.value if isinstance(total, t.Literal) else None
            if isinstance(found, int) and players * figure.count > found:
                wanted = players * figure.count
                return f"{players} players need {wanted} of `{figure.id}`, and there are {found}"
        return ""

    def phase(self, name: str) -> tuple[LinkedStep, ...]:
        """The steps of a phase (setup, turn, final) in their order."""
        return tuple(step for step in self.steps if step.declaration.phase == name)

    def rules(self) -> tuple[LinkedAmendment | LinkedRule | LinkedAction, ...]:
        """Every rule of the game: by step, then by event, procedures, definitions."""
        bodies = bodies_of(self.steps, self.events.values(), self.procedures.values())
        definitions = self.definitions.values()
        return (*bodies, *(each for definition in definitions for each in definition.amendments))

    @cached_property
    def labels(self) -> Mapping[str, m.Labels]:
        """The labels of the rules of the game, by id."""
        return {found.rule.head.id: found.rule.head.label for found in self.rules()}

    def statements(self) -> dict[str, m.Statement]:
        """Every statement of the rulesets in the game, by id."""
        return {s.id: s for ruleset in self.rulesets for s in ruleset.statements}
