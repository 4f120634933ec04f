// What html/src says of times, without a browser: its model, bundled for node.
//
//   node tests/html/why.mjs PAGE.html    a line of JSON: functions and basic blocks, each with its weight and why
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const { build } = createRequire(join(ROOT, "build/html/package.json"))("esbuild");
const { outputFiles } = await build({ entryPoints: [join(ROOT, "html/src/model.ts")], bundle: true, format: "esm", write: false });
const { Model } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

// By the page's rules alone: nothing that the file has of the whole run.
function said(split) {
  split.said = null;
  return split.why();
}

export function whyOf(page) {
  const model = new Model(JSON.parse(/<script type="application\/json" id="data">([^]*?)<\/script>/.exec(readFileSync(page, "utf8"))[1]));
  const weights = model.weights(null);
  const functions = model.functions(weights).map((f) => ({ unit: model.string(model.doc.functions.unit[f.index]), weight: f.split.weight, why: said(f.split) }));
  const blocks = model.units("block", weights).map((b) => ({ weight: b.split.weight, why: said(b.split) }));
  return { functions, blocks };
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(whyOf(process.argv[2])));
