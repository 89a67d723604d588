import { expect, test } from "vitest";
import type { StackRow } from "../lib/messages";
import { openStacks } from "./stacks";

function stack(id: string, more: Partial<StackRow>): StackRow {
  return { id, label: id, count: more.pieces?.length ?? 0, owner: null, ...more };
}

test("stacks of nobody show their pieces if there are few and everybody sees them", () => {
  const shown = openStacks([
    stack("few", { pieces: ["a"] }),
    stack("empty", { pieces: [] }),
    stack("large", { pieces: ["a", "b", "c", "d", "e", "f", "g"] }),
    stack("face down", { count: 3 }),
    stack("of a player", { pieces: ["a"], owner: "red" }),
    stack("items", { count: 2, items: [{ id: "a", label: "a", count: 2 }] }),
  ]);
  expect(shown.map((one) => one.id)).toEqual(["few", "items"]);
});
