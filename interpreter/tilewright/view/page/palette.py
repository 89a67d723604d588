"""The colours of the page, for light and for dark, as one table.

Text must be readable on its ground in both: `READ_ON` lists the pairs of text and ground, and a
test computes the contrast of every pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: name, on light, on dark
COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#faf8f2", "#161411"),
    "card": ("#ffffff", "#1e1b17"),
    "code": ("#f4f0e6", "#26221c"),
    "mark": ("#fbe7a3", "#54430f"),
    "felt": ("#e8e1d0", "#100f0d"),
    "line": ("#e4ddcd", "#37322a"),
    "faint": ("#bdb5a2", "#565044"),
    "edge": ("#8b826f", "#7d7464"),
    "ink": ("#221f19", "#ece6d9"),
    "soft": ("#5e574a", "#b3aa97"),
    "link": ("#3d4f7c", "#a9bff0"),
    "focus": ("#1a5fb4", "#8ab8ff"),
    "s0": ("#0c5c70", "#6fc8da"),
    "s1": ("#9c3a14", "#f39d77"),
    "s2": ("#67398f", "#c9a6ec"),
    "s3": ("#52610d", "#bccb6b"),
    "s4": ("#962a59", "#f294ba"),
    "s5": ("#3a5186", "#a0b9ee"),
    "play": ("#a41d18", "#ff9489"),
    "data": ("#1e5896", "#92bff3"),
    "text": ("#5e574a", "#b3aa97"),
}
_GROUNDS = ("paper", "card", "code", "mark", "felt", "line", "faint")
_NONE: Mapping[str, tuple[str, str, str]] = MappingProxyType({})
_INKS = tuple(name for name in COLOURS if name not in _GROUNDS)
#: text colours, with their grounds
READ_ON = (
    *((ink, ground) for ink in _INKS if ink != "edge" for ground in ("paper", "card", "code")),
    ("ink", "mark"),
    ("soft", "felt"),
    *(("paper", f"s{side}") for side in range(6)),
)
#: colours that must be visible on their ground without text: rims of controls
SEEN_ON = (("edge", "paper"), ("edge", "card"), ("focus", "paper"), ("focus", "card"))


def style_sheet(more: Mapping[str, tuple[str, str, str]] = _NONE) -> str:
    """The colours as custom properties, light or dark by the system's wish or by the reader's.

    `more` are properties of the page with their colours in light and dark mode, and on paper and
    under strong contrast.
    """
    known = {f"--{name}": both for name, both in COLOURS.items()}
    light, dark = (
        "".join(f"{name}:{each[i]};" for name, each in {**known, **more}.items()) for i in (0, 1)
    )
    paper = "".join(f"{name}:{each[2]};" for name, each in more.items())
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f'@media screen and (prefers-color-scheme:dark){{:root:not([data-theme="light"])'
        f"{{color-scheme:dark;{dark}}}}}\n"
        f'@media screen{{:root[data-theme="dark"]{{color-scheme:dark;{dark}}}}}\n'
        # named thrice, to be above both of them
        + (f"@media print,(prefers-contrast:more){{:root:root:root{{{paper}}}}}\n" if paper else "")
        + ("@media (prefers-contrast:more){:root:root:root{--felt:var(--card)}}\n" if paper else "")
        + ("@media print{:root:root:root{--felt:none}}\n" if paper else "")
    )


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21, as in WCAG 2."""
    dim, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
