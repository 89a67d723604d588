"""Progress of long work: one line on standard error with a bar, the rate and the remaining time.

It appears only on a terminal, only when the work takes a while, and leaves nothing behind. The
cursor is never hidden, so even a program that is killed leaves the terminal as it was.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tilewright.faces.cli.output import colour_wanted, line_below
from tilewright.language.locale.words import ENGLISH, Words

if TYPE_CHECKING:
    from rich.progress import Progress

#: seconds before the line appears: shorter work shows nothing
DELAY = 0.5
#: seconds after which the rate is that of the latest half minute; before, it is the average
STEADY = 10.0
_WIDEST_BAR = 30


class Step(Protocol):
    """Sets the number of finished units, their total, and a word about what is being done.

    Another unit begins another part of the work, with a rate of its own.
    """

    def __call__(
        self, done: int, total: int | None = None, note: str = "", *, unit: str = ""
    ) -> None: ...


def _ignore(done: int, total: int | None = None, note: str = "", *, unit: str = "") -> None:
    """Progress that nobody sees."""


def is_watched() -> bool:
    """Whether somebody can see progress: standard error is a terminal that can erase a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@dataclass
class _Work:
    """The unit that is counted, and a word about what is being done."""

    unit: str
    note: str = ""


@contextmanager
def progress(
    what: str, total: int | None = None, *, unit: str = "", language: str = ENGLISH
) -> Iterator[Step]:
    """Show progress while the block runs; `unit` is the plural noun of what is counted."""
    if not is_watched():
        yield _ignore
        return
    work = _Work(unit or what)
    bar, first = _bar(work, Words(language)), work.unit
    task = bar.add_task(what, total=total)

    def step(done: int, total: int | None = None, note: str = "", *, unit: str = "") -> None:
        now = bar.tasks[0]
        if (unit or first) != work.unit:
            work.unit = unit or first
            bar.reset(task)
        work.note = note
        known = now.total if total is None and not unit else total
        bar.update(task, completed=done, total=known)

    begins = threading.Timer(DELAY, bar.start)
    begins.daemon = True
    begins.start()
    try:
        with line_below(bar):
            yield step
    finally:
        begins.cancel()
        begins.join()
        if bar.live.is_started:
            bar.stop()


def _bar(work: _Work, words: Words) -> Progress:
    """A line for one task: what it is, a bar, the count, the rate, the time."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task
    from rich.table import Column
    from rich.text import Text

    class Visible(Console):
        def show_cursor(self, show: bool = True) -> bool:
            return False

    class Words(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.description} {work.note}".rstrip())

    class Pace(ProgressColumn):
        def render(self, task: Task) -> Text:
            elapsed = task.elapsed or 0.0
            speed = task.speed if elapsed > STEADY else task.completed / max(elapsed, 0.1)
            return Text(pace(task.completed, task.total, work.unit, speed, elapsed, words))

    target = Visible(file=sys.stderr, no_color=not colour_wanted(sys.stderr))
    room = target.width
    columns: list[ProgressColumn] = [
        Words(table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis")),
        Pace(table_column=Column(no_wrap=True)),
    ]
    if room >= 60:
        columns.insert(1, BarColumn(bar_width=min(_WIDEST_BAR, room // 5)))
    # worker processes are copies of this one: their output must not go through the line
    return Progress(
        *columns,
        console=target,
        transient=True,
        refresh_per_second=8,
        redirect_stdout=False,
        redirect_stderr=False,
        expand=True,
    )


def pace(
    done: float,
    total: float | None,
    unit: str,
    speed: float | None,
    elapsed: float,
    words: Words,
) -> str:
    """The count, the rate for each second, and the time that remains or has passed, in words.

    `speed` is in units for each second, None while it is unknown; `elapsed` is in seconds.
    """
    if total is None and not done:
        return _time(elapsed)
    count = f"{done:.0f}" if total is None else f"{done:.0f}/{total:.0f}"
    found = [f"{count} {unit}"]
    if speed:
        rate = f"{speed:.0f}/s" if speed >= 10 else f"{speed:.1f}/s"
        each = f"{1 / speed:.0f}"
        found.append(rate if speed >= 0.5 else words("progress.seconds_each", seconds=each))
    if total is None:
        found.append(_time(elapsed))
    elif speed:
        left = _time(max(0.0, total - done) / speed)
        found.append(words("progress.time_left", time=left))
    return "  ".join(found)


def _time(seconds: float) -> str:
    """A time as `0:07` or `1:02:03`."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
