/**
 * Pictures of all screens at two sizes, light and dark, for looking at them side by side:
 *
 *     node scripts/pictures.mjs FOLDER GAME OTHER [SCREEN ...]
 *
 * GAME is the game that is shown and played, OTHER the one that it is compared with. It starts
 * `tilewright studio` on its own, with an empty state, and opens any chromium that is installed
 * (`CHROMIUM` names another one).
 */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const MODES = ["light", "dark"];
const [folder, GAME, OTHER, ...wanted] = process.argv.slice(2);
if (!OTHER) {
  console.error("usage: node scripts/pictures.mjs FOLDER GAME OTHER [SCREEN ...]");
  process.exit(2);
}

/** The screens: where each is, and what is done there before it is taken. */
const screens = {
  library: { at: "#/library" },
  book: { at: `#/book/${encodeURIComponent(GAME)}` },
  write: { at: "#/write" },
  compare: { at: `#/compare/${encodeURIComponent(GAME)}/${encodeURIComponent(OTHER)}` },
  simulate: { at: `#/simulate/${encodeURIComponent(GAME)}` },
  play: { at: "#/play" },
  table: { at: "match", after: (page) => page.keyboard.press("ArrowRight") },
  figure: { at: "match", after: placeFirst },
  replay: { at: "replay", after: (page) => page.keyboard.press("[") },
  settings: { at: "#/library", after: (page) => page.keyboard.press("?") },
};

async function placeFirst(page) {
  for (let n = 0; n < 12 && (await page.locator("[role=option]").count()) === 0; n++) {
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(300);
  }
  await page.keyboard.press("2");
}

function address(server) {
  return new Promise((resolve, reject) => {
    server.stdout.on("data", (text) => {
      const found = /http:\S+#token=\S+/.exec(String(text));
      if (found) resolve(found[0]);
    });
    server.on("exit", () => reject(new Error("the server ended")));
  });
}

/** A match of thirty choices, the same each time. */
async function playedMatch(page) {
  await page.evaluate(() => {
    const seat = (id, name) => ({ id, name, kind: "person", bot: "greedy" });
    const seats = [seat(0, ""), seat(1, "Anna")];
    localStorage.setItem("tilewright.seats", JSON.stringify(seats));
  });
  await page.evaluate((game) => (location.hash = `#/play?game=${game}`), GAME);
  await page.locator(".seed input").fill("pictures");
  await page.locator(".start .buttons button:not([aria-disabled])").first().click();
  await page.locator(".table").waitFor();
  for (let n = 0; n < 36; n++) {
    const before = await page.locator(".table").getAttribute("data-at");
    const isPlace = (await page.locator(".frame g.legal").count()) > 0;
    if (isPlace)
      for (let k = 0; k <= n % 4; k++) await page.keyboard.press(n % 3 ? "ArrowRight" : "ArrowUp");
    else await page.keyboard.press(n % 5 ? "1" : "0");
    await page.keyboard.press("Enter");
    await page
      .locator(`.table:not([data-at="${before}"])`)
      .waitFor({ timeout: 3000 })
      .catch(() => page.keyboard.press("0"));
  }
  return page.evaluate(() => location.hash);
}

const state = mkdtempSync(join(tmpdir(), "studio-pictures-"));
const server = spawn("tilewright", ["studio", "--no-browser", "--folder", state], {
  env: { ...process.env, XDG_STATE_HOME: state },
  stdio: ["ignore", "pipe", "inherit"],
});
const program =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
try {
  mkdirSync(folder, { recursive: true });
  const url = await address(server);
  const first = await browser.newPage({ viewport: SIZES.desktop, reducedMotion: "reduce" });
  await first.goto(url);
  await first.locator("main > *").first().waitFor();
  const match = await playedMatch(first);
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const mode of MODES) {
      const context = await browser.newContext({
        viewport,
        colorScheme: mode,
        hasTouch: size === "phone",
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => console.error(`${size} ${mode}: ${error.message}`));
      for (const [name, { at, after }] of Object.entries(screens)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        await page.goto("about:blank");
        await page.goto(url);
        await page.locator("main > *").first().waitFor();
        const fragment = { match, replay: `${match}/replay` }[at] ?? at;
        await page.evaluate((found) => (location.hash = found), fragment);
        await page.waitForTimeout(2500);
        await after?.(page);
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(folder, `${name}-${size}-${mode}.png`) });
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  server.kill("SIGINT");
  await new Promise((resolve) => server.on("exit", resolve));
  rmSync(state, { recursive: true, force: true });
}
