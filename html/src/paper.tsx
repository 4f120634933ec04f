// What is printed: all views one after the other, tables as far as they say something, the hottest functions with their code.
import { useMemo } from "preact/hooks";
import { shortFile } from "./model";
import { useApp } from "./state";
import { Bar } from "./ui/bar";
import { Legend } from "./ui/legend";
import { rangeWords } from "./ui/track";
import { HotPaths, OwnCallers, WhatLimits, WhatToDo } from "./views/advice";
import { Contexts, Events, KeyFigures, Lead, RunDetails, States, TopFunctions, TopInstructions, Warnings } from "./views/summary";
import { FlameBoxes } from "./views/flame";
import { flameTree, place } from "./views/flame_tree";
import { Diagram, StageLegend, text, words } from "./views/pipeline";
import { Errors } from "./views/profilers";
import { compared } from "./views/compared";
import { Timeline } from "./views/timeline";
import { short } from "./names";
import { percent } from "./words";

const ROWS = 40; // of a table
const LISTED = 3; // functions
const LINES = 60; // instructions of each: the hottest, and two around each
const WIDTH = 1000; // pixels of the flame graph, at least
const LEAST = 0.004; // of the flame graph's width

export function Paper() {
  const { model, range, whole, by, functions, weights } = useApp();
  const { doc } = model;
  const tree = useMemo(() => place(flameTree(model, weights)), [model, weights]);
  const nodes = tree.descendants().filter((n) => n.x1 - n.x0 > LEAST);
  return (
    <article>
      <h1>{shortFile(doc.program)} on {doc.config}</h1>
      {range && <p>{rangeWords(model, range)}, {percent(whole.weight, model.total)} of the time</p>}
      <Warnings model={model} />
      <KeyFigures model={model} />
      <Lead />
      <States />
      <Events />
      {doc.timeline && <section class="whole"><h2>Over time</h2><Legend split={whole} by={by} /><Timeline lanes={6} /></section>}
      <TopFunctions top={ROWS} />
      <Inclusive />
      <TopInstructions top={ROWS} />
      <section class="flame"><h2>By frame</h2><FlameBoxes nodes={nodes} zoom={tree} depth={Math.max(...nodes.map((n) => n.depth)) + 1} shape="icicle" pixels={WIDTH} /></section>
      {model.snippets.length > 0 && (
        <section>
          <h2>Through the pipeline</h2>
          <StageLegend />
          {model.snippets.slice(0, LISTED).map((s, i) => <div key={i} class="whole"><h2>{text(model, s, s.row)} <span class="dim">{words(model, s)}</span></h2><Diagram snippet={s} /></div>)}
        </section>
      )}
      <HotPaths />
      <OwnCallers />
      <WhatLimits />
      <WhatToDo />
      <LoopTable />
      <Contexts />
      <section class="whole"><h2>Profilers</h2><Errors /></section>
      <Shares />
      {functions.slice(0, LISTED).map((f) => <Listing key={f.index} fn={f.index} />)}
      <RunDetails model={model} />
    </article>
  );
}

function Inclusive() {
  const { model, calls, functions, whole, by } = useApp();
  if (!calls.known) return null;
  const own = new Map(functions.map((f) => [f.index, f.split.weight]));
  const list = [...calls.inclusive].sort((a, b) => b[1].weight - a[1].weight);
  return (
    <section>
      <h2>Functions with what they call <span class="dim">{Math.min(ROWS, list.length)} of {list.length}</span></h2>
      <table class="plain narrow" data-table="inclusive">
        <thead><tr><th scope="col" class="number">with calls</th><th scope="col" class="number">itself</th><th scope="col" /><th scope="col">function</th></tr></thead>
        <tbody>
          {list.slice(0, ROWS).map(([fn, split]) => (
            <tr key={fn}>
              <td class="number strong">{percent(split.weight, whole.weight)}</td>
              <td class="number">{percent(own.get(fn) ?? 0, whole.weight)}</td>
              <td class="top-bar"><Bar split={split} full={list[0]![1].weight} by={by} /></td>
              <th scope="row">{model.functionName(fn)}</th>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function LoopTable() {
  const { model, weights, whole, by } = useApp();
  const list = model.units("loop", weights);
  const { columns, cells } = model.doc.units.find((u) => u.kind === "loop")!;
  const shown = columns.map((column, c) => ({ ...column, c })).filter((c) => c.heading && c.number);
  return (
    <section>
      <h2>Loops <span class="dim">{Math.min(ROWS, list.length)} of {list.length}</span></h2>
      <table class="plain narrow" data-table="loops">
        <thead><tr><th scope="col" class="number">share</th><th scope="col" />{shown.map((c) => <th key={c.key} scope="col" class="number">{c.heading}</th>)}<th scope="col">loop</th></tr></thead>
        <tbody>
          {list.slice(0, ROWS).map((u) => (
            <tr key={u.unit}>
              <td class="number strong">{percent(u.split.weight, whole.weight)}</td>
              <td class="top-bar"><Bar split={u.split} full={list[0]!.split.weight} by={by} /></td>
              {shown.map((c) => <td key={c.key} class="number">{model.string(cells[c.c]![u.unit]!)}</td>)}
              <th scope="row">{short(u.name)}</th>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Shares() {
  const { model } = useApp();
  const { names, rows } = compared(model, "function");
  const most = [...rows].sort((a, b) => Math.max(...b.shares) - Math.max(...a.shares)).slice(0, ROWS);
  return (
    <section>
      <h2>Share of functions by profiler <span class="dim">{most.length} of {rows.length}</span></h2>
      <table class="plain narrow" data-table="shares">
        <thead><tr><th scope="col">function</th>{names.map((n) => <th key={n} scope="col" class="number">{n}</th>)}</tr></thead>
        <tbody>
          {most.map((r) => <tr key={r.key}><th scope="row">{r.name}</th>{r.shares.map((s, i) => <td key={i} class="number">{percent(s, 1)}</td>)}</tr>)}
        </tbody>
      </table>
    </section>
  );
}

function Listing({ fn }: { fn: number }) {
  const { model, weights, whole, by } = useApp();
  const listing = model.listing(fn);
  const splits = model.instructionSplits(fn, weights);
  const full = splits.reduce((most, s) => Math.max(most, s?.weight ?? 0), 0);
  const hot = splits.map((s, i) => ({ i, weight: s?.weight ?? 0 })).filter((s) => s.weight).sort((a, b) => b.weight - a.weight);
  const kept = new Set<number>();
  for (const { i } of hot) {
    if (kept.size >= LINES) break;
    for (let k = i - 2; k <= i + 2; k++) if (listing[k]) kept.add(k);
  }
  const order = [...kept].sort((a, b) => a - b);
  return (
    <section>
      <h2>{model.functionName(fn)} <span class="dim">{order.length} of {listing.length} instructions</span></h2>
      <table class="plain listing" data-table="listing">
        <tbody>
          {order.map((i, at) => {
            const { address, text, file, line } = listing[i]!;
            const split = splits[i] ?? null;
            const words = line ? model.sourceLine(file, line) : null;
            const before = at ? listing[order[at - 1]!]! : null;
            return [
              line && (!before || before.line !== line || before.file !== file) ? (
                <tr key={`s${i}`} class="dim"><td /><td /><td class="number">{shortFile(file)}:{line}</td><td colSpan={2}><code>{words ?? ""}</code></td></tr>
              ) : null,
              <tr key={i}>
                <td class="number strong">{split ? percent(split.weight, whole.weight) : ""}</td>
                <td class="top-bar"><Bar split={split} full={full} by={by} /></td>
                <td class="mono dim">{address}</td>
                <td class="mono">{text}</td>
                <td class="dim">{split?.why()}</td>
              </tr>,
            ];
          })}
        </tbody>
      </table>
    </section>
  );
}
