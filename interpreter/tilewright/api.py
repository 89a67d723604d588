"""What a program of your own uses: `import tilewright as tw`, and then `tw.load`, `tw.match` ...

A small and stable front of what the package does inside. A `Match` here speaks in texts for people
and in numbers for programs: options are the lines that scenarios, saves and the command line use,
and choosing is by such a line or by its number. Nothing is printed; what goes wrong is one of the
exceptions below, told in words for people. `match.inside` is the bare match for whoever is in a
hurry; how that one looks may change from version to version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from tilewright.linking.link import link as _link
from tilewright.linking.select import Selection
from tilewright.reading.library import Library
from tilewright.runtime.kernel import RuleError as RuleError
from tilewright.runtime.match import Match as _Match
from tilewright.runtime.notation import option_texts, seat_name
from tilewright.runtime.program import Program
from tilewright.runtime.start import start_match
from tilewright.source.diagnostics import Diagnostic, Reporter, Severity, did_you_mean
from tilewright.tools.load import load_selection

Folder = str | PathLike[str]


class RulesetError(ValueError):
    """Rulesets that cannot be read, or do not go together; `diagnostics` has every complaint."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [d for d in self.diagnostics if d.severity is Severity.ERROR]
        super().__init__(
            "\n".join(f"{d.span}: {d.message}" if d.span.line else d.message for d in errors)
        )


class NotOfferedError(ValueError):
    """A choice that is not among the options, or a match that asks nobody any more."""


class Rules:
    """The rulesets of a game and its options, read and not yet linked."""

    __slots__ = ("_selection",)

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    @property
    def id(self) -> str:
        """What was asked for, in its shortest form."""
        return self._selection.id

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The ids of all rulesets that take part, what others build on first."""
        return tuple(ruleset.id for ruleset in self._selection.rulesets)

    @property
    def options(self) -> dict[str, str]:
        """Every option that the rulesets declare, with what it is set to."""
        return dict(self._selection.options)

    def __repr__(self) -> str:
        return f"<rules {self.id}>"


class Game:
    """Rules linked into one game, ready to be played any number of times."""

    __slots__ = ("program",)

    def __init__(self, program: Program) -> None:
        self.program = program

    @property
    def id(self) -> str:
        """The rulesets, and the options that differ from their defaults."""
        return self.program.game.id

    @property
    def hash(self) -> str:
        """What the rules say, as a number: two games with the same hash play the same."""
        return self.program.game.hash

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats at the table, in the order in which they are taken."""
        return tuple(seat.id for seat in self.program.game.seats)

    @property
    def players(self) -> range:
        """How many can play."""
        return self.program.game.players

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of a turn, in their order."""
        return tuple(step.declaration.id for step in self.program.game.phase("turn"))

    def __repr__(self) -> str:
        return f"<game {self.id}>"


class Match:
    """One play of a game: what may be done, do it, what is so, what happened."""

    __slots__ = ("inside",)

    def __init__(self, inside: _Match) -> None:
        self.inside = inside

    # -------------------------------------------------------------- what may be done

    @property
    def asked(self) -> str | None:
        """The seat of whoever must choose now, nobody when the game is over."""
        inside = self.inside
        return None if inside.asked < 0 else seat_name(inside, inside.asked)

    @property
    def asked_number(self) -> int:
        """The number of whoever must choose now, from zero; -1 when the game is over."""
        return self.inside.asked

    @property
    def step(self) -> str:
        """The step of the turn at which the match stands."""
        return self.inside.step

    @property
    def options(self) -> tuple[str, ...]:
        """One line for each thing that may be done now; a pass, where there is one, is the last."""
        return tuple(option_texts(self.inside))

    @property
    def count(self) -> int:
        """How many options there are: quicker than their texts."""
        return self.inside.count if self.inside.asked >= 0 else 0

    # -------------------------------------------------------------- do it

    def choose(self, option: str | int) -> None:
        """Take an option, by its line or by its number from zero.

        Raises NotOfferedError when there is no such option, and RuleError when a rule cannot be
        carried out; then the match has failed: it `is_over`, and `fault` says why.
        """
        inside = self.inside
        if inside.failed is not None:
            raise NotOfferedError(f"the match has failed, and nobody can go on: {inside.failed}")
        if inside.asked < 0:
            raise NotOfferedError("the game is over, and nothing is left to choose")
        number = self._number(option) if isinstance(option, str) else option
        if not 0 <= number < inside.count:
            raise NotOfferedError(
                f"expected an option from 0 to {inside.count - 1}, found {number}"
            )
        inside.choose_number(number)

    def _number(self, text: str) -> int:
        wanted = " ".join(text.split())
        texts = self.options
        if wanted in texts:
            return texts.index(wanted)
        near = did_you_mean(wanted, texts)
        raise NotOfferedError(
            f"`{wanted}` is not among the {len(texts)} options of {self.asked}{near}"
        )

    def fork(self) -> Match:
        """A match of its own that goes on from here: what is chosen in one is not in the other."""
        return Match(self.inside.fork())

    def play_out(self, *bots: str | Bot, seed: int | str = 0) -> None:
        """Play to the end, one bot for each seat, or one for all.

        Bots are names such as `greedy`, or functions from a match to the number of an option.
        Raises ValueError when there is no such bot, or not one for each seat.
        """
        players = self.inside.players
        if len(bots) not in (1, len(players)):
            raise ValueError(f"expected one bot, or one for each of {len(players)} seats")
        seated = [
            bot(found, f"{seed}/{p}") if isinstance(found, str) else found
            for p, found in zip(
                players, bots if len(bots) > 1 else bots * len(players), strict=True
            )
        ]
        while self.inside.asked >= 0:
            self.choose(seated[self.inside.asked](self))

    # -------------------------------------------------------------- what is so

    @property
    def players(self) -> tuple[str, ...]:
        """The seats of those who play."""
        return tuple(seat_name(self.inside, player) for player in self.inside.players)

    @property
    def points(self) -> dict[str, int]:
        """The points of each seat."""
        return dict(zip(self.players, self.inside.points, strict=True))

    @property
    def turn(self) -> int:
        """How many turns have begun."""
        return self.inside.turn

    @property
    def is_over(self) -> bool:
        """Whether the match has come to its end: everything is scored, or it has failed."""
        return self.inside.is_over

    @property
    def fault(self) -> RuleError | None:
        """Why the match has failed, where a rule could not be carried out; nothing else."""
        return self.inside.failed

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats that have won, once the game is over; none when the match has failed."""
        if not self.is_over:
            return ()
        return tuple(seat_name(self.inside, player) for player in self.inside.winners())

    @property
    def digest(self) -> str:
        """The hash of the position, the same on every machine."""
        return self.inside.digest()

    @property
    def log(self) -> tuple[int, ...]:
        """Choices by their numbers, and draws as negative ones: with the seed the whole match."""
        return tuple(self.inside.log)

    def state(self) -> dict[str, Any]:
        """What everybody at the table can see, as JSON objects."""
        from tilewright.tools.public import public_view

        return public_view(self.inside)

    def text(self, width: int = 80, language: str = "en") -> str:
        """The table, drawn in characters without colour."""
        from tilewright.render.text import scene_text
        from tilewright.render.view import scene_of

        return scene_text(scene_of(self.inside, language=language, by_owner=True), width, False)

    def svg(self, size: int = 96, language: str = "en") -> str:
        """The table as an SVG picture, a tile so many pixels wide."""
        from tilewright.render.svg import scene_svg
        from tilewright.render.view import scene_of

        return scene_svg(scene_of(self.inside, language=language), size)

    def save(self) -> str:
        """The match as a text that `resume` reads. Raises ValueError when the match has failed."""
        from tilewright.tools.saves import save_text

        if self.fault is not None:
            raise ValueError(f"a match that has failed cannot be saved: {self.fault}")

        return save_text(self.inside)

    # -------------------------------------------------------------- what happened

    def listen(self, listener: Callable[[str, tuple[Any, ...]], None]) -> None:
        """Let a function hear of every event from here on: its name and its facts.

        Forks are not listened to.
        """

        def heard(_: _Match, event: str, facts: tuple[Any, ...]) -> None:
            listener(event, facts)

        self.inside.listeners = (*self.inside.listeners, heard)

    def __repr__(self) -> str:
        now = "over" if self.is_over else f"{self.asked} at {self.step}"
        now = now if self.fault is None else "failed"
        return f"<match of {self.inside.program.game.id}, turn {self.turn}, {now}>"


Bot = Callable[[Match], int]


def load(
    game: str, options: Mapping[str, str] | None = None, folders: Iterable[Folder] = ()
) -> Rules:
    """Read the rulesets of a game, such as `c2/base` or `c2/base+my/rule?option=value`.

    `folders` are looked through for rulesets besides those that come with the package. Raises
    RulesetError when one cannot be read or is not there.
    """
    reporter = Reporter()
    library = Library([Path(folder) for folder in folders])
    selection = load_selection(game, options or {}, library, reporter)
    if selection is None or reporter.has_errors:
        raise RulesetError(reporter.diagnostics)
    return Rules(selection)


def link(rules: Rules | str) -> Game:
    """Link and compile rules; a text is loaded first.

    Raises RulesetError when they do not go together.
    """
    found = load(rules) if isinstance(rules, str) else rules
    reporter = Reporter()
    linked = _link(found._selection, reporter)
    if linked is None:
        raise RulesetError(reporter.diagnostics)
    return Game(Program(linked))


def match(game: Game | Rules | str, players: int = 2, seed: int | str = 0) -> Match:
    """A new match at its first decision. The same seed draws the same pieces.

    Raises ValueError when the game is not for so many players.
    """
    found = game if isinstance(game, Game) else link(game)
    return Match(start_match(found.program, players, seed))


def resume(text: str, folders: Iterable[Folder] = ()) -> Match:
    """The match that `Match.save` wrote. Raises RulesetError when it cannot go on."""
    from tilewright.tools.load import load_program
    from tilewright.tools.saves import load_match

    library = Library([Path(folder) for folder in folders])
    reporter = Reporter()
    found = load_match(text, lambda game, asked: load_program(game, asked, library), reporter)
    if found is None:
        raise RulesetError(reporter.diagnostics)
    return Match(found)


def bot(name: str, seed: int | str = 0) -> Bot:
    """A player that is a program: `random`, `greedy`, `mcts`, `mcts:200` or `mcts:2s`.

    Raises ValueError when no bot is called so.
    """
    from tilewright.tools.bots import bot_named

    found = bot_named(name, seed)
    return lambda match: found(match.inside)


def simulate(
    *games: str,
    count: int = 1000,
    players: int = 2,
    bots: Sequence[str] = ("random",),
    seeds: Sequence[str] = ("1",),
    until: float | None = None,
    jobs: int = 1,
    folders: Iterable[Folder] = (),
) -> dict[str, Any]:
    """Play each game so many times with the same luck: what came of it, as plain data.

    One bot sits everywhere, one seed is for all games. With `until` it stops when the points of a
    player, and the differences from the first game, are known to plus or minus so much. The answer
    does not depend on `jobs`. Raises RulesetError, or ValueError when numbers do not go together.
    """
    from tilewright.tools.findings import as_data, findings, words_of
    from tilewright.tools.simulate import Bench, Plan, make_plan
    from tilewright.tools.simulate import simulate as played

    library = Library([Path(folder) for folder in folders])
    plan = make_plan(
        library,
        games,
        players=players,
        bots=tuple(bots),
        seeds=tuple(seeds),
        count=count,
        until=until,
    )
    if not isinstance(plan, Plan):
        raise RulesetError(plan)
    bench = Bench(plan, library)
    bench.prepare()
    found = played(bench, jobs=jobs)
    return as_data(findings(found, words_of([program.game for program in bench.programs])))
