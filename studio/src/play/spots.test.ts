import { expect, test } from "vitest";
import type { Offer } from "../board/types";
import { caption, listed, numbersOf, spotsOf } from "./spots";

function offer(n: number, kind: Offer["kind"], more: Partial<Offer> = {}): Offer {
  const words = { label: "", detail: "", confirm: "", group: "", text: "", verb: "" };
  return { n, kind, ...words, ...more };
}

test("the list has every option but placements and the pass, numbered from one", () => {
  const offers = [offer(0, "lay"), offer(1, "figure"), offer(2, "player"), offer(3, "pass")];
  expect(listed(offers).map(({ offer: one, number }) => [one.n, number])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test("options of one place share a spot, and the chosen one is drawn", () => {
  const at = [0.5, 0.2];
  const shows = { kind: "a", owner: "red", lying: false };
  const offers = [
    offer(4, "figure", { cell: [1, 2], at, shows }),
    offer(5, "figure", { cell: [1, 2], at, shows: { ...shows, kind: "b" } }),
    offer(6, "cell", { cell: [3, 3] }),
    offer(7, "number", { number: 3 }),
  ];
  const spots = spotsOf(offers, 5, { red: "#f00" });
  expect(spots).toHaveLength(2);
  expect(spots[0]).toMatchObject({ caption: "1–2", offers: [4, 5], isChosen: true });
  expect(spots[0]?.shows).toEqual({ kind: "b", lying: false, colour: "#f00" });
  expect(spots[1]).toMatchObject({ caption: "3", at: null, isChosen: false });
});

test("captions are short", () => {
  expect([[3], [3, 4, 5], [3, 9], [3, 9, 12]].map(caption)).toEqual(["3", "3–5", "3,9", "3…"]);
});

test("more numbers than a dozen are typed or stepped", () => {
  const numbers = (count: number): Offer[] =>
    Array.from({ length: count }, (_, n) => offer(n, "number", { number: 30 - n }));
  expect(numbersOf(numbers(12))).toBeNull();
  const found = numbersOf([...numbers(13), offer(13, "pass")]);
  expect([...(found?.keys() ?? [])]).toEqual([...Array(13).keys()].map((n) => 18 + n));
  expect(found?.get(30)?.n).toBe(0);
  expect(numbersOf([...numbers(13), offer(13, "player")])).toBeNull();
});
