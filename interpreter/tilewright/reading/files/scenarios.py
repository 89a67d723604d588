"""Reads scenarios/*.yaml: a board, the choices, the expected states.

Places, options and expressions stay text, because the game is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.model.ruleset import Expectation, Line, Scenario
from tilewright.reading.files.map_reader import MapReader, open_file
from tilewright.reading.files.node_kinds import cut_hint, is_text, kind_of
from tilewright.reading.files.patterns import (
    CODE_OF_DIAGNOSTIC,
    DOTTED,
    JOINED,
    LAID,
    NAME,
    RECAST,
    REMEMBERED,
    RULESET_PART,
    SLUG,
    STACK,
    Form,
)
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Span
from tilewright.source.yaml.tree import YList, YMap, YNode, YText, is_null

#: the largest number of the first turn of a scenario
MAX_TURNS = 100_000


def read_scenarios(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> tuple[Scenario, ...]:
    """The scenarios of a file that have an id."""
    entry = open_file(node, "a file of scenarios", reporter, translator)
    if entry is None:
        return ()
    found = (_scenario(inner) for inner in entry.each("scenarios", "a scenario", required=True))
    scenarios = tuple(scenario for scenario in found if scenario.id)
    entry.close()
    return scenarios


def _scenario(entry: MapReader) -> Scenario:
    scenario_id = entry.text("id", SLUG, required=True)
    if scenario_id:
        entry.what = f"scenario `{scenario_id}`"
    if entry.has("play") == entry.has("fails"):
        found = "both" if entry.has("play") else "neither"
        entry.error(
            "TW212", f"{entry.what} needs either `play` or `fails`, found {found}", entry.where
        )
    players = entry.words("players", NAME, least=1)
    return Scenario(
        id=scenario_id,
        says=entry.text("says", required=True),
        rulesets=entry.words("game", RULESET_PART, least=1),
        options=entry.texts("options", NAME),
        players=players,
        active=entry.text("active", NAME, default=players[0] if players else ""),
        statements=entry.words("proves", SLUG),
        covers=entry.words("covers", DOTTED),
        board=entry.words("board", LAID),
        joined=entry.words("joined", JOINED),
        recast=entry.words("recast", RECAST),
        figures=entry.texts("figures"),
        points=entry.numbers("points", NAME),
        tokens=entry.numbers("tokens"),
        stacks=_stacks(entry),
        memory=entry.texts("memory", REMEMBERED),
        lines=tuple(_line(entry, node) for node in entry.items("play", least=1)),
        fails=entry.text("fails", CODE_OF_DIAGNOSTIC),
        span=entry.span("id"),
        turn=entry.number("turn", least=1, most=MAX_TURNS) or 1,
        places=dict(_places(pair for pair in entry.node.entries if pair[0].value != "play")),
    )


def _stacks(entry: MapReader) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = []
    for name, node in entry.map_of("stacks", STACK):
        if not isinstance(node, YList):
            entry.error(
                "TW203",
                f"`{name.value}` must be a list of pieces, found {kind_of(node)}",
                node.span,
            )
            continue
        pieces = []
        for piece in node.items:
            if isinstance(piece, YText) and is_text(piece):
                if not NAME.fits(piece.value):
                    entry.error(
                        "TW205", f"`{piece.value}` does not look like {NAME.says}", piece.span
                    )
                pieces.append(piece.value)
            else:
                entry.error(
                    "TW203", f"a stack holds names of pieces, found {kind_of(piece)}", piece.span
                )
        found.append((name.value, tuple(pieces)))
    return tuple(found)


def drawn_piece(text: str) -> str:
    """The piece that a line of play draws, or "": `draw` and one word, any other is a choice."""
    match text.split():
        case ["draw", piece]:
            return piece
    return ""


def _line(entry: MapReader, node: YNode) -> Line:
    if isinstance(node, YText) and is_text(node) and node.value.strip():
        piece = drawn_piece(node.value)
        if piece:
            return Line("draw", piece, None, node.span)
        return Line("choose", node.value.strip(), None, node.span)
    if not isinstance(node, YMap):
        entry.error(
            "TW203",
            f"a line of play must be text or `expect:` with a map, found {kind_of(node)}",
            node.span,
            cut_hint(node, entry.node),
        )
        return Line("choose", "", None, node.span)
    match node.entries:
        case ((key, value),) if key.value == "choose":
            inner = entry.enter(node, "a line of play")
            assert inner is not None
            text = inner.text("choose", required=True)
            return Line("choose", text.strip(), None, value.span)
        case ((key, YText() as value),) if key.value != "expect":
            text = f"{key.value}: {value.value}"
            message = f"`{text}` is read as a key and a value, not as a text"
            hint = f'write a line with a colon in quotes: `- "{text}"`'
            if key.value == "draw":
                hint = f"write it without a colon: `- draw {value.value}`"
            entry.error("TW203", message, node.span, hint=hint)
            return Line("choose", "", None, node.span)
    inner = entry.enter(node, "a line of play")
    assert inner is not None
    wanted = inner.get("expect", required=True)
    expected = inner.enter(wanted, "`expect`") if wanted is not None else None
    inner.close()
    if expected is None:
        return Line("expect", "", None, node.span)
    line = Line("expect", "", _expectation(expected), inner.where)
    expected.close()
    return line


def _expectation(entry: MapReader) -> Expectation:
    return Expectation(
        points=entry.numbers("points", NAME),
        gained=entry.texts("gained", NAME),
        figures=entry.texts("figures"),
        supply=entry.numbers("supply"),
        tokens=entry.numbers("tokens"),
        stacks=entry.numbers("stacks", STACK),
        tiles=entry.number("tiles", least=0),
        memory=entry.texts("memory", REMEMBERED),
        values=entry.texts("values"),
        decides=entry.text("decides", NAME) or None,
        step=entry.text("step", NAME) or None,
        options=_if_given(entry, "options"),
        offered=entry.words("offered"),
        refused=_refused(entry),
        over=entry.truth("over"),
        winners=_if_given(entry, "winners", NAME),
        span=entry.where,
        places=dict(_places(entry.node.entries)),
    )


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


def _if_given(entry: MapReader, key: str, form: Form | None = None) -> tuple[str, ...] | None:
    """A list of texts; None (no expectation) differs from an empty list."""
    found = entry.words(key, form)
    return found if entry.has(key) else None


def _refused(entry: MapReader) -> tuple[tuple[str, str], ...]:
    """Options that must not be offered, with the rule that forbids each, or ""."""
    found = []
    for option, node in entry.map_of("refused"):
        if not isinstance(node, YText) or not (is_text(node) or is_null(node)):
            entry.error(
                "TW203", f"`{option.value}` must name a rule, found {kind_of(node)}", node.span
            )
            continue
        rule = "" if is_null(node) else node.value
        if rule and not DOTTED.fits(rule):
            entry.error("TW205", f"`{rule}` does not look like {DOTTED.says}", node.span)
        found.append((option.value, rule))
    return tuple(found)
