// Numbers as text: the same everywhere on the page.
import type { Rules } from "./document";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function count(n: number): string {
  return whole.format(Math.round(n));
}

export function percent(part: number, all: number, digits = 1): string {
  return `${(all ? (100 * part) / all : 0).toFixed(digits)} %`;
}

export function milliseconds(cycles: number, mhz: number): string {
  const ms = cycles / (1e3 * mhz);
  return ms >= 100 ? `${ms.toFixed(0)} ms` : ms >= 1 ? `${ms.toFixed(2)} ms` : `${(1e3 * ms).toFixed(1)} µs`;
}

const COLD = 0.1; // of what is hot

// How a share stands out: those that matter are bold, those that do not are dim.
export function heat(rules: Rules, part: number, all: number): string {
  const share = all ? (100 * part) / all : 0;
  return share >= rules.hot_percent ? "hot" : share < COLD * rules.hot_percent ? "cold" : "";
}

// "ST_L1+ST_LLC", "no event".
export function eventNames(events: { name: string }[], psv: number): string {
  const names = events.filter((_, e) => (psv >> e) & 1).map((e) => e.name);
  return names.length ? names.join("+") : "no event";
}
