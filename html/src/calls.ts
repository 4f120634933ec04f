// Who calls whom: inclusive time of functions, and of calls, from the frames of each row. A function that is on the way twice counts once.
import type { Model } from "./model";
import type { Split } from "./split";

export interface Calls {
  known: boolean; // the sample file has call stacks
  inclusive: Map<number, Split>; // by function
  callers: Map<number, Map<number, Split>>; // by function, then by caller; -1: nobody
  callees: Map<number, Map<number, Split>>;
}

function at<K>(map: Map<K, Split>, key: K, model: Model): Split {
  let split = map.get(key);
  if (!split) map.set(key, (split = model.split()));
  return split;
}

function inner<V>(map: Map<number, Map<number, V>>, key: number): Map<number, V> {
  let found = map.get(key);
  if (!found) map.set(key, (found = new Map()));
  return found;
}

export function calls(model: Model, weights: Float64Array): Calls {
  const { rows } = model.doc;
  const found: Calls = { known: model.hasCalls, inclusive: new Map(), callers: new Map(), callees: new Map() };
  if (!found.known) return found;
  for (let row = 0; row < model.rows; row++) {
    const weight = weights[row]!;
    if (!weight) continue;
    const path = [...model.callers(rows.frame[row]! - 1), rows.function[row]!];
    for (const fn of new Set(path)) at(found.inclusive, fn, model).addRow(row, weight);
    const seen = new Set<string>();
    path.forEach((fn, i) => {
      const caller = i ? path[i - 1]! : -1;
      const key = `${caller} ${fn}`;
      if (seen.has(key)) return;
      seen.add(key);
      at(inner(found.callers, fn), caller, model).addRow(row, weight);
      if (caller >= 0) at(inner(found.callees, caller), fn, model).addRow(row, weight);
    });
  }
  return found;
}
