"""The inventory of a game and its rulesets, thing by thing, for comparison.

A thing in force has the parts that the content hash covers, after all patches, and also its words
and data. A thing that is not in force (another option, an absent companion) has the same parts, as
written, and the condition under which it would be in force. Each part has its impact. The things of
a ruleset that decide no game (its identity, sources, statements, scenarios) are listed as well.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tilewright.language.source.text import NOWHERE, Span
from tilewright.rules.analysis.promises import promises_of
from tilewright.rules.linking.game import (
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedRule,
    LinkedValue,
)
from tilewright.rules.linking.inventory import (
    KEPT_IN,
    conditions_met,
    conditions_of,
    declared_facts,
    neutral_definition_facts,
    neutral_rule_facts,
    rule_facts,
    things_in,
)
from tilewright.rules.linking.rule_text import (
    expression_text,
    neutral_text,
    piece_text,
    rule_parts,
    step_text,
)
from tilewright.rules.model import ruleset as m
from tilewright.view.results.impact import Impact, weight_of_part


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a thing; `weight` is its impact.

    `neutral` is the text without names of parameters and variables, where it may have some.
    """

    text: str
    weight: Impact
    neutral: str = ""

    @property
    def same(self) -> str:
        """The text by which two parts are compared."""
        return self.neutral or self.text


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that is declared. `holds` are the options and companions that it asks for.

    `why` is what the patch says by which it is as it is, `order` the names in a sequence.
    """

    kind: str
    id: str
    ruleset: str
    span: Span
    parts: Mapping[str, Part]
    holds: tuple[str, ...] = ()
    in_force: bool = True
    why: str = ""
    statements: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None

    @property
    def binding(self) -> dict[str, str]:
        """The parts that decide a game."""
        return {k: p.text for k, p in self.parts.items() if p.weight is Impact.BREAKING}


#: all things of a game, by kind and id
Inventory = dict[tuple[str, str], Thing]


def texts_of(name: str, content: object) -> Iterator[tuple[str, str]]:
    """A part as texts; one for each language of a label, none for an empty part."""
    match content:
        case m.Labels(texts):
            yield from ((f"{name} {language}", text) for language, text in texts)
        case tuple():
            if content:
                yield name, ", ".join(str(word) for word in content)
        case bool():
            if content:
                yield name, "yes"
        case str():
            if content:
                yield name, " ".join(content.split())


def thing_text(thing: Thing) -> str:
    """The content of a thing as one text."""
    texts = {name: part.text for name, part in thing.parts.items()}
    if thing.kind in ("statement", "phrase", "scenario", "ruleset", "measure", "change"):
        return texts.get("says") or texts.get("says en") or texts.get("title en", "")
    if thing.kind == "option":
        return f"{texts['says en']} (default {texts['default']})"
    binding = {k: v for k, v in thing.binding.items() if v and k not in ("after", "before", "over")}
    if thing.kind == "patch":
        return binding["does"]
    if set(binding) == {"hook", "text"}:
        gap = "\n" if "\n" in binding["text"] else ": "
        return f"{binding['hook']}{gap}{binding['text']}"
    if "value" in binding:
        return binding["value"]
    return ", ".join(f"{k} {v}" for k, v in (binding or texts).items())


# ------------------------------------------------------------------ things that decide no game


def things_of(ruleset: m.Ruleset) -> Iterator[Thing]:
    """All these things of one ruleset."""
    yield from _module(ruleset)
    for statement in ruleset.statements:
        yield _plain(
            "statement", statement.id, ruleset.id, statement.span, _statement_parts(statement)
        )
    for phrase in ruleset.phrases:
        # one of another ruleset on the topic has other statements
        id_, content = f"{phrase.topic} from {phrase.statements[0]}", _phrase_parts(phrase)
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
    content = (("default", option.default), ("says", option.says), ("from", option.statements),
               ("labels", _choices_in_words(option)))  # fmt: skip
    return _plain("option", option.id, ruleset, option.span, content, option.statements)


def _choices_in_words(option: m.OptionDecl) -> m.Labels:
    """The choices that have words, with these, as one text in each language."""
    named = [
        m.Labels(tuple((language, f"{choice}: {text}") for language, text in label.texts))
        for choice, label in option.labels
    ]
    return m.joined_labels(named, ", ")


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
    yield from (("agrees", s.agrees), ("replaces", s.replaces), ("without", s.without))
    yield from (("about", s.about), ("example", "true" if s.is_example else ""))
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


# ------------------------------------------------------------------ the inventory


#: parts of a declaration outside the content hash, with their names
BESIDE = {
    "says": "says",
    "label": "label",
    "item_label": "item label",
    "colour": "colour",
    "outline": "outline",
    "finished": "finished",
    "edge": "edge",
    "fill": "fill",
    "width": "width",
    "glyph": "glyph",
    "token": "token",
    "is_landmark": "landmark",
    "note": "note",
    "letter": "letter",
    "aliases": "aliases",
    "posture": "posture",
    "hidden": "hidden",
    "statements": "from",
    "topic": "topic",
    "after": "after",
    "before": "before",
    "over": "over",
    "moment": "moment",
    "optional": "may be absent",
}


def inventory(game: Game) -> Inventory:
    """All things of a game and of its rulesets, by sort and id."""
    found: Inventory = {}
    kinds = (_in_force, _latent, _patches, _of_rulesets, _promises)
    for thing in (each for things in kinds for each in things(game)):
        found.setdefault((thing.kind, thing.id), thing)
    return found


# -------------------------------------------------------------------------- in force


def _in_force(game: Game) -> Iterator[Thing]:
    declared = _declared(game)
    why = _reasons(game)
    written = _with_names_of_authors(game)
    for (kind, id_), facts in game.facts.items():
        if kind == "order":
            texts = dict(facts)["order"]
            order = tuple(texts.split(", ")) if texts else ()
            yield Thing(kind, id_, "", NOWHERE, {}, order=order)
            continue
        shown = written.get((kind, id_), {})
        binding = {n: Part(shown.get(n, text), Impact.BREAKING, text) for n, text in facts}
        if (kind, id_) not in declared:  # the program's own
            yield Thing(kind, id_, "", NOWHERE, binding)
            continue
        item, ruleset = declared[kind, id_]
        yield _thing(kind, id_, item, ruleset, binding, why=why.get((kind, id_), ""))


def _with_names_of_authors(game: Game) -> dict[tuple[str, str], dict[str, str]]:
    """The facts that have neutral names in the hash, as their authors wrote them."""
    definitions = (each.declaration for each in game.definitions.values())
    found = {("definition", each.id): declared_facts(each) for each in definitions}
    rules = {("rule", r.rule.head.id): rule_facts(r.rule, r.printed.text) for r in game.rules()}
    return found | rules


def _reasons(game: Game) -> dict[tuple[str, str], str]:
    """By sort and id of what was changed: the last patch that did it, and why."""
    return {
        patched(applied.patch): f"{applied.patch.id}: {applied.patch.why}"
        for applied in game.patches
    }


def patched(patch: m.Patch) -> tuple[str, str]:
    """Kind and id of a patch's target; an inserted rule is a rule of its own."""
    return ("rule", patch.id) if patch.verb == "insert" else (patch.kind, patch.target)


def _declared(game: Game) -> dict[tuple[str, str], tuple[object, str]]:
    """The declaration behind each fact, after all patches, with its owner."""
    written = {
        (kind, _id(item)): (item, ruleset.id)
        for ruleset in game.rulesets
        for kind, name in KEPT_IN.items()
        for item in getattr(ruleset, name)
    }
    found: dict[tuple[str, str], tuple[object, str]] = {}
    for kind, id_, thing in things_in(game):
        item, owner = written.get((kind, id_), (thing, ""))
        match thing:
            case LinkedAmendment() | LinkedRule() | LinkedAction():
                item, owner = thing.rule, thing.ruleset
            case LinkedValue():
                item, owner = thing.declaration, thing.history[-1][0]
            case _ if kind != "event":
                item = getattr(thing, "declaration", thing)
        if getattr(getattr(item, "head", item), "span", NOWHERE) != NOWHERE:  # else it is built in
            found[kind, id_] = item, owner
    return found


def _id(item: object) -> str:
    head = getattr(item, "head", None)
    return str(head.id if head is not None else item.id)  # type: ignore[attr-defined]


def _thing(
    kind: str,
    id_: str,
    item: object,
    ruleset: str,
    binding: Mapping[str, Part],
    *,
    in_force: bool = True,
    why: str = "",
) -> Thing:
    head = getattr(item, "head", item)
    extra: dict[str, str] = {}
    for name, called in BESIDE.items():
        content = getattr(head, name, None)
        if content is None:
            content = getattr(item, name, None)
        extra |= dict(texts_of(called, content))
    if isinstance(item, m.FeatureKind):
        for attribute in item.attributes:
            extra |= dict(texts_of(f"{attribute.id} label", attribute.label))
            extra |= dict(texts_of(f"{attribute.id} glyph", attribute.symbol))
            extra |= dict(texts_of(f"{attribute.id} landmark", attribute.is_landmark))
    if isinstance(item, m.PieceKind):
        cells = [cell for face in item.faces for cell in face]
        extra |= dict(texts_of("crosses", tuple(cell.crosses for cell in cells if cell.crosses)))
        ends = tuple(f"{s.id} at {e}" for cell in cells for s in cell.segments for e in s.ends)
        extra |= dict(texts_of("ends", ends))
    parts = dict(binding) | {name: Part(text, weight_of_part(name)) for name, text in extra.items()}
    statements = getattr(head, "statements", ())
    span: Span = head.span  # type: ignore[attr-defined]
    return Thing(kind, id_, ruleset, span, parts, conditions_of(item), in_force, why, statements)


# ------------------------------------------------------------------------------- not in force


def _latent(game: Game) -> Iterator[Thing]:
    """The things that an option or a missing companion keeps out of the game."""
    met = conditions_met(game)
    memory = {each.id for ruleset in game.rulesets for each in ruleset.memory}
    for ruleset in game.rulesets:
        for kind, name in KEPT_IN.items():
            for item in getattr(ruleset, name):
                holds = conditions_of(item)
                if set(holds) <= met:
                    continue
                id_ = _id(item)
                if (kind, id_) in game.facts:  # another reading of the same thing is in force
                    id_ += f" ({', '.join(holds)})"
                yield written_thing(kind, item, ruleset.id, id_, memory)


def written_thing(
    kind: str, item: object, ruleset: str, id_: str = "", memory: Container[str] = ()
) -> Thing:
    """A declaration by itself, as its author wrote it; `memory` are the names of the memory."""
    neutral = _neutral(item, memory)
    binding = {k: Part(t, Impact.BREAKING, neutral.get(k, "")) for k, t in _written(item).items()}
    return _thing(kind, id_ or _id(item), item, ruleset, binding, in_force=False)


def _written(item: object) -> dict[str, str]:
    """The parts that the hash would cover if the thing were in force."""
    match item:
        case m.Amendment() | m.StepRule() | m.Reaction() | m.Action() | m.Procedure():
            return rule_facts(item, rule_text(item))
    return declared_facts(item)


def _neutral(item: object, memory: Container[str]) -> dict[str, str]:
    """The parts that may have names of parameters and variables, without these."""
    match item:
        case m.Amendment() | m.StepRule() | m.Reaction() | m.Action() | m.Procedure():
            return neutral_rule_facts(item, neutral_text(item, memory))
        case m.DefinitionDecl():
            return neutral_definition_facts(item)
    return {}


def rule_text(rule: m.Rule) -> str:
    """The content of a rule, as in its facts."""
    when, offers, where, body = rule_parts(rule)
    text = "; ".join(filter(None, (*offers, where, body)))
    return f"{when}: {text}" if when else text


def _patches(game: Game) -> Iterator[Thing]:
    """Patches: those in force show in what they change and have only words here."""
    met = conditions_met(game)
    for ruleset in game.rulesets:
        for patch in ruleset.patches:
            in_force = set(conditions_of(patch)) <= met
            binding: dict[str, Part] = {}
            if not in_force:
                binding = {"does": Part(patch_text(patch), Impact.BREAKING)}
            thing = _thing("patch", patch.id, patch, ruleset.id, binding, in_force=in_force)
            more = (("why", patch.why), ("expect", patch.expect or ""))
            extra = [pair for name, text in more for pair in texts_of(name, text)]
            yield _with(thing, extra)


def patch_text(patch: m.Patch) -> str:
    """The effect of a patch, in one line or more."""
    how = patch.how if patch.verb == "adjust" else ""
    side = patch.how if patch.verb == "insert" else ""
    words = [patch.verb, side, patch.changes, how, new_text(patch)]
    return " ".join(word for word in words if word)


def new_text(patch: m.Patch) -> str:
    """The replacement that a patch brings."""
    if patch.rule is not None:
        return rule_text(patch.rule)
    if patch.step is not None:
        return step_text(patch.step)
    return patch.to if patch.piece is None else piece_text(patch.piece)


def _with(thing: Thing, extra: Iterable[tuple[str, str]]) -> Thing:
    parts = dict(thing.parts)
    parts |= {name: Part(text, weight_of_part(name)) for name, text in extra}
    return replace(thing, parts=parts)


# ------------------------------------------------------------------------- whole rulesets


def _of_rulesets(game: Game) -> Iterator[Thing]:
    """Identities, statements, scenarios and other things that no game consists of."""
    why = _reasons(game)
    for ruleset in game.rulesets:
        for thing in things_of(ruleset):
            reason = why.get((thing.kind, thing.id), "")
            yield replace(thing, why=reason) if reason else thing


def _promises(game: Game) -> Iterator[Thing]:
    """The events that procedures and steps announce, and the verbs that procedures use.

    Signatures are facts of rules and declarations, so they are not repeated here.
    """
    for (kind, id_), promise in promises_of(game).items():
        done = {"announces": ", ".join(promise.announces), "uses": ", ".join(promise.uses)}
        parts = {name: Part(text, Impact.BREAKING) for name, text in done.items()}
        yield Thing("promise", f"{kind} {id_}", promise.ruleset, promise.span, parts)
