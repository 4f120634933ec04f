// The assembly pane, with a strip beside it that shows where in the function the time is.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { gradient, pieces } from "../colours";
import type { Instruction } from "../model";
import type { Split } from "../split";
import { useApp } from "../state";
import { Bar } from "../ui/bar";
import { Breakdown } from "../ui/breakdown";
import { tip } from "../ui/tip";
import { useVirtual, type Virtual } from "../ui/virtual";
import { heat, percent } from "../words";

const ROW = 20; // pixels
const STRIPES = 160; // of the strip, at most

interface Props {
  listing: Instruction[];
  splits: (Split | null)[];
  selected: number | null;
  line: string | null; // "file:line": its instructions are marked
  select(index: number): void;
}

export function Assembly({ listing, splits, selected, line, select }: Props) {
  const { whole, by, model } = useApp();
  const inlined = (i: Instruction) => (i.inline < 0 ? null : <p class="dim">inlined: {model.inlines(i).join(" ▸ ")}</p>);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtual(scroller, listing.length, ROW);
  const full = useMemo(() => splits.reduce((most, s) => Math.max(most, s?.weight ?? 0), 0), [splits]);
  useEffect(() => {
    if (selected !== null && selected < listing.length) virtual.scrollTo(selected);
  }, [selected, listing]);
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -listing.length, End: listing.length }[event.key];
    if (!step) return;
    select(Math.max(0, Math.min(listing.length - 1, (selected ?? -1) + step)));
    event.preventDefault();
  };
  return (
    <section class="pane" aria-label="assembly">
      <div class="pane-head asm-grid"><span class="right">Share</span><span>Time</span><span>Address</span><span>Instruction</span><span>Why</span></div>
      <div class="with-strip">
        <div class="body" ref={scroller} tabIndex={0} onKeyDown={key} role="listbox" aria-label="instructions">
          <div style={{ height: `${virtual.height}px` }}>
            {virtual.rows.map(({ index, start }) => {
              const instruction = listing[index];
              if (!instruction) return null;
              const split = splits[index] ?? null;
              const marked = line !== null && `${instruction.file}:${instruction.line}` === line;
              return (
                <div
                  key={index}
                  role="option"
                  aria-selected={index === selected}
                  class={`line asm-grid mono${index === selected ? " active" : ""}${marked ? " marked" : ""}${instruction.block && index ? " block" : ""}`}
                  style={{ transform: `translateY(${start}px)` }}
                  onClick={() => select(index)}
                  {...(split ? tip(() => <Breakdown title={`${instruction.address}  ${instruction.text}`} split={split} total={whole.weight}>{inlined(instruction)}<p class="dim">{split.why()}</p></Breakdown>) : {})}
                >
                  <span class={`right number ${split ? heat(model.doc.rules, split.weight, whole.weight) : ""}`}>{split ? percent(split.weight, whole.weight) : ""}</span>
                  <Bar split={split} full={full} by={by} />
                  <span class="dim">{instruction.address}</span>
                  <span class="clip">{instruction.text}</span>
                  <span class="dim clip why">{split?.why()}</span>
                </div>
              );
            })}
          </div>
        </div>
        <Strip splits={splits} virtual={virtual} />
      </div>
    </section>
  );
}

function Strip({ splits, virtual }: { splits: (Split | null)[]; virtual: Virtual }) {
  const { by, model } = useApp();
  const stripes = useMemo(() => {
    const n = Math.min(STRIPES, splits.length);
    const list = Array.from({ length: n }, () => model.split());
    splits.forEach((s, i) => s && list[Math.floor((i * n) / splits.length)]!.add(s));
    const most = Math.max(...list.map((s) => s.weight), 1);
    return list.map((s) => ({ split: s, width: s.weight ? Math.max(12, (100 * s.weight) / most) : 0 }));
  }, [splits, by, model]);
  return (
    <div class="strip" aria-hidden="true" title="where in the function the time is"
      onClick={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        virtual.scrollTo(Math.floor(((event.clientY - top) / height) * splits.length));
      }}>
      {stripes.map(({ split, width }, i) => (
        <i key={i}>{width > 0 && <b style={{ width: `${width}%`, background: gradient(pieces(split, by)) }} />}</i>
      ))}
    </div>
  );
}
