"""Messages: their form, the token before everything, and refusals in sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import studio_schema
from support.hungry import HUNGRY, write_hungry
from support.studio_client import TOKEN, Page, RefusedByStudio
from tilewright.faces.studio.client import Client, Studio
from tilewright.faces.studio.doors.disk import DiskStore
from tilewright.faces.studio.protocol.schema import checker, schema
from tilewright.faces.studio.service import HANDLERS, answer
from tilewright.language.locale.words import FOLDER_VARIABLE, catalogue
from tilewright.play.bots.named import bot_named


def said(client: Client, **message: Any) -> Any:
    return answer(client, {"jsonrpc": "2.0", **message})


def stranger() -> Client:
    return Client(Studio(), token="right")


def test_the_schema_is_made_from_the_types() -> None:
    assert studio_schema.FILE.read_text("utf-8") == studio_schema.text(), (
        "run `python tests/support/studio_schema.py`"
    )


@pytest.mark.parametrize("method", sorted(set(HANDLERS) - {"hello"}))
def test_nothing_is_answered_before_the_token(method: str) -> None:
    found = said(stranger(), id=1, method=method, params={})
    assert found["error"]["code"] == -32001


@pytest.mark.parametrize("token", ["", "wrong", "right ", "RIGHT", "\ud800"])
def test_a_wrong_token_is_refused(token: str) -> None:
    client = stranger()
    assert said(client, id=1, method="hello", params={"token": token})["error"]["code"] == -32001
    assert not client.is_welcome


def test_the_token_opens_the_door() -> None:
    client = stranger()
    found = said(client, id=1, method="hello", params={"token": "right", "language": "uk"})
    assert found["result"]["language"] == "uk"
    assert client.is_welcome


def test_each_bot_that_is_offered_plays_and_has_its_words() -> None:
    client = stranger()
    welcome = said(client, id=1, method="hello", params={"token": "right"})["result"]
    for bot in welcome["bots"]:
        bot_named(bot)
        word = bot.replace(":", "_")
        assert {f"studio.play_bot_{word}", f"studio.play_bot_is_{word}"} <= set(
            catalogue("en").texts
        )


@pytest.mark.parametrize(
    "message",
    [None, [], "x", 1, {}, {"jsonrpc": "1.0"}, {"jsonrpc": "2.0", "id": [], "method": "words"},
     {"jsonrpc": "2.0", "id": True, "method": "words"}, {"jsonrpc": "2.0", "id": 1, "method": 7}],
)  # fmt: skip
def test_what_is_no_message_is_refused(message: Any) -> None:
    found = answer(stranger(), message)
    assert found is not None
    assert found["error"]["code"] == -32600


def test_an_unknown_method_is_refused() -> None:
    page = Page()
    with pytest.raises(RefusedByStudio, match="unknown method") as refusal:
        page.client.is_welcome = True
        found = said(page.client, id=1, method="match.cheat", params={})
        raise RefusedByStudio(found["error"])
    assert refusal.value.code == -32601


@pytest.mark.parametrize(
    "params",
    [None, [], {"game": "c2/base"}, {"game": 1, "seats": []}, {"game": "c2/base", "seats": [{}]},
     {"game": "c2/base", "seats": [], "more": 1}, {"game": "x" * 30_000, "seats": []},
     {"game": "c2/base", "seats": [{"kind": "person"}] * 1001}],
)  # fmt: skip
def test_parameters_that_do_not_fit_their_schema_are_refused(params: Any) -> None:
    found = said(Page().client, id=1, method="match.new", params=params)
    assert found["error"]["code"] == -32602
    assert "x" * 100 not in found["error"]["message"]


def test_a_notification_has_no_answer() -> None:
    assert said(Page().client, method="words", params={"language": "en"}) is None


def test_an_internal_error_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(client: Client, params: Any) -> Any:
        raise RuntimeError("secret details")

    from tilewright.faces.studio import service

    page = Page()
    method = service.methods()["words"]
    broken = service.Method(fail, method.params, method.result)
    monkeypatch.setattr(service, "methods", lambda: {"words": broken})
    found = said(page.client, id=1, method="words", params={"language": "en"})
    assert found["error"]["code"] == -32603
    assert "secret" not in json.dumps(found)


# ------------------------------------------------------------------ words


def test_the_words_of_a_page_are_those_of_the_catalogue() -> None:
    found = Page().call("words", language="uk")
    texts = catalogue("uk").texts
    assert found["texts"]["table_over"] == texts["studio.table_over"][0]
    form = found["plurals"][100 + 3003 % 100]
    assert found["texts"]["table_options"][form] == "{n} варіанти"
    assert len(found["texts"]) == sum(id_.startswith("studio.") for id_ in catalogue("en").texts)


def test_another_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = 'msgid ""\nmsgstr "X-Language-Name: Deutsch\\n"\n\n'
    text = 'msgid "studio.ui_play"\nmsgstr "Spielen"\n'
    (tmp_path / "de.po").write_text(head + text, encoding="utf-8")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    page = Page()
    hello = page.call("hello", token=TOKEN)
    assert {"id": "de", "label": "Deutsch"} in hello["languages"]
    found = page.call("words", language="de")
    assert found["texts"]["ui_play"] == "Spielen"
    assert found["texts"]["ui_book"] == "Book"


def test_the_language_decides_the_sentences() -> None:
    page = Page()
    page.call("words", language="uk")
    assert page.new()["decision"]["sentence"] == "Викласти плитку"


def with_name(method: str) -> str:
    """The parameter of a method that names a match or a job; empty if it has none."""
    whole = schema()["$defs"]
    name = whole["Methods"]["properties"][method]["properties"]["params"]["$ref"].rpartition("/")[2]
    properties = whole[name].get("properties", {})
    return next((key for key in ("match", "job") if key in properties), "")


@pytest.mark.parametrize("method", sorted(name for name in HANDLERS if with_name(name)))
@pytest.mark.parametrize("name", ["", "..", "../x", "/x", "a\\b", "con", "x.json", "1\n", "f" * 41])
def test_a_name_that_could_be_a_path_is_refused_where_it_enters(
    method: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_text("{}")
    page = Page(store=DiskStore(tmp_path / "kept"))
    refused = checker(method)({with_name(method): name})
    assert refused is not None
    found = said(page.client, id=1, method=method, params={with_name(method): name})
    assert found["error"]["code"] == -32602
    assert (tmp_path / "x.json").is_file()


@pytest.mark.parametrize("folder", ["1", "9" * 5000, "-1", "²", "../x", "0/../x", "0/con"])
def test_a_folder_that_is_not_opened_is_refused(folder: str, tmp_path: Path) -> None:
    write_hungry(tmp_path)
    page = Page(tmp_path)
    shared = page.call("share.pack", rulesets=[HUNGRY])["text"]
    with pytest.raises(RefusedByStudio, match="not in an opened folder") as refusal:
        page.call("file.new", name="mine", template="empty", folder=folder)
    assert refusal.value.code == -32000
    with pytest.raises(RefusedByStudio, match="not in an opened folder") as refusal:
        page.call("share.keep", text=shared, folder=folder)
    assert refusal.value.code == -32000
