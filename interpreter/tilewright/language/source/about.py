"""Which version of the package this is, and the folder it lies in."""

from __future__ import annotations

from pathlib import Path

VERSION = "0.1.0"
#: the folder `tilewright` of the running package
PACKAGE = Path(__file__).resolve().parents[2]
