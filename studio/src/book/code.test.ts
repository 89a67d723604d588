import { expect, test } from "vitest";
import { pieces } from "./code";

test("a rule keeps every letter of its text", () => {
  const text = 'let a = {b}\nchoose c in f(a) by active as "x" { return c } # why\n';
  expect(
    pieces(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});

test("words of the language, numbers, texts and called names have their styles", () => {
  const found = pieces('if worth(x) >= 3 { award 1 to p } choose y as "go"');
  const styled = (style: string): string[] =>
    found.filter((piece) => piece.style === style).map((piece) => piece.text);
  expect(styled("word")).toEqual(["if", "award", "to", "choose", "as"]);
  expect(styled("number")).toEqual(["3", "1"]);
  expect(styled("name")).toEqual(["worth"]);
  expect(styled("string")).toEqual(['"go"']);
});
