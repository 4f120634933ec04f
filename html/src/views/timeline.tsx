// The run over time: all of it, then function by function.
import { scaleLinear } from "d3-scale";
import { useApp } from "../state";
import { Areas, rangeWords, Track, useBins } from "../ui/track";
import { Legend } from "../ui/legend";
import { useNarrow } from "../ui/narrow";
import { count, percent } from "../words";
import type { FunctionTime } from "../model";

const LANES = 12;

export function Timeline({ lanes = LANES }: { lanes?: number }) {
  const { model, functions, range, whole, by } = useApp();
  if (!model.doc.timeline) {
    return <div class="view"><p class="nothing">Only samples know when: this is the profile of {model.doc.profiler}.</p></div>;
  }
  return (
    <div class="view">
      <div class="tools">
        <Legend split={whole} by={by} />
        <span class="dim push" role="status">{range ? rangeWords(model, range) : "drag over the run to look at a part of it, on all pages"}</span>
      </div>
      <div class="timeline scroll">
        <div class="lane big">
          <span class="lane-name"><b>all</b><span class="dim number">{percent(whole.weight, model.total)}</span></span>
          <Track height={190} />
        </div>
        <Axis />
        {functions.slice(0, lanes).map((f) => <Lane key={f.index} f={f} />)}
      </div>
    </div>
  );
}

function Axis() {
  const { model } = useApp();
  const { timeline } = model.doc;
  const narrow = useNarrow();
  const end = timeline!.cycles * timeline!.bins.length;
  const scale = scaleLinear([0, end], [0, 100]);
  return (
    <div class="lane axis">
      <span class="lane-name dim">cycles</span>
      <div class="ticks">
        {scale.ticks(narrow ? 3 : 8).filter((t) => scale(t) < 95).map((t) => <span key={t} style={{ left: `${scale(t)}%` }}>{count(t)}</span>)}
      </div>
    </div>
  );
}

function Lane({ f }: { f: FunctionTime }) {
  const { model, by, show, whole } = useApp();
  const bins = useBins(model, by, f.index);
  return (
    <div class="lane">
      <button type="button" class="lane-name" title={model.functionWhole(f.index)} onClick={() => show("code", f.index)}>
        <span class="clip">{f.name}</span>
        <span class="dim number">{percent(f.split.weight, whole.weight)}</span>
      </button>
      <div class="lane-areas"><Areas bins={bins} model={model} by={by} /></div>
    </div>
  );
}
