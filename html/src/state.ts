// What is looked at: which view, which function, which part of the run, coloured by what. The view stands in the address, so that
// the browser's Back works, and a link to it does.
import { createContext } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { calls, type Calls } from "./calls";
import type { By } from "./colours";
import { Links } from "./links";
import type { FunctionTime, Model, Range } from "./model";
import type { Split } from "./split";

const names = ["summary", "functions", "instructions", "loops", "code", "calls", "flame", "timeline", "pipeline", "profilers", "tables"] as const;
export type ViewName = (typeof names)[number];

export interface State {
  model: Model;
  links: Links;
  view: ViewName;
  fn: number | null; // of the code view; null: the hottest
  item: number | null; // of the pipeline view, and of the tables
  at: string; // of the code view: what of it (links.ts)
  missing: string; // what the address names and the page does not have: a sentence; "": nothing
  by: By;
  range: Range | null;
  weights: Float64Array; // of the rows, in that range
  whole: Split;
  functions: FunctionTime[];
  calls: Calls;
  show(view: ViewName, target?: number, at?: string): void;
  remember(view: ViewName, target: number, at: string): void; // in the address alone
  setBy(by: By): void;
  setRange(range: Range | null): void;
}

const Context = createContext<State | null>(null);
export const StateProvider = Context.Provider;

export function useApp(): State {
  const state = useContext(Context);
  if (!state) throw new Error("outside of the page");
  return state;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

// Where the address says that we are.
function place(model: Model, links: Links, hash: string) {
  const [word = "", name = "", at = ""] = hash.slice(1).split("/").map(decoded);
  const view = names.find((n) => n === word && (n !== "tables" || model.doc.tables.length));
  const found = view && name ? links.find(view, name) : null;
  const what = view === "tables" ? "table" : view === "pipeline" ? "sampled instruction" : "function with time";
  const missing = word && !view ? `There is no view called “${word}” here.` : name && found === null ? `This run has no ${what} called “${name}”: the link may be of another program, or it is called otherwise in this build.` : "";
  return { view: view ?? "summary", target: found, at: found === null ? "" : at, missing };
}

export function usePageState(model: Model): State {
  const [hash, setHash] = useState(location.hash);
  const [by, setBy] = useState<By>("state");
  const [range, setRange] = useState<Range | null>(null);
  const links = useMemo(() => new Links(model), [model]);
  useEffect(() => {
    const moved = () => setHash(location.hash);
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const times = useMemo(() => {
    const weights = model.weights(range);
    return { weights, whole: model.whole(weights), functions: model.functions(weights), calls: calls(model, weights) };
  }, [model, range]);
  return useMemo(() => {
    const { view, target, at, missing } = place(model, links, hash);
    const named = view === "code" || view === "calls";
    return {
      model,
      links,
      view,
      fn: named ? target : null,
      item: named ? null : target,
      at,
      missing,
      by,
      range,
      ...times,
      show(to: ViewName, index?: number, part?: string) {
        location.hash = links.to(to, index, part);
        setHash(location.hash); // now: the event of the new address comes when the browser has time, and the next key may be faster
      },
      remember(to: ViewName, index: number, part: string) {
        history.replaceState(null, "", `#${links.to(to, index, part)}`);
      },
      setBy,
      setRange,
    };
  }, [model, links, hash, by, range, times]);
}
