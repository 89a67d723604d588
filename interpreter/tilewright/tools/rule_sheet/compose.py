"""The sheet of one game as blocks: its statements in the order of a turn, the points, the tiles.

A statement is at the step that carries it out, beside others of its topic, so that a house rule is
beside the rule that it changes. One that no longer holds is left out where another takes its place,
and is otherwise shown with the reason. Statements about rulesets, or about boxes that are not in
the game, are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from tilewright.language.locale.words import Words, capital
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.compose.select import names_of, whole
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.walk import AnyRule, expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.comparison.components import compare_components
from tilewright.tools.comparison.sides import RuleView, sides_of
from tilewright.tools.comparison.statements import SideStatements
from tilewright.tools.comparison.unreachable import bound_figures
from tilewright.tools.rule_sheet.amounts import amounts_of
from tilewright.tools.rule_sheet.places import Place, Places
from tilewright.tools.workspace.workspace import WordIndex, Workspace, proved
from tilewright.view.comparison.topic_blocks import statement as shown_statement
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import EVERYWHERE, line
from tilewright.view.results.comparison import ShownStatement, State, Verdict

#: a picture of a tile, or nothing where the form has none
Draw = Callable[[m.PieceKind], str]
#: topics about rulesets themselves
_ABOUT_RULESETS = ("module", "ruleset")
#: parts of the box that are counted one by one, and marks whose tiles are counted
_COUNTED = ("tiles", "attribute", "figure", "token", "item")
_ON_TILES = ("symbol", "segment")
#: statements about other games: editions, missing boxes, other choices of an option
_LEFT_OUT = ("compares", "awaits", "option")
_SAME = Verdict(State.SAME)
#: the categories of what sentences name
_NAMED = ("features", "symbols", "figures", "tokens", "items", "roles", "steps")


def sheet_of(game: Game, library: Library, words: Words, draw: Draw | None = None) -> list[b.Block]:
    """The blocks of the sheet of a game; `draw` makes the pictures of its tiles."""
    made = _Composer(game, library, words)
    return [made.title(), made.notes(), made.box(), *made.rules(), made.amounts(), made.tiles(draw),
            made.left_out()]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence at its place; `group` is the first word of its topic."""

    place: Place | None
    group: str
    topic: str
    line: b.Statement | b.Line
    is_data: bool = False  # carried out by what is printed


class _Composer:
    """The parts of one sheet."""

    def __init__(self, game: Game, library: Library, words: Words) -> None:
        self.game, self.words = game, words
        (self.side,) = sides_of([game], [[ruleset.id for ruleset in game.rulesets]], None)
        self.book = SideStatements(self.side)
        self.places = Places(game)
        self.topics = library.topics(Reporter.discarding())
        topics = dict.fromkeys(each.topic for each in self.book.by_id.values())
        self._order = {topic: number for number, topic in enumerate(topics)}
        carried = {*self.places.carriers, *_of_the_box(game)}
        self._elsewhere = _elsewhere(game, library, carried, self.places.live)
        self._told: set[str] = set()  # rules without a statement that are on the sheet
        self._ended: list[b.Line] = []
        self._sentences = tuple(self._found())
        lines = (each.line for each in self._sentences)
        self._shown = {each.id: each for each in lines if isinstance(each, b.Statement)}

    def title(self) -> b.Title:
        """The titles of the rulesets."""
        titles = [r.module.title.get(self.words.language) or r.id for r in self.game.rulesets]
        return b.Title((b.Run(" + ".join(titles)),))

    def notes(self) -> b.Notes:
        """The number of players, the name of the game, and the sentences to be read with care."""
        players = self.game.players
        count = self.words("sheet.players", least=players[0], most=players[-1]) if players else ""
        said = [" · ".join(filter(None, (count, self.game.id)))]
        language, shown = self.words.language, self._shown
        foreign = sum(each.language != language for each in shown.values())
        said += [self.words.plural("sheet.in_english", foreign)] if foreign else []
        unread = sum(language in self.book.by_id[id_].unreviewed for id_ in shown)
        said += [self.words.plural("sheet.unreviewed", unread)] if unread else []
        return b.Notes(tuple(line("text", each) for each in said))

    def box(self) -> b.Section:
        """The tiles, what is printed on them, the figures and the tokens of the box."""
        unseen = {symbol.id for symbol in self.game.symbols if symbol.glyph == "none"}
        rows = []
        for row in compare_components([self.side], []):
            (cell,) = row.cells
            is_counted = row.what in _COUNTED or row.what in _ON_TILES
            if cell is None or cell.count is None or not is_counted or cell.id in unseen:
                continue
            name = cell.label.get(self.words.language) or cell.id
            if row.what == "tiles":
                name = self.words("comparison.heading.tiles")
            rows.append(self._row(capital(name), self._each(row.what, cell.id, cell.count)))
        title = self.words("comparison.heading.components")
        return b.Section("components", title, (b.Table("numbers", tuple(rows)),))

    def _each(self, what: str, id_: str, count: int) -> str:
        is_owned = any(f.id == id_ and f.owned for f in self.game.figures)
        if what == "figure" and is_owned:
            return self.words("sheet.each", n=count)
        if what in _ON_TILES:
            return self.words.plural("comparison.total.tiles", count)
        return str(count)

    def _row(self, name: str, text: str) -> b.Row:
        return b.Row(name, "", _SAME, "", name, (b.Cell((line("value", text),)),))

    # -------------------------------------------------------------- rules

    def rules(self) -> Iterator[b.Section]:
        """A section for each phase, with a part for each step."""
        by_step: dict[int, list[_Sentence]] = defaultdict(list)
        for sentence in self._sentences:
            if sentence.place is not None:
                by_step[sentence.place[0]].append(sentence)
        acting = {p[0] for rule in self.places.live if (p := self.places.of_rule(rule)) is not None}
        for phase in dict.fromkeys(step.declaration.phase for step in self.game.steps):
            parts: list[b.Section] = []
            for step in self.game.phase(phase):
                place = self.game.steps.index(step)
                found = by_step.get(place, [])
                if not found and place not in acting:
                    continue  # a house rule has taken away what it did
                paragraphs, number = tuple(self._paragraphs(found)), len(parts) + 1
                label = capital(step.declaration.label.get(self.words.language) or step.id)
                parts.append(
                    b.Section(
                        step.id, f"{number}. {label}", paragraphs, is_group=True, bare=EVERYWHERE
                    )
                )
            title = self.words.sentence(f"comparison.phase.{phase}")
            only = parts[0].blocks if len(parts) == 1 else tuple[b.Block, ...](parts)
            yield b.Section(phase, title, only)
        anywhere = (x for x in self._sentences if x.place is None and not x.is_data)
        paragraphs = tuple(self._paragraphs(anywhere))
        yield b.Section("anywhere", self.words("sheet.anywhere"), paragraphs)

    def _paragraphs(self, found: Iterable[_Sentence]) -> Iterator[b.Paragraph]:
        """One paragraph for each group of topics, the earliest first."""
        groups: dict[str, list[_Sentence]] = defaultdict(list)
        for sentence in found:
            groups[sentence.group].append(sentence)
        first = {
            group: min(each.place or (0, 0) for each in those) for group, those in groups.items()
        }
        for group in sorted(groups, key=first.__getitem__):
            sentences = groups[group]
            label = self.topics.get(group, m.NO_LABEL).get(self.words.language)
            sentences.sort(key=lambda each: self._order.get(each.topic, len(self._order)))
            yield b.Paragraph(capital(label or group), tuple(each.line for each in sentences))

    def _found(self) -> Iterator[_Sentence]:
        said: set[str] = set()
        for statement in self.book.by_id.values():
            cell = self.book.cell([statement])
            assert cell is not None
            (shown,) = cell.statements
            place = self.places.of_statement(statement)
            if not self._is_on_sheet(statement, shown, place):
                continue
            group = statement.topic.split(".")[0]
            if statement.says in said:
                continue  # another box has the same sentence about its parts
            said.add(statement.says)
            for each in self._lines(statement, shown):
                yield _Sentence(place, group, statement.topic, each, shown.carried == "data")
        for view in self._unstated():
            rule = next(r for r in self.places.live if r.rule.head.id == view.id)
            place = self.places.of_rule(rule)
            title = next(r for r in self.game.rulesets if r.id == view.cell.ruleset).module.title
            name = title.get(self.words.language) or view.cell.ruleset
            yield _Sentence(place, name, view.id, self._rule(view))

    def _is_on_sheet(
        self, statement: m.Statement, shown: ShownStatement, place: Place | None
    ) -> bool:
        if statement.topic.split(".")[0] in _ABOUT_RULESETS or statement.carried_by == "module":
            return False
        if shown.carried in _LEFT_OUT or statement.is_example or statement.id in self._elsewhere:
            return False
        lapse = shown.lapse
        if lapse is not None and lapse.extent == "gone" and lapse.told_by:
            text = shown_statement(shown, self.words, EVERYWHERE)
            if shown.carried != "nothing":
                self._ended.append(line("item", f"{text.lead}{text.text}"))
            return False
        if shown.carried == "nothing":
            step = None if place is None else self.game.steps[place[0]].declaration
            return bool(statement.no_rule) and step is not None and step.phase == "setup"
        if shown.carried == "follows":
            rules = {rule.rule.head.id for rule in self.places.live}
            return rules.issuperset(statement.follows_from)
        return True

    def _lines(
        self, statement: m.Statement, shown: ShownStatement
    ) -> Iterator[b.Statement | b.Line]:
        made = shown_statement(shown, self.words, EVERYWHERE)
        notes = tuple(note for note in made.notes if note.kind == "ended")
        if shown.lapse is not None and shown.lapse.extent == "part":
            made = replace(made, text=f"{made.lead}{made.text}", lead="")
            notes = () if shown.lapse.told_by else notes
        if statement.authority is m.Authority.HOUSE:
            notes += (line("ended", made.authority),)
        yield replace(made, cited="", sources=(), notes=notes)
        for detail in self.book.replaced([statement]):
            yield line("detail", _sentence(detail.get(self.words.language)))
        for view in self.book.unstated.get(statement.id, ()):
            if view.id not in self._told:
                self._told.add(view.id)
                yield self._rule(view)

    def _unstated(self) -> Iterator[RuleView]:
        """Rules that no statement describes, and that no sentence has shown."""
        for rule in self.places.live:
            view = self.side.views[self.side.names.of("rule", rule.rule.head.id)]
            if not view.cell.statements and view.id not in self._told:
                self._told.add(view.id)
                yield view

    def _rule(self, view: RuleView) -> b.Line:
        label = self.game.labels.get(view.id, m.NO_LABEL).get(self.words.language)
        text = view.cell.says.get(self.words.language)
        return line("detail", _sentence(f"{capital(label)}: {text}" if label else text))

    # -------------------------------------------------------------- tables

    def amounts(self) -> b.Section:
        """The points, by the step in which they are paid."""
        by_step: dict[int, list[b.Row]] = defaultdict(list)
        for amount in amounts_of(self.game, self.places, self._elsewhere, self.words):
            by_step[amount.place[0]].append(self._row(amount.what, amount.text))
        parts = []
        for number, rows in by_step.items():
            step = self.game.steps[number].declaration
            label = capital(step.label.get(self.words.language) or step.id)
            table = b.Table("numbers", tuple(rows))
            parts.append(b.Section(f"amounts-{step.id}", label, (table,), is_group=True))
        return b.Section("amounts", self.words("sheet.amounts"), tuple(parts))

    def tiles(self, draw: Draw | None) -> b.Section:
        """The tiles of each ruleset with their numbers."""
        of_tiles = (x for x in self._sentences if x.place is None and x.is_data)
        blocks: list[b.Block] = [*self._paragraphs(of_tiles)]
        pieces = {piece.id: piece for piece in self.game.pieces}
        for ruleset in self.game.rulesets:
            own = dict.fromkeys(piece.id for piece in ruleset.pieces)  # one may be declared twice
            kinds = tuple(
                b.TileCount(piece.count, piece.id.replace("_", " "), draw(piece) if draw else "")
                for piece in (pieces[id_] for id_ in own if id_ in pieces)
                if piece.count
            )
            own_title = ruleset.module.title.get(self.words.language) or ruleset.id
            total = self.words.plural("comparison.total.tiles", sum(kind.number for kind in kinds))
            blocks.append(b.Tiles(f"{own_title}: {total}", kinds))
        return b.Section("tiles", self.words("comparison.heading.tiles"), tuple(blocks))

    def left_out(self) -> b.Section:
        """The other choices of options, open questions, and statements that others replace."""
        chosen, language = dict(self.game.options), self.words.language
        rows = []
        for option in _options(self.game):
            now = chosen.get(option.id, option.default)
            named = {choice: option.named(choice).get(language) for choice in option.choices}
            others = ", ".join(text for choice, text in named.items() if choice != now)
            text = self.words("sheet.chosen", choice=named[now], others=others)
            rows.append(self._row(capital(option.says.get(language) or option.id), text))
        questions = [
            line("item", question.asks)
            for statement in self.game.statements().values()
            for question in statement.questions
            if not question.option and not question.settled
        ]
        table = b.Table("numbers", tuple(rows))
        notes = b.Notes((*questions, *self._ended))
        return b.Section("left-out", self.words("sheet.left_out"), (table, notes))


def _sentence(text: str) -> str:
    """A text of the program as a sentence among others."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _of_the_box(game: Game) -> Iterator[str]:
    """Statements that the parts of a box carry out, whoever plays with them."""
    return (
        id_
        for id_, each in game.statements().items()
        if each.carried_by and each.carried_by != "tiles"
    )


def _elsewhere(
    game: Game, library: Library, carried: Container[str], rules: Iterable[AnyRule]
) -> frozenset[str]:
    """Statements about rulesets that are not in a game.

    All scenarios that prove one are in games with further rulesets; and nothing here has carried it
    out, or its sentence names what these rulesets bring, or all its rules name figures that can
    stand only with them.
    """
    here = _names(game)
    named: dict[str, list[set[str]]] = defaultdict(list)
    for rule in rules:
        ids = {each.id for each in expressions_of(rule) if isinstance(each, t.Constant)}
        for id_ in rule.rule.head.statements:
            named[id_].append(ids)
    index = WordIndex(Workspace(library), "proved", proved, "scenarios")
    found = set()
    for id_, statement in game.statements().items():
        games = [
            {cut_part(name)[0] for name in scenario.rulesets or (owner,)}
            for owner, ruleset in index.by(id_).items()
            for scenario in ruleset.scenarios
            if id_ in scenario.statements
        ]
        if not games or any(map(here.issuperset, games)):
            continue
        words, bound = _brought(frozenset().union(*games) - here, game, library)
        is_bound = bool(named[id_]) and not any(map(bound.isdisjoint, named[id_]))
        if id_ not in carried or is_bound or words.search(statement.wording):
            found.add(id_)
    return frozenset(found)


def _brought(
    others: Iterable[str], game: Game, library: Library
) -> tuple[re.Pattern[str], set[str]]:
    """Matches the name of anything that other rulesets would bring into a game: their things, and
    the kinds of features on which a figure of this game can stand only with them; with the figures
    that stand on no others, whose names match as well.
    """
    quiet = Reporter.discarding()
    load = partial(library.load_rules, reporter=quiet)
    rulesets = [ruleset for id_ in others if (ruleset := whole(id_, load))]
    held = {(figure, role.on) for role in game.roles for figure in role.figures}
    brought = {(f, role.on) for r in rulesets for role in r.roles for f in role.figures} - held
    opened = {kind for figure, kind in brought if any(f.id == figure for f in game.figures)}
    bound = {f for f, kinds in bound_figures(game).items() if kinds & opened}
    words = _things(rulesets) - _things(game.rulesets)
    words |= {kind.label.get("en") for kind in game.features if kind.id in opened}
    words |= {figure.label.get("en") for figure in game.figures if figure.id in bound}
    parts = "|".join(re.escape(word) for word in sorted(filter(None, words)))
    return re.compile(rf"\b({parts})" if parts else r"(?!)", re.IGNORECASE), bound


def _things(rulesets: Iterable[m.Ruleset]) -> set[str]:
    return {x.label.get("en") for r in rulesets for name in _NAMED for x in getattr(r, name)}


def _names(game: Game) -> frozenset[str]:
    return frozenset(name for ruleset in game.rulesets for name in names_of(ruleset))


def _options(game: Game) -> Iterator[m.OptionDecl]:
    """The options that decide something in a game: not those about rulesets that are not in it."""
    here = _names(game)
    for ruleset in game.rulesets:
        heads: list[m.RuleHead | m.Patch] = [rule.head for rule in ruleset.rules]
        heads += ruleset.patches
        for option in ruleset.module.options:
            using = [head for head in heads if option.id in dict(head.option)]
            if not using or any(all(x.id in here for x in head.with_) for head in using):
                yield option
