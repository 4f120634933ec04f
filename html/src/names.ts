// Names as the page shows them: short, whole on hover; and the words of addresses, which the page of another run understands.
import type { TipoffDocument } from "./document";

const LONG = 44; // letters: parameters of longer names are left out

// "std::_Rb_tree<…>::find": what stands between < and >, of operators nothing. Text without templates stays as it is.
export function short(name: string): string {
  if (!name.includes("<")) return name;
  let out = "";
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    const operator = depth ? null : /^operator(<=>|<<=?|>>=?|->\*?|<=?|>=?)/.exec(name.slice(i));
    if (operator) {
      out += operator[0];
      i += operator[0].length - 1;
    } else if (name[i] === "<" && (depth || /[\w ]$/.test(out))) {
      if (!depth++) out += "<…>";
    } else if (name[i] === ">" && depth && name[i - 1] !== "-") {
      depth--;
    } else if (!depth) {
      out += name[i];
    }
  }
  if (depth) return name; // not balanced: no template
  return out.length > LONG ? out.replace(/(?<=[\w…>])\((?!anonymous)[^()]+\)/g, "(…)") : out;
}

// Without "[image]", "{process}" and "{hart}" after it.
export function bare(name: string): string {
  return name.replace(/( \[[^\]]*\]| \{[^}]*\})+$/, "");
}

// Of each function: its name without the image, where no function of another image is called so.
export function withoutImages(doc: TipoffDocument): string[] {
  const names = doc.functions.name.map((n) => doc.strings[n] ?? "");
  const images = new Map<string, Set<number>>();
  names.forEach((name, i) => images.set(bare(name), (images.get(bare(name)) ?? new Set()).add(doc.functions.image[i]!)));
  return names.map((name, i) => {
    const image = ` [${doc.strings[doc.functions.image[i]!] ?? ""}]`;
    return images.get(bare(name))!.size === 1 ? name.replace(image, "") : name;
  });
}

// What distinguishes functions in an address: their names; where several are called so, with the file; then the mode; then which of them, by address.
export function functionWords(doc: TipoffDocument): string[] {
  const { file, mode } = doc.functions;
  const text = (n: number) => doc.strings[n] ?? "";
  let words = withoutImages(doc);
  const steps = [(i: number) => text(file[i]!).replace(/^.*\//, ""), (i: number) => text(mode[i]!)];
  for (const step of steps) {
    const several = repeated(words);
    words = words.map((word, i) => (several.has(word) && step(i) ? `${word}:${step(i)}` : word));
  }
  const met = new Map<string, number>();
  return words.map((word) => {
    const before = met.get(word) ?? 0;
    met.set(word, before + 1);
    return before ? `${word}:${before + 1}` : word;
  });
}

function repeated(words: string[]): Set<string> {
  const met = new Set<string>();
  return new Set(words.filter((word) => met.has(word) || !met.add(word)));
}
