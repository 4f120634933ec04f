// Every view in a telephone's window and a laptop's, light and dark: nothing is wider than the window, no text is without room.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, FOLDER, open, press, settled, tipoff, view } from "./browser.mjs";

const SIZES = [[390, 844], [360, 640], [720, 900], [1280, 800]];
const VIEWS = ["summary", "functions", "instructions", "loops", "code", "calls", "flame", "timeline", "pipeline", "profilers", "tables"];
let chromium;
const tips = `${FOLDER}/layout.tips`;
const file = `${FOLDER}/layout.html`;
before(async () => {
  tipoff("run", "--config", "small2", "--quiet", "--period", "97", "--snippets", "8", "--samples", tips, "build/workloads/vm_procs.small.elf");
  tipoff("report", "--format", "html", "--output", file, tips);
  chromium = await browser();
});
after(() => chromium.close());

// Widths of what has to be read, in pixels.
const widths = (page, selector) => page.$$eval(selector, (l) => l.filter((e) => e.offsetParent).map((e) => Math.round(e.getBoundingClientRect().width)));

for (const dark of [false, true]) {
  for (const [width, height] of SIZES) {
    test(`${width} pixels, ${dark ? "dark" : "light"}`, async () => {
      const { page, faults } = await open(chromium, file, { dark, width, height });
      for (const name of VIEWS) {
        await view(page, name);
        const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
        assert.deepEqual(size, [width, height], name);
        // What is not in a box that scrolls sideways is in sight.
        const outside = await page.evaluate(() => {
          const scrolls = (e) => e && e !== document.body && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
          return [...document.querySelectorAll("header *, main *")].filter((e) => e.clientWidth && !scrolls(e.parentElement) && e.getBoundingClientRect().right > innerWidth + 1).map((e) => `${e.tagName} ${e.className} ${e.textContent.slice(0, 30)}`);
        });
        assert.deepEqual(outside, [], name);
        const tab = await page.$eval("nav [aria-current]", (a) => [a.getBoundingClientRect().left, a.getBoundingClientRect().right]);
        assert.ok(tab[0] >= 0 && tab[1] <= width, `the tab of ${name} is in sight: ${tab}`);
        const main = await page.$eval("main", (m) => m.getBoundingClientRect().height);
        assert.ok(main > height / 2, `${name} has ${main} of ${height} pixels`);
      }
      await view(page, "code");
      for (const pane of ["source", "assembly"]) {
        const text = await widths(page, `.pane[aria-label=${pane}] .line > :nth-child(4)`);
        assert.ok(text.length && Math.min(...text) >= 100, `${pane}: text of ${text[0]} pixels`);
      }
      await view(page, "pipeline");
      assert.ok((await widths(page, ".diagram"))[0] >= Math.min(300, width - 20), "the diagram");
      assert.ok((await widths(page, ".snippets .mono"))[0] >= 90, "instructions of the list");
      assert.deepEqual(faults, []);
      await page.close();
    });
  }
}

test("in a narrow window the columns that say most come first, and the table scrolls in itself", async () => {
  const { page, faults } = await open(chromium, file, { hash: "instructions", width: 390, height: 844 });
  const heads = () => page.$$eval(".table .head > div", (l) => l.map((h) => h.textContent.replace(/[▾▴]$/, "")));
  assert.deepEqual((await heads()).slice(0, 3), ["Share", "Instruction", "Function"]);
  const scrolls = await page.$eval(".table", (t) => [t.scrollWidth > t.clientWidth, t.clientWidth]);
  assert.deepEqual(scrolls, [true, 390]);
  await page.setViewport({ width: 1280, height: 800 });
  await settled(page);
  assert.deepEqual((await heads()).slice(0, 3), ["Share", "Cycles", "by state"]);
  await press(page, "event");
  assert.deepEqual(faults, []);
});
