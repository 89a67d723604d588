"""The first messages of a page: the token, the words of its language."""

from __future__ import annotations

import hmac

from tilewright.faces.studio.client import NOT_WELCOME, Client, RefusedError
from tilewright.faces.studio.protocol import shelf
from tilewright.language.locale.words import all_words, catalogue, languages
from tilewright.language.source.about import VERSION
from tilewright.language.syntax.parser import keywords
from tilewright.play.bots.named import NAMES
from tilewright.play.native.engine import engine

#: how the ids of the page's texts begin
_OURS = "studio."


def hello(client: Client, params: shelf.Hello) -> shelf.Welcome:
    """Welcome a page that has the token."""
    given = params["token"].encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(given, client.token.encode()):
        raise RefusedError("the token is wrong: open the address that was printed", NOT_WELCOME)
    client.is_welcome = True
    if params.get("language", "en") in languages():
        client.language = params.get("language", "en")
    used = engine()
    begin: shelf.Begin = {}
    if "match" in client.studio.begin:
        begin["match"] = client.studio.begin["match"]
    if "game" in client.studio.begin:
        begin["game"] = client.studio.begin["game"]
    return {
        "version": VERSION,
        "engine": {"name": used.name, "why": used.reason},
        "languages": [{"id": id_, "label": _name(id_)} for id_ in languages()],
        "language": client.language,
        "folders": [
            {"folder": str(number), "name": folder.name}
            for number, folder in enumerate(client.studio.folders)
        ],
        "keywords": list(keywords()),
        "bots": list(NAMES),
        "begin": begin or None,
        "problem": client.studio.store.problem,
    }


def _name(language: str) -> str:
    """A language by its own name."""
    return catalogue(language).headers.get("X-Language-Name", language)


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
