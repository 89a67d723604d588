"""Files: only those of opened folders, drafts over them, and new rulesets."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from support.hungry import HUNGRY, hungry_files, write_hungry
from support.studio_client import Page, RefusedByStudio
from tilewright.faces.studio.client import CONFLICT, Client
from tilewright.faces.studio.desk.drafts import apply_drafts, stamp_of
from tilewright.faces.studio.desk.outside import notice
from tilewright.faces.studio.doors.disk import DiskStore
from tilewright.tools.workspace.overlay import Overlay

RULES = "0/hungry-dragon/rules/dragon.yaml"


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    folder = tmp_path / "opened"
    folder.mkdir()
    write_hungry(folder)
    (tmp_path / "secret.yaml").write_text("id: house/secret\n")
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "out").symlink_to(tmp_path)
    (folder / ".hidden.yaml").write_text("x: 1\n")
    (folder / "notes.bin").write_bytes(b"\xff\xfe")
    (folder / "latin.txt").write_bytes(b"\xe9")
    return folder


@pytest.fixture
def page(opened: Path) -> Page:
    return Page(opened)


def test_the_files_of_rulesets_are_listed(page: Page) -> None:
    rows = page.call("file.list")["files"]
    assert {row["path"] for row in rows if not row["folder"]} == {
        *(f"0/hungry-dragon/{name}" for name in hungry_files()), "0/latin.txt",
    }  # fmt: skip
    assert {row["path"]: row["ruleset"] for row in rows}["0/hungry-dragon"] == HUNGRY


#: paths that lead out, or to what is hidden, or nowhere
OUTSIDE = [
    "", "0", "1/x.yaml", "0/../secret.yaml", "../secret.yaml", "/etc/passwd", "0//etc/passwd",
    "0/./x.yaml", "0/link.yaml", "0/out/secret.yaml", "0/.hidden.yaml", "0/notes.bin",
    "0/a\x00.yaml", "0/a\\b.yaml", "0/C:/x.yaml", "-1/x.yaml", "00000/x.yaml", "\u0660/x.yaml",
    "0/" + "a/" * 20 + "x.yaml", "0/" + "a" * 300 + ".yaml", "0/ x.yaml", "0/x.yaml ",
    "0/con/x.yaml", "0/a/NUL.yaml", "0/Com1.rules.yaml", "0/lpt9 .yaml", "9" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leads_out_is_refused_by_every_method(
    page: Page, opened: Path, path: str
) -> None:
    def content() -> dict[Path, bytes]:
        return {p: p.read_bytes() for p in opened.parent.rglob("*") if p.is_file()}

    before = content()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("file.read", {"path": path}),
        ("file.write", {"path": path, "text": "x: 1\n", "stamp": ""}),
        ("file.draft", {"path": path, "text": "x: 1\n", "stamp": ""}),
        ("file.delete", {"path": path}),
        ("file.rename", {"path": path, "to": "0/y.yaml"}),
        ("file.rename", {"path": RULES, "to": path}),
        ("check.run", {"texts": {path: "x: 1\n"}}),
    ]
    for method, params in calls:
        if path == "0/notes.bin" and method in ("check.run", "file.rename"):
            continue
        with pytest.raises(RefusedByStudio):
            page.call(method, **params)
    assert content() == before


def test_a_text_that_is_no_text_is_refused(page: Page) -> None:
    with pytest.raises(RefusedByStudio, match="not UTF-8"):
        page.call("file.read", path="0/latin.txt")


def test_a_file_is_read_and_written(page: Page, opened: Path) -> None:
    found = page.call("file.read", path=RULES)
    assert found["text"] == (opened / "hungry-dragon/rules/dragon.yaml").read_text()
    assert found["uri"] == (opened / "hungry-dragon/rules/dragon.yaml").as_uri()
    page.call("file.write", path=RULES, text="rules: []\n", stamp=found["stamp"])
    assert (opened / "hungry-dragon/rules/dragon.yaml").read_text() == "rules: []\n"


def test_a_file_that_has_changed_outside_is_not_overwritten(page: Page, opened: Path) -> None:
    stamp = page.call("file.read", path=RULES)["stamp"]
    (opened / "hungry-dragon/rules/dragon.yaml").write_text("rules: []  # theirs\n")
    with pytest.raises(RefusedByStudio, match="has changed since it was read") as refusal:
        page.call("file.write", path=RULES, text="rules: []\n", stamp=stamp)
    assert refusal.value.code == CONFLICT
    assert "theirs" in (opened / "hungry-dragon/rules/dragon.yaml").read_text()


def test_a_file_that_was_deleted_is_not_made_again(page: Page, opened: Path) -> None:
    path = opened / "hungry-dragon/rules/dragon.yaml"
    stamp = page.call("file.read", path=RULES)["stamp"]
    page.call("file.delete", path=RULES)
    with pytest.raises(RefusedByStudio, match="was deleted since it was read") as refusal:
        page.call("file.write", path=RULES, text="rules: []\n", stamp=stamp)
    assert refusal.value.code == CONFLICT
    assert not path.exists()
    page.call("file.write", path=RULES, text="rules: []\n", stamp="")  # it is known to be gone
    assert path.read_text() == "rules: []\n"


def test_a_new_file_replaces_none(page: Page, opened: Path) -> None:
    before = (opened / "hungry-dragon/rules/dragon.yaml").read_text()
    with pytest.raises(RefusedByStudio, match="is there already") as refusal:
        page.call("file.write", path=RULES, text="rules: []\n", stamp="")
    assert refusal.value.code == CONFLICT
    assert (opened / "hungry-dragon/rules/dragon.yaml").read_text() == before
    page.call("file.write", path=RULES, text=before, stamp="")  # nothing is lost by the same text


def test_a_text_with_letters_that_no_file_holds_is_refused(page: Page, opened: Path) -> None:
    before = (opened / "hungry-dragon/rules/dragon.yaml").read_text()
    with pytest.raises(RefusedByStudio, match="cannot be written"):
        page.call("file.write", path=RULES, text="x: \ud800\n", stamp=stamp_of(before))
    assert (opened / "hungry-dragon/rules/dragon.yaml").read_text() == before


def test_files_are_renamed_and_deleted(page: Page, opened: Path) -> None:
    page.call("file.rename", path=RULES, to="0/hungry-dragon/rules/other.yaml")
    assert (opened / "hungry-dragon/rules/other.yaml").is_file()
    with pytest.raises(RefusedByStudio, match="there already"):
        page.call("file.rename", path="0/hungry-dragon/rules/other.yaml", to="0/latin.txt")
    page.call("file.delete", path="0/hungry-dragon")
    assert not (opened / "hungry-dragon").exists()
    assert HUNGRY not in page.studio.library.ids()


def test_a_folder_with_other_files_is_not_deleted(page: Page, opened: Path) -> None:
    (opened / "hungry-dragon" / "photo.jpg").write_bytes(b"x")
    with pytest.raises(RefusedByStudio, match="not belong to a ruleset"):
        page.call("file.delete", path="0/hungry-dragon")
    assert (opened / "hungry-dragon" / "photo.jpg").is_file()


# ------------------------------------------------------------------ drafts


def test_a_draft_counts_at_once_and_is_not_written(page: Page, opened: Path) -> None:
    text = hungry_files()["rules/dragon.yaml"]
    made = page.call("file.draft", path=RULES, text=text.replace("monk", "mnk"), stamp="")
    found = page.call("check.run", rulesets=[HUNGRY])["diagnostics"]
    wrong = [each for each in found if each["severity"] == "error"]
    assert any("did you mean `monk`" in each["message"] for each in wrong)
    assert (wrong[0]["file"], wrong[0]["line"]) == (RULES, 6)
    assert (opened / "hungry-dragon/rules/dragon.yaml").read_text() == text
    page.call("file.draft", path=RULES, text=None, stamp=made["stamp"])
    assert page.call("check.run", rulesets=[HUNGRY])["diagnostics"] == []


def test_a_match_plays_by_the_draft(page: Page) -> None:
    text = hungry_files()["rules/dragon.yaml"]
    page.call("file.draft", path=RULES, text=text.replace("to: 9", "to: 7"), stamp="")
    values = page.call("house.values", game=HUNGRY)["values"]
    assert next(v["value"] for v in values if v["id"] == "dragon.steps") == "7"


def test_drafts_are_offered_after_a_restart(opened: Path, tmp_path: Path) -> None:
    store = DiskStore(tmp_path / "store")
    Page(opened, store=store).call("file.draft", path=RULES, text="rules: [", stamp="")
    later = Page(opened, store=DiskStore(tmp_path / "store"))
    apply_drafts(later.studio)
    assert [d["path"] for d in later.call("file.list")["drafts"]] == [RULES]
    assert later.call("file.read", path=RULES)["draft"] == "rules: ["
    found = later.call("file.read", path=RULES)
    stamps = {"stamp": found["stamp"], "draft_stamp": found["draft_stamp"]}
    later.call("file.write", path=RULES, text="rules: []\n", **stamps)
    assert later.call("file.list")["drafts"] == []


def test_of_two_windows_the_last_draft_does_not_win_silently(page: Page, opened: Path) -> None:
    saved = page.call("file.read", path=RULES)["stamp"]
    first = page.call("file.draft", path=RULES, text="rules: [  # one\n", stamp="")["stamp"]
    for stamp in ("", "another"):
        with pytest.raises(RefusedByStudio, match="the draft of `dragon") as refusal:
            page.call("file.draft", path=RULES, text="rules: [  # two\n", stamp=stamp)
        assert refusal.value.code == CONFLICT
        with pytest.raises(RefusedByStudio, match="the draft of"):
            page.call("file.draft", path=RULES, text=None, stamp=stamp)
        with pytest.raises(RefusedByStudio, match="the draft of"):
            page.call("file.write", path=RULES, text="rules: []\n", stamp=saved)
    assert page.call("file.read", path=RULES)["draft"] == "rules: [  # one\n"
    assert page.call("file.read", path=RULES)["draft_stamp"] == first
    page.call("file.draft", path=RULES, text="rules: [  # three\n", stamp=first)
    assert page.call("file.read", path=RULES)["draft"] == "rules: [  # three\n"


def test_two_programs_do_not_overwrite_each_others_drafts(opened: Path, tmp_path: Path) -> None:
    one = Page(opened, store=DiskStore(tmp_path / "store"))
    two = Page(opened, store=DiskStore(tmp_path / "store"))
    one.call("file.draft", path=RULES, text="rules: [  # one\n", stamp="")
    with pytest.raises(RefusedByStudio, match="the draft of"):
        two.call("file.draft", path=RULES, text="rules: [  # two\n", stamp="")
    two.call("file.draft", path="0/hungry-dragon/module.yaml", text="id: x\n", stamp="")
    drafts = one.call("file.list")["drafts"]
    assert [d["path"] for d in drafts] == ["0/hungry-dragon/module.yaml", RULES]


def test_a_draft_goes_with_its_renamed_file(page: Page) -> None:
    page.call("file.draft", path=RULES, text="rules: [\n", stamp="")
    page.call("file.rename", path="0/hungry-dragon", to="0/other")
    there = "0/other/rules/dragon.yaml"
    assert [d["path"] for d in page.call("file.list")["drafts"]] == [there]
    assert page.call("file.read", path=there)["draft"] == "rules: [\n"


def test_a_draft_is_offered_while_its_file_is_gone_and_lies_over_it_when_it_is_back(
    page: Page, opened: Path
) -> None:
    rules = opened / RULES.removeprefix("0/")
    before, wrong = rules.read_text("utf-8"), "rules: [\n"
    stamp = page.call("file.read", path=RULES)["stamp"]
    page.call("file.draft", path=RULES, text=wrong, stamp="", base=stamp)

    def is_wrong() -> bool:
        """Whether the draft is what is checked."""
        found = page.call("check.run", rulesets=[HUNGRY])["diagnostics"]
        return any(each["severity"] == "error" and each["file"] == RULES for each in found)

    def read() -> tuple[str, str, str | None, str | None]:
        found = page.call("file.read", path=RULES)
        return found["text"], found["stamp"], found.get("draft"), found.get("draft_base")

    assert (read(), is_wrong()) == ((before, stamp, wrong, stamp), True)
    rules.unlink()
    notice(page.studio)
    assert (read(), is_wrong()) == (("", "", wrong, stamp), False)
    assert [each["path"] for each in page.call("file.list")["drafts"]] == [RULES]
    rules.write_text(before, "utf-8")
    notice(page.studio)
    assert (read(), is_wrong()) == ((before, stamp, wrong, stamp), True)
    # over another text than it was begun on it is only offered, also after a restart
    theirs = before.replace("to: 9", "to: 8")
    for text in (theirs, before, theirs):
        rules.write_text(text, "utf-8")
        notice(page.studio)
        assert read() == (text, stamp_of(text), wrong, stamp)
        assert is_wrong() == (text == before)
        apply_drafts(page.studio)
        assert is_wrong() == (text == before)
    # and it is not kept once the file has its text
    rules.write_text(wrong, "utf-8")
    notice(page.studio)
    assert read() == (wrong, stamp_of(wrong), None, None)
    assert page.call("file.list")["drafts"] == []


def test_a_draft_without_a_file_is_dropped_or_saved(page: Page, opened: Path) -> None:
    rules = opened / RULES.removeprefix("0/")
    for text in (None, "rules: []\n"):
        stamp = page.call("file.read", path=RULES)["stamp"]
        page.call("file.draft", path=RULES, text="rules: [\n", stamp="", base=stamp)
        content = rules.read_text("utf-8")
        rules.unlink()
        notice(page.studio)
        draft = page.call("file.read", path=RULES)["draft_stamp"]
        if text is None:
            page.call("file.draft", path=RULES, text=None, stamp=draft)
            with pytest.raises(RefusedByStudio, match="does not exist"):
                page.call("file.read", path=RULES)
            rules.write_text(content, "utf-8")
            notice(page.studio)
        else:
            page.call("file.write", path=RULES, text=text, stamp="", draft_stamp=draft)
            assert rules.read_text("utf-8") == text
        assert page.call("file.list")["drafts"] == []
        assert "draft" not in page.call("file.read", path=RULES)


def test_a_draft_of_another_program_is_read_and_counts(opened: Path, tmp_path: Path) -> None:
    one = Page(opened, store=DiskStore(tmp_path / "store"))
    two = Page(opened, store=DiskStore(tmp_path / "store"))
    one.call("file.draft", path=RULES, text="rules: [\n", stamp="")
    assert two.call("file.read", path=RULES)["draft"] == "rules: [\n"
    assert two.call("check.run", rulesets=[HUNGRY])["diagnostics"] != []


def test_files_that_have_no_path_here_because_of_their_names_are_named(
    page: Page, opened: Path
) -> None:
    (opened / "a<b.yaml").write_text("id: house/a\n")
    (opened / "what?").mkdir()
    (opened / "what?" / "x.yaml").write_text("x: 1\n")
    (opened / "what?" / "photo.jpg").write_bytes(b"x")
    (opened / "line\nend.yaml").write_text("x: 1\n")
    found = page.call("file.list")
    assert found["unlisted"] == ["what?/x.yaml", "a<b.yaml", "line\ufffdend.yaml"]
    assert not any("<" in row["path"] or "?" in row["path"] for row in found["files"])


# ------------------------------------------------------------------ new rulesets


def test_a_rule_of_the_readme_is_written_checked_seen_and_played(tmp_path: Path) -> None:
    page = Page(tmp_path)
    made = page.call(
        "file.new", name="hungry-dragon", template="empty", game="c2/princess-and-dragon"
    )
    assert made["ruleset"] == HUNGRY
    rules = made["files"][1]
    stamp = page.call("file.read", path=rules)["stamp"]
    page.call("file.write", path=rules, text=hungry_files()["rules/dragon.yaml"], stamp=stamp)
    proof = "0/hungry-dragon/scenarios/dragon.yaml"
    page.call("file.write", path=proof, text=hungry_files()["scenarios/dragon.yaml"], stamp="")
    assert [s["passed"] for s in page.call("test.run", ruleset=HUNGRY)["scenarios"]] == [True]
    assert page.call("check.run", rulesets=[HUNGRY])["diagnostics"] == []
    answer = page.call("compare.answer", games=["c2/princess-and-dragon", HUNGRY])
    assert answer["count"] == 2
    state = page.new(HUNGRY)
    assert page.choose(state)["at"] == 1


def test_a_house_rule_on_a_value_comes_with_a_scenario(tmp_path: Path) -> None:
    page = Page(tmp_path)
    made = page.call(
        "file.new", name="far", template="house-rule", on="dragon.steps",
        game="c2/princess-and-dragon",
    )  # fmt: skip
    assert any("/scenarios/" in path for path in made["files"])
    run = page.call("test.run", ruleset=made["ruleset"])
    assert [each["passed"] for each in run["scenarios"]] == [False]  # its author adapts it


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "Bad Name", "template": "empty"},
        {"name": "../x", "template": "empty"},
        {"name": "x", "template": "house-rule", "on": "no.such.rule"},
        {"name": "x", "template": "empty", "game": "no/such"},
        {"name": "hungry-dragon", "template": "empty"},
        {"name": "x", "template": "empty", "folder": "0/../.."},
        {"name": "x", "template": "empty", "folder": "7"},
    ],
)
def test_a_ruleset_that_cannot_be_is_not_written(
    page: Page, opened: Path, wrong: dict[str, str]
) -> None:
    before = sorted(opened.parent.rglob("*"))
    with pytest.raises(RefusedByStudio):
        page.call("file.new", **wrong)
    assert sorted(opened.parent.rglob("*")) == before


def test_without_an_opened_folder_nothing_is_written() -> None:
    with pytest.raises(RefusedByStudio, match="no folder is opened"):
        Page().call("file.new", name="x", template="empty")


def test_everything_that_a_house_rule_may_change_is_listed() -> None:
    found = Page().call("file.targets", game="c2/base")["targets"]
    assert {each["kind"] for each in found} == {"value", "rule", "step"}
    assert any(each["says"] for each in found)


# ------------------------------------------------------------------ the language server


def heard(page: Page, wanted: str, seconds: float = 30) -> Any:
    """The first message of the language server with a method or an id."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for method, params in page.told:
            message = params.get("message", {}) if method == "lsp" else {}
            if wanted in (message.get("method"), str(message.get("id"))):
                return message
        time.sleep(0.02)
    raise AssertionError(f"nothing was heard of {wanted}")


def lsp(page: Page, **message: Any) -> None:
    assert page.call("lsp", message={"jsonrpc": "2.0", **message}) == {}


def test_the_language_server_answers_through_the_channel(page: Page) -> None:
    uri = page.call("file.read", path=RULES)["uri"]
    text = hungry_files()["rules/dragon.yaml"].replace("monk\n", "mnk\n")
    lsp(page, id=1, method="initialize", params={"capabilities": {}})
    lsp(page, method="initialized", params={})
    opened = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
    lsp(page, method="textDocument/didOpen", params={"textDocument": opened})
    found = heard(page, "textDocument/publishDiagnostics")["params"]
    assert found["uri"] == uri
    place = {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 13}}
    lsp(page, id=7, method="textDocument/hover", params=place)
    assert "may_eat" in str(heard(page, "7")["result"])
    page.client.lsp.stop()


@pytest.mark.parametrize(
    "params",
    [
        {"textDocument": {"uri": "file:///etc/passwd"}},
        {"textDocument": {"uri": "FILE:///etc/passwd"}},
        {"textDocument": {"uri": " file:///etc/passwd"}},
        {"textDocument": {"uri": "%66ile:///etc/passwd"}},
        {"changes": [{"uri": "file:///etc/x.yaml", "type": 2}]},
        {"file:///etc/passwd": 1},
        {"a": {"b": [{"c": "file://localhost/etc/passwd"}]}},
    ],
)
def test_the_language_server_gets_no_file_outside(page: Page, params: Any) -> None:
    with pytest.raises(RefusedByStudio, match="not in an opened folder"):
        lsp(page, method="textDocument/didOpen", params=params)
    page.client.lsp.stop()


def test_the_language_server_has_no_other_methods(page: Page) -> None:
    for method in ("workspace/executeCommand", "exit", "x", None, [], {}):
        with pytest.raises(RefusedByStudio, match="does not have this method"):
            lsp(page, method=method, params={})
    deep: Any = {}
    for _ in range(60):
        deep = {"a": deep}
    with pytest.raises(RefusedByStudio, match="too deep"):
        lsp(page, method="initialize", params=deep)
    page.client.lsp.stop()


def test_files_that_belong_to_no_ruleset_are_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        (tmp_path / f"copy{number}").mkdir()
        (tmp_path / f"copy{number}" / "module.yaml").write_text("id: house/same\nkind: house\n")
    page, opened = Page(tmp_path), []
    monkeypatch.setattr(Overlay, "open", lambda overlay: opened.append(overlay))
    rows = page.call("file.list")["files"]
    assert sum(row["ruleset"] == "house/same" for row in rows) == 1
    assert opened == []


# ------------------------------------------------------------------ changes from outside


def test_changes_from_outside_are_checked_and_all_pages_hear_of_them(opened: Path) -> None:
    page = Page(opened)
    other = Client(page.studio, lambda method, params: told.append(params["path"]))
    page.studio.clients.append(other)
    told: list[str] = []

    def errors() -> set[str]:
        found = page.call("check.run", rulesets=[HUNGRY])["diagnostics"]
        return {each["file"] for each in found if each["severity"] == "error"}

    def look() -> list[str]:
        told.clear()
        notice(page.studio)
        return sorted(told)

    rules = opened / "hungry-dragon" / "rules" / "dragon.yaml"
    before = rules.read_text("utf-8")
    assert (errors(), look()) == (set(), [])
    rules.write_text("rules: [\n", "utf-8")
    assert (look(), errors()) == ([RULES], {RULES})
    rules.write_text(before, "utf-8")
    assert (look(), errors()) == ([RULES], set())
    more = rules.with_name("more.yaml")
    more.write_text("rules: {\n", "utf-8")
    assert (look(), errors()) == ([""], {"0/hungry-dragon/rules/more.yaml"})
    more.unlink()
    assert (look(), errors()) == ([""], set())
    (opened / "hungry-dragon").rename(opened.parent / "away")
    assert (look(), HUNGRY in page.studio.library.ids()) == ([""], False)
    (opened.parent / "away").rename(opened / "back")
    assert (look(), errors()) == ([""], set())
    # changes by this page reach the others, once
    page.call("file.draft", path="0/back/rules/dragon.yaml", text="rules: [\n", stamp="")
    assert told == ["", "0/back/rules/dragon.yaml"]
    stamp, old = page.call("file.read", path="0/back/module.yaml")["stamp"], len(page.told)
    page.call("file.write", path="0/back/module.yaml", stamp=stamp, text="id: house/other\n")
    assert (told[2:], look(), page.told[old:]) == (["0/back/module.yaml"], [], [])


def test_the_language_server_reads_the_drafts_of_files_that_are_not_open(page: Page) -> None:
    module = page.call("file.read", path="0/hungry-dragon/module.yaml")
    page.call("file.draft", path=RULES, text="rules: [\n", stamp="")
    lsp(page, id=1, method="initialize", params={"capabilities": {}})
    lsp(page, method="initialized", params={})
    opened = {"uri": module["uri"], "languageId": "yaml", "version": 1, "text": module["text"]}
    lsp(page, method="textDocument/didOpen", params={"textDocument": opened})

    def until(is_wrong: bool) -> None:
        """Wait for diagnostics of the other file, or for none of them."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            sent = (params["message"] for method, params in page.told if method == "lsp")
            marks = [each["params"] for each in sent if "diagnostics" in each.get("params", {})]
            of_rules = [bool(m["diagnostics"]) for m in marks if m["uri"].endswith("dragon.yaml")]
            if of_rules[-1:] == [is_wrong]:
                return
            time.sleep(0.02)
        raise AssertionError("the diagnostics did not come")

    until(True)
    page.told.clear()
    stamp = page.call("file.read", path=RULES)["draft_stamp"]
    page.call("file.draft", path=RULES, text=None, stamp=stamp)
    until(False)
    page.client.lsp.stop()


def test_a_file_that_is_not_there_is_called_missing(page: Page) -> None:
    with pytest.raises(RefusedByStudio, match=r"none\.yaml` does not exist"):
        page.call("file.read", path="0/hungry-dragon/rules/none.yaml")
