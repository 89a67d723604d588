"""Links the measures of statistics. They may evaluate whatever rules may evaluate."""

from __future__ import annotations

from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import NUMBER
from tilewright.language.typing.environment import Signature
from tilewright.rules.linking.elaborate.bodies import Bodies
from tilewright.rules.linking.game import LinkedMeasure
from tilewright.rules.model import ruleset as m

#: besides events, measures may be taken at the beginning of every turn
A_TURN = "turn"


def linked_measures(bodies: Bodies) -> tuple[LinkedMeasure, ...]:
    """The measures of a game, by id; diagnostics go to the reporter of the bodies."""
    declared = bodies.g.measures
    found = (_measure(declared[id_], bodies) for id_ in sorted(declared))
    return tuple(measure for measure in found if measure is not None)


def _measure(measure: m.MeasureDecl, bodies: Bodies) -> LinkedMeasure | None:
    signature = _moment(measure, bodies)
    if signature is None:
        return None
    named = bodies.named(measure.on, measure.parameters, signature, measure.place)
    if named is None:
        return None
    ruleset = bodies.g.origin["measures", measure.id]
    bodies = bodies.of(measure, ruleset)
    names = tuple(name for name, _ in named)

    def typed() -> LinkedMeasure | None:
        when, scope = bodies.condition(measure.when, bodies.scope(named, measure.span))
        node = parse_expression(measure.value, bodies.reporter)
        if node is None:
            return None
        value = bodies.ask.wanted(node, scope, NUMBER, f"`{measure.id}`")
        return LinkedMeasure(measure, ruleset, names, when, value)

    return bodies.typed(measure, (ruleset, named), typed)


def _moment(measure: m.MeasureDecl, bodies: Bodies) -> Signature | None:
    """The names that a measure can use: the parameters of its event, or none."""
    if measure.on in ("", A_TURN):
        return Signature(())
    signature = bodies.environment.events.get(measure.on)
    if signature is None:
        known = (A_TURN, *bodies.environment.events)
        message = f"unknown event `{measure.on}`{did_you_mean(measure.on, known)}"
        bodies.reporter.error("TW304", message, measure.place, unknown=measure.on)
    return signature
