"""Moves lines of `order:` to the rules and steps that they order, as neighbours.

A line moves only if it orders the same rules in the same games of whole rulesets afterwards.
The comments of a line, and of a file that is empty then, go with it. All other lines are reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.comments import Group, Part
from tilewright.language.source.yaml.nodes import YList, YText
from tilewright.rules.linking.compose.rule_order import Place, place_of
from tilewright.rules.linking.compose.select import names_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.ruleset import Ruleset
from tilewright.tools.formatting.upgrade import Draft, part_under, parts_in, remarks_of


class Together:
    """The rulesets and roles of a library that need each other."""

    def __init__(self, rulesets: Sequence[Ruleset]) -> None:
        self._players: dict[str, set[str]] = {}
        by_id = {ruleset.id: ruleset for ruleset in rulesets}
        self._with: dict[str, frozenset[str]] = {}
        for ruleset in rulesets:
            names = self._names(ruleset, by_id)
            self._with[ruleset.id] = names
            for name in names:
                self._players.setdefault(name, set()).add(ruleset.id)
        before: dict[str, frozenset[str]] = {}
        while before != self._with:  # the sets only grow
            before = dict(self._with)
            for ruleset in rulesets:
                roles = (need.role for need in ruleset.module.requires)
                self._with[ruleset.id] |= self.of(roles)

    @staticmethod
    def _names(ruleset: Ruleset, by_id: dict[str, Ruleset]) -> frozenset[str]:
        """The names of a ruleset and of those that it takes over, one after the other."""
        found: set[str] = set()
        while ruleset.id not in found:
            found.update(names_of(ruleset))
            ruleset = by_id.get(ruleset.module.takes_over or "", ruleset)
        return frozenset(found)

    def players(self, name: str) -> frozenset[str]:
        """The ids of the rulesets with a name."""
        return frozenset(self._players.get(name, ()))

    def of(self, names: Iterable[str]) -> frozenset[str]:
        """All names that are in each game with these."""
        found: set[str] = set()
        for name in names:
            found.add(name)
            groups = [self._with[player] for player in self._players.get(name, ())]
            found.update(frozenset.intersection(*groups) if groups else ())
        return frozenset(found)


# ------------------------------------------------------------------ lines of `order:`


_PHASE = "a step of"
_UNKNOWN = "no ruleset here declares"


@dataclass(frozen=True, slots=True)
class _Version:
    """A declaration of a rule or step in one ruleset; `is_plain` if a file can name neighbours."""

    ruleset: m.Ruleset
    head: m.StepDecl | m.RuleHead
    place: Place
    is_plain: bool = True

    @property
    def option(self) -> tuple[tuple[str, str], ...]:
        """The options under which it holds."""
        return () if isinstance(self.head, m.StepDecl) else self.head.option


@dataclass(frozen=True, slots=True)
class _Move:
    """A neighbour that a rule or step may name instead of a line of `order:`."""

    own: str
    key: str
    other: str


@dataclass(slots=True)
class _Known:
    """All declarations of a library by id, and who may be there with whom."""

    together: Together
    versions: dict[str, list[_Version]] = field(default_factory=dict)
    patches: dict[str, list[m.Patch]] = field(default_factory=dict)
    combines: dict[str, m.Combine] = field(default_factory=dict)
    #: by rule and key: the neighbours that it names, or may come to name
    named: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    #: by pair: what must be there for each line of just these two
    lines: dict[tuple[str, str], list[set[str]]] = field(default_factory=dict)


def move_orders(
    drafts: Mapping[str, Draft], rulesets: Sequence[m.Ruleset], reporter: Reporter
) -> None:
    """Take the lines out of the drafts (by the names of their files), and put them to the rules."""
    known = _known(rulesets)
    chains: dict[Span, m.StepChain] = {}
    with_: dict[Span, frozenset[str]] = {}
    for ruleset in rulesets:
        for chain in ruleset.order:
            if chain.span.file in drafts:
                there = known.together.of((ruleset.id, *(each.id for each in chain.with_)))
                if len(chain.steps) == 2:
                    ids = chain.steps[0].id, chain.steps[1].id
                    needed = {ruleset.id, *(each.id for each in chain.with_)}
                    known.lines.setdefault(ids, []).append(needed)
                chains[chain.span] = chain
                with_[chain.span] = there & with_.get(chain.span, there)
    stays: dict[Span, str] = {}
    waiting: dict[Span, list[list[_Move]]] = {}
    for span, chain in sorted(chains.items(), key=lambda pair: _place(pair[0])):
        found = _candidates(chain, known, drafts)
        if isinstance(found, str):
            stays[span] = found
        else:
            waiting[span] = found
    declared = {key: frozenset(names) for key, names in known.named.items()}
    is_done = False
    # a line that stays gives nobody a neighbour, so others may move in the next round
    while not is_done:
        is_done = True
        named = {key: set(names) for key, names in declared.items()}
        for move in (move for pairs in waiting.values() for pair in pairs for move in pair):
            named.setdefault((move.own, move.key), set()).add(move.other)
        known.named = named
        for span, pairs in [*waiting.items()]:
            chosen = _chosen(chains[span], pairs, with_[span], known)
            if isinstance(chosen, str):
                stays[span] = chosen
                continue
            is_done = False
            del waiting[span]
            stays.pop(span, None)
            if all(drafts[name].page(reporter) for name in _files(span, chosen, known)):
                _carry_out(drafts, chains[span], chosen, known)
                for move in chosen:
                    key = move.own, move.key
                    declared[key] = declared.get(key, frozenset()) | {move.other}
    for span, reason in sorted(stays.items(), key=lambda pair: _place(pair[0])):
        _report(chains[span], reason, reporter)


def _place(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column


def _report(chain: m.StepChain, reason: str, reporter: Reporter) -> None:
    names = ", ".join(f"`{each.id}`" for each in chain.steps)
    hint = "keep the line, or let one of them name a moment or the other one"
    if reason.startswith(_UNKNOWN):
        hint = "name the folder of its ruleset as well, or keep the line"
    reporter.warning("TW943", f"the order of {names} stays: {reason}", chain.span, hint=hint)


# ------------------------------------------------------------------ the library


def _known(rulesets: Sequence[m.Ruleset]) -> _Known:
    known = _Known(Together(rulesets))
    known.combines = {name: m.Combine(combine) for name, _, _, combine, _ in BUILTIN_DEFINITIONS}
    for ruleset in rulesets:
        known.combines |= {each.id: each.combine for each in ruleset.definitions}
        versions = [_Version(ruleset, s, (_PHASE, s.phase)) for s in ruleset.steps]
        versions += [_Version(ruleset, rule.head, place_of(rule)) for rule in ruleset.rules]
        for patch in ruleset.patches:
            if patch.verb in ("replace", "remove"):
                known.patches.setdefault(patch.target, []).append(patch)
            if patch.rule is not None and patch.verb == "insert":
                place = place_of(patch.rule)
                versions.append(_Version(ruleset, patch.rule.head, place, is_plain=False))
        for version in versions:
            known.versions.setdefault(version.head.id, []).append(version)
            for key in ("after", "before", "over"):
                names = set(getattr(version.head, key, ()))
                known.named.setdefault((version.head.id, key), set()).update(names)
    return known


def _files(span: Span, chosen: Sequence[_Move], known: _Known) -> set[str]:
    return {span.file, *(known.versions[move.own][0].head.span.file for move in chosen)}


# ------------------------------------------------------------------ which lines may move


def _candidates(
    chain: m.StepChain, known: _Known, drafts: Mapping[str, Draft]
) -> list[list[_Move]] | str:
    """For each pair of a line the neighbours that may replace it, or the reason why it stays."""
    folder = drafts[chain.span.file].folder
    found = []
    for first, second in pairwise(mention.id for mention in chain.steps):
        pair: list[_Move] = []
        for own, key, other in ((second, "after", first), (first, "before", second)):
            versions = known.versions.get(own, ())
            if any(_folder(v, drafts) != folder or not v.is_plain for v in versions):
                continue
            key = _key(versions, key, known)
            pair += [_Move(own, key, other)] if versions and key else []
        unknown = [name for name in (first, second) if name not in known.versions]
        if unknown:
            return f"{_UNKNOWN} `{unknown[0]}`"
        if not pair:
            of = [known.versions[first], known.versions[second]]
            if all(_folder(v, drafts) != folder for versions in of for v in versions):
                return "both are of others"
            return "no rule of this ruleset alone has a key that can name the other"
        found.append(pair)
    return found


def _folder(version: _Version, drafts: Mapping[str, Draft]) -> Path | None:
    draft = drafts.get(version.head.span.file)
    return None if draft is None else draft.folder


def _key(versions: Sequence[_Version], key: str, known: _Known) -> str:
    """The key under which a rule names a neighbour; empty where it has none."""
    kinds = {version.place[0] for version in versions}
    if kinds <= {_PHASE, "at step", "on"}:
        return key
    if kinds == {"an amendment of"}:
        combines = {known.combines.get(v.place[1], m.Combine.ONE) for v in versions}
        if combines == {m.Combine.CHAIN}:
            return key
        if combines == {m.Combine.ONE}:
            return "over" if key == "before" else ""
    return ""


def _chosen(
    chain: m.StepChain, pairs: list[list[_Move]], with_: frozenset[str], known: _Known
) -> list[_Move] | str:
    """The neighbour for each pair of a line, or the reason why the line stays."""
    inner = [mention.id for mention in chain.steps[1:-1]]
    for name in inner:
        if known.patches.get(name) or not _is_certain(name, None, with_, known):
            return f"`{name}` may be absent, and then the line orders those beside it"
    found = []
    for pair in pairs:
        reasons = [_refused(move, chain, known) for move in pair]
        if all(reasons):
            return reasons[0]
        found.append(pair[reasons.index("")])
    return found


def _refused(move: _Move, chain: m.StepChain, known: _Known) -> str:
    """Why a neighbour would not mean the same as a line; empty if it does."""
    owns = known.versions[move.own]
    place = owns[0].place
    others = [v for v in known.versions[move.other] if v.place == place]
    if not others or any(v.place != place for v in owns):
        return "they are at different places"
    if {*known.named.get((move.own, _OPPOSITE[move.key]), ())} & {move.other}:
        return f"`{move.own}` also names `{move.other}` under `{_OPPOSITE[move.key]}`"
    lines = [{each.id for each in chain.with_}, *known.lines.get(_pair(move), ())]
    for there in (_with(own, known) | _with(v, known) for own in owns for v in others):
        if not any(needed <= there for needed in lines):
            return f"they may be together without `{min(lines[0] - there)}`"
    if place[0] == _PHASE:
        patched = [name for name in (move.own, move.other) if known.patches.get(name)]
        return f"a patch moves or removes `{patched[0]}`" if patched else ""
    return _refused_absent(move, owns, others, known)


def _pair(move: _Move) -> tuple[str, str]:
    """The two in their order."""
    return (move.other, move.own) if move.key == "after" else (move.own, move.other)


_OPPOSITE = {"after": "before", "before": "after", "over": "under"}


def _refused_absent(
    move: _Move, owns: Sequence[_Version], others: Sequence[_Version], known: _Known
) -> str:
    """Why a rule that is left out would hand on other neighbours than it does now.

    A rule that is left out of a game is replaced by the rules that it names under the same key; in
    a line of `order:` it is not.
    """
    for patch in known.patches.get(move.own, ()):
        new = patch.rule
        if new is not None and (
            place_of(new) != owns[0].place or getattr(new.head, move.key) or new.head.optional
        ):
            return f"a patch gives `{move.own}` another order"
    is_removed = any(patch.verb == "remove" for patch in known.patches.get(move.own, ()))
    if is_removed or any(not _is_whole(v, frozenset(), known) for v in owns):
        for (name, key), names in known.named.items():
            if key == move.key and move.own in names and not _follow(name, owns, is_removed, known):
                return f"`{move.own}` may be left out, and `{name}` names it"
    if not _is_always_there(move, owns, known) and known.named.get((move.other, move.key)):
        with_own = frozenset.intersection(*(_with(v, known) for v in owns))
        if known.patches.get(move.other) or any(not _is_whole(v, with_own, known) for v in others):
            return f"`{move.other}` may be left out, and names others"
    return ""


def _is_always_there(move: _Move, owns: Sequence[_Version], known: _Known) -> bool:
    """Whether the neighbour is there, at the same place, wherever the own rule is."""
    return all(_is_certain(move.other, own.place, _with(own, known), known) for own in owns)


def _follow(name: str, owns: Sequence[_Version], is_removed: bool, known: _Known) -> bool:
    """Whether a rule is in the game only together with the own one."""
    needed = {each.id for own in owns for each in own.head.with_}
    return (
        not is_removed
        and not any(own.option for own in owns)
        and all(needed <= _with(version, known) for version in known.versions.get(name, ()))
    )


def _with(version: _Version, known: _Known) -> frozenset[str]:
    """The names of rulesets and roles that are in each game with a declaration."""
    return known.together.of((version.ruleset.id, *(each.id for each in version.head.with_)))


def _is_whole(version: _Version, with_: frozenset[str], known: _Known) -> bool:
    """Whether a declaration is in each game of its ruleset, if some others are in it too."""
    there = known.together.of((version.ruleset.id,)) | with_
    return not version.option and {each.id for each in version.head.with_} <= there


def _is_certain(name: str, place: Place | None, with_: frozenset[str], known: _Known) -> bool:
    """Whether a rule or step is, at a place, in each game that has these rulesets and roles."""
    if any(patch.verb == "remove" for patch in known.patches.get(name, ())):
        return False
    has_it = {
        version.ruleset.id
        for version in known.versions.get(name, ())
        if place in (None, version.place) and _is_whole(version, with_, known)
    }
    players = (known.together.players(each) for each in with_)
    return any(those and those <= has_it for those in players)


# ------------------------------------------------------------------ the files


def _carry_out(
    drafts: Mapping[str, Draft], chain: m.StepChain, moves: Sequence[_Move], known: _Known
) -> None:
    draft = drafts[chain.span.file]
    remarks = _without(draft, [mention.id for mention in chain.steps])
    for move in moves:
        owns = known.versions[move.own]
        # a step is placed beside a neighbour without a question mark
        is_certain = owns[0].place[0] != _PHASE and _is_always_there(move, owns, known)
        home = drafts[owns[0].head.span.file]
        key = _neighbour(home, move, move.other if is_certain else f"{move.other}?")
        key.before += remarks
        remarks = []


def _without(draft: Draft, ids: list[str]) -> list[str]:
    """Remove a line, and all that is empty then; the comments that went with it."""
    root = _page(draft)
    order = part_under(root, "order")
    lines = parts_in(order)
    line = next(each for each in lines if [_text(item) for item in parts_in(each)] == ids)
    lines.remove(line)
    draft.is_changed = True
    remarks = remarks_of(line)
    if not lines and order is not None:
        assert isinstance(root, Group)
        root.parts.remove(order)
        remarks = [*remarks_of(order), *remarks]
        if all(part.key is not None and part.key.value == "with" for part in root.parts):
            draft.is_removed = True
            page = draft.page(Reporter.discarding())
            assert page is not None
            above = [each for each in page.top if each and "yaml-language-server" not in each]
            below = [each for each in page.bottom if each]
            with_ = [each for part in root.parts for each in remarks_of(part)]
            remarks = [*above, *with_, *remarks, *below]
    return remarks


def _neighbour(draft: Draft, move: _Move, name: str) -> Part:
    """Let a rule or step name a neighbour; the part of the key."""
    root = _page(draft)
    own = part_under(root, "steps", move.own) or next(
        each
        for each in parts_in(part_under(root, "rules"))
        if (id_ := part_under(each, "id")) is not None and _text(id_) == move.own
    )
    assert isinstance(own.value, Group)
    draft.is_changed = True
    span = own.value.node.span
    part = part_under(own, move.key)
    if part is None:
        names = Group(False, True, YList((), span), [])
        part = Part(YText(move.key, span), names, span.line, span.column)
        own.value.parts.append(part)
    named = {_text(each).removesuffix("?") for each in parts_in(part)}
    if name.removesuffix("?") not in named:
        is_marked = name.endswith("?")
        text = YText(name, span, not is_marked, '"' if is_marked else "")
        parts_in(part).append(Part(None, text, span.line, span.column))
    return part


def _page(draft: Draft) -> Group:
    page = draft.page(Reporter.discarding())
    assert page is not None and isinstance(page.root, Group)
    return page.root


def _text(part: Part) -> str:
    return part.value.value if isinstance(part.value, YText) else ""
