// The views that the report has as sheets, whatever they are: their columns, their words, any order.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { SheetTable } from "../document";
import { useApp } from "../state";
import { FilterBox, useFilter } from "../ui/filter";
import { Choice } from "../ui/choice";
import { Table, type Column } from "../ui/table";

const LETTER = 7.6; // pixels, at most
const WIDEST = 320;

export function Tables() {
  const { model, item, show } = useApp();
  const { tables } = model.doc;
  const at = item !== null && item < tables.length ? item : 0;
  const table = tables[at]!;
  const choice = <Choice label="Show" options={tables.map((t, i) => [String(i), t.name] as const)} value={String(at)} set={(i) => show("tables", Number(i))} />;
  return <div class="view">{table.fault ? <><div class="tools">{choice}</div><p class="nothing">{table.fault}</p></> : <Sheet key={at} table={table}>{choice}</Sheet>}</div>;
}

function Sheet({ table, children }: { table: SheetTable; children: ComponentChildren }) {
  const filter = useFilter();
  const all = useMemo(() => [...(table.columns[0]?.texts.keys() ?? [])], [table]);
  const rows = useMemo(() => all.filter((r) => table.columns.some((c) => filter.matches(c.texts[r]!))), [all, table, filter]);
  const columns = useMemo(
    (): Column<number>[] =>
      table.columns.map(({ key, heading, right, texts, values }) => {
        const letters = Math.max(heading.length + 2, ...texts.map((text) => text.length));
        const width = Math.min(WIDEST, Math.round(LETTER * letters) + 17);
        return {
          key,
          head: heading,
          width: right ? `${width}px` : `minmax(${width}px, 1fr)`,
          ...(right ? { align: "right" as const } : {}),
          title: key.replaceAll("_", " "),
          value: (r) => values?.[r] ?? texts[r]!,
          cell: (r) => (right ? texts[r] : <span class="clip">{texts[r]}</span>),
        };
      }),
    [table],
  );
  return (
    <>
      <div class="tools">
        {children}
        <FilterBox filter={filter} label={`Filter ${table.name}`} />
        <span class="dim">{table.text}; whole run</span>
        <span class="dim push" role="status">{table.heading}</span>
      </div>
      <Table label={table.name} columns={columns} rows={rows} sort="" id={String} />
    </>
  );
}
