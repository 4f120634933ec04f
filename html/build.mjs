// Bundles the page of the HTML reports into one file: style and script are put into page.html.
//
//   node build.mjs SOURCES OUTPUT    SOURCES: the folder html/
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [sources, output] = process.argv.slice(2);
const bundle = async (entry) => {
  const result = await build({
    entryPoints: [join(sources, entry)],
    bundle: true,
    minify: true,
    write: false,
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    nodePaths: [join(process.cwd(), "node_modules")],
  });
  return result.outputFiles[0].text.trim();
};

const style = await bundle("style/page.css");
const script = (await bundle("src/main.tsx")).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const page = readFileSync(join(sources, "page.html"), "utf8").replace(/^<!--[^]*?-->\n/, "");
const put = (text, mark, content) => {
  if (!text.includes(mark)) throw new Error(`page.html: no ${mark}`);
  return text.replace(mark, () => content);
};
writeFileSync(`${output}.new`, put(put(page, "/*style*/", style), "/*script*/", script));
renameSync(`${output}.new`, output);
