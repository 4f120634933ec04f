// What ran, where the cycles went, and what is worth a look first.
import { stateColour, comboColour } from "../colours";
import type { InstructionTime, Model } from "../model";
import { useApp } from "../state";
import { Bar } from "../ui/bar";
import { Breakdown } from "../ui/breakdown";
import { tip } from "../ui/tip";
import { count, milliseconds, percent } from "../words";
import { HotPaths, OwnCallers, WhatLimits, WhatToDo } from "./advice";

const TOP = 10;

export function Warnings({ model }: { model: Model }) {
  const { notes } = model.doc;
  return notes.length ? <ul class="warnings">{notes.map((text) => <li key={text}>{text}</li>)}</ul> : null;
}

export function KeyFigures({ model }: { model: Model }) {
  const { doc } = model;
  const figures: [string, string, string?][] = [
    ["cycles", count(doc.cycles), `${milliseconds(doc.cycles, doc.clock_mhz)} at ${(doc.clock_mhz / 1000).toFixed(2)} GHz`],
    ...(doc.instructions ? ([["instructions", count(doc.instructions)], ["IPC", doc.ipc!.toFixed(3), `of at most ${doc.width}`]] as [string, string, string?][]) : []),
    ["samples", count(doc.samples), doc.triggers ?? ""],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd class="dim small">{more}</dd>
        </div>
      ))}
    </dl>
  );
}

export function States() {
  const { whole, model, by } = useApp();
  return (
    <section>
      <h2>Where the cycles go</h2>
      <div class="wide-bar"><Bar split={whole} full={whole.weight} by={by} /></div>
      <table class="plain" data-table="states">
        <tbody>
          {model.doc.states.map((s, i) =>
            i < model.doc.states.length - 1 || whole.states[i] ? (
              <tr key={s.name}>
                <td><i class="swatch" style={{ background: stateColour(i) }} /></td>
                <th scope="row">{s.name}</th>
                <td class="number strong">{percent(whole.states[i]!, whole.weight)}</td>
                <td class="dim">{s.words}</td>
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </section>
  );
}

export function Events() {
  const { whole, model } = useApp();
  const { doc } = model;
  if (doc.vectors === "none") return null;
  const list = doc.event_list.map((e, i) => ({ ...e, psv: 1 << i, weight: whole.event(i) })).filter((e) => e.weight).sort((a, b) => b.weight - a.weight);
  const most = list[0]?.weight ?? 0;
  return (
    <section>
      <h2>Events <span class="dim">time of instructions that met them; several may have met one instruction</span></h2>
      {!list.length && <p class="dim">No sampled instruction met an event.</p>}
      <table class="plain" data-table="events">
        <tbody>
          {list.map((e) => (
            <tr key={e.name}>
              <td><i class="swatch" style={{ background: comboColour(doc, e.psv) }} /></td>
              <th scope="row">{e.name}</th>
              <td class="number strong">{percent(e.weight, whole.weight)}</td>
              <td class="event-bar"><span class="bar"><i style={{ width: `${(100 * e.weight) / most}%`, background: comboColour(doc, e.psv) }} /></span></td>
              <td class="dim">{e.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function TopFunctions({ top }: { top: number }) {
  const { functions, whole, by, show, model, links } = useApp();
  const { image: images } = model.doc.functions;
  const image = (index: number) => (new Set(images).size > 1 ? model.string(images[index]!) : "");
  return (
    <section>
      <h2>Functions <span class="dim">{Math.min(top, functions.length)} of {count(functions.length)}</span></h2>
      <table class="plain links" data-table="top-functions">
        <tbody>
          {functions.slice(0, top).map((f) => (
            <tr key={f.index} {...tip(() => <Breakdown title={model.functionWhole(f.index)} split={f.split} total={whole.weight} />)} onClick={() => show("code", f.index)}>
              <td class="number strong">{percent(f.split.weight, whole.weight)}</td>
              <td class="top-bar"><Bar split={f.split} full={functions[0]!.split.weight} by={by} /></td>
              <th scope="row"><a href={`#${links.to("code", f.index)}`}>{f.name}</a></th>
              <td class="dim source">{shortSource(model.functionSource(f.index)) || image(f.index)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function TopInstructions({ top }: { top: number }) {
  const { model, weights, whole, by, show, links } = useApp();
  const place = (i: InstructionTime) => links.offsetOf(i.index, i.instruction.index);
  const list = model.instructions(weights);
  return (
    <section>
      <h2>Instructions <span class="dim">{Math.min(top, list.length)} of {count(list.length)}</span></h2>
      <table class="plain links" data-table="top-instructions">
        <tbody>
          {list.slice(0, top).map((i) => (
            <tr key={`${i.index}/${i.instruction.index}`} {...tip(() => <Breakdown title={`${i.instruction.address}  ${i.instruction.text}`} split={i.split} total={whole.weight} />)} onClick={() => show("code", i.index, place(i))}>
              <td class="number strong">{percent(i.split.weight, whole.weight)}</td>
              <td class="top-bar"><Bar split={i.split} full={list[0]!.split.weight} by={by} /></td>
              <td class="mono"><a href={`#${links.to("code", i.index, place(i))}`}>{i.instruction.text || i.instruction.address}</a></td>
              <td class="clip" title={model.functionHint(i.index)}>{i.name}</td>
              <td class="dim why">{i.split.why()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Contexts() {
  const { model } = useApp();
  const { contexts, weight } = model.doc;
  if (contexts.length < 2) return null;
  return (
    <section>
      <h2>By mode and process <span class="dim">whole run</span></h2>
      <table class="plain" data-table="contexts">
        <tbody>
          {contexts.map((c) => (
            <tr key={c.name}>
              <td class="number strong">{percent(c.weight, weight)}</td>
              <td class="top-bar">
                <span class="bar" style={{ display: "flex" }}>
                  {c.states.map((w, s) => <i key={s} style={{ width: `${(100 * w) / contexts[0]!.weight}%`, background: stateColour(s) }} />)}
                </span>
              </td>
              <td>{c.name}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function RunDetails({ model }: { model: Model }) {
  const { doc } = model;
  const rows: [string, string][] = [
    ["program", doc.program],
    ["configuration", doc.config + (doc.settings ? ` with ${doc.settings}` : "")],
    ...(doc.region ? [["measured", doc.region] as [string, string]] : []),
    ["command", doc.command],
    ["times by", doc.by_samples ? `the samples of the ${doc.vectors === "commit" ? "TEA" : "TIP"} unit` : `the profile of ${doc.profiler}`],
    ...(doc.sampling_error ? [["sampling error", doc.sampling_error] as [string, string]] : []),
    ["build id", doc.build_id],
    ["sample file", doc.file],
  ];
  return (
    <section>
      <h2>The run</h2>
      <table class="plain">
        <tbody>{rows.filter(([, v]) => v).map(([name, value]) => <tr key={name}><th scope="row" class="dim">{name}</th><td class="wrap">{value}</td></tr>)}</tbody>
      </table>
    </section>
  );
}

// The first thing to know, in a sentence.
export function Lead() {
  const { model, functions, weights, whole, links } = useApp();
  const [hottest] = model.instructions(weights);
  const first = functions[0];
  if (!hottest || !first) return null;
  const at = hottest.instruction.line ? ` (${shortSource(`${hottest.instruction.file}:${hottest.instruction.line}`)})` : "";
  return (
    <p class="lead">
      <a href={`#${links.to("code", first.index)}`} title={model.functionHint(first.index)}>{first.name}</a> takes {percent(first.split.weight, whole.weight)} of the time. The hottest instruction is{" "}
      <a class="mono" href={`#${links.to("code", hottest.index, links.offsetOf(hottest.index, hottest.instruction.index))}`}>{hottest.instruction.text || hottest.instruction.address}</a>
      {hottest.index === first.index ? "" : ` in ${hottest.name}`}{at}, {percent(hottest.split.weight, whole.weight)}: {hottest.split.why()}.
    </p>
  );
}

function shortSource(source: string): string {
  return source.slice(source.lastIndexOf("/") + 1);
}

export function Summary() {
  const { model } = useApp();
  return (
    <div class="summary scroll">
      <Warnings model={model} />
      <KeyFigures model={model} />
      <Lead />
      <div class="columns">
        <States />
        <Events />
        <TopFunctions top={TOP} />
        <TopInstructions top={TOP} />
        <HotPaths />
        <OwnCallers />
        <WhatLimits />
        <WhatToDo />
        <Contexts />
        <RunDetails model={model} />
      </div>
    </div>
  );
}
