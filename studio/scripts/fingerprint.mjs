/**
 * A hash of everything that the built page is made of, written beside it: a test compares it, so a
 * stale build is noticed. With `--print` it is only printed.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstWords } from "./firstWords.mjs";

const ROOTS = ["src", "public"];
const FILES = [
  "index.html",
  "package-lock.json",
  "svelte.config.js",
  "tsconfig.json",
  "vite.config.ts",
  "scripts/firstWords.mjs",
];
const TARGET = "../interpreter/tilewright/faces/studio/static/sources.txt";

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
for (const [language, texts] of Object.entries(firstWords()))
  for (const [key, text] of Object.entries(texts)) hash.update(`${language} ${key} ${text}\n`);
const found = `${hash.digest("hex")}\n`;
if (process.argv.includes("--print")) process.stdout.write(found);
else writeFileSync(TARGET, found);
