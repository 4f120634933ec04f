// The page of two runs: what differs between them by state and event, and by function and line; coloured is what is more than chance.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Change, ChangedUnit, DifferenceDocument, Differences, Side } from "./differences";
import { shortFile } from "./model";
import { short } from "./names";
import { Choice } from "./ui/choice";
import { FilterBox, useFilter } from "./ui/filter";
import { Table, type Column } from "./ui/table";
import { ThemeChoice } from "./ui/theme";
import { TipLayer } from "./ui/tip";
import { count, percent } from "./words";

const REASONS = 2; // events of a change, at most
const PART = 10; // ... of at least one part in that many of it

interface Numbers {
  amount(value: number): string;
  signed(value: number): string;
}

function numbers({ values }: Differences): Numbers {
  const amount = values === "share" ? (v: number) => percent(v, 1, 2) : count;
  const signed = (v: number) => `${v < 0 ? "−" : "+"}${amount(Math.abs(v))}`;
  return { amount, signed };
}

// Whether a component changed by more than its interval says.
function certain(doc: DifferenceDocument, { change, deviation }: Change): boolean {
  return change !== 0 && Math.abs(change) > doc.rules.half_width * deviation;
}

// The state, and the events, that changed most in the unit's own direction.
function why(doc: DifferenceDocument, unit: ChangedUnit, n: Numbers): string {
  const { time } = unit.components;
  if (!time || !unit.beyond_chance) return "";
  const sign = Math.sign(time.change);
  const most = (names: string[], least: number) =>
    names
      .flatMap((name) => (unit.components[name] && certain(doc, unit.components[name]!) ? [{ name, change: unit.components[name]!.change }] : []))
      .filter((c) => sign * c.change > least)
      .sort((x, y) => sign * (y.change - x.change));
  const least = Math.abs(time.change) / PART;
  const found = [...most(doc.states.map((s) => s.name), least).slice(0, 1), ...most(doc.event_list.map((e) => e.name), least).slice(0, REASONS)];
  return found.map((c) => `${c.name} ${n.signed(c.change)}`).join(", ");
}

export function tint(change: number, most: number, beyond: boolean): string | undefined {
  if (!beyond || !change) return undefined;
  const strength = Math.min(65, 14 + (60 * Math.abs(change)) / (most || 1));
  return `color-mix(in srgb, var(--${change > 0 ? "more" : "less"}) ${strength.toFixed(0)}%, transparent)`;
}

function Run({ letter, side }: { letter: string; side: Side }) {
  return (
    <tr>
      <th scope="row"><b>{letter}</b></th>
      <td class="wrap" title={side.command}>{shortFile(side.program)} <span class="dim">on {side.config}{side.region ? `, ${side.region}` : ""}; {shortFile(side.file)}</span></td>
      <td class="number strong">{count(side.cycles)}</td>
      <td class="number">{side.instructions ? (side.instructions / side.cycles).toFixed(3) : "–"}</td>
      <td class="number">{side.samples ? count(side.samples) : `– (${side.profiler})`}</td>
    </tr>
  );
}

function Whole({ doc, d }: { doc: DifferenceDocument; d: Differences }) {
  const n = numbers(d);
  const names = [...doc.states.map((s) => s.name), ...doc.event_list.map((e) => e.name)].filter((name) => d.all.components[name]);
  const meaning = new Map([...doc.states.map((s) => [s.name, s.words] as const), ...doc.event_list.map((e) => [e.name, e.text] as const)]);
  const most = Math.max(...names.map((name) => Math.abs(d.all.components[name]!.change)));
  return (
    <div class="columns">
      <section>
        <h2>From A to B</h2>
        <table class="plain" data-table="runs">
          <thead><tr><th scope="col" /><th scope="col">run</th><th scope="col" class="number">cycles</th><th scope="col" class="number">IPC</th><th scope="col" class="number">samples</th></tr></thead>
          <tbody><Run letter="A" side={d.a} /><Run letter="B" side={d.b} /></tbody>
        </table>
        <p class="lead">B takes {(d.b.cycles / d.a.cycles).toFixed(3)} times A's cycles: {d.b.cycles < d.a.cycles ? "−" : "+"}{count(Math.abs(d.b.cycles - d.a.cycles))}.</p>
      </section>
      <section>
        <h2>By state and event <span class="dim">{d.values === "share" ? "shares of each run" : "cycles"}</span></h2>
        <table class="plain" data-table="components">
          <thead><tr><th scope="col" /><th scope="col" class="number">A</th><th scope="col" class="number">B</th><th scope="col" class="number">change</th></tr></thead>
          <tbody>
            {names.map((name) => {
              const c = d.all.components[name]!;
              return (
                <tr key={name} title={meaning.get(name)}>
                  <th scope="row">{name}</th>
                  <td class="number">{n.amount(c.a.value)}</td>
                  <td class="number">{n.amount(c.b.value)}</td>
                  <td class="number strong"><span class="share" style={{ background: tint(c.change, most, certain(doc, c)) }}>{n.signed(c.change)}</span></td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function Detail({ doc, unit, n }: { doc: DifferenceDocument; unit: ChangedUnit; n: Numbers }) {
  return (
    <div class="breakdown">
      <b>{unit.name}</b>
      {unit.unit !== unit.name && <p class="dim">{unit.unit}</p>}
      <table>
        <tbody>
          {Object.entries(unit.components).map(([name, c]) => (
            <tr key={name}><td>{name}</td><td class="number">{n.amount(c.a.value)}</td><td class="number">{n.amount(c.b.value)}</td><td class="number">{n.signed(c.change)}{c.deviation ? ` ± ${n.amount(doc.rules.half_width * c.deviation)}` : ""}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Units({ doc, d, by, setBy }: { doc: DifferenceDocument; d: Differences; by: string; setBy(by: string): void }) {
  const filter = useFilter();
  const n = useMemo(() => numbers(d), [d]);
  const rows = useMemo(() => d.units.filter((u) => filter.matches(u.name) || filter.matches(u.unit)), [d, filter]);
  const marked = d.units.filter((u) => u.beyond_chance).length;
  const estimated = d.a.samples + d.b.samples > 0;
  const columns = useMemo((): Column<ChangedUnit>[] => {
    const time = (u: ChangedUnit) => u.components["time"] ?? { a: { value: 0 }, b: { value: 0 }, change: 0, deviation: 0 };
    const most = Math.max(...d.units.map((u) => Math.abs(time(u).change)), 0);
    const number = (key: string, head: string, value: (u: ChangedUnit) => number, text: (u: ChangedUnit) => preact.ComponentChildren, width = "112px"): Column<ChangedUnit> => ({ key, head, width, align: "right", value, cell: text });
    const verdict = (u: ChangedUnit) => (u.beyond_chance ? why(doc, u, n) : u.chance === undefined ? "too few samples to judge" : "may be chance");
    return [
      { key: "name", head: d.by[0]!.toUpperCase() + d.by.slice(1), width: "minmax(170px, 2fr)", value: (u) => u.name, cell: (u) => <span class="clip">{short(u.name)}</span> },
      number("change", "Change", (u) => Math.abs(time(u).change), (u) => <span class="share" style={{ background: tint(time(u).change, most, !!u.beyond_chance) }}>{n.signed(time(u).change)}</span>),
      ...(estimated ? [number("within", `± ${doc.rules.interval_percent} %`, (u) => time(u).deviation, (u) => <span class="dim">{n.amount(doc.rules.half_width * time(u).deviation)}</span>, "92px")] : []),
      number("a", "A", (u) => time(u).a.value, (u) => n.amount(time(u).a.value)),
      number("b", "B", (u) => time(u).b.value, (u) => n.amount(time(u).b.value)),
      ...(estimated ? [number("chance", "Chance", (u) => u.chance ?? 2, (u) => <span class="dim">{u.chance === undefined ? "–" : percent(u.chance, 1)}</span>, "76px")] : []),
      { key: "why", head: "Why", width: "minmax(190px, 1.6fr)", cell: (u) => <span class="dim clip">{verdict(u)}</span> },
    ];
  }, [doc, d, n]);
  return (
    <div class="view">
      <div class="tools">
        {doc.differences.length > 1 && <Choice label="By" options={doc.differences.map(({ by: name }) => [name, name] as const)} value={by} set={setBy} />}
        <FilterBox filter={filter} label={`Filter ${d.by}s`} />
        <span class="dim push" role="status">
          {count(rows.length)} of {count(d.units.length)} {d.by}s; {count(marked)} changed by more than chance: <i class="swatch more" /> more time, <i class="swatch less" /> less
        </span>
      </div>
      <Table
        key={d.by}
        label={`differences by ${d.by}`}
        columns={columns}
        rows={rows}
        sort=""
        id={(u) => `${u.unit} ${u.name}`}
        dim={(u) => !u.beyond_chance}
        tooltip={(u) => <Detail doc={doc} unit={u} n={n} />}
      />
    </div>
  );
}

// The address says by which units, and nothing else: "#line".
export function ComparePage({ doc }: { doc: DifferenceDocument }) {
  const [hash, setHash] = useState(location.hash.slice(1));
  useEffect(() => {
    const moved = () => setHash(location.hash.slice(1));
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const d = doc.differences.find((t) => t.by === hash) ?? doc.differences[0]!;
  const show = (by: string) => {
    location.hash = by;
    setHash(by);
  };
  return (
    <>
      <header>
        <div class="title">
          <span class="mark">tipoff</span>
          <h1 title={`${d.a.file} and ${d.b.file}`}>{shortFile(d.a.program)} <span class="dim">and</span> {shortFile(d.b.program)}</h1>
          <span class="push" />
          <ThemeChoice />
        </div>
      </header>
      <main>
        <div class="compared"><Whole doc={doc} d={d} /></div>
        <Units doc={doc} d={d} by={d.by} setBy={show} />
      </main>
      <TipLayer />
    </>
  );
}
