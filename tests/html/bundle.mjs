// Modules of html/src for node, without a browser.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

export async function source(path) {
  const { build } = createRequire(join(ROOT, "build/html/package.json"))("esbuild");
  const { outputFiles } = await build({ entryPoints: [join(ROOT, "html/src", path)], bundle: true, format: "esm", write: false, jsx: "automatic", jsxImportSource: "preact", nodePaths: [join(ROOT, "build/html/node_modules")] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

// The data of a page.
export function dataOf(page) {
  return JSON.parse(/<script type="application\/json" id="data">([^]*?)<\/script>/.exec(readFileSync(page, "utf8"))[1]);
}
