"""A match in the terminal: draws the board, numbers the options, reads lines.

This module knows no rules: options, their texts and reasons come from the engine and the tools.
At the end of the input the match stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tilewright.cli.exit_codes import Stop
from tilewright.cli.output import bold, colour_wanted, dim, mention, rows, say, width
from tilewright.cli.views.match_log import beside, gain_text, print_award, print_why_not
from tilewright.render.board.text import scene_text, tile_text
from tilewright.render.board.view import placement_cells, scene_of, spoken_kinds, spoken_symbols
from tilewright.render.locale import Words
from tilewright.render.match_phrases import (
    figure_label,
    seat_label,
    spot_label,
    stack_label,
    step_label,
    token_label,
)
from tilewright.runtime.board import xy_of
from tilewright.runtime.faults import RuleError
from tilewright.runtime.match import Match
from tilewright.runtime.notation import (
    PASS,
    cell_text,
    option_text,
    option_texts,
    spot_text,
    stacks_in_play,
)
from tilewright.source.diagnostics import did_you_mean
from tilewright.tools.explanation.score_log import Ledger

Chooser = Callable[[Match], int]

COMMANDS = {
    "help": "this list",
    "options": "list the options with their numbers",
    "board": "draw the board again",
    "figures": "list the figures that are not in a supply",
    "score": "the points, and the number of tiles left",
    "why": "the latest points, item by item; `why all` for the whole match",
    "why-not": "why an option is missing: `why-not TEXT`",
    "hint": "the choice of the greedy bot",
    "undo": "take back your latest choice, and everything after it",
    "save": "write the match to a file: `save FILE`",
    "quit": "leave; the match is saved if `--save` was given",
}
_MAX_SHOWN = 60


class Session:
    """One match and its players; `bots` has None at the seats of people."""

    def __init__(
        self,
        match: Match,
        bots: Sequence[Chooser | None],
        *,
        ledger: Ledger,
        save: Path | None = None,
        language: str = "en",
        who: Sequence[str] = (),
        is_quiet: bool = False,
    ) -> None:
        self.match = match
        self.bots = bots
        self.ledger = ledger
        self.save = save
        self.language = language
        self.who = tuple(who)
        self.words = Words(language, "match")
        self.is_quiet = is_quiet
        self.past: list[tuple[Match, int]] = []
        self.is_drawn = False
        self.candidate: int | None = None
        self.printed_awards = len(ledger.awards)
        self._listen()

    def _listen(self) -> None:
        self.match.listeners = (self.ledger, self._on_event)

    # -------------------------------------------------------------- the match

    def play(self) -> bool:
        """Play to the end; returns False when a person leaves before."""
        while self.match.to_move >= 0:
            bot = self.bots[self.match.to_move]
            if bot is not None:
                self._apply(bot(self.match))
            elif not self._person():
                return False
        self._write()
        self._end()
        return True

    def _apply(self, number: int) -> None:
        match = self.match
        if number == match.count - 1 and match.optional:
            text = PASS
        else:
            text = option_text(match, match.values()[number])
        self._print(f"{self._name(match.to_move)}: {text}{self._beside(text, number)}")
        before = match.fork() if self.save is not None else None
        try:
            match.choose_number(number)
        except RuleError:
            if before is not None:
                self.match = before
                self._write()
                mention(f"the match before this choice is saved in `{self.save}`")
            raise
        self._print_awards()

    def _on_event(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "turn":
            self._print_awards()
            self._print(bold("\n" + self.words("turn of", match.turn, self._name(facts[0]))))
        elif event == "draw":
            self._print(self.words("drawn", match.program.game.pieces[facts[1]].id))
        elif event == "home":
            self._print(self.words("comes home", figure_label(match, facts[0], self.language)))
        elif event == "hand":
            who = figure_label(match, facts[0], self.language)
            self._print(self.words("goes to", who, self._name(facts[1])))
        elif event == "beside":
            figure = figure_label(match, facts[0], self.language)
            place = stack_label(match, facts[1], self.language)
            self._print(self.words("stands beside", figure, place))
        elif event in ("give", "spend"):
            token = token_label(match, facts[0], self.language)
            word = "gets" if event == "give" else "spends"
            self._print(self.words(word, self._name(facts[1]), token))
        elif event == "final":
            self._print(bold("\n" + self.words("the end")))
        if event in ("turn", "draw", "lay", "move", "home", "attach", "hand", "face", "beside"):
            self.is_drawn = False

    def _print(self, line: str) -> None:
        if not self.is_quiet:
            say(line)

    def _print_awards(self) -> None:
        for award in self.ledger.awards[self.printed_awards :]:
            if not award.points:
                continue
            self._print(gain_text(self.match, award, self.language))
        self.printed_awards = len(self.ledger.awards)

    def _name(self, player: int) -> str:
        return seat_label(self.match, player, self.language)

    def _beside(self, text: str, number: int) -> str:
        """The words of an option, where they add to its text."""
        return beside(self.match, text, number, self.language)

    # -------------------------------------------------------------- a person's decision

    def _person(self) -> bool:
        if not self.is_drawn:
            self._draw()
        self._offer()
        decision = (self.match, len(self.match.log))
        while decision == (self.match, len(self.match.log)) and self.match.to_move >= 0:
            try:
                line = input(self._prompt()).strip()
            except EOFError:
                say()
                self._leave()
                return False
            if not self._process(line):
                return False
        return True

    def _prompt(self) -> str:
        return f"{self._name(self.match.to_move)} [1-{self.match.count}]> "

    def _draw(self) -> None:
        scene = scene_of(
            self.match,
            language=self.language,
            by_owner=not colour_wanted(),
            with_options=self.bots[self.match.to_move] is None,
        )
        say()
        say(scene_text(scene, max(40, width()), colour_wanted()))
        self.is_drawn = True

    def _offer(self) -> None:
        match = self.match
        step = step_label(match.program.game, match.step, self.language)
        say(f"\n{bold(self._name(match.to_move))}: {step}")
        cells = placement_cells(match)
        if not cells:
            site = match.program.sites[match.decision_site]
            for piece in match.values() if not site.actions and site.type.base == "piece" else ():
                self._piece(piece)
            self._list(range(match.count))
            return
        if match.piece >= 0:
            self._piece(match.piece)
        shapes = match.board.shapes
        table = []
        values = match.values()
        for cell, numbers in sorted(cells.items(), key=lambda pair: _from_north(pair[0])):
            shown = []
            for number in numbers:
                face, north = shapes.spelled(match.piece, values[number - 1][1])
                shown.append(
                    f"{number} {north}" + (f" {self.words('turned over')}" if face else "")
                )
            table.append((cell_text(cell), "   ".join(shown)))
        if match.optional:
            table.append((self.words("pass"), str(match.count)))
        say(rows(table))
        say(dim(f"  {self.words('letters')}"))

    def _piece(self, piece: int) -> None:
        """Print a piece that may be laid, front side up and north up."""
        match = self.match
        say(f"  {match.program.game.pieces[piece].id}")
        symbols = spoken_symbols(match.program.game, self.language)
        kinds = spoken_kinds(match.program.game, self.language)
        for cell in match.program.game.pieces[piece].faces[0]:
            drawn = tile_text(cell, kinds, symbols, size=(7, 3), colour=colour_wanted())
            say("\n".join(f"  {line}" for line in drawn.split("\n")))

    def _list(self, numbers: Sequence[int]) -> None:
        texts = option_texts(self.match)
        shown = [f"{n + 1:>3} {texts[n]}{self._beside(texts[n], n)}" for n in numbers[:_MAX_SHOWN]]
        wide = max((_columns(text) for text in shown), default=1) + 3
        columns = max(1, min(4, min(width(), 120) // wide))
        depth = -(-len(shown) // columns)
        for row in range(depth):
            cells = [text + " " * (wide - _columns(text)) for text in shown[row::depth]]
            say("".join(cells).rstrip())
        if len(numbers) > _MAX_SHOWN:
            say(f"  and {len(numbers) - _MAX_SHOWN} more: type a part of one to search")

    # -------------------------------------------------------------- lines

    def _process(self, line: str) -> bool:
        """Process a line of input; returns False when the person leaves."""
        candidate, self.candidate = self.candidate, None
        if not line:
            if candidate is not None:
                self._choose(candidate)
            else:
                self._offer()
            return True
        if line.isdecimal():
            self._number(int(line))
            return True
        texts = option_texts(self.match)
        text = " ".join(line.split())
        if text in texts:
            self._choose(texts.index(text))
            return True
        word, _, rest = text.partition(" ")
        if word in COMMANDS:
            return self._command(word, rest)
        self._search(text, texts)
        return True

    def _number(self, number: int) -> None:
        if 1 <= number <= self.match.count:
            self._choose(number - 1)
        else:
            say(f"the options are 1 to {self.match.count}, not {number}")

    def _choose(self, number: int) -> None:
        self.past.append((self.match.fork(), len(self.ledger.awards)))
        self._apply(number)
        self._write()

    def _search(self, text: str, texts: list[str]) -> None:
        found = [n for n, option in enumerate(texts) if text.lower() in option.lower()]
        if not found:
            near = did_you_mean(text, (*texts, *COMMANDS)) or "; `help` lists the commands"
            say(f"no option contains `{text}`{near}")
            say(f"`why-not {text}` explains why it is missing")
        elif len(found) == 1:
            self.candidate = found[0]
            say(self.words("enter", found[0] + 1, texts[found[0]]))
        else:
            self._list(found)

    def _command(self, word: str, rest: str) -> bool:
        match word:
            case "help":
                say("type a number, an option's text or part of it, or")
                say(rows(COMMANDS.items()))
            case "options":
                self._list(range(self.match.count))
            case "board":
                self._draw()
            case "figures":
                self._figures()
            case "score":
                self._score()
            case "why":
                self._why(everything=rest == "all")
            case "why-not":
                self._why_not(rest)
            case "hint":
                self._hint()
            case "undo":
                self._undo()
            case "save":
                self._write(Path(rest) if rest else self.save, is_requested=True)
            case "quit":
                self._leave()
                return False
        return True

    def _figures(self) -> None:
        match = self.match
        lines = [
            (figure_label(match, figure, self.language), spot_label(match, figure, self.language))
            for figure in range(len(match.spot))
            if spot_text(match, figure) != "home"
        ]
        say(rows(lines) or f"  {self.words('all home')}")

    def _score(self) -> None:
        match = self.match
        say(rows((self._name(p), str(match.points[p]), self._holds(p)) for p in match.players))
        left = "; ".join(
            f"{stack_label(match, stack, self.language)}: {len(match.stacks[stack])}"
            for stack in stacks_in_play(match)
        )
        say(f"  {left}")

    def _holds(self, player: int) -> str:
        """The figures and tokens that a player has off the board."""
        match = self.match
        ready = (match.in_supply & match.of_player[player]).bit_count()
        held = [self.words("in supply", ready)]
        for token in range(len(match.program.game.tokens)):
            count = match.tokens[token * (len(match.players) + 1) + player + 1]
            held += [f"{token_label(match, token, self.language)}: {count}"] if count else []
        return "; ".join(held)

    def _why(self, *, everything: bool) -> None:
        awards = self.ledger.awards if everything else self.ledger.awards[-3:]
        if not awards:
            say(f"  {self.words('no points')}")
        for award in awards:
            print_award(self.match, award, self.language)

    def _why_not(self, text: str) -> None:
        if text:
            print_why_not(self.match, text, "text", self.language)
        else:
            say("expected `why-not TEXT`, where TEXT is written as options are")

    def _hint(self) -> None:
        from tilewright.tools.bots.base import greedy_bot

        number = greedy_bot()(self.match)
        text = option_texts(self.match)[number]
        say(f"  {number + 1} {text}{self._beside(text, number)}")

    def _undo(self) -> None:
        if not self.past:
            self._undo_by_log()
            return
        self.match, awards = self.past.pop()
        del self.ledger.awards[awards:]
        self.printed_awards = awards
        self._listen()
        self.is_drawn = False

    def _undo_by_log(self) -> None:
        """Take back a choice from before this session by replaying the log."""
        from tilewright.tools.persistence.replay import LogError, undone

        people = [player for player, bot in enumerate(self.bots) if bot is None]
        try:
            earlier = [m for m in (undone(self.match, p) for p in people) if m is not None]
        except LogError as fault:
            say(f"the choice cannot be taken back: {fault}")
            return
        if not earlier:
            say("no choice can be taken back")
            return
        self.match = max(earlier, key=lambda match: len(match.log))
        self.ledger.awards.clear()
        self.printed_awards = 0
        self._listen()
        self.is_drawn = False

    # -------------------------------------------------------------- leaving

    def _write(self, path: Path | None = None, *, is_requested: bool = False) -> None:
        target = path or self.save
        if target is None:
            if is_requested:
                say("expected a file: `save FILE`")
            return
        from tilewright.cli.saves import write_save

        try:
            write_save(self.match, target, self.who)
        except Stop as stop:
            if not is_requested:
                raise
            say(stop.message)
            return
        if is_requested:
            say(f"saved to {target}")

    def _leave(self) -> None:
        self._write()
        where = f"; `tilewright play {self.save}` continues the match" if self.save else ""
        mention(self.words("not over") + where)

    def _end(self) -> None:
        match = self.match
        if self.is_quiet or any(bot is None for bot in self.bots):
            self.is_drawn = False
        scene = scene_of(match, language=self.language, by_owner=not colour_wanted())
        say()
        say(scene_text(scene, max(40, width()), colour_wanted()))
        say()
        for player in sorted(match.players, key=lambda p: -match.points[p]):
            say(f"  {self._name(player):<10} {match.points[player]:>4}")
        winners = [self._name(p) for p in match.winners()]
        key = "wins" if len(winners) == 1 else "share it"
        say(bold(self.words(key, self.words("and").join(winners))))


def _from_north(cell: int) -> tuple[int, int]:
    x, y = xy_of(cell)
    return (-y, x)


def _columns(text: str) -> int:
    """The width of a text in columns, without its colours."""
    return len(re.sub(r"\x1b\[[0-9;]*m", "", text))
