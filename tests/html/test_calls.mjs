// Call stacks on the page: time with calls, callers and callees, and the flame graph, against `tipoff report --children`, `--callers`,
// `--callees` and `--format folded`.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { allRows, browser, csv, open, percent, press, sampled, tipoff, view } from "./browser.mjs";

let chromium, made, page, faults, total;
before(async () => {
  chromium = await browser();
  made = sampled("calls", "build/workloads/vm_procs.small.elf");
  ({ page, faults } = await open(chromium, made.page));
  total = csv(tipoff("report", "--format", "csv", made.tips)).reduce((s, r) => s + r.cycles, 0);
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

test("functions with what they call", async () => {
  await view(page, "functions");
  const shown = (await allRows(page)).map((r) => `${r.Function.replace(/ \{.*/, "")} ${r.Share} ${r["With calls"]}`).sort();
  const children = csv(tipoff("report", "--children", "--format", "csv", "--top", "0", made.tips));
  const known = children.filter((r) => Number(r.exclusive_cycles)).map((r) => `${r.function} ${percent(Number(r.exclusive_cycles), total)} ${percent(Number(r.inclusive_cycles), total)}`).sort();
  assert.ok(known.length > 20);
  assert.deepEqual(shown, known);
});

test("callers and callees", async () => {
  await view(page, "calls");
  const options = await page.$$eval("main select option", (l) => l.map((o) => [o.value, o.textContent.replace(/^[\d.]+ % /, "")]));
  let compared = 0;
  for (const function_ of ["kernel_trap", "console_putc", "paging_admit"]) {
    for (const [side, flag, own, other] of [["Called by", "--callers", "callee", "caller"], ["Calls", "--callees", "caller", "callee"]]) {
      const edges = csv(tipoff("report", flag, function_, "--format", "csv", "--top", "0", made.tips));
      for (const [value, name] of options.filter(([, n]) => n.split(" {")[0] === function_)) {
        await view(page, `calls/${value}`);
        const shown = await page.$$eval(`[data-table="${side}"] tr`, (l) => l.filter((r) => r.children.length === 3).map((r) => [r.children[2].textContent, r.children[0].textContent]));
        const expected = edges.filter((e) => e[own] === name && e[other]).map((e) => [e[other], percent(Number(e.inclusive_cycles), total)]);
        const order = (a, b) => a[0].localeCompare(b[0]);
        assert.deepEqual(shown.filter(([n]) => n !== "nobody, as far as is known").sort(order), expected.sort(order), `${side} ${name}`);
        compared += expected.length;
      }
    }
  }
  assert.ok(compared > 10, `${compared} calls`);
});

test("the flame graph has the time of every way", async () => {
  await view(page, "flame");
  await press(page, "icicle");
  const ways = new Map();
  for (const line of tipoff("report", "--format", "folded", made.tips).trim().split("\n")) {
    const [, stack, weight] = /^(.*) (\d+)$/.exec(line);
    const names = stack.split(";");
    names.forEach((_, i) => {
      const way = names.slice(0, i + 1).join(";");
      ways.set(way, (ways.get(way) ?? 0) + Number(weight));
    });
  }
  const sum = [...ways].filter(([way]) => !way.includes(";")).reduce((s, [, w]) => s + w, 0);
  const least = 0.01; // narrower frames may not be drawn
  const expected = [...ways].filter(([way, w]) => w / sum > least && !way.startsWith("end of run")).map(([way, w]) => `${way.split(";").at(-1).replace(/ \{.*/, "")} ${percent(w, sum)}`).sort();
  const shown = await page.$$eval(".frame.function", (l, limit) => l.map((f) => f.getAttribute("aria-label")).filter((t) => Number(/([\d.]+) %$/.exec(t)[1]) > 100 * limit), least);
  assert.ok(expected.length > 20, `${expected.length} ways`);
  assert.deepEqual(shown.sort(), expected.filter((e) => Number(/([\d.]+) %$/.exec(e)[1]) > 100 * least));
});
