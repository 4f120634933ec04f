// Flame graph and icicle: who reached the time, level by level; zoomed by a click or Enter, searched by a regular expression.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { gradient, pieces } from "../colours";
import { useApp } from "../state";
import { Breakdown } from "../ui/breakdown";
import { Choice } from "../ui/choice";
import { FilterBox, useFilter } from "../ui/filter";
import { useHart } from "../ui/hart";
import { Legend } from "../ui/legend";
import { tip } from "../ui/tip";
import { percent } from "../words";
import { flameTree, place, type Placed } from "./flame_tree";

const ROW = 24; // pixels
const LETTER = 6.5; // pixels, on paper
const LEAST = 0.0007; // of the width: narrower frames are not drawn

type Shape = "flame" | "icicle";

export function Flame() {
  const { model, whole } = useApp();
  const { weights, choice } = useHart();
  const [shape, setShape] = useState<Shape>("icicle");
  const filter = useFilter();
  const tree = useMemo(() => place(flameTree(model, weights)), [model, weights]);
  const [zoomed, setZoomed] = useState("");
  const [focus, setFocus] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => new Map(tree.descendants().map((n) => [n.data.key, n])), [tree]);
  const zoom = nodes.get(zoomed) ?? tree;
  const focused = nodes.get(focus) ?? zoom;
  const span = zoom.x1 - zoom.x0 || 1;
  const drawn = useMemo(
    () =>
      tree.descendants().filter((n) => {
        const width = Math.min(n.x1, zoom.x1) - Math.max(n.x0, zoom.x0);
        return width / span > LEAST;
      }),
    [tree, zoom],
  );
  const hidden = tree.descendants().length - drawn.length;
  const depth = Math.max(...drawn.map((n) => n.depth)) + 1;
  const found = filter.text && !filter.fault ? (n: Placed) => filter.matches(n.data.name) : null;
  const matched = found ? matchedWeight(tree, found) : 0;
  useEffect(() => {
    box.current?.querySelector<HTMLElement>(".frame[tabindex='0']")?.scrollIntoView({ block: "nearest" });
  }, [shape]);
  const key = (event: KeyboardEvent) => {
    const siblings = focused.parent?.children ?? [focused];
    const at = siblings.indexOf(focused);
    const deeper = focused.children?.[0];
    const [down, up] = shape === "icicle" ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"];
    const next = event.key === down ? deeper : event.key === up ? focused.parent : event.key === "ArrowRight" ? siblings[at + 1] : event.key === "ArrowLeft" ? siblings[at - 1] : null;
    if (next && drawn.includes(next)) {
      setFocus(next.data.key);
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(".frame[tabindex='0']")?.focus());
    } else if (event.key === "Enter" || event.key === " ") {
      setZoomed(focused.data.key);
    } else if (event.key === "Escape") {
      setZoomed("");
      setFocus("");
    } else if (!event.key.startsWith("Arrow")) {
      return;
    }
    event.preventDefault();
  };
  return (
    <div class="view">
      <div class="tools">
        <FilterBox filter={filter} label="Search frames" />
        <Choice label="Shape" options={[["icicle", "icicle"], ["flame", "flame graph"]] as const} value={shape} set={setShape} />
        {choice}
        <button type="button" disabled={zoom === tree} onClick={() => setZoomed("")}>Whole</button>
        <span class="dim push" role="status">
          {found ? `${percent(matched, whole.weight)} of the time matches` : `${zoom.data.name}: ${percent(zoom.data.split.weight, whole.weight)} of the time`}
          {hidden > 0 && ` · ${hidden} frames too narrow to draw`}
        </span>
      </div>
      <div class="flame scroll" ref={box} role="tree" aria-label="flame graph" onKeyDown={key}>
        <FlameBoxes nodes={drawn} zoom={zoom} depth={depth} shape={shape} found={found} focused={focused} pick={(n) => { setFocus(n.data.key); setZoomed(n.data.key); }} />
      </div>
      <FlameNote node={focused} />
    </div>
  );
}

function FlameNote({ node }: { node: Placed }) {
  const { whole, by, show } = useApp();
  return (
    <div class="flame-note">
      <Legend split={node.data.split} by={by} />
      <span class="push clip"><b>{node.data.name}</b> {percent(node.data.split.weight, whole.weight)}</span>
      {node.data.fn >= 0 && <button type="button" onClick={() => show("code", node.data.fn)}>Show code</button>}
    </div>
  );
}

interface Boxes {
  nodes: Placed[];
  zoom: Placed;
  depth: number;
  shape: Shape;
  found?: ((n: Placed) => boolean) | null;
  focused?: Placed;
  pick?(n: Placed): void;
  pixels?: number; // width, where it does not change: names that do not fit are left out
}

export function FlameBoxes({ nodes, zoom, depth, shape, found, focused, pick, pixels }: Boxes) {
  const { by, whole, model } = useApp();
  const span = zoom.x1 - zoom.x0 || 1;
  return (
    <div style={{ height: `${depth * ROW}px`, position: "relative" }} role="presentation">
      {nodes.map((n) => {
        const left = Math.max(0, (n.x0 - zoom.x0) / span);
        const right = Math.min(1, (n.x1 - zoom.x0) / span);
        const top = shape === "icicle" ? n.depth : depth - 1 - n.depth;
        const hit = found?.(n);
        return (
          <div
            key={n.data.key}
            class={`frame ${n.data.kind}${hit ? " hit" : found ? " miss" : ""}${n.depth < zoom.depth ? " above" : ""}`}
            role="treeitem"
            aria-level={n.depth + 1}
            aria-label={`${n.data.name} ${percent(n.data.split.weight, whole.weight)}`}
            tabIndex={n === focused ? 0 : -1}
            style={{ left: `${100 * left}%`, width: `${100 * (right - left)}%`, top: `${top * ROW}px` }}
            onClick={() => pick?.(n)}
            {...tip(() => <Breakdown title={n.data.kind === "function" && n.data.fn >= 0 ? model.functionWhole(n.data.fn) : n.data.name} split={n.data.split} total={whole.weight} />)}
          >
            <span>{!pixels || n.data.name.length * LETTER + 12 < (right - left) * pixels ? n.data.name : ""}</span>
            <i style={{ background: gradient(pieces(n.data.split, by)) }} />
          </div>
        );
      })}
    </div>
  );
}

// Of the outermost frames that match: none is counted twice.
function matchedWeight(node: Placed, found: (n: Placed) => boolean): number {
  if (found(node)) return node.data.split.weight;
  return (node.children ?? []).reduce((sum, c) => sum + matchedWeight(c, found), 0);
}
