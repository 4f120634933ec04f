// A program whose source is not found: the page reports that once a file, and still has the time of each line.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assembled, browser, FOLDER, open, sampled, settled } from "./browser.mjs";

// A loop of two lines.
const PROGRAM = `
    .text
    .globl _start
    .type _start, @function
_start:
    li s0, 3000
1:  addi s0, s0, -1
    bnez s0, 1b
    la t0, tohost
    li t1, 1
    sd t1, 0(t0)
2:  j 2b
    .size _start, . - _start
    .section .tohost, "aw"
    .globl tohost
tohost: .dword 0
`;

let chromium, page, faults;
before(async () => {
  const source = join(FOLDER, "gone.S");
  writeFileSync(source, PROGRAM);
  const program = assembled(source, "gone.elf");
  rmSync(source);
  chromium = await browser();
  ({ page, faults } = await open(chromium, sampled("gone", program, 31).page, { hash: "code" }));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

test("source text that is not found", async () => {
  await settled(page);
  const text = await page.$eval(".pane[aria-label=source]", (p) => p.textContent);
  assert.equal(text.split("source text not found").length - 1, 1, text.slice(0, 300));
  const lines = await page.$$eval(".pane[aria-label=source] .line[role=option]", (l) => l.map((line) => [...line.children].map((c) => c.textContent)));
  assert.ok(lines.length > 3 && lines.some(([share]) => share.endsWith(" %")), `${lines}`);
  assert.ok(lines.every(([, , number, code]) => Number(number) > 0 && code === ""), `${lines.slice(0, 3)}`);
});
