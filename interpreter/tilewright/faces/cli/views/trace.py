"""`trace`: from statement to rule to scenario, and back.

A row is a statement with the rules that carry it out and the scenarios that prove it; a rule and a
scenario are traced by their rows. `check` reports missing links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import bold, dim, refuse, refusing, rows, say, say_json, wrapped
from tilewright.faces.cli.progress import progress
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.linking.compose.select import whole
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.tools.traceability.statement_coverage import OpenQuestion, Questions, awaited
from tilewright.tools.workspace.loading import worded
from tilewright.tools.workspace.workspace import Workspace
from tilewright.view.results.comparison import TileRow, TopicCell
from tilewright.view.results.divergence import Row as ComparedRow


@dataclass(frozen=True, slots=True)
class Row:
    """A statement with its rules and scenarios."""

    ruleset: str
    statement: str
    topic: str
    says: str
    carried_out_by: tuple[str, ...]
    proved_by: tuple[str, ...]
    note: str


def rows_of(ruleset: m.Ruleset) -> list[Row]:
    """A row for each statement of a ruleset, in the order of the rulebook."""
    carriers: dict[str, list[str]] = {}
    covered: dict[str, list[str]] = {}
    for _, id_, statements, _ in stated_things(ruleset):
        for statement in statements:
            carriers.setdefault(statement, []).append(id_)
    for scenario in ruleset.scenarios:
        for statement in scenario.statements:
            covered.setdefault(statement, []).append(scenario.id)
    found = []
    for s in ruleset.statements:
        note = s.no_rule and f"no rule: {s.no_rule}"
        note = note or (s.carried_by and f"carried by the {s.carried_by}")
        note = note or (f"compares {', '.join(s.compares)}" if s.compares else "")
        follows = f"follows from {', '.join(s.follows_from)}" if s.follows_from else ""
        waits = f"awaits {', '.join(s.awaits)}" if s.awaits else ""
        note = note or "; ".join(filter(None, (follows, waits)))
        found.append(
            Row(
                ruleset.id,
                s.id,
                s.topic,
                s.says,
                tuple(dict.fromkeys(carriers.get(s.id, ()))),
                tuple(covered.get(s.id, ())),
                note,
            )
        )
    return found


def print_trace(id_: str | None, library: Library, ids: tuple[str, ...], form: str) -> None:
    """Print the rows that an id takes part in, or all rows."""
    reporter = Reporter()
    loaded = [whole(name, lambda n: library.load(n, reporter)) for name in ids]
    rulesets = [worded(r, library) for r in loaded if r is not None]
    found: list[Row] = []
    known: set[str] = set()
    for ruleset in rulesets:
        covers = {s.id: s.covers for s in ruleset.scenarios}
        for row in rows_of(ruleset):
            names = {row.statement, row.topic, *row.carried_out_by, *row.proved_by}
            known |= names
            if id_ is None or id_ in names or row.topic.startswith(f"{id_}."):
                found.append(row)
        known |= {name for rules in covers.values() for name in rules}
    found = list(dict.fromkeys(found))
    if not found and reporter.has_errors:
        raise refuse(reporter.diagnostics)
    if id_ is not None and not found:
        hint = f"`tilewright trace --in {id_}` traces all of it" if id_ in library.ids() else ""
        message = f"nothing can be traced by `{id_}`"
        raise Stop(USAGE, message + ("" if hint else did_you_mean(id_, known)), hint)
    if form == "json":
        say_json([asdict(row) for row in found])
        return
    if id_ is None:
        for ruleset in rulesets:
            mine = [row for row in found if row.ruleset == ruleset.id]
            carried = sum(bool(row.carried_out_by) for row in mine)
            proved = sum(bool(row.proved_by) for row in mine)
            counts = f"{len(mine)} statements, {carried} with a rule, {proved} proved"
            say(f"{bold(ruleset.id)}  {dim(counts)}")
            say(
                rows(
                    (
                        row.statement,
                        ", ".join(row.carried_out_by) or row.note or "—",
                        ", ".join(row.proved_by) or "—",
                    )
                    for row in mine
                )
            )
        return
    for row in found:
        say(f"{bold(row.statement)}  {row.ruleset}  {dim(row.topic)}")
        say(wrapped(row.says, 4))
        rules = ", ".join(row.carried_out_by) or row.note or "—"
        say(rows([("rules", rules), ("proof", ", ".join(row.proved_by) or "—")], 4))
    _scenarios_of(id_, rulesets)


def print_unshown(library: Library, games: Sequence[str], form: str) -> None:
    """Print the rows of a comparison for which a search has found no board, with the statements and
    rules of each side.
    """
    from tilewright.tools.comparison.compare import CannotCompareError, compare_texts
    from tilewright.tools.scenarios.runner import Programs
    from tilewright.tools.witness.kept import all_witnesses
    from tilewright.tools.workspace.cache import user_cache
    from tilewright.view.results.divergence import keyed_rows

    with refusing(CannotCompareError), progress("boards") as step:
        found = compare_texts(games, library)
        # an author of scenarios wants to see what they show now
        pairs = all_witnesses(
            found,
            Programs(library),
            user_cache(),
            lambda _, done, of: step(done, of),
            is_searched=True,
        )
    by_key = dict(keyed_rows(found))
    unshown = [(key, by_key[key]) for pair in pairs for key in pair.without if key in by_key]
    if form == "json":
        say_json([{"row": key, "sides": _sides(row)} for key, row in unshown])
        return
    count = sum(len(pair.by_row) for pair in pairs)
    say(dim(f"rows without a board: {len(unshown)}, with one: {count}"))
    say(rows((key, *(", ".join(ids) or "—" for ids in _sides(row))) for key, row in unshown))


def _sides(row: ComparedRow) -> list[list[str]]:
    """The ids of what a row compares, side by side: of statements, or of the thing itself."""
    if isinstance(row, TileRow):
        pairs = [(pair.left, pair.right) for pair in row.tiles]
        return [list(filter(None, ids)) for ids in zip(*pairs, strict=True)]
    return [
        [] if cell is None
        else [each.id for each in cell.statements] + list(cell.rules)
        if isinstance(cell, TopicCell)
        else [cell.id]
        for cell in row.cells
    ]  # fmt: skip


def print_awaiting(name: str | None, library: Library, ids: tuple[str, ...], form: str) -> None:
    """Print the content that statements wait for, and which of it is available by now."""
    found = awaited(Workspace(library), ids)
    if name is not None:
        known = [each.name for each in found]
        found = tuple(each for each in found if each.name == name)
        if not found:
            raise Stop(USAGE, f"no statement awaits `{name}`{did_you_mean(name, known)}")
    if form == "json":
        say_json([asdict(each) for each in found])
        return
    for each in found:
        count = len(each.statements)
        count_text = f"{count} statement" + ("" if count == 1 else "s")
        there = f"; there now: {', '.join(each.there)}" if each.there else ""
        say(f"{bold(each.name)}  {dim(count_text + there)}")
        say(
            rows(
                (
                    row.statement,
                    row.ruleset,
                    (f"{row.provided_by} provides it: a finding. " if row.provided_by else "")
                    + row.says,
                )
                for row in each.statements
            )
        )
    if not found:
        say("no statement waits for anything")


def _scenarios_of(id_: str, rulesets: list[m.Ruleset]) -> None:
    """The scenarios that cover a rule by name."""
    covering = [
        (f"{ruleset.id}: {scenario.id}", scenario.says)
        for ruleset in rulesets
        for scenario in ruleset.scenarios
        if id_ in scenario.covers
    ]
    if covering:
        say(bold(f"\nscenarios that cover {id_}"))
        say(rows(dict.fromkeys(covering)))


def print_questions(id_: str | None, library: Library, ids: tuple[str, ...], form: str) -> None:
    """Print the open questions of the rulebooks: of one statement or option, or all."""
    questions = Questions(Workspace(library))
    found = [question for name in ids for question in questions.of(name)]
    known = {name for question in found for name in (question.statement, question.option) if name}
    if id_ is not None:
        found = [question for question in found if id_ in (question.statement, question.option)]
        if not found:
            raise Stop(USAGE, f"no open question about `{id_}`{did_you_mean(id_, known)}")
    if form == "json":
        say_json([asdict(question) for question in found])
        return
    ruleset = ""
    for question in found:
        if question.ruleset != ruleset:
            ruleset = question.ruleset
            mine = [each for each in found if each.ruleset == ruleset]
            settled = sum(bool(each.settled) for each in mine)
            counts = (
                f"{len(mine)} questions, {len(mine) - settled} with an option, {settled} settled"
            )
            say(f"{bold(ruleset)}  {dim(counts)}")
        say(f"  {bold(question.statement)}")
        say(wrapped(question.asks, 4))
        if question.settled:
            say(wrapped(f"settled: {question.settled}", 6))
        else:
            say(rows(_readings(question), 6))


def _readings(question: OpenQuestion) -> list[tuple[str, str]]:
    """The choices of a question's option and the scenarios that play them."""
    if not question.declared_by:
        return [(question.option, "an option that no ruleset declares")]
    where = "" if question.declared_by == question.ruleset else f" ({question.declared_by})"
    return [
        (
            f"{question.option}: {reading.choice}{where}",
            "the default" if reading.is_default else ", ".join(reading.scenarios) or "—",
        )
        for reading in question.readings
    ]
