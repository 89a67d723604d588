"""Reading rulesets: the diagnostics of wrong files, and their places.

In the cases a comment on the line with the error has the expected code.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from support.paths import ROOT
from support.reading_cases import READERS, SAMPLES, declared, node_of, sample
from tilewright.language.source.catalogue import codes, family
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.yaml.tree import YNode, read_yaml_file
from tilewright.rules.analysis.component_list import check_components
from tilewright.rules.analysis.tiles import check_tiles
from tilewright.rules.linking.compose.gather import gather
from tilewright.rules.linking.compose.select import select, split_game, whole
from tilewright.rules.linking.elaborate.ports import by_id, with_ports
from tilewright.rules.model.collections import KINDS
from tilewright.rules.model.ruleset import Action, Amendment, Procedure, Reaction, Ruleset, StepRule
from tilewright.rules.reading.files.rules import read_rules
from tilewright.rules.reading.files.tiles import read_tiles
from tilewright.rules.reading.folder import read_ruleset
from tilewright.rules.reading.library import Library, shipped_rulesets

# ------------------------------------------------------------------ shape

MODULE = "id: trial/first\nkind: base\ntitle: a trial\n"

SHAPES = [
    ("a list instead of a module", "module", "- id: trial/first  # TW203"),
    ("no title", "module", "id: trial/first  # TW201\nkind: base"),
    ("no kind", "module", "id: trial/first  # TW201\ntitle: a trial"),
    ("a misspelt key", "module", MODULE + "provide: [base]  # TW202"),
    ("a word for a list", "module", MODULE + "provides: base  # TW203"),
    ("a list for a map", "module", MODULE + "requires: [base]  # TW203"),
    ("a map for a list", "module", MODULE + "conflicts: {a: b}  # TW203"),
    ("nothing for a list", "module", MODULE + "conflicts: ~  # TW203"),
    ("a word for a number", "module", MODULE + "year: soon  # TW203"),
    ("a number with a leading zero", "module", MODULE + "year: 02014  # TW203"),
    ("a number for text", "module", "id: 12  # TW203\nkind: base\ntitle: a trial"),
    ("an unknown kind", "module", "id: trial/first\nkind: bas  # TW204\ntitle: a trial"),
    ("an id without edition", "module", "id: first  # TW205\nkind: base\ntitle: a trial"),
    ("a role with capitals", "module", MODULE + "provides: [Base]  # TW205"),
    ("a requirement that is not a ruleset", "module", MODULE + "requires: {base: first}  # TW205"),
    ("labels without English", "module", "id: trial/first\nkind: base\ntitle: {pl: x}  # TW201"),
    ("a label in a long language", "module", MODULE.replace("a trial", "{en: x, eng: y}  # TW205")),
    ("an empty title", "module", 'id: trial/first\nkind: base\ntitle: ""  # TW206'),
    (
        "an option with one choice",
        "module",
        MODULE + "options:\n  o:\n    choices: [a]  # TW206\n    default: a\n    says: which",
    ),
    (
        "a default that cannot be chosen",
        "module",
        MODULE + "options:\n  o:\n    choices: [a, b]\n    default: c  # TW224\n    says: which",
    ),
    (
        "a colour by name",
        "module",
        MODULE + "seats:\n  - id: red\n    colour: crimson  # TW205\n    label: {en: red}",
    ),
    ("a negative count", "module", MODULE + "components: [{of: tiles, count: -1}]  # TW207"),
    ("an unknown component", "module", MODULE + "components: [{of: tile, count: 1}]  # TW204"),
    (
        "a statement without authority",
        "statements",
        "statements:\n  - id: a  # TW201\n    topic: t\n    says: x",
    ),
    (
        "a statement with two ways out",
        "statements",
        "statements:\n  - id: a\n    topic: t\n    says: x\n    authority: official\n"
        "    no_rule: why\n    awaits: [b]  # TW209",
    ),
    (
        "a question without an answer",
        "statements",
        "statements:\n  - {id: a, topic: t, says: x, authority: official,\n"
        "     questions: [{asks: Why?}]}  # TW213",
    ),
    (
        "a comparison that waits",
        "statements",
        "statements:\n  - id: a\n    topic: t\n    says: x\n    authority: official\n"
        "    compares: [b]\n    awaits: [c]  # TW209",
    ),
    (
        "a consequence that is a comparison",
        "statements",
        "statements:\n  - id: a\n    topic: t\n    says: x\n    authority: official\n"
        "    follows_from: [b]\n    compares: [c]  # TW209",
    ),
    (
        "an authority with a slip",
        "statements",
        "statements:\n  - id: a\n    topic: t\n    says: x\n    authority: oficial  # TW204",
    ),
    ("no statements", "statements", "statement: []  # TW201 TW202"),
    ("an unknown reach", "components", "features:\n  t:\n    reach: sides  # TW204\n"
     "    label: {en: x}\n    completes: never"),
    ("a kind that is a word", "components", "features:\n  t: town  # TW203"),
    ("a kind with a bad name", "components", "features:\n  T-1:  # TW205\n"
     "    label: {en: x}\n    reach: side\n    completes: never"),
    ("a figure without count", "components", "figures:\n  peg:  # TW201\n    label: {en: x}"),
    ("yes is not true", "components", "figures:\n  peg:\n    label: {en: x}\n    count: 1\n"
     "    owned: yes  # TW203"),
    ("an empty list of figures", "components", "roles:\n  r:\n    label: {en: x}\n    on: t\n"
     "    figures: []  # TW206"),
    ("three edges", "tiles", "tiles:\n  - id: a\n    count: 1\n    edges: [m, m, m]  # TW206"),
    ("a tile that is not there", "tiles", "tiles:\n  - id: a\n    count: 0  # TW207\n"
     "    edges: [m, m, m, m]"),
    ("an unknown side", "tiles", "tiles:\n  - id: a\n    count: 1\n    edges: [m, m, m, m]\n"
     "    segments:\n      s: {kind: m, at: [NW]}  # TW204"),
    ("a negative attribute", "tiles", "tiles:\n  - id: a\n    count: 1\n    edges: [m, m, m, m]\n"
     "    segments:\n      s: {kind: m, flags: -1}  # TW207"),
    ("a misspelt key of a segment", "tiles", "tiles:\n  - id: a\n    count: 1\n"
     "    edges: [m, m, m, m]\n    segments:\n      s: {kind: m, bordres: [a]}  # TW202"),
    ("faces and edges", "tiles", "tiles:\n  - id: a\n    count: 1\n"
     "    edges: [m, m, m, m]  # TW211\n    faces: [[{at: [0, 0], edges: [m, m, m, m]}]]"),
    ("a cell without place", "tiles", "tiles:\n  - id: a\n    count: 1\n"
     "    faces: [[{edges: [m, m, m, m]}]]  # TW201"),
    ("a rule without body", "rules", "rules:\n  - id: a.b  # TW208"),
    ("a rule with two bodies", "rules", "rules:\n  - id: a.b\n    on: step x\n    do: stop\n"
     "    amend: y  # TW208"),
    ("an amendment that does", "rules", "rules:\n  - id: a.b\n    amend: y\n    value: 1\n"
     "    do: stop  # TW208"),
    ("an amendment without value", "rules", "rules:\n  - id: a.b  # TW201\n    amend: y"),
    ("a step without name", "rules", "rules:\n  - id: a.b\n    on: step  # TW205\n    do: stop"),
    ("an action without step", "rules",
     "rules:\n  - id: a.b\n    action: go  # TW205\n    do: stop"),
    ("a procedure without types", "rules",
     "rules:\n  - id: a.b\n    procedure: go(x)  # TW205\n    do: stop"),
    ("an empty effect", "rules", 'rules:\n  - id: a.b\n    on: step x\n    do: " "  # TW206'),
    ("an unknown law", "rules", "definitions:\n  d:\n    type: number\n    says: x\n"
     "    combine: som  # TW204"),
    ("a memory for a week", "rules", "memory:\n  m: {type: number, per: week}  # TW204"),
    ("a patch without reason", "rules", "patches:\n  - id: a  # TW201\n    remove: b"),
    ("a patch with two verbs", "rules", "patches:\n  - id: a\n    why: x\n    remove: b\n"
     "    set: c  # TW210\n    to: 1"),
    ("a removal with a value", "rules", "patches:\n  - id: a\n    why: x\n    remove: b\n"
     "    to: 1  # TW210"),
    ("a removal with a body", "rules", "patches:\n  - id: a\n    why: x\n    remove: b\n"
     "    do: stop  # TW202"),
    ("a setting with nothing", "rules", "patches:\n  - id: a  # TW201\n    why: x\n    set: b"),
    ("a scenario that does nothing", "scenarios", "scenarios:\n  - id: a  # TW212\n    says: x"),
    ("a scenario that plays and fails", "scenarios",
     "scenarios:\n  - id: a  # TW212\n    says: x\n    play: [pass]\n    fails: TW703"),
    ("a cell that lost its quotes", "scenarios",
     "scenarios:\n  - id: a\n    says: x\n    play: [pass]\n"
     "    figures: {red peg: 0,0/t1}  # TW203"),
    ("a board without direction", "scenarios",
     'scenarios:\n  - id: a\n    says: x\n    play: [pass]\n    board: ["cap 0,0"]  # TW205'),
    ("a line of play that looks at nothing", "scenarios",
     "scenarios:\n  - id: a\n    says: x\n    play:\n      - expects: {}  # TW201 TW202"),
    ("an unknown expectation", "scenarios",
     "scenarios:\n  - id: a\n    says: x\n    play:\n      - expect: {point: 3}  # TW202"),
]  # fmt: skip


def expected(text: str) -> list[tuple[int, str]]:
    return sorted(
        (number, code)
        for number, line in enumerate(text.split("\n"), 1)
        for code in re.findall(r"TW\d{3}", line.partition("#")[2])
    )


def reported(reporter: Reporter) -> list[tuple[int, str]]:
    return sorted((found.span.line, found.code) for found in reporter.diagnostics)


@pytest.mark.parametrize(
    ("kind", "text"), [case[1:] for case in SHAPES], ids=[case[0] for case in SHAPES]
)
def test_a_wrong_shape_is_reported_at_its_line(kind: str, text: str) -> None:
    reporter = Reporter()
    READERS[kind](node_of(text), reporter)
    assert reported(reporter) == expected(text)


def test_a_misspelt_key_comes_with_its_fix() -> None:
    reporter = Reporter()
    READERS["module"](node_of(MODULE + "confilcts: []"), reporter)
    (found,) = reporter.diagnostics
    assert found.message == "unknown key `confilcts` in module.yaml; did you mean `conflicts`?"
    assert found.fix is not None and found.fix.replacement == "conflicts"
    assert (found.span.line, found.span.column, found.span.end_column) == (4, 1, 10)


def test_a_message_names_what_was_found() -> None:
    reporter = Reporter()
    READERS["module"](node_of(MODULE + "provides: base"), reporter)
    (found,) = reporter.diagnostics
    assert found.message == "`provides` must be a list, like `[one, two]`, found the text `base`"


# ------------------------------------------------------------------ tiles

ALL = "NNW, NNE, ENE, ESE, SSE, SSW, WSW, WNW"

TILES = [
    ("an unknown kind", "town, meadow, meadow, meadow",
     ["t: {kind: towm, at: [N]}  # TW501",
      "m: {kind: meadow, at: [ENE, ESE, SSE, SSW, WSW, WNW]}"]),
    ("a half of a town beside a meadow", "town, meadow, meadow, meadow  # TW506",
     ["t: {kind: town, at: [NNE]}",
      "m: {kind: meadow, at: [NNW, ENE, ESE, SSE, SSW, WSW, WNW]}"]),
    ("a half of a meadow beside a town", "town, meadow, meadow, meadow  # TW506",
     ["t: {kind: town, at: [NNW]}",
      "m: {kind: meadow, at: [NNE, ENE, ESE, SSE, SSW, WSW, WNW]}"]),
    ("a half of a side taken with the side", "town, town, town, town",
     ["t: {kind: town, at: [N, W]}", "u: {kind: town, at: [NNE, E, S]}  # TW504"]),
    ("half a side alone", "town, meadow, meadow, meadow  # TW505",
     ["t: {kind: town, at: [NNW]}",
      "m: {kind: meadow, at: [ENE, ESE, SSE, SSW, WSW, WNW]}"]),
    ("a side for a kind of halves", "meadow, meadow, meadow, meadow",
     ["m: {kind: meadow, at: [N]}  # TW502"]),
    ("a half for a kind of centres", "track, meadow, meadow, meadow",
     ["r: {kind: track, at: [NNW]}  # TW502", f"m: {{kind: meadow, at: [{ALL}]}}"]),
    ("a place for a kind inside", "meadow, meadow, meadow, meadow",
     ["h: {kind: hut, at: [N]}  # TW503", f"m: {{kind: meadow, at: [{ALL}]}}"]),
    ("a half taken twice", "town, meadow, meadow, meadow",
     ["t: {kind: town, at: [N]}", f"m: {{kind: meadow, at: [{ALL}]}}  # TW504"]),
    ("a centre taken twice", "track, meadow, meadow, meadow",
     ["r: {kind: track, at: [N], ends: [a]}", "s: {kind: track, at: [N], ends: [a]}  # TW504",
      f"m: {{kind: meadow, at: [{ALL}]}}"]),
    ("a half twice in one segment", "meadow, meadow, meadow, meadow",
     [f"m: {{kind: meadow, at: [NNW, {ALL}]}}  # TW504"]),
    ("a half in no segment", "meadow, meadow, meadow, meadow  # TW505",
     ["m: {kind: meadow, at: [NNW, NNE, ENE, ESE, SSE, SSW, WSW]}"]),
    ("an edge without its track", "track, meadow, meadow, meadow  # TW506",
     [f"m: {{kind: meadow, at: [{ALL}]}}"]),
    ("a track without its edge", "meadow, meadow, meadow, meadow  # TW506",
     ["r: {kind: track, at: [N], ends: [a]}", f"m: {{kind: meadow, at: [{ALL}]}}"]),
    ("an edge of an unknown kind", "toun, town, town, town  # TW506",
     ["t: {kind: town, at: [N, E, S, W]}"]),
    ("a border with nobody", "town, town, town, town",
     ["t: {kind: town, at: [N, E, S, W], borders: [m]}  # TW508"]),
    ("a border with itself", "town, town, town, town",
     ["t: {kind: town, at: [N, E, S, W], borders: [t]}  # TW509"]),
    ("a border beyond a track", "town, track, meadow, track",
     ["t: {kind: town, at: [N]}", "r: {kind: track, at: [E, W]}",
      "m: {kind: meadow, at: [ENE, WNW]}",
      "n: {kind: meadow, at: [ESE, SSE, SSW, WSW], borders: [t]}  # TW510"]),
    ("inside nobody", "town, town, town, town",
     ["t: {kind: town, at: [N, E, S, W]}", "h: {kind: hut, inside: m}  # TW511"]),
    ("inside itself", "town, town, town, town",
     ["t: {kind: town, at: [N, E, S, W]}", "h: {kind: hut, inside: h}  # TW511"]),
    ("two towns that cross", "town, town, town, town",
     ["t: {kind: town, at: [N, S]}", "u: {kind: town, at: [E, W]}  # TW512"]),
    ("meadows that cross a track", "track, meadow, track, meadow",
     ["r: {kind: track, at: [N, S]}", f"m: {{kind: meadow, at: [{ALL}]}}  # TW512"]),
    ("a track to nowhere", "track, meadow, meadow, meadow",
     ["r: {kind: track, at: [N]}  # TW513", f"m: {{kind: meadow, at: [{ALL}]}}"]),
    ("a town that is nowhere", "meadow, meadow, meadow, meadow",
     ["t: {kind: town}  # TW514", f"m: {{kind: meadow, at: [{ALL}]}}"]),
    ("an unknown symbol of a segment", "town, town, town, town",
     ["t: {kind: town, at: [N, E, S, W], symbols: [sta]}  # TW518"]),
    ("an attribute of another kind", "meadow, meadow, meadow, meadow",
     [f"m: {{kind: meadow, at: [{ALL}], flags: 1}}  # TW519"]),
]  # fmt: skip


def tile(edges: str, segments: list[str]) -> str:
    lines = "".join(f"      {segment}\n" for segment in segments)
    written, _, comment = edges.partition("  # ")
    mark = f"  # {comment}" if comment else ""
    return (
        f"tiles:\n  - id: trial\n    count: 1\n    edges: [{written}]{mark}\n    segments:\n{lines}"
    )


def checked(text: str) -> Reporter:
    reporter = Reporter()
    known = declared()
    check_tiles(read_tiles(node_of(text), reporter), by_id(known.features), known.symbols, reporter)
    return reporter


@pytest.mark.parametrize(
    ("edges", "segments"), [case[1:] for case in TILES], ids=[case[0] for case in TILES]
)
def test_a_tile_that_cannot_be_printed_is_reported(edges: str, segments: list[str]) -> None:
    text = tile(edges, segments)
    assert reported(checked(text)) == expected(text)


def test_the_sample_tiles_can_be_printed() -> None:
    assert checked(sample("tiles")).diagnostics == ()


def test_ports_follow_from_places_and_reach() -> None:
    reporter = Reporter()
    first = read_tiles(node_of(sample("tiles")), reporter)[0]
    filled = with_ports(first, by_id(declared().features), reporter)
    ports = {segment.id: segment.ports for segment in filled.faces[0][0].segments}
    assert ports == {
        "t1": (0, 1, 2),
        "r1": (4,),
        "r2": (10,),
        "m1": (3, 11),
        "m2": (5, 6, 8, 9),
        "h1": (),
    }


# ------------------------------------------------------------------ rules


def test_each_body_of_a_rule_becomes_its_own_kind() -> None:
    found = {rule.head.id: rule for rule in read_rules(node_of(sample("rules")), Reporter()).rules}
    amendment, step = found["town.worth_of"], found["turn.place"]
    reaction, action, procedure = found["turn.closed"], found["turn.put"], found["pay.out"]
    assert isinstance(amendment, Amendment) and amendment.parameters == ("x",)
    assert isinstance(step, StepRule) and step.step == "place"
    assert isinstance(reaction, Reaction) and reaction.parameters == ("x", "who")
    assert isinstance(action, Action) and (action.name, action.step) == ("put", "place")
    assert isinstance(procedure, Procedure)
    assert [(p.name, p.type) for p in procedure.declaration.parameters] == [
        ("x", "feature"),
        ("who", "set of player"),
    ]


def test_a_parameter_of_a_procedure_knows_its_place() -> None:
    text = 'rules:\n  - id: a.b\n    procedure: "go(x: feature)"\n    do: stop'
    (rule,) = read_rules(node_of(text), Reporter()).rules
    assert isinstance(rule, Procedure)
    span = rule.declaration.parameters[0].span
    assert (span.line, span.column, span.end_column) == (3, 20, 30)


def test_a_replacing_patch_keeps_the_id_of_the_rule() -> None:
    patches = read_rules(node_of(sample("rules")), Reporter()).patches
    rule = patches[2].rule
    assert rule is not None and rule.head.id == patches[2].target == "turn.closed"


# ------------------------------------------------------------------ folders and examples


def test_the_samples_together_are_a_ruleset() -> None:
    reporter = Reporter()
    ruleset = read_ruleset(SAMPLES, reporter)
    assert ruleset is not None and ruleset.id == "trial/first"
    strangers = [found.span.file.rpartition("/")[2] for found in reporter.diagnostics]
    assert strangers == ["rules.yaml", "scenarios.yaml", "topics.yaml"]


def test_a_ruleset_is_found_by_its_place(tmp_path: Path) -> None:
    write(tmp_path / "trial/first/module.yaml", MODULE)
    write(tmp_path / "trial/second/module.yaml", MODULE)
    library = Library([tmp_path], shipped=False)
    reporter = Reporter()
    assert library.ids() == ("trial/first", "trial/second")
    first = library.load("trial/first", reporter)
    assert first is not None and library.load("trial/first", reporter) is first
    assert not reporter.has_errors
    library.load("trial/second", reporter)
    assert library.load("trial/frist", reporter) is None
    assert [found.code for found in reporter.diagnostics] == ["TW221", "TW222"]
    assert "did you mean `trial/first`?" in reporter.diagnostics[0].message


def test_a_folder_of_its_own_is_a_ruleset_too(tmp_path: Path) -> None:
    write(tmp_path / "my-change/module.yaml", MODULE)
    library = Library(shipped=False)
    assert library.add(tmp_path / "my-change") == ("trial/first",)
    reporter = Reporter()
    assert library.load("trial/first", reporter) is not None
    assert reporter.diagnostics == ()


def test_a_folder_without_module_is_no_ruleset(tmp_path: Path) -> None:
    reporter = Reporter()
    assert read_ruleset(tmp_path, reporter) is None
    assert [found.code for found in reporter.diagnostics] == ["TW226"]


def test_what_is_shipped_reads_clean() -> None:
    reporter = Reporter()
    library = Library()
    loaded = [library.load(name, reporter) for name in library.ids()]
    assert loaded and None not in loaded
    assert reporter.diagnostics == ()


#: rulesets together with those in whose company all of their tiles are in the game
COMPANY = ("c3.1/dragon-and-fairy+c3/river", "c3.1/traders-and-builders+c3/river")


def test_what_is_shipped_can_be_printed() -> None:
    quiet, reporter = Reporter(), Reporter()
    library = Library()

    def load(name: str) -> Ruleset | None:
        return library.load(name, quiet)

    for game in (*library.ids(), *COMPANY):
        selection = select(split_game(game), {}, load, reporter)
        assert selection is not None
        gathered = gather(selection, quiet)
        symbols = gathered.symbols.values()
        check_tiles(gathered.pieces.values(), gathered.features, symbols, reporter)
    for name in library.ids():
        ruleset = whole(name, load)
        assert ruleset is not None
        check_components(ruleset, reporter)
    assert reporter.diagnostics == ()


def test_the_shipped_folder_is_that_of_the_tree() -> None:
    assert shipped_rulesets() == ROOT / "rulesets"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def diagnostics_about(example: str, folder: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics of a ruleset with one file from an example."""
    home = folder / "trial" / "first"
    write(home / "module.yaml", MODULE)
    write(home / "components.yaml", sample("components"))
    write(home / example.split("\n", 1)[0].removeprefix("# "), example)
    reporter = Reporter()
    ruleset = read_ruleset(home, reporter)
    if ruleset is not None:
        kinds = by_id(ruleset.features)
        check_tiles(ruleset.pieces, kinds, ruleset.symbols, reporter)
        check_components(ruleset, reporter)
    return reporter.diagnostics


@pytest.mark.parametrize(
    "code", [info.code for info in family("shape") + family("tiles") if info.is_runnable]
)
def test_the_examples_of_a_code_fail_and_are_mended(code: str, tmp_path: Path) -> None:
    info = codes()[code]
    assert {found.code for found in diagnostics_about(info.failing, tmp_path / "a")} == {code}
    assert diagnostics_about(info.mended, tmp_path / "b") == ()


def test_the_list_of_kinds_has_all_that_a_ruleset_declares() -> None:
    about_the_folder = {
        "module",
        "ignores",
        "folder",
        "files",
        "took_over",
        "part",
        "entire",
        "shared",
    }
    assert {field.name for field in fields(Ruleset)} == {*KINDS, *about_the_folder}
    assert len(KINDS) == len(set(KINDS))


def test_a_ruleset_that_was_read_whole_is_not_read_again_for_its_rules(tmp_path: Path) -> None:
    own = tmp_path / "trial" / "first"
    own.mkdir(parents=True)
    (own / "module.yaml").write_text("id: trial/first\nkind: house\ntitle: First\n", "utf-8")
    read: list[str] = []

    def counted(path: Path, name: str, reporter: Reporter) -> YNode | None:
        read.append(path.name)
        return read_yaml_file(path, name, reporter)

    library = Library([tmp_path], shipped=False, read=counted)
    reporter = Reporter()
    complete = library.load("trial/first", reporter)
    rules = library.load_rules("trial/first", reporter)
    assert reporter.diagnostics == ()
    assert complete is not None
    assert rules == complete
    assert read == ["module.yaml"]
