// The page says why by the rules of the text report: of the same rows both have the same words.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sampled, tipoff } from "./browser.mjs";
import { whyOf } from "./why.mjs";

for (const name of ["interp", "vm_procs"]) {
  describe(name, () => {
    const { tips, page } = sampled(`rules-${name}`, `build/workloads/${name}.small.elf`, 31);
    const said = whyOf(page);
    const units = (granularity) => JSON.parse(tipoff("report", "--granularity", granularity, "--format", "json", tips)).units;
    const sorted = (list, ...keys) => list.map((u) => keys.map((k) => u[k]).join(" ")).sort();

    test("functions", () => assert.deepEqual(sorted(said.functions, "unit", "weight", "why"), sorted(units("function"), "unit", "weight", "why")));

    // Of one address space: the page makes one unit of those of several.
    if (name === "interp") test("basic blocks", () => {
      assert.deepEqual(sorted(said.blocks, "weight", "why"), sorted(units("block"), "weight", "why"));
      assert.ok(new Set(said.blocks.map((b) => b.why)).size > 3, "several rules are applied");
    });
  });
}
