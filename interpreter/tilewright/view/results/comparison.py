"""The result of a comparison of two or more games, or of editions of a topic, as frozen data.

Every row has one cell for each side, in the order of the sides, and a verdict: whether the cells
are equal, the impact of the difference, and the reason. Views need no other data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tilewright.rules.model.ruleset import NO_LABEL, Labels
from tilewright.view.results.impact import Impact


class State(StrEnum):
    """The relation between the cells of a row."""

    SAME = "same"
    BESIDE = "beside"  # the same words, but another difference may change their meaning
    REWORDED = "reworded"
    DIFFERS = "differs"
    MOVED = "moved"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a difference: a code (see `REASONS`) and the names it concerns."""

    code: str
    names: tuple[str, ...] = ()


#: by code of a reason: its English text; `{}` stands for the names
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
    "hook": "it is attached elsewhere: {}",
    "order": "its place in the order differs",
    "decides": "somebody else decides, or what may be left out must be done",
    "renamed": "the same under another name",
    "value": "the value differs",
    "choices": "the choices or the default differ",
    "count": "the count differs",
    "facts": "its properties differ",
    "marks": "the same tile with other marks",
    "drawn": "the same edges, drawn otherwise",
    "tiles": "no tile like it on the other side",
    "beside": "the words hold, as far as these leave them: {}",
    "void": "it can no longer happen: {}",
    "documented": "a rulebook describes the difference; no rule depends on it",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a comparison of cells: a state, its impact, and reasons."""

    state: State
    impact: Impact | None = None  # None exactly when the state is `same`
    reasons: tuple[Reason, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
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
    """One of the compared games. `own` are the compared rulesets, `beneath` those they need.

    `editions` are those of the compared rulesets, or of the whole game where they name none, and
    `house_rules` is the number of house rules among them.
    """

    name: str
    title: Labels
    editions: tuple[str, ...]
    years: tuple[int, ...]
    own: tuple[str, ...]
    house_rules: int
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
    """The reason why a statement no longer holds on a side.

    `extent` is `gone`, `void` where what it is about can no longer happen, `part` where other
    rules still carry some of it out, or `changed` where a patch has replaced its rule and names no
    statement. `by` are the patches and rules that did it, `why` the reasons that patches give,
    `values` the values they set, `told_by` the statements that now hold instead, `choices` the
    options in words that were chosen otherwise.
    """

    extent: str
    by: tuple[str, ...]
    why: tuple[str, ...]
    values: tuple[NewValue, ...]
    told_by: tuple[str, ...] = ()
    choices: tuple[Labels, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownStatement:
    """A statement. `carried` is rule, data, option, follows, compares, nothing or awaits.

    `note` has a detail: the option, the rules it follows from, or the reason. `topic` is its own
    topic; it differs from the topic of the row when a documented difference, or an equal statement
    of another side, moved it there. With `lapse` it no longer holds.
    """

    id: str
    topic: str
    says: str
    authority: str
    sources: tuple[str, ...]  # tags
    carried: str
    note: str
    translations: tuple[tuple[str, str], ...] = ()  # its sentence, by language code
    lapse: Lapse | None = None

    @property
    def is_idle(self) -> bool:
        """Whether it changes nothing in the game, as an example, or a sentence about the rules."""
        return self.carried in ("nothing", "awaits", "compares", "option") or (
            self.carried,
            self.note,
        ) == ("data", "module")


@dataclass(frozen=True, slots=True)
class TopicCell:
    """One side's statements on a topic; `details` are differences without a statement."""

    statements: tuple[ShownStatement, ...]
    rules: tuple[str, ...]
    values: tuple[tuple[str, str], ...]
    details: tuple[Labels, ...] = ()


@dataclass(frozen=True, slots=True)
class Documented:
    """A difference described by a statement; the statements it `compares` are in cells of its row.

    It belongs to the row of its topic, and to no cell.
    """

    id: str
    says: str
    authority: str
    sources: tuple[str, ...]  # tags
    compares: tuple[str, ...]  # ids of statements, those on no side too
    translations: tuple[tuple[str, str], ...] = ()  # its sentence, by language code
    is_within: bool = False  # between two texts of one side, so it makes no difference here


@dataclass(frozen=True, slots=True)
class TopicRow:
    """The statements and rules of one topic, a cell for each side."""

    topic: str
    cells: tuple[TopicCell | None, ...]
    has_effect: bool  # whether it has an effect in the game of any side
    verdict: Verdict
    differences: tuple[Documented, ...] = ()

    @property
    def is_void(self) -> bool:
        """Whether all that differs is that it can no longer happen on some sides."""
        return any(reason.code == "void" for reason in self.verdict.reasons)


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """Topics with the same first part."""

    id: str
    label: Labels
    rows: tuple[TopicRow, ...]


# ------------------------------------------------------------------ the turn


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision. `who` is active, each or other."""

    who: str
    what: Labels
    is_optional: bool
    rule: str


@dataclass(frozen=True, slots=True)
class StepCell:
    """A step of the turn on one side."""

    id: str
    label: Labels
    number: int  # its place in the phase, from 1
    is_own: bool  # belongs to a ruleset that is compared, not to one that it requires
    decisions: tuple[Decision, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step of the turn, a cell for each side."""

    phase: str
    cells: tuple[StepCell | None, ...]
    verdict: Verdict


# ------------------------------------------------------------------ everything else


@dataclass(frozen=True, slots=True)
class ComponentCell:
    """A component on one side, with its number."""

    id: str
    label: Labels
    count: int | None
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComponentRow:
    """One component, a cell for each side."""

    what: str  # tiles, double, symbol, attribute, segment, figure, kind, role, stack
    cells: tuple[ComponentCell | None, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ValueCell:
    """A named value or an option on one side; `label` is the choice of an option in words."""

    id: str  # the name on this side
    value: str
    says: str
    statements: tuple[str, ...]
    translations: tuple[tuple[str, str], ...] = ()  # its sentence, by language code
    label: Labels = NO_LABEL


@dataclass(frozen=True, slots=True)
class ValueRow:
    """`is_told`: whether the difference, if there is one, follows from statements."""

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
    """`is_told`: whether the difference, if there is one, follows from statements."""

    cells: tuple[RuleCell | None, ...]
    verdict: Verdict
    is_told: bool = True

    @property
    def id(self) -> str:
        """The id on the first side that has the rule."""
        return next(cell.id for cell in self.cells if cell is not None)


@dataclass(frozen=True, slots=True)
class TilePair:
    """Tiles with equal edges, segments and links. An empty id: the side has no tile like this."""

    left: str
    right: str
    count: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A symbol or an attribute on a tile; `on` is the kind of segment it is printed on, or ""."""

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
        """The number of pieces in all pairs."""
        return sum(pair.count for pair in self.tiles)


@dataclass(frozen=True, slots=True)
class EqualTiles:
    """The number of equal tiles on the sides `left` and `right`."""

    left: int
    right: int
    count: int


@dataclass(frozen=True, slots=True)
class Named:
    """A thing of the compared games and its label."""

    id: str
    label: Labels


@dataclass(frozen=True, slots=True)
class ShortLine:
    """A line of the summary; `topic` is that of its row, or a value when no topic differs.

    `says` are the sides' phrases, with the important words between `**`. A side without a phrase
    is shown by its cell of the row; without any phrase, `heading` and `aspect` are empty too.
    """

    topic: str
    heading: Labels
    aspect: Labels
    says: tuple[Labels | None, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that the summary may have, and what it is chosen by.

    `is_private`: it is about a ruleset without phrases, such as a house rule. `reach` is how much
    of a game its rules reach, from 0 to 300; of a phrase, its author's order counts instead.
    """

    line: ShortLine
    is_phrase: bool
    is_play: bool  # whether play changes
    is_private: bool
    reach: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two or more games, as rows with a cell for each side."""

    sides: tuple[Side, ...]
    topics: tuple[TopicGroup, ...]
    turn: tuple[StepRow, ...]
    components: tuple[ComponentRow, ...]
    tiles: tuple[TileRow, ...]
    same_tiles: tuple[EqualTiles, ...]
    values: tuple[ValueRow, ...]
    rules: tuple[RuleRow, ...]
    beneath: tuple[str, ...]  # differences in the rulesets beneath the sides
    short: tuple[ShortLine, ...]  # the summary
    is_part: bool = False  # whether rows were left out because they were not requested
    labels: tuple[Named, ...] = ()  # labels of the ids in marks and facts
    topic_names: tuple[Named, ...] = ()  # labels of topics under the heading of their group
    candidates: tuple[Candidate, ...] = ()  # the lines among which the summary was chosen

    def topic_rows(self) -> Iterator[TopicRow]:
        """The rows of all topics, in their order."""
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
        """Whether nothing differs."""
        return all(verdict.is_same for verdict in self.verdicts())


# ------------------------------------------------------------------ histories

#: kinds of rulesets that came out in boxes
PRINTED = ("base", "expansion", "edition")


@dataclass(frozen=True, slots=True)
class Chapter:
    """One ruleset's statements on a topic, compared with those `before`.

    `row` has two cells, before and now; it is None when `cell` has no predecessor.
    """

    ruleset: str
    title: Labels
    kind: str
    edition: str
    year: int | None
    before: str  # the id of the ruleset it is laid beside, or ""
    cell: TopicCell | None
    row: TopicRow | None
    sources: tuple[SourceTag, ...]

    @property
    def is_printed(self) -> bool:
        """Whether it was published, unlike a house rule."""
        return self.kind in PRINTED


@dataclass(frozen=True, slots=True)
class TopicHistory:
    """One topic through the printed editions, and the house rules that touch it."""

    topic: str
    heading: Labels  # label of the topic's group, if any
    name: Labels  # label under that heading, if any
    printed: tuple[Chapter, ...]
    house: tuple[Chapter, ...]
