/** Points as people write them: with a sign, and with a true minus. */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`;
}

/** A moment of the program in the words of the reader's language: its date and its time. */
export function when(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.valueOf())) return "";
  return date.toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}
