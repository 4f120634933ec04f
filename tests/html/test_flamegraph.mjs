// The flame graph as a picture of its own, in Chromium: every name ends inside its box whatever the font, and can be read, in light and in dark.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, FOLDER, sampled, tipoff } from "./browser.mjs";

let chromium, file;
before(async () => {
  chromium = await browser();
  file = join(FOLDER, "flamegraph.svg");
  tipoff("report", "--format", "flamegraph", "--output", file, sampled("flamegraph", "build/workloads/vm_procs.small.elf").tips);
});
after(() => chromium.close());

async function opened(dark) {
  const page = await chromium.newPage();
  const faults = [];
  page.on("console", (m) => faults.push(m.text()));
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("request", (r) => r.url() === `file://${file}` || faults.push(r.url()));
  await page.setViewport({ width: 1220, height: 500 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await page.goto(`file://${file}`);
  return { page, faults };
}

// Fonts without a fixed width are not among those that the picture names, and `monospace` ends the list.
test("names stay in their boxes, words beside the legend apart", async () => {
  const { page, faults } = await opened(false);
  for (const font of ["", "monospace"]) {
    const found = await page.evaluate((family) => {
      for (const t of document.querySelectorAll("text")) t.style.fontFamily = family;
      const wrong = [];
      const groups = [...document.querySelectorAll("g")];
      let names = 0;
      for (const g of groups) {
        const [box, text] = [g.querySelector("rect").getBBox(), g.querySelector("text")?.getBBox()];
        if (!text) continue;
        names++;
        // Upwards of the base line a letter has 0.8 of the font's size in any font, downwards 0.25; the line's own height differs (Noto: 1.36).
        const [base, size] = [Number(g.querySelector("text").getAttribute("y")), parseFloat(getComputedStyle(g.querySelector("text")).fontSize)];
        if (text.x < box.x + 1 || text.x + text.width > box.x + box.width - 1 || base - 0.8 * size < box.y || base + 0.25 * size > box.y + box.height) wrong.push(g.textContent);
      }
      const free = [...document.querySelectorAll("svg > text")].map((t) => ({ words: t.textContent, box: t.getBBox() }));
      for (const a of free) {
        if (a.box.x + a.box.width > 1200) wrong.push(`${a.words} leaves the picture`);
        for (const b of free) if (a !== b && a.box.x < b.box.x + b.box.width && b.box.x < a.box.x + a.box.width && a.box.y + 2 < b.box.y + b.box.height - 2 && b.box.y + 2 < a.box.y + a.box.height - 2) wrong.push(`${a.words} runs into ${b.words}`);
      }
      // Where a whole name has room, it is drawn.
      const cut = groups.map((g) => ({ text: g.querySelector("text"), box: g.querySelector("rect").getBBox(), name: g.querySelector("title").textContent.split("\n")[0] }))
        .filter(({ text, box, name }) => box.width > 7 * name.length + 10 && !name.includes(":") && text?.textContent !== name).map(({ name }) => name);
      return { wrong: [...wrong, ...cut], names, size: [document.documentElement.getAttribute("width"), groups.length] };
    }, font);
    assert.deepEqual(found.wrong, [], font);
    assert.ok(found.names > 20, `${found.names} names`);
  }
  assert.deepEqual(faults, []);
  await page.close();
});

const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const numbers = (text) => text.match(/[\d.]+/g).map(Number);

for (const dark of [false, true]) {
  test(`text can be read ${dark ? "in the dark" : "in the light"}`, async () => {
    const { page, faults } = await opened(dark);
    const { back, texts, boxes } = await page.evaluate(() => {
      const fill = (e) => getComputedStyle(e).fill;
      return {
        back: fill(document.querySelector("rect.back")),
        texts: [...document.querySelectorAll("svg > text")].map(fill),
        boxes: [...document.querySelectorAll("g")].filter((g) => g.querySelector("text")).map((g) => {
          const rect = g.querySelector("rect");
          return { name: g.textContent, colour: fill(rect), opacity: Number(getComputedStyle(rect).fillOpacity), text: fill(g.querySelector("text")) };
        }),
      };
    });
    assert.equal(light(numbers(back)) < 0.05, dark);
    for (const text of texts) assert.ok(contrast(numbers(text), numbers(back)) >= 4.5, `${text} on ${back}`);
    for (const { name, colour, opacity, text } of boxes) {
      const seen = numbers(colour).map((v, i) => opacity * v + (1 - opacity) * numbers(back)[i]);
      assert.ok(contrast(numbers(text), seen) >= 4.5, `${name}: ${text} on ${colour}`);
    }
    assert.deepEqual(faults, []);
    await page.close();
  });
}
