"""Patches: which of several has the last word on a value or a rule, and what each changes.

Of two patches of one thing, that of the ruleset that requires the other has the last word, however
far apart they stand. Nothing else decides: two that do not know each other are an error, unless
both come to the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilewright.linking.game import AppliedPatch
from tilewright.linking.precedence import place_of
from tilewright.linking.select import Selection
from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Note, Reporter, did_you_mean

if TYPE_CHECKING:
    from tilewright.linking.gather import Gathered


@dataclass(frozen=True, slots=True)
class _Claim:
    """A patch, and the ruleset that makes it."""

    patch: m.Patch
    ruleset: str

    @property
    def says(self) -> tuple[str, str, m.Rule | None]:
        return (self.patch.verb, self.patch.to, self.patch.rule)


def carry_out(
    gathered: Gathered,
    selection: Selection,
    active: Mapping[str, Sequence[m.Patch]],
    reporter: Reporter,
) -> None:
    """Change values and rules as the active patches of each ruleset say."""
    claims: dict[tuple[bool, str], list[_Claim]] = {}
    for ruleset in selection.rulesets:
        for patch in sorted(active[ruleset.id], key=lambda p: p.id):
            key = (patch.verb == "set", patch.target)
            claims.setdefault(key, []).append(_Claim(patch, ruleset.id))
    done: list[AppliedPatch] = []
    for (is_value, _), rivals in claims.items():
        last = _last_words(rivals, selection)
        if _refuse_rivals(last, reporter):
            continue
        if is_value:
            done += _set_value(gathered, rivals, selection, reporter)
        else:
            done += _change_rule(gathered, rivals, selection, reporter)
    place = {ruleset.id: number for number, ruleset in enumerate(selection.rulesets)}
    gathered.patches += sorted(done, key=lambda d: (place[d.ruleset], d.patch.id))


def _last_words(rivals: Sequence[_Claim], selection: Selection) -> list[_Claim]:
    """The claims that no claim of a ruleset built on theirs comes after."""
    return [
        claim
        for claim in rivals
        if not any(claim.ruleset in selection.below[other.ruleset] for other in rivals)
    ]


def _refuse_rivals(last: Sequence[_Claim], reporter: Reporter) -> bool:
    first, *others = last
    different = [claim for claim in others if claim.says != first.says]
    for claim in different:
        note = Note(first.patch.span, f"`{first.patch.id}` changes it here")
        message = (
            f"two patches change `{claim.patch.target}`: `{first.patch.id}` and `{claim.patch.id}`"
        )
        hint = "let one ruleset require the other, or leave one of the two patches out"
        reporter.error("TW710", message, claim.patch.span, notes=(note,), hint=hint)
    return bool(different)


def _set_value(
    gathered: Gathered, rivals: Sequence[_Claim], selection: Selection, reporter: Reporter
) -> Iterable[AppliedPatch]:
    base = gathered.values.get(rivals[0].patch.target)
    found: list[m.ValueDecl] = []
    for i, claim in enumerate(rivals):
        patch = claim.patch
        if base is None:
            message = f"there is no value `{patch.target}` to set"
            message += did_you_mean(patch.target, gathered.values)
            reporter.error("TW707", message, patch.span)
            continue
        before = [found[k] for k in _replaced(rivals, i, selection)] or [base]
        found.append(replace(base, value=patch.to, span=patch.span))
        if not _expected(patch, [value.value for value in before], reporter):
            continue
        if all(value.value == patch.to for value in before):
            message = f"this patch changes nothing: `{patch.target}` is {patch.to} already"
            reporter.error("TW708", message, patch.span)
            continue
        gathered.values[patch.target] = found[-1]
        gathered.value_history[patch.target].append((claim.ruleset, patch.to, patch))
        yield AppliedPatch(patch, claim.ruleset, before[0].value)


def _change_rule(
    gathered: Gathered, rivals: Sequence[_Claim], selection: Selection, reporter: Reporter
) -> Iterable[AppliedPatch]:
    base = gathered.rules.get(rivals[0].patch.target)
    found: list[m.Rule | None] = []
    for i, claim in enumerate(rivals):
        patch = claim.patch
        under = [found[k] for k in _replaced(rivals, i, selection)] or [base]
        before = [rule for rule in under if rule is not None]
        found.append(None)
        if not before:
            message = f"there is no rule `{patch.target}` to {patch.verb}"
            message += did_you_mean(patch.target, gathered.rules)
            reporter.error("TW707", message, patch.span)
            continue
        texts = [rule_text(rule) for rule in before]
        if not _expected(patch, texts, reporter):
            continue
        if patch.rule is None:
            gathered.rules.pop(patch.target, None)
        elif all(_is_the_same(patch.rule, rule) for rule in before):
            message = f"this patch changes nothing: `{patch.target}` already says so"
            reporter.error("TW708", message, patch.span)
            found[-1] = before[0]
            continue
        else:
            found[-1] = gathered.rules[patch.target] = _in_place_of(before[0], patch, patch.rule)
            gathered.origin["rules", patch.target] = claim.ruleset
        yield AppliedPatch(patch, claim.ruleset, texts[0])


def _replaced(rivals: Sequence[_Claim], i: int, selection: Selection) -> list[int]:
    """Which claims this one comes right after."""
    below = selection.below
    under = [k for k in range(i) if rivals[k].ruleset in below[rivals[i].ruleset]]
    return [
        k for k in under if not any(rivals[k].ruleset in below[rivals[j].ruleset] for j in under)
    ]


def _expected(patch: m.Patch, found: Sequence[str], reporter: Reporter) -> bool:
    if patch.expect is None or _plain(patch.expect) in map(_plain, found):
        return True
    message = f"`{patch.target}` is not what this patch expects: it is `{found[0].strip()}`"
    reporter.error("TW709", message, patch.span)
    return False


def _plain(text: str) -> str:
    return " ".join(text.split())


def _is_the_same(new: m.Rule, old: m.Rule) -> bool:
    """Whether a new rule says nothing that the old one does not say; its words do not count."""
    one, other = new.head, old.head
    return (
        type(new) is type(old)
        and rule_text(new) == rule_text(old)
        and one.after in ((), other.after)
        and one.over in ((), other.over)
        and one.label.texts in ((), other.label.texts)
        and one.option in ((), other.option)
    )


def _in_place_of(old: m.Rule, patch: m.Patch, new: m.Rule) -> m.Rule:
    """The new rule under the old name; where it stands in the same place, in the old order."""
    head = new.head
    stays = place_of(new) == place_of(old)
    head = replace(
        head,
        id=patch.target,
        statements=patch.statements or head.statements,
        after=head.after or (old.head.after if stays else ()),
        over=head.over or (old.head.over if stays else ()),
    )
    return replace(new, head=head)


def rule_text(rule: m.Rule) -> str:
    """What a rule says, in one text: for comparing, for `expect`."""
    when = f"when {rule.head.when.text.strip()}: " if rule.head.when is not None else ""
    match rule:
        case m.Amendment(_, definition, parameters, value, item):
            named = f" as {item}" if item else ""
            return f"{when}{definition}({', '.join(parameters)}){named} = {value.text.strip()}"
        case m.StepRule(_, step, do):
            return f"{when}on step {step}: {do.text.strip()}"
        case m.Reaction(_, event, parameters, do):
            return f"{when}on {event}({', '.join(parameters)}): {do.text.strip()}"
        case m.Action(_, name, step, offer, where, do):
            offered = ", ".join(f"{n} in {c.text.strip()}" for n, c in offer)
            limit = f" where {where.text.strip()}" if where is not None else ""
            return f"{when}{name} at step {step}: {offered}{limit}: {do.text.strip()}"
        case m.Procedure(_, declaration, do):
            named = ", ".join(f"{p.name}: {p.type}" for p in declaration.parameters)
            return f"{when}procedure {declaration.id}({named}): {do.text.strip()}"
