/**
 * Pictures of all screens in several widths and modes, for looking at them side by side:
 *
 *     node scripts/pictures.mjs FOLDER GAME OTHER [--rules DIR] [--widths 390,1440]
 *         [--modes light,dark,contrast,forced] [--topic TOPIC] [SCREEN ...]
 *
 * GAME is the game that is shown and played, OTHER the one that it is compared with; DIR holds house
 * rules, whose first file is opened in the editor, and TOPIC is the page of the book. It starts `tilewright studio` on its own, with an
 * empty state, and opens any chromium that is installed (`CHROMIUM` names another one). What is wider
 * than the window is printed, and then the exit code is 1.
 */

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

const HEIGHTS = { 320: 640, 390: 844, 720: 960, 2560: 1440 };
const PHONE = 500;
const MODES = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  contrast: { colorScheme: "light", contrast: "more" },
  "contrast-dark": { colorScheme: "dark", contrast: "more" },
  forced: { colorScheme: "dark", forcedColors: "active" },
};
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rules: { type: "string" },
    topic: { type: "string" },
    widths: { type: "string", default: "390,1440" },
    modes: { type: "string", default: "light,dark" },
  },
});
const [folder, GAME, OTHER, ...wanted] = positionals;
const modes = given.modes.split(",");
if (!OTHER || modes.some((mode) => !(mode in MODES))) {
  console.error(
    "usage: node scripts/pictures.mjs FOLDER GAME OTHER [--rules DIR] [--topic TOPIC] [SCREEN ...]",
  );
  console.error(`modes: ${Object.keys(MODES).join(", ")}`);
  process.exit(2);
}
const game = encodeURIComponent(GAME);
const both = `${game}/${encodeURIComponent(OTHER)}`;

/** The screens: where each is, what shows that it is there, and what is done before the picture. */
const screens = {
  library: { at: "#/library", ready: ".cards .tiles svg" },
  picked: { at: "#/library", ready: ".cards .tiles svg", after: pick },
  book: {
    at: `#/book/${game}${given.topic ? `/${given.topic}` : ""}`,
    ready: given.topic ? ".frame image" : ".statement",
  },
  write: { at: "#/write", ready: given.rules ? ".results figure svg" : ".write" },
  "new-rule": { at: `#/write?new=&game=${game}`, ready: "dialog[open] input[type=radio]" },
  compare: { at: `#/compare/${both}`, ready: ".group" },
  evidence: { at: `#/compare/${both}`, ready: ".line button", after: openLine },
  chooser: { at: "#/compare", ready: ".chooser .cards li" },
  simulate: { at: `#/simulate/${both}`, ready: ".wishes" },
  share: { at: "share", ready: "textarea" },
  play: { at: "#/play", ready: ".boxes label svg" },
  table: { at: "match", ready: ".table", after: (page) => page.keyboard.press("ArrowRight") },
  figure: { at: "match", ready: ".table", after: placeFirst },
  replay: { at: "replay", ready: ".table.replay", after: (page) => page.keyboard.press("[") },
  keys: { at: "#/library", ready: ".cards .tiles svg", after: (page) => page.keyboard.press("?") },
  settings: { at: "#/library", ready: ".cards .tiles svg", after: openSettings },
};

async function pick(page) {
  const cards = page.locator(".cards article button");
  for (const n of [0, 1]) await cards.nth(n).click();
}
async function openLine(page) {
  await page.locator(".line button").first().click();
  await page.locator(".evidence figure svg").first().waitFor({ timeout: 240_000 });
}
async function openSettings(page) {
  await page.locator("header > .button").last().click();
}

/** Wait until the page is at rest: nothing has changed for a while. */
async function settled(page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        let timer = setTimeout(resolve, 700);
        const last = setTimeout(resolve, 20_000);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(() => (clearTimeout(last), resolve()), 700);
        }).observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
  );
}

/** What sticks out of the window, or is cut off without a sign of it. */
function tooWide() {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  for (const element of document.querySelectorAll("main *, header *, dialog[open] *")) {
    const { right, width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || right <= innerWidth + 1) continue;
    let parent = element.parentElement;
    while (parent && getComputedStyle(parent).overflowX === "visible")
      parent = parent.parentElement;
    if (element.closest("svg, .visually-hidden") || (parent && parent.tagName !== "MAIN")) continue;
    found.push(element.outerHTML.slice(0, 120));
  }
  return found.slice(0, 5);
}

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
  await page.locator(".start details:has(.seed) > summary").click();
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
const rules = join(state, "rules");
mkdirSync(rules);
if (given.rules) cpSync(given.rules, rules, { recursive: true });
const server = spawn("tilewright", ["studio", "--no-browser", "--folder", rules], {
  env: { ...process.env, XDG_STATE_HOME: state },
  stdio: ["ignore", "pipe", "inherit"],
});
const program =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
let problems = 0;
try {
  mkdirSync(folder, { recursive: true });
  const url = await address(server);
  const size = { width: 1440, height: 900 };
  const first = await browser.newPage({ viewport: size, reducedMotion: "reduce" });
  first.setDefaultTimeout(120_000); // the first match of a game is compiled
  await first.goto(url);
  await first.locator("main > *").first().waitFor();
  const match = await playedMatch(first);
  const places = {
    match,
    replay: `${match}/replay`,
    share: `#/share?match=${match.split("/")[2]}`,
  };
  for (const width of given.widths.split(",").map(Number)) {
    for (const mode of modes) {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHTS[width] ?? 900 },
        hasTouch: width < PHONE,
        reducedMotion: "reduce",
        ...MODES[mode],
      });
      const page = await context.newPage();
      const complain = (text) => {
        problems += 1;
        console.error(`${width} ${mode}: ${text}`);
      };
      page.on("pageerror", (error) => complain(error.message));
      for (const [name, { at, ready, after }] of Object.entries(screens)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        await page.goto("about:blank");
        await page.goto(url);
        await page.locator("main > *").first().waitFor();
        await page.evaluate((found) => (location.hash = found), places[at] ?? at);
        try {
          await page.locator(ready).first().waitFor({ state: "attached", timeout: 120_000 });
          await settled(page);
          await after?.(page);
          await settled(page);
        } catch (error) {
          complain(`${name}: ${error.message.split("\n")[0]}`);
        }
        await page.screenshot({ path: join(folder, `${name}-${width}-${mode}.png`) });
        for (const what of await page.evaluate(tooWide)) complain(`${name}: ${what}`);
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
process.exitCode = problems > 0 ? 1 : 0;
