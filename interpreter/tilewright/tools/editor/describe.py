"""Descriptions of names in a few lines: for hover and completion.

The text is Markdown, the format of editors. Everything comes from declarations and from the table
of primitives, so it is always current.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.builtins import ATTRIBUTES, FUNCTION, GLOBAL, VERBS, VerbDecl
from tilewright.language.source.catalogue import codes
from tilewright.rules.linking.inventory import KEPT_IN
from tilewright.rules.linking.rule_text import rule_text
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.components import ANY_EDGE
from tilewright.tools.editor.symbol_index import Index, Place
from tilewright.tools.editor.symbols import DIRECTIONS
from tilewright.tools.workspace.loading import worded_statement
from tilewright.tools.workspace.overlay import Overlay


@dataclass(frozen=True, slots=True)
class Description:
    """A description: the name with its type, a sentence, and more lines of Markdown."""

    head: str
    doc: str = ""
    more: tuple[str, ...] = ()

    def markdown(self) -> str:
        """The description as Markdown."""
        return "\n\n".join(filter(None, (f"```\n{self.head}\n```", self.doc, *self.more)))


# ------------------------------------------------------------------ the language's own


def builtins(word: str) -> Iterator[tuple[str, Description]]:
    """Everything that the language has under a word, or under `owner.word`: its kind, and what it
    is."""
    owner, _, name = word.rpartition(".")
    for a in ATTRIBUTES:
        if a.name == name and owner in ("", a.owner):
            then = f"; then {' and '.join(a.implies)} are there too" if a.implies else ""
            yield "member", Description(f"{a.owner}.{a.name}: {a.type}", a.doc + then)
    if owner:
        return
    if word in GLOBAL:
        yield "builtin", Description(f"{word}: {GLOBAL[word].type}", GLOBAL[word].doc)
    if word in DIRECTIONS:
        yield "builtin", Description(f"{word}: direction", "one of the four directions")
    if word in FUNCTION:
        function = FUNCTION[word]
        head = f"{word}({_typed(function.parameters)}): {function.result}"
        yield "function", Description(head, function.doc)
    for verb in VERBS:
        if word in (verb.spoken, verb.spoken.split()[0]):
            yield "verb", describe_verb(verb)
    if word == ANY_EDGE:
        yield "feature", Description(ANY_EDGE, "an edge that fits every edge and joins none")
    for name, parameters, doc in BUILTIN_EVENTS:
        if name == word:
            yield "event", Description(f"event {name}({_typed(parameters)})", doc)
    for name, parameters, type_, combine, doc in BUILTIN_DEFINITIONS:
        if name == word:
            head = f"definition {name}({_typed(parameters)}): {type_}, combine: {combine}"
            yield "definition", Description(head, doc)


def describe_verb(verb: VerbDecl) -> Description:
    """The syntax and the meaning of a verb."""
    parts = []
    for word, types, needed in verb.parts:
        part = f"{word} {' | '.join(types)}"
        parts.append(part if needed else f"[{part}]")
    more = f"; announces `{verb.announces}`" if verb.announces else ""
    doc = f"{verb.doc} (changes: {', '.join(verb.changes)}){more}"
    return Description(verb.written(verb.operand, *parts), doc)


def describe_builtin(kind: str, name: str, owner: str = "") -> Description | None:
    """The description of a built-in name of one kind, or of all kinds that it has."""
    word = f"{owner}.{name}" if owner and kind == "member" else name
    found = [entry for other, entry in builtins(word) if other == kind]
    if len(found) < 2:
        return found[0] if found else None
    docs = dict.fromkeys(entry.doc for entry in found)
    return Description("\n".join(entry.head for entry in found), "; or ".join(docs))


def _typed(parameters: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{name}: {type_}" for name, type_ in parameters)


def describe_code(code: str) -> str:
    """The description of a diagnostic code, in Markdown."""
    info = codes()[code]
    return f"**{info.code} {info.name}** {info.title}\n\n{info.explanation}"


# --------------------------------------------------------------- declarations of rulesets

#: the most lines of a rule that are shown
_MOST_LINES = 12


def describe_place(index: Index, place: Place) -> Description | None:
    """The description of the thing at a place."""
    here, overlay = place.here, index.overlay
    builtin = describe_builtin(here.kind, here.id)
    if builtin is not None:
        return builtin
    if here.kind == "ruleset":
        return _ruleset(overlay, here.id)
    if here.kind == "provided":
        by = [id_ for id_ in overlay.model.ids() if _provides(overlay, id_, here.id)]
        text = f"provided by {_list(by)}" if by else "no known ruleset provides it"
        return Description(here.id, "a role that a ruleset has in a game", (text,))
    for other in index.each_declaration(place):
        ruleset = overlay.ruleset(other.ruleset, scenarios=here.kind == "scenario")
        if ruleset is not None:
            found = describe_in(index, ruleset, here.kind, here.id)
            if found is not None:
                return found
    return None


def describe_in(index: Index, ruleset: m.Ruleset, kind: str, id_: str) -> Description | None:
    """A ruleset's description of a thing that it declares."""
    thing, library = _thing(ruleset, kind, id_), index.overlay.workspace.library
    home = f"in `{ruleset.id}`"
    match thing:
        case None:
            return None
        case m.Statement():
            return _statement(worded_statement(id_, ruleset, library), ruleset)
        case m.Patch():
            to = f" to {thing.to}" if thing.verb == "set" else ""
            says = _grounds(index, ruleset, thing.statements)
            return Description(
                f"patch {id_}: {thing.verb} {thing.target}{to}", thing.why, (*says, home)
            )
        case m.ValueDecl():
            grounds = _grounds(index, ruleset, thing.statements)
            history = tuple(_history(index.overlay, thing))
            return Description(
                f"{id_}: {thing.type} = {thing.value}", thing.says, (*history, *grounds, home)
            )
        case m.MemoryDecl():
            of = f" for each {thing.of}" if thing.of else ""
            kept = f"remembered{of} for one {thing.per}"
            return Description(f"{id_}: {thing.type}", thing.label.get(), (kept, home))
        case m.StepDecl():
            grounds = _grounds(index, ruleset, thing.statements)
            return Description(f"step {id_} ({thing.phase})", thing.label.get(), (*grounds, home))
        case m.DefinitionDecl():
            parameters = ", ".join(f"{p.name}: {p.type}" for p in thing.parameters)
            combine = f"`combine: {thing.combine.value}`, {home}"
            return Description(f"{id_}({parameters}): {thing.type}", thing.says.get(), (combine,))
        case m.EventDecl():
            parameters = ", ".join(f"{p.name}: {p.type}" for p in thing.parameters)
            return Description(f"event {id_}({parameters})", thing.says.get(), (home,))
        case m.Procedure():
            typed = ", ".join(f"{p.name}: {p.type}" for p in thing.declaration.parameters)
            if kind == "procedure":
                return Description(f"{id_}({typed})", thing.head.says, (home,))
            return _rule(thing, ruleset, index)
        case _ if isinstance(thing, m.Rule):
            return _rule(thing, ruleset, index)
    return _by_label(thing, kind, id_, home)


def _by_label(thing: object, kind: str, id_: str, home: str) -> Description:
    """The description of a thing that has a name in each language, or a title."""
    match thing:
        case m.Role():
            on = f"{' or '.join(thing.figures)} on {thing.on}"
            return Description(f"role {id_}: {on}", thing.label.get(), (home,))
        case m.FigureKind():
            number = f"{thing.count} for each player" if thing.owned else f"{thing.count} in all"
            return Description(f"figure {id_}", thing.label.get(), (f"{number}, {home}",))
        case m.PieceKind():
            return Description(f"tile {id_}", thing.note, (f"{thing.count} of it, {home}",))
        case m.Scenario():
            return Description(f"scenario {id_}", thing.says, (home,))
        case m.OptionDecl():
            choices = " | ".join(thing.choices)
            return Description(
                f"option {id_}: {choices} (default {thing.default})", thing.says.get(), (home,)
            )
        case m.Source():
            year = f", {thing.year}" if thing.year else ""
            return Description(f"source {id_}", f"{thing.title}{year}", (thing.publisher,))
    label = getattr(thing, "label", m.NO_LABEL)
    return Description(
        f"{'kind of feature' if kind == 'feature' else kind} {id_}", label.get(), (home,)
    )


def _thing(ruleset: m.Ruleset, kind: str, id_: str) -> object | None:
    if kind == "rule":
        found: dict[str, object] = {patch.id: patch for patch in ruleset.patches}
        return {**found, **{rule.head.id: rule for rule in ruleset.rules}}.get(id_)
    if kind == "procedure":
        rules = (rule for rule in ruleset.rules if isinstance(rule, m.Procedure))
        return next((rule for rule in rules if rule.declaration.id == id_), None)
    if kind == "attribute":
        numbers = [number.attribute for number in ruleset.attributes]
        numbers += (a for each in ruleset.features for a in each.attributes)
        return next((number for number in numbers if number.id == id_), None)
    if kind == "trait":
        holders: tuple[m.FigureKind | m.TokenDecl, ...] = (*ruleset.figures, *ruleset.tokens)
        named = " and ".join(f"`{holder.id}`" for holder in holders if id_ in holder.traits)
        return _Trait(id_, m.Labels((("en", f"a trait of {named}"),))) if named else None
    kept: object = ruleset.module if kind in ("option", "source", "seat") else ruleset
    things: tuple[_Named, ...] = getattr(kept, KEPT_IN.get(kind, f"{kind}s"), ())
    return next((thing for thing in things if thing.id == id_), None)


class _Named(Protocol):
    @property
    def id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Trait:
    id: str
    label: m.Labels


def _statement(statement: m.Statement, ruleset: m.Ruleset) -> Description:
    sources = {s.id: s for s in ruleset.module.sources}
    cited = []
    for cite in statement.cites:
        source = sources.get(cite.source)
        title = source.title if source is not None else cite.source
        cited.append(", ".join(filter(None, (title, cite.section))))
    more = (
        f"{statement.authority.value}, {statement.topic}, in `{ruleset.id}`",
        *(f"source: {text}" for text in cited),
    )
    return Description(statement.id, statement.says, more)


def _rule(rule: m.Rule, ruleset: m.Ruleset, index: Index) -> Description:
    head = rule.head
    says = head.says or head.label.get()
    body = rule_text(rule)
    more = (*_grounds(index, ruleset, head.statements), f"in `{ruleset.id}`")
    lines = body.split("\n")
    cut = lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], "..."]
    return Description("\n".join((head.id, *cut)), says, more)


def _grounds(index: Index, ruleset: m.Ruleset, names: Iterable[str]) -> Iterator[str]:
    """The statements behind a thing, with their texts."""
    workspace = index.overlay.workspace
    books = {s.id: r for r in workspace.together([ruleset.id]) for s in r.statements}
    for name in names:
        if name in books:
            found = worded_statement(name, books[name], workspace.library)
            yield f"> {found.says}\n>\n> `{name}`, {found.authority.value}"


def _history(overlay: Overlay, value: m.ValueDecl) -> Iterator[str]:
    """The rulesets that set a value, among all rulesets of the overlay."""
    for id_ in sorted(overlay.model.may_mention(value.id, ("rules",))):
        ruleset = overlay.ruleset(id_)
        for patch in ruleset.patches if ruleset is not None else ():
            if patch.verb == "set" and patch.target == value.id:
                yield f"set to {patch.to} by `{patch.id}` of `{id_}`: {patch.why}"


def _ruleset(overlay: Overlay, id_: str) -> Description | None:
    ruleset = overlay.ruleset(id_) if id_ in overlay.model.ids() else None
    if ruleset is None:
        return None
    needs = [need.default for need in ruleset.module.requires]
    more = (f"needs {_list(needs)}",) if needs else ()
    return Description(f"{id_} ({ruleset.module.kind})", ruleset.module.title.get(), more)


def _provides(overlay: Overlay, id_: str, role: str) -> bool:
    ruleset = overlay.workspace.whole(id_)
    return ruleset is not None and role in ruleset.module.provides


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """`kind` is `key`, `word`, `type`, `keyword`, `local` ..., or that of a declared id."""

    name: str
    kind: str
    detail: str = ""
    doc: str = ""
    insert: str = ""

    @property
    def text(self) -> str:
        """The text to insert into the file."""
        return self.insert or self.name
