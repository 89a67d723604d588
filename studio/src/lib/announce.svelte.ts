/** What a screen reader is told: at most one polite message a second, joined if there are more. */

import { untrack } from "svelte";

export const spoken = $state({ polite: "", urgent: "" });

const PAUSE = 1000;
let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Say a sentence when the reader is free. */
export function say(text: string): void {
  if (!text) return;
  waiting.push(text);
  if (timer !== undefined) return;
  flush();
}

/** Say a sentence at once: a lost connection or a refused choice. */
export function warn(text: string): void {
  // equal texts are heard again only if they differ
  spoken.urgent = untrack(() => spoken.urgent) === text ? `${text}\u200b` : text;
}

function flush(): void {
  if (waiting.length === 0) {
    timer = undefined;
    return;
  }
  spoken.polite = waiting.join(" ");
  waiting = [];
  timer = setTimeout(flush, PAUSE);
}
