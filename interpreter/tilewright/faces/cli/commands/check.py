"""The verb `check`: static checks of rulesets."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.baselines import keep_findings, known_findings, new_findings
from tilewright.faces.cli.exit_codes import PROBLEMS, UNREADABLE, USAGE, Stop
from tilewright.faces.cli.output import (
    code_for,
    mention,
    print_diagnostics,
    result_to,
    rows,
    say,
    say_json,
    writing,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import LOOKS, WRITES, configured_folders, settings_folder
from tilewright.faces.cli.watching import watch
from tilewright.faces.cli.written_files import refuse_other_kind
from tilewright.language.source.files import expanded

if TYPE_CHECKING:
    from tilewright.language.locale.words import Words
    from tilewright.language.source.diagnostics import Diagnostic, Severity
    from tilewright.rules.reading.library import Library
    from tilewright.tools.checking.own_schemas import OwnSchema
    from tilewright.tools.checking.selection import Conventions


def check(
    context: typer.Context,
    paths: a.Rulesets = None,
    with_: a.With = None,
    form: a.FindingsForm = "",
    out: a.OutFile = None,
    language: a.Language = "",
    is_full: Annotated[
        bool, a.flag("--full", "list every missing statement, rule or scenario"), LOOKS
    ] = False,
    is_published: Annotated[
        bool,
        a.flag("--publish", "warn also about house rules that have no statements and sources"),
        LOOKS,
    ] = False,
    is_strict: Annotated[bool, a.flag("--strict", "same as `--fail-on note`"), LOOKS] = False,
    fail_on: Annotated[
        str,
        a.choice("--fail-on", ("error", "warning", "note"), "exit with 1 from this severity on"),
        LOOKS,
    ] = "warning",
    baseline: Annotated[
        Path | None, a.option("FILE", "report only findings that are not in this file"), LOOKS
    ] = None,
    new_baseline: Annotated[
        Path | None,
        a.option("FILE", "write all findings to this file, and exit with 0", "--write-baseline"),
        WRITES,
    ] = None,
    is_fresh: Annotated[bool, a.flag("--no-cache", "neither read nor write the cache")] = False,
    select: Annotated[
        list[str] | None,
        a.option(
            "[PATH:]CODES",
            "report only these warnings and notes: `TW6`, `TW604,TW605`, `scenarios/*:TW6`; "
            "repeatable",
            show_default="all",
        ),
        LOOKS,
    ] = None,
    ignore: Annotated[
        list[str] | None,
        a.option("[PATH:]CODES", "leave out these warnings and notes; repeatable"),
        LOOKS,
    ] = None,
    severity: Annotated[
        list[str] | None,
        a.option(
            "[PATH:]CODES=SEVERITY",
            "give warnings and notes another severity: `TW604=error`; repeatable",
        ),
        LOOKS,
    ] = None,
    schema: Annotated[
        list[str] | None,
        a.option(
            "KIND=FILE",
            "files of this kind (`rules`, `module` ...), or each whole `ruleset` as data, must "
            "meet this JSON Schema; repeatable",
        ),
        LOOKS,
    ] = None,
    is_fixing: Annotated[
        bool, a.flag("--fix", "make the repairs that have no other meaning"), WRITES
    ] = False,
    is_diff: Annotated[
        bool, a.flag("--diff", "with `--fix`: write nothing; print the changes as a patch"), LOOKS
    ] = False,
    is_watching: Annotated[bool, a.flag("--watch", "check again whenever a file changes")] = False,
    is_counted: Annotated[
        bool, a.flag("--statistics", "print the number of findings by code instead"), LOOKS
    ] = False,
    since: Annotated[
        str, a.option("REV", "report only findings that were not there at this revision in git")
    ] = "",
    stdin_name: Annotated[
        Path | None,
        a.option(
            "FILE",
            "with `-`: the file of a ruleset whose text is read from standard input",
            "--stdin-filename",
        ),
    ] = None,
) -> None:
    """Check rulesets for errors without playing them.

    Checks syntax, names, types, tile geometry, counts, conflicts between rules, and that
    statements, rules and scenarios refer to one another. `explain` describes the code of a
    diagnostic. A house rule without statements is private: only `--publish` asks for them. Text
    output lists errors first and folds repeated gaps; `--full` expands them.

    A repository has its conventions as `select`, `ignore` and `severity` in `tilewright.toml`.
    Errors are always reported. `# tilewright: ignore TW604 (reason)` leaves out a finding of a
    line.

    \b
    Examples:
      tilewright check
      tilewright check ./my-rules
      tilewright check ./my-rules:tiles
      tilewright check ./my-rules+./your-rules   check two rulesets together
      tilewright check --ignore TW604 --severity "rules/*:TW638=note"
      tilewright check --fix --diff              show the safe repairs
      tilewright check --since main              findings of a branch
      tilewright check --out findings.sarif
      tilewright check --write-baseline known.json
      tilewright check --baseline known.json --fail-on error
      tilewright check ./my-rules --publish      before others use them
      tilewright check - --stdin-filename ./my-rules/rules/own.yaml
    """
    from tilewright.language.locale.words import Words
    from tilewright.language.source.diagnostics import Severity

    form = a.written_form(form, out, a.FINDINGS_FORMS)
    if is_diff and not is_fixing:
        raise Stop(USAGE, "`--diff` needs `--fix`")
    if is_counted and form not in ("text", "json"):
        raise Stop(USAGE, f"`--statistics` has the forms text and json, not {form}")
    if (paths == ["-"]) != (stdin_name is not None):
        raise Stop(USAGE, "`-` needs `--stdin-filename FILE`, and `--stdin-filename` needs `-`")
    others = {"--fix": is_fixing, "--watch": is_watching, "--since": since,
              "--write-baseline": new_baseline}  # fmt: skip
    for name, given in others.items():
        if stdin_name is not None and given:
            raise Stop(USAGE, f"`{name}` is for files, not for standard input")
    run = _Run(
        conventions=_conventions(select, ignore, severity), schemas=_schemas(context, schema),
        words=Words(language), form=form, out=out,
        threshold=Severity("note" if is_strict else fail_on),
        is_published=is_published, is_fresh=is_fresh, is_full=is_full, is_counted=is_counted,
    )  # fmt: skip
    if stdin_name is not None:
        raise typer.Exit(run.report(*run.of_standard_input(stdin_name, with_)))
    if new_baseline is not None:
        refuse_other_kind(new_baseline, "baseline")
        baseline = None  # known findings are written too
    known = known_findings(baseline) if baseline is not None else ()

    def named() -> tuple[Library, tuple[str, ...]]:
        parts = not (is_fixing or since)
        names = [name for text in paths or () for name in a.named_in(text).names]
        return a.rulesets_from(names, with_, parts=parts, is_fresh=is_fresh, reports_unread=False)

    def look() -> int:
        library, ids = named()
        cuts = [(text, a.named_in(text)) for text in paths or ()]
        joined = [text for text, cut in cuts if len(cut.names) > 1 or cut.options]
        games = [a.game_text(*a.game_from(text, with_)[1:]) for text in joined]
        found = run.of(library, ids, games)
        if new_baseline is not None and code_for(found) != UNREADABLE:
            keep_findings(new_baseline, found)
            return 0
        if since:
            found = run.since(since, found, library, ids, games)
        if baseline is not None:
            found = new_findings(found, known, baseline.parent, library, ids)
        return run.report(found, library, ids)

    if is_fixing and run.fix(*named(), is_diff=is_diff) and is_diff:
        raise typer.Exit(PROBLEMS)
    if is_watching:
        watch(lambda: _folders(*named()), look)
    raise typer.Exit(0 if is_diff else look())


@dataclass(frozen=True, kw_only=True)
class _Run:
    """The settings of a run: they decide which diagnostics are found and how they are printed."""

    conventions: Conventions
    schemas: Sequence[OwnSchema]
    words: Words
    form: str
    out: Path | None
    threshold: Severity
    is_published: bool
    is_fresh: bool
    is_full: bool
    is_counted: bool

    def report(self, found: Sequence[Diagnostic], library: Library, ids: Sequence[str]) -> int:
        """Print the diagnostics; the exit code."""
        with result_to(self.out, self.form):
            if self.is_counted:
                _print_counts(found, self.form)
            elif self.form == "junit":
                from tilewright.language.source.report_ci import as_junit
                from tilewright.tools.scenarios.junit import suites_of_files

                suites = suites_of_files(library, ids, found, self.threshold)
                say(as_junit("tilewright check", suites))
            else:
                language = self.words.language
                print_diagnostics(found, self.form, is_short=not self.is_full, language=language)
        if self.form == "text" and not self.is_counted:
            _mention_checked(found, ids, self.words, is_full=self.is_full)
        return code_for(found, self.threshold)

    def of(
        self,
        library: Library,
        ids: Sequence[str],
        games: Sequence[str] = (),
        *,
        is_kept: bool = True,
    ) -> tuple[Diagnostic, ...]:
        """The diagnostics of rulesets and games, with the conventions of the repository.

        They are looked up and `is_kept` in the cache.
        """
        from tilewright.tools.checking.check import check as checked
        from tilewright.tools.checking.own_schemas import SchemaError
        from tilewright.tools.checking.suppressions import private, published
        from tilewright.tools.workspace.cache import user_cache
        from tilewright.tools.workspace.processes import usable_cores

        words = self.words
        with progress(
            words("progress.checking"), len(ids), unit=words("progress.rulesets"),
            language=words.language,
        ) as show:  # fmt: skip
            cache, jobs = user_cache(is_wanted=is_kept and not self.is_fresh), usable_cores()
            try:
                found = checked(
                    library, ids, games, cache=cache, schemas=self.schemas, jobs=jobs, done=show
                )
            except SchemaError as error:
                raise Stop(UNREADABLE, str(error)) from None
        found = tuple(published(found, library, ids) if self.is_published else private(found))
        return self.conventions.of(found, settings_folder())

    def of_standard_input(
        self, file: Path, with_: Iterable[Path] | None
    ) -> tuple[tuple[Diagnostic, ...], Library, tuple[str, ...]]:
        """The diagnostics of one ruleset, one of whose files has the text of standard input."""
        from tilewright.tools.workspace.overlay import Overlay, path_of

        try:
            text = sys.stdin.buffer.read().decode("utf-8")
        except UnicodeDecodeError:
            raise Stop(UNREADABLE, "standard input is not UTF-8 text") from None
        a.library_for(with_)  # raises Stop for folders and locks as every run does
        path = path_of(str(file))
        added = [each for each in map(expanded, map(str, with_ or ())) if each.exists()]
        overlay = Overlay([*added, *configured_folders()])
        overlay.write(path, text)
        id_ = overlay.ruleset_at(path)
        if id_ is None:
            hint = "name a file of a folder with a `module.yaml`, or one with `id:` and `kind:`"
            raise Stop(UNREADABLE, f"`{file}` is not part of a ruleset", hint)
        return self.of(overlay.library, (id_,)), overlay.library, (id_,)

    def since(
        self,
        revision: str,
        found: Sequence[Diagnostic],
        library: Library,
        ids: Sequence[str],
        games: Sequence[str],
    ) -> tuple[Diagnostic, ...]:
        """The diagnostics that were not there at a revision."""
        from tilewright.rules.linking.compose.select import split_game
        from tilewright.tools.changes.since import RevisionError, library_at
        from tilewright.tools.checking.suppressions import known_of

        try:
            with library_at(revision, ids, library) as (old, folder, top):
                known_then = set(old.ids())
                there = [id_ for id_ in ids if id_ in known_then]
                ids_of = {game: split_game(game.partition("?")[0]) for game in games}
                together = [game for game in games if known_then.issuperset(ids_of[game])]
                before = self.of(old, there, together, is_kept=False) if there else ()
                known = known_of(before, folder)
        except RevisionError as error:
            raise Stop(UNREADABLE, str(error)) from None
        return new_findings(found, known, top, library, ids, since=revision)

    def fix(self, library: Library, ids: Sequence[str], *, is_diff: bool) -> bool:
        """Make the sure repairs of rulesets, or print them; whether there are some."""
        from tilewright.language.source.files import write_whole
        from tilewright.rules.reading.library import shipped_rulesets
        from tilewright.tools.checking.check import check as checked
        from tilewright.tools.editor.repairs import repairs

        shipped = shipped_rulesets().resolve()
        folders = _folders(library, ids)
        own = [each for each in folders if not each.resolve().is_relative_to(shipped)]
        if len(own) < len(folders):
            mention("shipped rulesets are not repaired")
        made = repairs(
            own,
            lambda overlay: self.conventions.of(checked(overlay.library, ids), settings_folder()),
        )
        for path, file in made.items():
            if is_diff:
                say(file.difference())
                continue
            with writing(path):
                write_whole(path, file.after)
        if not is_diff:
            for file in made.values():
                mention(f"repaired {file.name}")
        return bool(made)


def _conventions(
    select: list[str] | None, ignore: list[str] | None, severity: list[str] | None
) -> Conventions:
    """The conventions of the options; raises `Stop` for an entry that means nothing."""
    from tilewright.tools.checking.selection import conventions

    try:
        return conventions(select or (), ignore or (), severity or ())
    except ValueError as error:
        raise Stop(USAGE, str(error), "`tilewright explain CODE` explains one") from None


def _schemas(context: typer.Context, entries: list[str] | None) -> Sequence[OwnSchema]:
    """The schemas of the option or of the configuration file, whose paths begin at its folder."""
    if not entries:
        return ()
    from tilewright.tools.checking.own_schemas import SchemaError, read_schemas

    source = context.get_parameter_source("schema")
    is_given = source is not None and source.name == "COMMANDLINE"
    folder = Path() if is_given else settings_folder()
    try:
        return read_schemas(entries, folder, inside=not is_given)
    except SchemaError as error:
        raise Stop(UNREADABLE, str(error)) from None


def _folders(library: Library, ids: Sequence[str]) -> list[Path]:
    """The folders of rulesets."""
    found = (library.folder(id_.partition(":")[0]) for id_ in ids)
    return [folder for folder in found if folder is not None]


def _print_counts(found: Iterable[Diagnostic], form: str) -> None:
    """Print the number of diagnostics by code, the most frequent first."""
    from tilewright.language.source.catalogue import info_of

    counts = Counter((each.code, each.severity) for each in found)
    counted = [
        {"count": count, "code": code, "severity": str(severity),
         "name": info.name if (info := info_of(code)) is not None else ""}
        for (code, severity), count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]  # fmt: skip
    if form == "json":
        say_json(counted)
    elif counted:
        say(rows([[str(each) for each in row.values()] for row in counted], indent=0))


def _mention_checked(
    found: Iterable[Diagnostic], ids: Sequence[str], words: Words, *, is_full: bool
) -> None:
    """Print on standard error what was checked, and how a code is explained."""
    from tilewright.language.source.catalogue import codes
    from tilewright.language.source.report import GAPS, UNFINISHED

    explained = [each for each in found if is_full or each.code != UNFINISHED]
    if explained or len(ids) > 1:
        what = ids[0] if len(ids) == 1 else words.plural("check.rulesets", len(ids))
        mention(words("check.checked", what=what))
    known = [each for each in explained if each.code in codes()]  # schemas have others
    if known:
        first = next((each for each in known if each.code not in GAPS), known[0])
        mention(words("check.explain", code=first.code))
