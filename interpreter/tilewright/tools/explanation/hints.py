"""Hints: the best options of a decision as the greedy bot sees them, with what speaks for each.

A hint is what `greedy_bot` thinks: the lead if the game ended with this turn. Trials have other
chance and other hidden pieces than the match, so a hint never shows what will be drawn, or what
lies face down before others.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from tilewright.language.locale.words import Words
from tilewright.play.bots.base import option_values, play_ending, points_if_over
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.match_state import FINAL
from tilewright.play.notation import feature_text, read_segment
from tilewright.play.visibility import for_trials
from tilewright.tools.explanation.score_log import Award, Ledger
from tilewright.view.match_phrases import option_sentence
from tilewright.view.places import feature_label, seat_label

#: a hint lists so many changes of points
MAX_CHANGES = 3
#: for each hint so many options are looked at, since some have the same words
MAX_LOOKED_AT = 4


@dataclass(frozen=True, slots=True)
class Hint:
    """An option: its number, the lead it leaves, and the points that are given at once.

    `follow` is the number of the best option of the decision that follows, where the same player
    has it in the same turn; `trial` is the match at that decision.
    """

    index: int
    lead: int
    awards: tuple[Award, ...]
    follow: int | None
    trial: Match
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """How many points more a place brings a player, at once and at the end, than without the
    option; `what` is the place or the item in words."""

    player: int
    points: int
    what: str


@dataclass(frozen=True, slots=True)
class Worth:
    """The points of an option for its player: at once, and if the game ended with it, both beside
    doing nothing. Where a player must choose, the second is beside the position before.
    """

    now: int
    end: int


def best_options(match: Match, language: str = "", count: int = 3) -> list[Hint]:
    """The best options of the decision at hand, the best first; the first is the greedy bot's.

    In a language, those with the same words are there once.
    """
    if match.to_move < 0:
        return []
    values = option_values(match)
    order = sorted(range(len(values)), key=lambda k: (-values[k], k))
    before = _if_over(for_trials(match), (), language)
    found = dict[tuple[str, ...], Hint]()
    for number in order[: count * MAX_LOOKED_AT]:
        hint = _hint(match, number, values[number], before, language)
        said: tuple[str, ...] = (str(number),)
        if language:
            said = (option_sentence(match, number, language), *reasons(match, hint, language))
        found.setdefault(said, hint)
        if len(found) == count:
            break
    return list(found.values())


def _hint(match: Match, number: int, lead: int, before: Totals, language: str) -> Hint:
    trial, ledger = for_trials(match), Ledger(language)
    trial.listeners = (ledger,)
    with suppress(RuleError):
        trial.choose_number(number)
    trial.listeners = ()
    follow = None
    if trial.to_move == match.to_move and trial.turn == match.turn:
        values = option_values(trial, 2)
        follow = values.index(max(values))
    awards, end = tuple(ledger.awards), trial.fork()
    if follow is not None:
        end.listeners = (ledger,)
        with suppress(RuleError):
            end.choose_number(follow)
    before = _grown(before, end, language)
    after = _if_over(end, ledger.awards, language)
    changes = [
        Change(key[0], points, what)
        for key, (gained, what) in (before | after).items()
        if (points := (gained if key in after else 0) - before.get(key, (0, ""))[0])
    ]
    changes.sort(key=lambda change: -abs(change.points))
    return Hint(number, lead, awards, follow, trial, tuple(changes))


#: by player, place and rule: the points, and the place or the item in words
Totals = dict[tuple[int, str, str], tuple[int, str]]


def _grown(before: Totals, match: Match, language: str) -> Totals:
    """Points of a position by the features of a later one: of two that were joined, together."""
    found: Totals = {}
    for (player, feature, rule), (points, what) in before.items():
        segment = read_segment(match, feature.rpartition(" ")[2]) if feature else None
        if segment is not None:
            root = match.board.tile_features[segment >> 5][segment & 31]
            feature = feature_text(match, root)
            what = feature_label(match, root, language) if language else what
        key = (player, feature, rule)
        found[key] = found.get(key, (0, ""))[0] + points, what
    return found


def _if_over(match: Match, given: Sequence[Award], language: str) -> Totals:
    """The points that were given and those of the end, if the game ended here."""
    ledger = Ledger(language)
    match.listeners = (ledger,)
    with suppress(RuleError):
        if match.phase < FINAL:
            play_ending(match)
    match.listeners = ()
    found: Totals = {}
    for award in (*given, *ledger.awards):
        key = (award.player, award.feature, "" if award.feature else award.rule)
        named = award.place or award.items[0].called(language)
        found[key] = found.get(key, (0, ""))[0] + award.points, named
    return found


def reasons(match: Match, hint: Hint, language: str) -> list[str]:
    """The reasons for an option: the points it changes most, or that it changes none and the lead
    that it leaves; and the option that comes after it."""
    words = Words(language)
    found = [
        words("match.change", player=seat_label(match, each.player, language),
              points=f"{each.points:+}".replace("-", "−"), what=each.what)
        for each in hint.changes[:MAX_CHANGES]
    ]  # fmt: skip
    if not found:
        ahead = "studio.table_lead" if hint.lead > 0 else "studio.table_behind"
        key = ahead if hint.lead else "studio.table_level"
        lead = words(key, points=abs(hint.lead))
        found.append(words("studio.table_no_change", lead=lead))
    if hint.follow is not None:
        follow = option_sentence(hint.trial, hint.follow, language)
        found.append(words("studio.table_then", what=follow))
    return found


def worth_of_options(match: Match) -> list[Worth]:
    """The worth of each option of the decision at hand to the player who decides."""
    player = match.to_move
    if player < 0:
        return []
    source = for_trials(match)
    before = match.points[player]
    nothing = source.fork()
    if match.optional:
        with suppress(RuleError):
            nothing.choose_number(match.count - 1)
    base = points_if_over(nothing)[player]
    found = []
    for number in range(match.count):
        trial = source.fork()
        with suppress(RuleError):
            trial.choose_number(number)
        now = trial.points[player] - before
        found.append(Worth(now, points_if_over(trial)[player] - base))
    return found
