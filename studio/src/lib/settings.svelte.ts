/**
 * What a reader has chosen for this browser: light or dark, contrast, language, keys, help.
 * Kept in the browser's own store; the program never sees it.
 */

import { flushSync } from "svelte";

export type Mode = "light" | "dark";

interface Kept {
  mode: Mode | "system";
  contrast: "normal" | "high" | "system";
  language: string;
  /** single letters as keys */
  letters: boolean;
  /** legal cells, worth and hints are hidden */
  purist: boolean;
  /** the columns beside the board of a match are folded */
  folded: { turn: boolean; side: boolean };
  /** milliseconds between the choices of bots */
  pace: number;
  /** the address of a page that others can open, for links; empty for that of the program */
  page: string;
}

const KEY = "tilewright.settings";
const DEFAULTS: Kept = {
  mode: "system",
  contrast: "system",
  language: "",
  letters: true,
  purist: false,
  folded: { turn: false, side: false },
  pace: 500,
  page: "",
};

function read(): Kept {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...(typeof found === "object" ? found : {}) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings: Kept = $state(read());

const dark = matchMedia("(prefers-color-scheme: dark)");
const more = matchMedia("(prefers-contrast: more)");
const system = $state({ dark: dark.matches, more: more.matches, prints: false });
dark.addEventListener("change", () => (system.dark = dark.matches));
more.addEventListener("change", () => (system.more = more.matches));

// at once: the page is laid out for the paper as soon as all have heard of it
addEventListener("beforeprint", () => flushSync(() => (system.prints = true)));
addEventListener("afterprint", () => (system.prints = false));

/** The mode that is shown now. */
export function mode(): Mode {
  if (settings.mode !== "system") return settings.mode;
  return system.dark ? "dark" : "light";
}

/** Whether high contrast is shown now. */
export function isHighContrast(): boolean {
  return settings.contrast === "system" ? system.more : settings.contrast === "high";
}

/** Whether the page is on its way to paper. */
export function isPrinting(): boolean {
  return system.prints;
}

/** Which of the colours of a drawing is shown now: light, dark, on paper or under high contrast. */
export function shade(): 0 | 1 | 2 {
  return isPrinting() || isHighContrast() ? 2 : mode() === "dark" ? 1 : 0;
}

/** Keep the settings and put mode and contrast on the document; call once, inside a component. */
export function applySettings(): void {
  $effect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // a browser without a store forgets them
    }
  });
  $effect(() => {
    const root = document.documentElement;
    root.dataset.mode = isPrinting() ? "light" : mode();
    root.dataset.contrast = isHighContrast() ? "high" : "normal";
    root.dataset.pace = settings.pace === 0 ? "none" : "some";
  });
}
