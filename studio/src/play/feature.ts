/** A feature of the board in a sentence: what it is, whose, what is open, what it would bring. */

import { cellKey, type Cell } from "../board/geometry";
import type { Tint } from "../board/sheets.svelte";
import type { BoardTile } from "../board/types";
import type { Result } from "../lib/channel.svelte";
import { signed } from "../lib/numbers";
import { w } from "../lib/words.svelte";

export type Feature = Result<"match.feature">;

/** A segment of a tile: by its name, or by a point of the tile. */
export interface Look {
  cell: Cell;
  segment?: string;
  at?: [number, number];
}

export function featureText(feature: Feature, nameOf: (seat: string) => string): string {
  const { label, tiles, open, complete, numbers, figures, ending } = feature;
  const counted = numbers.filter((one) => one.value > 0).map((one) => `${one.text} ${one.value}`);
  const state = complete
    ? w("play_feature_complete")
    : open === null
      ? ""
      : w("play_feature_open", { n: open });
  const gains = ending.map(({ seat, points, items }) => {
    const parts = items.map((item) => `${item.label} ${item.points}`).join(", ");
    return `${nameOf(seat)} ${signed(points)}${items.length > 1 ? ` (${parts})` : ""}`;
  });
  const what = label.charAt(0).toUpperCase() + label.slice(1);
  return [
    [what, w("play_feature_tiles", { n: tiles }), ...counted, state].filter(Boolean).join(", "),
    figures.length > 0 ? figures.join(", ") : w("play_feature_nobody"),
    gains.length > 0 ? w("play_feature_ending", { gains: gains.join(", ") }) : "",
  ]
    .filter(Boolean)
    .map((text) => `${text}.`)
    .join(" ");
}

/** of a feature without an owner */
const UNOWNED = "#fffdf4";

/**
 * The segments that are tinted, by cell: those of a feature that is looked at, and all that have an
 * owner if those are shown.
 */
export function tintsOf(
  tiles: readonly BoardTile[],
  feature: Feature | null,
  showsOwners: boolean,
): Map<string, Tint[]> {
  const looked = new Map(feature?.parts.map((part) => [cellKey(part.cell), part.segments]));
  const found = new Map<string, Tint[]>();
  for (const { cell, owners = [] } of tiles) {
    const colours = new Map(owners.map((one) => [one.segment, one.colours[0] ?? UNOWNED]));
    const wanted = new Set([
      ...(looked.get(cellKey(cell)) ?? []),
      ...(showsOwners ? colours.keys() : []),
    ]);
    const tints = [...wanted].map((segment) => ({
      segment,
      colour: colours.get(segment) ?? UNOWNED,
    }));
    if (tints.length > 0) found.set(cellKey(cell), tints);
  }
  return found;
}
