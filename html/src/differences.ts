// The data of a page that compares two runs, as `tipoff diff` writes it: docs/guide/report.md, "Two runs in a page".
import type { Rules } from "./document";

export interface Side {
  file: string;
  program: string;
  config: string;
  command: string;
  region?: string;
  cycles: number;
  instructions?: number;
  samples: number;
  profiler: string;
  clock_mhz: number;
}

export interface Value {
  value: number;
  deviation: number; // 0: exact
  samples: number;
}

export interface Change {
  a: Value;
  b: Value;
  change: number;
  deviation: number;
}

export interface ChangedUnit {
  unit: string;
  name: string;
  chance?: number; // of so much time by chance; none: too few samples to judge
  beyond_chance?: boolean;
  components: Record<string, Change>; // "time", states, events
}

export interface Differences {
  a: Side;
  b: Side;
  by: string;
  values: "cycles" | "share"; // shares: of each run's time, 0..1
  level: number; // of those beyond chance, this part may be so by chance
  all: ChangedUnit;
  units: ChangedUnit[]; // those beyond chance first, then by the size of the change
}

export interface DifferenceDocument {
  schema: number;
  states: { name: string; words: string }[];
  event_list: { name: string; state: string; text: string }[];
  rules: Rules;
  differences: Differences[]; // one by each unit
}
