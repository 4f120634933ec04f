// The source lines of a function: those its instructions come from and those around them, each with the time of its instructions.
import { shortFile, type Instruction, type Model } from "../model";
import type { Split } from "../split";

export interface SourceRow {
  key: string; // "file:line", or of what is no line
  kind: "file" | "gap" | "line";
  number: number;
  text: string; // of a file: its name
  split: Split | null;
  instructions: number; // made from it
}

const AROUND = 6;

export function sourceRows(model: Model, listing: Instruction[], splits: (Split | null)[]): SourceRow[] {
  const files = new Map<string, Map<number, { split: Split | null; instructions: number }>>();
  for (const { file, line, index } of listing) {
    if (!file || !line) continue;
    const lines = files.get(file) ?? new Map<number, { split: Split | null; instructions: number }>();
    files.set(file, lines);
    const at = lines.get(line) ?? { split: null, instructions: 0 };
    lines.set(line, at);
    at.instructions++;
    const split = splits[index];
    if (split) (at.split ??= model.split()).add(split);
  }
  const time = (lines: Map<number, { split: Split | null }>) => [...lines.values()].reduce((sum, l) => sum + (l.split?.weight ?? 0), 0);
  return [...files].sort((a, b) => time(b[1]) - time(a[1])).flatMap(([file, lines]) => {
    const rows: SourceRow[] = [{ key: file, kind: "file", number: 0, text: `${shortFile(file)}${model.sourceLines(file).length ? "" : " (source text not found)"}`, split: null, instructions: 0 }];
    const used = [...lines.keys()].sort((a, b) => a - b);
    const wanted = new Set<number>(used);
    for (const number of model.sourceLines(file)) {
      const near = used.some((u) => Math.abs(u - number) <= AROUND);
      if (near) wanted.add(number);
    }
    let last = 0;
    for (const number of [...wanted].sort((a, b) => a - b)) {
      if (last && number > last + 1) rows.push({ key: `${file} ${number}`, kind: "gap", number: 0, text: "", split: null, instructions: 0 });
      const text = model.sourceLine(file, number);
      const at = lines.get(number);
      rows.push({ key: `${file}:${number}`, kind: "line", number, text: text ?? "", split: at?.split ?? null, instructions: at?.instructions ?? 0 });
      last = number;
    }
    return rows;
  });
}
