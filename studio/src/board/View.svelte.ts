/** Where a reader looks: the scale, and the point of the window at which the board's (0, 0) is. */

import type { Box, Point } from "./geometry";

const SMALLEST = 0.12;
const LARGEST = 3;
/** tiles are not drawn larger than this on their own */
const NATURAL = 1;

export class View {
  scale = $state(NATURAL);
  x = $state(0);
  y = $state(0);
  width = $state(0);
  height = $state(0);
  /** the height at the bottom of the window that lies under buttons */
  covered = $state(0);
  /** the reader has moved the board: it is not fitted on its own any more */
  isMoved = $state(false);
  /** a finger or the pointer is moving it right now */
  isMoving = $state(false);

  /** The point of the board under a point of the window. */
  toBoard({ x, y }: Point): Point {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  toWindow({ x, y }: Point): Point {
    return { x: x * this.scale + this.x, y: y * this.scale + this.y };
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.isMoved = true;
  }

  /** Scale by a factor, with the point of the window kept in its place. */
  zoom(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
    const kept = this.toBoard(at);
    this.scale = scale;
    this.x = at.x - kept.x * scale;
    this.y = at.y - kept.y * scale;
    this.isMoved = true;
  }

  /** Show a box of the board whole and in the middle; `smallest` bounds the scale from below. */
  fit(box: Box, margin = 24, smallest = SMALLEST): void {
    if (this.width === 0 || this.height === 0) return;
    const wide = Math.max(40, this.width - 2 * margin);
    const free = Math.max(0, this.height - this.covered);
    const high = Math.max(40, free - 2 * margin);
    this.scale = Math.max(smallest, Math.min(NATURAL, wide / box.width, high / box.height));
    this.x = (this.width - box.width * this.scale) / 2 - box.left * this.scale;
    this.y = (free - box.height * this.scale) / 2 - box.top * this.scale;
    this.isMoved = false;
  }

  /** Whether a box of the board is in the window. */
  shows(box: Box, margin = 4): boolean {
    const start = this.toWindow({ x: box.left, y: box.top });
    return (
      start.x >= margin &&
      start.y >= margin &&
      start.x + box.width * this.scale <= this.width - margin &&
      start.y + box.height * this.scale <= this.height - this.covered - margin
    );
  }

  /** Move as little as is needed to bring a box into the window, and make it at least this large. */
  reveal(box: Box, smallest = 0): void {
    if (this.width === 0) return;
    const moved = this.isMoved;
    if (this.scale < smallest)
      this.zoom(
        smallest / this.scale,
        this.toWindow({ x: box.left + box.width / 2, y: box.top + box.height / 2 }),
      );
    const start = this.toWindow({ x: box.left, y: box.top });
    const wide = box.width * this.scale;
    const high = box.height * this.scale;
    const margin = 12;
    const low = this.height - this.covered - margin;
    if (start.x < margin) this.x += margin - start.x;
    else if (start.x + wide > this.width - margin) this.x -= start.x + wide - this.width + margin;
    if (start.y < margin) this.y += margin - start.y;
    else if (start.y + high > low) this.y -= start.y + high - low;
    this.isMoved = moved;
  }
}
