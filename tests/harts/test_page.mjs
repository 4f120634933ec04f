// The page of two harts: the functions of each are rows of its own, with a column and a choice by hart.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { allRows, browser, FOLDER, open, press, ROOT, tipoff, view } from "../html/browser.mjs";

let chromium, page, faults, expected;
before(async () => {
  const file = (name) => join(FOLDER, name);
  const built = `import pathlib, sys; sys.path.insert(0, "tests/harts"); from programs import built; built(pathlib.Path(sys.argv[1]), "-DHARTS=2", "tests/harts/start.S", "tests/harts/lines.c", name="harts.elf")`;
  execFileSync("python3", ["-c", built, FOLDER], { cwd: ROOT });
  tipoff("run", "--config", "small2c", "--harts", "2", "--quiet", "--period", "97", "--samples", file("harts.tips"), file("harts.elf"));
  const tips = [0, 1].map((hart) => file(`harts.hart${hart}.tips`));
  tipoff("report", "--format", "html", "--output", file("harts.html"), ...tips);
  expected = JSON.parse(tipoff("report", "--by", "function", "--format", "json", ...tips)).units.filter((u) => u.weight);
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
