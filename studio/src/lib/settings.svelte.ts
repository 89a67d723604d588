/**
 * What a reader has chosen for this browser: light or dark, contrast, language, keys, help.
 * Kept in the browser's own store; the program never sees it.
 */

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
const system = $state({ dark: dark.matches, more: more.matches });
dark.addEventListener("change", () => (system.dark = dark.matches));
more.addEventListener("change", () => (system.more = more.matches));

/** The mode that is shown now. */
export function mode(): Mode {
  if (settings.mode !== "system") return settings.mode;
  return system.dark ? "dark" : "light";
}

/** Whether high contrast is shown now. */
export function isHighContrast(): boolean {
  return settings.contrast === "system" ? system.more : settings.contrast === "high";
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
    root.dataset.mode = mode();
    root.dataset.contrast = isHighContrast() ? "high" : "normal";
    root.dataset.pace = settings.pace === 0 ? "none" : "some";
  });
}
