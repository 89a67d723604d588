"""The things of a ruleset that decide no game: its identity, sources, statements, scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.language.source.text import Span
from tilewright.rules.linking.rule_text import expression_text
from tilewright.rules.model import ruleset as m
from tilewright.tools.changes.things import Part, Thing, texts_of
from tilewright.view.results.impact import weight_of_part


def things_of(ruleset: m.Ruleset) -> Iterator[Thing]:
    """All these things of one ruleset."""
    yield from _module(ruleset)
    for statement in ruleset.statements:
        yield _plain(
            "statement", statement.id, ruleset.id, statement.span, _statement_parts(statement)
        )
    for phrase in ruleset.phrases:
        id_, content = f"{phrase.topic} of {ruleset.id}", _phrase_parts(phrase)
        yield _plain("phrase", id_, ruleset.id, phrase.span, content, phrase.statements)
    for moments in ruleset.moments:
        names = tuple(each.id for each in moments.order)
        labels = ((f"label of {x.id}", x.label) for x in moments.order if isinstance(x, m.Moment))
        parts = (("moments", names),)
        yield _plain("moments", moments.id, ruleset.id, moments.span, (*parts, *labels))
    for measure in ruleset.measures:
        yield _plain("measure", measure.id, ruleset.id, measure.span, _measure_parts(measure))
    for scenario in ruleset.scenarios:
        yield _plain("scenario", scenario.id, ruleset.id, scenario.span, _scenario_parts(scenario))


def _module(ruleset: m.Ruleset) -> Iterator[Thing]:
    module = ruleset.module

    def plain(kind: str, id_: str, span: Span, *content: tuple[str, object]) -> Thing:
        return _plain(kind, id_, ruleset.id, span, content)

    yield plain(
        "ruleset", ruleset.id, module.span, ("title", module.title), ("says", module.says),
        ("kind", module.kind), ("edition", module.edition), ("version", module.version),
        ("year", str(module.year or "")),
        ("takes over", module.takes_over or ""), ("part", str(ruleset.part)),
        ("written for", tuple(f"{each.name} {each.version}" for each in module.written_for)),
    )  # fmt: skip
    for change in module.changes:
        name = f"of {change.kind} {change.name} in version {change.version}"
        yield plain("change", name, change.span, ("says", change.says), ("mend", change.mend))
    for role in module.provides:
        yield plain("provides", f"{role} by {ruleset.id}", module.span)
    for need in module.requires:
        name = f"{need.role} for {ruleset.id}"
        yield plain("requires", name, need.span, ("default", need.default))
    for other in module.conflicts:
        yield plain("conflicts", f"{other} with {ruleset.id}", module.span)
    for source in module.sources:
        content = tuple(
            (called, str(getattr(source, name) or "")) for name, called in _SOURCE.items()
        )
        yield plain("source", source.id, source.span, *content)
    for option in module.options:
        yield option_thing(option, ruleset.id)
        for choice in option.choices:
            yield plain("choice", f"{option.id}={choice}", option.span)
    for seat in module.seats:
        yield plain("seat", seat.id, seat.span, ("colour", seat.colour), ("label", seat.label))
    for line in module.components:
        name = f"{line.of} {line.name}".strip() + f" of {ruleset.id}"
        yield plain("component", name, line.span, ("count", str(line.count)))


def option_thing(option: m.OptionDecl, ruleset: str) -> Thing:
    """An option of a ruleset; its choices are things of their own."""
    content = (("default", option.default), ("says", option.says), ("from", option.statements))
    return _plain("option", option.id, ruleset, option.span, content, option.statements)


_SOURCE = {
    "title": "book",
    "publisher": "publisher",
    "year": "year",
    "language": "language",
    "note": "note",
}


def _plain(
    kind: str,
    id_: str,
    ruleset: str,
    span: Span,
    content: Iterable[tuple[str, object]],
    statements: tuple[str, ...] = (),
) -> Thing:
    texts = [pair for name, what in content for pair in texts_of(name, what)]
    parts = {name: Part(text, weight_of_part(name)) for name, text in texts}
    return Thing(kind, id_, ruleset, span, parts, statements=statements)


def _statement_parts(s: m.Statement) -> Iterator[tuple[str, object]]:
    yield from (("topic", s.topic), ("says", s.says), ("authority", s.authority.value))
    yield "translations", tuple(f"{language}: {text}" for language, text in sorted(s.translations))
    yield "cite", "; ".join(" ".join((c.source, c.section, c.lines)).strip() for c in s.cites)
    yield "numbers", tuple(f"{name} {number}" for name, number in s.numbers)
    yield from (("no rule", s.no_rule), ("carried by", s.carried_by), ("awaits", s.awaits))
    yield from (("follows from", s.follows_from), ("compares", s.compares))
    yield from (("agrees", s.agrees), ("replaces", s.replaces))
    yield "questions", "; ".join(f"{q.asks} {q.option or q.settled}" for q in s.questions)


def _phrase_parts(p: m.Phrase) -> Iterator[tuple[str, object]]:
    yield from (("says", p.says), ("aspect", p.aspect), ("heading", p.heading))
    yield "from", p.statements


def _measure_parts(x: m.MeasureDecl) -> Iterator[tuple[str, object]]:
    yield from (("label", x.label), ("says", x.says))
    yield "on", f"{x.on}({', '.join(x.parameters)})" if x.parameters else x.on
    yield "when", "" if x.when is None else expression_text(x.when)
    yield "value", expression_text(x.value)


def _scenario_parts(s: m.Scenario) -> Iterator[tuple[str, object]]:
    yield from (("says", s.says), ("from", s.statements), ("covers", s.covers))
    table = [
        *s.rulesets, *(f"{k}={v}" for k, v in s.options), *s.players, s.active,
        f"turn {s.turn}" if s.turn > 1 else "", *s.board,
        *(f"{k} {v}" for k, v in (*s.figures, *s.points, *s.tokens, *s.stacks, *s.memory)),
    ]  # fmt: skip
    yield "table", "; ".join(word for word in table if word)
    yield "play", "; ".join(f"{line.verb} {line.text} {_expected(line.expect)}".strip()
                            for line in s.lines)  # fmt: skip
    yield "fails", s.fails


def _expected(expect: m.Expectation | None) -> str:
    if expect is None:
        return ""
    content = {
        name: getattr(expect, name)
        for name in type(expect).__match_args__
        if name not in ("span", "places") and getattr(expect, name) not in (None, ())
    }
    return " ".join(f"{name} {what}" for name, what in content.items())
