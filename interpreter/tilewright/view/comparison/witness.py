"""A witness in words: its play, and the result on each side.

Only sentences of the program are here; texts of scenarios, rules and statements are quoted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tilewright.language.locale.words import Words
from tilewright.language.source.text import words_of
from tilewright.view.results.divergence import (
    Ending,
    Kind,
    SearchEffort,
    Witness,
    Witnesses,
)

#: maximum number of options listed
_MAX = 6


def ending_lines(
    witness: Witness, side: int, language: str = "en", wording: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The result of a witness on a side (0 or 1), a sentence for each difference.

    `wording` has players, places, tiles, options, steps, points (`gain_key`) and reasons
    (`barred_key`) in words; others are shown in the notation.
    """
    words, spoken = Words(language), wording or {}
    mine, theirs = witness.sides[side], witness.sides[1 - side]
    if mine.refusal:
        yield words("witness.refused", why=mine.refusal)
        return
    for gain in mine.gains:
        told = spoken.get(gain_key(gain.player, gain.reason, gain.feature))
        if told:
            yield told
            continue
        key = "witness.loses" if gain.points < 0 else "witness.gains"
        reason = gain.reason.replace("-", "") if gain.points < 0 else gain.reason
        text = words(key, player=spoken.get(gain.player, gain.player), points=reason)
        place = spoken.get(gain.feature, gain.feature)
        yield words("witness.for", what=text, place=place) if place else text
    if theirs.gains and not mine.gains:
        yield words("witness.gains_none")
    for name, place in mine.places:
        yield _place(spoken.get(name, name), place, words, spoken)
    yield from (words("witness.lies", tile=spoken.get(tile, tile)) for tile in mine.tiles)
    for name, number in mine.tokens:
        yield words("witness.has", what=spoken.get(name, name), number=number)
    for name, number in mine.stacks:
        yield words("witness.left", stack=spoken.get(name, name), number=number)
    yield from (words("witness.is", what=text, value=value) for text, value in mine.values)
    yield from _next(witness.kind, mine, theirs, words, spoken)


def gain_key(player: str, reason: str, feature: str) -> str:
    """The key of some points among the words of an ending."""
    return f"{player} {reason} {feature}"


def barred_key(option: str) -> str:
    """The key of the reason against an option among the words of an ending."""
    return f"not {option}"


def _place(name: str, place: str, words: Words, wording: Mapping[str, str]) -> str:
    if place == "home":
        return words("witness.is_home", what=name)
    match words_of(place):
        case ["front", "of", player]:
            place = words("match.front_of", player=wording.get(player, player))
        case ["beside", stack]:
            place = words("match.beside", stack=wording.get(stack, stack))
        case ["beside", *names]:
            figure = " ".join(names)
            place = words("witness.with", figure=wording.get(figure, figure))
        case _:
            at = wording.get(place, place)
            key = "witness.is_at" if at == place else "witness.is_there"
            return words(key, what=name, place=at)
    return words("witness.is_there", what=name, place=place)


def _next(
    kind: Kind, mine: Ending, theirs: Ending, words: Words, wording: Mapping[str, str]
) -> Iterator[str]:
    is_other = (mine.decides, mine.step) != (theirs.decides, theirs.step)
    if mine.is_over:
        won = words.listed([wording.get(player, player) for player in mine.winners])
        yield words("witness.won", players=won) if won else words("witness.over")
    elif is_other:
        player, step = (wording.get(name, name) for name in (mine.decides, mine.step))
        yield words("witness.decides", player=player, step=step)
    if mine.offered and (is_other or kind is Kind.OPTIONS):
        yield words(
            "witness.may" if is_other else "witness.offers",
            options=_few(mine.offered, words, wording),
        )
    for barred in mine.barred:
        option = _option(barred.option, wording)
        told = wording.get(barred_key(barred.option))
        if not barred.rule:  # then there is nothing to add
            yield words("witness.not_so", option=option)
        elif told:
            yield words("witness.not", option=option, why=told)
        else:
            yield f"{words('witness.not', option=option, why=barred.sentence)} ({barred.rule})"


def _option(option: str, wording: Mapping[str, str]) -> str:
    return wording.get(option) or f"`{option}`"


def _few(options: tuple[str, ...], words: Words, wording: Mapping[str, str]) -> str:
    """Some options; those with equal labels once, with their number."""
    called = Counter(_option(option, wording) for option in options)
    names = [f"{name} ({count} ×)" if count > 1 else name for name, count in called.items()]
    shown, more = ", ".join(names[:_MAX]), len(names) - _MAX
    return words("witness.and_more", options=shown, n=more) if more > 0 else shown


def source_line(witness: Witness, language: str = "en") -> str:
    """Where a witness comes from, and which turn begins on its board, if not the first."""
    words = Words(language)
    turn = words("witness.turn", number=witness.turn) if witness.turn > 1 else ""
    return words(f"witness.origin.{witness.origin.value}", source=witness.source) + turn


def none_line(found: Witnesses, language: str = "en") -> str:
    """How many rows have no witness, and how hard was looked."""
    words, sought = Words(language), found.sought
    return words.plural(
        "witness.none",
        len(found.without),
        scenarios=sought.scenarios,
        games=sought.games,
        stopped=_stopped(sought, words),
    )


def unstated_line(unstated: str, language: str = "en") -> str:
    """That two games differ, and that no scenario can be written that shows it."""
    return Words(language)("witness.untold", how=unstated)


def no_difference_line(sought: SearchEffort, language: str = "en") -> str:
    """That no difference was found, after how much, and whether the search was cut short."""
    words = Words(language)
    games = words.plural("witness.games", sought.games)
    decisions = words.plural("witness.decisions", sought.decisions)
    found = words("witness.no_difference", games=games, decisions=decisions)
    return found + _stopped(sought, words)


def _stopped(sought: SearchEffort, words: Words) -> str:
    if not sought.stopped:
        return ""
    return words(f"witness.stopped.{sought.stopped.value.replace(' ', '_')}")
