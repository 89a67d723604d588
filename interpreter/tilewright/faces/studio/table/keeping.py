"""Kept matches: match files whose part `studio` has the seats and every choice that was tried."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tilewright.faces.studio.client import Client, RefusedError, Studio, refused
from tilewright.faces.studio.table.match_tree import MAX_NODES, MatchTree, Sitting
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.files import read_whole
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES
from tilewright.play.bots.named import bot_problem
from tilewright.play.notation import prescribed_draw
from tilewright.play.program import Program
from tilewright.play.replay import (
    LogError,
    grouped,
    option_of,
    prescribed,
    replayed,
    script_of,
)
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence.carried import Carried, CarriedError, carried_by
from tilewright.tools.persistence.match_file import (
    MAX_SECONDS,
    Load,
    MatchFile,
    match_text,
    parse_match,
    played,
    program_of,
    start_of,
)
from tilewright.tools.workspace.loading import load_game

KIND = "matches"
PART = "studio"
_OLD_KIND = "match tree"

#: a choice that was tried: the node before it, its lines (or, in older files, the number of its
#: option), a mark and a note
_Tried = tuple[int, list[str] | int, str, str]


def carried(studio: Studio, program: Program) -> Carried:
    """The rulesets that matches of a game carry, with unsaved texts. Raises RefusedError."""

    def text_of(path: Path) -> str:
        unsaved = studio.overlay.texts.get(path.resolve())
        return read_whole(path, MAX_FILE_BYTES) if unsaved is None else unsaved

    try:
        return carried_by(program, text_of)
    except CarriedError as error:
        raise RefusedError(f"the match cannot be kept: {error}") from None


def file_text(tree: MatchTree, studio: Studio, sources: Carried | None = None, **more: Any) -> str:
    """A match as a file with its rulesets, and what only the studio knows: seats, and `more`."""
    last = next(node for node in reversed(tree.path()) if node.position.failed is None)
    seats = [[seat.kind, seat.name, seat.bot] for seat in tree.seats]
    return match_text(
        last.position, [seat.word for seat in tree.seats], lines=tree.lines(),
        carried=carried(studio, tree.match.program) if sources is None else sources,
        extra={PART: {"seats": seats, **more}},
    )  # fmt: skip


def kept_text(tree: MatchTree, studio: Studio, summary: Mapping[str, Any]) -> str:
    """A match with everything that was tried, and what a list of kept matches shows of it."""
    nodes = [[node.parent, node.lines, node.mark, node.note] for node in tree.nodes[1:]]
    return file_text(tree, studio, summary=summary, at=tree.at, nodes=nodes)


def read_tree(
    name: str,
    file: MatchFile,
    client: Client,
    seats: Sequence[Sitting] = (),
    *,
    among: Library | None = None,
    as_far_as_possible: bool = False,
) -> MatchTree:
    """The match of a file, with everything that was tried in it, or up to the first choice or draw
    that the rules of today do not have.

    Its rulesets are `among` those of a library, if they were read already. Raises RefusedError.
    """
    reporter, program, studio = Reporter(), None, client.studio
    if as_far_as_possible and not file.old_digest:
        program = studio.program(file.game, dict(file.options), client.report)
        file = replace(file, extra={})
    else:
        program = program_of(file, studio.library, reporter, loading(client), among=among)
    client.report("setting")
    begin = None if program is None else start_of(file, program, reporter)
    if begin is None:
        raise refused(reporter)
    try:
        if file.old_digest:
            file = replace(file, log=tuple(script_of(played(file, begin))))
        people = [*seats] or seats_of(file)
        if len(people) != file.players:
            raise RefusedError(f"the match has {file.players} players")
        tried, at = _tried_in(file)
        tree = MatchTree(name, replayed(begin, grouped(file.log)[0]), people, client.language)
        with suppress(*((LogError,) if as_far_as_possible else ())):
            _play(tree, tried)
            tree.go_to(at)
    except LogError as fault:
        raise RefusedError(f"the match cannot be played again: {fault}") from None
    if tree.at == at and file.next_draws:
        next_draws = (prescribed_draw(begin.program, text) for text in file.next_draws)
        tree.match.forced_draws = [each for each in next_draws if each is not None]
    tree.nodes[0].note = "; ".join(each.message for each in reporter.diagnostics)
    return tree


def loading(client: Client) -> Load:
    """Makes games of a library; those of the studio's own library are kept."""
    studio = client.studio

    def load(
        text: str, options: Mapping[str, str], library: Library
    ) -> tuple[Program | None, Reporter]:
        if library is studio.library:
            return studio.programs.get(text, tuple(options.items()), client.report)
        game, reporter = load_game(text, options, library, client.report)
        return (None if game is None else studio.cache.program(game)), reporter

    return load


def damaged(reporter: Reporter, client: Client) -> RefusedError:
    """The refusal of a text that cannot be read, in the language of the page."""
    found, words = reporter.diagnostics[0], Words(client.language)
    match found.code:
        case "TW901":
            message = words("match_text.cut")
        case "TW903":
            message = words("match_text.other_version")
        case _:
            message = words("match_text.damaged", why=found.message)
    return RefusedError(message, diagnostics=reporter.diagnostics)


def match_in(text: str, client: Client) -> MatchFile:
    """The content of a match file, or of a kept match of an earlier version, not played yet.

    Raises RefusedError.
    """
    old: dict[str, Any] = {}
    with suppress(ValueError, RecursionError):
        found = json.loads(text) if _OLD_KIND in text[:200] else None
        old = found if isinstance(found, dict) and found.get("tilewright") == _OLD_KIND else {}
    reporter = Reporter()
    file = parse_match(str(old["start"]) if "start" in old else text, reporter)
    if file is None:
        raise damaged(reporter, client)
    return replace(file, extra={PART: old}) if old else file


def _play(tree: MatchTree, tried: Sequence[_Tried]) -> None:
    """Make choices again, each at its node. Raises LogError for one that is not allowed."""
    until = time.process_time() + MAX_SECONDS
    for parent, lines, mark, note in tried:
        if not 0 <= parent < len(tree.nodes):
            raise LogError("a choice is made at a position that the match does not have")
        tree.go_to(parent)
        match = tree.match
        if isinstance(lines, int):
            if match.to_move < 0 or not 0 <= lines < match.count:
                raise LogError("a choice is not offered by the rules as they are now")
            node = tree.choose(lines)
        else:
            at = len(match.log)
            draws = prescribed(match, lines[1:])
            node = tree.choose(option_of(match, lines[0], at), draws)
            if node.lines != lines:
                tree.go_to(parent)
                raise LogError(
                    f"what follows `{lines[0]}`, entry {at + 1}, is not what happens there"
                )
        node.mark, node.note = mark[:8], note[:10_000]
        if time.process_time() > until:
            raise LogError("the match takes too long to be played again")


def _tried_in(file: MatchFile) -> tuple[list[_Tried], int]:
    """The choices of a file, those of its log alone where it has no others, and the node to show.

    Raises RefusedError.
    """
    part = _part(file)
    if "nodes" not in part:
        _, *choices = grouped(file.log)
        return [(n, [*map(str, lines)], "", "") for n, lines in enumerate(choices)], len(choices)
    try:
        found = [(int(p), _lines(c), str(m), str(n)) for p, c, m, n in part["nodes"]]
        at = int(part["at"])
    except (ValueError, TypeError, KeyError) as error:
        raise RefusedError("this is not a kept match") from error
    if len(found) >= MAX_NODES or not 0 <= at <= len(found):
        raise RefusedError("the match has too many choices")
    return found, at


def _lines(choice: Any) -> list[str] | int:
    if type(choice) is int:
        return choice
    if not isinstance(choice, list) or not choice or not all(isinstance(x, str) for x in choice):
        raise ValueError(choice)
    return choice


def _part(file: MatchFile) -> Mapping[str, Any]:
    part = file.extra.get(PART, {})
    return part if isinstance(part, dict) else {}


def seats_of(file: MatchFile) -> list[Sitting]:
    """The players at the seats, from the words of a file."""
    try:
        seats = [_sitting(*seat) for seat in _part(file)["seats"]]
    except KeyError:
        seats = [Sitting.of_word(word) for word in file.who]
    except (ValueError, TypeError) as error:
        raise RefusedError("the seats of the match cannot be read") from error
    return seats or [Sitting("person") for _ in range(file.players)]


def _sitting(kind: Any, name: Any, bot: Any) -> Sitting:
    """The player at a seat. Raises ValueError for what is none."""
    if kind not in ("person", "bot") or not isinstance(name, str) or not isinstance(bot, str):
        raise ValueError(kind)
    return Sitting(kind, name, "greedy" if bot_problem(bot) else bot)
