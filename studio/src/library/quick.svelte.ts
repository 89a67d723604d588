/** A match in one press: the game, with the seats of the last match. */

import { RefusedError } from "../lib/channel.svelte";
import { picked } from "../lib/picked.svelte";
import { beginMatch } from "../lib/begin.svelte";

class Quick {
  isBusy = $state(false);
  problem = $state("");

  /** Play rulesets that are joined by `+` with the options of the reader's game. */
  async play(game: string): Promise<void> {
    this.problem = "";
    this.isBusy = true;
    try {
      await beginMatch(game, undefined, { options: { ...picked.options } });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.problem = error.message;
    } finally {
      this.isBusy = false;
    }
  }
}

export const quick = new Quick();
