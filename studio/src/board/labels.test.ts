import { expect, test } from "vitest";
import { laidOut, type Middle } from "./labels";

const label = (x: number, y: number): Middle => ({ x, y, width: 30, height: 24 });
const figure = (x: number, y: number): Middle => ({ x, y, width: 16, height: 16 });

function covers(one: Middle, other: Middle): boolean {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) / 2 - 0.01 &&
    Math.abs(one.y - other.y) < (one.height + other.height) / 2 - 0.01
  );
}

test("a label stays where nothing is", () => {
  expect(laidOut([label(5, 7)], [figure(100, 100)])).toEqual([label(5, 7)]);
});

test("labels of one place cover neither its figures nor one another", () => {
  const figures = [figure(0, 0), figure(14, 3), figure(-20, 10), figure(4, -18)];
  const found = laidOut([label(0, 0), label(0, 0), label(6, 6)], figures);
  for (const one of found) {
    expect(figures.some((other) => covers(one, other))).toBe(false);
    expect(found.some((other) => other !== one && covers(one, other))).toBe(false);
    expect(Math.hypot(one.x, one.y)).toBeLessThan(80);
  }
});

test("where all is full, a label covers as little as it can", () => {
  const full = Array.from({ length: 41 * 41 }, (_, n) =>
    figure(((n % 41) - 20) * 16, (Math.floor(n / 41) - 20) * 16),
  );
  expect(laidOut([label(0, 0)], full)).toHaveLength(1);
});
