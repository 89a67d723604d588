"""Messages: their form, the token before everything, and refusals in sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import studio_schema
from support.studio_client import Page, RefusedByStudio
from tilewright.studio.client import Client, Studio
from tilewright.studio.service import HANDLERS, answer
from tilewright.studio.words import entries, plural_category, text


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

    from tilewright.studio import service

    page = Page()
    method = service.methods()["words"]
    broken = service.Method(fail, method.params, method.result)
    monkeypatch.setattr(service, "methods", lambda: {"words": broken})
    found = said(page.client, id=1, method="words", params={"language": "en"})
    assert found["error"]["code"] == -32603
    assert "secret" not in json.dumps(found)


# ------------------------------------------------------------------ words


def test_every_language_has_the_same_words() -> None:
    keys = {language: set(entries(language)) for language in ("en", "uk", "pl")}
    assert keys["en"] == keys["uk"] == keys["pl"]


def test_every_word_has_all_plural_forms_of_its_language() -> None:
    wanted = {"en": {"one", "other"}, "uk": {"one", "few", "many", "other"},
              "pl": {"one", "few", "many", "other"}}  # fmt: skip
    for language, forms in wanted.items():
        for key, found in entries(language).items():
            assert isinstance(found, str) or set(found) == forms, (language, key)


@pytest.mark.parametrize(
    ("language", "numbers"),
    [
        ("en", {0: "other", 1: "one", 2: "other", 21: "other"}),
        ("uk", {0: "many", 1: "one", 2: "few", 5: "many", 11: "many", 12: "many", 21: "one",
                22: "few", 25: "many", 111: "many"}),
        ("pl", {0: "many", 1: "one", 2: "few", 5: "many", 12: "many", 21: "many", 22: "few"}),
    ],
)  # fmt: skip
def test_plural_categories_are_those_of_unicode(language: str, numbers: dict[int, str]) -> None:
    assert {n: plural_category(language, n) for n in numbers} == numbers


def test_a_count_chooses_the_form() -> None:
    assert text("en", "table_options", count=1) == "1 option"
    assert text("uk", "table_options", count=3) == "3 варіанти"


def test_the_words_of_a_page_are_those_of_the_files() -> None:
    found = Page().call("words", language="pl")
    assert found["entries"]["table_over"] == text("pl", "table_over")


def test_the_language_decides_the_sentences() -> None:
    page = Page()
    page.call("words", language="uk")
    assert page.new()["decision"]["sentence"] == "Викласти плитку"


def test_locale_files_are_in_the_package() -> None:
    folder = Path(studio_schema.FILE).parents[1] / "interpreter/tilewright/studio/locale"
    names = {path.name for path in folder.glob("en/*.yaml")}
    for language in ("uk", "pl"):
        assert {path.name for path in folder.glob(f"{language}/*.yaml")} == names
