"""Reads the catalogue of a ruleset (`locale/uk.po`) into a tree: English texts with translations.

The key of an entry with a context is the context, `CONTEXT_END` and the text, as in the compiled
catalogues of gettext. Fuzzy entries and those without a translation are left out, and so is the
header: texts of rulesets have no plural forms.
"""

from __future__ import annotations

from tilewright.locale.po_file import CatalogueError, entries_of
from tilewright.source.diagnostics import Note, Reporter, quoted
from tilewright.source.text import Span
from tilewright.source.yaml.nodes import YMap, YNode, YText

SUFFIX = ".po"
#: what ends a context in the key of an entry
CONTEXT_END = "\x04"


def read_po(text: str, file: str, reporter: Reporter) -> YMap | None:
    """The tree of a catalogue; None, after a diagnostic, when it cannot be read."""
    lines = text.splitlines()

    def place(number: int) -> Span:
        shown = lines[number - 1] if number <= len(lines) else ""
        start = max(shown.find('"'), 0) + 1
        return Span(file, number, start, number, max(len(shown.rstrip()), start) + 1)

    found: dict[str, tuple[YText, YNode]] = {}
    try:
        for entry in entries_of(text, file):
            if not entry.id or entry.is_fuzzy or not entry.forms:
                continue
            here = place(entry.lines["msgid"])
            if "msgid_plural" in entry.texts or "msgstr" not in entry.texts:
                reporter.error("TW780", "a text of a ruleset has one form, found several", here)
                return None
            context = entry.texts.get("msgctxt")
            key = entry.id if context is None else f"{context}{CONTEXT_END}{entry.id}"
            if key in found:
                message = f"{quoted(entry.id)} is translated twice"
                first = Note(found[key][0].span, "first here")
                reporter.error("TW780", message, here, notes=(first,))
                continue
            said = YText(entry.texts["msgstr"], place(entry.lines["msgstr"]), False)
            found[key] = YText(key, here, False), said
    except CatalogueError as error:
        reporter.error("TW780", error.message, place(error.line))
        return None
    return YMap(tuple(found.values()), Span(file, 1, 1, 1, 1))
