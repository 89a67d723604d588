// A new match: who sat at the table last, and the way to the table.

import { call, type Params } from "./channel.svelte";
import { go, href } from "./route.svelte";
import { watchSeats } from "./watched";

type Request = Params<"match.new">;
type Seat = Request["seats"][number];
/** a seat that is watched is played by a person at another screen */
export type SeatRow = Omit<Seat, "kind"> & { id: number; kind: Seat["kind"] | "watch" };

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
  const state = await call("match.new", { game, seats: asked, ...more });
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
