// What a time is made of, as text: by state, by combination of events with their meaning, and how many samples say so.
import type { ComponentChildren } from "preact";
import { comboColour, stateColour } from "../colours";
import type { Split } from "../split";
import { useApp } from "../state";
import { count, eventNames, percent } from "../words";

const SHOWN = 6; // combinations

export function Breakdown({ title, split, total, children }: { title: string; split: Split | null; total: number; children?: ComponentChildren }) {
  if (!split) return <div class="breakdown"><b>{title}</b><p class="dim">no time</p>{children}</div>;
  const { model } = split;
  const { doc } = model;
  const combos = [...split.combos.keys()].filter((i) => split.combos[i]).sort((a, b) => split.combos[b]! - split.combos[a]!);
  const events = doc.event_list.filter((_, e) => split.event(e) > 0);
  return (
    <div class="breakdown">
      <b>{title}</b>
      <p>
        {count(model.cycles(split.weight))} cycles, {percent(split.weight, total, 2)}
        {doc.by_samples && <Confidence split={split} total={total} />}
      </p>
      <table>
        <tbody>
          {doc.states.map((s, i) =>
            split.states[i] ? (
              <tr key={s.name}>
                <td><i class="swatch" style={{ background: stateColour(i) }} /></td>
                <td>{s.name}</td>
                <td class="number">{percent(split.states[i]!, split.weight)}</td>
                <td class="dim">{s.words}</td>
              </tr>
            ) : null,
          )}
        </tbody>
        {doc.vectors !== "none" && (
          <tbody>
            {combos.slice(0, SHOWN).map((i) => (
              <tr key={i}>
                <td><i class="swatch" style={{ background: comboColour(doc, model.combos[i]!) }} /></td>
                <td colSpan={1}>{eventNames(doc.event_list, model.combos[i]!)}</td>
                <td class="number">{percent(split.combos[i]!, split.weight)}</td>
                <td />
              </tr>
            ))}
            {combos.length > SHOWN && <tr><td /><td colSpan={3} class="dim">{combos.length - SHOWN} more combinations</td></tr>}
          </tbody>
        )}
      </table>
      {events.map((e) => (
        <p class="meaning" key={e.name}><b>{e.name}</b> {e.text}</p>
      ))}
      {children}
    </div>
  );
}

// The half-width of the interval of a share: from the samples one by one, as in the text report; where that is not known (of a
// stretch of the run, of a line or a frame), about, as if each sample stood for as many cycles.
function Confidence({ split, total }: { split: Split; total: number }) {
  const { whole } = useApp();
  const share = split.weight / total;
  const known = split.deviation !== null;
  const { few_samples: few, half_width: wide, interval_percent: level } = whole.model.doc.rules;
  const half = known ? (wide * split.deviation!) / whole.model.cycles(total) : whole.samples ? wide * Math.sqrt((share * (1 - share)) / whole.samples) : 0;
  return <span class="dim"> · {split.samples < few ? split.samples.toFixed(1) : count(split.samples)} samples, ±{known ? "" : " about"} {(100 * half).toFixed(2)} points ({level} %)</span>;
}
