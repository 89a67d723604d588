import { expect, test } from "vitest";
import { isIn, parts, rest } from "./contents";

const topic = (id: string, label: string) => ({ id, label, statements: [] });

test("topics with two common parts stand under what their labels share", () => {
  const found = parts({
    id: "a",
    topics: [
      topic("a.way.far", "way: how far"),
      topic("a.end", "end"),
      topic("a.way.who", "way: who"),
    ],
  });
  expect(found.map(({ id, label, topics }) => [id, label, topics.length])).toEqual([
    ["a.way", "way", 2],
    ["a.end", "end", 1],
  ]);
});

test("labels without a common beginning give the name of the whole topic, or its id", () => {
  const [named] = parts({ id: "a", topics: [topic("a.b", "bees"), topic("a.b.c", "cows")] });
  const [unnamed] = parts({ id: "a", topics: [topic("a.b.x", "bees"), topic("a.b.c", "cows")] });
  expect(named?.label).toBe("bees");
  expect(unnamed?.label).toBe("b");
});

test("a name holds what is below it, and nothing that only begins alike", () => {
  expect(isIn("a.b.c", "a.b")).toBe(true);
  expect(isIn("a.bc", "a.b")).toBe(false);
  expect(rest("way: how far", "way")).toBe("how far");
  expect(rest("ways", "way")).toBe("ways");
});
