"""Records of a simulation: a row for each game and for each scoring, in Parquet, by chunk.

A folder has the plan, with its labels, and for each chunk two tables and their tally. A file is
written under another name and then renamed, the table of games last: a chunk is complete or absent.
The player of a chunk makes its files; one process writes the folder. All results of a simulation
can be recomputed from the tables. docs/how-to/simulation.md describes the columns.
"""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from tilewright.language.source.files import read_whole, remove_unfinished, write_whole
from tilewright.language.source.report import visible
from tilewright.tools.simulation.game import (
    Played,
    Scoring,
    by_seat,
    by_source,
    length_of,
    seats_of,
)
from tilewright.tools.simulation.results import GameLabels
from tilewright.tools.simulation.run import (
    MAX_TOGETHER,
    VERSION,
    Chunk,
    Plan,
)
from tilewright.tools.simulation.tally import Tally, tally_of

_PLAN = "plan.json"
#: limits for a folder from elsewhere: bytes of a plan, games and seats of it, bytes of a table, and
#: values of one column for each game
_MAX_BYTES, _MAX_SIDES, _MAX_SEATS = 1 << 20, 100, 100
_LARGEST_TABLE, _MAX_VALUES = 64 << 20, 10_000
#: measures with a column of their own
_PLAIN = ("points", "margin", "shared", "turns", "choices", "options", "idle")


class RecordError(Exception):
    """Records cannot be read or written; the message gives the reason.

    `is_wrong_use` is true where the records are sound and the call was wrong.
    """

    def __init__(self, message: str, hint: str = "", *, is_wrong_use: bool = False) -> None:
        super().__init__(message)
        self.hint = hint
        self.is_wrong_use = is_wrong_use


class Records:
    """The records of one plan, in a folder."""

    def __init__(self, folder: Path, plan: Plan, labels: GameLabels) -> None:
        self.folder, self.plan, self.labels = folder, plan, labels
        self.declared = tuple(sorted({id_ for measures in labels.declared for id_ in measures}))
        _libraries()

    def path(self, table: str, chunk: int) -> Path:
        """The file of a chunk's table."""
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
        """Put the files of a chunk there, each as a whole. Raises RecordError."""
        for name, content in files.items():
            try:
                write_whole(self.folder / name, content)
            except OSError as error:
                raise RecordError(_file_error(self.folder / name, "written", error)) from None

    def tally(self, chunk: int) -> Tally:
        """The tally of a stored chunk, read or else recomputed. Raises RecordError."""
        try:
            found = tally_of(read_whole(self.folder / _tally_name(chunk), _LARGEST_TABLE))
            is_of_plan = len(found.values) == len(self.plan.games)
            if is_of_plan and found.count <= len(self.plan.numbers(chunk)):
                return found
        except (OSError, ValueError, RecursionError):
            pass
        with self._refusing(chunk):
            return self._chunk(chunk).tally()

    def read(self, chunk: int) -> Chunk:
        """A chunk that is there. Raises RecordError."""
        with self._refusing(chunk):
            return self._chunk(chunk)

    @contextmanager
    def _refusing(self, chunk: int) -> Iterator[None]:
        """Rows that no simulation wrote end in RecordError."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            path = self.path("games", chunk)
            raise RecordError(_file_error(path, "read", error), "delete it and continue") from None

    def _chunk(self, chunk: int) -> Chunk:
        scorings: dict[tuple[int, int], list[Scoring]] = defaultdict(list)
        for row in self._rows("scorings", chunk, self._scoring_columns()):
            values = {name: row[name] for name in Scoring.__slots__ if name != "player"}
            scorings[row["number"], row["side"]].append(Scoring(player=row["seat"], **values))
        rows: dict[int, list[Played]] = defaultdict(list)
        for row in self._rows("games", chunk, self._game_columns()):
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
                values = {name: getattr(scoring, name) for name in Scoring.__slots__}
                seat = values.pop("player")
                yield {
                    "chunk": chunk,
                    "number": played.number,
                    "side": side,
                    "game": self.plan.games[side],
                    "seat": seat,
                    "bot": seated[seat],
                    **values,
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
        columns = {n: text if n in texts else number for n in Scoring.__slots__ if n != "player"}
        return a.schema({**kinds, **columns}.items())

    def _rows(self, table: str, chunk: int, columns: Any) -> list[dict[str, Any]]:
        path = self.path(table, chunk)
        games = len(self.plan.numbers(chunk)) * len(self.plan.games)
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST_TABLE:
                raise ValueError
            with _libraries()[1].ParquetFile(path, memory_map=False) as file:
                about = file.metadata
                groups = [about.row_group(n) for n in range(about.num_row_groups)]
                parts = [group.column(n) for group in groups for n in range(group.num_columns)]
                many = max((part.num_values for part in parts), default=0)
                if not file.schema_arrow.equals(columns) or many > games * _MAX_VALUES:
                    raise ValueError
                rows: list[dict[str, Any]] = file.read().to_pylist()
        except (OSError, ValueError, _libraries()[0].ArrowException) as error:
            raise RecordError(_file_error(path, "read", error), "delete it and continue") from None
        return rows


def begin_records(
    folder: Path, plan: Plan, labels: GameLabels, *, is_resumed: bool = False
) -> Records:
    """A folder for the records of a plan, new or existing. Raises RecordError."""
    records = Records(folder, plan, labels)
    path = folder / _PLAN
    if path.exists():
        if not is_resumed:
            hint = "`--resume` continues them"
            raise RecordError(f"`{folder}` holds records already", hint, is_wrong_use=True)
        there = open_records(folder).plan
        if there != plan:
            mine, theirs = asdict(plan), asdict(there)
            names = ", ".join(f"`{name}`" for name in mine if mine[name] != theirs[name])
            message = f"`{folder}` holds the records of another plan: {names} differ"
            raise RecordError(message, is_wrong_use=True)
        remove_unfinished(folder)
        return records
    try:
        folder.mkdir(parents=True, exist_ok=True)
        header = {"plan": json.loads(plan.text()), "words": asdict(labels)}
        write_whole(path, json.dumps(header, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise RecordError(_file_error(folder, "written", error)) from None
    return records


def open_records(folder: Path) -> Records:
    """The records that are in a folder. Raises RecordError."""
    path = folder / _PLAN
    try:
        header = json.loads(read_whole(path, _MAX_BYTES))
        plan: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in header["plan"].items()
            if name != "version"
        }
        words = header["words"]
        made = GameLabels(tuple(words["seats"]), words["called"], tuple(words["declared"]))
        records = Records(folder, Plan(**plan), made)
        if not _is_sound(records.plan, made, header["plan"].get("version")):
            raise ValueError
        return records
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RecordError(_file_error(path, "read", error)) from None


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
    """The library that writes records, and its version: equal versions write equal bytes."""
    return f"pyarrow {_libraries()[0].__version__}"


def _is_sound(plan: Plan, labels: GameLabels, version: object) -> bool:
    """Whether a plan that came from a file can be one that was written by a simulation."""
    by_game = (plan.games, plan.hashes, plan.measures, plan.seeds, labels.declared)
    texts = [*plan.games, *plan.hashes, *plan.measures, *plan.seeds, *plan.bots, *labels.seats]
    for pairs in (labels.called, *labels.declared):
        texts += [text for pair in pairs.items() for text in pair]
    numbers = ((plan.players, _MAX_SEATS), (plan.count, 10**12), (plan.chunk, MAX_TOGETHER))
    return (
        version == VERSION
        and all(type(number) is int and 0 < number <= most for number, most in numbers)
        and 0 < len(plan.games) <= _MAX_SIDES
        and {len(each) for each in by_game} == {len(plan.games)}
        and len(plan.bots) == plan.players
        and (plan.until is None or type(plan.until) in (int, float))
        and type(plan.counts_rules) is bool
        and all(type(text) is str and visible(text) == text for text in texts)
    )


def _file_error(path: Path, done: str, error: Exception) -> str:
    reason = getattr(error, "strerror", None)
    return f"`{path}` cannot be {done}" + (f": {reason.lower()}" if reason else "")


@cache
def _libraries() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        hint = '`pip install "tilewright[records]"` installs it'
        raise RecordError("records need the library pyarrow", hint) from None
    return pyarrow, pyarrow.parquet
