/**
 * What a house rule comes to: its diagnostics and scenarios, the comparison with what it stands on,
 * its numbers. Each belongs to one version of the texts. While a later one is looked at, or has
 * errors, the last results stay, and their version is named.
 */

import { call, RefusedError, type Result } from "../lib/channel.svelte";

export interface Shown {
  games: [string, string];
  answer: Result<"compare.answer">;
  at: Date;
  version: number;
}

export type Found = Result<"check.run">["diagnostics"][number];
/** What was found wrong in one version of a ruleset, and how its scenarios ended. */
export interface Checked {
  version: number;
  all: Found[];
  errors: Found[];
  warnings: Found[];
  tests: Result<"test.run"> | null;
}

export class Results {
  checked = $state.raw<Checked | null>(null);
  shown = $state.raw<Shown | null>(null);
  values = $state.raw<Result<"house.values">["values"]>([]);
  /** why what is shown is not the text as it is now */
  stale = $state("");
  isBusy = $state(false);
  /** the text as it is now was looked at to the end */
  isDone = $derived(this.checked !== null && !this.isBusy);
  private asked = 0;

  /**
   * Look at a version of a ruleset, and at it beside its base. True for one without errors, null
   * where a later one was asked for meanwhile.
   */
  async check(version: number, ruleset: string): Promise<boolean | null> {
    const number = ++this.asked;
    if (this.shown && this.shown.games[1] !== ruleset) this.forget();
    this.isBusy = true;
    const [check, tests] = await Promise.all([
      settled(call("check.run", { rulesets: [ruleset] })),
      settled(call("test.run", { ruleset })),
    ]);
    if (number !== this.asked) return null;
    const found = check.value?.diagnostics ?? [];
    this.checked = {
      version,
      all: found,
      errors: found.filter((one) => one.severity === "error"),
      warnings: found.filter((one) => one.severity === "warning"),
      tests: tests.value,
    };
    this.stale = check.refusal || (this.checked.errors[0]?.message ?? "");
    this.isBusy = false;
    return !this.stale;
  }

  /** Hold the version that was checked last against its base; an answer to an older one is dropped. */
  async compare(ruleset: string, base: string): Promise<void> {
    const [number, version] = [this.asked, this.checked?.version ?? 0];
    this.isBusy = true;
    const games: [string, string] = [base, ruleset];
    const [answer, values] = await Promise.all([
      base ? settled(call("compare.answer", { games })) : null,
      settled(call("house.values", { game: ruleset })),
    ]);
    if (number !== this.asked) return;
    this.isBusy = false;
    this.stale = answer?.refusal || values.refusal;
    if (this.stale) return;
    if (answer?.value) this.shown = { games, answer: answer.value, at: new Date(), version };
    if (values.value?.values.length) this.values = values.value.values;
  }

  forget(): void {
    this.checked = null;
    this.shown = null;
    this.values = [];
    this.stale = "";
  }
}

/** The value of a call, or the sentence of its refusal. */
async function settled<T>(asked: Promise<T>): Promise<{ value: T | null; refusal: string }> {
  try {
    return { value: await asked, refusal: "" };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { value: null, refusal: error.message };
  }
}
