// The boxes that are offered beside a base game.

import type { Result } from "../lib/channel.svelte";
import { bases } from "../compare/suggested";

type Card = Pick<
  Result<"library.list">["cards"][number],
  "id" | "title" | "kind" | "edition" | "needs" | "statements" | "readable"
>;

const idOf = (pick: string): string => pick.split(":")[0] ?? pick;

/** The base of some picks: one that is among them, or that they need; empty where there is none. */
export function baseOf(picks: readonly string[], cards: readonly Card[]): string {
  const known = new Set(bases(cards).map((card) => card.id));
  const seen = new Set<string>();
  const look = (id: string): string => {
    if (known.has(id)) return id;
    if (seen.has(id)) return "";
    seen.add(id);
    const needs = cards.find((card) => card.id === id)?.needs ?? [];
    return needs.map((need) => look(need.ruleset)).find(Boolean) ?? "";
  };
  return picks.map((pick) => look(idOf(pick))).find(Boolean) ?? "";
}

/** The boxes that go with a base, then what else is picked: first those that most house rules change,
 * among equals those with most rules. */
export function boxesFor<C extends Card>(
  base: string,
  picks: readonly string[],
  cards: readonly C[],
): C[] {
  const known = new Set(bases(cards).map((card) => card.id));
  const edition = cards.find((card) => card.id === base)?.edition;
  const isBox = (card: C): boolean =>
    card.readable &&
    card.kind !== "house" &&
    !known.has(card.id) &&
    (card.edition === edition || card.needs.some((need) => need.ruleset === base));
  const above = new Map<string, number>();
  const house = cards.filter((card) => card.kind === "house");
  for (const { ruleset } of house.flatMap((card) => card.needs))
    above.set(ruleset, (above.get(ruleset) ?? 0) + 1);
  const most = (card: C): number => above.get(card.id) ?? 0;
  const boxes = cards
    .filter(isBox)
    .sort((a, b) => most(b) - most(a) || b.statements - a.statements);
  const ids = new Set(picks.map(idOf));
  const others = cards.filter((card) => ids.has(card.id) && card.id !== base);
  return [...boxes, ...others.filter((card) => !boxes.includes(card))];
}

/** Picks with a box added or taken away; the base stays in them. */
export function toggled(picks: readonly string[], base: string, box: string): string[] {
  const others = picks.filter((pick) => idOf(pick) !== box);
  if (others.length < picks.length) return others.length > 0 ? others : [base];
  return [...(picks.length > 0 ? picks : [base]), box];
}
