"""The verb `show`: a ruleset, the turn, a rule, its stages, the engine, a tile, or a board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli.access import LOOKS
from tilewright.faces.cli.arguments import (
    Form,
    GameText,
    Inside,
    Language,
    Options,
    OutFile,
    Seed,
    With,
    compiled,
    complete_ruleset,
    complete_word,
    format_option,
    linked,
    named_in,
    options_from,
    rulesets_from,
    written_form,
)
from tilewright.faces.cli.commands.show_perft import perft
from tilewright.faces.cli.commands.show_topic import topic
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.help_page import CommandPage
from tilewright.faces.cli.output import colour_wanted, mention, put, refuse, say, say_json, width

if TYPE_CHECKING:
    from tilewright.rules.model.ruleset import Ruleset
    from tilewright.rules.reading.library import Library
    from tilewright.view.board.scene import Scene

app = typer.Typer(rich_markup_mode=None)

PICTURES, BOARDS = ("text", "svg", "png"), ("text", "svg", "png", "json")
Ascii = Annotated[bool, typer.Option("--ascii", help="plain characters only"), LOOKS]


@app.callback(invoke_without_command=True)
def show(context: typer.Context) -> None:
    """Show a ruleset, a turn, a rule, a tile, a board, a topic through the editions and more.

    \b
    Examples:
      tilewright show ruleset c2/base
      tilewright show turn c2/base+./my-rules
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
    ruleset: Annotated[
        str,
        typer.Argument(
            metavar="RULESET", help="a ruleset's id or folder", autocompletion=complete_ruleset
        ),
    ],
    with_: With = None,
    tiles: Annotated[bool, typer.Option("--tiles", help="also list every tile"), LOOKS] = False,
    language: Language = "",
    form: Form = "text",
) -> None:
    """Show a ruleset: requirements, options, components, definitions, rules and patches.

    \b
    Examples:
      tilewright show ruleset c2/base --tiles
    """
    from tilewright.faces.cli.views.game import print_ruleset, ruleset_data

    library, ids = rulesets_from([ruleset], with_)
    found = [_ruleset(id_, library) for id_ in ids]
    if form == "json":
        data = [ruleset_data(each, language) for each in found]
        say_json(data[0] if len(data) == 1 else data)
        return
    for number, each in enumerate(found):
        if number:
            say()
        print_ruleset(each, language, with_tiles=tiles)


@app.command("turn", cls=CommandPage)
def show_turn(
    game: GameText,
    with_: With = None,
    option: Options = None,
    language: Language = "",
    form: Form = "text",
) -> None:
    """Show the steps of setup, turn and end in their order, with the actions of each.

    \b
    Examples:
      tilewright show turn c2/base+./my-rules
    """
    from tilewright.faces.cli.views.game import print_turn, turn_data

    found = linked(game, with_, option)
    if form == "json":
        say_json(turn_data(found, language))
    else:
        print_turn(found, language)


@app.command("rule", cls=CommandPage)
def show_rule(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="the id of a rule, definition, value, step, patch or statement",
            autocompletion=complete_word,
        ),
    ],
    inside: Inside = None,
    with_: With = None,
    option: Options = None,
    language: Language = "",
    form: Form = "text",
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
        game = linked(inside, with_, option)
        library, _ = rulesets_from([r.folder for r in game.rulesets], with_)
        pages = [
            rule_data(owner, thing, game, language)
            for owner, thing in find(rule, library, tuple(r.id for r in game.rulesets))
        ]
    else:
        library, _ = rulesets_from(None, with_)
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
    rule: Annotated[
        str, typer.Argument(metavar="RULE", help="a rule's id", autocompletion=complete_word)
    ],
    inside: Inside = None,
    with_: With = None,
    option: Options = None,
) -> None:
    """Show each stage of a rule: the file, the syntax tree, the typed tree, the compiled Python.

    \b
    Examples:
      tilewright show stage turn.draw
    """
    from tilewright.faces.cli.views.rule import find, print_stages
    from tilewright.rules.model.ruleset import Rule

    if inside is None:
        library, _ = rulesets_from(None, with_)
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
    print_stages(linked(inside, with_, option), rule)


@app.command("engine", cls=CommandPage)
def show_engine(
    game: GameText,
    with_: With = None,
    option: Options = None,
    form: Form = "text",
) -> None:
    """Show which engine plays a game and why, and what the native core cannot carry.

    \b
    Examples:
      tilewright show engine c2/base
      tilewright show engine c2/base+./my-rules --format json
    """
    from tilewright.faces.cli.views.engine import engine_data, print_engine

    data = engine_data(compiled(game, with_, option))
    if form == "json":
        say_json(data)
    else:
        print_engine(data)


@app.command("tile", cls=CommandPage)
def show_tile(
    tile: Annotated[str, typer.Argument(metavar="TILE", help="a tile's id, or its printed letter")],
    inside: Inside = None,
    with_: With = None,
    form: Annotated[str, format_option(*PICTURES, show_default="text"), LOOKS] = "",
    out: OutFile = None,
    size: Annotated[
        int, typer.Option(metavar="N", help="width of a picture in pixels", min=16, max=4000)
    ] = 200,
    rotate: Annotated[
        int, typer.Option(metavar="N", help="quarter turns clockwise", min=0, max=3), LOOKS
    ] = 0,
    ascii_only: Ascii = False,
    option: Options = None,
    language: Language = "",
) -> None:
    """Draw a tile as text, SVG or PNG.

    \b
    Examples:
      tilewright show tile A
      tilewright show tile A --in c2/base --out a.svg
    """
    from tilewright.faces.cli.views.board import find_piece, tile_output

    form = written_form(form, out, PICTURES)
    library, ids = rulesets_from([inside] if inside else None, with_)
    game, piece = find_piece(
        tile,
        library,
        ids if inside else library.ids(),
        options_from(option),
        together=inside is not None and len(named_in(inside).names) > 1,
        with_required=inside is not None,
    )
    made = tile_output(
        game, piece, form, size=size, turn=rotate, ascii_only=ascii_only, language=language
    )
    put(made, out, form)


@app.command("board", cls=CommandPage)
def show_board(
    what: Annotated[
        str,
        typer.Argument(
            metavar="SAVE|GAME", help="a saved match, or a game to play with random choices"
        ),
    ],
    turns: Annotated[int, typer.Option(metavar="N", help="number of turns to play", min=0)] = 20,
    players: Annotated[int, typer.Option(metavar="N", help="number of players", min=1, max=99)] = 2,
    seed: Seed = "1",
    with_: With = None,
    option: Options = None,
    form: Annotated[str, format_option(*BOARDS, show_default="text"), LOOKS] = "",
    out: OutFile = None,
    size: Annotated[
        int, typer.Option(metavar="N", help="width of a tile in pixels", min=16, max=400)
    ] = 96,
    language: Language = "",
    ascii_only: Ascii = False,
) -> None:
    """Draw the board of a saved match, or of a game after some random turns.

    \b
    Examples:
      tilewright show board game.json
      tilewright show board game.json --format json   # the public information
      tilewright show board c2/base --turns 30 --seed kyiv --out board.png
    """
    from tilewright.faces.cli.views.board import chance_match, saved_match
    from tilewright.view.board.view import scene_of

    form = written_form(form, out, BOARDS)
    if what.endswith(".json"):
        match = saved_match(Path(what), with_)
    else:
        match = chance_match(compiled(what, with_, option), players, seed, turns)
    if form == "json":
        from tilewright.play.observation import public_view

        put(json.dumps(public_view(match), ensure_ascii=False, indent=2), out, form)
        return
    colour = form != "text" or (colour_wanted() and out is None)
    scene = scene_of(match, language=language)
    put(_drawn(scene, form, size, colour=colour, ascii_only=ascii_only), out, form)


def _drawn(scene: Scene, form: str, size: int, *, colour: bool, ascii_only: bool) -> str | bytes:
    if form == "text":
        from tilewright.view.board.text import scene_text

        return scene_text(scene, max(40, width()), colour, ascii_only=ascii_only)
    from tilewright.view.board.svg import scene_svg

    picture = scene_svg(scene, size)
    if form == "svg":
        return picture
    from tilewright.view.board.png import png_bytes

    return png_bytes(picture)


app.command("topic", cls=CommandPage)(topic)
app.command("perft", cls=CommandPage)(perft)
