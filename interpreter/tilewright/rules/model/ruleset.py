"""The content of a ruleset as frozen data: one class for each thing an author can write.

Nothing here has behaviour and nothing is resolved: names are the author's names, effect text is
`Code`. `reading` makes these objects from files; `linking` joins several rulesets into a `Game`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from tilewright.language.source.identity import KeepsResults
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.nodes import YMap
from tilewright.rules.model.components import *  # noqa: F403
from tilewright.rules.model.components import (
    FeatureKind,
    FigureKind,
    ItemDecl,
    PieceKind,
    PrintedNumber,
    Role,
    StackDecl,
    SymbolDecl,
    TokenDecl,
)
from tilewright.rules.model.references import *  # noqa: F403
from tilewright.rules.model.references import NO_LABEL, Ignore, Labels, Reference
from tilewright.rules.model.rules import *  # noqa: F403
from tilewright.rules.model.rules import (
    DefinitionDecl,
    EventDecl,
    MeasureDecl,
    MemoryDecl,
    Moments,
    Patch,
    Rule,
    SharedRule,
    StepChain,
    StepDecl,
    ValueDecl,
)
from tilewright.rules.model.scenarios import *  # noqa: F403
from tilewright.rules.model.scenarios import Scenario


class Authority(StrEnum):
    """How much weight a statement has."""

    OFFICIAL = "official"
    CLARIFICATION = "official-clarification"
    COMMUNITY = "community-interpretation"
    COMMON = "common-knowledge"
    HOUSE = "house-rule"


# ------------------------------------------------------------------ module.yaml


@dataclass(frozen=True, slots=True)
class Source:
    """A publication that statements cite."""

    id: str
    title: str
    publisher: str
    year: int | None
    language: str
    note: str
    span: Span


@dataclass(frozen=True, slots=True)
class Requirement:
    """`requires: {base: c2/base}`: a required role, and the ruleset that fills it by default."""

    role: str
    default: str
    span: Span


@dataclass(frozen=True, slots=True)
class OptionDecl(KeepsResults):
    """A typed option of a ruleset. The first choice is not automatically the default."""

    id: str
    choices: tuple[str, ...]
    default: str
    says: Labels
    statements: tuple[str, ...]
    span: Span
    labels: tuple[tuple[str, Labels], ...] = ()  # choices in words, where their ids are not enough
    entry: YMap | None = field(default=None, compare=False, repr=False)

    def named(self, choice: str) -> Labels:
        """A choice in words for players."""
        own = dict(self.labels).get(choice)
        return own or Labels((("en", choice.replace("_", " ")),))


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's colour: its id, the colour as #rrggbb, and its labels."""

    id: str
    colour: str
    label: Labels
    span: Span


@dataclass(frozen=True, slots=True)
class ComponentCount:
    """One line of the component list, to be checked against the data.

    `of` is one of: tiles, symbol, attribute, segment, figure, token, pieces; `name` is the id.
    """

    of: str
    name: str
    count: int
    span: Span


@dataclass(frozen=True, slots=True)
class Part:
    """The used part of a ruleset: `only` some of tiles, pieces, rules (empty: everything), without
    the topics and rules of `minus`. Its text form follows the id of the ruleset."""

    only: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()

    @property
    def has_rules(self) -> bool:
        """Whether the rules of the ruleset are in this part."""
        return not self.only or "rules" in self.only

    def __str__(self) -> str:
        return "".join(f":{name}" for name in (*self.only, *(f"minus={m}" for m in self.minus)))


#: all of a ruleset
WHOLE = Part()


@dataclass(frozen=True, slots=True)
class PartTaken:
    """A line of `parts:`: the part of a ruleset, or of the provider of a role, in the game."""

    name: str
    part: Part
    span: Span


@dataclass(frozen=True, slots=True)
class PromiseChange:
    """A change of what a ruleset promises to the rules of others.

    From `version` on, the thing of a `kind` (procedure, event, definition, step, value) means what
    `says` states; `mend` states what to write where a rule relies on the earlier meaning.
    """

    ruleset: str
    version: int
    kind: str
    name: str
    says: str
    mend: str
    span: Span


@dataclass(frozen=True, slots=True)
class WrittenFor:
    """`written_for: {base: 2}`: the version of another ruleset that the rules are written for."""

    name: str  # a ruleset or a role
    version: int
    span: Span


@dataclass(frozen=True, slots=True)
class Module:
    """The content of module.yaml."""

    id: str
    title: Labels
    edition: str
    kind: str  # base, expansion, edition, house, shared
    year: int | None
    takes_over: str | None
    provides: tuple[str, ...]
    requires: tuple[Requirement, ...]
    conflicts: tuple[str, ...]
    copies: tuple[tuple[str, int], ...]  # the number of sets of a ruleset's tiles, by id or role
    sources: tuple[Source, ...]
    options: tuple[OptionDecl, ...]
    seats: tuple[Seat, ...]
    components: tuple[ComponentCount, ...]
    span: Span
    parts: tuple[PartTaken, ...] = ()
    version: str = ""  # the author's version; a whole number where there are `changes`
    resolved_from: str = ""  # the game that `resolve` wrote as this ruleset
    shares: tuple[Reference, ...] = ()  # folders whose files are read as its own
    says: Labels = NO_LABEL  # what it brings, in a sentence
    glyph: str = ""  # the picture of one without tiles, figures and tokens
    earlier_scenarios: str = "here"  # or "there", with the ruleset that it takes over
    changes: tuple[PromiseChange, ...] = ()
    written_for: tuple[WrittenFor, ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)

    @property
    def known_edition(self) -> str:
        """The edition; empty for a house rule that names none, since its folder is not one."""
        is_folder = self.kind == "house" and self.edition == self.id.partition("/")[0]
        return "" if is_folder else self.edition

    @property
    def version_number(self) -> int | None:
        """The version, if it is a whole number of at most 18 digits."""
        is_number = self.version.isdecimal() and len(self.version) <= 18
        return int(self.version) if is_number else None


# ------------------------------------------------------------------ statements.yaml


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a publication that a statement is from."""

    source: str
    section: str
    lines: str
    span: Span


@dataclass(frozen=True, slots=True)
class Question:
    """An open question of a sentence: an option decides it, or a reason settles it."""

    asks: str
    option: str  # the id of an option of some ruleset, or ""
    settled: str  # why no other reading can be played or makes a difference, or ""
    span: Span
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Statement:
    """One atomic sentence of a rulebook, paraphrased.

    In a game its sentence and its `numbers` have those of the game, and `written` is the statement
    of the author.
    """

    id: str
    topic: str
    says: str
    translations: tuple[tuple[str, str], ...]  # by language code
    authority: Authority
    cites: tuple[Citation, ...]
    numbers: tuple[tuple[str, int], ...]
    no_rule: str  # the reason why no rule implements it, or ""
    carried_by: str  # the part of the data that implements it (tiles, figures ...), or ""
    awaits: tuple[str, ...]  # missing content that parts of it need
    follows_from: tuple[str, ...]  # rules, of any ruleset, that imply it
    compares: tuple[str, ...]  # statements, of any ruleset, whose difference it describes
    questions: tuple[Question, ...]
    span: Span
    agrees: tuple[str, ...] = ()  # statements of other rulesets with the same meaning
    replaces: tuple[str, ...] = ()  # statements that do not hold when this one is in the game
    without: tuple[str, ...] = ()  # rulesets or roles: a game with one leaves it out
    is_example: bool = False  # it only illustrates other statements
    about: tuple[str, ...] = ()  # tiles and other parts of the box that it is about
    unreviewed: tuple[str, ...] = ()  # languages in which no speaker has read the translation
    states: tuple[str, ...] = ()  # the values and counts that its sentence names
    written: Statement | None = field(default=None, compare=False, repr=False)

    @property
    def wording(self) -> str:
        """The sentence as its author wrote it, the same in all games."""
        return self.written.says if self.written is not None else self.says

    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A short summary of a topic, for tables that compare rulesets.

    `heading` and `aspect` name the group of lines and the line of the phrase; in `says` the
    important words are between `**`.
    """

    topic: str
    heading: Labels
    aspect: Labels
    says: Labels
    statements: tuple[str, ...]  # the statements that it summarizes
    span: Span
    states: tuple[str, ...] = ()  # the values and counts that it names
    entry: YMap | None = field(default=None, compare=False, repr=False)

    @property
    def id(self) -> str:
        """A ruleset has one phrase for a topic."""
        return self.topic


# ------------------------------------------------------------------ the whole


@dataclass(frozen=True, slots=True)
class Ruleset(KeepsResults):
    """One folder of rules, as read; for a `part` of it, `entire` is the whole ruleset."""

    module: Module
    statements: tuple[Statement, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    features: tuple[FeatureKind, ...] = ()
    symbols: tuple[SymbolDecl, ...] = ()
    figures: tuple[FigureKind, ...] = ()
    attributes: tuple[PrintedNumber, ...] = ()
    tokens: tuple[TokenDecl, ...] = ()
    items: tuple[ItemDecl, ...] = ()
    roles: tuple[Role, ...] = ()
    stacks: tuple[StackDecl, ...] = ()
    pieces: tuple[PieceKind, ...] = ()
    values: tuple[ValueDecl, ...] = ()
    memory: tuple[MemoryDecl, ...] = ()
    moments: tuple[Moments, ...] = ()
    steps: tuple[StepDecl, ...] = ()
    definitions: tuple[DefinitionDecl, ...] = ()
    events: tuple[EventDecl, ...] = ()
    measures: tuple[MeasureDecl, ...] = ()
    rules: tuple[Rule, ...] = ()
    patches: tuple[Patch, ...] = ()
    order: tuple[StepChain, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    folder: str = ""
    files: tuple[str, ...] = ()
    took_over: tuple[str, ...] = ()  # ids of the rulesets that it was joined with, nearest first
    part: Part = WHOLE
    entire: Ruleset | None = None
    shared: tuple[SharedRule, ...] = ()  # additions to rules of shared folders

    @property
    def id(self) -> str:
        """The id in module.yaml, `EDITION/NAME`."""
        return self.module.id
