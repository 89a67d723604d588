"""What two or more games say, side by side, as frozen data.

Every row has one cell for each side, in the order of the sides, and a verdict: whether the cells
say the same, how much hangs on it, and why. Whoever prints reads this and asks nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tilewright.model.ruleset import NO_LABEL, Labels
from tilewright.results.impact import Impact


class State(StrEnum):
    """How the cells of a row stand to one another."""

    SAME = "same"
    REWORDED = "reworded"
    DIFFERS = "differs"
    MOVED = "moved"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a row is not the same: a code (see `REASONS`) and the names it is about."""

    code: str
    names: tuple[str, ...] = ()


#: what a reason's code says in English; `{}` stands for its names
REASONS = {
    "gone": "it is missing on a later side",
    "new": "it is missing on an earlier side",
    "type": "its type or parameters differ",
    "rules": "carried out by other rules: {}",
    "values": "values differ: {}",
    "options": "options differ: {}",
    "steps": "steps differ: {}",
    "roles": "roles differ: {}",
    "patches": "changed by a patch: {}",
    "numbers": "numbers differ: {}",
    "words": "only the words differ",
    "text": "its text differs",
    "hook": "it hangs elsewhere: {}",
    "order": "its place in the order differs",
    "decides": "somebody else decides, or what may be left out must be done",
    "renamed": "the same under another name",
    "value": "the value differs",
    "choices": "the choices or the default differ",
    "count": "the count differs",
    "facts": "what it is differs",
    "marks": "the same tile with other marks",
    "drawn": "the same edges, drawn otherwise",
    "tiles": "no tile like it on the other side",
    "documented": "a book tells the difference; no rule hangs on it",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    state: State
    impact: Impact | None = None  # None exactly when the state is `same`
    reasons: tuple[Reason, ...] = ()

    @property
    def is_same(self) -> bool:
        return self.state is State.SAME


# ------------------------------------------------------------------ the sides


@dataclass(frozen=True, slots=True)
class SourceTag:
    """A publication that a side cites; `tag` is the short form, as in `[2]`."""

    tag: str
    id: str
    title: str
    publisher: str
    year: int | None


@dataclass(frozen=True, slots=True)
class Side:
    """One of the games compared. `own` are the rulesets looked at, `beneath` what they need."""

    name: str
    title: Labels
    editions: tuple[str, ...]
    years: tuple[int, ...]
    own: tuple[str, ...]
    beneath: tuple[str, ...]
    options: tuple[tuple[str, str], ...]  # those that differ from their defaults
    hash: str
    sources: tuple[SourceTag, ...]


# ------------------------------------------------------------------ topics


@dataclass(frozen=True, slots=True)
class NewValue:
    """A named value that a patch has changed."""

    id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Lapse:
    """Why a statement does not hold on a side any more.

    `extent` is `gone`, `part` where other rules still carry some of it out, or `changed` where a
    patch has replaced its rule and names no statement. `by` are the patches and rules that did it,
    `why` the reasons that patches give, `values` what they have set, `told_by` the statements that
    say what holds instead.
    """

    extent: str
    by: tuple[str, ...]
    why: tuple[str, ...]
    values: tuple[NewValue, ...]
    told_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A statement. `carried` is rule, data, option, follows, compares, nothing or awaits.

    `note` says more of it: the option, the rules it follows from, the reason. `topic` is its own
    one; where that is not the topic of the row, a documented difference, or a statement of another
    side that says the same, has called it there. Where `lapse` is there, it does not hold.
    """

    id: str
    topic: str
    says: str
    authority: str
    sources: tuple[str, ...]  # tags
    carried: str
    note: str
    translations: tuple[tuple[str, str], ...] = ()  # what it says, by language code
    lapse: Lapse | None = None


@dataclass(frozen=True, slots=True)
class TopicCell:
    """What one side says of a topic; `details` is what differs there and no statement says."""

    statements: tuple[Said, ...]
    rules: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    details: tuple[Labels, ...] = ()


@dataclass(frozen=True, slots=True)
class Documented:
    """A difference that a book tells in words: what it `compares` stands in the cells of its row.

    It is in one row of a comparison, that of its topic, and in no cell.
    """

    id: str
    says: str
    authority: str
    sources: tuple[str, ...]  # tags
    compares: tuple[str, ...]  # ids of statements, those on no side too
    translations: tuple[tuple[str, str], ...] = ()  # what it says, by language code
    is_within: bool = False  # between two texts of one side, so it makes no difference here


@dataclass(frozen=True, slots=True)
class TopicRow:
    topic: str
    cells: tuple[TopicCell | None, ...]
    has_effect: bool  # whether anything in the game comes of it on any side
    verdict: Verdict
    differences: tuple[Documented, ...] = ()


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """Topics with the same first part."""

    id: str
    label: Labels
    rows: tuple[TopicRow, ...]


# ------------------------------------------------------------------ the turn


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that somebody decides. `who` is active, each or other."""

    who: str
    what: Labels
    is_optional: bool
    rule: str


@dataclass(frozen=True, slots=True)
class StepCell:
    id: str
    label: Labels
    number: int  # its place in the phase, from 1
    is_own: bool  # belongs to a ruleset that is compared, not to what it stands on
    decisions: tuple[Decision, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    phase: str
    cells: tuple[StepCell | None, ...]
    verdict: Verdict


# ------------------------------------------------------------------ everything else


@dataclass(frozen=True, slots=True)
class ComponentCell:
    id: str
    label: Labels
    count: int | None
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComponentRow:
    what: str  # tiles, double, symbol, attribute, segment, figure, kind, role, stack
    cells: tuple[ComponentCell | None, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ValueCell:
    id: str  # what this side calls it
    value: str
    says: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueRow:
    """`is_told`: whether the difference, if there is one, follows from what statements say."""

    kind: str  # value, option
    id: str
    cells: tuple[ValueCell | None, ...]
    verdict: Verdict
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class RuleCell:
    """A rule or a declaration. `hook` says where it hangs, `text` is its canonical form, `says`
    the same in words (empty for a declaration)."""

    id: str
    kind: str  # amendment, step, reaction, action, procedure, definition, event, memory
    hook: str
    text: str
    statements: tuple[str, ...]
    ruleset: str
    file: str
    line: int
    says: Labels = NO_LABEL


@dataclass(frozen=True, slots=True)
class RuleRow:
    """`is_told`: whether the difference, if there is one, follows from what statements say."""

    cells: tuple[RuleCell | None, ...]
    verdict: Verdict
    is_told: bool = True

    @property
    def id(self) -> str:
        return next(cell.id for cell in self.cells if cell is not None)


@dataclass(frozen=True, slots=True)
class TilePair:
    """Tiles alike in edges, segments and links. An empty id: no such tile on that side."""

    left: str
    right: str
    count: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A symbol or an attribute on a tile; `on` is the kind of segment it stands on, or ""."""

    id: str
    label: Labels
    on: str
    count: int


@dataclass(frozen=True, slots=True)
class TileRow:
    """One kind of difference between the tiles of the sides `left` and `right` (numbers from 0)."""

    left: int
    right: int
    lost: tuple[Mark, ...]
    gained: tuple[Mark, ...]
    tiles: tuple[TilePair, ...]
    verdict: Verdict

    @property
    def count(self) -> int:
        return sum(pair.count for pair in self.tiles)


@dataclass(frozen=True, slots=True)
class Alike:
    """How many tiles are the same on the sides `left` and `right`."""

    left: int
    right: int
    count: int


@dataclass(frozen=True, slots=True)
class Named:
    """A thing of the compared games and what people call it."""

    id: str
    label: Labels


@dataclass(frozen=True, slots=True)
class ShortLine:
    """A line of what is told first; `topic` is that of its row, or a value where no topic differs.

    `says` are the sides' phrases, with the words that matter between `**`. Where a side has none,
    its cell of the row speaks; without any, `heading` and `aspect` are empty too.
    """

    topic: str
    heading: Labels
    aspect: Labels
    says: tuple[Labels | None, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    sides: tuple[Side, ...]
    topics: tuple[TopicGroup, ...]
    turn: tuple[StepRow, ...]
    components: tuple[ComponentRow, ...]
    tiles: tuple[TileRow, ...]
    tiles_alike: tuple[Alike, ...]
    values: tuple[ValueRow, ...]
    rules: tuple[RuleRow, ...]
    beneath: tuple[str, ...]  # what differs in the rulesets the sides stand on
    short: tuple[ShortLine, ...]  # what is told first
    is_part: bool = False  # whether rows have been left out because nobody asked for them
    labels: tuple[Named, ...] = ()  # what is called how, for ids that stand in marks and facts
    topic_names: tuple[Named, ...] = ()  # what topics are called under the heading of their group

    def topic_rows(self) -> Iterator[TopicRow]:
        for group in self.topics:
            yield from group.rows

    def verdicts(self) -> Iterator[Verdict]:
        """The verdict of every row."""
        yield from (row.verdict for row in self.topic_rows())
        yield from (row.verdict for row in self.turn)
        yield from (row.verdict for row in self.components)
        yield from (row.verdict for row in self.tiles)
        yield from (row.verdict for row in self.values)
        yield from (row.verdict for row in self.rules)

    @property
    def is_same(self) -> bool:
        return all(verdict.is_same for verdict in self.verdicts())
