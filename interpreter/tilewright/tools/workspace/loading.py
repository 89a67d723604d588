"""From the name of a game to something that can be played: read, link, compile, each once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, Span
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.gather import gather
from tilewright.rules.linking.compose.select import (
    ASKED,
    Selection,
    Where,
    on_command_line,
    select,
    split_game,
)
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.wordings import stated, with_numbers
from tilewright.rules.model.ruleset import Ruleset, Statement
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.garbage import without_garbage_collection

if TYPE_CHECKING:
    from tilewright.play.program import Program


#: a step of making a game
Step = Literal["reading", "joining", "compiling"]
#: reads a ruleset by its id; the place is where it is named
Read = Callable[[str, Reporter, Span], Ruleset | None]
#: hears of each step as it begins
Report = Callable[[Step], None]


def unreported(step: str) -> None:
    """Ignore a step."""


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """`first/base?open_end=yes` as the game's text and its options."""
    game, _, rest = text.partition("?")
    pairs = (part.partition("=") for part in rest.split("&") if part)
    return game, {name.strip(): value.strip() for name, _, value in pairs}


def load_selection(
    text: str,
    options: Mapping[str, str],
    library: Library,
    reporter: Reporter,
    where: Where = on_command_line,
    read: Read | None = None,
) -> Selection | None:
    """The rulesets that a game's text names; `where` they are asked for, and how they are read."""
    game, more = split_options(text)
    ids = split_game(game)
    asked = {id_: where("game", id_) for id_ in ids}
    load = _loading(library, read or library.load_rules, reporter, asked)
    return select(ids, {**more, **options}, load, reporter, where)


def _loading(
    library: Library,
    read: Read,
    reporter: Reporter,
    asked: Mapping[str, Span] = MappingProxyType({}),
) -> Callable[[str], Ruleset | None]:
    """Loads rulesets by their ids. One that is missing is reported where it is asked for or where
    another ruleset names it, and nothing else is reported there, since it would only follow.
    """
    places = {id_: span for id_, span in asked.items() if span != ASKED}

    def load(id_: str) -> Ruleset | None:
        place = places.get(id_, NOWHERE)
        if library.may_name(id_):
            ruleset = read(id_, reporter, place)
        else:
            hint = "`tilewright resolve GAME --lock` adds a game to it"
            reporter.error("TW221", f"the lock does not hold `{id_}`", place, hint=hint)
            ruleset = None
        if ruleset is None and id_ in places:
            reporter.poison(places[id_])
        if ruleset is not None:
            module = ruleset.module
            for need in module.requires:
                places.setdefault(need.default, need.span)
            if module.takes_over is not None:
                places.setdefault(module.takes_over, module.span)
        return ruleset

    return load


def worded(ruleset: Ruleset, library: Library) -> Ruleset:
    """A ruleset whose sentences have the numbers of its own game, under the declared options."""
    if not stated(ruleset):
        return ruleset
    quiet = Reporter.discarding()
    selection = select((ruleset.id,), {}, lambda id_: library.load_rules(id_, quiet), quiet)
    declared = None if selection is None else gather(selection, quiet)
    return with_numbers((ruleset,), declared)[0]


def worded_statement(id_: str, ruleset: Ruleset, library: Library) -> Statement:
    """A statement of a ruleset with the numbers of its game."""
    return next(each for each in worded(ruleset, library).statements if each.id == id_)


@without_garbage_collection()
def load_game(
    text: str,
    options: Mapping[str, str] | None = None,
    library: Library | None = None,
    report: Report = unreported,
) -> tuple[Game | None, Reporter]:
    """Read and link a game; None after diagnostics in the reporter."""
    reporter = Reporter()
    report("reading")
    selection = load_selection(text, options or {}, library or Library(), reporter)
    if selection is None or reporter.has_errors:
        return None, reporter
    report("joining")
    return link(selection, reporter), reporter


def load_game_under(
    text: str, under: Mapping[str, str], library: Library, *, proof: bool = False
) -> tuple[Game | None, Reporter]:
    """Read and link a game under the options of another one, as far as it knows them; options in
    its own text come first. With `proof` its rulesets have their scenarios.
    """
    reporter = Reporter()
    load = _loading(library, library.load if proof else library.load_rules, reporter)

    def linked(more: Mapping[str, str]) -> Game | None:
        ids = split_game(split_options(text)[0])
        selection = select(ids, more, load, reporter)
        return None if selection is None or reporter.has_errors else link(selection, reporter)

    own = split_options(text)[1]
    found = linked(own)
    if found is None:
        return None, reporter
    known = {option.id: option for r in found.rulesets for option in r.module.options}
    options = {k: v for k, v in under.items() if k in known and v in known[k].choices} | own
    is_so = options.items() <= dict(found.options).items()
    return (found if is_so else linked(options)), reporter


def load_program(
    text: str,
    options: Mapping[str, str] | None = None,
    library: Library | None = None,
    *,
    probes: bool = False,
) -> tuple[Program | None, Reporter]:
    """Read, link and compile a game; None after diagnostics in the reporter."""
    # callers that only link need not load the compiler
    from tilewright.play.compiling.compile_game import compile_game

    game, reporter = load_game(text, options, library)
    return (None if game is None else compile_game(game, probes=probes)), reporter
