// The run over time, stacked by state or event: a stretch of it is chosen by dragging, or by the keyboard.
import { area, curveStep, stack, stackOffsetNone, stackOrderNone } from "d3-shape";
import { useMemo, useRef, useState } from "preact/hooks";
import { comboColour, stateColour, type By } from "../colours";
import type { Model, Range } from "../model";
import { useApp } from "../state";
import { count, milliseconds, percent } from "../words";
import { tip } from "./tip";
import { Breakdown } from "./breakdown";

// The parts of each bin in 1/U cycle, by state or combination; `only`: of one function.
export function useBins(model: Model, by: By, only: number | null): number[][] {
  return useMemo(() => {
    const { timeline, rows } = model.doc;
    if (!timeline) return [];
    const parts = by === "state" ? model.doc.states.length : model.combos.length;
    return timeline.bins.map(([index, weight]) => {
      const sums = new Array<number>(parts).fill(0);
      index.forEach((row, i) => {
        if (only === null || rows.function[row] === only) sums[by === "state" ? model.state[row]! : model.combo[row]!]! += weight[i]!;
      });
      return sums;
    });
  }, [model, by, only]);
}

// Areas in a box of bins x 1, the whole height being a bin full of time.
export function Areas({ bins, model, by }: { bins: number[][]; model: Model; by: By }) {
  const paths = useMemo(() => {
    const full = model.doc.timeline!.cycles * model.doc.U;
    const keys = bins[0]?.map((_, i) => i) ?? [];
    const order = by === "state" ? keys : [...keys.slice(1), ...keys.slice(0, 1)];
    const layers = stack<number[], number>().keys(order).value((d, key) => d[key]! / full).order(stackOrderNone).offset(stackOffsetNone)(bins);
    const shape = area<(typeof layers)[number][number]>().x((_, i) => i + 0.5).y0((d) => 1 - d[0]).y1((d) => 1 - d[1]).curve(curveStep);
    return layers.map((layer) => ({ key: layer.key, path: shape([layer[0]!, ...layer.slice(1)]) ?? "", used: layer.some((d) => d[1] > d[0]) }));
  }, [bins, model, by]);
  return (
    <svg class="areas" viewBox={`0.5 0 ${Math.max(1, bins.length - 1)} 1`} preserveAspectRatio="none" aria-hidden="true">
      {paths.map(({ key, path, used }) =>
        used ? <path key={key} d={path} fill={by === "state" ? stateColour(key) : comboColour(model.doc, model.combos[key]!)} /> : null,
      )}
    </svg>
  );
}

export function rangeWords(model: Model, range: Range): string {
  const { timeline, cycles } = model.doc;
  const first = range[0] * timeline!.cycles;
  const end = Math.min(range[1] * timeline!.cycles, Math.max(cycles, first + 1));
  return `cycles ${count(first)} – ${count(end)}`;
}

export function Track({ height }: { height: number }) {
  const { model, by, range, setRange } = useApp();
  const bins = useBins(model, by, null);
  const box = useRef<HTMLDivElement>(null);
  const from = useRef<number | null>(null);
  const [hover, setHover] = useState<number | null>(null);
  if (!bins.length) return null;
  const n = bins.length;
  const at = (event: PointerEvent) => {
    const { left, width } = box.current!.getBoundingClientRect();
    return Math.max(0, Math.min(n - 1, Math.floor(((event.clientX - left) / width) * n)));
  };
  const key = (event: KeyboardEvent) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move) {
      const step = move * Math.max(1, Math.round(n / 50));
      const [a, b] = range ?? [0, Math.max(1, Math.round(n / 10))];
      const next: Range = event.shiftKey ? [a, Math.max(a + 1, Math.min(n, b + step))] : [Math.max(0, Math.min(n - (b - a), a + step)), Math.max(b - a, Math.min(n, b + step))];
      setRange(range ? next : [a, b]);
      event.preventDefault();
    } else if (event.key === "Escape") {
      setRange(null);
    }
  };
  const full = model.doc.timeline!.cycles;
  const split = hover === null ? null : model.whole(model.weights([hover, hover + 1]));
  return (
    <div
      ref={box}
      class="track"
      style={{ height: `${height}px` }}
      tabIndex={0}
      role="group"
      aria-label={`The run over time: drag, or press the arrow keys (with shift: make it longer), to look at a part of it. ${range ? rangeWords(model, range) : "The whole run"}`}
      onKeyDown={key}
      onPointerDown={(event) => {
        if (event.button) return;
        from.current = at(event);
        box.current!.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const now = at(event);
        setHover(now);
        const start = from.current;
        if (start !== null && now !== start) setRange([Math.min(start, now), Math.max(start, now) + 1]);
      }}
      onPointerUp={(event) => {
        if (from.current === at(event) && range) setRange(null);
        from.current = null;
      }}
      onPointerLeave={() => setHover(null)}
    >
      <div
        class="fill"
        {...tip(() =>
          hover === null || !split ? null : (
            <Breakdown title={`${rangeWords(model, [hover, hover + 1])} · ${milliseconds(hover * full, model.doc.clock_mhz)}`} split={split} total={model.total} />
          ),
        )}
      >
        <Areas bins={bins} model={model} by={by} />
      </div>
      {range && <div class="shade" style={{ left: 0, width: percent(range[0], n, 3).replace(" ", "") }} />}
      {range && <div class="shade" style={{ left: percent(range[1], n, 3).replace(" ", ""), right: 0 }} />}
    </div>
  );
}
