"""Differences as edits of the printed text: words struck and inserted."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hungry import HUNGRY, write_hungry
from tilewright.language.locale.words import Words
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.view.comparison.edits import Edit, edit_of, word_edits
from tilewright.view.results.comparison import ShownStatement, State, TopicCell, TopicRow, Verdict
from tilewright.view.results.divergence import keyed_rows


def written(runs: tuple[tuple[str, str], ...]) -> str:
    """Runs as text: [-struck-], {+inserted+}."""
    forms = {"kept": "{}", "struck": "[-{}-]", "inserted": "{{+{}+}}"}
    return "".join(forms[change].format(text) for text, change in runs)


def edits(game: str, other: str, library: Library, language: str = "en") -> dict[str, Edit]:
    found = compare_texts([game, other], library)
    rows = ((key, edit_of(row, Words(language))) for key, row in keyed_rows(found))
    return {key: edit for key, edit in rows if edit is not None}


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("It has six legs.", "It has nine legs.", "It has [-six-]{+nine+} legs."),
        ("It goes home.", "It goes home at once.", "It goes home{+ at once+}."),
        ("It goes home at once.", "It goes home.", "It goes home[- at once-]."),
        ("One goes.", "Nothing stays there, ever.", "[-One goes.-] {+Nothing stays there, ever.+}"),
        (
            "It takes a red and a blue tile away.",
            "It takes two and two blue tiles away.",
            "It takes [-a red and a-]{+two and two+} blue [-tile-]{+tiles+} away.",
        ),
        ("", "It is new.", "{+It is new.+}"),
        ("It is gone.", "", "[-It is gone.-]"),
        ("Equal.", "Equal.", "Equal."),
    ],
)
def test_words_are_struck_and_inserted(before: str, after: str, shown: str) -> None:
    runs = word_edits(before, after)
    assert written(runs) == shown
    assert "".join(text for text, change in runs if change != "inserted").strip() == before
    assert "".join(text for text, change in runs if change != "struck").strip() == after


def test_a_number_and_a_clause_of_the_readme_are_edits_of_the_printed_game(tmp_path: Path) -> None:
    found = edits("c2/princess-and-dragon", HUNGRY, Library([write_hungry(tmp_path)]))
    far = found["topic:dragon.movement.distance"]
    assert written(far.runs) == (
        "A walk ends after [-six-]{+nine+} tiles, or sooner when the dragon is stuck."
    )
    spared = found["amendment:hungry.spares_monks"]
    assert written(spared.runs) == (
        "Whether the dragon eats a figure on a tile that it comes to: "
        "{+additionally requires that the figure is not a monk+}"
    )
    assert written(found["value:dragon.steps"].runs).endswith(": [-6-] {+9+}")


def test_a_statement_that_still_holds_is_not_struck() -> None:
    found = edits("c2/base", "house/last-figure-last-turn", Library())
    [edit] = [edit for key, edit in found.items() if key.startswith("topic:")]
    assert [change for _, change in edit.runs] == ["kept", "kept", "inserted"]
    assert edit.runs[0][0] == edit.printed


def test_an_edit_has_one_language() -> None:
    one = TopicCell((statement("a", "Six steps.", pl="Sześć kroków."),), (), ())
    other = TopicCell((statement("b", "Nine steps.", pl="Dziewięć kroków."),), (), ())
    written_once = TopicCell((statement("b", "Nine steps."),), (), ())
    for cell, language, printed in (
        (other, "pl", "Sześć kroków."), (written_once, "en", "Six steps."),
    ):  # fmt: skip
        row = TopicRow("steps", (one, cell), True, Verdict(State.DIFFERS))
        edit = edit_of(row, Words("pl"))
        assert edit is not None
        assert (edit.language, edit.printed) == (language, printed)


def statement(id_: str, says: str, **translations: str) -> ShownStatement:
    return ShownStatement(
        id_, "steps", says, "official", (), "rule", "", tuple(translations.items())
    )
