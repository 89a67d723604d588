// Rulesets in the order in which they are offered, and pairs that are worth comparing.

import type { Result } from "../lib/channel.svelte";

type Cards = Result<"library.list">;
type Card = Cards["cards"][number];

type Needing = Pick<Card, "id" | "title" | "needs">;

/** The rulesets that most others need: those of the role that is needed most. */
export function bases<C extends Needing>(cards: readonly C[]): C[] {
  const roles = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const { role, ruleset } of cards.flatMap((card) => card.needs)) {
    roles.set(role, (roles.get(role) ?? new Set()).add(ruleset));
    counts.set(role, (counts.get(role) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  const ids = roles.get(most?.[0] ?? "");
  return byTitle(cards.filter((card) => (ids ? ids.has(card.id) : card.needs.length === 0)));
}

/** Bases come first, then what stands alone, then the others, each by title. */
export function inOrder<C extends Needing>(cards: readonly C[]): C[] {
  const first = bases(cards);
  const others = byTitle(cards.filter((card) => !first.includes(card)));
  return [
    ...first,
    ...others.filter((card) => card.needs.length === 0),
    ...others.filter((card) => card.needs.length > 0),
  ];
}

function byTitle<C extends Needing>(cards: readonly C[]): C[] {
  return [...cards].sort((a, b) => a.title.localeCompare(b.title));
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
