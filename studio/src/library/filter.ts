// Which cards are shown: every filter that has a choice must hold, and every word must occur.

import { hasWords } from "../lib/search";

export interface Card {
  id: string;
  title: string;
  says: string;
  edition: string;
  kind: string;
  year: number | null;
  needs: { role: string; ruleset: string; title: string }[];
  topics: string[];
  words: string;
}

/** The filters that are lists of choices. */
export type Choices = "kinds" | "editions" | "topics" | "needs";

export interface Filters {
  text: string;
  kinds: string[];
  editions: string[];
  topics: string[];
  /** ids of rulesets of which a card needs one */
  needs: string[];
  /** ids that go with the game; null for all */
  fits: ReadonlySet<string> | null;
}

/** Whether a card is shown under these filters. */
export function isShown(card: Card, filters: Filters): boolean {
  if (filters.kinds.length && !filters.kinds.includes(card.kind)) return false;
  if (filters.editions.length && !filters.editions.includes(card.edition)) return false;
  if (filters.topics.length && !filters.topics.some((topic) => card.topics.includes(topic)))
    return false;
  if (filters.needs.length && !card.needs.some((need) => filters.needs.includes(need.ruleset)))
    return false;
  if (filters.fits && !filters.fits.has(card.id)) return false;
  return placeOf(card, filters.text) < PLACES.length;
}

/** Where words are looked for, the surest place first. */
const PLACES: readonly (keyof Card & ("title" | "id" | "words" | "says"))[] = [
  "title",
  "id",
  "words",
  "says",
];

/** The place by which all words have occurred, counted from the surest one. */
function placeOf(card: Card, text: string): number {
  let read = "";
  const found = PLACES.findIndex((place) => hasWords((read += ` ${card[place]}`), text));
  return found < 0 ? PLACES.length : found;
}

/** Cards in their order, those with the words in the surest place first. */
export function ranked<C extends Card>(cards: readonly C[], text: string): C[] {
  if (!text.trim()) return [...cards];
  const places = new Map(cards.map((card) => [card, placeOf(card, text)]));
  return cards.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

/** How many cards each choice would show, with the other filters as they are. */
export function counted(
  cards: readonly Card[],
  filters: Filters,
  name: Choices,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const card of cards) {
    if (!isShown(card, { ...filters, [name]: [] })) continue;
    for (const value of valuesOf(card, name)) found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}

/** The choices under which a card is shown. */
function valuesOf(card: Card, name: Choices): Iterable<string> {
  if (name === "kinds") return [card.kind];
  if (name === "editions") return [card.edition];
  if (name === "topics") return card.topics;
  return new Set(card.needs.map((need) => need.ruleset));
}

/** The rulesets that others need, by title; those of one title are told apart by their edition. */
export function needed(cards: readonly Card[]): { id: string; label: string }[] {
  const titles = new Map(
    cards.flatMap(({ needs }) => needs.map((need) => [need.ruleset, need.title] as const)),
  );
  const all = [...titles.values()];
  return [...titles]
    .map(([id, title]) => {
      const edition = cards.find((card) => card.id === id)?.edition ?? id;
      const isShared = all.indexOf(title) !== all.lastIndexOf(title);
      return { id, label: isShared ? `${title} (${edition})` : title };
    })
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
