// One function between those that call it and those that it calls.
import { useApp } from "../state";
import { Bar } from "../ui/bar";
import { Breakdown } from "../ui/breakdown";
import { FunctionPicker } from "../ui/picker";
import { tip } from "../ui/tip";
import { heat, percent } from "../words";
import type { Split } from "../split";

export function CallGraph() {
  const { model, functions, calls, fn, whole, show, by, links } = useApp();
  if (!calls.known) {
    return <div class="view"><p class="nothing">The profile has no call stacks.</p></div>;
  }
  const most = [...calls.inclusive].sort((a, b) => b[1].weight - a[1].weight);
  const between = most.find(([i]) => calls.callees.has(i) && [...(calls.callers.get(i)?.keys() ?? [])].some((c) => c >= 0));
  const index = fn !== null && calls.inclusive.has(fn) ? fn : (between ?? most[0])?.[0] ?? 0;
  const own = functions.find((f) => f.index === index)?.split ?? null;
  const inclusive = calls.inclusive.get(index) ?? null;
  const sides = [
    { title: "Called by", list: calls.callers.get(index) },
    { title: "Calls", list: calls.callees.get(index) },
  ];
  return (
    <div class="view">
      <div class="tools">
        <FunctionPicker list={most.map(([i, split]) => ({ index: i, weight: split.weight }))} value={index} set={(i) => show("calls", i)} />
        <button type="button" onClick={() => show("code", index)}>Show code</button>
        <span class="dim push">time of a function, and of a call, with all that it calls; one on the way twice counts once</span>
      </div>
      <div class="calls scroll">
        <table class="plain center">
          <tbody>
            <Line name="with what it calls" split={inclusive} full={whole.weight} by={by} total={whole.weight} />
            <Line name="itself" split={own} full={whole.weight} by={by} total={whole.weight} />
          </tbody>
        </table>
        <div class="sides">
          {sides.map(({ title, list }) => (
            <section key={title}>
              <h2>{title}</h2>
              <table class="plain links" data-table={title}>
                <tbody>
                  {[...(list ?? [])].sort((a, b) => b[1].weight - a[1].weight).map(([other, split]) => (
                    <tr key={other} onClick={() => other >= 0 && show("calls", other)} {...tip(() => <Breakdown title={other < 0 ? "not called" : model.functionWhole(other)} split={split} total={whole.weight} />)}>
                      <td class={`number strong ${heat(model.doc.rules, split.weight, whole.weight)}`}>{percent(split.weight, whole.weight)}</td>
                      <td class="top-bar"><Bar split={split} full={inclusive?.weight ?? 1} by={by} /></td>
                      <th scope="row">{other < 0 ? <span class="dim">nobody, as far as is known</span> : <a href={`#${links.to("calls", other)}`}>{model.functionName(other)}</a>}</th>
                    </tr>
                  ))}
                  {!list?.size && <tr><td class="dim" colSpan={3}>nothing that has time</td></tr>}
                </tbody>
              </table>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

function Line({ name, split, full, by, total }: { name: string; split: Split | null; full: number; by: "state" | "event"; total: number }) {
  return (
    <tr {...tip(() => <Breakdown title={name} split={split} total={total} />)}>
      <th scope="row" class="dim">{name}</th>
      <td class="number strong">{percent(split?.weight ?? 0, total)}</td>
      <td><Bar split={split} full={full} by={by} /></td>
    </tr>
  );
}
