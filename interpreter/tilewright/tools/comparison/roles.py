"""The roles that two sides have, and that are not for the same figures or features, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tilewright.rules.linking.inventory import labels_in
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.sides import ComparedGame
from tilewright.view.rule_sentences import phrase


def changed_roles(
    before: ComparedGame, after: ComparedGame, names: Sequence[str]
) -> Iterator[m.Labels]:
    """Changes of the roles with these names on the first side: the figures that may take them
    as well, with all roles of each in one phrase; else what a role is for now, and was before."""
    more: dict[str, list[m.Labels]] = defaultdict(list)
    others: list[m.Labels] = []
    for name in dict.fromkeys(names):
        old, new = _role(before, name), _role(after, name)
        known = {before.names.of("figure", id_) for id_ in old.figures}
        came = [id_ for id_ in new.figures if after.names.of("figure", id_) not in known]
        is_kept = len(new.figures) - len(came) == len(known) and before.names.of(
            "kind", old.on
        ) == after.names.of("kind", new.on)
        for id_ in came if is_kept else ():
            more[id_].append(new.label)
        if not is_kept:
            others.append(
                phrase(
                    "rule.instead",
                    what=phrase("rule.a_role", role=new.label),
                    after=_holders(after, new),
                    before=_holders(before, old),
                )
            )
    labels = labels_in(after.game, "figure")
    for id_, roles in more.items():
        yield phrase("rule.more_roles", figure=labels[id_], roles=m.joined_labels(roles, ", "))
    yield from others


def _role(side: ComparedGame, name: str) -> m.Role:
    return next(role for role in side.game.roles if side.names.of("role", role.id) == name)


def _holders(side: ComparedGame, role: m.Role) -> m.Labels:
    """The figures that may take a role, and where."""
    labels = labels_in(side.game, "figure", "kind")
    figures = m.joined_labels([labels[id_] for id_ in role.figures], ", ")
    return phrase("rule.role_of", figures=figures, place=labels[role.on])
