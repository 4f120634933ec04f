// Pictures of the docs: every line of text ends inside the box that it begins in, and inside the picture; boxes do not overlap.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, ROOT } from "./browser.mjs";

const MARGIN = 4; // units of the picture between text and the edge of its box

let chromium;
before(async () => (chromium = await browser()));
after(() => chromium.close());

for (const name of ["docs/tipoff.svg"]) {
  test(name, async () => {
    const page = await chromium.newPage();
    await page.setContent(readFileSync(join(ROOT, name), "utf8"));
    // As wide as in any of the fonts that the picture names, or that stand in for them.
    for (const font of ["DejaVu Sans", "Verdana", "Liberation Sans", "sans-serif"]) {
      const { faults, texts } = await page.evaluate((family, margin) => {
        const svg = document.querySelector("svg");
        svg.setAttribute("font-family", family);
        const place = (e) => {
          const box = e.getBBox();
          const m = svg.getScreenCTM().inverse().multiply(e.getScreenCTM());
          return { left: box.x + m.e, right: box.x + box.width + m.e, top: box.y + m.f, bottom: box.y + box.height + m.f };
        };
        const view = svg.viewBox.baseVal;
        const boxes = [...svg.querySelectorAll("rect")].map(place);
        const texts_ = [...svg.querySelectorAll("text")].map((e) => ({ words: e.textContent, ...place(e) }));
        const found = [];
        for (const t of texts_) {
          if (t.right > view.width - margin || t.left < 0 || t.bottom > view.height) found.push(`"${t.words}" leaves the picture`);
          const [x, y] = [t.left + 1, (t.top + t.bottom) / 2];
          for (const b of boxes) {
            const inside = x > b.left && x < b.right && y > b.top && y < b.bottom;
            if (inside && (t.right > b.right - margin || t.bottom > b.bottom || t.top < b.top)) found.push(`"${t.words}" leaves its box by ${(t.right - b.right + margin).toFixed(1)}`);
            if (!inside && t.left < b.right && t.right > b.left && y > b.top && y < b.bottom) found.push(`"${t.words}" runs into a box`);
          }
          for (const u of texts_) if (u !== t && t.left < u.right && u.left < t.right && t.top + 2 < u.bottom - 2 && u.top + 2 < t.bottom - 2) found.push(`"${t.words}" and "${u.words}" overlap`);
        }
        return { faults: found, texts: texts_.length };
      }, font, MARGIN);
      assert.ok(texts > 10, `${texts} texts`);
      assert.deepEqual(faults, [], font);
    }
    await page.close();
  });
}
