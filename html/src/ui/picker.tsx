// The choice of a function: hottest first. A function's value is its word in addresses.
import { useApp } from "../state";
import { percent } from "../words";

const SHOWN = 500;

export function FunctionPicker({ list, value, set }: { list: { index: number; weight: number }[]; value: number; set(index: number): void }) {
  const { model, whole, links, view } = useApp();
  const word = (index: number) => links.to(view, index).split("/")[1]!;
  const shown = list.slice(0, SHOWN);
  return (
    <label class="pick">
      <span class="hidden">Function</span>
      <select value={word(value)} title={model.functionHint(value)} onChange={(e) => set(links.find(view, decodeURIComponent(e.currentTarget.value))!)}>
        {!shown.some((f) => f.index === value) && <option value={word(value)}>{model.functionName(value)}</option>}
        {shown.map((f) => (
          <option key={f.index} value={word(f.index)} title={model.functionHint(f.index)}>{percent(f.weight, whole.weight)} {model.functionName(f.index)}</option>
        ))}
      </select>
    </label>
  );
}
