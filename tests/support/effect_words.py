"""The words of the effect language by kind, as the editor of the studio colours them.

Run this module to write `studio/src/edit/effect-words.json` again.
"""

from __future__ import annotations

import json

from support.paths import ROOT
from tilewright.language.builtins import FUNCTION, GLOBAL, RESERVED, SPOKEN_VERB

FILE = ROOT / "studio" / "src" / "edit" / "effect-words.json"
_CONSTANTS = frozenset(("true", "false", "nothing", "empty", "something"))
#: built-in effects with words of their own in the grammar
_EFFECTS = frozenset(("add", "drop", "draw", "announce"))
#: keys of YAML files whose text is an expression or effects
KEYS = ("do", "when", "where", "value", "default")


def effect_words() -> dict[str, list[str]]:
    """The words by kind, each kind sorted."""
    verbs = {word for spoken in SPOKEN_VERB for word in spoken.split()} - RESERVED | _EFFECTS
    return {
        "keys": sorted(KEYS),
        "constants": sorted(_CONSTANTS),
        "keywords": sorted(RESERVED - _CONSTANTS - verbs),
        "verbs": sorted(verbs),
        "globals": sorted(GLOBAL),
        "functions": sorted(FUNCTION),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(effect_words(), indent=2) + "\n", encoding="utf-8")
