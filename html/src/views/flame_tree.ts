// The tree of the flame graph: the frames of each row (process, mode, and callers where the sample file has stacks), then its function,
// its source line, and its instruction.
import { hierarchy, partition, type HierarchyRectangularNode } from "d3-hierarchy";
import { shortFile, type Instruction, type Model } from "../model";
import { short } from "../names";
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

function child(parent: Frame, model: Model, name: string, kind: string, fn: number, id: string, index: Map<string, Frame>): Frame {
  const key = `${parent.key}\n${kind} ${kind === "function" && fn >= 0 ? fn : id}`;
  const known = index.get(key);
  if (known) return known;
  const frame = { key, name, kind, fn, split: model.split(), children: [] };
  index.set(key, frame);
  parent.children.push(frame);
  return frame;
}

// "94  switch (pc->op) {"; with the file where it is not the function's.
function lineName(model: Model, fn: number, at: Instruction): string {
  const own = model.string(model.doc.functions.file[fn]!) === at.file;
  const text = model.sourceLine(at.file, at.line)?.trim() ?? "";
  return `${own && text ? "" : `${shortFile(at.file)}:`}${at.line}${text ? `  ${text}` : ""}`;
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
    const step = (name: string, kind: string, of: number, id = name) => {
      at = child(at, model, name, kind, of, id, index);
      at.split.addRow(row, weight);
    };
    for (const f of path) {
      const name = model.string(frames.name[f]!);
      const called = frames.function[f]!;
      step(called >= 0 ? model.functionShort(called) : frames.kind[f] === "process" ? shortFile(name) : name, frames.kind[f]!, called);
    }
    step(model.functionShort(fn), "function", fn);
    const instruction = model.code(fn) ? model.listing(fn)[rows.instruction[row]!] : undefined;
    if (!instruction) continue;
    for (const name of model.inlines(instruction)) step(short(name), "inline", fn);
    if (instruction.line) step(lineName(model, fn, instruction), "line", fn);
    step(instruction.text || instruction.address, `instruction`, fn, instruction.address);
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
