"""YAML read with the place of every text, and written again.

`tree.read_yaml` reads a file; `format` prints one with its comments; `dump` writes plain data.
It imports nothing above `source`.
"""
