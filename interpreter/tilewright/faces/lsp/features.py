"""The requests of an editor, each with the tool that handles it. This module has no logic."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from tilewright.faces.lsp.positions import Ruler, path_at, uri_of
from tilewright.faces.lsp.session import Server
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.rules.reading.limits import shown
from tilewright.tools.editor import completion as offered
from tilewright.tools.editor import hover as hovering
from tilewright.tools.editor import quick_fixes
from tilewright.tools.editor.document_symbols import KINDS, OutlineEntry, outline, semantic_tokens
from tilewright.tools.editor.rename import Change, Refusal, renamable, rename
from tilewright.tools.editor.symbol_index import Place
from tilewright.tools.formatting.format_file import canonical
from tilewright.tools.workspace.overlay import path_of


def _position(ls: Server, params: Any) -> tuple[Path, int, int, Ruler] | None:
    """The file and place (from 1) of a request; None for a file outside of rulesets."""
    path = path_at(params.text_document.uri)
    if path is None or ls.overlay.ruleset_at(path) is None:
        return None
    ruler = ls.ruler
    return (path, *ruler.place(path, params.position), ruler)


def _file(ls: Server, params: Any) -> Path | None:
    path = path_at(params.text_document.uri)
    return None if path is None or ls.overlay.ruleset_at(path) is None else path


# --------------------------------------------------------- hover and definitions


def _hover(ls: Server, params: t.HoverParams) -> t.Hover | None:
    position = _position(ls, params)
    if position is None:
        return None
    path, line, column, ruler = position
    found = hovering.hover(ls.index, path, line, column, ls.diagnostics.get(path, ()))
    if found is None:
        return None
    content = t.MarkupContent(t.MarkupKind.Markdown, found.markdown)
    return t.Hover(content, ruler.range(path, found.span))


def _locations(places: Iterable[Place], ruler: Ruler) -> list[t.Location]:
    return [ruler.location(path_of(place.span.file), place.span) for place in places]


def _definition(ls: Server, params: t.DefinitionParams) -> list[t.Location] | None:
    position = _position(ls, params)
    place = ls.index.at(*position[:3]) if position is not None else None
    if position is None or place is None:
        return None
    return _locations(ls.index.declarations(place), position[3])


def _references(ls: Server, params: t.ReferenceParams) -> list[t.Location] | None:
    position = _position(ls, params)
    place = ls.index.at(*position[:3]) if position is not None else None
    if position is None or place is None:
        return None
    found = ls.index.references(place)
    if not params.context.include_declaration:
        found = [other for other in found if not other.here.declares]
    return _locations(found, position[3])


def _highlight(ls: Server, params: t.DocumentHighlightParams) -> list[t.DocumentHighlight] | None:
    position = _position(ls, params)
    place = ls.index.at(*position[:3]) if position is not None else None
    if position is None or place is None:
        return None
    path, ruler = position[0], position[3]
    kinds = (t.DocumentHighlightKind.Read, t.DocumentHighlightKind.Write)
    return [
        t.DocumentHighlight(ruler.range(path, other.span), kinds[other.here.declares])
        for other in ls.index.highlights(place, path)
    ]


# --------------------------------------------------------------------------- completion

_KINDS = {
    "key": t.CompletionItemKind.Property,
    "word": t.CompletionItemKind.EnumMember,
    "type": t.CompletionItemKind.TypeParameter,
    "keyword": t.CompletionItemKind.Keyword,
    "local": t.CompletionItemKind.Variable,
    "memory": t.CompletionItemKind.Variable,
    "builtin": t.CompletionItemKind.Variable,
    "value": t.CompletionItemKind.Constant,
    "member": t.CompletionItemKind.Property,
    "attribute": t.CompletionItemKind.Property,
    "function": t.CompletionItemKind.Function,
    "definition": t.CompletionItemKind.Function,
    "procedure": t.CompletionItemKind.Function,
    "verb": t.CompletionItemKind.Method,
    "event": t.CompletionItemKind.Event,
    "step": t.CompletionItemKind.Event,
    "statement": t.CompletionItemKind.Reference,
    "rule": t.CompletionItemKind.Reference,
    "ruleset": t.CompletionItemKind.Module,
    "provided": t.CompletionItemKind.Interface,
}


def _completion(ls: Server, params: t.CompletionParams) -> t.CompletionList | None:
    position = _position(ls, params)
    if position is None:
        return None
    path, line, column, ruler = position
    found = offered.complete(ls.index, path, line, column)
    if found is None:
        return None
    place = t.Range(ruler.position(path, line, found.column), ruler.position(path, line, column))
    items = [
        t.CompletionItem(
            label=item.name,
            kind=_KINDS.get(item.kind, t.CompletionItemKind.EnumMember),
            detail=item.detail or None,
            documentation=item.doc or None,
            sort_text=f"{number:05}",
            text_edit=t.TextEdit(place, item.text),
            data={"file": str(path), "kind": item.kind, "name": item.name},
        )
        for number, item in enumerate(found.items)
    ]
    return t.CompletionList(is_incomplete=False, items=items)


def _resolve(ls: Server, item: t.CompletionItem) -> t.CompletionItem:
    data = item.data if isinstance(item.data, dict) else {}
    if data and not item.documentation:
        documentation = offered.document(
            ls.index, Path(data["file"]), data["kind"], data["name"].removeprefix("step ")
        )
        if documentation:
            item.documentation = t.MarkupContent(t.MarkupKind.Markdown, documentation)
    return item


# ------------------------------------------------------------------ another name


def _refused(message: str) -> JsonRpcException:
    return JsonRpcException(message, t.LSPErrorCodes.RequestFailed)


def _prepare(ls: Server, params: t.PrepareRenameParams) -> t.PrepareRenamePlaceholder | None:
    position = _position(ls, params)
    if position is None:
        return None
    found = renamable(ls.index, *position[:3])
    if isinstance(found, Refusal):
        raise _refused(found.message)
    return t.PrepareRenamePlaceholder(position[3].range(position[0], found.span), found.here.id)


def _rename(ls: Server, params: t.RenameParams) -> t.WorkspaceEdit | None:
    position = _position(ls, params)
    if position is None:
        return None
    found = rename(ls.index, *position[:3], params.new_name)
    if isinstance(found, Refusal):
        raise _refused(found.message)
    return edit_of(ls, found)


def edit_of(ls: Server, changes: Iterable[Change]) -> t.WorkspaceEdit:
    """Changes in the form of the protocol; missing files are created."""
    ruler = ls.ruler
    by_file: dict[Path, list[t.TextEdit]] = {}
    for change in changes:
        place = ruler.range(change.path, change.span)
        by_file.setdefault(change.path, []).append(t.TextEdit(place, change.text))
    workspace = ls.client_capabilities.workspace
    edits = workspace.workspace_edit if workspace is not None else None
    if edits is None or not edits.document_changes:
        return t.WorkspaceEdit(changes={uri_of(path): found for path, found in by_file.items()})
    may_create = t.ResourceOperationKind.Create in (edits.resource_operations or ())
    parts: list[t.TextDocumentEdit | t.CreateFile | t.RenameFile | t.DeleteFile] = []
    for path, found in by_file.items():
        if may_create and ls.overlay.text(path) is None:
            parts.append(
                t.CreateFile(uri_of(path), options=t.CreateFileOptions(ignore_if_exists=True))
            )
        document = t.OptionalVersionedTextDocumentIdentifier(uri_of(path), None)
        parts.append(t.TextDocumentEdit(document, list(found)))
    return t.WorkspaceEdit(document_changes=parts)


# ------------------------------------------------------------------------- quick fixes


def _actions(ls: Server, params: t.CodeActionParams) -> list[t.CodeAction] | None:
    path = _file(ls, params)
    if path is None:
        return None
    ruler = ls.ruler
    wanted = params.context.only
    found: list[t.CodeAction] = []
    diagnostics = ls.diagnostics.get(path, ())
    if not wanted or any(t.CodeActionKind.QuickFix.startswith(kind) for kind in wanted):
        for diagnostic in diagnostics:
            place = ruler.range(path, diagnostic.span)
            if place.start <= params.range.end and params.range.start <= place.end:
                shown = ls.diagnostic(ruler, path, diagnostic)
                for fix in quick_fixes.quick_fixes(ls.index, diagnostic):
                    found.append(
                        t.CodeAction(
                            title=fix.title,
                            kind=t.CodeActionKind.QuickFix,
                            diagnostics=[shown],
                            is_preferred=fix.is_sure or None,
                            edit=edit_of(ls, fix.changes),
                        )
                    )
    if wanted and any(t.CodeActionKind.SourceFixAll.startswith(kind) for kind in wanted):
        sure = _all_sure(ls, diagnostics)
        if sure:
            found.append(
                t.CodeAction(
                    title="apply all safe fixes",
                    kind=t.CodeActionKind.SourceFixAll,
                    edit=edit_of(ls, sure),
                )
            )
    return found


def _all_sure(ls: Server, diagnostics: Iterable[Diagnostic]) -> list[Change]:
    """The changes of every safe fix, without two at one place."""
    found: dict[tuple[Path, int, int], Change] = {}
    for diagnostic in diagnostics:
        for fix in quick_fixes.quick_fixes(ls.index, diagnostic):
            for change in fix.changes if fix.is_sure else ():
                found.setdefault((change.path, change.span.line, change.span.column), change)
    return list(found.values())


# ------------------------------------------------------------------ a file at a glance

_SYMBOLS = {
    "section": t.SymbolKind.Namespace,
    "rule": t.SymbolKind.Method,
    "procedure": t.SymbolKind.Function,
    "definition": t.SymbolKind.Function,
    "event": t.SymbolKind.Event,
    "step": t.SymbolKind.Event,
    "value": t.SymbolKind.Constant,
    "memory": t.SymbolKind.Variable,
    "statement": t.SymbolKind.String,
    "scenario": t.SymbolKind.Method,
    "tile": t.SymbolKind.Struct,
    "ruleset": t.SymbolKind.Module,
    "option": t.SymbolKind.Enum,
    "feature": t.SymbolKind.Class,
    "figure": t.SymbolKind.Class,
    "token": t.SymbolKind.Class,
    "role": t.SymbolKind.Interface,
}


def _symbols(ls: Server, params: t.DocumentSymbolParams) -> list[t.DocumentSymbol] | None:
    path = _file(ls, params)
    if path is None:
        return None
    ruler = ls.ruler

    def symbol(entry: OutlineEntry) -> t.DocumentSymbol:
        return t.DocumentSymbol(
            name=entry.name,
            detail=entry.detail or None,
            kind=_SYMBOLS.get(entry.kind, t.SymbolKind.Property),
            range=ruler.range(path, entry.whole),
            selection_range=ruler.range(path, entry.name_span),
            children=[symbol(inner) for inner in entry.inside],
        )

    return [symbol(entry) for entry in outline(ls.index, path)]


def _everywhere(ls: Server, params: t.WorkspaceSymbolParams) -> list[t.WorkspaceSymbol]:
    ruler = ls.ruler
    return [
        t.WorkspaceSymbol(
            name=place.here.id,
            kind=_SYMBOLS.get(place.here.kind, t.SymbolKind.Property),
            container_name=place.ruleset,
            location=ruler.location(path_of(place.span.file), place.span),
        )
        for place in ls.index.matching(params.query)
    ]


_MODIFIERS = ("declaration", "defaultLibrary")


def _tokens(ls: Server, params: t.SemanticTokensParams) -> t.SemanticTokens | None:
    path = _file(ls, params)
    if path is None:
        return None
    ruler = ls.ruler
    data: list[int] = []
    line = character = 0
    for word in semantic_tokens(ls.index, path):
        place = ruler.range(path, word.span)
        length = place.end.character - place.start.character
        step = place.start.line - line
        if place.end.line != place.start.line or length < 1 or step < 0:
            continue
        behind = place.start.character - (0 if step else character)
        if behind < 0:
            continue  # two words at one place: the tree is older than the text
        line, character = place.start.line, place.start.character
        data += [step, behind, length, KINDS.index(word.kind), word.is_declared + 2 * word.is_own]
    return t.SemanticTokens(data)


# ------------------------------------------------------------------ its one form


def _formatted(ls: Server, params: t.DocumentFormattingParams) -> list[t.TextEdit] | None:
    """The file in its canonical form; None for a file with diagnostics about its shape."""
    path = _file(ls, params)
    text = ls.overlay.text(path) if path is not None else None
    if path is None or text is None or ls.overlay.kind_of(path) is None:
        return None
    new = canonical(text, shown(path), Reporter.discarding())
    if new is None or new == text:
        return []
    ruler = ls.ruler
    lines = ruler.lines(path)
    end = ruler.position(path, len(lines), len(lines[-1]) + 1)
    return [t.TextEdit(t.Range(t.Position(0, 0), end), new)]


Answer = Callable[[Any, Any], Any]
ANSWERS: tuple[tuple[str, Any, Answer], ...] = (
    (t.TEXT_DOCUMENT_HOVER, None, _hover),
    (t.TEXT_DOCUMENT_DEFINITION, None, _definition),
    (t.TEXT_DOCUMENT_REFERENCES, None, _references),
    (t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, None, _highlight),
    (
        t.TEXT_DOCUMENT_COMPLETION,
        t.CompletionOptions(trigger_characters=[".", "[", "("], resolve_provider=True),
        _completion,
    ),
    (t.COMPLETION_ITEM_RESOLVE, None, _resolve),
    (t.TEXT_DOCUMENT_PREPARE_RENAME, None, _prepare),
    (t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True), _rename),
    (
        t.TEXT_DOCUMENT_CODE_ACTION,
        t.CodeActionOptions([t.CodeActionKind.QuickFix, t.CodeActionKind.SourceFixAll]),
        _actions,
    ),
    (t.TEXT_DOCUMENT_FORMATTING, None, _formatted),
    (t.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, _symbols),
    (t.WORKSPACE_SYMBOL, None, _everywhere),
    (
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        t.SemanticTokensLegend(list(KINDS), list(_MODIFIERS)),
        _tokens,
    ),
)
