import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

/** The same key as in the shell's theme.ts, which applies the theme to the page. */
const STORAGE_KEY = "messageoh:theme";

/** Returns the theme that is chosen in this browser, and the function that changes it in all tabs. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, read), write];
}

function subscribe(notify: () => void): () => void {
  window.addEventListener("storage", notify);
  return () => window.removeEventListener("storage", notify);
}

function read(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    // The browser forbids storage.
    return "system";
  }
}

function write(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch (error) {
    console.warn("The theme could not be stored", error);
  }
  // The browser sends this event to the other tabs only.
  window.dispatchEvent(new StorageEvent("storage", { key: STORAGE_KEY }));
}
