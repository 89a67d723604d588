"""From a request about games to a finished page: their rows, their boards, and the form.

Faces call nothing else for a page of a comparison, and print or write the result. The boards of
witnesses are played to their ends once more where a page draws them.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from tilewright.language.locale.words import ENGLISH, Words
from tilewright.rules.model.ruleset import PieceKind
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts, narrowed
from tilewright.tools.comparison.short_answer import short_answer
from tilewright.tools.comparison.tile_matching import quarters_between
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.library_state import library_state
from tilewright.tools.workspace.loading import load_game
from tilewright.view.comparison.compose import Composer
from tilewright.view.comparison.export import as_json, as_markdown
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Length, Where
from tilewright.view.results.comparison import Comparison, TilePair

if TYPE_CHECKING:
    from tilewright.tools.witness.find import Divergence
    from tilewright.view.page.drawings import Look

#: is called with what is counted (games, scenarios, decisions, boards), how many are done, and all
Progress = Callable[[str, int, int], None]


def _silent(what: str, done: int, total: int) -> None:
    """No progress report."""


@dataclass(frozen=True, slots=True)
class Play:
    """How two games are played in lockstep until they part; `seconds` and `decisions` limit it."""

    seed: str
    players: int
    seconds: float
    decisions: int


@dataclass(frozen=True, slots=True)
class Request:
    """The games to compare, the rows that are wanted, whether with boards, and the form: `text`,
    `markdown`, `html`, `json` (all rows, without a layout) or `studio`.

    With `play`, two games are only played until they part.
    """

    games: tuple[str, ...]
    form: str = "text"
    language: str = ENGLISH
    length: Length = Length.USUAL
    topic: str = ""
    impacts: frozenset[str] = frozenset()
    has_boards: bool = False
    play: Play | None = None

    @property
    def here(self) -> Where:
        """The form and the length as blocks know them."""
        if self.form in ("text", "markdown"):
            form = "TERMINAL" if self.form == "text" else "MARKDOWN"
            return Where[f"{form}_{self.length.name}"]
        return Where.EVERYWHERE if self.form == "json" else Where[self.form.upper()]


@dataclass(frozen=True, slots=True)
class Page:
    """The finished page: a text, or for a terminal blocks about the sides that have these names.

    `scenarios` has the text of a file for every board. The result is a comparison, or that of play.
    """

    scenarios: Mapping[str, str]
    text: str = ""
    blocks: Sequence[b.Block] = ()
    names: Sequence[str] = ()
    comparison: Comparison | None = None
    divergence: Divergence | None = None


def page(request: Request, library: Library, cache: Cache, progress: Progress = _silent) -> Page:
    """Carry out a request.

    Raises CannotCompareError or UnknownTopicError.
    """
    if request.play is not None:
        return _played(request, request.play, library, progress)
    made = composed(request, library, cache, progress)
    scenarios: Mapping[str, str] = {}
    if made.witnesses:
        from tilewright.tools.witness.storage import witness_files

        scenarios = witness_files(made.witnesses)
    if request.form == "text":
        return Page(scenarios, "", made.page(), made.names, made.c)
    if request.form == "json":
        text = as_json(made.c, made.witnesses if request.has_boards else None)
    elif request.form == "markdown":
        text = as_markdown(made)
    else:
        from tilewright.view.comparison.html import as_html

        looks, turns = pictures(made.c, library, request.language)
        text = as_html(made, looks, turns)
    return Page(scenarios, text, comparison=made.c)


def kept_page(
    request: Request, library: Library, cache: Cache, progress: Progress = _silent
) -> Page:
    """The same for a text with boards, from the cache while no ruleset has changed; then without
    its comparison.
    """
    is_kept = request.has_boards and request.form != "text" and request.play is None
    state = library_state(library) if is_kept and cache.folder is not None else ()
    if not state:
        return page(request, library, cache, progress)
    key = ("page", *state, os.getcwd(), repr(replace(request, impacts=frozenset())),
           *sorted(request.impacts))  # fmt: skip
    raw = cache.get(*key)
    # unreadable data is computed again
    with suppress(ValueError, TypeError):
        if raw is not None:
            text, scenarios = json.loads(raw)
            return Page(dict(scenarios), str(text))
    made = page(request, library, cache, progress)
    cache.put(json.dumps([made.text, dict(made.scenarios)]).encode(), *key)
    return made


def composed(
    request: Request, library: Library, cache: Cache | None = None, progress: Progress = _silent
) -> Composer:
    """The blocks of a comparison, for faces that write them themselves.

    Raises CannotCompareError or UnknownTopicError.
    """
    found = compare_texts(request.games, library, partial(progress, "games"))
    if request.topic or request.impacts:
        found = narrowed(found, request.topic, request.impacts)
    words = Words(request.language)
    if not request.has_boards or cache is None:
        return Composer(found, words, request.here)
    from tilewright.tools.witness.kept import all_witnesses
    from tilewright.tools.witness.storage import Painter

    painter = Painter(library, request.language, in_notation=request.form == "text")
    witnesses = all_witnesses(found, painter.programs, cache, progress)
    parted: Counter[str] = Counter()
    for each in witnesses:
        parted.update({key.removeprefix("topic:"): n for key, n in each.parted.items()})
    found = replace(found, short=short_answer(found.candidates, len(found.short), parted))
    draw = painter.boards if request.form in ("text", "markdown", "html") else None
    return Composer(found, words, request.here, witnesses, draw)


def _played(request: Request, play: Play, library: Library, progress: Progress) -> Page:
    """The page of the first difference between two games that are played."""
    from tilewright.tools.witness.find import find_divergence
    from tilewright.tools.witness.storage import Painter, scenarios_text
    from tilewright.view.comparison.boards import compose_board
    from tilewright.view.comparison.witness import no_difference_line, unstated_line

    one, other = request.games
    counted = partial(progress, "decisions")
    found = find_divergence((one, other), library, **asdict(play), progress=counted)
    witness, language = found.witness, request.language
    scenarios = {} if witness is None else {"": scenarios_text(witness)}
    if request.form == "json":
        data = {"games": found.games, "witness": witness and asdict(witness),
                "untold": found.unstated or None, "sought": asdict(found.sought)}  # fmt: skip
        text = json.dumps(data, ensure_ascii=False, indent=2)
        return Page(scenarios, text, divergence=found)
    blocks: list[b.Block] = [b.Title((b.Run(one, True), b.Run(" | "), b.Run(other, True)))]
    if witness is not None:
        scenes = Painter(library, language, in_notation=True).boards(witness)
        blocks.append(compose_board(witness, Words(language), scenes))
    else:
        told = unstated_line(found.unstated, language) if found.unstated else ""
        told = told or no_difference_line(found.sought, language)
        blocks.append(b.Notes((b.line("text", told),)))
    return Page(scenarios, "", blocks, found.games, None, found)


# ------------------------------------------------------------------ tiles


def pictures(
    comparison: Comparison, library: Library, language: str
) -> tuple[list[Look], dict[tuple[int, TilePair], int]]:
    """The looks of each side's tiles, and by how many quarters the right tile of every pair is
    turned to lie as the left one does. Sides are known by their names, which are those of games.
    """
    # slow to import, and only pages with pictures need them
    from tilewright.view.board.view import spoken_kinds, spoken_symbols
    from tilewright.view.page.drawings import Look

    looks = []
    for side in comparison.sides:
        game, reporter = load_game(side.name, library=library)
        assert game is not None, reporter.diagnostics
        kinds, symbols = spoken_kinds(game, language), spoken_symbols(game, language)
        looks.append(Look(kinds, symbols, {piece.id: piece for piece in game.pieces}))
    turns = {}
    for row in comparison.tiles:
        for pair in row.tiles:
            left: PieceKind | None = looks[row.left].pieces.get(pair.left)
            right: PieceKind | None = looks[row.right].pieces.get(pair.right)
            if left is not None and right is not None:
                turns[row.right, pair] = quarters_between(left, right)
    return looks, turns
