"""The data for a worker of a cluster, and its work.

The rulesets of a plan travel in their read form, so a worker needs the package and no ruleset
folders. It links them again. Before it plays it checks that its program equals that of the sender
and that its games have the hashes of the plan; if not, it reports that and plays nothing.
"""

from __future__ import annotations

import pickle
import threading
import zlib
from functools import cache
from pathlib import Path

from tilewright.language.source import about
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.linking.compose.select import Selection
from tilewright.tools.simulation.records import RecordError, Records, record_writer
from tilewright.tools.simulation.results import words_of
from tilewright.tools.simulation.run import (
    Pack,
    PlanPrograms,
    PlayedChunk,
    measured_in,
)
from tilewright.tools.workspace.cache import digest_of

#: facts that a worker must share with the sender: texts by name, checked first
Ticket = dict[str, str]
#: plans that a worker keeps compiled
_KEPT = 2


class UnfitError(Exception):
    """The reason why a worker cannot play, as a sentence."""


def ticket_for(bench: PlanPrograms) -> Ticket:
    """The facts that workers must share to play these chunks. Raises RecordError."""
    writer = record_writer() if bench.keep else ""
    return {
        "version": about.VERSION,
        "program": program_text(),
        "writer": writer,
        "run": digest_of((bench.plan.hash, program_text(), writer)),
    }


@cache
def program_text() -> str:
    """One hash of this program's text, independent of the computer."""
    parts: list[str | bytes] = []
    for path in sorted(about.PACKAGE.rglob("*")):
        if path.suffix in (".py", ".lark"):
            text = path.read_bytes().replace(b"\r\n", b"\n")
            parts += [path.relative_to(about.PACKAGE).as_posix(), text]
    return digest_of(parts)


def packed(bench: PlanPrograms) -> bytes:
    """A plan with the rulesets of its games, ready to travel."""
    carried: dict[str, Selection] = {}
    for text in bench.plan.games:
        selection = bench.selection(text, Reporter.discarding())
        assert selection is not None, "a plan was made of it"
        carried[text] = selection
    return zlib.compress(pickle.dumps((bench.plan, carried, bench.keep)))


_BENCHES: dict[str, tuple[PlanPrograms, Pack | None]] = {}
_ONE_AT_A_TIME = threading.Lock()


def play_there(ticket: Ticket, games: bytes, number: int) -> PlayedChunk:
    """Play one chunk on a worker. Raises UnfitError.

    Threads take turns: games keep Python busy, and programs cache values.
    """
    with _ONE_AT_A_TIME:
        bench, pack = _bench(ticket, games)
        return bench.done(number, pack)


def _bench(ticket: Ticket, games: bytes) -> tuple[PlanPrograms, Pack | None]:
    """The programs of a plan on this worker, and what makes its records."""
    _agree(ticket)
    run = ticket["run"]
    if run not in _BENCHES:
        plan, carried, keep = pickle.loads(zlib.decompress(games))
        bench = PlanPrograms(plan, None, keep=keep, carried=carried)
        diagnostics = bench.prepare()
        if diagnostics:
            raise UnfitError(f"{_here()} cannot link what it was sent: {diagnostics[0].message}")
        linked = [program.game for program in bench.programs]
        for text, game, *hashes in zip(plan.games, linked, plan.hashes, plan.measures, strict=True):
            if hashes != [game.hash, measured_in(game)]:
                raise UnfitError(f"{_here()} links `{text}` to another game: {game.hash}")
        records = Records(Path(), plan, words_of(linked)) if keep else None
        while len(_BENCHES) >= _KEPT:
            del _BENCHES[next(iter(_BENCHES))]
        _BENCHES[run] = bench, None if records is None else records.pack
    return _BENCHES[run]


def _agree(ticket: Ticket) -> None:
    version = about.VERSION
    if ticket["version"] != version:
        raise UnfitError(f"{_here()} has tilewright {version}, and this is {ticket['version']}")
    if ticket["program"] != program_text():
        raise UnfitError(f"{_here()} has tilewright {version} with other code than this one")
    if ticket["writer"]:
        try:
            writer = record_writer()
        except RecordError as fault:
            raise UnfitError(f"{_here()} cannot make records: {fault}") from None
        if ticket["writer"] != writer:
            raise UnfitError(
                f"{_here()} makes records with {writer}, and this has {ticket['writer']}"
            )


def _here() -> str:
    from distributed import get_worker

    try:
        return f"the worker at {get_worker().address}"
    except ValueError:  # called without one
        return "the worker"
