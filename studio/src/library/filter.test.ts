import { expect, test } from "vitest";
import { counted, isShown, type Card, type Filters } from "./filter";

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
const all: Filters = { text: "", kinds: [], editions: [], topics: [], fits: null };

test("every word must occur, in any part of it, without regard to case and accents", () => {
  const one = card("a/b", { title: "Żółta łąka", words: "peg" });
  expect(isShown(one, { ...all, text: "zołta PEG" })).toBe(true);
  expect(isShown(one, { ...all, text: "zołta bead" })).toBe(false);
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
