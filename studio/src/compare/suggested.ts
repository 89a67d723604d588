// Rulesets in the order in which they are offered, and pairs that are worth comparing.

import type { Result } from "../lib/channel.svelte";

type Cards = Result<"library.list">;
type Card = Cards["cards"][number];

/** Those that stand alone come first, then the others by title. */
export function inOrder(cards: readonly Card[]): Card[] {
  const rank = (card: Card): number => Math.min(card.needs.length, 1);
  return [...cards].sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}

export interface Group {
  label: string;
  cards: Card[];
}

/** Own rules first, then a group for each edition, and house rules. */
export function grouped(
  cards: readonly Card[],
  editions: Cards["editions"],
  house: string,
): Group[] {
  const isHouse = (card: Card): boolean => card.kind === "house" || card.own;
  const known = [...editions.map((one) => one.id), ""];
  const groups = known.map((id) => ({
    label: editions.find((one) => one.id === id)?.label ?? "–",
    cards: inOrder(
      cards.filter(
        (card) => !isHouse(card) && (known.includes(card.edition) ? card.edition : "") === id,
      ),
    ),
  }));
  const own = { label: house, cards: cards.filter((card) => card.own) };
  const others = { label: house, cards: cards.filter((card) => isHouse(card) && !card.own) };
  return [own, ...groups, others].filter((group) => group.cards.length > 0);
}

/** Rulesets of two editions with one name or one role, those with most statements first. */
export function pairs(cards: readonly Card[], most = 6): [Card, Card][] {
  const printed = cards.filter((card) => card.kind !== "house");
  const name = (card: Card): string => card.id.split("/").at(-1) ?? "";
  const found: [Card, Card][] = [];
  for (const [n, one] of printed.entries())
    for (const other of printed.slice(n + 1))
      if (
        one.edition !== other.edition &&
        (name(one) === name(other) || one.provides.some((role) => other.provides.includes(role)))
      )
        found.push([one, other]);
  const size = (pair: [Card, Card]): number => pair[0].statements + pair[1].statements;
  found.sort((a, b) => size(b) - size(a));
  const used = new Set<string>();
  return found
    .filter((pair) => {
      const isNew = !pair.some((card) => used.has(card.id));
      if (isNew) for (const card of pair) used.add(card.id);
      return isNew;
    })
    .slice(0, most);
}
