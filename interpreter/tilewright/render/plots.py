"""Plain pictures of numbers, as SVG: how values are spread, bars side by side, differences.

Everything is given as numbers and words; nothing here knows what they mean. Colours are told apart
by people who see fewer of them, and each curve has its name beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
_INK, _PALE = "#222", "#ddd"
_WIDE, _LETTER, _ROW = 720, 7.2, 22
_MOST_BINS = 32
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
    said: str
    mean: float
    half: float
    is_sure: bool


def spread_plot(series: Sequence[tuple[str, Mapping[int, int]]], axis: str) -> str:
    """How often which value occurred, a stepped curve for each series, with its mean."""
    values = [value for _, counts in series for value in counts]
    low, high = min(values, default=0), max(values, default=0)
    width = max(1, math.ceil((high - low + 1) / _MOST_BINS))
    bins = (high - low) // width + 1
    left, top, tall = 16, 14 + 20 * len(series), 200
    across = (_WIDE - 2 * left) / bins
    shares = [_binned(counts, low, width, bins) for _, counts in series]
    most = max((share for row in shares for share in row), default=1) or 1
    parts = []
    for number, ((name, counts), row) in enumerate(zip(series, shares, strict=True)):
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
        total = sum(counts.values()) or 1
        mean = sum(value * times for value, times in counts.items()) / total
        x = left + (mean - low + 0.5) / width * across
        parts.append(_line(x, top, x, top + tall, colour, dashes="5 4"))
        said = f"{name}: {_short(mean)} in the mean"
        parts.append(_box(left, 8 + 20 * number, colour) + _text(left + 20, 20 + 20 * number, said))
    parts.append(_line(left, top + tall, _WIDE - left, top + tall, _INK))
    for value in _ticks(low, high):
        x = left + (value - low + 0.5) / width * across
        parts.append(_text(x, top + tall + 18, _short(value), anchor="middle"))
    parts.append(_text(_WIDE / 2, top + tall + 40, axis, anchor="middle"))
    return _svg(parts, top + tall + 50, axis)


def bar_plot(
    names: Sequence[str], rows: Sequence[tuple[str, Sequence[Bar | None]]], axis: str
) -> str:
    """Bars beneath one another, one for each name in every row, with their intervals."""
    left = _margin([label for label, _ in rows])
    most = max((b.mean + b.half for _, bars in rows for b in bars if b is not None), default=1) or 1
    scale = (_WIDE - left - 60) / most
    parts, y = [], 10.0
    if len(names) > 1:
        for number, name in enumerate(names):
            parts.append(
                _box(left, y, COLOURS[number % len(COLOURS)]) + _text(left + 20, y + 11, name)
            )
            y += 20
    y += 8
    for label, bars in rows:
        height = 18 if len(bars) == 1 else 14
        parts.append(_text(left - 8, y + height * len(bars) / 2 + 4, label, anchor="end"))
        for number, bar in enumerate(bars):
            if bar is not None:
                colour = COLOURS[number % len(COLOURS)]
                end = left + bar.mean * scale
                parts.append(
                    f'<rect x="{left}" y="{y:.1f}" width="{max(0.0, bar.mean * scale):.1f}" '
                    f'height="{height - 3}" fill="{colour}" fill-opacity="0.75"/>'
                )
                middle, reach = y + (height - 3) / 2, bar.half * scale
                parts.append(_line(end - reach, middle, end + reach, middle, _INK))
                parts.append(_text(end + reach + 5, middle + 4, _short(bar.mean)))
            y += height
        y += 8
    parts.append(_text(left, y + 14, axis))
    return _svg(parts, y + 24, axis)


def difference_plot(rows: Sequence[Whisker], axis: str) -> str:
    """Differences beneath one another: a dot for each, a line for what is likely, nought marked."""
    left = _margin([row.label for row in rows])
    right = _margin([row.said for row in rows])
    reach = min(_FARTHEST, max((abs(row.mean) + row.half for row in rows), default=1)) or 1
    scale = (_WIDE - left - right) / (2 * reach)
    zero, top = left + reach * scale, 14
    foot = top + _ROW * len(rows)
    parts = [_line(zero, top - 6, zero, foot, "#888", dashes="3 3")]
    for tick in range(-int(reach), int(reach) + 1):
        x = zero + tick * scale
        parts += [
            _text(x, foot + 18, str(tick), anchor="middle"),
            _line(x, foot, x, foot + 4, _INK),
        ]
    for number, row in enumerate(rows):
        y = top + _ROW * (number + 0.5)
        colour = COLOURS[1] if row.is_sure else "#888"
        x = zero + max(-reach, min(reach, row.mean)) * scale
        parts.append(_text(left - 8, y + 4, row.label, anchor="end"))
        if abs(row.mean) > reach:  # it lies beyond the edge: an arrow
            back = x - math.copysign(11, row.mean)
            tip = f"{x:.1f},{y:.1f} {back:.1f},{y - 5.5:.1f} {back:.1f},{y + 5.5:.1f}"
            parts.append(f'<polygon points="{tip}" fill="{colour}"/>')
        else:
            ends = (max(-reach, row.mean - row.half), min(reach, row.mean + row.half))
            parts.append(
                _line(zero + ends[0] * scale, y, zero + ends[1] * scale, y, colour, thick=2)
            )
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>')
        parts.append(_text(_WIDE - right + 8, y + 4, row.said))
    parts.append(_text(zero, foot + 38, axis, anchor="middle"))
    return _svg(parts, foot + 48, axis)


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


def _short(x: float) -> str:
    return f"{x:.0f}" if x == int(x) else f"{x:.1f}" if abs(x) >= 10 else f"{x:.2f}"


def _margin(labels: Sequence[str]) -> int:
    return int(min(320, 16 + _LETTER * max(map(len, labels), default=0)))


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(
    x1: float, y1: float, x2: float, y2: float, colour: str, *, dashes: str = "", thick: int = 1
) -> str:
    more = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{thick}"{more}/>'
    )


def _box(x: float, y: float, colour: str) -> str:
    return f'<rect x="{x}" y="{y:.1f}" width="13" height="13" fill="{colour}"/>'


def _svg(parts: Sequence[str], tall: float, title: str) -> str:
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {tall:.0f}" '
        f'width="{_WIDE}" height="{tall:.0f}" role="img" font-family="sans-serif" font-size="13" '
        f'fill="{_INK}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{_WIDE}" height="{tall:.0f}" fill="#fff"/>\n{inside}\n</svg>\n'
    )
