import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const LOCALE = "../interpreter/tilewright/studio/locale";

/** The words that are needed before the program has answered: those of a lost connection. */
function firstWords(): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  for (const language of ["en", "uk", "pl"]) {
    const text = readFileSync(`${LOCALE}/${language}/ui.yaml`, "utf-8");
    const lines = text.matchAll(/^(ui_gone\w*): (.+)$/gm);
    found[language] = Object.fromEntries([...lines].map(([, key, words]) => [key, words]));
  }
  return found;
}

/** The page is served by the Python package: its folder is part of the wheel. */
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  define: { __FIRST_WORDS__: JSON.stringify(firstWords()) },
  worker: { format: "es" },
  build: {
    outDir: "../interpreter/tilewright/studio/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 700,
  },
});
