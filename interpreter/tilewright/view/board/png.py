"""SVG to PNG, by a renderer that is only there when it was asked for at installation."""

from __future__ import annotations


class PictureError(Exception):
    """A picture that cannot be made, with the reason in plain words."""


def png_bytes(svg: str) -> bytes:
    """An SVG text as the bytes of a PNG file. Raises PictureError."""
    try:
        import resvg_py
    except ImportError as missing:
        raise PictureError(
            "png pictures need the extra `png`: pip install 'tilewright[png]'; svg works without it"
        ) from missing
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg))
    except ValueError as refused:
        raise PictureError(f"the picture cannot be turned into a png: {refused}") from refused
