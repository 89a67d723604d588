// A change of a named value, written into a rules file as a patch.

export interface Written {
  text: string;
  /** where the new value begins and ends */
  from: number;
  to: number;
}

/** The text with a patch that sets `id`; one that is there already is only pointed at. */
export function withPatch(
  text: string,
  id: string,
  value: string,
  prefix: string,
  why: string,
): Written {
  const there = new RegExp(`^.*\\bset: ${escaped(id)}\\b.*$(?:\\n\\s+.*$)*?`, "m").exec(text);
  if (there) {
    const to = /\bto:\s*("[^"]*"|[^\s,}]+)/.exec(text.slice(there.index));
    if (to) {
      const from = there.index + to.index + to[0].length - (to[1]?.length ?? 0);
      return { text, from, to: from + (to[1]?.length ?? 0) };
    }
  }
  const name = `${prefix}.${id.split(".").at(-1) ?? id}`.replace(/[^a-z0-9_.]/g, "_");
  const line = `  - {id: ${name}, set: ${id}, to: ${value}, expect: ${value}, why: ${why}}\n`;
  const section = /^patches:[ \t]*(?:#.*)?\n((?:[ \t#-].*\n?|\n)*)/m.exec(text);
  const body = text && !text.endsWith("\n") ? `${text}\n` : text;
  const at = section ? endOfSection(body, section.index + section[0].length) : body.length;
  const head = section ? "" : "patches:\n";
  const from = at + head.length + line.indexOf(", to: ") + ", to: ".length;
  return { text: body.slice(0, at) + head + line + body.slice(at), from, to: from + value.length };
}

/** The end of a section without the empty lines behind it. */
function endOfSection(text: string, end: number): number {
  let at = Math.min(end, text.length);
  while (at > 1 && text[at - 1] === "\n" && text[at - 2] === "\n") at--;
  return at;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
