// The numbers on the page are those of `tipoff report --format csv` and json and of `tipoff samples`, summed up here.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { allRows, browser, csv, grouped, open, percent, press, sampled, settled, sums, tipoff, view } from "./browser.mjs";

let chromium;
before(async () => (chromium = await browser()));
after(() => chromium.close());

for (const name of ["interp", "vm_procs"]) {
  describe(name, () => {
    let tips, page, faults, rows, total, U, json;
    before(async () => {
      const made = sampled(name, `build/workloads/${name}.small.elf`);
      tips = made.tips;
      U = JSON.parse(tipoff("report", "--format", "json", tips)).U;
      rows = weighed("--format", "csv", tips);
      total = rows.reduce((sum, r) => sum + r.weight, 0);
      json = JSON.parse(tipoff("report", "--format", "json", tips));
      ({ page, faults } = await open(chromium, made.page));
    });
    after(() => assert.deepEqual(faults, []));
    const weighed = (...options) => csv(tipoff("report", ...options)).map((r) => ({ ...r, weight: Math.round(U * r.cycles) })); // as JSON has it

    const table = (which) => page.$$eval(`[data-table="${which}"] tr`, (lines) => lines.map((l) => [...l.children].map((c) => c.textContent.trim())));

    test("states", async () => {
      await view(page, "summary");
      const states = sums(rows, (r) => r.state, (r) => r.weight);
      const shown = await table("states");
      assert.equal(shown.length, 4);
      for (const [, state, share] of shown) assert.equal(share, percent(states.get(state) ?? 0, total), state);
    });

    test("events", async () => {
      const shown = new Map((await table("events")).map(([, event, share]) => [event, share]));
      const events = json.events.map((e, bit) => [e, rows.reduce((sum, r) => sum + ((Number(r.psv) >> bit) & 1 ? r.weight : 0), 0)]);
      assert.equal(shown.size, events.filter(([, w]) => w).length);
      for (const [event, weight] of events) if (weight) assert.equal(shown.get(event), percent(weight, total), event);
    });

    test("figures of the run", async () => {
      const figures = await page.$$eval(".figures div", (list) => list.map((d) => [d.children[0].textContent, d.children[1].textContent]));
      assert.deepEqual(Object.fromEntries(figures), { cycles: grouped(json.cycles), instructions: grouped(json.instructions), IPC: json.ipc.toFixed(3), samples: grouped(json.samples) });
    });

    test("functions", async () => {
      await view(page, "functions");
      const shown = await allRows(page);
      const key = (r) => `${r.name.replace(/\+0x[0-9a-f]+$/, "")} ${r.name === "end of run" ? "" : r.mode + r.space}`;
      const time = sums(rows, key, (r) => r.weight);
      const order = [...time.values()].sort((a, b) => b - a);
      assert.deepEqual(shown.map((r) => r.Cycles), order.map((w) => grouped(w / U)));
      assert.deepEqual(shown.map((r) => r.Share), order.map((w) => percent(w, total)));
      const stalled = sums(rows.filter((r) => r.state === "Stalled"), key, (r) => r.weight);
      const [hottest] = [...time].sort((a, b) => b[1] - a[1])[0];
      assert.equal(shown[0].Stalled, percent(stalled.get(hottest), time.get(hottest)));
      assert.equal(shown[0].Function.split(" ")[0], hottest.split(" ")[0]);
    });

    test("samples behind functions", async () => {
      const samples = csv(tipoff("samples", tips));
      const shown = await allRows(page);
      assert.equal(samples.length, json.samples);
      const sum = shown.reduce((s, r) => s + Number(r.Samples.replaceAll(",", "")), 0);
      assert.ok(Math.abs(sum - samples.length) <= shown.length / 2, `${sum} of ${samples.length}`); // each is rounded
      const functionOf = new Map(rows.map((r) => [`${r.unit} ${r.space}`, r.name.replace(/\+0x[0-9a-f]+$/, "")]));
      const counted = new Map();
      for (const s of samples) {
        const lanes = ["addr0", "addr1"].map((a) => s[a]).filter(Boolean);
        for (const lane of lanes) {
          const name = `${functionOf.get(`${lane} ${s.space}`)} ${s.space}`;
          counted.set(name, (counted.get(name) ?? 0) + 1 / lanes.length);
        }
      }
      const most = Math.max(...counted.values());
      assert.ok(shown.some((r) => r.Samples === grouped(most)), `${most} samples are somewhere`);
    });

    test("instructions, and why", async () => {
      await view(page, "instructions");
      const shown = await allRows(page);
      const units = json.units.filter((u) => u.weight).sort((a, b) => b.weight - a.weight);
      assert.deepEqual(shown.map((r) => r.Cycles), units.map((u) => grouped(u.weight / U)));
      const line = (share, address, text, why) => `${share} ${address} ${text} ${why}`;
      const of = (u) => line(percent(u.weight, total), u.unit, u.instruction ?? "", u.why);
      assert.deepEqual(new Set(shown.map((r) => line(r.Share, r.Address, r.Instruction, r.Why))), new Set(units.map(of)));
    });

    test("annotated code", async () => {
      const units = json.units.filter((u) => u.unit !== "end of run");
      const hottest = units.reduce((a, b) => (a.weight > b.weight ? a : b));
      const { space } = hottest;
      await view(page, "instructions");
      await page.$eval(".table .body", (b) => (b.scrollTop = 0));
      await settled(page);
      await page.click('.table .body .line[aria-rowindex="2"]');
      await settled(page);
      const shown = await page.$$eval(".pane[aria-label=assembly] .line", (l) => l.map((e) => [...e.children].map((c) => c.textContent)));
      const known = new Map(units.filter((u) => u.space === space).map((u) => [u.unit, u]));
      let compared = 0;
      for (const [share, , address, text] of shown) {
        const unit = known.get(address);
        if (share) assert.equal(share, percent(unit.weight, total), address);
        if (unit && share) assert.equal(text, unit.instruction);
        compared += share !== "";
      }
      assert.ok(compared > 5, `${compared} instructions with time in sight`);
      // Source lines: the hottest line's time is that of its instructions.
      const marked = await page.$eval(".pane[aria-label=source] .line.active", (l) => [...l.children].map((c) => c.textContent));
      const lineWeight = units.filter((u) => u.space === space && String(u.line) === marked[2] && u.name.split("+")[0] === hottest.name.split("+")[0]).reduce((s, u) => s + u.weight, 0);
      assert.equal(marked[0], percent(lineWeight, total));
    });

    test("errors of the profilers", async () => {
      await view(page, "profilers");
      const shown = await table("errors");
      const errors = new Map(json.errors.filter((e) => e.components === "time").map((e) => [`${e.profiler} ${e.granularity}`, e.error]));
      const names = new Set();
      for (const [name, ...cells] of shown.slice(1)) {
        const [first, same] = name.split(" as ");
        for (const profiler of [first, ...(same ? same.split(", ") : [])]) {
          names.add(profiler);
          ["instruction", "block", "function", "application"].forEach((g, i) => assert.equal(cells[i].replace(/ %.*/, " %"), percent(errors.get(`${profiler} ${g}`), 1, 2), `${profiler} ${g}`));
        }
      }
      assert.deepEqual(names, new Set(json.errors.map((e) => e.profiler)));
    });

    test("shares by each profiler", async () => {
      await press(page, "instructions");
      const shown = await allRows(page);
      for (const profiler of ["Oracle", "NCI", "LCI"]) {
        const own = weighed("--format", "csv", "--profiler", profiler, tips);
        const all = own.reduce((s, r) => s + r.weight, 0);
        const shares = [...sums(own, (r) => `${r.unit} ${r.mode} ${r.space}`, (r) => r.weight).values()].sort((a, b) => b - a).slice(0, 20);
        const column = shown.map((r) => Number.parseFloat(r[profiler]) || 0).sort((a, b) => b - a).slice(0, 20);
        assert.deepEqual(column.map((c) => `${c.toFixed(1)} %`), shares.map((w) => percent(w, all)), profiler);
      }
    });

    // Each in its own row: by function, where names distinguish them.
    test("shares by each profiler, function by function, and their tints", async () => {
      await view(page, "profilers");
      await press(page, "functions");
      const shown = new Map((await allRows(page)).map((r) => [r.Function, r]));
      const csvOf = (profiler) => weighed("--format", "csv", "--by", "function", "--profiler", profiler, tips);
      const seen = new Set();
      for (const profiler of ["Oracle", "NCI", "LCI", "Dispatch"]) {
        const own = csvOf(profiler);
        const all = own.reduce((s, r) => s + r.weight, 0);
        const spaces = sums(own, (r) => [r.name, `${r.name} {space ${r.space}}`, `${r.name} {no address space}`].find((k) => shown.has(k)) ?? "", (r) => r.weight);
        for (const [name, row] of shown) {
          if (!spaces.has(name)) continue;
          const weight = spaces.get(name);
          assert.equal(Number.parseFloat(row[profiler]) || 0, Number.parseFloat(percent(weight, all)), `${profiler}: ${name}`);
          seen.add(name);
        }
      }
      assert.ok(seen.size > 3, `${seen.size} functions compared`);
      await press(page, "instructions");
      // More than the Oracle has another tint than less; what may be chance has none: the samples that show a share p are binomial, within
      // 1.96 sqrt(p (1 - p) / n) in 95 % of profiles. The colours are the legend's. What is read off is rounded to 0.1 %.
      const tints = await page.evaluate(() => {
        const heads = [...document.querySelectorAll(".table .head > div")].map((h) => h.textContent.replace(/[▾▴]$/, ""));
        const at = heads.indexOf("Oracle");
        const colour = (e) => getComputedStyle(e).backgroundColor;
        const legend = ["more", "less"].map((k) => colour(document.querySelector(`.swatch.${k}`)).match(/[\d.]+/g).slice(0, 3).map(Number));
        const cells = [...document.querySelectorAll(".table .body .line")].flatMap((line) =>
          heads.map((head, i) => ({ head, i })).filter(({ i }) => i > 0 && i !== at && line.children[i].querySelector(".share")).map(({ i }) => ({
            share: Math.max(Number.parseFloat(line.children[i].textContent) || 0, Number.parseFloat(line.children[at].textContent) || 0) / 100,
            off: (Number.parseFloat(line.children[i].textContent) || 0) - (Number.parseFloat(line.children[at].textContent) || 0),
            tint: colour(line.children[i].querySelector(".share")),
          })),
        );
        return { legend, cells };
      });
      const kinds = { more: 0, less: 0, none: 0 };
      const { samples } = JSON.parse(tipoff("report", "--format", "json", tips));
      for (const { off, share, tint } of tints.cells) {
        const chance = 196 * Math.sqrt((share * (1 - share)) / samples);
        const [r, g, b, alpha = 1] = tint.match(/[\d.]+(?:e-?\d+)?/g).map(Number);
        const scaled = tint.startsWith("color(") ? [255 * r, 255 * g, 255 * b] : [r, g, b];
        if (Math.abs(off) < chance - 0.11) {
          assert.equal(tint, "rgba(0, 0, 0, 0)", `${off} of ${chance}: ${tint}`);
          kinds.none++;
        } else if (Math.abs(off) > chance + 0.11 && Math.abs(off) > 0.4 && (share - 0.0005) * samples > 10) {
          const distance = tints.legend.map((c) => Math.hypot(...c.map((v, i) => v - scaled[i])));
          assert.ok(alpha > 0.1 && alpha < 0.7, tint);
          assert.equal(distance[0] < distance[1], off > 0, `${off}: ${tint}`);
          kinds[off > 0 ? "more" : "less"]++;
        }
      }
      assert.ok(kinds.more > 1 && kinds.less > 1 && kinds.none > 1, JSON.stringify(kinds));
    });

    test("time of a stretch of the run is that of its samples", async () => {
      await view(page, "timeline");
      const box = await page.$eval(".track", (t) => ({ ...t.getBoundingClientRect().toJSON() }));
      const [from, to] = [0.25, 0.5];
      await page.mouse.move(box.left + from * box.width, box.top + 20);
      await page.mouse.down();
      await page.mouse.move(box.left + 0.4 * box.width, box.top + 20);
      await page.mouse.move(box.left + to * box.width, box.top + 20);
      await page.mouse.up();
      await settled(page);
      const chip = await page.$eval(".chip", (c) => c.textContent);
      const [first, end] = [...chip.matchAll(/[\d,]+(?= –|,? )/g)].slice(0, 2).map((m) => Number(m[0].replaceAll(",", "")));
      // Summed here from the samples one by one: each stands for the cycles since the one before it.
      let Stalled = 0;
      let sum = 0;
      let last = 0;
      for (const s of csv(tipoff("samples", tips))) {
        const triggers = 1 + Number(s.repeats) + Number(s.stalled);
        const cycles = triggers * 97;
        const inside = Math.max(0, Math.min(last + cycles, end) - Math.max(last, first));
        last += cycles;
        sum += inside;
        if (s.state === "Stalled") Stalled += inside;
      }
      await view(page, "summary");
      const states = new Map((await table("states")).map(([, state, share]) => [state, share]));
      const shown = Number.parseFloat(states.get("Stalled"));
      assert.ok(end > first && sum > 0, chip);
      assert.ok(Math.abs(shown - (100 * Stalled) / sum) < 2, `${shown} % and ${(100 * Stalled) / sum} % Stalled in ${chip}`);
      await page.click(".chip button");
      await settled(page);
      assert.equal(await page.$(".chip"), null);
    });
  });
}
