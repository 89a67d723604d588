import { describe, expect, it } from "vitest";
import { found } from "./found";

const hit = (ruleset: string, text: string) => ({
  ruleset,
  title: ruleset.toUpperCase(),
  topic: "a.b",
  label: "A: b",
  text,
});
const hits = (...rows: ReturnType<typeof hit>[]) => ({
  hits: rows,
  count: rows.length,
  waiting: 0,
});
const CARD = { id: "one", title: "One", edition: "" };

describe("what a search shows", () => {
  it("begins with the open book and leaves its sentences out of the others", () => {
    const here = hit("open", "here");
    const groups = found({
      open: ["open"],
      inBook: hits(here),
      cards: [CARD],
      everywhere: hits(hit("far", "there"), here),
    });
    expect(groups.map((group) => [group.label, group.rows.map((row) => row.text)])).toEqual([
      ["ui_found_here", ["here"]],
      ["ui_found_rulesets", ["One"]],
      ["ui_found_elsewhere", ["there"]],
    ]);
    expect(groups.map((group) => group.more)).toEqual([0, 0, 0]);
  });

  it("has a few of each group and says how many more there are", () => {
    const many = Array.from({ length: 20 }, (_, n) => hit("far", `row ${n}`));
    const groups = found({ open: [], inBook: null, cards: [], everywhere: hits(...many) });
    expect(groups).toHaveLength(1);
    expect(groups[0]?.rows.length).toBeLessThan(20);
    expect(groups[0]?.more).toBe(20 - (groups[0]?.rows.length ?? 0));
  });

  it("has no empty group", () => {
    expect(found({ open: [], inBook: hits(), cards: [], everywhere: hits() })).toEqual([]);
  });
});
