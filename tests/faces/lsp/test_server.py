"""The language server as an editor meets it: a client over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.workspace import PositionCodec
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from support.marks import slow_unless
from support.overlays import RULES, STATEMENTS, where, workspace
from support.paths import ROOT
from tilewright.faces.lsp.positions import Ruler
from tilewright.faces.lsp.server import workspace_folders

pytestmark = pytest.mark.asyncio(loop_scope="module")

SERVER = ClientServerConfig(
    server_command=[sys.executable, "-m", "tilewright", "lsp"],
    server_env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("desk").resolve()
    workspace(found)
    return found


@pytest_lsp.fixture(config=SERVER, scope="module")
async def server(lsp_client: LanguageClient, folder: Path) -> AsyncIterator[None]:
    @lsp_client.feature(t.CLIENT_REGISTER_CAPABILITY)
    def _registered(params: t.RegistrationParams) -> None:
        assert [each.method for each in params.registrations] == [
            t.WORKSPACE_DID_CHANGE_WATCHED_FILES
        ]

    await lsp_client.initialize_session(
        t.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            workspace_folders=[t.WorkspaceFolder(folder.as_uri(), "trial")],
        )
    )
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def client(server: LanguageClient, folder: Path) -> Iterator[LanguageClient]:
    """The one server of these tests, with nothing open and every file as it was."""
    server.diagnostics.clear()
    yield server
    for uri in OPEN:
        document = t.TextDocumentIdentifier(uri)
        server.text_document_did_close(t.DidCloseTextDocumentParams(document))
    OPEN.clear()
    workspace(folder)
    events = [t.FileEvent(p.as_uri(), t.FileChangeType.Changed) for p in folder.rglob("*.yaml")]
    server.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams(events))


#: seconds until a test gives up waiting for the server
PATIENCE = 60
#: the files that a test has open
OPEN: list[str] = []


class Editor:
    """Opens one file and types into it."""

    def __init__(self, client: LanguageClient, path: Path) -> None:
        self.client = client
        self.path = path.resolve()
        self.uri = self.path.as_uri()
        self.text = path.read_text(encoding="utf-8")
        self.version = 1
        self.document = t.TextDocumentIdentifier(self.uri)
        OPEN.append(self.uri)
        item = t.TextDocumentItem(self.uri, "yaml", 1, self.text)
        client.text_document_did_open(t.DidOpenTextDocumentParams(item))

    def write(self, text: str) -> None:
        self.version += 1
        self.text = text
        self.client.text_document_did_change(
            t.DidChangeTextDocumentParams(
                t.VersionedTextDocumentIdentifier(self.version, self.uri),
                [t.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def at(self, wanted: str, number: int = 0) -> t.Position:
        line, column = where(self.text, wanted, number)
        before = self.text.split("\n")[line - 1][: column - 1]
        return t.Position(line - 1, len(before.encode("utf-16-le")) // 2)

    async def diagnostics(self, *codes: str) -> list[t.Diagnostic]:
        """The diagnostics of the file, once they have the expected codes."""
        for _ in range(40):
            found = list(self.client.diagnostics.get(self.uri, ()))
            if self.uri in self.client.diagnostics and {d.code for d in found} == set(codes):
                return found
            text = self.client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            try:
                await asyncio.wait_for(text, PATIENCE)
            except TimeoutError:
                break
        raise AssertionError(f"expected {codes}, found {found}")


def editor(client: LanguageClient, folder: Path, name: str = "rules/trial.yaml") -> Editor:
    return Editor(client, folder / "mine" / "trial" / name)


async def test_a_mistake_is_underlined_while_it_is_there(
    client: LanguageClient, folder: Path
) -> None:
    page = editor(client, folder)
    await page.diagnostics()
    page.write(RULES.replace("y.size", "y.sice"))
    (found,) = await page.diagnostics("TW408")
    assert found.source == "tilewright"
    assert found.severity == t.DiagnosticSeverity.Error
    assert found.range.start == page.at("y.sice")
    assert "did you mean `size`" in found.message
    page.write(RULES)
    await page.diagnostics()


async def test_a_place_is_counted_as_the_editor_counts(
    client: LanguageClient, folder: Path
) -> None:
    page = editor(client, folder)
    page.write(RULES.replace("says: points of", 'says: "𝔘𝔘𝔘 points of').replace(
        "small town, from: [trial-town]", 'small town", fron: [trial-town]'))  # fmt: skip
    (found,) = [d for d in await page.diagnostics("TW202") if d.code == "TW202"]
    assert found.range.start == page.at("fron")
    assert found.range.end.character == found.range.start.character + 4


async def test_a_second_place_is_told(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    page.write(RULES.replace("memory:\n", "values: {}\nmemory:\n"))
    (found,) = await page.diagnostics("TW102")
    assert found.related_information
    assert found.related_information[0].location.uri == page.uri


async def test_what_is_pointed_at_is_told(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    params = t.HoverParams(page.document, page.at("is_small(each_one)"))
    found = await client.text_document_hover_async(params)
    assert found is not None and isinstance(found.contents, t.MarkupContent)
    assert "whether a feature is small" in found.contents.value
    assert found.range is not None and found.range.start == page.at("is_small(each_one)")


async def test_what_fits_is_offered_and_told_when_asked(
    client: LanguageClient, folder: Path
) -> None:
    page = editor(client, folder)
    page.write(RULES.replace("value: y.size = trial.points", "value: y.si"))
    place = page.at("y.si")
    place = t.Position(place.line, place.character + len("y.si"))
    found = await client.text_document_completion_async(t.CompletionParams(page.document, place))
    assert isinstance(found, t.CompletionList)
    by_name = {item.label: item for item in found.items}
    assert by_name["size"].detail == "number"
    edit = by_name["size"].text_edit
    assert isinstance(edit, t.TextEdit)
    assert (edit.range.start.character, edit.range.end) == (place.character - 2, place)
    page.write(RULES.replace("from: [trial-town]\n    amend", "from: [\n    amend"))
    place = page.at("from: [\n")
    place = t.Position(place.line, place.character + len("from: ["))
    found = await client.text_document_completion_async(t.CompletionParams(page.document, place))
    assert isinstance(found, t.CompletionList)
    (item,) = [item for item in found.items if item.label == "trial-town"]
    full = await client.completion_item_resolve_async(item)
    assert isinstance(full.documentation, t.MarkupContent)
    assert "A small town is worth two." in full.documentation.value


async def test_a_name_leads_home_across_rulesets(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    params = t.DefinitionParams(page.document, page.at("city.tile_points"))
    found = await client.text_document_definition_async(params)
    assert isinstance(found, list) and len(found) == 1
    assert isinstance(found[0], t.Location)
    assert found[0].uri.endswith("rulesets/c2/base/rules/scoring.yaml")


async def test_every_use_is_found(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    context = t.ReferenceContext(include_declaration=False)
    params = t.ReferenceParams(context, page.document, page.at("trial-town"))
    found = await client.text_document_references_async(params)
    assert found is not None
    assert sorted({Path(place.uri).name for place in found}) == ["trial.yaml"]
    assert len(found) == 5
    here = t.DocumentHighlightParams(page.document, page.at("each_one"))
    marked = await client.text_document_document_highlight_async(here)
    assert marked is not None and len(marked) == 5


async def test_a_name_is_changed_in_every_file(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder, "statements.yaml")
    place = page.at("trial-town")
    ready = await client.text_document_prepare_rename_async(
        t.PrepareRenameParams(page.document, place)
    )
    assert isinstance(ready, t.PrepareRenamePlaceholder) and ready.placeholder == "trial-town"
    edit = await client.text_document_rename_async(
        t.RenameParams(page.document, place, "trial-village")
    )
    assert edit is not None and edit.document_changes is not None
    parts = [part for part in edit.document_changes if isinstance(part, t.TextDocumentEdit)]
    counts = {Path(p.text_document.uri).parent.name: len(p.edits) for p in parts}
    assert counts == {"trial": 1, "rules": 4, "scenarios": 1}


async def test_what_travels_with_the_program_keeps_its_names(
    client: LanguageClient, folder: Path
) -> None:
    page = editor(client, folder)
    params = t.RenameParams(page.document, page.at("city.tile_points"), "city.pay")
    with pytest.raises(JsonRpcException, match="declared in `c2/base`, which is not in this"):
        await client.text_document_rename_async(params)


async def test_a_mistake_is_mended_by_a_choice(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    wrong = RULES.replace("y.size", "y.sice").replace("is city {", "is citi {").replace(
        "each_one is city", "each_one is citi")  # fmt: skip
    page.write(wrong)
    found = await page.diagnostics("TW408", "TW301")
    first = next(d for d in found if d.code == "TW408")
    context = t.CodeActionContext(diagnostics=[first])
    params = t.CodeActionParams(page.document, first.range, context)
    actions = await client.text_document_code_action_async(params)
    (action,) = actions or []
    assert isinstance(action, t.CodeAction)
    assert (action.title, action.is_preferred) == ("write `size`", True)
    assert action.edit is not None and action.edit.document_changes is not None
    (part,) = action.edit.document_changes
    assert isinstance(part, t.TextDocumentEdit)
    (edit,) = part.edits
    assert isinstance(edit, t.TextEdit)
    assert (edit.new_text, edit.range.start) == ("size", page.at("sice"))
    everything = t.CodeActionContext(diagnostics=[], only=[t.CodeActionKind.SourceFixAll])
    params = t.CodeActionParams(page.document, first.range, everything)
    (action,) = await client.text_document_code_action_async(params) or []
    assert isinstance(action, t.CodeAction)
    assert action.edit is not None and action.edit.document_changes is not None
    (part,) = action.edit.document_changes
    assert isinstance(part, t.TextDocumentEdit) and len(part.edits) == 2


async def test_a_scenario_is_begun_in_its_file(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    page.write(RULES.replace("- id: trial.pay", "- id: trial.wages"))
    await page.diagnostics("TW604")
    context = t.CodeActionContext(diagnostics=[])
    place = page.at("trial.wages")
    params = t.CodeActionParams(page.document, t.Range(place, place), context)
    (action,) = await client.text_document_code_action_async(params) or []
    assert isinstance(action, t.CodeAction)
    assert action.title == "write a scenario that covers `trial.wages`"
    assert action.edit is not None and action.edit.document_changes is not None
    (part,) = action.edit.document_changes
    assert isinstance(part, t.TextDocumentEdit)
    assert part.text_document.uri.endswith("scenarios/trial.yaml")


async def test_a_file_is_shown_at_a_glance(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    found = await client.text_document_document_symbol_async(t.DocumentSymbolParams(page.document))
    assert found is not None
    names = [symbol.name for symbol in found]
    assert names == ["values", "memory", "definitions", "events", "rules", "patches"]
    wanted = t.WorkspaceSymbolParams("trial.sm")
    everywhere = await client.workspace_symbol_async(wanted)
    assert everywhere is not None
    assert [symbol.name for symbol in everywhere][:1] == ["trial.small"]


async def test_a_file_is_put_in_its_one_form(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    options = t.FormattingOptions(tab_size=2, insert_spaces=True)
    params = t.DocumentFormattingParams(page.document, options)
    page.write(RULES.replace("y.size = trial.points", "y.size   =   trial.points"))
    (edit,) = await client.text_document_formatting_async(params) or []
    assert "value: y.size = trial.points\n" in edit.new_text
    assert edit.range.start == t.Position(0, 0)
    page.write(edit.new_text)
    assert not await client.text_document_formatting_async(params)
    page.write(edit.new_text + "rules: [")
    assert not await client.text_document_formatting_async(params)


async def test_words_of_effects_have_colours(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    found = await client.text_document_semantic_tokens_full_async(
        t.SemanticTokensParams(page.document)
    )
    assert found is not None and len(found.data) % 5 == 0
    assert min(found.data) >= 0
    lines = page.text.split("\n")
    line = character = 0
    seen = set()
    for step, behind, length, kind, _ in zip(*[iter(found.data)] * 5, strict=True):
        line, character = line + step, behind + (0 if step else character)
        seen.add((lines[line][character : character + length], kind))
    assert any(word == "for" and kind == 0 for word, kind in seen)
    assert any(word == "each_one" for word, _ in seen)


async def test_half_a_file_is_no_trouble(client: LanguageClient, folder: Path) -> None:
    page = editor(client, folder)
    await page.diagnostics()
    for length in range(0, len(RULES), 97):
        page.write(RULES[:length])
        lines = RULES[:length].split("\n")
        place = t.Position(len(lines) - 1, len(lines[-1]))
        for ask in (
            client.text_document_completion_async(t.CompletionParams(page.document, place)),
            client.text_document_hover_async(t.HoverParams(page.document, place)),
            client.text_document_document_symbol_async(t.DocumentSymbolParams(page.document)),
            client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(page.document)),
        ):
            await ask
    page.write(RULES)
    await page.diagnostics()
    assert not client.log_messages
    assert not client.messages


async def test_files_of_no_ruleset_are_let_alone(client: LanguageClient, folder: Path) -> None:
    stranger = folder / "compose.yaml"
    stranger.write_text("rules: [not, ours]\n", encoding="utf-8")
    page = Editor(client, stranger)
    place = t.Position(0, 2)
    assert await client.text_document_hover_async(t.HoverParams(page.document, place)) is None
    params = t.CompletionParams(page.document, place)
    assert await client.text_document_completion_async(params) is None
    assert not client.diagnostics.get(page.uri)


async def test_a_change_behind_the_editors_back_counts(
    client: LanguageClient, folder: Path
) -> None:
    page = editor(client, folder)
    await page.diagnostics()
    book = folder / "mine" / "trial" / "statements.yaml"
    before = book.stat()
    book.write_text(STATEMENTS.replace("trial-town", "trial-city"), encoding="utf-8")
    os.utime(book, ns=(before.st_atime_ns, before.st_mtime_ns + 10_000_000))
    event = t.FileEvent(book.as_uri(), t.FileChangeType.Changed)
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([event]))
    await page.diagnostics("TW602")


@pytest.mark.parametrize(
    "params",
    slow_unless(lambda params: params == 7, [[], 7, "x", {"textDocument": []}, {"position": None}]),
)
async def test_a_request_of_a_wrong_shape_is_refused(params: object) -> None:
    """Every request is answered: the first one by an error, and the server lives on."""
    process = await asyncio.create_subprocess_exec(
        *SERVER.server_command,
        env=SERVER.server_env,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None and process.stdout is not None
    for number, (method, text) in enumerate(
        [
            ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}),
            ("textDocument/hover", params),
            ("shutdown", None),
        ]
    ):
        position = {"jsonrpc": "2.0", "id": number, "method": method, "params": text}
        body = json.dumps(position).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        while True:
            head = await asyncio.wait_for(process.stdout.readuntil(b"\r\n\r\n"), PATIENCE)
            length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
            amendment = json.loads(await process.stdout.readexactly(length))
            if amendment.get("id") == number:
                break
        assert ("error" in amendment) == (number == 1), amendment
    process.kill()
    await process.wait()


async def test_a_message_that_cannot_be_read_is_not_called_a_bug() -> None:
    process = await asyncio.create_subprocess_exec(
        *SERVER.server_command,
        env=SERVER.server_env,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None and process.stdout is not None
    no_json = (b"{", b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc": "2.0",', b"\0")
    no_message = (b"7", b"[]", b"null", b'{"id": 1}', b'"x"')
    asked = {"processId": None, "rootUri": None, "capabilities": {}}
    last = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked})
    for body in (*no_json, *no_message, last.encode()):
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    said = []
    while True:
        head = await asyncio.wait_for(process.stdout.readuntil(b"\r\n\r\n"), PATIENCE)
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        found = json.loads(await process.stdout.readexactly(length))
        if found.get("id") == 1:
            break
        said.append(found["params"]["message"])
    assert "result" in found
    sentence = "expected {} from the editor, found something else; it is ignored"
    assert said == [sentence.format("JSON")] * len(no_json) + [
        sentence.format("a message of the protocol")
    ] * len(no_message)
    process.kill()
    await process.wait()


async def test_without_an_editor_it_says_what_it_is_for() -> None:
    process = await asyncio.create_subprocess_exec(
        *SERVER.server_command,
        "--help",
        env=SERVER.server_env,
        stdout=asyncio.subprocess.PIPE,
    )
    text, _ = await process.communicate()
    assert process.returncode == 0
    assert b"Language Server Protocol" in text


@pytest.mark.parametrize("letters", (20, pytest.param(900, marks=pytest.mark.slow)))
async def test_places_on_a_line_are_counted_in_units_however_long_it_is(letters: int) -> None:
    line = ("aé\U0001d11eж " * letters)[:letters]
    codec = PositionCodec()
    ruler = Ruler(lambda _: f"{line}\nabc", codec)
    for column in (0, 1, 2, 5, 11, letters, letters + 1, letters + 9):
        found = ruler.position(Path("x.yaml"), 1, column)
        assert found.character == codec.client_num_units(line[: max(0, column - 1)])
    assert ruler.position(Path("x.yaml"), 2, 9).character == 3


async def test_the_configuration_file_adds_folders_and_its_errors_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TILEWRIGHT_CONFIG")
    root, other = tmp_path / "root", tmp_path / "other"
    (root / ".git").mkdir(parents=True)
    (root / "inside").mkdir()
    other.mkdir()
    shown: list[Any] = []
    workspace = SimpleNamespace(folders={root.as_uri(): None}, root_uri=None)
    editor: Any = SimpleNamespace(workspace=workspace, window_show_message=shown.append)
    (root / "tilewright.toml").write_text('folders = ["inside"]\n')
    (tmp_path / "mine.toml").write_text(f'folders = ["{other}"]\n')
    monkeypatch.setenv("TILEWRIGHT_CONFIG", str(tmp_path / "mine.toml"))
    assert workspace_folders(editor) == (root, other) and not shown
    monkeypatch.delenv("TILEWRIGHT_CONFIG")
    (root / "tilewright.toml").write_text('folders = ["inside", "../other"]\n')
    assert workspace_folders(editor) == (root,)
    assert "`../other` is outside of the folder of this file" in shown.pop().message
    (root / "tilewright.toml").write_text('folders = ["gone"]\n')
    assert workspace_folders(editor) == (root,)
    assert "the folder `gone` does not exist" in shown[0].message
