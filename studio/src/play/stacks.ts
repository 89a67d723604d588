/** Stacks that lie open beside the board. */
import type { StackRow } from "../lib/messages";

/** Larger stacks are only counted, as in the terminal. */
const MOST_SHOWN = 6;

/** The stacks of nobody whose few pieces or items everybody may see. */
export function openStacks(stacks: readonly StackRow[]): StackRow[] {
  return stacks.filter(
    (stack) =>
      stack.owner === null &&
      stack.count > 0 &&
      stack.count <= MOST_SHOWN &&
      (stack.pieces ?? stack.items) !== undefined,
  );
}
