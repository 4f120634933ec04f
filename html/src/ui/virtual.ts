// A list with elements only for the rows in sight: a function of 28,000 instructions stays quick.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";
import type { RefObject } from "preact";

export interface Virtual {
  rows: { index: number; start: number }[];
  height: number;
  scrollTo(index: number, align?: "center" | "auto"): void;
}

export function useVirtual(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): Virtual {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined as never),
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  useLayoutEffect(() => virtual.measure(), [rowHeight]);
  return {
    rows: virtual.getVirtualItems().map(({ index, start }) => ({ index, start })),
    height: virtual.getTotalSize(),
    scrollTo: (index, align = "center") => virtual.scrollToIndex(index, { align }),
  };
}
