"""TW8: scenarios that are run: what cannot be laid out, cannot be played, or does not come out.

For the game that the examples build on see `codes_names`; there a `cap` shows a town to the north,
and a complete town pays two points for each tile.
"""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo


def _scenario(*lines: str) -> str:
    return (
        "# scenarios/trial.yaml\nscenarios:\n  - id: two-caps\n    says: Two caps are a town.\n"
        "    players: [red, blue]\n" + "".join(f"    {line}\n" for line in lines)
    )


def _draws(do: str) -> str:
    return (
        "# rules/trial.yaml\nrules:\n  - id: trial.rule\n    on: step draw_tile\n"
        f'    after: [table.draw]\n    do: "{do}"\n'
    )


_LAID = "board: ['cap 0,0 N', 'cap 0,1 S']"
_PLAYED = ("play:", "  - draw cap", "  - lay 0,1 S", "  - stand peg 0,1/t1")

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW801",
        "a scenario that cannot be laid out",
        "The game, the players, the board, the figures or the memory of the scenario are not "
        "possible: a tile does not fit, there is no further copy of it, a figure or a place does "
        "not exist, or the game itself cannot be linked.",
        _scenario("board: ['cap 0,0 N', 'cap 0,0 S']", "play: [draw cap]"),
        _scenario(_LAID, "play: [draw cap]"),
    ),
    CodeInfo(
        "TW802",
        "an expectation that does not hold",
        "What the scenario says must be true is not what the rules made of it. Either the rule or "
        "the scenario is wrong; a scenario that comes from a rulebook is changed only with its "
        "citation in hand.",
        _scenario(*_PLAYED, "  - expect: {points: {red: 5}}"),
        _scenario(*_PLAYED, "  - expect: {points: {red: 4}}"),
    ),
    CodeInfo(
        "TW803",
        "a line that cannot be played",
        "The option is not offered at this point, it is somebody else's decision, or the piece to "
        "be drawn does not exist.",
        _scenario("play:", "  - draw cap", "  - lay 7,7 N"),
        _scenario("play:", "  - draw cap", "  - lay 0,1 S"),
    ),
    CodeInfo(
        "TW804",
        "a rule that asked for what cannot be done",
        "While a match was played a rule drew from an empty stack, took a piece that is not there, "
        "or the like. The message names the rule, the stack, piece or figure, and the turn; the "
        "rule's own text is underlined. Either the rule must test first, or a scenario asks for a "
        "piece that the rule draws from another stack than its author thinks.",
        _draws("draw other from away") + _scenario("play:", "  - draw cap", "  - lay 0,1 S"),
        _draws("if not (away is empty) { draw other from away }")
        + _scenario("play:", "  - draw cap", "  - lay 0,1 S"),
    ),
    CodeInfo(
        "TW805",
        "not a game for so many players",
        "The game is played by fewer or by more. How many may play follows from its rules and "
        "options; a scenario can expect this refusal with `fails: TW805`.",
        _scenario("play: [draw cap]").replace("[red, blue]", "[red]"),
        _scenario("play: [draw cap]"),
    ),
    CodeInfo(
        "TW810",
        "no scenario to run",
        "A test without a scenario proves nothing, so it fails: none of the rulesets that were "
        "asked for has a scenario. `tilewright new scenario` writes a first one.",
        "# module.yaml\nid: trial/first\nkind: expansion\ntitle: a trial\n"
        "requires: {base: trial/table}\n",
        _scenario("play: [draw cap]"),
        is_runnable=False,
    ),
)
