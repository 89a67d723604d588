"""The state of a match at the table: board, players, options, happenings, and the tree."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import Cell, Labelled, Name
from tilewright.play.observation import North

SeatKind = Literal["person", "bot"]
StepStatus = Literal["done", "now", "skipped", "coming"]


class TileOwner(TypedDict):
    """The number of a segment of a tile, and the colours of those who have figures on its feature,
    the one with most first, or who had points for it."""

    segment: int
    colours: list[str]


class BoardTile(TypedDict):
    """A cell of a piece on the board: `part` is its number among the cells of the face, `turn`
    counts clockwise quarter turns, `laid` the choices before it lay there, `by` is the seat that
    laid it. `finished` are the numbers of its segments whose features are complete, `flags` those
    of them that somebody had points for, `owners` those of others that somebody has figures on."""

    cell: Cell
    piece: str
    face: int
    part: int
    turn: int
    laid: NotRequired[int]
    by: NotRequired[str]
    finished: NotRequired[list[int]]
    flags: NotRequired[list[TileOwner]]
    owners: NotRequired[list[TileOwner]]


class BoardFigure(TypedDict):
    """A figure that is not at home. `at` is its place on its tile as that lies, (u, v) from 0 to 1,
    clear of other figures; a figure off the board has no cell, and `place` is its place."""

    id: str
    kind: str
    label: str
    owner: str | None
    cell: Cell | None
    at: list[float]
    place: str
    segment: NotRequired[str]
    role: NotRequired[str]
    lying: bool
    facing: NotRequired[North]
    beside: NotRequired[str]


class BoardToken(TypedDict):
    """So many tokens of a kind on a tile. `at` is their place on it as it lies, (u, v) from 0 to 1;
    `label` names the kind."""

    kind: str
    label: str
    count: int
    cell: Cell
    at: list[float]


class BoardJoin(TypedDict):
    """Two segments that are one feature without touching: their cells, their places there, (u, v)
    from 0 to 1, and both in words."""

    cells: list[Cell]
    at: list[list[float]]
    words: str


class BoardRecast(TypedDict):
    """A feature of another kind than is printed: the cells of its segments, their places there,
    (u, v) from 0 to 1, the colour of the kind, and what the feature is in words."""

    cells: list[Cell]
    at: list[list[float]]
    colour: str
    words: str


class BoardState(TypedDict):
    """The board: its tiles in the order in which they were laid, its figures, tokens, joins and
    recasts, and its edges: the least and greatest x and y."""

    tiles: list[BoardTile]
    figures: list[BoardFigure]
    tokens: list[BoardToken]
    joins: list[BoardJoin]
    recasts: list[BoardRecast]
    bounds: list[int]


class Turning(TypedDict):
    """A turn of a piece in hand: on how many places it fits, and why on none."""

    turn: int
    face: int
    places: int


class DrawnPiece(TypedDict):
    """A piece that may be laid now, and its turns."""

    piece: str
    label: str
    words: str
    copies: int
    turns: list[Turning]


class DecisionState(TypedDict):
    """A decision: a sentence, and the number of its options. `skip` is the number of the pass,
    `skip_label` its words. `has_worth`: `match.worth` lists what each option brings."""

    seat: str
    sentence: str
    more: str
    kind: Literal["placement", "options"]
    skip: int | None
    skip_label: str
    has_worth: bool


class Shown(TypedDict):
    """The figure to draw at the spot of an offer."""

    kind: str
    owner: str | None
    lying: bool


class Offer(TypedDict):
    """An option. `text` is its notation; `label` says what, `detail` where or on whom, `confirm`
    both in a few words; `group` is equal for equal acts.

    `cell`, `turn` and `face` are those of a placement; else `cell`, `segment` and `at` are the spot
    that it points to, as it lies. `worth` is left to `match.worth`."""

    n: int
    verb: str
    kind: Literal[
        "lay",
        "figure",
        "spot",
        "cell",
        "player",
        "number",
        "piece",
        "token",
        "item",
        "pass",
        "direction",
        "other",
    ]
    text: str
    label: str
    detail: str
    confirm: str
    group: str
    cell: NotRequired[Cell]
    at: NotRequired[list[float]]
    turn: NotRequired[int]
    face: NotRequired[int]
    piece: NotRequired[str]
    segment: NotRequired[str]
    figure: NotRequired[str]
    from_cell: NotRequired[Cell]
    shows: NotRequired[Shown]
    player: NotRequired[str]
    number: NotRequired[int]
    token: NotRequired[str]
    item: NotRequired[str]
    direction: NotRequired[North]


class Worth(TypedDict):
    """The worth of an option: points at once, and points if the game ended with this turn, both
    against doing nothing (or against the position before, where one must choose)."""

    n: int
    now: int
    end: int


class Step(Labelled):
    """A step of the turn."""

    status: StepStatus
    why: str


class Holding(Labelled):
    """So many of a thing; `out` are those that are not at home."""

    count: int
    out: int


class Player(TypedDict):
    """A player as everybody sees him."""

    seat: str
    label: str
    name: str
    colour: str
    kind: SeatKind
    bot: str
    points: int
    figures: list[Holding]
    tokens: list[Holding]
    to_move: bool
    active: bool
    winner: bool


class StackedItem(Labelled):
    """So many items of a kind in a stack."""

    count: int


class StackRow(Labelled):
    """A stack: `pieces` or `items` where whoever looks may see them."""

    count: int
    owner: str | None
    pieces: NotRequired[list[str]]
    items: NotRequired[list[StackedItem]]


class Gain(TypedDict):
    """Points that somebody got; `award` is its number for `match.why`."""

    award: int
    seat: str
    points: int
    text: str
    items: list[GainItem]
    rule: str
    cells: list[Cell]
    turn: int


class GainItem(TypedDict):
    """An item of an award."""

    label: str
    points: int


class Happening(TypedDict):
    """Something that happened with a choice. `from_cell` and `from_at` are where a figure stood
    before; `path` are the cells of a figure that moved more than once; `node` is the choice."""

    kind: Literal[
        "turn",
        "final",
        "over",
        "chosen",
        "drawn",
        "stacked",
        "laid",
        "moved",
        "home",
        "faced",
        "given",
        "spent",
        "joined",
        "parted",
        "recast",
        "covered",
        "award",
    ]
    text: str
    seat: NotRequired[str]
    cell: NotRequired[Cell]
    at: NotRequired[list[float]]
    from_cell: NotRequired[Cell]
    from_at: NotRequired[list[float]]
    piece: NotRequired[str]
    figure: NotRequired[str]
    path: NotRequired[list[Cell]]
    gain: NotRequired[Gain]
    node: NotRequired[int]


class Outcome(TypedDict):
    """Something that a choice brought about, and the cells where."""

    text: str
    cells: list[Cell]


class Node(TypedDict):
    """A choice in the tree of a match. `text` is what was chosen, and `cells` where; `log` is what
    followed from it, and `effects` the part of it that neither the choice nor the points show."""

    id: int
    parent: int
    seat: str
    bot: bool
    turn: int
    step: str
    text: str
    notation: str
    log: list[str]
    cells: list[Cell]
    effects: list[Outcome]
    gains: list[Gain]
    points: list[int]
    children: list[int]
    mark: str
    note: str


class MatchState(TypedDict):
    """A match at a moment, as one seat sees it. `at` is the number of `node` in its tree.

    `covered` is true where options would show a hidden hand; whoever decides then asks for the
    state of his seat."""

    match: Name
    game: str
    title: str
    at: int
    node: Node
    tip: int
    seat: str | None
    covered: bool
    turn: int
    phase: Literal["setup", "turn", "final", "over"]
    step: str
    steps: list[Step]
    decision: DecisionState | None
    drawn: list[DrawnPiece]
    offers: list[Offer]
    board: BoardState
    players: list[Player]
    stacks: list[StackRow]
    supply: list[Holding]
    memory: list[Remembered]
    events: list[Happening]
    over: bool
    winners: list[str]
    result: str
    fault: Fault | None
    can_undo: bool
    can_redo: bool
    digest: str


class Remembered(Labelled):
    """A value that the game remembers, in words."""

    value: str


class Fault(TypedDict):
    """The rule that could not be carried out."""

    text: str
    rule: str
    file: str
    line: int
