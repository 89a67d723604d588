"""The page of a history: every declaration and patch of a thing, oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tilewright.faces.cli.arguments import game_from, library_for
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import bold, dim, heading, place, refuse, say, say_json, wrapped
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.rules.linking.game import Game
from tilewright.tools.changes.provenance import (
    KINDS,
    Contribution,
    History,
    histories,
    history,
    known_names,
)
from tilewright.tools.workspace.loading import load_game
from tilewright.view.comparison.export import plain


def print_histories(
    name: str,
    text: str | None,
    with_: Iterable[Path] | None,
    option: Sequence[str] | None,
    form: str,
) -> None:
    """Print the histories of a name, in a game or in all rulesets that declare it."""
    found: Sequence[tuple[Game, History]]
    if text is None:
        library = library_for(with_)
        found = histories(name, library)
        known: tuple[str, ...] = ()
    else:
        library, ids, chosen = game_from(text, with_, option)
        game, reporter = load_game(ids, chosen, library)
        if game is None:
            raise refuse(reporter.diagnostics)
        found = [(game, one) for one in history(name, game, library)]
        known = known_names(game)
    if not found:
        where = f"in `{text}`" if text else "in any ruleset"
        hint = f"a kind may precede the name: {', '.join(KINDS)}"
        message = f"nothing is called `{name}` {where}{did_you_mean(name, known)}"
        raise Stop(USAGE, message, hint)
    if form == "json":
        say_json([_data(game, one) for game, one in found])
        return
    for number, (game, one) in enumerate(found):
        if number:
            say()
        _print(game, one)


def _data(game: Game, one: History) -> dict[str, Any]:
    data = plain(one)
    assert isinstance(data, dict)
    return {"game": game.id, "hash": game.hash, **data}


def _print(game: Game, one: History) -> None:
    say(f"{bold(f'{one.kind} {one.id}')} in {game.id}")
    for hand in one.hands:
        _print_hand(hand)
    if one.bearings:
        heading("affected by")
        for other in one.bearings:
            say(f"  {other.how}: {bold(other.id)} of {other.ruleset}")
            _print_text(other.text, 4)
            say(dim(f"    {place(other.span.file, other.span.line)}"))
    heading("now" if one.in_force else "now it is not in the game")
    _print_text(one.now, 2)


_WORDS = {
    "declared": "declares it",
    "edition": "declares it again, as the later edition",
    "set": "sets it",
    "replace": "puts another rule in its place",
    "remove": "leaves it out",
    "adjust": "adjusts it",
    "insert before": "inserts something before it",
    "insert after": "inserts something after it",
}


def _print_hand(hand: Contribution) -> None:
    action = _WORDS.get(hand.how, hand.how)
    note = "" if hand.in_force else "  (not in force)"
    say()
    say(f"  {bold(hand.ruleset)} {action}{note}" + (f", by {hand.id}" if hand.why else ""))
    if hand.under:
        say(f"    under {', '.join(hand.under)}")
    if hand.old and hand.new and "\n" not in hand.old + hand.new and len(hand.old + hand.new) < 70:
        say(f"    {hand.old} → {hand.new}")
    else:
        _print_text(hand.new or hand.old, 4, "" if hand.new else "- ")
    if hand.why:
        say(wrapped(f"why: {hand.why}", 4))
    for statement in hand.statements:
        say(wrapped(statement.text(), 4, 6))
    say(dim(f"    {place(hand.span.file, hand.span.line)}"))


def _print_text(text: str, indent: int, mark: str = "") -> None:
    for line in text.split("\n") if text else ():
        say(f"{' ' * indent}{mark}{line}")
