"""Games and matches for programs.

A `Match` gives texts for people and data for programs: options are the lines of scenarios, saves
and the command line, each with its parts as data. A choice is a line, an option or its number.
Nothing is printed; errors have messages for people. `match.inside` is the internal match for speed;
its interface is not stable.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tilewright.faces.api.advice import HintedOption, Refusal, hints_of, refusals_of
from tilewright.faces.api.errors import NotOfferedError
from tilewright.faces.api.events import Event, event_of
from tilewright.faces.api.geometry import Piece, pieces_of
from tilewright.faces.api.history import ExplainedAward, Move, awards_of, moves_of
from tilewright.faces.api.layout import force_draws
from tilewright.faces.api.options import Option, Options
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.play.bots.base import played_by_lot
from tilewright.play.faults import RuleError
from tilewright.play.match import Match as _Match
from tilewright.play.native.positions import left
from tilewright.play.notation import find_option, option_texts, seat_name, seat_number
from tilewright.play.observation import State, public_view
from tilewright.play.program import Program

if TYPE_CHECKING:
    from tilewright._core import Match as CoreMatch


class Game:
    """Rulesets linked into one game, ready to be played any number of times."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @property
    def id(self) -> str:
        """The rulesets, and the options that differ from their defaults."""
        return self.program.game.id

    @property
    def hash(self) -> str:
        """The content hash of the rules: two games with the same hash play the same."""
        return self.program.game.hash

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The ids of all rulesets that take part, what others build on first."""
        return tuple(ruleset.id for ruleset in self.program.game.rulesets)

    @property
    def options(self) -> dict[str, str]:
        """Every option that the rulesets declare, with its value."""
        return dict(self.program.game.options)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats at the table, in the order in which they are taken."""
        return tuple(seat.id for seat in self.program.game.seats)

    @property
    def players(self) -> range:
        """The possible numbers of players."""
        return self.program.game.players

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of a turn, in their order."""
        return tuple(step.declaration.id for step in self.program.game.phase("turn"))

    @cached_property
    def pieces(self) -> dict[str, Piece]:
        """All pieces of the game by id, with their number of copies and their print."""
        return pieces_of(self.program.game)

    def __repr__(self) -> str:
        return f"<game {self.id}>"


class Match:
    """One play of a game: its options, its choices, its state and its history."""

    __slots__ = ("_end", "_inside")

    def __init__(self, inside: _Match) -> None:
        self._inside = inside
        self._end: CoreMatch | None = None  # of this match, where the core has played it out

    @property
    def inside(self) -> _Match:
        """The internal match."""
        if self._end is not None:
            self._inside, self._end = left(self._end, self._inside), None
        return self._inside

    # ----------------------------------------------------------- options and choices

    @property
    def to_move(self) -> str | None:
        """The seat of the player who must choose now, None when the game is over."""
        inside = self.inside
        return None if inside.to_move < 0 else seat_name(inside, inside.to_move)

    @property
    def to_move_number(self) -> int:
        """The number of the player who must choose now, from zero; -1 when the game is over."""
        return self.inside.to_move

    @property
    def step(self) -> str:
        """The current step of the turn."""
        return self.inside.step

    @property
    def options(self) -> Options:
        """The current options; the pass, if there is one, is the last. Each is built when it is
        read; `options.texts` has one line for each.
        """
        return Options(self.inside)

    @property
    def count(self) -> int:
        """The number of options: faster than building their texts."""
        return self.inside.count if self.inside.to_move >= 0 else 0

    # -------------------------------------------------------------- do it

    def choose(self, option: str | int | Option) -> None:
        """Take an option, by its line or by its number from zero.

        Raises NotOfferedError for an unknown option, and RuleError when a rule cannot be carried
        out; then the match has failed: it `is_over`, and `fault` has the reason.
        """
        inside = self.inside
        if inside.failed is not None:
            raise NotOfferedError(f"the match has failed, and nobody can go on: {inside.failed}")
        if inside.to_move < 0:
            raise NotOfferedError("the game is over, and nothing is left to choose")
        if isinstance(option, Option):
            if option not in self.options:
                raise NotOfferedError(f"`{option.text}` is an option of another decision")
            option = option.index
        if not isinstance(option, str | int):
            raise TypeError(f"expected an option, its text or its number, found {option!r}")
        number = self._number(option) if isinstance(option, str) else option
        if not 0 <= number < inside.count:
            raise NotOfferedError(
                f"expected an option from 0 to {inside.count - 1}, found {number}"
            )
        inside.choose_number(number)

    def _number(self, text: str) -> int:
        number = find_option(self.inside, text)
        if number is not None:
            return number
        wanted, texts = " ".join(text.split()), option_texts(self.inside)
        near = did_you_mean(wanted, texts)
        raise NotOfferedError(
            f"`{wanted}` is not among the {len(texts)} options of {self.to_move}{near}"
        )

    def force_draws(self, *pieces: str) -> None:
        """Fix the next draws to these pieces, by id, after those fixed before.

        Raises RulesetError for a piece that the game does not have. A piece that cannot be drawn at
        its turn is a RuleError of `choose`.
        """
        force_draws(self.inside, pieces)

    def fork(self) -> Match:
        """An independent copy of the match: choices in one do not affect the other."""
        return Match(self.inside.fork())

    def imagined(self, seed: int | str = 0) -> Match:
        """A fork as it may be for the player to move: everything hidden from them is different.

        The coming draws depend on the seed, and hidden pieces of other players are shuffled, so a
        program that tries choices in it does not look at the pieces that will be drawn.
        """
        from random import Random

        from tilewright.play.visibility import exchangeable, imagined

        hidden = exchangeable(self.inside)
        return Match(imagined(self.inside, Random(seed), hidden))

    def __copy__(self) -> Match:
        return self.fork()

    def play_out(self, *bots: str | Bot, seed: int | str = 0) -> None:
        """Play to the end, one bot for each seat, or one for all.

        Bots are names such as `greedy`, or functions from a match to the number of an option.
        Raises ValueError for an unknown bot or a wrong number of bots.
        """
        players = self.inside.players
        if len(bots) not in (1, len(players)):
            raise ValueError(f"expected one bot, or one for each of {len(players)} seats")
        seated = [
            bot_of(found, f"{seed}/{p}") if isinstance(found, str) else found
            for p, found in zip(
                players, bots if len(bots) > 1 else bots * len(players), strict=True
            )
        ]
        if all(bot == "random" for bot in bots):
            self._end = played_by_lot(self.inside, [f"{seed}/{p}" for p in players])
        while self._end is None and self.inside.to_move >= 0:
            self.choose(seated[self.inside.to_move](self))

    # --------------------------------------------------------------- the state

    @property
    def players(self) -> tuple[str, ...]:
        """The seats of those who play."""
        return tuple(seat_name(self._inside, player) for player in self._inside.players)

    @property
    def points(self) -> dict[str, int]:
        """The points of each seat."""
        points = self._inside.points if self._end is None else self._end.points
        return dict(zip(self.players, points, strict=True))

    @property
    def turn(self) -> int:
        """The number of turns begun."""
        return self.inside.turn

    @property
    def is_over(self) -> bool:
        """Whether the match has come to its end: everything is scored, or it has failed."""
        return self.inside.is_over

    @property
    def fault(self) -> RuleError | None:
        """The rule error that ended the match, or None."""
        return self.inside.failed

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats that have won, once the game is over; none when the match has failed."""
        if not self.is_over:
            return ()
        return tuple(seat_name(self.inside, player) for player in self.inside.winners())

    @property
    def digest(self) -> str:
        """The hash of the position, the same on every computer."""
        return self.inside.digest()

    @property
    def log(self) -> tuple[int, ...]:
        """Choices by their numbers, and draws as negative ones: with the seed the whole match."""
        return tuple(self.inside.log)

    @property
    def history(self) -> tuple[Move, ...]:
        """Every choice since the match began, with its events, found by playing it again."""
        return moves_of(self.inside)

    def state(self, player: str | None = None) -> State:
        """The state that everybody can see, or that one player can see, as JSON objects.

        Raises ValueError for a seat without a player.
        """
        if player is None:
            return public_view(self.inside)
        number = seat_number(self.inside, player)
        if number is None:
            raise ValueError(f"nobody plays at the seat `{player}`")
        return public_view(self.inside, number)

    def text(self, width: int = 80, language: str = "en") -> str:
        """The table, drawn in characters without colour."""
        from tilewright.view.board.text import scene_text
        from tilewright.view.board.view import scene_of

        return scene_text(scene_of(self.inside, language=language), width, False)

    def svg(self, size: int = 96, language: str = "en") -> str:
        """The table as an SVG picture; `size` is the width of a tile in pixels."""
        from tilewright.view.board.svg import scene_svg
        from tilewright.view.board.view import scene_of

        return scene_svg(scene_of(self.inside, language=language), size)

    def save(self) -> str:
        """The match as a text that `resume` reads (`docs/reference/match-file.md`).

        Raises ValueError when the match has failed, or is an imagined one.
        """
        from tilewright.play.replay import LogError
        from tilewright.tools.persistence.match_file import match_text

        if self.fault is not None:
            raise ValueError(f"a match that has failed cannot be saved: {self.fault}")
        try:
            return match_text(self.inside)
        except LogError as fault:
            raise ValueError(f"the match cannot be saved: {fault}") from None

    # ------------------------------------------------------------------- advice

    def hints(self, count: int = 3) -> tuple[HintedOption, ...]:
        """The best options of the decision at hand, the best first, as the greedy bot sees them.
        Trials have other chance than the match, so a hint never knows the next draw.
        """
        return hints_of(self.inside, count)

    def why_not(self, option: str, language: str = "en") -> tuple[Refusal, ...]:
        """The reasons why an option, written as options are, is not offered; none when it is."""
        return refusals_of(self.inside, option, language)

    # ------------------------------------------------------------------- the past

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Let a function hear of every event from here on. Forks are not listened to."""

        def forward(match: _Match, name: str, facts: tuple[Any, ...]) -> None:
            event = event_of(match, name, facts)
            if event is not None:
                listener(event)

        self.inside.listeners = (*self.inside.listeners, forward)

    def awards(self) -> tuple[ExplainedAward, ...]:
        """Every award since the match began, with the rules and statements it rests on."""
        return awards_of(self.inside)

    def __repr__(self) -> str:
        now = "over" if self.is_over else f"{self.to_move} at {self.step}"
        now = now if self.fault is None else "failed"
        return f"<match of {self.inside.program.game.id}, turn {self.turn}, {now}>"


Bot = Callable[[Match], int]


def bot_of(name: str, seed: int | str = 0) -> Bot:
    """A player that is a program, by its name. Raises ValueError when no bot is called so."""
    from tilewright.play.bots.named import bot_named

    found = bot_named(name, seed)
    return lambda match: found(match.inside)
