"""PNG pictures that carry the digest of the SVG picture they were made from.

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

    data = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))
    body = b"tEXtSource\0" + digest(svg)
    chunk = (len(body) - 4).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    return data[:33] + chunk + data[33:]  # behind the signature and the header
