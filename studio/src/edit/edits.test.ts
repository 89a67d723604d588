import { expect, test } from "vitest";
import { byFile, edited, offsetOf } from "./edits";
import { withPatch } from "./patch";

const at = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
});

test("edits are made from the end, so that places stay true", () => {
  expect(edited("ab\ncd\n", [at(0, 0, 1, "xyz"), at(1, 1, 2, "")])).toBe("xyzb\nc\n");
  expect(edited("a", [at(0, 1, 1, "b"), at(0, 1, 1, "c")])).toBe("abc");
});

test("a place behind the end is the end", () => {
  expect(offsetOf("ab\ncd", { line: 0, character: 9 })).toBe(2);
  expect(offsetOf("ab\ncd", { line: 7, character: 0 })).toBe(5);
});

test("both forms of a change name their files", () => {
  const found = byFile({
    changes: { "file:///a": [at(0, 0, 0, "x")] },
    documentChanges: [
      { textDocument: { uri: "file:///b" }, edits: [at(0, 0, 0, "y")] },
      { kind: "create", uri: "file:///c" },
    ],
  });
  expect([...found.keys()]).toEqual(["file:///a", "file:///b"]);
});

test("a patch begins a section, joins one, or is found where it stands", () => {
  const first = withPatch("rules: []", "peg.steps", "6", "mine", "so");
  expect(first.text).toBe(
    "rules: []\npatches:\n  - {id: mine.steps, set: peg.steps, to: 6, expect: 6, why: so}\n",
  );
  expect(first.text.slice(first.from, first.to)).toBe("6");
  const second = withPatch(`${first.text}\nvalues: []\n`, "peg.size", "2", "mine", "so");
  expect(second.text).toContain(
    "expect: 6, why: so}\n  - {id: mine.size, set: peg.size, to: 2, expect: 2, why: so}\n",
  );
  expect(second.text.indexOf("peg.size")).toBeLessThan(second.text.indexOf("values:"));
  const again = withPatch(second.text, "peg.steps", "6", "mine", "so");
  expect(again.text).toBe(second.text);
  expect(second.text.slice(again.from, again.to)).toBe("6");
});
