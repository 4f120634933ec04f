// A function of 28,000 instructions stays quick, and a function's name stays text.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { allRows, assembled, browser, open, press, sampled, settled, view } from "./browser.mjs";

const NAME = "</script><img src=x onerror=document.title=1>";
const NODES = 2500; // of the page, whatever the function's length

let chromium, made, page, faults;
before(async () => {
  chromium = await browser();
  made = sampled("long", assembled("tests/html/long_function.S", "long.elf"));
  ({ page, faults } = await open(chromium, made.page));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);

test("the page is a few megabytes", () => assert.ok(statSync(made.page).size < 3e6, `${statSync(made.page).size} bytes`));

test("all of the function is listed, and little of it is drawn", async () => {
  await view(page, "code");
  assert.match(await page.$eval(".tools .dim", (d) => d.textContent), /28,002 instructions/);
  assert.ok((await nodes()) < NODES, `${await nodes()} elements`);
  const addresses = () => page.$$eval(".pane[aria-label=assembly] .line", (l) => l.map((e) => Number(e.children[2].textContent)));
  const body = ".pane[aria-label=assembly] .body";
  await page.$eval(body, (b) => (b.scrollTop = 0));
  await settled(page);
  const first = Math.min(...(await addresses()));
  await page.$eval(body, (b) => (b.scrollTop = b.scrollHeight));
  await settled(page);
  const last = Math.max(...(await addresses()));
  assert.equal(last - first, 4 * 28001);
  assert.ok((await nodes()) < NODES);
  await page.focus(body);
  await page.keyboard.press("Home");
  await settled(page);
  assert.equal(Math.min(...(await addresses())), first);
});

test("every view draws few elements", async () => {
  for (const name of ["summary", "functions", "instructions", "loops", "calls", "flame", "timeline", "pipeline", "profilers"]) {
    await view(page, name);
    assert.ok((await nodes()) < 4000, `${name}: ${await nodes()} elements`);
  }
  await press(page, "icicle").catch(() => {});
});

test("a name that is markup is shown as it is", async () => {
  await view(page, "functions");
  assert.ok((await allRows(page)).some((r) => r.Function === NAME));
  for (const name of ["summary", "code", "calls", "flame", "profilers"]) {
    await view(page, name);
    assert.equal(await page.$("img"), null, name);
    assert.equal((await page.$$("script")).length, 2, name);
    assert.match(await page.title(), /^long\.elf/);
  }
  const text = readFileSync(made.page, "utf8");
  assert.equal(text.match(/<\/script/g).length, 2);
  assert.ok(!text.includes("<img"));
});

test("without scripts the page holds the report as text", async () => {
  const plain = await chromium.newPage();
  await plain.setJavaScriptEnabled(false);
  await plain.goto(`file://${made.page}`);
  const text = await plain.$eval("noscript", (n) => n.innerText);
  assert.match(text, /Where the cycles go\n/);
  assert.ok(text.includes(NAME));
});
