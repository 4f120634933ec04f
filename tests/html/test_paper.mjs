// On paper: every table, no text cut, colours of light paper; on a laptop nothing is wider than the window.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, csv, grouped, open, percent, FOLDER, sampled, settled, sums, tipoff, view } from "./browser.mjs";

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
  const file = join(FOLDER, "paper.pdf");
  writeFileSync(file, await page.pdf({ preferCSSPageSize: true }));
  const text = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  const words = text.replace(/\s+/g, " ");
  for (const head of ["Where the cycles go", "Events", "Over time", "Functions", "Instructions", "Functions with what they call", "By frame", "By mode and process", "Error against the Oracle", "Share of functions by profiler", "The run"]) {
    assert.ok(words.includes(head), head);
  }
  const rows = csv(tipoff("report", "--format", "csv", made.tips));
  const total = rows.reduce((s, r) => s + r.cycles, 0);
  for (const [state, weight] of sums(rows, (r) => r.state, (r) => r.cycles)) assert.ok(words.includes(`${state} ${percent(weight, total)}`), state);
  const functions = [...new Set(csv(tipoff("report", "--format", "csv", "--by", "function", made.tips)).map((r) => r.name))];
  assert.ok(functions.length > 15);
  for (const name of functions) assert.ok(words.includes(name), name);
  const json = JSON.parse(tipoff("report", "--format", "json", made.tips));
  assert.ok(words.includes(grouped(json.cycles)));
  assert.ok(words.includes(json.build_id));
  assert.ok(!words.includes("…"), "an ellipsis: text is cut");
});

// Functions' shares by profiler, as they are printed: a row is a name, then a share for each profiler.
test("the PDF's table of shares is that of the CSV", async () => {
  const { tips, page: file } = sampled("shares", "build/workloads/compress.small.elf");
  const one = await open(chromium, file);
  writeFileSync(join(FOLDER, "shares.pdf"), await one.page.pdf({ preferCSSPageSize: true }));
  assert.deepEqual(one.faults, []);
  await one.page.close();
  await page.bringToFront(); // a tab behind another one draws no frames
  const lines = execFileSync("pdftotext", ["-layout", join(FOLDER, "shares.pdf"), "-"], { encoding: "utf8" }).split("\n").map((l) => l.trim());
  const head = lines.findIndex((l) => /^function\s+Oracle\s+TIP\b/.test(l));
  const names = lines[head].split(/\s{2,}/).slice(1);
  let compared = 0;
  for (const profiler of ["Oracle", "NCI", "LCI"]) {
    const rows = csv(tipoff("report", "--format", "csv", "--by", "function", "--profiler", profiler, tips));
    const total = rows.reduce((s, r) => s + r.cycles, 0);
    for (const [name, weight] of sums(rows, (r) => r.name, (r) => r.cycles)) {
      const line = lines.slice(head).find((l) => l.startsWith(`${name} `) && (l.match(/ %/g) ?? []).length === names.length);
      if (!line) continue;
      assert.equal(line.match(/[\d.]+ %/g)[names.indexOf(profiler)], percent(weight, total), `${profiler}, ${line}`);
      compared++;
    }
  }
  assert.ok(compared > 30, `${compared} shares compared: ${names}`);
});

test("the PDF is A4 across, page by page; nothing of the screen is on it", async () => {
  const info = execFileSync("pdfinfo", [join(FOLDER, "paper.pdf")], { encoding: "utf8" });
  const [, width, height] = /Page size:\s+([\d.]+) x ([\d.]+) pts \(A4\)/.exec(info);
  assert.ok(Number(width) > Number(height), info);
  const pages = execFileSync("pdftotext", ["-layout", join(FOLDER, "paper.pdf"), "-"], { encoding: "utf8" }).split("\f").slice(0, -1);
  assert.equal(pages.length, Number(/Pages:\s+(\d+)/.exec(info)[1]));
  assert.ok(pages.length > 3, `${pages.length} pages`);
  for (const [i, text] of pages.entries()) {
    for (const control of ["Colour by", "Theme", "Filter ", "Show code"]) assert.ok(!text.includes(control), `page ${i + 1}: ${control}`);
    const last = text.trimEnd().split("\n").at(-1).trim();
    assert.ok(!["Events", "Functions", "Instructions", "Profilers", "By frame", "Loops", "What to do"].includes(last), `a heading ends page ${i + 1}`);
    assert.ok(text.trim().split("\n").length > 1, `page ${i + 1} is empty`);
  }
});

test("what is for paper is on paper only, and is laid out for it", async () => {
  await page.emulateMediaType("screen");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await settled(page);
  assert.equal(await page.$eval("#paper", (p) => p.getBoundingClientRect().height), 0);
  await page.emulateMediaType("print");
  await page.setViewport({ width: 1030, height: 720 });
  await settled(page);
  assert.equal(await page.$eval("#page", (p) => p.getBoundingClientRect().height), 0);
  // Rules that say where pages may end, and that colours are printed; with what they are for.
  const wanted = [
    ["#paper tr", "breakInside", "avoid", "no row is torn apart"],
    ["#paper .lane", "breakInside", "avoid", "nor a lane of the timeline"],
    ["#paper .flame", "breakInside", "avoid", "nor the flame graph"],
    ["#paper .whole", "breakInside", "avoid", "nor what is a whole"],
    ["#paper h2", "breakAfter", "avoid", "no heading ends a page"],
    ["#paper thead", "display", "table-header-group", "heads come again on the next page"],
    ["#paper .bar", "printColorAdjust", "exact", "bars have their colours"],
    ["#paper .frame span", "textOverflow", "clip", "no ellipsis"],
  ];
  const faults_ = await page.evaluate((list) => list.flatMap(([selector, property, value, why]) => {
    const found = [...document.querySelectorAll(selector)];
    return found.length && found.every((e) => getComputedStyle(e)[property] === value) ? [] : [`${why}: ${selector} ${property} is ${found.length && getComputedStyle(found[0])[property]}`];
  }), wanted);
  assert.deepEqual(faults_, []);
  const shape = await page.evaluate(() => {
    const box = (e) => e.getBoundingClientRect();
    const sections = [...document.querySelectorAll("#paper > article > section")].map(box).filter((b) => b.height);
    const size = (selector) => Number.parseFloat(getComputedStyle(document.querySelector(selector)).fontSize);
    return {
      gaps: sections.slice(1).map((b, i) => b.top - sections[i].bottom),
      sizes: [size("#paper h1"), size("#paper h2"), size("#paper td"), size("#paper td.mono")],
      tools: [...document.querySelectorAll("#paper .tools")].filter((e) => box(e).height).length,
      bars: [...document.querySelectorAll("#paper td.top-bar")].map((e) => box(e).width).filter((w) => w > 130 || w < 60),
      track: [...document.querySelectorAll("#paper .track")].map((e) => Math.round(box(e).height)),
      lanes: [...document.querySelectorAll("#paper .lane:not(.big):not(.axis)")].map((e) => Math.round(box(e).height)),
    };
  });
  assert.ok(shape.gaps.every((g) => g >= 10), `sections are apart: ${shape.gaps}`);
  assert.ok(shape.sizes[0] > shape.sizes[1] && shape.sizes[1] > shape.sizes[2] && shape.sizes[2] <= 11 && shape.sizes[3] <= shape.sizes[2], `sizes: ${shape.sizes}`);
  assert.equal(shape.tools, 0);
  assert.deepEqual(shape.bars, [], "bars are about as wide in every table");
  assert.ok(shape.lanes.every((h) => h <= 26), `lanes: ${shape.lanes}`);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMediaType("screen");
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
