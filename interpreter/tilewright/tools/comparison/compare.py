"""Comparison of games: how editions, expansions or house rules differ.

Of each game the requested rulesets are compared, linked with their requirements. Requirements that
all games have are only checked for equality; those that some game lacks are compared as well.
Nothing is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from tilewright.language.source.diagnostics import Diagnostic, Reporter, did_you_mean
from tilewright.rules.linking.compose.select import split_game
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.inventory import labels_in
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.comparison.components import (
    compare_components,
    compare_rules,
    compare_turns,
    compare_values,
    differing_data,
)
from tilewright.tools.comparison.short_answer import candidates_of, room, short_answer
from tilewright.tools.comparison.sides import ComparedGame, RuleView, sides_of
from tilewright.tools.comparison.tile_matching import match_tiles, piece_print
from tilewright.tools.comparison.topics import compare_topics
from tilewright.tools.workspace.loading import load_game, split_options
from tilewright.view.results.comparison import (
    Comparison,
    EqualTiles,
    Named,
    Side,
    TopicGroup,
    TopicRow,
)

# ------------------------------------------------------------------ comparisons


__all__ = [
    "CannotCompareError",
    "UnknownTopicError",
    "check_topic",
    "compare",
    "compare_texts",
    "is_under",
    "narrowed",
    "with_names",
]


class CannotCompareError(Exception):
    """One of the games cannot be made, for the reason in the message or the diagnostics."""

    def __init__(self, diagnostics: Sequence[Diagnostic], message: str = "") -> None:
        errors = (each.message for each in diagnostics if each.severity.value == "error")
        super().__init__(message or "; ".join(errors))
        self.diagnostics = tuple(diagnostics)


class UnknownTopicError(Exception):
    """No topic starts with the requested text."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def check_topic(prefix: str, topics: Iterable[str], owner: str) -> None:
    """Raise UnknownTopicError if no topic of an owner starts with a text."""
    parts = [topic.split(".") for topic in topics]
    known = {".".join(words[:size]) for words in parts for size in range(1, len(words) + 1)}
    if prefix.rstrip(".") not in known:
        near = did_you_mean(prefix, sorted(known))
        hint = "" if near else f"the topics are {', '.join(sorted({words[0] for words in parts}))}"
        raise UnknownTopicError(f"no topic {owner} starts with `{prefix}`{near}", hint)


def compare_texts(
    texts: Sequence[str],
    library: Library | None = None,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> Comparison:
    """Compare games named as `one/base+one/more?option=value`; raises CannotCompareError.

    `step` gets the number of games that are linked, and their total.
    """
    library = library or Library()
    games: dict[str, Game] = {}
    requested = []
    for number, text in enumerate(texts):
        step(number, len(texts))
        requested.append([cut_part(id_)[0] for id_ in split_game(split_options(text)[0])])
        if text in games:
            continue
        game, reporter = load_game(text, {}, library)
        if game is None:
            raise CannotCompareError(reporter.diagnostics)
        games[text] = game
    step(len(texts), len(texts))
    found = compare([games[text] for text in texts], requested, texts)
    return with_names(found, library.topics(Reporter.discarding()))


def compare(
    games: Sequence[Game],
    requested: Sequence[Sequence[str]] | None = None,
    names: Sequence[str] | None = None,
) -> Comparison:
    """Compare linked games; `requested` has the rulesets of each, by default its topmost."""
    sides = sides_of(games, requested, names)
    labels = _labels(games)
    matched = [match_tiles(sides[0].pieces, side.pieces, (0, k), labels, side.names)
               for k, side in enumerate(sides[1:], 1)]  # fmt: skip
    touched = _touched(sides)
    components = compare_components(sides, [found.replaced for found in matched])
    tiles = tuple(row for found in matched for row in found.rows)
    topics = compare_topics(sides, labels, differing_data(sides, components, tiles))
    candidates = candidates_of(sides, topics)
    return Comparison(
        sides=tuple(_head(side, topics) for side in sides),
        topics=topics,
        turn=compare_turns(sides),
        components=components,
        tiles=tiles,
        same_tiles=tuple(EqualTiles(0, k, found.alike) for k, found in enumerate(matched, 1)),
        values=compare_values(sides, touched, _ended(topics, len(sides))),
        rules=compare_rules([_chosen_views(side, touched) for side in sides]),
        beneath=_beneath(sides, touched),
        short=short_answer(candidates, room(sides)),
        candidates=candidates,
        labels=tuple(Named(id_, label) for id_, label in sorted(labels.items(), key=itemgetter(0))),
    )


def with_names(comparison: Comparison, names: Mapping[str, m.Labels]) -> Comparison:
    """A comparison whose topics, and the groups of them, are called by names."""
    groups = tuple(
        replace(group, label=names.get(group.id, group.label)) for group in comparison.topics
    )
    named = tuple(Named(id_, names[id_]) for id_ in _all_topics(comparison) if id_ in names)
    return replace(comparison, topics=groups, topic_names=named)


def _all_topics(comparison: Comparison) -> list[str]:
    """The topics of rows, and of statements that are in the row of another topic."""
    rows = list(comparison.topic_rows())
    cells = (cell for row in rows for cell in row.cells if cell is not None)
    return sorted({row.topic for row in rows} | {s.topic for c in cells for s in c.statements})


# ------------------------------------------------------------------ rulesets beneath


def _touched(sides: Sequence[ComparedGame]) -> frozenset[str]:
    """The targets that patches of compared rulesets change, in any ruleset."""
    return frozenset(
        applied.patch.target
        for side in sides
        for applied in side.game.patches
        if applied.ruleset in side.own_ids
    )


def _chosen_views(side: ComparedGame, touched: frozenset[str]) -> dict[str, RuleView]:
    return {
        key: view
        for key, view in side.views.items()
        if view.cell.ruleset in side.own_ids or key in touched
    }


def _beneath(sides: Sequence[ComparedGame], touched: frozenset[str]) -> tuple[str, ...]:
    """The ids of differing parts of the rulesets that are not compared."""
    facts: list[dict[str, object]] = []
    pieces: list[Counter[str]] = []
    called: dict[str, str] = {}
    for side in sides:
        chosen, names = _chosen_views(side, touched), side.names
        own = {v.id for r in side.own for v in r.values}
        found: dict[str, object] = {k: v.says for k, v in side.views.items() if k not in chosen}
        found |= {
            names.of("value", id_): text
            for id_, text in side.values.items()
            if id_ not in own and id_ not in touched
        }
        facts.append(found)
        mine = {piece.id for ruleset in side.own for piece in ruleset.pieces}
        counts: Counter[str] = Counter()
        for piece in side.game.pieces:
            if piece.id not in mine:
                looks = piece_print(names.piece(piece), True)
                counts[looks] += piece.count
                called.setdefault(looks, f"tile {piece.id}")
        pieces.append(counts)
    for looks, name in called.items():
        for found, counts in zip(facts, pieces, strict=True):
            found[name] = found.get(name, ()), looks, counts[looks]
    missing = object()
    return tuple(
        name
        for name in sorted({name for found in facts for name in found})
        if any(found.get(name, missing) != facts[0].get(name, missing) for found in facts)
    )


# ------------------------------------------------------------------ heads


def _head(side: ComparedGame, topics: Sequence[TopicGroup]) -> Side:
    """The head of a side on a page; its sources are those of the compared rulesets, and those that
    rows cite."""
    game = side.game
    own = {c.source for r in side.own for s in r.statements for c in s.cites}
    cells = [cell for group in topics for row in group.rows for cell in row.cells if cell]
    cited = {tag for cell in cells for s in cell.statements for tag in s.sources}
    defaults = {o.id: o.default for r in game.rulesets for o in r.module.options}
    modules = [ruleset.module for ruleset in side.own]
    return Side(
        name=side.name,
        title=m.joined_labels([module.title for module in modules]),
        editions=_editions(modules) or _editions([r.module for r in game.rulesets]),
        years=tuple(sorted({x.year for x in modules if x.year})),
        own=tuple(ruleset.id for ruleset in side.own),
        house_rules=sum(module.kind == "house" for module in modules),
        beneath=tuple(r.id for r in game.rulesets if r.id not in side.own_ids),
        options=tuple((k, v) for k, v in game.options if defaults.get(k) != v),
        hash=game.hash,
        sources=tuple(t for id_, t in side.tags.items() if id_ in own or t.tag in cited),
    )


def _editions(modules: Iterable[m.Module]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.known_edition for each in modules if each.known_edition))


def _ended(topics: Sequence[TopicGroup], sides: int) -> list[set[str]]:
    """The statements that hold no more, by side."""
    rows = [row for group in topics for row in group.rows]
    found = ([row.cells[k] for row in rows] for k in range(sides))
    return [{s.id for cell in cells if cell for s in cell.statements if s.lapse} for cells in found]


def _labels(games: Sequence[Game]) -> dict[str, m.Labels]:
    """The labels of what is on tiles and of figures, as the first game with the name has them, and
    the titles of rulesets."""
    found: dict[str, m.Labels] = {}
    for game in reversed(games):
        found |= {ruleset.id: ruleset.module.title for ruleset in game.rulesets}
        found |= labels_in(game, "kind", "attribute", "symbol", "figure", "token", "role")
    return found


# ------------------------------------------------------------------ a part of it


def narrowed(comparison: Comparison, topic: str = "", only: Collection[str] = ()) -> Comparison:
    """The rows about topics with a prefix, or of some impacts. Raises UnknownTopicError."""
    found = replace(comparison, is_part=bool(topic or only))
    if topic:
        check_topic(topic, _all_topics(found), "of these games")
        kept = {row.topic for row in found.topic_rows()}
        groups = tuple(
            replace(g, rows=tuple(r for r in g.rows if _is_about(r, topic, kept)))
            for g in found.topics
        )
        rows = [row for group in groups for row in group.rows]
        there = [cell for row in rows for cell in row.cells if cell is not None]
        rules = {id_ for cell in there for id_ in cell.rules}
        values = {id_ for cell in there for id_, _ in cell.values}
        statements = {s.id for cell in there for s in cell.statements}
        found = replace(
            found,
            topics=tuple(group for group in groups if group.rows),
            turn=(),
            components=(),
            tiles=(),
            same_tiles=(),
            values=tuple(
                v
                for v in found.values
                if v.id in values
                or any(c is not None and statements & set(c.statements) for c in v.cells)
            ),
            rules=tuple(
                r for r in found.rules if any(c is not None and c.id in rules for c in r.cells)
            ),
            short=(),
        )
    if only:
        groups = tuple(
            replace(g, rows=tuple(r for r in g.rows if r.verdict.impact in only))
            for g in found.topics
        )
        found = replace(
            found,
            topics=tuple(group for group in groups if group.rows),
            turn=tuple(r for r in found.turn if r.verdict.impact in only),
            components=tuple(r for r in found.components if r.verdict.impact in only),
            tiles=tuple(r for r in found.tiles if r.verdict.impact in only),
            same_tiles=(),
            values=tuple(r for r in found.values if r.verdict.impact in only),
            rules=tuple(r for r in found.rules if r.verdict.impact in only),
            short=(),
        )
    return found


def _is_about(row: TopicRow, prefix: str, kept: Collection[str]) -> bool:
    """Whether a row has a topic with the prefix, or covers a topic that would otherwise have its
    own row.
    """
    topics = {s.topic for cell in row.cells if cell is not None for s in cell.statements}
    return any(is_under(topic, prefix) for topic in (row.topic, *(topics - set(kept))))


def is_under(topic: str, prefix: str) -> bool:
    """Whether a topic is the one named, or a part of it."""
    prefix = prefix.rstrip(".")
    return topic == prefix or topic.startswith(prefix + ".")
