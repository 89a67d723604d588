/**
 * A hash of everything that the built page is made of, written beside it: a test compares it, so a
 * stale build is noticed. With `--print` it is only printed.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOTS = ["src", "public"];
const FILES = [
  "index.html",
  "package-lock.json",
  "svelte.config.js",
  "tsconfig.json",
  "vite.config.ts",
  "../interpreter/tilewright/studio/locale/en/ui.yaml",
  "../interpreter/tilewright/studio/locale/pl/ui.yaml",
  "../interpreter/tilewright/studio/locale/uk/ui.yaml",
];
const TARGET = "../interpreter/tilewright/studio/static/sources.txt";

const below = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/")),
);
const hash = createHash("sha256");
for (const name of [...below, ...FILES].sort()) {
  hash.update(`${name}\n`);
  hash.update(readFileSync(name));
}
const found = `${hash.digest("hex")}\n`;
if (process.argv.includes("--print")) process.stdout.write(found);
else writeFileSync(TARGET, found);
