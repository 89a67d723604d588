"""A listener that writes down every award: what it was for, item by item, and what was counted.

The items come from the same compiled answers as the number itself, asked when the award is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.language.terms import Term, deeds_within
from tilewright.language.types import NUMBER
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule, LinkedStep
from tilewright.linking.labels import rule_label
from tilewright.model.ruleset import NO_LABEL, Labels, Law
from tilewright.runtime.calls import announced
from tilewright.runtime.changes import first_answer
from tilewright.runtime.match import FINAL, TURN, Match
from tilewright.runtime.notation import feature_text
from tilewright.runtime.program import Program
from tilewright.runtime.sites import Site
from tilewright.source.text import Code, Span

#: the arguments of a question, where a question among them is told by its own
Asked = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One line of an award: its name, its points, its rule, and what the rule looked at.

    `name` is the same in every language, and what scenarios say; `label` is for people.
    """

    name: str
    points: int
    rule: str
    facts: tuple[tuple[str, int], ...]
    label: Labels = NO_LABEL

    def called(self, language: str = "") -> str:
        """The item for people in a language; without one, its name."""
        return (self.label.get(language) if language else "") or self.name


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
    choices: int  # how many entries the log had

    def said(self, language: str = "") -> str:
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
        points, player, feature, site_number, asked = facts
        site = match.program.sites[site_number]
        self.awards.append(
            Award(
                player,
                points,
                site.rule,
                "" if feature is None else feature_text(match, feature),
                items_of(match, site, points, asked),
                match.turn,
                step_of(match, site),
                len(match.log),
            )
        )


def step_of(match: Match, site: Site) -> str:
    """The step in which a rule of the match gives points now, when there is but one it can be."""
    if site.step:
        return site.step
    phase = "final" if match.phase >= FINAL else "turn" if match.phase == TURN else "setup"
    found = [s.id for s in match.program.game.phase(phase) if site.rule in _reached_from(match, s)]
    return found[0] if len(found) == 1 else ""


_REACHED: dict[tuple[int, str], tuple[Program, frozenset[str]]] = {}


def _reached_from(match: Match, step: LinkedStep) -> frozenset[str]:
    """The ids of the rules that may be carried out in a step."""
    key = (id(match.program), step.id)
    known = _REACHED.get(key)
    if known is not None and known[0] is match.program:
        return known[1]
    game = match.program.game
    found: set[str] = set()
    waiting: list[LinkedRule | LinkedAction] = [*step.rules, *step.actions]
    while waiting:
        rule = waiting.pop()
        if rule.id in found:
            continue
        found.add(rule.id)
        for deed in deeds_within(rule.deeds):
            if deed.op == "perform":
                waiting.append(game.procedures[str(deed.data)])
            elif announced(deed):
                waiting += game.events[announced(deed)].reactions
    _REACHED[key] = (match.program, frozenset(found))
    return _REACHED[key][1]


def items_of(
    match: Match, site: Site, points: int, asked: Asked, *, with_facts: bool = True
) -> tuple[Item, ...]:
    """What an award consists of: the answers of an itemised question, or the one number.

    Without facts it is not told what was counted, and items that came to nothing are left out.
    """
    term = site.deed.terms[0]
    game = match.program.game
    question = first_answer(term)
    itemised = None if question is None else _itemised(game, question, asked)
    if question is None or itemised is None:
        is_told = with_facts and term.op == "value"
        counted = ((slice_of(None, term), points),) if is_told else ()
        return (Item(site.rule, points, site.rule, counted, rule_label(game, site.rule)),)
    found: list[Item] = []
    definition, arguments = itemised
    for amendment in in_the_order_of_the_book(game, definition):
        value = match.program.answers[amendment.rule.head.id](match, *arguments)
        if value or (with_facts and applies(match, amendment, arguments)):
            found.append(
                Item(
                    amendment.rule.item,
                    value,
                    amendment.rule.head.id,
                    facts_of(match, amendment, arguments) if with_facts else (),
                    amendment.rule.item_label,
                )
            )
    changed = points - sum(item.points for item in found)
    if changed:
        rule = _changed_by(match, question, asked, points) or site.rule
        found.append(Item(rule, changed, rule, (), rule_label(game, rule)))
    return tuple(found)


def _itemised(game: Game, question: Term, asked: Asked) -> tuple[str, Asked] | None:
    """The itemised question that a number comes from, with its arguments: itself, or one that it
    is told the answer of."""
    if game.definitions[str(question.data)].law == Law.ITEMS:
        return str(question.data), asked
    for arg, given in zip(question.args, asked, strict=True):
        found = _itemised(game, arg, given) if arg.op == "answer" else None
        if found is not None:
            return found
    return None


def _changed_by(match: Match, question: Term, asked: Asked, points: int) -> str:
    """The rule whose answer made another number of what the items come to; or nothing."""
    values = tuple(
        _answer(match, arg, given) if arg.op == "answer" else given
        for arg, given in zip(question.args, asked, strict=True)
    )
    for amendment in match.program.game.definitions[str(question.data)].amendments:
        id_ = amendment.rule.head.id
        if match.program.answers[id_](match, *values) == points:
            return id_
    return ""


def _answer(match: Match, question: Term, asked: Asked) -> Any:
    values = [
        _answer(match, arg, given) if arg.op == "answer" else given
        for arg, given in zip(question.args, asked, strict=True)
    ]
    return match.program.definitions[str(question.data)](match, *values)


_IN_ORDER: dict[tuple[int, str], tuple[Game, list[LinkedAmendment]]] = {}


def in_the_order_of_the_book(game: Game, definition: str) -> list[LinkedAmendment]:
    """The answers to a question as their files list them, what others build on first."""
    known = _IN_ORDER.get((id(game), definition))
    if known is not None and known[0] is game:
        return known[1]
    depths = {ruleset.id: depth for depth, ruleset in enumerate(game.rulesets)}

    def place(amendment: LinkedAmendment) -> tuple[int, str, int]:
        span = amendment.rule.head.span
        return depths.get(amendment.ruleset, len(depths)), span.file, span.line

    found = sorted(game.definitions[definition].amendments, key=place)
    _IN_ORDER[id(game), definition] = (game, found)
    return found


_QUESTIONS: dict[tuple[int, str, int], Any] = {}


def _ask(match: Match, amendment: LinkedAmendment, index: int, term: Term) -> Any:
    key = (id(match.program), amendment.rule.head.id, index)
    found = _QUESTIONS.get(key)
    if found is None or found[0] is not match.program:
        question = match.program.question(term, amendment.parameters)
        found = _QUESTIONS[key] = (match.program, question)
    return found[1]


def applies(match: Match, amendment: LinkedAmendment, asked: tuple[Any, ...]) -> bool:
    """Whether an amendment's condition holds for these arguments."""
    if amendment.when is None:
        return True
    return bool(_ask(match, amendment, -1, amendment.when)(match, *asked))


def facts_of(
    match: Match, amendment: LinkedAmendment, asked: tuple[Any, ...]
) -> tuple[tuple[str, int], ...]:
    """The numbers that an amendment looked at, each with its text in the rule."""
    found: dict[str, int] = {}
    for index, term in enumerate(counted_terms(amendment.value)):
        text = slice_of(amendment.rule.value, term)
        found[text] = _ask(match, amendment, index, term)(match, *asked)
    return tuple(found.items())


def counted_terms(term: Term) -> list[Term]:
    """The parts of a sum or product that are read off the board or off a named value."""
    if term.op in ("arithmetic", "negative", "conditional"):
        return [inner for arg in term.args for inner in counted_terms(arg)]
    return [term] if term.type == NUMBER and term.op != "literal" else []


def slice_of(code: Code | None, term: Term) -> str:
    """The text of a term as it stands in its rule."""
    if code is None:
        return str(term.data)
    span: Span = term.span
    row = span.line - code.line
    lines = code.text.split("\n")
    if not 0 <= row < len(lines) or span.end_line != span.line:
        return " ".join(code.text.split())
    offset = code.column - 1 if row == 0 else code.indent
    return lines[row][span.column - 1 - offset : span.end_column - 1 - offset]
