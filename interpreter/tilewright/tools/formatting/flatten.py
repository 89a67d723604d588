"""A game flattened into one ruleset: options and companions decided, patches applied.

The result requires no other ruleset, makes the same game, and so has the same content hash, unless
strangers have things of one name, which need other names in one ruleset.
Statements and their references are kept; scenarios are not, since they name their rulesets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.gather import gather
from tilewright.rules.linking.compose.select import Selection, plays
from tilewright.rules.linking.game import Game
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import PHASES
from tilewright.rules.reading.files.patterns import RULESET
from tilewright.rules.reading.library import Library
from tilewright.tools.formatting.one_namespace import in_one_namespace
from tilewright.tools.formatting.ruleset_writer import files_of
from tilewright.tools.workspace.loading import load_selection


class CannotResolveError(Exception):
    """The game cannot be made; the diagnostics say why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("the game cannot be made")
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class Resolved:
    """The ruleset, its files by name, and the game that it was made of."""

    ruleset: m.Ruleset
    files: Mapping[str, str]
    game: Game


def resolve(text: str, options: Mapping[str, str], library: Library, id_: str = "") -> Resolved:
    """One ruleset with everything in a game. Raises CannotResolveError."""
    reporter = Reporter()
    selection = load_selection(text, options, library, reporter)
    game = None if selection is None or reporter.has_errors else link(selection, reporter)
    if selection is None or game is None:
        raise CannotResolveError(reporter.diagnostics)
    gathered = gather(selection, Reporter.discarding())
    ruleset = _whole(selection, gathered, game, id_ or id_for(game))
    ruleset = in_one_namespace(ruleset, gathered, selection)

    def page_of(kind: str, name: str) -> str:
        owner = gathered.origin.get(("rules" if kind == "patches" else kind, name), "")
        return owner.replace("/", "-").replace(".", "-") or "rules"

    return Resolved(ruleset, files_of(ruleset, page_of), game)


def id_for(game: Game) -> str:
    """An id for a flattened game."""
    tops = [r.id for r in game.rulesets if not _is_needed(r, game)] or [game.rulesets[-1].id]
    name = re.sub(r"[^a-z0-9]+", "-", "-".join(tops).lower()).strip("-")
    return f"resolved/{name[:80].strip('-') or 'game'}"


def id_at(folder: Path) -> str:
    """The id that a folder's place promises, or "" when none can be made of it."""
    place = Path(os.path.realpath(folder))  # a loop of links is left as it is
    id_ = f"{place.parent.name}/{place.name}"
    return id_ if RULESET.fits(id_) else ""


def _is_needed(ruleset: m.Ruleset, game: Game) -> bool:
    roles = {need.role for other in game.rulesets for need in other.module.requires}
    return bool(roles & plays(ruleset))


def _whole(selection: Selection, g: Gathered, game: Game, id_: str) -> m.Ruleset:
    rules = {
        id_: replace(rule, head=replace(rule.head, option=(), with_=()))
        for id_, rule in g.rules.items()
    }
    # an inserted rule uses the names of its neighbour, so it must stay with it
    inserted = [
        replace(done.patch, rule=rules.pop(done.patch.id), option=(), with_=(), expect=None)
        for done in game.patches
        if done.patch.verb == "insert" and _is_beside(rules.get(done.patch.id))
    ]
    modules = [ruleset.module for ruleset in selection.rulesets]
    last = modules[-1]
    languages = dict.fromkeys(lang for x in modules for lang, _ in x.title.texts)
    title = m.Labels(tuple((x, " + ".join(t.title.get(x) for t in modules)) for x in languages))
    module = replace(
        last,
        id=id_,
        title=title,
        says=m.NO_LABEL,
        kind="base",
        year=max((x.year for x in modules if x.year), default=None),
        takes_over=None,
        provides=tuple(dict.fromkeys(role for x in modules for role in x.provides)),
        requires=(),
        conflicts=(),
        copies=(),
        sources=tuple({s.id: s for x in reversed(modules) for s in x.sources}.values()),
        options=(),
        seats=g.seats,
        components=(),
        parts=(),
        version="",
        changes=(),
        written_for=(),
        # a second flattening keeps the original source
        resolved_from=(last.resolved_from if len(modules) == 1 else "") or game.id,
    )
    return m.Ruleset(
        module=module,
        statements=_statements(selection, g, game),
        phrases=_phrases(selection),
        features=tuple(g.features.values()),
        symbols=tuple(replace(s, with_=()) for s in g.symbols.values()),
        # shared roles are decided: the roles name them
        figures=tuple(replace(f, like="", roles=(), with_=()) for f in g.figures.values()),
        tokens=tuple(g.tokens.values()),
        items=tuple(replace(item, with_=()) for item in g.items.values()),
        roles=tuple(replace(role, with_=()) for role in g.roles.values()),
        stacks=tuple(replace(stack, with_=()) for stack in g.stacks.values()),
        pieces=tuple(replace(piece, when=(), with_=()) for piece in g.pieces.values()),
        values=_values(g, game),
        memory=tuple(replace(kept, with_=()) for kept in g.memory.values()),
        moments=tuple(replace(x, with_=()) for x in g.moments.values() if x.id not in PHASES),
        steps=_steps(game),
        definitions=tuple(replace(d, with_=()) for d in g.definitions.values()),
        events=tuple(replace(event, with_=()) for event in g.events.values()),
        measures=tuple(replace(measure, with_=()) for measure in g.measures.values()),
        rules=tuple(rules.values()),
        patches=tuple(inserted),
    )


def _phrases(selection: Selection) -> tuple[m.Phrase, ...]:
    """One phrase per topic: that of the ruleset that builds on the others."""
    found = {phrase.topic: phrase for r in selection.rulesets for phrase in r.phrases}
    return tuple(found.values())


def _is_beside(rule: m.Rule | None) -> bool:
    return isinstance(rule, m.Procedure) and rule.beside != ""


def _values(g: Gathered, game: Game) -> tuple[m.ValueDecl, ...]:
    """The values as patches leave them, from the statements of these too."""
    more: dict[str, tuple[str, ...]] = {}
    for done in game.patches:
        if done.patch.kind != "value":
            continue
        more[done.patch.target] = more.get(done.patch.target, ()) + done.patch.statements
    return tuple(
        replace(
            value,
            statements=tuple(dict.fromkeys((*value.statements, *more.get(value.id, ())))),
            with_=(),
        )
        for value in g.values.values()
    )


def _steps(game: Game) -> tuple[m.StepDecl, ...]:
    """The steps in order, each after its predecessor."""
    found = []
    for phase in dict.fromkeys(step.declaration.phase for step in game.steps):
        line = [step.declaration for step in game.phase(phase)]
        alone = [replace(s, moment="", after=(), before=(), with_=()) for s in line]
        found += alone[:1]
        found += [replace(later, after=(first.id,)) for first, later in pairwise(alone)]
    return tuple(found)


def _statements(selection: Selection, g: Gathered, game: Game) -> tuple[m.Statement, ...]:
    """The statements of the game: open questions are decided, and statements without a rule are
    marked.
    """
    chosen = selection.options
    carried = {s for rule in g.rules.values() for s in rule.head.statements}
    for things in (g.values, g.steps, g.roles):
        carried |= {s for thing in things.values() for s in thing.statements}
    carried |= {
        s for done in game.patches if done.patch.kind == "value" for s in done.patch.statements
    }
    decided = {s for done in game.patches for s in done.patch.statements}
    decided |= {s for ruleset in selection.rulesets for o in ruleset.module.options
                for s in o.statements}  # fmt: skip
    found: dict[str, m.Statement] = {}
    for ruleset in selection.rulesets:
        for s in ruleset.statements:
            questions = tuple(
                replace(q, option="", settled=f"here `{q.option}` is `{chosen[q.option]}`")
                if q.option in chosen else q
                for q in s.questions
            )  # fmt: skip
            follows = tuple(rule for rule in s.follows_from if rule in g.rules)
            is_told = s.no_rule or s.carried_by or s.awaits or follows or s.compares
            no_rule = s.no_rule
            if s.id not in carried and not is_told:
                no_rule = "a patch or an option has settled it" if s.id in decided else (
                    "nothing in this game carries it out")  # fmt: skip
            statement = replace(s, questions=questions, follows_from=follows, no_rule=no_rule)
            found.setdefault(s.id, statement)
    return tuple(found.values())
