"""The keys of scenarios/*.yaml: a board, the choices, the expected states.

Places, options and expressions stay text, because the game is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tilewright.model.ruleset import Expectation, Line, Scenario
from tilewright.reading.files.map_reader import MapReader
from tilewright.reading.files.node_kinds import cut_hint, is_text, kind_of
from tilewright.reading.files.patterns import (
    CODE_OF_DIAGNOSTIC,
    DOTTED,
    JOINED,
    LAID,
    LINE,
    MAYBE_RULE,
    NAME,
    RECAST,
    REMEMBERED,
    RULESET_PART,
    SLUG,
    STACK,
)
from tilewright.reading.files.shapes import (
    IGNORE,
    NOTHING,
    Either,
    ListOf,
    Map,
    MapOf,
    Number,
    Scalar,
    Shape,
    Text,
    Truth,
    Way,
    read_file,
    texts,
)
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span
from tilewright.source.yaml.tree import YList, YMap, YNode, YText, is_null

#: the largest number of the first turn of a scenario
MAX_TURNS = 100_000


# ------------------------------------------------------------------ checks and conversions


def _scenario(at: MapReader, values: dict[str, Any]) -> Scenario | None:
    if at.has("play") == at.has("fails"):
        found = "both" if at.has("play") else "neither"
        at.error("TW212", f"{at.what} needs either `play` or `fails`, found {found}", at.where)
    values["active"] = values["active"] or "".join(values["players"][:1])
    places = dict(_places(pair for pair in at.node.entries if pair[0].value != "play"))
    return Scenario(**values, span=at.span("id"), places=places) if values["id"] else None


def _stack(at: MapReader, name: YText, node: YNode) -> tuple[str, tuple[str, ...]] | None:
    if not isinstance(node, YList):
        message = f"`{name.value}` must be a list of pieces, found {kind_of(node)}"
        at.error("TW203", message, node.span)
        return None
    pieces = []
    for piece in node.items:
        if is_text(piece):
            at.formed(NAME, piece)
            pieces.append(piece.value)
        else:
            message = f"a stack holds names of pieces, found {kind_of(piece)}"
            at.error("TW203", message, piece.span)
    return name.value, tuple(pieces)


def _refused(at: MapReader, option: YText, node: YNode) -> tuple[str, str] | None:
    """An option that must not be offered, with the rule that forbids it, or ""."""
    if not isinstance(node, YText) or not (is_text(node) or is_null(node)):
        message = f"`{option.value}` must name a rule, found {kind_of(node)}"
        at.error("TW203", message, node.span)
        return None
    rule = "" if is_null(node) else node.value
    if rule:
        at.formed(DOTTED, node)
    return option.value, rule


def drawn_piece(text: str) -> str:
    """The piece that a line of play draws, or "": `draw` and one word, any other is a choice."""
    match text.split():
        case ["draw", piece]:
            return piece
    return ""


def _line(at: MapReader, key: str, node: YNode) -> Any:
    if is_text(node) and node.value.strip():
        piece = drawn_piece(node.value)
        if piece:
            return Line("draw", piece, None, node.span)
        return Line("choose", node.value.strip(), None, node.span)
    if not isinstance(node, YMap):
        at.error(
            "TW203",
            f"a line of play must be text or `expect:` with a map, found {kind_of(node)}",
            node.span,
            cut_hint(node, at.node),
        )
        return Line("choose", "", None, node.span)
    match node.entries:
        case ((word, _),) if word.value == "choose":
            return _CHOICE.made(MapReader(node, "a line of play", at.reporter, parent=at))
        case ((word, YText() as value),) if word.value != "expect":
            text = f"{word.value}: {value.value}"
            message = f"`{text}` is read as a key and a value, not as a text"
            hint = f'write a line with a colon in quotes: `- "{text}"`'
            if word.value == "draw":
                hint = f"write it without a colon: `- draw {value.value}`"
            at.error("TW203", message, node.span, hint=hint)
            return Line("choose", "", None, node.span)
    return _LOOK.made(MapReader(node, "a line of play", at.reporter, parent=at))


def _choice(at: MapReader, values: dict[str, Any]) -> Line:
    return Line("choose", values["choose"].strip(), None, at.span("choose"))


def _look(at: MapReader, values: dict[str, Any]) -> Line:
    expected = values["expect"]
    return Line("expect", "", expected, at.where if expected is not None else at.node.span)


def _expectation(at: MapReader, values: dict[str, Any]) -> Expectation:
    return Expectation(**values, span=at.where, places=dict(_places(at.node.entries)))


def _places(entries: Iterable[tuple[YText, YNode]]) -> Iterator[tuple[str, Span]]:
    """The places of keys, and of the keys and texts below each."""
    for key, value in entries:
        yield key.value, key.span
        below: Iterable[tuple[str, Span]] = ()
        match value:
            case YText():
                below = ((value.value, value.span),)
            case YMap():
                below = _places(value.entries)
            case YList():
                texts = (item for item in value.items if isinstance(item, YText))
                below = ((item.value, item.span) for item in texts)
        for name, place in below:
            yield f"{key.value} {name}", place


# ------------------------------------------------------------------ the keys


def _counts(says: str, *examples: Any) -> MapOf:
    return MapOf(says, None, Number("How many."), names="<words>", examples=examples)


def _by_player(says: str, each: Shape, *examples: Any) -> MapOf:
    return MapOf(says, NAME, each, names="seat", examples=examples)


def _memory(says: str) -> MapOf:
    return MapOf(says, REMEMBERED, Scalar("The value.", names="<words>"), names="<memory>")


_FIGURES = MapOf(
    "The places of figures.",
    None,
    Scalar("A place.", names="<words>", examples=("0,0/c1",)),
    names="<words>",
)
_OPTION = "An option."
_EXPECT = {
    "over": Truth("Whether the game is over.", default=None),
    "gained": _by_player(
        "The last points of players, with their items.",
        Scalar("The points and their items.", examples=("4 = tiles 4",)),
    ),
    "points": _by_player("Points of players.", Number("Points."), {"red": 4}),
    "decides": Text("The player who must choose.", NAME, names="seat", default=None),
    "step": Text("The step the game is at.", NAME, names="step", default=None),
    "tiles": Number("How many tiles are on the board.", 0),
    "memory": _memory("Variables of the match and their values as text."),
    "stacks": MapOf("How many pieces are in stacks.", STACK, Number("How many."), names="<words>"),
    "figures": _FIGURES,
    "tokens": _counts(
        "How many tokens players have, or, without a player, are left in the common supply.",
        {"red bead": 2},
    ),
    "supply": _counts("How many figures are in supply.", {"red peg": 7}),
    "winners": texts("The winners.", "A player.", NAME, names="seat", default=None),
    "options": texts(
        "Exactly the options that are offered, one line each.",
        _OPTION,
        names="<words>",
        default=None,
    ),
    "offered": texts("Some of the options that are offered.", _OPTION, names="<words>"),
    "refused": MapOf(
        "Options that are not offered, and the rule that forbids each.",
        None,
        Either(
            "The rule, or null.",
            (Text("The rule, if one is meant.", MAYBE_RULE, names="rule"), NOTHING),
        ),
        each=_refused,
        names="<words>",
    ),
    "values": MapOf(
        "Expressions and their values, as text.", None, Scalar("The value."), names="<expression>"
    ),
}
_CHOICE = Map(
    "A choice that reads like a draw.",
    {
        "choose": Text(
            "The choice, in the common notation.",
            required=True,
            names="<line>",
            examples=("draw land",),
        )
    },
    _choice,
)
_LOOK = Map(
    "A look at the game.",
    {
        "expect": Map(
            "The expected state; parts that are not named are not checked.",
            _EXPECT,
            _expectation,
            required=True,
        )
    },
    _look,
)
_SCENARIO = {
    "id": Text("Its id.", SLUG, required=True, names="=scenario", examples=("one-small-town",)),
    "says": Text("The sentence that the scenario proves.", required=True),
    "proves": texts(
        "The statements it proves.", "A statement.", SLUG, names="statement", kept_as="statements"
    ),
    "covers": texts("The rules that it shows at work.", "A rule.", DOTTED, names="rule"),
    "game": texts(
        "The rulesets that are played; by default this ruleset and those that it requires.",
        "A ruleset, or a part of one.",
        RULESET_PART,
        names="ruleset",
        least=1,
        kept_as="rulesets",
    ),
    "options": MapOf(
        "Values of options.", NAME, Scalar("The value of this option."), names="option"
    ),
    "players": texts(
        "The colours that play, in order.",
        "A colour.",
        NAME,
        names="seat",
        least=1,
        examples=(["red", "blue"],),
    ),
    "active": Text("The active player; the first player by default.", NAME, names="seat"),
    "turn": Number(
        "The number of the turn that begins; needs a `board`.",
        1,
        MAX_TURNS,
        default=1,
        examples=(12,),
    ),
    "board": texts(
        "The tiles on the board: piece, cell, direction of the printed north.",
        "A piece on the board.",
        LAID,
        names="<laid>",
        item_examples=("corner 0,0 N",),
    ),
    "joined": texts(
        "The segments that rules have joined, in pairs.",
        "Two joined segments.",
        JOINED,
        item_examples=("0,0/r1 2,-1/r2",),
    ),
    "recast": texts(
        "The features that rules have made another kind: a segment, and the kind.",
        "A segment and a kind of feature.",
        RECAST,
        names="<words>",
        item_examples=("0,0/c1 ruin",),
    ),
    "figures": _FIGURES,
    "points": _by_player("Points that players have.", Number("Points.")),
    "tokens": _counts("Tokens that players have, out of the common supply.", {"red bead": 2}),
    "stacks": MapOf(
        "The contents of stacks; the other stacks are as set up.",
        STACK,
        ListOf("The pieces, the next one first.", Text("A piece.", NAME, names="<words>")),
        each=_stack,
        names="<words>",
    ),
    "memory": _memory(
        "Variables of the match. One that is kept for things has the thing before its name."
    ),
    "play": ListOf(
        "The play, line by line.",
        Either(
            "A line of play.",
            (
                Text(
                    "`draw` and the drawn piece, or a choice in the common notation.",
                    LINE,
                    names="<line>",
                    examples=("draw corner", "lay 1,0 S", "pass"),
                ),
                _CHOICE,
                _LOOK,
            ),
            reader=_line,
        ),
        1,
        kept_as="lines",
    ),
    "fails": Text(
        "The code of the expected diagnostic, instead of `play`.",
        CODE_OF_DIAGNOSTIC,
        examples=("TW703",),
    ),
}
SCENARIOS = Map(
    "Situations, the choices made in them, and the expected results.",
    {
        "ignore": IGNORE,
        "scenarios": ListOf(
            "The scenarios.",
            Map(
                "A scenario.",
                _SCENARIO,
                _scenario,
                "scenario",
                has_name=True,
                ways=(Way(("play",)), Way(("fails",))),
            ),
            required=True,
        ),
    },
    what="a file of scenarios",
    title="scenarios/*.yaml: the scenarios",
)


def read_scenarios(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> tuple[Scenario, ...]:
    """The scenarios of a file that have an id."""
    found = (read_file(SCENARIOS, node, reporter, translator) or {}).get("scenarios", ())
    return tuple(each for each in found if each is not None)
