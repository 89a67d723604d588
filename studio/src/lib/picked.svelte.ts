/** The game that is being put together: what every place of the page means by "your game". */

interface Picked {
  /** ids of rulesets, with parts and options as on the command line */
  picks: string[];
  options: Record<string, string>;
}

const KEY = "tilewright.game";

export const picked: Picked = $state(read());

function read(): Picked {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (found && typeof found === "object" && "picks" in found) return found as Picked;
  } catch {
    // as on the first visit
  }
  return { picks: [], options: {} };
}

/** Keep the game for the next visit; call once, inside a component. */
export function keepPicked(): void {
  $effect(() => {
    const text = JSON.stringify(picked);
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // a browser without a store forgets it
    }
  });
}
