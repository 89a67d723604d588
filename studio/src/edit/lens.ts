// A diagnostic told under its line: the sentence, the buttons of its fixes, its code at the end. The
// line that is being written has none: it is told when the cursor leaves the line or the text.

import {
  Facet,
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Range,
} from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";

export interface Told {
  from: number;
  to: number;
  severity: "error" | "warning" | "info";
  message: string;
  help: string;
  code: string;
  fixes: { title: string; act: () => void }[];
}

class Lens extends WidgetType {
  constructor(
    private readonly told: Told,
    private readonly hide: string,
  ) {
    super();
  }
  override eq(other: Lens): boolean {
    const [a, b] = [this.told, other.told];
    return (
      a.message === b.message &&
      a.code === b.code &&
      a.fixes.map((fix) => fix.title).join() === b.fixes.map((fix) => fix.title).join()
    );
  }
  override toDOM(view: EditorView): HTMLElement {
    const { severity, message, help, code, fixes } = this.told;
    const frame = element("div", "tw-frame");
    const box = frame.appendChild(element("div", `tw-lens tw-${severity}`));
    // a press does not leave the text, which could open another box and move this one
    box.addEventListener("mousedown", (event) => event.preventDefault());
    box.append(quoted("p", "", message));
    if (help) box.append(quoted("p", "tw-help", help));
    const row = box.appendChild(element("div", "tw-row"));
    for (const fix of fixes.slice(0, 3)) {
      const button = row.appendChild(element("button", "tw-fix", fix.title));
      button.setAttribute("type", "button");
      button.addEventListener("click", () => {
        fix.act();
        view.focus();
      });
    }
    const leave = row.appendChild(element("button", "tw-hide", this.hide));
    leave.setAttribute("type", "button");
    leave.addEventListener("click", () => {
      view.dispatch({ effects: hideLens.of(this.told.message) });
      view.focus();
    });
    row.append(element("span", "tw-code", code));
    return frame;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

function element(name: string, style: string, text = ""): HTMLElement {
  const found = document.createElement(name);
  if (style) found.className = style;
  if (text) found.textContent = text;
  return found;
}

/** A sentence; what stands between backticks is code. */
function quoted(name: string, style: string, text: string): HTMLElement {
  const found = element(name, style);
  text.split("`").forEach((part, n) => found.append(n % 2 ? element("code", "", part) : part));
  return found;
}

const hideLens = StateEffect.define<string>();
/** Replace all that is told. */
export const tell = StateEffect.define<Told[]>();
/** The reader has left the text. */
const leave = StateEffect.define();

interface Kept {
  told: Told[];
  hidden: ReadonlySet<string>;
  shown: DecorationSet;
  /** a place in the line that is being written */
  writing: number | null;
  /** counts how often boxes were opened or closed without a change of the text */
  drawn: number;
}

/** The word of the button that hides a box. */
const hideWord = Facet.define<string, string>({ combine: (given) => given[0] ?? "" });

const lineOf = (state: EditorState, place: number): number =>
  state.doc.lineAt(Math.min(place, state.doc.length)).number;

function draw(state: EditorState, { told, hidden, writing }: Kept): DecorationSet {
  const found: Range<Decoration>[] = [];
  const line = writing === null ? 0 : lineOf(state, writing);
  for (const one of told) {
    // hints are underlined only: they must not push the text about
    if (one.severity === "info" || hidden.has(one.message)) continue;
    const [first, last] = [lineOf(state, one.from), lineOf(state, one.to)];
    if (first <= line && line <= last) continue;
    const widget = new Lens(one, state.facet(hideWord));
    found.push(Decoration.widget({ widget, block: true, side: 1 }).range(state.doc.line(last).to));
  }
  return Decoration.set(found, true);
}

const drawnLenses = StateField.define<Kept>({
  create: () => ({
    told: [],
    hidden: new Set<string>(),
    shown: Decoration.none,
    writing: null,
    drawn: 0,
  }),
  update(kept, transaction) {
    const { changes, state, startState } = transaction;
    const next = { ...kept };
    const head = state.selection.main.head;
    if (transaction.docChanged) {
      next.told = kept.told.map((one) => ({
        ...one,
        from: changes.mapPos(one.from),
        to: changes.mapPos(one.to),
      }));
      next.shown = kept.shown.map(changes);
      if (kept.writing !== null) next.writing = changes.mapPos(kept.writing);
      const isTyped = transaction.isUserEvent("input") || transaction.isUserEvent("delete");
      if (isTyped) next.writing = transaction.isUserEvent("input.fix") ? null : head;
    }
    if (next.writing !== null && lineOf(state, next.writing) !== lineOf(state, head))
      next.writing = null;
    const [before, after] = [kept.writing, next.writing];
    let isNew =
      before === null || after === null
        ? before !== after
        : lineOf(startState, before) !== lineOf(state, after);
    for (const effect of transaction.effects) {
      if (effect.is(tell)) next.told = effect.value;
      else if (effect.is(hideLens)) next.hidden = new Set([...next.hidden, effect.value]);
      else if (effect.is(leave)) next.writing = null;
      else continue;
      isNew = true;
    }
    return isNew ? { ...next, shown: draw(state, next), drawn: next.drawn + 1 } : next;
  },
  provide: (found) => EditorView.decorations.from(found, (kept) => kept.shown),
});

/** The part of a state that keeps what is told; `hide` is the word of the button that hides one. */
export function lenses(hide: string): Extension {
  const left = EditorView.focusChangeEffect.of((_, isIn) => (isIn ? null : leave.of(null)));
  return [hideWord.of(hide), drawnLenses, left];
}

/** Another number for each time that boxes were drawn again. */
export function boxes(state: EditorState): number {
  return state.field(drawnLenses, false)?.drawn ?? 0;
}
