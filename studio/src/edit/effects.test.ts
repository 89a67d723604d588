import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { expect, test } from "vitest";
import { rulesetLanguage } from "./effects";

const styles = tagHighlighter([
  { tag: tags.keyword, class: "keyword" },
  { tag: tags.number, class: "number" },
  { tag: tags.atom, class: "atom" },
  { tag: tags.function(tags.variableName), class: "function" },
  { tag: tags.propertyName, class: "property" },
  { tag: tags.comment, class: "comment" },
]);

function coloured(text: string): [string, string][] {
  const state = EditorState.create({ doc: text, extensions: rulesetLanguage });
  const tree = ensureSyntaxTree(state, text.length, 5000);
  const found: [string, string][] = [];
  if (tree)
    highlightTree(tree, styles, (from, to, style) => found.push([text.slice(from, to), style]));
  return found;
}

test("an expression behind its key is coloured as an effect", () => {
  const found = coloured("rules:\n  - id: a.b\n    value: x is not empty and size(x) >= 3\n");
  expect(found).toContainEqual(["not", "keyword"]);
  expect(found).toContainEqual(["empty", "atom"]);
  expect(found).toContainEqual(["size", "function"]);
  expect(found).toContainEqual(["3", "number"]);
});

test("a block of effects is coloured line by line", () => {
  const found = coloured("  do: |\n    let here = x.cell\n    # why\n    stop if here is empty\n");
  expect(found).toContainEqual(["let", "keyword"]);
  expect(found).toContainEqual(["cell", "property"]);
  expect(found).toContainEqual(["# why", "comment"]);
  expect(found.filter(([text]) => text === "stop" || text === "if")).toHaveLength(2);
});

test("prose stays prose", () => {
  const found = coloured("says: stop if it is not empty\n");
  expect(found.map(([text]) => text)).not.toContain("stop");
});
