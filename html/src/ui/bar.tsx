// A stacked bar: one element, its pieces a background. Its text says the same.
import { gradient, pieces, type By } from "../colours";
import type { Split } from "../split";
import { percent } from "../words";

export function Bar({ split, full, by }: { split: Split | null; full: number; by: By }) {
  if (!split || !split.weight || !full) return <span class="bar" />;
  const { states } = split.model.doc;
  const words = states
    .map((s, i) => (split.states[i] ? `${s.name} ${percent(split.states[i]!, split.weight, 0)}` : ""))
    .filter(Boolean)
    .join(", ");
  return (
    <span class="bar" role="img" aria-label={words}>
      <i style={{ width: `${(100 * split.weight) / full}%`, background: gradient(pieces(split, by)) }} />
    </span>
  );
}
