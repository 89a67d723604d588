"""The content of a ruleset as frozen data: one class for each thing an author can write.

Nothing here has behaviour and nothing is resolved: names are the author's names, effect text is
`Code`. `reading` makes these objects from files; `linking` joins several rulesets into a `Game`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tilewright.source.text import NOWHERE, Code, Span


class Authority(StrEnum):
    """How much weight a statement has."""

    OFFICIAL = "official"
    CLARIFICATION = "official-clarification"
    COMMUNITY = "community-interpretation"
    COMMON = "common-knowledge"
    HOUSE = "house-rule"


class Combine(StrEnum):
    """How the values of several amendments of one definition are combined (`combine:`)."""

    ONE = "one"
    SUM = "sum"
    ALL = "all"
    ANY = "any"
    MAX = "max"
    MIN = "min"
    UNION = "union"
    ITEMS = "items"


class Completion(StrEnum):
    """When a feature of a kind is complete."""

    CLOSED = "closed"
    SURROUNDED = "surrounded"
    FLANKED = "flanked"
    NEVER = "never"


class Reach(StrEnum):
    """Which part of a tile's edge a segment of a kind takes."""

    SIDE = "side"
    CENTRE = "centre"
    HALVES = "halves"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class Labels:
    """Names for people, by language code (`en`, `uk`, `pl`); `en` is always there."""

    texts: tuple[tuple[str, str], ...] = ()

    def get(self, language: str = "en") -> str:
        """The label in a language, or the English one."""
        found = dict(self.texts)
        return found.get(language) or found.get("en", "")


#: the labels of a thing without labels
NO_LABEL = Labels()


def joined_labels(titles: Sequence[Labels]) -> Labels:
    """The joined labels of several things, in each language that one of them has."""
    languages = dict.fromkeys(language for title in titles for language, _ in title.texts)
    return Labels(tuple((one, " + ".join(t.get(one) for t in titles)) for one in languages))


@dataclass(frozen=True, slots=True)
class Reference:
    """The name of something that is declared elsewhere, and where it is named."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Ignore:
    """A diagnostic that the author suppresses, with the reason."""

    code: str
    reason: str
    within: Span | None  # the rule, patch or statement with the entry; None for the whole file
    span: Span


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
class OptionDecl:
    """A typed option of a ruleset. The first choice is not automatically the default."""

    id: str
    choices: tuple[str, ...]
    default: str
    says: str
    statements: tuple[str, ...]
    span: Span


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
    version: str = ""  # the author's version; messages about refused saves show it
    resolved_from: str = ""  # the game that `resolve` wrote as this ruleset
    shares: tuple[Reference, ...] = ()  # folders whose files are read as its own


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


@dataclass(frozen=True, slots=True)
class Statement:
    """One atomic sentence of a rulebook, paraphrased."""

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

    @property
    def id(self) -> str:
        """A ruleset has one phrase for a topic."""
        return self.topic


# ------------------------------------------------------------------ components.yaml
#
# `with_`, here and below: rulesets or roles that must be in the game, too.


@dataclass(frozen=True, slots=True)
class AttributeDecl:
    """A number printed on segments of a kind; `combine` joins the numbers of a feature."""

    id: str
    combine: Combine
    label: Labels
    symbol: str  # name of a glyph of the renderer, or ""
    span: Span


@dataclass(frozen=True, slots=True)
class FeatureKind:
    """A kind of feature, with its attributes and the condition of its completion."""

    id: str
    label: Labels
    reach: Reach
    completes: Completion
    attributes: tuple[AttributeDecl, ...]
    colour: str
    outline: str
    glyph: str
    from_symbol: str  # tiles with this symbol carry a segment of this kind, or ""
    span: Span


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """An attribute that a ruleset adds to a kind of feature which may be another ruleset's."""

    on: str
    attribute: AttributeDecl

    @property
    def id(self) -> str:
        return self.attribute.id

    @property
    def span(self) -> Span:
        return self.attribute.span


@dataclass(frozen=True, slots=True)
class SymbolDecl:
    """A mark printed on a tile or on a segment of it."""

    id: str
    label: Labels
    glyph: str
    colour: str
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A kind of figure. `count` is per player, or the total for a figure without an owner.

    `in_all` names the value with the total number for all players, or is "" when it is not
    limited. `like` names a figure whose roles it may take as well, or is "".
    """

    id: str
    label: Labels
    owned: bool
    count: int
    in_all: str
    like: str
    traits: tuple[str, ...]
    carries: tuple[str, ...]  # facing, companion
    glyph: str
    colour: str
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class Role:
    """The role of some figure kinds on features of a kind, with its labels."""

    id: str
    label: Labels
    figures: tuple[str, ...]
    on: str
    posture: str  # `standing` or `lying`
    statements: tuple[str, ...]
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenDecl:
    """A kind of token: identical and counted, from one common supply."""

    id: str
    label: Labels
    count: int
    traits: tuple[str, ...]
    glyph: str
    colour: str
    span: Span


@dataclass(frozen=True, slots=True)
class StackDecl:
    """A named pile of pieces. `holds` is `tiles` for the stack that all tiles start in.

    Every player has a copy of an `owned` stack. A draw from an `in_order` stack takes the piece
    that has been in it longest; otherwise the draw is random.
    """

    id: str
    label: Labels
    holds: str
    hidden: bool
    owned: bool
    in_order: bool
    span: Span
    with_: tuple[Reference, ...] = ()


# ------------------------------------------------------------------ tiles.yaml


@dataclass(frozen=True, slots=True)
class Segment:
    """A part printed on one tile. `ports` are numbers 0 to 11, clockwise from the left end of the
    north edge (see `tilewright.model.geometry`)."""

    id: str
    kind: str
    at: tuple[str, ...]
    ports: tuple[int, ...]
    borders: tuple[str, ...]  # ids of segments of this tile that it touches
    ends: tuple[str, ...]  # things that end it inside the tile, for drawing
    attributes: tuple[tuple[str, int], ...]
    symbols: tuple[str, ...]
    inside: str  # id of the segment that encloses it, or ""
    span: Span


@dataclass(frozen=True, slots=True)
class TileFace:
    """One cell of a piece, as printed, north up."""

    x: int
    y: int
    edges: tuple[str, str, str, str]
    segments: tuple[Segment, ...]
    symbols: tuple[str, ...]
    crosses: str  # over, under: how its ways cross others; "" when they cross none
    span: Span


@dataclass(frozen=True, slots=True)
class PieceKind:
    """The tiles laid in one go: usually one face of one cell.

    `faces` holds one tuple of cells for each side that may lie up (two for a two-sided piece).
    """

    id: str
    count: int
    faces: tuple[tuple[TileFace, ...], ...]
    stack: str
    letter: str
    when: tuple[tuple[str, str], ...]  # option values under which it is in the game
    note: str
    span: Span
    with_: tuple[Reference, ...] = ()


# ------------------------------------------------------------------ rules/*.yaml


@dataclass(frozen=True, slots=True)
class ValueDecl:
    """A named value that a house rule may set."""

    id: str
    type: str
    value: str
    says: str
    statements: tuple[str, ...]
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryDecl:
    """A variable of the game, kept for a turn or for the whole game."""

    id: str
    type: str
    per: str
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class StepDecl:
    """A named place in the setup, the turn or the end."""

    id: str
    phase: str  # setup, turn, final
    label: Labels
    after: tuple[str, ...]
    before: tuple[str, ...]
    aliases: tuple[str, ...]
    statements: tuple[str, ...]
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class StepChain:
    """A line of `order:`: steps or rules, often of other rulesets, each before the next."""

    steps: tuple[Reference, ...]
    span: Span
    with_: tuple[Reference, ...] = ()

    @property
    def id(self) -> str:
        return " < ".join(step.id for step in self.steps)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a definition, an event or a procedure, with its type as text."""

    name: str
    type: str
    span: Span


@dataclass(frozen=True, slots=True)
class DefinitionDecl:
    """A definition: a named pure function with its type, and how its amendments are combined."""

    id: str
    parameters: tuple[Parameter, ...]
    type: str
    combine: Combine
    says: str
    default: Code | None
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class EventDecl:
    """A declared event, to which rules can react."""

    id: str
    parameters: tuple[Parameter, ...]
    says: str
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasureDecl:
    """A measure of statistics: a number added up on every event or turn, or once at the end.

    Rules cannot read it, therefore it does not affect play. `on` is empty for the end of the game.
    """

    id: str
    label: Labels
    says: str
    on: str
    parameters: tuple[str, ...]
    when: Code | None
    value: Code
    span: Span
    with_: tuple[Reference, ...] = ()
    place: Span = NOWHERE  # the place of its `on`


@dataclass(frozen=True, slots=True)
class ProcedureDecl:
    """Effects with a name, for other rules to call."""

    id: str
    parameters: tuple[Parameter, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RuleHead:
    """The common parts of all rules."""

    id: str
    says: str
    statements: tuple[str, ...]
    label: Labels
    when: Code | None
    topic: str
    option: tuple[tuple[str, str], ...]  # option values under which it holds
    with_: tuple[Reference, ...]  # rulesets or roles that must also be in the game
    after: tuple[str, ...]  # other rules on the same step or event that go first
    over: tuple[str, ...]  # amendments this one takes precedence over
    span: Span
    place: Span = NOWHERE  # the place of its `amend`, `on`, `action` or `procedure`


@dataclass(frozen=True, slots=True)
class Amendment:
    """A ruleset's clause of a definition, under a condition."""

    head: RuleHead
    definition: str
    parameters: tuple[str, ...]
    value: Code
    item: str  # the item's English label under `combine: items`
    item_label: Labels = NO_LABEL


@dataclass(frozen=True, slots=True)
class StepRule:
    """Effects at a step."""

    head: RuleHead
    step: str
    do: Code


@dataclass(frozen=True, slots=True)
class Reaction:
    """Effects on an event."""

    head: RuleHead
    event: str
    parameters: tuple[str, ...]
    do: Code


@dataclass(frozen=True, slots=True)
class Action:
    """An action offered at a step: the options, and the effects of choosing one."""

    head: RuleHead
    name: str
    step: str
    offer: tuple[tuple[str, Code], ...]  # variable, set it is taken from
    where: Code | None
    do: Code


@dataclass(frozen=True, slots=True)
class Procedure:
    """Effects that other rules call. For an insertion `beside` names the neighbouring rule."""

    head: RuleHead
    declaration: ProcedureDecl
    do: Code
    beside: str = ""


Rule = Amendment | StepRule | Reaction | Action | Procedure


@dataclass(frozen=True, slots=True)
class SharedRule:
    """A ruleset's additions to a shared rule: its statements and options."""

    id: str
    option: tuple[tuple[str, str], ...]
    statements: tuple[str, ...]
    span: Span


def codes_of(rule: Rule) -> list[Code]:
    """The texts of a rule's conditions and body, as written."""
    codes = [rule.head.when]
    match rule:
        case Amendment():
            codes.append(rule.value)
        case Action():
            codes += [rule.where, rule.do, *(code for _, code in rule.offer)]
        case _:
            codes.append(rule.do)
    return [code for code in codes if code is not None]


@dataclass(frozen=True, slots=True)
class Patch:
    """A named change of something in this ruleset or in any other of the game.

    `verb` is one of set, adjust, replace, remove, insert. `target` is the id of the changed thing,
    `kind` its kind (value, rule, step, event, tile, figure, token, feature, option), and `part`,
    if set, the changed number or word of it (count, stack, completes, default).

    `to` is the new value as text (set), or a whole number (adjust); `how` is `by` or `times`
    (adjust), `before` or `after` (insert). `rule` is the new rule (replace, insert), `step` and
    `piece` are a replaced step or tile. `expect` is the present content that the author expects.
    """

    id: str
    verb: str
    kind: str
    target: str
    part: str
    to: str
    how: str
    rule: Rule | None
    step: StepDecl | None
    piece: PieceKind | None
    why: str
    expect: str | None
    statements: tuple[str, ...]
    option: tuple[tuple[str, str], ...]
    span: Span
    with_: tuple[Reference, ...] = ()

    @property
    def changes(self) -> str:
        """The changed thing as an author writes it: `town.points`, `tile cap.count`."""
        kind = "" if self.kind in ("value", "rule") else f"{self.kind} "
        return f"{kind}{self.target}{self.part and '.'}{self.part}"


# ------------------------------------------------------------------ scenarios/*.yaml


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a scenario's play: a verb, its text, and the expected state."""

    verb: str  # draw, choose, expect
    text: str
    expect: Expectation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected state. Absent parts (None or empty) are not checked."""

    points: tuple[tuple[str, int], ...] = ()
    gained: tuple[tuple[str, str], ...] = ()  # player, "8 = tiles 6 + extras 2"
    figures: tuple[tuple[str, str], ...] = ()  # figure, place
    supply: tuple[tuple[str, int], ...] = ()  # "red peg", count
    tokens: tuple[tuple[str, int], ...] = ()  # "red bead" or, for the common supply, "bead"
    stacks: tuple[tuple[str, int], ...] = ()
    tiles: int | None = None
    values: tuple[tuple[str, str], ...] = ()  # expression, its value as text
    decides: str | None = None
    step: str | None = None
    options: tuple[str, ...] | None = None  # exactly these
    offered: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()  # option, id of the rule that forbids it, or ""
    over: bool | None = None
    winners: tuple[str, ...] | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Scenario:
    """A test of rules: a situation, the choices made in it, and the expected states."""

    id: str
    says: str
    rulesets: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    active: str
    statements: tuple[str, ...]
    covers: tuple[str, ...]
    board: tuple[str, ...]  # "piece_id 0,0 N"
    figures: tuple[tuple[str, str], ...]  # figure, place
    points: tuple[tuple[str, int], ...]
    tokens: tuple[tuple[str, int], ...]  # "red bead", count: out of the common supply
    stacks: tuple[tuple[str, tuple[str, ...]], ...]  # stack, pieces in it
    memory: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    fails: str  # the diagnostic code of an expected error in linking or setup, or ""
    span: Span
    turn: int = 1  # the number of the turn that begins
    laid: tuple[Span, ...] = ()  # the places of the lines of the board that were read


# ------------------------------------------------------------------ the whole


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One folder of rules, as read; for a `part` of it, `entire` is the whole ruleset."""

    module: Module
    statements: tuple[Statement, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    features: tuple[FeatureKind, ...] = ()
    symbols: tuple[SymbolDecl, ...] = ()
    figures: tuple[FigureKind, ...] = ()
    attributes: tuple[PrintedNumber, ...] = ()
    tokens: tuple[TokenDecl, ...] = ()
    roles: tuple[Role, ...] = ()
    stacks: tuple[StackDecl, ...] = ()
    pieces: tuple[PieceKind, ...] = ()
    values: tuple[ValueDecl, ...] = ()
    memory: tuple[MemoryDecl, ...] = ()
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
        return self.module.id
