import { expect, test } from "vitest";
import { crowdsOf, levelOf } from "./levels";
import type { BoardFigure } from "./types";

function figure(id: string, owner: string, at: [number, number]): BoardFigure {
  return {
    id,
    kind: "person",
    label: "",
    owner,
    cell: [0, 0],
    at,
    place: "",
    segment: "c1",
    lying: false,
  };
}

test("a level ends a little later than it begins", () => {
  expect(levelOf(0.43, "")).toBe("far");
  expect(levelOf(0.45, "far")).toBe("far");
  expect(levelOf(0.45, "")).toBe("");
  expect(levelOf(1.2, "")).toBe("near");
  expect(levelOf(1.15, "near")).toBe("near");
  expect(levelOf(1.15, "far")).toBe("");
});

test("figures of their usual size are drawn one by one", () => {
  const figures = [figure("a", "red", [0.5, 0.5]), figure("b", "red", [0.74, 0.38])];
  expect(crowdsOf(figures, 1).map(({ x, y, count }) => [x, y, count])).toEqual([
    [50, 50, 1],
    [74, 38, 1],
  ]);
});

test("small figures of a segment stand apart, and equal ones are drawn once", () => {
  const figures = [
    figure("a", "red", [0.5, 0.5]),
    figure("b", "red", [0.74, 0.38]),
    figure("c", "blue", [0.26, 0.38]),
  ];
  expect(crowdsOf(figures, 2).map(({ figure, x, y, count }) => [figure.id, x, y, count])).toEqual([
    ["a", 50, 50, 2],
    ["c", 2, 26, 1],
  ]);
});
