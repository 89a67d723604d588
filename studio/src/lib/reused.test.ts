import { expect, test } from "vitest";
import { reused } from "./reused";

test("an entry that is as it was stays the same object", () => {
  const before = [
    { id: "a", points: 1 },
    { id: "b", points: 2 },
  ];
  const now = [
    { id: "b", points: 2 },
    { id: "a", points: 3 },
    { id: "c", points: 0 },
  ];
  const found = reused(before, now, (one) => one.id);
  expect(found).toEqual(now);
  expect(found[0]).toBe(before[1]);
  expect(found[1]).toBe(now[1]);
});
