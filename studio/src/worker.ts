/**
 * The program inside the page: Python in a worker, for the folder that needs no server. It takes and
 * gives the same messages as the server does.
 */

interface Python {
  unpackArchive(data: ArrayBuffer, form: string, options: { extractDir: string }): void;
  runPython(text: string): unknown;
  pyimport(name: string): { start(post: (text: string) => void): Door };
}
interface Door {
  receive(text: string): void;
}

const PACKAGES = "/lib/packages";
const base = new URL("../pyodide/", import.meta.url);

async function begin(): Promise<Door> {
  const address = new URL("pyodide.mjs", base).href;
  const { loadPyodide } = (await import(/* @vite-ignore */ address)) as {
    loadPyodide(options: { indexURL: string }): Promise<Python>;
  };
  const [python, packages] = await Promise.all([
    loadPyodide({ indexURL: base.href }),
    fetch(new URL("packages.zip", base)).then((found) => found.arrayBuffer()),
  ]);
  python.unpackArchive(packages, "zip", { extractDir: PACKAGES });
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  return python.pyimport("tilewright.studio.worker").start((text) => postMessage(text));
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
