"""Writes a ruleset as files; reading them gives an equal ruleset with other places.

For rulesets in which all is settled: of patches only those that insert effects beside a rule are
written, and no scenarios. Comments and the author's own layout are lost; whoever wants to keep them
formats the file instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from tilewright.language.source.yaml.dump import Plain, document
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.geometry import HEADINGS
from tilewright.rules.reading.files.components import COMPONENTS
from tilewright.rules.reading.files.module import MODULE
from tilewright.rules.reading.files.rules import RULES
from tilewright.rules.reading.files.shapes import MapOf
from tilewright.rules.reading.files.statements import STATEMENTS
from tilewright.rules.reading.files.tiles import CELL, FILE, TILE
from tilewright.rules.reading.files.writing import written


def files_of(
    ruleset: m.Ruleset, page_of: Callable[[str, str], str] = lambda kind, id_: "rules"
) -> dict[str, str]:
    """The files of a ruleset: name and text. `page_of` gives the page of a thing by its kind
    (values, memory, steps, definitions, events, rules, patches).
    """
    phrases = tuple(
        {"heading": heading, "lines": tuple(group)}
        for heading, group in groupby(ruleset.phrases, key=attrgetter("heading"))
    )
    book = {"statements": ruleset.statements, "phrases": phrases}
    trees: dict[str, dict[str, Any]] = {
        "module.yaml": written(MODULE, ruleset.module, _parts),
        "statements.yaml": written(STATEMENTS, book, _parts),
        "components.yaml": written(COMPONENTS, ruleset, _parts),
    }
    if ruleset.pieces:
        trees["tiles.yaml"] = written(FILE, {"tiles": ruleset.pieces}, _parts)
    for kind, shape in RULES.keys.items():
        for thing in getattr(ruleset, kind, ()):
            page = page_of(kind, getattr(thing, "head", thing).id)
            tree = trees.setdefault(f"rules/{page}.yaml", {})
            found = written(shape, (thing,), _parts)
            if isinstance(shape, MapOf):
                tree.setdefault(kind, {}).update(found)
            else:
                tree.setdefault(kind, []).extend(found)
    return {name: document(tree) for name, tree in trees.items() if tree}


def tile_data(piece: m.PieceKind) -> dict[str, Any]:
    """A tile as one item of the list `tiles`."""
    found: dict[str, Any] = written(TILE, piece, _parts)
    return found


def _parts(thing: Any) -> Mapping[str, Any]:
    """The values of a thing that are not its attributes, as its file has them."""
    match thing:
        case m.Module():
            return {"shares": (), "parts": ()}
        case m.PromiseChange():
            return {"what": f"{thing.kind} {thing.name}"}
        case m.SymbolDecl(covers=(over, edges)) if over:
            return {"covers": {"over": over, "edges": edges}}
        case m.PrintedNumber(attribute=attribute):
            names = ("combine", "label", "symbol", "is_landmark")
            return {name: getattr(attribute, name) for name in names}
        case m.PieceKind(faces=((cell,),)):
            return {**{name: getattr(cell, name) for name in CELL}, **_parts(cell), "faces": ()}
        case m.TileFace():
            arrows = tuple((name, HEADINGS[heading]) for name, heading in thing.arrows)
            return {"at": (thing.x, thing.y), "arrows": arrows}
        case m.Segment():
            return {"other": dict(thing.attributes)}
        case m.ValueDecl():
            return {"value": _bare(thing.value)}
        case m.MeasureDecl():
            return {"on": _call(thing.on, thing.parameters)}
        case m.StepDecl():
            return _neighbours(thing, "after", "before")
        case m.Patch(rule=m.Procedure() as rule):
            return {**_head(rule.head), "insert": f"{thing.how} {thing.target}", "do": rule.do}
        case m.Amendment() | m.StepRule() | m.Reaction() | m.Action() | m.Procedure():
            own = {"id": thing.head.id, "statements": thing.head.statements}
            return {**_head(thing.head), **own, **_body(thing)}
    return {}


def _bare(text: str) -> Plain:
    """A value in an author's notation: numbers and truth values unquoted."""
    if text in ("true", "false"):
        return text == "true"
    is_number = text.lstrip("-").isdecimal() and str(int(text)) == text
    return int(text) if is_number else text


def _call(name: str, parameters: tuple[str, ...]) -> str:
    return f"{name}({', '.join(parameters)})" if parameters else name


def _neighbours(declared: m.StepDecl | m.RuleHead, *keys: str) -> dict[str, tuple[str, ...]]:
    """The names under keys such as `after`; `name?` may be absent."""
    return {
        key: tuple(f"{n}?" if n in declared.optional else n for n in getattr(declared, key))
        for key in keys
    }


def _head(head: m.RuleHead) -> dict[str, Any]:
    names = ("option", "with_", "says", "topic", "label", "moment", "when")
    values = {name: getattr(head, name) for name in names}
    return values | _neighbours(head, "after", "before", "over")


def _body(rule: m.Rule) -> dict[str, Any]:
    match rule:
        case m.Amendment():
            return {"amend": _call(rule.definition, rule.parameters), "item": rule.item_label}
        case m.StepRule():
            return {"on": f"step {rule.step}"}
        case m.Reaction():
            return {"on": _call(rule.event, rule.parameters)}
        case m.Action():
            return {"action": f"{rule.name} at step {rule.step}"}
        case m.Procedure():
            parameters = ", ".join(f"{p.name}: {p.type}" for p in rule.declaration.parameters)
            return {"procedure": f"{rule.declaration.id}({parameters})"}


def as_documents(files: Mapping[str, str]) -> str:
    """All files as the documents of one text, each under its name."""
    return "".join(f"--- # {name}\n{text}" for name, text in files.items())


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Write the files of a ruleset to a new folder: all of them, or none.

    Raises FileExistsError, and OSError when the system refuses.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"`{folder}` is there already, and is not empty")
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, text in files.items():
            path = beside / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        beside.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        beside.rename(folder)
    except BaseException:
        rmtree(beside, ignore_errors=True)
        raise
