"""Decides the language of what the program prints, in one order for every face.

The settings of the system (`LANG`, `LC_ALL`) are not used: the output of a command is the same on
every computer unless somebody wishes otherwise.
"""

from __future__ import annotations

import os

from tilewright.language.locale.words import ENGLISH

LANGUAGE_VARIABLE = "TILEWRIGHT_LANG"


def chosen_language(requested: str = "", configured: str = "") -> str:
    """The language of a run, which may be one that has no catalogue.

    The option `--lang` (`requested`) is first, then the environment variable `TILEWRIGHT_LANG`,
    then the configuration of the repository (`configured`), then English.
    """
    return requested or os.environ.get(LANGUAGE_VARIABLE, "") or configured or ENGLISH
