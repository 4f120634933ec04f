// What the page shows of its tables, in headless Chromium.
//
//   node tests/html/table.mjs PAGE.html HEADING...    a line of JSON: the first table as it stands, and sorted by each of the columns; what went wrong
import { allRows, browser, open, press } from "./browser.mjs";

const [file, ...headings] = process.argv.slice(2);
const chromium = await browser();
try {
  const { page, faults } = await open(chromium, file, { hash: "tables" });
  const status = await page.$eval("[role=status]", (e) => e.textContent);
  const rows = await allRows(page);
  const sorted = [];
  for (const heading of headings) {
    await press(page, heading);
    sorted.push(await allRows(page));
  }
  console.log(JSON.stringify({ status, rows, sorted, faults }));
} finally {
  await chromium.close();
}
