"""Arguments of the command line as rulesets, games, options and players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tilewright.faces.cli.exit_codes import UNREADABLE, USAGE, Stop
from tilewright.faces.cli.locked import refuse_other_game
from tilewright.faces.cli.named_folders import FolderCollector
from tilewright.faces.cli.output import mention, refuse
from tilewright.faces.cli.settings import LOOKS, RULESETS, WRITES
from tilewright.faces.cli.written_files import refuse_other_kind
from tilewright.language.locale.choice import LANGUAGE_VARIABLE, chosen_language
from tilewright.language.locale.po_file import CatalogueError
from tilewright.language.locale.words import ENGLISH, catalogue, languages
from tilewright.language.source.files import expanded
from tilewright.tools.workspace.game_text import CutGame, address_error, cut_game

if TYPE_CHECKING:
    from tilewright.play.program import Program
    from tilewright.rules.linking.game import Game
    from tilewright.rules.reading.library import Library

# ------------------------------------------------------------------ completion in the shell


def complete_ruleset(incomplete: str) -> list[str]:
    """Ids of rulesets that start with a text."""
    from tilewright.rules.reading.library import Library

    head, plus, last = incomplete.rpartition("+")
    return [head + plus + id_ for id_ in Library().ids() if id_.startswith(last)]


def complete_word(incomplete: str) -> list[str]:
    """Codes and names of diagnostics, words of the language and ids that start with a text."""
    from tilewright.language.builtins import FUNCTION, GLOBAL, VERB
    from tilewright.language.source.catalogue import codes
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.rules.reading.library import Library

    names = (info.name for info in codes().values())
    found = [*codes(), *names, *GLOBAL, *FUNCTION, *VERB]
    library, quiet = Library(), Reporter.discarding()
    for id_ in library.ids():
        ruleset = library.load(id_, quiet)
        found += [rule.head.id for rule in ruleset.rules] if ruleset else []
    return sorted({word for word in found if word.lower().startswith(incomplete.lower())})


def complete_topic(incomplete: str) -> list[str]:
    """Topics that start with a text."""
    from tilewright.rules.reading.library import Library
    from tilewright.tools.comparison.timeline import topics_of

    return [topic for topic in topics_of(Library()) if topic.startswith(incomplete)]


# ------------------------------------------------------------------ options that many verbs share


def one_of(what: str, value: str, known: Collection[str]) -> str:
    """A word of a fixed list; raises `Stop` for any other."""
    from tilewright.language.source import diagnostics as d

    if value in known:
        return value
    message = f"{what} is {d.one_of(known)}, not `{value}`{d.did_you_mean(value, known)}"
    raise Stop(USAGE, message)


def refuse_given(context: typer.Context, names: Collection[str], reason: str) -> None:
    """Raise `Stop` if one of these parameters was given, because the run would ignore it.

    `reason` follows the name of the option, such as "needs `--all`".
    """
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        if param.name in names and source is not None and source.name == "COMMANDLINE":
            raise Stop(USAGE, f"`{max(param.opts, key=len)}` {reason}")


def at_most_one(context: typer.Context, **values: Any) -> Iterator[Any]:
    """The values of two parameters that exclude each other, given by their names.

    One of the command line replaces the other one of the configuration file. Raises `Stop` for two
    from the same source.
    """
    if all(values.values()):
        sources = {name: context.get_parameter_source(name) for name in values}
        given = [name for name, found in sources.items() if found and found.name == "COMMANDLINE"]
        if len(given) != 1:
            params = {param.name: max(param.opts, key=len) for param in context.command.params}
            first, second = (params[name] for name in values)
            raise Stop(USAGE, f"`{first}` and `{second}` exclude each other")
        values = {name: value if name in given else None for name, value in values.items()}
    return iter(values.values())


def flag(name: str, help_: str, **settings: Any) -> Any:
    """A switch."""
    return typer.Option(name, help=help_, **settings)


def option(metavar: str, help_: str, *names: str, **settings: Any) -> Any:
    """An option with a value; without names it is called as its parameter."""
    return typer.Option(*names, metavar=metavar, help=help_, **settings)


def argument(metavar: str, help_: str, complete: Any = None, **settings: Any) -> Any:
    """An argument; `complete` gives the words that may follow in the shell."""
    return typer.Argument(metavar=metavar, help=help_, autocompletion=complete, **settings)


def choice(name: str, known: Sequence[str], help_: str, *more: str, **settings: Any) -> Any:
    """An option with a closed list of values, which the help page shows."""
    return typer.Option(
        name,
        *more,
        metavar=f"[{'|'.join(known)}]",
        help=help_,
        callback=lambda value: value and one_of(f"`{name}`", value, known),
        autocompletion=lambda incomplete: [word for word in known if word.startswith(incomplete)],
        **settings,
    )


def format_option(*known: str, note: str = "", **settings: Any) -> Any:
    """The option `--format` with the known formats; `note` is added to the help."""
    help_ = f"form of the result{note}"
    return choice("--format", known, help_, "-f", **settings)


def only_option(**settings: Any) -> Any:
    """The option `--only`."""
    return option("TEXT", "only those whose id or name contains TEXT", "--only", **settings)


def seed_option(**settings: Any) -> Any:
    """The option `--seed`."""
    return option("SEED", "random seed: any text", "--seed", **settings)


def language_option() -> Any:
    """The option `--lang`."""
    return typer.Option(
        "--lang",
        metavar=f"[{'|'.join(languages())}]",
        help="language of the output",
        callback=_known_language,
        autocompletion=lambda incomplete: [c for c in languages() if c.startswith(incomplete)],
        envvar=LANGUAGE_VARIABLE,
        show_default=ENGLISH,
    )


def _known_language(requested: str) -> str:
    """The language of a run; raises `Stop` if it has no catalogue, or one that cannot be read."""
    language = one_of("`--lang`", chosen_language(requested), languages())
    try:
        catalogue(language)
    except CatalogueError as error:
        raise Stop(UNREADABLE, str(error)) from None
    return language


#: forms by the suffix of a file
_FORMS = {
    ".html": "html", ".htm": "html", ".json": "json", ".md": "markdown", ".png": "png",
    ".sarif": "sarif", ".svg": "svg", ".txt": "text", ".xml": "junit",
}  # fmt: skip


def written_form(form: str, out: Path | None, known: Sequence[str]) -> str:
    """The form of a result: as `--format` says, else by the suffix of `--out`, else the first.

    Raises `Stop` for a suffix of another form, or of none.
    """
    if out is None:
        return form or known[0]
    by_suffix = _FORMS.get(out.suffix.lower())
    if by_suffix not in known:
        by_suffix = None
    if form and by_suffix not in (None, form):
        raise Stop(USAGE, f"`--format {form}` does not suit `--out {out}`", "leave out `--format`")
    if not form and by_suffix is None:
        suffixes = [suffix for suffix, each in _FORMS.items() if each in known]
        message = f"`--out` chooses the form by the suffix of `{out}`: {', '.join(suffixes)}"
        raise Stop(USAGE, message, f"or add `--format`: {', '.join(known)}")
    chosen = form or by_suffix or known[0]
    refuse_other_kind(out, chosen)
    return chosen


#: impacts of a difference, the gravest first
IMPACTS = ("breaking", "behaviour", "data", "text")
Form = Annotated[str, format_option("text", "json"), LOOKS]
FINDINGS_FORMS = ("text", "json", "sarif", "github", "junit")
FindingsForm = Annotated[str, format_option(*FINDINGS_FORMS, show_default="text"), LOOKS]
SaveFile = Annotated[Path, argument("SAVE", "file written by `play --save`")]

Rulesets = Annotated[
    list[str] | None,
    argument(
        "[RULESET]...",
        "ids (`c2/base`), folders or files; default: those of `tilewright.toml`, those in the "
        "current folder, or all shipped ones",
        complete_ruleset,
    ),
]
GameText = Annotated[
    str,
    argument(
        "GAME",
        "rulesets joined by `+`, by id or folder: `c2/base+./my-rules`; a colon selects one "
        "part of a ruleset: `./my-rules:tiles`",
        complete_ruleset,
    ),
]
Jobs = Annotated[
    int | None,
    option("N", "number of processes", "--jobs", min=1, max=256, show_default="one for each core"),
]
With = Annotated[
    list[Path] | None,
    option(
        "FOLDER",
        "also search this folder for rulesets; an id, or a part such as `./more:tiles`, is "
        "added to the game; repeatable",
        "--with",
    ),
    RULESETS,
]
Options = Annotated[
    list[str] | None,
    option("NAME=VALUE", "set an option of a ruleset; repeatable", "--option", "-o"),
]
Language = Annotated[str, language_option(), LOOKS]
Only = Annotated[str, only_option()]
OutFile = Annotated[
    Path | None,
    option("FILE", "write the result to a file; its suffix chooses the form", "--out"),
    WRITES,
]
OutFolder = Annotated[Path, option("FOLDER", "write into this folder", "--out"), WRITES]
Inside = Annotated[
    str | None,
    option("GAME", "search only this ruleset or game", "--in", autocompletion=complete_ruleset),
]
Turn = Annotated[int | None, option("N", "the turn with this number", "--turn", min=1)]
Seed = Annotated[str, seed_option()]


# ------------------------------------------------------------------ rulesets


def library_for(with_: Iterable[Path] | None) -> Library:
    """The shipped rulesets, and those in some more folders."""
    return FolderCollector(with_).finish()


def rulesets_from(
    texts: Sequence[str] | None,
    with_: Iterable[Path] | None,
    *,
    parts: bool = False,
    is_fresh: bool = False,
    reports_unread: bool = True,
) -> tuple[Library, tuple[str, ...]]:
    """The library and the ids of the named rulesets; `parts` allows parts of rulesets.

    Without names these are the rulesets in the folders of the configuration file, else those of the
    current folder, or all. If it `is_fresh`, nothing is
    read from the cache. Raises `Stop` for options, which only games have.
    """
    collector = FolderCollector(with_, is_fresh=is_fresh)
    cuts = [named_in(text) for text in texts or ()]
    for cut in cuts:
        if cut.options:
            message = f"rulesets are named here without options, found `?{cut.options}`"
            raise Stop(USAGE, message, f"write `{'+'.join(cut.names)}`")
    words = collector.words(name for cut in cuts for name in cut.names)
    partial = [name + part for name, part, _ in words if part]
    if partial and not parts:
        hint = f"`tilewright check {partial[0]}` checks it, and games may contain it"
        raise Stop(USAGE, f"expected a whole ruleset, found the part `{partial[0]}`", hint)
    if not words and not collector.named:
        configured = collector.add_configured(by_default=True)
        if configured:
            return collector.finish(reports_unread=reports_unread), configured
        folder = Path("rulesets") if Path("rulesets").is_dir() else Path()
        here = collector.add(folder) if collector.library.folders_under(folder) else ()
        library = collector.finish(reports_unread=reports_unread)
        if not here:
            mention(f"no ruleset is in `{folder.resolve()}`: all shipped ones are taken")
        return library, here or library.ids()
    library = collector.finish(reports_unread=reports_unread)
    found = collector.named if not words else collector.ids(words)
    return library, found


# ------------------------------------------------------------------ games


def named_in(text: str) -> CutGame:
    """The rulesets and options that the text of a game names; raises `Stop` where a plus joins
    nothing.
    """
    message, hint = address_error(text)
    if message:
        raise Stop(UNREADABLE, message, hint)
    found = cut_game(text)
    words = found.names
    how = "a game is written `c2/base` or `a/one+b/two`"
    if not any(words):
        raise Stop(USAGE, f"no ruleset is named: {how}")
    if not all(words):
        where = "before its first" if not words[0] else "behind its last" if not words[-1] else ""
        raise Stop(USAGE, f"`{text}` names nothing {where or 'between two'} `+`", how)
    return found


def options_of(cut: CutGame, options: Sequence[str] | None = None) -> dict[str, str]:
    """The options of a game, and those that are given besides."""
    return options_from([*(part for part in cut.options.split("&") if part), *(options or ())])


def options_from(texts: Sequence[str] | None) -> dict[str, str]:
    """`name=value` words as a mapping."""
    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise Stop(USAGE, f"expected an option written `name=value`, found `{text}`")
        found[name.strip()] = value.strip()
    return found


def game_from(
    text: str, with_: Iterable[Path] | None, options: Sequence[str] | None = None
) -> tuple[Library, str, dict[str, str]]:
    """The library, the game as ids joined by `+`, and its options."""
    cut = named_in(text)
    collector = FolderCollector(with_)
    words = collector.words(cut.names)
    library = collector.finish()
    ids, given = "+".join(collector.ids(words)), options_of(cut, options)
    refuse_other_game(ids, given)
    return library, ids, given


def game_text(game: str, options: Mapping[str, str]) -> str:
    """A game and its options as one text."""
    query = "&".join(f"{name}={value}" for name, value in options.items())
    return f"{game}?{query}" if query else game


def games_from(
    texts: Sequence[str], with_: Iterable[Path] | None
) -> tuple[Library, tuple[str, ...]]:
    """The library, and several games as ids joined by `+`, each with its own options."""
    collector = FolderCollector(with_)
    cuts = [named_in(text) for text in texts]
    words = [collector.words(each.names) for each in cuts]
    library = collector.finish()
    games = []
    for each, row in zip(cuts, words, strict=True):
        ids = "+".join(collector.ids(row))
        refuse_other_game(ids, options_of(each))
        games.append(ids + (each.options and f"?{each.options}"))
    return library, tuple(games)


def are_versions(texts: Sequence[str], with_: Iterable[Path] | None) -> bool:
    """Whether two games have the same rulesets, and at least one of these lies in two places."""
    ids: list[list[str]] = []
    places = []
    for text in texts:
        collector = FolderCollector(with_)
        words = collector.words(named_in(text).names)
        ids.append([id_ + part for name, part, group in words for id_ in group or (name,)])
        folders = map(collector.library.folder, (id_ for *_, group in words for id_ in group or ()))
        places.append([folder and folder.resolve() for folder in folders])
    return len(texts) == 2 and ids[0] == ids[1] and places[0] != places[1]


def linked(text: str, with_: Iterable[Path] | None, options: Sequence[str] | None = None) -> Game:
    """The linked game of a text; raises `Stop` after printing the diagnostics."""
    return linked_in_library(text, with_, options)[0]


def linked_in_library(
    text: str, with_: Iterable[Path] | None, options: Sequence[str] | None = None
) -> tuple[Game, Library]:
    """The linked game of a text with its library; raises `Stop` after printing the diagnostics."""
    from tilewright.tools.workspace.kept_games import stored_game
    from tilewright.tools.workspace.program_cache import user_programs
    from tilewright.tools.workspace.stored_games import StoredGames

    library, ids, chosen = game_from(text, with_, options)

    def link() -> tuple[Game, Library]:
        from tilewright.tools.workspace.loading import load_game  # a stored game needs no linker

        game, reporter = load_game(ids, chosen, library)
        if game is None:
            _refuse_folder(text, library)
            raise refuse(reporter.diagnostics)
        return game, library

    if not library.names_all:
        return link()
    places = library.places().items()
    own = tuple((id_, str(place)) for id_, (place, _) in places if library.origin(id_) is None)
    key = ids, tuple(sorted(chosen.items())), own
    return stored_game(key, link, StoredGames(user_programs().cache)), library


def _refuse_folder(text: str, library: Library) -> None:
    """Raise `Stop` if a folder that was named as one ruleset contains several."""
    for name in named_in(text).names:
        folder = expanded(name)
        if folder.is_dir() and not (folder / "module.yaml").is_file():
            inside = library.folders_under(folder)
            if len(inside) > 1:
                message = f"`{name}` contains {len(inside)} rulesets, which do not form one game"
                first = folder / inside[0].resolve().relative_to(folder.resolve())
                raise Stop(USAGE, message, f"name the folder of one of them, such as `{first}`")


def compiled(
    text: str, with_: Iterable[Path] | None, options: Sequence[str] | None = None
) -> Program:
    """The compiled program of a game; raises `Stop` as `linked` does."""
    from tilewright.tools.workspace.program_cache import user_programs

    return user_programs().program(linked(text, with_, options))


def parse_players(text: str, game: Game) -> tuple[str, ...]:
    """The kind of player at each seat: `red=human,blue=greedy`, `human,mcts:500` or a number of
    people.
    """
    from tilewright.play.bots.named import NAMES, bot_named

    seats = [seat.id for seat in game.seats]
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) == 1 and parts[0].isdecimal():
        parts = ["human"] * min(int(parts[0]), 99)
    found: list[str] = []
    for number, part in enumerate(parts):
        seat, equals, kind = part.rpartition("=")
        if equals:
            one_of("a seat of `--players`", seat.strip(), seats)
            if seats.index(seat.strip()) != number:
                wanted = ", ".join(seats[: len(parts)])
                raise Stop(USAGE, f"expected the seats in this order: {wanted}")
        kind = kind.strip()
        if ":" in kind:
            try:
                bot_named(kind)
            except ValueError as error:
                raise Stop(USAGE, str(error)) from None
        else:
            one_of("a player of `--players`", kind, ("human", *NAMES))
        found.append(kind)
    refused = game.refusal(len(found))
    if refused:
        raise Stop(USAGE, refused)
    return tuple(found)
