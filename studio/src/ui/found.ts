// What a search shows, in groups: the open book, rulesets, other books.

import type { Result } from "../lib/channel.svelte";

type Hits = Result<"book.search">;

/** Something to open: a statement under its topic, or a ruleset without one. */
export interface Found {
  ruleset: string;
  topic: string;
  text: string;
  note: string;
}

export interface Group {
  /** the key of its name */
  label: string;
  rows: Found[];
  /** how many more there are */
  more: number;
}

/** rows of a group, and rulesets */
const MOST = 6;
const FEW = 4;

interface Asked {
  /** the rulesets of the open book */
  open: readonly string[];
  inBook: Hits | null;
  cards: readonly { id: string; title: string; edition: string }[];
  everywhere: Hits | null;
}

/** The groups that have something in them, the open book first. */
export function found({ open, inBook, cards, everywhere }: Asked): Group[] {
  const groups: Group[] = [];
  const add = (label: string, all: Found[], count: number, most: number): void => {
    if (all.length > 0)
      groups.push({ label, rows: all.slice(0, most), more: Math.max(0, count - most) });
  };
  const here = (inBook?.hits ?? []).map((hit) => told(hit, hit.label));
  add("ui_found_here", here, here.length, here.length);
  const boxes = cards.map((card) => ({
    ruleset: card.id,
    topic: "",
    text: card.title,
    note: card.id,
  }));
  add("ui_found_rulesets", boxes, boxes.length, FEW);
  const others = (everywhere?.hits ?? []).filter((hit) => !open.includes(hit.ruleset));
  const count = (everywhere?.count ?? 0) - (open.length > 0 ? (inBook?.count ?? 0) : 0);
  const rows = others.map((hit) => told(hit, `${hit.title} · ${hit.label}`));
  add("ui_found_elsewhere", rows, count, MOST);
  return groups;
}

function told(hit: Hits["hits"][number], note: string): Found {
  return { ruleset: hit.ruleset, topic: hit.topic, text: hit.text, note };
}
