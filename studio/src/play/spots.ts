/** Options on the board: those that point to one place share a spot. */

import { cellKey, type Cell } from "../board/geometry";
import type { MatchState, Offer, Spot } from "../board/types";

/** The options that stand in the list, with the numbers by which they are chosen. */
export function listed(offers: readonly Offer[]): { offer: Offer; number: number }[] {
  return offers
    .filter((offer) => offer.kind !== "lay" && offer.kind !== "pass")
    .map((offer, place) => ({ offer, number: place + 1 }));
}

/** More numbers than this are typed or stepped instead of listed. */
const MANY = 12;

/** The offers by their numbers, in ascending order, if there are only numbers and many of them. */
export function numbersOf(offers: readonly Offer[]): ReadonlyMap<number, Offer> | null {
  const rows = listed(offers);
  const numbers = rows.flatMap(({ offer }) =>
    offer.kind === "number" && offer.number !== undefined ? [[offer.number, offer] as const] : [],
  );
  const found = new Map(numbers.toSorted(([one], [other]) => one - other));
  return rows.length > MANY && found.size === rows.length ? found : null;
}

/** The places that options point to. */
export function spotsOf(
  offers: readonly Offer[],
  chosen: number | null,
  seats: Readonly<Record<string, string>>,
): Spot[] {
  const found = new Map<string, { spot: Spot; numbers: number[]; n: number[] }>();
  for (const { offer, number } of listed(offers)) {
    if (!offer.cell) continue;
    const at = offer.at ?? null;
    const key = `${cellKey(offer.cell)} ${at?.join() ?? ""}`;
    const isChosen = offer.n === chosen;
    const known = found.get(key) ?? {
      spot: {
        cell: [offer.cell[0] ?? 0, offer.cell[1] ?? 0] as Cell,
        at,
        caption: "",
        offers: [],
        isChosen: false,
        shows: null,
      },
      numbers: [],
      n: [],
    };
    known.numbers.push(number);
    known.n.push(offer.n);
    known.spot.isChosen ||= isChosen;
    if (offer.shows && (isChosen || !known.spot.shows)) known.spot.shows = shown(offer, seats);
    found.set(key, known);
  }
  return [...found.values()].map(({ spot, numbers, n }) => ({
    ...spot,
    caption: caption(numbers),
    offers: n,
  }));
}

/** A few numbers in little room: `3`, `3–6`, `3,9`, `3…`. */
export function caption(numbers: readonly number[]): string {
  const [first = 0] = numbers;
  const last = numbers.at(-1) ?? first;
  if (numbers.length === 1) return String(first);
  if (last - first === numbers.length - 1) return `${first}–${last}`;
  return numbers.length === 2 ? `${first},${last}` : `${first}…`;
}

function shown(offer: Offer, seats: Readonly<Record<string, string>>): Spot["shows"] {
  if (!offer.shows) return null;
  const { kind, owner, lying } = offer.shows;
  return { kind, lying, colour: owner === null ? "" : (seats[owner] ?? "") };
}

/** The cell that was laid last, if all options that point to a place point into its tile. */
export function newTile(state: MatchState): Cell | null {
  const cells = state.offers.filter((offer) => offer.at && offer.cell);
  const last = state.board.tiles.findLast((tile) => tile.laid !== undefined);
  if (!last || cells.length === 0) return null;
  const key = cellKey(last.cell);
  const inside = cells.filter((offer) => offer.cell && cellKey(offer.cell) === key);
  return inside.length > 0 ? [last.cell[0] ?? 0, last.cell[1] ?? 0] : null;
}
