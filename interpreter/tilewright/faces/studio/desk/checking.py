"""Messages of the desk: the language server, the checker, and the scenarios of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tilewright.faces.studio.client import Client, RefusedError, Studio
from tilewright.faces.studio.places import diagnostics_data, real_path
from tilewright.faces.studio.protocol import desk
from tilewright.faces.studio.protocol.common import Nothing
from tilewright.tools.checking.check import check
from tilewright.tools.checking.suppressions import private
from tilewright.tools.scenarios.collect import collect
from tilewright.tools.scenarios.runner import run_scenario
from tilewright.tools.workspace.cache import user_cache


def lsp(client: Client, params: desk.LspMessage) -> Nothing:
    """A message for the language server; its answers come as notifications `lsp`."""
    if client.lsp is None:
        if find_spec("pygls") is None:
            raise RefusedError("the language server needs `pygls`, which is not installed")
        from tilewright.faces.lsp.carried import CarriedServer

        client.lsp = CarriedServer(
            client.studio.folders,
            lambda message: client.notify("lsp", {"message": message}),
            client.loop,
            client.studio.overlay.texts,
        )
    from tilewright.faces.lsp.carried import NotAllowedError

    try:
        client.lsp.receive(params["message"])
    except NotAllowedError as error:
        raise RefusedError(str(error)) from None
    return {}


def check_rulesets(client: Client, params: desk.CheckRequest) -> desk.Checked:
    """The diagnostics of some rulesets, or of all own ones, with the texts of the request."""
    studio, texts = client.studio, params.get("texts", {}).items()
    given = {real_path(studio, shown).resolve(): text for shown, text in texts}
    with _texts_over(studio, given):
        wanted = params.get("rulesets") or list(studio.overlay.own)
        _known(client, wanted)
        if not wanted:  # no name would mean every ruleset
            return {"diagnostics": []}
        ids = tuple(dict.fromkeys(wanted))
        found = private(check(studio.library, ids, cache=user_cache()))
        return {"diagnostics": diagnostics_data(studio, tuple(found))}


@contextmanager
def _texts_over(studio: Studio, given: dict[Path, str]) -> Iterator[None]:
    """Texts over the files and drafts, for the block alone."""
    before = {path: studio.overlay.texts.get(path) for path in given}
    for path, text in given.items():
        studio.overlay.write(path, text)
    try:
        yield
    finally:
        for path, earlier in before.items():
            studio.overlay.write(path, earlier)


def run_tests(client: Client, params: desk.TestRequest) -> desk.TestRun:
    """Run the scenarios of a ruleset."""
    studio = client.studio
    _known(client, [params["ruleset"]])
    collected = collect((params["ruleset"],), studio.library)
    rows: list[desk.TestRow] = []
    for case in collected.cases:
        run = run_scenario(case.scenario, case.ruleset, case.game, studio.programs)
        rows.append(
            {
                "id": case.scenario.id,
                "says": case.scenario.says,
                "game": case.game,
                "passed": run.passed,
                "problems": diagnostics_data(studio, run.problems),
            }
        )
    return {"scenarios": rows, "unreadable": diagnostics_data(studio, collected.diagnostics)}


def _known(client: Client, ids: list[str]) -> None:
    known = client.studio.library.ids()
    for id_ in ids:
        if id_ not in known:
            raise RefusedError(f"unknown ruleset `{id_}`")
