"""The pages for people: what they show works, what they name is there, what is made is current."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from support.documents import FENCED, anchors, blocks, files
from support.paths import ROOT
from tilewright.faces.cli.app import whole_app
from tilewright.language.builtins import ATTRIBUTES, FUNCTIONS, GLOBALS, VERBS
from tilewright.language.source.catalogue import codes
from tilewright.language.source.diagnostics import Reporter, Severity
from tilewright.language.syntax.parse_table import grammar_text
from tilewright.language.types import BASES
from tilewright.play.bots.base import play_out, random_bot
from tilewright.play.new_match import start_match
from tilewright.rules.model.ruleset import Combine
from tilewright.rules.reading.files.patterns import BODIES
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.formatting.format_file import lay_out_file
from tilewright.tools.reports.reference import diagnostic_pages, pages, stale
from tilewright.tools.reports.reference_texts import COMBINES, OPERATORS, QUANTIFIERS
from tilewright.tools.scenarios.runner import run_all
from tilewright.tools.scenarios.setup import evaluated_text
from tilewright.tools.workspace.loading import load_program
from tilewright.view.results.impact import Impact

DOCS = ROOT / "docs"
PACKAGE = ROOT / "interpreter" / "tilewright"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
README = ROOT / "README.md"
LINK = re.compile(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"")
#: the pages that show a whole ruleset, and the codes that `check` reports for it
SHOWN = [
    (README, {"TW603"}),
    (DOCS / "how-to" / "house-rules.md", set()),
    (DOCS / "reference" / "scenarios.md", {"TW603"}),
    (DOCS / "how-to" / "expansion.md", set()),
    (DOCS / "how-to" / "recipes.md", {"TW603", "TW604"}),
    (DOCS / "how-to" / "recipes-board.md", {"TW603"}),
]


def written(page: Path, folder: Path) -> tuple[Library, str]:
    """A library with the ruleset that a page shows, and the ruleset's id."""
    for name, text in files(page).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    library = Library()
    (id_,) = library.add(folder / next(iter(files(page))).split("/")[0])
    return library, id_


@pytest.mark.parametrize(("page", "expected"), SHOWN, ids=lambda x: getattr(x, "stem", ""))
def test_a_ruleset_that_a_page_shows_is_sound_but_for_what_the_page_says(
    page: Path, expected: set[str], tmp_path: Path
) -> None:
    library, id_ = written(page, tmp_path)
    assert {diagnostic.code for diagnostic in check(library, [id_])} == expected


@pytest.mark.parametrize("page", [page for page, _ in SHOWN], ids=lambda page: page.stem)
def test_the_scenarios_that_a_page_shows_hold(page: Path, tmp_path: Path) -> None:
    library, id_ = written(page, tmp_path)
    runs, _ = run_all((id_,), library)
    assert runs
    assert [problem.message for run in runs for problem in run.problems] == []


@pytest.mark.parametrize("page", [page for page, _ in SHOWN], ids=lambda page: page.stem)
def test_a_ruleset_that_a_page_shows_is_played_to_the_end(page: Path, tmp_path: Path) -> None:
    library, id_ = written(page, tmp_path)
    program, reporter = load_program(id_, library=library)
    assert program is not None, reporter.diagnostics
    bot = random_bot(random.Random(1))
    assert play_out(start_match(program, 2, 1), [bot, bot]).is_over


@pytest.mark.parametrize(
    "page", [page for page in PAGES if files(page)], ids=lambda page: page.stem
)
def test_the_files_of_rulesets_that_a_page_shows_are_in_canonical_form(
    page: Path, tmp_path: Path
) -> None:
    for name, text in files(page).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        file = lay_out_file(path, Reporter())
        assert file is not None
        assert file.after == text, name


def test_the_readme_lists_every_box() -> None:
    text = " ".join(README.read_text("utf-8").split()).casefold()
    library = Library()
    boxes = [ruleset for id_ in library.ids() if (ruleset := library.load(id_, Reporter()))]
    titles = {
        re.sub(r" \(.*\)| with .*", "", dict(box.module.title.texts)["en"])
        for box in boxes
        if box.module.kind == "expansion"
    }
    assert {title for title in titles if title.casefold() not in text} == set()
    assert len(titles) > 15


def test_the_house_rule_of_the_readme_has_ten_lines() -> None:
    (text,) = files(README).values()
    rule, _, scenarios = text.partition("\nscenarios:\n")
    assert scenarios
    assert len(rule.splitlines()) == 10


def test_the_house_rule_of_the_readme_changes_what_it_says(tmp_path: Path) -> None:
    library, id_ = written(README, tmp_path)
    program, _ = load_program(id_, library=library)
    assert program is not None
    assert getattr(program.game.values["dragon.steps"].term, "value", None) == 9
    amendments = [a.rule.head.id for a in program.game.definitions["may_eat"].amendments]
    assert "hungry.spares_monks" in amendments


def test_the_readme_has_its_two_commands() -> None:
    shown = [text.strip() for text in blocks(README, "sh")]
    first = "pip install . && tilewright compare c2/princess-and-dragon c3.1/dragon-and-fairy"
    assert shown[:2] == [first, 'pip install -e ".[test]" && pytest']


def test_the_readme_lists_every_verb() -> None:
    text = README.read_text("utf-8")
    app = whole_app()
    verbs = {c.name or c.callback.__name__ for c in app.registered_commands if c.callback}
    verbs |= {group.name for group in app.registered_groups}
    found = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))
    assert found == verbs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_leads_somewhere(page: Path) -> None:
    for pair in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
        path, _, anchor = (pair[0] or pair[1]).partition("#")
        if path.startswith("https:"):
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        assert ROOT in target.parents, f"{path} leads out of the project"
        if anchor:
            assert anchor in anchors(target), anchor


def test_links_of_kept_html_pages_lead_somewhere() -> None:
    for page in DOCS.rglob("*.html"):
        text = page.read_text("utf-8")
        ids = set(re.findall(r'\bid="([^"]+)"', text))
        found = re.findall(r'<(?:a|use|link)\b[^>]*\bhref="([^"]*)"', text)
        assert {x[1:] for x in found if x.startswith("#")} <= ids, page
        found = [x for x in found if not x.startswith(("#", "data:"))]
        for path in (link.partition("#")[0] for link in found):
            assert (page.parent / path).exists(), f"{page}: {path}"


def test_the_changelog_has_the_shape_that_it_promises() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    heads = [version.partition("\n")[0] for version in versions]
    assert heads[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", head) for head in heads[1:])
    known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for version in versions:
        kinds = re.findall(r"^### (.+)$", version, re.MULTILINE)
        assert kinds == [kind for kind in known if kind in kinds]
        before = version.partition("### ")[0]
        assert kinds
        assert "\n- " not in before, "each entry has a kind"


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "docs/explanation/decisions.md"])
def test_the_files_that_the_architecture_names_are_there(page: str) -> None:
    text = FENCED.sub("", (ROOT / page).read_text("utf-8"))
    named = set(re.findall(r"`([\w./-]+\.(?:py|lark|json|yaml|md))`", text))
    assert named
    missing = [n for n in named if not ((ROOT / n).exists() or (PACKAGE / n).exists())]
    assert missing == []


def test_the_python_of_the_architecture_runs() -> None:
    (text,) = blocks(ROOT / "ARCHITECTURE.md", "python")
    exec(compile(text, "ARCHITECTURE.md", "exec"), {})


def test_the_glossary_has_every_type_severity_and_impact_and_no_word_twice() -> None:
    text = (DOCS / "reference" / "glossary.md").read_text("utf-8")
    words = re.findall(r"^\| (?!word|---)([^|]+) \|", text, re.MULTILINE)
    assert len(set(words)) == len(words) > 50
    for base in BASES:
        assert base.split()[-1] in text, base
    for word in (*Severity, *Impact):
        assert f"**{word.value}**" in text, word
    for word in (*BODIES, "amendment", "definition", "patch"):
        assert word in ("amend", "on") or word in words, word


# ------------------------------------------------------------------ generated pages


def test_the_arithmetic_of_the_reference_is_true() -> None:
    text = " ".join(says for word, (_, says) in OPERATORS.items() if word in ("div", "mod"))
    shown = re.findall(r"`(-?\d[^`]*)`(?: and `(-?\d[^`]*)`)? (?:is|are) (-?\d+)", text)
    claims = {expression: found for *both, found in shown for expression in both if expression}
    assert claims == {"7 div 2": "3", "-7 div 2": "-4", "7 mod 2": "1", "-7 mod 2": "1"}
    program, _ = load_program("c2/base")
    assert program is not None
    match = start_match(program, 2, 1)
    claims |= {"7 div 0": "0", "7 mod 0": "7", "(7 + 1) div 2": "4", "(-7 + 1) div 2": "-3"}
    for expression, found in claims.items():
        assert evaluated_text(match, expression, Reporter()) == found, expression


def test_the_step_without_a_place_in_the_reference_is_refused_as_shown(tmp_path: Path) -> None:
    page = DOCS / "reference" / "format.md"
    (rule,) = (text for text in blocks(page, "yaml") if "tip.given" in text)
    (shown,) = (text for text in blocks(page, "text") if "tip.given" in text)
    head = "id: house/tip\nkind: house\ntitle: A tip\nrequires: {base: c2/base}\n"
    placed = rule.replace("label", "after: [lay_tile], before: [pass_turn], label")
    for name, text, expected in (("bare", rule, [shown]), ("placed", placed, [])):
        folder = tmp_path / name / "tip"
        (folder / "rules").mkdir(parents=True)
        (folder / "module.yaml").write_text(head, "utf-8")
        (folder / "rules" / "tip.yaml").write_text(text, "utf-8")
        library = Library()
        (id_,) = library.add(folder)
        errors = [d for d in check(library, [id_]) if d.severity is Severity.ERROR]
        assert [f"error[{d.code}]: {d.message}\n" for d in errors] == expected


def test_every_kind_of_choice_has_its_line_in_the_reference() -> None:
    """The table of members of sets has each base that an option can have."""
    page = (DOCS / "reference" / "scenarios.md").read_text("utf-8")
    table = page.partition("A member of a set is written by its type:")[2].partition("\n\n\n")[0]
    heads = re.findall(r"^\| ([^|]+) \|", table.partition("###")[0], re.MULTILINE)
    named = ", ".join(heads).replace("kind", "feature kind, figure kind")
    # a print, a symbol and a trait are not chosen; the place of a piece has a row of its own
    for base in {*BASES} - {"print", "placement", "symbol", "trait"}:
        assert base in named, base


def test_the_reference_is_current() -> None:
    assert stale(DOCS) == (), "run `python -m tilewright.tools.reports.reference docs`"


def test_the_reference_names_every_primitive_and_code() -> None:
    made = pages()
    for name in (x.name for table in (ATTRIBUTES, FUNCTIONS, GLOBALS) for x in table):
        assert f"`{name}" in made["reference/language.md"]
    for verb in VERBS:
        parts = verb.written(verb.operand.upper(), "@").split("@")
        before, after = (re.escape(part.strip()) for part in parts)
        assert re.search(rf"\| `{before}.*{after}`", made["reference/language.md"])


def test_every_code_has_a_page_that_its_index_leads_to() -> None:
    made = diagnostic_pages()
    index = made.pop("reference/diagnostics/index.md")
    assert re.findall(r"\]\((.+?\.md)\)", index) == [name.rpartition("/")[2] for name in made]
    for (code, info), (name, text) in zip(codes().items(), made.items(), strict=True):
        assert name == f"reference/diagnostics/{info.name}.md"
        assert text.startswith(f"# {info.name} ({code})\n")
        assert info.title[1:] in text
        for part in (info.explanation, info.failing.rstrip(), info.mended.rstrip()):
            assert part in text
        assert f"ignore: {{{code}: the reason}}" in text


def test_every_word_of_the_grammar_and_every_law_is_told() -> None:
    words = re.search(r"^QUANTIFIER\S*: /\(([a-z|]+)\)", grammar_text(), re.MULTILINE)
    assert words is not None
    assert set(words[1].split("|")) == set(QUANTIFIERS)
    assert set(COMBINES) == set(Combine)
