// Where the bars of a pipeline snippet are: a cycle has a width; stretches in which nothing happens to any instruction are cut short.
import type { Snippet } from "../document";

export const CYCLE = 12; // pixels
const IDLE = 16; // cycles in which nothing happens: longer stretches are cut ...
const CUT = 6; // ... to this many cycles' width

export const STAGES = [
  { name: "F", words: "fetched, and decoded" },
  { name: "Q", words: "waits in the reorder buffer for operands, or its turn" },
  { name: "X", words: "executes" },
  { name: "C", words: "done, waits to commit" },
] as const;

export interface Piece {
  stage: number; // of STAGES
  from: number; // cycles
  to: number;
}

// What a row does when; what has not ended goes on to the end of the picture.
export function pieces(snippet: Snippet, row: number, end: number): Piece[] {
  const begins = [snippet.fetched, snippet.dispatched, snippet.issued, snippet.done].map((column) => column[row]!);
  const left = snippet.left[row]!;
  const last = left < 0 ? end : left;
  const found: Piece[] = [];
  begins.forEach((from, stage) => {
    if (from < 0) return;
    const next = begins.slice(stage + 1).find((c) => c >= 0);
    found.push({ stage, from, to: next ?? last });
  });
  return found;
}

export interface Cut {
  from: number;
  to: number;
}

export interface Scale {
  x(cycle: number): number; // pixels
  width: number;
  end: number; // cycle
  cuts: Cut[];
}

export function scale(snippet: Snippet): Scale {
  const columns = [snippet.fetched, snippet.dispatched, snippet.issued, snippet.done, snippet.left];
  const sampled = snippet.cycle - snippet.from;
  const moments = [...new Set([...columns.flat().filter((c) => c >= 0), sampled, sampled + 1])].sort((a, b) => a - b);
  const end = moments.at(-1)! + 1;
  moments.push(end);
  const cuts: Cut[] = [];
  for (let i = 1; i < moments.length; i++) {
    const [from, to] = [moments[i - 1]!, moments[i]!];
    if (to - from > IDLE) cuts.push({ from: from + CUT / 2, to: to - CUT / 2 });
  }
  const x = (cycle: number) => {
    let pixels = cycle;
    for (const cut of cuts) if (cycle > cut.from) pixels -= (Math.min(cycle, cut.to) - cut.from) * (1 - 1 / (cut.to - cut.from));
    return pixels * CYCLE;
  };
  return { x, width: x(end), end, cuts };
}
