"""Reads `patches:` in a file of rules: the target and the change of each patch.

A target has one form only: a value or a rule by its name, anything else by category and name, like
`step draw`, `tile corner.count`. `linking` checks whether the target exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tilewright.model.ruleset import (
    Completion,
    Patch,
    PieceKind,
    Procedure,
    ProcedureDecl,
    Reaction,
    Reference,
    Rule,
    RuleHead,
    StepDecl,
    StepRule,
    TileFace,
)
from tilewright.reading.files.map_reader import MapReader
from tilewright.reading.files.patterns import (
    ADJUST,
    BODIES,
    BODY_KEYS,
    DOTTED,
    INSERT,
    NAME,
    NEIGHBOUR,
    NEIGHBOUR_STEP,
    REPLACE,
    SET,
    SLUG,
    TOPIC,
    Form,
)
from tilewright.reading.files.tiles import CELL_KEYS, CROSSINGS, read_faces
from tilewright.source.text import Span

#: reads the rule that a patch brings, given its id and the place of that
RuleOf = Callable[[str, Span], Rule | None]

VERBS: dict[str, Form] = {
    "set": SET,
    "adjust": ADJUST,
    "replace": REPLACE,
    "remove": REPLACE,
    "insert": INSERT,
}
#: keys of patches alone, and the verb of each
_GOES_WITH = {"to": "set", "by": "adjust", "times": "adjust"}
_COMPLETIONS = tuple(way.value for way in Completion)
_HEAD_KEYS = ("says", "label", "topic", "moment", "when", "after", "over")


@dataclass(frozen=True, slots=True)
class _Target:
    """The target of a patch: `tile corner.count` is the part `count` of the tile `corner`."""

    kind: str
    name: str
    part: str
    how: str  # before or after, where something is inserted


def read_patch(entry: MapReader, also: tuple[Reference, ...], rule_of: RuleOf) -> Patch | None:
    """The patch of an entry, or None after reporting an error."""
    patch_id = entry.text("id", DOTTED, required=True)
    if patch_id:
        entry.what = f"patch `{patch_id}`"
    why = entry.text("why", required=True)
    expect = entry.scalar("expect") if entry.has("expect") else None
    statements = entry.words("from", SLUG)
    option = entry.texts("option", NAME)
    with_ = (*also, *entry.companions())
    entry.ask("expect", *VERBS, *_GOES_WITH)
    verbs = [key for key in VERBS if entry.has(key)]
    if len(verbs) != 1:
        found = " and ".join(f"`{key}`" for key in verbs) or "none"
        entry.error(
            "TW210",
            f"{entry.what} needs exactly one of `set`, `adjust`, `replace`, `remove` and `insert`,"
            f" found {found}",
            entry.last_of(verbs) if verbs else entry.where,
        )
        entry.ask(*BODIES, *BODY_KEYS, *_HEAD_KEYS, "before", *CELL_KEYS, "faces")
        return None
    verb = verbs[0]
    target = _target(verb, entry.text(verb, VERBS[verb]))
    _check_keys(entry, verb, target)
    patch = Patch(
        patch_id, verb, target.kind, target.name, target.part, "", target.how, None, None, None,
        why, expect, statements, option, entry.span("id"), with_, entry.node,
    )  # fmt: skip
    match verb:
        case "set" if target.kind == "feature":
            patch = replace(patch, to=entry.choice("to", _COMPLETIONS, required=True))
        case "set":
            patch = replace(patch, to=entry.scalar("to", required=True))
        case "adjust":
            patch = _adjusting(entry, patch)
        case "replace" if target.kind == "step":
            patch = replace(patch, step=_step(entry, target.name))
        case "replace" if target.kind == "tile":
            patch = replace(patch, piece=_piece(entry, target.name))
        case "replace":
            patch = replace(patch, rule=rule_of(target.name, entry.span(verb)))
        case "insert":
            patch = replace(patch, rule=_inserted(entry, patch))
    return None if entry.bad else patch


def _target(verb: str, text: str) -> _Target:
    words = text.split()
    how = words.pop(0) if verb == "insert" and words else ""
    if len(words) < 2:
        kind = "value" if verb in ("set", "adjust") else "rule"
        return _Target(kind, "".join(words), "", how)
    name, _, part = words[1].partition(".")
    return _Target(words[0], name, part, how)


def _check_keys(entry: MapReader, verb: str, target: _Target) -> None:
    """Report keys that a patch of this verb cannot have together."""
    for key, home in _GOES_WITH.items():
        if entry.has(key) and home != verb:
            message = f"`{key}` does not go with `{verb}`; it goes with `{home}`"
            entry.error("TW210", message, entry.key_span(key))
    if entry.has("expect") and verb == "insert" and target.kind != "rule":
        message = f"`expect` cannot be used with a {target.kind}; it goes with a rule"
        entry.error("TW210", message, entry.key_span("expect"))
    if entry.has("option") and target.kind == "option":
        message = "a default cannot depend on an option, because options come later"
        entry.error("TW210", message, entry.key_span("option"))


def _adjusting(entry: MapReader, patch: Patch) -> Patch:
    given = [key for key in ("by", "times") if entry.has(key)]
    if len(given) != 1:
        found = "both" if given else "none"
        message = f"{entry.what} needs exactly one of `by` and `times`, found {found}"
        entry.error("TW210", message, entry.key_span("times" if given else "adjust"))
        return patch
    number = entry.number(given[0])
    return replace(patch, how=given[0], to="" if number is None else str(number))


def _step(entry: MapReader, name: str) -> StepDecl:
    """The new place of a step; its label stays, unless the patch has a new one."""
    if not any(entry.has(key) for key in ("after", "before", "moment")):
        entry.get("after", required=True)
    return StepDecl(
        id=name,
        phase="",
        label=entry.labels("label"),
        moment=entry.text("moment", NAME),
        **entry.neighbours(NEIGHBOUR_STEP, "after", "before"),
        aliases=(),
        statements=(),
        span=entry.span("replace"),
        entry=entry.node,
    )


def _piece(entry: MapReader, name: str) -> PieceKind:
    """Another drawing of a tile, or, without `edges` and `faces`, just other symbols on it."""
    if entry.has("edges") or entry.has("faces"):
        faces = read_faces(entry)
    else:
        entry.ask(*CELL_KEYS, "faces")
        if entry.has("segments"):
            entry.get("edges", required=True)
        symbols = entry.words("symbols", NAME, required=not entry.has("segments"))
        crosses = entry.choice("crosses", CROSSINGS)
        span = entry.span("replace")
        faces = ((TileFace(0, 0, ("", "", "", ""), (), symbols, crosses, span),),)
    return PieceKind(name, 0, faces, "", "", (), "", entry.span("replace"))


def _inserted(entry: MapReader, patch: Patch) -> Rule | None:
    """The inserted rule, with the id of the patch."""
    entry.ask("do")
    do = entry.code("do", required=True)
    head = RuleHead(
        id=patch.id,
        says=entry.text("says"),
        statements=patch.statements,
        label=entry.labels("label"),
        when=entry.code("when"),
        topic=entry.text("topic", TOPIC),
        option=patch.option,
        with_=patch.with_,
        moment=entry.text("moment", NAME),
        over=(),
        **entry.neighbours(NEIGHBOUR, "after", "before"),
        span=patch.span,
        place=entry.span("insert"),
        entry=entry.node,
    )
    if do is None:
        return None
    match patch.kind:
        case "step":
            return StepRule(head, patch.target, do)
        case "event":
            return Reaction(head, patch.target, (), do)
    beside = f"{patch.how} {patch.target}"
    # no author can write this name, so no other rule calls it
    name = f"{beside}: {patch.id}"
    return Procedure(head, ProcedureDecl(name, (), head.place), do, beside)
