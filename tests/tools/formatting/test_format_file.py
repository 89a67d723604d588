"""The canonical form: it keeps the meaning and every comment, and formatting it changes nothing."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.examples import examples
from support.marks import slow_unless
from support.paths import DATA
from support.scrambled import Scrambler
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import code_without_file
from tilewright.language.source.yaml.comments import comments
from tilewright.language.source.yaml.tree import YMap, YNode, YText, read_yaml
from tilewright.language.syntax.cst import remarks
from tilewright.language.syntax.formatter import layout_of
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.rules.reading import file_kinds
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.formatting import format_file
from tilewright.tools.formatting.format_file import LaidOut, canonical, kind_of
from tilewright.tools.workspace.loading import load_game

#: machines may be busy
SHIPPED = sorted(shipped_rulesets().rglob("*.yaml"))
SHIPPED.remove(shipped_rulesets() / "editions.yaml")  # a page of the documentation comes from it
SAMPLES = sorted((DATA / "samples").glob("*.yaml"))
FILES = [*SAMPLES, *SHIPPED]
#: the samples and every tenth file of the shipped rulesets
QUICK = {*SAMPLES, *SHIPPED[::10]}
GAMES = (
    "c3.1/dragon-and-fairy+c3.1/traders-and-builders+c3/river+c3/abbot+c3/farmers",
    "c2/princess-and-dragon+c2/inns-and-cathedrals+c2/river",
    "house/fairy-point-window",
)
#: small enough to be written in many ways
ODD = [path for path in SHIPPED if path.stat().st_size < 12_000]


def formed(text: str, name: str = "x.yaml") -> str:
    reporter = Reporter()
    found = canonical(text, name, reporter)
    assert found is not None, [str(d) for d in reporter.diagnostics]
    return found


def tree(text: str) -> YNode:
    reporter = Reporter()
    node = read_yaml(text, "x.yaml", reporter)
    assert node is not None, [str(d) for d in reporter.diagnostics]
    return node


def rules(text: str) -> str:
    """A file of rules in canonical form, without the line that names its schema."""
    return formed(text, "rules/x.yaml")


def name_of(path: Path) -> str:
    return "/".join(path.parts[-4:])


# ------------------------------------------------------------------ whole files


@pytest.mark.parametrize("path", slow_unless(lambda path: path in QUICK, FILES), ids=name_of)
def test_a_form_is_the_form_of_itself_and_keeps_every_comment(path: Path) -> None:
    text = path.read_text("utf-8")
    once = formed(text, str(path))
    assert formed(once, str(path)) == once
    assert Counter(comments(once, tree(once))) == Counter(comments(text, tree(text)))


@pytest.mark.slow
def test_the_hash_of_a_game_stays_however_its_files_were_written(tmp_path: Path) -> None:
    shutil.copytree(shipped_rulesets(), tmp_path / "rulesets")
    for shipped in SHIPPED:
        path = tmp_path / "rulesets" / shipped.relative_to(shipped_rulesets())
        kind = kind_of("", str(path), tree(path.read_text("utf-8")))
        author = Scrambler(len(path.parts) + path.stat().st_size, remarks=False)
        path.write_text(formed(author.file(tree(path.read_text("utf-8")), str(kind)), str(path)))
    before, after = Library(), Library([tmp_path / "rulesets"], shipped=False)
    for id_ in GAMES:
        one, _ = load_game(id_, {}, before)
        other, diagnostics_ = load_game(id_, {}, after)
        assert one is not None and other is not None, diagnostics_.diagnostics[:2]
        assert one.hash == other.hash, id_


@examples(60)
@given(st.sampled_from([*SAMPLES, *ODD]), st.integers(0, 1 << 32))
def test_however_a_file_is_written_its_form_says_the_same(path: Path, seed: int) -> None:
    node = tree(path.read_text("utf-8"))
    kind = kind_of(path.read_text("utf-8"), str(path), node)
    assert kind is not None
    author = Scrambler(seed)
    text = author.file(node, kind)
    once = formed(text, str(path))
    assert formed(once, str(path)) == once
    assert Counter(comments(once, tree(once))) == Counter(author.comments)
    written = Counter(remark.text for code in texts(tree(once)) for remark in remarks(code))
    assert not Counter(author.inner) - written


#: mistakes in a file
SLIPS = (
    *"#\n\t\"'[]{}:,|>-&*!?~%@`\\",
    *(" # x", "\n\n", "\n    # y\n", ": ", "- ", "null", "---\n", "|+", "\u2028"),
)


@examples(150)
@given(
    st.sampled_from([path for path in ODD if path.stat().st_size < 4_000]),
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(SLIPS), st.integers(0, 3)), max_size=3),
)
def test_a_damaged_file_has_a_diagnostic_or_a_form_that_stays(
    path: Path, slips: list[tuple[float, str, int]]
) -> None:
    text = path.read_text("utf-8")
    for where, slip, gone in slips:
        at = int(where * len(text))
        text = text[:at] + slip + text[at + gone :]
    reporter = Reporter()
    once = canonical(text, str(path), reporter)
    assert (once is None) == reporter.has_errors
    assert "TW941" not in {found.code for found in reporter.diagnostics}
    assert once is None or formed(once, str(path)) == once


def texts(node: YNode) -> list[str]:
    if isinstance(node, YText):
        return [node.value]
    inner = [v for _, v in node.entries] if hasattr(node, "entries") else list(node.items)
    return [text for each in inner for text in texts(each)]


@examples(40)
@given(st.sampled_from([*SAMPLES, *ODD]), st.integers(0, 1 << 32))
def test_two_ways_to_write_a_map_of_known_keys_have_one_order(path: Path, seed: int) -> None:
    node = tree(path.read_text("utf-8"))
    kind = str(kind_of("", str(path), node))
    text = Scrambler(seed, remarks=False).file(node, kind)
    found = tree(formed(text, str(path)))
    known = list(file_kinds.FILES[kind].keys)
    assert isinstance(found, YMap)
    keys = [key.value for key, _ in found.entries if key.value in known]
    assert keys == sorted(keys, key=known.index)


# ------------------------------------------------------------------ cases


CASES = {
    "keys are in the order of the schema": (
        "rules:\n  - do: stop\n    on: step x\n    id: a.b\n",
        "rules:\n  - id: a.b\n    on: step x\n    do: stop\n",
    ),
    "unknown keys come last, in their own order": (
        "rules:\n  - zeal: 1\n    ardour: 2\n    id: a.b\n",
        "rules:\n  - id: a.b\n    zeal: 1\n    ardour: 2\n",
    ),
    "two spaces a level, lists too": (
        "rules:\n-   id: a\n    from:\n    - b\n    - c\n",
        "rules:\n  - id: a\n    from:\n      - b\n      - c\n",
    ),
    "brackets stay where they fit": (
        "values: {a: {type: number,\n   is: 1}}\n",
        "values: {a: {type: number, is: 1}}\n",
    ),
    "a long text becomes a block": (
        "rules:\n  - from: [" + ", ".join(["abcdefghi-jkl"] * 7) + "]\n",
        "rules:\n  - from:\n" + "      - abcdefghi-jkl\n" * 7,
    ),
    "of many words a list is wrapped": (
        "order: [" + ", ".join(["abcdefghi"] * 13) + "]\n",
        "order:\n  [" + "abcdefghi, " * 7 + "abcdefghi,\n   " + "abcdefghi, " * 4 + "abcdefghi]\n",
    ),
    "quotes that only brackets need go with them": (
        'order: ["a, b",\n  # why\n  "c"]\n',
        'order:\n  - a, b\n  # why\n  - "c"\n',
    ),
    "single quotes become double ones": (
        "values: {'a b': 'it''s'}\n",
        'values: {"a b": "it\'s"}\n',
    ),
    "a number between quotes stays a text": ("order: ['12', \"no\"]\n", 'order: ["12", "no"]\n'),
    "long prose is folded": (
        "events:\n  a:\n    says: " + "word " * 25 + "end\n",
        "events:\n  a:\n    says: >-\n      "
        + "word " * 18
        + "word\n      "
        + "word " * 6
        + "end\n",
    ),
    "short prose is not": (
        "events:\n  a:\n    says: >-\n      so it\n      is\n",
        "events:\n  a:\n    says: so it is\n",
    ),
    "quotes alone are worth no block": (
        'events:\n  a:\n    says: "' + "word " * 17 + 'word!"\n',
        "events:\n  a:\n    says: " + "word " * 17 + "word!\n",
    ),
    "one empty line is kept, more are not": (
        "values:\n\n  a: 1\n\n\n\n  b: 2\n\n\nrules: []\n",
        "values:\n  a: 1\n\n  b: 2\n\nrules: []\n",
    ),
    "a comment moves with its key": (
        "rules:\n  - do: stop  # beside\n    # above\n    id: a\n",
        "rules:\n  # above\n  - id: a\n    do: stop  # beside\n",
    ),
    "the first comments stay at the top": (
        "# schema\n\n# about rules\nrules: []\nvalues: {}\n",
        "# schema\n\nvalues: {}\n# about rules\nrules: []\n",
    ),
    "a comment below a list stays in it": (
        "rules:\n  - id: a\n    # below a\n  # below all\nvalues: {}\n",
        "values: {}\nrules:\n  - id: a\n    # below a\n  # below all\n",
    ),
    "the comment of a block stays beside its bar": (
        "rules:\n  - do: | # why\n      stop\n",
        "rules:\n  - do: |  # why\n      stop\n",
    ),
    "line ends of another system and a byte order mark go": (
        "\ufeffvalues: {}\r\nrules: []\r\n",
        "values: {}\nrules: []\n",
    ),
    "effects are laid out": (
        "rules:\n  - do: if  a{stop}  let b=c\n",
        "rules:\n  - do: |\n      if a { stop }\n      let b = c\n",
    ),
    "an expression takes one line where it fits": (
        "rules:\n  - value: |\n      a and\n      (any x in y:x is z)\n",
        'rules:\n  - value: "a and (any x in y: x is z)"\n',
    ),
    "an expression with a comment takes more": (
        "rules:\n  - value: |\n      a  # so\n      and b\n",
        "rules:\n  - value: |\n      a  # so\n        and b\n",
    ),
}


def test_like_of_a_tile_comes_after_its_id_and_keeps_its_comment() -> None:
    before = "tiles:\n- count: 1\n  symbols: [star]\n  like:   round # as printed\n  id: odd\n"
    after = (
        "tiles:\n  - id: odd\n    like: round  # as printed\n    count: 1\n    symbols: [star]\n"
    )
    assert formed(before, "tiles.yaml") == after
    assert formed(after, "tiles.yaml") == after


@pytest.mark.parametrize("sentence", CASES)
def test_a_case(sentence: str) -> None:
    before, after = CASES[sentence]
    assert rules(before) == after
    assert rules(after) == after


# ------------------------------------------------------------------ effects


EFFECTS = {
    "if a and(b or c)  {stop}else{x(  a,b )}": "if a and (b or c) { stop } else { x(a, b) }",
    "if a {\nstop} else if b { stop }": "if a {\n  stop\n} else if b { stop }",
    "repeat 2{} stop\n\n\nstop": "repeat 2 {}\nstop\n\nstop",
    "repeat 2 { # why\n stop }": "repeat 2 {\n  # why\n  stop\n}",
    "set a.b=-1+{ a ,b }.c  # end": "set a.b = -1 + {a, b}.c  # end",
    "# only this": "# only this",
    "repeat 2 { stop stop }": "repeat 2 {\n  stop\n  stop\n}",
    "may choose f in (those f in figures: f.cell is somewhere_else) by active as "
    '"the words that people read" { return f }': "may choose f in (those f in figures: f.cell is "
    'somewhere_else)\n    by active as "the words that people read" {\n  return f\n}',
}


def laid_out(text: str, start: str, width: int = 90) -> str:
    reporter = Reporter()
    layout = layout_of(code_without_file(text), start, reporter)  # type: ignore[arg-type]
    assert layout is not None, reporter.diagnostics
    return "\n".join(layout(width))


@pytest.mark.parametrize("text", EFFECTS)
def test_effects_have_one_form(text: str) -> None:
    assert laid_out(text, "effects") == EFFECTS[text]
    assert laid_out(EFFECTS[text], "effects") == EFFECTS[text]


def test_what_is_too_long_is_broken_where_it_is_joined_most_loosely() -> None:
    text = "a.first is b and (any x in set: x has mark or x.number > 12) and not (c is nothing)"
    assert laid_out(text, "expr", 60) == (
        "a.first is b\n  and (any x in set: x has mark or x.number > 12)\n  and c is not nothing"
    )
    assert laid_out(text, "expr", 40) == (
        "a.first is b\n"
        "  and (any x in set:\n"
        "    x has mark or x.number > 12)\n"
        "  and c is not nothing"
    )


def shipped_codes() -> list[tuple[str, str]]:
    found = []
    for path in SHIPPED:
        if path.parent.name == "rules":
            text = path.read_text("utf-8")
            for rule in re.finditer(r"^    (do|value|when): \|\n((?:      .*\n|\n)+)", text, re.M):
                found.append(("effects" if rule[1] == "do" else "expr", rule[2]))
    return found


@examples(80)
@given(st.sampled_from(shipped_codes()), st.integers(20, 100), st.integers(0, 1 << 32))
def test_a_form_of_any_width_says_the_same(row: tuple[str, str], width: int, seed: int) -> None:
    start, text = row
    author = Scrambler(seed)
    odd = author.code(text, start)
    once = laid_out(odd, start, width)
    assert laid_out(once, start, width) == once
    assert [remark.text for remark in remarks(once)] == [remark.text for remark in remarks(odd)]
    parse = parse_effects if start == "effects" else parse_expression
    reporter = Reporter()
    assert parse(code_without_file(once), reporter) == parse(code_without_file(text), reporter)
    assert not reporter.has_errors


# ------------------------------------------------------------------ refused files


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("rules: [", "TW101"),
        ("rules:\n  - do: let = 3\n", "TW401"),
        ("rules: []\nrules: []\n", "TW102"),
        ("colours: [red]\n", "TW940"),
        ("- a\n", "TW940"),
    ],
)
def test_a_broken_file_has_no_form(text: str, code: str) -> None:
    reporter = Reporter()
    assert canonical(text, "x.yaml", reporter) is None
    assert {found.code for found in reporter.diagnostics} == {code}


def test_a_form_that_would_say_something_else_is_not_given(monkeypatch) -> None:
    monkeypatch.setattr(
        "tilewright.tools.formatting.format_file.printed", lambda page: "rules: []\n"
    )
    reporter = Reporter()
    assert canonical("rules: [{id: a}]\n", "x.yaml", reporter) is None
    assert [found.code for found in reporter.diagnostics] == ["TW941"]


def test_a_form_that_would_be_too_long_to_read_is_not_given() -> None:
    reporter = Reporter()
    assert canonical(f"rules: [value: {' and '.join(['a.b'] * 2400)}]", "x.yaml", reporter) is None
    assert [found.code for found in reporter.diagnostics] == ["TW941"]


def test_the_kind_of_a_file_is_told_by_its_first_line_its_name_or_its_keys() -> None:
    text = "id: a\n"
    schema = "# yaml-language-server: $schema=../../schemas/tiles.schema.json\n"
    assert kind_of(schema + text, "rules/x.yaml", tree(text)) == "tiles"
    assert kind_of(text, "rules/tiles.yaml", tree(text)) == "rules"
    assert kind_of(text, "a/components.yaml", tree(text)) == "components"
    assert kind_of("scenarios: []\n", "x.yaml", tree("scenarios: []\n")) == "scenarios"


# ------------------------------------------------------------------ the verb

UNEVEN = "rules:\n- {do: stop,\n   id: a}\n"
EVEN = "rules:\n  - {id: a, do: stop}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rules" / "x.yaml"
    path.parent.mkdir()
    path.write_text(UNEVEN)
    return path


def test_fmt_writes_the_form_once(file: Path, capsys) -> None:
    assert run(["fmt", str(file)]) == 0
    assert file.read_text() == EVEN
    assert run(["fmt", "--check", str(file)]) == 0
    assert list(file.parent.iterdir()) == [file]


def test_a_text_that_has_the_form_is_known_in_the_next_run(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    assert [run(["fmt", *words, str(file)]) for words in ([], ["--check"])] == [0, 0]
    with monkeypatch.context() as within:
        within.setattr(format_file, "canonical", lambda *_: pytest.fail("it is known"))
        assert run(["fmt", "--check", str(file)]) == 0
    file.write_text(file.read_text() + "\n\n")
    assert [run(["fmt", "--check", str(file)]) for _ in range(2)] == [1, 1]


def test_fmt_check_writes_nothing_and_tells(file: Path, capsys) -> None:
    assert run(["fmt", "--check", str(file)]) == 1
    assert file.read_text() == UNEVEN
    assert "x.yaml" in capsys.readouterr().err


def test_fmt_diff_prints_a_patch(file: Path, capsys) -> None:
    assert run(["fmt", "--diff", str(file)]) == 0
    out = capsys.readouterr().out
    assert "+  - {id: a, do: stop}\n" in out and "-- {do: stop,\n" in out
    assert file.read_text() == UNEVEN


def test_fmt_leaves_a_broken_file_alone_and_lays_out_the_others(file: Path, capsys) -> None:
    broken = file.with_name("y.yaml")
    broken.write_text("rules: [{do: let = 3, id: a}]\n")
    assert run(["fmt", str(broken), str(file)]) == 1
    assert (file.read_text(), broken.read_text()) == (EVEN, "rules: [{do: let = 3, id: a}]\n")
    assert "TW401" in capsys.readouterr().err


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys):
    def run_it(text: bytes, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        code = run(["fmt", "-", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_it


def test_fmt_reads_standard_input_and_prints_the_form(typed) -> None:
    assert typed(UNEVEN.encode()) == (0, EVEN, "")
    assert typed(UNEVEN.encode(), "--check") == (1, "", "")
    assert typed(EVEN.encode(), "--check") == (0, "", "")


def test_fmt_takes_the_kind_of_standard_input_from_a_name(typed) -> None:
    assert typed(b"x: 1\n")[0] == 1
    assert typed(b"x: 1\n", "--name", "rules/x.yaml")[:2] == (0, "x: 1\n")


def test_fmt_tells_what_is_wrong_with_standard_input(typed) -> None:
    code, out, err = typed(b"rules: [")
    assert (code, out) == (1, "") and "TW101" in err
    assert typed(b"\xff")[0] == 3


def test_fmt_tells_the_changed_files_as_json(file: Path, capsys) -> None:
    assert run(["fmt", "--check", "--format", "json", str(file)]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["file"].endswith("rules/x.yaml") and "+  - {id: a, do: stop}" in row["difference"]


def test_fmt_keeps_permissions_and_links(file: Path) -> None:
    file.chmod(0o640)
    link = file.with_name("link.yaml")
    link.symlink_to(file.name)
    assert run(["fmt", str(link)]) == 0
    assert link.is_symlink() and file.read_text() == EVEN and file.stat().st_mode & 0o777 == 0o640


def test_fmt_of_a_folder_that_cannot_be_written_tells_and_changes_nothing(
    file: Path, capsys, monkeypatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tilewright.language.source.files.os.replace", refuse)
    assert run(["fmt", str(file)]) == 3  # as of everything that cannot be written
    assert "TW942" in capsys.readouterr().err
    assert file.read_text() == UNEVEN and list(file.parent.iterdir()) == [file]


def test_a_patch_names_a_file_without_the_stroke_of_its_root() -> None:
    patch = LaidOut("/rules/a.yaml", "a: 1\n", "a: 2\n").difference()
    assert patch.startswith("--- a/rules/a.yaml\n+++ b/rules/a.yaml\n")
