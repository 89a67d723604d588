/**
 * The piece in hand: where it fits and how it turns. All from the offers of the program; nothing
 * here knows a rule.
 */

import { cellKey, type Cell } from "../board/geometry";
import type { Legal, Offer } from "../board/types";

export interface Hand {
  piece: string;
  face: number;
  turn: number;
}

export interface Turned {
  face: number;
  turn: number;
}

/** The offers that lay a piece. */
export function placements(offers: readonly Offer[]): Offer[] {
  return offers.filter((offer) => offer.kind === "lay" && offer.cell);
}

/** The offer that lays the piece in hand on a cell as it is held. */
export function offerAt(offers: readonly Offer[], hand: Hand, cell: Cell): Offer | undefined {
  const key = cellKey(cell);
  return offers.find(
    (offer) =>
      offer.piece === hand.piece &&
      offer.face === hand.face &&
      offer.turn === hand.turn &&
      offer.cell !== undefined &&
      cellKey(offer.cell) === key,
  );
}

/** The ways to hold a piece that fit on a cell or, without a cell, anywhere. */
export function turnsFor(offers: readonly Offer[], piece: string, cell: Cell | null): Turned[] {
  const found = new Map<string, Turned>();
  for (const offer of offers) {
    if (offer.piece !== piece || !offer.cell) continue;
    if (cell && cellKey(offer.cell) !== cellKey(cell)) continue;
    const way = { face: offer.face ?? 0, turn: offer.turn ?? 0 };
    found.set(`${way.face} ${way.turn}`, way);
  }
  return [...found.values()].sort((a, b) => a.face - b.face || a.turn - b.turn);
}

/** The next way to hold the piece, clockwise or back, among those that fit. */
export function turned(ways: readonly Turned[], hand: Hand, back: boolean): Hand {
  if (ways.length === 0) return hand;
  const rank = (way: Turned): number => way.face * 4 + way.turn;
  const now = rank(hand);
  const order = ways.toSorted((a, b) => rank(a) - rank(b));
  const next = back
    ? (order.findLast((way) => rank(way) < now) ?? order.at(-1))
    : (order.find((way) => rank(way) > now) ?? order[0]);
  return next ? { piece: hand.piece, ...next } : hand;
}

/** The hand itself if it fits on the cell, else turned until it does. */
export function fitted(offers: readonly Offer[], hand: Hand, cell: Cell): Hand {
  if (offerAt(offers, hand, cell)) return hand;
  return turned(turnsFor(offers, hand.piece, cell), hand, false);
}

/** The cells where the piece may go, and whether it fits there as it is held. */
export function legalCells(offers: readonly Offer[], hand: Hand): Legal[] {
  const found = new Map<string, { cell: Cell; fits: boolean }>();
  for (const offer of offers) {
    if (offer.piece !== hand.piece || !offer.cell) continue;
    const key = cellKey(offer.cell);
    const fits = offer.face === hand.face && offer.turn === hand.turn;
    const known = found.get(key);
    if (known) known.fits ||= fits;
    else found.set(key, { cell: [offer.cell[0] ?? 0, offer.cell[1] ?? 0], fits });
  }
  return [...found.values()];
}

/** How a piece is held first: as printed if that fits anywhere, else the first way that does. */
export function firstHand(offers: readonly Offer[], piece: string): Hand {
  const ways = turnsFor(offers, piece, null);
  const upright = ways.find((way) => way.face === 0 && way.turn === 0) ?? ways[0];
  return { piece, face: upright?.face ?? 0, turn: upright?.turn ?? 0 };
}
