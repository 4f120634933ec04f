// The document as typed columns, and time summed up over them for the part of the run that is looked at.
import type { CodeColumns, Snippet, TipoffDocument } from "./document";
import { short, withoutImages } from "./names";
import { Split } from "./split";

export interface FunctionTime {
  index: number;
  name: string;
  split: Split;
}

export interface Instruction {
  index: number; // in the listing
  address: string;
  text: string;
  file: string;
  line: number;
  block: boolean;
  inline: number; // -1: none
}

export interface InstructionTime extends FunctionTime {
  instruction: Instruction;
}

export interface UnitTime extends FunctionTime { // a loop or a basic block; index: its function, -1: not known
  unit: number;
  file: string;
  line: number;
}

export type Range = readonly [number, number]; // bins: first, after the last

export class Model {
  readonly rows: number;
  readonly state: Uint8Array;
  readonly combo: Uint16Array;
  readonly combos: number[]; // vectors that occur, 0 (no event) first, then by time
  readonly total: number;
  readonly functionRows: number[][] = []; // by function
  readonly hasCalls: boolean;
  private readonly weight: Float64Array;
  private readonly ways = new Map<number, number[]>();
  private readonly listings = new Map<number, Instruction[]>();
  private readonly lines = new Map<string, Map<number, string>>();
  private readonly known = new Map<string, number>(); // by function/instruction
  private readonly names: string[]; // of functions
  private readonly byName: Map<string, number>;
  readonly snippets: Snippet[]; // most time first

  constructor(readonly doc: TipoffDocument) {
    const { rows } = doc;
    this.names = withoutImages(doc);
    this.byName = new Map(doc.functions.name.map((n, i) => [this.string(n), i]));
    this.rows = rows.weight.length;
    this.state = Uint8Array.from(rows.state);
    this.weight = Float64Array.from(rows.weight);
    this.total = doc.weight;
    this.hasCalls = doc.frames.kind.includes("function");
    const time = new Map<number, number>([[0, Infinity]]);
    rows.psv.forEach((psv, i) => psv && time.set(psv, (time.get(psv) ?? 0) + rows.weight[i]!));
    this.combos = [...time.keys()].sort((a, b) => time.get(b)! - time.get(a)! || a - b);
    const number = new Map(this.combos.map((psv, i) => [psv, i]));
    this.combo = Uint16Array.from(rows.psv, (psv) => number.get(psv)!);
    doc.functions.name.forEach(() => this.functionRows.push([]));
    rows.function.forEach((f, row) => this.functionRows[f]!.push(row));
    for (const { file, lines } of doc.sources) {
      const text = new Map<number, string>();
      for (const [first, run] of lines) run.forEach((line, i) => text.set(first + i, line));
      this.lines.set(this.string(file), text);
    }
    const { instructions } = doc.known;
    instructions.function.forEach((f, i) => this.known.set(`${f}/${instructions.instruction[i]}`, i));
    const times = new Map(this.snippetTimes(this.weight).map((time, i) => [doc.snippets[i]!, time]));
    this.snippets = [...doc.snippets].sort((a, b) => times.get(b)! - times.get(a)!);
  }

  string(number: number): string {
    return number < 0 ? "" : (this.doc.strings[number] ?? "");
  }

  // The weight of each row in those bins; of the whole run without.
  weights(range: Range | null): Float64Array {
    const { timeline } = this.doc;
    if (!range || !timeline) return this.weight;
    const weights = new Float64Array(this.rows);
    for (let bin = range[0]; bin < range[1]; bin++) {
      const [rows, time] = timeline.bins[bin]!;
      rows.forEach((row, i) => (weights[row]! += time[i]!));
    }
    return weights;
  }

  split(): Split {
    return new Split(this);
  }

  whole(weights: Float64Array): Split {
    const split = this.split();
    for (let row = 0; row < this.rows; row++) if (weights[row]) split.addRow(row, weights[row]!);
    return split;
  }

  // Functions with time, most first.
  functions(weights: Float64Array): FunctionTime[] {
    const found: FunctionTime[] = [];
    this.functionRows.forEach((rows, index) => {
      const split = this.split();
      for (const row of rows) if (weights[row]) split.addRow(row, weights[row]!);
      if (weights === this.weight) split.deviation = this.doc.known.functions[index] ?? null;
      if (split.weight) found.push({ index, name: this.functionName(index), split });
    });
    return found.sort((a, b) => b.split.weight - a.split.weight);
  }

  // The numbers of the harts that functions ran on; none: of a run of one.
  harts(): string[] {
    const names = [...new Set(this.doc.functions.hart)].map((n) => this.string(n));
    return names.filter((name) => name !== "").sort((a, b) => +a - +b);
  }

  // Those weights where the row's function ran on that hart, else 0.
  ofHart(weights: Float64Array, hart: string): Float64Array {
    const { hart: of } = this.doc.functions;
    return weights.map((weight, row) => (this.string(of[this.doc.rows.function[row]!]!) === hart ? weight : 0));
  }

  // As it is shown: without its image where that goes without saying, without the arguments of templates.
  functionName(index: number): string {
    return short(this.names[index]!);
  }

  functionWhole(index: number): string {
    return this.string(this.doc.functions.name[index]!);
  }

  // Of a text that names a function whole, with more after it or not: as it is shown.
  shownName(text: string): string {
    let end = text.length;
    while (end > 0 && !this.byName.has(text.slice(0, end))) end = text.lastIndexOf(" ", end - 1);
    return end > 0 ? this.functionName(this.byName.get(text.slice(0, end))!) + text.slice(end) : short(text);
  }

  // null: none that has time, or calls one that has.
  functionOf(text: string): number | null {
    return this.byName.get(text) ?? this.byName.get(text.replace(/ \[[^\]]*\]$/, "")) ?? null;
  }

  // ... where that says more than what is shown.
  functionHint(index: number): string | undefined {
    return index >= 0 && this.functionWhole(index) !== this.functionName(index) ? this.functionWhole(index) : undefined;
  }

  // Without the process, where that is known from around it.
  functionShort(index: number): string {
    const process = ` {${this.string(this.doc.functions.process[index]!)}}`;
    const name = this.functionName(index);
    return name.endsWith(process) ? name.slice(0, -process.length) : name;
  }

  functionSource(index: number): string {
    const line = this.doc.functions.line[index]!;
    return line ? `${this.string(this.doc.functions.file[index]!)}:${line}` : "";
  }

  code(index: number): CodeColumns | null {
    return this.doc.code[this.doc.functions.code[index]!] ?? null;
  }

  // The functions on the way to a frame, itself included, outermost first.
  callers(frame: number): number[] {
    if (frame < 0) return [];
    let way = this.ways.get(frame);
    if (!way) {
      const { frames } = this.doc;
      const above = this.callers(frames.parent[frame]!);
      way = frames.function[frame]! < 0 ? above : [...above, frames.function[frame]!];
      this.ways.set(frame, way);
    }
    return way;
  }

  // The functions that an instruction was inlined from, outermost first.
  inlines(instruction: Instruction): string[] {
    const { inlines } = this.doc;
    const names: string[] = [];
    for (let i = instruction.inline; i >= 0; i = inlines.parent[i]!) names.unshift(this.string(inlines.name[i]!));
    return names;
  }

  // What is listed of a function; one line without text where its program cannot be read.
  listing(index: number): Instruction[] {
    const number = this.doc.functions.code[index]!;
    const known = this.listings.get(number);
    const code = this.code(index);
    if (known && code) return known;
    if (!code) {
      const address = this.string(this.doc.functions.unit[index]!);
      return [{ index: 0, address, text: "", file: "", line: 0, block: true, inline: -1 }];
    }
    const start = BigInt(code.start);
    const listing = code.offset.map((offset, i) => ({
      index: i,
      address: `0x${(start + BigInt(offset)).toString(16)}`,
      text: short(this.string(code.text[i]!)),
      file: this.string(code.file[i]!),
      line: code.line[i]!,
      block: code.block[i] === 1,
      inline: code.inline[i]!,
    }));
    this.listings.set(number, listing);
    return listing;
  }

  // The time of each listed instruction; null: none.
  instructionSplits(index: number, weights: Float64Array): (Split | null)[] {
    const splits: (Split | null)[] = this.listing(index).map(() => null);
    for (const row of this.functionRows[index]!) {
      if (!weights[row]) continue;
      const i = this.doc.rows.instruction[row]!;
      (splits[i] ??= this.split()).addRow(row, weights[row]!);
    }
    if (weights === this.weight) splits.forEach((split, i) => split && this.annotate(split, this.known.get(`${index}/${i}`)));
    return splits;
  }

  // What is known of the whole run, by its place among the instructions with time.
  private annotate(split: Split, at: number | undefined): void {
    const { why, deviation } = this.doc.known.instructions;
    if (at === undefined) return;
    split.said = this.string(why[at]!);
    split.deviation = deviation[at] ?? null;
  }

  // "lw a5, 0(a5)", by its address; the address where it is not listed.
  instructionAt(address: string): string {
    for (let f = 0; f < this.doc.functions.name.length; f++) {
      const code = this.code(f);
      const offset = code ? Number(BigInt(address) - BigInt(code.start)) : -1;
      const at = code && offset >= 0 ? code.offset.indexOf(offset) : -1;
      if (at >= 0) return `${this.string(code!.text[at]!)} in ${this.functionShort(f)}`;
    }
    return address;
  }

  // Loops or basic blocks with time, most first.
  units(kind: string, weights: Float64Array): UnitTime[] {
    const units = this.doc.units.find((u) => u.kind === kind)!;
    const splits = new Map<number, Split>();
    units.rows.forEach((unit, row) => {
      if (!weights[row]) return;
      if (!splits.has(unit)) splits.set(unit, this.split());
      splits.get(unit)!.addRow(row, weights[row]!);
    });
    const found = [...splits].map(([unit, split]) => {
      if (weights === this.weight) split.deviation = units.deviation[unit] ?? null;
      return { index: units.function[unit]!, name: this.string(units.name[unit]!), split, unit, file: this.string(units.file[unit]!), line: units.line[unit]! };
    });
    return found.sort((a, b) => b.split.weight - a.split.weight);
  }

  // Instructions with time, most first.
  instructions(weights: Float64Array): InstructionTime[] {
    const found: InstructionTime[] = [];
    this.functionRows.forEach((rows, index) => {
      if (!rows.some((row) => weights[row])) return;
      const listing = this.listing(index);
      this.instructionSplits(index, weights).forEach((split, i) => {
        if (split) found.push({ index, name: this.functionName(index), instruction: listing[i]!, split });
      });
    });
    return found.sort((a, b) => b.split.weight - a.split.weight);
  }

  // Of each pipeline snippet, the time of its instruction.
  snippetTimes(weights: Float64Array, snippets = this.doc.snippets): number[] {
    return snippets.map((s) => (s.function < 0 ? 0 : (this.instructionSplits(s.function, weights)[s.instruction]?.weight ?? 0)));
  }

  sourceLine(file: string, line: number): string | null {
    return this.lines.get(file)?.get(line) ?? null;
  }

  // The numbers of the lines of a file that the page holds.
  sourceLines(file: string): number[] {
    return [...(this.lines.get(file)?.keys() ?? [])].sort((a, b) => a - b);
  }

  // Samples of that time of a row.
  rowSamples(row: number, weight: number): number {
    return ((this.doc.row_samples?.[row] ?? 0) / this.doc.U) * (weight / this.weight[row]!);
  }

  cycles(weight: number): number {
    return weight / this.doc.U;
  }
}

export const shortFile = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
