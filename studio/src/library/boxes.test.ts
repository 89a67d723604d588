import { describe, expect, it } from "vitest";
import { inOrder } from "../compare/suggested";
import { baseOf, boxesFor, toggled } from "./boxes";

const need = (ruleset: string, role = "ground") => ({ role, ruleset, title: ruleset });
const card = (id: string, more: object = {}) => ({
  id,
  title: id,
  kind: "expansion",
  edition: "two",
  needs: [need("plain")],
  statements: 1,
  readable: true,
  ...more,
});
const CARDS = [
  card("alone", { needs: [] }),
  card("small"),
  card("large", { statements: 9 }),
  card("plain", { kind: "base", needs: [] }),
  card("other", { kind: "base", needs: [need("foreign", "more")], edition: "three" }),
  card("foreign", { edition: "three", needs: [need("other")] }),
  card("later", { edition: "four", needs: [need("other")] }),
  card("mine", { kind: "house", needs: [need("large", "x")] }),
  card("torn", { readable: false }),
];
const ids = (cards: { id: string }[]): string[] => cards.map((one) => one.id);

describe("the boxes beside a base game", () => {
  it("are those of its edition and those that need it, the ones with most rules first", () => {
    expect(ids(boxesFor("plain", [], CARDS))).toEqual(["large", "alone", "small"]);
    expect(ids(boxesFor("other", [], CARDS))).toEqual(["foreign", "later"]);
  });

  it("begin with those that house rules change", () => {
    const cards = [...CARDS, card("extra", { kind: "house", needs: [need("small", "x")] })];
    expect(ids(boxesFor("plain", [], cards))).toEqual(["large", "small", "alone"]);
  });

  it("have what else is picked behind them", () => {
    const found = boxesFor("plain", ["plain", "mine", "small:tiles"], CARDS);
    expect(ids(found)).toEqual(["large", "alone", "small", "mine"]);
  });

  it("stand on a base, which comes first in every list", () => {
    expect(ids(inOrder(CARDS)).slice(0, 3)).toEqual(["other", "plain", "alone"]);
    expect(baseOf(["plain", "small"], CARDS)).toBe("plain");
    expect(baseOf(["mine"], CARDS)).toBe("plain");
    expect(baseOf(["nowhere", "alone"], CARDS)).toBe("");
  });

  it("are ticked and unticked, and the base stays", () => {
    expect(toggled([], "plain", "small")).toEqual(["plain", "small"]);
    expect(toggled(["plain", "small:tiles"], "plain", "small")).toEqual(["plain"]);
    expect(toggled(["small"], "plain", "small")).toEqual(["plain"]);
    expect(toggled(["mine"], "plain", "small")).toEqual(["mine", "small"]);
  });
});
