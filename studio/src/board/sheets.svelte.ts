/**
 * The drawings of games. A sheet is asked for once; its symbols come into the page, and its colours
 * become custom properties that follow light and dark.
 */

import { call, type Result } from "../lib/channel.svelte";
import { mode } from "../lib/settings.svelte";
import { readSvg } from "../lib/svg";

export type Sheet = Result<"sheet.get">;

const asked = new Map<string, Promise<Sheet>>();
const colours: Record<string, string[]> = $state({});

/** The drawings of a game with its options; those of a match may be of rules that are in no folder. */
export function sheetOf(
  game: string,
  options: Record<string, string> = {},
  match = "",
): Promise<Sheet> {
  const key = JSON.stringify([game, options, match]);
  const found = asked.get(key);
  if (found) return found;
  const sheet = call("sheet.get", { game, options, ...(match ? { match } : {}) }).then(take);
  asked.set(key, sheet);
  sheet.catch(() => asked.delete(key));
  return sheet;
}

/** Keep the colours of all sheets right; call once, inside a component of the page. */
export function followColours(): void {
  $effect(() => {
    const place = mode() === "dark" ? 1 : 0;
    for (const [name, values] of Object.entries(colours))
      document.documentElement.style.setProperty(name, values[place] ?? values[0] ?? "");
  });
}

const taken = new Set<string>();

function take(sheet: Sheet): Sheet {
  if (!taken.has(sheet.hash)) {
    taken.add(sheet.hash);
    const drawing = readSvg(sheet.svg);
    if (drawing) {
      drawing.classList.add("sheet");
      document.body.append(drawing);
    }
  }
  for (const [name, values] of Object.entries(sheet.colours))
    if (name.startsWith("--tw-")) colours[name] = values;
  return sheet;
}
