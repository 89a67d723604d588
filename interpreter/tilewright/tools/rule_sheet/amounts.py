"""The points of a game: each item of a list of points, and each number that is awarded.

An item is a number times the things counted (`2 × tiles`). Amounts that need more words than that
are left to the sentences of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tilewright.language.builtins import AWARD, GRANT
from tilewright.language.locale.words import Words, capital
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAmendment
from tilewright.rules.linking.inventory import labels_in
from tilewright.rules.linking.walk import AnyRule, effects_of
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.unreachable import idle_for_want_of_figures, refused_kinds
from tilewright.tools.rule_sheet.places import Place, Places

_SIGNS = {"+": "+", "-": "−"}


@dataclass(frozen=True, slots=True)
class Amount:
    """One line: where in the game it is paid, for what, and how much."""

    place: Place
    what: str
    text: str


def amounts_of(
    game: Game, places: Places, elsewhere: AbstractSet[str], words: Words
) -> list[Amount]:
    """Every number that can be paid, in the order of a turn; without rules whose statements are all
    about games `elsewhere`."""
    speaker = _Speaker(game, words)
    found: dict[tuple[int, str], tuple[Place, list[str]]] = {}
    order = {ruleset.id: number for number, ruleset in enumerate(game.rulesets)}
    spans = ((order[r.ruleset], r.rule.head.span.file, r.rule.head.span.line, r.rule.head.id, r)
             for r in places.live)  # fmt: skip
    for *_, rule in sorted(spans, key=lambda each: each[:-1]):
        told = {*rule.rule.head.statements}
        if told and told <= elsewhere:
            continue
        for what, text in speaker.amounts(rule):
            for place in places.all_of_rule(rule):
                _, texts = found.setdefault((place[0], what), (place, []))
                texts += [text] if text not in texts else []
    made = [Amount(place, what, " + ".join(texts)) for (_, what), (place, texts) in found.items()]
    return sorted(made, key=lambda each: each.place)


class _Speaker:
    """Puts amounts into words."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game, self.words = game, words
        self.labels = labels_in(game, "kind", "attribute", "figure", "role", "symbol")
        self._idle = idle_for_want_of_figures(game)

    def amounts(self, rule: AnyRule) -> Iterator[tuple[str, str]]:
        """The name and the text of each amount of a rule, where the number is known."""
        if rule.rule.head.id in self._idle:
            return
        if isinstance(rule, LinkedAmendment):
            is_item = self.game.definitions[rule.rule.definition].combine == m.Combine.ITEMS
            if is_item and not self._is_refused(rule):
                item = rule.rule.item_label.get(self.words.language) or rule.rule.item
                text = self._times(rule.value, item)
                label = self.labels.get(_kind(rule.when), m.NO_LABEL)
                kind = capital(label.get(self.words.language))
                if text:
                    yield (kind or capital(item)), text
            return
        for effect in effects_of(rule):
            if isinstance(effect, t.Verb) and effect.verb in (AWARD, GRANT):
                name = rule.rule.head.label.get(self.words.language)
                text = self._times(effect.operand, "")
                if text and name:
                    yield capital(name), text

    def _is_refused(self, rule: LinkedAmendment) -> bool:
        """Whether its item is never paid, as features of its kind are not."""
        return _kind(rule.when) in refused_kinds(self.game, rule.rule.definition)

    def _times(self, node: t.Expression, item: str) -> str:
        """`2 × tiles`, or the number alone; empty where there is none."""
        number = self._number(node)
        if number is not None:
            return str(number)
        match node:
            case t.Arithmetic("+", left, right):
                parts = (self._times(left, item), self._times(right, item))
                return " + ".join(parts) if all(parts) else ""
            case t.Arithmetic("*", left, right) if (first := self._number(left)) is not None:
                what = self._counted(right) or item
                return f"{first} × {what}" if what else self.words("sheet.for_each", n=first)
        return ""

    def _number(self, node: t.Expression) -> int | None:
        match node:
            case t.Literal(int() as value) if not isinstance(value, bool):
                return value
            case t.Value(id_):
                return self._number(self.game.values[id_].term)
            case t.Negative(value):
                number = self._number(value)
                return None if number is None else -number
        return None

    def _counted(self, node: t.Expression) -> str:
        """The name of a printed number or of a fact of a feature; empty for anything else."""
        match node:
            case t.Literal(int() as value):
                return str(value)
            case t.Printed(_, id_):
                return self.labels.get(id_, m.NO_LABEL).get(self.words.language)
            case t.Attribute(_, attribute):
                key = f"sheet.counted.{attribute.name}"
                return self.words(key) if key in self.words else ""
            case t.Arithmetic("+" | "-" as sign, left, right):
                parts = (self._counted(left), self._counted(right))
                return f"({parts[0]} {_SIGNS[sign]} {parts[1]})" if all(parts) else ""
        return ""


def _kind(when: t.Expression | None) -> str:
    """The kind of feature that a condition asks for; empty for none."""
    for node in t.walk(when) if when is not None else ():
        if isinstance(node, t.IsKind) and isinstance(node.kind, t.Constant):
            return node.kind.id
    return ""
