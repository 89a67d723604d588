import { expect, test } from "vitest";
import { grouped, pairs } from "./suggested";

type Cards = Parameters<typeof pairs>[0];
const card = (
  id: string,
  edition: string,
  topics: string,
  needs = "",
  own = false,
): Cards[number] =>
  ({
    ...{ id, title: id, edition, own, kind: own ? "house" : "expansion" },
    provides: topics.split(" "),
    statements: topics.length,
    needs: needs.split(" ").filter(Boolean),
  }) as unknown as Cards[number];
const CARDS = [
  card("a/more", "a", "x y", "base"),
  card("a/base", "a", "p q r t"),
  card("b/base", "b", "p q r s"),
  card("b/other", "b", "x", "base"),
  card("mine", "b", "p q r", "base", true),
];

test("all rulesets are in groups by edition, those that stand alone first, own ones before all", () => {
  const editions = [
    { id: "a", label: "First" },
    { id: "b", label: "Second" },
  ];
  const found = grouped(CARDS, editions as never, "House").map(({ label, cards }) => [
    label,
    ...cards.map((one) => one.id),
  ]);
  expect(found).toEqual([
    ["House", "mine"],
    ["First", "a/base", "a/more"],
    ["Second", "b/base", "b/other"],
  ]);
});

test("pairs are of two editions and have one name or one role", () => {
  expect(pairs(CARDS).map((pair) => pair.map((one) => one.id))).toEqual([
    ["a/base", "b/base"],
    ["a/more", "b/other"],
  ]);
});
