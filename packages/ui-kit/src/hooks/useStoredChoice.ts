import { useSyncExternalStore } from "react";

/**
 * Returns what is chosen in this browser, and the function that changes it in all tabs.
 * @param key key of `localStorage`
 * @param options the first one is the default
 */
export function useStoredChoice<Option extends string>(key: string, options: readonly Option[]) {
  function read(): Option {
    const [fallback] = options as readonly [Option];
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
