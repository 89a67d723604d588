/**
 * The drawings of games. A sheet is asked for once. Each of its drawings becomes an image of its own
 * when it is first shown: the page then has one element for a tile, whatever is drawn on it. An image
 * runs nothing and loads nothing.
 */

import { call, type Result } from "../lib/channel.svelte";
import { shade } from "../lib/settings.svelte";

export type Sheet = Result<"sheet.get">;

const asked = new Map<string, Promise<Sheet>>();

/** The drawings of a game with its options; those of a match may be of rules that are in no folder. */
export function sheetOf(
  game: string,
  options: Record<string, string> = {},
  match = "",
): Promise<Sheet> {
  const key = JSON.stringify([game, options, match]);
  const found = asked.get(key);
  if (found) return found;
  const sheet = call("sheet.get", { game, options, ...(match ? { match } : {}) });
  asked.set(key, sheet);
  sheet.catch(() => asked.delete(key));
  return sheet;
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
const read = new WeakMap<Sheet, Drawings>();

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
  let drawings = read.get(sheet);
  if (!drawings) {
    drawings = { symbols: symbolsOf(sheet.svg), images: new Map() };
    read.set(sheet, drawings);
  }
  const owners = shown.owners?.map((one) => `${one.segment}${one.colours.join("")}`);
  const tints = shown.tints?.map((one) => `${one.segment}${one.colour}`);
  const state = [shown.finished, owners, tints?.join() ?? "", shown.level, shown.colour].join(" ");
  const key = `${shade()} ${name} ${state}`;
  let found = drawings.images.get(key);
  if (found === undefined) {
    found = addressOf(drawings.symbols, name, sheet, shown);
    drawings.images.set(key, found);
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
