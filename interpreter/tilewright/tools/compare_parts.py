"""Components, named values, options and rules of several games, row by row.

Rows are matched by id; a rule that says the same under another id is the same rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from tilewright.linking.game import Game
from tilewright.model import ruleset as m
from tilewright.model.comparison import (
    ComponentCell,
    ComponentRow,
    Reason,
    RuleCell,
    RuleRow,
    State,
    ValueCell,
    ValueRow,
    Verdict,
)
from tilewright.model.severity import Severity
from tilewright.tools.compare_law import RuleView

T = TypeVar("T")
Sided = tuple[Game, tuple[m.Ruleset, ...], list[m.PieceKind]]

_NO_LABEL = m.Labels()


def missing(cells: Sequence[object | None]) -> Verdict | None:
    """The verdict when a cell is empty: a name that is gone breaks what was built on it."""
    if None not in cells:
        return None
    if cells[0] is not None:
        return Verdict(State.ONLY, Severity.BREAKING, (Reason("gone"),))
    return Verdict(State.ONLY, Severity.BEHAVIOUR, (Reason("new"),))


def _differ(items: Sequence[object]) -> bool:
    return any(item != items[0] for item in items)


# ------------------------------------------------------------------ components


def compare_components(
    sides: Sequence[Sided], replaced: Sequence[Mapping[str, str]]
) -> tuple[ComponentRow, ...]:
    """What is in the boxes; `replaced` says which mark took the place of which, side by side."""
    parts = [_parts(*side) for side in sides]
    kinds = dict.fromkeys(key[0] for found in parts for key in found)
    order = [k for k in _ORDER if k in kinds]
    rows: list[ComponentRow] = []
    for what in order:
        names = dict.fromkeys(id_ for found in parts for kind, id_ in found if kind == what)
        used: set[tuple[int, str]] = set()
        for id_ in names:
            cells = [found.get((what, id_)) for found in parts]
            cells = [None if (k, id_) in used else cell for k, cell in enumerate(cells)]
            first = parts[0].get((what, id_))
            for k, cell in enumerate(cells[1:], 1):
                new = replaced[k - 1].get(id_, "")
                if first is None or cell is not None or (what, new) in parts[0]:
                    continue
                cells[k] = parts[k].get((what, new))
                used.add((k, new))
            if any(cell is not None for cell in cells):
                rows.append(ComponentRow(what, tuple(cells), _component_verdict(cells)))
    return tuple(rows)


_ORDER = (
    "tiles",
    "double",
    "symbol",
    "attribute",
    "segment",
    "figure",
    "token",
    "kind",
    "role",
    "stack",
)


def _parts(
    game: Game, own: tuple[m.Ruleset, ...], pieces: list[m.PieceKind]
) -> dict[tuple[str, str], ComponentCell]:
    found: dict[tuple[str, str], ComponentCell] = {}
    counts: Counter[tuple[str, str]] = Counter()
    inner = {kind.id for kind in game.features if kind.reach is m.Reach.INSIDE}
    for piece in pieces:
        counts["tiles", "tiles"] += piece.count
        counts["double", "double"] += piece.count if len(piece.faces[0]) > 1 else 0
        for cell in (cell for face in piece.faces for cell in face):
            marks = {*cell.symbols, *(mark for s in cell.segments for mark in s.symbols)}
            counts.update({("symbol", mark): piece.count for mark in marks})
            for segment in cell.segments:
                for name, number in segment.attributes:
                    counts["attribute", name] += number * piece.count
                if segment.kind in inner:
                    counts["segment", segment.kind] += piece.count
    labels = {
        **{s.id: s.label for s in game.symbols},
        **{a.id: a.label for k in game.features for a in k.attributes},
        **{k.id: k.label for k in game.features},
    }
    for (what, id_), count in counts.items():
        if count:
            found[what, id_] = ComponentCell(id_, labels.get(id_, _NO_LABEL), count, ())
    for figure in _own(game.figures, [f for r in own for f in r.figures]):
        facts = ("owned" if figure.owned else "neutral", *sorted(figure.traits))
        facts = tuple(dict.fromkeys((*facts, *(f"carries {c}" for c in sorted(figure.carries)))))
        found["figure", figure.id] = ComponentCell(figure.id, figure.label, figure.count, facts)
    for token in _own(game.tokens, [t for r in own for t in r.tokens]):
        facts = tuple(sorted(token.traits))
        found["token", token.id] = ComponentCell(token.id, token.label, token.count, facts)
    for kind in _own(game.features, [k for r in own for k in r.features]):
        facts = (kind.reach.value, f"completes {kind.completes.value}")
        facts += tuple(sorted(f"{a.id} by {a.law.value}" for a in kind.attributes))
        found["kind", kind.id] = ComponentCell(kind.id, kind.label, None, facts)
    for role in _own(game.roles, [x for r in own for x in r.roles]):
        facts = (f"on {role.on}", *sorted(role.figures))
        facts += (role.posture,) if role.posture else ()
        found["role", role.id] = ComponentCell(role.id, role.label, None, facts)
    for stack in _own(game.stacks, [s for r in own for s in r.stacks]):
        facts = (f"holds {stack.holds}",) if stack.holds else ()
        facts += ("hidden",) if stack.hidden else ()
        found["stack", stack.id] = ComponentCell(stack.id, stack.label, None, facts)
    return found


D = TypeVar("D", m.FigureKind, m.TokenDecl, m.FeatureKind, m.Role, m.StackDecl)


def _own(linked: Sequence[D], declared: Sequence[D]) -> list[D]:
    ids = {item.id for item in declared}
    return [item for item in linked if item.id in ids]


def _component_verdict(cells: Sequence[ComponentCell | None]) -> Verdict:
    absent = missing(cells)
    if absent is not None:
        return absent
    there = [cell for cell in cells if cell is not None]
    if _differ([cell.facts for cell in there]):
        return Verdict(State.DIFFERS, Severity.BEHAVIOUR, (Reason("facts"),))
    if _differ([cell.count for cell in there]):
        return Verdict(State.DIFFERS, Severity.DATA, (Reason("count"),))
    if _differ([cell.id for cell in there]):
        return Verdict(State.REWORDED, Severity.DATA, (Reason("renamed"),))
    if _differ([cell.label for cell in there]):
        return Verdict(State.REWORDED, Severity.TEXT, (Reason("words"),))
    return Verdict(State.SAME)


# ------------------------------------------------------------------ values and options


def compare_values(
    sides: Sequence[tuple[Game, frozenset[str]]], touched: frozenset[str]
) -> tuple[ValueRow, ...]:
    """Named values, then options; a value that only a patch touches counts too."""
    rows = []
    values: list[dict[str, tuple[ValueCell, str]]] = []
    options: list[dict[str, tuple[ValueCell, str]]] = []
    for game, own in sides:
        sayings = {s.id: s.says for s in game.statements().values()}
        values.append({
            id_: (_value(value.declaration, sayings), str(value.type))
            for id_, value in game.values.items()
            if value.history[0][0] in own or id_ in touched
        })  # fmt: skip
        chosen = dict(game.options)
        options.append({
            option.id: (
                ValueCell(
                    option.id, chosen.get(option.id, option.default), option.says, option.statements
                ),
                " | ".join(sorted(option.choices)) + f"; default {option.default}",
            )
            for ruleset in game.rulesets
            if ruleset.id in own
            for option in ruleset.module.options
        })  # fmt: skip
    for kind, found in (("value", values), ("option", options)):
        for id_ in sorted({id_ for here in found for id_ in here}):
            there = [here.get(id_) for here in found]
            cells = tuple(None if item is None else item[0] for item in there)
            types = [item[1] for item in there if item is not None]
            rows.append(ValueRow(kind, id_, cells, _value_verdict(kind, cells, types)))
    return tuple(rows)


def _value(declared: m.ValueDecl, sayings: Mapping[str, str]) -> ValueCell:
    says = declared.says or next((sayings[s] for s in declared.statements if s in sayings), "")
    return ValueCell(declared.id, declared.value, says, declared.statements)


def _value_verdict(kind: str, cells: Sequence[ValueCell | None], types: Sequence[str]) -> Verdict:
    absent = missing(cells)
    if absent is not None:
        return absent
    if _differ(types):
        severity = Severity.BREAKING if kind == "value" else Severity.BEHAVIOUR
        code = "type" if kind == "value" else "choices"
        return Verdict(State.DIFFERS, severity, (Reason(code),))
    if _differ([cell.value for cell in cells if cell is not None]):
        return Verdict(State.DIFFERS, Severity.DATA, (Reason("value"),))
    return Verdict(State.SAME)


# ------------------------------------------------------------------ rules


def compare_rules(sides: Sequence[Mapping[str, RuleView]]) -> tuple[RuleRow, ...]:
    """Rules and declarations: those that differ first, then those that are only here."""
    keys = list(dict.fromkeys(key for views in sides for key in views))
    found: dict[str, list[RuleView | None]] = {
        key: [views.get(key) for views in sides] for key in sorted(keys)
    }
    _join_renamed(found)
    # what a rule must follow counts only where all sides have it
    common = frozenset.intersection(*(frozenset(views) for views in sides))
    rows = [
        RuleRow(
            tuple(None if view is None else view.cell for view in views),
            _rule_verdict(views, common),
        )
        for views in found.values()
    ]
    rows.sort(key=lambda row: (_RANK[row.verdict.state], _where(row.cells), row.id))
    return tuple(rows)


_RANK = {State.DIFFERS: 0, State.MOVED: 0, State.REWORDED: 1, State.ONLY: 2, State.SAME: 3}


def _where(cells: Sequence[RuleCell | None]) -> tuple[bool, ...]:
    return tuple(cell is None for cell in cells)


def _join_renamed(found: dict[str, list[RuleView | None]]) -> None:
    """Rules that say the same under different ids become one row."""
    by_says: dict[str, str] = {}
    for key in list(found):
        views = found[key]
        if None not in views:
            continue
        says = next(view.says for view in views if view is not None)
        other = by_says.get(says)
        if other is None or any(_both(found[other], views)):
            by_says.setdefault(says, key)
            continue
        found[other] = [a if a is not None else b for a, b in zip(found[other], views, strict=True)]
        del found[key]


def _both(first: Sequence[T | None], second: Sequence[T | None]) -> list[bool]:
    both: Callable[[T | None, T | None], bool] = lambda a, b: a is not None and b is not None  # noqa: E731
    return [both(a, b) for a, b in zip(first, second, strict=True)]


def _rule_verdict(views: Sequence[RuleView | None], common: frozenset[str]) -> Verdict:
    absent = missing(views)
    there = [view for view in views if view is not None]
    if _differ([view.says for view in there]):
        cells = [view.cell for view in there]
        if cells[0].kind in ("definition", "event", "memory"):
            return Verdict(State.DIFFERS, Severity.BREAKING, (Reason("type"),))
        hooks = list(dict.fromkeys(cell.hook.split("(")[0] for cell in cells))
        reason = Reason("hook", tuple(hooks)) if len(hooks) > 1 else Reason("text")
        return Verdict(State.DIFFERS, Severity.BEHAVIOUR, (reason,))
    if absent is not None:
        return absent
    if _differ([sorted(set(view.order) & common) for view in there]):
        return Verdict(State.DIFFERS, Severity.BEHAVIOUR, (Reason("order"),))
    if _differ([view.words for view in there]):
        return Verdict(State.REWORDED, Severity.TEXT, (Reason("words"),))
    if _differ([view.id for view in there]):
        return Verdict(State.SAME, None, (Reason("renamed"),))
    return Verdict(State.SAME)
