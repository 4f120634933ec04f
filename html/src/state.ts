// What is looked at: which view, which function, which part of the run, coloured by what. The view stands in the address, so that
// the browser's Back works.
import { createContext } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { calls, type Calls } from "./calls";
import type { By } from "./colours";
import type { FunctionTime, Model, Range } from "./model";
import type { Split } from "./split";

export type ViewName = "summary" | "functions" | "instructions" | "loops" | "code" | "calls" | "flame" | "timeline" | "pipeline" | "profilers" | "tables";

export interface State {
  model: Model;
  view: ViewName;
  fn: number | null; // of the code view; null: the hottest
  item: number | null; // of the pipeline view
  by: By;
  range: Range | null;
  weights: Float64Array; // of the rows, in that range
  whole: Split;
  functions: FunctionTime[];
  calls: Calls;
  show(view: ViewName, fn?: number): void;
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

const names: ViewName[] = ["summary", "functions", "instructions", "loops", "code", "calls", "flame", "timeline", "pipeline", "profilers", "tables"];

interface Place {
  view: ViewName;
  fn: number | null;
}

// Where the address says that we are; the same object when that is where we were.
function place(before?: Place): Place {
  const [word, number] = location.hash.slice(1).split("/");
  const view = names.find((n) => n === word) ?? "summary";
  const fn = number && /^\d+$/.test(number) ? Number(number) : null;
  return before?.view === view && before.fn === fn ? before : { view, fn };
}

export function usePageState(model: Model): State {
  const [at, setAt] = useState(() => place());
  const [by, setBy] = useState<By>("state");
  const [range, setRange] = useState<Range | null>(null);
  useEffect(() => {
    const moved = () => setAt(place);
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return useMemo(() => {
    const weights = model.weights(range);
    const fn = at.fn !== null && at.fn < model.doc.functions.name.length ? at.fn : null;
    return {
      model,
      view: at.view,
      fn,
      item: at.fn,
      by,
      range,
      weights,
      whole: model.whole(weights),
      functions: model.functions(weights),
      calls: calls(model, weights),
      show(view: ViewName, target?: number) {
        location.hash = target === undefined ? view : `${view}/${target}`;
        setAt(place); // now: the event of the new address comes when the browser has time, and the next key may be faster
      },
      setBy,
      setRange,
    };
  }, [model, at, by, range]);
}
