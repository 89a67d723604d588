// What a step of a scenario changed on the board: laid tiles, moved figures, figures that went home.

import type { Fresh, Gone, Path, BoardState } from "../board/types";

export interface Changes {
  fresh: Fresh[];
  paths: Path[];
  gone: Gone[];
}

/** The difference between two boards; `colour` is that of whoever made it. */
export function changes(
  before: BoardState | null,
  after: BoardState,
  colour: string,
  home: (label: string) => string,
): Changes {
  const found: Changes = { fresh: [], paths: [], gone: [] };
  if (before === null) return found;
  const lay = new Set(before.tiles.map((tile) => tile.cell.join()));
  for (const tile of after.tiles)
    if (!lay.has(tile.cell.join())) found.fresh.push({ cell: pair(tile.cell), at: null, colour });
  const were = new Map(before.figures.map((figure) => [figure.id, figure]));
  for (const figure of after.figures) {
    const old = were.get(figure.id);
    were.delete(figure.id);
    if (!figure.cell) continue;
    const isSame = old?.cell?.join() === figure.cell.join() && old.segment === figure.segment;
    if (isSame) continue;
    found.fresh.push({ cell: pair(figure.cell), at: figure.at ?? null, colour });
    if (old?.cell) found.paths.push({ cells: [pair(old.cell), pair(figure.cell)], colour });
  }
  for (const figure of were.values())
    if (figure.cell && figure.at)
      found.gone.push({
        cell: pair(figure.cell),
        at: figure.at,
        kind: figure.kind,
        text: home(figure.label),
      });
  return found;
}

const pair = (cell: readonly number[]): [number, number] => [cell[0] ?? 0, cell[1] ?? 0];
