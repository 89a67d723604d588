"""Records of a simulation: a row for each game and for each scoring, in Parquet, chunk by chunk.

A folder holds the plan, with the words for what is in it, and for each chunk two tables and what
they come to. A file is written beside and then renamed, the table of games last: so a chunk is
there as a whole or not at all. Whoever plays a chunk makes its files; the folder is written in one
place. All that a simulation tells can be told again from the tables. What the columns mean stands
in docs/simulation.md.
"""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from tilewright.source.writing import write_whole
from tilewright.tools.findings import Words
from tilewright.tools.simulate import Chunk, Plan
from tilewright.tools.simulated_game import (
    Played,
    Scoring,
    by_seat,
    by_source,
    length_of,
    seats_of,
)
from tilewright.tools.tally import Tally, tally_of

_PLAN = "plan.json"
#: measures with a column of their own
_PLAIN = ("points", "margin", "shared", "turns", "choices", "options", "idle")


class RecordFault(Exception):
    """Why records cannot be read or written, as a sentence."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Records:
    """The records of one plan, in a folder."""

    def __init__(self, folder: Path, plan: Plan, words: Words) -> None:
        self.folder, self.plan, self.words = folder, plan, words
        self.declared = tuple(sorted({id_ for measures in words.declared for id_ in measures}))
        _libraries()

    def path(self, table: str, chunk: int) -> Path:
        """Where a table of a chunk lies."""
        return self.folder / _name(table, chunk)

    def has(self, chunk: int) -> bool:
        """Whether a chunk is there."""
        return self.path("games", chunk).exists() and self.path("scorings", chunk).exists()

    def pack(self, chunk: Chunk, tally: Tally) -> dict[str, bytes]:
        """The files of a chunk by their names, in the order of writing."""
        found = {_tally_name(chunk.number): tally.text().encode()}
        for table, rows_of, columns in (
            ("scorings", self._scorings, self._scoring_columns()),
            ("games", self._games, self._game_columns()),
        ):
            rows = (row for rows in chunk.rows for row in rows_of(chunk.number, rows))
            found[_name(table, chunk.number)] = _table(rows, columns)
        return found

    def put(self, files: Mapping[str, bytes]) -> None:
        """Put the files of a chunk there, each as a whole. Raises RecordFault."""
        for name, content in files.items():
            try:
                write_whole(self.folder / name, content)
            except OSError as error:
                raise RecordFault(_said(self.folder / name, "written", error)) from None

    def tally(self, chunk: int) -> Tally:
        """What a chunk that is there comes to, as it was counted or else counted again. Raises
        RecordFault."""
        try:
            return tally_of((self.folder / _tally_name(chunk)).read_text("utf-8"))
        except (OSError, ValueError):
            return self.read(chunk).tally()

    def read(self, chunk: int) -> Chunk:
        """A chunk that is there. Raises RecordFault."""
        scorings: dict[tuple[int, int], list[Scoring]] = defaultdict(list)
        for row in self._rows("scorings", chunk):
            told = {name: row[name] for name in Scoring.__slots__ if name != "player"}
            scorings[row["number"], row["side"]].append(Scoring(player=row["seat"], **told))
        rows: dict[int, list[Played]] = defaultdict(list)
        for row in self._rows("games", chunk):
            found = tuple(scorings[row["number"], row["side"]])
            rows[row["number"]].append(self._played(row, found))
        return Chunk(chunk, tuple(tuple(rows[number]) for number in sorted(rows)))

    # -------------------------------------------------------------- rows

    def _games(self, chunk: int, rows: Sequence[Played]) -> Iterator[dict[str, Any]]:
        plan = self.plan
        for side, played in enumerate(rows):
            measures, seats = played.measures, range(plan.players)
            yield {
                "chunk": chunk,
                "number": played.number,
                "side": side,
                "game": plan.games[side],
                "seed": f"{plan.seeds[side]}/{played.number}",
                "fault": played.fault or None,
                **{name: measures.get(name) for name in _PLAIN},
                "seat_bots": list(seats_of(plan.bots, played.number)),
                "seat_points": [measures.get(f"seat.{k}.points") for k in seats],
                "seat_wins": [measures.get(f"seat.{k}.wins") for k in seats],
                **{id_: measures.get(f"declared.{id_}") for id_ in self.declared},
                "rules": [
                    (name.partition(".")[2], times)
                    for name, times in sorted(measures.items())
                    if name.startswith("fired.")
                ],
            }

    def _scorings(self, chunk: int, rows: Sequence[Played]) -> Iterator[dict[str, Any]]:
        for side, played in enumerate(rows):
            seated = seats_of(self.plan.bots, played.number)
            for scoring in played.scorings:
                told = {name: getattr(scoring, name) for name in Scoring.__slots__}
                seat = told.pop("player")
                yield {
                    "chunk": chunk,
                    "number": played.number,
                    "side": side,
                    "game": self.plan.games[side],
                    "seat": seat,
                    "bot": seated[seat],
                    **told,
                }

    def _played(self, row: Mapping[str, Any], scorings: tuple[Scoring, ...]) -> Played:
        if row["fault"]:
            return Played(row["number"], {}, fault=row["fault"])
        winners = [seat for seat, won in enumerate(row["seat_wins"]) if won]
        measures = {name: row[name] for name in _PLAIN}
        measures["length"] = length_of(measures["choices"], measures["turns"])
        measures |= {f"declared.{id_}": row[id_] for id_ in self.declared if row[id_] is not None}
        measures |= by_seat(row["seat_points"], winners, row["seat_bots"])
        measures |= by_source(scorings)
        measures |= {f"fired.{rule}": times for rule, times in row["rules"]}
        return Played(row["number"], measures, scorings)

    # -------------------------------------------------------------- tables

    def _game_columns(self) -> Any:
        a, _ = _libraries()
        number, text = a.int64(), a.string()
        kinds = {"chunk": number, "number": number, "side": a.int16(), "game": text}
        kinds |= {"seed": text, "fault": text, **dict.fromkeys(_PLAIN, number)}
        kinds |= {"seat_bots": a.list_(text), "seat_points": a.list_(number)}
        kinds |= {"seat_wins": a.list_(number), **dict.fromkeys(self.declared, number)}
        return a.schema({**kinds, "rules": a.map_(text, number)}.items())

    def _scoring_columns(self) -> Any:
        a, _ = _libraries()
        number, text = a.int64(), a.string()
        kinds = {"chunk": number, "number": number, "side": a.int16(), "game": text}
        kinds |= {"seat": a.int16(), "bot": text}
        texts = ("step", "rule", "item", "item_rule", "source")
        told = {n: text if n in texts else number for n in Scoring.__slots__ if n != "player"}
        return a.schema({**kinds, **told}.items())

    def _rows(self, table: str, chunk: int) -> list[dict[str, Any]]:
        path = self.path(table, chunk)
        try:
            found = _libraries()[1].read_table(path, partitioning=None)
        except (OSError, ValueError) as error:
            raise RecordFault(_said(path, "read", error), "delete it and go on") from None
        rows: list[dict[str, Any]] = found.to_pylist()
        return rows


def begin_records(folder: Path, plan: Plan, words: Words, *, is_resumed: bool = False) -> Records:
    """A folder for the records of a plan, new or with what is there. Raises RecordFault."""
    records = Records(folder, plan, words)
    path = folder / _PLAN
    if path.exists():
        if not is_resumed:
            raise RecordFault(f"`{folder}` holds records already", "`--resume` goes on with them")
        there = open_records(folder).plan
        if there != plan:
            mine, theirs = asdict(plan), asdict(there)
            names = ", ".join(f"`{name}`" for name in mine if mine[name] != theirs[name])
            raise RecordFault(f"`{folder}` holds the records of another plan: {names} differ")
        return records
    try:
        folder.mkdir(parents=True, exist_ok=True)
        told = {"plan": json.loads(plan.text()), "words": asdict(words)}
        write_whole(path, json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise RecordFault(_said(folder, "written", error)) from None
    return records


def open_records(folder: Path) -> Records:
    """The records that are in a folder. Raises RecordFault."""
    path = folder / _PLAN
    try:
        told = json.loads(path.read_text("utf-8"))
        plan: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in told["plan"].items()
            if name != "version"
        }
        words = told["words"]
        made = Words(tuple(words["seats"]), words["called"], tuple(words["declared"]))
        return Records(folder, Plan(**plan), made)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordFault(_said(path, "read", error)) from None


def _name(table: str, chunk: int) -> str:
    return f"{table}-{chunk:06}.parquet"


def _tally_name(chunk: int) -> str:
    return f"tally-{chunk:06}.json"


#: rows that are written as objects at a time, which take a hundred times the room of a table
_AT_A_TIME = 20_000


def _table(rows: Iterator[dict[str, Any]], columns: Any) -> bytes:
    arrow, parquet = _libraries()
    parts = [arrow.Table.from_pylist([], schema=columns)]
    while some := list(islice(rows, _AT_A_TIME)):
        parts.append(arrow.Table.from_pylist(some, schema=columns))
    content = io.BytesIO()
    parquet.write_table(arrow.concat_tables(parts), content, compression="zstd")
    return content.getvalue()


def record_writer() -> str:
    """What writes records, and its version: tables of the same have the same bytes."""
    return f"pyarrow {_libraries()[0].__version__}"


def _said(path: Path, done: str, error: Exception) -> str:
    reason = getattr(error, "strerror", None)
    return f"`{path}` cannot be {done}" + (f": {reason.lower()}" if reason else "")


@cache
def _libraries() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        hint = '`pip install "tilewright[records]"` brings it'
        raise RecordFault("records need the library pyarrow", hint) from None
    return pyarrow, pyarrow.parquet
