// The data of the page as `tipoff report` writes it: docs/guide/report.md, "The data in the page".
import type { DifferenceDocument } from "./differences";

export interface Run {
  file: string;
  complete: boolean;
  program: string;
  build_id: string;
  command: string;
  config: string;
  settings: string;
  region?: string; // what of the run was measured: "from main up to finish"
  clock_mhz: number;
  width: number;
  U: number; // units of a weight in a cycle
  period: number;
  jitter_bits: number;
  cycles: number;
  instructions?: number;
  ipc?: number;
  samples: number;
  losses?: number;
  vectors: "commit" | "sample" | "none";
  profiler: string;
  by_samples: boolean;
  triggers?: string; // how far apart samples are: "one every 97 cycles on average, jittered by less than 2^6"
  in_step?: string; // with which loop the triggers keep step
  sampling_error?: string; // "about 1.9 % of the time is booked to a wrong instruction, ..."
  readable: boolean;
  weight: number;
  shown?: string; // in words, what of the run alone is shown: "user mode, below main"
  weight_of_run?: number; // of the whole run, then
}

export interface CodeColumns {
  start: string;
  name: number;
  image: number;
  instructions: number; // of the function; fewer are listed where the page would grow too large
  offset: number[];
  text: number[];
  file: number[]; // -1: not known
  line: number[];
  inline: number[]; // the innermost inlined call, of `inlines`; -1: none
  block: number[]; // 1: starts a basic block
}

export interface ProfilerColumns {
  name: string;
  events: number;
  total: number;
  function: number[];
  instruction: number[]; // -1: of the function as a whole
  weight: number[];
}

// A sampled execution of a hot instruction, with the instructions around it. Cycles count from `from`; -1: it did not happen.
export interface Snippet {
  function: number; // -1: not known
  instruction: number; // of its listing
  cycle: number; // of the sample, from reset
  from: number; // likewise
  state: number;
  triggers: number; // of the run, that sampled the instruction
  row: number; // which of the rows it is
  address: number[];
  name: number[];
  text: number[];
  psv: number[];
  squashed: number[];
  fetched: number[];
  dispatched: number[];
  issued: number[];
  done: number[];
  left: number[];
}

// Loops, or basic blocks: columns by unit, but for `columns`, `cells` (of each column, its texts) and `rows`.
export interface UnitColumns {
  kind: "loop" | "block";
  columns: { key: string; heading: string; number: boolean }[]; // heading "": not shown
  name: number[];
  function: number[]; // -1: not known
  file: number[]; // likewise
  line: number[];
  cells: number[][];
  rows: number[]; // of each row of the profile, its unit
  deviation: number[]; // cycles; none: not by samples
}

// Of the whole run: standard deviations in cycles (none: not by samples), and what is known of instructions with time.
export interface Known {
  functions: number[];
  instructions: { function: number[]; instruction: number[]; why: number[]; deviation: number[] };
}

export interface Advice {
  weight: number;
  state: string;
  events: string;
  text: string;
  source: string;
  instructions: number;
  examples: string[]; // addresses
}

// A path of calls with much time, or what follows such a path where it divides.
export interface HotPath {
  path: string; // "main > solve": of functions, outermost first
  depth: number; // of those above it
  weight: number; // of its last function, with what it calls
  own: number; // ... without
}

// A call into code whose source is not found, from the nearest caller whose is.
export interface OwnCaller {
  caller: string;
  callee: string;
  weight: number; // below the call
}

export interface Computing {
  weight: number;
  width: number; // instructions a cycle, at most
  instructions_a_cycle: number | null; // of Computing; null: not known
  advice: string; // what may help; "": not known
  loops: { at: string; weight: number; iterations: number; instructions: number | null; cycles: number | null }[];
}

// The numbers of the rules that decide words and marks: csrc/report has them.
export interface Rules {
  why_part: number; // an event explains a time if it has more than one part in that many of it
  advice_part: number; // advice is about instructions with one part in that many of the time, or more
  hot_percent: number; // a share from which on a row stands out
  few_samples: number; // fewer say little
  own_caller_part: number; // own callers have one part in that many of the time, or more
  half_width: number; // standard deviations on either side of an interval ...
  interval_percent: number; // ... in per cent
}

export interface ErrorRow {
  profiler: string;
  granularity: string;
  components: "time" | "events";
  error: number;
}

// A view that csrc/report fills a sheet with: shown as it is.
export interface SheetTable {
  name: string;
  text: string;
  heading: string;
  fault: string; // why there is nothing of this run; "": there is
  columns: { key: string; heading: string; right: boolean; texts: string[]; values: (number | null)[] | null }[];
}

export interface TipoffDocument extends Run {
  schema: number;
  states: { name: string; words: string }[];
  event_list: { name: string; state: string; text: string }[];
  rules: Rules;
  notes: string[]; // what a reader is to know first
  why: { event: string; words: string }[][]; // by state: its own words, then what events add, the first of equals counting
  contexts: { name: string; weight: number; states: number[] }[];
  errors: ErrorRow[];
  functions: Record<"name" | "unit" | "mode" | "image" | "process" | "hart" | "file" | "line" | "code", number[]>;
  code: CodeColumns[];
  frames: { name: number[]; kind: string[]; function: number[]; parent: number[] };
  inlines: { name: number[]; file: number[]; line: number[]; parent: number[] };
  rows: Record<"function" | "instruction" | "state" | "psv" | "frame" | "weight", number[]>;
  row_samples: number[] | null; // of each row, in 1/U sample: a sample of several instructions counts in parts
  timeline: { cycles: number; bins: [number[], number[]][] } | null;
  profilers: ProfilerColumns[];
  snippets: Snippet[];
  units: UnitColumns[];
  known: Known;
  advice: Advice[];
  hot_paths?: HotPath[]; // none: no call stacks
  own_callers?: OwnCaller[];
  computing?: Computing; // where there is much of it
  tables: SheetTable[];
  sources: { file: number; lines: [number, string[]][] }[];
  strings: string[];
}

export function read(): TipoffDocument | DifferenceDocument {
  const element = document.getElementById("data");
  return JSON.parse(element?.textContent ?? "") as TipoffDocument | DifferenceDocument;
}
