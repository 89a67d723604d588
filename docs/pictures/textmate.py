"""Colours effect text by the grammar of the extension, as an editor does.

It knows only the part of TextMate grammars that this one uses: a list of patterns with `match`. The
match that begins first is taken, and of several that begin at one place the first of the list.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

GRAMMAR = Path(__file__).resolve().parents[2] / "editors/vscode/syntaxes/tilewright.tmLanguage.json"


def patterns() -> list[tuple[re.Pattern[str], dict[int, str]]]:
    """The patterns of the grammar, each with the scopes of its groups; group 0 is all of it."""
    data = json.loads(GRAMMAR.read_text("utf-8"))
    found = []
    for each in data["repository"]["effects"]["patterns"]:
        scopes = {int(n): c["name"] for n, c in each.get("captures", {}).items()}
        if "name" in each:
            scopes[0] = each["name"]
        found.append((re.compile(each["match"]), scopes))
    return found


def tokens(line: str) -> list[tuple[str, str]]:
    """The parts of one line of effect text, each with its scope ("" for none)."""
    known, out, at = patterns(), [], 0
    while at < len(line):
        matches = ((pattern.search(line, at), scopes) for pattern, scopes in known)
        hits = [(match, scopes) for match, scopes in matches if match and match[0]]
        if not hits:
            break
        match, scopes = min(hits, key=lambda hit: hit[0].start())
        out.append((line[at : match.start()], ""))
        out += grouped(match, scopes)
        at = match.end()
    out.append((line[at:], ""))
    return [(text, scope) for text, scope in out if text]


def grouped(match: re.Match[str], scopes: dict[int, str]) -> list[tuple[str, str]]:
    """The text of a match, cut at its groups with scopes."""
    out, at = [], match.start()
    for group, scope in sorted(scopes.items()):
        if group:
            out += [
                (match.string[at : match.start(group)], scopes.get(0, "")),
                (match[group], scope),
            ]
            at = match.end(group)
    return [*out, (match.string[at : match.end()], scopes.get(0, ""))]
