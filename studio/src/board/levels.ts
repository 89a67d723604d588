/** How much is drawn at a scale, and how figures share their places when they are small. */

import { cellKey, pointIn } from "./geometry";
import type { Level } from "./sheets.svelte";
import type { BoardFigure } from "./types";

/** tiles are small up to here, and large from there on */
const FAR = 0.44;
const NEAR = 1.2;
/** a level ends a little later than it begins, so that no scale has two of them in turn */
const LATER = 1.1;

/** The level of a scale, coming from another level. */
export function levelOf(scale: number, before: Level): Level {
  if (scale < (before === "far" ? FAR * LATER : FAR)) return "far";
  return scale >= (before === "near" ? NEAR / LATER : NEAR) ? "near" : "";
}

/** Figures that are drawn as one, and where. */
export interface Crowd {
  figure: BoardFigure;
  x: number;
  y: number;
  count: number;
}

/**
 * The figures on the board at their places. Where they are drawn larger beside their tiles, those of
 * a segment stand as much farther apart, and equal ones are drawn once.
 */
export function crowdsOf(figures: readonly BoardFigure[], size: number): Crowd[] {
  const first = new Map<string, { x: number; y: number }>();
  const crowds = new Map<string, Crowd>();
  for (const figure of figures) {
    if (!figure.cell) continue;
    const point = pointIn(figure.cell, figure.at);
    const stand = `${cellKey(figure.cell)} ${figure.segment ?? figure.id}`;
    const { x, y } = first.get(stand) ?? point;
    first.set(stand, { x, y });
    const key = size > 1 ? `${stand} ${figure.kind} ${figure.owner} ${figure.lying}` : figure.id;
    const found = crowds.get(key);
    if (found) found.count++;
    else
      crowds.set(key, {
        figure,
        x: x + size * (point.x - x),
        y: y + size * (point.y - y),
        count: 1,
      });
  }
  return [...crowds.values()];
}
