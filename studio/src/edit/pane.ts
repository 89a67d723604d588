// The text editor: one view in a shadow root (its styles are adopted sheets, as the page's policy
// wants), a state for each open file, so that every file keeps its own history.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import {
  findReferencesKeymap,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  renameKeymap,
  serverCompletion,
} from "@codemirror/lsp-client";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  scrollPastEnd,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { rulesetLanguage } from "./effects";
import { boxes, lenses, tell, type Told } from "./lens";
import { difference, type LanguageServer } from "./server.svelte";

export interface Words {
  label: string;
  hide: string;
  phrases: Record<string, string>;
}
export interface PaneEvents {
  /** the text was changed by its reader */
  changed(uri: string, text: string): void;
  /** the cursor rests at another place */
  moved(view: EditorView, pos: number): void;
  /** Ctrl Enter, Ctrl Shift P */
  run(): void;
  play(): void;
  /** Ctrl S */
  save(): void;
  /** the next diagnostic's first fix */
  fix(): void;
}

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.keyword, tags.operator, tags.atom], color: "var(--code-operator)" },
  { tag: tags.function(tags.variableName), color: "var(--code-key)" },
  { tag: tags.standard(tags.variableName), color: "var(--code-operator)" },
  { tag: tags.comment, color: "var(--code-comment)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "24px" },
  ".cm-content": { padding: "16px 0 48px", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-line": { padding: "0 16px 0 10px" },
  ".cm-gutters": {
    backgroundColor: "var(--card)",
    color: "var(--soft)",
    border: "none",
    fontSize: "12px",
  },
  ".cm-gutterElement": { lineHeight: "24px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 6px 0 10px" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--sunk) 70%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    {
      backgroundColor: "color-mix(in srgb, var(--focus) 24%, transparent)",
    },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "10px",
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    fontFamily: "var(--sans)",
    boxShadow: "var(--shadow-card)",
    maxWidth: "480px",
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "4px 8px", fontFamily: "var(--mono)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--sunk)",
    color: "var(--ink)",
  },
  ".cm-lsp-documentation": { padding: "8px 12px", fontSize: "14px" },
  ".cm-lsp-documentation code": { fontFamily: "var(--mono)", fontSize: "12.5px" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)", fontFamily: "var(--sans)" },
  ".cm-textfield": {
    border: "1px solid var(--edge)",
    backgroundColor: "var(--card)",
    color: "var(--ink)",
  },
  ".cm-button": {
    border: "1px solid var(--edge)",
    backgroundImage: "none",
    backgroundColor: "var(--card)",
    color: "var(--ink)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.5px",
    textUnderlineOffset: "4px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.5px",
    textUnderlineOffset: "4px",
  },
  ".cm-lintRange-info": {
    backgroundImage: "none",
    textDecoration: "underline dotted var(--soft) 1.5px",
    textUnderlineOffset: "4px",
  },
  // a margin of a block would not be measured: its frame has padding instead
  ".tw-frame": { padding: "4px 16px 8px 10px" },
  ".tw-lens": {
    padding: "8px 12px",
    borderRadius: "10px",
    font: "400 14px/1.45 var(--sans)",
    whiteSpace: "normal",
  },
  ".tw-lens p": { margin: "0" },
  ".tw-error": { backgroundColor: "var(--bad-wash)" },
  ".tw-warning": { backgroundColor: "var(--warn-wash)" },
  ".tw-info": { backgroundColor: "var(--sunk)" },
  ".tw-help": { color: "var(--soft)", fontSize: "13px" },
  ".tw-row": {
    display: "flex",
    flexWrap: "wrap",
    gap: "8px",
    alignItems: "center",
    marginTop: "6px",
  },
  ".tw-lens button": {
    minHeight: "30px",
    padding: "0 10px",
    border: "1px solid transparent",
    borderRadius: "6px",
    background: "none",
    color: "var(--ink)",
    font: "550 13.5px var(--sans)",
    cursor: "pointer",
  },
  ".tw-lens button:focus-visible": { outline: "3px solid var(--focus)", outlineOffset: "2px" },
  ".tw-lens .tw-fix": { borderColor: "var(--edge)", backgroundColor: "var(--card)" },
  ".tw-lens code": { font: "400 13px var(--mono)" },
  ".tw-code": { marginLeft: "auto", color: "var(--soft)", font: "400 12.5px var(--mono)" },
});

/** Where the line of the cursor is in the window, if its reader is in the text. */
function placeOf(view: EditorView): number | undefined {
  return view.hasFocus ? view.coordsAtPos(view.state.selection.main.head)?.top : undefined;
}

/** The editor in an element of the page. */
export class Pane {
  readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  private uri = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    host: HTMLElement,
    private readonly server: LanguageServer | null,
    private readonly words: Words,
    private readonly events: PaneEvents,
  ) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.replaceChildren(parent);
    this.view = new EditorView({
      parent,
      root,
      state: EditorState.create(),
      // boxes that open or close above the cursor scroll the text: the cursor's line stays put
      dispatchTransactions: (transactions, view) => {
        const after = transactions.at(-1)?.state;
        const isMoved = after && boxes(after) !== boxes(view.state);
        const before = isMoved ? placeOf(view) : undefined;
        view.update(transactions);
        const now = before === undefined ? undefined : placeOf(view);
        if (before !== undefined && now !== undefined) view.scrollDOM.scrollTop += now - before;
      },
    });
  }

  /** Show a file; its history goes on where it was left. */
  open(uri: string, text: string): void {
    if (this.uri === uri) return;
    if (this.uri) this.states.set(this.uri, this.view.state);
    this.uri = uri;
    const kept = this.states.get(uri);
    this.view.setState(
      kept && kept.doc.toString() === text
        ? kept
        : EditorState.create({ doc: text, extensions: this.extensions(uri) }),
    );
  }

  /**
   * Replace the text of the open file, as one change of its history. With a selection its reader
   * goes on there; without one the text has come from outside, and the cursor stays where it is.
   */
  replace(text: string, select?: { from: number; to: number }): void {
    const changes = difference(this.view.state.doc.toString(), text);
    if (!select) {
      this.view.dispatch({ changes, userEvent: "replace" });
      return;
    }
    const selection = { anchor: select.from, head: select.to };
    this.view.dispatch({ changes, selection, scrollIntoView: true, userEvent: "input" });
    this.view.focus();
  }

  /** Forget a file that was closed, removed or changed outside. */
  forget(uri: string): void {
    this.states.delete(uri);
    if (this.uri === uri) this.uri = "";
  }

  /** Underline and tell what is wrong in the open file. */
  tell(told: Told[]): void {
    const length = this.view.state.doc.length;
    const marks = told.map((one) => ({
      from: Math.min(one.from, length),
      to: Math.min(Math.max(one.to, one.from), length),
      severity: one.severity,
      message: one.message,
      actions: one.fixes.map((fix) => ({ name: fix.title, apply: fix.act })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    this.view.dispatch({ effects: tell.of(told) });
  }

  close(): void {
    clearTimeout(this.timer);
    this.view.destroy();
  }

  private extensions(uri: string): Extension[] {
    const server = this.server;
    return [
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      search({ top: true }),
      autocompletion(),
      lenses(this.words.hide),
      rulesetLanguage,
      syntaxHighlighting(colours),
      theme,
      EditorView.lineWrapping,
      scrollPastEnd(),
      EditorState.tabSize.of(2),
      EditorState.phrases.of(this.words.phrases),
      EditorView.contentAttributes.of({ "aria-label": this.words.label, tabindex: "0" }),
      keymap.of([
        { key: "Mod-Enter", run: () => (this.events.run(), true) },
        { key: "Mod-s", preventDefault: true, run: () => (this.events.save(), true) },
        { key: "Mod-Shift-p", run: () => (this.events.play(), true) },
        { key: "Mod-.", run: () => (this.events.fix(), true) },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...(server
          ? [...renameKeymap, ...formatKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]
          : []),
        ...defaultKeymap,
        indentWithTab,
      ]),
      server ? [server.client.plugin(uri, "yaml"), serverCompletion(), hoverTooltips()] : [],
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          // the server hears of a change at once: its own pause is the only one
          server?.client.sync();
          this.events.changed(uri, update.state.doc.toString());
        }
        if (update.docChanged || update.selectionSet) this.rest();
      }),
    ];
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.events.moved(this.view, this.view.state.selection.main.head),
      350,
    );
  }
}
