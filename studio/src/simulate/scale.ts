// Where bars stand: two intervals or more on one line, with a little room at both ends.

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

export interface Bar {
  side: number;
  /** in hundredths of the line */
  left: number;
  width: number;
  middle: number;
}

const ROOM = 12;

/** The bars of some intervals; a side without a value has none. Equal ends stand in the middle. */
export function bars(values: readonly (Interval | null)[]): Bar[] {
  const there = values.flatMap((value, side) => (value ? [{ ...value, side }] : []));
  const finite = there.filter((one) => Number.isFinite(one.low) && Number.isFinite(one.high));
  const low = Math.min(...finite.map((one) => one.low));
  const high = Math.max(...finite.map((one) => one.high));
  const place = (x: number): number =>
    high > low ? ROOM + ((x - low) / (high - low)) * (100 - 2 * ROOM) : 50;
  return finite.map((one) => ({
    side: one.side,
    left: place(one.low),
    width: Math.max(place(one.high) - place(one.low), 1.2),
    middle: place(one.mean),
  }));
}

/** A number as it is shown: two digits for small ones, else one, shares in hundredths. */
export function shown(value: number, share: boolean, language: string): string {
  if (share)
    return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(
      value,
    );
  const digits = Math.abs(value) < 10 ? 2 : 1;
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}
