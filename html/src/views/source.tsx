// The source pane.
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../state";
import { Bar } from "../ui/bar";
import { Breakdown } from "../ui/breakdown";
import { tip } from "../ui/tip";
import { useVirtual } from "../ui/virtual";
import { heat, percent } from "../words";
import type { SourceRow } from "./source_rows";

const ROW = 20; // pixels

export function Source({ rows, selected, select }: { rows: SourceRow[]; selected: string | null; select(key: string): void }) {
  const { whole, by } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtual(scroller, rows.length, ROW);
  const full = rows.reduce((most, r) => Math.max(most, r.split?.weight ?? 0), 0);
  useEffect(() => {
    const at = rows.findIndex((r) => r.key === selected);
    if (at >= 0) virtual.scrollTo(at);
  }, [selected]);
  const width = `${Math.max(0, ...rows.map((r) => r.text.length)) + 2}ch`;
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    let at = rows.findIndex((r) => r.key === selected) + step;
    while (rows[at] && !rows[at]!.instructions) at += step;
    if (rows[at]) select(rows[at]!.key);
    event.preventDefault();
  };
  return (
    <section class="pane" aria-label="source">
      <div class="pane-head source-grid"><span class="right">Share</span><span>Time</span><span class="right">Line</span><span>Source</span></div>
      <div class="body" ref={scroller} tabIndex={0} onKeyDown={key} role="listbox" aria-label="source lines">
        <div style={{ height: `${virtual.height}px`, minWidth: `calc(186px + ${width})` }}>
          {virtual.rows.map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const style = { transform: `translateY(${start}px)` };
            if (row.kind === "file") return <div key={row.key} class="line file" style={style}>{row.text}</div>;
            if (row.kind === "gap") return <div key={row.key} class="line gap" style={style}>···</div>;
            return (
              <div
                key={row.key}
                role="option"
                aria-selected={row.key === selected}
                class={`line source-grid mono${row.key === selected ? " active" : ""}${row.instructions ? "" : " none"}`}
                style={style}
                onClick={() => row.instructions && select(row.key)}
                {...(row.split ? tip(() => <Breakdown title={`line ${row.number}, ${row.instructions} instruction${row.instructions === 1 ? "" : "s"}`} split={row.split} total={whole.weight} />) : {})}
              >
                <span class={`right number ${row.split ? heat(whole.model.doc.rules, row.split.weight, whole.weight) : ""}`}>{row.split ? percent(row.split.weight, whole.weight) : ""}</span>
                <Bar split={row.split} full={full} by={by} />
                <span class="right dim number">{row.number}</span>
                <code>{row.text}</code>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
