"""A match and its players: choices, events in words, undo, saves. It neither draws nor reads.

This module knows no rules: options, their texts and reasons come from the engine and the tools.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tilewright.faces.cli.exit_codes import Stop
from tilewright.faces.cli.output import mention
from tilewright.language.locale.words import Words
from tilewright.language.types import NUMBER
from tilewright.play.board.board import xy_of
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.replay import Script
from tilewright.play.visibility import FaceDown, held_face_down, unnamed
from tilewright.tools.explanation.score_log import Ledger, gain_text
from tilewright.view.board.view import placement_cells
from tilewright.view.match_phrases import Chosen, Tokens, choice_words, event_words, tokens_words
from tilewright.view.places import seat_label

Chooser = Callable[[Match], int]

#: instead of a stack and the piece drawn from it
NO_DRAW = (-1, -1)

#: events after which the board looks different
_VISIBLE = (
    "turn",
    "draw",
    "lay",
    "move",
    "home",
    "attach",
    "hand",
    "face",
    "beside",
    "join",
    "part",
    "recast",
    "cover",
    "lift",
    "rotate",
    "swap",
    "replace",
    "hide",
    "reveal",
    "conceal",
    "exchange",
)


class Session:
    """One match and its players; `bots` has None at the seats of people.

    `script` has the log of the match in lines. `notice` is called with each event in words, and
    with whether it begins a part of the match.
    """

    def __init__(
        self,
        match: Match,
        bots: Sequence[Chooser | None],
        *,
        ledger: Ledger,
        script: Script,
        save: Path | None = None,
        language: str = "en",
        who: Sequence[str] = (),
    ) -> None:
        self.match = match
        self.bots = bots
        self.ledger = ledger
        self.script = script
        self.notice: Callable[[str, bool], None] = _ignore
        self.save = save
        self.language = language
        self.who = tuple(who)
        self.words = Words(language)
        #: a message about the save, for the end of a run in which a rule has failed
        self.saved_note = ""
        self.past: list[tuple[Match, int]] = []
        #: whether the board looks as it did when this was last set
        self.is_drawn = False
        self.reported_awards = len(ledger.awards)
        #: the choice that is being carried out, until something happens
        self._chosen: Chosen | None = None
        #: the latest tokens that somebody got or spent, which are one notice
        self._tokens: Tokens | None = None
        #: reports that follow the choice that is being carried out, at first those of the
        #: beginning of the match, each with its draw or NO_DRAW
        self._waiting: list[tuple[str, bool, tuple[int, int]]] | None = []
        self._listen()

    def _listen(self) -> None:
        del self.script.lines[len(self.match.log) :]
        self.match.listeners = (self.script, self.ledger, self._on_event)

    # -------------------------------------------------------------- events

    def name(self, player: int) -> str:
        """A player in words."""
        return seat_label(self.match, player, self.language)

    def bot(self) -> Chooser | None:
        """The bot that has to choose; None when a person has to, or nobody."""
        return self.bots[self.match.to_move] if self.match.to_move >= 0 else None

    def apply(self, number: int) -> None:
        """Carry out an option; the match before it is saved if a rule fails."""
        match = self.match
        text = choice_words(match, number, self.language)
        who, unseen = self.name(match.to_move), FaceDown(match, number)
        before = match.fork() if self.save is not None else None
        self._waiting, self._chosen = [], Chosen.of(match, number)
        try:
            match.choose_number(number)
        except RuleError:
            if before is not None:
                self.match = before
                self._listen()
                self.write()
                self.saved_note = self.words("play.saved_before", file=self.save)
            raise
        finally:
            stays_unseen, came = unseen.compare(match)
            if stays_unseen:
                text = self.words("match.face_down")
            self.notice(f"{who}: {text}", False)
            self._report_effects(came)
        self.report_awards()

    def report_beginning(self) -> None:
        """Report how the first turn began, if the match began in this session."""
        self.report_awards()
        self._report_effects(held_face_down(self.match))

    def _say(self, text: str, is_heading: bool, drawn: tuple[int, int] = NO_DRAW) -> None:
        """Report something, after the choice if one is being carried out."""
        if self._waiting is None:
            self.notice(text, is_heading)
        else:
            self._waiting.append((text, is_heading, drawn))

    def _report_effects(self, unseen: set[int]) -> None:
        """Report the effects of a choice without names of pieces that players hold unseen."""
        waiting, self._waiting = self._waiting or [], None
        covered = self.words("match.drawn", tile=self.words("match.face_down"))
        is_unseen = unnamed([drawn for _, _, drawn in waiting], unseen)
        for (text, is_heading, _), hidden in zip(waiting, is_unseen, strict=True):
            self.notice(covered if hidden else text, is_heading)

    def choose(self, number: int) -> None:
        """Carry out the option of a person, which can be taken back, and save the match."""
        self.past.append((self.match.fork(), len(self.ledger.awards)))
        self.apply(number)
        self.write()

    def _report_tokens(self, tokens: Tokens | None = None) -> None:
        """Report tokens of a kind once, however many they are, when something else comes."""
        before = self._tokens
        more = before.and_then(tokens) if before is not None and tokens is not None else None
        if before is not None and more is None:
            self._say(tokens_words(self.match, before, self.language), False)
        self._tokens = more or tokens

    def _on_event(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        language = self.language
        if event == "choice":
            return
        chosen, self._chosen = self._chosen, None
        is_told = chosen is not None and chosen.is_told_by(match, event, facts)
        if event in ("give", "spend"):
            self._report_tokens(Tokens(event, *facts))
            return
        said = event_words(match, event, facts, language)
        self._report_tokens()
        if event == "turn":
            self.report_awards()
        if event == "draw":
            self._say(said, False, (facts[0], facts[1]))
        elif said and not is_told and event not in ("over", "lay", "move", "face"):
            self._say(said, event in ("turn", "final"))
        if event in _VISIBLE:
            self.is_drawn = False

    def report_awards(self) -> None:
        """Report the points given since the last report."""
        self._report_tokens()
        for award in self.ledger.awards[self.reported_awards :]:
            if award.points:
                self._say(gain_text(self.match, award, self.language), False)
        self.reported_awards = len(self.ledger.awards)

    # -------------------------------------------------------------- undo and saves

    def undo(self) -> str:
        """Take back the latest choice of a person; the reason where that is impossible."""
        if not self.past:
            return self._undo_by_log()
        self.match, awards = self.past.pop()
        del self.ledger.awards[awards:]
        self.reported_awards = awards
        self._listen()
        self.is_drawn = False
        return ""

    def _undo_by_log(self) -> str:
        """Take back a choice from before this session by replaying the log."""
        from tilewright.play.replay import LogError, undone

        people = [player for player, bot in enumerate(self.bots) if bot is None]
        try:
            earlier = [m for m in (undone(self.match, p) for p in people) if m is not None]
        except LogError as fault:
            return self.words("play.not_taken_back", why=fault)
        if not earlier:
            return self.words("play.nothing_to_undo")
        self.match = max(earlier, key=lambda match: len(match.log))
        self.ledger.awards.clear()
        self.reported_awards = 0
        self._listen()
        self.is_drawn = False
        return ""

    def write(self) -> None:
        """Write the match to the file of `--save`, if there is one; raises `Stop` on failure."""
        if self.save is not None:
            from tilewright.faces.cli.saves import write_save

            write_save(self.match, self.save, self.who, self.script.lines)

    def saved_to(self, text: str) -> str:
        """Write the match to a file, or to that of `--save`; the outcome in words."""
        from tilewright.faces.cli.saves import write_save
        from tilewright.faces.cli.written_files import refuse_other_kind

        target = Path(text) if text else self.save
        if target is None:
            return self.words("play.expected_file")
        try:
            refuse_other_kind(target, "match")
            write_save(self.match, target, self.who, self.script.lines)
        except Stop as stop:
            return str(stop.message)
        return self.words("play.saved", file=target)

    def leave(self) -> None:
        """Save the match, and print how to continue it."""
        self.write()
        mention(f"{self.words('match.not_over')}; {self.how_to_continue()}")

    def how_to_continue(self) -> str:
        """The command that continues the match, or the option that would have saved it."""
        if self.save is None:
            return self.words("play.how_to_save")
        return self.words("play.continues", file=self.save)

    def winners(self) -> str:
        """The winners in words."""
        names = [self.name(player) for player in self.match.winners()]
        return self.words.plural("match.wins", len(names), players=self.words.listed(names))


def _ignore(text: str, is_heading: bool) -> None:
    """Report nothing."""


def placements(match: Match) -> list[tuple[int, list[int]]]:
    """The open cells from north to south, each with the numbers of its options from 1."""
    cells = placement_cells(match)
    return sorted(cells.items(), key=lambda pair: (-xy_of(pair[0])[1], xy_of(pair[0])[0]))


def chooses_number(match: Match) -> bool:
    """Whether the player at the decision chooses a number."""
    site = match.program.sites[match.decision_site]
    return not site.actions and site.type == NUMBER


def option_numbers(match: Match) -> range:
    """The numbers of the options: from 1, or the numbers that a player chooses from.

    A pass among numbers has none, so that no number means something else.
    """
    if not chooses_number(match):
        return range(1, match.count + 1)
    values = match.values()
    return range(values[0], values[-1] + 1)


def shown_number(numbers: range, option: int) -> str:
    """The number of an option, counted from 0, for people; a dash for a pass among numbers."""
    return str(numbers[option]) if option < len(numbers) else "-"


def is_number(text: str) -> bool:
    """Whether a person has typed a number."""
    return text.removeprefix("-").isdecimal()


def option_of(numbers: range, text: str) -> int | None:
    """The option with a number that was typed; None where there is none."""
    number = int(text[:9])
    return numbers.index(number) if number in numbers else None


def direction_text(match: Match, number: int, words: Words) -> str:
    """The side to which the tile's north points in a placement: `E` or `E turned over`."""
    face, north = match.board.shapes.spelled(match.piece, match.values()[number][1])
    return north + (f" {words('match.turned_over')}" if face else "")
