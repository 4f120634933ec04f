// What a user does with the page: sort, filter, fold, search, zoom, walk by keyboard, choose colours and theme.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { allRows, browser, open, press, rows, sampled, settled, view } from "./browser.mjs";

let chromium, made, page, faults;
before(async () => {
  chromium = await browser();
  made = sampled("use", "build/workloads/vm_procs.small.elf");
  ({ page, faults } = await open(chromium, made.page));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

const number = (text) => Number.parseFloat(text.replaceAll(",", "")) || 0;
const type = async (text) => {
  await page.$eval("input.search", (i) => { i.value = ""; i.dispatchEvent(new Event("input", { bubbles: true })); });
  await page.focus("input.search");
  if (text) await page.keyboard.type(text);
  await settled(page);
};

test("a click on a head sorts by the column, a second one the other way round", async () => {
  await view(page, "functions");
  for (const [head, value] of [["Cycles", (r) => number(r.Cycles)], ["Stalled", null], ["Function", (r) => r.Function]]) {
    await page.evaluate((h) => [...document.querySelectorAll(".head button")].find((b) => b.textContent.startsWith(h)).click(), head);
    await settled(page);
    const direction = await page.$eval(".head [aria-sort]", (h) => [h.textContent.replace(/[▾▴]/, ""), h.getAttribute("aria-sort")]);
    assert.equal(direction[0], head);
    if (!value) continue;
    const list = (await allRows(page)).map(value);
    const sorted = [...list].sort((a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true })));
    assert.deepEqual(list, direction[1] === "descending" ? sorted.reverse() : sorted);
  }
  const first = (await rows(page))[0].Function;
  await page.click(".head [aria-sort] button");
  await settled(page);
  assert.notEqual((await rows(page))[0].Function, first);
});

test("a regular expression filters; one that does not parse is reported and keeps the rows of the last", async () => {
  await view(page, "functions");
  await type("^copy_|^main");
  const found = await allRows(page);
  assert.equal(found.length, 4);
  for (const row of found) assert.match(row.Function, /^copy_|^main/);
  const status = await page.$eval(".tools [role=status]", (s) => s.textContent);
  assert.match(status, /^4 of \d+ functions/);
  await type("^copy_|^main(");
  assert.equal(await page.$eval("input.search", (i) => i.getAttribute("aria-invalid")), "true");
  assert.ok((await page.$eval(".fault", (f) => f.textContent)).length > 5);
  assert.equal((await allRows(page)).length, 4);
  await type("no such function");
  assert.equal((await rows(page)).length, 0);
  await type("");
});

test("groups fold", async () => {
  await view(page, "functions");
  const single = (await allRows(page)).length;
  await press(page, "mode");
  const groups = async () => page.$$eval(".line.group", (l) => l.map((g) => [g.children[0].textContent, g.getAttribute("aria-expanded")]));
  const open_ = await allRows(page);
  const modes = open_.filter((r) => /^▾/.test(r.Function));
  assert.equal(open_.length, single + modes.length);
  assert.ok(modes.length >= 3, `${modes.length} modes`);
  assert.ok(modes.some((m) => m.Function.startsWith("▾supervisor (")));
  const inGroup = Number(/\((\d+)\)/.exec(modes[0].Function)[1]);
  await page.$eval(".table .body", (b) => (b.scrollTop = 0));
  await settled(page);
  await page.click(".line.group");
  await settled(page);
  assert.equal((await allRows(page)).length, open_.length - inGroup);
  await page.$eval(".table .body", (b) => (b.scrollTop = 0));
  await settled(page);
  assert.equal((await groups())[0][1], "false");
  await page.focus(".table .body");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal((await allRows(page)).length, open_.length);
  await press(page, "none");
});

test("the keyboard: rows, views, search", async () => {
  await view(page, "functions");
  await page.$eval(".table .body", (b) => (b.scrollTop = 0));
  await page.focus(".table .body");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await settled(page);
  assert.equal(await page.$eval(".line.active", (l) => l.getAttribute("aria-rowindex")), "4");
  const name = (await rows(page)).find((r) => r.at === 4).Function;
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.$eval("nav a[aria-current]", (a) => a.textContent), "Code");
  assert.ok((await page.$eval("select", (s) => s.selectedOptions[0].textContent)).endsWith(` % ${name}`));
  await page.evaluate(() => document.activeElement.blur());
  for (const [key, text] of [["1", "Summary"], ["6", "Calls"], ["7", "Flame graph"], ["0", "Profilers"], ["2", "Functions"]]) {
    await page.keyboard.press(key);
    await settled(page);
    assert.equal(await page.$eval("nav a[aria-current]", (a) => a.textContent), text);
  }
  await page.keyboard.press("/");
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains("search")));
});

test("code: the next hottest instruction, its source line, one pane or two", async () => {
  await view(page, "code");
  const selected = () => page.$eval(".pane[aria-label=assembly] .line.active", (l) => [...l.children].map((c) => c.textContent));
  const first = await selected();
  await page.keyboard.press("n");
  await settled(page);
  const second = await selected();
  assert.ok(number(first[0]) >= number(second[0]) && first[2] !== second[2], `${first} ${second}`);
  const line = await page.$eval(".pane[aria-label=source] .line.active", (l) => [...l.children].map((c) => c.textContent));
  assert.ok(number(line[0]) >= number(second[0]));
  await press(page, "assembly");
  assert.equal(await page.$(".pane[aria-label=source]"), null);
  await press(page, "both");
});

test("flame graph: search, zoom, keyboard, upside down", async () => {
  await view(page, "flame");
  await type("^copy_page");
  const hits = await page.$$eval(".frame.hit span", (l) => l.map((s) => s.textContent));
  assert.ok(hits.length >= 2 && hits.every((h) => h.startsWith("copy_page")));
  const share = await page.$eval(".tools [role=status]", (s) => Number.parseFloat(s.textContent));
  await view(page, "functions");
  const times = (await allRows(page)).filter((r) => r.Function.startsWith("copy_page")).reduce((s, r) => s + number(r.Share), 0);
  assert.ok(Math.abs(share - times) < 0.15, `${share} and ${times}`);
  await view(page, "flame");
  // The widest function of less than half the width: zoomed it has all of it.
  const widthOf = (f) => f.getBoundingClientRect().width;
  const whole = await page.$eval(".frame.root", widthOf);
  const frames = await page.$$(".frame.function");
  const widths = await Promise.all(frames.map((f) => f.evaluate(widthOf)));
  const before_ = Math.max(...widths.filter((w) => w < whole / 2));
  const chosen = frames[widths.indexOf(before_)];
  assert.ok(before_ > 20, `${before_} of ${whole}`);
  const width = () => chosen.evaluate(widthOf);
  await chosen.click();
  await settled(page);
  assert.equal(Math.round(await width()), Math.round(whole));
  await page.focus(".frame[tabindex='0']");
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(Math.round(await width()), Math.round(before_));
  const top = () => page.$eval(".frame.root", (f) => f.getBoundingClientRect().top);
  const icicle = await top();
  await press(page, "flame graph");
  assert.ok((await top()) > icicle);
  await press(page, "icicle");
});

test("colours by event, light and dark", async () => {
  await view(page, "summary");
  const bar = () => page.$eval(".wide-bar i", (i) => getComputedStyle(i).backgroundImage);
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const states = await bar();
  await press(page, "event");
  assert.notEqual(await bar(), states);
  await press(page, "state");
  const light = await back();
  await press(page, "dark");
  const dark = await back();
  assert.notEqual(dark, light);
  await press(page, "auto");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  assert.equal(await back(), dark);
  await press(page, "light");
  assert.equal(await back(), light);
  await press(page, "auto");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
});

// WCAG 2.2: 4.5 for text, 3 for what a picture is made of.
test("contrast", async () => {
  for (const theme of ["light", "dark"]) {
    await press(page, theme);
    const ratios = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      const luminance = (name) => {
        probe.style.color = `var(--${name})`;
        const [r, g, b] = getComputedStyle(probe).color.match(/[\d.]+/g).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (a, b) => {
        const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
      };
      const list = [["text", "back", 4.5], ["dim", "back", 4.5], ["dim", "panel", 4.5], ["accent", "back", 4.5], ["accent", "accent-back", 4.5], ["fault", "raised", 4.5]];
      for (let s = 0; s < 5; s++) list.push([`state-${s}`, "back", 3]);
      const found = list.map(([a, b, least]) => ({ a, b, least, ratio: ratio(a, b) }));
      probe.remove();
      return found;
    });
    for (const { a, b, least, ratio } of ratios) assert.ok(ratio >= least, `${theme}: ${a} on ${b}: ${ratio.toFixed(2)} < ${least}`);
  }
  await press(page, "auto");
});

// States are distinguished by people who lack one of the three cones (Viénot, Brettel and Mollon 1999, in linear RGB), too.
test("states differ with any colour vision", async () => {
  const LACK = {
    red: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    green: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
  };
  for (const theme of ["light", "dark"]) {
    await press(page, theme);
    const colours = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      const list = [0, 1, 2, 3].map((s) => { probe.style.color = `var(--state-${s})`; return getComputedStyle(probe).color.match(/[\d.]+/g).map(Number); });
      probe.remove();
      return list;
    });
    for (const [kind, matrix] of Object.entries(LACK)) {
      const seen = colours.map((c) => lab(matrix.map((row) => row.reduce((sum, m, i) => sum + m * linear(c[i]), 0))));
      for (let a = 0; a < 4; a++) {
        for (let b = a + 1; b < 4; b++) {
          const distance = Math.hypot(...seen[a].map((v, i) => v - seen[b][i]));
          assert.ok(distance > 20, `${theme}, without ${kind}: states ${a} and ${b} differ by ${distance.toFixed(1)}`);
        }
      }
    }
  }
  await press(page, "auto");
});

function linear(v) {
  return v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
}

function lab([r, g, b]) {
  const f = (t) => (t > 0.008856 ? Math.cbrt(Math.max(0, t)) : 7.787 * t + 16 / 116);
  const [x, y, z] = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089];
  return [116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))];
}
