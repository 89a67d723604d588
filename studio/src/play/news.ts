/** What has happened since the reader's last own choice, as marks on the board. */

import { cellKey, type Cell } from "../board/geometry";
import { itemised } from "./motions";
import type { Fresh, MatchState, Path, Pop } from "../board/types";

type Colours = Readonly<Record<string, string>>;
const INK = "#1d1a16";

/**
 * The events to show: those since the reader's last own choice; where nobody at the screen plays,
 * those of the turn before and of this one.
 */
export function recent(state: MatchState): MatchState["events"] {
  const turns = state.events.flatMap((event, place) => (event.kind === "turn" ? [place] : []));
  if (state.players.some((player) => player.kind === "person")) return state.events;
  return state.events.slice(turns.at(-2) ?? 0);
}

function cellOf(cell: readonly number[]): Cell {
  return [cell[0] ?? 0, cell[1] ?? 0];
}

/** Tiles and figures that came or moved; in a replay those of the choice that is shown. */
export function freshOf(state: MatchState, colours: Colours): Fresh[] {
  const found = new Map<string, Fresh>();
  for (const event of recent(state)) {
    if (!event.cell || (event.kind !== "laid" && event.kind !== "moved")) continue;
    const figure = state.board.figures.find((one) => one.id === event.figure);
    if (event.figure && !figure?.cell) continue;
    const colour = colours[event.seat ?? ""] ?? INK;
    const key = event.figure ?? cellKey(event.cell);
    found.set(key, {
      cell: cellOf(figure?.cell ?? event.cell),
      at: figure?.at ?? null,
      colour,
      isLarge: figure?.owner === null,
    });
  }
  return [...found.values()];
}

/** Points, each beside the last cell of what brought them; points of one cell stand together. */
export function popsOf(state: MatchState, colours: Colours): Pop[] {
  const found = new Map<string, Pop>();
  for (const { gain } of recent(state)) {
    const cell = gain?.cells.at(-1);
    if (!gain || !cell) continue;
    const key = `${cellKey(cell)} ${gain.seat}`;
    const known = found.get(key);
    const text = itemised(gain);
    found.set(key, {
      key: `${known?.key ?? ""} ${gain.award}`,
      cell: cellOf(cell),
      points: gain.points + (known?.points ?? 0),
      text: known ? known.text : text,
      colour: colours[gain.seat] ?? INK,
      award: gain.award,
      cells: known ? [...known.cells, ...gain.cells] : gain.cells,
    });
  }
  return [...found.values()];
}

/** The ways of figures over more than one step. */
export function pathsOf(state: MatchState, colours: Colours): Path[] {
  const found = new Map<string, { cells: Cell[]; colour: string }>();
  for (const event of recent(state)) {
    if (event.kind !== "moved" || !event.figure || !event.path) continue;
    const cells = event.path.map(cellOf);
    const known = found.get(event.figure);
    const [first] = cells;
    const last = known?.cells.at(-1);
    if (known && last && first && cellKey(last) === cellKey(first))
      known.cells.push(...cells.slice(1));
    else found.set(event.figure, { cells, colour: colours[event.seat ?? ""] ?? INK });
  }
  return [...found.values()].filter((path) => path.cells.length > 2);
}
