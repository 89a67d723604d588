/**
 * How fast the page is: from a key in the editor to its diagnostics, from a choice to the drawn
 * board, and frames while the board is dragged.
 *
 *     node scripts/speed.mjs GAME [TILES]
 *
 * The text that is edited is a house rule on the game. Two bots play the game until so many tiles lie
 * (150); none of it for 0 tiles. Each choice of a bot is one message and one answer, as a person's
 * is. Measure on a quiet computer. On a busy one the processor time of a choice says more: of the
 * page's main thread, and of the program (Linux).
 */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const GAME = process.argv[2];
const TILES = Number(process.argv[3] ?? 150);
/** so many tiles are laid under a trace, and so many after it, when choices are timed */
const TRACED = 20;
const TIMED = 30;

if (!GAME) {
  console.error("usage: node scripts/speed.mjs GAME [TILES]");
  process.exit(2);
}

/** Runs in the page: times from a sent choice to the frame after the board has changed. */
function watch() {
  window.took = [];
  let sent = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (/"match\.(choose|bot)"/.test(text)) sent = performance.now();
    send.call(this, text);
  };
  const seen = new MutationObserver(() => {
    const began = sent;
    sent = 0;
    if (!began) return;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () =>
        window.took.push([
          performance.now() - began,
          document.querySelectorAll(".land > image").length,
        ]);
      channel.port2.postMessage(0);
    });
  });
  addEventListener("DOMContentLoaded", () =>
    seen.observe(document.body, { subtree: true, attributeFilter: ["data-at"] }),
  );
}

/** A house rule on the game without any rule, in a folder of its own. */
function writeRule(folder) {
  mkdirSync(join(folder, "speed", "rules"), { recursive: true });
  const module = `id: house/speed\nkind: house\ntitle: Speed\nrequires: {game: ${GAME}}\n`;
  writeFileSync(join(folder, "speed", "module.yaml"), module);
  writeFileSync(join(folder, "speed", "rules", "rules.yaml"), "rules:");
}

/** Milliseconds from a key that makes an error to its underline. */
async function diagnosticTimes(page) {
  await page.evaluate(() => (location.hash = "#/write/0%2Fspeed%2Frules%2Frules.yaml"));
  const text = page.locator(".pane .cm-content");
  await text.getByText("rules:").click();
  await page.keyboard.press("Control+End");
  await page.evaluate(() => {
    const root = document.querySelector(".pane").shadowRoot;
    window.isMarked = () => root.querySelector(".cm-lintRange-error") !== null;
    window.delays = [];
    let sent = 0;
    root.addEventListener("keydown", ({ key }) => key === "q" && (sent = performance.now()), true);
    new MutationObserver(() => {
      if (!sent || !window.isMarked()) return;
      window.delays.push(performance.now() - sent);
      sent = 0;
    }).observe(root, { subtree: true, childList: true, attributes: true });
  });
  await page.keyboard.press(" ");
  for (let n = 1; n <= 30; n++) {
    await page.keyboard.press("q");
    await page.waitForFunction((count) => window.delays.length === count, n);
    await page.keyboard.press("Backspace");
    await page.waitForFunction(() => !window.isMarked());
    await page.waitForTimeout(700);
  }
  return page.evaluate(() => window.delays);
}

function report(title, numbers) {
  console.log(`${title}:`);
  const [middle, most] = [share(numbers, 0.5), share(numbers, 0.95)];
  console.log(`  median ${middle.toFixed(1)} ms, 95 % ${most.toFixed(1)} ms`);
}

function share(numbers, part) {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)];
}

/** The processor time of the program so far, in milliseconds; nothing where it cannot be read. */
function programTime(server) {
  const file = `/proc/${server.pid}/stat`;
  if (!existsSync(file)) return undefined;
  const [user, system] = readFileSync(file, "utf8").split(") ")[1].split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** The processor time of a page's main thread in a trace, in milliseconds. */
function pageTime(events) {
  const names = events.filter((one) => one.name === "thread_name");
  const main = new Set(
    names.filter((one) => one.args.name === "CrRendererMain").map((one) => one.pid),
  );
  const times = new Map();
  for (const { name, pid, tid, tdur } of events)
    if (name === "RunTask" && main.has(pid) && pid === tid && tdur)
      times.set(pid, (times.get(pid) ?? 0) + tdur / 1000);
  return Math.max(...times.values());
}

/** Play until so many tiles lie, with the processor time of some choices, and drag the board. */
async function tableTimes(page, browser, server) {
  await page.evaluate((game) => (location.hash = `#/play?game=${encodeURIComponent(game)}`), GAME);
  await page.locator(".start .buttons button:not([aria-disabled])").first().click();
  await page.locator(".table").waitFor();
  const laid = (tiles) =>
    page.waitForFunction(
      (wanted) =>
        document.querySelectorAll(".land > image").length >= wanted ||
        document.querySelector(".table").dataset.over === "true",
      tiles,
      { timeout: 600_000, polling: 20 },
    );
  await laid(TILES - TIMED - TRACED);
  const cdp = await browser.newBrowserCDPSession();
  const events = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const traced = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve));
  const before = [await page.evaluate(() => window.took.length), programTime(server)];
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "disabled-by-default-devtools.timeline"] },
  });
  await laid(TILES - TIMED);
  const after = [await page.evaluate(() => window.took.length), programTime(server)];
  await cdp.send("Tracing.end");
  await traced;
  await laid(TILES);
  const took = await page.evaluate(() => window.took);
  const late = took.slice(-60).map(([time]) => time);
  const most = Math.max(...took.map(([, tiles]) => tiles));
  report(`choice to drawn board, last ${late.length} choices, up to ${most} tiles`, late);
  const choices = after[0] - before[0];
  console.log(`processor time of a choice, ${choices} choices, traced:`);
  console.log(`  main thread of the page ${(pageTime(events) / choices).toFixed(1)} ms`);
  if (after[1] !== undefined)
    console.log(`  program ${((after[1] - before[1]) / choices).toFixed(1)} ms`);
  await page.goto(page.url().replace(/#.*/, "#/play"));
  await page.locator(".kept a").first().click();
  await page.locator(".table").waitFor();
  await page.evaluate(() => {
    window.frames60 = [];
    let last = performance.now();
    const step = (now) => {
      window.frames60.push(now - last);
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await page.mouse.move(700, 500);
  await page.mouse.down();
  for (let n = 0; n < 120; n++) {
    await page.mouse.move(700 + 150 * Math.sin(n / 9), 500 + 90 * Math.cos(n / 9));
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
  const frames = (await page.evaluate(() => window.frames60)).slice(5);
  report("frames while the board is dragged", frames);
}

const state = mkdtempSync(join(tmpdir(), "studio-speed-"));
const rules = join(state, "rules");
mkdirSync(rules);
writeRule(rules);
const server = spawn("tilewright", ["studio", "--no-browser", "--folder", rules], {
  env: { ...process.env, XDG_STATE_HOME: state },
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise((resolve) =>
  server.stdout.on("data", (text) => {
    const found = /http:\S+#token=\S+/.exec(String(text));
    if (found) resolve(found[0]);
  }),
);
const program =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(watch);
  await page.addInitScript(() => {
    const seat = (id) => ({ id, name: "", kind: "bot", bot: "random" });
    localStorage.setItem("tilewright.seats", JSON.stringify([seat(0), seat(1)]));
    localStorage.setItem("tilewright.settings", JSON.stringify({ pace: 0 }));
  });
  await page.goto(url);
  await page.locator("main > *").first().waitFor();
  report("last key to diagnostics", await diagnosticTimes(page));
  if (TILES > 0) await tableTimes(page, browser, server);
} finally {
  await browser.close();
  server.kill("SIGINT");
  await new Promise((resolve) => server.on("exit", resolve));
  rmSync(state, { recursive: true, force: true });
}
