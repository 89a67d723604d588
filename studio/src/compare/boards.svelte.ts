// The boards of a comparison: found by a job of the program, asked for once for each pair of games.

import { call, on, RefusedError, type Result } from "../lib/channel.svelte";

export type BoardList = NonNullable<Result<"witness.start">["boards"]>;

interface Search {
  state: "waiting" | "running" | "done" | "stopped" | "failed";
  done: number;
  total: number;
  found: BoardList | null;
  problem: string;
}

/** Look for the boards of two games while the calling component is mounted. */
export class BoardSearch {
  now = $state<Search | null>(null);
  private job = "";
  private key = "";

  constructor() {
    $effect(() => {
      const stop = on("job", (found) => {
        if (found.job === this.job) this.take(found);
      });
      return () => {
        stop();
        this.cancel();
      };
    });
  }

  /** Whether only scenarios have been tried, and games could be played too. */
  canLookLonger = $state(false);

  /**
   * Begin, unless these games are being looked at already, or must be looked at `again`. At first
   * only scenarios are tried, which takes a second or two; with `longer` games are played too. What
   * was found before is shown until there is news.
   */
  async start(games: string[], { longer = false, again = false } = {}): Promise<void> {
    const key = games.join(" ");
    const isKnown = this.key === key && this.now !== null && this.now.state !== "failed";
    if (isKnown && !longer && !again) return;
    const found = this.key === key ? (this.now?.found ?? null) : null;
    this.cancel();
    this.key = key;
    this.canLookLonger = !longer;
    this.now = { state: "waiting", done: 0, total: 0, found, problem: "" };
    try {
      const started = await call("witness.start", { games, ...(longer ? {} : { decisions: 1 }) });
      this.job = started.job;
      this.take(started);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.now = { state: "failed", done: 0, total: 0, found: null, problem: error.message };
    }
  }

  /** Forget the boards: the games have changed. */
  clear(): void {
    this.cancel();
    this.key = "";
    this.now = null;
  }

  private take(found: Result<"witness.start">): void {
    this.now = {
      state: found.status,
      done: found.done,
      total: found.total,
      found: found.status === "failed" ? null : (found.boards ?? this.now?.found ?? null),
      problem: found.problem ?? "",
    };
    if (found.status !== "running" && found.status !== "waiting") this.job = "";
  }

  private cancel(): void {
    if (this.job) void call("job.cancel", { job: this.job }).catch(() => undefined);
    this.job = "";
  }
}
