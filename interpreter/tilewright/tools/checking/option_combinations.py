"""The combinations of options under which a ruleset is linked by `check`.

Only conditions read options (`option:` of a rule or a patch, `when:` of a tile), so two games with
the same true conditions have the same diagnostics. Every choice that a condition names is tried
alone, one other choice represents the rest, and every two conditions that can hold together do so
in one of a few games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tilewright.language.source.identity import kept_by_identity
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.model.ruleset import OptionDecl, Ruleset, codes_of

Options = dict[str, str]

#: the most conditions of one ruleset that are combined with others
MAX_CONDITIONS = 50
#: characters of effect text that take as long to link as one declaration
_AS_GOOD_AS = 100


def variants(selection: Selection, ruleset: Ruleset) -> Iterator[Mapping[str, str]]:
    """The options, besides the declared ones, under which a game is checked for one ruleset.

    Conditions of two other rulesets are not combined: the checks of those rulesets do it.
    """
    declared = {o.id: o for r in selection.rulesets for o in r.module.options}
    defaults = {name: option.default for name, option in declared.items()}
    per_ruleset = [conditions(r, selection) for r in selection.rulesets]
    named = {item for found in per_ruleset for condition in found for item in condition.items()}
    for option in declared.values():
        yield from ({option.id: choice} for choice in _worth_trying(option, named))
    everywhere = [c for found in per_ruleset for c in found[:MAX_CONDITIONS]]
    missing = _pairs(conditions(ruleset, selection)[:MAX_CONDITIONS], everywhere, defaults)
    while missing:
        game = dict(missing[0])
        for pair in missing[1:]:
            if _agree(game, pair):
                game |= pair
        yield game
        whole = {**defaults, **game}.items()
        missing = [pair for pair in missing if not pair.items() <= whole]


def _worth_trying(option: OptionDecl, conditions: set[tuple[str, str]]) -> list[str]:
    """The choices under which other conditions hold than under the default or each other."""
    found: list[str] = []
    stranger = (option.id, option.default) not in conditions
    for choice in option.choices:
        if choice == option.default:
            continue
        if (option.id, choice) in conditions:
            found.append(choice)
        elif not stranger:
            stranger = True
            found.append(choice)
    return found


def _pairs(own: Sequence[Options], others: Sequence[Options], defaults: Options) -> list[Options]:
    """Every two conditions that can hold together, but not by changing one option alone."""
    found: dict[frozenset[tuple[str, str]], Options] = {}
    for one in own:
        for other in others:
            if _agree(one, other):
                both = {**other, **one}
                changed = sum(defaults.get(name) != value for name, value in both.items())
                if changed > 1:
                    found.setdefault(frozenset(both.items()), both)
    return list(found.values())


def conditions(
    ruleset: Ruleset, selection: Selection, *, in_company: bool = False
) -> list[Options]:
    """The option conditions of a ruleset's rules, patches and tiles, without duplicates.

    With `in_company` only those that also require other rulesets.
    """
    choices = {o.id: o.choices for r in selection.rulesets for o in r.module.options}
    sources = [(rule.head.option, rule.head.with_) for rule in ruleset.rules]
    sources += [(patch.option, patch.with_) for patch in ruleset.patches]
    sources += [(piece.when, piece.with_) for piece in ruleset.pieces]
    found: dict[frozenset[tuple[str, str]], Options] = {}
    for wanted, required in sources:
        is_possible = all(value in choices.get(name, ()) for name, value in wanted)
        if wanted and is_possible and (required or not in_company):
            found.setdefault(frozenset(wanted), dict(wanted))
    return list(found.values())


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(other.get(name, value) == value for name, value in one.items())


def extent(selection: Selection) -> int:
    """The cost of linking a game, in characters of effects or an equivalent."""
    return sum(map(_extent, selection.rulesets))


@kept_by_identity
def _extent(ruleset: Ruleset) -> int:
    things = (ruleset.pieces, ruleset.values, ruleset.definitions, ruleset.steps, ruleset.patches)
    codes = (code for rule in ruleset.rules for code in codes_of(rule))
    declared = sum(map(len, things)) + len(ruleset.rules)
    return _AS_GOOD_AS * declared + sum(len(code.text) for code in codes)
