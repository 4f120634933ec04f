// speedscope itself, its npm package in Chromium, opens the exports that it can read, and shows for every function the times of `tipoff report --children`.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, csv, FOLDER, ROOT, sampled, tipoff } from "./browser.mjs";

const APP = join(ROOT, "build/html/node_modules/speedscope/dist/release/index.html");

let chromium, tips, functions, units;
before(async () => {
  chromium = await browser();
  tips = sampled("speedscope", "build/workloads/compress.small.elf").tips;
  const text = tipoff("report", "--format", "csv", "--children", tips);
  units = JSON.parse(tipoff("report", "--format", "json", tips)).U;
  functions = new Map(csv(text).map((r) => [r.function, { total: Number(r.inclusive_cycles), self: Number(r.exclusive_cycles) }]));
  assert.ok(functions.size > 10);
});
after(() => chromium.close());

// Its table "Sandwich": total and self by function. The profile is handed over as speedscope's own command does it, by a script.
async function opened(format, name) {
  const [file, script] = [join(FOLDER, name), join(FOLDER, `${name}.js`)];
  tipoff("report", "--format", format, "--output", file, tips);
  writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(name)}, ${JSON.stringify(readFileSync(file).toString("base64"))})`);
  const page = await chromium.newPage();
  const [faults, said] = [[], []];
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("request", (r) => /^(file|data|blob):/.test(r.url()) || faults.push(r.url()));
  page.on("console", (m) => said.push(m.text()));
  await page.setViewport({ width: 1200, height: 2000 }); // it draws the rows in sight only
  await page.goto(`file://${APP}#view=sandwich&localProfilePath=${script}`);
  // The rows come some frames after their heading: once every function has its row, or never, and the test says which is missing.
  const complete = (names) => names.every((name) => `${document.body.innerText}\n`.includes(`\t${name}\n`));
  await page.waitForFunction(complete, {}, [...functions.keys()]).catch(() => {});
  const text = await page.evaluate(() => document.body.innerText);
  await page.close();
  assert.deepEqual(faults, []);
  const number = (t) => Number(t.replaceAll(",", ""));
  const rows = [...text.matchAll(/^([\d,.]+) \([^)]*%\)\n\t([\d,.]+) \([^)]*%\)\n\t(.+)$/gm)].map(([, total, self, of]) => [of, { total: number(total), self: number(self) }]);
  return { rows: new Map(rows), said: said.join("\n"), title: text.split("\n")[1] };
}

function near(found, expected, bound, what) {
  assert.ok(Math.abs(found - expected) <= bound, `${what}: ${found}, not ${expected}`);
}

test("its own format: cycles, inlined functions apart", async () => {
  const { rows, said, title } = await opened("speedscope", "profile.speedscope.json");
  assert.match(said, /Importing as speedscope json file/);
  assert.equal(title, "compress.small.elf on small2: cycles, TIP (1/5)"); // the others have one state each
  for (const [name, { total }] of functions) near(rows.get(name)?.total, total, 0.01, name);
  // Every cycle is somebody's.
  const all = csv(tipoff("report", "--format", "csv", tips)).reduce((s, r) => s + r.cycles, 0);
  near([...rows.values()].reduce((s, r) => s + r.self, 0), all, 0.01 * rows.size, "all");
  assert.ok([...rows.keys()].some((name) => !functions.has(name)), "inlined functions are listed");
});

test("collapsed stacks: in 1/U cycle", async () => {
  const { rows, said } = await opened("folded", "profile.folded");
  assert.match(said, /Importing as collapsed stack format/);
  assert.deepEqual(new Set(rows.keys()), new Set(functions.keys()));
  for (const [name, { total, self }] of functions) {
    near(rows.get(name).total, total * units, 0, `total of ${name}`);
    near(rows.get(name).self, self * units, 0, `self of ${name}`);
  }
});

test("pprof's: whole cycles", async () => {
  const { rows, said } = await opened("pprof", "profile.pb.gz");
  assert.match(said, /Importing as protobuf encoded pprof file/);
  assert.deepEqual(new Set(rows.keys()), new Set(functions.keys()));
  for (const [name, { total, self }] of functions) {
    near(rows.get(name).total, total, 5, `total of ${name}`);
    near(rows.get(name).self, self, 1, `self of ${name}`);
  }
});
