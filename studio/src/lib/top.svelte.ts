/** What the top bar shows besides the five places: set by the place that is open. */

import type { Snippet } from "svelte";

interface Top {
  /** the heading on small screens, and the title of the window */
  title: string;
  /** what is open, such as the name of a game */
  what: string;
  /** the one action of the page */
  action: Snippet | null;
  /** buttons on small screens, at most two */
  tools: Snippet | null;
  /** the tab bar of small screens is left out */
  isWhole: boolean;
}

export const top: Top = $state({ title: "", what: "", action: null, tools: null, isWhole: false });

/** Put something into the top bar while the calling component is mounted. */
export function useTop(make: () => Partial<Top>): void {
  $effect(() => {
    Object.assign(top, { title: "", what: "", action: null, tools: null, isWhole: false }, make());
    return () =>
      Object.assign(top, { title: "", what: "", action: null, tools: null, isWhole: false });
  });
}
