/** What a board shows besides its tiles and figures. */

import type { Result } from "../lib/channel.svelte";
import type { Cell } from "./geometry";

export type MatchState = Result<"match.state">;
export type BoardState = MatchState["board"];
export type BoardTile = BoardState["tiles"][number];
export type BoardFigure = BoardState["figures"][number];
export type Offer = MatchState["offers"][number];

/** A piece that is held over the board. */
export interface Ghost {
  piece: string;
  face: number;
  turn: number;
  cell: Cell;
  /** it was put there and waits to be laid */
  isPut: boolean;
}

/** A cell where the piece in hand may go. */
export interface Legal {
  cell: Cell;
  /** as it lies, or only when it is turned */
  fits: boolean;
}

/** A place on the board that some options point to: a point of a tile or, without `at`, a cell. */
export interface Spot {
  cell: Cell;
  at: readonly number[] | null;
  /** the numbers of the options, as they are shown */
  caption: string;
  /** the options, by their own numbers */
  offers: readonly number[];
  isChosen: boolean;
  shows: { kind: string; colour: string; lying: boolean } | null;
}

/** Something that changed since the reader's last choice. */
export interface Fresh {
  cell: Cell;
  at: readonly number[] | null;
  colour: string;
  /** a figure without an owner, which is larger */
  isLarge?: boolean;
}

/** Points beside the feature that brought them. */
export interface Pop {
  key: string;
  cell: Cell;
  points: number;
  text: string;
  colour: string;
  award: number;
  /** the cells of what brought them */
  cells: readonly (readonly number[])[];
}

/** The way of a figure, by cells. */
export interface Path {
  cells: readonly Cell[];
  colour: string;
}

/** A figure that went home. */
export interface Gone {
  cell: Cell;
  at: readonly number[];
  kind: string;
  text: string;
}

/** What a pointer has met. */
export interface Hit {
  cell: Cell;
  spot: Spot | null;
  /** the place in the cell, (u, v) */
  at: [number, number];
  isTouch: boolean;
}
