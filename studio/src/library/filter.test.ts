import { expect, test } from "vitest";
import { counted, isShown, needed, ranked, type Card, type Filters } from "./filter";

const card = (id: string, rest: Partial<Card> = {}): Card => ({
  id,
  title: id,
  says: "",
  edition: "one",
  kind: "base",
  year: null,
  needs: [],
  topics: [],
  words: "",
  ...rest,
});
const all: Filters = { text: "", kinds: [], editions: [], topics: [], needs: [], fits: null };

test("every word must occur, in any part of it, without regard to case and accents", () => {
  const one = card("a/b", { title: "Żółta łąka", words: "peg" });
  expect(isShown(one, { ...all, text: "zołta PEG" })).toBe(true);
  expect(isShown(one, { ...all, text: "zołta bead" })).toBe(false);
});

test("cards with the words in their title come first, then in the id, the labels and the text", () => {
  const cards = [
    card("a", { says: "A comet" }),
    card("b", { words: "comet" }),
    card("c", { title: "Comets" }),
    card("comet", { title: "d" }),
    card("e", { title: "Comet" }),
  ];
  expect(ranked(cards, "comet").map((one) => one.id)).toEqual(["c", "e", "comet", "b", "a"]);
  expect(ranked(cards, "").map((one) => one.id)).toEqual(cards.map((one) => one.id));
});

test("filters of different kinds must all hold, choices of one kind are alternatives", () => {
  const one = card("a", { topics: ["x", "y"], edition: "two" });
  expect(isShown(one, { ...all, topics: ["y", "z"] })).toBe(true);
  expect(isShown(one, { ...all, topics: ["y"], editions: ["one"] })).toBe(false);
  expect(isShown(one, { ...all, fits: new Set(["b"]) })).toBe(false);
});

test("a count is what a choice would show beside the other filters", () => {
  const cards = [card("a", { kind: "base" }), card("b", { kind: "extra", edition: "two" })];
  const filters = { ...all, editions: ["two"], kinds: ["base"] };
  expect([...counted(cards, filters, "kinds")]).toEqual([["extra", 1]]);
  expect([...counted(cards, filters, "editions")]).toEqual([["one", 1]]);
});

const need = (ruleset: string, title: string): Card["needs"][number] => ({
  role: ruleset,
  ruleset,
  title,
});

test("a card is found by any ruleset that it needs", () => {
  const cards = [
    card("a", { needs: [need("x", "X"), need("y", "Y")] }),
    card("b", { needs: [need("y", "Y"), need("y", "Y")] }),
    card("c"),
  ];
  const shown = cards.filter((one) => isShown(one, { ...all, needs: ["x", "z"] }));
  expect(shown.map((one) => one.id)).toEqual(["a"]);
  expect([...counted(cards, all, "needs")]).toEqual([
    ["x", 1],
    ["y", 2],
  ]);
});

test("rulesets of one title that are needed are told apart by their edition", () => {
  const cards = [
    card("one/x", { edition: "one" }),
    card("two/x", { edition: "two" }),
    card("a", { needs: [need("two/x", "X"), need("b", "B")] }),
    card("b", { needs: [need("one/x", "X")] }),
  ];
  expect(needed(cards)).toEqual([
    { id: "b", label: "B" },
    { id: "one/x", label: "X (one)" },
    { id: "two/x", label: "X (two)" },
  ]);
});
