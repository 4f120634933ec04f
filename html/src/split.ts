// Time, and what it is made of: by commit state, and by combination of events.
import type { Model } from "./model";

export class Split {
  weight = 0;
  samples = 0; // that count; parts of one where several instructions committed together
  deviation: number | null = null; // standard deviation, in cycles, where it is known: of the whole run
  said: string | null = null; // why, likewise
  readonly states: Float64Array;
  readonly combos: Float64Array; // by the number of the combination: model.combos

  constructor(readonly model: Model) {
    this.states = new Float64Array(model.doc.states.length);
    this.combos = new Float64Array(model.combos.length);
  }

  addRow(row: number, weight: number): void {
    this.weight += weight;
    this.samples += this.model.rowSamples(row, weight);
    this.states[this.model.state[row]!]! += weight;
    this.combos[this.model.combo[row]!]! += weight;
  }

  add(other: Split): void {
    this.weight += other.weight;
    this.samples += other.samples;
    other.states.forEach((w, i) => (this.states[i]! += w));
    other.combos.forEach((w, i) => (this.combos[i]! += w));
  }

  // Time under vectors that have the event.
  event(event: number): number {
    let sum = 0;
    this.combos.forEach((w, i) => {
      if ((this.model.combos[i]! >> event) & 1) sum += w;
    });
    return sum;
  }

  // In the words of the text report, by its rule: the state that took most, and the event that goes with it, if it covers enough.
  why(): string {
    if (!this.weight) return "";
    if (this.said !== null) return this.said;
    const { doc } = this.model;
    let state = 0;
    for (let s = 1; s < this.states.length; s++) if (this.states[s]! > this.states[state]!) state = s;
    const [said, ...reasons] = doc.why[state]!;
    let because = "";
    let most = Math.floor(this.weight / doc.rules.why_part);
    for (const { event, words } of reasons) {
      const time = this.event(doc.event_list.findIndex((e) => e.name === event));
      if (time > most) [most, because] = [time, `: ${words}`];
    }
    return said!.words + because;
  }
}
