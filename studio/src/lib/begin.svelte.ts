// The way to a table: who sat there last, a new match, and what is seen until the board is there.

import { call, link, type Params } from "./channel.svelte";
import { go, href } from "./route.svelte";
import { watchSeats } from "./watched";
import { w } from "./words.svelte";

type Request = Params<"match.new">;
type Seat = Request["seats"][number];
/** a seat that is watched is played by a person at another screen */
export type SeatRow = Omit<Seat, "kind"> & { id: number; kind: Seat["kind"] | "watch" };

const wordOf = (bot: string): string => bot.replace(":", "_");

/** The bots that are offered, from the weakest on, with their names and what they do. */
export function botsInWords(): { id: string; label: string; does: string }[] {
  return (link.hello?.bots ?? []).map((id) => ({
    id,
    label: w(`play_bot_${wordOf(id)}`),
    does: w(`play_bot_is_${wordOf(id)}`),
  }));
}

/** Whether a table is being set up. */
export const setting = $state({ isUp: false });

/** Show how a table is set up, until its board is there or the answer is a refusal. */
export async function settingUp<T>(answer: Promise<T>): Promise<T> {
  setting.isUp = true;
  try {
    return await answer;
  } catch (error) {
    setting.isUp = false;
    throw error;
  }
}

const KEY = "tilewright.seats";

/** The seats of the last match; at first a person and a bot. */
export function lastSeats(): SeatRow[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (Array.isArray(found) && found.length > 1)
      return found.map((seat: SeatRow, id) => ({ ...seat, id }));
  } catch {
    // as on the first visit
  }
  return [
    { id: 0, kind: "person", name: "", bot: "greedy" },
    { id: 1, kind: "bot", name: "", bot: "greedy" },
  ];
}

/** Make a match and go to its table. Rejects with a RefusedError. */
export async function beginMatch(
  game: string,
  seats: readonly SeatRow[] = lastSeats(),
  more: Partial<Request> = {},
): Promise<void> {
  const asked = seats.map(({ kind, name, bot }) => ({
    kind: kind === "watch" ? ("person" as const) : kind,
    name: name?.trim() ?? "",
    ...(kind === "bot" ? { bot: bot ?? "greedy" } : {}),
  }));
  const state = await settingUp(call("match.new", { game, seats: asked, ...more }));
  const watched = state.players.filter((_, place) => seats[place]?.kind === "watch");
  watchSeats(
    state.match,
    watched.map((player) => player.seat),
  );
  go(href("play", [state.match]));
}

/** Remember who sits at the table. */
export function keepSeats(seats: readonly SeatRow[]): void {
  localStorage.setItem(KEY, JSON.stringify(seats));
}
