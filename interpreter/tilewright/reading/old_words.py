"""Old names of keys, files and parts of a ruleset, and the present ones.

The reader names the new word when it meets an old one, and `fmt --upgrade` writes it. For the words
of effects see `language/syntax/old_words.py`.
"""

from __future__ import annotations

#: by old key; the new one counts where the reader or the schema knows it
KEYS = {"law": "combine", "otherwise": "default"}
FILES = {"pieces.yaml": "components.yaml"}
#: parts of a ruleset, as `requires` and the command line write them
PARTS = {"pieces": "components"}
