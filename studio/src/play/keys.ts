/**
 * The keys of the table: from place to place, turning, choosing by number, back and again; and those of
 * its replay.
 */

import { cellKey, inReadingOrder, nextCell, type Cell } from "../board/geometry";
import type { Binding } from "../lib/keys.svelte";
import { settings } from "../lib/settings.svelte";
import { lineOf, sibling, stepped, type Tree } from "./replay";
import { numbersOf } from "./spots";
import type { Table } from "./Table.svelte";

interface Context {
  table: Table;
  /** the cells where the piece in hand may go */
  cells(): readonly Cell[];
  /** the options of the list, by their numbers */
  options(): readonly number[];
  isReplay(): boolean;
  /** hold the piece over a cell and bring it into sight */
  aim(cell: Cell): void;
  why(): void;
}

/** milliseconds in which a second digit belongs to the first */
const DIGITS = 600;

export function tableKeys(context: Context): Binding[] {
  const { table, aim } = context;
  const isPlay = (): boolean => !context.isReplay() && table.isMine;
  const isLaying = (): boolean => isPlay() && table.isLaying;
  const readDigit = digits(context);
  return [
    {
      keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"],
      shown: ["←", "↑", "↓", "→"],
      word: "play_key_next",
      when: () => isPlay() && isFree(),
      act: ({ key }) => {
        if (table.isLaying && context.cells().length > 0) aimNext(context, key);
        else pickNext(context, key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1);
      },
    },
    ...([1, -1] as const).map((step) => ({
      keys: [step > 0 ? "Tab" : "Shift+Tab"],
      when: () => isLaying() && isOnBoard() && following(context, step) !== undefined,
      act: () => {
        const cell = following(context, step);
        if (cell) aim(cell);
      },
    })),
    { keys: ["R"], word: "play_key_turn", when: isLaying, act: () => table.turn(false) },
    { keys: ["Shift+R"], when: isLaying, act: () => table.turn(true) },
    {
      keys: ["Enter"],
      word: "play_key_confirm",
      when: () => isPlay() && isFree(),
      act: () => void table.confirm(),
    },
    {
      keys: [..."0123456789"],
      shown: ["1", "–", "9", "0"],
      word: "play_key_number",
      when: isPlay,
      act: ({ key }) => readDigit(key),
    },
    {
      keys: ["U"],
      word: "play_take_back",
      when: () => !context.isReplay() && table.canUndo,
      act: () => void table.step("undo"),
    },
    {
      keys: ["Shift+U"],
      shown: ["Shift", "U"],
      word: "play_again",
      when: () => !context.isReplay() && table.canRedo,
      act: () => void table.step("redo"),
    },
    { keys: ["W"], word: "play_why", act: () => context.why() },
    {
      keys: ["H"],
      word: "play_hint",
      when: () => isPlay() && !settings.purist,
      act: () => void table.askHints(),
    },
    {
      keys: ["N"],
      word: "play_why_not",
      when: () => isLaying() && (table.cell ?? table.pointed) !== null,
      act: () => {
        const cell = table.cell ?? table.pointed;
        if (cell) void table.askWhyNot(cell);
      },
    },
    {
      keys: ["X"],
      word: "play_dead",
      when: () => !settings.purist,
      act: () => void table.showDead(table.dead === null),
    },
    {
      keys: ["Escape"],
      when: () => !context.isReplay() && (table.cell !== null || table.chosen !== null),
      act: () => table.letGo(),
    },
  ];
}

export function replayKeys(table: Table, isReplay: () => boolean, playOn: () => void): Binding[] {
  const to = (find: (tree: Tree) => number | null) => (): void => {
    const at = table.tree && find(table.tree);
    if (at !== null && at !== table.state?.at) void table.goTo(at);
  };
  const bind = (key: string, word: string, act: () => void, shown = key): Binding => ({
    keys: [key],
    shown: [shown],
    word,
    when: isReplay,
    act,
  });
  return [
    bind(
      "ArrowLeft",
      "play_key_back",
      to((tree) => stepped(tree, -1, false)),
      "←",
    ),
    bind(
      "ArrowRight",
      "play_key_on",
      to((tree) => stepped(tree, 1, false)),
      "→",
    ),
    bind(
      "[",
      "play_key_scoring_back",
      to((tree) => stepped(tree, -1, true)),
    ),
    bind(
      "]",
      "play_key_scoring_on",
      to((tree) => stepped(tree, 1, true)),
    ),
    bind(
      "Home",
      "play_key_first",
      to((tree) => lineOf(tree)[0]?.id ?? null),
    ),
    bind(
      "End",
      "play_key_last",
      to((tree) => lineOf(tree).at(-1)?.id ?? null),
    ),
    bind(
      "ArrowUp",
      "play_key_branch_back",
      to((tree) => sibling(tree, -1)),
      "↑",
    ),
    bind(
      "ArrowDown",
      "play_key_branch_on",
      to((tree) => sibling(tree, 1)),
      "↓",
    ),
    bind(" ", "play_key_run", () => table.run(), "Space"),
    bind("B", "play_on_from_here", playOn),
    bind("M", "play_note", () => document.querySelector<HTMLElement>("[data-note]")?.focus()),
  ];
}

/** Whether arrows and Enter belong to the table, not to a button or a list that has the focus. */
function isFree(): boolean {
  const focus = document.activeElement;
  // what only scripts give the focus, such as a heading, does nothing with keys
  if (!focus || focus === document.body || focus.matches("main, [tabindex='-1']:not(button, a)"))
    return true;
  return isOnBoard() || focus.closest("[role=listbox]") !== null;
}

function isOnBoard(): boolean {
  return document.activeElement?.closest("[role=application]") != null;
}

function aimNext({ table, cells, aim }: Context, key: string): void {
  const all = cells();
  const last = table.state?.board.tiles.at(-1)?.cell ?? [0, 0];
  const from: Cell = table.cell ?? [last[0] ?? 0, last[1] ?? 0];
  const next = nextCell(from, all, key) ?? (table.cell ? undefined : all[0]);
  if (next) aim(next);
}

function pickNext({ table, options }: Context, step: number): void {
  const all = options();
  const now = table.chosen === null ? -1 : all.indexOf(table.chosen);
  const next = now < 0 ? (step > 0 ? 0 : all.length - 1) : (now + step + all.length) % all.length;
  table.pick(all[next] ?? null);
}

function following({ table, cells }: Context, step: number): Cell | undefined {
  const all = inReadingOrder(cells());
  const { cell } = table;
  if (!cell) return step > 0 ? all[0] : undefined;
  return all[all.findIndex((one) => cellKey(one) === cellKey(cell)) + step];
}

/**
 * Digits choose an option by its place in the list, or a number to choose by itself; nought is the
 * pass where it is no number.
 */
function digits({ table, options }: Context): (digit: string) => void {
  let typed = "";
  let at: number | undefined;
  let timer: ReturnType<typeof setTimeout>;
  return (digit) => {
    clearTimeout(timer);
    // digits of another decision do not count
    if (at !== table.state?.at) typed = "";
    at = table.state?.at;
    typed += digit;
    const numbers = numbersOf(table.offers);
    const most = numbers ? Math.max(...numbers.keys()) : options().length;
    if (Number(typed) > most) typed = digit;
    if (typed === "0" && !numbers?.has(0)) {
      typed = "";
      void table.skip();
      return;
    }
    const n = numbers ? numbers.get(Number(typed))?.n : options()[Number(typed) - 1];
    if (n !== undefined) table.pick(n);
    timer = setTimeout(() => (typed = ""), DIGITS);
  };
}
