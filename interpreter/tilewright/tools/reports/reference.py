"""The reference pages, generated from the program's own data.

The language comes from the grammar and the table of primitives, the file formats from the
descriptions of their keys:
`python -m tilewright.tools.reports.reference docs` writes their pages; with `--check` it only lists
those that are out of date. The diagnostics come from their catalogue, a page for each: the build of
the site makes them, and without the site `tilewright explain` prints them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tilewright.language import builtins as p
from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.source.catalogue import CodeInfo, codes
from tilewright.language.syntax.parse_table import grammar_text
from tilewright.language.types import BASES
from tilewright.play.limits import MAX_NUMBER
from tilewright.rules.model.ruleset import Combine
from tilewright.rules.reading.file_kinds import FILES
from tilewright.rules.reading.files.shapes import (
    NOTHING,
    EffectText,
    Either,
    LabelText,
    ListOf,
    Map,
    MapOf,
    Number,
    Scalar,
    Shape,
    Truth,
    limits_of,
)
from tilewright.tools.reports.editions_page import editions_page
from tilewright.tools.reports.reference_limits import CHECKED, RUNNING
from tilewright.tools.reports.reference_texts import (
    COMBINES,
    DIAGNOSTICS,
    FAMILIES,
    FORMAT,
    IGNORING,
    LANGUAGE,
    LIMITS,
    OPERATORS,
    PRINTED,
    QUANTIFIERS,
    ROUNDING,
    RUNNING_LIMITS,
)

MADE = (
    "<!-- Made by `python -m tilewright.tools.reports.reference docs`; changes here are lost. -->\n"
)


def pages() -> dict[str, str]:
    """The reference pages that are kept with the documentation, by their paths in its folder."""
    return {
        "reference/language.md": language_page(),
        "reference/format.md": format_page(),
        "reference/editions.md": MADE + editions_page(),
    }


# ------------------------------------------------------------------ the language


def language_page() -> str:
    """The page of the effect language."""
    return "".join([MADE, LANGUAGE, *_sentences(), *_words(), *_engine(), *_grammar()])


def _sentences() -> Iterator[str]:
    found = sentences(grammar_text())
    ends = next(i for i, (name, _) in enumerate(found) if name == "verb") + 1
    for head, part in (("Effects", found[:ends]), ("Expressions", found[ends:])):
        yield f"## {head}\n\nOne example for each construct; the full syntax is in "
        yield "[the grammar](#the-whole-grammar).\n\n"
        yield from _table(("construct", "example"), [(name, f"`{text}`") for name, text in part])
        yield "\n"
    yield "### Operators\n\n"
    yield f"Numbers are integers from -{MAX_NUMBER:,} to {MAX_NUMBER:,}. {ROUNDING}"
    yield from _table(
        ("written", "gives"), [(f"`{text}`", says) for text, says in OPERATORS.values()]
    )
    yield "\n### Quantifiers over the members of a set\n\n"
    yield from _table(
        ("`WORD x in SET: ...`", "gives"),
        [(f"`{word}`", says) for word, says in QUANTIFIERS.items()],
    )


def sentences(grammar: str) -> list[tuple[str, str]]:
    """Every rule of a grammar that has an example, by its name; once for each of its examples."""
    found: list[tuple[str, str]] = []
    above = ""
    for line in grammar.splitlines():
        if line.startswith("//"):
            above = line.removeprefix("//").strip()
            continue
        name = line.split(":")[0].strip("?_")
        if above and name.isidentifier() and name.islower():
            examples = (text.strip() for text in above.split("   "))
            found += [(name, text) for text in examples if text and text[0] != "("]
        above = ""
    return found


def _words() -> Iterator[str]:
    yield "\n## Types\n\n"
    yield ", ".join(f"`{base}`" for base in BASES) + ".\n"
    yield "\n## Attributes\n"
    for owner, rows in groupby(p.ATTRIBUTES, key=lambda row: row.owner):
        yield f"\n### {owner}\n\n"
        yield from _table(
            ("attribute", "type", "meaning"),
            [(f"`{row.name}`", f"`{row.type}`", row.doc) for row in rows],
        )
    yield "\n### Printed numbers\n\n"
    yield PRINTED
    yield "\n## Global names\n\n"
    yield from _table(
        ("name", "type", "meaning"), [(f"`{g.name}`", f"`{g.type}`", g.doc) for g in p.GLOBALS]
    )
    yield "\n## Functions\n\n`T` stands for any base.\n\n"
    yield from _table(
        ("function", "meaning"), [(f"`{_function_text(f)}`", f.doc) for f in p.FUNCTIONS]
    )
    yield "\n## Verbs\n\n"
    yield from _table(
        ("verb", "does", "changes", "announces"),
        [
            (
                f"`{_verb_text(v)}`",
                v.doc,
                ", ".join(v.changes),
                f"`{v.announces}`" if v.announces else "",
            )
            for v in p.VERBS
        ],
    )


def _function_text(function: p.Function) -> str:
    given = ", ".join(f"{name}: {type_}" for name, type_ in function.parameters)
    return f"{function.name}({given}): {function.result}"


def _verb_text(verb: p.VerbDecl) -> str:
    words = []
    for preposition, types, required in verb.parts:
        if types[0].startswith("target: "):
            text = f"{preposition} NAME"
        else:
            text = f"{preposition} {' or '.join(type_.upper() for type_ in types)}"
        words.append(text if required else f"[{text}]")
    return verb.written(verb.operand.upper(), *words)


def _engine() -> Iterator[str]:
    yield "\n## How amendments combine\n\n"
    yield "The key `combine` of a definition declares how the amendments of all rulesets become "
    yield "one value.\n\n"
    yield from _table(
        ("combine", "gives"), [(f"`{combine.value}`", COMBINES[combine]) for combine in Combine]
    )
    yield "\n## Built-in events, definitions and values\n\nEvents that verbs announce:\n\n"
    yield from _table(
        ("event", "meaning"),
        [(f"`{name}({_given(given)})`", doc) for name, given, doc in BUILTIN_EVENTS],
    )
    yield "\nDefinitions that the engine evaluates; rules amend them like others:\n\n"
    yield from _table(
        ("definition", "combine", "meaning"),
        [
            (f"`{name}({_given(given)}): {type_}`", f"`{combine}`", doc)
            for name, given, type_, combine, doc in BUILTIN_DEFINITIONS
        ],
    )
    yield "\nValues that the engine reads: `players.least` and `players.most`, the number of "
    yield "players. Without them any number of players with a seat is allowed.\n"


def _given(parameters: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name}: {type_}" for name, type_ in parameters)


def _grammar() -> Iterator[str]:
    words = ", ".join(f"`{word}`" for word in sorted(p.RESERVED))
    yield f"\n## Reserved words\n\n{words}.\n"
    yield f"\n## The whole grammar\n\n```lark\n{grammar_text().rstrip()}\n```\n"


# ------------------------------------------------------------------ the format


#: the kinds of files with keys of their own; a ruleset in one file has those of the others
_SHOWN = {kind: shape for kind, shape in FILES.items() if kind != "ruleset"}


def format_page() -> str:
    """The page of the files of a ruleset."""
    text = MADE + FORMAT
    for shape in _SHOWN.values():
        text += f"## {shape.title}\n\n{shape.says}\n\n"
        text += "".join(_table(("key", "type", "meaning"), list(_keys(shape, "")))) + "\n"
    return text + "".join(_limits())


def _limits() -> Iterator[str]:
    yield LIMITS
    yield from _table(("limit of", "is"), CHECKED)
    yield RUNNING_LIMITS
    yield from _table(("limit of", "is"), RUNNING)


@dataclass(frozen=True, slots=True)
class FileKey:
    """A key of a file: `path` as in `rules[].amend`, `shape` its type, `says` its purpose."""

    file: str
    path: str
    shape: str
    says: str


def file_keys(word: str = "") -> tuple[FileKey, ...]:
    """The keys that are called by a word, or by a path; all of a file called so; all without."""
    found = []
    for kind, whole in _SHOWN.items():
        file = whole.title.split(":")[0]
        is_meant = word in ("", kind, file)
        for path, shape, says in _keys(whole, ""):
            key = FileKey(file, path.strip("`"), shape, says.replace("**", ""))
            last = key.path.removesuffix("[]").removesuffix(".*").split(".")[-1]
            if is_meant or word == key.path or (word == last and key.path[-1] not in "]*"):
                found.append(key)
    return tuple(found)


def _keys(shape: Shape, path: str) -> Iterator[tuple[str, str, str]]:
    """A row for every key under a shape, outermost first."""
    for name, inner in shape.known().items():
        here = f"{path}.{name}" if path else name
        yield (f"`{here}`", _type(inner), _says(inner))
        yield from _inside(inner, here)


def _inside(shape: Shape, path: str) -> Iterator[tuple[str, str, str]]:
    yield from _keys(shape, path)
    match shape:
        case ListOf(item=item):
            inner, mark = item, "[]"
        case MapOf(item=item):
            inner, mark = item, ".*"
        case Map(other=Shape() as item):
            inner, mark = item, ".*"
        case _:
            return
    if isinstance(inner, Map):
        yield (f"`{path}{mark}`", _type(inner), _says(inner))
    yield from _inside(inner, path + mark)


def _type(shape: Shape) -> str:
    match shape:
        case Shape(words=words) if words:
            return ", ".join(f"`{word}`" for word in words)
        case Either(shapes=shapes):
            return " or ".join(dict.fromkeys(_type(each) for each in shapes))
        case LabelText():
            return "text or map to text"
        case ListOf(item=item):
            return f"list of {_type(item)}"
        case MapOf(item=item) | Map(other=Shape() as item):
            return f"map to {_type(item)}"
        case Map():
            return "map"
        case Number():
            return "number"
        case Truth():
            return "truth"
        case Scalar() | EffectText():
            return "scalar"
    return "nothing" if shape is NOTHING else "text"


def _says(shape: Shape) -> str:
    text = f"**Required.** {shape.says}" if shape.required else shape.says
    if isinstance(shape, Map) and shape.ways:
        needed = (" with ".join([f"`{way.needs[0]}`", *_and(way.needs[1:])]) for way in shape.ways)
        text += f" Exactly one of: {'; '.join(dict.fromkeys(needed))}."
    text += "".join(f" {each}." for each in limits_of(shape))
    if shape.examples:
        text += " For example " + ", ".join(f"`{_example(e)}`" for e in shape.examples) + "."
    return text


def _and(keys: Sequence[str]) -> list[str]:
    return [" and ".join(f"`{key}`" for key in keys)] if keys else []


def _example(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# ----------------------------------------------------------------- diagnostics


def diagnostic_pages() -> dict[str, str]:
    """A page for each code and their index, by their paths in the folder of the documentation."""
    found = {"reference/diagnostics/index.md": "".join(_diagnostics_index())}
    for info in codes().values():
        found[f"reference/diagnostics/{info.name}.md"] = _diagnostic_page(info)
    return found


def _diagnostics_index() -> Iterator[str]:
    yield DIAGNOSTICS
    for family, infos in groupby(codes().values(), key=lambda info: info.code[2]):
        yield f"\n## TW{family}: {FAMILIES[family]}\n\n"
        rows = [(i.code, f"[`{i.name}`]({i.name}.md)", i.title) for i in infos]
        yield from _table(("code", "name", "meaning"), rows)


def _diagnostic_page(info: CodeInfo) -> str:
    title = info.title[0].upper() + info.title[1:]
    parts = [f"# {info.name} ({info.code})\n\n**{title}.** {info.explanation}\n"]
    for head, text in (("Refused", info.failing), ("Mended", info.mended)):
        parts.append(f"\n## {head}\n\n```yaml\n{text.rstrip()}\n```\n")
    return "".join([*parts, IGNORING.replace("CODE", info.code)])


# ------------------------------------------------------------------ writing


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [_row(heads), _row(["---"] * len(heads)), *map(_row, rows)]
    return [line + "\n" for line in lines]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def stale(folder: Path) -> tuple[str, ...]:
    """The pages in a folder that are missing or not current."""
    return tuple(
        name
        for name, text in pages().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    )


def main(words: Sequence[str]) -> int:
    """Write the pages into a folder, or with `--check` say which are not current."""
    rest = [word for word in words if word != "--check"]
    folder = Path(rest[0] if rest else "docs")
    old = stale(folder)
    if "--check" in words:
        for name in old:
            print(f"{folder / name} is not current")
        return 1 if old else 0
    made = pages()
    for name in old:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(made[name], encoding="utf-8", newline="\n")
        print(f"{folder / name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
