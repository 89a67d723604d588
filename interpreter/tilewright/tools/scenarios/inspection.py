"""Inspects a scenario without playing it: its game, its players, its names, what it expects.

`check` and `test` both begin with this. It needs the linked game alone, so that `check` can do it
for every scenario, and a scenario is only set up when it has nothing to report. Facts of the board,
such as the segments of the tile at a cell, are left to the setup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tilewright.language.builtins import PASS
from tilewright.language.source.diagnostics import (
    Diagnostic,
    Reporter,
    Severity,
    all_of,
    at_least,
    did_you_mean,
    nearest,
    one_of,
)
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import NOWHERE, Span, words_of
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.desugar import UNNAMED
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.walk import effects_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.geometry import read_cell
from tilewright.rules.model.ruleset import Expectation, Line, Scenario
from tilewright.tools.scenarios.setup import NUMBERED, typed
from tilewright.tools.workspace.workspace import rule_ids

#: the code of all names that a game does not have
CODE = "TW612"
#: a decision is for nobody when the game is over
NOBODY = "nobody"

_CUT = re.compile(r"-?\d+($|[ /])")
_NUMBER_LAST = re.compile(r"(^|.* )-?\d+")
_PLACE = re.compile(
    r"home|front of (?P<player>\S+)"
    r"|(?=[-\d]|beside )(?P<spot>(?P<segment>-?\d+,-?\d+/\w+)|-?\d+,-?\d+)?"
    r"( facing [NESW])?( ?beside (?P<other>.+))?"
)
_PLACES = "`0,0/SEGMENT`, `0,0`, `home`, `front of PLAYER`, `beside STACK` or `beside FIGURE`"

#: words with which choices begin, in a hint
_MAX_SHOWN = 20
#: kinds of things that are named after their player
_AFTER_A_PLAYER = ("figure", "token")


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a game, by the kind of thing."""

    seats: tuple[str, ...]
    figures: Mapping[str, m.FigureKind]
    tokens: tuple[str, ...]
    stacks: Mapping[str, m.StackDecl]
    memory: Mapping[str, str]  # the type of the things that each is kept for, or ""
    types: Mapping[str, Type]  # of memory
    pieces: frozenset[str]
    stacked: frozenset[str]
    segments: frozenset[str]
    features: frozenset[str]
    steps: frozenset[str]
    rules: frozenset[str]
    openings: frozenset[str]  # the words with which choices begin
    placed: frozenset[str]  # those after which a cell and a direction follow
    draws_members: bool  # whether rules draw members of sets


@kept_by_identity
def _names_of(game: Game) -> _Names:
    faces = (face for piece in game.pieces for cells in piece.faces for face in cells)
    rules = {found.rule.head.id for found in game.rules()}
    chosen = _chosen(game)
    return _Names(
        seats=tuple(seat.id for seat in game.seats),
        figures={figure.id: figure for figure in game.figures},
        tokens=tuple(token.id for token in game.tokens),
        stacks={stack.id: stack for stack in game.stacks},
        memory={memory.declaration.id: memory.of for memory in game.memory},
        types={memory.declaration.id: memory.type for memory in game.memory},
        pieces=frozenset(piece.id for piece in game.pieces),
        stacked=frozenset(each.id for each in game.stacked),
        segments=frozenset(segment.id for face in faces for segment in face.segments),
        features=frozenset(feature.id for feature in game.features),
        steps=frozenset(step.id for step in game.steps),
        rules=frozenset(rules.union(patch.patch.id for patch in game.patches)),
        openings=frozenset((PASS, *game.actions, *chosen)),
        placed=frozenset(label for label, types in chosen.items() if types == {"placement"}),
        draws_members=any(
            isinstance(effect, t.DrawMembers)
            for rule in game.rules()
            for effect in effects_of(rule)
        ),
    )


def _chosen(game: Game) -> dict[str, set[str]]:
    """The labels of all choices, and of what type the options with each are."""
    found: dict[str, set[str]] = {}
    for rule in game.rules():
        for effect in effects_of(rule):
            if isinstance(effect, t.Choose):
                label = effect.label or ("" if effect.variable == UNNAMED else effect.variable)
                found.setdefault(label, set()).add(effect.source.type.base)
    return found


def check_colours(scenario: Scenario, game: Game, reporter: Reporter) -> bool:
    """Whether a game has the colours of the players; reports those that it lacks."""
    lookup = _Lookup(scenario, game, reporter, scenario.place)
    seats = lookup.names.seats
    known = [lookup.known("colour", name, seats, "players", name) for name in scenario.players]
    return all(known)


def check_names(scenario: Scenario, game: Game, reporter: Reporter) -> bool:
    """Whether a game has everything that a scenario names; reports each name that it lacks."""
    before = reporter.error_count
    _Situation(scenario, game, reporter).check()
    for line in scenario.lines:
        _Line(scenario, line, game, reporter).check()
    return reporter.error_count == before


def check_covers(
    scenario: Scenario, rulesets: Iterable[m.Ruleset], game: Game | None, reporter: Reporter
) -> None:
    """Report each covered rule that a game of these rulesets does not have; without a game, each
    that they do not declare.
    """
    declared, values = set[str](), set[str]()
    for ruleset in rulesets:
        declared |= {*rule_ids(ruleset)}
        values |= {value.id for value in ruleset.values}
    rules = frozenset(declared) if game is None else _names_of(game).rules
    for rule in dict.fromkeys(scenario.covers):
        if rule in rules:
            continue
        message, hint = f"scenario `{scenario.id}` covers an unknown rule `{rule}`", ""
        if rule in values:
            hint = "scenarios cover rules: name the rules that read the value"
        elif rule in declared:
            message = f"scenario `{scenario.id}` covers `{rule}`, which is not in its game"
            hint = "the options or the other rulesets of the scenario leave it out"
        else:
            message += did_you_mean(rule, rules)
        reporter.error("TW605", message, scenario.place("covers", rule), hint=hint)


class _Lookup:
    """Looks up names, and reports those that are unknown where `place` finds their text."""

    def __init__(
        self, scenario: Scenario, game: Game, reporter: Reporter, place: Callable[..., Span]
    ) -> None:
        self.game, self.reporter, self.place = game, reporter, place
        self.names = _names_of(game)
        self.players = [name for name in scenario.players if name in self.names.seats]

    def wrong(self, message: str, word: str, *keys: str, hint: str = "") -> None:
        """Report an error at a word of a text, which is the last of the keys that lead to it."""
        place = self.place(*keys)
        self.reporter.error(CODE, message, place.of(keys[-1], word) or place, hint=hint)

    def known(self, what: str, name: str, known: Collection[str], *keys: str) -> bool:
        """Whether a name is known."""
        if name in known:
            return True
        among = f" in `{keys[-1]}`" if what in _AFTER_A_PLAYER and name != keys[-1] else ""
        near = did_you_mean(name, known)
        self.wrong(f"unknown {what} `{name}`{among}{near}", name, *keys)
        return False

    def player(self, name: str, *keys: str) -> None:
        if name in self.players:
            return
        near = did_you_mean(name, self.players)
        sit = "" if near else f"; the players are {all_of(self.players)}"
        self.wrong(f"`{name}` is not a player here{near or sit}", name, *keys)

    def figure(self, name: str, *keys: str) -> None:
        """`red peg`, `red peg 2`, or `stone` for one without an owner."""
        words = words_of(name)
        number = int(words.pop()) if len(words) > 1 and NUMBERED.fullmatch(words[-1]) else 1
        kind = self.names.figures.get(words[-1]) if words else None
        if kind is None:
            self.known("figure", words[-1] if words else name, self.names.figures, *keys)
        elif len(words) > 2:
            self.wrong(f"`{name}` is not a figure: write a player and a kind", name, *keys)
        elif not kind.owned and len(words) == 2:
            self.wrong(f"a `{kind.id}` has no owner: write `{kind.id}`", name, *keys)
        elif kind.owned and len(words) == 1:
            example = f"{self.players[0]} {kind.id}" if self.players else f"red {kind.id}"
            self.wrong(f"a `{kind.id}` belongs to a player: write `{example}`", name, *keys)
        elif not 1 <= number <= kind.count:
            whose = "of each player" if kind.owned else "in the game"
            message = f"unknown figure `{name}`: {kind.count} {whose}"
            self.wrong(message, str(number), *keys)
        elif kind.owned:
            self.player(words[0], *keys)

    def token(self, name: str, *keys: str) -> None:
        """`red bead`, or `bead` for those in the common supply."""
        words = words_of(name)
        if self.known("token", words[-1] if words else name, self.names.tokens, *keys):
            if len(words) > 2:
                self.wrong(f"`{name}` is not a player and a token", name, *keys)
            elif len(words) == 2:
                self.player(words[0], *keys)

    def stack(self, name: str, *keys: str) -> None:
        """`pile`, or `red hand` for one that each player has."""
        words, stacks = name.split(), self.names.stacks
        owned = [id_ for id_, stack in stacks.items() if stack.owned and id_.endswith(f" {name}")]
        if owned:
            self.wrong(f"each player has a `{name}`: write `{owned[0]}`", name, *keys)
        elif self.known("stack", name, stacks, *keys) and stacks[name].owned:
            self.player(words[0], *keys)

    def memory(self, name: str, *keys: str) -> bool:
        """`total`, or `2,-1 depth` for one that is kept for things."""
        words = words_of(name)
        id_, thing = (words[-1] if words else name), " ".join(words[:-1])
        if not self.known("memory", id_, self.names.memory, *keys):
            return False
        base = self.names.memory[id_]
        if not base and thing:
            self.wrong(f"`{id_}` is kept once, not for `{thing}`", thing, *keys)
        elif base and not thing:
            message = f"`{id_}` is kept for each {base}: write which one before it"
            self.wrong(message, id_, *keys)
        elif base == "player":
            self.player(thing, *keys)
        elif base == "figure":
            self.figure(thing, *keys)
        elif base == "tile" and read_cell(thing) is None:
            self.wrong(f"`{thing}` is not a cell, like `2,-1`", thing, *keys)
        elif base in ("segment", "feature"):
            self.segment(thing, *keys)
        return True

    def segment(self, text: str, *keys: str) -> None:
        """`0,0/t1`: whether some tile has a segment of this name."""
        cell, _, name = text.partition("/")
        if read_cell(cell) is None or not name:
            self.wrong(f"`{text}` is not a segment, like `2,-1/SEGMENT`", text, *keys)
        elif name not in self.names.segments:
            near = did_you_mean(name, self.names.segments)
            self.wrong(f"no tile has a segment `{name}`{near}", name, *keys)

    def where(self, text: str, *keys: str) -> None:
        """A place of a figure: `home`, `front of red`, `beside pile`, `0,0/t1 facing N`."""
        form = _PLACE.fullmatch(" ".join(text.split()))
        if form is None:
            is_turned = "facing" in text
            hint = "a direction is written `0,0 facing N`" if is_turned else f"it is {_PLACES}"
            self.wrong(f"`{text}` is not a place", text, *keys, hint=hint)
            return
        if form["segment"]:
            self.segment(form["segment"], *keys)
        if form["player"]:
            self.player(form["player"], *keys)
        if form["other"]:
            self._beside(form["other"], *keys)

    def _beside(self, name: str, *keys: str) -> None:
        if name in self.names.stacks:
            self.stack(name, *keys)
        elif self.names.figures.keys().isdisjoint(words_of(name)):
            near = did_you_mean(name, [*self.names.stacks, *self.names.figures])
            self.wrong(f"unknown stack or figure `{name}`{near}", name, *keys)
        else:
            self.figure(name, *keys)

    def expression(self, text: str, want: Type | None, *keys: str) -> None:
        """An expression of the language, of a type if one is wanted."""
        place, mine = self.place(*keys), Reporter()
        typed(self.game, self.players, place.code(text), mine, want)
        for found in mine.diagnostics:
            span = found.span if place.holds(text) else place
            self.reporter.add(replace(found, span=span))

    def choices(self, texts: Sequence[str], *keys: str) -> None:
        """A list of choices; one that was cut at its comma is reported instead of its parts."""
        for before, text in zip(("", *texts), texts, strict=False):
            if _CUT.match(text) and _NUMBER_LAST.fullmatch(before) and self._opening(text) is None:
                whole = f"{before},{text}"
                message = f"`{whole}` is cut at its comma"
                hint = "inside brackets, put a text with a comma in quotes"
                self.wrong(message, before, *keys, before, hint=hint)
                return
        for text in texts:
            self.choice(text, *keys, text)

    def choice(self, text: str, *keys: str) -> None:
        """The words with which a choice begins, and the direction of a placement."""
        opening = self._opening(text)
        if opening is not None:
            if opening in self.names.placed and read_cell(text.removeprefix(opening).strip()):
                hint = f"a direction follows, like `{text} N`"
                self.wrong(f"`{text}` has no direction", text, *keys, hint=hint)
            return
        words = words_of(text)
        for many in range(min(len(words), 4), 0, -1):
            begin = " ".join(words[:many])
            near = nearest(begin, [o for o in self.names.openings if len(words_of(o)) == many])
            if near is not None:
                message = f"no decision of this game offers `{text}`; did you mean `{near}`?"
                self.wrong(message, begin, *keys)
                return
        begin = words[0] if words else text
        message = f"no decision of this game offers `{text}`"
        begins = sorted(self.names.openings)
        hint = f"choices begin with {one_of(begins)}" if len(begins) <= _MAX_SHOWN else ""
        self.wrong(message, begin, *keys, hint=hint)

    def placed(self, part: Scenario | Expectation) -> None:
        """The players, figures, tokens and stacks of a situation or an expectation."""
        for name, _ in part.points:
            self.player(name, "points", name)
        for name, where in part.figures:
            self.figure(name, "figures", name)
            self.where(where, "figures", name, where)
        for name, _ in part.tokens:
            self.token(name, "tokens", name)
        for name, _ in part.stacks:
            self.stack(name, "stacks", name)

    def _opening(self, text: str) -> str | None:
        """The words of the game with which a choice begins."""
        words = text.split()
        begins = (" ".join(words[:many]) for many in range(len(words), 0, -1))
        return next((begin for begin in begins if begin in self.names.openings), None)


class _Situation(_Lookup):
    """The situation in which a scenario begins."""

    def __init__(self, scenario: Scenario, game: Game, reporter: Reporter) -> None:
        super().__init__(scenario, game, reporter, scenario.place)
        self.scenario = scenario

    def check(self) -> None:
        scenario, names = self.scenario, self.names
        if scenario.active and scenario.active not in scenario.players:
            self.player(scenario.active, "active", scenario.active)
        for line in scenario.board:
            piece = next(iter(words_of(line)), line)
            self.known("piece", piece, names.pieces, "board", line)
        for pair in scenario.joined:
            for text in pair.split():
                self.segment(text, "joined", pair)
        for text in scenario.recast:
            place, _, kind = text.partition(" ")
            self.segment(place, "recast", text)
            self.known("kind of feature", kind.strip(), names.features, "recast", text)
        self.placed(scenario)
        for name, pieces in scenario.stacks:
            for piece in pieces:
                self.known("piece", piece, names.stacked, "stacks", name, piece)
        for name, text in scenario.memory:
            if self.memory(name, "memory", name):
                self.expression(text, names.types[words_of(name)[-1]], "memory", name, text)


class _Line(_Lookup):
    """A line of play, or the expectation in it."""

    def __init__(self, scenario: Scenario, line: Line, game: Game, reporter: Reporter) -> None:
        place = (lambda *keys: line.span) if line.expect is None else line.expect.place
        super().__init__(scenario, game, reporter, place)
        self.line = line

    def check(self) -> None:
        text = self.line.text
        if self.line.expect is not None:
            self._expectation(self.line.expect)
        elif self.line.verb == "draw":
            if text in self.names.stacked or not self.names.draws_members:
                self.known("piece", text, self.names.stacked, f"draw {text}")
        elif text:
            seat, colon, choice = text.partition(": ")
            if colon and self._opening(text) is None and self._opening(choice) is not None:
                self.player(seat, text)
                text = choice
            self.choice(text, self.line.text)

    def _expectation(self, expect: Expectation) -> None:
        names = self.names
        self.placed(expect)
        for name, _ in expect.gained:
            self.player(name, "gained", name)
        for name in expect.winners or ():
            self.player(name, "winners", name)
        if expect.decides not in (None, NOBODY):
            self.player(expect.decides or "", "decides", expect.decides or "")
        if expect.step is not None:
            self.known("step", expect.step, names.steps, "step", expect.step)
        for name, _ in expect.supply:
            self.figure(name, "supply", name)
        for name, _ in expect.memory:
            self.memory(name, "memory", name)
        for text, _ in expect.values:
            self.expression(text, None, "values", text)
        self.choices(expect.options or (), "options")
        self.choices(expect.offered, "offered")
        self.choices([option for option, _ in expect.refused], "refused")
        for option, rule in expect.refused:
            if rule:
                self.known("rule", rule, names.rules, "refused", option, rule)


# ------------------------------------------------------------------ scenarios


def inspect_scenario(
    scenario: Scenario, game: Game | None, linking: Iterable[Diagnostic], reporter: Reporter
) -> bool:
    """Report what is wrong with a scenario as it is written; whether it can be played.

    `linking` are the diagnostics of its game, which is None if that has errors.
    """
    if scenario.fails:
        _must_fail(scenario, game, linking, reporter)
        return False
    _check_expectations(scenario, reporter)
    if game is None:
        reporter.extend(at_least(linking, Severity.ERROR))
        return False
    if not are_seated(scenario, game, reporter):
        return False
    return check_names(scenario, game, reporter)


def are_seated(scenario: Scenario, game: Game, reporter: Reporter) -> bool:
    """Whether a game allows the players of a scenario; reports a diagnostic if it does not."""
    if not check_colours(scenario, game, reporter):
        return False
    seats = tuple(seat.id for seat in game.seats)
    if seats[: len(scenario.players)] != scenario.players:
        message = f"the players sit in the order {', '.join(seats)}"
        reporter.error("TW801", message, scenario.place("players"))
        return False
    refused = game.refusal(len(scenario.players))
    if refused:
        reporter.error("TW805", refused, scenario.place("players"))
    return not refused


def expects_something(scenario: Scenario) -> bool:
    """Whether a scenario can fail for another reason than that it cannot be played."""
    return bool(scenario.fails) or any(map(_asks, _expectations(scenario)))


def _expectations(scenario: Scenario) -> list[Expectation]:
    return [line.expect for line in scenario.lines if line.expect is not None]


def _asks(expect: Expectation) -> bool:
    return replace(expect, span=NOWHERE, places={}) != Expectation()


def _check_expectations(scenario: Scenario, reporter: Reporter) -> None:
    """Report a scenario that expects nothing, or each `expect:` that is empty."""
    hint = "end it with `- expect:` and what must be true then"
    if not expects_something(scenario):
        message = (
            f"scenario `{scenario.id}` expects nothing, so it cannot show that a rule is wrong"
        )
        reporter.warning("TW613", message, scenario.span, hint=hint)
        return
    for expect in _expectations(scenario):
        if not _asks(expect):
            message = "this `expect:` expects nothing"
            reporter.warning("TW613", message, expect.span, hint="name what must be true here")


def _must_fail(
    scenario: Scenario, game: Game | None, linking: Iterable[Diagnostic], reporter: Reporter
) -> None:
    found = {each.code for each in linking}
    if game is not None:
        seats = Reporter()
        are_seated(scenario, game, seats)
        found |= {each.code for each in seats.diagnostics}
    if scenario.fails not in found:
        shown = ", ".join(sorted(found)) or "nothing"
        message = f"expected the game to be refused with {scenario.fails}, found {shown}"
        place = scenario.place("fails", scenario.fails)
        reporter.error("TW802", message, place)
