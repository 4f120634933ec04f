// What the report concludes of the whole run: hot paths, own callers of code whose source is not found, what limits Computing, what to do.
import { short } from "../names";
import { useApp } from "../state";
import { count, percent } from "../words";

const DEEPEST = 8; // indents of hot paths

// Who reached the time: paths of calls, indented where they divide.
export function HotPaths() {
  const { model, links } = useApp();
  const { hot_paths: paths = [], weight } = model.doc;
  if (!paths.length) return null;
  return (
    <section>
      <h2>Hot paths <span class="dim">functions with what they call, and themselves; whole run</span></h2>
      <table class="plain" data-table="hot-paths">
        <tbody>
          {paths.map((p, i) => {
            const steps = p.path.split(" > ");
            const last = model.functionOf(steps.at(-1)!);
            return (
              <tr key={i}>
                <td class="number strong">{percent(p.weight, weight)}</td>
                <td class="number dim own">{percent(p.own, weight)}</td>
                <td class="wrap" style={{ paddingLeft: `${14 * Math.min(p.depth, DEEPEST)}px` }} title={p.path}>
                  {p.depth > 0 && "› "}
                  {steps.slice(0, -1).map((s) => `${model.shownName(s)} › `).join("")}
                  {last === null ? <b>{model.shownName(steps.at(-1)!)}</b> : <a class="to" href={`#${links.to("calls", last)}`}>{model.shownName(steps.at(-1)!)}</a>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

// Code that the user cannot change, by who of theirs calls it.
export function OwnCallers() {
  const { model, links } = useApp();
  const { own_callers: calls = [], weight, rules } = model.doc;
  const shown = calls.filter((c) => c.weight * rules.own_caller_part >= weight);
  if (!shown.length) return null;
  return (
    <section>
      <h2>Code whose source is not found <span class="dim">by the nearest caller whose is; whole run</span></h2>
      <table class="plain" data-table="own-callers">
        <tbody>
          {shown.map((c) => {
            const caller = model.functionOf(c.caller);
            return (
              <tr key={`${c.caller} ${c.callee}`}>
                <td class="number strong">{percent(c.weight, weight)}</td>
                <td class="wrap" title={`${c.caller} > ${c.callee}`}>
                  {caller === null ? model.shownName(c.caller) : <a class="to" href={`#${links.to("code", caller)}`}>{model.shownName(c.caller)}</a>} › {model.shownName(c.callee)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

// What limits the time in which instructions commit.
export function WhatLimits() {
  const { model } = useApp();
  const { computing: c, weight } = model.doc;
  if (!c) return null;
  return (
    <section>
      <h2>Computing <span class="dim">instructions commit, and wait for nothing; whole run</span></h2>
      <table class="plain" data-table="computing">
        <tbody>
          <tr>
            <td class="number strong">{percent(c.weight, weight)}</td>
            <td class="wrap">{c.instructions_a_cycle === null ? `at most ${c.width} instructions commit a cycle` : `${c.instructions_a_cycle.toFixed(2)} instructions commit in such a cycle, of ${c.width} at most: ${c.advice}`}</td>
          </tr>
          {c.loops.map((l) => (
            <tr key={l.at}>
              <td class="number">{percent(l.weight, weight)}</td>
              <td class="wrap">
                loop at {short(l.at)}
                {l.iterations > 0 && <span class="dim">: {count(l.iterations)} iterations of {l.instructions!.toFixed(1)} instructions in {l.cycles!.toFixed(1)} cycles, without loops inside it</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// By the rules of tables/advice.tsv.
export function WhatToDo() {
  const { model } = useApp();
  const { advice, weight, rules } = model.doc;
  if (!advice.length) return null;
  return (
    <section>
      <h2>What to do <span class="dim">about instructions with {100 / rules.advice_part} % of the time or more; whole run</span></h2>
      <table class="plain advice" data-table="advice">
        <tbody>
          {advice.map((a) => (
            <tr key={`${a.state}${a.events}${a.text}`}>
              <td class="number strong">{percent(a.weight, weight)}</td>
              <td class="wrap">
                <b>{a.state}{a.events ? `, ${a.events}` : ""}</b>: <span class="mono">{a.examples.map((e) => short(model.instructionAt(e))).join("; ")}</span>{a.instructions > a.examples.length ? ` and ${a.instructions - a.examples.length} more` : ""}
                <p>{a.text}. <span class="dim">{a.source}</span></p>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
