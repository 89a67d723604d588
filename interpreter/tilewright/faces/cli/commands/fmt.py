"""The verb `fmt`: files in their canonical form."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli.arguments import argument, complete_ruleset, flag, format_option, option
from tilewright.faces.cli.exit_codes import PROBLEMS, UNREADABLE, USAGE, Stop
from tilewright.faces.cli.interrupts import signals_repeated
from tilewright.faces.cli.named_folders import folders_at, mention_unread
from tilewright.faces.cli.output import code_for, mention, print_diagnostics, say, say_json, writing
from tilewright.faces.cli.settings import LOOKS, configured_folders
from tilewright.language.source.files import expanded
from tilewright.tools.workspace.game_text import looks_like_a_path

if TYPE_CHECKING:
    from tilewright.language.source.diagnostics import Reporter


def fmt(
    words: Annotated[
        list[str] | None,
        argument(
            "[FILE|RULESET]...",
            "files, folders or ids; `-` formats standard input; default: the rulesets in the "
            "current folder",
            complete_ruleset,
        ),
    ] = None,
    is_check: Annotated[
        bool, flag("--check", "write nothing; exit with 1 if a file would change")
    ] = False,
    is_diff: Annotated[bool, flag("--diff", "write nothing; print the changes as a patch")] = False,
    name: Annotated[
        str, option("FILE", "file name for `-`; it decides the kind of the file", "--name")
    ] = "-",
    form: Annotated[str, format_option("text", "json"), LOOKS] = "text",
    is_upgrade: Annotated[
        bool,
        flag(
            "--upgrade", "only rewrite what older versions wrote otherwise: words, orders and texts"
        ),
    ] = False,
    is_join: Annotated[
        bool, typer.Option("--join", help="make one file of the folder of a ruleset")
    ] = False,
    is_split: Annotated[
        bool, typer.Option("--split", help="make a folder of a ruleset in one file")
    ] = False,
) -> None:
    """Format ruleset files.

    Orders keys as in their schema, indents by two spaces, wraps at 100 columns and lays out
    effects. Comments are kept, and the hash of a game does not change. Files with errors are not
    changed.

    With --upgrade, old words become those of today. In whole rulesets, lines of `order` become
    neighbours of the rules that they order, texts in other languages move to `locale`, and what
    must stay is listed. Run `fmt` afterwards.

    --join makes RULESET.yaml of the folder RULESET, and --split the folder of the file. Nothing is
    lost; the folder or file that they replace is removed.

    \b
    Examples:
      tilewright fmt ./my-rules
      tilewright fmt --check --diff
      tilewright fmt - --name rules/turn.yaml < turn.yaml
      tilewright fmt --upgrade ./my-rules
      tilewright fmt --join ./my-rules
    """
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.tools.formatting.format_file import FormattedTexts, write_laid_out
    from tilewright.tools.workspace.cache import user_cache

    if is_join or is_split:
        if (is_join and is_split) or is_check or is_diff or is_upgrade:
            raise Stop(USAGE, "`--join` and `--split` each go without other options")
        _convert(words or [], is_join=is_join)
    if is_upgrade:
        _upgrade(words, form, is_check=is_check, is_diff=is_diff)
    if words == ["-"]:
        _between_streams(name, is_check=is_check, is_diff=is_diff)
    reporter = Reporter()
    files = [*_files(words, reporter)]
    changed, formatted = [], FormattedTexts(user_cache())
    for path in files:
        found = formatted.lay_out(path, reporter)
        if found is None or not found.is_changed:
            continue
        if not (is_check or is_diff or write_laid_out(path, found.after, reporter)):
            continue
        changed.append(found)
        if found.unseen:
            mention(f"{found.name}: {found.unseen}")
        if is_diff and form == "text":
            say(found.difference())
        elif form == "text":
            mention(f"{'would format' if is_check else 'formatted'} {found.name}")
    formatted.save()
    if form == "json":
        say_json(
            [
                {"file": each.name, "difference": each.difference(), "unseen": each.unseen}
                for each in changed
            ]
        )
    if reporter.diagnostics:
        print_diagnostics(reporter.diagnostics, beside=True)
    elif form == "text":
        many = "1 file" if len(files) == 1 else f"{len(files)} files"
        state = "to format" if is_check or is_diff else "formatted"
        mention(f"{many}, {len(changed)} {state}")
    code = code_for(reporter.diagnostics)
    raise typer.Exit(code or (PROBLEMS if is_check and changed else code))


def _convert(words: Sequence[str], *, is_join: bool) -> None:
    """Make one file of each folder, or a folder of each file; ends the run."""
    from tilewright.rules.reading.limits import shown
    from tilewright.tools.formatting.one_file import CannotConvertError, join, split

    if not words:
        raise Stop(USAGE, "name the folder to join" if is_join else "name the file to split")
    for word in words:
        place = expanded(word).resolve()
        if not ((place / "module.yaml").is_file() if is_join else place.is_file()):
            what = "the folder of a ruleset" if is_join else "a ruleset in one file"
            raise Stop(UNREADABLE, f"`{word}` is not {what}")
        try:
            with writing(place):
                made, left = join(place) if is_join else split(place)
        except CannotConvertError as refused:
            raise Stop(PROBLEMS, str(refused), refused.hint) from None
        mention(f"{'joined' if is_join else 'split'} {shown(place)} as {shown(made)}")
        for path in left:
            mention(f"{shown(path)} is not a file of a ruleset, and stays")
    raise typer.Exit


_PAST = {"add": "added", "remove": "removed", "rewrite": "rewrote"}


def _upgrade(words: Sequence[str] | None, form: str, *, is_check: bool, is_diff: bool) -> None:
    """Rewrite all files or none; ends the run."""
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.tools.formatting.upgrade import upgrade_file, write_upgraded
    from tilewright.tools.formatting.upgrade_folders import upgrade_folders

    if words == ["-"]:
        raise Stop(USAGE, "`--upgrade` may rename files, so it does not read standard input")
    reporter = Reporter()
    files = _files(words, reporter, is_upgrade=True)
    found = {
        file: folder for path, folder in files.items() if (file := upgrade_file(path, reporter))
    }
    upgraded = [*found]
    if not reporter.has_errors:
        named = [path for word in words or _default_folders() if (path := expanded(word)).is_dir()]
        upgraded = upgrade_folders(found, [*named, *configured_folders()], reporter)
    changed = [file for file in upgraded if file.is_changed]
    if not (is_check or is_diff or reporter.has_errors):
        write_upgraded(changed, reporter)
    if form == "json":
        rows = [
            {
                "file": file.text.name,
                "target": "" if file.is_removed else str(file.target),
                "difference": file.difference(),
            }
            for file in changed
        ]
        say_json(rows)
    else:
        for file in changed:
            moved = f" as {file.target.name}" if file.is_moved else ""
            done = "add" if file.is_new else "remove" if file.is_removed else "rewrite"
            line = f"{f'would {done}' if is_check else _PAST[done]} {file.text.name}{moved}"
            say(file.difference()) if is_diff else mention(line)
    if reporter.diagnostics:
        before = {file.text.name: file.text.before for file in changed if not file.is_new}
        print_diagnostics(reporter.diagnostics, beside=True, before=before)
        if reporter.has_errors:
            mention("no file was written")
    elif form == "text":
        many = "1 file" if len(files) == 1 else f"{len(files)} files"
        mention(f"{many}, {len(changed)} {'to change' if is_check or is_diff else 'changed'}")
    code = code_for(reporter.diagnostics)
    raise typer.Exit(code or (PROBLEMS if is_check and changed else 0))


def _between_streams(name: str, *, is_check: bool, is_diff: bool) -> None:
    """Format standard input to standard output; ends the run."""
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.language.source.report import as_text
    from tilewright.tools.formatting.format_file import LaidOut, canonical

    try:
        with signals_repeated():
            text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError:
        raise Stop(UNREADABLE, "standard input is not UTF-8 text") from None
    reporter = Reporter()
    after = canonical(text, name, reporter)
    if after is None:
        mention(as_text(reporter.diagnostics, lambda file: text))
        raise typer.Exit(code_for(reporter.diagnostics))
    found = LaidOut(name, text, after)
    if is_diff:
        sys.stdout.buffer.write(found.difference().encode())
    elif not is_check:
        sys.stdout.buffer.write(after.encode())
    sys.stdout.flush()
    raise typer.Exit(PROBLEMS if is_check and found.is_changed else 0)


def _files(
    words: Sequence[str] | None, reporter: Reporter, *, is_upgrade: bool = False
) -> dict[Path, Path | None]:
    """The named files, each once, with the folder that names them all, if it is a ruleset's; for an
    upgrade those with old names too, and the names of topics.
    """
    from tilewright.language.source.diagnostics import did_you_mean
    from tilewright.language.source.old_words import old_words
    from tilewright.rules.reading.files.topics import FILE as TOPICS
    from tilewright.rules.reading.library import Library
    from tilewright.rules.reading.limits import Quota
    from tilewright.tools.formatting.format_file import files_of

    library = Library()
    found: dict[Path, Path | None] = {}
    for word in words or _default_folders():
        path = expanded(word)
        if word == "-":
            raise Stop(USAGE, "`-` cannot be combined with files")
        if path.is_file():
            found |= {path: None} if Quota(reporter).accept(path) else {}
            continue
        if path.is_dir():
            folders = folders_at(path, library)
            if is_upgrade and (path / TOPICS).is_file():
                found[path / TOPICS] = path
        elif looks_like_a_path(word):
            raise Stop(UNREADABLE, f"`{word}` does not exist")
        else:
            folder = library.folder(word)
            if folder is None:
                raise Stop(USAGE, f"unknown ruleset `{word}`{did_you_mean(word, library.ids())}")
            folders = [folder]
        for folder in folders:
            more = tuple(old_words().files) if is_upgrade else ()
            found |= dict.fromkeys(files_of(folder, reporter, more), folder)
    mention_unread(library)
    return found


def _default_folders() -> list[str]:
    """The folders of the configuration file, else `rulesets`, else the current folder."""
    configured = [str(folder) for folder in configured_folders(by_default=True)]
    return configured or (["rulesets"] if Path("rulesets").is_dir() else ["."])
