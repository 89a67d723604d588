/** Going through the choices of a match: the nodes of its tree, scorings, branches. */

import type { Result } from "../lib/channel.svelte";

export type Tree = Result<"match.tree">;
export type Node = Tree["nodes"][number];

/** The nodes of the line that is shown, from the start to its tip. */
export function lineOf(tree: Tree): Node[] {
  return tree.line.map((id) => tree.nodes[id]).filter((node) => node !== undefined);
}

/**
 * The tree with this node as the one that is shown; null if that cannot be known without reading it
 * again: nodes before it are missing, or it is on a line that is not shown.
 */
export function grown(tree: Tree, node: Node): Tree | null {
  if (tree.line.includes(node.id)) return { ...tree, at: node.id };
  const parent = tree.nodes[node.parent];
  if (!parent || node.id !== tree.nodes.length) return null;
  const nodes = [...tree.nodes, node];
  nodes[parent.id] = { ...parent, children: [...parent.children, node.id] };
  const end = tree.line.indexOf(parent.id) + 1;
  if (end === 0) return null;
  return { ...tree, nodes, line: [...tree.line.slice(0, end), node.id], at: node.id };
}

/** Points gained with a choice, by anybody. */
export function gained(node: Node): number {
  return node.gains.reduce((sum, gain) => sum + Math.max(0, gain.points), 0);
}

/** The last award with points up to the node that is shown; null before the first. */
export function lastAward(tree: Tree): number | null {
  const line = lineOf(tree);
  const until = line.slice(0, line.findIndex((node) => node.id === tree.at) + 1);
  const gains = until.flatMap((node) => node.gains);
  return gains.findLast((gain) => gain.points !== 0)?.award ?? null;
}

/** The node some choices on, or the next scoring in that direction. */
export function stepped(tree: Tree, step: number, scoring: boolean): number | null {
  const line = lineOf(tree);
  const now = line.findIndex((node) => node.id === tree.at);
  if (!scoring) return line[Math.min(line.length - 1, Math.max(0, now + step))]?.id ?? null;
  const ahead = step > 0 ? line.slice(now + 1) : line.slice(0, Math.max(0, now)).reverse();
  return ahead.find((node) => gained(node) > 0)?.id ?? null;
}

/** The sibling before or after a node: another branch at the same choice. */
export function sibling(tree: Tree, step: number): number | null {
  const node = tree.nodes[tree.at];
  const others = tree.nodes[node?.parent ?? -1]?.children ?? [];
  const place = others.indexOf(tree.at);
  return place < 0 ? null : (others[place + step] ?? null);
}

/** Heights moved upwards, as little as is needed, until each is so far from the next; y grows down. */
export function apart(heights: readonly number[], least: number): number[] {
  const found = [...heights];
  let above = Infinity;
  const lowest = heights.map((_, n) => n).sort((a, b) => found[b]! - found[a]!);
  for (const n of lowest) found[n] = above = Math.min(found[n]!, above - least);
  return found;
}

/** milliseconds between choices while a match runs on its own */
export const RUN = 900;
