// The page of two runs: its numbers are those of `tipoff diff --format json`, and what may be chance has no colour.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { allRows, browser, FOLDER, open, press, settled, tipoff } from "./browser.mjs";

const PROGRAM = "build/workloads/interp.tiny.elf";
const tips = ["a", "b"].map((name) => join(FOLDER, `compare-${name}.tips`));
const file = join(FOLDER, "compare.html");
let chromium;
before(async () => {
  tipoff("run", "--config", "small2", "--quiet", "--period", "31", "--samples", tips[0], PROGRAM);
  tipoff("run", "--config", "small2", "--quiet", "--period", "31", "--seed", "7", "--set", "dram.latency=1500", "--samples", tips[1], PROGRAM);
  tipoff("diff", "--format", "html", "--output", file, ...tips);
  chromium = await browser();
});
after(() => chromium.close());

const expected = (...options) => JSON.parse(tipoff("diff", "--format", "json", ...options, ...tips));
const signed = (v) => `${v < 0 ? "−" : "+"}${Math.round(Math.abs(v)).toLocaleString("en-US")}`;
const colours = (page) => page.$$eval(".table .line", (l) => Object.fromEntries(l.map((line) => [line.children[0].textContent, getComputedStyle(line.querySelector(".share")).backgroundColor])));

test("every function and line with its change; coloured if beyond chance", async () => {
  const { page, faults } = await open(chromium, file);
  let marked = 0;
  for (const by of ["function", "line"]) {
    await press(page, by);
    const { units } = expected("--by", by);
    const shown = await allRows(page);
    assert.equal(shown.length, units.length);
    const head = by === "function" ? "Function" : "Line";
    const text = (u) => `${u.name} ${signed(u.components.time.change)} ${Math.round(u.components.time.a.value).toLocaleString("en-US")}`;
    assert.deepEqual(shown.map((r) => `${r[head]} ${r.Change} ${r.A}`).sort(), units.map(text).sort());
    await page.$eval(".table .body", (b) => (b.scrollTop = 0));
    await settled(page);
    const seen = await colours(page);
    for (const unit of units.filter((u) => u.name in seen)) {
      const clear = seen[unit.name] === "rgba(0, 0, 0, 0)";
      assert.equal(clear, !unit.beyond_chance, `${unit.name}: ${seen[unit.name]}`);
      marked += !clear;
    }
  }
  assert.ok(marked > 1, `${marked} differences are coloured`);
  const { all } = expected();
  for (const [name, c] of Object.entries(all.components)) {
    const row = await page.$$eval('[data-table="components"] tbody tr', (l, n) => l.filter((r) => r.children[0].textContent === n).map((r) => [r.children[3].textContent, getComputedStyle(r.querySelector(".share")).backgroundColor]), name);
    if (name === "time") continue;
    assert.equal(row[0][0], signed(c.change), name);
    assert.equal(row[0][1] === "rgba(0, 0, 0, 0)", !(c.change && Math.abs(c.change) > 1.96 * c.deviation), name);
  }
  assert.deepEqual(faults, []);
});

test("of one run with itself nothing is coloured", async () => {
  const same = join(FOLDER, "compare-same.html");
  tipoff("diff", "--format", "html", "--output", same, tips[0], tips[0]);
  const { page, faults } = await open(chromium, same);
  assert.deepEqual([...new Set(Object.values(await colours(page)))], ["rgba(0, 0, 0, 0)"]);
  assert.deepEqual(faults, []);
});

test("shares, exact profiles, units of one's own", async () => {
  const other = join(FOLDER, "compare-other.html");
  tipoff("diff", "--format", "html", "--shares", "--profiler", "Oracle", "--by", "file", "--output", other, ...tips);
  const { page, faults } = await open(chromium, other);
  const { units } = expected("--shares", "--profiler", "Oracle", "--by", "file");
  const percent = (v) => `${v < 0 ? "−" : "+"}${(100 * Math.abs(v)).toFixed(2)} %`;
  assert.deepEqual((await allRows(page)).map((r) => `${r.File} ${r.Change}`).sort(), units.map((u) => `${u.name} ${percent(u.components.time.change)}`).sort());
  assert.deepEqual(faults, []);
});

for (const dark of [false, true]) {
  for (const [width, height] of [[390, 844], [1280, 800]]) {
    test(`${width} pixels, ${dark ? "dark" : "light"}: no wider than the window`, async () => {
      const { page, faults } = await open(chromium, file, { dark, width, height });
      assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]), [width, height]);
      assert.ok((await page.$eval(".table", (t) => t.getBoundingClientRect().height)) > 200, "the table has room");
      assert.deepEqual(faults, []);
      await page.close();
    });
  }
}
