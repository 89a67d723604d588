/**
 * The channel to the program: JSON-RPC 2.0 over one WebSocket, or over the messages of a worker on
 * the page that needs no server. Calls wait for the connection; a lost connection is tried again.
 */

import type { Calls, FoundDiagnostic, Notifications } from "./messages";
import { forgetToken, token } from "./route.svelte";
import { settings } from "./settings.svelte";

export type Method = keyof Calls;
export type Params<M extends Method> = Calls[M]["params"];
export type Result<M extends Method> = Calls[M]["result"];

/** the code of a refusal because somebody else was first */
const CONFLICT = -32002;

/** A refusal of the program; its message is a sentence for people. */
export class RefusedError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = "RefusedError";
  }

  /** Whether somebody else was first: what was to be changed is not as it was. */
  get isConflict(): boolean {
    return this.code === CONFLICT;
  }

  /** What the checker has found, if that is the reason. */
  get diagnostics(): FoundDiagnostic[] {
    return (this.data as { diagnostics?: FoundDiagnostic[] } | undefined)?.diagnostics ?? [];
  }
}

/** Two functions are all that the channel needs of a connection. */
export interface Wire {
  send(text: string): void;
  close(): void;
}
export interface Ears {
  opened(): void;
  heard(text: string): void;
  /** `isFinal` if trying again is of no use */
  closed(isFinal: boolean): void;
}
export type Connect = (ears: Ears) => Wire;

/** Whether this is a page without a program beside it: its own address opens for everybody. */
export const isAlone = document.querySelector('meta[name="tilewright"][content="worker"]') !== null;

type State = "connecting" | "open" | "lost" | "refused";

/** Whether the program can be reached; `refused` is a missing or wrong token. */
export const link: { state: State; hello: Result<"hello"> | null } = $state({
  state: "connecting",
  hello: null,
});

type Step = Notifications["work"]["step"];

/** What the program does now for a message of this page, as it reports it; empty between reports. */
export const doing: { step: Step | ""; method: string } = $state({ step: "", method: "" });

interface Waiting {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const UNAUTHORIZED = 4401;
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

const waiting = new Map<number, Waiting>();
/** the steps that were reported for messages without an answer, the latest last */
const steps = new Map<number, Step>();
const listeners = new Map<string, Set<(params: never) => void>>();
let connect: Connect = overSocket;
let wire: Wire | null = null;
let queue: string[] = [];
let last = 0;
let pause = FIRST_PAUSE;

/** Begin. Without an argument the channel is the WebSocket of the page's own server. */
export function open(by: Connect = overSocket): void {
  connect = by;
  dial();
}

/** Ask the program. Rejects with a RefusedError, whose message can be shown. */
export function call<M extends Method>(
  method: M,
  ...[params]: Record<string, never> extends Params<M> ? [params?: Params<M>] : [params: Params<M>]
): Promise<Result<M>> {
  return ask(method, params ?? {}, false) as Promise<Result<M>>;
}

/** Hear what the program reports on its own; returns a function that stops it. */
export function on<N extends keyof Notifications>(
  name: N,
  act: (params: Notifications[N]) => void,
): () => void {
  const found = listeners.get(name) ?? new Set();
  listeners.set(name, found);
  found.add(act as (params: never) => void);
  return () => found.delete(act as (params: never) => void);
}

/** Something that takes long: its result, and the way to stop it, which refuses the result. */
export interface Begun<T> {
  result: Promise<T>;
  stop(): void;
}

/** Ask the program for something that takes long. */
export function begin<M extends Method>(method: M, params: Params<M>): Begun<Result<M>> {
  const result = ask(method, params, false) as Promise<Result<M>>;
  const id = last;
  return { result, stop: () => notify("work.stop", { id }) };
}

/** Tell the program something that has no answer. */
export function notify(method: string, params: unknown): void {
  deliver(JSON.stringify({ jsonrpc: "2.0", method, params }), false);
}

function ask(method: string, params: unknown, isFirst: boolean): Promise<unknown> {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { method, resolve, reject });
    deliver(JSON.stringify({ jsonrpc: "2.0", id, method, params }), isFirst);
  });
}

function deliver(text: string, isFirst: boolean): void {
  if (wire && (isFirst || link.state === "open")) wire.send(text);
  else queue.push(text);
}

function dial(): void {
  wire = connect({ opened, heard, closed });
}

async function opened(): Promise<void> {
  try {
    const shown = {
      token: await token(),
      language: settings.language || navigator.language.slice(0, 2),
    };
    const hello = await ask("hello", shown, true);
    link.hello = hello as Result<"hello">;
    link.state = "open";
    pause = FIRST_PAUSE;
    const held = queue;
    queue = [];
    for (const text of held) wire?.send(text);
  } catch (error) {
    // an empty message is a connection that was lost, and is tried again
    if (error instanceof RefusedError && error.message) refuse();
  }
}

function closed(isFinal: boolean): void {
  wire = null;
  // what was sent and not answered may or may not have happened: the caller decides
  for (const one of waiting.values()) one.reject(new RefusedError(0, ""));
  waiting.clear();
  steps.clear();
  showStep();
  queue = [];
  if (isFinal) {
    refuse();
    return;
  }
  if (link.state === "refused") return;
  link.state = "lost";
  setTimeout(dial, pause);
  pause = Math.min(pause * 1.7, LONGEST_PAUSE);
}

function refuse(): void {
  link.state = "refused";
  forgetToken();
  wire?.close();
}

function heard(text: string): void {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return;
  }
  for (const message of Array.isArray(found) ? found : [found]) receive(message);
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** Show the latest step of a message that still has no answer. */
function showStep(): void {
  const [id = 0, step = ""] = [...steps].at(-1) ?? [];
  Object.assign(doing, { step, method: waiting.get(id)?.method ?? "" });
}

function receive({ id, method, params, result, error }: Message): void {
  if (method === "work") {
    const { id, step } = params as Notifications["work"];
    const message = Number(id);
    if (!waiting.has(message)) return;
    steps.delete(message);
    steps.set(message, step);
    showStep();
    return;
  }
  if (method !== undefined) {
    for (const act of listeners.get(method) ?? []) (act as (found: unknown) => void)(params);
    return;
  }
  const one = id === undefined ? undefined : waiting.get(id);
  if (!one || id === undefined) return;
  waiting.delete(id);
  if (steps.delete(id)) showStep();
  if (error) one.reject(new RefusedError(error.code, error.message, error.data));
  else one.resolve(result);
}

function overSocket(ears: Ears): Wire {
  const address = new URL("channel", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const socket = new WebSocket(address);
  socket.addEventListener("open", () => ears.opened());
  socket.addEventListener("message", ({ data }) => ears.heard(String(data)));
  socket.addEventListener("close", ({ code }) => ears.closed(code === UNAUTHORIZED));
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(),
  };
}

/** The channel of a page without a server: a worker in which the program runs. */
export function overWorker(ears: Ears): Wire {
  const worker = new Worker(new URL("../worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (data === "ready") ears.opened();
    else if (data === "failed") ears.closed(true);
    else ears.heard(data);
  });
  worker.addEventListener("error", () => ears.closed(true));
  return {
    send: (text) => worker.postMessage(text),
    close: () => worker.terminate(),
  };
}
