// A rule for reading: its text in pieces, each with the style of the effect language. The words are
// those of the editor, so that a rule looks the same in both.

import words from "../edit/effect-words.json";

export interface Piece {
  text: string;
  style: "" | "word" | "number" | "string" | "comment" | "name";
}

const WORDS = new Set([...words.keywords, ...words.verbs, ...words.constants, "when", "offer"]);
const TOKEN = /(#[^\n]*)|("[^"\n]*")|(\b[0-9]+\b)|([a-z][a-z0-9_]*)(\()?|[^]/g;

/** A rule's text in pieces. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  const add = (part: string, style: Piece["style"]): void => {
    const last = found.at(-1);
    if (last && last.style === style) last.text += part;
    else found.push({ text: part, style });
  };
  for (const [all, comment, string, number, name, call] of text.matchAll(TOKEN)) {
    if (comment) add(comment, "comment");
    else if (string) add(string, "string");
    else if (number) add(number, "number");
    else if (name && !call && WORDS.has(name)) add(name, "word");
    else if (name && call && !WORDS.has(name)) {
      add(name, "name");
      add("(", "");
    } else if (name && WORDS.has(name)) {
      add(name, "word");
      add("(", "");
    } else add(all, "");
  }
  return found;
}
