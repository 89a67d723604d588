"""The score log: a listener that records every award with its items and the counted numbers.

The items come from the same compiled amendments as the number itself, evaluated at the time of the
award.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.compiling.callees import announced
from tilewright.compiling.emit_changes import first_call
from tilewright.language import typed_ast as t
from tilewright.language.types import NUMBER
from tilewright.linking.game import (
    AppliedPatch,
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedRule,
    LinkedStep,
)
from tilewright.model.ruleset import NO_LABEL, Combine, Labels
from tilewright.runtime.match import Match
from tilewright.runtime.match_state import FINAL, TURN
from tilewright.runtime.notation import feature_text
from tilewright.runtime.program import Program
from tilewright.runtime.sites import Site
from tilewright.source.text import Code, Span

#: the arguments of a definition; a definition among them is given by its own arguments
Arguments = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One line of an award: its name, its points, its rule, and the numbers that the rule read.

    `name` is equal in every language, and is used in scenarios; `label` is for people. `patch` is
    the patch that replaced the rule after which the item is named.
    """

    name: str
    points: int
    rule: str
    facts: tuple[tuple[str, int], ...]
    label: Labels = NO_LABEL
    patch: str = ""

    def called(self, language: str = "") -> str:
        """The item for people in a language; without one, its name."""
        return (self.label.get(language) or self.patch if language else "") or self.name


@dataclass(frozen=True, slots=True)
class Award:
    """Points that a player got: by which rule, for which feature, and why."""

    player: int
    points: int
    rule: str
    feature: str
    items: tuple[Item, ...]
    turn: int
    step: str  # "" where the rule that gave the points is reached from several
    choices: int  # the length of the log

    def text(self, language: str = "") -> str:
        """The award in one line: `8 = tiles 6 + marks 2`; without a language, by names."""
        shown = [i for i in self.items if i.points] or list(self.items[:1])
        return f"{self.points} = " + " + ".join(f"{i.called(language)} {i.points}" for i in shown)


class Ledger:
    """Listens to a match. `awards` grows as points are given."""

    def __init__(self) -> None:
        self.awards: list[Award] = []

    def __call__(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        """Hear one event."""
        if event != "award":
            return
        self.awards.append(award_of(match, *facts))


def award_of(
    match: Match,
    points: int,
    player: int,
    feature: int | None,
    site_number: int,
    given: Arguments,
) -> Award:
    """An award as reported to listeners, with its items."""
    site = match.program.sites[site_number]
    return Award(
        player,
        points,
        site.rule,
        "" if feature is None else feature_text(match, feature),
        items_of(match, site, points, given),
        match.turn,
        step_of(match, site),
        len(match.log),
    )


def step_of(match: Match, site: Site) -> str:
    """The step in which a rule of the match gives points now, when there is but one it can be."""
    return step_in(match.program, site, match.phase)


def step_in(program: Program, site: Site, phase: int) -> str:
    """The step in which a rule gives points in a phase of a match, when there is but one."""
    if site.step:
        return site.step
    return _only_step(program, site.rule, phase)


def step_of_rule(match: Match, rule: str) -> str:
    """The step of the match in which a rule is carried out now, when there is but one it can be."""
    return _only_step(match.program, rule, match.phase)


def _only_step(program: Program, rule: str, phase: int) -> str:
    name = "final" if phase >= FINAL else "turn" if phase == TURN else "setup"
    reached = program.cached(_reached)
    found = [step.id for step in program.game.phase(name) if rule in reached[step.id]]
    return found[0] if len(found) == 1 else ""


def _reached(program: Program) -> dict[str, frozenset[str]]:
    """By step: the ids of the rules that may be carried out in it."""
    return {step.id: _reached_from(program.game, step) for step in program.game.steps}


def _reached_from(game: Game, step: LinkedStep) -> frozenset[str]:
    found: set[str] = set()
    waiting: list[LinkedRule | LinkedAction] = [*step.rules, *step.actions]
    while waiting:
        rule = waiting.pop()
        if rule.id in found:
            continue
        found.add(rule.id)
        for effect in t.walk_effects(rule.effects):
            if isinstance(effect, t.ProcedureCall):
                waiting.append(game.procedures[effect.procedure])
            elif announced(effect):
                waiting += game.events[announced(effect)].reactions
    return frozenset(found)


def items_of(
    match: Match, site: Site, points: int, given: Arguments, *, with_facts: bool = True
) -> tuple[Item, ...]:
    """The items of an award: the amendments of an itemised definition, or the one number.

    Without facts the counted numbers are missing, and items of zero points are left out.
    """
    term = t.children(site.effect)[0]
    game = match.program.game
    call = first_call(term)
    itemised = None if call is None else itemised_in(game, call, given)
    changes: list[Item] = []
    if call is not None:
        for changing, values in chains_in(game, call, given):
            changes += _changes(match, changing, _values(match, changing, values), with_facts)
    found: list[Item] = []
    if itemised is not None:
        definition, arguments = itemised
        for amendment in match.program.cached(in_the_order_of_the_book)[definition]:
            value = match.program.amendments[amendment.rule.head.id](match, *arguments)
            if value or (with_facts and applies(match, amendment, arguments)):
                found.append(_item(match, amendment, value, arguments, with_facts))
    rest = points - sum(item.points for item in (*found, *changes))
    if itemised is None:
        counted = ((term.id, rest),) if with_facts and isinstance(term, t.Value) else ()
        return (_after_its_rule(game, site.rule, rest, counted), *changes)
    if rest:
        rule = "" if call is None or changes else _changed_by(match, call, given, points)
        changes.append(_after_its_rule(game, rule or site.rule, rest, ()))
    return (*found, *changes)


def _item(
    match: Match, amendment: LinkedAmendment, value: int, arguments: Arguments, with_facts: bool
) -> Item:
    """The item of an amendment, named by its `item`, or after its rule."""
    id_, label = amendment.rule.head.id, amendment.rule.item_label
    facts = facts_of(match, amendment, arguments) if with_facts else ()
    if not amendment.rule.item:
        return _after_its_rule(match.program.game, id_, value, facts)
    return Item(amendment.rule.item, value, id_, facts, label)


def _changes(
    match: Match, call: t.DefinitionCall, values: Sequence[Any], with_facts: bool
) -> Iterator[Item]:
    """By how much each amendment of a chain changes the number that it is given."""
    *others, number = values
    for amendment in match.program.game.definitions[call.definition].amendments:
        changed = match.program.amendments[amendment.rule.head.id](match, *others, number)
        if changed != number:
            given = (*others, number)
            yield _item(match, amendment, changed - number, given, with_facts)
        number = changed


def _after_its_rule(game: Game, rule: str, points: int, facts: tuple[tuple[str, int], ...]) -> Item:
    """An item named after its rule."""
    patch = replaced_by(game, rule)
    label = game.labels.get(rule, NO_LABEL)
    return Item(rule, points, rule, facts, label, patch.patch.id if patch is not None else "")


def replaced_by(game: Game, rule: str) -> AppliedPatch | None:
    """The patch that put another rule in the place of one, if there is one."""
    found = (p for p in reversed(game.patches) if p.patch.target == rule)
    return next((p for p in found if p.patch.verb == "replace" and p.patch.kind == "rule"), None)


def itemised_in(
    game: Game, call: t.DefinitionCall, values: Arguments
) -> tuple[str, Arguments] | None:
    """The itemised definition that a number comes from, with its arguments: itself, or one whose
    value it is given."""
    if game.definitions[call.definition].combine == Combine.ITEMS:
        return call.definition, values
    for arg, given in zip(call.arguments, values, strict=True):
        found = itemised_in(game, arg, given) if isinstance(arg, t.DefinitionCall) else None
        if found is not None:
            return found
    return None


def chains_in(
    game: Game, call: t.DefinitionCall, values: Arguments
) -> Iterator[tuple[t.DefinitionCall, Arguments]]:
    """The chains that a number has gone through, the first one first, with their arguments."""
    if game.definitions[call.definition].combine != Combine.CHAIN:
        return
    number = call.arguments[-1]
    if isinstance(number, t.DefinitionCall):
        yield from chains_in(game, number, values[-1])
    yield call, values


def _changed_by(match: Match, call: t.DefinitionCall, arguments: Arguments, points: int) -> str:
    """The rule whose answer made another number of what the items come to; or nothing."""
    values = _values(match, call, arguments)
    for amendment in match.program.game.definitions[call.definition].amendments:
        id_ = amendment.rule.head.id
        if match.program.amendments[id_](match, *values) == points:
            return id_
    return ""


def _values(match: Match, call: t.DefinitionCall, arguments: Arguments) -> list[Any]:
    """The arguments of a call; each nested call is evaluated again."""
    return [
        match.program.definitions[arg.definition](match, *_values(match, arg, given))
        if isinstance(arg, t.DefinitionCall)
        else given
        for arg, given in zip(call.arguments, arguments, strict=True)
    ]


def in_the_order_of_the_book(program: Program) -> dict[str, list[LinkedAmendment]]:
    """By definition: its amendments as their files list them, what others build on first."""
    game = program.game
    depths = {ruleset.id: depth for depth, ruleset in enumerate(game.rulesets)}

    def place(amendment: LinkedAmendment) -> tuple[int, str, int]:
        span = amendment.rule.head.span
        return depths.get(amendment.ruleset, len(depths)), span.file, span.line

    return {id_: sorted(found.amendments, key=place) for id_, found in game.definitions.items()}


#: a part of an amendment as a function, by its rule and the number of the part
_Evaluators = dict[tuple[str, int], Callable[..., Any]]


def _evaluators(program: Program) -> _Evaluators:
    return {}


def _evaluator(
    match: Match, amendment: LinkedAmendment, index: int, term: t.Expression
) -> Callable[..., Any]:
    known = match.program.cached(_evaluators)
    key = (amendment.rule.head.id, index)
    if key not in known:
        known[key] = match.program.evaluator(term, amendment.parameters)
    return known[key]


def applies(match: Match, amendment: LinkedAmendment, arguments: tuple[Any, ...]) -> bool:
    """Whether an amendment's condition holds for these arguments."""
    if amendment.when is None:
        return True
    return bool(_evaluator(match, amendment, -1, amendment.when)(match, *arguments))


def facts_of(
    match: Match, amendment: LinkedAmendment, arguments: tuple[Any, ...]
) -> tuple[tuple[str, int], ...]:
    """The numbers that an amendment looked at, each with its text in the rule."""
    found: dict[str, int] = {}
    is_chain = match.program.game.definitions[amendment.rule.definition].combine == Combine.CHAIN
    for index, term in enumerate(counted_terms(amendment.value)):
        if is_chain and isinstance(term, t.Local) and term.name == amendment.parameters[-1]:
            continue  # the number itself, which the other items add up to
        text = slice_of(amendment.rule.value, term.span)
        found[text] = _evaluator(match, amendment, index, term)(match, *arguments)
    return tuple(found.items())


def counted_terms(node: t.Expression) -> list[t.Expression]:
    """The parts of a sum or product that are read off the board or off a named value."""
    if isinstance(node, t.Arithmetic | t.Negative | t.Conditional):
        return [inner for part in t.children(node) for inner in counted_terms(part)]
    return [node] if node.type == NUMBER and not isinstance(node, t.Literal) else []


def slice_of(code: Code, span: Span) -> str:
    """The source text of a span within a rule."""
    row = span.line - code.line
    lines = code.text.split("\n")
    if not 0 <= row < len(lines) or span.end_line != span.line:
        return " ".join(code.text.split())
    offset = code.column - 1 if row == 0 else code.indent
    return lines[row][span.column - 1 - offset : span.end_column - 1 - offset]
