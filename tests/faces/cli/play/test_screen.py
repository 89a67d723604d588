"""A match on a real terminal: drawn in place, moved by keys, and the terminal given back."""

from __future__ import annotations

import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("the terminals of these tests are those of POSIX", allow_module_level=True)

from support.marks import slow_unless
from support.paths import TRIALS
from support.ruleset_cases import library_of
from support.terminal import Terminal

GAME = ("play", "c2/base", "--seed", "4", "--players", "human,greedy")
LARGE = "c2/base+c2/river+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/traders-and-builders"
#: the sequences that begin and end a page of its own
BEGIN, END = b"\x1b[?1049h", b"\x1b[?1049l"


def framed(page: str) -> list[str]:
    """The characters inside the frame on the board."""
    return [found[1] for line in page.splitlines() if (found := re.search("┃(.+?)┃", line))]


def test_the_screen_shows_the_board_the_players_and_what_is_asked() -> None:
    with Terminal(GAME) as terminal:
        page = terminal.wait("lay the tile at -1,0, its north to the south")
    assert "red: place the tile" in page
    assert "c2/base" in page and "turn 1" in page
    assert "7 in supply" in page and "land tiles: 70" in page
    assert "═ road" in page and "? help" in page


def test_everything_is_drawn_in_place_and_nothing_scrolls() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("red: place the tile")
        for step in ("red: place a meeple", "turn 3", "red: place a meeple", "turn 5"):
            terminal.type("\r")
            page = terminal.wait(step)
        assert page.count("[1-") == 1
        assert not terminal.screen.history.top
        assert terminal.raw.count(BEGIN) == 1


def test_the_board_shows_the_tile_as_it_would_lie_and_turns_it() -> None:
    with Terminal(GAME) as terminal:
        before = framed(terminal.wait("[5 S]"))
        terminal.type("right")
        after = framed(terminal.wait("[6 W]"))
    assert len(before) == len(after) == 5
    assert (before[2], after[2]) == ("····╚════", "····╔════")


@pytest.mark.slow
def test_the_place_that_enter_lays_is_the_one_in_the_frame() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        terminal.type("down")
        terminal.wait("lay the tile at 1,0, its north to the north")
        terminal.type("\r")
        assert "deploy meeple 1,0/r1" in terminal.wait("red: place a meeple")


@pytest.mark.slow
def test_a_number_marks_an_option_and_enter_takes_it() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        terminal.type("4")
        terminal.wait("[4 W]")
        terminal.type("\r")
        assert "-1┃····▸Mr◂═┃" in terminal.wait("red: place a meeple")


def test_a_part_of_an_option_leaves_those_that_contain_it() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        terminal.type("\r")
        terminal.wait("places a highwayman")
        terminal.type("pas")
        terminal.wait(lambda page: "2  pass" in page and "1 places a highwayman" not in page)
        terminal.type("\r")
        terminal.wait("red: pass")


def test_what_is_not_offered_is_answered_with_the_reason() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        terminal.type("fly away\r")
        terminal.wait("no option contains `fly away`")
        terminal.type("why-not lay 0,0 N\r")
        terminal.wait("lies there already")
        terminal.type("q")
        terminal.wait("[5 S]")


def test_help_hint_undo_and_why_are_one_key_each() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        terminal.type("?")
        terminal.wait("take back your latest choice")
        terminal.type("\x1b")
        terminal.wait("[5 S]")
        terminal.type("\x1bOQ")  # F2
        terminal.wait("the greedy bot would choose: lay the tile at")
        terminal.type("\r")
        terminal.wait("red: place a meeple")
        terminal.type("\x1bOS")  # F4
        page = terminal.wait("the latest choice is taken back")
        assert "red: place the tile" in page
        terminal.type("\x1bOR")  # F3
        terminal.wait("nobody has gained a point yet")


@pytest.mark.slow
def test_a_choice_that_is_taken_back_leaves_the_log() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        for step in ("red: place a meeple", "turn 3, red"):
            terminal.type("\r")
            terminal.wait(step)
        for step in ("red: place a meeple", "red: place the tile"):
            terminal.type("\x1bOS")  # F4
            page = terminal.wait(step)
        assert "turn 2, blue" not in page and "turn 3, red" not in page
        assert "red: lay" not in page and "blue: lay" not in page
        assert page.count("the latest choice is taken back") == 1


@pytest.mark.slow
def test_the_holdings_of_every_player_fit_into_eighty_columns() -> None:
    with Terminal(("play", "c2/base", "--players", "2"), columns=80, rows=24) as terminal:
        page = terminal.wait("red: place the tile")
    assert page.count("7 in supply") == 2


@pytest.mark.slow
def test_leaving_a_match_without_a_file_names_the_option_that_saves_it() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        terminal.type("^C")
        assert terminal.end() == 130
        assert "interrupted; `--save FILE` saves a match after every choice" in terminal.read()


def test_a_figure_is_shown_where_it_would_stand_with_the_letter_of_its_owner() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        terminal.type("\r")
        assert any("▸Mr◂" in line for line in framed(terminal.wait("places a highwayman")))


@pytest.mark.slow
def test_the_tiles_of_a_hand_are_shown_together() -> None:
    with Terminal(("play", "house/hand-of-three", "--seed", "5")) as terminal:
        page = terminal.wait("red: play")
        assert "▸ ···╔═══  ▒▒◆▒▒▒▒" in page
        terminal.type("down")
        terminal.wait("  ···╔═══▸ ▒▒◆▒▒▒▒")


@pytest.mark.slow
def test_a_large_board_scrolls_to_the_place_of_interest(tmp_path: Path) -> None:
    words = ("play", LARGE, "--seed", "7", "--players", "human,greedy,greedy,greedy")
    with Terminal(words, columns=80, rows=24) as terminal:
        for _ in range(14):
            terminal.wait("red [")  # the others have chosen
            terminal.changed_by("\x1bOQ")  # F2
            terminal.changed_by("\r")
        terminal.wait("red [")
        for _ in range(12):
            page = terminal.changed_by("down")
            assert "┏" in page or re.search(r"^ \d+  pass$", page, re.MULTILINE), page
        assert re.search("[←→↑↓]", terminal.read())


@pytest.mark.parametrize(
    ("columns", "rows"),
    slow_unless(
        lambda size: size == (60, 24),
        [(60, 24), (40, 12), (72, 16), (20, 8), (200, 60)],
    ),
)
def test_a_terminal_of_any_size_has_what_is_asked_on_it(columns: int, rows: int) -> None:
    with Terminal(GAME, columns=columns, rows=rows) as terminal:
        page = terminal.wait("red [1-6]>")
        assert "place the tile"[: columns - 8] in page
        assert "5  lay the tile" in page


def test_a_terminal_may_change_its_size() -> None:
    with Terminal(GAME, columns=100) as terminal:
        assert "│" in terminal.wait("[5 S]")
        terminal.resize(60, 20)
        page = terminal.wait(lambda page: "│" not in page and "[5 S]" in page)
        assert "┏" in page


@pytest.mark.parametrize(
    ("end", "code"),
    slow_unless(
        lambda case: case[0] == "^C",
        [("^C", 130), (signal.SIGINT, 130), (signal.SIGTERM, 143), ("\x04", 0)],
    ),
)
def test_the_terminal_is_given_back(end: str | signal.Signals, code: int) -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[5 S]")
        assert terminal.modes() != terminal.before
        if isinstance(end, str):
            terminal.type(end)
        else:
            terminal.program.send_signal(end)
        assert terminal.end() == code
        assert terminal.modes() == terminal.before
        assert terminal.raw.endswith(END) or END in terminal.raw[-300:]
        assert b"\x1b[?25l" not in terminal.raw[terminal.raw.rindex(END) :]
        assert b"Traceback" not in terminal.raw


@pytest.mark.slow
def test_ctrl_z_hands_the_terminal_to_the_shell_and_fg_draws_the_screen_again() -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs a shell with jobs")
    play = f"{sys.executable} -m tilewright {' '.join(GAME)}"

    def is_drawn(page: str) -> bool:
        return "┏" in page and "[5 S]" in page and "^C leave" in page

    with Terminal(("--norc", "--noprofile", "-i"), program=(bash,), PS1="shell> ") as terminal:
        terminal.wait("shell>")
        for time, command in enumerate((play, "fg", "fg"), 1):
            terminal.type(command, "\r")
            terminal.wait(is_drawn)
            assert terminal.raw.count(BEGIN) == time
            terminal.type("\x1a")
            terminal.wait(lambda page: "Stopped" in page and page.rstrip().endswith("shell>"))
            assert terminal.raw.count(END) == time
            terminal.type("clear; stty -a\r")
            assert " icanon" in terminal.wait("echoe")
        terminal.type("fg\r")
        terminal.wait(
            is_drawn
        )  # until then the shell's terminal takes the key as the end of a line
        terminal.type("\x04")
        terminal.wait("the match is not over")


@pytest.mark.parametrize(
    ("end", "code"),
    slow_unless(lambda case: case[1] == 143, [(signal.SIGTERM, 143), (signal.SIGHUP, 129)]),
)
def test_the_terminal_is_given_back_at_the_line_too(end: signal.Signals, code: int) -> None:
    with Terminal((*GAME, "--plain")) as terminal:
        terminal.wait("[1-")
        terminal.program.send_signal(end)
        assert terminal.end() == code
        assert terminal.modes() == terminal.before
        assert b"Traceback" not in terminal.raw


def test_the_prompt_comes_back_after_a_text_longer_than_the_line() -> None:
    with Terminal(GAME) as terminal:
        terminal.wait("[1-")
        terminal.type("\x1b[200~" + "x" * 300 + "\x1b[201~")
        terminal.wait(lambda page: "[1-" not in page)
        terminal.type("\r")
        assert "no option contains" in terminal.wait("[1-")


DRAINED = """# rules/trial.yaml
rules:
  - id: trial.drained
    on: step draw_tile
    after: [table.draw]
    do: |
      stop if turn < 3
      let again = active
      draw other from away
      award 1 to again
"""


def test_a_rule_that_fails_leaves_its_message_on_the_page(tmp_path: Path) -> None:
    library_of(DRAINED, tmp_path)
    words = ("play", "trial/first", "--with", ".", "--with", str(TRIALS), "--seed", "1")
    options = ("--players", "human,random", "--save", "match.json")
    with Terminal((*words, *options), folder=tmp_path) as terminal:
        terminal.wait("red [1-")
        for _ in range(8):
            if terminal.program.poll() is not None:
                break
            terminal.type("\r")
            terminal.read()
        assert terminal.end() == 1
        after = terminal.raw[terminal.raw.rindex(END) :].decode()
        assert terminal.modes() == terminal.before
    assert "the match before this choice is saved in `match.json`" in after
    assert "nothing can be drawn from `away`" in after


def test_a_match_is_saved_and_continued(tmp_path: Path) -> None:
    with Terminal((*GAME, "--save", "game.json"), folder=tmp_path) as terminal:
        terminal.wait("[5 S]")
        terminal.type("\r")
        terminal.wait("red: place a meeple")
        terminal.type("^C")
        assert terminal.end() == 130
        assert "`tilewright play game.json` continues the match" in terminal.read()
    with Terminal(("play", "game.json"), folder=tmp_path) as terminal:
        terminal.wait("red: place a meeple")


@pytest.mark.slow
def test_a_match_that_ends_leaves_its_result_on_the_page() -> None:
    with Terminal(("play", "house/ten-turns", "--seed", "1", "--players", "2")) as terminal:
        page = terminal.wait("red: place the tile")
        while "Enter leaves the match" not in page:
            page = terminal.changed_by("\r")
        terminal.type("\r")
        assert terminal.end() == 0
        assert re.search("wins|share the victory", terminal.read())


@pytest.mark.parametrize(
    ("environment", "has", "has_not"),
    slow_unless(
        lambda case: "NO_COLOR" in case[0],
        [
            ({"TERM": "xterm"}, b"\x1b[0;3", b"8;5;"),
            ({"TERM": "xterm-256color"}, b"8;5;", b"8;2;"),
            ({"COLORTERM": "truecolor"}, b"8;2;", b"8;5;"),
            ({"NO_COLOR": "1"}, b"\x1b[0;7m", b"8;5;"),
        ],
    ),
)
def test_colours_are_those_of_the_terminal(
    environment: dict[str, str], has: bytes, has_not: bytes
) -> None:
    with Terminal(GAME, **environment) as terminal:
        terminal.wait("[5 S]")
        assert (has in terminal.raw, has_not in terminal.raw) == (True, False)


@pytest.mark.parametrize(
    ("words", "kind"),
    slow_unless(lambda case: case[1] == "dumb", [((), "dumb"), (("--plain",), "xterm")]),
)
def test_without_a_screen_everything_is_printed_line_by_line(
    words: tuple[str, ...], kind: str
) -> None:
    with Terminal((*GAME, *words), TERM=kind) as terminal:
        terminal.wait("red [1-6]>")
        terminal.type("preview 6\r")
        page = terminal.wait(lambda page: page.count("red [1-6]>") == 2)
        assert framed(page)[2] == "····╔════"
        terminal.type("quit\r")
        assert terminal.end() == 0
        assert BEGIN not in terminal.raw
        assert "the match is not over" in terminal.read()
