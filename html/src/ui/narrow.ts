// Whether the window is as narrow as a telephone's: style/narrow.css has the same width.
import { useEffect, useState } from "preact/hooks";

const query = matchMedia("(max-width: 720px)");

export function useNarrow(): boolean {
  const [narrow, set] = useState(query.matches);
  useEffect(() => {
    const changed = () => set(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return narrow;
}
