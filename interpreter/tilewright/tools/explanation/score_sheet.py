"""The score sheet of a match: the points of each player by source, and the turns that decided.

A source is a kind of feature, or the ruleset whose rule gave points for no feature; its lines are
the items of the awards. Nothing is counted again, so the sheet adds up to the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tilewright.language.locale.words import Words, capital
from tilewright.play.bots.base import ahead_now, points_if_over
from tilewright.play.match import Match
from tilewright.play.match_state import FINAL
from tilewright.play.replay import Log, moments, replayed
from tilewright.play.visibility import for_trials
from tilewright.tools.explanation.rule_parts import rule_of
from tilewright.tools.explanation.score_log import Award, Ledger, gain_text
from tilewright.view.match_phrases import choice_words
from tilewright.view.places import seat_label

#: by player
Points = Sequence[int]

#: so many turns are named, and for each of them so many choices and awards
MAX_TURNS = 5
MAX_CHOICES = 3
MAX_AWARDS = 2


@dataclass(frozen=True, slots=True)
class Line:
    """Points by player, under a name."""

    label: str
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Source(Line):
    """A source of points; its lines, if it has any, add up to it."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of a match: the positions before and after it, its choices in words, its awards."""

    number: int
    player: int
    before: Match
    after: Match
    choices: tuple[str, ...]
    awards: tuple[Award, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that changed the lead, or the result if the game had ended, more than others.

    `lead` is the change in a sentence, `reasons` are the choices and points of the turn.
    """

    turn: PlayedTurn
    lead: str
    reasons: tuple[str, ...]


def score_sheet(match: Match, awards: Sequence[Award], language: str) -> tuple[Source, ...]:
    """The points of a match by source; they add up to the score of each player.

    `awards` are all those of the match. Points that a player had before them are a source too.
    """
    game, nobody = match.program.game, (0,) * len(match.players)
    labels = {kind.id: capital(kind.label.get(language) or kind.id) for kind in game.features}
    labels |= {each.id: each.module.title.get(language) or each.id for each in game.rulesets}
    found: dict[str, dict[str, tuple[int, ...]]] = {id_: {} for id_ in labels}
    for award in awards:
        by = None if award.kind else rule_of(game, award.rule)
        lines = found[award.kind or (by.ruleset if by is not None else game.rulesets[0].id)]
        for item in award.items:
            label = item.called(language)
            lines[label] = _more(lines.get(label, nobody), award.player, item.points)
    kinds = {kind.id for kind in game.features}
    sources = [
        Source(labels[id_], _sum(lines.values()), _lines(lines, 2 if id_ in kinds else 1))
        for id_, lines in found.items()
        if any(map(any, lines.values()))
    ]
    given = _sum(source.points for source in sources) or nobody
    before = tuple(has - got for has, got in zip(match.points, given, strict=True))
    if any(before):
        sources.insert(0, Source(Words(language)("sheet.before"), before, ()))
    return tuple(sources)


def _more(points: Sequence[int], player: int, more: int) -> tuple[int, ...]:
    return tuple(each + more * (number == player) for number, each in enumerate(points))


def _sum(rows: Iterable[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def _lines(found: Mapping[str, tuple[int, ...]], least: int) -> tuple[Line, ...]:
    """The lines with points; none where there are fewer than `least`."""
    lines = tuple(Line(label, points) for label, points in found.items() if any(points))
    return lines if len(lines) >= least else ()


# ------------------------------------------------------------------ turning points


def turning_points(turns: Sequence[PlayedTurn], language: str) -> list[TurningPoint]:
    """The turns that changed most, in the order of play: in the lead, or in the result if the game
    had ended there. The last turn counts without the final scoring that follows it.
    """
    if not turns or len(turns[0].before.players) < 2:
        return []
    standings = [_if_over(turn.before) for turn in turns]
    standings.append(_if_over(turns[-1].after))
    found: list[tuple[int, PlayedTurn, str, Points, Points]] = []
    for turn, before, after in zip(turns, standings[:-1], standings[1:], strict=True):
        changes = [("sheet.if_over", before, after)]
        if turn.after.phase < FINAL:
            changes.append(("sheet.lead", turn.before.points, turn.after.points))
        size, key, old, new = max(
            ((_change(old, new), key, old, new) for key, old, new in changes),
            key=lambda change: change[0],
        )
        if size:
            found.append((size, turn, key, old, new))
    greatest = sorted(found, key=lambda each: -each[0])[:MAX_TURNS]
    return [
        TurningPoint(turn, _lead(turn.after, key, old, new, language), _reasons(turn, language))
        for _, turn, key, old, new in sorted(greatest, key=lambda each: each[1].number)
    ]


def _if_over(match: Match) -> list[int]:
    return points_if_over(for_trials(match))


def _change(before: Points, after: Points) -> int:
    """The greatest change of a player's lead."""
    pairs = zip(ahead_now(before), ahead_now(after), strict=True)
    return max(abs(new - old) for old, new in pairs)


def turn_label(turn: PlayedTurn, language: str) -> str:
    """A turn by its number and its player."""
    player = seat_label(turn.after, turn.player, language)
    return Words(language).sentence("sheet.turn", number=turn.number, player=player)


def _lead(match: Match, key: str, before: Points, after: Points, language: str) -> str:
    old, new = (_ahead(match, points, language) for points in (before, after))
    return Words(language)(key, before=old, after=new)


def _reasons(turn: PlayedTurn, language: str) -> tuple[str, ...]:
    greatest = sorted(turn.awards, key=lambda award: -abs(award.points))[:MAX_AWARDS]
    gains = (gain_text(turn.after, award, language) for award in greatest if award.points)
    choices = turn.choices
    if len(choices) > MAX_CHOICES:  # the last one decides how far a long move went
        choices = (*choices[: MAX_CHOICES - 1], "…", choices[-1])
    return (*choices, *gains)


def _ahead(match: Match, points: Points, language: str) -> str:
    """The player who is ahead with these points, and by how many."""
    ahead, words = ahead_now(points), Words(language)
    most = max(ahead)
    if most <= 0:
        return words("sheet.nobody")
    player = seat_label(match, ahead.index(most), language)
    return words.plural("sheet.ahead", most, player=player)


# ------------------------------------------------------------------ a match from its log


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match at the end of its log, with its awards and its turns."""

    match: Match
    awards: tuple[Award, ...]
    turns: tuple[PlayedTurn, ...]


def played_match(start: Match, log: Log, language: str) -> PlayedMatch:
    """A match played from its start by its log, as the score sheet reads it. Raises LogError."""
    ledger, choices = Ledger(language), list[tuple[int, Match, str]]()
    found, before = replayed(start, log, 0), None
    for moment in moments(start, log, listeners=(ledger,)):
        found = moment.match
        if before is None or before.turn != found.turn:
            before = found.fork()
        choices.append((moment.player, before, choice_words(found, moment.number, language)))
    return PlayedMatch(found, tuple(ledger.awards), turns_of(choices, found, ledger.awards))


def turns_of(
    choices: Iterable[tuple[int, Match, str]], end: Match, awards: Sequence[Award]
) -> tuple[PlayedTurn, ...]:
    """The turns of a match that leads to `end`.

    `choices` are all of them: the player, a position at or before the choice in the same turn, and
    the choice in words.
    """
    turns = [[*each] for _, each in groupby(choices, key=lambda choice: choice[1].turn)]
    ends = [*(each[0][1] for each in turns[1:]), end][: len(turns)]
    return tuple(
        PlayedTurn(
            before.turn, player, before, after, tuple(text for _, _, text in made),
            tuple(award for award in awards if award.turn == before.turn),
        )
        for made, after in zip(turns, ends, strict=True)
        for player, before, _ in made[:1]
    )  # fmt: skip
