/**
 * Places on a board, in units of which a tile has a hundred. Cells are (x, y) with y to the north;
 * on the screen y grows downwards.
 */

export type Cell = readonly [x: number, y: number];
export interface Point {
  x: number;
  y: number;
}
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** from tile to tile: they lie side by side */
export const PITCH = 100;
export const TILE = 100;
/** a drawing of a tile reaches so far over its edges, so that neighbours join without a seam */
export const OVER = 2;

export function cellKey(cell: readonly number[]): string {
  return `${cell[0]},${cell[1]}`;
}

/** The upper left corner of a cell. */
export function corner(cell: readonly number[]): Point {
  return { x: (cell[0] ?? 0) * PITCH, y: -(cell[1] ?? 0) * PITCH };
}

/** The point (u, v) of a cell, each from 0 to 1, v downwards. */
export function pointIn(cell: readonly number[], at: readonly number[]): Point {
  const { x, y } = corner(cell);
  return { x: x + (at[0] ?? 0.5) * TILE, y: y + (at[1] ?? 0.5) * TILE };
}

/** Where a corner of a tile, counted clockwise from the north-west with north up, is when it is turned. */
export function tileCorner(cell: readonly number[], at: number, turn: number): Point {
  const turned = (at + turn) % 4;
  const { x, y } = corner(cell);
  return { x: x + (turned === 1 || turned === 2 ? TILE : 0), y: y + (turned > 1 ? TILE : 0) };
}

/** The cell under a point. */
export function cellAt({ x, y }: Point): Cell {
  return [Math.floor(x / PITCH), -Math.floor(y / PITCH)];
}

/** Clockwise quarter turns of a place (u, v) in a tile. */
export function turnedPlace(at: readonly number[], turn: number): [number, number] {
  let [u, v] = [at[0] ?? 0.5, at[1] ?? 0.5];
  for (let i = 0; i < turn % 4; i++) [u, v] = [1 - v, u];
  return [u, v];
}

/** Clockwise quarter turns of a step from the first cell of a piece. */
export function turnedStep(x: number, y: number, turn: number): [number, number] {
  let step: [number, number] = [x, y];
  for (let i = 0; i < turn % 4; i++) step = [step[1], -step[0]];
  return step;
}

/** The smallest box round some cells, with a margin in units. */
export function boxOf(cells: Iterable<readonly number[]>, margin = 0): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x = 0, y = 0] of cells) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  if (west > east) [west, south, east, north] = [0, 0, 0, 0];
  return {
    left: west * PITCH - margin,
    top: -north * PITCH - margin,
    width: (east - west) * PITCH + TILE + 2 * margin,
    height: (north - south) * PITCH + TILE + 2 * margin,
  };
}

/** The box of a cell with room for the buttons beside it. */
export function aroundCell(cell: readonly number[]): Box {
  const { x, y } = corner(cell);
  return { left: x - 60, top: y - 20, width: 220, height: 140 };
}

const ARROWS: Record<string, Cell> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
};

/**
 * The next of some cells in the direction of an arrow key: the nearest one, where steps aside count
 * twice. Without one in that direction the cell that is farthest in the other one.
 */
export function nextCell(from: Cell, cells: readonly Cell[], arrow: string): Cell | null {
  const way = ARROWS[arrow];
  if (!way) return null;
  const along = (cell: Cell): number => (cell[0] - from[0]) * way[0] + (cell[1] - from[1]) * way[1];
  const aside = (cell: Cell): number =>
    Math.abs((cell[0] - from[0]) * way[1]) + Math.abs((cell[1] - from[1]) * way[0]);
  const cost = (cell: Cell): number => along(cell) + 2 * aside(cell);
  const ahead = cells.filter((cell) => along(cell) > 0);
  if (ahead.length > 0)
    return ahead.reduce((best, cell) => (cost(cell) < cost(best) ? cell : best));
  const others = cells.filter((cell) => along(cell) < 0);
  if (others.length === 0) return null;
  const around = (cell: Cell): number => along(cell) + 2 * aside(cell);
  return others.reduce((best, cell) => (around(cell) < around(best) ? cell : best));
}

/** Cells in the order in which a page is read: from north to south, from west to east. */
export function inReadingOrder(cells: readonly Cell[]): Cell[] {
  return cells.toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
}
