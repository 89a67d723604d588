"""Check the catalogues of words, and write them again.

The ids of texts are extracted from the code by Babel: each string of Python and of the templates
that looks like the id of a text counts as a use, and one that ends with a dot (`comparison.state.`)
or `_` as a use of all ids that begin so. The page of the studio leaves `studio.` out: `"edit_why"`
is `studio.edit_why`. Names of its messages are no ids. Titles of diagnostics are extracted from
their catalogue. `en.po` has the English text of every other id; each other catalogue repeats it
above its own text, so an entry whose English text has changed is known.

    python .ci/words.py              check all catalogues
    python .ci/words.py --update     write them again: new ids without text, changed ones fuzzy
    python .ci/words.py --new de     begin the catalogue of a language

Prints `language: id: problem` for missing, empty, unused and fuzzy entries, other placeholders and
wrong plural forms, and ends with 1 where it finds something.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from gettext import c2py
from pathlib import Path
from string import Formatter
from typing import Any

import yaml
from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "interpreter" / "tilewright"
ENGLISH = "en"
DIAGNOSTIC = "diagnostic"
#: the section of the page of the studio
PAGE = "studio"
#: the names of files look like ids
FILES = r"(?:[\w.]*\.)?(?:css|html|js|json|md|svg|txt|yaml)$"

Found = tuple[int, str, str, list[str]]
#: the English forms of each id
Texts = Mapping[str, tuple[str, ...]]


# ------------------------------------------------------------------ extraction


def _ids(strings: Iterable[tuple[int, str]], sections: str) -> Iterator[Found]:
    id_ = re.compile(rf"(?:{sections})\.(?!{FILES})[\w.]*")
    return ((line, "", text, []) for line, text in strings if id_.fullmatch(text))


def extract_python(file: Any, _: object, __: object, options: Mapping[str, str]) -> Iterator[Found]:
    """The ids in the strings of a Python file, those of f-strings up to their first place."""
    nodes = ast.walk(ast.parse(file.read()))
    strings = ((n.lineno, n.value) for n in nodes
               if isinstance(n, ast.Constant) and isinstance(n.value, str))  # fmt: skip
    return _ids(strings, options["sections"])


def extract_template(
    file: Any, _: object, __: object, options: Mapping[str, str]
) -> Iterator[Found]:
    """The ids in the strings of a template."""
    lines = enumerate(file.read().decode().splitlines(), 1)
    strings = ((line, text) for line, row in lines for text in re.findall(r"'([\w.]+)'", row))
    return _ids(strings, options["sections"])


def extract_titles(file: Any, _: object, __: object, options: object) -> Iterator[Found]:
    """The title of each diagnostic of a catalogue of codes; its text is the comment."""
    for code, entry in yaml.safe_load(file).items():
        yield 1, "", f"{DIAGNOSTIC}.{code}", [entry["title"]]


def extract_page(file: Any, _: object, __: object, options: Mapping[str, str]) -> Iterator[Found]:
    """The ids in the strings of a file of the page, those of templates up to their first place."""
    key = re.compile(rf"[\"'`]((?:{options['keys']})_[a-z0-9_]+)")
    lines = enumerate(file.read().decode().splitlines(), 1)
    return ((n, "", f"{PAGE}.{text}", []) for n, row in lines for text in key.findall(row))


METHODS = [
    ("language/source/catalogue/*.yaml", extract_titles),
    ("**.py", extract_python),
    ("view/templates/*.html", extract_template),
]
PAGE_METHODS = [
    ("**.test.ts", "ignore"),
    ("lib/messages.ts", "ignore"),
    ("**.svelte", extract_page),
    ("**.ts", extract_page),
]


def message_names() -> frozenset[str]:
    """The names of the studio's messages, which look like ids in its code."""
    schema = json.loads((ROOT / "schemas" / "studio.schema.json").read_text("utf-8"))
    parts = (schema["$defs"][name] for name in ("Methods", "Notifications"))
    return frozenset(name for part in parts for name in part["properties"])


def extracted(ids: Iterable[str]) -> dict[str, str]:
    """Every id in the code with the file that uses it, and the titles of diagnostics as texts.

    `ids` are those of the catalogue: what begins as none of them does is another string.
    """
    parts = [id_.partition(".") for id_ in ids]
    options = {
        "sections": "|".join(sorted({section for section, _, _ in parts})),
        "keys": "|".join(sorted({key.partition("_")[0] for head, _, key in parts if head == PAGE})),
    }
    every = {pattern: options for pattern, _ in (*METHODS, *PAGE_METHODS)}
    found = [
        *extract_from_dir(PACKAGE, METHODS, every),
        *extract_from_dir(ROOT / "studio" / "src", PAGE_METHODS, every),
    ]
    messages = message_names()
    return {
        id_: comments[0] if comments else file
        for file, _, id_, comments, _ in found
        if id_ not in messages or not file.startswith("faces/studio/")
    }


# ------------------------------------------------------------------ catalogues


def catalogue_path(language: str) -> Path:
    return PACKAGE / "language" / "locale" / f"{language}.po"


def read(language: str) -> Catalog:
    """The catalogue of a language."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language)


def languages() -> list[str]:
    """The languages that have a catalogue, but for English."""
    found = (path.stem for path in (PACKAGE / "language" / "locale").glob("*.po"))
    return sorted(name for name in found if name != ENGLISH)


def name_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms_of(message: Message | None) -> tuple[str, ...]:
    """The text of an entry, or its plural forms; nothing for one without a text."""
    if message is None or not message.string:
        return ()
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def texts_of(catalogue: Catalog) -> dict[str, tuple[str, ...]]:
    """The forms of each entry but for the header."""
    return {name_of(message): forms_of(message) for message in catalogue if message.id}


def english_texts() -> tuple[Texts, dict[str, str]]:
    """All English texts with those of diagnostics, and the ids that the code uses."""
    own = texts_of(read(ENGLISH))
    used = extracted(own)
    titles = {id_: (text,) for id_, text in used.items() if id_.startswith(f"{DIAGNOSTIC}.")}
    return {**own, **titles}, {id_: file for id_, file in used.items() if id_ not in titles}


def comment_of(forms: tuple[str, ...]) -> str:
    """The English text as it stands above an entry."""
    return " | ".join(" ".join(form.split()) for form in forms)


# ------------------------------------------------------------------ the check


def places(text: str) -> list[str]:
    """The names of the places of a text, in alphabetical order, each once."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def english_problems(texts: Texts, used: Mapping[str, str]) -> Iterator[str]:
    """Ids of the code without a text, and texts that the code does not use."""
    families = tuple(id_ for id_ in used if id_.endswith((".", "_")))
    for id_, file in used.items():
        if id_ not in texts and not (id_ in families and any(t.startswith(id_) for t in texts)):
            yield f"{ENGLISH}: {id_}: no text, used in {file}"
        if id_.startswith(f"{PAGE}.") and id_.endswith("_") and id_.count("_") == 1:
            yield f"{ENGLISH}: {id_}: stands for too many ids in {file}: name each of them"
    for id_, forms in texts.items():
        is_title = id_.startswith(f"{DIAGNOSTIC}.")
        if not is_title and id_ not in used and not id_.startswith(families):
            yield f"{ENGLISH}: {id_}: not used"
        if not all(forms):
            yield f"{ENGLISH}: {id_}: no text"


def problems(language: str, catalogue: Catalog, texts: Texts) -> Iterator[str]:
    """The problems of a translation."""
    entries = {name_of(message): message for message in catalogue if message.id}
    rule = get_plural(language)
    number = rule.num_plurals
    expected, found = c2py(rule.plural_expr), c2py(catalogue.plural_expr)
    if catalogue.num_plurals != number:
        yield f"{language}: Plural-Forms: expected {number} forms"
    elif any(found(n) != expected(n) for n in range(1_000)):
        yield f"{language}: Plural-Forms: expected a rule equal to `{rule.plural_expr}`"
    for id_, english in texts.items():
        message = entries.get(id_)
        forms = forms_of(message)
        if message is None or not any(forms):
            yield f"{language}: {id_}: no translation of `{comment_of(english)}`"
            continue
        if message.fuzzy:
            yield f"{language}: {id_}: fuzzy"
        elif " ".join(message.auto_comments) != comment_of(english):
            yield f"{language}: {id_}: the English text is now `{comment_of(english)}`"
        if len(forms) != (number if len(english) > 1 else 1) or not all(forms):
            yield f"{language}: {id_}: expected {number if len(english) > 1 else 1} forms"
        wanted = set(places("".join(english)))
        for form in forms:
            # a form for one number alone may do without the number
            if not wanted - {"n"} <= set(places(form)) <= wanted:
                yield f"{language}: {id_}: expected the places {', '.join(sorted(wanted))}: {form}"
    for id_ in entries:
        if id_ not in texts:
            yield f"{language}: {id_}: not used"


def all_problems() -> list[str]:
    """The problems of all catalogues."""
    texts, used = english_texts()
    found = list(english_problems(texts, used))
    for language in languages():
        found += problems(language, read(language), texts)
    return found


# ------------------------------------------------------------------ writing


def updated(language: str, old: Mapping[str, Message], texts: Texts) -> Catalog:
    """A catalogue with every text, in the order of the English ones."""
    made = Catalog(locale=language)
    for id_, english in texts.items():
        message = old.get(id_)
        is_plural = len(english) > 1
        empty = ("",) * made.num_plurals if is_plural else ""
        string = message.string if message is not None else empty
        comment = [] if language == ENGLISH else [comment_of(english)]
        is_changed = (
            message is not None and comment and " ".join(message.auto_comments) != comment[0]
        )
        made.add(
            (id_, id_) if is_plural else id_,
            string if isinstance(string, tuple) == is_plural else empty,
            flags=({"fuzzy"} if is_changed else set()) | (message.flags if message else set()),
            auto_comments=comment,
            user_comments=message.user_comments if message is not None else (),
        )
    return made


def plural_forms(language: str) -> str:
    """The plural rule of a catalogue as its file has it; for a new one, the rule of Babel.

    Releases of Babel write the same rule in different forms.
    """
    path = catalogue_path(language)
    head = path.read_text("utf-8").partition("\n\n")[0] if path.is_file() else ""
    found = re.search(r'"Plural-Forms: (.+)\\n"', head)
    if found:
        return found[1]
    rule = get_plural(language)
    return f"nplurals={rule.num_plurals}; plural={rule.plural_expr};"


def po_text(language: str, catalogue: Catalog) -> str:
    """A catalogue as the text of its file, a line for each text."""
    name = Locale.parse(language).get_language_name(language) or language
    head = f"""\
msgid ""
msgstr ""
"Language: {language}\\n"
"X-Language-Name: {name}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms(language)}\\n"

"""
    out = io.BytesIO()
    write_po(out, catalogue, width=0, omit_header=True)
    return head + out.getvalue().decode().rstrip("\n") + "\n"


def write(language: str, texts: Texts) -> None:
    """Write the catalogue of a language again, or begin it."""
    path = catalogue_path(language)
    old = {name_of(m): m for m in read(language) if m.id} if path.is_file() else {}
    path.write_text(po_text(language, updated(language, old, texts)), "utf-8")


def main() -> int:
    """Check or write; the exit code."""
    parser = argparse.ArgumentParser(description="check the catalogues of words")
    parser.add_argument("--update", action="store_true", help="write the catalogues again")
    parser.add_argument("--new", metavar="LANGUAGE", help="begin the catalogue of a language")
    asked = parser.parse_args()
    texts, _ = english_texts()
    if asked.new:
        write(asked.new, texts)
        return 0
    if asked.update:
        own = {id_: forms for id_, forms in texts.items() if not id_.startswith(DIAGNOSTIC)}
        write(ENGLISH, own)
        for language in languages():
            write(language, texts)
    found = all_problems()
    print("\n".join([*found, f"{len(found)} problems"] if found else ["no problem"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
