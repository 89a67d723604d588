// Where bars stand: rows of one unit have one scale, which begins at zero.

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

interface Row {
  unit: string;
  values: readonly (Interval | null)[];
}

export interface Scale {
  low: number;
  high: number;
}

export interface Bar {
  side: number;
  /** in hundredths of the line: the bar from zero to the mean, and the interval */
  left: number;
  width: number;
  from: number;
  range: number;
}

/** Room for the number behind a bar, in hundredths. */
const ROOM = 14;

/** The scale of each unit: from zero, or the least value below it, to the greatest value. */
export function scales(rows: readonly Row[]): Map<string, Scale> {
  const found = new Map<string, Scale>();
  for (const { unit, values } of rows) {
    const { low, high } = found.get(unit) ?? { low: 0, high: 0 };
    const ends = values.flatMap((value) => (value ? [value.mean, value.low, value.high] : []));
    const finite = ends.filter((end) => Math.abs(end) < 1e9);
    found.set(unit, { low: Math.min(low, ...finite), high: Math.max(high, ...finite) });
  }
  return found;
}

/** The bars of some values on a scale; a side without a value has none. */
export function bars(values: readonly (Interval | null)[], scale: Scale): Bar[] {
  const size = scale.high - scale.low || 1;
  const place = (x: number): number =>
    ((Math.min(Math.max(x, scale.low), scale.high) - scale.low) / size) * (100 - ROOM);
  return values.flatMap((value, side) => {
    if (!value) return [];
    const [zero, mean] = [place(0), place(value.mean)];
    const [from, to] = [place(value.low), place(value.high)];
    return [
      {
        side,
        left: Math.min(zero, mean),
        width: Math.abs(mean - zero),
        from,
        range: Math.max(to - from, 0.6),
      },
    ];
  });
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
