// How the hottest instructions went through the pipeline: of each one sampled execution, with what was before and behind it.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Snippet } from "../document";
import type { Model } from "../model";
import { short } from "../names";
import { useApp } from "../state";
import { tip } from "../ui/tip";
import { count, eventNames, heat, percent } from "../words";
import { CYCLE, pieces, scale, STAGES } from "./pipeline_layout";

const ROW = 18; // pixels
const HEAD = 34;
const LETTER = 7; // of a column of the monospaced font
const GAP = 12;

export function Pipeline() {
  const { model, item, whole, weights, show, links } = useApp();
  const { snippets } = model;
  const chosen = item !== null && snippets[item] ? item : 0;
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (list.current?.contains(document.activeElement)) list.current.querySelector<HTMLElement>("[aria-current]")?.focus();
  }, [chosen]);
  if (!snippets.length) {
    return <div class="view"><p class="nothing">The run kept no pipeline snippets: <code>tipoff run --snippets 20</code> keeps those of the 20 hottest instructions.</p></div>;
  }
  const times = model.snippetTimes(weights, snippets);
  const snippet = snippets[chosen]!;
  const key = (event: KeyboardEvent) => {
    const next = event.key === "ArrowDown" ? chosen + 1 : event.key === "ArrowUp" ? chosen - 1 : -1;
    if (!snippets[next]) return;
    show("pipeline", next);
    event.preventDefault();
  };
  return (
    <div class="view">
      <div class="tools">
        <StageLegend />
        <span class="push" />
        {snippet.function >= 0 && <button type="button" onClick={() => show("code", snippet.function, links.offsetOf(snippet.function, snippet.instruction))}>Show code</button>}
      </div>
      <div class="pipeline">
        <nav ref={list} class="snippets scroll" aria-label="hottest instructions" onKeyDown={key}>
          {snippets.map((s, i) => (
            <a key={i} href={`#${links.to("pipeline", i)}`} aria-current={i === chosen ? "true" : undefined}>
              <span class={`number ${heat(model.doc.rules, times[i]!, whole.weight)}`}>{percent(times[i]!, whole.weight)}</span>
              <span class="mono clip">{text(model, s, s.row)}</span>
              <span class="dim clip">{name(model, s, s.row)}</span>
            </a>
          ))}
        </nav>
        <div class="diagram scroll">
          <h2>{text(model, snippet, snippet.row)} <span class="dim">{words(model, snippet)}</span></h2>
          <Diagram snippet={snippet} />
        </div>
      </div>
    </div>
  );
}

export function StageLegend() {
  return (
    <ul class="legend">
      {STAGES.map((s, i) => <li key={s.name}><i class={`swatch stage-${i}`} /><b>{s.name}</b> <span class="dim">{s.words}</span></li>)}
      <li><i class="swatch stage-0 squashed" /><span class="dim">pale: squashed</span></li>
    </ul>
  );
}

export function words(model: Model, s: Snippet): string {
  return `${name(model, s, s.row)}, sampled ${model.doc.states[s.state]!.name} in cycle ${count(s.cycle)}: one of ${count(s.triggers)} samples`;
}

export function text(model: Model, s: Snippet, row: number): string {
  return model.string(s.text[row]!) || model.string(s.address[row]!);
}

function name(model: Model, s: Snippet, row: number): string {
  return short(model.string(s.name[row]!));
}

export function Diagram({ snippet }: { snippet: Snippet }) {
  const { model } = useApp();
  const { doc } = model;
  const labels = snippet.text.map((_, i) => `${model.string(snippet.address[i]!)}  ${text(model, snippet, i)}`);
  const ends = snippet.psv.map((psv, i) => (psv ? eventNames(doc.event_list, psv) : snippet.squashed[i] ? "squashed" : ""));
  const left = Math.max(...labels.map((l) => l.length)) * LETTER + GAP;
  const right = Math.max(...ends.map((l) => l.length)) * LETTER + GAP;
  const { x, width, end, cuts } = scale(snippet);
  const height = HEAD + labels.length * ROW;
  const sampled = snippet.cycle - snippet.from;
  const ticks = [...Array(end).keys()].filter((c) => (c + snippet.from) % 10 === 0 && !cuts.some((cut) => c > cut.from - 4 && c < cut.to + 4) && x(c) + 60 < width);
  return (
    <svg class="snippet" width={left + width + right} height={height} viewBox={`0 0 ${left + width + right} ${height}`} role="img" aria-label={`${labels[snippet.row]!.trim()}: ${words(model, snippet)}`}>
      <g transform={`translate(${left} 0)`}>
        {ticks.map((c) => <g key={c} class="tick"><line x1={x(c)} x2={x(c)} y1={HEAD - 6} y2={height} /><text x={x(c) + 3} y={HEAD - 7}>{count(c + snippet.from)}</text></g>)}
        {cuts.map((cut) => (
          <g key={cut.from} class="cut">
            <line x1={x(cut.from) + CYCLE / 2} x2={x(cut.from) + CYCLE / 2} y1={HEAD - 6} y2={height} />
            <text x={x(cut.from) + CYCLE / 2} y={12}>{count(cut.to - cut.from)} cycles</text>
          </g>
        ))}
        <rect class="when" x={x(sampled)} y={HEAD - 6} width={x(sampled + 1) - x(sampled)} height={height - HEAD + 6} />
      </g>
      {labels.map((label, i) => (
        <g key={i} class={`${snippet.squashed[i] ? "squashed" : ""}${i === snippet.row ? " here" : ""}`} transform={`translate(0 ${HEAD + i * ROW})`} {...tip(() => <Stages snippet={snippet} row={i} end={end} />)}>
          <rect class="back" width={left + width + right} height={ROW} />
          <text y={13} x={2}>{label}</text>
          <g transform={`translate(${left} 0)`}>
            {pieces(snippet, i, end).map(({ stage, from, to }) => (
              <g key={stage} data-stage={STAGES[stage]!.name}>
                <rect class={`stage-${stage}`} x={x(from)} y={2} width={Math.max(x(to) - x(from), 1)} height={ROW - 4} />
                {x(to) - x(from) >= CYCLE && <text x={x(from) + 3} y={13}>{STAGES[stage]!.name}</text>}
              </g>
            ))}
          </g>
          <text class="end" y={13} x={left + width + GAP / 2}>{ends[i]}</text>
        </g>
      ))}
    </svg>
  );
}

function Stages({ snippet, row, end }: { snippet: Snippet; row: number; end: number }) {
  const { model } = useApp();
  const left = snippet.left[row]!;
  return (
    <div class="breakdown">
      <b>{model.string(snippet.address[row]!)} {text(model, snippet, row)}</b>
      <p class="dim">{name(model, snippet, row)}</p>
      <table>
        <tbody>
          {pieces(snippet, row, end).map(({ stage, from, to }) => (
            <tr key={stage}>
              <td><i class={`swatch stage-${stage}`} /></td>
              <td>{STAGES[stage]!.name}</td>
              <td class="number">{count(from + snippet.from)}</td>
              <td class="dim">{STAGES[stage]!.words}: {count(to - from)} {to - from === 1 ? "cycle" : "cycles"}</td>
            </tr>
          ))}
          <tr><td /><td /><td class="number">{left < 0 ? "" : count(left + snippet.from)}</td><td class="dim">{left < 0 ? "still in flight at the end of the run" : snippet.squashed[row] ? "squashed" : "commits"}</td></tr>
        </tbody>
      </table>
      {model.doc.event_list.filter((_, e) => (snippet.psv[row]! >> e) & 1).map((e) => <p class="meaning" key={e.name}><b>{e.name}</b> {e.text}</p>)}
    </div>
  );
}
