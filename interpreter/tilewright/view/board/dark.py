"""Drawings of the land on dark pages: their colours become custom properties of the page.

One drawing then serves light and dark pages. Shadows, which are half transparent, stay as they are.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

#: a colour of a drawing; the one of a shadow has two more digits
_COLOUR = re.compile(r'"#([0-9a-f]{6})"')


def with_properties(drawing: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """A drawing with a custom property for each colour, and the light and dark colour of each
    property.
    """
    colours = {
        f"--tw-{found}": (f"#{found}", darkened(f"#{found}"))
        for found in sorted(set(_COLOUR.findall(drawing)))
    }
    return _COLOUR.sub(r'"var(--tw-\1)"', drawing), colours


@lru_cache(4096)
def darkened(colour: str) -> str:
    """A colour for a dark page: in OKLCH with L' = 0.10 + 0.64 L and C' = 0.82 C, the same hue.

    The conversion is that of Björn Ottosson, "A perceptual color space for image processing"
    (2020).
    """
    light, a, b = _oklab(colour)
    return _hexadecimal(0.10 + 0.64 * light, 0.82 * a, 0.82 * b)


def _oklab(colour: str) -> tuple[float, float, float]:
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    one = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    two = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    three = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * one + 0.7936177850 * two - 0.0040720468 * three,
        1.9779984951 * one - 2.4285922050 * two + 0.4505937099 * three,
        0.0259040371 * one + 0.7827717662 * two - 0.8086757660 * three,
    )


def _hexadecimal(light: float, a: float, b: float) -> str:
    one = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    two = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    three = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    parts = (
        4.0767416621 * one - 3.3077115913 * two + 0.2309699292 * three,
        -1.2684380046 * one + 2.6097574011 * two - 0.3413193965 * three,
        -0.0041960863 * one - 0.7034186147 * two + 1.7076147010 * three,
    )
    return "#" + "".join(f"{round(255 * _gamma(min(max(x, 0.0), 1.0))):02x}" for x in parts)


def _linear(x: float) -> float:
    return x / 12.92 if x <= 0.04045 else float(((x + 0.055) / 1.055) ** 2.4)


def _gamma(x: float) -> float:
    return 12.92 * x if x <= 0.0031308 else float(1.055 * x ** (1 / 2.4) - 0.055)
