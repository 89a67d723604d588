"""References are found in the few files that contain a name as in all files."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from tilewright.tools.editor.symbol_index import Index, Place, is_unresolved
from tilewright.tools.editor.symbols import BUILTIN
from tilewright.tools.workspace.overlay import Overlay

#: with covered tiles, symbols, figures, tokens, items, memory, steps and inserted rules
RULESETS = ("c2/bridges", "house/moody-dragon")


def _places(index: Index) -> Iterator[Place]:
    """The first declaration of each kind in each of the rulesets."""
    for id_ in RULESETS:
        first: dict[str, Place] = {}
        for file in index.overlay.files_of(id_):
            for place in index.resolved(file):
                if place.here.declares and place.here.kind not in BUILTIN:
                    first.setdefault(place.here.kind, place)
        yield from first.values()


@pytest.mark.slow
def test_references_are_the_same_as_if_all_files_were_read() -> None:
    index, whole = Index(Overlay()), Index(Overlay())
    places = [place for place in _places(index) if not is_unresolved(place.here)]
    assert len({place.here.kind for place in places}) > 15
    model = whole.overlay.model
    with patch.object(model, "may_mention", lambda *_, **__: model.ids()):
        expected = [whole.references(place) for place in places]
    for place, references in zip(places, expected, strict=True):
        assert index.references(place) == references, place


def test_a_name_is_looked_for_in_the_rulesets_that_contain_it() -> None:
    index = Index(Overlay())
    (file, *_) = [
        f for f in index.overlay.files_of("house/first-to-fifty") if f.parent.name == "rules"
    ]
    place = next(p for p in index.resolved(file) if p.here.declares)
    assert index.known("house/first-to-fifty")
    read = set(index.overlay._read_files)
    assert place in index.references(place)
    assert len(set(index.overlay._read_files) - read) < 20
