/** All rulesets as cards, and the pictures of their boxes: every place shows those of the last one
 * at once, and asks for them again. Pictures are asked for as they come into sight, a few at once. */

import { call, RefusedError, type Result } from "./channel.svelte";
import { named } from "./named";

export type Cards = Result<"library.list">;
export type Card = Cards["cards"][number];

/** so many cards are in sight at most */
const FEW = 9;

class Shelf {
  list = $state.raw<Cards | null>(null);
  pictures = $state.raw<Result<"library.drawings">>({ defs: "", drawings: {} });
  #wanted = new Set<string>();

  /** A game by its name. */
  nameOf(game: string): string {
    return named(game, this.list);
  }

  /** Ask for the cards. Rejects with a RefusedError. */
  async read(): Promise<void> {
    this.list = await call("library.list");
  }

  /** Ask for the pictures of a card, after those that are wanted already. */
  want(card: string): void {
    const isFirst = this.#wanted.size === 0;
    this.#wanted.add(card);
    if (isFirst) queueMicrotask(() => void this.#draw());
  }

  async #draw(): Promise<void> {
    while (this.#wanted.size > 0) {
      const cards = [...this.#wanted].slice(0, FEW);
      try {
        const { defs, drawings } = await call("library.drawings", { cards });
        this.pictures = { defs, drawings: { ...this.pictures.drawings, ...drawings } };
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
      } finally {
        for (const card of cards) this.#wanted.delete(card);
      }
    }
  }
}

export const shelf = new Shelf();
