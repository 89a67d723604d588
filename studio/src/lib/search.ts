/** Text for comparing: without case and accents. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** Whether a text has each word that somebody looks for. */
export function hasWords(text: string, search: string): boolean {
  const whole = folded(text);
  return folded(search)
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
