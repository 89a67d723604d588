"""PNG pictures that carry the digest of what they were made from: an SVG picture, or texts.

A test can compare the digest on every machine, while the pixels depend on its fonts.
"""

from __future__ import annotations

import hashlib
import zlib


def digest(svg: str) -> bytes:
    """The hash of a picture, as text."""
    return hashlib.sha256(svg.encode()).hexdigest().encode()


def png_of(svg: str, width: int) -> bytes:
    """The picture as PNG of some pixels, with the digest of its source in a text chunk."""
    import resvg_py

    return labelled(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width)), svg)


def labelled(png: bytes, source: str) -> bytes:
    """A PNG with the digest of its source in a text chunk."""
    body = b"tEXtSource\0" + digest(source)
    chunk = (len(body) - 4).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    return png[:33] + chunk + png[33:]  # behind the signature and the header
