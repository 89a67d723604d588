"""Catalogues are read as Babel, the reference, reads them."""

from __future__ import annotations

import io

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from hypothesis import given
from hypothesis import strategies as st

from support.words_tool import words_tool
from tilewright.language.locale.po_file import CatalogueError, read_catalogue
from tilewright.language.locale.words import catalogue, languages

TOOL = words_tool()
PRINTABLE = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
TEXT = st.text(PRINTABLE | st.sampled_from('\n\t\\"#'), min_size=1)


@pytest.mark.parametrize("language", languages())
def test_shipped_catalogues_are_read_as_babel_reads_them(language: str) -> None:
    assert catalogue(language).texts == TOOL.texts_of(TOOL.read(language))


@given(st.dictionaries(st.from_regex(r"[a-z]{1,9}\.[a-z]{1,9}", fullmatch=True), TEXT), TEXT)
def test_what_babel_writes_is_read_again(texts: dict[str, str], comment: str) -> None:
    made, out = Catalog(locale="pl"), io.BytesIO()
    for id_, text in texts.items():
        made.add(id_, text, auto_comments=[comment])
        made.add((f"{id_}s", f"{id_}s"), (text, f"{text}y", f"{text}ów"))
    write_po(out, made)
    found = read_catalogue(out.getvalue().decode(), "pl.po")
    expected = {id_: (text,) for id_, text in texts.items()}
    expected |= {f"{id_}s": (text, f"{text}y", f"{text}ów") for id_, text in texts.items()}
    assert found.texts == expected
    assert found.forms == 3


def test_fuzzy_empty_and_obsolete_entries_are_left_out() -> None:
    text = """
#, fuzzy
msgid "a.fuzzy"
msgstr "unsure"

msgid "a.empty"
msgstr ""

msgid "a.half"
msgid_plural "a.half"
msgstr[0] "one"
msgstr[1] ""

#~ msgid "a.old"
#~ msgstr "gone"

msgid "a.sound"
msgstr ""
"in two "
"lines"
"""
    assert read_catalogue(text, "xx.po").texts == {"a.sound": ("in two lines",)}
    assert set(read_po(io.StringIO(text)).obsolete) == {"a.old"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('msgid "a"\nmsgstr "b\n', 'xx.po:2: expected an entry of a catalogue: `msgstr "b`'),
        ('msgctxt "a"\n', "xx.po:1: expected an entry"),
        ('"a"\n', "xx.po:1: a text before the first `msgid`"),
        ('msgid ""\nmsgstr "Plural-Forms: three\\n"\n', "xx.po: `Plural-Forms` is not a plural"),
        (
            'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=n.real;\\n"\n',
            "xx.po: `Plural-Forms` is not a plural",
        ),
    ],
)
def test_a_broken_catalogue_is_refused(text: str, expected: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(text, "xx.po")
    assert str(caught.value).startswith(expected)
