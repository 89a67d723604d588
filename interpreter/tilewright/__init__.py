"""Rules of tile-laying games as data, and the interpreter that checks, compares and plays them."""

__version__ = "0.1.0"
