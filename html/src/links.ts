// Addresses of views, functions, lines and instructions: by name, so that they lead to the same in the page of another run.
//
//   #code/main   #code/main/sort.c:56   #code/main/+0x1c   #calls/main   #pipeline/main+0x1c
import { shortFile, type Instruction, type Model } from "./model";
import { bare, functionWords } from "./names";
import type { ViewName } from "./state";

export interface Target {
  index: number; // of the function, the snippet or the table
  at: string; // of the code view: "sort.c:56", "+0x1c"; "": nothing
}

export class Links {
  private readonly functions: string[];
  private readonly snippets: string[];

  constructor(private readonly model: Model) {
    this.functions = functionWords(model.doc);
    this.snippets = unlike(model.snippets.map((s) => (s.function < 0 ? model.string(s.address[s.row]!) : `${this.functions[s.function]!}${offset(model, s.function, s.instruction)}`)));
  }

  // The words that a view has for its targets, in their order.
  private words(view: ViewName): string[] {
    if (view === "code" || view === "calls") return this.functions;
    return view === "pipeline" ? this.snippets : view === "tables" ? this.model.doc.tables.map((t) => t.name) : [];
  }

  to(view: ViewName, target?: number, at = ""): string {
    const word = target === undefined ? undefined : this.words(view)[target];
    return [view, ...(word === undefined ? [] : [word, ...(at ? [at] : [])])].map(encodeURIComponent).join("/");
  }

  // null: there is nothing called so here. A function's bare name will do: the one with most time is meant.
  find(view: ViewName, word: string): number | null {
    const words = this.words(view);
    const exact = words.indexOf(word);
    if (exact >= 0) return exact;
    if (view !== "code" && view !== "calls") return null;
    const time = (f: number) => this.model.functionRows[f]!.reduce((sum, row) => sum + this.model.doc.rows.weight[row]!, 0);
    const like = words.flatMap((_, f) => (bare(this.model.functionWhole(f)) === bare(word) ? [f] : []));
    return like.sort((a, b) => time(b) - time(a))[0] ?? null;
  }

  offsetOf(fn: number, instruction: number): string {
    return offset(this.model, fn, instruction);
  }
}

function offset(model: Model, fn: number, instruction: number): string {
  const at = model.code(fn)?.offset[instruction];
  return at === undefined ? "" : `+0x${at.toString(16)}`;
}

function unlike(words: string[]): string[] {
  return words.map((word, i) => (words.indexOf(word) === i ? word : `${word}:${words.slice(0, i).filter((w) => w === word).length + 1}`));
}

export function lineWord(instruction: Instruction): string {
  return `${shortFile(instruction.file)}:${instruction.line}`;
}

// The instructions of a listing that "+0x1c" or "sort.c:56" means; none: it has no such.
export function instructionsAt(model: Model, fn: number, listing: Instruction[], at: string): number[] {
  return listing.filter((i) => (at.startsWith("+") ? offset(model, fn, i.index) === at : i.line > 0 && lineWord(i) === at)).map((i) => i.index);
}
