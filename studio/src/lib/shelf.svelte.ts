/** All rulesets as cards, and the pictures of their boxes: every place shows those of the last one
 * at once, and asks for them again. */

import { call, type Result } from "./channel.svelte";
import { named } from "./named";

export type Cards = Result<"library.list">;
export type Card = Cards["cards"][number];

class Shelf {
  list = $state.raw<Cards | null>(null);
  pictures = $state.raw<Result<"library.drawings"> | null>(null);

  /** A game by its name. */
  nameOf(game: string): string {
    return named(game, this.list);
  }

  /** Ask for the cards. Rejects with a RefusedError. */
  async read(): Promise<void> {
    this.list = await call("library.list");
  }

  /** Ask for the cards, then for their pictures, which take longer. Rejects with a RefusedError. */
  async readWithPictures(): Promise<void> {
    await this.read();
    this.pictures = await call("library.drawings");
  }
}

export const shelf = new Shelf();
