/**
 * The seats of a match that this window only watches: their players are at other screens. The window
 * remembers them; the program does not need to know.
 */

const KEY = "tilewright.watched.";

/** The ids of the seats that are only watched. */
export function watchedSeats(match: string): string[] {
  const kept = sessionStorage.getItem(KEY + match);
  return kept ? kept.split(" ") : [];
}

export function watchSeats(match: string, seats: readonly string[]): void {
  if (seats.length > 0) sessionStorage.setItem(KEY + match, seats.join(" "));
  else sessionStorage.removeItem(KEY + match);
}
