// On paper: every table, no text cut, colours of light paper; on a laptop nothing is wider than the window.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, csv, grouped, open, percent, ROOM, sampled, settled, sums, tipoff, view } from "./browser.mjs";

let chromium, made, page, faults;
before(async () => {
  chromium = await browser();
  made = sampled("paper", "build/workloads/vm_procs.small.elf");
  ({ page, faults } = await open(chromium, made.page, { dark: true }));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

test("the PDF has all tables", async () => {
  const file = join(ROOM, "paper.pdf");
  writeFileSync(file, await page.pdf({ preferCSSPageSize: true }));
  const text = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  const words = text.replace(/\s+/g, " ");
  for (const head of ["Where the cycles go", "Events", "Over time", "Functions", "Instructions", "Functions with what they call", "By frame", "By mode and process", "Error against the Oracle", "Share of functions by profiler", "The run"]) {
    assert.ok(words.includes(head), head);
  }
  const rows = csv(tipoff("report", "--format", "csv", made.tips));
  const total = rows.reduce((s, r) => s + r.weight, 0);
  for (const [state, weight] of sums(rows, (r) => r.state, (r) => r.weight)) assert.ok(words.includes(`${state} ${percent(weight, total)}`), state);
  const functions = [...new Set(csv(tipoff("report", "--format", "csv", "--granularity", "function", made.tips)).map((r) => r.name))];
  assert.ok(functions.length > 15);
  for (const name of functions) assert.ok(words.includes(name), name);
  const json = JSON.parse(tipoff("report", "--format", "json", made.tips));
  assert.ok(words.includes(grouped(json.cycles)));
  assert.ok(words.includes(json.build_id));
  assert.ok(!words.includes("…"), "an ellipsis: text is cut");
});

// Of what is printed: text that is wider or higher than its box, which hides the rest.
test("no text is cut on paper, and the page has gone from the screen afterwards", async () => {
  await page.emulateMediaType("print");
  await page.setViewport({ width: 1030, height: 720 }); // A4 across, less margins
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await settled(page);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("#paper td, #paper th, #paper h2, #paper p, #paper dd, #paper li")]
      .filter((e) => e.offsetParent && (e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth + 1))
      .map((e) => `${e.textContent} (${e.scrollWidth} in ${e.clientWidth})`),
  );
  assert.deepEqual(cut, []);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.$eval("#paper", (p) => p.children.length), 0);
  await page.emulateMediaType("screen");
});

test("on a laptop no view is wider or higher than the window, and numbers are whole", async () => {
  for (const [width, height] of [[1280, 800], [1024, 700], [1920, 1080]]) {
    await page.setViewport({ width, height });
    for (const name of ["summary", "functions", "instructions", "loops", "code", "calls", "flame", "timeline", "pipeline", "profilers"]) {
      await view(page, name);
      const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
      assert.deepEqual(size, [width, height], `${name} at ${width}`);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll("main .number, main .line > .right, main .head > div, nav a, button")].filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent),
      );
      assert.deepEqual(cut, [], `${name} at ${width}`);
    }
  }
});

test("choosing a view moves no tab", async () => {
  await page.setViewport({ width: 1280, height: 800 });
  const places = async () => page.$$eval("nav a", (l) => l.map((a) => Math.round(a.getBoundingClientRect().left)));
  await view(page, "summary");
  const before_ = await places();
  await view(page, "flame");
  assert.deepEqual(await places(), before_);
});
