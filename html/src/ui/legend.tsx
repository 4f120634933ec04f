// What the colours mean, and how much of the time each has.
import { comboColour, stateColour, type By } from "../colours";
import type { Split } from "../split";
import { eventNames, percent } from "../words";

const SHOWN = 8; // combinations

export function Legend({ split, by }: { split: Split; by: By }) {
  const { model } = split;
  const { doc } = model;
  const items =
    by === "state"
      ? doc.states.map((s, i) => ({ name: s.name, colour: stateColour(i), weight: split.states[i]!, title: s.words }))
      : model.combos.map((psv, i) => ({
          name: eventNames(doc.event_list, psv),
          colour: comboColour(doc, psv),
          weight: split.combos[i]!,
          title: doc.event_list.filter((_, e) => (psv >> e) & 1).map((e) => `${e.name}: ${e.text}`).join("\n"),
        }));
  const used = by === "state" ? items.filter((item, i) => i < items.length - 1 || item.weight) : items.filter((i) => i.weight).sort((a, b) => b.weight - a.weight);
  return (
    <ul class="legend">
      {used.slice(0, SHOWN).map((item) => (
        <li key={item.name} title={item.title}>
          <i class="swatch" style={{ background: item.colour }} />
          {item.name} <span class="dim number">{percent(item.weight, split.weight)}</span>
        </li>
      ))}
      {used.length > SHOWN && <li class="dim">{used.length - SHOWN} more</li>}
    </ul>
  );
}
