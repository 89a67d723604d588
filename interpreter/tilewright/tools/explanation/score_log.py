"""The score log: every award with its items and counted numbers, down to the rulebook's section.

A listener records the awards. The items come from the same compiled amendments as the number
itself, evaluated at the time of the award. A match is explained by playing it again from its log
with a ledger listening, so a save explains itself as well as a match in progress.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.language.locale.words import ENGLISH, Words
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import NOWHERE, Span
from tilewright.language.types import NUMBER
from tilewright.language.typing import typed_ast as t
from tilewright.play.match import Match
from tilewright.play.match_state import FINAL, TURN
from tilewright.play.notation import feature_text
from tilewright.play.program import Program
from tilewright.play.replay import replayed_again
from tilewright.play.sites import Site
from tilewright.rules.linking.game import (
    AppliedPatch,
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedRule,
    LinkedStep,
)
from tilewright.rules.model.ruleset import NO_LABEL, Combine, Labels, Source, Statement
from tilewright.tools.explanation.rule_parts import rule_of, text_of, value_of
from tilewright.view.places import feature_label, seat_label
from tilewright.view.rule_sentences import id_words

#: the values of the local names that the number of an award reads
Names = Mapping[str, Any]
#: numbers that a rule read, each with its text in the rule
Facts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One line of an award: its name, its points, its rule, and the numbers that the rule read.

    `name` is equal in every language, and is used in scenarios; `label` is for people. `patch` is
    the patch that replaced the rule after which the item is named.
    """

    name: str
    points: int
    rule: str
    facts: Facts
    label: Labels = NO_LABEL
    patch: str = ""

    def called(self, language: str = "") -> str:
        """The item for people in a language; without one, its name."""
        if not language:
            return self.name
        return self.label.get(language) or id_words(self.patch or self.name)


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
    kind: str = ""  # of the feature
    place: str = ""  # the feature in words, where somebody reads them

    @property
    def is_empty(self) -> bool:
        """Whether it is nothing for no feature: a rule that pays every player has many of them."""
        return not self.points and not self.feature

    def text(self, language: str = "") -> str:
        """The award in one line: `8 = tiles 6 + marks 2`; without a language, by names.

        In a language a loss has no sign: the sentence around it calls it one.
        """
        sign = -1 if language and self.points < 0 else 1
        shown = [i for i in self.items if i.points] or list(self.items[:1])
        items = " + ".join(f"{i.called(language)} {sign * i.points}" for i in shown)
        return f"{sign * self.points} = {items}"


class Ledger:
    """Listens to a match. `awards` grows as points are given; in a language they name places."""

    def __init__(self, language: str = "") -> None:
        self.awards: list[Award] = []
        self.language = language

    def __call__(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        """Hear one event."""
        if event == "award":
            self.awards.append(award_of(match, facts, self.language))


def gain_text(match: Match, award: Award, language: str, *, with_items: bool = True) -> str:
    """An award in one line: player, points and place, and its items if the place is not enough."""
    words, name = Words(language), seat_label(match, award.player, language)
    shown = [item for item in award.items if item.points] or list(award.items[:1])
    is_loss, points = award.points < 0, abs(award.points)
    if award.place:
        key = "match.loses_for" if is_loss else "match.gains_for"
        gain = words.plural(key, points, player=name, place=award.place)
    else:
        gain = words.plural("match.loses" if is_loss else "match.gains", points, player=name)
    if not with_items:
        return gain
    if len(shown) > 1:
        items = [f"{item.called(language)} {item.points}".replace(" -", " −") for item in shown]
    elif award.place and shown[0].name != award.rule:
        return gain  # the one thing that the place is worth
    else:
        items = [item.called(language) for item in shown]
    return words("match.with_items", gain=gain, items=words("list.comma").join(items))


def award_of(match: Match, facts: tuple[Any, ...], language: str = "") -> Award:
    """An award as reported to listeners, with its items, and in a language with its place."""
    points, player, feature, site_number, held = facts
    site = match.program.sites[site_number]
    return Award(
        player,
        points,
        site.rule,
        "" if feature is None else feature_text(match, feature),
        items_of(match, site, points, held),
        match.turn,
        step_of(match, site),
        len(match.log),
        "" if feature is None else kind_of(match, feature),
        "" if feature is None or not language else feature_label(match, feature, language),
    )


def kind_of(match: Match, feature: int) -> str:
    """The id of the kind of a feature."""
    board = match.board
    return match.program.game.features[board.kind[board.find(feature)]].id


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
            elif event := t.announcement(effect)[0]:
                waiting += game.events[event].reactions
    return frozenset(found)


def items_of(
    match: Match, site: Site, points: int, held: Sequence[Any], *, with_facts: bool = True
) -> tuple[Item, ...]:
    """The items of an award: the amendments of an itemised definition, or the one number.

    `held` has the values of the local names that the number reads, in the order of the text.
    Without facts the counted numbers are missing, and items of zero points are left out.
    """
    number = t.children(site.effect)[0]
    names = dict(zip(t.free_locals(number), held, strict=True))
    game = match.program.game
    call = added_call(number)
    itemised = None if call is None else itemised_in(game, call)
    chains = () if call is None else tuple(chains_in(game, call))
    changes = [i for chain in chains for i in _changes(match, chain, names, with_facts)]
    found = () if itemised is None else _items(match, itemised, names, with_facts)
    rest = points - sum(item.points for item in (*found, *changes))
    if itemised is None:
        counted = _counted(match, site.rule, number, names) if with_facts else ()
        return (_after_its_rule(game, site.rule, rest, counted), *changes)
    if rest:
        rule = ""
        if call is not None and call is number and call is not itemised and not chains:
            # another definition made the number of the sum of the items
            rule = _changed_by(match, call, names, points)
        changes.append(_after_its_rule(game, rule or site.rule, rest, ()))
    return (*found, *changes)


def _items(
    match: Match, call: t.DefinitionCall, names: Names, with_facts: bool
) -> tuple[Item, ...]:
    """The items of an itemised definition.

    With facts also those of 0 points whose condition holds; those that have no condition only
    where nothing else is one.
    """
    arguments = _arguments(match, call, names)
    found, unconditional = list[Item](), list[Item]()
    for amendment in match.program.cached(in_the_order_of_the_book)[call.definition]:
        value = match.program.amendments[amendment.rule.head.id](match, *arguments)
        if value or (with_facts and applies(match, amendment, arguments)):
            into = found if value or amendment.when is not None else unconditional
            into.append(_item(match, amendment, value, arguments, with_facts))
    return tuple(found or unconditional)


def _item(
    match: Match, amendment: LinkedAmendment, value: int, arguments: Sequence[Any], with_facts: bool
) -> Item:
    """The item of an amendment, named by its `item`, or after its rule."""
    id_, label = amendment.rule.head.id, amendment.rule.item_label
    facts = facts_of(match, amendment, arguments) if with_facts else ()
    if not amendment.rule.item:
        return _after_its_rule(match.program.game, id_, value, facts)
    return Item(amendment.rule.item, value, id_, facts, label)


def _changes(
    match: Match, call: t.DefinitionCall, names: Names, with_facts: bool
) -> Iterator[Item]:
    """By how much each amendment of a chain changes the number that it is given."""
    *others, number = _arguments(match, call, names)
    for amendment in match.program.game.definitions[call.definition].amendments:
        changed = match.program.amendments[amendment.rule.head.id](match, *others, number)
        if changed != number:
            given = (*others, number)
            yield _item(match, amendment, changed - number, given, with_facts)
        number = changed


def _after_its_rule(game: Game, rule: str, points: int, facts: Facts) -> Item:
    """An item named after its rule."""
    patch = replaced_by(game, rule)
    label = game.labels.get(rule, NO_LABEL)
    return Item(rule, points, rule, facts, label, patch.patch.id if patch is not None else "")


def replaced_by(game: Game, rule: str) -> AppliedPatch | None:
    """The patch that put another rule in the place of one, if there is one."""
    found = (p for p in reversed(game.patches) if p.patch.target == rule)
    return next((p for p in found if p.patch.verb == "replace" and p.patch.kind == "rule"), None)


def added_call(number: t.Expression) -> t.DefinitionCall | None:
    """The definition call that a number is, or the first one that is added in it; or None."""
    match number:
        case t.DefinitionCall():
            return number
        case t.Arithmetic("+", left, right):
            return added_call(left) or added_call(right)
        case t.Arithmetic("-", left):
            return added_call(left)
    return None


def itemised_in(game: Game, call: t.DefinitionCall) -> t.DefinitionCall | None:
    """The call of an itemised definition that a number comes from: itself, or one whose value it
    is given."""
    if game.definitions[call.definition].combine == Combine.ITEMS:
        return call
    inner = (arg for arg in call.arguments if isinstance(arg, t.DefinitionCall))
    return next(filter(None, (itemised_in(game, each) for each in inner)), None)


def chains_in(game: Game, call: t.DefinitionCall) -> Iterator[t.DefinitionCall]:
    """The chains that a number has gone through, the first one first."""
    if game.definitions[call.definition].combine != Combine.CHAIN:
        return
    number = call.arguments[-1]
    if isinstance(number, t.DefinitionCall):
        yield from chains_in(game, number)
    yield call


def _changed_by(match: Match, call: t.DefinitionCall, names: Names, points: int) -> str:
    """The rule whose answer is the number, and not what the items come to; or nothing."""
    amendment = _answer(match, call, _arguments(match, call, names), points)
    return "" if amendment is None else amendment.rule.head.id


def _answer(
    match: Match, call: t.DefinitionCall, arguments: Sequence[Any], points: int
) -> LinkedAmendment | None:
    """The first amendment of a definition whose value is this number."""
    for amendment in match.program.game.definitions[call.definition].amendments:
        if match.program.amendments[amendment.rule.head.id](match, *arguments) == points:
            return amendment
    return None


def _arguments(match: Match, call: t.DefinitionCall, names: Names) -> list[Any]:
    """The values of the arguments of a call."""
    return [value_of(match, argument, names) for argument in call.arguments]


def in_the_order_of_the_book(program: Program) -> dict[str, list[LinkedAmendment]]:
    """By definition: its amendments as their files list them, what others build on first."""
    game = program.game
    depths = {ruleset.id: depth for depth, ruleset in enumerate(game.rulesets)}

    def place(amendment: LinkedAmendment) -> tuple[int, str, int]:
        span = amendment.rule.head.span
        return depths.get(amendment.ruleset, len(depths)), span.file, span.line

    return {id_: sorted(found.amendments, key=place) for id_, found in game.definitions.items()}


def applies(match: Match, amendment: LinkedAmendment, arguments: Sequence[Any]) -> bool:
    """Whether an amendment's condition holds for these arguments."""
    if amendment.when is None:
        return True
    return bool(value_of(match, amendment.when, _named(amendment, arguments)))


def _named(amendment: LinkedAmendment, arguments: Sequence[Any]) -> Names:
    return dict(zip(amendment.parameters, arguments, strict=True))


def facts_of(match: Match, amendment: LinkedAmendment, arguments: Sequence[Any]) -> Facts:
    """The numbers that an amendment looked at, each with its text in the rule."""
    names = _named(amendment, arguments)
    is_chain = match.program.game.definitions[amendment.rule.definition].combine == Combine.CHAIN
    # the number that a chain is given is what the other items add up to
    given = amendment.parameters[-1] if is_chain else ""
    return _facts(match, amendment.rule.head.id, amendment.value, names, given)


def _counted(match: Match, rule: str, number: t.Expression, names: Names) -> Facts:
    """The numbers of an award without items, before a chain changed it.

    They are those of its number, or of the rules whose answer it is.
    """
    if isinstance(number, t.Conditional):
        return _counted(match, rule, _branch(match, number, names), names)
    if not isinstance(number, t.DefinitionCall):
        return _facts(match, rule, number, names)
    definition = match.program.game.definitions[number.definition]
    if definition.combine == Combine.CHAIN:
        return _counted(match, rule, number.arguments[-1], names)
    if definition.combine == Combine.ITEMS:
        items = _items(match, number, names, with_facts=True)
        return tuple(fact for item in items if item.points for fact in item.facts)
    arguments = _arguments(match, number, names)
    answer = _answer(match, number, arguments, value_of(match, number, names))
    if answer is not None and applies(match, answer, arguments):
        return _counted(match, answer.rule.head.id, answer.value, _named(answer, arguments))
    if answer is not None or definition.default is None:
        return ()
    inside = dict(zip((name for name, _ in definition.parameters), arguments, strict=True))
    return _counted(match, definition.id, definition.default, inside)


def _facts(match: Match, rule: str, number: t.Expression, names: Names, given: str = "") -> Facts:
    """The numbers that a number was made of, with their texts in a rule; not the name `given`."""
    return tuple(
        {
            text_of(match.program.game, rule, term): value_of(match, term, names)
            for term in _counted_terms(match, number, names)
            if not (isinstance(term, t.Local) and term.name == given)
        }.items()
    )


def _counted_terms(match: Match, node: t.Expression, names: Names) -> Iterator[t.Expression]:
    """The parts of a sum or product that are read off the board or off a named value.

    The other branch of a condition may have no value.
    """
    match node:
        case t.Conditional():
            yield from _counted_terms(match, _branch(match, node, names), names)
        case t.Arithmetic() | t.Negative():
            for part in t.children(node):
                yield from _counted_terms(match, part, names)
        case t.Literal():
            return
        case _ if node.type == NUMBER:
            yield node


def _branch(match: Match, node: t.Conditional, names: Names) -> t.Expression:
    return node.then if value_of(match, node.test, names) else node.otherwise


# ------------------------------------------------------------------ why somebody has points


@dataclass(frozen=True, slots=True)
class Cited:
    """A statement with its place in the rulebook."""

    id: str
    says: str
    authority: str
    source: str  # title
    section: str

    def text(self) -> str:
        """The statement in one line, with its citation."""
        where = ", ".join(part for part in (self.source, self.section) if part)
        return f"{self.id}: {self.says}" + (f" ({where})" if where else "")


@dataclass(frozen=True, slots=True)
class Justification:
    """A rule and its grounds. `changes` has the rulesets that changed it, with their reasons."""

    rule: str
    ruleset: str
    says: str
    place: Span
    statements: tuple[Cited, ...]
    changes: tuple[str, ...]
    #: the patch that put this rule in the place of another, and its ruleset
    replaced_by: tuple[str, str] | None = None

    def named(self, language: str = ENGLISH) -> str:
        """The rule, and the patch by which it is as it is."""
        if self.replaced_by is None:
            return self.rule
        patch, ruleset = self.replaced_by
        return Words(language)("why.replaced_by", rule=self.rule, patch=patch, ruleset=ruleset)


@dataclass(frozen=True, slots=True)
class ExplainedItem:
    """One line of an award: what was counted on the board, and by which rule."""

    item: Item
    grounds: Justification


@dataclass(frozen=True, slots=True)
class Explained:
    """An award with the grounds of each of its items; `by` is the rule that gave the points."""

    award: Award
    by: Justification
    items: tuple[ExplainedItem, ...]


def why(match: Match, player: int | None = None, turn: int | None = None) -> tuple[Explained, ...]:
    """Every award of a match in order, or those of one player or of one turn.

    Raises LogError for a match that did not begin at the beginning.
    """
    return tuple(
        explained(match.program, award, ENGLISH)
        for award in awards_of(match)
        if player in (None, award.player) and turn in (None, award.turn)
    )


def awards_of(match: Match) -> list[Award]:
    """Every award of a match, found by playing it again. Raises LogError."""
    ledger = Ledger()
    replayed_again(match, listeners=(ledger,))
    return ledger.awards


def explained(program: Program, award: Award, language: str) -> Explained:
    """An award of a match of this game, with its grounds in a language."""
    game = program.game
    items = []
    for item in award.items:
        names = [name for name, _ in item.facts]
        items.append(ExplainedItem(item, grounds(game, item.rule, names, language)))
    return Explained(award, grounds(game, award.rule, (), language), tuple(items))


# --------------------------------------------------------------------- grounds of a rule


def grounds(
    game: Game, rule: str, values: list[str] | tuple[str, ...] = (), language: str = ENGLISH
) -> Justification:
    """A rule, its statements, and those of the named values that it read."""
    words = Words(language)
    found = rule_of(game, rule)
    if found is None:
        return Justification(rule, "", "", NOWHERE, (), ())
    head = found.rule.head
    statements = list(head.statements)
    changes = [
        words(
            "why.replaced" if p.patch.verb == "replace" else "why.changed",
            rule=rule,
            patch=p.patch.id,
            ruleset=p.ruleset,
            why=p.patch.why,
        )
        for p in game.patches
        if p.patch.target == rule
    ]
    for name in values:
        value = game.values.get(name)
        if value is None:
            continue
        statements += value.declaration.statements
        for ruleset, text, patch in value.history[1:]:
            why = f": {patch.why}" if patch is not None and patch.why else ""
            changes.append(words("why.value", name=name, value=text, ruleset=ruleset) + why)
            statements += patch.statements if patch is not None else ()
    cites = cited(game, tuple(dict.fromkeys(statements)), language)
    says = head.says or (cites[0].says if cites else "")
    applied = replaced_by(game, rule)
    by = None if applied is None else (applied.patch.id, applied.ruleset)
    return Justification(rule, found.ruleset, says, head.span, cites, tuple(changes), by)


def cited(game: Game, ids: tuple[str, ...], language: str = ENGLISH) -> tuple[Cited, ...]:
    """Statements by id, each with its source; unknown ones are left out."""
    book = _book(game)
    found = []
    for id_ in ids:
        if id_ not in book:
            continue
        statement, sources = book[id_]
        cite = statement.cites[0] if statement.cites else None
        source = sources.get(cite.source) if cite is not None else None
        title = source.title if source is not None else cite.source if cite is not None else ""
        section = cite.section if cite is not None else ""
        authority = str(statement.authority)
        says = dict(statement.translations).get(language) or statement.says
        found.append(Cited(id_, says, authority, title, section))
    return tuple(found)


@kept_by_identity
def _book(game: Game) -> dict[str, tuple[Statement, dict[str, Source]]]:
    everywhere = {s.id: s for ruleset in game.rulesets for s in ruleset.module.sources}
    found = {}
    for ruleset in game.rulesets:
        sources = everywhere | {s.id: s for s in ruleset.module.sources}
        for statement in ruleset.statements:
            found[statement.id] = (statement, sources)
    return found
