import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { firstWords } from "./scripts/firstWords.mjs";

/** The page is served by the Python package: its folder is part of the wheel. */
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  define: { __FIRST_WORDS__: JSON.stringify(firstWords()) },
  worker: { format: "es" },
  build: {
    outDir: "../interpreter/tilewright/faces/studio/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 700,
  },
});
