import { useSyncExternalStore } from "react";

/** What a user can choose for this browser; the first option is the default. The shell's appearance.ts applies the choices. */
export const APPEARANCE = {
  theme: ["system", "light", "dark"],
  accent: ["teal", "green", "blue", "violet", "pink", "amber"],
  background: ["plain", "dots", "lines", "squares", "scales", "glow"],
  direction: ["system", "ltr", "rtl"],
} as const;
export type Appearance = typeof APPEARANCE;

/** Returns what is chosen in this browser, and the function that changes it in all tabs. */
export function useAppearance<Name extends keyof Appearance>(name: Name) {
  type Option = Appearance[Name][number];
  const options: readonly Option[] = APPEARANCE[name];
  /** The same key as in the shell's appearance.ts. */
  const key = `messageoh:${name}`;

  function read(): Option {
    const [fallback] = options as [Option];
    try {
      const stored = localStorage.getItem(key);
      return options.find((option) => option === stored) ?? fallback;
    } catch {
      // The browser forbids storage.
      return fallback;
    }
  }

  function write(option: Option): void {
    try {
      if (option === options[0]) localStorage.removeItem(key);
      else localStorage.setItem(key, option);
    } catch (error) {
      console.warn("The choice could not be stored", error);
    }
    // The browser sends this event to the other tabs only.
    window.dispatchEvent(new StorageEvent("storage", { key }));
  }

  return [useSyncExternalStore(subscribe, read), write] as const;
}

function subscribe(notify: () => void): () => void {
  window.addEventListener("storage", notify);
  return () => window.removeEventListener("storage", notify);
}
