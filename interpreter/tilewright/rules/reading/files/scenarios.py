"""The keys of scenarios/*.yaml: a board, the choices, the expected states.

Places, options and expressions stay text, because the game is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Span, words_of
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, is_null
from tilewright.rules.model.ruleset import Expectation, Line, Scenario
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.node_kinds import cut_hint, is_text, kind_of
from tilewright.rules.reading.files.patterns import (
    CODE_OF_DIAGNOSTIC,
    JOINED,
    KNOWN,
    KNOWN_DOTTED,
    LAID,
    LINE,
    MAYBE_RULE,
    NAME,
    RECAST,
    REMEMBERED,
    RULESET_PART,
    SEVERAL_WORDS,
    SLUG,
    STACK,
)
from tilewright.rules.reading.files.translations import Translator

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
            at.formed(KNOWN, piece)
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
        at.formed(KNOWN_DOTTED, node)
    return option.value, rule


def drawn_piece(text: str) -> str:
    """The piece that a line of play draws, or "": `draw` and one word, any other is a choice."""
    match words_of(text):
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
        case ((word, YText() as value),) if word.value == "draw" and len(value.value.split()) > 1:
            return _DRAW.made(MapReader(node, "a line of play", at.reporter, parent=at))
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


def _draw(at: MapReader, values: dict[str, Any]) -> Line:
    return Line("draw", values["draw"].strip(), None, at.span("draw"))


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


def _counts(says: str, like: Any = ()) -> s.MapOf:
    return s.MapOf(says, None, s.Number("How many."), names="<words>", like=like)


def _by_player(says: str, each: s.Shape, like: Any = ()) -> s.MapOf:
    return s.MapOf(says, NAME, each, names="seat", like=like)


def _memory(says: str) -> s.MapOf:
    return s.MapOf(says, REMEMBERED, s.Scalar("The value.", names="<words>"), names="<memory>")


_FIGURES = s.MapOf(
    "The places of figures.",
    None,
    s.Scalar("A place.", names="<words>", like="0,0/c1"),
    names="<words>",
)
_OPTION = "An option."
_EXPECT = {
    "over": s.Truth("Whether the game is over.", default=None),
    "gained": _by_player(
        "The last points of players, with their items.",
        s.Scalar("The points and their items.", like="4 = tiles 4"),
    ),
    "points": _by_player("Points of players.", s.Number("Points."), {"red": 4}),
    "decides": s.Text("The player who must choose.", NAME, names="seat", default=None),
    "step": s.Text("The step the game is at.", KNOWN, names="step", default=None),
    "tiles": s.Number("How many tiles are on the board.", 0),
    "memory": _memory("Variables of the match and their values as text."),
    "stacks": s.MapOf(
        "How many pieces are in stacks.", STACK, s.Number("How many."), names="<words>"
    ),
    "figures": _FIGURES,
    "tokens": _counts(
        "How many tokens players have, or, without a player, are left in the common supply.",
        {"red bead": 2},
    ),
    "supply": _counts("How many figures are in supply.", {"red peg": 7}),
    "winners": s.texts("The winners.", "A player.", NAME, names="seat", default=None),
    "options": s.texts(
        "Exactly the options that are offered, one line each.",
        _OPTION,
        names="<words>",
        default=None,
    ),
    "offered": s.texts("Some of the options that are offered.", _OPTION, names="<words>"),
    "refused": s.MapOf(
        "Options that are not offered, and the rule that forbids each.",
        None,
        s.Either(
            "The rule, or null.",
            (s.Text("The rule, if one is meant.", MAYBE_RULE, names="rule"), s.NOTHING),
        ),
        each=_refused,
        names="<words>",
    ),
    "values": s.MapOf(
        "Expressions and their values, as text.", None, s.Scalar("The value."), names="<expression>"
    ),
}
_CHOICE = s.Map(
    "A choice that reads like a draw.",
    {
        "choose": s.Text(
            "The choice, in the common notation.", required=True, names="<line>", like="draw land"
        )
    },
    _choice,
)
_DRAW = s.Map(
    "A draw whose text has several words.",
    {
        "draw": s.Text(
            "The member of a set, in the common notation.",
            SEVERAL_WORDS,
            required=True,
            names="<line>",
            like="red peg 0,0/t1",
        )
    },
    _draw,
)
EXPECTATION = s.Map(
    "The expected state; parts that are not named are not checked.",
    _EXPECT,
    _expectation,
    required=True,
)
_LOOK = s.Map("A look at the game.", {"expect": EXPECTATION}, _look)
_SCENARIO = {
    "id": s.Text("Its id.", SLUG, required=True, names="=scenario", like="one-small-town"),
    "says": s.Text("The sentence that the scenario proves.", required=True),
    "proves": s.texts(
        "The statements it proves.", "A statement.", SLUG, names="statement", kept_as="statements"
    ),
    "covers": s.texts("The rules that it shows at work.", "A rule.", KNOWN_DOTTED, names="rule"),
    "game": s.texts(
        "The rulesets that are played; by default this ruleset and those that it requires.",
        "A ruleset, or a part of one.",
        RULESET_PART,
        names="ruleset",
        least=1,
        kept_as="rulesets",
    ),
    "options": s.MapOf(
        "Values of options.", KNOWN, s.Scalar("The value of this option."), names="option"
    ),
    "players": s.texts(
        "The colours that play, in order.",
        "A colour.",
        NAME,
        names="seat",
        least=1,
        like=["red", "blue"],
    ),
    "active": s.Text("The active player; the first player by default.", NAME, names="seat"),
    "turn": s.Number(
        "The number of the turn that begins; needs a `board`.", 1, MAX_TURNS, default=1, like=12
    ),
    "board": s.texts(
        "The tiles on the board: piece, cell, direction of the printed north.",
        "A piece on the board.",
        LAID,
        names="<laid>",
        each_like="corner 0,0 N",
    ),
    "joined": s.texts(
        "The segments that rules have joined, in pairs.",
        "Two joined segments.",
        JOINED,
        each_like="0,0/r1 2,-1/r2",
    ),
    "recast": s.texts(
        "The features that rules have made another kind: a segment, and the kind.",
        "A segment and a kind of feature.",
        RECAST,
        names="<words>",
        each_like="0,0/c1 ruin",
    ),
    "figures": _FIGURES,
    "points": _by_player("Points that players have.", s.Number("Points.")),
    "tokens": _counts("Tokens that players have, out of the common supply.", {"red bead": 2}),
    "stacks": s.MapOf(
        "The contents of stacks; the other stacks are as set up.",
        STACK,
        s.ListOf("The pieces, the next one first.", s.Text("A piece.", KNOWN, names="<words>")),
        each=_stack,
        names="<words>",
    ),
    "memory": _memory(
        "Variables of the match. One that is kept for things has the thing before its name."
    ),
    "play": s.ListOf(
        "The play, line by line.",
        s.Either(
            "A line of play.",
            (
                s.Text(
                    "`draw` and the drawn piece, or a choice in the common notation.",
                    LINE,
                    names="<line>",
                    like=("draw corner", "lay 1,0 S", "pass"),
                ),
                _CHOICE,
                _DRAW,
                _LOOK,
            ),
            reader=_line,
        ),
        1,
        kept_as="lines",
    ),
    "fails": s.Text(
        "The code of the expected diagnostic, instead of `play`.", CODE_OF_DIAGNOSTIC, like="TW703"
    ),
}
SCENARIO = s.Map(
    "A scenario.",
    _SCENARIO,
    _scenario,
    "scenario",
    has_name=True,
    ways=(s.Way(("play",)), s.Way(("fails",))),
)
SCENARIOS = s.Map(
    "Situations, the choices made in them, and the expected results.",
    {
        "ignore": s.IGNORE,
        "scenarios": s.ListOf("The scenarios.", SCENARIO, required=True),
    },
    what="a file of scenarios",
    title="scenarios/*.yaml: the scenarios",
)


def read_scenarios(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> tuple[Scenario, ...]:
    """The scenarios of a file that have an id."""
    found = (s.read_file(SCENARIOS, node, reporter, translator) or {}).get("scenarios", ())
    return tuple(each for each in found if each is not None)
