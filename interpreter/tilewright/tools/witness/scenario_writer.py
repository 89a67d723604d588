"""Scenarios for a parting: the result on each side, and a scenario for each.

The scenario of a side passes under that side; its expectations, translated for the other side, fail
there. Both are tested before they are returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, words_of
from tilewright.language.source.yaml.dump import document
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.match import Match
from tilewright.play.notation import seat_name
from tilewright.play.program import Program
from tilewright.rules.linking.compose.select import split_game
from tilewright.rules.model.ruleset import Expectation, Line, Scenario
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.explanation.score_log import Award, grounds
from tilewright.tools.scenarios.capture import decision, numbered, place_text, scenario_data
from tilewright.tools.scenarios.runner import played_out
from tilewright.tools.scenarios.setup import figures_named, where_is
from tilewright.tools.witness.attribution import barred
from tilewright.tools.witness.lockstep import Lockstep
from tilewright.tools.witness.parting import LockstepDifference
from tilewright.tools.witness.story import Table, play
from tilewright.tools.witness.translation import Translation
from tilewright.view.results.divergence import Barred, Ending, Gain, Kind, Texts


@dataclass(frozen=True, slots=True)
class WrittenStory:
    """Both endings in the order of the table's sides, and the scenarios they carry."""

    parting: LockstepDifference
    endings: tuple[Ending, Ending]
    scenarios: tuple[Scenario, Scenario]


def write_story(
    table: Table, lead: int, scenario: Scenario, id_: str, says: str, *, may_split: bool = False
) -> WrittenStory | None:
    """The story of a parting with its scenarios; None where it does not part, or has no scenario.

    `id_` and `says` are for the scenarios; the id of each ends in `a` or `b`, by its side.
    """
    station = _Station()
    both = play(table.pairing, lead, scenario, station.keep, may_split=may_split)
    if both is None or station.parting is None:
        return None
    parting, matches, awards = station.parting, station.matches, station.awards
    wanted = [line for line in scenario.lines if line.verb == "choose"]
    if sum(line.verb == "choose" for line in parting.lines) != len(wanted):
        return None
    other = both.words.scenario(scenario)
    if other is None:
        return None
    expectations = [_expectation(matches[i], awards[i], parting, i) for i in (0, 1)]
    stories = (
        replace(scenario, lines=(*parting.lines, _line(expectations[0]))),
        replace(other, lines=(*parting.replica_lines, _line(expectations[1]))),
    )
    named = [
        replace(
            story,
            id=f"{id_}-{'ab'[side]}",
            says=says,
            rulesets=split_game(table.texts[side]),
            options=tuple(table.options[side]),
            statements=(),
            covers=(),
            fails="",
        )
        for story, side in zip(stories, (lead, 1 - lead), strict=True)
    ]
    crossed = (
        _in_words(expectations[1], both.back, matches[::-1]),
        _in_words(expectations[0], both.words, matches),
    )
    if not _is_proven(table, lead, named, crossed, parting):
        return None
    endings = [_ending(matches[i], parting, i, named[i]) for i in (0, 1)]
    order = (lead, 1 - lead)
    return WrittenStory(
        parting,
        (endings[order[0]], endings[order[1]]),
        (named[order[0]], named[order[1]]),
    )


class _Station:
    """Keeps copies of both matches at the latest parting, and all awards up to there."""

    def __init__(self) -> None:
        self.parting: LockstepDifference | None = None
        self.matches: list[Match] = []
        self.awards: list[list[Award]] = []

    def keep(self, both: Lockstep, parting: LockstepDifference) -> None:
        self.parting = parting
        self.matches = [side.match.fork() for side in (both.leader, both.replica)]
        self.awards = [list(side.ledger.awards) for side in (both.leader, both.replica)]


def _line(expect: Expectation) -> Line:
    return Line("expect", "", expect, NOWHERE)


def _is_proven(
    table: Table,
    lead: int,
    named: list[Scenario],
    crossed: tuple[Expectation, Expectation],
    parting: LockstepDifference,
) -> bool:
    """Whether each scenario passes on its side, and one of them fails with what the other side
    expects (`crossed`, in its own words): what only one game knows, the other cannot expect.
    """
    programs = (table.pairing.programs[lead], table.pairing.programs[1 - lead])
    if Kind.REFUSED in parting.kinds:
        return True
    for program, scenario in zip(programs, named, strict=True):
        reporter = Reporter()
        played_out(scenario, program, reporter)
        if reporter.diagnostics:
            return False
    return any(
        _fails(program, replace(scenario, lines=(*scenario.lines[:-1], _line(expect))))
        for program, scenario, expect in zip(programs, named, crossed, strict=True)
    )


def _fails(program: Program, scenario: Scenario) -> bool:
    reporter = Reporter()
    played_out(scenario, program, reporter)
    return bool(reporter.diagnostics)


def _in_words(expect: Expectation, words: Translation, matches: Sequence[Match]) -> Expectation:
    """The leader's expectation in the replica's words."""
    one, two = matches

    def option(text: str) -> str:
        return words.option(text, one, two)

    return replace(
        expect,
        figures=tuple((name, words.say(place, one, two)) for name, place in expect.figures),
        options=None if expect.options is None else tuple(map(option, expect.options)),
        offered=tuple(map(option, expect.offered)),
        refused=tuple((option(text), rule) for text, rule in expect.refused),
    )


# ----------------------------------------------------------------------- expectations


def _expectation(
    match: Match, gained_awards: list[Award], parting: LockstepDifference, side: int
) -> Expectation:
    """The facts of one side that differ on the other, and the player whose turn it is."""
    kinds = parting.kinds
    seats = [seat_name(match, player) for player in match.players]
    found = _expected_decision(match, parting, side)
    if Kind.POINTS in kinds:
        players = {a.player for awards in parting.awards for a in awards}
        gains = [(seats[p], _gains_text(gained_awards, p)) for p in sorted(players)]
        # an award of zero without items has no words
        gained = tuple((seat, text) for seat, text in gains if not text.endswith("= "))
        found = replace(found, points=tuple(zip(seats, match.points, strict=True)), gained=gained)
    if Kind.PLACES in kinds:
        found = _with_places(found, match, parting)
    if Kind.TOKENS in kinds:
        mine, theirs = dict(parting.tokens[side]), dict(parting.tokens[1 - side])
        declared = {token.id for token in match.program.game.tokens}
        names = [n for n in {**mine, **theirs} if mine.get(n) != theirs.get(n)]
        known = [name for name in names if words_of(name)[-1] in declared]
        found = replace(found, tokens=tuple((name, mine.get(name, 0)) for name in known))
    if Kind.TILES in kinds:
        found = replace(found, tiles=len(match.board.tile_at))
    if Kind.STACKS in kinds:
        found = replace(found, stacks=parting.stacks[side])
    if Kind.VALUES in kinds:
        found = replace(found, values=parting.values[side])
    return found


def _expected_decision(match: Match, parting: LockstepDifference, side: int) -> Expectation:
    """The player who decides; where that differs or the options do, also the options."""
    found = decision(match)
    if not {Kind.DECISION, Kind.OPTIONS} & set(parting.kinds):
        return replace(found, options=None, offered=())
    if Kind.OPTIONS not in parting.kinds:
        is_short = found.options is not None and len(found.options) <= _FEW
        return found if is_short else replace(found, options=None, offered=())
    if found.options is not None:
        return found
    refused = (
        (option, "")
        for option in parting.own_options[1 - side][:_FEW]
        if not all(reason.is_idle for reason in why_not(match, option))
    )
    return replace(found, offered=parting.options[side][:_FEW], refused=tuple(refused))


_FEW = 6


def _gains_text(awards: Iterable[Award], player: int) -> str:
    return "; ".join(a.text() for a in awards if a.player == player) or "nothing"


def _with_places(found: Expectation, match: Match, parting: LockstepDifference) -> Expectation:
    """Where those figures are that the two sides have elsewhere: by name where there is but one of
    the name, else by how many are at home, else one by one."""
    names = {text.partition(" at ")[0] for places in parting.places for text in places}
    figures: list[tuple[str, str]] = []
    supply: list[tuple[str, int]] = []
    for name in sorted(names):
        named = figures_named(match, name)
        if not named:
            continue  # a figure that only the other game has
        if len(named) == 1:
            figures.append((name, where_is(match, name)[0]))
            continue
        supply.append((name, sum(match.spot[figure] == IN_SUPPLY for figure in named)))
        figures += [
            (numbered(match, figure), where_is(match, numbered(match, figure))[0])
            for figure in named
            if any(f"{name} at {place_text(match, figure)}" in places for places in parting.places)
        ]
    return replace(found, figures=tuple(figures), supply=tuple(supply))


# ------------------------------------------------------------------ endings


def _ending(match: Match, parting: LockstepDifference, side: int, scenario: Scenario) -> Ending:
    seats = [seat_name(match, player) for player in match.players]
    game = match.program.game
    kinds = parting.kinds
    expect = scenario.lines[-1].expect
    assert expect is not None
    is_asked = match.to_move >= 0
    return Ending(
        scenario=document({"scenarios": [scenario_data(scenario)]}),
        points=tuple(zip(seats, match.points, strict=True)),
        gains=tuple(
            Gain(
                seats[award.player],
                award.points,
                award.text(),
                award.feature,
                award.rule,
                tuple(
                    dict.fromkeys(
                        s.id
                        for rule in (award.rule, *(item.rule for item in award.items))
                        for s in grounds(game, rule).statements
                    )
                ),
            )
            for award in parting.awards[side]
            if award.points
        ),
        places=_places(parting, side),
        tiles=parting.tiles[side],
        tokens=expect.tokens,
        stacks=expect.stacks,
        decides=seats[match.to_move] if is_asked else "",
        step=match.step if is_asked else "",
        offered=_offered(match, parting, side),
        barred=tuple(
            Barred(option, reason.rule, reason.for_authors)
            for option, reason in barred(match, parting.own_options[1 - side])
        ),
        is_over=match.is_over,
        winners=tuple(seats[p] for p in match.winners()) if match.is_over else (),
        refusal=parting.refusal[side] if Kind.REFUSED in kinds else "",
        values=expect.values,
    )


def _places(parting: LockstepDifference, side: int) -> Texts:
    """Where the figures of a side are that are elsewhere on the other; some are at home."""
    mine, theirs = (
        [(name, place) for name, _, place in (text.partition(" at ") for text in places)]
        for places in (parting.places[side], parting.places[1 - side])
    )
    here = {name for name, _ in mine}
    return (*mine, *((name, "home") for name in dict(theirs) if name not in here))


def _offered(match: Match, parting: LockstepDifference, side: int) -> tuple[str, ...]:
    """The options of this side alone; at different decisions, all options of a short list."""
    if Kind.DECISION in parting.kinds or Kind.END in parting.kinds:
        return decision(match).options or ()
    return parting.options[side]
