// What html/src says of times, without a browser: its model, bundled for node.
//
//   node tests/html/why.mjs PAGE.html    a line of JSON: functions and basic blocks, each with its weight and why
import { dataOf, source } from "./bundle.mjs";

const { Model } = await source("model.ts");

// By the page's rules alone: nothing that the file has of the whole run.
function said(split) {
  split.said = null;
  return split.why();
}

export function whyOf(page) {
  const model = new Model(dataOf(page));
  const weights = model.weights(null);
  const functions = model.functions(weights).map((f) => ({ unit: model.string(model.doc.functions.unit[f.index]), weight: f.split.weight, why: said(f.split) }));
  const blocks = model.units("block", weights).map((b) => ({ weight: b.split.weight, why: said(b.split) }));
  return { functions, blocks };
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(whyOf(process.argv[2])));
