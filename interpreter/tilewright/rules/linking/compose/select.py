"""Selects the rulesets of a game: requirements, takeovers, conflicts and options.

A game is written `first/base+first/more`. `first/more` alone means the same, because a required
role without a provider in the list is filled by its default. Every ruleset plays the role of its
own id and of the rulesets that it takes over. When defaults differ, the latest edition is used;
without a latest one, the game must name the ruleset. The order and the names of rulesets never
matter. Nothing is linked here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tilewright.language.source.diagnostics import Note, Reporter, did_you_mean, one_of
from tilewright.language.source.identity import kept_by_identities
from tilewright.language.source.text import Span
from tilewright.rules.linking.compose.defaults import with_defaults
from tilewright.rules.linking.compose.namespaces import kept_apart
from tilewright.rules.linking.compose.subset import joined, taken
from tilewright.rules.linking.game import AppliedPatch
from tilewright.rules.model.collections import KINDS
from tilewright.rules.model.ruleset import (
    WHOLE,
    Module,
    OptionDecl,
    Part,
    Requirement,
    Ruleset,
    place_in,
)
from tilewright.rules.reading.parts import cut_part, no_part, part_of

Load = Callable[[str], Ruleset | None]

#: the place of diagnostics about the command line
ASKED = Span("<asked for>", 0, 0, 0, 0)
#: where a ruleset or an option is asked for: `("game", id)`, `("options", name, choice)`
Where = Callable[..., Span]


def on_command_line(*keys: str) -> Span:
    """The place of what is asked for on the command line."""
    return ASKED


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected rulesets, each after those that it is built on, and the options.

    `below` has the rulesets that each one is built on, and `depth` the length of the longest chain
    of these. `defaults` are the patches that changed the default of an option.
    """

    rulesets: tuple[Ruleset, ...]
    depth: Mapping[str, int]
    below: Mapping[str, frozenset[str]]
    options: Mapping[str, str]
    id: str
    defaults: tuple[AppliedPatch, ...] = ()

    def present(self) -> frozenset[str]:
        """All names that `with` may use: ids of rulesets, of rulesets they take over, and roles."""
        return _present(self.rulesets)

    def copies(self, ruleset: Ruleset) -> int:
        """The number of copies of a ruleset's tiles."""
        names = names_of(ruleset)
        counts = (copies for r in self.rulesets for of, copies in r.module.copies if of in names)
        return max(counts, default=1)


def _present(rulesets: Iterable[Ruleset]) -> frozenset[str]:
    return frozenset().union(*map(plays, rulesets))


def names_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids and roles by which a ruleset can be named."""
    return (ruleset.id, *ruleset.took_over, *ruleset.module.provides)


def plays(ruleset: Ruleset) -> frozenset[str]:
    """The roles and ids that others may require of a ruleset; empty without rules."""
    return frozenset(names_of(ruleset)) if ruleset.part.has_rules else frozenset()


def split_game(text: str) -> tuple[str, ...]:
    """The ids in a text such as `first/base+first/more`."""
    return tuple(part.strip() for part in text.split("+") if part.strip())


def select(
    ids: Sequence[str],
    options: Mapping[str, str],
    load: Load,
    reporter: Reporter,
    where: Where = on_command_line,
) -> Selection | None:
    """The rulesets of a game, or None after reporting errors; `where` they are asked for."""
    requested = _requested(ids, reporter, where)
    found = None if requested is None else _with_parts(requested, load, reporter)
    if found is None:
        return None
    chosen = found
    before = reporter.error_count
    _refuse_conflicts(chosen, reporter)
    if reporter.error_count > before:  # its consequences, such as duplicate options, need no report
        return None
    on = _built_on(chosen)
    below = {id_: frozenset(_below(id_, on)) for id_ in chosen}
    depth = _depths(below)
    below = {id_: lower - {id_} for id_, lower in below.items()}
    ordered = tuple(sorted(chosen.values(), key=lambda r: (depth[r.id], r.id)))
    ordered = kept_apart(ordered, below)
    ordered, defaults = with_defaults(ordered, below, _present(ordered), reporter)
    option_values = _choose_options(ordered, options, reporter, where)
    if reporter.has_errors:
        return None
    return Selection(
        ordered, depth, below, option_values, _game_id(ordered, option_values), defaults
    )


#: a ruleset or a role, the part of it that is used, and the place that requests it
_Taken = list[tuple[str, Part, Span]]


def _requested(ids: Sequence[str], reporter: Reporter, where: Where) -> _Taken | None:
    """The named rulesets and their parts, or None after reporting an error."""
    found: _Taken = []
    for text in dict.fromkeys(ids):
        id_, words = cut_part(text)
        part = part_of(words)
        if isinstance(part, str):
            message, hint = no_part(part)
            reporter.error("TW205", message, where("game", text), hint=hint)
            return None
        found.append((id_, part, where("game", text)))
    return found


def _with_parts(requested: _Taken, load: Load, reporter: Reporter) -> dict[str, Ruleset] | None:
    """The rulesets of a game, reduced to their parts; modules may request parts too.

    The rulesets depend on the parts and the parts on the rulesets, therefore the selection is
    repeated until it no longer changes.
    """
    known: _Taken = []
    for _ in range(_MAX_ROUNDS):
        parts = [*requested, *known]
        load_part = _in_parts(parts, load, reporter)
        chosen: dict[str, Ruleset] = {}
        named = [name for name, _, _ in requested]  # modules name roles too
        named += [name for name, _, _ in known if "/" in name]
        for id_ in dict.fromkeys(named):
            ruleset = load_part(id_)
            if ruleset is None:
                return None
            chosen[id_] = ruleset
        filled = _filled(chosen, load_part, reporter)
        if filled is None:
            return None
        requested_by_modules = [
            (each.name, each.part, each.span)
            for _, ruleset in sorted(filled.items())
            for each in ruleset.module.parts
        ]
        if requested_by_modules == known:
            break
        known = requested_by_modules
    return filled


def _in_parts(parts: _Taken, load: Load, reporter: Reporter) -> Load:
    """Loads a ruleset and reduces it to the part that all requests leave."""

    known: dict[str, Ruleset | None] = {}

    def loaded(id_: str) -> Ruleset | None:
        ruleset = whole(id_, load)
        if ruleset is None:
            return None
        names = names_of(ruleset)
        part, where = WHOLE, ASKED
        for name, each, span in parts:
            if name in names:
                part, where = joined(part, each), span
        return taken(ruleset, part, where, reporter)

    def load_part(id_: str) -> Ruleset | None:
        if id_ not in known:
            known[id_] = loaded(id_)
        return known[id_]

    return load_part


def whole(id_: str, load: Load, seen: tuple[str, ...] = ()) -> Ruleset | None:
    """A ruleset together with the one it takes over."""
    ruleset = load(id_)
    if ruleset is None or ruleset.module.takes_over is None or id_ in seen:
        return ruleset
    earlier = whole(ruleset.module.takes_over, load, (*seen, id_))
    if earlier is None:
        return ruleset
    return taken_over(ruleset, earlier)


@kept_by_identities
def taken_over(later: Ruleset, earlier: Ruleset) -> Ruleset:
    """The later ruleset, with everything of the earlier one that it does not declare itself."""
    old, new = earlier.module, later.module
    if new.earlier_scenarios == "there":
        there = (replace(s, rulesets=s.rulesets or (earlier.id,)) for s in earlier.scenarios)
        earlier = replace(earlier, scenarios=tuple(there))
    module: Module = replace(
        new,
        provides=tuple(dict.fromkeys((*old.provides, *new.provides))),
        requires=new.requires or old.requires,
        conflicts=tuple(dict.fromkeys((*old.conflicts, *new.conflicts))),
        copies=new.copies or old.copies,
        sources=(*new.sources, *(s for s in old.sources if s.id not in _ids(new.sources))),
        options=(*new.options, *(o for o in old.options if o.id not in _ids(new.options))),
        seats=new.seats or old.seats,
        parts=new.parts or old.parts,
        components=new.components or old.components,
        version=new.version or old.version,
        changes=(*new.changes, *old.changes),
        written_for=new.written_for or old.written_for,
    )

    def both(first: tuple[object, ...], second: tuple[object, ...]) -> tuple[object, ...]:
        ids = _ids(second)
        return (*second, *(item for item in first if _id(item) not in ids)) if ids else first

    merged = {name: both(getattr(earlier, name), getattr(later, name)) for name in KINDS}
    files = (*earlier.files, *later.files)
    took_over = (*later.took_over, earlier.id, *earlier.took_over)
    return replace(later, module=module, files=files, took_over=took_over, **merged)  # type: ignore[arg-type]


def _id(item: object) -> str:
    head = getattr(item, "head", None)
    return str(head.id if head is not None else item.id)  # type: ignore[attr-defined]


def _ids(items: Sequence[object]) -> set[str]:
    return {_id(item) for item in items}


def _provides(chosen: Mapping[str, Ruleset]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for id_, ruleset in sorted(chosen.items()):
        for role in ruleset.module.provides:
            found.setdefault(role, []).append(id_)
    return found


def _filled(
    requested: Mapping[str, Ruleset], load: Load, reporter: Reporter
) -> dict[str, Ruleset] | None:
    """The named rulesets and those that fill their required roles, or None after an error.

    A named ruleset fills a role before any default. A default may have requirements of its own,
    therefore the selection is repeated until it no longer changes.
    """
    named = _present(requested.values())
    added: dict[str, Ruleset] = {}
    tried: set[frozenset[str]] = set()
    # contradictory defaults would alternate for ever
    while frozenset(added) not in tried:
        tried.add(frozenset(added))
        current = {**requested, **added}
        needs: dict[str, list[tuple[Ruleset, Requirement]]] = {}
        for ruleset in sorted(current.values(), key=lambda r: r.id):
            for need in ruleset.module.requires:
                if need.role not in named:
                    needs.setdefault(need.role, []).append((ruleset, need))
        chosen: dict[str, Ruleset] = {}
        filled: set[str] = set()
        for role in _widest_first(needs, load):
            if role in filled:
                continue
            default = _default(role, needs[role], current, load, reporter)
            if default is None:
                return None
            chosen[default.id] = default
            filled |= plays(default)
        added = chosen
    return {**requested, **added}


def _widest_first(
    needs: Mapping[str, Sequence[tuple[Ruleset, Requirement]]], load: Load
) -> list[str]:
    """The required roles; first those whose default also fills other required roles."""

    def width(role: str) -> int:
        default = load(needs[role][0][1].default)
        return len(needs.keys() & plays(default)) if default is not None else 0

    return sorted(needs, key=lambda role: (-width(role), role))


#: most repetitions; only contradictory parts reach it
_MAX_ROUNDS = 50


def _default(
    role: str,
    wanted: Sequence[tuple[Ruleset, Requirement]],
    current: Mapping[str, Ruleset],
    load: Load,
    reporter: Reporter,
) -> Ruleset | None:
    """The default for a role: the one on which all agree, or the latest edition.

    A ruleset that conflicts with one in the game is not a candidate. Without candidates the first
    default is taken, and the conflict is reported.
    """
    found: dict[str, Ruleset] = {}
    for ruleset, need in wanted:
        default = load(need.default)
        if default is None:
            message = f"`{ruleset.id}` needs `{role}`, and its default does not exist"
            reporter.error("TW701", message, need.span)
            return None
        if role not in plays(default) and not default.part.has_rules:
            message = f"`{ruleset.id}` needs `{role}`, and of `{default.id}` only a part without"
            message += f" rules is in the game: `{default.id}{default.part}`"
            reporter.error("TW755", message, need.span)
            return None
        if role not in plays(default):
            message = f"`{need.default}` does not provide `{role}`"
            reporter.error("TW701", message, need.span)
            return None
        found[default.id] = default
    if len(found) > 1:
        welcome = {
            id_: default
            for id_, default in found.items()
            if not any(_refuses(r, default) or _refuses(default, r) for r in current.values())
        }
        if not welcome:
            return found[min(found)]
        found = welcome
    for default in found.values():
        if all(id_ == default.id or id_ in default.took_over for id_ in found):
            return default
    (first, one), *rest = ((r, n) for r, n in wanted if n.default in found)
    last, other = next((r, n) for r, n in rest if n.default != one.default)
    message = f"`{first.id}` is played with `{one.default}` and `{last.id}` with `{other.default}`"
    note = Note(one.span, f"`{first.id}` names its default for `{role}` here")
    hint = f"name one of them: `{one.default}+{first.id}+{last.id}`"
    reporter.error("TW750", message, other.span, notes=(note,), hint=hint)
    return None


def _refuses(ruleset: Ruleset, other: Ruleset) -> bool:
    """Whether a ruleset declares a conflict with another one."""
    return not set(ruleset.module.conflicts).isdisjoint(names_of(other))


def _refuse_conflicts(chosen: Mapping[str, Ruleset], reporter: Reporter) -> None:
    for role, ids in _provides(chosen).items():
        if len(ids) > 1:
            span = place_in(chosen[ids[1]].module, "provides", role)
            message = f"`{ids[0]}` and `{ids[1]}` both provide `{role}`; one game has only one"
            first = place_in(chosen[ids[0]].module, "provides", role)
            note = Note(first, f"`{ids[0]}` provides it here")
            reporter.error("TW703", message, span, notes=(note,))
    # components without rules do not conflict
    with_rules = {id_: ruleset for id_, ruleset in chosen.items() if ruleset.part.has_rules}
    for id_, ruleset in sorted(with_rules.items()):
        for other in ruleset.module.conflicts:
            hit = [o for o, theirs in with_rules.items() if other in names_of(theirs)]
            for found in sorted(set(hit) - {id_}):
                message = f"`{id_}` does not go together with `{found}`"
                reporter.error("TW702", message, place_in(ruleset.module, "conflicts", other))
        for earlier in ruleset.took_over:
            if earlier in with_rules and not ruleset.module.provides:
                message = f"`{id_}` takes over `{earlier}`; one game has only one of them"
                reporter.error("TW702", message, place_in(ruleset.module, "takes_over"))


def _built_on(chosen: Mapping[str, Ruleset]) -> dict[str, set[str]]:
    """For each ruleset, the rulesets that provide its required roles."""
    providing: dict[str, set[str]] = {}
    for id_, ruleset in chosen.items():
        for role in plays(ruleset):
            providing.setdefault(role, set()).add(id_)
    return {
        id_: set[str]().union(*(providing.get(n.role, ()) for n in ruleset.module.requires))
        - {ruleset.id}
        for id_, ruleset in chosen.items()
    }


def _depths(below: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """The length of the longest chain below each ruleset; the members of a cycle have equal depth.

    `below` has everything that a ruleset is built on, directly or through others.
    """
    found: dict[str, int] = {}
    # a ruleset has more rulesets below it than each of these has, not counting itself in a cycle
    for id_ in sorted(below, key=lambda id_: len(below[id_] - {id_})):
        lower = (other for other in below[id_] if id_ not in below[other])
        found[id_] = 1 + max((found[other] for other in lower), default=-1)
    return found


def _below(id_: str, on: Mapping[str, Collection[str]]) -> set[str]:
    """All rulesets below this one; in a cycle it is one of them itself."""
    found: set[str] = set()
    waiting = list(on[id_])
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += on[here]
    return found


def _choose_options(
    rulesets: Sequence[Ruleset], requested: Mapping[str, str], reporter: Reporter, where: Where
) -> dict[str, str]:
    declared: dict[str, OptionDecl] = {}
    # tiles without their rules follow the option of the ruleset that has the rules
    for ruleset in sorted(rulesets, key=lambda r: not r.part.has_rules):
        for option in ruleset.module.options:
            if option.id in declared and not ruleset.part.has_rules:
                continue
            if option.id in declared:
                message = f"option `{option.id}` is declared twice"
                note = Note(declared[option.id].span, "it is declared here first")
                reporter.error("TW722", message, option.span, notes=(note,))
            declared[option.id] = option
    _check_choices(requested, declared, where, reporter)
    return {name: requested.get(name, option.default) for name, option in sorted(declared.items())}


def _check_choices(
    requested: Mapping[str, str],
    declared: Mapping[str, OptionDecl],
    where: Where,
    reporter: Reporter,
) -> None:
    """Report requested options that are not declared, and choices that they do not have."""
    for name, value in sorted(requested.items()):
        if name not in declared:
            message = f"no ruleset of this game has an option `{name}`"
            place = where("options", name)
            several = sorted(each for each in declared if each.startswith(f"{name} of "))
            hint = f"several rulesets have it: write {one_of(several)}" if several else ""
            near = "" if hint else did_you_mean(name, declared)
            reporter.error("TW704", message + near, place, hint=hint)
        elif value not in declared[name].choices:
            choices = declared[name].choices
            message = f"option `{name}` is one of {', '.join(f'`{c}`' for c in choices)}"
            message += f", not `{value}`{did_you_mean(value, choices)}"
            reporter.error("TW705", message, where("options", name, value))


def _game_id(rulesets: Sequence[Ruleset], options: Mapping[str, str]) -> str:
    text = "+".join(sorted(f"{r.id}{r.part}" for r in rulesets))
    defaults = {o.id: o.default for r in rulesets for o in r.module.options}
    changed = [f"{k}={v}" for k, v in sorted(options.items()) if defaults.get(k) != v]
    return text + (f"?{'&'.join(changed)}" if changed else "")
