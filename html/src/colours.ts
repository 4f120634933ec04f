// Colours of states and events, and bars made of them. A state has a hue; its events are shades of it (style/colours.css).
import type { Split } from "./split";
import type { TipoffDocument } from "./document";

export type By = "state" | "event";

export function stateColour(state: number): string {
  return `var(--state-${state})`;
}

// Of a combination: that of its last event in the order of the table. Without one: grey.
export function comboColour(doc: TipoffDocument, psv: number): string {
  if (!psv) return "var(--no-event)";
  const last = 31 - Math.clz32(psv);
  const event = doc.event_list[last]!;
  const state = doc.states.findIndex((s) => s.name === event.state);
  const siblings = doc.event_list.map((e, i) => ({ e, i })).filter(({ e }) => e.state === event.state);
  return `var(--event-${state}-${siblings.findIndex(({ i }) => i === last) % 4})`;
}

export interface Piece {
  colour: string;
  weight: number;
}

// Events first, time without one last.
export function pieces(split: Split, by: By): Piece[] {
  const { doc, combos } = split.model;
  if (by === "state") return [...split.states].map((weight, s) => ({ colour: stateColour(s), weight }));
  const all = [...split.combos].map((weight, i) => ({ colour: comboColour(doc, combos[i]!), weight }));
  return [...all.slice(1), ...all.slice(0, 1)];
}

// One background for a whole stacked bar.
export function gradient(list: Piece[]): string {
  const total = list.reduce((sum, p) => sum + p.weight, 0);
  let at = 0;
  const stops: string[] = [];
  for (const { colour, weight } of list) {
    if (!weight) continue;
    const end = at + (100 * weight) / total;
    stops.push(`${colour} ${at.toFixed(2)}% ${end.toFixed(2)}%`);
    at = end;
  }
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
