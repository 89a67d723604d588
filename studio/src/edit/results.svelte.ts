/**
 * What a house rule comes to: the comparison with what it stands on, its scenarios, its numbers.
 * While a text does not check, the last results stay, marked as old.
 */

import { call, RefusedError, type Result } from "../lib/channel.svelte";

export interface Shown {
  games: [string, string];
  answer: Result<"compare.answer">;
  at: Date;
}

export class Results {
  shown = $state.raw<Shown | null>(null);
  tests = $state.raw<Result<"test.run"> | null>(null);
  values = $state.raw<Result<"house.values">["values"]>([]);
  /** why what is shown is not the text as it is now */
  stale = $state("");
  isBusy = $state(false);
  private asked = 0;

  /** Look at a ruleset beside its base; an answer to an older text is dropped. */
  async look(ruleset: string, base: string): Promise<void> {
    const number = ++this.asked;
    if (this.shown && this.shown.games[1] !== ruleset) this.forget();
    this.isBusy = true;
    try {
      const values = call("house.values", { game: ruleset });
      if (base) {
        const games: [string, string] = [base, ruleset];
        const answer = await call("compare.answer", { games });
        if (number !== this.asked) return;
        this.shown = { games, answer, at: new Date() };
      }
      const found = await values;
      if (number !== this.asked) return;
      this.values = found.values.length > 0 ? found.values : this.values;
      this.stale = "";
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (number === this.asked) this.stale = error.message;
    } finally {
      if (number === this.asked) this.isBusy = false;
    }
  }

  /** Run the scenarios of a ruleset. */
  async test(ruleset: string): Promise<void> {
    try {
      this.tests = await call("test.run", { ruleset });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.tests = null;
    }
  }

  forget(): void {
    this.shown = null;
    this.tests = null;
    this.values = [];
    this.stale = "";
  }
}
