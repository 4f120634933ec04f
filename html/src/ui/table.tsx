// A table of any number of rows: sorted by a click on a column's head, rows grouped and folded, the keyboard moves through them.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useNarrow } from "./narrow";
import { tip } from "./tip";
import { useVirtual } from "./virtual";

export interface Column<T> {
  key: string;
  head: string;
  width: string; // of the grid
  align?: "right";
  title?: string;
  narrow?: string; // of the grid, in a narrow window
  later?: boolean; // last in a narrow window
  value?(row: T): number | string; // to sort by; without: not sorted by
  cell(row: T): ComponentChildren;
}

export interface Grouping<T> {
  of(row: T): string;
  merge(name: string, rows: T[]): T; // the row that stands for a group
}

interface Line<T> {
  row: T;
  group: string | null; // of a group's own line
  size: number;
  depth: number;
}

interface Props<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  sort: string; // column at first, greatest first
  grouping?: Grouping<T> | null;
  id(row: T): string;
  open?(row: T): void;
  tooltip?(row: T): ComponentChildren;
  dim?(row: T): boolean;
}

const ROW = 26; // pixels

export function Table<T>(props: Props<T>) {
  const { rows, grouping } = props;
  const narrow = useNarrow();
  const columns = useMemo(() => {
    if (!narrow) return props.columns;
    const own = props.columns.map((c) => ({ ...c, width: c.narrow ?? c.width }));
    return [...own.filter((c) => !c.later), ...own.filter((c) => c.later)];
  }, [props.columns, narrow]);
  const [sort, setSort] = useState({ key: props.sort, down: true });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);

  const lines = useMemo(() => {
    const value = columns.find((c) => c.key === sort.key)?.value;
    const ordered = (list: T[]) => (value ? [...list].sort((a, b) => compare(value(a), value(b)) * (sort.down ? -1 : 1)) : list);
    if (!grouping) return ordered(rows).map((row): Line<T> => ({ row, group: null, size: 0, depth: 0 }));
    const groups = new Map<string, T[]>();
    for (const row of rows) {
      const name = grouping.of(row);
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
    const merged = new Map([...groups].map(([name, list]) => [grouping.merge(name, list), name]));
    return ordered([...merged.keys()]).flatMap((row): Line<T>[] => {
      const name = merged.get(row)!;
      const list = groups.get(name)!;
      const head = { row, group: name, size: list.length, depth: 0 };
      return folded.has(name) ? [head] : [head, ...ordered(list).map((r) => ({ row: r, group: null, size: 0, depth: 1 }))];
    });
  }, [columns, rows, grouping, sort, folded]);

  const virtual = useVirtual(scroller, lines.length, ROW);
  useEffect(() => setActive(0), [lines]);
  const toggle = (name: string) => {
    const next = new Set(folded);
    if (!next.delete(name)) next.add(name);
    setFolded(next);
  };
  const use = (line: Line<T>) => (line.group === null ? props.open?.(line.row) : toggle(line.group));
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -lines.length, End: lines.length }[event.key];
    const line = lines[active];
    if (step !== undefined) {
      const next = Math.max(0, Math.min(lines.length - 1, active + step));
      setActive(next);
      virtual.scrollTo(next, "auto");
    } else if (event.key === "Enter" && line) {
      use(line);
    } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && line?.group != null) {
      if (folded.has(line.group) === (event.key === "ArrowRight")) toggle(line.group);
    } else {
      return;
    }
    event.preventDefault();
  };
  const least = columns.reduce((sum, c) => sum + Number(/\d+(?=px)/.exec(c.width)?.[0] ?? 0), 12 * columns.length + 36);
  const grid = { gridTemplateColumns: columns.map((c) => c.width).join(" ") };
  return (
    <div class="table" role="treegrid" aria-label={props.label} aria-rowcount={lines.length + 1} style={{ "--least": `${least}px` }}>
      <div class="head" role="row" style={grid}>
        {columns.map((c) => (
          <div key={c.key} role="columnheader" class={c.align} aria-sort={sort.key === c.key ? (sort.down ? "descending" : "ascending") : undefined}>
            {c.value ? (
              <button type="button" title={c.title} onClick={() => setSort({ key: c.key, down: sort.key === c.key ? !sort.down : typeof c.value!(rows[0]!) === "number" })}>
                {c.head}
                <span class="arrow" aria-hidden="true">{sort.key === c.key ? (sort.down ? "▾" : "▴") : ""}</span>
              </button>
            ) : (
              <span title={c.title}>{c.head}</span>
            )}
          </div>
        ))}
      </div>
      <div class="body" ref={scroller} tabIndex={0} onKeyDown={key} aria-activedescendant={`${props.label}-${active}`}>
        <div style={{ height: `${virtual.height}px` }} role="presentation">
          {virtual.rows.map(({ index, start }) => {
            const line = lines[index];
            if (!line) return null;
            const { row, group } = line;
            return (
              <div
                key={group ?? props.id(row)}
                id={`${props.label}-${index}`}
                role="row"
                aria-level={line.depth + 1}
                aria-rowindex={index + 2}
                aria-expanded={group === null ? undefined : !folded.has(group)}
                aria-selected={index === active}
                class={`line${group === null ? "" : " group"}${index === active ? " active" : ""}${props.dim?.(row) ? " thin" : ""}`}
                style={{ ...grid, transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActive(index);
                  use(line);
                }}
                {...(props.tooltip ? tip(() => props.tooltip!(row)) : {})}
              >
                {columns.map((c, i) => (
                  <div key={c.key} role="gridcell" class={c.align} style={i === 0 && line.depth ? { paddingLeft: "18px" } : undefined}>
                    {i === 0 && group !== null && <span class="twisty" aria-hidden="true">{folded.has(group) ? "▸" : "▾"}</span>}
                    {c.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
        {lines.length === 0 && <p class="nothing">Nothing matches.</p>}
      </div>
    </div>
  );
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}
