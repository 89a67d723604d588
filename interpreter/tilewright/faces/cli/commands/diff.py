"""The verb `diff`: changes between two versions of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import PROBLEMS, SUCCESS, UNREADABLE, USAGE, Stop
from tilewright.faces.cli.output import console, refuse, result_to, say
from tilewright.faces.cli.settings import LOOKS

_FORMS = ("text", "markdown", "json")


def diff(
    old: Annotated[
        str, a.argument("OLD", "a ruleset or game, by id or folder", a.complete_ruleset)
    ],
    new: Annotated[
        str | None,
        a.argument(
            "[NEW]",
            "a later version, or a game built on the first; not with `--against`",
            a.complete_ruleset,
        ),
    ] = None,
    against: Annotated[
        str, a.option("REV", "compare with this git revision: a commit, tag or branch")
    ] = "",
    fail_on: Annotated[
        str,
        a.choice(
            "--fail-on",
            a.IMPACTS,
            "exit with 1 if a change has this impact or a graver one",
            show_default=False,
        ),
        LOOKS,
    ] = "",
    with_: a.With = None,
    option: a.Options = None,
    form: Annotated[str, a.format_option(*_FORMS, show_default="text"), LOOKS] = "",
    out: a.OutFile = None,
) -> None:
    """List the changes between two rulesets or games, with their impact.

    Impacts: `breaking`, a recorded match would end differently; `behaviour`,
    only new matches can differ; `data`, play does not change; `text`, only
    texts change. The fingerprint of a change depends on nothing but the change.

    \b
    Examples:
      tilewright diff c2/base c3/base
      tilewright diff c2/base c2/base+./my-rules
      tilewright diff ./my-rules-1.0 ./my-rules
      tilewright diff ./my-rules --against v1.0 --out changes.md
      tilewright diff ./rulesets --against main --fail-on breaking
    """
    from tilewright.tools.changes.diff import CannotDiffError, diff_texts
    from tilewright.tools.changes.since import RevisionError, diff_against
    from tilewright.view.results.impact import Impact

    form = a.written_form(form, out, _FORMS)
    if bool(new) == bool(against):
        hint = "`tilewright diff OLD NEW`, or `tilewright diff RULESET --against REV`"
        raise Stop(USAGE, "expected either a second ruleset or `--against`", hint)
    try:
        if new:
            sides = [a.game_from(text, with_, option) for text in (old, new)]
            texts = [a.game_text(game, chosen) for _, game, chosen in sides]
            found = diff_texts(texts[0], texts[1], sides[0][0], sides[1][0], (old, new))
        else:
            names, rest = a.named_in(old)
            has_options = option or any(rest.split("&"))
            library, ids = a.rulesets_from(names, with_)
            options = a.game_from(old, with_, option)[2] if has_options else {}
            found = diff_against(ids, options, library, against, whole=len(names) > 1)
    except CannotDiffError as refused:
        stop = refuse(refused.diagnostics)
        message = stop.message or f"`{refused.name}` cannot be compared as long as it has errors"
        raise Stop(stop.code, message, stop.hint) from None
    except RevisionError as error:
        raise Stop(UNREADABLE, str(error), error.hint) from None
    with result_to(out, form):
        if form == "json":
            from tilewright.view.comparison.difference import as_json

            say(as_json(found))
        elif form == "markdown":
            from tilewright.view.comparison.difference import as_markdown

            say(as_markdown(found))
        else:
            from tilewright.faces.cli.views.page import print_page
            from tilewright.language.locale.words import Words
            from tilewright.view.comparison.difference import compose

            print_page(compose(found), console(), Words("en"))
    gravest = found.gravest
    has_failed = fail_on and gravest and gravest.rank <= Impact(fail_on).rank
    raise typer.Exit(PROBLEMS if has_failed else SUCCESS)
