// The page: head, run over time, and the view that is chosen.
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ComparePage } from "./compare";
import { read } from "./document";
import { Model, shortFile } from "./model";
import { Paper } from "./paper";
import { StateProvider, usePageState, type State, type ViewName } from "./state";
import { Choice } from "./ui/choice";
import { ThemeChoice } from "./ui/theme";
import { rangeWords, Track } from "./ui/track";
import { TipLayer } from "./ui/tip";
import { CallGraph } from "./views/calls";
import { Code } from "./views/code";
import { Flame } from "./views/flame";
import { Functions } from "./views/functions";
import { Instructions } from "./views/instructions";
import { Loops } from "./views/loops";
import { Pipeline } from "./views/pipeline";
import { Profilers } from "./views/profilers";
import { Summary } from "./views/summary";
import { Tables } from "./views/tables";
import { Timeline } from "./views/timeline";
import { count, percent } from "./words";

const VIEWS: readonly (readonly [ViewName, string, () => preact.JSX.Element])[] = [
  ["summary", "Summary", Summary],
  ["functions", "Functions", Functions],
  ["instructions", "Instructions", Instructions],
  ["loops", "Loops", Loops],
  ["code", "Code", Code],
  ["calls", "Calls", CallGraph],
  ["flame", "Flame graph", Flame],
  ["timeline", "Timeline", () => <Timeline />],
  ["pipeline", "Pipeline", Pipeline],
  ["profilers", "Profilers", Profilers],
  ["tables", "Tables", Tables], // where there are some
];
const KEYS = 10; // views that a digit shows

function Head({ state }: { state: State }) {
  const { model, view, show, by, setBy, range, setRange, whole } = state;
  const { doc } = model;
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const bar = tabs.current!;
    const tab = bar.querySelector<HTMLElement>("[aria-current]");
    if (tab) bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2; // in a narrow window not all are in sight
  }, [view]);
  return (
    <header>
      <div class="title">
        <span class="mark">tipoff</span>
        <h1 title={doc.program}>{shortFile(doc.program)} <span class="dim">on {doc.config}</span></h1>
        <span class="dim number facts">{count(doc.cycles)} cycles{doc.ipc ? ` · IPC ${doc.ipc.toFixed(2)}` : ""}{doc.samples ? ` · ${count(doc.samples)} samples` : ""}</span>
        {doc.shown && <span class="chip shown" title="of the whole run; shares refer to what is shown">shown: {percent(doc.weight, doc.weight_of_run!)}, {doc.shown}</span>}
        <span class="push" />
        <Choice label="Colour by" options={[["state", "state"], ["event", "event"]] as const} value={by} set={setBy} />
        <ThemeChoice />
      </div>
      <nav aria-label="views" ref={tabs}>
        {VIEWS.filter(([name]) => name !== "tables" || doc.tables.length).map(([name, text], i) => (
          <a key={name} href={`#${name}`} aria-current={view === name ? "page" : undefined} data-text={text} title={i < KEYS ? `press ${(i + 1) % KEYS}` : undefined} onClick={(e) => { e.preventDefault(); show(name); }}>{text}</a>
        ))}
        <span class="push" />
        {range && (
          <span class="chip">
            {rangeWords(model, range)}, {percent(whole.weight, model.total)} of the time
            <button type="button" title="look at the whole run again" onClick={() => setRange(null)}>✕</button>
          </span>
        )}
      </nav>
      {view !== "timeline" && doc.timeline && <Track height={44} />}
    </header>
  );
}

function Page({ model }: { model: Model }) {
  const state = usePageState(model);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
      const chosen = /^\d$/.test(event.key) ? VIEWS[(Number(event.key) + KEYS - 1) % KEYS] : undefined;
      if (chosen) state.show(chosen[0]);
      if (event.key === "/") {
        document.querySelector<HTMLInputElement>("input.search")?.focus();
        event.preventDefault();
      }
    };
    const print = () => render(<StateProvider value={state}><Paper /></StateProvider>, document.getElementById("paper")!);
    const printed = () => render(null, document.getElementById("paper")!);
    addEventListener("keydown", key);
    addEventListener("beforeprint", print);
    addEventListener("afterprint", printed);
    return () => {
      removeEventListener("keydown", key);
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", printed);
    };
  }, [state]);
  const View = VIEWS.find(([name]) => name === state.view)![2];
  return (
    <StateProvider value={state}>
      <Head state={state} />
      <main>
        {state.missing && <p class="missing" role="alert">{state.missing} Below: what the view shows without it.</p>}
        <View />
      </main>
      <TipLayer />
    </StateProvider>
  );
}

const doc = read();
render("differences" in doc ? <ComparePage doc={doc} /> : <Page model={new Model(doc)} />, document.getElementById("page")!);
