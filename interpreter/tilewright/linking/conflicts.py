"""Two rules that claim the same case, and reactions whose order would matter: found before play.

Two conditions are disjoint when one says what the other denies, or when both say what kind the same
thing is and the kinds differ. What cannot be shown disjoint this way is for its author to settle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tilewright.language.terms import Term, deeds_within
from tilewright.linking.game import (
    Deeds,
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
)
from tilewright.linking.touches import Touches, kinds_moved, shared
from tilewright.model.ruleset import FigureKind, Law, Role
from tilewright.source.diagnostics import Note, Reporter


def check_amendments(
    definitions: Iterable[LinkedDefinition], roles: Mapping[str, Role], reporter: Reporter
) -> None:
    """Under the law `one`, report two amendments that may hold at once and are not settled."""
    for definition in definitions:
        if definition.law != Law.ONE:
            continue
        amendments = definition.amendments
        goes_over = _reached({a.rule.head.id: a.rule.head.over for a in amendments})
        for i, first in enumerate(amendments):
            for second in amendments[i + 1 :]:
                one, other = first.rule.head, second.rule.head
                if other.id in goes_over[one.id] or one.id in goes_over[other.id]:
                    continue
                if are_disjoint(first, second, roles):
                    continue
                note = Note(one.span, f"`{one.id}` claims it here")
                message = (
                    f"`{one.id}` and `{other.id}` both answer `{definition.id}`,"
                    " and both may hold at once"
                )
                hint = (
                    f"say which goes first: `over: [{one.id}]` on `{other.id}`,"
                    " or give one of them a `when:` the other denies"
                )
                reporter.error("TW711", message, other.span, notes=(note,), hint=hint)


def _reached(named: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """For each name all that can be reached from it, through others too."""
    found: dict[str, set[str]] = {}
    for start in named:
        reached: set[str] = set()
        waiting = list(named[start])
        while waiting:
            here = waiting.pop()
            if here not in reached:
                reached.add(here)
                waiting += named.get(here, ())
        found[start] = reached
    return found


# ------------------------------------------------------------------ disjoint conditions

#: an atom: whether it is said or denied, the question, and, for a question of kind, the kind
_Kind = tuple[str, str]
_Atom = tuple[bool, str, _Kind | None]


def are_disjoint(
    first: LinkedAmendment, second: LinkedAmendment, roles: Mapping[str, Role]
) -> bool:
    """Whether it can be shown that the two never hold at once."""
    ours = _atoms(first.when, dict(zip(first.parameters, range(9), strict=False)))
    theirs = _atoms(second.when, dict(zip(second.parameters, range(9), strict=False)))
    for said, question, kind in ours:
        for other_said, other_question, other_kind in theirs:
            if question != other_question:
                continue
            if kind == other_kind and said != other_said:
                return True
            if said and other_said and kind and other_kind and exclude(kind, other_kind, roles):
                return True
    return False


def exclude(kind: _Kind, other: _Kind, roles: Mapping[str, Role]) -> bool:
    """Whether nothing is both: two kinds never are, a figure may well be in two roles."""
    if kind == other:
        return False
    one, two = (roles.get(id_) if category == "role" else None for category, id_ in (kind, other))
    if one is not None and two is not None:
        return one.on != two.on or not set(one.figures) & set(two.figures)
    if one is not None or two is not None:
        role, figure = (one, other[1]) if one is not None else (two, kind[1])
        return role is not None and figure not in role.figures
    return True


def _atoms(when: Term | None, parameters: Mapping[str, int]) -> list[_Atom]:
    """What a condition says for certain: the parts of a conjunction."""
    if when is None:
        return []
    if when.op == "and":
        return [atom for part in when.args for atom in _atoms(part, parameters)]
    if when.op == "not":
        denied = when.args[0]
        if denied.op == "and":  # which of its parts fails is not known
            return []
        return [(not said, q, k) for said, q, k in _atoms(denied, parameters)]
    if when.op == "is_kind" or (when.op == "compare" and when.data == "="):
        thing, kind = when.args
        if kind.op == "constant" or kind.op == "literal":
            named = kind.pair if kind.op == "constant" else ("literal", str(kind.data))
            return [(True, "kind of " + shape(thing, parameters), named)]
    return [(True, shape(when, parameters), None)]


def shape(term: Term, parameters: Mapping[str, int]) -> str:
    """A term as text in which parameters are told by their place and not by their name."""
    data = term.data
    if term.op == "local" and data in parameters:
        data = parameters[str(data)]
    return f"{term.op}:{data}({','.join(shape(a, parameters) for a in term.args)})"


# ------------------------------------------------------------------ order of reactions


def check_order(
    steps: Sequence[LinkedStep],
    definitions: Mapping[str, LinkedDefinition],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
    reporter: Reporter,
) -> None:
    """Report rules at one step or event that touch the same state with no order between them.

    Of what is on the board and beside it only changes count; of a memory it also counts that one
    rule changes it and the other one asks for it.
    """
    touches = Touches(steps, definitions, events, procedures)
    for step in steps:
        _unordered(step.rules, f"at step `{step.id}`", touches, reporter)
    for event in events.values():
        _unordered(event.reactions, f"on `{event.id}`", touches, reporter)


def _unordered(
    rules: Sequence[LinkedRule], where: str, touches: Touches, reporter: Reporter
) -> None:
    waits = _reached({rule.id: rule.rule.head.after for rule in rules})
    for i, first in enumerate(rules):
        for second in rules[i + 1 :]:
            if first.id in waits[second.id] or second.id in waits[first.id]:
                continue
            said = _rivalry(first, second, touches) or _rivalry(second, first, touches)
            if not said:
                continue
            note = Note(first.rule.head.span, f"`{first.id}` stands here")
            message = f"{said} {where}, and nothing says which goes first"
            hint = f"write `after: [{first.id}]` on `{second.id}`, or the other way round"
            reporter.error("TW721", message, second.rule.head.span, notes=(note,), hint=hint)


def _rivalry(first: LinkedRule, second: LinkedRule, touches: Touches) -> str:
    """Why it matters which of two rules goes first, in words; empty when it does not."""
    both = shared(touches.changes(first), touches.changes(second))
    if both:
        return f"`{first.id}` and `{second.id}` both change {', '.join(sorted(both))}"
    asked = touches.changes(first) & touches.asks(second)
    if asked:
        names = ", ".join(f"`{name}`" for name in sorted(asked))
        return f"`{first.id}` changes {names}, which `{second.id}` asks for,"
    return ""


# ------------------------------------------------------------------ the end


def check_ends(
    steps: Iterable[LinkedStep],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
    reporter: Reporter,
) -> None:
    """Report `end game` in the final phase, where it would cut off what is still to be scored."""
    last = [step for step in steps if step.declaration.phase == "final"]
    waiting = bodies_of(last, (), ())
    seen: set[str] = set()
    while waiting:
        for deed in deeds_within(waiting.pop()):
            name = f"{deed.op} {deed.data}"
            if deed.op == "end_game":
                message = "the game has ended already when the final phase begins"
                reporter.error("TW739", message, deed.span)
            elif deed.op == "perform" and name not in seen:
                seen.add(name)
                waiting.append(procedures[str(deed.data)].deeds)
            elif deed.op == "announce" and name not in seen:
                seen.add(name)
                waiting += [r.deeds for r in events[str(deed.data)].reactions]


# ------------------------------------------------------------------ what figures carry

_CARRIED = {"face": "facing", "attach": "companion"}


def bodies_of(
    steps: Iterable[LinkedStep],
    events: Iterable[LinkedEvent],
    procedures: Iterable[LinkedRule],
) -> list[Deeds]:
    """The deeds of every rule of a game."""
    bodies = [p.deeds for p in procedures]
    bodies += [r.deeds for e in events for r in e.reactions]
    for step in steps:
        bodies += [r.deeds for r in step.rules]
        bodies += [a.deeds for a in step.actions]
    return bodies


def check_carrying(
    bodies: Iterable[Deeds], figures: Mapping[str, FigureKind], reporter: Reporter
) -> None:
    """Report a figure that is turned or attached and does not say that it carries this."""
    for body in bodies:
        for deed in deeds_within(body):
            wanted = _CARRIED.get(deed.verb[0]) if deed.op == "verb" else None
            operand = deed.terms[0] if wanted else None
            if wanted is None or operand is None or operand.op != "constant":
                continue
            figure = figures.get(operand.pair[1])
            if figure is not None and wanted not in figure.carries:
                message = f"`{figure.id}` is to {deed.verb[0]} and does not carry `{wanted}`"
                note = Note(figure.span, f"write `carries: [{wanted}]` here")
                reporter.error("TW738", message, operand.span, notes=(note,))


# ------------------------------------------------------------------ the way home

#: by which verbs a figure leaves the board for good
_HOMEWARD = ("return", "remove")


def check_ways_home(
    bodies: Sequence[Deeds], figures: Iterable[FigureKind], reporter: Reporter
) -> None:
    """Warn of owned figures that are put on the board and that no rule ever sends back.

    A rule that sends back figures of which it does not say the kind may mean any of them.
    """
    placed: set[str] = set()
    back: set[str] = set()
    for body in bodies:
        placed |= kinds_moved(body, ("move", "attach"), {})
        back |= kinds_moved(body, _HOMEWARD, {})
    for figure in figures:
        if figure.owned and {figure.id, ""} & placed and not {figure.id, ""} & back:
            message = f"a `{figure.id}` that is placed can never come home"
            if not back:
                message += ": no rule returns a figure"
            reporter.warning("TW723", message, figure.span)
