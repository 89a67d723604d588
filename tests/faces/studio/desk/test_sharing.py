"""Links: what is packed is opened elsewhere with the same digest, and nothing is kept."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from support.hungry import HUNGRY, hungry_files, write_hungry
from support.studio_client import Page, RefusedByStudio
from tilewright.faces.studio.client import NoStore
from tilewright.tools.formatting.one_file import join


def played(page: Page, game: str, choices: int = 40) -> Any:
    state = page.new(game, seed="s")
    lot = random.Random(1)
    for _ in range(choices):
        state = page.choose(state, lot.randrange(len(state["offers"])))
    return state


def test_a_match_with_own_rules_opens_in_a_fresh_profile(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    write_hungry(mine)
    page = Page(mine)
    state = played(page, HUNGRY)
    packed = page.call("share.pack", match=state["match"])
    store = NoStore()
    other = Page(theirs, store=store)
    found = other.call("share.open", text=packed["text"])
    assert found["problem"] == ""
    carried = [ruleset["id"] for ruleset in found["rulesets"] if ruleset["carried"]]
    assert carried == [HUNGRY]
    assert found["match"] == {"players": ["red", "blue"], "choices": 40}
    assert other.studio.trees == {}  # nothing was played
    assert {row["path"] for row in found["files"]} == {f"hungry-dragon/{n}" for n in hungry_files()}
    there = other.call("share.play", text=packed["text"])
    assert there["digest"] == state["digest"]
    assert list(theirs.iterdir()) == []
    assert store.kept("matches") == {}
    further = other.choose(there)
    assert further["digest"] != state["digest"]
    assert store.kept("matches") == {}
    assert HUNGRY not in other.studio.library.ids()


def test_the_drafts_of_the_author_go_with_a_link(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    page = Page(tmp_path)
    text = hungry_files()["rules/dragon.yaml"].replace("9", "8")
    page.call("file.draft", path="0/hungry-dragon/rules/dragon.yaml", text=text, stamp="")
    packed = json.loads(page.call("share.pack", rulesets=[HUNGRY])["text"])
    assert packed["rulesets"][HUNGRY]["files"]["rules/dragon.yaml"] == text


def test_a_draft_with_an_error_is_refused_with_its_place(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    page, path = Page(tmp_path), "0/hungry-dragon/rules/dragon.yaml"
    text = hungry_files()["rules/dragon.yaml"]
    for broken in (text + "wrong: 1\n", text + "\trules: [\n"):
        stamp = page.call("file.read", path=path).get("draft_stamp", "")
        page.call("file.draft", path=path, text=broken, stamp=stamp)
        with pytest.raises(RefusedByStudio) as refusal:
            page.call("share.pack", rulesets=[HUNGRY], game=HUNGRY)
        first = next(one for one in refusal.value.diagnostics if one["severity"] == "error")
        assert (first["file"], first["message"]) == (path, str(refusal.value))
        assert first["line"] > text.count("\n")


def test_a_comparison_is_shared_with_its_own_rules(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    write_hungry(mine)
    games = ["c2/princess-and-dragon", HUNGRY]
    text = Page(mine).call("share.pack", games=games)["text"]
    other = Page(theirs)
    found = other.call("share.open", text=text)
    assert (found["games"], found["game"], found["problem"]) == (games, "", "")
    assert found["title"] == "The Princess & the Dragon – The dragon runs further and spares monks"
    assert {row["path"] for row in found["files"]} == {f"hungry-dragon/{n}" for n in hungry_files()}
    for wrong in ("x", [1], [""], ["x"] * 7):
        parts = json.dumps({**json.loads(text), "games": wrong})
        with pytest.raises(RefusedByStudio, match="the names of at most"):
            other.call("share.open", text=parts)


def test_catalogues_go_with_a_link_and_are_shown_at_the_desk(tmp_path: Path) -> None:
    write_hungry(tmp_path)
    catalogue = tmp_path / "hungry-dragon" / "locale" / "uk.po"
    catalogue.parent.mkdir()
    catalogue.write_text("# begun\n")
    page = Page(tmp_path)
    packed = json.loads(page.call("share.pack", rulesets=[HUNGRY])["text"])
    assert packed["rulesets"][HUNGRY]["files"]["locale/uk.po"] == "# begun\n"
    rows = page.call("file.list")["files"]
    assert "0/hungry-dragon/locale/uk.po" in {row["path"] for row in rows}


def test_files_are_kept_only_when_asked_and_never_over_others(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    write_hungry(mine)
    text = Page(mine).call("share.pack", rulesets=[HUNGRY])["text"]
    other = Page(theirs)
    assert other.call("share.keep", text=text)["ruleset"] == HUNGRY
    for name, content in hungry_files().items():
        assert (theirs / "hungry-dragon" / name).read_text() == content
    with pytest.raises(RefusedByStudio, match="already"):
        other.call("share.keep", text=text)
    assert other.new(HUNGRY)["at"] == 0


def test_a_ruleset_in_one_file_is_edited_and_shared_as_one(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    file, _ = join(write_hungry(mine))
    page, text = Page(mine), file.read_text("utf-8")
    (row,) = (row for row in page.call("file.list")["files"] if not row["folder"])
    assert (row["path"], row["ruleset"]) == ("0/hungry-dragon.yaml", HUNGRY)
    draft = text.replace("to: 9", "to: 8")
    page.call("file.draft", path=row["path"], text=draft, stamp="")
    packed = page.call("share.pack", match=played(page, HUNGRY)["match"])["text"]
    assert json.loads(packed)["rulesets"][HUNGRY]["files"] == {"ruleset.yaml": draft}
    other = Page(theirs)
    found = other.call("share.open", text=packed)
    assert (found["problem"], [row["path"] for row in found["files"]]) == ("", [file.name])
    assert other.call("share.keep", text=packed)["ruleset"] == HUNGRY
    assert (theirs / file.name).read_text("utf-8") == draft


def test_a_match_of_shipped_rules_is_kept_once_it_goes_on() -> None:
    page, store = Page(), NoStore()
    text = page.call("share.pack", match=played(page, "c2/base")["match"])["text"]
    other = Page(store=store)
    found = other.call("share.play", text=text)
    assert store.kept("matches") == {}
    other.choose(found)
    assert list(store.kept("matches")) == [found["match"]]


def test_a_game_with_options_is_shared() -> None:
    page = Page()
    game = page.call("library.game", picks=["c2/base"], options={"unplaceable_tiles": "back"})
    text = page.call("share.pack", game=game["id"])["text"]
    assert Page().call("share.open", text=text)["game"] == game["id"]


def test_a_link_is_summarised_before_it_is_played(hungry_text: str) -> None:
    page = Page()
    found = page.call("share.open", text=hungry_text)
    assert found["title"]
    assert found["game"] == "c2/base+c2/princess-and-dragon+house/hungry-dragon"
    assert [(each["id"], each["carried"]) for each in found["rulesets"]] == [
        ("c2/base", False), ("c2/princess-and-dragon", False), (HUNGRY, True),
    ]  # fmt: skip
    assert found["match"]["choices"] == 10
    assert found["problem"] == ""
    assert page.studio.trees == {}


def test_a_link_with_too_many_players_is_known_before_it_is_played(
    hungry_link: dict[str, Any],
) -> None:
    hungry_link |= {"players": 12, "who": [], "studio": {"seats": [["person", "Ada", ""]] * 12}}
    found = Page().call("share.open", text=json.dumps(hungry_link))
    assert "not for 12" in found["problem"]
    assert found["match"]["players"] == ["Ada"] * 12


def test_a_link_without_a_match_is_not_played() -> None:
    page = Page()
    text = page.call("share.pack", game="c2/base")["text"]
    assert page.call("share.open", text=text)["match"] is None
    with pytest.raises(RefusedByStudio, match="holds no match"):
        page.call("share.play", text=text)


# ------------------------------------------------------------------ damaged and hostile links


@pytest.fixture(scope="module")
def hungry_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The link of a match of a house rule."""
    folder = tmp_path_factory.mktemp("hungry")
    write_hungry(folder)
    page = Page(folder)
    return str(page.call("share.pack", match=played(page, HUNGRY, 10)["match"])["text"])


@pytest.fixture
def hungry_link(hungry_text: str) -> dict[str, Any]:
    """Its parts, to be damaged."""
    found: dict[str, Any] = json.loads(hungry_text)
    return found


@pytest.mark.parametrize(
    "path",
    ["../x/module.yaml", "/etc/module.yaml", "a/../module.yaml", "module.yaml/b.yaml",
     "rules/../../x.yaml", ".module.yaml", "rules/x.py", "x.yaml", "rules/b/c.yaml",
     "..\\module.yaml", "rules/.x.yaml", "rules/\x1b[2J.yaml", ""],
)  # fmt: skip
def test_a_link_with_other_files_is_refused(
    tmp_path: Path, path: str, hungry_link: dict[str, Any]
) -> None:
    hungry_link["rulesets"][HUNGRY]["files"][path] = "id: house/x\n"
    page = Page(tmp_path)
    for method in ("share.open", "share.keep"):
        with pytest.raises(RefusedByStudio, match="not the name of a file of a ruleset"):
            page.call(method, text=json.dumps(hungry_link))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [{"format": 9}, {"tilewright": "save"}, {"rulesets": []}, {"rulesets": {"a/b": 3}},
     {"rulesets": {"a/b": {"files": {"module.yaml": 3}}}}, {"rulesets": {"../b": {"files": {}}}},
     {"game": 7}, {"options": []}, {"options": {"a": 1}}, {"log": 3}, {"log": [7]},
     {"rulesets": {f"a/b{n}": {"files": {"module.yaml": ""}} for n in range(100)}},
     {"rulesets": {"a/b": {"files": {"module.yaml": "x" * 3_000_000}}}},
     {"players": 0}, {"players": 10**9}, {"first": -1}, {"seed": [1]}],
)  # fmt: skip
def test_a_damaged_link_is_refused_in_a_sentence(
    hungry_link: dict[str, Any], change: dict[str, Any]
) -> None:
    with pytest.raises(RefusedByStudio, match="opened"):
        Page().call("share.open", text=json.dumps(hungry_link | change))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000])
def test_a_link_that_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(RefusedByStudio, match="opened"):
        Page().call("share.open", text=text)


@pytest.mark.parametrize(
    ("key", "value"),
    [("log", ["red: lay 99,99 N"]), ("seed", "another"), ("first", 1),
     ("studio", {"seats": [["x", "", ""]] * 2}),
     ("studio", {"seats": [["person", "", ""]] * 3}), ("studio", {"at": "x", "nodes": []}),
     ("studio", {"at": 0, "nodes": [[5, ["red: pass"], "", ""]]}),
     ("studio", {"at": 9, "nodes": [[0, ["red: pass"], "", ""]]})],
)  # fmt: skip
def test_a_damaged_match_is_refused(hungry_link: dict[str, Any], key: str, value: Any) -> None:
    hungry_link[key] = value
    with pytest.raises(RefusedByStudio, match="match"):
        Page().call("share.play", text=json.dumps(hungry_link))


def test_a_bot_of_a_link_does_not_think_for_ever(hungry_link: dict[str, Any]) -> None:
    seats = [["bot", "n" * 200, "mcts:999999999"], ["bot", "", "nobody"]]
    hungry_link["studio"] = {"seats": seats}
    state = Page().call("share.play", text=json.dumps(hungry_link))
    assert [row["bot"] for row in state["players"]] == ["greedy", "greedy"]
    assert state["players"][0]["name"] == "n" * 59 + "…"


def test_rules_with_an_error_are_shown_and_not_played(hungry_link: dict[str, Any]) -> None:
    rules = "rules:\n  - id: x\n    amend: nothing(\n"
    hungry_link["rulesets"][HUNGRY]["files"]["rules/dragon.yaml"] = rules
    found = Page().call("share.open", text=json.dumps(hungry_link))
    assert found["problem"]
    assert found["diagnostics"]
    assert found["files"]
    with pytest.raises(RefusedByStudio, match=re.escape(found["problem"])):
        Page().call("share.play", text=json.dumps(hungry_link))


def test_a_ruleset_in_place_of_a_shipped_one_is_named_and_counts_for_the_link_alone(
    hungry_link: dict[str, Any],
) -> None:
    module = "id: c2/base\nkind: base\ntitle: {en: x}\nedition: c2\nprovides: [base]\n"
    hungry_link["rulesets"] = {"c2/base": {"files": {"module.yaml": module}}}
    hungry_link["game"] = "c2/base"
    page = Page()
    found = page.call("share.open", text=json.dumps(hungry_link))
    assert found["problem"]
    with pytest.raises(RefusedByStudio):
        page.call("share.play", text=json.dumps(hungry_link))
    notes = [row["message"] for row in found["diagnostics"]]
    assert any("another `c2/base` than the shipped one" in note for note in notes)
    assert page.new("c2/base")["offers"]


def test_nothing_to_share_is_refused() -> None:
    with pytest.raises(RefusedByStudio, match="nothing to share"):
        Page().call("share.pack")


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [("{", "en", "a part of it is missing"), ("{", "uk", "цей текст не можна відкрити"),
     ('{"tilewright": "match", "format": 9}', "pl", "inna wersja Tilewright"),
     ("[]", "en", "cannot be opened: expected a match file")],
)  # fmt: skip
@pytest.mark.parametrize("method", ["share.open", "match.load"])
def test_a_damaged_text_is_refused_in_the_language_of_the_page(
    method: str, text: str, language: str, message: str
) -> None:
    page = Page()
    page.client.language = language
    with pytest.raises(RefusedByStudio, match=message):
        page.call(method, text=text)
