"""Precedence of patches, and the error when two unranked patches conflict.

The patches of a ruleset rank above those of every ruleset that it requires, directly or through
others; a patch with `with` ranks above the patches of the named ruleset. Nothing else decides. Two
patches without a rank both apply, or they are an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.language.source.diagnostics import Conflict, Note, Reporter
from tilewright.rules.linking.rule_text import printed, rule_text, step_text
from tilewright.rules.linking.toposort import sorted_after
from tilewright.rules.model import ruleset as m

#: patches that replace everything ranked below them
OVERRULING = ("set", "replace", "remove")


@dataclass(frozen=True, slots=True)
class Claim:
    """A patch, and the ruleset that makes it."""

    patch: m.Patch
    ruleset: str


class Ranks:
    """Ranks the claims of one game."""

    def __init__(self, rulesets: Sequence[m.Ruleset], below: Mapping[str, frozenset[str]]) -> None:
        self.rulesets = rulesets
        self.below = below
        self.number = {ruleset.id: i for i, ruleset in enumerate(rulesets)}
        self.called: dict[str, str] = {}
        for ruleset in rulesets:
            for name in (ruleset.id, *ruleset.took_over, *ruleset.module.provides):
                self.called[name] = ruleset.id

    def ordered(self, claims: Iterable[Claim]) -> tuple[list[Claim], bool]:
        """The claims from the lowest to the highest rank, and whether the ranks have no cycle."""
        by_key = {self._key(claim): claim for claim in claims}
        ordered, looped = sorted_after(
            list(by_key.values()),
            self._key,
            lambda c: (k for k, other in by_key.items() if self.is_above(c, other)),
        )
        return ordered, not looped

    def _key(self, claim: Claim) -> str:
        return f"{self.number[claim.ruleset]:06} {claim.patch.id}"

    def is_above(self, upper: Claim, lower: Claim) -> bool:
        """Whether the first knows of the second, and the second does not know of the first."""
        below = self.below
        if upper.ruleset == lower.ruleset:
            return self._company(upper) > self._company(lower)
        if lower.ruleset in below[upper.ruleset] or upper.ruleset in below[lower.ruleset]:
            return lower.ruleset in below[upper.ruleset]
        return lower.ruleset in self._known(upper) and upper.ruleset not in self._known(lower)

    def _company(self, claim: Claim) -> set[str]:
        return {self.called[mention.id] for mention in claim.patch.with_} - {claim.ruleset}

    def _known(self, claim: Claim) -> set[str]:
        """The rulesets that a claim needs, and all that these are built on."""
        company = self._company(claim)
        return company.union(*(self.below[id_] for id_ in company))

    def disputed(self, claims: Sequence[Claim], reporter: Reporter) -> bool:
        """Report every two claims on one thing that disagree, unless a third overrules them."""
        ordered, is_possible = self.ordered(claims)
        live = self.live(ordered) if is_possible else ordered
        pairs = [(a, b) for i, a in enumerate(live) for b in live[i + 1 :]]
        conflicts = [(a, b) for a, b in pairs if not is_possible or self.disagree(a, b)]
        for one, other in conflicts:
            refuse(one, other, self, reporter)
        return bool(conflicts)

    def live(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims that no higher claim replaces."""
        return [
            claim
            for claim in claims
            if not any(
                other.patch.verb in OVERRULING
                and _is_about_all_of(other, claim)
                and self.is_above(other, claim)
                for other in claims
            )
        ]

    def settles(self, claim: Claim, claims: Sequence[Claim]) -> bool:
        """Whether a claim overrules two others that disagree."""
        under = self.live([c for c in claims if c is not claim and self.is_above(claim, c)])
        pairs = ((a, b) for i, a in enumerate(under) for b in under[i + 1 :])
        return any(self.disagree(a, b) for a, b in pairs)

    def disagree(self, one: Claim, other: Claim) -> bool:
        """Whether two claims on one thing conflict: the result depends on their order."""
        mine, theirs = one.patch, other.patch
        verbs = {mine.verb, theirs.verb}
        if "remove" in verbs and verbs != {"remove"}:
            remover, rest = (one, other) if mine.verb == "remove" else (other, one)
            return not self.is_above(remover, rest) and not self.is_above(rest, remover)
        if mine.part != theirs.part or "insert" in verbs:
            return False
        if verbs == {"adjust"}:
            beside = not self.is_above(one, other) and not self.is_above(other, one)
            return beside and mine.how != theirs.how
        if verbs == {"set", "adjust"}:
            setting, adjusting = (one, other) if mine.verb == "set" else (other, one)
            return not self.is_above(adjusting, setting)
        return change_of(mine) != change_of(theirs)


def _is_about_all_of(over: Claim, under: Claim) -> bool:
    """Whether a claim replaces everything that another one changes."""
    if over.patch.verb == "remove":
        return True
    return over.patch.part == under.patch.part and under.patch.verb != "insert"


def change_of(patch: m.Patch) -> tuple[object, ...]:
    """The change that a patch makes, independent of its author."""
    rule = None if patch.rule is None else rule_text(patch.rule)
    step = None if patch.step is None else step_text(patch.step)
    piece = None if patch.piece is None else printed(patch.piece)
    return (patch.verb, patch.to, rule, step, piece)


def adjusted(value: str, patch: m.Patch) -> str:
    """A value after a patch adjusts it; other text than a number stays unchanged."""
    try:
        number, change = int(value), int(patch.to)
    except ValueError:
        return value
    return str(number * change if patch.how == "times" else number + change)


# ------------------------------------------------------------------ the error for a conflict


def refuse(one: Claim, other: Claim, ranks: Ranks, reporter: Reporter) -> None:
    """Report two conflicting patches, with both places and the lines that resolve the conflict."""
    mine, theirs = one.patch, other.patch
    place = m.place_in(mine, mine.verb)
    note = Note(place, f"`{mine.id}` of `{one.ruleset}` changes it here: {_change(mine)}")
    message = f"two patches change `{theirs.changes}`: `{mine.id}` and `{theirs.id}`"
    conflict = _conflict(one, other, ranks.rulesets)
    place = m.place_in(theirs, theirs.verb)
    reporter.error("TW710", message, place, notes=(note,), conflict=conflict)


def _change(patch: m.Patch) -> str:
    match patch.verb:
        case "set":
            return f"to `{patch.to}`"
        case "adjust":
            return f"{patch.how} {patch.to}"
        case "insert":
            return "effects are inserted"
        case "remove":
            return "it is removed"
    return "it is moved" if patch.kind == "step" else "it is replaced"


def _conflict(one: Claim, other: Claim, rulesets: Sequence[m.Ruleset]) -> Conflict:
    together = f" with `{other.ruleset}`" if one.ruleset != other.ruleset else ""
    wanted = dict((*one.patch.option, *other.patch.option))
    under = f", option {_joined(wanted)}" if wanted else ""
    situation = f"whenever `{one.ruleset}` is played{together}{under}"
    if one.ruleset == other.ruleset:
        if not wanted:
            where = f"leave one of the two out: delete it from `{one.ruleset}`"
            return Conflict(situation, where, f"# - id: {one.patch.id}\n# - id: {other.patch.id}")
        where = f"let the second hold only where the first does not, in `{other.ruleset}`"
        lines = [f"- id: {other.patch.id}", f"  option: {{{_other_options(one, other, rulesets)}}}"]
        return Conflict(situation, where, "\n".join(lines))
    where = f"write into a file of `{other.ruleset}`, or of a house rule of your own"
    return Conflict(situation, where, "\n".join(_overruling_lines(one, other)))


def _joined(options: dict[str, str]) -> str:
    return ", ".join(f"`{name}: {value}`" for name, value in options.items())


def _other_options(one: Claim, other: Claim, rulesets: Sequence[m.Ruleset]) -> str:
    """The options of the second, and an option of the first set to exclude the first."""
    wanted = dict(other.patch.option)
    for option in (o for r in rulesets for o in r.module.options):
        refused = dict(one.patch.option).get(option.id)
        if refused is not None and option.id not in wanted:
            wanted[option.id] = next(c for c in option.choices if c != refused)
            break
    return ", ".join(f"{name}: {value}" for name, value in wanted.items())


def _overruling_lines(one: Claim, other: Claim) -> list[str]:
    """A patch that overrules both; it repeats the change of the second if that is short."""
    patch = other.patch
    lines = [f"with: [{one.ruleset}, {other.ruleset}]", "patches:", f"  - id: {patch.id}_together"]
    lines.append("    why: the reason when both are in the game")
    target = f"{patch.how} {patch.changes}" if patch.verb == "insert" else patch.changes
    if patch.verb in ("set", "remove"):
        lines.append(f"    {patch.verb}: {target}")
        lines += [f"    to: {patch.to}"] if patch.verb == "set" else []
    elif patch.verb == "adjust" and one.patch.verb == "set":
        lines += [f"    set: {target}", f"    to: {_possible(adjusted(one.patch.to, patch))}"]
    elif one.patch.verb == "remove":
        lines.append(f"    remove: {one.patch.changes}")
    elif patch.verb == "adjust":
        lines += [f"    set: {target}", "    to: 1  # the wanted number"]
    else:
        lines += [
            f"    replace: {target}",
            f"    # ... the body of `{patch.id}`, or of `{one.patch.id}`",
        ]
    return lines


def _possible(number: str) -> str:
    """A number that is valid for every value and count."""
    return f"1  # {number} is too small" if number.startswith("-") or number == "0" else number
