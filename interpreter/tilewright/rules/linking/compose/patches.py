"""Applies patches to values, counts, rules, steps and tiles.

All patches of one thing are handled together: `patch_precedence` ranks them and finds conflicts,
and each is applied to the result of those below it. `compose/moved_steps.py` handles the neighbours
of a step that is removed or moved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.builtin_rules import BUILTIN_EVENTS
from tilewright.language.source.diagnostics import Reporter, did_you_mean, quoted, same_prefix_hint
from tilewright.language.source.identity import kept_by_identities, kept_by_identity_with
from tilewright.language.source.text import Span
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.moved_steps import settle_steps
from tilewright.rules.linking.compose.patch_precedence import Claim, Ranks, adjusted
from tilewright.rules.linking.compose.rule_order import place_of, with_order
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.game import AppliedPatch
from tilewright.rules.linking.rule_text import piece_text, plain, printed, rule_text, step_text
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.files.components import MAX_FIGURES, MAX_ITEMS, MAX_TOKENS
from tilewright.rules.reading.files.tiles import MAX_COPIES

#: the tables of declarations with settable parts, and the least and largest count
_TABLES = {
    "tile": ("pieces", 1, MAX_COPIES),
    "figure": ("figures", 0, MAX_FIGURES),
    "token": ("tokens", 0, MAX_TOKENS),
    "item": ("items", 0, MAX_ITEMS),
    "feature": ("features", 0, 0),
}

#: converts the text of a part to its value, for parts that are not text
_MADE: dict[str, Callable[[str], Any]] = {"count": int, "completes": m.Completion}


def carry_out(
    gathered: Gathered,
    selection: Selection,
    active: Mapping[str, Sequence[m.Patch]],
    reporter: Reporter,
) -> None:
    """Apply the active patches of each ruleset to the declarations."""
    applier = _PatchApplier(gathered, selection, reporter)
    groups: dict[tuple[str, str], list[Claim]] = {}
    for ruleset in selection.rulesets:
        for patch in active[ruleset.id]:
            if patch.kind != "option":  # `defaults` has already applied these
                claim = Claim(patch, ruleset.id)
                groups.setdefault((patch.kind, patch.target), []).append(claim)
    for (kind, target), claims in _innermost_first(groups):
        applier.change(kind, target, claims)
    applier.settle_insertions()
    settle_steps(gathered, selection, applier.old_steps, reporter)
    place = {ruleset.id: number for number, ruleset in enumerate(selection.rulesets)}
    gathered.patches += sorted(applier.applied, key=lambda d: (place[d.ruleset], d.patch.id))


def _innermost_first(
    groups: Mapping[tuple[str, str], list[Claim]],
) -> Iterator[tuple[tuple[str, str], list[Claim]]]:
    """Order the things with claims: an inserted thing exists before other claims change it."""
    inserted = {c.patch.id for claims in groups.values() for c in claims if c.patch.how in _SIDES}
    yield from ((key, claims) for key, claims in groups.items() if key[1] not in inserted)
    yield from ((key, claims) for key, claims in groups.items() if key[1] in inserted)


_SIDES = ("before", "after")


@dataclass(frozen=True, slots=True)
class _Kind:
    """How declarations of one category are looked up, compared and replaced."""

    table: str
    says: Callable[[Any], str]
    made: Callable[[Any, m.Patch], Any]  # makes the new thing from the old one and the patch
    is_same: Callable[[Any, Any], bool]  # whether the new thing equals the old one


class _PatchApplier:
    def __init__(self, gathered: Gathered, selection: Selection, reporter: Reporter) -> None:
        self.g = gathered
        self.reporter = reporter
        self.ranks = Ranks(selection.rulesets, selection.below)
        self.applied: list[AppliedPatch] = []
        self.inserted: list[Claim] = []
        #: removed and moved steps: the original, and the ruleset that changed it
        self.old_steps: dict[str, tuple[m.StepDecl, Claim]] = {}

    def change(self, kind: str, target: str, rivals: Sequence[Claim]) -> None:
        """Apply all claims on one thing, or report why that is impossible."""
        if self.ranks.disputed(rivals, self.reporter):
            return
        claims, _ = self.ranks.ordered(rivals)
        live = self.ranks.live(claims)
        things = [c for c in claims if c.patch.verb in ("replace", "remove")]
        if kind in _KINDS:
            settling = {c for c in things if self.ranks.settles(c, claims)}
            self._change_thing(_KINDS[kind], target, things, settling)
        gone = [c for c in things if c.patch.verb == "remove" and c in live]
        self._insert(kind, target, [c for c in claims if c.patch.verb == "insert"], gone)
        parts = dict.fromkeys(c.patch.part for c in claims if c.patch.verb in ("set", "adjust"))
        for part in parts:
            inside = [c for c in claims if c.patch.part == part and c not in things]
            if gone:
                inside = self._out_of_reach(inside, gone)
            if kind == "value":
                self._set_value(target, inside)
            else:
                self._set_part(kind, target, part, inside)

    def _out_of_reach(self, claims: Iterable[Claim], gone: Sequence[Claim]) -> list[Claim]:
        """The claims on a removed thing that rank above the removal and should know of it."""
        return [c for c in claims if any(self.ranks.is_above(c, over) for over in gone)]

    def _missed(self, claim: Claim, what: str, known: Iterable[str], verb: str = "") -> None:
        patch = claim.patch
        message = f"unknown {what} `{patch.target}` to {verb or patch.verb}"
        gone = [d.patch for d in self.applied if _is_out(d.patch, patch)]
        message += f": `{gone[0].id}` removed it" if gone else ""
        names = list(known)
        near = "" if gone else did_you_mean(patch.target, names)
        hint = "" if gone or near else same_prefix_hint(patch.target, names)
        self.reporter.error("TW707", message + near, m.place_in(patch, patch.verb), hint=hint)

    # -------------------------------------------------------------- setting values

    def _set_value(self, target: str, claims: Sequence[Claim]) -> None:
        base = self.g.values.get(target)
        if base is None:
            for claim in claims:
                self._missed(claim, "value", self.g.values)
            return
        is_number = base.type == "number"
        final = self._set(claims, base.value, "a number" if is_number else "")
        for claim, value in final:
            self.g.value_history[target].append((claim.ruleset, value, claim.patch))
            self.g.values[target] = _with_value(base, value, claim.patch)

    def _set_part(self, kind: str, target: str, part: str, claims: Sequence[Claim]) -> None:
        name, least, most = _TABLES[kind]
        table: dict[str, Any] = getattr(self.g, name)
        base = table.get(target)
        if base is None:
            for claim in claims:
                self._missed(claim, kind, table)
            return
        is_count = part == "count"
        wanted = f"a number, {least} to {most}" if is_count else ""
        limits = (least, max(most, base.count)) if is_count else None
        for claim, value in self._set(claims, str(getattr(base, part)), wanted, limits):
            # the name of a stack may be undeclared
            table[target] = _with_part(base, part, value, claim.patch if part == "stack" else None)

    def _set(
        self, claims: Sequence[Claim], base: str, wanted: str, limits: tuple[int, int] | None = None
    ) -> list[tuple[Claim, str]]:
        """Each valid claim, in order, with the value after it."""
        found: list[tuple[Claim, str]] = []
        sound: list[Claim] = []
        for claim in claims:
            patch = claim.patch
            under = [c for c in sound if self.ranks.is_above(claim, c)]
            before = self._outcomes(under, base)
            if not self._expected(patch, before):
                continue
            if patch.verb == "adjust" and not wanted:
                message = f"`{patch.changes}` cannot be adjusted: it is not a number"
                self.reporter.error("TW742", message, m.place_in(patch, patch.verb))
                continue
            after = [_new_value(patch, value) for value in before]
            settles = self.ranks.settles(claim, sound)
            if patch.verb == "set" and before == [patch.to] and not settles:
                message = f"this patch changes nothing: `{patch.changes}` is {patch.to} already"
                self.reporter.error("TW708", message, _change_in(patch))
                continue
            if patch.verb == "adjust" and after == before:
                message = f"this patch changes nothing: {patch.how} {patch.to} has no effect"
                self.reporter.error("TW708", message, _change_in(patch))
                continue
            together = self._outcomes([*sound, claim], base)
            wrong = [v for v in (*after, *together) if limits and not _is_within(v, *limits)]
            if wrong:
                message = f"`{patch.changes}` must be {wanted}, not {quoted(wrong[0])}"
                hint = f"to leave it out, write `remove: {patch.kind} {patch.target}`"
                hint = hint if patch.kind == "tile" and wrong[0] == "0" else ""
                self.reporter.error("TW742", message, _change_in(patch), hint=hint)
                continue
            sound.append(claim)
            self.applied.append(AppliedPatch(patch, claim.ruleset, before[0], after[0]))
            found.append((claim, together[0]))
        return found

    def _outcomes(self, claims: Sequence[Claim], base: str) -> list[str]:
        """The possible results of claims; several values when two of them disagree."""
        live = self.ranks.live(claims)
        setting = [c for c in live if c.patch.verb == "set"]
        adjusting = [c for c in live if c.patch.verb == "adjust"]
        found = []
        for start in setting:
            over = [c for c in adjusting if self.ranks.is_above(c, start)]
            found.append(_all_adjusted(start.patch.to, over))
        beside = [c for c in adjusting if not any(self.ranks.is_above(c, s) for s in setting)]
        if beside or not setting:
            found.append(_all_adjusted(base, beside))
        return list(dict.fromkeys(found))

    def _expected(self, patch: m.Patch, found: Sequence[str]) -> bool:
        if patch.expect is None or plain(patch.expect) in map(plain, found):
            return True
        message = f"`{patch.changes}` is not what this patch expects: it is `{plain(found[0])}`"
        self.reporter.error("TW709", message, m.place_in(patch, "expect"))
        return False

    # -------------------------------------------------------------- replacing and removing

    def _change_thing(
        self, kind: _Kind, target: str, claims: Sequence[Claim], settling: Collection[Claim]
    ) -> None:
        table: dict[str, Any] = getattr(self.g, kind.table)
        base = table.get(target)
        results: dict[Claim, Any] = {}
        sound: list[Claim] = []
        for claim in claims:
            patch = claim.patch
            under = [c for c in sound if self.ranks.is_above(claim, c)]
            tops = [results[c] for c in self.ranks.live(under)] or [base]
            before = [thing for thing in tops if thing is not None]
            if not before and claim in settling and base is not None:
                before = [base]  # one of the conflicting claims has removed it
            if not before:
                self._missed(claim, patch.kind, table)
                continue
            if not self._expected(patch, [kind.says(thing) for thing in before]):
                continue
            new = None if patch.verb == "remove" else kind.made(before[0], patch)
            is_same = new is not None and all(kind.is_same(new, thing) for thing in before)
            if is_same and claim not in settling:
                message = f"this patch changes nothing: `{patch.changes}` is already equal"
                self.reporter.error("TW708", message, m.place_in(patch, patch.verb))
                continue
            results[claim] = new
            sound.append(claim)
            if patch.kind == "step" and base is not None:
                self.old_steps[target] = (base, claim)
            text = "" if new is None else kind.says(new)
            self.applied.append(AppliedPatch(patch, claim.ruleset, kind.says(before[0]), text))
        for claim in self.ranks.live(sound):
            if results[claim] is None:
                table.pop(target, None)
            else:
                table[target] = results[claim]
                self.g.origin[kind.table, target] = claim.ruleset

    # -------------------------------------------------------------- inserting

    def _insert(
        self, kind: str, target: str, claims: Sequence[Claim], gone: Sequence[Claim]
    ) -> None:
        if gone:
            claims = self._out_of_reach(claims, gone)
        known: Iterable[str] = {
            "step": self.g.steps,
            "event": {*self.g.events, *(name for name, *_ in BUILTIN_EVENTS)},
        }.get(kind, self.g.rules)
        for claim in claims:
            patch, rule = claim.patch, claim.patch.rule
            if target not in known:
                verb = f"insert effects {patch.how}"
                self._missed(claim, kind, known, verb)
                continue
            beside = self.g.rules.get(target) if kind == "rule" else None
            before = rule_text(beside) if beside is not None else ""
            if not self._expected(patch, [before]) or rule is None:
                continue
            if isinstance(beside, m.Amendment):
                message = f"`{target}` is an amendment: effects cannot be inserted {patch.how} it"
                hint = f"write another amendment: `amend: {beside.definition}`"
                self.reporter.error("TW740", message, m.place_in(patch, patch.verb), hint=hint)
                continue
            if isinstance(beside, m.Procedure) and beside.beside:
                rule_id = beside.beside.split()[-1]
                message = f"`{target}` is inserted itself, beside `{rule_id}`"
                hint = f"insert {patch.how} `{rule_id}`, and order the two with `after:`"
                self.reporter.error("TW740", message, m.place_in(patch, patch.verb), hint=hint)
                continue
            if patch.id in self.g.rules:
                message = f"the id `{patch.id}` is taken by a rule; give the patch another"
                self.reporter.error("TW722", message, patch.span)
                continue
            self.g.rules[patch.id] = rule
            self.g.origin["rules", patch.id] = claim.ruleset
            self.inserted.append(claim)
            self.applied.append(AppliedPatch(patch, claim.ruleset, before, rule_text(rule)))

    def settle_insertions(self) -> None:
        """Put insertions at a step or event before or after all other rules there."""
        rules = self.g.rules
        for claim in self.inserted:
            own = rules.get(claim.patch.id)
            if isinstance(own, m.Procedure) and claim.patch.target not in rules:
                del rules[own.head.id]  # removed with the rule beside which it was inserted
        beside = [c for c in self.inserted if c.patch.kind != "rule" and c.patch.id in rules]
        sides = {c.patch.id: c.patch.how for c in beside}
        for side in _SIDES:
            for claim in beside:
                if claim.patch.how != side:
                    continue
                own = rules[claim.patch.id]
                others = [
                    rule
                    for rule in rules.values()
                    if place_of(rule) == place_of(own) and sides.get(rule.head.id) != side
                ]
                if side == "before":
                    for rule in others:
                        rules[rule.head.id] = _after(rule, own.head.id)
                else:
                    rules[own.head.id] = _after(own, *(rule.head.id for rule in others))


def _after(rule: m.Rule, *others: str) -> m.Rule:
    after = tuple(dict.fromkeys((*rule.head.after, *others)))
    return with_order(rule, after=after)


@kept_by_identity_with
def _with_value(base: m.ValueDecl, value: str, patch: m.Patch) -> m.ValueDecl:
    return replace(base, value=value, span=patch.span, place=_change_in(patch))


@kept_by_identity_with
def _with_part(base: Any, part: str, value: str, patch: m.Patch | None) -> Any:
    """The declaration with another value of a part, at the place of the patch if one is given."""
    changes: dict[str, Any] = {part: _MADE.get(part, str)(value)}
    if patch is not None:
        changes |= {"span": _change_in(patch), "entry": None}
    return replace(base, **changes)


def _change_in(patch: m.Patch) -> Span:
    """The place of the new value of a patch, or of the number by which it adjusts the old one."""
    return m.place_in(patch, "to" if patch.verb == "set" else patch.how)


def _is_out(done: m.Patch, missed: m.Patch) -> bool:
    return done.verb == "remove" and (done.kind, done.target) == (missed.kind, missed.target)


def _new_value(patch: m.Patch, value: str) -> str:
    return patch.to if patch.verb == "set" else adjusted(value, patch)


def _all_adjusted(value: str, claims: Iterable[Claim]) -> str:
    for claim in claims:
        value = adjusted(value, claim.patch)
    return value


def _is_within(value: str, least: int, most: int) -> bool:
    is_short = len(value) <= len(str(most)) and value.isdecimal()
    return is_short and least <= int(value) <= most


# ------------------------------------------------------------------ categories


#: the keys of a rule that order it
_ORDER = ("after", "before", "over", "moment", "optional")


def _is_same_rule(new: m.Rule, old: m.Rule) -> bool:
    """Whether a new rule equals the old one; labels and citations do not count."""
    one, other = new.head, old.head
    return (
        type(new) is type(old)
        and rule_text(new) == rule_text(old)
        and all(getattr(one, key) in ((), "", getattr(other, key)) for key in _ORDER)
        and one.label.get() in ("", other.label.get())
        and one.option in ((), other.option)
    )


@kept_by_identities
def _new_rule(old: m.Rule, patch: m.Patch) -> m.Rule:
    """The new rule under the old id; it keeps the old order when it is at the same place."""
    assert patch.rule is not None
    new, head = patch.rule, patch.rule.head
    is_same_place = place_of(new) == place_of(old)
    head = replace(
        head,
        id=patch.target,
        statements=patch.statements or head.statements,
    )
    if is_same_place:
        old_order = {key: getattr(old.head, key) for key in _ORDER if not getattr(head, key)}
        head = replace(head, **old_order)
    return replace(new, head=head)


def _place_of_step(step: m.StepDecl) -> tuple[object, ...]:
    return step.after, step.before, step.moment


def _new_step(old: m.StepDecl, patch: m.Patch) -> m.StepDecl:
    """The step in its new place."""
    assert patch.step is not None
    new = patch.step
    label = new.label if new.label.texts else old.label
    return replace(
        old,
        after=new.after,
        before=new.before,
        moment=new.moment,
        optional=new.optional,
        label=label,
        span=patch.span,
        entry=patch.entry,
    )


def _new_piece(old: m.PieceKind, patch: m.Patch) -> m.PieceKind:
    """The piece with its new print."""
    assert patch.piece is not None
    faces = patch.piece.faces
    cell = faces[0][0]
    if any(cell.edges):
        return replace(old, faces=faces, span=patch.span)
    found = tuple(
        tuple(
            replace(
                each, symbols=cell.symbols, crosses=cell.crosses or each.crosses, span=cell.span
            )
            for each in face
        )
        for face in old.faces
    )
    return replace(old, faces=found, span=patch.span)


_KINDS = {
    "rule": _Kind("rules", rule_text, _new_rule, _is_same_rule),
    "step": _Kind(
        "steps", step_text, _new_step, lambda a, b: _place_of_step(a) == _place_of_step(b)
    ),
    "tile": _Kind("pieces", piece_text, _new_piece, lambda a, b: printed(a) == printed(b)),
}
