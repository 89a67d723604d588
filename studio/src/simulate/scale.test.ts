import { expect, test } from "vitest";
import { bars, scales, shown } from "./scale";

const exact = (mean: number) => ({ mean, low: mean, high: mean });

test("rows of one unit have one scale, which begins at zero", () => {
  const found = scales([
    { unit: "points", values: [{ mean: 30, low: 28, high: 32 }, exact(38)] },
    { unit: "points", values: [exact(2), null] },
    { unit: "turns", values: [exact(92), exact(101)] },
  ]);
  expect(found.get("points")).toEqual({ low: 0, high: 38 });
  expect(found.get("turns")).toEqual({ low: 0, high: 101 });
});

test("bars are as long as their values, and those of two rows can be compared", () => {
  const scale = { low: 0, high: 100 };
  const [one, other] = bars([exact(92), exact(100)], scale);
  expect(one!.width / other!.width).toBeCloseTo(0.92);
  expect(one!.left).toBe(0);
  const [small] = bars([exact(4)], scale);
  expect(small!.width / other!.width).toBeCloseTo(0.04);
});

test("a loss goes to the other side of zero, and its interval lies around its end", () => {
  const [bar] = bars([{ mean: -10, low: -15, high: -5 }], { low: -20, high: 20 });
  expect(bar!.left + bar!.width).toBeCloseTo(43);
  expect(bar!.from + bar!.range / 2).toBeCloseTo(bar!.left);
});

test("a side without a value has no bar, and an endless interval ends with the scale", () => {
  const scale = scales([{ unit: "x", values: [null, { mean: 1, low: -1e9, high: 1e9 }] }]);
  expect(scale.get("x")).toEqual({ low: 0, high: 1 });
  const found = bars([null, { mean: 1, low: -1e9, high: 1e9 }], scale.get("x")!);
  expect(found).toHaveLength(1);
  expect(found[0]!.from + found[0]!.range).toBeCloseTo(86);
});

test("numbers follow the language, and shares are percents", () => {
  expect(shown(1.456, false, "en")).toBe("1.46");
  expect(shown(54.44, false, "pl")).toBe("54,4");
  expect(shown(0.126, true, "en")).toBe("12.6%");
});
