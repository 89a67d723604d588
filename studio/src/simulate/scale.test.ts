import { expect, test } from "vitest";
import { bars, shown } from "./scale";

test("the widest ends are the ends of the line, in order", () => {
  const [one, other] = bars([
    { mean: 2, low: 1, high: 3 },
    { mean: 6, low: 5, high: 7 },
  ]);
  expect(one!.left).toBeCloseTo(12);
  expect(other!.left + other!.width).toBeCloseTo(88);
  expect(one!.left + one!.width).toBeLessThan(other!.left);
  expect(one!.middle).toBeCloseTo(one!.left + one!.width / 2);
});

test("a side without a value has no bar, and equal values stand in the middle", () => {
  expect(bars([null, { mean: 4, low: 4, high: 4 }])).toEqual([
    { side: 1, left: 50, width: 1.2, middle: 50 },
  ]);
  expect(bars([null])).toEqual([]);
});

test("an endless interval has no bar", () => {
  expect(bars([{ mean: 1, low: -Infinity, high: Infinity }])).toEqual([]);
});

test("numbers follow the language, and shares are percents", () => {
  expect(shown(1.456, false, "en")).toBe("1.46");
  expect(shown(54.44, false, "pl")).toBe("54,4");
  expect(shown(0.126, true, "en")).toBe("12.6%");
});
