"""The reference pages, generated from the program's own data.

The language comes from the grammar and the table of primitives, the file formats from the schemas,
the diagnostics from their catalogue. `python -m tilewright.tools.reports.reference docs` writes the
pages; with `--check` it only lists those that are out of date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from tilewright.language import builtins as p
from tilewright.language.parse_table import grammar_text
from tilewright.language.types import BASES
from tilewright.model.ruleset import Combine
from tilewright.reading.schemas import KINDS, schema_of
from tilewright.source.catalogue import codes

Json = Mapping[str, Any]

MADE = (
    "<!-- Made by `python -m tilewright.tools.reports.reference docs`; changes here are lost. -->\n"
)

#: the meaning of each word before `x in a set: ...`
QUANTIFIERS: dict[str, str] = {
    "any": "whether it is true of at least one; false of an empty set",
    "all": "whether it is true of each; true of an empty set",
    "count": "of how many it is true",
    "those": "the members of which it is true, in their order",
    "sum": "the numbers added up",
    "most": "the members with the highest number",
    "least": "the members with the lowest number",
    "collect": "the set of what it gives for each, every one once",
}

#: the result of operators and words inside expressions
OPERATORS: dict[str, tuple[str, str]] = {
    "div": (
        "a div b",
        "whole division, rounded down: `7 div 2` is 3 and `-7 div 2` is -4; by zero it is 0",
    ),
    "mod": (
        "a mod b",
        "what `div` leaves: `7 mod 2` and `-7 mod 2` are 1; by zero it is `a` itself, so `b * (a "
        "div b) + a mod b` is always `a`",
    ),
    "of": (
        "SET of OWNER",
        "the members that belong to a player, or are of a kind, a role or a trait",
    ),
    "has": ("x has MARK", "whether a symbol is printed on it, or whether it has a trait"),
    "is": ("x is K", "whether it is of a kind, in a role, or the same thing; `is not` denies it"),
    "first": (
        "first n of SET",
        "the first members of a set in its order: so many, or all where there are fewer",
    ),
    "..": ("a..b", "the whole numbers from one to another; its length must be clear before play"),
    "in": ("x in SET", "whether it is a member; `not in` denies it"),
    "something": ("x is something", "whether there is one: `nothing` is no thing"),
    "empty": ("s is empty", "whether a set or a stack has no member"),
}

#: the meaning of each kind of effect, by its rule in the grammar
EFFECTS: dict[str, str] = {
    "let": "names a value for the rest of its block",
    "assign": "gives another value to a memory, to `active` or to a local name",
    "add": "puts a member into a set that is remembered",
    "drop": "takes a member out of a set that is remembered",
    "if": "does the first block when the condition holds, else the second, if there is one",
    "for": "does a block for each member of a set, in its order",
    "repeat": "does a block so many times; the number is asked for once, at the start",
    "stop": "leaves the innermost `for` or `repeat`, or the rule outside any loop",
    "choose": "lets a player choose a member; with `may`, or nothing; `else` when none was chosen",
    "decide": "lets a player say yes or no to something; `else` when no",
    "draw_into": "lets chance move pieces from a stack into another, so many times, or as often as"
    " there is such a piece",
    "draw": "lets chance take a piece out of a stack, one of those asked for",
    "offer": "lets a player do one of the actions of this step, or none",
    "perform": "performs a procedure: the effects of all its rules",
    "announce": "tells an event: all reactions to it follow at once",
    "end_game": "lets no further turn begin; the final phase follows, unless it ends `at once`",
}

#: how several amendments become one value
COMBINES: dict[Combine, str] = {
    Combine.ONE: "the one amendment that holds; two that may hold at once are an error, settled by "
    "`over:` or by conditions; without any it is `default`",
    Combine.SUM: "the numbers added up",
    Combine.ALL: "true when every amendment is; true when there is none",
    Combine.ANY: "true when some amendment is; false when there is none",
    Combine.MAX: "the greatest number; `default`, or zero, when there is none",
    Combine.MIN: "the least number; `default`, or zero, when there is none",
    Combine.UNION: "everything that some amendment has",
    Combine.ITEMS: "the numbers added up, each kept apart under the `item` that names it",
}

LANGUAGE = """# The effect language

Conditions, values and effects in `rules/*.yaml` are written in a small typed language. It is
total: no recursion, loops only over sets and counted repeats, no fractions, no clock, no chance but
`draw`. Line ends mean nothing, `#` begins a comment. `tilewright explain WORD` says what stands
here.

An **expression** asks and changes nothing; an **effect** changes the game. Every name is known
before anything is played: a parameter, a `let`, a value, a memory, a declared kind, symbol, figure
or stack, or one of the names below. An unknown name is an error and never false or zero.

A type is a base, a set of a base (`set of tile`) or an optional one (`figure?`). What is optional
has to be tested before it is used: in `f.owner is something and f.owner is active` the second half
knows that there is an owner. `x is K` asks for a kind or a role, or whether two things are the
same; `x has S` for a printed symbol or a trait; `figures of active` and `figures of K` keep those
that belong there.

**A test holds until an effect may undo it.** After `if f.owner is something { ... }` the block may
use `f.owner` as often as it likes, because an owner never changes. `f.tile` is another matter:
`return f` takes the figure off its tile, so behind it the test must be made again. What an effect
changes stands in [the table of verbs](#verbs); calls, `announce`, `offer` and verbs that announce
something let other rules act, and may change everything but local names. So keep what you need:
`let who = crown.holder`, then test and use `who`.

**`stop` leaves one loop.** In a `for` inside a `for` it leaves the inner one, and the outer goes on
with its next member. Outside any loop it leaves the rule.

**Sets have an order**, and `for`, `first`, `those`, `collect` and every choice keep to it. Tiles
stand in the order in which they were laid, players by seat, figures by their number (those that
nobody owns, then by seat and kind), features by age, pieces of a stack by kind. Other sets keep the
order in which they were written or filled. A set has each member once; a stack may have many copies
of a piece.

**`p.figures` and `figures of p`** are the same: the player's figures on the board. `p.supply` are
those at home, and `p.owned` all of them.

"""

PRINTED = """A kind of feature may declare `attributes`: numbers that are printed on its segments.
For an attribute `flags`, `s.flags` is the number on a segment, and zero where none is printed.
`x.flags` of a feature is the sum over its segments, unless the attribute has another `combine`.
"""

FORMAT = """# The files of a ruleset

```
RULESET/
  module.yaml        who it is, what it needs, what its user may choose
  statements.yaml    the book: what the rulebook says; a long one goes on in statements/*.yaml
  components.yaml        kinds of features, symbols, figures, roles, stacks
  tiles.yaml         the tiles as printed
  rules/*.yaml       the law
  scenarios/*.yaml   the proof
```

A `topics.yaml` beside the folders of editions may say what topics are called, for all of them.
Only `module.yaml` has to be there. YAML is read strictly: a key that is given twice, an anchor or
an unknown key is an error, and `on`, `no` and `012` are text. In the tables `[]` after a key means
each member of a list, and `*` a name that the author gives. A scalar is a text, a number or a
truth; most scalars are written in the [effect language](language.md). For an editor that knows
schemas, begin a file with this line, if the schemas lie at such a place wherever the file goes:

```yaml
# yaml-language-server: $schema=PATH/TO/schemas/rules.schema.json
```

## The order of steps and rules

The steps of a phase are carried out one after another, and at each step its rules. A step says
`after` and `before`, a rule `after`; `order` puts steps or rules of other rulesets in order.
Neither the names of files nor their order matters, and no id decides anything.

Two rules at one step, or at two steps, **commute** when the result is the same whichever goes
first: neither changes what the other reads or changes. Rules that only award points commute. Two
rules that both let a player choose do not, nor does one that may end the game with one that changes
anything.

- Two rules at one step, or on one event, that do not commute need an `after` between them, directly
  or by way of other rules (TW721).
- Two steps whose rules do not commute need an order too, directly or by way of other steps (TW765).
- Steps and rules that commute need none, and how they are then placed changes no result. A step
  stands right behind the last step that its `after` names, or else right before the first that its
  `before` names, or else at the end of its phase, as far as other steps leave it there; steps of
  rulesets that others require are placed first.

A step of the turn should say both `after` and `before`: at the end of the phase, another player is
already `active`.

"""

DIAGNOSTICS = """# Complaints

Every complaint has a code that never changes its meaning. `tilewright explain CODE` prints what
stands here. The comment that begins an example names its file.

"""


def pages() -> dict[str, str]:
    """The reference pages by their file names."""
    return {
        "language.md": language_page(),
        "format.md": format_page(),
        "diagnostics.md": diagnostics_page(),
    }


# ------------------------------------------------------------------ the language


def language_page() -> str:
    return "".join([MADE, LANGUAGE, *_sentences(), *_words(), *_engine(), *_grammar()])


def _sentences() -> Iterator[str]:
    found = sentences(grammar_text())
    ends = next(i for i, (name, _) in enumerate(found) if name == "verb") + 1
    for head, part in (("Effects", found[:ends]), ("Expressions", found[ends:])):
        yield f"## {head}\n\nAn example of every sentence; how it is put together says "
        yield "[the grammar](#the-whole-grammar).\n\n"
        yield from _table(("sentence", "example"), [(name, f"`{text}`") for name, text in part])
        yield "\n"
    yield "### Operators\n\n"
    yield "Numbers are whole; the greatest that may be kept is 1,000,000,000,000.\n\n"
    yield from _table(
        ("written", "gives"), [(f"`{text}`", says) for text, says in OPERATORS.values()]
    )
    yield "\n### Asking all members of a set\n\n"
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
    yield "\n## What can be asked of a thing\n"
    for owner, rows in groupby(p.ATTRIBUTES, key=lambda row: row.owner):
        yield f"\n### {owner}\n\n"
        yield from _table(
            ("attribute", "type", "says"),
            [(f"`{row.name}`", f"`{row.type}`", row.doc) for row in rows],
        )
    yield "\n### Numbers that are printed\n\n"
    yield PRINTED
    yield "\n## Names that are always there\n\n"
    yield from _table(
        ("name", "type", "says"), [(f"`{g.name}`", f"`{g.type}`", g.doc) for g in p.GLOBALS]
    )
    yield "\n## Functions\n\n`T` stands for any base.\n\n"
    yield from _table(
        ("function", "says"), [(f"`{_function_text(f)}`", f.doc) for f in p.FUNCTIONS]
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
    words = [verb.before_parts(verb.operand.upper())]
    for preposition, types, required in verb.parts:
        if types[0].startswith("target: "):
            text = f"{preposition} NAME"
        else:
            text = f"{preposition} {' or '.join(type_.upper() for type_ in types)}"
        words.append(text if required else f"[{text}]")
    return " ".join(words)


def _engine() -> Iterator[str]:
    yield "\n## How amendments combine\n\n"
    yield "The key `combine` of a definition says how the amendments of all rulesets become one "
    yield "value.\n\n"
    yield from _table(
        ("combine", "gives"), [(f"`{combine.value}`", COMBINES[combine]) for combine in Combine]
    )
    yield "\n## What the program itself knows\n\nEvents that verbs announce:\n\n"
    yield from _table(
        ("event", "says"),
        [(f"`{name}({_given(given)})`", doc) for name, given, doc in p.BUILTIN_EVENTS],
    )
    yield "\nDefinitions that are asked without any rule's doing; rules amend them like others:\n\n"
    yield from _table(
        ("definition", "combine", "says"),
        [
            (f"`{name}({_given(given)}): {type_}`", f"`{combine}`", doc)
            for name, given, type_, combine, doc in p.BUILTIN_DEFINITIONS
        ],
    )
    yield "\nValues that it reads: `players.least` and `players.most`, how many may play. Where "
    yield "nobody declares them, everybody may who has a seat.\n"


def _given(parameters: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name}: {type_}" for name, type_ in parameters)


def _grammar() -> Iterator[str]:
    words = ", ".join(f"`{word}`" for word in sorted(p.RESERVED))
    yield f"\n## Words that can name nothing\n\n{words}.\n"
    yield f"\n## The whole grammar\n\n```lark\n{grammar_text().rstrip()}\n```\n"


# ------------------------------------------------------------------ the format


def format_page() -> str:
    text = MADE + FORMAT
    for kind in KINDS:
        schema = schema_of(kind)
        text += f"## {schema['title']}\n\n{schema['description']}\n\n"
        text += "".join(_table(("key", "is", "says"), list(_keys(schema, "")))) + "\n"
    return text.rstrip() + "\n"


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
    for kind in KINDS:
        schema = schema_of(kind)
        file = str(schema["title"]).split(":")[0]
        is_meant = word in ("", kind, file)
        for path, shape, says in _keys(schema, ""):
            key = FileKey(file, path.strip("`"), shape, says.replace("**", ""))
            last = key.path.removesuffix("[]").removesuffix(".*").split(".")[-1]
            if is_meant or word == key.path or (word == last and key.path[-1] not in "]*"):
                found.append(key)
    return tuple(found)


def _keys(schema: Json, path: str) -> Iterator[tuple[str, str, str]]:
    """A row for every key under a schema, outermost first."""
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        if isinstance(inner, bool):
            continue
        here = f"{path}.{name}" if path else name
        yield (f"`{here}`", _shape(inner), _says(inner, name in required))
        yield from _inside(inner, here)


def _inside(schema: Json, path: str) -> Iterator[tuple[str, str, str]]:
    yield from _keys(schema, path)
    for inner, mark in ((schema.get("items"), "[]"), (schema.get("additionalProperties"), ".*")):
        if not isinstance(inner, Mapping):
            continue
        if "properties" in inner:
            yield (f"`{path}{mark}`", _shape(inner), _says(inner, False))
        yield from _inside(inner, path + mark)
    for inner in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if "type" in inner:
            yield from _inside(inner, path)


def _shape(schema: Json) -> str:
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    ways = [s for s in (*schema.get("anyOf", ()), *schema.get("oneOf", ())) if "type" in s]
    if ways:
        return " or ".join(dict.fromkeys(_shape(way) for way in ways))
    type_ = schema.get("type", "")
    if isinstance(type_, list):
        return "nothing or text" if "null" in type_ else "scalar"
    if type_ == "array":
        inner = schema.get("items")
        return f"list of {_shape(inner)}" if isinstance(inner, Mapping) else "list"
    if type_ == "object":
        inner = schema.get("additionalProperties")
        return f"map to {_shape(inner)}" if isinstance(inner, Mapping) else "map"
    return {"string": "text", "integer": "number", "boolean": "truth"}.get(type_, "")


def _says(schema: Json, required: bool) -> str:
    text = str(schema.get("description", ""))
    if required:
        text = f"**Required.** {text}"
    bodies = [s["required"] for s in schema.get("oneOf", ()) if "required" in s and "type" not in s]
    if bodies:
        said = (" with ".join(f"`{key}`" for key in keys) for keys in bodies)
        ways = "; ".join(dict.fromkeys(said))
        text += f" Exactly one of: {ways}."
    examples = schema.get("examples", ())
    if examples:
        text += " For example " + ", ".join(f"`{_example(e)}`" for e in examples) + "."
    return text


def _example(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# ----------------------------------------------------------------- diagnostics


def diagnostics_page() -> str:
    parts = [MADE, DIAGNOSTICS]
    parts += _table(
        ("code", "says"), [(f"[{c}](#{_anchor(c, i.title)})", i.title) for c, i in codes().items()]
    )
    for code, info in codes().items():
        parts.append(f"\n## {code} {info.title}\n\n{info.explanation}\n")
        parts.append(f"\nRefused:\n\n```yaml\n{info.failing.rstrip()}\n```\n")
        parts.append(f"\nMended:\n\n```yaml\n{info.mended.rstrip()}\n```\n")
    return "".join(parts)


def _anchor(code: str, title: str) -> str:
    kept = (c for c in f"{code} {title}".lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


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
    folder.mkdir(parents=True, exist_ok=True)
    for name in old:
        (folder / name).write_text(made[name], encoding="utf-8", newline="\n")
        print(f"{folder / name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
