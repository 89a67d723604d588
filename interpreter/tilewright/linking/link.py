"""Rulesets and options to one Game. Reads like a table of contents; each part lives one call away.

Every complaint is reported; nothing is run. The order in which rulesets are given never matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from tilewright.analysis import conflicts, ordering, termination
from tilewright.analysis.members import Box
from tilewright.analysis.tiles import check_tiles, with_ports
from tilewright.analysis.unused import note_idle
from tilewright.language import typed_ast as t
from tilewright.language.environment import Names
from tilewright.language.parser import parse_expression
from tilewright.language.typecheck import ExpressionChecker, Scope
from tilewright.language.types import fits, in_words
from tilewright.linking.compose.gather import Gathered, gather
from tilewright.linking.compose.select import ASKED, Load, Selection, select, split_game
from tilewright.linking.compose.subset import explained
from tilewright.linking.content_hash import digest, digests, facts_of
from tilewright.linking.elaborate.environment import names_of
from tilewright.linking.elaborate.rules import BodyLinker
from tilewright.linking.elaborate.turn import TurnLinker
from tilewright.linking.game import (
    Game,
    LinkedAction,
    LinkedDefinition,
    LinkedMemory,
    LinkedRule,
    LinkedStep,
    LinkedValue,
    bodies_of,
)
from tilewright.linking.walk import all_expressions
from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Reporter, did_you_mean
from tilewright.source.text import Code, Span

#: so many may play where no ruleset names colours for them
MOST_SEATS = 100


def link_game(text: str, options: Mapping[str, str], load: Load, reporter: Reporter) -> Game | None:
    """The game that a text such as `first/base+first/more` names; None after reporting why not."""
    selection = select(split_game(text), options, load, reporter)
    return None if selection is None else link(selection, reporter)


def link(selection: Selection, reporter: Reporter) -> Game | None:
    """Join the selected rulesets; None when anything is wrong."""
    if all(ruleset.entire is None for ruleset in selection.rulesets):
        return _Linker(selection, gather(selection, reporter), reporter).game()
    found = Reporter()
    game = _Linker(selection, gather(selection, found), found).game()
    reporter.extend(explained(found.diagnostics, selection.rulesets))
    if game is None:
        return None
    if not game.phase("turn"):
        parts = ", ".join(f"`{r.id}{r.part}`" for r in selection.rulesets if r.entire is not None)
        message = f"there is nothing to play: no ruleset of this game has a turn, with {parts}"
        reporter.error("TW756", message, ASKED)
        return None
    rulesets = tuple(ruleset.entire or ruleset for ruleset in selection.rulesets)
    whole, quiet = replace(selection, rulesets=rulesets), Reporter.discarding()
    note_idle(game, _Linker(whole, gather(whole, quiet), quiet).game(), selection, reporter)
    return game


class _Linker:
    def __init__(self, selection: Selection, gathered: Gathered, reporter: Reporter) -> None:
        self.selection = selection
        self.g = gathered
        self.reporter = reporter
        self.names = names_of(selection, gathered, reporter)

    def _warn_of_empty_turns(self, steps: Sequence[LinkedStep]) -> None:
        """Warn of a game in whose turns nothing happens: it would never end.

        A ruleset that is to be played with others and does not say with which, or that is taken in
        part, is no game yet.
        """
        rulesets = self.selection.rulesets
        if not any(r.module.kind == "base" and r.entire is None for r in rulesets):
            return
        turn = [step for step in steps if step.declaration.phase == "turn"]
        if not any(step.rules or step.actions for step in turn):
            message = "nothing happens in a turn: no rule or action stands at a step of it"
            self.reporter.warning("TW761", message, self.selection.rulesets[0].module.span)

    def _check_players(self, values: Mapping[str, LinkedValue], least: int, most: int) -> None:
        """Report numbers of players that nobody can be; `most` is at most the number of seats."""
        if 1 <= least <= most:
            return
        named = [values[id_] for id_ in ("players.least", "players.most") if id_ in values]
        changed = [value for value in named if value.history[-1][2] is not None]
        message = f"the game is for {least} players at least, and for {most} at most"
        self.reporter.error("TW762", message, _last_set((changed or named)[0]))

    def game(self) -> Game | None:
        pieces = self._pieces()
        self._check_pieces()
        values = self._values()
        bodies = BodyLinker(self.selection, self.g, self.names, self.reporter)
        definitions = bodies.definitions()
        procedures, events, step_rules, actions = bodies.rules()
        measures = bodies.measures()
        turn = TurnLinker(self.selection, self.g, bodies.in_order, self.reporter)
        steps = turn.steps(step_rules, actions)
        below = self.selection.below
        conflicts.check_amendments(definitions.values(), self.g.roles, below, self.reporter)
        termination.check(definitions, procedures, events, self.reporter)
        self._warn_of_empty_turns(steps)
        if self.reporter.has_errors:
            return None
        box = Box(self.g.figures, self.g.roles, self.g.tokens, self.g.stacks)
        ordering.check_order(
            steps, turn.earlier, definitions, events, procedures, box, below, self.reporter
        )
        conflicts.check_ends(steps, events, procedures, self.reporter)
        if self.reporter.has_errors:
            return None
        rules = bodies_of(steps, events.values(), procedures.values())
        live = self._live(values, rules, definitions)
        conflicts.check_ways_home(rules, self.g.figures.values(), self.reporter)
        conflicts.check_carrying(rules, self.g.figures, self.reporter)
        if self.reporter.has_errors:
            return None
        least = _number(values, "players.least", 2)
        most = _number(values, "players.most", 6)
        most = min(most, len(self.g.seats) or MOST_SEATS)
        self._check_players(values, least, most)
        if self.reporter.has_errors:
            return None
        facts = facts_of(self.g, steps, definitions, events, procedures)
        return Game(
            id=self.selection.id,
            rulesets=self.selection.rulesets,
            options=tuple(sorted(self.selection.options.items())),
            hash=digest(facts),
            hashes=digests(facts, self.g),
            facts=facts,
            names=self.names,
            features=tuple(self.g.features[k] for k in sorted(self.g.features)),
            symbols=tuple(self.g.symbols[k] for k in sorted(self.g.symbols)),
            figures=tuple(self.g.figures[k] for k in sorted(self.g.figures)),
            tokens=tuple(self.g.tokens[k] for k in sorted(self.g.tokens)),
            roles=tuple(self.g.roles[k] for k in sorted(self.g.roles)),
            traits=self._traits(),
            stacks=self._stacks(most),
            pieces=pieces,
            seats=self.g.seats,
            values=MappingProxyType(values),
            memory=self._memory(),
            steps=steps,
            definitions=MappingProxyType(definitions),
            events=MappingProxyType(events),
            procedures=MappingProxyType(procedures),
            measures=measures,
            patches=tuple(self.g.patches),
            live=live,
            players_least=least,
            players_most=most,
        )

    def _stacks(self, players: int) -> tuple[m.StackDecl, ...]:
        """All stacks by their names; one that players own is there for each, in their order."""
        seats = self.g.seats
        found: list[m.StackDecl] = []
        for _, stack in sorted(self.g.stacks.items()):
            if not stack.owned:
                found.append(stack)
                continue
            for player in range(players):
                seat = seats[player].label.texts if player < len(seats) else ()
                name = seats[player].id if player < len(seats) else f"player{player + 1}"
                whose = dict(seat)
                label = m.Labels(
                    tuple((k, f"{text} ({whose.get(k, name)})") for k, text in stack.label.texts)
                )
                found.append(replace(stack, id=f"{name} {stack.id}", label=label))
        return tuple(found)

    def _traits(self) -> tuple[str, ...]:
        figures = {trait for figure in self.g.figures.values() for trait in figure.traits}
        tokens = {trait for token in self.g.tokens.values() for trait in token.traits}
        return tuple(sorted(figures | tokens))

    def _pieces(self) -> tuple[m.PieceKind, ...]:
        kinds = self.g.features
        marked = {kind.from_symbol: kind for kind in kinds.values() if kind.from_symbol}
        for symbol, kind in marked.items():
            if symbol not in self.g.symbols:
                message = f"`{kind.id}` comes from an unknown symbol `{symbol}`"
                known = did_you_mean(symbol, self.g.symbols)
                self.reporter.error("TW727", message + known, kind.span)
        return tuple(
            with_marked_segments(with_ports(self.g.pieces[id_], kinds, self.reporter), marked)
            for id_ in sorted(self.g.pieces)
        )

    def _check_pieces(self) -> None:
        pieces = tuple(self.g.pieces.values())
        check_tiles(pieces, self.g.features, tuple(self.g.symbols.values()), self.reporter)
        for piece in pieces:
            if piece.stack and piece.stack not in self.g.stacks:
                message = f"unknown stack `{piece.stack}`{did_you_mean(piece.stack, self.g.stacks)}"
                self.reporter.error("TW305", message, piece.span)

    def _values(self) -> dict[str, LinkedValue]:
        found: dict[str, LinkedValue] = {}
        # a value is a number, a truth or a name: it may use no other value
        plain = ExpressionChecker(
            Names(self.names.constants, {}, {}, {}, {}, {}, frozenset()), self.reporter
        )
        for id_, declaration in sorted(self.g.values.items()):
            type_ = self.names.values[id_]
            code = Code(declaration.value, declaration.span.file, declaration.span.line, 1, 0)
            quiet = Reporter()
            node = parse_expression(code, quiet)
            if node is None:
                message = f"`{declaration.value}` is no value for `{id_}`"
                self.reporter.error("TW725", message, declaration.span)
                continue
            checker = ExpressionChecker(plain.names, quiet)
            term = checker.expression(node, Scope())
            if quiet.has_errors or not fits(term.type, type_):
                known = [n for n, c in self.names.constants.items() if c.type == type_]
                message = f"`{id_}` must be {in_words(type_)}, and `{declaration.value}` is none"
                guess = did_you_mean(declaration.value, known)
                self.reporter.error("TW725", message + guess, declaration.span)
            history = tuple(self.g.value_history[id_])
            found[id_] = LinkedValue(declaration, type_, term, history)
        return found

    def _memory(self) -> tuple[LinkedMemory, ...]:
        return tuple(
            LinkedMemory(self.g.memory[id_], self.names.memory[id_])
            for id_ in sorted(self.g.memory)
        )

    def _live(
        self,
        values: Mapping[str, LinkedValue],
        rules: Sequence[LinkedRule | LinkedAction],
        definitions: Mapping[str, LinkedDefinition],
    ) -> frozenset[str]:
        """Kinds of feature that anything can come of: the rest is scenery.

        Figures stand on them, a rule or a value names them, or a symbol stands for one of them.
        """
        live = {role.on for role in self.g.roles.values()}
        live |= {kind.id for kind in self.g.features.values() if kind.from_symbol}
        in_values = (each for value in values.values() for each in t.walk(value.term))
        for each in chain(all_expressions(rules, definitions.values()), in_values):
            match each:
                case t.Constant("feature kind", id_):
                    live.add(id_)
                case t.Constant("role", id_):
                    live.add(self.g.roles[id_].on)
        return frozenset(live)


def with_marked_segments(piece: m.PieceKind, marked: Mapping[str, m.FeatureKind]) -> m.PieceKind:
    """The piece with a segment for each symbol that stands for one in this game."""

    def cell_with(cell: m.TileFace) -> m.TileFace:
        more = tuple(
            m.Segment(marked[symbol].id, marked[symbol].id, (), (), (), (), (), (), "", cell.span)
            for symbol in cell.symbols
            if symbol in marked
        )
        return replace(cell, segments=(*cell.segments, *more)) if more else cell

    if not marked:
        return piece
    return replace(piece, faces=tuple(tuple(map(cell_with, face)) for face in piece.faces))


def _last_set(value: LinkedValue) -> Span:
    """Where a value was set to what it is."""
    patch = value.history[-1][2]
    return value.declaration.span if patch is None else patch.span


def _number(values: Mapping[str, LinkedValue], name: str, default: int) -> int:
    value = values.get(name)
    match value:
        case LinkedValue(term=t.Literal(int() as number)):
            return number
    return default
