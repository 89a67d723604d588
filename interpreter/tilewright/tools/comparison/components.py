"""Components, named values, options, rules and steps of several games, row by row.

Rows are matched by what things are called on the first side (`alignment`). A step does what its
rules do, with the procedures they perform and the reactions to what they announce; definitions are
compared as rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tilewright.language import builtins as p
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAction, LinkedRule, LinkedStep, LinkedValue
from tilewright.rules.linking.walk import expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.ruleset import NO_LABEL, Labels, OptionDecl, Statement
from tilewright.tools.comparison.live_rules import values_read
from tilewright.tools.comparison.sides import ComparedGame, RuleView
from tilewright.tools.comparison.tile_matching import piece_print
from tilewright.view.results.comparison import (
    ComponentCell,
    ComponentRow,
    Decision,
    Reason,
    RuleCell,
    RuleRow,
    State,
    StepCell,
    StepRow,
    TileRow,
    ValueCell,
    ValueRow,
    Verdict,
)
from tilewright.view.results.impact import Impact


def missing(cells: Sequence[object | None], impact: Impact) -> Verdict | None:
    """The verdict for a row with an empty cell; `impact` is the impact of the missing thing."""
    if None not in cells:
        return None
    return Verdict(State.ONLY, impact, (Reason("new" if cells[0] is None else "gone"),))


def differ(items: Sequence[object]) -> bool:
    """Whether some of these are not equal."""
    return any(item != items[0] for item in items)


#: one part of each cell of a row, and the verdict when these parts differ
Check = tuple[Sequence[object], State, Impact, str]


def verdict_of(absent: Verdict | None, *checks: Check) -> Verdict:
    """The verdict on a row: that of an empty cell, else of the first check that differs."""
    if absent is not None:
        return absent
    for items, state, impact, code in checks:
        if differ(items):
            return Verdict(state, impact, (Reason(code),))
    return Verdict(State.SAME)


# ------------------------------------------------------------------ components


def compare_components(
    sides: Sequence[ComparedGame], replaced: Sequence[Mapping[str, str]]
) -> tuple[ComponentRow, ...]:
    """Compare the components; `replaced` maps each mark to its replacement, by pair of sides."""
    parts = [_parts(side) for side in sides]
    silent = _silent_traits(sides)
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
            replaced_here = False
            for k, cell in enumerate(cells[1:], 1):
                new = replaced[k - 1].get(id_, "")
                if first is None or cell is not None or (what, new) in parts[0]:
                    continue
                cells[k] = parts[k].get((what, new))
                replaced_here |= cells[k] is not None
                used.add((k, new))
            if any(cell is not None for cell in cells):
                verdict = _component_verdict(what, cells, silent)
                if None not in cells and replaced_here:
                    verdict = Verdict(State.DIFFERS, Impact.DATA, (Reason("marks"),))
                rows.append(ComponentRow(what, tuple(cells), verdict))
    return tuple(rows)


_ORDER = (
    "tiles",
    "double",
    "symbol",
    "attribute",
    "segment",
    "figure",
    "token",
    "item",
    "kind",
    "role",
    "stack",
)


def _parts(side: ComparedGame) -> dict[tuple[str, str], ComponentCell]:
    """The components of a side, by kind and by their name on the first side."""
    game, own, names = side.game, side.own, side.names
    found: dict[tuple[str, str], ComponentCell] = {}

    def add(what: str, id_: str, label: m.Labels, count: int | None, *facts: str) -> None:
        category = "kind" if what == "segment" else what
        found[what, names.of(category, id_)] = ComponentCell(id_, label, count, facts)

    def called(category: str, ids: Iterable[str]) -> list[str]:
        return sorted(names.of(category, id_) for id_ in ids)

    labels = {
        **{("symbol", s.id): s.label for s in game.symbols},
        **{("attribute", a.id): a.label for k in game.features for a in k.attributes},
        **{("segment", k.id): k.label for k in game.features},
    }
    for (what, id_), count in _counts(side).items():
        category = "kind" if what == "segment" else what
        own_id = names.back(category, id_)
        add(what, own_id, labels.get((what, own_id), m.NO_LABEL), count)
    for figure in _own(game.figures, [f for r in own for f in r.figures]):
        traits = (
            *called("trait", figure.traits),
            *(f"carries {c}" for c in sorted(figure.carries)),
        )
        belongs = ["owned"] if figure.owned else []
        likes = [f"like {names.of('figure', figure.like)}"] if figure.like else []
        likes += [f"also {role}" for role in called("role", figure.roles)]
        likes += [f"of {names.of('value', figure.in_all)}"] if figure.in_all else []
        add("figure", figure.id, figure.label, figure.count, *belongs, *traits, *likes)
    for token in _own(game.tokens, [each for r in own for each in r.tokens]):
        add("token", token.id, token.label, token.count, *called("trait", token.traits))
    for item in _own(game.items, [i for r in own for i in r.items]):
        numbers = (f"{name} {number}" for name, number in sorted(item.numbers))
        add(
            "item", item.id, item.label, item.count, f"in {names.of('stack', item.stack)}", *numbers
        )
    for kind in _own(game.features, [k for r in own for k in r.features]):
        combines = sorted(
            f"{names.of('attribute', a.id)} by {a.combine.value}" for a in kind.attributes
        )
        reach = (kind.reach.value, f"completes {kind.completes.value}")
        add("kind", kind.id, kind.label, None, *reach, *combines)
    for role in _own(game.roles, [x for r in own for x in r.roles]):
        where = (f"on {names.of('kind', role.on)}", *called("figure", role.figures))
        add("role", role.id, role.label, None, *where, *filter(None, (role.posture,)))
    there = game.environment.constants
    for stack in (s for ruleset in own for s in ruleset.stacks if s.id in there):
        holds = (f"holds {stack.holds}",) if stack.holds else ()
        kept = {"owned": stack.owned, "in order": stack.in_order, "hidden": stack.hidden}
        add("stack", stack.id, stack.label, None, *holds, *(word for word in kept if kept[word]))
    return found


def _counts(side: ComparedGame) -> Counter[tuple[str, str]]:
    """The print of the tiles in numbers: of each mark, and of each kind inside a tile."""
    counts: Counter[tuple[str, str]] = Counter()
    inner = {side.names.of("kind", k.id) for k in side.game.features if k.reach is m.Reach.INSIDE}
    for piece in side.pieces:
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
    return +counts


D = TypeVar("D", m.FigureKind, m.TokenDecl, m.ItemDecl, m.FeatureKind, m.Role, m.StackDecl)


def _own(linked: Sequence[D], declared: Sequence[D]) -> list[D]:
    ids = {item.id for item in declared}
    return [item for item in linked if item.id in ids]


#: printed on tiles: more or fewer are different material, not a different rule
_PRINTED = ("tiles", "double", "attribute", "segment")
#: facts that only pictures show
_SHOWN = ("hidden", "standing", "lying")


def _silent_traits(sides: Sequence[ComparedGame]) -> frozenset[str]:
    """The traits that rules of some side do not know: there they are words and nothing else."""
    every = {side.names.of("trait", name) for side in sides for name in side.game.traits}
    for side in sides:
        every -= every - {
            side.names.of("trait", each.id)
            for rule in side.game.rules()
            for each in expressions_of(rule)
            if isinstance(each, t.Constant) and each.category == "trait"
        }
    names = (side.names.of("trait", name) for side in sides for name in side.game.traits)
    return frozenset(names) - every


def _component_verdict(
    what: str, cells: Sequence[ComponentCell | None], silent: frozenset[str]
) -> Verdict:
    there = [cell for cell in cells if cell is not None]
    return verdict_of(
        missing(cells, Impact.DATA if what in _PRINTED else Impact.BREAKING),
        (
            [set(cell.facts).difference(_SHOWN, silent) for cell in there],
            State.DIFFERS, Impact.BEHAVIOUR, "facts",
        ),
        ([cell.count for cell in there], State.DIFFERS, Impact.DATA, "count"),
        ([cell.id for cell in there], State.REWORDED, Impact.TEXT, "renamed"),
        ([cell.label for cell in there], State.REWORDED, Impact.TEXT, "words"),
    )  # fmt: skip


#: the parts of the data that statements name, by the component that they are about
_DATA_OF = {
    "figure": "figures",
    "kind": "features",
    "role": "roles",
    "stack": "stacks",
    "symbol": "symbols",
}


def _itself(cell: ComponentCell, silent: frozenset[str]) -> tuple[int | None, frozenset[str]]:
    """The facts about a part itself: without what rules may do with it."""
    return cell.count, frozenset(
        fact
        for fact in cell.facts
        if fact not in silent and not fact.startswith(("carries", "also"))
    )


def differing_data(
    sides: Sequence[ComparedGame], components: Iterable[ComponentRow], tiles: Sequence[TileRow]
) -> frozenset[str]:
    """The parts of the data, as `carried_by` of a statement names them, that are not the same, and
    `part ID` for each tile and other part of the box."""
    components, silent = list(components), _silent_traits(sides)
    changed = [row for row in components if row.verdict.impact not in (None, Impact.TEXT)]
    found = {_DATA_OF[row.what] for row in changed if row.what in _DATA_OF}
    found |= {"components"} if changed else set()
    if any(row.verdict.impact not in (None, Impact.TEXT) for row in tiles):
        found |= {"tiles", "components"}
    for row in components:
        cells = [cell for cell in row.cells if cell is not None]
        if len(cells) < len(row.cells) or differ([_itself(cell, silent) for cell in cells]):
            found |= {f"part {cell.id}" for cell in cells}
    prints = [{p.id: piece_print(p, True) for p in side.pieces} for side in sides]
    common = set.intersection(*(set(each.values()) for each in prints))
    found |= {f"part {id_}" for each in prints for id_, look in each.items() if look not in common}
    return frozenset(found)


# ------------------------------------------------------------------ values and options


def compare_values(
    sides: Sequence[ComparedGame], touched: frozenset[str], ended: Sequence[Collection[str]]
) -> tuple[ValueRow, ...]:
    """Named values, then options; a value that only a patch touches counts too. `ended` are the
    statements that hold no more, by side."""
    rows = []
    values: list[dict[str, tuple[ValueCell, str, str]]] = []
    options: list[dict[str, tuple[ValueCell, str, str]]] = []
    unstated: set[str] = set()
    sayings: dict[str, Statement] = {}
    read: set[str] = set()
    for side, lapsed in zip(sides, ended, strict=True):
        game, own, names = side.game, side.own_ids, side.names
        read |= {names.of("value", id_) for id_ in values_read(game)}
        unstated |= {names.of("value", v) for v in game.values if not _is_stated(game.values[v])}
        holding = (s for s in game.statements().values() if s.id not in lapsed)
        here = {s.id: s for s in holding}  # with the numbers of this side
        sayings |= here
        values.append({
            names.of("value", id_): (
                _value(value, sayings | here), str(value.type),
                side.values[id_],
            )
            for id_, value in game.values.items()
            if value.history[0][0] in own or id_ in touched
        })  # fmt: skip
        chosen = dict(game.options)
        options.append({
            names.of("option", option.id): (
                _option(option, chosen.get(option.id, option.default)),
                " | ".join(sorted(option.choices)) + f"; default {option.default}",
                chosen.get(option.id, option.default),
            )
            for ruleset in game.rulesets
            if ruleset.id in own
            for option in ruleset.module.options
        })  # fmt: skip
    for kind, found in (("value", values), ("option", options)):
        names_of = {id_ for here in found for id_ in here}
        for id_ in sorted(names_of & read if kind == "value" else names_of):
            there = [here.get(id_) for here in found]
            cells = tuple(None if item is None else item[0] for item in there)
            types = [item[1] for item in there if item is not None]
            value_texts = [item[2] for item in there if item is not None]
            verdict = _value_verdict(kind, cells, types, value_texts)
            is_told = kind == "option" or verdict.is_same or id_ not in unstated
            rows.append(ValueRow(kind, id_, cells, verdict, is_told))
    return tuple(rows)


def _is_stated(value: LinkedValue) -> bool:
    """Whether a statement names a value: its own, which then holds no more where a patch has set
    another one, or that of the patch."""
    patch = value.history[-1][2]
    return bool(value.declaration.statements or (patch is not None and patch.statements))


def _value(value: LinkedValue, sayings: Mapping[str, Statement]) -> ValueCell:
    declared, patch = value.declaration, value.history[-1][2]
    told = (*declared.statements, *(patch.statements if patch is not None else ()))
    first = next((sayings[s] for s in told if s in sayings), None)
    if declared.says or first is None:
        return ValueCell(declared.id, declared.value, declared.says, declared.statements)
    return ValueCell(
        declared.id, declared.value, first.says, declared.statements, first.translations
    )


def _option(option: OptionDecl, choice: str) -> ValueCell:
    says, translations = option.says.get(), tuple(t for t in option.says.texts if t[0] != "en")
    label = option.named(choice)
    return ValueCell(option.id, choice, says, option.statements, translations, label)


def _value_verdict(
    kind: str, cells: Sequence[ValueCell | None], types: Sequence[str], value_texts: Sequence[str]
) -> Verdict:
    there = [cell for cell in cells if cell is not None]
    is_value = kind == "value"
    return verdict_of(
        # the effect of an option shows in the rules; an option on one side only changes no match
        missing(cells, Impact.BEHAVIOUR if is_value else Impact.DATA),
        (types if is_value else (), State.DIFFERS, Impact.BEHAVIOUR, "type"),
        (value_texts, State.DIFFERS, Impact.BEHAVIOUR, "value"),
        (types, State.DIFFERS, Impact.DATA, "choices"),
        ([cell.id for cell in there], State.REWORDED, Impact.TEXT, "renamed"),
        # the text of a value may be that of its statement, which has its own row
        ([] if is_value else [cell.says for cell in there], State.REWORDED, Impact.TEXT, "words"),
    )


# ------------------------------------------------------------------ rules


def compare_rules(sides: Sequence[Mapping[str, RuleView]]) -> tuple[RuleRow, ...]:
    """Rules and declarations: those that differ first, then those that are only here."""
    keys = list(dict.fromkeys(key for views in sides for key in views))
    found: dict[str, list[RuleView | None]] = {
        key: [views.get(key) for views in sides] for key in sorted(keys)
    }
    displaced = _displaced(sides)
    rows = []
    for key, views in found.items():
        cells = tuple(None if view is None else view.cell for view in views)
        verdict = _rule_verdict(views, key in displaced)
        rows.append(RuleRow(cells, verdict, verdict.is_same or all(map(_is_named, cells))))
    rows.sort(
        key=lambda row: (
            _RANK[row.verdict.state],
            tuple(cell is None for cell in row.cells),
            row.id,
        )
    )
    return tuple(rows)


def _is_named(cell: RuleCell | None) -> bool:
    """Whether a statement describes a rule; a declaration has no effect by itself."""
    return cell is None or bool(cell.statements) or not cell.says.texts


_RANK = {State.DIFFERS: 0, State.MOVED: 0, State.REWORDED: 1, State.ONLY: 2, State.SAME: 3}


def _displaced(sides: Sequence[Mapping[str, RuleView]]) -> set[str]:
    """Rules that follow others on one side and not on another.

    Of two rules that have changed places, the later one is reported. Consequences of other orders
    are left out.
    """
    common = frozenset.intersection(*(frozenset(views) for views in sides))
    before = [{key: _before(key, views) & common for key in common} for views in sides]
    found = set()
    for views, whole in zip(sides[1:], before[1:], strict=True):
        for key in common:
            lost = (sides[0][key].order & common) - whole[key]
            new = (views[key].order & common) - before[0][key]
            if lost or any(key not in before[0][other] for other in new):
                found.add(key)
    return found


def _before(key: str, views: Mapping[str, RuleView]) -> set[str]:
    """All rules that a rule follows, by way of others too."""
    found: set[str] = set()
    waiting = [key]
    while waiting:
        view = views.get(waiting.pop())
        new = view.order - found if view is not None else ()
        found.update(new)
        waiting += new
    return found


def _rule_verdict(views: Sequence[RuleView | None], is_displaced: bool) -> Verdict:
    there = [view for view in views if view is not None]
    if differ([view.says for view in there]):
        cells = [view.cell for view in there]
        if cells[0].kind in ("definition", "event", "memory"):
            return Verdict(State.DIFFERS, Impact.BEHAVIOUR, (Reason("type"),))
        hooks = list(dict.fromkeys(cell.hook.split("(")[0] for cell in cells))
        reason = Reason("hook", tuple(hooks)) if len(hooks) > 1 else Reason("text")
        return Verdict(State.DIFFERS, Impact.BEHAVIOUR, (reason,))
    is_action = any(view.cell.kind == "action" for view in there)
    return verdict_of(
        missing(views, Impact.BREAKING if is_action else Impact.BEHAVIOUR),
        ((False, is_displaced), State.DIFFERS, Impact.BEHAVIOUR, "order"),
        ([view.id for view in there], State.REWORDED, Impact.TEXT, "renamed"),
        ([view.words for view in there], State.REWORDED, Impact.TEXT, "words"),
    )


# ------------------------------------------------------------------ the turn


_PHASES = ("setup", "turn", "final")


@dataclass(frozen=True, slots=True)
class _Step:
    cell: StepCell
    texts: Mapping[str, str]  # its rules and values as text, by id


def compare_turns(sides: Sequence[ComparedGame]) -> tuple[StepRow, ...]:
    """The rows of all phases, aligned by the order in which things happen."""
    rows: list[StepRow] = []
    shared = frozenset.intersection(*(frozenset(_rule_texts(side)) for side in sides))
    for phase in _PHASES:
        steps = [_steps(side, phase) for side in sides]
        rows += _align(phase, steps, shared)
    return tuple(rows)


def _rule_texts(side: ComparedGame) -> Iterator[str]:
    """The texts of a game's rules and values."""
    yield from (view.says for view in side.views.values())
    yield from (_value_mark(side, id_) for id_ in side.values)


def _value_mark(side: ComparedGame, id_: str) -> str:
    return f"{side.names.of('value', id_)} = {side.values[id_]}"


# ------------------------------------------------------------------ one step


def _steps(side: ComparedGame, phase: str) -> dict[str, _Step]:
    return {
        side.names.of("step", step.id): _step(side, step, number)
        for number, step in enumerate(side.game.phase(phase), 1)
    }


def _step(side: ComparedGame, step: LinkedStep, number: int) -> _Step:
    walk = _Walk(side.game, step)
    for rule in step.rules:
        walk.rule(rule, {})
    for action in step.actions:
        walk.seen.setdefault(action.id, None)
        walk.body(action.effects, {}, action.id)
    names = side.names
    rules = [names.of("rule", id_) for id_ in walk.seen]
    views = [side.views[id_] for id_ in rules if id_ in side.views]
    own = tuple(view.id for view in views if view.cell.ruleset in side.own_ids)
    declared = step.declaration
    cell = StepCell(
        step.id, declared.label, number, step.ruleset in side.own_ids,
        tuple(dict.fromkeys(walk.decisions)), own,
    )  # fmt: skip
    texts = {view.says: names.of("rule", view.id) for view in views}
    for id_ in {name for view in views for name in view.values}:
        texts[_value_mark(side, id_)] = names.of("value", id_)
    return _Step(cell, texts)


class _Walk:
    """Follows the effects of a step into what they perform and announce."""

    def __init__(self, game: Game, step: LinkedStep) -> None:
        self.game = game
        self.step = step
        self.seen: dict[str, None] = {}
        self.decisions: list[Decision] = []

    def rule(self, rule: LinkedRule, who: Mapping[str, str]) -> None:
        if rule.id in self.seen:
            return
        self.seen[rule.id] = None
        self.body(rule.effects, who, rule.id)

    def body(self, body: t.Body, who: Mapping[str, str], rule: str) -> None:
        """`who` classifies player names: active, each or other."""
        here = dict(who)
        for effect in body:
            match effect:
                case t.Let(name, value):
                    here[name] = _who(value, here)
                case t.For(name, source, inside):
                    self.body(inside, {**here, name: _whose(source)}, rule)
                    continue
                case t.Choose(optional, variable, _, by, label):
                    called = self.game.labels.get(rule, NO_LABEL)
                    what = called if called.texts else Labels((("en", label or variable),))
                    self.decisions.append(Decision(_who(by, here), what, optional, rule))
                case t.Offer(by):
                    chooser = _who(by, here)
                    self.decisions += [_offered(chooser, a) for a in self.step.actions]
                case t.ProcedureCall(procedure, arguments) if procedure in self.game.procedures:
                    performed = self.game.procedures[procedure]
                    names = [name for name, _ in performed.parameters]
                    given = [_who(each, here) for each in arguments]
                    self.rule(performed, dict(zip(names, given, strict=False)))
                case t.Announce(event):
                    for reaction in self.game.events[event].reactions:
                        self.rule(reaction, {})
            for block in t.blocks(effect):
                self.body(block, here, rule)


def _offered(chooser: str, action: LinkedAction) -> Decision:
    head = action.rule.head
    label = head.label if head.label.texts else Labels((("en", action.rule.name),))
    return Decision(chooser, label, True, action.id)


def _who(player: t.Expression, who: Mapping[str, str]) -> str:
    if _is_active(player):
        return "active"
    return who.get(player.name, "other") if isinstance(player, t.Local) else "other"


def _whose(source: t.Expression) -> str:
    is_only_active = isinstance(source, t.SetOf) and all(map(_is_active, source.members))
    return "each" if source.type.base == "player" and not is_only_active else "other"


def _is_active(player: t.Expression) -> bool:
    return isinstance(player, t.Global) and player.builtin == p.ACTIVE


# ------------------------------------------------------------------ alignment


def _align(
    phase: str, sides: Sequence[Mapping[str, _Step]], shared: frozenset[str]
) -> list[StepRow]:
    """One row for each step; of the steps that all sides have, as few as can be have moved."""
    order = list(sides[0])
    moved: set[str] = set()
    for steps in sides[1:]:
        theirs = list(steps)
        stay = in_line(order, theirs, {id_ for id_ in theirs if steps[id_].cell.is_own})
        moved |= set(order) & set(theirs) - stay
        order = merged(order, theirs, stay)
    rows = []
    for id_ in order:
        found = [steps.get(id_) for steps in sides]
        cells = tuple(None if step is None else step.cell for step in found)
        rows.append(StepRow(phase, cells, _verdict(found, id_ in moved, shared)))
    return rows


def in_line(ours: Sequence[str], theirs: Sequence[str], own: Collection[str]) -> set[str]:
    """The most steps that come in the same order on both sides.

    Where it could be these or those, steps stay that do not belong to what is compared.
    """
    place = {id_: i for i, id_ in enumerate(ours)}
    shared = [id_ for id_ in theirs if id_ in place]
    # for each step the best line that ends with it: how many, how many of others, which
    best: list[tuple[int, int, tuple[str, ...]]] = []
    for i, id_ in enumerate(shared):
        before = [line for j, line in enumerate(best[:i]) if place[shared[j]] < place[id_]]
        count, others, line = max(before, key=lambda found: found[:2], default=(0, 0, ()))
        best.append((count + 1, others + (id_ not in own), (*line, id_)))
    return set(max(best, key=lambda found: found[:2], default=(0, 0, ()))[2])


def merged(
    order: Sequence[str], theirs: Iterable[str], stay: Collection[str] | None = None
) -> list[str]:
    """One order of two sides, with new names behind those that they follow; `stay` are the names of
    both that keep their place, by default all.
    """
    found, place = list(order), 0
    for id_ in theirs:
        if id_ in (order if stay is None else stay):
            place = found.index(id_) + 1
        elif id_ not in found:
            found.insert(place, id_)
            place += 1
    return found


def _verdict(found: Sequence[_Step | None], has_moved: bool, shared: frozenset[str]) -> Verdict:
    there = [step for step in found if step is not None]
    absent = missing(found, Impact.BREAKING)
    if absent is not None:
        return absent
    reasons: list[Reason] = []
    common = set.intersection(*(set(step.texts) for step in there))
    other = {says: name for s in there for says, name in s.texts.items() if says not in common}
    # parts of all games come and go with the rule that performs them
    names = {name for says, name in other.items() if says not in shared} or set(other.values())
    if names:
        reasons.append(Reason("rules", tuple(sorted(names))))
    if differ([[(d.who, d.is_optional) for d in step.cell.decisions] for step in there]):
        reasons.append(Reason("decides"))
    if has_moved:
        return Verdict(State.MOVED, Impact.BEHAVIOUR, (Reason("order"), *reasons))
    if reasons:
        return Verdict(State.DIFFERS, Impact.BEHAVIOUR, tuple(reasons))
    cells = [step.cell for step in there]
    return verdict_of(
        None,
        ([cell.id for cell in cells], State.REWORDED, Impact.TEXT, "renamed"),
        ([cell.label for cell in cells], State.REWORDED, Impact.TEXT, "words"),
    )
