// All profilers of the file side by side: how far each is from the Oracle, and what each says of functions and instructions.
import { useMemo, useState } from "preact/hooks";
import type { ErrorRow, TipoffDocument } from "../document";
import { useApp } from "../state";
import { Choice } from "../ui/choice";
import { FilterBox, useFilter } from "../ui/filter";
import { Table, type Column } from "../ui/table";
import { count, percent } from "../words";
import { beyondChance, compared, type ComparedRow, type Unit } from "./compared";

const LEAST = 0.002; // share: a lesser difference is not coloured
const LEVELS = ["instruction", "block", "function", "application"] as const;

interface ErrorLine {
  name: string;
  same: string[]; // with the same errors
  time: (number | null)[];
  events: number | null;
}

export function errorLines(errors: ErrorRow[]): ErrorLine[] {
  const of = (name: string, components: string, level: string) => errors.find((e) => e.profiler === name && e.components === components && e.granularity === level)?.error ?? null;
  const lines: ErrorLine[] = [];
  for (const name of new Set(errors.map((e) => e.profiler))) {
    const line = { name, same: [], time: LEVELS.map((l) => of(name, "time", l)), events: of(name, "events", "instruction") };
    const like = lines.find((l) => l.time.every((t, i) => t === line.time[i]) && (l.events === null || line.events === null || l.events === line.events));
    if (like) {
      like.same.push(name);
      like.events ??= line.events;
    } else {
      lines.push(line);
    }
  }
  return lines.sort((a, b) => a.time[0]! - b.time[0]!);
}

export function Errors() {
  const { model } = useApp();
  const lines = errorLines(model.doc.errors);
  if (!lines.length) return <p class="nothing">The file has no profile of the Oracle to compare with.</p>;
  const cell = (value: number | null, i: number) =>
    value === null ? <td key={i} class="dim number">–</td> : (
      <td key={i} class="error number">
        <span>{percent(value, 1, 2)}</span>
        <span class="bar"><i style={{ width: `${Math.min(100, 100 * value)}%` }} /></span>
      </td>
    );
  return (
    <table class="plain errors" data-table="errors">
      <thead><tr><th scope="col">Error against the Oracle</th>{["instruction", "basic block", "function", "application"].map((l) => <th key={l} scope="col">{l}</th>)}<th scope="col">cycle stacks (instruction)</th></tr></thead>
      <tbody>
        {lines.map((l) => (
          <tr key={l.name}>
            <th scope="row">{l.name}{l.same.length > 0 && <span class="dim small"> as {l.same.join(", ")}</span>}</th>
            {l.time.map(cell)}
            {cell(l.events, 9)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Profilers() {
  const { model, show, range } = useApp();
  const [unit, setUnit] = useState<Unit>("function");
  const filter = useFilter();
  const { names, same, rows } = useMemo(() => compared(model, unit), [model, unit]);
  const shown = useMemo(() => rows.filter((r) => filter.matches(r.name) || filter.matches(r.text)), [rows, filter]);
  const reference = names.indexOf("Oracle");
  const columns = useMemo((): Column<ComparedRow>[] => {
    const most = Math.max(...rows.flatMap((r) => r.shares), 0.0001);
    return [
      { key: "name", head: unit === "function" ? "Function" : "Instruction", width: "minmax(180px, 2fr)", value: (r) => r.name, cell: (r) => r.text ? <><span class="mono">{r.text}</span> <span class="dim">{r.name}</span></> : <span class="name">{r.name}</span> },
      ...names.map((name, p) => ({
        key: name,
        head: name,
        title: same[p]!.length ? `${name}; the same: ${same[p]!.join(", ")}` : name,
        width: "minmax(80px, 1fr)",
        align: "right" as const,
        value: (r: ComparedRow) => r.shares[p]!,
        cell: (r: ComparedRow) => <Share share={r.shares[p]!} truth={p === reference || reference < 0 ? null : r.shares[reference]!} most={most} doc={model.doc} />,
      })),
      { key: "spread", head: "Spread", width: "72px", align: "right", title: "Between the profilers that give most and least", value: (r) => Math.max(...r.shares) - Math.min(...r.shares), cell: (r) => <span class="dim">{percent(Math.max(...r.shares) - Math.min(...r.shares), 1)}</span> },
    ];
  }, [rows, names, same, unit]);
  return (
    <div class="view">
      <div class="above"><Errors /></div>
      <div class="tools">
        <FilterBox filter={filter} label={`Filter ${unit}s`} />
        <Choice label="Compare" options={[["function", "functions"], ["instruction", "instructions"]] as const} value={unit} set={setUnit} />
        <span class="dim push">share of the time{range ? " of the whole run" : ""}; <i class="swatch more" /> more than the Oracle, <i class="swatch less" /> less{model.doc.samples ? `, by more than the chance of ${count(model.doc.samples)} samples (${model.doc.rules.interval_percent} %)` : ""}</span>
      </div>
      <Table label="profilers" columns={columns} rows={shown} sort={names[Math.max(0, reference)] ?? "name"} id={(r) => r.key} open={(r) => show("code", r.fn)} key={unit} />
    </div>
  );
}

function Share({ share, truth, most, doc }: { share: number; truth: number | null; most: number; doc: TipoffDocument }) {
  const off = truth === null ? 0 : share - truth;
  const strength = Math.min(65, 12 + (160 * Math.abs(off)) / most);
  const background = truth === null || Math.abs(off) < LEAST || !beyondChance(doc, share, truth) ? undefined : `color-mix(in srgb, var(--${off > 0 ? "more" : "less"}) ${strength.toFixed(0)}%, transparent)`;
  return <span class="share" style={{ background }}>{share ? percent(share, 1) : "–"}</span>;
}
