/**
 * Words of the interface in the language of the reader. They come from the program, from the same
 * catalogues as the command line; a component names a word by its key.
 */

import { settings } from "./settings.svelte";

type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;
export type Entries = Record<string, string | Plural>;

declare const __FIRST_WORDS__: Record<string, Entries>;

const KEPT = "tilewright.words";

const known = $state<{ language: string; entries: Entries }>(firstWords());
const rules = $derived(new Intl.PluralRules(known.language));

/** A word or a sentence; `names` fill its places, and `count` decides its plural. */
export function w(key: string, names: Record<string, string | number> = {}): string {
  const found = known.entries[key];
  if (found === undefined) return key;
  const text = typeof found === "string" ? found : plural(found, names["count"]);
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(names[name] ?? all));
}

/** Whether a word is known: words for things that only some programs send. */
export function hasWord(key: string): boolean {
  return key in known.entries;
}

/** The language in which words are shown. */
export function language(): string {
  return known.language;
}

/** Take the words of a language. */
export function setWords(name: string, entries: Entries): void {
  known.language = name;
  known.entries = entries;
  document.documentElement.lang = name;
  try {
    localStorage.setItem(KEPT, JSON.stringify(known));
  } catch {
    // a browser without a store asks again
  }
}

/** The language to ask for: the reader's own choice, else one of the browser's that is there. */
export function wanted(languages: readonly string[]): string {
  const asked = [settings.language, ...navigator.languages.map((name) => name.slice(0, 2))];
  return asked.find((name) => languages.includes(name)) ?? languages[0] ?? "en";
}

function plural(forms: Plural, count: string | number | undefined): string {
  const name = rules.select(Number(count ?? 0));
  return forms[name] ?? forms.other ?? forms.many ?? "";
}

/** The words of the last visit; on the first one those that are needed without the program. */
function firstWords(): { language: string; entries: Entries } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    if (kept && typeof kept === "object" && "entries" in kept)
      return kept as { language: string; entries: Entries };
  } catch {
    // damaged: as on the first visit
  }
  const name = wanted(Object.keys(__FIRST_WORDS__));
  return { language: name, entries: __FIRST_WORDS__[name] ?? {} };
}
