"""Differences: each change is named once, weighed by what the content hash covers, and can be found
again by its fingerprint."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console

from support.marks import is_sampled, slow_unless
from support.paths import ROOT
from tilewright.faces.cli.app import run
from tilewright.faces.cli.views.page import print_page
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library, schemas_folder, shipped_rulesets
from tilewright.tools.changes.diff import CannotDiffError, diff, diff_texts
from tilewright.tools.changes.inventory import BESIDE
from tilewright.tools.changes.since import RevisionError, diff_against
from tilewright.tools.mutation.operators import mutants_of
from tilewright.tools.workspace.loading import load_game
from tilewright.view.comparison.difference import as_json, as_markdown, compose, headline
from tilewright.view.results.difference import Change, ChangeKind, Difference
from tilewright.view.results.impact import (
    BETWEEN_EDITIONS,
    MEANING,
    Impact,
    weight_of_part,
    weight_of_thing,
)

LIBRARY = Library()
BREAKING, BEHAVIOUR, DATA, TEXT = Impact

MODULE = """\
id: house/trial
kind: house
title: {en: A trial}
provides: [trial]
requires: {base: c2/base}
sources: {book: {title: A book}}
options:
  rich: {choices: ["no", "yes"], default: "no", says: whether there is more}
"""
STATEMENTS = """\
statements:
  - {id: trial-more, topic: scoring.more, says: There is more., authority: house-rule}
"""
RULES = """\
values:
  trial.more: {type: number, is: 3, from: [trial-more]}

rules:
  - id: trial.always
    from: [trial-more]
    label: {en: more}
    on: step prepare_table
    after: [setup.start]
    do: for p in players { award trial.more to p }
  - id: trial.rich
    from: [trial-more]
    option: {rich: "yes"}
    on: step prepare_table
    after: [trial.always]
    do: for p in players { award 2 to p }
  - id: trial.in_company
    from: [trial-more]
    with: [farmers]
    on: step prepare_table
    after: [trial.always]
    do: for p in players { award 1 to p }
"""


def ruleset(folder: Path, *changes: tuple[str, str]) -> Path:
    """The trial ruleset, with one text put in place of another in whichever file has it."""
    for name, text in (
        ("module.yaml", MODULE),
        ("statements.yaml", STATEMENTS),
        ("rules/more.yaml", RULES),
    ):
        for old, new in changes:
            text = text.replace(old, new)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def library(folder: Path) -> Library:
    found = Library(shipped=False)
    found.add(folder)
    found.add(shipped_rulesets())
    return found


def changed(tmp_path: Path, *changes: tuple[str, str]) -> Difference:
    """The changes of the trial ruleset after these replacements in its text."""
    sides = library(ruleset(tmp_path / "old")), library(ruleset(tmp_path / "new", *changes))
    return diff_texts("house/trial", "house/trial", *sides, ("old", "new"))


def changes_of(found: Difference) -> list[tuple[Impact, ChangeKind, str]]:
    return [(c.impact, c.how, c.name) for c in found.changes]


# ------------------------------------------------------------------ changes and their impact


@pytest.mark.parametrize("id_", slow_unless(is_sampled, LIBRARY.ids()))
def test_nothing_changed_between_a_ruleset_and_itself(id_: str) -> None:
    found = diff_texts(id_, id_, LIBRARY, LIBRARY, ("", ""))
    assert found.changes == ()
    assert found.gravest is None


@pytest.mark.parametrize(
    ("change", "impact", "how", "name"),
    [
        (("is: 3", "is: 4"), BREAKING, ChangeKind.CHANGED, "value trial.more"),
        (("award trial.more", "award 3"), BREAKING, ChangeKind.CHANGED, "rule trial.always: text"),
        (("award 2 to", "award 5 to"), BREAKING, ChangeKind.CHANGED, "rule trial.rich: text"),
        (("award 1 to", "award 5 to"), BREAKING, ChangeKind.CHANGED, "rule trial.in_company: text"),
        (('["no", "yes"]', '["no", "yes", some]'), BEHAVIOUR, ChangeKind.NEW, "choice rich=some"),
        (('default: "no"', 'default: "yes"'), BEHAVIOUR, ChangeKind.CHANGED,
         "option rich: default"),
        (("requires: {base: c2", "requires: {base: c3"), BEHAVIOUR, ChangeKind.CHANGED,
         "requires base for house/trial: default"),
        (("provides: [trial]", "provides: [trial, second]"), BEHAVIOUR, ChangeKind.NEW,
         "provides second by house/trial"),
        (("kind: house", "kind: house\nconflicts: [c2/river]"), BREAKING, ChangeKind.NEW,
         "conflicts c2/river with house/trial"),
        (("topic: scoring.more", "topic: scoring.less"), DATA, ChangeKind.CHANGED,
         "statement trial-more: topic"),
        (("house-rule}", "house-rule, example: true}"), DATA, ChangeKind.CHANGED,
         "statement trial-more: example"),
        (("house-rule}", "house-rule, without: [river]}"), DATA, ChangeKind.CHANGED,
         "statement trial-more: without"),
        (("title: A book", "title: That book"), DATA, ChangeKind.CHANGED, "source book: book"),
        (("says: There is more.", "says: One gets more."), TEXT, ChangeKind.CHANGED,
         "statement trial-more: says"),
        (("label: {en: more}", "label: {en: extra}"), TEXT, ChangeKind.CHANGED,
         "rule trial.always: label en"),
        (("{en: A trial}", "{en: A trial, pl: Próba}"), TEXT, ChangeKind.CHANGED,
         "ruleset house/trial: title pl"),
    ],
)  # fmt: skip
def test_one_change_is_one_line_with_its_severity(
    tmp_path: Path, change: tuple[str, str], impact: Impact, how: ChangeKind, name: str
) -> None:
    found = changed(tmp_path, change)
    lines = [line for line in changes_of(found) if not line[2].startswith("ruleset c")]
    if "c3" in change[1]:  # then all of the base is another one
        assert (impact, how, name) in lines
        return
    assert lines == [(impact, how, name)]
    assert (found.old.hash == found.new.hash) == (
        impact is not BREAKING or name.startswith("conflicts") or "rich: text" in name
        or "in_company" in name
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "for p in players { award trial.more to p }",
            "for q in players { award trial.more to q }",
        ),
        ("do: for p in players { award 2 to p }", "do: for who in players { award 2 to who }"),
        ("do: for p in players { award 1 to p }", "do: for who in players { award 1 to who }"),
    ],
    ids=["in force", "under another option", "in other company"],
)
def test_another_name_of_a_variable_changes_only_a_text(tmp_path: Path, old: str, new: str) -> None:
    found = changed(tmp_path, (old, new))
    assert [(c.impact, c.part) for c in found.changes] == [(TEXT, "text")]
    assert found.old.hash == found.new.hash


def test_the_order_of_translations_of_a_statement_is_no_change(tmp_path: Path) -> None:
    sides = []
    for name, words in (("old", "uk: Так., pl: Tak."), ("new", "pl: Tak., uk: Так.")):
        row = ("topic: scoring.more", f"topic: scoring.more, translations: {{{words}}}")
        sides.append(library(ruleset(tmp_path / name, row)))
    assert not diff_texts("house/trial", "house/trial", *sides, ("old", "new")).changes


def test_another_name_of_a_parameter_is_one_line_and_no_change_of_play(tmp_path: Path) -> None:
    rule = "  - {id: trial.on, on: completed(x), when: x is city, do: award x.size to active}\n"
    other = rule.replace("(x)", "(done)").replace("x is", "done is").replace("x.size", "done.size")
    sides = [
        library(ruleset(tmp_path / name, (RULES, RULES + text)))
        for name, text in (("old", rule), ("new", other))
    ]
    found = diff_texts("house/trial", "house/trial", sides[0], sides[1], ("old", "new"))
    assert changes_of(found) == [(TEXT, ChangeKind.CHANGED, "rule trial.on: hook")]
    assert found.old.hash == found.new.hash


PROMISING = """\
steps:
  gift: {phase: final, label: gift, after: [final_scoring]}
events:
  paid_out: {parameters: {x: feature}, says: a feature has paid}
rules:
  - id: trial.pay
    procedure: "pay(x: feature)"
    do: |
      award 1 to active
      announce paid_out(x)
      home(x)
  - id: trial.home
    procedure: "home(x: feature)"
    do: for f in x.figures { return f }
  - id: trial.gift
    on: step gift
    do: for x in features { pay(x) }
"""


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("      announce paid_out(x)\n", "",
         ["procedure `pay` no longer announces `paid_out`",
          "step `gift` no longer announces `paid_out`"]),
        ("      home(x)\n", "", ["procedure `pay` no longer uses `return`"]),
        ("{ return f }", "{ return f quietly }",
         ["procedure `home` no longer uses `return`, also uses `return quietly`",
          "procedure `pay` no longer uses `return`, also uses `return quietly`"]),
        ("award 1 to active", "award 2 to active", []),
    ],
)  # fmt: skip
def test_a_broken_promise_to_other_rulesets_is_named(
    tmp_path: Path, old: str, new: str, lines: list[str]
) -> None:
    sides = []
    for name, rules in (("old", PROMISING), ("new", PROMISING.replace(old, new))):
        folder = ruleset(tmp_path / name)
        (folder / "rules" / "promises.yaml").write_text(rules, encoding="utf-8")
        sides.append(library(folder))
    found = diff_texts("house/trial", "house/trial", sides[0], sides[1], ("old", "new"))
    broken = [change for change in found.changes if change.kind == "promise"]
    assert [headline(change) for change in broken] == lines
    assert {change.impact for change in found.changes} == {BREAKING}
    assert all(line in as_markdown(found).replace("\\", "") for line in lines)


def test_a_change_under_a_new_option_only_is_behaviour(tmp_path: Path) -> None:
    more = """\
  - id: trial.poor
    from: [trial-more]
    option: {poor: "yes"}
    on: step prepare_table
    after: [trial.always]
    do: for p in players { award 9 to p }
"""
    option = '  poor: {choices: ["no", "yes"], default: "no", says: whether there is less}\n'
    changes = (
        (RULES, RULES + more),
        ("says: whether there is more}\n", "says: whether there is more}\n" + option),
    )
    found = changed(tmp_path, *changes)
    assert found.gravest is BEHAVIOUR
    assert (BEHAVIOUR, ChangeKind.NEW, "rule trial.poor") in changes_of(found)
    assert found.old.hash == found.new.hash


def test_a_rule_that_is_put_in_force_breaks_old_games(tmp_path: Path) -> None:
    wants, holds = '    option: {rich: "yes"}\n', '    option: {rich: "no"}\n'
    found = changed(tmp_path, (wants, holds))
    assert changes_of(found) == [(BREAKING, ChangeKind.CHANGED, "rule trial.rich: holds")]
    assert found.old.hash != found.new.hash


def test_a_new_condition_that_is_met_by_default_is_behaviour(tmp_path: Path) -> None:
    changes = (
        ("    label: {en: more}\n", '    label: {en: more}\n    option: {usual: "yes"}\n'),
        ("says: whether there is more}\n", "says: whether there is more}\n"
         '  usual: {choices: ["no", "yes"], default: "yes", says: whether it is as usual}\n'),
    )  # fmt: skip
    found = changed(tmp_path, *changes)
    assert found.gravest is BEHAVIOUR
    assert found.old.hash == found.new.hash


def test_the_old_options_are_kept_where_the_default_changes() -> None:
    one, _ = load_game("c2/base")
    game = "c2/base?unplaceable_tiles=back"
    found = diff_texts(game, "c2/base", LIBRARY, LIBRARY, ("", ""))
    assert one is not None
    assert found.changes == ()


def test_a_renamed_thing_is_one_change(tmp_path: Path) -> None:
    found = changed(
        tmp_path,
        ("trial.always", "trial.every_time"),
        ("trial.more:", "trial.extra:"),
        ("award trial.more", "award trial.extra"),
        ("trial-more", "trial-extra"),
    )
    assert {(c.how, c.kind) for c in found.changes} == {
        (ChangeKind.RENAMED, "rule"),
        (ChangeKind.RENAMED, "value"),
        (ChangeKind.RENAMED, "statement"),
    }
    assert len(found.changes) == 3
    assert {c.impact for c in found.changes if c.kind != "statement"} == {BREAKING}


def test_two_new_things_with_equal_wording_are_not_a_rename(tmp_path: Path) -> None:
    twice = RULES.replace("trial.rich", "trial.richer")
    twin = twice[twice.index("  - id: trial.richer") : twice.index("  - id: trial.in_company")]
    found = changed(tmp_path, (RULES, twice + twin.replace("richer", "richest")))
    assert not [c for c in found.changes if c.how is ChangeKind.RENAMED]


def test_a_row_of_a_house_rule_names_the_patch_and_its_reason() -> None:
    found = diff_texts("c2/princess-and-dragon", "house/fairy-five", LIBRARY, LIBRARY, ("", ""))
    lines = {c.name: c for c in found.changes}
    value = lines["value fairy.feature_points"]
    assert value.old is not None and value.new is not None
    assert (value.old.text, value.new.text) == ("3", "5")
    assert value.why.startswith("fairy.five.points: five points")
    assert "house/fairy-five" in value.new.file
    gone = lines["rule fairy.turn_start"]
    assert gone.how is ChangeKind.GONE
    assert gone.why.startswith("fairy.five.no_turn_point")
    assert not [c for c in found.changes if c.kind in ("choice", "requires", "provides")]


# ------------------------------------------------------------------ the promise of an impact


def test_every_severity_says_what_it_promises() -> None:
    assert set(MEANING) == set(BETWEEN_EDITIONS) == set(Impact)
    page = (ROOT / "docs" / "how-to" / "diff.md").read_text(encoding="utf-8")
    found = re.sub(r"\s+", " ", page)
    for impact, meaning in MEANING.items():
        assert f"**{impact.value}**" in found
        assert meaning in found


def test_what_no_table_knows_breaks() -> None:
    assert weight_of_thing("rule", is_new=True) is BREAKING
    assert weight_of_thing("tile", is_new=False) is BREAKING
    assert weight_of_part("label uk") is TEXT
    assert weight_of_part("topic") is DATA


#: the parts of a declaration that the hash covers, by its class; all others must be in `BESIDE`
COVERED = {
    m.FeatureKind: "reach completes from_symbol attributes",
    m.SymbolDecl: "covers",
    m.FigureKind: "owned count in_all like roles traits carries",
    m.TokenDecl: "count traits",
    m.Role: "figures on",
    m.StackDecl: "holds owned in_order",
    m.PieceKind: "count stack faces enclosed cover",
    m.ValueDecl: "type value",
    m.MemoryDecl: "type per of combine",
    m.StepDecl: "phase",
    m.DefinitionDecl: "parameters type combine default",
    m.EventDecl: "parameters",
    m.RuleHead: "when behind",
    m.Amendment: "definition parameters value item",
    m.StepRule: "step do",
    m.Reaction: "event parameters do",
    m.Action: "name step offer where do",
    m.Procedure: "declaration do beside",
}


@pytest.mark.parametrize("kind", COVERED, ids=lambda kind: kind.__name__)
def test_everything_that_can_be_declared_is_weighed(kind: type) -> None:
    conditions = {"option", "when", "with_"}
    known = (
        {"id", "head", "span", "place", "entry"}
        | conditions
        | set(COVERED[kind].split())
        | set(BESIDE)
    )
    assert set(kind.__match_args__) <= known  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("id_", "step"),
    slow_unless(
        lambda case: case[0] == "house/fairy-five",
        [("c2/base", 5), ("house/fairy-five", 1), ("c3.1/traders-and-builders", 9)],
    ),
)
def test_every_mutant_is_found_and_breaks_when_the_hash_says_so(id_: str, step: int) -> None:
    game, _ = load_game(id_)
    own = LIBRARY.load_rules(id_, Reporter())
    assert game is not None and own is not None
    for mutant in mutants_of(own, game)[::step]:
        other, _ = load_game(id_, {}, LIBRARY.instead(mutant.ruleset))
        if other is None:
            continue
        found = diff(game, other)
        assert found.changes, mutant.id
        if other.hash != game.hash:
            assert found.gravest is BREAKING, mutant.id


# ------------------------------------------------------------------ fingerprints


def test_a_fingerprint_does_not_hang_on_lines_or_on_other_changes(tmp_path: Path) -> None:
    alone = changed(tmp_path / "a", ("is: 3", "is: 4"))
    among = changed(
        tmp_path / "b",
        ("is: 3", "is: 4"),
        ("values:", "# a comment\n\nvalues:"),
        ("award 2 to", "award 7 to"),
    )
    prints = {c.fingerprint for c in among.changes}
    assert {c.fingerprint for c in alone.changes} < prints
    assert len(prints) == len(among.changes) == 2


def test_other_changes_have_other_fingerprints(tmp_path: Path) -> None:
    one = changed(tmp_path / "a", ("is: 3", "is: 4"))
    other = changed(tmp_path / "b", ("is: 3", "is: 5"))
    assert one.changes[0].fingerprint != other.changes[0].fingerprint


# ------------------------------------------------------------------ forms


def dragons() -> Difference:
    old, new = "c2/princess-and-dragon", "c3.1/dragon-and-fairy"
    return diff_texts(old, new, LIBRARY, LIBRARY, (old, new))


def test_the_json_form_keeps_its_schema() -> None:
    schema = json.loads((schemas_folder() / "difference.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(as_json(dragons())), schema)


def test_the_changelog_has_every_fingerprint() -> None:
    found = dragons()
    page = as_markdown(found)
    assert all(f"`{c.fingerprint}`" in page for c in found.changes)
    assert all(f"## {s.value.capitalize()}" in page for s in Impact if found.of(s))


def test_a_terminal_and_a_changelog_have_the_same_changes() -> None:
    found, out = dragons(), io.StringIO()
    print_page(compose(found), Console(file=out, width=400), Words())
    old, new = (side.hash[:8] for side in (found.old, found.new))
    for page in (out.getvalue(), as_markdown(found).replace("\\", "")):
        assert f"; hash {old} → {new}" in page
        assert all(each.fingerprint in page for each in found.changes)
        assert all(headline(each).replace("<", "&lt;") in page.replace("<", "&lt;")
                   for each in found.changes)  # fmt: skip


def test_a_changed_text_is_kept_word_for_word_in_a_changelog(tmp_path: Path) -> None:
    old = "If there is less than one `<b>` the [sign](where) is ``` and everything else is not."
    new = old.replace("everything", "nothing")
    page = as_markdown(changed(tmp_path, ("There is more.", f"'{new}'")))
    assert f"  + {new}" in page.splitlines()
    assert "  ````diff" in page.splitlines()


def test_the_exit_code_depends_on_the_gravest_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = str(ruleset(tmp_path / "old"))
    new = str(ruleset(tmp_path / "new", ("There is more.", "One gets more.")))
    assert run(["diff", old, new, "--fail-on", "data"]) == 0
    assert run(["diff", old, new, "--fail-on", "text"]) == 1
    assert run(["diff", old, new, "--fail-on", "nonsense"]) == 2
    assert run(["diff", old]) == 2
    assert run(["diff", old, new, "--against", "HEAD"]) == 2
    assert "There is more." in capsys.readouterr().out


def test_a_comparison_of_two_versions_of_one_ruleset_is_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = str(ruleset(tmp_path / "old"))
    new = str(ruleset(tmp_path / "new", ("There is more.", "One gets more.")))
    pages = []
    for verb in ("diff", "compare"):
        for more in ([], ["--format", "markdown"]):
            assert run([verb, old, new, *more]) == 0
            pages.append(capsys.readouterr())
    assert [page.out for page in pages[:2]] == [page.out for page in pages[2:]]
    assert "One gets more." in pages[0].out
    assert "are versions of one ruleset" in pages[2].err
    assert run(["compare", f"c2/base+{old}", f"c2/base+{new}"]) == 0
    assert "One gets more." in capsys.readouterr().out
    assert run(["compare", old, new, "--brief"]) == 2
    assert "`--brief` does not suit versions of one ruleset" in capsys.readouterr().err


def test_a_folder_is_compared_with_the_known_ruleset_of_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(shipped_rulesets() / "house/fairy-five", tmp_path / "mine")
    file = tmp_path / "mine" / "statements.yaml"
    file.write_text(file.read_text("utf-8").replace("five ", "exactly five "), "utf-8")
    assert run(["compare", "house/fairy-five", str(tmp_path / "mine")]) == 0
    assert "exactly five" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("sources: {", "sources: {second: {title: B},"), "source second is new: book B"),
        (("kind: house", "kind: house\ncomponents: [{of: tiles, count: 0}]"),
         "component tiles of house/trial is new: count 0"),
        (("provides: [trial]", "provides: [trial, more]"),
         "provides more by house/trial is new"),
    ],
)  # fmt: skip
def test_the_line_of_a_new_thing_ends_with_its_content(
    tmp_path: Path, change: tuple[str, str], line: str
) -> None:
    found = changed(tmp_path, change)
    assert [headline(each) for each in found.changes] == [line]


def test_a_game_with_errors_is_not_compared(tmp_path: Path) -> None:
    with pytest.raises(CannotDiffError) as caught:
        changed(tmp_path, ("award trial.more", "award trial.nothing"))
    assert caught.value.name == "new"


# ------------------------------------------------------------------ git

git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def committed(folder: Path) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "one")):
        subprocess.run(["git", "-C", str(folder), *words], check=True)


def since(folder: Path, revision: str, *ids: str) -> Difference:
    return diff_against(ids, {}, library(folder), revision, whole=False)


@git
def test_a_revision_is_read_from_git(tmp_path: Path) -> None:
    folder = ruleset(tmp_path / "trial")
    committed(folder)
    ruleset(folder, ("is: 3", "is: 4"))
    found = since(folder, "HEAD", "house/trial")
    assert changes_of(found) == [(BREAKING, ChangeKind.CHANGED, "value trial.more")]
    (change,) = found.changes
    assert change.old is not None
    assert change.old.file == "HEAD:rules/more.yaml"


@git
def test_a_comparison_with_a_revision_is_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(ruleset(tmp_path / "trial"))
    committed(tmp_path / "trial")
    ruleset(tmp_path / "trial", ("is: 3", "is: 4"))
    assert run(["compare", folder, "--against", "HEAD"]) == 0
    assert "trial.more" in capsys.readouterr().out
    assert run(["compare", folder, "c2/base", "--against", "HEAD"]) == 2


@git
def test_catalogues_are_those_of_the_revision(tmp_path: Path) -> None:
    folder = ruleset(tmp_path / "trial")
    catalogue = folder / "locale" / "uk.po"
    catalogue.parent.mkdir()
    catalogue.write_text('msgid "more"\nmsgstr "більше"\n', encoding="utf-8")
    committed(folder)
    assert changes_of(since(folder, "HEAD", "house/trial")) == []
    catalogue.write_text('msgid "more"\nmsgstr "ще"\n', encoding="utf-8")
    found = since(folder, "HEAD", "house/trial")
    assert {impact for impact, _, _ in changes_of(found)} == {TEXT}


@git
def test_rulesets_below_are_taken_from_the_same_revision(tmp_path: Path) -> None:
    workspace = tmp_path / "rulesets"
    ruleset(workspace / "house" / "trial")
    top = workspace / "house" / "top"
    top.mkdir()
    text = "id: house/top\nkind: house\ntitle: {en: On top}\nrequires: {trial: house/trial}\n"
    (top / "module.yaml").write_text(text, encoding="utf-8")
    committed(tmp_path)
    ruleset(workspace / "house" / "trial", ("is: 3", "is: 4"))
    found = since(workspace, "HEAD", "house/top")
    assert changes_of(found) == [(BREAKING, ChangeKind.CHANGED, "value trial.more")]


@git
def test_a_ruleset_that_is_new_or_gone_is_one_line(tmp_path: Path) -> None:
    workspace = tmp_path / "rulesets"
    ruleset(workspace / "house" / "trial")
    committed(tmp_path)
    shutil.rmtree(workspace / "house" / "trial")
    ruleset(workspace / "house" / "second", ("house/trial", "house/second"))
    ruleset(workspace / "house" / "third", ("house/trial", "house/third"))
    found = since(workspace, "HEAD", "house/second", "house/third")
    assert changes_of(found) == [
        (BREAKING, ChangeKind.GONE, "ruleset house/trial"),
        (BEHAVIOUR, ChangeKind.NEW, "ruleset house/second"),
        (BEHAVIOUR, ChangeKind.NEW, "ruleset house/third"),
    ]


@git
@pytest.mark.parametrize("to", ["moved", "rulesets/house/moved", "a/b/moved"])
def test_a_ruleset_that_moved_is_found_by_its_id(tmp_path: Path, to: str) -> None:
    ruleset(tmp_path / "my rules")
    ruleset(tmp_path / "other", ("house/trial", "house/other"))
    committed(tmp_path)
    shutil.rmtree(tmp_path / "my rules")
    now = ruleset(tmp_path / to, ("is: 3", "is: 4"))
    found = since(now, "HEAD", "house/trial")
    assert changes_of(found) == [(BREAKING, ChangeKind.CHANGED, "value trial.more")]
    assert found.changes[0].old is not None
    assert found.changes[0].old.file == "HEAD:my rules/rules/more.yaml"


@git
def test_a_ruleset_that_moved_together_with_what_it_requires_is_found(tmp_path: Path) -> None:
    for place in ("before", "after"):
        ruleset(tmp_path / place / "house" / "trial")
        top = tmp_path / place / "house" / "top"
        top.mkdir()
        text = "id: house/top\nkind: house\ntitle: {en: On top}\nrequires: {trial: house/trial}\n"
        (top / "module.yaml").write_text(text, encoding="utf-8")
        if place == "before":
            committed(tmp_path)
            shutil.rmtree(tmp_path / place)
    assert since(tmp_path / "after", "HEAD", "house/top").changes == ()
    assert since(tmp_path / "after", "HEAD", "house/top", "house/trial").changes == ()


@git
def test_rulesets_elsewhere_are_there_with_what_they_share(tmp_path: Path) -> None:
    folder = ruleset(tmp_path / "trial", ("base: c2/base", "dragon: c2/princess-and-dragon"))
    committed(tmp_path)
    ruleset(
        tmp_path / "trial",
        ("base: c2/base", "dragon: c2/princess-and-dragon"),
        ("is: 3", "is: 4"),
    )
    found = since(folder, "HEAD", "house/trial")
    assert changes_of(found) == [(BREAKING, ChangeKind.CHANGED, "value trial.more")]


@git
@pytest.mark.parametrize("ids", [("house/trial", "c2/farmers"), ("c2/farmers", "house/trial")])
def test_the_repository_is_that_of_the_author(tmp_path: Path, ids: tuple[str, ...]) -> None:
    folder = ruleset(tmp_path / "trial")
    committed(tmp_path)
    ruleset(tmp_path / "trial", ("is: 3", "is: 4"))
    found = diff_against(ids, {}, library(folder), "HEAD", whole=True)
    assert changes_of(found) == [(BREAKING, ChangeKind.CHANGED, "value trial.more")]


@git
@pytest.mark.parametrize("revision", ["no-such", "-n", "HEAD:rules", "--help", "a b", "HEAD\n"])
def test_an_unknown_revision_is_reported(tmp_path: Path, revision: str) -> None:
    folder = ruleset(tmp_path / "trial")
    committed(folder)
    with pytest.raises(RevisionError, match="git knows no revision"):
        since(folder, revision, "house/trial")


@git
def test_rulesets_that_a_revision_lacks_are_reported(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("x", encoding="utf-8")
    committed(tmp_path)
    folder = ruleset(tmp_path / "house" / "trial")
    with pytest.raises(RevisionError, match="is not there at `HEAD`"):
        since(folder, "HEAD", "house/trial")


def test_a_folder_outside_of_git_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ruleset(tmp_path / "trial")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert run(["diff", str(folder), "--against", "HEAD"]) == 3
    assert "is not in a git repository" in capsys.readouterr().err
    monkeypatch.setenv("PATH", "")
    assert run(["diff", str(folder), "--against", "HEAD"]) == 3
    assert "git is not installed" in capsys.readouterr().err


def test_a_change_names_itself() -> None:
    change: Change = dragons().changes[0]
    assert replace(change, kind="order", id="turn", part="").name == "order of turn"
    assert replace(change, kind="value", id="a.b", part="value").name == "value a.b"


@pytest.mark.parametrize("pair", [("c2/base", "c3/base"), ("c3/base", "c2/base")])
def test_things_that_an_edition_takes_over_are_neither_gone_nor_new(pair: tuple[str, str]) -> None:
    library = Library()
    found = diff_texts(*pair, library, library, pair)
    places = {
        how: {
            (side.file, side.line)
            for change in found.changes
            if change.how is how
            for side in (change.old, change.new)
            if side is not None
        }
        for how in (ChangeKind.GONE, ChangeKind.NEW)
    }
    assert places[ChangeKind.GONE].isdisjoint(places[ChangeKind.NEW])
    assert {change.kind for change in found.changes} == {"ruleset", "scenario"}
    assert [c.how for c in found.changes if c.kind == "ruleset"].count(ChangeKind.RENAMED) == 1
