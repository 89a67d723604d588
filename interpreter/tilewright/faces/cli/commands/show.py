"""The verb `show`: a ruleset, the turn, a sheet of rules, a rule, a tile, a board and more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.help_page import CommandPage
from tilewright.faces.cli.output import (
    colour_wanted,
    console,
    mention,
    put,
    refuse,
    refusing,
    result_to,
    say,
    say_json,
    width,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import LOOKS
from tilewright.language.locale.words import Words
from tilewright.tools.workspace.game_text import CutGame

if TYPE_CHECKING:
    from tilewright.rules.model.ruleset import Ruleset
    from tilewright.rules.reading.library import Library

app = typer.Typer(rich_markup_mode=None)

PICTURES, BOARDS = ("text", "svg", "png"), ("text", "svg", "png", "json")
SHEETS = ("text", "markdown", "html")
Ascii = Annotated[bool, typer.Option("--ascii", help="plain characters only"), LOOKS]


@app.callback(invoke_without_command=True)
def show(context: typer.Context) -> None:
    """Show a ruleset, a turn, a rule, a tile, a board, a topic through the editions and more.

    \b
    Examples:
      tilewright show ruleset c2/base
      tilewright show turn c2/base+./my-rules
      tilewright show sheet c2/base+./my-rules --out sheet.html
      tilewright show rule turn.draw
      tilewright show tile A --in c2/base --out a.svg
      tilewright show board game.json --out board.png
      tilewright show stage turn.draw
      tilewright show engine c2/base
      tilewright show topic turn.draw
      tilewright show perft c2/base --depth 2
    """
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit


def _ruleset(id_: str, library: Library) -> Ruleset:
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.rules.linking.compose.select import whole

    reporter = Reporter()
    found = whole(id_, lambda name: library.load(name, reporter))
    if found is None:
        raise refuse(reporter.diagnostics)
    return found


@app.command("ruleset", cls=CommandPage)
def show_ruleset(
    ruleset: Annotated[str, a.argument("RULESET", "a ruleset's id or folder", a.complete_ruleset)],
    with_: a.With = None,
    tiles: Annotated[bool, a.flag("--tiles", "also list every tile"), LOOKS] = False,
    language: a.Language = "",
    form: a.Form = "text",
) -> None:
    """Show a ruleset: requirements, options, components, definitions, rules and patches.

    JSON is the ruleset as its files have it, each label by language, for `jq`, OPA or a script. Its
    form is that of `schemas/ruleset-data.schema.json`, and stays from version to version.

    \b
    Examples:
      tilewright show ruleset c2/base --tiles
      tilewright show ruleset c2/base --format json
    """
    from tilewright.faces.cli.views.game import print_ruleset
    from tilewright.rules.reading.as_data import files_as_data, ruleset_as_data

    library, ids = a.rulesets_from([ruleset], with_)
    found = [_ruleset(id_, library) for id_ in ids]
    if form == "json":
        folders = ((id_, library.folder(id_)) for id_ in ids)
        data = [ruleset_as_data(id_, files_as_data(folder)) for id_, folder in folders if folder]
        say_json(data[0] if len(data) == 1 else data)
        return
    for number, each in enumerate(found):
        if number:
            say()
        print_ruleset(each, language, with_tiles=tiles)


@app.command("turn", cls=CommandPage)
def show_turn(
    game: a.GameText,
    with_: a.With = None,
    option: a.Options = None,
    language: a.Language = "",
    form: a.Form = "text",
) -> None:
    """Show the steps of setup, turn and end in their order, with the actions of each.

    \b
    Examples:
      tilewright show turn c2/base+./my-rules
    """
    from tilewright.faces.cli.views.game import print_turn, turn_data

    found = a.linked(game, with_, option)
    if form == "json":
        say_json(turn_data(found, language))
    else:
        print_turn(found, language)


@app.command("sheet", cls=CommandPage)
def show_sheet(
    game: a.GameText,
    with_: a.With = None,
    option: a.Options = None,
    form: Annotated[str, a.format_option(*SHEETS, show_default="text"), LOOKS] = "",
    out: a.OutFile = None,
    language: a.Language = "",
) -> None:
    """Show the rules of exactly this game in the order of a turn, on a few pages of paper.

    Each house rule is beside the rules that it changes. Tables of points and tiles, the choices of
    options and the rules that no longer hold follow.

    \b
    Examples:
      tilewright show sheet c2/base+./my-rules
      tilewright show sheet c2/base --out sheet.html
      tilewright show sheet c2/base --format markdown --lang uk
    """
    from tilewright.tools.rule_sheet.compose import sheet_of
    from tilewright.tools.rule_sheet.page import sheet_page

    form = a.written_form(form, out, SHEETS)
    found, library = a.linked_in_library(game, with_, option)
    words = Words(language)
    if form == "html":
        put(sheet_page(found, library, words), out, form)
        return
    blocks = sheet_of(found, library, words)
    with result_to(out, form):
        if form == "markdown":
            from tilewright.view.page.blocks import Where
            from tilewright.view.page.markdown import Writer

            say(Writer(("",), words, Where.MARKDOWN_USUAL).document(blocks))
        else:
            from tilewright.faces.cli.views.page import print_page

            print_page(blocks, console(), words, ("",))


@app.command("rule", cls=CommandPage)
def show_rule(
    rule: Annotated[
        str,
        a.argument(
            "ID", "the id of a rule, definition, value, step, patch or statement", a.complete_word
        ),
    ],
    inside: a.Inside = None,
    with_: a.With = None,
    option: a.Options = None,
    language: a.Language = "",
    form: a.Form = "text",
) -> None:
    """Show a rule as written, with its statements, related amendments and scenarios.

    Without `--in` the rule is shown for every ruleset that has it; with it the rule is
    shown as part of that game, with all patches and amendments.

    \b
    Examples:
      tilewright show rule turn.draw
      tilewright show rule turn.draw --in c2/base+./my-rules
    """
    from tilewright.faces.cli.views.rule import find, print_rule, rule_data
    from tilewright.tools.workspace.loading import load_game

    if inside is not None:
        game = a.linked(inside, with_, option)
        library, _ = a.rulesets_from([r.folder for r in game.rulesets], with_)
        pages = [
            rule_data(owner, thing, game, language)
            for owner, thing in find(rule, library, tuple(r.id for r in game.rulesets))
        ]
    else:
        library, _ = a.rulesets_from(None, with_)
        pages = []
        for owner, thing in find(rule, library, library.ids()):
            found, _ = load_game(owner.id, {}, library)
            pages.append(rule_data(owner, thing, found, language))
    if form == "json":
        say_json(pages)
        return
    for number, page in enumerate(pages):
        if number:
            say("\n" + "─" * min(width(), 80) + "\n")
        print_rule(page, language)


@app.command("stage", cls=CommandPage)
def show_stage(
    rule: Annotated[str, a.argument("RULE", "a rule's id", a.complete_word)],
    inside: a.Inside = None,
    with_: a.With = None,
    option: a.Options = None,
) -> None:
    """Show each stage of a rule: the file, the syntax tree, the typed tree, the plan, the
    compiled Python.

    \b
    Examples:
      tilewright show stage turn.draw
    """
    from tilewright.faces.cli.views.rule import find, print_stages
    from tilewright.rules.model.ruleset import Rule

    if inside is None:
        library, _ = a.rulesets_from(None, with_)
        owners = [
            (owner.id, owner.folder)
            for owner, thing in find(rule, library, library.ids())
            if isinstance(thing, Rule)
        ]
        if not owners:
            raise Stop(USAGE, f"`{rule}` is not a rule; only rules are compiled")
        inside = owners[0][1]
        if len(owners) > 1:
            others = ", ".join(f"--in {id_}" for id_, _ in owners[1:])
            mention(f"showing the rule of {owners[0][0]}; for others use {others}")
    print_stages(a.linked(inside, with_, option), rule)


@app.command("engine", cls=CommandPage)
def show_engine(
    game: a.GameText,
    with_: a.With = None,
    option: a.Options = None,
    form: a.Form = "text",
) -> None:
    """Show which engine plays a game and why, and what the native core cannot carry.

    \b
    Examples:
      tilewright show engine c2/base
      tilewright show engine c2/base+./my-rules --format json
    """
    from tilewright.faces.cli.views.engine import engine_data, print_engine

    data = engine_data(a.compiled(game, with_, option))
    if form == "json":
        say_json(data)
    else:
        print_engine(data)


@app.command("tile", cls=CommandPage)
def show_tile(
    tile: Annotated[str, a.argument("TILE", "a tile's id, or its printed letter")],
    inside: a.Inside = None,
    with_: a.With = None,
    form: Annotated[str, a.format_option(*PICTURES, show_default="text"), LOOKS] = "",
    out: a.OutFile = None,
    size: Annotated[int, a.option("N", "width of a picture in pixels", min=16, max=4000)] = 200,
    rotate: Annotated[int, a.option("N", "quarter turns clockwise", min=0, max=3), LOOKS] = 0,
    ascii_only: Ascii = False,
    option: a.Options = None,
    language: a.Language = "",
) -> None:
    """Draw a tile as text, SVG or PNG.

    \b
    Examples:
      tilewright show tile A
      tilewright show tile A --in c2/base --out a.svg
    """
    from tilewright.faces.cli.views.board import find_piece, tile_output

    form = a.written_form(form, out, PICTURES)
    cut = a.named_in(inside) if inside else CutGame((), "")
    library, ids = a.rulesets_from(cut.names, with_)
    game, piece = find_piece(
        tile,
        library,
        ids if inside else library.ids(),
        a.options_of(cut, option),
        together=len(cut.names) > 1,
        with_required=inside is not None,
    )
    made = tile_output(
        game, piece, form, size=size, turn=rotate, ascii_only=ascii_only, language=language
    )
    put(made, out, form)


@app.command("board", cls=CommandPage)
def show_board(
    what: Annotated[
        str, a.argument("SAVE|GAME", "a saved match, or a game to play with random choices")
    ],
    turns: Annotated[int, a.option("N", "number of turns to play", min=0)] = 20,
    players: Annotated[int, a.option("N", "number of players", min=1, max=99)] = 2,
    seed: a.Seed = "1",
    with_: a.With = None,
    option: a.Options = None,
    form: Annotated[str, a.format_option(*BOARDS, show_default="text"), LOOKS] = "",
    out: a.OutFile = None,
    size: Annotated[int, a.option("N", "width of a tile in pixels", min=16, max=400)] = 96,
    language: a.Language = "",
    ascii_only: Ascii = False,
) -> None:
    """Draw the board of a saved match, or of a game after some random turns.

    \b
    Examples:
      tilewright show board game.json
      tilewright show board game.json --format json   # the public information
      tilewright show board c2/base --turns 30 --seed kyiv --out board.png
    """
    from tilewright.faces.cli.views.board import chance_match, scene_output
    from tilewright.view.board.view import scene_of

    form = a.written_form(form, out, BOARDS)
    if what.endswith(".json"):
        from tilewright.faces.cli.saves import opened_match

        match = opened_match(Path(what), with_)[1]
    else:
        match = chance_match(a.compiled(what, with_, option), players, seed, turns)
    if form == "json":
        from tilewright.play.observation import public_view

        put(json.dumps(public_view(match), ensure_ascii=False, indent=2), out, form)
        return
    colour = form != "text" or (colour_wanted() and out is None)
    scene = scene_of(match, language=language)
    room = max(40, width())
    put(scene_output(scene, form, room, size, colour=colour, ascii_only=ascii_only), out, form)


@app.command(cls=CommandPage)
def topic(
    name: Annotated[
        str, a.argument("TOPIC", "a topic, or the start of several: `scoring`", a.complete_topic)
    ],
    rulesets: Annotated[
        list[str] | None, a.argument("[RULESET]...", "only these rulesets", a.complete_ruleset)
    ] = None,
    with_: a.With = None,
    is_printed_only: Annotated[
        bool, a.flag("--printed", "leave out house rules and variants"), LOOKS
    ] = False,
    form: Annotated[str, a.format_option("text", "markdown", "json"), LOOKS] = "text",
    language: a.Language = "",
) -> None:
    """Show how a topic changed from edition to edition, and which house rules change it.

    \b
    Examples:
      tilewright show topic turn.draw
      tilewright show topic scoring --printed
      tilewright show topic scoring ./my-rules c2/base --format markdown
    """
    from tilewright.tools.comparison.compare import UnknownTopicError, check_topic
    from tilewright.tools.comparison.timeline import histories, topics_of
    from tilewright.view.comparison.history import history_json, history_markdown

    if rulesets:
        library, within = a.rulesets_from(rulesets, with_)
    else:
        library = a.library_for(with_)
        within = library.ids()
    with refusing(UnknownTopicError):
        check_topic(name, topics_of(library), "of any ruleset")
    words = Words(language)
    with progress(words("progress.editions"), language=words.language) as step:
        found = histories(name, library, within, step, is_printed_only=is_printed_only)
    if form == "json":
        say(history_json(found))
    elif form == "markdown":
        say(history_markdown(found, language))
    else:
        from tilewright.faces.cli.views.page import print_history

        print_history(found, console(), language=language)


@app.command(cls=CommandPage)
def perft(
    game: a.GameText,
    depth: Annotated[int, a.option("N", "number of tiles to lay", min=1, max=9)] = 2,
    with_: a.With = None,
    option: a.Options = None,
    form: a.Form = "text",
) -> None:
    """Count the ways to lay a number of tiles: an exact fingerprint of a game's tiles.

    \b
    Examples:
      tilewright show perft c2/base --depth 3
    """
    from tilewright.tools.simulation.perft import perft as counted

    program = a.compiled(game, with_, option)
    with progress("perft", depth, unit="tiles") as step:
        counts = counted(program, depth, lambda tiles, _: step(tiles))
    if form == "json":
        say(json.dumps({"game": program.game.id, "hash": program.game.hash, "counts": counts}))
        return
    for number, count in enumerate(counts, 1):
        say(f"{number}  {count}")
