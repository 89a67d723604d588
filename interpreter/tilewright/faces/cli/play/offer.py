"""The options of one decision as a person goes through them: a mark, a filter, turns of a tile."""

from __future__ import annotations

from tilewright.faces.cli.play.commands import COMMANDS
from tilewright.faces.cli.play.session import (
    direction_text,
    is_number,
    option_numbers,
    option_of,
    placements,
    shown_number,
)
from tilewright.language.locale.words import Words
from tilewright.play.match import Match
from tilewright.play.notation import cell_text, option_texts
from tilewright.view.match_phrases import option_sentence, option_words


class Offer:
    """The options of the decision at hand; `mark` is the number of the one that Enter takes."""

    def __init__(self, match: Match, language: str) -> None:
        self.match = match
        self.words = Words(language)
        self.texts = option_texts(match)
        #: those that can be typed, in the order of the options
        self.numbers = option_numbers(match)
        #: for placements the options of each cell, from north to south
        self.cells = [[n - 1 for n in numbers] for _, numbers in placements(match)]
        self.in_words = [self._in_words(n, language) for n in range(len(self.texts))]
        order = [n for cell in self.cells for n in cell]
        self.order = order + [n for n in range(len(self.texts)) if n not in set(order)]
        self.found = self.order
        #: where the mark was put by keys; without a text it is there again
        self.home = self.order[0] if self.order else 0
        self.mark = self.home

    def _in_words(self, number: int, language: str) -> str:
        """An option in a sentence; a placement by its act, since its cell is its name."""
        if self.is_placement(number):
            return str(option_words(self.match, number, language))
        return option_sentence(self.match, number, language)

    def put(self, number: int) -> None:
        """Mark an option."""
        self.home = self.mark = number

    def typed(self, text: str) -> None:
        """Mark the option with a number, or show those that contain a text."""
        text = " ".join(text.lower().split())
        self.found, self.mark = self.order, self.home
        if is_number(text):
            option = option_of(self.numbers, text)
            self.mark = self.home if option is None else option
            return
        if not text or text.split()[0] in COMMANDS:
            return
        self.found = [
            n
            for n in self.order
            if text in self.texts[n].lower() or text in self.in_words[n].lower()
        ]
        if self.found and self.mark not in self.found:
            self.mark = self.found[0]

    def step(self, by: int) -> None:
        """Move the mark to another row: an option, or a cell with all its turns."""
        rows = self.rows()
        if rows:
            here = next((i for i, row in enumerate(rows) if self.mark in row), -1 if by > 0 else 0)
            self.put(rows[(here + by) % len(rows)][0])

    def turn(self, by: int) -> None:
        """Move the mark to the next turn of the tile on its cell; to another row where none is."""
        row = next((row for row in self.rows() if self.mark in row), [])
        if len(row) > 1:
            self.put(row[(row.index(self.mark) + by) % len(row)])
        else:
            self.step(by)

    def rows(self) -> list[list[int]]:
        """The shown options, those of one cell in one row."""
        found = set(self.found)
        cells = [row for cell in self.cells if (row := [n for n in cell if n in found])]
        listed = {n for row in cells for n in row}
        return cells + [[n] for n in self.found if n not in listed]

    def shown_number(self, option: int) -> str:
        """The number of an option, counted from 0, for people."""
        return shown_number(self.numbers, option)

    def is_placement(self, number: int) -> bool:
        """Whether an option lays a tile on a cell."""
        return any(number in cell for cell in self.cells)

    def cell(self, number: int) -> str:
        """The cell of a placement: `2,-1`."""
        return cell_text(self.match.values()[number][0])

    def direction(self, number: int) -> str:
        """The turn of a placement: the side to which the tile's north points."""
        return direction_text(self.match, number, self.words)

    def notation(self, number: int) -> str:
        """The text of an option; empty where it repeats the words."""
        words = self.in_words[number].replace(":", "").replace(",", "")
        text = self.texts[number]
        return "" if text.startswith(words) else text

    def sentence(self, number: int) -> str:
        """An option in words, with its notation where that adds to the words."""
        if self.is_placement(number):
            face, _, over = self.direction(number).partition(" ")
            words = self.words(
                "match.lies_at", cell=self.cell(number), side=self.words(f"match.side.{face}")
            )
            return words + (f", {over}" if over else "")
        notation = self.notation(number)
        return self.in_words[number] + (f"  ({notation})" if notation else "")
