"""Plain plots as SVG: distributions, bars side by side, differences.

The input is numbers and words; their meaning is not known here. Colours are distinct for
colour-blind readers, and each has its name beside it. Names are above their bars, so that a picture
is narrow enough for a telephone.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tilewright.language.locale.words import Words

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
_INK, _PALE, _GREY = "#222", "#ddd", "#767676"
_WIDE, _SIZE, _EDGE = 480, 15, 12
#: how wide a letter is at most in the mean, so that lines end inside the picture
_LETTER = 8.0
_MAX_BINS = 32
#: a difference beyond this is drawn at the edge, lest it push all others together
_FARTHEST = 2.5


@dataclass(frozen=True, slots=True)
class Bar:
    """A mean with half the width of its interval."""

    mean: float
    half: float


@dataclass(frozen=True, slots=True)
class Whisker:
    """A difference: where it lies, from where to where it may lie, and whether it is sure."""

    label: str
    effect: str
    mean: float
    low: float
    high: float
    is_sure: bool


def spread_plot(
    series: Sequence[tuple[str, Mapping[int, int]]], axis: str, words: Words, *, over: int = 1
) -> str:
    """The distribution of values: a stepped curve for each series, with its mean.

    Values are shown divided by `over`.
    """
    values = [value for _, counts in series for value in counts]
    low, high = min(values, default=0), max(values, default=0)
    width = max(1, math.ceil((high - low + 1) / _MAX_BINS))
    bins = (high - low) // width + 1
    legend = [
        words("simulation.on_average", name=name, mean=_short(_mean(counts) / over, words))
        for name, counts in series
    ]
    parts, top = _legend(legend, _EDGE, 8)
    left, tall, top = _EDGE + 34, 200, top + 12
    across = (_WIDE - left - _EDGE) / bins
    shares = [_binned(counts, low, width, bins) for _, counts in series]
    most = max((share for row in shares for share in row), default=1) or 1
    for share in _shares_marked(most):
        y = top + tall * (1 - share / most)
        parts.append(_line(left, y, _WIDE - _EDGE, y, _PALE))
        parts.append(_text(left - 5, y + 5, f"{100 * share:.0f}%", anchor="end", size=13))
    for number, ((_, counts), row) in enumerate(zip(series, shares, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        points = [f"{left:.1f},{top + tall:.1f}"]
        for k, share in enumerate(row):
            y = top + tall * (1 - share / most)
            points += [f"{left + k * across:.1f},{y:.1f}", f"{left + (k + 1) * across:.1f},{y:.1f}"]
        points.append(f"{left + bins * across:.1f},{top + tall:.1f}")
        parts.append(
            f'<polygon points="{" ".join(points)}" fill="{colour}" fill-opacity="0.18" '
            f'stroke="{colour}" stroke-width="2"/>'
        )
        x = left + (_mean(counts) - low + 0.5) / width * across
        parts.append(_line(x, top, x, top + tall, colour, dashes="5 4"))
    parts.append(_line(left, top + tall, _WIDE - _EDGE, top + tall, _INK))
    for value in _ticks(low, high):
        x = left + (value - low + 0.5) / width * across
        parts.append(_text(x, top + tall + 20, _short(value / over, words), anchor="middle"))
    parts.append(_text((left + _WIDE - _EDGE) / 2, top + tall + 44, axis, anchor="middle"))
    return _svg(parts, top + tall + 56, axis)


def bar_plot(
    names: Sequence[str],
    rows: Sequence[tuple[str, Sequence[Bar | None]]],
    axis: str,
    words: Words,
) -> str:
    """Bars beneath one another, one for each name in every row, with their intervals."""
    most = max((b.mean + b.half for _, bars in rows for b in bars if b is not None), default=1) or 1
    scale = (_WIDE - 2 * _EDGE - 56) / most
    parts, y = _legend(names, _EDGE, 8) if len(names) > 1 else ([], 0.0)
    for label, bars in rows:
        parts.append(_text(_EDGE, y + 20, label))
        y += 27
        for number, bar in enumerate(bars):
            if bar is None:
                continue
            colour = COLOURS[number % len(COLOURS)]
            end, middle, reach = _EDGE + bar.mean * scale, y + 7, bar.half * scale
            parts.append(
                f'<rect x="{_EDGE}" y="{y:.1f}" width="{max(0.0, bar.mean * scale):.1f}" '
                f'height="14" fill="{colour}" fill-opacity="0.75"/>'
            )
            parts.append(_line(end - reach, middle, end + reach, middle, _INK, thick=2))
            parts.append(_text(end + reach + 6, middle + 5, _short(bar.mean, words)))
            y += 18
    parts.append(_text(_EDGE, y + 26, axis, colour=_GREY))
    return _svg(parts, y + 40, axis)


def difference_plot(rows: Sequence[Whisker], axis: str, less: str, more: str) -> str:
    """Differences beneath one another: a dot for each, a line for what is likely, nought marked.

    `less` and `more` say what lies on either side of nought.
    """
    reach = min(_FARTHEST, max((max(-row.low, row.high) for row in rows), default=1)) or 1
    zero = _WIDE / 2
    scale = (zero - _EDGE - 8) / reach
    top = 34.0
    foot = top + 52 * len(rows)
    parts = [
        _text(zero - 12, 22, f"← {less}", anchor="end", colour=_GREY),
        _text(zero + 12, 22, f"{more} →", colour=_GREY),
        _line(zero, 8, zero, 26, _GREY),
    ]
    for tick in range(-int(reach), int(reach) + 1):
        x = zero + tick * scale
        parts += [
            _text(x, foot + 20, str(tick), anchor="middle"),
            _line(x, foot, x, foot + 5, _INK),
        ]
    parts.append(_line(_EDGE, foot, _WIDE - _EDGE, foot, _INK))
    for number, row in enumerate(rows):
        y = top + 52 * number + 34
        colour = COLOURS[1] if row.is_sure else _GREY
        x = zero + max(-reach, min(reach, row.mean)) * scale
        parts.append(_text(_EDGE, y - 15, row.label))
        ink = _INK if row.is_sure else _GREY
        parts.append(_text(_WIDE - _EDGE, y - 15, row.effect, anchor="end", colour=ink))
        parts.append(_line(_EDGE, y, _WIDE - _EDGE, y, _PALE))
        parts.append(_line(zero, y - 9, zero, y + 9, _GREY))
        if abs(row.mean) > reach:  # it lies beyond the edge: an arrow
            back = x - math.copysign(11, row.mean)
            tip = f"{x:.1f},{y:.1f} {back:.1f},{y - 6:.1f} {back:.1f},{y + 6:.1f}"
            parts.append(f'<polygon points="{tip}" fill="{colour}"/>')
        else:
            ends = (max(-reach, row.low), min(reach, row.high))
            parts.append(
                _line(zero + ends[0] * scale, y, zero + ends[1] * scale, y, colour, thick=3)
            )
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>')
    parts.append(_text(zero, foot + 44, axis, anchor="middle"))
    return _svg(parts, foot + 56, axis)


# ------------------------------------------------------------------ parts


def _binned(counts: Mapping[int, int], low: int, width: int, bins: int) -> list[float]:
    total = sum(counts.values()) or 1
    found = [0.0] * bins
    for value, times in counts.items():
        found[(value - low) // width] += times / total
    return found


def _ticks(low: int, high: int) -> list[int]:
    """Some round values between two."""
    least = max(1, (high - low) / 8)
    step = next(n * 10**power for power in range(12) for n in (1, 2, 5) if n * 10**power >= least)
    return list(range(math.ceil(low / step) * step, high + 1, step))


def _short(x: float, words: Words) -> str:
    return words.number(x, 0 if x == int(x) else 1 if abs(x) >= 10 else 2)


def _mean(counts: Mapping[int, int]) -> float:
    total = sum(counts.values()) or 1
    return sum(value * times for value, times in counts.items()) / total


def _shares_marked(most: float) -> list[float]:
    """A few round shares up to the greatest one."""
    step = next(n / 100 for n in (1, 2, 5, 10, 20, 50, 100) if n / 100 >= most / 4)
    return [step * k for k in range(1, int(most / step) + 1)]


def _legend(names: Sequence[str], x: float, y: float) -> tuple[list[str], float]:
    """The legend of the colours, in as many lines as needed, and its end."""
    parts = []
    for number, name in enumerate(names):
        parts.append(_box(x, y, COLOURS[number % len(COLOURS)]))
        for line in textwrap.wrap(name, int((_WIDE - x - 22) / _LETTER)):
            parts.append(_text(x + 22, y + 13, line))
            y += 20
    return parts, y


def _text(
    x: float, y: float, text: str, anchor: str = "start", colour: str = _INK, size: int = _SIZE
) -> str:
    style = f' fill="{colour}"' if colour != _INK else ""
    style += f' font-size="{size}"' if size != _SIZE else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(text)}</text>'


def _line(
    x1: float, y1: float, x2: float, y2: float, colour: str, *, dashes: str = "", thick: int = 1
) -> str:
    more = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{thick}"{more}/>'
    )


def _box(x: float, y: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="15" height="15" fill="{colour}"/>'


def _svg(parts: Sequence[str], tall: float, title: str) -> str:
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {tall:.0f}" '
        f'width="{_WIDE}" height="{tall:.0f}" role="img" font-family="sans-serif" '
        f'font-size="{_SIZE}" fill="{_INK}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{_WIDE}" height="{tall:.0f}" fill="#fff"/>\n{inside}\n</svg>\n'
    )
