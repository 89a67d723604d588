import { expect, test } from "vitest";
import type { Offer } from "../board/types";
import { firstHand, fitted, legalCells, offerAt, turned, turnsFor } from "./hand";

function lay(n: number, x: number, y: number, turn: number, piece = "p", face = 0): Offer {
  const words = { label: "", detail: "", confirm: "", group: "", text: "", verb: "lay" };
  return { n, kind: "lay", cell: [x, y], turn, face, piece, ...words };
}

const offers = [lay(0, 1, 0, 1), lay(1, 1, 0, 3), lay(2, 0, 1, 2), lay(3, 5, 5, 0, "q")];

test("a hand fits where an offer says so, and nowhere else", () => {
  const hand = { piece: "p", face: 0, turn: 1 };
  expect(offerAt(offers, hand, [1, 0])?.n).toBe(0);
  expect(offerAt(offers, hand, [0, 1])).toBeUndefined();
  expect(legalCells(offers, hand)).toEqual([
    { cell: [1, 0], fits: true },
    { cell: [0, 1], fits: false },
  ]);
});

test("turning goes through the turns that fit alone, in both directions", () => {
  const ways = turnsFor(offers, "p", [1, 0]);
  expect(ways.map((way) => way.turn)).toEqual([1, 3]);
  const hand = { piece: "p", face: 0, turn: 1 };
  expect(turned(ways, hand, false).turn).toBe(3);
  expect(turned(ways, { ...hand, turn: 3 }, false).turn).toBe(1);
  expect(turned(ways, hand, true).turn).toBe(3);
  expect(turned([], hand, false)).toBe(hand);
});

test("over a cell the piece turns until it fits", () => {
  const hand = { piece: "p", face: 0, turn: 1 };
  expect(fitted(offers, hand, [1, 0]).turn).toBe(1);
  expect(fitted(offers, hand, [0, 1]).turn).toBe(2);
});

test("a piece is held as it is printed if that fits anywhere", () => {
  expect(firstHand(offers, "q")).toEqual({ piece: "q", face: 0, turn: 0 });
  expect(firstHand(offers, "p").turn).toBe(1);
});

test("a piece of two faces turns through both", () => {
  const both = [lay(0, 0, 1, 3, "p", 0), lay(1, 0, 1, 0, "p", 1)];
  const hand = { piece: "p", face: 0, turn: 3 };
  expect(turned(turnsFor(both, "p", [0, 1]), hand, false)).toEqual({
    piece: "p",
    face: 1,
    turn: 0,
  });
});
