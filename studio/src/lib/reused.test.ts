import { expect, test } from "vitest";
import { isSame, reused } from "./reused";

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

test("answers are the same if all of their parts are", () => {
  expect(isSame({ a: [1, null], b: "x" }, { a: [1, null], b: "x" })).toBe(true);
  expect(isSame({ a: [1, 2] }, { a: [1] })).toBe(false);
  expect(isSame({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(isSame({ b: undefined }, { c: undefined, d: 1 })).toBe(false);
  expect(isSame([], {})).toBe(false);
  expect(isSame(null, {})).toBe(false);
});
