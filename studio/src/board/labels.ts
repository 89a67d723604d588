/** Where labels lie on a board: near to what they are about, and over nothing that has to be seen. */

/** A box by its middle. */
export interface Middle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** rings round the wanted place that are tried, half a label apart */
const RINGS = 12;

function overlap(one: Middle, other: Middle): number {
  const wide = (one.width + other.width) / 2 - Math.abs(one.x - other.x);
  const high = (one.height + other.height) / 2 - Math.abs(one.y - other.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/**
 * The labels at the nearest places that are free of `taken` boxes and of one another; where none is
 * free, at the one that covers least.
 */
export function laidOut(labels: readonly Middle[], taken: readonly Middle[]): Middle[] {
  const found: Middle[] = [];
  for (const label of labels) {
    let best = label;
    let least = Infinity;
    for (const place of around(label)) {
      const covered = [...taken, ...found].reduce((sum, one) => sum + overlap(place, one), 0);
      if (covered < least) [best, least] = [place, covered];
      if (least === 0) break;
    }
    found.push(best);
  }
  return found;
}

/** A label where it is wanted, then in rings round that place. */
function* around(label: Middle): Generator<Middle> {
  yield label;
  for (let ring = 1; ring <= RINGS; ring++) {
    for (let n = 0; n < 8 * ring; n++) {
      const angle = (n / (8 * ring)) * 2 * Math.PI - Math.PI / 2;
      const away = (ring * label.height) / 2;
      yield {
        ...label,
        x: label.x + away * Math.cos(angle),
        y: label.y + away * Math.sin(angle),
      };
    }
  }
}
