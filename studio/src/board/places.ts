/** The place of a cell in words: steps from the first tile of the board. */

import { w } from "../lib/words.svelte";

export function placeText(cell: readonly number[], first: readonly number[] = [0, 0]): string {
  const east = (cell[0] ?? 0) - (first[0] ?? 0);
  const north = (cell[1] ?? 0) - (first[1] ?? 0);
  const steps = [
    north !== 0 ? w(`play_steps_${north > 0 ? "n" : "s"}`, { n: Math.abs(north) }) : "",
    east !== 0 ? w(`play_steps_${east > 0 ? "e" : "w"}`, { n: Math.abs(east) }) : "",
  ].filter(Boolean);
  if (steps.length === 0) return w("play_first_tile");
  return w("play_from_first", { steps: steps.join(", ") });
}
