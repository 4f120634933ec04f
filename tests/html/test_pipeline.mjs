// The pipeline view of the page: of each snippet the bars are its stages' cycles, in the order of the instructions' time; and on paper.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, csv, grouped, open, percent, FOLDER, settled, sums, tipoff, view } from "./browser.mjs";

const CYCLE = 12; // pixels
const KEPT = 12;

let chromium, page, faults, snippets, strings, tips, rows, total;
before(async () => {
  chromium = await browser();
  tips = join(FOLDER, "pipeline.tips");
  const file = join(FOLDER, "pipeline.html");
  tipoff("run", "--config", "small2", "--quiet", "--period", "97", "--jitter=none", "--snippets", String(KEPT), "--samples", tips, "build/workloads/compress.small.elf");
  tipoff("report", "--format", "html", "--output", file, tips);
  const data = JSON.parse(/<script type="application\/json" id="data">([^]*?)<\/script>/.exec(readFileSync(file, "utf8"))[1]);
  ({ snippets, strings } = data);
  rows = csv(tipoff("report", "--format", "csv", tips));
  total = rows.reduce((s, r) => s + r.cycles, 0);
  ({ page, faults } = await open(chromium, file, { hash: "pipeline" }));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

const listed = () => page.$$eval(".snippets a", (l) => l.map((a) => [...a.children].map((c) => c.textContent)));
const chosen = () => page.$$eval(".snippets a", (l) => l.findIndex((a) => a.getAttribute("aria-current") === "true"));
// The snippet of a line of the list, by its instruction.
const snippetOf = ([, text, name]) => snippets.find((s) => strings[s.text[s.row]] === text && strings[s.name[s.row]] === name);
// What is drawn: of each row its label, its bars in pixels from the left edge of the drawing, and the words behind.
const drawn = () =>
  page.evaluate(() => {
    const svg = document.querySelector("svg.snippet");
    const box = (r) => ({ from: Number(r.getAttribute("x")), width: Number(r.getAttribute("width")) });
    const when = box(svg.querySelector(".when"));
    const cuts = [...svg.querySelectorAll(".cut text")].map((t) => Number.parseInt(t.textContent.replaceAll(",", ""), 10));
    const lines = [...svg.querySelectorAll("g")].filter((g) => g.querySelector(":scope > .back")).map((g) => ({
      label: g.querySelector(":scope > text").textContent,
      here: g.classList.contains("here"),
      squashed: g.classList.contains("squashed"),
      bars: [...g.querySelectorAll("[data-stage]")].map((s) => ({ stage: s.dataset.stage, ...box(s.querySelector("rect")) })),
      end: g.querySelector(".end").textContent,
    }));
    return { when, cuts, lines };
  });

test("the list: most time first, shares as in the CSV", async () => {
  const time = sums(rows, (r) => r.unit, (r) => r.cycles);
  const list = await listed();
  assert.equal(list.length, KEPT);
  const expected = snippets.map((s) => time.get(strings[s.address[s.row]])).sort((a, b) => b - a).map((w) => percent(w, total));
  assert.deepEqual(list.map(([share]) => share), expected);
  for (const line of list) {
    const s = snippetOf(line);
    assert.equal(line[0], percent(time.get(strings[s.address[s.row]]), total), line.join(" "));
  }
});

// The address of a snippet has its function's name.
const link = (i) => page.$$eval(".snippets a", (l, k) => l[k].getAttribute("href").slice(1), i);

test("every snippet is drawn as its cycles say", async () => {
  const list = await listed();
  let whole = 0;
  for (const [i, line] of list.entries()) {
    await view(page, await link(i));
    assert.equal(await chosen(), i);
    const s = snippetOf(line);
    const { when, cuts, lines } = await drawn();
    const head = await page.$eval(".diagram h2", (h) => h.textContent);
    assert.ok(head.includes(`in cycle ${grouped(s.cycle)}: one of ${grouped(s.triggers)} samples`), head);
    assert.equal(lines.length, s.text.length);
    assert.equal(lines.findIndex((l) => l.here), s.row);
    const last = Math.max(...["fetched", "dispatched", "issued", "done", "left"].flatMap((c) => s[c]), s.cycle - s.from + 1) + 1;
    for (const [k, { label, bars, squashed, end }] of lines.entries()) {
      assert.equal(label, `${strings[s.address[k]]}  ${strings[s.text[k]]}`);
      assert.equal(squashed, s.squashed[k] === 1, label);
      assert.equal(end === "squashed", s.squashed[k] === 1 && s.psv[k] === 0, label);
      const begins = Object.entries({ F: s.fetched[k], Q: s.dispatched[k], X: s.issued[k], C: s.done[k] }).filter(([, c]) => c >= 0);
      assert.deepEqual(bars.map((b) => b.stage), begins.map(([stage]) => stage), label);
      const stop = s.left[k] < 0 ? last : s.left[k];
      // Without cuts a cycle is CYCLE wide everywhere; with them nothing is wider, and the order stays.
      bars.forEach((bar, n) => {
        const [from, to] = [begins[n][1], begins[n + 1]?.[1] ?? stop];
        if (cuts.length) {
          assert.ok(bar.from <= from * CYCLE && bar.width <= Math.max(1, (to - from) * CYCLE) && (n === 0 || Math.abs(bars[n - 1].from + bars[n - 1].width - bar.from) < 2), label);
        } else {
          assert.deepEqual([bar.from, bar.width], [from * CYCLE, Math.max(1, (to - from) * CYCLE)], label);
        }
      });
    }
    if (!cuts.length) assert.deepEqual(when, { from: (s.cycle - s.from) * CYCLE, width: CYCLE });
    whole += cuts.length === 0;
    // What is cut out, and what is drawn, is all.
    const right = Math.max(...lines.flatMap((l) => l.bars.map((b) => b.from + b.width)), when.from + when.width);
    const cycles = last - 1;
    assert.ok(Math.abs(right - (cycles - cuts.reduce((sum, c) => sum + c - 1, 0)) * CYCLE) < 0.01, `${right} pixels, ${cycles} cycles, cut ${cuts}`);
  }
  assert.ok(whole > 2 && whole < KEPT, `${whole} without cuts`);
});

test("the words after an instruction are its events; its tooltip has the cycles", async () => {
  await view(page, await link(0));
  const s = snippetOf((await listed())[0]);
  const { lines } = await drawn();
  const names = tipoff("report", "--format", "json", tips);
  const events = JSON.parse(names).events;
  lines.forEach(({ end }, k) => assert.equal(end, s.psv[k] ? events.filter((_, e) => (s.psv[k] >> e) & 1).join("+") : s.squashed[k] ? "squashed" : ""));
  assert.ok(lines.some((l) => l.end.includes("ST_")), "an event of a load");
  const label = await page.$("svg.snippet g.here > text");
  await label.hover();
  await settled(page);
  const text = await page.$eval(".tip", (t) => t.textContent);
  for (const cycle of [s.fetched, s.dispatched, s.issued, s.done, s.left]) assert.ok(text.includes(grouped(cycle[s.row] + s.from)), `${text}: ${cycle[s.row] + s.from}`);
  await page.mouse.move(2, 2);
});

test("arrows walk through the list, Show code opens the function", async () => {
  await view(page, await link(3));
  await page.focus(".snippets a[aria-current]");
  // On a busy machine keys come faster than the browser's frames: none may be lost.
  await page.emulateCPUThrottling(20);
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowUp");
  await page.emulateCPUThrottling(1);
  await settled(page);
  assert.equal(await chosen(), 4);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await settled(page);
  assert.equal(await chosen(), 2);
  const [, , name] = (await listed())[2];
  await page.evaluate(() => [...document.querySelectorAll("main button")].find((b) => b.textContent === "Show code").click());
  await settled(page);
  const shown = await page.$eval("main select", (e) => e.selectedOptions[0].textContent);
  assert.ok(shown.endsWith(name.replace(/\+0x.*/, "")), `${shown} of ${name}`);
  await page.keyboard.press("9");
  await settled(page);
  assert.ok(await page.$("svg.snippet"));
});

test("no label runs into its bars, nothing is cut off", async () => {
  for (let i = 0; i < KEPT; i++) {
    await view(page, await link(i));
    const wrong = await page.evaluate(() => {
      const svg = document.querySelector("svg.snippet");
      const right = svg.getBoundingClientRect().right;
      const left = svg.querySelector("[data-stage]").parentElement.getCTM().e - svg.getCTM().e;
      const lines = [...svg.querySelectorAll("g")].filter((g) => g.querySelector(":scope > .back"));
      return lines.flatMap((g) => [...g.querySelectorAll(":scope > text")].filter((t, n) => (n === 0 && t.getBBox().width > left - 4) || t.getBoundingClientRect().right > right).map((t) => t.textContent));
    });
    assert.deepEqual(wrong, []);
  }
});

test("on paper there are the first three", async () => {
  const file = join(FOLDER, "pipeline.pdf");
  const list = await listed();
  writeFileSync(file, await page.pdf({ preferCSSPageSize: true }));
  const text = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }).replace(/\s+/g, " ");
  assert.ok(text.includes("Through the pipeline"));
  for (const line of list.slice(0, 3)) assert.ok(text.includes(`sampled ${["Computing", "Stalled", "Flushed", "Drained"][snippetOf(line).state]} in cycle ${grouped(snippetOf(line).cycle)}`), line.join(" "));
  assert.ok(!text.includes(`in cycle ${grouped(snippetOf(list[4]).cycle)}:`));
});

test("on paper no diagram is wider than the page", async () => {
  await page.emulateMediaType("print");
  await page.setViewport({ width: 1030, height: 720 });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await settled(page);
  const widths = await page.$$eval("#paper svg.snippet", (l) => l.map((s) => [Number(s.getAttribute("width")), s.getBoundingClientRect().right]));
  assert.equal(widths.length, 3);
  assert.ok(widths.some(([width]) => width > 1030), `one is wider than the page: ${widths}`);
  assert.ok(widths.every(([, right]) => right <= 1030), `${widths}`);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMediaType("screen");
  await page.setViewport({ width: 1280, height: 800 });
});

test("without snippets the view says how to have them", async () => {
  const bare = join(FOLDER, "bare.html");
  const bareTips = join(FOLDER, "bare.tips");
  tipoff("run", "--config", "small2", "--quiet", "--period", "97", "--samples", bareTips, "build/workloads/crc.small.elf");
  tipoff("report", "--format", "html", "--output", bare, bareTips);
  const other = await open(chromium, bare, { hash: "pipeline" });
  assert.match(await other.page.$eval("main", (m) => m.textContent), /tipoff run --snippets 20/);
  assert.deepEqual(other.faults, []);
});
