/**
 * The program inside the page: Python in a worker, for the folder that needs no server. It takes and
 * gives the same messages as the server does. Python's memory comes from an image in which all is
 * imported and the first game is compiled (`scripts/image.mjs`); files come from an archive.
 *
 * Jobs run in a second worker of this file, which begins with the same image. It is made for the first
 * job, and ended to stop one.
 */

import { Decompress } from "fzstd";

interface Python {
  unpackArchive(data: ArrayBuffer, form: string, options: { extractDir: string }): void;
  globals: { get(name: "worker"): Door };
}
interface Door {
  resume(post: (text: string) => void, other?: Other): void;
  /** a message of the page */
  receive(text: string): void;
  /** a job for this worker */
  work(text: string): void;
  /** a report of the second worker on its job; empty if it could not begin */
  hear(text: string): void;
}
interface Other {
  begin(text: string): void;
  end(): void;
}
type Load = (options: { indexURL: string; _loadSnapshot: Promise<ArrayBuffer> }) => Promise<Python>;

const PACKAGES = "/lib/packages";
const PAGE = 65_536;
const base = new URL("../pyodide/", import.meta.url);

async function fetched(name: string): Promise<Response> {
  const found = await fetch(new URL(name, base));
  if (!found.ok) throw new Error(`${name}: ${found.status} ${found.statusText}`);
  return found;
}

/** A file that is kept compressed; it is unpacked while it comes. */
async function unpacked(name: string): Promise<ArrayBuffer> {
  const { body } = await fetched(`${name}.zst`);
  if (!body) throw new Error(`${name} is empty`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const stream = new Decompress((part) => parts.push(new Uint8Array(part)));
  const reader = body.getReader();
  for (;;) {
    const { done, value = new Uint8Array() } = await reader.read();
    stream.push(value, done);
    if (done) break;
  }
  return new Blob(parts).arrayBuffer();
}

/** Let the program of Python be fetched as it is kept: compressed. */
function unpackProgram(): void {
  const fetchFile = self.fetch;
  self.fetch = async (file, how) => {
    const address = file instanceof Request ? file.url : String(file);
    if (!address.endsWith(".wasm")) return fetchFile(file, how);
    const headers = { "content-type": "application/wasm" };
    return new Response(await unpacked(address), { headers });
  };
}

/** Let the memory of the next WebAssembly instance be large enough for an image. */
function makeRoomFor(image: Promise<ArrayBuffer>): void {
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (source, imports) => {
    WebAssembly.instantiateStreaming = instantiate;
    const [made, { byteLength }] = await Promise.all([instantiate(source, imports), image]);
    const memory = made.instance.exports["memory"] as WebAssembly.Memory;
    const missing = byteLength - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return made;
  };
}

/** This is the second worker. */
const isSecond = self.name === "jobs";

class Second implements Other {
  private worker: Worker | null = null;

  begin(text: string): void {
    this.worker ??= this.made();
    this.worker.postMessage(text);
  }

  end(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private made(): Worker {
    const worker = new Worker(self.location.href, { type: "module", name: "jobs" });
    const hear = (text: string): void => {
      if (worker === this.worker) void door.then((found) => found.hear(text));
    };
    worker.addEventListener("message", ({ data }: MessageEvent<string>) => {
      if (data !== "ready") hear(data === "failed" ? "" : data);
    });
    worker.addEventListener("error", () => hear(""));
    return worker;
  }
}

async function begin(): Promise<Door> {
  const image = unpacked("image.bin");
  const packages = fetched("packages.zip").then((found) => found.arrayBuffer());
  makeRoomFor(image);
  unpackProgram();
  const address = new URL("pyodide.mjs", base).href;
  const { loadPyodide } = (await import(/* @vite-ignore */ address)) as { loadPyodide: Load };
  const python = await loadPyodide({ indexURL: base.href, _loadSnapshot: image });
  python.unpackArchive(await packages, "zip", { extractDir: PACKAGES });
  const worker = python.globals.get("worker");
  const post = (text: string): void => postMessage(text);
  if (isSecond) worker.resume(post);
  else worker.resume(post, new Second());
  return worker;
}

const door = begin();
door.then(
  () => postMessage("ready"),
  (error: unknown) => {
    console.error(error);
    postMessage("failed");
  },
);
addEventListener("message", ({ data }: MessageEvent<string>) => {
  void door.then((found) => (isSecond ? found.work(data) : found.receive(data)));
});
