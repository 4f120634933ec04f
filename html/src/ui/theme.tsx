// The choice of light or dark, or as the system has it.
import { useEffect, useState } from "preact/hooks";
import { Choice } from "./choice";

type Theme = "auto" | "light" | "dark";

export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>("auto");
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return <Choice label="Theme" options={[["auto", "auto"], ["light", "light"], ["dark", "dark"]] as const} value={theme} set={setTheme} />;
}
