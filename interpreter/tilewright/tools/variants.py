"""Under which options a ruleset is worth linking.

Options are asked for in conditions only (`option:` of a rule or a patch, `when:` of a tile), so
what can go wrong is known from which of these hold together. Every choice of every option is tried
alone, and every two conditions that can hold together are, in as few games as a plain search finds.
"""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.linking.select import Selection
from tilewright.model.ruleset import Ruleset

Options = dict[str, str]


def variants(selection: Selection, ruleset: Ruleset) -> list[Mapping[str, str]]:
    """The options, besides the declared ones, under which a game is looked at for a ruleset of it.

    Two conditions of other rulesets of the game are not brought together: those are looked at where
    they belong.
    """
    declared = [option for r in selection.rulesets for option in r.module.options]
    alone: list[Options] = [
        {option.id: choice}
        for option in declared
        for choice in option.choices
        if choice != option.default
    ]
    defaults = {option.id: option.default for option in declared}
    tried = [defaults, *({**defaults, **one} for one in alone)]
    everywhere = [c for r in selection.rulesets for c in conditions(r, selection)]
    missing: list[Options] = []
    for own in conditions(ruleset, selection):
        for other in everywhere:
            both = {**other, **own}
            if _agree(own, other) and both not in missing and not _is_in(both, tried, defaults):
                missing.append(both)
    together: list[Options] = []
    while missing:
        game = dict(missing[0])
        for pair in missing[1:]:
            if _agree(game, pair):
                game |= pair
        together.append(game)
        missing = [pair for pair in missing if not _is_in(pair, [game], defaults)]
    return [*alone, *together]


def conditions(
    ruleset: Ruleset, selection: Selection, *, in_company: bool = False
) -> list[Options]:
    """What a ruleset's rules, patches and tiles ask of the options, each once.

    With `in_company` only those are asked that also ask for the company of other rulesets.
    """
    choices = {o.id: o.choices for r in selection.rulesets for o in r.module.options}
    asked = [(rule.head.option, rule.head.with_) for rule in ruleset.rules]
    asked += [(patch.option, patch.with_) for patch in ruleset.patches]
    asked += [(piece.when, piece.with_) for piece in ruleset.pieces]
    found: list[Options] = []
    for wanted, company in asked:
        condition = dict(wanted)
        is_possible = all(value in choices.get(name, ()) for name, value in wanted)
        if condition and is_possible and condition not in found and (company or not in_company):
            found.append(condition)
    return found


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(other.get(name, value) == value for name, value in one.items())


def _is_in(wanted: Options, games: list[Options], defaults: Options) -> bool:
    return any(wanted.items() <= {**defaults, **game}.items() for game in games)
