"""Lints: probable mistakes that are not errors, and unfinished work of the author.

A name counts as used when any ruleset of the library has it, in a rule or in its data, since a base
may declare things for its expansions. Conditions are checked in every linked game of the ruleset;
problems that only other rulesets could repair are not reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.builtins import FEATURE_FIGURES, VERBS
from tilewright.language.source.diagnostics import Note, Reporter, all_of, did_you_mean, nearest
from tilewright.language.source.text import Code, Span
from tilewright.language.source.yaml.nodes import YMap, place_of_words
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.constant_conditions import is_neutral, known_parts, shadowed
from tilewright.rules.analysis.draws import (
    amendments_behind,
    amends_a_stack,
    files_with_draws,
    loose_ends,
)
from tilewright.rules.analysis.ineffective_amendments import Ranges
from tilewright.rules.linking.game import Game, LinkedAmendment, bodies_of
from tilewright.rules.linking.link import LEAST_PLAYERS, MOST_PLAYERS
from tilewright.rules.linking.walk import all_expressions, effects_of, expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.components import AttributeDecl
from tilewright.rules.model.references import Declared, place_in
from tilewright.rules.model.ruleset import codes_of
from tilewright.tools.checking.changed_promises import (
    report_changed_meanings,
    report_misspelt_changes,
    report_written_for,
)
from tilewright.tools.workspace.workspace import WordIndex, Workspace, proved, rule_ids
from tilewright.view.board.glyphs import GLYPHS, HIDDEN, WITH, halves, is_glyph

_TODO = re.compile(r"\bTODO\b[:)]*\s*(?P<what>[^\"'#]*)")
_WORDS = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*")
_PARTS = re.compile(r"[a-z0-9]{3,}")
#: values that the program itself reads
_READ = frozenset((LEAST_PLAYERS, MOST_PLAYERS))
#: the reason why an amendment makes no difference, by the way to combine
_IDLE = {
    m.Combine.ALL: "all amendments must agree, so one can only forbid: `true` allows nothing new",
    m.Combine.ANY: "any amendment suffices, so one can only allow: `false` forbids nothing",
    m.Combine.CHAIN: "it passes the number on as it is",
    m.Combine.ONE: "it always falls back, so give it a case: `if ... then ... else ...`",
}
_ANSWERED = frozenset(definition[0] for definition in BUILTIN_DEFINITIONS)


def lint_marks(text: str, file: str, reporter: Reporter) -> None:
    """Report every line of a file with the mark `TODO`."""
    for number, line in enumerate(text.split("\n"), 1):
        found = _TODO.search(line)
        if found is not None:
            span = Span(file, number, found.start() + 1, number, found.start() + 5)
            what = " ".join(found["what"].split())
            reporter.warning("TW630", f"unfinished: {what or 'see this line'}", span)


class Linter:
    """Checks the rulesets of a workspace; of the others only relevant ones are read."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._used = WordIndex(workspace, "used", _words, "rules", "components", "tiles")
        self._proved = WordIndex(workspace, "proved", proved, "scenarios")
        self._at = WordIndex(workspace, "steps", _steps, "rules")
        self._seen: set[Span] = set()
        self._idle: dict[Span, tuple[str, str]] = {}  # amendments that made no difference so far
        self._matters: set[Span] = set()
        self._read: set[str] = set()
        self._changed: set[str] = set()

    def ruleset(self, own: m.Ruleset, reporter: Reporter) -> None:
        """Report declarations without a use, and gaps in statements and names."""
        if own.module.resolved_from:
            return  # a flattened game is checked where its rulesets are
        for what, id_, span in self._unused(own):
            reporter.warning("TW636", f"nothing uses {what} `{id_}`", span)
        for symbol in own.symbols:
            if symbol.id not in self._used:
                message = (
                    f"no rule reads symbol `{symbol.id}`, and no feature kind is derived from it"
                )
                reporter.warning("TW637", message, symbol.span)
        self._never_used(own, reporter)
        for step in own.steps:
            if step.id not in self._at:
                message = f"step `{step.id}` has no rule and no action"
                reporter.warning("TW638", message, step.span)
        for statement in own.statements:
            needs_no_proof = statement.no_rule or statement.carried_by or statement.awaits
            needs_no_proof = needs_no_proof or statement.follows_from or statement.compares
            if not (needs_no_proof or statement.id in self._proved):
                message = f"no scenario proves statement `{statement.id}`"
                hint = "name it under `proves:` of a scenario that shows it"
                reporter.warning("TW639", message, statement.span, hint=hint)
        _report_unknown_pictures(own, reporter)
        self._names(own, reporter)
        report_misspelt_changes(own, reporter)
        report_written_for(own, self.workspace, reporter)
        report_unknown_neighbours(own, self.workspace, reporter)

    def _unused(self, own: m.Ruleset) -> Iterator[tuple[str, str, Span]]:
        tokens = [token for token in own.tokens if "tokens" not in self._used]
        numbers = [a for kind in own.features for a in kind.attributes]
        numbers += [number.attribute for number in own.attributes]
        kinds: tuple[tuple[str, Sequence[_Named]], ...] = (
            ("value", own.values),
            ("memory", own.memory),
            ("stack", [stack for stack in own.stacks if stack.holds != "tiles"]),
            ("token", [t for t in tokens if not any(x in self._used for x in t.traits)]),
            ("attribute", numbers),
            ("procedure", [r.declaration for r in own.rules if isinstance(r, m.Procedure)]),
        )
        for item in own.items:
            for name, _ in item.numbers:
                if name not in self._used:
                    yield "number of an item", name, item.span
        for what, things in kinds:
            for thing in things:
                if thing.id not in _READ and thing.id not in self._used:
                    yield what, thing.id, thing.span

    def _never_used(self, own: m.Ruleset, reporter: Reporter) -> None:
        for definition in own.definitions:
            if definition.id not in _ANSWERED and definition.id not in self._used:
                message = f"no rule uses `{definition.id}`, so its amendments have no effect"
                reporter.warning("TW634", message, definition.span)
        by_itself = {verb.announces for verb in VERBS}
        for event in own.events:
            if event.id not in by_itself and event.id not in self._used:
                message = f"no rule announces `{event.id}`, so no reaction to it ever runs"
                reporter.warning("TW634", message, event.span)

    # -------------------------------------------------------------- names

    def _names(self, own: m.Ruleset, reporter: Reporter) -> None:
        """Report rules whose id shares no word with their topic, except in house rules."""
        if own.module.kind == "house":
            return
        statements = {s.id: s for r in self.workspace.together((own.id,)) for s in r.statements}
        for rule in own.rules:
            head = rule.head
            topics = [statements[name].topic for name in head.statements if name in statements]
            topics += [head.topic] if head.topic else []
            if topics and not any(_parts(head.id) & _parts(topic) for topic in topics):
                shown = " and ".join(f"`{topic}`" for topic in dict.fromkeys(topics[:2]))
                message = f"the id of rule `{head.id}` shares no word with its topic {shown}"
                reporter.note("TW641", message, head.span)

    # -------------------------------------------------------------- one game

    def game(self, game: Game, files: Iterable[str], reporter: Reporter) -> None:
        """Report conditions with a constant value, and amendments without effect, in some files."""
        roles = {role.id: role for role in game.roles}
        within = frozenset(files)
        for rule in game.rules():
            span = rule.rule.head.span
            if span.file not in within or span in self._seen:
                continue
            self._seen.add(span)
            for known in known_parts(rule, roles):
                code, how = ("TW633", "always holds") if known.holds else ("TW632", "never holds")
                message = f"this part of `{rule.rule.head.id}` {how}"
                reporter.warning(code, message, known.term.span)
            for each in expressions_of(rule):
                if isinstance(each, t.IsEmpty) and _is_all_on_a_feature(each.value):
                    message = (
                        f"`{rule.rule.head.id}` also counts figures that do not occupy the feature"
                    )
                    hint = "write `is occupied` or `is not occupied`, or name the figures with `of`"
                    reporter.warning("TW652", message, each.span, hint=hint)
        ranges = Ranges(game)
        for definition in game.definitions.values():
            if not any(each.rule.head.span.file in within for each in definition.amendments):
                continue
            for below, above in shadowed(definition, roles):
                one, other = below.rule.head, above.rule.head
                if one.span.file in within:
                    note = Note(other.span, f"`{other.id}` takes precedence")
                    message = f"`{one.id}` never applies: `{other.id}` applies whenever it does"
                    reporter.warning("TW635", message, one.span, notes=(note,))
            for amendment in definition.amendments:
                head = amendment.rule.head
                if head.span.file in within and is_neutral(amendment, definition.combine):
                    message = f"`{head.id}` makes no difference to `{definition.id}`"
                    hint = _IDLE.get(definition.combine, "")
                    reporter.warning("TW642", message, head.span, hint=hint)
                elif head.span.file in within and ranges.is_idle(amendment, definition):
                    self._idle[head.span] = (head.id, definition.id)
                elif head.span.file in within:
                    self._matters.add(head.span)
        report_changed_meanings(game, within, reporter)
        self._lost_pieces(game, within, reporter)
        self._never_reached(game, within, reporter)
        if any(slot.declaration.span.file in within for slot in game.memory):
            read, changed = _memories(game)
            self._read |= read
            self._changed |= changed

    def _lost_pieces(self, game: Game, files: frozenset[str], reporter: Reporter) -> None:
        """Draws that may find no piece, and pieces that are returned twice."""
        bodies = bodies_of(game.steps, game.events.values(), game.procedures.values())
        draws = any(files & files_with_draws(rule) for rule in bodies)
        if not draws and not amends_a_stack(game, files):
            return
        for end in loose_ends(game):
            id_ = end.rule.rule.head.id
            if end.span.file not in files:
                for amendment, left in amendments_behind(end, game):
                    if amendment.rule.head.span.file in files:
                        _report_opened(id_, amendment, left, reporter)
                continue
            if not end.is_draw:
                message = (
                    f"`{id_}` returns `{end.name}` a second time, but a piece is in one place only"
                )
                hint = f"draw or take `{end.name}` out of a stack before"
                reporter.warning("TW651", message, end.span, hint=hint)
                continue
            stack = end.name or "s"
            what = f"any p in {stack}: ..." if end.wants else f"{stack} is not empty"
            found = f"`{end.name}`" if end.name else "the stack"
            lacks = "have no piece that matches" if end.wants else "be empty"
            message = f"`{id_}` draws from {found}, which may {lacks}, without a test before"
            hint = f"for example `if {what} {{ ... }}`"
            hint += "" if end.wants else f", or `repeat min(..., count({stack})) {{ ... }}`"
            reporter.warning("TW650", message, end.span, hint=hint)

    def _never_reached(self, game: Game, files: frozenset[str], reporter: Reporter) -> None:
        """Steps behind a rule that always ends the game."""
        for phase in ("setup", "turn"):
            ending: m.RuleHead | None = None
            for step in game.phase(phase):
                if ending is not None and step.declaration.span.file in files:
                    note = Note(ending.span, f"`{ending.id}` ends the game here")
                    message = f"step `{step.id}` is never reached"
                    reporter.warning("TW643", message, step.declaration.span, notes=(note,))
                for rule in step.rules:
                    head = rule.rule.head
                    is_always_there = not (head.option or head.with_ or rule.when)
                    if is_always_there and any(
                        isinstance(effect, t.EndGame) for effect in rule.effects
                    ):
                        ending = ending or head

    def amendments(self, reporter: Reporter) -> None:
        """Report the amendments that make no difference in any of the games seen."""
        for span, (id_, definition) in self._idle.items():
            if span not in self._matters:
                message = f"`{id_}` makes no difference to `{definition}`"
                hint = (
                    "other amendments that always apply are at least as strict, or it adds nothing"
                )
                reporter.warning("TW642", message, span, hint=hint)
        self._idle.clear()
        self._matters.clear()

    def memories(self, own: m.Ruleset, reporter: Reporter) -> None:
        """Report memory that is written and never read in the checked games, or the reverse."""
        for memory in own.memory:
            if memory.id not in self._changed ^ self._read:
                continue
            if set(self._used.ids(memory.id)) - {own.id}:
                continue
            if memory.id in self._changed:
                reporter.warning("TW644", f"no rule reads memory `{memory.id}`", memory.span)
            else:
                message = f"no rule ever changes memory `{memory.id}`"
                reporter.warning("TW644", message, memory.span)
        self._read.clear()
        self._changed.clear()


def _report_opened(
    id_: str, amendment: LinkedAmendment, left: t.Expression | None, reporter: Reporter
) -> None:
    """Report an amendment that gives a draw of another ruleset a stack which may be empty.

    `left` is the stack of the definition itself, if the draw may be left to it while it is empty.
    """
    own, stack = amendment.rule.head.id, " ".join(amendment.rule.value.text.split())
    found, when, span = f"`{stack}`, which may be empty,", "", amendment.rule.value.whole
    if left is not None:
        default = left.id if isinstance(left, t.Constant) else "the stack it draws from otherwise"
        found = f"`{default}`, which may be empty while `{stack}` is not,"
        when = f" and (... or {default} is empty)"
    message = f"`{own}` lets `{id_}` draw from {found} without a test before"
    hint = f"write `when: {stack} is not empty{when}`"
    hint += "" if when else f", or amend what `{id_}` counts before it draws"
    reporter.warning("TW650", message, span, hint=hint)


def _report_unknown_pictures(own: m.Ruleset, reporter: Reporter) -> None:
    """Report names of pictures that nothing is drawn under, and `none` where it hides nothing.

    The first name without a similar one has a list of all pictures.
    """
    hint = f"the pictures are {', '.join(sorted(GLYPHS))}"
    symbols = {place_in(symbol, "glyph") for symbol in own.symbols}
    for name, span in sorted(_pictures(own), key=lambda each: each[1]):
        if not name or is_glyph(name) or (name == HIDDEN and span in symbols):
            continue
        if name == HIDDEN:
            message = f"only symbols can have `{HIDDEN}`, which leaves them out of pictures"
            reporter.warning("TW645", message, span)
            continue
        unknown = [half for half in halves(name) if half not in GLYPHS]
        message = f"unknown picture{'s' if unknown[1:] else ''} {all_of(unknown)}"
        message += "" if unknown == [name] else f" in `{name}`"
        near = [half if half in GLYPHS else nearest(half, GLYPHS) or "" for half in halves(name)]
        similar = did_you_mean(name, [*GLYPHS, *([WITH.join(near)] if all(near) else [])])
        reporter.warning("TW645", message + similar, span, hint="" if similar else hint)
        hint = hint if similar else ""


def _pictures(own: m.Ruleset) -> Iterator[tuple[str, Span]]:
    """The names of pictures in a ruleset, each with its place."""
    drawn: tuple[_Drawn, ...] = (
        own.module, *own.features, *own.symbols, *own.figures, *own.tokens, *own.items,
    )  # fmt: skip
    for thing in drawn:
        yield thing.glyph, place_in(thing, "glyph")
    for kind in own.features:
        for number in kind.attributes:
            yield number.symbol, _place(number, kind.entry, "attributes", number.id)
    for printed in own.attributes:
        yield printed.attribute.symbol, _place(printed.attribute, printed.entry)


def _place(number: AttributeDecl, entry: YMap | None, *keys: str) -> Span:
    """The place of the picture of a printed number in the entry that declares it."""
    found = None if entry is None else place_of_words(entry, (*keys, "glyph", number.symbol))
    return found or number.span


class _Drawn(Declared, Protocol):
    @property
    def glyph(self) -> str: ...


class _Named(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def span(self) -> Span: ...


def _is_all_on_a_feature(node: t.Expression) -> bool:
    """Whether this is `x.figures` of a feature, without a restriction."""
    return isinstance(node, t.Attribute) and node.attribute == FEATURE_FIGURES


def _rules(own: m.Ruleset) -> list[m.Rule]:
    """The rules of a ruleset, and those that its patches bring."""
    return [*own.rules, *(patch.rule for patch in own.patches if patch.rule is not None)]


def _steps(own: m.Ruleset) -> Iterator[str]:
    """The steps of a ruleset's rules and actions."""
    return (rule.step for rule in _rules(own) if isinstance(rule, m.StepRule | m.Action))


def _words(own: m.Ruleset) -> Iterator[str]:
    """Every name that a ruleset uses, and every part of one."""
    codes: list[Code] = [code for rule in _rules(own) for code in codes_of(rule)]
    codes += [d.default for d in own.definitions if d.default is not None]
    texts = [code.text for code in codes]
    texts += [value.value for value in own.values]
    texts += [patch.to for patch in own.patches]
    texts += [
        text for figure in own.figures for text in (figure.in_all, figure.like, *figure.roles)
    ]
    texts += [kind.from_symbol for kind in own.features]
    texts += [piece.stack for piece in own.pieces] + [item.stack for item in own.items]
    for text in texts:
        for word in _WORDS.findall(text):
            yield word
            yield from word.split(".")


def _parts(name: str) -> set[str]:
    """The words of an id or a topic, without the endings of many."""
    return {word.rstrip("s") for word in _PARTS.findall(name)}


def _memories(game: Game) -> tuple[set[str], set[str]]:
    """The memories that the rules of a game read, and those that they change."""
    expressions = all_expressions(game.rules(), game.definitions.values())
    effects = (effect for rule in game.rules() for effect in effects_of(rule))
    targets = (target for effect in effects if (target := t.target_of(effect)) is not None)
    changed = {target.name for target in targets if target.place == "memory"}
    return {each.id for each in expressions if isinstance(each, t.Memory)}, changed


def report_unknown_neighbours(own: m.Ruleset, workspace: Workspace, reporter: Reporter) -> None:
    """Report the names with a question mark that no ruleset gives to a rule or step."""
    names = {"rule": rule_ids, "step": _step_ids}
    known = {kind: WordIndex(workspace, f"a {kind}", of, "rules") for kind, of in names.items()}
    for kind, declared in _ordered(own):
        for name in declared.optional:
            if name in known[kind]:
                continue
            near = {id_ for each in workspace.together((own.id,)) for id_ in names[kind](each)}
            message = f"no ruleset has a {kind} `{name}`{did_you_mean(name, near)}"
            key = next(k for k in ("after", "before", "over") if name in getattr(declared, k, ()))
            reporter.warning("TW771", message, m.place_in(declared, key, f"{name}?"))


def _ordered(own: m.Ruleset) -> Iterator[tuple[str, m.StepDecl | m.RuleHead]]:
    yield from (("step", step) for step in own.steps)
    yield from (("rule", rule.head) for rule in own.rules)
    for patch in own.patches:
        if patch.step is not None:
            yield "step", patch.step
        if patch.rule is not None:
            yield "rule", patch.rule.head


def _step_ids(ruleset: m.Ruleset) -> tuple[str, ...]:
    return tuple(step.id for step in ruleset.steps)
