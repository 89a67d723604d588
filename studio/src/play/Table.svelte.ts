/**
 * A match that is shown: its state as the program tells it, what the reader holds and points to, and
 * what the program is asked. Nothing here knows a rule: all that may be done are its offers.
 */

import { cellKey, type Cell } from "../board/geometry";
import { placeText } from "../board/places";
import { sheetOf, type Sheet } from "../board/sheets.svelte";
import type { Ghost, MatchState, Offer } from "../board/types";
import { say, warn } from "../lib/announce.svelte";
import {
  begin,
  call,
  link,
  on,
  RefusedError,
  type Begun,
  type Result,
} from "../lib/channel.svelte";
import { reused } from "../lib/reused";
import { settings } from "../lib/settings.svelte";
import { w } from "../lib/words.svelte";
import { grown, RUN, stepped, type Tree } from "./replay";
import { featureText, type Feature, type Look } from "./feature";
import { watchedSeats, watchSeats } from "../lib/watched";
import { firstHand, fitted, type Hand, offerAt, placements, turned, turnsFor } from "./hand";

export type Why = Result<"match.why">;
export type ScoreSheet = Result<"match.sheet">;
export type Hints = Result<"match.hint">["hints"];
export type WorthRow = Result<"match.worth">["worth"][number];
export type Refusal = Result<"match.whyNot">["reasons"][number];

export type Panel = "log" | "why" | "points" | "hints" | "left" | "notes";

/** The pieces on the board, in hand, on offer, and in stacks that are open. */
function* inSight({ board, drawn, offers, stacks }: MatchState): Iterable<string> {
  for (const { piece } of [...board.tiles, ...drawn, ...offers])
    if (piece !== undefined) yield piece;
  for (const { pieces = [] } of stacks) yield* pieces;
}

type Player = MatchState["players"][number];

/** The player who decides. */
function deciderOf(state: MatchState | null): Player | undefined {
  return state?.players.find((player) => player.seat === state.decision?.seat);
}

export class Table {
  readonly match: string;
  state = $state.raw<MatchState | null>(null);
  sheet = $state.raw<Sheet | null>(null);
  tree = $state.raw<Tree | null>(null);
  problem = $state("");
  /** what has happened with the choice that was just made; nothing after a jump */
  latest = $state.raw<MatchState["events"]>([]);

  hand = $state<Hand | null>(null);
  cell = $state<Cell | null>(null);
  isPut = $state(false);
  /** the cell under the pointer */
  pointed = $state.raw<Cell | null>(null);
  chosen = $state<number | null>(null);
  refused = $state("");
  /** the piece is being dragged from the hand */
  isDragged = $state(false);

  panel = $state<Panel>("log");
  why = $state.raw<Why | null>(null);
  score = $state.raw<ScoreSheet | null>(null);
  whyNot = $state.raw<{ reasons: Refusal[] } | null>(null);
  hints = $state.raw<Hints | null>(null);
  worth = $state.raw<ReadonlyMap<number, WorthRow>>(new Map());
  isBusy = $state(false);
  /** the board of an earlier choice is shown; bots wait */
  isReplay = $state(false);
  /** the feature that is looked at, and its cells */
  feature = $state.raw<Feature | null>(null);
  /** all features that have an owner are tinted */
  showsOwners = $state(false);
  /** the cells of what is read about beside the board */
  lit = $state.raw<readonly (readonly number[])[]>([]);
  /** the cells on which nothing fits any more; null while they are not asked for */
  dead = $state.raw<readonly Cell[] | null>(null);
  /** the seats whose players are at other screens */
  watched = $state.raw<readonly string[]>([]);
  /** the seat whose hidden hand may be seen on this screen now */
  seat = $state<string | null>(null);

  isRunning = $state(false);

  #running: ReturnType<typeof setInterval> | undefined;
  #closers: (() => void)[] = [];
  #stops = new Set<() => void>();
  /** whether the options of this decision are to be weighed, and whether some are being weighed */
  #wantsWorth = false;
  #isWeighing = false;
  #bot: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #asking: Promise<void> = Promise.resolve();
  #looks = 0;
  /** nothing is taken any more: answers may still be on their way */
  #isClosed = false;
  /** another page has changed the match while this one waited for an answer */
  #isBehind = false;
  #kinds = new Map<string, string>();

  constructor(match: string) {
    this.match = match;
    this.watched = watchedSeats(match);
    this.#closers.push(
      on("match.changed", ({ match: changed }) => {
        if (changed !== this.match) return;
        if (this.isBusy) this.#isBehind = true;
        else void this.refresh();
      }),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#looks++;
    this.#restBot();
    clearInterval(this.#running);
    for (const close of [...this.#closers, ...this.#stops]) close();
  }

  // ------------------------------------------------------------------ what is shown

  /** The offers, as they are; none while the screen waits for somebody else. */
  get offers(): readonly Offer[] {
    return this.isMine ? (this.state?.offers ?? []) : [];
  }

  /** Whether a person at this screen decides now. */
  get isMine(): boolean {
    return this.isHere && !this.state?.covered && !this.isReplay;
  }

  /** Whether whoever decides is a person at this screen. */
  get isHere(): boolean {
    return this.#isHere(this.state);
  }

  #isHere(state: MatchState | null): boolean {
    const player = deciderOf(state);
    return player?.kind === "person" && !this.watched.includes(player.seat);
  }

  /** Whether people play, but none of them at this screen. */
  get isWatching(): boolean {
    const people = this.#people();
    return people.length > 0 && people.every((seat) => this.watched.includes(seat));
  }

  /** That somebody at another screen decides, in a sentence; empty otherwise. */
  get elsewhere(): string {
    const player = this.decider;
    return player?.kind === "person" && !this.isHere
      ? w("play_elsewhere", { name: this.nameOf(player.seat) })
      : "";
  }

  get canUndo(): boolean {
    return !!this.state?.can_undo && !this.isWatching;
  }

  get canRedo(): boolean {
    return !!this.state?.can_redo && !this.isWatching;
  }

  get decider(): Player | undefined {
    return deciderOf(this.state);
  }

  /** The cell of the first tile, from which places are told. */
  get first(): readonly number[] | undefined {
    return this.state?.board.tiles[0]?.cell;
  }

  get isLaying(): boolean {
    return this.isMine && this.state?.decision?.kind === "placement";
  }

  get ghost(): Ghost | null {
    if (!this.isLaying || !this.hand || !this.cell) return null;
    return { ...this.hand, cell: this.cell, isPut: this.isPut };
  }

  /** The offer that the main button takes. */
  get ready(): Offer | undefined {
    if (this.chosen !== null) return this.offers.find((offer) => offer.n === this.chosen);
    if (this.hand && this.cell) return offerAt(this.offers, this.hand, this.cell);
    return undefined;
  }

  // who plays is known from the start: what shows it is not made again with each state
  readonly #who = $derived(
    JSON.stringify(
      (this.state?.players ?? []).map(({ seat, colour, name, label }) => [
        seat,
        { colour, name: name || label },
      ]),
    ),
  );
  readonly #players: ReadonlyMap<string, { colour: string; name: string }> = $derived(
    new Map(JSON.parse(this.#who) as [string, { colour: string; name: string }][]),
  );
  /** Colours by seat. */
  readonly colours: Readonly<Record<string, string>> = $derived(
    Object.fromEntries([...this.#players].map(([seat, { colour }]) => [seat, colour])),
  );

  nameOf(seat = ""): string {
    return this.#players.get(seat)?.name ?? seat;
  }

  /** The kind of a figure that was on the board once. */
  kindOf(figure: string): string | undefined {
    return this.#kinds.get(figure);
  }

  // ------------------------------------------------------------------ asking

  async refresh(): Promise<void> {
    await this.#take(call("match.state", { match: this.match, ...this.#look }));
  }

  async choose(offer: Offer): Promise<void> {
    const { state } = this;
    // what another page has changed may be being read: the choice waits, and holds if it still can
    await this.#asking;
    if (!state || state.at !== this.state?.at || this.isBusy) return;
    await this.#take(
      call("match.choose", { match: this.match, n: offer.n, at: state.at, ...this.#look }),
    );
  }

  /** Take the ready offer; without one say what is missing. */
  async confirm(): Promise<void> {
    const { ready } = this;
    if (ready) await this.choose(ready);
    else if (this.isMine) say(this.state?.decision?.sentence ?? "");
  }

  async skip(): Promise<void> {
    const found = this.offers.find((offer) => offer.n === this.state?.decision?.skip);
    if (found) await this.choose(found);
  }

  /** Begin or end looking at earlier choices. */
  setReplay(now: boolean): void {
    if (now === this.isReplay) return;
    this.isReplay = now;
    if (now) {
      if (this.panel !== "points") this.panel = "notes";
      this.#restBot();
    } else if (this.state) {
      this.panel = "log";
      this.#goOn(this.state);
    }
  }

  async step(step: "undo" | "redo"): Promise<void> {
    await this.#take(call("match.goto", { match: this.match, step, ...this.#look }));
  }

  async goTo(at: number): Promise<void> {
    await this.#take(call("match.goto", { match: this.match, at, ...this.#look }));
  }

  /** Let the choices follow one another, or stop that. */
  run(): void {
    if (this.#running !== undefined) {
      clearInterval(this.#running);
      this.#running = undefined;
      this.isRunning = false;
      return;
    }
    this.isRunning = true;
    this.#running = setInterval(() => {
      const next = this.tree && stepped(this.tree, 1, false);
      if (next === null || next === this.state?.at || !this.isReplay) this.run();
      else if (!this.isBusy) void this.goTo(next);
    }, RUN);
  }

  /** Only watch, or sit down again. */
  async watch(now: boolean): Promise<void> {
    this.watched = now ? this.#people() : [];
    watchSeats(this.match, this.watched);
    this.seat = null;
    this.letGo();
    await this.refresh();
    say(this.elsewhere);
  }

  /** Show the hidden hand of whoever decides. */
  async reveal(): Promise<void> {
    this.seat = this.state?.decision?.seat ?? null;
    await this.refresh();
  }

  async readTree(): Promise<void> {
    this.tree = await this.#asked(call("match.tree", { match: this.match }));
  }

  async annotate(at: number, mark: string, note: string): Promise<void> {
    this.tree = await this.#asked(call("match.note", { match: this.match, at, mark, note }));
  }

  async askWhy(about: { award?: number; seat?: string; turn?: number }): Promise<void> {
    this.panel = "why";
    this.whyNot = null;
    this.why = await this.#asked(call("match.why", { match: this.match, ...about }));
  }

  /** Read the score sheet to the end of the line that is shown. */
  async askScore(): Promise<void> {
    const found = await this.#asked(this.#begun(begin("match.sheet", { match: this.match })));
    if (found) this.score = found;
  }

  async askWhyNot(cell: Cell): Promise<void> {
    const { hand } = this;
    const about = { cell: [...cell], ...(hand ? { turn: hand.turn, face: hand.face } : {}) };
    const found = await this.#asked(
      call("match.whyNot", { match: this.match, ...about, ...this.#look }),
    );
    if (!found) return;
    this.panel = "why";
    this.why = null;
    this.whyNot = { reasons: found.reasons };
    this.lit = [cell];
    warn(found.reasons.map((reason: Refusal) => reason.text).join(" ") || w("play_fits_here"));
  }

  /** Show the feature of a segment; `aloud` for those who do not see it. */
  async askFeature(look: Look | null, aloud = false): Promise<void> {
    const number = ++this.#looks;
    if (!look) {
      this.feature = null;
      return;
    }
    const { cell, ...where } = look;
    try {
      const found = await call("match.feature", { match: this.match, cell: [...cell], ...where });
      if (number !== this.#looks) return;
      this.feature = found;
      if (aloud) say(featureText(found, (seat) => this.nameOf(seat)));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (number === this.#looks) this.feature = null;
    }
  }

  /** Show where nothing fits any more, or stop that. */
  async showDead(now: boolean): Promise<void> {
    this.dead = now ? [] : null;
    if (!now) return;
    const found = await this.#readDead();
    if (found) say(w("play_dead_found", { n: found.length }));
  }

  async #readDead(): Promise<readonly Cell[] | null> {
    const found = await this.#asked(call("match.dead", { match: this.match, ...this.#look }));
    if (!found || this.dead === null) return null;
    this.dead = found.cells.map(([x = 0, y = 0]) => [x, y] as const);
    return this.dead;
  }

  async askHints(): Promise<void> {
    this.panel = "hints";
    this.hints = null;
    const found = await this.#asked(
      this.#begun(begin("match.hint", { match: this.match, ...this.#look })),
    );
    this.hints = found?.hints ?? [];
  }

  async saved(): Promise<Result<"match.save"> | null> {
    return this.#asked(call("match.save", { match: this.match }));
  }

  // ------------------------------------------------------------------ pointing

  /** Hold the piece over a cell, turned so that it fits. */
  point(cell: Cell | null, put: boolean): void {
    if (!this.hand || !this.isLaying) return;
    this.chosen = null;
    if (cell) this.hand = fitted(placements(this.offers), this.hand, cell);
    this.cell = cell;
    this.isPut = put && cell !== null;
    if (put && cell) this.#sayPlace();
  }

  turn(back: boolean): void {
    if (!this.hand || !this.isLaying) return;
    const ways = turnsFor(placements(this.offers), this.hand.piece, this.cell);
    this.hand = turned(ways, this.hand, back);
    if (this.cell) this.#sayPlace();
  }

  hold(hand: Hand): void {
    this.hand = hand;
    if (this.cell && !offerAt(this.offers, hand, this.cell)) {
      this.cell = null;
      this.isPut = false;
    }
  }

  pick(n: number | null): void {
    this.chosen = n;
    this.cell = null;
    this.isPut = false;
    const offer = this.offers.find((one) => one.n === n);
    if (offer) say([offer.confirm, this.#worthText(offer)].filter(Boolean).join(", "));
  }

  /** Hold or choose what an offer says, without taking it. */
  showOffer(offer: Offer): void {
    if (offer.kind !== "lay" || !offer.cell) {
      this.pick(offer.n);
      return;
    }
    this.hand = { piece: offer.piece ?? "", face: offer.face ?? 0, turn: offer.turn ?? 0 };
    this.chosen = null;
    this.cell = [offer.cell[0] ?? 0, offer.cell[1] ?? 0];
    this.isPut = true;
    this.#sayPlace();
  }

  /** Hold nothing over the board, choose nothing. */
  letGo(): void {
    this.cell = null;
    this.isPut = false;
    this.chosen = null;
  }

  refuse(cell: Cell): void {
    this.refused = "";
    requestAnimationFrame(() => (this.refused = cellKey(cell)));
  }

  // ------------------------------------------------------------------ inside

  #people(): string[] {
    const { players = [] } = this.state ?? {};
    return players.filter((one) => one.kind === "person").map((one) => one.seat);
  }

  get #look(): { seat?: string } {
    return this.seat === null ? {} : { seat: this.seat };
  }

  async #asked<T>(question: Promise<T>): Promise<T | null> {
    try {
      const answer = await question;
      return this.#isClosed ? null : answer;
    } catch (error) {
      this.#report(error);
      return null;
    }
  }

  #take(question: Promise<MatchState>): Promise<void> {
    this.#asking = this.#taken(question);
    return this.#asking;
  }

  async #taken(question: Promise<MatchState>): Promise<void> {
    this.#restBot();
    this.isBusy = true;
    try {
      let state = await question;
      if (this.seat !== null && state.covered && this.#isHere(state)) {
        // the screen goes to somebody else, who sees no hand on it
        this.seat = null;
        state = await call("match.state", { match: this.match });
      }
      await this.#draw(state, inSight(state));
      if (this.#isClosed) return;
      this.problem = "";
      this.#show(state);
    } catch (error) {
      this.#report(error);
      this.#isBehind ||= error instanceof RefusedError && error.isConflict;
    } finally {
      this.isBusy = false;
    }
    if (!this.#isBehind || this.#isClosed) return;
    this.#isBehind = false;
    await this.refresh();
  }

  async #draw({ game, match }: MatchState, pieces: Iterable<string>): Promise<void> {
    this.sheet = await sheetOf(game, pieces, { match });
  }

  /** Have drawings of pieces that are shown beside the board. */
  async see(pieces: Iterable<string>): Promise<void> {
    const { state } = this;
    if (state) await this.#asked(this.#draw(state, pieces));
  }

  #report(error: unknown): void {
    if (!(error instanceof RefusedError)) throw error;
    if (this.#isClosed) return;
    // without a message the connection is gone, and the page says so by itself
    if (!error.message) return;
    this.problem = error.message;
    warn(error.message);
  }

  #show(state: MatchState): void {
    const before = this.state;
    if (before) reuse(before, state);
    const isNew = before?.at !== state.at || before.covered !== state.covered;
    this.state = state;
    const tree = this.tree && grown(this.tree, state.node);
    if (tree) this.tree = tree;
    else void this.readTree();
    for (const figure of state.board.figures) this.#kinds.set(figure.id, figure.kind);
    const isStep = before !== null && before.at === state.node.parent;
    this.latest = isStep ? state.events.filter((event) => event.node === state.at) : [];
    if (isNew) this.#begin(state, before);
    this.#goOn(state);
  }

  /** A new decision: nothing is held over the board, nothing is chosen. */
  #begin(state: MatchState, before: MatchState | null): void {
    this.cell = null;
    this.isPut = false;
    this.chosen = null;
    this.refused = "";
    this.worth = new Map();
    this.hints = null;
    this.lit = [];
    void this.askFeature(null);
    if (this.dead) void this.#readDead();
    if (this.panel === "hints") this.panel = "log";
    if (state.over && this.panel === "log" && !this.isReplay) this.panel = "points";
    if (!state.over && this.panel === "points" && !this.isReplay) this.panel = "log";
    const laid = placements(state.offers);
    const piece = laid.find((offer) => offer.piece === this.hand?.piece)?.piece ?? laid[0]?.piece;
    this.hand = piece === undefined ? null : firstHand(laid, piece);
    if (before) this.#sayNews(state);
    void this.#readWorth(state);
  }

  /** One question at a time: of decisions that came meanwhile, only the last is asked about. */
  async #readWorth(state: MatchState): Promise<void> {
    this.#wantsWorth = !settings.purist && this.isMine && !!state.decision?.has_worth;
    if (this.#isWeighing) return;
    this.#isWeighing = true;
    while (this.#wantsWorth && !this.#isClosed) {
      this.#wantsWorth = false;
      try {
        const asked = begin("match.worth", { match: this.match, ...this.#look });
        const found = await this.#begun(asked);
        if (!this.#isClosed && found.at === this.state?.at)
          this.worth = new Map(found.worth.map((row: WorthRow) => [row.n, row]));
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
      }
    }
    this.#isWeighing = false;
  }

  #goOn(state: MatchState): void {
    if (state.over || this.isReplay || !this.decider || this.decider.kind === "person") return;
    // this choice is drawn before the next one is asked for; a hidden page draws nothing
    const wait = (): void => {
      this.#bot = setTimeout(() => void this.moveBot(), settings.pace);
    };
    if (document.hidden) wait();
    else this.#frame = requestAnimationFrame(wait);
  }

  #restBot(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#bot);
  }

  async moveBot(): Promise<void> {
    if (link.state !== "open" || this.isBusy) return;
    const at = this.state?.at ?? 0;
    await this.#take(this.#begun(begin("match.bot", { match: this.match, at, ...this.#look })));
  }

  /** The result of something that stops when the table is closed. */
  #begun<T>({ result, stop }: Begun<T>): Promise<T> {
    this.#stops.add(stop);
    return result.finally(() => this.#stops.delete(stop));
  }

  #sayNews(state: MatchState): void {
    const gains = state.events.filter((event) => isNews(event)).map((event) => event.text);
    const { decision } = state;
    const turnOf =
      decision && this.isHere
        ? `${w("play_turn_of", { name: this.nameOf(decision.seat) })} ${decision.sentence} ${decision.more}`
        : this.elsewhere;
    const hand = state.drawn[0]?.words ?? "";
    say(
      [...new Set(gains), turnOf, decision?.kind === "placement" ? hand : "", state.result]
        .filter(Boolean)
        .join(" "),
    );
  }

  #sayPlace(): void {
    const { hand, cell } = this;
    if (!hand || !cell) return;
    const ways = turnsFor(placements(this.offers), hand.piece, cell).length;
    say(
      w("play_held", {
        cell: placeText(cell, this.first),
        turn: w(`play_north_${hand.turn}`),
        n: ways,
      }),
    );
  }

  #worthText(offer: Offer): string {
    const row = this.worth.get(offer.n);
    return row ? w("play_points", { n: row.now }) : "";
  }
}

/** Whether an event is said aloud: points, and what is joined, parted or becomes another kind. */
function isNews({ kind, gain }: MatchState["events"][number]): boolean {
  return gain !== undefined || kind === "joined" || kind === "parted" || kind === "recast";
}

function cellsKey(cells: readonly (readonly number[])[]): string {
  return cells.map(cellKey).join(" ");
}

/** Let a state share with the one before what they have in common. */
function reuse(before: MatchState, state: MatchState): void {
  state.players = reused(before.players, state.players, (one) => one.seat);
  state.steps = reused(before.steps, state.steps, (one) => one.id);
  state.board.figures = reused(before.board.figures, state.board.figures, (one) => one.id);
  state.board.tokens = reused(
    before.board.tokens,
    state.board.tokens,
    (one) => `${cellKey(one.cell)} ${one.kind} ${one.at.join()}`,
  );
  state.board.joins = reused(before.board.joins, state.board.joins, (one) => cellsKey(one.cells));
  state.board.recasts = reused(before.board.recasts, state.board.recasts, (one) =>
    cellsKey(one.cells),
  );
  state.board.tiles = reused(before.board.tiles, state.board.tiles, (one) => cellKey(one.cell));
}
