"""The parts of the screen of a match as lines of styled text: players, tile, options, log.

Each part is drawn for a given room and knows nothing of a terminal. A letter, a bracket or
an arrow repeats the meaning of each colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from prompt_toolkit.utils import get_cwidth

from tilewright.faces.cli.play.commands import holdings, stacks_text
from tilewright.faces.cli.play.offer import Offer
from tilewright.faces.cli.play.session import Session
from tilewright.view.board.text_tile import SIZES, Page, contrast, tile_page
from tilewright.view.board.view import seat_marks, shown_piece, spoken_kinds, spoken_symbols

#: pieces of text with their styles
Line = list[tuple[str, str]]
HEADING, FAINT, MARKED, PLAIN = "bold", "class:faint", "reverse", ""


def columns(line: Line) -> int:
    """The width of a line."""
    return sum(get_cwidth(text) for _, text in line)


def cut(line: Line, room: int) -> Line:
    """The line in so many columns; an ellipsis stands for what is left out."""
    if columns(line) <= room:
        return line
    found: Line = []
    for style, text in line:
        for letter in text:
            if get_cwidth(letter) > room - 1:
                return [*found, (style, "…"[:room])]
            found.append((style, letter))
            room -= get_cwidth(letter)
    return found


def page_lines(page: Page) -> list[Line]:
    """A drawn page as styled lines."""
    return [
        [
            (
                f"{f'fg:{ink.colour} ' if ink.colour else ''}"
                f"{f'bg:{ink.ground} ' if ink.ground else ''}{'bold' if ink.is_bold else ''}",
                ink.letter,
            )
            for ink in row
        ]
        for row in page
    ]


def paragraph(text: str, room: int, style: str = PLAIN, hanging: int = 0) -> list[Line]:
    """Text in so many columns; `hanging` is the indent of all lines but the first."""
    lines = wrap(text, max(8, room), subsequent_indent=" " * hanging)
    return [[(style, line)] for line in lines or [""]]


def player_cards(session: Session) -> list[Line]:
    """A card for each player: letter and colour, name, points."""
    match = session.match
    seats, marks = match.program.game.seats, seat_marks(match, session.language)
    on_turn = match.to_move if match.to_move >= 0 else match.active
    cards = []
    for player in match.players:
        ground = seats[player].colour if player < len(seats) else "#808080"
        is_active = player == on_turn and not match.is_over
        cards.append(
            [
                (HEADING, "▸" if is_active else " "),
                (f"fg:{contrast(ground)} bg:{ground} bold", f" {marks[player]} "),
                (HEADING if is_active else PLAIN, f" {session.name(player)} "),
                (HEADING, str(match.points[player])),
            ]
        )
    return cards


def players(session: Session, room: int) -> list[Line]:
    """The players with what they hold, and the stacks."""
    lines = []
    for player, card in zip(session.match.players, player_cards(session), strict=True):
        held = [(FAINT, f"   {holdings(session, player)}")]
        lines.append(cut([*card, *held], room))
    return [*lines, *paragraph(stacks_text(session, with_empty=False), room, FAINT)]


def piece_lines(
    session: Session, offer: Offer, room: int, height: int, ascii_only: bool
) -> list[Line]:
    """The tile that is in hand, turned as the marked option lays it, or the tiles to choose from.

    Nothing where the options are not about tiles. Tiles of several cells lie side by side.
    """
    match = session.match
    own, layout = shown_piece(match, offer.mark)
    choice = dict.fromkeys(shown_piece(match, n)[0] for n in offer.order)
    pieces = [(own, layout)]
    if len(choice) > 1:
        pieces = [(piece, 0) for piece in choice if piece >= 0]
    size = next((s for s in SIZES[len(pieces) > 1 : 2] if s[1] < height), None)
    if (own < 0 and len(choice) < 2) or size is None:
        return []
    game, shapes = match.program.game, match.board.shapes
    kinds, symbols = (
        spoken_kinds(game, session.language),
        spoken_symbols(game, session.language),
    )
    lines: list[Line] = [[] for _ in range(size[1])]
    names: Line = []
    for piece, turned in pieces:
        is_own = piece == own and len(pieces) > 1
        for _, shape in shapes.layouts[piece][turned]:
            face, turn = shapes.face_of[shape], shapes.turn_of[shape]
            page = page_lines(tile_page(face, kinds, symbols, turn, size, ascii_only))
            for number, (line, drawn) in enumerate(zip(lines, page, strict=True)):
                pointer = "▸ " if is_own and number == size[1] // 2 else "  "
                line += [(HEADING, pointer), *drawn]
        if is_own or len(pieces) == 1:
            names = [(FAINT, f"  {game.pieces[piece].id}")]
    return [cut(names, room), *(cut(line, room) for line in lines)]


def option_rows(offer: Offer, room: int, height: int) -> list[Line]:
    """The options with the mark, as many rows around it as there is room for."""
    rows = offer.rows()
    here = next((i for i, row in enumerate(rows) if offer.mark in row), 0)
    first = max(0, min(here - height // 2, len(rows) - height))
    lines = [_row(offer, row, room) for row in rows[first : first + height]]
    if lines and first > 0:
        lines[0] = [*cut(lines[0], room - 2), (FAINT, " ↑")]
    if lines and first + height < len(rows):
        lines[-1] = [*cut(lines[-1], room - 2), (FAINT, " ↓")]
    return lines


def _row(offer: Offer, row: Sequence[int], room: int) -> Line:
    """An option, or the options of a cell."""
    is_marked = offer.mark in row
    pointer = (HEADING, "▸" if is_marked else " ")
    if not offer.is_placement(row[0]):
        in_words, notation = offer.in_words[row[0]], offer.notation(row[0])
        more = f"  {notation}" if notation else ""
        style = MARKED if is_marked else PLAIN
        words = f"{offer.shown_number(row[0]):>3} {in_words}"
        return cut([pointer, (style, words), (style if is_marked else FAINT, more)], room)
    line: Line = [pointer, (HEADING if is_marked else PLAIN, f"{offer.cell(row[0]):>6} ")]
    for number in row:
        text = f"{number + 1} {offer.direction(number)}"
        chosen = number == offer.mark
        line.append((MARKED if chosen else PLAIN, f"[{text}]" if chosen else f" {text} "))
    if is_marked and columns(line) > room:
        # the marked one is shown first, where not all have room
        turns = sorted(line[2:], key=lambda each: each[0] != MARKED)
        line = [*line[:2], *turns]
    return cut(line, room)


def log_lines(log: Sequence[tuple[str, bool]], room: int, height: int) -> list[Line]:
    """The latest events, the last at the bottom."""
    lines: list[Line] = []
    for text, is_heading in reversed(log):
        if len(lines) >= height:
            break
        lines[:0] = paragraph(text, room, HEADING if is_heading else PLAIN, hanging=2)
    return lines[-height:] if height > 0 else []


def keys_line(keys: Sequence[tuple[str, str]], room: int) -> Line:
    """Keys with what they do, as many as have room."""
    line: Line = []
    for key, word in keys:
        more: Line = [("class:key", f" {key} "), (FAINT, f"{word} ")]
        if columns([*line, *more]) > room:
            break
        line += more
    return line


def side_by_side(
    left: Sequence[Line], right: Sequence[Line], width: int, bar: str
) -> Iterable[Line]:
    """Two columns of lines; the left one is filled up to its width."""
    for number in range(max(len(left), len(right))):
        line = left[number] if number < len(left) else []
        line = cut(line, width)
        used = columns(line)
        rest = right[number] if number < len(right) else []
        yield [*line, ("", " " * (width - used)), ("class:faint", bar), *rest]
