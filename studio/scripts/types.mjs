/**
 * The types of all messages, from `schemas/studio.schema.json`. With `--check` nothing is written,
 * and the exit code is 1 if the written file is not the one that the schema gives.
 */

import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";

const root = new URL("../../", import.meta.url);
const source = new URL("schemas/studio.schema.json", root);
const target = new URL("studio/src/lib/messages.ts", root);

const schema = JSON.parse(await readFile(source, "utf-8"));
const text = await compile(
  {
    title: "StudioMessages",
    type: "object",
    additionalProperties: false,
    required: ["methods", "notifications"],
    properties: {
      methods: { $ref: "#/$defs/Methods" },
      notifications: { $ref: "#/$defs/Notifications" },
    },
    $defs: schema.$defs,
  },
  "StudioMessages",
  {
    additionalProperties: false,
    bannerComment: "/* Written by scripts/types.mjs from schemas/studio.schema.json. */",
    ignoreMinAndMaxItems: true,
    format: false,
  },
);
const written = `${text.trim()}\n\nexport type Calls = Methods;\n`;

if (process.argv.includes("--check")) {
  const found = await readFile(target, "utf-8").catch(() => "");
  if (found !== written) {
    console.error("studio/src/lib/messages.ts is stale: run `npm run types` in studio/");
    process.exit(1);
  }
} else {
  await writeFile(target, written);
}
