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

/** Whether two answers, or parts of them, say the same. */
export function isSame(some: unknown, other: unknown): boolean {
  if (some === other) return true;
  if (!isObject(some) || !isObject(other)) return false;
  if (Array.isArray(some) !== Array.isArray(other)) return false;
  const keys = Object.keys(some);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => isSame(some[key], other[key]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
