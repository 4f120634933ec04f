// Loops and basic blocks on the page are those of `tipoff report --by`; intervals and reasons those of the text report and of JSON; advice that of JSON.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { allRows, browser, grouped, open, percent, press, rows, sampled, settled, tipoff, view } from "./browser.mjs";

let chromium, made, page, faults, json;
before(async () => {
  chromium = await browser();
  made = sampled("loops", "build/workloads/compress.small.elf");
  json = JSON.parse(tipoff("report", "--format", "json", made.tips));
  ({ page, faults } = await open(chromium, made.page));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

const number = (text) => (text === "" ? null : Number(text.replaceAll(",", "")));
const by = (kind) => JSON.parse(tipoff("report", "--by", kind, "--format", "json", made.tips));
// The half-width of a 95 % interval, from the deviation that JSON has.
const half = (unit, report) => `± ${((100 * 1.96 * unit.deviation) / (report.weight / report.U)).toFixed(2)} points`;
const tipOf = async (selector) => {
  await page.hover(selector);
  await settled(page);
  const text = await page.$eval(".tip", (t) => t.textContent);
  await page.mouse.move(2, 2);
  await settled(page);
  return text;
};

const COLUMNS = {
  loop: { depth: "depth", entries: "entries", iterations: "iterations", iterations_per_entry: "an entry", cycles_per_iteration: "cycles each", cycles_with_inner: "with inner" },
  block: { instructions: "insns", executions: "executions", cycles_per_execution: "cycles each" },
};
for (const [kind, label] of [["loop", "loops"], ["block", "basic blocks"]]) {
  test(`${label} and their counts`, async () => {
    const report = by(kind);
    await view(page, "loops");
    await press(page, label);
    const shown = await allRows(page);
    const expected = report.units.filter((u) => u.weight);
    assert.ok(expected.length > 20);
    assert.equal(shown.length, expected.length);
    const name = kind === "loop" ? "Loop" : "Block";
    const rest = new Map(shown.map((r) => [r[name], r]));
    for (const u of expected) {
      const row = rest.get(u.name);
      assert.equal(row.Share, percent(u.weight, report.weight), u.name);
      assert.equal(row.Cycles, grouped(u.cycles), u.name);
      assert.equal(row.Source, u.line ? `${u.file.replace(/.*\//, "")}:${u.line}` : "", u.name);
      for (const [key, head] of Object.entries(COLUMNS[kind])) assert.equal(number(row[head]), u[key], `${key} of ${u.name}`);
      assert.equal(row.note ?? row["goes to"] ?? "", u.note ?? u.goes_to ?? "", u.name);
    }
    assert.deepEqual(shown.map((r) => number(r.Cycles)), shown.map((r) => number(r.Cycles)).sort((a, b) => b - a));
    await page.$eval(".table .body", (b) => (b.scrollTop = 0));
    await settled(page);
    const first = (await rows(page))[0];
    assert.ok((await tipOf('.table .body .line[aria-rowindex="2"]')).includes(half(expected.find((u) => u.name === first[name]), report)), first[name]);
  });
}

test("a click opens the code of the loop's function", async () => {
  await view(page, "loops");
  await press(page, "loops");
  const first = (await rows(page))[0].Loop;
  await page.click('.table .body .line[aria-rowindex="2"]');
  await settled(page);
  const shown = await page.$eval("main select", (e) => e.selectedOptions[0].textContent);
  assert.ok(shown.endsWith(first.replace(/\+0x.*/, "")), `${shown}: ${first}`);
});

test("intervals of functions and instructions are those of the samples one by one", async () => {
  const functions = JSON.parse(tipoff("report", "--format", "json", "--by", "function", made.tips));
  await view(page, "functions");
  for (let i = 0; i < 5; i++) {
    const name = (await rows(page))[i].Function;
    const unit = functions.units.find((u) => u.name === name);
    assert.ok((await tipOf(`.table .body .line[aria-rowindex="${i + 2}"]`)).includes(half(unit, functions)), name);
  }
  await view(page, "instructions");
  for (let i = 0; i < 5; i++) {
    const address = (await rows(page))[i].Address;
    const unit = json.units.find((u) => u.unit === address);
    assert.ok((await tipOf(`.table .body .line[aria-rowindex="${i + 2}"]`)).includes(half(unit, json)), address);
  }
});

test("of a stretch of the run the interval is called approximate, and reasons are those of the stretch", async () => {
  await view(page, "instructions");
  const whole = (await rows(page)).map((r) => r.Why);
  assert.ok(whole.some((w) => /executions|pipeline fills/.test(w)), "what the run's statistics know");
  await page.focus(".track");
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.ok(await page.$(".chip"), "a stretch is chosen");
  const part = (await rows(page)).map((r) => r.Why);
  assert.ok(!part.some((w) => /executions|pipeline fills/.test(w)), "of the whole run only");
  assert.match(await tipOf('.table .body .line[aria-rowindex="2"]'), /± about \d/);
  await view(page, "loops");
  assert.match(await page.$eval("main .tools", (t) => t.textContent), /counts: whole run/);
  await page.keyboard.press("Escape");
  await settled(page);
});

test("what to do", async () => {
  await view(page, "summary");
  const shown = await page.$$eval('[data-table="advice"] tr', (l) => l.map((r) => [...r.children].map((c) => c.textContent)));
  assert.ok(json.advice.length > 1);
  assert.equal(shown.length, json.advice.length);
  const instructions = new Map(json.units.map((u) => [u.unit, u]));
  json.advice.forEach((a, i) => {
    assert.equal(shown[i][0], percent(a.weight, json.weight));
    for (const part of [a.state, a.events, a.text, a.source, ...a.examples.map((e) => `${instructions.get(e).instruction} in ${instructions.get(e).name.replace(/\+0x.*/, "")}`)]) {
      assert.ok(shown[i][1].includes(part), `${shown[i][1]}: ${part}`);
    }
  });
});
