"""Values that memory keeps for things are saved, shown, captured and copied."""

from __future__ import annotations

import pytest

from support.played import go_on, played, program_of, reloaded
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.board.board import xy_of
from tilewright.play.library.kept import all_kept
from tilewright.play.match import Match
from tilewright.play.observation import public_view
from tilewright.tools.scenarios.capture import facts, position_of
from tilewright.tools.scenarios.runner import played_out
from tilewright.view.board.view import scene_of
from tilewright.view.match_phrases import kept_lines

GAME = "c2/gold-mines"


def later() -> Match:
    """A match in which ingots lie on tiles, and a turn goes on."""
    match = played(GAME, 90, seed="gold")
    assert kept(match)
    return match


def kept(match: Match) -> tuple[tuple[int, int], ...]:
    entries: tuple[tuple[int, int], ...] = match.memory[match.program.memory_number["ingots"]]
    return entries


def test_a_loaded_match_keeps_the_same() -> None:
    match = later()
    twin = reloaded(match)
    assert kept(twin) == kept(match)
    go_on(match, 200, "on")
    go_on(twin, 200, "on")
    assert twin.digest() == match.digest()


def test_a_fork_keeps_its_own() -> None:
    match = later()
    before, digest = kept(match), match.digest()
    fork = match.fork()
    go_on(fork, 60, "fork")
    assert kept(fork) != before
    assert (kept(match), match.digest()) == (before, digest)


def test_the_state_and_the_terminal_name_the_things() -> None:
    match = later()
    shown = public_view(match)["memory"]["ingots"]
    assert isinstance(shown, dict)
    assert sum(shown.values()) == sum(value for _, value in kept(match))  # type: ignore[arg-type]
    lines = kept_lines(match, "en")
    assert [text for text, _ in lines] == [f"ingots: {n}" for n in shown.values()]
    assert all(place.startswith("tile with ") for _, place in lines)


def test_pictures_show_what_is_kept_of_a_token() -> None:
    match = later()
    found = {((t.x, t.y), t.count) for t in scene_of(match).tokens}
    assert found == {(xy_of(match.board.tile_cell[tile]), n) for tile, n in kept(match)}


@pytest.mark.parametrize("choices", [40, 90, 150])
def test_a_captured_position_keeps_the_same(choices: int) -> None:
    match = played(GAME, choices, players=3, seed=choices)
    reporter = Reporter()
    ended = played_out(position_of(match), program_of(GAME), reporter)
    assert reporter.diagnostics == ()
    assert ended is not None and facts(ended) == facts(match)
    slot = match.program.memory_number["ingots"]
    assert all_kept(ended, slot) == all_kept(match, slot)
