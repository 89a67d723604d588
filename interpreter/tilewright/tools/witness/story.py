"""Two games prepared for witnesses, and stories played by both, in the words of one side.

A story is a situation with draws and choices. Games are compiled with probes, with the companion
rulesets and options of a scenario, and with the references of their rules. The game of a scenario
may be larger than the compared game, or have options. Then both sides are extended equally:
rulesets of one side are replaced by those of the other, and a companion that is incompatible with
the other edition is replaced by the one with the same role there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.compiling.reuse import Memo
from tilewright.play.match import Match
from tilewright.play.notation import prescribed_draw, seat_number, split_seat
from tilewright.play.program import Program
from tilewright.rules.linking.compose.select import names_of, split_game
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.interactions.footprint import references_by_rule
from tilewright.tools.scenarios.capture import options_of
from tilewright.tools.scenarios.setup import evaluated_text, lay_out, remember
from tilewright.tools.witness.attribution import judge_of
from tilewright.tools.witness.lockstep import Judge, Lockstep, choices_in
from tilewright.tools.witness.parting import LASTING, LockstepDifference, Marks, Side
from tilewright.tools.witness.translation import Translation
from tilewright.tools.workspace.loading import load_game_under, split_options
from tilewright.view.results.divergence import Kind


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two programs and the ways between their words. `lead` is 0 or 1."""

    programs: tuple[Program, Program]
    words: tuple[Translation, Translation]  # from 0 to 1, and back

    @classmethod
    def of(
        cls,
        one: Program,
        two: Program,
        tiles: Sequence[tuple[str, str]] = (),
        tokens: Sequence[tuple[str, str]] = (),
        *,
        is_exact: bool = False,
    ) -> Pairing:
        """Translate both ways; `tiles` and `tokens` are pairs that replace each other, and
        `is_exact` is that of `Translation`.
        """
        known: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
        for here, there in tiles:
            known[0].setdefault(here, []).append(there)
            known[1].setdefault(there, []).append(here)
        forth = Translation(one, two, known[0], dict(tokens), is_exact=is_exact)
        returned = {new: old for old, new in tokens}
        back = Translation(two, one, known[1], returned, is_exact=is_exact)
        return cls((one, two), (forth, back))

    def game(self, side: int) -> Game:
        """The game of a side, 0 or 1."""
        return self.programs[side].game


def begin_lockstep(
    pairing: Pairing,
    lead: int,
    scenario: Scenario,
    judge: Judge | None = None,
    seed: int | str = "",
) -> Lockstep | None:
    """Both matches set up from a scenario in the words of the leader, before the first choice.

    None where one of the two has no equal position.
    """
    words, back = pairing.words[lead], pairing.words[1 - lead]
    rest = scenario.memory or scenario.tokens or scenario.stacks
    same = words.is_plain and not rest and (words.figures_are_alike or not scenario.figures)
    other = words.scenario(scenario) if not same else replace(scenario, lines=())
    if other is None:
        return None
    one = laid(pairing.programs[lead], scenario, seed)
    two = laid(pairing.programs[1 - lead], other, seed) if one is not None else None
    if one is None or two is None:
        return None
    draws = [line.text for line in scenario.lines if line.verb == "draw"]
    one.forced_draws = [prescribed_draw(one.program, text) for text in draws]
    if None in one.forced_draws:
        return None
    two.forced_draws = []
    both = Lockstep(words, back, Side(one), Side(two), judge)
    both.pass_draws(draws)
    return both


def laid(program: Program, scenario: Scenario, seed: int | str = "") -> Match | None:
    """A match in the position of a scenario; None where it cannot be laid out."""
    game, players = program.game, len(scenario.players)
    seats = tuple(seat.id for seat in game.seats)[:players]
    if seats != scenario.players or game.refusal(players):
        return None
    match = Match(program, players, seed or scenario.id)
    if scenario.active:
        number = seat_number(match, scenario.active)
        if number is None:
            return None
        match.active = number
    reporter = Reporter.discarding()
    if not lay_out(match, scenario, reporter):
        return None
    if any(remember(match, name, text)[0] for name, text in scenario.memory):
        return None
    return match


def play(
    pairing: Pairing,
    lead: int,
    scenario: Scenario,
    judge: Judge | None = None,
    watch: list[tuple[Match, int]] | None = None,
    *,
    may_split: bool = False,
) -> Lockstep | None:
    """A story played in step as far as it goes; None where it cannot begin. To `watch` is added
    the leader's match as each turn begins, with the number of lines before it. Where the two
    cannot go on in step they go on each on its own, if they may part.
    """
    both = begin_lockstep(pairing, lead, scenario, judge)
    if both is None:
        return None
    if watch is not None:
        _watch(both, watch)
    both.start(bool(scenario.board))
    for line in scenario.lines:
        if both.is_done:
            break
        if line.verb == "choose":
            if not both.choose(_bare(both.leader.match, line.text)):
                break
        elif line.expect is not None and line.expect.values:
            _compare_values(both, line.expect.values)
    kinds = set(both.partings[-1][0].kinds) if may_split and both.partings else set()
    # the two are not in step any more, though both can go on
    if LASTING & kinds and Kind.REFUSED not in kinds:
        texts = choices_in(scenario.lines)[len(choices_in(both.lines)) :]
        both.play_separately([_bare(both.leader.match, text) for text in texts])
    return both


def _watch(both: Lockstep, starts: list[tuple[Match, int]]) -> None:
    def listen(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "turn":
            fresh = len(both.leader.drawn) - both.recorded[0]  # drawn, and not yet a line
            starts.append((match.fork(), len(both.lines) + fresh))

    both.leader.match.listeners += (listen,)


def _bare(match: Match, text: str) -> str:
    """A choice without the name of who makes it."""
    return " ".join(split_seat(match, text)[1].split())


def _compare_values(both: Lockstep, values: Sequence[tuple[str, str]]) -> None:
    """Whether both sides have equal values for the expressions of a scenario."""
    one, two = both.leader.match, both.replica.match
    found: list[list[tuple[str, str]]] = [[], []]
    for text, _ in values:
        here = evaluated_text(one, text, Reporter.discarding())
        there = evaluated_text(two, both.words.say(text, one, two), Reporter.discarding())
        if here is not None and there is not None and both.words.say(here, one, two) != there:
            found[0].append((text, here))
            found[1].append((text, there))
    if found[0]:
        pair = (tuple(found[0]), tuple(found[1]))
        both.part(LockstepDifference((Kind.VALUES,), (), (), 0, values=pair))


# ------------------------------------------------------------------ the games of both sides


Options = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Two games for lockstep, with the references of their rules. `texts` name them."""

    texts: tuple[str, str]
    options: tuple[Options, Options]  # those that are not as usual
    pairing: Pairing
    uses: tuple[Mapping[str, Marks], Mapping[str, Marks]]
    is_larger: bool = False  # whether it has more than the compared rulesets

    def judge(self, lead: int) -> Judge:
        """The judge that attributes a parting to marks."""
        return judge_of((self.uses[lead], self.uses[1 - lead]), lead)


class Sides:
    """The tables at which two games meet, each made once."""

    def __init__(
        self,
        texts: tuple[str, str],
        library: Library,
        tiles: Sequence[tuple[str, str]] = (),
        tokens: Sequence[tuple[str, str]] = (),
        other: Library | None = None,
    ) -> None:
        """`tiles` and `tokens` are those that stand for one another. `other` is where
        the rulesets of the second side are, if not in the library."""
        self.texts = texts
        self.libraries = (library, other or library)
        self.tiles, self.tokens = tuple(tiles), tuple(tokens)
        self.ids = tuple(
            tuple(_name(id_) for id_ in split_game(split_options(text)[0])) for text in texts
        )
        self.options = tuple(tuple(sorted(split_options(t)[1].items())) for t in texts)
        self._games: dict[tuple[int, str, Options], Game | None] = {}
        self._programs: dict[tuple[int, str, Options], Program | None] = {}
        self._memo = Memo()
        self._tables: dict[tuple[str, str, Options], Table | None] = {}
        self._roles: dict[str, tuple[str, ...]] = {}

    def plain(self) -> Table | None:
        """The two games as they were named."""
        return self._table(self._usual(), ())

    def _usual(self) -> tuple[str, str]:
        return split_options(self.texts[0])[0], split_options(self.texts[1])[0]

    def is_plain(self, game: str, lead: int) -> bool:
        """Whether a game is no more than what is compared."""
        mine = self.ids[lead]
        return all(_name(id_) in mine or self._is_beneath(id_, lead) for id_ in split_game(game))

    def under(self, scenario: Scenario, game: str, lead: int) -> Table | None:
        """The table at which a scenario of one side is to be played; None where there is none."""
        own = list(split_game(game))
        own += [id_ for id_ in self.ids[lead] if id_ not in map(_name, own)]
        other = self._counterpart(own, lead)
        if other is None:
            return None
        texts = ("+".join(own), "+".join(other))
        return self._table(texts if lead == 0 else (texts[1], texts[0]), scenario.options)

    def _counterpart(self, own: Sequence[str], lead: int) -> list[str] | None:
        """The rulesets of a scenario's game on the other side."""
        mine, theirs = self.ids[lead], self.ids[1 - lead]
        other = list(theirs)
        for id_ in own:
            name = _name(id_)
            if name in mine or name in other or self._is_beneath(name, lead):
                continue
            likes = self._likes(name)
            found = next((x for x in likes if self._goes_with(1 - lead, other, x)), None)
            if found is None:
                return None
            other.append(found)
        return other

    def _is_beneath(self, name: str, side: int) -> bool:
        """Whether the game of a side has this ruleset, or one that plays its part, anyway."""
        game = self._game(side, "+".join(self.ids[side]), ())
        if game is None:
            return False
        has = {role for r in game.rulesets for role in names_of(r)}
        return bool(has & set(self._names(name)))

    def _names(self, id_: str) -> tuple[str, ...]:
        """The id and roles of a ruleset."""
        if id_ not in self._roles:
            ids = self.libraries[0].lineage(id_)
            modules = filter(None, map(self.libraries[0].load_module, ids))
            self._roles[id_] = (*ids, *(role for each in modules for role in each.provides))
        return self._roles[id_]

    def _likes(self, name: str) -> list[str]:
        """A ruleset, and those that play the same part."""
        parts = set(self._names(name))
        others = [id_ for id_ in self.libraries[0].ids() if id_ != name]
        return [name, *(id_ for id_ in others if parts & set(self._names(id_)))]

    def _goes_with(self, side: int, ids: Sequence[str], more: str) -> bool:
        return self._game(side, "+".join([*ids, more]), ()) is not None

    def _table(self, texts: tuple[str, str], options: Options) -> Table | None:
        key = (*texts, options)
        if key not in self._tables:
            found = [
                self.program(
                    side, texts[side], tuple(sorted({**dict(options), **dict(own)}.items()))
                )
                for side, own in enumerate(self.options)
            ]
            one, two = found
            if one is None or two is None:
                self._tables[key] = None
            else:
                uses = (references_by_rule(one.game), references_by_rule(two.game))
                unusual = (options_of(one.game), options_of(two.game))
                self._tables[key] = Table(
                    texts,
                    unusual,
                    Pairing.of(one, two, self.tiles, self.tokens),
                    uses,
                    bool(options) or texts != self._usual(),
                )
        return self._tables[key]

    def program(self, side: int, text: str, options: Options) -> Program | None:
        """A game under those of the options that it knows; None where the game cannot be made."""
        key = self._key(side, text, options)
        if key not in self._programs:
            game = self._game(side, text, options)
            self._programs[key] = (
                None if game is None else compile_game(game, probes=True, memo=self._memo)
            )
        return self._programs[key]

    def _game(self, side: int, text: str, options: Options) -> Game | None:
        key = self._key(side, text, options)
        if key not in self._games:
            self._games[key] = load_game_under(text, dict(options), self.libraries[side])[0]
        return self._games[key]

    def _key(self, side: int, text: str, options: Options) -> tuple[int, str, Options]:
        return (side if self.libraries[0] is not self.libraries[1] else 0, text, options)


def _name(text: str) -> str:
    """A ruleset's id without the part of it that is taken."""
    return cut_part(text)[0]
