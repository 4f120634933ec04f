// The choice of a function: hottest first.
import { useApp } from "../state";
import { percent } from "../words";

const SHOWN = 500;

export function FunctionPicker({ list, value, set }: { list: { index: number; weight: number }[]; value: number; set(index: number): void }) {
  const { model, whole } = useApp();
  const shown = list.slice(0, SHOWN);
  return (
    <label class="pick">
      <span class="hidden">Function</span>
      <select value={String(value)} onChange={(e) => set(Number(e.currentTarget.value))}>
        {!shown.some((f) => f.index === value) && <option value={String(value)}>{model.functionName(value)}</option>}
        {shown.map((f) => (
          <option key={f.index} value={String(f.index)}>{percent(f.weight, whole.weight)} {model.functionName(f.index)}</option>
        ))}
      </select>
    </label>
  );
}
