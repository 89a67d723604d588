// Which cards are shown: every filter that has a choice must hold, and every word must occur.

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

export interface Filters {
  text: string;
  kinds: string[];
  editions: string[];
  topics: string[];
  /** ids that go with the game; null for all */
  fits: ReadonlySet<string> | null;
}

/** Text for comparing: without case and accents. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** Whether a card is shown under these filters. */
export function isShown(card: Card, filters: Filters): boolean {
  if (filters.kinds.length && !filters.kinds.includes(card.kind)) return false;
  if (filters.editions.length && !filters.editions.includes(card.edition)) return false;
  if (filters.topics.length && !filters.topics.some((topic) => card.topics.includes(topic)))
    return false;
  if (filters.fits && !filters.fits.has(card.id)) return false;
  const searched = folded(`${card.id} ${card.title} ${card.says} ${card.words}`);
  return folded(filters.text)
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** How many cards each choice would show, with the other filters as they are. */
export function counted(
  cards: readonly Card[],
  filters: Filters,
  name: "kinds" | "editions" | "topics",
): Map<string, number> {
  const found = new Map<string, number>();
  for (const card of cards) {
    if (!isShown(card, { ...filters, [name]: [] })) continue;
    const values =
      name === "kinds" ? [card.kind] : name === "editions" ? [card.edition] : card.topics;
    for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}
