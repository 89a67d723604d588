"""Fingerprints of diagnostics that stay when lines move, for code hosts and baselines.

A fingerprint depends on the code, the file and the message, not on the line. Diagnostics with the
same three are distinguished by their order.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from tilewright.language.source.diagnostics import Diagnostic

#: the name of the fingerprints, with the version of their algorithm
FINGERPRINT = "tilewright/v1"


def fingerprints(diagnostics: Iterable[Diagnostic]) -> tuple[str, ...]:
    """The fingerprint of each diagnostic: 16 hexadecimal digits."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for each in diagnostics:
        facts = (each.code, each.span.file.replace("\\", "/"), each.message)
        text = "\0".join((*facts, str(seen[facts])))
        seen[facts] += 1
        found.append(hashlib.blake2b(text.encode(), digest_size=8).hexdigest())
    return tuple(found)
