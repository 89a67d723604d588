"""A ruleset as somebody else might have written it, who means the same by it.

Everything that it declares has another name, locals too; lists have another order, in other
files; tiles lie turned; effects have the same meaning in another form. The words stay as they are.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, ClassVar

import yaml

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, code_without_file
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.syntax.unparse import print_effects, print_expression
from tilewright.rules.model.geometry import turned
from tilewright.rules.model.ruleset import PieceKind, TileFace
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.overlay import Overlay

NAME = "mine/copy"
#: names that the interpreter itself knows, and words that name no thing of the game
_KEPT = {("value", "players.least"), ("value", "players.most")}
_KEPT |= {("definition", name) for name, *_ in BUILTIN_DEFINITIONS}
_KEPT |= {("event", name) for name, *_ in BUILTIN_EVENTS}
_KINDS = re.findall(
    r"\w+",
    "statement rule value memory definition event procedure step action feature attribute symbol "
    "figure trait token role stack tile option local",
)


def copied(ruleset: str, folder: Path) -> Path:
    """A shipped ruleset without its scenarios, under the name `mine/copy`."""
    target = folder / "mine" / "copy"
    shutil.copytree(shipped_rulesets() / ruleset, target)
    shutil.rmtree(target / "scenarios", ignore_errors=True)
    module = target / "module.yaml"
    text = module.read_text(encoding="utf-8").replace(f"id: {ruleset}\n", f"id: {NAME}\n")
    module.write_text(text, encoding="utf-8")
    for shared in re.findall(r"^shares: \[(.*)\]\n", text, re.MULTILINE):
        _take_in(target, shipped_rulesets() / shared)
        module.write_text(re.sub(r"^shares: .*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    return target


def _take_in(target: Path, shared: Path) -> None:
    """Write what a ruleset shares into its own files."""
    texts: dict[str, Any] = {}
    for path in target.rglob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        block = re.search(r"^shared:\n((?:[ #].*\n|\n)*)", text, re.MULTILINE)
        if block is not None:
            texts |= yaml.safe_load(block[0])["shared"]
            path.write_text(text.replace(block[0], ""), encoding="utf-8")
    for path in sorted(shared.glob("rules/*.yaml")):
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
        rules = [{**rule, **texts.get(rule["id"], {})} for rule in found.get("rules", ())]
        _write(target / "rules" / f"shared-{path.name}", {**found, "rules": rules})
    for path in sorted(shared.glob("locale/*.po")):
        own = target / "locale" / path.name
        text = own.read_text(encoding="utf-8")
        entries = (entry.strip() for entry in path.read_text(encoding="utf-8").split("\n\n"))
        more = [entry for entry in entries if entry.partition("\nmsgstr")[0] not in text]
        own.write_text("\n\n".join((text.rstrip(), *more, "")), encoding="utf-8")
    pieces = [folder / "components.yaml" for folder in (target, shared)]
    trees = [yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader) for path in pieces]
    merged = dict(trees[0])
    for key, table in trees[1].items():
        merged[key] = {**merged.get(key, {}), **table}
    _write(pieces[0], merged)


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    ),
)


def _write(path: Path, tree: dict[str, Any]) -> None:
    text = yaml.dump(tree, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10_000)
    path.write_text(text, encoding="utf-8")


def renamed(ruleset: str, folder: Path) -> None:
    """Give everything that the copy declares another name."""
    index = Index(Overlay([folder]))
    index.overlay.open()
    declared = index.declared(NAME).keys() - _KEPT
    game = load_game(ruleset, {}, Library())[0]
    assert game is not None
    for below in game.rulesets:  # a replaced declaration keeps its name
        for id_ in {below.id, *below.took_over} - {ruleset}:
            declared -= index.declared(id_).keys()
    found = {path: list(index.resolved(path)) for path in index.overlay.files_of(NAME)}
    for path, places in found.items():
        lines = path.read_text(encoding="utf-8").split("\n")
        spans = {
            here.span: _other(here.kind, here.id)
            for here in (place.here for place in places)
            if here.kind == "local" or (here.kind in _KINDS and (here.kind, here.id) in declared)
        }
        for span, name in sorted(spans.items(), key=lambda item: item[0], reverse=True):
            line = lines[span.line - 1]
            lines[span.line - 1] = line[: span.column - 1] + name + line[span.end_column - 1 :]
        path.write_text("\n".join(lines), encoding="utf-8")


def _other(kind: str, id_: str) -> str:
    return f"other-{id_}" if kind == "statement" else f"other_{id_}"


# ------------------------------------------------------------------ the files


class _Loader(yaml.SafeLoader):
    """Knows numbers and truths alone."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


_Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"-?(0|[1-9]\d*)$"), None)
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(true|false)$"), None)


def reordered(folder: Path, lot: random.Random) -> None:
    """Lists and keys in another order, rules in other files, and effects in another form."""
    for path in sorted(folder.rglob("*.yaml")):
        tree = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
        tree = {key: _shuffled(value, lot) for key, value in _items(tree, lot)}
        tree = _said_otherwise(tree, lot)
        rules = tree.get("rules")
        if path.parent.name == "rules" and isinstance(rules, list) and len(rules) > 1:
            half = lot.randrange(1, len(rules))
            more = {"rules": rules[half:], **{k: tree[k] for k in ("with",) if k in tree}}
            tree["rules"] = rules[:half]
            path.with_name(f"more-{path.name}").write_text(json.dumps(more), encoding="utf-8")
        path.write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")


def _items(tree: dict[str, Any], lot: random.Random) -> list[tuple[str, Any]]:
    return lot.sample(list(tree.items()), len(tree))


def _shuffled(value: Any, lot: random.Random) -> Any:
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return [dict(_items(item, lot)) for item in lot.sample(value, len(value))]
    return dict(_items(value, lot)) if isinstance(value, dict) else value


def _said_otherwise(tree: Any, lot: random.Random, key: str = "") -> Any:
    if isinstance(tree, dict):
        inner = "value" if key == "offer" else ""
        return {k: _said_otherwise(v, lot, inner or k) for k, v in tree.items()}
    if isinstance(tree, list):
        return [_said_otherwise(item, lot, key) for item in tree]
    if key == "do":
        effects = parse_effects(code_without_file(tree), Reporter())
        return tree if effects is None else print_effects(_turned(effects, lot))
    if key in ("when", "where", "value", "default") and isinstance(tree, str):
        node = parse_expression(code_without_file(tree), Reporter())
        return tree if node is None else print_expression(_turned(node, lot))
    return tree


def _turned(node: Any, lot: random.Random) -> Any:
    """A part of effect text with other words for the same."""
    if isinstance(node, tuple):
        return tuple(_turned(part, lot) for part in node)
    if not isinstance(node, n.Node):
        return node
    made = replace(node, **{f.name: _turned(getattr(node, f.name), lot) for f in fields(node)})
    if lot.random() < 0.3 or (isinstance(made, n.And | n.Or) and _asks_whether_there(made)):
        return made
    match made:
        case n.And(parts, span):
            return n.And(tuple(lot.sample(parts, len(parts))), span)
        case n.Or(parts, span) if lot.random() < 0.5:
            return n.Not(n.And(tuple(n.Not(part, NOWHERE) for part in parts), NOWHERE), span)
        case n.Or(parts, span):
            return n.Or(tuple(reversed(parts)), span)
        case n.Arithmetic("+" | "*" as operator, left, right, span):
            return n.Arithmetic(operator, right, left, span)
        case n.Comparison("=" | "!=" as operator, left, right, span):
            return n.Comparison(operator, right, left, span)
        case n.Comparison("<" | "<=" | ">" | ">=" as operator, left, right, span):
            return n.Comparison(_MIRROR[operator], right, left, span)
        case n.Not(n.Comparison("<", left, right, span)):
            return n.Comparison(">=", left, right, span)
        case n.Quantifier("all", variable, source, body, span):
            inner = n.Quantifier("any", variable, source, n.Not(body, NOWHERE), span)
            return n.Not(inner, span)
    return made


def _asks_whether_there(node: n.And | n.Or) -> bool:
    """Whether a later part may rely on what an earlier one has found to be something."""
    text = print_expression(node)
    return any(word in text for word in (" is something", " is nothing", " is not nothing"))


_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

# ------------------------------------------------------------------ the tiles


_SIDES = ["N", "E", "S", "W"]
_HALVES = ["NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW", "NNW"]


def _turned_place(place: str, quarters: int) -> str:
    for ring in (_SIDES, _HALVES):
        if place in ring:
            return ring[(ring.index(place) + quarters * len(ring) // 4) % len(ring)]
    return place


def turned_piece(piece: PieceKind, quarters: int) -> PieceKind:
    """A tile as it looks after some quarter turns, clockwise."""

    def turn(cell: TileFace) -> TileFace:
        north, east, south, west = (cell.edges[(side - quarters) % 4] for side in range(4))
        x, y = cell.x, cell.y
        for _ in range(quarters):
            x, y = y, -x
        return replace(
            cell,
            x=x,
            y=y,
            edges=(north, east, south, west),
            segments=tuple(
                replace(
                    s,
                    at=tuple(_turned_place(place, quarters) for place in s.at),
                    ports=tuple(turned(port, quarters) for port in s.ports),
                )
                for s in reversed(cell.segments)
            ),
        )

    return replace(piece, faces=tuple(tuple(map(turn, cells)) for cells in piece.faces))


# ------------------------------------------------------------------ all of it


def recast(ruleset: str, folder: Path, seed: int) -> Library:
    """A library with a second copy of a shipped ruleset, as somebody else would write it."""
    lot = random.Random(seed)
    target = copied(ruleset, folder)
    renamed(ruleset, folder)
    reordered(target, lot)
    library = Library([folder])
    reporter = Reporter()
    ruleset = library.load_rules(NAME, reporter)
    assert ruleset is not None and not reporter.has_errors, reporter.diagnostics
    pieces = tuple(
        turned_piece(p, lot.randrange(4)) for p in lot.sample(ruleset.pieces, len(ruleset.pieces))
    )
    return library.instead(replace(ruleset, pieces=pieces))
