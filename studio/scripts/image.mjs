/**
 * Makes the image of Python's memory for the page that needs no server:
 *
 *     node scripts/image.mjs FOLDER
 *
 * FOLDER has Pyodide and `packages.zip`. All modules are imported, the shipped rulesets are read, and
 * the first game is compiled; a page that begins with this memory need not do it again. The image
 * belongs to this build of Pyodide and to these packages.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const PACKAGES = "/lib/packages";
const folder = resolve(process.argv[2] ?? ".");
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${folder}/`, _makeSnapshot: true });
const archive = new Uint8Array(readFileSync(`${folder}/packages.zip`)).buffer;
python.unpackArchive(archive, "zip", { extractDir: PACKAGES });
python.runPython(`
import sys
sys.path.insert(0, "${PACKAGES}")
from tilewright.faces.studio.doors.worker import prepared
worker = prepared()
`);
writeFileSync(`${folder}/image.bin`, python.makeMemorySnapshot());
