"""`show rule` and `show stage`: a rule with its context, and its stages from file to code.

A rule is shown as its author wrote it. The stages are those that every rule goes through: the file,
nodes, terms, and the Python that is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import (
    bold,
    dim,
    heading,
    place,
    read_source,
    refuse,
    rows,
    say,
    wrapped,
)
from tilewright.faces.cli.views.game import body_of, conditions_of
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.text import Code, Span
from tilewright.language.syntax.ast import Node
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.rules.linking.walk import AnyRule, expressions_of
from tilewright.rules.linking.wordings import with_numbers
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library

Thing = m.Rule | m.Patch | m.DefinitionDecl | m.ValueDecl | m.StepDecl | m.Statement


def things(ruleset: m.Ruleset) -> Iterator[tuple[str, Thing]]:
    """Everything in a ruleset that has an id and can be shown, with its id."""
    for rule in ruleset.rules:
        yield rule.head.id, rule
    for kind in (
        ruleset.patches,
        ruleset.definitions,
        ruleset.values,
        ruleset.steps,
        ruleset.statements,
    ):
        for thing in kind:
            yield thing.id, thing


def find(id_: str, library: Library, ids: tuple[str, ...]) -> list[tuple[m.Ruleset, Thing]]:
    """The things with an id in some rulesets; raises `Stop` with the nearest ids for none."""
    reporter = Reporter()
    found: list[tuple[m.Ruleset, Thing]] = []
    known: set[str] = set()
    wanted, _, owner = id_.partition(" of ")
    for ruleset_id in ids:
        ruleset = library.load(ruleset_id, reporter)
        for name, thing in things(ruleset) if ruleset is not None else ():
            known.add(name)
            if name == wanted and ruleset is not None and owner in ("", ruleset_id):
                found.append((ruleset, thing))
    if not found and reporter.has_errors:
        raise refuse(reporter.diagnostics)
    if not found:
        where = f" in `{ids[0]}`" if len(ids) == 1 else ""
        near = did_you_mean(id_, known)
        hint = "" if near else "`tilewright show ruleset ID` lists the rules of a ruleset"
        raise Stop(USAGE, f"unknown rule `{id_}`{where}{near}", hint)
    return found


def span_of(thing: Thing) -> Span:
    """The span of a declaration."""
    return thing.span if not isinstance(thing, m.Rule) else thing.head.span


def block(span: Span) -> str:
    """The block of a file that begins at a span: its line and all that is indented below it."""
    text = read_source(span.file)
    if text is None or span.line < 1:
        return ""
    lines = text.split("\n")
    first = lines[span.line - 1]
    edge = len(first) - len(first.lstrip())
    found = [first]
    for line in lines[span.line :]:
        if line.strip() and len(line) - len(line.lstrip()) <= edge:
            break
        found.append(line)
    while found and (not found[-1].strip() or found[-1].lstrip().startswith("#")):
        found.pop()
    return "\n".join(line[edge:] for line in found)


# ------------------------------------------------------------------ one rule


def statements_of(thing: Thing) -> tuple[str, ...]:
    """The ids of the statements behind a declaration."""
    match thing:
        case m.Statement():
            return (thing.id,)
        case m.DefinitionDecl():
            return ()
        case m.Patch() | m.ValueDecl() | m.StepDecl():
            return thing.statements
    return thing.head.statements


def rule_data(
    ruleset: m.Ruleset, thing: Thing, game: Game | None, language: str = "en"
) -> dict[str, Any]:
    """The data of `show rule` for one rule in one ruleset."""
    span = span_of(thing)
    thing = _in_game(ruleset, thing, game)
    own = with_numbers((ruleset,)) if game is None else game.rulesets
    books = {s.id: s for each in own for s in each.statements}
    id_ = thing.head.id if isinstance(thing, m.Rule) else thing.id
    statements = statements_of(thing)
    return {
        "id": id_,
        "ruleset": ruleset.id,
        "title": ruleset.module.title.get(language),
        "label": _label(thing, language),
        "file": span.file,
        "line": span.line,
        "text": block(span),
        "statements": [_statement(books[s], ruleset, game) for s in statements if s in books],
        "carried_out_by": _carriers(thing, ruleset, game),
        "definition": _definition(thing, game, language),
        "patched_by": _patches(id_, game),
        "scenarios": _scenarios(id_, statements, thing, ruleset, game),
    }


def _in_game(ruleset: m.Ruleset, thing: Thing, game: Game | None) -> Thing:
    """A declaration as it is in the game, where its name may be followed by its ruleset."""
    for each in game.rulesets if game is not None else ():
        if each.id == ruleset.id:
            for _, other in things(each):
                if type(other) is type(thing) and span_of(other) == span_of(thing):
                    return other
    return thing


def _label(thing: Thing, language: str) -> str:
    """The label of a thing: a rule, its item of points, a step."""
    if isinstance(thing, m.StepDecl):
        return thing.label.get(language)
    rule = thing.rule if isinstance(thing, m.Patch) else thing
    if isinstance(rule, m.Amendment) and rule.item:
        return rule.item_label.get(language) or rule.item
    return rule.head.label.get(language) if isinstance(rule, m.Rule) else ""


def _statement(statement: m.Statement, ruleset: m.Ruleset, game: Game | None) -> dict[str, Any]:
    rulesets = game.rulesets if game is not None else (ruleset,)
    titles = {s.id: s.title for r in rulesets for s in r.module.sources}
    return {
        "id": statement.id,
        "topic": statement.topic,
        "authority": statement.authority.value,
        "says": statement.says,
        "cites": [
            f"{titles.get(c.source, c.source)}, {c.section}".rstrip(", ") for c in statement.cites
        ],
    }


def _carriers(thing: Thing, ruleset: m.Ruleset, game: Game | None) -> list[str]:
    if not isinstance(thing, m.Statement):
        return []
    # a game is linked without its scenarios; this ruleset was read with them
    others = game.rulesets if game is not None else ()
    rulesets = (ruleset, *(other for other in others if other.id != ruleset.id))
    return [
        id_
        for r in rulesets
        for id_, other in things(r)
        if not isinstance(other, m.Statement) and thing.id in statements_of(other)
    ]


def _definition(thing: Thing, game: Game | None, language: str) -> dict[str, Any] | None:
    """The definition that a rule amends, or is, with all its amendments in this game."""
    name = thing.definition if isinstance(thing, m.Amendment) else ""
    name = thing.id if isinstance(thing, m.DefinitionDecl) else name
    definition = game.definitions.get(name) if game is not None and name else None
    if definition is None:
        return None
    return {
        "id": definition.id,
        "says": definition.declaration.says.get(language),
        "signature": f"{definition.id}{definition.parameters_text()}",
        "combine": definition.combine.value,
        "amendments": [
            {"id": a.rule.head.id, "ruleset": a.ruleset, "text": a.printed.text}
            for a in definition.amendments
        ],
    }


def _patches(id_: str, game: Game | None) -> list[dict[str, str]]:
    if game is None:
        return []
    return [
        {
            "id": applied.patch.id,
            "ruleset": applied.ruleset,
            "verb": applied.patch.verb,
            "what": applied.patch.changes,
            "before": applied.before,
            "to": applied.patch.to,
            "after": applied.after,
            "why": applied.patch.why,
        }
        for applied in game.patches
        if applied.patch.target == id_
    ]


def _scenarios(
    id_: str, statements: tuple[str, ...], thing: Thing, ruleset: m.Ruleset, game: Game | None
) -> list[str]:
    # a game is linked without its scenarios; this ruleset was read with them
    others = game.rulesets if game is not None else ()
    rulesets = (ruleset, *(other for other in others if other.id != ruleset.id))
    wanted = {id_, *_rules_of(thing, game)}
    return [
        f"{r.id}: {scenario.id}"
        for r in rulesets
        for scenario in r.scenarios
        if wanted & set(scenario.covers)
        or (isinstance(thing, m.Statement) and set(statements) & set(scenario.statements))
    ]


def _rules_of(thing: Thing, game: Game | None) -> set[str]:
    """The rules through which a scenario shows a thing that is not a rule."""
    if game is None or isinstance(thing, m.Statement | m.Rule):
        return set()
    target = thing.target if isinstance(thing, m.Patch) else thing.id
    found = {p.patch.id for p in game.patches if p.patch.target == target}
    match thing:
        case m.DefinitionDecl() if thing.id in game.definitions:
            found |= {a.rule.head.id for a in game.definitions[thing.id].amendments}
        case m.StepDecl():
            steps = [step for step in game.steps if step.id == thing.id]
            found |= {rule.id for step in steps for rule in step.rules}
            found |= {action.id for step in steps for action in step.actions}
        case m.ValueDecl():
            for rule in game.rules():
                named = (each.id for each in expressions_of(rule) if isinstance(each, t.Value))
                if thing.id in named:
                    found.add(rule.rule.head.id)
    return found


def print_rule(data: dict[str, Any], language: str = "en") -> None:
    """One rule on one page."""
    words = Words(language)
    say(f"{bold(data['id'])}  {data['ruleset']}  {dim(place(data['file'], data['line']))}")
    say(dim(f"  {data['title']}"))
    if data["label"]:
        say(f"  {words('match.called')}: {data['label']}")
    if data["text"]:
        say()
        say("\n".join(f"  {line}".rstrip() for line in data["text"].split("\n")))
    if data["statements"]:
        heading(words("show.rulebook"))
        for statement in data["statements"]:
            say(f"  {statement['id']}  {dim(statement['authority'])}")
            say(wrapped(statement["says"], 4))
            for cited in statement["cites"]:
                say(dim(wrapped(f"— {cited}", 4, 6)))
    if data["carried_out_by"]:
        heading(words("show.carried_out_by"))
        say("\n".join(f"  {id_}" for id_ in data["carried_out_by"]))
    definition = data["definition"]
    if definition:
        heading(f"{words('show.definition')}  {definition['signature']}")
        if definition["says"]:
            say(wrapped(definition["says"], 2))
        say(f"  {words('show.amendments', combine=definition['combine'])}:")
        for amendment in definition["amendments"]:
            mark = "*" if amendment["id"] == data["id"] else " "
            say(rows([(f"{mark} {amendment['id']}", amendment["text"])]))
    if data["patched_by"]:
        heading(words("show.patched_by"))
        for patch in data["patched_by"]:
            change = f"{patch['verb']} {patch['what']}"
            change += f": {patch['before']}" if patch["before"] else ""
            change += f" -> {patch['after']}" if patch["after"] else ""
            say(rows([(patch["id"], patch["ruleset"], f"{change}; {patch['why']}")]))
    heading(words("show.proved_by"))
    say("\n".join(f"  {name}" for name in data["scenarios"]) or f"  {words('show.no_scenario')}")


# ------------------------------------------------------------------ the stages


def linked_rule(game: Game, id_: str) -> LinkedAmendment | LinkedRule | LinkedAction:
    """A rule of a linked game; raises `Stop` for an unknown id."""
    found = {
        (rule.rule.head.id if isinstance(rule, LinkedAmendment) else rule.id): rule
        for rule in game.rules()
    }
    if id_ not in found:
        raise Stop(USAGE, f"unknown rule `{id_}` in {game.id}{did_you_mean(id_, found)}")
    return found[id_]


def print_stages(game: Game, id_: str) -> None:
    """Print a rule as written, as syntax tree, as typed tree, as plan and as Python."""
    from tilewright.play.compiling.compile_game import compile_game, plan_of
    from tilewright.play.compiling.lowering.context import python_name
    from tilewright.play.compiling.native import with_forms
    from tilewright.play.compiling.python.writer import python_text

    linked = linked_rule(game, id_)
    rule = linked.rule
    say(f"{bold(id_)}  {linked.ruleset}  {body_of(rule)}{conditions_of(rule.head)}")
    heading(f"1. the file  {place(rule.head.span.file, rule.head.span.line)}")
    say(_indented(block(rule.head.span)))
    heading("2. syntax tree, names not resolved")
    for name, code, is_body in _codes(rule):
        parsed: Any = (
            parse_effects(code, Reporter.discarding())
            if is_body
            else parse_expression(code, Reporter.discarding())
        )
        say(f"  {name}:")
        say(_indented("\n".join(node_lines(parsed)), 4))
    heading("3. typed nodes: every name resolved, every part with its type")
    for name, part in _parts(linked):
        say(f"  {name}:")
        say(_indented("\n".join(node_lines(part)), 4))
    heading(
        "4. plan: in which order and by which sets it is evaluated, and about how many operations"
    )
    plan, cost_of = plan_of(game, _parts(linked))
    for name, part in plan:
        say(f"  {name}:")
        say(_indented("\n".join(node_lines(part, note=cost_of)), 4))
    heading("5. python: what is compiled, under the name of the rule's file")
    forms = with_forms(compile_game(game)).forms or {}
    for name in (n for n in forms if n.partition("_")[2] == python_name(id_)):
        say(_indented(python_text(forms[name])))


def _indented(text: str, by: int = 2) -> str:
    return "\n".join((" " * by + line).rstrip() for line in text.split("\n"))


def _codes(rule: m.Rule) -> list[tuple[str, Code, bool]]:
    found: list[tuple[str, Code, bool]] = []
    if rule.head.when is not None:
        found.append(("when", rule.head.when, False))
    if isinstance(rule, m.Amendment):
        return [*found, ("value", rule.value, False)]
    if isinstance(rule, m.Action):
        found += [(f"offer {name}", code, False) for name, code in rule.offer]
        found += [("where", rule.where, False)] if rule.where is not None else []
    return [*found, ("do", rule.do, True)]


def _parts(
    linked: AnyRule,
) -> list[tuple[str, t.Expression | t.Body]]:
    found: list[tuple[str, t.Expression | t.Body]] = []
    if linked.when is not None:
        found.append(("when", linked.when))
    if isinstance(linked, LinkedAmendment):
        return [*found, ("value", linked.value)]
    if isinstance(linked, LinkedAction):
        found += [(f"offer {name}", term) for name, term in linked.offer]
        found += [("where", linked.where)] if linked.where is not None else []
    return [*found, ("do", linked.effects)]


def node_lines(
    node: object,
    name: str = "",
    depth: int = 0,
    note: Callable[[t.Expression], int] | None = None,
) -> list[str]:
    """A tree of nodes, as written or typed, one a line; `note` numbers each expression."""
    before = "  " * depth + (f"{name}: " if name else "")
    if isinstance(node, tuple):
        if not node:
            return [f"{before}nothing"]
        if not any(isinstance(part, _NESTED) for part in node):
            return [before + " ".join(map(str, node))]
        lines = [before.rstrip()] if name else []
        for part in node:
            lines += node_lines(part, "", depth + (1 if name else 0), note)
        return lines
    if isinstance(node, Node | t.Node):
        names = [name for name in node.__match_args__ if name not in ("span", "type")]
        parts = [(name, getattr(node, name)) for name in names]
        plain = ((k, v) for k, v in parts if not isinstance(v, _NESTED) and v)
        # a declared builtin, and a target, by its name
        attributes = [f"{k}={getattr(v, 'name', v)}" for k, v in plain]
        type_ = getattr(node, "type", None)
        of_type = "" if type_ is None else f": {type_}"
        if note is not None:
            of_type = f"  {note(node)}" if isinstance(node, t.Expression) else ""
        lines = [f"{before}{' '.join([type(node).__name__, *attributes])}{of_type}"]
        for key, value in parts:
            if isinstance(value, _NESTED) and value != ():
                lines += node_lines(value, key, depth + 1, note)
        return lines
    return [f"{before}{node}"]


_NESTED = (Node, t.Node, tuple)
