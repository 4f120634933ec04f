// Loops and basic blocks with time; counts are those of the whole run.
import { useMemo, useState } from "preact/hooks";
import { shortFile, type UnitTime } from "../model";
import { useApp } from "../state";
import { Bar } from "../ui/bar";
import { Breakdown } from "../ui/breakdown";
import { Choice } from "../ui/choice";
import { FilterBox, useFilter } from "../ui/filter";
import { useHart } from "../ui/hart";
import { Table, type Column } from "../ui/table";
import { short } from "../names";
import { count, heat, percent } from "../words";

type Kind = "loop" | "block";

export function Loops() {
  const { model, whole, range, by, show } = useApp();
  const { weights, choice } = useHart();
  const [kind, setKind] = useState<Kind>("loop");
  const filter = useFilter();
  const units = model.doc.units.find((u) => u.kind === kind)!;
  const all = useMemo(() => model.units(kind, weights), [model, kind, weights]);
  const rows = useMemo(() => all.filter((u) => filter.matches(u.name) || filter.matches(source(u))), [all, filter]);
  const shown = rows.reduce((sum, u) => sum + u.split.weight, 0);
  const columns = useMemo((): Column<UnitTime>[] => {
    const full = all[0]?.split.weight ?? 1;
    const text = (u: UnitTime, c: number) => model.string(units.cells[c]![u.unit]!);
    const kept = units.columns.map((column, c) => ({ ...column, c })).filter(({ heading, c }) => heading && all.some((u) => !/^-?$/.test(text(u, c))));
    const own = (numbers: boolean): Column<UnitTime>[] =>
      kept.filter(({ number }) => number === numbers).map(({ key, heading, c }) => ({
        key,
        head: heading,
        width: numbers ? `${Math.max(50, Math.round(7.6 * heading.length) + 17)}px` : "minmax(0, 1.6fr)",
        ...(numbers ? { align: "right" as const } : {}),
        title: `${key.replaceAll("_", " ")}, of the whole run`,
        value: (u) => (numbers ? Number.parseFloat(text(u, c)) || 0 : text(u, c)),
        cell: (u) => (numbers ? grouped(text(u, c)) : <span class="dim clip">{text(u, c)}</span>),
      }));
    return [
      { key: "share", head: "Share", width: "66px", align: "right", value: (u) => u.split.weight, cell: (u) => <span class={heat(model.doc.rules, u.split.weight, whole.weight)}>{percent(u.split.weight, whole.weight)}</span> },
      { key: "cycles", head: "Cycles", width: "76px", later: true, align: "right", value: (u) => u.split.weight, cell: (u) => count(model.cycles(u.split.weight)) },
      { key: "bar", head: by === "state" ? "by state" : "by event", width: "minmax(66px, 120px)", later: true, cell: (u) => <Bar split={u.split} full={full} by={by} /> },
      { key: "name", head: kind === "loop" ? "Loop" : "Block", width: "minmax(90px, 1.5fr)", narrow: "170px", value: (u) => u.name, cell: (u) => <span class="clip">{short(u.name)}</span> },
      { key: "source", head: "Source", width: "minmax(60px, 120px)", value: source, cell: (u) => <span class="dim clip">{source(u)}</span> },
      ...own(true),
      ...own(false),
    ];
  }, [model, all, whole, by, kind]);
  return (
    <div class="view">
      <div class="tools">
        <Choice label="Show" options={[["loop", "loops"], ["block", "basic blocks"]] as const} value={kind} set={setKind} />
        {choice}
        <FilterBox filter={filter} label={`Filter ${kind === "loop" ? "loops" : "blocks"}`} />
        {range && <span class="dim">counts: whole run</span>}
        <span class="dim push" role="status">
          {count(rows.length)} of {count(all.length)} {kind === "loop" ? "loops" : "blocks"} with time, {percent(shown, whole.weight)} of the time
        </span>
      </div>
      <Table
        key={kind}
        label={kind === "loop" ? "loops" : "basic blocks"}
        columns={columns}
        rows={rows}
        sort="share"
        id={(u) => `${kind}${u.unit}`}
        open={(u) => u.index >= 0 && show("code", u.index)}
        dim={(u) => model.doc.by_samples && u.split.samples < model.doc.rules.few_samples}
        tooltip={(u) => <Breakdown title={u.name} split={u.split} total={whole.weight}><p class="dim">{u.split.why()}</p></Breakdown>}
      />
    </div>
  );
}

function source(u: UnitTime): string {
  return u.line ? `${shortFile(u.file)}:${u.line}` : "";
}

// "1,987", "21.10"; nothing where it is not known.
function grouped(text: string): string {
  const [whole, fraction] = text.split(".");
  return text === "-" ? "" : /^\d+$/.test(whole!) ? `${count(Number(whole))}${fraction === undefined ? "" : `.${fraction}`}` : text;
}
