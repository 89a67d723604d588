"""Verbs about rulesets: `rulesets`, `check`, `test`, `trace`, `explain`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilewright.cli.arguments import (
    LANGUAGES,
    Language,
    Rulesets,
    With,
    complete_ruleset,
    complete_word,
    game_asked,
    library_for,
    one_of,
    rulesets_asked,
)
from tilewright.cli.baselines import keep_findings, known_findings, new_findings
from tilewright.cli.exit_codes import FINDINGS, UNREADABLE, USAGE, Stop
from tilewright.cli.output import (
    bold,
    code_for,
    complaints,
    dim,
    heading,
    mention,
    progress,
    rows,
    say,
)

if TYPE_CHECKING:
    from tilewright.reading.library import Library
    from tilewright.tools.scenarios.runner import Programs, Run

Form = Annotated[str, typer.Option("--format", "-f", metavar="FORM", help="text or json")]
Findings = Annotated[
    str,
    typer.Option("--format", "-f", metavar="FORM", help="text, json, sarif, github or junit"),
]
FINDINGS_FORMS = ("text", "json", "sarif", "github", "junit")


def register(app: typer.Typer) -> None:
    """Put these verbs on the command line."""
    app.command("rulesets")(rulesets)
    app.command("check")(check)
    app.command("test")(test)
    app.command("trace")(trace)
    app.command("explain")(explain)


def rulesets(with_: With = None, language: Language = "en", form: Form = "text") -> None:
    """List the rulesets there are, with their titles and what they need.

    \b
    Examples:
      tilewright rulesets
      tilewright rulesets --with ./my-rules --lang uk
    """
    from tilewright.reading.module import read_module
    from tilewright.source.diagnostics import Reporter
    from tilewright.source.yaml.tree import read_yaml_file

    one_of("the language", language, LANGUAGES)
    one_of("the format", form, ("text", "json"))
    library = library_for(with_)
    found: list[dict[str, Any]] = []
    for id_ in library.ids():
        folder = library.folder(id_)
        assert folder is not None
        node = read_yaml_file(folder / "module.yaml", f"{id_}/module.yaml", Reporter.discarding())
        module = read_module(node, Reporter.discarding()) if node is not None else None
        if module is None:
            found.append({"id": id_, "title": "", "kind": "unreadable", "needs": []})
            continue
        found.append(
            {
                "id": id_,
                "title": module.title.get(language),
                "kind": module.kind,
                "edition": module.edition,
                "year": module.year,
                "needs": [need.role for need in module.requires],
                "takes_over": module.takes_over,
                "folder": str(folder),
            }
        )
    if form == "json":
        say(json.dumps(found, ensure_ascii=False, indent=2))
        return
    table = []
    for each in found:
        more = f"needs {', '.join(each['needs'])}" if each["needs"] else ""
        if each.get("takes_over"):
            more = f"takes over {each['takes_over']}"
        table.append((each["id"], each["kind"], each["title"], more))
    say(rows(table, 0))


def check(
    paths: Rulesets = None,
    with_: With = None,
    form: Findings = "text",
    is_full: Annotated[
        bool,
        typer.Option("--full", help="tell each gap of book, law and proof, be they ever so many"),
    ] = False,
    is_strict: Annotated[bool, typer.Option("--strict", help="same as `--fail-on note`")] = False,
    fail_on: Annotated[
        str,
        typer.Option(metavar="SEVERITY", help="error, warning or note: what makes the check fail"),
    ] = "warning",
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="tell new findings only, not those in this file",
            show_default=False,
        ),
    ] = None,
    new_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline",
            metavar="FILE",
            help="keep all findings as known ones",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say everything that is wrong with rulesets, without playing them.

    Shape, names, types, geometry, counts, conflicts, and whether book, law and proof belong
    together. Every complaint has a code that [bold]explain[/bold] tells more of. As text, what is
    wrong stands before what is missing, and many gaps of one sort take one line.

    \b
    Examples:
      tilewright check
      tilewright check ./my-rules
      tilewright check ./my-rules:tiles
      tilewright check ./my-rules+./your-rules                do they go together?
      tilewright check c2/base --format sarif > findings.sarif
      tilewright check --write-baseline known.json
      tilewright check --baseline known.json --fail-on error
    """
    from tilewright.source.diagnostics import Severity
    from tilewright.source.report import GAPS
    from tilewright.source.report_ci import as_junit
    from tilewright.tools.checking.check import check as checked
    from tilewright.tools.scenarios.junit import suites_of_files

    one_of("the format", form, FINDINGS_FORMS)
    at = Severity(one_of("the severity", "note" if is_strict else fail_on, tuple(Severity)))
    known = known_findings(baseline) if baseline is not None else ()
    library, ids = rulesets_asked(paths, with_, parts=True)
    games = [game_asked(text, with_)[1] for text in paths or () if "+" in text]
    found = checked(library, ids, games)
    if new_baseline is not None and code_for(found) != UNREADABLE:
        keep_findings(new_baseline, found)
        raise typer.Exit
    if baseline is not None:
        found = new_findings(found, known, library, ids)
    if form == "junit":
        say(as_junit("tilewright check", suites_of_files(library, ids, found, at)))
    else:
        complaints(found, form, is_short=not is_full)
    if form == "text":
        said = ids[0] if len(ids) == 1 else f"{len(ids)} rulesets"
        mention(f"checked {said}")
        if found:
            first = next((each for each in found if each.code not in GAPS), found[0])
            mention(f"`tilewright explain {first.code}` tells more of a code")
    raise typer.Exit(code_for(found, at))


def test(
    paths: Rulesets = None,
    with_: With = None,
    with_coverage: Annotated[
        bool, typer.Option("--coverage", help="tell which rules and conditions nothing reaches")
    ] = False,
    name: Annotated[
        str, typer.Option("--only", metavar="TEXT", help="scenarios whose id holds this text")
    ] = "",
    form: Findings = "text",
) -> None:
    """Play the scenarios of rulesets and say what does not hold.

    \b
    Examples:
      tilewright test
      tilewright test c2/base --coverage
      tilewright test ./my-rules --only tie
      tilewright test --format junit > scenarios.xml
    """
    from tilewright.source.diagnostics import did_you_mean
    from tilewright.source.report import as_text
    from tilewright.tools.scenarios.runner import Programs, collect, run_scenario

    one_of("the format", form, FINDINGS_FORMS)
    library, ids = rulesets_asked(paths, with_)
    programs = Programs(library, probes=with_coverage)
    collected = collect(ids, library)
    unread = collected.diagnostics
    known = [case.scenario.id for case in collected.cases]
    todo = [case for case in collected.cases if name in case.scenario.id]
    if name and not todo and not unread:
        where = ids[0] if len(ids) == 1 else f"{len(ids)} rulesets"
        message = f"no scenario of {where} has an id that holds `{name}`"
        raise Stop(USAGE, message + did_you_mean(name, known))
    runs = []
    with progress("scenarios", len(todo)) as step:
        for number, case in enumerate(todo, 1):
            runs.append(run_scenario(case.scenario, case.ruleset, case.game, programs))
            step(number)
    failed = [run for run in runs if not run.passed]
    problems = [*unread, *(problem for run in failed for problem in run.problems)]
    gaps = 0
    if form == "junit":
        from tilewright.source.report_ci import as_junit
        from tilewright.tools.scenarios.junit import suites_of_runs

        say(as_junit("tilewright test", suites_of_runs(runs, collected.errors)))
    elif form != "text":
        complaints(problems, form)
    else:
        from tilewright.cli.output import colour_wanted, read_source

        if unread:
            say(as_text(unread, read_source, colour_wanted()))
        for run in failed:
            say(bold(f"{run.name}  {run.game}"))
            say(as_text(run.problems, read_source, colour_wanted()))
        for id_ in ids:
            mine = [run for run in runs if run.ruleset == id_]
            good = sum(run.passed for run in mine)
            if mine:
                say(f"{id_}: {good} of {len(mine)} scenarios hold")
        if with_coverage:
            gaps = _coverage(ids, library, runs, programs)
    raise typer.Exit(code_for(problems) or (FINDINGS if gaps else 0))


def _coverage(ids: Sequence[str], library: Library, runs: Sequence[Run], programs: Programs) -> int:
    """Print what the scenarios reach; how many gaps there are."""
    from tilewright.source.diagnostics import Reporter
    from tilewright.tools.scenarios.coverage import measure

    quiet = Reporter.discarding()  # the errors of reading are told above
    loaded = [library.load(id_, quiet) for id_ in ids]
    gaps = 0
    heading("coverage")
    for each in measure([r for r in loaded if r is not None], runs, programs):
        pairs = (("rules", each.rules), ("sides", each.sides), ("choices", each.choices))
        said = "   ".join(f"{name} {seen}/{total}" for name, (seen, total) in pairs)
        say(f"  {each.ruleset:<30} {said}")
        for gap in each.gaps:
            say(f"    {gap.text}  {dim(str(gap.span))}")
        gaps += len(each.gaps)
    return gaps


def trace(
    id_: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="a statement, rule, topic or scenario; none means a table of all",
            autocompletion=complete_word,
            show_default=False,
        ),
    ] = None,
    inside: Annotated[
        str | None,
        typer.Option(
            "--in",
            metavar="RULESET",
            help="look in this ruleset only",
            show_default=False,
            autocompletion=complete_ruleset,
        ),
    ] = None,
    questions: Annotated[
        bool,
        typer.Option(
            "--questions", help="what the books leave open: each question with its readings"
        ),
    ] = False,
    is_awaiting: Annotated[
        bool, typer.Option("--awaiting", help="what statements wait for that is not there yet")
    ] = False,
    with_: With = None,
    form: Form = "text",
) -> None:
    """Walk from the book to the law to the proof: statement, rule, scenario, and back.

    \b
    Examples:
      tilewright trace turn.draw
      tilewright trace --in c2/base
      tilewright trace --questions
      tilewright trace --awaiting
    """
    from tilewright.cli.views.trace import print_awaiting, print_questions, print_trace

    one_of("the format", form, ("text", "json"))
    library, ids = rulesets_asked([inside] if inside else None, with_)
    within = ids if inside else library.ids()
    if questions:
        print_questions(id_, library, within, form)
    elif is_awaiting:
        print_awaiting(id_, library, within, form)
    else:
        print_trace(id_, library, within, form)


def explain(
    word: Annotated[
        str,
        typer.Argument(
            help="a code (TW101), a word of the rule language, a key of a file, or an id",
            autocompletion=complete_word,
        ),
    ],
    with_: With = None,
) -> None:
    """Tell what a code, a word of the rule language, a key of a file, or an id means.

    \b
    Examples:
      tilewright explain TW102
      tilewright explain attach
      tilewright explain completes
      tilewright explain module.yaml
      tilewright explain turn.draw
    """
    from tilewright.cli.views.explain import explain as explained

    explained(word, library_for(with_))
