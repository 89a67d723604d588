"""The YAML tree: errors and their places, plain words, and the places of effect text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.language.source.catalogue import CodeInfo, family
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Span
from tilewright.language.source.yaml import tree as yaml_tree
from tilewright.language.source.yaml.tree import (
    YList,
    YMap,
    YNode,
    YText,
    as_int,
    as_truth,
    is_null,
    plain,
    read_yaml,
    read_yaml_file,
)


def diagnostics(text: str) -> list[str]:
    reporter = Reporter()
    read_yaml(text, "f", reporter)
    return [f"{d.code} {d.span.line}:{d.span.column}" for d in reporter.diagnostics]


def tree(text: str) -> YNode:
    reporter = Reporter()
    node = read_yaml(text, "f", reporter)
    assert reporter.diagnostics == ()
    assert node is not None
    return node


def entry(text: str, key: str = "a") -> YText:
    node = tree(text)
    assert isinstance(node, YMap)
    value = node.get(key)
    assert isinstance(value, YText)
    return value


REFUSED = [
    ("a: b: c\n", "TW101 1:5"),
    ("a: [1, 2\nb: 3\n", "TW101 2:2"),
    ("a: {b: 1\n", "TW101 1:9"),
    ('x: 1\na: "never\nb: closed\n', "TW101 2:4"),
    ("a: 'never\n", "TW101 1:4"),
    ("a: 1\n  b: 2\n", "TW101 2:4"),
    ("a:\n    b: 1\n  c: 2\n", "TW101 3:3"),
    ("a: 1\nword\n", "TW101 2:1"),
    ("a: @x\n", "TW101 1:4"),
    ("a: `x`\n", "TW101 1:4"),
    ("a: - b\n", "TW101 1:4"),
    ("- a\nb: 1\n", "TW101 2:1"),
    ('a: "x" y\n', "TW101 1:8"),
    ('a: "\\q"\n', "TW101 1:5"),
    ("a: | text\n", "TW101 1:6"),
    ("a: ]\n", "TW101 1:4"),
    ("a: 1\nb: 2\na: 3\n", "TW102 3:1"),
    ("a: {b: 1, 'b': 2}\n", "TW102 1:11"),
    ("a: &x 1\n", "TW103 1:4"),
    ("a: &x [1]\n", "TW103 1:4"),
    ("&x a: 1\n", "TW103 1:1"),
    ("a: &\n", "TW103 1:4"),
    ("a: *x\n", "TW104 1:4"),
    ("*x : 1\n", "TW104 1:1"),
    ("a: *\n", "TW104 1:4"),
    ("a: !!python/object/apply:os.system [ls]\n", "TW105 1:4"),
    ("a: !x 1\n", "TW105 1:4"),
    ("a: ! 1\n", "TW105 1:4"),
    ("a: !!map {}\n", "TW105 1:4"),
    ("a: !e!x 1\n", "TW105 1:4"),
    ("a: " + "[" * 30 + "]" * 30, "TW106 1:27"),
    ("".join(" " * n + "a:\n" for n in range(30)), "TW106 25:25"),
    ("# " + "x" * (1 << 20), "TW107 1:1"),
    ("# " + "ї" * (1 << 19), "TW107 1:1"),
    ("a: 1\n---\nb: 2\n", "TW108 2:1"),
    ("a: 1\n...\n---\nb: 2\n", "TW108 3:1"),
    ("a: 1\nb: \x07\n", "TW109 2:4"),
    ("a: 1\rb: 2\n", "TW109 1:5"),
    ("a: x\u2028y\n", "TW109 1:5"),
    ("a: x\x85y\n", "TW109 1:5"),
    ("a: \ud800\n", "TW109 1:4"),
    ("a: \x00\n", "TW109 1:4"),
    ("a: b\ufeff\n", "TW109 1:5"),
    ('a: "\\0"\n', "TW109 1:4"),
    ('a: "\\e[31m"\n', "TW109 1:4"),
    ("a:\n\tb: 1\n", "TW110 2:1"),
    ("a:\n  \tb: 1\n", "TW110 2:3"),
    ("a: |\n\tx\n", "TW110 2:1"),
    ("", "TW111 1:1"),
    ("\n# only a comment\n", "TW111 1:1"),
    ("---\n...\n", "TW111 1:1"),
    ("a: " + "x" * 70000 + "\n", "TW112 1:4"),
    ("a: |\n  " + "x " * 40000 + "\n", "TW112 1:4"),
    ("a:\n  <<: {b: 1}\n", "TW113 2:3"),
    ("a:\n  <<: *x\n", "TW113 2:3"),
    ("[a]: 1\n", "TW115 1:1"),
    ("{a: b}: 1\n", "TW115 1:1"),
    ("a: 1\n: 2\n", "TW101 2:1"),
    ("a: {? : 2}\n", "TW115 1:7"),
    ("? |\n  a\n: 1\n", "TW115 1:3"),
    ("? - a\n: 1\n", "TW115 1:3"),
    ("a: [" + "[]," * 50000 + "]\n", "TW116 1:150002"),
    ("- " * 5 + "[" + "1," * 50001 + "]\n", "TW116 1:100012"),
]


@pytest.mark.parametrize(
    ("text", "expected"), REFUSED, ids=[f"{e}-{n}" for n, (_, e) in enumerate(REFUSED)]
)
def test_what_is_refused_is_refused_at_its_place(text: str, expected: str) -> None:
    assert diagnostics(text) == [expected]


def test_a_refused_escape_does_not_reach_the_tree() -> None:
    tree = read_yaml('a: "x\\e[31m\\u202ey"\n', "a.yaml", Reporter())
    assert isinstance(tree, YMap)
    assert [value.value for _, value in tree.entries if isinstance(value, YText)] == [
        "x\ufffd[31m\ufffdy"
    ]


def test_every_form_diagnostic_has_a_case() -> None:
    shown = {expected.split()[0] for _, expected in REFUSED} | {"TW114"}
    assert shown == {info.code for info in family("yaml")}


@pytest.mark.parametrize("info", [c for c in family("yaml") if c.is_runnable], ids=lambda c: c.code)
def test_the_example_of_a_code_fails_and_is_mended(info: CodeInfo) -> None:
    assert [c.split()[0] for c in diagnostics(info.failing)] == [info.code]
    assert diagnostics(info.mended) == []


def test_all_diagnostics_come_in_one_run() -> None:
    text = "a: &x 1\nb: !t 2\na: 3\n<<: {c: 1}\n"
    assert diagnostics(text) == ["TW103 1:4", "TW105 2:4", "TW102 3:1", "TW113 4:1"]


def test_a_duplicate_key_keeps_the_first_value_and_shows_both_places() -> None:
    reporter = Reporter()
    node = read_yaml("a: 1\na: 2\n", "f", reporter)
    assert node is not None
    assert plain(node) == {"a": 1}
    assert reporter.diagnostics[0].notes[0].span == Span("f", 1, 1, 1, 2)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 500000,
        "{" * 500000,
        "- " * 500000,
        "? " * 500000,
        "[a: " * 200000,
        '"' + "\\" * 500001,
        "a: |\n" + "\n" * 900000,
        "&a " * 300000,
        "!a " * 300000,
        "a: " + "9" * 65000,
        "".join(f"k{n}: 1\n" for n in range(49000)),
        "a: [" + "x, " * 90000 + "]",
        "%TAG ! tag:x,2000:\n" * 40000 + "--- a\n",
        "a: 'x" + "\n\n" * 400000,
        "# c\n" * 250000,
        "a: " + "!" * 1000000,
    ],
    ids=range(16),
)
def test_hostile_text_is_answered(text: str) -> None:
    reporter = Reporter()
    node = read_yaml(text, "f", reporter)
    assert node is not None or reporter.has_errors
    if node is not None:
        plain(node)


# ------------------------------------------------------------------ scalars


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("3", 3),
        ("-3", -3),
        ("0", 0),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("no", "no"),
        ("No", "No"),
        ("True", "True"),
        ("012", "012"),
        ("+3", "+3"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2024-01-02", "2024-01-02"),
        ("0x1F", "0x1F"),
        ("1.5", 1.5),
        (".inf", ".inf"),
        ("٣", "٣"),
        ("9" * 18, 999999999999999999),
        ("9" * 19, "9" * 19),
        ('"3"', "3"),
        ("'true'", "true"),
        ("''", ""),
        ("|-\n  3", "3"),
        ("=", "="),
    ],
)
def test_a_scalar_means_what_it_says(written: str, meant: object) -> None:
    assert plain(tree(f"a: {written}\n")) == {"a": meant}


def test_questions_about_a_scalar_answer_none_when_they_do_not_fit() -> None:
    word = entry("a: on\n")
    assert (as_int(word), as_truth(word), is_null(word)) == (None, None, False)
    assert as_int(entry("a: 012\n")) is None
    assert as_truth(entry("a: 'true'\n")) is None
    assert is_null(entry("a:\n"))
    assert not is_null(entry("a: ''\n"))


def test_lists_and_maps_keep_their_order() -> None:
    node = tree("b: 1\na: [x, {c: 2}]\n")
    assert isinstance(node, YMap)
    assert node.keys() == ("b", "a")
    assert node.get("c") is None
    assert plain(node) == {"b": 1, "a": ["x", {"c": 2}]}


def test_windows_line_ends_and_a_byte_order_mark_do_not_move_places() -> None:
    node = tree("\ufeffa: 1\r\nb: two\r\n")
    assert isinstance(node, YMap)
    assert node.entries[1][1].span == Span("f", 2, 4, 2, 7)


# ------------------------------------------------------------------ places


def test_spans_cover_what_is_written_and_no_more() -> None:
    node = tree("a:\n  b: 1\n  c:\n    - x\n    - [y, z]\n\n# end\nd: ключ\n")
    assert isinstance(node, YMap)
    inner = node.get("a")
    assert isinstance(inner, YMap)
    listed = inner.get("c")
    assert isinstance(listed, YList)
    assert inner.span == Span("f", 2, 3, 5, 13)
    assert listed.span == Span("f", 4, 5, 5, 13)
    assert listed.items[1].span == Span("f", 5, 7, 5, 13)
    assert node.entries[1][1].span == Span("f", 8, 4, 8, 8)
    key = inner.key("c")
    assert key is not None
    assert key.span == Span("f", 3, 3, 3, 4)


def test_the_span_of_a_block_ends_with_its_last_line() -> None:
    assert entry("a: |\n  one\n  three\n\n\nb: 1\n").span == Span("f", 1, 4, 3, 8)
    assert entry("a: |\n  one\n  three").span == Span("f", 1, 4, 3, 8)
    assert entry("a: |\nb: 1\n").span == Span("f", 1, 4, 1, 5)


BLOCKS = [
    "a: |\n  @ here\n",
    "a: |\n\n\n  if x {\n    @ here\n  }\n",
    "a: |-\n  one\n  @ here\n\nb: 1\n",
    "a: |+\n  one\n  @ here\n\n\nb: 1\n",
    "a: |2\n    deep\n   @ here\n",
    "a: | # comment\n  one\n    @ here\n",
    "x:\n  - y: 1\n    a: |\n      one\n\n      two\n        @ here\n",
    "a: |\r\n  one\r\n  @ here\r\n",
    "a: >\n  @ here\n  folded\n",
    "a: |\n\n  \n  ключ\n  \tслово @ here\n",
]


def _text_with_mark(node: YNode) -> YText:
    if isinstance(node, YText):
        return node
    parts = node.items if isinstance(node, YList) else [value for _, value in node.entries]
    found = [_text_with_mark(part) for part in parts]
    return next(text for text in found if "@" in text.value)


@pytest.mark.parametrize(
    "text", [*BLOCKS, 'a: "@ here"\n', "a: x @ here\n", "a: {b: 'one @ here'}\n"]
)
def test_effect_text_knows_its_true_place(text: str) -> None:
    code = _text_with_mark(tree(text)).code()
    inner = code.text.split("\n")
    line = next(n for n, shown in enumerate(inner, 1) if "@" in shown)
    column = inner[line - 1].index("@") + 1
    span = code.span(line, column, line, column + 1)
    outer = text.replace("\r\n", "\n").split("\n")
    assert outer[span.line - 1][span.column - 1 : span.end_column - 1] == "@"


def test_an_empty_block_still_has_a_place() -> None:
    code = entry("a: |\nb: 1\n").code()
    assert code.text == ""
    assert code.line == 2


# ------------------------------------------------------------------ files


def read_file(path: Path) -> list[str]:
    reporter = Reporter()
    read_yaml_file(path, "name.yaml", reporter)
    return [str(d) for d in reporter.diagnostics]


def test_a_missing_file_is_a_diagnostic(tmp_path: Path) -> None:
    expected = "name.yaml:0:0: error[TW114]: `name.yaml` is not there"
    assert read_file(tmp_path / "no.yaml") == [expected]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    expected = "name.yaml:0:0: error[TW114]: `name.yaml` is not an ordinary file"
    assert read_file(tmp_path) == [expected]


def test_a_path_with_a_zero_byte_is_a_diagnostic() -> None:
    assert "TW114" in read_file(Path("a\0b"))[0]


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(1 << 30)
    assert "TW107" in read_file(path)[0]


def test_a_byte_that_is_not_utf8_has_a_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes("a: 1\r\nї: ".encode() + b"\xe9\n")
    expected = "name.yaml:2:4: error[TW109]: expected UTF-8, found the byte 0xe9"
    assert read_file(path) == [expected]


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text("a: 1\n", encoding="utf-8")
    node = read_yaml_file(path, "name.yaml", Reporter())
    assert node is not None
    assert plain(node) == {"a": 1}


def test_the_pure_parser_reads_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: |\n  one\n    two\n\nb: [x, 'y', {c: 1}]\nd:\n  - e: >-\n      f\n  - \"g\"\n"
    fast = tree(text)
    monkeypatch.delattr(yaml_tree.yaml, "CLoader")
    assert tree(text) == fast


# ------------------------------------------------------------------ words in joined lines


@pytest.mark.parametrize(
    "written",
    [
        "when: >-\n  x is road\n  and x.size >\n\n  TARGET",
        "when: x is road\n  and x.size >\n    TARGET",
        'when: "x is road\n  and x.size > TARGET"',
        "when: 'x is road\n\n  and x.size > TARGET'",
        "when: |\n  x is road\n  and x.size > TARGET",
        "when: x is road and x.size > TARGET",
        "- {a: [x is road\n     and x.size > TARGET, b]}",
        "when: >\n  x\n  x and x\n  x and TARGET",
    ],
)
def test_a_word_in_an_effect_has_its_place_in_the_file(written: str) -> None:
    node = read_yaml(written, "a.yaml", Reporter())
    text = _text_with(node, "TARGET")
    code = text.code()
    before = code.text[: code.text.index("TARGET")].split("\n")
    line, column = len(before), len(before[-1]) + 1
    span = code.span(line, column, line, column + len("TARGET"))
    lines = written.split("\n")
    assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == "TARGET"
    assert span.end_line == span.line


def _text_with(node: object, word: str) -> YText:
    """The text that contains a word."""
    match node:
        case YText(value) if word in value:
            return node
        case YMap(entries):
            inside = [each for _, each in entries]
        case YList(items):
            inside = list(items)
        case _:
            inside = []
    (found,) = [_text_with(each, word) for each in inside if word in repr(each)]
    return found
