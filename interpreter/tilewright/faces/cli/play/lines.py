"""A match line by line: draws the board, numbers the options, reads lines.

It needs no terminal, so scripts and screen readers can use it. At the end of the input the match
stays where it is.
"""

from __future__ import annotations

from tilewright.faces.cli.interrupts import signals_repeated
from tilewright.faces.cli.output import bold, can_draw, colour_wanted, dim, rows, say, width
from tilewright.faces.cli.play.commands import COMMANDS, print_answer, print_options
from tilewright.faces.cli.play.session import (
    Session,
    direction_text,
    is_number,
    option_numbers,
    option_of,
    placements,
    shown_number,
)
from tilewright.faces.cli.views.score_sheet import print_score_sheet, print_turning_points
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.play.notation import cell_text, option_texts
from tilewright.play.replay import fresh
from tilewright.tools.explanation.score_sheet import played_match
from tilewright.view.board.scene import Scene
from tilewright.view.board.text import scene_text
from tilewright.view.board.text_tile import tile_text
from tilewright.view.board.view import (
    previewed,
    scene_of,
    shown_piece,
    spoken_kinds,
    spoken_symbols,
)
from tilewright.view.match_phrases import question_label


class Lines:
    """The face of a session that prints and reads lines."""

    def __init__(self, session: Session, *, is_quiet: bool) -> None:
        self.session = session
        if not is_quiet:
            session.notice = lambda text, is_heading: say(bold(f"\n{text}") if is_heading else text)
        self.candidate: int | None = None

    def play(self) -> bool:
        """Play to the end; returns False when a person leaves before."""
        session = self.session
        session.report_beginning()
        while session.match.to_move >= 0:
            bot = session.bot()
            if bot is not None:
                session.apply(bot(session.match))
            elif not self._person():
                return False
        session.write()
        print_end(session)
        return True

    def _person(self) -> bool:
        session = self.session
        if not session.is_drawn:
            self._draw()
        self._offer()
        decision = (session.match, len(session.match.log))
        while decision == (session.match, len(session.match.log)) and session.match.to_move >= 0:
            try:
                with signals_repeated():
                    line = input(self._prompt()).strip()
            except EOFError:
                say()
                session.leave()
                return False
            if not self._process(line):
                return False
        return True

    def _prompt(self) -> str:
        match = self.session.match
        numbers = option_numbers(match)
        return f"{self.session.name(match.to_move)} [{numbers[0]}-{numbers[-1]}]> "

    # -------------------------------------------------------------- printing

    def _scene(self) -> Scene:
        session = self.session
        is_person = session.bots[session.match.to_move] is None
        return scene_of(session.match, language=session.language, with_options=is_person)

    def _draw(self) -> None:
        say()
        print_scene(self._scene())
        self.session.is_drawn = True

    def _offer(self) -> None:
        session = self.session
        match, words = session.match, session.words
        asked = question_label(match, session.language)
        say(f"\n{bold(session.name(match.to_move))}: {asked}")
        cells = placements(match)
        if not cells:
            for piece in dict.fromkeys(shown_piece(match, n)[0] for n in range(match.count)):
                self._piece(piece)
            print_options(session, range(match.count))
            return
        self._piece(match.piece)
        table = [
            (cell_text(cell), "   ".join(f"{n} {direction_text(match, n - 1, words)}" for n in ns))
            for cell, ns in cells
        ]
        if match.optional:
            table.append((words("match.pass"), str(match.count)))
        say(rows(table))
        say(dim(f"  {words('match.letters')}"))

    def _piece(self, piece: int, layout: int = 0) -> None:
        """Print a piece that may be laid, in one of its layouts; nothing for none (-1)."""
        if piece < 0:
            return
        match, language = self.session.match, self.session.language
        say(f"  {match.program.game.pieces[piece].id}")
        shapes = match.board.shapes
        symbols = spoken_symbols(match.program.game, language)
        kinds = spoken_kinds(match.program.game, language)
        for _, shape in shapes.layouts[piece][layout]:
            face, turn = shapes.face_of[shape], shapes.turn_of[shape]
            drawn = tile_text(
                face, kinds, symbols, turn=turn, size=(7, 3),
                colour=colour_wanted(), ascii_only=not can_draw(),
            )  # fmt: skip
            say("\n".join(f"  {line}" for line in drawn.split("\n")))

    # -------------------------------------------------------------- lines

    def _process(self, line: str) -> bool:
        """Process a line of input; returns False when the person leaves."""
        session = self.session
        candidate, self.candidate = self.candidate, None
        if not line:
            if candidate is not None:
                session.choose(candidate)
            else:
                self._offer()
            return True
        if is_number(line):
            number = self._number(line)
            if number is not None:
                session.choose(number)
            return True
        texts = option_texts(session.match)
        text = " ".join(line.split())
        if text in texts:
            session.choose(texts.index(text))
            return True
        word, _, rest = text.partition(" ")
        if word in COMMANDS:
            return self._command(word, rest)
        self._search(text, texts)
        return True

    def _number(self, text: str) -> int | None:
        """The option with a number; a message where there is none."""
        own = option_numbers(self.session.match)
        option = option_of(own, text)
        if option is None:
            say(self.session.words("play.no_number", first=own[0], last=own[-1], found=text))
        return option

    def _search(self, text: str, texts: list[str]) -> None:
        found = [n for n, option in enumerate(texts) if text.lower() in option.lower()]
        if not found:
            words = self.session.words
            near = did_you_mean(text, (*texts, *COMMANDS), self.session.language)
            near = near or f"; {words('play.help_lists')}"
            say(f"{words('play.none_contains', text=text)}{near}")
            say(words("play.why_not", text=text))
        elif len(found) == 1:
            self.candidate = found[0]
            if placements(self.session.match):
                self._piece(*shown_piece(self.session.match, found[0]))
            number = shown_number(option_numbers(self.session.match), found[0])
            say(self.session.words("match.enter", number=number, option=texts[found[0]]))
        else:
            print_options(self.session, found)

    def _command(self, word: str, rest: str) -> bool:
        session = self.session
        match word:
            case "board":
                self._draw()
            case "preview" if rest.isdecimal():
                number = self._number(rest)
                if number is not None:
                    print_scene(previewed(session.match, number, self._scene()))
            case "preview":
                say(session.words("play.expected_number"))
            case "undo":
                refused = session.undo()
                if refused:
                    say(refused)
            case "quit":
                session.leave()
                return False
            case _:
                print_answer(session, word, rest)
        return True


def print_scene(scene: Scene) -> None:
    """Print a board in the width of the page."""
    say(scene_text(scene, max(40, width()), colour_wanted(), ascii_only=not can_draw()))


def print_end(session: Session) -> None:
    """Print the board at the end, the points by source, the turns that decided, the winners."""
    match, language = session.match, session.language
    say()
    print_scene(scene_of(match, language=language))
    told = played_match(fresh(match), match.log, language)
    print_score_sheet(match, told.awards, language)
    print_turning_points(told.turns, language)
    say()
    say(bold(session.winners()))
