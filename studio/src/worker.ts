/**
 * The program inside the page: Python in a worker, for the folder that needs no server. It takes and
 * gives the same messages as the server does. Python's memory comes from an image in which all is
 * imported and the first game is compiled (`scripts/image.mjs`); files come from an archive.
 */

interface Python {
  unpackArchive(data: ArrayBuffer, form: string, options: { extractDir: string }): void;
  globals: { get(name: "worker"): Door };
}
interface Door {
  resume(post: (text: string) => void): void;
  receive(text: string): void;
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

async function unpacked(name: string): Promise<ArrayBuffer> {
  const { body } = await fetched(name);
  if (!body) throw new Error(`${name} is empty`);
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
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

async function begin(): Promise<Door> {
  const image = unpacked("image.bin");
  const packages = fetched("packages.zip").then((found) => found.arrayBuffer());
  makeRoomFor(image);
  const address = new URL("pyodide.mjs", base).href;
  const { loadPyodide } = (await import(/* @vite-ignore */ address)) as { loadPyodide: Load };
  const python = await loadPyodide({ indexURL: base.href, _loadSnapshot: image });
  python.unpackArchive(await packages, "zip", { extractDir: PACKAGES });
  const worker = python.globals.get("worker");
  worker.resume((text) => postMessage(text));
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
  void door.then((found) => found.receive(data));
});
