"""A match in words: its replay, its points with their reasons, and why an option is not offered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tilewright.faces.cli.exit_codes import PROBLEMS, USAGE, Stop
from tilewright.faces.cli.output import (
    bold,
    dim,
    fitting,
    print_fault,
    rows,
    say,
    say_json,
    wrapped,
)
from tilewright.faces.cli.views.score_sheet import print_score_sheet, print_turning_points
from tilewright.language.locale.words import Words, capital
from tilewright.language.source.diagnostics import did_you_mean
from tilewright.play.match import Match
from tilewright.play.notation import seat_name
from tilewright.play.replay import LogError, moments
from tilewright.tools.explanation.score_log import Award, Cited, Ledger, explained, gain_text
from tilewright.tools.explanation.score_sheet import played_match
from tilewright.tools.persistence.match_file import MatchFile, played
from tilewright.view.match_phrases import choice_words
from tilewright.view.places import seat_label

if TYPE_CHECKING:
    from tilewright.tools.explanation.legality import Reason

# ------------------------------------------------------------------ replay


def print_replay(
    file: MatchFile, start: Match, *, from_turn: int, is_quiet: bool, language: str = "en"
) -> Match:
    """Print a saved match choice by choice, and that its log is allowed; the match at its end.

    The whole log is played first, so nothing is printed of one that is refused.
    """
    words = Words(language)
    try:
        match = played(file, start)
    except LogError as fault:
        raise refused_log(file, fault) from fault
    if not is_quiet:
        _print_choices(start, match, from_turn, language)
        told = played_match(start, file.log, language)
        print_score_sheet(match, told.awards, language)
        print_turning_points(told.turns, language)
        say()
    points = points_text(match, language)
    entries = words.plural("replay.entries", len(file.log))
    turns = words.plural("replay.turns", match.turn)
    say(words("replay.is_allowed", entries=entries, turns=turns, points=points))
    return match


def points_text(match: Match, language: str) -> str:
    """The points of all players in one line."""
    return ", ".join(f"{seat_label(match, p, language)} {match.points[p]}" for p in match.players)


def _print_choices(start: Match, match: Match, from_turn: int, language: str) -> None:
    """Print the choices of a match since its start, with the points between them."""
    ledger, printed, turn = Ledger(language), 0, 0
    for moment in moments(start, match.log, listeners=(ledger,)):
        there = moment.match
        if there.turn >= from_turn:
            _print_awards(there, ledger, printed, language)
            if there.turn != turn:
                say(Words(language)("match.turn", number=there.turn))
            words_beside = beside(there, moment.option, moment.number, language)
            name = seat_label(there, moment.player, language)
            say(fitting(f"  {name}: {moment.option}", words_beside))
            turn = there.turn
        printed = len(ledger.awards)
    _print_awards(match, ledger, printed, language)


def refused_log(file: MatchFile, fault: LogError) -> Stop:
    """The exception for a log that the rules refuse; prints the rule in case of a fault."""
    if fault.cause is not None:
        print_fault(fault.cause)
    return Stop(PROBLEMS, f"{file.name}: {fault}")


def _print_awards(match: Match, ledger: Ledger, printed: int, language: str) -> None:
    for award in ledger.awards[printed:]:
        if award.points:
            say(f"  {gain_text(match, award, language)}")


def beside(match: Match, text: str, number: int, language: str) -> str:
    """The sentence of a choice, where it adds to its text."""
    text_in_words = choice_words(match, number, language)
    return "" if text.startswith(text_in_words) else dim(f"  {text_in_words}")


# ------------------------------------------------------------------ why, why not


def print_why(
    file: MatchFile,
    start: Match,
    player: str,
    turn: int | None,
    form: str,
    language: str = "en",
    *,
    is_full: bool = False,
) -> None:
    """Print the points of a saved match with their reasons; as text without empty awards."""
    seats = [seat_name(start, player) for player in start.players]
    if player and player not in seats:
        message = f"in this match {', '.join(seats)} play, not `{player}`"
        raise Stop(USAGE, message + did_you_mean(player, seats))
    ledger = Ledger(language)
    try:
        match = played(file, start, listeners=(ledger,))
    except LogError as fault:
        raise refused_log(file, fault) from fault
    awards = [
        award
        for award in ledger.awards
        if (not player or seats[award.player] == player) and turn in (None, award.turn)
    ]
    if form == "json":
        data = [award_data(match, award, language) for award in awards]
        say_json(data)
        return
    awards = [award for award in awards if not award.is_empty]
    notes = Footnotes()
    for award in awards:
        print_award(match, award, language, notes, is_full=is_full)
    notes.print()
    is_part = player or turn is not None
    if awards and not is_part:
        print_score_sheet(match, ledger.awards, language)
    if not awards:
        say(Words(language)("why.no_points_there" if is_part else "match.no_points"))


def award_data(match: Match, award: Award, language: str = "en") -> dict[str, Any]:
    """An award with its grounds."""
    found = explained(match.program, award, language)
    return {
        "player": seat_name(match, award.player),
        "points": award.points,
        "turn": award.turn,
        "step": award.step,
        "feature": award.feature,
        "rule": award.rule,
        "items": [
            {
                "name": part.item.name,
                "label": part.item.called(language),
                "points": part.item.points,
                "rule": part.item.rule,
                "file": part.grounds.place.file,
                "line": part.grounds.place.line,
                "counted": dict(part.item.facts),
                "changes": list(part.grounds.changes),
                "statements": [statement_data(statement) for statement in part.grounds.statements],
            }
            for part in found.items
        ],
    }


class Footnotes:
    """The statements of a page: numbers where they are used, their texts once at its end."""

    def __init__(self) -> None:
        self._numbers: dict[Cited, int] = {}

    def mark(self, statements: Iterable[Cited]) -> str:
        """The numbers of statements, such as ` [1, 2]`; empty for none."""
        found = [self._numbers.setdefault(s, len(self._numbers) + 1) for s in statements]
        return f" [{', '.join(map(str, found))}]" if found else ""

    def print(self) -> None:
        """Print the text of each statement beside its number."""
        if self._numbers:
            say()
        for statement, number in self._numbers.items():
            say(dim(wrapped(f"[{number}] {_statement_text(statement)}", 2, 6)))


def print_award(
    match: Match,
    award: Award,
    language: str = "en",
    notes: Footnotes | None = None,
    *,
    is_full: bool = False,
) -> None:
    """An award, item by item; statements as footnotes, or below their items without `notes`.

    Rules and what they counted are for authors: they are printed where everything is.
    """
    gain = gain_text(match, award, language, with_items=False)
    rule = f"  {dim(award.rule)}" if is_full else ""
    say(bold(f"{Words(language)('match.turn', number=award.turn)}: {gain}") + rule)
    for part in explained(match.program, award, language).items:
        item = part.item
        facts = ", ".join(f"{text} = {value}" for text, value in item.facts)
        by = part.grounds.named(language) + (f": {facts}" if facts else "") if is_full else ""
        marks = notes.mark(part.grounds.statements) if notes is not None else ""
        points = f"{item.points}".replace("-", "−")
        say(rows([(item.called(language), points, f"{by}{marks}".strip())]))
        for change in part.grounds.changes if is_full else ():
            say(wrapped(change, 4, 6))
        for statement in part.grounds.statements if notes is None else ():
            _print_statement(statement)


def print_why_not(
    match: Match,
    option: str,
    form: str,
    language: str = "en",
    *,
    at_prompt: bool = False,
    is_full: bool = False,
) -> None:
    """Print why an option is not offered.

    Raises `Stop` for a text that is not an option, unless it was typed at the prompt of a match.
    """
    from tilewright.tools.explanation.legality import why_not

    reasons = why_not(match, option, language)
    if reasons and all(reason.is_misread for reason in reasons) and not at_prompt:
        hint = "`tilewright play SAVE` lists the options"
        raise Stop(USAGE, "; ".join(f"`--not`: {reason.sentence}" for reason in reasons), hint)
    if form == "json":
        say_json([reason_data(reason) for reason in reasons])
        return
    if not reasons:
        say(Words(language)("match.is_offered", option=option))
    for reason in reasons:
        say(wrapped(capital(reason.sentence), 0, 2))
        written = f"{reason.condition}  {dim(reason.rule)}".strip() if is_full else ""
        if written:
            say(wrapped(written, 2, 4))
        for statement in reason.cites:
            _print_statement(statement)


def reason_data(reason: Reason) -> dict[str, Any]:
    """A reason against an option as data."""
    statements = [statement_data(statement) for statement in reason.statements]
    return {
        "rule": reason.rule,
        "says": reason.sentence,
        "condition": reason.condition,
        "statements": statements,
    }


def statement_data(statement: Cited) -> dict[str, str]:
    """A statement of the book as data."""
    return {
        "id": statement.id,
        "says": statement.says,
        "source": statement.source,
        "section": statement.section,
    }


def _print_statement(statement: Cited) -> None:
    say(dim(wrapped(_statement_text(statement), 4, 6)))


def _statement_text(statement: Cited) -> str:
    where = ", ".join(text for text in (statement.source, statement.section) if text)
    return " — ".join(filter(None, (statement.says, where)))
