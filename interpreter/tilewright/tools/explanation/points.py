"""Why somebody has points: every award of a match, item by item, down to the rulebook's section.

The match is played again from its log with a ledger listening, so a save explains itself as well as
a match in progress. Nothing is reckoned here a second time: the items come from the compiled rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.language.locale.words import ENGLISH, Words
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import NOWHERE, Span
from tilewright.play.match import Match
from tilewright.play.program import Program
from tilewright.play.replay import replayed_again
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Source, Statement
from tilewright.tools.explanation.parts import rule_of
from tilewright.tools.explanation.score_log import Award, Item, Ledger, replaced_by


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
        explained(match.program, award)
        for award in awards_of(match)
        if player in (None, award.player) and turn in (None, award.turn)
    )


def awards_of(match: Match) -> list[Award]:
    """Every award of a match, found by playing it again. Raises LogError."""
    ledger = Ledger()
    replayed_again(match, listeners=(ledger,))
    return ledger.awards


def explained(program: Program, award: Award, language: str = ENGLISH) -> Explained:
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
