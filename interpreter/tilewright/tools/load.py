"""From the name of a game to something that can be played: read, link, compile, each once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tilewright.linking.game import Game
from tilewright.linking.link import link
from tilewright.linking.select import Selection, select, split_game
from tilewright.reading.library import Library
from tilewright.source.diagnostics import Reporter

if TYPE_CHECKING:
    from tilewright.runtime.program import Program


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """`c2/base?sixth_player=yes` as the game's text and its options."""
    game, _, rest = text.partition("?")
    pairs = (part.partition("=") for part in rest.split("&") if part)
    return game, {name.strip(): value.strip() for name, _, value in pairs}


def load_selection(
    text: str, options: Mapping[str, str], library: Library, reporter: Reporter
) -> Selection | None:
    """The rulesets that a game's text names."""
    game, more = split_options(text)
    ids = split_game(game)
    return select(ids, {**more, **options}, lambda id_: library.law(id_, reporter), reporter)


def load_game(
    text: str, options: Mapping[str, str] | None = None, library: Library | None = None
) -> tuple[Game | None, Reporter]:
    """Read and link a game; the reporter says what is wrong when there is none."""
    reporter = Reporter()
    selection = load_selection(text, options or {}, library or Library(), reporter)
    if selection is None or reporter.has_errors:
        return None, reporter
    return link(selection, reporter), reporter


def load_game_under(
    text: str, under: Mapping[str, str], library: Library, *, proof: bool = False
) -> tuple[Game | None, Reporter]:
    """Read and link a game under the options of another one, as far as it knows them; options in
    its own text come first. With `proof` its rulesets have their scenarios.
    """
    reporter = Reporter()
    load = library.load if proof else library.law

    def linked(more: Mapping[str, str]) -> Game | None:
        ids = split_game(split_options(text)[0])
        selection = select(ids, more, lambda id_: load(id_, reporter), reporter)
        return None if selection is None or reporter.has_errors else link(selection, reporter)

    own = split_options(text)[1]
    found = linked(own)
    if found is None:
        return None, reporter
    known = {option.id: option for r in found.rulesets for option in r.module.options}
    asked = {k: v for k, v in under.items() if k in known and v in known[k].choices} | own
    is_so = asked.items() <= dict(found.options).items()
    return (found if is_so else linked(asked)), reporter


def load_program(
    text: str,
    options: Mapping[str, str] | None = None,
    library: Library | None = None,
    *,
    probes: bool = False,
) -> tuple[Program | None, Reporter]:
    """Read, link and compile a game; the reporter says what is wrong when there is none."""
    # who only links does not wait for the compiler
    from tilewright.runtime.program import Program

    game, reporter = load_game(text, options, library)
    return (None if game is None else Program(game, probes=probes)), reporter
