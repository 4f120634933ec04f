// The page of two harts: the functions of each are rows of its own, with a column and a choice by hart, which loops and flame graph have, too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { allRows, browser, FOLDER, open, press, ROOT, tipoff, view } from "../html/browser.mjs";

let chromium, page, faults, expected, loops;
before(async () => {
  const file = (name) => join(FOLDER, name);
  const built = `import pathlib, sys; sys.path.insert(0, "tests/harts"); from programs import built; built(pathlib.Path(sys.argv[1]), "-DHARTS=2", "tests/harts/start.S", "tests/harts/lines.c", name="harts.elf")`;
  execFileSync("python3", ["-c", built, FOLDER], { cwd: ROOT });
  tipoff("run", "--config", "small2c", "--harts", "2", "--quiet", "--period", "97", "--samples", file("harts.tips"), file("harts.elf"));
  const tips = [0, 1].map((hart) => file(`harts.hart${hart}.tips`));
  tipoff("report", "--format", "html", "--output", file("harts.html"), ...tips);
  expected = JSON.parse(tipoff("report", "--by", "function", "--format", "json", ...tips)).units.filter((u) => u.weight);
  loops = JSON.parse(tipoff("report", "--by", "loop", "--format", "json", ...tips)).units.filter((u) => u.weight);
  chromium = await browser();
  ({ page, faults } = await open(chromium, file("harts.html")));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

const named = (units) => units.map((u) => (u.hart === undefined ? `${u.name}:` : `${u.name} {hart ${u.hart}}:${u.hart}`)).sort();
const shown = async () => (await allRows(page)).map((r) => `${r.Function}:${r.Hart}`).sort();

test("each function has its hart, and one hart's can be chosen", async () => {
  await view(page, "functions");
  assert.ok(new Set(expected.map((u) => u.hart)).size > 1);
  assert.deepEqual(await shown(), named(expected));
  for (const hart of [0, 1]) {
    await press(page, String(hart));
    assert.deepEqual(await shown(), named(expected.filter((u) => u.hart === hart)));
  }
  await press(page, "all");
  assert.equal((await shown()).length, expected.length);
});

// By hart, of what the command reports: how much of all time is its own.
const sum = (units) => units.reduce((total, u) => total + u.weight, 0);
const share = (hart) => `${((100 * sum(expected.filter((u) => u.hart === hart))) / sum(expected)).toFixed(1)} %`;
const status = () => page.$eval("[role=status]", (e) => e.textContent.trim());

test("loops of one hart", async () => {
  await view(page, "loops");
  assert.equal((await allRows(page)).length, loops.length);
  for (const hart of [0, 1]) {
    await press(page, String(hart));
    // A loop that both have executed is one, of both; the rest of a function is each hart's own.
    const own = loops.filter((u) => u.hart === hart && u.name.startsWith("[not")).map((u) => u.name);
    const rows = (await allRows(page)).map((r) => r.Loop);
    assert.deepEqual(rows.filter((name) => name.startsWith("[not")).sort(), own.sort());
    assert.ok(rows.some((name) => name.startsWith("fill_it+")) && rows.length < loops.length);
    assert.match(await status(), new RegExp(`^${rows.length} of ${rows.length} loops with time, ${share(hart)} of the time`));
  }
  await press(page, "all");
});

test("the flame graph of one hart", async () => {
  await view(page, "flame");
  for (const hart of [0, 1]) {
    await press(page, String(hart));
    assert.ok((await status()).startsWith(`all: ${share(hart)} of the time`));
  }
  await press(page, "all");
  assert.ok((await status()).startsWith("all: 100.0 % of the time"));
});
