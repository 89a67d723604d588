"""A trial of one game: link, compile, play at random, and check invariants on the way.

Games are numbered. The number gives the count of players and, with the seed, all random events,
so a failed game can be played again from its name, seed and number alone. The choice of rulesets
belongs to `matrix`. A match is only read, never changed: `quick_fault` checks figures, pieces,
tokens and points, and `deep_fault` also rebuilds the board and replays the log. Scenarios, not
invariants, check that the rules are the right ones.
"""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tilewright.language import builtins as p
from tilewright.language.source.diagnostics import Reporter, Severity
from tilewright.language.source.text import NOWHERE
from tilewright.language.types import NUMBER
from tilewright.language.typing import typed_ast as t
from tilewright.play.board.rebuild import derived, laid_pieces, pieces_on, rebuilt
from tilewright.play.board.relaying import laid_again
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.encoding import BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY
from tilewright.play.faults import RuleError, last_rule
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import seat_name
from tilewright.play.program import Program
from tilewright.play.replay import LogError, replayed_again
from tilewright.rules.linking.game import Game, bodies_of
from tilewright.rules.linking.walk import definition_expressions
from tilewright.rules.reading.library import Library
from tilewright.tools.interactions.overlaps import Interaction, interactions_of
from tilewright.tools.workspace.loading import load_game

# ----------------------------------------------------------------------------- checks


def quick_fault(match: Match, points_may_fall: bool) -> str:
    """The first thing that cannot be, or the empty text; cheap enough for every few choices."""
    looks = (_places(match), _companions(match), _pieces(match), _tokens(match),
             _points(match, points_may_fall))  # fmt: skip
    return next((fault for look in looks for fault in look), "")


def deep_fault(match: Match, points_may_fall: bool) -> str:
    """The same with all expensive checks: the board rebuilt, the log replayed, a copy."""
    found = quick_fault(match, points_may_fall)
    if found:
        return found
    board = match.board
    spots = enumerate(match.spot)
    standing = [(f, spot >> 5, (spot & 31) - 1) for f, spot in spots if spot >= 0 and spot & 31]
    if board.relaid:
        again = laid_again(board, match.spot)
    else:
        laid = laid_pieces(board)
        again = rebuilt(board.shapes, laid, standing, board.links, board.recasts, board.covers)
    expected = derived(again)
    kept = derived(board)
    if expected != kept:
        wrong = ", ".join(name.replace("_", " ") for name in kept if kept[name] != expected[name])
        return f"the board is not what the pieces laid make of it: {wrong}"
    digest = match.digest()
    if match.fork().digest() != digest:
        return "a copy of the match is not what the match is"
    try:
        replayed_again(match)
    except LogError as fault:
        return f"the log cannot be played again: {fault}"
    return ""


# ------------------------------------------------------------------ figures


def _places(match: Match) -> Iterator[str]:
    """Every figure is in one place, and every place knows of it."""
    game, board = match.program.game, match.board
    fronts = range(IN_FRONT_OF - len(match.players) + 1, IN_FRONT_OF + 1)
    besides = range(BESIDE_STACK - len(game.stacks) + 1, BESIDE_STACK + 1)
    home = placed = 0
    for figure, spot in enumerate(match.spot):
        if spot == IN_SUPPLY:
            home |= 1 << figure
        elif spot >= 0:
            placed |= 1 << figure
            if spot >> 5 >= len(board.tile_shape):
                yield f"{_name(match, figure)} stands on a tile that is not there"
                return
        elif spot not in fronts and spot not in besides:
            yield f"{_name(match, figure)} is in a place that is not there"
    for mask, kept, where in (
        (home, match.in_supply, "at home"),
        (placed, match.on_board, "on the board"),
    ):
        for figure in bits(mask ^ kept):
            yield f"{_name(match, figure)} is counted wrongly {where}"
    on_features: Counter[int] = Counter()
    for root in board.feature_roots():
        mask = board.figures[root]
        if mask:
            on_features.update(bits(mask))
    for figure, spot in enumerate(match.spot):
        stands = spot >= 0 and bool(spot & 31)
        if on_features[figure] != stands:
            yield f"{_name(match, figure)} stands on {on_features[figure]} features, not {stands:d}"
        elif stands:
            segment = spot - 1
            root = board.find(board.tile_features[segment >> 5][segment & 31])
            if not board.figures[root] >> figure & 1:
                yield f"{_name(match, figure)} is not on the feature of its segment"
    counted = Counter(zip(match.figure_kind, match.owner, strict=True))
    for number, kind in enumerate(game.figures):
        for owner in match.players if kind.owned else (None,):
            if counted[number, owner] != kind.count:
                yield f"there are {counted[number, owner]} figures `{kind.id}`, not {kind.count}"


def _companions(match: Match) -> Iterator[str]:
    """Companions must be on the tile of their partner, and never their own partner."""
    for figure, other in enumerate(match.attached_to):
        if other is None:
            continue
        spot, theirs = match.spot[figure], match.spot[other]
        if other == figure or spot < 0 or theirs < 0 or spot >> 5 != theirs >> 5:
            yield f"{_name(match, figure)} is beside {_name(match, other)} and not on its tile"


def _name(match: Match, figure: int) -> str:
    return f"`{match.figure_name(figure)}`"


# ------------------------------------------------------------------ pieces, tokens, points


def _pieces(match: Match) -> Iterator[str]:
    """Each piece is on the board or in one stack; while somebody chooses, it may be in a hand."""
    found = Counter(pieces_on(match.board))
    for stack in match.stacks:
        found.update(stack)
    held = 0
    for number, kind in enumerate(match.program.game.stacked):
        missing = kind.count - found[number]
        held += max(0, missing)
        if missing < 0:
            yield f"there are {found[number]} pieces `{kind.id}`, not {kind.count}"
    hands = (1 + _remembered(match)) if match.to_move >= 0 else 0
    if held > hands:
        yield f"{held} pieces are neither on the board nor in a stack"


def _remembered(match: Match) -> int:
    """How many pieces the game may be holding in its memory."""
    found = 0
    for kept, value in zip(match.program.game.memory, match.memory, strict=True):
        if kept.type.base in ("piece", "item") and kept.of:
            found += sum(held is not None for _, held in value)
        elif kept.type.base in ("piece", "item") and value is not None:
            found += len(value) if isinstance(value, list) else 1
    return found


def _tokens(match: Match) -> Iterator[str]:
    """Each kind of token is in the supply and with the players, as many as there are of it."""
    width = len(match.players) + 1
    for number, token in enumerate(match.program.game.tokens):
        held = match.tokens[number * width : (number + 1) * width]
        if min(held) < 0 or sum(held) != token.count:
            yield f"the tokens `{token.id}` are {sum(held)} in all, not {token.count}"


def _points(match: Match, may_fall: bool) -> Iterator[str]:
    for player in match.players:
        if match.points[player] < 0 and not may_fall:
            yield f"`{seat_name(match, player)}` has {match.points[player]} points"


def points_may_fall(program: Program) -> bool:
    """Whether anything in a game can take points away: it subtracts where points are reckoned."""
    game = program.game
    if any(_is_negative(value.term) for value in game.values.values()):
        return True
    return any(map(_subtracts, _reckoned(game)))


def _reckoned(game: Game) -> Iterator[t.Expression]:
    """The expressions of all numerical definitions, and of all rules that give points."""
    for definition in game.definitions.values():
        if definition.type == NUMBER:
            yield from definition_expressions(definition)
    for rule in bodies_of(game.steps, game.events.values(), game.procedures.values()):
        effects = t.walk_effects(rule.effects)
        if any(
            isinstance(effect, t.Verb) and effect.verb in (p.AWARD, p.GRANT) for effect in effects
        ):
            yield from t.walk_body(rule.effects)


def _subtracts(node: t.Expression) -> bool:
    return isinstance(node, t.Negative) or (isinstance(node, t.Arithmetic) and node.operator == "-")


def _is_negative(value: t.Expression) -> bool:
    match value:
        case t.Literal(bool()):
            return False
        case t.Literal(int() as number):
            return number < 0
    return any(map(_subtracts, t.walk(value)))


# ------------------------------------------------------------------ trials


#: choices between two quick looks at a match
STRIDE = 50
#: which of those looks is a deep one; the end always is
DEEP_LOOK = 2
#: a game by lot that takes more choices does not end
MAX_CHOICES = 20_000
#: codes of refusals that somebody has written down: `conflicts:`, one role provided twice
DECLARED = frozenset(("TW702", "TW703"))


class State(StrEnum):
    """The outcome of a combination of rulesets."""

    PLAYS = "plays"
    REFUSED = "refused"  # a ruleset declares that the two are incompatible
    CLASHES = "clashes"  # no declaration, but the linker finds that they are incompatible
    FAILS = "fails"  # linked, and then something that must not happen


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed game: game `number` under `seed`, after `choices` choices."""

    number: int
    seed: str
    players: int
    choices: int
    what: str
    log: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one game. `game` is its full id, empty where the rulesets make none."""

    text: str
    game: str
    state: State
    code: str = ""
    reason: str = ""
    games: int = 0
    choices: int = 0
    failures: tuple[Failure, ...] = ()
    interactions: tuple[tuple[tuple[str, str], tuple[Interaction, ...]], ...] = ()


def try_game(
    library: Library,
    text: str,
    games: int,
    seed: str,
    pairs: Iterable[tuple[str, str]] = (),
) -> Outcome:
    """Link, compile and play a game; `pairs` are its rulesets whose interactions are wanted."""
    game, reporter = load_game(text, {}, library)
    if game is None:
        return refusal(text, reporter)
    interactions = tuple((pair, interactions_of(game, *pair)) for pair in pairs)
    try:
        program = compile_game(game)
    except Exception as fault:  # whatever it is, the other games must be tried
        reason = f"it cannot be compiled: {_explained(fault)}"
        return Outcome(text, game.id, State.FAILS, reason=reason, interactions=interactions)
    played, choices, may_fall = 0, 0, points_may_fall(program)
    failures: list[Failure] = []
    for number in range(games):
        made, failure = play_randomly(program, number, seed, may_fall)
        played += 1
        choices += made
        if failure is not None:
            failures.append(failure)
    state = State.FAILS if failures else State.PLAYS
    reason = failures[0].what if failures else ""
    return Outcome(text, game.id, state, "", reason, played, choices, tuple(failures), interactions)


def refusal(text: str, reporter: Reporter) -> Outcome:
    """The outcome of a game that cannot be linked; the first error has the reason."""
    errors = [d for d in reporter.diagnostics if d.severity is Severity.ERROR]
    declared = next((d for d in errors if d.code in DECLARED), None)
    problem = declared or next(iter(errors), None)
    if problem is None:
        return Outcome(
            text, "", State.CLASHES, "", "it cannot be linked, and no error was reported"
        )
    state = State.REFUSED if declared is not None else State.CLASHES
    return Outcome(text, "", state, problem.code, problem.message)


def players_in(game: Game, number: int) -> int:
    """The number of players of game `number`: cycles from the fewest to the most."""
    return game.players[number % len(game.players)] if game.players else game.players_least


def play_randomly(
    program: Program, number: int, seed: str, may_fall: bool
) -> tuple[int, Failure | None]:
    """Play one game at random to its end and check it: the number of choices, and the failure if
    any.

    `may_fall`: the rules of this game can take points away.
    """
    players = players_in(program.game, number)
    chance = f"{seed}/{number}"
    rng = random.Random(chance)
    match: Match | None = None
    choices = 0
    try:
        match = start_match(program, players, chance)
        what = quick_fault(match, may_fall)
        while match.to_move >= 0 and not what:
            match.choose_number(int(rng.random() * match.count))
            choices += 1
            if choices % STRIDE == 0:
                look = deep_fault if choices == STRIDE * DEEP_LOOK else quick_fault
                what = look(match, may_fall)
                if choices >= MAX_CHOICES:
                    what = what or f"it has not ended after {choices} choices"
        if not what:
            what = "" if match.is_over else "it stopped without a decision before its end"
            what = what or deep_fault(match, may_fall)
            match.winners()
    except Exception as fault:  # whatever it is, the other games must be played
        what = _explained(fault, program)
    if not what:
        return choices, None
    log = tuple(match.log) if match is not None else ()
    return choices, Failure(number, seed, players, choices, what, log)


def _explained(fault: Exception, program: Program | None = None) -> str:
    """An exception in a sentence, with the rule that it came from, if any."""
    if isinstance(fault, RuleError):
        return f"the rules cannot be carried out: {fault}"
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    rule, span = ("", NOWHERE) if program is None else last_rule(program, fault.__traceback__)
    where = f" (in rule `{rule}` at {span})" if rule else ""
    return f"internal error{place}: {fault}{where}"
