// A diagnostic told under its line: the sentence, the buttons of its fixes, its code at the end.

import { StateEffect, StateField, type EditorState, type Range } from "@codemirror/state";
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

interface Kept {
  told: Told[];
  hidden: ReadonlySet<string>;
  shown: DecorationSet;
}

/** The part of a state that keeps what is told; `hide` is the word of the button that hides one. */
export function lenses(hide: string): StateField<Kept> {
  const draw = (state: EditorState, told: Told[], hidden: ReadonlySet<string>): DecorationSet => {
    const found: Range<Decoration>[] = [];
    for (const one of told) {
      // hints are underlined only: they must not push the text about
      if (one.severity === "info" || hidden.has(one.message)) continue;
      const line = state.doc.lineAt(Math.min(one.to, state.doc.length));
      const widget = new Lens(one, hide);
      found.push(Decoration.widget({ widget, block: true, side: 1 }).range(line.to));
    }
    return Decoration.set(found, true);
  };
  return StateField.define<Kept>({
    create: () => ({ told: [], hidden: new Set(), shown: Decoration.none }),
    update(kept, transaction) {
      let { told, hidden, shown } = kept;
      if (transaction.docChanged) {
        told = told.map((one) => ({
          ...one,
          from: transaction.changes.mapPos(one.from),
          to: transaction.changes.mapPos(one.to),
        }));
        shown = shown.map(transaction.changes);
      }
      for (const effect of transaction.effects) {
        if (effect.is(tell)) told = effect.value;
        else if (effect.is(hideLens)) hidden = new Set([...hidden, effect.value]);
        else continue;
        shown = draw(transaction.state, told, hidden);
      }
      return { told, hidden, shown };
    },
    provide: (found) => EditorView.decorations.from(found, (kept) => kept.shown),
  });
}
