// Colours for the effect language inside YAML: values of some keys are parsed as effects.
// The words come from a generated file; nothing here knows a ruleset.

import { yamlLanguage } from "@codemirror/lang-yaml";
import {
  LanguageSupport,
  LRLanguage,
  StreamLanguage,
  type StringStream,
} from "@codemirror/language";
import { parseMixed, type Input, type SyntaxNodeRef } from "@lezer/common";
import words from "./effect-words.json";

const KEYS = new Set(words.keys);
const CONSTANTS = new Set(words.constants);
const KEYWORDS = new Set(words.keywords);
const VERBS = new Set(words.verbs);
const GLOBALS = new Set(words.globals);

/** The style name of the next token of an effect; null for what has no style. */
export function effectToken(stream: StringStream): string | null {
  if (stream.match(/\s+/)) return null;
  if (stream.match(/#[^\n]*/)) return "comment";
  if (stream.match(/"[^"\n]*"?/)) return "string";
  if (stream.match(/[0-9]+/)) return "number";
  if (stream.match(/<=|>=|!=|\.\.|[=<>+*-]/)) return "operator";
  const isAttribute = stream.pos > 0 && stream.string[stream.pos - 1] === ".";
  const name = stream.match(/[a-z][a-z0-9_]*/) as RegExpMatchArray | null;
  if (name === null) {
    stream.next();
    return null;
  }
  if (isAttribute) return "propertyName";
  const isCalled = stream.peek() === "(";
  if (CONSTANTS.has(name[0])) return "atom";
  if (isCalled && !KEYWORDS.has(name[0])) return "variableName.function";
  if (KEYWORDS.has(name[0]) || VERBS.has(name[0])) return "keyword";
  return GLOBALS.has(name[0]) ? "variableName.standard" : "variableName";
}

export const effectLanguage = StreamLanguage.define<object>({
  name: "effects",
  startState: () => ({}),
  token: effectToken,
  languageData: { commentTokens: { line: "#" } },
});

/** Whether a node of a YAML tree is the value of a key that holds an effect. */
function isEffect(node: SyntaxNodeRef, input: Input): boolean {
  if (node.name !== "Literal" && node.name !== "BlockLiteralContent") return false;
  let pair = node.node.parent;
  while (pair && pair.name !== "Pair") {
    if (pair.name === "Key" || pair.name === "FlowSequence") return false;
    pair = pair.parent;
  }
  const key = pair?.getChild("Key");
  return !!key && KEYS.has(input.read(key.from, key.to));
}

const mixed = yamlLanguage.configure({
  wrap: parseMixed((node, input) =>
    isEffect(node, input) ? { parser: effectLanguage.parser } : null,
  ),
}) as LRLanguage;

/** YAML whose effects are coloured. */
export const rulesetLanguage = new LanguageSupport(mixed);
