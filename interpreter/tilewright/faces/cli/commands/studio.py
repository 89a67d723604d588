"""The verb `studio`: the page in a browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tilewright.faces.cli.arguments import argument, flag, option
from tilewright.faces.cli.exit_codes import UNREADABLE, USAGE, Stop

if TYPE_CHECKING:
    from tilewright.faces.studio.client import Studio


def studio(
    what: Annotated[
        str | None, argument("[GAME|SAVE]", "a game to begin with, or a saved match to continue")
    ] = None,
    folder: Annotated[
        list[Path] | None,
        option(
            "FOLDER",
            "open a folder of rulesets for reading and writing; repeatable",
            show_default="one of your own",
        ),
    ] = None,
    port: Annotated[int, option("PORT", "port", min=0, max=65535, show_default="a free one")] = 0,
    page: Annotated[
        str, option("ADDRESS", "address of a studio that others can open, for shared links")
    ] = "",
    is_browser: Annotated[
        bool, flag("--browser/--no-browser", "open the page in the browser")
    ] = True,
) -> None:
    """Open the studio in a browser: read rules, write them, play, compare and simulate.

    Serves the page on this computer alone and prints its address, which holds a secret token.
    Matches and unsaved texts are kept, and offered again at the next start. Ends with Ctrl-C.

    \b
    Examples:
      tilewright studio
      tilewright studio c2/base
      tilewright studio game.json
      tilewright studio --folder ./my-rules --port 8123 --no-browser
    """
    missing = [name for name in ("websockets", "fastjsonschema") if not find_spec(name)]
    if missing:
        message = f"the studio needs `{missing[0]}`, which is not installed"
        raise Stop(USAGE, message, 'install it with `pip install "tilewright[studio]"`')
    import webbrowser

    from tilewright.faces.cli.output import say
    from tilewright.faces.studio.doors.server import Door, bound_socket, new_token, serve

    if page and not page.startswith(("https://", "http://")):
        raise Stop(USAGE, f"expected an address that begins with `https://`, found `{page}`")
    found = _studio([path.resolve() for path in folder or []], what)
    found.page = page.partition("#")[0]
    try:
        listening = bound_socket(port)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        message = f"port {port} cannot be used: {reason}"
        raise Stop(UNREADABLE, message, "leave `--port` out for a free one") from None
    door = Door(found, new_token(), listening.getsockname()[1])

    def ready() -> None:
        say(f"the studio is at {door.address}")
        say("Ctrl-C ends it; matches and texts are kept")
        if is_browser:
            webbrowser.open(door.address)

    try:
        serve(door, listening, ready)
    finally:
        for each in (found.runner, found.workers):
            if each is not None:
                each.stop()


def _studio(folders: list[Path], what: str | None) -> Studio:
    """The state behind the pages; raises `Stop` for a folder, game or save that is none."""
    from tilewright.faces.cli.saves import opened_match
    from tilewright.faces.cli.settings import configured_folders
    from tilewright.faces.studio.client import Client, Studio
    from tilewright.faces.studio.desk.drafts import apply_drafts
    from tilewright.faces.studio.doors.disk import VARIABLE, DiskStore, studio_folder, users_rules
    from tilewright.faces.studio.jobs.processes import ProcessRunner
    from tilewright.faces.studio.jobs.workers import WorkerProcesses
    from tilewright.tools.workspace.program_cache import user_programs

    for path in folders:
        if not path.is_dir():
            raise Stop(UNREADABLE, f"the folder `{path}` does not exist")
    kept = studio_folder()
    if kept is None:
        message = "the home folder of this user is unknown, and matches and drafts are kept there"
        hint = f"set `HOME`, or name a folder for them with `{VARIABLE}`"
        raise Stop(UNREADABLE, message, hint)
    folders = folders or [users_rules(kept)]
    more = tuple(folder.resolve() for folder in configured_folders())
    found = Studio(
        tuple(folders),
        DiskStore(kept),
        user_programs(),
        ProcessRunner((*folders, *more)),
        more_folders=more,
    )
    found.workers = WorkerProcesses(found)
    apply_drafts(found)
    # a folder without rulesets may be opened, to write the first one
    full = [path for path in folders if found.library.folders_under(path)]
    if what is not None and what.endswith(".json"):
        from tilewright.faces.studio.table.matches import load_match
        from tilewright.language.source.files import read_whole
        from tilewright.tools.persistence.match_file import MAX_BYTES

        opened_match(Path(what), full)  # refuses other files, with the reason
        client = Client(found)
        begun = load_match(client, {"text": read_whole(Path(what), MAX_BYTES)}).result(client)
        found.begin = {"match": begun["match"]}
    elif what is not None:
        from tilewright.faces.cli.arguments import linked

        found.begin = {"game": linked(what, full).id}
    return found
