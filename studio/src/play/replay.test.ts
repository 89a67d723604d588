import { expect, test } from "vitest";
import { apart } from "./replay";

test("numbers beside one another do not overlap, and stay near to their lines", () => {
  expect(apart([20, 50, 80], 10)).toEqual([20, 50, 80]);
  expect(apart([80, 78, 30], 10)).toEqual([80, 70, 30]);
  // in any order, and where many are equal
  expect(apart([30, 84, 84, 84], 10)).toEqual([30, 84, 74, 64]);
  expect(apart([75, 84, 84], 10)).toEqual([64, 84, 74]);
});
