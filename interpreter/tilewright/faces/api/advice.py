"""Hints and refusals: the best options of a decision, and the reasons against any other."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.faces.api.events import Awarded, awarded
from tilewright.faces.api.options import Option, option_at
from tilewright.play.match import Match


@dataclass(frozen=True, slots=True)
class HintedOption:
    """An option as the greedy bot sees it: the lead over the best other player if the game ended
    with this turn, the points that it brings at once, and the best option that follows in the turn.
    """

    option: Option
    lead: int
    awards: tuple[Awarded, ...]
    follow: Option | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an option is not offered: a sentence, the rule that forbids it ("" for none),
    and the statements that the rule carries out, each with its source.
    """

    sentence: str
    rule: str
    statements: tuple[str, ...]


def hints_of(match: Match, count: int) -> tuple[HintedOption, ...]:
    """The best options of the decision at hand, the best first."""
    from tilewright.tools.explanation.hints import best_options  # slow to import

    return tuple(
        HintedOption(
            option_at(match, hint.index),
            hint.lead,
            tuple(awarded(hint.trial, award) for award in hint.awards),
            None if hint.follow is None else option_at(hint.trial, hint.follow),
        )
        for hint in best_options(match, count=count)
    )


def refusals_of(match: Match, text: str, language: str) -> tuple[Refusal, ...]:
    """The reasons against an option; none for one that is offered."""
    from tilewright.tools.explanation.legality import why_not  # slow to import

    return tuple(
        Refusal(each.sentence, each.rule, tuple(cited.text() for cited in each.statements))
        for each in why_not(match, text, language)
    )
