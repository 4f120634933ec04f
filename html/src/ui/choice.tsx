// A choice of few: buttons side by side, one of them pressed.
export function Choice<T extends string>({ label, options, value, set }: { label: string; options: readonly (readonly [T, string])[]; value: T; set(value: NoInfer<T>): void }) {
  return (
    <span class="choice" role="group" aria-label={label}>
      <span class="choice-label">{label}</span>
      {options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={value === key} onClick={() => set(key)}>{text}</button>
      ))}
    </span>
  );
}
