// The tree of the flame graph: the frames of each row (process, mode, and callers where the sample file has stacks), then its function
// and its source line.
import { hierarchy, partition, type HierarchyRectangularNode } from "d3-hierarchy";
import { shortFile, type Model } from "../model";
import type { Split } from "../split";

export interface Frame {
  key: string;
  name: string;
  kind: string;
  fn: number; // -1: it is no function
  split: Split;
  children: Frame[];
}

export type Placed = HierarchyRectangularNode<Frame>;

function child(parent: Frame, model: Model, name: string, kind: string, fn: number, index: Map<string, Frame>): Frame {
  const key = `${parent.key}\n${kind} ${fn >= 0 && kind === "function" ? fn : name}`;
  const known = index.get(key);
  if (known) return known;
  const frame = { key, name, kind, fn, split: model.split(), children: [] };
  index.set(key, frame);
  parent.children.push(frame);
  return frame;
}

export function flameTree(model: Model, weights: Float64Array): Frame {
  const { rows, frames } = model.doc;
  const root: Frame = { key: "", name: "all", kind: "root", fn: -1, split: model.split(), children: [] };
  const index = new Map<string, Frame>();
  for (let row = 0; row < model.rows; row++) {
    const weight = weights[row]!;
    if (!weight) continue;
    const path: number[] = [];
    for (let f = rows.frame[row]! - 1; f >= 0; f = frames.parent[f]!) path.unshift(f);
    const fn = rows.function[row]!;
    let at = root;
    at.split.addRow(row, weight);
    const step = (name: string, kind: string, of: number) => {
      at = child(at, model, name, kind, of, index);
      at.split.addRow(row, weight);
    };
    for (const f of path) step(model.string(frames.name[f]!), frames.kind[f]!, -1);
    step(model.functionName(fn), "function", fn);
    const code = model.code(fn);
    const i = rows.instruction[row]!;
    if (code && code.line[i]) step(`${shortFile(model.string(code.file[i]!))}:${code.line[i]}`, "line", fn);
  }
  return root;
}

// Heaviest first; x in 0..1 of the root, y the depth.
export function place(root: Frame): Placed {
  const tree = hierarchy(root, (f) => f.children)
    .each((node) => ((node as { value?: number }).value = node.data.split.weight))
    .sort((a, b) => b.value! - a.value!);
  return partition<Frame>()(tree);
}
