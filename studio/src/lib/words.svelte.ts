/**
 * Words of the interface in the language of the reader. They come from the program, from the same
 * catalogues as the command line; a component names a word by its key.
 */

import type { Result } from "./channel.svelte";
import { settings } from "./settings.svelte";

type Words = Result<"words">;

/** Texts that are needed before the program has answered, by language. */
declare const __FIRST_WORDS__: Record<string, Record<string, string>>;

const KEPT = "tilewright.catalogue";

const known = $state<{ now: Words }>({ now: firstWords() });

/** A word or a sentence; `names` fill its places, and the number `n` decides its plural. */
export function w(key: string, names: Record<string, string | number> = {}): string {
  const found = known.now.texts[key];
  if (found === undefined) return key;
  const text = typeof found === "string" ? found : (found[form(Number(names["n"] ?? 0))] ?? key);
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(names[name] ?? all));
}

/** Whether a word is known: words for things that only some programs send. */
export function hasWord(key: string): boolean {
  return key in known.now.texts;
}

/** The language in which words are shown. */
export function language(): string {
  return known.now.language;
}

/** Take the words of a language. */
export function setWords(words: Words): void {
  known.now = words;
  document.documentElement.lang = words.language;
  try {
    localStorage.setItem(KEPT, JSON.stringify(words));
  } catch {
    // a browser without a store asks again
  }
}

/** The language to ask for: the reader's own choice, else one of the browser's that is there. */
export function wanted(languages: readonly string[]): string {
  const asked = [settings.language, ...navigator.languages.map((name) => name.slice(0, 2))];
  return asked.find((name) => languages.includes(name)) ?? languages[0] ?? "en";
}

/** The place of the plural form of a number, as the catalogue of the language has it. */
function form(number: number): number {
  const whole = Math.abs(Math.trunc(number));
  return known.now.plurals[whole < 200 ? whole : 100 + (whole % 100)] ?? 0;
}

/** The words of the last visit; on the first one those that are needed without the program. */
function firstWords(): Words {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    if (kept && typeof kept === "object" && "plurals" in kept) return kept as Words;
  } catch {
    // damaged: as on the first visit
  }
  const name = wanted(Object.keys(__FIRST_WORDS__));
  return { language: name, plurals: [], texts: __FIRST_WORDS__[name] ?? {} };
}
