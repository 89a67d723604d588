import { expect, test } from "vitest";
import {
  boxOf,
  cellAt,
  corner,
  inReadingOrder,
  nextCell,
  pointIn,
  turnedPlace,
  turnedStep,
  type Cell,
} from "./geometry";

test("a cell is found again under every point of its tile", () => {
  for (const cell of [
    [0, 0],
    [3, -2],
    [-4, 5],
  ] as const) {
    const { x, y } = corner(cell);
    for (const [dx, dy] of [
      [0, 0],
      [99, 99],
      [50, 1],
    ] as const) {
      const found = cellAt({ x: x + dx, y: y + dy });
      expect([found[0] + 0, found[1] + 0]).toEqual([...cell]);
    }
  }
});

test("north is up", () => {
  expect(corner([0, 1]).y).toBeLessThan(corner([0, 0]).y);
  expect(pointIn([0, 0], [0.5, 0]).y).toBe(0);
});

test("four quarter turns are none, and one turns north to east", () => {
  expect(turnedPlace([0.2, 0.1], 4)).toEqual([0.2, 0.1]);
  expect(turnedPlace([0.5, 0], 1)).toEqual([1, 0.5]);
  expect(turnedStep(0, 1, 1)).toEqual([1, -0]);
  expect(turnedStep(1, 2, 2)).toEqual([-1, -2]);
});

test("a box holds all cells, and one tile if there are none", () => {
  const box = boxOf([
    [0, 0],
    [2, 1],
  ]);
  expect([box.left, box.top, box.width, box.height]).toEqual([0, -100, 300, 200]);
  expect(boxOf([]).width).toBe(100);
});

test("an arrow goes to the nearest cell that way, and round at the end", () => {
  const cells: Cell[] = [
    [0, 2],
    [3, 0],
    [1, 0],
    [-2, -1],
  ];
  expect(nextCell([0, 0], cells, "ArrowRight")).toEqual([1, 0]);
  expect(nextCell([1, 0], cells, "ArrowRight")).toEqual([3, 0]);
  expect(nextCell([3, 0], cells, "ArrowRight")).toEqual([-2, -1]);
  expect(nextCell([0, 0], cells, "ArrowUp")).toEqual([0, 2]);
  expect(nextCell([0, 0], cells, "Enter")).toBeNull();
  expect(nextCell([0, 0], [], "ArrowUp")).toBeNull();
});

test("arrows reach every cell from every cell", () => {
  const cells: Cell[] = [
    [0, 2],
    [3, 0],
    [1, 0],
    [-2, -1],
    [-2, 4],
    [5, 5],
  ];
  for (const start of cells) {
    const seen = new Set([String(start)]);
    const open = [start];
    while (open.length > 0) {
      const from = open.pop()!;
      for (const arrow of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
        const next = nextCell(from, cells, arrow);
        if (next && !seen.has(String(next))) {
          seen.add(String(next));
          open.push(next);
        }
      }
    }
    expect(seen.size).toBe(cells.length);
  }
});

test("cells are read from north to south and from west to east", () => {
  expect(
    inReadingOrder([
      [0, 0],
      [1, 1],
      [-1, 1],
    ]),
  ).toEqual([
    [-1, 1],
    [1, 1],
    [0, 0],
  ]);
});
