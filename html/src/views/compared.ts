// Shares of all profilers, by function or instruction; profilers that say the same stand in one column.
import type { TipoffDocument } from "../document";
import type { Model } from "../model";

export type Unit = "function" | "instruction";

export interface ComparedRow {
  key: string;
  fn: number;
  name: string;
  text: string; // of an instruction
  shares: number[]; // by profiler, 0..1
}

export interface Compared {
  names: string[];
  same: string[][]; // those that say the same as each
  rows: ComparedRow[];
}

const LEAST = 0.0001; // share: rows that no profiler gives as much are left out

export function compared(model: Model, unit: Unit): Compared {
  const columns = model.doc.profilers.map((p) => {
    const shares = new Map<string, number>();
    p.weight.forEach((weight, i) => {
      if (unit === "instruction" && p.instruction[i]! < 0) return;
      const key = unit === "function" ? `${p.function[i]}` : `${p.function[i]}/${p.instruction[i]}`;
      shares.set(key, (shares.get(key) ?? 0) + weight / p.total);
    });
    return { name: p.name, shares };
  });
  const order = ["Oracle", "TIP"];
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  columns.sort((a, b) => rank(a.name) - rank(b.name));
  const kept: { name: string; same: string[]; shares: Map<string, number> }[] = [];
  for (const column of columns) {
    const like = kept.find((k) => k.name !== "Oracle" && equal(k.shares, column.shares));
    if (like) like.same.push(column.name);
    else kept.push({ ...column, same: [] });
  }
  const keys = new Set(kept.flatMap((c) => [...c.shares.keys()]));
  const rows: ComparedRow[] = [];
  for (const key of keys) {
    const shares = kept.map((c) => c.shares.get(key) ?? 0);
    if (Math.max(...shares) < LEAST) continue;
    const [fn, instruction] = key.split("/").map(Number);
    const at = instruction === undefined ? null : model.listing(fn!)[instruction];
    rows.push({ key, fn: fn!, name: model.functionName(fn!), text: at ? at.text || at.address : "", shares });
  }
  return { names: kept.map((c) => c.name), same: kept.map((c) => c.same), rows };
}

// Whether a share that samples say differs from the true one by more than they do by chance: the number of samples that show it is
// binomial, and the greater of both shares has the greater deviation. Of profiles that are not by samples, every difference.
export function beyondChance({ samples, rules }: Pick<TipoffDocument, "samples" | "rules">, share: number, truth: number): boolean {
  if (!samples) return share !== truth;
  const greater = Math.min(1, Math.max(share, truth));
  if (greater * samples < rules.few_samples) return false;
  return Math.abs(share - truth) > rules.half_width * Math.sqrt((greater * (1 - greater)) / samples);
}

function equal(a: Map<string, number>, b: Map<string, number>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (Math.abs((b.get(key) ?? -1) - value) > 1e-12) return false;
  return true;
}
