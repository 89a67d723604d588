"""Books for the page: a ruleset's statements with their rules and scenarios, and its scenarios
step by step. All sentences come from rulesets or `render`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.faces.studio.client import Client, RefusedError
from tilewright.faces.studio.kept_answers import kept_answer
from tilewright.faces.studio.protocol import book as p
from tilewright.faces.studio.table.match_view import board_state
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.play.match import Match
from tilewright.play.notation import seat_name
from tilewright.rules.linking.compose.select import whole
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.linking.rule_text import rule_hook
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.sides import rule_text
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.inspection import check_names
from tilewright.tools.scenarios.runner import Programs, played_out, run_scenario
from tilewright.tools.traceability.statement_coverage import Questions
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.library_index import LibraryIndex
from tilewright.tools.workspace.loading import Report, load_game, unreported, worded
from tilewright.tools.workspace.workspace import Workspace
from tilewright.view.board.page import named_colours
from tilewright.view.board.svg import tile_svg
from tilewright.view.board.view import spoken_kinds, spoken_symbols
from tilewright.view.match_phrases import choice_words, printed_words
from tilewright.view.places import seat_label
from tilewright.view.rule_sentences import RuleSpeaker

#: hits of a search that are sent
_MAX_HITS = 60
_TILE = 72


def read(
    library: Library, id_: str, language: str = "en", report: Report = unreported
) -> p.Book | None:
    """A ruleset to be read; None if it cannot be."""
    quiet = Reporter.discarding()
    report("reading")
    ruleset = whole(id_, lambda name: library.load(name, quiet))
    if ruleset is None:
        return None
    ruleset = worded(ruleset, library)
    game, _ = load_game(id_, library=library, report=report)
    module, words = ruleset.module, Words(language)
    known = module.known_edition
    edition = words("comparison.edition", editions=known) if known else ""
    return {
        "id": id_,
        "title": module.title.get(language) or id_,
        "note": ", ".join(filter(None, (edition, str(module.year or "")))),
        "groups": _groups(ruleset, library, language),
        "rules": [_rule(rule, game, language) for rule in ruleset.rules],
        "scenarios": [
            {"id": s.id, "says": s.says, "choices": sum(x.verb == "choose" for x in s.lines)}
            for s in ruleset.scenarios
        ],
        "tiles": sum(piece.count for piece in _own_pieces(ruleset, game)),
        "questions": sum(len(statement.questions) for statement in ruleset.statements),
        "house": _house_rules(id_, library, language),
    }


# ------------------------------------------------------------------ statements


def _groups(ruleset: m.Ruleset, library: Library, language: str) -> list[p.BookGroup]:
    """Statements by topic, in the order of the rulebook."""
    names = library.topics(Reporter.discarding())
    carried = _carried(ruleset)
    by_topic: dict[str, list[m.Statement]] = {}
    for statement in ruleset.statements:
        by_topic.setdefault(statement.topic, []).append(statement)
    sources = {source.id: source for source in ruleset.module.sources}
    groups: dict[str, list[p.BookTopic]] = {}
    for topic, statements in by_topic.items():
        shown = [_statement(s, ruleset, carried, sources, language) for s in statements]
        label = _label(names, topic, language) or topic.partition(".")[2] or topic
        found: p.BookTopic = {"id": topic, "label": label, "statements": shown}
        groups.setdefault(topic.split(".")[0], []).append(found)
    return [
        {"id": id_, "label": _label(names, id_, language) or id_, "topics": topics}
        for id_, topics in groups.items()
    ]


def _label(names: dict[str, m.Labels], id_: str, language: str) -> str:
    return names[id_].get(language) if id_ in names else ""


def _carried(ruleset: m.Ruleset) -> dict[str, list[str]]:
    """By statement: the ids of what carries it out."""
    found: dict[str, list[str]] = {}
    for _, id_, statements, _ in stated_things(ruleset):
        for statement in statements:
            found.setdefault(statement, []).append(id_)
    return found


def _statement(
    statement: m.Statement,
    ruleset: m.Ruleset,
    carried: dict[str, list[str]],
    sources: dict[str, m.Source],
    language: str,
) -> p.BookStatement:
    rules = carried.get(statement.id, [])
    translated = dict(statement.translations).get(language)
    shown: p.BookStatement = {
        "id": statement.id,
        "text": translated or statement.says,
        "authority": _authority(statement, language),
        "sources": [_cited(cite, sources) for cite in statement.cites],
        "note": statement.no_rule or ", ".join(statement.awaits),
        "rules": list(dict.fromkeys(rules)),
        "scenarios": _shown_by(statement.id, rules, ruleset),
    }
    if translated is None and language != "en":
        shown["language"] = "en"
    return shown


def _authority(statement: m.Statement, language: str) -> str:
    """The label of its authority; a printed sentence has no mark."""
    if statement.authority is m.Authority.OFFICIAL:
        return ""
    return Words(language)(f"authority.{statement.authority.value.replace('-', '_')}")


def _cited(cite: m.Citation, sources: dict[str, m.Source]) -> str:
    source = sources.get(cite.source)
    title = source.publisher or source.title if source is not None else cite.source
    return f"{title}, {cite.section}" if cite.section else title


def _shown_by(statement: str, rules: list[str], ruleset: m.Ruleset) -> list[str]:
    """Scenarios that prove a statement; else those that cover one of its rules."""
    proving = [s.id for s in ruleset.scenarios if statement in s.statements]
    return proving or [s.id for s in ruleset.scenarios if set(rules) & set(s.covers)]


# ------------------------------------------------------------------ rules, tiles, questions


def _rule(rule: m.Rule, game: Game | None, language: str) -> p.BookRule:
    head, says = rule.head, ""
    if game is not None:
        linked = next((each for each in game.rules() if each.rule.head.id == head.id), None)
        says = RuleSpeaker(game, language).rule(linked) if linked is not None else ""
    return {
        "id": head.id,
        "kind": type(rule).__name__.lower(),
        "hook": rule_hook(rule),
        "text": rule_text(rule),
        "says": says,
        "file": head.span.file.rpartition("/rules/")[2],
        "line": head.span.line,
    }


def tiles(library: Library, id_: str, language: str = "en") -> p.BookTiles:
    """The tiles of a ruleset, each with its picture and what is printed on it."""
    ruleset = whole(id_, lambda name: library.load(name, Reporter.discarding()))
    game, _ = load_game(id_, library=library)
    if ruleset is None or game is None:
        return {"tiles": []}
    kinds, symbols = spoken_kinds(game, language), spoken_symbols(game, language)
    found: list[p.BookTile] = []
    for piece in _own_pieces(ruleset, game):
        face = piece.faces[0][0]
        label = printed_words(game, face, language)
        picture = tile_svg(face, kinds, symbols, _TILE, title=label, land=named_colours)
        found.append({"id": piece.id, "label": label, "count": piece.count, "picture": picture})
    return {"tiles": found}


def _own_pieces(ruleset: m.Ruleset, game: Game | None) -> list[m.PieceKind]:
    """The pieces that a ruleset brings into a game."""
    own = {piece.id for piece in ruleset.pieces}
    return [] if game is None else [piece for piece in game.pieces if piece.id in own]


def questions(library: Library, id_: str) -> p.BookQuestions:
    """The questions that the rulebook of a ruleset leaves open."""
    asked = Questions(Workspace(library, LibraryIndex(library, user_cache()))).of(id_)
    return {
        "questions": [
            {
                "asks": each.asks,
                "statement": each.statement,
                "settled": each.settled,
                "option": each.option,
                "readings": [reading.choice for reading in each.readings],
                "default": next((r.choice for r in each.readings if r.is_default), ""),
            }
            for each in asked
        ]
    }


def _house_rules(id_: str, library: Library, language: str) -> list[p.BookVariant]:
    """Rulesets that build on this one."""
    found: list[p.BookVariant] = []
    for other in library.ids():
        module = library.load_module(other)
        if module is not None and any(need.default == id_ for need in module.requires):
            found.append({"id": other, "title": module.title.get(language) or other})
    return found


# ------------------------------------------------------------------ search


def search(
    library: Library, text: str, language: str = "en", among: Sequence[str] | None = None
) -> p.BookHits:
    """Statements of some books, or of all, in which every word occurs, in the language of the page
    or in English; books with the words in their title or id come first."""
    wanted = text.casefold().split()
    names = library.topics(Reporter.discarding())
    hits: list[p.BookHit] = []
    count = waiting = 0

    def is_about(ruleset: m.Ruleset) -> bool:
        """Whether a book has every word in its title or id."""
        module = ruleset.module
        named = f"{module.title.get(language)} {module.id}".casefold()
        return all(word in named for word in wanted)

    books = sorted(_books(library, among), key=is_about, reverse=True) if wanted else ()
    for ruleset in books:
        for statement in ruleset.statements:
            shown = dict(statement.translations).get(language) or statement.says
            searched = f"{shown} {statement.says}".casefold()
            if not all(word in searched for word in wanted):
                continue
            count += 1
            waiting += bool(statement.awaits)
            if len(hits) < _MAX_HITS:
                hits.append(
                    {
                        "ruleset": ruleset.module.id,
                        "title": ruleset.module.title.get(language) or ruleset.module.id,
                        "topic": statement.topic,
                        "label": _label(names, statement.topic, language) or statement.topic,
                        "text": shown,
                    }
                )
    return {"hits": hits, "count": count, "waiting": waiting}


def _books(library: Library, among: Sequence[str] | None) -> Iterator[m.Ruleset]:
    """Some rulesets, or all, with what is searched in them."""
    for id_ in library.ids() if among is None else filter(library.has, among):
        ruleset = library.load_parts(id_, ("statements",))
        if ruleset is not None:
            yield worded(ruleset, library)


# ------------------------------------------------------------------ scenarios


@dataclass(slots=True)
class _Recorder:
    """Keeps a step for the position and for each choice of a scenario."""

    language: str
    ledger: Ledger = field(default_factory=Ledger)
    steps: list[p.ScenarioStep] = field(default_factory=list)
    _awards: int = 0
    _next: tuple[str, str, str, str] = ("", "", "", "")

    def begins(self, match: Match) -> None:
        match.listeners = (*match.listeners, self.ledger)
        self._keep(match, ("", "", "", ""))

    def chooses(self, match: Match, line: m.Line, number: int) -> None:
        player = match.to_move
        seats = match.program.game.seats
        colour = seats[player].colour if player < len(seats) else ""
        words = choice_words(match, number, self.language)
        notation = line.text.rpartition(": ")[2]
        self._next = (seat_label(match, player, self.language), colour, words, notation)

    def ends(self, match: Match, line: m.Line, problems: tuple[Diagnostic, ...]) -> None:
        found = [problem.message for problem in problems]
        if line.verb == "choose" and not found:
            self._keep(match, self._next)
            return
        step = self.steps[-1]
        if line.expect is not None:
            step["expected"] += list(_expected(line.expect))
        step["found"] += found
        step["ok"] = not step["found"]

    def _keep(self, match: Match, did: tuple[str, str, str, str]) -> None:
        gains = [
            f"{seat_label(match, award.player, self.language)}: {award.text(self.language)}"
            for award in self.ledger.awards[self._awards :]
            if award.points
        ]
        self._awards = len(self.ledger.awards)
        seat, colour, words, notation = did
        decides = seat_label(match, match.to_move, self.language) if match.to_move >= 0 else ""
        self.steps.append(
            {
                "seat": seat,
                "colour": colour,
                "words": words,
                "notation": notation,
                "expected": [],
                "found": [],
                "ok": True,
                "gains": gains,
                "board": board_state(match, self.language),
                "points": {seat_name(match, k): match.points[k] for k in match.players},
                "decides": decides,
                "digest": match.digest(),
            }
        )


def play(
    library: Library, programs: Programs, ruleset: str, id_: str, language: str = "en"
) -> p.ScenarioPlay | None:
    """A scenario step by step; None for one that is not there or cannot be read."""
    found = next(((s, g) for s, g in scenarios_of(ruleset, library) if s.id == id_), None)
    if found is None:
        return None
    scenario, game = found
    recorder, reporter = _Recorder(language), Reporter()
    if scenario.fails:
        reporter.extend(run_scenario(scenario, ruleset, game, programs).problems)
    else:
        program, linking = programs.get(game, scenario.options)
        if program is None:
            reporter.extend(linking.diagnostics)
        elif check_names(scenario, program.game, reporter):
            played_out(scenario, program, reporter, recorder)
    problems = [each.message for each in reporter.in_order_of_report()]
    return {
        "id": id_,
        "ruleset": ruleset,
        "says": scenario.says,
        "game": game,
        "options": dict(scenario.options),
        "covers": list(scenario.covers),
        "statements": list(scenario.statements),
        "steps": recorder.steps,
        "ok": not problems,
        "fails": scenario.fails,
        "problems": problems,
        "digest": recorder.steps[-1]["digest"] if recorder.steps else "",
    }


def _expected(expect: m.Expectation) -> Iterator[p.ExpectedItem]:
    """Each expectation on its own: the name of its sentence, and its content."""

    def item(kind: str, **names: object) -> p.ExpectedItem:
        return {"kind": kind, "names": {key: str(name) for key, name in names.items()}}

    yield from (item("points", who=who, n=points) for who, points in expect.points)
    yield from (item("gained", who=who, what=text) for who, text in expect.gained)
    yield from (item("figure", who=who, where=where) for who, where in expect.figures)
    yield from (item("supply", who=who, n=count) for who, count in expect.supply)
    yield from (item("tokens", who=who, n=count) for who, count in expect.tokens)
    yield from (item("stack", who=who, n=count) for who, count in expect.stacks)
    if expect.tiles is not None:
        yield item("tiles", n=expect.tiles)
    yield from (item("value", what=text, value=value) for text, value in expect.values)
    if expect.decides is not None:
        yield item("decides", who=expect.decides)
    if expect.step is not None:
        yield item("step", what=expect.step)
    if expect.options is not None:
        yield item("options", what=", ".join(expect.options))
    yield from (item("offered", what=option) for option in expect.offered)
    yield from (item("refused", what=option, why=rule) for option, rule in expect.refused)
    if expect.over is not None:
        yield item("over" if expect.over else "goes_on")
    if expect.winners is not None:
        yield item("winners", who=", ".join(expect.winners))


# ------------------------------------------------------------------ numbers


def numbers(library: Library, game: str, language: str = "en") -> p.NumberRows:
    """The named values of a game; the changed ones come first, then those of its own ruleset."""
    linked, _ = load_game(game, library=library)
    if linked is None:
        return {"values": []}
    statements = linked.statements()
    rows: list[p.NumberRow] = []
    for id_, value in linked.values.items():
        declared = value.declaration
        ruleset, before, _ = value.history[0]
        now = value.history[-1][1]
        rows.append(
            {
                "id": id_,
                "says": declared.says or first_sentence(declared.statements, statements, language),
                "value": now,
                "before": before,
                "ruleset": ruleset,
            }
        )
    # those of the rulesets that build on others before those of the others
    order = {ruleset.id: -number for number, ruleset in enumerate(linked.rulesets)}
    rows.sort(key=lambda row: (row["value"] == row["before"], order.get(row["ruleset"], 0)))
    return {"values": rows}


def first_sentence(ids: Sequence[str], statements: Mapping[str, m.Statement], language: str) -> str:
    """The text of the first known statement in a language; empty where none is known."""
    told = (statements[id_] for id_ in ids if id_ in statements)
    return next((dict(one.translations).get(language) or one.says for one in told), "")


# ------------------------------------------------------------------ messages


def book_read(client: Client, params: p.BookRequest) -> p.Book:
    """A ruleset to be read."""
    id_, studio, language = params["id"], client.studio, client.language

    def make() -> p.Book:
        found = read(studio.library, id_, language, client.report)
        if found is None:
            raise RefusedError(f"unknown or unreadable ruleset `{id_}`")
        return found

    return kept_answer(studio, make, "book", id_, language)


def book_tiles(client: Client, params: p.BookRequest) -> p.BookTiles:
    """The tiles of a ruleset."""
    id_, studio, language = params["id"], client.studio, client.language
    return kept_answer(studio, lambda: tiles(studio.library, id_, language), "tiles", id_, language)


def book_questions(client: Client, params: p.BookRequest) -> p.BookQuestions:
    """The open questions of a ruleset."""
    id_, studio = params["id"], client.studio
    return kept_answer(studio, lambda: questions(studio.library, id_), "questions", id_)


def book_search(client: Client, params: p.BookSearch) -> p.BookHits:
    """Words in the statements of books."""
    return search(client.studio.library, params["words"], client.language, params.get("among"))


def scenario_play(client: Client, params: p.ScenarioRequest) -> p.ScenarioPlay:
    """A scenario step by step."""
    studio = client.studio
    found = play(studio.library, studio.programs, params["ruleset"], params["id"], client.language)
    if found is None:
        raise RefusedError(f"unknown scenario `{params['id']}` of `{params['ruleset']}`")
    return found


def house_values(client: Client, params: p.NumbersRequest) -> p.NumberRows:
    """The named values of a game."""
    return numbers(client.studio.library, params["game"], client.language)
