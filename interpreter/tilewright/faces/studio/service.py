"""The service: takes a message of a page and returns the answer. This is the door of all doors.

Messages are JSON-RPC 2.0. A message is checked against its schema before its method sees it; a page
that has not shown the token is answered nothing else. No exception leaves `answer`.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tilewright.faces.studio.client import (
    INTERNAL,
    INVALID_PARAMS,
    INVALID_REQUEST,
    NOT_WELCOME,
    REFUSED,
    UNKNOWN_METHOD,
    Client,
    RefusedError,
    Report,
    Value,
    Work,
    WorkFirst,
)
from tilewright.faces.studio.desk import checking, files, sharing
from tilewright.faces.studio.desk.outside import notice
from tilewright.faces.studio.jobs import job_queue
from tilewright.faces.studio.places import diagnostics_data
from tilewright.faces.studio.protocol import desk, shelf
from tilewright.faces.studio.protocol.common import (
    FoundDiagnostic,
    Nothing,
    WorkId,
    WorkState,
    WorkStep,
)
from tilewright.faces.studio.protocol.matches import MatchChanged
from tilewright.faces.studio.protocol.schema import checker, title_of_error
from tilewright.faces.studio.shelf import books, cards, comparing, rule_sheets
from tilewright.faces.studio.table import insight, matches, sheets
from tilewright.language.locale.words import all_words, catalogue, languages
from tilewright.language.source.about import VERSION
from tilewright.language.syntax.parser import keywords
from tilewright.play.native.engine import engine

#: how the ids of the page's texts begin
_OURS = "studio."
#: messages of one page that are being worked on elsewhere
MAX_RUNNING = 16
#: of a refusal
MAX_DIAGNOSTICS = 50
#: the bots that a page offers, from the weakest on; each has its words
BOTS = ("random", "greedy", "mcts:200", "mcts:1000")

Handler = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Method:
    """A method: its handler, and the types of its parameters and of its result."""

    handler: Handler
    params: Any
    result: Any


def hello(client: Client, params: shelf.Hello) -> shelf.Welcome:
    """Welcome a page that has the token."""
    given = params["token"].encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(given, client.token.encode()):
        raise RefusedError("the token is wrong: open the address that was printed", NOT_WELCOME)
    client.is_welcome = True
    if client not in client.studio.clients:
        client.studio.clients.append(client)
    notice(client.studio, client)
    if params.get("language", "en") in languages():
        client.language = params.get("language", "en")
    used = engine()
    return {
        "version": VERSION,
        "engine": {"name": used.name, "why": used.reason},
        "languages": [
            {"id": id_, "label": catalogue(id_).headers.get("X-Language-Name", id_)}
            for id_ in languages()
        ],
        "language": client.language,
        "folders": [
            {"folder": str(number), "name": folder.name}
            for number, folder in enumerate(client.studio.folders)
        ],
        "keywords": list(keywords()),
        "bots": list(BOTS),
        "begin": client.studio.begin or None,
        "problem": client.studio.store.problem,
        "page": client.studio.page,
    }


def words(client: Client, params: shelf.WordsRequest) -> shelf.WordList:
    """All words of the page in a language, which is the page's from now on."""
    if params["language"] in languages():
        client.language = params["language"]
    found = all_words(client.language)
    texts = {id_: text for id_, text in found["texts"].items() if id_.startswith(_OURS)}
    return {
        "language": client.language,
        "plurals": found["plurals"]["table"],
        "texts": {id_.removeprefix(_OURS): text for id_, text in texts.items()},
    }


def stop_work(client: Client, params: WorkId) -> Nothing:
    """Stop the work that another message has begun; its answer is then a refusal."""
    stop = client.running.get(params["id"])
    if stop is not None:
        stop()
    return {}


#: the methods by their names
HANDLERS: dict[str, Handler] = {
    "hello": hello,
    "words": words,
    "work.stop": stop_work,
    "library.list": cards.list_cards,
    "library.drawings": cards.list_drawings,
    "library.game": cards.make_game,
    "file.list": files.list_files,
    "file.read": files.read_file,
    "file.write": files.write_file,
    "file.draft": files.write_draft,
    "file.rename": files.rename_file,
    "file.delete": files.delete_file,
    "file.new": files.new_ruleset,
    "file.targets": files.targets,
    "lsp": checking.lsp,
    "check.run": checking.check_rulesets,
    "test.run": checking.run_tests,
    "share.pack": sharing.pack,
    "share.open": sharing.open_shared,
    "share.play": sharing.play_shared,
    "share.keep": sharing.keep_shared,
    "simulate.start": job_queue.start_simulation,
    "simulate.report": job_queue.report,
    "witness.start": job_queue.start_search,
    "job.state": job_queue.state_of_job,
    "job.cancel": job_queue.cancel,
    "book.read": books.book_read,
    "book.tiles": books.book_tiles,
    "book.questions": books.book_questions,
    "book.sheet": rule_sheets.book_sheet,
    "book.search": books.book_search,
    "scenario.play": books.scenario_play,
    "house.values": books.house_values,
    "compare.answer": comparing.compare_answer,
    "compare.topic": comparing.compare_topic,
    "history.topic": comparing.history_topic,
    "history.topics": comparing.history_topics,
    "sheet.get": sheets.sheet,
    "match.new": matches.new_match,
    "match.load": matches.load_match,
    "match.choose": matches.choose,
    "match.bot": matches.play_bot,
    "match.goto": matches.go_to,
    "match.seat": matches.change_seat,
    "match.note": matches.annotate,
    "match.tree": matches.tree,
    "match.save": matches.save,
    "match.kept": matches.kept,
    "match.forget": matches.forget,
    "match.state": matches.state,
    "match.hint": insight.hint,
    "match.worth": insight.worth,
    "match.sheet": insight.sheet,
    "match.why": insight.why,
    "match.whyNot": insight.refusal,
    "match.feature": insight.feature,
    "match.dead": insight.dead_cells,
    "match.left": insight.tiles_left,
    "match.picture": insight.picture,
}

#: methods that answer from folders, texts and the language alone, which others may do as well
ELSEWHERE = frozenset(
    (
        "library.game", "file.targets", "check.run", "test.run", "share.open", "book.read",
        "book.tiles", "book.questions", "book.sheet", "book.search", "scenario.play",
        "house.values", "compare.answer", "compare.topic", "history.topic", "history.topics",
    )
)  # fmt: skip

#: methods that answer from a node of a match as well, likewise
OF_A_MATCH = frozenset(
    (
        "match.hint", "match.worth", "match.whyNot", "match.feature", "match.dead", "match.left",
        "match.picture",
    )
)  # fmt: skip

#: the types of notifications, by method
NOTIFICATIONS: dict[str, Any] = {
    "match.changed": MatchChanged,
    "file.changed": desk.FileName,
    "store": shelf.StoreState,
    "lsp": desk.LspMessage,
    "job": desk.JobState,
    "work": WorkState,
}


@cache
def methods() -> Mapping[str, Method]:
    """All methods with their types."""
    found = {}
    for name, handler in HANDLERS.items():
        hints = get_type_hints(handler)
        result = hints["return"]
        if get_origin(result) in (Work, Union, UnionType):
            result = get_args(result)[0]
        found[name] = Method(handler, hints["params"], result)
    return found


def answer(client: Client, message: Any) -> dict[str, Any] | None:
    """The answer to a message; None for a notification, and where the answer comes later from
    `client.send_later`. `settle` follows when it is sent.
    """
    if client.is_welcome:
        settle(client)
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return error(None, INVALID_REQUEST, "expected a message of JSON-RPC 2.0")
    id_, name = message.get("id"), message.get("method")
    if id_ is not None and (isinstance(id_, bool) or not isinstance(id_, int | str)):
        return error(None, INVALID_REQUEST, "expected the id to be a number or a text")
    if not isinstance(name, str):
        return error(id_, INVALID_REQUEST, "expected the name of a method")
    found = _answered(client, id_, name, message.get("params", {}))
    return found if "id" in message else None


def leave(client: Client) -> None:
    """Stop everything that a page has begun for itself alone."""
    if client in client.studio.clients:
        client.studio.clients.remove(client)
    for stop in tuple(client.running.values()):
        stop()
    if client.lsp is not None:
        client.lsp.stop()


def settle(client: Client) -> None:
    """Do the work that waits for an answer to be sent, before the next one at the latest. All pages
    hear of it when texts begin or cease to be kept for this run alone.
    """
    studio = client.studio
    try:
        studio.settle()
    except Exception:
        logging.getLogger("tilewright.faces.studio").exception("after an answer")
    problem = studio.store.problem
    if problem != studio.problem:
        studio.problem = problem
        studio.tell("store", {"problem": problem})


def _answered(
    client: Client, id_: int | str | None, name: str, params: Any
) -> dict[str, Any] | None:
    method = methods().get(name)
    if not client.is_welcome and name != "hello":
        return error(id_, NOT_WELCOME, "expected `hello` with the token first")
    if method is None:
        return error(id_, UNKNOWN_METHOD, f"unknown method `{name[:60]}`")
    wrong = checker(name)(params)
    if wrong is not None:
        return error(id_, INVALID_PARAMS, f"{name}: {title_of_error(wrong)}")

    if id_ is not None:
        client.report = _reports(client, id_)

    def make() -> Any:
        if name in ELSEWHERE:
            return Work(method.handler, (params,))
        if name in OF_A_MATCH:
            return Work(method.handler, (params, matches.tree_of(client, params["match"]).here))
        return method.handler(client, params)

    return _guarded(client, id_, name, make)


def _reports(client: Client, id_: int | str) -> Report:
    """Reports to a page the steps of the work for one of its messages."""

    def report(step: WorkStep) -> None:
        client.notify("work", {"id": id_, "step": step})

    return report


def _guarded(
    client: Client, id_: int | str | None, name: str, make: Callable[[], Any]
) -> dict[str, Any] | None:
    """The message with the result of a function, or with an error; None for work that is begun."""
    try:
        found = make()
        if isinstance(found, Work):
            if client.studio.workers is not None:
                return _begun(client, id_, name, found, found.finish)
            found = found.result(client)
        return {"jsonrpc": "2.0", "id": id_, "result": found}
    except WorkFirst as before:
        work = before.work
        return _begun(client, id_, name, work, lambda value: (work.finish(value), make())[1])
    except RefusedError as refusal:
        found = diagnostics_data(client.studio, refusal.diagnostics[:MAX_DIAGNOSTICS])
        return error(id_, refusal.code, str(refusal), found)
    except Exception:  # the last door: whatever it is, the page gets a sentence and goes on
        logging.getLogger("tilewright.faces.studio").exception("in `%s`", name)
        return error(id_, INTERNAL, "internal error; this is a bug in tilewright")


def _begun(
    client: Client,
    id_: int | str | None,
    name: str,
    work: Work[Any],
    finish: Callable[[Any], Any],
) -> dict[str, Any] | None:
    """Let others do some work; the answer is sent when they have done it. Else a refusal."""
    if id_ is None or id_ in client.running:
        return error(id_, INVALID_REQUEST, "expected an id that no other message has")
    if len(client.running) >= MAX_RUNNING:
        return error(id_, REFUSED, "too many requests are being worked on")

    def result(value: Value) -> dict[str, Any] | None:
        del client.running[id_]
        return _guarded(client, id_, name, lambda: finish(value()))

    def done(value: Value) -> None:
        client.send_later(lambda: result(value))

    assert client.studio.workers is not None
    client.running[id_] = client.studio.workers.start(work, client, done, _reports(client, id_))
    return None


def error(
    id_: int | str | None, code: int, message: str, diagnostics: Sequence[FoundDiagnostic] = ()
) -> dict[str, Any]:
    """The message of an error."""
    found: dict[str, Any] = {"code": code, "message": message}
    if diagnostics:
        found["data"] = {"diagnostics": list(diagnostics)}
    return {"jsonrpc": "2.0", "id": id_, "error": found}
