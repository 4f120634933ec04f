// One function: its source and its instructions side by side, each line with its time.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { instructionsAt, lineWord } from "../links";
import { useApp } from "../state";
import { Choice } from "../ui/choice";
import { FunctionPicker } from "../ui/picker";
import { count, percent } from "../words";
import { Assembly } from "./assembly";
import { Source } from "./source";
import { sourceRows } from "./source_rows";

type Panes = "both" | "source" | "assembly";

export function Code() {
  const { model, fn, at, functions, weights, whole, show, links, remember } = useApp();
  const hottest = functions[0]?.index ?? 0;
  const index = fn ?? hottest;
  const [panes, setPanes] = useState<Panes>("both");
  const [selected, select] = useState<number | null>(null); // instruction
  const [line, selectLine] = useState<string | null>(null); // "file:line"
  const [jump, setJump] = useState(0); // of the hottest instructions

  const listing = useMemo(() => model.listing(index), [model, index]);
  const splits = useMemo(() => model.instructionSplits(index, weights), [model, index, weights]);
  const source = useMemo(() => sourceRows(model, listing, splits), [model, listing, splits]);
  const hot = useMemo(() => splits.map((s, i) => ({ i, weight: s?.weight ?? 0 })).filter((s) => s.weight).sort((a, b) => b.weight - a.weight).map((s) => s.i), [splits]);
  const wanted = useMemo(() => (at ? instructionsAt(model, index, listing, at) : []), [model, index, listing, at]);
  const total = splits.reduce((sum, s) => sum + (s?.weight ?? 0), 0);
  const code = model.code(index);
  const goTo = (position: number) => {
    if (!hot.length) return;
    const next = (position + hot.length) % hot.length;
    setJump(next);
    choose(hot[next]!);
    remember("code", index, links.offsetOf(index, hot[next]!));
  };
  const choose = (i: number) => {
    select(i);
    const chosen = listing[i];
    selectLine(chosen?.line ? `${chosen.file}:${chosen.line}` : null);
  };
  useEffect(() => {
    setJump(0);
    const first = hot.find((i) => wanted.includes(i)) ?? wanted[0] ?? hot[0];
    if (first !== undefined) choose(first);
    else select(null);
    if (first !== undefined && hot.includes(first)) setJump(hot.indexOf(first));
  }, [index, model, wanted]);
  const latest = useRef({ goTo, jump });
  latest.current = { goTo, jump };
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "n") latest.current.goTo(latest.current.jump + 1);
      if (event.key === "p") latest.current.goTo(latest.current.jump - 1);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  const hasSource = source.length > 0;
  const shownPanes = hasSource ? panes : "assembly";
  return (
    <div class="view">
      {at && !wanted.length && <p class="missing" role="alert">{model.functionName(index)} has no {at} here: another build has other lines and offsets. Selected: its hottest instruction.</p>}
      <div class="tools">
        <FunctionPicker list={functions.map((f) => ({ index: f.index, weight: f.split.weight }))} value={index} set={(i) => show("code", i)} />
        <span class="dim">
          {count(model.cycles(total))} cycles, {percent(total, whole.weight)} · {count(listing.length)}
          {code && code.instructions !== listing.length ? ` of ${count(code.instructions)}` : ""} instruction{listing.length === 1 ? "" : "s"}
        </span>
        <span class="push" />
        <span class="choice" role="group" aria-label="Hottest instructions">
          <span class="choice-label">Hottest</span>
          <button type="button" title="the one before (p)" disabled={!hot.length} onClick={() => goTo(jump - 1)}>‹</button>
          <span class="number here">{hot.length ? jump + 1 : 0} of {count(hot.length)}</span>
          <button type="button" title="the next hottest (n)" disabled={!hot.length} onClick={() => goTo(jump + 1)}>›</button>
        </span>
        {hasSource && <Choice label="Show" options={[["both", "both"], ["source", "source"], ["assembly", "assembly"]] as const} value={shownPanes} set={setPanes} />}
      </div>
      <div class={`panes ${shownPanes}`} key={index}>
        {shownPanes !== "assembly" && (
          <Source
            rows={source}
            selected={line}
            select={(key) => {
              selectLine(key);
              const there = hot.find((i) => `${listing[i]!.file}:${listing[i]!.line}` === key) ?? listing.findIndex((l) => `${l.file}:${l.line}` === key);
              if (there < 0) return;
              select(there);
              remember("code", index, lineWord(listing[there]!));
            }}
          />
        )}
        {shownPanes !== "source" && (
          <Assembly
            listing={listing}
            splits={splits}
            selected={selected}
            line={line}
            select={(i) => {
              choose(i);
              remember("code", index, links.offsetOf(index, i));
            }}
          />
        )}
      </div>
    </div>
  );
}
