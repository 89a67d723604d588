"""The page of a match played under other rules: the first difference, if there is one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tilewright.faces.cli.arguments import game_from, game_text
from tilewright.faces.cli.exit_codes import PROBLEMS, Stop
from tilewright.faces.cli.output import bold, heading, mention, refuse, rows, say, say_json, wrapped
from tilewright.faces.cli.saves import begun, opened_file, opened_start
from tilewright.faces.cli.views.match_log import (
    award_data,
    points_text,
    print_award,
    print_replay,
    reason_data,
)
from tilewright.language.locale.words import Words
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.replay import LogError
from tilewright.tools.witness.replay_under import ParallelReplay, Split, play_under
from tilewright.tools.workspace.loading import load_game_under

#: a title and lines of one of the games
_Side = tuple[str, tuple[str, ...]]


def print_parallel_replay(
    path: Path, under: str, with_: Iterable[Path] | None, form: str, language: str
) -> bool:
    """Play a match under the rules of another game and print the result; returns whether both end
    equally. Where its own rules are gone, its choices are played under the others alone.
    """
    file = opened_file(path)
    library, ids, options = game_from(under, with_)
    game, reporter = load_game_under(game_text(ids, options), dict(file.options), library)
    if game is None:
        raise refuse(reporter.diagnostics)
    other = compile_game(game)
    try:
        start = opened_start(file, with_)
    except Stop as stop:
        if form == "json" or file.old_digest:  # a log of numbers means nothing under other rules
            raise
        mention(str(stop.message))
        print_replay(file, begun(file, other), from_turn=0, is_quiet=True, language=language)
        return True
    try:
        found = play_under(file, start, other)
    except LogError as fault:
        raise Stop(PROBLEMS, f"{file.name}: {fault}") from fault
    if form == "json":
        say_json(_data(found, language))
    else:
        _print(found, language)
    return found.split is None


def _print(found: ParallelReplay, language: str) -> None:
    words = Words(language)
    before, after = (bold(match.program.game.id) for match in (found.before, found.after))
    say(words("replay.under", before=before, after=after))
    split, offers = found.split, found.offers
    choices = words.plural("replay.choices", found.choices)
    if offers is not None:
        turn = words("match.turn", number=offers.turn)
        heading(words("replay.first_offer", turn=turn, decision=offers.decision))
        only_before = (words("replay.only_before"), offers.only_before)
        only_after = (words("replay.only_now"), offers.only_after)
        _both(only_before, only_after, words)
    if split is None:
        say()
        points = points_text(found.after, language)
        say(words("replay.same_end", choices=choices, points=points))
        return
    turn, what = words("match.turn", number=split.turn), words(f"replay.split.{split.what}")
    heading(words("replay.parts", choices=choices, turn=turn, what=what))
    say(wrapped(split.decision, 2, 4))
    _both((words("replay.before"), split.before), (words("replay.now"), split.after), words)
    _awards(found, split, language)
    for line in split.absent:
        say(wrapped(line, 2, 4))
    for reason in split.reasons:
        say(wrapped(reason.text(), 2, 4))
        for statement in reason.statements:
            say(wrapped(statement.text(), 4, 6))


def _both(before: _Side, after: _Side, words: Words) -> None:
    """Print the lines of both games below one another, each side with its title."""
    table = []
    for title, lines in (before, after):
        more = [words("comparison.and_more", n=len(lines) - _MAX)] if lines[_MAX:] else []
        if lines:
            table.append((title, "; ".join([*lines[:_MAX], *more])))
    if table:
        say(rows(table))


_MAX = 12


def _awards(found: ParallelReplay, split: Split, language: str) -> None:
    words = Words(language)
    sides = (
        (words("replay.before"), found.before, split.awards[0]),
        (words("replay.now"), found.after, split.awards[1]),
    )
    for title, match, awards in sides:
        for award in awards:
            say()
            say(f"  {title}")
            print_award(match, award, language, is_full=True)


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
            "reasons": [reason_data(reason) for reason in split.reasons],
        }
    return data
