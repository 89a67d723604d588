/**
 * What has not changed from one answer of the program to the next stays the same object, so that what
 * shows it is not made again.
 */

/** The new entries, with the old object for each that is as it was. */
export function reused<T>(
  before: readonly T[],
  now: readonly T[],
  keyOf: (entry: T) => string,
): T[] {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  return now.map((entry) => {
    const old = known.get(keyOf(entry));
    return old !== undefined && isSame(old, entry) ? old : entry;
  });
}

/** Whether two answers say the same; their keys come in the same order. */
export function isSame(some: unknown, other: unknown): boolean {
  return some === other || JSON.stringify(some) === JSON.stringify(other);
}
