// Games by their names: a reader sees no id.

import type { Result } from "./channel.svelte";

export type Cards = Result<"library.list">;

/** A game by its name: the titles of its rulesets, with the edition where two of a library have one
 * title. A ruleset that no card has is named as it was written. */
export function named(game: string, list: Cards | null): string {
  const cards = list?.cards ?? [];
  const one = (id: string): string => {
    const card = cards.find((each) => each.id === id);
    if (!card) return list ? id : "…";
    const isShared = cards.some((each) => each !== card && each.title === card.title);
    const edition = list?.editions.find((each) => each.id === card.edition)?.label;
    return isShared && edition ? `${card.title} · ${edition}` : card.title;
  };
  const [text = ""] = game.split("?");
  return text
    .split("+")
    .map((pick) => one(pick.split(":")[0] ?? pick))
    .join(" + ");
}
