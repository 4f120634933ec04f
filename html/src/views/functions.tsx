// All functions: sorted, filtered, grouped.
import { useMemo, useState } from "preact/hooks";
import { shortFile, type FunctionTime } from "../model";
import { useApp } from "../state";
import { Bar } from "../ui/bar";
import { Breakdown } from "../ui/breakdown";
import { Choice } from "../ui/choice";
import { FilterBox, useFilter } from "../ui/filter";
import { Table, type Column, type Grouping } from "../ui/table";
import { count, heat, percent } from "../words";

type Group = "none" | "file" | "image" | "mode" | "process" | "hart";

export function Functions() {
  const { model, functions, whole, by, show, calls } = useApp();
  const { doc } = model;
  const filter = useFilter();
  const [group, setGroup] = useState<Group>("none");
  const [hart, setHart] = useState("all");
  const column = (name: Exclude<Group, "none">, f: FunctionTime) => model.string(doc.functions[name][f.index]!);
  const rows = useMemo(
    () => functions.filter((f) => (hart === "all" || column("hart", f) === hart) && (filter.matches(f.name) || filter.matches(model.functionWhole(f.index)) || filter.matches(model.functionSource(f.index)))),
    [functions, filter, hart],
  );
  const shown = rows.reduce((sum, f) => sum + f.split.weight, 0);
  const many = (column: Exclude<Group, "none">) => new Set(doc.functions[column]).size > 1;
  const harts = useMemo(() => model.harts(), [model]);
  const columns = useMemo((): Column<FunctionTime>[] => {
    const full = functions[0]?.split.weight ?? 1;
    const inclusive = (f: FunctionTime) => calls.inclusive.get(f.index)?.weight ?? 0;
    return [
      { key: "name", head: "Function", width: "minmax(190px, 2.6fr)", value: (f) => f.name, cell: (f) => <span class="name">{f.name}</span> },
      ...(harts.length > 1
        ? [{ key: "hart", head: "Hart", width: "60px", align: "right" as const, value: (f: FunctionTime) => (f.index < 0 ? -1 : +(column("hart", f) || -1)), cell: (f: FunctionTime) => (f.index < 0 ? "" : column("hart", f)) }]
        : []),
      { key: "share", head: "Share", width: "72px", align: "right", value: (f) => f.split.weight, cell: (f) => <span class={heat(model.doc.rules, f.split.weight, whole.weight)}>{percent(f.split.weight, whole.weight)}</span> },
      ...(calls.known
        ? [{ key: "inclusive", head: "With calls", width: "88px", align: "right" as const, title: "with all that it calls", value: (f: FunctionTime) => inclusive(f), cell: (f: FunctionTime) => (f.index < 0 ? "" : percent(inclusive(f), whole.weight)) }]
        : []),
      { key: "bar", head: by === "state" ? "by state" : "by event", width: "minmax(110px, 1.2fr)", cell: (f) => <Bar split={f.split} full={full} by={by} /> },
      { key: "cycles", head: "Cycles", width: "108px", align: "right", value: (f) => f.split.weight, cell: (f) => count(model.cycles(f.split.weight)) },
      ...(doc.by_samples
        ? [{ key: "samples", head: "Samples", width: "76px", align: "right" as const, value: (f: FunctionTime) => f.split.samples, cell: (f: FunctionTime) => count(f.split.samples) }]
        : []),
      ...doc.states.slice(0, 4).map((s, i) => ({
        key: s.name,
        head: s.name,
        width: s.name.length > 8 ? "98px" : "82px",
        align: "right" as const,
        title: `Share of the function's time: ${s.words}`,
        value: (f: FunctionTime) => f.split.states[i]!,
        cell: (f: FunctionTime) => (f.split.states[i] ? percent(f.split.states[i]!, f.split.weight) : ""),
      })),
      ...(many("image") ? [{ key: "image", head: "Image", width: "minmax(70px, 0.6fr)", value: (f: FunctionTime) => (f.index < 0 ? "" : column("image", f)), cell: (f: FunctionTime) => <span class="dim clip">{f.index < 0 ? "" : column("image", f)}</span> }] : []),
      { key: "source", head: "Source", width: "minmax(110px, 1fr)", value: (f) => model.functionSource(f.index), cell: (f) => <span class="dim clip">{f.index < 0 ? "" : shortFile(model.functionSource(f.index))}</span> },
    ];
  }, [model, functions, whole, by, calls]);
  const grouping = useMemo((): Grouping<FunctionTime> | null => {
    if (group === "none") return null;
    return {
      of: (f) => column(group, f) || "unknown",
      merge: (name, list) => {
        const split = model.split();
        for (const f of list) split.add(f.split);
        return { index: -1, name: `${group === "file" ? shortFile(name) : name} (${list.length})`, split };
      },
    };
  }, [group, model]);
  const groups: [Group, string][] = [["none", "none"], ["file", "file"]];
  for (const name of ["image", "mode", "process", "hart"] as const) if (many(name)) groups.push([name, name]);
  return (
    <div class="view">
      <div class="tools">
        <FilterBox filter={filter} label="Filter functions" />
        {harts.length > 1 && <Choice label="Hart" options={[["all", "all"], ...harts.map((name): [string, string] => [name, name])]} value={hart} set={setHart} />}
        <Choice label="Group by" options={groups} value={group} set={setGroup} />
        <span class="dim push" role="status">
          {count(rows.length)} of {count(functions.length)} functions, {percent(shown, whole.weight)} of the time
        </span>
      </div>
      <Table
        label="functions"
        columns={columns}
        rows={rows}
        sort="share"
        grouping={grouping}
        id={(f) => `f${f.index}`}
        open={(f) => show("code", f.index)}
        dim={(f) => doc.by_samples && f.split.samples < doc.rules.few_samples}
        tooltip={(f) => <Breakdown title={f.index < 0 ? f.name : model.functionWhole(f.index)} split={f.split} total={whole.weight}><p class="dim">{f.split.why()}</p></Breakdown>}
      />
    </div>
  );
}
