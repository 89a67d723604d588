"""Plays a game again that another program wrote down, by the public interface alone.

The other program's tiles, places and followers are found by the printed segments of the pieces.
"""

from __future__ import annotations

from pathlib import Path

import tilewright as tw

RECORD = Path(__file__).with_name("record.txt")
SIDES = {"n": "N", "e": "E", "s": "S", "w": "W"}


def replayed(record: str, game: str = "c2/base", players: int = 2) -> tw.Match:
    """The match after all moves of a record. Raises ValueError for a move that is not allowed."""
    lines = [line.split() for line in record.splitlines() if line and not line.startswith("#")]
    linked = tw.game(game)
    # of two pieces with one letter, the other program knows the one without a symbol
    plain = [piece for piece in linked.pieces.values() if not piece.tile.symbols]
    by_letter = {piece.letter: piece for piece in reversed(plain)}
    pieces = [by_letter[letter] for letter, *_ in lines]
    match = tw.match(linked, players, draws=[piece.id for piece in pieces])
    for piece, (_, row, column, degrees, spot) in zip(pieces, lines, strict=True):
        cell, rotation = (int(column), -int(row)), int(degrees) // 90
        wanted = look(piece.tile.turned(rotation))
        laid = [
            option
            for option in match.options
            if option.cell == cell and look(piece.tile.turned(option.rotation or 0)) == wanted
        ]
        if not laid:
            raise ValueError(f"{piece.id} cannot be laid at {cell}")
        match.choose(laid[0])
        if match.step == "deploy_figure":
            tile = piece.tile.turned(laid[0].rotation or 0)
            match.choose(follower(match, tile, spot))
    return match


def look(tile: tw.PrintedTile) -> set[tuple[str, tuple[str, ...]]]:
    """The printed segments of a tile without their names; a tile may look the same in two turns."""
    return {(segment.kind, segment.sides) for segment in tile.segments}


def follower(match: tw.Match, tile: tw.PrintedTile, spot: str) -> tw.Option:
    """The option that puts a follower on a side of a tile or in its middle, or nobody anywhere."""
    if spot == "-":
        return match.options[-1]
    for option in match.options:
        for segment in tile.segments:
            is_there = SIDES[spot] in segment.sides if spot in SIDES else not segment.sides
            if option.segment == segment.id and is_there:
                return option
    raise ValueError(f"no follower can be put on {spot}")


if __name__ == "__main__":
    played = replayed(RECORD.read_text("utf-8"))
    for move in played.history:
        print(move.text)
    print(played.points)
