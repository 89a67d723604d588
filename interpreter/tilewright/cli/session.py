"""A match at a terminal: the table is drawn, what may be done is numbered, lines are read.

Whoever sits here knows nothing of the rules: options, their texts and their reasons come from the
engine and the tools. Input that ends leaves the match where it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tilewright.cli.endings import Stop
from tilewright.cli.say import bold, colour_wanted, dim, mention, rows, say, width
from tilewright.render.text import scene_text, tile_text
from tilewright.render.view import placement_cells, scene_of, segment_label, spoken_kinds
from tilewright.runtime.board import xy_of
from tilewright.runtime.match import Match
from tilewright.runtime.notation import (
    cell_text,
    figure_name,
    option_text,
    option_texts,
    seat_name,
    spot_text,
)
from tilewright.source.diagnostics import did_you_mean
from tilewright.tools.ledger import Ledger

Chooser = Callable[[Match], int]

COMMANDS = {
    "help": "this list",
    "options": "everything that may be done now, numbered",
    "board": "draw the table again",
    "figures": "where every figure is that is not in a supply",
    "score": "the points, and how many tiles are left",
    "why": "the latest points, item by item; `why all` for the whole match",
    "why-not": "why something is not offered: `why-not TEXT`",
    "hint": "what the greedy player would do",
    "undo": "take back your latest choice, and all that followed",
    "save": "write the match to a file: `save FILE`",
    "quit": "leave; what `--save` names has been written",
}
_MOST_SHOWN = 60


class Session:
    """One match and those who play it; `bots` has nothing where a person sits."""

    def __init__(
        self,
        match: Match,
        bots: Sequence[Chooser | None],
        *,
        ledger: Ledger,
        save: Path | None = None,
        language: str = "en",
        is_quiet: bool = False,
    ) -> None:
        self.match = match
        self.bots = bots
        self.ledger = ledger
        self.save = save
        self.language = language
        self.is_quiet = is_quiet
        self.past: list[tuple[Match, int]] = []
        self.is_drawn = False
        self.candidate: int | None = None
        self.told = len(ledger.awards)
        self._listen()

    def _listen(self) -> None:
        self.match.listeners = (self.ledger, self._hear)

    # -------------------------------------------------------------- the match

    def play(self) -> bool:
        """Play to the end; False when a person left before."""
        while self.match.asked >= 0:
            bot = self.bots[self.match.asked]
            if bot is not None:
                self._take(bot(self.match))
            elif not self._person():
                return False
        self._write()
        self._end()
        return True

    def _take(self, number: int) -> None:
        match = self.match
        if number == match.count - 1 and match.optional:
            text = "pass"
        else:
            text = option_text(match, match.values()[number])
        self._tell(f"{self._name(match.asked)}: {text}")
        match.choose_number(number)
        self._tell_awards()

    def _hear(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "turn":
            self._tell_awards()
            self._tell(bold(f"\nturn {match.turn}, {self._name(facts[0])}"))
        elif event == "draw":
            self._tell(f"drawn: {match.program.game.pieces[facts[1]].id}")
        elif event == "home":
            self._tell(f"{figure_name(match, facts[0])} comes home")
        elif event == "hand":
            self._tell(f"{figure_name(match, facts[0])} goes to {self._name(facts[1])}")
        elif event == "final":
            self._tell(bold("\nthe end"))
        if event in ("turn", "draw", "lay", "move", "home", "attach", "hand", "face"):
            self.is_drawn = False

    def _tell(self, line: str) -> None:
        if not self.is_quiet:
            say(line)

    def _tell_awards(self) -> None:
        for award in self.ledger.awards[self.told :]:
            if not award.points:
                continue
            place = f"  {dim(award.feature)}" if award.feature else ""
            self._tell(f"{self._name(award.player)} gains {award.said()}{place}")
        self.told = len(self.ledger.awards)

    def _name(self, player: int) -> str:
        seats = self.match.program.game.seats
        if player < len(seats):
            return seats[player].label.get(self.language) or seats[player].id
        return seat_name(self.match, player)

    # -------------------------------------------------------------- a person's decision

    def _person(self) -> bool:
        if not self.is_drawn:
            self._draw()
        self._offer()
        decision = (self.match, len(self.match.log))
        while decision == (self.match, len(self.match.log)) and self.match.asked >= 0:
            try:
                line = input(self._prompt()).strip()
            except EOFError:
                say()
                self._leave()
                return False
            if not self._obey(line):
                return False
        return True

    def _prompt(self) -> str:
        return f"{self._name(self.match.asked)} [1-{self.match.count}]> "

    def _draw(self) -> None:
        scene = scene_of(
            self.match,
            language=self.language,
            by_owner=not colour_wanted(),
            with_options=self.bots[self.match.asked] is None,
        )
        say()
        say(scene_text(scene, max(40, width()), colour_wanted()))
        self.is_drawn = True

    def _step(self) -> str:
        steps = self.match.program.game.steps
        found = next((s for s in steps if s.id == self.match.step), None)
        label = found.declaration.label.get(self.language) if found is not None else ""
        return label or self.match.step

    def _offer(self) -> None:
        match = self.match
        say(f"\n{bold(self._name(match.asked))}: {self._step()}")
        cells = placement_cells(match)
        if not cells:
            self._list(range(match.count))
            return
        if match.piece >= 0:
            say(f"  {match.program.game.pieces[match.piece].id}")
            self._piece()
        shapes = match.board.shapes
        table = []
        values = match.values()
        for cell, numbers in sorted(cells.items(), key=lambda pair: _from_north(pair[0])):
            shown = []
            for number in numbers:
                face, north = shapes.spelled(match.piece, values[number - 1][1])
                shown.append(f"{number} {north}" + (" turned over" if face else ""))
            table.append((cell_text(cell), "   ".join(shown)))
        if match.optional:
            table.append(("pass", str(match.count)))
        say(rows(table))
        say(dim("  a letter is the side to which the tile's north points"))

    def _piece(self) -> None:
        """The piece in hand, printed side up and north up."""
        match = self.match
        symbols = {symbol.id: symbol for symbol in match.program.game.symbols}
        kinds = spoken_kinds(match, self.language)
        for cell in match.program.game.pieces[match.piece].faces[0]:
            drawn = tile_text(cell, kinds, symbols, size=(7, 3), colour=colour_wanted())
            say("\n".join(f"  {line}" for line in drawn.split("\n")))

    def _list(self, numbers: Sequence[int]) -> None:
        texts = option_texts(self.match)
        said = self._said()
        shown = [f"{n + 1:>3} {texts[n]}{said.get(n, '')}" for n in numbers[:_MOST_SHOWN]]
        wide = max((_seen(text) for text in shown), default=1) + 3
        columns = max(1, min(4, min(width(), 120) // wide))
        depth = -(-len(shown) // columns)
        for row in range(depth):
            cells = [text + " " * (wide - _seen(text)) for text in shown[row::depth]]
            say("".join(cells).rstrip())
        if len(numbers) > _MOST_SHOWN:
            say(f"  and {len(numbers) - _MOST_SHOWN} more: type a part of one to search")

    def _said(self) -> dict[int, str]:
        """For options about a segment, what it is and where on its tile, by number."""
        match = self.match
        site = match.program.sites[match.site]
        found = {}
        for number, value in enumerate(match.values()):
            if site.actions:
                offer = site.actions[value[0]].offer
                types = [term.type.one for _, term in offer]
                told = list(zip(types, value[1:], strict=True))
            else:
                told = [(site.type, value)]
            parts = [
                segment_label(match, part, self.language)
                for type_, part in told
                if type_.base == "segment" and not type_.many and part is not None
            ]
            if parts:
                found[number] = dim(f"  {', '.join(parts)}")
        return found

    # -------------------------------------------------------------- lines

    def _obey(self, line: str) -> bool:
        """Carry out a line; False when the person leaves."""
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
        self._take(number)
        self._write()

    def _search(self, text: str, texts: list[str]) -> None:
        found = [n for n, option in enumerate(texts) if text.lower() in option.lower()]
        if not found:
            near = did_you_mean(text, (*texts, *COMMANDS)) or "; `help` lists what can be typed"
            say(f"nothing that is offered reads `{text}`{near}")
            say(f"`why-not {text}` asks for the reason")
        elif len(found) == 1:
            self.candidate = found[0]
            say(f"{found[0] + 1} {texts[found[0]]}: press enter to take it")
        else:
            self._list(found)

    def _command(self, word: str, rest: str) -> bool:
        match word:
            case "help":
                say("type a number, an option's text or a part of it, or")
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
                self._write(Path(rest) if rest else self.save, is_asked=True)
            case "quit":
                self._leave()
                return False
        return True

    def _figures(self) -> None:
        match = self.match
        lines = [
            (figure_name(match, figure), spot_text(match, figure))
            for figure in range(len(match.spot))
            if spot_text(match, figure) != "home"
        ]
        say(rows(lines) or "  every figure is in its supply")

    def _score(self) -> None:
        match = self.match
        supply = [match.home & match.of_player[p] for p in match.players]
        say(
            rows(
                (self._name(p), str(match.points[p]), f"{supply[p].bit_count()} figures in supply")
                for p in match.players
            )
        )
        stacks = match.program.game.stacks
        left = ", ".join(
            f"{len(pieces)} {stack.label.get(self.language) or stack.id}"
            for stack, pieces in zip(stacks, match.stacks, strict=True)
        )
        say(f"  {left}")

    def _why(self, *, everything: bool) -> None:
        from tilewright.cli.telling import print_award

        awards = self.ledger.awards if everything else self.ledger.awards[-3:]
        if not awards:
            say("  nobody has gained a point yet")
        for award in awards:
            print_award(self.match, award, self._name(award.player))

    def _why_not(self, text: str) -> None:
        from tilewright.cli.telling import print_why_not

        if text:
            print_why_not(self.match, text, "text")
        else:
            say("why not what? `why-not TEXT`, in the words of an option")

    def _hint(self) -> None:
        from tilewright.tools.bots import greedy_bot

        number = greedy_bot()(self.match)
        say(f"  {number + 1} {option_texts(self.match)[number]}")

    def _undo(self) -> None:
        if not self.past:
            self._undo_by_log()
            return
        self.match, awards = self.past.pop()
        del self.ledger.awards[awards:]
        self.told = awards
        self._listen()
        self.is_drawn = False

    def _undo_by_log(self) -> None:
        """Take back what was chosen before this session began: the log is played again."""
        from tilewright.tools.replay import LogFault, undone

        people = [player for player, bot in enumerate(self.bots) if bot is None]
        try:
            earlier = [m for m in (undone(self.match, p) for p in people) if m is not None]
        except LogFault as fault:
            say(f"this can not be taken back: {fault}")
            return
        if not earlier:
            say("there is nothing to take back")
            return
        self.match = max(earlier, key=lambda match: len(match.log))
        self.ledger.awards.clear()
        self.told = 0
        self._listen()
        self.is_drawn = False

    # -------------------------------------------------------------- leaving

    def _write(self, path: Path | None = None, *, is_asked: bool = False) -> None:
        target = path or self.save
        if target is None:
            if is_asked:
                say("save where? `save FILE`")
            return
        from tilewright.cli.saved import write_save

        try:
            write_save(self.match, target)
        except Stop as stop:
            if not is_asked:
                raise
            say(stop.message)
            return
        if is_asked:
            say(f"saved to {target}")

    def _leave(self) -> None:
        self._write()
        where = f"; go on with `tilewright play {self.save}`" if self.save else ""
        mention(f"the match is not over{where}")

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
        said = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share it"
        say(bold(said))


def _from_north(cell: int) -> tuple[int, int]:
    x, y = xy_of(cell)
    return (-y, x)


def _seen(text: str) -> int:
    """How many columns a text takes, colours aside."""
    return len(re.sub(r"\x1b\[[0-9;]*m", "", text))
