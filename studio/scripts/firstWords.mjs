/**
 * The texts that the page needs before the program has answered, from the catalogues of the
 * program: those around every place, by language.
 */

import { readdirSync, readFileSync } from "node:fs";

const LOCALE = new URL("../../interpreter/tilewright/language/locale/", import.meta.url);
const ENTRY = /^msgid "studio\.((?:ui|gone)_\w+)"\nmsgstr (".+")$/gm;

/** @returns {Record<string, Record<string, string>>} */
export function firstWords() {
  const names = readdirSync(LOCALE).filter((name) => name.endsWith(".po"));
  return Object.fromEntries(
    names.sort().map((name) => {
      const entries = readFileSync(new URL(name, LOCALE), "utf-8").matchAll(ENTRY);
      const texts = [...entries].map(([, key, text]) => [key, JSON.parse(text)]);
      return [name.replace(".po", ""), Object.fromEntries(texts)];
    }),
  );
}
