/**
 * The address of what is open: `#/place/rest?query`. The token that opens the channel comes in the
 * fragment once, is taken out at once, and is kept for this tab alone.
 */

export interface Route {
  place: string;
  rest: string[];
  query: URLSearchParams;
}

const TOKEN = "tilewright.token";

/** The six places, each with the key of its name. */
export const places = {
  library: "ui_library",
  book: "ui_book",
  write: "ui_write",
  compare: "ui_compare",
  play: "ui_play",
  simulate: "ui_simulate",
} as const;
export const placeNames = Object.keys(places) as (keyof typeof places)[];

/** The route of a fragment, with or without its `#`. */
export function parseRoute(fragment: string): Route {
  const text = fragment.replace(/^#/, "");
  const [path = "", query = ""] = split(text, "?");
  const parts = path.split("/").filter(Boolean).map(decoded);
  return { place: parts[0] ?? "library", rest: parts.slice(1), query: new URLSearchParams(query) };
}

/** The fragment of a route. */
export function href(
  place: string,
  rest: string[] = [],
  query: Record<string, string> = {},
): string {
  const path = [place, ...rest].map(encodeURIComponent).join("/").replaceAll("%3A", ":");
  const search = new URLSearchParams(query).toString();
  return `#/${path}${search && `?${search}`}`;
}

/** The token in a fragment, and the fragment without it. */
export function takeToken(fragment: string): { token: string; rest: string } {
  const found = /(?:^#|&)token=([\w-]+)/.exec(fragment);
  if (!found) return { token: "", rest: fragment };
  const rest = fragment.replace(found[0], found[0].startsWith("#") ? "#" : "");
  return { token: found[1] ?? "", rest: rest === "#" ? "" : rest.replace("#&", "#") };
}

export const route: { now: Route } = $state({ now: arrive() });

addEventListener("hashchange", () => {
  const before = sessionStorage.getItem(TOKEN);
  route.now = arrive();
  // an address with another token is that of another start of the program: the page begins anew
  if (sessionStorage.getItem(TOKEN) !== before) location.reload();
});

/** Open another place. With `replace` it takes the place of this one in the history. */
export function go(fragment: string, replace = false): void {
  if (location.hash === fragment) return;
  if (replace) {
    history.replaceState(null, "", fragment);
    route.now = parseRoute(fragment);
  } else {
    location.hash = fragment;
  }
}

/** The token of this tab; a tab that was opened from another one asks that one for it. */
export async function token(): Promise<string> {
  const kept = sessionStorage.getItem(TOKEN);
  if (kept !== null) return kept;
  return askOtherTabs();
}

/** Forget a token that was refused. */
export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN);
}

function arrive(): Route {
  const { token: found, rest } = takeToken(location.hash);
  if (found) {
    sessionStorage.setItem(TOKEN, found);
    history.replaceState(null, "", location.pathname + location.search + rest);
  }
  return parseRoute(rest);
}

const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("tilewright") : null;
tabs?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  const kept = sessionStorage.getItem(TOKEN);
  if (data === "token?" && kept) tabs.postMessage({ token: kept });
});

function askOtherTabs(): Promise<string> {
  if (!tabs) return Promise.resolve("");
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data !== "object" || data === null || !("token" in data)) return;
      const found = String(data.token);
      sessionStorage.setItem(TOKEN, found);
      done(found);
    };
    const done = (found: string): void => {
      tabs.removeEventListener("message", hear);
      clearTimeout(timer);
      resolve(found);
    };
    const timer = setTimeout(() => done(""), 400);
    tabs.addEventListener("message", hear);
    tabs.postMessage("token?");
  });
}

function split(text: string, at: string): [string, string] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
