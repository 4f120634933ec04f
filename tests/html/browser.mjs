// What the tests of HTML reports share: the command, its CSV read back, and a page in headless Chromium that must not fail or fetch.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");
export const FOLDER = join(ROOT, "build/tests/html");
const require = createRequire(join(ROOT, "build/html/package.json"));
const puppeteer = require("puppeteer-core").default ?? require("puppeteer-core");
const TIPOFF = join(ROOT, "build/bin/tipoff");

// SLOWDOWN=8: pages run on a processor that seems 8 times as slow. No test may depend on the machine's speed.
const SLOWDOWN = Number(process.env.SLOWDOWN ?? 1);

mkdirSync(FOLDER, { recursive: true });

export function tipoff(...words) {
  const done = spawnSync(TIPOFF, words, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`tipoff ${words.join(" ")}: status ${done.status}: ${done.stderr}`);
  return done.stdout;
}

// A sample file of a program, and its page.
export function sampled(name, program, period = 97) {
  const tips = join(FOLDER, `${name}.tips`);
  const page = join(FOLDER, `${name}.html`);
  tipoff("run", "--config", "small2", "--quiet", "--period", String(period), "--samples", tips, program);
  tipoff("report", "--format", "html", "--output", page, tips);
  return { tips, page };
}

export function assembled(source, name) {
  const program = join(FOLDER, name);
  execFileSync("riscv64-unknown-elf-gcc", ["-march=rv64ima_zicsr_zifencei", "-mabi=lp64", "-mcmodel=medany", "-nostdlib", "-static", "-g", "-T", "tests/workloads/runtime/link.ld",
    "-Wl,--no-warn-rwx-segments", "-Wl,--build-id", "-o", program, source], { cwd: ROOT });
  return program;
}

// Rows of `tipoff report --format csv`, as objects; cycles as numbers.
export function csv(text) {
  const lines = text.split("\n").filter((l) => l);
  const split = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map((m) => m[1].replace(/^"|"$/g, "").replaceAll('""', '"'));
  const names = split(`${lines[0]},`);
  return lines.slice(1).map((line) => {
    const cells = split(`${line},`);
    const row = Object.fromEntries(names.map((n, i) => [n, cells[i]]));
    return row.cycles === undefined ? row : { ...row, cycles: Number(row.cycles) };
  });
}

export async function browser() {
  return puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
}

// `faults` fills with console messages, exceptions and requests other than for the file itself: to be empty at the end.
export async function open(chromium, file, { hash = "summary", dark = false, width = 1280, height = 800 } = {}) {
  const page = await chromium.newPage();
  const faults = [];
  const address = `file://${file}`;
  await page.setViewport({ width, height });
  await page.emulateCPUThrottling(SLOWDOWN);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  page.on("console", (m) => faults.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => faults.push(`error: ${e.message}`));
  page.on("request", (r) => r.url().split("#")[0] === address || faults.push(`request: ${r.url()}`));
  await page.goto(`${address}#${hash}`);
  await page.waitForSelector("main > *");
  return { page, faults };
}

export async function view(page, name) {
  await page.evaluate((n) => (location.hash = n), name);
  await page.waitForFunction((n) => document.querySelector(`nav a[href="#${n}"]`)?.getAttribute("aria-current") === "page", {}, name.split("/")[0]);
  await settled(page);
}

// Two frames: what a click has changed is drawn.
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function press(page, text) {
  await page.evaluate((t) => {
    const button = [...document.querySelectorAll("main button, header button")].find((b) => b.textContent.trim().replace(/[▾▴]$/, "") === t);
    if (!button) throw new Error(`no button ${t}`);
    button.click();
  }, text);
  await settled(page);
}

// Rows of the table in sight: an object a row, by the heads of the columns.
export async function rows(page) {
  return page.evaluate(() => {
    const heads = [...document.querySelectorAll(".table .head > div")].map((h) => h.textContent.replace(/[▾▴]$/, ""));
    return [...document.querySelectorAll(".table .body .line")]
      .map((line) => ({ at: Number(line.getAttribute("aria-rowindex")), cells: [...line.children].map((c) => c.textContent) }))
      .sort((a, b) => a.at - b.at)
      .map(({ at, cells }) => ({ at, ...Object.fromEntries(heads.map((h, i) => [h, cells[i]])) }));
  });
}

// All rows: as the user would see them, scrolling down.
export async function allRows(page) {
  const found = new Map();
  const count = await page.$eval(".table", (t) => Number(t.getAttribute("aria-rowcount")) - 1);
  await page.$eval(".table .body", (b) => (b.scrollTop = 0));
  for (let i = 0; found.size < count && i < 500; i++) {
    await settled(page);
    for (const row of await rows(page)) found.set(row.at, row);
    await page.$eval(".table .body", (b) => (b.scrollTop += b.clientHeight));
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

export function percent(part, all, digits = 1) {
  return `${((100 * part) / all).toFixed(digits)} %`;
}

export function grouped(n) {
  return Math.round(n).toLocaleString("en-US");
}

export function sums(list, key, value) {
  const map = new Map();
  for (const item of list) map.set(key(item), (map.get(key(item)) ?? 0) + value(item));
  return map;
}
