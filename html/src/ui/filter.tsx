// A box for a regular expression; one that does not parse is said so, and matches nothing less than the last that did.
import { useMemo, useRef, useState } from "preact/hooks";

export interface Filter {
  text: string;
  fault: string;
  matches(text: string): boolean;
  set(text: string): void;
}

export function useFilter(): Filter {
  const [text, set] = useState("");
  const last = useRef<RegExp | null>(null);
  return useMemo(() => {
    let fault = "";
    try {
      last.current = text ? new RegExp(text, "i") : null;
    } catch (error) {
      fault = (error as Error).message.replace(/^Invalid regular expression: /, "");
    }
    const pattern = last.current;
    return { text, fault, set, matches: (candidate: string) => !pattern || pattern.test(candidate) };
  }, [text]);
}

export function FilterBox({ filter, label }: { filter: Filter; label: string }) {
  return (
    <label class="filter">
      <span class="hidden">{label}</span>
      <input
        type="search"
        class="search"
        placeholder={`${label} (regular expression)`}
        value={filter.text}
        spellcheck={false}
        aria-invalid={filter.fault !== ""}
        title={filter.fault || "press / to go here"}
        onInput={(e) => filter.set(e.currentTarget.value)}
      />
      {filter.fault && <span class="fault" role="status">{filter.fault}</span>}
    </label>
  );
}
