/** A simulation as a job of the program: its progress, and what the games so far say. */

import { call, on, RefusedError, type Result } from "../lib/channel.svelte";

type Started = Result<"simulate.start">;
export type Measured = NonNullable<Started["simulation"]>;

interface Wishes {
  bots?: string[];
  players?: number;
  count?: number;
  seed?: string;
}

/** Games of the first run in the editor, and the most that one job plays. */
const FIRST = 200;
export const MOST = 2000;

export class Simulation {
  state = $state<Started["status"] | "none">("none");
  done = $state(0);
  total = $state(0);
  found = $state.raw<Measured | null>(null);
  problem = $state("");
  job = $state("");
  /** there is a page of it, which a job that was ended from outside does not have */
  hasReport = $state(false);

  constructor() {
    $effect(() => {
      const stop = on("job", (now) => {
        if (now.job === this.job) this.take(now);
      });
      return () => {
        stop();
        this.stop();
      };
    });
  }

  get isRunning(): boolean {
    return this.state === "waiting" || this.state === "running";
  }
  /** Games of each side that the figures are from. */
  get games(): number {
    return this.found?.games ?? 0;
  }
  /** How many differences are sure; null before there is any figure. */
  get sure(): number | null {
    if (!this.found) return null;
    return this.found.rows.filter((row) => row.differences.some((one) => one?.sure)).length;
  }
  /** So many games are played next: a number that at least doubles what is known. */
  get next(): number {
    return this.games === 0 ? FIRST : Math.min(MOST, this.games * 3);
  }

  async start(games: string[], wishes: Wishes = {}): Promise<void> {
    this.stop();
    this.problem = "";
    this.state = "waiting";
    this.done = 0;
    this.total = 0;
    try {
      const started = await call("simulate.start", {
        games,
        bots: wishes.bots ?? ["random"],
        players: wishes.players ?? 2,
        count: wishes.count ?? FIRST,
        ...(wishes.seed ? { seed: wishes.seed } : {}),
      });
      this.job = started.job;
      this.take(started);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.state = "failed";
      this.problem = error.message;
    }
  }

  stop(): void {
    if (this.job && this.isRunning)
      void call("job.cancel", { job: this.job }).catch(() => undefined);
  }

  /** The games have changed: what was found is about others. */
  forget(): void {
    this.stop();
    this.job = "";
    this.state = "none";
    this.found = null;
    this.problem = "";
  }

  private take(now: Started): void {
    this.state = now.status;
    this.done = now.done;
    this.total = now.total;
    if (now.simulation && now.simulation.games > 0) this.found = now.simulation;
    this.problem = now.problem ?? "";
    this.hasReport = now.report;
  }
}
