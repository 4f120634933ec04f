// All instructions with time, hottest first.
import { useMemo } from "preact/hooks";
import { shortFile, type InstructionTime } from "../model";
import { useApp } from "../state";
import { Bar } from "../ui/bar";
import { Breakdown } from "../ui/breakdown";
import { FilterBox, useFilter } from "../ui/filter";
import { Table, type Column } from "../ui/table";
import { count, heat, percent } from "../words";

export function Instructions() {
  const { model, weights, whole, by, show, links } = useApp();
  const filter = useFilter();
  const all = useMemo(() => model.instructions(weights), [model, weights]);
  const rows = useMemo(
    () => all.filter((i) => filter.matches(i.instruction.text) || filter.matches(i.name) || filter.matches(model.functionWhole(i.index)) || filter.matches(i.instruction.address) || filter.matches(source(i)) || filter.matches(i.split.why())),
    [all, filter],
  );
  const shown = rows.reduce((sum, i) => sum + i.split.weight, 0);
  const columns = useMemo((): Column<InstructionTime>[] => {
    const full = all[0]?.split.weight ?? 1;
    return [
      { key: "share", head: "Share", width: "70px", align: "right", value: (i) => i.split.weight, cell: (i) => <span class={heat(model.doc.rules, i.split.weight, whole.weight)}>{percent(i.split.weight, whole.weight)}</span> },
      { key: "cycles", head: "Cycles", width: "100px", later: true, align: "right", value: (i) => i.split.weight, cell: (i) => count(model.cycles(i.split.weight)) },
      { key: "bar", head: by === "state" ? "by state" : "by event", width: "130px", later: true, cell: (i) => <Bar split={i.split} full={full} by={by} /> },
      { key: "address", head: "Address", width: "100px", later: true, value: (i) => i.instruction.address, cell: (i) => <span class="mono dim">{i.instruction.address}</span> },
      { key: "text", head: "Instruction", width: "minmax(170px, 1fr)", value: (i) => i.instruction.text, cell: (i) => <span class="mono">{i.instruction.text}</span> },
      { key: "function", head: "Function", width: "minmax(120px, 0.9fr)", narrow: "190px", value: (i) => i.name, cell: (i) => <span class="clip" title={model.functionHint(i.index)}>{i.name}</span> },
      { key: "source", head: "Source", width: "120px", value: source, cell: (i) => <span class="dim clip">{source(i)}</span> },
      { key: "why", head: "Why", width: "minmax(250px, 1.7fr)", value: (i) => i.split.why(), cell: (i) => <span class="dim clip">{i.split.why()}</span> },
    ];
  }, [all, whole, by]);
  return (
    <div class="view">
      <div class="tools">
        <FilterBox filter={filter} label="Filter instructions" />
        <span class="dim push" role="status">
          {count(rows.length)} of {count(all.length)} instructions with time, {percent(shown, whole.weight)} of the time
        </span>
      </div>
      <Table
        label="instructions"
        columns={columns}
        rows={rows}
        sort="share"
        id={(i) => `${i.index}/${i.instruction.index}`}
        open={(i) => show("code", i.index, links.offsetOf(i.index, i.instruction.index))}
        dim={(i) => model.doc.by_samples && i.split.samples < model.doc.rules.few_samples}
        tooltip={(i) => <Breakdown title={`${i.instruction.address}  ${i.instruction.text}`} split={i.split} total={whole.weight}><p class="dim">{i.split.why()}</p></Breakdown>}
      />
    </div>
  );
}

function source(i: InstructionTime): string {
  return i.instruction.line ? `${shortFile(i.instruction.file)}:${i.instruction.line}` : "";
}
