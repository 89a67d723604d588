"""Tiles that are `like` another one: what they take over, and the places of errors."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from support.reading_cases import declared, node_of
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.text import NOWHERE
from tilewright.rules.analysis.tiles import check_tiles
from tilewright.rules.linking.elaborate.ports import by_id
from tilewright.rules.model.ruleset import PieceKind
from tilewright.rules.reading.files import like_tiles
from tilewright.rules.reading.files.tiles import read_tiles

CAP = """\
  - id: cap
    letter: A
    count: 2
    edges: [town, track, meadow, track]
    segments:
      t1: {kind: town, at: [N], flags: 2}
      r1: {kind: track, at: [E, W]}
      m1: {kind: meadow, at: [ENE, WNW], borders: [t1]}
      m2: {kind: meadow, at: [ESE, SSE, SSW, WSW]}
    symbols: [star]
    arrows: {star: SW}
    crosses: under
    when: {size: big}
    with: [trial/second]
    stack: pile
    enclosed: true
    note: as printed
"""
LONG = """\
  - id: long
    count: 1
    faces:
      - - at: [0, 0]
          edges: [meadow, town, meadow, meadow]
          segments:
            t1: {kind: town, at: [E]}
            m1: {kind: meadow, at: [NNW, NNE, SSE, SSW, WSW, WNW]}
        - at: [1, 0]
          edges: [meadow, meadow, meadow, town]
          segments:
            t1: {kind: town, at: [W]}
            m1: {kind: meadow, at: [NNW, NNE, ENE, ESE, SSE, SSW]}
"""


def read(*tiles: str) -> tuple[dict[str, PieceKind], tuple[Diagnostic, ...], list[str]]:
    """The tiles of a file by id, what was reported, and the lines of the file."""
    text = "tiles:\n" + "".join(tiles)
    reporter, known = Reporter(), declared()
    pieces = read_tiles(node_of(text), reporter)
    check_tiles(pieces, by_id(known.features), known.symbols, reporter)
    return {piece.id: piece for piece in pieces}, reporter.diagnostics, text.split("\n")


def sound(*tiles: str) -> dict[str, PieceKind]:
    found, diagnostics, _ = read(*tiles)
    assert diagnostics == ()
    return found


def printed(piece: PieceKind) -> object:
    """The print of a piece without its places in the file."""
    return tuple(
        tuple(
            replace(
                cell,
                span=NOWHERE,
                segments=tuple(replace(segment, span=NOWHERE) for segment in cell.segments),
            )
            for cell in side
        )
        for side in piece.faces
    )


def refused(*tiles: str) -> dict[str, list[tuple[str, str]]]:
    """The messages of a file by the text of their line: each with the word that is underlined."""
    _, diagnostics, lines = read(*tiles)
    found: dict[str, list[tuple[str, str]]] = {}
    for diagnostic in diagnostics:
        line = lines[diagnostic.span.line - 1]
        word = line[diagnostic.span.column - 1 : diagnostic.span.end_column - 1]
        found.setdefault(word, []).append((diagnostic.code, diagnostic.message))
    return found


# ------------------------------------------------------------------ the print


def test_a_tile_takes_over_the_print_of_another_one_and_nothing_else() -> None:
    found = sound(CAP, "  - {id: more, like: cap, count: 1}\n")
    cap, more = found["cap"], found["more"]
    assert printed(more) == printed(cap)
    assert (more.count, more.letter, more.stack, more.enclosed) == (1, "", "", False)
    assert (more.with_, more.when, more.note) == ((), (), "")


def test_the_other_tile_may_come_later_and_be_like_a_third_one() -> None:
    far = "  - {id: far, like: near, count: 1}\n"
    near = "  - {id: near, like: cap, count: 1, symbols: [], arrows: {}}\n"
    found = sound(far, near, CAP)
    assert list(found) == ["far", "near", "cap"]
    assert printed(found["far"]) == printed(found["near"]) != printed(found["cap"])


def test_a_key_takes_the_place_of_the_whole_key() -> None:
    found = sound(CAP, "  - {id: more, like: cap, count: 1, symbols: [], arrows: {}}\n")
    (face,), (other,) = found["more"].faces[0], found["cap"].faces[0]
    assert (face.symbols, face.arrows, face.crosses) == ((), (), "under")
    assert (other.symbols, other.arrows) == (("star",), (("star", 5),))


def test_a_segment_takes_the_place_of_the_one_of_its_name_or_is_added() -> None:
    found = sound(
        CAP,
        "  - id: more\n    like: cap\n    count: 1\n    segments:\n"
        "      h1: {kind: hut, inside: m2}\n      t1: {kind: town, at: [N]}\n",
    )
    before, after = found["cap"].faces[0][0].segments, found["more"].faces[0][0].segments
    assert [segment.id for segment in after] == ["t1", "r1", "m1", "m2", "h1"]
    assert [dict(segment.attributes) for segment in (before[0], after[0])] == [{"flags": 2}, {}]
    assert [replace(s, span=NOWHERE) for s in before[1:]] == [
        replace(s, span=NOWHERE) for s in after[1:-1]
    ]


def test_other_edges_go_with_segments_of_the_other_tile() -> None:
    found = sound(
        CAP,
        "  - id: more\n    like: cap\n    count: 1\n    edges: [track, track, meadow, track]\n"
        "    segments:\n      t1: {kind: track, at: [N], ends: [stop]}\n"
        "      m1: {kind: meadow, at: [ENE, NNE, NNW, WNW]}\n",
    )
    assert found["more"].faces[0][0].edges == ("track", "track", "meadow", "track")


def test_a_piece_with_faces_is_taken_over_as_it_is() -> None:
    found = sound("  - {id: longer, like: long, count: 2}\n", LONG)
    assert printed(found["longer"]) == printed(found["long"])


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize("key", ["edges", "segments", "symbols", "crosses", "arrows"])
def test_a_piece_with_faces_is_not_changed(key: str) -> None:
    value = {
        "edges": "[town, town, town, town]",
        "segments": "{h1: {kind: hut}}",
        "symbols": "[star]",
        "crosses": "over",
        "arrows": "{}",
    }[key]
    message = f"`long` has `faces` and can only be taken over as it is, without `{key}` here"
    found = refused(LONG, f"  - {{id: more, like: long, count: 1, {key}: {value}}}\n")
    assert found == {key: [("TW211", message)]}


def test_a_tile_like_another_one_has_no_faces_of_its_own() -> None:
    more = LONG.replace("id: long", "id: more\n    like: cap")
    message = "tile `more` has `faces`, so it takes nothing over from `cap`"
    assert refused(CAP, more) == {"faces": [("TW211", message)]}


def test_a_piece_with_faces_is_not_enclosed_by_another_one() -> None:
    found = refused(LONG, "  - {id: more, like: long, count: 1, enclosed: true}\n")
    assert [code for code, _ in found["enclosed"]] == ["TW211"]


def test_an_unknown_tile_is_an_error_with_the_nearest_name() -> None:
    found = refused(CAP, "  - {id: more, like: capp, count: 1}\n")
    message = "tile `more` is like an unknown tile `capp`; did you mean `cap`?"
    assert found == {"capp": [("TW524", message)]}


def test_a_tile_is_not_like_itself() -> None:
    found = refused("  - {id: more, like: more, count: 1}\n")
    assert found == {"more": [("TW525", "tile `more` is like itself")]}


def test_a_circle_is_reported_once() -> None:
    ring = ("a, like: c", "b, like: a", "c, like: b", "d, like: b")
    found = refused(*(f"  - {{id: {tile}, count: 1}}\n" for tile in ring))
    assert found == {"c": [("TW525", "tile `a` is like itself, by way of `c`, `b`")]}


def test_a_count_is_required() -> None:
    found = refused(CAP, "  - {id: more, like: cap}\n")
    assert [message for group in found.values() for message in group] == [
        ("TW201", "tile `more` needs the key `count`")
    ]


def test_own_keys_are_checked_where_the_other_tile_is_bad() -> None:
    bad = CAP.replace("under", "undr")
    found = refused(bad, "  - {id: more, like: cap, count: 0, odd: 1}\n")
    assert {code for group in found.values() for code, _ in group} == {"TW204", "TW207", "TW202"}
    assert len(found) == 3  # nothing is reported at `like`


@pytest.mark.parametrize("value", ["7", "[cap]", '""', "Cap", "~"])
def test_like_is_a_name(value: str) -> None:
    found = refused(CAP, f"  - {{id: more, like: {value}, count: 1}}\n")
    assert {code for group in found.values() for code, _ in group} <= {"TW203", "TW205", "TW206"}
    assert found


def test_errors_in_what_is_taken_over_are_at_like() -> None:
    found = refused(
        CAP, "  - {id: more, like: cap, count: 1, segments: {t1: {kind: meadow, at: [NNW]}}}\n"
    )
    message = "on tile `more`: the half NNE belongs to no segment"
    assert found == {"cap": [("TW505", message)]}


def test_an_arrow_taken_over_without_its_symbol_is_at_like() -> None:
    found = refused(CAP, "  - {id: more, like: cap, count: 1, symbols: []}\n")
    message = "`star` has an arrow and is none of the `symbols` here"
    assert found == {"cap": [("TW747", message)]}


def test_a_cell_has_no_more_segments_than_it_can_hold() -> None:
    huts = ", ".join(f"h{n}: {{kind: hut, inside: m2}}" for n in range(30))
    found = refused(CAP, f"  - {{id: more, like: cap, count: 1, segments: {{{huts}}}}}\n")
    assert [code for group in found.values() for code, _ in group] == ["TW116"]


def test_a_file_takes_over_a_limited_number_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(like_tiles, "MAX_TAKEN_OVER", 100)
    more = [f"  - {{id: more{n}, like: cap, count: 1}}\n" for n in range(9)]
    found = refused(CAP, *more)
    (reported,) = found["cap"]
    assert reported[0] == "TW116" and re.search(r"at most 100 values", reported[1])


def test_a_long_chain_is_followed() -> None:
    chain = [f"  - {{id: m{n}, like: m{n + 1}, count: 1}}\n" for n in range(3_000)]
    found = refused(*chain)
    assert [code for group in found.values() for code, _ in group] == ["TW524"]
