/**
 * Pointers over a board: a press, hovering, panning with one, panning and zooming with two. A press
 * that moves further than a few pixels is a pan and no press.
 */

import type { Point } from "./geometry";

export interface Gesture {
  press(event: PointerEvent): void;
  hover(event: PointerEvent | null): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  moving(now: boolean): void;
}

const SLACK = 6;

function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

/** An action for an element: follow its pointers. */
export function followPointers(node: HTMLElement, gesture: Gesture): { destroy: () => void } {
  const down = new Map<number, Point>();
  let isPress = false;
  let begin: Point = { x: 0, y: 0 };

  const pointOf = (event: PointerEvent): Point => {
    const bounds = node.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  };

  function pressed(event: PointerEvent): void {
    // buttons over the board have presses of their own
    if (event.button !== 0 || isButton(event.target)) return;
    down.set(event.pointerId, pointOf(event));
    begin = pointOf(event);
    isPress = down.size === 1;
    try {
      node.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that has already gone
    }
  }

  function moved(event: PointerEvent): void {
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") gesture.hover(event);
      return;
    }
    const now = pointOf(event);
    if (isPress && Math.hypot(now.x - begin.x, now.y - begin.y) <= SLACK) return;
    if (isPress) gesture.moving(true);
    isPress = false;
    if (down.size === 1) gesture.pan(now.x - before.x, now.y - before.y);
    if (down.size === 2) pinch(event.pointerId, before, now);
    down.set(event.pointerId, now);
  }

  function pinch(id: number, before: Point, now: Point): void {
    const other = [...down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const apart = (a: Point, b: Point): number => Math.max(20, Math.hypot(a.x - b.x, a.y - b.y));
    const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    const [from, to] = [middle(before, other), middle(now, other)];
    gesture.pan(to.x - from.x, to.y - from.y);
    gesture.zoom(apart(now, other) / apart(before, other), to);
  }

  function released(event: PointerEvent): void {
    if (!down.delete(event.pointerId)) return;
    if (isPress && event.type === "pointerup") gesture.press(event);
    if (down.size === 0) gesture.moving(false);
    isPress = false;
  }

  const left = (): void => gesture.hover(null);
  node.addEventListener("pointerdown", pressed);
  node.addEventListener("pointermove", moved);
  node.addEventListener("pointerup", released);
  node.addEventListener("pointercancel", released);
  node.addEventListener("pointerleave", left);
  return {
    destroy: () => {
      node.removeEventListener("pointerdown", pressed);
      node.removeEventListener("pointermove", moved);
      node.removeEventListener("pointerup", released);
      node.removeEventListener("pointercancel", released);
      node.removeEventListener("pointerleave", left);
    },
  };
}
