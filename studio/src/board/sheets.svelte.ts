/**
 * The drawings of games. Each one is asked for once, when it comes into sight. It becomes an image of
 * its own when it is first shown: the page then has one element for a tile, whatever is drawn on it.
 * An image runs nothing and loads nothing.
 */

import { call, type Result } from "../lib/channel.svelte";
import { shade } from "../lib/settings.svelte";

export type Sheet = Result<"sheet.get">;

const held = new Map<string, Sheet>();
/** The program keeps sheets of whole games, so many pieces are not asked for one by one. */
const FEW = 24;

/**
 * The drawings of a game with its options, with these pieces at least; those of a match may be of
 * rules that are in no folder.
 */
export async function sheetOf(
  game: string,
  pieces: Iterable<string>,
  { options = {}, match = "" }: { options?: Record<string, string>; match?: string } = {},
): Promise<Sheet> {
  const key = JSON.stringify([game, options, match]);
  const before = held.get(key);
  const missing = missingOn(before, pieces);
  if (before && missing.length === 0) return before;
  const more = await call("sheet.get", {
    game,
    options,
    ...(match ? { match } : {}),
    ...(missing.length > FEW ? {} : { pieces: missing }),
  });
  // others may have come meanwhile
  const found = joined(held.get(key), more);
  held.set(key, found);
  return found;
}

/** The pieces, each once, that a sheet has no drawings of. */
export function missingOn(sheet: Sheet | undefined, pieces: Iterable<string>): string[] {
  return [...new Set(pieces)].filter((piece) => !sheet?.pieces[piece]);
}

/** A sheet with the drawings of both. */
export function joined(sheet: Sheet | undefined, more: Sheet): Sheet {
  if (!sheet) return more;
  const [one, other] = [drawingsOf(sheet), drawingsOf(more)];
  const both = {
    ...more,
    pieces: { ...sheet.pieces, ...more.pieces },
    colours: { ...sheet.colours, ...more.colours },
  };
  drawings.set(both, {
    symbols: new Map([...one.symbols, ...other.symbols]),
    images: one.images,
  });
  return both;
}

/** A segment by its number, in a colour that lies over its own. */
export interface Tint {
  segment: number;
  colour: string;
}

/** What a drawing shows of all that it may show: see `Sheet` among the messages. */
export interface Shown {
  /** numbers of finished segments */
  finished?: readonly number[] | undefined;
  owners?: readonly { segment: number; colours: readonly string[] }[] | undefined;
  tints?: readonly Tint[] | undefined;
  /** it is small on the screen, or large */
  level?: Level;
  /** the colour of the owner of a figure */
  colour?: string | undefined;
}

export type Level = "far" | "near" | "";

interface Drawings {
  /** the symbols of the sheet by name */
  symbols: Map<string, { box: string; body: string }>;
  images: Map<string, string>;
}
const drawings = new WeakMap<Sheet, Drawings>();

function drawingsOf(sheet: Sheet): Drawings {
  let found = drawings.get(sheet);
  if (!found) {
    found = { symbols: symbolsOf(sheet.svg), images: new Map() };
    drawings.set(sheet, found);
  }
  return found;
}

/** The symbols of a picture, which are not nested. They are many and large, so nothing reads them. */
export function symbolsOf(svg: string): Drawings["symbols"] {
  const found = svg.matchAll(/<symbol id="([^"]*)" viewBox="([^"]*)">(.*?)<\/symbol>/gs);
  return new Map([...found].map(([, id = "", box = "", body = ""]) => [id, { box, body }]));
}

/**
 * The address of a drawing as an image, in the colours of the mode. Empty for a drawing that the sheet
 * does not have.
 */
export function imageOf(sheet: Sheet, name: string, shown: Shown = {}): string {
  const { symbols, images } = drawingsOf(sheet);
  const owners = shown.owners?.map((one) => `${one.segment}${one.colours.join("")}`);
  const tints = shown.tints?.map((one) => `${one.segment}${one.colour}`);
  const state = [shown.finished, owners, tints?.join() ?? "", shown.level, shown.colour].join(" ");
  const key = `${shade()} ${name} ${state}`;
  let found = images.get(key);
  if (found === undefined) {
    found = addressOf(symbols, name, sheet, shown);
    images.set(key, found);
  }
  return found;
}

function addressOf(symbols: Drawings["symbols"], name: string, sheet: Sheet, shown: Shown): string {
  const symbol = symbols.get(name);
  if (!symbol) return "";
  const [, , width = "100", height = "100"] = symbol.box.split(" ");
  const colour = shown.colour ? ` color="${shown.colour}"` : "";
  const seat = sheet.seats.find((one) => one.colour === shown.colour);
  const place = shade();
  const body = settled(symbol.body, shown, sheet.seats)
    .replaceAll("{sign}", seat?.sign ?? "")
    .replaceAll("{ink}", seat?.ink ?? "#fffdf4")
    .replace(
      /var\((--[\w-]+)\)/g,
      (_, property: string) => sheet.colours[property]?.[place] ?? "none",
    )
    .replaceAll(' stroke="none"', "");
  const box = `viewBox="${symbol.box}" width="${width}" height="${height}"`;
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" ${box}${colour}>${body}</svg>`,
  )}`;
}

/** A drawing with what it shows in a state. */
export function settled(drawing: string, shown: Shown, seats: Sheet["seats"] = []): string {
  const holds = new Set<string>(shown.level ? [shown.level] : []);
  for (const number of shown.finished ?? []) holds.add(String(number));
  for (const { segment } of shown.owners ?? []) holds.add(`k${segment}`);
  const tints = new Map(shown.tints?.map((one) => [String(one.segment), one.colour]));
  for (const segment of tints.keys()) holds.add(`t${segment}`);
  const colours = new Map(shown.owners?.map((one) => [String(one.segment), one.colours]));
  const isThere = (when: string): boolean =>
    when.startsWith("!") ? !holds.has(when.slice(1)) : holds.has(when);
  const owned = (place: string, segment: string): string | undefined => {
    const [first, second] = colours.get(segment) ?? [];
    if (place === "o") return first;
    if (place === "p") return second;
    const seat = seats.find((one) => one.colour === first);
    return place === "d" ? seat?.dashes : seat?.ink;
  };
  return drawing
    .replace(/<g data-if="([^"]*)">(.*?)<\/g>/gs, (_, all: string, part: string) =>
      all.split(" ").every(isThere) ? part : "",
    )
    .replace(
      /\{(\w+)\?([^{}|]*)\|([^{}|]*)\}/g,
      (_, name: string, without: string, withIt: string) => (holds.has(name) ? withIt : without),
    )
    .replace(
      /\{([odip])(\d+)\}/g,
      (_, place: string, segment: string) => owned(place, segment) ?? "none",
    )
    .replace(/\{t(\d+)\}/g, (_, segment: string) => tints.get(segment) ?? "none");
}
