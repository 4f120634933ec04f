// The time of one hart, or of all: a choice for views of a run of several.
import { useMemo, useState } from "preact/hooks";
import { useApp } from "../state";
import { Choice } from "./choice";

// weights: of the rows, in the range that is looked at, of the hart that is chosen. choice: nothing where there is one hart.
export function useHart() {
  const { model, weights } = useApp();
  const [hart, setHart] = useState("all");
  const harts = useMemo(() => model.harts(), [model]);
  const own = useMemo(() => (hart === "all" ? weights : model.ofHart(weights, hart)), [model, weights, hart]);
  const choice = harts.length > 1 && <Choice label="Hart" options={[["all", "all"], ...harts.map((name): [string, string] => [name, name])]} value={hart} set={setHart} />;
  return { weights: own, choice };
}
