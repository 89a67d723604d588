"""Inspects one ruleset: every static check of it, without play.

The ruleset is read, its component list is counted, and it is linked with its requirements: under
its declared options, under every other choice of one option at a time, and so that every two
option-dependent parts occur together once. Parts that depend on other rulesets (`with`) are linked
with them. Its statements are checked against its rules and scenarios. Consequences of an earlier
diagnostic are left out. No rule runs.

Only conditions read options (`option:` of a rule or a patch, `when:` of a tile), so two games with
the same true conditions have the same diagnostics. Every choice that a condition names is tried
alone, one other choice represents the rest, and every two conditions that can hold together do so
in one of a few games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, at_least
from tilewright.language.source.files import read_whole
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.yaml.tree import MAX_DIAGNOSTICS, MAX_FILE_BYTES
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.rules.analysis.component_list import check_components
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.select import Selection, select, split_game
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Ignore, OptionDecl, Ruleset, codes_of
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.checking.changed_promises import with_changes
from tilewright.tools.checking.declared_elsewhere import Elsewhere
from tilewright.tools.checking.lints import Linter, lint_marks
from tilewright.tools.checking.stated_numbers import check_stated
from tilewright.tools.checking.suppressions import Inspected
from tilewright.tools.scenarios.inspection import check_covers, inspect_scenario
from tilewright.tools.traceability.statement_coverage import StatementChecker
from tilewright.tools.workspace.companions import check_company, companies
from tilewright.tools.workspace.loading import split_options
from tilewright.tools.workspace.workspace import Workspace

Options = dict[str, str]

#: the most conditions of one ruleset that are combined with others
MAX_CONDITIONS = 50
#: characters of effect text that take as long to link as one declaration
_AS_GOOD_AS = 100


def variants(selection: Selection, ruleset: Ruleset) -> Iterator[Mapping[str, str]]:
    """The options, besides the declared ones, under which a game is checked for one ruleset.

    Conditions of two other rulesets are not combined: the checks of those rulesets do it.
    """
    declared = {o.id: o for r in selection.rulesets for o in r.module.options}
    defaults = {name: option.default for name, option in declared.items()}
    per_ruleset = [conditions(r, selection) for r in selection.rulesets]
    named = {item for found in per_ruleset for condition in found for item in condition.items()}
    for option in declared.values():
        yield from ({option.id: choice} for choice in _worth_trying(option, named))
    everywhere = [c for found in per_ruleset for c in found[:MAX_CONDITIONS]]
    missing = _pairs(conditions(ruleset, selection)[:MAX_CONDITIONS], everywhere, defaults)
    while missing:
        game = dict(missing[0])
        for pair in missing[1:]:
            if _agree(game, pair):
                game |= pair
        yield game
        whole = {**defaults, **game}.items()
        missing = [pair for pair in missing if not pair.items() <= whole]


def _worth_trying(option: OptionDecl, conditions: set[tuple[str, str]]) -> list[str]:
    """The choices under which other conditions hold than under the default or each other."""
    found: list[str] = []
    stranger = (option.id, option.default) not in conditions
    for choice in option.choices:
        if choice == option.default:
            continue
        if (option.id, choice) in conditions:
            found.append(choice)
        elif not stranger:
            stranger = True
            found.append(choice)
    return found


def _pairs(own: Sequence[Options], others: Sequence[Options], defaults: Options) -> list[Options]:
    """Every two conditions that can hold together, but not by changing one option alone."""
    found: dict[frozenset[tuple[str, str]], Options] = {}
    for one in own:
        for other in others:
            if _agree(one, other):
                both = {**other, **one}
                changed = sum(defaults.get(name) != value for name, value in both.items())
                if changed > 1:
                    found.setdefault(frozenset(both.items()), both)
    return list(found.values())


def conditions(
    ruleset: Ruleset, selection: Selection, *, in_company: bool = False
) -> list[Options]:
    """The option conditions of a ruleset's rules, patches and tiles, without duplicates.

    With `in_company` only those that also require other rulesets.
    """
    choices = {o.id: o.choices for r in selection.rulesets for o in r.module.options}
    sources = [(rule.head.option, rule.head.with_) for rule in ruleset.rules]
    sources += [(patch.option, patch.with_) for patch in ruleset.patches]
    sources += [(piece.when, piece.with_) for piece in ruleset.pieces]
    found: dict[frozenset[tuple[str, str]], Options] = {}
    for wanted, required in sources:
        is_possible = all(value in choices.get(name, ()) for name, value in wanted)
        if wanted and is_possible and (required or not in_company):
            found.setdefault(frozenset(wanted), dict(wanted))
    return list(found.values())


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(other.get(name, value) == value for name, value in one.items())


def extent(selection: Selection) -> int:
    """The cost of linking a game, in characters of effects or an equivalent."""
    return sum(map(_extent, selection.rulesets))


@kept_by_identity
def _extent(ruleset: Ruleset) -> int:
    things = (ruleset.pieces, ruleset.values, ruleset.definitions, ruleset.steps, ruleset.patches)
    codes = (code for rule in ruleset.rules for code in codes_of(rule))
    declared = sum(map(len, things)) + len(ruleset.rules)
    return _AS_GOOD_AS * declared + sum(len(code.text) for code in codes)


# ------------------------------------------------------------------ scenarios


#: passes on the diagnostics of a game that do not follow from an unreadable file
Report = Callable[[tuple[Diagnostic, ...], Selection | None], None]


def check_scenarios(own: Ruleset, workspace: Workspace, report: Report, reporter: Reporter) -> None:
    """Report what is wrong with the scenarios of a ruleset's own files as they are written.

    `report` gets the errors of games that cannot be made.
    """
    games: dict[tuple[str, ...], tuple[Game | None, tuple[Diagnostic, ...]]] = {}
    enough = reporter.error_count + MAX_DIAGNOSTICS
    for scenario in own.scenarios:
        if reporter.error_count > enough:
            message = f"more than {MAX_DIAGNOSTICS} errors; the other scenarios are not checked"
            reporter.warning("TW116", message, scenario.span)
            break
        ids = scenario.rulesets or (own.id,)
        if not all(workspace.has(cut_part(id_)[0]) for id_ in ids):
            continue  # the statements' checker reports which one is missing
        found, game = Reporter(), None
        options = dict(scenario.options)
        selection = select(ids, options, workspace.own, found, scenario.place)
        if selection is not None:
            key = (selection.id, *ids)
            if key not in games:
                linking = Reporter()
                games[key] = link(selection, linking), linking.diagnostics
            game, diagnostics = games[key]
            found.extend(diagnostics)
        if game is None and not scenario.fails:
            report(at_least(found.diagnostics, Severity.ERROR), selection)
        else:
            inspect_scenario(scenario, game, found.diagnostics, reporter)
        if selection is not None:
            check_covers(scenario, selection.rulesets, game, reporter)


# ------------------------------------------------------------------ the ruleset


#: the most games in which a ruleset is checked, besides the one of the declared options
MAX_GAMES = 100
#: limit of the linked size, see `extent`
MAX_LINKED = 2_400_000

#: diagnostics of effect text that stay true even if a declaration was unreadable
INDEPENDENT = frozenset(
    ("TW401", "TW402", "TW403", "TW404", "TW406", "TW407", "TW410", "TW418", "TW419", "TW420")
)

#: diagnostics about a name: true unless the name may be declared in an unreadable file
ABOUT_NAMES = frozenset(
    ("TW301", "TW302", "TW303", "TW304", "TW305", "TW707", "TW709", "TW712", "TW714", "TW716")
)
_NAMES = re.compile(r"`([^`]+)`")


def inspect(workspace: Workspace, id_: str, requested: Container[str]) -> Inspected:
    """The diagnostics of one ruleset; `requested` are all rulesets of the check."""
    found, explained = Reporter(), Reporter()
    _inspect(workspace, id_, requested, found)
    elsewhere = Elsewhere(workspace)
    for diagnostic in found.in_order_of_report():
        explained.add(elsewhere.explained(diagnostic, id_))
    return _inspected(workspace, id_, explained)


def first_look(workspace: Workspace, id_: str) -> Inspected:
    """Some of the diagnostics of one ruleset: those that need only its files, and its game under
    the declared options. No other ruleset is searched for names.
    """
    found = Reporter()
    _inspect(workspace, id_, None, found)
    return _inspected(workspace, id_, found)


def _inspected(workspace: Workspace, id_: str, found: Reporter) -> Inspected:
    files = {diagnostic.span.file for diagnostic in found.diagnostics}
    others: dict[Ignore, None] = {}
    with workspace.library.recording():  # these are read already, and not requested for
        for read in workspace.read() if files else ():
            each = workspace.own(read)
            for ignore in each.ignores if each is not None else ():
                if ignore.span.file in files:
                    others[ignore] = None
    ruleset = workspace.own(id_)
    return Inspected(
        tuple(found.in_order_of_report()),
        ruleset.ignores if ruleset is not None else (),
        tuple(others),
    )


def _inspect(
    workspace: Workspace, id_: str, requested: Container[str] | None, reporter: Reporter
) -> None:
    """Report the diagnostics of one ruleset; without `requested`, those of the first look."""
    library, linter = workspace.library, Linter(workspace)
    ruleset = library.load(id_, reporter)
    if ruleset is None:
        return
    is_read = not reporter.has_errors
    if not _has_its_needs(ruleset, workspace, reporter):
        _check_syntax(ruleset, reporter)
        return
    entire = workspace.whole(id_)
    assert entire is not None
    for file in ruleset.files:
        lint_marks(_text_of(file), file, reporter)
    if is_read:
        check_components(entire, reporter)
    if requested is None:
        _, games = _check_declared(entire, workspace, reporter)
        for game in games:
            linter.game(game, ruleset.files, reporter)
        return
    check_company(ruleset, workspace, reporter)
    if is_read:
        linter.ruleset(ruleset, reporter)
    for game in _check_links(entire, workspace, reporter):
        linter.game(game, ruleset.files, reporter)
    linter.amendments(reporter)
    linter.memories(ruleset, reporter)
    if is_read:
        StatementChecker(workspace).check(id_, requested, reporter)
        check_stated(ruleset, workspace, reporter)
        report = partial(_report, workspace=workspace, reporter=reporter)
        check_scenarios(ruleset, workspace, report, reporter)


def _has_its_needs(ruleset: Ruleset, workspace: Workspace, reporter: Reporter) -> bool:
    """Whether the rulesets that this one names are in the library."""
    module = ruleset.module
    named = [(need.default, need.span) for need in module.requires]
    if module.takes_over is not None:
        named.append((module.takes_over, module.span))
    before = reporter.error_count
    for id_, span in named:
        workspace.library.load(id_, reporter, span)
    missing = not all(workspace.has(id_) for id_, _ in named)
    return not missing or reporter.error_count == before


def _check_syntax(ruleset: Ruleset, reporter: Reporter) -> None:
    """Report syntax errors in the rules of a ruleset that cannot be linked."""
    for rule in (*ruleset.rules, *(p.rule for p in ruleset.patches if p.rule is not None)):
        body = getattr(rule, "do", None)
        for code in codes_of(rule):
            if code is body:
                parse_effects(code, reporter)
            else:
                parse_expression(code, reporter)
    for definition in ruleset.definitions:
        if definition.default is not None:
            parse_expression(definition.default, reporter)


# ------------------------------------------------------------------ linking


def _check_declared(
    ruleset: Ruleset, workspace: Workspace, reporter: Reporter
) -> tuple[Selection | None, Iterable[Game]]:
    """Link a ruleset with its requirements under the declared options: its game, or nothing."""
    found = Reporter()
    selection = select([ruleset.id], {}, workspace.own, found)
    _report(found.diagnostics, selection, workspace, reporter)
    if selection is None:
        _check_syntax(ruleset, reporter)
        return None, ()
    return selection, _link(selection, workspace, reporter)


def _check_links(ruleset: Ruleset, workspace: Workspace, reporter: Reporter) -> Iterator[Game]:
    """Link a ruleset with its requirements and its companions, under several options; yield each
    game that can be linked.
    """
    selection, games = _check_declared(ruleset, workspace, reporter)
    yield from games
    if selection is None:
        return
    if len(conditions(ruleset, selection)) > MAX_CONDITIONS:
        message = f"`{ruleset.id}` has more than {MAX_CONDITIONS} option conditions, and only the"
        message += f" first {MAX_CONDITIONS} are combined"
        reporter.warning("TW116", message, ruleset.module.span)
    others = _other_games(ruleset, selection, workspace)
    left = MAX_LINKED
    for number, (ids, options) in enumerate(others):
        if number == MAX_GAMES or left < 0:
            message = f"`{ruleset.id}` makes more than {number} games with its options and"
            message += " companions, and the others are not checked"
            reporter.warning("TW116", message, ruleset.module.span)
            break
        game = _selected(ids, options, workspace, reporter)
        if game is not None:
            left -= extent(game)
            yield from _link(game, workspace, reporter, ids[1:], options)


def _other_games(
    ruleset: Ruleset, selection: Selection, workspace: Workspace
) -> Iterator[tuple[tuple[str, ...], Mapping[str, str]]]:
    """The games under other options than the declared ones, and with each set of companions."""
    for options in variants(selection, ruleset):
        yield (ruleset.id,), options
    for ids in companies(ruleset, selection, workspace):
        yield ids, {}
        together = _selected(ids, {}, workspace, Reporter.discarding())
        assert together is not None
        for options in conditions(ruleset, together, in_company=True):
            yield ids, options


def _selected(
    ids: Sequence[str], options: Mapping[str, str], workspace: Workspace, reporter: Reporter
) -> Selection | None:
    found = Reporter()
    selection = select(ids, options, workspace.own, found)
    if any(cut_part(id_)[1] for id_ in ids):
        reporter.extend(found.diagnostics)
    return selection


def _link(
    selection: Selection | None,
    workspace: Workspace,
    reporter: Reporter,
    others: Sequence[str] = (),
    options: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Game]:
    """Report the diagnostics of a game, with the other rulesets and options without which they do
    not occur. A conflict that names one of these rulesets occurs without the rest.
    """
    if selection is None:
        return
    found, translated = Reporter(), Reporter()
    game = link(selection, found)
    for each in found.diagnostics:
        diagnostic = with_changes(each, selection.rulesets)
        situation = diagnostic.conflict.situation if diagnostic.conflict is not None else ""
        company = () if any(f"`{id_}`" in situation for id_ in others) else others
        when = _circumstances(company, options, selection)
        hint = "; ".join(filter(None, (diagnostic.hint, when and f"this occurs {when}")))
        translated.add(replace(diagnostic, hint=hint))
    _report(translated.diagnostics, selection, workspace, reporter)
    if game is not None:
        yield game


def check_game(text: str, workspace: Workspace, reporter: Reporter) -> None:
    """Report the diagnostics of one game under the options of its text and the declared ones."""
    found, reading = Reporter(), Reporter()
    game, options = split_options(text)
    ids = split_game(game)
    selection = select(ids, options, workspace.own, found)
    for id_ in ids:
        workspace.library.load(cut_part(id_)[0], reading)
    if not reading.has_errors:  # these are reported with the rulesets, and lead to others
        reporter.extend(found.diagnostics)
    if selection is not None:
        for _ in _link(selection, workspace, reporter, ids[1:], options):
            pass


def _circumstances(
    rulesets: Sequence[str], options: Mapping[str, str], selection: Selection
) -> str:
    """The companions and the options that are not the declared ones, in words."""
    defaults = {o.id: o.default for r in selection.rulesets for o in r.module.options}
    chosen = [f"`{k}: {v}`" for k, v in sorted(options.items()) if defaults.get(k) != v]
    words = [f"with `{id_}`" for id_ in rulesets]
    words += [f"under option {', '.join(chosen)}"] if chosen else []
    return " ".join(words)


def _report(
    found: Iterable[Diagnostic],
    selection: Selection | None,
    workspace: Workspace,
    reporter: Reporter,
) -> None:
    """Report diagnostics; after an unreadable file, only those that do not follow from it."""
    reading = Reporter()
    for ruleset in selection.rulesets if selection is not None else ():
        for id_ in workspace.lineage(ruleset.id):
            workspace.library.load(id_, reading)
    reporter.extend(reading.diagnostics)
    if not reading.has_errors:
        reporter.extend(found)
        return
    damaged = {d.span.file for d in reading.diagnostics if d.severity is Severity.ERROR}
    lost = "\n".join(_text_of(file) for file in sorted(damaged))
    modules = [each.module for each in selection.rulesets] if selection is not None else []
    # with a damaged module.yaml a ruleset may build on another one, which declares its names
    is_alone = any(
        module.span.file in damaged and module.kind != "base" and not module.requires
        for module in modules
    )
    known = INDEPENDENT if is_alone else INDEPENDENT | ABOUT_NAMES
    reporter.extend(each for each in found if each.code in known and _stays_true(each, lost))


def _stays_true(diagnostic: Diagnostic, lost: str) -> bool:
    """Whether a diagnostic of these codes is independent of the unreadable parts."""
    if diagnostic.code in INDEPENDENT:
        return True
    problem = diagnostic.message.split("; did you mean")[0]
    return not any(name.split(".")[-1] in lost for name in _NAMES.findall(problem)[:1])


def _text_of(file: str) -> str:
    try:
        return read_whole(Path(file), MAX_FILE_BYTES)
    except (OSError, ValueError):
        return ""
