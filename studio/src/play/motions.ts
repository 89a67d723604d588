/** What a choice sends from the board to the players: points with their items, figures. */

import type { MatchState } from "../board/types";
import { signed } from "../lib/numbers";

type Happening = MatchState["events"][number];
type Gain = NonNullable<Happening["gain"]>;

export interface Motion {
  seat: string;
  cell: readonly number[];
  at: readonly number[];
  /** the kind of a figure; without it these are points */
  kind?: string;
  points: string;
  text: string;
  /** milliseconds before it starts, and from start to end */
  wait: number;
  lasts: number;
}

const FIGURE = 400;
const POINTS = 700;
const APART = 90;
/** how many start one after another; the others start with the last of them */
const IN_TURN = 8;

/** The items of some points: each with its own points where there are several. */
export function itemised(gain: Gain): string {
  const items = gain.items;
  if (items.length === 1) return items[0]?.label ?? "";
  return items.map(({ label, points }) => `${label} ${points}`).join(", ") || gain.text;
}

/** The motions of some events, points first, so that they are read before the figures are gone. */
export function motionsOf(
  events: readonly Happening[],
  kindOf: (figure: string) => string | undefined,
): Motion[] {
  const points = events.flatMap(({ gain }) => {
    const cell = gain?.cells.at(-1);
    if (!gain || !cell) return [];
    const text = itemised(gain);
    return [
      { seat: gain.seat, cell, at: [0.78, 0.1], points: signed(gain.points), text, lasts: POINTS },
    ];
  });
  const figures = events.flatMap(({ kind: what, seat, figure, from_cell, from_at }) => {
    const kind = figure && kindOf(figure);
    if (what !== "home" || !seat || !kind || !from_cell || !from_at) return [];
    return [{ seat, cell: from_cell, at: from_at, kind, points: "", text: "", lasts: FIGURE }];
  });
  return [...points, ...figures].map((motion, place) => ({
    ...motion,
    wait: APART * Math.min(place, IN_TURN),
  }));
}
