// The tooltip: one for the page, beside the pointer or the focused element.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

type Content = () => ComponentChildren;
let show: ((content: Content | null, x: number, y: number) => void) | null = null;

// Handlers of an element that has a tooltip. Its content is made when it is needed.
export function tip(content: Content) {
  const at = (event: PointerEvent) => show?.(content, event.clientX, event.clientY);
  return {
    onPointerEnter: at,
    onPointerMove: at,
    onPointerLeave: () => show?.(null, 0, 0),
    onFocus: (event: FocusEvent) => {
      const target = event.currentTarget as HTMLElement;
      if (!target.matches(":focus-visible")) return;
      const box = target.getBoundingClientRect();
      show?.(content, Math.min(box.left + 40, box.right), box.bottom - 8);
    },
    onBlur: () => show?.(null, 0, 0),
  };
}

export function TipLayer() {
  const [state, set] = useState<{ content: Content; x: number; y: number } | null>(null);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    show = (content, x, y) => set(content ? { content, x, y } : null);
    const hide = (event: KeyboardEvent) => event.key === "Escape" && set(null);
    const gone = () => set(null);
    addEventListener("keydown", hide);
    addEventListener("scroll", gone, true);
    addEventListener("hashchange", gone);
    return () => {
      show = null;
      removeEventListener("keydown", hide);
      removeEventListener("scroll", gone, true);
      removeEventListener("hashchange", gone);
    };
  }, []);
  useEffect(() => {
    const box = element.current;
    if (!box || !state) return;
    const { width, height } = box.getBoundingClientRect();
    const x = state.x + 14 + width > innerWidth ? Math.max(4, state.x - 14 - width) : state.x + 14;
    const y = state.y + 16 + height > innerHeight ? Math.max(4, state.y - 12 - height) : state.y + 16;
    box.style.transform = `translate(${x}px, ${y}px)`;
    box.style.visibility = "visible";
  });
  return (
    <div ref={element} class="tip" role="tooltip" style={{ visibility: "hidden" }} hidden={!state}>
      {state?.content()}
    </div>
  );
}
