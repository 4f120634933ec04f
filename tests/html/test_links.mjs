// Links say what they lead to by name: the page of another run, and of another program, understands them or says that it does not.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, open, sampled, settled, view } from "./browser.mjs";

let chromium, page, faults, one, other, foreign;
before(async () => {
  chromium = await browser();
  one = sampled("links-one", "build/workloads/interp.tiny.elf", 31).page;
  other = sampled("links-other", "build/workloads/interp.small.elf").page; // another build
  foreign = sampled("links-foreign", "build/workloads/vm_procs.small.elf").page;
  ({ page, faults } = await open(chromium, one));
});
after(async () => {
  await chromium.close();
  assert.deepEqual(faults, []);
});

const shown = (p) => p.$eval("main select", (s) => s.selectedOptions[0].textContent.replace(/^[\d.]+ % /, ""));
const missing = (p) => p.$$eval(".missing", (l) => l.map((e) => e.textContent).join(" "));
const hash = (p) => p.evaluate(() => decodeURIComponent(location.hash));

test("every link to a function leads to it, in this page and in that of another run", async () => {
  await view(page, "summary");
  const links = await page.$$eval('[data-table="top-functions"] a', (l) => l.map((a) => [a.getAttribute("href").slice(1), a.textContent]));
  assert.ok(links.length > 3);
  const another = await open(chromium, other);
  let both = 0;
  for (const [link, name] of links) {
    assert.ok(!/\/\d+$/.test(link), link);
    for (const p of [page, another.page]) {
      await p.bringToFront();
      await view(p, link);
      const said = await missing(p);
      both += p === another.page && !said;
      if (!said) assert.equal(await shown(p), name);
      else assert.ok(p === another.page && said.includes(`“${name}”`), said); // without time in the other run
    }
  }
  assert.ok(both > 0, `${both} of ${links.length} are in both`);
  assert.deepEqual(another.faults, []);
  await another.page.close();
  await page.bringToFront();
});

test("the address follows what is chosen: an instruction, a line", async () => {
  await view(page, "code/main");
  await page.keyboard.press("n");
  await settled(page);
  const active = await page.$eval(".pane[aria-label=assembly] .line.active", (l) => l.children[2].textContent);
  const to = await hash(page);
  assert.match(to, /^#code\/main\/\+0x[0-9a-f]+$/);
  await view(page, "summary");
  await view(page, to.slice(1));
  assert.equal(await page.$eval(".pane[aria-label=assembly] .line.active", (l) => l.children[2].textContent), active);
  const line = await page.evaluate(() => {
    const found = [...document.querySelectorAll(".pane[aria-label=source] .line[role=option]:not(.none)")].at(-1);
    found.click();
    return found.children[2].textContent;
  });
  await settled(page);
  assert.match(await hash(page), new RegExp(`^#code/main/[^/]+:${line}$`));
});

test("what the page does not have it reports, and shows no empty view", async () => {
  for (const [link, words] of [["code/no_such", "no function with time called “no_such”"], ["code/3", "called “3”"], ["calls/no_such", "“no_such”"], ["code/main/+0xfffff", "has no +0xfffff"], ["code/main/none.c:1", "has no none.c:1"]]) {
    await view(page, link);
    assert.ok((await missing(page)).includes(words), `${link}: ${await missing(page)}`);
    assert.ok(await page.$("main select"), "and the view is shown");
  }
  await page.evaluate(() => (location.hash = "no-such-view"));
  await settled(page);
  assert.ok((await missing(page)).includes("no view called “no-such-view”"));
  await page.evaluate(() => (location.hash = "code/%E0%A4%A"));
  await settled(page);
  assert.ok((await missing(page)).includes("%E0%A4%A"));
  await view(page, "code/main");
  assert.equal(await missing(page), "");
});

test("a bare name will do where names say more", async () => {
  const { page: vm, faults: wrong } = await open(chromium, foreign, { hash: "code/copy_page" });
  assert.equal(await missing(vm), "");
  assert.match(await shown(vm), /^copy_page \{/);
  await vm.goto(`file://${foreign}#pipeline/no_such`);
  await settled(vm);
  assert.deepEqual(wrong, []);
  await vm.close();
});
