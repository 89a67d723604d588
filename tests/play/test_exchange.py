"""Two players exchange all that they have, in words of the language and on both engines.

`test_language_properties` and `native/test_programs` have exchanges in random programs, which a
second implementation carries out as well.
"""

from __future__ import annotations

import random

import pytest

import tilewright as tw
from support.played import program_of
from support.probe_game import checked, label, position, program_with
from support.two_engines import Named, begun, needs_core, play_both
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.board.joining import feature_at
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY
from tilewright.play.library.exchange import counterparts, exchange
from tilewright.play.library.sets import bits, mask_of
from tilewright.play.match import Match

GAME = "house/trading-places"
MIX = "c2/inns-and-cathedrals+c2/traders-and-builders+house/reserve-tile+house/trading-places"


def after(effects: str, seed: int = 3) -> Match:
    """A position of the probe game after some effects, at the next decision."""
    match = position(seed, program_with(effects))
    while label(match) != "done":
        match.choose_number(0)
    return match


def memory_of(match: Match, name: str) -> object:
    return match.memory[match.program.memory_number[name]]


def test_points_tokens_and_stacks_change_hands() -> None:
    match = after("give 2 of chip to next(active)\nexchange active with next(active)")
    one, other = match.active, match.next_player[match.active]
    before = after("give 2 of chip to next(active)")
    chip = next(n for n, t in enumerate(match.program.game.tokens) if t.id == "chip")
    assert match.points[one] == before.points[other]
    assert match.points[other] == before.points[one]
    assert match.token_count(chip, one) == before.token_count(chip, other) > 1
    assert match.token_count(chip, -1) == before.token_count(chip, -1)
    basket = match.program.owned_stacks["basket"]
    assert match.stacks[basket + one] == before.stacks[basket + other]
    assert (match.active, match.turn, match.phase) == (before.active, before.turn, before.phase)


def test_a_figure_changes_its_place_with_one_of_its_kind() -> None:
    text = "let t = first(tiles)\nstop if t is nothing\nlet s = first(t.segments)\n"
    text += "stop if s is nothing\nlet f = first(active.supply)\nstop if f is nothing\n"
    text += "move f to s\nface f to west\nattach walker to f\n"
    text += "set one_figure = f\nset many.figure = {f}\nset f.seen_in = s.feature\n"
    before, match = after(text), after(text + "exchange active with next(active)")
    figure = memory_of(before, "one_figure")
    assert isinstance(figure, int)
    twin = counterparts(match, match.active, match.next_player[match.active])[figure]
    assert match.owner[twin] == match.next_player[match.active]
    assert match.figure_kind[twin] == match.figure_kind[figure]
    assert (match.spot[twin], match.facing[twin]) == (before.spot[figure], 3)
    assert match.attached_to[match.owner.index(None) + 2] == twin
    assert memory_of(match, "one_figure") == twin
    assert memory_of(match, "many.figure") == 1 << twin
    kept, its = memory_of(before, "seen_in"), memory_of(match, "seen_in")
    assert isinstance(kept, tuple) and isinstance(its, tuple)
    assert dict(kept)[figure] == dict(its)[twin]


def test_memory_of_the_game_names_the_other_player_and_that_of_the_turn_stays() -> None:
    text = "set one_player = active\nset many.player = {active}\nset one_stack = basket of active\n"
    text += "set active.coins = 7\nset twice = 5\nexchange active with next(active)"
    match = after(text)
    other = match.next_player[match.active]
    assert memory_of(match, "one_player") == other
    assert memory_of(match, "many.player") == [other]
    assert memory_of(match, "one_stack") == match.program.owned_stacks["basket"] + other
    assert memory_of(match, "coins") == ((other, 7),)
    assert memory_of(match, "twice") == 5


def test_figures_in_front_of_a_player_or_beside_a_stack_of_theirs_go_to_the_other() -> None:
    text = "for f in first 1 of all_figures { hand f to active }\n"
    text += "move walker to basket of active\nexchange active with next(active)"
    match = after(text)
    other = match.next_player[match.active]
    basket = match.program.owned_stacks["basket"]
    assert match.spot[0] == IN_FRONT_OF - other
    assert BESIDE_STACK - basket - other in match.spot


@pytest.mark.parametrize("seed", range(6))
def test_an_exchange_undoes_itself_and_keeps_the_facts_of_figures(seed: int) -> None:
    match = position(seed)
    before = match.digest()
    for one in match.players:
        exchange(match, one, one)
        assert match.digest() == before
        other = match.next_player[one]
        exchange(match, one, other)
        figures = range(len(match.spot))
        assert match.on_board == mask_of(f for f in figures if match.spot[f] >= 0)
        assert match.in_supply == mask_of(f for f in figures if match.spot[f] == IN_SUPPLY)
        for root in match.board.feature_roots():
            for figure in bits(match.board.figures[root]):
                assert feature_at(match.board, match.spot[figure] - 1) == root
        exchange(match, other, one)
        assert match.digest() == before


@needs_core
@pytest.mark.parametrize("game", [GAME, MIX])
def test_both_engines_play_the_same(game: str) -> None:
    for seed in range(3):
        match, other = begun(program_of(game), 3, seed)
        assert match is not None
        play_both(match, other, Named(game, 3, seed), rng=random.Random(seed))
        assert memory_of(match, "places_traded")


def complaints(effects: str) -> list[str]:
    reporter = Reporter()
    checked(effects, reporter)
    return [diagnostic.message for diagnostic in reporter.diagnostics]


def test_what_is_kept_for_a_figure_may_be_nothing_after_an_exchange() -> None:
    kept = "let f = first(active.owned)\nstop if f is nothing\nlet x = f.seen_in\n"
    kept += "if f.seen_in is something { exchange active with next(active)\n{} }"
    (message,) = complaints(kept.replace("{}", "award f.seen_in.size to active"))
    assert message.startswith("`f.seen_in` may be nothing again")
    assert not complaints(kept.replace("{}", "award 1 to active"))
    named = (
        "if one_player is something { exchange active with next(active)\naward 1 to one_player }"
    )
    assert not complaints(named)


def test_an_exchange_is_between_two_players() -> None:
    (message,) = complaints("exchange walker with active")
    assert message == "the operand of `exchange` must be a player, but this is a figure"
    (message,) = complaints("exchange active")
    assert message == "`exchange` needs `with ...`"


def test_a_listener_hears_of_an_exchange_and_of_no_award() -> None:
    match = tw.match(GAME, players=2, seed=1)
    heard: list[tw.Event] = []
    match.listen(heard.append)
    match.choose("trade places with blue")
    (exchanged,) = (event for event in heard if isinstance(event, tw.Exchanged))
    assert exchanged.players == ("red", "blue")
    assert exchanged.text == "red and blue exchange all that they have"
    assert not any(isinstance(event, tw.Awarded) for event in heard)
