/**
 * The project's own language server, tunnelled through the channel of the page. One client for all
 * files; its diagnostics are kept by file, for the tree and for the editor.
 */

import { LSPClient, LSPPlugin, Workspace, type WorkspaceFile } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import { call, on, RefusedError } from "../lib/channel.svelte";
import { byFile, edited, type Range, type TextEdit, type WorkspaceEdit } from "./edits";
import { safeHtml } from "./safeHtml";

export interface Diagnostic {
  range: Range;
  severity: 1 | 2 | 3 | 4;
  message: string;
  code?: string | number;
}
export interface Action {
  title: string;
  isPreferred?: boolean;
  edit?: WorkspaceEdit;
}

/** What the server complains about, by the address of a file. */
export const complaints: { by: Record<string, Diagnostic[]> } = $state({ by: {} });

/** What the client needs of the page: to show another file, and to change one that is not open. */
export interface Desk {
  show(uri: string): Promise<EditorView | null>;
  change(uri: string, edits: TextEdit[]): Promise<void>;
}

class OpenFile implements WorkspaceFile {
  version = 0;
  constructor(
    readonly uri: string,
    readonly languageId: string,
    public doc: WorkspaceFile["doc"],
    readonly view: EditorView,
  ) {}
  getView(): EditorView {
    return this.view;
  }
}

class OpenFiles extends Workspace {
  override files: OpenFile[] = [];
  constructor(
    client: LSPClient,
    private readonly desk: Desk,
  ) {
    super(client);
  }
  override syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.uri !== file.uri || plugin.unsyncedChanges.empty) continue;
      const { unsyncedChanges: changes } = plugin;
      found.push({ file, prevDoc: file.doc, changes });
      file.doc = file.view.state.doc;
      file.version++;
      plugin.clear();
    }
    return found;
  }
  override openFile(uri: string, languageId: string, view: EditorView): void {
    const file = new OpenFile(uri, languageId, view.state.doc, view);
    this.files = [...this.files.filter((one) => one.uri !== uri), file];
    this.client.didOpen(file);
  }
  override closeFile(uri: string): void {
    this.files = this.files.filter((one) => one.uri !== uri);
    this.client.didClose(uri);
  }
  override displayFile(uri: string): Promise<EditorView | null> {
    return this.desk.show(uri);
  }
}

/** A client that is connected until `close`. */
export class LanguageServer {
  readonly client: LSPClient;
  private readonly stop: () => void;
  private handler: ((text: string) => void) | null = null;

  constructor(
    private readonly desk: Desk,
    root?: string,
  ) {
    this.client = new LSPClient({
      ...(root ? { rootUri: root } : {}),
      // a program that ends says so; the first question may wait for all rulesets to be read
      timeout: 120_000,
      sanitizeHTML: safeHtml,
      workspace: (client) => new OpenFiles(client, desk),
      notificationHandlers: {
        "textDocument/publishDiagnostics": (
          _,
          params: { uri: string; diagnostics: Diagnostic[] },
        ) => {
          complaints.by[params.uri] = params.diagnostics;
          return true;
        },
        "window/logMessage": () => true,
      },
    });
    this.stop = on("lsp", ({ message }) => this.handler?.(JSON.stringify(message)));
    this.client.connect({
      send: (text) => {
        call("lsp", { message: JSON.parse(text) as Record<string, unknown> }).catch(
          (error: unknown) => {
            if (!(error instanceof RefusedError)) throw error;
          },
        );
      },
      subscribe: (handler) => (this.handler = handler),
      unsubscribe: () => (this.handler = null),
    });
  }

  /** The quick fixes for a diagnostic. */
  async fixes(uri: string, diagnostic: Diagnostic): Promise<Action[]> {
    await this.client.initializing;
    const found = await this.client.request<unknown, Action[] | null>("textDocument/codeAction", {
      textDocument: { uri },
      range: $state.snapshot(diagnostic.range),
      context: { diagnostics: [$state.snapshot(diagnostic)], only: ["quickfix"] },
    });
    return found ?? [];
  }

  /** What stands at a place, as safe HTML; empty where there is nothing. */
  async hover(view: EditorView, pos: number): Promise<string> {
    const plugin = LSPPlugin.get(view);
    if (!plugin) return "";
    this.client.sync();
    const found = await this.client.request<
      unknown,
      { contents: { kind: "markdown"; value: string } } | null
    >("textDocument/hover", {
      textDocument: { uri: plugin.uri },
      position: plugin.toPosition(pos),
    });
    return found ? plugin.docToHTML(found.contents) : "";
  }

  /** Make the changes of an action, in open files and in others. */
  async apply(edit: WorkspaceEdit): Promise<void> {
    for (const [uri, edits] of byFile(edit)) {
      const view = this.client.workspace.getFile(uri)?.getView();
      if (view) {
        const text = view.state.doc.toString();
        const next = edited(text, edits);
        view.dispatch({ changes: difference(text, next), userEvent: "input.fix" });
      } else {
        await this.desk.change(uri, edits);
      }
    }
  }

  close(): void {
    this.stop();
    if (this.client.connected) this.client.disconnect();
  }
}

/** The one stretch in which two texts differ. */
export function difference(
  old: string,
  next: string,
): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < old.length && from < next.length && old[from] === next[from]) from++;
  let back = 0;
  while (
    back < old.length - from &&
    back < next.length - from &&
    old[old.length - 1 - back] === next[next.length - 1 - back]
  )
    back++;
  return { from, to: old.length - back, insert: next.slice(from, next.length - back) };
}
