/** The licences of everything that is built into the page, as one text beside it. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// compiled into the page, though it is a tool of development in package.json
const COMPILED = ["node_modules/svelte"];
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf-8"));
const inside = Object.entries(packages).filter(
  ([path, found]) => path && (!found.dev || COMPILED.includes(path)) && existsSync(path),
);
const texts = inside.map(([path, { version, license }]) => {
  const name = path.replace(/^.*node_modules\//, "");
  const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(path, file), "utf-8").trim() : license;
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync("public/licences.txt", texts.join(`\n${"-".repeat(72)}\n\n`));
