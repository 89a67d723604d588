"""A match on a screen that is drawn in place: board, players, options, and a line to type on.

The board shows the marked option before it is chosen: a tile as it would lie, a place as it would
be taken. The terminal gets its own page back at the end, whatever ends the match.
"""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from textwrap import wrap

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, to_formatted_text
from prompt_toolkit.formatted_text.utils import split_lines
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl, UIContent, UIControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from tilewright.faces.cli.exit_codes import Stop
from tilewright.faces.cli.output import can_draw, colour_depth, colour_wanted, rows, say, wrapped
from tilewright.faces.cli.play import screen_parts as parts
from tilewright.faces.cli.play.commands import COMMANDS, command_list, hinted, print_answer
from tilewright.faces.cli.play.lines import print_end
from tilewright.faces.cli.play.offer import Offer
from tilewright.faces.cli.play.screen_parts import Line
from tilewright.faces.cli.play.session import Chooser, Session, is_number, option_of
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.play.board.board import xy_of
from tilewright.play.match import Match
from tilewright.view.board.scene import Recent, Scene
from tilewright.view.board.text import Window as CellWindow
from tilewright.view.board.text import legend, moved, window_on, window_page
from tilewright.view.board.view import previewed, scene_of
from tilewright.view.match_phrases import question_label

#: from this width on the players and options are beside the board, below that under it
WIDE = 72
_MAX_LOG = 500
#: keys with the ids of the words for what they do, those that are needed first at the front
KEYS = (
    ("↑ ↓", "match.key.choose"),
    ("← →", "match.key.turn"),
    ("Enter", "match.key.take"),
    ("?", "match.key.help"),
    ("F2", "match.key.hint"),
    ("F3", "match.key.why"),
    ("F4", "match.key.undo"),
    ("^C", "match.key.leave"),
    ("Shift+arrow", "match.key.look"),
    ("Esc", "match.key.close"),
)
_STYLE = Style.from_dict({"faint": "dim", "key": "reverse", "title": "reverse", "message": "bold"})
_DEPTHS = {4: ColorDepth.DEPTH_4_BIT, 8: ColorDepth.DEPTH_8_BIT, 24: ColorDepth.DEPTH_24_BIT}


class Screen:
    """The face of a session that draws a terminal in place and reads its keys."""

    def __init__(self, session: Session, *, is_quiet: bool) -> None:
        self.session = session
        self.log: list[tuple[str, bool]] = []
        #: the log before each choice of a person
        self.past_logs: list[list[tuple[str, bool]]] = []
        if not is_quiet:
            session.notice = self._note
        self.words = self.session.words
        self.offer: Offer | None = None
        self.message = ""
        #: the function that prints the page over the board, and its first visible line
        self.overlay: Callable[[], object] | None = None
        self.scroll = 0
        self.window: CellWindow | None = None
        self.is_held = False
        self.seen_tiles = len(session.match.board.tile_cell)
        self.is_ascii = not can_draw()
        self.buffer = Buffer(multiline=False, on_text_changed=lambda _: self._typed())
        self.app = self._application()

    def play(self) -> bool:
        """Play to the end; returns False when a person leaves before."""
        self.session.report_beginning()
        asyncio.run(self._run())
        if self.session.match.to_move >= 0:
            self.session.leave()
            return False
        print_end(self.session)
        return True

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self._fail(context.get("exception")))
        for number in (signal.SIGTERM, signal.SIGHUP) if os.name == "posix" else ():
            loop.add_signal_handler(number, self._fail, SystemExit(128 + number))
        await self.app.run_async(pre_run=self._next, set_exception_handler=False)

    def _fail(self, error: BaseException | None) -> None:
        """Leave the screen because of an error, which the caller of `play` gets."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit(exception=error or RuntimeError("the screen failed"))

    def interrupt(self) -> None:
        """Leave as Ctrl-C does everywhere."""
        self._fail(KeyboardInterrupt())

    def suspend(self) -> None:
        """Hand the terminal back to the shell, whose `fg` continues the match."""
        self.app.suspend_to_background()

    def leave(self) -> None:
        """Leave the match as it is."""
        self.app.exit()

    # -------------------------------------------------------------- the match

    def _note(self, text: str, is_heading: bool) -> None:
        plain = "".join(each[1] for each in to_formatted_text(ANSI(text)))
        self.log = [*self.log[-_MAX_LOG:], (plain, is_heading)]

    def _next(self) -> None:
        """Let a person or a bot make the next choice, or show the end."""
        session = self.session
        self.offer = None
        if session.match.to_move < 0:
            session.write()
            self.message = f"{session.winners()}. {self.words('match.key.leave_at_end')}"
        elif session.bot() is None:
            self.offer = Offer(session.match, session.language)
            self.is_held = False
        else:
            self.app.create_background_task(self._let_bots_play())
        self.app.invalidate()

    async def _let_bots_play(self) -> None:
        session = self.session
        while (bot := session.bot()) is not None:
            number = await _in_thread(bot, session.match.fork())
            session.apply(number)
            self.app.invalidate()
        self._next()

    def choose(self, number: int) -> None:
        """Carry out an option of the person whose turn it is."""
        self.message = ""
        self.past_logs.append(self.log)
        self.session.choose(number)
        self.seen_tiles = len(self.session.match.board.tile_cell)
        self._next()

    def undo(self) -> None:
        """Take back the latest choice of a person."""
        if self.offer is None and self.session.match.to_move >= 0:
            return  # a bot is thinking about this position
        self.message = self.session.undo()
        if not self.message:
            log = self.past_logs.pop() if self.past_logs else []
            self.log = [*log, (self.words("match.taken_back"), False)]
            self.seen_tiles = len(self.session.match.board.tile_cell)
            self._next()

    def hint(self) -> None:
        """Mark the option that the greedy bot would choose."""
        if self.offer is not None:
            self.buffer.reset()
            self.offer.put(hinted(self.session.match))
            self.message = self.words("match.hint", option=self.offer.sentence(self.offer.mark))

    # -------------------------------------------------------------- typing

    def _typed(self) -> None:
        self.message = ""
        if self.offer is not None:
            self.offer.typed(self.buffer.text)

    def enter(self) -> None:
        """Carry out the command that was typed, or the marked option."""
        text = " ".join(self.buffer.text.split())
        offer = self.offer
        if self.overlay is not None:
            self.close()
        elif self.session.match.to_move < 0 and not text:
            self.leave()
        elif text.split(" ")[0] in COMMANDS:
            self.buffer.reset()
            word, _, rest = text.partition(" ")
            self.command(word, rest)
        elif offer is not None:
            self._take(offer, text)

    def _take(self, offer: Offer, text: str) -> None:
        """Choose the option that was typed or marked; print the reason where there is none."""
        number, numbers = offer.mark, offer.numbers
        refused = ""
        if is_number(text) and option_of(numbers, text) is None:
            first, last = numbers[0], numbers[-1]
            refused = self.words("play.no_number", first=first, last=last, found=text)
        elif text in offer.texts:
            number = offer.texts.index(text)
        elif not offer.found:
            known = (*offer.texts, *COMMANDS)
            near = did_you_mean(text, known, self.session.language)
            why = self.words("play.why_not", text=text)
            refused = f"{self.words('play.none_contains', text=text)}{near}; {why}"
        self.buffer.reset()
        if refused:
            offer.typed("")
            self.message = refused
        else:
            self.choose(number)

    def command(self, word: str, rest: str = "") -> None:
        """Carry out a command; its output is shown over the board."""
        self.message = ""
        match word:
            case "quit":
                self.leave()
            case "undo":
                self.undo()
            case "hint":
                self.hint()
            case "board":
                self.is_held = False
            case "preview" if self.offer is not None and rest.isdecimal():
                self.offer.typed(rest)
                self.offer.put(self.offer.mark)
            case "save":
                self.message = self.session.saved_to(rest)
            case "help":
                self._show(self._print_help)
            case "options" | "why-not" | "preview" if self.offer is None:
                self.message = self.words("match.not_now")
            case _:
                self._show(lambda: print_answer(self.session, word, rest))

    def complete(self) -> None:
        """Complete the command that was typed, or mark the next option."""
        found = [
            word for word in COMMANDS if self.buffer.text and word.startswith(self.buffer.text)
        ]
        if len(found) == 1:
            self.buffer.text = found[0]
            self.buffer.cursor_position = len(found[0])
        else:
            self.move(0, 1)

    def move(self, turn: int, step: int) -> None:
        """Mark another option, or scroll the page over the board."""
        self.message = ""
        if self.overlay is not None:
            self.scroll = max(0, self.scroll + step)
        elif self.offer is not None:
            self.is_held = False
            if turn:
                self.offer.turn(turn)
            else:
                self.offer.step(step)

    def look(self, east: int, south: int) -> None:
        """Scroll the board by hand."""
        if self.window is not None:
            self.window, self.is_held = moved(self.window, east, south), True

    # -------------------------------------------------------------- pages over the board

    def _show(self, page: Callable[[], object]) -> None:
        self.overlay, self.scroll = page, 0

    def close(self) -> None:
        """Close the page over the board, or clear the line."""
        if self.overlay is not None:
            self.overlay = None
        else:
            self.buffer.reset()
        self.message = ""

    def _print_help(self) -> None:
        say(rows((key, self.words(word)) for key, word in KEYS))
        say()
        say(command_list(self.session))
        say()
        say(wrapped(self.words("match.letters"), 2, 2))
        entries = (entry.replace(" ", "\u00a0") for entry in legend(self._scene(), self.is_ascii))
        say(wrapped("   ".join(entries), 2, 2).replace("\u00a0", " "))

    # -------------------------------------------------------------- drawing

    def _application(self) -> Application[None]:
        prompt = BeforeInput(self._prompt)
        line = Window(BufferControl(self.buffer, input_processors=[prompt]), height=1)

        def unscroll(_: object) -> None:
            line.horizontal_scroll = 0  # after a long text or a narrow terminal

        layout = HSplit(
            [
                Window(_Picture(self, self._header), height=1, style="class:title"),
                Window(_Picture(self, self._body)),
                Window(_Picture(self, self._status), height=1, style="class:message"),
                line,
                Window(_Picture(self, self._footer), height=1),
            ]
        )
        app: Application[None] = Application(
            layout=Layout(layout),
            key_bindings=_key_bindings(self),
            style=_STYLE,
            full_screen=True,
            before_render=unscroll,
            color_depth=_DEPTHS[colour_depth()] if colour_wanted() else ColorDepth.DEPTH_1_BIT,
        )
        app.ttimeoutlen = 0.05
        return app

    def _prompt(self) -> str:
        offer = self.offer
        if offer is None:
            return "> "
        numbers = offer.numbers
        name = self.session.name(self.session.match.to_move)
        return f"{name} [{numbers[0]}-{numbers[-1]}]> "

    def _header(self, width: int, _: int) -> list[Line]:
        match = self.session.match
        turn = self.words("match.turn", number=match.turn)
        game = parts.cut([("", f" {match.program.game.id}")], width - len(turn) - 3)
        used = parts.columns(game)
        return [[*game, ("", " " * (width - used - len(turn) - 1)), ("bold", f"{turn} ")]]

    def _status(self, width: int, _: int) -> list[Line]:
        text = self.message
        if not text and self.offer is not None and self.offer.found:
            mark = self.offer.mark
            text = f"{self.offer.shown_number(mark)}  {self.offer.sentence(mark)}"
        return [parts.cut([("", f" {text}" if text else "")], width)]

    def _footer(self, width: int, _: int) -> list[Line]:
        words = [(key, self.words(word)) for key, word in KEYS]
        if self.overlay is not None:
            words = [
                ("↑ ↓", self.words("match.key.scroll")),
                ("Esc", self.words("match.key.close")),
            ]
        return [parts.keys_line(words, width)]

    def _body(self, width: int, height: int) -> list[Line]:
        if self.overlay is not None:
            return self._page(self.overlay, height)
        if width >= WIDE:
            beside = max(30, min(46, width * 2 // 5))
            board = self._board(width - beside - 1, height)
            panel = self._panel(beside, height, is_beside=True)
            bar = "|" if self.is_ascii else "│"
            return list(parts.side_by_side(board, panel, width - beside - 1, bar))
        below = max(min(6, height), height * 2 // 5)
        cards = [piece for card in parts.player_cards(self.session) for piece in card]
        board = self._board(width, height - below - 1)
        return [parts.cut(cards, width), *board, *self._panel(width, below, is_beside=False)]

    def _page(self, page: Callable[[], object], height: int) -> list[Line]:
        """The visible lines of what a command prints."""
        text = _printed(page).rstrip("\n")
        lines = [
            [(style, text) for style, text, *_ in line]
            for line in split_lines(to_formatted_text(ANSI(text)))
        ]
        self.scroll = max(0, min(self.scroll, len(lines) - height))
        return lines[self.scroll : self.scroll + height]

    def _scene(self) -> Scene:
        match = self.session.match
        is_person = self.offer is not None
        scene = scene_of(match, language=self.session.language, with_options=is_person)
        laid = (tile for tile in match.board.lying() if tile >= self.seen_tiles)
        recent = tuple(Recent(*xy_of(match.board.tile_cell[tile]), "") for tile in laid)
        scene = replace(scene, recent=recent)
        return scene if self.offer is None else previewed(match, self.offer.mark, scene)

    def _board(self, width: int, height: int) -> list[Line]:
        """The part of the board that is in sight, with the meaning of its characters."""
        if height < 3:
            return [[] for _ in range(height)]
        scene = self._scene()
        entries = "   ".join(e.replace(" ", "\u00a0") for e in legend(scene, self.is_ascii))
        foot = [line.replace("\u00a0", " ") for line in wrap(entries, max(20, width - 2))]
        foot = foot if len(foot) <= max(1, height // 6) else []
        room = height - len(foot)
        self.window = window_on(scene, width, room, self.window, is_held=self.is_held)
        lines = parts.page_lines(window_page(scene, self.window, self.is_ascii))[:room]
        lines += [[] for _ in range(room - len(lines))]
        return [*lines, *([("class:faint", f" {line}")] for line in foot)]

    def _panel(self, width: int, height: int, *, is_beside: bool) -> list[Line]:
        """The players, what is to be chosen, the options and the latest events."""
        session, offer = self.session, self.offer
        lines = [*parts.players(session, width), []] if is_beside else []
        lines += [parts.cut([("bold", self._asked())], width)]
        if offer is None:
            return [*lines, [], *parts.log_lines(self.log, width, height - len(lines) - 1)]
        if is_beside and height - len(lines) >= 14:
            room = 6 if height - len(lines) >= 20 else 4
            lines += parts.piece_lines(session, offer, width, room, self.is_ascii)
        left = height - len(lines)
        options = min(len(offer.rows()), max(1, left - max(1, left // 3) - 1))
        lines += parts.option_rows(offer, width, options)
        log = parts.log_lines(self.log, width, height - len(lines) - 1)
        return [*lines, [], *log]

    def _asked(self) -> str:
        match = self.session.match
        if match.to_move < 0:
            return self.session.winners()
        name = self.session.name(match.to_move)
        if self.offer is None:
            return self.words("match.thinks", player=name)
        return f"{name}: {question_label(match, self.session.language)}"


class _Picture(UIControl):
    """Lines that are drawn for the room that a window has."""

    def __init__(self, screen: Screen, draw: Callable[[int, int], list[Line]]) -> None:
        self._screen = screen
        self._draw = draw

    def create_content(self, width: int, height: int) -> UIContent:
        try:
            lines = self._draw(width, height)
        except Exception as error:
            # raised here, it would leave the terminal as it is
            self._screen._fail(error)
            lines = []
        return UIContent(
            get_line=lambda number: list(lines[number]), line_count=len(lines), show_cursor=False
        )


def _key_bindings(screen: Screen) -> KeyBindings:
    """The keys of a screen."""
    found = KeyBindings()
    is_empty = Condition(lambda: not screen.buffer.text or screen.buffer.text.isdecimal())
    is_page = Condition(lambda: screen.overlay is not None)

    def bind(keys: str, act: Callable[[], object], *, when: Condition | None = None) -> None:
        @found.add(*keys.split(), eager=True, filter=True if when is None else when)
        def _(event: KeyPressEvent) -> None:
            act()

    bind("enter", screen.enter)
    bind("up", lambda: screen.move(0, -1))
    bind("down", lambda: screen.move(0, 1))
    bind("left", lambda: screen.move(-1, 0), when=is_empty)
    bind("right", lambda: screen.move(1, 0), when=is_empty)
    bind("pageup", lambda: screen.move(0, -10))
    bind("pagedown", lambda: screen.move(0, 10))
    bind("tab", screen.complete)
    bind("s-tab", lambda: screen.move(0, -1))
    for key, east, south in (("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)):
        bind(f"s-{key}", partial(screen.look, east, south))
    bind("escape", screen.close)
    bind("q", screen.close, when=is_page)
    bind("?", lambda: screen.command("help"), when=is_empty)
    bind("f1", lambda: screen.command("help"))
    bind("f2", lambda: screen.command("hint"))
    bind("f3", lambda: screen.command("why"))
    bind("f4", lambda: screen.command("undo"))
    bind("c-z", screen.suspend)
    bind("c-c", screen.interrupt)
    bind("<sigint>", screen.interrupt)
    bind("c-d", screen.leave)
    return found


class _Terminal(io.StringIO):
    """Collects what is printed, in the colours of a terminal."""

    def isatty(self) -> bool:
        return True


def _printed(page: Callable[[], object]) -> str:
    """The output of a function; the message of a refusal."""
    with redirect_stdout(_Terminal()) as output:
        try:
            page()
        except Stop as stop:
            say("\n".join(filter(None, (stop.message, stop.hint))))
    return output.getvalue()


async def _in_thread(bot: Chooser, match: Match) -> int:
    """The choice of a bot, made in a thread that does not outlive the program."""
    chosen: Future[int] = Future()
    chosen.set_running_or_notify_cancel()

    def think() -> None:
        try:
            chosen.set_result(bot(match))
        except BaseException as raised:  # belongs to the screen, whatever it is
            chosen.set_exception(raised)

    threading.Thread(target=think, daemon=True).start()
    return await asyncio.wrap_future(chosen)
