"""The package as a library: the page of examples runs, and what is refused is refused in words."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tilewright as tw
from support.paths import ROOT
from support.work import at_most_calls
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace import kept_games
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.kept_games import KeptGames
from tilewright.tools.workspace.stored_games import StoredGames

PAGE = ROOT / "docs" / "how-to" / "library.md"


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"^```pycon\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(found) > 5
    parsed = doctest.DocTestParser().get_doctest("\n".join(found), {}, PAGE.name, str(PAGE), 0)
    texts: list[str] = []
    result = doctest.DocTestRunner().run(parsed, out=texts.append)
    assert not result.failed, "".join(texts)
    assert result.attempted > 30


def test_the_page_names_everything_that_the_package_offers() -> None:
    page = PAGE.read_text("utf-8")
    assert [name for name in tw.__all__ if name not in page] == []
    assert [n for n in vars(tw.Match) if not n.startswith("_") and f"`{n}" not in page] == []


def test_importing_the_package_reads_nothing_of_it() -> None:
    code = "import sys, tilewright; print([m for m in sys.modules if m.startswith('tilewright.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_the_package_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute `nonsense`"):
        _ = tw.nonsense
    assert set(tw.__all__) <= set(dir(tw))


def test_a_choice_by_its_line_and_by_its_number_is_the_same() -> None:
    match = tw.match("c2/base", seed=5)
    other = match.fork()
    match.choose(f"  {match.options[1].text} ")
    other.choose(1)
    assert match.digest == other.digest


@pytest.mark.parametrize("option", [-1, 99, "", "pass"])
def test_what_is_not_offered_is_refused_and_changes_nothing(option: str | int) -> None:
    match = tw.match("c2/base", seed=5)
    before = match.digest
    with pytest.raises(tw.NotOfferedError):
        match.choose(option)
    assert match.digest == before


def test_an_imagined_match_draws_other_pieces_on_the_same_board() -> None:
    def drawn(match: tw.Match) -> list[str]:
        pieces: list[str] = []
        match.listen(lambda event: pieces.append(event.piece) if type(event) is tw.Drawn else None)
        match.play_out("random", seed=1)
        return pieces

    match = tw.match("c2/base", seed=5)
    match.choose(0)
    match.choose(0)
    before = match.digest
    one, same, other = match.imagined(1), match.imagined(1), match.imagined(2)
    assert one.text() == match.text()
    forked = drawn(match.fork())
    assert drawn(one) == drawn(same) != forked
    assert drawn(other) != forked
    assert match.digest == before


def test_an_imagined_match_does_not_know_the_hidden_pieces_of_others() -> None:
    match = tw.match("house/hand-of-three", seed=5)
    other = match.players[1]
    while match.turn < 3:  # then the other player has drawn a hand
        match.choose(0)
    assert match.to_move == match.players[0]

    def hand(of: tw.Match) -> list[int]:
        stacks = of.inside.program.stack_number
        return sorted(of.inside.stacks[stacks[f"{other} tiles_in_hand"]])

    assert len(hand(match)) > 1
    assert hand(match) == hand(match.fork())
    assert any(hand(match.imagined(seed)) != hand(match) for seed in range(5))


def test_when_the_game_is_over_nothing_can_be_chosen() -> None:
    match = tw.match("c2/base", seed=5)
    match.play_out("random")
    assert (len(match.options), match.count, match.to_move) == (0, 0, None)
    with pytest.raises(tw.NotOfferedError, match="the game is over"):
        match.choose(0)


def test_a_listener_hears_what_happens_and_a_fork_is_quiet() -> None:
    match = tw.match("c2/base", seed=5)
    heard: list[str] = []
    match.listen(lambda event: heard.append(type(event).__name__))
    match.fork().choose(0)
    assert heard == []
    match.choose(0)
    assert heard[:2] == ["Chosen", "Laid"]


def test_rulesets_of_ones_own_are_found_in_folders_and_in_match_files(tmp_path: Path) -> None:
    own = tmp_path / "my" / "rule"
    own.mkdir(parents=True)
    (own / "module.yaml").write_text(
        "id: my/rule\nkind: house\ntitle: {en: Mine}\nrequires: {base: c2/base}\n"
    )
    with pytest.raises(tw.RulesetError, match="unknown ruleset `my/rule`"):
        tw.game("c2/base+my/rule")
    game = tw.game("c2/base+my/rule", folders=[tmp_path])
    assert game.rulesets[-1] == "my/rule"
    match = tw.match(game)
    match.choose(0)
    assert tw.resume(match.save()).digest == match.digest
    (own / "statements.yaml").write_text("statements: []\n")
    with pytest.warns(UserWarning, match="`my/rule` in .* is not as the match carries it"):
        assert tw.resume(match.save(), [tmp_path]).digest == match.digest


def test_options_change_the_game() -> None:
    game = tw.game("c2/base", {"sixth_player": "yes"})
    assert game.options["sixth_player"] == "yes"
    assert game.players.stop == 7
    assert tw.game("c2/base?sixth_player=yes").hash == game.hash


def test_a_game_is_made_again_only_where_a_file_or_folder_of_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_games, "SETTLING", 0)
    own = tmp_path / "my" / "rule"
    (own / "rules").mkdir(parents=True)
    head = "id: my/rule\nkind: house\ntitle: {en: Mine}\nrequires: {base: c2/base}\n"
    (own / "module.yaml").write_text(head)

    def made() -> Program:
        return tw.game("c2/base+my/rule", folders=[tmp_path]).program

    first = made()
    with at_most_calls(5000):  # reading its files alone takes ten times as many
        assert made() is first
    (own / "module.yaml").write_text(head.replace("Mine", "Ours"))
    second = made()
    assert second is not first
    (own / "rules" / "more.yaml").write_text("values: {one: {type: number, is: 1}}\n")
    third = made()
    assert third is not second
    assert made() is third
    monkeypatch.setattr(kept_games, "SETTLING", 10**18)
    (own / "rules" / "more.yaml").write_text("values: {one: {type: number, is: 2}}\n")
    assert made() is not made()


def test_a_process_keeps_the_games_that_were_used_last() -> None:
    kept, made = KeptGames(most=2), list[str]()
    program = tw.game("c2/base").program

    def ask(key: str) -> None:
        def linked() -> tuple[Game, Library]:
            made.append(key)
            return program.game, Library(shipped=False)

        kept.program(key, linked, lambda game: program, StoredGames(Cache(None)))

    for key in "abacab":
        ask(key)
    assert "".join(made) == "abcb"


def test_a_match_played_out_by_lot_is_the_same_in_both_engines() -> None:
    game = tw.game("c2/traders-and-builders+c2/princess-and-dragon")
    for seed in range(3):
        match = tw.match(game, players=3, seed=seed)
        match.choose(0)
        again = match.fork()
        again.listen(lambda event: None)  # so Python plays it
        for each in (match, again):
            each.play_out("random", seed=seed)
        assert (match.points, match.log) == (again.points, again.log)
        assert (match.digest, match.winners) == (again.digest, again.winners)
        assert match.save() == again.save()


def test_bots_sit_one_at_each_seat_or_one_at_all() -> None:
    match = tw.match("c2/base", players=3)
    with pytest.raises(ValueError, match="one for each of 3 seats"):
        match.play_out("random", "random")


def test_the_state_is_json_and_the_table_can_be_drawn() -> None:
    match = tw.match("c2/base", seed=5)
    assert json.loads(json.dumps(match.state()))["decides"] == match.to_move
    assert "red 0" in match.text()
    assert match.svg().startswith("<svg")
