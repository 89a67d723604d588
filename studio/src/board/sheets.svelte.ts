/**
 * The drawings of games. A sheet is asked for once. Each of its drawings becomes an image of its own
 * when it is first shown: the page then has one element for a tile, whatever is drawn on it. An image
 * runs nothing and loads nothing.
 */

import { call, type Result } from "../lib/channel.svelte";
import { mode } from "../lib/settings.svelte";

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

interface Drawings {
  /** the sheet's picture; it is read, and is in no page */
  picture: Document;
  images: Map<string, string>;
}
const read = new WeakMap<Sheet, Drawings>();

/**
 * The address of a drawing as an image, in the colours of the mode; `colour` is that of the owner of a
 * figure. Empty for a drawing that the sheet does not have.
 */
export function imageOf(sheet: Sheet, name: string, colour = ""): string {
  let drawings = read.get(sheet);
  if (!drawings) {
    const picture = new DOMParser().parseFromString(sheet.svg, "image/svg+xml");
    drawings = { picture, images: new Map() };
    read.set(sheet, drawings);
  }
  const key = `${mode()} ${name} ${colour}`;
  let found = drawings.images.get(key);
  if (found === undefined) {
    found = addressOf(drawings.picture, name, colour, sheet.colours);
    drawings.images.set(key, found);
  }
  return found;
}

function addressOf(
  picture: Document,
  name: string,
  colour: string,
  colours: Sheet["colours"],
): string {
  const symbol = picture.getElementById(name);
  if (!symbol) return "";
  const image = picture.createElementNS(symbol.namespaceURI, "svg");
  image.setAttribute("viewBox", symbol.getAttribute("viewBox") ?? "0 0 100 100");
  image.setAttribute("width", "100");
  image.setAttribute("height", "100");
  if (colour) image.setAttribute("color", colour);
  for (const part of [...partsOf(symbol), ...symbol.children]) image.append(part.cloneNode(true));
  const place = mode() === "dark" ? 1 : 0;
  const text = image.outerHTML.replace(
    /var\((--[\w-]+)\)/g,
    (_, property: string) => colours[property]?.[place] ?? "none",
  );
  return `data:image/svg+xml,${encodeURIComponent(text)}`;
}

/** What a drawing refers to: the part that turns with the tile, the clip of its corners. */
function partsOf(symbol: Element): Element[] {
  const names = symbol.innerHTML.matchAll(/(?:href="|url\()#([\w-]+)/g);
  const ids = new Set([...names].map(([, id = ""]) => id));
  return [...ids].flatMap((id) => {
    const part = symbol.ownerDocument.getElementById(id);
    if (!part) return [];
    if (part.localName === "clipPath") return [part];
    const defs = symbol.ownerDocument.createElementNS(part.namespaceURI, "defs");
    defs.append(part.cloneNode(true));
    return [defs];
  });
}
