import { expect, test } from "vitest";
import { named, type Cards } from "./named";

const list = {
  cards: [
    { id: "a/base", title: "Base", edition: "a" },
    { id: "b/base", title: "Base", edition: "b" },
    { id: "a/extra", title: "Extra", edition: "a" },
  ],
  editions: [
    { id: "a", label: "first" },
    { id: "b", label: "second" },
  ],
} as unknown as Cards;

test("a game is named by its titles, with the edition where two have one title", () => {
  expect(named("b/base+a/extra:tiles?open=yes", list)).toBe("Base · second + Extra");
});

test("what no card has is named as it was written, and nothing by its id before the cards are there", () => {
  expect(named("x/own", list)).toBe("x/own");
  expect(named("a/base", null)).toBe("…");
});
