// The contents of a book: topics under the second part of their names, which many topics share.

interface Topic {
  id: string;
  label: string;
  statements: unknown[];
}

export interface Part<T extends Topic> {
  id: string;
  label: string;
  topics: T[];
}

/** Whether a topic is the one with this name, or one below it. */
export function isIn(topic: string, name: string): boolean {
  return topic === name || topic.startsWith(`${name}.`);
}

/** The topics of a group by the first two parts of their names, in their order. */
export function parts<T extends Topic>(group: { id: string; topics: T[] }): Part<T>[] {
  const found = new Map<string, T[]>();
  for (const topic of group.topics) {
    const id = topic.id.split(".").slice(0, 2).join(".");
    found.set(id, [...(found.get(id) ?? []), topic]);
  }
  return [...found].map(([id, topics]) => ({ id, topics, label: common(id, topics) }));
}

/** The label of a topic below a heading that may say the beginning of it already. */
export function rest(label: string, heading: string): string {
  return label.startsWith(`${heading}: `) ? label.slice(heading.length + 2) : label;
}

/** What the labels of some topics have in common: one label, or all before a colon. */
function common(id: string, topics: Topic[]): string {
  const whole = topics.find((topic) => topic.id === id);
  if (whole && topics.length === 1) return whole.label;
  const heads = new Set(topics.map((topic) => topic.label.split(": ")[0] ?? ""));
  const [head] = heads;
  if (heads.size === 1 && head) return head;
  return whole?.label ?? id.split(".").at(-1) ?? id;
}
