"""Values, memory, steps, definitions, events, rules and patches: the content of rules/*.yaml."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.language.source.identity import KeepsResults
from tilewright.language.source.text import NOWHERE, Code, Span
from tilewright.language.source.yaml.nodes import YMap
from tilewright.rules.model.components import PieceKind
from tilewright.rules.model.references import NO_LABEL, Combine, Labels, Reference


@dataclass(frozen=True, slots=True)
class ValueDecl(KeepsResults):
    """A named value that a house rule may set."""

    id: str
    type: str
    value: str
    says: str
    statements: tuple[str, ...]
    span: Span
    with_: tuple[Reference, ...] = ()
    place: Span = NOWHERE  # the place of its value
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MemoryDecl(KeepsResults):
    """A variable of the game, kept for a turn or for the whole game.

    With `of` there is one for each thing of a type; those of joined features are combined by
    `combine`. With `token` it counts the tokens of a kind that lie on the thing. The label of a
    truth is a claim, like `a tile was laid`.
    """

    id: str
    type: str
    per: str
    span: Span
    with_: tuple[Reference, ...] = ()
    of: str = ""
    combine: str = ""
    token: str = ""
    label: Labels = NO_LABEL
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Moment:
    """A named moment of a place, for its steps or rules."""

    id: str
    label: Labels
    span: Span


@dataclass(frozen=True, slots=True)
class Moments(KeepsResults):
    """The moments of a place in their order; those of a phase are between its steps.

    `id` is the place: a phase (`turn`), a step (`step draw`), an event or a definition.
    """

    id: str
    order: tuple[Moment | Reference, ...]  # a reference is to a step
    span: Span
    with_: tuple[Reference, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the moments, without the steps."""
        return tuple(each.id for each in self.order if isinstance(each, Moment))

    def rank(self, name: str) -> int | None:
        """The number of a moment or step in the order, from zero; None for any other name."""
        return next((n for n, each in enumerate(self.order) if each.id == name), None)


@dataclass(frozen=True, slots=True)
class StepDecl(KeepsResults):
    """A named place in the setup, the turn or the end.

    A name under `after` or `before` that is also in `optional` may be absent.
    """

    id: str
    phase: str  # setup, turn, final
    label: Labels
    after: tuple[str, ...]
    before: tuple[str, ...]
    aliases: tuple[str, ...]
    statements: tuple[str, ...]
    span: Span
    with_: tuple[Reference, ...] = ()
    moment: str = ""
    optional: tuple[str, ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class StepChain:
    """A line of `order:`: steps or rules, often of other rulesets, each before the next."""

    steps: tuple[Reference, ...]
    span: Span
    with_: tuple[Reference, ...] = ()

    @property
    def id(self) -> str:
        """The ids of the steps in their order, joined by `<`."""
        return " < ".join(step.id for step in self.steps)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a definition, an event or a procedure, with its type as text."""

    name: str
    type: str
    span: Span


@dataclass(frozen=True, slots=True)
class DefinitionDecl(KeepsResults):
    """A definition: a named pure function with its type, and how its amendments are combined."""

    id: str
    parameters: tuple[Parameter, ...]
    type: str
    combine: Combine
    says: Labels
    default: Code | None
    span: Span
    with_: tuple[Reference, ...] = ()
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EventDecl(KeepsResults):
    """A declared event, to which rules can react."""

    id: str
    parameters: tuple[Parameter, ...]
    says: Labels
    span: Span
    with_: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasureDecl(KeepsResults):
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
    before: tuple[str, ...] = ()  # other rules on the same step or event that go later
    optional: tuple[str, ...] = ()  # names under the three keys above that may be absent
    moment: str = ""  # the moment of its place
    behind: tuple[str, ...] = ()  # in a game: the rules that go first, by `after` or a moment
    place: Span = NOWHERE  # the place of its `amend`, `on`, `action` or `procedure`
    entry: YMap | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Amendment(KeepsResults):
    """A ruleset's clause of a definition, under a condition."""

    head: RuleHead
    definition: str
    parameters: tuple[str, ...]
    value: Code
    item: str  # the item's English label under `combine: items`
    item_label: Labels = NO_LABEL


@dataclass(frozen=True, slots=True)
class StepRule(KeepsResults):
    """Effects at a step."""

    head: RuleHead
    step: str
    do: Code


@dataclass(frozen=True, slots=True)
class Reaction(KeepsResults):
    """Effects on an event."""

    head: RuleHead
    event: str
    parameters: tuple[str, ...]
    do: Code


@dataclass(frozen=True, slots=True)
class Action(KeepsResults):
    """An action offered at a step: the options, and the effects of choosing one."""

    head: RuleHead
    name: str
    step: str
    offer: tuple[tuple[str, Code], ...]  # variable, set it is taken from
    where: Code | None
    do: Code


@dataclass(frozen=True, slots=True)
class Procedure(KeepsResults):
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
    entry: YMap | None = field(default=None, compare=False, repr=False)


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
    entry: YMap | None = field(default=None, compare=False, repr=False)

    @property
    def changes(self) -> str:
        """The changed thing as an author writes it: `town.points`, `tile cap.count`."""
        kind = "" if self.kind in ("value", "rule") else f"{self.kind} "
        return f"{kind}{self.target}{self.part and '.'}{self.part}"
