"""The page of a match played under other rules: the first difference, if there is one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tilewright.cli.arguments import game_from
from tilewright.cli.exit_codes import PROBLEMS, Stop
from tilewright.cli.output import bold, heading, refuse, rows, say, say_json, wrapped
from tilewright.cli.views.match_log import award_data, print_award, statement_data
from tilewright.compiling.compile_game import compile_game
from tilewright.render.match_phrases import seat_label
from tilewright.runtime.match import Match
from tilewright.runtime.program import Program
from tilewright.tools.persistence.replay import LogError
from tilewright.tools.persistence.saves import Save
from tilewright.tools.witness.replay_under import ParallelReplay, Split, play_under
from tilewright.tools.workspace.loading import load_game_under


def print_parallel_replay(
    save: Save, own: Program, under: str, with_: Iterable[Path] | None, form: str, language: str
) -> bool:
    """Play a save under the rules of another game and print the result; returns whether both end
    equally.
    """
    library, ids, options = game_from(under, with_)
    more = "&".join(f"{name}={value}" for name, value in options.items())
    text = f"{ids}?{more}" if more else ids
    game, reporter = load_game_under(text, dict(save.options), library)
    if game is None:
        raise refuse(reporter.diagnostics)
    try:
        found = play_under(save, own, compile_game(game))
    except LogError as fault:
        raise Stop(PROBLEMS, f"{save.name}: {fault}") from fault
    if form == "json":
        say_json(_data(found, language))
    else:
        _print(found, language)
    return found.split is None


_TITLES = {
    "draws": "other pieces are drawn",
    "points": "points differ",
    "places": "figures stand elsewhere",
    "tiles": "tiles lie elsewhere",
    "tokens": "players hold other tokens",
    "stacks": "stacks hold more or fewer pieces",
    "decision": "something else is to be decided",
    "choice": "the choice is not offered any more",
    "end": "one game ends, the other does not",
    "fault": "the match cannot go on",
}


def _print(found: ParallelReplay, language: str) -> None:
    names = [match.program.game.id for match in (found.before, found.after)]
    say(f"{bold(names[0])} under {bold(names[1])}")
    split = found.split
    if found.offers is not None:
        heading(f"first other offer: turn {found.offers.turn}, {found.offers.decision}")
        _both("only before", found.offers.only_before)
        _both("only now", found.offers.only_after)
    if split is None:
        say()
        say(f"{found.choices} choices: both end the same, {_points(found.after, language)}")
        return
    heading(f"after {found.choices} choices, turn {split.turn}: {_TITLES[split.what]}")
    say(wrapped(split.decision, 2, 4))
    _both("before", split.before)
    _both("now", split.after)
    _awards(found, split, language)
    for line in split.absent:
        say(wrapped(line, 2, 4))
    for reason in split.reasons:
        say(wrapped(reason.text(), 2, 4))
        for statement in reason.statements:
            say(wrapped(statement.text(), 4, 6))


def _both(title: str, lines: tuple[str, ...]) -> None:
    if lines:
        shown = [*lines[:_MAX], *([f"and {len(lines) - _MAX} more"] * (len(lines) > _MAX))]
        say(rows([(title, "; ".join(shown))]))


_MAX = 12


def _awards(found: ParallelReplay, split: Split, language: str) -> None:
    sides = (("before", found.before, split.awards[0]), ("now", found.after, split.awards[1]))
    for title, match, awards in sides:
        for award in awards:
            say()
            say(f"  {title}")
            print_award(match, award, language)


def _points(match: Match, language: str) -> str:
    return ", ".join(f"{seat_label(match, p, language)} {match.points[p]}" for p in match.players)


def _data(found: ParallelReplay, language: str) -> dict[str, Any]:
    split, offers = found.split, found.offers
    data: dict[str, Any] = {
        "is_same": split is None,
        "choices": found.choices,
        "before": {"game": found.before.program.game.id, "hash": found.before.program.game.hash},
        "after": {"game": found.after.program.game.id, "hash": found.after.program.game.hash},
        "split": None,
        "offers": None,
    }
    if offers is not None:
        data["offers"] = {
            "turn": offers.turn,
            "decision": offers.decision,
            "only_before": list(offers.only_before),
            "only_after": list(offers.only_after),
        }
    if split is not None:
        matches = (found.before, found.after)
        data["split"] = {
            "what": split.what,
            "at": split.at,
            "turn": split.turn,
            "decision": split.decision,
            "before": list(split.before),
            "after": list(split.after),
            "awards": [
                [award_data(match, award, language) for award in awards]
                for match, awards in zip(matches, split.awards, strict=True)
            ],
            "absent": list(split.absent),
            "reasons": [
                {
                    "rule": reason.rule,
                    "says": reason.sentence,
                    "statements": [statement_data(statement) for statement in reason.statements],
                }
                for reason in split.reasons
            ],
        }
    return data
