"""The verb `mutate`: whether scenarios notice changed rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import PROBLEMS, SUCCESS, UNREADABLE, USAGE, Stop
from tilewright.faces.cli.output import (
    bold,
    dim,
    heading,
    mention,
    refuse,
    refusing,
    rows,
    say,
    say_json,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import LOOKS

if TYPE_CHECKING:
    from tilewright.rules.reading.library import Library
    from tilewright.tools.mutation.run import Explained, Outcome, Report
    from tilewright.tools.mutation.statement_proofs import StatementProof


def mutate(
    ruleset: Annotated[str, a.argument("RULESET", "an id, a folder or a file", a.complete_ruleset)],
    with_: a.With = None,
    rule: Annotated[str, a.option("ID", "mutate only this rule", "--rule")] = "",
    sample: Annotated[
        int, a.option("N", "number of mutants chosen at random", min=0, show_default="all")
    ] = 0,
    seed: a.Seed = "1",
    jobs: a.Jobs = None,
    explained: Annotated[
        Path | None, a.option("FILE", "YAML file that lists survivors with reasons"), LOOKS
    ] = None,
    least: Annotated[
        int, a.option("PERCENT", "share of mutants that must be killed", min=0, max=100), LOOKS
    ] = 95,
    statements: Annotated[
        bool,
        a.flag("--statements", "check for each statement that its own scenarios notice a change"),
    ] = False,
    form: Annotated[str, a.format_option("text", "json"), LOOKS] = "text",
) -> None:
    """Change a ruleset in one place at a time, and list changes that no scenario notices.

    A surviving mutant means that no scenario covers the detail, or that the rule is redundant. Add
    a scenario that kills it, or list it with a reason in `--explained FILE`.

    `--statements` requires, for each statement, a mutant of its rules that fails one of
    the scenarios that prove it. Statements without mutants are listed with a reason. The argument
    may then be a folder with several rulesets.

    \b
    Examples:
      tilewright mutate c2/base --jobs 2
      tilewright mutate c2/base --rule turn.draw
      tilewright mutate ./my-rules --explained survivors.yaml
      tilewright mutate c2/base --statements
    """
    from tilewright.language.source.diagnostics import did_you_mean
    from tilewright.tools.mutation.run import CannotMutateError, rules_with_mutants
    from tilewright.tools.mutation.run import mutate as mutated
    from tilewright.tools.workspace.processes import usable_cores

    library, ids = a.rulesets_from([ruleset], with_)
    if statements:
        _statements(library, ids, form)
    if len(ids) != 1:
        raise Stop(USAGE, f"expected one ruleset, but `{ruleset}` contains {len(ids)}")
    known = _explained(explained)
    with refusing(CannotMutateError):
        if rule:
            rules = rules_with_mutants(library, ids[0])
            if rule not in rules:
                raise Stop(USAGE, f"`{rule}` has no mutants{did_you_mean(rule, rules)}")
        with progress("mutants", None) as step:
            report = mutated(
                library,
                ids[0],
                rule=rule,
                sample=sample,
                seed=seed,
                jobs=jobs or usable_cores(),
                explained=known,
                least=least,
                progress=step,
            )
    if form == "json":
        say_json(_as_data(report))
    else:
        _print(report)
    if not report.counted:
        raise _nothing_tried(report)
    raise typer.Exit(SUCCESS if report.is_good else PROBLEMS)


def _nothing_tried(report: Report) -> Stop:
    """The refusal of a ruleset if no change of it could be tried."""
    if not report.outcomes:
        hint = "rules, values, definitions and patches are changed; tiles are not"
        return Stop(PROBLEMS, f"there is nothing in `{report.ruleset}` that can be changed", hint)
    message = f"no change of `{report.ruleset}` makes another game that is valid"
    return Stop(PROBLEMS, message)


def _statements(library: Library, ids: tuple[str, ...], form: str) -> NoReturn:
    """Print the statements that are proved, and those that are not; ends the run."""
    from tilewright.tools.mutation.run import CannotMutateError
    from tilewright.tools.mutation.statement_proofs import statement_proofs

    with refusing(CannotMutateError), progress("statements", None) as step:
        proofs = statement_proofs(library, ids, progress=step)
    if form == "json":
        say_json([_proof_data(proof) for proof in proofs])
    else:
        _print_proofs(proofs)
    raise typer.Exit(SUCCESS if all(proof.is_good for proof in proofs) else PROBLEMS)


def _print_proofs(proofs: Sequence[StatementProof]) -> None:
    from tilewright.tools.mutation.statement_proofs import Verdict

    left_out = [proof for proof in proofs if proof.verdict is Verdict.NOT_APPLICABLE]
    gaps = [proof for proof in proofs if not proof.is_good]
    for proof in gaps:
        say(f"{proof.span}: statement `{proof.statement}` is not proved: {proof.reason}")
    if left_out:
        heading("not applicable")
        say(rows([(proof.statement, proof.reason) for proof in left_out]))
    proved = len(proofs) - len(gaps) - len(left_out)
    summary = f"{proved} of {len(proofs) - len(left_out)} statements are proved"
    say(bold(f"{summary}; {len(left_out)} not applicable"))


def _proof_data(proof: StatementProof) -> dict[str, Any]:
    return {
        "ruleset": proof.ruleset,
        "statement": proof.statement,
        "verdict": proof.verdict.value,
        "mutant": proof.mutant or None,
        "scenario": proof.scenario or None,
        "reason": proof.reason or None,
        "file": proof.span.file,
        "line": proof.span.line,
        "column": proof.span.column,
    }


def _explained(path: Path | None) -> tuple[Explained, ...]:
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.tools.mutation.run import read_survivors

    if path is None:
        return ()
    if not path.is_file():
        raise Stop(UNREADABLE, f"`{path}` does not exist")
    reporter = Reporter()
    found = read_survivors(path, reporter)
    if reporter.has_errors:
        raise refuse(reporter.diagnostics)
    return found


def _sentence(outcome: Outcome) -> str:
    return f"{outcome.mutant.span}: {outcome.mutant.text} no scenario fails"


def _print(report: Report) -> None:
    from tilewright.tools.mutation.run import MutantOutcome

    living = report.of(MutantOutcome.LIVING)
    unknown = report.survivors
    whys = {each.mutant: each.why for each in report.explained}
    for outcome in unknown:
        say(_sentence(outcome))
        say(f"  {dim(outcome.mutant.id)}")
    if len(unknown) < len(living):
        heading("explained")
        for outcome in living:
            if outcome not in unknown:
                say(_sentence(outcome))
                say(f"  {dim(whys[outcome.mutant.id])}")
    for span, message in report.stale:
        say(f"{span}: {message}")
    left_out = len(report.of(MutantOutcome.STILLBORN)), len(report.of(MutantOutcome.SAME))
    if not report.counted:
        if report.outcomes:
            mention(f"skipped: {left_out[0]} invalid, {left_out[1]} equivalent")
        return
    heading("killed")
    table = [
        (rule, f"{killed} of {count}") for rule, killed, count in report.by_rule if killed < count
    ]
    whole = sum(killed == count for _, killed, count in report.by_rule)
    others = [(f"{whole} other{'s' if whole > 1 else ''}", "all")] if whole else []
    say(rows([*table, *others] if table else [("everywhere", "all")]))
    killed, counted = len(report.of(MutantOutcome.KILLED)), report.counted
    summary = f"{report.ruleset}: {killed} of {counted} killed, {float(100 * report.score):.1f} %"
    say(bold(f"{summary}; {len(living)} live, {len(living) - len(unknown)} explained"))
    mention(f"skipped: {left_out[0]} invalid, {left_out[1]} equivalent")


def _as_data(report: Report) -> dict[str, Any]:
    from tilewright.tools.mutation.run import MutantOutcome

    whys = {each.mutant: each.why for each in report.explained}
    return {
        "ruleset": report.ruleset,
        "score": {"killed": len(report.of(MutantOutcome.KILLED)), "counted": report.counted},
        "not_counted": {
            "stillborn": len(report.of(MutantOutcome.STILLBORN)),
            "same": len(report.of(MutantOutcome.SAME)),
        },
        "rules": [
            {"rule": rule, "killed": killed, "counted": count}
            for rule, killed, count in report.by_rule
        ],
        "survivors": [
            {
                "mutant": outcome.mutant.id,
                "rule": outcome.mutant.rule,
                "operator": outcome.mutant.operator,
                "says": _sentence(outcome),
                "file": outcome.mutant.span.file,
                "line": outcome.mutant.span.line,
                "column": outcome.mutant.span.column,
                "why": whys.get(outcome.mutant.id),
            }
            for outcome in report.of(MutantOutcome.LIVING)
        ],
        "killed": [
            {"mutant": outcome.mutant.id, "by": outcome.by}
            for outcome in report.of(MutantOutcome.KILLED)
        ],
        "findings": [
            {"file": span.file, "line": span.line, "message": message}
            for span, message in report.stale
        ],
        "is_good": report.is_good,
    }
