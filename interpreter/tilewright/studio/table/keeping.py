"""Kept matches as texts: the start of the match, and every choice that was made from there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tilewright.runtime.faults import RuleError
from tilewright.runtime.match import Match
from tilewright.runtime.new_match import start_match
from tilewright.source.diagnostics import Reporter
from tilewright.studio.client import RefusedError, Studio, refused
from tilewright.studio.table.match_tree import MAX_NODES, MatchTree, Sitting
from tilewright.tools.persistence.replay import LogError, replayed
from tilewright.tools.persistence.saves import Save, parse_save, program_of, resumed, save_text

FORMAT = 1
KIND = "matches"


def kept_text(tree: MatchTree, summary: Mapping[str, Any]) -> str:
    """A tree as text, with what a list of kept matches shows of it."""
    seats = [[seat.kind, seat.name, seat.bot] for seat in tree.seats]
    tree.start_text = tree.start_text or save_text(tree.nodes[0].position)
    return json.dumps(
        {
            "tilewright": "match tree",
            "format": FORMAT,
            "summary": summary,
            "at": tree.at,
            "seats": seats,
            "nodes": [list(choice) for choice in tree.choices()],
            "start": tree.start_text,
        },
        ensure_ascii=False,
    )


def read_tree(name: str, text: str, studio: Studio, language: str) -> MatchTree:
    """The tree of a text. Raises RefusedError for a text that holds none."""
    try:
        parts = json.loads(text)
        seats = [Sitting(_kind(kind), str(who), str(bot)) for kind, who, bot in parts["seats"]]
        choices = [(int(p), int(n), str(m), str(t)) for p, n, m, t in parts["nodes"]]
        at, start = int(parts["at"]), str(parts["start"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise RefusedError("this is not a kept match") from error
    if len(choices) >= MAX_NODES:
        raise RefusedError("the match has too many choices")
    _, match = opened(start, studio)
    if len(seats) != len(match.players):
        raise RefusedError("this is not a kept match")
    tree = MatchTree(name, match, seats, language)
    play_choices(tree, choices)
    if 0 <= at < len(tree.nodes):
        tree.go_to(at)
    return tree


def play_choices(tree: MatchTree, choices: list[tuple[int, int, str, str]]) -> None:
    """Make choices again, each at its node. Raises RefusedError for one that is not offered."""
    for parent, number, mark, note in choices:
        if not 0 <= parent < len(tree.nodes):
            raise RefusedError("this is not a kept match")
        tree.go_to(parent)
        if not 0 <= number < tree.match.count or tree.match.to_move < 0:
            raise RefusedError("a choice of the match is not offered by the rules as they are now")
        node = tree.choose(number)
        node.mark, node.note = mark[:8], note[:10_000]


def _kind(text: Any) -> Any:
    if text not in ("person", "bot"):
        raise ValueError(text)
    return text


# ------------------------------------------------------------------ saves


def opened(text: str, studio: Studio) -> tuple[Save, Match]:
    """A save of the command line and its match. Raises RefusedError."""
    reporter = Reporter()
    save = parse_save(text, reporter)
    program = None if save is None else program_of(
        save,
        lambda game, options: studio.programs.get(game, tuple(options.items())),
        reporter,
    )  # fmt: skip
    match = None if save is None or program is None else resumed(save, program, reporter)
    if save is None or match is None:
        raise refused(reporter)
    return save, match


def tree_of_save(
    name: str, text: str, seats: list[Sitting], studio: Studio, language: str
) -> MatchTree:
    """The tree of a save, all its choices on one line where it can be played again."""
    save, match = opened(text, studio)
    people = (
        seats
        or [_sitting(word) for word in save.who]
        or [Sitting("person") for _ in range(save.players)]
    )
    if len(people) != save.players:
        raise RefusedError(f"the match has {save.players} players")
    try:
        start = replayed(match.program, save.players, save.seed, save.first, save.log, 0)
        tree = MatchTree(name, start, [*people], language)
        for entry in save.log:
            if entry >= 0:
                if not 0 <= entry < tree.match.count:
                    raise LogError("not offered")
                tree.choose(entry)
        if tree.match.digest() == match.digest():
            return tree
    except (LogError, ValueError):
        pass  # it began with a position of its own
    return MatchTree(name, match, [*people], language)


def tree_as_far_as_possible(
    name: str, text: str, seats: list[Sitting], studio: Studio, language: str
) -> MatchTree:
    """The tree of a save of other rules or another version, up to the first choice or draw that
    the rules of today do not have.
    """
    reporter = Reporter()
    save = parse_save(text, reporter)
    if save is None:
        raise refused(reporter)
    program = studio.program(save.game, dict(save.options))
    people = seats or [_sitting(word) for word in save.who]
    people = people or [Sitting("person") for _ in range(save.players)]
    if len(people) != save.players or program.game.refusal(save.players):
        raise RefusedError(f"the match has {save.players} players")
    try:
        start = start_match(program, save.players, save.seed)
    except RuleError as fault:
        raise RefusedError(f"the match cannot begin: {fault.message}") from None
    tree = MatchTree(name, start, people, language)
    while True:
        done = len(tree.match.log)
        is_same = list(save.log[:done]) == list(tree.match.log) and done < len(save.log)
        if not is_same or not 0 <= save.log[done] < tree.match.count or tree.match.to_move < 0:
            return tree
        tree.choose(save.log[done])


def _sitting(word: str) -> Sitting:
    """The player at a seat, from the words of a save."""
    return Sitting("person") if word in ("human", "") else Sitting("bot", "", word)


def seats_of(tree: MatchTree) -> tuple[str, ...]:
    """The players at the seats, in the words of a save."""
    return tuple("human" if seat.is_person else seat.bot for seat in tree.seats)
